//! Ages and uptimes in IOS's notations.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

const MINUTE: u64 = 60;
const HOUR: u64 = 60 * MINUTE;
const DAY: u64 = 24 * HOUR;
const WEEK: u64 = 7 * DAY;
const YEAR: u64 = 365 * DAY;

/// A span of time as routing tables print it: `00:05:45`, from a day on `1d18h`, from a week on `3w4d`, from a year on
/// `1y10w`. It holds seconds, cut to what the notation can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Age(u64);

impl Age {
    /// A span of `seconds`.
    #[must_use]
    pub const fn from_secs(seconds: u64) -> Self {
        Self(match seconds {
            0..DAY => seconds,
            DAY..WEEK => seconds / HOUR * HOUR,
            WEEK..YEAR => seconds / DAY * DAY,
            _ => seconds / YEAR * YEAR + seconds % YEAR / WEEK * WEEK,
        })
    }

    /// Seconds.
    #[must_use]
    pub const fn as_secs(self) -> u64 {
        self.0
    }
}

impl From<Duration> for Age {
    fn from(span: Duration) -> Self {
        Self::from_secs(span.as_secs())
    }
}

impl fmt::Display for Age {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.0;
        f.pad(&match s {
            0..DAY => hms(s),
            DAY..WEEK => format!("{}d{:02}h", s / DAY, s % DAY / HOUR),
            WEEK..YEAR => format!("{}w{}d", s / WEEK, s % WEEK / DAY),
            _ => format!("{}y{:02}w", s / YEAR, s % YEAR / WEEK),
        })
    }
}

/// A span as OSPF prints it: with milliseconds below a day (`00:19:54.849`), then as [`Age`]. It holds milliseconds, cut to what
/// the notation can say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PreciseAge(u64);

impl PreciseAge {
    /// A span of so many milliseconds.
    #[must_use]
    pub const fn from_millis(millis: u64) -> Self {
        Self(if millis < DAY * 1000 { millis } else { Age::from_secs(millis / 1000).0 * 1000 })
    }

    /// Milliseconds.
    #[must_use]
    pub const fn as_millis(self) -> u64 {
        self.0
    }
}

impl From<Duration> for PreciseAge {
    fn from(span: Duration) -> Self {
        Self::from_millis(u64::try_from(span.as_millis()).unwrap_or(u64::MAX))
    }
}

impl fmt::Display for PreciseAge {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0 / 1000;
        if seconds < DAY {
            return f.pad(&format!("{}.{:03}", hms(seconds), self.0 % 1000));
        }
        Age::from_secs(seconds).fmt(f)
    }
}

impl FromStr for PreciseAge {
    type Err = BadAge;

    fn from_str(text: &str) -> Result<Self, BadAge> {
        let (age, millis) = match text.split_once('.') {
            Some((age, digits)) if digits.len() == 3 => (age, digits.parse().map_err(|_| BadAge)?),
            Some(_) => return Err(BadAge),
            None => (text, 0u64),
        };
        let seconds = age.parse::<Age>()?.as_secs();
        seconds.checked_mul(1000).and_then(|span| span.checked_add(millis)).map(Self).ok_or(BadAge)
    }
}

/// `hh:mm:ss`.
#[must_use]
pub fn hms(seconds: u64) -> String {
    format!("{:02}:{:02}:{:02}", seconds / HOUR, seconds % HOUR / MINUTE, seconds % MINUTE)
}

/// A text that is not an age.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadAge;

impl FromStr for Age {
    type Err = BadAge;

    fn from_str(text: &str) -> Result<Self, BadAge> {
        if text.contains(':') {
            let mut parts = text.split(':').map(|part| part.parse::<u64>().map_err(|_| BadAge));
            let (Some(h), Some(m), Some(s), None) = (parts.next(), parts.next(), parts.next(), parts.next())
            else {
                return Err(BadAge);
            };
            return total([(h?, HOUR), (m?, MINUTE), (s?, 1)]);
        }
        let mut spans = [(0, YEAR), (0, WEEK), (0, DAY), (0, HOUR)];
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| !c.is_ascii_digit()) {
            let (number, unit) = rest.split_at(at);
            let place = "ywdh".find(&unit[..unit.chars().next().map_or(0, char::len_utf8)]).ok_or(BadAge)?;
            spans.get_mut(place).ok_or(BadAge)?.0 = number.parse().map_err(|_| BadAge)?;
            rest = unit.get(1..).ok_or(BadAge)?;
        }
        if text.is_empty() || !rest.is_empty() {
            return Err(BadAge);
        }
        total(spans)
    }
}

fn total<const N: usize>(spans: [(u64, u64); N]) -> Result<Age, BadAge> {
    let sum = spans
        .iter()
        .try_fold(0u64, |sum, (count, unit)| sum.checked_add(count.checked_mul(*unit)?))
        .ok_or(BadAge)?;
    Ok(Age(sum))
}

/// A span in words, as in `R1 uptime is 2 years, 31 weeks, 6 days, 9 hours, 55 minutes`; whole minutes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Uptime(u64);

impl Uptime {
    /// A span of `seconds`, cut to minutes.
    #[must_use]
    pub const fn from_secs(seconds: u64) -> Self {
        Self(seconds / MINUTE * MINUTE)
    }

    /// Seconds.
    #[must_use]
    pub const fn as_secs(self) -> u64 {
        self.0
    }
}

const UPTIME_UNITS: [(&str, u64); 5] =
    [("year", YEAR), ("week", WEEK), ("day", DAY), ("hour", HOUR), ("minute", MINUTE)];

impl fmt::Display for Uptime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rest = self.0;
        let mut parts = Vec::new();
        for (word, unit) in UPTIME_UNITS {
            let count = rest / unit;
            rest %= unit;
            // IOS leaves out leading units that are zero, but always says the minutes.
            if count > 0 || unit == MINUTE || (!parts.is_empty() && unit == HOUR) {
                parts.push(format!("{count} {word}{}", if count == 1 { "" } else { "s" }));
            }
        }
        f.pad(&parts.join(", "))
    }
}

impl FromStr for Uptime {
    type Err = BadAge;

    fn from_str(text: &str) -> Result<Self, BadAge> {
        let mut sum = 0u64;
        for part in text.split(',') {
            let (count, word) = part.trim().split_once(' ').ok_or(BadAge)?;
            let count: u64 = count.parse().map_err(|_| BadAge)?;
            let (_, unit) = UPTIME_UNITS
                .into_iter()
                .find(|(name, _)| word.trim_end_matches('s') == *name)
                .ok_or(BadAge)?;
            sum = count.checked_mul(unit).and_then(|span| sum.checked_add(span)).ok_or(BadAge)?;
        }
        Ok(Self(sum))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn notations_follow_the_magnitude() {
        for (seconds, text) in [
            (345, "00:05:45"),
            (86_399, "23:59:59"),
            (86_400, "1d00h"),
            (42 * 3600, "1d18h"),
            (25 * DAY, "3w4d"),
            (YEAR + 10 * WEEK, "1y10w"),
        ] {
            assert_eq!(Age::from_secs(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Age::from_secs(seconds)));
        }
        for bad in ["", "1", "x", "1:2", "1d2", "h", "99999999999999y", "1\u{e9}"] {
            assert_eq!(bad.parse::<Age>(), Err(BadAge), "{bad}");
        }
    }

    #[test]
    fn uptimes_are_words() {
        for (seconds, text) in [
            (0, "0 minutes"),
            (60, "1 minute"),
            (DAY + 15 * HOUR + 32 * MINUTE, "1 day, 15 hours, 32 minutes"),
            (28 * WEEK + DAY + 7 * HOUR + 54 * MINUTE, "28 weeks, 1 day, 7 hours, 54 minutes"),
        ] {
            assert_eq!(Uptime::from_secs(seconds).to_string(), text);
            assert_eq!(text.parse(), Ok(Uptime::from_secs(seconds)));
        }
    }

    proptest! {
        #[test]
        fn ages_round_trip(seconds in 0u64..20 * YEAR, any in ".*") {
            let age = Age::from_secs(seconds);
            prop_assert_eq!(age.to_string().parse(), Ok(age));
            let uptime = Uptime::from_secs(seconds);
            prop_assert_eq!(uptime.to_string().parse(), Ok(uptime));
            let _ = any.parse::<Age>();
            let _ = any.parse::<Uptime>();
            let precise = PreciseAge::from_millis(seconds);
            prop_assert_eq!(precise.to_string().parse(), Ok(precise));
            let _ = any.parse::<PreciseAge>();
        }
    }
}
