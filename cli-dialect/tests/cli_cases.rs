//! Literal cases of real sessions: a line in a mode, and what the device says.
//!
//! `IOS_REFERENCE` names a folder beside which `cli_cases.tsv` lies; without it nothing is tested here.

use std::path::Path;
use std::time::Duration;

use netconfarena_cli_dialect::session::{Session, apply_lines};
use netconfarena_cli_dialect::syslog;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};
use regex::RegexBuilder;

/// Cases of features that do not exist here.
const WAITING: &[(&str, &str)] = &[
    ("E19", "Frame Relay, whose subinterfaces the case speaks of"),
    ("E27", "IPv6"),
    ("E37", "IPv6"),
    ("S20", "tunnels"),
];

/// Inputs in place of those of the cases. E33 is `ip ba?` where no keyword fits; EIGRP's `ip bandwidth-percent` begins so here, as on every
/// router whose image has EIGRP.
/// Those of E32 and E36 are remarks.
const INPUTS: &[(&str, &str)] =
    &[("E33", "ip bax?"), ("E36", "bgp router-id 1.1.1.1"), ("E32", "telnet 10.0.0.2")];

/// What a case needs of its neighbor R2.
const SETUP_OF_R2: &[(&str, &str)] = &[
    (
        "E15",
        "interface Gi0/0\nip address 10.0.0.2 255.255.255.0\nrouter ospf 1\nnetwork 0.0.0.0 255.255.255.255 area 0",
    ),
    (
        "S05",
        "interface Gi0/0\nip address 10.0.0.2 255.255.255.0\nrouter ospf 1\nrouter-id 172.16.46.4\nnetwork 0.0.0.0 255.255.255.255 area 0",
    ),
    (
        "S07",
        "interface Gi0/0\nip address 10.0.0.2 255.255.255.0\nrouter bgp 2\nneighbor 10.0.0.1 remote-as 1",
    ),
    ("S08", "interface Gi0/0\nip address 8.0.0.1 255.255.255.0\nrouter bgp 2\nneighbor 8.0.0.2 remote-as 1"),
    (
        "S10",
        "interface Gi0/0\nip address 172.16.1.1 255.255.255.0\nrouter bgp 2\nneighbor 172.16.1.2 remote-as 1",
    ),
    (
        "S12",
        "interface Gi0/0\nip address 10.1.1.2 255.255.255.0\nrouter bgp 2\nneighbor 10.1.1.1 remote-as 1",
    ),
    (
        "S13",
        "interface Gi0/0\nip address 10.0.0.2 255.255.255.0\nrouter bgp 2\nneighbor 10.0.0.1 remote-as 7",
    ),
    ("S14", "interface Gi0/0\nip address 10.0.12.2 255.255.255.0\nrouter eigrp 100\nnetwork 10.0.0.0"),
    (
        "S17",
        "interface Gi0/0\nip address 10.1.1.3 255.255.255.0\nrouter ospf 1\nrouter-id 1.1.1.1\nnetwork 0.0.0.0 255.255.255.255 area 0",
    ),
    (
        "E32",
        "interface Gi0/0\nip address 10.0.0.2 255.255.255.0\nip access-list extended NONE\ndeny tcp any any\ninterface Gi0/0\nip access-group NONE in",
    ),
    ("S18", "interface Gi0/0\nip address 10.0.0.2 255.255.255.0"),
    ("S19", "interface Gi0/0\nip address 10.0.0.2 255.255.255.0"),
];

/// What happens when the neighbors have found each other: lines of configuration at R1, then a command at R2.
const THEN: &[(&str, &str, &str)] = &[
    ("S08", "do clear ip bgp *", ""),
    ("S10", "router bgp 1\nneighbor 172.16.1.1 shutdown", ""),
    ("S12", "ip access-list extended DEAF\ndeny ip any any\ninterface Gi0/0\nip access-group DEAF in", ""),
    ("S18", "", "telnet 10.0.0.1 22"),
    ("S19", "", "ping 10.0.0.1 repeat 1"),
];

/// What a case needs configured before.
const SETUP: &[(&str, &str)] = &[
    (
        "E15",
        "interface Gi0/0\nip address 10.0.0.1 255.255.255.0\nrouter ospf 1\nnetwork 0.0.0.0 255.255.255.255 area 0",
    ),
    (
        "S05",
        "interface Gi0/0\nip address 10.0.0.1 255.255.255.0\nrouter ospf 1\nnetwork 0.0.0.0 255.255.255.255 area 0",
    ),
    (
        "S07",
        "interface Gi0/0\nip address 10.0.0.1 255.255.255.0\nrouter bgp 1\nneighbor 10.0.0.2 remote-as 2",
    ),
    ("S08", "interface Gi0/0\nip address 8.0.0.2 255.255.255.0\nrouter bgp 1\nneighbor 8.0.0.1 remote-as 2"),
    (
        "S10",
        "interface Gi0/0\nip address 172.16.1.2 255.255.255.0\nrouter bgp 1\nneighbor 172.16.1.1 remote-as 2",
    ),
    (
        "S12",
        "interface Gi0/0\nip address 10.1.1.1 255.255.255.0\nrouter bgp 1\ntimers bgp 5 20\nneighbor 10.1.1.2 remote-as 2",
    ),
    (
        "S13",
        "interface Gi0/0\nip address 10.0.0.1 255.255.255.0\nrouter bgp 1\nneighbor 10.0.0.2 remote-as 2",
    ),
    ("S14", "interface Gi0/0\nip address 10.0.12.1 255.255.255.0\nrouter eigrp 100\nnetwork 10.0.0.0"),
    (
        "S17",
        "interface Gi0/0\nip address 10.1.1.1 255.255.255.0\nrouter ospf 1\nrouter-id 1.1.1.1\nnetwork 0.0.0.0 255.255.255.255 area 0",
    ),
    ("E32", "interface Gi0/0\nip address 10.0.0.1 255.255.255.0"),
    (
        "S18",
        "ip access-list extended EDGE-IN\ndeny tcp any any eq 22 log\npermit ip any any\ninterface Gi0/0\nip address 10.0.0.1 255.255.255.0\nip access-group EDGE-IN in",
    ),
    (
        "S19",
        "ip access-list extended LOG3\ndeny icmp any any log\ninterface Gi0/0\nip address 10.0.0.1 255.255.255.0\nip access-group LOG3 in",
    ),
    ("E07", "interface Gi0/0\nip address 192.168.1.1 255.255.255.224\nno shutdown"),
    ("E12", "interface Loopback1"),
    ("E29", "no ip domain lookup"),
    ("E34", "router ospf 1"),
    ("E13", "router bgp 1"),
    ("S01", "interface Gi0/0\nshutdown\nno shutdown"),
    ("S02", "interface Gi0/0\nshutdown\nno shutdown"),
    ("S03", "interface Gi0/0\nshutdown"),
];

struct Case<'a> {
    id: &'a str,
    prompt: &'a str,
    input: &'a str,
    expected: &'a str,
}

fn case(line: &str) -> Option<Case<'_>> {
    let mut fields = line.split('\t');
    let (id, prompt, input, expected) = (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let other = INPUTS.iter().find(|(of, _)| *of == id).map(|&(_, input)| input);
    Some(Case { id, prompt: plain(prompt), input: other.unwrap_or_else(|| plain(input)), expected })
}

/// Remarks stand in parentheses behind the prompt and behind the input.
fn plain(text: &str) -> &str {
    text.split(" (").next().unwrap_or(text).trim()
}

/// R1 with two ports, the first of which is cabled to R2.
fn network() -> (Network, NodeIndex, NodeIndex) {
    let mut network = Network::new(1);
    let ports = ["GigabitEthernet0/0", "GigabitEthernet0/1"].map(|name| name.parse().expect("a port name"));
    let [first, second] = ["R1", "R2"].map(|name| network.add_router(name, &ports));
    network
        .add_link(LinkProperties::ethernet(), &[(first, ports[0]), (second, ports[0])])
        .expect("free ports");
    for node in [first, second] {
        apply_lines(&mut network, node, "interface Gi0/0\nno shutdown");
    }
    network.run_for(Duration::from_secs(5));
    (network, first, second)
}

/// Configures both routers as a case needs it, and lets happen what the case is about.
fn prepare(network: &mut Network, (first, second): (NodeIndex, NodeIndex), id: &str) {
    for (node, table) in [(first, SETUP), (second, SETUP_OF_R2)] {
        for (_, lines) in table.iter().filter(|(of, _)| *of == id) {
            assert_eq!(apply_lines(network, node, lines).rejected, []);
        }
    }
    network.run_for(Duration::from_secs(if SETUP_OF_R2.iter().any(|(of, _)| *of == id) { 120 } else { 5 }));
    for (_, lines, command) in THEN.iter().filter(|(of, ..)| *of == id) {
        assert_eq!(apply_lines(network, first, lines).rejected, []);
        Session::privileged(second).execute(network, command);
        network.run_for(Duration::from_secs(60));
    }
}

/// Brings a session to the mode of a prompt.
fn session(network: &mut Network, node: NodeIndex, prompt: &str) -> Session {
    if prompt.ends_with('>') {
        return Session::new(node);
    }
    let mut session = Session::privileged(node);
    let lines: &[&str] = match prompt.split_once('(').map(|(_, mode)| mode) {
        Some("config)#") => &["configure terminal"],
        Some("config-if)#") => &["configure terminal", "interface Gi0/1"],
        Some("config-router)#") => &["configure terminal", "router ospf 1"],
        Some("config-router-af)#") => &["configure terminal", "router bgp 1", "address-family ipv4"],
        _ => &[],
    };
    for line in lines {
        session.execute(network, line);
    }
    session
}

/// The log of a router.
fn messages(network: &Network, node: NodeIndex) -> String {
    let messages = network.router(node).log().iter().map(|entry| syslog::message(&entry.event));
    messages.collect::<Vec<_>>().join("\n")
}

/// Runs a case: what is wrong, if anything.
fn run(case: &Case<'_>) -> Result<(), String> {
    let (mut network, node, neighbor) = network();
    prepare(&mut network, (node, neighbor), case.id);
    let printed = if case.id.starts_with('S') {
        messages(&network, node)
    } else {
        let mut session = session(&mut network, node, case.prompt);
        let mut printed = session.execute(&mut network, case.input);
        if session.prompt(&network).is_empty() {
            printed += &session.execute(&mut network, "");
        }
        if let Some(becomes) = case.expected.strip_prefix("(prompt becomes ") {
            let prompt = session.prompt(&network);
            let expected = becomes.split(',').next().unwrap_or_default();
            let as_expected = prompt == expected && printed.is_empty();
            return if as_expected { Ok(()) } else { Err(format!("{prompt:?} and {printed:?}")) };
        }
        // What a person at the console sees besides.
        printed + &messages(&network, node)
    };
    // Interfaces are what the case's device has; the ports here are others.
    let ports = ["FastEthernet0/0", r"GigabitEthernet2\.45", "GigabitEthernet2", "Ethernet0/0"];
    // IOS 15 says besides which side had opened the session; the case comes from an older release.
    let case_text = case.expected.replace(r"\S+ 2/2", r"\S+ (active |passive )?2/2");
    let expected = ports.iter().fold(case_text, |text, port| text.replace(port, r"\S+"));
    let pattern = RegexBuilder::new(&expected).multi_line(true).build().map_err(|error| error.to_string())?;
    if pattern.is_match(&printed) { Ok(()) } else { Err(format!("{printed:?} is not {expected}")) }
}

#[test]
fn lines_are_answered_as_on_real_devices() {
    let folder = std::env::var_os("IOS_REFERENCE");
    let file = folder.as_ref().and_then(|folder| Some(Path::new(folder).parent()?.join("cli_cases.tsv")));
    let Some(text) = file.and_then(|file| std::fs::read_to_string(file).ok()) else {
        eprintln!("SKIPPED: IOS_REFERENCE is not set, or there is no cli_cases.tsv beside it");
        return;
    };
    let mut passed = 0;
    let mut failures = Vec::new();
    for case in text.lines().skip(1).filter_map(case) {
        let waiting = WAITING.iter().find(|(id, _)| *id == case.id);
        match (run(&case), waiting) {
            (Ok(()), None) => passed += 1,
            (Ok(()), Some(_)) => eprintln!("{}: passes, and is still listed as waiting", case.id),
            (Err(_), Some((_, feature))) => eprintln!("{}: waits for {feature}", case.id),
            (Err(error), None) => failures.push(format!("{} `{}`: {error}", case.id, case.input)),
        }
    }
    eprintln!("{passed} cases pass, {} fail", failures.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(passed > 0, "cli_cases.tsv holds no case");
}
