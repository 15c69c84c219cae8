//! Access lists, prefix lists, route maps and the lists they name: configuration and evaluation.
//!
//! | file | what it holds |
//! |---|---|
//! | `access_list.rs` | standard and extended IP access lists, over packets and over prefixes |
//! | `prefix_list.rs` | `ip prefix-list` |
//! | `route_map.rs`, `route_map/` | route maps: entries, and their evaluation over [`RouteView`]s into [`RouteEdits`] |
//! | `as_path.rs`, `community.rs`, `extended_community.rs` | as-path access lists, communities and community lists |
//! | `time_range.rs` | `time-range` |
//! | `ios_regex.rs` | IOS's regular expressions |
//! | `distance_by_source.rs` | `distance D A W [ACL]` |
//! | `distribute_list.rs` | the filters that `distribute-list` lines name |
//! | `ospf_route_type.rs` | kinds of OSPF routes in `redistribute ospf` |
//! | `classful.rs` | class A, B and C networks |
//!
//! No protocol is known here: a protocol shows its route as a [`RouteView`] and applies the [`RouteEdits`] itself.
//!
//! The configuration holds no counters: an evaluation tells which line matched, and the router counts.

mod access_list;
mod as_path;
pub mod classful;
mod community;
mod distance_by_source;
mod distribute_list;
mod extended_community;
mod ios_regex;
mod ospf_route_type;
mod prefix_list;
mod route_map;
mod time_range;

use std::collections::BTreeMap;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use access_list::{
    AccessList, AclLog, ExtendedEntry, GREATEST_SEQUENCE, IcmpMatch, Line, Lines, PacketFields, PortMatch,
    SequenceTaken, StandardEntry, Verdict,
};
pub use as_path::{AsPathEntry, AsPathList};
pub use community::{
    Community, CommunityList, ExpandedCommunityEntry, InvalidCommunity, StandardCommunityEntry,
};
pub use distance_by_source::DistanceBySource;
pub use distribute_list::DistributeList;
pub use extended_community::{
    Administrator, ExtendedCommunity, ExtendedCommunityList, ExtendedCommunityValue, StandardExtendedEntry,
};
pub use ios_regex::{InvalidRegex, IosRegex};
pub use ospf_route_type::OspfRouteType;
pub use prefix_list::{InvalidPrefixRange, PrefixList, PrefixListEntry};
pub use route_map::{
    AddressLists, BgpView, Continue, DampeningParameters, MatchClauses, MetricMatch, NextHopEdit, PolicyList,
    Prepend, RouteEdits, RouteMap, RouteMapEntry, RouteType, RouteTypeMatch, RouteView, SetAigp, SetClauses,
    SetCommunity, SetExtendedCommunities, SetMetric, SetMetricType, SetNextHop, SetOrigin, TrackedNextHop,
    VectorMetric,
};
pub use time_range::{Absolute, Periodic, TimeRange};

use crate::rib::RouteOwner;
use crate::time::Time;

/// What `redistribute` takes routes from. The order is that of `show running-config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RedistributionSource {
    /// `connected`.
    Connected,
    /// `static`.
    Static,
    /// `eigrp N`.
    Eigrp(u16),
    /// `ospf N`.
    Ospf(u16),
    /// `rip`.
    Rip,
    /// `bgp N`.
    Bgp(crate::ids::Asn),
}

impl From<RouteOwner> for RedistributionSource {
    fn from(owner: RouteOwner) -> Self {
        match owner {
            RouteOwner::Connected => Self::Connected,
            RouteOwner::Static => Self::Static,
            RouteOwner::Eigrp(number) => Self::Eigrp(number),
            RouteOwner::Ospf(number) => Self::Ospf(number),
            RouteOwner::Rip => Self::Rip,
            RouteOwner::Bgp(asn) => Self::Bgp(asn),
        }
    }
}

/// `permit` or `deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Permission {
    /// `permit`.
    Permit,
    /// `deny`.
    Deny,
}

impl Permission {
    /// Whether this is `permit`.
    #[must_use]
    pub const fn is_permit(self) -> bool {
        matches!(self, Self::Permit)
    }
}

/// The lists and route maps of a router, by name. A number is a name of digits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyConfig {
    /// `access-list N` and `ip access-list standard|extended NAME`.
    pub access_lists: BTreeMap<String, AccessList>,
    /// `ip prefix-list NAME`.
    pub prefix_lists: BTreeMap<String, PrefixList>,
    /// `route-map NAME`.
    pub route_maps: BTreeMap<String, RouteMap>,
    /// `ip as-path access-list N`, 1 to 500.
    pub as_path_lists: BTreeMap<u16, AsPathList>,
    /// `ip community-list`.
    pub community_lists: BTreeMap<String, CommunityList>,
    /// `ip extcommunity-list`.
    pub extended_community_lists: BTreeMap<String, ExtendedCommunityList>,
    /// `ip policy-list NAME`.
    pub policy_lists: BTreeMap<String, PolicyList>,
    /// `time-range NAME`.
    pub time_ranges: BTreeMap<String, TimeRange>,
    /// `ip bgp-community new-format`: communities are written `AA:NN`.
    pub community_new_format: bool,
}

impl PolicyConfig {
    /// Whether the access list `name` lets a prefix pass, as in `distribute-list`; one that does not exist lets all pass.
    #[must_use]
    pub fn access_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.access_lists.get(name).is_none_or(|list| list.permits_prefix(prefix))
    }

    /// Whether the time range `name` is on; one that does not exist is not.
    #[must_use]
    pub fn is_time_range_active(&self, name: &str, now: Time) -> bool {
        self.time_ranges.get(name).is_some_and(|range| range.is_active(now.unix_secs()))
    }

    /// Whether the prefix list `name` lets a prefix pass; one that does not exist lets all pass.
    #[must_use]
    pub fn prefix_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.prefix_lists.get(name).is_none_or(|list| list.permits(prefix))
    }

    /// Whether the as-path access list `number` lets a path pass; one that does not exist lets none pass.
    #[must_use]
    pub fn as_path_list_permits(&self, number: u16, as_path: &str) -> bool {
        self.as_path_lists.get(&number).is_some_and(|list| list.permits(as_path))
    }

    /// Whether the community list `name` lets a route with these communities pass; one that does not exist lets none pass.
    #[must_use]
    pub fn community_list_permits(&self, name: &str, communities: &[Community], exact: bool) -> bool {
        let list = self.community_lists.get(name);
        list.is_some_and(|list| list.permits(communities, exact, self.community_new_format))
    }

    /// Whether the extended community list `name` lets a route with these communities pass; one that does not exist lets none pass.
    #[must_use]
    pub fn extended_community_list_permits(&self, name: &str, communities: &[ExtendedCommunity]) -> bool {
        self.extended_community_lists.get(name).is_some_and(|list| list.permits(communities))
    }

    /// Evaluates the route map `name` for a route: what it changes, or `None` if the route is denied. One that does not exist denies
    /// all, as IOS does in `redistribute` and at BGP neighbours.
    #[must_use]
    pub fn route_map(&self, name: &str, route: &RouteView<'_>) -> Option<RouteEdits> {
        self.route_maps.get(name)?.evaluate(route, self)
    }
}
