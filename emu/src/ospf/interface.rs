//! OSPF interfaces (RFC 2328 section 9).

use std::collections::{BTreeMap, VecDeque};
use std::fmt;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::config::{DemandCircuit, NetworkType};
use super::lsa::{LsaHeader, LsaKey};
use super::neighbor::{Neighbor, NeighborKey, NeighborState};
use super::packet::SIMPLE_KEY_LEN;
use super::retransmission::Retransmission;
use crate::ids::{AreaId, IfIndex, RouterId};
use crate::interface::InterfaceName;
use crate::time::Time;

/// What an interface is called in logs and show commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OspfInterfaceName {
    /// An interface of the router.
    Physical(InterfaceName),
    /// `OSPF_VL<n>`: a virtual link, by its number.
    VirtualLink(u32),
}

impl fmt::Display for OspfInterfaceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Physical(name) => name.fmt(f),
            Self::VirtualLink(number) => write!(f, "OSPF_VL{number}"),
        }
    }
}

/// Names an interface of an OSPF process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OspfInterfaceKey {
    /// An interface of the router.
    Physical(IfIndex),
    /// `area TRANSIT virtual-link PEER`.
    Virtual {
        /// The transit area.
        transit: AreaId,
        /// The router at the other end.
        peer: RouterId,
    },
}

/// What an interface is to OSPF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum OspfNetwork {
    /// A network or a point-to-point link.
    Network(NetworkType),
    /// A host inside the router (IOS's LOOPBACK).
    Loopback,
    /// A virtual link (section 15).
    VirtualLink,
}

/// The state of an interface (section 9.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum InterfaceState {
    /// The lower layers say that it does not work.
    #[default]
    Down,
    /// A host: no packets.
    Loopback,
    /// Listening for a DR that is there already.
    Waiting,
    /// A point-to-point, point-to-multipoint or virtual link.
    PointToPoint,
    /// Neither DR nor backup.
    DrOther,
    /// Backup designated router.
    Backup,
    /// Designated router.
    Dr,
}

/// How packets on an interface are signed, as configured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum InterfaceKeys {
    /// Not at all.
    #[default]
    Null,
    /// By a password.
    Simple([u8; SIMPLE_KEY_LEN]),
    /// By MD5 with one of these keys.
    MessageDigest(BTreeMap<u8, String>),
    /// By the keys of a key chain (RFC 5709).
    KeyChain(String),
}

/// What the conversation with the neighbors on an interface goes by (RFC 2328 appendix C.3).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceSettings {
    /// HelloInterval.
    pub hello_interval: Duration,
    /// RxmtInterval.
    pub retransmit_interval: Duration,
    /// InfTransDelay, in seconds.
    pub transmit_delay: u16,
    /// Router priority.
    pub priority: u8,
    /// `passive-interface`: neither sends nor takes packets. So is a loopback interface whatever its network type.
    pub passive: bool,
    /// Largest IP packet, as told in database descriptions; 0 on virtual links.
    pub mtu: u16,
    /// `ip ospf mtu-ignore`.
    pub mtu_ignore: bool,
    /// `ip ospf database-filter all out`.
    pub database_filter: bool,
    /// `ip ospf demand-circuit`.
    pub demand_circuit: Option<DemandCircuit>,
    /// `ip ospf flood-reduction`.
    pub flood_reduction: bool,
    /// `ip ospf ttl-security hops N`.
    pub ttl_security: Option<u8>,
    /// Authentication.
    pub keys: InterfaceKeys,
}

impl Default for InterfaceSettings {
    fn default() -> Self {
        Self {
            hello_interval: Duration::from_secs(10),
            retransmit_interval: Duration::from_secs(5),
            transmit_delay: 1,
            priority: 1,
            passive: false,
            mtu: 1500,
            mtu_ignore: false,
            database_filter: false,
            demand_circuit: None,
            flood_reduction: false,
            ttl_security: None,
            keys: InterfaceKeys::Null,
        }
    }
}

/// An interface of an OSPF process (section 9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OspfInterface {
    /// Its name.
    pub name: OspfInterfaceName,
    /// What kind of network is attached.
    pub network: OspfNetwork,
    /// The area; the backbone for a virtual link.
    pub area: AreaId,
    /// State.
    pub state: InterfaceState,
    /// Own address with the length of its mask; `None` on an unnumbered interface, and on a virtual link without a path.
    pub address: Option<Ipv4Net>,
    /// The source of packets sent, which is a borrowed address on an unnumbered interface.
    pub source: Ipv4Addr,
    /// Output cost.
    pub cost: u16,
    /// RouterDeadInterval.
    pub dead_interval: Duration,
    /// What else is configured.
    pub settings: InterfaceSettings,
    /// The DR's interface address; unspecified if none.
    pub designated_router: Ipv4Addr,
    /// The backup DR's interface address; unspecified if none.
    pub backup_designated_router: Ipv4Addr,
    /// Neighbors.
    pub neighbors: BTreeMap<NeighborKey, Neighbor>,
    /// Headers of LSAs whose acknowledgement is delayed (section 13.5).
    pub delayed_acks: Vec<LsaHeader>,
    /// LSAs that wait to be flooded (`timers pacing flood`), unless all neighbors acknowledge them before.
    pub(super) flood_queue: VecDeque<LsaKey>,
    /// When an update was last flooded.
    pub last_flood: Option<Time>,
    /// Cryptographic sequence number of the last packet sent.
    pub cryptographic_sequence: u32,
    /// When an error of the other side was last logged.
    pub complained: Option<Time>,
    /// The address at the other end of a virtual link that is up.
    pub virtual_peer: Option<Ipv4Addr>,
}

impl OspfInterface {
    /// Whether it has network type point-to-point.
    pub(super) fn is_point_to_point(&self) -> bool {
        self.network == OspfNetwork::Network(NetworkType::PointToPoint)
    }

    /// What waits to be flooded, by LSA.
    #[must_use]
    pub fn flood_queue(&self) -> Vec<&Retransmission> {
        let unsent: BTreeMap<LsaKey, &Retransmission> = self
            .neighbors
            .values()
            .flat_map(|neighbor| neighbor.retransmissions.sorted())
            .filter(|(_, waiting)| waiting.due.is_none())
            .collect();
        unsent.into_values().collect()
    }

    /// An interface that is down, with default settings.
    #[must_use]
    pub fn new(name: OspfInterfaceName, network: OspfNetwork, area: AreaId) -> Self {
        Self {
            name,
            network,
            area,
            state: InterfaceState::Down,
            address: None,
            source: Ipv4Addr::UNSPECIFIED,
            cost: 1,
            dead_interval: Duration::from_secs(40),
            settings: InterfaceSettings::default(),
            designated_router: Ipv4Addr::UNSPECIFIED,
            backup_designated_router: Ipv4Addr::UNSPECIFIED,
            neighbors: BTreeMap::new(),
            delayed_acks: Vec::new(),
            flood_queue: VecDeque::new(),
            last_flood: None,
            cryptographic_sequence: 0,
            complained: None,
            virtual_peer: None,
        }
    }

    /// Whether a DR is elected on it.
    #[must_use]
    pub const fn elects(&self) -> bool {
        matches!(self.network, OspfNetwork::Network(NetworkType::Broadcast | NetworkType::NonBroadcast))
    }

    /// Whether packets to several neighbors go out once, to a group.
    #[must_use]
    pub const fn multicasts(&self) -> bool {
        matches!(
            self.network,
            OspfNetwork::Network(
                NetworkType::Broadcast | NetworkType::PointToPoint | NetworkType::PointToMultipoint
            )
        )
    }

    /// The key of a neighbor that sends from this address (section 10.5).
    #[must_use]
    pub const fn neighbor_key(&self, router_id: RouterId, address: Ipv4Addr) -> NeighborKey {
        match self.network {
            OspfNetwork::Network(NetworkType::PointToPoint) | OspfNetwork::VirtualLink => {
                NeighborKey(router_id.0)
            }
            OspfNetwork::Network(_) | OspfNetwork::Loopback => NeighborKey(address),
        }
    }

    /// Whether it and a neighbor should be adjacent (section 10.4).
    #[must_use]
    pub fn wants_adjacency(&self, neighbor: &Neighbor) -> bool {
        !self.elects()
            || matches!(self.state, InterfaceState::Dr | InterfaceState::Backup)
            || neighbor.address == self.designated_router
            || neighbor.address == self.backup_designated_router
    }

    /// The neighbors to which LSAs are flooded: in state Exchange or above.
    pub fn flooding_neighbors(&self) -> impl Iterator<Item = (&NeighborKey, &Neighbor)> {
        self.neighbors.iter().filter(|(_, neighbor)| neighbor.state >= NeighborState::Exchange)
    }
}

/// What causes an interface to change state (section 9.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceEvent {
    /// The lower layers say that it works.
    InterfaceUp,
    /// The wait for a standing DR is over.
    WaitTimer,
    /// A neighbor declares itself backup DR, or DR without a backup.
    BackupSeen,
    /// The set of neighbors in 2-Way or above, or what they declare, has changed.
    NeighborChange,
    /// The interface is looped back.
    LoopInd,
    /// It no longer is.
    UnloopInd,
    /// The lower layers say that it does not work.
    InterfaceDown,
}

/// What an event asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InterfaceTransition {
    /// Go to this state.
    To(InterfaceState),
    /// Elect DR and backup (section 9.4); the new state is what this router is elected to.
    Elect,
    /// Nothing.
    Stay,
}

/// The interface state machine (section 9.3). `priority` is the router's own on this network.
#[must_use]
pub const fn interface_transition(
    state: InterfaceState,
    event: InterfaceEvent,
    network: OspfNetwork,
    priority: u8,
) -> InterfaceTransition {
    use InterfaceEvent as E;
    use InterfaceState as S;
    use InterfaceTransition::{Elect, Stay, To};
    match (state, event) {
        (_, E::InterfaceDown) => To(S::Down),
        (S::Loopback, E::UnloopInd) => To(S::Down),
        (_, E::LoopInd) => To(S::Loopback),
        (S::Down, E::InterfaceUp) => match network {
            OspfNetwork::Loopback => To(S::Loopback),
            OspfNetwork::Network(NetworkType::Broadcast | NetworkType::NonBroadcast) if priority == 0 => {
                To(S::DrOther)
            }
            OspfNetwork::Network(NetworkType::Broadcast | NetworkType::NonBroadcast) => To(S::Waiting),
            OspfNetwork::Network(_) | OspfNetwork::VirtualLink => To(S::PointToPoint),
        },
        (S::Waiting, E::WaitTimer | E::BackupSeen) => Elect,
        (S::DrOther | S::Backup | S::Dr, E::NeighborChange) => Elect,
        _ => Stay,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BROADCAST: OspfNetwork = OspfNetwork::Network(NetworkType::Broadcast);

    #[test]
    fn rfc9_3_interface_up_by_network_type_and_priority() {
        let up = |network, priority| {
            interface_transition(InterfaceState::Down, InterfaceEvent::InterfaceUp, network, priority)
        };
        let to = InterfaceTransition::To;
        assert_eq!(up(BROADCAST, 1), to(InterfaceState::Waiting));
        assert_eq!(up(BROADCAST, 0), to(InterfaceState::DrOther));
        assert_eq!(up(OspfNetwork::Network(NetworkType::NonBroadcast), 1), to(InterfaceState::Waiting));
        for kind in [
            NetworkType::PointToPoint,
            NetworkType::PointToMultipoint,
            NetworkType::PointToMultipointNonBroadcast,
        ] {
            assert_eq!(up(OspfNetwork::Network(kind), 1), to(InterfaceState::PointToPoint));
        }
        assert_eq!(up(OspfNetwork::VirtualLink, 1), to(InterfaceState::PointToPoint));
        assert_eq!(up(OspfNetwork::Loopback, 1), to(InterfaceState::Loopback));
    }

    #[test]
    fn rfc9_3_elections_end_waiting_and_follow_neighbor_changes() {
        use InterfaceEvent as E;
        use InterfaceState as S;
        let at = |state, event| interface_transition(state, event, BROADCAST, 1);
        for event in [E::WaitTimer, E::BackupSeen] {
            assert_eq!(at(S::Waiting, event), InterfaceTransition::Elect);
            assert_eq!(at(S::Dr, event), InterfaceTransition::Stay);
        }
        assert_eq!(at(S::Waiting, E::NeighborChange), InterfaceTransition::Stay);
        for state in [S::DrOther, S::Backup, S::Dr] {
            assert_eq!(at(state, E::NeighborChange), InterfaceTransition::Elect);
        }
        assert_eq!(at(S::PointToPoint, E::NeighborChange), InterfaceTransition::Stay);
    }

    #[test]
    fn rfc9_3_any_state_goes_down_and_loops() {
        use InterfaceState as S;
        for state in [S::Down, S::Loopback, S::Waiting, S::PointToPoint, S::DrOther, S::Backup, S::Dr] {
            let at = |event| interface_transition(state, event, BROADCAST, 1);
            assert_eq!(at(InterfaceEvent::InterfaceDown), InterfaceTransition::To(S::Down));
            assert_eq!(at(InterfaceEvent::LoopInd), InterfaceTransition::To(S::Loopback));
        }
        let unloop = interface_transition(S::Loopback, InterfaceEvent::UnloopInd, BROADCAST, 1);
        assert_eq!(unloop, InterfaceTransition::To(S::Down));
    }
}
