//! Exec commands that real IOS has and this emulator refuses by name.

use super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, line};

/// Commands of exec mode with their help.
const EXEC: [(&str, &str); 27] = [
    ("access-enable", "Create a temporary Access-List entry"),
    ("cd", "Change current directory"),
    ("clock", "Manage the system clock"),
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
    ("lock", "Lock the terminal"),
    ("mkdir", "Create new directory"),
    ("monitor", "Monitoring different system events"),
    ("mtrace", "Trace reverse multicast path from destination to source"),
    ("ping ipv6", "IPv6 echo"),
    ("ping mpls", "MPLS echo"),
    ("pwd", "Display current working directory"),
    ("rename", "Rename a file"),
    ("rmdir", "Remove existing directory"),
    ("send", "Send a message to other tty lines"),
    ("setup", "Run the SETUP command facility"),
    ("ssh", "Open a secure shell client connection"),
    ("test", "Test subsystems, memory, and interfaces"),
];

/// Show commands with their help.
const SHOW: [(&str, &str); 52] = [
    ("aaa", "Show AAA values"),
    ("bfd", "BFD protocol info"),
    ("boot", "show boot attribute"),
    ("bridge", "Bridge Forwarding/Filtering Database"),
    ("buffers", "Buffer pool statistics"),
    ("cdp", "CDP information"),
    ("class-map", "Show QoS Class Map"),
    ("controllers", "Interface controller status"),
    ("crypto", "Encryption module"),
    ("diag", "Show diagnostic information for port adapters/modules"),
    ("environment", "Environmental monitor statistics"),
    ("etherchannel", "EtherChannel information"),
    ("file", "Show filesystem information"),
    ("frame-relay", "Frame-Relay information"),
    ("glbp", "GLBP information"),
    ("arp summary", "IP ARP table summary"),
    ("clock detail", "Display detailed information"),
    ("ip cef summary", "Brief display of table and entries"),
    ("ip ospf events", "OSPF event information"),
    ("ip ospf max-metric", "Max-metric origination information"),
    ("ip ospf traffic", "Traffic related statistics"),
    ("ip protocols summary", "Brief summary of the IP routing protocols"),
    ("ip static", "IP static information"),
    ("ip dhcp", "Show items in the DHCP database"),
    ("ip igmp", "IGMP information"),
    ("ip mroute", "IP multicast routing table"),
    ("ip nat", "IP NAT information"),
    ("ip nhrp", "NHRP information"),
    ("ip pim", "PIM information"),
    ("ip sla", "IP Service Level Agreement (SLA)"),
    ("ip sockets", "Open IP sockets"),
    ("ip ssh", "Information on SSH"),
    ("ip traffic", "IP protocol statistics"),
    ("ipv6", "IPv6 information"),
    ("isis", "IS-IS routing information"),
    ("line", "TTY line information"),
    ("lldp", "LLDP information"),
    ("mac", "MAC information"),
    ("ntp", "Network time protocol"),
    ("ospfv3", "OSPFv3 information"),
    ("platform", "Show platform information"),
    ("policy-map", "Show QoS Policy Map"),
    ("protocols", "Active network routing protocols"),
    ("snmp", "snmp statistics"),
    ("spanning-tree", "Spanning tree topology"),
    ("ssh", "Status of SSH server connections"),
    ("stacks", "Process stack utilization"),
    ("standby", "HSRP information"),
    ("tcp", "Status of TCP connections"),
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
