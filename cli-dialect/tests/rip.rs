//! RIP from configuration lines to routes and packets.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_cli_dialect::session::execute_read_only;
use netconfarena_emu::rib::{RouteKind, TableId};

mod lab;

use lab::Lab;

/// R1 - R2 - R3 in a row with loopbacks 1.1.1.1, 2.2.2.2 and 3.3.3.3; all run RIP version 2 on everything.
fn row(more: [&str; 3]) -> Lab {
    let rip = "router rip\n version 2\n network 0.0.0.0\n no auto-summary\n";
    let interfaces = [
        "interface lo0\n ip address 1.1.1.1 255.255.255.255\ninterface gi0/0\n ip address 10.0.12.1 255.255.255.0\n",
        "interface lo0\n ip address 2.2.2.2 255.255.255.255\ninterface gi0/0\n ip address 10.0.12.2 255.255.255.0\n\
         interface gi0/1\n ip address 10.0.23.2 255.255.255.0\n",
        "interface lo0\n ip address 3.3.3.3 255.255.255.255\ninterface gi0/0\n ip address 10.0.23.3 255.255.255.0\n",
    ];
    let texts: Vec<String> = (0..3).map(|i| format!("{}{rip}{}", interfaces[i], more[i])).collect();
    let routers: Vec<(&str, &str)> =
        ["R1", "R2", "R3"].into_iter().zip(texts.iter().map(String::as_str)).collect();
    let mut lab = Lab::new(4, &routers, &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]]);
    lab.run(20);
    lab
}

fn metric(lab: &Lab, router: &str, prefix: &str) -> Option<u32> {
    lab.route(router, prefix).filter(|route| route.kind == RouteKind::Rip).map(|route| route.metric)
}

#[test]
fn lines_make_routes_that_carry_packets() {
    let mut lab = row([""; 3]);
    assert_eq!(metric(&lab, "R3", "1.1.1.1/32"), Some(2));
    assert!(lab.reaches_from("R1", Some("1.1.1.1"), "3.3.3.3"));
    lab.configure("R1", "no router rip");
    lab.run(20);
    assert!(!lab.reaches("R1", "3.3.3.3"));
}

#[test]
fn redistribution_default_offset_and_filter_lines_do_what_they_say() {
    let lab = row([
        "ip route 192.168.1.0 255.255.255.0 Null0\nip route 192.168.2.0 255.255.255.0 Null0\n\
         router rip\n redistribute static metric 3\n default-information originate\n",
        "access-list 5 permit 192.168.1.0 0.0.0.255\nip prefix-list NO2 deny 192.168.2.0/24\n\
         ip prefix-list NO2 permit 0.0.0.0/0 le 32\n\
         router rip\n offset-list 5 in 4 gi0/0\n distribute-list prefix NO2 out gi0/1\n",
        "router rip\n distance 77\n",
    ]);
    assert_eq!(metric(&lab, "R2", "192.168.2.0/24"), Some(3));
    assert_eq!(metric(&lab, "R2", "192.168.1.0/24"), Some(7), "3 of redistribution, 4 of the offset");
    assert_eq!(metric(&lab, "R3", "192.168.1.0/24"), Some(8));
    assert_eq!(metric(&lab, "R3", "192.168.2.0/24"), None, "filtered");
    assert_eq!(metric(&lab, "R3", "0.0.0.0/0"), Some(2));
    assert_eq!(lab.route("R3", "0.0.0.0/0").unwrap().distance, 77);
}

#[test]
fn lines_on_interfaces_do_what_they_say() {
    let key = "key chain K\n key 1\n  key-string secret\ninterface gi0/0\n ip rip authentication key-chain K\n \
               ip rip authentication mode md5\n";
    let mut lab = row([
        key,
        "",
        "interface lo1\n ip address 172.16.1.1 255.255.255.0\n\
                                 interface lo2\n ip address 172.16.2.1 255.255.255.0\n\
                                 interface gi0/0\n ip summary-address rip 172.16.0.0 255.255.0.0\n",
    ]);
    assert_eq!(metric(&lab, "R2", "1.1.1.1/32"), None, "R2 has no key");
    assert_eq!(metric(&lab, "R2", "172.16.0.0/16"), Some(1));
    assert_eq!(metric(&lab, "R2", "172.16.1.0/24"), None, "part of the summary");
    lab.configure("R2", key);
    lab.run(40);
    assert_eq!(metric(&lab, "R2", "1.1.1.1/32"), Some(1));
    assert_eq!(metric(&lab, "R1", "172.16.0.0/16"), Some(2));
}

#[test]
fn a_passive_default_leaves_the_exceptions_speaking() {
    let mut lab = row(["", "router rip\n passive-interface default\n no passive-interface gi0/1\n", ""]);
    lab.run(30);
    assert_eq!(metric(&lab, "R1", "2.2.2.2/32"), None);
    assert_eq!(metric(&lab, "R3", "2.2.2.2/32"), Some(1));
    assert_eq!(metric(&lab, "R3", "1.1.1.1/32"), Some(2), "R2 listens to R1");
}

#[test]
fn a_flash_update_threshold_leaves_news_to_the_next_regular_update() {
    let mut lab = row(["", "router rip\n flash-update-threshold 30\n", ""]);
    lab.run(20);
    assert_eq!(metric(&lab, "R3", "1.1.1.1/32"), Some(2));
    lab.configure("R1", "interface lo1\n ip address 11.1.1.1 255.255.255.255\n");
    lab.run(1);
    assert_eq!(metric(&lab, "R2", "11.1.1.1/32"), Some(1), "R1 has no threshold");
    assert_eq!(metric(&lab, "R3", "11.1.1.1/32"), None);
    lab.run(30);
    assert_eq!(metric(&lab, "R3", "11.1.1.1/32"), Some(2));
}

#[test]
fn instances_of_vrfs_do_not_mix() {
    let vrfs = "vrf definition RED\n address-family ipv4\nvrf definition BLUE\n address-family ipv4\n";
    let pe = format!(
        "{vrfs}interface gi0/0\n vrf forwarding RED\n ip address 10.0.12.2 255.255.255.0\n\
         interface gi0/1\n vrf forwarding RED\n ip address 10.0.23.2 255.255.255.0\n\
         interface gi0/2\n vrf forwarding BLUE\n ip address 10.0.24.2 255.255.255.0\n\
         router rip\n address-family ipv4 vrf RED\n  version 2\n  network 10.0.0.0\n  no auto-summary\n \
         address-family ipv4 vrf BLUE\n  version 2\n  network 10.0.0.0\n  no auto-summary\n"
    );
    let ce = |number: u8, net: u8| {
        format!(
            "interface lo0\n ip address {number}.{number}.{number}.{number} 255.255.255.255\n\
             interface gi0/0\n ip address 10.0.{net}.{number} 255.255.255.0\n\
             router rip\n version 2\n network 0.0.0.0\n no auto-summary\n"
        )
    };
    let (one, three, four) = (ce(1, 12), ce(3, 23), ce(4, 24));
    let mut lab = Lab::new(
        4,
        &[("R1", &one), ("R2", &pe), ("R3", &three), ("R4", &four)],
        &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"], &["R2 gi0/2", "R4 gi0/0"]],
    );
    lab.run(20);
    assert_eq!(metric(&lab, "R3", "1.1.1.1/32"), Some(2));
    assert_eq!(metric(&lab, "R4", "1.1.1.1/32"), None);
    assert!(lab.reaches_from("R1", Some("1.1.1.1"), "3.3.3.3"));
    let router = lab.network.router(lab.node("R2"));
    assert_eq!(router.rib().routes(TableId::default()).count(), 0, "nothing in the global table");
    lab.configure("R2", "no vrf definition RED");
    assert!(lab.network.router(lab.node("R2")).config().rip.as_ref().unwrap().vrfs.contains_key("BLUE"));
    lab.run(20);
    assert!(!lab.reaches("R1", "3.3.3.3"));
}

#[test]
fn the_age_of_a_route_is_that_of_the_last_update() {
    let mut lab = row(["", "", ""]);
    lab.run(600);
    let node = lab.node("R1");
    for line in ["show ip route rip", "show ip route 10.0.23.0"] {
        let text = execute_read_only(&mut lab.network, node, line).unwrap();
        assert!(text.contains("00:00:") && !text.contains("00:10:"), "{text}");
    }
}

#[test]
fn a_default_network_is_told_as_default() {
    let network = "interface lo7\n ip address 192.168.7.1 255.255.255.0\n";
    let ours = |lines: &str| format!("{network}router rip\n no network 0.0.0.0\n network 10.0.0.0\n{lines}");
    // A connected one, which RIP itself need not know.
    let mut lab = row([&ours("ip default-network 192.168.7.0\n"), "", ""]);
    assert_eq!(metric(&lab, "R3", "192.168.7.0/24"), None);
    assert_eq!((metric(&lab, "R2", "0.0.0.0/0"), metric(&lab, "R3", "0.0.0.0/0")), (Some(1), Some(2)));
    assert!(lab.reaches("R3", "192.168.7.1"), "by the default");
    lab.configure("R1", "no ip default-network 192.168.7.0\n");
    lab.run(300);
    assert_eq!(metric(&lab, "R3", "0.0.0.0/0"), None);
    // One by a static route, as long as it is the gateway of last resort.
    let to_r3 = "ip route 192.168.7.0 255.255.255.0 10.0.23.3\nip default-network 192.168.7.0\n";
    let mut lab = row(["", to_r3, &ours("")]);
    assert_eq!(metric(&lab, "R1", "0.0.0.0/0"), Some(1));
    assert!(lab.reaches("R1", "192.168.7.1"));
    lab.configure("R2", "ip route 0.0.0.0 0.0.0.0 10.0.23.3\n");
    lab.run(300);
    assert_eq!(metric(&lab, "R1", "0.0.0.0/0"), None);
    lab.configure(
        "R2",
        "no ip route 0.0.0.0 0.0.0.0 10.0.23.3\nno ip route 192.168.7.0 255.255.255.0 10.0.23.3\n",
    );
    lab.run(300);
    assert_eq!(metric(&lab, "R1", "0.0.0.0/0"), None, "the network is unknown");
    // One that RIP has learned is not told as default to where it was learned.
    let lab = row(["", "ip default-network 192.168.7.0\n", network]);
    assert_eq!(metric(&lab, "R2", "192.168.7.0/24"), Some(1));
    assert_eq!((metric(&lab, "R1", "0.0.0.0/0"), metric(&lab, "R3", "0.0.0.0/0")), (Some(1), None));
}

#[test]
fn a_default_by_a_route_map_is_told_while_there_is_a_route_that_it_permits() {
    let condition = "router rip\n default-information originate route-map WAN\nroute-map WAN permit 10\n match ip address 7\n \
                     set metric 4\naccess-list 7 permit 203.0.113.0 0.0.0.255\n";
    let mut lab = row([condition, "", ""]);
    assert_eq!(metric(&lab, "R2", "0.0.0.0/0"), None);
    lab.configure("R1", "ip route 203.0.113.0 255.255.255.0 Null0\n");
    lab.run(20);
    assert_eq!((metric(&lab, "R2", "0.0.0.0/0"), metric(&lab, "R3", "0.0.0.0/0")), (Some(4), Some(5)));
    lab.configure("R1", "no ip route 203.0.113.0 255.255.255.0 Null0\n");
    lab.run(300);
    assert_eq!(metric(&lab, "R3", "0.0.0.0/0"), None);
}
