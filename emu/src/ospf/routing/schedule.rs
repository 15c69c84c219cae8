//! When the routing table is calculated, and which part of it (RFC 2328 sections 16, 16.5, 16.6; `timers throttle spf`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde::{Deserialize, Serialize};

use crate::ids::AreaId;
use crate::ospf::config::Throttle;
use crate::ospf::throttle::Backoff;
use crate::time::Time;

/// Why a calculation is run: the letters of `show ip ospf statistics`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum SpfReason {
    /// `R`: a router LSA.
    Router,
    /// `N`: a network LSA.
    Network,
    /// `SN`: a summary LSA of type 3.
    SummaryNetwork,
    /// `SA`: a summary LSA of type 4.
    SummaryAsbr,
    /// `X`: an external LSA.
    External,
}

/// How much is calculated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CalculationKind {
    /// External routes alone (section 16.6).
    External,
    /// Inter-area and external routes (section 16.5).
    InterArea,
    /// Everything, shortest-path trees included.
    Full,
}

impl SpfReason {
    /// The least that must be calculated for it.
    const fn kind(self) -> CalculationKind {
        match self {
            Self::Router | Self::Network => CalculationKind::Full,
            Self::SummaryNetwork | Self::SummaryAsbr => CalculationKind::InterArea,
            Self::External => CalculationKind::External,
        }
    }
}

/// A calculation that was run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpfRun {
    /// When.
    pub at: Time,
    /// How much.
    pub kind: CalculationKind,
    /// Why.
    pub reasons: BTreeSet<SpfReason>,
    /// The areas whose topology had changed.
    pub areas: BTreeSet<AreaId>,
}

/// How often the tree of an area was calculated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaRuns {
    /// How often.
    pub count: u32,
    /// The last time.
    pub last: Option<Time>,
}

/// The next calculation, and those that were.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpfSchedule {
    due: Option<Time>,
    cause: Time,
    reasons: BTreeSet<SpfReason>,
    areas: BTreeSet<AreaId>,
    backoff: Backoff,
    log: VecDeque<SpfRun>,
    by_area: BTreeMap<AreaId, AreaRuns>,
}

impl SpfSchedule {
    /// So many runs are kept for `show ip ospf statistics`.
    const LOG_LENGTH: usize = 10;

    /// When the next calculation is due.
    #[must_use]
    pub const fn due(&self) -> Option<Time> {
        self.due
    }

    /// The state of the throttle.
    #[must_use]
    pub const fn backoff(&self) -> Backoff {
        self.backoff
    }

    /// The last runs, oldest first.
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &SpfRun> {
        self.log.iter()
    }

    /// How often the tree of an area was calculated.
    #[must_use]
    pub fn area_runs(&self, area: AreaId) -> AreaRuns {
        self.by_area.get(&area).copied().unwrap_or_default()
    }

    /// Asks for a calculation.
    pub(super) fn request(&mut self, reason: SpfReason, area: Option<AreaId>, now: Time, throttle: Throttle) {
        self.reasons.insert(reason);
        if reason.kind() == CalculationKind::Full {
            self.areas.extend(area);
        }
        if self.due.is_none() {
            self.cause = now;
            self.due = Some(self.backoff.next_run(now, throttle));
        }
    }

    /// Begins the calculation that is due, and tells how much there is to do.
    pub(super) fn begin(&mut self, now: Time, throttle: Throttle) -> CalculationKind {
        let kind = self.reasons.iter().map(|reason| reason.kind()).max().unwrap_or(CalculationKind::Full);
        self.due = None;
        self.backoff.ran(self.cause, now, throttle);
        let run = SpfRun {
            at: now,
            kind,
            reasons: std::mem::take(&mut self.reasons),
            areas: std::mem::take(&mut self.areas),
        };
        for &area in &run.areas {
            let runs = self.by_area.entry(area).or_default();
            runs.count += 1;
            runs.last = Some(now);
        }
        if self.log.len() == Self::LOG_LENGTH {
            self.log.pop_front();
        }
        self.log.push_back(run);
        kind
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ospf::throttle::DEFAULT_THROTTLE;

    fn kind_of(reasons: &[SpfReason]) -> CalculationKind {
        let mut schedule = SpfSchedule::default();
        for &reason in reasons {
            schedule.request(reason, Some(AreaId(0)), Time::ZERO, DEFAULT_THROTTLE);
        }
        schedule.begin(Time::from_millis(50), DEFAULT_THROTTLE)
    }

    #[test]
    fn rfc16_5_and_16_6_summary_and_external_changes_need_no_tree() {
        use SpfReason as R;
        assert_eq!(kind_of(&[R::External]), CalculationKind::External);
        assert_eq!(kind_of(&[R::External, R::SummaryAsbr]), CalculationKind::InterArea);
        assert_eq!(kind_of(&[R::SummaryNetwork]), CalculationKind::InterArea);
        assert_eq!(kind_of(&[R::External, R::Network]), CalculationKind::Full);
        assert_eq!(kind_of(&[R::Router]), CalculationKind::Full);
    }

    #[test]
    fn changes_are_gathered_into_one_run() {
        let mut schedule = SpfSchedule::default();
        let at = Time::from_millis;
        schedule.request(SpfReason::Router, Some(AreaId(1)), at(1000), DEFAULT_THROTTLE);
        schedule.request(SpfReason::Network, Some(AreaId(2)), at(1040), DEFAULT_THROTTLE);
        assert_eq!(schedule.due(), Some(at(1050)));
        schedule.begin(at(1050), DEFAULT_THROTTLE);
        assert_eq!(schedule.due(), None);
        assert_eq!(schedule.area_runs(AreaId(2)), AreaRuns { count: 1, last: Some(at(1050)) });
        schedule.request(SpfReason::Router, Some(AreaId(1)), at(1060), DEFAULT_THROTTLE);
        assert_eq!(schedule.due(), Some(at(1250)), "hold time");
        let run = schedule.log().next().unwrap();
        assert_eq!(run.reasons.len(), 2);
    }

    #[test]
    fn the_last_ten_runs_are_kept() {
        let mut schedule = SpfSchedule::default();
        for n in 0..15 {
            schedule.begin(Time::from_secs(n), DEFAULT_THROTTLE);
        }
        assert_eq!(schedule.log().count(), 10);
        assert_eq!(schedule.log().next_back().unwrap().at, Time::from_secs(14));
    }
}
