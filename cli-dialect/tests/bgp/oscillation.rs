//! Two internal peers that each prefer the other's path: in reality chance decides which of the two stable states stays.

use crate::lab::Lab;

const R1: &str = "hostname R1\n\
    interface gi0/0\n\
     ip address 10.0.12.1 255.255.255.0\n\
    interface gi0/1\n\
     ip address 10.0.13.1 255.255.255.0\n\
    interface lo0\n\
     ip address 192.168.0.1 255.255.255.255\n\
    router ospf 1\n\
     network 10.0.12.0 0.0.0.255 area 0\n\
     network 192.168.0.1 0.0.0.0 area 0\n\
    router bgp 65000\n\
     bgp always-compare-med\n\
     bgp bestpath med missing-as-worst\n\
     neighbor 192.168.0.2 remote-as 65000\n\
     neighbor 192.168.0.2 update-source Loopback0\n\
     neighbor 192.168.0.2 next-hop-self\n\
     neighbor 10.0.13.3 remote-as 3\n";

const R2: &str = "hostname R2\n\
    interface gi0/0\n\
     ip address 10.0.12.2 255.255.255.0\n\
    interface gi0/1\n\
     ip address 10.0.24.2 255.255.255.0\n\
    interface lo0\n\
     ip address 192.168.0.2 255.255.255.255\n\
    router ospf 1\n\
     network 10.0.12.0 0.0.0.255 area 0\n\
     network 192.168.0.2 0.0.0.0 area 0\n\
    router bgp 65000\n\
     bgp always-compare-med\n\
     neighbor 192.168.0.1 remote-as 65000\n\
     neighbor 192.168.0.1 update-source Loopback0\n\
     neighbor 192.168.0.1 next-hop-self\n\
     neighbor 10.0.24.4 remote-as 4\n";

const A: &str = "hostname A\n\
    interface gi0/1\n\
     ip address 10.0.13.3 255.255.255.0\n\
    interface gi0/2\n\
     ip address 10.0.35.3 255.255.255.0\n\
    router bgp 3\n\
     neighbor 10.0.13.1 remote-as 65000\n\
     neighbor 10.0.35.5 remote-as 5\n";

const B: &str = "hostname B\n\
    interface gi0/1\n\
     ip address 10.0.24.4 255.255.255.0\n\
    interface gi0/2\n\
     ip address 10.0.45.4 255.255.255.0\n\
    router bgp 4\n\
     neighbor 10.0.24.2 remote-as 65000\n\
     neighbor 10.0.24.2 route-map M out\n\
     neighbor 10.0.45.5 remote-as 5\n\
    route-map M permit 10\n\
     set metric 100\n";

const DC: &str = "hostname DC\n\
    interface gi0/1\n\
     ip address 10.0.35.5 255.255.255.0\n\
    interface gi0/2\n\
     ip address 10.0.45.5 255.255.255.0\n\
    interface lo0\n\
     ip address 100.64.0.1 255.255.255.0\n\
    router bgp 5\n\
     network 100.64.0.0 mask 255.255.255.0\n\
     neighbor 10.0.35.3 remote-as 3\n\
     neighbor 10.0.45.4 remote-as 4\n";

#[test]
fn borders_that_each_prefer_the_others_path_come_to_rest() {
    let routers = [("R1", R1), ("R2", R2), ("A", A), ("B", B), ("DC", DC)];
    let links: [&[&str]; 5] = [
        &["R1 gi0/0", "R2 gi0/0"],
        &["R1 gi0/1", "A gi0/1"],
        &["R2 gi0/1", "B gi0/1"],
        &["A gi0/2", "DC gi0/1"],
        &["B gi0/2", "DC gi0/2"],
    ];
    for seed in 0..3 {
        let mut lab = Lab::new(seed, &routers, &links);
        let outcome = lab.network.run_until_converged(std::time::Duration::from_secs(900));
        assert!(outcome.converged, "seed {seed}: {outcome:?}");
        let hops = ["R1", "R2"]
            .map(|name| lab.route(name, "100.64.0.0/24").unwrap().next_hops[0].address.unwrap().to_string());
        let stable = [["10.0.13.3", "192.168.0.1"], ["192.168.0.2", "10.0.24.4"]];
        assert!(stable.iter().any(|state| state[..] == hops[..]), "seed {seed}: {hops:?}");
    }
}
