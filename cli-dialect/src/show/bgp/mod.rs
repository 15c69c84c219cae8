//! `show ip bgp ...`.
//!
//! | module | command |
//! |---|---|
//! | [`table`] | `show ip bgp`, `show ip bgp neighbors X advertised-routes`, `received-routes`, `routes` |
//! | [`entry`] | `show ip bgp PREFIX` |
//! | [`summary`] | `show ip bgp summary` |
//! | [`peer_group`], [`rib_failure`] | `show ip bgp peer-group`, `show ip bgp rib-failure` |
//! | [`neighbor`] | `show ip bgp neighbors [X]` |

mod collect;
mod command;
pub mod entry;
pub mod neighbor;
pub mod peer_group;
pub mod rib_failure;
pub mod summary;
pub mod table;

use super::ShowHandler;
use crate::grammar::Spec;

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    command::table()
}
