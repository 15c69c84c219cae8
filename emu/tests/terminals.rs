//! Terminals over the network, packet by packet: who gets a connection, what octets come through, and how it ends.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use netconfarena_emu::config::{
    AccessClassIn, InterfaceConfig, LineConfig, RouterConfig, Transport, TransportProtocol, Wildcard,
};
use netconfarena_emu::forwarding::{TcpProbeRequest, TcpProbeResult};
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::policy::{AccessList, Permission, StandardEntry};
use netconfarena_emu::router::{CallState, TELNET};
use netconfarena_emu::tcp::{CloseReason, Endpoints};

mod lab;

use lab::{Verdict, addr, has_tshark, port};

const SECOND: Duration = Duration::from_secs(1);

/// 10.0.0.1 and 10.0.0.2; the second one's lines take telnet from those that a list permits.
fn pair(permitted: &str) -> (Network, [NodeIndex; 2], LinkIndex) {
    let mut network = Network::new(7);
    let nodes = ["R1", "R2"].map(|name| network.add_router(name, &[port("gi0/0")]));
    let ends = nodes.map(|node| (node, port("gi0/0")));
    let link = network.add_link(LinkProperties::ethernet(), &ends).unwrap();
    for (node, address) in nodes.into_iter().zip(["10.0.0.1/24", "10.0.0.2/24"]) {
        let interface =
            InterfaceConfig { address: Some(address.parse().unwrap()), ..InterfaceConfig::default() };
        let mut config = RouterConfig::default();
        config.interfaces.insert(port("gi0/0"), interface);
        let source = Wildcard::new(addr(permitted), addr("0.0.0.0"));
        let entry = StandardEntry { action: Permission::Permit, source, log: None };
        config
            .policy
            .access_lists
            .insert("9".to_owned(), AccessList::Standard([entry].into_iter().collect()));
        let telnet = Transport::Only([TransportProtocol::Telnet].into());
        let access_in = Some(AccessClassIn { list: "9".to_owned(), vrf_also: false });
        let line = LineConfig { transport_input: Some(telnet), access_in, ..LineConfig::default() };
        config.lines.vty = vec![line; 5];
        network.configure(node, config);
    }
    network.run_for(5 * SECOND);
    (network, nodes, link)
}

fn call(network: &mut Network, from: NodeIndex) -> Result<Endpoints, TcpProbeResult> {
    let call = network.open_call(from, &TcpProbeRequest::new(addr("10.0.0.2"), TELNET));
    network.run_for(SECOND);
    call
}

#[test]
fn octets_pass_in_both_directions_and_wireshark_reads_them() {
    let (mut network, [first, second], link) = pair("10.0.0.1");
    network.start_capture(link);
    let here = call(&mut network, first).unwrap();
    let (node, line) = network.visit_of(here).unwrap();
    assert_eq!((node, line), (second, 0));
    let there = network.router(second).visits().next().unwrap().1.endpoints;
    let long = "a long answer of many segments ".repeat(200);
    network.write_terminal(second, there, long.as_bytes());
    network.write_terminal(first, here, b"a question\r\n");
    network.run_for(SECOND);
    assert_eq!(network.read_terminal(first, here), long.as_bytes());
    assert_eq!(network.read_terminal(second, there), b"a question\r\n");
    assert_eq!(network.read_terminal(second, there), b"");
    network.close_terminal(second, there);
    network.run_for(SECOND);
    let state = network.router(first).call_at(here).unwrap().state;
    assert_eq!(state, CallState::Closed(CloseReason::Finished));
    assert_eq!(network.router(second).visits().count(), 0);
    if has_tshark() {
        let verdict = Verdict::on(&network, link, "terminals");
        assert_eq!(verdict.complaints(), Vec::<String>::new());
        assert_eq!(verdict.count("tcp.flags.syn == 1 && tcp.dstport == 23"), 1);
        assert!(verdict.count("telnet.data contains \"a question\"") == 1);
        assert_eq!(verdict.count("tcp.flags.reset == 1"), 0);
    }
}

#[test]
fn who_is_denied_gets_a_reset_and_nothing_else() {
    let (mut network, [first, second], link) = pair("10.0.0.77");
    network.start_capture(link);
    assert_eq!(call(&mut network, first), Err(TcpProbeResult::Refused));
    assert_eq!(network.router(second).visits().count(), 0);
    if has_tshark() {
        let verdict = Verdict::on(&network, link, "denied");
        assert_eq!((verdict.count("tcp.flags.reset == 1"), verdict.count("tcp")), (1, 2));
    }
}

#[test]
fn half_open_connections_hold_a_line_for_half_a_minute() {
    let (mut network, [first, second], link) = pair("10.0.0.1");
    // A SYN arrives, and nothing that follows it.
    let request = TcpProbeRequest::new(addr("10.0.0.2"), TELNET);
    for _ in 0..3 {
        assert_eq!(network.tcp_probe(first, &request), TcpProbeResult::Open);
    }
    network.run_for(SECOND);
    assert_eq!(network.router(second).visits().count(), 0, "a probe resets what it has opened");
    let here = call(&mut network, first).unwrap();
    network.set_link_up(link, false);
    network.write_terminal(first, here, b"lost\r\n");
    network.run_for(29 * SECOND);
    assert_eq!(network.router(second).visits().count(), 1);
    // Nobody has logged in in time.
    network.run_for(5 * SECOND);
    assert_eq!(network.router(second).visits().count(), 0);
    network.run_for(3600 * SECOND);
    let state = network.router(first).call_at(here).unwrap().state;
    assert_eq!(state, CallState::Closed(CloseReason::TimedOut));
}

#[test]
fn a_clone_with_a_connection_has_the_same_future() {
    let (mut network, [first, second], _) = pair("10.0.0.1");
    let here = call(&mut network, first).unwrap();
    let there = network.router(second).visits().next().unwrap().1.endpoints;
    network.write_terminal(second, there, &[b'x'; 5000]);
    let mut clone = network.clone();
    let octets = [&mut network, &mut clone].map(|network| {
        network.run_for(Duration::from_millis(40));
        (network.read_terminal(first, here), network.now())
    });
    assert_eq!(octets[0], octets[1]);
    assert!(!octets[0].0.is_empty());
}
