//! `bgp inject-map`.

use netconfarena_cli_dialect::session::execute_read_only;

use super::*;

/// R1 of AS 1 tells 172.16.0.0/16; R2 of AS 2 takes 172.16.4.0/24 out of it, with `options`; R3 of AS 3 is behind R2.
fn row(options: &str) -> Lab {
    let r1 = "hostname R1\ninterface GigabitEthernet0/1\n ip address 10.1.2.1 255.255.255.0\n no shutdown\n\
              ip route 172.16.0.0 255.255.0.0 Null0\nrouter bgp 1\n network 172.16.0.0\n neighbor 10.1.2.2 remote-as 2\n";
    let r2 = format!(
        "hostname R2\ninterface GigabitEthernet0/0\n ip address 10.1.2.2 255.255.255.0\n no shutdown\n\
         interface GigabitEthernet0/1\n ip address 10.2.3.2 255.255.255.0\n no shutdown\n\
         router bgp 2\n neighbor 10.1.2.1 remote-as 1\n neighbor 10.2.3.3 remote-as 3\n neighbor 10.2.3.3 send-community\n \
         bgp inject-map INJECT exist-map EXIST{options}\n!\n\
         ip prefix-list WHOLE permit 172.16.0.0/16\nip prefix-list TELLER permit 10.1.2.1/32\nip prefix-list PART permit 172.16.4.0/24\n\
         ip prefix-list PART permit 192.168.0.0/24\n\
         route-map EXIST permit 10\n match ip address prefix-list WHOLE\n match ip route-source prefix-list TELLER\n!\n\
         route-map INJECT permit 10\n set ip address prefix-list PART\n set community 2:4\n"
    );
    let r3 = "hostname R3\ninterface GigabitEthernet0/0\n ip address 10.2.3.3 255.255.255.0\n no shutdown\n\
              router bgp 3\n neighbor 10.2.3.2 remote-as 2\n";
    let links: &[&[&str]] = &[&["R1 gi0/1", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"]];
    let mut lab = Lab::new(5, &[("R1", r1), ("R2", &r2), ("R3", r3)], links);
    lab.run(180);
    lab
}

const PART: &str = "172.16.4.0/24";

#[test]
fn a_part_of_a_route_is_injected_while_its_condition_holds() {
    let mut lab = row("");
    assert_eq!(route(&lab, "R2", PART), Some((20, vec!["10.1.2.1".to_owned()])));
    assert_eq!(as_path(&lab, "R3", PART).as_deref(), Some("2"));
    assert_eq!(best(&lab, "R3", PART).unwrap().attributes.communities.len(), 1);
    assert!(destination(&lab, "R1", PART).is_none(), "not back to where it comes from");
    assert!(destination(&lab, "R2", "192.168.0.0/24").is_none(), "no part of the route");
    let node = lab.node("R2");
    let text = execute_read_only(&mut lab.network, node, "show ip bgp injected-paths").unwrap();
    assert!(text.contains("172.16.4.0/24    10.1.2.1 ") && !text.contains("172.16.0.0"), "{text}");
    let text = execute_read_only(&mut lab.network, node, "show ip bgp 172.16.4.0").unwrap();
    assert!(
        text.contains("  Local, (injected path from 172.16.0.0/16)\n    10.1.2.1 from 10.1.2.1"),
        "{text}"
    );
    lab.configure("R1", "router bgp 1\n no network 172.16.0.0");
    lab.run(180);
    assert!(destination(&lab, "R2", PART).is_none() && destination(&lab, "R3", PART).is_none());
    lab.configure("R1", "router bgp 1\n network 172.16.0.0");
    lab.run(180);
    assert_eq!(as_path(&lab, "R3", PART).as_deref(), Some("2"));
    lab.configure("R2", "router bgp 2\n no bgp inject-map INJECT");
    lab.run(60);
    assert!(destination(&lab, "R2", PART).is_none());
}

#[test]
fn copy_attributes_takes_the_path_of_the_whole() {
    let lab = row(" copy-attributes");
    assert_eq!(as_path(&lab, "R3", PART).as_deref(), Some("2 1"));
}

#[test]
fn another_teller_does_not_fulfil_the_condition() {
    let mut lab = row("");
    lab.configure("R2", "no ip prefix-list TELLER\nip prefix-list TELLER permit 10.1.2.9/32");
    lab.run(120);
    assert!(destination(&lab, "R2", PART).is_none());
}
