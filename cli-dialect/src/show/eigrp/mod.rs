//! `show ip eigrp ...`, and the same behind `show eigrp address-family ipv4`.
//!
//! | module | command |
//! |---|---|
//! | [`neighbors`] | `show ip eigrp neighbors [detail]` |
//! | [`topology`] | `show ip eigrp topology [all-links]` |
//! | [`entry`] | `show ip eigrp topology PREFIX` |
//! | [`interfaces`] | `show ip eigrp interfaces [detail]` |
//! | [`traffic`] | `show ip eigrp traffic` |
//! | `command` | the grammar |
//! | `collect`, `collect_topology` | the records from processes |

mod collect;
mod collect_topology;
mod command;
pub mod entry;
pub mod interfaces;
pub mod neighbors;
pub mod topology;
pub mod traffic;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::show::text::Line;

pub(super) use command::table;

/// Which process a part of the output is about.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// AS number.
    pub as_number: u16,
    /// NAME of `router eigrp NAME`; `None` in classic mode.
    pub name: Option<String>,
    /// VRF; `None` is the global table.
    pub vrf: Option<String>,
}

impl Heading {
    /// `EIGRP-IPv4 Neighbors for AS(10)`, in named mode `EIGRP-IPv4 VR(LAB) Address-Family Neighbors for AS(10)`, with ` VRF(RED)` behind.
    fn text(&self, title: &str) -> String {
        let vrf = self.vrf.as_ref().map_or_else(String::new, |vrf| format!(" VRF({vrf})"));
        format!("{} {title} AS({}){vrf}", self.family("Address-Family"), self.as_number)
    }

    /// `EIGRP-IPv4`, in named mode with `VR(LAB)` and perhaps more words behind it.
    fn family(&self, more: &str) -> String {
        match (&self.name, more) {
            (None, _) => "EIGRP-IPv4".to_owned(),
            (Some(name), "") => format!("EIGRP-IPv4 VR({name})"),
            (Some(name), more) => format!("EIGRP-IPv4 VR({name}) {more}"),
        }
    }
}

/// Whole milliseconds.
fn millis(span: Duration) -> u32 {
    u32::try_from(span.as_millis()).unwrap_or(u32::MAX)
}

/// What stands in the parentheses behind a word such as `VR`.
fn inside<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(&format!("{word}("))?;
    rest.split_once(')').map(|(inside, _)| inside.trim())
}

/// The process of a heading such as `EIGRP-IPv4 Neighbors for AS(10) VRF(BLUE)`.
fn heading(line: Line<'_>, title: &str) -> Option<Heading> {
    let text = line.text.trim();
    if !text.to_ascii_lowercase().contains(title) || !text.contains("EIGRP") {
        return None;
    }
    let number = inside(text, " AS").or_else(|| text.rsplit_once("process ").map(|(_, number)| number))?;
    Some(Heading {
        as_number: number.trim().parse().ok()?,
        name: inside(text, " VR").map(str::to_owned),
        vrf: inside(text, " VRF").map(str::to_owned),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        pub(super) fn heading()(
            as_number in any::<u16>(), name in prop::option::of(arbitrary::name()), vrf in prop::option::of(arbitrary::name()),
        ) -> Heading {
            Heading { as_number, name, vrf }
        }
    }
}
