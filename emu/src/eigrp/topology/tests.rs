use super::*;

fn neighbor(number: u32) -> PathSource {
    let address = Ipv4Addr::new(10, 0, u8::try_from(number).unwrap(), 2);
    PathSource::Neighbor(NeighborKey { interface: IfIndex(number), address })
}

fn path(source: PathSource, distance: u64, reported: u64) -> Path {
    path_of(source, distance, reported, false)
}

fn path_of(source: PathSource, distance: u64, reported: u64, external: bool) -> Path {
    let vector = |delay| Vector { bandwidth: 0, delay, mtu: 1500, hop_count: 1, reliability: 255, load: 1 };
    let rank = |value| Rank::new(external, Distance(value));
    Path {
        source,
        reported: vector(reported),
        vector: vector(distance),
        reported_distance: rank(reported),
        distance: rank(distance),
        next_hop: None,
        attributes: Attributes {
            originator: RouterId::UNSPECIFIED,
            external: None,
            candidate_default: false,
        },
    }
}

fn destination(paths: &[(u32, u64, u64)]) -> Destination {
    let mut destination = Destination::default();
    for &(number, distance, reported) in paths {
        destination.set_path(neighbor(number), Some(path(neighbor(number), distance, reported)));
    }
    destination
}

#[test]
fn all_shortest_paths_are_successors_and_the_first_is_told() {
    let mut table = destination(&[(3, 10, 5), (1, 20, 4), (2, 10, 9)]);
    assert!(table.shortest_is_feasible());
    assert!(table.choose(Choice::Feasible));
    assert_eq!(table.successors, [neighbor(2), neighbor(3)]);
    assert_eq!(table.feasible_distance().distance(), Distance(10));
    assert_eq!(table.told.as_ref().unwrap().source, neighbor(2));
    // Another equal one does not change what is told.
    table.set_path(neighbor(1), Some(path(neighbor(1), 10, 4)));
    assert!(!table.choose(Choice::Feasible));
    assert_eq!(table.successors.len(), 3);
}

#[test]
fn rfc7868_3_4_a_shorter_path_whose_neighbor_is_not_nearer_is_not_feasible() {
    let mut table = destination(&[(1, 10, 5)]);
    table.choose(Choice::Feasible);
    // The successor gets worse; FD stays 10, so the new shortest path by 2, who reports 10, is not feasible.
    table.set_path(neighbor(1), Some(path(neighbor(1), 30, 25)));
    table.set_path(neighbor(2), Some(path(neighbor(2), 12, 10)));
    assert!(!table.shortest_is_feasible());
    // One that reports 9 is.
    table.set_path(neighbor(2), Some(path(neighbor(2), 12, 9)));
    assert!(table.shortest_is_feasible());
    table.choose(Choice::Feasible);
    assert_eq!(table.feasible_distance().distance(), Distance(10), "FD never grows while passive");
}

#[test]
fn going_active_freezes_the_successor_and_tells_its_distance() {
    let mut table = destination(&[(1, 10, 5), (2, 12, 11)]);
    table.choose(Choice::Feasible);
    table.set_path(neighbor(1), Some(path(neighbor(1), 30, 25)));
    table.freeze();
    assert_eq!(table.successors, [neighbor(1)]);
    assert_eq!(table.told.as_ref().unwrap().vector.delay, 30);
    assert_eq!(table.feasible_distance().distance(), Distance(30));
    table.set_path(neighbor(1), None);
    table.freeze();
    assert_eq!((table.told.clone(), table.feasible_distance()), (None, Rank::INFINITE));
    assert!(table.choose(Choice::Free));
    assert_eq!(table.feasible_distance().distance(), Distance(12));
}

#[test]
fn a_destination_without_paths_is_feasible_only_if_it_had_none() {
    let mut table = destination(&[(1, 10, 5)]);
    table.choose(Choice::Feasible);
    table.set_path(neighbor(1), None);
    assert!(!table.shortest_is_feasible());
    table.choose(Choice::Free);
    assert!(table.shortest_is_feasible() && table.is_forgotten());
}

#[test]
fn internal_paths_are_better_than_any_external_one() {
    let mut table = destination(&[(1, 1000, 900)]);
    table.set_path(neighbor(2), Some(path_of(neighbor(2), 10, 5, true)));
    table.choose(Choice::Feasible);
    assert_eq!(table.successors, [neighbor(1)]);
    table.set_path(neighbor(1), None);
    assert!(!table.shortest_is_feasible(), "an external path is never feasible after an internal one");
}

#[test]
fn variance_takes_feasible_paths_up_to_its_multiple() {
    let mut table = destination(&[(1, 10, 5), (2, 19, 9), (3, 20, 9), (4, 15, 10)]);
    table.choose(Choice::Feasible);
    let sources = |table: &Destination, variance| -> Vec<PathSource> {
        table.alternatives(variance).map(|path| path.source).collect()
    };
    assert_eq!(sources(&table, 1), []);
    assert_eq!(sources(&table, 2), [neighbor(2)], "20 is not less than 2 * 10, and 4 is not feasible");
    assert_eq!(sources(&table, 3), [neighbor(2), neighbor(3)]);
}

#[test]
fn after_a_failure_in_the_routing_table_own_paths_count_alone() {
    let mut table = destination(&[(1, 10, 5)]);
    table.choose(Choice::Feasible);
    table.rib_failure = true;
    table.set_path(PathSource::Redistributed, Some(path(PathSource::Redistributed, 100, 0)));
    assert!(table.shortest_is_feasible());
    table.choose(Choice::Feasible);
    assert_eq!(table.successors, [PathSource::Redistributed]);
}
