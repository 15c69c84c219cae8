//! The OSPF process (RFC 2328 section 5): its data structure, its inputs and its timers.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::area::Area;
use super::config::OspfConfig;
use super::interface::{OspfInterface, OspfInterfaceKey};
use super::lsdb::Lsdb;
use super::neighbor::NeighborKey;
use super::routing::Routing;
use crate::ids::{AreaId, RouterId, VrfId};
use crate::process::{Action, Context, Input, Process};
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
    /// RouterDeadInterval without a hello (section 10).
    Inactivity(OspfInterfaceKey, NeighborKey),
    /// RxmtInterval for database description packets (section 10.8).
    DatabaseDescription(OspfInterfaceKey, NeighborKey),
    /// RxmtInterval for link state requests (section 10.9).
    LinkStateRequest(OspfInterfaceKey, NeighborKey),
    /// RxmtInterval for link state updates (section 13.6).
    LinkStateUpdate(OspfInterfaceKey, NeighborKey),
}

/// An OSPF routing process (RFC 2328 section 5).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OspfProcess {
    /// `router ospf N`.
    pub process_id: u16,
    /// The router id in use; `None` while the router has no address to take one from, and the process stands still.
    pub router_id: Option<RouterId>,
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
    /// A process that has not seen its configuration yet.
    #[must_use]
    pub fn new(process_id: u16) -> Self {
        Self {
            process_id,
            router_id: None,
            vrf: VrfId::GLOBAL,
            started: Time::ZERO,
            areas: BTreeMap::new(),
            interfaces: BTreeMap::new(),
            lsdb: Lsdb::default(),
            routing: Routing::default(),
            timers: Timers::default(),
        }
    }

    /// The part of the router's configuration that is this process's own.
    pub(super) fn config<'c>(&self, context: &Context<'c>) -> Option<&'c OspfConfig> {
        context.config.ospf.get(&self.process_id)
    }
}

impl Process for OspfProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        let mut env = Env { context, actions };
        match input {
            Input::Deadline => {
                while self.timers.pop_expired(env.now()).is_some() {}
                self.routing_expired(&mut env);
            }
            Input::Configured => self.routing_reconfigured(&mut env),
            Input::InterfaceChanged(index) => {
                self.adjacency_changed(&mut env, OspfInterfaceKey::Physical(index));
            }
            Input::Restart => {
                self.withdraw_own_lsas(&mut env);
                self.routing.clear();
            }
            Input::RouteChanged(change) => self.routing_saw_route(&mut env, change),
            _ if self.config(env.context).is_none() => env.actions.clear(),
            _ => {}
        }
    }

    fn next_deadline(&self) -> Option<Time> {
        [self.timers.next_deadline(), self.routing_deadline()].into_iter().flatten().min()
    }

    fn quiet_interval(&self) -> Duration {
        self.interfaces.values().map(|i| i.dead_interval).max().unwrap_or_default()
    }
}
