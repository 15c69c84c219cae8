//! Running the calculation, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use crate::ids::RouterId;
use crate::ids::{AreaId, IfIndex};
use crate::ospf::config::OspfConfig;
use crate::ospf::interface::OspfInterfaceKey;
use crate::ospf::process::{Env, OspfProcess};
use crate::ospf::route_table::RouteTable;
use crate::ospf::routing::schedule::CalculationKind;
use crate::ospf::spf::{ShortestPaths, shortest_paths};

/// The way to the other end of a virtual link (RFC 2328 section 15).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VirtualPath {
    /// Cost of the way, which is the cost of the link.
    pub cost: u16,
    /// The interface it starts with.
    pub interface: IfIndex,
    /// The router's own address on that interface.
    pub source: Ipv4Addr,
    /// The other end's address.
    pub peer: Ipv4Addr,
}

impl OspfProcess {
    /// Does the calculation that is due; then offers the routes to the RIB and tells other areas.
    pub(super) fn calculate(&mut self, env: &mut Env<'_, '_>) {
        let mut kind = self.routing.schedule.begin(env.now(), self.spf_throttle(env));
        let (Some(config), Some(router_id)) = (self.config(env.context), self.router_id) else { return };
        // Summary LSAs of transit areas change intra-area routes (section 16.3): those must be found anew.
        // Whether the makers of LSAs that do not age are within reach only the trees tell.
        let needs_trees = self.lsdb.do_not_age() > 0
            || (kind == CalculationKind::InterArea && !self.routing.transit_areas.is_empty());
        if needs_trees {
            kind = CalculationKind::Full;
        }
        match kind {
            CalculationKind::Full => self.calculate_everything(env, config, router_id),
            CalculationKind::InterArea | CalculationKind::External => {
                let mut table = std::mem::take(&mut self.routing.table);
                let view = self.routing_view(config, router_id, env.now());
                if kind == CalculationKind::InterArea {
                    table.recalculate_inter_area(&view);
                } else {
                    table.recalculate_external(&view);
                }
                self.routing.table = table;
            }
        }
        self.offer_routes(env);
        self.tell_routes(env);
    }

    fn calculate_everything(&mut self, env: &mut Env<'_, '_>, config: &OspfConfig, router_id: RouterId) {
        let mut trees: BTreeMap<AreaId, ShortestPaths> = BTreeMap::new();
        // The backbone comes last: its virtual links need the ways through the other areas.
        let (backbone, others): (Vec<AreaId>, Vec<AreaId>) =
            self.areas.keys().partition(|&&area| area == AreaId::BACKBONE);
        for area in others.into_iter().chain(backbone) {
            let attachments = self.attachments(env, config, area, &trees);
            if let Some(database) = self.lsdb.area(area) {
                trees.insert(area, shortest_paths(database, router_id, &attachments, env.now()));
            }
        }
        self.routing.transit_areas =
            trees.iter().filter(|(_, tree)| tree.transit_capability).map(|(&area, _)| area).collect();
        let view = self.routing_view(config, router_id, env.now());
        let table = RouteTable::calculate(&view, &trees);
        self.routing.table = table;
        self.update_virtual_links(env, &trees);
        if self.lsdb.do_not_age() == 0 && self.routing.unreachable.is_empty() {
            return;
        }
        let routers: BTreeSet<RouterId> =
            self.routing.table.routers.keys().map(|&(router, _)| router).collect();
        let within_area = |router| trees.values().any(|tree| tree.router(router).is_some());
        self.note_unreachable(env.now(), |router| within_area(router) || routers.contains(&router));
    }

    /// Section 16.1 step 3: virtual links are up as long as the other end is reached through the transit area.
    fn update_virtual_links(&mut self, env: &mut Env<'_, '_>, trees: &BTreeMap<AreaId, ShortestPaths>) {
        let links: Vec<OspfInterfaceKey> = self
            .interfaces
            .keys()
            .copied()
            .filter(|key| matches!(key, OspfInterfaceKey::Virtual { .. }))
            .collect();
        for key in links {
            let OspfInterfaceKey::Virtual { transit, peer } = key else { continue };
            let path = trees.get(&transit).and_then(|tree| self.virtual_path(tree, peer));
            self.virtual_link_path(env, key, path);
        }
    }

    fn virtual_path(&self, tree: &ShortestPaths, peer: RouterId) -> Option<VirtualPath> {
        let reached = tree.router(peer)?;
        let first = reached.next_hops.first()?;
        let interface = self.interfaces.get(&OspfInterfaceKey::Physical(first.interface))?;
        // A cost of LSInfinity or more is no way (section 15).
        let cost = u16::try_from(reached.cost).ok().filter(|&cost| cost < u16::MAX)?;
        Some(VirtualPath {
            cost,
            interface: first.interface,
            source: interface.source,
            peer: reached.address?,
        })
    }
}
