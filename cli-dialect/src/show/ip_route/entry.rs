//! `show ip route PREFIX`: one route in detail.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::age::Age;
use super::super::text::{Line, holes};
use super::super::{ParseError, Row, row};
use super::classful_length;

/// `Routing entry for PREFIX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteEntry {
    /// Destination.
    pub prefix: Ipv4Net,
    /// `connected`, `static`, `ospf 1`, `bgp 65000`.
    pub known_via: String,
    /// Administrative distance.
    pub distance: u8,
    /// Metric.
    pub metric: u32,
    /// Tag; 0 is none.
    pub tag: u32,
    /// Behind the metric: `intra area`, `inter area`, `extern 2`, `internal`, `external`.
    pub kind: Option<String>,
    /// `candidate default path`.
    pub candidate_default: bool,
    /// `connected, via interface`, or of a static route just `connected`.
    pub connected: bool,
    /// `Redistributing via`.
    pub redistributing: Vec<String>,
    /// Where to, at least one.
    pub paths: Vec<EntryPath>,
}

/// A routing descriptor block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryPath {
    /// Next hop; `None` is `directly connected`.
    pub next_hop: Option<Ipv4Addr>,
    /// The router that told us.
    pub from: Option<Ipv4Addr>,
    /// Since when.
    pub age: Option<Age>,
    /// Full name of the interface.
    pub interface: Option<String>,
    /// Metric of this path.
    pub metric: u32,
    /// Share of the traffic.
    pub share: u32,
    /// `*`: the path that the next packet takes.
    pub best: bool,
}

impl RouteEntry {
    pub(super) fn render(&self) -> String {
        let mut out = format!("Routing entry for {}", self.prefix);
        if self.prefix.prefix_len() < classful_length(self.prefix.addr()) {
            out.push_str(", supernet");
        }
        let Self { known_via, distance, metric, .. } = self;
        out.push_str(&format!("\n  Known via \"{known_via}\", distance {distance}, metric {metric}"));
        if self.connected {
            let is_static = known_via.starts_with("static");
            out.push_str(if is_static { " (connected)" } else { " (connected, via interface)" });
        }
        if self.candidate_default {
            out.push_str(", candidate default path");
        }
        // With a tag, the type stands on the tag's line.
        let kind = self.kind.as_ref().map_or_else(String::new, |kind| format!(", type {kind}"));
        if self.tag == 0 {
            out.push_str(&format!("{kind}\n"));
        } else {
            out.push_str(&format!("\n  Tag {}{kind}\n", self.tag));
        }
        if !self.redistributing.is_empty() {
            out.push_str(&format!("  Redistributing via {}\n", self.redistributing.join(", ")));
        }
        if let Some(EntryPath { next_hop: Some(hop), age: Some(age), interface, .. }) = self.paths.first() {
            match interface {
                Some(interface) => {
                    out.push_str(&format!("  Last update from {hop} on {interface}, {age} ago\n"))
                }
                None => out.push_str(&format!("  Last update from {hop} {age} ago\n")),
            }
        }
        out.push_str("  Routing Descriptor Blocks:\n");
        self.paths.iter().for_each(|path| path.render(self.tag, &mut out));
        out
    }

    pub(super) fn rows(&self) -> Vec<Row> {
        let (protocol, process) = self.known_via.split_once(' ').unwrap_or((&self.known_via, ""));
        let with = |path: &EntryPath| {
            row(&json!({
                "prefix": self.prefix,
                "protocol": protocol,
                "process": process,
                "distance": self.distance,
                "metric": self.metric,
                "type": self.kind,
                "tag": self.tag,
                "next_hop": path.next_hop,
                "from": path.from,
                "interface": path.interface,
                "age": path.age,
                "path_metric": path.metric,
                "share": path.share,
                "best": path.best,
            }))
        };
        self.paths.iter().map(with).collect()
    }
}

impl EntryPath {
    fn render(&self, tag: u32, out: &mut String) {
        let star = if self.best { '*' } else { ' ' };
        let mut parts = Vec::new();
        match self.next_hop {
            Some(hop) => parts.push(hop.to_string()),
            None => parts.push("directly connected".to_owned()),
        }
        parts.extend(self.from.map(|from| format!("from {from}")));
        parts.extend(self.age.map(|age| format!("{age} ago")));
        parts.extend(self.interface.as_ref().map(|interface| format!("via {interface}")));
        out.push_str(&format!("  {star} {}\n", parts.join(", ")));
        out.push_str(&format!(
            "      Route metric is {}, traffic share count is {}\n",
            self.metric, self.share
        ));
        if tag != 0 {
            out.push_str(&format!("      Route tag {tag}\n"));
        }
    }
}

pub(super) fn parse(lines: &[Line<'_>]) -> Result<RouteEntry, ParseError> {
    let [first, known, rest @ ..] = lines else {
        return Err(ParseError::missing("`Known via ...`"));
    };
    let prefix = first.text.trim_start().trim_start_matches("Routing entry for ");
    let prefix = prefix.split(',').next().unwrap_or_default();
    let mut entry = RouteEntry {
        prefix: first.value(prefix, "Routing entry for PREFIX")?,
        known_via: String::new(),
        distance: 0,
        metric: 0,
        tag: 0,
        kind: None,
        candidate_default: false,
        connected: false,
        redistributing: Vec::new(),
        paths: Vec::new(),
    };
    known_via(*known, &mut entry)?;
    for &line in rest {
        let text = line.text.trim();
        if let Some(tag) = text.strip_prefix("Tag ") {
            let (tag, kind) = tag.split_once(", type ").map_or((tag, None), |(t, k)| (t, Some(k)));
            entry.tag = line.value(tag, "a tag")?;
            entry.kind = kind.map(str::to_owned).or(entry.kind);
        } else if let Some(list) = text.strip_prefix("Redistributing via ") {
            entry.redistributing = list.split(", ").map(str::to_owned).collect();
        } else if let Some([metric, share]) = line.holes("Route metric is {}, traffic share count is {}") {
            let path = entry.paths.last_mut().ok_or_else(|| line.error("a path before its metric"))?;
            path.metric = line.value(metric, "a metric")?;
            path.share = line.value(share, "a share")?;
        } else if let Some(path) = path(line) {
            entry.paths.push(path);
        }
    }
    Ok(entry)
}

fn known_via(line: Line<'_>, entry: &mut RouteEntry) -> Result<(), ParseError> {
    let expected = "Known via \"PROTOCOL\", distance D, metric M";
    let [via, distance, rest] = holes::<3>(line.text, "Known via \"{}\", distance {}, metric {}")
        .ok_or_else(|| line.error(expected))?;
    let (metric, rest) = rest.split_at(rest.find([',', ' ']).unwrap_or(rest.len()));
    entry.known_via = via.to_owned();
    entry.distance = line.value(distance, "a distance")?;
    entry.metric = line.value(metric, "a metric")?;
    entry.connected = rest.contains("(connected");
    entry.candidate_default = rest.contains("candidate default path");
    entry.kind = rest.split_once(", type ").map(|(_, kind)| kind.trim().to_owned());
    Ok(())
}

/// A path; `None` if the line is another detail of the entry.
fn path(line: Line<'_>) -> Option<EntryPath> {
    let text = line.text.trim();
    let best = text.starts_with('*');
    let mut fields = text.trim_start_matches('*').trim().split(", ");
    let head = fields.next()?;
    let next_hop = match head {
        "directly connected" => None,
        address => Some(address.parse().ok()?),
    };
    let mut path = EntryPath { next_hop, from: None, age: None, interface: None, metric: 0, share: 1, best };
    for field in fields {
        if let Some(from) = field.strip_prefix("from ") {
            path.from = from.parse().ok();
        } else if let Some(interface) = field.strip_prefix("via ") {
            path.interface = Some(interface.to_owned());
        } else if let Some(age) = field.strip_suffix(" ago") {
            path.age = age.parse().ok();
        }
    }
    Some(path)
}
