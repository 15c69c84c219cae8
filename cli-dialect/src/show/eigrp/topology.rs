//! `show ip eigrp topology [all-links]`.
//!
//! Row fields, one row for each path: `as_number`, `router_id`, `name` (of named mode), `vrf`, `code` (`P` passive, `A` active), `prefix`, `successors`,
//! `feasible_distance` (null is `Inaccessible`), `tag`, `via` (an address, `Connected`, `Summary`, `Redistributed`, `Rstatic`, ...), `distance`,
//! `reported_distance` (null of connected networks), `interface`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Heading, inside};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip eigrp topology`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpEigrpTopology {
    /// Processes by AS number.
    pub processes: Vec<Process>,
}

/// The topology table of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Which.
    #[serde(flatten)]
    pub heading: Heading,
    /// Router id.
    pub router_id: Ipv4Addr,
    /// Networks.
    pub networks: Vec<Network>,
}

/// Which destinations and paths are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// Successors and feasible successors of all destinations.
    Feasible,
    /// `all-links`: all paths.
    All,
    /// `active`: destinations that DUAL asks about.
    Active,
    /// `zero-successors`: destinations that cannot be reached, or not by EIGRP.
    WithoutSuccessor,
}

/// A destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// `P` passive, `A` active, `U`, `Q`, `R`.
    pub code: String,
    /// Prefix.
    pub prefix: Ipv4Net,
    /// Successors.
    pub successors: u32,
    /// Feasible distance; `None` is `Inaccessible`.
    pub feasible_distance: Option<u64>,
    /// Tag; 0 is not printed.
    pub tag: u32,
    /// Number of the last change, printed with `all-links`.
    pub serial: Option<u32>,
    /// Ways, successors first.
    pub paths: Vec<Path>,
}

/// A way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// An address, `Connected`, `Summary`, `Redistributed`, `Rstatic`.
    pub via: String,
    /// Own and reported distance.
    pub distances: Option<(u64, u64)>,
    /// Full name of the interface.
    pub interface: Option<String>,
}

const CODES: &str = "Codes: P - Passive, A - Active, U - Update, Q - Query, R - Reply,\n       r - reply Status, s - sia Status \n\n";

impl Network {
    fn render(&self, out: &mut String) {
        let distance = self.feasible_distance.map_or_else(|| "Inaccessible".to_owned(), |fd| fd.to_string());
        let Self { code, prefix, successors, .. } = self;
        out.push_str(&format!("{code} {prefix}, {successors} successors, FD is {distance}"));
        if self.tag != 0 {
            out.push_str(&format!(", tag is {}", self.tag));
        }
        if let Some(serial) = self.serial {
            out.push_str(&format!(", serno {serial}"));
        }
        out.push('\n');
        for path in &self.paths {
            let distances = path.distances.map_or_else(String::new, |(own, told)| format!(" ({own}/{told})"));
            let interface = path.interface.as_ref().map_or_else(String::new, |name| format!(", {name}"));
            out.push_str(&format!("        via {}{distances}{interface}\n", path.via));
        }
    }
}

impl Record for IpEigrpTopology {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { heading, router_id, networks } in &self.processes {
            let Heading { as_number, vrf, .. } = heading;
            let vrf = vrf.as_ref().map_or_else(String::new, |vrf| format!(" VRF({vrf})"));
            out.push_str(&format!(
                "{} Topology Table for AS({as_number})/ID({router_id}){vrf}\n{CODES}",
                heading.family("")
            ));
            networks.iter().for_each(|network| network.render(&mut out));
            out.push('\n');
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let trimmed = line.text.trim();
            if let Some([_, number, id]) =
                line.holes("{} for AS({})/ID({}").filter(|_| trimmed.contains("EIGRP"))
            {
                let (id, rest) = id.split_once(')').unwrap_or((id, ""));
                let vrf = rest.trim().strip_prefix("VRF(").map(|vrf| vrf.trim_end_matches(')').to_owned());
                record.processes.push(Process {
                    heading: Heading {
                        as_number: line.value(number, "an AS number")?,
                        name: inside(trimmed, " VR").map(str::to_owned),
                        vrf,
                    },
                    router_id: line.value(id, "a router id")?,
                    networks: Vec::new(),
                });
                continue;
            }
            if trimmed.starts_with("Codes:") || trimmed.starts_with("r - reply") {
                continue;
            }
            let process = record.processes.last_mut();
            let process = process.ok_or_else(|| line.error("`EIGRP-IPv4 Topology Table for AS(N)/ID(A)`"))?;
            if let Some(path) = trimmed.strip_prefix("via ") {
                let network = process.networks.last_mut().ok_or_else(|| line.error("a network"))?;
                network.paths.push(parse_path(line, path)?);
            } else {
                process.networks.push(parse_network(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for process in &self.processes {
            for network in &process.networks {
                rows.extend(network.paths.iter().map(|path| {
                    row(&json!({
                        "as_number": process.heading.as_number,
                        "router_id": process.router_id,
                        "name": process.heading.name,
                        "vrf": process.heading.vrf,
                        "code": network.code,
                        "prefix": network.prefix,
                        "successors": network.successors,
                        "feasible_distance": network.feasible_distance,
                        "tag": network.tag,
                        "via": path.via,
                        "distance": path.distances.map(|(own, _)| own),
                        "reported_distance": path.distances.map(|(_, told)| told),
                        "interface": path.interface,
                    }))
                }));
            }
        }
        rows
    }
}

fn parse_network(line: Line<'_>) -> Result<Network, ParseError> {
    let expected = "`P PREFIX, N successors, FD is D`";
    let [head, successors, rest] =
        line.holes("{}, {} successors, FD is {}").ok_or_else(|| line.error(expected))?;
    let (code, prefix) = head.split_once(' ').ok_or_else(|| line.error(expected))?;
    let mut fields = rest.split(", ");
    let distance = fields.next().unwrap_or_default();
    let mut network = Network {
        code: code.to_owned(),
        prefix: line.value(prefix, "a prefix")?,
        successors: line.value(successors, "a count")?,
        feasible_distance: match distance {
            "Inaccessible" => None,
            digits => Some(line.value(digits, "a distance")?),
        },
        tag: 0,
        serial: None,
        paths: Vec::new(),
    };
    for field in fields {
        if let Some(tag) = field.strip_prefix("tag is ") {
            network.tag = line.value(tag, "a tag")?;
        } else if let Some(serial) = field.strip_prefix("serno ") {
            network.serial = Some(line.value(serial, "a number")?);
        }
    }
    Ok(network)
}

fn parse_path(line: Line<'_>, text: &str) -> Result<Path, ParseError> {
    let mut fields = text.split(", ");
    let head = fields.next().unwrap_or_default();
    let interface = fields.next().map(|name| name.trim().to_owned());
    let (via, distances) = match head.split_once(" (") {
        Some((via, numbers)) => {
            let numbers = numbers.trim_end_matches(')').split_once('/');
            let (own, told) = numbers.ok_or_else(|| line.error("(distance/reported distance)"))?;
            (via, Some((line.value(own, "a distance")?, line.value(told, "a distance")?)))
        }
        None => (head, None),
    };
    Ok(Path { via: via.to_owned(), distances, interface })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::heading;
    use super::*;
    use crate::show::arbitrary;

    fn path() -> impl Strategy<Value = Path> {
        prop_oneof![
            (arbitrary::address(), any::<[u64; 2]>(), arbitrary::interface()).prop_map(
                |(via, [own, told], interface)| Path {
                    via: via.to_string(),
                    distances: Some((own, told)),
                    interface: Some(interface),
                }
            ),
            arbitrary::interface().prop_map(|interface| Path {
                via: "Connected".to_owned(),
                distances: None,
                interface: Some(interface)
            }),
            any::<[u64; 2]>().prop_map(|[own, told]| Path {
                via: "Rstatic".to_owned(),
                distances: Some((own, told)),
                interface: None
            }),
        ]
    }

    prop_compose! {
        fn network()(
            code in arbitrary::word(&["P", "A"]), prefix in arbitrary::prefix(), successors in any::<u32>(), feasible_distance in prop::option::of(any::<u64>()),
            tag in any::<u32>(), serial in prop::option::of(any::<u32>()), paths in prop::collection::vec(path(), 0..3),
        ) -> Network {
            Network { code, prefix, successors, feasible_distance, tag, serial, paths }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((heading(), arbitrary::address(),
            prop::collection::vec(network(), 0..4)), 0..3))
        {
            let of = |(heading, router_id, networks)| Process { heading, router_id, networks };
            let record = IpEigrpTopology { processes: list.into_iter().map(of).collect() };
            prop_assert_eq!(IpEigrpTopology::parse(&record.render()), Ok(record));
        }
    }
}
