//! `show ip eigrp traffic`.
//!
//! Row fields, one row for each process: `as_number`, `name`, `vrf`, and for `hellos`, `updates`, `queries`, `replies`, `acks`, `sia_queries`,
//! `sia_replies` the packets with `_sent` and `_received` behind it.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Heading, heading};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip eigrp traffic`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpEigrpTraffic {
    /// Processes by AS number.
    pub processes: Vec<Process>,
}

/// What a process has sent and received.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Which.
    #[serde(flatten)]
    pub heading: Heading,
    /// Sent and received, in the order of [`KINDS`].
    pub counts: [(u64, u64); KINDS.len()],
}

/// The kinds of packets, as they are printed, and as fields.
pub const KINDS: [(&str, &str); 7] = [
    ("Hellos", "hellos"),
    ("Updates", "updates"),
    ("Queries", "queries"),
    ("Replies", "replies"),
    ("Acks", "acks"),
    ("SIA-Queries", "sia_queries"),
    ("SIA-Replies", "sia_replies"),
];

impl Record for IpEigrpTraffic {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { heading, counts } in &self.processes {
            out.push_str(&format!("{}\n", heading.text("Traffic Statistics for")));
            for ((kind, _), (sent, received)) in KINDS.iter().zip(counts) {
                out.push_str(&format!("  {kind} sent/received: {sent}/{received}\n"));
            }
            out.push_str(
                "  Hello Process ID: 270\n  PDM Process ID: 251\n  \
                 Socket Queue: 0/10000/0/0 (current/max/highest/drops)\n  \
                 Input Queue: 0/2000/0/0 (current/max/highest/drops)\n\n",
            );
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some(heading) = heading(line, "traffic statistics for") {
                record.processes.push(Process { heading, counts: Default::default() });
                continue;
            }
            let process = record.processes.last_mut();
            let process = process.ok_or_else(|| line.error("`EIGRP-IPv4 Traffic Statistics for AS(N)`"))?;
            read(line, &mut process.counts)?;
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |process: &Process| {
            let mut fields = row(&process.heading);
            for ((_, name), (sent, received)) in KINDS.iter().zip(process.counts) {
                fields.insert(format!("{name}_sent"), json!(sent));
                fields.insert(format!("{name}_received"), json!(received));
            }
            fields
        };
        self.processes.iter().map(of).collect()
    }
}

/// Takes in a line; queues and process numbers are passed over.
fn read(line: Line<'_>, counts: &mut [(u64, u64); KINDS.len()]) -> Result<(), ParseError> {
    let Some([kind, sent, received]) = line.holes("{} sent/received: {}/{}") else { return Ok(()) };
    for ((name, _), count) in KINDS.iter().zip(counts) {
        if *name == kind {
            *count = (line.value(sent, "a count")?, line.value(received, "a count")?);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::heading;
    use super::*;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((heading(), any::<[(u64, u64); 7]>()), 0..3)) {
            let processes = list.into_iter().map(|(heading, counts)| Process { heading, counts }).collect();
            let record = IpEigrpTraffic { processes };
            prop_assert_eq!(IpEigrpTraffic::parse(&record.render()), Ok(record));
        }
    }
}
