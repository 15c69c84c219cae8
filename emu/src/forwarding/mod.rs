//! The data plane of a router.
//!
//! | file | what it does |
//! |---|---|
//! | `receive.rs` | frames to packets, packets to this router or onward, reassembly |
//! | `send.rs` | packets of this router, fragmentation, link headers |
//! | `arp.rs` | ARP (RFC 826): table, requests, replies, proxy (RFC 1027) |
//! | `error.rs` | ICMP errors and their rate limit (RFC 1812 section 4.3.2) |
//! | `filter.rs` | access lists at interfaces |
//! | `policy.rs` | policy-based routing |
//! | `fragment.rs` | fragmentation and reassembly (RFC 791 section 3.2) |
//! | `operation.rs` | operations of an operator that run in virtual time |
//! | `ping.rs`, `traceroute.rs` | the two of them |

mod arp;
mod error;
mod filter;
mod fragment;
mod operation;
mod ping;
mod policy;
mod receive;
mod send;
mod tcp_probe;
mod traceroute;

use serde::{Deserialize, Serialize};

pub use arp::{ArpEntry, ArpState, ArpTable};
pub use filter::{AclFlow, ExtendedFlow};
pub use operation::Operations;
pub(crate) use operation::{Probe, ProbeAnswerKind, ProbeKind};
pub use ping::{PingReport, PingRequest, ProbeResult};
pub use tcp_probe::{TcpProbeRequest, TcpProbeResult};
pub use traceroute::{TraceHop, TraceProbe, TracerouteReport, TracerouteRequest};

use self::error::ErrorLimit;
use self::filter::FilterState;
use self::fragment::Reassembly;
use self::policy::PolicyCounters;
use crate::time::Time;

/// The state of the data plane, tables of routes aside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forwarding {
    arp: ArpTable,
    reassembly: Reassembly,
    errors: ErrorLimit,
    filter: FilterState,
    policies: PolicyCounters,
    /// The identification of the last packet made here.
    ident: u16,
}

impl Forwarding {
    /// The ARP table.
    #[must_use]
    pub const fn arp(&self) -> &ArpTable {
        &self.arp
    }

    pub(crate) fn next_deadline(&self) -> Option<Time> {
        [self.arp.next_deadline(), self.filter.next_deadline()].into_iter().flatten().min()
    }

    fn next_ident(&mut self) -> u16 {
        self.ident = self.ident.wrapping_add(1);
        self.ident
    }
}
