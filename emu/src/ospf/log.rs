//! What OSPF logs.

use serde::{Deserialize, Serialize};

use crate::ids::RouterId;
use crate::interface::InterfaceName;

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
        interface: InterfaceName,
        /// State before, in IOS's capitals (`LOADING`).
        from: String,
        /// State after.
        to: String,
        /// Why (`Loading Done`).
        reason: String,
    },
}
