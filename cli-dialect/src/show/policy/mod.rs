//! `show access-lists`, `show ip prefix-list`, `show route-map`, `show key chain`.
//!
//! | module | command |
//! |---|---|
//! | [`access_lists`] | `show access-lists [X]`, `show ip access-lists [X]` |
//! | [`prefix_lists`] | `show ip prefix-list [detail] [X]` |
//! | [`route_maps`] | `show route-map [X]` |
//! | [`path_lists`] | `show ip as-path-access-list [N]`, `show ip community-list [X]` |
//! | [`key_chains`] | `show key chain [X]` |

pub mod access_lists;
pub mod key_chains;
pub mod path_lists;
pub mod prefix_lists;
pub mod route_maps;

use super::ShowHandler;
use crate::grammar::Spec;

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    [
        access_lists::table(),
        prefix_lists::table(),
        route_maps::table(),
        key_chains::table(),
        path_lists::table(),
    ]
    .concat()
}
