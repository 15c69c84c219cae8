//! Routes as offers to the RIB, and what the RIB does with them.

use std::sync::Arc;

use ipnet::Ipv4Net;

use super::advertise::Telling;
use super::process::{EigrpProcess, Env};
use super::topology::{Destination, Path, PathSource};
use crate::process::Action;
use crate::rib::{NextHop, Route, RouteChange, RouteKind, distance};

/// IOS's default of `maximum-paths`.
const MAXIMUM_PATHS: u8 = 4;

/// The share of the best path of unequal ones, of which the others have their part.
const FULL_SHARE: u64 = 240;

impl EigrpProcess {
    /// Works off what an input has changed: summaries, then routes, until nothing is left.
    pub(super) fn settle(&mut self, env: &mut Env<'_, '_>) {
        loop {
            if let Some(summary) = self.unsettled_summaries.pop_first() {
                self.settle_summary(env, summary);
            } else if let Some(prefix) = self.unsettled_routes.pop_first() {
                self.settle_route(env, prefix);
            } else {
                return;
            }
        }
    }

    /// Makes the offer for a destination what it should be.
    fn settle_route(&mut self, env: &mut Env<'_, '_>, prefix: Ipv4Net) {
        let route = self.topology.get(&prefix).and_then(|destination| self.route(env, prefix, destination));
        self.check_rib(env, prefix, route.as_ref());
        // After a failure another path may have been chosen.
        let route = self.topology.get(&prefix).and_then(|destination| self.route(env, prefix, destination));
        self.unsettled_routes.remove(&prefix);
        if route.is_some() && self.topology.get(&prefix).is_some_and(Destination::is_candidate_default) {
            self.candidate_defaults.insert(prefix);
        } else {
            self.candidate_defaults.remove(&prefix);
        }
        let offered = env.context.rib.offer_of(self.table(), self.owner(), prefix);
        match route {
            Some(route) if !offered.is_some_and(|old| old.is_same_offer(&route)) => {
                env.actions.push(Action::Install(route));
            }
            None if offered.is_some() => env.actions.push(Action::Withdraw(prefix)),
            _ => {}
        }
    }

    /// The route that is offered for a destination. What leads to this router itself is no offer.
    fn route(&self, env: &Env<'_, '_>, prefix: Ipv4Net, destination: &Destination) -> Option<Route> {
        let own = destination.successors.iter().find(|source| source.neighbor().is_none());
        match own {
            Some(PathSource::Summary) => return self.discard_route(env, prefix, destination),
            Some(_) => return None,
            None => {}
        }
        let successors: Vec<&Path> =
            destination.successors.iter().filter_map(|source| destination.path(*source)).collect();
        let best =
            successors.iter().filter(|path| path.distance.is_finite()).min_by_key(|path| path.distance)?;
        let is_external = best.attributes.external.is_some();
        Some(Route {
            prefix,
            owner: self.owner(),
            kind: if is_external { RouteKind::EigrpExternal } else { RouteKind::EigrpInternal },
            distance: self.administrative_distance(env, prefix, best),
            metric: self.metrics.rib_metric(best.distance.distance()),
            tag: best.attributes.tag(),
            next_hops: self.next_hops(destination, &successors),
            installed: env.now(),
        })
    }

    /// The next hops: the successors, and with `variance` other feasible paths with their share of the traffic.
    fn next_hops(&self, destination: &Destination, successors: &[&Path]) -> Arc<[NextHop]> {
        let config = &self.applied.config;
        let variance = config.variance.unwrap_or(1);
        let mut paths: Vec<&Path> =
            successors.iter().copied().filter(|path| path.distance.is_finite()).collect();
        if !config.traffic_share_min {
            paths.extend(destination.alternatives(variance));
        }
        paths.sort_by_key(|path| (path.distance, path.source));
        paths.truncate(usize::from(config.maximum_paths.unwrap_or(MAXIMUM_PATHS)).max(1));
        let least = paths.first().map_or(0, |path| path.distance.distance().0);
        let unequal = paths.iter().any(|path| path.distance.distance().0 != least);
        let hop = |path: &Path| {
            let key = path.source.neighbor()?;
            let share = FULL_SHARE.saturating_mul(least) / path.distance.distance().0.max(1);
            Some(NextHop {
                weight: if unequal { u32::try_from(share).unwrap_or(1).max(1) } else { 1 },
                learned_from: Some(key.address),
                ..NextHop::via(path.next_hop.unwrap_or(key.address), key.interface)
            })
        };
        let mut hops: Vec<NextHop> = paths.into_iter().filter_map(hop).collect();
        hops.sort_unstable();
        hops.into()
    }

    /// The Null0 route of a summary, so that traffic to holes in it does not loop.
    fn discard_route(&self, env: &Env<'_, '_>, prefix: Ipv4Net, destination: &Destination) -> Option<Route> {
        let path = destination.path(PathSource::Summary)?;
        Some(Route {
            prefix,
            owner: self.owner(),
            kind: RouteKind::EigrpSummary,
            distance: self.summary_distance(prefix),
            metric: self.metrics.rib_metric(path.distance.distance()),
            tag: 0,
            next_hops: Arc::new([]),
            installed: env.now(),
        })
        .filter(|route| route.distance < distance::UNUSABLE)
    }

    /// IOS tells others only of routes that it could put into the routing table: sees whether a better one of another
    /// protocol is there.
    fn check_rib(&mut self, env: &mut Env<'_, '_>, prefix: Ipv4Net, route: Option<&Route>) {
        let Some(destination) = self.topology.get(&prefix) else { return };
        // While paths of this router are in use, the learned ones come into play again once the other protocol is gone.
        let learned = destination
            .paths()
            .iter()
            .filter(|path| path.source.neighbor().is_some() && path.distance.is_finite())
            .min_by_key(|path| path.distance);
        let wanted = match (route, learned) {
            (Some(route), _) if route.kind != RouteKind::EigrpSummary => route.distance,
            (_, Some(path)) => self.administrative_distance(env, prefix, path),
            (_, None) => distance::UNUSABLE,
        };
        let fails = learned.is_some() && self.is_beaten(env, prefix, wanted);
        if fails == destination.rib_failure {
            return;
        }
        let before = Telling::of(Some(destination));
        if let Some(destination) = self.topology.get_mut(&prefix) {
            destination.rib_failure = fails;
        }
        self.component_changed(prefix);
        self.announce(env, prefix, &before);
        self.reconsider(env, prefix);
    }

    /// Whether another protocol has a route that a route of this distance does not replace.
    fn is_beaten(&self, env: &Env<'_, '_>, prefix: Ipv4Net, wanted: u8) -> bool {
        let offers = env.context.rib.offers(self.table(), prefix);
        let own = offers.iter().position(|offer| offer.owner == self.owner());
        offers.iter().enumerate().any(|(place, offer)| {
            let first = own.is_none_or(|own| place < own);
            offer.owner != self.owner()
                && offer.distance < distance::UNUSABLE
                && (offer.distance < wanted || (offer.distance == wanted && first))
        })
    }

    /// The best route to a prefix has changed: it may be one to redistribute, or leave the place to one of ours.
    pub(super) fn route_changed(&mut self, env: &mut Env<'_, '_>, change: &RouteChange) {
        if change.table != self.table() {
            return;
        }
        let foreign = |route: &Option<Route>| route.as_ref().is_some_and(|route| route.owner != self.owner());
        if foreign(&change.old) || foreign(&change.new) {
            self.redistribute_prefix(env, change.prefix);
            self.unsettled_routes.insert(change.prefix);
        }
    }
}
