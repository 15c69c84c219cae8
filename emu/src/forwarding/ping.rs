//! `ping`: what is asked and what comes of it.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ids::VrfId;
use crate::wire::UnreachableCode;

/// A ping.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PingRequest {
    /// Where to.
    pub destination: Ipv4Addr,
    /// Whose table.
    pub vrf: VrfId,
    /// From which of the router's addresses; `None` is that of the outgoing interface.
    pub source: Option<Ipv4Addr>,
    /// How many echo requests.
    pub count: u32,
    /// Octets of the IP packet.
    pub size: u16,
    /// How long each reply is waited for.
    pub timeout: Duration,
    /// `df-bit`.
    pub dont_fragment: bool,
    /// Type of service octet.
    pub tos: u8,
}

impl PingRequest {
    /// IOS's default: five packets of 100 octets, 2 seconds.
    #[must_use]
    pub const fn new(destination: Ipv4Addr) -> Self {
        Self {
            destination,
            vrf: VrfId::GLOBAL,
            source: None,
            count: 5,
            size: 100,
            timeout: Duration::from_secs(2),
            dont_fragment: false,
            tos: 0,
        }
    }
}

/// What came of one echo request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeResult {
    /// A reply.
    Reply {
        /// Time from request to reply.
        rtt: Duration,
    },
    /// Nothing.
    Timeout,
    /// Destination unreachable.
    Unreachable {
        /// Who says so.
        from: Ipv4Addr,
        /// Why.
        code: UnreachableCode,
    },
    /// Time to live exceeded.
    TimeExceeded {
        /// Who says so.
        from: Ipv4Addr,
    },
}

/// What came of a ping.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PingReport {
    /// One result for each request.
    pub results: Vec<ProbeResult>,
}
