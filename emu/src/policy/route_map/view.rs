//! What a route map looks at in a route, whatever protocol the route is of.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::RouteTypeMatch;
use crate::interface::{InterfaceName, InterfaceTable};
use crate::policy::{Community, ExtendedCommunity, RedistributionSource};
use crate::rib::{Route, RouteKind};

/// A route as route maps see it.
#[derive(Clone, Debug)]
pub struct RouteView<'a> {
    /// Destination.
    pub prefix: Ipv4Net,
    /// The next routers; empty for connected routes.
    pub next_hops: Vec<Ipv4Addr>,
    /// The routers that told the route.
    pub route_sources: Vec<Ipv4Addr>,
    /// The interfaces that its next hops go out of.
    pub interfaces: Vec<InterfaceName>,
    /// Metric in the terms of the route's protocol; the MED of BGP.
    pub metric: Option<u32>,
    /// Tag, 0 for none.
    pub tag: u32,
    /// What kind of route it is within its protocol.
    pub route_type: Option<RouteType>,
    /// Which protocol it is of.
    pub source: Option<RedistributionSource>,
    /// What only BGP's routes have.
    pub bgp: Option<BgpView<'a>>,
}

/// Attributes of BGP that route maps look at.
#[derive(Clone, Copy, Debug)]
pub struct BgpView<'a> {
    /// The path as `show ip bgp` writes it, without the origin code.
    pub as_path: &'a str,
    /// The communities, in any order.
    pub communities: &'a [Community],
    /// The extended communities, in any order.
    pub extended_communities: &'a [ExtendedCommunity],
    /// Local preference.
    pub local_preference: Option<u32>,
}

/// What kind of route it is within its protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RouteType {
    /// Made on this router (BGP).
    Local,
    /// From inside.
    Internal,
    /// From outside, not of OSPF.
    External,
    /// OSPF's type 1.
    ExternalType1,
    /// OSPF's type 2.
    ExternalType2,
    /// OSPF's type 1, in an NSSA.
    NssaExternalType1,
    /// OSPF's type 2, in an NSSA.
    NssaExternalType2,
}

impl RouteType {
    /// The type of a route in the routing table; connected, static and RIP routes have none.
    #[must_use]
    pub const fn of(kind: RouteKind) -> Option<Self> {
        Some(match kind {
            RouteKind::Connected | RouteKind::Local | RouteKind::Static | RouteKind::Rip => return None,
            RouteKind::EigrpInternal
            | RouteKind::EigrpSummary
            | RouteKind::OspfIntraArea
            | RouteKind::OspfInterArea
            | RouteKind::OspfDiscard
            | RouteKind::BgpInternal => Self::Internal,
            RouteKind::EigrpExternal | RouteKind::BgpExternal => Self::External,
            RouteKind::OspfExternal1 => Self::ExternalType1,
            RouteKind::OspfExternal2 => Self::ExternalType2,
            RouteKind::OspfNssa1 => Self::NssaExternalType1,
            RouteKind::OspfNssa2 => Self::NssaExternalType2,
            RouteKind::BgpLocal => Self::Local,
        })
    }

    pub(super) fn fulfils(self, asked: RouteTypeMatch) -> bool {
        match asked {
            RouteTypeMatch::Local => self == Self::Local,
            RouteTypeMatch::Internal => self == Self::Internal,
            RouteTypeMatch::External => {
                matches!(self, Self::External | Self::ExternalType1 | Self::ExternalType2)
            }
            RouteTypeMatch::ExternalType1 => self == Self::ExternalType1,
            RouteTypeMatch::ExternalType2 => self == Self::ExternalType2,
            RouteTypeMatch::NssaExternal => {
                matches!(self, Self::NssaExternalType1 | Self::NssaExternalType2)
            }
            RouteTypeMatch::NssaExternalType1 => self == Self::NssaExternalType1,
            RouteTypeMatch::NssaExternalType2 => self == Self::NssaExternalType2,
        }
    }
}

impl RouteView<'_> {
    /// A destination of which nothing else is known.
    #[must_use]
    pub const fn new(prefix: Ipv4Net) -> Self {
        Self {
            prefix,
            next_hops: Vec::new(),
            route_sources: Vec::new(),
            interfaces: Vec::new(),
            metric: None,
            tag: 0,
            route_type: None,
            source: None,
            bgp: None,
        }
    }

    /// A route of the routing table, as redistribution sees it.
    #[must_use]
    pub fn of(route: &Route, interfaces: &InterfaceTable) -> Self {
        let hops = &route.next_hops;
        let via = |address: Ipv4Addr| interfaces.iter().find(|i| i.is_connected_to(address));
        Self {
            next_hops: hops.iter().filter_map(|hop| hop.address).collect(),
            route_sources: hops.iter().filter_map(|hop| hop.learned_from.or(hop.address)).collect(),
            interfaces: hops
                .iter()
                .filter_map(|hop| match hop.interface {
                    Some(index) => interfaces.get(index),
                    None => hop.address.and_then(via),
                })
                .map(|interface| interface.name)
                .collect(),
            metric: Some(route.metric),
            tag: route.tag,
            route_type: RouteType::of(route.kind),
            source: Some(RedistributionSource::from(route.owner)),
            ..Self::new(route.prefix)
        }
    }
}
