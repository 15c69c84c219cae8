//! A small network in which every show command has something to tell.

use netconfarena_cli_dialect::session::{Session, apply_lines, execute_read_only};
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::router::LineUser;
use netconfarena_emu::time::Time;

/// R1 to R4 in a square; R1 and R2 share an Ethernet in area 0, R2 and R4 a serial line in area 1, R1 and R3 another Ethernet in the stub area 3
/// and a third one in the VRF BLUE, where EIGRP and RIP run; R4 brings connected routes in, also into the not-so-stubby area 5. R5 and R6 speak
/// EIGRP and RIP with each other, over three Ethernets: two equal ways, and a third of another metric. R1 has operators, debugging and archived
/// configurations; R2 has changed since its configuration was saved.
pub struct Lab {
    network: Network,
    nodes: Vec<NodeIndex>,
    configured: usize,
}

const LINES: [&str; 6] = [
    "interface Loopback0\n ip address 1.1.1.1 255.255.255.255\n\
     interface GigabitEthernet0/0\n description to R2\n ip address 10.0.12.1 255.255.255.0\n no shutdown\n\
     interface GigabitEthernet0/1\n ip address 10.0.13.1 255.255.255.0\n ip address 10.0.113.1 255.255.255.0 secondary\n \
     ip ospf message-digest-key 1 md5 secret\n ip ospf authentication message-digest\n no shutdown\n\
     router ospf 1\n router-id 1.1.1.1\n network 1.1.1.1 0.0.0.0 area 0\n network 10.0.12.0 0.0.0.255 area 0\n \
     network 10.0.13.0 0.0.0.255 area 3\n area 3 stub\n area 0 range 10.0.0.0 255.255.240.0\n\
     ip route 0.0.0.0 0.0.0.0 10.0.12.2 250\n\
     ip route 192.168.7.0 255.255.255.0 Null0\n\
     ip domain name example.com\nip name-server 10.0.12.2\n\
     key chain KC\n key 1\n  key-string abc\n\
     ip access-list extended WEB\n permit tcp any host 10.0.12.2 eq www\n permit ip 10.0.0.0 0.255.255.255 any\n deny ip any any\n\
     ip access-list standard LAN\n permit 10.0.13.0 0.0.0.255\n deny any\n\
     ip prefix-list PL seq 5 permit 10.0.0.0/8 le 24\nip prefix-list PL seq 10 deny 0.0.0.0/0\n\
     route-map RM permit 10\n match ip address prefix-list PL\n set metric 50\n set tag 7\nroute-map RM deny 20\n\
     vrf definition BLUE\n rd 100:1\n address-family ipv4\n exit-address-family\n\
     interface GigabitEthernet0/2\n vrf forwarding BLUE\n ip address 10.99.0.1 255.255.255.0\n no shutdown\n\
     ip route vrf BLUE 0.0.0.0 0.0.0.0 10.99.0.3\n\
     ip route vrf BLUE 192.168.99.0 255.255.255.0 10.99.0.3\n\
     router eigrp 50\n address-family ipv4 vrf BLUE autonomous-system 60\n  network 10.0.0.0\n\
     router rip\n version 2\n no auto-summary\n address-family ipv4 vrf BLUE\n  network 10.0.0.0\n  version 2\n  no auto-summary\n\
     interface GigabitEthernet0/0\n ip access-group WEB in\n\
     interface GigabitEthernet0/1\n ip policy route-map PBR\n\
     route-map PBR permit 10\n match ip address LAN\n set ip next-hop 10.0.12.2\nip local policy route-map PBR\n\
     alias exec sib show ip interface brief\nip host SERVER 10.0.12.2\narchive\n path flash:r1\n",
    "interface Loopback0\n ip address 2.2.2.2 255.255.255.255\n\
     interface GigabitEthernet0/0\n ip address 10.0.12.2 255.255.255.0\n no shutdown\n\
     interface Serial0/0\n ip address 10.0.24.2 255.255.255.252\n no shutdown\n\
     router ospf 1\n router-id 2.2.2.2\n network 2.2.2.2 0.0.0.0 area 0\n network 10.0.12.0 0.0.0.255 area 0\n \
     network 10.0.24.0 0.0.0.3 area 1\n area 1 virtual-link 4.4.4.4\n",
    "interface Loopback0\n ip address 3.3.3.3 255.255.255.255\n\
     interface GigabitEthernet0/1\n ip address 10.0.13.3 255.255.255.0\n \
     ip ospf message-digest-key 1 md5 secret\n ip ospf authentication message-digest\n no shutdown\n\
     router ospf 1\n router-id 3.3.3.3\n network 0.0.0.0 255.255.255.255 area 3\n area 3 stub\n\
     vrf definition BLUE\n rd 100:1\n address-family ipv4\n exit-address-family\n\
     interface GigabitEthernet0/2\n vrf forwarding BLUE\n ip address 10.99.0.3 255.255.255.0\n no shutdown\n\
     interface Loopback9\n vrf forwarding BLUE\n ip address 9.9.9.3 255.255.255.255\n\
     interface Loopback10\n vrf forwarding BLUE\n ip address 172.31.0.3 255.255.255.0\n\
     router eigrp 50\n address-family ipv4 vrf BLUE autonomous-system 60\n  network 10.0.0.0\n  network 9.0.0.0\n\
     router rip\n version 2\n no auto-summary\n address-family ipv4 vrf BLUE\n  network 10.0.0.0\n  network 172.31.0.0\n  version 2\n  no auto-summary\n",
    "interface Loopback0\n ip address 4.4.4.4 255.255.255.255\n\
     interface Loopback1\n ip address 172.16.4.4 255.255.255.0\n\
     interface Serial0/0\n ip address 10.0.24.1 255.255.255.252\n no shutdown\n\
     router ospf 1\n router-id 4.4.4.4\n network 4.4.4.4 0.0.0.0 area 1\n network 10.0.24.0 0.0.0.3 area 1\n \
     area 1 virtual-link 2.2.2.2\n redistribute connected subnets\n \
     network 172.20.4.0 0.0.0.255 area 5\n area 5 nssa\n\
     interface Loopback2\n ip address 172.20.4.4 255.255.255.0\n",
    "interface Loopback0\n ip address 5.5.5.5 255.255.255.255\n\
     interface GigabitEthernet0/0\n ip address 10.0.56.5 255.255.255.0\n no shutdown\n\
     interface GigabitEthernet0/1\n ip address 10.1.56.5 255.255.255.0\n no shutdown\n\
     interface GigabitEthernet0/2\n ip address 10.2.56.5 255.255.255.0\n delay 5\n no shutdown\n\
     router eigrp 100\n variance 4\n network 10.0.0.0\n network 5.0.0.0\n redistribute static metric 10000 10 255 1 1500\n\
     router rip\n version 2\n network 10.0.0.0\n no auto-summary\n passive-interface GigabitEthernet0/0\n\
     ip route 192.168.5.0 255.255.255.0 Null0 tag 50\n\
     track 1 interface Loopback0 line-protocol\n delay up 5 down 10\n\
     ip sla 1\n icmp-echo 10.0.56.6\n  frequency 20\nip sla 2\n icmp-echo 172.31.0.1\n  frequency 20\n\
     ip sla schedule 1 life forever start-time now\nip sla schedule 2 life forever start-time now\n",
    "interface Loopback0\n ip address 6.6.6.6 255.255.255.255\n\
     interface Loopback1\n ip address 172.16.6.6 255.255.255.0\n\
     interface GigabitEthernet0/0\n ip address 10.0.56.6 255.255.255.0\n no shutdown\n\
     interface GigabitEthernet0/1\n ip address 10.1.56.6 255.255.255.0\n no shutdown\n\
     interface GigabitEthernet0/2\n ip address 10.2.56.6 255.255.255.0\n delay 5\n no shutdown\n\
     router eigrp 100\n variance 4\n network 10.0.0.0\n network 6.0.0.0\n eigrp stub\n\
     router rip\n version 2\n network 10.0.0.0\n network 172.16.0.0\n no auto-summary\n redistribute static metric 3\n\
     ip route 192.168.6.0 255.255.255.0 Null0\n\
     ip access-list standard MGMT\n permit 192.0.2.0 0.0.0.255\n deny any\n\
     ip access-list extended EDGE\n permit tcp 10.0.0.0 0.255.255.255 host 10.0.56.5 eq www\n deny icmp any any\n permit ip any any\n\
     ip access-list extended inbound\n deny tcp 198.51.100.0 0.0.0.255 203.0.113.0 0.0.0.255\n\
     ip access-list extended outbound\n permit udp 203.0.113.0 0.0.0.255 198.51.100.0 0.0.0.255\n\
     ip prefix-list PL6 permit 10.0.0.0/8\n\
     route-map OUT permit 10\n match ip address prefix-list PL6\n set local-preference 200\n set community 65001:7\n\
     route-map OUT permit 20\n match metric 5\n set as-path prepend 65001 65001\n",
];

impl Lab {
    /// The network, converged.
    pub fn new() -> Self {
        Self::with(&LINES)
    }

    /// The same cables with other configurations, for all routers or the first ones.
    pub fn with(lines: &[&str]) -> Self {
        let mut network = Network::new(11);
        let ports = ["GigabitEthernet0/0", "GigabitEthernet0/1", "GigabitEthernet0/2", "Serial0/0"]
            .map(|name| name.parse().expect("an interface name"));
        let nodes: Vec<NodeIndex> = ["R1", "R2", "R3", "R4", "R5", "R6"]
            .iter()
            .map(|name| network.add_router(name, &ports))
            .collect();
        let [first, second, third, serial] = ports;
        for (properties, port, ends) in [
            (LinkProperties::ethernet(), first, [0, 1]),
            (LinkProperties::ethernet(), second, [0, 2]),
            (LinkProperties::serial(), serial, [1, 3]),
            (LinkProperties::ethernet(), first, [4, 5]),
            (LinkProperties::ethernet(), second, [4, 5]),
            (LinkProperties::ethernet(), third, [0, 2]),
            (LinkProperties::ethernet(), third, [4, 5]),
        ] {
            network.add_link(properties, &ends.map(|end| (nodes[end], port))).expect("free ports");
        }
        for (&node, lines) in nodes.iter().zip(lines) {
            let applied = apply_lines(&mut network, node, lines);
            assert_eq!(applied.rejected, [], "{}", applied.transcript);
        }
        network.run_until(Time::from_secs(170));
        let mut operator = Session::privileged(nodes[0]);
        for line in ["debug ip ospf adj", "archive config", "archive config"] {
            operator.execute(&mut network, line);
        }
        Session::privileged(nodes[1]).execute(&mut network, "write memory");
        apply_lines(&mut network, nodes[1], "ip domain name example.net");
        for (line, user, from) in [(0, "alice", "192.0.2.7"), (1, "bob", "host.example.com")] {
            let user = LineUser { user: user.to_owned(), from: from.to_owned(), last_key: network.now() };
            network.router_mut(nodes[0]).set_line_user(line, Some(user));
        }
        network.run_until(Time::from_secs(200));
        Self { network, nodes, configured: lines.len() }
    }

    /// How many routers do something.
    pub const fn configured(&self) -> usize {
        self.configured
    }

    /// What a router prints.
    pub fn show(&mut self, router: usize, command: &str) -> String {
        self.ask(router, command).unwrap_or_else(|refused| panic!("{command}: {refused}"))
    }

    /// What a router prints, or how it refuses the command.
    pub fn ask(&mut self, router: usize, command: &str) -> Result<String, String> {
        let node = self.nodes[router - 1];
        execute_read_only(&mut self.network, node, command)
    }
}
