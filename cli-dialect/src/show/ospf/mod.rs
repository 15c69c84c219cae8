//! `show ip ospf ...`.
//!
//! | module | command |
//! |---|---|
//! | [`process`] | `show ip ospf [N]` |
//! | [`border_routers`] | `show ip ospf [N] border-routers` |
//! | [`rib`] | `show ip ospf [N] rib` |
//! | [`statistics`] | `show ip ospf [N] statistics` |
//! | [`lsa_queue`] | `show ip ospf [N] request-list`, `retransmission-list`, `flood-list` |
//! | [`summary_address`] | `show ip ospf [N] summary-address` |
//! | [`virtual_links`] | `show ip ospf [N] virtual-links` |
//! | [`interface`], [`interface_brief`] | `show ip ospf [N] interface [brief] [X]` |
//! | [`neighbor`], [`neighbor_detail`] | `show ip ospf [N] neighbor [detail]` |
//! | [`database`] | `show ip ospf [N] [AREA] database ...` |

mod adjacencies;
pub mod border_routers;
pub mod by_process;
mod command;
pub mod database;
pub mod interface;
pub mod interface_brief;
pub mod lsa_queue;
pub mod neighbor;
pub mod neighbor_detail;
pub mod process;
pub mod rib;
mod selection;
pub mod statistics;
pub mod summary_address;
pub mod virtual_links;

pub use adjacencies::Wanted;
pub(super) use command::table;
pub use selection::Running;
