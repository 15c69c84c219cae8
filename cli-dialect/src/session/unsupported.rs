//! Exec commands that real IOS has and this emulator refuses by name.

use super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, line};

/// Commands of exec mode with their help.
const EXEC: [(&str, &str); 21] = [
    ("access-enable", "Create a temporary Access-List entry"),
    ("connect", "Open a terminal connection"),
    ("debug", "Debugging functions (see also 'undebug')"),
    ("debug ip", "IP information"),
    ("debug ip ospf database-timer", "OSPF database timer"),
    ("debug ip ospf events", "OSPF events"),
    ("debug ip ospf flood", "OSPF flooding"),
    ("debug ip ospf lsa-generation", "OSPF lsa generation"),
    ("debug ip ospf nsf", "OSPF non-stop forwarding events"),
    ("debug ip ospf packet", "OSPF received packets"),
    ("debug ip ospf spf", "OSPF spf"),
    ("event", "Event related commands"),
    ("monitor", "Monitoring different system events"),
    ("mtrace", "Trace reverse multicast path from destination to source"),
    ("ping ipv6", "IPv6 echo"),
    ("ping mpls", "MPLS echo"),
    ("send", "Send a message to other tty lines"),
    ("ssh", "Open a secure shell client connection"),
    ("tclsh", "Tool Command Language shell"),
    ("telnet", "Open a telnet connection"),
    ("test", "Test subsystems, memory, and interfaces"),
];

/// Show commands with their help.
const SHOW: [(&str, &str); 33] = [
    ("bfd", "BFD protocol info"),
    ("bridge", "Bridge Forwarding/Filtering Database"),
    ("cdp", "CDP information"),
    ("class-map", "Show QoS Class Map"),
    ("controllers", "Interface controller status"),
    ("crypto", "Encryption module"),
    ("diag", "Show diagnostic information for port adapters/modules"),
    ("environment", "Environmental monitor statistics"),
    ("etherchannel", "EtherChannel information"),
    ("frame-relay", "Frame-Relay information"),
    ("glbp", "GLBP information"),
    ("ip dhcp", "Show items in the DHCP database"),
    ("ip igmp", "IGMP information"),
    ("ip mroute", "IP multicast routing table"),
    ("ip nat", "IP NAT information"),
    ("ip nhrp", "NHRP information"),
    ("ip pim", "PIM information"),
    ("ip sla", "IP Service Level Agreement (SLA)"),
    ("ip ssh", "Information on SSH"),
    ("ipv6", "IPv6 information"),
    ("isis", "IS-IS routing information"),
    ("lldp", "LLDP information"),
    ("mac", "MAC information"),
    ("ntp", "Network time protocol"),
    ("ospfv3", "OSPFv3 information"),
    ("platform", "Show platform information"),
    ("policy-map", "Show QoS Policy Map"),
    ("snmp", "snmp statistics"),
    ("spanning-tree", "Spanning tree topology"),
    ("standby", "HSRP information"),
    ("vlans", "Virtual LANs Information"),
    ("vrrp", "VRRP information"),
    ("zone", "Zone Information"),
];

pub(super) fn table() -> Vec<Spec<Handler>> {
    let shows: Vec<Spec<Handler>> = SHOW.iter().map(command).collect();
    let mut table: Vec<Spec<Handler>> = EXEC.iter().map(command).collect();
    table.push(kw("show", "Show running system information").then(shows));
    table
}

fn command(&(head, help): &(&'static str, &'static str)) -> Spec<Handler> {
    let refuse = Handler::Print(unsupported);
    let mut words = head.rsplit(' ');
    let rest = line("rest", "Not supported by this emulator").run(refuse);
    let last = kw(words.next().unwrap_or_default(), help).run(refuse).then([rest]);
    words.fold(last, |inner, word| kw(word, "More commands").then([inner]))
}

fn unsupported(_exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let head: Vec<&str> = args.names().filter(|name| *name != "rest").collect();
    Err(Complaint::Unsupported(head.join(" ")))
}
