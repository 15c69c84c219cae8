//! Networks of EIGRP routers.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "eigrp_network/dual.rs"]
mod dual;
#[path = "eigrp_network/lab.rs"]
mod lab;
#[path = "eigrp_network/loop_freedom.rs"]
mod loop_freedom;
#[path = "eigrp_network/neighbors.rs"]
mod neighbors;
#[path = "eigrp_network/puppet.rs"]
mod puppet;
#[path = "eigrp_network/routes.rs"]
mod routes;
#[path = "eigrp_network/scenarios.rs"]
mod scenarios;
#[path = "eigrp_network/transport.rs"]
mod transport;
