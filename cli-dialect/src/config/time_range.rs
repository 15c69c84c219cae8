//! `time-range`, and what stands in it.

use std::collections::BTreeSet;

use netconfarena_emu::calendar::{DateTime, Weekday};
use netconfarena_emu::policy::{Absolute, Periodic, TimeRange};

use super::{Complaint, ConfigMode, Editor, Handler, need};
use crate::grammar::{Args, Choice, ParseError, Spec, choice, int, kw, word};

/// Months, from 1.
pub(super) const MONTHS: Choice = Choice {
    greatest: None,
    names: &[
        ("January", 1, "Month of the year"),
        ("February", 2, "Month of the year"),
        ("March", 3, "Month of the year"),
        ("April", 4, "Month of the year"),
        ("May", 5, "Month of the year"),
        ("June", 6, "Month of the year"),
        ("July", 7, "Month of the year"),
        ("August", 8, "Month of the year"),
        ("September", 9, "Month of the year"),
        ("October", 10, "Month of the year"),
        ("November", 11, "Month of the year"),
        ("December", 12, "Month of the year"),
    ],
};

/// Days of the week as [`Weekday::number`] counts them.
const WEEKDAYS: Choice = Choice {
    greatest: None,
    names: &[
        ("Monday", 0, "Monday"),
        ("Tuesday", 1, "Tuesday"),
        ("Wednesday", 2, "Wednesday"),
        ("Thursday", 3, "Thursday"),
        ("Friday", 4, "Friday"),
        ("Saturday", 5, "Saturday"),
        ("Sunday", 6, "Sunday"),
    ],
};

/// Years that IOS takes.
pub(super) const YEARS: (u64, u64) = (1993, 2035);

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![
        kw("time-range", "Define time range entries")
            .then([word("range-name", "Time range name").run(enter as Handler)]),
    ]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    let run = absolute as Handler;
    let date = |keyword, [time, day, month, year]: [&'static str; 4], help| {
        let year = int(year, YEARS.0, YEARS.1, "Year").run(run);
        let month = choice(month, &MONTHS, "Month of the year").then([year]);
        kw(keyword, help).then([word(time, "Time of the day, hh:mm").then([int(
            day,
            1,
            31,
            "Day of the month",
        )
        .then([month])])])
    };
    let ends = || date("end", ["end-time", "end-day", "end-month", "end-year"], "ending time and date");
    let start =
        date("start", ["start-time", "start-day", "start-month", "start-year"], "starting time and date");
    let weekday = || choice("weekday", &WEEKDAYS, "Day of the week").then_shared("time-range-times", times);
    let weekdays = (1..WEEKDAYS.names.len()).fold(weekday(), |behind, _| weekday().then([behind]));
    let group = |keyword, help| kw(keyword, help).then_shared("time-range-times", times);
    vec![
        kw("absolute", "absolute time and date").negatable(run).options([start, ends()]),
        kw("periodic", "periodic time and date").negatable(periodic as Handler).then([
            group("daily", "Every day of the week"),
            group("weekdays", "Monday thru Friday"),
            group("weekend", "Saturday and Sunday"),
            weekdays,
        ]),
    ]
}

/// `hh:mm to [DAY] hh:mm`.
fn times() -> Vec<Spec<Handler>> {
    let last = || word("to-time", "Ending time, hh:mm").run(periodic as Handler);
    let day = choice("to-weekday", &WEEKDAYS, "Day of the week").then([last()]);
    vec![
        word("from-time", "Starting time, hh:mm").then([kw("to", "ending day and time").then([day, last()])]),
    ]
}

fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("range-name"))?.to_owned();
    let ranges = &mut editor.config.policy.time_ranges;
    if args.negated() {
        ranges.remove(&name);
        return Ok(());
    }
    ranges.entry(name.clone()).or_default();
    *editor.mode = ConfigMode::TimeRange(name);
    Ok(())
}

fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut TimeRange, Complaint> {
    let ConfigMode::TimeRange(name) = &*editor.mode else { return need(None) };
    need(editor.config.policy.time_ranges.get_mut(name))
}

/// `hh:mm`.
fn time(args: &Args, name: &str) -> Result<(u8, u8), Complaint> {
    let invalid = Complaint::Syntax(ParseError::Invalid { at: args.at(name), understood: 1 });
    let digits =
        |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse::<u8>().ok()).flatten();
    let parts = need(args.text(name))?.split_once(':');
    let time = parts.and_then(|(hour, minute)| digits(hour).zip(digits(minute)));
    time.filter(|&(hour, minute)| hour < 24 && minute < 60).ok_or(invalid)
}

fn minute_of_day(args: &Args, name: &str) -> Result<u16, Complaint> {
    time(args, name).map(|(hour, minute)| u16::from(hour) * 60 + u16::from(minute))
}

fn date(args: &Args, end: &str) -> Result<Option<DateTime>, Complaint> {
    let named = |part: &str| format!("{end}-{part}");
    if args.text(&named("time")).is_none() {
        return Ok(None);
    }
    let (hour, minute) = time(args, &named("time"))?;
    let (day, month, year) =
        (need(args.int(&named("day")))?, need(args.int(&named("month")))?, need(args.int(&named("year")))?);
    let invalid = Complaint::Syntax(ParseError::Invalid { at: args.at(&named("day")), understood: 3 });
    DateTime::new(year, month, day, hour, minute).map(Some).ok_or(invalid)
}

fn absolute(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = Absolute { start: date(args, "start")?, end: date(args, "end")? };
    current(editor)?.absolute = (!args.negated()).then_some(value);
    Ok(())
}

fn periodic(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if args.negated() && args.text("to-time").is_none() {
        current(editor)?.periodic.clear();
        return Ok(());
    }
    let weekday = |number: usize| Weekday::ALL.get(number).copied();
    let days: BTreeSet<Weekday> = args
        .names()
        .find_map(|name| match name {
            "daily" => Some(Weekday::ALL.into_iter().collect()),
            "weekdays" => Some(Weekday::ALL.into_iter().filter(|day| *day < Weekday::Saturday).collect()),
            "weekend" => Some([Weekday::Saturday, Weekday::Sunday].into()),
            _ => None,
        })
        .unwrap_or_else(|| args.ints("weekday").filter_map(weekday).collect());
    let value = Periodic {
        days,
        from: minute_of_day(args, "from-time")?,
        end_day: args.int("to-weekday").and_then(weekday),
        to: minute_of_day(args, "to-time")?,
    };
    let range = current(editor)?;
    if args.negated() {
        range.periodic.remove(&value);
    } else {
        range.periodic.insert(value);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use netconfarena_emu::config::RouterConfig;

    use super::*;

    fn typed(lines: &str) -> (Vec<String>, usize) {
        let mut config = RouterConfig::default();
        let mut mode = ConfigMode::Global;
        let refused =
            lines.lines().filter(|line| Editor::new(&mut config, &mut mode).apply(line).is_err()).count();
        let text = crate::running_config::render(&config);
        let lines = text.lines().skip_while(|line| !line.starts_with("time-range"));
        (lines.take_while(|line| *line != "!").map(str::to_owned).collect(), refused)
    }

    #[test]
    fn ranges_are_shown_as_ios_shows_them() {
        let lines = "time-range T\n absolute end 9:30 7 feb 2027 start 08:00 1 January 2026\n periodic monday wed 8:00 to 17:05\n\
                     periodic weekend 0:00 to 23:59\n periodic fri 17:00 to mon 06:00";
        assert_eq!(
            typed(lines),
            (
                [
                    "time-range T",
                    " absolute start 08:00 01 January 2026 end 09:30 07 February 2027",
                    " periodic Monday Wednesday 8:00 to 17:05",
                    " periodic Friday 17:00 to Monday 6:00",
                    " periodic weekend 0:00 to 23:59",
                ]
                .map(str::to_owned)
                .to_vec(),
                0
            )
        );
    }

    #[test]
    fn what_is_no_time_is_refused() {
        let lines = "time-range T\n periodic daily 24:00 to 1:00\n periodic daily 1:60 to 2:00\n periodic daily 1 to 2:00\n\
                     absolute start 1:00 30 feb 2026\n periodic to 1:00";
        assert_eq!(typed(lines), (vec!["time-range T".to_owned()], 5));
    }

    #[test]
    fn lines_are_removed() {
        let lines = "time-range T\n absolute start 08:00 1 January 2026\n periodic daily 8:00 to 9:00\n no absolute\n no periodic daily 8:00 to 9:00";
        assert_eq!(typed(lines), (vec!["time-range T".to_owned()], 0));
        assert_eq!(typed(&format!("{lines}\nno time-range T")), (vec![], 0));
    }
}
