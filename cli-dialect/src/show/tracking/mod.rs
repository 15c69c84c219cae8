//! Tracked objects, IP SLA operations, and where policy routing is on.
//!
//! | module | command |
//! |---|---|
//! | [`objects`] | `show track [N]` |
//! | [`brief`] | `show track brief` |
//! | [`operations`] | `show ip sla statistics [N]` |
//! | [`summary`] | `show ip sla summary` |
//! | [`policies`] | `show ip policy` |

pub mod brief;
pub mod objects;
pub mod operations;
pub mod policies;
pub mod summary;

use netconfarena_emu::tracking::SlaResult;

use crate::grammar::Spec;
use crate::show::ShowHandler;

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    [objects::table(), operations::table(), policies::table()].concat()
}

/// The return code of an operation in IOS's words.
const fn return_code(last: Option<SlaResult>) -> &'static str {
    match last {
        None => "Unknown",
        Some(SlaResult::Ok) => "OK",
        Some(SlaResult::OverThreshold) => "Over threshold",
        Some(SlaResult::Timeout) => "Timeout",
    }
}
