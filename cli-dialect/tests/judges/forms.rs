//! Commands with arguments: their verdicts have the fields of others.

use super::verdict::Form;

/// In the network of OSPF, EIGRP and RIP, read by ntc-templates.
pub const NTC: &[Form] = &[
    Form { pattern: "ping", command: "ping 10.0.12.2", like: "ping 10.0.12.2" },
    Form { pattern: "traceroute", command: "traceroute 10.0.12.2", like: "traceroute 10.0.12.2" },
];

/// In the network of OSPF, EIGRP and RIP, read by Genie.
pub const GENIE: &[Form] = &[
    Form { pattern: "ping {addr}", command: "ping 10.0.12.2", like: "ping 10.0.12.2" },
    Form {
        pattern: "ping {addr} source {source} repeat {count}",
        command: "ping 10.0.12.2 source GigabitEthernet0/0 repeat 3",
        like: "ping 10.0.12.2",
    },
    Form { pattern: "ping vrf {vrf} {addr}", command: "ping vrf BLUE 10.99.0.3", like: "ping 10.0.12.2" },
    Form {
        pattern: "show access-lists {acl}",
        command: "show access-lists WEB",
        like: "show ip access-lists",
    },
    Form { pattern: "show access-lists", command: "show access-lists", like: "show ip access-lists" },
    Form { pattern: "show arp vrf {vrf}", command: "show arp vrf BLUE", like: "show arp" },
    Form { pattern: "show arp {intf_or_ip}", command: "show arp GigabitEthernet0/0", like: "show arp" },
    Form { pattern: "show ip arp", command: "show ip arp", like: "show arp" },
    Form { pattern: "show ip arp {intf_or_ip}", command: "show ip arp 10.0.12.2", like: "show arp" },
    Form {
        pattern: "show ip interface brief | include {ip}",
        command: "show ip interface brief | include 10.0.1",
        like: "show ip interface brief | include 10.0.1",
    },
    Form {
        pattern: "show ip protocols | sec rip",
        command: "show ip protocols | sec rip",
        like: "show ip protocols",
    },
    Form { pattern: "traceroute", command: "traceroute 10.0.12.2", like: "traceroute 10.0.12.2" },
    Form { pattern: "show ip arp vrf {vrf}", command: "show ip arp vrf BLUE", like: "show arp" },
    Form {
        pattern: "show interfaces {interface}",
        command: "show interfaces GigabitEthernet0/0",
        like: "show interfaces",
    },
    Form {
        pattern: "show interfaces {interface} description",
        command: "show interfaces GigabitEthernet0/0 description",
        like: "show interfaces description",
    },
    Form {
        pattern: "show interfaces | include {include}",
        command: "show interfaces | include GigabitEthernet",
        like: "show interfaces",
    },
    Form {
        pattern: "show ip access-lists {acl}",
        command: "show ip access-lists WEB",
        like: "show ip access-lists",
    },
    Form { pattern: "show ip cef vrf {vrf}", command: "show ip cef vrf BLUE", like: "show ip cef" },
    Form {
        pattern: "show ip cef vrf {vrf} {prefix}",
        command: "show ip cef vrf BLUE 9.9.9.3",
        like: "show ip cef",
    },
    Form { pattern: "show ip cef {prefix}", command: "show ip cef 6.6.6.6", like: "show ip cef" },
    Form {
        pattern: "show ip eigrp interfaces detail {interface}",
        command: "show ip eigrp interfaces detail GigabitEthernet0/0",
        like: "show ip eigrp interfaces detail",
    },
    Form {
        pattern: "show ip eigrp neighbors {interface}",
        command: "show ip eigrp neighbors GigabitEthernet0/0",
        like: "show ip eigrp neighbors",
    },
    Form {
        pattern: "show ip eigrp vrf {vrf} interfaces",
        command: "show ip eigrp vrf BLUE interfaces",
        like: "show ip eigrp interfaces",
    },
    Form {
        pattern: "show ip eigrp vrf {vrf} neighbors",
        command: "show ip eigrp vrf BLUE neighbors",
        like: "show ip eigrp neighbors",
    },
    Form {
        pattern: "show ip eigrp vrf {vrf} neighbors detail",
        command: "show ip eigrp vrf BLUE neighbors detail",
        like: "show ip eigrp neighbors detail",
    },
    Form {
        pattern: "show ip eigrp vrf {vrf} topology",
        command: "show ip eigrp vrf BLUE topology",
        like: "show ip eigrp topology",
    },
    Form {
        pattern: "show ip interface brief | exclude {exclude}",
        command: "show ip interface brief | exclude Loopback",
        like: "show ip interface brief",
    },
    Form {
        pattern: "show ip interface brief {interface}",
        command: "show ip interface brief GigabitEthernet0/0",
        like: "show ip interface brief",
    },
    Form {
        pattern: "show ip interface {interface}",
        command: "show ip interface GigabitEthernet0/0",
        like: "show ip interface",
    },
    Form {
        pattern: "show ip interface | include {include}",
        command: "show ip interface | include line protocol",
        like: "show ip interface",
    },
    Form {
        pattern: "show ip ospf database router self-originate",
        command: "show ip ospf database router self-originate",
        like: "show ip ospf database router",
    },
    Form {
        pattern: "show ip ospf interface {interface}",
        command: "show ip ospf interface GigabitEthernet0/0",
        like: "show ip ospf interface",
    },
    Form {
        pattern: "show ip ospf neighbor {interface}",
        command: "show ip ospf neighbor GigabitEthernet0/0",
        like: "show ip ospf neighbor",
    },
    Form {
        pattern: "show ip ospf neighbor {neighbor} detail",
        command: "show ip ospf neighbor 2.2.2.2 detail",
        like: "show ip ospf neighbor detail",
    },
    Form {
        pattern: "show ip ospf {process_id} neighbor",
        command: "show ip ospf 1 neighbor",
        like: "show ip ospf neighbor",
    },
    Form {
        pattern: "show ip ospf {process_id} neighbor {interface}",
        command: "show ip ospf 1 neighbor GigabitEthernet0/0",
        like: "show ip ospf neighbor",
    },
    Form {
        pattern: "show ip protocols vrf {vrf}",
        command: "show ip protocols vrf BLUE",
        like: "show ip protocols",
    },
    Form {
        pattern: "show ip protocols vrf {vrf} | sec rip",
        command: "show ip protocols vrf BLUE | sec rip",
        like: "show ip protocols",
    },
    Form {
        pattern: "show ip rip database vrf {vrf}",
        command: "show ip rip database vrf BLUE",
        like: "show ip rip database",
    },
    Form {
        pattern: "show ip route supernets-only",
        command: "show ip route supernets-only",
        like: "show ip route",
    },
    Form { pattern: "show ip route vrf {vrf}", command: "show ip route vrf BLUE", like: "show ip route" },
    Form {
        pattern: "show ip route vrf {vrf} summary",
        command: "show ip route vrf BLUE summary",
        like: "show ip route summary",
    },
    Form {
        pattern: "show ip route vrf {vrf} supernets-only",
        command: "show ip route vrf BLUE supernets-only",
        like: "show ip route",
    },
    Form {
        pattern: "show ip route vrf {vrf} {protocol}",
        command: "show ip route vrf BLUE eigrp",
        like: "show ip route",
    },
    Form {
        pattern: "show ip route vrf {vrf} {route}",
        command: "show ip route vrf BLUE 9.9.9.3",
        like: "show ip route 6.6.6.6",
    },
    Form { pattern: "show ip route {protocol}", command: "show ip route eigrp", like: "show ip route" },
    Form {
        pattern: "show ip route {route}",
        command: "show ip route 2.2.2.2",
        like: "show ip route 6.6.6.6",
    },
    Form {
        pattern: "show ip sla statistics {probe_id}",
        command: "show ip sla statistics 1",
        like: "show ip sla statistics",
    },
    Form {
        pattern: "show logging | exclude {exclude}",
        command: "show logging | exclude LINK",
        like: "show logging",
    },
    Form {
        pattern: "show processes cpu | include {key_word}",
        command: "show processes cpu | include CPU",
        like: "show processes cpu",
    },
    Form { pattern: "show route-map {name}", command: "show route-map RM", like: "show route-map all" },
    Form { pattern: "show vrf detail {vrf}", command: "show vrf detail BLUE", like: "show vrf detail" },
    Form { pattern: "show ip vrf {vrf}", command: "show ip vrf BLUE", like: "show ip vrf" },
    Form { pattern: "show ip vrf detail", command: "show ip vrf detail", like: "show vrf detail" },
    Form { pattern: "show ip vrf detail {vrf}", command: "show ip vrf detail BLUE", like: "show vrf detail" },
    Form {
        pattern: "show interfaces {interface} summary",
        command: "show interfaces GigabitEthernet0/0 summary",
        like: "show interfaces summary",
    },
    Form {
        pattern: "show processes cpu sorted",
        command: "show processes cpu sorted",
        like: "show processes cpu",
    },
    Form {
        pattern: "show processes cpu sorted {sort_time}",
        command: "show processes cpu sorted 5min",
        like: "show processes cpu",
    },
    Form {
        pattern: "show processes cpu sorted {sort_time} | exclude {exclude}",
        command: "show processes cpu sorted 5min | exclude IP",
        like: "show processes cpu",
    },
    Form {
        pattern: "show processes cpu sorted {sort_time} | include {key_word}",
        command: "show processes cpu sorted 5min | include CPU",
        like: "show processes cpu",
    },
    Form {
        pattern: "show processes cpu sorted | exclude {exclude}",
        command: "show processes cpu sorted | exclude IP",
        like: "show processes cpu",
    },
    Form {
        pattern: "show processes cpu sorted | include {key_word}",
        command: "show processes cpu sorted | include CPU",
        like: "show processes cpu",
    },
    Form { pattern: "show vrf {vrf}", command: "show vrf BLUE", like: "show vrf" },
    Form {
        pattern: "traceroute {ip_address}",
        command: "traceroute 10.0.12.2",
        like: "traceroute 10.0.12.2",
    },
];

/// In the network of BGP, read by ntc-templates.
pub const BGP_NTC: &[Form] = &[Form {
    pattern: "show ip bgp neighbors advertised-routes",
    command: "show ip bgp neighbors 10.0.13.3 advertised-routes",
    like: "show ip bgp",
}];

/// In the network of BGP, read by Genie.
pub const BGP_GENIE: &[Form] = &[
    Form { pattern: "show bgp summary", command: "show bgp summary", like: "show ip bgp summary" },
    Form { pattern: "show bgp neighbors", command: "show bgp neighbors", like: "show ip bgp neighbors" },
    Form {
        pattern: "show bgp neighbors {neighbor}",
        command: "show bgp neighbors 10.0.13.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp neighbors {neighbor} advertised-routes",
        command: "show bgp neighbors 10.0.13.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp neighbors {neighbor} routes",
        command: "show bgp neighbors 10.0.13.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp neighbors {neighbor} received-routes",
        command: "show bgp neighbors 10.0.13.3 received-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form { pattern: "show bgp all", command: "show bgp all", like: "show ip bgp" },
    Form { pattern: "show bgp all summary", command: "show bgp all summary", like: "show ip bgp summary" },
    Form {
        pattern: "show bgp all neighbors",
        command: "show bgp all neighbors",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp all neighbors {neighbor}",
        command: "show bgp all neighbors 10.0.13.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp all neighbors {neighbor} advertised-routes",
        command: "show bgp all neighbors 10.0.13.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp all neighbors {neighbor} routes",
        command: "show bgp all neighbors 10.0.13.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp all neighbors {neighbor} received-routes",
        command: "show bgp all neighbors 10.0.13.3 received-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp neighbors {neighbor}",
        command: "show ip bgp neighbors 10.0.13.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp neighbors {neighbor} advertised-routes",
        command: "show ip bgp neighbors 10.0.13.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp neighbors {neighbor} routes",
        command: "show ip bgp neighbors 10.0.13.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp neighbors {neighbor} received-routes",
        command: "show ip bgp neighbors 10.0.13.3 received-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp {route}",
        command: "show ip bgp 172.16.0.0",
        like: "show ip bgp 172.16.0.0",
    },
    Form { pattern: "show ip bgp all", command: "show ip bgp all", like: "show ip bgp" },
    Form {
        pattern: "show ip bgp all summary",
        command: "show ip bgp all summary",
        like: "show ip bgp summary",
    },
    Form {
        pattern: "show ip bgp all neighbors",
        command: "show ip bgp all neighbors",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp all neighbors {neighbor}",
        command: "show ip bgp all neighbors 10.0.13.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp all neighbors {neighbor} advertised-routes",
        command: "show ip bgp all neighbors 10.0.13.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp all neighbors {neighbor} routes",
        command: "show ip bgp all neighbors 10.0.13.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp all neighbors {neighbor} received-routes",
        command: "show ip bgp all neighbors 10.0.13.3 received-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} summary",
        command: "show bgp ipv4 unicast summary",
        like: "show ip bgp summary",
    },
    Form {
        pattern: "show bgp {address_family} neighbors",
        command: "show bgp ipv4 unicast neighbors",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp {address_family} neighbors {neighbor}",
        command: "show bgp ipv4 unicast neighbors 10.0.13.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp {address_family} neighbors {neighbor} advertised-routes",
        command: "show bgp ipv4 unicast neighbors 10.0.13.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} neighbors {neighbor} routes",
        command: "show bgp ipv4 unicast neighbors 10.0.13.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} neighbors {neighbor} received-routes",
        command: "show bgp ipv4 unicast neighbors 10.0.13.3 received-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} {route}",
        command: "show bgp ipv4 unicast 172.16.0.0",
        like: "show ip bgp 172.16.0.0",
    },
    Form {
        pattern: "show ip bgp {address_family}",
        command: "show ip bgp ipv4 unicast",
        like: "show ip bgp",
    },
    Form {
        pattern: "show ip bgp {address_family} summary",
        command: "show ip bgp ipv4 unicast summary",
        like: "show ip bgp summary",
    },
    Form {
        pattern: "show ip bgp {address_family} neighbors",
        command: "show ip bgp ipv4 unicast neighbors",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp {address_family} neighbors {neighbor}",
        command: "show ip bgp ipv4 unicast neighbors 10.0.13.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp {address_family} neighbors {neighbor} advertised-routes",
        command: "show ip bgp ipv4 unicast neighbors 10.0.13.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp {address_family} neighbors {neighbor} routes",
        command: "show ip bgp ipv4 unicast neighbors 10.0.13.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp {address_family} neighbors {neighbor} received-routes",
        command: "show ip bgp ipv4 unicast neighbors 10.0.13.3 received-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf}",
        command: "show bgp vpnv4 unicast vrf BLUE",
        like: "show ip bgp",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf} summary",
        command: "show bgp vpnv4 unicast vrf BLUE summary",
        like: "show ip bgp summary",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf} neighbors",
        command: "show bgp vpnv4 unicast vrf BLUE neighbors",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf} neighbors {neighbor}",
        command: "show bgp vpnv4 unicast vrf BLUE neighbors 10.99.0.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf} neighbors {neighbor} advertised-routes",
        command: "show bgp vpnv4 unicast vrf BLUE neighbors 10.99.0.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf} neighbors {neighbor} routes",
        command: "show bgp vpnv4 unicast vrf BLUE neighbors 10.99.0.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show bgp {address_family} vrf {vrf} {route}",
        command: "show bgp vpnv4 unicast vrf BLUE 9.9.9.3",
        like: "show ip bgp 172.16.0.0",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf}",
        command: "show ip bgp vpnv4 vrf BLUE",
        like: "show ip bgp",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf} summary",
        command: "show ip bgp vpnv4 vrf BLUE summary",
        like: "show ip bgp summary",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf} neighbors",
        command: "show ip bgp vpnv4 vrf BLUE neighbors",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf} neighbors {neighbor}",
        command: "show ip bgp vpnv4 vrf BLUE neighbors 10.99.0.3",
        like: "show ip bgp neighbors",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf} neighbors {neighbor} advertised-routes",
        command: "show ip bgp vpnv4 vrf BLUE neighbors 10.99.0.3 advertised-routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf} neighbors {neighbor} routes",
        command: "show ip bgp vpnv4 vrf BLUE neighbors 10.99.0.3 routes",
        like: "show ip bgp neighbors 10.0.13.3 routes",
    },
    Form {
        pattern: "show ip bgp {address_family} vrf {vrf} {route}",
        command: "show ip bgp vpnv4 vrf BLUE 9.9.9.3",
        like: "show ip bgp 172.16.0.0",
    },
    Form { pattern: "show ip bgp regexp {regexp}", command: "show ip bgp regexp 65003", like: "show ip bgp" },
];
