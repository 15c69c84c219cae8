//! `show ip route`: the table with its filters, and the entry of one prefix.
//!
//! Row fields of the table, one row for each path: `code` (`O IA`), `protocol` (`connected`, `local`, `static`, `rip`,
//! `eigrp`, `ospf`, `isis`, `bgp`, ...), `prefix` (`10.0.0.0/24`), `candidate_default`, `distance`, `metric` (null where not
//! printed), `next_hop`, `interface`, `age` (s), `connected` (`is directly connected`), `summary` (to Null0).
//!
//! Row fields of an entry, one row for each path: `prefix`, `protocol` (`ospf`), `process` (`1`), `distance`, `metric`, `type`
//! (`intra area`), `tag`, `next_hop`, `from`, `interface`, `age` (s), `path_metric`, `share`, `best`. A prefix that is not in the
//! table gives no row.

mod collect;
mod command;
mod entry;
mod parse;
mod render;
#[cfg(test)]
mod tests;

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

pub use collect::{Selection, code};
pub(super) use command::table;
pub use entry::{EntryPath, RouteEntry};

use super::age::Age;
use super::{ParseError, Record, Row, text};

/// What `show ip route` printed: a table, with a prefix the entry of one route, or with a classful network its subnets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IpRouteOutput {
    /// The table or a part of it.
    Table(IpRoutes),
    /// `Routing entry for ...`.
    Entry(RouteEntry),
    /// `Routing entry for ..., N known subnets`.
    Subnets(Subnets),
    /// `% Network not in table`: no route even to the classful network.
    NetworkNotInTable,
    /// `% Subnet not in table`: there are routes to other subnets of the classful network.
    SubnetNotInTable,
}

/// A classful network with routes to its subnets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subnets {
    /// The network: with the mask of its subnets if they have one, else with that of its class.
    pub network: Ipv4Net,
    /// The routes within, in the order of their prefixes.
    pub routes: Vec<IpRoute>,
}

impl Subnets {
    /// Of a classful network and the routes within; `None` if there is none to a subnet.
    #[must_use]
    pub fn of(class: Ipv4Net, routes: Vec<IpRoute>) -> Option<Self> {
        let lengths = || routes.iter().map(|route| route.prefix.prefix_len());
        let (least, most) = (lengths().min()?, lengths().max()?);
        let length = if least == most { least } else { class.prefix_len() };
        let network = Ipv4Net::new(class.network(), length).ok()?;
        (most > class.prefix_len()).then_some(Self { network, routes })
    }
}

/// A routing table as `show ip route` prints it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpRoutes {
    /// `Routing Table: NAME`, printed for a VRF.
    pub vrf: Option<String>,
    /// Where packets go that no other route matches.
    pub gateway: Option<Gateway>,
    /// The routes in the order of their prefixes.
    pub routes: Vec<IpRoute>,
}

/// The gateway of last resort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gateway {
    /// The next hop; 0.0.0.0 if only an interface is known.
    pub address: Ipv4Addr,
    /// The network whose route it is: 0.0.0.0, or a default network.
    pub network: Ipv4Addr,
}

/// A route of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpRoute {
    /// The letters in front: `C`, `S`, `O`, `O IA`, `O E2`, `D EX`.
    pub code: String,
    /// `*`: candidate default.
    pub candidate_default: bool,
    /// Destination.
    pub prefix: Ipv4Net,
    /// `[distance/metric]`; `None` for what is directly connected and for summaries.
    pub preference: Option<(u8, u32)>,
    /// Where to, at least one.
    pub paths: Vec<Path>,
}

/// A path of a route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Path {
    /// `is directly connected, INTERFACE`.
    Connected {
        /// Printed for routes leaked by BGP.
        age: Option<Age>,
        /// Full name.
        interface: String,
    },
    /// `[D/M] via A, AGE, INTERFACE`.
    Via {
        /// Next hop.
        address: Ipv4Addr,
        /// `(VRF)` behind the next hop.
        vrf: Option<String>,
        /// The metric of this path, where it is another than that of the route: EIGRP's with `variance`.
        metric: Option<u32>,
        /// Since the route was learned; not printed for static routes.
        age: Option<Age>,
        /// Full name; not printed for recursive next hops.
        interface: Option<String>,
    },
    /// `is a summary, AGE, Null0`.
    Summary {
        /// Since it was made.
        age: Age,
        /// `Null0`.
        interface: String,
    },
    /// `[D/M], AGE, Null0`: an aggregate of BGP.
    Discard {
        /// Since it was made.
        age: Age,
        /// `Null0`.
        interface: String,
    },
}

impl Path {
    /// The metric, where it is not that of the route.
    const fn metric(&self) -> Option<u32> {
        match self {
            Self::Via { metric, .. } => *metric,
            _ => None,
        }
    }
}

/// The prefix length of the class of an address.
#[must_use]
pub fn classful_length(address: Ipv4Addr) -> u8 {
    match address.octets()[0] {
        0..=127 => 8,
        128..=191 => 16,
        _ => 24,
    }
}

/// The name of a protocol from its letter in the table.
#[must_use]
pub fn protocol_of(code: &str) -> &'static str {
    match code.chars().next() {
        Some('C') => "connected",
        Some('L') => "local",
        Some('S') => "static",
        Some('R') => "rip",
        Some('D') => "eigrp",
        Some('O') => "ospf",
        Some('i') => "isis",
        Some('B') => "bgp",
        Some('M') => "mobile",
        Some('o') => "odr",
        Some('H') => "nhrp",
        Some('l') => "lisp",
        Some('a') => "application",
        _ => "other",
    }
}

impl Record for IpRouteOutput {
    fn render(&self) -> String {
        match self {
            Self::Table(table) => render::table(table),
            Self::Entry(entry) => entry.render(),
            Self::Subnets(subnets) => render::known_subnets(subnets),
            Self::NetworkNotInTable => "% Network not in table\n".to_owned(),
            Self::SubnetNotInTable => "% Subnet not in table\n".to_owned(),
        }
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let lines = text::lines(text);
        let Some(first) = lines.first() else {
            return Ok(Self::Table(IpRoutes::default()));
        };
        if first.is("% Network not in table") {
            Ok(Self::NetworkNotInTable)
        } else if first.is("% Subnet not in table") {
            Ok(Self::SubnetNotInTable)
        } else if first.text.trim_end().ends_with(" known subnets") {
            parse::known_subnets(&lines).map(Self::Subnets)
        } else if first.text.trim_start().starts_with("Routing entry for") {
            entry::parse(&lines).map(Self::Entry)
        } else {
            parse::table(&lines).map(Self::Table)
        }
    }

    fn rows(&self) -> Vec<Row> {
        match self {
            Self::Table(table) => table.routes.iter().flat_map(route_rows).collect(),
            Self::Subnets(subnets) => subnets.routes.iter().flat_map(route_rows).collect(),
            Self::Entry(entry) => entry.rows(),
            Self::NetworkNotInTable | Self::SubnetNotInTable => Vec::new(),
        }
    }
}

fn route_rows(route: &IpRoute) -> Vec<Row> {
    let row = |path: &Path| {
        let (next_hop, age, interface) = match path {
            Path::Connected { age, interface } => (None, *age, Some(interface)),
            Path::Via { address, age, interface, .. } => (Some(address), *age, interface.as_ref()),
            Path::Summary { age, interface } | Path::Discard { age, interface } => {
                (None, Some(*age), Some(interface))
            }
        };
        super::row(&json!({
            "code": route.code,
            "protocol": protocol_of(&route.code),
            "prefix": route.prefix,
            "candidate_default": route.candidate_default,
            "distance": route.preference.map(|p| p.0),
            "metric": path.metric().or(route.preference.map(|p| p.1)),
            "next_hop": next_hop,
            "interface": interface,
            "age": age,
            "connected": matches!(path, Path::Connected { .. }),
            "summary": matches!(path, Path::Summary { .. } | Path::Discard { .. }),
        }))
    };
    route.paths.iter().map(row).collect()
}
