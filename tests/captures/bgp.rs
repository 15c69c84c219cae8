//! BGP sessions from the first octet to the last, with what carries them.

use std::fs;
use std::time::Duration;

use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};

use super::routers::{add_router, configure};
use super::wireshark::{complaints, decode, dissect, fields, has_tshark};

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
    let r1 = add_router(
        &mut network,
        "R1",
        &format!(
            "interface gi0/0\n ip address 10.0.12.1 255.255.255.0\n!\nrouter bgp 1\n neighbor 10.0.12.2 remote-as 2\n \
             neighbor 10.0.12.2 password secret\n neighbor 10.0.12.2 send-community\n redistribute static route-map MARK\n!\n{routes}\
             route-map MARK permit 10\n match tag 7\n set community 1:7 1:8\n set metric 7\n!\n\
             route-map MARK permit 20\n match tag 8\n set as-path prepend 1 1 1\n!\nroute-map MARK permit 30\n"
        ),
    );
    let r2 = add_router(
        &mut network,
        "R2",
        "interface gi0/0\n ip address 10.0.12.2 255.255.255.0\n!\ninterface gi0/1\n ip address 10.0.23.2 255.255.255.0\n!\n\
         router bgp 2\n neighbor 10.0.12.1 remote-as 1\n neighbor 10.0.12.1 password secret\n neighbor 10.0.23.3 remote-as 2\n \
         neighbor 10.0.23.3 next-hop-self\n neighbor 10.0.23.3 send-community both\n",
    );
    let r3 = add_router(
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
        assert_eq!(complaints(&decode(&path)), Vec::<String>::new());
        for kind in fields(&path, "bgp.type").iter().flat_map(|kinds| kinds.split(',')) {
            seen[kind.parse::<usize>().unwrap() - 1] += 1;
        }
    }
    assert_eq!(seen, sent, "OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE-REFRESH");
    assert!(sent.iter().all(|&count| count > 0), "{sent:?}");
    // The process ends in good order: NOTIFICATION, then both sides close.
    act(&mut network, r3, "no router bgp 2\n", 120);
    fs::write(&path, network.pcap(links[1]).unwrap()).unwrap();
    assert_eq!(complaints(&decode(&path)), Vec::<String>::new());
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
