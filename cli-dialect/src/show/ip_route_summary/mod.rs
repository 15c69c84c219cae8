//! `show ip route summary`.
//!
//! Row fields: `source` (`connected`, `ospf 1`, `Total`), `networks`, `subnets`, `replicates`, `overhead`, `memory`. The line of
//! internal entries has `networks` and `memory` only.

mod collect;

use serde::{Deserialize, Serialize};

use super::text::{Line, lines, push_line};
use super::{ParseError, Record, Row, row};

/// The record of `show ip route summary`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpRouteSummary {
    /// `IP routing table name is ...`, e.g. `default (0x0)`.
    pub table: Option<String>,
    /// `IP routing table maximum-paths is ...`.
    pub maximum_paths: Option<u32>,
    /// The lines of the table, `internal` and `Total` included.
    pub sources: Vec<Source>,
}

/// Routes of one source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// `connected`, `ospf 1`, `internal`, `Total`.
    pub source: String,
    /// Classful networks.
    pub networks: u32,
    /// Other prefixes; `None` for `internal`.
    pub subnets: Option<u32>,
    /// Replicated routes.
    pub replicates: Option<u32>,
    /// Octets.
    pub overhead: Option<u32>,
    /// Octets.
    pub memory: u32,
    /// The lines on route types below, e.g. `Intra-area: 0 Inter-area: 0 External-1: 0 External-2: 1`.
    pub details: Vec<String>,
}

impl Record for IpRouteSummary {
    fn render(&self) -> String {
        let mut out = String::new();
        if let Some(table) = &self.table {
            push_line(&mut out, &format!("IP routing table name is {table}"));
        }
        if let Some(paths) = self.maximum_paths {
            push_line(&mut out, &format!("IP routing table maximum-paths is {paths}"));
        }
        push_line(&mut out, "Route Source    Networks    Subnets     Replicates  Overhead    Memory (bytes)");
        let text = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
        for s in &self.sources {
            push_line(
                &mut out,
                &format!(
                    "{:<15} {:<11} {:<11} {:<11} {:<11} {}",
                    s.source,
                    s.networks,
                    text(s.subnets),
                    text(s.replicates),
                    text(s.overhead),
                    s.memory
                ),
            );
            s.details.iter().for_each(|line| push_line(&mut out, &format!("  {line}")));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([table]) = line.holes("IP routing table name is {}") {
                record.table = Some(table.to_owned());
            } else if let Some([paths]) = line.holes("IP routing table maximum-paths is {}") {
                record.maximum_paths = Some(line.value(paths, "a count")?);
            } else if line.text.starts_with("Route Source") {
                // The heading.
            } else if line.is_indented() {
                let last = record.sources.last_mut().ok_or_else(|| line.error("a route source"))?;
                last.details.push(line.text.trim().to_owned());
            } else {
                record.sources.push(source(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let without_details = |source: &Source| {
            let mut row = row(source);
            row.remove("details");
            row
        };
        self.sources.iter().map(without_details).collect()
    }
}

fn source(line: Line<'_>) -> Result<Source, ParseError> {
    let words = line.words();
    // The name may end in a number (`ospf 1`): of the words behind the first, the columns are the last five, four (without
    // replicates) or two.
    let is_two_words = |w: &str| ["ospf", "eigrp", "bgp", "isis"].contains(&w);
    let split = if words.first().is_some_and(|w| is_two_words(w)) { 2 } else { 1 };
    let (name, columns) = words.split_at_checked(split).ok_or_else(|| line.error("a route source"))?;
    let number = |word: &str| line.value::<u32>(word, "a number");
    let mut source = Source { source: name.join(" "), ..Source::default() };
    match columns {
        [networks, memory] => {
            source.networks = number(networks)?;
            source.memory = number(memory)?;
        }
        [networks, subnets, replicates @ .., overhead, memory] if replicates.len() <= 1 => {
            source.networks = number(networks)?;
            source.subnets = Some(number(subnets)?);
            source.replicates = replicates.first().map(|word| number(word)).transpose()?;
            source.overhead = Some(number(overhead)?);
            source.memory = number(memory)?;
        }
        _ => return Err(line.error("networks, subnets, overhead, memory")),
    }
    Ok(source)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(numbers in prop::collection::vec(any::<[u16; 5]>(), 3), details in any::<bool>()) {
            let sources = ["connected", "ospf 1", "Total"].into_iter().zip(numbers).map(|(name, numbers)| {
                let [networks, subnets, replicates, overhead, memory] = numbers.map(u32::from);
                Source {
                    source: name.to_owned(), networks, subnets: Some(subnets), replicates: Some(replicates), overhead: Some(overhead), memory,
                    details: if details { vec!["Intra-area: 0 Inter-area: 0".to_owned()] } else { Vec::new() },
                }
            }).chain([Source { source: "internal".to_owned(), networks: 2, memory: 920, ..Source::default() }]).collect();
            let record = IpRouteSummary { table: Some("default (0x0)".to_owned()), maximum_paths: Some(32), sources };
            prop_assert_eq!(IpRouteSummary::parse(&record.render()), Ok(record));
        }
    }
}
