//! Additional paths (RFC 7911), from lines to what a neighbor knows.

use netconfarena_cli_dialect::session::execute_read_only;

use super::*;

/// A reflector RR with the clients R2 and R3, which both tell 172.16.0.0/16, and R4. `rr` and `r4` are lines of their `router bgp`.
fn star(rr: &str, r4: &str) -> Lab {
    let client = |number: u32, lines: &str| {
        format!(
            "hostname R{number}\ninterface GigabitEthernet0/0\n ip address 10.0.{number}.{number} 255.255.255.0\n no shutdown\n\
             ip route 10.0.0.0 255.0.0.0 10.0.{number}.1\nrouter bgp 1\n bgp router-id {number}.{number}.{number}.{number}\n \
             neighbor 10.0.{number}.1 remote-as 1\n{lines}"
        )
    };
    let source = " network 172.16.0.0\nip route 172.16.0.0 255.255.0.0 Null0\n";
    let (r2, r3, r4) = (client(2, source), client(3, source), client(4, r4));
    let mut hub = "hostname RR\n".to_owned();
    for (port, number) in [(0, 2), (1, 3), (2, 4)] {
        hub += &format!(
            "interface GigabitEthernet0/{port}\n ip address 10.0.{number}.1 255.255.255.0\n no shutdown\n"
        );
    }
    hub += "router bgp 1\n bgp router-id 1.1.1.1\n";
    for number in 2..=4 {
        hub += &format!(
            " neighbor 10.0.{number}.{number} remote-as 1\n neighbor 10.0.{number}.{number} route-reflector-client\n"
        );
    }
    hub += rr;
    let links: &[&[&str]] =
        &[&["RR gi0/0", "R2 gi0/0"], &["RR gi0/1", "R3 gi0/0"], &["RR gi0/2", "R4 gi0/0"]];
    let mut lab = Lab::new(5, &[("RR", &hub), ("R2", &r2), ("R3", &r3), ("R4", &r4)], links);
    lab.run(60);
    lab
}

const SEND_ALL: &str = " bgp additional-paths select all\n bgp additional-paths send\n neighbor 10.0.4.4 advertise additional-paths all\n";
const RECEIVE: &str = " bgp additional-paths receive\n";

/// The next hops of R4's paths to 172.16.0.0/16, in order.
fn paths(lab: &Lab) -> Vec<String> {
    let paths = destination(lab, "R4", "172.16.0.0/16").map_or(&[][..], |destination| &destination.paths);
    let mut hops: Vec<String> = paths.iter().map(|path| path.attributes.next_hop.to_string()).collect();
    hops.sort();
    hops
}

fn show(lab: &mut Lab, router: &str, command: &str) -> String {
    let node = lab.node(router);
    execute_read_only(&mut lab.network, node, command).unwrap()
}

#[test]
fn a_neighbor_that_takes_several_paths_is_told_all_that_are_selected() {
    let mut lab = star(SEND_ALL, RECEIVE);
    assert_eq!(paths(&lab), ["10.0.2.2", "10.0.3.3"]);
    assert_eq!(destination(&lab, "R2", "172.16.0.0/16").unwrap().paths.len(), 1, "R2 takes one path each");
    let text = show(&mut lab, "R4", "show ip bgp 172.16.0.0");
    assert!(text.contains("rx pathid: 0x1,") && text.contains("rx pathid: 0x2,"), "{text}");
    let text = show(&mut lab, "RR", "show ip bgp 172.16.0.0");
    assert!(text.contains("internal, best, all\n") && text.contains("internal, all\n"), "{text}");
    // A change of the path that is not the best one is told too.
    lab.configure(
        "R3",
        "route-map M permit 10\n set metric 7\nrouter bgp 1\n network 172.16.0.0 route-map M",
    );
    lab.run(60);
    let med = |lab: &Lab| {
        let paths = &destination(lab, "R4", "172.16.0.0/16").unwrap().paths;
        paths.iter().filter_map(|path| path.attributes.med).max()
    };
    assert_eq!(med(&lab), Some(7));
    // And its end.
    lab.configure("R3", "router bgp 1\n no network 172.16.0.0");
    lab.run(60);
    assert_eq!(paths(&lab), ["10.0.2.2"]);
    lab.configure("R2", "router bgp 1\n no network 172.16.0.0");
    lab.run(60);
    assert!(paths(&lab).is_empty());
}

#[test]
fn both_sides_and_the_selection_must_agree() {
    let send = " bgp additional-paths send\n";
    let best_two =
        " bgp additional-paths select best 2\n neighbor 10.0.4.4 advertise additional-paths best 2\n";
    for (rr, r4, count) in [
        (format!("{send}{best_two}"), RECEIVE, 2),
        (format!("{send}{best_two}"), "", 1),
        (best_two.to_owned(), RECEIVE, 1),
        (format!("{send} neighbor 10.0.4.4 advertise additional-paths best 2\n"), RECEIVE, 1),
        (format!("{send} bgp additional-paths select best 2\n"), RECEIVE, 1),
        (SEND_ALL.to_owned(), " neighbor 10.0.4.1 additional-paths receive\n", 2),
        (
            SEND_ALL.to_owned(),
            " bgp additional-paths receive\n neighbor 10.0.4.1 additional-paths disable\n",
            1,
        ),
        // Both paths begin in the own AS: one group.
        (
            format!(
                "{send} bgp additional-paths select group-best\n neighbor 10.0.4.4 advertise additional-paths group-best\n"
            ),
            RECEIVE,
            1,
        ),
    ] {
        assert_eq!(paths(&star(&rr, r4)).len(), count, "{rr}{r4}");
    }
}

#[test]
fn several_paths_of_one_neighbor_serve_as_multipaths() {
    let lab = star(SEND_ALL, &format!("{RECEIVE} maximum-paths ibgp 2\n"));
    assert_eq!(
        route(&lab, "R4", "172.16.0.0/16"),
        Some((200, vec!["10.0.2.2".to_owned(), "10.0.3.3".to_owned()]))
    );
}
