//! Routes: convergence, failover, redistribution, summaries, stubs, filters.

use std::collections::BTreeMap;
use std::time::Duration;

use netconfarena_emu::config::{InterfaceConfig, RouterConfig, StaticRoute, StaticTarget, Wildcard};
use netconfarena_emu::eigrp::packet::{ExternalProtocol, Opcode, Packet};
use netconfarena_emu::eigrp::{
    Direction, DistanceBySource, Distances, DistributeOut, EigrpInterfaceConfig, InterfaceSummary,
    OffsetList, PathSource, Redistribution, Stub,
};
use netconfarena_emu::policy::{
    AccessList, DistributeList, Lines, Permission, RedistributionSource, StandardEntry, VectorMetric,
};
use netconfarena_emu::rib::RouteKind;

use crate::lab::{AS, Lab, addr, link_address, loopback, net, port, towards};

/// Three routers, each linked to the others.
const TRIANGLE: &[(usize, usize, u32)] = &[(1, 2, 10), (2, 3, 10), (1, 3, 100)];
/// Three routers in a row.
const ROW: &[(usize, usize, u32)] = &[(1, 2, 10), (2, 3, 10)];

/// The packets of a kind about a destination that went over a link while captured.
fn packets(lab: &Lab, a: usize, b: usize, opcode: Opcode) -> Vec<Packet> {
    let all = lab.captured(a, b).into_iter().map(|(_, packet)| packet);
    all.filter(|packet| packet.header.opcode == opcode).collect()
}

fn settings(config: &mut RouterConfig, far: usize) -> &mut EigrpInterfaceConfig {
    config.interfaces.get_mut(&towards(far)).unwrap().eigrp.entry(AS).or_default()
}

fn access_list(config: &mut RouterConfig, name: &str, entries: &[(Permission, &str)]) {
    let mut lines = Lines::default();
    for (action, prefix) in entries {
        let prefix = net(prefix);
        let source = Wildcard::new(prefix.addr(), prefix.hostmask());
        lines.append(StandardEntry { action: *action, source, log: None }).unwrap();
    }
    config.policy.access_lists.insert(name.to_owned(), AccessList::Standard(lines));
}

/// Denies one destination and permits the rest.
fn all_but(config: &mut RouterConfig, name: &str, prefix: &str) {
    access_list(config, name, &[(Permission::Deny, prefix), (Permission::Permit, "0.0.0.0/0")]);
}

fn static_route(config: &mut RouterConfig, prefix: &str, tag: u32) {
    config.static_routes.insert(StaticRoute {
        vrf: None,
        prefix: net(prefix),
        target: StaticTarget::Interface(port("Null0")),
        distance: 1,
        tag,
        name: None,
        permanent: false,
        track: None,
    });
}

const SEED: VectorMetric =
    VectorMetric { bandwidth_kbps: 1_000_000, delay_tens_us: 100, reliability: 255, load: 1, mtu: 1500 };

#[test]
fn a_triangle_converges_to_the_shortest_paths() {
    let lab = Lab::converged(1, 3, TRIANGLE);
    // 256 * (10 of the bandwidth + 10 + 10 + 500 of the loopback)
    assert_eq!(lab.feasible_distance(1, loopback(3)), Some(135_680));
    assert_eq!(lab.via(1, loopback(3)), [2]);
    let route = lab.route(1, loopback(3)).unwrap();
    assert_eq!((route.kind, route.distance, route.metric), (RouteKind::EigrpInternal, 90, 135_680));
    assert_eq!(lab.via(2, loopback(1)), [1]);
    assert_eq!(lab.via(3, loopback(1)), [2]);
}

#[test]
fn equal_paths_share_the_traffic_up_to_maximum_paths() {
    let mut lab = Lab::converged(1, 4, &[(1, 2, 10), (1, 3, 10), (2, 4, 10), (3, 4, 10)]);
    assert_eq!(lab.via(1, loopback(4)), [2, 3]);
    lab.configure_eigrp(1, |config| config.maximum_paths = Some(1));
    lab.run(10);
    assert_eq!(lab.via(1, loopback(4)), [2]);
}

#[test]
fn rfc7868_3_4_failover_to_a_feasible_successor_needs_no_query() {
    let mut lab = Lab::converged(1, 3, TRIANGLE);
    lab.capture_all();
    lab.network.set_link_up(lab.link(1, 2), false);
    lab.run(1);
    assert_eq!(lab.via(1, loopback(3)), [3], "at once");
    lab.converge();
    let about = |packet: &Packet| packet.routes().any(|route| route.destinations.contains(&loopback(3)));
    assert!(!packets(&lab, 1, 3, Opcode::Query).iter().any(about));
    assert_eq!(
        lab.feasible_distance(1, loopback(3)),
        Some(135_680),
        "FD stays while no computation was needed"
    );
    assert_eq!(lab.distance(1, loopback(3)), Some(256 * (10 + 100 + 500)));
}

#[test]
fn rfc7868_3_5_failover_without_a_feasible_successor_asks_and_the_answer_comes_back() {
    // To reach R2, R3 goes by R1, so R1 knows no other way; R3's own link to R2 is slow.
    let mut lab = Lab::converged(1, 3, &[(1, 2, 10), (1, 3, 10), (2, 3, 100)]);
    assert_eq!(lab.via(3, loopback(2)), [1]);
    lab.capture_all();
    lab.network.set_link_up(lab.link(1, 2), false);
    lab.run(1);
    assert!(lab.destination(1, loopback(2)).unwrap().state.is_active());
    assert_eq!(lab.route(1, loopback(2)), None);
    lab.run(100);
    assert!(!lab.destination(1, loopback(2)).unwrap().state.is_active());
    assert_eq!(lab.via(1, loopback(2)), [3]);
    assert_eq!(lab.distance(1, loopback(2)), Some(256 * (10 + 10 + 100 + 500)));
    let about = |packet: &&Packet| packet.routes().any(|route| route.destinations.contains(&loopback(2)));
    assert_eq!(packets(&lab, 1, 3, Opcode::Query).iter().filter(about).count(), 1);
    assert_eq!(packets(&lab, 1, 3, Opcode::Reply).iter().filter(about).count(), 1);
    // R3 had its own link as feasible successor: it asked nobody.
    assert_eq!(packets(&lab, 2, 3, Opcode::Query).iter().filter(about).count(), 0);
}

#[test]
fn variance_adds_feasible_successors_with_their_share() {
    let mut lab = Lab::converged(1, 3, TRIANGLE);
    assert_eq!(lab.via(1, loopback(3)), [2]);
    lab.configure_eigrp(1, |config| config.variance = Some(2));
    lab.run(10);
    assert_eq!(lab.via(1, loopback(3)), [2, 3]);
    // 135680 to 156160.
    let weights: Vec<u32> =
        lab.route(1, loopback(3)).unwrap().next_hops.iter().map(|hop| hop.weight).collect();
    assert_eq!(weights, [240, 240 * 135_680 / 156_160]);
    lab.configure_eigrp(1, |config| config.traffic_share_min = true);
    lab.run(10);
    assert_eq!(lab.via(1, loopback(3)), [2]);
}

#[test]
fn static_and_connected_routes_are_redistributed_as_external_with_their_tag() {
    let mut lab = Lab::converged(1, 3, ROW);
    lab.configure(1, |config| {
        static_route(config, "172.31.0.0/16", 77);
        let interface = InterfaceConfig { address: Some(net("172.30.0.1/24")), ..InterfaceConfig::default() };
        config.interfaces.insert(port("Loopback9"), interface);
        let eigrp = &mut config.eigrp.classic.get_mut(&AS).unwrap().global;
        // EIGRP runs on 10.0.0.0/8 and 192.168.0.0/16 alone.
        eigrp.networks = ["10.0.0.0/8", "192.168.0.0/16"]
            .map(net)
            .map(|prefix| Wildcard::new(prefix.addr(), prefix.hostmask()))
            .into();
        let rule = Redistribution { metric: Some(SEED), ..Redistribution::default() };
        eigrp.redistribute.insert(RedistributionSource::Static, rule);
    });
    lab.converge();
    let route = lab.route(3, net("172.31.0.0/16")).unwrap();
    assert_eq!((route.kind, route.distance, route.tag), (RouteKind::EigrpExternal, 170, 77));
    assert_eq!(route.metric, 256 * (10 + 100 + 10 + 10));
    let destination = lab.destination(3, net("172.31.0.0/16")).unwrap();
    let external = destination.paths()[0].attributes.external.clone().unwrap();
    assert_eq!((external.protocol, external.tag), (ExternalProtocol::Static, 77));
    assert_eq!(external.router_id, lab.eigrp(1).router_id.unwrap());
    assert_eq!(lab.route(3, net("172.30.0.0/24")), None);
    lab.configure_eigrp(1, |config| {
        config.redistribute.insert(RedistributionSource::Connected, Redistribution::default());
    });
    lab.converge();
    // Without a metric, that of the interface: a loopback.
    assert_eq!(lab.route(3, net("172.30.0.0/24")).unwrap().metric, 256 * (10 + 500 + 10 + 10));
    lab.configure_eigrp(1, |config| config.redistribute.clear());
    lab.converge();
    assert_eq!(lab.route(3, net("172.31.0.0/16")), None);
    assert_eq!(lab.route(3, net("172.30.0.0/24")), None);
}

#[test]
fn an_offset_list_lengthens_paths_and_a_distance_rules_the_routing_table() {
    let mut lab = Lab::converged(1, 3, TRIANGLE);
    lab.configure(1, |config| {
        access_list(config, "5", &[(Permission::Permit, "192.168.0.3/32")]);
        let list = OffsetList { access_list: Some("5".to_owned()), offset: 100_000 };
        let eigrp = &mut config.eigrp.classic.get_mut(&AS).unwrap().global;
        eigrp.offset_lists.insert((Direction::In, Some(towards(2))), list);
    });
    lab.converge();
    assert_eq!(lab.via(1, loopback(3)), [3]);
    assert_eq!(lab.via(1, loopback(2)), [2]);
    lab.configure_eigrp(1, |config| {
        config.offset_lists.clear();
        config.distance = Some(Distances { internal: 95, external: 175 });
        config.distance_by_source = vec![DistanceBySource {
            distance: 101,
            source: Wildcard::new(addr("10.1.2.2"), addr("0.0.0.0")),
            access_list: Some("5".to_owned()),
        }];
    });
    lab.converge();
    assert_eq!(lab.via(1, loopback(3)), [2]);
    assert_eq!(lab.route(1, loopback(3)).unwrap().distance, 101);
    assert_eq!(lab.route(1, loopback(2)).unwrap().distance, 95);
}

#[test]
fn an_outgoing_offset_lengthens_what_others_hear() {
    let mut lab = Lab::converged(1, 3, ROW);
    let before = lab.distance(3, loopback(1)).unwrap();
    lab.configure_eigrp(2, |config| {
        config.offset_lists.insert((Direction::Out, None), OffsetList { access_list: None, offset: 512 });
    });
    lab.converge();
    assert_eq!(lab.distance(3, loopback(1)), Some(before + 512));
    assert_eq!(lab.distance(2, loopback(1)).unwrap(), 256 * (10 + 10 + 500));
}

#[test]
fn distribute_lists_filter_what_is_taken_and_what_is_told() {
    let mut lab = Lab::converged(1, 3, ROW);
    let filter = DistributeList::AccessList("7".to_owned());
    lab.configure(2, |config| {
        all_but(config, "7", "192.168.0.1/32");
        let eigrp = &mut config.eigrp.classic.get_mut(&AS).unwrap().global;
        eigrp.distribute_out.insert(DistributeOut::Interface(towards(3)), filter.clone());
    });
    lab.converge();
    assert!(lab.route(2, loopback(1)).is_some() && lab.route(3, loopback(1)).is_none());
    assert!(lab.route(3, link_address(1, 2).trunc()).is_some());
    // The list lets it pass again.
    lab.configure(2, |config| all_but(config, "7", "192.168.0.99/32"));
    lab.converge();
    assert!(lab.route(3, loopback(1)).is_some());
    lab.configure(3, |config| {
        all_but(config, "7", "192.168.0.1/32");
        let eigrp = &mut config.eigrp.classic.get_mut(&AS).unwrap().global;
        eigrp.distribute_in.insert(None, filter);
    });
    lab.converge();
    assert!(lab.route(3, loopback(1)).is_none() && lab.route(3, loopback(2)).is_some());
    lab.configure_eigrp(3, |config| config.distribute_in.clear());
    lab.converge();
    assert!(lab.route(3, loopback(1)).is_some());
}

#[test]
fn rfc7868_5_4_1_a_summary_replaces_its_components_and_leads_to_null_at_home() {
    let mut lab = Lab::converged(1, 3, ROW);
    let summary = net("192.168.0.0/24");
    lab.configure(2, |config| {
        settings(config, 3).summaries.insert(summary, InterfaceSummary::default());
    });
    lab.converge();
    let at_home = lab.route(2, summary).unwrap();
    assert_eq!((at_home.kind, at_home.distance), (RouteKind::EigrpSummary, 5));
    assert!(at_home.next_hops.is_empty());
    // The metric is that of the best component, R2's own loopback.
    assert_eq!(lab.route(3, summary).unwrap().metric, 256 * (10 + 500 + 10));
    assert!(lab.route(3, loopback(1)).is_none() && lab.route(3, loopback(2)).is_none());
    assert!(lab.route(1, summary).is_none(), "told on one interface only");
    assert!(lab.route(1, loopback(2)).is_some());
    lab.configure(2, |config| settings(config, 3).summaries.clear());
    lab.converge();
    assert!(lab.route(2, summary).is_none() && lab.route(3, summary).is_none());
    assert!(lab.route(3, loopback(1)).is_some());
}

#[test]
fn a_summary_goes_with_its_last_component_and_has_the_distance_configured() {
    let mut lab = Lab::converged(1, 3, ROW);
    let summary = net("10.1.0.0/16");
    lab.configure(2, |config| {
        let options = InterfaceSummary { distance: Some(200), leak_map: None };
        settings(config, 3).summaries.insert(summary, options);
    });
    lab.converge();
    assert_eq!(lab.route(2, summary).unwrap().distance, 200);
    assert!(lab.route(3, summary).is_some());
    lab.network.set_link_up(lab.link(1, 2), false);
    lab.converge();
    assert!(lab.route(2, summary).is_none() && lab.route(3, summary).is_none());
}

#[test]
fn a_query_for_a_component_ends_at_the_summary() {
    let mut lab = Lab::converged(1, 3, ROW);
    lab.configure(2, |config| {
        settings(config, 3).summaries.insert(net("192.168.0.0/24"), InterfaceSummary::default());
    });
    lab.converge();
    lab.capture_all();
    lab.network.set_link_up(lab.link(1, 2), false);
    lab.run(100);
    // R3 knows the summary only: it answers at once that it has no way.
    assert_eq!(packets(&lab, 2, 3, Opcode::Query).len(), 1);
    assert_eq!(packets(&lab, 2, 3, Opcode::Reply).len(), 1);
    assert!(!lab.eigrp(2).topology.values().any(|destination| destination.state.is_active()));
}

#[test]
fn auto_summary_tells_other_major_networks_of_the_whole() {
    let mut lab = Lab::new(1, 3, ROW);
    // R2 stands between 172.16.0.0/16 (to R1) and 10.0.0.0/8 (to R3).
    for (router, host) in [(1, 1), (2, 2)] {
        lab.configure(router, |config| {
            let address = net(&format!("172.16.12.{host}/24"));
            config.interfaces.get_mut(&towards(3 - router)).unwrap().address = Some(address);
        });
    }
    lab.configure_eigrp(2, |config| config.auto_summary = true);
    lab.converge();
    assert!(lab.route(3, net("172.16.0.0/16")).is_some());
    assert!(lab.route(3, net("172.16.12.0/24")).is_none());
    assert!(lab.route(1, net("10.0.0.0/8")).is_some() && lab.route(1, net("10.2.3.0/24")).is_none());
    assert_eq!(lab.route(2, net("10.0.0.0/8")).unwrap().kind, RouteKind::EigrpSummary);
}

#[test]
fn rfc7868_5_4_6_a_stub_tells_of_its_own_only_and_is_not_asked() {
    let mut lab = Lab::converged(1, 4, &[(1, 2, 10), (2, 3, 10), (3, 4, 10)]);
    lab.configure_eigrp(3, |config| config.stub = Some(Stub::connected_summary()));
    lab.converge();
    assert!(lab.route(2, loopback(3)).is_some(), "connected");
    assert!(lab.route(2, loopback(4)).is_none(), "learned");
    assert!(lab.route(4, loopback(1)).is_none());
    assert!(lab.route(3, loopback(4)).is_some() && lab.route(3, loopback(1)).is_some());
    lab.capture_all();
    lab.network.set_link_up(lab.link(1, 2), false);
    lab.converge();
    assert_eq!(packets(&lab, 2, 3, Opcode::Query), []);
    assert!(lab.route(3, loopback(1)).is_none(), "but it hears of what is gone");
}

#[test]
fn the_options_of_a_stub_say_what_it_tells() {
    let stub = |options: Stub| {
        let mut lab = Lab::new(1, 2, &[(1, 2, 10)]);
        lab.configure(1, |config| {
            static_route(config, "172.31.0.0/16", 0);
            settings(config, 2).summaries.insert(net("192.168.0.0/16"), InterfaceSummary::default());
            let eigrp = &mut config.eigrp.classic.get_mut(&AS).unwrap().global;
            eigrp.redistribute.insert(RedistributionSource::Static, Redistribution::default());
            eigrp.stub = Some(options);
        });
        lab.converge();
        let has = |prefix| lab.route(2, prefix).is_some();
        // The loopback is hidden by the summary.
        (has(net("192.168.0.0/16")), has(net("172.31.0.0/16")), has(loopback(1)))
    };
    assert_eq!(stub(Stub::connected_summary()), (true, false, false));
    assert_eq!(stub(Stub { static_routes: true, ..Stub::default() }), (false, true, false));
    assert_eq!(stub(Stub { redistributed: true, ..Stub::default() }), (false, true, false));
    assert_eq!(stub(Stub { summary: true, ..Stub::default() }), (true, false, false));
    assert_eq!(stub(Stub { receive_only: true, ..Stub::default() }), (false, false, false));
}

#[test]
fn split_horizon_can_be_switched_off_and_the_next_hop_kept() {
    // A hub, R1, with R2 and R3 on one Ethernet that R2 and R3 are linked to R1 by: here a switch.
    let mut lab = Lab::converged(1, 2, &[(1, 2, 10)]);
    let about = |lab: &Lab| {
        let destination = lab.destination(2, loopback(2)).unwrap();
        destination.paths().iter().any(|path| path.source.neighbor().is_some())
    };
    assert!(!about(&lab), "R1 does not tell R2 of R2's own network");
    lab.configure(1, |config| settings(config, 2).split_horizon = Some(false));
    lab.converge();
    // It comes back, but from a router that is farther away.
    assert!(about(&lab));
    assert!(
        lab.destination(2, loopback(2))
            .unwrap()
            .successors
            .iter()
            .all(|s| matches!(s, PathSource::Connected(_)))
    );
}

#[test]
fn metric_maximum_hops_bounds_the_network() {
    let mut lab = Lab::converged(1, 4, &[(1, 2, 10), (2, 3, 10), (3, 4, 10)]);
    assert!(lab.route(1, loopback(4)).is_some());
    lab.configure_eigrp(1, |config| config.maximum_hops = Some(2));
    lab.converge();
    assert!(lab.route(1, loopback(4)).is_none() && lab.route(1, loopback(3)).is_some());
}

#[test]
fn what_the_routing_table_does_not_take_is_not_told() {
    let mut lab = Lab::converged(1, 3, ROW);
    assert!(lab.route(3, loopback(1)).is_some());
    lab.configure(2, |config| {
        config.static_routes.insert(StaticRoute {
            vrf: None,
            prefix: loopback(1),
            target: StaticTarget::NextHop(addr("10.1.2.1")),
            distance: 1,
            tag: 0,
            name: None,
            permanent: false,
            track: None,
        });
    });
    lab.converge();
    assert_eq!(lab.route(2, loopback(1)).unwrap().kind, RouteKind::Static);
    assert!(lab.destination(2, loopback(1)).unwrap().rib_failure);
    assert!(lab.route(3, loopback(1)).is_none());
    lab.configure(2, |config| config.static_routes.clear());
    lab.converge();
    assert!(lab.route(3, loopback(1)).is_some());
}

#[test]
fn wide_metrics_of_named_mode_and_classic_routers_understand_each_other() {
    let mut lab = Lab::new(1, 3, ROW);
    for router in [1, 2] {
        lab.configure(router, |config| {
            let global = config.eigrp.classic.remove(&AS).unwrap().global;
            config.eigrp.named.entry("LAB".to_owned()).or_default().families.insert((None, AS), global);
        });
    }
    lab.converge();
    // Gigabit with delay 10: 100 us = 10^8 ps; loopback 1250000 ps. T = 655360, L = 65536 * 101250000 / 10^6.
    assert_eq!(lab.distance(1, loopback(2)), Some(655_360 + 65_536 * 101_250_000 / 1_000_000));
    assert_eq!(lab.route(1, loopback(2)).unwrap().metric, (655_360 + 6_635_520) / 128);
    assert!(lab.route(3, loopback(1)).is_some() && lab.route(1, loopback(3)).is_some());
    assert_eq!(lab.distance(3, loopback(3)), Some(128_256));
}

#[test]
fn an_instance_in_a_vrf_has_its_own_table() {
    let mut lab = Lab::new(1, 2, &[(1, 2, 10)]);
    for (own, far) in [(1, 2), (2, 1)] {
        lab.configure(own, |config| {
            config.vrfs.insert("RED".to_owned(), Default::default());
            config.interfaces.get_mut(&towards(far)).unwrap().vrf = Some("RED".to_owned());
            config.interfaces.get_mut(&port("Loopback0")).unwrap().vrf = Some("RED".to_owned());
            let router = config.eigrp.classic.get_mut(&AS).unwrap();
            let instance = std::mem::take(&mut router.global);
            let family = netconfarena_emu::eigrp::ClassicVrf { autonomous_system: Some(7), instance };
            router.vrfs.insert("RED".to_owned(), family);
        });
    }
    lab.converge();
    assert_eq!(lab.route(1, loopback(2)), None);
    let router = lab.network.router(lab.node(1));
    let vrf = router.interfaces().vrf_id(Some("RED")).unwrap();
    let route = router.rib().best(netconfarena_emu::rib::TableId::ipv4(vrf), loopback(2)).unwrap();
    assert_eq!(route.kind, RouteKind::EigrpInternal);
    assert_eq!(router.eigrp(7, vrf).unwrap().neighbors().count(), 1);
}

#[test]
fn two_instances_redistribute_into_each_other_and_keep_the_metric() {
    let mut lab = Lab::new(1, 3, ROW);
    // R2 runs AS 100 towards R1, AS 200 towards R3 and R3 AS 200.
    let only = |prefix: &str| Wildcard::new(net(prefix).addr(), net(prefix).hostmask());
    lab.configure(2, |config| {
        let mut first = config.eigrp.classic[&AS].clone();
        first.global.networks = [only("10.1.2.0/24")].into();
        let mut second = first.clone();
        second.global.networks = [only("10.2.3.0/24")].into();
        first.global.redistribute.insert(RedistributionSource::Eigrp(200), Redistribution::default());
        second.global.redistribute.insert(RedistributionSource::Eigrp(AS), Redistribution::default());
        config.eigrp.classic = BTreeMap::from([(AS, first), (200, second)]);
    });
    lab.configure(3, |config| {
        let router = config.eigrp.classic.remove(&AS).unwrap();
        config.eigrp.classic.insert(200, router);
    });
    lab.converge();
    let route = lab.route(1, loopback(3)).unwrap();
    assert_eq!((route.kind, route.metric), (RouteKind::EigrpExternal, 135_680));
    let back = lab.route(3, loopback(1)).unwrap();
    assert_eq!((back.kind, back.metric), (RouteKind::EigrpExternal, 135_680));
    assert!(lab.network.now() > netconfarena_emu::time::Time::ZERO + Duration::from_secs(1));
}
