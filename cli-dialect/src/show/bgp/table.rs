//! `show ip bgp`, and the routes that a neighbor was told or has told.
//!
//! Row fields, one row for each path: `prefix`, `valid`, `best`, `internal`, `suppressed`, `damped`, `history`, `rib_failure`, `stale`,
//! `multipath`, `next_hop`, `metric` (null where not printed), `local_preference`, `weight`, `as_path` (`65001 65002`, empty if it begins
//! here), `origin` (`i`, `e`, `?`).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::show::ip_route::classful_length;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgp {
    /// Version of the table; `None` with an empty table, which prints nothing.
    pub version: Option<u32>,
    /// Router id.
    pub router_id: Option<Ipv4Addr>,
    /// Of a VRF's table: its route distinguisher, with the VRF where the device names it: `100:1 (default for vrf RED)`.
    pub distinguisher: Option<String>,
    /// The networks in the order of their prefixes.
    pub networks: Vec<Network>,
    /// `Total number of prefixes`, behind what a neighbor was told or has told.
    pub total: Option<u32>,
}

/// A network with its paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// Destination.
    pub prefix: Ipv4Net,
    /// Paths, at least one.
    pub paths: Vec<Path>,
}

/// A path to a network.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// `*`: the next hop can be reached.
    pub valid: bool,
    /// `>`.
    pub best: bool,
    /// `i`: from a neighbor in our own AS.
    pub internal: bool,
    /// `s`: an aggregate speaks for it.
    pub suppressed: bool,
    /// `d`.
    pub damped: bool,
    /// `h`: withdrawn, remembered by dampening.
    pub history: bool,
    /// `r`: best, but another protocol's route is in the routing table.
    pub rib_failure: bool,
    /// `S`: from before a graceful restart.
    pub stale: bool,
    /// `m`: used beside the best path.
    pub multipath: bool,
    /// Next hop; 0.0.0.0 is the router itself.
    pub next_hop: Option<Ipv4Addr>,
    /// MED.
    pub metric: Option<u32>,
    /// LOCAL_PREF, printed of internal paths.
    pub local_preference: Option<u32>,
    /// Weight.
    pub weight: u32,
    /// AS_PATH in words; empty if it begins here.
    pub as_path: String,
    /// `i`, `e`, `?`.
    pub origin: String,
}

pub(super) const LEGEND: &str = "\
Status codes: s suppressed, d damped, h history, * valid, > best, i - internal, 
              r RIB-failure, S Stale, m multipath, b backup-path, f RT-Filter, 
              x best-external, a additional-path, c RIB-compressed, 
              t secondary path, L long-lived-stale,
Origin codes: i - IGP, e - EGP, ? - incomplete
RPKI validation codes: V valid, I invalid, N Not found

";

const COLUMNS: &str = "     Network          Next Hop            Metric LocPrf Weight Path\n";

impl Path {
    /// The three letters in front.
    fn status(&self) -> String {
        let first = match self {
            Self { suppressed: true, .. } => 's',
            Self { damped: true, .. } => 'd',
            Self { history: true, .. } => 'h',
            Self { rib_failure: true, .. } => 'r',
            Self { stale: true, .. } => 'S',
            Self { valid: true, .. } => '*',
            _ => ' ',
        };
        let second = match (self.best, self.multipath) {
            (true, _) => '>',
            (false, true) => 'm',
            (false, false) => ' ',
        };
        format!("{first}{second}{}", if self.internal { 'i' } else { ' ' })
    }

    fn read_status(&mut self, status: &str) {
        let has = |letter: char| status.contains(letter);
        self.best = has('>');
        self.internal = has('i');
        self.suppressed = has('s');
        self.damped = has('d');
        self.history = has('h');
        self.rib_failure = has('r');
        self.stale = has('S');
        self.multipath = has('m');
        // Only one letter fits there: what is best is valid.
        self.valid = has('*') || self.suppressed || (self.rib_failure && self.best);
    }

    /// Appends the path behind `network`, which is empty for a further path.
    fn render(&self, network: &str, out: &mut String) {
        let network =
            if network.len() > 16 { format!("{network}\n{:23}", "") } else { format!("{network:<16} ") };
        let number = |value: Option<u32>| value.map_or_else(String::new, |value| value.to_string());
        let hop = self.next_hop.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let path = if self.as_path.is_empty() { String::new() } else { format!("{} ", self.as_path) };
        out.push_str(&format!(
            " {}  {network}{hop:<16}{:>10}{:>7}{:>7} {path}{}\n",
            self.status(),
            number(self.metric),
            number(self.local_preference),
            self.weight,
            self.origin
        ));
    }

    /// Reads what stands from the next hop on: columns of fixed width.
    fn read(&mut self, line: Line<'_>, text: &str) -> Result<(), ParseError> {
        let field = |from: usize, to: usize| text.get(from..to.min(text.len())).map_or("", str::trim);
        let number = |text: &str| match text {
            "" => Ok(None),
            digits => line.value::<u32>(digits, "a number").map(Some),
        };
        self.next_hop = Some(line.value(field(0, 16), "a next hop")?);
        self.metric = number(field(16, 26))?;
        self.local_preference = number(field(26, 33))?;
        self.weight = number(field(33, 40))?.unwrap_or(0);
        let path = field(40, usize::MAX);
        let (as_path, origin) = path.rsplit_once(' ').unwrap_or(("", path));
        if !["i", "e", "?"].contains(&origin) {
            return Err(line.error("`i`, `e` or `?` behind the path"));
        }
        self.as_path = as_path.trim().to_owned();
        self.origin = origin.to_owned();
        Ok(())
    }
}

/// A network as the table prints it: without length if that is the one of its class.
pub(super) fn network_text(prefix: Ipv4Net) -> String {
    let length = if prefix.addr().is_unspecified() { 0 } else { classful_length(prefix.addr()) };
    let is_classful = prefix.prefix_len() == length;
    if is_classful { prefix.addr().to_string() } else { prefix.to_string() }
}

pub(super) fn parse_network(text: &str) -> Option<Ipv4Net> {
    text.parse().ok().or_else(|| {
        let address: Ipv4Addr = text.parse().ok()?;
        let length = if address.is_unspecified() { 0 } else { classful_length(address) };
        Ipv4Net::new(address, length).ok()
    })
}

impl Record for IpBgp {
    fn render(&self) -> String {
        let (Some(version), Some(router_id)) = (self.version, self.router_id) else {
            return self
                .total
                .map_or_else(String::new, |total| format!("\nTotal number of prefixes {total} \n"));
        };
        let mut out =
            format!("BGP table version is {version}, local router ID is {router_id}\n{LEGEND}{COLUMNS}");
        if let Some(distinguisher) = &self.distinguisher {
            out.push_str(&format!("Route Distinguisher: {distinguisher}\n"));
        }
        for Network { prefix, paths } in &self.networks {
            let mut name = network_text(*prefix);
            for path in paths {
                path.render(&name, &mut out);
                name.clear();
            }
        }
        if let Some(total) = self.total {
            out.push_str(&format!("\nTotal number of prefixes {total} \n"));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut in_body = false;
        for line in lines(text) {
            if let Some([version, id]) = line.holes("BGP table version is {}, local router ID is {}") {
                record.version = Some(line.value(version, "a version")?);
                record.router_id = Some(line.value(id, "a router id")?);
            } else if let Some([total]) = line.holes("Total number of prefixes {}") {
                record.total = Some(line.value(total, "a count")?);
            } else if line.is("Network Next Hop Metric LocPrf Weight Path") {
                in_body = true;
            } else if let Some([distinguisher]) = line.holes("Route Distinguisher: {}") {
                record.distinguisher.get_or_insert_with(|| distinguisher.to_owned());
            } else if in_body {
                record.read(line)?;
            }
        }
        match record.networks.iter().find(|network| network.paths.iter().any(|path| path.next_hop.is_none()))
        {
            Some(_) => Err(ParseError::missing("the path of the last network")),
            None => Ok(record),
        }
    }

    fn rows(&self) -> Vec<Row> {
        let of = |network: &Network| -> Vec<Row> {
            let with = |path: &Path| {
                let mut fields = row(&json!({ "prefix": network.prefix }));
                fields.extend(row(path));
                fields
            };
            network.paths.iter().map(with).collect()
        };
        self.networks.iter().flat_map(of).collect()
    }
}

impl IpBgp {
    /// A line of the table: a network with its first path, a further path, or the rest of a line that was broken.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let expected = "status, network, next hop, metric, local preference, weight, path";
        let text = line.text;
        // A status code may touch the network: `*>i10.2.2.2/32`.
        let digits = text.find(|c: char| c.is_ascii_digit()).ok_or_else(|| line.error(expected))?;
        let (status, rest) = text.split_at(digits);
        let mut words = rest.split_whitespace();
        let (first, second) = (words.next().unwrap_or_default(), words.next());
        let is_address = |word: &str| word.parse::<Ipv4Addr>().is_ok();
        let has_network = first.contains('/') || second.is_none_or(is_address);
        let mut path = Path::default();
        path.read_status(status);
        if status.trim().is_empty() {
            // The rest of a line that was broken behind a long network, or a path without any status.
            let open = self.networks.last_mut().and_then(|network| network.paths.last_mut());
            if let Some(open) = open.filter(|open| open.next_hop.is_none()) {
                return open.read(line, rest);
            }
        }
        if !has_network {
            path.read(line, rest)?;
            let network = self.networks.last_mut().ok_or_else(|| line.error("a network before its paths"))?;
            network.paths.push(path);
            return Ok(());
        }
        let prefix = parse_network(first).ok_or_else(|| line.error("a network"))?;
        if second.is_some() {
            let behind = rest.get(first.len()..).unwrap_or_default();
            path.read(line, behind.trim_start())?;
        }
        self.networks.push(Network { prefix, paths: vec![path] });
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
            first in prop::sample::select(vec!['*', 'r', 's', ' ']), flags in any::<[bool; 3]>(), next_hop in arbitrary::address(),
            metric in prop::option::of(any::<u32>()), local_preference in prop::option::of(0u32..1_000_000), weight in 0u32..65_536,
            as_path in "([1-9][0-9]{0,9}( [1-9][0-9]{0,9}){0,3}( \\{[1-9],[1-9]\\})?)?", origin in arbitrary::word(&["i", "e", "?"]),
        ) -> Path {
            let [best, internal, multipath] = flags;
            let best = best && first != ' ' && first != 's';
            Path {
                valid: first == '*' || first == 's' || first == 'r' && best, best, internal, multipath: multipath && !best, suppressed: first == 's',
                rib_failure: first == 'r', next_hop: Some(next_hop), metric, local_preference, weight, as_path, origin, ..Path::default()
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(
            version in any::<u32>(), router_id in arbitrary::address(), total in prop::option::of(any::<u32>()),
            distinguisher in prop::option::of("[1-9]{1,5}:[0-9]{1,5}( \\(default for vrf [A-Z]{1,5}\\))?"),
            networks in prop::collection::vec((arbitrary::prefix(), prop::collection::vec(path(), 1..4)), 0..6),
        ) {
            let networks = networks.into_iter().map(|(prefix, paths)| Network { prefix, paths }).collect();
            let record = IpBgp { version: Some(version), router_id: Some(router_id), distinguisher, networks, total };
            prop_assert_eq!(IpBgp::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "     Network          Next Hop            Metric LocPrf Weight Path\n\
            \x20*>   113.55.45.0/24   0.0.0.0                            32768 i\n\
            \x20*>   123.233.111.222/24\n                       11.222.1.202         28416    350      0 65000 ?\n";
        let mut record = IpBgp::parse(text).unwrap();
        (record.version, record.router_id) = (Some(1), Some(Ipv4Addr::LOCALHOST));
        record.networks[1].prefix = "123.233.111.222/24".parse().unwrap();
        assert!(record.render().ends_with(text), "{}", record.render());
    }
}
