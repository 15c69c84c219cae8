//! DUAL's promise, by property: shortest paths in the end, and never a loop on the way.

use std::collections::BTreeMap;

use netconfarena_emu::rib::{FibEntry, TableId};
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::lab::{Lab, loopback};

/// A link that fails, or is repaired, so many milliseconds after the event before.
#[derive(Clone, Debug)]
struct Toggle {
    link: prop::sample::Index,
    after: u64,
}

#[derive(Clone, Debug)]
struct Scenario {
    routers: usize,
    links: Vec<(usize, usize, u32)>,
    toggles: Vec<Toggle>,
}

/// A random connected graph: each router is linked to one before it; then more links, at most one between two routers.
fn scenario() -> impl Strategy<Value = Scenario> {
    (3usize..8).prop_flat_map(|routers| {
        let tree = vec((any::<prop::sample::Index>(), 1u32..40), routers - 1);
        let more = vec((1..=routers, 1..=routers, 1u32..40), 0..routers * 2);
        let toggle = (any::<prop::sample::Index>(), prop_oneof![0u64..40, 0u64..4000])
            .prop_map(|(link, after)| Toggle { link, after });
        (tree, more, vec(toggle, 1..8)).prop_map(move |(tree, more, toggles)| {
            let mut links = BTreeMap::new();
            for (router, (before, delay)) in (2..).zip(tree) {
                links.insert((before.index(router - 1) + 1, router), delay);
            }
            for (a, b, delay) in more.into_iter().filter(|(a, b, _)| a != b) {
                links.entry((a.min(b), a.max(b))).or_insert(delay);
            }
            let links = links.into_iter().map(|((a, b), delay)| (a, b, delay)).collect();
            Scenario { routers, links, toggles }
        })
    })
}

/// The routers that a router's forwarding table sends packets for a destination to.
fn next_routers(lab: &Lab, router: usize, destination: usize) -> Vec<usize> {
    let fib = lab.network.router(lab.node(router)).fib();
    match fib.entry_for(TableId::default(), loopback(destination).addr()) {
        Some((_, FibEntry::Paths(paths))) => {
            paths.iter().filter_map(|path| path.gateway).map(|hop| usize::from(hop.octets()[3])).collect()
        }
        _ => Vec::new(),
    }
}

/// A loop that packets for a destination could take, whatever their flow.
fn find_loop(lab: &Lab, routers: usize, destination: usize) -> Option<Vec<usize>> {
    let next: Vec<Vec<usize>> = (1..=routers).map(|router| next_routers(lab, router, destination)).collect();
    let mut finished = vec![false; routers];
    (1..=routers).find_map(|start| walk(&next, start, &mut Vec::new(), &mut finished))
}

fn walk(
    next: &[Vec<usize>],
    router: usize,
    trail: &mut Vec<usize>,
    finished: &mut [bool],
) -> Option<Vec<usize>> {
    trail.push(router);
    if trail[..trail.len() - 1].contains(&router) {
        return Some(trail.clone());
    }
    if !finished[router - 1] {
        for &hop in &next[router - 1] {
            if let Some(found) = walk(next, hop, trail, finished) {
                return Some(found);
            }
        }
    }
    finished[router - 1] = true;
    trail.pop();
    None
}

/// Runs up to an instant event by event, and looks for loops after each that has changed something.
fn run_watched(lab: &mut Lab, routers: usize, until: netconfarena_emu::time::Time) {
    while let Some(at) = lab.network.next_event().filter(|&at| at <= until) {
        lab.network.run_until(at);
        if lab.network.last_change() == lab.network.now() {
            for destination in 1..=routers {
                let found = find_loop(lab, routers, destination);
                assert_eq!(found, None, "loop to R{destination} at {}", lab.network.now());
            }
        }
    }
    lab.network.run_until(until);
}

/// The distances that the graph of the links that are up calls for, in the classic metric of Gigabit links and a loopback.
fn expected(lab: &Lab, scenario: &Scenario) -> BTreeMap<(usize, usize), u64> {
    let mut graph = UnGraph::<(), u64>::new_undirected();
    let nodes: Vec<NodeIndex> = (0..scenario.routers).map(|_| graph.add_node(())).collect();
    for &(a, b, delay) in &scenario.links {
        if lab.network.is_link_up(lab.link(a, b)) {
            graph.add_edge(nodes[a - 1], nodes[b - 1], u64::from(delay));
        }
    }
    let mut distances = BTreeMap::new();
    for from in 1..=scenario.routers {
        let costs = dijkstra(&graph, nodes[from - 1], None, |edge| *edge.weight());
        for (node, cost) in costs.into_iter().filter(|(node, _)| node.index() + 1 != from) {
            distances.insert((from, node.index() + 1), 256 * (10 + cost + 500));
        }
    }
    distances
}

fn actual(lab: &Lab, routers: usize) -> BTreeMap<(usize, usize), u64> {
    let pairs = (1..=routers).flat_map(|from| (1..=routers).map(move |to| (from, to)));
    pairs
        .filter(|(from, to)| from != to)
        .filter_map(|(from, to)| Some(((from, to), lab.distance(from, loopback(to))?)))
        .collect()
}

fn check_converged(lab: &mut Lab, scenario: &Scenario) {
    let until = lab.network.now() + std::time::Duration::from_secs(30);
    run_watched(lab, scenario.routers, until);
    lab.converge();
    assert_eq!(actual(lab, scenario.routers), expected(lab, scenario));
    for router in 1..=scenario.routers {
        for (prefix, destination) in &lab.eigrp(router).topology {
            assert!(!destination.state.is_active(), "R{router} is active for {prefix}");
            let distance = lab.distance(router, *prefix);
            // FD is the least distance since the last computation.
            assert!(lab.feasible_distance(router, *prefix) <= distance, "R{router} {prefix}");
            let metric = lab.route(router, *prefix).map(|route| u64::from(route.metric));
            let own = destination.successors.iter().any(|source| source.neighbor().is_none());
            assert!(own || metric == distance, "R{router} {prefix}: {metric:?} {distance:?}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn distances_are_shortest_paths_and_no_packet_ever_loops(scenario in scenario(), seed: u64) {
        let mut lab = Lab::new(seed, scenario.routers, &scenario.links);
        check_converged(&mut lab, &scenario);
        for toggle in &scenario.toggles {
            let (a, b, _) = *toggle.link.get(&scenario.links);
            let link = lab.link(a, b);
            let up = lab.network.is_link_up(link);
            let at = lab.network.now() + std::time::Duration::from_millis(toggle.after);
            run_watched(&mut lab, scenario.routers, at);
            lab.network.set_link_up(link, !up);
        }
        check_converged(&mut lab, &scenario);
    }
}
