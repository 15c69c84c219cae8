//! OSPF neighbors (RFC 2328 section 10).

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::graceful_restart::Help;
use super::lsa::{LsaHeader, LsaKey, Options};
use super::lsdb::Scope;
use super::packet::{DatabaseDescription, DdFlags};
use super::retransmission::RetransmissionList;
use crate::ids::RouterId;
use crate::time::Time;

/// Names a neighbor on an interface: its address on networks, its router id on point-to-point and virtual links (section 10.5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NeighborKey(pub Ipv4Addr);

/// The state of the conversation with a neighbor (section 10.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NeighborState {
    /// Nothing heard.
    #[default]
    Down,
    /// A configured neighbor on a non-broadcast network, nothing heard lately.
    Attempt,
    /// A hello was heard that does not name us.
    Init,
    /// Communication goes both ways.
    TwoWay,
    /// Master and slave are being found.
    ExStart,
    /// The databases are being described.
    Exchange,
    /// LSAs are being asked for.
    Loading,
    /// Fully adjacent.
    Full,
}

impl NeighborState {
    /// As IOS writes it in logs and show commands.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "DOWN",
            Self::Attempt => "ATTEMPT",
            Self::Init => "INIT",
            Self::TwoWay => "2WAY",
            Self::ExStart => "EXSTART",
            Self::Exchange => "EXCHANGE",
            Self::Loading => "LOADING",
            Self::Full => "FULL",
        }
    }
}

/// A neighbor on an interface (section 10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbor {
    /// State.
    pub state: NeighborState,
    /// When it came to this state.
    pub since: Time,
    /// How often the state has changed.
    pub changes: u32,
    /// Router id; unspecified of a configured neighbor that was never heard.
    pub router_id: RouterId,
    /// Interface address, from the source of its packets.
    pub address: Ipv4Addr,
    /// Router priority.
    pub priority: u8,
    /// Whom it holds to be the DR.
    pub designated_router: Ipv4Addr,
    /// Whom it holds to be the backup DR.
    pub backup_designated_router: Ipv4Addr,
    /// Options of its hellos.
    pub options: Options,
    /// Options of its database descriptions.
    pub description_options: Options,
    /// Extended options of its link-local signalling.
    pub lls: Option<u32>,
    /// It restarts, and this router stands by.
    pub help: Option<Help>,
    /// Description of the databases to each other.
    pub exchange: Exchange,
    /// Link state request list: what is still to be got from it.
    pub requests: BTreeMap<LsaKey, LsaHeader>,
    /// The part of the request list that it was asked for.
    pub requested: BTreeSet<LsaKey>,
    /// Link state retransmission list: what it has not acknowledged.
    pub retransmissions: RetransmissionList,
    /// LSAs that it was sent with DoNotAge (RFC 1793).
    pub unaging: BTreeSet<(Scope, LsaKey)>,
    /// How many LSAs were sent to it more than once.
    pub retransmitted: u32,
    /// The number of the key that its last packet was signed with.
    pub key_id: Option<u8>,
    /// Cryptographic sequence number of its last packet.
    pub cryptographic_sequence: Option<u32>,
}

/// The exchange of database descriptions with a neighbor (sections 10.6 and 10.8).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// This router is the master.
    pub master: bool,
    /// DD sequence number; `None` before the first exchange.
    pub sequence: Option<u32>,
    /// Flags, options and sequence number of the last description received, by which duplicates are known.
    pub received: Option<(DdFlags, Options, u32)>,
    /// The last description sent.
    pub sent: Option<DatabaseDescription>,
    /// Database summary list: what is still to be described.
    pub summary: VecDeque<(Scope, LsaKey)>,
    /// How often the last description was sent again.
    pub retransmissions: u32,
}

impl Neighbor {
    /// A neighbor that is down.
    #[must_use]
    pub fn new(router_id: RouterId, address: Ipv4Addr, now: Time) -> Self {
        Self {
            state: NeighborState::Down,
            since: now,
            changes: 0,
            router_id,
            address,
            priority: 0,
            designated_router: Ipv4Addr::UNSPECIFIED,
            backup_designated_router: Ipv4Addr::UNSPECIFIED,
            options: Options::NONE,
            description_options: Options::NONE,
            lls: None,
            help: None,
            exchange: Exchange::default(),
            requests: BTreeMap::new(),
            requested: BTreeSet::new(),
            retransmissions: RetransmissionList::default(),
            unaging: BTreeSet::new(),
            retransmitted: 0,
            key_id: None,
            cryptographic_sequence: None,
        }
    }

    /// Whether others are told of the adjacency: it is complete, or will be again.
    #[must_use]
    pub fn is_adjacent(&self) -> bool {
        self.state == NeighborState::Full || self.help.is_some()
    }

    /// Empties the lists of LSAs (sections 10.3, 10.6).
    pub(super) fn clear_lists(&mut self) {
        self.requests.clear();
        self.requested.clear();
        self.retransmissions.clear();
        self.unaging.clear();
        self.exchange.summary.clear();
        self.exchange.received = None;
        self.exchange.sent = None;
        self.exchange.retransmissions = 0;
    }
}

/// What causes a neighbor to change state (section 10.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NeighborEvent {
    /// A hello was received.
    HelloReceived,
    /// Hellos are to be sent to it (non-broadcast networks).
    Start,
    /// It lists this router in its hello.
    TwoWayReceived,
    /// Master and slave, and the sequence number, are agreed.
    NegotiationDone,
    /// Both have described their databases.
    ExchangeDone,
    /// A request asks for an LSA that is not in the database.
    BadLsReq,
    /// Nothing is left to ask for.
    LoadingDone,
    /// Whether to be adjacent must be decided again (section 10.4).
    AdjOk,
    /// A database description does not fit into the exchange.
    SeqNumberMismatch,
    /// It does not list this router in its hello.
    OneWayReceived,
    /// No more communication is possible.
    KillNbr,
    /// RouterDeadInterval has passed without a hello.
    InactivityTimer,
    /// The lower layers say that it cannot be reached.
    LlDown,
}

/// What the state machine must know beside state and event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeighborConditions {
    /// This router and the neighbor should be adjacent (section 10.4).
    pub adjacency_wanted: bool,
    /// The link state request list is not empty.
    pub requests_left: bool,
}

/// The neighbor state machine (section 10.3): the new state, or `None` if state and lists stay as they are.
///
/// An answer of the same state is a change all the same: the lists are cleared or the exchange starts anew.
#[must_use]
pub fn neighbor_transition(
    state: NeighborState,
    event: NeighborEvent,
    conditions: NeighborConditions,
) -> Option<NeighborState> {
    use NeighborEvent as E;
    use NeighborState as S;
    let two_way_or_more = if conditions.adjacency_wanted { S::ExStart } else { S::TwoWay };
    match (state, event) {
        (_, E::KillNbr | E::InactivityTimer | E::LlDown) => Some(S::Down),
        (S::Down, E::Start) => Some(S::Attempt),
        (S::Down | S::Attempt, E::HelloReceived) => Some(S::Init),
        (S::Init, E::TwoWayReceived) => Some(two_way_or_more),
        (S::ExStart, E::NegotiationDone) => Some(S::Exchange),
        (S::Exchange, E::ExchangeDone) if conditions.requests_left => Some(S::Loading),
        (S::Exchange, E::ExchangeDone) | (S::Loading, E::LoadingDone) => Some(S::Full),
        (S::TwoWay, E::AdjOk) if conditions.adjacency_wanted => Some(S::ExStart),
        (state, E::AdjOk) if state >= S::ExStart && !conditions.adjacency_wanted => Some(S::TwoWay),
        (state, E::SeqNumberMismatch | E::BadLsReq) if state >= S::Exchange => Some(S::ExStart),
        (state, E::OneWayReceived) if state >= S::TwoWay => Some(S::Init),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NeighborEvent as E;
    use NeighborState as S;

    const ALL: [S; 8] =
        [S::Down, S::Attempt, S::Init, S::TwoWay, S::ExStart, S::Exchange, S::Loading, S::Full];

    fn at(state: S, event: E, adjacency_wanted: bool, requests_left: bool) -> Option<S> {
        neighbor_transition(state, event, NeighborConditions { adjacency_wanted, requests_left })
    }

    #[test]
    fn rfc10_3_the_way_up() {
        assert_eq!(at(S::Down, E::Start, true, false), Some(S::Attempt));
        assert_eq!(at(S::Attempt, E::HelloReceived, true, false), Some(S::Init));
        assert_eq!(at(S::Down, E::HelloReceived, true, false), Some(S::Init));
        assert_eq!(at(S::Init, E::TwoWayReceived, true, false), Some(S::ExStart));
        assert_eq!(at(S::Init, E::TwoWayReceived, false, false), Some(S::TwoWay));
        assert_eq!(at(S::ExStart, E::NegotiationDone, true, false), Some(S::Exchange));
        assert_eq!(at(S::Exchange, E::ExchangeDone, true, true), Some(S::Loading));
        assert_eq!(at(S::Exchange, E::ExchangeDone, true, false), Some(S::Full));
        assert_eq!(at(S::Loading, E::LoadingDone, true, false), Some(S::Full));
    }

    #[test]
    fn rfc10_3_adj_ok_starts_and_ends_adjacencies() {
        assert_eq!(at(S::TwoWay, E::AdjOk, true, false), Some(S::ExStart));
        assert_eq!(at(S::TwoWay, E::AdjOk, false, false), None);
        for state in [S::ExStart, S::Exchange, S::Loading, S::Full] {
            assert_eq!(at(state, E::AdjOk, false, false), Some(S::TwoWay));
            assert_eq!(at(state, E::AdjOk, true, false), None);
        }
    }

    #[test]
    fn rfc10_3_errors_of_the_exchange_start_it_anew() {
        for event in [E::SeqNumberMismatch, E::BadLsReq] {
            for state in ALL {
                let expected = (state >= S::Exchange).then_some(S::ExStart);
                assert_eq!(at(state, event, true, true), expected, "{state:?} {event:?}");
            }
        }
    }

    #[test]
    fn rfc10_3_one_way_goes_back_to_init_and_dead_neighbors_go_down() {
        for state in ALL {
            let expected = (state >= S::TwoWay).then_some(S::Init);
            assert_eq!(at(state, E::OneWayReceived, true, false), expected);
            for event in [E::KillNbr, E::InactivityTimer, E::LlDown] {
                assert_eq!(at(state, event, true, false), Some(S::Down));
            }
        }
    }

    #[test]
    fn rfc10_3_hellos_of_known_neighbors_change_nothing() {
        for state in ALL.into_iter().filter(|&state| state >= S::Init) {
            assert_eq!(at(state, E::HelloReceived, true, true), None);
        }
        for state in ALL.into_iter().filter(|&state| state >= S::TwoWay) {
            assert_eq!(at(state, E::TwoWayReceived, true, true), None);
        }
    }
}
