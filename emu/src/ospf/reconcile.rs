//! Interfaces and areas made equal to configuration and hardware (RFC 2328 appendix C.2, C.3).

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;

use super::Area;
use super::config::{
    AreaKind, AuthenticationMode, DeadInterval, DemandCircuit, InterfaceAuthentication, NetworkType,
    OspfConfig, OspfInterfaceConfig, VirtualLinkConfig,
};
use super::interface::{
    InterfaceEvent, InterfaceKeys, InterfaceSettings, InterfaceState, OspfInterface, OspfInterfaceKey,
    OspfInterfaceName, OspfNetwork,
};
use super::neighbor::NeighborEvent;
use super::neighbor_events::DownReason;
use super::packet::SIMPLE_KEY_LEN;
use super::process::{Env, OspfProcess, TimerKey};
use crate::ids::{AreaId, IfIndex};
use crate::interface::{Interface, Medium};

/// IOS's default of `auto-cost reference-bandwidth`, in Mbit/s.
const REFERENCE_BANDWIDTH: u32 = 100;

/// What configuration and hardware make of an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wanted {
    name: OspfInterfaceName,
    network: OspfNetwork,
    area: AreaId,
    address: Option<Ipv4Net>,
    source: Ipv4Addr,
    cost: u16,
    dead_interval: Duration,
    settings: InterfaceSettings,
    up: bool,
}

impl OspfProcess {
    /// Makes router id, areas and interfaces what they should be; then the database half may look at them.
    pub(super) fn reconcile(&mut self, env: &mut Env<'_, '_>) {
        self.settle_router_id(env);
        let wanted = self.wanted_interfaces(env);
        let gone: Vec<OspfInterfaceKey> =
            self.interfaces.keys().copied().filter(|key| !wanted.contains_key(key)).collect();
        for key in gone {
            self.take_down(env, key);
            self.interfaces.remove(&key);
        }
        self.reconcile_areas(env, &wanted);
        for (key, wanted) in wanted {
            self.reconcile_interface(env, key, wanted);
        }
        self.reconcile_static_neighbors(env);
        self.reconcile_help(env);
    }

    /// The areas with an interface, and those that are configured as transit areas or stubs of them.
    fn reconcile_areas(&mut self, env: &mut Env<'_, '_>, wanted: &BTreeMap<OspfInterfaceKey, Wanted>) {
        let attached: BTreeSet<AreaId> = wanted.values().map(|interface| interface.area).collect();
        self.areas.retain(|area, _| attached.contains(area));
        for id in attached {
            let configured = self.config(env.context).and_then(|config| config.areas.get(&id));
            // The backbone is never a stub.
            let kind =
                configured.map(|area| area.kind).filter(|_| id != AreaId::BACKBONE).unwrap_or_default();
            let old = self.areas.insert(id, Area::new(id, kind)).map(|area| area.kind);
            if old.is_some_and(|old| std::mem::discriminant(&old) != std::mem::discriminant(&kind)) {
                self.area_kind_changed(env, id, kind);
            }
        }
        self.forget_externals(env);
    }

    /// The E and N bits of the hellos are others now: the neighbors must agree to them anew, and LSAs that do not belong into such an
    /// area leave its database.
    fn area_kind_changed(&mut self, env: &mut Env<'_, '_>, area: AreaId, kind: AreaKind) {
        let of_area: Vec<OspfInterfaceKey> =
            self.interfaces.iter().filter(|(_, i)| i.area == area).map(|(&key, _)| key).collect();
        for key in of_area {
            self.kill_neighbors(env, key, DownReason::AdjacencyForcedToReset);
        }
        self.forget_foreign_types(env, area, kind);
    }

    fn wanted_interfaces(&self, env: &Env<'_, '_>) -> BTreeMap<OspfInterfaceKey, Wanted> {
        let Some(config) = self.config(env.context).filter(|config| !config.shutdown) else {
            return BTreeMap::new();
        };
        if self.router_id.is_none() {
            return BTreeMap::new();
        }
        let mut all: BTreeMap<OspfInterfaceKey, Wanted> = env
            .context
            .interfaces
            .iter()
            .filter(|interface| interface.vrf == self.vrf)
            .filter_map(|interface| {
                let wanted = self.wanted_interface(env, config, interface)?;
                Some((OspfInterfaceKey::Physical(interface.index), wanted))
            })
            .collect();
        let mut number = 0;
        for (&transit, area) in &config.areas {
            for (&peer, link) in &area.virtual_links {
                let key = OspfInterfaceKey::Virtual { transit, peer };
                all.insert(key, self.wanted_virtual_link(config, key, number, link));
                number += 1;
            }
        }
        all
    }

    /// The physical interfaces that the process runs on.
    pub(crate) fn attached(&self) -> BTreeSet<IfIndex> {
        let physical = |key: &OspfInterfaceKey| match key {
            OspfInterfaceKey::Physical(index) => Some(*index),
            OspfInterfaceKey::Virtual { .. } => None,
        };
        self.interfaces.keys().filter_map(physical).collect()
    }

    /// The area of an interface: by its own command, else by the first `network` statement that matches its primary address. An interface
    /// runs one process: of several whose statements match it the one that came first keeps it.
    fn area_of(&self, env: &Env<'_, '_>, config: &OspfConfig, interface: &Interface) -> Option<AreaId> {
        let own = env.context.config.interfaces.get(&interface.name).and_then(|settings| settings.ospf.area);
        if let Some(own) = own {
            return (own.process == self.process_id).then_some(own.area);
        }
        let holder = env.context.ospf_interfaces.get(&interface.index);
        if holder.is_some_and(|&holder| holder != self.process_id) {
            return None;
        }
        let address = env.context.interfaces.source_address(interface.index)?;
        config.networks.iter().find(|network| network.wildcard.matches(address)).map(|network| network.area)
    }

    fn wanted_interface(
        &self,
        env: &Env<'_, '_>,
        config: &OspfConfig,
        interface: &Interface,
    ) -> Option<Wanted> {
        let source = env.context.interfaces.source_address(interface.index)?;
        let area = self.area_of(env, config, interface)?;
        let default = OspfInterfaceConfig::default();
        let own = env.context.config.interfaces.get(&interface.name).map_or(&default, |i| &i.ospf);
        let network = network_of(interface, own.network_type);
        let (hello_interval, dead_interval) = intervals(own, network);
        let area_mode = config.areas.get(&area).and_then(|area| area.authentication);
        let ttl_security = match own.ttl_security {
            Some(own) => own,
            None => config.ttl_security_hops,
        };
        let settings = InterfaceSettings {
            hello_interval,
            retransmit_interval: Duration::from_secs(u64::from(own.retransmit_interval.unwrap_or(5))),
            transmit_delay: own.transmit_delay.unwrap_or(1),
            priority: own.priority.unwrap_or(1),
            passive: config.is_passive(interface.name) || interface.medium == Medium::Loopback,
            mtu: interface.ip_mtu,
            mtu_ignore: own.mtu_ignore,
            database_filter: own.database_filter,
            demand_circuit: own.demand_circuit,
            flood_reduction: own.flood_reduction,
            ttl_security,
            keys: keys(&own.authentication, area_mode),
        };
        Some(Wanted {
            name: OspfInterfaceName::Physical(interface.name),
            network,
            area,
            address: interface.address.filter(|_| interface.unnumbered.is_none()),
            source,
            cost: own.cost.unwrap_or_else(|| cost_of(config, interface)),
            dead_interval,
            settings,
            up: interface.is_up() && !own.shutdown,
        })
    }

    /// A virtual link: what the way through the transit area decides is kept from the last calculation.
    fn wanted_virtual_link(
        &self,
        config: &OspfConfig,
        key: OspfInterfaceKey,
        number: u32,
        link: &VirtualLinkConfig,
    ) -> Wanted {
        let old = self.interfaces.get(&key);
        let hello = u64::from(link.hello_interval.unwrap_or(10));
        let mode = config.areas.get(&AreaId::BACKBONE).and_then(|area| area.authentication);
        let settings = InterfaceSettings {
            hello_interval: Duration::from_secs(hello),
            retransmit_interval: Duration::from_secs(u64::from(link.retransmit_interval.unwrap_or(5))),
            transmit_delay: link.transmit_delay.unwrap_or(1),
            mtu: 0,
            ttl_security: link.ttl_security_hops,
            keys: keys(&link.authentication, mode),
            ..InterfaceSettings::default()
        };
        Wanted {
            name: OspfInterfaceName::VirtualLink(number),
            network: OspfNetwork::VirtualLink,
            area: AreaId::BACKBONE,
            address: old.and_then(|old| old.address),
            source: old.map_or(Ipv4Addr::UNSPECIFIED, |old| old.source),
            cost: old.map_or(1, |old| old.cost),
            dead_interval: link
                .dead_interval
                .map_or(Duration::from_secs(4 * hello), |secs| Duration::from_secs(u64::from(secs))),
            settings,
            up: old.is_some_and(|old| old.state != InterfaceState::Down),
        }
    }

    fn reconcile_interface(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, wanted: Wanted) {
        if self.interfaces.get(&key).is_some_and(|old| must_restart(old, &wanted)) {
            self.take_down(env, key);
            self.interfaces.remove(&key);
        }
        let interface = self
            .interfaces
            .entry(key)
            .or_insert_with(|| OspfInterface::new(wanted.name, wanted.network, wanted.area));
        // Each end would go on because the other one does: they start anew.
        let no_longer = interface.settings.demand_circuit == Some(DemandCircuit::Run)
            || wanted.settings.demand_circuit == Some(DemandCircuit::Ignore);
        let ended = no_longer
            && interface.settings.demand_circuit != wanted.settings.demand_circuit
            && interface.neighbors.values().any(|neighbor| interface.suppresses_hellos(neighbor));
        let began = !no_longer && interface.settings.demand_circuit != wanted.settings.demand_circuit;
        let priority_changed = interface.settings.priority != wanted.settings.priority;
        let hello_changed = interface.settings.hello_interval != wanted.settings.hello_interval;
        let cost_changed = interface.cost != wanted.cost;
        let unchanged =
            interface.settings == wanted.settings && interface.dead_interval == wanted.dead_interval;
        let is_up = interface.state != InterfaceState::Down;
        interface.name = wanted.name;
        interface.cost = wanted.cost;
        interface.address = wanted.address;
        interface.source = wanted.source;
        interface.dead_interval = wanted.dead_interval;
        interface.settings = wanted.settings;
        match (is_up, wanted.up) {
            (false, true) => self.interface_event(env, key, InterfaceEvent::InterfaceUp),
            (true, false) => self.take_down(env, key),
            (true, true) if !unchanged => {
                if ended {
                    self.kill_neighbors(env, key, DownReason::AdjacencyForcedToReset);
                }
                if (hello_changed || ended || began) && self.timers.is_running(TimerKey::Hello(key)) {
                    self.timers.set(TimerKey::Hello(key), env.now());
                }
                if priority_changed {
                    self.interface_event(env, key, InterfaceEvent::NeighborChange);
                }
            }
            _ => {}
        }
        if cost_changed {
            self.adjacency_changed(env, key);
        }
    }

    /// An interface goes down: its neighbors with it.
    pub(super) fn take_down(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey) {
        self.kill_neighbors(env, key, DownReason::InterfaceDown);
        self.interface_event(env, key, InterfaceEvent::InterfaceDown);
    }

    /// Ends all conversations on an interface.
    pub(super) fn kill_neighbors(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        reason: DownReason,
    ) {
        let neighbors: Vec<_> =
            self.interfaces.get(&key).into_iter().flat_map(|i| i.neighbors.keys().copied()).collect();
        for neighbor in neighbors {
            self.neighbor_down(env, key, neighbor, NeighborEvent::KillNbr, reason);
        }
    }
}

/// Whether a change cannot be made with neighbors in place.
fn must_restart(old: &OspfInterface, wanted: &Wanted) -> bool {
    let virtual_link = wanted.network == OspfNetwork::VirtualLink;
    old.network != wanted.network
        || old.area != wanted.area
        || (!virtual_link && (old.address, old.source) != (wanted.address, wanted.source))
        || old.settings.passive != wanted.settings.passive
}

/// What kind of network an interface is, by its medium unless configured.
fn network_of(interface: &Interface, configured: Option<NetworkType>) -> OspfNetwork {
    match (interface.medium, configured) {
        (Medium::Loopback, Some(NetworkType::PointToPoint)) => {
            OspfNetwork::Network(NetworkType::PointToPoint)
        }
        (Medium::Loopback | Medium::Null, _) => OspfNetwork::Loopback,
        (_, Some(configured)) => OspfNetwork::Network(configured),
        (Medium::Ethernet, None) => OspfNetwork::Network(NetworkType::Broadcast),
        (Medium::Serial | Medium::Tunnel, None) => OspfNetwork::Network(NetworkType::PointToPoint),
    }
}

/// Hello and dead interval. IOS: 10 s on broadcast and point-to-point networks, else 30 s; dead after four times that.
fn intervals(own: &OspfInterfaceConfig, network: OspfNetwork) -> (Duration, Duration) {
    let default = match network {
        OspfNetwork::Network(NetworkType::Broadcast | NetworkType::PointToPoint)
        | OspfNetwork::Loopback
        | OspfNetwork::VirtualLink => 10,
        OspfNetwork::Network(_) => 30,
    };
    let hello = Duration::from_secs(u64::from(own.hello_interval.unwrap_or(default)));
    match own.dead_interval {
        None => (hello, 4 * hello),
        Some(DeadInterval::Seconds(secs)) => (hello, Duration::from_secs(u64::from(secs))),
        Some(DeadInterval::Minimal { hello_multiplier }) => {
            let second = Duration::from_secs(1);
            (second / u32::from(hello_multiplier.max(1)), second)
        }
    }
}

/// The cost of an interface by its bandwidth; a loopback costs 1.
fn cost_of(config: &OspfConfig, interface: &Interface) -> u16 {
    if interface.medium == Medium::Loopback {
        return 1;
    }
    let reference = u64::from(config.reference_bandwidth.unwrap_or(REFERENCE_BANDWIDTH)) * 1000;
    let cost = reference / u64::from(interface.bandwidth_kbps.max(1));
    u16::try_from(cost.max(1)).unwrap_or(u16::MAX)
}

/// The keys of an interface: its own mode before its area's, a key chain before both.
fn keys(own: &InterfaceAuthentication, area_mode: Option<AuthenticationMode>) -> InterfaceKeys {
    if let Some(chain) = &own.key_chain {
        return InterfaceKeys::KeyChain(chain.clone());
    }
    match own.mode.or(area_mode) {
        None | Some(AuthenticationMode::Null) => InterfaceKeys::Null,
        Some(AuthenticationMode::Simple) => {
            let mut password = [0; SIMPLE_KEY_LEN];
            let given = own.simple_key.as_deref().unwrap_or_default().as_bytes();
            password.iter_mut().zip(given).for_each(|(to, from)| *to = *from);
            InterfaceKeys::Simple(password)
        }
        Some(AuthenticationMode::MessageDigest) => InterfaceKeys::MessageDigest(own.digest_keys.clone()),
    }
}
