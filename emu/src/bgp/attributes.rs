//! Path attributes (RFC 4271 section 5) as a value, shared between the routes that have them.

use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::as_path::AsPath;
use super::community::{Community, ExtendedCommunity, LargeCommunity};
use crate::ids::{Asn, RouterId};

/// ORIGIN (RFC 4271 section 5.1.1); the lower is preferred.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Origin {
    /// `i`: from inside the originating AS (`network`).
    #[default]
    Igp,
    /// `e`: by EGP.
    Egp,
    /// `?`: otherwise (redistribution).
    Incomplete,
}

impl fmt::Display for Origin {
    /// As `show ip bgp PREFIX` writes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Igp => "IGP",
            Self::Egp => "EGP",
            Self::Incomplete => "incomplete",
        })
    }
}

/// AGGREGATOR (RFC 4271 section 5.1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Aggregator {
    /// The AS that made the aggregate.
    pub asn: Asn,
    /// The router that made it, by its router id.
    pub router: Ipv4Addr,
}

/// A cluster of a route reflector (RFC 4456).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ClusterId(pub Ipv4Addr);

impl fmt::Debug for ClusterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for ClusterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// An attribute that this implementation does not know; it goes on if it is transitive (RFC 4271 section 5).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct UnknownAttribute {
    /// The flags as received, the length bit aside.
    pub flags: u8,
    /// The type code.
    pub code: u8,
    /// The value.
    pub value: Arc<[u8]>,
}

/// The attributes of a route, but for the multiprotocol ones, which carry routes themselves.
///
/// Routes that came in one UPDATE share them.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PathAttributes {
    /// ORIGIN.
    pub origin: Origin,
    /// AS_PATH, with what an AS4_PATH said.
    pub as_path: AsPath,
    /// NEXT_HOP; unspecified for routes of this router.
    pub next_hop: Ipv4Addr,
    /// MULTI_EXIT_DISC.
    pub med: Option<u32>,
    /// LOCAL_PREF.
    pub local_preference: Option<u32>,
    /// ATOMIC_AGGREGATE.
    pub atomic_aggregate: bool,
    /// AGGREGATOR, with what an AS4_AGGREGATOR said.
    pub aggregator: Option<Aggregator>,
    /// COMMUNITIES, sorted, each once.
    pub communities: Vec<Community>,
    /// EXTENDED COMMUNITIES, sorted, each once.
    pub extended_communities: Vec<ExtendedCommunity>,
    /// LARGE_COMMUNITY, sorted, each once.
    pub large_communities: Vec<LargeCommunity>,
    /// ORIGINATOR_ID (RFC 4456).
    pub originator_id: Option<RouterId>,
    /// CLUSTER_LIST, the latest first (RFC 4456).
    pub cluster_list: Vec<ClusterId>,
    /// The metric of AIGP's TLV (RFC 7311).
    pub aigp: Option<u64>,
    /// What is not known here, by type code.
    pub unknown: Vec<UnknownAttribute>,
}

impl PathAttributes {
    /// The LOCAL_PREF of routes that carry none.
    pub const DEFAULT_LOCAL_PREFERENCE: u32 = 100;

    /// The attributes of a route that this router makes.
    #[must_use]
    pub fn local(origin: Origin) -> Self {
        Self {
            origin,
            as_path: AsPath::default(),
            next_hop: Ipv4Addr::UNSPECIFIED,
            med: None,
            local_preference: None,
            atomic_aggregate: false,
            aggregator: None,
            communities: Vec::new(),
            extended_communities: Vec::new(),
            large_communities: Vec::new(),
            originator_id: None,
            cluster_list: Vec::new(),
            aigp: None,
            unknown: Vec::new(),
        }
    }

    /// Whether the route carries a community.
    #[must_use]
    pub fn has_community(&self, community: Community) -> bool {
        self.communities.binary_search(&community).is_ok()
    }

    /// Adds a community, if it is not there.
    pub fn add_community(&mut self, community: Community) {
        if let Err(at) = self.communities.binary_search(&community) {
            self.communities.insert(at, community);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn communities_are_a_sorted_set() {
        let mut attributes = PathAttributes::local(Origin::Igp);
        for community in [Community::NO_EXPORT, Community(5), Community(5)] {
            attributes.add_community(community);
        }
        assert_eq!(attributes.communities, [Community(5), Community::NO_EXPORT]);
        assert!(attributes.has_community(Community(5)) && !attributes.has_community(Community(6)));
    }
}
