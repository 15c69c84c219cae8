//! `show clock`, and dates from virtual time.
//!
//! One row: `time` (`18:57:38.347`), `timezone`, `weekday`, `month`, `day`, `year`, `authoritative` (false: `*`).

use std::fmt;

use netconfarena_emu::calendar::DateTime;
use netconfarena_emu::time::Time;
use serde::{Deserialize, Serialize};

use super::age::hms;
use super::text::lines;
use super::{ParseError, Record, Row, ShowHandler, context, row};
use crate::grammar::{Spec, plain};

/// The months as clocks and logs name them.
pub(super) const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// The record of `show clock`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// `hh:mm:ss.mmm`.
    pub time: String,
    /// `UTC`.
    pub timezone: String,
    /// `Mon`.
    pub weekday: String,
    /// `Oct`.
    pub month: String,
    /// Day of the month.
    pub day: u8,
    /// Year.
    pub year: u32,
    /// Whether the time was set; `*` in front says not.
    pub authoritative: bool,
}

impl Clock {
    /// The clock of a router at an instant of virtual time: running, never set.
    #[must_use]
    pub fn at(now: Time) -> Self {
        let seconds = now.unix_secs();
        let date = DateTime::from_unix(seconds);
        let name = |names: &[&str], at: u32| {
            usize::try_from(at).ok().and_then(|at| names.get(at)).copied().unwrap_or_default().to_owned()
        };
        Self {
            time: format!("{}.{:03}", hms(seconds % 86_400), now.as_nanos() / 1_000_000 % 1000),
            timezone: "UTC".to_owned(),
            weekday: name(&WEEKDAYS, date.weekday().number()),
            month: name(&MONTHS, u32::from(date.month() - 1)),
            day: date.day(),
            year: u32::from(date.year()),
            authoritative: false,
        }
    }

    /// `18:57:38 UTC Mon Oct 19 2015`, as messages about the future carry it.
    #[must_use]
    pub fn long(&self) -> String {
        let time = self.time.split('.').next().unwrap_or_default();
        format!("{time} {} {} {} {} {}", self.timezone, self.weekday, self.month, self.day, self.year)
    }

    /// `Oct 19 18:57:38.347`, as log lines carry it.
    #[must_use]
    pub fn timestamp(&self) -> String {
        format!("{} {:>2} {}", self.month, self.day, self.time)
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, _| context::text(&Clock::at(context.now()));
    vec![plain("clock", "Display the system clock", run)]
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { time, timezone, weekday, month, day, year, .. } = self;
        let star = if self.authoritative { "" } else { "*" };
        write!(f, "{star}{time} {timezone} {weekday} {month} {day} {year}")
    }
}

impl Record for Clock {
    fn render(&self) -> String {
        format!("{self}\n")
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let lines = lines(text);
        let line = lines.first().ok_or(ParseError::missing("the time"))?;
        let [time, timezone, weekday, month, day, year] =
            line.holes("{} {} {} {} {} {}").ok_or_else(|| line.error("TIME ZONE WEEKDAY MONTH DAY YEAR"))?;
        Ok(Self {
            time: time.trim_start_matches(['*', '.']).to_owned(),
            timezone: timezone.to_owned(),
            weekday: weekday.to_owned(),
            month: month.to_owned(),
            day: line.value(day, "a day")?,
            year: line.value(year, "a year")?,
            authoritative: !time.starts_with(['*', '.']),
        })
    }

    fn rows(&self) -> Vec<Row> {
        vec![row(self)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_count_leap_years() {
        let at = |days: u64| Clock::at(Time::from_secs(days * 86_400)).to_string();
        assert_eq!(at(0), "*00:00:00.000 UTC Thu Jan 1 2026");
        assert_eq!(at(365 + 365 + 59), "*00:00:00.000 UTC Tue Feb 29 2028");
    }

    proptest::proptest! {
        #[test]
        fn round_trip(millis in 0u64..200_000_000_000) {
            let clock = Clock::at(Time::from_millis(millis));
            proptest::prop_assert_eq!(Clock::parse(&clock.render()), Ok(clock));
        }
    }
}
