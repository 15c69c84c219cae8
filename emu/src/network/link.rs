//! Links: what joins the ports of routers, and how frames travel on it.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ids::{IfIndex, LinkIndex, NodeIndex};
use crate::interface::InterfaceName;
use crate::time::Time;

/// What a link is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LinkMedium {
    /// A cable between two ports, or a switch between more: Ethernet II frames.
    Ethernet,
    /// A synchronous line between two ports: Cisco HDLC frames.
    Serial,
}

/// How a link carries frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkProperties {
    /// What it is made of.
    pub medium: LinkMedium,
    /// Propagation delay.
    pub delay: Duration,
    /// Speed in kbit/s; a frame occupies the sender's end for as long as its bits take. 0 is infinitely fast.
    pub bandwidth_kbps: u32,
    /// Share of frames lost, in parts per million.
    pub loss_ppm: u32,
    /// Largest payload of a frame, in octets; what is larger is lost.
    pub mtu: u16,
}

impl LinkProperties {
    /// A gigabit cable of 10 us.
    #[must_use]
    pub const fn ethernet() -> Self {
        Self {
            medium: LinkMedium::Ethernet,
            delay: Duration::from_micros(10),
            bandwidth_kbps: 1_000_000,
            loss_ppm: 0,
            mtu: 9216,
        }
    }

    /// A T1 line of 1 ms.
    #[must_use]
    pub const fn serial() -> Self {
        Self {
            medium: LinkMedium::Serial,
            delay: Duration::from_millis(1),
            bandwidth_kbps: 1544,
            loss_ppm: 0,
            mtu: 9216,
        }
    }

    /// How long the bits of a frame of `octets` occupy the sender's end.
    #[must_use]
    pub fn serialisation_delay(&self, octets: usize) -> Duration {
        let bits = u64::try_from(octets).unwrap_or(u64::MAX).saturating_mul(8);
        bits.saturating_mul(1_000_000)
            .checked_div(u64::from(self.bandwidth_kbps))
            .map_or(Duration::ZERO, Duration::from_nanos)
    }

    /// Octets of the link header.
    pub(crate) const fn header_len(&self) -> usize {
        match self.medium {
            LinkMedium::Ethernet => 14,
            LinkMedium::Serial => 4,
        }
    }
}

/// An end of a link, in the order in which ends were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct EndIndex(pub u32);

/// A port of the network to the outside (a TAP interface, a test), in the order in which ports were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ExternalPort(pub u32);

/// What is plugged into an end of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Plug {
    /// A port of a router.
    Port {
        /// The router.
        node: NodeIndex,
        /// The port's interface.
        interface: IfIndex,
    },
    /// The outside.
    External(ExternalPort),
}

/// An end of a link: where it belongs, what is plugged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    pub link: LinkIndex,
    pub plug: Plug,
}

/// A link as it was built.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Link {
    pub ends: Vec<EndIndex>,
}

/// What changes of a link while the network runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LinkState {
    pub properties: LinkProperties,
    pub up: bool,
}

/// What changes of an end while the network runs: until when the frames already accepted occupy it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct EndState {
    pub busy_until: Time,
}

/// A link that cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TopologyError {
    /// There is no such router.
    UnknownNode(NodeIndex),
    /// The router has no such port.
    UnknownPort(NodeIndex, InterfaceName),
    /// A link ends there already.
    PortInUse(NodeIndex, InterfaceName),
    /// A port of one kind on a link of another.
    WrongMedium(NodeIndex, InterfaceName),
    /// A serial line has two ends, an Ethernet at least one.
    WrongNumberOfEnds(usize),
}

impl fmt::Display for TopologyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownNode(node) => write!(f, "there is no router number {}", node.0),
            Self::UnknownPort(node, port) => write!(f, "router number {} has no port {port}", node.0),
            Self::PortInUse(node, port) => {
                write!(f, "port {port} of router number {} has a link already", node.0)
            }
            Self::WrongMedium(node, port) => {
                write!(f, "port {port} of router number {} does not fit the link's medium", node.0)
            }
            Self::WrongNumberOfEnds(count) => {
                write!(f, "a link of this medium cannot have {count} ends")
            }
        }
    }
}

impl std::error::Error for TopologyError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_occupies_the_line_for_its_bits() {
        let t1 = LinkProperties::serial();
        assert_eq!(t1.serialisation_delay(1544), Duration::from_millis(8));
        let infinite = LinkProperties { bandwidth_kbps: 0, ..t1 };
        assert_eq!(infinite.serialisation_delay(1544), Duration::ZERO);
    }
}
