//! Access lists, prefix lists and route maps, as the configuration of the process names them.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use crate::ospf::config::{DistributeList, OspfConfig};
use crate::ospf::originate::external::PolicyResult;
use crate::ospf::route_table::OspfRoute;
use crate::policy::{PolicyConfig, RedistributionSource};
use crate::process::Context;
use crate::rib::Route;

/// The policies of the router.
#[derive(Clone, Copy)]
pub(super) struct Filters<'a> {
    policy: &'a PolicyConfig,
}

impl<'a> Filters<'a> {
    pub(super) fn new(context: &Context<'a>) -> Self {
        Self { policy: &context.config.policy }
    }

    pub(super) fn access_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.policy.access_list_permits(name, prefix)
    }

    pub(super) fn prefix_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.policy.prefix_list_permits(name, prefix)
    }

    /// `distribute-list in`: what may pass from the routing table of the process into that of the router. `gateway` looks at
    /// the next hops, of which one must be permitted.
    pub(super) fn permits_in(&self, config: &OspfConfig, prefix: Ipv4Net, route: &OspfRoute) -> bool {
        let Some(list) = &config.distribute_in else { return true };
        let gateways = route.paths.iter().filter_map(|path| path.next_hop.address);
        self.permits(list, prefix, gateways)
    }

    /// `distribute-list out [SOURCE]`: which redistributed routes are told.
    pub(super) fn permits_out(
        &self,
        config: &OspfConfig,
        source: RedistributionSource,
        prefix: Ipv4Net,
    ) -> bool {
        [None, Some(source)]
            .iter()
            .filter_map(|which| config.distribute_out.get(which))
            .all(|list| self.permits(list, prefix, std::iter::empty()))
    }

    fn permits(
        &self,
        list: &DistributeList,
        prefix: Ipv4Net,
        mut gateways: impl Iterator<Item = Ipv4Addr>,
    ) -> bool {
        match list {
            DistributeList::AccessList(name) => self.access_list_permits(name, prefix),
            DistributeList::Prefix { list, gateway } => {
                list.as_deref().is_none_or(|name| self.prefix_list_permits(name, prefix))
                    && gateway.as_deref().is_none_or(|name| {
                        gateways.any(|address| self.prefix_list_permits(name, Ipv4Net::from(address)))
                    })
            }
            DistributeList::RouteMap(_) => true,
        }
    }

    /// Evaluates a route map for a route of the routing table; `None` is deny.
    pub(super) fn route_map(&self, _name: &str, _route: &Route) -> Option<PolicyResult> {
        Some(PolicyResult::default())
    }
}
