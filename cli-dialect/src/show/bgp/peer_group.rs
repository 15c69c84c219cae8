//! `show ip bgp peer-group [G]`.
//!
//! Row fields, one row for each group: `name`, `remote_as` (null if each member has its own), `internal`, `members` (list).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::summary::as_number;
use crate::show::text::{blocks, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip bgp peer-group`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpBgpPeerGroups {
    /// The groups by name.
    pub groups: Vec<Group>,
}

/// A peer group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Group {
    /// Its name.
    pub name: String,
    /// The AS of its members, if they have one in common.
    pub remote_as: Option<u32>,
    /// It is of the own AS.
    pub internal: bool,
    /// Neighbors in it.
    pub members: Vec<Ipv4Addr>,
}

impl Group {
    fn render(&self, out: &mut String) {
        let Self { name, internal, .. } = self;
        let remote = self.remote_as.map_or_else(String::new, |asn| format!(",  remote AS {asn}"));
        let (kind, interval) = if *internal { ("internal", 0) } else { ("external", 30) };
        let members: String = self.members.iter().map(|member| format!("{member} ")).collect();
        out.push_str(&format!(
            "BGP peer-group is {name}{remote}\n  BGP version 4\n  Neighbor sessions:\n    \
             0 active, is not multisession capable (disabled)\n  \
             Default minimum time between advertisement runs is {interval} seconds\n\n \
             For address family: IPv4 Unicast\n  BGP neighbor is {name}, peer-group {kind}, members:\n  {members}\n  \
             Index 0, Advertise bit 0\n  Update messages formatted 0, replicated 0\n  \
             Number of NLRIs in the update sent: max 0, min 0\n"
        ));
    }
}

impl Record for IpBgpPeerGroups {
    fn render(&self) -> String {
        blocks(&self.groups, Group::render)
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([name]) = line.holes("BGP peer-group is {}") {
                let (name, asn) = name.split_once(',').map_or((name, None), |(name, asn)| (name, Some(asn)));
                let asn = asn.and_then(|asn| asn.trim().strip_prefix("remote AS "));
                record.groups.push(Group {
                    name: name.to_owned(),
                    remote_as: asn.map(|asn| as_number(line, asn)).transpose()?,
                    internal: false,
                    members: Vec::new(),
                });
                continue;
            }
            let Some(group) = record.groups.last_mut() else {
                return Err(line.error("`BGP peer-group is NAME`"));
            };
            if let Some([_, kind]) = line.holes("BGP neighbor is {}, peer-group {}, members:") {
                group.internal = kind == "internal";
            } else {
                let addresses =
                    line.words().iter().map(|word| word.parse()).collect::<Result<Vec<Ipv4Addr>, _>>();
                group.members.extend(addresses.unwrap_or_default());
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
        fn group()(name in arbitrary::name(), remote_as in prop::option::of(any::<u32>()), internal in any::<bool>(),
            members in prop::collection::vec(arbitrary::address(), 0..4)) -> Group {
            Group { name, remote_as, internal, members }
        }
    }

    proptest! {
        #[test]
        fn round_trip(groups in prop::collection::vec(group(), 0..3)) {
            let record = IpBgpPeerGroups { groups };
            prop_assert_eq!(IpBgpPeerGroups::parse(&record.render()), Ok(record));
        }
    }
}
