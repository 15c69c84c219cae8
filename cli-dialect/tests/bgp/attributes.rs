//! Extended communities, AIGP, policy lists and dampening by route map, from lines to routes and show commands.

use netconfarena_cli_dialect::session::execute_read_only;

use super::*;

/// R1 (AS 1), R2 and R3 (AS 2), R4 (AS 4) in a row; R1 tells 172.16.1.0/24 by the route map SET, and 172.16.9.0/24. OSPF runs between R2 and R3 and on
/// R2's link to R1. The lines stand behind each router's `router bgp`.
fn row(lines: [&str; 4]) -> Lab {
    let [l1, l2, l3, l4] = lines;
    let port = |number: u32, address: &str, more: &str| {
        format!(
            "interface GigabitEthernet0/{number}\n ip address {address} 255.255.255.0\n{more} no shutdown\n"
        )
    };
    let r1 = format!(
        "hostname R1\n{}ip route 172.16.1.0 255.255.255.0 Null0\nip route 172.16.9.0 255.255.255.0 Null0\n\
         router bgp 1\n network 172.16.1.0 mask 255.255.255.0 route-map SET\n network 172.16.9.0 mask 255.255.255.0\n \
         neighbor 10.1.2.2 remote-as 2\n{l1}",
        port(1, "10.1.2.1", "")
    );
    let r2 = format!(
        "hostname R2\n{}{}router ospf 1\n network 10.0.0.0 0.255.255.255 area 0\nrouter bgp 2\n neighbor 10.1.2.1 remote-as 1\n \
         neighbor 10.2.3.3 remote-as 2\n{l2}",
        port(0, "10.1.2.2", " ip ospf cost 3\n"),
        port(1, "10.2.3.2", "")
    );
    let r3 = format!(
        "hostname R3\n{}{}router ospf 1\n network 10.2.3.0 0.0.0.255 area 0\nrouter bgp 2\n neighbor 10.2.3.2 remote-as 2\n \
         neighbor 10.3.4.4 remote-as 4\n{l3}",
        port(0, "10.2.3.3", " ip ospf cost 7\n"),
        port(1, "10.3.4.3", "")
    );
    let r4 =
        format!("hostname R4\n{}router bgp 4\n neighbor 10.3.4.3 remote-as 2\n{l4}", port(0, "10.3.4.4", ""));
    let links: &[&[&str]] =
        &[&["R1 gi0/1", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"], &["R3 gi0/1", "R4 gi0/0"]];
    let mut lab = Lab::new(5, &[("R1", &r1), ("R2", &r2), ("R3", &r3), ("R4", &r4)], links);
    lab.run(200);
    lab
}

const PREFIX: &str = "172.16.1.0/24";

fn show(lab: &mut Lab, router: &str, command: &str) -> String {
    let node = lab.node(router);
    execute_read_only(&mut lab.network, node, command).unwrap()
}

fn extended(lab: &Lab, router: &str) -> Vec<String> {
    let communities = &best(lab, router, PREFIX).unwrap().attributes.extended_communities;
    communities.iter().map(ToString::to_string).collect()
}

#[test]
fn extended_communities_are_set_sent_matched_and_deleted() {
    let r1 = " neighbor 10.1.2.2 send-community extended\nroute-map SET permit 10\n set extcommunity rt 1:5 1:6\n set extcommunity soo 10.0.0.1:7\n";
    let r2 = " neighbor 10.2.3.3 send-community both\n neighbor 10.1.2.1 route-map IN in\nip extcommunity-list standard FIVE permit rt 1:5\n\
              ip extcommunity-list 101 permit SoO:10\\.0\\.0\\.1:.*\nip extcommunity-list 2 permit rt 1:6\n\
              route-map IN permit 10\n match extcommunity FIVE\n set local-preference 150\n set extcommunity rt 2:9 additive\n \
              set extcommunity cost pre-bestpath 1 50\n set extcomm-list 2 delete\n continue\n\
              route-map IN permit 20\n match extcommunity 101\n set weight 33\nroute-map IN permit 30\n";
    let mut lab = row([r1, r2, "", ""]);
    let path = best(&lab, "R2", PREFIX).unwrap();
    assert_eq!((path.attributes.local_preference, path.weight), (Some(150), 33));
    let all = ["RT:1:5", "RT:2:9", "SoO:10.0.0.1:7", "Cost:pre-bestpath:1:50"];
    assert_eq!(extended(&lab, "R2"), all);
    let other = best(&lab, "R2", "172.16.9.0/24").unwrap();
    assert_eq!((other.attributes.local_preference, other.weight), (None, 0));
    assert_eq!(extended(&lab, "R3"), all, "also the cost, within the AS");
    let text = show(&mut lab, "R2", "show ip bgp 172.16.1.0");
    assert!(text.contains(&format!("      Extended Community: {}\n", all.join(" "))), "{text}");
    assert!(extended(&lab, "R4").is_empty(), "R3 sends none");
}

#[test]
fn a_bandwidth_is_attached_only_where_bgp_dmzlink_bw_says_so() {
    let set = "route-map SET permit 10\n";
    let r2 = " neighbor 10.1.2.1 dmzlink-bw\n";
    assert!(extended(&row([set, r2, "", ""]), "R2").is_empty());
    let mut lab = row([set, &format!("{r2} bgp dmzlink-bw\n"), "", ""]);
    assert_eq!(extended(&lab, "R2"), ["DMZ-Link Bw 125000 kbytes"]);
    let text = show(&mut lab, "R2", "show ip bgp 172.16.1.0");
    assert!(
        text.contains("\n      DMZ-Link Bw 125000 kbytes\n") && !text.contains("Extended Community"),
        "{text}"
    );
}

#[test]
fn rfc7311_3_the_accumulated_metric_grows_where_the_next_hop_changes_and_goes_where_it_is_agreed_on() {
    let set = " neighbor 10.1.2.2 aigp\nroute-map SET permit 10\n set aigp-metric 50\n";
    let r2 = " neighbor 10.1.2.1 aigp\n neighbor 10.2.3.3 aigp\n";
    let r3 = " neighbor 10.2.3.2 aigp\n neighbor 10.3.4.4 aigp\n";
    let r4 = " neighbor 10.3.4.3 aigp\n";
    let aigp = |lab: &Lab, router: &str| best(lab, router, PREFIX).unwrap().attributes.aigp;
    let mut lab = row([set, r2, r3, r4]);
    assert_eq!(aigp(&lab, "R2"), Some(50));
    assert_eq!(aigp(&lab, "R3"), Some(50), "the next hop is still R1");
    assert_eq!(aigp(&lab, "R4"), Some(60), "with R3's metric to R1");
    let text = show(&mut lab, "R3", "show ip bgp 172.16.1.0");
    assert!(text.contains("Origin IGP, aigp-metric 50, metric 0, "), "{text}");
    assert_eq!(aigp(&row([set, "", r3, r4]), "R2"), None, "R2 ignores it");
    assert_eq!(aigp(&row([set, r2, "", r4]), "R3"), None, "R3 ignores it");
    assert_eq!(aigp(&row([set, r2, " neighbor 10.2.3.2 aigp\n", r4]), "R4"), None, "R3 does not send it");
}

#[test]
fn rfc7311_4_1_the_lesser_sum_of_accumulated_metric_and_way_wins_before_the_as_path() {
    // R3 hears 172.16.1.0/24 from R2, and from R4 with a longer path and less metric.
    let set = " neighbor 10.1.2.2 aigp\nroute-map SET permit 10\n set aigp-metric 50\n";
    let r2 = " neighbor 10.1.2.1 aigp\n neighbor 10.2.3.3 aigp\n";
    let r3 = " neighbor 10.2.3.2 aigp\n neighbor 10.3.4.4 aigp\n neighbor 10.3.4.4 route-map LP in\nroute-map LP permit 10\n";
    let r4 = |metric: u32| {
        format!(
            " neighbor 10.3.4.3 aigp\n network 172.16.1.0 mask 255.255.255.0 route-map LONG\nip route 172.16.1.0 255.255.255.0 Null0\n\
             route-map LONG permit 10\n set as-path prepend 9 9 9\n set aigp-metric {metric}\n"
        )
    };
    // From R2: 50 and 10 to R1.
    assert_eq!(
        best(&row([set, r2, r3, &r4(59)]), "R3", PREFIX).unwrap().peer_address().to_string(),
        "10.3.4.4"
    );
    assert_eq!(
        best(&row([set, r2, r3, &r4(61)]), "R3", PREFIX).unwrap().peer_address().to_string(),
        "10.2.3.2"
    );
}

#[test]
fn policy_lists_hold_matches_that_route_maps_share() {
    let set = "route-map SET permit 10\n";
    let r2 = " neighbor 10.1.2.1 route-map IN in\nip prefix-list ONE permit 172.16.1.0/24\n\
              ip policy-list GOOD permit\n match ip address prefix-list ONE\n match as-path 1\n!\n\
              ip policy-list BAD deny\n match ip address prefix-list ONE\n!\nip as-path access-list 1 permit ^1$\n\
              route-map IN permit 10\n match policy-list BAD\n set weight 1\n!\n\
              route-map IN permit 20\n match policy-list BAD GOOD\n set weight 2\n!\nroute-map IN permit 30\n";
    let lab = row([set, r2, "", ""]);
    assert_eq!(best(&lab, "R2", PREFIX).unwrap().weight, 2);
    assert_eq!(best(&lab, "R2", "172.16.9.0/24").unwrap().weight, 0);
}

#[test]
fn a_route_map_chooses_which_routes_are_dampened_and_how() {
    let set = "route-map SET permit 10\n";
    let r2 = " bgp dampening route-map D\nip prefix-list ONE permit 172.16.1.0/24\n\
              route-map D permit 10\n match ip address prefix-list ONE\n set dampening 5 600 900 10\n";
    let mut lab = row([set, r2, "", ""]);
    for line in ["no network", "network"] {
        lab.configure(
            "R1",
            &format!(
                "router bgp 1\n {line} 172.16.1.0 mask 255.255.255.0\n {line} 172.16.9.0 mask 255.255.255.0"
            ),
        );
        lab.run(60);
    }
    assert!(best(&lab, "R2", PREFIX).is_none(), "one withdrawal is enough for this limit");
    assert!(best(&lab, "R2", "172.16.9.0/24").is_some());
    let text = show(&mut lab, "R2", "show ip bgp dampening dampened-paths");
    let line = text.lines().find(|line| line.contains("172.16.1.0/24")).unwrap();
    assert!(
        line.starts_with(" *d  172.16.1.0/24    10.1.2.1         00:0") && line.ends_with(" 1 i"),
        "{text}"
    );
    assert!(!text.contains("172.16.9.0"), "{text}");
    assert_eq!(show(&mut lab, "R2", "show ip bgp dampened-paths"), text);
    let statistics = show(&mut lab, "R2", "show ip bgp dampening flap-statistics");
    assert!(statistics.contains("10.1.2.1        1     "), "{statistics}");
    lab.run(300);
    assert!(best(&lab, "R2", PREFIX).is_some(), "after the half-life of five minutes");
}
