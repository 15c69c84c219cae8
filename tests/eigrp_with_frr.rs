//! Our routers and FRR's eigrpd in one EIGRP network, joined by TAP devices, in the steady state.
//!
//! Compared: neighbors on both sides; feasible distances, successors and feasible successors with their distances (classic metrics), on FRR's
//! routers with those of emulated routers in their place, and on ours with those of the same routers among emulated ones only; the routes
//! that FRR's zebra uses. Not compared, since FRR 8.4 has it not or has it wrong: what happens after a failure, paths of different bandwidths,
//! external routes, stubs, summaries, static neighbors, wide metrics, MTUs.
//!
//! Needs root and Debian's packages `frr iproute2`.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena::fidelity::eigrp_view::{EigrpRouteView, EigrpView, neighbors_of_frr, of_emulator, of_frr};
use netconfarena::fidelity::frr::{Daemon, FrrNetwork, FrrRouter};
use netconfarena::host::Paced;
use netconfarena_emu::ids::{NodeIndex, VrfId};
use netconfarena_emu::network::{LinkProperties, Network};

mod beside_frr;
mod routers;

use beside_frr::{has_frr, tap_to};
use routers::{add_router, port};

/// The number of the AS.
const AS: u16 = 9;
/// How long both get to agree.
const LIMIT: u32 = 60;

/// A cable: its subnet is 10.0.N.0/24, N its place from 1 on; at each end a router (whose number is in its address), bandwidth in kbit/s, delay
/// in tens of microseconds. FRR takes no other bandwidth and delay than its own of an interface that EIGRP runs on.
type Cable = [(&'static str, u32, u32); 2];

const FRR_BANDWIDTH: u32 = 100_000;
const FRR_DELAY: u32 = 10;

const ROUTERS: [&str; 5] = ["R1", "R2", "R3", "T4", "T5"];

/// ```text
///      T4          By way of T4 and T5 there are equal paths and feasible successors on both sides. All bandwidths are equal: FRR
///     /  \         takes the greatest of a path for the least, so that a path seems shorter than its neighbor's part of it (an
///   R1 -- R2       assertion ends eigrpd then). FRR's routers are no neighbors of each other, and ours know each other before
///     \  /  \      they start, since FRR goes wrong in a network that changes much.
///      R3 -- T5
/// ```
const CABLES: [Cable; 7] = [
    [("T4", FRR_BANDWIDTH, FRR_DELAY), ("R1", FRR_BANDWIDTH, 4)],
    [("T4", FRR_BANDWIDTH, FRR_DELAY), ("R2", FRR_BANDWIDTH, 10)],
    [("T5", FRR_BANDWIDTH, FRR_DELAY), ("R2", FRR_BANDWIDTH, 15)],
    [("T5", FRR_BANDWIDTH, FRR_DELAY), ("R3", FRR_BANDWIDTH, 10)],
    [("R1", FRR_BANDWIDTH, 100), ("R2", FRR_BANDWIDTH, 100)],
    [("R1", FRR_BANDWIDTH, 4), ("R3", FRR_BANDWIDTH, 12)],
    [("R2", FRR_BANDWIDTH, 4), ("R3", FRR_BANDWIDTH, 5)],
];

fn is_frr(router: &str) -> bool {
    router.starts_with('T')
}

fn number(router: &str) -> u8 {
    router[1..].parse().unwrap()
}

fn address(cable: usize, router: &str) -> Ipv4Addr {
    Ipv4Addr::new(10, 0, u8::try_from(cable + 1).unwrap(), number(router))
}

/// The cables of a router with its end of each.
fn ends(router: &str) -> impl Iterator<Item = (usize, (u32, u32))> + '_ {
    let end = move |cable: &Cable| {
        cable.iter().find(|(name, ..)| *name == router).map(|&(_, bandwidth, delay)| (bandwidth, delay))
    };
    CABLES.iter().enumerate().filter_map(move |(at, cable)| Some((at, end(cable)?)))
}

/// The emulator's name of a router's port to a cable.
fn ios_port(cable: usize, router: &str) -> String {
    format!("gi0/{}", ends(router).position(|(at, _)| at == cable).unwrap())
}

fn ios_config(router: &str) -> String {
    let number = number(router);
    // FRR's bandwidth and delay of its loopbacks, so that emulated routers can take their place.
    let mut text = format!(
        "interface Loopback0\n bandwidth {FRR_BANDWIDTH}\n delay {FRR_DELAY}\n ip address 10.9.{number}.1 255.255.255.255\n"
    );
    for (cable, (bandwidth, delay)) in ends(router) {
        let (port, address) = (ios_port(cable, router), address(cable, router));
        let _ = write!(
            text,
            "interface {port}\n bandwidth {bandwidth}\n delay {delay}\n ip address {address} 255.255.255.0\n no shutdown\n"
        );
    }
    let _ = write!(text, "router eigrp {AS}\n eigrp router-id 10.9.{number}.1\n network 10.0.0.0\n");
    text
}

/// FRR's name of a router's port to a cable.
fn frr_port(cable: usize) -> String {
    format!("tap{cable}")
}

fn frr_router(router: &str) -> FrrRouter {
    let number = number(router);
    let mut config = format!("interface loop0\n ip address 10.9.{number}.1/32\n!\n");
    for (cable, _) in ends(router) {
        let _ =
            write!(config, "interface {}\n ip address {}/24\n!\n", frr_port(cable), address(cable, router));
    }
    let _ = write!(config, "router eigrp {AS}\n eigrp router-id 10.9.{number}.1\n network 10.0.0.0/8\n!\n");
    FrrRouter { name: router.to_owned(), config, stubs: vec!["loop0".to_owned()] }
}

/// Adds the emulated ones of `names` with the cables between them.
fn emulate(network: &mut Network, names: &[&'static str]) -> Vec<(&'static str, NodeIndex)> {
    let nodes: Vec<_> =
        names.iter().map(|&name| (name, add_router(network, name, &ios_config(name)))).collect();
    for (at, cable) in CABLES.iter().enumerate() {
        let node = |name: &str| nodes.iter().find(|(other, _)| *other == name).map(|&(_, node)| node);
        let plugs = cable.iter().filter_map(|(name, ..)| Some((node(name)?, port(&ios_port(at, name)))));
        let plugs: Vec<_> = plugs.collect();
        if plugs.len() == 2 {
            network.add_link(LinkProperties::ethernet(), &plugs).unwrap();
        }
    }
    nodes
}

fn view(network: &Network, node: NodeIndex) -> EigrpView {
    network.router(node).eigrp(AS, VrfId::GLOBAL).map(of_emulator).unwrap_or_default()
}

/// The network with FRR's routers at their places, and our routers in it.
fn mixed() -> (FrrNetwork, Paced<netconfarena::host::TapDevice>, Vec<(&'static str, NodeIndex)>) {
    let routers: Vec<FrrRouter> =
        ROUTERS.iter().filter(|name| is_frr(name)).map(|name| frr_router(name)).collect();
    let frr = FrrNetwork::build(&routers, &[]).unwrap();
    let mut network = Network::new(1);
    let ours: Vec<_> = ROUTERS.into_iter().filter(|name| !is_frr(name)).collect();
    let nodes = emulate(&mut network, &ours);
    let mut devices = Vec::new();
    for (at, cable) in CABLES.iter().enumerate() {
        let [(a, ..), (b, ..)] = *cable;
        let Some(&(name, node)) = nodes.iter().find(|(name, _)| *name == a || *name == b) else { continue };
        let other = if name == a { b } else { a };
        if is_frr(other) {
            let ours = ios_port(at, name);
            devices.push(tap_to(&frr, (other, &frr_port(at)), &mut network, (node, &ours)));
        }
    }
    network.run_for(Duration::from_secs(20));
    (frr, Paced::new(network, devices), nodes)
}

/// Whether zebra forwards to a destination by just these.
fn zebra_uses(frr: &FrrNetwork, router: &str, prefix: &str, by: &BTreeSet<Ipv4Addr>) -> bool {
    let routes = frr.ask_json(router, Daemon::Zebra, "show ip route json").unwrap();
    let chosen = routes[prefix].as_array().into_iter().flatten().find(|route| route["selected"] == true);
    let hops = chosen.and_then(|route| route["nexthops"].as_array()).into_iter().flatten();
    let used: BTreeSet<Ipv4Addr> =
        hops.filter(|hop| hop["fib"] == true).filter_map(|hop| hop["ip"].as_str()?.parse().ok()).collect();
    used == *by
}

#[test]
fn both_sides_hold_the_routes_that_emulated_routers_hold_in_their_places() {
    if !has_frr() {
        return;
    }
    let mut reference = Network::new(2);
    let expected_nodes = emulate(&mut reference, &ROUTERS);
    assert!(reference.run_until_converged(Network::DEFAULT_CONVERGENCE_CAP).converged);
    let expected = |router: &str| {
        let (_, node) = expected_nodes.iter().find(|(name, _)| *name == router).unwrap();
        view(&reference, *node)
    };

    let (frr, mut paced, nodes) = mixed();
    frr.start().unwrap();
    let held = |paced: &Paced<_>, router: &str| match nodes.iter().find(|(name, _)| *name == router) {
        Some((_, node)) => view(&paced.network, *node),
        None => of_frr(&frr, router).unwrap(),
    };
    let second = |paced: &mut Paced<_>| paced.run_until(Duration::from_secs(1), |_| false).unwrap();
    let mut seconds = 0;
    while seconds < LIMIT && ROUTERS.iter().any(|router| held(&paced, router) != expected(router)) {
        second(&mut paced);
        seconds += 1;
    }
    // It stays so: hellos keep the neighbors.
    (0..20).for_each(|_| {
        second(&mut paced);
    });
    for router in ROUTERS {
        assert_eq!(held(&paced, router), expected(router), "{router}");
        let around: BTreeSet<Ipv4Addr> = CABLES
            .iter()
            .enumerate()
            .filter(|(_, cable)| cable.iter().any(|(name, ..)| *name == router))
            .flat_map(|(at, cable)| {
                cable.iter().filter(|(name, ..)| *name != router).map(move |(name, ..)| address(at, name))
            })
            .collect();
        let found = match nodes.iter().find(|(name, _)| *name == router) {
            Some((_, node)) => {
                let process = paced.network.router(*node).eigrp(AS, VrfId::GLOBAL).unwrap();
                process.neighbors().map(|(key, _)| key.address).collect()
            }
            None => neighbors_of_frr(&frr, router).unwrap(),
        };
        assert_eq!(found, around, "{router}");
    }
    // The network was made so that each side has what is to be compared.
    let learned =
        |router: &str| expected(router).into_values().filter(|route| !route.connected).collect::<Vec<_>>();
    let is_frrs = |address: &Ipv4Addr| address.octets()[3] >= 4;
    for (router, by) in [("T4", false), ("R2", true)] {
        let equal = |route: &EigrpRouteView| {
            route.successors.len() > 1 && (!by || route.successors.iter().any(is_frrs))
        };
        assert!(learned(router).iter().any(equal), "equal paths on {router}");
    }
    for (router, by) in [("T4", false), ("T5", false), ("R2", true)] {
        let spare = |route: &EigrpRouteView| {
            let mut spares = route.feasible.keys().filter(|address| !route.successors.contains(address));
            spares.any(|address| !by || is_frrs(address))
        };
        assert!(learned(router).iter().any(spare), "a feasible successor on {router}");
    }
    for router in ["T4", "T5"] {
        for (prefix, route) in expected(router).iter().filter(|(_, route)| !route.connected) {
            assert!(zebra_uses(&frr, router, &prefix.to_string(), &route.successors), "{router} to {prefix}");
        }
    }
}
