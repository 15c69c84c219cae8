//! LSAs that this router makes (RFC 2328 section 12.4, RFC 3101).
//!
//! Each kind of LSA has a pure function from what the router knows to the set of LSAs it should have in the database. The
//! [`Originator`] compares that set with the database and makes, renews or flushes what differs: so an LSA is made again
//! exactly when its contents change, whatever caused it.
//!
//! | file | section | what |
//! |---|---|---|
//! | `router_lsa.rs` | 12.4.1 | type 1, stub router (RFC 6987), prefix suppression (RFC 6860) |
//! | `network_lsa.rs` | 12.4.2 | type 2 |
//! | `summary.rs` | 12.4.3 | types 3 and 4, area ranges, defaults of stub areas |
//! | `external.rs` | 12.4.4, RFC 3101 2.4 | types 5 and 7, `summary-address` |
//! | `translate.rs` | RFC 3101 3 | type 7 to type 5, translator election |
//! | `link_state_id.rs` | appendix E | Link State IDs of networks |
//! | `originator.rs` | 12.4 | sequence numbers, throttling, refresh, premature ageing |

pub mod external;
pub mod link_state_id;
pub mod network_lsa;
mod originator;
pub mod router_lsa;
pub mod summary;
pub mod translate;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use originator::{Originated, Originator};

use super::config::AreaKind;
use super::lsa::{LsaBody, LsaKey, Options};

/// What an LSA says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Content {
    /// Options of the header.
    pub options: Options,
    /// Body.
    pub body: LsaBody,
}

/// The LSAs that should exist.
pub type Wanted = BTreeMap<LsaKey, Content>;

/// The options of router, network and summary LSAs in an area: IOS sets E where external LSAs are flooded, and DC everywhere.
#[must_use]
pub fn area_options(kind: AreaKind) -> Options {
    match kind {
        AreaKind::Normal => Options::E | Options::DC,
        AreaKind::Stub { .. } | AreaKind::Nssa(_) => Options::DC,
    }
}
