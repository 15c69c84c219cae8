//! Routes of this router: `network` and `redistribute`, taken from the routing table.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;

use super::attributes::{Origin, PathAttributes};
use super::config::FamilyConfig;
use super::instance::Instance;
use super::policy::{EditContext, apply};
use super::process::{BgpProcess, Env};
use super::table::{Path, PathKind, PathSource, PathStatus};
use crate::ids::{RouterId, VrfId};
use crate::policy::{RedistributionSource, RouteView, classful};
use crate::process::Context;
use crate::rib::{Route, RouteKind, RouteOwner, TableId};

/// The weight of routes of this router.
pub(super) const LOCAL_WEIGHT: u16 = 32768;

impl BgpProcess {
    /// Looks again at every route that this router may originate.
    pub(super) fn source_all(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get(&vrf) else { return };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        let mut prefixes: BTreeSet<Ipv4Net> = family.networks.keys().copied().collect();
        prefixes.extend(instance.table.with_path(|path| path.source.is_sourced()));
        if !family.redistribute.is_empty() {
            prefixes.extend(env.context.rib.routes(TableId::ipv4(vrf)).map(|route| route.prefix));
        }
        for prefix in prefixes {
            self.source(env, vrf, prefix);
        }
    }

    /// Looks at a destination whose route has changed.
    pub(super) fn source(&mut self, env: &mut Env<'_, '_>, vrf: VrfId, prefix: Ipv4Net) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&vrf) else { return };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        instance.source(env.context, family, prefix);
        if family.auto_summary && !is_summary(prefix) {
            instance.source(env.context, family, classful::network(prefix.network()));
        }
    }
}

/// Whether a route may be redistributed at all.
const fn is_redistributable(route: &Route) -> bool {
    !matches!(
        route.kind,
        RouteKind::Local
            | RouteKind::OspfDiscard
            | RouteKind::BgpExternal
            | RouteKind::BgpInternal
            | RouteKind::BgpLocal
    )
}

/// How a route of the routing table becomes a path.
#[derive(Clone, Copy)]
struct Making<'a> {
    source: PathSource,
    metric: Option<u32>,
    route_map: Option<&'a str>,
    /// The route is to the destination itself, not to a subnet that it stands for.
    exact: bool,
}

impl Instance {
    fn source(&mut self, context: &Context<'_>, family: &FamilyConfig, prefix: Ipv4Net) {
        let sourced = self.sourced(context, family, prefix);
        let source = sourced.as_ref().map(|path| path.source);
        self.table.remove(prefix, |path| path.source.is_sourced() && Some(path.source) != source);
        if let Some(path) = sourced {
            self.table.put(prefix, path);
        }
    }

    /// The path that this router originates to a destination, if any. `network` goes before `redistribute`.
    fn sourced(&self, context: &Context<'_>, family: &FamilyConfig, prefix: Ipv4Net) -> Option<Path> {
        self.router_id?;
        let table = TableId::ipv4(self.vrf);
        let route = context.rib.best(table, prefix);
        // With `auto-summary` a classful network stands for its subnets.
        let summarizes = family.auto_summary && classful::is_major(prefix);
        let subnets = || context.rib.routes_within(table, prefix).filter(|_| summarizes);
        if let Some(network) = family.networks.get(&prefix).filter(|network| !network.backdoor) {
            let exact = route.filter(|route| !matches!(route.owner, RouteOwner::Bgp(_)));
            if let Some(route) = exact.or_else(|| subnets().find(|route| is_redistributable(route))) {
                let making = Making {
                    source: PathSource::Network,
                    metric: None,
                    route_map: network.route_map.as_deref(),
                    exact: route.prefix == prefix,
                };
                return self.make(context, route, making);
            }
        }
        let own = route.filter(|_| !family.auto_summary || is_summary(prefix));
        own.into_iter()
            .chain(subnets())
            .find_map(|route| self.redistributed(context, family, route, route.prefix == prefix))
    }

    fn redistributed(
        &self,
        context: &Context<'_>,
        family: &FamilyConfig,
        route: &Route,
        exact: bool,
    ) -> Option<Path> {
        if !is_redistributable(route) {
            return None;
        }
        let sources = context.config.redistribution_sources(route, context.interfaces);
        let configured = |source: RedistributionSource| Some((source, family.redistribute.get(&source)?));
        let (source, how) = sources.into_iter().find_map(configured)?;
        let default = route.prefix.prefix_len() == 0;
        if !how.matches(source, route.kind) || (default && !family.default_information) {
            return None;
        }
        let seen = RouteView::of(route, context.interfaces);
        if family
            .distribute_out
            .get(&Some(source))
            .is_some_and(|list| !list.permits(&seen, &context.config.policy))
        {
            return None;
        }
        let making = Making {
            source: PathSource::Redistributed(route.owner),
            metric: how.metric.or(family.default_metric),
            route_map: how.route_map.as_deref(),
            exact,
        };
        self.make(context, route, making)
    }

    /// The path made of a route; `None` if the route map denies it.
    fn make(&self, context: &Context<'_>, route: &Route, making: Making<'_>) -> Option<Path> {
        let Making { source, metric, route_map, exact } = making;
        let gateway = route.next_hops.first().and_then(|hop| hop.address).filter(|_| exact);
        let mut attributes = PathAttributes::local(match source {
            PathSource::Network => Origin::Igp,
            _ => Origin::Incomplete,
        });
        attributes.next_hop = gateway.unwrap_or(Ipv4Addr::UNSPECIFIED);
        attributes.med = Some(metric.unwrap_or(if exact { route.metric } else { 0 }));
        let mut weight = LOCAL_WEIGHT;
        if let Some(name) = route_map {
            let policy = &context.config.policy;
            let edits = policy.route_map(name, &RouteView::of(route, context.interfaces))?;
            let edit =
                EditContext { policy, peer_address: None, own_address: None, igp_metric: route.metric };
            apply(&edits, &mut attributes, &edit);
            weight = edits.weight.unwrap_or(weight);
        }
        Some(Path {
            source,
            path_id: 0,
            sent_id: 0,
            kind: PathKind::Local,
            router_id: self.router_id.unwrap_or(RouterId::UNSPECIFIED),
            attributes: Arc::new(attributes),
            received: None,
            weight,
            updated: context.now,
            status: PathStatus::default(),
        })
    }
}

/// Whether `auto-summary` leaves a prefix as it is: it is no subnet.
fn is_summary(prefix: Ipv4Net) -> bool {
    classful::is_major(prefix) || classful::is_supernet(prefix)
}
