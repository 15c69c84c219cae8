use proptest::prelude::*;

use super::super::{MetricMatch, RouteMapEntry, RouteType, RouteTypeMatch, SetNextHop};
use super::*;
use crate::config::Wildcard;
use crate::interface::InterfaceName;
use crate::policy::{
    AccessList, AsPathEntry, AsPathList, BgpView, CommunityList, IosRegex, PrefixList, PrefixListEntry,
    RedistributionSource, StandardCommunityEntry, StandardEntry,
};

fn net(text: &str) -> Ipv4Net {
    text.parse().unwrap()
}

fn ip(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

/// Access list `10` and prefix list `TEN` permit 10.0.0.0/8 and hosts in it, as-path list 1 paths of AS 65001, community list
/// `C` 1:1.
fn policy() -> PolicyConfig {
    let mut policy = PolicyConfig::default();
    let source = Wildcard::new(ip("10.0.0.0"), ip("0.255.255.255"));
    let entry = StandardEntry { action: Permission::Permit, source, log: None };
    policy.access_lists.insert("10".to_owned(), AccessList::Standard([entry].into_iter().collect()));
    let entry = PrefixListEntry::new(Permission::Permit, net("10.0.0.0/8"), None, Some(32)).unwrap();
    policy
        .prefix_lists
        .insert("TEN".to_owned(), PrefixList { entries: [(5, entry)].into(), ..PrefixList::default() });
    let regex = IosRegex::new("_65001_").unwrap();
    let entry = AsPathEntry { action: Permission::Permit, regex };
    policy.as_path_lists.insert(1, AsPathList { entries: vec![entry] });
    let entry =
        StandardCommunityEntry { action: Permission::Permit, communities: [Community::new(1, 1)].into() };
    policy.community_lists.insert("C".to_owned(), CommunityList::Standard(vec![entry]));
    policy
}

fn permit(change: impl FnOnce(&mut RouteMapEntry)) -> RouteMapEntry {
    let mut entry = RouteMapEntry::new(Permission::Permit);
    change(&mut entry);
    entry
}

fn map(entries: impl IntoIterator<Item = (u16, RouteMapEntry)>) -> RouteMap {
    RouteMap { entries: entries.into_iter().collect() }
}

fn matching(clauses: impl FnOnce(&mut MatchClauses)) -> RouteMap {
    map([(10, permit(|entry| clauses(&mut entry.matches)))])
}

fn lists(access: &str, prefix: &str) -> AddressLists {
    let names = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    AddressLists { access_lists: names(access), prefix_lists: names(prefix) }
}

fn permits(map: &RouteMap, view: &RouteView<'_>) -> bool {
    map.evaluate(view, &policy()).is_some()
}

#[test]
fn address_matches_by_access_list_or_prefix_list() {
    for asked in [lists("10", ""), lists("", "TEN"), lists("10", "OTHER")] {
        assert!(permits(&matching(|m| m.address = asked.clone()), &RouteView::new(net("10.1.0.0/16"))));
    }
    for asked in [lists("10", ""), lists("", "TEN"), lists("10", "TEN")] {
        assert!(!permits(&matching(|m| m.address = asked.clone()), &RouteView::new(net("11.1.0.0/16"))));
    }
}

#[test]
fn next_hop_and_route_source_match_one_of_several() {
    let view = RouteView {
        next_hops: vec![ip("11.0.0.1"), ip("10.0.0.1")],
        route_sources: vec![ip("11.0.0.2")],
        ..RouteView::new(net("20.0.0.0/8"))
    };
    assert!(permits(&matching(|m| m.next_hop = lists("10", "")), &view));
    assert!(!permits(&matching(|m| m.route_source = lists("10", "")), &view));
    let connected = RouteView::new(net("10.0.0.0/8"));
    assert!(!permits(&matching(|m| m.next_hop = lists("10", "")), &connected));
}

#[test]
fn interface_metric_tag_source_and_type_match() {
    let name: InterfaceName = "GigabitEthernet0/0".parse().unwrap();
    let view = RouteView {
        interfaces: vec![name],
        metric: Some(20),
        tag: 7,
        route_type: Some(RouteType::ExternalType1),
        source: Some(RedistributionSource::Ospf(1)),
        ..RouteView::new(net("10.0.0.0/8"))
    };
    let metric = |value, deviation| vec![MetricMatch { value, deviation }];
    let kinds = |kind| [kind].into();
    assert!(permits(&matching(|m| m.interfaces = [name].into()), &view));
    assert!(!permits(&matching(|m| m.interfaces = ["GigabitEthernet0/1".parse().unwrap()].into()), &view));
    assert!(permits(&matching(|m| m.metrics = metric(20, 0)), &view));
    assert!(!permits(&matching(|m| m.metrics = metric(22, 1)), &view));
    assert!(permits(&matching(|m| m.metrics = metric(22, 2)), &view));
    assert!(permits(&matching(|m| m.tags = [6, 7].into()), &view));
    assert!(!permits(&matching(|m| m.tags = [6].into()), &view));
    assert!(permits(&matching(|m| m.sources = [RedistributionSource::Ospf(1)].into()), &view));
    assert!(!permits(&matching(|m| m.sources = [RedistributionSource::Ospf(2)].into()), &view));
    assert!(permits(&matching(|m| m.route_types = kinds(RouteTypeMatch::External)), &view));
    assert!(permits(&matching(|m| m.route_types = kinds(RouteTypeMatch::ExternalType1)), &view));
    assert!(!permits(&matching(|m| m.route_types = kinds(RouteTypeMatch::ExternalType2)), &view));
    assert!(!permits(&matching(|m| m.route_types = kinds(RouteTypeMatch::Internal)), &view));
    assert!(!permits(&matching(|m| m.route_types = kinds(RouteTypeMatch::NssaExternal)), &view));
}

#[test]
fn bgp_attributes_match_only_in_routes_that_have_them() {
    let communities = [Community::new(1, 1), Community::new(1, 2)];
    let bgp = BgpView {
        as_path: "65001 7",
        communities: &communities,
        extended_communities: &[],
        local_preference: Some(150),
    };
    let view = RouteView { bgp: Some(bgp), ..RouteView::new(net("10.0.0.0/8")) };
    let other = RouteView::new(net("10.0.0.0/8"));
    for asked in [
        matching(|m| m.as_paths = [1].into()),
        matching(|m| m.communities = vec!["MISSING".to_owned(), "C".to_owned()]),
        matching(|m| m.local_preferences = [150].into()),
    ] {
        assert!(permits(&asked, &view));
        assert!(!permits(&asked, &other));
    }
    assert!(!permits(&matching(|m| m.as_paths = [2].into()), &view));
    assert!(!permits(&matching(|m| m.local_preferences = [100].into()), &view));
    assert!(!permits(
        &matching(|m| {
            m.communities = vec!["C".to_owned()];
            m.communities_exact = true;
        }),
        &view
    ));
}

#[test]
fn different_kinds_of_match_must_all_hold() {
    let both = matching(|m| {
        m.address = lists("10", "");
        m.tags = [7].into();
    });
    let view = |prefix, tag| RouteView { tag, ..RouteView::new(net(prefix)) };
    assert!(permits(&both, &view("10.0.0.0/8", 7)));
    assert!(!permits(&both, &view("10.0.0.0/8", 8)));
    assert!(!permits(&both, &view("11.0.0.0/8", 7)));
}

#[test]
fn the_first_entry_that_matches_decides_and_the_end_denies() {
    let deny = RouteMapEntry {
        matches: MatchClauses { tags: [7].into(), ..MatchClauses::default() },
        ..RouteMapEntry::new(Permission::Deny)
    };
    let to_five = permit(|entry| entry.sets.tag = Some(5));
    let map = map([(10, deny.clone()), (20, to_five)]);
    let view = |tag| RouteView { tag, ..RouteView::new(net("10.0.0.0/8")) };
    assert_eq!(map.evaluate(&view(7), &policy()), None);
    assert_eq!(map.evaluate(&view(8), &policy()).unwrap().tag, Some(5));
    let only_deny = RouteMap { entries: [(10, deny)].into() };
    assert_eq!(only_deny.evaluate(&view(8), &policy()), None);
}

#[test]
fn a_map_that_does_not_exist_denies() {
    assert_eq!(policy().route_map("NONE", &RouteView::new(net("10.0.0.0/8"))), None);
}

#[test]
fn continue_gathers_sets_and_matches_the_route_as_it_came() {
    let first = permit(|entry| {
        entry.sets.tag = Some(99);
        entry.sets.weight = Some(1);
        entry.continues = Some(Continue::At(30));
    });
    let skipped = RouteMapEntry::new(Permission::Deny);
    let on_new_tag = RouteMapEntry {
        matches: MatchClauses { tags: [99].into(), ..MatchClauses::default() },
        ..RouteMapEntry::new(Permission::Deny)
    };
    let last = permit(|entry| entry.sets.weight = Some(2));
    let map = map([(10, first), (20, skipped), (30, on_new_tag), (40, last)]);
    let edits = map.evaluate(&RouteView::new(net("10.0.0.0/8")), &policy()).unwrap();
    assert_eq!((edits.tag, edits.weight), (Some(99), Some(2)));
}

#[test]
fn continue_into_nothing_keeps_the_permit_and_into_a_deny_denies() {
    let first = || permit(|entry| entry.continues = Some(Continue::Next));
    let view = RouteView::new(net("10.0.0.0/8"));
    assert!(permits(&map([(10, first())]), &view));
    assert!(permits(&map([(65535, first())]), &view));
    assert!(!permits(&map([(10, first()), (20, RouteMapEntry::new(Permission::Deny))]), &view));
    let backwards = permit(|entry| entry.continues = Some(Continue::At(10)));
    assert!(permits(&map([(10, backwards)]), &view));
}

#[test]
fn metrics_are_set_or_moved() {
    let edits = |metrics: &[SetMetric]| RouteEdits { metrics: metrics.to_vec(), ..RouteEdits::default() };
    assert_eq!(edits(&[]).metric(Some(5)), None);
    assert_eq!(edits(&[SetMetric::To(7)]).metric(Some(5)), Some(7));
    assert_eq!(edits(&[SetMetric::Add(7)]).metric(Some(5)), Some(12));
    assert_eq!(edits(&[SetMetric::Add(7)]).metric(None), Some(7));
    assert_eq!(edits(&[SetMetric::Add(7)]).metric(Some(u32::MAX)), Some(u32::MAX));
    assert_eq!(edits(&[SetMetric::Subtract(7)]).metric(Some(5)), Some(0));
    assert_eq!(edits(&[SetMetric::Add(7), SetMetric::Add(1)]).metric(Some(5)), Some(13));
    let vector = VectorMetric { bandwidth_kbps: 1, delay_tens_us: 2, reliability: 255, load: 1, mtu: 1500 };
    assert_eq!(edits(&[SetMetric::Vector(vector)]).metric(Some(5)), None);
    assert_eq!(edits(&[SetMetric::Vector(vector)]).vector_metric(), Some(vector));
}

#[test]
fn communities_are_deleted_then_set_or_added() {
    let (one, two, three) = (Community::new(1, 1), Community::new(1, 2), Community::new(1, 3));
    let after = |sets: SetClauses| {
        let map = map([(10, permit(|entry| entry.sets = sets))]);
        let edits = map.evaluate(&RouteView::new(net("10.0.0.0/8")), &policy()).unwrap();
        edits.communities(&[one, two], &policy()).map(|all| all.into_iter().collect::<Vec<_>>())
    };
    let these = |additive| Some(SetCommunity::These { communities: [three].into(), additive });
    let delete = Some("C".to_owned());
    assert_eq!(after(SetClauses::default()), None);
    assert_eq!(after(SetClauses { community: these(false), ..SetClauses::default() }), Some(vec![three]));
    assert_eq!(
        after(SetClauses { community: these(true), ..SetClauses::default() }),
        Some(vec![one, two, three])
    );
    assert_eq!(
        after(SetClauses { community: Some(SetCommunity::None), ..SetClauses::default() }),
        Some(vec![])
    );
    assert_eq!(
        after(SetClauses { delete_communities: delete.clone(), ..SetClauses::default() }),
        Some(vec![two])
    );
    let both = SetClauses { delete_communities: delete, community: these(true), ..SetClauses::default() };
    assert_eq!(after(both), Some(vec![two, three]));
}

#[test]
fn prepends_add_up_over_entries() {
    let entry = |asn| {
        permit(|entry| {
            entry.sets.as_path_prepend = vec![Asn(asn)];
            entry.continues = Some(Continue::Next);
        })
    };
    let map = map([(10, entry(1)), (20, entry(2))]);
    let edits = map.evaluate(&RouteView::new(net("10.0.0.0/8")), &policy()).unwrap();
    assert_eq!(edits.prepends, [Prepend::Asns(vec![Asn(1)]), Prepend::Asns(vec![Asn(2)])]);
}

#[test]
fn the_next_hop_is_an_address_or_one_end_of_the_session() {
    let after = |next_hop| {
        let map = map([(10, permit(|entry| entry.sets.next_hop = next_hop))]);
        map.evaluate(&RouteView::new(net("10.0.0.0/8")), &policy()).unwrap().next_hop
    };
    assert_eq!(after(SetNextHop::default()), None);
    assert_eq!(
        after(SetNextHop { addresses: vec![ip("1.1.1.1"), ip("2.2.2.2")], ..SetNextHop::default() }),
        Some(NextHopEdit::Address(ip("1.1.1.1")))
    );
    assert_eq!(
        after(SetNextHop { peer_address: true, ..SetNextHop::default() }),
        Some(NextHopEdit::PeerAddress)
    );
    assert_eq!(
        after(SetNextHop { self_address: true, ..SetNextHop::default() }),
        Some(NextHopEdit::SelfAddress)
    );
}

proptest! {
    /// Whatever the sequence numbers and jumps, evaluation ends.
    #[test]
    fn evaluation_ends(jumps in prop::collection::btree_map(any::<u16>(), prop::option::of(any::<u16>()), 0..20)) {
        let entries = jumps.into_iter().map(|(sequence, jump)| {
            let continues = Some(jump.map_or(Continue::Next, Continue::At));
            (sequence, RouteMapEntry { continues, ..RouteMapEntry::new(Permission::Permit) })
        });
        let map = map(entries);
        let permitted = permits(&map, &RouteView::new(net("10.0.0.0/8")));
        prop_assert_eq!(permitted, !map.entries.is_empty());
    }
}
