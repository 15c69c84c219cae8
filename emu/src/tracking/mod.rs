//! Tracked objects (`track`) and IP SLA operations (`ip sla`): what static routes and policy-based routing look at before they use a way.
//!
//! | file | what it does |
//! |---|---|
//! | `config.rs` | the typed configuration |
//! | `object.rs` | the state of objects, with the delays of their changes |
//! | `sla.rs` | operations: echo requests, what came of them |
//!
//! An object that is not configured is down. Objects are looked at again after everything that happens to a router, and when one changes
//! the processes are told.

pub mod config;
mod object;
mod sla;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use config::{SlaOperation, SlaSource, TrackConfig, TrackObject};
pub use object::{TrackState, TrackedBy};
pub use sla::{SlaResult, SlaState};

use crate::time::{Time, Timers};

/// What happens to objects and operations when.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Timer {
    /// The delay of an object's change is over.
    Object(u16),
    /// An operation begins anew.
    Start(u32),
    /// An operation has waited long enough for its answer.
    Timeout(u32),
}

/// The state of all objects and operations of a router.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tracking {
    objects: BTreeMap<u16, TrackState>,
    operations: BTreeMap<u32, SlaState>,
    timers: Timers<Timer>,
    /// The number of the last echo request.
    sequence: u16,
}

impl Tracking {
    /// Whether an object is up; one that is not configured is down.
    #[must_use]
    pub fn is_up(&self, object: u16) -> bool {
        self.objects.get(&object).is_some_and(|state| state.up)
    }

    /// The objects by number.
    pub fn objects(&self) -> impl Iterator<Item = (u16, &TrackState)> {
        self.objects.iter().map(|(&number, state)| (number, state))
    }

    /// The operations by number.
    pub fn operations(&self) -> impl Iterator<Item = (u32, &SlaState)> {
        self.operations.iter().map(|(&number, state)| (number, state))
    }

    /// An operation.
    #[must_use]
    pub fn operation(&self, number: u32) -> Option<&SlaState> {
        self.operations.get(&number)
    }

    pub(crate) fn next_deadline(&self) -> Option<Time> {
        self.timers.next_deadline()
    }
}
