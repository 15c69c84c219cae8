use proptest::prelude::*;

use super::*;
use crate::show::arbitrary;

fn precise() -> impl Strategy<Value = PreciseAge> {
    (0u64..10_000_000_000).prop_map(PreciseAge::from_millis)
}

prop_compose! {
    fn range()(prefix in arbitrary::prefix(), cost in prop::option::of(any::<u32>()), flags in any::<[bool; 2]>()) -> Range {
        Range { prefix, cost, configured: flags[0] && cost.is_some(), advertise: flags[1] }
    }
}

prop_compose! {
    fn area()(
        area in arbitrary::word(&["0", "51", "0.0.0.7"]), flags in any::<[bool; 4]>(), counts in any::<[u32; 5]>(),
        kind in prop::sample::select(vec![Kind::Normal, Kind::Stub, Kind::Nssa]), default_cost in prop::option::of(any::<u32>()),
        authentication in arbitrary::word(&["no", "simple password", "message digest"]), last_spf in prop::option::of(precise()),
        ranges in prop::collection::vec(range(), 0..3), sums in any::<[u32; 2]>(),
    ) -> Area {
        let [backbone, active, no_summary, translates] = flags;
        let [interfaces, loopbacks, spf_runs, lsas, opaque] = counts;
        let special = kind != Kind::Normal;
        Area {
            area, backbone, active, interfaces, loopbacks, kind, no_summary: no_summary && special, translates,
            default_cost, authentication, spf_runs, last_spf, ranges, lsas: (lsas, sums[0]), opaque_link: (opaque, sums[1]),
            without_dc: sums[0], do_not_age: spf_runs,
        }
    }
}

prop_compose! {
    fn process()(
        process_id in any::<u16>(), router_id in arbitrary::address(), vrf in prop::option::of(arbitrary::name()), times in (precise(), precise()),
        flags in any::<[bool; 7]>(), throttles in any::<[[u32; 3]; 3]>(), counts in any::<[u32; 7]>(), areas in prop::collection::vec(area(), 0..3),
    ) -> Process {
        let [spf_throttle, lsa_throttle, pacing] = throttles;
        let [shutdown, area_border, as_boundary, redistributes, max_metric, ietf_helper, cisco_helper] = flags;
        let list = |on: bool, lines: &[&str]| lines.iter().filter(|_| on).map(|&line| line.to_owned()).collect();
        Process {
            vrf, start: times.0, elapsed: times.1, shutdown, area_border, as_boundary,
            redistributing: list(redistributes, &["connected, includes subnets in redistribution", "bgp 65001"]),
            max_metric: list(max_metric, &["Condition: always, State: active"]),
            spf_throttle, lsa_throttle, pacing, lsa_arrival: counts[0], external: (counts[1], counts[2]), opaque: (counts[3], counts[4]),
            without_dc: counts[1], do_not_age: counts[3], transit_areas: counts[5], ietf_helper, cisco_helper, reference_bandwidth: counts[6], areas, ..Process::new(process_id, router_id)
        }
    }
}

proptest! {
    #[test]
    fn round_trip(processes in prop::collection::vec(process(), 0..3)) {
        let record = IpOspf { processes };
        prop_assert_eq!(IpOspf::parse(&record.render()), Ok(record));
    }
}
