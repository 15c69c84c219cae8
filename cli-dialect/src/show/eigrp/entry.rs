//! `show ip eigrp topology PREFIX`: the ways to one destination in full.
//!
//! Row fields, one row for each way: `as_number`, `name` (of named mode), `router_id`, `prefix`, `active`, `successors`, `feasible_distance` (null is infinity),
//! `next_hop`, `interface`, `from` (null of connected networks, see `source`), `source` (`Connected`, `Rstatic`), `distance`, `reported_distance`,
//! `external`, `bandwidth` (kbit/s), `delay` (us), `reliability`, `load`, `mtu`, `hops`, `originating_router`, `external_protocol`,
//! `external_as`, `external_metric`, `tag`, `exterior`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Heading, inside};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip eigrp topology PREFIX`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpEigrpEntry {
    /// Processes, those that do not know the destination included.
    pub processes: Vec<Process>,
}

/// What a process knows of the destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Which.
    #[serde(flatten)]
    pub heading: Heading,
    /// Router id.
    pub router_id: Ipv4Addr,
    /// Destination.
    pub prefix: Ipv4Net,
    /// It is in the topology table.
    pub is_known: bool,
    /// DUAL asks for another way.
    pub active: bool,
    /// Query origin (RFC 7868 section 3.5).
    pub query_origin: u8,
    /// Successors.
    pub successors: u32,
    /// Feasible distance; `None` is infinity.
    pub feasible_distance: Option<u64>,
    /// Ways, successors first.
    pub paths: Vec<Path>,
}

/// A way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// Next hop; 0.0.0.0 is the router itself.
    pub next_hop: Option<Ipv4Addr>,
    /// Full name of the interface.
    pub interface: String,
    /// The neighbor that told us, or `Connected`, `Rstatic`.
    pub from: String,
    /// Own and reported distance.
    pub distances: (u64, u64),
    /// Brought in by redistribution.
    pub external: bool,
    /// In kbit/s.
    pub bandwidth: u64,
    /// In picoseconds.
    pub delay_ps: u64,
    /// Named mode, which says the delay in picoseconds and not in microseconds.
    pub wide: bool,
    /// Of 255.
    pub reliability: u8,
    /// Of 255.
    pub load: u8,
    /// In octets.
    pub mtu: u32,
    /// Hops.
    pub hops: u8,
    /// Router id of who brought it in.
    pub originating_router: Option<Ipv4Addr>,
    /// Where an external route comes from.
    pub data: Option<ExternalData>,
    /// It may serve as default.
    pub exterior: bool,
}

/// Where an external route comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalData {
    /// AS or process number of the source.
    pub as_number: u32,
    /// `Static`, `Connected`, `OSPF`.
    pub protocol: String,
    /// Metric there.
    pub metric: u32,
    /// Tag.
    pub tag: u32,
}

/// Picoseconds of a microsecond.
const PS_PER_US: u64 = 1_000_000;

impl Path {
    fn render(&self, out: &mut String) {
        let hop = self.next_hop.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let (own, told) = self.distances;
        let kind = if self.external { "External" } else { "Internal" };
        let delay = match self.wide {
            true => format!("{} picoseconds", self.delay_ps),
            false => format!("{} microseconds", self.delay_ps / PS_PER_US),
        };
        let Self { interface, from, bandwidth, reliability, load, mtu, hops, .. } = self;
        let interface = if interface.is_empty() { String::new() } else { format!(" ({interface})") };
        out.push_str(&format!(
            "  {hop}{interface}, from {from}, Send flag is 0x0\n      \
             Composite metric is ({own}/{told}), route is {kind}\n      Vector metric:\n        \
             Minimum bandwidth is {bandwidth} Kbit\n        Total delay is {delay}\n        \
             Reliability is {reliability}/255\n        Load is {load}/255\n        Minimum MTU is {mtu}\n        \
             Hop count is {hops}\n"
        ));
        if let Some(router) = self.originating_router {
            out.push_str(&format!("        Originating router is {router}\n"));
        }
        if let Some(ExternalData { as_number, protocol, metric, tag }) = &self.data {
            out.push_str(&format!(
                "      External data:\n        AS number of route is {as_number}\n        \
                 External protocol is {protocol}, external metric is {metric}\n        \
                 Administrator tag is {tag} (0x{tag:08X})\n"
            ));
        }
        out.push_str(if self.exterior { "      Exterior flag is set\n" } else { "" });
    }

    /// Takes in a line about this way; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([own, told, kind]) = line.holes("Composite metric is ({}/{}), route is {}") {
            self.distances = (line.value(own, "a distance")?, line.value(told, "a distance")?);
            self.external = kind.starts_with("External");
        } else if let Some([bandwidth]) = line.holes("Minimum bandwidth is {} Kbit") {
            self.bandwidth = line.value(bandwidth, "a bandwidth")?;
        } else if let Some([delay]) = line.holes("Total delay is {} microseconds") {
            self.delay_ps = line.value::<u64>(delay, "a delay")?.saturating_mul(PS_PER_US);
        } else if let Some([delay]) = line.holes("Total delay is {} picoseconds") {
            self.delay_ps = line.value(delay, "a delay")?;
            self.wide = true;
        } else if let Some([reliability]) = line.holes("Reliability is {}/255") {
            self.reliability = line.value(reliability, "a reliability")?;
        } else if let Some([load]) = line.holes("Load is {}/255") {
            self.load = line.value(load, "a load")?;
        } else if let Some([mtu]) = line.holes("Minimum MTU is {}") {
            self.mtu = line.value(mtu, "an MTU")?;
        } else if let Some([hops]) = line.holes("Hop count is {}") {
            self.hops = line.value(hops, "hops")?;
        } else if let Some([router]) = line.holes("Originating router is {}") {
            let id = router.split(' ').next().unwrap_or(router);
            self.originating_router = Some(line.value(id, "a router id")?);
        } else if let Some([number]) = line.holes("AS number of route is {}") {
            let as_number = line.value(number, "an AS number")?;
            self.data = Some(ExternalData { as_number, protocol: String::new(), metric: 0, tag: 0 });
        } else if line.text.trim() == "Exterior flag is set" {
            self.exterior = true;
        } else if let Some(data) = &mut self.data {
            if let Some([protocol, metric]) = line.holes("External protocol is {}, external metric is {}") {
                data.protocol = protocol.to_owned();
                data.metric = line.value(metric, "a metric")?;
            } else if let Some([tag, _]) = line.holes("Administrator tag is {} ({})") {
                data.tag = line.value(tag, "a tag")?;
            }
        }
        Ok(())
    }
}

/// FD of a destination that cannot be reached.
const INFINITY: &str = "Infinity";

impl Record for IpEigrpEntry {
    fn render(&self) -> String {
        let mut out = String::new();
        for process in &self.processes {
            let Process { heading, router_id, prefix, query_origin, successors, .. } = process;
            out.push_str(&format!(
                "{} Topology Entry for AS({})/ID({router_id}) for {prefix}\n",
                heading.family(""),
                heading.as_number
            ));
            if !process.is_known {
                out.push_str(&format!("%Entry {prefix} not in topology table\n"));
                continue;
            }
            let state = if process.active { "Active" } else { "Passive" };
            let distance = process.feasible_distance.map_or_else(|| INFINITY.to_owned(), |fd| fd.to_string());
            out.push_str(&format!(
                "  State is {state}, Query origin flag is {query_origin}, {successors} Successor(s), FD is {distance}\n  \
                 Descriptor Blocks:\n"
            ));
            process.paths.iter().for_each(|path| path.render(&mut out));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if line.text.trim_start().starts_with('%') {
                if let Some(process) = record.processes.last_mut() {
                    process.is_known = false;
                }
                continue;
            }
            if let Some([_, number, id, prefix]) = line.holes("{} for AS({})/ID({}) for {}") {
                record.processes.push(Process {
                    heading: Heading {
                        as_number: line.value(number, "an AS number")?,
                        name: inside(line.text, " VR").map(str::to_owned),
                        vrf: None,
                    },
                    router_id: line.value(id, "a router id")?,
                    is_known: true,
                    prefix: line.value(prefix, "a prefix")?,
                    active: false,
                    query_origin: 1,
                    successors: 0,
                    feasible_distance: None,
                    paths: Vec::new(),
                });
                continue;
            }
            let process = record.processes.last_mut();
            let process = process
                .ok_or_else(|| line.error("`EIGRP-IPv4 Topology Entry for AS(N)/ID(A) for PREFIX`"))?;
            if let Some([state, origin, successors, distance]) =
                line.holes("State is {}, Query origin flag is {}, {} Successor(s), FD is {}")
            {
                process.active = state == "Active";
                process.query_origin = line.value(origin, "a flag")?;
                process.successors = line.value(successors, "a count")?;
                let distance = distance.split(',').next().unwrap_or(distance);
                process.feasible_distance = match distance {
                    INFINITY => None,
                    digits => Some(line.value(digits, "a distance")?),
                };
            } else if let Some([hop, from, _]) = line.holes("{}, from {}, Send flag is {}") {
                let (hop, interface) = hop.split_once(" (").unwrap_or((hop, ""));
                process.paths.push(Path {
                    next_hop: Some(line.value(hop, "a next hop")?),
                    interface: interface.trim_end_matches(')').to_owned(),
                    from: from.to_owned(),
                    ..Path::default()
                });
            } else if let Some(path) = process.paths.last_mut() {
                path.read(line)?;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |process: &Process| -> Vec<Row> {
            let with = |path: &Path| {
                let from = path.from.parse::<Ipv4Addr>().ok();
                let mut fields = row(&json!({
                    "as_number": process.heading.as_number,
                    "name": process.heading.name,
                    "router_id": process.router_id,
                    "prefix": process.prefix,
                    "active": process.active,
                    "successors": process.successors,
                    "feasible_distance": process.feasible_distance,
                }));
                fields.extend(row(path));
                fields.remove("distances");
                fields.remove("data");
                fields.remove("delay_ps");
                fields.remove("wide");
                fields.extend(row(&json!({
                    "from": from,
                    "source": if from.is_none() { Some(&path.from) } else { None },
                    "delay": path.delay_ps / PS_PER_US,
                    "distance": path.distances.0,
                    "reported_distance": path.distances.1,
                    "external_protocol": path.data.as_ref().map(|data| &data.protocol),
                    "external_as": path.data.as_ref().map(|data| data.as_number),
                    "external_metric": path.data.as_ref().map(|data| data.metric),
                    "tag": path.data.as_ref().map(|data| data.tag),
                })));
                fields
            };
            process.paths.iter().map(with).collect()
        };
        self.processes.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn path()(
            hop in arbitrary::address(), interface in arbitrary::interface(), from in prop_oneof![Just("Connected".to_owned()), arbitrary::address().prop_map(|a| a.to_string())],
            numbers in any::<[u64; 4]>(), small in any::<[u8; 3]>(), mtu in any::<u32>(), originating_router in prop::option::of(arbitrary::address()),
            external in prop::option::of(any::<[u32; 3]>()), exterior in any::<bool>(),
        ) -> Path {
            let [own, told, bandwidth, delay] = numbers;
            let wide = delay % 2 == 0;
            let delay_ps = if wide { delay } else { delay / PS_PER_US * PS_PER_US };
            let [reliability, load, hops] = small;
            Path {
                next_hop: Some(hop), interface, from, distances: (own, told), external: external.is_some(), bandwidth, delay_ps, wide, reliability, load, mtu, hops,
                originating_router, exterior,
                data: external.map(|[as_number, metric, tag]| ExternalData { as_number, protocol: "Static".to_owned(), metric, tag }),
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(as_number in any::<u16>(), name in prop::option::of(arbitrary::name()), router_id in arbitrary::address(), prefix in arbitrary::prefix(), active in any::<bool>(), query_origin in any::<u8>(),
            successors in any::<u32>(), feasible_distance in prop::option::of(any::<u64>()), paths in prop::collection::vec(path(), 0..4))
        {
            let heading = Heading { as_number, name, vrf: None };
            let process = Process { heading, router_id, prefix, is_known: true, active, query_origin, successors, feasible_distance, paths };
            let record = IpEigrpEntry { processes: vec![process] };
            prop_assert_eq!(IpEigrpEntry::parse(&record.render()), Ok(record));
        }
    }
}
