//! Commands that real IOS has and this emulator refuses by name, so that a user can tell them from typing errors.
//!
//! They stand in the command trees: abbreviation, ambiguity and `?` behave as on IOS.

use super::{Complaint, Editor, Handler};
use crate::grammar::{Args, Spec, kw, line};

/// Global commands with their help.
const GLOBAL: &[(&str, &str)] = &[
    ("aaa accounting", "Accounting configurations parameters"),
    ("aaa authentication", "Authentication configurations parameters"),
    ("aaa authorization", "Authorization configurations parameters"),
    ("aaa group", "AAA group definitions"),
    ("aaa session-id", "AAA Session ID"),
    ("arp", "Set a static ARP entry"),
    ("bfd-template", "BFD template configuration"),
    ("bridge", "Bridge Group"),
    ("call-home", "Enter call-home configuration mode"),
    ("class-map", "Configure QoS Class Map"),
    ("config-register", "Define the configuration register"),
    ("crypto", "Encryption module"),
    ("dial-peer", "Dial Map (Peer) configuration commands"),
    ("dialer-list", "Create a dialer list entry"),
    ("event", "Event related configuration commands"),
    ("flow", "Global Flow configuration subcommands"),
    ("frame-relay", "Global frame relay configuration commands"),
    ("ip default-gateway", "Specify default gateway (if not routing IP)"),
    ("ip access-list log-update", "Control access list log updates"),
    ("ip access-list logging", "Control access list logging"),
    ("ip dhcp", "Configure DHCP server and relay parameters"),
    ("ip flow-export", "Specify host/port to send flow statistics"),
    ("ip ftp", "FTP configuration commands"),
    ("ip icmp redirect", "ICMP redirect behavior"),
    ("ip igmp", "IGMP global configuration"),
    ("ip inspect", "Context-based Access Control Engine"),
    ("ip multicast-routing", "Enable IP multicast forwarding"),
    ("ip nat", "NAT configuration commands"),
    ("ip nhrp", "NHRP global configuration"),
    ("ip pim", "PIM global commands"),
    ("ipv6 access-list", "Configure access lists"),
    ("ipv6 dhcp", "Configure IPv6 DHCP"),
    ("ipv6 prefix-list", "Build a prefix list"),
    ("ipv6 route", "Configure static routes"),
    ("ipv6 router", "Enable an IPv6 routing process"),
    ("ipv6 unicast-routing", "Enable unicast routing"),
    ("isis", "Global ISIS configuration subcommands"),
    ("l2vpn", "Layer2 VPN commands"),
    ("lldp", "Global LLDP configuration subcommands"),
    ("mac", "MAC address table"),
    ("mpls", "Configure MPLS parameters"),
    ("nat64", "NAT64"),
    ("object-group", "Configure object group"),
    ("parameter-map", "Parameter map"),
    ("policy-map", "Configure QoS Policy Map"),
    ("port-channel", "EtherChannel configuration"),
    ("pseudowire-class", "Pseudowire-class configuration"),
    ("radius", "RADIUS server configuration command"),
    ("radius-server", "Modify RADIUS query parameters"),
    ("router isis", "ISO IS-IS"),
    ("router lisp", "Locator/ID Separation Protocol"),
    ("router odr", "On Demand stub Routes"),
    ("router ospfv3", "OSPFv3"),
    ("tacacs", "TACACS+ server configuration command"),
    ("tacacs-server", "Modify TACACS query parameters"),
    ("vlan", "VLAN commands"),
    ("zone", "Security zones"),
];

/// Interface commands with their help.
const INTERFACE: &[(&str, &str)] = &[
    ("backup", "Modify backup parameters"),
    ("bfd", "BFD interface configuration commands"),
    ("bridge-group", "Transparent bridging interface parameters"),
    ("channel-group", "Add this interface to an Etherchannel group"),
    ("crypto", "Encryption/Decryption commands"),
    ("dialer", "Dial-on-demand routing (DDR) commands"),
    ("dot1x", "Interface Config Commands for IEEE 802.1X"),
    ("encapsulation frame-relay", "Frame Relay networks"),
    ("encapsulation ppp", "Point-to-Point protocol"),
    ("frame-relay", "Set frame relay parameters"),
    ("glbp", "Gateway Load Balancing Protocol interface commands"),
    ("ip access-group", "Specify access control for packets"),
    ("ip address dhcp", "IP Address negotiated via DHCP"),
    ("ip flow", "NetFlow Related commands"),
    ("ip helper-address", "Specify a destination address for UDP broadcasts"),
    ("ip igmp", "IGMP interface commands"),
    ("ip inspect", "Apply inspect name"),
    ("ip load-sharing", "Style of load sharing"),
    ("ip nat", "NAT interface commands"),
    ("ip nhrp", "NHRP interface subcommands"),
    ("ip ospf bfd", "Enable/Disable BFD on this interface"),
    ("ip pim", "PIM interface commands"),
    ("ip rsvp", "RSVP Interface Commands"),
    ("ip verify", "Enable per packet validation"),
    ("ipv6", "IPv6 interface subcommands"),
    ("isis", "IS-IS commands"),
    ("mpls", "Configure MPLS interface parameters"),
    ("ppp", "Point-to-Point Protocol"),
    ("pppoe", "pppoe interface subcommands"),
    ("service-policy", "Configure CPL Service Policy"),
    ("spanning-tree", "Spanning Tree Subsystem"),
    ("standby", "HSRP interface configuration commands"),
    ("switchport access", "Set access mode characteristics of the interface"),
    ("switchport mode", "Set trunking mode of the interface"),
    ("tunnel", "Protocol-over-protocol tunneling"),
    ("vrrp", "VRRP interface configuration commands"),
    ("xconnect", "Xconnect commands"),
];

/// Commands under `router bgp` with their help.
const BGP: &[(&str, &str)] = &[
    ("address-family ipv4 mdt", "Address Family modifier"),
    ("address-family ipv4 multicast", "Address Family modifier"),
    ("address-family ipv6", "Address family"),
    ("address-family l2vpn", "Address family"),
    ("address-family nsap", "Address family"),
    ("address-family rtfilter", "Address family"),
    ("address-family vpnv4", "Address family"),
    ("address-family vpnv6", "Address family"),
    ("bgp advertise-best-external", "Advertise best external path to internal peers"),
    ("bgp aggregate-timer", "Configure Aggregation Timer"),
    ("bgp asnotation", "Change the default asplain notation"),
    ("bgp consistency-checker", "Consistency-checker"),
    ("bgp recursion", "recursion rule for the nexthops"),
    ("bgp refresh", "refresh"),
    ("bgp rpki", "RPKI origin validation"),
    ("bgp scan-time", "Configure background scanner interval"),
    ("bgp slow-peer", "Configure slow-peer"),
    (
        "bgp soft-reconfig-backup",
        "Use soft-reconfiguration inbound only when route-refresh is not negotiated",
    ),
    ("bgp sso", "Stateful Switchover"),
    ("bgp transport", "global enable/disable transport session parameters"),
    ("bgp update-delay", "Set the max initial delay for sending update"),
    ("bgp upgrade-cli", "Upgrade to hierarchical AFI mode"),
    ("bmp", "BGP Monitoring Protocol)"),
    ("maximum-paths import", "Import multipath"),
    ("redistribute isis", "ISO IS-IS"),
    ("scope", "Enter scope command mode"),
];

/// Commands under `router ospf` with their help.
const OSPF: &[(&str, &str)] = &[
    ("bfd", "BFD configuration commands"),
    ("capability", "Enable specific OSPF feature"),
    ("discard-route", "Enable or disable discard-route installation"),
    ("ispf", "Enable incremental SPF computation"),
    ("max-lsa", "Maximum number of non self-generated LSAs to accept"),
    ("mpls", "Configure MPLS parameters"),
    ("nsr", "Enable Non-Stop-Routing"),
    ("traffic-share", "How to compute traffic share over alternate paths"),
];

/// Commands under `router eigrp N` and in address families with their help.
const EIGRP: &[(&str, &str)] = &[
    ("bfd", "BFD configuration commands"),
    ("eigrp default-route-tag", "Default Route Tag for the Internal Routes"),
    ("eigrp event-log-size", "Set EIGRP maximum event log entries"),
    ("eigrp event-logging", "Log IP-EIGRP routing events"),
    ("eigrp log-neighbor-warnings", "Enable/Disable EIGRP neighbor warnings"),
    ("maximum-prefix", "Maximum number of prefixes acceptable in aggregate"),
    ("metric holddown", "Enable EIGRP holddown"),
    ("nsf", "Non-stop forwarding"),
    ("remote-neighbors", "Specify IPv4 service neighbors"),
    ("soft-sia", "Enable soft-sia feature"),
    ("timers graceful-restart", "Graceful restart timers"),
    ("timers nsf", "Non-stop forwarding timers"),
];

/// Commands under `router eigrp NAME` with their help.
const EIGRP_NAMED: &[(&str, &str)] = &[
    ("address-family ipv6", "Address family IPv6"),
    ("service-family", "Enter Service Family command mode"),
];

/// Commands of `topology base` with their help.
const EIGRP_TOPOLOGY: &[(&str, &str)] = &[
    ("eigrp event-log-size", "Set EIGRP maximum event log entries"),
    ("fast-reroute", "Configure Fast-Reroute"),
    ("maximum-secondary-paths", "Install secondary routes"),
    ("metric holddown", "Enable EIGRP holddown"),
    ("snmp", "Modify snmp parameters"),
];

/// Commands of `af-interface` with their help.
const EIGRP_INTERFACE: &[(&str, &str)] = &[
    ("add-paths", "Advertise add paths"),
    ("bfd", "Enable Bidirectional Forwarding Detection"),
    ("dampening-change", "Percent interface metric must change to cause update"),
    ("dampening-interval", "Time in seconds to check interface metrics"),
    ("stub-site", "Assign interface to stub-site"),
];

/// Commands under `track` with their help.
const TRACK: &[(&str, &str)] = &[
    ("carrier-delay", "Enable interface tracking with carrier delay"),
    ("ip vrf", "VRF parameters"),
    ("threshold", "Tracking thresholds"),
];

pub(super) fn track_table() -> Vec<Spec<Handler>> {
    table(TRACK)
}

/// Commands under `router rip` with their help.
const RIP: &[(&str, &str)] = &[
    ("bfd", "BFD configuration commands"),
    ("input-queue", "Specify input queue depth"),
    ("output-delay", "Interpacket delay for RIP updates"),
    ("traffic-share", "How to compute traffic share over alternate paths"),
    ("update-source", "Source interface of updates"),
];

pub(super) fn rip_table() -> Vec<Spec<Handler>> {
    table(RIP)
}

pub(super) fn eigrp_table() -> Vec<Spec<Handler>> {
    table(EIGRP)
}

pub(super) fn eigrp_named_table() -> Vec<Spec<Handler>> {
    table(EIGRP_NAMED)
}

pub(super) fn eigrp_topology_table() -> Vec<Spec<Handler>> {
    table(EIGRP_TOPOLOGY)
}

pub(super) fn eigrp_interface_table() -> Vec<Spec<Handler>> {
    table(EIGRP_INTERFACE)
}

fn table(commands: &[(&'static str, &'static str)]) -> Vec<Spec<Handler>> {
    let spec = |&(head, help): &(&'static str, &'static str)| {
        let mut words = head.rsplit(' ');
        let leaf = kw(words.next().unwrap_or_default(), help).run(unsupported as Handler).then([line(
            "rest",
            "Not supported by this emulator",
        )
        .run(unsupported as Handler)]);
        words.fold(leaf, |inner, word| kw(word, "More commands").then([inner]))
    };
    commands.iter().map(spec).collect()
}

/// A keyword within a supported command that is not supported itself, with whatever follows.
pub(super) fn refused(keyword: &'static str, help: &'static str) -> Spec<Handler> {
    let rest = line("rest", "Not supported by this emulator").run(option as Handler);
    kw(keyword, help).run(option as Handler).then([rest])
}

/// Names the command's first word and the keyword that is not supported.
pub(super) fn option(_editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let mut names = args.names().filter(|name| *name != "rest");
    let (first, last) = (names.next().unwrap_or_default(), names.last());
    Err(Complaint::Unsupported(last.map_or_else(|| first.to_owned(), |last| format!("{first} ... {last}"))))
}

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    table(GLOBAL)
}

pub(super) fn interface_table() -> Vec<Spec<Handler>> {
    table(INTERFACE)
}

/// Commands under `vrf definition` and its address families with their help.
const VRF: &[(&str, &str)] = &[
    ("export map", "Route-map based VRF export"),
    ("import map", "Route-map based VRF import"),
    ("maximum", "Set a limit"),
    ("route-target", "Specify Target VPN Extended Communities"),
];

/// Commands under `archive` with their help.
const ARCHIVE: &[(&str, &str)] = &[
    ("log config", "Logging commands"),
    ("rollback", "Rollback parameters"),
    ("time-period", "Period of time in minutes to automatically archive the running-config"),
];

pub(super) fn archive_table() -> Vec<Spec<Handler>> {
    table(ARCHIVE)
}

pub(super) fn vrf_table() -> Vec<Spec<Handler>> {
    table(VRF)
}

pub(super) fn bgp_table() -> Vec<Spec<Handler>> {
    table(BGP)
}

pub(super) fn ospf_table() -> Vec<Spec<Handler>> {
    table(OSPF)
}

fn unsupported(_editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let head: Vec<&str> = args.names().filter(|name| *name != "rest").collect();
    Err(Complaint::Unsupported(head.join(" ")))
}
