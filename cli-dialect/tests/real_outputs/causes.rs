//! Why lines of real outputs are not printed again alike: most samples come from other releases and platforms than IOS 15.9 on IOSv, some
//! have been edited, and some devices have features that do not exist here.

use std::sync::LazyLock;

use regex::Regex;

/// Edited by hand before it became a sample: blanks lost or added, lines left out.
const EDITED: &str = "the sample was edited by hand";
const OLD: &str = "an older release";
const NEWER: &str = "IOS-XE, or a release after 15.9";
const SWITCH: &str = "a Catalyst switch";
const HARDWARE: &str = "hardware that IOSv does not have";
const FEATURE: &str = "a feature that does not exist here";
const COUNTED: &str = "something that is not counted or kept here";
const TCP: &str = "the state of TCP, which `show ip bgp neighbors` leaves out here";
const FAMILY: &str = "another address family than IPv4";

/// Files in which any line may differ.
const FILES: &[(&str, &str)] = &[
    ("show_access-lists/2.txt", EDITED),
    ("show_arp/3.txt", NEWER),
    ("show_ip_arp/1.txt", EDITED),
    ("show_ip_arp/2.txt", EDITED),
    ("show_ip_bgp/1.txt", OLD),
    ("show_ip_bgp/2.txt", OLD),
    ("show_ip_bgp/3.txt", OLD),
    ("show_ip_bgp_neighbors_advertised-routes/2.txt", OLD),
    ("show_ip_bgp_neighbors_advertised-routes/3.txt", OLD),
    ("show_ip_cef/2.txt", OLD),
    ("show_ip_eigrp_neighbors/1.txt", OLD),
    ("show_ip_eigrp_neighbors_detail/2.txt", EDITED),
    ("show_ip_eigrp_neighbors_detail/3.txt", EDITED),
    ("show_ip_eigrp_topology/1.txt", OLD),
    ("show_ip_eigrp_topology/2.txt", OLD),
    ("show_ip_eigrp_topology/3.txt", EDITED),
    ("show_ip_interface_brief/2.txt", NEWER),
    ("show_ip_ospf/2.txt", EDITED),
    ("show_ip_ospf_database/1.txt", OLD),
    ("show_ip_ospf_interface_brief/1.txt", EDITED),
    ("show_ip_ospf_neighbor/2.txt", EDITED),
    ("show_ip_ospf_neighbor/3.txt", EDITED),
    ("show_ip_route/1.txt", OLD),
    ("show_ip_route_WORD/1.txt", FEATURE),
    ("show_ip_route_WORD/3.txt", EDITED),
    ("show_ip_route_summary/3.txt", OLD),
    ("show_ip_sla_summary/2.txt", OLD),
    ("show_processes_cpu/1.txt", OLD),
    ("show_route-map/1.txt", EDITED),
    ("show_version/1.txt", SWITCH),
    ("show_version/2.txt", SWITCH),
    ("show_version/3.txt", SWITCH),
    ("show_vrf/1.txt", OLD),
];

/// Lines that may differ in the files whose names begin so.
const LINES: &[(&str, &str, &str)] = &[
    ("show_access-lists/1.txt", "^ +0+ deny ", EDITED),
    ("show_clock/2.txt", "UTC", COUNTED),
    ("show_bgp_all_summary/", "^ +For address|^ +0 |^[0-9:A-Z]*:|IPv6|IPv0 Flowspec", FAMILY),
    ("show_bgp_all_summary/", "^[0-9.]+ +0 +", EDITED),
    ("show_ip_bgp_summary/", "Idle \\(Admin\\)", OLD),
    ("show_ip_bgp_summary/", "local AS number", FEATURE),
    ("show_", "entries using 0+ bytes|BGP using|BGP activity|received paths for inbound", COUNTED),
    ("show_ip_access-lists/", "ttl-exceeded ", EDITED),
    ("show_ip_bgp_neighbors_advertised-routes/1.txt", "secondary path", OLD),
    ("show_ip_eigrp_interfaces", "VRF\\(0\\)|show ip eigrp|^T[eu]0|Packetized", COUNTED),
    ("show_ip_eigrp_neighbors_detail/", "Max Nbrs", NEWER),
    ("show_inventory/", "^PID:", NEWER),
    (
        "show_ip_ospf/",
        "non self-generated|Threshold|Ignore-|BFD|RRR|Non-Stop|Event-log|Maintenance|Graceful Reload|show ip",
        FEATURE,
    ),
    ("show_ip_ospf_database", "Link States|OSPF Router with ID|^000.000.000.0   ", EDITED),
    (
        "show_ip_ospf_interface/",
        "FastReroute|TI-LFA|Prefix-suppression|Strict TTL|Rollover|key id 0 alg",
        FEATURE,
    ),
    (
        "show_ip_ospf_interface/",
        "flood scan|\\(connected\\)|^GigabitEthernet0 is|authentication enabled|Youngest",
        COUNTED,
    ),
    (
        "show_ip_ospf_neighbor_detail/",
        "^ *Neighbor |SR adj|0/0|\\(0\\)|show ip ospf|LLS Options|retransmission",
        NEWER,
    ),
    ("show_ip_ospf_virtual-links/", "demand circuit|DoNotAge", FEATURE),
    ("show_ip_protocols/", "Gateway +Distance|show ip", EDITED),
    ("show_ip_route/2.txt", "UTC", COUNTED),
    ("show_ip_route/3.txt", "variably subnetted", EDITED),
    ("show_ip_route_WORD/2.txt", "[Ll]abel|MPLS|Repair|ago, via", FEATURE),
    ("show_ip_sla_summary/1.txt", "dns", EDITED),
    ("show_logging/", "", COUNTED),
    ("show_processes_cpu/", "", EDITED),
    ("show_route-map/", "STATIC|DYNAMIC|dynamic routemaps|Policy routing|tag 0|local-pref|community", NEWER),
    ("show_track/", "Reachability is Down|Metric threshold", COUNTED),
    ("show_users/", "ONEP|show users|vty 0", NEWER),
    (
        "show_vrf",
        "CLI format|Flags|RT:|route-target|multicast not active|ipv0 unicast|Description|^Name|^ +Name|^  [A-Z_]",
        FEATURE,
    ),
    // Interfaces of switches and of big routers.
    (
        "show_interfaces/",
        "flow-control|media type|\\((not)?connect(ed)?\\)|line protocol is|dribble|Keepalive",
        HARDWARE,
    ),
    (
        "show_interfaces/",
        "BW 0+ Kbit|unknown protocol drops|IP multicasts|multicasts\\)|[Pp](AUSE|ause) output|lost carrier",
        OLD,
    ),
    (
        "show_interfaces/",
        "watchdog|runts|BaseTX|input errors|output errors|queue|Queue|packets input|second (in|out)put|minute (in|out)put|ARP type",
        HARDWARE,
    ),
    ("show_interfaces/", "Tunnel|src-track|Set of tunnels", FEATURE),
    (
        "show_ip_interface/",
        "Common access list|turbo vector|Topology|topologies|Probe proxy|[Ff]low|Netflow|fast switching|CEF switching",
        OLD,
    ),
    (
        "show_ip_interface/",
        "Address determined|Helper|^ +000\\.0|Inbound  access list|processing disabled",
        COUNTED,
    ),
    ("show_ip_interface/", "translation|features|VPN Routing|multilayer|netflow", FEATURE),
    // Sessions of BGP.
    ("show_ip_bgp_neighbors/", TCP_LINES, TCP),
    ("show_ip_bgp_neighbors/", "", COUNTED),
];

const TCP_LINES: &str = "wnd:|RTT|Timer|0x0$|0x0+$|iss:|irs:|Retrans|Status Flags|Option Flags|Precedence|Datagrams|Rcvd: |Sent: |fast path|fast lock|Semaphore|uptime|Enqueued|ECN";

static COMPILED: LazyLock<Vec<(&str, Regex, &str)>> = LazyLock::new(|| {
    LINES.iter().map(|&(file, line, why)| (file, Regex::new(line).expect("a pattern"), why)).collect()
});

/// The cause of a line that differs, in a file (`show_clock/1.txt`).
pub fn of(label: &str, line: &str) -> Option<&'static str> {
    let file = FILES.iter().find(|(file, _)| *file == label).map(|&(_, why)| why);
    file.or_else(|| {
        let mut fitting =
            COMPILED.iter().filter(|(file, line_of, _)| label.starts_with(file) && line_of.is_match(line));
        fitting.next().map(|&(_, _, why)| why)
    })
}
