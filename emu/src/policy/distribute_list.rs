//! The filters that `distribute-list` lines name.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::{PolicyConfig, RouteView};

/// A filter of a `distribute-list` line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DistributeList {
    /// An access list.
    AccessList(String),
    /// `prefix NAME [gateway NAME]`.
    Prefix {
        /// Matches the destination.
        list: Option<String>,
        /// Matches the next router.
        gateway: Option<String>,
    },
    /// `route-map NAME`.
    RouteMap(String),
}

impl DistributeList {
    /// Whether a route passes. `gateway` looks at the next routers, of which one must be permitted.
    #[must_use]
    pub fn permits(&self, route: &RouteView<'_>, policy: &PolicyConfig) -> bool {
        match self {
            Self::AccessList(name) => policy.access_list_permits(name, route.prefix),
            Self::Prefix { list, gateway } => {
                let permitted = |address: &Ipv4Addr, name: &str| {
                    policy.prefix_list_permits(name, Ipv4Net::from(*address))
                };
                list.as_deref().is_none_or(|name| policy.prefix_list_permits(name, route.prefix))
                    && gateway
                        .as_deref()
                        .is_none_or(|name| route.next_hops.iter().any(|address| permitted(address, name)))
            }
            Self::RouteMap(name) => policy.route_map(name, route).is_some(),
        }
    }
}
