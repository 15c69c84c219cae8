//! Whether anything listens at a TCP port: a SYN, and what comes back.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::operation::{Mark, ProbeAnswerKind};
use crate::ids::VrfId;
use crate::process::Datagram;
use crate::router::Router;
use crate::tcp::{Flags, Segment, SequenceNumber};
use crate::time::Time;
use crate::wire::UnreachableCode;

/// An attempt to connect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TcpProbeRequest {
    /// Where to.
    pub destination: Ipv4Addr,
    /// To which port.
    pub port: u16,
    /// Whose table.
    pub vrf: VrfId,
    /// From which of the router's addresses; `None` is that of the outgoing interface.
    pub source: Option<Ipv4Addr>,
    /// How long an answer is waited for; the SYN is sent anew after each [`TcpProbeRequest::RETRANSMISSION`].
    pub timeout: Duration,
}

impl TcpProbeRequest {
    /// How long each SYN waits for its answer.
    pub const RETRANSMISSION: Duration = Duration::from_secs(2);

    /// IOS's default: 30 seconds.
    #[must_use]
    pub const fn new(destination: Ipv4Addr, port: u16) -> Self {
        Self { destination, port, vrf: VrfId::GLOBAL, source: None, timeout: Duration::from_secs(30) }
    }
}

/// What came of an attempt to connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TcpProbeResult {
    /// Something listens. The connection is reset at once.
    Open,
    /// Nothing listens.
    Refused,
    /// A router on the way, or this one, cannot or must not pass it on.
    Unreachable(Option<UnreachableCode>),
    /// Nothing was heard.
    Timeout,
}

/// A SYN from a port.
pub(super) fn syn(source: Ipv4Addr, destination: Ipv4Addr, ports: (u16, u16)) -> Vec<u8> {
    let segment = Segment {
        source_port: ports.0,
        destination_port: ports.1,
        // The connection never lives; any number will do.
        sequence: SequenceNumber::default(),
        acknowledgment: SequenceNumber::default(),
        flags: Flags::SYN,
        window: 4128,
        mss: Some(536),
        payload: Vec::new(),
    };
    segment.emit(source, destination, None)
}

impl Router {
    /// A TCP segment that may answer the probe. What else becomes of it does not change: nothing listens to the probe's port,
    /// so that a connection is reset.
    pub(super) fn tcp_probe_answered(&mut self, now: Time, datagram: &Datagram) {
        let parsed = Segment::parse(&datagram.payload, datagram.source, datagram.destination, None);
        let Ok(segment) = parsed else { return };
        let mark = Mark::Tcp { source: segment.destination_port, destination: segment.source_port };
        let kind = match (segment.flags.rst, segment.flags.syn && segment.flags.ack) {
            (true, _) => ProbeAnswerKind::Refused,
            (false, true) => ProbeAnswerKind::Open,
            (false, false) => return,
        };
        self.answered(now, datagram.source, mark, kind);
    }
}
