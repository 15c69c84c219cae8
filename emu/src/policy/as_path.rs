//! `ip as-path access-list`.

use serde::{Deserialize, Serialize};

use super::{IosRegex, Permission};

/// An as-path access list: entries in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsPathList {
    /// The entries; the first one that matches decides.
    pub entries: Vec<AsPathEntry>,
}

/// `permit|deny REGEX`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AsPathEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// Matched against the path as `show ip bgp` writes it.
    pub regex: IosRegex,
}

impl AsPathList {
    /// Whether a path passes; `as_path` is its text, e.g. `65001 65002 {65003,65004}`, empty for routes of our own AS. What no entry is
    /// about does not pass.
    #[must_use]
    pub fn permits(&self, as_path: &str) -> bool {
        let first = self.entries.iter().find(|entry| entry.regex.is_match(as_path));
        first.is_some_and(|entry| entry.action.is_permit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_match_decides_and_the_end_denies() {
        let entry = |action, pattern| AsPathEntry { action, regex: IosRegex::new(pattern).unwrap() };
        let list = AsPathList {
            entries: vec![entry(Permission::Deny, "_65002_"), entry(Permission::Permit, "^65001")],
        };
        assert!(list.permits("65001 7"));
        assert!(!list.permits("65001 65002"));
        assert!(!list.permits("7"));
        assert!(!AsPathList::default().permits(""));
    }
}
