//! Summary LSAs (RFC 2328 section 12.4.3).

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::link_state_id::link_state_ids;
use super::{Content, Wanted, area_options};
use crate::ids::{AreaId, IfIndex, RouterId};
use crate::ospf::config::{AreaKind, AreaRange};
use crate::ospf::lsa::{LS_INFINITY, LsType, LsaBody, LsaKey, SummaryLsa};
use crate::ospf::route_table::{OspfRoute, PathType, RouteTable};
use crate::ospf::spf::OspfNextHop;

/// A decision on prefixes; `None` lets all pass.
pub type PrefixFilter<'a> = Option<&'a dyn Fn(Ipv4Net) -> bool>;

/// What summaries depend on, of an area.
#[derive(Clone, Copy)]
pub struct SummaryArea<'a> {
    /// Its number.
    pub id: AreaId,
    /// Normal, stub or NSSA.
    pub kind: AreaKind,
    /// `default-cost`.
    pub default_cost: u32,
    /// `range`.
    pub ranges: &'a BTreeMap<Ipv4Net, AreaRange>,
    /// TransitCapability.
    pub transit: bool,
    /// `filter-list prefix NAME in`.
    pub filter_in: PrefixFilter<'a>,
    /// `filter-list prefix NAME out`.
    pub filter_out: PrefixFilter<'a>,
}

/// What summaries depend on.
#[derive(Clone, Copy)]
pub struct SummaryView<'a> {
    /// This router.
    pub router_id: RouterId,
    /// Its routes.
    pub table: &'a RouteTable,
    /// Attached areas.
    pub areas: &'a [SummaryArea<'a>],
    /// The area of each interface.
    pub interface_areas: &'a BTreeMap<IfIndex, AreaId>,
    /// `compatible rfc1583`: the cost of a range is that of its nearest component, not of its farthest (RFC 1583, IOS's default).
    pub rfc1583_compatible: bool,
    /// `max-metric router-lsa summary-lsa`.
    pub max_metric: Option<u32>,
}

/// The summary LSAs that an area border router has in area `target`.
#[must_use]
pub fn summary_lsas(view: &SummaryView<'_>, target: &SummaryArea<'_>) -> Wanted {
    let mut wanted = Wanted::new();
    let (no_summary, is_stub) = match target.kind {
        AreaKind::Normal => (false, false),
        AreaKind::Stub { no_summary } => (no_summary, true),
        AreaKind::Nssa(options) => (options.no_summary, true),
    };
    let mut networks = if no_summary { BTreeMap::new() } else { networks(view, target) };
    // An NSSA gets its default by type 7 unless no summary enters it (RFC 3101 section 2.7).
    if matches!(target.kind, AreaKind::Stub { .. }) || no_summary {
        networks.insert(Ipv4Net::default(), target.default_cost);
    }
    let ids = link_state_ids(networks.keys().copied());
    for (prefix, id) in ids {
        let Some(&metric) = networks.get(&prefix) else { continue };
        let body = LsaBody::SummaryNetwork(SummaryLsa { mask: prefix.netmask(), metric });
        insert(&mut wanted, view, target, LsType::SummaryNetwork, id, body);
    }
    if !is_stub {
        for (router, metric) in boundary_routers(view, target) {
            let body = LsaBody::SummaryAsbr(SummaryLsa { mask: Ipv4Addr::UNSPECIFIED, metric });
            insert(&mut wanted, view, target, LsType::SummaryAsbr, router.0, body);
        }
    }
    wanted
}

fn insert(
    wanted: &mut Wanted,
    view: &SummaryView<'_>,
    target: &SummaryArea<'_>,
    ls_type: LsType,
    id: Ipv4Addr,
    body: LsaBody,
) {
    let content = Content { options: area_options(target.kind), body };
    wanted.insert(LsaKey::new(ls_type, id, view.router_id), content);
}

/// The networks that are told to `target`, with their metrics.
fn networks(view: &SummaryView<'_>, target: &SummaryArea<'_>) -> BTreeMap<Ipv4Net, u32> {
    let mut networks = BTreeMap::new();
    for (&prefix, route) in &view.table.networks {
        if is_told(view, target, route) && range_of(view, target, prefix, route).is_none() {
            add(&mut networks, view, target, route.area, prefix, route.cost);
        }
    }
    for (area, prefix, range) in active_ranges(view).filter(|&(area, ..)| area != target.id) {
        // The backbone's ranges are not applied towards a transit area: its traffic must find the exact networks.
        let unused = area == AreaId::BACKBONE && target.transit;
        if unused || range.not_advertise {
            continue;
        }
        let choose = if view.rfc1583_compatible { u32::min } else { u32::max };
        if let Some(cost) = range.cost.or_else(|| view.table.range_cost(area, prefix, choose)) {
            add(&mut networks, view, target, area, prefix, cost);
        }
    }
    networks
}

/// Adds a network unless a filter of its area or of the target forbids it.
fn add(
    networks: &mut BTreeMap<Ipv4Net, u32>,
    view: &SummaryView<'_>,
    target: &SummaryArea<'_>,
    source: AreaId,
    prefix: Ipv4Net,
    cost: u32,
) {
    let out = view.areas.iter().find(|area| area.id == source).and_then(|area| area.filter_out);
    let permits = |filter: PrefixFilter<'_>| filter.is_none_or(|permits| permits(prefix));
    if permits(out) && permits(target.filter_in) {
        networks.insert(prefix, view.max_metric.unwrap_or(cost));
    }
}

/// Whether a network is to be told at all: an intra-area network of another area, or an inter-area one of the backbone, that
/// is not reached through the target area itself.
fn is_told(view: &SummaryView<'_>, target: &SummaryArea<'_>, route: &OspfRoute) -> bool {
    let kind = match route.path_type {
        PathType::IntraArea => true,
        PathType::InterArea => route.area == AreaId::BACKBONE,
        PathType::External1 | PathType::External2 => false,
    };
    kind && route.area != target.id
        && route.cost < LS_INFINITY
        && !leads_into(view, target, route.paths.iter().map(|path| &path.next_hop))
}

/// Whether next hops lie in the target area.
fn leads_into<'h>(
    view: &SummaryView<'_>,
    target: &SummaryArea<'_>,
    mut hops: impl Iterator<Item = &'h OspfNextHop>,
) -> bool {
    hops.any(|hop| view.interface_areas.get(&hop.interface) == Some(&target.id))
}

/// The range that takes the place of an intra-area network towards `target`.
fn range_of(
    view: &SummaryView<'_>,
    target: &SummaryArea<'_>,
    prefix: Ipv4Net,
    route: &OspfRoute,
) -> Option<Ipv4Net> {
    if route.path_type != PathType::IntraArea || (route.area == AreaId::BACKBONE && target.transit) {
        return None;
    }
    let area = view.areas.iter().find(|area| area.id == route.area)?;
    area.ranges.keys().copied().find(|range| range.contains(&prefix))
}

/// The configured ranges that have a component.
pub fn active_ranges<'v>(
    view: &'v SummaryView<'_>,
) -> impl Iterator<Item = (AreaId, Ipv4Net, AreaRange)> + 'v {
    view.areas.iter().flat_map(move |area| {
        area.ranges
            .iter()
            .filter(move |(prefix, _)| view.table.range_cost(area.id, **prefix, u32::max).is_some())
            .map(move |(&prefix, &range)| (area.id, prefix, range))
    })
}

/// The AS boundary routers that are told to `target`: those whose preferred path is in another area (intra-area), or in the
/// backbone (inter-area). Those of an NSSA are not: what they bring in goes on as the border router's own (RFC 3101 section 3.2).
fn boundary_routers(view: &SummaryView<'_>, target: &SummaryArea<'_>) -> BTreeMap<RouterId, u32> {
    let routers: BTreeSet<RouterId> = view.table.routers.keys().map(|&(router, _)| router).collect();
    let in_nssa =
        |id: AreaId| view.areas.iter().any(|area| area.id == id && matches!(area.kind, AreaKind::Nssa(_)));
    let told = |router: RouterId| {
        let (area, route) = view.table.as_boundary_router(router, view.rfc1583_compatible)?;
        let told = area != target.id
            && !in_nssa(area)
            && (!route.inter_area || area == AreaId::BACKBONE)
            && route.cost < LS_INFINITY
            && !leads_into(view, target, route.next_hops.iter());
        told.then(|| (router, view.max_metric.unwrap_or(route.cost)))
    };
    routers.into_iter().filter_map(told).collect()
}

#[cfg(test)]
mod tests;
