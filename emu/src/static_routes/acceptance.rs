//! Which static routes are used: the greatest set, in the order of configuration, in which every next hop can be reached.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use crate::config::StaticRoute;
use crate::rib::{NextHop, Route, RouteKind, RouteOwner, RouteTable, RouteView, distance, resolve_next_hops};
use crate::time::Time;

/// The routes of all other owners, and the static routes accepted so far.
struct View<'a> {
    others: Option<&'a RouteTable>,
    accepted: BTreeMap<Ipv4Net, Route>,
}

impl RouteView for View<'_> {
    fn longest_match(&self, address: Ipv4Addr) -> Option<&Route> {
        let others = self.others.and_then(|table| table.covering_offers(address).filter_map(foreign).last());
        let ours = (0..=32).rev().find_map(|length| {
            let prefix = Ipv4Net::new(address, length).ok()?.trunc();
            self.accepted.get(&prefix)
        });
        match (ours, others) {
            (Some(ours), Some(other)) => {
                let rank = |r: &Route| (std::cmp::Reverse(r.prefix.prefix_len()), r.distance);
                Some(if rank(other) < rank(ours) { other } else { ours })
            }
            (ours, others) => ours.or(others),
        }
    }
}

/// The best offer that is not a static route.
fn foreign(offers: &[Route]) -> Option<&Route> {
    offers.iter().find(|r| r.owner != RouteOwner::Static && r.distance < distance::UNUSABLE)
}

/// The work in progress.
pub(super) struct Acceptance<'a> {
    view: View<'a>,
    now: Time,
    /// The recursive routes accepted, each with the addresses that its resolution looked up.
    recursive: Vec<(Ipv4Addr, Vec<Ipv4Addr>)>,
    watched: BTreeSet<Ipv4Addr>,
}

impl<'a> Acceptance<'a> {
    pub(super) fn new(others: Option<&'a RouteTable>, now: Time) -> Self {
        let view = View { others, accepted: BTreeMap::new() };
        Self { view, now, recursive: Vec::new(), watched: BTreeSet::new() }
    }

    /// Accepts a route; of several to one prefix those of the least distance count, and share the load.
    pub(super) fn accept(&mut self, route: &StaticRoute, hop: Option<NextHop>) {
        let prefix = route.prefix.trunc();
        let mut hops: Vec<NextHop> = hop.into_iter().collect();
        let mut tag = route.tag;
        match self.view.accepted.get(&prefix) {
            Some(old) if old.distance < route.distance => return,
            Some(old) if old.distance == route.distance => {
                hops.extend(old.next_hops.iter());
                tag = old.tag;
            }
            _ => {}
        }
        hops.sort_unstable();
        hops.dedup();
        let accepted = Route {
            prefix,
            owner: RouteOwner::Static,
            kind: RouteKind::Static,
            distance: route.distance,
            metric: 0,
            tag,
            next_hops: hops.into(),
            installed: self.now,
        };
        self.view.accepted.insert(prefix, accepted);
    }

    /// Accepts recursive routes, again and again until none is added: one may be reached through another.
    pub(super) fn accept_recursive(&mut self, mut pending: Vec<(&StaticRoute, Ipv4Addr)>) {
        loop {
            let before = pending.len();
            pending.retain(|&(route, address)| !self.try_recursive(route, address));
            if pending.len() == before {
                return;
            }
        }
    }

    /// Accepts a recursive route if its next hop can be reached, and it and all accepted before still can with it in place.
    fn try_recursive(&mut self, route: &StaticRoute, address: Ipv4Addr) -> bool {
        let hop = NextHop::recursive(address);
        if self.reach(hop).is_none() {
            return false;
        }
        let prefix = route.prefix.trunc();
        let previous = self.view.accepted.get(&prefix).cloned();
        let accepted_before = self.recursive.len();
        self.accept(route, Some(hop));
        let fits = self.reach(hop).is_some_and(|consulted| {
            self.recursive.push((address, consulted));
            self.all_reachable_after(prefix)
        });
        if !fits {
            self.recursive.truncate(accepted_before);
            match previous {
                Some(previous) => self.view.accepted.insert(prefix, previous),
                None => self.view.accepted.remove(&prefix),
            };
            // Those that were looked up through the refused route go their old way again.
            self.all_reachable_after(prefix);
        }
        fits
    }

    /// Whether the next hops that may go through `prefix` can be reached.
    fn all_reachable_after(&mut self, prefix: Ipv4Net) -> bool {
        for at in 0..self.recursive.len() {
            let Some((address, consulted)) = self.recursive.get(at) else { break };
            if !consulted.iter().any(|a| prefix.contains(a)) {
                continue;
            }
            let Some(consulted) = self.reach(NextHop::recursive(*address)) else { return false };
            if let Some((_, old)) = self.recursive.get_mut(at) {
                *old = consulted;
            }
        }
        true
    }

    /// The addresses looked up to reach a next hop; `None` if it cannot be reached.
    fn reach(&mut self, hop: NextHop) -> Option<Vec<Ipv4Addr>> {
        let resolution = resolve_next_hops(&self.view, &[hop]);
        self.watched.extend(&resolution.consulted);
        resolution.is_usable().then_some(resolution.consulted)
    }

    /// The routes to offer, and the addresses to watch.
    pub(super) fn finish(self) -> (BTreeMap<Ipv4Net, Route>, BTreeSet<Ipv4Addr>) {
        (self.view.accepted, self.watched)
    }
}
