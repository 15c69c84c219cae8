//! BGP-4 (RFC 4271).
//!
//! | file | what |
//! |---|---|
//! | `as_path.rs`, `community.rs`, `attributes.rs` | path attributes as values |
//! | `packet/` | messages: OPEN, UPDATE, NOTIFICATION, KEEPALIVE, ROUTE-REFRESH |

pub mod as_path;
pub mod attributes;
pub mod community;
pub mod packet;
