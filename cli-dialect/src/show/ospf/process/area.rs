//! The part of an area.

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::checksum;
use crate::show::ParseError;
use crate::show::age::PreciseAge;
use crate::show::text::Line;

/// An attached area.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Area {
    /// As it was configured, `0` or `0.0.0.0`.
    pub area: String,
    /// It is the backbone.
    pub backbone: bool,
    /// Some interface of it is up.
    pub active: bool,
    /// Interfaces in the area.
    pub interfaces: u32,
    /// Of these, loopbacks.
    pub loopbacks: u32,
    /// Normal, stub or NSSA.
    pub kind: Kind,
    /// `no-summary`.
    pub no_summary: bool,
    /// Cost of the default route that a border router tells a stub area.
    pub default_cost: Option<u32>,
    /// This router translates type 7 LSAs.
    pub translates: bool,
    /// `no`, `simple password`, `message digest`.
    pub authentication: String,
    /// How often the tree was calculated.
    pub spf_runs: u32,
    /// How long ago.
    pub last_spf: Option<PreciseAge>,
    /// `area range`.
    pub ranges: Vec<Range>,
    /// LSAs: how many, and the sum of their checksums.
    pub lsas: (u32, u32),
    /// LSAs of routers that do not understand DoNotAge.
    pub without_dc: u32,
    /// LSAs that do not age.
    pub do_not_age: u32,
    /// Opaque LSAs of link scope: how many, and the sum of their checksums.
    pub opaque_link: (u32, u32),
}

/// What an area is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// External routes pass.
    #[default]
    Normal,
    /// They do not.
    Stub,
    /// They come as type 7.
    Nssa,
}

/// An area range.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Range {
    /// Prefix.
    pub prefix: Ipv4Net,
    /// The cost if some subnet of it is there; `None` is passive.
    pub cost: Option<u32>,
    /// The cost is configured, not calculated.
    pub configured: bool,
    /// It is told to other areas.
    pub advertise: bool,
}

impl Area {
    pub(super) fn render(&self, out: &mut String) {
        let name = if self.backbone { format!("BACKBONE({})", self.area) } else { self.area.clone() };
        out.push_str(&format!("    Area {name}{}\n", if self.active { "" } else { " (Inactive)" }));
        let mut lines = vec![match self.loopbacks {
            0 => format!("Number of interfaces in this area is {}", self.interfaces),
            loopbacks => {
                format!("Number of interfaces in this area is {} ({loopbacks} loopback)", self.interfaces)
            }
        }];
        let no_summary = if self.no_summary { ", no summary LSA in this area" } else { "" };
        match self.kind {
            Kind::Normal => {}
            Kind::Stub => lines.push(format!("It is a stub area{no_summary}")),
            Kind::Nssa => lines.push(format!("It is a NSSA area{no_summary}")),
        }
        if self.translates {
            lines.push("Perform type-7/type-5 LSA translation".to_owned());
        }
        if let Some(cost) = self.default_cost {
            let name = if self.kind == Kind::Nssa { "NSSA" } else { "stub" };
            lines.push(format!("  generates {name} default route with cost {cost}"));
        }
        lines.push(format!("Area has {} authentication", self.authentication));
        if let Some(last) = self.last_spf {
            lines.push(format!("SPF algorithm last executed {last} ago"));
        }
        lines.push(format!("SPF algorithm executed {} times", self.spf_runs));
        lines.push("Area ranges are".to_owned());
        lines.extend(self.ranges.iter().map(Range::render));
        lines.push(format!("Number of LSA {}. Checksum Sum 0x{:06X}", self.lsas.0, self.lsas.1));
        let (count, sum) = self.opaque_link;
        lines.push(format!("Number of opaque link LSA {count}. Checksum Sum 0x{sum:06X}"));
        lines.extend([
            format!("Number of DCbitless LSA {}", self.without_dc),
            "Number of indication LSA 0".to_owned(),
            format!("Number of DoNotAge LSA {}", self.do_not_age),
            "Flood list length 0".to_owned(),
        ]);
        lines.iter().for_each(|line| out.push_str(&format!("        {line}\n")));
    }

    /// `BACKBONE(0)`, `51 (Inactive)`.
    pub(super) fn named(text: &str) -> Self {
        let (name, active) = match text.split_once("(I") {
            Some((name, _)) => (name.trim(), false),
            None => (text, true),
        };
        let backbone = name.strip_prefix("BACKBONE(").and_then(|rest| rest.strip_suffix(')'));
        Self {
            area: backbone.unwrap_or(name).to_owned(),
            backbone: backbone.is_some(),
            active,
            authentication: "no".to_owned(),
            ..Self::default()
        }
    }

    /// Takes in a line about the area; what has no field here is passed over.
    pub(super) fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let number = |text: &str| line.value::<u32>(text, "a number");
        if let Some([count]) = line.holes("Number of interfaces in this area is {}") {
            let (all, loopbacks) = count.split_once(" (").unwrap_or((count, ""));
            self.interfaces = number(all)?;
            self.loopbacks = loopbacks.strip_suffix(" loopback)").map_or(Ok(0), number)?;
        } else if let Some([kind, behind]) =
            line.holes("It is a {} area{}").or_else(|| line.holes("It is a {} area").map(|[kind]| [kind, ""]))
        {
            self.kind = if kind == "stub" { Kind::Stub } else { Kind::Nssa };
            self.no_summary = behind.contains("no summary LSA");
        } else if line.is("Perform type-7/type-5 LSA translation") {
            self.translates = true;
        } else if let Some([_, _, cost]) = line.holes("{}enerates {} default route with cost {}") {
            self.default_cost = Some(number(cost)?);
        } else if let Some([kind]) = line.holes("Area has {} authentication") {
            self.authentication = kind.to_owned();
        } else if let Some([last]) = line.holes("SPF algorithm last executed {} ago") {
            self.last_spf = Some(line.value(last, "an age")?);
        } else if let Some([count]) = line.holes("SPF algorithm executed {} times") {
            self.spf_runs = number(count)?;
        } else if let Some([count, sum]) = line.holes("Number of LSA {}. Checksum Sum 0x{}") {
            self.lsas = (number(count)?, checksum(line, sum)?);
        } else if let Some([count]) = line.holes("Number of DCbitless LSA {}") {
            self.without_dc = number(count)?;
        } else if let Some([count]) = line.holes("Number of DoNotAge LSA {}") {
            self.do_not_age = number(count)?;
        } else if let Some([count, sum]) = line.holes("Number of opaque link LSA {}. Checksum Sum 0x{}") {
            self.opaque_link = (number(count)?, checksum(line, sum)?);
        } else if let Some(range) = Range::parse(line) {
            self.ranges.push(range);
        }
        Ok(())
    }
}

impl Range {
    fn render(&self) -> String {
        let state = match self.cost {
            Some(cost) => format!("Active({cost}{})", if self.configured { " - configured" } else { "" }),
            None => "Passive".to_owned(),
        };
        let told = if self.advertise { "Advertise" } else { "DoNotAdvertise" };
        format!(" {} {state} {told}", self.prefix)
    }

    fn parse(line: Line<'_>) -> Option<Self> {
        let (prefix, rest) = line.text.trim().split_once(' ')?;
        let prefix = prefix.parse().ok()?;
        let (state, told) = rest.trim().rsplit_once(' ')?;
        let cost = state.strip_prefix("Active(").and_then(|rest| rest.strip_suffix(')'));
        let number = cost.map(|cost| cost.split(' ').next().unwrap_or_default().parse()).transpose().ok()?;
        let configured = cost.is_some_and(|cost| cost.ends_with("configured"));
        Some(Self { prefix, cost: number, configured, advertise: told == "Advertise" })
    }
}
