//! Networks of BGP routers: sessions, propagation, reflection, confederations.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bgp_lab;

use std::time::Duration;

use bgp_lab::{Lab, addr, net};
use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::{BgpLogEvent, DownReason};
use netconfarena_emu::ids::Asn;

/// R1 (AS 1) and R2 (AS 2) on one cable, each with a network.
fn pair() -> Lab {
    let mut lab = Lab::new(&[("R1", 1), ("R2", 2)]);
    lab.cable(("R1", "10.0.12.1/24"), ("R2", "10.0.12.2/24"));
    lab.loopback("R1", "1.1.1.1").loopback("R2", "2.2.2.2");
    lab.peer("R1", "10.0.12.2", 2).peer("R2", "10.0.12.1", 1);
    lab.originate("R1", "10.1.0.0/16").originate("R2", "10.2.0.0/16");
    lab
}

#[test]
fn external_peers_exchange_routes_with_next_hop_and_as_path_of_the_sender() {
    let mut lab = pair();
    lab.run(60);
    assert_eq!(lab.state("R1", "10.0.12.2"), State::Established);
    assert_eq!(lab.as_path("R1", "10.2.0.0/16").as_deref(), Some("2"));
    let path = lab.best("R1", "10.2.0.0/16").unwrap();
    assert_eq!(path.attributes.next_hop, addr("10.0.12.2"));
    assert_eq!((path.attributes.med, path.attributes.local_preference), (Some(0), None));
    assert_eq!(path.router_id.0, addr("2.2.2.2"));
    assert_eq!(lab.route_of("R1", "10.2.0.0/16"), Some((20, vec!["10.0.12.2".to_owned()])));
    assert_eq!(lab.as_path("R2", "10.1.0.0/16").as_deref(), Some("1"));
    let up = |event: &BgpLogEvent| matches!(event, BgpLogEvent::Up { neighbor } if neighbor.address == addr("10.0.12.2"));
    assert!(lab.log("R1").iter().any(up));
    let session = lab.peer_of("R1", "10.0.12.2").session.as_ref().unwrap();
    assert_eq!((session.hold_time, session.keepalive), (Duration::from_secs(180), Duration::from_secs(60)));
}

#[test]
fn a_cable_cut_ends_an_external_session_at_once_and_its_routes_with_it() {
    let mut lab = pair();
    lab.run(60);
    let link = lab.links[&("R1".to_owned(), "R2".to_owned())];
    lab.network.set_link_up(link, false);
    lab.network.run_for(Duration::from_secs(2));
    assert_ne!(lab.state("R1", "10.0.12.2"), State::Established);
    assert_eq!(lab.best("R1", "10.2.0.0/16"), None);
    assert_eq!(lab.route_of("R1", "10.2.0.0/16"), None);
    let flap = |e: &BgpLogEvent| matches!(e, BgpLogEvent::Down { reason: DownReason::InterfaceFlap, .. });
    assert!(lab.log("R1").iter().any(flap));
    lab.network.set_link_up(link, true);
    lab.network.run_for(Duration::from_secs(60));
    assert_eq!(lab.as_path("R1", "10.2.0.0/16").as_deref(), Some("2"));
}

#[test]
fn a_session_stays_up_by_keepalives_and_falls_with_the_hold_timer() {
    let mut lab = pair();
    lab.bgp("R1").fast_external_fallover = false;
    lab.run(1000);
    assert_eq!(lab.peer_of("R1", "10.0.12.2").established, 1);
    assert_eq!(lab.peer_of("R1", "10.0.12.2").dropped, 0);
    let link = lab.links[&("R1".to_owned(), "R2".to_owned())];
    lab.network.set_link_up(link, false);
    lab.network.run_for(Duration::from_secs(100));
    assert_eq!(lab.state("R1", "10.0.12.2"), State::Established);
    lab.network.run_for(Duration::from_secs(81));
    assert_ne!(lab.state("R1", "10.0.12.2"), State::Established);
    let hold = |e: &BgpLogEvent| matches!(e, BgpLogEvent::Notification { sent: true, notification, .. } if notification.code == 4);
    assert!(lab.log("R1").iter().any(hold));
}

#[test]
fn a_peer_of_the_wrong_as_is_refused() {
    let mut lab = pair();
    lab.peer("R1", "10.0.12.2", 9);
    lab.run(60);
    assert_ne!(lab.state("R1", "10.0.12.2"), State::Established);
    let refused = |sent: bool| {
        move |e: &BgpLogEvent| match e {
            BgpLogEvent::Notification { sent: s, notification, .. } => {
                *s == sent && (notification.code, notification.subcode) == (2, 2)
            }
            _ => false,
        }
    };
    assert!(lab.log("R1").iter().any(refused(true)));
    assert!(lab.log("R2").iter().any(refused(false)));
}

/// AS 1 with R1, R2, R3 in a row, sessions over loopbacks as given; R4 of AS 4 behind R1.
fn row(sessions: &[(&str, &str)]) -> Lab {
    let mut lab = Lab::new(&[("R1", 1), ("R2", 1), ("R3", 1), ("R4", 4)]);
    lab.cable(("R1", "10.0.12.1/24"), ("R2", "10.0.12.2/24"));
    lab.cable(("R2", "10.0.23.2/24"), ("R3", "10.0.23.3/24"));
    lab.cable(("R4", "10.0.14.4/24"), ("R1", "10.0.14.1/24"));
    let id = |name: &str| format!("{0}.{0}.{0}.{0}", &name[1..]);
    for name in ["R1", "R2", "R3", "R4"] {
        lab.loopback(name, &id(name));
    }
    lab.route("R1", "2.2.2.2/32", "10.0.12.2").route("R1", "3.3.3.3/32", "10.0.12.2");
    lab.route("R2", "1.1.1.1/32", "10.0.12.1").route("R2", "3.3.3.3/32", "10.0.23.3");
    lab.route("R3", "1.1.1.1/32", "10.0.23.2").route("R3", "2.2.2.2/32", "10.0.23.2");
    lab.peer("R4", "10.0.14.1", 1).peer("R1", "10.0.14.4", 4);
    for (a, b) in sessions {
        lab.loopback_peer(a, &id(b), 1).loopback_peer(b, &id(a), 1);
    }
    lab.originate("R4", "10.4.0.0/16");
    lab
}

#[test]
fn rfc4271_9_2_internal_peers_keep_the_next_hop_and_tell_no_internal_routes() {
    let mut lab = row(&[("R1", "R2"), ("R2", "R3")]);
    lab.run(60);
    let path = lab.best("R2", "10.4.0.0/16");
    assert!(path.is_none(), "the next hop 10.0.14.4 is unknown to R2");
    let paths = &lab.instance("R2").table.get(net("10.4.0.0/16")).unwrap().paths;
    assert_eq!(paths[0].attributes.next_hop, addr("10.0.14.4"));
    assert_eq!(paths[0].attributes.local_preference, Some(100));
    assert_eq!(lab.state("R3", "2.2.2.2"), State::Established);
    assert!(lab.instance("R3").table.get(net("10.4.0.0/16")).is_none());
}

#[test]
fn next_hop_self_makes_a_border_router_the_next_hop() {
    let mut lab = row(&[("R1", "R2"), ("R1", "R3")]);
    for peer in ["2.2.2.2", "3.3.3.3"] {
        lab.neighbor("R1", peer).policy.next_hop_self = Some(netconfarena_emu::bgp::NextHopSelf::External);
    }
    lab.run(60);
    assert_eq!(lab.route_of("R3", "10.4.0.0/16"), Some((200, vec!["1.1.1.1".to_owned()])));
    assert_eq!(lab.as_path("R3", "10.4.0.0/16").as_deref(), Some("4"));
}

#[test]
fn rfc4456_8_a_reflector_marks_what_it_reflects() {
    let mut lab = row(&[("R1", "R2"), ("R2", "R3")]);
    lab.neighbor("R1", "2.2.2.2").policy.next_hop_self = Some(netconfarena_emu::bgp::NextHopSelf::External);
    lab.neighbor("R2", "3.3.3.3").policy.route_reflector_client = true;
    lab.run(60);
    let attributes = &lab.best("R3", "10.4.0.0/16").unwrap().attributes;
    assert_eq!(attributes.originator_id.unwrap().0, addr("1.1.1.1"));
    assert_eq!(attributes.cluster_list.len(), 1);
    assert_eq!(attributes.cluster_list[0].0, addr("2.2.2.2"));
    assert_eq!(attributes.next_hop, addr("1.1.1.1"), "the reflector leaves the next hop alone");
}

#[test]
fn rfc5065_4_members_of_a_confederation_look_like_one_as_from_outside() {
    let mut lab = Lab::new(&[("R1", 65001), ("R2", 65002), ("R3", 3)]);
    lab.cable(("R1", "10.0.12.1/24"), ("R2", "10.0.12.2/24"));
    lab.cable(("R2", "10.0.23.2/24"), ("R3", "10.0.23.3/24"));
    for (name, other) in [("R1", 65002), ("R2", 65001)] {
        lab.bgp(name).confederation = Some(Asn(100));
        lab.bgp(name).confederation_peers.insert(Asn(other));
    }
    lab.peer("R1", "10.0.12.2", 65002).peer("R2", "10.0.12.1", 65001);
    lab.peer("R2", "10.0.23.3", 3).peer("R3", "10.0.23.2", 100);
    lab.originate("R1", "10.1.0.0/16").originate("R3", "10.3.0.0/16");
    lab.route("R1", "10.0.23.0/24", "10.0.12.2");
    lab.run(60);
    assert_eq!(lab.as_path("R2", "10.1.0.0/16").as_deref(), Some("(65001)"));
    assert_eq!(lab.as_path("R3", "10.1.0.0/16").as_deref(), Some("100"));
    assert_eq!(lab.as_path("R1", "10.3.0.0/16").as_deref(), Some("(65002) 3"));
    assert_eq!(lab.best("R1", "10.3.0.0/16").unwrap().attributes.next_hop, addr("10.0.23.3"));
    assert_eq!(lab.route_of("R1", "10.3.0.0/16").unwrap().0, 200);
}

#[test]
fn a_fork_of_a_network_with_sessions_has_the_same_future() {
    let mut lab = pair();
    lab.run(5);
    let mut fork = lab.network.clone();
    lab.originate("R1", "10.9.0.0/16");
    let config = {
        lab.apply();
        lab.network.router(lab.node("R1")).config().as_ref().clone()
    };
    fork.configure(lab.node("R1"), config);
    lab.network.run_for(Duration::from_secs(300));
    fork.run_for(Duration::from_secs(300));
    let of = |network: &netconfarena_emu::network::Network| {
        (0..2)
            .map(|n| network.router(netconfarena_emu::ids::NodeIndex(n)).bgp().unwrap().clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&lab.network), of(&fork));
    assert_eq!(lab.as_path("R2", "10.9.0.0/16").as_deref(), Some("1"));
}
