//! What RIP knows of destinations (RFC 2453 section 3.4.1), with IOS's hold-down.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::config::BasicTimers;
use super::packet::INFINITY;
use crate::ids::IfIndex;
use crate::policy::RedistributionSource;
use crate::time::Time;

/// A destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RipRoute {
    /// What is known of it.
    pub state: RouteState,
    /// The route change flag: it is to be told in the next triggered update.
    pub changed: bool,
}

/// What is known of a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouteState {
    /// A subnet of an interface that RIP runs on.
    Connected {
        /// The interface.
        interface: IfIndex,
    },
    /// Brought in by `redistribute` or `default-information originate`.
    Redistributed(Redistributed),
    /// Told by neighbours.
    Learned {
        /// The paths, all of the same metric, sorted; at least one.
        paths: Vec<Path>,
    },
    /// Unreachable (`is possibly down`): told so until it is forgotten.
    Down {
        /// The paths that it had. IOS goes on to use them until something better may be believed.
        paths: Vec<Path>,
        /// Until then nothing is believed of it.
        hold_until: Time,
        /// Then it is forgotten.
        flush_at: Time,
    },
}

/// A redistributed destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redistributed {
    /// Where it comes from; `None` is `default-information originate` or `ip default-network`.
    pub source: Option<RedistributionSource>,
    /// The metric it is told with, 1 to 15.
    pub metric: u8,
    /// Its tag.
    pub tag: u16,
    /// Its first next hop.
    pub next_hop: Option<Ipv4Addr>,
}

/// A way to a destination.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Path {
    /// The next router.
    pub next_hop: Ipv4Addr,
    /// Out of this interface.
    pub interface: IfIndex,
    /// The router that tells of it.
    pub gateway: Ipv4Addr,
    /// Hops as IOS counts them: the metric of the update, 1 to 15.
    pub metric: u8,
    /// Its tag.
    pub tag: u16,
    /// When it was last told.
    pub updated: Time,
}

/// What a neighbour tells of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct News {
    /// The next router.
    pub next_hop: Ipv4Addr,
    /// Out of this interface.
    pub interface: IfIndex,
    /// The router that tells.
    pub gateway: Ipv4Addr,
    /// The metric, 1 to 16.
    pub metric: u8,
    /// The tag.
    pub tag: u16,
}

impl News {
    const fn path(self, now: Time) -> Path {
        let Self { next_hop, interface, gateway, metric, tag } = self;
        Path { next_hop, interface, gateway, metric, tag, updated: now }
    }
}

/// What follows from news or the passing of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing but refreshed timers.
    Same,
    /// The paths have changed, not what neighbours are told.
    Paths,
    /// Neighbours are to be told.
    Changed,
    /// The destination is forgotten.
    Gone,
}

/// The intervals of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intervals {
    invalid: Duration,
    holddown: Duration,
    flush: Duration,
    /// How long an unreachable destination is told where nothing is held down.
    garbage: Duration,
}

impl Intervals {
    /// The intervals that `timers basic` asks for.
    #[must_use]
    pub fn new(timers: BasicTimers) -> Self {
        let seconds = |s: u32| Duration::from_secs(s.into());
        let garbage = timers.flush_s.saturating_sub(timers.invalid_s).max(timers.update_s);
        Self {
            invalid: seconds(timers.invalid_s),
            holddown: seconds(timers.holddown_s),
            flush: seconds(timers.flush_s),
            garbage: seconds(garbage),
        }
    }
}

impl RipRoute {
    /// A destination that is told at once.
    #[must_use]
    pub const fn new(state: RouteState) -> Self {
        Self { state, changed: true }
    }

    /// A destination that a neighbour tells of for the first time.
    #[must_use]
    pub fn learned(news: News, now: Time) -> Self {
        Self::new(RouteState::Learned { paths: vec![news.path(now)] })
    }

    /// The paths in use.
    #[must_use]
    pub fn paths(&self) -> &[Path] {
        match &self.state {
            RouteState::Learned { paths } | RouteState::Down { paths, .. } => paths,
            RouteState::Connected { .. } | RouteState::Redistributed(_) => &[],
        }
    }

    /// The hops of a learned destination, 16 where it is down.
    #[must_use]
    pub fn metric(&self) -> u8 {
        match &self.state {
            RouteState::Connected { .. } => 0,
            RouteState::Redistributed(redistributed) => redistributed.metric,
            RouteState::Learned { paths } => paths.first().map_or(INFINITY, |path| path.metric),
            RouteState::Down { .. } => INFINITY,
        }
    }

    /// When something becomes of the destination by itself.
    #[must_use]
    pub fn deadline(&self, intervals: Intervals) -> Option<Time> {
        match &self.state {
            RouteState::Connected { .. } | RouteState::Redistributed(_) => None,
            RouteState::Learned { paths } => paths.iter().map(|path| path.updated + intervals.invalid).min(),
            RouteState::Down { flush_at, .. } => Some(*flush_at),
        }
    }

    /// Makes the destination unreachable with nothing held down, as where its interface is gone.
    pub fn lose(&mut self, now: Time, intervals: Intervals) {
        self.state =
            RouteState::Down { paths: Vec::new(), hold_until: now, flush_at: now + intervals.garbage };
        self.changed = true;
    }

    /// RFC 2453 section 3.9.2: a neighbour tells of the destination. As many as `most` equal paths are kept.
    pub fn hear(&mut self, news: News, most: usize, now: Time, intervals: Intervals) -> Outcome {
        match &mut self.state {
            RouteState::Connected { .. } | RouteState::Redistributed(_) => Outcome::Same,
            RouteState::Down { hold_until, .. } => {
                if news.metric >= INFINITY || now < *hold_until {
                    return Outcome::Same;
                }
                *self = Self::learned(news, now);
                Outcome::Changed
            }
            RouteState::Learned { paths } => {
                let known =
                    paths.iter().position(|p| (p.gateway, p.interface) == (news.gateway, news.interface));
                let outcome = match known {
                    Some(at) => hear_again(paths, at, news, now),
                    None => hear_another(paths, news, most, now),
                };
                if let Some(last) = outcome.1 {
                    self.hold_down(vec![last], now, now + intervals.flush, intervals);
                }
                self.changed |= outcome.0 == Outcome::Changed;
                outcome.0
            }
        }
    }

    fn hold_down(&mut self, paths: Vec<Path>, now: Time, flush_at: Time, intervals: Intervals) {
        self.state = RouteState::Down { paths, hold_until: now + intervals.holddown, flush_at };
        self.changed = true;
    }

    /// Time has passed: paths that are not told any more become unusable, and what is down is forgotten.
    pub fn age(&mut self, now: Time, intervals: Intervals) -> Outcome {
        match &mut self.state {
            RouteState::Connected { .. } | RouteState::Redistributed(_) => Outcome::Same,
            RouteState::Down { flush_at, .. } => {
                if *flush_at <= now {
                    Outcome::Gone
                } else {
                    Outcome::Same
                }
            }
            RouteState::Learned { paths } => {
                let old = |path: &Path| path.updated + intervals.invalid <= now;
                if !paths.iter().any(old) {
                    return Outcome::Same;
                }
                if !paths.iter().all(old) {
                    paths.retain(|path| !old(path));
                    return Outcome::Paths;
                }
                let last = paths.iter().map(|path| path.updated).max().unwrap_or(now);
                let paths = std::mem::take(paths);
                let flush_at = last + intervals.flush;
                self.hold_down(paths, now, flush_at, intervals);
                if flush_at <= now { Outcome::Gone } else { Outcome::Changed }
            }
        }
    }

    /// An interface is gone, or no longer RIP's.
    pub fn interface_gone(&mut self, interface: IfIndex, now: Time, intervals: Intervals) -> Outcome {
        match &mut self.state {
            RouteState::Connected { .. } | RouteState::Redistributed(_) => Outcome::Same,
            RouteState::Learned { paths } | RouteState::Down { paths, .. }
                if !paths.iter().any(|path| path.interface == interface) =>
            {
                Outcome::Same
            }
            RouteState::Learned { paths } => {
                paths.retain(|path| path.interface != interface);
                if !paths.is_empty() {
                    return Outcome::Paths;
                }
                self.lose(now, intervals);
                Outcome::Changed
            }
            RouteState::Down { paths, .. } => {
                paths.retain(|path| path.interface != interface);
                Outcome::Paths
            }
        }
    }
}

/// A router that tells of the destination already tells of it again: its word counts, be it better or worse. The second value is the
/// path that has just become unreachable, if it was the last one.
fn hear_again(paths: &mut Vec<Path>, at: usize, news: News, now: Time) -> (Outcome, Option<Path>) {
    let old = paths.remove(at);
    if news.metric >= INFINITY {
        return match paths.is_empty() {
            true => (Outcome::Changed, Some(old)),
            false => (Outcome::Paths, None),
        };
    }
    let new = news.path(now);
    let told = (old.metric, old.tag) != (new.metric, new.tag);
    let same = !told && (old.next_hop == new.next_hop);
    let others = paths.first().map(|path| path.metric);
    match others {
        // Another path of the same metric is better now.
        Some(others) if others < new.metric => return (Outcome::Paths, None),
        Some(others) if others > new.metric => paths.clear(),
        _ => {}
    }
    insert(paths, new);
    match (same, told) {
        (true, _) => (Outcome::Same, None),
        (false, true) => (Outcome::Changed, None),
        (false, false) => (Outcome::Paths, None),
    }
}

/// A router tells of the destination for the first time: it replaces worse paths, or joins equal ones.
fn hear_another(paths: &mut Vec<Path>, news: News, most: usize, now: Time) -> (Outcome, Option<Path>) {
    let metric = paths.first().map_or(INFINITY, |path| path.metric);
    if news.metric < metric {
        *paths = vec![news.path(now)];
        return (Outcome::Changed, None);
    }
    if news.metric == metric && metric < INFINITY && paths.len() < most {
        insert(paths, news.path(now));
        return (Outcome::Paths, None);
    }
    (Outcome::Same, None)
}

fn insert(paths: &mut Vec<Path>, path: Path) {
    paths.push(path);
    paths.sort_unstable();
}

#[cfg(test)]
mod tests;
