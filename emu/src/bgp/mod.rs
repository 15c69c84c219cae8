//! BGP-4 (RFC 4271).
//!
//! | file | what |
//! |---|---|
//! | `config/` | the configuration tree, and what a neighbor inherits |
//! | `packet/` | messages: OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE-REFRESH |
//! | `as_path.rs`, `community.rs`, `attributes.rs` | path attributes as values |
//! | `process.rs` | [`BgpProcess`]: inputs and timers; `Env`, what a step of the process works with |
//! | `reconcile.rs` | instances and peers made equal to configuration, interfaces and routes |
//! | `instance.rs`, `peer.rs` | a table with its peers; a peer |
//! | `fsm.rs` | the state machine of a connection, as a table (RFC 4271 section 8) |
//! | `session.rs`, `messages.rs`, `negotiate.rs` | its transitions carried out; messages received; OPENs |
//! | `transport.rs` | TCP: who may connect, where from |
//! | `table.rs` | all paths to each destination, with versions |
//! | `inbound.rs`, `prefix_limit.rs` | routes from peers; too many of them |
//! | `refresh.rs`, `restart.rs` | stale routes: of peers that are asked to confirm them, and of peers that restart |
//! | `originate.rs`, `aggregate.rs`, `inject.rs` | routes of this router, and parts of others' routes |
//! | `dampening.rs` | routes that flap |
//! | `next_hop.rs` | next hops followed through the routing table |
//! | `decision.rs`, `select.rs`, `additional.rs` | the choice among paths; offers to the routing table; paths beside the best one |
//! | `outbound.rs`, `advertise.rs` | which routes a peer is told and how; telling it |
//! | `conditions.rs` | `default-originate`, `advertise-map`, filters sent to peers |
//! | `policy.rs` | route maps and lists applied to paths |
//! | `clear.rs` | `clear ip bgp` |
//! | `log.rs` | what is logged |
//!
//! The way of a route: `messages.rs` reads an UPDATE, `inbound.rs` judges its routes and puts paths into the table, which marks their
//! destinations as dirty. At the end of each input `select.rs` chooses for the dirty ones, offers the choice to the routing table and
//! gives the destination a new version; `advertise.rs` then tells each peer of the versions that it has not been told.

mod additional;
mod advertise;
mod aggregate;
pub mod as_path;
pub mod attributes;
mod clear;
pub mod community;
mod conditions;
mod config;
mod dampening;
pub mod decision;
pub mod fsm;
mod inbound;
mod inject;
mod instance;
mod log;
mod messages;
mod negotiate;
mod next_hop;
mod originate;
mod outbound;
pub mod packet;
mod peer;
mod policy;
mod prefix_limit;
mod process;
mod reconcile;
mod refresh;
mod restart;
mod select;
mod session;
mod table;
mod transport;

pub use advertise::Output;
pub use clear::{ClearBgp, ClearMode, ClearedPeers};
pub use config::*;
pub use dampening::{Flap, Flaps};
pub use inbound::{Denial, Received};
pub use instance::Instance;
pub use log::{BgpLogEvent, DownReason, LoggedPeer};
pub use next_hop::{NextHopState, NextHops};
pub use peer::{Agreement, Direction, Halt, LastReset, Link, MessageCounters, Peer, PeerKey, Session};
pub use process::{BgpProcess, TimerKey};
pub use table::{Destination, Path, PathId, PathKind, PathMarks, PathSource, PathStatus, PeerSet, Table};
pub use transport::PORT;
