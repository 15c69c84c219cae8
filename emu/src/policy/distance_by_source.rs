//! `distance D A W [ACL]`: administrative distance by who tells a route, for every routing protocol that has the command.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::PolicyConfig;
use crate::config::Wildcard;

/// `distance D A W [ACL]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceBySource {
    /// The distance.
    pub distance: u8,
    /// Who tells the routes: to OSPF router ids of advertising routers, to the others addresses of neighbors.
    pub source: Wildcard,
    /// Only destinations that this access list permits.
    pub access_list: Option<String>,
}

impl DistanceBySource {
    /// The distance by the first of the lines that is about a route to `prefix` from `source`.
    #[must_use]
    pub fn first_match(
        lines: &[Self],
        source: Ipv4Addr,
        prefix: Ipv4Net,
        policy: &PolicyConfig,
    ) -> Option<u8> {
        let permits = |list: &str| policy.access_list_permits(list, prefix);
        let line = lines
            .iter()
            .find(|line| line.source.matches(source) && line.access_list.as_deref().is_none_or(permits))?;
        Some(line.distance)
    }
}
