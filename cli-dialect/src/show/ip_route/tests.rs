use std::net::Ipv4Addr;

use proptest::prelude::*;

use super::super::parse_command;
use super::*;

const INTERFACES: &str = "(GigabitEthernet|Serial)[0-9]/[0-9](\\.[0-9]{1,3})?|Loopback[0-9]";

fn age() -> impl Strategy<Value = Age> {
    (0u64..100_000_000).prop_map(Age::from_secs)
}

fn address() -> impl Strategy<Value = Ipv4Addr> {
    any::<u32>().prop_map(Ipv4Addr::from)
}

fn paths() -> impl Strategy<Value = (bool, Vec<Path>)> {
    let via = (address(), prop::option::of(age()), prop::option::of(INTERFACES))
        .prop_map(|(address, age, interface)| Path::Via { address, vrf: None, metric: None, age, interface });
    let connected = INTERFACES.prop_map(|interface| Path::Connected { age: None, interface });
    let summary = age().prop_map(|age| Path::Summary { age, interface: "Null0".to_owned() });
    let discard = age().prop_map(|age| Path::Discard { age, interface: "Null0".to_owned() });
    prop_oneof![
        prop::collection::vec(via, 1..4).prop_map(|paths| (true, paths)),
        prop::collection::vec(connected, 1..3).prop_map(|paths| (false, paths)),
        summary.prop_map(|path| (false, vec![path])),
        discard.prop_map(|path| (true, vec![path])),
    ]
}

prop_compose! {
    fn route()(
        address in address(), length in 0u8..=32,
        code in prop::sample::select(vec!["C", "L", "S", "R", "D", "D EX", "O", "O IA", "O E1", "O E2", "O N1", "O N2", "B"]),
        candidate_default in any::<bool>(), distance in any::<u8>(), metric in any::<u32>(), (preferred, mut paths) in paths(),
        more in prop::option::of(1u32..9),
    ) -> IpRoute {
        if let [_, .., Path::Via { metric: of_path, .. }] = paths.as_mut_slice() {
            *of_path = more.map(|more| metric.wrapping_add(more));
        }
        IpRoute {
            code: code.to_owned(), candidate_default,
            prefix: Ipv4Net::new_assert(address, length).trunc(),
            preference: preferred.then_some((distance, metric)), paths,
        }
    }
}

proptest! {
    #[test]
    fn tables_round_trip(
        vrf in prop::option::of("[A-Z]{1,8}"), gateway in prop::option::of((address(), address())),
        mut routes in prop::collection::vec(route(), 0..12),
    ) {
        routes.sort_by_key(|r| r.prefix);
        routes.dedup_by_key(|r| r.prefix);
        let gateway = gateway.map(|(address, network)| Gateway { address, network });
        let record = IpRouteOutput::Table(IpRoutes { vrf, gateway, routes });
        prop_assert_eq!(IpRouteOutput::parse(&record.render()), Ok(record));
    }

    #[test]
    fn subnets_round_trip(
        mut routes in prop::collection::vec((route(), 9u8..=32), 1..6), one_mask in any::<bool>(),
    ) {
        let mask = routes[0].1;
        for (route, length) in &mut routes {
            let [_, b, c, d] = route.prefix.addr().octets();
            let length = if one_mask { mask } else { *length };
            route.prefix = Ipv4Net::new_assert(Ipv4Addr::new(10, b, c, d), length).trunc();
        }
        let routes = routes.into_iter().map(|(route, _)| route).collect();
        let record = Subnets::of("10.0.0.0/8".parse().unwrap(), routes).unwrap();
        let record = IpRouteOutput::Subnets(record);
        prop_assert_eq!(IpRouteOutput::parse(&record.render()), Ok(record));
    }

    #[test]
    fn entries_round_trip(
        address in address(), length in 0u8..=32, distance in any::<u8>(), metric in any::<u32>(), tag in 0u32..3,
        kind in prop::option::of(prop::sample::select(vec!["intra area", "extern 2", "external"])),
        candidate_default in any::<bool>(), connected in any::<bool>(),
        paths in prop::collection::vec((prop::option::of(any::<u32>()), prop::option::of(any::<u32>()), prop::option::of(age()),
            prop::option::of(INTERFACES), any::<u32>(), any::<bool>()), 1..4),
    ) {
        let paths = paths.into_iter().map(|(hop, from, age, interface, metric, best)| EntryPath {
            next_hop: hop.map(Into::into), from: from.map(Into::into), age, interface, metric, share: 1, best,
        }).collect();
        let record = IpRouteOutput::Entry(RouteEntry {
            prefix: Ipv4Net::new_assert(address, length).trunc(), known_via: "ospf 1".to_owned(), distance, metric, tag,
            kind: kind.map(str::to_owned), candidate_default, connected, redistributing: vec!["rip".to_owned()], paths,
        });
        prop_assert_eq!(IpRouteOutput::parse(&record.render()), Ok(record));
    }
}

#[test]
fn columns_and_headings_are_those_of_ios() {
    let net = |text: &str| text.parse::<Ipv4Net>().unwrap();
    let via = |a: u8, interface: &str| Path::Via {
        address: Ipv4Addr::new(10, 0, 12, a),
        vrf: None,
        metric: None,
        age: Some(Age::from_secs(31)),
        interface: Some(interface.to_owned()),
    };
    let connected = Path::Connected { age: None, interface: "GigabitEthernet0/0".to_owned() };
    let entry = |code: &str, prefix: &str, preference, paths| IpRoute {
        code: code.to_owned(),
        candidate_default: prefix == "0.0.0.0/0",
        prefix: net(prefix),
        preference,
        paths,
    };
    let table = IpRoutes {
        vrf: None,
        gateway: Some(Gateway { address: Ipv4Addr::new(10, 0, 12, 2), network: Ipv4Addr::UNSPECIFIED }),
        routes: vec![
            entry("O E2", "0.0.0.0/0", Some((110, 1)), vec![via(2, "GigabitEthernet0/0")]),
            entry("O", "2.2.2.2/32", Some((110, 2)), vec![via(2, "GigabitEthernet0/0"), via(3, "Serial0/0")]),
            entry("C", "10.0.12.0/24", None, vec![connected.clone()]),
            entry("L", "10.0.12.1/32", None, vec![connected]),
            entry("O IA", "192.168.1.0/24", Some((110, 3)), vec![via(2, "GigabitEthernet0/0")]),
        ],
    };
    let text = IpRouteOutput::Table(table).render();
    let body = text.split_once("0.0.0.0\n\n").unwrap().1;
    assert_eq!(
        body,
        "\
O*E2  0.0.0.0/0 [110/1] via 10.0.12.2, 00:00:31, GigabitEthernet0/0
      2.0.0.0/32 is subnetted, 1 subnets
O        2.2.2.2 [110/2] via 10.0.12.2, 00:00:31, GigabitEthernet0/0
                 [110/2] via 10.0.12.3, 00:00:31, Serial0/0
      10.0.0.0/8 is variably subnetted, 2 subnets, 2 masks
C        10.0.12.0/24 is directly connected, GigabitEthernet0/0
L        10.0.12.1/32 is directly connected, GigabitEthernet0/0
O IA  192.168.1.0/24 [110/3] via 10.0.12.2, 00:00:31, GigabitEthernet0/0
"
    );
}

#[test]
fn what_is_not_a_route_is_named() {
    let error = IpRouteOutput::parse("Gateway of last resort is not set\n\nC     10.0.0.0/8 is somewhere\n")
        .unwrap_err();
    assert_eq!(error.line, 3);
    assert_eq!(parse_command("sh ip route 9.9.9.9", "% Network not in table\n").unwrap(), json!([]));
}
