//! What the routers of every template send, as Wireshark sees it: nothing malformed, every checksum right.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use netconfarena::lab::Lab;
use netconfarena::template::catalog;
use netconfarena_cli_dialect::config::load;
use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::network::{LinkProperties, Network};

/// What Wireshark writes where something is wrong; the last four are its analysis of TCP.
const WRONG: [&str; 9] = [
    "Malformed Packet",
    "Expert Info (Error",
    "incorrect, should be",
    "incorrect (",
    "Status: Bad",
    "(suspected)",
    "Duplicate ACK",
    "not captured",
    "wasn't captured",
];

/// Whether Wireshark's dissector is there; says so if not.
fn has_tshark() -> bool {
    let there = Command::new("tshark").arg("--version").output().is_ok();
    if !there {
        println!("SKIPPED: tshark is not installed (apt-get install tshark)");
    }
    there
}

/// What Wireshark says of a capture, all checksums looked at.
fn dissect(capture: &Path, arguments: &[&str]) -> String {
    let checks = ["ip.check_checksum:TRUE", "udp.check_checksum:TRUE", "tcp.check_checksum:TRUE"];
    let output = Command::new("tshark")
        .args(["-n", "-r"])
        .arg(capture)
        .args(checks.map(|option| ["-o", option]).concat())
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn complaints(capture: &Path) -> Vec<String> {
    let text = dissect(capture, &["-V"]);
    assert!(text.contains("Frame 1:"), "the capture is empty");
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
        assert_eq!(complaints(&path), Vec::<String>::new(), "{instance}: {name}");
    });
}

/// A router with lines of configuration.
fn router(network: &mut Network, name: &str, lines: &str) -> NodeIndex {
    let ports = ["gi0/0", "gi0/1"].map(|port| port.parse().unwrap());
    let node = network.add_router(name, &ports);
    configure(network, node, lines);
    node
}

fn configure(network: &mut Network, node: NodeIndex, lines: &str) {
    let mut tree = RouterConfig::clone(network.router(node).config());
    let report = load(&mut tree, lines);
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    network.configure(node, tree);
}

/// How many messages of each type (RFC 4271 section 4.1, RFC 2918) routers have sent to all peers.
fn messages_sent(network: &Network, nodes: &[NodeIndex]) -> [u64; 5] {
    let peers = nodes.iter().flat_map(|&node| network.router(node).bgp().unwrap().peers());
    peers.fold([0; 5], |sum, peer| {
        let sent = peer.sent;
        let counts = [sent.opens, sent.updates, sent.notifications, sent.keepalives, sent.refreshes];
        std::array::from_fn(|at| sum[at] + counts[at])
    })
}

/// R1 of AS 1 with thousands of routes and R2 of AS 2 with MD5; R3 of AS 2 behind R2: tables, keepalives, refreshes of both kinds, a
/// change, an administrative shutdown, a return, and the end of a process.
#[test]
fn wireshark_follows_bgp_sessions_from_the_first_octet_to_the_last() {
    if !has_tshark() {
        return;
    }
    let mut network = Network::new(11);
    let routes: String = (0..3000)
        .map(|n| format!("ip route 20.{}.{}.0 255.255.255.0 Null0 tag {}\n", n / 200, n % 200, 1 + n % 40))
        .collect();
    let r1 = router(
        &mut network,
        "R1",
        &format!(
            "interface gi0/0\n ip address 10.0.12.1 255.255.255.0\n!\nrouter bgp 1\n neighbor 10.0.12.2 remote-as 2\n \
             neighbor 10.0.12.2 password secret\n neighbor 10.0.12.2 send-community\n redistribute static route-map MARK\n!\n{routes}\
             route-map MARK permit 10\n match tag 7\n set community 1:7 1:8\n set metric 7\n!\n\
             route-map MARK permit 20\n match tag 8\n set as-path prepend 1 1 1\n!\nroute-map MARK permit 30\n"
        ),
    );
    let r2 = router(
        &mut network,
        "R2",
        "interface gi0/0\n ip address 10.0.12.2 255.255.255.0\n!\ninterface gi0/1\n ip address 10.0.23.2 255.255.255.0\n!\n\
         router bgp 2\n neighbor 10.0.12.1 remote-as 1\n neighbor 10.0.12.1 password secret\n neighbor 10.0.23.3 remote-as 2\n \
         neighbor 10.0.23.3 next-hop-self\n neighbor 10.0.23.3 send-community both\n",
    );
    let r3 = router(
        &mut network,
        "R3",
        "interface gi0/0\n ip address 10.0.23.3 255.255.255.0\n!\nrouter bgp 2\n neighbor 10.0.23.2 remote-as 2\n \
         network 10.3.0.0 mask 255.255.0.0\nip route 10.3.0.0 255.255.0.0 Null0\n",
    );
    let mut join = |a, a_port: &str, b, b_port: &str| {
        let ends = [(a, a_port.parse().unwrap()), (b, b_port.parse().unwrap())];
        let link = network.add_link(LinkProperties::ethernet(), &ends).unwrap();
        network.start_capture(link);
        link
    };
    let links = [join(r1, "gi0/0", r2, "gi0/0"), join(r2, "gi0/1", r3, "gi0/0")];
    let nodes = [r1, r2, r3];
    network.run_for(Duration::from_secs(300));
    let table = |network: &Network| {
        network.router(r3).bgp().unwrap().instances.values().map(|i| i.table.len()).sum::<usize>()
    };
    assert_eq!(table(&network), 3001);
    let act = |network: &mut Network, node, lines: &str, seconds| {
        match lines.strip_prefix("exec ") {
            Some(line) => drop(Session::privileged(node).execute(network, line)),
            None => configure(network, node, lines),
        }
        network.run_for(Duration::from_secs(seconds));
    };
    act(&mut network, r2, "exec clear ip bgp * soft in", 30);
    act(&mut network, r3, "exec clear ip bgp * soft out", 30);
    act(&mut network, r1, "no ip route 20.0.1.0 255.255.255.0 Null0\n", 60);
    act(&mut network, r3, "router bgp 2\n neighbor 10.0.23.2 shutdown\n", 60);
    act(&mut network, r3, "router bgp 2\n no neighbor 10.0.23.2 shutdown\n", 120);
    assert_eq!(table(&network), 3000);
    let sent = messages_sent(&network, &nodes);
    let mut seen = [0; 5];
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("bgp.pcap");
    for link in links {
        fs::write(&path, network.pcap(link).unwrap()).unwrap();
        assert_eq!(complaints(&path), Vec::<String>::new());
        for kind in dissect(&path, &["-T", "fields", "-e", "bgp.type"])
            .split([',', '\n'])
            .filter(|kind| !kind.is_empty())
        {
            seen[kind.parse::<usize>().unwrap() - 1] += 1;
        }
    }
    assert_eq!(seen, sent, "OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE-REFRESH");
    assert!(sent.iter().all(|&count| count > 0), "{sent:?}");
    // The process ends in good order: NOTIFICATION, then both sides close.
    act(&mut network, r3, "no router bgp 2\n", 120);
    fs::write(&path, network.pcap(links[1]).unwrap()).unwrap();
    assert_eq!(complaints(&path), Vec::<String>::new());
    let ends = dissect(&path, &["-Y", "tcp.flags.fin == 1", "-T", "fields", "-e", "ip.src"]);
    for address in ["10.0.23.2", "10.0.23.3"] {
        assert!(ends.lines().any(|line| line == address), "{address} closes: {ends}");
    }
    assert_eq!(
        dissect(&path, &["-Y", "bgp.notify.major_error == 6"]).lines().count(),
        2,
        "shutdown, and the end"
    );
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
