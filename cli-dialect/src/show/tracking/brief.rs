//! `show track brief`.
//!
//! Row fields: `number`, `type` (`interface`, `ip route`, `ip sla`, `list`), `instance`, `parameter`, `state`, `last_change` (s).

use netconfarena_emu::tracking::TrackObject;
use serde::{Deserialize, Serialize};

use crate::show::age::Age;
use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, ShowContext, row};

/// The record of `show track brief`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackBrief {
    /// The objects by number.
    pub objects: Vec<Entry>,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Its number.
    pub number: u16,
    /// What kind of thing is tracked.
    #[serde(rename = "type")]
    pub kind: String,
    /// Which of them; empty of lists.
    pub instance: String,
    /// What of it.
    pub parameter: String,
    /// `Up` or `Down`.
    pub state: String,
    /// Since it changed last.
    pub last_change: Age,
}

impl TrackBrief {
    /// The objects of a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let router = context.router();
        let of = |(number, state): (u16, &netconfarena_emu::tracking::TrackState)| {
            let (kind, instance, parameter) = columns(&router.config().tracks.get(&number)?.object);
            Some(Entry {
                number,
                kind: kind.to_owned(),
                instance,
                parameter: parameter.to_owned(),
                state: if state.up { "Up" } else { "Down" }.to_owned(),
                last_change: Age::from(context.now().since(state.since)),
            })
        };
        Self { objects: router.tracking().objects().filter_map(of).collect() }
    }
}

fn columns(object: &TrackObject) -> (&'static str, String, &'static str) {
    match object {
        TrackObject::LineProtocol(name) => ("interface", name.to_string(), "line-protocol"),
        TrackObject::IpRouting(name) => ("interface", name.to_string(), "ip routing"),
        TrackObject::Route(prefix) => ("ip route", prefix.to_string(), "reachability"),
        TrackObject::SlaState(number) => ("ip sla", number.to_string(), "state"),
        TrackObject::SlaReachability(number) => ("ip sla", number.to_string(), "reachability"),
        TrackObject::List { all: true, .. } => ("list", String::new(), "boolean and"),
        TrackObject::List { .. } => ("list", String::new(), "boolean or"),
    }
}

const HEADING: &str = "Track Type        Instance                   Parameter        State Last Change\n";

impl Record for TrackBrief {
    fn render(&self) -> String {
        let mut out = HEADING.to_owned();
        for Entry { number, kind, instance, parameter, state, last_change } in &self.objects {
            out.push_str(&format!(
                "{number:<5} {kind:<11} {instance:<26} {parameter:<16} {state:<5} {last_change}\n"
            ));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if line.text.starts_with("Track") {
                continue;
            }
            let column = |from: usize, to: usize| line.text.get(from..to.min(line.text.len())).map(str::trim);
            let part = |from, to| column(from, to).ok_or_else(|| line.error("columns"));
            record.objects.push(Entry {
                number: line.value(part(0, 6)?, "a number")?,
                kind: part(6, 18)?.to_owned(),
                instance: part(18, 45)?.to_owned(),
                parameter: part(45, 62)?.to_owned(),
                state: part(62, 68)?.to_owned(),
                last_change: line.value(part(68, usize::MAX)?, "an age")?,
            });
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.objects.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(
            number in 1u16..1000, kind in arbitrary::word(&["ip route", "interface", "list"]), instance in arbitrary::word(&["", "10.0.0.0/8", "Serial0/0"]),
            parameter in arbitrary::word(&["ip routing", "boolean and"]), state in arbitrary::word(&["Up", "Down"]), last_change in arbitrary::age(),
        ) -> Entry {
            Entry { number, kind, instance, parameter, state, last_change }
        }
    }

    proptest! {
        #[test]
        fn round_trip(objects in prop::collection::vec(entry(), 0..4)) {
            let record = TrackBrief { objects };
            prop_assert_eq!(TrackBrief::parse(&record.render()), Ok(record));
        }

        #[test]
        fn no_text_panics(text in ".*") {
            let _ = TrackBrief::parse(&text);
        }
    }
}
