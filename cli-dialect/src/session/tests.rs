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
    assert_eq!(output(" show c"), "*00:00:05.000 UTC Thu Jan 1 2026\n");
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
    assert_eq!(session.help(&network, "show c"), "clock\n");
    assert!(session.help(&network, "show ip route | ").contains("  include  Include lines that match\n"));
    assert_eq!(session.help(&network, "show zz"), "% Unrecognized command\n");
    assert_eq!(session.complete(&network, "show ver").as_deref(), Some("sion "));
    assert_eq!(session.complete(&network, "show arp | inc").as_deref(), Some("lude "));
}
