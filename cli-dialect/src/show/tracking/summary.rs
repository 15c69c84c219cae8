//! `show ip sla summary`.
//!
//! Two layouts are read: the one of today, which is also printed, and that of IOS 12.4 and 15.1 with the columns `State` and `Stats(ms)`.
//!
//! Row fields: `operation`, `active`, `type` (`icmp-echo`), `destination`, `rtt` (ms; null without an answer), `return_code`, `last_run` (`21 seconds ago`).

use serde::{Deserialize, Serialize};

use super::return_code;
use crate::show::text::{Line, lines};
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
    /// Who is asked: an address of either family, or a name (text, since outputs also show what is no valid address).
    pub destination: String,
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
                destination: config.target?.to_string(),
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
        let lines = lines(text);
        let with_state = lines.iter().any(|line| line.text.contains("Stats(ms)"));
        for line in lines {
            let entry = if with_state { Entry::with_state(&line)? } else { Entry::with_code(&line)? };
            record.operations.extend(entry);
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.operations.iter().map(row).collect()
    }
}

impl Entry {
    /// A line of today's layout: `*1 icmp-echo 10.0.0.1 RTT=1 OK 21 seconds ago`; none for a heading.
    fn with_code(line: &Line<'_>) -> Result<Option<Self>, ParseError> {
        if !line.text.starts_with(['*', '^', '~']) {
            return Ok(None);
        }
        let words = line.words();
        let [id, kind, destination, stats, code, last @ ..] = words.as_slice() else {
            return Err(line.error("id, type, destination, stats, return code, last run"));
        };
        let rtt = stats.strip_prefix("RTT=");
        Ok(Some(Self {
            operation: line.value(id.trim_start_matches(['*', '^', '~']), "a number")?,
            active: id.starts_with('*'),
            kind: (*kind).to_owned(),
            destination: (*destination).to_owned(),
            rtt: rtt.map(|rtt| line.value(rtt, "a time")).transpose()?,
            return_code: (*code).to_owned(),
            last_run: last.join(" "),
        }))
    }

    /// A line of the older layout: `100 icmp-echo 192.0.2.2 Active 100 OK 22:49:53 PST Tue May 3 2011`; none for a heading.
    fn with_state(line: &Line<'_>) -> Result<Option<Self>, ParseError> {
        if !line.text.starts_with(|first: char| first.is_ascii_digit()) {
            return Ok(None);
        }
        let words = line.words();
        let [id, kind, destination, state, stats, code, last @ ..] = words.as_slice() else {
            return Err(line.error("id, type, destination, state, stats, return code, last run"));
        };
        Ok(Some(Self {
            operation: line.value(id, "a number")?,
            active: *state == "Active",
            kind: (*kind).to_owned(),
            destination: (*destination).to_owned(),
            rtt: (*stats != "-").then(|| line.value(stats, "a time")).transpose()?,
            return_code: (*code).to_owned(),
            last_run: last.join(" "),
        }))
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
            Entry { operation, active, kind: "icmp-echo".to_owned(), destination: destination.to_string(), rtt, return_code, last_run }
        }
    }

    proptest! {
        #[test]
        fn round_trip(operations in prop::collection::vec(entry(), 0..4)) {
            let record = SlaSummary { operations };
            prop_assert_eq!(SlaSummary::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn older_layout() {
        let text = "ID       Type      Destination  State   Stats(ms)  ReturnCode  LastRun\n---      ----      -----------  -----   -------  ----------  -------\n\
            101   udp-jitter    192.0.2.2    Active   100      OK       22:49:53 PST Tue May 3 2011\n\
            102   tcp-connect   2001:db8::2    Pending    -      NoConnection  22:49:53 PST Tue May 3 2011\n";
        let read = SlaSummary::parse(text).unwrap().operations;
        assert_eq!((read[0].operation, read[0].active, read[0].rtt), (101, true, Some(100)));
        assert_eq!((read[1].destination.as_str(), read[1].active, read[1].rtt), ("2001:db8::2", false, None));
        assert_eq!(read[1].last_run, "22:49:53 PST Tue May 3 2011");
    }
}
