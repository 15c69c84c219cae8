//! The output of `traceroute`.
//!
//! One row for each answer line of each hop: `hop`, `address` (null if nobody answered), `name` (null without), `probes`
//! (`1 msec`, `*`, `!H`, ...), `reached` (true on rows of the destination itself), `destination`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::text::{Line, lines};
use super::{ParseError, Record, Row, row};

/// The record of a traceroute.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Traceroute {
    /// Where to, as printed.
    pub destination: String,
    /// Answers in the order of the hops.
    pub answers: Vec<Answer>,
}

/// What one router answered to probes of one hop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// Time to live of the probes.
    pub hop: u8,
    /// Who answered; `None` if nobody has yet.
    pub address: Option<Ipv4Addr>,
    /// The name of who answered.
    pub name: Option<String>,
    /// One entry for each probe: `12 msec`, `*`, `!H`, `!N`, `!A`.
    pub probes: Vec<String>,
}

impl Record for Traceroute {
    fn render(&self) -> String {
        let mut out = format!(
            "Type escape sequence to abort.\nTracing the route to {}\nVRF info: (vrf in name/id, vrf out name/id)\n",
            self.destination
        );
        let mut last = None;
        for answer in &self.answers {
            if last == Some(answer.hop) {
                out.push_str("    ");
            } else {
                out.push_str(&format!("{:>3} ", answer.hop));
            }
            last = Some(answer.hop);
            match (answer.address, &answer.name) {
                (Some(address), Some(name)) => out.push_str(&format!("{name} ({address}) ")),
                (Some(address), None) => out.push_str(&format!("{address} ")),
                (None, _) => {}
            }
            if answer.address.is_none() {
                out.push(' ');
            }
            for (number, probe) in (1..).zip(&answer.probes) {
                // What is not a time is parted from the next by another blank.
                let is_time = probe.ends_with("msec");
                let pad = if is_time || number == answer.probes.len() { " " } else { "  " };
                out.push_str(&format!("{probe}{pad}"));
            }
            out.push('\n');
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut destination = None;
        let mut answers: Vec<Answer> = Vec::new();
        for line in lines(text) {
            if let Some([to]) = line.holes("Tracing the route to {}") {
                destination = Some(to.to_owned());
            } else if destination.is_some() && !line.text.starts_with("VRF info") {
                let hop = answers.last().map(|a| a.hop);
                answers.push(answer(line, hop)?);
            }
        }
        let destination = destination.ok_or(ParseError::missing("`Tracing the route to ...`"))?;
        Ok(Self { destination, answers })
    }

    fn rows(&self) -> Vec<Row> {
        let target = self.destination.rsplit(['(', ' ']).next().unwrap_or_default().trim_end_matches(')');
        let with = |answer: &Answer| {
            let mut row = row(answer);
            let reached = answer.address.is_some_and(|a| a.to_string() == target)
                && answer.probes.iter().any(|p| p.ends_with("msec"));
            row.insert("reached".to_owned(), Value::Bool(reached));
            row.insert("destination".to_owned(), Value::String(target.to_owned()));
            row
        };
        self.answers.iter().map(with).collect()
    }
}

fn answer(line: Line<'_>, last: Option<u8>) -> Result<Answer, ParseError> {
    let words = line.words();
    let mut words = words.as_slice();
    // A hop number stands in the first three columns, a further answer further right.
    let numbered = line.text.bytes().take(3).any(|b| b.is_ascii_digit());
    let hop = match (numbered, words, last) {
        (true, [hop, rest @ ..], _) => {
            words = rest;
            line.value(hop, "a hop number")?
        }
        (_, _, Some(hop)) => hop,
        _ => return Err(line.error("a hop number")),
    };
    let mut answer = Answer { hop, address: None, name: None, probes: Vec::new() };
    if let [first, rest @ ..] = words {
        if let Ok(address) = first.parse() {
            answer.address = Some(address);
            words = rest;
        } else if let [second, rest @ ..] = rest
            && let Some(address) = second.strip_prefix('(').and_then(|w| w.strip_suffix(')'))
        {
            answer.address = Some(line.value(address, "an address")?);
            answer.name = Some((*first).to_owned());
            words = rest;
        }
    }
    let mut probes = words.iter().peekable();
    while let Some(&word) = probes.next() {
        if word == "*" || word == "?" || word.starts_with('!') {
            answer.probes.push(word.to_owned());
        } else if word.parse::<u32>().is_ok() && probes.next_if(|w| **w == "msec").is_some() {
            answer.probes.push(format!("{word} msec"));
        } else if !word.starts_with('[') && !word.ends_with(']') && word.parse::<u32>().is_err() {
            return Err(line.error("`N msec`, `*` or `!X`"));
        }
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(hops in prop::collection::vec((1u8..=30, prop::option::of(any::<u32>()), prop::option::of("[a-z]{1,8}\\.net"),
            prop::collection::vec(prop_oneof!["[0-9]{1,3} msec", Just("*".to_owned()), "![HNA]"], 1..4)), 0..8))
        {
            let mut answers: Vec<Answer> = hops.into_iter().map(|(hop, address, name, probes)| {
                let address: Option<Ipv4Addr> = address.map(Into::into);
                Answer { hop, name: name.filter(|_| address.is_some()), address, probes }
            }).collect();
            answers.sort_by_key(|a| a.hop);
            let record = Traceroute { destination: "10.0.0.1".to_owned(), answers };
            prop_assert_eq!(Traceroute::parse(&record.render()), Ok(record));
        }
    }
}
