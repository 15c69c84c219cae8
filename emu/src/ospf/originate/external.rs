//! AS-external LSAs (RFC 2328 section 12.4.4) and NSSA LSAs (RFC 3101 section 2.4).
//!
//! External destinations come from redistribution, `default-information originate`, and (`translate.rs`) from NSSAs. They
//! are first gathered by prefix as [`Externals`], then summarised, then told as type 5 and type 7.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::link_state_id::link_state_ids;
use super::{Content, Wanted};
use crate::ids::RouterId;
use crate::ospf::config::{ExternalMetricType, OspfConfig, OspfRouteType, SummaryAddress};
use crate::ospf::lsa::{ExternalLsa, LsType, LsaBody, LsaKey, Options};
use crate::policy::RedistributionSource;
use crate::rib::{NextHop, Route, RouteKind, RouteOwner};

/// An external destination as it is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct External {
    /// Type 1 or 2.
    pub metric_type: ExternalMetricType,
    /// Metric.
    pub metric: u32,
    /// Tag.
    pub tag: u32,
    /// Forwarding address; unspecified is none.
    pub forwarding_address: Ipv4Addr,
    /// Told in NSSAs only.
    pub nssa_only: bool,
}

/// External destinations by prefix.
pub type Externals = BTreeMap<Ipv4Net, External>;

/// What a route map sets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyResult {
    /// `set metric`.
    pub metric: Option<u32>,
    /// `set metric-type`.
    pub metric_type: Option<ExternalMetricType>,
    /// `set tag`.
    pub tag: Option<u32>,
    /// `set ip next-hop` as forwarding address.
    pub forwarding_address: Option<Ipv4Addr>,
}

/// What redistribution depends on.
pub struct RedistributionView<'a> {
    /// The process's own number.
    pub process_id: u16,
    /// Its configuration.
    pub config: &'a OspfConfig,
    /// What a route may be redistributed as, in order.
    pub sources: &'a dyn Fn(&Route) -> Vec<RedistributionSource>,
    /// Evaluates a route map: `None` is deny.
    pub route_map: &'a dyn Fn(&str, &Route) -> Option<PolicyResult>,
    /// `distribute-list out` for a source.
    pub distribute_out: &'a dyn Fn(RedistributionSource, Ipv4Net) -> bool,
    /// Whether the process itself runs on the interface with this connected subnet: then it is internal already.
    pub is_internal: &'a dyn Fn(Ipv4Net) -> bool,
    /// Whether `address` on `next_hop`'s interface may be told as forwarding address.
    pub can_forward: &'a dyn Fn(&NextHop) -> bool,
    /// `max-metric router-lsa external-lsa`.
    pub max_metric: Option<u32>,
}

/// The metric of redistributed routes where nothing else is said; of BGP routes it is 1.
const DEFAULT_METRIC: u32 = 20;

/// The destinations that this router brings into the AS: `redistribute` and `default-information originate`, out of the best routes
/// of the routing table.
#[must_use]
pub fn redistributed<'r>(
    view: &RedistributionView<'_>,
    routes: impl Iterator<Item = &'r Route>,
) -> Externals {
    let mut externals = Externals::new();
    let mut default = DefaultSearch::default();
    for route in routes.filter(|route| route.owner != RouteOwner::Ospf(view.process_id)) {
        default.see(view, route);
        if let Some(external) = redistribute(view, route) {
            externals.insert(route.prefix, external);
        }
    }
    if let Some(external) = default.outcome(view) {
        externals.insert(Ipv4Net::default(), external);
    }
    if let Some(metric) = view.max_metric {
        externals.values_mut().for_each(|external| external.metric = metric);
    }
    externals
}

fn redistribute(view: &RedistributionView<'_>, route: &Route) -> Option<External> {
    let rules = &view.config.redistribute;
    let mut sources = (view.sources)(route).into_iter();
    let (source, rule) = sources.find_map(|source| Some((source, rules.get(&source)?)))?;
    // The default route needs `default-information originate`.
    if route.prefix.prefix_len() == 0
        || !is_eligible(view, route)
        || !(rule.subnets || is_classful(route.prefix))
        || !OspfRouteType::permits(&rule.match_types, source, route.kind)
        || !(view.distribute_out)(source, route.prefix)
    {
        return None;
    }
    let policy = match &rule.route_map {
        Some(name) => (view.route_map)(name, route)?,
        None => PolicyResult::default(),
    };
    let default_metric = match route.owner {
        RouteOwner::Bgp(_) => 1,
        // Between OSPF processes the metric is kept.
        RouteOwner::Ospf(_) => route.metric,
        _ => DEFAULT_METRIC,
    };
    let configured = policy.metric.or(rule.metric).or(view.config.default_metric);
    Some(External {
        metric_type: policy.metric_type.or(rule.metric_type).unwrap_or_default(),
        metric: configured.unwrap_or(default_metric),
        tag: policy.tag.or(rule.tag).unwrap_or(route.tag),
        forwarding_address: policy.forwarding_address.unwrap_or_else(|| forwarding_address(view, route)),
        nssa_only: rule.nssa_only,
    })
}

/// Not eligible are host routes of own addresses, subnets that are internal already, and discard routes.
fn is_eligible(view: &RedistributionView<'_>, route: &Route) -> bool {
    match route.kind {
        RouteKind::Local | RouteKind::OspfDiscard => false,
        RouteKind::Connected => !(view.is_internal)(route.prefix),
        _ => true,
    }
}

/// Whether the mask is the one of the address's class.
fn is_classful(prefix: Ipv4Net) -> bool {
    let class = match prefix.network().octets()[0] {
        0..=127 => 8,
        128..=191 => 16,
        192..=223 => 24,
        _ => return false,
    };
    prefix.prefix_len() == class
}

/// The next hop, if it is on a network where other routers of the AS reach it directly.
fn forwarding_address(view: &RedistributionView<'_>, route: &Route) -> Ipv4Addr {
    let first = route.next_hops.first().filter(|hop| (view.can_forward)(hop));
    first.and_then(|hop| hop.address).unwrap_or(Ipv4Addr::UNSPECIFIED)
}

/// The search for what justifies a default.
#[derive(Default)]
struct DefaultSearch {
    found: Option<(PolicyResult, Ipv4Addr)>,
}

impl DefaultSearch {
    /// Without a route map a default route of another source counts; with one, any route that it permits.
    fn see(&mut self, view: &RedistributionView<'_>, route: &Route) {
        let Some(rule) = &view.config.default_information else { return };
        if self.found.is_some() {
            return;
        }
        self.found = match &rule.route_map {
            Some(name) => (view.route_map)(name, route).map(|policy| (policy, Ipv4Addr::UNSPECIFIED)),
            None if route.prefix.prefix_len() == 0 => {
                Some((PolicyResult::default(), forwarding_address(view, route)))
            }
            None => None,
        };
    }

    fn outcome(self, view: &RedistributionView<'_>) -> Option<External> {
        let rule = view.config.default_information.as_ref()?;
        let (policy, forwarding_address) = match self.found {
            Some(found) => found,
            None if rule.always && rule.route_map.is_none() => {
                (PolicyResult::default(), Ipv4Addr::UNSPECIFIED)
            }
            None => return None,
        };
        Some(External {
            metric_type: policy.metric_type.or(rule.metric_type).unwrap_or_default(),
            metric: policy.metric.or(rule.metric).unwrap_or(if rule.always { 10 } else { 1 }),
            // IOS tags its default with the number of the process.
            tag: policy.tag.unwrap_or(u32::from(view.process_id)),
            forwarding_address,
            nssa_only: false,
        })
    }
}

/// Puts summaries in the place of their components (`summary-address`); those marked `not-advertise` vanish with them. A summary has
/// the metric of its best component and no forwarding address.
#[must_use]
pub fn summarised(externals: Externals, summaries: &BTreeMap<Ipv4Net, SummaryAddress>) -> Externals {
    let mut told = Externals::new();
    for (prefix, external) in externals {
        let covering = summaries.iter().rev().filter(|(summary, _)| summary.contains(&prefix));
        let Some((&summary, options)) = covering.max_by_key(|(summary, _)| summary.prefix_len()) else {
            told.insert(prefix, external);
            continue;
        };
        if options.not_advertise {
            continue;
        }
        let candidate = External {
            tag: options.tag.unwrap_or(0),
            forwarding_address: Ipv4Addr::UNSPECIFIED,
            nssa_only: options.nssa_only,
            ..external
        };
        let best = told.entry(summary).or_insert(candidate);
        if (candidate.metric_type, candidate.metric) < (best.metric_type, best.metric) {
            *best = candidate;
        }
    }
    told
}

/// The type 5 LSAs of these destinations.
#[must_use]
pub fn external_lsas(router_id: RouterId, externals: &Externals) -> Wanted {
    let ids = link_state_ids(externals.iter().filter(|(_, e)| !e.nssa_only).map(|(&prefix, _)| prefix));
    let lsa = |(prefix, id): (Ipv4Net, Ipv4Addr)| {
        let body = body(prefix, externals.get(&prefix)?, Ipv4Addr::UNSPECIFIED);
        let content = Content { options: Options::DC, body: LsaBody::AsExternal(body) };
        Some((LsaKey::new(LsType::AsExternal, id, router_id), content))
    };
    ids.into_iter().filter_map(lsa).collect()
}

/// The type 7 LSAs of these destinations in an NSSA. `address` is an own address inside the NSSA: where the destination has no
/// forwarding address it takes its place, as translation needs one. It is given by routers that want translation, and `None`
/// on a border router, which tells type 5 LSAs itself (RFC 3101 section 2.4).
#[must_use]
pub fn nssa_lsas(router_id: RouterId, externals: &Externals, address: Option<Ipv4Addr>) -> Wanted {
    let ids = link_state_ids(externals.keys().copied());
    let options = if address.is_some() { Options::DC | Options::NP } else { Options::DC };
    let lsa = |(prefix, id): (Ipv4Net, Ipv4Addr)| {
        let body = body(prefix, externals.get(&prefix)?, address.unwrap_or(Ipv4Addr::UNSPECIFIED));
        let content = Content { options, body: LsaBody::Nssa(body) };
        Some((LsaKey::new(LsType::Nssa, id, router_id), content))
    };
    ids.into_iter().filter_map(lsa).collect()
}

fn body(prefix: Ipv4Net, external: &External, fallback: Ipv4Addr) -> ExternalLsa {
    let own = external.forwarding_address;
    ExternalLsa {
        mask: prefix.netmask(),
        metric_type: external.metric_type,
        metric: external.metric,
        forwarding_address: if own.is_unspecified() { fallback } else { own },
        tag: external.tag,
    }
}

#[cfg(test)]
mod tests;
