//! An emulator of IP routers in virtual time.
//!
//! A `Network` owns routers, links and one queue of events. Nothing in it reads a clock, spawns a thread or holds a handle:
//! it is a value that can be cloned while it runs, and both copies have the same future.
//!
//! | module | what it holds |
//! |---|---|
//! | [`time`], [`ids`] | virtual time, timers as data, identifiers |
//! | [`config`] | the typed configuration tree of a router |
//! | [`interface`] | interfaces as the router runs them |
//! | [`process`] | the contract between a router and a routing process |
//! | [`rib`] | routes, routing tables, forwarding tables |
//! | [`connected`], [`static_routes`] | the routes of interfaces, and of `ip route` |
//! | [`policy`] | access lists, prefix lists, route maps |
//! | [`ospf`] | OSPFv2 (RFC 2328) |
//! | [`log`] | typed log events |

pub mod config;
pub mod connected;
pub mod ids;
pub mod interface;
pub mod log;
pub mod ospf;
pub mod policy;
pub mod process;
pub mod rib;
pub mod static_routes;
#[cfg(test)]
mod testing;
pub mod time;
