//! `show ip ospf [N] [AREA] database ...`.
//!
//! | module | command |
//! |---|---|
//! | [`list`] | `database [adv-router A | self-originate]`: a line for each LSA |
//! | [`detail`] | `database router|network|summary|asbr-summary|external|nssa-external [ID] [adv-router A | self-originate]` |
//! | [`totals`] | `database database-summary` |

mod collect;
mod command;
pub mod detail;
mod detail_text;
pub mod list;
pub mod totals;

pub use collect::Wanted;
pub(super) use command::table;
use serde::{Deserialize, Serialize};

use crate::show::text::Line;

/// The types of LSAs, each with the headings that IOS prints above them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LsaKind {
    /// Type 1.
    Router,
    /// Type 2.
    Network,
    /// Type 3.
    Summary,
    /// Type 4.
    AsbrSummary,
    /// Type 7.
    NssaExternal,
    /// Type 9.
    OpaqueLink,
    /// Type 10.
    OpaqueArea,
    /// Type 5.
    External,
    /// Type 11.
    OpaqueAs,
}

impl LsaKind {
    /// All, in the order in which IOS prints them.
    pub const ALL: [Self; 9] = [
        Self::Router,
        Self::Network,
        Self::Summary,
        Self::AsbrSummary,
        Self::NssaExternal,
        Self::OpaqueLink,
        Self::OpaqueArea,
        Self::External,
        Self::OpaqueAs,
    ];

    /// The heading without the area.
    #[must_use]
    pub const fn heading(self) -> &'static str {
        match self {
            Self::Router => "Router Link States",
            Self::Network => "Net Link States",
            Self::Summary => "Summary Net Link States",
            Self::AsbrSummary => "Summary ASB Link States",
            Self::NssaExternal => "Type-7 AS External Link States",
            Self::OpaqueLink => "Type-9 Opaque Link Local Link States",
            Self::OpaqueArea => "Type-10 Opaque Area Link States",
            Self::External => "Type-5 AS External Link States",
            Self::OpaqueAs => "Type-11 Opaque AS Link States",
        }
    }
}

/// `Router Link States (Area 0)`, with or without `Displaying` in front.
fn heading_of(line: Line<'_>) -> Option<(LsaKind, Option<String>)> {
    let text = line.text.trim();
    let text = text.strip_prefix("Displaying ").unwrap_or(text);
    let (title, area) = match text.split_once("(Area ") {
        Some((title, area)) => (title.trim_end(), Some(area.trim_end_matches(')').to_owned())),
        None => (text, None),
    };
    LsaKind::ALL.into_iter().find(|kind| kind.heading() == title).map(|kind| (kind, area))
}

/// The line above a section.
fn heading(kind: LsaKind, area: Option<&str>) -> String {
    let area = area.map_or_else(String::new, |area| format!(" (Area {area})"));
    format!("\t\t{}{area}\n\n", kind.heading())
}
