//! Virtual terminals over the network: who is let in, by real packets, and what sessions at other routers can do.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use netconfarena_cli_dialect::config::load;
use netconfarena_cli_dialect::running_config::render;
use netconfarena_cli_dialect::session::{Session, apply_lines, execute_read_only};
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

fn telnet(lab: &mut Lab, router: &str, to: &str) -> String {
    let mut session = Session::privileged(lab.node(router));
    let said = session.execute(&mut lab.network, &format!("telnet {to}"));
    session.hang_up(&mut lab.network);
    lab.run(1);
    said
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
    assert!(
        log.contains("list VTY permitted tcp 10.0.23.3(") && log.contains("-> 0.0.0.0(23), 1 packet"),
        "{log}"
    );
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
    for line in [
        "frobnicate",
        "transport input carrier-pigeon",
        "autocommand show users",
        "rotary 1",
        "access-class 1",
    ] {
        assert_eq!(router(&format!("line vty 0 4\n {line}\n")).1.len(), 1, "{line}");
    }
    for line in ["line vty 5 2", "line vty 925", "no line vty 3", "line con 1", "line tty 0"] {
        assert_eq!(router(&format!("{line}\n")).1.len(), 1, "{line}");
    }
}

/// A person at a router's console: everything that the terminal shows.
struct Person {
    session: Session,
    shown: String,
}

impl Person {
    fn at(lab: &Lab, router: &str) -> Self {
        Self { session: Session::privileged(lab.node(router)), shown: String::new() }
    }

    /// Types a line; what is shown then, with the next prompt.
    fn types(&mut self, lab: &mut Lab, line: &str) -> String {
        let said = self.session.execute(&mut lab.network, line);
        let shown = said + &self.session.prompt(&lab.network);
        self.shown += &shown;
        shown
    }
}

const PASSWORD: &str = "enable secret top\nline vty 0 4\n password cisco\n login\n transport input telnet\n";

#[test]
fn another_router_is_administered_over_the_network() {
    let mut lab = row("", &format!("{PASSWORD}banner motd #\nOurs\n#\n"), "");
    let mut person = Person::at(&lab, "R1");
    let greeting = person.types(&mut lab, "telnet 2.2.2.2");
    assert_eq!(greeting, "Trying 2.2.2.2 ... Open\n\nOurs\n\nUser Access Verification\n\nPassword: ");
    assert!(person.session.hides_input());
    assert_eq!(person.types(&mut lab, "wrong"), "Password: ");
    assert_eq!(person.types(&mut lab, "cisco"), "R2>");
    assert!(!person.session.hides_input());
    assert!(person.types(&mut lab, "configure terminal").contains("% Invalid input detected"));
    assert_eq!(person.types(&mut lab, "enable"), "Password: ");
    assert_eq!(person.types(&mut lab, "top"), "R2#");
    person.types(&mut lab, "configure terminal");
    assert_eq!(person.types(&mut lab, "interface lo9"), "R2(config-if)#");
    person.types(&mut lab, "ip address 9.9.9.9 255.255.255.255");
    assert_eq!(person.types(&mut lab, "end"), "R2#");
    assert!(person.types(&mut lab, "show ip interface brief | include Loopback9").contains("9.9.9.9"));
    assert!(person.types(&mut lab, "ping 10.0.23.3").contains("100 percent"));
    assert!(person.session.help(&lab.network, "show cl").contains("clock"));
    assert_eq!(person.types(&mut lab, "exit"), "\n[Connection to 2.2.2.2 closed by foreign host]\nR1#");
    assert!(lab.reaches("R1", "9.9.9.9"));
    let log = lab.log("R2").join("\n");
    assert!(log.contains("Configured from console by vty0 (10.0.12.1)"), "{log}");
    assert_eq!(lab.network.router(lab.node("R2")).line_users().count(), 0);
}

#[test]
fn a_long_answer_comes_whole() {
    let text: String = (0..300).map(|n| format!("access-list 101 deny tcp any any eq {n}\n")).collect();
    let mut lab = row(
        "",
        &format!("{text}line vty 0 4\n no login\n privilege level 15\n transport input telnet\n"),
        "",
    );
    let mut person = Person::at(&lab, "R1");
    assert_eq!(person.types(&mut lab, "telnet 10.0.12.2"), "Trying 10.0.12.2 ... Open\nR2#");
    let there = person.types(&mut lab, "show running-config");
    let node = lab.node("R2");
    assert_eq!(there, Session::privileged(node).execute(&mut lab.network, "show running-config") + "R2#");
}

#[test]
fn lines_ask_as_they_are_configured() {
    let open = "transport input telnet\n";
    let mut lab = row(
        "",
        &format!("line vty 0 4\n {open}"),
        &format!("line vty 0 4\n login local\n {open}username ann secret one\n"),
    );
    let none_set = "Trying 10.0.12.2 ... Open\n\n\nPassword required, but none set\n\n\
                    [Connection to 10.0.12.2 closed by foreign host]\nR1#";
    assert_eq!(Person::at(&lab, "R1").types(&mut lab, "telnet 10.0.12.2"), none_set);
    let mut person = Person::at(&lab, "R1");
    assert!(person.types(&mut lab, "telnet 10.0.23.3").ends_with("User Access Verification\n\nUsername: "));
    assert_eq!(person.types(&mut lab, "ann"), "Password: ");
    assert_eq!(person.types(&mut lab, "two"), "% Login invalid\n\nUsername: ");
    for _ in 0..2 {
        person.types(&mut lab, "ann");
        person.types(&mut lab, "two");
    }
    assert!(
        person.shown.ends_with("% Login invalid\n\n[Connection to 10.0.23.3 closed by foreign host]\nR1#"),
        "{}",
        person.shown
    );
    lab.configure("R3", "aaa new-model\nline vty 0 4\n no login\n");
    person.types(&mut lab, "10.0.23.3");
    person.types(&mut lab, "ann");
    assert_eq!(person.types(&mut lab, "one"), "R3>");
    assert!(person.types(&mut lab, "enable").contains("% No password set"));
}

const OPEN: &str = "line vty 0 4\n no login\n privilege level 15\n transport input telnet\n";

#[test]
fn sessions_are_left_resumed_shown_and_ended() {
    let mut lab = row("", OPEN, OPEN);
    let mut person = Person::at(&lab, "R1");
    person.types(&mut lab, "telnet 10.0.12.2");
    assert_eq!(person.types(&mut lab, Session::ESCAPE), "R1#");
    assert!(person.types(&mut lab, "telnet 10.0.23.3").ends_with("R3#"));
    person.types(&mut lab, Session::ESCAPE);
    let sessions = person.types(&mut lab, "show sessions");
    assert!(sessions.contains("   1 10.0.12.2           10.0.12.2 "), "{sessions}");
    assert!(sessions.contains("*  2 10.0.23.3           10.0.23.3 "), "{sessions}");
    let users = person.types(&mut lab, "show users");
    assert!(users.contains("*  0 con 0                10.0.23.3 "), "{users}");
    assert!(person.types(&mut lab, "resume 1").starts_with("[Resuming connection 1 to 10.0.12.2 ... ]\n"));
    let users = person.types(&mut lab, "show users");
    assert!(
        users.lines().any(|line| line.starts_with("*  2 vty 0") && line.ends_with(" 10.0.12.1")),
        "{users}"
    );
    person.types(&mut lab, Session::ESCAPE);
    // An empty line goes back to the last one.
    person.types(&mut lab, "");
    assert!(person.types(&mut lab, "show clock | exclude .").ends_with("R3#"));
    person.types(&mut lab, Session::ESCAPE);
    assert_eq!(person.types(&mut lab, "disconnect 1"), "Closing connection to 10.0.12.2 [confirm]");
    person.types(&mut lab, "");
    assert!(!person.types(&mut lab, "show sessions").contains("10.0.12.2"));
    lab.run(1);
    assert_eq!(lab.network.router(lab.node("R2")).line_users().count(), 0);
    person.types(&mut lab, "exit");
    lab.run(1);
    assert_eq!(lab.network.router(lab.node("R3")).line_users().count(), 0);
}

#[test]
fn from_router_to_router_each_has_its_own_access_class() {
    let r2 =
        format!("{OPEN} access-class 30 out\naccess-list 30 deny 10.0.12.1\naccess-list 30 permit any\n");
    let mut lab = row("", &r2, &format!("{OPEN} access-class 40 in\naccess-list 40 permit 10.0.23.2\n"));
    let mut person = Person::at(&lab, "R1");
    assert!(person.types(&mut lab, "telnet 10.0.23.3").contains(REFUSED));
    person.types(&mut lab, "telnet 10.0.12.2");
    assert!(person.types(&mut lab, "telnet 10.0.23.3").ends_with("Open\nR3#"));
    let r3 = person.types(&mut lab, "show users");
    assert!(r3.contains(" 10.0.23.2\n"), "{r3}");
    // The first escape is that of the first router.
    assert!(person.types(&mut lab, Session::ESCAPE).ends_with("R1#"));
    person.types(&mut lab, "resume");
    assert_eq!(person.types(&mut lab, "exit"), "\n[Connection to 10.0.23.3 closed by foreign host]\nR2#");
    let denied = person.types(&mut lab, "telnet 10.0.12.1");
    assert_eq!(denied, "% Connections to that host not permitted from this terminal\nR2#");
    assert_eq!(matches(&mut lab, "R2", "30"), [1, 1]);
    assert_eq!(matches(&mut lab, "R3", "40"), [1]);
}

#[test]
fn a_session_ends_with_its_router_its_way_its_line_or_its_time() {
    let mut lab = row("", OPEN, OPEN);
    let mut person = Person::at(&lab, "R1");
    let closed = "\n[Connection to 10.0.23.3 closed by foreign host]\nR1#";
    let connect = |person: &mut Person, lab: &mut Lab| {
        assert!(person.types(lab, "telnet 10.0.23.3").ends_with("R3#"), "{}", person.shown);
    };
    // Somebody else ends it.
    connect(&mut person, &mut lab);
    let mut other = Person::at(&lab, "R3");
    assert_eq!(other.types(&mut lab, "clear line vty 0"), "[confirm]");
    assert_eq!(other.types(&mut lab, ""), " [OK]\nR3#");
    lab.run(1);
    assert_eq!(person.types(&mut lab, "show clock"), closed);
    // Nobody types for ten minutes.
    connect(&mut person, &mut lab);
    lab.run(599);
    assert!(person.types(&mut lab, "show privilege").ends_with("R3#"));
    lab.run(602);
    assert_eq!(lab.network.router(lab.node("R3")).line_users().count(), 0);
    assert_eq!(person.types(&mut lab, "show privilege"), closed);
    // A login that is not answered for half a minute.
    lab.configure("R3", "line vty 0 4\n password x\n login\n");
    assert!(person.types(&mut lab, "telnet 10.0.23.3").ends_with("Password: "));
    lab.run(31);
    assert_eq!(person.types(&mut lab, "x"), closed);
    lab.configure("R3", OPEN);
    // The router restarts.
    connect(&mut person, &mut lab);
    let node = lab.node("R3");
    lab.network.router_mut(node).save_config();
    lab.network.reload(node);
    lab.run(10);
    assert_eq!(person.types(&mut lab, "show clock"), closed);
    // The way is cut, for a while and for good.
    connect(&mut person, &mut lab);
    let link = lab.link(1);
    lab.network.set_link_up(link, false);
    assert_eq!(person.types(&mut lab, "show privilege"), "");
    lab.network.set_link_up(link, true);
    lab.run(120);
    assert!(person.types(&mut lab, "").contains("Current privilege level is 15"));
    lab.network.set_link_up(link, false);
    person.types(&mut lab, "show privilege");
    lab.run(3600);
    let gone = "\n[Connection to 10.0.23.3 timed out; remote host not responding]\nR1#";
    assert_eq!(person.types(&mut lab, "show privilege"), gone);
    assert_eq!(lab.network.router(node).visits().count(), 0);
}

#[test]
fn as_many_sessions_as_lines_and_no_more() {
    let mut lab = row("", OPEN, "");
    let mut people: Vec<Person> = (0..5).map(|_| Person::at(&lab, "R1")).collect();
    for person in &mut people {
        assert!(person.types(&mut lab, "telnet 10.0.12.2").ends_with("R2#"));
    }
    assert!(telnet(&mut lab, "R3", "10.0.23.2").contains(REFUSED));
    people[2].types(&mut lab, "exit");
    lab.run(1);
    assert!(telnet(&mut lab, "R3", "10.0.23.2").contains("Open"));
    lab.configure("R2", "line vty 5\n transport input telnet\n no login\n");
    let mut last = Person::at(&lab, "R3");
    last.types(&mut lab, "telnet 10.0.23.2");
    assert!(
        last.types(&mut lab, "show users").lines().any(|line| line.starts_with("*  4 vty 2")),
        "{}",
        last.shown
    );
}

#[test]
fn a_router_reaches_its_own_terminals() {
    let mut lab = row("", OPEN, "");
    let mut person = Person::at(&lab, "R2");
    assert!(person.types(&mut lab, "telnet 2.2.2.2").ends_with("Open\nR2#"));
    let running = person.types(&mut lab, "show running-config");
    assert!(running.contains("\nend\n\nR2#") || running.ends_with("end\nR2#"), "{running}");
    assert!(person.types(&mut lab, "exit").contains("closed by foreign host"));
}

#[test]
fn a_batch_of_lines_can_go_to_another_router() {
    let mut lab = row("", OPEN, "");
    let node = lab.node("R1");
    let applied = apply_lines(
        &mut lab.network,
        node,
        "do telnet 10.0.12.2\nconfigure terminal\nhostname There\nend\nexit\nhostname Here\ndo telnet 10.0.12.2",
    );
    assert!(applied.rejected.is_empty(), "{:?}", applied.rejected);
    let hostname = |lab: &Lab, name: &str| lab.network.router(lab.node(name)).config().hostname.clone();
    assert_eq!((hostname(&lab, "R1"), hostname(&lab, "R2")), ("Here".to_owned(), "There".to_owned()));
    assert!(
        applied
            .transcript
            .contains("There#exit\n\n[Connection to 10.0.12.2 closed by foreign host]\nR1(config)#"),
        "{}",
        applied.transcript
    );
    // What the batch leaves open is closed behind it.
    lab.run(1);
    assert_eq!(lab.network.router(lab.node("R2")).visits().count(), 0);
}

#[test]
fn a_copy_of_a_network_with_its_session_goes_the_same_way() {
    let mut lab = row("", OPEN, "");
    let mut person = Person::at(&lab, "R1");
    person.types(&mut lab, "telnet 10.0.12.2");
    let (mut network, mut session) = (lab.network.clone(), person.session.clone());
    let stored = serde_json::to_string(&person.session).unwrap();
    assert_eq!(serde_json::from_str::<Session>(&stored).unwrap(), session);
    let there = session.execute(&mut network, "show ip route");
    assert_eq!(person.session.execute(&mut lab.network, "show ip route"), there);
    assert_eq!(network.now(), lab.network.now());
    assert!(there.contains("2.2.2.2"));
}

#[test]
fn the_ssh_port_needs_a_key_that_outlives_a_restart() {
    let mut lab = row("", "line vty 0 4\n transport input ssh\n", "");
    let mut operator = Person::at(&lab, "R2");
    let mut generate = |lab: &mut Lab, lines: &[&str]| {
        operator.types(lab, "configure terminal");
        let said: String = lines.iter().map(|line| operator.types(lab, line)).collect();
        operator.types(lab, "end");
        said
    };
    assert!(
        generate(&mut lab, &["crypto key generate rsa"]).contains("% Please define a domain-name first.")
    );
    assert!(telnet(&mut lab, "R1", "10.0.12.2 22").contains(REFUSED));
    let said = generate(&mut lab, &["ip domain name lab.example", "crypto key generate rsa modulus 2048"]);
    assert!(said.contains("The name for the keys will be: R2.lab.example\n"), "{said}");
    let node = lab.node("R2");
    lab.network.router_mut(node).save_config();
    lab.network.reload(node);
    lab.run(10);
    let mut person = Person::at(&lab, "R1");
    assert_eq!(
        person.types(&mut lab, "telnet 10.0.12.2 22"),
        "Trying 10.0.12.2, 22 ... Open\nSSH-2.0-Cisco-1.25\n"
    );
    assert!(person.types(&mut lab, "hello").contains("[Connection to 10.0.12.2 closed by foreign host]"));
    assert!(telnet(&mut lab, "R1", "10.0.12.2").contains(REFUSED), "no telnet");
    generate(&mut lab, &["crypto key zeroize rsa"]);
    assert!(telnet(&mut lab, "R1", "10.0.12.2 22").contains(REFUSED));
}

#[test]
fn sessions_within_sessions_are_bounded() {
    let open = "line vty 0 30\n no login\n privilege level 15\n transport input telnet\n";
    let mut lab = row(open, open, "");
    let mut person = Person::at(&lab, "R1");
    let mut said = String::new();
    for _ in 0..5 {
        person.types(&mut lab, "telnet 10.0.12.2");
        said = person.types(&mut lab, "telnet 10.0.12.1");
    }
    assert!(said.contains("% No more connections possible"), "{said}");
    assert!(person.types(&mut lab, "show users | count vty").ends_with("R1#"));
    person.types(&mut lab, Session::ESCAPE);
    person.types(&mut lab, "exit");
    lab.run(1);
    for router in ["R1", "R2"] {
        assert_eq!(lab.network.router(lab.node(router)).visits().count(), 0, "{router}");
    }
}
