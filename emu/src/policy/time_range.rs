//! `time-range`: when entries of access lists count.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::calendar::{DateTime, Weekday};

/// Minutes of a week.
const WEEK: u32 = 7 * 24 * 60;

/// A time range.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeRange {
    /// `absolute [start ...] [end ...]`.
    pub absolute: Option<Absolute>,
    /// `periodic ...`.
    pub periodic: BTreeSet<Periodic>,
}

/// `absolute`: the first and the last minute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Absolute {
    /// `start`.
    pub start: Option<DateTime>,
    /// `end`.
    pub end: Option<DateTime>,
}

/// `periodic DAYS FROM to [DAY] TO`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Periodic {
    /// The days on which it begins; at least one.
    pub days: BTreeSet<Weekday>,
    /// First minute of the day.
    pub from: u16,
    /// The day on which it ends; `None` is the same one.
    pub end_day: Option<Weekday>,
    /// Last minute of the day.
    pub to: u16,
}

impl TimeRange {
    /// Whether the range is on at a second of Unix time: within `absolute` and, if there are any, within one of `periodic`. A range
    /// that says nothing is never on.
    #[must_use]
    pub fn is_active(&self, unix_seconds: u64) -> bool {
        let minute = DateTime::from_unix(unix_seconds);
        let within = |absolute: Absolute| {
            absolute.start.is_none_or(|start| start <= minute) && absolute.end.is_none_or(|end| minute <= end)
        };
        let at = minute.weekday().number() * 24 * 60 + u32::from(minute.minute_of_day());
        match self.absolute {
            None if self.periodic.is_empty() => false,
            absolute => {
                absolute.is_none_or(within)
                    && (self.periodic.is_empty() || self.periodic.iter().any(|p| p.contains(at)))
            }
        }
    }
}

impl Periodic {
    /// Whether a minute of the week lies within.
    fn contains(&self, minute: u32) -> bool {
        self.days.iter().any(|day| {
            let from = day.number() * 24 * 60 + u32::from(self.from);
            let to = self.end_day.unwrap_or(*day).number() * 24 * 60 + u32::from(self.to);
            // The end may lie in the next week.
            let length = (to + WEEK - from) % WEEK;
            (minute + WEEK - from) % WEEK <= length
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> u64 {
        let number = |range: std::ops::Range<usize>| text[range].parse().unwrap();
        let date = DateTime::new(
            text[0..4].parse().unwrap(),
            number(5..7),
            number(8..10),
            number(11..13),
            number(14..16),
        );
        date.unwrap().to_unix()
    }

    fn periodic(days: &[Weekday], from: u16, end_day: Option<Weekday>, to: u16) -> TimeRange {
        let periodic = Periodic { days: days.iter().copied().collect(), from, end_day, to };
        TimeRange { absolute: None, periodic: [periodic].into() }
    }

    #[test]
    fn absolute_ranges_include_both_minutes() {
        let date = |text| Some(DateTime::from_unix(at(text)));
        let absolute = Absolute { start: date("2026-01-01 08:00"), end: date("2026-01-02 09:30") };
        let range = TimeRange { absolute: Some(absolute), ..TimeRange::default() };
        assert!(!range.is_active(at("2026-01-01 08:00") - 1));
        assert!(range.is_active(at("2026-01-01 08:00")));
        assert!(range.is_active(at("2026-01-02 09:30") + 59));
        assert!(!range.is_active(at("2026-01-02 09:31")));
    }

    #[test]
    fn periodic_ranges_come_every_week() {
        // 1 January 2026 is a Thursday.
        let office = periodic(&[Weekday::Thursday, Weekday::Friday], 8 * 60, None, 17 * 60);
        assert!(office.is_active(at("2026-01-01 08:00")) && office.is_active(at("2026-01-09 17:00")));
        assert!(!office.is_active(at("2026-01-01 17:01")) && !office.is_active(at("2026-01-03 12:00")));
        let weekend = periodic(&[Weekday::Saturday], 0, Some(Weekday::Monday), 6 * 60);
        assert!(weekend.is_active(at("2026-01-04 12:00")) && weekend.is_active(at("2026-01-05 06:00")));
        assert!(!weekend.is_active(at("2026-01-05 06:01")) && !weekend.is_active(at("2026-01-02 23:59")));
    }

    #[test]
    fn both_kinds_must_hold_and_an_empty_range_is_off() {
        let absolute = Absolute { start: None, end: Some(DateTime::from_unix(at("2026-01-05 00:00"))) };
        let range =
            TimeRange { absolute: Some(absolute), ..periodic(&[Weekday::Thursday], 0, None, 24 * 60 - 1) };
        assert!(range.is_active(at("2026-01-01 12:00")));
        assert!(!range.is_active(at("2026-01-02 12:00")) && !range.is_active(at("2026-01-08 12:00")));
        assert!(!TimeRange::default().is_active(0));
    }
}
