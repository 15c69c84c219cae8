//! `show arp` and `show ip arp`.
//!
//! Row fields: `protocol`, `address`, `age` (minutes; null for the router's own addresses), `hardware_address` (null while
//! incomplete), `type`, `interface` (null while incomplete).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::forwarding::{ArpEntry, ArpState};
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::interface::{Interface, InterfaceName, Medium};
use serde::{Deserialize, Serialize};

use super::text::{Line, lines, push_line};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, interface, ip, kw, plain, word};

/// The record of `show arp`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArpTable {
    /// The entries, in the order of the device.
    pub entries: Vec<Entry>,
}

/// An entry of the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// `Internet`.
    pub protocol: String,
    /// The IP address.
    pub address: Ipv4Addr,
    /// Minutes since the entry was confirmed; `None` for the router's own addresses.
    pub age: Option<u32>,
    /// Hardware address in Cisco's notation; `None` is `Incomplete`.
    pub hardware_address: Option<String>,
    /// `ARPA`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Full name of the interface.
    pub interface: Option<String>,
}

/// Which entries are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of this VRF; `None` is every one.
    pub vrf: Option<VrfId>,
    /// Of this interface.
    pub interface: Option<InterfaceName>,
    /// Of this address.
    pub address: Option<Ipv4Addr>,
}

impl ArpTable {
    /// From a router: its own addresses and what it has learned, by address.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, wanted: Wanted) -> Self {
        let router = context.router();
        let of_interface = |interface: &&Interface| {
            wanted.vrf.is_none_or(|vrf| vrf == interface.vrf)
                && wanted.interface.is_none_or(|name| name == interface.name)
        };
        let own = router.interfaces().iter().filter(of_interface).filter(|i| i.medium == Medium::Ethernet);
        let own =
            own.filter(|i| i.is_up()).flat_map(|i| i.addresses().map(move |address| own_entry(i, address)));
        let learned = router.arp().iter().filter_map(|entry| {
            let interface = router.interfaces().get(entry.interface).filter(of_interface)?;
            Some(learned_entry(context, interface, &entry))
        });
        let mut entries: Vec<Entry> = own.chain(learned).collect();
        entries.retain(|entry| wanted.address.is_none_or(|address| address == entry.address));
        entries.sort_by_key(|entry| entry.address);
        Self { entries }
    }
}

fn own_entry(interface: &Interface, address: Ipv4Net) -> Entry {
    Entry {
        protocol: "Internet".to_owned(),
        address: address.addr(),
        age: None,
        hardware_address: Some(interface.mac.to_string()),
        kind: "ARPA".to_owned(),
        interface: Some(interface.name.to_string()),
    }
}

fn learned_entry(context: &ShowContext<'_>, interface: &Interface, entry: &ArpEntry<'_>) -> Entry {
    let (age, hardware_address, interface) = match entry.state {
        ArpState::Incomplete { .. } => (0, None, None),
        ArpState::Resolved { mac, heard, .. } => {
            let minutes = context.now().since(*heard).as_secs() / 60;
            let minutes = u32::try_from(minutes).unwrap_or(u32::MAX);
            (minutes, Some(mac.to_string()), Some(interface.name.to_string()))
        }
    };
    Entry {
        protocol: "Internet".to_owned(),
        address: entry.address,
        age: Some(age),
        hardware_address,
        kind: "ARPA".to_owned(),
        interface,
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let arp = |help: &'static str, run: ShowHandler| {
        kw("arp", help).run(run).then([
            ip("address", "IP address or hostname of ARP entry").run(run),
            interface("Interface").run(run),
            kw("vrf", "VRF Routing/Forwarding instance").then([word(
                "vrf-name",
                "VPN Routing/Forwarding instance name",
            )
            .run(run)]),
        ])
    };
    let summary = plain("summary", "IP ARP table summary", show_summary as ShowHandler);
    vec![
        arp("ARP table", show_arp),
        kw("ip", "IP information").then([arp("IP ARP table", show_ip_arp).then([summary])]),
    ]
}

/// `show arp`: of all VRFs, unless one is named.
fn show_arp(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let vrf = args.has("vrf").then(|| context.vrf(args)).transpose()?;
    let wanted = Wanted { vrf, interface: args.interface(), address: args.ip("address") };
    context::text(&ArpTable::collect(context, wanted))
}

/// `show ip arp summary`.
fn show_summary(context: &ShowContext<'_>, _args: &Args) -> Result<String, Complaint> {
    let entries = ArpTable::collect(context, Wanted::default()).entries;
    let incomplete = entries.iter().filter(|entry| entry.hardware_address.is_none()).count();
    Ok(format!("{} IP ARP entries, with {incomplete} of them incomplete\n", entries.len()))
}

/// `show ip arp`: of the global table, unless a VRF is named.
fn show_ip_arp(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let vrf = if args.interface().is_some() { None } else { Some(context.vrf(args)?) };
    let wanted = Wanted { vrf, interface: args.interface(), address: args.ip("address") };
    context::text(&ArpTable::collect(context, wanted))
}

impl Record for ArpTable {
    fn render(&self) -> String {
        let mut out = String::new();
        push_line(&mut out, "Protocol  Address          Age (min)  Hardware Addr   Type   Interface");
        for e in &self.entries {
            let age = e.age.map_or_else(|| "-".to_owned(), |age| age.to_string());
            push_line(
                &mut out,
                &format!(
                    "{:<9} {:<15} {age:>9}   {:<15} {:<6} {}",
                    e.protocol,
                    e.address,
                    e.hardware_address.as_deref().unwrap_or("Incomplete"),
                    e.kind,
                    e.interface.as_deref().unwrap_or_default()
                ),
            );
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let is_heading = |line: &Line<'_>| line.text.trim_start().starts_with("Protocol ");
        let entries = lines(text).into_iter().filter(|line| !is_heading(line)).map(entry);
        Ok(Self { entries: entries.collect::<Result<_, _>>()? })
    }

    fn rows(&self) -> Vec<Row> {
        self.entries.iter().map(row).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let words = line.words();
    let [protocol, address, age, hardware, kind, interface @ ..] = words.as_slice() else {
        return Err(line.error("protocol, address, age, hardware address, type"));
    };
    Ok(Entry {
        protocol: (*protocol).to_owned(),
        address: line.value(address, "an IP address")?,
        age: if *age == "-" { None } else { Some(line.value(age, "minutes")?) },
        hardware_address: (*hardware != "Incomplete").then(|| (*hardware).to_owned()),
        kind: (*kind).to_owned(),
        interface: interface.first().map(|name| (*name).to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((any::<u32>(), prop::option::of(0u32..240), any::<[u8; 6]>(), any::<bool>()), 0..6)) {
            let entries = list.into_iter().map(|(address, age, mac, complete)| Entry {
                protocol: "Internet".to_owned(), address: address.into(), age,
                hardware_address: complete.then(|| netconfarena_emu::ids::MacAddress(mac).to_string()),
                kind: "ARPA".to_owned(), interface: complete.then(|| "GigabitEthernet0/1.100".to_owned()),
            }).collect();
            let record = ArpTable { entries };
            prop_assert_eq!(ArpTable::parse(&record.render()), Ok(record));
        }
    }
}
