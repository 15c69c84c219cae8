//! What the routers of every template send, as Wireshark sees it: nothing malformed, every checksum right.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use netconfarena::lab::Lab;
use netconfarena::template::catalog;
use netconfarena_emu::eigrp::{ClearEigrp, ClearedNeighbors};
use netconfarena_emu::ids::{LinkIndex, NodeIndex, VrfId};
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::process::ProcessCommand;
use netconfarena_emu::rib::RouteOwner;

mod routers;

use routers::{add_router, configure, port};

/// What Wireshark writes where something is wrong.
const WRONG: [&str; 5] =
    ["Malformed Packet", "Expert Info (Error", "incorrect, should be", "incorrect (", "Status: Bad"];

/// Every packet of a capture in words, checksums checked.
fn decode(capture: &Path) -> String {
    let checks = ["ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE"];
    let output = Command::new("tshark")
        .args(["-n", "-V", "-r"])
        .arg(capture)
        .args(checks.map(|option| ["-o", option]).concat())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("Frame 1:"), "the capture is empty");
    text
}

fn complaints(text: &str) -> Vec<String> {
    text.lines().filter(|line| WRONG.iter().any(|wrong| line.contains(wrong))).map(str::to_owned).collect()
}

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

fn has_tshark() -> bool {
    let found = Command::new("tshark").arg("--version").output().is_ok();
    if !found {
        println!("SKIPPED: tshark is not installed (apt-get install tshark)");
    }
    found
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

/// A network with every kind of EIGRP packet on its links, and what makes them.
///
/// ```text
/// R1 --- R2 --- R3 --- R4      AS 1, classic; on the LAN of R2, R5 and R6 keys and a stub
///        | R5 R6
/// R7 --- R8                    AS 2, named mode: wide metrics, HMAC-SHA-256
/// ```
struct EigrpNetwork {
    network: Network,
    routers: Vec<NodeIndex>,
    links: Vec<LinkIndex>,
}

impl EigrpNetwork {
    fn new() -> Self {
        let interface = |port: u8, address: &str, more: &str| {
            format!("interface gi0/{port}\n ip address {address} 255.255.255.0\n no shutdown\n{more}")
        };
        // A neighbor that hears nothing any more is kept until the query has been out for long.
        let slow = " ip hold-time eigrp 1 240\n";
        let keyed = " ip authentication mode eigrp 1 md5\n ip authentication key-chain eigrp 1 K\n";
        let chain = "key chain K\n key 1\n  key-string secret\n";
        let classic = "router eigrp 1\n network 10.0.0.0\n timers active-time 1\n";
        let named = "router eigrp WIDE\n address-family ipv4 unicast autonomous-system 2\n  network 10.0.0.0\n  \
                     af-interface gi0/0\n   authentication mode hmac-sha-256 secret\n  exit-af-interface\n  \
                     topology base\n   redistribute static\n  exit-af-topology\n";
        let loopback = |n: u8| format!("interface lo0\n ip address 10.9.{n}.1 255.255.255.0\n");
        let statics = "ip route 172.16.0.0 255.255.0.0 Null0 tag 5\n";
        let texts = [
            format!(
                "{}{}{statics}{classic} redistribute static\n",
                loopback(1),
                interface(0, "10.0.12.1", slow)
            ),
            format!(
                "{chain}{}{}{}{classic}",
                interface(0, "10.0.12.2", slow),
                interface(1, "10.0.23.2", slow),
                interface(2, "10.0.2.2", keyed)
            ),
            format!("{}{}{classic}", interface(0, "10.0.23.3", slow), interface(1, "10.0.34.3", slow)),
            format!("{}{classic}", interface(0, "10.0.34.4", slow)),
            format!(
                "{chain}{}{}{classic} eigrp stub connected\n",
                loopback(5),
                interface(0, "10.0.2.5", keyed)
            ),
            format!("{chain}{}{}{classic}", loopback(6), interface(0, "10.0.2.6", keyed)),
            format!("{}{}{statics}{named}", loopback(7), interface(0, "10.0.78.7", "")),
            format!("{}{named}", interface(0, "10.0.78.8", "")),
        ];
        let mut network = Network::new(3);
        let routers: Vec<NodeIndex> =
            texts.iter().zip(1..).map(|(text, n)| add_router(&mut network, &format!("R{n}"), text)).collect();
        let cables: [&[(usize, &str)]; 5] = [
            &[(0, "gi0/0"), (1, "gi0/0")],
            &[(1, "gi0/1"), (2, "gi0/0")],
            &[(2, "gi0/1"), (3, "gi0/0")],
            &[(1, "gi0/2"), (4, "gi0/0"), (5, "gi0/0")],
            &[(6, "gi0/0"), (7, "gi0/0")],
        ];
        let links: Vec<LinkIndex> = cables
            .iter()
            .map(|ends| {
                let ends: Vec<_> = ends.iter().map(|&(router, name)| (routers[router], port(name))).collect();
                network.add_link(LinkProperties::ethernet(), &ends).unwrap()
            })
            .collect();
        links.iter().for_each(|&link| network.start_capture(link));
        Self { network, routers, links }
    }

    fn run(&mut self, seconds: u64) {
        self.network.run_for(Duration::from_secs(seconds));
    }

    fn configure(&mut self, router: usize, lines: &str) {
        configure(&mut self.network, self.routers[router], lines);
    }

    fn lose(&mut self, link: usize, loss_ppm: u32) {
        let properties = *self.network.link_properties(self.links[link]).unwrap();
        self.network.set_link_properties(self.links[link], LinkProperties { loss_ppm, ..properties });
    }

    fn clear(&mut self, router: usize, soft: bool) {
        let command = ProcessCommand::ClearEigrp(ClearEigrp {
            vrf: VrfId::GLOBAL,
            neighbors: ClearedNeighbors::All,
            soft,
        });
        assert!(self.network.command_process(self.routers[router], RouteOwner::Eigrp(1), &command));
    }

    fn live(&mut self) {
        self.run(20);
        // Who lags behind on the LAN is left out of multicasts.
        self.lose(3, 300_000);
        for _ in 0..10 {
            self.configure(0, "interface lo0\n shutdown\n");
            self.run(2);
            self.configure(0, "interface lo0\n no shutdown\n");
            self.run(2);
        }
        self.lose(3, 0);
        self.run(60);
        // R4 answers nothing, so R3 owes R2 an answer, and R2 asks R3 why.
        self.lose(2, 1_000_000);
        self.configure(0, "interface lo0\n shutdown\n");
        self.run(50);
        self.lose(2, 0);
        self.run(60);
        self.clear(0, true);
        self.run(5);
        self.clear(0, false);
        self.run(10);
        self.configure(4, "no router eigrp 1\n");
        self.run(5);
    }
}

/// One field of every packet that has it, as tshark prints it.
fn fields(capture: &Path, field: &str) -> Vec<String> {
    let output = Command::new("tshark")
        .args(["-n", "-r"])
        .arg(capture)
        .args(["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,", "-e", field])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter(|line| !line.is_empty()).map(str::to_owned).collect()
}

#[test]
fn wireshark_decodes_every_kind_of_eigrp_packet() {
    if !has_tshark() {
        return;
    }
    let mut eigrp = EigrpNetwork::new();
    eigrp.live();
    let folder = tempfile::tempdir().unwrap();
    let mut seen = std::collections::BTreeSet::new();
    for (at, &link) in eigrp.links.iter().enumerate() {
        let path = folder.path().join(format!("{at}.pcap"));
        fs::write(&path, eigrp.network.pcap(link).unwrap()).unwrap();
        let text = decode(&path);
        assert_eq!(complaints(&text), Vec::<String>::new(), "link {at}");
        let packets = fields(&path, "ip.proto").iter().filter(|number| *number == "88").count();
        assert_eq!(fields(&path, "eigrp.opcode").len(), packets, "link {at}: all are decoded");
        let sums =
            text.lines().filter(|line| line.trim().starts_with("Checksum:") && line.contains("[correct]"));
        assert_eq!(sums.count(), packets, "link {at}: EIGRP's own checksum");
        for field in [
            "eigrp.opcode",
            "eigrp.tlv_type",
            "eigrp.flags.init",
            "eigrp.flags.condrecv",
            "eigrp.flags.restart",
            "eigrp.flags.eot",
            "eigrp.auth.type",
            "eigrp.par.k1",
        ] {
            let values = fields(&path, field);
            seen.extend(
                values.iter().flat_map(|line| line.split(',')).map(|value| format!("{field}={value}")),
            );
        }
    }
    let expected = [
        ("eigrp.opcode", &["1", "3", "4", "5", "10", "11"][..]),
        // Parameters, authentication, sequence, version, multicast sequence, stub, peer termination; routes classic and wide, internal and external.
        (
            "eigrp.tlv_type",
            &[
                "0x0001", "0x0002", "0x0003", "0x0004", "0x0005", "0x0006", "0x0007", "0x0102", "0x0103",
                "0x0602", "0x0603",
            ],
        ),
        ("eigrp.flags.init", &["1"]),
        ("eigrp.flags.condrecv", &["1"]),
        ("eigrp.flags.restart", &["1"]),
        ("eigrp.flags.eot", &["1"]),
        ("eigrp.auth.type", &["2", "3"]),
        // Goodbye.
        ("eigrp.par.k1", &["1", "255"]),
    ];
    let missing: Vec<String> = expected
        .iter()
        .flat_map(|(field, values)| values.iter().map(move |value| format!("{field}={value}")))
        .filter(|kind| !seen.contains(kind))
        .collect();
    assert_eq!(missing, Vec::<String>::new(), "{seen:?}");
}
