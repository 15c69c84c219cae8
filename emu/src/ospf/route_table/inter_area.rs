//! Inter-area routes (RFC 2328 section 16.2) and transit areas (section 16.3).

use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;

use super::{
    AreaView, OspfRoute, PathType, RouteTable, RouterRoute, RoutingView, add_router_route, paths_from,
    with_paths,
};
use crate::ids::{AreaId, RouterId};
use crate::ospf::lsa::{LS_INFINITY, LsType, Lsa};
use crate::ospf::spf::NextHops;

/// A summary LSA that can be used, and the way to who made it.
struct Usable<'a> {
    lsa: &'a Lsa,
    /// Distance through the area border router.
    cost: u32,
    next_hops: NextHops,
}

impl RouteTable {
    /// Sections 16.2 and 16.3.
    pub(super) fn add_inter_area(&mut self, view: &RoutingView<'_>) {
        for area in &view.areas {
            if !view.backbone_only || area.id == AreaId::BACKBONE {
                self.examine_summaries(view, area);
            }
        }
        if view.area_border {
            for area in view.areas.iter().filter(|area| area.transit && area.id != AreaId::BACKBONE) {
                self.examine_transit_area(view, area);
            }
        }
    }

    /// Section 16.2 for the summary LSAs of an area.
    fn examine_summaries(&mut self, view: &RoutingView<'_>, area: &AreaView<'_>) {
        for entry in area.database.of_type(LsType::SummaryNetwork) {
            let Some(usable) = self.usable_summary(view, area, &entry.lsa, entry.age(view.now).is_max())
            else {
                continue;
            };
            let Some(prefix) = summary_prefix(&entry.lsa) else { continue };
            if !self.is_active_range(view, prefix) {
                self.add_summary_network(area.id, prefix, &usable);
            }
        }
        for entry in area.database.of_type(LsType::SummaryAsbr) {
            let Some(usable) = self.usable_summary(view, area, &entry.lsa, entry.age(view.now).is_max())
            else {
                continue;
            };
            let asbr = RouterId(entry.lsa.link_state_id());
            if asbr != view.router_id {
                self.add_summary_asbr(area.id, asbr, usable);
            }
        }
    }

    /// Steps 1, 2 and 4: an LSA of another router with a metric below infinity, whose maker is reached within the area.
    fn usable_summary<'l>(
        &self,
        view: &RoutingView<'_>,
        area: &AreaView<'_>,
        lsa: &'l Lsa,
        is_max_age: bool,
    ) -> Option<Usable<'l>> {
        let metric = lsa.as_summary()?.metric;
        let maker = lsa.advertising_router();
        if metric >= LS_INFINITY || is_max_age || maker == view.router_id {
            return None;
        }
        let border = self.routers.get(&(maker, area.id)).filter(|r| r.area_border && !r.inter_area)?;
        let cost = border.cost.saturating_add(metric);
        (cost < LS_INFINITY).then(|| Usable { lsa, cost, next_hops: Arc::clone(&border.next_hops) })
    }

    /// Step 3: whether `prefix` is one of the router's own ranges, with a component.
    fn is_active_range(&self, view: &RoutingView<'_>, prefix: Ipv4Net) -> bool {
        view.area_border
            && view.areas.iter().any(|area| {
                area.ranges.contains_key(&prefix) && self.range_cost(area.id, prefix, u32::max).is_some()
            })
    }

    /// The cost of a range by its components, the area's intra-area networks in it; `None` if there is none and the
    /// range is not active. `choose` takes the cost that counts, of two.
    #[must_use]
    pub fn range_cost(&self, area: AreaId, range: Ipv4Net, choose: fn(u32, u32) -> u32) -> Option<u32> {
        let last = Ipv4Net::from(range.broadcast());
        self.networks
            .range(range..=last)
            .filter(|(prefix, route)| {
                route.path_type == PathType::IntraArea && route.area == area && range.contains(*prefix)
            })
            .map(|(_, route)| route.cost)
            .reduce(choose)
    }

    /// Steps 5 and 6 for a network.
    fn add_summary_network(&mut self, area: AreaId, prefix: Ipv4Net, usable: &Usable<'_>) {
        let from = usable.lsa.advertising_router();
        match self.networks.get_mut(&prefix) {
            Some(old) if old.path_type == PathType::IntraArea || old.cost < usable.cost => {}
            Some(old) if old.cost == usable.cost => {
                old.paths = with_paths(&old.paths, &usable.next_hops, from);
            }
            _ => {
                let route = OspfRoute {
                    path_type: PathType::InterArea,
                    nssa: false,
                    area,
                    cost: usable.cost,
                    type2_cost: 0,
                    tag: 0,
                    paths: paths_from(&usable.next_hops, from),
                };
                self.networks.insert(prefix, route);
            }
        }
    }

    /// Steps 5 and 6 for an AS boundary router.
    fn add_summary_asbr(&mut self, area: AreaId, asbr: RouterId, usable: Usable<'_>) {
        let new = RouterRoute {
            inter_area: true,
            cost: usable.cost,
            next_hops: usable.next_hops,
            area_border: false,
            as_boundary: true,
            nssa_translator: false,
        };
        let old = self.routers.remove(&(asbr, area));
        // A router that is known inside the area but does not say there that it is a boundary router stays what it is.
        let mut slot = old;
        add_router_route(&mut slot, new);
        if let Some(route) = slot {
            self.routers.insert((asbr, area), route);
        }
    }

    /// Section 16.3: whether summary LSAs of a transit area offer shorter or equal ways to destinations that are reached
    /// through the backbone, so over a virtual link.
    fn examine_transit_area(&mut self, view: &RoutingView<'_>, area: &AreaView<'_>) {
        for entry in area.database.of_type(LsType::SummaryNetwork) {
            let max_age = entry.age(view.now).is_max();
            let Some(usable) = self.usable_summary(view, area, &entry.lsa, max_age) else { continue };
            let Some(prefix) = summary_prefix(&entry.lsa) else { continue };
            let from = usable.lsa.advertising_router();
            let Some(route) = self.networks.get_mut(&prefix) else { continue };
            if route.path_type > PathType::InterArea
                || route.area != AreaId::BACKBONE
                || route.is_attached()
                || usable.cost > route.cost
            {
                continue;
            }
            if usable.cost < route.cost {
                route.cost = usable.cost;
                route.paths = paths_from(&usable.next_hops, from);
            } else {
                route.paths = with_paths(&route.paths, &usable.next_hops, from);
            }
        }
        for entry in area.database.of_type(LsType::SummaryAsbr) {
            let max_age = entry.age(view.now).is_max();
            let Some(usable) = self.usable_summary(view, area, &entry.lsa, max_age) else { continue };
            let key = (RouterId(entry.lsa.link_state_id()), AreaId::BACKBONE);
            let Some(route) = self.routers.get_mut(&key).filter(|route| route.as_boundary) else { continue };
            if usable.cost < route.cost {
                route.cost = usable.cost;
                route.next_hops = usable.next_hops;
            } else if usable.cost == route.cost {
                route.next_hops = super::merged(&route.next_hops, &usable.next_hops);
            }
        }
    }
}

/// The network of a type 3 LSA: its Link State ID may have host bits set (appendix E).
fn summary_prefix(lsa: &Lsa) -> Option<Ipv4Net> {
    let mask: Ipv4Addr = lsa.as_summary()?.mask;
    Ipv4Net::with_netmask(lsa.link_state_id(), mask).ok().map(|prefix| prefix.trunc())
}
