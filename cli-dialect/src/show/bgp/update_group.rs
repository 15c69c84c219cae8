//! `show ip bgp update-group`: neighbors that are told the same.
//!
//! Row fields, one row for each group: `number`, `internal`, `version`, `route_map` (outbound, or null), `interval` (s), `members` (list).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::show::text::{blocks, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp update-group`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpUpdateGroups {
    /// The groups by number.
    pub groups: Vec<UpdateGroup>,
}

/// A group.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateGroup {
    /// Its number.
    pub number: u32,
    /// Of the own AS.
    pub internal: bool,
    /// The version of the table that its members know.
    pub version: u32,
    /// `route-map X out`.
    pub route_map: Option<String>,
    /// Seconds between advertisements.
    pub interval: u64,
    /// Neighbors.
    pub members: Vec<Ipv4Addr>,
}

/// How many members stand on a line.
const MEMBERS_A_LINE: usize = 4;

impl UpdateGroup {
    fn render(&self, out: &mut String) {
        let Self { number, version, interval, members, .. } = self;
        let kind = if self.internal { "internal" } else { "external" };
        out.push_str(&format!(
            "BGP version 4 update-group {number}, {kind}, Address Family: IPv4 Unicast\n  \
             BGP Update version : {version}/0, messages 0, active RGs: 1\n"
        ));
        if let Some(map) = &self.route_map {
            out.push_str(&format!("  Route map for outgoing advertisements is {map}\n"));
        }
        out.push_str(&format!(
            "  Topology: global, highest version: {version}, tail marker: {version}\n  \
             Format state: Current working (OK, last not in list)\n                \
             Refresh blocked (not in list, last not in list)\n  \
             Number of NLRIs in the update sent: max 0, min 0\n  \
             Minimum time between advertisement runs is {interval} seconds\n  Has {} member{}:\n",
            members.len(),
            if members.len() == 1 { "" } else { "s" }
        ));
        for some in members.chunks(MEMBERS_A_LINE) {
            let words: Vec<String> =
                some.iter().map(|member| format!("{:<16}", member.to_string())).collect();
            out.push_str(&format!("   {}\n", words.join(" ").trim_end()));
        }
    }
}

impl Record for IpBgpUpdateGroups {
    fn render(&self) -> String {
        blocks(&self.groups, UpdateGroup::render)
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut in_members = false;
        for line in lines(text) {
            if let Some([number, kind, _]) =
                line.holes("BGP version 4 update-group {}, {}, Address Family: {}")
            {
                in_members = false;
                let number = line.value(number, "a number")?;
                let internal = kind == "internal";
                record.groups.push(UpdateGroup { number, internal, ..UpdateGroup::default() });
                continue;
            }
            let Some(group) = record.groups.last_mut() else {
                return Err(line.error("`BGP version 4 update-group N, ...`"));
            };
            if in_members {
                for word in line.words() {
                    group.members.push(line.value(word, "an address")?);
                }
            } else if let Some([version, _]) = line.holes("BGP Update version : {}, {}") {
                group.version = line.value(version.split('/').next().unwrap_or(version), "a version")?;
            } else if let Some([map]) = line.holes("Route map for outgoing advertisements is {}") {
                group.route_map = Some(map.to_owned());
            } else if let Some([seconds]) =
                line.holes("Minimum time between advertisement runs is {} seconds")
            {
                group.interval = line.value(seconds, "seconds")?;
            } else {
                in_members = line.text.trim_start().starts_with("Has ");
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.groups.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn group()(
            number in any::<u32>(), internal in any::<bool>(), version in any::<u32>(), route_map in prop::option::of(arbitrary::name()),
            interval in 0u64..600, members in prop::collection::vec(arbitrary::address(), 1..7),
        ) -> UpdateGroup {
            UpdateGroup { number, internal, version, route_map, interval, members }
        }
    }

    proptest! {
        #[test]
        fn round_trip(groups in prop::collection::vec(group(), 0..3)) {
            let record = IpBgpUpdateGroups { groups };
            prop_assert_eq!(IpBgpUpdateGroups::parse(&record.render()), Ok(record));
        }
    }
}
