//! Networks of routers with static routes: forwarding, ICMP, ping and traceroute, forks, saved states, captures.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_emu::config::{InterfaceConfig, RouterConfig, StaticRoute, StaticTarget};
use netconfarena_emu::forwarding::{PingRequest, ProbeResult, TraceProbe, TracerouteRequest};
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::time::Time;

mod lab;

use lab::{Verdict, addr, has_tshark, port};

/// The configuration of a router: its addresses by port, and its static routes with their next hops and distances.
fn config(addresses: &[(&str, &str)], routes: &[(&str, &str, u8)]) -> RouterConfig {
    let mut config = RouterConfig::default();
    for (name, address) in addresses {
        let interface =
            InterfaceConfig { address: Some(address.parse().unwrap()), ..InterfaceConfig::default() };
        config.interfaces.insert(port(name), interface);
    }
    for (prefix, next_hop, distance) in routes {
        let target = match next_hop.parse() {
            Ok(address) => StaticTarget::NextHop(address),
            Err(_) => StaticTarget::Interface(port(next_hop)),
        };
        config.static_routes.insert(StaticRoute {
            vrf: None,
            prefix: prefix.parse().unwrap(),
            target,
            distance: *distance,
            tag: 0,
            name: None,
            permanent: false,
            track: None,
        });
    }
    config
}

/// R1 - R2 - R3 in a row, Ethernet and serial, each with static routes to the far end.
fn row(seed: u64) -> (Network, [NodeIndex; 3], [LinkIndex; 2]) {
    let mut network = Network::new(seed);
    let ports = [port("GigabitEthernet0/0"), port("GigabitEthernet0/1"), port("Serial0/0/0")];
    let nodes = ["R1", "R2", "R3"].map(|name| network.add_router(name, &ports));
    let [r1, r2, r3] = nodes;
    let a = network.add_link(LinkProperties::ethernet(), &[(r1, ports[0]), (r2, ports[0])]).unwrap();
    let b = network.add_link(LinkProperties::serial(), &[(r2, ports[2]), (r3, ports[2])]).unwrap();
    network.configure(
        r1,
        config(
            &[("gi0/0", "10.0.12.1/24")],
            &[("10.0.23.0/24", "10.0.12.2", 1), ("3.3.3.3/32", "10.0.12.2", 1)],
        ),
    );
    network.configure(
        r2,
        config(
            &[("gi0/0", "10.0.12.2/24"), ("se0/0/0", "10.0.23.2/24")],
            &[("3.3.3.3/32", "10.0.23.3", 1), ("9.9.9.0/24", "Null0", 1)],
        ),
    );
    network.configure(
        r3,
        config(&[("se0/0/0", "10.0.23.3/24"), ("lo0", "3.3.3.3/32")], &[("0.0.0.0/0", "10.0.23.2", 1)]),
    );
    network.run_for(Duration::from_secs(5));
    (network, nodes, [a, b])
}

fn replies(network: &mut Network, from: NodeIndex, to: &str) -> usize {
    let report = network.ping(from, &PingRequest::new(addr(to)));
    report.results.iter().filter(|r| matches!(r, ProbeResult::Reply { .. })).count()
}

#[test]
fn a_ping_crosses_three_routers_once_arp_has_answered() {
    let (mut network, [r1, ..], _) = row(1);
    assert!(replies(&mut network, r1, "3.3.3.3") >= 4);
    assert_eq!(replies(&mut network, r1, "3.3.3.3"), 5);
    assert_eq!(replies(&mut network, r1, "10.0.12.1"), 5);
}

#[test]
fn rfc1812_5_3_1_time_to_live_ends_a_traceroute_step_by_step() {
    let (mut network, [r1, ..], _) = row(1);
    let report = network.traceroute(r1, &TracerouteRequest::new(addr("3.3.3.3")));
    let hops: Vec<Option<Ipv4Addr>> = report
        .hops
        .iter()
        .map(|hop| {
            hop.probes.iter().find_map(|probe| match probe {
                TraceProbe::Answer { address, .. } => Some(*address),
                TraceProbe::Timeout => None,
            })
        })
        .collect();
    // RFC 1812 section 4.3.2.4: an error comes from the address of the interface that it leaves by, at the last hop too.
    assert_eq!(hops, [Some(addr("10.0.12.2")), Some(addr("10.0.23.3"))]);
}

#[test]
fn a_null_route_answers_unreachable_twice_a_second() {
    let (mut network, [r1, r2, _], _) = row(1);
    let mut with_route = RouterConfig::clone(network.router(r1).config());
    with_route.static_routes.extend(config(&[], &[("9.9.9.0/24", "10.0.12.2", 1)]).static_routes);
    network.configure(r1, with_route);
    let report = network.ping(r1, &PingRequest::new(addr("9.9.9.9")));
    assert!(
        report
            .results
            .iter()
            .any(|r| matches!(r, ProbeResult::Unreachable { from, .. } if *from == addr("10.0.12.2")))
    );
    assert!(network.router(r2).rib().best(Default::default(), "9.9.9.0/24".parse().unwrap()).is_some());
}

#[test]
fn shutting_a_port_takes_the_carrier_from_its_peer_and_the_routes_from_both() {
    let (mut network, [r1, r2, _], _) = row(1);
    let mut config = RouterConfig::clone(network.router(r2).config());
    config.interfaces.get_mut(&port("gi0/0")).unwrap().shutdown = true;
    network.configure(r2, config);
    network.run_for(Duration::from_secs(3));
    let r1 = network.router(r1);
    assert!(!r1.interfaces().by_name(port("gi0/0")).unwrap().is_up());
    assert!(r1.rib().lookup(Default::default(), addr("3.3.3.3")).is_none());
    let down = LogEvent::LinkUpDown { interface: port("gi0/0"), up: false };
    assert!(r1.log().iter().any(|entry| entry.event == down));
    let admin = LogEvent::LinkAdminDown { interface: port("gi0/0") };
    assert!(network.router(r2).log().iter().any(|entry| entry.event == admin));
}

#[test]
fn a_floating_route_takes_over_when_the_link_fails() {
    let (mut network, [r1, r2, _], _) = row(1);
    let second =
        network.add_link(LinkProperties::ethernet(), &[(r1, port("gi0/1")), (r2, port("gi0/1"))]).unwrap();
    let addresses = [("gi0/0", "10.0.12.1/24"), ("gi0/1", "10.1.12.1/24")];
    network.configure(
        r1,
        config(&addresses, &[("3.3.3.3/32", "10.0.12.2", 1), ("3.3.3.3/32", "10.1.12.2", 200)]),
    );
    let mut r2_config = RouterConfig::clone(network.router(r2).config());
    let other =
        InterfaceConfig { address: Some("10.1.12.2/24".parse().unwrap()), ..InterfaceConfig::default() };
    r2_config.interfaces.insert(port("gi0/1"), other);
    network.configure(r2, r2_config);
    network.run_for(Duration::from_secs(5));
    let via = |network: &Network| {
        network.router(r1).rib().lookup(Default::default(), addr("3.3.3.3")).unwrap().next_hops[0].address
    };
    assert_eq!(via(&network), Some(addr("10.0.12.2")));
    let first =
        network.link_at(r1, network.router(r1).interfaces().by_name(port("gi0/0")).unwrap().index).unwrap();
    network.set_link_up(first, false);
    network.run_for(Duration::from_secs(2));
    assert_eq!(via(&network), Some(addr("10.1.12.2")));
    assert!(network.is_link_up(second));
    assert!(replies(&mut network, r1, "3.3.3.3") >= 4);
}

/// The whole observable future: every log entry, the tables, the clock.
fn trace(network: &Network) -> Vec<u8> {
    postcard::to_stdvec(network).unwrap()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = || {
        let (mut network, [r1, ..], _) = row(7);
        network.ping(r1, &PingRequest::new(addr("3.3.3.3")));
        trace(&network)
    };
    assert_eq!(run(), run());
}

#[test]
fn a_fork_and_a_saved_state_have_the_same_future_at_any_instant() {
    let (mut network, [r1, ..], [a, _]) = row(3);
    let lossy = LinkProperties { loss_ppm: 200_000, ..*network.link_properties(a).unwrap() };
    network.set_link_properties(a, lossy);
    for step in 0..200 {
        let mut fork = network.clone();
        let mut saved: Network = postcard::from_bytes(&trace(&network)).unwrap();
        for copy in [&mut network, &mut fork, &mut saved] {
            copy.set_link_up(a, step % 7 != 3);
            let once = PingRequest { count: 1, ..PingRequest::new(addr("3.3.3.3")) };
            copy.ping(r1, &once);
            copy.run_for(Duration::from_millis(313));
        }
        assert_eq!(trace(&fork), trace(&network), "fork at step {step}");
        assert_eq!(trace(&saved), trace(&network), "saved state at step {step}");
    }
}

#[test]
fn a_quiet_network_converges_at_its_last_change() {
    let (mut network, ..) = row(1);
    let convergence = network.run_until_converged(Network::DEFAULT_CONVERGENCE_CAP);
    assert!(convergence.converged);
    assert!(convergence.at <= Time::from_secs(3), "{}", convergence.at);
    assert!(network.now() >= convergence.at + Network::LEAST_QUIET_INTERVAL);
}

#[test]
fn wireshark_finds_nothing_wrong_in_captures() {
    if !has_tshark() {
        return;
    }
    let (mut network, [r1, ..], links) = row(1);
    links.iter().for_each(|&link| network.start_capture(link));
    network.ping(r1, &PingRequest::new(addr("3.3.3.3")));
    network.traceroute(r1, &TracerouteRequest::new(addr("3.3.3.3")));
    for link in links {
        let verdict = Verdict::on(&network, link, "row");
        assert!(verdict.count("icmp.type == 0") >= 4, "link {}", link.0);
        assert_eq!(verdict.complaints(), [""; 0], "link {}", link.0);
    }
}
