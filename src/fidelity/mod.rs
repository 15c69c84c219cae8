//! Fidelity: the same network in the emulator and in FRR, and what differs.
//!
//! | room | what it holds |
//! |---|---|
//! | [`frr`] | FRR routers in network namespaces of this machine |
//! | [`model`] | what the random networks of all protocols have in common |
//! | [`comparison`] | what differs between two sides |
//! | [`ospf_model`] | random OSPF networks in two renderings |
//! | [`ospf_view`] | what a router knows by OSPF, in one form for both |
//! | [`ospf_differential`] | the two side by side |
//! | [`ospf_frr_faults`] | where FRR contradicts itself |
//! | [`eigrp_view`] | the topology table of EIGRP, in one form for both |
//! | [`rip_model`], [`rip_view`], [`rip_differential`] | the same of RIP |
//! | [`redistribution_model`], `redistribution_rendering`, [`redistribution_differential`] | domains of these three, and redistribution between them |
//! | [`bgp_model`], `bgp_rendering` | random networks of ASes, and their two renderings |
//! | [`bgp_view`] | the best paths of a router, in one form for both |
//! | [`bgp_differential`] | the two side by side |
//!
//! FRR needs root, Linux, and Debian's packages `frr iproute2`.

pub mod bgp_differential;
pub mod bgp_model;
mod bgp_rendering;
pub mod bgp_view;
pub mod comparison;
pub mod eigrp_view;
pub mod frr;
pub mod model;
pub mod ospf_differential;
pub mod ospf_frr_faults;
pub mod ospf_model;
pub mod ospf_view;
pub mod redistribution_differential;
pub mod redistribution_model;
mod redistribution_rendering;
pub mod rip_differential;
pub mod rip_model;
pub mod rip_view;
