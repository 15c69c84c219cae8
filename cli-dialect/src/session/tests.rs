//! Sessions at a small network.

use netconfarena_emu::network::{LinkProperties, Network};

use super::*;
use crate::config;

/// Two routers on a link, R1 10.0.12.1 and R2 10.0.12.2, R1 with a static route to R2's loopback 2.2.2.2.
fn network() -> (Network, NodeIndex) {
    let mut network = Network::new(1);
    let port = "GigabitEthernet0/0".parse().unwrap();
    let [first, second] = ["R1", "R2"].map(|name| network.add_router(name, &[port]));
    network.add_link(LinkProperties::ethernet(), &[(first, port), (second, port)]).unwrap();
    configure(
        &mut network,
        first,
        "interface Gi0/0\n ip address 10.0.12.1 255.255.255.0\nip route 2.2.2.2 255.255.255.255 10.0.12.2\n",
    );
    configure(
        &mut network,
        second,
        "interface Gi0/0\n ip address 10.0.12.2 255.255.255.0\ninterface Lo0\n ip address 2.2.2.2 255.255.255.255\n",
    );
    network.run_for(std::time::Duration::from_secs(5));
    (network, first)
}

fn configure(network: &mut Network, node: NodeIndex, text: &str) {
    let mut config = netconfarena_emu::config::RouterConfig::clone(network.router(node).config());
    assert_eq!(config::load(&mut config, text).refused, []);
    network.configure(node, config);
}

/// What a privileged session at R1 prints.
fn output(line: &str) -> String {
    let (mut network, node) = network();
    Session::privileged(node).execute(&mut network, line)
}

#[test]
fn show_commands_print_the_router() {
    let brief = output("sh ip int br");
    assert!(
        brief.contains("GigabitEthernet0/0         10.0.12.1       YES manual up                    up\n")
    );
    let routes = output("show ip route");
    assert!(routes.contains("S        2.2.2.2 [1/0] via 10.0.12.2\n"), "{routes}");
    assert!(routes.contains("C        10.0.12.0/24 is directly connected, GigabitEthernet0/0\n"), "{routes}");
    assert!(routes.contains("Gateway of last resort is not set"));
    let only = output("show ip route connected");
    assert!(only.contains("L        10.0.12.1/32 is directly") && !only.contains("2.2.2.2"));
    assert!(output("show ip route 2.2.2.2").contains("Known via \"static\", distance 1, metric 0\n"));
    assert_eq!(output("show ip route 203.0.113.5"), "% Network not in table\n");
    assert_eq!(output("show ip route 10.0.13.1"), "% Subnet not in table\n");
    let arp = output("show arp");
    assert!(
        arp.contains("Internet  10.0.12.1                -  aabb.cc00.0100  ARPA   GigabitEthernet0/0\n"),
        "{arp}"
    );
    assert_eq!(output("show clock"), "*00:00:05.000 UTC Thu Jan 1 2026\n");
    let version = output("show version");
    assert!(version.contains("R1 uptime is 0 minutes\n"), "{version}");
}

#[test]
fn errors_have_their_caret_below_the_line() {
    assert_eq!(output("show ip rx"), "            ^\n% Invalid input detected at '^' marker.\n\n");
    assert_eq!(output("show ip"), "% Incomplete command.\n\n");
    assert_eq!(output(" show clo"), "*00:00:05.000 UTC Thu Jan 1 2026\n");
    assert_eq!(output("show"), "% Incomplete command.\n\n");
    assert_eq!(output("e"), "% Ambiguous command:  \"e\"\n");
    assert_eq!(output(""), "");
    assert_eq!(output(&"x".repeat(255)), "% Line longer than 254 characters\n");
}

#[test]
fn pipes_filter_show_commands_only() {
    assert_eq!(output("show ip route | include ^S"), "S        2.2.2.2 [1/0] via 10.0.12.2\n");
    assert_eq!(output("exit | include x"), "        ^\n% Invalid input detected at '^' marker.\n\n");
    assert_eq!(output("show clock |"), "% Incomplete command.\n\n");
}

#[test]
fn modes_and_prompts() {
    let (mut network, node) = network();
    let mut session = Session::new(node);
    assert_eq!(session.prompt(&network), "R1>");
    session.execute(&mut network, "enable");
    assert_eq!(session.prompt(&network), "R1#");
    session.execute(&mut network, "disable");
    assert_eq!(session.prompt(&network), "R1>");
    session.execute(&mut network, "exit");
    assert!(session.is_closed());
}

#[test]
fn help_and_completion() {
    let (network, node) = network();
    let session = Session::privileged(node);
    assert_eq!(session.help(&network, "show cl"), "class-map  clock\n");
    assert!(session.help(&network, "show ip route | ").contains("  include   Include lines that match\n"));
    assert_eq!(session.help(&network, "show zz"), "% Unrecognized command\n");
    assert_eq!(session.complete(&network, "show ver").as_deref(), Some("sion "));
    assert_eq!(session.complete(&network, "show arp | inc").as_deref(), Some("lude "));
}

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
fn questions_wait_for_an_answer() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    assert_eq!(
        session.execute(&mut network, "reload"),
        "\nSystem configuration has been modified. Save? [yes/no]: "
    );
    assert_eq!(session.prompt(&network), "");
    assert!(session.execute(&mut network, "").starts_with("% Please answer 'yes' or 'no'.\n\nSystem"));
    assert!(session.execute(&mut network, "what").starts_with("% Please answer 'yes' or 'no'.\n\nSystem"));
    assert!(session.execute(&mut network, "yes").ends_with("[OK]\nProceed with reload? [confirm]"));
    assert_eq!(session.execute(&mut network, "n"), "");
    assert_eq!(session.prompt(&network), "R1#");
    assert_eq!(session.execute(&mut network, "clear ip ospf process"), "Reset ALL OSPF processes? [no]: ");
    assert_eq!(session.execute(&mut network, ""), "");
    assert_eq!(
        session.execute(&mut network, "clear counters"),
        "Clear \"show interface\" counters on all interfaces [confirm]"
    );
    session.execute(&mut network, "");
    assert_eq!(network.router(node).interfaces().iter().map(|i| i.counters.out_packets).sum::<u64>(), 0);
    session.execute(&mut network, "clear logging");
    session.execute(&mut network, "y");
    assert_eq!(network.router(node).log().iter().count(), 0);
}

#[test]
fn a_router_restarts_with_what_was_saved() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    assert_eq!(session.execute(&mut network, "show startup-config"), "startup-config is not present\n");
    assert_eq!(session.execute(&mut network, "wr"), "Building configuration...\n[OK]\n");
    apply_lines(&mut network, node, "hostname CHANGED\nno ip route 2.2.2.2 255.255.255.255 10.0.12.2");
    session.execute(&mut network, "copy startup-config running-config");
    assert!(session.execute(&mut network, "").contains(" bytes copied in "));
    assert_eq!(session.prompt(&network), "R1#");
    apply_lines(&mut network, node, "hostname CHANGED");
    assert!(session.execute(&mut network, "reload").contains("Save?"));
    session.execute(&mut network, "no");
    session.execute(&mut network, "");
    assert!(session.is_closed());
    assert_eq!(session.prompt(&network), "R1>");
    session.execute(&mut network, "enable");
    assert_eq!(session.execute(&mut network, "erase startup-config").lines().count(), 1);
    session.execute(&mut network, "");
    assert_eq!(network.router(node).startup_config(), None);
}

#[test]
fn ping_and_traceroute_send_packets() {
    assert!(
        output("ping 2.2.2.2")
            .contains("\n!!!!!\nSuccess rate is 100 percent (5/5), round-trip min/avg/max = 1/1/1 ms\n")
    );
    let sized = output("ping 2.2.2.2 repeat 3 size 1600 source gi0/0 timeout 1 df-bit");
    assert!(sized.contains("Sending 3, 1600-byte ICMP Echos to 2.2.2.2, timeout is 1 seconds:\nPacket sent with a source address of 10.0.12.1 \nPacket sent with the DF bit set\n"), "{sized}");
    assert!(sized.ends_with("\n...\nSuccess rate is 0 percent (0/3)\n"), "{sized}");
    assert!(output("ping ip 2.2.2.2 size 1600").contains("!!!!!"));
    let trace = output("traceroute 2.2.2.2 numeric probe 2");
    assert!(trace.contains("Tracing the route to 2.2.2.2\n"), "{trace}");
    assert!(trace.contains("\n  1 10.0.12.2 1 msec"), "{trace}");
    assert!(output("traceroute 9.9.9.9 ttl 1 2 timeout 1").ends_with("\n  1  *  *  * \n  2  *  *  * \n"));
}

#[test]
fn probes_that_cannot_be_sent_are_refused() {
    assert_eq!(
        output("ping nosuch"),
        "Translating \"nosuch\"...domain server (255.255.255.255)\n% Unrecognized host or address, or protocol not running.\n"
    );
    assert_eq!(
        output("ping 2.2.2.2 source 9.9.9.9"),
        "% Invalid source address- IP address not on any of our up interfaces\n"
    );
    assert!(output("ping 2.2.2.2 source lo9").starts_with("% Invalid source interface"));
    assert_eq!(output("ping vrf X 2.2.2.2"), "% VRF X does not exist\n");
    assert!(output("ping 9.9.9.9 repeat 2147483647").starts_with("% This emulator sends 10000"));
    assert!(output("ping 9.9.9.9 repeat 100 timeout 3600").starts_with("% This emulator allows 20000 s"));
}

#[test]
fn the_terminal_has_settings_messages_and_a_history() {
    let (mut network, node) = network();
    let mut session = Session::new(node);
    session.execute(&mut network, "terminal length 0");
    session.execute(&mut network, "terminal width 132");
    assert_eq!((session.terminal().length, session.terminal().width), (0, 132));
    assert_eq!(
        session.execute(&mut network, "show history"),
        "  terminal length 0\n  terminal width 132\n  show history\n"
    );
    session.execute(&mut network, "terminal history size 1");
    assert_eq!(session.execute(&mut network, "show history"), "  show history\n");
    assert_eq!(session.messages(&network), "");
    session.execute(&mut network, "terminal monitor");
    apply_lines(&mut network, node, "interface Gi0/0\nshutdown");
    let messages = session.messages(&network);
    assert!(messages.contains("%LINK-5-CHANGED: Interface GigabitEthernet0/0"), "{messages}");
    assert!(messages.ends_with("%SYS-5-CONFIG_I: Configured from console by console\n"), "{messages}");
    assert_eq!(session.messages(&network), "");
}

#[test]
fn what_is_not_implemented_is_refused_by_name() {
    assert_eq!(output("debug ip ospf adj"), "% Not supported by this emulator: debug\n");
    assert_eq!(output("sh ip nat tr | i x"), "% Not supported by this emulator: show ip nat\n");
    assert_eq!(output("10.0.0.1"), "% Not supported by this emulator: telnet\n");
}

#[test]
fn an_unknown_word_alone_is_taken_for_a_host() {
    let unknown = "% Bad IP address or host name\n% Unknown command or computer name, or unable to find computer address\n";
    assert_eq!(output("foo"), format!("Translating \"foo\"...domain server (255.255.255.255)\n{unknown}"));
    assert_eq!(output("foo bar"), "   ^\n% Invalid input detected at '^' marker.\n\n");
    let (mut network, node) = network();
    apply_lines(&mut network, node, "no ip domain lookup");
    assert_eq!(Session::privileged(node).execute(&mut network, "foo"), unknown);
}

#[test]
fn outputs_are_redirected_to_files() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run = |line: &str| session.execute(&mut network, line);
    assert!(run("dir").ends_with(
        "Directory of flash:/\n\nNo files in directory\n\n1048576 bytes total (1048576 bytes free)\n"
    ));
    assert_eq!(run("show clock | redirect flash:time.txt"), "");
    assert_eq!(run("show clock | append flash:/time.txt"), "");
    assert!(run("show clock | tee other").starts_with("*00:00:05"));
    assert_eq!(run("more time.txt").lines().count(), 2);
    let dir = run("dir flash:time.txt");
    assert!(dir.contains("    2  -rw-          66  Jan  1 2026 00:00:05 +00:00  time.txt\n"), "{dir}");
    assert!(run("show flash:").contains("\n1           33 Jan  1 2026"));
    assert_eq!(run("more flash:none"), "%Error opening flash:/none (No such file or directory)\n");
    assert_eq!(run("delete other"), "Delete filename [other]? ");
    assert_eq!(run(""), "Delete flash:/other? [confirm]");
    assert_eq!(run(""), "");
    assert_eq!(run("delete /force other"), "%Error deleting flash:/other (No such file or directory)\n");
    assert_eq!(run("more tftp:x"), "% Not supported by this emulator: the file system tftp:\n");
    assert!(execute_read_only(&mut network, node, "show clock | redirect flash:x").is_err());
    assert!(execute_read_only(&mut network, node, "more time.txt | count UTC").is_ok());
}

#[test]
fn configurations_are_copied_to_files_and_back() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run =
        |lines: &[&str]| lines.iter().map(|line| session.execute(&mut network, line)).collect::<String>();
    let copied = run(&["copy running-config flash:", ""]);
    assert!(
        copied.starts_with("Destination filename [r1-confg]? ") && copied.contains(" bytes copied in "),
        "{copied}"
    );
    assert!(run(&["copy run flash:r1-confg", "", "n"]).ends_with("Do you want to over write? [confirm]"));
    run(&["conf t", "hostname OTHER", "interface Loopback5", "end"]);
    run(&["copy flash:r1-confg running-config", ""]);
    assert!(run(&["show run | include ^hostname|Loopback5"]).ends_with("hostname R1\ninterface Loopback5\n"));
    run(&["copy flash:r1-confg startup-config", ""]);
    assert!(run(&["show startup-config"]).contains("hostname R1\n"));
    run(&["conf t", "file prompt quiet", "end"]);
    assert!(run(&["copy start new.cfg"]).contains(" bytes copied in "));
    assert_eq!(run(&["copy flash:gone run"]), "%Error opening flash:/gone (No such file or directory)\n");
}

#[test]
fn configurations_are_archived_compared_and_replaced() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run =
        |lines: &[&str]| lines.iter().map(|line| session.execute(&mut network, line)).collect::<String>();
    assert_eq!(run(&["show archive"]), "Archive feature not enabled\n");
    assert_eq!(run(&["archive config"]), "%Please turn config archive on\n");
    run(&["conf t", "archive", "path flash:old", "maximum 2", "write-memory", "end", "archive config"]);
    assert!(run(&["show archive config differences flash:old-1"]).ends_with("!No changes were found\n"));
    run(&["conf t", "interface lo3", "mtu 1400", "hostname X", "end", "wr", "wr"]);
    let archive = run(&["show archive"]);
    assert!(archive.contains("will be named flash:/old-4\n"), "{archive}");
    assert!(
        archive.ends_with("   1        flash:/old-2\n   2        flash:/old-3 <- Most Recent\n"),
        "{archive}"
    );
    run(&["conf t", "interface lo3", "mtu 1300", "no interface lo9", "end"]);
    assert_eq!(
        run(&["show archive config differences"]),
        "!Contextual Config Diffs:\ninterface Loopback3\n +mtu 1300\ninterface Loopback3\n -mtu 1400\n"
    );
    assert_eq!(
        run(&["show archive config incremental-diffs flash:old-3"]),
        "!List of Commands:\ninterface Loopback3\n mtu 1400\nend\n"
    );
    assert!(run(&["configure replace flash:old-3", "no"]).ends_with("[no]: "));
    assert!(run(&["configure replace flash:old-3 force"]).contains("Rollback Done\n"));
    assert!(run(&["show archive config differences"]).contains("No changes"));
}

#[test]
fn users_and_secrets_are_kept_as_hashes_and_add_up() {
    let (mut network, node) = network();
    let lines = "enable secret cisco\nusername a privilege 15\nusername a secret 0 cisco\nusername b password 7 0822455D0A16\n\
                 username c nopassword\nno username c\nenable secret level 5 9 $9$x";
    assert_eq!(apply_lines(&mut network, node, lines).rejected, []);
    let text = crate::running_config::render(network.router(node).config());
    let shown: Vec<&str> =
        text.lines().filter(|l| l.starts_with("enable") || l.starts_with("username")).collect();
    let hash = shown[1].strip_prefix("enable secret 5 ").unwrap();
    assert!(hash.starts_with("$1$") && hash.len() == 30, "{hash}");
    let user = format!("username a privilege 15 secret 5 {hash}");
    assert_eq!(
        shown,
        [
            "enable secret level 5 9 $9$x",
            &format!("enable secret 5 {hash}"),
            &user,
            "username b password 7 0822455D0A16"
        ]
    );
    let refused =
        apply_lines(&mut network, node, "username a password x\nusername a autocommand show version")
            .rejected;
    assert_eq!(refused.len(), 2);
}

mod untrusted {
    use proptest::prelude::*;

    use super::*;

    /// Lines that get somewhere: words of commands in any order, with anything between.
    fn line() -> impl Strategy<Value = String> {
        let words = [
            "show",
            "ip",
            "route",
            "configure",
            "terminal",
            "router",
            "ospf",
            "1",
            "interface",
            "Lo0",
            "end",
            "exit",
            "do",
            "ping",
            "2.2.2.2",
            "repeat",
            "2",
            "|",
            "include",
            "reload",
            "yes",
            "no",
            "copy",
            "running-config",
            "startup-config",
            "banner",
            "motd",
            "#",
            "?",
            "\u{1a}",
            "clear",
            "logging",
            "write",
            "network",
            "10.0.0.0",
            "0.0.0.255",
            "area",
            "0",
            "default",
        ];
        let known = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
        prop::collection::vec(prop_oneof![8 => known, 1 => ".*"], 0..8).prop_map(|words| words.join(" "))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_line_panics_in_any_mode(lines in prop::collection::vec(line(), 0..12), raw in ".{0,5000}") {
            let (mut network, node) = network();
            let mut session = Session::new(node);
            session.execute(&mut network, "enable");
            for line in lines.iter().chain([&raw]) {
                let _ = (session.help(&network, line), session.complete(&network, line));
                session.execute(&mut network, line);
                let _ = session.prompt(&network);
            }
            apply_lines(&mut network, node, &lines.join("\n"));
            for line in &lines {
                let _ = execute_read_only(&mut network, node, line);
            }
        }

        #[test]
        fn a_session_survives_being_stored(lines in prop::collection::vec(line(), 0..6)) {
            let (mut network, node) = network();
            let mut session = Session::privileged(node);
            for line in &lines {
                session.execute(&mut network, line);
            }
            let stored = serde_json::to_string(&session).unwrap();
            prop_assert_eq!(serde_json::from_str::<Session>(&stored).unwrap(), session);
        }
    }
}
