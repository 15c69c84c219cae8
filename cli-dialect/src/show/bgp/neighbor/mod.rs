//! `show ip bgp neighbors [X]`.
//!
//! Row fields, one row for each neighbor: `neighbor`, `vrf`, `remote_as`, `local_as` (where it differs), `internal`, `description`, `peer_group`,
//! `remote_router_id`, `state` (`Established`, `Idle`, ...), `shutdown`, `uptime` (s), `hold_time`, `keepalive` (s), `capabilities` (list),
//! `opens`, `notifications`, `updates`, `keepalives`, `route_refreshes` (each `[sent, received]`), `table_version`, `reflector_client`,
//! `next_hop_self`, `soft_reconfiguration`, `send_community`, `default_originate`, `route_map_in`, `route_map_out`, `prefix_list_in`,
//! `prefix_list_out`, `distribute_list_in`, `distribute_list_out`, `filter_list_in`, `filter_list_out`, `maximum_prefix`,
//! `prefixes_sent`, `prefixes_received`, `bestpaths`, `multipaths`, `established`, `dropped`, `last_reset`, `reset_reason`, `multihop` (hops),
//! `directly_connected`, `remote_restart_time` (s), `forwarding_preserved` (of a peer that restarts gracefully), `restart_time`, `stale_path_time` (s, null
//! without graceful restart), `local_address`, `local_port`, `remote_address`, `remote_port`.

mod parse;
mod render;
#[cfg(test)]
mod tests;

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::show::age::Age;
use crate::show::text::{blocks, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp neighbors`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpNeighbors {
    /// The neighbors by address.
    pub neighbors: Vec<Neighbor>,
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbor {
    /// Address.
    pub neighbor: Ipv4Addr,
    /// VRF; `None` is the global table.
    pub vrf: Option<String>,
    /// Its AS number.
    pub remote_as: u32,
    /// `local-as`: our number towards it, where that is another one.
    pub local_as: Option<u32>,
    /// In our own AS.
    pub internal: bool,
    /// Empty without.
    pub description: String,
    /// The peer group that it belongs to.
    pub peer_group: Option<String>,
    /// 0.0.0.0 until it has told.
    pub remote_router_id: Ipv4Addr,
    /// State of the session (RFC 4271 section 8.2.2).
    pub state: String,
    /// `neighbor X shutdown`.
    pub shutdown: bool,
    /// Since the session is established.
    pub uptime: Option<Age>,
    /// In s, as negotiated.
    pub hold_time: u32,
    /// In s, as negotiated.
    pub keepalive: u32,
    /// Lines below `Neighbor capabilities`.
    pub capabilities: Vec<String>,
    /// How long the peer may take to restart, in s, as it has told (RFC 4724).
    pub remote_restart_time: Option<u32>,
    /// It has forwarded on while it restarted.
    pub forwarding_preserved: bool,
    /// `bgp graceful-restart restart-time`, in s, where it is on.
    pub restart_time: Option<u32>,
    /// `bgp graceful-restart stalepath-time`, in s, where it is on.
    pub stale_path_time: Option<u32>,
    /// Messages: sent, received.
    #[serde(flatten)]
    pub messages: Messages,
    /// What is said of the address family.
    #[serde(flatten)]
    pub family: Family,
    /// Sessions that came up.
    pub established: u32,
    /// Sessions that went down.
    pub dropped: u32,
    /// Since the last session went down.
    pub last_reset: Option<Age>,
    /// Why it did.
    pub reset_reason: Option<String>,
    /// `ebgp-multihop`, or `ttl-security`: hops.
    pub multihop: Option<u8>,
    /// An external neighbor must be on a connected network.
    pub directly_connected: bool,
    /// The TCP connection.
    #[serde(flatten)]
    pub connection: Option<Connection>,
}

/// How many messages went: sent, received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Messages {
    /// OPEN.
    pub opens: [u64; 2],
    /// NOTIFICATION.
    pub notifications: [u64; 2],
    /// UPDATE.
    pub updates: [u64; 2],
    /// KEEPALIVE.
    pub keepalives: [u64; 2],
    /// ROUTE-REFRESH.
    pub route_refreshes: [u64; 2],
}

/// The IPv4 unicast routes of a neighbor.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    /// Version of the table.
    pub table_version: u32,
    /// `route-reflector-client`.
    pub reflector_client: bool,
    /// `next-hop-self`.
    pub next_hop_self: bool,
    /// `soft-reconfiguration inbound`.
    pub soft_reconfiguration: bool,
    /// `send-community`.
    pub send_community: bool,
    /// `default-originate`.
    pub default_originate: bool,
    /// `route-map X in`.
    pub route_map_in: Option<String>,
    /// `route-map X out`.
    pub route_map_out: Option<String>,
    /// `prefix-list X in`.
    pub prefix_list_in: Option<String>,
    /// `prefix-list X out`.
    pub prefix_list_out: Option<String>,
    /// `distribute-list X in`.
    pub distribute_list_in: Option<String>,
    /// `distribute-list X out`.
    pub distribute_list_out: Option<String>,
    /// `filter-list X in`.
    pub filter_list_in: Option<String>,
    /// `filter-list X out`.
    pub filter_list_out: Option<String>,
    /// `maximum-prefix`.
    pub maximum_prefix: Option<u32>,
    /// Prefixes that the neighbor has been told.
    pub prefixes_sent: u32,
    /// Prefixes that it has told.
    pub prefixes_received: u32,
    /// Of these, best paths.
    pub bestpaths: u32,
    /// Of these, used beside a best path.
    pub multipaths: u32,
}

/// A TCP connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    /// Own address.
    pub local_address: Ipv4Addr,
    /// Own port.
    pub local_port: u16,
    /// The neighbor's address.
    pub remote_address: Ipv4Addr,
    /// Its port.
    pub remote_port: u16,
}

impl Neighbor {
    /// A neighbor of which nothing more is known.
    #[must_use]
    pub const fn named(neighbor: Ipv4Addr, remote_as: u32, internal: bool) -> Self {
        Self {
            neighbor,
            vrf: None,
            remote_as,
            local_as: None,
            internal,
            description: String::new(),
            peer_group: None,
            remote_router_id: Ipv4Addr::UNSPECIFIED,
            state: String::new(),
            shutdown: false,
            uptime: None,
            hold_time: 180,
            keepalive: 60,
            capabilities: Vec::new(),
            remote_restart_time: None,
            forwarding_preserved: false,
            restart_time: None,
            stale_path_time: None,
            messages: Messages {
                opens: [0; 2],
                notifications: [0; 2],
                updates: [0; 2],
                keepalives: [0; 2],
                route_refreshes: [0; 2],
            },
            family: Family {
                table_version: 0,
                reflector_client: false,
                next_hop_self: false,
                soft_reconfiguration: false,
                send_community: false,
                default_originate: false,
                route_map_in: None,
                route_map_out: None,
                prefix_list_in: None,
                prefix_list_out: None,
                distribute_list_in: None,
                distribute_list_out: None,
                filter_list_in: None,
                filter_list_out: None,
                maximum_prefix: None,
                prefixes_sent: 0,
                prefixes_received: 0,
                bestpaths: 0,
                multipaths: 0,
            },
            established: 0,
            dropped: 0,
            last_reset: None,
            reset_reason: None,
            multihop: None,
            directly_connected: true,
            connection: None,
        }
    }
}

impl Record for IpBgpNeighbors {
    fn render(&self) -> String {
        blocks(&self.neighbors, render::neighbor)
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        // Only the first address family of a neighbor is read.
        let mut families = 0;
        for line in lines(text) {
            if let Some(neighbor) = parse::first_line(line)? {
                record.neighbors.push(neighbor);
                families = 0;
            } else if line.text.trim_start().starts_with('%') || line.text.starts_with("For address family:")
            {
                // `% No such neighbor`, `% BGP not active`; the family in front of all neighbors.
            } else if let Some(neighbor) = record.neighbors.last_mut() {
                families += u32::from(line.text.trim_start().starts_with("For address family:"));
                parse::line(neighbor, line, families)?;
            } else {
                return Err(line.error("`BGP neighbor is A,  remote AS N, external link`"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.neighbors.iter().map(row).collect()
    }
}
