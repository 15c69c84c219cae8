//! BGP communities (RFC 1997) and `ip community-list`.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::{IosRegex, Permission};

/// A community.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Community(pub u32);

impl Community {
    /// `internet`: 0, and in a list every route.
    pub const INTERNET: Self = Self(0);
    /// `gshut` (RFC 8326).
    pub const GRACEFUL_SHUTDOWN: Self = Self(0xFFFF_0000);
    /// `no-export`.
    pub const NO_EXPORT: Self = Self(0xFFFF_FF01);
    /// `no-advertise`.
    pub const NO_ADVERTISE: Self = Self(0xFFFF_FF02);
    /// `local-AS`: not outside the sub-AS of a confederation.
    pub const LOCAL_AS: Self = Self(0xFFFF_FF03);

    /// The community `asn:number`.
    #[must_use]
    pub const fn new(asn: u16, number: u16) -> Self {
        Self((asn as u32) << 16 | number as u32)
    }

    /// The name of a well-known community.
    #[must_use]
    pub const fn name(self) -> Option<&'static str> {
        match self {
            Self::INTERNET => Some("internet"),
            Self::GRACEFUL_SHUTDOWN => Some("gshut"),
            Self::NO_EXPORT => Some("no-export"),
            Self::NO_ADVERTISE => Some("no-advertise"),
            Self::LOCAL_AS => Some("local-AS"),
            _ => None,
        }
    }

    /// As IOS writes it: a name, with `ip bgp-community new-format` `AA:NN`, without a decimal number.
    #[must_use]
    pub fn text(self, new_format: bool) -> String {
        match self.name() {
            Some(name) => name.to_owned(),
            None if new_format => self.to_string(),
            None => self.0.to_string(),
        }
    }
}

impl fmt::Display for Community {
    /// As `AA:NN`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.0 >> 16, self.0 & 0xFFFF)
    }
}

/// A text that is no community.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCommunity;

impl fmt::Display for InvalidCommunity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a community is a well-known name, AA:NN, or a number from 1 to 4294967295")
    }
}

impl std::error::Error for InvalidCommunity {}

impl FromStr for Community {
    type Err = InvalidCommunity;

    fn from_str(text: &str) -> Result<Self, InvalidCommunity> {
        let known =
            [Self::INTERNET, Self::GRACEFUL_SHUTDOWN, Self::NO_EXPORT, Self::NO_ADVERTISE, Self::LOCAL_AS];
        let named = known.into_iter().find(|c| c.name().is_some_and(|name| name.eq_ignore_ascii_case(text)));
        if let Some(community) = named {
            return Ok(community);
        }
        let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let number = match text.split_once(':') {
            Some((asn, number)) if digits(asn) && digits(number) => Self::new(
                asn.parse().map_err(|_| InvalidCommunity)?,
                number.parse().map_err(|_| InvalidCommunity)?,
            ),
            None if digits(text) => Self(text.parse().map_err(|_| InvalidCommunity)?),
            _ => return Err(InvalidCommunity),
        };
        Ok(number)
    }
}

/// A community list: entries in order, of which the first one that matches decides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CommunityList {
    /// Numbers 1 to 99, and `standard NAME`.
    Standard(Vec<StandardCommunityEntry>),
    /// Numbers 100 to 500, and `expanded NAME`.
    Expanded(Vec<ExpandedCommunityEntry>),
}

/// `permit|deny COMMUNITY...`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardCommunityEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// A route matches if it has all of them.
    pub communities: BTreeSet<Community>,
}

/// `permit|deny REGEX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExpandedCommunityEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// Matched against the communities of a route in ascending order, separated by blanks, as IOS writes them.
    pub regex: IosRegex,
}

impl CommunityList {
    /// Whether a route with these communities passes. `exact` asks for the same set and not only for a part (standard lists);
    /// `new_format` is how communities are written.
    #[must_use]
    pub fn permits(&self, communities: &[Community], exact: bool, new_format: bool) -> bool {
        let action = match self {
            Self::Standard(entries) => {
                entries.iter().find(|entry| entry.matches(communities, exact)).map(|entry| entry.action)
            }
            Self::Expanded(entries) => {
                let sorted: BTreeSet<Community> = communities.iter().copied().collect();
                let words: Vec<String> = sorted.into_iter().map(|c| c.text(new_format)).collect();
                let text = words.join(" ");
                entries.iter().find(|entry| entry.regex.is_match(&text)).map(|entry| entry.action)
            }
        };
        action.is_some_and(Permission::is_permit)
    }
}

impl StandardCommunityEntry {
    fn matches(&self, communities: &[Community], exact: bool) -> bool {
        let mut asked = self.communities.iter().filter(|&&community| community != Community::INTERNET);
        let has_all = asked.all(|community| communities.contains(community));
        has_all && (!exact || communities.iter().all(|community| self.communities.contains(community)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn communities(text: &str) -> Vec<Community> {
        text.split_whitespace().map(|word| word.parse().unwrap()).collect()
    }

    fn standard(entries: &[(Permission, &str)]) -> CommunityList {
        let entry = |&(action, text): &(Permission, &str)| StandardCommunityEntry {
            action,
            communities: communities(text).into_iter().collect(),
        };
        CommunityList::Standard(entries.iter().map(entry).collect())
    }

    #[test]
    fn communities_are_names_pairs_or_numbers() {
        assert_eq!("no-export".parse(), Ok(Community::NO_EXPORT));
        assert_eq!("local-as".parse(), Ok(Community::LOCAL_AS));
        assert_eq!("65000:1".parse(), Ok(Community::new(65000, 1)));
        assert_eq!("4259840001".parse(), Ok(Community::new(65000, 1)));
        for wrong in ["", ":", "1:", "65536:1", "1:65536", "-1", "+1", "4294967296", "1:2:3", "exportless"] {
            assert_eq!(wrong.parse::<Community>(), Err(InvalidCommunity), "{wrong}");
        }
        assert_eq!(Community::new(65000, 1).text(true), "65000:1");
        assert_eq!(Community::new(65000, 1).text(false), "4259840001");
        assert_eq!(Community::NO_ADVERTISE.text(true), "no-advertise");
    }

    #[test]
    fn a_standard_entry_asks_for_all_its_communities() {
        let list = standard(&[(Permission::Deny, "1:1 1:2"), (Permission::Permit, "1:1")]);
        assert!(list.permits(&communities("1:1 1:3"), false, true));
        assert!(!list.permits(&communities("1:2 1:1 9:9"), false, true));
        assert!(!list.permits(&communities("1:2"), false, true));
    }

    #[test]
    fn exact_match_asks_for_no_others() {
        let list = standard(&[(Permission::Permit, "1:1 1:2")]);
        assert!(list.permits(&communities("1:2 1:1"), true, true));
        assert!(!list.permits(&communities("1:2 1:1 1:3"), true, true));
        assert!(list.permits(&communities("1:2 1:1 1:3"), false, true));
    }

    #[test]
    fn internet_matches_every_route() {
        let list = standard(&[(Permission::Deny, "1:1"), (Permission::Permit, "internet")]);
        assert!(list.permits(&[], false, true));
        assert!(!list.permits(&communities("1:1"), false, true));
    }

    #[test]
    fn an_expanded_entry_sees_the_communities_as_they_are_written() {
        let entry = ExpandedCommunityEntry {
            action: Permission::Permit,
            regex: IosRegex::new("^65000:1_.*no-export$").unwrap(),
        };
        let list = CommunityList::Expanded(vec![entry]);
        assert!(list.permits(&communities("no-export 65000:1"), false, true));
        assert!(!list.permits(&communities("no-export 65000:1"), false, false));
    }
}
