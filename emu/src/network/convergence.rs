//! Running a network until nothing changes any more.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::Network;
use crate::time::Time;

/// How a wait for convergence ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Convergence {
    /// When the last change happened, if converged; else when the wait was given up.
    pub at: Time,
    /// Whether nothing has changed for the quiet interval.
    pub converged: bool,
}

impl Network {
    /// The least time without change that counts as convergence.
    pub const LEAST_QUIET_INTERVAL: Duration = Duration::from_secs(60);

    /// How long a wait for convergence is usually let run.
    pub const DEFAULT_CONVERGENCE_CAP: Duration = Duration::from_secs(1200);

    /// After so many changes a router, a network is taken to be one that never comes to rest: its routers answer each other's changes without
    /// end, and would do so thousands of times in each second. A grid of a thousand OSPF routers needs less than a hundredth of it.
    const MOST_CHANGES_PER_ROUTER: u64 = 30_000;

    /// How often it is looked whether there were too many changes.
    const LOOK_INTERVAL: Duration = Duration::from_secs(1);

    /// Runs until no routing table, adjacency or session has changed for the longest hold, dead, invalid or wait interval in
    /// use, at least 60 s; gives up after `cap`, or when far more changes happen than any network needs that comes to rest.
    pub fn run_until_converged(&mut self, cap: Duration) -> Convergence {
        let end = self.now + cap;
        let most_changes = self.changes + Self::MOST_CHANGES_PER_ROUTER * (self.routers.len() as u64).max(1);
        // What was scheduled for this very instant (carriers of new links, a router changed from outside) counts as now.
        self.run_until(self.now);
        loop {
            let quiet_at = self.last_change + self.quiet_interval();
            if quiet_at <= self.now {
                return Convergence { at: self.last_change, converged: true };
            }
            if self.now >= end || self.changes > most_changes {
                return Convergence { at: self.now, converged: false };
            }
            self.run_until(quiet_at.min(end).min(self.now + Self::LOOK_INTERVAL));
        }
    }

    /// The longest quiet interval of all routers' processes.
    fn quiet_interval(&self) -> Duration {
        self.routers
            .iter()
            .map(Arc::as_ref)
            .map(crate::router::Router::quiet_interval)
            .fold(Self::LEAST_QUIET_INTERVAL, Duration::max)
    }

    /// When a routing table, an adjacency or a session last changed anywhere.
    #[must_use]
    pub const fn last_change(&self) -> Time {
        self.last_change
    }
}
