//! Commands of which no record is made here, or whose records are parted otherwise than the judge's: their whole verdicts, as what the
//! networks were configured with says. Empty fields are left out.

use super::verdict::Given;

pub const NTC: &[Given] = &[
    // The last record is the template's own: it makes one at the end of the text.
    Given {
        pattern: "show aliases",
        command: "show aliases",
        router: 1,
        verdict: r#"[
            {"mode": "Exec mode", "alias": "sib", "command": "show ip interface brief"},
            {"mode": "Exec mode", "alias": "lo", "command": "logout"},
            {"mode": "Exec mode", "alias": "p", "command": "ping"},
            {"mode": "Exec mode", "alias": "s", "command": "show"},
            {"mode": "Exec mode"}
        ]"#,
    },
    Given {
        pattern: "show archive",
        command: "show archive",
        router: 1,
        verdict: r#"[
            {"next_filename": "flash:/r1-3", "filenames": ["flash:/r1-1", "flash:/r1-2"], "current_index": "2"}
        ]"#,
    },
    Given {
        pattern: "show ip access-lists",
        command: "show ip access-lists",
        router: 6,
        verdict: r#"[
            {"acl_type": "Standard", "acl_name": "MGMT"},
            {"acl_type": "Standard", "acl_name": "MGMT", "line_num": "10", "action": "permit", "src_network": "192.0.2.0", "src_wildcard": "0.0.0.255"},
            {"acl_type": "Standard", "acl_name": "MGMT", "line_num": "20", "action": "deny", "src_any": "any"},
            {"acl_type": "Extended", "acl_name": "EDGE"},
            {"acl_type": "Extended", "acl_name": "EDGE", "line_num": "10", "action": "permit", "protocol": "tcp", "src_network": "10.0.0.0", "src_wildcard": "0.255.255.255", "dst_host": "10.0.56.5", "dst_port_match": "eq", "dst_port": "www"},
            {"acl_type": "Extended", "acl_name": "EDGE", "line_num": "20", "action": "deny", "protocol": "icmp", "src_any": "any", "dst_any": "any"},
            {"acl_type": "Extended", "acl_name": "EDGE", "line_num": "30", "action": "permit", "protocol": "ip", "src_any": "any", "dst_any": "any"},
            {"acl_type": "Extended", "acl_name": "inbound"},
            {"acl_type": "Extended", "acl_name": "inbound", "line_num": "10", "action": "deny", "protocol": "tcp", "src_network": "198.51.100.0", "src_wildcard": "0.0.0.255", "dst_network": "203.0.113.0", "dst_wildcard": "0.0.0.255"},
            {"acl_type": "Extended", "acl_name": "outbound"},
            {"acl_type": "Extended", "acl_name": "outbound", "line_num": "10", "action": "permit", "protocol": "udp", "src_network": "203.0.113.0", "src_wildcard": "0.0.0.255", "dst_network": "198.51.100.0", "dst_wildcard": "0.0.0.255"}
        ]"#,
    },
    Given {
        pattern: "show running-config partition access-list",
        command: "show running-config partition access-list",
        router: 6,
        verdict: r#"[
            {"acl_name": "MGMT", "acl_type": "standard"},
            {"acl_name": "MGMT", "acl_type": "standard", "action": "permit", "src_network": "192.0.2.0", "src_wildcard": "0.0.0.255"},
            {"acl_name": "MGMT", "acl_type": "standard", "action": "deny", "src_any": "any"},
            {"acl_name": "EDGE", "acl_type": "extended"},
            {"acl_name": "EDGE", "acl_type": "extended", "action": "permit", "protocol": "tcp", "src_network": "10.0.0.0", "src_wildcard": "0.255.255.255", "dst_host": "10.0.56.5", "dst_port_match": "eq", "dst_port": "www"},
            {"acl_name": "EDGE", "acl_type": "extended", "action": "deny", "protocol": "icmp", "src_any": "any", "dst_any": "any"},
            {"acl_name": "EDGE", "acl_type": "extended", "action": "permit", "protocol": "ip", "src_any": "any", "dst_any": "any"},
            {"acl_name": "inbound", "acl_type": "extended"},
            {"acl_name": "inbound", "acl_type": "extended", "action": "deny", "protocol": "tcp", "src_network": "198.51.100.0", "src_wildcard": "0.0.0.255", "dst_network": "203.0.113.0", "dst_wildcard": "0.0.0.255"},
            {"acl_name": "outbound", "acl_type": "extended"},
            {"acl_name": "outbound", "acl_type": "extended", "action": "permit", "protocol": "udp", "src_network": "203.0.113.0", "src_wildcard": "0.0.0.255", "dst_network": "198.51.100.0", "dst_wildcard": "0.0.0.255"}
        ]"#,
    },
    Given {
        pattern: "show running-config partition route-map",
        command: "show running-config partition route-map",
        router: 6,
        verdict: r#"[
            {"route_map_name": "OUT", "sequence": "10", "match_prefix_list": "PL6", "set_community_value": "4259905543", "set_local_pref_value": "200"},
            {"route_map_name": "OUT", "sequence": "20", "match_metric_value": "5", "set_prepend_as_path": "65001 65001"}
        ]"#,
    },
    Given {
        pattern: "show ip eigrp topology",
        command: "show ip eigrp topology",
        router: 5,
        verdict: r#"[
            {"process_id": "100", "router_id": "5.5.5.5", "code": "P", "network": "5.5.5.5", "prefix_length": "32", "successors": "1", "fd": "128256", "adv_router": ["Connected"], "out_interface": ["Loopback0"]},
            {"process_id": "100", "router_id": "5.5.5.5", "code": "P", "network": "6.6.6.6", "prefix_length": "32", "successors": "2", "fd": "130816", "adv_router": ["10.0.56.6", "10.1.56.6", "10.2.56.6"], "adv_fd": ["130816", "130816", "131840"], "adv_rd": ["128256", "128256", "128256"], "out_interface": ["GigabitEthernet0/0", "GigabitEthernet0/1", "GigabitEthernet0/2"]},
            {"process_id": "100", "router_id": "5.5.5.5", "code": "P", "network": "10.0.56.0", "prefix_length": "24", "successors": "1", "fd": "2816", "adv_router": ["Connected"], "out_interface": ["GigabitEthernet0/0"]},
            {"process_id": "100", "router_id": "5.5.5.5", "code": "P", "network": "10.1.56.0", "prefix_length": "24", "successors": "1", "fd": "2816", "adv_router": ["Connected"], "out_interface": ["GigabitEthernet0/1"]},
            {"process_id": "100", "router_id": "5.5.5.5", "code": "P", "network": "10.2.56.0", "prefix_length": "24", "successors": "1", "fd": "3840", "adv_router": ["Connected"], "out_interface": ["GigabitEthernet0/2"]},
            {"process_id": "100", "router_id": "5.5.5.5", "code": "P", "network": "192.168.5.0", "prefix_length": "24", "successors": "1", "fd": "258560", "tag": "50", "source": "Rstatic"}
        ]"#,
    },
];

pub const GENIE: &[Given] = &[
    Given {
        pattern: "show archive",
        command: "show archive",
        router: 1,
        verdict: r#"{"archive": {"max_archive_configurations": 10, "total": 2, "1": {"file": "flash:/r1-1"}, "2": {"file": "flash:/r1-2"}, "most_recent_file": "flash:/r1-2"}}"#,
    },
    Given {
        pattern: "show hosts",
        command: "show hosts",
        router: 1,
        verdict: r#"{"default_domain": "example.com", "name_servers": ["10.0.12.2"]}"#,
    },
    Given {
        pattern: "show privilege",
        command: "show privilege",
        router: 1,
        verdict: r#"{"current_privilege_level": 15}"#,
    },
    Given {
        pattern: "show terminal",
        command: "show terminal",
        router: 1,
        verdict: r#"{"line": "0", "length": 24, "width": 80, "baud_rate": {"tx": 9600, "rx": 9600}, "parity": "no", "stopbits": 2, "databits": 8, "status": ["PSI Enabled", "Ready", "Active", "Automore On"], "input_transport": ["none"], "output_transport": ["telnet"]}"#,
    },
    Given {
        pattern: "show ip access-list inbound",
        command: "show ip access-list inbound",
        router: 6,
        verdict: r#"{"acls": {"inbound": {"name": "inbound", "type": "extended", "aces": {"10": {"sequence": 10, "action": "deny", "protocol": "tcp", "matches": 0, "source": {"address": "198.51.100.0", "wildcard_bits": "0.0.0.255"}, "destination": {"address": "203.0.113.0", "wildcard_bits": "0.0.0.255"}}}}}}"#,
    },
    Given {
        pattern: "show ip access-list outbound",
        command: "show ip access-list outbound",
        router: 6,
        verdict: r#"{"acl": {"outbound": {"name": "outbound", "type": "extended", "aces": {"10": {"sequence": 10, "protocol": "udp", "matches": 0, "actions": {"forwarding": "permit"}, "source": {"address": "203.0.113.0", "wildcard_bits": "0.0.0.255"}, "destination": {"address": "198.51.100.0", "wildcard_bits": "0.0.0.255"}}}}}}"#,
    },
    Given {
        pattern: "show logging | include {include}",
        command: "show logging | include OSPF",
        router: 1,
        verdict: r#"{"logs": ["*Jan  1 00:00:41.000: %OSPF-5-ADJCHG: Process 1, Nbr 3.3.3.3 on GigabitEthernet0/1 from LOADING to FULL, Loading Done", "*Jan  1 00:00:41.000: %OSPF-5-ADJCHG: Process 1, Nbr 2.2.2.2 on GigabitEthernet0/0 from LOADING to FULL, Loading Done"]}"#,
    },
    Given {
        pattern: "show running-config all | sec {interface}",
        command: "show running-config all | sec GigabitEthernet0/0",
        router: 1,
        verdict: r#"{"interfaces": {"GigabitEthernet0/0": {"ip_access_group": "WEB", "shutdown": false}}}"#,
    },
    Given {
        pattern: "show running-config interface {interface}",
        command: "show running-config interface GigabitEthernet0/0",
        router: 1,
        verdict: r#"{"interfaces": {"GigabitEthernet0/0": {"description": "to R2", "ipv4": {"ip": "10.0.12.1", "netmask": "255.255.255.0"}, "acl": {"inbound": {"acl_name": "WEB", "direction": "in"}}}}}"#,
    },
    Given {
        pattern: "show tech-support | include {show_option}",
        command: "show tech-support | include version",
        router: 1,
        verdict: r#"{"cli": {"show_version": {"command": "show version"}}}"#,
    },
    Given {
        pattern: "show running-config | section route",
        command: "show running-config | section route",
        router: 1,
        verdict: r#"{"routes": ["ip route 0.0.0.0 0.0.0.0 10.0.12.2"]}"#,
    },
    Given {
        pattern: "show running-config | section vrf definition",
        command: "show running-config | section vrf definition",
        router: 1,
        verdict: r#"{"vrf": {"BLUE": {"rd": "100:1", "address_family": {"ipv4": {}}}}}"#,
    },
    Given {
        pattern: "show archive config differences",
        command: "show archive config differences",
        router: 2,
        verdict: r#"{"diff": ["+ip domain name example.net"]}"#,
    },
    Given {
        pattern: "show archive config differences {fileA} {fileB}",
        command: "show archive config differences nvram:startup-config system:running-config",
        router: 2,
        verdict: r#"{"diff": ["+ip domain name example.net"]}"#,
    },
    Given {
        pattern: "show archive config differences {fileA}",
        command: "show archive config differences nvram:startup-config",
        router: 2,
        verdict: r#"{"diff": ["+ip domain name example.net"]}"#,
    },
    Given {
        pattern: "show archive config incremental-diffs {fileA}",
        command: "show archive config incremental-diffs nvram:startup-config",
        router: 2,
        verdict: r#"{"list_of_commands": ["end"]}"#,
    },
    Given {
        pattern: "show ip arp summary",
        command: "show ip arp summary",
        router: 1,
        verdict: r#"{"total_entries": 7, "incomp_entries": 0}"#,
    },
];

pub const BGP_GENIE: &[Given] = &[
    Given {
        pattern: "show running-config | section bgp",
        command: "show running-config | section bgp",
        router: 2,
        verdict: r#"{"bgp": {"65001": {"as_number": 65001, "log_neighbor_change": true, "neighbors": {
            "1.1.1.1": {"peer_as_number": "65001", "bgp_update_source": "Loopback0"},
            "10.0.24.1": {"peer_as_number": "65004"},
            "10.0.99.9": {"peer_as_number": "65009"}}}}}"#,
    },
    Given {
        pattern: "show bgp all neighbors {neighbor} policy",
        command: "show bgp all neighbors 10.0.13.3 policy",
        router: 1,
        verdict: r#"{"vrf": {"default": {"neighbor": {"10.0.13.3": {"address_family": {"ipv4 unicast": {
            "nbr_af_route_map_name_in": "PASS"}}}}}}}"#,
    },
];
