//! `show arp` and `show ip arp`.
//!
//! Row fields: `protocol`, `address`, `age` (minutes; null for the router's own addresses), `hardware_address` (null while
//! incomplete), `type`, `interface` (null while incomplete).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::text::{Line, lines, push_line};
use super::{ParseError, Record, Row, row};

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

impl Record for ArpTable {
    fn render(&self) -> String {
        let mut out = String::new();
        push_line(&mut out, "Protocol  Address          Age (min)  Hardware Addr   Type   Interface");
        for e in &self.entries {
            let age = e.age.map_or_else(|| "-".to_owned(), |age| age.to_string());
            push_line(
                &mut out,
                &format!(
                    "{:<9} {:<15} {age:>10}  {:<15} {:<6} {}",
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
