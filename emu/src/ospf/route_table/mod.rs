//! The routing table of an OSPF process (RFC 2328 sections 11 and 16).
//!
//! Pure functions of databases and shortest-path trees. The stages build upon each other, so that a change of summary or
//! external LSAs repeats only the later ones:
//!
//! | file | section | stage |
//! |---|---|---|
//! | here | 16.1 | intra-area routes out of the areas' trees |
//! | `inter_area.rs` | 16.2, 16.3 | summary LSAs; better ways through transit areas |
//! | `external.rs` | 16.4, RFC 3101 2.5 | AS-external and NSSA LSAs |

mod external;
mod inter_area;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::config::{AreaKind, AreaRange};
use super::lsdb::Database;
use super::spf::{NextHops, OspfNextHop, ReachedNetwork, ShortestPaths, merged};
use crate::ids::{AreaId, RouterId};
use crate::rib::RouteKind;
use crate::time::Time;

/// Types of paths in the order of preference (RFC 2328 section 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PathType {
    /// Inside an area that the router is attached to.
    IntraArea,
    /// In another area.
    InterArea,
    /// Outside the AS, comparable metric.
    External1,
    /// Outside the AS, greater metric.
    External2,
}

/// One of the equal paths to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OspfPath {
    /// Where to send.
    pub next_hop: OspfNextHop,
    /// Who advertises the destination.
    pub from: RouterId,
}

/// The path to a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OspfRoute {
    /// Its type.
    pub path_type: PathType,
    /// Learned from a type 7 LSA.
    pub nssa: bool,
    /// The area whose LSAs tell of it; for type 5, the area through which the AS boundary router or forwarding address is reached.
    pub area: AreaId,
    /// Distance; for type 2 the distance to the AS boundary router or forwarding address.
    pub cost: u32,
    /// Type 2 metric.
    pub type2_cost: u32,
    /// External route tag.
    pub tag: u32,
    /// The equal paths, sorted by next hop, each next hop once. Without address, or none, where the router is attached itself.
    pub paths: Arc<[OspfPath]>,
}

impl OspfRoute {
    /// The metric of the routing table: of type 2 routes the external part alone.
    #[must_use]
    pub const fn metric(&self) -> u32 {
        match self.path_type {
            PathType::External2 => self.type2_cost,
            _ => self.cost,
        }
    }

    /// Whether the router has the network on an interface of its own.
    #[must_use]
    pub fn is_attached(&self) -> bool {
        self.path_type == PathType::IntraArea && self.paths.iter().all(|path| path.next_hop.address.is_none())
    }

    /// Its letters in the routing table.
    #[must_use]
    pub const fn kind(&self) -> RouteKind {
        match (self.path_type, self.nssa) {
            (PathType::IntraArea, _) => RouteKind::OspfIntraArea,
            (PathType::InterArea, _) => RouteKind::OspfInterArea,
            (PathType::External1, false) => RouteKind::OspfExternal1,
            (PathType::External1, true) => RouteKind::OspfNssa1,
            (PathType::External2, false) => RouteKind::OspfExternal2,
            (PathType::External2, true) => RouteKind::OspfNssa2,
        }
    }
}

/// The path to an area border or AS boundary router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterRoute {
    /// Told by a summary LSA instead of the router's own.
    pub inter_area: bool,
    /// Distance.
    pub cost: u32,
    /// Equal next hops.
    pub next_hops: NextHops,
    /// It is an area border router.
    pub area_border: bool,
    /// It is an AS boundary router.
    pub as_boundary: bool,
    /// It translates type 7 LSAs whatever the election says (RFC 3101's Nt bit).
    pub nssa_translator: bool,
}

/// What the calculation knows of an area.
#[derive(Clone, Copy, Debug)]
pub struct AreaView<'a> {
    /// Its number.
    pub id: AreaId,
    /// Normal, stub or NSSA.
    pub kind: AreaKind,
    /// Its LSAs.
    pub database: &'a Database,
    /// `area N range`.
    pub ranges: &'a BTreeMap<Ipv4Net, AreaRange>,
    /// TransitCapability, as its tree tells.
    pub transit: bool,
}

/// What the calculation knows of the router.
#[derive(Clone, Debug)]
pub struct RoutingView<'a> {
    /// The calculating router.
    pub router_id: RouterId,
    /// Virtual time: for the ages of LSAs.
    pub now: Time,
    /// Attached areas, in the order of their numbers.
    pub areas: Vec<AreaView<'a>>,
    /// LSAs of AS scope.
    pub external: Option<&'a Database>,
    /// The router is an area border router.
    pub area_border: bool,
    /// Only the backbone's summary LSAs are looked at (section 16.2): so on an area border router with an adjacency in the
    /// backbone. IOS looks at all areas if the backbone is cut off (RFC 3509 section 2.2).
    pub backbone_only: bool,
    /// `compatible rfc1583`.
    pub rfc1583_compatible: bool,
}

impl<'a> RoutingView<'a> {
    /// The view of an area.
    #[must_use]
    pub fn area(&self, id: AreaId) -> Option<&AreaView<'a>> {
        self.areas.iter().find(|area| area.id == id)
    }
}

/// The routing table of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteTable {
    /// Networks.
    pub networks: BTreeMap<Ipv4Net, OspfRoute>,
    /// Area border and AS boundary routers, by router and by the area through which they are reached.
    pub routers: BTreeMap<(RouterId, AreaId), RouterRoute>,
}

impl RouteTable {
    /// All stages.
    #[must_use]
    pub fn calculate(view: &RoutingView<'_>, trees: &BTreeMap<AreaId, ShortestPaths>) -> Self {
        let mut table = Self::default();
        for area in &view.areas {
            if let Some(tree) = trees.get(&area.id) {
                table.add_intra_area(view.router_id, area.id, tree);
            }
        }
        table.add_inter_area(view);
        table.add_external(view);
        table
    }

    /// The stages behind section 16.1, after a change of summary LSAs alone (section 16.5). Not to be used with transit
    /// areas, which change intra-area routes.
    pub fn recalculate_inter_area(&mut self, view: &RoutingView<'_>) {
        self.networks.retain(|_, route| route.path_type == PathType::IntraArea);
        self.routers.retain(|_, route| !route.inter_area);
        self.add_inter_area(view);
        self.add_external(view);
    }

    /// The last stage, after a change of external LSAs alone (section 16.6).
    pub fn recalculate_external(&mut self, view: &RoutingView<'_>) {
        self.networks.retain(|_, route| route.path_type <= PathType::InterArea);
        self.add_external(view);
    }

    /// Section 16.1: what the tree of an area reaches.
    fn add_intra_area(&mut self, own: RouterId, area: AreaId, tree: &ShortestPaths) {
        let routes = intra_area_routes(area, tree);
        if self.networks.is_empty() {
            self.networks = routes.into_iter().collect();
        } else {
            routes.into_iter().for_each(|(prefix, route)| self.add_intra_area_route(prefix, route));
        }
        let special = |flags: &super::lsa::RouterFlags| flags.area_border || flags.as_boundary;
        for reached in tree.routers.iter().filter(|reached| reached.router != own && special(&reached.flags))
        {
            let route = RouterRoute {
                inter_area: false,
                cost: reached.cost,
                next_hops: Arc::clone(&reached.next_hops),
                area_border: reached.flags.area_border,
                as_boundary: reached.flags.as_boundary,
                nssa_translator: reached.flags.nssa_translator,
            };
            self.routers.insert((reached.router, area), route);
        }
    }

    /// Of two areas with the same prefix at the same distance, the one looked at first keeps it.
    fn add_intra_area_route(&mut self, prefix: Ipv4Net, route: OspfRoute) {
        match self.networks.entry(prefix) {
            Entry::Occupied(old) if old.get().cost <= route.cost => {}
            Entry::Occupied(mut old) => {
                old.insert(route);
            }
            Entry::Vacant(slot) => {
                slot.insert(route);
            }
        }
    }

    /// The longest match of an address among intra- and inter-area routes.
    #[must_use]
    pub fn internal_match(&self, address: Ipv4Addr) -> Option<(Ipv4Net, &OspfRoute)> {
        (0..=32).rev().find_map(|length| {
            let prefix = Ipv4Net::new(address, length).ok()?.trunc();
            let route = self.networks.get(&prefix).filter(|r| r.path_type <= PathType::InterArea)?;
            Some((prefix, route))
        })
    }

    /// The path that leads to an AS boundary router, and its area (section 16.4 step 3): without RFC 1583 compatibility the most
    /// preferred kind first (section 16.4.1); the shortest; of equals the one of the greatest area number.
    #[must_use]
    pub fn as_boundary_router(
        &self,
        router: RouterId,
        rfc1583_compatible: bool,
    ) -> Option<(AreaId, &RouterRoute)> {
        self.routers
            .range((router, AreaId(0))..=(router, AreaId(u32::MAX)))
            .filter(|(_, route)| route.as_boundary)
            .map(|(&(_, area), route)| (area, route))
            .min_by_key(|&(area, route)| {
                let shunned = !rfc1583_compatible && !is_preferred_intra_area(area, route.inter_area);
                (shunned, route.cost, u32::MAX - area.0)
            })
    }
}

/// The networks of an area's tree as routes, by prefix. They are sorted before they become a map: large networks spend less time so than on
/// looking for the place of each.
fn intra_area_routes(area: AreaId, tree: &ShortestPaths) -> Vec<(Ipv4Net, OspfRoute)> {
    let mut found: Vec<(&ReachedNetwork, Arc<[OspfPath]>)> = Vec::with_capacity(tree.networks.len());
    for reached in &tree.networks {
        // The networks of a router follow each other, and share their paths.
        let same = |other: &ReachedNetwork| {
            other.from == reached.from && Arc::ptr_eq(&other.next_hops, &reached.next_hops)
        };
        let paths = match found.last() {
            Some((other, paths)) if same(other) => Arc::clone(paths),
            _ => paths_from(&reached.next_hops, reached.from),
        };
        found.push((reached, paths));
    }
    let mut order: Vec<(u64, usize)> =
        found.iter().enumerate().map(|(at, (reached, _))| (place(reached.prefix), at)).collect();
    order.sort_unstable();
    let mut routes: Vec<(Ipv4Net, OspfRoute)> = Vec::with_capacity(found.len());
    for (_, at) in order {
        let (reached, paths) = &found[at];
        let old = routes.last_mut().filter(|(prefix, _)| *prefix == reached.prefix).map(|(_, route)| route);
        match old {
            Some(old) if old.cost < reached.cost => {}
            Some(old) if old.cost == reached.cost => {
                old.paths = with_paths(&old.paths, &reached.next_hops, reached.from);
            }
            Some(old) => *old = intra_area_route(area, reached, Arc::clone(paths)),
            None => routes.push((reached.prefix, intra_area_route(area, reached, Arc::clone(paths)))),
        }
    }
    routes
}

/// The place of a prefix in the order of prefixes.
fn place(prefix: Ipv4Net) -> u64 {
    u64::from(prefix.network().to_bits()) << 8 | u64::from(prefix.prefix_len())
}

const fn intra_area_route(area: AreaId, reached: &ReachedNetwork, paths: Arc<[OspfPath]>) -> OspfRoute {
    let (path_type, cost) = (PathType::IntraArea, reached.cost);
    OspfRoute { path_type, nssa: false, area, cost, type2_cost: 0, tag: 0, paths }
}

/// Section 16.4.1: intra-area paths of areas other than the backbone come first.
fn is_preferred_intra_area(area: AreaId, inter_area: bool) -> bool {
    !inter_area && area != AreaId::BACKBONE
}

/// Next hops as the paths to what `from` advertises.
fn paths_from(next_hops: &NextHops, from: RouterId) -> Arc<[OspfPath]> {
    next_hops.iter().map(|&next_hop| OspfPath { next_hop, from }).collect()
}

/// Equal paths with more of them; a next hop stands there once, for whoever advertised it first.
fn with_paths(paths: &Arc<[OspfPath]>, next_hops: &NextHops, from: RouterId) -> Arc<[OspfPath]> {
    let known = |hop: &OspfNextHop| paths.iter().any(|path| path.next_hop == *hop);
    if next_hops.iter().all(known) {
        return Arc::clone(paths);
    }
    let more = next_hops.iter().filter(|hop| !known(hop)).map(|&next_hop| OspfPath { next_hop, from });
    let mut all: Vec<OspfPath> = paths.iter().copied().chain(more).collect();
    all.sort_unstable();
    all.into()
}

/// Adds a path to a router, of the kind and distance of those there are, or in their place if it is better.
fn add_router_route(slot: &mut Option<RouterRoute>, new: RouterRoute) {
    match slot {
        Some(old) if (old.inter_area, old.cost) < (new.inter_area, new.cost) => {}
        Some(old) if (old.inter_area, old.cost) == (new.inter_area, new.cost) => {
            old.next_hops = merged(&old.next_hops, &new.next_hops);
        }
        _ => *slot = Some(new),
    }
}
