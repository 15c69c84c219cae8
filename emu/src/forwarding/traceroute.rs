//! `traceroute`: what is asked and what comes of it.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::ids::VrfId;
use crate::wire::UnreachableCode;

/// A traceroute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracerouteRequest {
    /// Where to.
    pub destination: Ipv4Addr,
    /// Whose table.
    pub vrf: VrfId,
    /// From which of the router's addresses.
    pub source: Option<Ipv4Addr>,
    /// Probes of each hop.
    pub probes: u8,
    /// How long each answer is waited for.
    pub timeout: Duration,
    /// First TTL.
    pub min_ttl: u8,
    /// Last TTL.
    pub max_ttl: u8,
    /// First UDP port; each probe has the next one.
    pub port: u16,
}

impl TracerouteRequest {
    /// IOS's default: three probes of each hop, 3 seconds, 30 hops, ports from 33434 on.
    #[must_use]
    pub const fn new(destination: Ipv4Addr) -> Self {
        Self {
            destination,
            vrf: VrfId::GLOBAL,
            source: None,
            probes: 3,
            timeout: Duration::from_secs(3),
            min_ttl: 1,
            max_ttl: 30,
            port: 33434,
        }
    }
}

/// What came of one probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TraceProbe {
    /// Nothing.
    Timeout,
    /// Somebody answered.
    Answer {
        /// Who.
        address: Ipv4Addr,
        /// Time from probe to answer.
        rtt: Duration,
        /// `None`: time exceeded; else why the destination is unreachable (its port, where the probe has arrived).
        unreachable: Option<UnreachableCode>,
    },
}

/// What came of the probes with one TTL.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TraceHop {
    /// The TTL.
    pub ttl: u8,
    /// One result for each probe.
    pub probes: Vec<TraceProbe>,
}

/// What came of a traceroute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TracerouteReport {
    /// The hops.
    pub hops: Vec<TraceHop>,
}
