use proptest::prelude::*;

use super::*;
use crate::show::arbitrary;

prop_compose! {
    /// What not every path has.
    fn more()(
        numbers in any::<[Option<u32>; 3]>(), flags in any::<[bool; 3]>(), rank in prop::option::of(2u8..=3), injected_from in prop::option::of(arbitrary::prefix()),
        extended_communities in prop::collection::vec("RT:[1-9]{1,5}:[0-9]{1,5}|SoO:[1-9]{1,5}:[0-9]{1,5}|Cost:igp:1:50", 0..3),
        unknown in prop::collection::vec((any::<u8>(), any::<u8>(), "([0-9a-f]{2}){1,9}"), 0..2),
    ) -> Path {
        let [aigp_metric, link_bandwidth, sent_path_id] = numbers;
        let [stale, group_best, all] = flags;
        Path {
            aigp_metric: aigp_metric.map(u64::from), link_bandwidth: link_bandwidth.map(u64::from), sent_path_id, received_path_id: sent_path_id.unwrap_or(0),
            stale, group_best, all, rank, injected_from, extended_communities,
            unknown_attributes: unknown.into_iter().map(|(flags, code, value)| UnknownAttribute { flags, code, value }).collect(),
            ..Path::default()
        }
    }
}

prop_compose! {
    fn path()(
        as_path in "([1-9][0-9]{0,9}( [1-9][0-9]{0,9}){0,3})?", aggregated in any::<bool>(), flags in any::<[bool; 7]>(), addresses in any::<[u32; 4]>(),
        igp_metric in prop::option::of(any::<u32>()), origin in arbitrary::word(&["IGP", "EGP", "incomplete"]), metrics in any::<[Option<u32>; 2]>(),
        weight in any::<u32>(), kind in arbitrary::word(&["external", "internal", "sourced", "aggregated"]),
        flapped in prop::option::of((any::<[u32; 2]>(), arbitrary::age(), prop::option::of(arbitrary::age()))),
        communities in prop::collection::vec("[1-9]{1,5}:[0-9]{1,5}|no-export", 0..3), more in more(), clusters in prop::collection::vec(arbitrary::address(), 1..3),
    ) -> Path {
        let [reflector_client, received_only, inaccessible, valid, atomic_aggregate, multipath, has_originator] = flags;
        let [hop, from, id, originator] = addresses.map(Ipv4Addr::from);
        Path {
            as_path, aggregated_by: aggregated.then(|| "65001 1.1.1.1".to_owned()), reflector_client, received_only, received_and_used: !received_only, next_hop: Some(hop),
            igp_metric: igp_metric.filter(|_| !inaccessible), inaccessible, from: Some(from), from_router_id: Some(id), origin,
            dampening: flapped.map(|([penalty, flaps], duration, reuse)| Dampinfo { penalty, flaps, duration, reuse }),
            metric: metrics[0], local_preference: metrics[1], weight, valid, kind, atomic_aggregate, multipath, best: false, communities,
            originator: has_originator.then_some(originator), cluster_list: if has_originator { clusters } else { Vec::new() },
            ..more
        }
    }
}

proptest! {
    #[test]
    fn round_trip(distinguisher in prop::option::of("[1-9]{1,5}:[0-9]{1,5}"), prefix in arbitrary::prefix(), version in any::<u32>(), remark in any::<bool>(), update_groups in prop::collection::vec(1u32..100, 0..3),
        mut paths in prop::collection::vec(path(), 0..4))
    {
        if let Some(first) = paths.first_mut() {
            first.best = true;
        }
        let remarks = if remark { vec!["not advertised to EBGP peer".to_owned()] } else { Vec::new() };
        let record = IpBgpEntry::Network(Network { distinguisher, prefix, version, table: "default".to_owned(), remarks, update_groups, paths });
        prop_assert_eq!(IpBgpEntry::parse(&record.render()), Ok(record));
    }
}

#[test]
fn lines_stand_where_ios_puts_them() {
    let text = "BGP routing table entry for 10.4.0.0/16, version 3\n\
        Paths: (1 available, best #1, table default)\n  Not advertised to any peer\n  Refresh Epoch 1\n  62000\n    \
        10.0.0.2 (metric 1002) from 10.0.0.2 (10.0.0.2)\n      Origin incomplete, metric 0, localpref 100, valid, internal, best\n      \
        Community: 62000:1\n      Extended Community: SoO:5918:999 RT:5918:50\n      DMZ-Link Bw 278 kbytes\n      \
        unknown transitive attribute: flag 0xE0 type 0x20 length 0xC\n        value 0000 0001 0000 0002 0000 0003\n      \
        rx pathid: 0x1, tx pathid: 0x0\n";
    let record = IpBgpEntry::parse(text).unwrap();
    assert_eq!(record.render(), text);
}
