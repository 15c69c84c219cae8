//! Which routes go on to whom: reflection, well-known communities, next hops, filters of the address family, other protocols.

use super::*;

/// RR with the clients R2, R3, R4 of AS 1, each with 172.16.N.0/24; `rr` are lines of its `router bgp`.
fn star(rr: &str) -> Lab {
    let mut texts = vec!["hostname RR\n".to_owned()];
    for number in 2..=4 {
        texts[0] += &format!(
            "interface GigabitEthernet0/{}\n ip address 10.0.{number}.1 255.255.255.0\n no shutdown\n",
            number - 2
        );
        texts.push(format!(
            "hostname R{number}\ninterface GigabitEthernet0/0\n ip address 10.0.{number}.{number} 255.255.255.0\n no shutdown\n\
             ip route 10.0.0.0 255.0.0.0 10.0.{number}.1\nip route 172.16.{number}.0 255.255.255.0 Null0\n\
             router bgp 1\n bgp router-id {number}.{number}.{number}.{number}\n network 172.16.{number}.0 mask 255.255.255.0\n \
             neighbor 10.0.{number}.1 remote-as 1\n"
        ));
    }
    texts[0] += "router bgp 1\n bgp router-id 1.1.1.1\n neighbor 10.0.2.2 remote-as 1\n neighbor 10.0.3.3 remote-as 1\n neighbor 10.0.4.4 remote-as 1\n";
    texts[0] += rr;
    let names = ["RR", "R2", "R3", "R4"];
    let routers: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let links: &[&[&str]] =
        &[&["RR gi0/0", "R2 gi0/0"], &["RR gi0/1", "R3 gi0/0"], &["RR gi0/2", "R4 gi0/0"]];
    let mut lab = Lab::new(5, &routers, links);
    lab.run(60);
    lab
}

/// Of R2, R3, R4: which of the others' networks each knows.
fn known(lab: &Lab) -> [Vec<u32>; 3] {
    [2, 3, 4].map(|own| {
        let others = (2..=4).filter(|&other| other != own);
        others
            .filter(|other| best(lab, &format!("R{own}"), &format!("172.16.{other}.0/24")).is_some())
            .collect()
    })
}

const CLIENTS: &str =
    " neighbor 10.0.2.2 route-reflector-client\n neighbor 10.0.3.3 route-reflector-client\n";

#[test]
fn rfc4456_6_clients_hear_all_and_others_hear_clients() {
    assert!(known(&star("")).iter().all(Vec::is_empty));
    assert_eq!(known(&star(CLIENTS)), [vec![3, 4], vec![2, 4], vec![2, 3]]);
    let one = " neighbor 10.0.2.2 route-reflector-client\n";
    assert_eq!(known(&star(one)), [vec![3, 4], vec![2], vec![2]]);
}

#[test]
fn without_client_to_client_reflection_clients_do_not_hear_each_other() {
    let lab = star(&format!("{CLIENTS} no bgp client-to-client reflection\n"));
    assert_eq!(known(&lab), [vec![4], vec![4], vec![2, 3]]);
}

#[test]
fn rfc4456_8_what_has_been_in_the_cluster_and_what_we_have_begun_is_not_taken() {
    // R2 is of RR's cluster, as a second reflector of it.
    let mut lab = star(&format!("{CLIENTS} bgp cluster-id 9.9.9.9\n"));
    lab.configure("R2", "router bgp 1\n bgp cluster-id 9.9.9.9");
    lab.run(60);
    let denied =
        |lab: &Lab, router: &str, address: &str, why| peer(lab, router, address).routes_in.denied(why);
    assert!(best(&lab, "R2", "172.16.3.0/24").is_none());
    assert!(denied(&lab, "R2", "10.0.2.1", netconfarena_emu::bgp::Denial::ClusterLoop) > 0);
    // R4 looks like the originator of what R3 tells.
    lab.configure("R4", "router bgp 1\n bgp router-id 3.3.3.3");
    lab.run(60);
    assert!(best(&lab, "R4", "172.16.3.0/24").is_none());
    assert!(denied(&lab, "R4", "10.0.4.1", netconfarena_emu::bgp::Denial::OriginatorLoop) > 0);
}

/// R1 (AS 1), R2 and R3 (AS 2), R4 (AS 4) in a row, next hops made good; R1 tells 172.16.1.0/24 by the map SET.
fn row(lines: [&str; 4]) -> Lab {
    let asn = [1, 2, 2, 4];
    let mut texts = Vec::new();
    for at in 0..4_usize {
        let number = at + 1;
        let (mut ports, mut peers) = (String::new(), String::new());
        for (port, other) in [(0, number.wrapping_sub(1)), (1, number + 1)] {
            if !(1..=4).contains(&other) {
                continue;
            }
            let (low, high) = (number.min(other), number.max(other));
            ports += &format!(
                "interface GigabitEthernet0/{port}\n ip address 10.{low}.{high}.{number} 255.255.255.0\n no shutdown\n"
            );
            let neighbor = format!(" neighbor 10.{low}.{high}.{other}");
            peers += &format!("{neighbor} remote-as {}\n{neighbor} send-community\n", asn[other - 1]);
            if asn[other - 1] == asn[at] {
                peers += &format!("{neighbor} next-hop-self\n");
            }
        }
        let source = match number {
            1 => "ip route 172.16.1.0 255.255.255.0 Null0\nroute-map SET permit 10\n",
            _ => "",
        };
        let network = if number == 1 { " network 172.16.1.0 mask 255.255.255.0 route-map SET\n" } else { "" };
        texts.push(format!(
            "hostname R{number}\n{ports}{source}router bgp {}\n bgp router-id {number}.{number}.{number}.{number}\n{network}{peers}{}",
            asn[at], lines[at]
        ));
    }
    let names = ["R1", "R2", "R3", "R4"];
    let routers: Vec<(&str, &str)> = names.into_iter().zip(texts.iter().map(String::as_str)).collect();
    let links: &[&[&str]] =
        &[&["R1 gi0/1", "R2 gi0/0"], &["R2 gi0/1", "R3 gi0/0"], &["R3 gi0/1", "R4 gi0/0"]];
    let mut lab = Lab::new(5, &routers, links);
    lab.run(200);
    lab
}

/// Which of R2, R3, R4 know the route.
fn reach(lab: &Lab) -> [bool; 3] {
    ["R2", "R3", "R4"].map(|router| best(lab, router, "172.16.1.0/24").is_some())
}

#[test]
fn rfc1997_well_known_communities_stop_a_route_where_they_say() {
    for (community, expected) in [
        ("7", [true, true, true]),
        ("internet", [true, true, true]),
        ("no-export", [true, true, false]),
        ("local-AS", [true, true, false]),
        ("no-advertise", [true, false, false]),
    ] {
        let map =
            format!(" neighbor 10.1.2.1 route-map C in\nroute-map C permit 10\n set community {community}\n");
        assert_eq!(reach(&row(["", &map, "", ""])), expected, "{community}");
    }
}

#[test]
fn next_hop_unchanged_keeps_the_next_hop_also_towards_another_as() {
    let far = " neighbor 10.3.4.4 ebgp-multihop 2\n neighbor 10.3.4.4 next-hop-unchanged\n";
    let hop = |lines| {
        let lab = row([
            "",
            "",
            lines,
            " neighbor 10.3.4.3 ebgp-multihop 2\nip route 10.0.0.0 255.0.0.0 10.3.4.3\n",
        ]);
        best(&lab, "R4", "172.16.1.0/24").unwrap().attributes.next_hop.to_string()
    };
    assert_eq!((hop(""), hop(far)), ("10.3.4.3".to_owned(), "10.2.3.2".to_owned()));
}

#[test]
fn disable_connected_check_lets_neighbors_by_loopbacks_come_up_without_multihop() {
    let router = |number: u32, option: &str| {
        let other = 3 - number;
        format!(
            "hostname R{number}\ninterface GigabitEthernet0/0\n ip address 10.0.0.{number} 255.255.255.0\n no shutdown\n\
             interface Loopback0\n ip address {number}.{number}.{number}.{number} 255.255.255.255\n\
             ip route {other}.{other}.{other}.{other} 255.255.255.255 10.0.0.{other}\nrouter bgp {number}\n \
             neighbor {other}.{other}.{other}.{other} remote-as {other}\n neighbor {other}.{other}.{other}.{other} update-source Loopback0\n{option}"
        )
    };
    let up = |wanted: bool| {
        let option = |other: u32| {
            if wanted {
                format!(" neighbor {other}.{other}.{other}.{other} disable-connected-check\n")
            } else {
                String::new()
            }
        };
        let (r1, r2) = (router(1, &option(2)), router(2, &option(1)));
        let mut lab = Lab::new(5, &[("R1", &r1), ("R2", &r2)], &[&["R1 gi0/0", "R2 gi0/0"]]);
        lab.run(90);
        established(&lab, "R1", "2.2.2.2")
    };
    assert_eq!((up(false), up(true)), (false, true));
}

#[test]
fn distribute_lists_of_the_address_family_filter_all_neighbors() {
    let list = "access-list 7 deny 172.16.1.0 0.0.0.255\naccess-list 7 permit any\n";
    assert_eq!(reach(&row(["", "", "", ""])), [true, true, true]);
    assert_eq!(reach(&row(["", &format!(" distribute-list 7 in\n{list}"), "", ""])), [false, false, false]);
    assert_eq!(reach(&row(["", &format!(" distribute-list 7 out\n{list}"), "", ""])), [true, false, false]);
    let gateway = "ip prefix-list NOT-R1 deny 10.1.2.1/32\nip prefix-list NOT-R1 permit 0.0.0.0/0 le 32\n";
    assert_eq!(
        reach(&row(["", &format!(" distribute-list gateway NOT-R1 in\n{gateway}"), "", ""])),
        [false, false, false]
    );
}

#[test]
fn routes_of_internal_peers_reach_other_protocols_only_with_redistribute_internal() {
    // R3 redistributes into OSPF towards R4, and into EIGRP and RIP as well.
    let told = |option: &str| {
        let r3 = format!(
            "{option}router ospf 1\n network 10.3.4.0 0.0.0.255 area 0\n redistribute bgp 2 subnets\n\
             router rip\n version 2\n network 10.0.0.0\n redistribute bgp 2 metric 3\n no auto-summary\n\
             router eigrp 9\n network 10.3.4.0 0.0.0.255\n redistribute bgp 2 metric 1 1 1 1 1500\n"
        );
        let protocols = [
            "router ospf 1\n network 10.3.4.0 0.0.0.255 area 0\n",
            "router rip\n version 2\n network 10.0.0.0\n no auto-summary\n",
            "router eigrp 9\n network 10.3.4.0 0.0.0.255\n",
        ];
        protocols.map(|protocol| {
            let lab = row(["", "", &r3, &format!(" no neighbor 10.3.4.3\n{protocol}")]);
            lab.route("R4", "172.16.1.0/24").is_some()
        })
    };
    assert_eq!(told(""), [false, false, false], "OSPF, RIP, EIGRP");
    assert_eq!(told(" bgp redistribute-internal\n"), [true, true, true], "OSPF, RIP, EIGRP");
}
