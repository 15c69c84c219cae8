//! The typed configuration of tracked objects and IP SLA operations.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::interface::InterfaceName;

/// `track N ...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackConfig {
    /// What is tracked.
    pub object: TrackObject,
    /// `delay up`, in s.
    pub delay_up: Option<u8>,
    /// `delay down`, in s.
    pub delay_down: Option<u8>,
}

/// What is tracked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TrackObject {
    /// `interface X line-protocol`.
    LineProtocol(InterfaceName),
    /// `interface X ip routing`: the line protocol is up, the interface has an address, and the router routes.
    IpRouting(InterfaceName),
    /// `ip route A M reachability`: the routing table has the route.
    Route(Ipv4Net),
    /// `ip sla N [state]`: the last operation had its answer within the threshold.
    SlaState(u32),
    /// `ip sla N reachability`: the last operation had its answer, be it late.
    SlaReachability(u32),
    /// `list boolean and|or`.
    List {
        /// `and`: all must be up; else one.
        all: bool,
        /// `object N [not]`: the number, and whether it counts the other way round.
        objects: BTreeMap<u16, bool>,
    },
}

/// `ip sla N` with `icmp-echo`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlaOperation {
    /// `icmp-echo A`: who is asked; `None` is an operation whose kind is not chosen yet.
    pub target: Option<Ipv4Addr>,
    /// `source-ip`, `source-interface`.
    pub source: Option<SlaSource>,
    /// `frequency`, in s; IOS's default is 60.
    pub frequency_s: Option<u32>,
    /// `timeout`, in ms; IOS's default is 5000.
    pub timeout_ms: Option<u32>,
    /// `threshold`, in ms; IOS's default is 5000.
    pub threshold_ms: Option<u32>,
    /// `request-data-size`, in octets; IOS's default is 28.
    pub data_size: Option<u16>,
    /// `tos`.
    pub tos: Option<u8>,
    /// `tag`.
    pub tag: Option<String>,
    /// `vrf`.
    pub vrf: Option<String>,
    /// `ip sla schedule N life forever start-time now`.
    pub scheduled: bool,
}

/// Whom an operation asks as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SlaSource {
    /// `source-ip A`.
    Address(Ipv4Addr),
    /// `source-interface X`.
    Interface(InterfaceName),
}

impl SlaOperation {
    /// An operation of which nothing is said yet.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            target: None,
            source: None,
            frequency_s: None,
            timeout_ms: None,
            threshold_ms: None,
            data_size: None,
            tos: None,
            tag: None,
            vrf: None,
            scheduled: false,
        }
    }

    /// From one operation to the next.
    #[must_use]
    pub fn frequency(&self) -> Duration {
        Duration::from_secs(self.frequency_s.unwrap_or(60).max(1).into())
    }

    /// How long an answer is waited for.
    #[must_use]
    pub fn timeout(&self) -> Duration {
        Duration::from_millis(self.timeout_ms.unwrap_or(5000).into())
    }

    /// After which an answer counts as late.
    #[must_use]
    pub fn threshold(&self) -> Duration {
        Duration::from_millis(self.threshold_ms.unwrap_or(5000).into())
    }
}

impl Default for SlaOperation {
    fn default() -> Self {
        Self::new()
    }
}
