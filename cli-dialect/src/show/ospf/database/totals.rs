//! `show ip ospf database database-summary`.
//!
//! Row fields: `router_id`, `process_id`, `area` (null for the whole process), `type` (`Router`, `Summary Net`, ...), `count`,
//! `deleted`, `max_age`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::show::ospf::by_process::{self, parse_heading};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf database database-summary`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfDatabaseTotals {
    /// Processes by number.
    pub processes: Vec<Process>,
}

/// The totals of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Router id.
    pub router_id: Ipv4Addr,
    /// Number.
    pub process_id: u16,
    /// Tables: one for each area, one for the process (`None`).
    pub tables: Vec<(Option<String>, Vec<Count>)>,
}

/// A line of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Count {
    /// `Router`, `Summary Net`, `Subtotal`.
    #[serde(rename = "type")]
    pub kind: String,
    /// LSAs.
    pub count: u32,
    /// Of these, deleted.
    pub deleted: u32,
    /// Of these, at MaxAge.
    pub max_age: u32,
    /// Of these, made here from routes of other protocols; told of external LSAs alone.
    pub redistributed: Option<u32>,
}

/// The line of LSAs that others have made: it has one number.
pub(super) const NON_SELF: &str = "Non-self";

impl Count {
    fn render(&self, out: &mut String) {
        let Self { kind, count, deleted, max_age, redistributed } = self;
        if kind == NON_SELF {
            out.push_str(&format!("  {kind:<13} {count:<8}\n"));
            return;
        }
        out.push_str(&format!("  {kind:<13} {count:<8} {deleted:<8} {max_age:<8}\n"));
        if let Some(prefixes) = redistributed {
            let (indent, name) = if kind == "Type-5 Ext" { ("      ", "Type-5") } else { ("    ", "Type-7") };
            out.push_str(&format!("{indent}Prefixes redistributed in {name}  {prefixes}\n"));
        }
    }

    fn parse(line: Line<'_>) -> Result<Self, ParseError> {
        let number = |word: &str| line.value::<u32>(word, "a count");
        let words = line.words();
        let (kind, count, deleted, max_age) = match words.as_slice() {
            [NON_SELF, count] => (NON_SELF.to_owned(), number(count)?, 0, 0),
            [kind @ .., count, deleted, max_age] => {
                (kind.join(" "), number(count)?, number(deleted)?, number(max_age)?)
            }
            _ => return Err(line.error("LSA type, count, delete, max age")),
        };
        Ok(Self { kind, count, deleted, max_age, redistributed: None })
    }
}

impl Record for IpOspfDatabaseTotals {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { router_id, process_id, tables } in &self.processes {
            out.push_str(&by_process::heading(*router_id, *process_id));
            for (number, (area, counts)) in tables.iter().enumerate() {
                out.push_str(if number == 0 { "" } else { "\n" });
                match area {
                    Some(area) => out.push_str(&format!("Area {area} database summary\n")),
                    None => out.push_str(&format!("Process {process_id} database summary\n")),
                }
                out.push_str("  LSA Type      Count    Delete   Maxage\n");
                counts.iter().for_each(|count| count.render(&mut out));
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some((router_id, process_id)) = parse_heading(line)? {
                record.processes.push(Process { router_id, process_id, tables: Vec::new() });
                continue;
            }
            let Some(process) = record.processes.last_mut() else {
                return Err(line.error("`OSPF Router with ID (A) (Process ID N)`"));
            };
            if let Some([area]) = line.holes("Area {} database summary") {
                process.tables.push((Some(area.to_owned()), Vec::new()));
            } else if line.holes::<1>("Process {} database summary").is_some() {
                process.tables.push((None, Vec::new()));
            } else if !line.text.contains("LSA Type") {
                let (_, counts) =
                    process.tables.last_mut().ok_or_else(|| line.error("`... database summary`"))?;
                match (line.holes("Prefixes redistributed in {} {}"), counts.last_mut()) {
                    (Some([_, prefixes]), Some(count)) => {
                        count.redistributed = Some(line.value(prefixes, "a count")?);
                    }
                    _ => counts.push(Count::parse(line)?),
                }
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for Process { router_id, process_id, tables } in &self.processes {
            for (area, counts) in tables {
                let start = row(&json!({ "router_id": router_id, "process_id": process_id, "area": area }));
                rows.extend(counts.iter().map(|count| {
                    let mut fields = start.clone();
                    fields.extend(row(count));
                    fields
                }));
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn count()(
            kind in arbitrary::word(&["Router", "Summary ASBR", "Type-7 Ext", "Type-5 Ext", "Subtotal", NON_SELF]),
            numbers in any::<[u32; 3]>(), prefixes in prop::option::of(any::<u32>()),
        ) -> Count {
            let [count, deleted, max_age] = if kind == NON_SELF { [numbers[0], 0, 0] } else { numbers };
            Count { redistributed: prefixes.filter(|_| kind.starts_with("Type")), kind, count, deleted, max_age }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::address(), any::<u16>(),
            prop::collection::vec((prop::option::of(arbitrary::word(&["0", "51"])), prop::collection::vec(count(), 0..4)), 0..3)), 0..3))
        {
            let of = |(router_id, process_id, tables)| Process { router_id, process_id, tables };
            let record = IpOspfDatabaseTotals { processes: list.into_iter().map(of).collect() };
            prop_assert_eq!(IpOspfDatabaseTotals::parse(&record.render()), Ok(record));
        }
    }
}
