//! Configuration mode, batches of lines, commands that only look.

use super::*;

#[test]
fn configuration_lines_take_effect_at_once_and_are_logged() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let entered = session.execute(&mut network, "conf t");
    assert_eq!(entered, "Enter configuration commands, one per line.  End with CNTL/Z.\n");
    assert_eq!(session.prompt(&network), "R1(config)#");
    session.execute(&mut network, "hostname EDGE");
    assert_eq!(session.prompt(&network), "EDGE(config)#");
    session.execute(&mut network, "interface Lo7");
    assert_eq!(session.prompt(&network), "EDGE(config-if)#");
    assert!(session.execute(&mut network, "do show ip int br | i Loop").starts_with("Loopback7 "));
    assert_eq!(session.prompt(&network), "EDGE(config-if)#");
    assert_eq!(
        session.execute(&mut network, "do show ip x"),
        "                           ^\n% Invalid input detected at '^' marker.\n\n"
    );
    session.execute(&mut network, "description last\u{1a}");
    assert_eq!(session.prompt(&network), "EDGE#");
    let last = network.router(node).log().iter().last().unwrap();
    assert_eq!(crate::syslog::message(&last.event), "%SYS-5-CONFIG_I: Configured from console by console");
    let shown = session.execute(&mut network, "show run int lo7");
    assert!(
        shown.ends_with("\n!\ninterface Loopback7\n description last\n no ip address\nend\n\n"),
        "{shown}"
    );
}

/// What IOS remarks to lines, whether it takes them or not.
#[test]
fn lines_are_taken_or_refused_with_the_remarks_of_ios() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.execute(&mut network, "configure terminal");
    let illegal = "% Hostname contains one or more illegal characters.\n";
    let cautiously = "% Warning: use /31 mask on non point-to-point interface cautiously\n";
    let truncated = "% OSPF: Warning: The password/key will be truncated to 8 characters\n";
    for (line, remark) in [
        ("hostname 4R", illegal),
        ("hostname R@1", illegal),
        ("hostname R1", ""),
        ("interface Gi0/0", ""),
        ("ip address 10.0.12.1 255.255.255.255", "Bad mask /32 for address 10.0.12.1\n"),
        ("ip address 10.0.12.0 255.255.255.254", cautiously),
        ("ip ospf authentication-key toolongpassword", truncated),
        ("ip ospf authentication-key short", ""),
        ("no service password-encryption", ""),
        ("service-policy input X", "% Not supported by this emulator: service-policy\n"),
    ] {
        let before = session.prompt(&network);
        assert_eq!(session.execute(&mut network, line), remark, "{before}{line}");
        if line.starts_with("no service") {
            assert_eq!(session.prompt(&network), "R1(config)#", "{line}");
            session.execute(&mut network, "interface Gi0/0");
        }
    }
    let config = network.router(node).config();
    assert_eq!(config.hostname, "R1");
    assert_eq!(
        config.interfaces[&"Gi0/0".parse().unwrap()].ospf.authentication.simple_key.as_deref(),
        Some("short")
    );
}

#[test]
fn rfc5227_2_4_a_second_station_with_an_address_is_logged_on_both_sides() {
    let (mut network, node) = network();
    let other = network.nodes().find(|&other| other != node).unwrap();
    let text = "interface Gi0/0\nip address 10.0.12.1 255.255.255.0";
    assert_eq!(apply_lines(&mut network, other, text).rejected, []);
    network.run_for(std::time::Duration::from_secs(5));
    for (node, station) in [(node, "aabb.cc00.0200"), (other, "aabb.cc00.0100")] {
        let log = network.router(node).log();
        let lines: Vec<String> = log.iter().map(|entry| crate::syslog::message(&entry.event)).collect();
        let expected =
            format!("%IP-4-DUPADDR: Duplicate address 10.0.12.1 on GigabitEthernet0/0, sourced by {station}");
        assert_eq!(lines.iter().filter(|line| **line == expected).count(), 1, "{lines:?}");
    }
}

#[test]
fn logging_goes_where_it_is_configured_to_go() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.watch_log(&network);
    let flap = |network: &mut Network, session: &mut Session, line: &str| {
        for line in ["configure terminal", line, "interface Gi0/0", "shutdown", "no shutdown", "end"] {
            session.execute(network, line);
        }
        network.run_for(std::time::Duration::from_secs(5));
        session.messages(network)
    };
    let all = flap(&mut network, &mut session, "logging console");
    assert!(all.contains("%LINK-5-CHANGED") && all.contains("%LINK-3-UPDOWN"), "{all}");
    let severe = flap(&mut network, &mut session, "logging console errors");
    assert!(!severe.contains("%LINK-5-CHANGED") && severe.contains("%LINK-3-UPDOWN"), "{severe}");
    assert_eq!(flap(&mut network, &mut session, "no logging console"), "");
    let shown = session.execute(&mut network, "show logging");
    assert!(shown.contains("Console logging: disabled\n") && shown.contains("%LINK-5-CHANGED"), "{shown}");
    flap(&mut network, &mut session, "logging buffered 8192 3");
    let shown = session.execute(&mut network, "show logging");
    assert!(
        shown.contains("Buffer logging:  level errors,") && !shown.contains("%LINK-5-CHANGED"),
        "{shown}"
    );
}

/// A line that has no effect here must still be one that a router takes.
#[test]
fn lines_without_effect_have_the_arguments_that_ios_knows() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.execute(&mut network, "configure terminal");
    let mut said = |line: &str| session.execute(&mut network, line);
    for line in [
        "logging buffered 16384 warnings",
        "logging buffered",
        "no logging console",
        "ip name-server 8.8.8.8 8.8.4.4",
        "ntp server 10.0.0.1 prefer",
        "service timestamps log datetime msec localtime",
        "ip ssh version 2",
        "interface Gi0/0",
        "duplex f",
        "speed 100",
        "carrier-delay msec 100",
        "keepalive 5",
    ] {
        assert_eq!(said(line), "", "{line}");
    }
    for line in [
        "duplex foo",
        "speed 7",
        "carrier-delay abc",
        "keepalive 99999",
        "clock rate 64000",
        "hold-queue 5 up",
    ] {
        assert!(said(line).contains("% Invalid input"), "{line}");
    }
    assert_eq!(said("duplex"), "% Incomplete command.\n\n");
    said("interface Loopback5");
    assert!(said("speed 10").contains("% Invalid input"), "a loopback has no speed");
    said("exit");
    for line in [
        "ip name-server 1.1.1.1.1",
        "logging console bogus",
        "logging facility local9",
        "ip cef garbage",
        "ip ssh version 3",
        "ntp servant 10.0.0.1",
    ] {
        assert!(said(line).contains("% Invalid input"), "{line}");
    }
    assert_eq!(said("ntp server"), "% Incomplete command.\n\n");
    let config = network.router(node).config();
    assert_eq!(
        config.interfaces[&"Gi0/0".parse().unwrap()].inert,
        ["duplex full", "speed 100", "carrier-delay msec 100", "keepalive 5"]
    );
}

#[test]
fn a_long_host_name_is_cut_in_the_prompt_of_configuration_mode() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.execute(&mut network, "configure terminal");
    session.execute(&mut network, "hostname abcdefghijklmnopqrstuvwxyz");
    assert_eq!(session.prompt(&network), "abcdefghijklmnopqrst(config)#");
    session.execute(&mut network, "exit");
    assert_eq!(session.prompt(&network), "abcdefghijklmnopqrstuvwxyz#");
}

#[test]
fn batches_echo_each_line_and_go_on_behind_errors() {
    let (mut network, node) = network();
    let text = "router ospf 1\n network 10.0.12.0 0.0.0.255 area 0\n\n wrong 1\ninterface Loopback0\nip address 1.1.1.1 255.255.255.255";
    let applied = apply_lines(&mut network, node, text);
    let expected = "R1(config)#router ospf 1\n\
                    R1(config-router)# network 10.0.12.0 0.0.0.255 area 0\n\
                    R1(config-router)# wrong 1\n                   ^\n% Invalid input detected at '^' marker.\n\n\
                    R1(config-router)#interface Loopback0\n\
                    R1(config-if)#ip address 1.1.1.1 255.255.255.255\n\
                    R1(config-if)#end\n";
    assert_eq!(applied.transcript, expected);
    let rejected: Vec<String> = applied.rejected.iter().map(ToString::to_string).collect();
    assert_eq!(rejected, ["line 4: `wrong 1`: invalid input at column 2"]);
    assert!(network.router(node).config().interfaces.contains_key(&"Loopback0".parse().unwrap()));
}

#[test]
fn batches_that_leave_configuration_mode_go_on_in_exec_mode() {
    let (mut network, node) = network();
    let applied = apply_lines(&mut network, node, "banner motd #\nno end\n");
    assert_eq!(
        applied.transcript,
        "R1(config)#banner motd #\nEnter TEXT message.  End with the character '#'.\nno end\n\nR1(config)#end\n"
    );
    let applied = apply_lines(&mut network, node, "hostname X\nend\nwrite memory\ncopy run start\n\nreload");
    assert_eq!(
        applied.transcript,
        "R1(config)#hostname X\nX(config)#end\nX#write memory\nBuilding configuration...\n[OK]\nX#copy run start\n\
         Destination filename [startup-config]? \nBuilding configuration...\n[OK]\nX#reload\nProceed with reload? [confirm]\n"
    );
    assert_eq!(applied.rejected, []);
}

#[test]
fn only_looking_is_allowed_read_only() {
    let (mut network, node) = network();
    let mut run = |line| execute_read_only(&mut network, node, line);
    assert!(run("show ip interface brief | include Giga").is_ok_and(|text| text.lines().count() == 1));
    assert!(run("show running-config").is_ok());
    for line in ["configure terminal", "conf", "clear arp", "reload", "write", "exit", "wr mem"] {
        assert!(run(line).is_err_and(|text| text.starts_with("% Refused: ")), "{line}");
    }
    let error = run("show ip nonsense").unwrap_err();
    assert_eq!(error, "            ^\n% Invalid input detected at '^' marker.\n\n");
}

#[test]
fn a_router_id_that_another_process_has_is_refused() {
    let (mut network, node) = network();
    let text = "router ospf 1\nnetwork 10.0.12.1 0.0.0.0 area 0\nrouter ospf 2\nrouter-id 10.0.12.1\nrouter-id 7.7.7.7\n\
                router ospf 1\nrouter-id 7.7.7.7\nrouter-id 10.0.12.1\n";
    let applied = apply_lines(&mut network, node, text);
    let refusals: Vec<&str> = applied.transcript.lines().filter(|line| line.starts_with('%')).collect();
    assert_eq!(
        refusals,
        [
            "% OSPF: router-id 10.0.12.1 in use by ospf process 1",
            "% OSPF: router-id 7.7.7.7 in use by ospf process 2"
        ]
    );
    let ids =
        [1, 2].map(|process| network.router(node).ospf(process).unwrap().router_id.unwrap().to_string());
    assert_eq!(ids, ["10.0.12.1", "7.7.7.7"]);
}
