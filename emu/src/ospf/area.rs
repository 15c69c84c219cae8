//! The area data structure (RFC 2328 section 6).

use serde::{Deserialize, Serialize};

use crate::ids::AreaId;
use crate::ospf::AreaKind;

/// An area that the router is attached to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// Its number.
    pub id: AreaId,
    /// Normal, stub or NSSA.
    pub kind: AreaKind,
}

impl Area {
    /// An area without interfaces or LSAs.
    #[must_use]
    pub const fn new(id: AreaId, kind: AreaKind) -> Self {
        Self { id, kind }
    }
}
