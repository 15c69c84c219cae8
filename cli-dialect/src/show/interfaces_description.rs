//! `show interfaces description`.
//!
//! Row fields: `interface` (short name), `status` (`up`, `down`, `admin down`), `protocol`, `description` (empty without).

use netconfarena_emu::interface::{Interface, InterfaceName};
use serde::{Deserialize, Serialize};

use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};
use crate::config::Complaint;
use crate::grammar::{Spec, interface, kw, plain};

/// The record of `show interfaces description`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfacesDescription {
    /// The interfaces, in the order of the device.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Short name, `Gi0/1`.
    pub interface: String,
    /// `up`, `down`, `admin down`.
    pub status: String,
    /// `up` or `down`.
    pub protocol: String,
    /// Empty if none is configured.
    pub description: String,
}

impl InterfacesDescription {
    /// From a router; of one interface only, if one is named.
    ///
    /// # Errors
    /// There is no interface of that name.
    pub fn collect(context: &ShowContext<'_>, only: Option<InterfaceName>) -> Result<Self, Complaint> {
        let interfaces = match only {
            Some(name) => vec![context.interface(name)?],
            None => context.interfaces(),
        };
        let configured = &context.router().config().interfaces;
        let entry = |interface: &Interface| Entry {
            interface: interface.name.short(),
            status: if interface.admin_up { context::status(interface) } else { "admin down" }.to_owned(),
            protocol: context::protocol(interface).to_owned(),
            description: configured
                .get(&interface.name)
                .and_then(|config| config.description.clone())
                .unwrap_or_default(),
        };
        Ok(Self { interfaces: interfaces.into_iter().map(entry).collect() })
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler =
        |context, args| Ok(InterfacesDescription::collect(context, args.interface())?.render());
    let description = || plain("description", "Show interface description", run);
    vec![
        kw("interfaces", "Interface status and configuration")
            .then([description(), interface("Interface name").then([description()])]),
    ]
}

impl Record for InterfacesDescription {
    fn render(&self) -> String {
        let mut out = "Interface                      Status         Protocol Description\n".to_owned();
        for e in &self.interfaces {
            out.push_str(&format!(
                "{:<30} {:<14} {:<8} {}\n",
                e.interface, e.status, e.protocol, e.description
            ));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let is_heading = |line: &Line<'_>| line.text.trim_start().starts_with("Interface  ");
        let interfaces = lines(text).into_iter().filter(|line| !is_heading(line)).map(entry);
        Ok(Self { interfaces: interfaces.collect::<Result<_, _>>()? })
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let expected = "interface, status, protocol, description";
    let cut = |text: &'static str| move |rest: &str| rest.trim_start().strip_prefix(text).map(str::to_owned);
    let (interface, rest) =
        line.text.trim_start().split_once(char::is_whitespace).ok_or_else(|| line.error(expected))?;
    let (status, rest) = ["admin down", "up", "down", "deleted", "reset"]
        .into_iter()
        .find_map(|status| Some((status, cut(status)(rest)?)))
        .ok_or_else(|| line.error("a status"))?;
    let (protocol, rest) = ["up", "down"]
        .into_iter()
        .find_map(|protocol| Some((protocol, cut(protocol)(&rest)?)))
        .ok_or_else(|| line.error("`up` or `down`"))?;
    Ok(Entry {
        interface: interface.to_owned(),
        status: status.to_owned(),
        protocol: protocol.to_owned(),
        description: rest.trim().to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((
            "(Gi|Se|Lo)[0-9]/[0-9]", prop::sample::select(vec!["up", "down", "admin down"]),
            prop::sample::select(vec!["up", "down"]), "([!-~][ -~]{0,20}[!-~])?",
        ), 0..6)) {
            let interfaces = list.into_iter().map(|(interface, status, protocol, description)| Entry {
                interface, status: status.to_owned(), protocol: protocol.to_owned(), description,
            }).collect();
            let record = InterfacesDescription { interfaces };
            prop_assert_eq!(InterfacesDescription::parse(&record.render()), Ok(record));
        }
    }
}
