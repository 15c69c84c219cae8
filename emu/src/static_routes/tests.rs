//! Tests of static routes.

use super::*;
use crate::ids::IfIndex;
use crate::rib::RouteKind;
use crate::testing::{Bench, interface, net};

fn ip(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

fn to(prefix: &str, target: StaticTarget) -> StaticRoute {
    StaticRoute {
        vrf: None,
        prefix: net(prefix),
        target,
        distance: 1,
        tag: 0,
        name: None,
        permanent: false,
        track: None,
    }
}

fn via(prefix: &str, address: &str) -> StaticRoute {
    to(prefix, StaticTarget::NextHop(ip(address)))
}

fn port(index: u32) -> InterfaceName {
    interface(index, "10.0.0.1/24").name
}

/// A bench with `10.0.<n>.0/24` on ports 1 and 2, and these static routes.
fn bench(routes: Vec<StaticRoute>) -> (Bench, StaticProcess) {
    let mut bench = Bench::default();
    let mut connected = crate::connected::ConnectedProcess::new(VrfId::GLOBAL);
    for n in 1..=2 {
        bench.interfaces.insert(interface(n, &format!("10.0.{n}.1/24")));
    }
    bench.feed(&mut connected, Input::Configured);
    bench.config.static_routes = routes.into_iter().collect();
    let mut process = StaticProcess::new(VrfId::GLOBAL, None);
    bench.feed(&mut process, Input::Configured);
    (bench, process)
}

fn installed(bench: &Bench) -> Vec<String> {
    bench.rib.offers_of(bench.table(), RouteOwner::Static).map(|r| r.prefix.to_string()).collect()
}

/// Takes port 1's subnet out of (or back into) the RIB, and tells the static process.
fn flap_connected(bench: &mut Bench, process: &mut StaticProcess, up: bool) {
    let table = bench.table();
    bench.set_up(1, up);
    let change = if up {
        let route = Route {
            prefix: net("10.0.1.0/24"),
            owner: RouteOwner::Connected,
            kind: RouteKind::Connected,
            distance: 0,
            metric: 0,
            tag: 0,
            next_hops: [NextHop::interface(IfIndex(1))].into(),
            installed: bench.now,
        };
        bench.rib.install(table, route)
    } else {
        bench.rib.withdraw(table, RouteOwner::Connected, net("10.0.1.0/24"))
    };
    bench.feed(process, Input::RouteChanged(&change.unwrap()));
    bench.feed(process, Input::InterfaceChanged(IfIndex(1)));
}

#[test]
fn a_route_through_an_interface_is_used_while_that_is_up() {
    let (mut bench, mut process) = bench(vec![
        to("1.0.0.0/8", StaticTarget::Interface(port(1))),
        to("2.0.0.0/8", StaticTarget::InterfaceNextHop(port(1), ip("10.0.1.2"))),
        to("3.0.0.0/8", StaticTarget::Interface(port(9))),
    ]);
    assert_eq!(installed(&bench), ["1.0.0.0/8", "2.0.0.0/8"]);
    flap_connected(&mut bench, &mut process, false);
    assert!(installed(&bench).is_empty());
    flap_connected(&mut bench, &mut process, true);
    assert_eq!(installed(&bench), ["1.0.0.0/8", "2.0.0.0/8"]);
}

#[test]
fn a_recursive_route_is_used_while_its_next_hop_resolves_also_through_another_static_route() {
    let (mut bench, mut process) =
        bench(vec![via("1.0.0.0/8", "2.0.0.1"), via("2.0.0.0/8", "10.0.1.2"), via("3.0.0.0/8", "99.0.0.1")]);
    assert_eq!(installed(&bench), ["1.0.0.0/8", "2.0.0.0/8"]);
    flap_connected(&mut bench, &mut process, false);
    assert!(installed(&bench).is_empty());
    flap_connected(&mut bench, &mut process, true);
    assert_eq!(installed(&bench), ["1.0.0.0/8", "2.0.0.0/8"]);
}

#[test]
fn a_route_is_not_used_through_itself_not_even_by_a_detour() {
    let default = via("0.0.0.0/0", "10.0.1.2");
    let (bench, _) = bench(vec![
        default,
        via("20.0.0.0/8", "20.1.1.1"),
        via("30.0.0.0/8", "31.0.0.1"),
        via("31.0.0.0/8", "30.0.0.1"),
    ]);
    assert_eq!(installed(&bench), ["0.0.0.0/0", "30.0.0.0/8"]);
}

#[test]
fn an_own_address_is_no_next_hop() {
    let (bench, _) = bench(vec![via("20.0.0.0/8", "10.0.1.1")]);
    assert!(installed(&bench).is_empty());
}

#[test]
fn null0_discards_and_needs_no_interface() {
    let (bench, _) = bench(vec![to("20.0.0.0/8", StaticTarget::Interface(InterfaceName::null0()))]);
    assert!(bench.rib.best(bench.table(), net("20.0.0.0/8")).unwrap().next_hops.is_empty());
}

#[test]
fn equal_distances_share_and_a_floating_route_takes_over() {
    let floating = StaticRoute { distance: 200, tag: 7, ..via("20.0.0.0/8", "10.0.2.9") };
    let (mut bench, mut process) =
        bench(vec![via("20.0.0.0/8", "10.0.1.2"), via("20.0.0.0/8", "10.0.1.3"), floating]);
    let best = |bench: &Bench| bench.rib.best(bench.table(), net("20.0.0.0/8")).unwrap().clone();
    assert_eq!((best(&bench).next_hops.len(), best(&bench).tag), (2, 0));
    flap_connected(&mut bench, &mut process, false);
    assert_eq!((best(&bench).next_hops.len(), best(&bench).tag, best(&bench).distance), (1, 7, 200));
    flap_connected(&mut bench, &mut process, true);
    assert_eq!(best(&bench).distance, 1);
}

#[test]
fn a_permanent_route_stays_when_its_interface_goes_down() {
    let permanent = StaticRoute { permanent: true, ..to("20.0.0.0/8", StaticTarget::Interface(port(1))) };
    let recursive = StaticRoute { permanent: true, ..via("21.0.0.0/8", "10.0.1.2") };
    let (mut bench, mut process) = bench(vec![permanent, recursive]);
    flap_connected(&mut bench, &mut process, false);
    assert_eq!(installed(&bench), ["20.0.0.0/8", "21.0.0.0/8"]);
}

#[test]
fn a_route_that_tracks_a_missing_object_is_not_used() {
    let (bench, _) = bench(vec![StaticRoute { track: Some(1), ..via("20.0.0.0/8", "10.0.1.2") }]);
    assert!(installed(&bench).is_empty());
}

#[test]
fn routes_of_another_vrf_are_left_alone() {
    let (bench, _) = bench(vec![StaticRoute { vrf: Some("RED".into()), ..via("20.0.0.0/8", "10.0.1.2") }]);
    assert!(installed(&bench).is_empty());
}
