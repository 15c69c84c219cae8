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

    /// Runs until no routing table, adjacency or session has changed for the longest hold, dead, invalid or wait interval in
    /// use, at least 60 s; gives up after `cap`.
    pub fn run_until_converged(&mut self, cap: Duration) -> Convergence {
        let end = self.now + cap;
        // What was scheduled for this very instant (carriers of new links, a router changed from outside) counts as now.
        self.run_until(self.now);
        loop {
            let quiet_at = self.last_change + self.quiet_interval();
            if quiet_at <= self.now {
                return Convergence { at: self.last_change, converged: true };
            }
            if self.now >= end {
                return Convergence { at: self.now, converged: false };
            }
            self.run_until(quiet_at.min(end));
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
