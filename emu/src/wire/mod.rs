//! Codecs of the link, network and transport layers, on top of `smoltcp::wire` where that serves.
//!
//! | file | what |
//! |---|---|
//! | `ethernet.rs` | Ethernet II with an optional IEEE 802.1Q tag |
//! | `hdlc.rs` | Cisco HDLC |
//! | `arp.rs` | ARP (RFC 826) |
//! | `ipv4.rs` | IPv4 header (RFC 791) |
//! | `icmp.rs` | ICMP (RFC 792, RFC 1191) |
//! | `udp.rs` | UDP (RFC 768) |
//! | `checksum.rs` | the Internet checksum (RFC 1071) |

mod arp;
mod checksum;
mod ethernet;
mod hdlc;
mod icmp;
mod ipv4;
mod udp;

use std::fmt;

pub use arp::{ArpOperation, ArpPacket};
pub use checksum::{internet_checksum, internet_checksum_of};
pub use ethernet::{EtherType, EthernetHeader};
pub use hdlc::HdlcHeader;
pub use icmp::{IcmpMessage, UnreachableCode};
pub use ipv4::Ipv4Header;
pub use udp::UdpHeader;

/// Octets that are not the packet they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// Too short for what it says it holds.
    Truncated,
    /// A checksum is wrong.
    Checksum,
    /// A field has a value that the format does not allow, or that is not understood here.
    Field(&'static str),
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("truncated packet"),
            Self::Checksum => f.write_str("wrong checksum"),
            Self::Field(name) => write!(f, "bad value of field {name}"),
        }
    }
}

impl std::error::Error for WireError {}

impl From<smoltcp::wire::Error> for WireError {
    fn from(_: smoltcp::wire::Error) -> Self {
        Self::Truncated
    }
}
