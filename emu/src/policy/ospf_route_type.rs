//! `redistribute ospf N match ...`: kinds of OSPF routes, for every protocol that takes routes from OSPF.

use serde::{Deserialize, Serialize};

use super::RedistributionSource;
use crate::rib::RouteKind;

/// A kind of OSPF route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OspfRouteType {
    /// `internal`: intra-area and inter-area.
    Internal,
    /// `external 1`.
    External1,
    /// `external 2`.
    External2,
    /// `nssa-external 1`.
    NssaExternal1,
    /// `nssa-external 2`.
    NssaExternal2,
}

impl OspfRouteType {
    /// The kind of a route; `None` if it is not OSPF's.
    #[must_use]
    pub const fn of(kind: RouteKind) -> Option<Self> {
        match kind {
            RouteKind::OspfIntraArea | RouteKind::OspfInterArea => Some(Self::Internal),
            RouteKind::OspfExternal1 => Some(Self::External1),
            RouteKind::OspfExternal2 => Some(Self::External2),
            RouteKind::OspfNssa1 => Some(Self::NssaExternal1),
            RouteKind::OspfNssa2 => Some(Self::NssaExternal2),
            _ => None,
        }
    }

    /// Whether `match` lines (none are all) let a route pass. A connected subnet that OSPF runs on counts as internal.
    #[must_use]
    pub fn permits(
        types: &std::collections::BTreeSet<Self>,
        source: RedistributionSource,
        kind: RouteKind,
    ) -> bool {
        let kind = match (source, kind) {
            (RedistributionSource::Ospf(_), RouteKind::Connected) => Some(Self::Internal),
            (_, kind) => Self::of(kind),
        };
        types.is_empty() || kind.is_none_or(|kind| types.contains(&kind))
    }
}
