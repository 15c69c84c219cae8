//! BGP from configuration lines to sessions, tables and routes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod additional;
mod attributes;
mod family_options;
mod injection;
#[path = "../lab/mod.rs"]
mod lab;
mod neighbor_options;
mod networks;
mod options;
mod oscillation;
mod propagation;
mod shows;

use lab::Lab;
use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::{BgpProcess, Destination, Instance, Path, Peer, PeerKey};
use netconfarena_emu::ids::VrfId;

/// The process of a router.
fn process<'l>(lab: &'l Lab, router: &str) -> &'l BgpProcess {
    lab.network.router(lab.node(router)).bgp().unwrap()
}

/// Its global table with the peers.
fn instance<'l>(lab: &'l Lab, router: &str) -> &'l Instance {
    process(lab, router).instance(VrfId::GLOBAL).unwrap()
}

fn peer<'l>(lab: &'l Lab, router: &str, address: &str) -> &'l Peer {
    let key = PeerKey { vrf: VrfId::GLOBAL, address: address.parse().unwrap() };
    process(lab, router).peer(key).unwrap()
}

fn established(lab: &Lab, router: &str, address: &str) -> bool {
    peer(lab, router, address).state() == State::Established
}

fn destination<'l>(lab: &'l Lab, router: &str, prefix: &str) -> Option<&'l Destination> {
    instance(lab, router).table.get(prefix.parse().unwrap())
}

/// The best path to a destination.
fn best<'l>(lab: &'l Lab, router: &str, prefix: &str) -> Option<&'l Path> {
    destination(lab, router, prefix)?.best_path()
}

/// The AS path of the best path.
fn as_path(lab: &Lab, router: &str, prefix: &str) -> Option<String> {
    best(lab, router, prefix).map(|path| path.attributes.as_path.to_string())
}

/// Distance of the route in use, and its next hops.
fn route(lab: &Lab, router: &str, prefix: &str) -> Option<(u8, Vec<String>)> {
    let route = lab.route(router, prefix)?;
    Some((route.distance, lab.next_hops(router, prefix).iter().map(ToString::to_string).collect()))
}
