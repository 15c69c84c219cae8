//! EIGRP from configuration lines to routes and packets.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_cli_dialect::session::{Session, execute_read_only};
use netconfarena_emu::rib::RouteKind;

mod lab;

use lab::Lab;

/// R1 - R2 - R3 in a row. R1 has 1.1.1.1 and the subnets 172.16.1.0/24 to 172.16.3.0/24, R3 has 3.3.3.3. Only their own lines make them run EIGRP.
fn row(lines: [&str; 3]) -> Lab {
    let interfaces = [
        "interface lo0\n ip address 1.1.1.1 255.255.255.255\ninterface lo1\n ip address 172.16.1.1 255.255.255.0\n\
         interface lo2\n ip address 172.16.2.1 255.255.255.0\ninterface lo3\n ip address 172.16.3.1 255.255.255.0\n\
         interface gi0/0\n ip address 10.0.12.1 255.255.255.0\n",
        "interface gi0/0\n ip address 10.0.12.2 255.255.255.0\ninterface gi0/1\n ip address 10.0.23.2 255.255.255.0\n",
        "interface lo0\n ip address 3.3.3.3 255.255.255.255\ninterface gi0/0\n ip address 10.0.23.3 255.255.255.0\n",
    ];
    let texts: Vec<String> =
        interfaces.iter().zip(lines).map(|(first, more)| format!("{first}{more}")).collect();
    let routers: Vec<(&str, &str)> =
        ["R1", "R2", "R3"].into_iter().zip(texts.iter().map(String::as_str)).collect();
    let mut lab = Lab::new(8, &routers, &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]]);
    lab.run(20);
    lab
}

const ALL: &str = "router eigrp 1\n network 0.0.0.0\n";

fn has(lab: &Lab, router: &str, prefix: &str) -> bool {
    lab.route(router, prefix)
        .is_some_and(|route| matches!(route.kind, RouteKind::EigrpInternal | RouteKind::EigrpExternal))
}

fn show(lab: &mut Lab, router: &str, command: &str) -> String {
    let node = lab.node(router);
    execute_read_only(&mut lab.network, node, command).unwrap()
}

#[test]
fn a_summary_hides_its_components_but_for_those_that_its_leak_map_lets_out() {
    let leak = format!(
        "{ALL}interface gi0/0\n ip summary-address eigrp 1 172.16.0.0 255.255.0.0 leak-map LEAK\n\
         route-map LEAK permit 10\n match ip address 5\naccess-list 5 permit 172.16.2.0 0.0.0.255\n"
    );
    let mut lab = row([&leak, ALL, ALL]);
    let known = ["172.16.0.0/16", "172.16.1.0/24", "172.16.2.0/24", "172.16.3.0/24"]
        .map(|prefix| has(&lab, "R3", prefix));
    assert_eq!(known, [true, false, true, false]);
    assert!(lab.reaches("R3", "172.16.1.1") && lab.reaches("R3", "172.16.2.1"));
    // What is in the summary and nowhere else ends at its maker.
    assert!(!lab.reaches("R3", "172.16.9.1"));
    assert_eq!(lab.route("R1", "172.16.0.0/16").unwrap().kind, RouteKind::EigrpSummary);
    // The list decides anew.
    lab.configure("R1", "no access-list 5\naccess-list 5 permit 172.16.3.0 0.0.0.255\n");
    lab.run(20);
    assert!(has(&lab, "R3", "172.16.3.0/24") && !has(&lab, "R3", "172.16.2.0/24"));
}

#[test]
fn a_default_summary_serves_for_everything() {
    let two = format!("{ALL}interface gi0/1\n ip summary-address eigrp 1 0.0.0.0 0.0.0.0 200\n");
    let mut lab = row([ALL, &two, ALL]);
    assert!(has(&lab, "R3", "0.0.0.0/0") && !has(&lab, "R3", "1.1.1.1/32"));
    assert!(lab.reaches("R3", "172.16.3.1"));
    assert_eq!(lab.route("R2", "0.0.0.0/0").map(|route| route.distance), Some(200));
}

#[test]
fn a_stub_tells_of_what_it_has_learned_only_by_its_leak_map() {
    let stub = format!("{ALL} eigrp stub connected\n");
    let mut lab = row([ALL, &stub, ALL]);
    assert!(has(&lab, "R3", "10.0.12.0/24") && !has(&lab, "R3", "1.1.1.1/32"));
    assert!(!lab.reaches("R3", "1.1.1.1"));
    lab.configure(
        "R2",
        "router eigrp 1\n no eigrp stub\n eigrp stub connected leak-map OUT\nroute-map OUT permit 10\n match ip address prefix-list ONE\n\
         ip prefix-list ONE permit 1.1.1.1/32\n",
    );
    lab.run(20);
    assert!(has(&lab, "R3", "1.1.1.1/32") && !has(&lab, "R3", "172.16.1.0/24"));
    assert!(lab.reaches_from("R1", Some("1.1.1.1"), "10.0.23.3"));
    assert!(show(&mut lab, "R1", "show ip eigrp neighbors detail").contains("Stub Peer Advertising"));
}

#[test]
fn named_mode_runs_beside_classic_mode_with_its_own_interface_sections() {
    let named = "router eigrp LAB\n address-family ipv4 unicast autonomous-system 1\n  network 0.0.0.0\n  \
                 af-interface default\n   hello-interval 2\n   hold-time 6\n  exit-af-interface\n  \
                 af-interface Loopback2\n   shutdown\n  exit-af-interface\n  \
                 af-interface GigabitEthernet0/0\n   summary-address 172.16.0.0 255.255.0.0 leak-map LEAK\n  exit-af-interface\n  \
                 topology base\n   summary-metric 172.16.0.0 255.255.0.0 1000000 50 255 1 1500\n   distance eigrp 95 175\n  exit-af-topology\n\
                 route-map LEAK permit 10\n match ip address prefix-list ONE\nip prefix-list ONE permit 172.16.3.0/24\n";
    let mut lab = row([named, ALL, ALL]);
    let known = ["172.16.0.0/16", "172.16.1.0/24", "172.16.2.0/24", "172.16.3.0/24"]
        .map(|prefix| has(&lab, "R3", prefix));
    assert_eq!(known, [true, false, false, true]);
    assert_eq!(
        lab.route("R2", "172.16.0.0/16").unwrap().metric,
        256 * (10 + 50 + 1),
        "the summary's own metric"
    );
    assert_eq!(lab.route("R1", "3.3.3.3/32").unwrap().distance, 95);
    assert!(lab.reaches_from("R3", Some("3.3.3.3"), "172.16.3.1"));
    for command in ["neighbors", "topology", "interfaces", "traffic"] {
        let new = show(&mut lab, "R1", &format!("show eigrp address-family ipv4 {command}"));
        assert!(new.starts_with("EIGRP-IPv4 VR(LAB)"), "{command}: {new}");
        assert_eq!(new, show(&mut lab, "R1", &format!("show ip eigrp {command}")), "{command}");
    }
}

#[test]
fn keys_by_their_lifetimes_and_passwords_authenticate() {
    let chain = |text: &str| {
        format!(
            "{ALL}interface gi0/1\n ip authentication mode eigrp 1 md5\n ip authentication key-chain eigrp 1 K\nkey chain K\n key 1\n  key-string {text}\n"
        )
    };
    let three = chain("right").replace("gi0/1", "gi0/0");
    let mut lab = row([ALL, &chain("wrong"), &three]);
    assert!(!has(&lab, "R3", "1.1.1.1/32") && !lab.reaches("R3", "1.1.1.1"));
    lab.configure("R2", "key chain K\n key 1\n  key-string right\n");
    lab.run(20);
    assert!(has(&lab, "R3", "1.1.1.1/32") && lab.reaches("R3", "1.1.1.1"));
    // The key is not sent any more from ten minutes after midnight, when networks are switched on, and not taken.
    lab.configure("R3", "key chain K\n key 1\n  accept-lifetime 00:00:00 Jan 1 2000 00:00:30 Jan 1 2000\n");
    lab.run(60);
    assert!(!has(&lab, "R3", "1.1.1.1/32"), "no key is valid");
}

/// Two routers in named mode with passwords.
#[test]
fn hmac_sha_256_keeps_out_who_has_another_password() {
    let named = |port: &str, password: &str| {
        format!(
            "router eigrp LAB\n address-family ipv4 unicast autonomous-system 1\n  network 0.0.0.0\n  \
             af-interface {port}\n   authentication mode hmac-sha-256 {password}\n"
        )
    };
    let (two, three) = (named("GigabitEthernet0/1", "secret"), named("GigabitEthernet0/0", "other"));
    let mut lab = row([ALL, &two, &three]);
    assert!(!has(&lab, "R3", "1.1.1.1/32") && !lab.reaches("R3", "1.1.1.1"));
    lab.configure("R3", &named("GigabitEthernet0/0", "secret"));
    lab.run(20);
    assert!(has(&lab, "R3", "1.1.1.1/32") && lab.reaches("R3", "1.1.1.1"));
}

#[test]
fn a_small_share_of_the_bandwidth_makes_a_large_table_slow() {
    let statics: String = (0..150).map(|n| format!("ip route 192.168.{n}.0 255.255.255.0 Null0\n")).collect();
    let told = |percent: &str| {
        let one = format!("{statics}{ALL} redistribute static\ninterface gi0/0\n bandwidth 64\n{percent}");
        let lab = row([&one, ALL, ALL]);
        (0..150).filter(|n| has(&lab, "R3", &format!("192.168.{n}.0/24"))).count()
    };
    assert_eq!(told(""), 150, "half of the bandwidth");
    let slow = told(" ip bandwidth-percent eigrp 1 2\n");
    assert!((1..150).contains(&slow), "{slow}");
}

#[test]
fn lists_filter_by_prefix_gateway_route_map_and_interface() {
    let lists = "ip prefix-list NO deny 172.16.1.0/24\nip prefix-list NO permit 0.0.0.0/0 le 32\n\
                 ip prefix-list R2 deny 10.0.23.2/32\nip prefix-list R2 permit 0.0.0.0/0 le 32\n\
                 access-list 7 deny 172.16.2.0\naccess-list 7 permit any\n\
                 route-map ONLY permit 10\n match ip address prefix-list HOST\nip prefix-list HOST permit 1.1.1.1/32\n";
    let mut lab = row([
        ALL,
        &format!("{lists}{ALL} distribute-list prefix NO out gi0/1\n distribute-list 7 in\n"),
        &format!("{lists}{ALL}"),
    ]);
    let known = |lab: &Lab| {
        ["172.16.1.0/24", "172.16.2.0/24", "172.16.3.0/24", "1.1.1.1/32"].map(|prefix| has(lab, "R3", prefix))
    };
    assert_eq!(known(&lab), [false, false, true, true]);
    assert!(has(&lab, "R2", "172.16.1.0/24") && !has(&lab, "R2", "172.16.2.0/24"));
    assert!(lab.reaches("R3", "172.16.3.1") && !lab.reaches("R3", "172.16.1.1"));
    lab.configure("R3", "router eigrp 1\n distribute-list route-map ONLY in\n");
    lab.run(20);
    assert_eq!(known(&lab), [false, false, false, true]);
    lab.configure(
        "R3",
        "router eigrp 1\n no distribute-list route-map ONLY in\n distribute-list gateway R2 in\n",
    );
    lab.run(20);
    assert_eq!(known(&lab), [false; 4], "nothing of R2");
}

#[test]
fn neighbors_are_cleared_by_interface_and_softly() {
    let mut lab = row([
        ALL,
        &format!("{ALL} eigrp log-neighbor-changes\n"),
        &format!("{ALL} no eigrp log-neighbor-changes\n"),
    ]);
    let mut session = Session::privileged(lab.node("R2"));
    let before = lab.log("R2").len();
    assert_eq!(session.execute(&mut lab.network, "clear ip eigrp neighbors gi0/1 soft"), "");
    lab.run(5);
    let logged = lab.log("R2").split_off(before);
    assert_eq!(
        logged,
        [
            "%DUAL-5-NBRCHANGE: EIGRP-IPv4 1: Neighbor 10.0.23.3 (GigabitEthernet0/1) is resync: manually cleared"
        ]
    );
    assert_eq!(
        session.execute(&mut lab.network, "clear eigrp address-family ipv4 1 neighbors 10.0.12.1"),
        ""
    );
    let logged = lab.log("R2").split_off(before + 1);
    assert_eq!(
        logged,
        [
            "%DUAL-5-NBRCHANGE: EIGRP-IPv4 1: Neighbor 10.0.12.1 (GigabitEthernet0/0) is down: manually cleared"
        ]
    );
    lab.run(20);
    assert!(lab.reaches("R3", "1.1.1.1"));
    assert!(!lab.log("R3").iter().any(|line| line.contains("NBRCHANGE")), "R3 logs nothing of its neighbors");
}

#[test]
fn unequal_paths_show_their_own_metrics_and_shares() {
    let both = |delay: &str, last: u8| {
        format!(
            "interface gi0/0\n ip address 10.0.1.{last} 255.255.255.0\n no shutdown\n\
             interface gi0/1\n ip address 10.0.2.{last} 255.255.255.0\n delay {delay}\n no shutdown\n\
             router eigrp 1\n network 10.0.0.0\n network 192.0.2.0\n variance 4\n"
        )
    };
    let second = format!("{}interface Loopback0\n ip address 192.0.2.1 255.255.255.255\n", both("5", 2));
    let routers = [("R1", both("5", 1)), ("R2", second)];
    let named: Vec<(&str, &str)> = routers.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let mut lab = Lab::new(1, &named, &[&["R1 gi0/0", "R2 gi0/0"], &["R1 gi0/1", "R2 gi0/1"]]);
    lab.run(60);
    let table = show(&mut lab, "R1", "show ip route eigrp");
    assert!(
        table.contains("[90/130816] via 10.0.1.2,") && table.contains("[90/131840] via 10.0.2.2,"),
        "{table}"
    );
    let entry = show(&mut lab, "R1", "show ip route 192.0.2.1");
    assert!(entry.contains("Route metric is 130816, traffic share count is 240"), "{entry}");
    assert!(entry.contains("Route metric is 131840, traffic share count is 238"), "{entry}");
}

#[test]
fn a_default_network_serves_for_everything_and_its_mark_passes_by_eigrp() {
    // R2 knows 172.16.0.0/16 by R1, R3 by R2; only R1 names it.
    let one = format!(
        "{ALL}interface gi0/0\n ip summary-address eigrp 1 172.16.0.0 255.255.0.0\nip route 192.168.7.0 255.255.255.0 Null0\n"
    );
    let redistribute = "router eigrp 1\n redistribute static\nip default-network 192.168.7.0\n";
    let mut lab = row([&one, ALL, ALL]);
    assert!(!lab.reaches("R3", "192.168.99.1"));
    assert!(show(&mut lab, "R3", "show ip route").contains("Gateway of last resort is not set"));
    lab.configure("R1", redistribute);
    lab.run(20);
    let table = show(&mut lab, "R3", "show ip route");
    assert!(table.contains("Gateway of last resort is 10.0.23.2 to network 192.168.7.0"), "{table}");
    assert!(table.contains("D*EX  192.168.7.0"), "{table}");
    assert!(show(&mut lab, "R3", "show ip eigrp topology 192.168.7.0/24").contains("Exterior flag is set"));
    // R1 itself has no gateway: packets get as far as it.
    assert_eq!(lab.path("R3", None, "192.168.99.1")[..2], ["10.0.23.2", "10.0.12.1"]);
    lab.configure("R2", "router eigrp 1\n no default-information out\n");
    lab.run(20);
    assert!(show(&mut lab, "R3", "show ip route").contains("Gateway of last resort is not set"));
    assert!(
        has(&lab, "R3", "192.168.7.0/24")
            && show(&mut lab, "R2", "show ip route").contains("to network 192.168.7.0")
    );
    lab.configure("R2", "router eigrp 1\n default-information out\n no default-information in\n");
    lab.run(20);
    assert!(show(&mut lab, "R2", "show ip route").contains("Gateway of last resort is not set"));
    let protocols = show(&mut lab, "R2", "show ip protocols");
    assert!(
        protocols.contains("Default networks flagged in")
            && protocols.contains("Default networks not accepted")
    );
    // A default route goes before default networks.
    lab.configure("R3", "ip default-network 192.168.7.0\nip route 0.0.0.0 0.0.0.0 10.0.23.2 250\n");
    lab.run(20);
    assert!(
        show(&mut lab, "R3", "show ip route")
            .contains("Gateway of last resort is 10.0.23.2 to network 0.0.0.0")
    );
    lab.configure("R3", "no ip route 0.0.0.0 0.0.0.0 10.0.23.2 250\n");
    lab.run(20);
    assert!(
        show(&mut lab, "R3", "show ip route")
            .contains("Gateway of last resort is 10.0.23.2 to network 192.168.7.0")
    );
}

#[test]
fn passive_by_default_the_exceptions_speak() {
    let passive = format!("{ALL} passive-interface default\n no passive-interface gi0/0\n");
    let lab = row([ALL, &passive, ALL]);
    assert!(has(&lab, "R1", "10.0.23.0/24"), "the subnet of a passive interface is told");
    assert!(!has(&lab, "R1", "3.3.3.3/32") && !has(&lab, "R3", "1.1.1.1/32"));
    let named = "router eigrp LAB\n address-family ipv4 unicast autonomous-system 1\n  network 0.0.0.0\n  \
                 af-interface default\n   passive-interface\n  exit-af-interface\n  \
                 af-interface gi0/1\n   no passive-interface\n";
    let lab = row([ALL, named, ALL]);
    assert!(has(&lab, "R3", "10.0.12.0/24"));
    assert!(!has(&lab, "R1", "3.3.3.3/32") && !has(&lab, "R3", "1.1.1.1/32"));
}

#[test]
fn offsets_distances_and_the_most_hops_by_their_lines() {
    let lists = format!(
        "{ALL} offset-list 5 out 1000 gi0/1\n offset-list 5 out 70 gi0/0\naccess-list 5 permit 172.16.1.0 0.0.0.255\n"
    );
    let external = format!("{ALL} redistribute static\nip route 192.168.9.0 255.255.255.0 Null0\n");
    let mut lab = row([&external, &lists, &format!("{ALL} distance eigrp 80 150\n")]);
    let route = |lab: &Lab, prefix: &str| lab.route("R3", prefix).map(|route| (route.metric, route.distance));
    let (plain, distance) = route(&lab, "172.16.2.0/24").unwrap();
    assert_eq!(distance, 80);
    assert_eq!(
        route(&lab, "172.16.1.0/24"),
        Some((plain + 1000, 80)),
        "the offset of the other interface does not count"
    );
    assert_eq!(route(&lab, "192.168.9.0/24").unwrap().1, 150);
    lab.configure("R3", "router eigrp 1\n metric maximum-hops 1\n");
    lab.run(20);
    assert!(has(&lab, "R3", "10.0.12.0/24") && !has(&lab, "R3", "1.1.1.1/32"));
    assert!(!lab.reaches("R3", "1.1.1.1"));
    lab.configure("R3", "router eigrp 1\n no metric maximum-hops\n no distance eigrp\n");
    lab.run(20);
    assert_eq!(route(&lab, "172.16.2.0/24"), Some((plain, 90)));
}

#[test]
fn all_links_are_shown_also_those_that_are_not_feasible() {
    // R1 and R3 have a slow second way to each other.
    let slow =
        |net: u8| format!("{ALL}interface gi0/5\n ip address 10.0.13.{net} 255.255.255.0\n delay 100000\n");
    let texts = [
        format!(
            "interface lo0\n ip address 1.1.1.1 255.255.255.255\ninterface gi0/0\n ip address 10.0.12.1 255.255.255.0\n{}",
            slow(1)
        ),
        format!(
            "interface gi0/0\n ip address 10.0.12.2 255.255.255.0\ninterface gi0/1\n ip address 10.0.23.2 255.255.255.0\n delay 9000\n{ALL}"
        ),
        format!("interface gi0/0\n ip address 10.0.23.3 255.255.255.0\n delay 9000\n{}", slow(3)),
    ];
    let mut lab = Lab::new(
        8,
        &[("R1", &texts[0]), ("R2", &texts[1]), ("R3", &texts[2])],
        &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"], &["R1 gi0/5", "R3 gi0/5"]],
    );
    lab.run(20);
    // Seen from R2, R3's way to 1.1.1.1 is no feasible one: R3's own best way leads over R2.
    let few = show(&mut lab, "R2", "show ip eigrp topology");
    let all = show(&mut lab, "R2", "show ip eigrp topology all-links");
    let ways = |text: &str| {
        let from = text.find("P 1.1.1.1/32").unwrap();
        text[from..].lines().skip(1).take_while(|line| line.starts_with(' ')).count()
    };
    assert_eq!(ways(&few), 1, "{few}");
    assert!(all.contains("serno"), "{all}");
    let r3 = show(&mut lab, "R3", "show ip eigrp topology all-links");
    assert_eq!(ways(&r3), 2, "{r3}");
    assert!(r3.contains("via 10.0.13.1 ") && r3.contains("via 10.0.23.2 "), "{r3}");
}
