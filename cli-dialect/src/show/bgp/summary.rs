//! `show ip bgp summary`.
//!
//! Row fields, one row for each neighbor: `router_id`, `local_as`, `table_version`, `neighbor`, `dynamic`, `version`, `remote_as`,
//! `messages_received`, `messages_sent`, `neighbor_table_version`, `in_queue`, `out_queue`, `uptime` (s; null is never), `state`
//! (`Established`, `Idle`, `Idle (Admin)`, `Active`, `Connect`, `OpenSent`, `OpenConfirm`), `prefixes_received` (null unless established).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::show::age::Age;
use crate::show::text::{Line, blocks, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp summary`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpSummary {
    /// Address families; one without a name unless several are shown. None while BGP does not run.
    pub families: Vec<Family>,
}

/// An address family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Family {
    /// `IPv4 Unicast`, behind `For address family:`.
    pub name: Option<String>,
    /// Router id.
    pub router_id: Ipv4Addr,
    /// Own AS number.
    pub local_as: u32,
    /// Version of the table.
    pub table_version: u32,
    /// Networks in the table.
    pub networks: u32,
    /// Paths in the table.
    pub paths: u32,
    /// What the paths share: each counted once.
    pub shared: Shared,
    /// Neighbors by address.
    pub neighbors: Vec<Neighbor>,
    /// `bgp listen range`, if there is one.
    pub listen: Option<Listen>,
}

/// What paths have in common, and the table keeps once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shared {
    /// Sets of attributes of paths.
    pub attributes: u32,
    /// Sets of attributes of best paths.
    pub best_attributes: u32,
    /// What reflectors have added: originator and clusters.
    pub reflections: u32,
    /// AS paths.
    pub as_paths: u32,
    /// Sets of communities.
    pub communities: u32,
    /// Sets of extended communities.
    pub extended_communities: u32,
}

impl Shared {
    /// Each kind that has a line of its own, with the octets that IOS needs for one.
    fn kinds(&mut self) -> [(&'static str, &mut u32, u64); 4] {
        [
            ("BGP rrinfo", &mut self.reflections, 24),
            ("BGP AS-PATH", &mut self.as_paths, 24),
            ("BGP community", &mut self.communities, 24),
            ("BGP extended community", &mut self.extended_communities, 24),
        ]
    }

    /// The lines, and the octets that all need.
    fn render(mut self) -> (String, u64) {
        let Self { attributes, best_attributes, .. } = self;
        let mut octets = u64::from(attributes) * ATTRIBUTES_OCTETS;
        let mut text = format!(
            "{attributes}/{best_attributes} BGP path/bestpath attribute entries using {octets} bytes of memory\n"
        );
        for (name, count, each) in self.kinds() {
            if *count > 0 {
                let of_all = u64::from(*count) * each;
                octets += of_all;
                text += &format!("{count} {name} entries using {of_all} bytes of memory\n");
            }
        }
        (text, octets)
    }

    /// Takes in a line of a number of entries; `false` if it is none of these.
    fn read(&mut self, line: Line<'_>) -> Result<bool, ParseError> {
        let Some([count, name, _]) = line.holes("{} BGP {} entries using {}") else { return Ok(false) };
        if name == "path/bestpath attribute" {
            let (all, best) = count.split_once('/').unwrap_or((count, "0"));
            self.attributes = line.value(all, "a count")?;
            self.best_attributes = line.value(best, "a count")?;
            return Ok(true);
        }
        for (kind, field, _) in self.kinds() {
            if kind.strip_prefix("BGP ") == Some(name) {
                *field = line.value(count, "a count")?;
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Neighbors that need no line of their own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listen {
    /// How many there are.
    pub created: u32,
    /// `bgp listen limit`.
    pub limit: u32,
    /// The ranges of each peer group.
    pub groups: Vec<(String, Vec<Ipv4Net>)>,
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbor {
    /// Address.
    pub neighbor: Ipv4Addr,
    /// `*`: it has connected from a `bgp listen range`.
    pub dynamic: bool,
    /// BGP version.
    pub version: u8,
    /// Its AS number.
    pub remote_as: u32,
    /// Messages.
    pub messages_received: u64,
    /// Messages.
    pub messages_sent: u64,
    /// The version of the table that it has been told.
    pub neighbor_table_version: u32,
    /// Messages that wait to be read.
    pub in_queue: u32,
    /// Messages that wait to be sent.
    pub out_queue: u32,
    /// Since the session came up or went down; `None` is never.
    pub uptime: Option<Age>,
    /// `Established`, or what is printed in place of the number of prefixes.
    pub state: String,
    /// Prefixes received in this session.
    pub prefixes_received: Option<u32>,
}

/// Octets that IOS needs for an entry of the table, and for a path.
const NETWORK_OCTETS: u64 = 144;
const PATH_OCTETS: u64 = 84;

/// The same for a set of attributes.
const ATTRIBUTES_OCTETS: u64 = 160;

impl Family {
    fn render(&self, out: &mut String) {
        if let Some(name) = &self.name {
            out.push_str(&format!("For address family: {name}\n"));
        }
        let Self { router_id, local_as, table_version, networks, paths, .. } = self;
        out.push_str(&format!(
            "BGP router identifier {router_id}, local AS number {local_as}\n\
             BGP table version is {table_version}, main routing table version {table_version}\n"
        ));
        if *networks > 0 {
            let (of_networks, of_paths) =
                (u64::from(*networks) * NETWORK_OCTETS, u64::from(*paths) * PATH_OCTETS);
            let (shared, of_shared) = self.shared.render();
            out.push_str(&format!(
                "{networks} network entries using {of_networks} bytes of memory\n\
                 {paths} path entries using {of_paths} bytes of memory\n{shared}\
                 0 BGP route-map cache entries using 0 bytes of memory\n\
                 0 BGP filter-list cache entries using 0 bytes of memory\n\
                 BGP using {} total bytes of memory\n\
                 BGP activity {networks}/0 prefixes, {paths}/0 paths, scan interval 60 secs\n",
                of_networks + of_paths + of_shared
            ));
        }
        out.push_str(
            "\nNeighbor        V           AS MsgRcvd MsgSent   TblVer  InQ OutQ Up/Down  State/PfxRcd\n",
        );
        self.neighbors.iter().for_each(|neighbor| neighbor.render(out));
        if self.neighbors.iter().any(|neighbor| neighbor.dynamic) {
            out.push_str("* Dynamically created based on a listen range command\n");
        }
        if let Some(listen) = &self.listen {
            listen.render(out);
        }
    }
}

impl Listen {
    fn render(&self, out: &mut String) {
        let ranges: usize = self.groups.iter().map(|(_, ranges)| ranges.len()).sum();
        out.push_str(&format!(
            "Dynamically created neighbors: {}/({} max), Subnet ranges: {ranges}\n",
            self.created, self.limit
        ));
        for (group, ranges) in &self.groups {
            out.push_str(&format!("\nBGP peergroup {group} listen range group members: \n"));
            ranges.iter().for_each(|range| out.push_str(&format!("  {range} \n")));
        }
    }

    /// Takes in a line; `false` if it is none of this.
    fn read(listen: &mut Option<Self>, line: Line<'_>) -> Result<bool, ParseError> {
        if let Some([created, limit, _]) =
            line.holes("Dynamically created neighbors: {}/({} max), Subnet ranges: {}")
        {
            let count = |text| line.value(text, "a count");
            *listen = Some(Self { created: count(created)?, limit: count(limit)?, groups: Vec::new() });
            return Ok(true);
        }
        let Some(listen) = listen else { return Ok(false) };
        if let Some([group]) = line.holes("BGP peergroup {} listen range group members:") {
            listen.groups.push((group.to_owned(), Vec::new()));
        } else if let Some((_, ranges)) = listen.groups.last_mut() {
            ranges.push(line.value(line.text.trim(), "a prefix")?);
        }
        Ok(true)
    }
}

impl Neighbor {
    fn render(&self, out: &mut String) {
        let uptime = self.uptime.map_or_else(|| "never".to_owned(), |age| age.to_string());
        let last = match self.prefixes_received {
            Some(count) => format!("{count:>8}"),
            None => self.state.clone(),
        };
        out.push_str(&format!(
            "{:<15} {} {:>12} {:>7} {:>7} {:>8} {:>4} {:>4} {uptime:<8} {last}\n",
            format!("{}{}", if self.dynamic { "*" } else { "" }, self.neighbor),
            self.version,
            self.remote_as,
            self.messages_received,
            self.messages_sent,
            self.neighbor_table_version,
            self.in_queue,
            self.out_queue,
        ));
    }
}

impl Record for IpBgpSummary {
    fn render(&self) -> String {
        blocks(&self.families, |family, out| family.render(out))
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut name = None;
        let mut in_body = false;
        for line in lines(text) {
            if line.text.trim_start().starts_with('%') {
                // `% BGP not active`.
            } else if let Some([family]) = line.holes("For address family: {}") {
                name = Some(family.to_owned());
            } else if let Some([id, asn]) = line.holes("BGP router identifier {}, local AS number {}") {
                in_body = false;
                record.families.push(Family {
                    name: name.take(),
                    router_id: line.value(id, "a router id")?,
                    local_as: as_number(line, asn)?,
                    table_version: 0,
                    networks: 0,
                    paths: 0,
                    shared: Shared::default(),
                    neighbors: Vec::new(),
                    listen: None,
                });
            } else if let Some(family) = record.families.last_mut() {
                let start = line.text.trim_start();
                if start.starts_with("Neighbor ") {
                    // Neighbors of other families than IPv4 are passed over.
                    in_body = family.name.as_ref().is_none_or(|name| name.contains("v4"));
                } else if start.starts_with("* ") || Listen::read(&mut family.listen, line)? {
                    in_body = false;
                } else if !in_body && family.shared.read(line)? {
                    // A line of the memory.
                } else if in_body {
                    family.neighbors.push(neighbor(line)?);
                } else if let Some([version, _]) = line.holes("BGP table version is {}, main {}") {
                    family.table_version = line.value(version, "a version")?;
                } else if let Some([count, _]) = line.holes("{} network entries using {}") {
                    family.networks = line.value(count, "a count")?;
                } else if let Some([count, _]) = line.holes("{} path entries using {}") {
                    family.paths = line.value(count, "a count")?;
                }
            } else {
                return Err(line.error("`BGP router identifier A, local AS number N`"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |family: &Family| -> Vec<Row> {
            let start = row(&json!({
                "router_id": family.router_id,
                "local_as": family.local_as,
                "table_version": family.table_version,
            }));
            let with = |neighbor: &Neighbor| start.clone().into_iter().chain(row(neighbor)).collect();
            family.neighbors.iter().map(with).collect()
        };
        self.families.iter().flat_map(of).collect()
    }
}

/// `65000`, or in dotted notation `1.10`.
pub(super) fn as_number(line: Line<'_>, text: &str) -> Result<u32, ParseError> {
    match text.split_once('.') {
        Some((high, low)) => {
            let part = |text: &str| line.value::<u16>(text, "an AS number").map(u32::from);
            Ok(part(high)? << 16 | part(low)?)
        }
        None => line.value(text, "an AS number"),
    }
}

fn neighbor(line: Line<'_>) -> Result<Neighbor, ParseError> {
    let words = line.words();
    let [address, version, asn, received, sent, table, in_queue, out_queue, uptime, state @ ..] =
        words.as_slice()
    else {
        return Err(line.error("neighbor, V, AS, messages, version, queues, up/down, state"));
    };
    let state = state.join(" ");
    let prefixes_received = state.parse().ok();
    Ok(Neighbor {
        neighbor: line.value(address.trim_start_matches('*'), "an address")?,
        dynamic: address.starts_with('*'),
        version: line.value(version, "a version")?,
        remote_as: as_number(line, asn)?,
        messages_received: line.value(received, "a count")?,
        messages_sent: line.value(sent, "a count")?,
        neighbor_table_version: line.value(table, "a version")?,
        in_queue: line.value(in_queue, "a count")?,
        out_queue: line.value(out_queue, "a count")?,
        uptime: if *uptime == "never" { None } else { Some(line.value(uptime, "an age")?) },
        state: if prefixes_received.is_some() { "Established".to_owned() } else { state },
        prefixes_received,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn neighbor()(
            neighbor in arbitrary::address(), numbers in any::<[u32; 4]>(), counts in any::<[u64; 2]>(), uptime in prop::option::of(arbitrary::age()),
            state in arbitrary::word(&["Idle", "Idle (Admin)", "Active", "OpenSent"]), prefixes_received in prop::option::of(any::<u32>()),
            dynamic in any::<bool>(),
        ) -> Neighbor {
            Neighbor {
                neighbor, dynamic, version: 4, remote_as: numbers[0], messages_received: counts[0], messages_sent: counts[1], neighbor_table_version: numbers[1],
                in_queue: numbers[2], out_queue: numbers[3], uptime, state: if prefixes_received.is_some() { "Established".to_owned() } else { state },
                prefixes_received,
            }
        }
    }

    prop_compose! {
        fn family()(
            name in prop::option::of(Just("IPv4 Unicast".to_owned())), router_id in arbitrary::address(), numbers in any::<[u32; 3]>(),
            networks in 0u32..100_000, neighbors in prop::collection::vec(neighbor(), 0..4), created in prop::option::of(any::<[u32; 2]>()),
            groups in prop::collection::vec((arbitrary::name(), prop::collection::vec(arbitrary::prefix(), 1..3)), 1..3),
            shared in any::<[u32; 6]>(),
        ) -> Family {
            let [attributes, best_attributes, reflections, as_paths, communities, extended_communities] = shared;
            let shared = Shared { attributes, best_attributes, reflections, as_paths, communities, extended_communities };
            let shared = if networks == 0 { Shared::default() } else { shared };
            let listen = created.map(|[created, limit]| Listen { created, limit, groups });
            let paths = if networks == 0 { 0 } else { numbers[2] };
            Family { name, router_id, local_as: numbers[0], table_version: numbers[1], networks, paths, shared, neighbors, listen }
        }
    }

    proptest! {
        #[test]
        fn round_trip(families in prop::collection::vec(family(), 0..3)) {
            let record = IpBgpSummary { families };
            prop_assert_eq!(IpBgpSummary::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "BGP router identifier 1.1.1.1, local AS number 65000\n\
            BGP table version is 9, main routing table version 9\n\n\
            Neighbor        V           AS MsgRcvd MsgSent   TblVer  InQ OutQ Up/Down  State/PfxRcd\n\
            10.0.14.4       4        65001      26      27        9    0    0 00:20:06        7\n\
            10.10.14.4      4        65001       0       0        1    0    0 never    Idle\n";
        assert_eq!(IpBgpSummary::parse(text).unwrap().render(), text);
    }
}
