//! A network of BGP routers, and what the judges must find in its outputs.

use super::verdict::Case;
use super::verdict::Rule::{Any, Const, Is, Some};

/// R1 and R2 of AS 65001 over OSPF, R3 of AS 65003 behind R1, R4 of AS 65004 behind R2. Ports as in the other network.
pub const LINES: [&str; 4] = [
    "interface Loopback0\n ip address 1.1.1.1 255.255.255.255\n\
     interface GigabitEthernet0/0\n ip address 10.0.12.1 255.255.255.0\n no shutdown\n\
     interface GigabitEthernet0/1\n ip address 10.0.13.1 255.255.255.0\n no shutdown\n\
     router ospf 1\n network 1.1.1.1 0.0.0.0 area 0\n network 10.0.12.0 0.0.0.255 area 0\n\
     ip prefix-list ALL permit 0.0.0.0/0 le 32\n\
     router bgp 65001\n network 1.1.1.1 mask 255.255.255.255\n neighbor 2.2.2.2 remote-as 65001\n \
     neighbor 2.2.2.2 update-source Loopback0\n neighbor 2.2.2.2 next-hop-self\n neighbor 2.2.2.2 send-community\n \
     neighbor 10.0.13.3 remote-as 65003\n neighbor 10.0.13.3 description the customer\n \
     neighbor 10.0.13.3 prefix-list ALL in\n neighbor 10.0.13.3 soft-reconfiguration inbound\n \
     neighbor 10.0.13.3 route-map PASS in\nroute-map PASS permit 10\n\
     vrf definition BLUE\n rd 100:1\n address-family ipv4\n exit-address-family\n\
     interface GigabitEthernet0/2\n vrf forwarding BLUE\n ip address 10.99.0.1 255.255.255.0\n no shutdown\n\
     router bgp 65001\n address-family ipv4 vrf BLUE\n  network 10.99.0.0 mask 255.255.255.0\n  \
     neighbor 10.99.0.3 remote-as 65003\n  neighbor 10.99.0.3 activate\n",
    "interface Loopback0\n ip address 2.2.2.2 255.255.255.255\n\
     interface GigabitEthernet0/0\n ip address 10.0.12.2 255.255.255.0\n no shutdown\n\
     interface Serial0/0\n ip address 10.0.24.2 255.255.255.252\n no shutdown\n\
     router ospf 1\n network 2.2.2.2 0.0.0.0 area 0\n network 10.0.12.0 0.0.0.255 area 0\n\
     router bgp 65001\n neighbor 1.1.1.1 remote-as 65001\n neighbor 1.1.1.1 update-source Loopback0\n \
     neighbor 1.1.1.1 next-hop-self\n neighbor 10.0.24.1 remote-as 65004\n neighbor 10.0.99.9 remote-as 65009\n",
    "interface Loopback0\n ip address 3.3.3.3 255.255.255.255\n\
     interface GigabitEthernet0/1\n ip address 10.0.13.3 255.255.255.0\n no shutdown\n\
     ip route 172.16.0.0 255.255.0.0 Null0\nip route 203.0.113.128 255.255.255.128 Null0\n\
     router bgp 65003\n network 172.16.0.0\n redistribute static\n neighbor 10.0.13.1 remote-as 65001\n\
     vrf definition BLUE\n rd 100:1\n address-family ipv4\n exit-address-family\n\
     interface GigabitEthernet0/2\n vrf forwarding BLUE\n ip address 10.99.0.3 255.255.255.0\n no shutdown\n\
     interface Loopback9\n vrf forwarding BLUE\n ip address 9.9.9.3 255.255.255.255\n\
     router bgp 65003\n address-family ipv4 vrf BLUE\n  network 9.9.9.3 mask 255.255.255.255\n  \
     neighbor 10.99.0.1 remote-as 65001\n  neighbor 10.99.0.1 activate\n",
    "interface Loopback0\n ip address 4.4.4.4 255.255.255.255\n\
     interface Serial0/0\n ip address 10.0.24.1 255.255.255.252\n no shutdown\n\
     ip route 172.16.0.0 255.255.0.0 Null0\nip route 10.44.0.0 255.255.0.0 Null0\n\
     router bgp 65004\n network 172.16.0.0\n network 10.44.0.0 mask 255.255.0.0\n neighbor 10.0.24.2 remote-as 65001\n",
];

pub const NTC: &[Case] = &[
    Case {
        command: "show ip bgp",
        limits: &[],
        fields: &[
            ("as_path", Is("as_path")),
            ("local_pref", Is("local_preference")),
            ("metric", Is("metric")),
            ("network", Any),
            ("next_hop", Is("next_hop")),
            ("origin", Is("origin")),
            ("path_selection", Any),
            ("route_source", Any),
            ("status", Any),
            ("weight", Is("weight")),
        ],
    },
    Case {
        command: "show ip bgp summary",
        limits: &[],
        fields: &[
            ("address_family", Const("")),
            ("bgp_neighbor", Is("neighbor")),
            ("bgp_version", Is("version")),
            ("input_queue", Is("in_queue")),
            ("local_as", Is("local_as")),
            ("messages_received", Is("messages_received")),
            ("messages_sent", Is("messages_sent")),
            ("neighbor_as", Is("remote_as")),
            ("output_queue", Is("out_queue")),
            ("router_id", Is("router_id")),
            ("state_or_prefixes_received", Any),
            ("table_version", Is("neighbor_table_version")),
            ("up_down", Any),
        ],
    },
    Case {
        command: "show ip bgp neighbors",
        limits: &[],
        fields: &[
            ("bgp_state", Is("state")),
            ("inbound_routemap", Is("route_map_in")),
            ("localhost_ip", Is("local_address")),
            ("localhost_port", Is("local_port")),
            ("neighbor", Is("neighbor")),
            ("outbound_routemap", Is("route_map_out")),
            ("peer_group", Is("peer_group")),
            ("remote_as", Is("remote_as")),
            ("remote_ip", Is("remote_address")),
            ("remote_port", Is("remote_port")),
            ("remote_router_id", Is("remote_router_id")),
            ("vrf", Is("vrf")),
        ],
    },
];

pub const GENIE: &[Case] = &[
    Case {
        command: "show ip bgp",
        limits: &[],
        fields: &[
            ("localpref", Is("local_preference")),
            ("metric", Is("metric")),
            ("next_hop", Is("next_hop")),
            ("origin_codes", Is("origin")),
            ("path", Is("as_path")),
            ("status_codes", Any),
            ("weight", Is("weight")),
            // The head, of which there is no row.
            ("bgp_table_version", Any),
            ("route_identifier", Any),
            ("route_distinguisher", Const("100:1")),
            ("default_vrf", Const("blue")),
        ],
    },
    Case {
        command: "show ip bgp neighbors 10.0.13.3 routes",
        limits: &[],
        fields: &[
            ("metric", Is("metric")),
            ("next_hop", Is("next_hop")),
            ("origin_codes", Is("origin")),
            ("path", Is("as_path")),
            ("weight", Is("weight")),
            ("status_codes", Any),
            // 0 where none is printed.
            ("localprf", Any),
            // The head and the foot, of which there is no row.
            ("total_num_of_prefixes", Any),
            ("bgp_table_version", Any),
            ("local_router_id", Any),
            ("route_distinguisher", Const("100:1")),
            ("default_vrf", Const("blue")),
        ],
    },
    Case {
        command: "show ip bgp 172.16.0.0",
        limits: &[],
        fields: &[
            ("table_version", Is("version")),
            ("next_hop", Is("next_hop")),
            ("gateway", Is("from")),
            ("originator", Is("from_router_id")),
            ("next_hop_igp_metric", Is("igp_metric")),
            ("localpref", Is("local_preference")),
            ("metric", Is("metric")),
            ("weight", Some("weight")),
            ("recipient_pathid", Is("received_path_id")),
            ("refresh_epoch", Const("1")),
            ("route_distinguisher", Const("100:1")),
            ("default_vrf", Const("blue")),
            // In other words than the row's.
            ("available_path", Any),
            ("best_path", Any),
            ("paths", Any),
            ("origin_codes", Any),
            ("status_codes", Any),
            ("route_info", Any),
            ("route_status", Any),
            ("transfer_pathid", Any),
            ("update_group", Any),
        ],
    },
    Case {
        command: "show ip bgp summary",
        limits: &[],
        fields: &[
            ("as", Is("remote_as")),
            ("bgp_id", Is("local_as")),
            ("bgp_table_version", Is("table_version")),
            ("input_queue", Is("in_queue")),
            ("local_as", Is("local_as")),
            ("msg_rcvd", Is("messages_received")),
            ("msg_sent", Is("messages_sent")),
            ("output_queue", Is("out_queue")),
            ("route_identifier", Is("router_id")),
            ("routing_table_version", Is("table_version")),
            ("state_pfxrcd", Any),
            ("tbl_ver", Is("neighbor_table_version")),
            ("up_down", Any),
            ("version", Is("version")),
            // How much there is, of which there is no row.
            ("total_entries", Any),
            ("attribute_entries", Any),
            ("memory_usage", Any),
            ("total_memory", Any),
            ("activity_prefixes", Any),
            ("activity_paths", Any),
            ("scan_interval", Const("60")),
        ],
    },
    Case {
        command: "show ip bgp neighbors",
        limits: &[],
        fields: &[
            ("bgp_table_version", Is("table_version")),
            ("bgp_version", Const("4")),
            ("dropped", Is("dropped")),
            ("established", Is("established")),
            ("foreign_host", Is("remote_address")),
            ("foreign_port", Is("remote_port")),
            ("hold_time", Is("hold_time")),
            ("keepalive_interval", Is("keepalive")),
            ("list_of_neighbors", Is("neighbor")),
            ("local_host", Is("local_address")),
            ("local_port", Is("local_port")),
            ("prefixes_current", Any),
            ("remote_as", Is("remote_as")),
            ("rib_route_ip", Is("neighbor")),
            ("router_id", Is("remote_router_id")),
            ("session_state", Is("state")),
            ("shutdown", Is("shutdown")),
            ("up_time", Some("uptime")),
            ("used_as_bestpath", Any),
            ("used_as_multipath", Any),
            // What Genie makes up, and text that is always the same.
            ("address_tracking_status", Any),
            ("advertise_bit", Any),
            ("connection_state", Any),
            ("connection_tableid", Any),
            ("dynamic_slow_peer_recovered", Any),
            ("ecn_connection", Any),
            ("in_queue_depth", Any),
            ("index", Any),
            ("io_status", Any),
            ("last_detected_dynamic_slow_peer", Any),
            ("last_read", Any),
            ("last_received_refresh_end_of_rib", Any),
            ("last_received_refresh_start_of_rib", Any),
            ("last_reset", Any),
            ("last_sent_refresh_end_of_rib", Any),
            ("last_sent_refresh_start_of_rib", Any),
            ("last_write", Any),
            ("max_nlri", Any),
            ("maximum_output_segment_queue_size", Any),
            ("min_nlri", Any),
            ("min_time_between_advertisement_runs", Any),
            ("minimum_incoming_ttl", Any),
            ("out_queue_depth", Any),
            ("outgoing_ttl", Any),
            ("output_queue_size", Any),
            ("refresh_epoch", Any),
            ("sessions", Any),
            ("slow_peer_detection", Any),
            ("slow_peer_split_update_group_dynamic", Any),
            ("stateful_switchover", Any),
            ("tcp_connection", Any),
            ("tcp_path_mtu_discovery", Any),
            ("total", Any),
            ("unread_input_bytes", Any),
            ("update_group_member", Any),
            ("used_as_secondary", Any),
            ("explicit_withdraw", Any),
            ("implicit_withdraw", Any),
            ("neighbor_version", Any),
            ("prefixes_total", Any),
            ("keepalives", Any),
            ("notifications", Any),
            ("opens", Any),
            ("updates", Any),
            ("route_refresh", Any),
            ("enhanced_refresh", Any),
            ("four_octets_asn", Any),
            ("graceful_restart", Any),
            ("ipv4_unicast", Any),
            ("community_attribute_sent", Any),
            ("link", Any),
        ],
    },
];
