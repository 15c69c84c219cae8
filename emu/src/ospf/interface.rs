//! OSPF interfaces (RFC 2328 section 9).

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::config::NetworkType;
use super::neighbor::{Neighbor, NeighborKey};
use crate::ids::{AreaId, IfIndex, RouterId};

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

/// An interface of an OSPF process (section 9).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OspfInterface {
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
    /// The DR's interface address; unspecified if none.
    pub designated_router: Ipv4Addr,
    /// The backup DR's interface address; unspecified if none.
    pub backup_designated_router: Ipv4Addr,
    /// Neighbors.
    pub neighbors: BTreeMap<NeighborKey, Neighbor>,
}
