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
use netconfarena::host::{Paced, TapDevice};
use netconfarena_emu::ids::{NodeIndex, VrfId};
use netconfarena_emu::network::{LinkProperties, Network};

mod beside_frr;
mod routers;

use beside_frr::{has_frr, tap_to};
use routers::{add_router, configure, port};

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
///     \  /  \      they start; cables to FRR are plugged in one by one, since FRR goes wrong in a network that changes much, and
///      R3 -- T5     forgets to tell some routes when two neighbors come up at the same time.
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

/// The network with FRR's routers at their places.
struct Mixed {
    frr: FrrNetwork,
    paced: Paced<TapDevice>,
    nodes: Vec<(&'static str, NodeIndex)>,
    /// Our ports to FRR, which are shut down.
    ports: Vec<(NodeIndex, String)>,
}

impl Mixed {
    fn new() -> Self {
        let routers: Vec<FrrRouter> =
            ROUTERS.iter().filter(|name| is_frr(name)).map(|name| frr_router(name)).collect();
        let frr = FrrNetwork::build(&routers, &[]).unwrap();
        let mut network = Network::new(1);
        let ours: Vec<_> = ROUTERS.into_iter().filter(|name| !is_frr(name)).collect();
        let nodes = emulate(&mut network, &ours);
        let (mut devices, mut ports) = (Vec::new(), Vec::new());
        for (at, cable) in CABLES.iter().enumerate() {
            let [(a, ..), (b, ..)] = *cable;
            let Some(&(name, node)) = nodes.iter().find(|(name, _)| *name == a || *name == b) else {
                continue;
            };
            let other = if name == a { b } else { a };
            if is_frr(other) {
                let ours = ios_port(at, name);
                devices.push(tap_to(&frr, (other, &frr_port(at)), &mut network, (node, &ours)));
                configure(&mut network, node, &format!("interface {ours}\n shutdown\n"));
                ports.push((node, ours));
            }
        }
        network.run_for(Duration::from_secs(20));
        Self { frr, paced: Paced::new(network, devices), nodes, ports }
    }

    fn run(&mut self, seconds: u64) {
        self.paced.run_until(Duration::from_secs(seconds), |_| false).unwrap();
    }

    /// Starts FRR and opens the ports to it, one by one.
    fn start(&mut self) {
        self.frr.start().unwrap();
        for (node, port) in std::mem::take(&mut self.ports) {
            configure(&mut self.paced.network, node, &format!("interface {port}\n no shutdown\n"));
            self.run(8);
        }
    }

    /// What a router has in its topology table.
    fn held(&self, router: &str) -> EigrpView {
        match self.nodes.iter().find(|(name, _)| *name == router) {
            Some((_, node)) => view(&self.paced.network, *node),
            None => of_frr(&self.frr, router).unwrap(),
        }
    }

    fn neighbors(&self, router: &str) -> BTreeSet<Ipv4Addr> {
        match self.nodes.iter().find(|(name, _)| *name == router) {
            Some((_, node)) => {
                let process = self.paced.network.router(*node).eigrp(AS, VrfId::GLOBAL).unwrap();
                process.neighbors().map(|(key, _)| key.address).collect()
            }
            None => neighbors_of_frr(&self.frr, router).unwrap(),
        }
    }
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

    let mut mixed = Mixed::new();
    mixed.start();
    let mut seconds = 0;
    while seconds < LIMIT && ROUTERS.iter().any(|router| mixed.held(router) != expected(router)) {
        mixed.run(1);
        seconds += 1;
    }
    // It stays so: hellos keep the neighbors.
    mixed.run(20);
    for router in ROUTERS {
        assert_eq!(mixed.held(router), expected(router), "{router}");
        let mine = |cable: &Cable| cable.iter().any(|(name, ..)| *name == router);
        let around: BTreeSet<Ipv4Addr> = CABLES
            .iter()
            .enumerate()
            .filter(|(_, cable)| mine(cable))
            .flat_map(|(at, cable)| {
                let others = cable.iter().filter(|(name, ..)| *name != router);
                others.map(move |(name, ..)| address(at, name))
            })
            .collect();
        assert_eq!(mixed.neighbors(router), around, "{router}");
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
            assert!(
                zebra_uses(&mixed.frr, router, &prefix.to_string(), &route.successors),
                "{router} to {prefix}"
            );
        }
    }
}
