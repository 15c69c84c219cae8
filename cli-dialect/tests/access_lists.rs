//! Access lists at interfaces: which packets pass, what is counted, logged and told to senders.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_emu::forwarding::ProbeResult;
use netconfarena_emu::wire::UnreachableCode;

mod lab;

use lab::Lab;

/// R1 - R2 - R3 in a row; R1 has also 1.1.1.1, R3 also 3.3.3.3. R2 knows its neighbours by ARP before it gets its other lines.
fn row(r2: &str) -> Lab {
    let r1 = "interface lo0\n ip address 1.1.1.1 255.255.255.255\ninterface gi0/0\n ip address 10.0.12.1 255.255.255.0\n\
              ip route 0.0.0.0 0.0.0.0 10.0.12.2\n";
    let common = "interface gi0/0\n ip address 10.0.12.2 255.255.255.0\ninterface gi0/1\n ip address 10.0.23.2 255.255.255.0\n\
                  ip route 1.1.1.1 255.255.255.255 10.0.12.1\nip route 3.3.3.3 255.255.255.255 10.0.23.3\n";
    let r3 = "interface lo0\n ip address 3.3.3.3 255.255.255.255\ninterface gi0/0\n ip address 10.0.23.3 255.255.255.0\n\
              ip route 0.0.0.0 0.0.0.0 10.0.23.2\n";
    let routers = [("R1", r1), ("R2", common), ("R3", r3)];
    let mut lab = Lab::new(1, &routers, &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]]);
    lab.run(5);
    lab.reaches("R2", "10.0.12.1");
    lab.reaches("R2", "10.0.23.3");
    lab.configure("R2", r2);
    lab
}

fn matches(lab: &Lab, list: &str, sequence: u32) -> u64 {
    lab.network.router(lab.node("R2")).access_list_matches(list, sequence)
}

#[test]
fn a_standard_list_looks_at_the_source() {
    let mut lab =
        row("access-list 1 deny 1.1.1.1\naccess-list 1 permit any\ninterface gi0/0\n ip access-group 1 in\n");
    assert!(lab.reaches("R1", "3.3.3.3"));
    assert!(!lab.reaches_from("R1", Some("1.1.1.1"), "3.3.3.3"));
    assert_eq!((matches(&lab, "1", 10), matches(&lab, "1", 20)), (5, 5));
}

#[test]
fn what_no_line_is_about_is_denied_but_a_missing_or_empty_list_permits() {
    let mut lab = row("access-list 1 permit 9.9.9.9\ninterface gi0/0\n ip access-group 1 in\n");
    assert!(!lab.reaches("R1", "3.3.3.3"));
    lab.configure("R2", "no access-list 1");
    assert!(lab.reaches("R1", "3.3.3.3"));
    lab.configure("R2", "ip access-list standard EMPTY\ninterface gi0/0\n ip access-group EMPTY in\n");
    assert!(lab.reaches("R1", "3.3.3.3"));
}

#[test]
fn a_list_in_also_guards_the_router_itself_and_a_list_out_does_not() {
    let mut lab = row("access-list 100 deny icmp any any\naccess-list 100 permit ip any any\n");
    lab.configure("R2", "interface gi0/1\n ip access-group 100 out\n");
    assert!(lab.reaches("R2", "3.3.3.3"), "what the router makes itself is not filtered");
    assert!(!lab.reaches("R1", "3.3.3.3"));
    lab.configure(
        "R2",
        "interface gi0/1\n no ip access-group 100 out\ninterface gi0/0\n ip access-group 100 in\n",
    );
    assert!(!lab.reaches("R1", "10.0.12.2"));
}

#[test]
fn the_sender_is_told_that_it_is_prohibited_twice_a_second_unless_unreachables_are_off() {
    let mut lab = row("access-list 1 deny any\ninterface gi0/0\n ip access-group 1 in\n");
    let from = "10.0.12.2".parse().unwrap();
    let told = ProbeResult::Unreachable { from, code: UnreachableCode::PROHIBITED };
    let report = lab.ping_from("R1", None, "3.3.3.3");
    // One error in half a second, IOS's pattern: those in between time out and so give the limit its time.
    let expected = [told, ProbeResult::Timeout, told, ProbeResult::Timeout, told];
    assert_eq!(report.results, expected);
    lab.configure("R2", "interface gi0/0\n no ip unreachables\n");
    let report = lab.ping_from("R1", None, "3.3.3.3");
    assert_eq!(report.results, [ProbeResult::Timeout; 5]);
}

#[test]
fn an_extended_list_tells_protocols_and_messages_apart() {
    let mut lab = row(
        "ip access-list extended ONE-WAY\n permit icmp any any echo-reply\n deny icmp any any\n permit ip any any\n\
                       interface gi0/0\n ip access-group ONE-WAY in\n",
    );
    assert!(!lab.reaches("R1", "3.3.3.3"), "the request is denied");
    assert!(lab.reaches("R3", "10.0.12.1"), "the reply passes");
    assert_eq!(lab.path("R1", None, "3.3.3.3"), ["10.0.12.2", "10.0.23.3"], "UDP passes");
}

#[test]
fn a_line_counts_only_while_its_time_range_is_on() {
    // Networks are switched on at midnight.
    let mut lab = row("time-range NIGHT\n periodic daily 0:00 to 0:09\n\
                       access-list 100 deny icmp any any time-range NIGHT\naccess-list 100 permit ip any any\n\
                       interface gi0/0\n ip access-group 100 in\n");
    assert!(!lab.reaches("R1", "3.3.3.3"));
    lab.run(600);
    assert!(lab.reaches("R1", "3.3.3.3"));
}

#[test]
fn matches_are_logged_at_once_and_then_every_five_minutes() {
    let mut lab = row("access-list 100 deny icmp any host 3.3.3.3 log\naccess-list 100 permit ip any any\n\
                       access-list 2 permit any log\ninterface gi0/0\n ip access-group 100 in\ninterface gi0/1\n ip access-group 2 in\n");
    let sec = |lab: &Lab| -> Vec<String> {
        lab.log("R2").into_iter().filter(|line| line.starts_with("%SEC")).collect()
    };
    let denied = "%SEC-6-IPACCESSLOGDP: list 100 denied icmp 10.0.12.1 -> 3.3.3.3 (8/0)";
    lab.reaches("R1", "3.3.3.3");
    assert_eq!(sec(&lab), [format!("{denied}, 1 packet")]);
    lab.run(300);
    assert_eq!(sec(&lab)[1..], [format!("{denied}, 4 packets")]);
    lab.run(900);
    assert_eq!(sec(&lab).len(), 2, "nothing more came");
    lab.reaches("R3", "10.0.23.2");
    assert_eq!(sec(&lab)[2..], ["%SEC-6-IPACCESSLOGS: list 2 permitted 10.0.23.3 1 packet"]);
}

#[test]
fn counters_go_with_their_lines_and_when_cleared() {
    let mut lab = row(
        "ip access-list standard A\n permit 10.0.12.1\n permit any\ninterface gi0/0\n ip access-group A in\n",
    );
    lab.reaches("R1", "3.3.3.3");
    assert_eq!(matches(&lab, "A", 10), 5);
    lab.configure("R2", "ip access-list standard A\n no 10\n 10 permit 1.1.1.1\n");
    lab.reaches("R1", "3.3.3.3");
    assert_eq!(matches(&lab, "A", 20), 5);
    let node = lab.node("R2");
    lab.network.router_mut(node).clear_access_list_counters(Some("OTHER"));
    assert_eq!(matches(&lab, "A", 20), 5);
    lab.network.router_mut(node).clear_access_list_counters(None);
    assert_eq!(matches(&lab, "A", 20), 0);
}

#[test]
fn hellos_of_routing_protocols_are_filtered_like_everything_else() {
    let ospf = "router ospf 1\n network 10.0.0.0 0.255.255.255 area 0\n";
    let mut lab = row(&format!(
        "{ospf}access-list 100 deny ospf any any\naccess-list 100 permit ip any any\n\
                                interface gi0/0\n ip access-group 100 in\n"
    ));
    lab.configure("R1", ospf);
    lab.run(60);
    let neighbors = |lab: &Lab| lab.log("R1").iter().filter(|line| line.contains("to FULL")).count();
    assert_eq!(neighbors(&lab), 0);
    lab.configure("R2", "interface gi0/0\n no ip access-group 100 in\n");
    lab.run(60);
    assert_eq!(neighbors(&lab), 1);
}

/// Who opens a connection is not answered, but answers to the own one come in.
#[test]
fn established_lets_in_answers_only() {
    let guard = "access-list 100 permit tcp any any established\naccess-list 100 permit icmp any any\n\
                 interface gi0/0\n ip access-group 100 in\n";
    let bgp = |own: u8, peer: &str, mode: &str| {
        format!(
            "router bgp {own}\n neighbor {peer} remote-as {}\n neighbor {peer} transport connection-mode {mode}\n",
            3 - own
        )
    };
    let session = |mode: [&str; 2]| {
        let mut lab = row(&format!("{guard}{}", bgp(2, "10.0.12.1", mode[1])));
        lab.configure("R1", &bgp(1, "10.0.12.2", mode[0]));
        lab.run(180);
        lab.log("R1").iter().any(|line| line.contains("neighbor 10.0.12.2 Up"))
    };
    assert!(session(["passive", "active"]), "R2's own connection");
    assert!(!session(["active", "passive"]), "R1's is not let in");
}

#[test]
fn counters_stay_with_their_lines_when_a_list_is_numbered_anew() {
    let list = "ip access-list standard L\n 10 permit 10.0.9.9\n 20 permit 10.0.12.1\n";
    let mut lab = row(&format!("{list}interface gi0/0\n ip access-group L in\n"));
    lab.reaches("R1", "10.0.12.2");
    let count = matches(&lab, "L", 20);
    assert!(count > 0);
    lab.configure("R2", "ip access-list resequence L 20 5\n");
    assert_eq!((matches(&lab, "L", 20), matches(&lab, "L", 25)), (0, count));
    lab.configure("R2", "ip access-list standard L\n no 20\n 20 permit 10.0.8.8\n");
    assert_eq!((matches(&lab, "L", 20), matches(&lab, "L", 25)), (0, count));
}
