//! What our routers send, as Wireshark sees it: nothing malformed, every checksum right. Here the templates' networks; `bgp.rs` and `eigrp.rs`
//! have networks in which every kind of message of their protocol is sent.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

mod bgp;
mod eigrp;
#[path = "../routers/mod.rs"]
mod routers;
mod wireshark;

use std::fs;
use std::path::Path;

use netconfarena::lab::Lab;
use netconfarena::template::catalog;
use netconfarena_emu::ids::LinkIndex;
use netconfarena_emu::network::Network;
use wireshark::{complaints, decode, has_tshark};

/// The captured frames of a network that starts the way every template does, with the names of the links.
fn captures_of_all_templates(mut look: impl FnMut(&str, &Lab, &str, LinkIndex)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    for template in catalog::load(&root, &[]).unwrap() {
        let instance = template.instantiate(1).unwrap();
        let mut lab = Lab::of_instance(&instance, true).unwrap();
        lab.links.iter().for_each(|(_, link)| lab.network.start_capture(*link));
        lab.network.run_until_converged(Network::DEFAULT_CONVERGENCE_CAP);
        for (name, link) in &lab.links {
            look(&instance.name.to_string(), &lab, name, *link);
        }
    }
}

#[test]
fn wireshark_finds_nothing_wrong_in_the_captures_of_all_templates() {
    if !has_tshark() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    captures_of_all_templates(|instance, lab, name, link| {
        // A port alone on its link may have nothing to say.
        if lab.network.capture(link).is_none_or(|capture| capture.frames().is_empty()) {
            return;
        }
        let path = folder.path().join(format!("{name}.pcap"));
        fs::write(&path, lab.network.pcap(link).unwrap()).unwrap();
        assert_eq!(complaints(&decode(&path)), Vec::<String>::new(), "{instance}: {name}");
    });
}

/// The LSAs of an OSPF link state update in a frame with an IPv4 packet (RFC 2328 appendix A.3.5), none of other frames.
fn lsas(frame: &[u8]) -> Vec<&[u8]> {
    // Ethernet has 14 octets before the packet, Cisco's HDLC 4.
    let packet = [14, 4].into_iter().find_map(|at| {
        let packet = frame.get(at..)?;
        (frame.get(at - 2..at)? == [8, 0] && packet.first()? >> 4 == 4).then_some(packet)
    });
    let Some(packet) = packet.filter(|packet| packet[9] == 89) else { return Vec::new() };
    let ospf = &packet[usize::from(packet[0] & 15) * 4..];
    if ospf[1] != 4 {
        return Vec::new();
    }
    let count = u32::from_be_bytes(ospf[24..28].try_into().unwrap());
    let mut rest = &ospf[28..];
    (0..count)
        .map(|_| {
            let length = usize::from(u16::from_be_bytes([rest[18], rest[19]]));
            let (lsa, behind) = rest.split_at(length);
            rest = behind;
            lsa
        })
        .collect()
}

/// Section 12.1.7, by the book: both Fletcher sums over all but the age are zero (ISO 8473 annex C).
fn has_valid_checksum(lsa: &[u8]) -> bool {
    let (low, high) = lsa[2..].iter().fold((0_u32, 0_u32), |(low, high), &octet| {
        let low = (low + u32::from(octet)) % 255;
        (low, (high + low) % 255)
    });
    (low, high) == (0, 0)
}

#[test]
fn rfc12_1_7_every_lsa_on_the_links_of_all_templates_has_its_checksum() {
    let mut checked = 0;
    captures_of_all_templates(|instance, lab, name, link| {
        let frames = lab.network.capture(link).map_or(&[][..], |capture| capture.frames());
        for lsa in frames.iter().flat_map(|(_, frame)| lsas(frame)) {
            assert!(has_valid_checksum(lsa), "{instance}, {name}: {lsa:02x?}");
            let mut damaged = lsa.to_vec();
            damaged[19] ^= 1;
            assert!(!has_valid_checksum(&damaged), "the check itself sees a changed bit");
            checked += 1;
        }
    });
    assert!(checked > 100, "only {checked} LSAs");
}
