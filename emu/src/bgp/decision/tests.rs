//! Every step of the choice alone: two paths that differ in one thing.

use std::sync::Arc;

use super::*;
use crate::bgp::as_path::{AsPath, Segment, SegmentKind};
use crate::bgp::attributes::{ClusterId, Origin, PathAttributes};
use crate::bgp::community::ExtendedCommunity;
use crate::bgp::table::PathStatus;
use crate::time::Time;

const RULES: Rules = Rules {
    options: BestPathOptions {
        always_compare_med: false,
        deterministic_med: false,
        as_path_ignore: false,
        multipath_relax: false,
        compare_router_id: false,
        cost_community_ignore: false,
        igp_metric_ignore: false,
        med_confed: false,
        med_missing_as_worst: false,
        aigp_ignore: false,
        dmz_link_bandwidth: false,
    },
    default_local_preference: 100,
    current: None,
};

fn rules(change: impl FnOnce(&mut BestPathOptions)) -> Rules {
    let mut rules = RULES;
    change(&mut rules.options);
    rules
}

/// A path from peer 10.0.0.`peer`, of AS 65001, with router id 1.1.1.`peer`.
fn path(peer: u8) -> Path {
    let address = std::net::Ipv4Addr::new(10, 0, 0, peer);
    Path {
        source: PathSource::Peer(address),
        path_id: 0,
        sent_id: 1,
        kind: PathKind::External,
        router_id: RouterId([1, 1, 1, peer].into()),
        attributes: Arc::new(PathAttributes {
            as_path: AsPath::sequence([65001, 7].map(Asn)),
            next_hop: address,
            ..PathAttributes::local(Origin::Igp)
        }),
        received: None,
        weight: 0,
        updated: Time::ZERO,
        status: PathStatus::default(),
    }
}

fn with(mut path: Path, change: impl FnOnce(&mut PathAttributes)) -> Path {
    change(Arc::make_mut(&mut path.attributes));
    path
}

/// Which of two paths is preferred, and why; the metrics to their next hops are given.
fn prefer(rules: &Rules, a: (&Path, u32), b: (&Path, u32)) -> (bool, Reason) {
    let candidate = |(path, igp_metric)| Candidate { path, igp_metric };
    let (order, reason) = rules.compare(&candidate(a), &candidate(b));
    let (reverse, again) = rules.compare(&candidate(b), &candidate(a));
    assert_eq!((order, reason), (reverse.reverse(), again), "the comparison is antisymmetric");
    (order == Ordering::Less, reason)
}

/// The second path wins by `reason`, though it loses by all later steps.
fn second_wins(rules: &Rules, first: &Path, second: &Path, reason: Reason) {
    assert_eq!(prefer(rules, (first, 1), (second, 1)), (false, reason));
}

#[test]
fn step_1_the_highest_weight() {
    second_wins(&RULES, &path(1), &Path { weight: 1, ..path(2) }, Reason::Weight);
}

#[test]
fn step_2_the_highest_local_preference_100_if_none_is_said() {
    let preferred = |value| with(path(2), |a| a.local_preference = Some(value));
    second_wins(&RULES, &path(1), &preferred(101), Reason::LocalPreference);
    assert_eq!(prefer(&RULES, (&path(1), 1), (&preferred(99), 1)), (true, Reason::LocalPreference));
    assert_eq!(prefer(&RULES, (&path(1), 1), (&preferred(100), 1)).1, Reason::RouterId);
}

#[test]
fn step_3_made_here_and_a_network_before_an_aggregate() {
    let local = |source| Path { source, kind: PathKind::Local, ..path(9) };
    second_wins(&RULES, &path(1), &local(PathSource::Aggregate), Reason::LocallyOriginated);
    second_wins(
        &RULES,
        &local(PathSource::Aggregate),
        &local(PathSource::Network),
        Reason::LocallyOriginated,
    );
}

#[test]
fn step_4_rfc7311_4_1_the_lowest_aigp_with_the_metric_to_the_next_hop() {
    let aigp = |peer, value| with(path(peer), |a| a.aigp = Some(value));
    second_wins(&RULES, &path(1), &aigp(2, 500), Reason::Aigp);
    assert_eq!(prefer(&RULES, (&aigp(1, 10), 30), (&aigp(2, 20), 5)), (false, Reason::Aigp));
    let ignored = rules(|options| options.aigp_ignore = true);
    assert_eq!(prefer(&ignored, (&path(1), 1), (&aigp(2, 0), 1)).1, Reason::RouterId);
}

#[test]
fn step_5_the_shortest_as_path_unless_ignored() {
    let long = with(path(1), |a| a.as_path = AsPath::sequence([65001, 7, 8].map(Asn)));
    second_wins(&RULES, &long, &path(2), Reason::AsPathLength);
    let ignored = rules(|options| options.as_path_ignore = true);
    assert_eq!(prefer(&ignored, (&long, 1), (&path(2), 1)), (true, Reason::RouterId));
}

#[test]
fn step_6_the_lowest_origin() {
    let origin = |peer, origin| with(path(peer), |a| a.origin = origin);
    second_wins(&RULES, &origin(1, Origin::Egp), &path(2), Reason::Origin);
    second_wins(&RULES, &origin(1, Origin::Incomplete), &origin(2, Origin::Egp), Reason::Origin);
}

#[test]
fn step_7_the_lowest_med_within_one_neighboring_as() {
    let med = |peer, asn: u32, med| {
        with(path(peer), |a| (a.as_path, a.med) = (AsPath::sequence([asn, 7].map(Asn)), med))
    };
    second_wins(&RULES, &med(1, 65001, Some(10)), &med(2, 65001, Some(9)), Reason::Med);
    // A missing one is the best, unless it shall be the worst.
    second_wins(&RULES, &med(1, 65001, Some(1)), &med(2, 65001, None), Reason::Med);
    let worst = rules(|options| options.med_missing_as_worst = true);
    second_wins(&worst, &med(1, 65001, None), &med(2, 65001, Some(9)), Reason::Med);
    // Of different ASes only with always-compare-med.
    let (a, b) = (med(1, 65001, Some(10)), med(2, 65002, Some(9)));
    assert_eq!(prefer(&RULES, (&a, 1), (&b, 1)), (true, Reason::RouterId));
    second_wins(&rules(|options| options.always_compare_med = true), &a, &b, Reason::Med);
}

#[test]
fn step_7_within_a_confederation_with_med_confed() {
    let member = |peer, asn: u32, med| {
        with(path(peer), |a| {
            a.as_path = AsPath::new([Segment { kind: SegmentKind::ConfedSequence, asns: vec![Asn(asn)] }]);
            a.med = Some(med);
        })
    };
    let (a, b) = (member(1, 65011, 10), member(2, 65012, 9));
    assert_eq!(prefer(&RULES, (&a, 1), (&b, 1)).1, Reason::RouterId);
    second_wins(&rules(|options| options.med_confed = true), &a, &b, Reason::Med);
}

#[test]
fn step_8_external_before_internal_and_confederation_peers_count_as_internal() {
    let of = |peer, kind| Path { kind, ..path(peer) };
    second_wins(&RULES, &of(1, PathKind::Internal), &path(2), Reason::ExternalOverInternal);
    second_wins(&RULES, &of(1, PathKind::Confederation), &path(2), Reason::ExternalOverInternal);
    let reason = prefer(&RULES, (&of(1, PathKind::Internal), 1), (&of(2, PathKind::Confederation), 1)).1;
    assert_eq!(reason, Reason::RouterId);
}

#[test]
fn step_9_the_lowest_metric_to_the_next_hop_unless_ignored() {
    assert_eq!(prefer(&RULES, (&path(1), 20), (&path(2), 10)), (false, Reason::IgpMetric));
    let ignored = rules(|options| options.igp_metric_ignore = true);
    assert_eq!(prefer(&ignored, (&path(1), 20), (&path(2), 10)), (true, Reason::RouterId));
}

#[test]
fn step_10_the_lowest_cost_community_unless_ignored() {
    let cost = |peer, point: u8, cost: u32| {
        let [a, b, c, d] = cost.to_be_bytes();
        with(path(peer), |x| {
            x.extended_communities = vec![ExtendedCommunity([0x43, 1, point, 1, a, b, c, d])]
        })
    };
    second_wins(&RULES, &path(1), &cost(2, 129, 5), Reason::IgpCost);
    assert_eq!(prefer(&RULES, (&path(1), 1), (&cost(2, 129, u32::MAX), 1)), (true, Reason::IgpCost));
    // The point before all steps goes before the weight.
    let heavy = Path { weight: 9, ..path(1) };
    second_wins(&RULES, &heavy, &cost(2, 128, 5), Reason::PreBestPathCost);
    let ignored = rules(|options| options.cost_community_ignore = true);
    assert_eq!(prefer(&ignored, (&path(1), 1), (&cost(2, 129, 5), 1)).1, Reason::RouterId);
}

#[test]
fn step_11_of_external_paths_the_best_so_far_stays() {
    let current = Rules { current: Some(path(2).id()), ..RULES };
    second_wins(&current, &path(1), &path(2), Reason::OldestExternal);
    let compared = rules(|options| options.compare_router_id = true);
    let compared = Rules { current: current.current, ..compared };
    assert_eq!(prefer(&compared, (&path(1), 1), (&path(2), 1)), (true, Reason::RouterId));
    let internal = |peer| Path { kind: PathKind::Internal, ..path(peer) };
    assert_eq!(prefer(&current, (&internal(1), 1), (&internal(2), 1)), (true, Reason::RouterId));
    // Of one router, its sessions decide.
    let same = Path { router_id: path(2).router_id, ..path(1) };
    assert_eq!(prefer(&current, (&same, 1), (&path(2), 1)), (true, Reason::PeerAddress));
}

#[test]
fn step_12_the_lowest_router_id_or_originator() {
    let internal = |peer| Path { kind: PathKind::Internal, ..path(peer) };
    assert_eq!(prefer(&RULES, (&internal(1), 1), (&internal(2), 1)), (true, Reason::RouterId));
    let reflected = with(internal(2), |a| a.originator_id = Some(RouterId([1, 1, 1, 0].into())));
    second_wins(&RULES, &internal(1), &reflected, Reason::RouterId);
}

#[test]
fn step_13_the_shortest_cluster_list() {
    let reflected = |peer, clusters: usize| {
        with(Path { kind: PathKind::Internal, ..path(peer) }, |a| {
            a.originator_id = Some(RouterId([5, 5, 5, 5].into()));
            a.cluster_list = vec![ClusterId([9, 9, 9, 9].into()); clusters];
        })
    };
    second_wins(&RULES, &reflected(1, 2), &reflected(2, 1), Reason::ClusterListLength);
}

#[test]
fn step_14_the_lowest_address_of_the_peer() {
    let same = Path { router_id: path(2).router_id, ..path(1) };
    assert_eq!(prefer(&RULES, (&same, 1), (&path(2), 1)), (true, Reason::PeerAddress));
}

/// RFC 4451's well-known example: MEDs of two ASes make the outcome depend on the order, unless paths are grouped.
#[test]
fn deterministic_med_makes_the_order_of_paths_irrelevant() {
    let med = |peer, asn: u32, med, kind| {
        let path = Path { kind, ..path(peer) };
        with(path, |a| (a.as_path, a.med) = (AsPath::sequence([asn, 7].map(Asn)), Some(med)))
    };
    let paths = [
        med(3, 1, 100, PathKind::Internal),
        med(1, 2, 0, PathKind::Internal),
        med(2, 1, 50, PathKind::Internal),
    ];
    let metric = [10, 20, 30];
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let bests = |rules: &Rules| {
        let best = |order: &[usize; 3]| {
            let candidates: Vec<Candidate<'_>> =
                order.iter().map(|&at| Candidate { path: &paths[at], igp_metric: metric[at] }).collect();
            rules.best(&candidates).unwrap().path.peer_address()
        };
        orders.iter().map(best).collect::<std::collections::BTreeSet<_>>()
    };
    assert!(bests(&RULES).len() > 1);
    assert_eq!(bests(&rules(|options| options.deterministic_med = true)).len(), 1);
}

#[test]
fn multipath_needs_equality_up_to_the_metric_and_the_same_as_path_unless_relaxed() {
    let candidate = |path| Candidate { path, igp_metric: 1 };
    let (best, same) = (path(1), path(2));
    assert!(RULES.is_multipath(&candidate(&best), &candidate(&same), false));
    let other_as = with(path(2), |a| a.as_path = AsPath::sequence([65002, 7].map(Asn)));
    assert!(!RULES.is_multipath(&candidate(&best), &candidate(&other_as), false));
    let relaxed = rules(|options| options.multipath_relax = true);
    assert!(relaxed.is_multipath(&candidate(&best), &candidate(&other_as), false));
    let far = Candidate { path: &same, igp_metric: 2 };
    assert!(!RULES.is_multipath(&candidate(&best), &far, false));
    let internal = Path { kind: PathKind::Internal, ..path(2) };
    assert!(!RULES.is_multipath(&candidate(&best), &candidate(&internal), false));
    assert!(RULES.is_multipath(&candidate(&best), &candidate(&internal), true), "eibgp");
    let heavy = Path { weight: 1, ..path(2) };
    assert!(!RULES.is_multipath(&candidate(&best), &candidate(&heavy), false));
}
