//! `show ip protocols`.
//!
//! Row fields, one row for each protocol: `protocol` (`ospf 1`), `settings` (its own lines as they stand), `maximum_path`, `networks`,
//! `interfaces` (routed explicitly), `passive` (lists), `sources` (list of `gateway`, `distance`, `last_update` in s), `distance`.

mod bgp;
mod collect;
mod eigrp;
mod rip;

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::age::Age;
use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, word};

/// The record of `show ip protocols`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpProtocols {
    /// The protocols in the order of the device.
    pub protocols: Vec<Protocol>,
}

/// A routing protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Protocol {
    /// `ospf 1`, `eigrp 100`, `rip`, `bgp 65000`.
    pub protocol: String,
    /// The protocol's own lines, without the first two blanks.
    pub settings: Vec<String>,
    /// `Maximum path`.
    pub maximum_path: Option<u32>,
    /// `Routing for Networks`; `None` where the protocol does not say it.
    pub networks: Option<Vec<String>>,
    /// `Routing on Interfaces Configured Explicitly`: areas and full names.
    pub interfaces: Vec<(String, Vec<String>)>,
    /// `Passive Interface(s)`.
    pub passive: Vec<String>,
    /// `Routing Information Sources`.
    pub sources: Vec<Source>,
    /// `Distance`: `(default is 110)`, `internal 90 external 170`.
    pub distance: String,
}

/// A router that told routes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Its address, or its router id.
    pub gateway: Ipv4Addr,
    /// Administrative distance of its routes.
    pub distance: u8,
    /// Since its last route came.
    pub last_update: Age,
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(IpProtocols::collect(context, context.vrf(args)?).render())
    }
    let run: ShowHandler = show;
    vec![kw("ip", "IP information").then([
        kw("protocols", "IP routing protocol process parameters and statistics").run(run).then([
            kw("vrf", "VPN Routing/Forwarding instance").then([word("vrf-name", "VRF name").run(run)]),
        ]),
    ])]
}

impl Protocol {
    fn render(&self, out: &mut String) {
        out.push_str(&format!("Routing Protocol is \"{}\"\n", self.protocol));
        for setting in &self.settings {
            // EIGRP sets its process apart from the rest.
            out.push_str(if setting.starts_with("Automatic Summarization") { "\n" } else { "" });
            out.push_str(&format!("  {setting}\n"));
        }
        if let Some(most) = self.maximum_path {
            out.push_str(&format!("  Maximum path: {most}\n"));
        }
        let mut list = |heading: &str, names: &[String]| {
            out.push_str(&format!("  {heading}:\n"));
            names.iter().for_each(|name| out.push_str(&format!("    {name}\n")));
        };
        if let Some(networks) = &self.networks {
            list("Routing for Networks", networks);
        }
        for (area, names) in &self.interfaces {
            list(&format!("Routing on Interfaces Configured Explicitly (Area {area})"), names);
        }
        if !self.passive.is_empty() {
            list("Passive Interface(s)", &self.passive);
        }
        out.push_str("  Routing Information Sources:\n    Gateway         Distance      Last Update\n");
        for Source { gateway, distance, last_update } in &self.sources {
            out.push_str(&format!("    {gateway:<15} {distance:>8}      {last_update}\n"));
        }
        out.push_str(&format!("  Distance: {}\n\n", self.distance));
    }
}

/// The list that further indented lines belong to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    Settings,
    Networks,
    Interfaces,
    Passive,
    Sources,
}

impl Record for IpProtocols {
    fn render(&self) -> String {
        let mut out = "*** IP Routing is NSF aware ***\n\n".to_owned();
        self.protocols.iter().for_each(|protocol| protocol.render(&mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut list = List::Settings;
        for line in lines(text) {
            let trimmed = line.text.trim();
            if let Some([protocol]) = line.holes("Routing Protocol is \"{}\"") {
                record.protocols.push(Protocol { protocol: protocol.to_owned(), ..Protocol::default() });
                list = List::Settings;
            } else if let Some(protocol) = record.protocols.last_mut() {
                read(protocol, line, &mut list)?;
            } else if !trimmed.starts_with('*') && !trimmed.starts_with('%') {
                return Err(line.error("`Routing Protocol is \"X\"`"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |protocol: &Protocol| {
            let mut fields = row(protocol);
            let names: Vec<&String> = protocol.interfaces.iter().flat_map(|(_, names)| names).collect();
            fields.insert("interfaces".to_owned(), json!(names));
            fields
        };
        self.protocols.iter().map(of).collect()
    }
}

/// Takes in a line about a protocol.
fn read(protocol: &mut Protocol, line: Line<'_>, list: &mut List) -> Result<(), ParseError> {
    let text = line.text.strip_prefix("  ").unwrap_or(line.text);
    if text.starts_with(' ') {
        let item = text.trim();
        match list {
            List::Settings => protocol.settings.push(text.to_owned()),
            List::Networks => protocol.networks.get_or_insert_default().push(item.to_owned()),
            List::Interfaces => {
                if let Some((_, names)) = protocol.interfaces.last_mut() {
                    names.push(item.to_owned());
                }
            }
            List::Passive => protocol.passive.push(item.to_owned()),
            List::Sources if item.starts_with("Gateway ") => {}
            List::Sources => protocol.sources.push(source(line)?),
        }
        return Ok(());
    }
    *list = List::Settings;
    if let Some([most]) = line.holes("Maximum path: {}") {
        protocol.maximum_path = Some(line.value(most, "a number")?);
    } else if text == "Routing for Networks:" {
        protocol.networks = Some(Vec::new());
        *list = List::Networks;
    } else if let Some([area]) = line.holes("Routing on Interfaces Configured Explicitly (Area {}):") {
        protocol.interfaces.push((area.to_owned(), Vec::new()));
        *list = List::Interfaces;
    } else if text == "Passive Interface(s):" {
        *list = List::Passive;
    } else if text == "Routing Information Sources:" {
        *list = List::Sources;
    } else if let Some(distance) = text.strip_prefix("Distance: ") {
        protocol.distance = distance.to_owned();
    } else {
        protocol.settings.push(text.to_owned());
    }
    Ok(())
}

fn source(line: Line<'_>) -> Result<Source, ParseError> {
    let words = line.words();
    let &[gateway, distance, age] = words.as_slice() else {
        return Err(line.error("gateway, distance, last update"));
    };
    Ok(Source {
        gateway: line.value(gateway, "an address")?,
        distance: line.value(distance, "a distance")?,
        last_update: line.value(age, "an age")?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    prop_compose! {
        fn source()(gateway in arbitrary::address(), distance in any::<u8>(), last_update in arbitrary::age()) -> Source {
            Source { gateway, distance, last_update }
        }
    }

    prop_compose! {
        fn protocol()(
            protocol in arbitrary::word(&["ospf 1", "eigrp 100", "rip", "bgp 65000"]),
            settings in prop::collection::vec(arbitrary::word(&["Router ID 1.1.1.1", "  Metric weight K1=1", "Automatic Summarization: disabled"]), 0..4),
            maximum_path in prop::option::of(any::<u32>()), networks in prop::option::of(prop::collection::vec(Just("10.0.0.0 0.0.0.255 area 0".to_owned()), 0..3)),
            interfaces in prop::collection::vec((arbitrary::word(&["0", "5"]), prop::collection::vec(arbitrary::interface(), 1..3)), 0..2),
            passive in prop::collection::vec(arbitrary::interface(), 0..3), sources in prop::collection::vec(source(), 0..3),
            distance in arbitrary::word(&["(default is 110)", "internal 90 external 170"]),
        ) -> Protocol {
            Protocol { protocol, settings, maximum_path, networks, interfaces, passive, sources, distance }
        }
    }

    proptest! {
        #[test]
        fn round_trip(protocols in prop::collection::vec(protocol(), 0..3)) {
            let record = IpProtocols { protocols };
            prop_assert_eq!(IpProtocols::parse(&record.render()), Ok(record));
        }
    }
}
