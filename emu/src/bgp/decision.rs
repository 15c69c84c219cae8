//! The choice among paths, step by step as IOS documents it.
//!
//! | step | preferred |
//! |---|---|
//! | 0 | usable: not denied, next hop reachable, not damped |
//! | 1 | the highest weight |
//! | 2 | the highest local preference |
//! | 3 | made on this router: `network` and `redistribute` before `aggregate-address` |
//! | 4 | AIGP: the lowest sum of attribute and metric to the next hop (RFC 7311) |
//! | 5 | the shortest AS path |
//! | 6 | the lowest origin |
//! | 7 | the lowest MED, among paths from the same neighboring AS |
//! | 8 | external before internal |
//! | 9 | the lowest metric to the next hop |
//! | 10 | the lowest cost community of the insertion point `igp` |
//! | 11 | of external ones the one that is best already (the oldest) |
//! | 12 | the lowest router id, or originator id |
//! | 13 | the shortest cluster list |
//! | 14 | the lowest address of the peer |
//!
//! Paths are compared in pairs in the order of the table, the one received last first, as IOS does: with MEDs of several ASes the order
//! can matter, unless `bgp deterministic-med` groups the paths by neighboring AS.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::community::{ExtendedCommunity, ExtendedCommunityValue};
use super::config::BestPathOptions;
use super::table::{Path, PathId, PathKind, PathSource};
use crate::ids::{Asn, RouterId};

/// The step at which one of two paths was preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// Cost community of the insertion point `pre-bestpath`.
    PreBestPathCost,
    /// Weight.
    Weight,
    /// Local preference.
    LocalPreference,
    /// Made on this router.
    LocallyOriginated,
    /// AIGP.
    Aigp,
    /// Length of the AS path.
    AsPathLength,
    /// Origin.
    Origin,
    /// MED.
    Med,
    /// External before internal.
    ExternalOverInternal,
    /// Metric to the next hop.
    IgpMetric,
    /// Cost community of the insertion point `igp`.
    IgpCost,
    /// The best one so far.
    OldestExternal,
    /// Router id or originator id.
    RouterId,
    /// Length of the cluster list.
    ClusterListLength,
    /// Address of the peer.
    PeerAddress,
}

/// A path that may be chosen, with what is known of its next hop.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'a> {
    /// The path.
    pub path: &'a Path,
    /// Metric to its next hop.
    pub igp_metric: u32,
}

/// By what rules paths are compared.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// What is configured.
    pub options: BestPathOptions,
    /// The local preference of paths that carry none.
    pub default_local_preference: u32,
    /// The best path so far.
    pub current: Option<PathId>,
}

/// The cost of a path without the community: half of the greatest.
const DEFAULT_COST: u32 = 0x7fff_ffff;

/// MED of a path without one.
const WORST_MED: u32 = u32::MAX;

/// Which of two comparisons of sizes decides: the lesser value is preferred.
fn less<T: Ord>(a: &T, b: &T) -> Option<Ordering> {
    Some(a.cmp(b)).filter(|order| order.is_ne())
}

/// Prefers the path that has a property.
fn having(a: bool, b: bool) -> Option<Ordering> {
    less(&Reverse(a), &Reverse(b))
}

fn origination(path: &Path) -> u8 {
    match path.source {
        PathSource::Network | PathSource::Redistributed(_) => 0,
        PathSource::Aggregate => 1,
        // An injected route is a part of its peer's route.
        PathSource::Injected(_) | PathSource::Peer(_) => 2,
    }
}

/// Whether the path's way out of the AS is its own: from external peers and made here.
const fn is_external(kind: PathKind) -> bool {
    matches!(kind, PathKind::Local | PathKind::External)
}

/// The router id that paths are compared by: the originator's, if reflected.
fn identity(path: &Path) -> RouterId {
    path.attributes.originator_id.unwrap_or(path.router_id)
}

fn costs(path: &Path, point: u8) -> BTreeMap<u8, u32> {
    let all = path.attributes.extended_communities.iter();
    all.filter_map(|community| match community.value() {
        ExtendedCommunityValue::Cost(at, id, cost) if at == point => Some((id, cost)),
        _ => None,
    })
    .collect()
}

/// Compares cost communities id by id, the lowest first.
fn compare_costs(a: &Path, b: &Path, point: u8) -> Option<Ordering> {
    if a.attributes.extended_communities.is_empty() && b.attributes.extended_communities.is_empty() {
        return None;
    }
    let (a, b) = (costs(a, point), costs(b, point));
    let ids = a.keys().chain(b.keys()).collect::<std::collections::BTreeSet<_>>();
    let cost = |of: &BTreeMap<u8, u32>, id: &u8| of.get(id).copied().unwrap_or(DEFAULT_COST);
    ids.into_iter().find_map(|id| less(&cost(&a, id), &cost(&b, id)))
}

impl Rules {
    fn med(&self, path: &Path) -> u32 {
        let missing = if self.options.med_missing_as_worst { WORST_MED } else { 0 };
        path.attributes.med.unwrap_or(missing)
    }

    /// Whether the MEDs of two paths mean the same.
    fn meds_compare(&self, a: &Path, b: &Path) -> bool {
        let within_confederation =
            |path: &Path| path.attributes.as_path.neighbor().is_none() && !path.attributes.as_path.is_empty();
        self.options.always_compare_med
            || (a.attributes.as_path.neighbor().is_some()
                && a.attributes.as_path.neighbor() == b.attributes.as_path.neighbor())
            || (a.attributes.as_path.is_empty() && b.attributes.as_path.is_empty())
            || (self.options.med_confed && within_confederation(a) && within_confederation(b))
    }

    /// Steps 1 to 9: what paths must be equal in to be used beside each other.
    fn compare_main(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> Option<(Ordering, Reason)> {
        let (pa, pb) = (a.path, b.path);
        let options = &self.options;
        let unless = |off: bool, order: Option<Ordering>| order.filter(|_| !off);
        let preference = |path: &Path| Reverse(path.local_preference(self.default_local_preference));
        let length = |path: &Path| path.attributes.as_path.length();
        let costs_off = options.cost_community_ignore;
        let decided = |order: Option<Ordering>, reason| order.map(|order| (order, reason));
        decided(
            unless(costs_off, compare_costs(pa, pb, ExtendedCommunity::BEFORE_BEST_PATH)),
            Reason::PreBestPathCost,
        )
        .or_else(|| decided(less(&Reverse(pa.weight), &Reverse(pb.weight)), Reason::Weight))
        .or_else(|| decided(less(&preference(pa), &preference(pb)), Reason::LocalPreference))
        .or_else(|| decided(less(&origination(pa), &origination(pb)), Reason::LocallyOriginated))
        .or_else(|| decided(unless(options.aigp_ignore, compare_aigp(a, b)), Reason::Aigp))
        .or_else(|| {
            decided(unless(options.as_path_ignore, less(&length(pa), &length(pb))), Reason::AsPathLength)
        })
        .or_else(|| decided(less(&pa.attributes.origin, &pb.attributes.origin), Reason::Origin))
        .or_else(|| {
            decided(unless(!self.meds_compare(pa, pb), less(&self.med(pa), &self.med(pb))), Reason::Med)
        })
        .or_else(|| decided(having(is_external(pa.kind), is_external(pb.kind)), Reason::ExternalOverInternal))
        .or_else(|| {
            decided(unless(options.igp_metric_ignore, less(&a.igp_metric, &b.igp_metric)), Reason::IgpMetric)
        })
        .or_else(|| {
            decided(
                unless(costs_off, compare_costs(pa, pb, ExtendedCommunity::BEHIND_IGP_METRIC)),
                Reason::IgpCost,
            )
        })
    }

    /// All steps; `Less` prefers the first. Two different paths never compare equal, except two of one peer.
    #[must_use]
    pub fn compare(&self, a: &Candidate<'_>, b: &Candidate<'_>) -> (Ordering, Reason) {
        let (pa, pb) = (a.path, b.path);
        let both_external = pa.kind == PathKind::External && pb.kind == PathKind::External;
        let is_current = |path: &Path| self.current == Some(path.id());
        let oldest = both_external && !self.options.compare_router_id && identity(pa) != identity(pb);
        let clusters = |path: &Path| path.attributes.cluster_list.len();
        self.compare_main(a, b)
            .or_else(|| {
                let order = having(is_current(pa), is_current(pb)).filter(|_| oldest);
                order.map(|order| (order, Reason::OldestExternal))
            })
            .or_else(|| less(&identity(pa), &identity(pb)).map(|order| (order, Reason::RouterId)))
            .or_else(|| less(&clusters(pa), &clusters(pb)).map(|order| (order, Reason::ClusterListLength)))
            .unwrap_or_else(|| {
                let order = pa.peer_address().cmp(&pb.peer_address()).then(pa.path_id.cmp(&pb.path_id));
                (order, Reason::PeerAddress)
            })
    }

    /// The best of the candidates, which stand in the order of the table.
    #[must_use]
    pub fn best<'a>(&self, candidates: &[Candidate<'a>]) -> Option<Candidate<'a>> {
        let better = |a: Candidate<'a>, b: Candidate<'a>| {
            if self.compare(&b, &a).0 == Ordering::Less { b } else { a }
        };
        if !self.options.deterministic_med {
            return candidates.iter().copied().reduce(better);
        }
        let mut groups: BTreeMap<Option<Asn>, Candidate<'a>> = BTreeMap::new();
        for &candidate in candidates {
            let group = candidate.path.attributes.as_path.neighbor();
            let winner = groups.get(&group).map_or(candidate, |&held| better(held, candidate));
            groups.insert(group, winner);
        }
        groups.into_values().reduce(better)
    }

    /// Whether `other` may be used beside the best path: equal in all steps before the router id, and unless relaxed by the same ASes.
    #[must_use]
    pub fn is_multipath(&self, best: &Candidate<'_>, other: &Candidate<'_>, across_kinds: bool) -> bool {
        let same_way = |best: &Path, other: &Path| match best.kind {
            PathKind::External | PathKind::Confederation => {
                self.options.multipath_relax
                    || best.attributes.as_path.neighbor() == other.attributes.as_path.neighbor()
            }
            PathKind::Local | PathKind::Internal => true,
        };
        let equal = match self.compare_main(best, other) {
            None => true,
            Some((_, Reason::ExternalOverInternal | Reason::IgpMetric)) => across_kinds,
            Some(_) => false,
        };
        let kinds = if across_kinds { true } else { best.path.kind == other.path.kind };
        equal
            && kinds
            && best.path.attributes.next_hop != other.path.attributes.next_hop
            && same_way(best.path, other.path)
    }
}

/// RFC 7311 section 4.1: the attribute, increased by the metric to the next hop; a path without it is worse.
fn compare_aigp(a: &Candidate<'_>, b: &Candidate<'_>) -> Option<Ordering> {
    let sum =
        |c: &Candidate<'_>| c.path.attributes.aigp.map(|aigp| aigp.saturating_add(u64::from(c.igp_metric)));
    match (sum(a), sum(b)) {
        (Some(a), Some(b)) => less(&a, &b),
        (a, b) => having(a.is_some(), b.is_some()),
    }
}

#[cfg(test)]
mod tests;
