//! What RIP tells of its own: connected subnets, redistributed routes, the default.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::config::{FilterScope, RipConfig, SeedMetric};
use super::packet::INFINITY;
use super::process::{Env, RipProcess};
use super::table::{Redistributed, RipRoute, RouteState};
use crate::config::RouterConfig;
use crate::ids::{IfIndex, VrfId};
use crate::policy::{OspfRouteType, RouteView};
use crate::rib::{Rib, Route, RouteChange, RouteKind, RouteOwner, TableId};

/// The metric of connected and static routes that are redistributed without any.
const LOCAL_METRIC: u32 = 1;

impl RipProcess {
    /// Works out all own destinations anew.
    pub(super) fn own_routes_changed(&mut self, env: &mut Env<'_, '_>) {
        let mut prefixes: BTreeSet<Ipv4Net> =
            self.routes.iter().filter(|(_, route)| is_own(&route.state)).map(|(&prefix, _)| prefix).collect();
        prefixes.extend(env.context.rib.routes(TableId::ipv4(self.vrf)).map(|route| route.prefix));
        prefixes.extend(self.connected(env).map(|(prefix, _)| prefix));
        prefixes.insert(Ipv4Net::default());
        for prefix in prefixes {
            self.own_route_changed(env, prefix);
        }
    }

    /// The best route to a destination has changed.
    pub(super) fn route_changed(&mut self, env: &mut Env<'_, '_>, change: &RouteChange) {
        if change.table != TableId::ipv4(self.vrf) {
            return;
        }
        let displaced = change.new.as_ref().is_some_and(|route| route.owner != RouteOwner::Rip);
        if displaced && self.routes.get(&change.prefix).is_some_and(|route| !route.paths().is_empty()) {
            self.lose(env, change.prefix);
        }
        self.own_route_changed(env, change.prefix);
        let by_map = |config: &RipConfig| {
            config.default_information.as_ref().is_some_and(|default| default.route_map.is_some())
        };
        let is_candidate = env.context.config.default_networks.contains(&change.prefix);
        if is_candidate || env.config().is_some_and(by_map) {
            self.own_route_changed(env, Ipv4Net::default());
        }
    }

    fn lose(&mut self, env: &Env<'_, '_>, prefix: Ipv4Net) {
        let intervals = self.intervals();
        if let Some(route) = self.routes.get_mut(&prefix) {
            route.lose(env.now(), intervals);
            self.touched(prefix);
        }
    }

    /// Works out anew whether a destination is an own one.
    fn own_route_changed(&mut self, env: &Env<'_, '_>, prefix: Ipv4Net) {
        let known = self.routes.get(&prefix);
        match self.own_state(env, prefix) {
            Some(state) if known.is_some_and(|route| route.state == state) => {}
            Some(state) => self.put(prefix, Some(RipRoute::new(state))),
            None if known.is_some_and(|route| is_own(&route.state)) => self.lose(env, prefix),
            None => {}
        }
    }

    fn own_state(&self, env: &Env<'_, '_>, prefix: Ipv4Net) -> Option<RouteState> {
        let config = env.config()?;
        let connected = self.connected(env).find(|(net, _)| *net == prefix);
        if let Some((_, interface)) = connected {
            return Some(RouteState::Connected { interface });
        }
        if prefix.prefix_len() == 0
            && let Some(default) = self.default_information(env, config).or_else(|| self.default_network(env))
        {
            return Some(RouteState::Redistributed(default));
        }
        let best = env.context.rib.best(TableId::ipv4(self.vrf), prefix)?;
        redistributed(env, config, best).map(RouteState::Redistributed)
    }

    /// The subnets of the interfaces that RIP runs on, as far as `network` names them.
    fn connected(&self, env: &Env<'_, '_>) -> impl Iterator<Item = (Ipv4Net, IfIndex)> {
        let (config, table) = (env.config(), env.interfaces());
        self.interfaces.keys().filter_map(|&index| table.get(index)).flat_map(move |interface| {
            interface
                .addresses()
                .filter(move |net| config.is_some_and(|config| config.covers(net.addr())))
                .map(move |net| (net.trunc(), interface.index))
        })
    }

    /// `ip default-network`: RIP tells a default while the network is connected or the gateway of last resort.
    fn default_network(&self, env: &Env<'_, '_>) -> Option<Redistributed> {
        self.default_network_route(env)?;
        let metric = hops(LOCAL_METRIC)?;
        Some(Redistributed { source: None, metric, tag: 0, next_hop: None })
    }

    /// The route of the network of `ip default-network` that serves as default: a connected one, or the best one that leads on while
    /// there is no default route.
    pub(super) fn default_network_route<'a>(&self, env: &Env<'_, 'a>) -> Option<&'a Route> {
        if self.vrf != VrfId::GLOBAL {
            return None;
        }
        let (config, rib): (&'a RouterConfig, &'a Rib) = (env.context.config, env.context.rib);
        let table = TableId::ipv4(self.vrf);
        let flagged = || config.default_networks.iter().filter_map(|&network| rib.best(table, network));
        let connected = flagged().find(|route| route.kind == RouteKind::Connected);
        let has_default = rib.best(table, Ipv4Net::default()).is_some();
        let onward = flagged().filter(|route| !has_default && !route.next_hops.is_empty());
        connected.or_else(|| onward.min_by_key(|route| (route.distance, route.metric, route.prefix)))
    }

    /// `default-information originate`: with a route map only while the routing table has a route that it permits.
    fn default_information(&self, env: &Env<'_, '_>, config: &RipConfig) -> Option<Redistributed> {
        let default = config.default_information.as_ref()?;
        let edits = match &default.route_map {
            None => None,
            Some(map) => {
                let mut routes = env.context.rib.routes(TableId::ipv4(self.vrf));
                let policy = &env.context.config.policy;
                let found =
                    routes.find_map(|route| policy.route_map(map, &RouteView::of(route, env.interfaces())));
                Some(found?)
            }
        };
        let metric = edits.as_ref().and_then(|edits| edits.metric(None)).unwrap_or(LOCAL_METRIC);
        let tag = edits.and_then(|edits| edits.tag).unwrap_or(0);
        Some(Redistributed { source: None, metric: hops(metric)?, tag: tag16(tag), next_hop: None })
    }
}

const fn is_own(state: &RouteState) -> bool {
    matches!(state, RouteState::Connected { .. } | RouteState::Redistributed(_))
}

/// A metric as it is told: at least 1; `None` is unreachable.
fn hops(metric: u32) -> Option<u8> {
    u8::try_from(metric.max(1)).ok().filter(|&hops| hops < INFINITY)
}

/// The part of a tag that messages have room for.
fn tag16(tag: u32) -> u16 {
    u16::try_from(tag & 0xFFFF).unwrap_or(0)
}

/// A route of the routing table as `redistribute` brings it in.
///
/// A route of another protocol without any metric for it is unreachable; connected and static routes have metric 1.
fn redistributed(env: &Env<'_, '_>, config: &RipConfig, route: &Route) -> Option<Redistributed> {
    let sources = env.context.config.redistribution_sources(route, env.interfaces());
    let mut sources = sources.into_iter();
    let (source, rule) = sources.find_map(|source| Some((source, config.redistribute.get(&source)?)))?;
    if !is_eligible(route.kind) || !OspfRouteType::permits(&rule.match_types, source, route.kind) {
        return None;
    }
    let policy = &env.context.config.policy;
    let view = RouteView::of(route, env.interfaces());
    let lists = &config.distribute_lists;
    if lists.get(&FilterScope::Redistributed(source)).is_some_and(|list| !list.permits(&view, policy)) {
        return None;
    }
    let edits = match &rule.route_map {
        Some(map) => Some(policy.route_map(map, &view)?),
        None => None,
    };
    let seed = rule.metric.map(|seed| match seed {
        SeedMetric::Hops(hops) => hops.into(),
        SeedMetric::Transparent => route.metric,
    });
    let by_source = match route.owner {
        RouteOwner::Connected => Some(LOCAL_METRIC),
        RouteOwner::Static => Some(config.default_metric.map_or(LOCAL_METRIC, u32::from)),
        _ => config.default_metric.map(u32::from),
    };
    let metric = edits.as_ref().and_then(|e| e.metric(Some(route.metric))).or(seed).or(by_source)?;
    let tag = edits.as_ref().and_then(|e| e.tag).unwrap_or(route.tag);
    let first_hop = route.next_hops.first().and_then(|hop| hop.address);
    let next_hop = edits.and_then(|e| e.next_hop).and_then(address_of).or(first_hop);
    Some(Redistributed { source: Some(source), metric: hops(metric)?, tag: tag16(tag), next_hop })
}

const fn address_of(edit: crate::policy::NextHopEdit) -> Option<Ipv4Addr> {
    match edit {
        crate::policy::NextHopEdit::Address(address) => Some(address),
        crate::policy::NextHopEdit::PeerAddress | crate::policy::NextHopEdit::SelfAddress => None,
    }
}

/// Not eligible are host routes of own addresses, and discard routes.
const fn is_eligible(kind: RouteKind) -> bool {
    !matches!(kind, RouteKind::Local | RouteKind::OspfDiscard | RouteKind::EigrpSummary)
}
