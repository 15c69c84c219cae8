//! Networks of routers that run OSPF: adjacencies, databases, routes, failures, forks, captures.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig, Wildcard};
use netconfarena_emu::ids::{AreaId, LinkIndex, NodeIndex, RouterId};
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::ospf::lsdb::Scope;
use netconfarena_emu::ospf::{
    AuthenticationMode, DemandCircuit, InterfaceState, NeighborState, NetworkStatement, NetworkType,
    OspfConfig, OspfInterface, OspfInterfaceKey, OspfLogEvent,
};
use netconfarena_emu::rib::{RouteOwner, TableId};
use netconfarena_emu::time::Time;

mod lab;
#[path = "ospf_network/processes.rs"]
mod processes;

use lab::{Verdict, addr, has_tshark, port};

const GIG: [&str; 3] = ["gi0/0", "gi0/1", "gi0/2"];

/// A router with these addresses by port, all in area 0 unless a port says `@area`.
fn router(id: u8, addresses: &[(&str, &str)]) -> RouterConfig {
    let mut config = RouterConfig::default();
    let mut ospf =
        OspfConfig { router_id: Some(RouterId(Ipv4Addr::new(id, id, id, id))), ..OspfConfig::default() };
    for (name, address) in addresses {
        let (address, area) = address.split_once('@').unwrap_or((address, "0"));
        let address: Ipv4Net = address.parse().unwrap();
        let wildcard = Wildcard::new(address.addr(), Ipv4Addr::UNSPECIFIED);
        ospf.networks.push(NetworkStatement { wildcard, area: AreaId(area.parse().unwrap()) });
        let interface = InterfaceConfig { address: Some(address), ..InterfaceConfig::default() };
        config.interfaces.insert(port(name), interface);
    }
    config.ospf.insert(1, ospf);
    config
}

/// Routers with three gigabit and two serial ports.
fn network(seed: u64, configs: Vec<RouterConfig>) -> (Network, Vec<NodeIndex>) {
    let mut network = Network::new(seed);
    let ports = [port("gi0/0"), port("gi0/1"), port("gi0/2"), port("se0/0/0"), port("se0/0/1")];
    let nodes: Vec<NodeIndex> =
        (1..=configs.len()).map(|n| network.add_router(&format!("R{n}"), &ports)).collect();
    nodes.iter().zip(configs).for_each(|(&node, config)| network.configure(node, config));
    (network, nodes)
}

fn ethernet(network: &mut Network, ends: &[(NodeIndex, &str)]) -> LinkIndex {
    let ends: Vec<_> = ends.iter().map(|(node, name)| (*node, port(name))).collect();
    network.add_link(LinkProperties::ethernet(), &ends).unwrap()
}

fn serial(network: &mut Network, a: NodeIndex, b: NodeIndex, name: &str) -> LinkIndex {
    network.add_link(LinkProperties::serial(), &[(a, port(name)), (b, port(name))]).unwrap()
}

fn interface<'a>(network: &'a Network, node: NodeIndex, name: &str) -> &'a OspfInterface {
    let router = network.router(node);
    let index = router.interfaces().by_name(port(name)).unwrap().index;
    &router.ospf(1).unwrap().interfaces[&OspfInterfaceKey::Physical(index)]
}

/// The neighbor of this number on an interface.
fn neighbor_state(network: &Network, node: NodeIndex, name: &str, id: u8) -> Option<NeighborState> {
    let id = RouterId(Ipv4Addr::new(id, id, id, id));
    interface(network, node, name).neighbors.values().find(|n| n.router_id == id).map(|n| n.state)
}

/// OSPF's routes: prefix, metric, next hops.
fn routes(network: &Network, node: NodeIndex) -> Vec<(String, u32, Vec<String>)> {
    let rib = network.router(node).rib();
    let own = rib
        .routes(TableId::ipv4(netconfarena_emu::ids::VrfId::GLOBAL))
        .filter(|r| matches!(r.owner, RouteOwner::Ospf(_)));
    own.map(|route| {
        let hops = route.next_hops.iter().map(|hop| hop.address.unwrap().to_string()).collect();
        (route.prefix.to_string(), route.metric, hops)
    })
    .collect()
}

fn expect(prefix: &str, metric: u32, hops: &[&str]) -> (String, u32, Vec<String>) {
    (prefix.to_owned(), metric, hops.iter().map(|hop| (*hop).to_owned()).collect())
}

fn converge(network: &mut Network) -> Time {
    let convergence = network.run_until_converged(Duration::from_secs(1200));
    assert!(convergence.converged, "not converged at {}", convergence.at);
    convergence.at
}

/// R1 and R2 on a broadcast network, R2 and R3 on a serial line, loopbacks on the outer routers.
fn chain(seed: u64) -> (Network, Vec<NodeIndex>, [LinkIndex; 2]) {
    let (mut network, nodes) = network(
        seed,
        vec![
            router(1, &[("gi0/0", "10.0.12.1/24"), ("lo0", "1.1.1.1/32")]),
            router(2, &[("gi0/0", "10.0.12.2/24"), ("se0/0/0", "10.0.23.2/30")]),
            router(3, &[("se0/0/0", "10.0.23.1/30"), ("lo0", "3.3.3.3/32")]),
        ],
    );
    let a = ethernet(&mut network, &[(nodes[0], "gi0/0"), (nodes[1], "gi0/0")]);
    let b = serial(&mut network, nodes[1], nodes[2], "se0/0/0");
    (network, nodes, [a, b])
}

#[test]
fn broadcast_and_point_to_point_neighbors_become_full_and_routes_follow() {
    let (mut network, nodes, _) = chain(1);
    let at = converge(&mut network);
    assert_eq!(neighbor_state(&network, nodes[0], "gi0/0", 2), Some(NeighborState::Full));
    assert_eq!(neighbor_state(&network, nodes[1], "se0/0/0", 3), Some(NeighborState::Full));
    // The serial line needs no election; the broadcast network waits for a DR as long as a dead interval (9.4).
    assert!(at.as_secs() >= 40 && at.as_secs() < 60, "{at}");
    assert_eq!(interface(&network, nodes[1], "gi0/0").state, InterfaceState::Dr, "the higher router id");
    assert_eq!(interface(&network, nodes[0], "gi0/0").state, InterfaceState::Backup);
    assert_eq!(interface(&network, nodes[1], "se0/0/0").state, InterfaceState::PointToPoint);
    assert_eq!(
        routes(&network, nodes[0]),
        [expect("3.3.3.3/32", 66, &["10.0.12.2"]), expect("10.0.23.0/30", 65, &["10.0.12.2"])]
    );
    assert_eq!(
        routes(&network, nodes[2]),
        [expect("1.1.1.1/32", 66, &["10.0.23.2"]), expect("10.0.12.0/24", 65, &["10.0.23.2"])]
    );
}

/// The database of every router of an area must be the same.
fn assert_same_databases(network: &Network, nodes: &[NodeIndex], area: u32) {
    let database = |node: NodeIndex| -> Vec<String> {
        let process = network.router(node).ospf(1).unwrap();
        let entries = process.lsdb.scope(Scope::Area(AreaId(area))).unwrap().iter();
        entries.map(|e| format!("{:?} {} {}", e.lsa.key(), e.lsa.sequence(), e.lsa.checksum())).collect()
    };
    let first = database(nodes[0]);
    assert!(!first.is_empty());
    for &node in &nodes[1..] {
        assert_eq!(database(node), first);
    }
}

#[test]
fn rfc12_2_all_databases_of_an_area_are_the_same() {
    let (mut network, nodes, _) = chain(1);
    converge(&mut network);
    assert_same_databases(&network, &nodes, 0);
    network.run_for(Duration::from_secs(4000));
    assert_same_databases(&network, &nodes, 0);
    let process = network.router(nodes[0]).ospf(1).unwrap();
    for entry in process.lsdb.area(AreaId(0)).unwrap().iter() {
        assert!(entry.age(network.now()).secs() <= 1810, "refreshed: {entry:?}");
        assert!(entry.lsa.sequence().0 > netconfarena_emu::ospf::lsa::SequenceNumber::INITIAL.0);
    }
}

/// A border router makes LSAs with one key for several areas (its router LSA, and what it tells of a third area): each area gets its own.
#[test]
fn rfc12_4_a_border_router_tells_each_of_its_areas() {
    for seed in 0..3 {
        let configs = vec![
            router(1, &[("gi0/0", "10.0.12.1/24")]),
            router(2, &[("gi0/0", "10.0.12.2/24"), ("gi0/1", "10.0.23.2/24@1"), ("gi0/2", "10.0.24.2/24@2")]),
            router(3, &[("gi0/0", "10.0.23.3/24@1")]),
            router(4, &[("gi0/0", "10.0.24.4/24@2")]),
        ];
        let (mut network, nodes) = network(seed, configs);
        for (area, name) in [(0, "gi0/0"), (1, "gi0/1"), (2, "gi0/2")] {
            let other = [nodes[0], nodes[2], nodes[3]][area];
            ethernet(&mut network, &[(nodes[1], name), (other, "gi0/0")]);
        }
        converge(&mut network);
        for (area, other) in [(0, nodes[0]), (1, nodes[2]), (2, nodes[3])] {
            assert_same_databases(&network, &[nodes[1], other], area);
            assert_eq!(
                routes(&network, other).len(),
                2,
                "seed {seed}, area {area}: the other areas' networks"
            );
        }
    }
}

#[test]
fn rfc9_4_four_routers_on_a_segment_elect_by_priority_and_others_stay_two_way() {
    let mut configs: Vec<RouterConfig> =
        (1..=4).map(|n| router(n, &[("gi0/0", &format!("10.0.0.{n}/24"))])).collect();
    configs[0].interfaces.get_mut(&port("gi0/0")).unwrap().ospf.priority = Some(200);
    configs[3].interfaces.get_mut(&port("gi0/0")).unwrap().ospf.priority = Some(0);
    let (mut network, nodes) = network(1, configs);
    let ends: Vec<_> = nodes.iter().map(|&node| (node, "gi0/0")).collect();
    ethernet(&mut network, &ends);
    converge(&mut network);
    let states: Vec<_> = nodes.iter().map(|&node| interface(&network, node, "gi0/0").state).collect();
    use InterfaceState as S;
    assert_eq!(states, [S::Dr, S::DrOther, S::Backup, S::DrOther]);
    assert_eq!(neighbor_state(&network, nodes[1], "gi0/0", 4), Some(NeighborState::TwoWay));
    assert_eq!(neighbor_state(&network, nodes[1], "gi0/0", 3), Some(NeighborState::Full));
    assert_same_databases(&network, &nodes, 0);
    // The DR dies: the backup takes over by its dead timer, and a new backup is elected.
    let died = network.now();
    let mut config = RouterConfig::clone(network.router(nodes[0]).config());
    config.interfaces.get_mut(&port("gi0/0")).unwrap().shutdown = true;
    network.configure(nodes[0], config);
    let at = converge(&mut network);
    assert!((30..=50).contains(&(at - died).as_secs()), "by the dead interval: {at} after {died}");
    assert_eq!(interface(&network, nodes[2], "gi0/0").state, S::Dr);
    assert_eq!(interface(&network, nodes[1], "gi0/0").state, S::Backup);
}

#[test]
fn equal_cost_paths_are_shared_and_a_failed_line_leaves_at_once() {
    let square = vec![
        router(1, &[("gi0/0", "10.0.12.1/24"), ("gi0/1", "10.0.13.1/24")]),
        router(2, &[("gi0/0", "10.0.12.2/24"), ("gi0/1", "10.0.24.2/24")]),
        router(3, &[("gi0/1", "10.0.13.3/24"), ("gi0/0", "10.0.34.3/24")]),
        router(4, &[("gi0/1", "10.0.24.4/24"), ("gi0/0", "10.0.34.4/24"), ("lo0", "4.4.4.4/32")]),
    ];
    let (mut network, n) = network(1, square);
    ethernet(&mut network, &[(n[0], GIG[0]), (n[1], GIG[0])]);
    let cut = ethernet(&mut network, &[(n[0], GIG[1]), (n[2], GIG[1])]);
    ethernet(&mut network, &[(n[1], GIG[1]), (n[3], GIG[1])]);
    ethernet(&mut network, &[(n[2], GIG[0]), (n[3], GIG[0])]);
    converge(&mut network);
    assert!(routes(&network, n[0]).contains(&expect("4.4.4.4/32", 3, &["10.0.12.2", "10.0.13.3"])));
    let cut_at = network.now();
    network.set_link_up(cut, false);
    network.run_for(Duration::from_millis(10_500));
    assert!(routes(&network, n[0]).contains(&expect("4.4.4.4/32", 3, &["10.0.12.2"])));
    assert!(network.last_change() - cut_at < Duration::from_secs(6), "LSA and SPF delays, no dead timer");
    network.set_link_up(cut, true);
    converge(&mut network);
    assert!(routes(&network, n[0]).contains(&expect("4.4.4.4/32", 3, &["10.0.12.2", "10.0.13.3"])));
}

#[test]
fn rfc10_5_hellos_that_disagree_make_no_neighbors() {
    type Change = fn(&mut RouterConfig);
    fn gig(config: &mut RouterConfig) -> &mut InterfaceConfig {
        config.interfaces.get_mut(&port("gi0/0")).unwrap()
    }
    let changes: [(&str, Change); 6] = [
        ("hello interval", |config| gig(config).ospf.hello_interval = Some(5)),
        ("dead interval", |config| {
            gig(config).ospf.dead_interval = Some(netconfarena_emu::ospf::DeadInterval::Seconds(41));
        }),
        ("mask", |config| gig(config).address = Some("10.0.12.2/25".parse().unwrap())),
        ("area", |config| config.ospf.get_mut(&1).unwrap().networks[0].area = AreaId(1)),
        ("passive", |config| {
            config.ospf.get_mut(&1).unwrap().passive_exceptions.insert(port("gi0/0"));
        }),
        ("authentication", |config| gig(config).ospf.authentication.mode = Some(AuthenticationMode::Simple)),
    ];
    for (what, change) in changes {
        let mut configs =
            vec![router(1, &[("gi0/0", "10.0.12.1/24")]), router(2, &[("gi0/0", "10.0.12.2/24")])];
        change(&mut configs[1]);
        let (mut network, n) = network(1, configs);
        ethernet(&mut network, &[(n[0], GIG[0]), (n[1], GIG[0])]);
        network.run_for(Duration::from_secs(120));
        assert_eq!(neighbor_state(&network, n[0], "gi0/0", 2), None, "{what}");
        assert_eq!(neighbor_state(&network, n[1], "gi0/0", 1), None, "{what}");
    }
}

#[test]
fn rfc10_6_a_greater_mtu_keeps_the_adjacency_in_exstart_unless_ignored() {
    for ignore in [false, true] {
        let mut configs =
            vec![router(1, &[("gi0/0", "10.0.12.1/24")]), router(2, &[("gi0/0", "10.0.12.2/24")])];
        let own = configs[0].interfaces.get_mut(&port("gi0/0")).unwrap();
        own.ip_mtu = Some(1400);
        own.ospf.mtu_ignore = ignore;
        let (mut network, n) = network(1, configs);
        ethernet(&mut network, &[(n[0], GIG[0]), (n[1], GIG[0])]);
        network.run_for(Duration::from_secs(100));
        let state = neighbor_state(&network, n[0], "gi0/0", 2);
        let expected = if ignore { NeighborState::Full } else { NeighborState::ExStart };
        assert_eq!(state, Some(expected));
        if ignore {
            continue;
        }
        // 25 descriptions without an answer; a minute of silence; then the same again.
        network.run_for(Duration::from_secs(350));
        let log = adjacency_log(&network, n[0]);
        for event in [
            "EXSTART DOWN Neighbor Down: Too many retransmissions",
            "DOWN DOWN Neighbor Down: Ignore timer expired",
        ] {
            assert_eq!(log.iter().filter(|line| *line == event).count(), 2, "{event}: {log:?}");
        }
    }
}

#[test]
fn appendix_d_signed_neighbors_become_full_and_a_key_rolls_over() {
    let with_keys = |n: u8, keys: &[(u8, &str)]| {
        let mut config = router(n, &[("gi0/0", &format!("10.0.12.{n}/24"))]);
        let authentication = &mut config.interfaces.get_mut(&port("gi0/0")).unwrap().ospf.authentication;
        authentication.mode = Some(AuthenticationMode::MessageDigest);
        authentication.digest_keys = keys.iter().map(|(id, key)| (*id, (*key).to_owned())).collect();
        config
    };
    let (mut network, n) = network(1, vec![with_keys(1, &[(1, "old")]), with_keys(2, &[(1, "old")])]);
    ethernet(&mut network, &[(n[0], GIG[0]), (n[1], GIG[0])]);
    converge(&mut network);
    let full = |network: &Network| neighbor_state(network, n[0], "gi0/0", 2) == Some(NeighborState::Full);
    assert!(full(&network));
    let changes = interface(&network, n[0], "gi0/0").neighbors.values().next().unwrap().changes;
    network.configure(n[0], with_keys(1, &[(1, "old"), (2, "new")]));
    network.run_for(Duration::from_secs(100));
    network.configure(n[1], with_keys(2, &[(1, "old"), (2, "new")]));
    network.run_for(Duration::from_secs(100));
    network.configure(n[0], with_keys(1, &[(2, "new")]));
    network.configure(n[1], with_keys(2, &[(2, "new")]));
    network.run_for(Duration::from_secs(100));
    assert!(full(&network));
    let neighbor = interface(&network, n[0], "gi0/0").neighbors.values().next().unwrap();
    assert_eq!((neighbor.changes, neighbor.key_id), (changes, Some(2)), "never lost");
    network.configure(n[1], with_keys(2, &[(2, "wrong")]));
    network.run_for(Duration::from_secs(100));
    assert!(!full(&network));
}

fn adjacency_log(network: &Network, node: NodeIndex) -> Vec<String> {
    let log = network.router(node).log();
    log.iter()
        .filter_map(|entry| match &entry.event {
            LogEvent::Ospf(OspfLogEvent::AdjacencyChanged { from, to, reason, .. }) => {
                Some(format!("{from} {to} {reason}"))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn adjacency_changes_are_logged_in_the_words_of_ios() {
    let (mut network, nodes, [_, line]) = chain(1);
    converge(&mut network);
    network.set_link_up(line, false);
    network.run_for(Duration::from_secs(1));
    let log = adjacency_log(&network, nodes[2]);
    assert!(log.iter().any(|line| line.contains(" FULL ")), "{log:?}");
    assert_eq!(log.last().unwrap(), "FULL DOWN Neighbor Down: Interface down or detached");
}

#[test]
fn a_fork_at_200_instants_of_a_converging_network_has_the_same_future() {
    let (mut network, _, _) = chain(5);
    for step in 0..200 {
        network.run_for(Duration::from_millis(317));
        let mut fork = network.clone();
        let mut original = network.clone();
        original.run_for(Duration::from_secs(15));
        fork.run_for(Duration::from_secs(15));
        let bytes = |network: &Network| postcard::to_stdvec(network).unwrap();
        assert!(bytes(&fork) == bytes(&original), "step {step}");
    }
}

#[test]
fn a_neighbor_statement_makes_neighbors_on_non_broadcast_networks() {
    let mut configs = vec![router(1, &[("gi0/0", "10.0.12.1/24")]), router(2, &[("gi0/0", "10.0.12.2/24")])];
    for config in &mut configs {
        config.interfaces.get_mut(&port("gi0/0")).unwrap().ospf.network_type =
            Some(NetworkType::NonBroadcast);
    }
    configs[0].ospf.get_mut(&1).unwrap().neighbors.insert(addr("10.0.12.2"), Default::default());
    let (mut network, n) = network(1, configs);
    ethernet(&mut network, &[(n[0], GIG[0]), (n[1], GIG[0])]);
    converge(&mut network);
    assert_eq!(neighbor_state(&network, n[1], "gi0/0", 1), Some(NeighborState::Full));
    assert_eq!(neighbor_state(&network, n[0], "gi0/0", 2), Some(NeighborState::Full));
}

#[test]
fn wireshark_finds_nothing_wrong_in_captures() {
    if !has_tshark() {
        return;
    }
    let (mut network, _, links) = chain(1);
    links.iter().for_each(|&link| network.start_capture(link));
    converge(&mut network);
    for (link, least) in links.into_iter().zip([10, 10]) {
        let verdict = Verdict::on(&network, link, "ospf");
        for kind in 1..=5 {
            assert!(verdict.count(&format!("ospf.msg == {kind}")) > 0, "type {kind} on link {}", link.0);
        }
        assert!(verdict.count("ospf.msg == 1") >= least);
        assert_eq!(verdict.complaints(), [""; 0], "link {}", link.0);
    }
}

#[test]
fn rfc1793_a_demand_circuit_is_silent_while_nothing_changes() {
    let routers = [1, 2].map(|n| {
        let (line, lan) = (format!("10.0.12.{n}/30"), format!("10.{n}.0.1/24"));
        let mut config = router(n, &[("se0/0/0", &line), ("gi0/0", &lan)]);
        let gig = config.interfaces.get_mut(&port("gi0/0")).unwrap();
        gig.ospf.network_type = Some(NetworkType::PointToPoint);
        config
    });
    let (mut network, nodes) = network(1, routers.to_vec());
    let nodes: [NodeIndex; 2] = [nodes[0], nodes[1]];
    serial(&mut network, nodes[0], nodes[1], "se0/0/0");
    for &node in &nodes {
        let stub = network.add_router("stub", &[port("gi0/0")]);
        let mut open = RouterConfig::default();
        open.interfaces.insert(port("gi0/0"), InterfaceConfig::default());
        network.configure(stub, open);
        ethernet(&mut network, &[(node, "gi0/0"), (stub, "gi0/0")]);
    }
    let mut one = RouterConfig::clone(network.router(nodes[0]).config());
    one.interfaces.get_mut(&port("se0/0/0")).unwrap().ospf.demand_circuit = Some(DemandCircuit::Run);
    network.configure(nodes[0], one);
    network.run_for(Duration::from_secs(120));
    let sent = |network: &Network| {
        nodes.map(|node| {
            network.router(node).interfaces().by_name(port("se0/0/0")).unwrap().counters.out_packets
        })
    };
    let before = sent(&network);
    network.run_for(Duration::from_secs(9000));
    assert_eq!(sent(&network), before);
    for (node, other) in [(nodes[0], 2), (nodes[1], 1)] {
        let found =
            routes(&network, node).into_iter().any(|(prefix, ..)| prefix == format!("10.{other}.0.0/24"));
        assert!(found, "{other}");
    }
    // What changes is told all the same.
    let mut two = RouterConfig::clone(network.router(nodes[1]).config());
    two.interfaces.get_mut(&port("gi0/0")).unwrap().ospf.cost = Some(77);
    network.configure(nodes[1], two);
    network.run_for(Duration::from_secs(10));
    let metrics: Vec<u32> = routes(&network, nodes[0])
        .iter()
        .filter(|route| route.0 == "10.2.0.0/24")
        .map(|route| route.1)
        .collect();
    assert_eq!(metrics, [141]);
}
