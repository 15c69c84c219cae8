//! OSPFv2 (RFC 2328).

mod config;
mod log;

pub use config::*;
pub use log::OspfLogEvent;
