//! Communities: standard (RFC 1997) and extended (RFC 4360), which policies know too; large (RFC 8092).

use std::fmt;

use serde::{Deserialize, Serialize};

pub use crate::policy::{Administrator, Community, ExtendedCommunity, ExtendedCommunityValue};

/// A large community (RFC 8092).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LargeCommunity {
    /// Global administrator: an AS number.
    pub global: u32,
    /// First local part.
    pub local1: u32,
    /// Second local part.
    pub local2: u32,
}

impl fmt::Display for LargeCommunity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.global, self.local1, self.local2)
    }
}
