//! Sessions at a small network.

mod access;
mod configure;
mod debug;
mod delayed;
mod storage;
mod tcl;
mod untrusted;

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
    assert_eq!(
        output("show ip route 10.0.0.0"),
        "Routing entry for 10.0.0.0/8, 2 known subnets\n  Attached (2 connections)\n  Variably subnetted with 2 masks\n\
         C        10.0.12.0/24 is directly connected, GigabitEthernet0/0\n\
         L        10.0.12.1/32 is directly connected, GigabitEthernet0/0\n"
    );
    assert_eq!(
        output("show ip route 2.0.0.0"),
        "Routing entry for 2.0.0.0/32, 1 known subnets\nS        2.2.2.2 [1/0] via 10.0.12.2\n"
    );
    let arp = output("show arp");
    assert!(
        arp.contains("Internet  10.0.12.1               -   aabb.cc00.0100  ARPA   GigabitEthernet0/0\n"),
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
    assert_eq!(output("show"), "% Type \"show ?\" for a list of subcommands\n");
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
    assert_eq!(session.complete("show ver").as_deref(), Some("sion "));
    assert_eq!(session.complete("show arp | inc").as_deref(), Some("lude "));
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
    assert_eq!(output("debug spanning-tree"), "% Not supported by this emulator: debug\n");
    assert_eq!(output("debug ip packet"), "% Not supported by this emulator: debug ip\n");
    assert_eq!(output("debug ip ospf events"), "% Not supported by this emulator: debug ip ospf events\n");
    assert_eq!(output("sh ip nat tr | i x"), "% Not supported by this emulator: show ip nat\n");
    assert_eq!(output("ssh -l x 10.0.0.1"), "% Not supported by this emulator: ssh\n");
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
