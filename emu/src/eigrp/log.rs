//! What EIGRP logs.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::interface::InterfaceName;

/// A log event of an EIGRP instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EigrpLogEvent {
    /// `%DUAL-5-NBRCHANGE`.
    NeighborChanged {
        /// AS.
        autonomous_system: u16,
        /// The neighbor.
        neighbor: Ipv4Addr,
        /// The interface.
        interface: InterfaceName,
        /// What has changed.
        change: NeighborChange,
    },
    /// `%DUAL-6-NBRINFO`: a neighbor is not taken because it is on another subnet.
    NotOnCommonSubnet {
        /// AS.
        autonomous_system: u16,
        /// The neighbor.
        neighbor: Ipv4Addr,
        /// The interface.
        interface: InterfaceName,
        /// Our address there.
        address: Ipv4Net,
    },
    /// `%DUAL-3-SIA`: a route stayed active for too long.
    StuckInActive {
        /// AS.
        autonomous_system: u16,
        /// The route.
        prefix: Ipv4Net,
    },
}

/// What has changed about a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum NeighborChange {
    /// `is up: new adjacency`.
    Up,
    /// `is down: REASON`.
    Down(DownReason),
    /// `is resync: REASON`: the routes are told anew.
    Resync(ResyncReason),
}

/// Why a neighbor is none any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DownReason {
    /// `holding time expired`.
    HoldingTimeExpired,
    /// `retry limit exceeded`.
    RetryLimitExceeded,
    /// `stuck in active`.
    StuckInActive,
    /// `K-value mismatch`.
    KValueMismatch,
    /// `Interface Goodbye received`.
    GoodbyeReceived,
    /// `Peer Termination received`.
    PeerTerminationReceived,
    /// `peer restarted`.
    PeerRestarted,
    /// `peer info changed`.
    PeerInfoChanged,
    /// `Auth failure`.
    AuthenticationFailure,
    /// `authentication mode changed`.
    AuthenticationModeChanged,
    /// `keychain changed`.
    KeychainChanged,
    /// `interface down`.
    InterfaceDown,
    /// `interface passive`.
    InterfacePassive,
    /// `address changed`.
    AddressChanged,
    /// `Static peer configured`.
    StaticPeerConfigured,
    /// `Static peer removed`.
    StaticPeerRemoved,
    /// `route configuration changed`.
    RouteConfigurationChanged,
    /// `metric changed`.
    MetricChanged,
    /// `manually cleared`.
    ManuallyCleared,
    /// `shutdown`.
    Shutdown,
}

/// Why routes are told anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResyncReason {
    /// `summary configured`.
    SummaryConfigured,
    /// `route configuration changed`.
    RouteConfigurationChanged,
    /// `split horizon changed`.
    SplitHorizonChanged,
    /// `next_hop_self value changed`.
    NextHopSelfChanged,
    /// `peer graceful-restart`: the neighbor has asked for it.
    PeerGracefulRestart,
    /// `manually cleared`.
    ManuallyCleared,
}
