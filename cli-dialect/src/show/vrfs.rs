//! `show vrf [X]`.
//!
//! Row fields: `name`, `route_distinguisher` (null if not set), `protocols` (list), `interfaces` (list of short names).

use netconfarena_emu::config::VrfConfig;
use serde::{Deserialize, Serialize};

use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, word};

/// The record of `show vrf`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vrfs {
    /// VRFs by name.
    pub vrfs: Vec<Vrf>,
}

/// A VRF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vrf {
    /// Name.
    pub name: String,
    /// `rd`.
    pub route_distinguisher: Option<String>,
    /// `ipv4`, `ipv6`.
    pub protocols: Vec<String>,
    /// Short names.
    pub interfaces: Vec<String>,
}

impl Vrfs {
    /// From a router; one VRF only, if one is named.
    ///
    /// # Errors
    /// There is no such VRF.
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>) -> Result<Self, Complaint> {
        let all = &context.router().config().vrfs;
        if let Some(name) = only.filter(|name| !all.contains_key(*name)) {
            return Err(Complaint::Refused(format!("% No VRF named {name}")));
        }
        let wanted = all.iter().filter(|(name, _)| only.is_none_or(|only| only == name.as_str()));
        Ok(Self { vrfs: wanted.map(|(name, config)| of(context, name, config)).collect() })
    }
}

fn of(context: &ShowContext<'_>, name: &str, config: &VrfConfig) -> Vrf {
    let id = context.router().interfaces().vrf_id(Some(name));
    let interfaces = context.interfaces().into_iter().filter(|interface| Some(interface.vrf) == id);
    Vrf {
        name: name.to_owned(),
        route_distinguisher: config.route_distinguisher.clone(),
        protocols: config.ipv4.then(|| "ipv4".to_owned()).into_iter().collect(),
        interfaces: interfaces.map(|interface| interface.name.short()).collect(),
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(Vrfs::collect(context, args.text("vrf-name"))?.render())
    }
    let run: ShowHandler = show;
    vec![
        kw("vrf", "VPN Routing/Forwarding instance information").run(run).then([word(
            "vrf-name",
            "VPN Routing/Forwarding instance name",
        )
        .run(run)]),
    ]
}

const NOT_SET: &str = "<not set>";

impl Record for Vrfs {
    fn render(&self) -> String {
        let mut out =
            "  Name                             Default RD            Protocols   Interfaces\n".to_owned();
        for Vrf { name, route_distinguisher, protocols, interfaces } in &self.vrfs {
            let rd = route_distinguisher.as_deref().unwrap_or(NOT_SET);
            let mut names = interfaces.iter();
            let first = names.next().map_or("", String::as_str);
            let line = format!("  {name:<32} {rd:<21} {:<11} {first}", protocols.join(","));
            out.push_str(line.trim_end());
            out.push('\n');
            names.for_each(|name| out.push_str(&format!("{:69}{name}\n", "")));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let trimmed = line.text.trim_start();
            if trimmed.starts_with("Name ") || trimmed.starts_with('%') {
                continue;
            }
            if trimmed.starts_with("Platform iVRF") {
                break;
            }
            let words = line.words();
            let is_interface = line.text.starts_with(&" ".repeat(50));
            match (words.as_slice(), is_interface) {
                ([interface], true) => {
                    let vrf = record.vrfs.last_mut().ok_or_else(|| line.error("a VRF"))?;
                    vrf.interfaces.push((*interface).to_owned());
                }
                (words, _) => record.vrfs.push(vrf(line, words)?),
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.vrfs.iter().map(row).collect()
    }
}

fn vrf(line: Line<'_>, words: &[&str]) -> Result<Vrf, ParseError> {
    let [name, rest @ ..] = words else { return Err(line.error("a name")) };
    let (rd, rest) = match rest {
        ["<not", "set>", rest @ ..] => (None, rest),
        [rd, rest @ ..] => (Some((*rd).to_owned()), rest),
        [] => return Err(line.error("a route distinguisher, or `<not set>`")),
    };
    let (protocols, interfaces) = match rest {
        [first, rest @ ..] if first.starts_with("ipv") => {
            (first.split(',').map(str::to_owned).collect(), rest)
        }
        rest => (Vec::new(), rest),
    };
    Ok(Vrf {
        name: (*name).to_owned(),
        route_distinguisher: rd,
        protocols,
        interfaces: interfaces.iter().map(|name| (*name).to_owned()).collect(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn vrf()(name in arbitrary::name(), route_distinguisher in prop::option::of("[1-9][0-9]{0,4}:[0-9]{1,4}"), ipv4 in any::<bool>(),
            interfaces in prop::collection::vec(arbitrary::short_interface(), 0..3)) -> Vrf {
            Vrf { name, route_distinguisher, protocols: ipv4.then(|| "ipv4".to_owned()).into_iter().collect(), interfaces }
        }
    }

    proptest! {
        #[test]
        fn round_trip(vrfs in prop::collection::vec(vrf(), 0..4)) {
            let record = Vrfs { vrfs };
            prop_assert_eq!(Vrfs::parse(&record.render()), Ok(record));
        }
    }
}
