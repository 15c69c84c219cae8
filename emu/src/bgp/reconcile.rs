//! Instances and peers made equal to the configuration, interfaces and routes.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;

use super::advertise::Output;
use super::attributes::ClusterId;
use super::config::{
    BgpConfig, EffectivePeer, FallOver, ListenRange, Neighbor, NextHopTrigger, RouterIdSource,
};
use super::fsm::Event;
use super::inbound::Received;
use super::instance::Instance;
use super::log::DownReason;
use super::packet::{Notification, PeerKind};
use super::peer::{Direction, Halt, Link, MessageCounters, Peer, PeerKey};
use super::process::{BgpProcess, Env, TimerKey};
use crate::ids::{Asn, IfIndex, RouterId, VrfId};
use crate::interface::Medium;
use crate::policy::RouteView;
use crate::process::Context;
use crate::rib::{RouteChange, RouteOwner, TableId};
use crate::time::Time;

/// How long after a change of policy routes are judged again, as IOS does by itself for what it sends.
const POLICY_DELAY: Duration = Duration::from_secs(60);

/// IOS's limit of dynamic neighbors.
const DEFAULT_LISTEN_LIMIT: u16 = 100;

impl BgpProcess {
    /// The configuration is new.
    pub(super) fn reconfigured(&mut self, env: &mut Env<'_, '_>) {
        let Some(config) = env.config() else { return };
        if self.started == Time::ZERO {
            self.started = env.now();
        }
        let mut wanted = vec![(VrfId::GLOBAL, None)];
        wanted.extend(config.vrfs.keys().filter_map(|name| {
            let vrf = env.context.interfaces.vrf_id(Some(name))?;
            Some((vrf, Some(name.clone())))
        }));
        let gone: Vec<VrfId> =
            self.instances.keys().copied().filter(|v| !wanted.iter().any(|(w, _)| w == v)).collect();
        gone.into_iter().for_each(|vrf| self.remove_instance(env, vrf));
        let last = self.last.replace(Box::new(config.clone()));
        let policy_changed = self.policy != env.context.config.policy;
        if policy_changed {
            self.policy = env.context.config.policy.clone();
        }
        for (vrf, name) in wanted {
            let fresh = !self.instances.contains_key(&vrf);
            self.instances.entry(vrf).or_insert_with(|| Instance::new(vrf, name));
            self.update_router_id(env, vrf);
            self.reconcile_peers(env, vrf, config, last.as_deref());
            let outbound = |config: &BgpConfig| {
                let family = self.instances.get(&vrf).and_then(|instance| instance.config(config));
                let family = family.map(|family| {
                    (family.ipv4.suppress_inactive, family.ipv4.distribute_out.get(&None).cloned())
                });
                (family, config.client_to_client_reflection)
            };
            let outbound_changed = last.as_deref().is_some_and(|last| outbound(last) != outbound(config));
            if (policy_changed || outbound_changed) && !fresh {
                self.keys_of(vrf).into_iter().for_each(|key| self.judge_later(env, key));
            }
            if last.as_deref() != Some(config) || policy_changed {
                self.source_all(env, vrf);
                self.aggregate_all(env, vrf);
                self.reconsider_all(vrf);
            }
            self.decay_flaps(env, vrf);
            self.admit(env, vrf);
        }
        self.watch_conditions(env);
    }

    /// Ends all of an instance.
    pub(super) fn remove_instance(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        for key in self.keys_of(vrf) {
            self.remove_peer(env, key, DownReason::NeighborDeleted);
        }
        if let Some(instance) = self.instances.remove(&vrf) {
            for (prefix, _) in instance.table.iter().filter(|(_, destination)| destination.installed) {
                env.act(vrf, crate::process::Action::Withdraw(prefix));
            }
        }
        self.timers.cancel(TimerKey::NextHops(vrf));
        self.timers.cancel(TimerKey::Dampening(vrf));
    }

    /// Ends a peer.
    pub(super) fn remove_peer(&mut self, env: &mut Env<'_, '_>, key: PeerKey, reason: DownReason) {
        // Without a way to start again.
        if let Some(peer) = self.peer_mut(key) {
            peer.halt = Some(Halt::AdminShutdown);
        }
        for direction in [Direction::Incoming, Direction::Outgoing] {
            let notification = Some(Notification::PEER_DECONFIGURED);
            self.event_because(env, key, direction, Event::Stop, notification, reason);
        }
        self.end_restart(key);
        if let Some(instance) = self.instances.get_mut(&key.vrf) {
            instance.peers.remove(&key.address);
        }
        for timer in [
            TimerKey::IdleHold(key),
            TimerKey::ConnectRetry(key),
            TimerKey::Advertise(key),
            TimerKey::PrefixLimit(key),
            TimerKey::SoftReset(key),
        ] {
            self.timers.cancel(timer);
        }
    }

    fn update_router_id(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&vrf) else { return };
        let id = configured_router_id(env.context, config, instance)
            .or(instance.router_id.filter(|_| !instance.router_id_configured))
            .or_else(|| highest_address(env.context, vrf));
        instance.router_id_configured = configured_router_id(env.context, config, instance).is_some();
        let changed = instance.router_id != id;
        instance.router_id = id;
        let cluster_id = config.cluster_id.or(id.map(|id| ClusterId(id.0)));
        let old_cluster_id = std::mem::replace(&mut instance.cluster_id, cluster_id);
        let reason = match (changed, old_cluster_id != cluster_id) {
            (true, _) => DownReason::RouterIdChanged,
            (false, true) => DownReason::ClusterIdChanged,
            (false, false) => return,
        };
        for key in self.keys_of(vrf) {
            // What was reflected so far says the old cluster; external peers are not told of clusters.
            let internal = self.peer(key).is_some_and(|peer| peer.kind == PeerKind::Internal);
            if changed || internal {
                self.reset(env, key, Notification::OTHER_CONFIGURATION_CHANGE, reason);
            }
        }
        if changed {
            // Routes of this router carry the identifier; without one there are none.
            self.source_all(env, vrf);
            self.aggregate_all(env, vrf);
        }
    }

    fn reconcile_peers(
        &mut self,
        env: &mut Env<'_, '_>,
        vrf: VrfId,
        config: &BgpConfig,
        last: Option<&BgpConfig>,
    ) {
        let Some(instance) = self.instances.get(&vrf) else { return };
        let Some(settings) = instance.config(config) else { return };
        let gone: Vec<PeerKey> = instance
            .peers
            .values()
            .filter(|peer| match settings.neighbors.get(&peer.key.address) {
                Some(neighbor) => {
                    peer.dynamic || config.effective(settings, neighbor).session.remote_as.is_none()
                }
                None => !peer.dynamic || listen_range(config, peer.key.address).is_none(),
            })
            .map(|peer| peer.key)
            .collect();
        for key in gone {
            self.remove_peer(env, key, DownReason::NeighborDeleted);
        }
        let confederation = |config: &BgpConfig| (config.confederation, config.confederation_peers.clone());
        let confederation_changed = last.is_some_and(|last| confederation(last) != confederation(config));
        for (&address, neighbor) in &settings.neighbors {
            let key = PeerKey { vrf, address };
            let effective = config.effective(settings, neighbor);
            if effective.session.remote_as.is_none() {
                continue;
            }
            if self.peer(key).is_none() {
                self.create_peer(env, key, config, effective);
            } else {
                self.update_peer(env, key, config, effective, confederation_changed);
            }
        }
    }

    fn create_peer(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        config: &BgpConfig,
        settings: EffectivePeer,
    ) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let mut peer = Peer::new(key, instance.next_index, config, settings);
        instance.next_index += 1;
        peer.changed = env.now();
        peer.halt = peer.wanted_halt();
        instance.peers.insert(key.address, peer);
        // The others of the same configuration first, so that all may connect.
        let at = env.now() + Duration::from_millis(1);
        self.timers.set(TimerKey::IdleHold(key), at);
    }

    fn update_peer(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        config: &BgpConfig,
        settings: EffectivePeer,
        confederation_changed: bool,
    ) {
        let Some(peer) = self.peer_mut(key) else { return };
        let old = std::mem::replace(&mut peer.settings, settings);
        let kind = peer.kind;
        peer.set_remote_as(config, peer.settings.session.remote_as.unwrap_or(peer.remote_as));
        if old.session.local_as != peer.settings.session.local_as {
            peer.real_as = false;
        }
        let mut reason = session_change(&old, &peer.settings);
        if confederation_changed || kind != peer.kind {
            reason = reason.or(Some(DownReason::ConfederationChanged));
        }
        let halt = peer.wanted_halt();
        let policy_changed = old.policy != peer.settings.policy;
        let keeps_now = peer.settings.policy.soft_reconfiguration && !old.policy.soft_reconfiguration;
        match (peer.halt, halt) {
            (Some(Halt::AdminShutdown | Halt::NoFamily), None) => self.resume(env, key),
            (before, Some(halt)) if before != Some(halt) => {
                let (notification, reason) = match halt {
                    Halt::AdminShutdown => (Notification::ADMINISTRATIVE_SHUTDOWN, DownReason::AdminShutdown),
                    _ => (Notification::OTHER_CONFIGURATION_CHANGE, DownReason::FamilyDeactivated),
                };
                self.halt(env, key, halt, notification, reason);
            }
            (_, Some(_)) => {}
            (_, None) => match reason {
                Some(reason) => self.reset(env, key, Notification::OTHER_CONFIGURATION_CHANGE, reason),
                None => {
                    // What was received before is known only as the policy has left it.
                    if keeps_now && self.peer(key).is_some_and(Peer::refreshes) {
                        self.request_refresh(env, key);
                    }
                    if policy_changed {
                        self.judge_later(env, key);
                    }
                }
            },
        }
    }

    /// Tells an established peer everything again after a while. What it has told is judged again by `clear ip bgp` only.
    fn judge_later(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let established = self.peer(key).is_some_and(|peer| peer.session.is_some());
        if established && !self.timers.is_running(TimerKey::SoftReset(key)) {
            let at = env.now() + POLICY_DELAY;
            self.timers.set(TimerKey::SoftReset(key), at);
        }
    }

    /// A peer from a `bgp listen range` has connected.
    pub(super) fn create_dynamic(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(config) = env.config().filter(|_| key.vrf == VrfId::GLOBAL) else { return };
        let dynamic = self.peers().filter(|peer| peer.dynamic).count();
        if dynamic >= usize::from(config.listen_limit.unwrap_or(DEFAULT_LISTEN_LIMIT)) {
            return;
        }
        let Some(listen) = listen_range(config, key.address) else { return };
        let Some(mut peer) = self.dynamic_peer(config, key.address, listen) else { return };
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        peer.index = instance.next_index;
        instance.next_index += 1;
        peer.changed = env.now();
        instance.peers.insert(key.address, peer);
    }

    /// A peer as a listen range would have it.
    pub(super) fn dynamic_peer(
        &self,
        config: &BgpConfig,
        address: Ipv4Addr,
        listen: &ListenRange,
    ) -> Option<Peer> {
        let active = config.global.groups.get(&listen.group)?.active;
        let neighbor = Neighbor { group: Some(listen.group.clone()), active, ..Neighbor::default() };
        let settings = config.effective(&config.global, &neighbor);
        settings.session.remote_as?;
        let key = PeerKey { vrf: VrfId::GLOBAL, address };
        let mut peer = Peer::new(key, 0, config, settings);
        peer.dynamic = true;
        peer.halt = peer.wanted_halt();
        Some(peer)
    }

    /// An interface has changed.
    pub(super) fn interface_changed(&mut self, env: &mut Env<'_, '_>, _index: IfIndex) {
        let Some(config) = env.config() else { return };
        let vrfs: Vec<VrfId> = self.instances.keys().copied().collect();
        for vrf in vrfs {
            if self.instances.get(&vrf).is_some_and(|instance| instance.router_id.is_none()) {
                self.update_router_id(env, vrf);
            }
            for key in self.keys_of(vrf) {
                let lost = self.peer(key).is_some_and(|peer| {
                    peer.must_be_connected() && peer.local_address(env.context) == Err(Halt::NotConnected)
                });
                if lost && config.fast_external_fallover {
                    for direction in [Direction::Incoming, Direction::Outgoing] {
                        let reason = DownReason::InterfaceFlap;
                        self.event_because(env, key, direction, Event::TcpFails, None, reason);
                    }
                }
            }
            self.admit(env, vrf);
        }
    }

    /// The best route to a prefix has changed.
    pub(super) fn route_changed(&mut self, env: &mut Env<'_, '_>, change: &RouteChange) {
        let vrf = change.table.vrf;
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&vrf).filter(|_| change.table == TableId::ipv4(vrf))
        else {
            return;
        };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        let prefix = change.prefix;
        let sources = !family.redistribute.is_empty()
            || family.auto_summary
            || family.networks.contains_key(&prefix)
            || instance.table.get(prefix).is_some_and(|d| d.paths.iter().any(|p| p.source.is_sourced()));
        if instance.next_hops.route_changed(prefix) && config.next_hop_trigger.enabled {
            let delay = config.next_hop_trigger.delay.unwrap_or(NextHopTrigger::DEFAULT_DELAY);
            let at = env.now() + Duration::from_secs(u64::from(delay));
            if !self.timers.is_running(TimerKey::NextHops(vrf)) {
                self.timers.set(TimerKey::NextHops(vrf), at);
            }
        }
        let is_foreign = |route: &Option<crate::rib::Route>| {
            route.as_ref().is_some_and(|route| !matches!(route.owner, RouteOwner::Bgp(_)))
        };
        if is_foreign(&change.old) != is_foreign(&change.new) && instance.table.get(prefix).is_some() {
            // `synchronization` and RIB failures depend on what other protocols know.
            instance.table.dirty.insert(prefix);
        }
        if sources {
            self.source(env, vrf, prefix);
        }
        self.routes_to_peers_changed(env, vrf, prefix);
    }

    /// `neighbor fall-over`.
    fn routes_to_peers_changed(&mut self, env: &mut Env<'_, '_>, vrf: VrfId, prefix: Ipv4Net) {
        let Some(instance) = self.instances.get(&vrf) else { return };
        let lost = |peer: &&Peer| {
            let Some(fall_over) = &peer.settings.session.fall_over else { return false };
            peer.session.is_some()
                && prefix.contains(&peer.key.address)
                && !has_route_to(env.context, vrf, peer.key.address, fall_over)
        };
        let keys: Vec<PeerKey> = instance.peers.values().filter(lost).map(|peer| peer.key).collect();
        for key in keys {
            let notification = Notification::OTHER_CONFIGURATION_CHANGE;
            self.reset(env, key, notification, DownReason::RouteToPeerLost);
        }
    }
}

impl Peer {
    fn new(key: PeerKey, index: u32, config: &BgpConfig, settings: EffectivePeer) -> Self {
        let remote_as = settings.session.remote_as.unwrap_or(config.asn);
        let mut peer = Self {
            key,
            index,
            settings,
            remote_as,
            kind: PeerKind::External,
            local_as: config.asn,
            real_as: false,
            dynamic: false,
            outgoing: Link::default(),
            incoming: None,
            session: None,
            halt: None,
            sent: MessageCounters::default(),
            received: MessageCounters::default(),
            last_read: None,
            last_write: None,
            established: 0,
            dropped: 0,
            last_reset: None,
            restarting: false,
            changed: Time::ZERO,
            routes_in: Received::default(),
            routes_out: Output::default(),
        };
        peer.set_remote_as(config, remote_as);
        peer
    }

    /// The peer is of this AS.
    pub(super) fn set_remote_as(&mut self, config: &BgpConfig, asn: Asn) {
        self.remote_as = asn;
        self.kind = if asn == config.asn {
            PeerKind::Internal
        } else if config.confederation.is_some() && config.confederation_peers.contains(&asn) {
            PeerKind::Confederation
        } else {
            PeerKind::External
        };
        self.local_as = self.presented_asn(config);
    }

    /// Whether its settings keep it in Idle.
    fn wanted_halt(&self) -> Option<Halt> {
        if self.settings.session.shutdown {
            Some(Halt::AdminShutdown)
        } else if !self.settings.active {
            Some(Halt::NoFamily)
        } else {
            None
        }
    }
}

/// Whether there is a route to a peer, and the route map of `fall-over` permits it.
fn has_route_to(context: &Context<'_>, vrf: VrfId, peer: Ipv4Addr, fall_over: &FallOver) -> bool {
    let table = TableId::ipv4(vrf);
    if context.rib.resolve(table, peer).is_none() {
        return false;
    }
    let (Some(map), Some(route)) = (&fall_over.route_map, context.rib.lookup(table, peer)) else {
        return true;
    };
    context.config.policy.route_map(map, &RouteView::of(route, context.interfaces)).is_some()
}

/// Why a change of settings ends a session, if it does.
fn session_change(old: &EffectivePeer, new: &EffectivePeer) -> Option<DownReason> {
    let hops = |peer: &EffectivePeer| {
        let session = &peer.session;
        (session.ebgp_multihop, session.ttl_security_hops, session.disable_connected_check)
    };
    let capabilities = |peer: &EffectivePeer| {
        let policy = &peer.policy;
        (policy.orf_prefix_list, policy.additional_paths, peer.session.no_capabilities)
    };
    let changes = [
        (old.session.remote_as != new.session.remote_as, DownReason::RemoteAsChanged),
        (old.session.local_as != new.session.local_as, DownReason::LocalAsChanged),
        (old.session.update_source != new.session.update_source, DownReason::UpdateSourceChanged),
        (hops(old) != hops(new), DownReason::MultihopChanged),
        (old.session.password != new.session.password, DownReason::PasswordChanged),
        (old.group != new.group, DownReason::PeerGroupChanged),
        (
            old.policy.route_reflector_client != new.policy.route_reflector_client,
            DownReason::ReflectorClientChanged,
        ),
        (capabilities(old) != capabilities(new), DownReason::CapabilityChanged),
    ];
    changes.into_iter().find(|(changed, _)| *changed).map(|(_, reason)| reason)
}

/// The longest listen range that contains an address.
fn listen_range(config: &BgpConfig, address: Ipv4Addr) -> Option<&ListenRange> {
    let ranges = config.listen_ranges.iter().filter(|(range, _)| range.contains(&address));
    ranges.max_by_key(|(range, _)| range.prefix_len()).map(|(_, listen)| listen)
}

fn configured_router_id(context: &Context<'_>, config: &BgpConfig, instance: &Instance) -> Option<RouterId> {
    if let Some(id) = instance.config(config).and_then(|settings| settings.router_id) {
        return Some(id);
    }
    match config.router_id? {
        RouterIdSource::Address(id) => Some(id),
        RouterIdSource::Interface(name) => {
            let interface = context.interfaces.by_name(name)?;
            interface.address.map(|net| RouterId(net.addr()))
        }
    }
}

/// IOS's choice: the highest address of a loopback interface that is up, else the highest of any.
fn highest_address(context: &Context<'_>, vrf: VrfId) -> Option<RouterId> {
    let addresses: BTreeSet<(bool, Ipv4Addr)> = context
        .interfaces
        .iter()
        .filter(|interface| interface.vrf == vrf && interface.is_up())
        .filter_map(|i| i.address.map(|net| (i.medium == Medium::Loopback, net.addr())))
        .collect();
    addresses.last().map(|&(_, address)| RouterId(address))
}
