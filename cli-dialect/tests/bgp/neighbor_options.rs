//! What single lines about neighbors bring about.

use super::*;

/// Routers in a row, R1 of AS 1 and so on: each tells 172.16.N.0/24, `lines` are added to their `router bgp` sections.
fn row(lines: &[&str]) -> Lab {
    let count = lines.len();
    let names: Vec<String> = (1..=count).map(|number| format!("R{number}")).collect();
    let text = |number: usize| {
        let mut text = format!("hostname R{number}\nip route 172.16.{number}.0 255.255.255.0 Null0\n");
        let mut bgp = format!(
            "router bgp {number}\n bgp router-id {number}.{number}.{number}.{number}\n network 172.16.{number}.0 mask 255.255.255.0\n"
        );
        for (port, other) in [(0, number - 1), (1, number + 1)] {
            if other == 0 || other > count {
                continue;
            }
            let (low, high) = (number.min(other), number.max(other));
            text += &format!(
                "interface GigabitEthernet0/{port}\n ip address 10.{low}.{high}.{number} 255.255.255.0\n no shutdown\n"
            );
            bgp += &format!(" neighbor 10.{low}.{high}.{other} remote-as {other}\n");
        }
        text + &bgp + lines[number - 1]
    };
    let texts: Vec<String> = (1..=count).map(text).collect();
    let routers: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let cables: Vec<[String; 2]> =
        (1..count).map(|n| [format!("R{n} gi0/1"), format!("R{} gi0/0", n + 1)]).collect();
    let cables: Vec<Vec<&str>> = cables.iter().map(|c| c.iter().map(String::as_str).collect()).collect();
    let cables: Vec<&[&str]> = cables.iter().map(Vec::as_slice).collect();
    let mut lab = Lab::new(5, &routers, &cables);
    lab.run(120);
    lab
}

fn weight(lab: &Lab, router: &str, prefix: &str) -> u16 {
    best(lab, router, prefix).unwrap().weight
}

#[test]
fn weight_is_that_of_the_neighbor_and_a_route_map_goes_before() {
    let lab = row(&[
        "",
        " neighbor 10.1.2.1 weight 50\n neighbor 10.1.2.1 route-map W in\nroute-map W permit 10\n set weight 60\n",
        "",
    ]);
    assert_eq!(weight(&lab, "R2", "172.16.1.0/24"), 60);
    let lab = row(&["", " neighbor 10.1.2.1 weight 50\n"]);
    assert_eq!(weight(&lab, "R2", "172.16.1.0/24"), 50);
}

#[test]
fn local_as_is_put_before_paths_unless_told_otherwise() {
    let paths = |options: &str| {
        let lines = format!(" neighbor 10.2.3.3 local-as 77{options}\n");
        let lab = row(&["", &lines, " no neighbor 10.2.3.2\n neighbor 10.2.3.2 remote-as 77\n"]);
        let path = |router, prefix| as_path(&lab, router, prefix).unwrap_or_default();
        [path("R3", "172.16.1.0/24"), path("R1", "172.16.3.0/24")]
    };
    assert_eq!(paths(""), ["77 2 1", "2 77 3"]);
    assert_eq!(paths(" no-prepend"), ["77 2 1", "2 3"]);
    assert_eq!(paths(" no-prepend replace-as"), ["77 1", "2 3"]);
}

#[test]
fn dual_as_lets_the_peer_know_either_number() {
    let lines = " neighbor 10.2.3.3 local-as 77 no-prepend replace-as dual-as\n";
    for asn in [77, 2] {
        let third = format!(" no neighbor 10.2.3.2\n neighbor 10.2.3.2 remote-as {asn}\n");
        let mut lab = row(&["", lines, &third]);
        lab.run(300);
        assert!(established(&lab, "R3", "10.2.3.2"), "AS {asn}");
    }
}

#[test]
fn own_as_in_a_path_is_taken_as_often_as_allowed() {
    let prepend = " neighbor 10.1.2.1 route-map P out\nroute-map P permit 10\n set as-path prepend 1 1\n";
    let lab = row(&["", prepend]);
    assert_eq!(as_path(&lab, "R1", "172.16.2.0/24"), None);
    let lab = row(&[" neighbor 10.1.2.2 allowas-in 1\n", prepend]);
    assert_eq!(as_path(&lab, "R1", "172.16.2.0/24"), None);
    let lab = row(&[" neighbor 10.1.2.2 allowas-in\n", prepend]);
    assert_eq!(as_path(&lab, "R1", "172.16.2.0/24").as_deref(), Some("2 1 1"));
}

#[test]
fn as_override_hides_the_peers_own_as() {
    let prepend = " neighbor 10.1.2.2 route-map P out\nroute-map P permit 10\n set as-path prepend 3\n";
    let lab = row(&[prepend, "", ""]);
    assert_eq!(as_path(&lab, "R3", "172.16.1.0/24"), None);
    let lab = row(&[prepend, " neighbor 10.2.3.3 as-override\n", ""]);
    assert_eq!(as_path(&lab, "R3", "172.16.1.0/24").as_deref(), Some("2 1 2"));
}

#[test]
fn private_numbers_are_removed_from_paths() {
    let path = |prepend: &str, how: &str| {
        let first = format!(
            " neighbor 10.1.2.2 route-map P out\nroute-map P permit 10\n set as-path prepend {prepend}\n"
        );
        // AS 1 takes itself out by `local-as`: what R2 gets begins with a private number.
        let second = format!(" no bgp enforce-first-as\n neighbor 10.2.3.3 remove-private-as{how}\n");
        let lab = row(&[&first, &second, ""]);
        as_path(&lab, "R3", "172.16.1.0/24").unwrap_or_default()
    };
    assert_eq!(path("65001", ""), "2 1 65001", "a path with a public number is left alone");
    assert_eq!(path("65001", " all"), "2 1");
    assert_eq!(path("65001", " all replace-as"), "2 1 2");
}

#[test]
fn maximum_prefix_warns_ends_the_session_and_tries_again() {
    let more = "ip route 172.30.1.0 255.255.255.0 Null0\nip route 172.30.2.0 255.255.255.0 Null0\nrouter bgp 1\n redistribute static\n";
    let lab = row(&[more, " neighbor 10.1.2.1 maximum-prefix 2 warning-only\n"]);
    assert!(established(&lab, "R2", "10.1.2.1"));
    assert!(lab.log("R2").iter().any(|line| line.contains("MAXPFXEXCEED")), "{:?}", lab.log("R2"));
    let mut lab = row(&[more, " neighbor 10.1.2.1 maximum-prefix 2 restart 5\n"]);
    assert!(!established(&lab, "R2", "10.1.2.1"));
    lab.configure("R1", "router bgp 1\n no redistribute static");
    lab.run(400);
    assert!(established(&lab, "R2", "10.1.2.1"));
}

#[test]
fn ttl_security_wants_the_peer_near_on_both_sides() {
    let lab = row(&[" neighbor 10.1.2.2 ttl-security hops 1\n", ""]);
    assert!(!established(&lab, "R1", "10.1.2.2"), "segments with a time to live of 1 come from anywhere");
    let lab = row(&[" neighbor 10.1.2.2 ttl-security hops 1\n", " neighbor 10.1.2.1 ttl-security hops 1\n"]);
    assert!(established(&lab, "R1", "10.1.2.2"));
}

#[test]
fn a_default_route_is_told_while_its_map_permits_a_route() {
    let lines = " neighbor 10.1.2.2 default-originate route-map D\nip prefix-list D permit 172.20.0.0/16\nroute-map D permit 10\n match ip address prefix-list D\n set metric 7\n";
    let mut lab = row(&[lines, ""]);
    assert!(best(&lab, "R2", "0.0.0.0/0").is_none());
    lab.configure("R1", "ip route 172.20.0.0 255.255.0.0 Null0");
    lab.run(120);
    assert_eq!(best(&lab, "R2", "0.0.0.0/0").unwrap().attributes.med, Some(7));
}

#[test]
fn an_advertise_map_tells_routes_on_its_condition() {
    let lines = " neighbor 10.2.3.3 advertise-map A non-exist-map N\nip prefix-list A permit 172.16.2.0/24\nip prefix-list N permit 172.16.1.0/24\n\
                 route-map A permit 10\n match ip address prefix-list A\nroute-map N permit 10\n match ip address prefix-list N\n";
    let mut lab = row(&["", lines, ""]);
    assert!(as_path(&lab, "R3", "172.16.1.0/24").is_some() && best(&lab, "R3", "172.16.2.0/24").is_none());
    lab.configure("R1", "router bgp 1\n no network 172.16.1.0 mask 255.255.255.0");
    lab.run(180);
    assert_eq!(as_path(&lab, "R3", "172.16.2.0/24").as_deref(), Some("2"));
}

#[test]
fn an_unsuppress_map_tells_parts_of_an_aggregate() {
    let lines = " aggregate-address 172.16.0.0 255.255.0.0 summary-only\n neighbor 10.2.3.3 unsuppress-map U\n\
                 ip prefix-list U permit 172.16.1.0/24\nroute-map U permit 10\n match ip address prefix-list U\n";
    let lab = row(&["", lines, ""]);
    assert!(best(&lab, "R3", "172.16.0.0/16").is_some() && best(&lab, "R3", "172.16.1.0/24").is_some());
    assert!(best(&lab, "R3", "172.16.2.0/24").is_none());
}

#[test]
fn filters_of_each_kind_in_each_direction() {
    let lists = "access-list 5 deny 172.16.1.0 0.0.0.255\naccess-list 5 permit any\nip prefix-list P deny 172.16.1.0/24\nip prefix-list P permit 0.0.0.0/0 le 32\n\
                 ip as-path access-list 5 deny _1$\nip as-path access-list 5 permit .*\n";
    for filter in ["distribute-list 5", "prefix-list P", "filter-list 5"] {
        let lab = row(&["", &format!(" neighbor 10.2.3.3 {filter} out\n{lists}"), ""]);
        assert!(best(&lab, "R3", "172.16.1.0/24").is_none(), "{filter} out");
        assert!(best(&lab, "R3", "172.16.2.0/24").is_some(), "{filter} out");
        let lab = row(&["", "", &format!(" neighbor 10.2.3.2 {filter} in\n{lists}")]);
        assert!(best(&lab, "R3", "172.16.1.0/24").is_none(), "{filter} in");
        assert!(best(&lab, "R3", "172.16.2.0/24").is_some(), "{filter} in");
    }
}

#[test]
fn a_prefix_filter_is_sent_to_the_peer() {
    let lists = "ip prefix-list P deny 172.16.1.0/24\nip prefix-list P permit 0.0.0.0/0 le 32\n";
    let third = format!(
        " neighbor 10.2.3.2 capability orf prefix-list send\n neighbor 10.2.3.2 prefix-list P in\n{lists}"
    );
    let lab = row(&["", " neighbor 10.2.3.3 capability orf prefix-list receive\n", &third]);
    let index = peer(&lab, "R2", "10.2.3.3").index;
    assert!(
        !destination(&lab, "R2", "172.16.1.0/24").unwrap().advertised.contains(index),
        "R2 does not send it"
    );
    assert!(best(&lab, "R3", "172.16.2.0/24").is_some());
}

#[test]
fn shutdown_passive_and_timers() {
    let mut lab =
        row(&[" neighbor 10.1.2.2 timers 5 15\n neighbor 10.1.2.2 transport connection-mode passive\n", ""]);
    let session = peer(&lab, "R1", "10.1.2.2").session.as_ref().unwrap();
    assert_eq!((session.hold_time.as_secs(), session.keepalive.as_secs()), (15, 5));
    assert_eq!(session.endpoints.local.port(), 179, "the peer has connected");
    lab.configure("R1", "router bgp 1\n neighbor 10.1.2.2 shutdown");
    lab.run(10);
    assert!(lab.log("R2").iter().any(|line| line.contains("received from neighbor 10.1.2.1")));
    assert!(!established(&lab, "R2", "10.1.2.1"));
}

#[test]
fn communities_are_sent_if_wanted() {
    let set = "\nroute-map C permit 10\n set community 1:5 no-export\n";
    let lab = row(&[&format!(" neighbor 10.1.2.2 route-map C out{set}"), "", ""]);
    assert!(best(&lab, "R2", "172.16.1.0/24").unwrap().attributes.communities.is_empty());
    let lab = row(&[
        &format!(" neighbor 10.1.2.2 route-map C out\n neighbor 10.1.2.2 send-community{set}"),
        "",
        "",
    ]);
    assert_eq!(best(&lab, "R2", "172.16.1.0/24").unwrap().attributes.communities.len(), 2);
    assert!(best(&lab, "R3", "172.16.1.0/24").is_none(), "no-export");
}

#[test]
fn the_bandwidth_of_the_links_to_neighbors_shares_the_traffic_also_behind_internal_peers() {
    let border = |bandwidths: [u32; 2]| {
        let [first, second] = bandwidths;
        format!(
            "hostname R1
interface GigabitEthernet0/0
 ip address 10.1.2.1 255.255.255.0
 bandwidth {first}
interface GigabitEthernet0/1
 ip address 10.1.3.1 255.255.255.0
 bandwidth {second}
interface GigabitEthernet0/2
 ip address 10.1.4.1 255.255.255.0
router bgp 1
 bgp dmzlink-bw
 neighbor 10.1.2.2 remote-as 2
 neighbor 10.1.2.2 dmzlink-bw
 neighbor 10.1.3.2 remote-as 2
 neighbor 10.1.3.2 dmzlink-bw
 neighbor 10.1.4.4 remote-as 1
 neighbor 10.1.4.4 next-hop-self
 neighbor 10.1.4.4 send-community extended
 maximum-paths 2
"
        )
    };
    let r2 = "hostname R2
interface GigabitEthernet0/0
 ip address 10.1.2.2 255.255.255.0
interface GigabitEthernet0/1
 ip address 10.1.3.2 255.255.255.0
ip route 172.16.2.0 255.255.255.0 Null0
router bgp 2
 network 172.16.2.0 mask 255.255.255.0
 neighbor 10.1.2.1 remote-as 1
 neighbor 10.1.3.1 remote-as 1
";
    let r4 = "hostname R4
interface GigabitEthernet0/2
 ip address 10.1.4.4 255.255.255.0
router bgp 1
 neighbor 10.1.4.1 remote-as 1
";
    for (bandwidths, weights) in [([10_000, 5000], [2, 1]), ([4000, 12_000], [1, 3])] {
        let r1 = border(bandwidths);
        let links: [&[&str]; 3] =
            [&["R1 gi0/0", "R2 gi0/0"], &["R1 gi0/1", "R2 gi0/1"], &["R1 gi0/2", "R4 gi0/2"]];
        let mut lab = Lab::new(5, &[("R1", &r1), ("R2", r2), ("R4", r4)], &links);
        lab.run(120);
        let route = lab.route("R1", "172.16.2.0/24").unwrap();
        assert_eq!(route.next_hops.iter().map(|hop| hop.weight).collect::<Vec<_>>(), weights);
        let told = best(&lab, "R4", "172.16.2.0/24").unwrap();
        assert_eq!(told.attributes.extended_communities.len(), 1, "{:?}", told.attributes);
        assert!(told.attributes.extended_communities[0].is_link_bandwidth());
        let back = best(&lab, "R2", "172.16.2.0/24").unwrap();
        assert!(back.attributes.extended_communities.is_empty(), "it does not leave the AS");
    }
}

#[test]
fn advertisement_interval_holds_back_what_follows_too_soon() {
    let second_is_there = |interval: u32| {
        let mut lab = row(&[&format!(" neighbor 10.1.2.2 advertisement-interval {interval}\n"), ""]);
        lab.run(60);
        for number in [7, 8] {
            lab.configure(
                "R1",
                &format!("ip route 172.16.{number}.0 255.255.255.0 Null0\nrouter bgp 1\n network 172.16.{number}.0 mask 255.255.255.0"),
            );
            lab.run(2);
        }
        assert!(best(&lab, "R2", "172.16.7.0/24").is_some(), "the first goes at once");
        let soon = best(&lab, "R2", "172.16.8.0/24").is_some();
        lab.run(u64::from(interval));
        assert!(best(&lab, "R2", "172.16.8.0/24").is_some());
        soon
    };
    assert_eq!((second_is_there(0), second_is_there(20)), (true, false));
}

#[test]
fn without_capabilities_a_session_comes_up_and_has_none() {
    let lab = row(&["", " neighbor 10.1.2.1 dont-capability-negotiate\n"]);
    assert!(established(&lab, "R1", "10.1.2.2"));
    assert_eq!(as_path(&lab, "R1", "172.16.2.0/24").as_deref(), Some("2"));
    let session = peer(&lab, "R1", "10.1.2.2").session.as_ref().unwrap();
    assert_eq!(session.received, []);
    assert!(!session.agreed.route_refresh && !session.agreed.four_octet_as);
}
