//! A small laboratory.

/// Two routers on one Ethernet that speak OSPF.
pub const PAIR: [(&str, &str); 2] = [
    (
        "R1.cfg",
        "hostname R1\ninterface Loopback0\n ip address 192.0.2.1 255.255.255.255\n\
         interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n no shutdown\n\
         router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n",
    ),
    (
        "R2.cfg",
        "hostname R2\ninterface Loopback0\n ip address 192.0.2.2 255.255.255.255\n\
         interface GigabitEthernet0/0\n ip address 10.0.0.2 255.255.255.0\n no shutdown\n\
         router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n",
    ),
];
