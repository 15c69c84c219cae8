//! `show ip bgp dampening dampened-paths` and `show ip bgp dampening flap-statistics`, and `show ip bgp dampened-paths`.
//!
//! Row fields, one row for each path: `prefix`, `valid`, `damped`, `history`, `best`, `from` (the neighbor), `flaps` and `duration` (of flap statistics, else
//! null), `reuse` (until it is used again; null if it is used), `as_path`, `origin`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::table::{LEGEND, network_text, parse_network};
use crate::show::age::Age;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of both commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpDampened {
    /// Version of the table; `None` without any path, which prints nothing.
    pub version: Option<u32>,
    /// Router id.
    pub router_id: Option<Ipv4Addr>,
    /// `flap-statistics`.
    pub statistics: bool,
    /// The paths in the order of their networks.
    pub paths: Vec<Path>,
}

/// A path that has flapped.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// Destination.
    pub prefix: Ipv4Net,
    /// `*`: the neighbor tells it.
    pub valid: bool,
    /// `d`: it is suppressed.
    pub damped: bool,
    /// `h`: the neighbor has withdrawn it.
    pub history: bool,
    /// `>`.
    pub best: bool,
    /// The neighbor.
    pub from: Option<Ipv4Addr>,
    /// How often it has flapped.
    pub flaps: Option<u32>,
    /// Since it flapped first.
    pub duration: Option<Age>,
    /// Until it is used again.
    pub reuse: Option<Age>,
    /// AS_PATH in words; empty if nothing is known of it any more.
    pub as_path: String,
    /// `i`, `e`, `?`; empty in flap statistics.
    pub origin: String,
}

const PATHS: &str = "     Network          From             Reuse    Path\n";
const STATISTICS: &str = "     Network          From            Flaps Duration Reuse    Path\n";

impl Path {
    fn status(&self) -> String {
        let first = if self.history {
            'h'
        } else if self.valid {
            '*'
        } else {
            ' '
        };
        let second = match (self.damped, self.best) {
            (true, _) => 'd',
            (false, true) => '>',
            (false, false) => ' ',
        };
        format!("{first}{second}")
    }

    fn render(&self, statistics: bool, out: &mut String) {
        let network = network_text(self.prefix);
        let network =
            if network.len() > 16 { format!("{network}\n{:22}", "") } else { format!("{network:<17}") };
        let from = self.from.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let age = |age: Option<Age>| age.map_or_else(String::new, |age| age.to_string());
        let (reuse, path) = (age(self.reuse), &self.as_path);
        out.push_str(&format!(" {}  {network}", self.status()));
        if statistics {
            let flaps = self.flaps.unwrap_or(0);
            out.push_str(&format!("{from:<16}{flaps:<6}{:<9}{reuse:<9}{path}\n", age(self.duration)));
        } else {
            let origin = if path.is_empty() { self.origin.clone() } else { format!(" {}", self.origin) };
            out.push_str(&format!("{from:<17}{reuse:<9}{path}{origin}\n"));
        }
    }

    /// Reads what stands behind the network: columns of fixed width.
    fn read(&mut self, line: Line<'_>, text: &str, statistics: bool) -> Result<(), ParseError> {
        let field = |from: usize, to: usize| text.get(from..to.min(text.len())).map_or("", str::trim);
        let age = |text: &str| (!text.is_empty()).then(|| line.value(text, "an age")).transpose();
        if statistics {
            self.from = Some(line.value(field(0, 16), "a neighbor")?);
            self.flaps = Some(line.value(field(16, 22), "a count")?);
            self.duration = age(field(22, 31))?;
            self.reuse = age(field(31, 40))?;
            self.as_path = field(40, usize::MAX).to_owned();
            return Ok(());
        }
        self.from = Some(line.value(field(0, 17), "a neighbor")?);
        self.reuse = age(field(17, 26))?;
        let path = field(26, usize::MAX);
        let (as_path, origin) = path.rsplit_once(' ').unwrap_or(("", path));
        self.as_path = as_path.trim().to_owned();
        self.origin = origin.to_owned();
        Ok(())
    }
}

impl Record for IpBgpDampened {
    fn render(&self) -> String {
        let (Some(version), Some(router_id)) = (self.version, self.router_id) else { return String::new() };
        let mut out = format!("BGP table version is {version}, local router ID is {router_id}\n{LEGEND}");
        out.push_str(if self.statistics { STATISTICS } else { PATHS });
        self.paths.iter().for_each(|path| path.render(self.statistics, &mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut in_body = false;
        for line in lines(text) {
            if let Some([version, id]) = line.holes("BGP table version is {}, local router ID is {}") {
                record.version = Some(line.value(version, "a version")?);
                record.router_id = Some(line.value(id, "a router id")?);
            } else if line.is(PATHS.trim()) || line.is(STATISTICS.trim()) {
                record.statistics = line.is(STATISTICS.trim());
                in_body = true;
            } else if in_body {
                record.read(line)?;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.paths.iter().map(row).collect()
    }
}

impl IpBgpDampened {
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let expected = "status, network, neighbor, times, path";
        let statistics = self.statistics;
        let digits = line.text.find(|c: char| c.is_ascii_digit()).ok_or_else(|| line.error(expected))?;
        let (status, rest) = line.text.split_at(digits);
        if status.trim().is_empty()
            && let Some(open) = self.paths.last_mut().filter(|path| path.from.is_none())
        {
            return open.read(line, rest, statistics);
        }
        let network = rest.split_whitespace().next().unwrap_or_default();
        let mut path = Path {
            prefix: parse_network(network).ok_or_else(|| line.error("a network"))?,
            valid: status.contains('*'),
            damped: status.contains('d'),
            history: status.contains('h'),
            best: status.contains('>'),
            ..Path::default()
        };
        let behind = rest.get(network.len()..).unwrap_or_default().trim_start();
        if !behind.is_empty() {
            path.read(line, behind, statistics)?;
        }
        self.paths.push(path);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn path()(
            prefix in arbitrary::prefix(), kind in 0..4, from in arbitrary::address(), flaps in 0u32..10_000,
            duration in arbitrary::age(), reuse in prop::option::of(arbitrary::age()),
            as_path in "([1-9][0-9]{0,9}( [1-9][0-9]{0,9}){0,3})?", origin in arbitrary::word(&["i", "e", "?"]),
        ) -> Path {
            let (history, damped, best) = (kind == 0, kind == 1, kind == 2);
            Path {
                prefix, valid: !history, damped, history, best, from: Some(from), flaps: Some(flaps), duration: Some(duration), reuse, as_path, origin,
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(
            version in any::<u32>(), router_id in arbitrary::address(), statistics in any::<bool>(), mut paths in prop::collection::vec(path(), 0..5),
        ) {
            for path in &mut paths {
                if statistics {
                    path.origin = String::new();
                } else {
                    (path.flaps, path.duration) = (None, None);
                }
            }
            let record = IpBgpDampened { version: Some(version), router_id: Some(router_id), statistics, paths };
            prop_assert_eq!(IpBgpDampened::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "     Network          From             Reuse    Path\n \
            *d  10.0.0.0         172.16.232.177   00:18:04 100 ?\n \
            *d  10.2.0.0/24      172.16.232.177   00:28:05 100 ?\n";
        let mut record = IpBgpDampened::parse(text).unwrap();
        (record.version, record.router_id) = (Some(1), Some(Ipv4Addr::LOCALHOST));
        assert!(record.render().ends_with(text), "{}", record.render());
    }
}
