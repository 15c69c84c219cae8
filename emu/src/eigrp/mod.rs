//! EIGRP (RFC 7868), with IOS's behaviour.
//!
//! | file | RFC 7868 | what |
//! |---|---|---|
//! | `config.rs` | | the configuration tree |
//! | `metric.rs` | 5.6 | vectors, composite distances |
//! | `interface.rs`, `neighbor.rs` | 5.1, 5.3 | interfaces; neighbors with their transport |
//! | `dual.rs` | 3.5 | the finite state machine |
//! | `topology.rs` | 3.1 | the topology table: destinations, paths, successors |
//! | `packet/` | 6 | packet codec and authentication |

mod config;
mod dual;
mod interface;
mod metric;
mod neighbor;
pub mod packet;
mod topology;

pub use config::*;
pub use dual::{Choice, DualEvent, DualState, DualStep, QueryOrigin, ReplyTo, dual_transition};
pub use interface::{Announcement, EigrpInterface, InterfaceCounters};
pub use metric::{Distance, MetricSystem, Scale, Vector};
pub use neighbor::{
    InFlight, Neighbor, NeighborState, ReliablePacket, TableDownload, Transport, UnicastKind,
};
pub use topology::{
    Attributes, Awaited, Computation, Destination, NeighborKey, Path, PathSource, Rank, Told,
};
