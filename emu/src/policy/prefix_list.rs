//! `ip prefix-list`.

use std::collections::BTreeMap;
use std::fmt;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::Permission;

/// A prefix list.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrefixList {
    /// `description`.
    pub description: Option<String>,
    /// The entries by sequence number.
    pub entries: BTreeMap<u32, PrefixListEntry>,
}

/// `seq N permit|deny P [ge G] [le L]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrefixListEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// The prefix, host bits cleared.
    prefix: Ipv4Net,
    /// Least length, `ge`.
    ge: Option<u8>,
    /// Greatest length, `le`.
    le: Option<u8>,
}

/// `% Invalid prefix range for P, make sure: len < ge-value <= le-value`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidPrefixRange(pub Ipv4Net);

impl fmt::Display for InvalidPrefixRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Invalid prefix range for {}, make sure: len < ge-value <= le-value", self.0)
    }
}

impl std::error::Error for InvalidPrefixRange {}

impl PrefixListEntry {
    /// An entry, if its lengths are in IOS's order: that of the prefix < `ge` <= `le` <= 32. `le 32` beside `ge` says
    /// nothing, and is dropped as IOS drops it.
    pub fn new(
        action: Permission,
        prefix: Ipv4Net,
        ge: Option<u8>,
        le: Option<u8>,
    ) -> Result<Self, InvalidPrefixRange> {
        let prefix = prefix.trunc();
        let length = prefix.prefix_len();
        let in_order = ge.is_none_or(|ge| length < ge && ge <= le.unwrap_or(32))
            && le.is_none_or(|le| length < le && le <= 32);
        if !in_order {
            return Err(InvalidPrefixRange(prefix));
        }
        let le = le.filter(|&le| ge.is_none() || le < 32);
        Ok(Self { action, prefix, ge, le })
    }

    /// The prefix.
    #[must_use]
    pub const fn prefix(&self) -> Ipv4Net {
        self.prefix
    }

    /// `ge`.
    #[must_use]
    pub const fn ge(&self) -> Option<u8> {
        self.ge
    }

    /// `le`.
    #[must_use]
    pub const fn le(&self) -> Option<u8> {
        self.le
    }

    /// Whether the entry is about `prefix`.
    #[must_use]
    pub fn matches(&self, prefix: Ipv4Net) -> bool {
        let length = prefix.prefix_len();
        let (least, greatest) = match (self.ge, self.le) {
            (None, None) => (self.prefix.prefix_len(), self.prefix.prefix_len()),
            (ge, le) => (ge.unwrap_or(self.prefix.prefix_len()), le.unwrap_or(32)),
        };
        self.prefix.contains(&prefix) && (least..=greatest).contains(&length)
    }
}

impl PrefixList {
    /// The first entry about `prefix`, with its sequence number.
    #[must_use]
    pub fn first_match(&self, prefix: Ipv4Net) -> Option<(u32, Permission)> {
        self.entries.iter().find(|(_, entry)| entry.matches(prefix)).map(|(&seq, entry)| (seq, entry.action))
    }

    /// Whether `prefix` passes: what no entry is about does not, but a list without entries lets all pass.
    #[must_use]
    pub fn permits(&self, prefix: Ipv4Net) -> bool {
        match self.first_match(prefix) {
            Some((_, action)) => action.is_permit(),
            None => self.entries.is_empty(),
        }
    }

    /// The sequence number that IOS gives an entry written without one: 5 after the last.
    #[must_use]
    pub fn next_sequence(&self) -> u32 {
        self.entries.last_key_value().map_or(5, |(seq, _)| seq.saturating_add(5))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn net(text: &str) -> Ipv4Net {
        text.parse().unwrap()
    }

    fn entry(prefix: &str, ge: Option<u8>, le: Option<u8>) -> Result<PrefixListEntry, InvalidPrefixRange> {
        PrefixListEntry::new(Permission::Permit, net(prefix), ge, le)
    }

    #[test]
    fn lengths_without_ge_and_le_are_exact_and_otherwise_a_range() {
        for (ge, le, passing) in [
            (None, None, 8..=8u8),
            (Some(16), None, 16..=32),
            (None, Some(16), 8..=16),
            (Some(12), Some(16), 12..=16),
        ] {
            let entry = entry("10.0.0.0/8", ge, le).unwrap();
            for length in 0..=32 {
                let prefix = Ipv4Net::new("10.0.0.0".parse().unwrap(), length).unwrap().trunc();
                let expected = length >= 8 && passing.contains(&length);
                assert_eq!(entry.matches(prefix), expected, "{ge:?} {le:?} {length}");
            }
        }
        assert!(!entry("10.0.0.0/8", Some(9), None).unwrap().matches(net("11.0.0.0/9")));
    }

    #[test]
    fn ranges_out_of_order_are_refused() {
        assert!(entry("10.0.0.0/8", Some(8), None).is_err());
        assert!(entry("10.0.0.0/8", Some(20), Some(16)).is_err());
        assert!(entry("10.0.0.0/8", None, Some(8)).is_err());
        assert!(entry("10.0.0.0/8", None, Some(33)).is_err());
        assert_eq!(entry("10.0.0.0/8", Some(9), Some(32)).unwrap().le(), None);
    }

    #[test]
    fn first_match_decides_then_deny_but_an_empty_list_permits() {
        let mut list = PrefixList::default();
        assert!(list.permits(net("1.0.0.0/8")));
        let deny = PrefixListEntry::new(Permission::Deny, net("10.1.0.0/16"), None, Some(32)).unwrap();
        list.entries.insert(5, deny);
        assert_eq!(list.next_sequence(), 10);
        list.entries.insert(10, entry("10.0.0.0/8", None, Some(32)).unwrap());
        assert!(!list.permits(net("10.1.2.0/24")));
        assert!(list.permits(net("10.2.0.0/16")));
        assert!(!list.permits(net("11.0.0.0/8")));
    }
}
