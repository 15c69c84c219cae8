//! The finite state machine of DUAL (RFC 7868 section 3.5, figure 1), as a table.
//!
//! ```text
//!                 +---------------------- Passive ----------------------+
//!                 |  ^ (14)      |(4) ^ (15)        ^ (16)    |(3)  ^ (13)
//!                 |  |           v    |             |         v     |
//!                 | Active 0 <-(9)- Active 1 -(5)-> Active 2 <-(10)- Active 3
//!                 |          -(11)->                        -(12)->
//! ```
//!
//! The numbers are those of the RFC. Events that leave the state as it is: (1) and (2) in Passive, (6), (7) and (8) in Active.

use serde::{Deserialize, Serialize};

/// Why a destination is active: the query origin flag, o(i,j) of the RFC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum QueryOrigin {
    /// 0: this router has asked, and since then the way by the successor became longer.
    MetricIncrease,
    /// 1: this router has asked on its own account.
    Local,
    /// 2: the successor has asked while the destination was active, or the way by it became longer after it had asked.
    Multiple,
    /// 3: the successor has asked.
    Successor,
}

/// The state of a destination.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DualState {
    /// The way is known, or known not to be.
    #[default]
    Passive,
    /// Neighbors are being asked; the successor stays what it was.
    Active(QueryOrigin),
}

impl DualState {
    /// Whether neighbors are being asked.
    #[must_use]
    pub const fn is_active(self) -> bool {
        matches!(self, Self::Active(_))
    }

    /// The query origin flag as `show ip eigrp topology P` writes it; Passive counts as 1.
    #[must_use]
    pub const fn query_origin_flag(self) -> u8 {
        match self {
            Self::Active(QueryOrigin::MetricIncrease) => 0,
            Self::Passive | Self::Active(QueryOrigin::Local) => 1,
            Self::Active(QueryOrigin::Multiple) => 2,
            Self::Active(QueryOrigin::Successor) => 3,
        }
    }
}

/// What happens to a destination, after the topology table has taken in the metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DualEvent {
    /// A successor asks.
    SuccessorQuery,
    /// Another neighbor asks.
    OtherQuery,
    /// An update, a reply that is not the last one, a link whose cost has changed, a neighbor that is gone.
    Change {
        /// The way by a successor became longer, or is gone.
        successor_worse: bool,
    },
    /// The last neighbor has answered, or is gone.
    LastReply,
}

/// Whom to answer in a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReplyTo {
    /// Nobody.
    Nobody,
    /// Who has asked just now.
    Sender,
    /// The successors that have asked, and had to wait.
    Waiting,
}

/// Which paths the successor may be chosen from in a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// None: what was chosen stays.
    Frozen,
    /// Those that meet the feasibility condition.
    Feasible,
    /// All: the feasible distance starts anew.
    Free,
}

/// What a transition does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DualStep {
    /// The new state.
    pub state: DualState,
    /// All neighbors are asked.
    pub query: bool,
    /// Who is answered.
    pub reply: ReplyTo,
    /// How the successor is chosen.
    pub choice: Choice,
}

/// A transition of the state machine. `feasible` tells whether the shortest path meets the feasibility condition; a destination
/// without any path does so if it had none before.
#[must_use]
pub fn dual_transition(state: DualState, event: DualEvent, feasible: bool) -> DualStep {
    use Choice::{Feasible, Free, Frozen};
    use DualEvent as E;
    use DualState::{Active, Passive};
    use QueryOrigin as O;
    use ReplyTo::{Nobody, Sender, Waiting};
    let (state, query, reply, choice) = match (state, event, feasible) {
        // (1), and (2) where it is the successor that asks.
        (Passive, E::OtherQuery | E::SuccessorQuery, true) => (Passive, false, Sender, Feasible),
        // (2)
        (Passive, E::Change { .. } | E::LastReply, true) => (Passive, false, Nobody, Feasible),
        // (3)
        (Passive, E::SuccessorQuery, false) => (Active(O::Successor), true, Nobody, Frozen),
        // (4)
        (Passive, E::Change { .. } | E::LastReply, false) => (Active(O::Local), true, Nobody, Frozen),
        (Passive, E::OtherQuery, false) => (Active(O::Local), true, Sender, Frozen),
        // (5)
        (Active(O::MetricIncrease | O::Local), E::SuccessorQuery, _) => {
            (Active(O::Multiple), false, Nobody, Frozen)
        }
        (Active(_), E::SuccessorQuery, _) => (state, false, Nobody, Frozen),
        // (6)
        (Active(_), E::OtherQuery, _) => (state, false, Sender, Frozen),
        // (9)
        (Active(O::Local), E::Change { successor_worse: true }, _) => {
            (Active(O::MetricIncrease), false, Nobody, Frozen)
        }
        // (10)
        (Active(O::Successor), E::Change { successor_worse: true }, _) => {
            (Active(O::Multiple), false, Nobody, Frozen)
        }
        // (7), (8)
        (Active(_), E::Change { .. }, _) => (state, false, Nobody, Frozen),
        // (11)
        (Active(O::MetricIncrease), E::LastReply, false) => (Active(O::Local), true, Nobody, Frozen),
        // (12)
        (Active(O::Multiple), E::LastReply, false) => (Active(O::Successor), true, Nobody, Frozen),
        // (13)
        (Active(O::Successor), E::LastReply, _) => (Passive, false, Waiting, Free),
        // (14)
        (Active(O::MetricIncrease), E::LastReply, true) => (Passive, false, Nobody, Feasible),
        // (15)
        (Active(O::Local), E::LastReply, _) => (Passive, false, Nobody, Free),
        // (16)
        (Active(O::Multiple), E::LastReply, true) => (Passive, false, Waiting, Feasible),
    };
    DualStep { state, query, reply, choice }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DualEvent as E;
    use DualState::{Active, Passive};
    use QueryOrigin as O;

    const WORSE: E = E::Change { successor_worse: true };
    const OTHER: E = E::Change { successor_worse: false };

    fn at(state: DualState, event: E, feasible: bool) -> (DualState, bool, ReplyTo, Choice) {
        let DualStep { state, query, reply, choice } = dual_transition(state, event, feasible);
        (state, query, reply, choice)
    }

    #[test]
    fn rfc7868_3_5_events_1_and_2_stay_passive_with_a_feasible_successor() {
        for event in [E::OtherQuery, E::SuccessorQuery] {
            assert_eq!(at(Passive, event, true), (Passive, false, ReplyTo::Sender, Choice::Feasible));
        }
        for event in [OTHER, WORSE] {
            assert_eq!(at(Passive, event, true), (Passive, false, ReplyTo::Nobody, Choice::Feasible));
        }
    }

    #[test]
    fn rfc7868_3_5_events_3_and_4_go_active_and_ask_everybody() {
        let successor = (Active(O::Successor), true, ReplyTo::Nobody, Choice::Frozen);
        assert_eq!(at(Passive, E::SuccessorQuery, false), successor);
        for event in [OTHER, WORSE] {
            assert_eq!(at(Passive, event, false), (Active(O::Local), true, ReplyTo::Nobody, Choice::Frozen));
        }
        // Who asks without being the successor has its answer at once.
        assert_eq!(
            at(Passive, E::OtherQuery, false),
            (Active(O::Local), true, ReplyTo::Sender, Choice::Frozen)
        );
    }

    #[test]
    fn rfc7868_3_5_event_5_a_query_of_the_successor_while_active_waits() {
        for feasible in [true, false] {
            for (from, to) in [
                (O::MetricIncrease, O::Multiple),
                (O::Local, O::Multiple),
                (O::Multiple, O::Multiple),
                (O::Successor, O::Successor),
            ] {
                let expected = (Active(to), false, ReplyTo::Nobody, Choice::Frozen);
                assert_eq!(at(Active(from), E::SuccessorQuery, feasible), expected);
            }
        }
    }

    #[test]
    fn rfc7868_3_5_events_6_to_8_leave_an_active_route_as_it_is() {
        for origin in [O::MetricIncrease, O::Local, O::Multiple, O::Successor] {
            let state = Active(origin);
            for feasible in [true, false] {
                let query = at(state, E::OtherQuery, feasible);
                assert_eq!(query, (state, false, ReplyTo::Sender, Choice::Frozen));
                assert_eq!(at(state, OTHER, feasible), (state, false, ReplyTo::Nobody, Choice::Frozen));
            }
        }
    }

    #[test]
    fn rfc7868_3_5_events_9_and_10_a_longer_way_by_the_successor_is_remembered() {
        for (from, to) in [
            (O::MetricIncrease, O::MetricIncrease),
            (O::Local, O::MetricIncrease),
            (O::Multiple, O::Multiple),
            (O::Successor, O::Multiple),
        ] {
            let expected = (Active(to), false, ReplyTo::Nobody, Choice::Frozen);
            assert_eq!(at(Active(from), WORSE, false), expected);
        }
    }

    #[test]
    fn rfc7868_3_5_events_11_and_12_the_last_reply_brings_nothing_feasible() {
        for (from, to) in [(O::MetricIncrease, O::Local), (O::Multiple, O::Successor)] {
            let expected = (Active(to), true, ReplyTo::Nobody, Choice::Frozen);
            assert_eq!(at(Active(from), E::LastReply, false), expected);
        }
    }

    #[test]
    fn rfc7868_3_5_events_13_to_16_the_last_reply_ends_the_computation() {
        for feasible in [true, false] {
            let (local, successor) = (Active(O::Local), Active(O::Successor));
            assert_eq!(
                at(successor, E::LastReply, feasible),
                (Passive, false, ReplyTo::Waiting, Choice::Free)
            );
            assert_eq!(at(local, E::LastReply, feasible), (Passive, false, ReplyTo::Nobody, Choice::Free));
        }
        assert_eq!(
            at(Active(O::MetricIncrease), E::LastReply, true),
            (Passive, false, ReplyTo::Nobody, Choice::Feasible)
        );
        assert_eq!(
            at(Active(O::Multiple), E::LastReply, true),
            (Passive, false, ReplyTo::Waiting, Choice::Feasible)
        );
    }

    #[test]
    fn the_query_origin_flag_is_the_rfcs_number() {
        let flags = [O::MetricIncrease, O::Local, O::Multiple, O::Successor]
            .map(|origin| Active(origin).query_origin_flag());
        assert_eq!(flags, [0, 1, 2, 3]);
        assert_eq!(Passive.query_origin_flag(), 1);
    }
}
