//! What BGP logs.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::packet::Notification;
use crate::tcp::TcpLogEvent;

/// A log event of the BGP process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BgpLogEvent {
    /// `%BGP-5-ADJCHANGE: neighbor A Up`.
    Up {
        /// The peer.
        neighbor: LoggedPeer,
    },
    /// `%BGP-5-ADJCHANGE: neighbor A Down REASON`.
    Down {
        /// The peer.
        neighbor: LoggedPeer,
        /// Why.
        reason: DownReason,
    },
    /// `%BGP_SESSION-5-ADJCHANGE: neighbor A IPv4 Unicast topology base removed from session  REASON`.
    RemovedFromSession {
        /// The peer.
        neighbor: LoggedPeer,
        /// Why.
        reason: DownReason,
    },
    /// `%BGP-3-NOTIFICATION: sent to neighbor A ...`, or received from.
    Notification {
        /// The peer.
        neighbor: LoggedPeer,
        /// Sent by this router.
        sent: bool,
        /// By which side the connection was opened, for sessions that were not up yet.
        passive: Option<bool>,
        /// The message.
        notification: Notification,
    },
    /// `%BGP-4-MAXPFX`: the threshold is reached.
    PrefixesNearMaximum {
        /// The peer.
        neighbor: LoggedPeer,
        /// How many.
        count: u32,
        /// Of how many.
        limit: u32,
    },
    /// `%BGP-3-MAXPFXEXCEED`: more than the peer may send.
    PrefixesBeyondMaximum {
        /// The peer.
        neighbor: LoggedPeer,
        /// How many.
        count: u32,
        /// Of how many.
        limit: u32,
    },
    /// `%BGP-6-MALFORMEDATTR`.
    MalformedAttribute {
        /// The peer.
        neighbor: LoggedPeer,
    },
    /// `%BGP-6-ASPATH`: a path that is too long (`bgp maxas-limit`).
    LongAsPath {
        /// The peer.
        neighbor: LoggedPeer,
        /// Its length.
        length: u32,
        /// The limit.
        limit: u32,
    },
    /// Of a connection.
    Tcp(TcpLogEvent),
}

/// A peer as log lines name it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoggedPeer {
    /// Its address.
    pub address: Ipv4Addr,
    /// Its VRF, unless global.
    pub vrf: Option<String>,
}

/// Why a session is down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DownReason {
    /// `BGP Notification sent`.
    NotificationSent,
    /// `BGP Notification received`.
    NotificationReceived,
    /// `Peer closed the session`.
    PeerClosed,
    /// `Interface flap`.
    InterfaceFlap,
    /// `User reset`.
    UserReset,
    /// `Admin. shutdown`.
    AdminShutdown,
    /// `Neighbor deleted`.
    NeighborDeleted,
    /// `BGP protocol initialization`: the process ends or starts again.
    Initialization,
    /// `Remote AS changed`.
    RemoteAsChanged,
    /// `Local AS changed`.
    LocalAsChanged,
    /// `Router ID changed`.
    RouterIdChanged,
    /// Another `bgp cluster-id`.
    ClusterIdChanged,
    /// `Confederation ID changed`, or peers.
    ConfederationChanged,
    /// `Update source changed`.
    UpdateSourceChanged,
    /// `Multihop changed`.
    MultihopChanged,
    /// `Password change`.
    PasswordChanged,
    /// `Capability changed`.
    CapabilityChanged,
    /// `RR client config change`.
    ReflectorClientChanged,
    /// `Address family activated`.
    FamilyActivated,
    /// `Address family deactivated`: the peer exchanges no IPv4 routes any more.
    FamilyDeactivated,
    /// `Member added to peergroup`, or removed from it.
    PeerGroupChanged,
    /// `Route to peer lost` (`fall-over`).
    RouteToPeerLost,
    /// `Error during connection collision`.
    Collision,
}
