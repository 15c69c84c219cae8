//! Redistribution: routes of other protocols as external destinations (RFC 7868 section 5.4.3).

use std::collections::BTreeSet;
use std::sync::Arc;

use ipnet::Ipv4Net;

use super::config::{OspfRouteType, Redistribution};
use super::diffusing::Cause;
use super::metric::Vector;
use super::packet::{ExternalData, ExternalProtocol};
use super::process::{EigrpProcess, Env};
use super::topology::{Path, PathSource};
use crate::ids::{IfIndex, RouterId};
use crate::policy::{RouteEdits, RouteView, VectorMetric};
use crate::rib::{Route, RouteKind, RouteOwner};

impl EigrpProcess {
    /// Redistributes everything anew, after the configuration has changed.
    pub(super) fn redistribute_all(&mut self, env: &mut Env<'_, '_>) {
        let mut prefixes: BTreeSet<Ipv4Net> = self
            .topology
            .iter()
            .filter(|(_, destination)| destination.path(PathSource::Redistributed).is_some())
            .map(|(&prefix, _)| prefix)
            .collect();
        if !self.applied.config.redistribute.is_empty() {
            prefixes.extend(env.context.rib.routes(self.table()).map(|route| route.prefix));
        }
        for prefix in prefixes {
            self.redistribute_prefix(env, prefix);
        }
    }

    /// Redistributes the best route to a prefix, or no longer.
    pub(super) fn redistribute_prefix(&mut self, env: &mut Env<'_, '_>, prefix: Ipv4Net) {
        let best = env.context.rib.best(self.table(), prefix);
        let path = best.and_then(|route| self.redistributed(env, route));
        let present = self.topology.get(&prefix).and_then(|d| d.path(PathSource::Redistributed));
        if path.as_ref() != present {
            self.path_changed(env, prefix, PathSource::Redistributed, path, Cause::Change);
        }
    }

    /// The path that a route of another protocol makes, if it is to be redistributed.
    fn redistributed(&self, env: &Env<'_, '_>, route: &Route) -> Option<Path> {
        if route.owner == self.owner() || route.kind == RouteKind::Local || self.is_own_subnet(route.prefix) {
            return None;
        }
        let sources = env.context.config.redistribution_sources(route, env.context.interfaces);
        let rules = &self.applied.config.redistribute;
        let mut sources = sources.into_iter();
        let (source, rule) = sources.find_map(|source| Some((source, rules.get(&source)?)))?;
        // A discard route covers what is told as such by OSPF itself.
        if route.kind == RouteKind::OspfDiscard
            || !OspfRouteType::permits(&rule.match_types, source, route.kind)
        {
            return None;
        }
        let edits = match &rule.route_map {
            Some(name) => env.policy().route_map(name, &RouteView::of(route, env.context.interfaces))?,
            None => RouteEdits::default(),
        };
        let vector = self.seed_vector(env, route, rule, &edits)?;
        let (protocol, number) = origin(route.owner);
        let external = ExternalData {
            router_id: self.router_id.unwrap_or(RouterId::UNSPECIFIED),
            autonomous_system: number,
            tag: edits.tag.unwrap_or(route.tag),
            metric: route.metric,
            protocol,
            flags: 0,
        };
        let path = self.own_path(PathSource::Redistributed, vector, Some(Arc::new(external)));
        Some(self.marked(env, route.prefix, path))
    }

    /// A path of this router with the mark of what may serve as default: the default route, and what `ip default-network` names.
    pub(super) fn marked(&self, env: &Env<'_, '_>, prefix: Ipv4Net, mut path: Path) -> Path {
        let named = self.vrf_name.is_none() && env.context.config.default_networks.contains(&prefix);
        path.attributes.candidate_default = named || prefix.prefix_len() == 0;
        path
    }

    /// Whether EIGRP itself runs on the interface of a connected subnet.
    fn is_own_subnet(&self, prefix: Ipv4Net) -> bool {
        self.interfaces.values().any(|interface| interface.subnets.contains(&prefix))
    }

    /// The metric to begin with: of the route map, of `redistribute`, of `default-metric`; connected and static routes have that of
    /// their interface, routes of another EIGRP instance their own. Others have none, and are not redistributed.
    fn seed_vector(
        &self,
        env: &Env<'_, '_>,
        route: &Route,
        rule: &Redistribution,
        edits: &RouteEdits,
    ) -> Option<Vector> {
        let configured: Option<VectorMetric> =
            edits.vector_metric().or(rule.metric).or(self.applied.config.default_metric);
        if let Some(metric) = configured {
            return Some(self.metrics.seed(&metric));
        }
        let link = self.link_of(env, route);
        match route.owner {
            RouteOwner::Connected | RouteOwner::Static => link,
            RouteOwner::Eigrp(_) => link.map(|link| self.metrics.with_rib_metric(&link, route.metric)),
            RouteOwner::Ospf(_) | RouteOwner::Rip | RouteOwner::Bgp(_) => None,
        }
    }

    /// The metric of the interface that a route leads out of.
    fn link_of(&self, env: &Env<'_, '_>, route: &Route) -> Option<Vector> {
        let interfaces = env.context.interfaces;
        let by_next_hop = |hop: &crate::rib::NextHop| -> Option<IfIndex> {
            let resolved =
                || env.context.rib.resolve(self.table(), hop.address?)?.paths.first().map(|p| p.interface);
            hop.interface.or_else(resolved)
        };
        let index = route.next_hops.iter().find_map(by_next_hop);
        let interface = match index {
            Some(index) => interfaces.get(index)?,
            // A route to Null0.
            None => interfaces.iter().find(|i| i.medium == crate::interface::Medium::Null)?,
        };
        Some(self.metrics.link(interface, self.is_delay_set(env, interface.name)))
    }
}

/// The protocol, and the number of its AS or process, that external data name.
fn origin(owner: RouteOwner) -> (ExternalProtocol, u32) {
    match owner {
        RouteOwner::Connected => (ExternalProtocol::Connected, 0),
        RouteOwner::Static => (ExternalProtocol::Static, 0),
        RouteOwner::Eigrp(number) => (ExternalProtocol::Eigrp, u32::from(number)),
        RouteOwner::Ospf(number) => (ExternalProtocol::Ospf, u32::from(number)),
        RouteOwner::Rip => (ExternalProtocol::Rip, 0),
        RouteOwner::Bgp(asn) => (ExternalProtocol::Bgp, asn.0),
    }
}
