//! Standing by while a neighbor restarts (RFC 3623 section 3, IOS's `nsf ietf helper`; RFC 4812, `nsf cisco helper`): its packets are
//! missing or show that it has lost its state, but it still forwards, so that others need not know.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::flood::Adjacency;
use super::interface::{InterfaceEvent, OspfInterfaceKey};
use super::lsa::{GraceLsa, LsAge, Lsa, RestartReason};
use super::lsdb::LS_REFRESH_TIME;
use super::neighbor::{Neighbor, NeighborEvent, NeighborKey, NeighborState};
use super::neighbor_events::DownReason;
use super::process::{Env, OspfProcess, TimerKey};
use super::retransmission::Retransmission;
use crate::time::Time;

/// RS of the extended options: the router has restarted, and does not know its neighbors yet (RFC 4812 section 2).
pub(super) const LLS_RESTART_SIGNAL: u32 = 2;

/// What a neighbor that restarts has asked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestartKind {
    /// By a grace LSA.
    Ietf(RestartReason),
    /// By the restart signal in its hellos.
    Cisco,
}

/// This router stands by while a neighbor restarts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Help {
    /// What for.
    pub kind: RestartKind,
    /// Since when.
    pub since: Time,
    /// At the longest.
    pub until: Time,
    /// The neighbor has listed this router in a hello since.
    pub listed: bool,
}

impl OspfProcess {
    /// An LSA of a neighbor's has been installed: if it is a grace LSA, this router may have to help (section 3.1), or no longer (3.2).
    pub(super) fn saw_grace_lsa(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        lsa: &Lsa,
        age: LsAge,
    ) {
        let Some(grace) = GraceLsa::of(lsa) else { return };
        let Some(neighbor) = self.restarting_neighbor(key, lsa, &grace) else { return };
        if age.is_max() {
            self.stop_helping(env, key, neighbor);
            return;
        }
        let period = Duration::from_secs(u64::from(grace.period));
        let left = period.saturating_sub(Duration::from_secs(u64::from(age.secs())));
        if period > LS_REFRESH_TIME || left.is_zero() || !self.may_help(env, key, neighbor) {
            return;
        }
        self.help(env, key, neighbor, RestartKind::Ietf(grace.reason), left);
    }

    /// Whose grace LSA it is: on networks it is known by the address in it, else by the router id.
    fn restarting_neighbor(&self, key: OspfInterfaceKey, lsa: &Lsa, grace: &GraceLsa) -> Option<NeighborKey> {
        let interface = self.interfaces.get(&key)?;
        let address = grace.address.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let neighbor = interface.neighbor_key(lsa.advertising_router(), address);
        interface.neighbors.contains_key(&neighbor).then_some(neighbor)
    }

    /// The conditions of section 3.1. What the router helps with already it goes on to help with.
    fn may_help(&self, env: &Env<'_, '_>, key: OspfInterfaceKey, neighbor: NeighborKey) -> bool {
        let data = self.interfaces.get(&key).and_then(|interface| interface.neighbors.get(&neighbor));
        let (Some(config), Some(data)) = (self.config(env.context), data) else { return false };
        let knows_all = || {
            let says_more = |waiting: &Retransmission| waiting.changed && waiting.lsa.ls_type().is_topology();
            !data.retransmissions.any(says_more)
        };
        let fit = data.state == NeighborState::Full && (!config.nsf_strict_lsa_checking || knows_all());
        !config.no_nsf_helper && (data.help.is_some() || fit)
    }

    /// RouterDeadInterval has passed without a hello. A neighbor that restarts has more time.
    pub(super) fn neighbor_silent(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        if self.neighbor_mut(key, neighbor).is_some_and(|data| data.help.is_none()) {
            let reason = DownReason::DeadTimer;
            self.neighbor_down(env, key, neighbor, NeighborEvent::InactivityTimer, reason);
        }
    }

    /// A fully adjacent neighbor says in a hello that it has restarted (RFC 4812 section 3.1): it is still taken for adjacent, for
    /// as long as the resynchronisation may last.
    pub(super) fn saw_restart_signal(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let allowed = self.config(env.context).is_some_and(|config| !config.no_cisco_nsf_helper);
        let Some(interface) = self.interfaces.get(&key).filter(|_| allowed) else { return };
        let span = interface.dead_interval;
        let is_full = |data: &Neighbor| data.state == NeighborState::Full && data.help.is_none();
        if interface.neighbors.get(&neighbor).is_some_and(is_full) {
            self.help(env, key, neighbor, RestartKind::Cisco, span);
        }
    }

    fn help(
        &mut self,
        env: &Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        kind: RestartKind,
        span: Duration,
    ) {
        let since = env.now();
        let until = since + span;
        if let Some(data) = self.neighbor_mut(key, neighbor) {
            data.help = Some(Help { kind, since, until, listed: false });
            self.timers.set(TimerKey::Help(key, neighbor), until);
        }
    }

    /// Section 3.2: the neighbor is taken for what it is now.
    pub(super) fn stop_helping(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let Some(help) = data.help.take() else { return };
        self.timers.cancel(TimerKey::Help(key, neighbor));
        let ticks = self.timers.is_running(TimerKey::Inactivity(key, neighbor));
        if !ticks && !self.is_suppressed(key, neighbor) {
            self.neighbor_silent(env, key, neighbor);
        } else if help.kind == RestartKind::Cisco && !help.listed {
            self.neighbor_event(env, key, neighbor, NeighborEvent::OneWayReceived);
        }
        self.adjacency_changed(env, key);
        self.interface_event(env, key, InterfaceEvent::NeighborChange);
    }

    /// A changed LSA goes out by an interface: with strict checking, neighbors that restart are not helped any more, since they cannot
    /// follow the change (section 3.2 item 3).
    pub(super) fn topology_changed(&mut self, env: &mut Env<'_, '_>, told: &[Adjacency]) {
        if self.config(env.context).is_some_and(|config| config.nsf_strict_lsa_checking) {
            for &(key, neighbor) in told {
                self.stop_helping(env, key, neighbor);
            }
        }
    }

    /// What the configuration no longer allows ends.
    pub(super) fn reconcile_help(&mut self, env: &mut Env<'_, '_>) {
        let Some(config) = self.config(env.context) else { return };
        let forbidden = |help: Help| match help.kind {
            RestartKind::Ietf(_) => config.no_nsf_helper,
            RestartKind::Cisco => config.no_cisco_nsf_helper,
        };
        let all = self
            .interfaces
            .iter()
            .flat_map(|(&key, i)| i.neighbors.iter().map(move |(&n, data)| (key, n, data)));
        let ended: Vec<_> = all
            .filter(|(.., data)| data.help.is_some_and(forbidden))
            .map(|(key, neighbor, _)| (key, neighbor))
            .collect();
        for (key, neighbor) in ended {
            self.stop_helping(env, key, neighbor);
        }
    }
}
