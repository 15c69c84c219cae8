//! `show ip bgp ...`.
//!
//! | module | command |
//! |---|---|
//! | [`table`] | `show ip bgp`, `show ip bgp neighbors X advertised-routes`, `received-routes`, `routes` |
//! | [`entry`] | `show ip bgp PREFIX` |
//! | [`summary`] | `show ip bgp summary` |
//! | [`neighbor`] | `show ip bgp neighbors [X]` |

pub mod entry;
pub mod neighbor;
pub mod summary;
pub mod table;
