//! Next hops of paths, followed through the routing table.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::ids::VrfId;
use crate::process::Context;
use crate::rib::{RouteKind, TableId};

/// What is known of a next hop.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextHopState {
    /// A route leads to it.
    pub reachable: bool,
    /// It lies on a connected subnet.
    pub connected: bool,
    /// Metric of the route to it.
    pub metric: u32,
    /// Addresses that were looked up on the way.
    consulted: Vec<Ipv4Addr>,
}

/// The next hops of the paths of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextHops {
    states: BTreeMap<Ipv4Addr, NextHopState>,
    /// By address looked up: the next hops that depend on it.
    dependents: BTreeMap<Ipv4Addr, BTreeSet<Ipv4Addr>>,
    /// Next hops whose route may have changed.
    stale: BTreeSet<Ipv4Addr>,
}

impl NextHops {
    /// What is known of a next hop, if a path has it.
    #[must_use]
    pub fn get(&self, address: Ipv4Addr) -> Option<&NextHopState> {
        self.states.get(&address)
    }

    /// All next hops.
    pub fn iter(&self) -> impl Iterator<Item = (Ipv4Addr, &NextHopState)> {
        self.states.iter().map(|(&address, state)| (address, state))
    }

    /// Looks a next hop up, unless it is known.
    pub(super) fn learn(&mut self, context: &Context<'_>, vrf: VrfId, address: Ipv4Addr) {
        if !address.is_unspecified() && !self.states.contains_key(&address) {
            self.look_up(context, vrf, address);
        }
    }

    /// Looks a next hop up; tells whether anything that matters to paths is new.
    fn look_up(&mut self, context: &Context<'_>, vrf: VrfId, address: Ipv4Addr) -> bool {
        let table = TableId::ipv4(vrf);
        let resolution = context.rib.resolve(table, address);
        let route = context.rib.lookup(table, address);
        let state = NextHopState {
            reachable: resolution.as_ref().is_some_and(|r| !r.paths.is_empty()),
            connected: route.is_some_and(|route| route.kind == RouteKind::Connected),
            metric: resolution.as_ref().map_or(0, |r| r.metric),
            consulted: resolution.map_or_else(|| vec![address], |r| r.consulted),
        };
        for &on_the_way in &state.consulted {
            self.dependents.entry(on_the_way).or_default().insert(address);
        }
        let known = self.states.get(&address);
        let same = known.is_some_and(|old| {
            (old.reachable, old.connected, old.metric) == (state.reachable, state.connected, state.metric)
        });
        let gone: Vec<Ipv4Addr> = known
            .map(|old| old.consulted.iter().copied().filter(|a| !state.consulted.contains(a)).collect())
            .unwrap_or_default();
        for no_longer in gone {
            self.no_longer_depends(no_longer, address);
        }
        self.states.insert(address, state);
        !same
    }

    fn no_longer_depends(&mut self, on: Ipv4Addr, address: Ipv4Addr) {
        if let Some(set) = self.dependents.get_mut(&on) {
            set.remove(&address);
            if set.is_empty() {
                self.dependents.remove(&on);
            }
        }
    }

    /// A route has changed; tells whether next hops depend on it.
    pub(super) fn route_changed(&mut self, prefix: Ipv4Net) -> bool {
        let span = prefix.network()..=prefix.broadcast();
        let before = self.stale.len();
        let affected = self.dependents.range(span).flat_map(|(_, hops)| hops.iter().copied());
        self.stale.extend(affected);
        self.stale.len() != before
    }

    /// Looks up again what may have changed; gives the next hops that are others now.
    pub(super) fn refresh(&mut self, context: &Context<'_>, vrf: VrfId) -> BTreeSet<Ipv4Addr> {
        let stale = std::mem::take(&mut self.stale);
        stale.into_iter().filter(|&address| self.look_up(context, vrf, address)).collect()
    }

    /// Forgets all next hops but these.
    pub(super) fn retain(&mut self, used: &BTreeSet<Ipv4Addr>) {
        let gone: Vec<Ipv4Addr> = self.states.keys().copied().filter(|a| !used.contains(a)).collect();
        for address in gone {
            if let Some(state) = self.states.remove(&address) {
                for on in state.consulted {
                    self.no_longer_depends(on, address);
                }
            }
            self.stale.remove(&address);
        }
    }
}
