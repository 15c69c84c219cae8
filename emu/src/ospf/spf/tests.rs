//! Tests of the shortest-path tree.

use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};
use proptest::prelude::*;

use super::*;
use crate::ospf::handcrafted::{
    ABR, Db, PLAIN, hop, ip, p2p, rid, stub, to_network, to_router, transit, virtual_link,
};
use crate::ospf::lsa::{LsAge, Lsa, LsaBody, Options, SequenceNumber};

fn paths(db: &Db, attachments: &[Attachment]) -> ShortestPaths {
    shortest_paths(&db.0, rid(1), attachments, Time::ZERO)
}

fn network(paths: &ShortestPaths, prefix: &str) -> Option<(u32, Vec<OspfNextHop>)> {
    let prefix: Ipv4Net = prefix.parse().unwrap();
    let best = paths.networks.iter().filter(|net| net.prefix == prefix).min_by_key(|net| net.cost)?;
    Some((best.cost, best.next_hops.to_vec()))
}

/// 1 - 2 - 3 in a row, with a stub on 3.
fn row() -> Db {
    Db::default()
        .router(1, PLAIN, &[p2p(2, "10.0.12.1", 10), stub("10.0.12.0/24", 10)])
        .router(2, PLAIN, &[p2p(1, "10.0.12.2", 10), p2p(3, "10.0.23.2", 5), stub("10.0.12.0/24", 10)])
        .router(3, PLAIN, &[p2p(2, "10.0.23.3", 5), stub("3.3.3.3/32", 1)])
}

#[test]
fn rfc16_1_costs_add_up_along_the_path() {
    let paths = paths(&row(), &[to_router(2, "10.0.12.1", 1, "10.0.12.2")]);
    assert_eq!(network(&paths, "3.3.3.3/32"), Some((16, vec![hop(1, "10.0.12.2")])));
    assert_eq!(paths.router(rid(3)).unwrap().cost, 15);
    assert_eq!(paths.router(rid(1)).unwrap().next_hops.len(), 0);
    assert_eq!(network(&paths, "10.0.12.0/24"), Some((10, vec![])), "its own stub link is nearest");
}

#[test]
fn rfc16_1_step_2b_a_link_counts_only_if_it_leads_back() {
    let db = row().router(3, PLAIN, &[stub("3.3.3.3/32", 1)]);
    let paths = paths(&db, &[to_router(2, "10.0.12.1", 1, "10.0.12.2")]);
    assert!(paths.router(rid(3)).is_none());
    assert!(paths.router(rid(2)).is_some());
}

#[test]
fn rfc16_1_step_2b_lsas_at_max_age_do_not_count() {
    let paths =
        shortest_paths(&row().0, rid(1), &[to_router(2, "10.0.12.1", 1, "10.0.12.2")], Time::from_secs(3600));
    assert!(paths.routers.is_empty());
}

/// 1, 2 and 3 on a network whose DR is 2; 3 has a stub behind it.
fn lan() -> Db {
    Db::default()
        .router(1, PLAIN, &[transit("10.0.0.2", "10.0.0.1", 10)])
        .router(2, PLAIN, &[transit("10.0.0.2", "10.0.0.2", 10)])
        .router(3, PLAIN, &[transit("10.0.0.2", "10.0.0.3", 1), stub("3.3.3.3/32", 1)])
        .network(2, "10.0.0.2/24", &[1, 2, 3])
}

#[test]
fn rfc16_1_1_on_an_attached_network_the_router_is_the_next_hop() {
    let paths = paths(&lan(), &[to_network("10.0.0.1", 7)]);
    assert_eq!(network(&paths, "10.0.0.0/24"), Some((10, vec![hop(7, "")])));
    assert_eq!(network(&paths, "3.3.3.3/32"), Some((11, vec![hop(7, "10.0.0.3")])));
}

#[test]
fn rfc16_1_a_network_must_list_the_router_and_the_router_the_network() {
    let unlisted = lan().network(2, "10.0.0.2/24", &[1, 2]);
    assert!(paths(&unlisted, &[to_network("10.0.0.1", 7)]).router(rid(3)).is_none());
    let elsewhere = lan().router(3, PLAIN, &[transit("10.0.0.3", "10.0.0.3", 1)]);
    assert!(paths(&elsewhere, &[to_network("10.0.0.1", 7)]).router(rid(3)).is_none());
}

#[test]
fn rfc16_1_1_next_hops_are_inherited_beyond_the_first_router() {
    let db = lan()
        .router(3, PLAIN, &[transit("10.0.0.2", "10.0.0.3", 1), p2p(4, "10.0.34.3", 1)])
        .router(4, PLAIN, &[p2p(3, "10.0.34.4", 1), transit("10.0.45.4", "10.0.45.4", 1)])
        .router(5, PLAIN, &[transit("10.0.45.4", "10.0.45.5", 1), stub("5.5.5.5/32", 1)])
        .network(4, "10.0.45.4/24", &[4, 5]);
    let paths = paths(&db, &[to_network("10.0.0.1", 7)]);
    assert_eq!(network(&paths, "5.5.5.5/32"), Some((13, vec![hop(7, "10.0.0.3")])));
    assert_eq!(network(&paths, "10.0.45.0/24"), Some((12, vec![hop(7, "10.0.0.3")])));
}

#[test]
fn rfc16_8_equal_paths_are_all_kept_and_a_shorter_one_replaces_them() {
    let square = |metric| {
        Db::default()
            .router(1, PLAIN, &[p2p(2, "10.0.12.1", 10), p2p(3, "10.0.13.1", metric)])
            .router(2, PLAIN, &[p2p(1, "10.0.12.2", 10), p2p(4, "10.0.24.2", 10)])
            .router(3, PLAIN, &[p2p(1, "10.0.13.3", 10), p2p(4, "10.0.34.3", 10)])
            .router(4, PLAIN, &[p2p(2, "10.0.24.4", 10), p2p(3, "10.0.34.4", 10), stub("4.4.4.4/32", 1)])
    };
    let attachments = [to_router(2, "10.0.12.1", 1, "10.0.12.2"), to_router(3, "10.0.13.1", 2, "10.0.13.3")];
    let both = vec![hop(1, "10.0.12.2"), hop(2, "10.0.13.3")];
    assert_eq!(network(&paths(&square(10), &attachments), "4.4.4.4/32"), Some((21, both)));
    let one = vec![hop(2, "10.0.13.3")];
    assert_eq!(network(&paths(&square(9), &attachments), "4.4.4.4/32"), Some((20, one)));
}

#[test]
fn rfc16_1_step_3_networks_leave_the_candidate_list_before_routers_at_equal_distance() {
    // Router 3 is as far by the direct link as across the network; both ways must be found.
    let db = lan().router(1, PLAIN, &[transit("10.0.0.2", "10.0.0.1", 10), p2p(3, "10.0.13.1", 10)]).router(
        3,
        PLAIN,
        &[transit("10.0.0.2", "10.0.0.3", 1), p2p(1, "10.0.13.3", 10)],
    );
    let attachments = [to_network("10.0.0.1", 7), to_router(3, "10.0.13.1", 8, "10.0.13.3")];
    let reached = paths(&db, &attachments);
    let hops = &reached.router(rid(3)).unwrap().next_hops;
    assert_eq!(hops.to_vec(), vec![hop(7, "10.0.0.3"), hop(8, "10.0.13.3")]);
}

#[test]
fn rfc16_1_parallel_links_to_one_neighbor_are_told_apart_by_link_data() {
    let db = Db::default().router(1, PLAIN, &[p2p(2, "10.0.1.1", 10), p2p(2, "10.0.2.1", 10)]).router(
        2,
        PLAIN,
        &[p2p(1, "10.0.1.2", 10), p2p(1, "10.0.2.2", 10)],
    );
    let attachments = [to_router(2, "10.0.1.1", 1, "10.0.1.2"), to_router(2, "10.0.2.1", 2, "10.0.2.2")];
    let hops = paths(&db, &attachments).router(rid(2)).unwrap().next_hops.to_vec();
    assert_eq!(hops, vec![hop(1, "10.0.1.2"), hop(2, "10.0.2.2")]);
}

#[test]
fn rfc16_1_1_a_virtual_link_uses_the_next_hops_through_the_transit_area() {
    let db = Db::default().router(1, ABR, &[virtual_link(2, "10.0.0.1", 30)]).router(
        2,
        ABR,
        &[virtual_link(1, "10.0.0.2", 30), stub("2.2.2.2/32", 1)],
    );
    let next_hops: NextHops = Arc::new([hop(3, "10.0.9.9")]);
    let attachment = Attachment::Virtual { neighbor: rid(2), next_hops };
    assert_eq!(network(&paths(&db, &[attachment]), "2.2.2.2/32"), Some((31, vec![hop(3, "10.0.9.9")])));
}

#[test]
fn rfc16_1_the_address_of_a_virtual_neighbor_is_that_of_its_link_back() {
    let db = lan()
        .router(3, PLAIN, &[transit("10.0.0.2", "10.0.0.3", 1), p2p(4, "10.0.34.3", 1)])
        .router(4, PLAIN, &[p2p(3, "10.0.34.4", 1), p2p(5, "0.0.0.7", 1)])
        .router(5, PLAIN, &[p2p(4, "0.0.0.9", 1)]);
    let paths = paths(&db, &[to_network("10.0.0.1", 7)]);
    let address = |n| paths.router(rid(n)).unwrap().address;
    assert_eq!(address(1), None);
    assert_eq!(address(3), Some(ip("10.0.0.3")));
    assert_eq!(address(4), Some(ip("10.0.34.4")));
    assert_eq!(address(5), None, "unnumbered");
}

#[test]
fn rfc16_1_step_2_a_v_bit_in_the_tree_makes_the_area_a_transit_area() {
    let attachments = [to_router(2, "10.0.12.1", 1, "10.0.12.2")];
    assert!(!paths(&row(), &attachments).transit_capability);
    let flags = RouterFlags { virtual_endpoint: true, ..ABR };
    let db = row().router(3, flags, &[p2p(2, "10.0.23.3", 5)]);
    assert!(paths(&db, &attachments).transit_capability);
}

#[test]
fn rfc6987_a_link_of_maximum_metric_still_carries_traffic_if_there_is_no_other() {
    let db = row().router(2, PLAIN, &[p2p(1, "10.0.12.2", 0xffff), p2p(3, "10.0.23.2", 0xffff)]);
    let paths = paths(&db, &[to_router(2, "10.0.12.1", 1, "10.0.12.2")]);
    assert_eq!(network(&paths, "3.3.3.3/32").unwrap().0, 10 + 0xffff + 1);
}

/// A random directed weighted graph over routers 0..n; an edge without its opposite cannot be used.
fn random_graph() -> impl Strategy<Value = (usize, Vec<(usize, usize, u16)>)> {
    (2usize..40).prop_flat_map(|n| (Just(n), proptest::collection::vec((0..n, 0..n, 1u16..100), 0..4 * n)))
}

fn numbered(n: usize) -> RouterId {
    RouterId(Ipv4Addr::from(u32::try_from(n).unwrap() + 1))
}

proptest! {
    #[test]
    fn rfc16_1_distances_equal_those_of_petgraph((n, mut edges) in random_graph()) {
        edges.retain(|&(a, b, _)| a != b);
        edges.sort_unstable();
        edges.dedup_by_key(|&mut (a, b, _)| (a, b));
        let mut database = Database::default();
        let mut attachments = Vec::new();
        for router in 0..n {
            let links = edges.iter().filter(|edge| edge.0 == router).map(|&(_, to, metric)| RouterLink {
                kind: LinkKind::PointToPoint, id: numbered(to).0, data: ip("10.0.0.1"), metric,
            });
            let body = LsaBody::Router(RouterLsa { flags: PLAIN, links: links.collect() });
            let id = numbered(router);
            let lsa = Lsa::new(id.0, id, Options::E, SequenceNumber::INITIAL, body);
            database.install(lsa, LsAge::ZERO, Time::ZERO);
            let next_hop = OspfNextHop { interface: IfIndex(router as u32), address: Some(id.0) };
            attachments.push(Attachment::Router { neighbor: id, data: ip("10.0.0.1"), next_hop });
        }
        let usable = |&&(a, b, _): &&(usize, usize, u16)| edges.iter().any(|e| (e.0, e.1) == (b, a));
        let arcs = edges.iter().filter(usable).map(|&(a, b, m)| (a as u32, b as u32, u32::from(m)));
        let mut graph = DiGraph::<(), u32>::from_edges(arcs);
        while graph.node_count() < n {
            graph.add_node(());
        }
        let expected = dijkstra(&graph, NodeIndex::new(0), None, |edge| *edge.weight());
        let paths = shortest_paths(&database, numbered(0), &attachments, Time::ZERO);
        for router in 0..n {
            let reached = paths.router(numbered(router)).map(|reached| reached.cost);
            prop_assert_eq!(reached, expected.get(&NodeIndex::new(router)).copied(), "router {}", router);
        }
        // A next hop is right exactly if the way through it is a shortest one.
        for reached in paths.routers.iter().filter(|reached| reached.cost > 0) {
            let to = NodeIndex::new(u32::from(reached.router.0) as usize - 1);
            let wanted: Vec<u32> = edges.iter().filter(usable).filter(|edge| edge.0 == 0).filter(|&&(_, via, metric)| {
                let rest = dijkstra(&graph, NodeIndex::new(via), Some(to), |edge| *edge.weight());
                rest.get(&to).is_some_and(|rest| rest + u32::from(metric) == reached.cost)
            }).map(|edge| edge.1 as u32).collect();
            let found: Vec<u32> = reached.next_hops.iter().map(|hop| hop.interface.0).collect();
            prop_assert_eq!(found, wanted);
        }
    }
}
