//! Routes as offers to the RIB.

use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use rustc_hash::FxHashMap;

use super::filters::Filters;
use crate::ids::RouterId;
use crate::ospf::config::{DistanceBySource, OspfConfig};
use crate::ospf::process::{Env, OspfProcess};
use crate::ospf::route_table::{OspfPath, OspfRoute, PathType};
use crate::process::Action;
use crate::rib::{NextHop, Route, RouteKind, RouteOwner, TableId, distance};

/// IOS's default of `maximum-paths`.
const MAXIMUM_PATHS: u8 = 4;

/// Distance of the discard route of an external summary (IOS's default of `discard-route external`).
const EXTERNAL_DISCARD_DISTANCE: u8 = 254;

impl OspfProcess {
    /// Offers what has changed, and takes back what is gone.
    pub(super) fn offer_routes(&self, env: &mut Env<'_, '_>) {
        let owner = RouteOwner::Ospf(self.process_id);
        let table = TableId::ipv4(self.vrf);
        let offers = self.offers(env);
        // Both are in the order of their prefixes.
        let mut standing = env.context.rib.offers_of(table, owner).peekable();
        let mut installs = Vec::new();
        for route in offers {
            while let Some(gone) = standing.next_if(|old| old.prefix < route.prefix) {
                env.actions.push(Action::Withdraw(gone.prefix));
            }
            let old = standing.next_if(|old| old.prefix == route.prefix);
            if !old.is_some_and(|old| old.is_same_offer(&route)) {
                installs.push(Action::Install(route));
            }
        }
        env.actions.extend(standing.map(|gone| Action::Withdraw(gone.prefix)));
        env.actions.extend(installs);
    }

    /// All routes that the process offers, by prefix.
    fn offers(&self, env: &Env<'_, '_>) -> Vec<Route> {
        let Some(config) = self.config(env.context) else { return Vec::new() };
        let filters = Filters::new(env.context);
        let mut offers = Vec::with_capacity(self.routing.table.networks.len());
        // Routes that share their paths share their next hops.
        let mut shared: FxHashMap<*const OspfPath, Arc<[NextHop]>> = FxHashMap::default();
        for (&prefix, route) in &self.routing.table.networks {
            // What is attached is the connected route's.
            if route.is_attached() {
                continue;
            }
            let next_hops = shared.entry(route.paths.as_ptr()).or_insert_with(|| next_hops(config, route));
            let route = Route {
                prefix,
                owner: RouteOwner::Ospf(self.process_id),
                kind: route.kind(),
                distance: distance_of(config, &filters, prefix, route),
                metric: route.metric(),
                tag: route.tag,
                next_hops: Arc::clone(next_hops),
                installed: env.now(),
            };
            if filters.permits_in(config, &route) {
                offers.push(route);
            }
        }
        for (prefix, metric, distance) in self.discards(config) {
            let Err(at) = offers.binary_search_by_key(&prefix, |route| route.prefix) else { continue };
            let discard = Route {
                prefix,
                owner: RouteOwner::Ospf(self.process_id),
                kind: RouteKind::OspfDiscard,
                distance,
                metric,
                tag: 0,
                next_hops: Arc::new([]),
                installed: env.now(),
            };
            offers.insert(at, discard);
        }
        offers
    }

    /// Null routes behind active ranges and external summaries, so that traffic to holes in them does not loop: prefix, metric,
    /// distance.
    fn discards(&self, config: &OspfConfig) -> Vec<(Ipv4Net, u32, u8)> {
        let mut discards = Vec::new();
        if self.is_area_border_router() {
            let choose = if config.no_rfc1583 { u32::max } else { u32::min };
            for (&area, settings) in &config.areas {
                let active = settings.ranges.iter().filter(|(_, range)| !range.not_advertise).filter_map(
                    |(&prefix, range)| {
                        let cost = self.routing.table.range_cost(area, prefix, choose)?;
                        Some((prefix, range.cost.unwrap_or(cost), distance::OSPF))
                    },
                );
                discards.extend(active);
            }
        }
        let summaries = self.routing.active_summaries.iter();
        discards.extend(summaries.map(|&prefix| (prefix, 0, EXTERNAL_DISCARD_DISTANCE)));
        discards
    }
}

/// The paths of a route as next hops, as many as `maximum-paths` allows.
fn next_hops(config: &OspfConfig, route: &OspfRoute) -> Arc<[NextHop]> {
    let most = usize::from(config.maximum_paths.unwrap_or(MAXIMUM_PATHS)).max(1);
    let hop = |path: &OspfPath| NextHop {
        address: path.next_hop.address,
        interface: Some(path.next_hop.interface),
        weight: 1,
        learned_from: Some(path.from.0),
    };
    route.paths.iter().take(most).map(hop).collect()
}

/// Administrative distance: `distance D A W [ACL]` for the advertising router, else `distance ospf`, else `distance`, else 110.
fn distance_of(config: &OspfConfig, filters: &Filters<'_>, prefix: Ipv4Net, route: &OspfRoute) -> u8 {
    let from = route.paths.first().map_or(RouterId(Ipv4Addr::UNSPECIFIED), |path| path.from);
    let by_source =
        DistanceBySource::first_match(&config.distance_by_source, from.0, prefix, filters.policy());
    let by_type = match route.path_type {
        PathType::IntraArea => config.distance_by_type.intra_area,
        PathType::InterArea => config.distance_by_type.inter_area,
        PathType::External1 | PathType::External2 => config.distance_by_type.external,
    };
    by_source.or(by_type).or(config.distance).unwrap_or(distance::OSPF)
}
