//! What single lines bring about.

use super::*;

/// R1 of AS 1 and R2 of AS 2 on one cable.
fn pair(first: &str, second: &str) -> Lab {
    let router = |number: u32, lines: &str| {
        format!(
            "hostname R{number}\ninterface GigabitEthernet0/0\n ip address 10.0.0.{number} 255.255.255.0\n no shutdown\n\
             ip route 172.16.{number}.0 255.255.255.0 Null0\nrouter bgp {number}\n \
             network 172.16.{number}.0 mask 255.255.255.0\n neighbor 10.0.0.{other} remote-as {other}\n{lines}",
            other = 3 - number
        )
    };
    let (first, second) = (router(1, first), router(2, second));
    Lab::new(5, &[("R1", &first), ("R2", &second)], &[&["R1 gi0/0", "R2 gi0/0"]])
}

#[test]
fn suppress_inactive_withholds_what_the_routing_table_does_not_use() {
    let r3 = "interface GigabitEthernet0/0\n ip address 10.0.9.3 255.255.255.0\n no shutdown\nrouter bgp 3\n neighbor 10.0.9.2 remote-as 2\n";
    let r1 = "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n no shutdown\nip route 172.16.1.0 255.255.255.0 Null0\nrouter bgp 1\n network 172.16.1.0 mask 255.255.255.0\n neighbor 10.0.0.2 remote-as 2\n";
    let r2 = "interface GigabitEthernet0/0\n ip address 10.0.0.2 255.255.255.0\n no shutdown\ninterface GigabitEthernet0/1\n ip address 10.0.9.2 255.255.255.0\n no shutdown\nip route 172.16.1.0 255.255.255.0 Null0\nrouter bgp 2\n neighbor 10.0.0.1 remote-as 1\n neighbor 10.0.9.3 remote-as 3\n";
    let links: &[&[&str]] = &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]];
    let mut lab = Lab::new(5, &[("R1", r1), ("R2", r2), ("R3", r3)], links);
    lab.run(60);
    assert!(destination(&lab, "R2", "172.16.1.0/24").unwrap().inactive);
    assert_eq!(as_path(&lab, "R3", "172.16.1.0/24").as_deref(), Some("2 1"));
    lab.configure("R2", "router bgp 2\n bgp suppress-inactive");
    lab.run(120);
    assert_eq!(as_path(&lab, "R3", "172.16.1.0/24"), None);
    lab.configure("R2", "no ip route 172.16.1.0 255.255.255.0 Null0");
    lab.run(60);
    assert!(!destination(&lab, "R2", "172.16.1.0/24").unwrap().inactive);
    assert_eq!(as_path(&lab, "R3", "172.16.1.0/24").as_deref(), Some("2 1"));
}

#[test]
fn synchronization_waits_for_another_protocol() {
    let r1 = "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n no shutdown\nip route 172.16.1.0 255.255.255.0 Null0\nrouter bgp 1\n network 172.16.1.0 mask 255.255.255.0\n neighbor 10.0.0.2 remote-as 1\n";
    let r2 = "interface GigabitEthernet0/0\n ip address 10.0.0.2 255.255.255.0\n no shutdown\nrouter bgp 1\n synchronization\n neighbor 10.0.0.1 remote-as 1\n";
    let mut lab = Lab::new(5, &[("R1", r1), ("R2", r2)], &[&["R1 gi0/0", "R2 gi0/0"]]);
    lab.run(60);
    assert!(best(&lab, "R2", "172.16.1.0/24").is_none());
    lab.configure("R2", "ip route 172.16.1.0 255.255.255.0 10.0.0.1 250");
    lab.run(5);
    assert!(best(&lab, "R2", "172.16.1.0/24").is_some());
    lab.configure(
        "R2",
        "no ip route 172.16.1.0 255.255.255.0 10.0.0.1 250\nrouter bgp 1\n no synchronization",
    );
    lab.run(5);
    assert_eq!(route(&lab, "R2", "172.16.1.0/24"), Some((200, vec!["10.0.0.1".to_owned()])));
}

#[test]
fn fall_over_ends_the_session_with_the_route_that_its_map_permits() {
    let lines = "interface Loopback0\n ip address 1.1.1.1 255.255.255.255\nip route 2.2.2.2 255.255.255.255 10.0.0.2\nip route 0.0.0.0 0.0.0.0 10.0.0.2\n\
                 ip prefix-list HOSTS permit 0.0.0.0/0 ge 32\nroute-map HOSTS permit 10\n match ip address prefix-list HOSTS\n\
                 router bgp 1\n neighbor 2.2.2.2 remote-as 2\n neighbor 2.2.2.2 update-source Loopback0\n neighbor 2.2.2.2 ebgp-multihop 3\n \
                 neighbor 2.2.2.2 fall-over route-map HOSTS\n";
    let others = "interface Loopback0\n ip address 2.2.2.2 255.255.255.255\nip route 1.1.1.1 255.255.255.255 10.0.0.1\n\
                  router bgp 2\n neighbor 1.1.1.1 remote-as 1\n neighbor 1.1.1.1 update-source Loopback0\n neighbor 1.1.1.1 ebgp-multihop 3\n";
    let mut lab = pair(lines, others);
    lab.run(60);
    assert!(established(&lab, "R1", "2.2.2.2"));
    lab.configure("R1", "no ip route 2.2.2.2 255.255.255.255 10.0.0.2");
    lab.run(2);
    assert!(!established(&lab, "R1", "2.2.2.2"), "the default route is none that the map permits");
}

#[test]
fn lines_of_the_process_do_not_belong_into_the_address_family() {
    let mut lab = pair("", "");
    let node = lab.node("R1");
    let lines = "router bgp 1\naddress-family ipv4\nbgp router-id 1.1.1.1\nneighbor 10.0.0.2 shutdown";
    let applied = netconfarena_cli_dialect::session::apply_lines(&mut lab.network, node, lines);
    assert_eq!(applied.rejected.len(), 2);
    let text = "% General session commands not allowed under the address family";
    assert_eq!(applied.transcript.matches(text).count(), 2, "{}", applied.transcript);
}

#[test]
fn a_new_outbound_policy_works_by_itself_and_an_inbound_one_by_clear() {
    let mut lab = pair("", "");
    lab.run(60);
    lab.configure("R2", "route-map NONE deny 10\nrouter bgp 2\n neighbor 10.0.0.1 route-map NONE in");
    lab.run(300);
    assert!(best(&lab, "R2", "172.16.1.0/24").is_some());
    lab.configure("R2", "router bgp 2\n neighbor 10.0.0.1 route-map NONE out");
    lab.run(120);
    assert!(best(&lab, "R1", "172.16.2.0/24").is_none());
    assert!(established(&lab, "R1", "10.0.0.2"));
}

#[test]
fn synchronization_by_ospf_wants_one_router_id_for_both_protocols() {
    let r1 = |id: &str| {
        format!(
            "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\nip route 172.16.1.0 255.255.255.0 Null0\n\
             router ospf 1\n router-id 1.1.1.1\n network 10.0.0.0 0.0.0.255 area 0\n redistribute static subnets\n\
             router bgp 1\n bgp router-id {id}\n network 172.16.1.0 mask 255.255.255.0\n neighbor 10.0.0.2 remote-as 1\n"
        )
    };
    let r2 = "interface GigabitEthernet0/0\n ip address 10.0.0.2 255.255.255.0\n\
              router ospf 1\n network 10.0.0.0 0.0.0.255 area 0\n\
              router bgp 1\n synchronization\n neighbor 10.0.0.1 remote-as 1\n";
    for (id, used) in [("1.1.1.1", true), ("9.9.9.9", false)] {
        let mut lab = Lab::new(3, &[("R1", &r1(id)), ("R2", r2)], &[&["R1 gi0/0", "R2 gi0/0"]]);
        lab.run(120);
        assert!(lab.route("R2", "172.16.1.0/24").is_some(), "by OSPF");
        assert_eq!(best(&lab, "R2", "172.16.1.0/24").is_some(), used, "{id}");
    }
}

#[test]
fn another_cluster_id_resets_internal_peers_and_is_told_to_all() {
    let own = |number: u8| {
        format!(
            "interface GigabitEthernet0/0\n ip address 10.0.0.{number} 255.255.255.0\nrouter bgp 1\n bgp router-id {number}.{number}.{number}.{number}\n"
        )
    };
    let r1 = own(1)
        + " neighbor 10.0.0.2 remote-as 1\n neighbor 10.0.0.2 route-reflector-client\n neighbor 10.0.0.3 remote-as 1\n";
    let r2 = format!(
        "ip route 172.16.2.0 255.255.255.0 Null0\n{} network 172.16.2.0 mask 255.255.255.0\n neighbor 10.0.0.1 remote-as 1\n",
        own(2)
    );
    let r3 = own(3) + " neighbor 10.0.0.1 remote-as 1\n";
    let mut lab =
        Lab::new(3, &[("R1", &r1), ("R2", &r2), ("R3", &r3)], &[&["R1 gi0/0", "R2 gi0/0", "R3 gi0/0"]]);
    lab.run(120);
    let clusters = |lab: &Lab| {
        let path = best(lab, "R3", "172.16.2.0/24").unwrap();
        path.attributes.cluster_list.iter().map(|id| id.0.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(clusters(&lab), ["1.1.1.1"]);
    lab.configure("R1", "router bgp 1\n bgp cluster-id 77");
    lab.run(1);
    assert!(!established(&lab, "R1", "10.0.0.2"));
    lab.run(120);
    assert_eq!(clusters(&lab), ["0.0.0.77"]);
}
