//! Random networks of ASes in the emulator and in FRR 8.4: every router's best paths agree.
//!
//! Needs root and Debian's packages `frr iproute2`. `FIDELITY_NETWORKS` says how many networks (default 10), `FIDELITY_SEED` the first.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena::fidelity::bgp_differential::compare;

mod random_networks;

#[test]
fn random_networks_agree_with_frr() {
    random_networks::agree_with_frr(compare, "best paths");
}
