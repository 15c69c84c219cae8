//! `show vrf detail [X]`.
//!
//! Row fields, one row for each VRF: `name`, `id`, `route_distinguisher` and `description` (null if not set), `interfaces` (list of short
//! names), `ipv4` (whether the address family is active).

use serde::{Deserialize, Serialize};

use super::text::{Line, lines};
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, plain, word};

/// The record of `show vrf detail`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrfDetails {
    /// VRFs by name.
    pub vrfs: Vec<VrfDetail>,
}

/// A VRF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrfDetail {
    /// Name.
    pub name: String,
    /// Its number.
    pub id: u32,
    /// `rd`.
    pub route_distinguisher: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// Short names.
    pub interfaces: Vec<String>,
    /// `address-family ipv4`.
    pub ipv4: bool,
}

impl VrfDetails {
    /// From a router; one VRF only, if one is named.
    ///
    /// # Errors
    /// There is no such VRF.
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>) -> Result<Self, Complaint> {
        let router = context.router();
        let all = &router.config().vrfs;
        if let Some(name) = only.filter(|name| !all.contains_key(*name)) {
            return Err(Complaint::Refused(format!("% No VRF named {name}")));
        }
        let wanted = all.iter().filter(|(name, _)| only.is_none_or(|only| only == name.as_str()));
        let vrfs = wanted.map(|(name, config)| {
            let id = router.interfaces().vrf_id(Some(name));
            let interfaces = context.interfaces().into_iter().filter(|interface| Some(interface.vrf) == id);
            VrfDetail {
                name: name.clone(),
                id: id.map_or(0, |id| id.0),
                route_distinguisher: config.route_distinguisher.clone(),
                description: config.description.clone(),
                interfaces: interfaces.map(|interface| interface.name.short()).collect(),
                ipv4: config.ipv4,
            }
        });
        Ok(Self { vrfs: vrfs.collect() })
    }
}

/// How many interfaces stand in a line.
const COLUMNS: usize = 3;

impl Record for VrfDetails {
    fn render(&self) -> String {
        self.vrfs.iter().map(VrfDetail::text).collect::<Vec<_>>().join("\n")
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut within_interfaces = false;
        for line in lines(text) {
            if line.text.starts_with("VRF ") {
                record.vrfs.push(head(line)?);
                continue;
            }
            let vrf = record.vrfs.last_mut().ok_or_else(|| line.error("`VRF NAME (VRF Id = N)`"))?;
            within_interfaces &= line.text.starts_with("    ");
            let trimmed = line.text.trim_start();
            if let Some(text) = trimmed.strip_prefix("Description: ") {
                vrf.description = Some(text.to_owned());
            } else if trimmed == "Interfaces:" {
                within_interfaces = true;
            } else if within_interfaces {
                vrf.interfaces.extend(line.words().into_iter().map(str::to_owned));
            } else if trimmed.starts_with("Address family ipv4 unicast (Table ID") {
                vrf.ipv4 = true;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.vrfs.iter().map(row).collect()
    }
}

impl VrfDetail {
    fn text(&self) -> String {
        let Self { name, id, route_distinguisher, description, interfaces, ipv4 } = self;
        let rd = route_distinguisher.as_deref().unwrap_or("<not set>");
        let mut out = format!("VRF {name} (VRF Id = {id}); default RD {rd}; default VPNID <not set>\n");
        if let Some(text) = description {
            out += &format!("  Description: {text}\n");
        }
        out += "  New CLI format, supports multiple address-families\n";
        out += if route_distinguisher.is_some() { "  Flags: 0x180C\n" } else { "  Flags: 0x1808\n" };
        if interfaces.is_empty() {
            out += "  No interfaces\n";
        } else {
            out += "  Interfaces:\n";
            for names in interfaces.chunks(COLUMNS) {
                let cells: Vec<String> = names.iter().map(|name| format!("{name:<24}")).collect();
                out += &format!("    {}\n", cells.join(" "));
            }
        }
        if *ipv4 {
            out += &format!(
                "Address family ipv4 unicast (Table ID = 0x{id:X}):\n  Flags: 0x0\n\
                 \u{20} No Export VPN route-target communities\n\
                 \u{20} No Import VPN route-target communities\n\
                 \u{20} No import route-map\n\
                 \u{20} No global export route-map\n\
                 \u{20} No export route-map\n\
                 \u{20} VRF label distribution protocol: not configured\n\
                 \u{20} VRF label allocation mode: per-prefix\n"
            );
        } else {
            out += "Address family ipv4 unicast not active\n";
        }
        for family in ["ipv6 unicast", "ipv4 multicast", "ipv6 multicast"] {
            out += &format!("Address family {family} not active\n");
        }
        out
    }
}

fn head(line: Line<'_>) -> Result<VrfDetail, ParseError> {
    let fail = || line.error("`VRF NAME (VRF Id = N); default RD X`");
    let named = line.text.strip_prefix("VRF ").ok_or_else(fail)?;
    let (name, rest) = named.split_once(" (VRF Id = ").ok_or_else(fail)?;
    let (id, rest) = rest.split_once("); default RD ").ok_or_else(fail)?;
    let rd = rest.split(';').next().unwrap_or_default();
    Ok(VrfDetail {
        name: name.to_owned(),
        id: id.parse().map_err(|_| fail())?,
        route_distinguisher: Some(rd.to_owned()).filter(|rd| rd != "<not set>"),
        ..VrfDetail::default()
    })
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(VrfDetails::collect(context, args.text("vrf-name"))?.render())
    }
    let run: ShowHandler = show;
    let one = word("vrf-name", "VPN Routing/Forwarding instance name").run(run);
    vec![
        kw("vrf", "VPN Routing/Forwarding instance information").then([plain(
            "detail",
            "Detailed information",
            run,
        )
        .then([one])]),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn vrf()(name in arbitrary::name(), id in 1u32..4000, route_distinguisher in prop::option::of("[1-9][0-9]{0,4}:[0-9]{1,4}"),
            description in prop::option::of("[a-z]{1,9}( [a-z]{1,9})?"), ipv4 in any::<bool>(),
            interfaces in prop::collection::vec(arbitrary::short_interface(), 0..5)) -> VrfDetail {
            VrfDetail { name, id, route_distinguisher, description, interfaces, ipv4 }
        }
    }

    proptest! {
        #[test]
        fn round_trip(vrfs in prop::collection::vec(vrf(), 0..4)) {
            let record = VrfDetails { vrfs };
            prop_assert_eq!(VrfDetails::parse(&record.render()), Ok(record));
        }
    }
}
