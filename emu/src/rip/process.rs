//! The process: inputs in, actions out.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use ipnet::Ipv4Net;
use rand::RngExt as _;
use serde::{Deserialize, Serialize};

use super::config::{BasicTimers, DistanceBySource, RipConfig, RipInterfaceConfig};
use super::table::{Intervals, RipRoute, RouteState};
use crate::config::RouterConfig;
use crate::ids::{IfIndex, VrfId};
use crate::interface::{Interface, InterfaceTable, Medium};
use crate::process::{Action, Context, Input, Process};
use crate::rib::{NextHop, Route, RouteKind, RouteOwner, TableId, distance};
use crate::time::{Time, Timers};

/// IOS sends its updates up to 15% early, so that routers do not fall into step.
const JITTER_PERCENT: u64 = 15;

/// RFC 2453 section 3.10.1: for so many ms after a triggered update there is no other.
const TRIGGERED_PAUSE_MS: std::ops::RangeInclusive<u64> = 1000..=5000;

/// IOS's default of `maximum-paths`.
const MAXIMUM_PATHS: u8 = 4;

/// What a timer is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum Timer {
    /// The next regular update.
    Update,
    /// The next triggered update.
    Triggered,
    /// A destination grows old.
    Route(Ipv4Net),
}

/// An interface that RIP runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RipInterface {
    /// The last sequence number of MD5 authentication sent.
    pub(super) sequence: u32,
    /// The last sequence number received, by neighbour.
    pub(super) heard: BTreeMap<Ipv4Addr, u32>,
}

/// A router that has sent updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RipSource {
    /// When it sent its last one.
    pub last_update: Time,
}

/// RIP.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RipProcess {
    pub(super) vrf: VrfId,
    /// The name of the VRF; `None` is the global table.
    vrf_name: Option<String>,
    pub(super) routes: BTreeMap<Ipv4Net, RipRoute>,
    pub(super) interfaces: BTreeMap<IfIndex, RipInterface>,
    pub(super) sources: BTreeMap<Ipv4Addr, RipSource>,
    pub(super) timers: Timers<Timer>,
    /// Until then no triggered update is sent.
    triggered_pause: Option<Time>,
    intervals: Option<BasicTimers>,
    /// Destinations whose route is to be offered anew; empty between inputs.
    pub(super) dirty: BTreeSet<Ipv4Net>,
}

/// What handling an input needs.
pub(super) struct Env<'c, 'a> {
    pub context: &'c mut Context<'a>,
    pub actions: &'c mut Vec<Action>,
    /// The configuration of the instance.
    config: Option<&'a RipConfig>,
}

impl<'a> Env<'_, 'a> {
    pub(super) const fn now(&self) -> Time {
        self.context.now
    }

    pub(super) const fn config(&self) -> Option<&'a RipConfig> {
        self.config
    }

    pub(super) const fn interfaces(&self) -> &'a InterfaceTable {
        self.context.interfaces
    }

    /// The settings of an interface.
    pub(super) fn settings(&self, interface: &Interface) -> &'a RipInterfaceConfig {
        static NONE: std::sync::LazyLock<RipInterfaceConfig> =
            std::sync::LazyLock::new(RipInterfaceConfig::default);
        let config: &'a RouterConfig = self.context.config;
        config.interfaces.get(&interface.name).map_or(&NONE, |interface| &interface.rip)
    }
}

impl RipProcess {
    /// A process that has not seen its configuration.
    #[must_use]
    pub fn new(vrf: VrfId, vrf_name: Option<String>) -> Self {
        Self {
            vrf,
            vrf_name,
            routes: BTreeMap::new(),
            interfaces: BTreeMap::new(),
            sources: BTreeMap::new(),
            timers: Timers::default(),
            triggered_pause: None,
            intervals: None,
            dirty: BTreeSet::new(),
        }
    }

    /// The name of the VRF whose interfaces it runs on; `None` is the global table.
    #[must_use]
    pub fn vrf_name(&self) -> Option<&str> {
        self.vrf_name.as_deref()
    }

    /// The destinations that RIP knows.
    pub fn routes(&self) -> impl Iterator<Item = (Ipv4Net, &RipRoute)> {
        self.routes.iter().map(|(&prefix, route)| (prefix, route))
    }

    /// What it knows of a destination.
    #[must_use]
    pub fn route(&self, prefix: Ipv4Net) -> Option<&RipRoute> {
        self.routes.get(&prefix)
    }

    /// The interfaces that RIP runs on.
    pub fn interfaces(&self) -> impl Iterator<Item = IfIndex> + '_ {
        self.interfaces.keys().copied()
    }

    /// The routers that have sent updates.
    pub fn sources(&self) -> impl Iterator<Item = (Ipv4Addr, RipSource)> + '_ {
        self.sources.iter().map(|(&address, &source)| (address, source))
    }

    /// When the next regular update is due.
    #[must_use]
    pub fn next_update(&self) -> Option<Time> {
        self.timers.deadline(Timer::Update)
    }

    /// The administrative distance of routes that a router tells.
    #[must_use]
    pub fn distance(config: &RipConfig, router: &RouterConfig, gateway: Ipv4Addr, prefix: Ipv4Net) -> u8 {
        DistanceBySource::first_match(&config.distance_by_source, gateway, prefix, &router.policy)
            .or(config.distance)
            .unwrap_or(distance::RIP)
    }

    pub(super) fn intervals(&self) -> Intervals {
        Intervals::new(self.intervals.unwrap_or_default())
    }

    pub(super) fn maximum_paths(config: &RipConfig) -> usize {
        config.maximum_paths.unwrap_or(MAXIMUM_PATHS).into()
    }

    /// Replaces what is known of a destination, or forgets it.
    pub(super) fn put(&mut self, prefix: Ipv4Net, route: Option<RipRoute>) {
        match route {
            Some(route) => _ = self.routes.insert(prefix, route),
            None => _ = self.routes.remove(&prefix),
        }
        self.touched(prefix);
    }

    /// What is known of a destination has changed: its timer and its route follow.
    pub(super) fn touched(&mut self, prefix: Ipv4Net) {
        let intervals = self.intervals();
        match self.routes.get(&prefix).and_then(|route| route.deadline(intervals)) {
            Some(at) => self.timers.set(Timer::Route(prefix), at),
            None => self.timers.cancel(Timer::Route(prefix)),
        }
        self.dirty.insert(prefix);
    }

    fn configured(&mut self, env: &mut Env<'_, '_>) {
        let timers = env.config().and_then(|config| config.timers).unwrap_or_default();
        if self.intervals != Some(timers) {
            self.intervals = Some(timers);
            for prefix in self.routes.keys().copied().collect::<Vec<_>>() {
                self.touched(prefix);
            }
            if self.timers.is_running(Timer::Update) {
                self.schedule_update(env);
            }
        }
        self.interfaces_changed(env);
        self.own_routes_changed(env);
        // Distances may have changed.
        self.dirty.extend(self.routes.keys());
    }

    /// Makes the interfaces that RIP runs on those that it should run on.
    fn interfaces_changed(&mut self, env: &mut Env<'_, '_>) {
        let Some(config) = env.config() else { return };
        let table = env.interfaces();
        let wanted: BTreeSet<IfIndex> = table
            .iter()
            .filter(|i| i.vrf == self.vrf && i.is_up() && i.medium != Medium::Null)
            .filter(|i| table.source_address(i.index).is_some_and(|address| config.covers(address)))
            .map(|i| i.index)
            .collect();
        let (now, intervals) = (env.now(), self.intervals());
        let gone: Vec<IfIndex> =
            self.interfaces.keys().copied().filter(|index| !wanted.contains(index)).collect();
        for index in gone {
            self.interfaces.remove(&index);
            for (&prefix, route) in &mut self.routes {
                if route.interface_gone(index, now, intervals) != super::table::Outcome::Same {
                    self.dirty.insert(prefix);
                }
            }
        }
        for prefix in self.dirty.clone() {
            self.touched(prefix);
        }
        for index in wanted {
            if let Entry::Vacant(vacant) = self.interfaces.entry(index) {
                vacant.insert(RipInterface::default());
                self.request_table(env, index);
            }
        }
        match (self.interfaces.is_empty(), self.timers.is_running(Timer::Update)) {
            (true, _) => self.timers.cancel(Timer::Update),
            (false, false) => self.schedule_update(env),
            (false, true) => {}
        }
    }

    fn schedule_update(&mut self, env: &mut Env<'_, '_>) {
        let period = u64::from(self.intervals.unwrap_or_default().update_s).max(1) * 1000;
        let early = env.context.rng.random_range(0..=period * JITTER_PERCENT / 100);
        self.timers.set(Timer::Update, env.now() + Duration::from_millis(period - early));
    }

    fn run_timers(&mut self, env: &mut Env<'_, '_>) {
        while let Some(timer) = self.timers.pop_expired(env.now()) {
            match timer {
                Timer::Update => {
                    self.send_updates(env, false);
                    self.timers.cancel(Timer::Triggered);
                    self.schedule_update(env);
                }
                Timer::Triggered => {
                    self.send_updates(env, true);
                    let pause = Duration::from_millis(env.context.rng.random_range(TRIGGERED_PAUSE_MS));
                    self.triggered_pause = Some(env.now() + pause);
                }
                Timer::Route(prefix) => self.age(env, prefix),
            }
        }
    }

    fn age(&mut self, env: &Env<'_, '_>, prefix: Ipv4Net) {
        let intervals = self.intervals();
        let Some(route) = self.routes.get_mut(&prefix) else { return };
        match route.age(env.now(), intervals) {
            super::table::Outcome::Gone => self.put(prefix, None),
            _ => self.touched(prefix),
        }
    }

    /// Offers the routes that have changed, and has a triggered update sent if neighbours do not know yet.
    fn finish(&mut self, env: &mut Env<'_, '_>) {
        for prefix in std::mem::take(&mut self.dirty) {
            self.offer(env, prefix);
        }
        let pending = self.routes.values().any(|route| route.changed) && !self.interfaces.is_empty();
        if pending && !self.timers.is_running(Timer::Triggered) {
            let now = env.now();
            let at = self.triggered_pause.filter(|&pause| pause > now).unwrap_or(now);
            let threshold = env.config().and_then(|config| config.flash_update_threshold_s).unwrap_or(0);
            let regular = self.timers.deadline(Timer::Update);
            // The regular update tells it soon enough.
            if regular.is_none_or(|due| at + Duration::from_secs(threshold.into()) <= due) {
                self.timers.set(Timer::Triggered, at);
            }
        }
    }

    /// Makes the route offered to the routing table that of the destination.
    fn offer(&self, env: &mut Env<'_, '_>, prefix: Ipv4Net) {
        let table = TableId::ipv4(self.vrf);
        let offered = env.context.rib.offer_of(table, RouteOwner::Rip, prefix);
        match self.routes.get(&prefix).and_then(|route| self.rib_route(env, prefix, route)) {
            Some(route) if offered.is_some_and(|old| old.is_same_offer(&route)) => {}
            Some(route) => env.actions.push(Action::Install(route)),
            None if offered.is_some() => env.actions.push(Action::Withdraw(prefix)),
            None => {}
        }
    }

    fn rib_route(&self, env: &Env<'_, '_>, prefix: Ipv4Net, route: &RipRoute) -> Option<Route> {
        let config = env.config()?;
        let first = route.paths().first()?;
        let mut next_hops: Vec<NextHop> = route
            .paths()
            .iter()
            .map(|path| NextHop {
                learned_from: Some(path.gateway),
                ..NextHop::via(path.next_hop, path.interface)
            })
            .collect();
        next_hops.sort_unstable();
        next_hops.dedup_by_key(|hop| (hop.address, hop.interface));
        Some(Route {
            prefix,
            owner: RouteOwner::Rip,
            kind: RouteKind::Rip,
            distance: Self::distance(config, env.context.config, first.gateway, prefix),
            metric: first.metric.into(),
            tag: first.tag.into(),
            next_hops: Arc::from(next_hops),
            installed: env.now(),
        })
    }

    /// `clear ip route *` and the like: forgets what neighbours have told, and asks them again.
    fn restart(&mut self, env: &mut Env<'_, '_>) {
        let learned: Vec<Ipv4Net> = self
            .routes
            .iter()
            .filter(|(_, route)| matches!(route.state, RouteState::Learned { .. } | RouteState::Down { .. }))
            .map(|(&prefix, _)| prefix)
            .collect();
        learned.into_iter().for_each(|prefix| self.put(prefix, None));
        self.sources.clear();
        for index in self.interfaces.keys().copied().collect::<Vec<_>>() {
            self.request_table(env, index);
        }
    }
}

impl Process for RipProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        let config: &RouterConfig = context.config;
        let config = config.rip.as_ref().and_then(|rip| rip.instance(self.vrf_name.as_deref()));
        let mut env = Env { context, actions, config };
        match input {
            Input::Configured => self.configured(&mut env),
            Input::InterfaceChanged(_) => {
                self.interfaces_changed(&mut env);
                self.own_routes_changed(&mut env);
            }
            Input::Received(datagram) => self.received(&mut env, datagram),
            Input::Deadline => self.run_timers(&mut env),
            Input::RouteChanged(change) => self.route_changed(&mut env, change),
            Input::Restart => self.restart(&mut env),
            Input::TrackChanged(_) | Input::Command(_) => {}
        }
        self.finish(&mut env);
    }

    fn next_deadline(&self) -> Option<Time> {
        self.timers.next_deadline()
    }

    fn quiet_interval(&self) -> Duration {
        self.intervals.unwrap_or_default().longest()
    }
}
