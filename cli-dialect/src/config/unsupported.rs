//! Commands that real IOS has and this emulator refuses by name, so that a user can tell them from typing errors.

/// First words of such commands, beyond those that only some forms of an implemented command lack.
const HEADS: [&str; 47] = [
    "aaa",
    "archive",
    "banner",
    "bfd",
    "bridge",
    "call",
    "cdp",
    "class-map",
    "crypto",
    "dial-peer",
    "dot1x",
    "event",
    "flow",
    "frame-relay",
    "glbp",
    "ip nat",
    "ip multicast-routing",
    "ip pim",
    "ip dhcp",
    "ip flow",
    "ip inspect",
    "ip igmp",
    "ip nhrp",
    "ip sla",
    "ipv6",
    "isis",
    "l2vpn",
    "lldp",
    "mpls",
    "nat",
    "policy-map",
    "ppp",
    "pseudowire",
    "qos",
    "router bgp",
    "router eigrp",
    "router isis",
    "router odr",
    "router rip",
    "service-policy",
    "standby",
    "switchport",
    "track",
    "tunnel",
    "vlan",
    "vrrp",
    "zone",
];

/// Whether a line, without `no`, begins with such a command.
pub(super) fn is_known_to_ios(line: &str) -> bool {
    let line = line.strip_prefix("no ").unwrap_or(line).to_ascii_lowercase();
    let line = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    HEADS
        .iter()
        .any(|head| line.strip_prefix(head).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}
