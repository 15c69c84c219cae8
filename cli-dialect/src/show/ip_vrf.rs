//! `show ip vrf [X]`, `show ip vrf interfaces [X]`: VRFs in the words of older releases.
//!
//! Row fields of the first: `name`, `route_distinguisher` (null if not set), `interfaces` (list of short names). Of the second, one row for each
//! interface: `interface` (short name), `ip_address` (null without one), `vrf`, `protocol` (`up`, `down`).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::context::protocol;
use super::text::lines;
use super::vrf_detail::VrfDetails;
use super::vrfs::{Vrf, Vrfs};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, word};

/// The record of `show ip vrf`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpVrfs(Vrfs);

/// The record of `show ip vrf interfaces`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpVrfInterfaces {
    /// The interfaces of VRFs.
    pub interfaces: Vec<VrfInterface>,
}

/// An interface of a VRF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrfInterface {
    /// Short name.
    pub interface: String,
    /// Its address; `None` is `unassigned`.
    pub ip_address: Option<Ipv4Addr>,
    /// The VRF.
    pub vrf: String,
    /// `up` or `down`.
    pub protocol: String,
}

impl IpVrfInterfaces {
    /// From a router: of all VRFs, or of one.
    ///
    /// # Errors
    /// There is no such VRF.
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>) -> Result<Self, Complaint> {
        let vrfs = Vrfs::collect(context, only)?.vrfs;
        let all = context.interfaces();
        let of = |vrf: &Vrf| {
            let id = context.router().interfaces().vrf_id(Some(&vrf.name));
            let name = vrf.name.clone();
            all.iter()
                .filter(|interface| Some(interface.vrf) == id)
                .map(|interface| VrfInterface {
                    interface: interface.name.short(),
                    ip_address: interface.addresses().next().map(|address| address.addr()),
                    vrf: name.clone(),
                    protocol: protocol(interface).to_owned(),
                })
                .collect::<Vec<_>>()
        };
        Ok(Self { interfaces: vrfs.iter().flat_map(of).collect() })
    }
}

impl Record for IpVrfs {
    fn render(&self) -> String {
        let mut out = "  Name                             Default RD            Interfaces\n".to_owned();
        for Vrf { name, route_distinguisher, interfaces, .. } in &self.0.vrfs {
            let rd = route_distinguisher.as_deref().unwrap_or("<not set>");
            let mut names = interfaces.iter();
            let first = names.next().map_or("", String::as_str);
            out.push_str(format!("  {name:<32} {rd:<21} {first}").trim_end());
            out.push('\n');
            names.for_each(|name| out.push_str(&format!("{:57}{name}\n", "")));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        Vrfs::parse(text).map(Self)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |vrf: &Vrf| {
            row(&json!({
                "name": vrf.name,
                "route_distinguisher": vrf.route_distinguisher,
                "interfaces": vrf.interfaces,
            }))
        };
        self.0.vrfs.iter().map(of).collect()
    }
}

impl Record for IpVrfInterfaces {
    fn render(&self) -> String {
        let head =
            "Interface              IP-Address      VRF                              Protocol\n".to_owned();
        self.interfaces.iter().fold(head, |text, one| {
            let VrfInterface { interface, ip_address, vrf, protocol } = one;
            let address = ip_address.map_or_else(|| "unassigned".to_owned(), |address| address.to_string());
            text + &format!("{interface:<22} {address:<15} {vrf:<32} {protocol:<8}\n")
        })
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            match line.words().as_slice() {
                ["Interface", ..] => {}
                [interface, address, vrf, protocol] => record.interfaces.push(VrfInterface {
                    interface: (*interface).to_owned(),
                    ip_address: match *address {
                        "unassigned" => None,
                        address => Some(line.value(address, "an address")?),
                    },
                    vrf: (*vrf).to_owned(),
                    protocol: (*protocol).to_owned(),
                }),
                _ => return Err(line.error("interface, address, VRF, protocol")),
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn list(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(IpVrfs(Vrfs::collect(context, args.text("vrf-name"))?).render())
    }
    fn interfaces(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(IpVrfInterfaces::collect(context, args.text("vrf-name"))?.render())
    }
    fn detail(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(VrfDetails::collect(context, args.text("vrf-name"))?.render())
    }
    let name = |run: ShowHandler| word("vrf-name", "VPN Routing/Forwarding instance name").run(run);
    let command = |keyword, help, run: ShowHandler| kw(keyword, help).run(run).then([name(run)]);
    vec![kw("ip", "IP information").then([
        command("vrf", "VPN Routing/Forwarding instance information", list).then([
            command("detail", "Detailed information", detail),
            command("interfaces", "Show VPN Routing/Forwarding interface information", interfaces),
        ]),
    ])]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    proptest! {
        #[test]
        fn lists_round_trip(list in prop::collection::vec((arbitrary::name(), prop::option::of("[1-9][0-9]{0,4}:[0-9]{1,4}"), prop::collection::vec(arbitrary::short_interface(), 0..3)), 0..4)) {
            let vrf = |(name, route_distinguisher, interfaces)| Vrf { name, route_distinguisher, protocols: Vec::new(), interfaces };
            let record = IpVrfs(Vrfs { vrfs: list.into_iter().map(vrf).collect() });
            prop_assert_eq!(IpVrfs::parse(&record.render()), Ok(record));
        }

        #[test]
        fn interfaces_round_trip(list in prop::collection::vec((arbitrary::short_interface(), prop::option::of(arbitrary::address()), arbitrary::name(), arbitrary::word(&["up", "down"])), 0..4)) {
            let one = |(interface, ip_address, vrf, protocol)| VrfInterface { interface, ip_address, vrf, protocol };
            let record = IpVrfInterfaces { interfaces: list.into_iter().map(one).collect() };
            prop_assert_eq!(IpVrfInterfaces::parse(&record.render()), Ok(record));
        }
    }
}
