//! What happens later: restarts that are put off, changes on trial; and dialogs, files, tech-support, levels of commands.

use std::time::Duration;

use super::*;

#[test]
fn a_reload_comes_later_unless_it_is_cancelled() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.execute(&mut network, "write");
    let mut run = |network: &mut Network, line: &str| session.execute(network, line);
    assert_eq!(run(&mut network, "show reload"), "No reload is scheduled.\n");
    let asked = run(&mut network, "reload in 1:05 new image");
    assert!(
        asked.contains("(in 1 hour and 5 minutes) by console\nReload reason: new image\nProceed with"),
        "{asked}"
    );
    assert_eq!(run(&mut network, ""), "\n\n***\n*** --- SHUTDOWN in 1:05:00 ---\n***\n");
    assert!(run(&mut network, "show reload").contains("by console\nReload reason: new image\n"));
    assert!(run(&mut network, "reload cancel").contains("SHUTDOWN ABORTED"));
    assert_eq!(run(&mut network, "reload cancel"), "%No reload is scheduled.\n");
    run(&mut network, "reload in 2");
    run(&mut network, "");
    network.run_for(Duration::from_secs(119));
    let before = network.router(node).booted();
    network.run_for(Duration::from_secs(1));
    assert_eq!(network.router(node).booted(), network.now());
    assert_ne!(network.router(node).booted(), before);
    // The link comes back, too.
    network.run_for(Duration::from_secs(10));
    assert!(run(&mut network, "ping 10.0.12.2").contains("!!"));
    for refused in ["reload in 0", "reload in soon", "reload at 25:00", "reload at noon"] {
        assert!(run(&mut network, refused).contains("% Invalid input detected"), "{refused}");
    }
    let at = run(&mut network, "reload at 23:59");
    assert!(at.contains("Reload scheduled for 23:59:00 UTC "), "{at}");
}

#[test]
fn changes_on_trial_go_back_unless_they_are_confirmed() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run = |network: &mut Network, line: &str| session.execute(network, line);
    assert_eq!(run(&mut network, "configure terminal revert timer 2"), "%Please turn config archive on\n");
    apply_lines(&mut network, node, "archive\npath flash:kept");
    assert_eq!(run(&mut network, "configure confirm"), "%No Rollback Confirmed Change pending\n");
    let begun = run(&mut network, "configure terminal revert timer 2");
    assert!(
        begun.starts_with("Rollback Confirmed Change: Backing up current running config to flash:/kept-1\n")
    );
    run(&mut network, "hostname CHANGED");
    run(&mut network, "end");
    let timer = run(&mut network, "show archive config rollback timer");
    assert!(timer.contains("Timer value: 2 min\nUser: console\n"), "{timer}");
    network.run_for(Duration::from_secs(119));
    assert_eq!(network.router(node).config().hostname, "CHANGED");
    network.run_for(Duration::from_secs(1));
    assert_eq!(network.router(node).config().hostname, "R1");
    assert_eq!(
        run(&mut network, "show archive config rollback timer"),
        "No Rollback Confirmed Change pending\n"
    );
    for (line, left) in [("configure confirm", "CHANGED"), ("configure revert now", "CHANGED")] {
        run(&mut network, "configure terminal revert timer 1");
        run(&mut network, &format!("hostname {}", if line.ends_with("now") { "OTHER" } else { left }));
        run(&mut network, "end");
        run(&mut network, line);
        network.run_for(Duration::from_secs(100));
        assert_eq!(network.router(node).config().hostname, left, "{line}");
    }
}

#[test]
fn ping_alone_asks_for_everything() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run = |line: &str| session.execute(&mut network, line);
    assert_eq!(run("ping"), "Protocol [ip]: ");
    assert_eq!(run(""), "Target IP address: ");
    assert_eq!(run("2.2.2.2"), "Repeat count [5]: ");
    assert_eq!(run("3"), "Datagram size [100]: ");
    assert_eq!(run(""), "Timeout in seconds [2]: ");
    assert_eq!(run(""), "Extended commands [n]: ");
    assert_eq!(run("y"), "Ingress ping [n]: ");
    assert_eq!(run(""), "Source address or interface: ");
    assert_eq!(run("Gi0/0"), "DSCP Value [0]: ");
    for answer in ["", "", "yes", "", "", ""] {
        assert!(!run(answer).contains('%'));
    }
    let said = run("");
    assert!(said.contains("Sending 3, 100-byte ICMP Echos to 2.2.2.2, timeout is 2 seconds:\n"), "{said}");
    assert!(said.contains("sent with a source address of 10.0.12.1"), "{said}");
    assert!(said.contains("Packet sent with the DF bit set"), "{said}");
    for answers in [["ping", "", "", ""], ["ping", "", "2.2.2.2", "none"]] {
        assert!(answers.iter().any(|line| run(line).starts_with("% ")), "{answers:?}");
    }
    assert_eq!(session.prompt(&network), "R1#");
    let mut run = |line: &str| session.execute(&mut network, line);
    let short = ["ping", "", "2.2.2.2", "", "", "", "", ""].map(&mut run);
    assert!(short.last().unwrap().contains("Success rate is"), "{short:?}");
    let traced = ["traceroute", "", "2.2.2.2", "", "", "", "", "", "", "", "", "", ""].map(&mut run);
    assert!(traced.last().unwrap().contains("  1 10.0.12.2"), "{traced:?}");
    assert_eq!(run("traceroute"), "Protocol [ip]: ");
    assert_eq!(run("ipx"), "% Not supported by this emulator: the protocol ipx\n");
}

#[test]
fn files_are_verified_and_copied_over_scp_where_it_is_enabled() {
    let (mut network, node) = network();
    let refused = write_file(&mut network, node, "flash:/a.cfg", "hostname A\n");
    assert_eq!(refused, Err("Administratively disabled.".to_owned()));
    apply_lines(&mut network, node, "ip scp server enable");
    write_file(&mut network, node, "flash:/a.cfg", "hostname A\n").unwrap();
    assert_eq!(read_file(&mut network, node, "a.cfg").as_deref(), Ok("hostname A\n"));
    assert!(
        write_file(&mut network, node, "nvram:startup-config", "x")
            .unwrap_err()
            .contains("Permission denied")
    );
    assert!(read_file(&mut network, node, "flash:b").unwrap_err().contains("No such file"));
    let mut session = Session::privileged(node);
    let verified = session.execute(&mut network, "verify /md5 flash:a.cfg");
    assert_eq!(verified, ".Done!\nverify /md5 (flash:/a.cfg) = c1ff6f9b67fabd4be5f53ec9be044f8c\n");
}

#[test]
fn tech_support_holds_the_outputs_of_many_commands() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let said = session.execute(&mut network, "show tech-support");
    for part in [
        "show version ------------------\n\nCisco IOS",
        "show running-config --",
        "Internet address is 10.0.12.1/24",
    ] {
        assert!(said.contains(part), "{part}");
    }
    assert_eq!(session.execute(&mut network, "show history"), "  show tech-support\n  show history\n");
}

#[test]
fn commands_are_given_to_levels_and_taken_from_them() {
    let (mut network, node) = network();
    let lines = "privilege exec level 5 show running-config\nprivilege exec level 7 ping\nprivilege exec level 5 clear counters";
    apply_lines(&mut network, node, lines);
    let mut at = |level, line: &str| {
        Session::logged_in(node, Level(level), "console by x".to_owned()).execute(&mut network, line)
    };
    assert!(
        at(5, "sh run").contains("privilege exec level 7 ping\nprivilege exec level 5 clear counters"),
        "{}",
        at(5, "sh run")
    );
    assert!(at(5, "clear counters").contains("[confirm]"));
    assert!(at(5, "show startup-config").contains("% Invalid input"));
    assert!(at(4, "show running-config").contains("% Invalid input"));
    assert!(at(7, "ping 2.2.2.2").contains("Success rate"));
    assert!(!at(1, "ping 2.2.2.2").contains("Success rate"));
    assert!(at(15, "ping 2.2.2.2").contains("Success rate"));
}

#[test]
fn one_session_configures_while_others_wait() {
    let (mut network, node) = network();
    let at = |line: u16| {
        Session::logged_in(node, Level::PRIVILEGED, format!("console by x on vty{line} (127.0.0.1)"))
    };
    let (mut first, mut second) = (at(0), at(1));
    assert!(
        first
            .execute(&mut network, "configure terminal lock")
            .starts_with("% Configuration mode is not exclusive")
    );
    apply_lines(&mut network, node, "configuration mode exclusive manual");
    first.execute(&mut network, "configure terminal lock");
    let said = second.execute(&mut network, "configure terminal");
    assert!(
        said.starts_with("Configuration mode locked exclusively by user 'x on vty0 (127.0.0.1)'"),
        "{said}"
    );
    first.execute(&mut network, "end");
    second.execute(&mut network, "configure terminal");
    assert_eq!(second.prompt(&network), "R1(config)#");
    second.execute(&mut network, "end");
    second.execute(&mut network, "configure terminal lock");
    second.hang_up(&mut network);
    first.execute(&mut network, "configure terminal");
    assert_eq!(first.prompt(&network), "R1(config)#");
}

#[test]
fn ping_sweeps_a_range_of_sizes() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    for answer in ["ping", "", "10.0.12.1", "2", "", "", "", "y", "40", "60"] {
        session.execute(&mut network, answer);
    }
    let said = session.execute(&mut network, "10");
    assert!(said.contains("Sending 6, [40..60]-byte ICMP Echos to 10.0.12.1,"), "{said}");
    assert!(said.contains("\n!!!!!!\nSuccess rate is 100 percent (6/6)"), "{said}");
    for answer in ["ping", "", "10.0.12.1", "2", "", "", "", "y", "60", "40"] {
        session.execute(&mut network, answer);
    }
    assert!(session.execute(&mut network, "").contains("max size is less"));
}

#[test]
fn telnet_tells_whether_a_port_answers() {
    let (mut network, node) = network();
    let other = network.node("R2").unwrap();
    apply_lines(&mut network, other, "router bgp 2\nneighbor 10.0.12.1 remote-as 1");
    let mut session = Session::privileged(node);
    let mut run = |network: &mut Network, line: &str| session.execute(network, line);
    assert_eq!(
        run(&mut network, "telnet 10.0.12.2 179"),
        "Trying 10.0.12.2, 179 ... Open\n\n[Connection to 10.0.12.2 closed by foreign host]\n"
    );
    let refused = "Trying 10.0.12.2 ... \n% Connection refused by remote host\n";
    assert_eq!(run(&mut network, "telnet 10.0.12.2"), refused);
    assert_eq!(run(&mut network, "10.0.12.2"), refused);
    let unreachable = run(&mut network, "telnet 203.0.113.9");
    assert_eq!(unreachable, "Trying 203.0.113.9 ... \n% Destination unreachable; gateway or host down\n");
    let before = network.now();
    let silent = run(&mut network, "telnet 10.0.12.77 80");
    assert_eq!(silent, "Trying 10.0.12.77, 80 ... \n% Connection timed out; remote host not responding\n");
    assert_eq!(network.now().since(before), Duration::from_secs(30));
    apply_lines(
        &mut network,
        other,
        "ip access-list extended NONE\ndeny tcp any any\ninterface Gi0/0\nip access-group NONE in",
    );
    assert_eq!(
        run(&mut network, "telnet 10.0.12.2"),
        "Trying 10.0.12.2 ... \n% Destination unreachable; gateway or host down\n"
    );
}
