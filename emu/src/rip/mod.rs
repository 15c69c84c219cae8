//! RIP versions 1 and 2 (RFC 1058, RFC 2453), with IOS's hold-down, summaries and filters.
pub mod config;
pub mod packet;
