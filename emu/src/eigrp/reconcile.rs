//! The instance made equal to configuration and hardware.

use std::collections::{BTreeMap, BTreeSet};

use ipnet::Ipv4Net;

use super::config::{InstanceConfig, InstanceRef, Mode};
use super::diffusing::Cause;
use super::interface::{EigrpInterface, InterfaceCounters};
use super::log::{DownReason, NeighborChange, ResyncReason};
use super::metric::{MetricSystem, Scale};
use super::process::{Applied, EigrpProcess, Env, TimerKey};
use super::topology::{NeighborKey, PathSource};
use crate::config::RouterConfig;
use crate::ids::IfIndex;
use crate::interface::{Interface, InterfaceName, Medium};
use crate::process::Action;
use crate::time::{Time, Timers};

impl EigrpProcess {
    /// Takes in a new configuration.
    pub(super) fn reconfigure(&mut self, env: &mut Env<'_, '_>) {
        let Some(instance) = self.instance(env) else { return };
        let metrics = metric_system(&instance);
        if metrics.scale != self.metrics.scale {
            self.stop(env);
        }
        self.mode = instance.mode;
        self.name = instance.name.map(str::to_owned);
        let policy = names_policy(&instance, env.context.config).then(|| env.policy().clone());
        let default_networks = env.context.config.default_networks.clone();
        let applied = Applied { config: instance.config.clone(), policy, default_networks };
        let old = std::mem::replace(&mut *self.applied, applied);
        let policy_changed = old.policy != self.applied.policy;
        if metrics.k != self.metrics.k {
            self.drop_all_neighbors(env, DownReason::MetricChanged);
        } else if old.config.stub != self.applied.config.stub {
            self.drop_all_neighbors(env, DownReason::PeerInfoChanged);
        }
        let metrics_changed = metrics != self.metrics;
        self.metrics = metrics;
        self.reconcile_interfaces(env);
        let new = self.applied.config.clone();
        let inbound_changed =
            old.config.distribute_in != new.distribute_in || old.config.offset_lists != new.offset_lists;
        let marks_changed = old.config.no_default_information_in != new.no_default_information_in
            || old.config.no_default_information_out != new.no_default_information_out;
        if metrics_changed || policy_changed || inbound_changed {
            self.recalculate(env, |_| true);
        }
        let defaults_changed = old.default_networks != self.applied.default_networks;
        if metrics_changed || defaults_changed {
            self.refresh_links(env);
        }
        let outbound_changed =
            old.config.distribute_out != new.distribute_out || old.config.offset_lists != new.offset_lists;
        if policy_changed || outbound_changed || inbound_changed || marks_changed {
            self.resync_all(env, ResyncReason::RouteConfigurationChanged);
        }
        let redistribution_changed =
            old.config.redistribute != new.redistribute || old.config.default_metric != new.default_metric;
        if policy_changed || metrics_changed || redistribution_changed || defaults_changed {
            self.redistribute_all(env);
        }
        if old.config.summary_metrics != new.summary_metrics {
            let summaries = self.interfaces.values().flat_map(|interface| interface.summaries.keys());
            self.unsettled_summaries.extend(summaries);
        }
        if policy_changed || offers_differ(&old.config, &new) {
            self.unsettled_routes.extend(self.topology.keys());
        }
    }

    /// The configuration of the instance.
    fn instance<'c>(&self, env: &Env<'_, 'c>) -> Option<InstanceRef<'c>> {
        let config = env.context.config;
        config.eigrp.instance(self.autonomous_system, self.vrf_name.as_deref())
    }

    /// Makes the interfaces what configuration and hardware ask for.
    pub(super) fn reconcile_interfaces(&mut self, env: &mut Env<'_, '_>) {
        let Some(instance) = self.instance(env) else { return };
        self.settle_router_id(env, &instance);
        let mut wanted: BTreeMap<IfIndex, EigrpInterface> = BTreeMap::new();
        if self.router_id.is_some() {
            let own = env.context.interfaces.iter().filter(|interface| interface.vrf == self.vrf);
            wanted.extend(own.filter_map(|i| Some((i.index, self.wanted_interface(env, &instance, i)?))));
        }
        let gone: Vec<IfIndex> =
            self.interfaces.keys().copied().filter(|index| !wanted.contains_key(index)).collect();
        for index in gone {
            self.remove_interface(env, index, DownReason::InterfaceDown);
        }
        for (index, interface) in wanted {
            self.reconcile_interface(env, index, interface);
        }
        self.reconcile_summaries(env);
    }

    /// An interface as it should be, without neighbors; `None` if EIGRP does not run on it.
    fn wanted_interface(
        &self,
        env: &Env<'_, '_>,
        instance: &InstanceRef<'_>,
        interface: &Interface,
    ) -> Option<EigrpInterface> {
        let config = instance.config;
        let matched = |net: &Ipv4Net| config.networks.iter().any(|wildcard| wildcard.matches(net.addr()));
        let owner = match interface.unnumbered {
            Some(lender) => env.context.interfaces.get(lender)?,
            None => interface,
        };
        let address = owner.address.filter(matched)?;
        let settings = instance.interface(env.context.config, interface.name);
        if !interface.is_up() || interface.medium == Medium::Null || settings.shutdown {
            return None;
        }
        Some(EigrpInterface {
            index: interface.index,
            name: interface.name,
            address,
            subnets: interface.addresses().filter(matched).map(|net| net.trunc()).collect(),
            link: self.metrics.link(interface, self.is_delay_set(env, interface.name)),
            bandwidth_kbps: interface.bandwidth_kbps,
            ip_mtu: interface.ip_mtu,
            passive: instance.is_passive(env.context.config, interface.name)
                || interface.medium == Medium::Loopback,
            settings,
            summaries: BTreeMap::new(),
            static_neighbors: config.neighbors.get(&interface.name).cloned().unwrap_or_default(),
            neighbors: BTreeMap::new(),
            announcements: BTreeMap::new(),
            multicast_in_flight: None,
            next_transmission: Time::ZERO,
            counters: InterfaceCounters::default(),
        })
    }

    /// Whether `delay` is configured on an interface.
    pub(super) fn is_delay_set(&self, env: &Env<'_, '_>, name: InterfaceName) -> bool {
        env.context.config.interfaces.get(&name).is_some_and(|interface| interface.delay_tens_us.is_some())
    }

    fn reconcile_interface(&mut self, env: &mut Env<'_, '_>, index: IfIndex, wanted: EigrpInterface) {
        let Some(old) = self.interfaces.get(&index) else { return self.add_interface(env, wanted) };
        if old.address != wanted.address || old.name != wanted.name {
            self.remove_interface(env, index, DownReason::AddressChanged);
            return self.add_interface(env, wanted);
        }
        let reason = reset_reason(old, &wanted);
        let resync = resync_reason(old, &wanted);
        let hellos_change = old.passive != wanted.passive || old.hello_interval() != wanted.hello_interval();
        let link_changed = old.link != wanted.link;
        let gone: BTreeSet<Ipv4Net> = old.subnets.difference(&wanted.subnets).copied().collect();
        if let Some(reason) = reason {
            if !old.passive {
                self.send_goodbye(env, index);
            }
            self.forget_neighbors_on(env, index, reason);
        }
        if let Some(interface) = self.interfaces.get_mut(&index) {
            let EigrpInterface {
                subnets,
                link,
                bandwidth_kbps,
                ip_mtu,
                passive,
                settings,
                static_neighbors,
                ..
            } = wanted;
            (interface.subnets, interface.link) = (subnets, link);
            (interface.bandwidth_kbps, interface.ip_mtu) = (bandwidth_kbps, ip_mtu);
            (interface.passive, interface.settings) = (passive, settings);
            interface.static_neighbors = static_neighbors;
        }
        for prefix in gone {
            self.path_changed(env, prefix, PathSource::Connected(index), None, Cause::Change);
        }
        self.refresh_connected(env, index);
        if link_changed {
            self.recalculate(env, |key| key.interface == index);
        }
        if hellos_change || reason.is_some() {
            self.start_hellos(env, index);
        }
        if let Some(reason) = resync {
            self.resync_on(env, index, reason);
        }
    }

    fn add_interface(&mut self, env: &mut Env<'_, '_>, interface: EigrpInterface) {
        let index = interface.index;
        self.interfaces.insert(index, interface);
        self.refresh_connected(env, index);
        self.start_hellos(env, index);
    }

    fn start_hellos(&mut self, env: &Env<'_, '_>, index: IfIndex) {
        self.timers.cancel(TimerKey::Hello(index));
        if self.interfaces.get(&index).is_some_and(|interface| !interface.passive) {
            self.timers.set(TimerKey::Hello(index), env.now());
        }
    }

    /// Puts the subnets of an interface into the topology table, with the metric of its link.
    fn refresh_connected(&mut self, env: &mut Env<'_, '_>, index: IfIndex) {
        let Some(interface) = self.interfaces.get(&index) else { return };
        let source = PathSource::Connected(index);
        let unmarked = self.own_path(source, interface.link, None);
        for prefix in interface.subnets.clone() {
            let path = self.marked(env, prefix, unmarked.clone());
            let present = self.topology.get(&prefix).and_then(|destination| destination.path(source));
            if present != Some(&path) {
                self.path_changed(env, prefix, source, Some(path.clone()), Cause::Change);
            }
        }
    }

    /// The metrics of all links, after the arithmetic has changed.
    fn refresh_links(&mut self, env: &mut Env<'_, '_>) {
        for index in self.interfaces.keys().copied().collect::<Vec<_>>() {
            self.refresh_connected(env, index);
        }
    }

    fn remove_interface(&mut self, env: &mut Env<'_, '_>, index: IfIndex, reason: DownReason) {
        let Some(interface) = self.interfaces.get(&index) else { return };
        let subnets = interface.subnets.clone();
        // Goodbye, unless nobody can hear it any more.
        if !interface.passive && env.context.interfaces.get(index).is_some_and(Interface::is_up) {
            self.send_goodbye(env, index);
        }
        self.forget_neighbors_on(env, index, reason);
        self.interfaces.remove(&index);
        self.timers.cancel_if(|timer| {
            matches!(timer, TimerKey::Hello(i) | TimerKey::Transmit(i) | TimerKey::MulticastFlow(i) if i == index)
        });
        for prefix in subnets {
            self.path_changed(env, prefix, PathSource::Connected(index), None, Cause::Change);
        }
    }

    fn forget_neighbors_on(&mut self, env: &mut Env<'_, '_>, index: IfIndex, reason: DownReason) {
        let keys: Vec<NeighborKey> =
            self.neighbors().map(|(key, _)| key).filter(|key| key.interface == index).collect();
        for key in keys {
            self.neighbor_down(env, key, reason);
        }
    }

    fn drop_all_neighbors(&mut self, env: &mut Env<'_, '_>, reason: DownReason) {
        let keys: Vec<NeighborKey> = self.neighbors().map(|(key, _)| key).collect();
        for key in keys {
            self.drop_neighbor(env, key, reason);
        }
    }

    /// Works out the paths by neighbors anew from what they have told.
    fn recalculate(&mut self, env: &mut Env<'_, '_>, concerns: impl Fn(NeighborKey) -> bool) {
        let all: Vec<(Ipv4Net, NeighborKey)> = self
            .topology
            .iter()
            .flat_map(|(&prefix, destination)| {
                destination.paths().iter().filter_map(move |path| Some((prefix, path.source.neighbor()?)))
            })
            .filter(|(_, key)| concerns(*key))
            .collect();
        for (prefix, key) in all {
            let source = PathSource::Neighbor(key);
            let Some(old) = self.topology.get(&prefix).and_then(|destination| destination.path(source))
            else {
                continue;
            };
            let (reported, next_hop, attributes) = (old.reported, old.next_hop, old.attributes.clone());
            let path = self.path_from(env, key, prefix, reported, next_hop, attributes);
            if path.as_ref() != Some(old) {
                self.path_changed(env, prefix, source, path, Cause::Change);
            }
        }
    }

    fn reconcile_summaries(&mut self, env: &mut Env<'_, '_>) {
        for (index, wanted) in self.wanted_summaries() {
            let Some(interface) = self.interfaces.get_mut(&index) else { continue };
            if interface.summaries == wanted {
                continue;
            }
            let old = std::mem::replace(&mut interface.summaries, wanted);
            let concerned: Vec<Ipv4Net> =
                old.into_keys().chain(interface.summaries.keys().copied()).collect();
            self.unsettled_routes.extend(&concerned);
            self.unsettled_summaries.extend(concerned);
            self.resync_on(env, index, ResyncReason::SummaryConfigured);
        }
        // Summaries that no interface has any more.
        let own =
            |destination: &super::topology::Destination| destination.path(PathSource::Summary).is_some();
        let made =
            self.topology.iter().filter(|(_, destination)| own(destination)).map(|(prefix, _)| *prefix);
        self.unsettled_summaries.extend(made);
    }

    /// The configured router id; else the one in use; else the highest address of a loopback, or of another interface, that is up.
    fn settle_router_id(&mut self, env: &mut Env<'_, '_>, instance: &InstanceRef<'_>) {
        let own = || env.context.interfaces.iter().filter(|i| i.vrf == self.vrf && i.address.is_some());
        let highest = |loopback: bool, usable: fn(&Interface) -> bool| {
            own()
                .filter(|i| (i.medium == Medium::Loopback) == loopback && usable(i))
                .filter_map(|i| i.address)
                .map(|net| crate::ids::RouterId(net.addr()))
                .max()
        };
        // At boot all lines come up together: one with a carrier counts although its protocol follows a second later.
        let any_up = own().any(Interface::is_up);
        let automatic = highest(true, Interface::is_up)
            .or_else(|| highest(false, |i| i.admin_up && i.carrier).filter(|_| any_up));
        let wanted = instance.config.router_id.or(self.router_id).or(automatic);
        if wanted != self.router_id {
            self.router_id = wanted;
            self.drop_all_neighbors(env, DownReason::RouteConfigurationChanged);
            self.refresh_links(env);
            self.redistribute_all(env);
        }
    }

    /// Ends the instance: goodbye to all, and its routes go.
    pub(super) fn stop(&mut self, env: &mut Env<'_, '_>) {
        for index in self.interfaces.keys().copied().collect::<Vec<_>>() {
            let speaks = self.interfaces.get(&index).is_some_and(|interface| !interface.passive);
            if speaks && env.context.interfaces.get(index).is_some_and(Interface::is_up) {
                self.send_goodbye(env, index);
            }
            let neighbors: Vec<NeighborKey> =
                self.neighbors().map(|(key, _)| key).filter(|key| key.interface == index).collect();
            for key in neighbors {
                self.log_neighbor(env, key, NeighborChange::Down(DownReason::Shutdown));
                env.actions.push(Action::Unsettled);
            }
        }
        let offers = env.context.rib.offers_of(self.table(), self.owner()).map(|route| route.prefix);
        env.actions.extend(offers.map(Action::Withdraw));
        self.interfaces.clear();
        self.topology.clear();
        self.candidate_defaults.clear();
        self.timers = Timers::default();
        self.unacknowledged.clear();
        self.router_id = None;
        *self.applied = Applied::default();
    }
}

fn metric_system(instance: &InstanceRef<'_>) -> MetricSystem {
    MetricSystem {
        scale: match instance.mode {
            Mode::Classic => Scale::Classic,
            Mode::Named => Scale::Wide,
        },
        k: instance.config.metric_weights.unwrap_or_default(),
        maximum_hops: instance.config.maximum_hops.unwrap_or(EigrpProcess::MAXIMUM_HOPS),
        rib_scale: instance.config.rib_scale.unwrap_or(EigrpProcess::RIB_SCALE),
    }
}

/// Why the neighbors on an interface must go, if they must.
fn reset_reason(old: &EigrpInterface, wanted: &EigrpInterface) -> Option<DownReason> {
    if wanted.passive && !old.passive {
        Some(DownReason::InterfacePassive)
    } else if old.settings.authentication != wanted.settings.authentication {
        Some(DownReason::AuthenticationModeChanged)
    } else if old.settings.key_chain != wanted.settings.key_chain && old.settings.authentication.is_some() {
        Some(DownReason::KeychainChanged)
    } else if old.static_neighbors.is_empty() && !wanted.static_neighbors.is_empty() {
        Some(DownReason::StaticPeerConfigured)
    } else if !old.static_neighbors.is_subset(&wanted.static_neighbors) {
        Some(DownReason::StaticPeerRemoved)
    } else {
        None
    }
}

/// Why everything must be told anew on an interface, if it must.
fn resync_reason(old: &EigrpInterface, wanted: &EigrpInterface) -> Option<ResyncReason> {
    if old.split_horizon() != wanted.split_horizon() {
        Some(ResyncReason::SplitHorizonChanged)
    } else if old.settings.next_hop_self != wanted.settings.next_hop_self {
        Some(ResyncReason::NextHopSelfChanged)
    } else {
        None
    }
}

/// Whether the instance names lists or route maps, so that a change of these concerns it.
fn names_policy(instance: &InstanceRef<'_>, router: &RouterConfig) -> bool {
    let config = instance.config;
    let leaks = |settings: &super::config::EigrpInterfaceConfig| {
        settings.summaries.values().any(|summary| summary.leak_map.is_some())
    };
    !config.distribute_in.is_empty()
        || !config.distribute_out.is_empty()
        || config.offset_lists.values().any(|list| list.access_list.is_some())
        || config.redistribute.values().any(|rule| rule.route_map.is_some())
        || config.distance_by_source.iter().any(|rule| rule.access_list.is_some())
        || config.stub.as_ref().is_some_and(|stub| stub.leak_map.is_some())
        || router.interfaces.values().filter_map(|i| i.eigrp.get(&instance.autonomous_system)).any(leaks)
        || leaks(&config.interface_default)
        || config.interfaces.values().any(leaks)
}

/// Whether offers to the routing table may differ although paths do not.
fn offers_differ(old: &InstanceConfig, new: &InstanceConfig) -> bool {
    old.distance != new.distance
        || old.distance_by_source != new.distance_by_source
        || old.variance != new.variance
        || old.maximum_paths != new.maximum_paths
        || old.traffic_share_min != new.traffic_share_min
        || old.summary_metrics != new.summary_metrics
        || old.rib_scale != new.rib_scale
}
