//! Redistribution between routing protocols, from configuration lines: seed metrics, tags, route maps, and what two points of mutual
//! redistribution do.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_emu::rib::RouteKind;

mod lab;

use lab::Lab;

const STATICS: &str =
    "ip route 192.168.1.0 255.255.255.0 Null0 tag 7\nip route 192.168.2.0 255.255.255.0 Null0\n";

/// R1 - R2 - R3 in a row with loopbacks 1.1.1.1 and 3.3.3.3; R2 stands between what R1 and R3 run.
fn row(r1: &str, r2: &str, r3: &str) -> Lab {
    let one = format!(
        "interface lo0\n ip address 1.1.1.1 255.255.255.255\ninterface gi0/0\n ip address 10.0.12.1 255.255.255.0\n{r1}"
    );
    let two = format!(
        "interface gi0/0\n ip address 10.0.12.2 255.255.255.0\ninterface gi0/1\n ip address 10.0.23.2 255.255.255.0\n{r2}"
    );
    let three = format!(
        "interface lo0\n ip address 3.3.3.3 255.255.255.255\ninterface gi0/0\n ip address 10.0.23.3 255.255.255.0\n{r3}"
    );
    let routers = [("R1", one.as_str()), ("R2", &two), ("R3", &three)];
    let mut lab = Lab::new(6, &routers, &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]]);
    lab.run(90);
    lab
}

/// Kind and metric of the best route.
fn route(lab: &Lab, router: &str, prefix: &str) -> Option<(RouteKind, u32)> {
    lab.route(router, prefix).map(|route| (route.kind, route.metric))
}

const RIP: &str = "router rip\n version 2\n no auto-summary\n";
const OSPF_ALL: &str = "router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n";
const EIGRP_ALL: &str = "router eigrp 9\n network 0.0.0.0\n";

fn rip_all() -> String {
    format!("{RIP} network 0.0.0.0\n")
}

/// R2 runs RIP towards R3, `router` towards R1.
fn into_rip(router: &str, redistribute: &str) -> String {
    format!(
        "{router}{RIP} network 10.0.0.0\n passive-interface default\n no passive-interface gi0/1\n{redistribute}"
    )
}

const OSPF_TO_R1: &str = "router ospf 1\n network 10.0.12.0 0.0.0.255 area 0\n";
const OSPF_TO_R3: &str = "router ospf 1\n network 10.0.23.0 0.0.0.255 area 0\n";
const EIGRP_TO_R1: &str = "router eigrp 9\n network 10.0.12.0 0.0.0.255\n";
const EIGRP_TO_R3: &str = "router eigrp 9\n network 10.0.23.0 0.0.0.255\n";

#[test]
fn ospf_and_eigrp_routes_without_a_metric_are_unreachable_in_rip() {
    for (protocol, r1, to_r1) in [("ospf 1", OSPF_ALL, OSPF_TO_R1), ("eigrp 9", EIGRP_ALL, EIGRP_TO_R1)] {
        let mut lab = row(r1, &into_rip(to_r1, &format!(" redistribute {protocol}\n")), &rip_all());
        assert_eq!(route(&lab, "R3", "1.1.1.1/32"), None, "{protocol}: no metric");
        lab.configure("R2", &format!("router rip\n redistribute {protocol} metric 5\n"));
        lab.run(60);
        assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::Rip, 5)), "{protocol}");
        lab.configure(
            "R2",
            &format!(
                "router rip\n no redistribute {protocol}\n redistribute {protocol}\n default-metric 8\n"
            ),
        );
        lab.run(300);
        assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::Rip, 8)), "{protocol}: default-metric");
        assert!(lab.reaches_from("R3", Some("10.0.23.3"), "10.0.12.2"));
    }
}

#[test]
fn ospf_and_rip_routes_without_a_metric_are_unreachable_in_eigrp_and_connected_and_static_ones_are_not() {
    let r1 = format!("{}{STATICS}", rip_all());
    let r2 = format!(
        "{EIGRP_TO_R3} redistribute rip\n redistribute static\n{RIP} network 10.0.0.0\n passive-interface gi0/1\n\
         ip route 172.16.0.0 255.255.0.0 Null0\n"
    );
    let mut lab = row(&r1, &r2, EIGRP_ALL);
    assert_eq!(route(&lab, "R2", "1.1.1.1/32"), Some((RouteKind::Rip, 1)));
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), None, "RIP without a metric");
    assert_eq!(lab.route("R3", "172.16.0.0/16").unwrap().kind, RouteKind::EigrpExternal);
    assert_eq!(lab.route("R3", "10.0.12.0/24").unwrap().kind, RouteKind::EigrpExternal, "RIP runs on it");
    lab.configure("R2", "router eigrp 9\n redistribute rip metric 10000 100 255 1 1500\n");
    lab.run(10);
    // 10^7/10^4 + (100 + 1) delays, times 256.
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::EigrpExternal, 256 * (1000 + 101))));
    assert_eq!(lab.route("R3", "1.1.1.1/32").unwrap().distance, 170);
}

#[test]
fn ospf_takes_everything_with_metric_20_as_type_2_and_tags_pass() {
    let r1 = format!("{} redistribute static\n{STATICS}", rip_all());
    let r2 =
        format!("{OSPF_TO_R3} redistribute rip subnets\n{RIP} network 10.0.0.0\n passive-interface gi0/1\n");
    let mut lab = row(&r1, &r2, OSPF_ALL);
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::OspfExternal2, 20)));
    assert_eq!(route(&lab, "R3", "10.0.12.0/24"), Some((RouteKind::OspfExternal2, 20)), "RIP runs on it");
    assert_eq!(lab.route("R3", "192.168.1.0/24").unwrap().tag, 7, "static, RIP, OSPF");
    lab.configure("R2", "router ospf 1\n redistribute rip subnets metric 50 metric-type 1 tag 99\n");
    lab.run(10);
    let found = lab.route("R3", "192.168.1.0/24").unwrap();
    assert_eq!((found.kind, found.metric, found.tag), (RouteKind::OspfExternal1, 51, 99));
}

#[test]
fn without_subnets_only_classful_networks_enter_ospf() {
    let r1 = format!("{} redistribute static\n{STATICS}", rip_all());
    let r2 = format!("{OSPF_TO_R3} redistribute rip\n{RIP} network 10.0.0.0\n passive-interface gi0/1\n");
    let lab = row(&r1, &r2, OSPF_ALL);
    assert!(lab.route("R3", "192.168.1.0/24").is_some());
    assert!(lab.route("R3", "1.1.1.1/32").is_none());
}

#[test]
fn route_maps_choose_and_change_what_enters() {
    let r1 = format!("{EIGRP_ALL} redistribute static\n{STATICS}");
    let maps = "ip prefix-list ONE permit 192.168.1.0/24\n\
                route-map IN permit 10\n match ip address prefix-list ONE\n set metric 6\n set tag 77\n\
                route-map IN deny 20\n match tag 0\n match ip address 5\n\
                route-map IN permit 30\n set metric 2\naccess-list 5 permit 192.168.2.0 0.0.0.255\n";
    let r2 = into_rip(EIGRP_TO_R1, &format!(" redistribute eigrp 9 metric 4 route-map IN\n{maps}"));
    let lab = row(&r1, &r2, &rip_all());
    let found = lab.route("R3", "192.168.1.0/24").unwrap();
    assert_eq!((found.metric, found.tag), (6, 77));
    assert!(lab.route("R3", "192.168.2.0/24").is_none(), "denied");
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::Rip, 2)));
}

#[test]
fn a_connected_subnet_goes_with_its_protocol_and_with_redistribute_connected_first() {
    let lab = row(OSPF_ALL, &into_rip(OSPF_TO_R1, " redistribute ospf 1 metric 3\n"), &rip_all());
    // R2's RIP runs on 10.0.12.0/24 as well, and tells it as its own.
    assert_eq!(route(&lab, "R3", "10.0.12.0/24"), Some((RouteKind::Rip, 1)));
    let only_external = into_rip(
        "router ospf 1\n network 10.0.12.0 0.0.0.255 area 0\n network 172.31.0.0 0.0.255.255 area 0\n\
         interface lo7\n ip address 172.31.7.1 255.255.255.0\n",
        " redistribute ospf 1 metric 3 match external\n",
    );
    let mut lab = row(OSPF_ALL, &only_external, &rip_all());
    assert_eq!(route(&lab, "R3", "172.31.7.0/24"), None, "internal");
    lab.configure("R2", "router rip\n no redistribute ospf 1\n redistribute ospf 1 metric 3\n");
    lab.run(300);
    assert_eq!(route(&lab, "R3", "172.31.7.0/24"), Some((RouteKind::Rip, 3)));
    lab.configure("R2", "router rip\n redistribute connected metric 2\n");
    lab.run(300);
    assert_eq!(route(&lab, "R3", "172.31.7.0/24"), Some((RouteKind::Rip, 2)));
}

#[test]
fn bgp_takes_the_subnets_that_the_protocol_runs_on_along_with_its_routes() {
    let bgp = |own: u8, neighbor: &str, asn: u8, more: &str| {
        format!(
            "router bgp {own}\n bgp router-id {own}.{own}.{own}.{own}\n neighbor {neighbor} remote-as {asn}\n{more}"
        )
    };
    let r3 = bgp(3, "10.0.23.2", 2, "");
    let rip_to_r1 = format!("{RIP} network 10.0.0.0\n passive-interface gi0/1\n");
    for (protocol, r1, to_r1) in [
        ("ospf 1", OSPF_ALL, OSPF_TO_R1),
        ("eigrp 9", EIGRP_ALL, EIGRP_TO_R1),
        ("rip", &rip_all(), &rip_to_r1),
    ] {
        let r2 = format!("{to_r1}{}", bgp(2, "10.0.23.3", 3, &format!(" redistribute {protocol}\n")));
        let mut lab = row(r1, &r2, &r3);
        assert!(lab.route("R3", "1.1.1.1/32").is_some(), "{protocol}");
        assert_eq!(route(&lab, "R3", "10.0.12.0/24"), Some((RouteKind::BgpExternal, 0)), "{protocol}");
        assert!(lab.reaches("R3", "10.0.12.2"), "{protocol}");
        lab.configure("R2", &format!("router bgp 2\n no redistribute {protocol}\n"));
        lab.run(60);
        assert!(lab.route("R3", "10.0.12.0/24").is_none(), "{protocol}");
    }
    // OSPF's own subnets are internal.
    let r2 = format!(
        "{OSPF_TO_R1}{}",
        bgp(2, "10.0.23.3", 3, " redistribute ospf 1 match external 1 external 2\n")
    );
    let lab = row(OSPF_ALL, &r2, &r3);
    assert!(lab.route("R3", "10.0.12.0/24").is_none() && lab.route("R3", "1.1.1.1/32").is_none());
}

/// RIP on the left with R1, R5 and R6, OSPF on the right with R4; R2 and R3 join them, both ways:
///
/// ```text
///                 R2
///               /    \
/// R6 - R5 - R1        R4
///               \    /
///                 R3
/// ```
fn two_points(border: &str, r3: Arrival) -> Lab {
    let rip = |number: u8, ports: &[u8]| {
        let port = |(index, net): (usize, &u8)| {
            format!("interface gi0/{index}\n ip address 10.0.{net}.{number} 255.255.255.0\n")
        };
        let ports: String = ports.iter().enumerate().map(port).collect();
        format!(
            "{ports}interface lo0\n ip address {number}.{number}.{number}.{number} 255.255.255.255\n{RIP} network 10.0.0.0\n \
             network {number}.0.0.0\n"
        )
    };
    let point = |number: u8, state: &str| {
        format!(
            "interface gi0/0\n ip address 10.0.1{number}.{number} 255.255.255.0\n {state}\n\
             interface gi0/1\n ip address 172.16.{number}4.{number} 255.255.255.0\n\
             {RIP} network 10.0.0.0\nrouter ospf 1\n network 172.16.0.0 0.0.255.255 area 0\n{border}"
        )
    };
    let four = "interface gi0/0\n ip address 172.16.24.4 255.255.255.0\n\
                interface gi0/1\n ip address 172.16.34.4 255.255.255.0\n\
                router ospf 1\n network 172.16.0.0 0.0.255.255 area 0\n";
    let (one, five, six) = (rip(1, &[12, 13, 15]), rip(5, &[15, 56]), rip(6, &[56]));
    let (two, three) =
        (point(2, "no shutdown"), point(3, if r3 == Arrival::Late { "shutdown" } else { "no shutdown" }));
    let mut lab = Lab::new(
        6,
        &[("R1", &one), ("R2", &two), ("R3", &three), ("R4", four), ("R5", &five), ("R6", &six)],
        &[
            &["R1 gi0/0", "R2 gi0/0"],
            &["R1 gi0/1", "R3 gi0/0"],
            &["R2 gi0/1", "R4 gi0/0"],
            &["R3 gi0/1", "R4 gi0/1"],
            &["R1 gi0/2", "R5 gi0/0"],
            &["R5 gi0/1", "R6 gi0/0"],
        ],
    );
    lab.run(120);
    lab.configure("R3", "interface gi0/0\n no shutdown\n");
    lab.run(120);
    lab
}

/// When R3's link to R1 comes up: with the others, or after OSPF has told R3 everything.
#[derive(Clone, Copy, PartialEq)]
enum Arrival {
    Early,
    Late,
}

const MUTUAL: &str = "router rip\n redistribute ospf 1 metric 1\nrouter ospf 1\n redistribute rip subnets\n";

#[test]
fn at_the_second_point_of_mutual_redistribution_ospf_beats_rip_and_takes_the_long_way() {
    let mut lab = two_points(MUTUAL, Arrival::Late);
    assert_eq!(route(&lab, "R2", "1.1.1.1/32"), Some((RouteKind::Rip, 1)));
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::OspfExternal2, 20)), "110 is less than 120");
    assert_eq!(lab.path("R3", None, "1.1.1.1"), ["172.16.34.4", "172.16.24.2", "10.0.12.1"]);
}

#[test]
fn what_returns_with_a_better_metric_makes_a_loop() {
    let mut lab = two_points(MUTUAL, Arrival::Late);
    assert_eq!(route(&lab, "R1", "6.6.6.6/32"), Some((RouteKind::Rip, 1)), "2 by R5, 1 by R3");
    assert_eq!(lab.next_hops("R1", "6.6.6.6/32"), ["10.0.13.3".parse::<std::net::Ipv4Addr>().unwrap()]);
    let path = lab.path("R1", None, "6.6.6.6");
    assert_eq!(path[..4], path[4..8], "{path:?}");
    assert!(!lab.reaches("R1", "6.6.6.6"));
}

#[test]
fn tags_keep_what_came_from_rip_from_returning() {
    let tags = "route-map TO-OSPF permit 10\n set tag 120\n\
                route-map TO-RIP deny 5\n match tag 120\nroute-map TO-RIP permit 10\n\
                router rip\n redistribute ospf 1 metric 1 route-map TO-RIP\n\
                router ospf 1\n redistribute rip subnets route-map TO-OSPF\n";
    let mut lab = two_points(tags, Arrival::Late);
    assert_eq!(lab.route("R4", "6.6.6.6/32").unwrap().tag, 120);
    assert_eq!(route(&lab, "R1", "6.6.6.6/32"), Some((RouteKind::Rip, 2)));
    assert!(lab.reaches("R1", "6.6.6.6") && lab.reaches("R4", "6.6.6.6"));
    assert_eq!(lab.path("R3", None, "6.6.6.6").len(), 5, "it still takes the long way");
    assert_eq!(route(&lab, "R1", "172.16.34.0/24"), Some((RouteKind::Rip, 1)), "OSPF's own comes in");
}

#[test]
fn distance_cures_the_loop_and_the_long_way() {
    let border = format!("{MUTUAL}router ospf 1\n distance ospf external 125\n");
    let mut lab = two_points(&border, Arrival::Early);
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::Rip, 1)));
    assert_eq!(route(&lab, "R1", "6.6.6.6/32"), Some((RouteKind::Rip, 2)));
    assert_eq!(lab.path("R3", None, "6.6.6.6").len(), 3);
    assert_eq!(lab.next_hops("R4", "6.6.6.6/32").len(), 2, "both points tell it");
    // Also where OSPF was there first, and its route is told in RIP.
    let lab = two_points(&border, Arrival::Late);
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((RouteKind::Rip, 1)));
}
