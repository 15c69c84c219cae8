//! Exponential back-off of IOS (`timers throttle spf`, `timers throttle lsa`).

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::config::Throttle;
use crate::time::Time;

/// IOS 15's defaults of both throttles: 50, 200 and 5000 ms.
pub const DEFAULT_THROTTLE: Throttle = Throttle { start_ms: 50, hold_ms: 200, max_ms: 5000 };

fn millis(ms: u32) -> Duration {
    Duration::from_millis(u64::from(ms))
}

/// When something ran last, and how long the next run must wait behind it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backoff {
    last: Option<Time>,
    wait: Duration,
}

impl Backoff {
    /// When to run for a cause at `now`: after the start interval if it has been quiet for the current wait time, else when
    /// that has passed since the last run; each run within the wait time doubles it up to the maximum.
    #[must_use]
    pub fn next_run(&self, now: Time, throttle: Throttle) -> Time {
        match self.last {
            Some(last) if now < last + self.wait => last + self.wait,
            _ => now + millis(throttle.start_ms),
        }
    }

    /// Notes a run at `now` for a cause at `cause`.
    pub fn ran(&mut self, cause: Time, now: Time, throttle: Throttle) {
        let pressed = self.last.is_some_and(|last| cause < last + self.wait);
        self.wait =
            if pressed { (self.wait * 2).min(millis(throttle.max_ms)) } else { millis(throttle.hold_ms) };
        self.last = Some(now);
    }

    /// The wait time behind the last run.
    #[must_use]
    pub const fn wait(&self) -> Duration {
        self.wait
    }

    /// When the last run was.
    #[must_use]
    pub const fn last(&self) -> Option<Time> {
        self.last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_run_after_start_then_hold_doubles_up_to_the_maximum_and_calms_down() {
        let at = Time::from_millis;
        let throttle = Throttle { start_ms: 50, hold_ms: 200, max_ms: 500 };
        let mut backoff = Backoff::default();
        assert_eq!(backoff.next_run(at(1000), throttle), at(1050));
        backoff.ran(at(1000), at(1050), throttle);
        assert_eq!(backoff.next_run(at(1060), throttle), at(1250));
        backoff.ran(at(1060), at(1250), throttle);
        assert_eq!(backoff.next_run(at(1251), throttle), at(1650));
        backoff.ran(at(1251), at(1650), throttle);
        assert_eq!(backoff.next_run(at(1651), throttle), at(2150), "500 is the maximum");
        backoff.ran(at(1651), at(2150), throttle);
        assert_eq!(backoff.next_run(at(2700), throttle), at(2750), "quiet for the whole wait time");
        backoff.ran(at(2700), at(2750), throttle);
        assert_eq!(backoff.wait(), Duration::from_millis(200));
    }
}
