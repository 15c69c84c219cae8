//! Policy-based routing, tracked objects and IP SLA operations, from configuration lines to the ways that packets take.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_cli_dialect::session::execute_read_only;
use netconfarena_cli_dialect::show::parse_command;
use serde_json::Value;

mod lab;

use lab::Lab;

/// H hangs on R1, from which two ways lead to R4, by R2 and by R3; routing prefers R2:
///
/// ```text
///            R2
///          /    \
/// H -- R1        R4 (4.4.4.4)
///          \    /
///            R3
/// ```
///
/// H has 1.1.1.1 and 1.1.1.2 besides 10.0.1.10.
fn diamond(r1: &str) -> Lab {
    let port = |port: u8, net: &str, host: u8| {
        format!("interface gi0/{port}\n ip address 10.0.{net}.{host} 255.255.255.0\n")
    };
    let host = format!(
        "{}interface lo1\n ip address 1.1.1.1 255.255.255.255\ninterface lo2\n ip address 1.1.1.2 255.255.255.255\n\
         ip route 0.0.0.0 0.0.0.0 10.0.1.1\n",
        port(0, "1", 10)
    );
    let one = format!(
        "{}{}{}ip route 1.1.1.0 255.255.255.0 10.0.1.10\n{r1}",
        port(0, "1", 1),
        port(1, "12", 1),
        port(2, "13", 1)
    );
    let between = |net: u8, own: u8| {
        format!(
            "{}{}ip route 1.1.1.0 255.255.255.0 10.0.{net}.1\nip route 10.0.1.0 255.255.255.0 10.0.{net}.1\n\
             ip route 4.4.4.4 255.255.255.255 10.0.{own}4.4\n",
            port(0, &net.to_string(), own),
            port(1, &format!("{own}4"), own)
        )
    };
    let (two, three) = (between(12, 2), between(13, 3));
    let four = format!(
        "{}{}interface lo0\n ip address 4.4.4.4 255.255.255.255\nip route 0.0.0.0 0.0.0.0 10.0.24.2\n\
         ip route 0.0.0.0 0.0.0.0 10.0.34.3 200\nip route 10.0.13.0 255.255.255.0 10.0.34.3\n",
        port(0, "24", 4),
        port(1, "34", 4)
    );
    let mut lab = Lab::new(
        3,
        &[("H", &host), ("R1", &one), ("R2", &two), ("R3", &three), ("R4", &four)],
        &[
            &["H gi0/0", "R1 gi0/0"],
            &["R1 gi0/1", "R2 gi0/0"],
            &["R1 gi0/2", "R3 gi0/0"],
            &["R2 gi0/1", "R4 gi0/0"],
            &["R3 gi0/1", "R4 gi0/1"],
        ],
    );
    lab.run(5);
    lab
}

const TO_R4: &str = "ip route 4.4.4.4 255.255.255.255 10.0.12.2\n";

/// The second router on the way from H: R2 or R3, `-` where there is none.
fn way(lab: &mut Lab, source: &str) -> &'static str {
    match lab.path("H", Some(source), "4.4.4.4").get(1).map(String::as_str) {
        Some("10.0.12.2") => "R2",
        Some("10.0.13.3") => "R3",
        _ => "-",
    }
}

fn show(lab: &mut Lab, router: &str, command: &str) -> Vec<Value> {
    let node = lab.node(router);
    let text = execute_read_only(&mut lab.network, node, command).unwrap();
    match parse_command(command, &text) {
        Ok(Value::Array(rows)) => rows,
        other => panic!("{command}: {other:?}\n{text}"),
    }
}

fn policy(lines: &str) -> String {
    format!(
        "{TO_R4}access-list 1 permit 1.1.1.1\naccess-list 2 permit 1.1.1.2\n{lines}interface gi0/0\n ip policy route-map P\n"
    )
}

#[test]
fn the_source_decides_on_the_way_and_what_no_entry_permits_is_routed() {
    let mut lab = diamond(&policy(
        "route-map P deny 5\n match ip address 2\nroute-map P permit 10\n match ip address 1\n set ip next-hop 10.0.13.3\n\
         route-map P permit 20\n match ip address 2\n set ip next-hop 10.0.13.3\n",
    ));
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3");
    assert_eq!(way(&mut lab, "10.0.1.10"), "R2", "no entry matches");
    assert_eq!(way(&mut lab, "1.1.1.2"), "R2", "denied to the policy, not to the network");
    assert!(lab.reaches_from("H", Some("1.1.1.1"), "4.4.4.4"));
    let maps = show(&mut lab, "R1", "show route-map P");
    let packets: Vec<u64> = maps.iter().map(|row| row["packets"].as_u64().unwrap()).collect();
    assert!(packets[1] >= 5 && packets[0] == 0 && packets[2] == 0, "{packets:?}");
    let policies = show(&mut lab, "R1", "show ip policy");
    assert_eq!(
        (policies[0]["interface"].as_str(), policies[0]["route_map"].as_str()),
        (Some("Gi0/0"), Some("P"))
    );
    lab.configure("R1", "interface gi0/0\n no ip policy route-map P\n");
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2");
}

#[test]
fn a_next_hop_that_is_not_on_a_subnet_that_is_up_is_passed_over() {
    let mut lab = diamond(&policy("route-map P permit 10\n set ip next-hop 4.4.4.4 10.0.13.3\n"));
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3", "the second one");
    lab.configure("R1", "interface gi0/2\n shutdown\n");
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2", "the routing table");
    let mut lab = diamond(&policy("route-map P permit 10\n set ip next-hop recursive 10.0.34.4\n"));
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2", "no route to it");
    lab.configure("R1", "ip route 10.0.34.0 255.255.255.0 10.0.13.3\n");
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3");
}

#[test]
fn interfaces_may_be_set_and_null0_throws_away() {
    let mut lab = diamond(&policy(
        "route-map P permit 10\n match ip address 1\n set interface Null0\n\
         route-map P permit 20\n match ip address 2\n set interface GigabitEthernet0/2\n",
    ));
    assert!(!lab.reaches_from("H", Some("1.1.1.1"), "4.4.4.4"));
    assert_eq!(way(&mut lab, "1.1.1.2"), "R3", "R3 answers for 4.4.4.4 by proxy ARP");
    assert!(lab.reaches_from("H", Some("10.0.1.10"), "4.4.4.4"));
}

#[test]
fn default_next_hops_serve_where_the_routing_table_has_only_a_default() {
    let map = "route-map P permit 10\n set ip default next-hop 10.0.13.3\ninterface gi0/0\n ip policy route-map P\n";
    let mut lab = diamond(&format!("ip route 0.0.0.0 0.0.0.0 10.0.12.2\n{map}"));
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3");
    lab.configure("R1", TO_R4);
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2");
}

#[test]
fn packets_are_chosen_by_length_and_marked() {
    let mut lab = diamond(&policy(
        "route-map P permit 10\n match ip address 1\n match length 0 200\n set ip precedence 5\n set ip next-hop 10.0.13.3\n",
    ));
    let mark = "access-list 105 permit ip any any precedence 5\naccess-list 105 permit ip any any\n\
                interface gi0/0\n ip access-group 105 in\n";
    lab.configure("R3", mark);
    assert!(lab.reaches_from("H", Some("1.1.1.1"), "4.4.4.4"));
    let marked = lab.network.router(lab.node("R3")).access_list_matches("105", 10);
    assert!(marked >= 4, "{marked}");
}

#[test]
fn packets_of_the_router_itself_follow_the_local_policy_only() {
    let mut lab = diamond(&policy("route-map P permit 10\n set ip next-hop 10.0.13.3\n"));
    assert_eq!(lab.path("R1", Some("10.0.1.1"), "4.4.4.4")[0], "10.0.12.2");
    lab.configure("R1", "ip local policy route-map P\n");
    assert_eq!(lab.path("R1", Some("10.0.1.1"), "4.4.4.4")[0], "10.0.13.3");
    assert_eq!(show(&mut lab, "R1", "show ip policy")[0]["interface"], "local");
}

/// R1 asks R4 by way of R2 every ten seconds, and tracks that.
const SLA: &str = "ip route 10.0.24.0 255.255.255.0 10.0.12.2\n\
    ip sla 1\n icmp-echo 10.0.24.4 source-interface GigabitEthernet0/1\n  timeout 1000\n  frequency 10\n\
    ip sla schedule 1 life forever start-time now\ntrack 1 ip sla 1 reachability\n";

#[test]
fn a_static_route_is_used_while_the_operation_that_it_depends_on_is_answered() {
    let mut lab = diamond(&format!(
        "{SLA}ip route 4.4.4.4 255.255.255.255 10.0.12.2 track 1\nip route 4.4.4.4 255.255.255.255 10.0.13.3 250\n"
    ));
    lab.configure("R4", "ip route 10.0.12.0 255.255.255.0 10.0.24.2\n");
    lab.run(15);
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2");
    let track = show(&mut lab, "R1", "show track 1").remove(0);
    assert_eq!((track["state"].as_str(), track["return_code"].as_str()), (Some("Up"), Some("OK")));
    assert_eq!(track["tracked_by"], serde_json::json!(["Static IP Routing 0"]));
    // The line between R2 and R4 fails: R1's own lines stay up.
    lab.configure("R4", "interface gi0/0\n shutdown\n");
    lab.run(15);
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3");
    assert!(lab.reaches_from("H", Some("1.1.1.1"), "4.4.4.4"));
    let track = show(&mut lab, "R1", "show track 1").remove(0);
    assert_eq!((track["state"].as_str(), track["return_code"].as_str()), (Some("Down"), Some("Timeout")));
    let statistics = show(&mut lab, "R1", "show ip sla statistics 1").remove(0);
    assert!(statistics["successes"].as_u64().unwrap() >= 2 && statistics["failures"].as_u64().unwrap() >= 1);
    assert_eq!(show(&mut lab, "R1", "show ip sla summary")[0]["destination"], "10.0.24.4");
    let log = lab.log("R1");
    assert!(log.contains(&"%TRACK-6-STATE: 1 ip sla 1 reachability Up -> Down".to_owned()), "{log:?}");
    lab.configure("R4", "interface gi0/0\n no shutdown\n");
    lab.run(15);
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2");
    lab.configure("R1", "no track 1\n");
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3", "an object that is not there is down");
}

#[test]
fn a_policy_uses_tracked_next_hops_while_they_are_up_in_their_order() {
    let mut lab = diamond(&format!(
        "{SLA}track 2 interface gi0/2 line-protocol\n{TO_R4}\
         route-map P permit 10\n set ip next-hop verify-availability 10.0.13.3 20 track 2\n \
         set ip next-hop verify-availability 10.0.12.2 10 track 1\ninterface gi0/0\n ip policy route-map P\n\
         no ip route 4.4.4.4 255.255.255.255 10.0.12.2\n"
    ));
    lab.configure("R4", "ip route 10.0.12.0 255.255.255.0 10.0.24.2\n");
    lab.run(15);
    assert_eq!(way(&mut lab, "1.1.1.1"), "R2", "10 comes before 20");
    lab.configure("R4", "interface gi0/0\n shutdown\n");
    lab.run(15);
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3");
    lab.configure("R1", "interface gi0/2\n shutdown\n");
    assert_eq!(way(&mut lab, "1.1.1.1"), "-", "neither");
    let users = &show(&mut lab, "R1", "show track 2")[0]["tracked_by"];
    assert_eq!(*users, serde_json::json!(["Route Map P"]));
}

#[test]
fn a_next_hop_to_be_verified_must_have_answered() {
    let mut lab = diamond(&policy(
        "route-map P permit 10\n set ip next-hop verify-availability\n set ip next-hop 10.0.13.99 10.0.13.3\n",
    ));
    lab.reaches_from("H", Some("1.1.1.1"), "4.4.4.4");
    assert_eq!(way(&mut lab, "1.1.1.1"), "R3", "nobody is 10.0.13.99");
}

fn state(lab: &mut Lab, number: u16) -> String {
    show(lab, "R1", &format!("show track {number}"))[0]["state"].as_str().unwrap().to_owned()
}

#[test]
fn objects_follow_lines_addresses_routes_and_lists() {
    let mut lab = diamond(
        "track 1 interface gi0/1 line-protocol\ntrack 2 interface gi0/2 ip routing\ntrack 3 ip route 5.5.5.5/32 reachability\n\
         track 4 list boolean and\n object 1\n object 2\ntrack 5 list boolean or\n object 3\n object 4 not\n",
    );
    lab.run(1);
    let states = |lab: &mut Lab| (1..=5).map(|number| state(lab, number)).collect::<Vec<_>>();
    assert_eq!(states(&mut lab), ["Up", "Up", "Down", "Up", "Down"]);
    lab.configure("R1", "ip route 5.5.5.5 255.255.255.255 10.0.12.2\n");
    assert_eq!(states(&mut lab), ["Up", "Up", "Up", "Up", "Up"]);
    assert_eq!(show(&mut lab, "R1", "show track 3")[0]["reason"], "static");
    lab.configure("R1", "no ip route 5.5.5.5 255.255.255.255\ninterface gi0/2\n no ip address\n");
    assert_eq!(states(&mut lab), ["Up", "Down", "Down", "Down", "Up"]);
    let brief = show(&mut lab, "R1", "show track brief");
    assert_eq!(
        (brief[1]["instance"].as_str(), brief[1]["state"].as_str()),
        (Some("GigabitEthernet0/2"), Some("Down"))
    );
}

#[test]
fn a_delay_passes_over_short_changes() {
    let mut lab = diamond("track 1 interface gi0/1 line-protocol\n delay down 10\n");
    lab.run(1);
    lab.configure("R1", "interface gi0/1\n shutdown\n");
    lab.run(5);
    assert_eq!(state(&mut lab, 1), "Up");
    lab.configure("R1", "interface gi0/1\n no shutdown\n");
    lab.run(20);
    lab.configure("R1", "interface gi0/1\n shutdown\n");
    lab.run(8);
    assert_eq!(state(&mut lab, 1), "Up", "the time begins anew");
    lab.run(4);
    assert_eq!(state(&mut lab, 1), "Down");
}

#[test]
fn an_answer_behind_the_threshold_is_late_but_an_answer() {
    let mut lab = diamond(
        "ip sla 1\n icmp-echo 10.0.12.2\n  threshold 0\n  frequency 5\nip sla schedule 1 life forever start-time now\n\
         track 1 ip sla 1\ntrack 2 ip sla 1 reachability\n",
    );
    lab.run(12);
    assert_eq!((state(&mut lab, 1), state(&mut lab, 2)), ("Down".to_owned(), "Up".to_owned()));
    assert_eq!(show(&mut lab, "R1", "show ip sla statistics")[0]["return_code"], "Over threshold");
}

#[test]
fn a_list_of_objects_drives_a_static_route_and_a_policy() {
    let sla = "ip sla 1\n icmp-echo 10.0.34.4\n  frequency 5\n  timeout 1000\nip sla schedule 1 life forever start-time now\n\
               ip route 10.0.34.4 255.255.255.255 10.0.13.3\n";
    let objects = "track 1 ip sla 1 reachability\ntrack 2 interface gi0/2 line-protocol\ntrack 3 interface gi0/5 line-protocol\n\
                   track 10 list boolean and\n object 1\n object 2\n object 3 not\n";
    let routes = "ip route 4.4.4.4 255.255.255.255 10.0.13.3 track 10\nip route 4.4.4.4 255.255.255.255 10.0.12.2 250\n";
    let mut lab = diamond(&format!("{sla}{objects}{routes}"));
    lab.run(20);
    assert_eq!((state(&mut lab, 10).as_str(), way(&mut lab, "1.1.1.1")), ("Up", "R3"));
    // The far end of the way by R3 does not answer any more; R1's own interfaces stay up.
    lab.network.set_link_up(lab.link(4), false);
    lab.run(20);
    assert_eq!((state(&mut lab, 10).as_str(), way(&mut lab, "1.1.1.1")), ("Down", "R2"));
    lab.network.set_link_up(lab.link(4), true);
    lab.run(20);
    assert_eq!((state(&mut lab, 10).as_str(), way(&mut lab, "1.1.1.1")), ("Up", "R3"));
    let chosen = policy(
        "route-map P permit 10\n match ip address 1\n set ip next-hop verify-availability 10.0.13.3 10 track 10\n",
    );
    let mut lab = diamond(&format!("{sla}{objects}{chosen}"));
    lab.run(20);
    assert_eq!((way(&mut lab, "1.1.1.1"), way(&mut lab, "1.1.1.2")), ("R3", "R2"));
    lab.network.set_link_up(lab.link(4), false);
    lab.run(20);
    assert_eq!((way(&mut lab, "1.1.1.1"), way(&mut lab, "1.1.1.2")), ("R2", "R2"));
}
