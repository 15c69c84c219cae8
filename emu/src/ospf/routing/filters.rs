//! Access lists, prefix lists and route maps, as the configuration of the process names them.

use ipnet::Ipv4Net;

use crate::interface::InterfaceTable;
use crate::ospf::config::{ExternalMetricType, OspfConfig};
use crate::ospf::originate::external::PolicyResult;
use crate::policy::{NextHopEdit, PolicyConfig, RedistributionSource, RouteView, SetMetricType};
use crate::process::Context;
use crate::rib::Route;

/// The policies of the router.
#[derive(Clone, Copy)]
pub(super) struct Filters<'a> {
    policy: &'a PolicyConfig,
    interfaces: &'a InterfaceTable,
}

impl<'a> Filters<'a> {
    pub(super) fn new(context: &Context<'a>) -> Self {
        Self { policy: &context.config.policy, interfaces: context.interfaces }
    }

    pub(super) const fn policy(&self) -> &'a PolicyConfig {
        self.policy
    }

    pub(super) fn prefix_list_permits(&self, name: &str, prefix: Ipv4Net) -> bool {
        self.policy.prefix_list_permits(name, prefix)
    }

    /// `distribute-list in`: what may pass from the routing table of the process into that of the router.
    pub(super) fn permits_in(&self, config: &OspfConfig, route: &Route) -> bool {
        let view = || RouteView::of(route, self.interfaces);
        config.distribute_in.as_ref().is_none_or(|list| list.permits(&view(), self.policy))
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
            .all(|list| list.permits(&RouteView::new(prefix), self.policy))
    }

    /// Evaluates a route map for a route of the routing table; `None` is deny.
    pub(super) fn route_map(&self, name: &str, route: &Route) -> Option<PolicyResult> {
        let edits = self.policy.route_map(name, &RouteView::of(route, self.interfaces))?;
        Some(PolicyResult {
            metric: edits.metric(Some(route.metric)),
            metric_type: edits.metric_type.and_then(|metric_type| match metric_type {
                SetMetricType::Type1 => Some(ExternalMetricType::Type1),
                SetMetricType::Type2 => Some(ExternalMetricType::Type2),
                SetMetricType::Internal => None,
            }),
            tag: edits.tag,
            forwarding_address: match edits.next_hop {
                Some(NextHopEdit::Address(address)) => Some(address),
                Some(NextHopEdit::PeerAddress | NextHopEdit::SelfAddress) | None => None,
            },
        })
    }
}
