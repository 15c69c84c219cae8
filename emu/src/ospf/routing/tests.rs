//! The database half of a process whose neighbors are written by hand.

use std::time::Duration;

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::*;
use crate::config::Wildcard;
use crate::ids::IfIndex;
use crate::ospf::Area;
use crate::ospf::config::{
    AreaConfig, AreaKind, AreaRange, DistanceBySource, ExternalMetricType, MaxMetric, NetworkStatement,
    NetworkType, NssaOptions, OnStartup, OspfConfig, Redistribution, SummaryAddress,
};
use crate::ospf::handcrafted::{ABR, ASBR, Db, PLAIN, ip, p2p, rid, stub};
use crate::ospf::interface::{
    InterfaceState, OspfInterface, OspfInterfaceKey, OspfInterfaceName, OspfNetwork,
};
use crate::ospf::lsa::{LsAge, LsaBody, LsaKey, RouterLink, RouterLsa};
use crate::ospf::neighbor::{Neighbor, NeighborKey, NeighborState};
use crate::ospf::packet::{Envelope, PacketBody};
use crate::policy::{DistributeList, Permission, PrefixList, PrefixListEntry, RedistributionSource};
use crate::process::{Action, Input, Process};
use crate::rib::{NextHop, Route, RouteKind, RouteOwner};
use crate::testing::{self, Bench};

/// Router 1 with process 1.
struct Lab {
    bench: Bench,
    process: OspfProcess,
}

fn neighbor(n: u8, address: &str) -> Neighbor {
    Neighbor { state: NeighborState::Full, priority: 1, ..Neighbor::new(rid(n), ip(address), Time::ZERO) }
}

impl Lab {
    fn new(mut config: OspfConfig) -> Self {
        config.router_id = Some(rid(1));
        let mut bench = Bench::default();
        bench.config.ospf.insert(1, config);
        let mut process = OspfProcess::new(1, Time::ZERO);
        process.router_id = Some(rid(1));
        Self { bench, process }
    }

    /// A point-to-point interface 10.0.1N.1/24 of cost 10 with neighbor N at 10.0.1N.N.
    fn link(mut self, area: u32, n: u8) -> Self {
        let (own, peer) = (format!("10.0.1{n}.1/24"), format!("10.0.1{n}.{n}"));
        let (area, key) = (AreaId(area), OspfInterfaceKey::Physical(IfIndex(u32::from(n))));
        let hardware = testing::interface(u32::from(n), &own);
        let name = OspfInterfaceName::Physical(hardware.name);
        let network = OspfNetwork::Network(NetworkType::PointToPoint);
        let interface = OspfInterface {
            state: InterfaceState::PointToPoint,
            address: Some(own.parse().unwrap()),
            source: own.parse::<Ipv4Net>().unwrap().addr(),
            cost: 10,
            neighbors: [(NeighborKey(rid(n).0), neighbor(n, &peer))].into(),
            ..OspfInterface::new(name, network, area)
        };
        let wildcard = Wildcard::new(interface.source, Ipv4Addr::UNSPECIFIED);
        let config = self.bench.config.ospf.entry(1).or_default();
        config.networks.push(NetworkStatement { wildcard, area });
        let settings = self.bench.config.interfaces.entry(hardware.name).or_default();
        settings.ospf.network_type = Some(NetworkType::PointToPoint);
        settings.ospf.cost = Some(10);
        self.process.interfaces.insert(key, interface);
        let kind = self.bench.config.ospf[&1].areas.get(&area).map_or(AreaKind::Normal, |area| area.kind);
        self.process.areas.insert(area, Area::new(area, kind));
        self.bench.interfaces.insert(hardware);
        self
    }

    /// Installs a whole handmade database as received, and tells what has come.
    fn receive(&mut self, scope: Scope, db: Db) {
        let now = self.bench.now;
        let lsas: Vec<Lsa> = db.0.iter().map(|entry| entry.lsa.clone()).collect();
        for lsa in lsas {
            self.process.lsdb.install(scope, lsa.clone(), LsAge::ZERO, now);
            self.step(|process, env| process.lsa_changed(env, scope, &lsa));
        }
    }

    /// Something inside the process.
    fn step(&mut self, step: impl FnOnce(&mut OspfProcess, &mut Env<'_, '_>)) {
        let mut actions = Vec::new();
        let mut context = crate::process::Context {
            now: self.bench.now,
            rng: &mut self.bench.rng,
            config: &self.bench.config,
            interfaces: &self.bench.interfaces,
            rib: &self.bench.rib,
            tracking: &self.bench.tracking,
            debugging: &self.bench.debugging,
            ospf_router_ids: &self.bench.ospf_router_ids,
            ospf_interfaces: &self.bench.ospf_interfaces,
        };
        step(&mut self.process, &mut Env { context: &mut context, actions: &mut actions });
    }

    fn area(&mut self, area: u32, db: Db) {
        self.receive(Scope::Area(AreaId(area)), db);
    }

    fn configure(&mut self) -> Vec<Action> {
        self.bench.feed(&mut self.process, Input::Configured)
    }

    /// Runs for some time.
    fn run(&mut self, ms: u64) -> Vec<Action> {
        let end = self.bench.now + Duration::from_millis(ms);
        let mut all = Vec::new();
        while let Some(at) = self.process.next_deadline().filter(|&at| at <= end) {
            self.bench.now = at.max(self.bench.now);
            all.extend(self.bench.feed(&mut self.process, Input::Deadline));
            self.acknowledge();
        }
        self.bench.now = end;
        all
    }

    /// The neighbors, whom nobody plays, acknowledge all: deaf ones would be given up.
    fn acknowledge(&mut self) {
        let neighbors = self.process.interfaces.values_mut().flat_map(|i| i.neighbors.values_mut());
        neighbors.for_each(|neighbor| neighbor.retransmissions.clear());
    }

    fn route(&self, prefix: &str) -> Option<Route> {
        let owner = RouteOwner::Ospf(1);
        self.bench.rib.offer_of(self.bench.table(), owner, testing::net(prefix)).cloned()
    }

    /// Own LSAs of a scope that are alive: type, id, metric where there is one.
    fn own(&self, scope: Scope) -> Vec<String> {
        let entries = self.process.lsdb.scope(scope).into_iter().flat_map(|database| database.iter());
        entries
            .filter(|e| e.lsa.advertising_router() == rid(1) && !e.age(self.bench.now).is_max())
            .map(|e| {
                let metric = match e.lsa.body() {
                    LsaBody::SummaryNetwork(body) | LsaBody::SummaryAsbr(body) => body.metric,
                    LsaBody::AsExternal(body) | LsaBody::Nssa(body) => body.metric,
                    _ => 0,
                };
                format!("{} {} {metric}", e.lsa.ls_type().to_wire(), e.lsa.link_state_id())
            })
            .collect()
    }

    fn own_router_lsa(&self, area: u32) -> RouterLsa {
        let entry = self.process.lsdb.area(AreaId(area)).and_then(|db| db.router_lsa(rid(1))).unwrap();
        entry.lsa.as_router().unwrap().clone()
    }

    fn offer(&mut self, route: Route) {
        let change = self.bench.rib.install(self.bench.table(), route);
        if let Some(change) = change {
            self.bench.feed(&mut self.process, Input::RouteChanged(&change));
        }
    }
}

/// What neighbor N of a point-to-point link says, with a network behind it.
fn peer(n: u8, flags: crate::ospf::lsa::RouterFlags, more: &[RouterLink]) -> Db {
    let (address, subnet) = (format!("10.0.1{n}.{n}"), format!("10.0.1{n}.0/24"));
    let mut links = vec![p2p(1, &address, 10), stub(&subnet, 10)];
    links.extend_from_slice(more);
    Db::default().router(n, flags, &links)
}

fn single_area(config: OspfConfig) -> Lab {
    let mut lab = Lab::new(config).link(0, 2);
    lab.configure();
    lab.area(0, peer(2, ASBR, &[stub("10.2.0.0/24", 5)]));
    lab
}

const AREA0: Scope = Scope::Area(AreaId(0));
const AREA1: Scope = Scope::Area(AreaId(1));

fn fixed(prefix: &str) -> Route {
    Route {
        prefix: testing::net(prefix),
        owner: RouteOwner::Static,
        kind: RouteKind::Static,
        distance: 1,
        metric: 0,
        tag: 0,
        next_hops: [NextHop::recursive(ip("10.0.12.9"))].into(),
        installed: Time::ZERO,
    }
}

fn redistribute_static() -> OspfConfig {
    let rule = Redistribution { subnets: true, ..Redistribution::default() };
    OspfConfig { redistribute: [(RedistributionSource::Static, rule)].into(), ..OspfConfig::default() }
}

#[test]
fn rfc16_from_a_neighbors_lsa_to_a_route_in_the_rib() {
    let mut lab = single_area(OspfConfig::default());
    assert!(lab.route("10.2.0.0/24").is_none(), "nothing before the LSA and SPF delays");
    lab.run(1000);
    let route = lab.route("10.2.0.0/24").unwrap();
    assert_eq!((route.kind, route.distance, route.metric), (RouteKind::OspfIntraArea, 110, 15));
    let hop = NextHop { learned_from: Some(rid(2).0), ..NextHop::via(ip("10.0.12.2"), IfIndex(2)) };
    assert_eq!(*route.next_hops, [hop]);
    assert!(lab.route("10.0.12.0/24").is_none(), "attached networks are the connected route's");
}

#[test]
fn rfc12_4_1_the_own_router_lsa_is_made_after_the_throttles_start_interval() {
    let mut lab = Lab::new(OspfConfig::default()).link(0, 2);
    lab.configure();
    lab.run(49);
    assert!(lab.own(AREA0).is_empty());
    lab.run(1);
    assert_eq!(lab.own(AREA0), ["1 1.1.1.1 0"]);
    assert_eq!(lab.own_router_lsa(0).links.len(), 2);
}

#[test]
fn a_lost_adjacency_takes_the_routes_with_it_and_nothing_else_is_touched() {
    let mut lab = single_area(OspfConfig::default());
    lab.run(60_000);
    let sends = |action: &Action| matches!(action, Action::Send(_));
    assert!(lab.run(60_000).iter().all(sends), "nothing happens without changes");
    let key = OspfInterfaceKey::Physical(IfIndex(2));
    lab.process.interfaces.get_mut(&key).unwrap().neighbors.clear();
    lab.step(|process, env| process.adjacency_changed(env, key));
    let actions = lab.run(1000);
    assert_eq!(actions, [Action::Withdraw(testing::net("10.2.0.0/24"))]);
}

/// Areas 0 (neighbor 2) and 1 (neighbor 3).
fn border(config: OspfConfig) -> Lab {
    let mut lab = Lab::new(config).link(0, 2).link(1, 3);
    lab.configure();
    lab.area(0, peer(2, ABR, &[stub("10.2.0.0/24", 5)]).summary(2, "10.7.0.0/24", 5));
    lab.area(1, peer(3, ASBR, &[stub("10.3.0.0/24", 5), stub("10.3.1.0/24", 6)]));
    lab.run(2000);
    lab
}

fn with_area(area: u32, settings: AreaConfig) -> OspfConfig {
    OspfConfig { areas: [(AreaId(area), settings)].into(), ..OspfConfig::default() }
}

#[test]
fn rfc12_4_3_a_border_router_tells_its_areas_of_each_other() {
    let lab = border(OspfConfig::default());
    assert!(lab.own_router_lsa(0).flags.area_border && lab.own_router_lsa(1).flags.area_border);
    assert_eq!(
        lab.own(AREA1),
        ["1 1.1.1.1 0", "3 10.0.12.0 10", "3 10.2.0.0 15", "3 10.7.0.0 15"],
        "intra-area networks of the backbone, and what the backbone knows of others"
    );
    assert_eq!(
        lab.own(AREA0),
        ["1 1.1.1.1 0", "3 10.0.13.0 10", "3 10.3.0.0 15", "3 10.3.1.0 16", "4 3.3.3.3 10"]
    );
}

#[test]
fn rfc12_4_3_a_range_is_told_once_and_its_holes_lead_to_null() {
    let ranges = [(testing::net("10.3.0.0/16"), AreaRange::default())].into();
    let lab = border(with_area(1, AreaConfig { ranges, ..AreaConfig::default() }));
    let told = lab.own(AREA0);
    assert!(told.contains(&"3 10.3.0.0 15".to_owned()) && !told.contains(&"3 10.3.1.0 16".to_owned()));
    let discard = lab.route("10.3.0.0/16").unwrap();
    assert_eq!((discard.kind, discard.distance), (RouteKind::OspfDiscard, 110));
    assert!(discard.next_hops.is_empty());
}

#[test]
fn area_filter_lists_are_applied() {
    let mut config = with_area(1, AreaConfig { filter_out: Some("F".to_owned()), ..AreaConfig::default() });
    config.areas.insert(AreaId(0), AreaConfig::default());
    let mut lab = Lab::new(config).link(0, 2).link(1, 3);
    let entry = PrefixListEntry::new(Permission::Permit, testing::net("10.3.1.0/24"), None, None).unwrap();
    let list = PrefixList { description: None, entries: [(5, entry)].into() };
    lab.bench.config.policy.prefix_lists.insert("F".to_owned(), list);
    lab.configure();
    lab.area(1, peer(3, PLAIN, &[stub("10.3.0.0/24", 5), stub("10.3.1.0/24", 6)]));
    lab.run(2000);
    assert_eq!(lab.own(AREA0), ["1 1.1.1.1 0", "3 10.3.1.0 16"]);
}

#[test]
fn rfc16_5_a_changed_summary_runs_no_tree() {
    let mut lab = border(OspfConfig::default());
    let runs = lab.process.routing.schedule.area_runs(AreaId(0)).count;
    lab.area(0, Db::default().summary(2, "10.7.0.0/24", 50));
    lab.run(6000);
    assert_eq!(lab.route("10.7.0.0/24").unwrap().metric, 60);
    let last = lab.process.routing.schedule.log().next_back().unwrap();
    assert_eq!(last.kind, CalculationKind::InterArea);
    assert_eq!(lab.process.routing.schedule.area_runs(AreaId(0)).count, runs);
}

#[test]
fn rfc12_4_4_redistribution_follows_the_routing_table() {
    let mut lab = single_area(redistribute_static());
    lab.run(2000);
    assert!(lab.own_router_lsa(0).flags.as_boundary);
    lab.offer(fixed("172.16.0.0/16"));
    lab.run(2000);
    assert_eq!(lab.own(Scope::As), ["5 172.16.0.0 20"]);
    let change =
        lab.bench.rib.withdraw(lab.bench.table(), RouteOwner::Static, testing::net("172.16.0.0/16")).unwrap();
    lab.bench.feed(&mut lab.process, Input::RouteChanged(&change));
    lab.run(2000);
    assert!(lab.own(Scope::As).is_empty());
}

#[test]
fn summary_address_is_told_and_its_holes_lead_to_null() {
    let summary = (testing::net("172.16.0.0/12"), SummaryAddress::default());
    let config = OspfConfig { summary_addresses: [summary].into(), ..redistribute_static() };
    let mut lab = single_area(config);
    lab.offer(fixed("172.16.0.0/16"));
    lab.offer(fixed("172.17.0.0/16"));
    lab.run(2000);
    assert_eq!(lab.own(Scope::As), ["5 172.16.0.0 20"]);
    lab.area(0, peer(2, ASBR, &[stub("10.2.0.0/24", 6)]));
    lab.run(2000);
    let discard = lab.route("172.16.0.0/12").unwrap();
    assert_eq!((discard.kind, discard.distance), (RouteKind::OspfDiscard, 254));
}

fn nssa(options: NssaOptions) -> AreaConfig {
    AreaConfig { kind: AreaKind::Nssa(options), ..AreaConfig::default() }
}

#[test]
fn rfc3101_3_2_a_border_router_translates_type_7() {
    let mut lab = Lab::new(with_area(1, nssa(NssaOptions::default()))).link(0, 2).link(1, 3);
    lab.configure();
    lab.area(0, peer(2, ABR, &[]));
    let kind = ExternalMetricType::Type2;
    let db = peer(3, ASBR, &[stub("10.3.0.0/24", 5)]);
    lab.area(1, db.nssa(3, "192.0.2.0/24", kind, 20, "10.3.0.1", true));
    lab.run(3000);
    assert_eq!(lab.route("192.0.2.0/24").unwrap().kind, RouteKind::OspfNssa2);
    assert_eq!(lab.own(Scope::As), ["5 192.0.2.0 20"]);
    assert!(lab.own_router_lsa(0).flags.as_boundary, "a border router of an NSSA is a boundary router");
}

#[test]
fn rfc3101_2_4_own_routes_go_into_an_nssa_as_type_7() {
    let areas = [(AreaId(1), nssa(NssaOptions::default()))].into();
    let mut lab = Lab::new(OspfConfig { areas, ..redistribute_static() }).link(1, 3);
    lab.configure();
    lab.offer(fixed("172.16.0.0/16"));
    lab.run(2000);
    assert_eq!(lab.own(AREA1), ["1 1.1.1.1 0", "7 172.16.0.0 20"]);
    assert!(lab.own(Scope::As).is_empty(), "no area of the router takes type 5");
    let key = LsaKey::new(LsType::Nssa, ip("172.16.0.0"), rid(1));
    let entry = lab.process.lsdb.get(AREA1, &key).unwrap();
    assert_eq!(entry.lsa.as_external().unwrap().forwarding_address, ip("10.0.13.1"));
}

#[test]
fn nssa_default_information_originate_on_a_border_router() {
    let options = NssaOptions { default_information: Some(Default::default()), ..NssaOptions::default() };
    let lab = border(with_area(1, nssa(options)));
    assert!(lab.own(AREA1).contains(&"7 0.0.0.0 1".to_owned()));
    let lab = border(with_area(1, nssa(NssaOptions { no_summary: true, ..NssaOptions::default() })));
    assert_eq!(lab.own(AREA1), ["1 1.1.1.1 0", "3 0.0.0.0 1"]);
}

#[test]
fn distribute_list_in_keeps_routes_out_of_the_rib_but_not_out_of_the_process() {
    let list = DistributeList::Prefix { list: Some("NONE".to_owned()), gateway: None };
    let mut lab = Lab::new(OspfConfig { distribute_in: Some(list), ..OspfConfig::default() }).link(0, 2);
    let entry = PrefixListEntry::new(Permission::Deny, testing::net("0.0.0.0/0"), None, Some(32)).unwrap();
    let list = PrefixList { description: None, entries: [(5, entry)].into() };
    lab.bench.config.policy.prefix_lists.insert("NONE".to_owned(), list);
    lab.configure();
    lab.area(0, peer(2, PLAIN, &[stub("10.2.0.0/24", 5)]));
    lab.run(1000);
    assert!(lab.route("10.2.0.0/24").is_none());
    assert!(lab.process.routing.table.networks.contains_key(&testing::net("10.2.0.0/24")));
}

#[test]
fn distances_by_source_then_type_then_process() {
    let distance = |change: &dyn Fn(&mut OspfConfig)| {
        let mut config = OspfConfig::default();
        change(&mut config);
        let mut lab = single_area(config);
        lab.run(1000);
        lab.route("10.2.0.0/24").unwrap().distance
    };
    assert_eq!(distance(&|config| config.distance = Some(120)), 120);
    assert_eq!(
        distance(&|config| {
            config.distance = Some(120);
            config.distance_by_type.intra_area = Some(90);
            config.distance_by_type.external = Some(200);
        }),
        90
    );
    let by_source = |address: &str| DistanceBySource {
        distance: 77,
        source: Wildcard::new(ip(address), ip("0.0.0.0")),
        access_list: None,
    };
    assert_eq!(distance(&|config| config.distance_by_source.push(by_source("2.2.2.2"))), 77);
    assert_eq!(distance(&|config| config.distance_by_source.push(by_source("3.3.3.3"))), 110);
}

#[test]
fn maximum_paths_limits_equal_paths() {
    let paths = |maximum_paths| {
        let mut lab = Lab::new(OspfConfig { maximum_paths, ..OspfConfig::default() });
        for n in 2..8 {
            lab = lab.link(0, n);
        }
        lab.configure();
        for n in 2..8 {
            lab.area(0, peer(n, PLAIN, &[stub("10.9.0.0/24", 5)]));
        }
        lab.run(1000);
        lab.route("10.9.0.0/24").unwrap().next_hops.len()
    };
    assert_eq!(paths(None), 4);
    assert_eq!(paths(Some(1)), 1);
    assert_eq!(paths(Some(6)), 6);
}

#[test]
fn rfc6987_max_metric_on_startup_ends() {
    let max_metric = MaxMetric { on_startup: Some(OnStartup::Seconds(60)), ..MaxMetric::default() };
    let mut lab = single_area(OspfConfig { max_metric: Some(max_metric), ..OspfConfig::default() });
    lab.run(1000);
    assert_eq!(lab.own_router_lsa(0).links[0].metric, 0xffff);
    lab.run(60_000);
    assert_eq!(lab.own_router_lsa(0).links[0].metric, 10);
}

#[test]
fn rfc13_4_own_lsas_of_a_former_life_are_outdone_or_flushed() {
    let mut lab = single_area(OspfConfig::default());
    lab.run(1000);
    let old = Lsa::new(
        rid(1).0,
        rid(1),
        crate::ospf::lsa::Options::E,
        crate::ospf::lsa::SequenceNumber(500),
        LsaBody::Router(RouterLsa::default()),
    );
    lab.process.lsdb.scope_mut(AREA0).install(old.clone(), LsAge::ZERO, lab.bench.now);
    let mut old_db = Db::default().summary(1, "10.99.0.0/24", 1);
    old_db.0.install(old, LsAge::ZERO, lab.bench.now);
    lab.area(0, old_db);
    lab.run(1000);
    let entry = lab.process.lsdb.area(AreaId(0)).unwrap().router_lsa(rid(1)).unwrap();
    assert_eq!(entry.lsa.sequence().0, 501);
    assert_eq!(lab.own(AREA0), ["1 1.1.1.1 0"]);
}

#[test]
fn rfc14_an_lsa_that_reaches_max_age_counts_no_more() {
    let mut lab = single_area(OspfConfig::default());
    lab.run(3_599_000);
    assert!(lab.route("10.2.0.0/24").is_some());
    lab.run(3000);
    assert!(lab.route("10.2.0.0/24").is_none());
    assert_eq!(lab.own(AREA0), ["1 1.1.1.1 0"], "its own was refreshed");
}

#[test]
fn a_restart_flushes_own_lsas_and_tells_them_anew() {
    let mut lab = single_area(OspfConfig::default());
    lab.run(1000);
    let actions = lab.bench.feed(&mut lab.process, Input::Restart);
    let flushed = |action: &Action| {
        let Action::Send(datagram) = action else { return false };
        let body = Envelope::parse(&datagram.payload).and_then(|envelope| envelope.body());
        let Ok(PacketBody::LinkStateUpdate(lsas)) = body else { return false };
        lsas.iter().any(|(age, lsa)| age.is_max() && lsa.advertising_router() == rid(1))
    };
    assert!(actions.iter().any(flushed), "the neighbor is told");
    assert!(actions.contains(&Action::Withdraw(testing::net("10.2.0.0/24"))));
    assert!(lab.process.lsdb.area(AreaId(0)).is_none_or(crate::ospf::lsdb::Database::is_empty));
    lab.run(1000);
    assert_eq!(lab.own(AREA0), ["1 1.1.1.1 0"]);
}
