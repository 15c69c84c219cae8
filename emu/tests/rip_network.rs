//! Networks of RIP routers: rules of RFC 2453 and RFC 1058, IOS's own, and captures in Wireshark's eyes.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::time::Duration;

use netconfarena_emu::config::{
    InterfaceConfig, Key, KeyChain, Lifetime, RouterConfig, StaticRoute, StaticTarget, Wildcard,
};
use netconfarena_emu::forwarding::{PingRequest, ProbeResult};
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::policy::{AccessList, DistributeList, Permission, RedistributionSource, StandardEntry};
use netconfarena_emu::rib::{Route, RouteOwner, TableId};
use netconfarena_emu::rip::config::{
    AuthenticationMode, BasicTimers, DefaultInformation, Direction, DistanceBySource, FilterScope,
    OffsetList, OffsetScope, Redistribution, SeedMetric, Version, Versions,
};
use netconfarena_emu::rip::{RipConfig, RipProcess};
use netconfarena_emu::router::RoutingProcess;
use netconfarena_emu::time::{SWITCHED_ON, Time};

mod lab;

use lab::{Verdict, addr, has_tshark, port};

/// RIP version 2 without automatic summaries on classful networks.
fn v2(networks: &[&str]) -> RipConfig {
    RipConfig {
        version: Some(Version::V2),
        no_auto_summary: true,
        networks: networks.iter().map(|net| net.parse().unwrap()).collect(),
        ..RipConfig::default()
    }
}

fn router(addresses: &[(&str, &str)], rip: RipConfig) -> RouterConfig {
    let mut config = RouterConfig { rip: Some(rip), ..RouterConfig::default() };
    for (name, address) in addresses {
        let interface =
            InterfaceConfig { address: Some(address.parse().unwrap()), ..InterfaceConfig::default() };
        config.interfaces.insert(port(name), interface);
    }
    config
}

struct Lab {
    network: Network,
    nodes: Vec<NodeIndex>,
    links: Vec<LinkIndex>,
}

impl Lab {
    /// Routers R1, R2, ... and links between `router gi0/port` ends.
    fn new(seed: u64, routers: &[RouterConfig], links: &[&[(usize, u8)]]) -> Self {
        let mut network = Network::new(seed);
        let ports: Vec<InterfaceName> = (0..4).map(|n| port(&format!("gi0/{n}"))).collect();
        let nodes: Vec<NodeIndex> =
            (1..=routers.len()).map(|n| network.add_router(&format!("R{n}"), &ports)).collect();
        let links = links
            .iter()
            .map(|ends| {
                let plugs: Vec<_> =
                    ends.iter().map(|&(r, p)| (nodes[r - 1], port(&format!("gi0/{p}")))).collect();
                network.add_link(LinkProperties::ethernet(), &plugs).unwrap()
            })
            .collect();
        for (node, config) in nodes.iter().zip(routers) {
            network.configure(*node, config.clone());
        }
        Self { network, nodes, links }
    }

    fn run(&mut self, seconds: u64) {
        self.network.run_for(Duration::from_secs(seconds));
    }

    fn change(&mut self, router: usize, change: impl FnOnce(&mut RouterConfig)) {
        let node = self.nodes[router - 1];
        let mut config = RouterConfig::clone(self.network.router(node).config());
        change(&mut config);
        self.network.configure(node, config);
    }

    fn change_rip(&mut self, router: usize, change: impl FnOnce(&mut RipConfig)) {
        self.change(router, |config| change(config.rip.as_mut().unwrap()));
    }

    fn change_interface(&mut self, router: usize, name: &str, change: impl FnOnce(&mut InterfaceConfig)) {
        self.change(router, |config| change(config.interfaces.get_mut(&port(name)).unwrap()));
    }

    fn route(&self, router: usize, prefix: &str) -> Option<&Route> {
        let rib = self.network.router(self.nodes[router - 1]).rib();
        rib.best(TableId::default(), prefix.parse().unwrap())
    }

    /// Metric and number of next hops of a RIP route.
    fn rip_route(&self, router: usize, prefix: &str) -> Option<(u32, usize)> {
        let route = self.route(router, prefix).filter(|route| route.owner == RouteOwner::Rip)?;
        Some((route.metric, route.next_hops.len()))
    }

    /// All RIP routes of a router.
    fn rip_routes(&self, router: usize) -> Vec<String> {
        let rib = self.network.router(self.nodes[router - 1]).rib();
        let routes = rib.routes(TableId::default()).filter(|route| route.owner == RouteOwner::Rip);
        routes.map(|route| route.prefix.to_string()).collect()
    }

    fn process(&self, router: usize) -> &RipProcess {
        let node = self.network.router(self.nodes[router - 1]);
        node.process(RouteOwner::Rip).and_then(RoutingProcess::as_rip).unwrap()
    }

    fn reaches(&mut self, router: usize, to: &str) -> bool {
        let report = self.network.ping(self.nodes[router - 1], &PingRequest::new(addr(to)));
        report.results.iter().filter(|r| matches!(r, ProbeResult::Reply { .. })).count() >= 4
    }

    fn now(&self) -> Time {
        self.network.now()
    }
}

/// R1 - R2 - R3 in a row, with loopbacks 1.1.1.1, 2.2.2.2, 3.3.3.3.
fn row() -> Lab {
    let nets = ["10.0.0.0/8", "1.0.0.0/8", "2.0.0.0/8", "3.0.0.0/8"];
    let routers = [
        router(&[("gi0/0", "10.0.12.1/24"), ("lo0", "1.1.1.1/32")], v2(&nets)),
        router(&[("gi0/0", "10.0.12.2/24"), ("gi0/1", "10.0.23.2/24"), ("lo0", "2.2.2.2/32")], v2(&nets)),
        router(&[("gi0/0", "10.0.23.3/24"), ("lo0", "3.3.3.3/32")], v2(&nets)),
    ];
    Lab::new(1, &routers, &[&[(1, 0), (2, 0)], &[(2, 1), (3, 0)]])
}

/// R1, R2, R3 in a ring of 10.0.12.0/24, 10.0.23.0/24 and 10.0.13.0/24.
fn ring() -> Lab {
    let nets = ["10.0.0.0/8", "3.0.0.0/8"];
    let routers = [
        router(&[("gi0/0", "10.0.12.1/24"), ("gi0/1", "10.0.13.1/24")], v2(&nets)),
        router(&[("gi0/0", "10.0.12.2/24"), ("gi0/1", "10.0.23.2/24")], v2(&nets)),
        router(&[("gi0/0", "10.0.23.3/24"), ("gi0/1", "10.0.13.3/24"), ("lo0", "3.3.3.3/32")], v2(&nets)),
    ];
    Lab::new(1, &routers, &[&[(1, 0), (2, 0)], &[(2, 1), (3, 0)], &[(1, 1), (3, 1)]])
}

#[test]
fn triggered_updates_spread_routes_within_seconds() {
    let mut lab = row();
    lab.run(15);
    assert_eq!(lab.rip_route(1, "3.3.3.3/32"), Some((2, 1)));
    assert_eq!(lab.rip_route(1, "2.2.2.2/32"), Some((1, 1)));
    assert_eq!(lab.rip_route(3, "1.1.1.1/32"), Some((2, 1)));
    assert_eq!(lab.route(1, "3.3.3.3/32").unwrap().distance, 120);
    assert!(lab.reaches(1, "3.3.3.3"));
}

#[test]
fn rfc2453_3_9_1_a_router_that_starts_asks_for_everything() {
    let mut lab = row();
    lab.run(100);
    lab.change(1, |config| config.rip = None);
    lab.run(1);
    lab.change(1, |config| config.rip = Some(v2(&["10.0.0.0/8"])));
    lab.run(1);
    assert_eq!(lab.rip_route(1, "3.3.3.3/32"), Some((2, 1)), "not after the next update only");
}

#[test]
fn updates_come_every_30_s_up_to_15_percent_early() {
    let mut lab = row();
    lab.run(100);
    let mut updates = Vec::new();
    for _ in 0..2000 {
        let next = lab.process(1).next_update().unwrap();
        if updates.last() != Some(&next) {
            updates.push(next);
        }
        lab.network.run_for(Duration::from_millis(200));
    }
    let gaps: Vec<u128> = updates.windows(2).map(|pair| pair[1].since(pair[0]).as_millis()).collect();
    assert!(gaps.len() > 10 && gaps.iter().all(|gap| (25_500..=30_000).contains(gap)), "{gaps:?}");
    assert!(gaps.iter().any(|gap| *gap != gaps[0]), "they are spread");
}

#[test]
fn a_silent_neighbour_s_routes_go_after_240_s() {
    let mut lab = row();
    lab.run(60);
    // The link keeps its carrier: nothing but silence tells.
    lab.change_rip(2, |rip| rip.passive_default = true);
    lab.run(170);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_some());
    lab.run(30);
    let down = lab.process(1).routes().filter(|(_, route)| route.metric() == 16).count();
    assert!(down >= 3, "invalid, but still used");
    assert!(lab.rip_route(1, "3.3.3.3/32").is_some());
    lab.run(60);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none());
}

#[test]
fn rfc2453_3_10_1_a_lost_subnet_is_told_at_once() {
    let mut lab = row();
    lab.run(60);
    lab.change_interface(3, "lo0", |i| i.shutdown = true);
    lab.run(10);
    let metric = |lab: &Lab, router| {
        let prefix = "3.3.3.3/32".parse().unwrap();
        lab.process(router).routes().find(|(net, _)| *net == prefix).map(|(_, route)| route.metric())
    };
    assert_eq!((metric(&lab, 2), metric(&lab, 1)), (Some(16), Some(16)));
    lab.run(300);
    assert_eq!((metric(&lab, 1), metric(&lab, 3)), (None, None));
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none());
}

#[test]
fn ios_hold_down_refuses_better_news_for_180_s() {
    let mut lab = row();
    lab.run(60);
    lab.change_interface(3, "lo0", |i| i.shutdown = true);
    lab.run(10);
    lab.change_interface(3, "lo0", |i| i.shutdown = false);
    lab.run(150);
    let metric = |lab: &Lab| {
        let prefix = "3.3.3.3/32".parse().unwrap();
        lab.process(2).routes().find(|(net, _)| *net == prefix).map(|(_, route)| route.metric())
    };
    assert_eq!(metric(&lab), Some(16));
    lab.run(60);
    assert_eq!(metric(&lab), Some(1));
}

#[test]
fn a_failed_link_of_a_ring_is_bypassed_without_hold_down() {
    let mut lab = ring();
    lab.run(60);
    assert_eq!(lab.rip_route(1, "3.3.3.3/32"), Some((1, 1)));
    assert_eq!(lab.rip_route(1, "10.0.23.0/24"), Some((1, 2)), "two ways of one hop");
    lab.network.set_link_up(lab.links[2], false);
    lab.run(45);
    assert_eq!(lab.rip_route(1, "3.3.3.3/32"), Some((2, 1)));
    assert!(lab.reaches(1, "3.3.3.3"));
}

#[test]
fn maximum_paths_bounds_the_ways_in_use() {
    let mut lab = ring();
    lab.change_rip(1, |rip| rip.maximum_paths = Some(1));
    lab.run(60);
    assert_eq!(lab.rip_route(1, "10.0.23.0/24"), Some((1, 1)));
}

#[test]
fn rfc2453_3_4_3_split_horizon_tells_nothing_back() {
    if !has_tshark() {
        return;
    }
    let mut lab = row();
    lab.run(60);
    lab.network.start_capture(lab.links[0]);
    lab.run(65);
    let back = "ip.src == 10.0.12.1 && rip.ip == 3.3.3.3";
    assert_eq!(Verdict::on(&lab.network, lab.links[0], "rip-horizon").count(back), 0);
    lab.change_interface(1, "gi0/0", |i| i.rip.no_split_horizon = true);
    lab.network.start_capture(lab.links[0]);
    lab.run(65);
    assert!(Verdict::on(&lab.network, lab.links[0], "rip-no-horizon").count(back) >= 2);
}

#[test]
fn the_unreachable_is_told_even_where_it_came_from() {
    if !has_tshark() {
        return;
    }
    let mut lab = row();
    lab.run(60);
    lab.network.start_capture(lab.links[0]);
    lab.change_interface(3, "lo0", |i| i.shutdown = true);
    lab.run(10);
    let verdict = Verdict::on(&lab.network, lab.links[0], "rip-poison");
    assert!(verdict.count("ip.src == 10.0.12.1 && rip.ip == 3.3.3.3 && rip.metric == 16") >= 1);
}

#[test]
fn rfc1058_3_2_version_1_tells_no_masks() {
    let v1 = |nets: &[&str]| RipConfig { version: Some(Version::V1), ..v2(nets) };
    let nets = ["10.0.0.0/8", "172.16.0.0/16", "192.168.1.0/24"];
    let routers = [
        router(
            &[
                ("gi0/0", "10.0.12.1/24"),
                ("lo0", "10.0.1.1/24"),
                ("lo1", "10.0.2.1/25"),
                ("lo2", "172.16.5.1/24"),
            ],
            v1(&nets),
        ),
        router(&[("gi0/0", "10.0.12.2/24"), ("gi0/1", "192.168.1.2/24")], v1(&nets)),
        router(&[("gi0/0", "192.168.1.3/24")], v1(&nets)),
    ];
    let mut lab = Lab::new(1, &routers, &[&[(1, 0), (2, 0)], &[(2, 1), (3, 0)]]);
    lab.run(60);
    // 10.0.2.0/25 has another mask than the link: it cannot be told. 172.16.0.0 is another network: its class is told.
    assert_eq!(lab.rip_routes(2), ["10.0.1.0/24", "172.16.0.0/16"]);
    assert_eq!(lab.rip_routes(3), ["10.0.0.0/8", "172.16.0.0/16"]);
}

#[test]
fn without_version_1_is_sent_and_both_are_understood() {
    let mut lab = row();
    lab.change_rip(1, |rip| rip.version = None);
    lab.run(60);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_some(), "R1 understands version 2");
    assert!(lab.rip_route(2, "1.0.0.0/8").is_none(), "R2 does not take version 1");
    lab.change_interface(2, "gi0/0", |i| i.rip.receive_version = Some(Versions::BOTH));
    lab.run(60);
    assert!(lab.rip_route(2, "1.0.0.0/8").is_some());
    lab.change_interface(1, "gi0/0", |i| i.rip.send_version = Some(Versions::V2));
    lab.run(60);
    assert!(lab.rip_route(2, "1.1.1.1/32").is_some());
}

#[test]
fn auto_summary_tells_classful_networks_across_their_border() {
    let mut lab = row();
    for router in 1..=3 {
        lab.change_rip(router, |rip| rip.no_auto_summary = false);
    }
    lab.run(60);
    assert_eq!(lab.rip_routes(1), ["2.0.0.0/8", "3.0.0.0/8", "10.0.23.0/24"]);
}

#[test]
fn a_summary_address_hides_its_components_on_one_interface() {
    let mut lab = row();
    lab.change(3, |config| {
        for n in 1..=3 {
            let address = Some(format!("10.3.{n}.1/24").parse().unwrap());
            config
                .interfaces
                .insert(port(&format!("lo{n}")), InterfaceConfig { address, ..InterfaceConfig::default() });
        }
    });
    lab.change_interface(2, "gi0/0", |i| i.rip.summary_addresses = ["10.3.0.0/16".parse().unwrap()].into());
    lab.run(60);
    assert!(lab.rip_route(2, "10.3.1.0/24").is_some());
    assert_eq!(lab.rip_route(1, "10.3.0.0/16"), Some((2, 1)));
    assert!(lab.rip_route(1, "10.3.1.0/24").is_none());
}

#[test]
fn a_passive_interface_listens_and_neighbours_are_told_by_name() {
    let mut lab = row();
    lab.change_rip(2, |rip| rip.passive_exceptions = [port("gi0/0")].into());
    lab.run(60);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none());
    assert!(lab.rip_route(3, "1.1.1.1/32").is_some(), "R2 still listens to R1");
    lab.change_rip(2, |rip| rip.neighbors = [addr("10.0.12.1")].into());
    lab.run(60);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_some());
}

#[test]
fn a_default_is_told_whether_there_is_one_or_not() {
    let mut lab = row();
    lab.change_rip(3, |rip| rip.default_information = Some(DefaultInformation::default()));
    lab.run(60);
    assert_eq!(lab.rip_route(1, "0.0.0.0/0"), Some((2, 1)));
    lab.change_rip(3, |rip| rip.default_information = None);
    lab.run(300);
    assert_eq!(lab.rip_route(1, "0.0.0.0/0"), None);
}

fn static_route(prefix: &str, next_hop: &str, tag: u32) -> StaticRoute {
    let target = match next_hop.parse() {
        Ok(address) => StaticTarget::NextHop(address),
        Err(_) => StaticTarget::Interface(port(next_hop)),
    };
    StaticRoute {
        vrf: None,
        prefix: prefix.parse().unwrap(),
        target,
        distance: 1,
        tag,
        name: None,
        permanent: false,
        track: None,
    }
}

#[test]
fn static_routes_are_redistributed_with_metric_1_or_as_said_and_with_their_tag() {
    let mut lab = row();
    lab.change(3, |config| {
        config.static_routes.insert(static_route("9.9.9.0/24", "Null0", 77));
    });
    lab.change_rip(3, |rip| {
        rip.redistribute.insert(RedistributionSource::Static, Redistribution::default());
    });
    lab.run(60);
    assert_eq!(lab.rip_route(2, "9.9.9.0/24"), Some((1, 1)));
    assert_eq!(lab.route(1, "9.9.9.0/24").unwrap().tag, 77);
    lab.change_rip(3, |rip| {
        let rule = Redistribution { metric: Some(SeedMetric::Hops(5)), ..Redistribution::default() };
        rip.redistribute.insert(RedistributionSource::Static, rule);
    });
    lab.run(60);
    assert_eq!(
        (lab.rip_route(2, "9.9.9.0/24"), lab.rip_route(1, "9.9.9.0/24")),
        (Some((5, 1)), Some((6, 1)))
    );
    lab.change(3, |config| config.static_routes.clear());
    lab.run(300);
    assert_eq!(lab.rip_route(1, "9.9.9.0/24"), None);
}

#[test]
fn rfc2453_4_4_a_next_hop_on_the_same_network_is_named() {
    // R1, R2, R3 on one network; R2 has a static route by R3, which does not run RIP.
    let nets = ["10.0.0.0/8"];
    let rip = v2(&nets);
    let mut plain = router(&[("gi0/0", "10.0.0.3/24"), ("lo0", "3.3.3.3/32")], rip.clone());
    plain.rip = None;
    let mut two = router(&[("gi0/0", "10.0.0.2/24")], rip.clone());
    two.static_routes.insert(static_route("3.3.3.3/32", "10.0.0.3", 0));
    let rule = Redistribution::default();
    two.rip.as_mut().unwrap().redistribute.insert(RedistributionSource::Static, rule);
    let one = router(&[("gi0/0", "10.0.0.1/24")], rip);
    let mut lab = Lab::new(1, &[one, two, plain], &[&[(1, 0), (2, 0), (3, 0)]]);
    lab.run(60);
    let hop = lab.route(1, "3.3.3.3/32").unwrap().next_hops[0];
    assert_eq!((hop.address, hop.learned_from), (Some(addr("10.0.0.3")), Some(addr("10.0.0.2"))));
}

/// Access list `1` that permits one address.
fn with_list(config: &mut RouterConfig, address: &str) {
    let source = Wildcard::new(addr(address), addr("0.0.0.0"));
    let entry = StandardEntry { action: Permission::Permit, source, log: None };
    let list = AccessList::Standard([entry].into_iter().collect());
    config.policy.access_lists.insert("1".to_owned(), list);
}

#[test]
fn distribute_lists_filter_in_and_out_everywhere_or_on_one_interface() {
    let list = || DistributeList::AccessList("1".to_owned());
    let filtered = |router: usize, scope: FilterScope| {
        let mut lab = row();
        lab.change(router, |config| {
            with_list(config, "3.3.3.3");
            config.rip.as_mut().unwrap().distribute_lists.insert(scope, list());
        });
        lab.run(60);
        lab.rip_routes(1)
    };
    let all = ["2.2.2.2/32", "3.3.3.3/32", "10.0.23.0/24"];
    assert_eq!(filtered(1, FilterScope::In(None)), ["3.3.3.3/32"]);
    assert_eq!(filtered(1, FilterScope::In(Some(port("gi0/1")))), all);
    assert_eq!(filtered(2, FilterScope::Out(None)), ["3.3.3.3/32"]);
    assert_eq!(filtered(2, FilterScope::Out(Some(port("gi0/0")))), ["3.3.3.3/32"]);
    assert_eq!(filtered(2, FilterScope::Out(Some(port("gi0/1")))), all);
}

#[test]
fn offset_lists_add_to_metrics_in_and_out() {
    let offset = |router: usize, direction, interface: Option<&str>| {
        let mut lab = row();
        lab.change(router, |config| {
            with_list(config, "3.3.3.3");
            let scope = OffsetScope { direction, interface: interface.map(port) };
            let list = OffsetList { access_list: Some("1".to_owned()), offset: 4 };
            config.rip.as_mut().unwrap().offset_lists.insert(scope, list);
        });
        lab.run(60);
        (lab.rip_route(1, "3.3.3.3/32").unwrap().0, lab.rip_route(1, "2.2.2.2/32").unwrap().0)
    };
    assert_eq!(offset(1, Direction::In, None), (6, 1));
    assert_eq!(offset(2, Direction::Out, Some("gi0/0")), (6, 1));
    assert_eq!(offset(2, Direction::Out, Some("gi0/1")), (2, 1));
}

#[test]
fn distances_differ_by_source_and_list() {
    let mut lab = row();
    lab.change(1, |config| {
        with_list(config, "3.3.3.3");
        let rip = config.rip.as_mut().unwrap();
        rip.distance = Some(130);
        rip.distance_by_source = vec![DistanceBySource {
            distance: 90,
            source: Wildcard::new(addr("10.0.12.2"), addr("0.0.0.0")),
            access_list: Some("1".to_owned()),
        }];
    });
    lab.run(60);
    let distance = |prefix| lab.route(1, prefix).unwrap().distance;
    assert_eq!((distance("3.3.3.3/32"), distance("2.2.2.2/32")), (90, 130));
}

#[test]
fn what_the_routing_table_has_from_elsewhere_is_not_told() {
    let mut lab = row();
    lab.change(2, |config| {
        config.static_routes.insert(static_route("3.3.3.3/32", "10.0.23.3", 0));
    });
    lab.run(60);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none());
    lab.change(2, |config| config.static_routes.clear());
    lab.run(60);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_some());
}

fn keyed(lab: &mut Lab, router: usize, mode: AuthenticationMode, keys: &[(u32, &str, Option<Lifetime>)]) {
    lab.change(router, |config| {
        let key = |&(id, text, lifetime): &(u32, &str, Option<Lifetime>)| {
            let key = Key {
                key_string: Some(text.to_owned()),
                send_lifetime: lifetime,
                accept_lifetime: lifetime,
                ..Key::default()
            };
            (id, key)
        };
        config.key_chains.insert("RIP".to_owned(), KeyChain { keys: keys.iter().map(key).collect() });
        let interface = config.interfaces.get_mut(&port("gi0/0")).unwrap();
        interface.rip.key_chain = Some("RIP".to_owned());
        interface.rip.authentication_mode = Some(mode);
    });
}

#[test]
fn rfc2453_5_2_only_messages_with_the_right_secret_are_believed() {
    for mode in [AuthenticationMode::Text, AuthenticationMode::Md5] {
        let mut lab = row();
        keyed(&mut lab, 1, mode, &[(1, "secret", None)]);
        lab.run(60);
        assert!(lab.rip_routes(1).is_empty(), "{mode:?}: R1 believes no message without");
        assert!(lab.rip_route(2, "1.1.1.1/32").is_none(), "{mode:?}: R2 believes no message with");
        keyed(&mut lab, 2, mode, &[(1, "wrong", None)]);
        lab.run(60);
        assert!(lab.rip_routes(1).is_empty(), "{mode:?}");
        keyed(&mut lab, 2, mode, &[(1, "secret", None)]);
        lab.run(60);
        assert!(
            lab.rip_route(1, "3.3.3.3/32").is_some() && lab.rip_route(2, "1.1.1.1/32").is_some(),
            "{mode:?}"
        );
    }
}

#[test]
fn keys_change_with_their_lifetimes() {
    let mut lab = row();
    let from = |seconds: u64| Some(Lifetime { from: SWITCHED_ON + seconds, until: None });
    let until = |seconds: u64| Some(Lifetime { from: 0, until: Some(SWITCHED_ON + seconds) });
    for router in [1, 2] {
        keyed(&mut lab, router, AuthenticationMode::Md5, &[(1, "old", until(300)), (2, "new", from(200))]);
    }
    lab.run(1000);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_some());
    keyed(&mut lab, 2, AuthenticationMode::Md5, &[(1, "old", until(300))]);
    lab.run(300);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none(), "no valid key is left at R2");
}

#[test]
fn updates_from_other_subnets_are_not_believed_unless_told_so() {
    let nets = ["10.0.0.0/8", "3.0.0.0/8"];
    let routers = [
        router(&[("gi0/0", "10.0.1.1/24")], v2(&nets)),
        router(&[("gi0/0", "10.0.2.2/24"), ("lo0", "3.3.3.3/32")], v2(&nets)),
    ];
    let mut lab = Lab::new(1, &routers, &[&[(1, 0), (2, 0)]]);
    lab.run(60);
    assert!(lab.process(1).routes().all(|(_, route)| route.paths().is_empty()));
    lab.change_rip(1, |rip| rip.no_validate_update_source = true);
    lab.run(60);
    assert!(lab.process(1).routes().any(|(_, route)| !route.paths().is_empty()));
}

#[test]
fn timers_basic_make_everything_faster() {
    let mut lab = row();
    for router in 1..=3 {
        let timers = BasicTimers { update_s: 5, invalid_s: 15, holddown_s: 15, flush_s: 20 };
        lab.change_rip(router, |rip| rip.timers = Some(timers));
    }
    lab.run(30);
    lab.change_rip(2, |rip| rip.passive_default = true);
    lab.run(21);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none());
}

#[test]
fn sixteen_hops_are_too_many() {
    let config = |n: u8| {
        let mut addresses = vec![("lo0".to_owned(), format!("10.255.0.{n}/32"))];
        if n > 1 {
            addresses.push(("gi0/0".to_owned(), format!("10.0.{}.2/24", n - 1)));
        }
        if n < 18 {
            addresses.push(("gi0/1".to_owned(), format!("10.0.{n}.1/24")));
        }
        let borrowed: Vec<(&str, &str)> = addresses.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
        router(&borrowed, v2(&["10.0.0.0/8"]))
    };
    let routers: Vec<RouterConfig> = (1..=18).map(config).collect();
    let links: Vec<[(usize, u8); 2]> = (1..18).map(|n| [(n, 1), (n + 1, 0)]).collect();
    let links: Vec<&[(usize, u8)]> = links.iter().map(|link| link.as_slice()).collect();
    let mut lab = Lab::new(1, &routers, &links);
    lab.run(400);
    assert_eq!(lab.rip_route(16, "10.255.0.1/32"), Some((15, 1)));
    assert_eq!(lab.rip_route(17, "10.255.0.1/32"), None);
}

#[test]
fn a_lost_network_in_a_ring_does_not_count_to_infinity_for_ever() {
    let mut lab = ring();
    lab.run(60);
    lab.change_interface(3, "lo0", |i| i.shutdown = true);
    lab.run(600);
    assert!(lab.rip_route(1, "3.3.3.3/32").is_none() && lab.rip_route(2, "3.3.3.3/32").is_none());
}

#[test]
fn wireshark_finds_nothing_wrong() {
    if !has_tshark() {
        return;
    }
    for mode in [None, Some(AuthenticationMode::Text), Some(AuthenticationMode::Md5)] {
        let mut lab = row();
        if let Some(mode) = mode {
            [1, 2].into_iter().for_each(|router| keyed(&mut lab, router, mode, &[(1, "secret", None)]));
        }
        lab.change_interface(2, "gi0/0", |i| i.rip.send_version = Some(Versions::BOTH));
        lab.network.start_capture(lab.links[0]);
        lab.run(120);
        lab.change_interface(3, "lo0", |i| i.shutdown = true);
        lab.run(60);
        let verdict = Verdict::on(&lab.network, lab.links[0], "rip");
        assert_eq!(verdict.complaints(), Vec::<String>::new());
        assert!(verdict.count("rip.version == 1") >= 3 && verdict.count("rip.version == 2") >= 5);
        assert!(verdict.count("rip.command == 1") >= 2);
        assert_eq!(verdict.count("rip && !(ip.dsfield.dscp == 48 && ip.ttl == 2)"), 0);
    }
}

#[test]
fn a_clone_has_the_same_future() {
    let mut lab = ring();
    lab.run(33);
    let mut twin = lab.network.clone();
    lab.network.set_link_up(lab.links[0], false);
    twin.set_link_up(lab.links[0], false);
    lab.run(400);
    twin.run_until(lab.now());
    for &node in &lab.nodes {
        assert_eq!(format!("{:?}", lab.network.router(node)), format!("{:?}", twin.router(node)));
    }
}
