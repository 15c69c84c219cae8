//! OSPF neighbors (RFC 2328 section 10).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::ids::RouterId;

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

/// A neighbor on an interface (section 10).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Neighbor {
    /// State.
    pub state: NeighborState,
    /// Router id.
    pub router_id: RouterId,
    /// Interface address, from the source of its packets.
    pub address: Ipv4Addr,
    /// Router priority.
    pub priority: u8,
    /// Whom it holds to be the DR.
    pub designated_router: Ipv4Addr,
    /// Whom it holds to be the backup DR.
    pub backup_designated_router: Ipv4Addr,
}
