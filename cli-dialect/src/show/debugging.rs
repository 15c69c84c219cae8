//! `show debugging`.
//!
//! Row fields, one row for each `debug` command in force: `protocol` (`OSPF`), `topic` (`adjacency`, `hello`), `process_id` (null: all).

use netconfarena_emu::debugging::{DebugOption, DebugTopic};
use serde::{Deserialize, Serialize};

use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::grammar::{Spec, plain};

/// The record of `show debugging`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Debugging {
    /// What is watched, by protocol.
    pub options: Vec<Entry>,
}

/// A `debug` command that is in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// `OSPF`.
    pub protocol: String,
    /// `adjacency`, `hello`.
    pub topic: String,
    /// The process; `None` is all.
    pub process_id: Option<u16>,
}

impl Entry {
    /// From what a router watches.
    #[must_use]
    pub fn of(option: DebugOption) -> Self {
        let topic = match option.topic {
            DebugTopic::OspfHello => "hello",
            DebugTopic::OspfAdjacency => "adjacency",
        };
        Self { protocol: "OSPF".to_owned(), topic: topic.to_owned(), process_id: option.process }
    }

    /// `OSPF adjacency debugging is on`, which `debug` answers, too.
    #[must_use]
    pub fn line(&self, on: bool) -> String {
        let state = if on { "on" } else { "off" };
        let process = self.process_id.map_or_else(String::new, |process| format!(" for process {process}"));
        format!("{} {} debugging is {state}{process}", self.protocol, self.topic)
    }

    fn parse(line: Line<'_>) -> Result<Self, ParseError> {
        let whole = line.holes("{} {} debugging is on for process {}");
        let fields = whole.or_else(|| line.holes("{} {} debugging is on").map(|[p, t]| [p, t, ""]));
        let Some([protocol, topic, process]) = fields else {
            return Err(line.error("`X Y debugging is on`"));
        };
        let process_id = if process.is_empty() { None } else { Some(line.value(process, "a process id")?) };
        Ok(Self { protocol: protocol.to_owned(), topic: topic.to_owned(), process_id })
    }
}

impl Debugging {
    /// From a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        Self { options: context.router().debugging().options().map(Entry::of).collect() }
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    vec![plain("debugging", "State of each debugging option", |context, _| {
        Ok(Debugging::collect(context).render())
    })]
}

impl Record for Debugging {
    fn render(&self) -> String {
        let mut out = String::new();
        for protocol in self.options.chunk_by(|a, b| a.protocol == b.protocol) {
            out.extend(protocol.first().map(|entry| format!("{}:\n", entry.protocol)));
            out.extend(protocol.iter().map(|entry| format!("  {}\n", entry.line(true))));
            out.push('\n');
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let entries = lines(text).into_iter().filter(|line| !line.text.ends_with(':'));
        Ok(Self { options: entries.map(Entry::parse).collect::<Result<_, _>>()? })
    }

    fn rows(&self) -> Vec<Row> {
        self.options.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(options in prop::collection::vec((any::<bool>(), any::<Option<u16>>()), 0..4)) {
            let entry = |(hello, process)| {
                let topic = if hello { DebugTopic::OspfHello } else { DebugTopic::OspfAdjacency };
                Entry::of(DebugOption { topic, process })
            };
            let record = Debugging { options: options.into_iter().map(entry).collect() };
            prop_assert_eq!(Debugging::parse(&record.render()), Ok(record));
        }
    }
}
