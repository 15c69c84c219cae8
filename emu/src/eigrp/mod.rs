//! EIGRP (RFC 7868), with IOS's behaviour.
//!
//! | file | RFC 7868 | what |
//! |---|---|---|
//! | `config.rs` | | the configuration tree |
//! | `metric.rs` | 5.6 | vectors, composite distances |
//! | `interface.rs`, `neighbor.rs` | 5.1, 5.3 | interfaces; neighbors with their transport |
//! | `dual.rs` | 3.5 | the finite state machine |
//! | `topology.rs` | 3.1 | the topology table: destinations, paths, successors |
//! | `process.rs` | | [`EigrpProcess`]: data, inputs, timers; `Env`, what a step works with |
//! | `reconcile.rs` | | interfaces made equal to configuration and hardware |
//! | `hello.rs` | 5.3 | finding and losing neighbors |
//! | `transport.rs`, `keys.rs` | 5.1, 5.2 | reliable transport; keys |
//! | `receive.rs` | | received packets |
//! | `graceful.rs` | 6.2 | graceful restart of neighbors; `clear ip eigrp neighbors` |
//! | `diffusing.rs` | 3 | changes run through DUAL; queries, replies, stuck in active |
//! | `advertise.rs` | 5.4 | what neighbors are told, and the packets made of it |
//! | `summary.rs`, `redistribute.rs`, `filters.rs` | 5.4 | summaries, external routes, lists |
//! | `install.rs` | | offers to the RIB |
//! | `log.rs` | | what is logged |
//! | `packet/` | 6 | packet codec and authentication |

mod advertise;
mod config;
mod diffusing;
mod dual;
mod filters;
mod graceful;
mod hello;
mod install;
mod interface;
mod keys;
mod log;
mod metric;
mod neighbor;
pub mod packet;
mod process;
mod receive;
mod reconcile;
mod redistribute;
mod summary;
mod topology;
mod transport;

pub use config::*;
pub use dual::{Choice, DualEvent, DualState, DualStep, QueryOrigin, ReplyTo, dual_transition};
pub use graceful::{ClearEigrp, ClearedNeighbors};
pub use hello::VERSION;
pub use interface::{Announcement, EigrpInterface, InterfaceCounters};
pub use keys::Keys;
pub use log::{DownReason, EigrpLogEvent, NeighborChange, ResyncReason};
pub use metric::{Distance, MetricSystem, Scale, Vector};
pub use neighbor::{
    InFlight, Neighbor, NeighborState, ReliablePacket, TableDownload, Transport, UnicastKind,
};
pub use process::{EigrpProcess, TimerKey, Traffic, TrafficCounters};
pub use topology::{
    Attributes, Awaited, Computation, Destination, NeighborKey, Path, PathSource, Rank, Told,
};
