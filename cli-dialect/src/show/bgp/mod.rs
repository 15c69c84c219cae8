//! `show ip bgp ...`.
//!
//! | module | command |
//! |---|---|
//! | [`table`] | `show ip bgp`, `show ip bgp neighbors X advertised-routes`, `received-routes`, `routes` |
//! | [`entry`] | `show ip bgp PREFIX` |
//! | [`summary`] | `show ip bgp summary` |
//! | [`peer_group`], [`rib_failure`] | `show ip bgp peer-group`, `show ip bgp rib-failure` |
//! | [`update_group`], [`as_paths`] | `show ip bgp update-group`, `show ip bgp paths` |
//! | [`dampened`] | `show ip bgp dampening dampened-paths`, `flap-statistics` |
//! | [`neighbor`], [`neighbor_policy`] | `show ip bgp neighbors [X]`, `show ip bgp neighbors X policy` |

pub mod as_paths;
mod collect;
mod command;
pub mod dampened;
pub mod entry;
pub mod neighbor;
pub mod neighbor_policy;
pub mod peer_group;
pub mod rib_failure;
pub mod summary;
pub mod table;
pub mod update_group;

use super::ShowHandler;
use crate::grammar::Spec;

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    command::table()
}
