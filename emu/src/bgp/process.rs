//! The BGP process: its instances, its TCP, its inputs and timers.

use std::collections::{BTreeMap, VecDeque};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::config::BgpConfig;
use super::fsm::Event;
use super::instance::Instance;
use super::log::BgpLogEvent;
use super::peer::{Direction, Peer, PeerKey};
use crate::ids::{Asn, VrfId};
use crate::log::LogEvent;
use crate::policy::PolicyConfig;
use crate::process::{Action, Context, Input, IpProtocol, Process, ProcessCommand};
use crate::tcp::{self, Stack};
use crate::time::{Time, Timers};

/// The timers of the BGP process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TimerKey {
    /// End of the wait in Idle (IdleHoldTimer).
    IdleHold(PeerKey),
    /// ConnectRetryTimer.
    ConnectRetry(PeerKey),
    /// HoldTimer.
    Hold(PeerKey, Direction),
    /// KeepaliveTimer.
    Keepalive(PeerKey, Direction),
    /// MinRouteAdvertisementIntervalTimer.
    Advertise(PeerKey),
    /// End of the wait after too many prefixes (`maximum-prefix restart`).
    PrefixLimit(PeerKey),
    /// Policies have changed: the peer is told everything again.
    SoftReset(PeerKey),
    /// End of the wait for a peer that restarts (RFC 4724).
    Restart(PeerKey),
    /// End of the wait for its routes (`bgp graceful-restart stalepath-time`).
    StalePaths(PeerKey),
    /// Routes to next hops have changed (`bgp nexthop trigger delay`).
    NextHops(VrfId),
    /// Penalties of flapping routes have decayed.
    Dampening(VrfId),
    /// The scanner: conditions are looked at.
    Scan,
}

/// The BGP process.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BgpProcess {
    /// The AS.
    pub asn: Asn,
    /// When the process started.
    pub started: Time,
    /// The global table and those of VRFs.
    pub instances: BTreeMap<VrfId, Instance>,
    /// TCP.
    pub tcp: Stack,
    pub(super) timers: Timers<TimerKey>,
    /// What TCP has told and is not handled yet; empty between inputs.
    pub(super) tcp_events: VecDeque<tcp::Event>,
    /// The policies by which routes were last judged.
    pub(super) policy: PolicyConfig,
    /// The configuration that instances and peers were last made equal to.
    pub(super) last: Option<Box<BgpConfig>>,
}

/// What one step of the process works with: the context it reads, and the actions it asks for.
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

    /// The configuration of the process.
    pub fn config(&self) -> Option<&'c BgpConfig> {
        self.context.config.bgp.as_ref()
    }

    /// Asks for something in the tables of a VRF.
    pub fn act(&mut self, vrf: VrfId, action: Action) {
        self.actions.push(match vrf {
            VrfId::GLOBAL => action,
            vrf => Action::InVrf(vrf, Box::new(action)),
        });
    }

    pub fn log(&mut self, event: BgpLogEvent) {
        self.actions.push(Action::Log(LogEvent::Bgp(event)));
    }
}

impl BgpProcess {
    /// A process that has not seen its configuration yet.
    #[must_use]
    pub fn new(asn: Asn) -> Self {
        Self {
            asn,
            started: Time::ZERO,
            instances: BTreeMap::new(),
            tcp: Stack::default(),
            timers: Timers::default(),
            tcp_events: VecDeque::new(),
            policy: PolicyConfig::default(),
            last: None,
        }
    }

    /// The instance of a VRF.
    #[must_use]
    pub fn instance(&self, vrf: VrfId) -> Option<&Instance> {
        self.instances.get(&vrf)
    }

    /// A peer.
    #[must_use]
    pub fn peer(&self, key: PeerKey) -> Option<&Peer> {
        self.instances.get(&key.vrf)?.peers.get(&key.address)
    }

    pub(super) fn peer_mut(&mut self, key: PeerKey) -> Option<&mut Peer> {
        self.instances.get_mut(&key.vrf)?.peers.get_mut(&key.address)
    }

    /// All peers.
    pub fn peers(&self) -> impl Iterator<Item = &Peer> {
        self.instances.values().flat_map(|instance| instance.peers.values())
    }

    fn expired(&mut self, env: &mut Env<'_, '_>, timer: TimerKey) {
        match timer {
            TimerKey::IdleHold(key) => self.start(env, key),
            TimerKey::ConnectRetry(key) => self.retry(env, key),
            TimerKey::Hold(key, direction) => self.hold_expired(env, key, direction),
            TimerKey::Keepalive(key, direction) => self.event(env, key, direction, Event::KeepaliveExpires),
            TimerKey::Advertise(key) => self.advertise_to(env, key),
            TimerKey::PrefixLimit(key) => self.resume(env, key),
            TimerKey::SoftReset(key) => self.soft_reset_out(env, key),
            TimerKey::Restart(key) | TimerKey::StalePaths(key) => self.end_restart(key),
            TimerKey::Scan => self.watch_conditions(env),
            TimerKey::Dampening(vrf) => self.decay_flaps(env, vrf),
            TimerKey::NextHops(vrf) => self.next_hops_changed(env, vrf),
        }
    }

    /// Handles what TCP has told, and what came of it.
    fn settle(&mut self, env: &mut Env<'_, '_>) {
        while let Some(event) = self.tcp_events.pop_front() {
            self.tcp_event(env, event);
        }
        self.run_routing(env);
        // What was written may have failed at once.
        while let Some(event) = self.tcp_events.pop_front() {
            self.tcp_event(env, event);
        }
    }
}

impl Process for BgpProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        let mut env = Env { context, actions };
        match input {
            Input::Configured if env.config().is_none() => self.stop_all(&mut env),
            Input::Configured => self.reconfigured(&mut env),
            Input::InterfaceChanged(index) => self.interface_changed(&mut env, index),
            Input::Received(datagram) if datagram.protocol == IpProtocol::TCP => {
                self.received(&mut env, datagram);
            }
            Input::Received(_) | Input::TrackChanged(_) | Input::Command(ProcessCommand::ClearEigrp(_)) => {}
            Input::Deadline => {
                self.run_tcp_timers(&mut env);
                let now = env.now();
                while let Some(timer) = self.timers.pop_expired(now) {
                    self.expired(&mut env, timer);
                }
            }
            Input::RouteChanged(change) => self.route_changed(&mut env, change),
            Input::Restart => self.clear_all(&mut env),
            Input::Command(ProcessCommand::ClearBgp(clear)) => self.clear(&mut env, clear),
            Input::Command(ProcessCommand::ClearBgpDampening(vrf, prefix)) => {
                self.clear_dampening(*vrf, *prefix);
            }
        }
        self.settle(&mut env);
    }

    fn next_deadline(&self) -> Option<Time> {
        [self.timers.next_deadline(), self.tcp.next_deadline()].into_iter().flatten().min()
    }

    fn quiet_interval(&self) -> Duration {
        self.peers().filter_map(|peer| peer.session.as_ref()).map(|s| s.hold_time).max().unwrap_or_default()
    }
}
