//! Access lists and prefix lists: configuration and evaluation.
//!
//! | file | what it holds |
//! |---|---|
//! | `access_list.rs` | standard and extended IP access lists, over packets and over prefixes |
//! | `prefix_list.rs` | `ip prefix-list` |
//! | `classful.rs` | class A, B and C networks |
//!
//! The configuration holds no counters: an evaluation tells which line matched, and the router counts.

mod access_list;
pub mod classful;
mod prefix_list;

use std::collections::BTreeMap;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use access_list::{
    AccessList, ExtendedEntry, IcmpMatch, Line, PacketFields, PortMatch, StandardEntry, Verdict,
};
pub use prefix_list::{InvalidPrefixRange, PrefixList, PrefixListEntry};

/// What `redistribute` takes routes from. The order is that of `show running-config`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RedistributionSource {
    /// `connected`.
    Connected,
    /// `static`.
    Static,
    /// `eigrp N`.
    Eigrp(u16),
    /// `ospf N`.
    Ospf(u16),
    /// `rip`.
    Rip,
    /// `bgp N`.
    Bgp(crate::ids::Asn),
}

/// `permit` or `deny`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Permission {
    /// `permit`.
    Permit,
    /// `deny`.
    Deny,
}

impl Permission {
    /// Whether this is `permit`.
    #[must_use]
    pub const fn is_permit(self) -> bool {
        matches!(self, Self::Permit)
    }
}

/// The access lists and prefix lists of a router, by name. A number is a name of digits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyConfig {
    /// `access-list N` and `ip access-list standard|extended NAME`.
    pub access_lists: BTreeMap<String, AccessList>,
    /// `ip prefix-list NAME`.
    pub prefix_lists: BTreeMap<String, PrefixList>,
}

impl PolicyConfig {
    /// Whether the access list `name` lets a prefix pass, as in `distribute-list`; one that does not exist lets all pass.
    #[must_use]
    pub fn access_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.access_lists.get(name).is_none_or(|list| list.permits_prefix(prefix))
    }

    /// Whether the prefix list `name` lets a prefix pass; one that does not exist lets all pass.
    #[must_use]
    pub fn prefix_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.prefix_lists.get(name).is_none_or(|list| list.permits(prefix))
    }
}
