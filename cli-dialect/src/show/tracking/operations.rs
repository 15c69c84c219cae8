//! `show ip sla statistics [N]`.
//!
//! Row fields: `operation`, `rtt` (ms; null without an answer), `start_time`, `return_code`, `successes`, `failures`.

use netconfarena_emu::tracking::SlaState;
use serde::{Deserialize, Serialize};

use super::return_code;
use super::summary::SlaSummary;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, kw, plain};
use crate::show::clock::Clock;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of `show ip sla statistics`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlaStatistics {
    /// The operations by number.
    pub operations: Vec<Operation>,
}

/// An operation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operation {
    /// Its number.
    pub operation: u32,
    /// Round trip of the last one in ms; `None` without an answer.
    pub rtt: Option<u32>,
    /// When the last one began: `00:12:31 UTC Mon Nov 30 2026`.
    pub start_time: Option<String>,
    /// `OK`, `Timeout`, `Over threshold`, `Unknown`.
    pub return_code: String,
    /// Operations with an answer.
    pub successes: u64,
    /// Operations without.
    pub failures: u64,
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        let only = args.int("sla-number");
        let record = SlaStatistics::collect(context, only);
        match only {
            Some(number) if record.operations.is_empty() => {
                Err(Complaint::Refused(format!("%Entry {number} not found")))
            }
            _ => Ok(record.render()),
        }
    }
    let run: ShowHandler = show;
    let summary: ShowHandler = |context, _| Ok(SlaSummary::collect(context).render());
    vec![
        kw("ip", "IP information").then([kw("sla", "Service Level Agreement (SLA)").then([
            kw("statistics", "SLA operation statistics").run(run).then([int(
                "sla-number",
                1,
                2_147_483_647,
                "Entry Number",
            )
            .run(run)]),
            plain("summary", "SLA operations summary", summary),
        ])]),
    ]
}

impl SlaStatistics {
    /// The operations of a router, or one of them.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, only: Option<u32>) -> Self {
        let all = context.router().tracking().operations();
        let wanted = all.filter(|(number, _)| only.is_none_or(|only| only == *number));
        Self { operations: wanted.map(|(number, state)| operation(number, state)).collect() }
    }
}

fn operation(number: u32, state: &SlaState) -> Operation {
    let clock = |at| {
        let Clock { time, timezone, weekday, month, day, year, .. } = Clock::at(at);
        let time = time.split('.').next().unwrap_or_default().to_owned();
        format!("{time} {timezone} {weekday} {month} {day} {year}")
    };
    Operation {
        operation: number,
        rtt: state.rtt.map(|rtt| u32::try_from(rtt.as_millis().max(1)).unwrap_or(u32::MAX)),
        start_time: state.started.map(clock),
        return_code: return_code(state.last).to_owned(),
        successes: state.successes,
        failures: state.failures,
    }
}

impl Operation {
    fn render(&self, out: &mut String) {
        let rtt = match self.rtt {
            Some(rtt) => format!("{rtt} milliseconds"),
            None => "NoConnection/Busy/Timeout".to_owned(),
        };
        let started = self.start_time.as_deref().unwrap_or("never");
        out.push_str(&format!(
            "IPSLA operation id: {}\n        Latest RTT: {rtt}\nLatest operation start time: {started}\n\
             Latest operation return code: {}\nNumber of successes: {}\nNumber of failures: {}\n\
             Operation time to live: Forever\n\n\n",
            self.operation, self.return_code, self.successes, self.failures
        ));
    }

    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([rtt]) = line.holes("Latest RTT: {} milliseconds") {
            self.rtt = Some(line.value(rtt, "a time")?);
        } else if let Some([time]) = line.holes("Latest operation start time: {}") {
            self.start_time = Some(time.to_owned()).filter(|time| time != "never");
        } else if let Some([code]) = line.holes("Latest operation return code: {}") {
            self.return_code = code.to_owned();
        } else if let Some([count]) = line.holes("Number of successes: {}") {
            self.successes = line.value(count, "a count")?;
        } else if let Some([count]) = line.holes("Number of failures: {}") {
            self.failures = line.value(count, "a count")?;
        }
        Ok(())
    }
}

impl Record for SlaStatistics {
    fn render(&self) -> String {
        let mut out = "IPSLAs Latest Operation Statistics\n\n".to_owned();
        self.operations.iter().for_each(|operation| operation.render(&mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([number]) = line.holes("IPSLA operation id: {}") {
                let operation = line.value(number, "a number")?;
                record.operations.push(Operation { operation, ..Operation::default() });
            } else if let Some(operation) = record.operations.last_mut() {
                operation.read(line)?;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.operations.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn operation()(
            operation in any::<u32>(), rtt in prop::option::of(any::<u32>()), start_time in prop::option::of(Just("00:12:31 UTC Mon Nov 30 2026".to_owned())),
            return_code in arbitrary::word(&["OK", "Over threshold", "Timeout"]), counts in any::<[u64; 2]>(),
        ) -> Operation {
            let [successes, failures] = counts;
            Operation { operation, rtt, start_time, return_code, successes, failures }
        }
    }

    proptest! {
        #[test]
        fn round_trip(operations in prop::collection::vec(operation(), 0..4)) {
            let record = SlaStatistics { operations };
            prop_assert_eq!(SlaStatistics::parse(&record.render()), Ok(record));
        }
    }
}
