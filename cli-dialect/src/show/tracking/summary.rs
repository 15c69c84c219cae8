//! `show ip sla summary`.
//!
//! Row fields: `operation`, `active`, `type` (`icmp-echo`), `destination`, `rtt` (ms; null without an answer), `return_code`, `last_run` (`21 seconds ago`).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::return_code;
use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, ShowContext, row};

/// The record of `show ip sla summary`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlaSummary {
    /// The operations by number.
    pub operations: Vec<Entry>,
}

/// An operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number.
    pub operation: u32,
    /// It is scheduled.
    pub active: bool,
    /// `icmp-echo`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Who is asked.
    pub destination: Ipv4Addr,
    /// Round trip of the last one in ms.
    pub rtt: Option<u32>,
    /// `OK`, `Timeout`, `Unknown`.
    pub return_code: String,
    /// `21 seconds ago`.
    pub last_run: String,
}

impl SlaSummary {
    /// The operations of a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let router = context.router();
        let operations = router.config().sla.iter().filter_map(|(&number, config)| {
            let state = router.tracking().operation(number);
            let ago = state.and_then(|state| state.started).map(|at| context.now().since(at).as_secs());
            let rtt = state.and_then(|state| state.rtt);
            Some(Entry {
                operation: number,
                active: config.scheduled,
                kind: "icmp-echo".to_owned(),
                destination: config.target?,
                rtt: rtt.map(|rtt| u32::try_from(rtt.as_millis().max(1)).unwrap_or(u32::MAX)),
                return_code: return_code(state.and_then(|state| state.last)).replace(' ', ""),
                last_run: ago.map_or_else(|| "-".to_owned(), |seconds| format!("{seconds} seconds ago")),
            })
        });
        Self { operations: operations.collect() }
    }
}

const HEADING: &str = "IPSLAs Latest Operation Summary\nCodes: * active, ^ inactive, ~ pending\nAll Stats are in milliseconds. Stats with u are in microseconds\n\n\
    ID           Type        Destination       Stats       ReturnCode  LastRun\n-----------------------------------------------------------------------\n";

impl Record for SlaSummary {
    fn render(&self) -> String {
        let mut out = HEADING.to_owned();
        for Entry { operation, active, kind, destination, rtt, return_code, last_run } in &self.operations {
            let id = format!("{}{operation}", if *active { "*" } else { "~" });
            let stats = rtt.map_or_else(|| "-".to_owned(), |rtt| format!("RTT={rtt}"));
            out.push_str(&format!(
                "{id:<12} {kind:<11} {destination:<17} {stats:<11} {return_code:<11} {last_run}\n"
            ));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text).into_iter().filter(|line| line.text.starts_with(['*', '^', '~'])) {
            let words = line.words();
            let [id, kind, destination, stats, code, last @ ..] = words.as_slice() else {
                return Err(line.error("id, type, destination, stats, return code, last run"));
            };
            let rtt = stats.strip_prefix("RTT=");
            record.operations.push(Entry {
                operation: line.value(id.trim_start_matches(['*', '^', '~']), "a number")?,
                active: id.starts_with('*'),
                kind: (*kind).to_owned(),
                destination: line.value(destination, "an address")?,
                rtt: rtt.map(|rtt| line.value(rtt, "a time")).transpose()?,
                return_code: (*code).to_owned(),
                last_run: last.join(" "),
            });
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
        fn entry()(
            operation in any::<u32>(), active in any::<bool>(), destination in arbitrary::address(), rtt in prop::option::of(any::<u32>()),
            return_code in arbitrary::word(&["OK", "Timeout"]), last_run in arbitrary::word(&["-", "21 seconds ago"]),
        ) -> Entry {
            Entry { operation, active, kind: "icmp-echo".to_owned(), destination, rtt, return_code, last_run }
        }
    }

    proptest! {
        #[test]
        fn round_trip(operations in prop::collection::vec(entry(), 0..4)) {
            let record = SlaSummary { operations };
            prop_assert_eq!(SlaSummary::parse(&record.render()), Ok(record));
        }
    }
}
