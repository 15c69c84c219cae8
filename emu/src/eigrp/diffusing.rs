//! DUAL at work (RFC 7868 section 3): changes of paths run through the state machine; queries, replies, stuck in active.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use ipnet::Ipv4Net;

use super::advertise::Telling;
use super::config::ActiveTime;
use super::dual::{Choice, DualEvent, DualState, ReplyTo, dual_transition};
use super::interface::Announcement;
use super::log::{DownReason, EigrpLogEvent};
use super::neighbor::UnicastKind;
use super::process::{EigrpProcess, Env, TimerKey};
use super::topology::{Awaited, Computation, NeighborKey, Path, PathSource};
use crate::ids::IfIndex;
use crate::log::LogEvent;
use crate::process::Action;

/// IOS's default of `timers active-time`, in minutes.
const ACTIVE_MINUTES: u16 = 3;

/// A neighbor that answers is asked so often why it does not reply.
const SIA_QUERIES: u8 = 3;

/// Why a path changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
    /// An update, a link, the configuration, the routing table.
    Change,
    /// The neighbor of the path asks.
    Query,
    /// The neighbor of the path replies.
    Reply,
}

impl EigrpProcess {
    /// A path to a destination is new, other, or gone (`None`).
    pub(super) fn path_changed(
        &mut self,
        env: &mut Env<'_, '_>,
        prefix: Ipv4Net,
        source: PathSource,
        path: Option<Path>,
        cause: Cause,
    ) {
        if path.is_none() && !self.topology.contains_key(&prefix) {
            // Nothing is known, and nothing changes: who asks is told so.
            if let (Cause::Query, Some(neighbor)) = (cause, source.neighbor()) {
                self.tell_neighbor(env, neighbor, prefix, UnicastKind::Reply);
            }
            return;
        }
        let destination = self.topology.entry(prefix).or_default();
        let by_successor = destination.successors.contains(&source);
        let (before, now) = destination.set_path(source, path);
        let event = match cause {
            Cause::Query if by_successor => DualEvent::SuccessorQuery,
            Cause::Query => DualEvent::OtherQuery,
            Cause::Change | Cause::Reply => {
                DualEvent::Change { successor_worse: by_successor && now > before }
            }
        };
        self.run_dual(env, prefix, event, source.neighbor());
        if cause == Cause::Reply
            && let Some(neighbor) = source.neighbor()
        {
            self.replied(env, prefix, neighbor);
        }
    }

    /// A neighbor needs not be waited for any more.
    fn replied(&mut self, env: &mut Env<'_, '_>, prefix: Ipv4Net, neighbor: NeighborKey) {
        let Some(computation) = self.topology.get_mut(&prefix).and_then(|d| d.computation.as_mut()) else {
            return;
        };
        if computation.awaited.remove(&neighbor).is_some() && computation.awaited.is_empty() {
            self.run_dual(env, prefix, DualEvent::LastReply, None);
        }
    }

    /// Chooses anew among the same paths.
    pub(super) fn reconsider(&mut self, env: &mut Env<'_, '_>, prefix: Ipv4Net) {
        self.run_dual(env, prefix, DualEvent::Change { successor_worse: false }, None);
    }

    /// Runs an event through the state machine; a computation without anybody to ask ends at once.
    fn run_dual(
        &mut self,
        env: &mut Env<'_, '_>,
        prefix: Ipv4Net,
        event: DualEvent,
        sender: Option<NeighborKey>,
    ) {
        let mut next = Some(event);
        while let Some(event) = next.take() {
            let Some(destination) = self.topology.get_mut(&prefix) else { return };
            let step = dual_transition(destination.state, event, destination.shortest_is_feasible());
            let before = Telling::of(Some(destination));
            destination.state = step.state;
            if event == DualEvent::SuccessorQuery
                && let (Some(computation), Some(sender)) = (destination.computation.as_mut(), sender)
            {
                computation.waiting.insert(sender);
            }
            if step.query {
                let asker = sender.filter(|_| event == DualEvent::SuccessorQuery);
                if self.start_computation(env, prefix, asker) {
                    next = Some(DualEvent::LastReply);
                }
            } else if step.choice != Choice::Frozen {
                self.settle_choice(env, prefix, step.choice, step.reply, &before);
            }
            if step.reply == ReplyTo::Sender
                && let Some(sender) = sender
            {
                self.tell_neighbor(env, sender, prefix, UnicastKind::Reply);
            }
            self.unsettled_routes.insert(prefix);
        }
        if self.topology.get(&prefix).is_some_and(|destination| destination.is_forgotten()) {
            self.topology.remove(&prefix);
        }
    }

    /// Passive, or still so: chooses the successors, tells what has changed, answers who has waited.
    fn settle_choice(
        &mut self,
        env: &mut Env<'_, '_>,
        prefix: Ipv4Net,
        choice: Choice,
        reply: ReplyTo,
        before: &Telling,
    ) {
        let Some(destination) = self.topology.get_mut(&prefix) else { return };
        let told_before = destination.told.clone();
        destination.choose(choice);
        let changed = destination.told != told_before;
        if changed {
            self.serial += 1;
            destination.serial = self.serial;
        }
        let Some(computation) = destination.computation.take() else {
            self.announce(env, prefix, before);
            if changed {
                self.component_changed(prefix);
            }
            return;
        };
        self.timers.cancel(TimerKey::Active(prefix));
        env.actions.push(Action::Unsettled);
        self.component_changed(prefix);
        self.announce(env, prefix, before);
        let changed_since = self.topology.get(&prefix).is_some_and(|d| d.told != computation.told_before);
        if changed_since {
            self.announce_to_unasked(env, prefix);
        }
        if reply == ReplyTo::Waiting {
            for neighbor in computation.waiting {
                self.tell_neighbor(env, neighbor, prefix, UnicastKind::Reply);
            }
        }
    }

    /// Stubs are not asked, and so have not heard of what the queries said.
    fn announce_to_unasked(&mut self, env: &Env<'_, '_>, prefix: Ipv4Net) {
        let with_stubs: Vec<IfIndex> = self
            .interfaces
            .values()
            .filter(|interface| interface.up_neighbors().any(|neighbor| neighbor.stub.is_some()))
            .map(|interface| interface.index)
            .collect();
        for index in with_stubs {
            self.announce_on(env, index, prefix, Announcement::Update);
        }
    }

    /// Asks the neighbors; tells whether there are none to ask.
    fn start_computation(
        &mut self,
        env: &mut Env<'_, '_>,
        prefix: Ipv4Net,
        asker: Option<NeighborKey>,
    ) -> bool {
        let asked = self.whom_to_ask(prefix, asker);
        let Some(destination) = self.topology.get_mut(&prefix) else { return false };
        let before = destination.told.clone();
        destination.freeze();
        let now = env.context.now;
        let computation = destination.computation.get_or_insert_with(|| {
            Box::new(Computation {
                since: now,
                awaited: BTreeMap::new(),
                waiting: BTreeSet::new(),
                told_before: before,
            })
        });
        computation.awaited = asked.iter().map(|&neighbor| (neighbor, Awaited::default())).collect();
        computation.waiting.extend(asker);
        self.component_changed(prefix);
        if asked.is_empty() {
            return true;
        }
        env.actions.push(Action::Unsettled);
        if let Some(time) = self.active_time() {
            self.timers.set(TimerKey::Active(prefix), now + time / 2);
        }
        self.ask(env, prefix, &asked);
        false
    }

    /// RFC 7868 section 3.5 (3), (4) and section 5.4.6: all neighbors but stubs and the successors that have asked themselves. On the interface of a
    /// successor, where split horizon keeps the destination from being told, only those that have told of a way.
    fn whom_to_ask(&self, prefix: Ipv4Net, asker: Option<NeighborKey>) -> BTreeSet<NeighborKey> {
        let Some(destination) = self.topology.get(&prefix) else { return BTreeSet::new() };
        let waits = |key: &NeighborKey| {
            destination.computation.as_deref().is_some_and(|computation| computation.waiting.contains(key))
        };
        let shielded = |key: &NeighborKey| {
            let split =
                self.interfaces.get(&key.interface).is_some_and(|interface| interface.split_horizon());
            split
                && destination.successors.iter().any(|source| source.interface() == Some(key.interface))
                && destination.path(PathSource::Neighbor(*key)).is_none_or(|path| !path.distance.is_finite())
        };
        self.neighbors()
            .filter(|(_, neighbor)| neighbor.is_up() && neighbor.stub.is_none())
            .map(|(key, _)| key)
            .filter(|key| Some(*key) != asker && !waits(key) && !shielded(key))
            .collect()
    }

    /// Sends queries: by multicast where all neighbors on an interface are asked.
    fn ask(&mut self, env: &Env<'_, '_>, prefix: Ipv4Net, asked: &BTreeSet<NeighborKey>) {
        let indices: BTreeSet<IfIndex> = asked.iter().map(|key| key.interface).collect();
        for index in indices {
            let all = self.interfaces.get(&index).is_some_and(|interface| {
                interface.up_neighbors().all(|neighbor| {
                    asked.contains(&NeighborKey { interface: index, address: neighbor.address })
                })
            });
            if all {
                self.announce_on(env, index, prefix, Announcement::Query);
            } else {
                for &key in asked.iter().filter(|key| key.interface == index) {
                    self.tell_neighbor(env, key, prefix, UnicastKind::Query);
                }
            }
        }
    }

    /// Puts something on the list of what one neighbor is told.
    pub(super) fn tell_neighbor(
        &mut self,
        env: &Env<'_, '_>,
        key: NeighborKey,
        prefix: Ipv4Net,
        kind: UnicastKind,
    ) {
        if let Some(neighbor) = self.neighbor_mut(key) {
            neighbor.tell(prefix, kind);
            self.schedule_transmit(env, key.interface);
        }
    }

    /// A neighbor is gone: its paths with it, and nobody waits for its replies.
    pub(super) fn neighbor_gone(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let source = PathSource::Neighbor(key);
        let concerned: Vec<Ipv4Net> = self
            .topology
            .iter()
            .filter(|(_, destination)| {
                let waits = |c: &Computation| c.awaited.contains_key(&key) || c.waiting.contains(&key);
                destination.path(source).is_some() || destination.computation.as_deref().is_some_and(waits)
            })
            .map(|(prefix, _)| *prefix)
            .collect();
        for prefix in concerned {
            if let Some(computation) = self.topology.get_mut(&prefix).and_then(|d| d.computation.as_mut()) {
                computation.waiting.remove(&key);
            }
            self.path_changed(env, prefix, source, None, Cause::Reply);
        }
    }

    /// The active time; `None` if it is not limited.
    pub(super) fn active_time(&self) -> Option<Duration> {
        match self.applied.config.active_time.unwrap_or(ActiveTime::Minutes(ACTIVE_MINUTES)) {
            ActiveTime::Minutes(minutes) => Some(Duration::from_secs(u64::from(minutes) * 60)),
            ActiveTime::Disabled => None,
        }
    }

    /// Half of the active time has passed without all replies (RFC 7868 section 3.6): neighbors that answer SIA queries are asked
    /// again, three times; others are given up.
    pub(super) fn active_for_long(&mut self, env: &mut Env<'_, '_>, prefix: Ipv4Net) {
        let Some(computation) = self.topology.get_mut(&prefix).and_then(|d| d.computation.as_mut()) else {
            return;
        };
        let (mut asked, mut stuck) = (Vec::new(), Vec::new());
        for (&key, awaited) in &mut computation.awaited {
            if awaited.sia_unanswered || awaited.sia_queries >= SIA_QUERIES {
                stuck.push(key);
            } else {
                awaited.sia_queries += 1;
                awaited.sia_unanswered = true;
                asked.push(key);
            }
        }
        if let Some(time) = self.active_time() {
            self.timers.set(TimerKey::Active(prefix), env.now() + time / 2);
        }
        for key in asked {
            self.tell_neighbor(env, key, prefix, UnicastKind::SiaQuery);
        }
        if !stuck.is_empty() {
            env.actions.push(Action::Log(LogEvent::Eigrp(EigrpLogEvent::StuckInActive {
                autonomous_system: self.autonomous_system,
                prefix,
            })));
        }
        for key in stuck {
            self.drop_neighbor(env, key, DownReason::StuckInActive);
        }
    }

    /// A neighbor asks why it has no reply yet.
    pub(super) fn receive_sia_query(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, prefix: Ipv4Net) {
        self.tell_neighbor(env, key, prefix, UnicastKind::SiaReply);
        let is_active =
            self.topology.get(&prefix).is_some_and(|destination| destination.state != DualState::Passive);
        if !is_active {
            self.tell_neighbor(env, key, prefix, UnicastKind::Reply);
        }
    }

    /// A neighbor is still busy with our query.
    pub(super) fn receive_sia_reply(&mut self, key: NeighborKey, prefix: Ipv4Net) {
        let computation = self.topology.get_mut(&prefix).and_then(|d| d.computation.as_mut());
        if let Some(awaited) = computation.and_then(|computation| computation.awaited.get_mut(&key)) {
            awaited.sia_unanswered = false;
        }
    }
}
