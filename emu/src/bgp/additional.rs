//! Additional paths (RFC 7911): which paths to a destination may be told beside the best one.
//!
//! `bgp additional-paths select` marks them, `neighbor X advertise additional-paths` chooses among the marked ones.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use super::config::PathSelection;
use super::decision::{Candidate, Rules};
use super::table::{PathId, PathMarks};

impl PathMarks {
    /// Whether a neighbor that is told `wanted` is told the path.
    #[must_use]
    pub fn is_wanted(self, wanted: PathSelection) -> bool {
        let among_best = wanted.best.is_some_and(|best| (1..=best).contains(&self.rank));
        among_best || (wanted.group_best && self.group_best) || (wanted.all && self.all)
    }
}

/// Marks the candidates, which stand in the order of the table, as far as `select` asks for it.
pub(super) fn marks(
    rules: &Rules,
    select: PathSelection,
    candidates: &[Candidate<'_>],
) -> BTreeMap<PathId, PathMarks> {
    let mut marks: BTreeMap<PathId, PathMarks> = BTreeMap::new();
    if let Some(most) = select.best {
        ranked(rules, most, candidates, &mut marks);
    }
    if select.group_best {
        let group = |candidate: &Candidate<'_>| candidate.path.attributes.as_path.neighbor();
        for id in best_of_each(rules, candidates, group) {
            marks.entry(id).or_default().group_best = true;
        }
    }
    if select.all {
        for id in best_of_each(rules, candidates, |candidate| candidate.path.attributes.next_hop) {
            marks.entry(id).or_default().all = true;
        }
    }
    marks
}

/// The best path, and the best of those with other next hops than the ones before.
fn ranked(rules: &Rules, most: u8, candidates: &[Candidate<'_>], marks: &mut BTreeMap<PathId, PathMarks>) {
    let mut taken: BTreeSet<Ipv4Addr> = BTreeSet::new();
    for rank in 1..=most {
        let left: Vec<Candidate<'_>> =
            candidates.iter().copied().filter(|c| !taken.contains(&c.path.attributes.next_hop)).collect();
        let Some(best) = rules.best(&left) else { return };
        taken.insert(best.path.attributes.next_hop);
        marks.entry(best.path.id()).or_default().rank = rank;
    }
}

/// The best path of each group.
fn best_of_each<'a, G: Ord>(
    rules: &Rules,
    candidates: &[Candidate<'a>],
    group: impl Fn(&Candidate<'a>) -> G,
) -> Vec<PathId> {
    let mut groups: BTreeMap<G, Vec<Candidate<'a>>> = BTreeMap::new();
    for candidate in candidates {
        groups.entry(group(candidate)).or_default().push(*candidate);
    }
    groups.into_values().filter_map(|group| rules.best(&group)).map(|best| best.path.id()).collect()
}
