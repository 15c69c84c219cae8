//! The neighbor state machine at work (RFC 2328 section 10.3).

use super::config::LogAdjacency;
use super::interface::{InterfaceEvent, OspfInterfaceKey};
use super::log::OspfLogEvent;
use super::neighbor::{
    Neighbor, NeighborConditions, NeighborEvent, NeighborKey, NeighborState, neighbor_transition,
};
use super::process::{Env, OspfProcess, TimerKey};
use crate::log::LogEvent;
use crate::process::Action;

/// Why a conversation has ended, in IOS's words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DownReason {
    /// RouterDeadInterval has passed.
    DeadTimer,
    /// The interface is down, passive, or left the process.
    InterfaceDown,
    /// Settings that both must agree on have changed, or `clear ip ospf process`.
    AdjacencyForcedToReset,
    /// The router at the neighbor's address is another one now.
    RouterIdChanged,
    /// It has not answered although a packet was sent to it again and again.
    TooManyRetransmissions,
    /// It was ignored long enough after that.
    IgnoreTimer,
    /// `no neighbor`.
    Removed,
}

impl DownReason {
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::DeadTimer => "Neighbor Down: Dead timer expired",
            Self::InterfaceDown => "Neighbor Down: Interface down or detached",
            Self::AdjacencyForcedToReset => "Neighbor Down: Adjacency forced to reset",
            Self::RouterIdChanged => "Neighbor Down: Neighbor router ID changed",
            Self::TooManyRetransmissions => "Neighbor Down: Too many retransmissions",
            Self::IgnoreTimer => "Neighbor Down: Ignore timer expired",
            Self::Removed => "Neighbor Down: Neighbor removed from configuration",
        }
    }
}

/// Why a state has changed, in IOS's words.
const fn reason(event: NeighborEvent) -> &'static str {
    match event {
        NeighborEvent::HelloReceived => "Received Hello",
        NeighborEvent::Start => "Start",
        NeighborEvent::TwoWayReceived => "2-Way Received",
        NeighborEvent::NegotiationDone => "Negotiation Done",
        NeighborEvent::ExchangeDone => "Exchange Done",
        NeighborEvent::BadLsReq => "BadLSReq",
        NeighborEvent::LoadingDone => "Loading Done",
        NeighborEvent::AdjOk => "AdjOK?",
        NeighborEvent::SeqNumberMismatch => "SeqNumberMismatch",
        NeighborEvent::OneWayReceived => "1-Way",
        NeighborEvent::KillNbr | NeighborEvent::InactivityTimer | NeighborEvent::LlDown => "Neighbor Down",
    }
}

impl OspfProcess {
    /// A neighbor, to change it.
    pub(super) fn neighbor_mut(
        &mut self,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) -> Option<&mut Neighbor> {
        self.interfaces.get_mut(&key)?.neighbors.get_mut(&neighbor)
    }

    /// Feeds an event to the state machine of a neighbor.
    pub(super) fn neighbor_event(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        event: NeighborEvent,
    ) {
        self.neighbor_step(env, key, neighbor, event, reason(event));
    }

    /// Ends the conversation with a neighbor.
    pub(super) fn neighbor_down(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        event: NeighborEvent,
        reason: DownReason,
    ) {
        self.neighbor_step(env, key, neighbor, event, reason.text());
    }

    fn neighbor_step(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        event: NeighborEvent,
        reason: &str,
    ) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let Some(data) = interface.neighbors.get(&neighbor) else { return };
        let before = data.state;
        let conditions = NeighborConditions {
            adjacency_wanted: interface.wants_adjacency(data),
            requests_left: !data.requests.is_empty(),
        };
        let Some(state) = neighbor_transition(before, event, conditions) else { return };
        self.debug_state(env, key, neighbor, (before, state));
        self.log_adjacency(env, key, neighbor, (before, state), reason);
        if let Some(data) = self.neighbor_mut(key, neighbor) {
            data.state = state;
            if before != state {
                data.since = env.context.now;
                data.changes = data.changes.saturating_add(1);
            }
        }
        env.actions.push(Action::Unsettled);
        self.entered(env, key, neighbor, before, state);
    }

    /// What comes with the new state.
    fn entered(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        before: NeighborState,
        state: NeighborState,
    ) {
        use NeighborState as S;
        if before >= S::ExStart && state <= S::ExStart {
            self.end_exchange(key, neighbor);
        }
        match state {
            S::ExStart => self.start_exchange(env, key, neighbor),
            S::Exchange => self.describe_database(env, key, neighbor),
            S::Loading => self.request_more(env, key, neighbor),
            S::Full => self.end_requests(key, neighbor),
            S::Down => self.forget_neighbor(env, key, neighbor),
            S::Attempt | S::Init | S::TwoWay => {}
        }
        if (before == S::Full) != (state == S::Full) {
            self.suppression_changed(env, key, neighbor);
            self.adjacency_changed(env, key);
        }
        if before >= S::Exchange && (state < S::Exchange || state == S::Full) {
            self.remove_flushed(env);
        }
        if (before >= S::TwoWay) != (state >= S::TwoWay) {
            self.interface_event(env, key, InterfaceEvent::NeighborChange);
        }
    }

    /// A neighbor that is down is forgotten, unless it is configured; that one is asked at PollInterval.
    pub(super) fn forget_neighbor(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        self.timers.cancel_if(|timer| timer.neighbor() == Some((key, neighbor)));
        let fixed = self.is_static_neighbor(env, key, neighbor);
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        if fixed {
            if let Some(old) = interface.neighbors.get_mut(&neighbor) {
                let changes = old.changes;
                *old = Neighbor { changes, ..Neighbor::new(old.router_id, old.address, env.context.now) };
            }
            let poll = self.poll_interval(env, neighbor.0);
            self.timers.set(TimerKey::Poll(key, neighbor.0), env.now() + poll);
        } else {
            interface.neighbors.remove(&neighbor);
        }
    }

    fn log_adjacency(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        (before, state): (NeighborState, NeighborState),
        reason: &str,
    ) {
        let Some(config) = self.config(env.context) else { return };
        let up_or_down = state == NeighborState::Full
            || before == NeighborState::Full
            || (state == NeighborState::Down && before > NeighborState::Attempt);
        let wanted = match config.log_adjacency_changes {
            // Whether anything is logged at all is asked below.
            LogAdjacency::Normal | LogAdjacency::Off => up_or_down,
            LogAdjacency::Detail => before != state,
        };
        if wanted {
            self.write_adjacency(env, key, neighbor, (before, state), reason);
        }
    }

    /// Logs a change of an adjacency, unless nothing is to be logged of them.
    pub(super) fn write_adjacency(
        &self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        (before, state): (NeighborState, NeighborState),
        reason: &str,
    ) {
        let off = |config: &super::OspfConfig| config.log_adjacency_changes == LogAdjacency::Off;
        if self.config(env.context).is_none_or(off) {
            return;
        }
        let Some(interface) = self.interfaces.get(&key) else { return };
        let Some(data) = interface.neighbors.get(&neighbor) else { return };
        env.actions.push(Action::Log(LogEvent::Ospf(OspfLogEvent::AdjacencyChanged {
            process: self.process_id,
            neighbor: data.router_id,
            interface: interface.name,
            from: before.name().to_owned(),
            to: state.name().to_owned(),
            reason: reason.to_owned(),
        })));
    }
}
