//! EIGRP (RFC 7868), with IOS's behaviour.
//!
//! | file | RFC 7868 | what |
//! |---|---|---|
//! | `config.rs` | | the configuration tree |
//! | `metric.rs` | 5.6 | vectors, composite distances |
//! | `dual.rs` | 3.5 | the finite state machine |
//! | `topology.rs` | 3.1 | the topology table: destinations, paths, successors |
//! | `packet/` | 6 | packet codec and authentication |

mod config;
mod dual;
mod metric;
pub mod packet;
mod topology;

pub use config::*;
pub use dual::{Choice, DualEvent, DualState, DualStep, QueryOrigin, ReplyTo, dual_transition};
pub use metric::{Distance, MetricSystem, Scale, Vector};
pub use topology::{
    Attributes, Awaited, Computation, Destination, NeighborKey, Path, PathSource, Rank, Told,
};
