//! Random networks of OSPF, RIP and BGP domains with routers that redistribute between them, in the emulator and in FRR 8.4: seed metrics, metric
//! types, tags, route maps, static and connected routes. Every protocol has learned the same, and the same routes are in use.
//!
//! Needs root and Debian's packages `frr iproute2`. `FIDELITY_NETWORKS` says how many networks (default 10), `FIDELITY_SEED` the first.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena::fidelity::redistribution_differential::compare;

mod random_networks;

#[test]
fn random_networks_agree_with_frr() {
    random_networks::agree_with_frr(compare, "routes");
}
