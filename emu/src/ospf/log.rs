//! What OSPF logs.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::debug::OspfDebugEvent;
use super::interface::OspfInterfaceName;
use crate::ids::RouterId;

/// A log event of an OSPF process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OspfLogEvent {
    /// `%OSPF-5-ADJCHG`.
    AdjacencyChanged {
        /// Process id.
        process: u16,
        /// The neighbor's router id.
        neighbor: RouterId,
        /// The interface.
        interface: OspfInterfaceName,
        /// State before, in IOS's capitals (`LOADING`).
        from: String,
        /// State after.
        to: String,
        /// Why (`Loading Done`).
        reason: String,
    },
    /// A line of `debug ip ospf ...`.
    Debug {
        /// Process id.
        process: u16,
        /// The interface.
        interface: OspfInterfaceName,
        /// What is seen.
        event: OspfDebugEvent,
    },
    /// `%OSPF-4-NORTRID`: there is no router id that no other process has.
    NoRouterId {
        /// Process id.
        process: u16,
    },
    /// `%OSPF-4-DUP_RTRID_NBR`: a neighbor has this router's id.
    DuplicateRouterId {
        /// The id.
        router_id: RouterId,
        /// The neighbor's address.
        source: Ipv4Addr,
        /// The interface.
        interface: OspfInterfaceName,
    },
    /// `%OSPF-4-ERRRCV`: a packet of another area.
    AreaMismatch {
        /// The packet is of the backbone, as those of virtual links are.
        backbone: bool,
        /// The sender's address.
        source: Ipv4Addr,
        /// The interface.
        interface: OspfInterfaceName,
    },
}
