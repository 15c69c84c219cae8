//! Records that list something process by process.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::selection::Running;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// What is listed.
pub trait Entry: Sized + Serialize {
    /// What stands between the heading of a process and its entries.
    const INTRO: &'static str;

    /// Appends the entry's lines.
    fn render(&self, out: &mut String);

    /// Takes in a line: it begins an entry, or belongs to the last one.
    ///
    /// # Errors
    /// The line is neither.
    fn read(entries: &mut Vec<Self>, line: Line<'_>) -> Result<(), ParseError>;
}

/// A list for each process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByProcess<T> {
    /// The processes by number.
    pub processes: Vec<Process<T>>,
}

/// The list of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process<T> {
    /// Router id.
    pub router_id: Option<Ipv4Addr>,
    /// Number.
    pub process_id: u16,
    /// The list.
    pub entries: Vec<T>,
}

impl<T> ByProcess<T> {
    /// The list of each running process.
    pub fn collect(running: &[Running<'_>], entries: impl Fn(&Running<'_>) -> Vec<T>) -> Self {
        let process = |running: &Running<'_>| Process {
            router_id: Some(running.router_id.0),
            process_id: running.process.process_id,
            entries: entries(running),
        };
        Self { processes: running.iter().map(process).collect() }
    }
}

/// The line above what a process lists.
pub fn heading(router_id: Ipv4Addr, process_id: u16) -> String {
    format!("\n            OSPF Router with ID ({router_id}) (Process ID {process_id})\n\n")
}

/// `OSPF Router with ID (A) (Process ID N)`: the two.
///
/// # Errors
/// One of them is malformed.
pub fn parse_heading(line: Line<'_>) -> Result<Option<(Ipv4Addr, u16)>, ParseError> {
    let found = line
        .holes("OSPF Router with ID ({}) (Process ID {})")
        .or_else(|| line.holes("OSPF Router with id({}) (Process ID {})"));
    let Some([id, process]) = found else { return Ok(None) };
    let process = process.split(", VRF").next().unwrap_or(process).trim_end_matches(')');
    Ok(Some((line.value(id, "a router id")?, line.value(process, "a process id")?)))
}

impl<T: Entry> Record for ByProcess<T> {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { router_id, process_id, entries } in &self.processes {
            if let Some(id) = router_id {
                out.push_str(&heading(*id, *process_id));
            }
            out.push_str(T::INTRO);
            entries.iter().for_each(|entry| entry.render(&mut out));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self { processes: Vec::new() };
        for line in lines(text) {
            if let Some((router_id, process_id)) = parse_heading(line)? {
                record.processes.push(Process {
                    router_id: Some(router_id),
                    process_id,
                    entries: Vec::new(),
                });
            } else if !T::INTRO.lines().any(|intro| !intro.trim().is_empty() && line.is(intro)) {
                let process = record.processes.last_mut();
                let process =
                    process.ok_or_else(|| line.error("`OSPF Router with ID (A) (Process ID N)`"))?;
                T::read(&mut process.entries, line)?;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |process: &Process<T>| -> Vec<Row> {
            let start = row(&json!({ "router_id": process.router_id, "process_id": process.process_id }));
            let with = |entry: Row| start.clone().into_iter().chain(entry).collect();
            process.entries.iter().map(row).filter(|entry| !entry.is_empty()).map(with).collect()
        };
        self.processes.iter().flat_map(of).collect()
    }
}

/// The round trip of a list of entries in two processes.
#[cfg(test)]
pub(super) fn assert_round_trip<T: Entry + Clone + PartialEq + std::fmt::Debug>(
    entries: Vec<T>,
) -> Result<(), proptest::test_runner::TestCaseError> {
    let process = |process_id, entries| Process { router_id: Some(Ipv4Addr::LOCALHOST), process_id, entries };
    let record = ByProcess { processes: vec![process(1, entries), process(2, Vec::new())] };
    proptest::prop_assert_eq!(ByProcess::parse(&record.render()), Ok(record));
    Ok(())
}
