//! Dates and weekdays of the Gregorian calendar, in UTC. All routers' clocks agree.

use serde::{Deserialize, Serialize};

/// Seconds of a day.
const DAY: u64 = 86_400;

/// A day of the week.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Weekday {
    /// Monday.
    Monday,
    /// Tuesday.
    Tuesday,
    /// Wednesday.
    Wednesday,
    /// Thursday.
    Thursday,
    /// Friday.
    Friday,
    /// Saturday.
    Saturday,
    /// Sunday.
    Sunday,
}

impl Weekday {
    /// The days from Monday on.
    pub const ALL: [Self; 7] = [
        Self::Monday,
        Self::Tuesday,
        Self::Wednesday,
        Self::Thursday,
        Self::Friday,
        Self::Saturday,
        Self::Sunday,
    ];

    /// 0 for Monday to 6 for Sunday.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32
    }
}

/// A minute of a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DateTime {
    year: u16,
    month: u8,
    day: u8,
    minute_of_day: u16,
}

impl DateTime {
    /// A minute of a day; `None` if there is no such day or time, or it lies before 1970.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8, hour: u8, minute: u8) -> Option<Self> {
        let exists = year >= 1970
            && (1..=12).contains(&month)
            && (1..=days_of_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60;
        let minute_of_day = u16::from(hour) * 60 + u16::from(minute);
        exists.then_some(Self { year, month, day, minute_of_day })
    }

    /// The minute that a second of Unix time lies in.
    #[must_use]
    pub fn from_unix(seconds: u64) -> Self {
        let mut days = seconds / DAY;
        let mut year = 1970;
        while days >= days_of_year(year) && year < u16::MAX {
            days -= days_of_year(year);
            year += 1;
        }
        let mut month = 1;
        while month < 12 && days >= u64::from(days_of_month(year, month)) {
            days -= u64::from(days_of_month(year, month));
            month += 1;
        }
        let day = u8::try_from(days + 1).unwrap_or(31).min(31);
        let minute_of_day = u16::try_from(seconds % DAY / 60).unwrap_or(0);
        Self { year, month, day, minute_of_day }
    }

    /// The first second of the minute, in Unix time.
    #[must_use]
    pub fn to_unix(self) -> u64 {
        let years: u64 = (1970..self.year).map(days_of_year).sum();
        let months: u64 = (1..self.month).map(|month| u64::from(days_of_month(self.year, month))).sum();
        (years + months + u64::from(self.day) - 1) * DAY + u64::from(self.minute_of_day) * 60
    }

    /// The year.
    #[must_use]
    pub const fn year(self) -> u16 {
        self.year
    }

    /// The month, from 1.
    #[must_use]
    pub const fn month(self) -> u8 {
        self.month
    }

    /// The day of the month, from 1.
    #[must_use]
    pub const fn day(self) -> u8 {
        self.day
    }

    /// The minute of the day, from 0 to 1439.
    #[must_use]
    pub const fn minute_of_day(self) -> u16 {
        self.minute_of_day
    }

    /// The day of the week.
    #[must_use]
    pub fn weekday(self) -> Weekday {
        // 1 January 1970 was a Thursday.
        let number = (self.to_unix() / DAY + 3) % 7;
        usize::try_from(number).ok().and_then(|n| Weekday::ALL.get(n)).copied().unwrap_or(Weekday::Monday)
    }
}

const fn is_leap(year: u16) -> bool {
    (year.is_multiple_of(4) && !year.is_multiple_of(100)) || year.is_multiple_of(400)
}

const fn days_of_year(year: u16) -> u64 {
    if is_leap(year) { 366 } else { 365 }
}

const fn days_of_month(year: u16, month: u8) -> u8 {
    match month {
        2 if is_leap(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::SWITCHED_ON;

    #[test]
    fn known_dates() {
        for (date, unix, weekday) in [
            (DateTime::new(1970, 1, 1, 0, 0), 0, Weekday::Thursday),
            (DateTime::new(2000, 2, 29, 12, 30), 951_827_400, Weekday::Tuesday),
            (DateTime::new(2026, 1, 1, 0, 0), SWITCHED_ON, Weekday::Thursday),
            (DateTime::new(2100, 3, 1, 0, 0), 4_107_542_400, Weekday::Monday),
        ] {
            let date = date.unwrap();
            assert_eq!((date.to_unix(), date.weekday()), (unix, weekday));
            assert_eq!(DateTime::from_unix(unix), date);
        }
        for (year, month, day, hour, minute) in [
            (2026, 2, 29, 0, 0),
            (2026, 13, 1, 0, 0),
            (2026, 1, 0, 0, 0),
            (2026, 1, 1, 24, 0),
            (1969, 1, 1, 0, 0),
        ] {
            assert_eq!(DateTime::new(year, month, day, hour, minute), None);
        }
    }

    proptest::proptest! {
        #[test]
        fn minutes_convert_both_ways(minute in 0u64..200_000_000) {
            proptest::prop_assert_eq!(DateTime::from_unix(minute * 60 + 59).to_unix(), minute * 60);
        }
    }
}
