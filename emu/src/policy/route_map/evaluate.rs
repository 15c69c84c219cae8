//! Route maps: evaluation.
//!
//! As IOS does, all `match` clauses look at the route as it came; what the entries set is gathered on the way and applied afterwards. A
//! later entry (reached by `continue`) overrides what an earlier one has set, except that prepended AS numbers, additive communities and
//! relative metrics add up.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::{
    AddressLists, Continue, DampeningParameters, MatchClauses, RouteMap, RouteView, SetAigp, SetClauses,
    SetCommunity, SetExtendedCommunities, SetMetric, SetMetricType, SetOrigin, VectorMetric,
};
use crate::ids::Asn;
use crate::policy::{Community, ExtendedCommunity, ExtendedCommunityValue, Permission, PolicyConfig};

/// What a route map changes in a route that it permits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RouteEdits {
    metrics: Vec<SetMetric>,
    communities: Vec<CommunityEdit>,
    extended_communities: Vec<ExtendedEdit>,
    /// BGP's accumulated metric.
    pub aigp: Option<SetAigp>,
    /// How the route is dampened.
    pub dampening: Option<DampeningParameters>,
    /// The prefix list of the routes to inject.
    pub injected: Option<String>,
    /// OSPF's metric type, or BGP's MED from the metric of the next hop.
    pub metric_type: Option<SetMetricType>,
    /// The tag.
    pub tag: Option<u32>,
    /// The local preference.
    pub local_preference: Option<u32>,
    /// The weight.
    pub weight: Option<u16>,
    /// The origin.
    pub origin: Option<SetOrigin>,
    /// What is put in front of the AS path, in this order: the last one ends up first.
    pub prepends: Vec<Prepend>,
    /// The next hop.
    pub next_hop: Option<NextHopEdit>,
}

/// What is put in front of an AS path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Prepend {
    /// These, as written.
    Asns(Vec<Asn>),
    /// The first AS of the path, that often again.
    LastAs(u8),
}

/// A change of the next hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NextHopEdit {
    /// This address.
    Address(Ipv4Addr),
    /// Inbound the neighbour's address, outbound our own of the session.
    PeerAddress,
    /// Our own address.
    SelfAddress,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum CommunityEdit {
    Delete(String),
    Set(SetCommunity),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum ExtendedEdit {
    Delete(String),
    Set(SetExtendedCommunities),
}

impl ExtendedEdit {
    fn apply(&self, all: &mut BTreeSet<ExtendedCommunity>, policy: &PolicyConfig) {
        let sets = match self {
            Self::Delete(list) => {
                return all.retain(|&one| !policy.extended_community_list_permits(list, &[one]));
            }
            Self::Set(sets) => sets,
        };
        if !sets.route_targets.is_empty() && !sets.additive {
            all.retain(|one| !matches!(one.value(), ExtendedCommunityValue::RouteTarget(..)));
        }
        if sets.site_of_origin.is_some() {
            all.retain(|one| !matches!(one.value(), ExtendedCommunityValue::SiteOfOrigin(..)));
        }
        // Of one place and id there is one cost.
        let place = |one: &ExtendedCommunity| match one.value() {
            ExtendedCommunityValue::Cost(point, id, _) => Some((point, id)),
            _ => None,
        };
        all.retain(|one| place(one).is_none_or(|at| !sets.costs.iter().any(|cost| place(cost) == Some(at))));
        all.extend(sets.route_targets.iter().chain(&sets.site_of_origin).chain(&sets.costs));
    }
}

impl RouteEdits {
    /// The metric of a route that came with `current`; `None` if the map sets none. A relative change of no metric starts from 0.
    #[must_use]
    pub fn metric(&self, current: Option<u32>) -> Option<u32> {
        self.metrics.iter().fold(None, |metric: Option<u32>, edit| {
            let base = metric.or(current).unwrap_or(0);
            match edit {
                SetMetric::To(value) => Some(*value),
                SetMetric::Add(difference) => Some(base.saturating_add(*difference)),
                SetMetric::Subtract(difference) => Some(base.saturating_sub(*difference)),
                SetMetric::Vector(_) => metric,
            }
        })
    }

    /// The metric for EIGRP, if the map sets one.
    #[must_use]
    pub fn vector_metric(&self) -> Option<VectorMetric> {
        self.metrics.iter().rev().find_map(|edit| match edit {
            SetMetric::Vector(vector) => Some(*vector),
            SetMetric::To(_) | SetMetric::Add(_) | SetMetric::Subtract(_) => None,
        })
    }

    /// The communities of a route that came with `current`; `None` if the map changes none. In each entry deleting goes before setting.
    #[must_use]
    pub fn communities(&self, current: &[Community], policy: &PolicyConfig) -> Option<BTreeSet<Community>> {
        if self.communities.is_empty() {
            return None;
        }
        let mut all: BTreeSet<Community> = current.iter().copied().collect();
        for edit in &self.communities {
            match edit {
                CommunityEdit::Delete(list) => {
                    all.retain(|&community| !policy.community_list_permits(list, &[community], false));
                }
                CommunityEdit::Set(SetCommunity::None) => all.clear(),
                CommunityEdit::Set(SetCommunity::These { communities, additive }) => {
                    if !additive {
                        all.clear();
                    }
                    all.extend(communities);
                }
            }
        }
        Some(all)
    }

    /// The extended communities of a route that came with `current`; `None` if the map changes none. In each entry deleting goes before
    /// setting.
    #[must_use]
    pub fn extended_communities(
        &self,
        current: &[ExtendedCommunity],
        policy: &PolicyConfig,
    ) -> Option<Vec<ExtendedCommunity>> {
        if self.extended_communities.is_empty() {
            return None;
        }
        let mut all: BTreeSet<ExtendedCommunity> = current.iter().copied().collect();
        self.extended_communities.iter().for_each(|edit| edit.apply(&mut all, policy));
        Some(all.into_iter().collect())
    }

    fn add(&mut self, sets: &SetClauses) {
        self.extended_communities.extend(sets.delete_extended_communities.clone().map(ExtendedEdit::Delete));
        if sets.extended_communities != SetExtendedCommunities::default() {
            self.extended_communities.push(ExtendedEdit::Set(sets.extended_communities.clone()));
        }
        self.aigp = sets.aigp.or(self.aigp);
        self.dampening = sets.dampening.or(self.dampening);
        self.injected = sets.injected.clone().or_else(|| self.injected.take());
        self.metrics.extend(sets.metric);
        self.communities.extend(sets.delete_communities.clone().map(CommunityEdit::Delete));
        self.communities.extend(sets.community.clone().map(CommunityEdit::Set));
        self.metric_type = sets.metric_type.or(self.metric_type);
        self.tag = sets.tag.or(self.tag);
        self.local_preference = sets.local_preference.or(self.local_preference);
        self.weight = sets.weight.or(self.weight);
        self.origin = sets.origin.or(self.origin);
        if !sets.as_path_prepend.is_empty() {
            self.prepends.push(Prepend::Asns(sets.as_path_prepend.clone()));
        }
        self.prepends.extend(sets.as_path_prepend_last.map(Prepend::LastAs));
        let hop = &sets.next_hop;
        let next_hop = match hop.addresses.first() {
            Some(&address) => Some(NextHopEdit::Address(address)),
            None if hop.peer_address => Some(NextHopEdit::PeerAddress),
            None if hop.self_address => Some(NextHopEdit::SelfAddress),
            None => None,
        };
        self.next_hop = next_hop.or(self.next_hop);
    }
}

impl RouteMap {
    /// Evaluates the map for a route: what it changes, or `None` if the route is denied. A route that no entry is about is denied.
    #[must_use]
    pub fn evaluate(&self, route: &RouteView<'_>, policy: &PolicyConfig) -> Option<RouteEdits> {
        let mut edits = RouteEdits::default();
        let mut verdict = Permission::Deny;
        let mut from = 0;
        loop {
            let next = self.entries.range(from..).find(|(_, entry)| entry.matches.hold(route, policy));
            let Some((&sequence, entry)) = next else { break };
            verdict = entry.action;
            if entry.action.is_permit() {
                edits.add(&entry.sets);
            }
            let behind = sequence.checked_add(1);
            from = match (entry.continues, behind) {
                (Some(Continue::Next), Some(behind)) => behind,
                // Only forward: a jump back would not end.
                (Some(Continue::At(to)), _) if to > sequence => to,
                _ => break,
            };
        }
        verdict.is_permit().then_some(edits)
    }
}

impl MatchClauses {
    /// Whether the clauses hold for a route.
    fn hold(&self, route: &RouteView<'_>, policy: &PolicyConfig) -> bool {
        self.address.permit([route.prefix], policy)
            && self.next_hop.permit(hosts(&route.next_hops), policy)
            && self.route_source.permit(hosts(&route.route_sources), policy)
            && any_or_unasked(&self.interfaces, |name| route.interfaces.contains(name))
            && (self.metrics.is_empty()
                || route.metric.is_some_and(|metric| self.metrics.iter().any(|asked| asked.matches(metric))))
            && any_or_unasked(&self.tags, |&tag| tag == route.tag)
            && any_or_unasked(&self.route_types, |&asked| {
                route.route_type.is_some_and(|route_type| route_type.fulfils(asked))
            })
            && any_or_unasked(&self.sources, |&source| Some(source) == route.source)
            && self.hold_for_bgp(route, policy)
    }

    fn hold_for_bgp(&self, route: &RouteView<'_>, policy: &PolicyConfig) -> bool {
        let bgp = route.bgp.as_ref();
        any_or_unasked(&self.as_paths, |&number| {
            bgp.is_some_and(|bgp| policy.as_path_list_permits(number, bgp.as_path))
        }) && any_or_unasked(&self.communities, |name| {
            bgp.is_some_and(|bgp| {
                policy.community_list_permits(name, bgp.communities, self.communities_exact)
            })
        }) && any_or_unasked(&self.extended_communities, |name| {
            bgp.is_some_and(|bgp| policy.extended_community_list_permits(name, bgp.extended_communities))
        }) && any_or_unasked(&self.policy_lists, |name| {
            // A list cannot name another one, so this ends.
            policy.policy_lists.get(name).is_some_and(|list| {
                list.matches.policy_lists.is_empty()
                    && list.action.is_permit()
                    && list.matches.hold(route, policy)
            })
        }) && any_or_unasked(&self.local_preferences, |&asked| {
            bgp.is_some_and(|bgp| bgp.local_preference == Some(asked))
        })
    }
}

/// Whether one of the values asked for fulfils the condition, or none is asked for.
fn any_or_unasked<'c, T: 'c>(
    asked: impl IntoIterator<Item = &'c T, IntoIter: ExactSizeIterator>,
    condition: impl FnMut(&'c T) -> bool,
) -> bool {
    let mut asked = asked.into_iter();
    asked.len() == 0 || asked.any(condition)
}

fn hosts(addresses: &[Ipv4Addr]) -> impl Iterator<Item = Ipv4Net> + Clone + '_ {
    addresses.iter().copied().map(Ipv4Net::from)
}

impl AddressLists {
    /// Whether one of the lists permits one of the prefixes, or no list is named.
    fn permit(
        &self,
        prefixes: impl IntoIterator<Item = Ipv4Net, IntoIter: Clone>,
        policy: &PolicyConfig,
    ) -> bool {
        let prefixes = prefixes.into_iter();
        let any = |permits: &dyn Fn(Ipv4Net) -> bool| prefixes.clone().any(permits);
        self.is_empty()
            || self.access_lists.iter().any(|name| any(&|prefix| policy.access_list_permits(name, prefix)))
            || self.prefix_lists.iter().any(|name| any(&|prefix| policy.prefix_list_permits(name, prefix)))
    }
}

#[cfg(test)]
mod tests;
