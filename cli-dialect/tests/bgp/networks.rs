//! Whole networks.

use super::*;

/// AS 65001 with R1 and R2 over OSPF, AS 65002 with R3 behind R2.
const R1: &str = "hostname R1
interface Loopback0
 ip address 1.1.1.1 255.255.255.255
interface GigabitEthernet0/0
 ip address 10.0.12.1 255.255.255.0
 no shutdown
router ospf 1
 network 0.0.0.0 255.255.255.255 area 0
router bgp 65001
 network 1.1.1.1 mask 255.255.255.255
 neighbor IBGP peer-group
 neighbor IBGP remote-as 65001
 neighbor IBGP update-source Loopback0
 neighbor 2.2.2.2 peer-group IBGP
";
const R2: &str = "hostname R2
interface Loopback0
 ip address 2.2.2.2 255.255.255.255
interface GigabitEthernet0/0
 ip address 10.0.12.2 255.255.255.0
 no shutdown
interface GigabitEthernet0/1
 ip address 10.0.23.2 255.255.255.0
 no shutdown
router ospf 1
 network 10.0.12.0 0.0.0.255 area 0
 network 2.2.2.2 0.0.0.0 area 0
router bgp 65001
 template peer-policy BORDER
  next-hop-self
 exit-peer-policy
 template peer-session INSIDE
  remote-as 65001
  update-source Loopback0
 exit-peer-session
 neighbor 1.1.1.1 inherit peer-session INSIDE
 neighbor 1.1.1.1 inherit peer-policy BORDER
 neighbor 10.0.23.3 remote-as 65002
 neighbor 10.0.23.3 password s3cret
";
const R3: &str = "hostname R3
interface Loopback0
 ip address 3.3.3.3 255.255.255.255
interface Loopback1
 ip address 172.16.3.1 255.255.255.0
interface GigabitEthernet0/0
 ip address 10.0.23.3 255.255.255.0
 no shutdown
router bgp 65002
 no bgp default ipv4-unicast
 neighbor 10.0.23.2 remote-as 65001
 neighbor 10.0.23.2 password s3cret
 address-family ipv4
  redistribute connected route-map LOOPBACKS
  neighbor 10.0.23.2 activate
 exit-address-family
route-map LOOPBACKS permit 10
 match interface Loopback1
";

pub fn two_ases() -> Lab {
    let routers = [("R1", R1), ("R2", R2), ("R3", R3)];
    Lab::new(3, &routers, &[&["R1 gi0/0", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]])
}

#[test]
fn sessions_by_groups_and_templates_carry_routes_that_pings_follow() {
    let mut lab = two_ases();
    lab.run(120);
    assert!(established(&lab, "R1", "2.2.2.2") && established(&lab, "R3", "10.0.23.2"));
    assert_eq!(as_path(&lab, "R1", "172.16.3.0/24").as_deref(), Some("65002"));
    assert_eq!(route(&lab, "R1", "172.16.3.0/24"), Some((200, vec!["2.2.2.2".to_owned()])));
    assert_eq!(route(&lab, "R3", "1.1.1.1/32"), Some((20, vec!["10.0.23.2".to_owned()])));
    assert!(lab.route("R1", "3.3.3.3/32").is_none(), "the map leaves Loopback0 out");
    assert!(lab.reaches_from("R1", Some("1.1.1.1"), "172.16.3.1"));
}

#[test]
fn no_router_bgp_ends_sessions_and_routes() {
    let mut lab = two_ases();
    lab.run(120);
    lab.configure("R3", "no router bgp 65002");
    lab.run(10);
    assert!(!established(&lab, "R2", "10.0.23.3"));
    assert!(lab.route("R1", "172.16.3.0/24").is_none() && lab.route("R3", "1.1.1.1/32").is_none());
    assert!(lab.network.router(lab.node("R3")).bgp().is_none());
}

#[test]
fn a_wrong_password_keeps_a_session_down() {
    let mut lab = two_ases();
    lab.configure("R3", "router bgp 65002\n neighbor 10.0.23.2 password other");
    lab.run(120);
    assert!(!established(&lab, "R2", "10.0.23.3") && established(&lab, "R2", "1.1.1.1"));
}

#[test]
fn a_vrf_has_its_own_sessions_and_table() {
    let pe = "hostname PE
vrf definition RED
 address-family ipv4
interface GigabitEthernet0/0
 vrf forwarding RED
 ip address 10.0.0.1 255.255.255.0
 no shutdown
router bgp 1
 address-family ipv4 vrf RED
  bgp router-id 9.9.9.9
  redistribute connected
  neighbor 10.0.0.2 remote-as 2
  neighbor 10.0.0.2 activate
 exit-address-family
";
    let ce = "hostname CE
interface GigabitEthernet0/0
 ip address 10.0.0.2 255.255.255.0
 no shutdown
ip route 192.168.0.0 255.255.0.0 Null0
router bgp 2
 network 192.168.0.0 mask 255.255.0.0
 neighbor 10.0.0.1 remote-as 1
";
    let mut lab = Lab::new(1, &[("PE", pe), ("CE", ce)], &[&["PE gi0/0", "CE gi0/0"]]);
    lab.run(60);
    let process = process(&lab, "PE");
    let red = process.instances.values().find(|i| i.name.as_deref() == Some("RED")).unwrap();
    assert!(red.table.get("192.168.0.0/16".parse().unwrap()).unwrap().best_path().is_some());
    assert!(instance(&lab, "PE").table.is_empty());
    assert_eq!(peer(&lab, "CE", "10.0.0.1").session.as_ref().unwrap().router_id.to_string(), "9.9.9.9");
}

#[test]
fn neighbors_of_a_listen_range_need_no_line() {
    let hub = "hostname HUB
interface GigabitEthernet0/0
 ip address 10.0.0.1 255.255.255.0
 no shutdown
router bgp 1
 bgp listen range 10.0.0.0/24 peer-group SPOKES
 neighbor SPOKES peer-group
 neighbor SPOKES remote-as 2 alternate-as 3
 neighbor SPOKES default-originate
";
    let spoke = |asn: u32, last: u32| {
        format!(
            "interface GigabitEthernet0/0\n ip address 10.0.0.{last} 255.255.255.0\n no shutdown\n\
             router bgp {asn}\n neighbor 10.0.0.1 remote-as 1\n"
        )
    };
    let (two, three, four) = (spoke(2, 2), spoke(3, 3), spoke(4, 4));
    let routers = [("HUB", hub), ("R2", &two), ("R3", &three), ("R4", &four)];
    let ends: &[&str] = &["HUB gi0/0", "R2 gi0/0", "R3 gi0/0", "R4 gi0/0"];
    let mut lab = Lab::new(1, &routers, &[ends]);
    lab.run(90);
    let dynamic: Vec<String> = instance(&lab, "HUB")
        .peers
        .values()
        .filter(|p| p.dynamic)
        .map(|p| p.key.address.to_string())
        .collect();
    assert_eq!(dynamic, ["10.0.0.2", "10.0.0.3"], "AS 4 is none of the group's");
    assert_eq!(route(&lab, "R3", "0.0.0.0/0"), Some((20, vec!["10.0.0.1".to_owned()])));
    assert!(!established(&lab, "R4", "10.0.0.1"));
}

#[test]
fn a_confederation_of_two_members_is_one_as_outside() {
    let mut lab = two_ases();
    lab.configure("R1", "no router bgp 65001\nrouter bgp 65011\n bgp confederation identifier 65001\n bgp confederation peers 65012\n network 1.1.1.1 mask 255.255.255.255\n neighbor 2.2.2.2 remote-as 65012\n neighbor 2.2.2.2 ebgp-multihop 2\n neighbor 2.2.2.2 update-source Loopback0");
    lab.configure("R2", "no router bgp 65001\nrouter bgp 65012\n bgp confederation identifier 65001\n bgp confederation peers 65011\n neighbor 1.1.1.1 remote-as 65011\n neighbor 1.1.1.1 ebgp-multihop 2\n neighbor 1.1.1.1 update-source Loopback0\n neighbor 1.1.1.1 next-hop-self\n neighbor 10.0.23.3 remote-as 65002\n neighbor 10.0.23.3 password s3cret");
    lab.run(180);
    assert_eq!(as_path(&lab, "R1", "172.16.3.0/24").as_deref(), Some("(65012) 65002"));
    assert_eq!(as_path(&lab, "R3", "1.1.1.1/32").as_deref(), Some("65001"));
}
