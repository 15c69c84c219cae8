//! TCP (RFC 9293) as a value: no sockets, no clock, every connection can be cloned with its segments in flight.
//!
//! | file | what it holds |
//! |---|---|
//! | `segment.rs` | [`Segment`]: parse and emit on `smoltcp::wire`, options, the MD5 signature (RFC 2385) |
//! | `sequence.rs` | [`SequenceNumber`]: arithmetic modulo 2^32 |
//! | `connection.rs` | [`Connection`]: the state machine of RFC 9293 section 3.10 |
//! | `sender.rs` | the send buffer, retransmission (RFC 6298), congestion (RFC 5681), zero-window probes |
//! | `receiver.rs` | reassembly within the window, delayed acknowledgments |
//! | `stack.rs` | [`Stack`]: the listeners and connections of one router |
//!
//! The owner of a connection (the BGP process, say) gives [`Command`]s and is told [`Event`]s; the router carries both and the
//! datagrams. A connection is named by its [`Endpoints`].

mod connection;
mod receiver;
mod segment;
mod sender;
mod sequence;
mod stack;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::{Ipv4Addr, SocketAddrV4};
use std::sync::Arc;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use connection::{Connection, State};
pub use segment::{Flags, MalformedSegment, Segment};
pub use sequence::SequenceNumber;
pub use stack::{Output, Stack, refuse};

use crate::ids::VrfId;

/// Names a connection: the two sockets, in a VRF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Endpoints {
    /// The VRF in whose tables the packets are routed.
    pub vrf: VrfId,
    /// Our socket.
    pub local: SocketAddrV4,
    /// The peer's socket.
    pub remote: SocketAddrV4,
}

impl fmt::Display for Endpoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.local, self.remote)
    }
}

/// Who owns connections on a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Owner {
    /// The BGP process.
    Bgp,
    /// The terminals.
    Terminal,
}

/// How the segments of a connection are sent and which are accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Time to live of what is sent.
    pub ttl: u8,
    /// Least time to live of what is accepted (GTSM, RFC 5082); 0 accepts all.
    pub minimum_ttl: u8,
    /// Type of service octet.
    pub tos: u8,
    /// The key of the MD5 signature (RFC 2385), which is then demanded of the peer too.
    pub md5: Option<Arc<str>>,
    /// Largest payload of a segment we can receive, announced in SYN, and an upper bound of what we send.
    pub mss: u16,
    /// Probe an idle connection after this long.
    pub keepalive: Option<Duration>,
}

impl Options {
    /// Octets of options in each segment behind the handshake: the signature, padded.
    const fn segment_options(&self) -> u16 {
        if self.md5.is_some() { segment::SIGNATURE_OPTION } else { 0 }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self { ttl: 255, minimum_ttl: 0, tos: 0, md5: None, mss: 1460, keepalive: None }
    }
}

/// What an owner asks of the stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Accept connections to `port` in `vrf` from the peers named by [`Command::Admit`].
    Listen {
        /// The VRF.
        vrf: VrfId,
        /// The local port.
        port: u16,
    },
    /// Stop to accept; connections stay.
    Unlisten {
        /// The VRF.
        vrf: VrfId,
        /// The local port.
        port: u16,
    },
    /// Name the peers that may connect to a port, with the options to use; replaces what was said for `port` before.
    Admit {
        /// The VRF.
        vrf: VrfId,
        /// The local port.
        port: u16,
        /// Peers; the longest prefix that contains the peer's address counts.
        peers: Vec<(Ipv4Net, Options)>,
    },
    /// Open a connection.
    Connect(Endpoints, Options),
    /// Send octets.
    Send(Endpoints, Arc<[u8]>),
    /// Close our direction after what was sent; the connection ends when the peer closes too.
    Close(Endpoints),
    /// Reset.
    Abort(Endpoints),
}

/// What an owner is told of a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Which connection.
    pub endpoints: Endpoints,
    /// What happened.
    pub kind: EventKind,
}

/// What happened to a connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventKind {
    /// A peer has connected to a port that was listened to.
    Accepted,
    /// A connection asked for by [`Command::Connect`] is there.
    Connected,
    /// Octets have arrived in order.
    Received(Vec<u8>),
    /// The send buffer, full before, has room again.
    Writable,
    /// The peer has closed its direction: nothing more will be received.
    PeerClosed,
    /// The connection is gone.
    Closed(CloseReason),
}

/// Why a connection is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CloseReason {
    /// Both sides closed.
    Finished,
    /// The peer reset the connection.
    Reset,
    /// The peer refused the connection.
    Refused,
    /// The peer did not acknowledge.
    TimedOut,
}

/// What TCP logs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TcpLogEvent {
    /// `%TCP-6-BADAUTH`: `No MD5 digest from` or `Invalid MD5 digest from` A(port) to B(port).
    BadAuthentication {
        /// A signature was there, but a wrong one.
        invalid: bool,
        /// The peer's address and port.
        from: (Ipv4Addr, u16),
        /// Our address and port.
        to: (Ipv4Addr, u16),
    },
}
