//! `show ip interface brief`.
//!
//! Row fields: `interface`, `ip_address` (null if unassigned), `method`, `status` (`up`, `down`, `administratively down`),
//! `protocol` (`up`, `down`).

use std::net::Ipv4Addr;

use netconfarena_emu::interface::{Interface, InterfaceName};
use serde::{Deserialize, Serialize};

use super::text::{lines, push_line};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::grammar::{Spec, interface, kw};

/// The record of `show ip interface brief`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpInterfaceBrief {
    /// The interfaces, in the order of the device.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Full name.
    pub interface: String,
    /// Primary address; `None` is `unassigned`.
    pub ip_address: Option<Ipv4Addr>,
    /// Where the address comes from: `manual`, `NVRAM`, `unset`, ...
    pub method: String,
    /// `up`, `down`, `administratively down`, `deleted`.
    pub status: String,
    /// Line protocol: `up` or `down`.
    pub protocol: String,
}

impl IpInterfaceBrief {
    /// From a router; of one interface only, if one is named.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, only: Option<InterfaceName>) -> Self {
        let wanted = |interface: &&Interface| only.is_none_or(|name| name == interface.name);
        let entry = |interface| entry(context, interface);
        Self { interfaces: context.interfaces().into_iter().filter(wanted).map(entry).collect() }
    }
}

fn entry(context: &ShowContext<'_>, interface: &Interface) -> Entry {
    let router = context.router();
    let saved = router
        .startup_config()
        .and_then(|config| config.interfaces.get(&interface.name))
        .is_some_and(|settings| settings.address.is_some() && settings.address == interface.address);
    let method = match interface.address {
        None => "unset",
        Some(_) if saved => "NVRAM",
        Some(_) => "manual",
    };
    Entry {
        interface: interface.name.to_string(),
        ip_address: router.interfaces().source_address(interface.index),
        method: method.to_owned(),
        status: context::status(interface).to_owned(),
        protocol: context::protocol(interface).to_owned(),
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, args| {
        // A named interface that does not exist has no line.
        context::text(&IpInterfaceBrief::collect(context, args.interface()))
    };
    let brief = || kw("brief", "Brief summary of IP status and configuration").run(run);
    vec![kw("ip", "IP information").then([kw("interface", "IP interface status and configuration").then([
        brief().then([interface("Interface name").run(run)]),
        interface("Interface name").then([brief()]),
    ])])]
}

impl Record for IpInterfaceBrief {
    fn render(&self) -> String {
        let mut out = String::new();
        push_line(
            &mut out,
            "Interface                  IP-Address      OK? Method Status                Protocol",
        );
        for e in &self.interfaces {
            let address = e.ip_address.map_or_else(|| "unassigned".to_owned(), |a| a.to_string());
            push_line(
                &mut out,
                &format!(
                    "{:<26} {address:<15} YES {:<6} {:<21} {:<8}",
                    e.interface, e.method, e.status, e.protocol
                ),
            );
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if line.text.trim_start().starts_with("Interface ") {
                continue;
            }
            let words = line.words();
            let [interface, address, _ok, method, status @ .., protocol] = words.as_slice() else {
                return Err(line.error("interface, address, OK?, method, status, protocol"));
            };
            let ip_address = match *address {
                "unassigned" => None,
                address => Some(line.value(address, "an IP address or `unassigned`")?),
            };
            if status.is_empty() || !["up", "down"].contains(protocol) {
                return Err(line.error("a status and `up` or `down`"));
            }
            record.interfaces.push(Entry {
                interface: (*interface).to_owned(),
                ip_address,
                method: (*method).to_owned(),
                status: status.join(" "),
                protocol: (*protocol).to_owned(),
            });
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((
            "(GigabitEthernet|Serial|Loopback)[0-9]/[0-9](\\.[0-9]{1,3})?",
            prop::option::of(any::<u32>()),
            prop::sample::select(vec!["manual", "NVRAM", "unset", "TFTP"]),
            prop::sample::select(vec!["up", "down", "administratively down"]),
            prop::sample::select(vec!["up", "down"]),
        ), 0..6)) {
            let interfaces = list.into_iter().map(|(interface, address, method, status, protocol)| Entry {
                interface,
                ip_address: address.map(Ipv4Addr::from),
                method: method.to_owned(),
                status: status.to_owned(),
                protocol: protocol.to_owned(),
            }).collect();
            let record = IpInterfaceBrief { interfaces };
            prop_assert_eq!(IpInterfaceBrief::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn errors_name_the_line() {
        let error =
            IpInterfaceBrief::parse("Interface IP-Address\nLoopback0 10.0.0 YES manual up up\n").unwrap_err();
        assert_eq!(error.line, 2);
        assert!(error.to_string().contains("Loopback0"), "{error}");
    }
}
