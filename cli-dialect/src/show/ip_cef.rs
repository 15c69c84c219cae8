//! `show ip cef [vrf V] [PREFIX | A]`.
//!
//! Row fields, one row for each way: `prefix`, `next_hop` (an address, `attached`, `receive`, `drop`, `no route`, `unresolved`, or `0.0.0.0` for
//! Null0), `interface` (null where not printed).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::forwarding::ArpState;
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::rib::{FibEntry, TableId};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, ip, kw, prefix, word};

/// The record of `show ip cef`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpCef {
    /// One entry was asked for, and is shown in another form.
    pub one: bool,
    /// Entries in the order of their prefixes.
    pub entries: Vec<Entry>,
}

/// A forwarding entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Destination.
    pub prefix: Ipv4Net,
    /// Ways, at least one.
    pub ways: Vec<Way>,
}

/// A way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// An address, `attached`, `receive`, `drop`, `no route`, `unresolved`.
    pub next_hop: String,
    /// Full name.
    pub interface: Option<String>,
}

fn way(next_hop: &str, interface: Option<String>) -> Way {
    Way { next_hop: next_hop.to_owned(), interface }
}

/// Entries that every router has.
const SPECIAL: [([u8; 4], u8, &str); 7] = [
    ([0, 0, 0, 0], 8, "drop"),
    ([0, 0, 0, 0], 32, "receive"),
    ([127, 0, 0, 0], 8, "drop"),
    ([224, 0, 0, 0], 4, "drop"),
    ([224, 0, 0, 0], 24, "receive"),
    ([240, 0, 0, 0], 4, "drop"),
    ([255, 255, 255, 255], 32, "receive"),
];

impl IpCef {
    /// The whole table of a VRF.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, vrf: VrfId) -> Self {
        let router = context.router();
        let table = TableId::ipv4(vrf);
        let default = Ipv4Net::default();
        let mut entries: Vec<Entry> = SPECIAL
            .into_iter()
            .filter_map(|(address, length, what)| {
                let prefix = Ipv4Net::new(Ipv4Addr::from(address), length).ok()?;
                Some(Entry { prefix, ways: vec![way(what, None)] })
            })
            .collect();
        if router.fib().entry(table, default).is_none() {
            entries.push(Entry { prefix: default, ways: vec![way("no route", None)] });
        }
        for (prefix, entry) in router.fib().entries(table) {
            if let FibEntry::Connected(index) = entry {
                // The network's own address and the broadcast address are received.
                let ends =
                    [prefix.network(), prefix.broadcast()].into_iter().filter(|_| prefix.prefix_len() < 31);
                let receive = || vec![way("receive", Some(context.interface_name(index)))];
                entries.extend(ends.map(|end| Entry { prefix: Ipv4Net::from(end), ways: receive() }));
            }
            // A connected host route is the router's own address.
            let entry = match entry {
                FibEntry::Connected(index) if prefix.prefix_len() == 32 => FibEntry::Receive(index),
                entry => entry,
            };
            entries.push(Entry { prefix, ways: ways(context, &entry) });
        }
        entries.extend(router.arp().iter().filter_map(|arp| {
            let interface = router.interfaces().get(arp.interface)?;
            let known = matches!(arp.state, ArpState::Resolved { .. }) && interface.vrf == vrf;
            let attached = vec![way("attached", Some(interface.name.to_string()))];
            known.then(|| Entry { prefix: Ipv4Net::from(arp.address), ways: attached })
        }));
        entries.sort_by_key(|entry| entry.prefix);
        Self { one: false, entries }
    }

    /// The entry of a prefix, or the one used for an address.
    #[must_use]
    pub fn of(context: &ShowContext<'_>, vrf: VrfId, wanted: Result<Ipv4Net, Ipv4Addr>) -> Self {
        let mut all = Self::collect(context, vrf).entries;
        let found = match wanted {
            Ok(prefix) => all.into_iter().find(|entry| entry.prefix == prefix.trunc()),
            Err(address) => {
                all.retain(|entry| entry.prefix.contains(&address));
                all.into_iter().max_by_key(|entry| entry.prefix.prefix_len())
            }
        };
        Self { one: true, entries: found.into_iter().collect() }
    }
}

fn ways(context: &ShowContext<'_>, entry: &FibEntry<'_>) -> Vec<Way> {
    match entry {
        FibEntry::Receive(index) => vec![way("receive", Some(context.interface_name(*index)))],
        FibEntry::Connected(index) => vec![way("attached", Some(context.interface_name(*index)))],
        FibEntry::Discard => vec![way("attached", Some("Null0".to_owned()))],
        FibEntry::Paths([]) => vec![way("unresolved", None)],
        FibEntry::Paths(paths) => paths
            .iter()
            .map(|path| {
                let hop = path.gateway.map_or_else(|| "attached".to_owned(), |gateway| gateway.to_string());
                way(&hop, Some(context.interface_name(path.interface)))
            })
            .collect(),
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        let vrf = context.vrf(args)?;
        let record = match (args.prefix("prefix"), args.ip("address"), args.ip("mask")) {
            (Some(prefix), ..) => IpCef::of(context, vrf, Ok(prefix)),
            (_, Some(address), Some(mask)) => match Ipv4Net::with_netmask(address, mask) {
                Ok(prefix) => IpCef::of(context, vrf, Ok(prefix)),
                Err(_) => return Err(Complaint::Refused("% Invalid prefix/mask".to_owned())),
            },
            (_, Some(address), None) => IpCef::of(context, vrf, Err(address)),
            _ => IpCef::collect(context, vrf),
        };
        if record.entries.is_empty() {
            return Err(Complaint::Refused("%Prefix not found".to_owned()));
        }
        context::text(&record)
    }
    let run: ShowHandler = show;
    let wanted = || {
        [
            prefix("prefix", "IP prefix <network>/<length>").run(run),
            ip("address", "IP address").run(run).then([ip("mask", "IP mask").run(run)]),
        ]
    };
    vec![kw("ip", "IP information").then([
        kw("cef", "Cisco Express Forwarding").run(run).then(wanted()).then([
            kw("vrf", "Show VRF information").then([word("vrf-name", "VRF name").run(run).then(wanted())]),
        ]),
    ])]
}

impl Record for IpCef {
    fn render(&self) -> String {
        if self.one {
            return self.entries.iter().map(render_one).collect();
        }
        let mut out = "Prefix               Next Hop             Interface\n".to_owned();
        for Entry { prefix, ways } in &self.entries {
            let mut start = prefix.to_string();
            for Way { next_hop, interface } in ways {
                let line = format!("{start:<20} {next_hop:<20} {}", interface.as_deref().unwrap_or_default());
                out.push_str(line.trim_end());
                out.push('\n');
                start.clear();
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if line.is("Prefix Next Hop Interface") || line.text.trim_start().starts_with('%') {
                continue;
            }
            let words = line.words();
            match words.as_slice() {
                [prefix] if !line.is_indented() => {
                    record.one = true;
                    record.entries.push(Entry { prefix: line.value(prefix, "a prefix")?, ways: Vec::new() });
                }
                [prefix, rest @ ..] if !line.is_indented() => {
                    let prefix = line.value(prefix, "a prefix")?;
                    record.entries.push(Entry { prefix, ways: vec![table_way(line, rest)?] });
                }
                rest => {
                    let one = record.one;
                    let entry = record.entries.last_mut().ok_or_else(|| line.error("a prefix"))?;
                    entry.ways.push(if one { entry_way(line)? } else { table_way(line, rest)? });
                }
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |entry: &Entry| -> Vec<Row> {
            let with = |way: &Way| {
                let mut fields = row(&json!({ "prefix": entry.prefix }));
                fields.extend(row(way));
                fields
            };
            entry.ways.iter().map(with).collect()
        };
        self.entries.iter().flat_map(of).collect()
    }
}

/// `attached GigabitEthernet0/0`, `no route`, `drop`.
fn table_way(line: Line<'_>, words: &[&str]) -> Result<Way, ParseError> {
    match words {
        ["no", "route"] => Ok(way("no route", None)),
        [hop] => Ok(way(hop, None)),
        [hop, interface] => Ok(way(hop, Some((*interface).to_owned()))),
        _ => Err(line.error("a next hop and an interface")),
    }
}

fn render_one(entry: &Entry) -> String {
    let mut out = format!("{}\n", entry.prefix);
    for Way { next_hop, interface } in &entry.ways {
        let line = match (next_hop.as_str(), interface) {
            ("attached", Some(interface)) => format!("attached to {interface}"),
            ("receive", Some(interface)) => format!("receive for {interface}"),
            (hop, Some(interface)) => format!("nexthop {hop} {interface}"),
            (word, None) => word.to_owned(),
        };
        out.push_str(&format!("  {line}\n"));
    }
    out
}

fn entry_way(line: Line<'_>) -> Result<Way, ParseError> {
    let words = line.words();
    match words.as_slice() {
        ["attached", "to", interface] => Ok(way("attached", Some((*interface).to_owned()))),
        ["receive", "for", interface] => Ok(way("receive", Some((*interface).to_owned()))),
        ["nexthop", hop, interface] => Ok(way(hop, Some((*interface).to_owned()))),
        words => table_way(line, words),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    fn some_ways() -> impl Strategy<Value = Vec<Way>> {
        let hop = || {
            (arbitrary::address(), arbitrary::interface())
                .prop_map(|(hop, interface)| way(&hop.to_string(), Some(interface)))
        };
        prop_oneof![
            arbitrary::word(&["drop", "receive", "no route", "unresolved"])
                .prop_map(|word| vec![way(&word, None)]),
            (arbitrary::word(&["attached", "receive"]), arbitrary::interface())
                .prop_map(|(word, interface)| vec![way(&word, Some(interface))]),
            prop::collection::vec(hop(), 1..3),
        ]
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::prefix(), some_ways()), 1..5), one in any::<bool>()) {
            let mut entries: Vec<Entry> = list.into_iter().map(|(prefix, ways)| Entry { prefix, ways }).collect();
            if one {
                entries.truncate(1);
            }
            let record = IpCef { one, entries };
            prop_assert_eq!(IpCef::parse(&record.render()), Ok(record));
        }
    }
}
