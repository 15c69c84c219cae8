//! BIRD as an external peer.

use std::time::Duration;

use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::packet::Notification;

use crate::namespace::Namespace;
use crate::{Stage, texts};

const BIRD: &str = "10.0.0.9";

/// BIRD's configuration. Four static routes: a plain one, one with many attributes, one in a protocol of its own, 200 of the same kind.
fn config(password: &str) -> String {
    let many: String = (0..200).map(|n| format!("  route 192.168.{n}.0/24 blackhole;\n")).collect();
    format!(
        "router id 9.9.9.9;\n\
         protocol device {{ }}\n\
         protocol static plain {{ ipv4; route 172.16.0.0/16 blackhole; }}\n\
         protocol static rich {{ ipv4; route 172.17.0.0/16 blackhole; }}\n\
         protocol static many {{\n  ipv4;\n{many}}}\n\
         protocol bgp peer {{\n  local {BIRD} as 65010; neighbor 10.0.0.1 as 65001; password \"{password}\";\n  \
         hold time 9; keepalive time 3; connect delay time 1; error wait time 1, 2; enable extended messages on;\n  \
         ipv4 {{ import all; export filter {{\n    if source != RTS_STATIC then reject;\n    \
         if net = 172.17.0.0/16 then {{ bgp_med = 55; bgp_community.add((65010,7)); bgp_large_community.add((1,2,3)); \
         bgp_ext_community.add((rt,65010,9)); bgp_path.prepend(4200000000); }}\n    accept;\n  }}; }};\n}}\n"
    )
}

const NEIGHBOR: &str = " neighbor 10.0.0.9 remote-as 65010\n neighbor 10.0.0.9 password secret\n neighbor 10.0.0.9 timers 3 9\n \
    neighbor 10.0.0.9 send-community both\n neighbor 10.0.0.9 advertisement-interval 0\n neighbor 10.0.0.9 route-map OUT out\n \
    network 10.1.0.0 mask 255.255.0.0\n network 10.2.0.0 mask 255.255.0.0\n";

const ROUTES: &str = "ip route 10.1.0.0 255.255.0.0 Null0\nip route 10.2.0.0 255.255.0.0 Null0\n\
    ip prefix-list RICH seq 5 permit 10.1.0.0/16\n!\n\
    route-map OUT permit 10\n match ip address prefix-list RICH\n set community 65001:5 65001:6\n set metric 77\n \
    set as-path prepend 65001 65001\n set extcommunity rt 65001:8\n!\nroute-map OUT permit 20\n";

struct Bird {
    namespace: Namespace,
}

impl Bird {
    /// A namespace for BIRD, if it can run.
    fn prepare() -> Option<Self> {
        Namespace::for_program("bird", "bird2").map(|namespace| Self { namespace })
    }

    fn start(&mut self, password: &str) {
        let file = self.namespace.write("bird.conf", &config(password));
        let (socket, pid) = (self.namespace.path("socket"), self.namespace.path("pid"));
        self.namespace.start(&["bird", "-f", "-c", &file, "-s", &socket, "-P", &pid]);
    }

    fn ask(&self, command: &str) -> String {
        let socket = self.namespace.path("socket");
        let mut words = vec!["birdc", "-s", &socket];
        words.extend(command.split(' '));
        self.namespace.run(&words)
    }
}

/// A session with MD5 on which both sides have told their routes.
fn with_session() -> Option<(Bird, Stage)> {
    let mut bird = Bird::prepare()?;
    let mut stage = Stage::new(&bird.namespace, BIRD, NEIGHBOR, ROUTES);
    bird.start("secret");
    stage.wait_for_session();
    for prefix in ["172.16.0.0/16", "172.17.0.0/16", "192.168.199.0/24"] {
        stage.wait_for_path(prefix);
    }
    stage.wait_for_words(
        "BIRD has no route",
        || bird.ask("show route 10.1.0.0/16"),
        |said| said.contains("10.1.0.0/16"),
    );
    Some((bird, stage))
}

#[test]
fn routes_and_attributes_agree_both_ways_over_a_session_with_md5() {
    let Some((bird, mut stage)) = with_session() else { return };
    let plain = stage.path("172.16.0.0/16").unwrap();
    assert_eq!(plain.attributes.as_path.to_string(), "65010");
    assert_eq!(plain.attributes.next_hop.to_string(), BIRD);
    assert_eq!((plain.attributes.med, plain.attributes.local_preference), (None, None));
    assert_eq!(plain.router_id.0.to_string(), "9.9.9.9");
    let rich = &stage.path("172.17.0.0/16").unwrap().attributes;
    assert_eq!(rich.as_path.to_string(), "65010 4200000000");
    assert_eq!(rich.med, Some(55));
    assert_eq!(texts(&rich.communities), ["65010:7"]);
    assert_eq!(texts(&rich.large_communities), ["1:2:3"]);
    assert_eq!(texts(&rich.extended_communities), ["RT:65010:9"]);
    assert_eq!(stage.peer().routes_in.current, 202);
    let said = bird.ask("show route 10.1.0.0/16 all");
    for line in [
        "BGP.origin: IGP",
        "BGP.as_path: 65001 65001 65001",
        "BGP.next_hop: 10.0.0.1",
        "BGP.med: 77",
        "BGP.community: (65001,5) (65001,6)",
        "BGP.ext_community: (rt, 65001, 8)",
    ] {
        assert!(said.contains(line), "{line} in {said}");
    }
    let said = bird.ask("show route 10.2.0.0/16 all");
    assert!(said.contains("BGP.as_path: 65001\n") && !said.contains("BGP.community"), "{said}");
    let said = bird.ask("show protocols all peer");
    for line in ["Established", "Route refresh", "Enhanced refresh", "4-octet AS numbers", "Extended message"]
    {
        assert!(said.contains(line), "{line} in {said}");
    }
    // The session lives by keepalives, many hold times long.
    stage.run(12_000);
    assert_eq!((stage.peer().state(), stage.peer().dropped), (State::Established, 0));
    let agreed = stage.peer().session.as_ref().unwrap();
    assert_eq!(agreed.hold_time, Duration::from_secs(9));
    assert!(agreed.agreed.extended_message && agreed.agreed.enhanced_refresh && agreed.agreed.four_octet_as);
}

#[test]
fn rfc2918_7313_each_side_sends_its_routes_again_when_asked() {
    let Some((bird, mut stage)) = with_session() else { return };
    let updates = stage.peer().received.updates;
    stage.ask("clear ip bgp 10.0.0.9 soft in");
    assert_eq!(stage.peer().sent.refreshes, 1);
    let (node, address) = (stage.node, stage.peer);
    stage.wait("BIRD sends nothing again", |network| {
        crate::peer(network, node, address).received.updates > updates
    });
    stage.run(2000);
    // Begin and end mark of BIRD's answer.
    assert_eq!(stage.peer().received.refreshes, 2);
    assert_eq!(stage.peer().routes_in.current, 202, "all were confirmed");
    assert!(stage.path("172.16.0.0/16").is_some_and(|path| !path.status.stale));
    let sent = stage.peer().sent.updates;
    bird.ask("reload in peer");
    stage
        .wait("BIRD asks for nothing", |network| crate::peer(network, node, address).received.refreshes == 3);
    stage.run(2000);
    assert!(stage.peer().sent.updates > sent);
    assert!(bird.ask("show route 10.1.0.0/16").contains("10.1.0.0/16"), "the end mark has not swept it away");
    assert_eq!(stage.peer().dropped, 0);
}

#[test]
fn rfc4271_9_what_one_side_withdraws_the_other_forgets() {
    let Some((bird, mut stage)) = with_session() else { return };
    bird.ask("disable many");
    stage.wait_for_no_path("192.168.0.0/24");
    stage.wait_for_no_path("192.168.199.0/24");
    assert!(stage.path("172.16.0.0/16").is_some());
    assert_eq!(stage.peer().routes_in.current, 2);
    stage.configure("router bgp 65001\n no network 10.1.0.0 mask 255.255.0.0\n");
    let said = stage.wait_for_words(
        "BIRD keeps 10.1.0.0/16",
        || bird.ask("show route"),
        |said| !said.contains("10.1.0.0/16"),
    );
    assert!(said.contains("10.2.0.0/16"), "{said}");
    // An orderly end: NOTIFICATION, then the routes are gone, and the session comes back.
    bird.ask("disable peer");
    stage.wait_for_no_path("172.16.0.0/16");
    let reset = stage.peer().last_reset.clone().unwrap();
    let (sent, notification) = reset.notification.unwrap();
    assert_eq!((sent, notification.code, notification.subcode), (false, Notification::CEASE, 2));
    bird.ask("enable peer");
    stage.wait_for_path("172.16.0.0/16");
}

#[test]
fn rfc2385_no_session_without_the_right_password() {
    let Some(mut bird) = Bird::prepare() else { return };
    let mut stage = Stage::new(&bird.namespace, BIRD, NEIGHBOR, ROUTES);
    bird.start("another");
    stage.run(8000);
    assert!(stage.peer().state() < State::OpenSent, "{:?}", stage.peer().state());
    let log = stage.ask("show logging");
    assert!(log.contains("%TCP-6-BADAUTH: Invalid MD5 digest from 10.0.0.9"), "{log}");
    stage.configure("router bgp 65001\n neighbor 10.0.0.9 password another\n");
    stage.wait_for_session();
}
