//! Tests of the routing table calculation over databases written by hand.

use super::*;
use crate::ids::IfIndex;
use crate::ospf::ExternalMetricType::{self, Type1, Type2};
use crate::ospf::config::NssaOptions;
use crate::ospf::handcrafted::{
    ABR, ASBR, Db, PLAIN, hop, p2p, rid, stub, to_network, to_router, transit, virtual_link,
};
use crate::ospf::lsa::LS_INFINITY;
use crate::ospf::lsa::RouterFlags;
use crate::ospf::spf::{Attachment, shortest_paths};

/// An area of the calculating router, which is 1.1.1.1.
struct TestArea {
    id: u32,
    kind: AreaKind,
    db: Db,
    attachments: Vec<Attachment>,
    ranges: BTreeMap<Ipv4Net, AreaRange>,
}

fn area(id: u32, db: Db, attachments: &[Attachment]) -> TestArea {
    TestArea { id, kind: AreaKind::Normal, db, attachments: attachments.to_vec(), ranges: BTreeMap::new() }
}

fn nssa(area: TestArea, no_summary: bool) -> TestArea {
    TestArea { kind: AreaKind::Nssa(NssaOptions { no_summary, ..NssaOptions::default() }), ..area }
}

struct Setting {
    areas: Vec<TestArea>,
    external: Db,
    rfc1583_compatible: bool,
}

impl Setting {
    fn new(areas: Vec<TestArea>) -> Self {
        Self { areas, external: Db::default(), rfc1583_compatible: true }
    }

    fn trees(&self) -> BTreeMap<AreaId, ShortestPaths> {
        let tree = |area: &TestArea| shortest_paths(&area.db.0, rid(1), &area.attachments, Time::ZERO);
        self.areas.iter().map(|area| (AreaId(area.id), tree(area))).collect()
    }

    fn view(&self, trees: &BTreeMap<AreaId, ShortestPaths>) -> RoutingView<'_> {
        let border = self.areas.len() > 1;
        RoutingView {
            router_id: rid(1),
            now: Time::ZERO,
            areas: self
                .areas
                .iter()
                .map(|area| AreaView {
                    id: AreaId(area.id),
                    kind: area.kind,
                    database: &area.db.0,
                    ranges: &area.ranges,
                    transit: trees.get(&AreaId(area.id)).is_some_and(|tree| tree.transit_capability),
                })
                .collect(),
            external: Some(&self.external.0),
            area_border: border,
            backbone_only: border,
            rfc1583_compatible: self.rfc1583_compatible,
        }
    }

    fn table(&self) -> RouteTable {
        let trees = self.trees();
        RouteTable::calculate(&self.view(&trees), &trees)
    }
}

fn route(table: &RouteTable, prefix: &str) -> Option<(PathType, u32, Vec<OspfNextHop>)> {
    let route = table.networks.get(&prefix.parse::<Ipv4Net>().unwrap())?;
    Some((route.path_type, route.metric(), route.paths.iter().map(|path| path.next_hop).collect()))
}

/// Router 1 with neighbors 2 (interface 1, cost 10) and 3 (interface 2, cost 20), both with these bits.
fn fork(flags: RouterFlags) -> Db {
    Db::default()
        .router(1, PLAIN, &[p2p(2, "10.0.12.1", 10), p2p(3, "10.0.13.1", 20), stub("10.0.12.0/24", 10)])
        .router(2, flags, &[p2p(1, "10.0.12.2", 10), stub("10.0.12.0/24", 10), stub("10.2.0.0/24", 5)])
        .router(3, flags, &[p2p(1, "10.0.13.3", 20), stub("10.3.0.0/24", 5)])
}

fn fork_attachments() -> [Attachment; 3] {
    let stub = Attachment::Stub { prefix: "10.0.12.0/24".parse().unwrap(), interface: IfIndex(1) };
    [to_router(2, "10.0.12.1", 1, "10.0.12.2"), to_router(3, "10.0.13.1", 2, "10.0.13.3"), stub]
}

const VIA2: (u32, &str) = (1, "10.0.12.2");
const VIA3: (u32, &str) = (2, "10.0.13.3");

fn via(hops: &[(u32, &str)]) -> Vec<OspfNextHop> {
    hops.iter().map(|&(interface, address)| hop(interface, address)).collect()
}

/// The fork as a single area.
fn single(db: Db) -> Setting {
    Setting::new(vec![area(0, db, &fork_attachments())])
}

/// An area border router: the fork in the backbone, and area 1 with router 4 behind interface 3.
fn border(backbone: Db, one: Db) -> Setting {
    let four = [to_router(4, "10.0.14.1", 3, "10.0.14.4")];
    Setting::new(vec![area(0, backbone, &fork_attachments()), area(1, one, &four)])
}

fn area_one(flags: RouterFlags) -> Db {
    Db::default().router(1, ABR, &[p2p(4, "10.0.14.1", 7)]).router(
        4,
        flags,
        &[p2p(1, "10.0.14.4", 7), stub("10.4.0.0/24", 1), stub("10.4.1.0/24", 3)],
    )
}

#[test]
fn rfc16_1_own_networks_are_attached_and_others_are_not() {
    let table = single(fork(PLAIN)).table();
    assert!(table.networks[&"10.0.12.0/24".parse().unwrap()].is_attached());
    assert_eq!(route(&table, "10.0.12.0/24").unwrap().2, via(&[(1, "")]));
    assert!(!table.networks[&"10.2.0.0/24".parse().unwrap()].is_attached());
}

#[test]
fn rfc16_1_a_prefix_advertised_by_two_routers_at_equal_distance_has_both_paths() {
    let db = fork(PLAIN).router(2, PLAIN, &[p2p(1, "10.0.12.2", 10), stub("10.9.0.0/16", 15)]).router(
        3,
        PLAIN,
        &[p2p(1, "10.0.13.3", 20), stub("10.9.0.0/16", 5)],
    );
    let table = single(db).table();
    assert_eq!(route(&table, "10.9.0.0/16"), Some((PathType::IntraArea, 25, via(&[VIA2, VIA3]))));
    let from: Vec<_> =
        table.networks[&"10.9.0.0/16".parse().unwrap()].paths.iter().map(|path| path.from).collect();
    assert_eq!(from, vec![rid(2), rid(3)]);
}

#[test]
fn rfc16_2_cost_through_the_border_router_and_equal_paths() {
    let db = fork(ABR).summary(2, "172.16.0.0/16", 15).summary(3, "172.16.0.0/16", 5);
    let table = single(db).table();
    assert_eq!(route(&table, "172.16.0.0/16"), Some((PathType::InterArea, 25, via(&[VIA2, VIA3]))));
    let nearer = fork(ABR).summary(2, "172.16.0.0/16", 15).summary(3, "172.16.0.0/16", 4);
    assert_eq!(
        route(&single(nearer).table(), "172.16.0.0/16"),
        Some((PathType::InterArea, 24, via(&[VIA3])))
    );
}

#[test]
fn rfc16_2_steps_1_and_2_infinite_and_own_summaries_are_ignored() {
    let db = fork(ABR).summary(2, "172.16.0.0/16", LS_INFINITY).summary(1, "172.17.0.0/16", 1);
    let table = single(db).table();
    assert_eq!(route(&table, "172.16.0.0/16"), None);
    assert_eq!(route(&table, "172.17.0.0/16"), None);
}

#[test]
fn rfc16_2_step_3_an_own_active_range_is_not_followed() {
    let backbone = fork(ABR).summary(2, "10.4.0.0/16", 1);
    let mut setting = border(backbone, area_one(PLAIN));
    assert!(route(&setting.table(), "10.4.0.0/16").is_some());
    setting.areas[1].ranges.insert("10.4.0.0/16".parse().unwrap(), AreaRange::default());
    assert_eq!(route(&setting.table(), "10.4.0.0/16"), None);
    // Without a component the range is not active, and the summary counts.
    setting.areas[1].db = Db::default().router(1, ABR, &[]);
    assert!(route(&setting.table(), "10.4.0.0/16").is_some());
}

#[test]
fn rfc16_2_step_4_the_maker_must_be_a_reachable_border_router() {
    let unreachable = fork(ABR).summary(9, "172.16.0.0/16", 1);
    assert_eq!(route(&single(unreachable).table(), "172.16.0.0/16"), None);
    let no_border_router = fork(PLAIN).summary(2, "172.16.0.0/16", 1);
    assert_eq!(route(&single(no_border_router).table(), "172.16.0.0/16"), None);
}

#[test]
fn rfc16_2_step_5_intra_area_paths_are_preferred_whatever_their_cost() {
    let db = fork(ABR).summary(2, "10.3.0.0/24", 1);
    assert_eq!(route(&single(db).table(), "10.3.0.0/24"), Some((PathType::IntraArea, 25, via(&[VIA3]))));
}

#[test]
fn rfc16_2_a_border_router_looks_at_the_backbone_only() {
    let one = area_one(ABR).summary(4, "172.16.0.0/16", 1);
    let mut setting = border(fork(ABR).summary(2, "172.17.0.0/16", 1), one);
    let table = setting.table();
    assert_eq!(route(&table, "172.16.0.0/16"), None);
    assert!(route(&table, "172.17.0.0/16").is_some());
    // RFC 3509 section 2.2: a router without a backbone looks at all its areas.
    setting.areas.remove(0);
    assert!(route(&setting.table(), "172.16.0.0/16").is_some());
}

#[test]
fn rfc16_2_appendix_e_host_bits_of_the_link_state_id_are_no_part_of_the_network() {
    let lsa = crate::ospf::lsa::Lsa::new(
        "172.16.255.255".parse().unwrap(),
        rid(2),
        crate::ospf::lsa::Options::E,
        crate::ospf::lsa::SequenceNumber::INITIAL,
        crate::ospf::lsa::LsaBody::SummaryNetwork(crate::ospf::lsa::SummaryLsa {
            mask: "255.255.0.0".parse().unwrap(),
            metric: 1,
        }),
    );
    let mut db = fork(ABR);
    db.0.install(lsa, crate::ospf::lsa::LsAge::ZERO, Time::ZERO);
    assert!(route(&single(db).table(), "172.16.0.0/16").is_some());
}

/// Virtual link from 1 to 4 through area 1, over which network 10.5.0.0/24 of router 5 is known; a border router 6
/// in area 1 offers another way at this cost.
fn transit_setting(offer: u32) -> Setting {
    let backbone = Db::default()
        .router(1, ABR, &[virtual_link(4, "10.0.14.1", 20)])
        .router(4, ABR, &[virtual_link(1, "10.0.14.4", 20), p2p(5, "10.0.45.4", 10)])
        .router(5, PLAIN, &[p2p(4, "10.0.45.5", 10), stub("10.5.0.0/24", 1)]);
    let v = RouterFlags { virtual_endpoint: true, ..ABR };
    let one = Db::default()
        .router(1, v, &[p2p(4, "10.0.14.1", 20), p2p(6, "10.0.16.1", 5)])
        .router(4, v, &[p2p(1, "10.0.14.4", 20)])
        .router(6, ABR, &[p2p(1, "10.0.16.6", 5)])
        .summary(6, "10.5.0.0/24", offer);
    let next_hops = vec![hop(3, "10.0.14.4")].into();
    Setting::new(vec![
        area(0, backbone, &[Attachment::Virtual { neighbor: rid(4), next_hops }]),
        area(1, one, &[to_router(4, "10.0.14.1", 3, "10.0.14.4"), to_router(6, "10.0.16.1", 4, "10.0.16.6")]),
    ])
}

#[test]
fn rfc16_3_a_transit_area_may_offer_a_shorter_way_than_the_virtual_link() {
    let get = |offer| route(&transit_setting(offer).table(), "10.5.0.0/24");
    let (over, around) = ((3, "10.0.14.4"), (4, "10.0.16.6"));
    assert_eq!(get(40), Some((PathType::IntraArea, 31, via(&[over]))));
    assert_eq!(get(26), Some((PathType::IntraArea, 31, via(&[over, around]))));
    assert_eq!(get(20), Some((PathType::IntraArea, 25, via(&[around]))));
}

fn with_external(db: Db, external: Db) -> Setting {
    Setting { external, ..single(db) }
}

fn ext(n: u8, kind: ExternalMetricType, metric: u32, forwarding: &str) -> Db {
    Db::default().external(n, "192.0.2.0/24", kind, metric, forwarding)
}

const DESTINATION: &str = "192.0.2.0/24";

#[test]
fn rfc16_4_type_1_adds_the_distance_and_type_2_does_not() {
    let get = |external| route(&with_external(fork(ASBR), external).table(), DESTINATION);
    assert_eq!(get(ext(2, Type1, 20, "")), Some((PathType::External1, 30, via(&[VIA2]))));
    assert_eq!(get(ext(2, Type2, 20, "")), Some((PathType::External2, 20, via(&[VIA2]))));
}

#[test]
fn rfc16_4_step_2_infinite_and_own_lsas_and_step_3_unreachable_makers_are_ignored() {
    let get = |flags, external| route(&with_external(fork(flags), external).table(), DESTINATION);
    assert_eq!(get(ASBR, ext(2, Type2, LS_INFINITY, "")), None);
    assert_eq!(get(ASBR, ext(1, Type2, 1, "")), None);
    assert_eq!(get(ASBR, ext(9, Type2, 1, "")), None);
    assert_eq!(get(PLAIN, ext(2, Type2, 1, "")), None, "a maker must say that it is a boundary router");
}

#[test]
fn rfc16_4_step_3_a_forwarding_address_is_the_exit() {
    let get =
        |forwarding| route(&with_external(fork(ASBR), ext(2, Type1, 20, forwarding)).table(), DESTINATION);
    assert_eq!(get("10.3.0.9"), Some((PathType::External1, 45, via(&[VIA3]))));
    assert_eq!(get("203.0.113.1"), None, "unknown forwarding address");
    // On an attached network the address itself is the next hop.
    assert_eq!(get("10.0.12.9"), Some((PathType::External1, 30, via(&[(1, "10.0.12.9")]))));
}

#[test]
fn rfc16_4_step_3_a_forwarding_address_must_not_be_external_itself() {
    let external = ext(2, Type2, 20, "198.51.100.1").external(3, "198.51.100.0/24", Type2, 1, "");
    let table = with_external(fork(ASBR), external).table();
    assert_eq!(route(&table, DESTINATION), None);
    assert!(route(&table, "198.51.100.0/24").is_some());
}

#[test]
fn rfc16_4_step_6_preference_of_external_paths() {
    let both = |two: (ExternalMetricType, u32), three: (ExternalMetricType, u32)| {
        let external = ext(2, two.0, two.1, "").external(3, DESTINATION, three.0, three.1, "");
        route(&with_external(fork(ASBR), external).table(), DESTINATION).unwrap()
    };
    // (b) type 1 before type 2, (c) the lower type 2 metric, (d) the shorter way; all else equal, both.
    assert_eq!(both((Type2, 1), (Type1, 500)).2, via(&[VIA3]));
    assert_eq!(both((Type2, 21), (Type2, 20)).2, via(&[VIA3]));
    assert_eq!(both((Type2, 20), (Type2, 20)).2, via(&[VIA2]));
    assert_eq!(both((Type1, 30), (Type1, 20)).2, via(&[VIA2, VIA3]));
    assert_eq!(both((Type1, 31), (Type1, 20)).2, via(&[VIA3]));
}

#[test]
fn rfc16_4_step_6a_internal_paths_are_always_preferred() {
    let external = Db::default().external(2, "10.3.0.0/24", Type1, 0, "");
    let table = with_external(fork(ASBR), external).table();
    assert_eq!(route(&table, "10.3.0.0/24").unwrap().0, PathType::IntraArea);
}

#[test]
fn rfc16_4_an_as_boundary_router_in_another_area_is_known_by_type_4() {
    let db = fork(ABR).summary_asbr(3, 9, 100);
    let table = with_external(db, ext(9, Type1, 1, "")).table();
    assert_eq!(route(&table, DESTINATION), Some((PathType::External1, 121, via(&[VIA3]))));
    assert!(table.routers[&(rid(9), AreaId(0))].inter_area);
}

/// Boundary routers 3 (backbone, 20) and 4 (area 1, 50), both with the same external network.
fn two_exits(rfc1583_compatible: bool) -> RouteTable {
    let one =
        Db::default().router(1, ABR, &[p2p(4, "10.0.14.1", 50)]).router(4, ASBR, &[p2p(1, "10.0.14.4", 50)]);
    let mut setting = border(fork(ASBR), one);
    setting.external = ext(3, Type2, 20, "").external(4, DESTINATION, Type2, 20, "");
    setting.rfc1583_compatible = rfc1583_compatible;
    setting.table()
}

#[test]
fn rfc16_4_1_without_rfc1583_compatibility_exits_in_other_areas_than_the_backbone_are_preferred() {
    assert_eq!(route(&two_exits(true), DESTINATION).unwrap().2, via(&[VIA3]));
    assert_eq!(route(&two_exits(false), DESTINATION).unwrap().2, via(&[(3, "10.0.14.4")]));
}

#[test]
fn rfc16_4_step_3_of_equal_ways_to_one_boundary_router_the_greater_area_counts() {
    let mut one = border(fork(ASBR), Db::default());
    one.areas[1].db = Db::default().router(1, ABR, &[p2p(3, "10.0.113.1", 20)]).router(
        3,
        ASBR,
        &[p2p(1, "10.0.113.3", 20)],
    );
    one.areas[1].attachments = vec![to_router(3, "10.0.113.1", 5, "10.0.113.3")];
    one.external = ext(3, Type2, 20, "");
    assert_eq!(route(&one.table(), DESTINATION).unwrap().2, via(&[(5, "10.0.113.3")]));
}

#[test]
fn rfc16_4_stub_areas_have_no_external_routes() {
    let mut setting = with_external(fork(ASBR), ext(2, Type2, 20, ""));
    setting.areas[0].kind = AreaKind::Stub { no_summary: false };
    assert_eq!(route(&setting.table(), DESTINATION), None);
}

fn in_nssa(db: Db) -> Setting {
    let plain = area(2, db, &fork_attachments());
    Setting::new(vec![nssa(plain, false)])
}

#[test]
fn rfc3101_2_5_type_7_lsas_make_nssa_routes() {
    let db = fork(ASBR).nssa(2, DESTINATION, Type2, 20, "10.2.0.1", true);
    let table = in_nssa(db).table();
    assert_eq!(route(&table, DESTINATION), Some((PathType::External2, 20, via(&[VIA2]))));
    assert_eq!(table.networks[&DESTINATION.parse().unwrap()].kind(), RouteKind::OspfNssa2);
}

#[test]
fn rfc3101_2_5_step_3_forwarding_addresses_must_lie_inside_the_nssa() {
    let db = fork(RouterFlags { area_border: true, ..ASBR }).summary(2, "172.16.0.0/16", 1).nssa(
        2,
        DESTINATION,
        Type2,
        20,
        "172.16.0.1",
        true,
    );
    assert_eq!(route(&in_nssa(db).table(), DESTINATION), None);
}

#[test]
fn rfc3101_2_5_step_3_a_border_router_does_not_follow_a_type_7_default_without_the_p_bit() {
    let get = |propagate, no_summary, border_router: bool| {
        let one = area_one(ASBR).nssa(4, "0.0.0.0/0", Type2, 1, "10.4.0.1", propagate);
        let mut setting = border(fork(ABR), one);
        let area = setting.areas.pop().unwrap();
        setting.areas.push(nssa(area, no_summary));
        if !border_router {
            setting.areas.remove(0);
        }
        route(&setting.table(), "0.0.0.0/0").is_some()
    };
    assert!(!get(false, false, true));
    assert!(get(true, false, true));
    assert!(!get(true, true, true));
    assert!(get(false, false, false), "a router inside the area follows it");
}

#[test]
fn rfc3101_2_5_step_6e_of_lsas_that_say_the_same_type_7_with_the_p_bit_counts() {
    let kind = |propagate| {
        let one = area_one(ASBR).nssa(4, DESTINATION, Type2, 20, "10.4.0.1", propagate);
        let mut setting = border(fork(ASBR), one);
        let area = setting.areas.pop().unwrap();
        setting.areas.push(nssa(area, false));
        // A translation of the same LSA by router 2, with the forwarding address kept.
        setting.external = ext(2, Type2, 20, "10.4.0.1");
        setting.table().networks[&DESTINATION.parse().unwrap()].kind()
    };
    assert_eq!(kind(true), RouteKind::OspfNssa2);
    assert_eq!(kind(false), RouteKind::OspfExternal2);
}

#[test]
fn rfc16_5_and_16_6_partial_calculations_equal_the_whole_one() {
    let backbone = fork(RouterFlags { area_border: true, ..ASBR }).summary(2, "172.16.0.0/16", 15);
    let mut setting = border(backbone, area_one(PLAIN));
    setting.external = ext(2, Type2, 20, "");
    let mut table = setting.table();
    let Setting { areas, .. } = &mut setting;
    let db = std::mem::take(&mut areas[0].db);
    areas[0].db = db.summary(2, "172.16.0.0/16", 16).summary(3, "172.18.0.0/16", 1);
    let trees = setting.trees();
    table.recalculate_inter_area(&setting.view(&trees));
    assert_eq!(table, setting.table());
    setting.external = ext(3, Type1, 1, "").external(2, "198.51.100.0/24", Type2, 2, "");
    table.recalculate_external(&setting.view(&trees));
    assert_eq!(table, setting.table());
}

#[test]
fn rfc11_forwarding_addresses_match_the_longest_internal_prefix() {
    let db = Db::default()
        .router(1, PLAIN, &[transit("10.0.0.2", "10.0.0.1", 10)])
        .router(2, PLAIN, &[transit("10.0.0.2", "10.0.0.2", 10), stub("10.0.0.0/8", 1)])
        .network(2, "10.0.0.2/24", &[1, 2]);
    let table = Setting::new(vec![area(0, db, &[to_network("10.0.0.1", 1)])]).table();
    let matched = |address: &str| table.internal_match(address.parse().unwrap()).unwrap().0.to_string();
    assert_eq!(matched("10.0.0.77"), "10.0.0.0/24");
    assert_eq!(matched("10.7.0.1"), "10.0.0.0/8");
    assert!(table.internal_match("11.0.0.1".parse().unwrap()).is_none());
}
