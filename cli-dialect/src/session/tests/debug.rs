//! `debug ip ospf`.

use super::*;

/// R1 and R2 of [`network`] with OSPF and further lines for each, after some seconds; what R1 does is watched.
fn watched(commands: &[&str], lines: [&str; 2], seconds: u64) -> (Network, NodeIndex) {
    let (mut network, node) = network();
    for command in commands {
        Session::privileged(node).execute(&mut network, command);
    }
    let other = network.node("R2").unwrap();
    for (node, lines) in [(node, lines[0]), (other, lines[1])] {
        let text = format!("router ospf 1\n network 10.0.12.0 0.0.0.255 area 0\n{lines}");
        configure(&mut network, node, &text);
    }
    network.run_for(std::time::Duration::from_secs(seconds));
    (network, node)
}

/// What R1's log shows of debugging, without times.
fn seen(network: &mut Network, node: NodeIndex) -> Vec<String> {
    let text = Session::privileged(node).execute(network, "show logging");
    let shown = text.lines().filter_map(|line| line.split_once(": OSPF-"));
    let shown = shown.inspect(|(time, _)| assert!(time.starts_with("*Jan  1 00:0"), "{time}"));
    shown.map(|(_, rest)| format!("OSPF-{rest}")).collect()
}

/// The places of lines, which must stand in this order.
fn in_order(all: &[String], wanted: &[&str]) {
    let mut left = all.iter();
    for line in wanted {
        assert!(left.any(|other| other == line), "{line} in {all:#?}");
    }
}

const POINT_TO_POINT: &str = "interface Gi0/0\n ip ospf network point-to-point\n";

#[test]
fn debug_is_off_at_first_and_seen_once_it_is_on() {
    let (mut network, node) = watched(&[], ["", ""], 60);
    assert!(seen(&mut network, node).is_empty());
    let mut session = Session::privileged(node);
    assert_eq!(session.execute(&mut network, "show debugging"), "");
    assert_eq!(session.execute(&mut network, "deb ip ospf hello"), "OSPF hello debugging is on\n");
    assert_eq!(
        session.execute(&mut network, "debug ip ospf 1 adj"),
        "OSPF adjacency debugging is on for process 1\n"
    );
    let shown = session.execute(&mut network, "show debugging");
    assert_eq!(
        shown,
        "OSPF:\n  OSPF hello debugging is on\n  OSPF adjacency debugging is on for process 1\n\n"
    );
    network.run_for(std::time::Duration::from_secs(11));
    in_order(
        &seen(&mut network, node),
        &["OSPF-1 HELLO Gi0/0: Send hello to 224.0.0.5 area 0 from 10.0.12.1"],
    );
    let hellos = "OSPF-1 HELLO Gi0/0: Rcv hello from 2.2.2.2 area 0 10.0.12.2".to_owned();
    assert!(seen(&mut network, node).contains(&hellos));
    // A copy of the network goes on with it.
    let mut copy = network.clone();
    for (line, answer) in [
        ("no debug ip ospf hello", "OSPF hello debugging is off\n"),
        ("undebug ip ospf 1 adj", "OSPF adjacency debugging is off for process 1\n"),
        ("u all", "All possible debugging has been turned off\n"),
    ] {
        assert_eq!(session.execute(&mut network, line), answer);
    }
    assert_eq!(session.execute(&mut network, "show debugging"), "");
    let before = [&network, &copy].map(|network| network.router(node).log().written());
    for network in [&mut network, &mut copy] {
        network.run_for(std::time::Duration::from_secs(30));
    }
    let after = [&network, &copy].map(|network| network.router(node).log().written());
    assert_eq!(after[0], before[0]);
    assert!(after[1] >= before[1] + 5);
}

#[test]
fn debug_ip_ospf_adj_shows_how_neighbors_become_adjacent_and_are_lost() {
    let (mut network, node) = watched(&["debug ip ospf adj"], [POINT_TO_POINT; 2], 30);
    for (line, seconds) in [("shutdown", 60), ("no shutdown", 30)] {
        configure(&mut network, node, &format!("interface Gi0/0\n {line}\n"));
        network.run_for(std::time::Duration::from_secs(seconds));
    }
    let all = seen(&mut network, node);
    in_order(
        &all,
        &[
            "OSPF-1 ADJ   Gi0/0: Interface going Up",
            "OSPF-1 ADJ   Gi0/0: 2 Way Communication to 2.2.2.2, state 2WAY",
            "OSPF-1 ADJ   Gi0/0: Synchronized with 2.2.2.2, state FULL",
            "OSPF-1 ADJ   Gi0/0: 2.2.2.2 address 10.0.12.2 is dead, state DOWN",
            "OSPF-1 ADJ   Gi0/0: Interface going Down",
            "OSPF-1 ADJ   Gi0/0: Interface going Up",
            "OSPF-1 ADJ   Gi0/0: Nbr 2.2.2.2: Prepare dbase exchange",
            "OSPF-1 ADJ   Gi0/0: NBR Negotiation Done. We are the MASTER",
            "OSPF-1 ADJ   Gi0/0: Nbr 2.2.2.2: Summary list built, size 2",
            "OSPF-1 ADJ   Gi0/0: Exchange Done with 2.2.2.2",
            "OSPF-1 ADJ   Gi0/0: Synchronized with 2.2.2.2, state FULL",
        ],
    );
    let like = |begin: &str, end: &str| {
        let begin = format!("OSPF-1 ADJ   Gi0/0: {begin}");
        assert!(
            all.iter().any(|line| line.starts_with(&begin) && line.ends_with(end)),
            "{begin} {end} in {all:#?}"
        );
    };
    like("Send DBD to 2.2.2.2 seq 0x", " opt 0x52 flag 0x7 len 32");
    like("Rcv DBD from 2.2.2.2 seq 0x", " opt 0x52 flag 0x7 len 32  mtu 1500 state EXSTART");
    like("Send LS REQ to 2.2.2.2 length 36 LSA count 1", "");
    like("Rcv LS UPD from Nbr ID 2.2.2.2 length ", " LSA count 1");
}

#[test]
fn debug_ip_ospf_adj_shows_elections() {
    let (mut network, node) = watched(&["debug ip ospf adj"], ["", ""], 60);
    in_order(
        &seen(&mut network, node),
        &[
            "OSPF-1 ADJ   Gi0/0: end of Wait on interface",
            "OSPF-1 ADJ   Gi0/0: DR/BDR election",
            "OSPF-1 ADJ   Gi0/0: Elect BDR 2.2.2.2",
            "OSPF-1 ADJ   Gi0/0: Elect DR 10.0.12.1",
            "OSPF-1 ADJ   Gi0/0: DR: 10.0.12.1 (Id)",
            "OSPF-1 ADJ   Gi0/0:    BDR: 2.2.2.2 (Id)",
        ],
    );
}

#[test]
fn debug_says_why_there_is_no_adjacency() {
    let cases: [(&str, [&str; 2], &[&str]); 9] = [
        (
            "hello",
            ["interface Gi0/0\n ip ospf hello-interval 5\n", ""],
            &[
                "HELLO Gi0/0: Mismatched hello parameters from 10.0.12.2",
                "HELLO Gi0/0: Dead R 40 C 20, Hello R 10 C 5 Mask R 255.255.255.0 C 255.255.255.0",
            ],
        ),
        (
            "hello",
            [POINT_TO_POINT, "interface Gi0/0\n ip ospf dead-interval 41\n"],
            &["HELLO Gi0/0: Dead R 41 C 40, Hello R 10 C 10"],
        ),
        (
            "hello",
            [
                "router ospf 1\n network 10.0.12.0 0.0.0.255 area 1\n area 1 stub\n",
                "router ospf 1\n network 10.0.12.0 0.0.0.255 area 1\n",
            ],
            &["HELLO Gi0/0: Hello from 10.0.12.2 with mismatched Stub/Transit area option bit"],
        ),
        (
            "adj",
            ["router ospf 1\n network 10.0.12.0 0.0.0.255 area 1\n", ""],
            &["ADJ   Gi0/0: Rcv pkt from 10.0.12.2, area 0.0.0.1, mismatched area 0.0.0.0 in the header"],
        ),
        (
            "adj",
            [
                "interface Gi0/0\n ip address 10.0.13.1 255.255.255.0\nrouter ospf 1\n network 10.0.13.0 0.0.0.255 area 0\n",
                "",
            ],
            &["ADJ   Gi0/0: Rcv pkt from 10.0.12.2, area 0.0.0.0 : src not on the same network"],
        ),
        (
            "adj",
            ["", "interface Gi0/0\n ip ospf authentication\n ip ospf authentication-key secret\n"],
            &[
                "ADJ   Gi0/0: Rcv pkt from 10.0.12.2 : Mismatched Authentication type. Input packet specified type 1, we use type 0",
            ],
        ),
        (
            "adj",
            [
                "interface Gi0/0\n ip ospf authentication message-digest\n ip ospf message-digest-key 1 md5 one\n",
                "interface Gi0/0\n ip ospf authentication message-digest\n ip ospf message-digest-key 1 md5 other\n",
            ],
            &["ADJ   Gi0/0: Rcv pkt from 10.0.12.2 : Mismatched Authentication key - ID 1"],
        ),
        (
            "adj",
            [
                "interface Gi0/0\n ip ospf authentication message-digest\n ip ospf message-digest-key 1 md5 one\n",
                "interface Gi0/0\n ip ospf authentication message-digest\n ip ospf message-digest-key 2 md5 one\n",
            ],
            &[
                "ADJ   Gi0/0: Rcv pkt from 10.0.12.2 : Mismatched Authentication Key - Invalid cryptographic authentication Key ID 2 on interface",
            ],
        ),
        (
            "adj",
            ["interface Gi0/0\n ip mtu 1400\n ip ospf network point-to-point\n", POINT_TO_POINT],
            &[
                "ADJ   Gi0/0: Nbr 2.2.2.2 has larger interface MTU",
                "ADJ   Gi0/0: Retransmitting DBD to 2.2.2.2 [1]",
            ],
        ),
    ];
    for (topic, lines, expected) in cases {
        let (mut network, node) = watched(&[&format!("debug ip ospf {topic}")], lines, 30);
        let expected: Vec<String> = expected.iter().map(|line| format!("OSPF-1 {line}")).collect();
        let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
        in_order(&seen(&mut network, node), &expected);
    }
}

#[test]
fn debugging_ends_with_a_restart() {
    let (mut network, node) = watched(&["debug ip ospf hello"], ["", ""], 5);
    network.reload(node);
    assert_eq!(Session::privileged(node).execute(&mut network, "show debugging"), "");
}
