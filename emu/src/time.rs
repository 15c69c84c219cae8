//! Virtual time: instants on a network's own clock, and deadline tables for protocol timers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The Unix time at which a network is switched on: 1 January 2026, 00:00 UTC.
pub const SWITCHED_ON: u64 = 1_767_225_600;

/// An instant of virtual time, in nanoseconds since the network was switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Time(u64);

impl Time {
    /// The instant at which the network was switched on.
    pub const ZERO: Self = Self(0);

    /// An instant `nanos` nanoseconds after the start.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Self {
        Self(nanos)
    }

    /// An instant `millis` milliseconds after the start.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000_000)
    }

    /// An instant `secs` seconds after the start.
    #[must_use]
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000_000)
    }

    /// Nanoseconds since the start.
    #[must_use]
    pub const fn as_nanos(self) -> u64 {
        self.0
    }

    /// Whole seconds since the start.
    #[must_use]
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000_000_000
    }

    /// Unix time: what the clocks of all routers show.
    #[must_use]
    pub const fn unix_secs(self) -> u64 {
        SWITCHED_ON + self.as_secs()
    }

    /// The time from `earlier` to this instant; zero if `earlier` is later.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Duration {
        Duration::from_nanos(self.0.saturating_sub(earlier.0))
    }
}

impl Add<Duration> for Time {
    type Output = Self;

    /// Saturates at the end of time (584 years), so hostile durations cannot wrap the clock.
    fn add(self, span: Duration) -> Self {
        Self(self.0.saturating_add(u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)))
    }
}

impl AddAssign<Duration> for Time {
    fn add_assign(&mut self, span: Duration) {
        *self = *self + span;
    }
}

impl Sub<Time> for Time {
    type Output = Duration;

    fn sub(self, earlier: Time) -> Duration {
        self.since(earlier)
    }
}

impl fmt::Display for Time {
    /// Seconds with three decimals, e.g. `12.500s`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:03}s", self.as_secs(), self.0 / 1_000_000 % 1000)
    }
}

/// The running timers of one process: at most one deadline a key, the earliest first.
///
/// A timer is plain data, so that a process can be cloned or serialised with its timers running.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(bound = "K: Ord + Copy + Serialize + for<'a> Deserialize<'a>")]
pub struct Timers<K: Ord + Copy> {
    deadlines: BTreeMap<K, Time>,
    order: BTreeSet<(Time, K)>,
    /// The first of `order`: it is asked for after each event of a router.
    next: Option<(Time, K)>,
}

impl<K: Ord + Copy> Default for Timers<K> {
    fn default() -> Self {
        Self { deadlines: BTreeMap::new(), order: BTreeSet::new(), next: None }
    }
}

impl<K: Ord + Copy> Timers<K> {
    /// Starts `timer`, or restarts it with a new deadline.
    pub fn set(&mut self, timer: K, at: Time) {
        match self.deadlines.insert(timer, at) {
            Some(old) if old == at => return,
            Some(old) => self.take_out((old, timer)),
            None => {}
        }
        let started = (at, timer);
        self.order.insert(started);
        self.next = Some(self.next.map_or(started, |next| next.min(started)));
    }

    fn take_out(&mut self, stopped: (Time, K)) {
        self.order.remove(&stopped);
        if self.next == Some(stopped) {
            self.next = self.order.first().copied();
        }
    }

    /// Stops `timer`; nothing happens if it does not run.
    pub fn cancel(&mut self, timer: K) {
        if let Some(old) = self.deadlines.remove(&timer) {
            self.take_out((old, timer));
        }
    }

    /// Stops every timer for which `doomed` holds.
    pub fn cancel_if(&mut self, mut doomed: impl FnMut(K) -> bool) {
        let keys: Vec<K> = self.deadlines.keys().copied().filter(|&k| doomed(k)).collect();
        keys.into_iter().for_each(|k| self.cancel(k));
    }

    /// The deadline of `timer`, if it runs.
    #[must_use]
    pub fn deadline(&self, timer: K) -> Option<Time> {
        self.deadlines.get(&timer).copied()
    }

    /// Whether `timer` runs.
    #[must_use]
    pub fn is_running(&self, timer: K) -> bool {
        self.deadlines.contains_key(&timer)
    }

    /// The greatest key of a timer that runs.
    #[must_use]
    pub fn greatest(&self) -> Option<K> {
        self.deadlines.last_key_value().map(|(&timer, _)| timer)
    }

    /// The earliest deadline.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        self.next.map(|(at, _)| at)
    }

    /// Takes out one timer whose deadline is not after `now`: the earliest, and of several the least key.
    pub fn pop_expired(&mut self, now: Time) -> Option<K> {
        let (at, timer) = self.next?;
        if at > now {
            return None;
        }
        self.cancel(timer);
        Some(timer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timers_expire_in_deadline_order_and_restart_replaces() {
        let mut timers = Timers::default();
        timers.set('a', Time::from_secs(3));
        timers.set('b', Time::from_secs(2));
        timers.set('a', Time::from_secs(1));
        assert_eq!(timers.next_deadline(), Some(Time::from_secs(1)));
        assert_eq!(timers.pop_expired(Time::from_secs(2)), Some('a'));
        assert_eq!(timers.pop_expired(Time::from_secs(2)), Some('b'));
        assert_eq!(timers.pop_expired(Time::from_secs(9)), None);
    }

    #[test]
    fn time_saturates_instead_of_wrapping() {
        assert_eq!(Time::from_nanos(u64::MAX) + Duration::from_secs(1), Time::from_nanos(u64::MAX));
        assert_eq!(Time::ZERO.since(Time::from_secs(1)), Duration::ZERO);
    }
}
