//! Virtual terminals over the network: who is let in, by real packets, and what sessions at other routers can do.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_cli_dialect::config::load;
use netconfarena_cli_dialect::running_config::render;
use netconfarena_cli_dialect::session::{Session, execute_read_only};
use netconfarena_emu::config::RouterConfig;

mod lab;

use lab::Lab;

/// R1 - R2 - R3 in a row; R2 has 2.2.2.2 on a loopback, and R3 reaches it by a static route.
fn row(r1: &str, r2: &str, r3: &str) -> Lab {
    let port = |port: u8, net: u8, host: u8| {
        format!("interface gi0/{port}\n ip address 10.0.{net}.{host} 255.255.255.0\n")
    };
    let one = format!("{}ip route 0.0.0.0 0.0.0.0 10.0.12.2\n{r1}", port(0, 12, 1));
    let two = format!(
        "{}{}interface lo0\n ip address 2.2.2.2 255.255.255.255\n{r2}",
        port(0, 12, 2),
        port(1, 23, 2)
    );
    let three = format!("{}ip route 0.0.0.0 0.0.0.0 10.0.23.2\n{r3}", port(0, 23, 3));
    let mut lab = Lab::new(
        5,
        &[("R1", &one), ("R2", &two), ("R3", &three)],
        &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]],
    );
    lab.run(5);
    // ARP is asked here, so that no first packet is lost later.
    assert!(lab.reaches("R1", "10.0.23.3"));
    lab
}

/// Types lines at a router; what was said to the last one.
fn at(lab: &mut Lab, router: &str, lines: &[&str]) -> String {
    let mut session = Session::privileged(lab.node(router));
    let mut said = String::new();
    for line in lines {
        said = session.execute(&mut lab.network, line);
    }
    session.hang_up(&mut lab.network);
    said
}

fn telnet(lab: &mut Lab, router: &str, to: &str) -> String {
    at(lab, router, &[&format!("telnet {to}")])
}

/// How often the lines of an access list have matched, as `show access-lists` tells.
fn matches(lab: &mut Lab, router: &str, list: &str) -> Vec<u64> {
    let node = lab.node(router);
    let text = execute_read_only(&mut lab.network, node, &format!("show access-lists {list}")).unwrap();
    let count = |line: &str| {
        let behind = line.split_once('(').map_or("0 ", |(_, behind)| behind);
        behind.split(' ').next().unwrap().parse().unwrap()
    };
    text.lines().skip(1).map(count).collect()
}

const REFUSED: &str = "% Connection refused by remote host";

#[test]
fn nothing_listens_unless_a_line_takes_the_protocol() {
    for (lines, open) in [
        ("", false),
        ("line vty 0 4\n transport input none\n", false),
        ("line vty 0 4\n transport input ssh\n", false),
        ("line vty 0 4\n transport input telnet\n", true),
        ("line vty 0 4\n transport input telnet ssh\n", true),
        ("line vty 0 4\n transport input all\n", true),
        ("line vty 7\n transport input telnet\n", true),
        ("line con 0\n transport input telnet\n", false),
    ] {
        let mut lab = row("", lines, "");
        let said = telnet(&mut lab, "R1", "10.0.12.2");
        assert_eq!(said.contains("Open"), open, "{lines}: {said}");
        assert_eq!(said.contains(REFUSED), !open, "{lines}: {said}");
        // SSH needs a key besides.
        assert!(telnet(&mut lab, "R1", "10.0.12.2 22").contains(REFUSED));
    }
}

#[test]
fn an_access_class_lets_in_whom_it_permits_resets_the_others_and_counts_both() {
    let r2 = "access-list 10 permit 10.0.12.0 0.0.0.255\naccess-list 10 deny any\n\
              line vty 0 4\n access-class 10 in\n transport input telnet\n";
    let mut lab = row("", r2, "");
    assert!(telnet(&mut lab, "R1", "2.2.2.2").contains("Open"));
    let refused = telnet(&mut lab, "R3", "2.2.2.2");
    assert!(refused.contains(REFUSED), "{refused}");
    assert_eq!(matches(&mut lab, "R2", "10"), [1, 1]);
    // Other packets are no concern of it.
    assert!(lab.reaches("R3", "2.2.2.2"));
    assert_eq!(matches(&mut lab, "R2", "10"), [1, 1]);
}

#[test]
fn a_list_that_does_not_exist_lets_all_in_and_an_extended_one_sees_ports_but_no_destination() {
    let mut lab = row("", "line vty 0 4\n access-class 77 in\n transport input telnet\n", "");
    assert!(telnet(&mut lab, "R3", "2.2.2.2").contains("Open"));
    let r2 = "ip access-list extended VTY\n deny tcp any host 2.2.2.2 eq telnet\n permit tcp host 10.0.23.3 any eq telnet log\n\
              line vty 0 4\n access-class VTY in\n transport input telnet\n";
    let mut lab = row("", r2, "");
    assert!(telnet(&mut lab, "R3", "2.2.2.2").contains("Open"));
    assert!(telnet(&mut lab, "R1", "2.2.2.2").contains(REFUSED));
    assert_eq!(matches(&mut lab, "R2", "VTY"), [0, 1]);
    let log = lab.log("R2").join("\n");
    assert!(log.contains("list VTY permitted tcp 10.0.23.3(") && log.contains("-> 0.0.0.0(23), 1 packet"), "{log}");
}

#[test]
fn of_an_interface_in_a_vrf_connections_are_refused_unless_the_list_is_for_it_too() {
    let r2 = |also: &str| {
        format!(
            "access-list 10 permit any\nvrf definition RED\n address-family ipv4\n\
             interface gi0/1\n vrf forwarding RED\n ip address 10.0.23.2 255.255.255.0\n\
             line vty 0 4\n access-class 10 in{also}\n transport input telnet\n"
        )
    };
    for (also, open) in [("", false), (" vrf-also", true)] {
        let mut lab = Lab::new(
            5,
            &[
                ("R1", "interface gi0/0\n ip address 10.0.12.1 255.255.255.0\n"),
                ("R2", &format!("interface gi0/0\n ip address 10.0.12.2 255.255.255.0\n{}", r2(also))),
                ("R3", "interface gi0/0\n ip address 10.0.23.3 255.255.255.0\n"),
            ],
            &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]],
        );
        lab.run(5);
        assert!(telnet(&mut lab, "R1", "10.0.12.2").contains("Open"));
        let said = telnet(&mut lab, "R3", "10.0.23.2");
        assert_eq!(said.contains("Open"), open, "{said}");
        assert_eq!(matches(&mut lab, "R2", "10"), [1 + u64::from(open)]);
    }
}

#[test]
fn an_access_class_out_says_where_sessions_of_the_line_may_go() {
    let r1 = "access-list 20 permit 10.0.23.3\nline con 0\n access-class 20 out\n";
    let open = "line vty 0 4\n transport input telnet\n";
    let mut lab = row(r1, open, open);
    let denied = telnet(&mut lab, "R1", "2.2.2.2");
    assert_eq!(denied, "% Connections to that host not permitted from this terminal\n");
    assert!(telnet(&mut lab, "R1", "10.0.23.3").contains("Open"));
    assert_eq!(matches(&mut lab, "R1", "20"), [1]);
    lab.configure("R1", "line con 0\n no access-class 20 out\n transport output none\n");
    let denied = telnet(&mut lab, "R1", "10.0.23.3");
    assert_eq!(denied, "% telnet connections not permitted from this terminal\n");
}

#[test]
fn lists_at_interfaces_count_before_those_of_the_lines() {
    let r2 = "access-list 110 deny tcp any any eq telnet\naccess-list 110 permit ip any any\n\
              interface gi0/0\n ip access-group 110 in\nline vty 0 4\n transport input telnet\n";
    let mut lab = row("", r2, "");
    assert!(telnet(&mut lab, "R1", "10.0.12.2").contains("% Destination unreachable"));
    assert!(telnet(&mut lab, "R3", "10.0.23.2").contains("Open"));
}

fn router(text: &str) -> (RouterConfig, Vec<String>) {
    let mut config = RouterConfig::default();
    let report = load(&mut config, text);
    let refused = report.refused.iter().map(|line| line.line.clone()).collect();
    (config, refused)
}

/// What is shown of the lines.
fn shown(text: &str) -> String {
    let (config, refused) = router(text);
    assert!(refused.is_empty(), "{refused:?}");
    let text = render(&config);
    let (again, refused) = router(&text);
    assert!(refused.is_empty(), "{refused:?}");
    assert_eq!(again, config, "{text}");
    let from = text.find("line con 0").unwrap();
    text[from..].split_once("!\n").unwrap().0.to_owned()
}

#[test]
fn lines_are_shown_by_groups_that_say_the_same() {
    assert_eq!(shown(""), "line con 0\nline aux 0\nline vty 0 4\n login\n transport input none\n");
    let text = "line vty 0 15\n login local\n transport input ssh\nline vty 3\n access-class 9 in vrf-also\n\
                line con 0\n exec-timeout 0 0\n logging synchronous\n stopbits 1\n privilege level 15\n";
    assert_eq!(
        shown(text),
        "line con 0\n exec-timeout 0 0\n privilege level 15\n logging synchronous\n stopbits 1\nline aux 0\n\
         line vty 0 2\n login local\n transport input ssh\n\
         line vty 3\n access-class 9 in vrf-also\n login local\n transport input ssh\n\
         line vty 4\n login local\n transport input ssh\nline vty 5 15\n login local\n transport input ssh\n"
    );
    let text = "line vty 0 15\n password 7 0822455D0A16\n no login\n exec-timeout 5 30\n length 0\n width 132\n\
                \x20transport input all\n transport output telnet ssh\n no exec\n access-class OUT out\nno line vty 10\n";
    assert!(shown(text).ends_with(
        "line vty 5 9\n access-class OUT out\n exec-timeout 5 30\n password 7 0822455D0A16\n no exec\n no login\n\
         \x20length 0\n width 132\n transport input all\n transport output ssh telnet\n"
    ));
}

#[test]
fn what_lines_do_not_know_is_refused() {
    for line in ["frobnicate", "transport input carrier-pigeon", "autocommand show users", "rotary 1", "access-class 1"] {
        assert_eq!(router(&format!("line vty 0 4\n {line}\n")).1.len(), 1, "{line}");
    }
    for line in ["line vty 5 2", "line vty 925", "no line vty 3", "line con 1", "line tty 0"] {
        assert_eq!(router(&format!("{line}\n")).1.len(), 1, "{line}");
    }
}
