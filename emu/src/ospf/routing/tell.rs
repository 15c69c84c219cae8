//! Own LSAs out of the state of the process: what should be told is worked out anew, and the originator finds what differs.

use std::collections::BTreeMap;
use std::time::Duration;

use ipnet::Ipv4Net;

use super::filters::Filters;
use crate::ids::{AreaId, IfIndex, RouterId};
use crate::ospf::config::{
    AreaConfig, AreaKind, ExternalMetricType, NetworkType, NssaOptions, OnStartup, OspfConfig,
};
use crate::ospf::flood::News;
use crate::ospf::interface::{InterfaceState, OspfInterfaceKey, OspfNetwork};
use crate::ospf::lsa::{LsType, LsaKey};
use crate::ospf::lsdb::Scope;
use crate::ospf::originate::external::{
    External, Externals, RedistributionView, external_lsas, nssa_lsas, redistributed, summarised,
};
use crate::ospf::originate::network_lsa::network_lsa;
use crate::ospf::originate::router_lsa::router_lsa;
use crate::ospf::originate::summary::{SummaryArea, SummaryView, summary_lsas};
use crate::ospf::originate::translate::{is_translator, translations};
use crate::ospf::originate::{Originated, Wanted};
use crate::ospf::process::{Env, OspfProcess};
use crate::rib::{NextHop, RouteOwner, TableId};
use crate::time::Time;

/// `max-metric ... on-startup wait-for-bgp` ends after this at the latest (IOS).
const WAIT_FOR_BGP: Duration = Duration::from_secs(600);

/// IOS's default of `default-cost`, and of the metric of `default-information-originate` in an NSSA.
const DEFAULT_COST: u32 = 1;

impl OspfProcess {
    /// Makes every own LSA what it should be.
    pub(super) fn tell_everything(&mut self, env: &mut Env<'_, '_>) {
        for area in self.areas.keys().copied().collect::<Vec<_>>() {
            self.tell_topology(env, area);
        }
        self.tell_routes(env);
    }

    /// Router and network LSAs of an area.
    pub(super) fn tell_topology(&mut self, env: &mut Env<'_, '_>, area: AreaId) {
        let (Some(config), Some(router_id)) = (self.config(env.context), self.router_id) else { return };
        let Some(kind) = self.areas.get(&area).map(|area| area.kind) else { return };
        let views = self.interface_views(env, config, area);
        let flags = self.router_flags(config, area, kind);
        let mut wanted = Wanted::new();
        wanted.extend([router_lsa(router_id, kind, flags, &views, self.stub_router(config))]);
        for view in views.iter().filter(|view| view.state == InterfaceState::Dr) {
            let adjacent = view.adjacent.iter().map(|&(neighbor, _)| neighbor);
            let lsa = view
                .address
                .and_then(|address| network_lsa(router_id, address, kind, view.suppress_prefix, adjacent));
            wanted.extend(lsa);
        }
        let managed = |key: &LsaKey| matches!(key.ls_type, LsType::Router | LsType::Network);
        self.want(env, Scope::Area(area), managed, wanted);
    }

    /// What follows from the routing table: summary, external, NSSA LSAs.
    pub(super) fn tell_routes(&mut self, env: &mut Env<'_, '_>) {
        self.tell_summaries(env);
        self.tell_externals(env);
    }

    fn tell_summaries(&mut self, env: &mut Env<'_, '_>) {
        let (Some(config), Some(router_id)) = (self.config(env.context), self.router_id) else { return };
        let filters = Filters::new(env.context);
        let none = AreaConfig::default();
        let settings = |area: &AreaId| config.areas.get(area).unwrap_or(&none);
        let by_name = |name: &Option<String>| {
            let name = name.clone();
            name.map(|name| move |prefix: Ipv4Net| filters.prefix_list_permits(&name, prefix))
        };
        let lists: BTreeMap<AreaId, _> = self
            .areas
            .keys()
            .map(|area| (*area, (by_name(&settings(area).filter_in), by_name(&settings(area).filter_out))))
            .collect();
        let areas: Vec<SummaryArea<'_>> = self
            .areas
            .iter()
            .filter_map(|(id, area)| {
                let (filter_in, filter_out) = lists.get(id)?;
                let own = settings(id);
                Some(SummaryArea {
                    id: *id,
                    kind: area.kind,
                    default_cost: own.default_cost.unwrap_or(DEFAULT_COST),
                    ranges: &own.ranges,
                    transit: self.routing.transit_areas.contains(id),
                    filter_in: filter_in.as_ref().map(|filter| filter as &dyn Fn(Ipv4Net) -> bool),
                    filter_out: filter_out.as_ref().map(|filter| filter as &dyn Fn(Ipv4Net) -> bool),
                })
            })
            .collect();
        let interface_areas = self.interface_areas();
        let view = SummaryView {
            router_id,
            table: &self.routing.table,
            areas: &areas,
            interface_areas: &interface_areas,
            rfc1583_compatible: !config.no_rfc1583,
            max_metric: self.stub_router(config).and(config.max_metric).and_then(|max| max.summary_lsa),
        };
        let border = self.is_area_border_router();
        let told: Vec<(AreaId, Wanted)> = areas
            .iter()
            .map(|area| (area.id, if border { summary_lsas(&view, area) } else { Wanted::new() }))
            .collect();
        let managed = |key: &LsaKey| matches!(key.ls_type, LsType::SummaryNetwork | LsType::SummaryAsbr);
        for (area, wanted) in told {
            self.want(env, Scope::Area(area), managed, wanted);
        }
    }

    /// Whether routes of other sources matter to the process.
    pub(super) fn takes_routes(&self, env: &Env<'_, '_>) -> bool {
        self.config(env.context).is_some_and(|config| {
            let nssa_default = |area: &AreaConfig| {
                matches!(area.kind, AreaKind::Nssa(NssaOptions { default_information: Some(_), .. }))
            };
            !config.redistribute.is_empty()
                || config.default_information.is_some()
                || config.areas.values().any(nssa_default)
        })
    }

    /// AS-external and NSSA LSAs.
    pub(super) fn tell_externals(&mut self, env: &mut Env<'_, '_>) {
        let (Some(config), Some(router_id)) = (self.config(env.context), self.router_id) else { return };
        let own = if self.takes_routes(env) { self.redistributed(env, config) } else { Externals::new() };
        for (area, kind) in self.areas.iter().map(|(&id, area)| (id, area.kind)).collect::<Vec<_>>() {
            let wanted = match kind {
                AreaKind::Nssa(options) => self.nssa_lsas_of(env, config, router_id, area, options, &own),
                AreaKind::Normal | AreaKind::Stub { .. } => Wanted::new(),
            };
            self.want(env, Scope::Area(area), |key| key.ls_type == LsType::Nssa, wanted);
        }
        let mut all = self.translated(config, router_id, env.now());
        // What the router brings in itself takes precedence over a translation.
        all.extend(own);
        self.routing.active_summaries = active_summaries(config, &all);
        let wanted = if self.has_normal_area() {
            external_lsas(router_id, &summarised(all, &config.summary_addresses))
        } else {
            Wanted::new()
        };
        self.want(env, Scope::As, |key| key.ls_type == LsType::AsExternal, wanted);
    }

    /// Whether type 5 LSAs are flooded in some area of the router.
    fn has_normal_area(&self) -> bool {
        self.areas.values().any(|area| area.kind == AreaKind::Normal)
    }

    fn redistributed(&self, env: &Env<'_, '_>, config: &OspfConfig) -> Externals {
        let filters = Filters::new(env.context);
        let internal: Vec<Ipv4Net> = self
            .areas
            .keys()
            .flat_map(|&area| self.interface_views(env, config, area))
            .filter(|view| view.state != InterfaceState::Down)
            .flat_map(|view| view.address.into_iter().chain(view.secondary))
            .map(|net| net.trunc())
            .collect();
        let view = RedistributionView {
            process_id: self.process_id,
            config,
            sources: &|route| env.context.config.redistribution_sources(route, env.context.interfaces),
            route_map: &|name, route| filters.route_map(name, route),
            distribute_out: &|source, prefix| filters.permits_out(config, source, prefix),
            is_internal: &|prefix| internal.contains(&prefix),
            can_forward: &|hop| self.can_forward(env, config, hop),
            max_metric: self.stub_router(config).and(config.max_metric).and_then(|max| max.external_lsa),
        };
        redistributed(&view, env.context.rib.routes(TableId::ipv4(self.vrf)))
    }

    /// Whether other routers of the AS reach a next hop directly: it is on a multi-access network that the process runs on, by an
    /// interface that is not passive (IOS's rule for a forwarding address).
    fn can_forward(&self, env: &Env<'_, '_>, config: &OspfConfig, hop: &NextHop) -> bool {
        let Some(address) = hop.address else { return false };
        let Some(hardware) =
            hop.interface.and_then(|index| env.context.interfaces.get(index)).or_else(|| {
                env.context.interfaces.iter().find(|i| i.vrf == self.vrf && i.is_connected_to(address))
            })
        else {
            return false;
        };
        let running = self.interfaces.get(&OspfInterfaceKey::Physical(hardware.index));
        !config.is_passive(hardware.name)
            && hardware.is_connected_to(address)
            && running.is_some_and(|interface| {
                interface.state != InterfaceState::Down
                    && matches!(
                        interface.network,
                        OspfNetwork::Network(NetworkType::Broadcast | NetworkType::NonBroadcast)
                    )
            })
    }

    /// The type 7 LSAs of an NSSA: what the router brings in, and the default it was told to give.
    fn nssa_lsas_of(
        &self,
        env: &Env<'_, '_>,
        config: &OspfConfig,
        router_id: RouterId,
        area: AreaId,
        options: NssaOptions,
        own: &Externals,
    ) -> Wanted {
        let border = self.is_area_border_router();
        let mut told = if options.no_redistribution { Externals::new() } else { own.clone() };
        told.remove(&Ipv4Net::default());
        let mut told = summarised(told, &config.summary_addresses);
        if let Some(default) = options.default_information
            && !options.no_summary
            && (border || self.has_foreign_default(env))
        {
            let cost = config.areas.get(&area).and_then(|area| area.default_cost).unwrap_or(DEFAULT_COST);
            let external = External {
                metric_type: default.metric_type.unwrap_or(ExternalMetricType::Type2),
                metric: default.metric.unwrap_or(cost),
                tag: 0,
                forwarding_address: std::net::Ipv4Addr::UNSPECIFIED,
                nssa_only: true,
            };
            told.insert(Ipv4Net::default(), external);
        }
        // A border router that tells the same by type 5 must not have it translated.
        let address = if border && self.has_normal_area() { None } else { self.nssa_address(area) };
        nssa_lsas(router_id, &told, address)
    }

    /// Whether the routing table has a default that is not of this process.
    fn has_foreign_default(&self, env: &Env<'_, '_>) -> bool {
        let best = env.context.rib.best(TableId::ipv4(self.vrf), Ipv4Net::default());
        best.is_some_and(|route| route.owner != RouteOwner::Ospf(self.process_id))
    }

    /// The destinations of NSSAs that this router tells outside.
    fn translated(&self, config: &OspfConfig, router_id: RouterId, now: Time) -> Externals {
        let mut all = Externals::new();
        if !self.is_area_border_router() || config.areas.is_empty() {
            return all;
        }
        for (&id, area) in &self.areas {
            let AreaKind::Nssa(options) = area.kind else { continue };
            let Some(database) = self.lsdb.area(id) else { continue };
            if is_translator(router_id, id, options, &self.routing.table) {
                all.extend(translations(router_id, id, options, database, &self.routing.table, now));
            }
        }
        all
    }

    /// Tells the originator what should be there.
    fn want(
        &mut self,
        env: &mut Env<'_, '_>,
        scope: Scope,
        managed: impl Fn(&LsaKey) -> bool,
        wanted: Wanted,
    ) {
        let (throttle, now) = (self.lsa_throttle(env), env.now());
        let flushed = self.routing.originator.want(&self.lsdb, scope, managed, wanted, throttle, now);
        self.publish(env, flushed);
    }

    /// Makes the own LSAs that are due.
    pub(super) fn tell_due(&mut self, env: &mut Env<'_, '_>) {
        let (throttle, now) = (self.lsa_throttle(env), env.now());
        let made = self.routing.originator.expired(&self.lsdb, throttle, now);
        self.publish(env, made);
    }

    /// Installs and floods what was made or flushed here.
    fn publish(&mut self, env: &mut Env<'_, '_>, made: Vec<Originated>) {
        for Originated { scope, lsa, age } in made {
            let old = self.lsdb.install(scope, lsa.clone(), age, env.now());
            let changed = age.is_max()
                || old.is_none_or(|old| !old.lsa.same_content(&lsa) || old.installed_age.is_max());
            if changed {
                self.request_calculation(env, scope, &lsa);
            }
            self.flood(env, scope, &lsa, if changed { News::Changed } else { News::Refreshed });
        }
    }

    /// An LSA, of this router or another, has reached MaxAge in the database (section 14): it is flooded once more so that all
    /// databases lose it together.
    pub(super) fn reached_max_age(&mut self, env: &mut Env<'_, '_>, scope: Scope, key: &LsaKey) {
        let Some(lsa) = self.lsdb.get(scope, key).map(|entry| entry.lsa.clone()) else { return };
        self.flood(env, scope, &lsa, News::Changed);
        self.lsa_changed(env, scope, &lsa);
    }

    /// An instance that claims to be this router's own was received and installed (section 13.4).
    pub(super) fn received_own_lsa(&mut self, env: &mut Env<'_, '_>, scope: Scope, key: LsaKey) {
        let (throttle, now) = (self.lsa_throttle(env), env.now());
        let flushed = self.routing.originator.received_own(&self.lsdb, scope, key, throttle, now);
        self.publish(env, flushed.into_iter().collect());
    }

    /// Flushes every own LSA, as before the router id changes or the process ends.
    pub(in crate::ospf) fn withdraw_own_lsas(&mut self, env: &mut Env<'_, '_>) {
        let flushed = self.routing.originator.give_up_all(&self.lsdb, env.now());
        self.publish(env, flushed);
    }

    /// Forgets databases of areas and links that the router is no longer attached to.
    pub(super) fn forget_unattached_areas(&mut self) {
        let unattached = |scope: &Scope| match scope {
            Scope::Area(area) => !self.areas.contains_key(area),
            Scope::Link(index) => {
                !self.interfaces.contains_key(&OspfInterfaceKey::Physical(IfIndex(index.0)))
            }
            Scope::As => false,
        };
        let gone: Vec<Scope> = self.lsdb.scopes().map(|(scope, _)| scope).filter(unattached).collect();
        for scope in gone {
            self.lsdb.remove_scope(scope);
            self.routing.originator.forget_scope(scope);
        }
    }

    /// When `max-metric router-lsa on-startup` ends, if that is still to come.
    pub(super) fn end_of_startup(&self, env: &Env<'_, '_>) -> Option<Time> {
        let startup = self.config(env.context)?.max_metric?.on_startup?;
        let span = match startup {
            OnStartup::Seconds(secs) => Duration::from_secs(u64::from(secs)),
            OnStartup::WaitForBgp => WAIT_FOR_BGP,
        };
        Some(self.started + span).filter(|&end| end > env.now())
    }
}

/// The `summary-address` prefixes that stand for something and are told.
fn active_summaries(config: &OspfConfig, externals: &Externals) -> std::collections::BTreeSet<Ipv4Net> {
    let active = |summary: &Ipv4Net| externals.keys().any(|prefix| summary.contains(prefix));
    config
        .summary_addresses
        .iter()
        .filter(|(summary, options)| !options.not_advertise && active(summary))
        .map(|(&summary, _)| summary)
        .collect()
}
