//! `reload`: at once, in some time (`in`), at a time of the day (`at`), or not after all (`cancel`).

use std::time::Duration;

use netconfarena_emu::log::LogEvent;
use netconfarena_emu::router::ScheduledReload;
use netconfarena_emu::time::Time;
use serde::{Deserialize, Serialize};

use super::super::exec::{Exec, Handler, act};
use super::super::question::Question;
use crate::config::Complaint;
use crate::grammar::{Args, ParseError, Spec, kw, line, plain, word};
use crate::show::clock::Clock;

/// What a restart is for, unless somebody says otherwise.
const REASON: &str = "Reload Command";

/// The longest delay, in minutes: 24 days.
const LONGEST: u64 = 34_560;

/// Seconds of a day.
const DAY: u64 = 86_400;

/// A restart that waits for a confirmation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) struct Delayed {
    /// In how much time.
    delay: Duration,
    reason: String,
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    let now = Handler::Act(|exec, _| exec.ask_about_reload(None));
    let later = Handler::Act(later);
    let when =
        |name, help| word(name, help).run(later).then([line("reason", "Reason for reload").run(later)]);
    vec![
        kw("reload", "Halt and perform a cold restart").run(now).then([
            kw("at", "Reload at a specific time/date").then([when("time", "Time to reload (hh:mm)")]),
            act("cancel", "Cancel pending reload", |exec, _| exec.cancel_reload()),
            kw("in", "Reload after a time interval")
                .then([when("delay", "Delay before reload (mmm or hhh:mm)")]),
        ]),
        kw("show", "Show running system information").then([plain(
            "reload",
            "Scheduled reload information",
            Handler::Print(show),
        )]),
    ]
}

/// `hh:mm`: hours and minutes.
fn hours_and_minutes(text: &str) -> Option<(u64, u64)> {
    let (hours, minutes) = text.split_once(':')?;
    let minutes = minutes.parse().ok().filter(|minutes| *minutes < 60)?;
    Some((hours.parse().ok()?, minutes))
}

fn later(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let invalid = |name| Complaint::Syntax(ParseError::Invalid { at: args.at(name), understood: 2 });
    let delay = match (args.text("delay"), args.text("time")) {
        (Some(delay), _) => {
            let minutes = match hours_and_minutes(delay) {
                Some((hours, minutes)) => hours.checked_mul(60).and_then(|hours| hours.checked_add(minutes)),
                None => delay.parse().ok(),
            };
            let minutes = minutes.filter(|minutes| (1..=LONGEST).contains(minutes));
            Duration::from_secs(60 * minutes.ok_or_else(|| invalid("delay"))?)
        }
        (None, time) => {
            let time = hours_and_minutes(time.unwrap_or_default()).filter(|(hours, _)| *hours < 24);
            let (hours, minutes) = time.ok_or_else(|| invalid("time"))?;
            let now = exec.network.now().unix_secs() % DAY;
            let wanted = hours * 3600 + minutes * 60;
            Duration::from_secs(if wanted > now { wanted - now } else { DAY + wanted - now })
        }
    };
    let reason = args.text("reason").unwrap_or(REASON).to_owned();
    exec.ask_about_reload(Some(Delayed { delay, reason }))
}

/// `1 hour and 5 minutes`.
fn in_words(delay: Duration) -> String {
    let minutes = delay.as_secs().div_ceil(60);
    let of = |count: u64, unit: &str| format!("{count} {unit}{}", if count == 1 { "" } else { "s" });
    match (minutes / 60, minutes % 60) {
        (0, minutes) => of(minutes, "minute"),
        (hours, 0) => of(hours, "hour"),
        (hours, minutes) => format!("{} and {}", of(hours, "hour"), of(minutes, "minute")),
    }
}

fn announced(at: Time, delay: Duration, by: &str, reason: &str) -> String {
    let (when, delay) = (Clock::at(at).long(), in_words(delay));
    format!("Reload scheduled for {when} (in {delay}) by {by}\nReload reason: {reason}")
}

fn show(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let now = exec.network.now();
    let text = match exec.router().scheduled_reload() {
        Some(reload) => announced(reload.at, reload.at.since(now), &reload.by, &reload.reason),
        None => "No reload is scheduled.".to_owned(),
    };
    exec.say(&text);
    Ok(())
}

impl Exec<'_> {
    fn ask_about_reload(&mut self, delayed: Option<Delayed>) -> Result<(), Complaint> {
        if self.is_saved() {
            self.confirm_reload(delayed);
        } else {
            self.ask(Question::SaveBeforeReload(delayed));
        }
        Ok(())
    }

    /// Asks for the last word about a restart.
    pub fn confirm_reload(&mut self, delayed: Option<Delayed>) {
        if let Some(Delayed { delay, reason }) = &delayed {
            let at = self.network.now() + *delay;
            let text = announced(at, *delay, &self.session.place(), reason);
            self.say(&text);
        }
        self.ask(Question::Reload(delayed));
    }

    /// Restarts the router, which ends the session; or puts it off.
    pub fn reload(&mut self, delayed: Option<Delayed>) {
        let (node, now) = (self.session.node(), self.network.now());
        let Some(Delayed { delay, reason }) = delayed else {
            self.network.reload(node);
            self.session.close();
            return;
        };
        let (at, by) = (now + delay, self.session.place());
        let router = self.network.router_mut(node);
        router.write_log(now, LogEvent::ReloadScheduled { at, by: by.clone(), reason: reason.clone() });
        router.schedule_reload(Some(ScheduledReload { at, by, reason }));
        let seconds = delay.as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        self.say(&format!("\n\n***\n*** --- SHUTDOWN in {hours}:{minutes:02}:{seconds:02} ---\n***"));
    }

    fn cancel_reload(&mut self) -> Result<(), Complaint> {
        let (node, now) = (self.session.node(), self.network.now());
        let router = self.network.router_mut(node);
        if router.scheduled_reload().is_none() {
            return Err(Complaint::Refused("%No reload is scheduled.".to_owned()));
        }
        router.schedule_reload(None);
        router.write_log(now, LogEvent::ReloadCancelled);
        self.say("\n\n***\n*** --- SHUTDOWN ABORTED ---\n***");
        Ok(())
    }
}
