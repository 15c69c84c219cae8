//! `show ip bgp PREFIX`: the paths to one network in full.
//!
//! Row fields, one row for each path: `prefix`, `version`, `as_path` (`65001 65002`, empty if it begins here), `aggregated_by`,
//! `reflector_client`, `received_only`, `received_and_used`, `next_hop`, `igp_metric`, `inaccessible`, `from`, `from_router_id`, `origin` (`IGP`, `EGP`,
//! `incomplete`), `metric`, `local_preference`, `weight`, `valid`, `kind` (`external`, `internal`, `sourced`, `aggregated`), `best`, `multipath`,
//! `atomic_aggregate`, `injected_from` (prefix or null), `stale`, `rank` (2 and 3 of `best N`), `group_best`, `all`, `aigp_metric`, `communities` (list),
//! `extended_communities` (list), `link_bandwidth` (kbytes), `unknown_attributes` (list), `originator`, `cluster_list` (list),
//! `dampening` (object or null), `received_path_id`, `sent_path_id`. A network that is not in the table gives no row.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::show::age::Age;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp PREFIX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum IpBgpEntry {
    /// `% Network not in table`.
    NotInTable,
    /// The network.
    Network(Network),
}

/// A network with its paths.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Network {
    /// The VRF's route distinguisher, which stands in front of the destination.
    pub distinguisher: Option<String>,
    /// Destination.
    pub prefix: Ipv4Net,
    /// When it last changed.
    pub version: u32,
    /// `default`, or the VRF.
    pub table: String,
    /// Behind the table: `not advertised to EBGP peer`, `RIB-failure(17)`.
    pub remarks: Vec<String>,
    /// The update groups that are told of it.
    pub update_groups: Vec<u32>,
    /// Paths.
    pub paths: Vec<Path>,
}

/// A path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// AS_PATH in words; empty if it begins here.
    pub as_path: String,
    /// Who aggregated it: `65001 1.1.1.1`.
    pub aggregated_by: Option<String>,
    /// From a route reflector client.
    pub reflector_client: bool,
    /// The network that `bgp inject-map` has taken it out of.
    pub injected_from: Option<Ipv4Net>,
    /// From before a graceful restart.
    pub stale: bool,
    /// Kept for soft reconfiguration, not used.
    pub received_only: bool,
    /// Kept for soft reconfiguration, and used as it came.
    pub received_and_used: bool,
    /// Next hop; 0.0.0.0 is the router itself.
    pub next_hop: Option<Ipv4Addr>,
    /// Metric of the IGP to the next hop, unless it is connected.
    pub igp_metric: Option<u32>,
    /// The next hop cannot be reached.
    pub inaccessible: bool,
    /// The neighbor that told us; 0.0.0.0 is the router itself.
    pub from: Option<Ipv4Addr>,
    /// Its router id.
    pub from_router_id: Option<Ipv4Addr>,
    /// `IGP`, `EGP`, `incomplete`.
    pub origin: String,
    /// MED.
    pub metric: Option<u32>,
    /// LOCAL_PREF.
    pub local_preference: Option<u32>,
    /// Weight; 0 is not printed.
    pub weight: u32,
    /// The next hop can be reached.
    pub valid: bool,
    /// `external`, `internal`, `sourced`, `aggregated`.
    pub kind: String,
    /// ATOMIC_AGGREGATE.
    pub atomic_aggregate: bool,
    /// Used beside the best path.
    pub multipath: bool,
    /// Best.
    pub best: bool,
    /// 2 and 3: the next best ones of `bgp additional-paths select best`.
    pub rank: Option<u8>,
    /// `bgp additional-paths select group-best`.
    pub group_best: bool,
    /// `bgp additional-paths select all`.
    pub all: bool,
    /// AIGP.
    pub aigp_metric: Option<u64>,
    /// COMMUNITIES as they are configured to be written.
    pub communities: Vec<String>,
    /// EXTENDED COMMUNITIES but for the bandwidth: `RT:1:1`, `SoO:1:2`, `Cost:igp:1:50`.
    pub extended_communities: Vec<String>,
    /// `DMZ-Link Bw`, in kbytes a second.
    pub link_bandwidth: Option<u64>,
    /// Attributes that the router does not know: flags, type and value in hexadecimal.
    pub unknown_attributes: Vec<UnknownAttribute>,
    /// ORIGINATOR_ID.
    pub originator: Option<Ipv4Addr>,
    /// CLUSTER_LIST.
    pub cluster_list: Vec<Ipv4Addr>,
    /// It has flapped of late.
    pub dampening: Option<Dampinfo>,
    /// The number that the neighbor has given it (RFC 7911); 0 is none.
    pub received_path_id: u32,
    /// The number under which neighbors are told of it; of the best one 0, and `None` if they are told of the best one only.
    pub sent_path_id: Option<u32>,
}

/// A transitive attribute that is passed on as it came.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnknownAttribute {
    /// Flags.
    pub flags: u8,
    /// Type code.
    pub code: u8,
    /// Value in hexadecimal digits.
    pub value: String,
}

/// What dampening remembers of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dampinfo {
    /// Penalty now.
    pub penalty: u32,
    /// How often it has flapped.
    pub flaps: u32,
    /// Since it flapped first.
    pub duration: Age,
    /// Until it is used again; `None` if it is used.
    pub reuse: Option<Age>,
}

impl Network {
    fn render(&self, out: &mut String) {
        let Self { prefix, version, table, paths, .. } = self;
        let distinguisher = self.distinguisher.as_ref().map(|text| format!("{text}:")).unwrap_or_default();
        out.push_str(&format!("BGP routing table entry for {distinguisher}{prefix}, version {version}\n"));
        let best = match paths.iter().position(|path| path.best) {
            Some(at) => format!("best #{}", at + 1),
            None => "no best path".to_owned(),
        };
        let remarks: String = self.remarks.iter().map(|remark| format!(", {remark}")).collect();
        out.push_str(&format!("Paths: ({} available, {best}, table {table}{remarks})\n", paths.len()));
        if self.update_groups.is_empty() {
            out.push_str("  Not advertised to any peer\n");
        } else {
            let groups: Vec<String> = self.update_groups.iter().map(|group| format!("{group:<10}")).collect();
            out.push_str(&format!("  Advertised to update-groups:\n     {}\n", groups.join(" ")));
        }
        paths.iter().for_each(|path| path.render(out));
    }
}

impl Path {
    fn render(&self, out: &mut String) {
        let mut first = if self.as_path.is_empty() { "Local".to_owned() } else { self.as_path.clone() };
        if let Some(by) = &self.aggregated_by {
            first.push_str(&format!(", (aggregated by {by})"));
        }
        if let Some(parent) = self.injected_from {
            first.push_str(&format!(", (injected path from {parent})"));
        }
        first.push_str(if self.reflector_client { ", (Received from a RR-client)" } else { "" });
        first.push_str(if self.received_only { ", (received-only)" } else { "" });
        first.push_str(if self.received_and_used { ", (received & used)" } else { "" });
        first.push_str(if self.stale { ", (stale)" } else { "" });
        let any = |address: Option<Ipv4Addr>| address.unwrap_or(Ipv4Addr::UNSPECIFIED);
        let metric = match (self.inaccessible, self.igp_metric) {
            (true, _) => " (inaccessible)".to_owned(),
            (false, Some(metric)) => format!(" (metric {metric})"),
            (false, None) => String::new(),
        };
        out.push_str(&format!(
            "  Refresh Epoch 1\n  {first}\n    {}{metric} from {} ({})\n      {}\n",
            any(self.next_hop),
            any(self.from),
            any(self.from_router_id),
            self.attributes()
        ));
        if !self.communities.is_empty() {
            out.push_str(&format!("      Community: {}\n", self.communities.join(" ")));
        }
        if !self.extended_communities.is_empty() {
            out.push_str(&format!("      Extended Community: {}\n", self.extended_communities.join(" ")));
        }
        if let Some(kbytes) = self.link_bandwidth {
            out.push_str(&format!("      DMZ-Link Bw {kbytes} kbytes\n"));
        }
        for UnknownAttribute { flags, code, value } in &self.unknown_attributes {
            let length = value.len() / 2;
            let groups: Vec<&str> =
                (0..value.len()).step_by(4).filter_map(|at| value.get(at..value.len().min(at + 4))).collect();
            let value = groups.join(" ");
            out.push_str(&format!(
                "      unknown transitive attribute: flag {flags:#04X} type {code:#X} length {length:#X}\n        value {value}\n"
            ));
        }
        if let Some(originator) = self.originator {
            let clusters: Vec<String> = self.cluster_list.iter().map(Ipv4Addr::to_string).collect();
            out.push_str(&format!("      Originator: {originator}, Cluster list: {}\n", clusters.join(", ")));
        }
        if let Some(Dampinfo { penalty, flaps, duration, reuse }) = self.dampening {
            let reuse = reuse.map_or_else(String::new, |age| format!(", reuse in {age}"));
            out.push_str(&format!(
                "      Dampinfo: penalty {penalty}, flapped {flaps} times in {duration}{reuse}\n"
            ));
        }
        let number = |id: u32| if id == 0 { "0".to_owned() } else { format!("{id:#x}") };
        let sent = match self.sent_path_id {
            Some(id) => format!("{id:#x}"),
            None => "0".to_owned(),
        };
        out.push_str(&format!("      rx pathid: {}, tx pathid: {sent}\n", number(self.received_path_id)));
    }

    /// `Origin IGP, metric 0, localpref 100, valid, external, best`.
    fn attributes(&self) -> String {
        let mut words = vec![format!("Origin {}", self.origin)];
        words.extend(self.aigp_metric.map(|metric| format!("aigp-metric {metric}")));
        words.extend(self.metric.map(|metric| format!("metric {metric}")));
        words.extend(self.local_preference.map(|preference| format!("localpref {preference}")));
        words
            .extend(Some(self.weight).filter(|&weight| weight != 0).map(|weight| format!("weight {weight}")));
        words.extend(self.valid.then(|| "valid".to_owned()));
        words.push(match self.kind.as_str() {
            "sourced" => "sourced, local".to_owned(),
            "aggregated" => "aggregated, local".to_owned(),
            kind => kind.to_owned(),
        });
        words.extend(self.atomic_aggregate.then(|| "atomic-aggregate".to_owned()));
        words.extend(self.multipath.then(|| "multipath".to_owned()));
        words.extend(self.best.then(|| "best".to_owned()));
        words.extend(self.rank.map(|rank| format!("best{rank}")));
        words.extend(self.group_best.then(|| "group-best".to_owned()));
        words.extend(self.all.then(|| "all".to_owned()));
        words.join(", ")
    }

    /// The AS path with its remarks.
    fn named(text: &str) -> Self {
        let mut parts = text.split(", (");
        let as_path = parts.next().unwrap_or_default().trim();
        let mut path =
            Self { as_path: if as_path == "Local" { "" } else { as_path }.to_owned(), ..Self::default() };
        for part in parts.map(|part| part.trim_end_matches(')')) {
            if let Some(by) = part.strip_prefix("aggregated by ") {
                path.aggregated_by = Some(by.to_owned());
            }
            if let Some(parent) = part.strip_prefix("injected path from ") {
                path.injected_from = parent.parse().ok();
            }
            path.stale |= part == "stale";
            path.reflector_client |= part == "Received from a RR-client";
            path.received_only |= part.starts_with("received-only");
            path.received_and_used |= part.starts_with("received & used");
        }
        path
    }

    fn read_attributes(&mut self, line: Line<'_>, text: &str) -> Result<(), ParseError> {
        for word in text.split(", ") {
            let number = |text: &str| line.value::<u32>(text, "a number");
            match word.trim().split_once(' ') {
                Some(("Origin", origin)) => self.origin = origin.to_owned(),
                Some(("aigp-metric", metric)) => self.aigp_metric = Some(line.value(metric, "a metric")?),
                Some(("metric", metric)) => self.metric = Some(number(metric)?),
                Some(("localpref", preference)) => self.local_preference = Some(number(preference)?),
                Some(("weight", weight)) => self.weight = number(weight)?,
                _ => match word.trim() {
                    "valid" => self.valid = true,
                    kind @ ("external" | "internal" | "sourced" | "aggregated" | "confed-external") => {
                        self.kind = kind.to_owned();
                    }
                    "atomic-aggregate" => self.atomic_aggregate = true,
                    "multipath" => self.multipath = true,
                    "best" => self.best = true,
                    "best2" => self.rank = Some(2),
                    "best3" => self.rank = Some(3),
                    "group-best" => self.group_best = true,
                    "all" => self.all = true,
                    _ => {}
                },
            }
        }
        Ok(())
    }

    /// Takes in a line behind the AS path; `false` if it is none of them.
    fn read(&mut self, line: Line<'_>) -> Result<bool, ParseError> {
        let text = line.text.trim();
        if let Some([hop, from, id]) = line.holes("{} from {} ({})").filter(|_| self.next_hop.is_none()) {
            let (address, remark) = hop.split_once(" (").unwrap_or((hop, ""));
            self.next_hop = Some(line.value(address, "a next hop")?);
            self.inaccessible = remark.starts_with("inaccessible");
            let metric = remark.strip_prefix("metric ").and_then(|rest| rest.split(')').next());
            self.igp_metric = metric.map(|metric| line.value(metric, "a metric")).transpose()?;
            self.from = Some(line.value(from, "an address")?);
            self.from_router_id = Some(line.value(id, "a router id")?);
        } else if text.starts_with("Origin ") {
            self.read_attributes(line, text)?;
        } else if let Some(list) = text.strip_prefix("Community: ") {
            self.communities = list.split_whitespace().map(str::to_owned).collect();
        } else if let Some(list) = text.strip_prefix("Extended Community: ") {
            self.extended_communities = list.split_whitespace().map(str::to_owned).collect();
        } else if let Some([kbytes]) = line.holes("DMZ-Link Bw {} kbytes") {
            self.link_bandwidth = Some(line.value(kbytes, "a bandwidth")?);
        } else if let Some([flags, code, _]) =
            line.holes("unknown transitive attribute: flag {} type {} length {}")
        {
            let value = String::new();
            let (flags, code) = (octet(line, flags)?, octet(line, code)?);
            self.unknown_attributes.push(UnknownAttribute { flags, code, value });
        } else if let (Some(value), Some(last)) =
            (text.strip_prefix("value "), self.unknown_attributes.last_mut())
        {
            last.value.extend(value.split_whitespace());
        } else if let Some([received, sent]) = line.holes("rx pathid: {}, tx pathid: {}") {
            self.received_path_id = path_id(line, received)?;
            self.sent_path_id = sent.starts_with("0x").then(|| path_id(line, sent)).transpose()?;
        } else if let Some([penalty, flaps, ages]) =
            line.holes("Dampinfo: penalty {}, flapped {} times in {}")
        {
            let (duration, reuse) =
                ages.split_once(", reuse in ").map_or((ages, None), |(d, r)| (d, Some(r)));
            self.dampening = Some(Dampinfo {
                penalty: line.value(penalty, "a penalty")?,
                flaps: line.value(flaps, "a count")?,
                duration: line.value(duration, "an age")?,
                reuse: reuse.map(|age| line.value(age, "an age")).transpose()?,
            });
        } else if let Some([originator, clusters]) = line.holes("Originator: {}, Cluster list: {}") {
            self.originator = Some(line.value(originator, "a router id")?);
            let clusters = clusters.split(", ").map(|id| line.value(id, "a cluster id"));
            self.cluster_list = clusters.collect::<Result<_, _>>()?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }
}

impl Record for IpBgpEntry {
    fn render(&self) -> String {
        match self {
            Self::NotInTable => "% Network not in table\n".to_owned(),
            Self::Network(network) => {
                let mut out = String::new();
                network.render(&mut out);
                out
            }
        }
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let all = lines(text);
        let mut rest = all.iter();
        let Some(first) = rest.next() else { return Ok(Self::NotInTable) };
        if first.text.trim_start().starts_with("% Network not in table") {
            return Ok(Self::NotInTable);
        }
        let [prefix, version] = first
            .holes("BGP routing table entry for {}, version {}")
            .ok_or_else(|| first.error("`BGP routing table entry for PREFIX, version N`"))?;
        let (distinguisher, prefix) = match prefix.rsplit_once(':') {
            Some((distinguisher, prefix)) => (Some(distinguisher.to_owned()), prefix),
            None => (None, prefix),
        };
        let mut network = Network {
            distinguisher,
            prefix: first.value(prefix, "a prefix")?,
            version: first.value(version, "a version")?,
            table: "default".to_owned(),
            remarks: Vec::new(),
            update_groups: Vec::new(),
            paths: Vec::new(),
        };
        for &line in rest {
            read(&mut network, line)?;
        }
        Ok(Self::Network(network))
    }

    fn rows(&self) -> Vec<Row> {
        let Self::Network(network) = self else { return Vec::new() };
        let with = |path: &Path| {
            let mut fields = row(&json!({ "prefix": network.prefix, "version": network.version }));
            fields.extend(row(path));
            fields
        };
        network.paths.iter().map(with).collect()
    }
}

/// Takes in a line behind the first.
fn read(network: &mut Network, line: Line<'_>) -> Result<(), ParseError> {
    let text = line.text.trim();
    let indent = line.text.len() - line.text.trim_start().len();
    if let Some(list) = text.strip_prefix("Paths: (") {
        let mut words = list.trim_end_matches(')').split(", ").skip(2);
        let table = words.next().and_then(|word| word.strip_prefix("table "));
        network.table = table.unwrap_or("default").to_owned();
        network.remarks = words.map(str::to_owned).collect();
    } else if indent > 2 && network.paths.is_empty() {
        for group in line.words() {
            network.update_groups.push(line.value(group, "an update group")?);
        }
    } else if indent == 2 && is_as_path(text) {
        network.paths.push(Path::named(text));
    } else if let Some(path) = network.paths.last_mut() {
        path.read(line)?;
    }
    Ok(())
}

/// An octet in hexadecimal, as `0xE0`.
fn octet(line: Line<'_>, text: &str) -> Result<u8, ParseError> {
    let digits = text.trim_start_matches("0x");
    u8::from_str_radix(digits, 16).map_err(|_| line.error("an octet in hexadecimal"))
}

/// `0`, or a number in hexadecimal.
fn path_id(line: Line<'_>, text: &str) -> Result<u32, ParseError> {
    let digits = text.trim_start_matches("0x");
    u32::from_str_radix(digits, 16).map_err(|_| line.error("a path id in hexadecimal"))
}

/// `Local`, or a line of AS numbers.
fn is_as_path(text: &str) -> bool {
    let path = text.split(',').next().unwrap_or_default();
    path == "Local"
        || path
            .split_whitespace()
            .all(|word| word.contains(|c: char| c.is_ascii_digit()) && !word.contains(char::is_alphabetic))
}

#[cfg(test)]
mod tests;
