//! Our routers and FRR's in one OSPF network, joined by TAP devices: adjacencies, routes on both sides, virtual links, NSSA.
//!
//! Needs root and Debian's packages `frr iproute2`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use netconfarena::fidelity::frr::{Daemon, FrrNetwork, FrrRouter};
use netconfarena::host::Paced;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::ospf::NeighborState;

const LIMIT: Duration = Duration::from_secs(120);

mod beside_frr;
mod routers;

use beside_frr::{has_frr, tap_to};
use routers::{add_router, port};

fn full_neighbors(network: &Network, node: NodeIndex) -> usize {
    let interfaces = network.router(node).ospf(1).into_iter().flat_map(|process| process.interfaces.values());
    interfaces.flat_map(|i| i.neighbors.values()).filter(|n| n.state == NeighborState::Full).count()
}

/// The metric of OSPF's route to a prefix.
fn metric(network: &Network, node: NodeIndex, prefix: &str) -> Option<(String, u32)> {
    let table = &network.router(node).ospf(1)?.routing.table;
    let route = table.networks.get(&prefix.parse().unwrap())?;
    Some((format!("{:?}", route.path_type), route.metric()))
}

/// FRR's route to a prefix: kind and cost.
fn frr_route(frr: &FrrNetwork, router: &str, prefix: &str) -> Option<(String, u64)> {
    let routes = frr.ask_json(router, Daemon::Ospfd, "show ip ospf route json").unwrap();
    let route = routes.get(prefix)?;
    Some((route["routeType"].as_str()?.trim().to_owned(), route["cost"].as_u64()?))
}

#[test]
fn a_neighbor_becomes_full_and_both_sides_hold_the_same_routes() {
    if !has_frr() {
        return;
    }
    for kind in ["broadcast", "point-to-point"] {
        let config = format!(
            "interface loop0\n ip address 9.9.9.9/32\n ip ospf area 0\n ip ospf cost 1\n ip ospf passive\n!\n\
             interface tap0\n ip address 10.0.0.9/24\n ip ospf cost 7\n ip ospf network {kind}\n ip ospf hello-interval 1\n \
             ip ospf dead-interval 4\n ip ospf area 0\n!\nrouter ospf\n ospf router-id 9.9.9.9\n!\n"
        );
        let router = FrrRouter { name: "T1".to_owned(), config, stubs: vec!["loop0".to_owned()] };
        let frr = FrrNetwork::build(&[router], &[]).unwrap();
        let mut network = Network::new(1);
        let config = format!(
            "interface Loopback0\n ip address 1.1.1.1 255.255.255.255\n ip ospf 1 area 0\n!\n\
             interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n ip ospf network {kind}\n ip ospf cost 5\n \
             ip ospf hello-interval 1\n ip ospf dead-interval 4\n ip ospf 1 area 0\n!\nrouter ospf 1\n router-id 1.1.1.1\n"
        );
        let node = add_router(&mut network, "R1", &config);
        let device = tap_to(&frr, ("T1", "tap0"), &mut network, (node, "gi0/0"));
        frr.start().unwrap();
        let mut paced = Paced::new(network, vec![device]);
        let found = paced
            .run_until(LIMIT, |network| {
                full_neighbors(network, node) == 1 && metric(network, node, "9.9.9.9/32").is_some()
            })
            .unwrap();
        assert!(found, "{kind}: {:?}", paced.network.router(node).ospf(1).map(|p| &p.interfaces));
        assert_eq!(metric(&paced.network, node, "9.9.9.9/32"), Some(("IntraArea".to_owned(), 6)), "{kind}");
        paced.run_until(Duration::from_secs(8), |_| false).unwrap();
        let neighbors = frr.ask("T1", Daemon::Ospfd, "show ip ospf neighbor").unwrap();
        assert!(neighbors.contains("1.1.1.1") && neighbors.contains("Full/"), "{kind}: {neighbors}");
        assert_eq!(frr_route(&frr, "T1", "1.1.1.1/32"), Some(("N".to_owned(), 8)), "{kind}");
        assert_eq!(full_neighbors(&paced.network, node), 1, "{kind}: still full");
    }
}

/// FRR T1 (area 0 and 1) - R1 (area 1, virtual link to T1; area 2) - R2 (NSSA 2, brings in a network) ; R3 in area 0 behind R1's other
/// side is T2 of FRR, in area 2.
#[test]
fn mixed_routers_agree_over_a_virtual_link_and_an_nssa() {
    if !has_frr() {
        return;
    }
    let timers = " ip ospf hello-interval 1\n ip ospf dead-interval 4\n";
    let t1 = format!(
        "router ospf\n ospf router-id 9.9.9.1\n!\n\
         interface loop0\n ip address 9.9.9.1/32\n ip ospf cost 1\n ip ospf passive\n ip ospf area 0\n!\n\
         interface tap0\n ip address 10.0.1.9/24\n ip ospf cost 10\n ip ospf network point-to-point\n{timers} ip ospf area 1\n!\n\
         router ospf\n area 1 virtual-link 1.1.1.1 hello-interval 1 dead-interval 4\n!\n"
    );
    let t2 = format!(
        "router ospf\n ospf router-id 9.9.9.2\n!\n\
         interface loop0\n ip address 9.9.9.2/32\n ip ospf cost 1\n ip ospf passive\n ip ospf area 2\n!\n\
         interface tap0\n ip address 10.0.3.9/24\n ip ospf cost 10\n ip ospf network point-to-point\n{timers} ip ospf area 2\n!\n\
         router ospf\n area 2 nssa\n!\n"
    );
    let router = |name: &str, config: String| FrrRouter {
        name: name.to_owned(),
        config,
        stubs: vec!["loop0".to_owned()],
    };
    let frr = FrrNetwork::build(&[router("T1", t1), router("T2", t2)], &[]).unwrap();
    let mut network = Network::new(1);
    let link = |name: &str, address: &str, area: u32| {
        format!(
            "interface {name}\n ip address {address} 255.255.255.0\n ip ospf network point-to-point\n ip ospf cost 10\n{timers} ip ospf 1 area {area}\n!\n"
        )
    };
    let r1 = format!(
        "{}{}router ospf 1\n router-id 1.1.1.1\n area 1 virtual-link 9.9.9.1 hello-interval 1 dead-interval 4\n area 2 nssa\n",
        link("GigabitEthernet0/0", "10.0.1.1", 1),
        link("GigabitEthernet0/1", "10.0.2.1", 2)
    );
    let r2 = format!(
        "{}{}{}router ospf 1\n router-id 2.2.2.2\n area 2 nssa\n redistribute static subnets\nip route 172.16.0.0 255.255.0.0 Null0\n",
        link("GigabitEthernet0/0", "10.0.2.2", 2),
        link("GigabitEthernet0/1", "10.0.3.2", 2),
        link("GigabitEthernet0/2", "10.0.4.2", 2)
    );
    let r3 = format!(
        "interface Loopback0\n ip address 3.3.3.3 255.255.255.255\n ip ospf 1 area 2\n!\n{}router ospf 1\n router-id 3.3.3.3\n area 2 nssa\n",
        link("GigabitEthernet0/0", "10.0.4.3", 2)
    );
    let (r1, r2, r3) = (
        add_router(&mut network, "R1", &r1),
        add_router(&mut network, "R2", &r2),
        add_router(&mut network, "R3", &r3),
    );
    let mut join = |a, a_port: &str, b, b_port: &str| {
        network.add_link(LinkProperties::ethernet(), &[(a, port(a_port)), (b, port(b_port))]).unwrap();
    };
    join(r1, "gi0/1", r2, "gi0/0");
    join(r2, "gi0/2", r3, "gi0/0");
    let devices = vec![
        tap_to(&frr, ("T1", "tap0"), &mut network, (r1, "gi0/0")),
        tap_to(&frr, ("T2", "tap0"), &mut network, (r2, "gi0/1")),
    ];
    frr.start().unwrap();
    let mut paced = Paced::new(network, devices);
    let settled = paced
        .run_until(LIMIT, |network| {
            full_neighbors(network, r1) == 3
                && full_neighbors(network, r2) == 3
                && metric(network, r3, "9.9.9.1/32").is_some()
                && metric(network, r3, "9.9.9.2/32").is_some()
        })
        .unwrap();
    assert!(settled, "{:#?}", paced.network.router(r1).ospf(1).map(|p| &p.interfaces));
    paced.run_until(Duration::from_secs(20), |_| false).unwrap();
    let ours = |node, prefix: &str| metric(&paced.network, node, prefix);
    let some = |kind: &str, cost: u32| Some((kind.to_owned(), cost));
    assert_eq!(ours(r1, "9.9.9.1/32"), some("IntraArea", 11), "over the virtual link");
    assert_eq!(ours(r3, "9.9.9.1/32"), some("InterArea", 31));
    assert_eq!(ours(r3, "9.9.9.2/32"), some("IntraArea", 21));
    assert_eq!(ours(r1, "172.16.0.0/16"), some("External2", 20));
    let theirs = |router: &str, prefix: &str| frr_route(&frr, router, prefix);
    let some = |kind: &str, cost: u64| Some((kind.to_owned(), cost));
    assert_eq!(theirs("T1", "3.3.3.3/32"), some("N IA", 31));
    assert_eq!(theirs("T1", "9.9.9.2/32"), some("N IA", 31));
    assert_eq!(
        theirs("T1", "172.16.0.0/16").map(|(kind, _)| kind),
        Some("N E2".to_owned()),
        "translated by R1"
    );
    assert_eq!(theirs("T2", "9.9.9.1/32"), some("N IA", 31));
    assert_eq!(theirs("T2", "172.16.0.0/16").map(|(kind, _)| kind), Some("N E2".to_owned()), "type 7");
}
