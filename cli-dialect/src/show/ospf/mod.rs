//! `show ip ospf ...`.
//!
//! | module | command |
//! |---|---|
//! | [`process`] | `show ip ospf [N]` |
//! | [`interface`], [`interface_brief`] | `show ip ospf [N] interface [brief] [X]` |
//! | [`neighbor`], [`neighbor_detail`] | `show ip ospf [N] neighbor [detail]` |
//! | [`database`] | `show ip ospf [N] [AREA] database ...` |

mod command;
pub mod database;
pub mod interface;
pub mod interface_brief;
pub mod neighbor;
pub mod neighbor_detail;
pub mod process;
mod selection;

pub(super) use command::table;
pub use selection::Running;
