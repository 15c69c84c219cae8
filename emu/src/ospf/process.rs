//! The OSPF process (RFC 2328 section 5): its data structure, its inputs and its timers.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::area::Area;
use super::config::OspfConfig;
use super::interface::{InterfaceEvent, OspfInterface, OspfInterfaceKey};
use super::lsa::LsaKey;
use super::lsdb::{Lsdb, Scope};
use super::neighbor::NeighborKey;
use super::neighbor_events::DownReason;
use super::routing::Routing;
use crate::ids::{AreaId, RouterId, VrfId};
use crate::process::{Action, Context, Input, Process};
use crate::rib::{RouteChange, RouteOwner};
use crate::time::{Time, Timers};

/// The timers of an OSPF process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TimerKey {
    /// HelloInterval: send a hello (section 9.5).
    Hello(OspfInterfaceKey),
    /// Wait timer: end of the wait for an elected DR (section 9.1).
    Wait(OspfInterfaceKey),
    /// PollInterval: a hello to a silent neighbor on a non-broadcast network (section 9.5.1).
    Poll(OspfInterfaceKey, Ipv4Addr),
    /// Send the delayed acknowledgements of an interface (section 13.5).
    DelayedAck(OspfInterfaceKey),
    /// Send what is queued for flooding on an interface (`timers pacing flood`).
    FloodPacing(OspfInterfaceKey),
    /// End of the time that a neighbor has to restart (RFC 3623 section 3.2).
    Help(OspfInterfaceKey, NeighborKey),
    /// RouterDeadInterval without a hello (section 10).
    Inactivity(OspfInterfaceKey, NeighborKey),
    /// End of the time for which a neighbor that was given up is ignored.
    Ignore(OspfInterfaceKey, NeighborKey),
    /// LSAs with DoNotAge leave the database, their makers being out of reach (RFC 1793 section 2.3).
    DoNotAge,
    /// RxmtInterval for database description packets (section 10.8).
    DatabaseDescription(OspfInterfaceKey, NeighborKey),
    /// RxmtInterval for link state requests (section 10.9).
    LinkStateRequest(OspfInterfaceKey, NeighborKey),
    /// RxmtInterval for link state updates (section 13.6).
    LinkStateUpdate(OspfInterfaceKey, NeighborKey),
}

impl TimerKey {
    /// The interface whose timer it is.
    pub(super) const fn interface(self) -> Option<OspfInterfaceKey> {
        match self {
            Self::Hello(key)
            | Self::Wait(key)
            | Self::Poll(key, _)
            | Self::DelayedAck(key)
            | Self::FloodPacing(key)
            | Self::Help(key, _)
            | Self::Inactivity(key, _)
            | Self::Ignore(key, _)
            | Self::DatabaseDescription(key, _)
            | Self::LinkStateRequest(key, _)
            | Self::LinkStateUpdate(key, _) => Some(key),
            Self::DoNotAge => None,
        }
    }

    /// The neighbor whose timer it is.
    pub(super) const fn neighbor(self) -> Option<(OspfInterfaceKey, NeighborKey)> {
        match self {
            Self::Help(key, neighbor)
            | Self::Inactivity(key, neighbor)
            | Self::Ignore(key, neighbor)
            | Self::DatabaseDescription(key, neighbor)
            | Self::LinkStateRequest(key, neighbor)
            | Self::LinkStateUpdate(key, neighbor) => Some((key, neighbor)),
            Self::Poll(key, address) => Some((key, NeighborKey(address))),
            Self::Hello(_) | Self::Wait(_) | Self::DelayedAck(_) | Self::FloodPacing(_) | Self::DoNotAge => {
                None
            }
        }
    }
}

/// An OSPF routing process (RFC 2328 section 5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OspfProcess {
    /// `router ospf N`.
    pub process_id: u16,
    /// The router id in use; `None` while the router has no address to take one from, and the process stands still.
    pub router_id: Option<RouterId>,
    /// That there is no router id to take was logged.
    pub(super) told_no_router_id: bool,
    /// The VRF whose interfaces it runs on.
    pub vrf: VrfId,
    /// When the process started, or restarted.
    pub started: Time,
    /// Attached areas.
    pub areas: BTreeMap<AreaId, Area>,
    /// Interfaces, virtual links included.
    pub interfaces: BTreeMap<OspfInterfaceKey, OspfInterface>,
    /// Link state database.
    pub lsdb: Lsdb,
    /// Routes, own LSAs, calculations.
    pub routing: Routing,
    /// LSAs at MaxAge that leave the database once all neighbors have acknowledged them (section 14).
    pub flushed: BTreeSet<(Scope, LsaKey)>,
    /// Running timers.
    pub timers: Timers<TimerKey>,
}

/// What one step of the process works with: the context it reads, and the actions it asks for.
pub(super) struct Env<'a, 'c> {
    /// What may be read.
    pub context: &'a mut Context<'c>,
    /// What is to be done, in order.
    pub actions: &'a mut Vec<Action>,
}

impl Env<'_, '_> {
    /// Virtual time.
    pub const fn now(&self) -> Time {
        self.context.now
    }
}

impl OspfProcess {
    /// A process that starts now, and has not seen its configuration yet.
    #[must_use]
    pub fn new(process_id: u16, started: Time) -> Self {
        Self {
            process_id,
            router_id: None,
            told_no_router_id: false,
            vrf: VrfId::GLOBAL,
            started,
            areas: BTreeMap::new(),
            interfaces: BTreeMap::new(),
            lsdb: Lsdb::default(),
            routing: Routing::default(),
            flushed: BTreeSet::new(),
            timers: Timers::default(),
        }
    }

    /// The part of the router's configuration that is this process's own.
    pub(super) fn config<'c>(&self, context: &Context<'c>) -> Option<&'c OspfConfig> {
        context.config.ospf.get(&self.process_id)
    }
}

impl OspfProcess {
    fn expired(&mut self, env: &mut Env<'_, '_>, timer: TimerKey) {
        match timer {
            TimerKey::Hello(key) => self.hello_due(env, key),
            TimerKey::Wait(key) => self.interface_event(env, key, InterfaceEvent::WaitTimer),
            TimerKey::Poll(key, address) => self.poll_due(env, key, address),
            TimerKey::DelayedAck(key) => self.acks_due(env, key),
            TimerKey::FloodPacing(key) => self.flood_queue_due(env, key),
            TimerKey::DoNotAge => self.unreachable_due(env),
            TimerKey::Help(key, neighbor) => self.stop_helping(env, key, neighbor),
            TimerKey::Inactivity(key, neighbor) => self.neighbor_silent(env, key, neighbor),
            TimerKey::Ignore(key, neighbor) => self.ignore_expired(env, key, neighbor),
            TimerKey::DatabaseDescription(key, neighbor) => self.description_unanswered(env, key, neighbor),
            TimerKey::LinkStateRequest(key, neighbor) => self.request_more(env, key, neighbor),
            TimerKey::LinkStateUpdate(key, neighbor) => self.retransmit(env, key, neighbor),
        }
    }

    /// `clear ip ospf process`: own LSAs are flushed, neighbors are dropped, and the process starts anew, with the router id
    /// that it would choose now.
    fn restart(&mut self, env: &mut Env<'_, '_>) {
        self.withdraw_own_lsas(env);
        let keys: Vec<OspfInterfaceKey> = self.interfaces.keys().copied().collect();
        for &key in &keys {
            // What is flushed must still go out before the neighbors are gone.
            self.flood_queue_due(env, key);
        }
        for key in keys {
            self.kill_neighbors(env, key, DownReason::InterfaceDown);
            self.interface_event(env, key, InterfaceEvent::InterfaceDown);
        }
        let routes: Vec<_> = env
            .context
            .rib
            .offers_of(crate::rib::TableId::ipv4(self.vrf), crate::rib::RouteOwner::Ospf(self.process_id))
            .map(|route| route.prefix)
            .collect();
        env.actions.extend(routes.into_iter().map(Action::Withdraw));
        *self = Self { vrf: self.vrf, ..Self::new(self.process_id, env.context.now) };
        self.reconcile(env);
        self.routing_reconfigured(env);
    }
}

impl Process for OspfProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        let mut env = Env { context, actions };
        match input {
            Input::Deadline => {
                while let Some(timer) = self.timers.pop_expired(env.now()) {
                    self.expired(&mut env, timer);
                }
                self.routing_expired(&mut env);
            }
            Input::Configured => {
                self.reconcile(&mut env);
                self.routing_reconfigured(&mut env);
            }
            Input::InterfaceChanged(_) => {
                let (router_id, areas) = (self.router_id, self.areas.clone());
                self.reconcile(&mut env);
                if router_id != self.router_id || areas != self.areas {
                    self.routing_reconfigured(&mut env);
                }
            }
            Input::Received(datagram) => self.receive(&mut env, datagram),
            Input::Restart => self.restart(&mut env),
            Input::RouteChanged(_) => self.routing_saw_route(&mut env),
            Input::TrackChanged(_) | Input::Command(_) => {}
        }
    }

    /// Its own routes it has made itself.
    fn concerns(&self, change: &RouteChange) -> bool {
        let own = RouteOwner::Ospf(self.process_id);
        [&change.old, &change.new].into_iter().flatten().any(|route| route.owner != own)
    }

    fn next_deadline(&self) -> Option<Time> {
        [self.timers.next_deadline(), self.routing_deadline()].into_iter().flatten().min()
    }

    fn quiet_interval(&self) -> Duration {
        let neighbors = self.interfaces.values().flat_map(|interface| interface.neighbors.values());
        let helping = neighbors.filter_map(|neighbor| neighbor.help).map(|help| help.until.since(help.since));
        self.interfaces.values().map(|i| i.dead_interval).chain(helping).max().unwrap_or_default()
    }
}
