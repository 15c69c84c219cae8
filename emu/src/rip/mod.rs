//! RIP versions 1 and 2 (RFC 1058, RFC 2453), with IOS's hold-down, summaries and filters.
//!
//! | file | what it does |
//! |---|---|
//! | `config.rs` | the typed configuration |
//! | `packet.rs` | messages and their authentication |
//! | `table.rs` | a destination under news and the passing of time |
//! | `process.rs` | the process: interfaces, timers, routes offered |
//! | `receive.rs`, `send.rs` | messages of neighbours; updates |
//! | `local.rs` | connected subnets, redistribution, the default |
//! | `authentication.rs` | whose messages are believed |
//!
//! Metrics are counted as IOS does: a router adds its hop when it tells a route, not when it hears of one, so that a subnet of a
//! neighbour has metric 1. On the wire this is the same.

mod authentication;
pub mod config;
mod local;
pub mod packet;
mod process;
mod receive;
mod send;
pub mod table;

pub use config::{RipConfig, RipInterfaceConfig};
pub use process::{RipInterface, RipProcess, RipSource};
