//! What configuration commands must know of processes that run.

use netconfarena_emu::ids::RouterId;

/// An OSPF process that runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningOspf {
    /// Its number.
    pub process: u16,
    /// Its router id, which no other process may have.
    pub router_id: Option<RouterId>,
    /// It has neighbors: another router id needs a restart.
    pub has_neighbors: bool,
}
