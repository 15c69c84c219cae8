//! A peer: its settings, its connections, its session, its counters.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::advertise::Output;
use super::config::{EffectivePeer, NeighborTimers};
use super::fsm::State;
use super::inbound::Received;
use super::log::DownReason;
use super::packet::{
    Capability, MAX_EXTENDED_LENGTH, MAX_LENGTH, Notification, Open, PeerKind, UpdateFormat,
};
use crate::ids::{Asn, RouterId, VrfId};
use crate::tcp::Endpoints;
use crate::time::Time;

/// Names a peer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PeerKey {
    /// The VRF in whose table it stands.
    pub vrf: VrfId,
    /// Its address.
    pub address: Ipv4Addr,
}

/// Which side has opened a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// This router.
    Outgoing,
    /// The peer.
    Incoming,
}

impl Direction {
    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Outgoing => Self::Incoming,
            Self::Incoming => Self::Outgoing,
        }
    }
}

/// A connection with its state machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The state.
    pub state: State,
    /// The TCP connection.
    pub endpoints: Option<Endpoints>,
    /// What has arrived and is no whole message yet.
    pub(super) inbox: Vec<u8>,
    /// The peer's OPEN.
    pub(super) open: Option<Open>,
    /// Our OPEN.
    pub(super) sent: Option<Open>,
}

/// A session that is established.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Session {
    /// Which connection carries it.
    pub direction: Direction,
    /// The TCP connection.
    pub endpoints: Endpoints,
    /// Since when.
    pub since: Time,
    /// The peer's identifier.
    pub router_id: RouterId,
    /// Hold time agreed on; zero is none.
    pub hold_time: Duration,
    /// Time between keepalives; zero is none.
    pub keepalive: Duration,
    /// Capabilities we have sent.
    pub sent: Vec<Capability>,
    /// Capabilities we have received.
    pub received: Vec<Capability>,
    /// What both can do.
    pub agreed: Agreement,
}

/// What both sides of a session can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// What the peer is.
    pub kind: PeerKind,
    /// IPv4 unicast routes are exchanged.
    pub ipv4_unicast: bool,
    /// AS numbers have four octets.
    pub four_octet_as: bool,
    /// The peer takes ROUTE-REFRESH.
    pub route_refresh: bool,
    /// Refreshes have a begin and an end.
    pub enhanced_refresh: bool,
    /// Messages may be longer than 4096 octets.
    pub extended_message: bool,
    /// We send several paths.
    pub add_path_send: bool,
    /// The peer sends several paths.
    pub add_path_receive: bool,
    /// The peer takes our prefix filter.
    pub orf_send: bool,
    /// The peer sends us its prefix filter.
    pub orf_receive: bool,
    /// Cisco's numbers are used for it.
    pub orf_cisco: bool,
}

impl Agreement {
    /// How UPDATEs of the peer are read.
    #[must_use]
    pub const fn receive_format(self) -> UpdateFormat {
        UpdateFormat { four_octet_as: self.four_octet_as, add_path: self.add_path_receive, peer: self.kind }
    }

    /// How UPDATEs to the peer are written.
    #[must_use]
    pub const fn send_format(self) -> UpdateFormat {
        UpdateFormat { four_octet_as: self.four_octet_as, add_path: self.add_path_send, peer: self.kind }
    }

    /// The longest message.
    #[must_use]
    pub const fn limit(self) -> usize {
        if self.extended_message { MAX_EXTENDED_LENGTH } else { MAX_LENGTH }
    }
}

/// Messages by type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MessageCounters {
    /// OPEN.
    pub opens: u64,
    /// NOTIFICATION.
    pub notifications: u64,
    /// UPDATE.
    pub updates: u64,
    /// KEEPALIVE.
    pub keepalives: u64,
    /// ROUTE-REFRESH.
    pub refreshes: u64,
}

impl MessageCounters {
    /// Counts a message that has waited to be sent: an UPDATE, or a mark of a refresh.
    pub(super) fn count_queued(&mut self, message: &[u8]) {
        // The type follows marker and length.
        match message.get(18) {
            Some(5) => self.refreshes += 1,
            _ => self.updates += 1,
        }
    }

    /// All messages.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.opens + self.notifications + self.updates + self.keepalives + self.refreshes
    }
}

/// Why a peer is left in Idle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Halt {
    /// `neighbor shutdown`.
    AdminShutdown,
    /// More prefixes than `maximum-prefix` allows.
    PrefixLimit,
    /// No address family is active.
    NoFamily,
    /// There is no route to it.
    NoRoute,
    /// An external peer that is not on a connected subnet, without `ebgp-multihop`.
    NotConnected,
    /// `update-source` names an interface without an address.
    NoSource,
}

/// The last loss of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastReset {
    /// When.
    pub at: Time,
    /// Why.
    pub reason: DownReason,
    /// The NOTIFICATION that went with it, and whether we sent it.
    pub notification: Option<(bool, Notification)>,
}

/// A peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Peer {
    /// Its name.
    pub key: PeerKey,
    /// Its number in the instance, never used again while the process runs.
    pub index: u32,
    /// Its configuration with all that it inherits.
    pub settings: EffectivePeer,
    /// Its AS.
    pub remote_as: Asn,
    /// What it is to us.
    pub kind: PeerKind,
    /// Our AS towards it.
    pub local_as: Asn,
    /// `local-as ... dual-as`: the peer has refused the other number, so the real one is tried.
    pub(super) real_as: bool,
    /// It has connected from a `bgp listen range`.
    pub dynamic: bool,
    /// The connection that we open.
    pub outgoing: Link,
    /// The connection that the peer has opened.
    pub incoming: Option<Link>,
    /// The session, once established.
    pub session: Option<Session>,
    /// Why nothing is tried.
    pub halt: Option<Halt>,
    /// Messages sent.
    pub sent: MessageCounters,
    /// Messages received.
    pub received: MessageCounters,
    /// When a message last came.
    pub last_read: Option<Time>,
    /// When a message last went.
    pub last_write: Option<Time>,
    /// How often a session was established.
    pub established: u32,
    /// How often one was lost.
    pub dropped: u32,
    /// The last loss.
    pub last_reset: Option<LastReset>,
    /// Its session has ended without a word, and its routes are kept until it has told them anew (RFC 4724).
    pub restarting: bool,
    /// When the state last changed to or from Established; the start of the process before that.
    pub changed: Time,
    /// Routes received.
    pub routes_in: Received,
    /// Routes to send.
    pub routes_out: Output,
}

impl Peer {
    /// Whether the peer is up and tells its routes anew when asked to (RFC 2918).
    #[must_use]
    pub fn refreshes(&self) -> bool {
        self.session.as_ref().is_some_and(|session| session.agreed.route_refresh)
    }

    /// The state that is shown: that of the connection that got furthest.
    #[must_use]
    pub fn state(&self) -> State {
        self.incoming.as_ref().map_or(self.outgoing.state, |link| link.state.max(self.outgoing.state))
    }

    /// A connection.
    #[must_use]
    pub fn link(&self, direction: Direction) -> Option<&Link> {
        match direction {
            Direction::Outgoing => Some(&self.outgoing),
            Direction::Incoming => self.incoming.as_ref(),
        }
    }

    pub(super) fn link_mut(&mut self, direction: Direction) -> Option<&mut Link> {
        match direction {
            Direction::Outgoing => Some(&mut self.outgoing),
            Direction::Incoming => self.incoming.as_mut(),
        }
    }

    /// Which of its connections these endpoints are.
    pub(super) fn direction_of(&self, endpoints: Endpoints) -> Option<Direction> {
        [Direction::Outgoing, Direction::Incoming]
            .into_iter()
            .find(|&direction| self.link(direction).is_some_and(|link| link.endpoints == Some(endpoints)))
    }

    /// Whether it is of our AS or member AS.
    #[must_use]
    pub fn is_internal(&self) -> bool {
        self.kind == PeerKind::Internal
    }

    /// Its timers, with IOS's defaults.
    #[must_use]
    pub fn timers(&self, process: Option<NeighborTimers>) -> NeighborTimers {
        self.settings.session.timers.or(process).unwrap_or_default()
    }

    /// Time between UPDATEs about one destination (MinRouteAdvertisementIntervalTimer).
    #[must_use]
    pub fn advertisement_interval(&self) -> Duration {
        let default = if self.kind == PeerKind::External { 30 } else { 0 };
        Duration::from_secs(self.settings.policy.advertisement_interval.map_or(default, u64::from))
    }

    /// Time to live of the segments sent to it, and the least accepted (RFC 5082).
    #[must_use]
    pub fn ttl(&self) -> (u8, u8) {
        let session = &self.settings.session;
        match (self.kind, session.ttl_security_hops, session.ebgp_multihop) {
            (PeerKind::Internal, ..) => (255, 0),
            (_, Some(hops), _) => (255, 255 - hops),
            (_, None, Some(ttl)) => (ttl, 0),
            (_, None, None) => (1, 0),
        }
    }

    /// Whether it must be on a connected subnet.
    #[must_use]
    pub fn must_be_connected(&self) -> bool {
        let session = &self.settings.session;
        let multihop = session.ebgp_multihop.is_some_and(|ttl| ttl > 1);
        let far = session.ttl_security_hops.is_some_and(|hops| hops > 1);
        self.kind != PeerKind::Internal && !multihop && !far && !session.disable_connected_check
    }
}
