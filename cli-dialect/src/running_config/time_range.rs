//! `time-range`.

use netconfarena_emu::calendar::{DateTime, Weekday};
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::policy::Periodic;

use super::Lines;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for (name, range) in &config.policy.time_ranges {
        lines.push(format!("time-range {name}"));
        if let Some(absolute) = range.absolute {
            let end =
                |word, at: Option<DateTime>| at.map_or(String::new(), |at| format!(" {word} {}", date(at)));
            lines.inner(format!("absolute{}{}", end("start", absolute.start), end("end", absolute.end)));
        }
        for periodic in &range.periodic {
            let end_day = periodic.end_day.map_or(String::new(), |day| format!("{day:?} "));
            let (from, to) = (time(periodic.from), time(periodic.to));
            lines.inner(format!("periodic {} {from} to {end_day}{to}", days(periodic)));
        }
        lines.separator();
    }
}

fn time(minute_of_day: u16) -> String {
    format!("{}:{:02}", minute_of_day / 60, minute_of_day % 60)
}

fn date(at: DateTime) -> String {
    let month = MONTHS.get(usize::from(at.month()).wrapping_sub(1)).copied().unwrap_or_default();
    let (hour, minute) = (at.minute_of_day() / 60, at.minute_of_day() % 60);
    format!("{hour:02}:{minute:02} {:02} {month} {}", at.day(), at.year())
}

/// A second of Unix time, as lifetimes of keys have it: `hh:mm:ss Jan 1 2026`.
pub(super) fn instant(unix_seconds: u64) -> String {
    let at = DateTime::from_unix(unix_seconds);
    let month = MONTHS.get(usize::from(at.month()).wrapping_sub(1)).copied().unwrap_or_default();
    let (hour, minute) = (at.minute_of_day() / 60, at.minute_of_day() % 60);
    let second = unix_seconds % 60;
    format!(
        "{hour:02}:{minute:02}:{second:02} {} {} {}",
        month.get(..3).unwrap_or(month),
        at.day(),
        at.year()
    )
}

fn days(periodic: &Periodic) -> String {
    let weekend = |day: &Weekday| *day >= Weekday::Saturday;
    match (periodic.days.len(), periodic.days.iter().filter(|day| weekend(day)).count()) {
        (7, _) => "daily".to_owned(),
        (5, 0) => "weekdays".to_owned(),
        (2, 2) => "weekend".to_owned(),
        _ => periodic.days.iter().map(|day| format!("{day:?}")).collect::<Vec<_>>().join(" "),
    }
}
