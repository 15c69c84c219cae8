//! `accept-lifetime` and `send-lifetime` of a key of a key chain.

use netconfarena_emu::calendar::DateTime;
use netconfarena_emu::config::Lifetime;

use super::interface::setting;
use super::key_chain::current;
use super::time_range::{MONTHS, YEARS};
use super::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, ParseError, Spec, choice, int, kw, plain, word};

/// The places of a date, as the arguments name them.
struct Places {
    time: &'static str,
    day: &'static str,
    month: &'static str,
    year: &'static str,
}

const START: Places =
    Places { time: "start-time", day: "start-day", month: "start-month", year: "start-year" };
const END: Places = Places { time: "end-time", day: "end-day", month: "end-month", year: "end-year" };

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        lifetime("accept-lifetime", "Set accept lifetime of key", accept),
        lifetime("send-lifetime", "Set send lifetime of key", send),
    ]
}

fn lifetime(keyword: &'static str, help: &'static str, handler: Handler) -> Spec<Handler> {
    let ends = move || {
        let end = date(&END, "Time to stop", |year| year.run(handler));
        vec![
            plain("infinite", "Never expires", handler),
            kw("duration", "Set key lifetime duration")
                .then([int("seconds", 1, 2_147_483_646, "Seconds").run(handler)]),
            end,
        ]
    };
    let start = move || date(&START, "Time to start", |year| year.then(ends()));
    kw(keyword, help)
        .negatable(handler)
        .then([kw("local", "Specify time in local timezone").then([start()]), start()])
}

/// `hh:mm:ss MONTH DAY YEAR`, or the day before the month.
fn date(
    places: &Places,
    help: &'static str,
    behind: impl Fn(Spec<Handler>) -> Spec<Handler>,
) -> Spec<Handler> {
    let day = || int(places.day, 1, 31, "Day of the month");
    let month = || choice(places.month, &MONTHS, "Month of the year");
    let year = || behind(int(places.year, YEARS.0, YEARS.1, "Year"));
    word(places.time, help).then([day().then([month().then([year()])]), month().then([day().then([year()])])])
}

/// Seconds of Unix time.
fn instant(args: &Args, places: &Places) -> Result<u64, Complaint> {
    let invalid = |place: &str| Complaint::Syntax(ParseError::Invalid { at: args.at(place), understood: 1 });
    let parts: Vec<u8> =
        need(args.text(places.time))?.split(':').map_while(|part| part.parse().ok()).collect();
    let [hour, minute, second] = parts[..] else { return Err(invalid(places.time)) };
    if hour > 23 || minute > 59 || second > 59 {
        return Err(invalid(places.time));
    }
    let (day, month, year) =
        (need(args.int(places.day))?, need(args.int(places.month))?, need(args.int(places.year))?);
    let minute = DateTime::new(year, month, day, hour, minute).ok_or_else(|| invalid(places.day))?;
    Ok(minute.to_unix() + u64::from(second))
}

fn value(args: &Args) -> Result<Option<Lifetime>, Complaint> {
    if args.negated() {
        return Ok(None);
    }
    let from = instant(args, &START)?;
    let until = if args.has("infinite") {
        None
    } else if let Some(seconds) = args.int::<u64>("seconds") {
        Some(from + seconds)
    } else {
        Some(instant(args, &END)?)
    };
    if until.is_some_and(|until| until <= from) {
        return refuse("% Bad key lifetime");
    }
    Ok(setting(args, Some(Lifetime { from, until })))
}

fn accept(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.accept_lifetime = value(args)?;
    Ok(())
}

fn send(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.send_lifetime = value(args)?;
    Ok(())
}
