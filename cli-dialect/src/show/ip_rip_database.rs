//! `show ip rip database`.
//!
//! Row fields, one row for each way, or for a network without one: `prefix`, `kind` (`auto-summary`, `int-summary`, `connected`, `redistributed`,
//! `learned`, `down`), `metric`, `next_hop`, `from`, `age` (s), `interface`.

mod collect;

pub(super) use collect::table;

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::age::Age;
use super::text::{Line, lines};
use super::{ParseError, Record, Row, row};

/// The record of `show ip rip database`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpRipDatabase {
    /// The networks in the order of their prefixes.
    pub networks: Vec<Network>,
}

/// A network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// Prefix.
    pub prefix: Ipv4Net,
    /// What it is.
    pub kind: Kind,
    /// Ways to it.
    pub paths: Vec<Path>,
}

/// What a network of the database is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// The classful network of others.
    AutoSummary,
    /// `ip summary-address rip`.
    InterfaceSummary,
    /// A subnet of an interface, whose full name this is.
    Connected(String),
    /// From another protocol.
    Redistributed,
    /// From a neighbor.
    Learned,
    /// Held down: nobody reaches it any more.
    Down,
}

/// How a network that is held down is shown.
const DOWN: &str = "is possibly down";

impl Kind {
    const fn word(&self) -> &'static str {
        match self {
            Self::AutoSummary => "auto-summary",
            Self::InterfaceSummary => "int-summary",
            Self::Connected(_) => "connected",
            Self::Redistributed => "redistributed",
            Self::Learned => "learned",
            Self::Down => "down",
        }
    }
}

/// A way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// Metric.
    pub metric: u8,
    /// Next hop; 0.0.0.0 is the router itself.
    pub next_hop: Ipv4Addr,
    /// The neighbor that told, where it is another than the next hop.
    pub from: Option<Ipv4Addr>,
    /// Since it was last heard.
    pub age: Option<Age>,
    /// Full name of the interface.
    pub interface: Option<String>,
}

impl Record for IpRipDatabase {
    fn render(&self) -> String {
        let mut out = String::new();
        for Network { prefix, kind, paths } in &self.networks {
            match kind {
                Kind::Connected(interface) => {
                    out.push_str(&format!("{prefix}    directly connected, {interface}\n"));
                }
                Kind::Down => out.push_str(&format!("{prefix}    {DOWN}\n")),
                Kind::Learned => out.push_str(&format!("{prefix}\n")),
                kind => out.push_str(&format!("{prefix}    {}\n", kind.word())),
            }
            for Path { metric, next_hop, from, age, interface } in paths {
                let mut fields = vec![format!("[{metric}] via {next_hop}")];
                fields.extend(from.map(|from| format!("from {from}")));
                fields.extend(age.map(|age| age.to_string()));
                fields.extend(interface.clone());
                let end = if interface.is_none() { "," } else { "" };
                out.push_str(&format!("    {}{end}\n", fields.join(", ")));
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let trimmed = line.text.trim();
            if trimmed.starts_with('[') {
                let network = record.networks.last_mut().ok_or_else(|| line.error("a network"))?;
                network.paths.push(path(line, trimmed)?);
            } else if !trimmed.starts_with('%') {
                record.networks.push(network(line, trimmed)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for Network { prefix, kind, paths } in &self.networks {
            let of = |path: Option<&Path>| {
                let connected = match kind {
                    Kind::Connected(interface) => Some(interface),
                    _ => None,
                };
                row(&json!({
                    "prefix": prefix,
                    "kind": kind.word(),
                    "metric": path.map(|path| path.metric),
                    "next_hop": path.map(|path| path.next_hop),
                    "from": path.and_then(|path| path.from),
                    "age": path.and_then(|path| path.age),
                    "interface": path.and_then(|path| path.interface.as_ref()).or(connected),
                }))
            };
            if paths.is_empty() {
                rows.push(of(None));
            }
            rows.extend(paths.iter().map(|path| of(Some(path))));
        }
        rows
    }
}

fn network(line: Line<'_>, text: &str) -> Result<Network, ParseError> {
    let (prefix, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let kind = match rest.trim() {
        "" => Kind::Learned,
        "auto-summary" => Kind::AutoSummary,
        "int-summary" => Kind::InterfaceSummary,
        DOWN => Kind::Down,
        "redistributed" => Kind::Redistributed,
        other => {
            let interface = other.strip_prefix("directly connected, ");
            Kind::Connected(interface.ok_or_else(|| line.error("what the network is"))?.to_owned())
        }
    };
    Ok(Network { prefix: line.value(prefix, "a prefix")?, kind, paths: Vec::new() })
}

/// `[1] via A, [from B, ][00:00:08, ]INTERFACE`, or with nothing behind the last comma.
fn path(line: Line<'_>, text: &str) -> Result<Path, ParseError> {
    let mut fields = text.trim_end_matches(',').split(", ").map(str::trim);
    let head = fields.next().unwrap_or_default();
    let (metric, hop) = head
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("] via "))
        .ok_or_else(|| line.error("`[METRIC] via A, ...`"))?;
    let mut path = Path {
        metric: line.value(metric, "a metric")?,
        next_hop: line.value(hop, "a next hop")?,
        from: None,
        age: None,
        interface: None,
    };
    for field in fields.filter(|field| !field.is_empty()) {
        if let Some(from) = field.strip_prefix("from ") {
            path.from = Some(line.value(from, "an address")?);
        } else if let (None, Ok(age)) = (path.age, field.parse()) {
            path.age = Some(age);
        } else {
            path.interface = Some(field.to_owned());
        }
    }
    Ok(path)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    prop_compose! {
        fn path()(metric in any::<u8>(), next_hop in arbitrary::address(), from in prop::option::of(arbitrary::address()), age in prop::option::of(arbitrary::age()),
            interface in prop::option::of(arbitrary::interface())) -> Path {
            Path { metric, next_hop, from, age, interface }
        }
    }

    fn kind() -> impl Strategy<Value = Kind> {
        prop_oneof![
            Just(Kind::AutoSummary),
            Just(Kind::InterfaceSummary),
            arbitrary::interface().prop_map(Kind::Connected),
            Just(Kind::Redistributed),
            Just(Kind::Down),
            Just(Kind::Learned),
        ]
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::prefix(), kind(), prop::collection::vec(path(), 0..3)), 0..6)) {
            let networks = list.into_iter().map(|(prefix, kind, paths)| Network { prefix, kind, paths }).collect();
            let record = IpRipDatabase { networks };
            prop_assert_eq!(IpRipDatabase::parse(&record.render()), Ok(record));
        }
    }
}
