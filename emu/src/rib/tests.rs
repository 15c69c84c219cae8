//! Tests of the RIB and the FIB together.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use proptest::prelude::*;

use super::*;
use crate::ids::{Asn, IfIndex, VrfId};
use crate::time::Time;

const TABLE: TableId = TableId::ipv4(VrfId::GLOBAL);

fn net(text: &str) -> Ipv4Net {
    text.parse().unwrap()
}

fn ip(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

fn route(prefix: &str, owner: RouteOwner, distance: u8, hops: &[NextHop]) -> Route {
    let kind = match owner {
        RouteOwner::Connected => RouteKind::Connected,
        RouteOwner::Static => RouteKind::Static,
        RouteOwner::Rip => RouteKind::Rip,
        RouteOwner::Eigrp(_) => RouteKind::EigrpInternal,
        RouteOwner::Ospf(_) => RouteKind::OspfIntraArea,
        RouteOwner::Bgp(_) => RouteKind::BgpExternal,
    };
    let installed = Time::ZERO;
    Route { prefix: net(prefix), owner, kind, distance, metric: 0, tag: 0, next_hops: hops.into(), installed }
}

fn connected(prefix: &str, interface: u32) -> Route {
    route(prefix, RouteOwner::Connected, 0, &[NextHop::interface(IfIndex(interface))])
}

/// A RIB with its FIB, kept together as the router does.
#[derive(Clone, Default)]
struct Tables {
    rib: Rib,
    fib: Fib,
}

impl Tables {
    fn install(&mut self, route: Route) -> Option<RouteChange> {
        let change = self.rib.install(TABLE, route);
        if let Some(change) = &change {
            self.fib.apply(&self.rib, change);
        }
        change
    }

    fn withdraw(&mut self, owner: RouteOwner, prefix: &str) -> Option<RouteChange> {
        let change = self.rib.withdraw(TABLE, owner, net(prefix));
        if let Some(change) = &change {
            self.fib.apply(&self.rib, change);
        }
        change
    }

    fn forward(&self, destination: &str) -> ForwardingDecision {
        self.fib.lookup(TABLE, ip(destination), 0)
    }
}

fn to(interface: u32, next_hop: &str) -> ForwardingDecision {
    ForwardingDecision::Forward { interface: IfIndex(interface), next_hop: ip(next_hop) }
}

#[test]
fn lower_distance_wins_and_the_first_of_equals_stays() {
    let mut rib = Rib::default();
    let hop = [NextHop::recursive(ip("10.0.0.2"))];
    let rip = route("192.0.2.0/24", RouteOwner::Rip, distance::RIP, &hop);
    let ospf = route("192.0.2.0/24", RouteOwner::Ospf(1), distance::OSPF, &hop);
    let other = route("192.0.2.0/24", RouteOwner::Ospf(2), distance::OSPF, &hop);
    assert_eq!(rib.install(TABLE, rip.clone()).unwrap().new, Some(rip.clone()));
    let change = rib.install(TABLE, ospf.clone()).unwrap();
    assert_eq!((change.old, change.new), (Some(rip.clone()), Some(ospf.clone())));
    assert_eq!(rib.install(TABLE, other.clone()), None);
    assert_eq!(rib.offers(TABLE, ospf.prefix).len(), 3);
    assert_eq!(rib.withdraw(TABLE, RouteOwner::Ospf(1), ospf.prefix).unwrap().new, Some(other));
    assert_eq!(rib.withdraw(TABLE, RouteOwner::Rip, rip.prefix), None);
    assert_eq!(rib.withdraw(TABLE, RouteOwner::Ospf(2), rip.prefix).unwrap().new, None);
    assert!(rib.table(TABLE).unwrap().is_empty());
}

#[test]
fn an_update_keeps_its_place_among_equals_unless_the_distance_changes() {
    let mut rib = Rib::default();
    let hop = [NextHop::recursive(ip("10.0.0.2"))];
    let mut first = route("192.0.2.0/24", RouteOwner::Ospf(1), 110, &hop);
    rib.install(TABLE, first.clone());
    rib.install(TABLE, route("192.0.2.0/24", RouteOwner::Ospf(2), 110, &hop));
    first.metric = 7;
    assert_eq!(rib.install(TABLE, first.clone()).unwrap().new.unwrap().metric, 7);
    first.distance = 115;
    assert_eq!(rib.install(TABLE, first).unwrap().new.unwrap().owner, RouteOwner::Ospf(2));
}

#[test]
fn distance_255_is_kept_but_never_used() {
    let mut tables = Tables::default();
    tables.install(connected("10.0.0.0/24", 1));
    let hop = [NextHop::recursive(ip("10.0.0.2"))];
    tables.install(route("192.0.0.0/16", RouteOwner::Rip, 120, &hop));
    assert_eq!(tables.install(route("192.0.2.0/24", RouteOwner::Static, 255, &hop)), None);
    assert_eq!(tables.rib.offers(TABLE, net("192.0.2.0/24")).len(), 1);
    assert_eq!(tables.rib.lookup(TABLE, ip("192.0.2.1")).unwrap().prefix, net("192.0.0.0/16"));
    assert_eq!(tables.rib.routes(TABLE).count(), 2);
}

#[test]
fn the_same_offer_again_changes_neither_best_nor_age() {
    let mut rib = Rib::default();
    rib.install(TABLE, connected("10.0.0.0/24", 1));
    let again = Route { installed: Time::from_secs(9), ..connected("10.0.0.0/24", 1) };
    assert_eq!(rib.install(TABLE, again), None);
    assert_eq!(rib.best(TABLE, net("10.0.0.0/24")).unwrap().installed, Time::ZERO);
}

#[test]
fn host_bits_are_cleared_and_iteration_is_in_prefix_order() {
    let mut rib = Rib::default();
    for prefix in ["10.1.0.9/16", "10.0.0.0/8", "9.0.0.0/8", "10.1.0.0/24", "0.0.0.0/0"] {
        rib.install(TABLE, connected(prefix, 1));
    }
    let order: Vec<String> = rib.routes(TABLE).map(|r| r.prefix.to_string()).collect();
    assert_eq!(order, ["0.0.0.0/0", "9.0.0.0/8", "10.0.0.0/8", "10.1.0.0/16", "10.1.0.0/24"]);
    let within: Vec<_> = rib.routes_within(TABLE, net("10.1.0.0/16")).map(|r| r.prefix).collect();
    assert_eq!(within, [net("10.1.0.0/16"), net("10.1.0.0/24")]);
    assert_eq!(rib.withdraw_all(TABLE, RouteOwner::Connected).len(), 5);
}

#[test]
fn connected_local_and_broadcast_addresses() {
    let mut tables = Tables::default();
    tables.install(connected("10.0.0.0/24", 1));
    let local = Route { kind: RouteKind::Local, ..connected("10.0.0.1/32", 1) };
    tables.install(local);
    assert_eq!(tables.forward("10.0.0.1"), ForwardingDecision::Receive);
    assert_eq!(tables.forward("10.0.0.0"), ForwardingDecision::Receive);
    assert_eq!(tables.forward("10.0.0.255"), ForwardingDecision::Receive);
    assert_eq!(tables.forward("10.0.0.9"), to(1, "10.0.0.9"));
    assert_eq!(tables.forward("10.0.1.9"), ForwardingDecision::NoRoute);
    assert_eq!(tables.forward("255.255.255.255"), ForwardingDecision::Receive);
    assert_eq!(tables.forward("224.0.0.5"), ForwardingDecision::Discard);
    assert_eq!(tables.forward("127.0.0.1"), ForwardingDecision::Discard);
    tables.install(connected("10.0.9.0/31", 2));
    assert_eq!(tables.forward("10.0.9.1"), to(2, "10.0.9.1"));
}

#[test]
fn recursion_follows_the_route_to_the_next_hop_when_that_moves() {
    let mut tables = Tables::default();
    tables.install(connected("10.0.1.0/24", 1));
    tables.install(connected("10.0.2.0/24", 2));
    let bgp = RouteOwner::Bgp(Asn(65000));
    tables.install(route("203.0.113.0/24", bgp, 200, &[NextHop::recursive(ip("1.1.1.1"))]));
    assert_eq!(tables.forward("203.0.113.9"), ForwardingDecision::NoRoute);
    let igp = |interface, gateway: &str| {
        route("1.1.1.1/32", RouteOwner::Ospf(1), 110, &[NextHop::via(ip(gateway), IfIndex(interface))])
    };
    tables.install(igp(1, "10.0.1.2"));
    assert_eq!(tables.forward("203.0.113.9"), to(1, "10.0.1.2"));
    tables.install(igp(2, "10.0.2.2"));
    assert_eq!(tables.forward("203.0.113.9"), to(2, "10.0.2.2"));
    tables.withdraw(RouteOwner::Ospf(1), "1.1.1.1/32");
    assert_eq!(tables.forward("203.0.113.9"), ForwardingDecision::NoRoute);
    tables.install(route("1.1.1.1/32", RouteOwner::Static, 1, &[]));
    assert_eq!(tables.forward("203.0.113.9"), ForwardingDecision::Discard);
}

#[test]
fn routes_that_resolve_through_each_other_lead_nowhere() {
    let mut tables = Tables::default();
    tables.install(route("1.0.0.0/8", RouteOwner::Static, 1, &[NextHop::recursive(ip("2.0.0.1"))]));
    tables.install(route("2.0.0.0/8", RouteOwner::Static, 1, &[NextHop::recursive(ip("1.0.0.1"))]));
    assert_eq!(tables.forward("1.2.3.4"), ForwardingDecision::NoRoute);
    tables.install(connected("10.0.0.0/24", 1));
    tables.install(route("1.0.0.1/32", RouteOwner::Static, 1, &[NextHop::recursive(ip("10.0.0.2"))]));
    assert_eq!(tables.forward("1.2.3.4"), to(1, "10.0.0.2"));
}

#[test]
fn a_chain_longer_than_the_bound_is_given_up() {
    let mut tables = Tables::default();
    tables.install(connected("10.0.0.0/24", 1));
    for n in 0..40u8 {
        let hop = if n == 0 { ip("10.0.0.2") } else { Ipv4Addr::new(20, n - 1, 0, 1) };
        tables.install(route(&format!("20.{n}.0.0/16"), RouteOwner::Static, 1, &[NextHop::recursive(hop)]));
    }
    assert_eq!(tables.forward("20.10.0.9"), to(1, "10.0.0.2"));
    assert_eq!(tables.forward("20.39.0.9"), ForwardingDecision::NoRoute);
}

#[test]
fn an_own_address_is_no_next_hop() {
    let mut tables = Tables::default();
    tables.install(Route { kind: RouteKind::Local, ..connected("10.0.0.1/32", 1) });
    tables.install(route("1.0.0.0/8", RouteOwner::Static, 1, &[NextHop::recursive(ip("10.0.0.1"))]));
    assert_eq!(tables.forward("1.2.3.4"), ForwardingDecision::NoRoute);
}

#[test]
fn flows_spread_over_equal_paths_and_by_weight() {
    let mut tables = Tables::default();
    let mut heavy = NextHop::via(ip("10.0.1.2"), IfIndex(1));
    heavy.weight = 3;
    let hops = [heavy, NextHop::via(ip("10.0.2.2"), IfIndex(2))];
    tables.install(route("0.0.0.0/0", RouteOwner::Ospf(1), 110, &hops));
    let mut count = BTreeMap::new();
    for n in 0..4000u32 {
        let flow = flow_hash(ip("10.9.0.1"), Ipv4Addr::from(0x0800_0000 + n), 7);
        if let ForwardingDecision::Forward { interface, .. } = tables.fib.lookup(TABLE, ip("8.8.8.8"), flow) {
            *count.entry(interface).or_insert(0) += 1;
        }
    }
    assert!((2800..3200).contains(&count[&IfIndex(1)]), "{count:?}");
    assert_eq!(count.values().sum::<i32>(), 4000);
}

#[test]
fn a_downed_interface_loses_its_paths_at_once() {
    let mut tables = Tables::default();
    let hops = [NextHop::via(ip("10.0.1.2"), IfIndex(1)), NextHop::via(ip("10.0.2.2"), IfIndex(2))];
    tables.install(route("0.0.0.0/0", RouteOwner::Ospf(1), 110, &hops));
    tables.fib.set_interface_up(&tables.rib, IfIndex(1), false);
    for flow in [0, u32::MAX / 2, u32::MAX] {
        assert_eq!(tables.fib.lookup(TABLE, ip("8.8.8.8"), flow), to(2, "10.0.2.2"));
    }
    tables.fib.set_interface_up(&tables.rib, IfIndex(1), true);
    assert_eq!(tables.fib.lookup(TABLE, ip("8.8.8.8"), 0), to(1, "10.0.1.2"));
}

#[test]
fn uneven_recursive_paths_share_by_next_hop() {
    let mut tables = Tables::default();
    let two = [NextHop::via(ip("10.0.1.2"), IfIndex(1)), NextHop::via(ip("10.0.2.2"), IfIndex(2))];
    tables.install(route("1.1.1.1/32", RouteOwner::Ospf(1), 110, &two));
    tables.install(route(
        "2.2.2.2/32",
        RouteOwner::Ospf(1),
        110,
        &[NextHop::via(ip("10.0.3.2"), IfIndex(3))],
    ));
    let hops = [NextHop::recursive(ip("1.1.1.1")), NextHop::recursive(ip("2.2.2.2"))];
    tables.install(route("9.0.0.0/8", RouteOwner::Bgp(Asn(1)), 200, &hops));
    let Some(FibEntry::Paths(paths)) = tables.fib.entry(TABLE, net("9.0.0.0/8")) else { panic!() };
    assert_eq!(paths.iter().map(|p| p.weight).collect::<Vec<_>>(), [1, 1, 2]);
}

#[test]
fn tables_are_shared_by_clones_and_travel_between_threads() {
    fn is_send<T: Send + Sync>(_: &T) {}
    let mut rib = Rib::default();
    rib.install(TABLE, connected("10.0.0.0/24", 1));
    let copy = rib.clone();
    is_send(&copy);
    rib.withdraw(TABLE, RouteOwner::Connected, net("10.0.0.0/24"));
    assert!(copy.best(TABLE, net("10.0.0.0/24")).is_some());
}

/// One step of a random history.
#[derive(Clone, Debug)]
enum Step {
    Install(Ipv4Net, u8, Vec<NextHop>),
    Withdraw(Ipv4Net, u8),
    Interface(u32, bool),
}

fn owner(n: u8) -> RouteOwner {
    [RouteOwner::Static, RouteOwner::Ospf(1), RouteOwner::Rip, RouteOwner::Connected][usize::from(n % 4)]
}

/// Few addresses and lengths, so that prefixes nest and next hops meet them.
fn any_address() -> impl Strategy<Value = Ipv4Addr> {
    (1u8..4, 0u8..3, 0u8..2).prop_map(|(a, b, c)| Ipv4Addr::new(a, b, c * 128, 1))
}

fn any_prefix() -> impl Strategy<Value = Ipv4Net> {
    (any_address(), prop::sample::select(vec![0u8, 7, 8, 15, 16, 17, 24, 32]))
        .prop_map(|(address, length)| Ipv4Net::new(address, length).unwrap().trunc())
}

fn any_hop() -> impl Strategy<Value = NextHop> {
    prop_oneof![
        any_address().prop_map(NextHop::recursive),
        (0u32..3).prop_map(|i| NextHop::interface(IfIndex(i))),
        (any_address(), 0u32..3).prop_map(|(a, i)| NextHop::via(a, IfIndex(i))),
    ]
}

fn any_step() -> impl Strategy<Value = Step> {
    prop_oneof![
        5 => (any_prefix(), 0u8..4, prop::collection::vec(any_hop(), 0..3))
            .prop_map(|(p, o, h)| Step::Install(p, o, h)),
        2 => (any_prefix(), 0u8..4).prop_map(|(p, o)| Step::Withdraw(p, o)),
        1 => (0u32..3, any::<bool>()).prop_map(|(i, up)| Step::Interface(i, up)),
    ]
}

proptest! {
    /// The trie's longest match is that of a linear scan, and a FIB kept up to date equals one built anew.
    #[test]
    fn trie_equals_linear_scan_and_incremental_fib_equals_rebuilt(
        steps in prop::collection::vec(any_step(), 1..60),
        probes in prop::collection::vec(any_address(), 8),
    ) {
        let mut tables = Tables::default();
        let mut model: BTreeMap<(Ipv4Net, u8), Route> = BTreeMap::new();
        let mut down = std::collections::BTreeSet::new();
        for step in steps {
            match step {
                Step::Install(prefix, who, hops) => {
                    let route = route(&prefix.to_string(), owner(who), who, &hops);
                    model.insert((prefix, who), route.clone());
                    tables.install(route);
                }
                Step::Withdraw(prefix, who) => {
                    model.remove(&(prefix, who));
                    tables.withdraw(owner(who), &prefix.to_string());
                }
                Step::Interface(interface, up) => {
                    tables.fib.set_interface_up(&tables.rib, IfIndex(interface), up);
                    if up { down.remove(&interface); } else { down.insert(interface); }
                }
            }
        }
        let mut rebuilt = Tables::default();
        for route in model.values() {
            rebuilt.install(route.clone());
        }
        for interface in down {
            rebuilt.fib.set_interface_up(&rebuilt.rib, IfIndex(interface), false);
        }
        for address in probes {
            let scan = model
                .iter()
                .filter(|((prefix, _), _)| prefix.contains(&address))
                .max_by_key(|((prefix, who), _)| (prefix.prefix_len(), std::cmp::Reverse(*who)))
                .map(|(_, route)| route);
            prop_assert_eq!(tables.rib.lookup(TABLE, address), scan);
            for flow in [0, 1 << 31, u32::MAX] {
                let kept = tables.fib.lookup(TABLE, address, flow);
                prop_assert_eq!(kept, rebuilt.fib.lookup(TABLE, address, flow));
            }
        }
        let kept: Vec<_> = tables.fib.entries(TABLE).map(|(p, e)| format!("{p} {e:?}")).collect();
        let anew: Vec<_> = rebuilt.fib.entries(TABLE).map(|(p, e)| format!("{p} {e:?}")).collect();
        prop_assert_eq!(kept, anew);
    }
}
