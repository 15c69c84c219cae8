//! An emulator of IP routers in virtual time.
//!
//! A `Network` owns routers, links and one queue of events. Nothing in it reads a clock, spawns a thread or holds a handle:
//! it is a value that can be cloned while it runs, and both copies have the same future.
//!
//! | module | what it holds |
//! |---|---|
//! | [`network`] | routers, links, the event queue, convergence, captures |
//! | [`router`] | one router: interfaces, tables, processes, log |
//! | [`time`], [`ids`] | virtual time, timers as data, identifiers |
//! | [`calendar`] | dates behind virtual time |
//! | [`config`] | the typed configuration tree of a router |
//! | [`interface`] | interfaces as the router runs them |
//! | [`process`] | the contract between a router and a routing process |
//! | [`rib`] | routes, routing tables, forwarding tables |
//! | [`connected`], [`static_routes`] | the routes of interfaces, and of `ip route` |
//! | [`policy`] | access lists, prefix lists, route maps |
//! | [`ospf`] | OSPFv2 (RFC 2328) |
//! | [`rip`] | RIP (RFC 1058, RFC 2453) |
//! | [`bgp`] | BGP-4 (RFC 4271) |
//! | [`eigrp`] | EIGRP (RFC 7868) |
//! | [`tcp`] | TCP (RFC 9293), with MD5 signatures (RFC 2385) |
//! | [`wire`], [`forwarding`] | packet formats; ARP, IPv4, ICMP, ping, traceroute |
//! | [`log`], [`debugging`] | typed log events; which of them only `debug` asks for |

pub mod bgp;
pub mod calendar;
pub mod config;
pub mod connected;
pub mod debugging;
pub mod eigrp;
pub mod forwarding;
pub mod ids;
pub mod interface;
pub mod log;
pub mod network;
pub mod ospf;
pub mod policy;
pub mod process;
pub mod rib;
pub mod rip;
pub mod router;
pub mod static_routes;
pub mod tcp;
#[cfg(test)]
mod testing;
pub mod time;
pub mod tracking;
pub mod wire;
