//! An EIGRP instance at work: its data, its inputs and its timers.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::config::{InstanceConfig, Mode};
use super::graceful::ClearedNeighbors;
use super::interface::EigrpInterface;
use super::log::{DownReason, EigrpLogEvent, NeighborChange};
use super::metric::{MetricSystem, Scale};
use super::neighbor::Neighbor;
use super::packet::{KValues, Sequence};
use super::topology::{Destination, NeighborKey};
use crate::ids::{IfIndex, RouterId, VrfId};
use crate::log::LogEvent;
use crate::policy::PolicyConfig;
use crate::process::{Action, Context, Input, Process, ProcessCommand};
use crate::rib::{RouteOwner, TableId};
use crate::time::{Time, Timers};

/// The timers of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TimerKey {
    /// Send a hello.
    Hello(IfIndex),
    /// The neighbor has been silent for its hold time.
    Hold(NeighborKey),
    /// The packet in flight is not acknowledged.
    Retransmit(NeighborKey),
    /// Make packets of what is to be told.
    Transmit(IfIndex),
    /// The multicast in flight has waited long enough for all acknowledgments.
    MulticastFlow(IfIndex),
    /// A destination has been active for half of the active time.
    Active(Ipv4Net),
}

/// Packets by kind, sent and received (`show ip eigrp traffic`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traffic {
    /// Sent.
    pub sent: TrafficCounters,
    /// Received.
    pub received: TrafficCounters,
}

/// Packets by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrafficCounters {
    /// Hellos.
    pub hellos: u64,
    /// Updates.
    pub updates: u64,
    /// Queries.
    pub queries: u64,
    /// Replies.
    pub replies: u64,
    /// Acknowledgments.
    pub acknowledgments: u64,
    /// SIA queries.
    pub sia_queries: u64,
    /// SIA replies.
    pub sia_replies: u64,
}

/// The configuration that the instance runs by, to see what a new one changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Applied {
    pub config: InstanceConfig,
    /// Lists and route maps, if the instance names any.
    pub policy: Option<PolicyConfig>,
    /// `ip default-network`.
    pub default_networks: BTreeSet<Ipv4Net>,
}

/// An EIGRP instance: one AS in one VRF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EigrpProcess {
    /// AS.
    pub autonomous_system: u16,
    /// The VRF whose interfaces it runs on.
    pub vrf: VrfId,
    /// The name of that VRF; `None` is the global table.
    pub vrf_name: Option<String>,
    /// Classic or named mode.
    pub mode: Mode,
    /// `VR(NAME)`, in named mode.
    pub name: Option<String>,
    /// The router id in use; `None` while the router has no address to take one from.
    pub router_id: Option<RouterId>,
    /// Metric arithmetic.
    pub metrics: MetricSystem,
    /// Interfaces.
    pub interfaces: BTreeMap<IfIndex, EigrpInterface>,
    /// The topology table.
    pub topology: BTreeMap<Ipv4Net, Destination>,
    /// Destinations learned and in use that may serve as default.
    pub candidate_defaults: BTreeSet<Ipv4Net>,
    /// Packets by kind.
    pub traffic: Traffic,
    /// Running timers.
    pub timers: Timers<TimerKey>,
    /// The number of the last reliable packet.
    pub(super) sequence: Sequence,
    /// The number of neighbors found so far.
    pub(super) next_handle: u32,
    /// The number of the last change of a destination.
    pub(super) serial: u64,
    pub(super) applied: Box<Applied>,
    /// Destinations whose route in the routing table may have to change; empty between inputs.
    pub(super) unsettled_routes: BTreeSet<Ipv4Net>,
    /// Summaries whose components have changed; empty between inputs.
    pub(super) unsettled_summaries: BTreeSet<Ipv4Net>,
    /// Neighbors that packets came from which are not acknowledged; empty between inputs.
    pub(super) unacknowledged: BTreeSet<NeighborKey>,
}

/// What one step of an instance works with: the context it reads, and the actions it asks for.
pub(super) struct Env<'a, 'c> {
    /// What may be read.
    pub context: &'a mut Context<'c>,
    /// What is to be done, in order.
    pub actions: &'a mut Vec<Action>,
}

impl<'c> Env<'_, 'c> {
    /// Virtual time.
    pub const fn now(&self) -> Time {
        self.context.now
    }

    /// The lists and route maps of the router.
    pub const fn policy(&self) -> &'c PolicyConfig {
        &self.context.config.policy
    }
}

impl EigrpProcess {
    /// An instance that has not seen its configuration yet.
    #[must_use]
    pub fn new(autonomous_system: u16, vrf: VrfId, vrf_name: Option<String>) -> Self {
        Self {
            autonomous_system,
            vrf,
            vrf_name,
            mode: Mode::Classic,
            name: None,
            router_id: None,
            metrics: MetricSystem {
                scale: Scale::Classic,
                k: KValues::default(),
                maximum_hops: Self::MAXIMUM_HOPS,
                rib_scale: Self::RIB_SCALE,
            },
            interfaces: BTreeMap::new(),
            topology: BTreeMap::new(),
            candidate_defaults: BTreeSet::new(),
            traffic: Traffic::default(),
            timers: Timers::default(),
            sequence: Sequence::NONE,
            next_handle: 0,
            serial: 0,
            applied: Box::default(),
            unsettled_routes: BTreeSet::new(),
            unsettled_summaries: BTreeSet::new(),
            unacknowledged: BTreeSet::new(),
        }
    }

    /// IOS's default of `metric maximum-hops`.
    pub const MAXIMUM_HOPS: u8 = 100;
    /// IOS's default of `metric rib-scale`.
    pub const RIB_SCALE: u8 = 128;

    /// The owner of the instance's routes.
    #[must_use]
    pub const fn owner(&self) -> RouteOwner {
        RouteOwner::Eigrp(self.autonomous_system)
    }

    /// The routing table that the instance offers routes to.
    #[must_use]
    pub const fn table(&self) -> TableId {
        TableId::ipv4(self.vrf)
    }

    /// A neighbor.
    #[must_use]
    pub fn neighbor(&self, key: NeighborKey) -> Option<&Neighbor> {
        self.interfaces.get(&key.interface)?.neighbors.get(&key.address)
    }

    pub(super) fn neighbor_mut(&mut self, key: NeighborKey) -> Option<&mut Neighbor> {
        self.interfaces.get_mut(&key.interface)?.neighbors.get_mut(&key.address)
    }

    /// All neighbors, by interface and address.
    pub fn neighbors(&self) -> impl Iterator<Item = (NeighborKey, &Neighbor)> {
        self.interfaces.iter().flat_map(|(&interface, data)| {
            data.neighbors
                .iter()
                .map(move |(&address, neighbor)| (NeighborKey { interface, address }, neighbor))
        })
    }

    /// When the neighbor is given up unless it says something (`Hold`).
    #[must_use]
    pub fn holds_until(&self, key: NeighborKey) -> Option<Time> {
        self.timers.deadline(TimerKey::Hold(key))
    }

    /// Logs what has become of a neighbor, unless `no eigrp log-neighbor-changes`.
    pub(super) fn log_neighbor(&self, env: &mut Env<'_, '_>, key: NeighborKey, change: NeighborChange) {
        let Some(interface) = self.interfaces.get(&key.interface) else { return };
        if !self.applied.config.no_log_neighbor_changes {
            env.actions.push(Action::Log(LogEvent::Eigrp(EigrpLogEvent::NeighborChanged {
                autonomous_system: self.autonomous_system,
                neighbor: key.address,
                interface: interface.name,
                change,
            })));
        }
    }

    fn expired(&mut self, env: &mut Env<'_, '_>) {
        while let Some(timer) = self.timers.pop_expired(env.now()) {
            match timer {
                TimerKey::Hello(index) => self.hello_due(env, index),
                TimerKey::Hold(key) => self.neighbor_down(env, key, DownReason::HoldingTimeExpired),
                TimerKey::Retransmit(key) => self.retransmit(env, key),
                TimerKey::Transmit(index) => self.transmit(env, index),
                TimerKey::MulticastFlow(index) => self.multicast_flow_expired(env, index),
                TimerKey::Active(prefix) => self.active_for_long(env, prefix),
            }
        }
    }

    fn step(&mut self, env: &mut Env<'_, '_>, input: Input<'_>) {
        match input {
            Input::Configured => self.reconfigure(env),
            Input::InterfaceChanged(_) => self.reconcile_interfaces(env),
            Input::Received(datagram) => self.receive(env, datagram),
            Input::Deadline => self.expired(env),
            Input::RouteChanged(change) => self.route_changed(env, change),
            Input::Restart => self.clear_neighbors(env, ClearedNeighbors::All, false),
            Input::Command(ProcessCommand::ClearEigrp(clear)) if clear.vrf == self.vrf => {
                self.clear_neighbors(env, clear.neighbors, clear.soft);
            }
            Input::TrackChanged(_) | Input::Command(_) => {}
        }
        self.settle(env);
        self.acknowledge_all(env);
    }
}

impl Process for EigrpProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        let instance = context.config.eigrp.instance(self.autonomous_system, self.vrf_name.as_deref());
        let runs = instance.is_some_and(|instance| !instance.shutdown);
        let mut env = Env { context, actions };
        if runs {
            self.step(&mut env, input);
        } else {
            // Shut down, or taken out of the configuration.
            self.stop(&mut env);
        }
    }

    fn next_deadline(&self) -> Option<Time> {
        self.timers.next_deadline()
    }

    fn quiet_interval(&self) -> Duration {
        let holds = self.neighbors().map(|(_, neighbor)| neighbor.hold_time);
        // Each computation has a timer, and these come behind all others: the topology table need not be looked through.
        let active = matches!(self.timers.greatest(), Some(TimerKey::Active(_)));
        let computation = active.then(|| self.active_time()).flatten();
        holds.chain(computation).max().unwrap_or_default()
    }
}
