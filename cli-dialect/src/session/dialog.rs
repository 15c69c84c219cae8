//! `ping` and `traceroute` without a destination: the device asks for everything, one question after the other.

use netconfarena_emu::forwarding::{PingRequest, TracerouteRequest};
use serde::{Deserialize, Serialize};

use super::exec::Exec;
use super::probe::Sweep;
use super::question::Question;
use crate::config::Complaint;
use crate::grammar::abbreviates;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Probe {
    /// `ping`.
    Ping,
    /// `traceroute`.
    Traceroute,
}

/// What an answer is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Protocol,
    Target,
    Number {
        least: u32,
        greatest: u32,
    },
    Choice,
    /// An address or an interface of the router.
    Source,
    /// Only what is offered exists here.
    Fixed,
}

/// A question of a dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    text: &'static str,
    default: &'static str,
    kind: Kind,
}

const fn step(text: &'static str, default: &'static str, kind: Kind) -> Step {
    Step { text, default, kind }
}

const fn number(text: &'static str, default: &'static str, least: u32, greatest: u32) -> Step {
    Step { text, default, kind: Kind::Number { least, greatest } }
}

const TARGET: &str = "Target IP address: ";
const SOURCE: &str = "Source address or interface: ";
const EXTENDED: &str = "Extended commands [n]: ";
const SWEEP: &str = "Sweep range of sizes [n]: ";
const SWEEP_LEAST: &str = "Sweep min size [36]: ";
const SWEEP_GREATEST: &str = "Sweep max size [18024]: ";
const SWEEP_INTERVAL: &str = "Sweep interval [1]: ";
const DF_BIT: &str = "Set DF bit in IP header? [no]: ";
const REPEAT: &str = "Repeat count [5]: ";
const SIZE: &str = "Datagram size [100]: ";
const SECONDS: &str = "Timeout in seconds [2]: ";
const TOS: &str = "Type of service [0]: ";
const TRACE_SECONDS: &str = "Timeout in seconds [3]: ";
const PROBES: &str = "Probe count [3]: ";
const LEAST_TTL: &str = "Minimum Time to Live [1]: ";
const GREATEST_TTL: &str = "Maximum Time to Live [30]: ";
const PORT: &str = "Port Number [33434]: ";

const PING: [Step; 18] = [
    step("Protocol [ip]: ", "ip", Kind::Protocol),
    step(TARGET, "", Kind::Target),
    number(REPEAT, "5", 1, 2_147_483_647),
    number(SIZE, "100", 36, 18_024),
    number(SECONDS, "2", 0, 3600),
    step(EXTENDED, "n", Kind::Choice),
    step("Ingress ping [n]: ", "n", Kind::Fixed),
    step(SOURCE, "", Kind::Source),
    step("DSCP Value [0]: ", "0", Kind::Fixed),
    number(TOS, "0", 0, 255),
    step(DF_BIT, "no", Kind::Choice),
    step("Validate reply data? [no]: ", "no", Kind::Choice),
    step("Data pattern [0x0000ABCD]: ", "0x0000ABCD", Kind::Fixed),
    step("Loose, Strict, Record, Timestamp, Verbose[none]: ", "none", Kind::Fixed),
    step(SWEEP, "n", Kind::Choice),
    number(SWEEP_LEAST, "36", 36, 18_024),
    number(SWEEP_GREATEST, "18024", 36, 18_024),
    number(SWEEP_INTERVAL, "1", 1, 17_988),
];

const TRACEROUTE: [Step; 12] = [
    step("Protocol [ip]: ", "ip", Kind::Protocol),
    step(TARGET, "", Kind::Target),
    step("Ingress traceroute [n]: ", "n", Kind::Fixed),
    step(SOURCE, "", Kind::Source),
    step("DSCP Value [0]: ", "0", Kind::Fixed),
    step("Numeric display [n]: ", "n", Kind::Choice),
    number(TRACE_SECONDS, "3", 0, 3600),
    number(PROBES, "3", 1, 255),
    number(LEAST_TTL, "1", 1, 255),
    number(GREATEST_TTL, "30", 1, 255),
    number(PORT, "33434", 1, 65535),
    step("Loose, Strict, Record, Timestamp, Verbose[none]: ", "none", Kind::Fixed),
];

/// A dialog with the answers given so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Dialog {
    probe: Probe,
    answers: Vec<String>,
}

impl Dialog {
    /// A dialog at its first question.
    pub const fn new(probe: Probe) -> Self {
        Self { probe, answers: Vec::new() }
    }

    const fn steps(&self) -> &'static [Step] {
        match self.probe {
            Probe::Ping => &PING,
            Probe::Traceroute => &TRACEROUTE,
        }
    }

    /// The question that is to be answered; `None` behind the last one.
    fn step(&self) -> Option<Step> {
        self.steps().get(self.answers.len()).copied()
    }

    /// The question.
    pub fn text(&self) -> String {
        self.step().map_or_else(String::new, |step| step.text.to_owned())
    }

    /// What was answered to a question.
    fn given(&self, text: &str) -> &str {
        let place = self.steps().iter().position(|step| step.text == text);
        place.and_then(|place| self.answers.get(place)).map_or("", String::as_str)
    }

    fn number(&self, text: &str) -> u32 {
        self.given(text).parse().unwrap_or_default()
    }

    fn is_yes(&self, text: &str) -> bool {
        is_yes(self.given(text))
    }

    /// Takes an answer; the questions that it makes needless are answered by what they offer.
    fn take(&mut self, step: Step, answer: &str) {
        self.answers.push(if answer.is_empty() { step.default } else { answer }.to_owned());
        let is_last = |next: &Step| match step.text {
            EXTENDED => next.text == SWEEP,
            SWEEP => false,
            _ => true,
        };
        if !is_yes(answer) {
            while let Some(next) = self.step().filter(|next| !is_last(next)) {
                self.answers.push(next.default.to_owned());
            }
        }
    }
}

fn is_yes(answer: &str) -> bool {
    !answer.is_empty() && abbreviates(answer, "yes")
}

impl Exec<'_> {
    /// An answer of a dialog was given: the next question, or what was asked for.
    ///
    /// # Errors
    /// The answer is none.
    pub fn go_on(&mut self, mut dialog: Dialog, answer: &str) -> Result<(), Complaint> {
        let Some(step) = dialog.step() else { return Ok(()) };
        self.check(step, answer)?;
        dialog.take(step, answer);
        if dialog.step().is_some() {
            self.ask(Question::Dialog(dialog));
            return Ok(());
        }
        let destination = self.resolve(dialog.given(TARGET))?;
        let source = self.source_named(dialog.given(SOURCE))?;
        let size = |text: &str| u16::try_from(dialog.number(text)).unwrap_or(u16::MAX);
        let narrow = |number: u32| u8::try_from(number).unwrap_or(u8::MAX);
        match dialog.probe {
            Probe::Ping => {
                let request = PingRequest {
                    source,
                    count: dialog.number(REPEAT),
                    size: size(SIZE),
                    timeout: std::time::Duration::from_secs(dialog.number(SECONDS).into()),
                    dont_fragment: dialog.is_yes(DF_BIT),
                    tos: narrow(dialog.number(TOS)),
                    ..PingRequest::new(destination)
                };
                let [least, greatest, interval] = [SWEEP_LEAST, SWEEP_GREATEST, SWEEP_INTERVAL].map(size);
                if greatest < least {
                    return Err(Complaint::Refused("% Sweep max size is less than the min size".to_owned()));
                }
                let sweep = dialog.is_yes(SWEEP).then_some(Sweep { least, greatest, interval });
                self.send_pings(request, sweep)
            }
            Probe::Traceroute => self.trace(TracerouteRequest {
                source,
                probes: narrow(dialog.number(PROBES)),
                timeout: std::time::Duration::from_secs(dialog.number(TRACE_SECONDS).into()),
                min_ttl: narrow(dialog.number(LEAST_TTL)),
                max_ttl: narrow(dialog.number(GREATEST_TTL)),
                port: u16::try_from(dialog.number(PORT)).unwrap_or(u16::MAX),
                ..TracerouteRequest::new(destination)
            }),
        }
    }

    /// Refuses an answer that is none.
    fn check(&mut self, step: Step, answer: &str) -> Result<(), Complaint> {
        let refuse = |text: String| Err(Complaint::Refused(text));
        match step.kind {
            Kind::Protocol if !answer.is_empty() && !abbreviates(answer, "ip") => {
                Err(Complaint::Unsupported(format!("the protocol {answer}")))
            }
            Kind::Target if answer.is_empty() => refuse("% Bad IP address".to_owned()),
            Kind::Target => self.resolve(answer).map(drop),
            Kind::Number { least, greatest } if !answer.is_empty() => {
                match answer.parse().ok().filter(|number| (least..=greatest).contains(number)) {
                    Some(_) => Ok(()),
                    None => refuse(format!("% A decimal number between {least} and {greatest}.")),
                }
            }
            Kind::Choice if !answer.is_empty() && !is_yes(answer) && !abbreviates(answer, "no") => {
                refuse("% Please answer 'yes' or 'no'.".to_owned())
            }
            Kind::Source => self.source_named(answer).map(drop),
            Kind::Fixed if !answer.is_empty() && !abbreviates(answer, step.default) => {
                let what = step.text.split(['[', '?', ':']).next().unwrap_or_default().trim_end();
                Err(Complaint::Unsupported(format!("{what} {answer}")))
            }
            _ => Ok(()),
        }
    }
}
