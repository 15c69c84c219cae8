//! What routes an address family has of its own, and how it treats all routes.

use std::collections::{BTreeMap, BTreeSet};

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::{AdditionalPaths, PathSelection};
pub use crate::policy::{DampeningParameters, DistanceBySource};
use crate::policy::{DistributeList, OspfRouteType, RedistributionSource};
use crate::rib::RouteKind;

/// The lines of an address family that are not about a neighbor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyConfig {
    /// `network A mask M`.
    pub networks: BTreeMap<Ipv4Net, NetworkStatement>,
    /// `aggregate-address A M`.
    pub aggregates: BTreeMap<Ipv4Net, Aggregate>,
    /// `redistribute SOURCE`.
    pub redistribute: BTreeMap<RedistributionSource, Redistribution>,
    /// `default-information originate`: a default route may be redistributed.
    pub default_information: bool,
    /// `default-metric`.
    pub default_metric: Option<u32>,
    /// `auto-summary`.
    pub auto_summary: bool,
    /// `synchronization`.
    pub synchronization: bool,
    /// `distance bgp E I L`; IOS's defaults are 20, 200, 200.
    pub distance: Option<Distances>,
    /// `distance D A W [ACL]`: the distance of routes from a source.
    pub distance_by_source: Vec<DistanceBySource>,
    /// `maximum-paths N`; IOS's default is 1.
    pub maximum_paths: Option<u8>,
    /// `maximum-paths ibgp N`; IOS's default is 1.
    pub maximum_paths_ibgp: Option<u8>,
    /// `maximum-paths eibgp N`.
    pub maximum_paths_eibgp: Option<u8>,
    /// `table-map`.
    pub table_map: Option<TableMap>,
    /// `bgp dampening`.
    pub dampening: Option<Dampening>,
    /// `bgp inject-map`, by map.
    pub inject_maps: BTreeMap<String, InjectMap>,
    /// `distribute-list ... in`.
    pub distribute_in: Option<DistributeList>,
    /// `distribute-list ... out [SOURCE]`, by source (`None` is all).
    pub distribute_out: BTreeMap<Option<RedistributionSource>, DistributeList>,
    /// `bgp suppress-inactive`: routes that the routing table does not use are not advertised.
    pub suppress_inactive: bool,
    /// `bgp redistribute-internal`: routes from internal peers are redistributed into IGPs.
    pub redistribute_internal: bool,
    /// `bgp additional-paths send`, `receive`: for neighbors that say nothing else.
    pub additional_paths: AdditionalPaths,
    /// `bgp additional-paths select`: which paths may be told beside the best one.
    pub select: PathSelection,
}

/// `network A [mask M] [route-map R] [backdoor]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkStatement {
    /// `route-map`.
    pub route_map: Option<String>,
    /// `backdoor`: nothing is originated, and an external route to it counts as a local one.
    pub backdoor: bool,
}

/// `aggregate-address A M ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Aggregate {
    /// `as-set`.
    pub as_set: bool,
    /// `summary-only`.
    pub summary_only: bool,
    /// `suppress-map`: which more specific routes are suppressed.
    pub suppress_map: Option<String>,
    /// `advertise-map`: which more specific routes the aggregate is made of.
    pub advertise_map: Option<String>,
    /// `attribute-map`: attributes of the aggregate.
    pub attribute_map: Option<String>,
}

/// `redistribute SOURCE ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redistribution {
    /// `metric`.
    pub metric: Option<u32>,
    /// `route-map`.
    pub route_map: Option<String>,
    /// `match internal|external 1|external 2|nssa-external 1|2`, when the source is OSPF; empty means internal.
    pub match_types: BTreeSet<OspfRouteType>,
}

impl Redistribution {
    /// Whether `match`, or IOS's default in its place, lets a route of a source pass. The default of BGP is `internal`, other protocols take
    /// everything.
    #[must_use]
    pub fn matches(&self, source: RedistributionSource, kind: RouteKind) -> bool {
        let internal = || BTreeSet::from([OspfRouteType::Internal]);
        let types = if self.match_types.is_empty() { &internal() } else { &self.match_types };
        OspfRouteType::permits(types, source, kind)
    }
}

/// `distance bgp EXTERNAL INTERNAL LOCAL`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distances {
    /// Of routes from other ASes.
    pub external: u8,
    /// Of routes from the own AS.
    pub internal: u8,
    /// Of aggregates made here, and of backdoor networks.
    pub local: u8,
}

impl Default for Distances {
    fn default() -> Self {
        use crate::rib::distance::{BGP_EXTERNAL, BGP_INTERNAL, BGP_LOCAL};
        Self { external: BGP_EXTERNAL, internal: BGP_INTERNAL, local: BGP_LOCAL }
    }
}

/// `table-map MAP [filter]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableMap {
    /// The route map: it sets metric and tag of routes for the routing table.
    pub route_map: String,
    /// `filter`: routes that it denies stay out of the routing table.
    pub filter: bool,
}

/// `bgp dampening`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dampening {
    /// All routes alike.
    All(DampeningParameters),
    /// `route-map M`: as the map sets it; routes for which it sets nothing are not dampened.
    ByMap(String),
}

/// `bgp inject-map MAP exist-map EXIST [copy-attributes]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InjectMap {
    /// `exist-map`.
    pub exist_map: String,
    /// `copy-attributes`.
    pub copy_attributes: bool,
}
