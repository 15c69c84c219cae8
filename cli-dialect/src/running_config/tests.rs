use netconfarena_emu::config::{InterfaceConfig, RouterConfig};

use proptest::prelude::*;

use super::*;
use crate::config::{ConfigMode, Editor};

/// Applies lines to a router with four Ethernet ports and a serial one; returns the tree and the refused lines.
fn load(text: &str) -> (RouterConfig, Vec<String>) {
    let mut config = RouterConfig::default();
    for port in ["GigabitEthernet0/0", "GigabitEthernet0/1", "GigabitEthernet0/2", "Serial0/0/0"] {
        config.interfaces.insert(port.parse().unwrap(), InterfaceConfig::default());
    }
    let report = crate::config::load(&mut config, text);
    let refused = report.refused.into_iter().map(|refused| refused.line).collect();
    (config, refused)
}

const EVERYTHING: &str = "\
service timestamps log datetime msec
hostname R1
vrf definition CUSTOMER
 rd 65000:1
 address-family ipv4
 exit-address-family
ip cef
no ip domain lookup
key chain OSPF-KEYS
 key 1
  key-string secret one
  accept-lifetime 00:00:00 Jan 1 2026 infinite
  send-lifetime 08:30:15 Feb 1 2026 12:00:00 Mar 1 2026
  cryptographic-algorithm hmac-sha-256
 key 2
  key-string second
  send-lifetime 12:00:00 Mar 1 2026 infinite
interface Loopback0
 ip address 1.1.1.1 255.255.255.255
 ip ospf network point-to-point
interface GigabitEthernet0/0
 description to R2
 ip address 10.0.0.1 255.255.255.0
 ip address 10.0.1.1 255.255.255.0 secondary
 ip hello-interval eigrp 100 2
 ip hold-time eigrp 100 6
 ip authentication mode eigrp 100 md5
 ip authentication key-chain eigrp 100 OSPF-KEYS
 ip bandwidth-percent eigrp 100 20
 ip summary-address eigrp 100 10.8.0.0 255.255.0.0 90 leak-map RM
 no ip split-horizon eigrp 200
 no ip next-hop-self eigrp 100
 ip ospf authentication message-digest
 ip ospf message-digest-key 5 md5 s3cret
 ip ospf hello-interval 5
 ip ospf dead-interval 20
 ip ospf priority 0
 ip ospf cost 77
 ip ospf 1 area 0.0.0.7
 duplex auto
interface GigabitEthernet0/1
 vrf forwarding CUSTOMER
 ip address 10.0.2.1 255.255.255.0
 ip access-group WEB in
 ip access-group 101 out
interface GigabitEthernet0/1.100
 encapsulation dot1Q 100
 ip address 10.0.3.1 255.255.255.0
interface Serial0/0/0
 bandwidth 64
 ip unnumbered Loopback0
router eigrp 100
 variance 2
 traffic-share min across-interfaces
 maximum-paths 6
 timers active-time disabled
 metric maximum-hops 50
 offset-list 5 in 100 GigabitEthernet0/0
 offset-list 0 out 7
 distribute-list prefix PL in GigabitEthernet0/1
 distribute-list 7 out static
 distribute-list WEB out Serial0/0/0
 distribute-list route-map RM in
 default-metric 1000 100 255 1 1500
 network 10.0.0.0
 network 10.1.0.0 0.0.255.255
 network 172.16.1.0 0.0.0.255
 network 0.0.0.0
 redistribute connected
 redistribute static metric 1 2 3 4 5 route-map RM
 redistribute ospf 1 metric 10000 100 255 1 1500 match internal external 2
 passive-interface default
 no passive-interface GigabitEthernet0/0
 neighbor 10.0.0.9 GigabitEthernet0/0
 distance eigrp 95 175
 distance 100 10.0.0.9 0.0.0.0 5
 metric weights 0 1 1 1 0 0
 eigrp router-id 1.1.1.1
 eigrp stub connected leak-map RM
 no eigrp log-neighbor-changes
 auto-summary
 address-family ipv4 vrf CUSTOMER
  autonomous-system 7
  network 10.0.2.0 0.0.0.255
  eigrp stub connected summary
 exit-address-family
router eigrp LAB
 address-family ipv4 unicast autonomous-system 300
  af-interface default
   passive-interface
   hello-interval 3
  exit-af-interface
  af-interface GigabitEthernet0/0
   no passive-interface
   no split-horizon
   authentication mode hmac-sha-256 s3cret
   authentication key-chain OSPF-KEYS
   summary-address 10.0.0.0 255.0.0.0 leak-map RM
   bandwidth-percent 33
   hold-time 9
   shutdown
  exit-af-interface
  topology base
   redistribute eigrp 100
   summary-metric 10.0.0.0 255.0.0.0 1000 1 255 1 1500
   summary-metric 10.0.0.0 255.0.0.0 distance 33
   variance 3
  exit-af-topology
  network 192.168.1.0
  eigrp router-id 3.3.3.3
  metric rib-scale 64
  metric weights 0 1 0 1 0 0 1
 exit-address-family
 address-family ipv4 unicast vrf CUSTOMER autonomous-system 301
  network 10.0.2.0 0.0.0.255
  shutdown
router ospf 1
 router-id 1.1.1.1
 max-metric router-lsa external-lsa 12345 summary-lsa include-stub on-startup 600
 auto-cost reference-bandwidth 10000
 area 1 stub no-summary
 area 1 default-cost 5
 area 2 nssa default-information-originate metric 7 metric-type 1 no-summary translate type7 suppress-fa
 area 2 range 10.2.0.0 255.255.0.0 not-advertise
 area 3 virtual-link 3.3.3.3
 area 3 virtual-link 3.3.3.3 hello-interval 5
 area 3 virtual-link 3.3.3.3 authentication-key pw
 area 3 filter-list prefix PL in
 summary-address 172.16.0.0 255.255.0.0 tag 5
 timers throttle spf 10 100 1000
 redistribute static metric 30 metric-type 1 subnets tag 9 route-map RM
 redistribute ospf 2 match internal external 2
 passive-interface default
 no passive-interface GigabitEthernet0/0
 network 10.0.0.0 0.0.0.255 area 0
 neighbor 10.0.0.9 priority 3
 default-information originate always metric 5
 maximum-paths 8
 distance ospf external 200
 distance 90 5.5.5.5 0.0.0.0
 distribute-list prefix PL in
 distribute-list 10 out static
router ospf 2 vrf CUSTOMER
router bgp 65001
 template peer-policy PP
  send-community both
  next-hop-self all
  route-map RM in
  inherit peer-policy BASE 10
 exit-peer-policy
 template peer-session PS
  remote-as 65002
  update-source Loopback0
  timers 10 30
  inherit peer-session BASE
 exit-peer-session
 bgp router-id 1.1.1.1
 bgp always-compare-med
 no bgp client-to-client reflection
 bgp cluster-id 9.9.9.9
 bgp log-neighbor-changes
 bgp confederation identifier 100
 bgp confederation peers 65002 65003
 bgp deterministic-med
 bgp listen limit 20
 bgp listen range 10.9.0.0/16 peer-group DYN
 no bgp default ipv4-unicast
 bgp default local-preference 200
 bgp maxas-limit 50
 bgp bestpath as-path multipath-relax
 bgp bestpath med missing-as-worst
 timers bgp 20 60 9
 neighbor DYN peer-group
 neighbor DYN remote-as 65010 alternate-as 65011
 neighbor PG peer-group
 neighbor PG remote-as 65001
 neighbor PG update-source Loopback0
 neighbor 10.0.0.2 remote-as 2
 neighbor 10.0.0.2 local-as 70000 no-prepend replace-as
 neighbor 10.0.0.2 description the other one
 neighbor 10.0.0.2 shutdown
 neighbor 10.0.0.2 password 7 02050D480809
 neighbor 10.0.0.2 ttl-security hops 2
 neighbor 10.0.0.2 disable-connected-check
 neighbor 10.0.0.2 transport connection-mode passive
 neighbor 10.0.0.2 fall-over route-map RM
 neighbor 10.0.0.3 inherit peer-session PS
 neighbor 10.0.0.3 ebgp-multihop 3
 neighbor 10.0.0.4 peer-group PG
 address-family ipv4
  bgp nexthop trigger delay 1
  bgp suppress-inactive
  network 10.0.0.0
  network 10.1.0.0 mask 255.255.0.0 route-map RM backdoor
  aggregate-address 10.8.0.0 255.248.0.0 as-set summary-only suppress-map S advertise-map A attribute-map T
  redistribute connected metric 5 route-map RM
  redistribute ospf 1 match internal external 2
  neighbor DYN activate
  neighbor PG next-hop-self
  neighbor 10.0.0.2 activate
  neighbor 10.0.0.2 send-community
  neighbor 10.0.0.2 advertisement-interval 1
  neighbor 10.0.0.2 route-reflector-client
  neighbor 10.0.0.2 next-hop-unchanged
  neighbor 10.0.0.2 default-originate route-map RM
  neighbor 10.0.0.2 remove-private-as all replace-as
  neighbor 10.0.0.2 soft-reconfiguration inbound
  neighbor 10.0.0.2 weight 7
  neighbor 10.0.0.2 capability orf prefix-list both
  neighbor 10.0.0.2 distribute-list 10 in
  neighbor 10.0.0.2 prefix-list PL out
  neighbor 10.0.0.2 route-map RM out
  neighbor 10.0.0.2 filter-list 3 in
  neighbor 10.0.0.2 unsuppress-map RM
  neighbor 10.0.0.2 advertise-map A non-exist-map N
  neighbor 10.0.0.2 allowas-in 2
  neighbor 10.0.0.2 as-override
  neighbor 10.0.0.2 maximum-prefix 100 80 restart 5
  neighbor 10.0.0.3 inherit peer-policy PP
  maximum-paths 4
  maximum-paths ibgp 2
  default-information originate
  distance bgp 30 180 190
  distance 90 5.5.5.5 0.0.0.0 10
  table-map RM filter
  auto-summary
 exit-address-family
 address-family ipv4 vrf CUSTOMER
  redistribute static
  neighbor 10.0.2.9 remote-as 9
  neighbor 10.0.2.9 activate
ip route 0.0.0.0 0.0.0.0 10.0.0.2 200 name backup
ip route vrf CUSTOMER 9.9.9.0 255.255.255.0 GigabitEthernet0/1 10.0.2.9 tag 4
ip route 8.8.8.8 255.255.255.255 Null0 permanent
ip access-list standard ADMIN
 remark management
 permit 10.9.0.0 0.0.255.255 log
ip access-list extended WEB
 permit tcp any host 10.0.0.80 eq www 443
 15 deny   icmp any any echo
 permit ip any any time-range OFFICE
ip bgp-community new-format
ip community-list 5 permit 65000:1 no-export
ip community-list expanded MANY deny _65000:[0-9]+_
ip as-path access-list 2 permit ^65001(_65002)*$
ip prefix-list PL description everything but one
ip prefix-list PL seq 5 deny 10.1.0.0/16
ip prefix-list PL seq 7 permit 0.0.0.0/0 ge 8 le 24
route-map RM deny 5
 description first
 match ip address prefix-list PL
 match tag 7 8
route-map RM permit 10
 match as-path 2
 match community MANY exact-match
 match ip address 1 101
 match metric 20 +- 5
 match route-type external type-1
 set metric +5
 set metric-type type-1
 set tag 100
 set ip next-hop 10.0.0.9
 set local-preference 150
 set weight 7
 set as-path prepend 65001 65001
 set origin incomplete
 set comm-list MANY delete
 set community 65000:2 additive
 continue 20
time-range OFFICE
 periodic weekdays 8:00 to 17:30
access-list 1 permit 10.0.0.0 0.255.255.255
access-list 101 remark last
access-list 101 deny   tcp any any range 1 telnet log
access-list 101 permit ip any any
control-plane
line con 0
 logging synchronous
line vty 0 4
 login local
end
";

#[test]
fn every_line_is_taken_and_the_text_reads_back_as_the_same_tree() {
    let (config, refused) = load(EVERYTHING);
    assert_eq!(refused, Vec::<String>::new());
    let text = render(&config);
    let (again, refused) = load(&text);
    assert_eq!(refused, Vec::<String>::new());
    assert_eq!(again, config, "{text}");
    assert_eq!(render(&again), text);
}

#[test]
fn every_line_given_is_shown() {
    let (config, _) = load(EVERYTHING);
    let text = render(&config);
    for line in EVERYTHING.lines() {
        assert!(text.lines().any(|shown| shown.trim() == line.trim()), "{line} is missing in\n{text}");
    }
}

#[test]
fn every_line_can_be_negated() {
    let (config, _) = load(EVERYTHING);
    for line in [
        "no router ospf 1",
        "no router eigrp 100",
        "no router eigrp LAB",
        "no vrf definition CUSTOMER",
        "no key chain OSPF-KEYS",
        "no interface Loopback0",
    ] {
        let mut config = config.clone();
        let mut mode = ConfigMode::default();
        let mut editor = Editor::new(&mut config, &mut mode);
        editor.apply(line).unwrap();
        let gone = line.trim_start_matches("no ");
        assert!(!render(&config).lines().any(|shown| shown == gone), "{line}");
    }
}

#[test]
fn the_header_counts_the_octets() {
    let (config, _) = load("hostname R9");
    let text = show(&config);
    let body = text.split_once("bytes\n").unwrap().1;
    assert!(text.contains(&format!("Current configuration : {} bytes", body.len())));
    assert!(text.ends_with("\nend\n"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// What any lines make reads back from its text as the same tree, every line of the text taken.
    #[test]
    fn every_configuration_reads_back_from_its_text(lines in random_lines::text()) {
        let (config, _) = load(&lines);
        let text = render(&config);
        let (again, refused) = load(&text);
        prop_assert_eq!(refused, Vec::<String>::new(), "{}", text);
        prop_assert_eq!(&again, &config, "{}", text);
        prop_assert_eq!(render(&again), text);
    }
}
