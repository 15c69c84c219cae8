//! Route maps: configuration.
//!
//! Within an entry every kind of `match` must hold; several values of one kind are alternatives. An entry without `match` is about every
//! route.

mod evaluate;
mod view;

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::{Community, ExtendedCommunity, Permission, RedistributionSource};
use crate::ids::Asn;
use crate::interface::InterfaceName;

pub use evaluate::{NextHopEdit, Prepend, RouteEdits};
pub use view::{BgpView, RouteType, RouteView};

/// A route map: entries by sequence number.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteMap {
    /// The entries; the first one that matches decides, unless it says `continue`.
    pub entries: BTreeMap<u16, RouteMapEntry>,
}

/// `route-map NAME permit|deny SEQUENCE`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteMapEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// `description`.
    pub description: Option<String>,
    /// `match ...`.
    pub matches: MatchClauses,
    /// `set ...`.
    pub sets: SetClauses,
    /// `continue`.
    pub continues: Option<Continue>,
}

impl RouteMapEntry {
    /// An entry that is about every route and sets nothing.
    #[must_use]
    pub fn new(action: Permission) -> Self {
        Self {
            action,
            description: None,
            matches: MatchClauses::default(),
            sets: SetClauses::default(),
            continues: None,
        }
    }
}

/// `ip policy-list NAME permit|deny`: `match` lines that route maps name together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyList {
    /// `permit` or `deny`.
    pub action: Permission,
    /// `match ...`.
    pub matches: MatchClauses,
}

/// Where to go on after a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Continue {
    /// `continue`: the next entry.
    Next,
    /// `continue N`.
    At(u16),
}

/// The `match` lines of an entry; empty ones ask for nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchClauses {
    /// `match ip address`: the destination, or in policy-based routing the packet.
    pub address: AddressLists,
    /// `match ip next-hop`.
    pub next_hop: AddressLists,
    /// `match ip route-source`: the router that told the route.
    pub route_source: AddressLists,
    /// `match interface`: a next hop goes out of it.
    pub interfaces: BTreeSet<InterfaceName>,
    /// `match metric`.
    pub metrics: Vec<MetricMatch>,
    /// `match tag`.
    pub tags: BTreeSet<u32>,
    /// `match route-type`.
    pub route_types: BTreeSet<RouteTypeMatch>,
    /// `match source-protocol`.
    pub sources: BTreeSet<RedistributionSource>,
    /// `match as-path`: numbers of lists.
    pub as_paths: BTreeSet<u16>,
    /// `match community`: names of lists, in order of configuration.
    pub communities: Vec<String>,
    /// `match community ... exact-match`.
    pub communities_exact: bool,
    /// `match extcommunity`: names of lists, in order of configuration.
    pub extended_communities: Vec<String>,
    /// `match policy-list`: names, in order of configuration. One of them must permit.
    pub policy_lists: Vec<String>,
    /// `match local-preference`.
    pub local_preferences: BTreeSet<u32>,
    /// `match length MIN MAX`, in octets of the packet (policy-based routing).
    pub length: Option<(u32, u32)>,
}

/// Names of access lists and prefix lists, in order of configuration. One of them must permit.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AddressLists {
    /// Access lists.
    pub access_lists: Vec<String>,
    /// Prefix lists.
    pub prefix_lists: Vec<String>,
}

impl AddressLists {
    /// Whether nothing is asked for.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.access_lists.is_empty() && self.prefix_lists.is_empty()
    }
}

/// `match metric VALUE [+- DEVIATION]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricMatch {
    /// The metric.
    pub value: u32,
    /// By how much it may differ.
    pub deviation: u32,
}

impl MetricMatch {
    const fn matches(self, metric: u32) -> bool {
        self.value.abs_diff(metric) <= self.deviation
    }
}

/// `match route-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum RouteTypeMatch {
    /// `local`: made on this router (BGP).
    Local,
    /// `internal`: intra-area and inter-area of OSPF, internal of EIGRP and BGP.
    Internal,
    /// `external`.
    External,
    /// `external type-1`.
    ExternalType1,
    /// `external type-2`.
    ExternalType2,
    /// `nssa-external`.
    NssaExternal,
    /// `nssa-external type-1`.
    NssaExternalType1,
    /// `nssa-external type-2`.
    NssaExternalType2,
}

/// The `set` lines of an entry.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetClauses {
    /// `set as-path prepend ASN...`.
    pub as_path_prepend: Vec<Asn>,
    /// `set as-path prepend last-as N`.
    pub as_path_prepend_last: Option<u8>,
    /// `set comm-list NAME delete`.
    pub delete_communities: Option<String>,
    /// `set community`.
    pub community: Option<SetCommunity>,
    /// `set extcomm-list NAME delete`.
    pub delete_extended_communities: Option<String>,
    /// `set extcommunity rt`, `soo` and `cost`.
    pub extended_communities: SetExtendedCommunities,
    /// `set aigp-metric`.
    pub aigp: Option<SetAigp>,
    /// `set dampening`.
    pub dampening: Option<DampeningParameters>,
    /// `set ip address prefix-list`: the prefixes that `bgp inject-map` makes.
    pub injected: Option<String>,
    /// `set ip next-hop`.
    pub next_hop: SetNextHop,
    /// `set ip default next-hop`, in order (policy-based routing).
    pub default_next_hops: Vec<Ipv4Addr>,
    /// `set interface`, in order (policy-based routing).
    pub interfaces: Vec<InterfaceName>,
    /// `set default interface`, in order (policy-based routing).
    pub default_interfaces: Vec<InterfaceName>,
    /// `set ip precedence`, 0 to 7 (policy-based routing).
    pub precedence: Option<u8>,
    /// `set ip dscp`, 0 to 63 (policy-based routing).
    pub dscp: Option<u8>,
    /// `set local-preference`.
    pub local_preference: Option<u32>,
    /// `set metric`.
    pub metric: Option<SetMetric>,
    /// `set metric-type`.
    pub metric_type: Option<SetMetricType>,
    /// `set origin`.
    pub origin: Option<SetOrigin>,
    /// `set tag`.
    pub tag: Option<u32>,
    /// `set weight`.
    pub weight: Option<u16>,
}

/// `set community`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetCommunity {
    /// `set community none`: no communities at all.
    None,
    /// `set community COMMUNITY...`.
    These {
        /// The communities.
        communities: BTreeSet<Community>,
        /// `additive`: those that are there stay.
        additive: bool,
    },
}

/// `set extcommunity`: each kind replaces those of its kind that are there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetExtendedCommunities {
    /// `rt`.
    pub route_targets: BTreeSet<ExtendedCommunity>,
    /// `rt ... additive`: those that are there stay.
    pub additive: bool,
    /// `soo`.
    pub site_of_origin: Option<ExtendedCommunity>,
    /// `cost [igp|pre-bestpath] ID VALUE`, each place and id once.
    pub costs: BTreeSet<ExtendedCommunity>,
}

/// `set aigp-metric`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetAigp {
    /// This metric.
    To(u32),
    /// `igp-metric`: that of the route.
    IgpMetric,
}

/// `set dampening HALF-LIFE REUSE SUPPRESS MAXIMUM`, and the same behind `bgp dampening` (RFC 2439).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DampeningParameters {
    /// In minutes.
    pub half_life: u8,
    /// Below this penalty a route is used again.
    pub reuse: u16,
    /// Above this penalty a route is suppressed.
    pub suppress: u16,
    /// The longest suppression, in minutes.
    pub max_suppress: u8,
}

impl Default for DampeningParameters {
    fn default() -> Self {
        Self { half_life: 15, reuse: 750, suppress: 2000, max_suppress: 60 }
    }
}

/// `set ip next-hop`: at most one of the forms for routes; the addresses and the tracked ones serve policy-based routing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SetNextHop {
    /// `set ip next-hop A...`, in order.
    pub addresses: Vec<Ipv4Addr>,
    /// `set ip next-hop peer-address`.
    pub peer_address: bool,
    /// `set ip next-hop self`.
    pub self_address: bool,
    /// `set ip next-hop verify-availability`: a hop that does not answer to ARP is not used.
    pub verify_availability: bool,
    /// `set ip next-hop verify-availability A SEQUENCE track N`, by sequence.
    pub tracked: BTreeMap<u16, TrackedNextHop>,
    /// `set ip next-hop recursive A`.
    pub recursive: Option<Ipv4Addr>,
}

/// A next hop used while an object is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedNextHop {
    /// The next hop.
    pub address: Ipv4Addr,
    /// The number of the tracked object.
    pub track: u16,
}

/// `set metric`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetMetric {
    /// `set metric N`.
    To(u32),
    /// `set metric +N`.
    Add(u32),
    /// `set metric -N`.
    Subtract(u32),
    /// `set metric BANDWIDTH DELAY RELIABILITY LOAD MTU`.
    Vector(VectorMetric),
}

/// The five parts of a metric of EIGRP, as `redistribute` and `set metric` write them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VectorMetric {
    /// In kbit/s.
    pub bandwidth_kbps: u32,
    /// In tens of microseconds.
    pub delay_tens_us: u32,
    /// 255 is fully reliable.
    pub reliability: u8,
    /// 255 is fully loaded.
    pub load: u8,
    /// In octets.
    pub mtu: u32,
}

/// `set metric-type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetMetricType {
    /// `type-1` (OSPF).
    Type1,
    /// `type-2` (OSPF).
    Type2,
    /// `internal`: the MED is the metric of the next hop (BGP).
    Internal,
}

/// `set origin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SetOrigin {
    /// `igp`.
    Igp,
    /// `egp ASN`.
    Egp(Asn),
    /// `incomplete`.
    Incomplete,
}
