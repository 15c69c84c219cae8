//! ExaBGP as an external peer: attributes that no router would send.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt;

use netconfarena_emu::bgp::fsm::State;

use crate::namespace::Namespace;
use crate::{Stage, texts};

const EXABGP: &str = "10.0.0.8";

const NEIGHBOR: &str = " neighbor 10.0.0.8 remote-as 65020\n neighbor 10.0.0.8 timers 3 9\n neighbor 10.0.0.8 send-community both\n \
    neighbor 10.0.0.8 advertisement-interval 0\n network 10.1.0.0 mask 255.255.0.0 route-map RICH\n";

const ROUTES: &str = "ip bgp-community new-format\nip route 10.1.0.0 255.255.0.0 Null0\n!\nroute-map RICH permit 10\n set community 65001:5\n set metric 77\n";

struct ExaBgp {
    namespace: Namespace,
}

impl ExaBgp {
    fn prepare() -> Option<Self> {
        Namespace::for_program("exabgp", "exabgp").map(|namespace| Self { namespace })
    }

    /// Starts it with static routes. A program of it takes commands from the file `commands` and notes what it hears in `received`.
    fn start(&mut self, routes: &str) {
        let (commands, received) = (self.namespace.write("commands", ""), self.namespace.path("received"));
        let feed = self.namespace.write(
            "feed",
            &format!("#!/bin/sh\nexec 3<&0\ncat <&3 >> {received} &\nexec tail -n +1 -f {commands}\n"),
        );
        std::fs::set_permissions(&feed, std::fs::Permissions::from_mode(0o755)).unwrap();
        let config = format!(
            "process feed {{ run {feed}; encoder json; }}\n\
             neighbor 10.0.0.1 {{\n  router-id 8.8.8.8; local-address {EXABGP}; local-as 65020; peer-as 65001; hold-time 9;\n  \
             family {{ ipv4 unicast; }}\n  capability {{ route-refresh enable; asn4 enable; }}\n  \
             api {{ processes [ feed ]; receive {{ parsed; update; refresh; notification; }} }}\n  static {{\n{routes}  }}\n}}\n"
        );
        let file = self.namespace.write("exabgp.conf", &config);
        self.namespace.start(&["env", "exabgp.daemon.user=root", "exabgp.log.all=true", "exabgp", &file]);
    }

    fn command(&self, line: &str) {
        let mut commands = OpenOptions::new().append(true).open(self.namespace.path("commands")).unwrap();
        writeln!(commands, "{line}").unwrap();
    }
}

/// A session with what `routes` says.
fn with_session(routes: &str) -> Option<(ExaBgp, Stage)> {
    let mut exabgp = ExaBgp::prepare()?;
    let mut stage = Stage::new(&exabgp.namespace, EXABGP, NEIGHBOR, ROUTES);
    exabgp.start(routes);
    stage.wait_for_session();
    Some((exabgp, stage))
}

#[test]
fn odd_attributes_are_read_as_they_were_meant() {
    let long: Vec<String> = (0..400).map(|n| (100_000 + n).to_string()).collect();
    let routes = format!(
        "route 172.20.0.0/16 next-hop 10.0.0.8 origin egp med 4294967295 as-path [ 65020 7 ( 9 8 ) ] \
         community [ 65020:1 no-export 0:0 ] large-community [ 4200000000:0:1 ] \
         extended-community [ target:65020:5 0x0103010203040006 0x4004fdfc47c35000 ] atomic-aggregate aggregator ( 65020:1.2.3.4 );\n\
         route 172.21.0.0/16 next-hop 10.0.0.8 attribute [ 0x63 0xc0 0x0707 ] attribute [ 0x64 0x80 0x01 ];\n\
         route 172.22.0.0/16 next-hop 10.0.0.8 as-path [ 65020 {} ];\n\
         route 172.23.0.0/32 next-hop 10.0.0.7;\n\
         route 0.0.0.0/0 next-hop 10.0.0.8;\n",
        long.join(" ")
    );
    let Some((_exabgp, mut stage)) = with_session(&routes) else { return };
    for prefix in ["172.20.0.0/16", "172.21.0.0/16", "172.22.0.0/16", "172.23.0.0/32", "0.0.0.0/0"] {
        stage.wait_for_path(prefix);
    }
    let rich = &stage.path("172.20.0.0/16").unwrap().attributes;
    assert_eq!(rich.as_path.to_string(), "65020 7 {9,8}");
    assert_eq!((rich.origin.to_string().as_str(), rich.med), ("EGP", Some(u32::MAX)));
    assert_eq!(rich.communities.len(), 3);
    assert_eq!(texts(&rich.large_communities), ["4200000000:0:1"]);
    let extended = texts(&rich.extended_communities);
    for wanted in ["RT:65020:5", "SoO:1.2.3.4:6", "DMZ-Link Bw 100 kbytes"] {
        assert!(extended.iter().any(|text| text == wanted), "{wanted} in {extended:?}");
    }
    assert!(rich.atomic_aggregate);
    assert_eq!(rich.aggregator.map(|a| (a.asn.0, a.router.to_string())), Some((65020, "1.2.3.4".to_owned())));
    let unknown = &stage.path("172.21.0.0/16").unwrap().attributes.unknown;
    let found: Vec<(u8, u8, &[u8])> = unknown.iter().map(|u| (u.flags, u.code, &u.value[..])).collect();
    assert_eq!(found, [(0xe0, 0x63, &[7, 7][..])], "transitive: kept, marked as partial; the other: gone");
    let path = &stage.path("172.22.0.0/16").unwrap().attributes.as_path;
    assert_eq!(path.length(), 401, "in two segments");
    assert_eq!(stage.path("172.23.0.0/32").unwrap().attributes.next_hop.to_string(), "10.0.0.7");
    let shown = stage.ask("show ip bgp 172.20.0.0");
    for line in [
        "  65020 7 {9,8}, (aggregated by 65020 1.2.3.4)",
        "atomic-aggregate",
        "Community: internet 65020:1 no-export",
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    assert_eq!(stage.peer().dropped, 0);
}

#[test]
fn rfc7606_malformed_attributes_of_a_living_peer_cost_a_route_and_no_session() {
    let routes = "route 172.20.0.0/16 next-hop 10.0.0.8;\n\
        route 172.24.0.0/16 next-hop 10.0.0.8 attribute [ 0x04 0x80 0x01 ];\n\
        route 172.25.0.0/16 next-hop 10.0.0.8 attribute [ 0x20 0xc0 0x010203 ];\n\
        route 172.26.0.0/16 next-hop 10.0.0.8 originator-id 7.7.7.7 cluster-list [ 6.6.6.6 ];\n\
        route 172.27.0.0/16 next-hop 10.0.0.8 local-preference 7;\n";
    let Some((_exabgp, mut stage)) = with_session(routes) else { return };
    for prefix in ["172.20.0.0/16", "172.26.0.0/16", "172.27.0.0/16"] {
        stage.wait_for_path(prefix);
    }
    stage.run(1000);
    assert!(stage.path("172.24.0.0/16").is_none(), "a MED of one octet: treated as withdrawn");
    assert!(stage.path("172.25.0.0/16").is_none(), "a large community of three octets: treated as withdrawn");
    let reflected = &stage.path("172.26.0.0/16").unwrap().attributes;
    assert_eq!((reflected.originator_id, reflected.cluster_list.len()), (None, 0), "not from another AS");
    assert_eq!(stage.path("172.27.0.0/16").unwrap().attributes.local_preference, None);
    assert_eq!((stage.peer().state(), stage.peer().dropped), (State::Established, 0));
    assert!(stage.ask("show logging").contains("%BGP-6-MALFORMEDATTR"));
}

#[test]
fn routes_come_and_go_and_what_we_tell_is_understood() {
    let Some((exabgp, mut stage)) = with_session("") else { return };
    exabgp.command("announce route 172.30.0.0/16 next-hop 10.0.0.8 med 5");
    stage.wait_for_path("172.30.0.0/16");
    exabgp.command("announce route 172.30.0.0/16 next-hop 10.0.0.8 med 6");
    let node = stage.node;
    stage.wait("the MED stays", |network| {
        crate::path(network, node, "172.30.0.0/16").is_some_and(|path| path.attributes.med == Some(6))
    });
    exabgp.command("withdraw route 172.30.0.0/16 next-hop 10.0.0.8");
    stage.wait_for_no_path("172.30.0.0/16");
    let said = stage.wait_for_words(
        "ExaBGP has no route",
        || exabgp.namespace.read("received"),
        |said| said.contains("10.1.0.0/16"),
    );
    for word in [
        "\"as-path\": [ 65001 ]",
        "\"med\": 77",
        "[ 65001, 5 ]",
        "\"origin\": \"igp\"",
        "\"10.0.0.1\": [ { \"nlri\": \"10.1.0.0/16\" } ]",
    ] {
        assert!(said.contains(word), "{word} in {said}");
    }
    stage.configure("router bgp 65001\n no network 10.1.0.0 mask 255.255.0.0\n");
    stage.wait_for_words(
        "ExaBGP keeps the route",
        || exabgp.namespace.read("received"),
        |said| said.contains("\"withdraw\": { \"ipv4 unicast\": [ { \"nlri\": \"10.1.0.0/16\" } ] }"),
    );
    assert_eq!(stage.peer().dropped, 0);
}
