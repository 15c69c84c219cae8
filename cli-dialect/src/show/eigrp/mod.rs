//! `show ip eigrp ...`.
//!
//! | module | command |
//! |---|---|
//! | [`neighbors`] | `show ip eigrp neighbors [detail]` |
//! | [`topology`] | `show ip eigrp topology [all-links]` |
//! | [`entry`] | `show ip eigrp topology PREFIX` |
//! | [`interfaces`] | `show ip eigrp interfaces [detail]` |

pub mod entry;
pub mod interfaces;
pub mod neighbors;
pub mod topology;

use crate::show::text::Line;

/// The AS number, and the VRF if one is named, of a heading such as `EIGRP-IPv4 Neighbors for AS(10) VRF(BLUE)`.
fn heading(line: Line<'_>, title: &str) -> Option<(u16, Option<String>)> {
    let text = line.text.trim();
    if !text.to_ascii_lowercase().contains(title) || !text.contains("EIGRP") {
        return None;
    }
    let inside = |start: &str| {
        let (_, rest) = text.split_once(start)?;
        rest.split_once(')').map(|(inside, _)| inside)
    };
    let number = inside("AS(").or_else(|| text.rsplit_once("process ").map(|(_, number)| number))?;
    Some((number.trim().parse().ok()?, inside(" VRF(").map(str::to_owned)))
}

/// ` VRF(NAME)` behind a heading.
fn vrf_text(vrf: Option<&str>) -> String {
    vrf.map_or_else(String::new, |vrf| format!(" VRF({vrf})"))
}
