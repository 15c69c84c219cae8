//! Adjacencies: coming up, staying, going down.

use netconfarena_emu::config::{Key, KeyChain, Lifetime, RouterConfig};
use netconfarena_emu::eigrp::packet::KValues;
use netconfarena_emu::eigrp::{
    AuthenticationMode, ClearEigrp, ClearedNeighbors, DownReason, EigrpInterfaceConfig, EigrpLogEvent,
    InterfaceSummary, NeighborChange, NeighborState, ResyncReason,
};
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::LinkProperties;
use netconfarena_emu::process::ProcessCommand;
use netconfarena_emu::rib::RouteOwner;
use netconfarena_emu::time::Time;

use crate::lab::{AS, Lab, addr, link_address, loopback, towards};

const PAIR: &[(usize, usize, u32)] = &[(1, 2, 10)];

fn is_up(lab: &Lab, own: usize, far: usize) -> bool {
    lab.eigrp(own).neighbors().any(|(_, n)| n.is_up() && n.address == link_address(far, own).addr())
}

fn down(reason: DownReason) -> NeighborChange {
    NeighborChange::Down(reason)
}

/// Changes what is set of EIGRP on a router's interface to another.
fn configure_interface(
    lab: &mut Lab,
    own: usize,
    far: usize,
    change: impl FnOnce(&mut EigrpInterfaceConfig),
) {
    lab.configure(own, |config| {
        let interface = config.interfaces.get_mut(&towards(far)).unwrap();
        change(interface.eigrp.entry(AS).or_default());
    });
}

#[test]
fn rfc7868_5_3_two_routers_find_each_other_at_once_and_exchange_their_tables() {
    let mut lab = Lab::new(1, 2, PAIR);
    lab.run(1500);
    for (own, far) in [(1, 2), (2, 1)] {
        let neighbors: Vec<_> = lab.eigrp(own).neighbors().map(|(_, neighbor)| neighbor).collect();
        let [neighbor] = neighbors[..] else { panic!("{neighbors:?}") };
        assert_eq!(neighbor.address, link_address(far, own).addr());
        assert_eq!(neighbor.state, NeighborState::Up);
        assert_eq!(neighbor.transport.queue_count(), 0);
        assert_eq!(neighbor.transport.retransmissions, 0);
        assert_eq!(lab.neighbor_log(own, 0), [(neighbor.address, NeighborChange::Up)]);
        assert_eq!(lab.via(own, loopback(far)), [far]);
    }
}

#[test]
fn rfc7868_5_3_a_silent_neighbor_is_given_up_after_its_hold_time() {
    let mut lab = Lab::converged(1, 2, PAIR);
    let since = lab.log_length(1);
    // All frames are lost, but the carrier stays.
    let link = lab.link(1, 2);
    let properties = *lab.network.link_properties(link).unwrap();
    lab.network.set_link_properties(link, LinkProperties { loss_ppm: 1_000_000, ..properties });
    lab.run(9_900);
    assert_eq!(lab.neighbor_log(1, since), []);
    lab.run(5_600);
    assert_eq!(lab.neighbor_log(1, since), [(addr("10.1.2.2"), down(DownReason::HoldingTimeExpired))]);
    assert_eq!(lab.route(1, loopback(2)), None);
}

#[test]
fn hello_interval_and_hold_time_are_those_configured() {
    let mut lab = Lab::converged(1, 2, PAIR);
    configure_interface(&mut lab, 2, 1, |settings| {
        (settings.hello_interval, settings.hold_time) = (Some(1), Some(3));
    });
    lab.run(5_000);
    let (key, neighbor) = lab.eigrp(1).neighbors().next().unwrap();
    assert_eq!(neighbor.hold_time.as_secs(), 3);
    let left = lab.eigrp(1).holds_until(key).unwrap().since(lab.network.now());
    assert!(left.as_millis() > 1900, "{left:?}");
    let before = lab.eigrp(2).traffic.sent.hellos;
    lab.run(10_000);
    assert!((10..=12).contains(&(lab.eigrp(2).traffic.sent.hellos - before)));
}

#[test]
fn rfc7868_5_6_1_other_k_values_make_no_neighbor() {
    let mut lab = Lab::converged(1, 2, PAIR);
    let since = lab.log_length(2);
    lab.configure_eigrp(1, |config| config.metric_weights = Some(KValues { k2: 1, ..KValues::default() }));
    lab.run(6_000);
    assert!(!is_up(&lab, 1, 2) && !is_up(&lab, 2, 1));
    let changes = lab.neighbor_log(2, since);
    assert!(changes.contains(&(addr("10.1.2.1"), down(DownReason::KValueMismatch))), "{changes:?}");
    lab.configure_eigrp(2, |config| config.metric_weights = Some(KValues { k2: 1, ..KValues::default() }));
    lab.run(6_000);
    assert!(is_up(&lab, 1, 2) && is_up(&lab, 2, 1));
}

#[test]
fn another_as_is_not_spoken_to() {
    let mut lab = Lab::new(1, 2, PAIR);
    lab.configure(2, |config| {
        let router = config.eigrp.classic.remove(&AS).unwrap();
        config.eigrp.classic.insert(AS + 1, router);
    });
    lab.run(10_000);
    assert_eq!(lab.eigrp(1).neighbors().count(), 0);
}

#[test]
fn a_passive_interface_has_no_neighbors_but_its_subnet_is_told() {
    let mut lab = Lab::converged(1, 3, &[(1, 2, 10), (2, 3, 10)]);
    let since = lab.log_length(1);
    lab.configure_eigrp(2, |config| {
        config.passive_exceptions.insert(towards(1));
    });
    lab.run(1_000);
    assert_eq!(lab.neighbor_log(1, since), [(addr("10.1.2.2"), down(DownReason::GoodbyeReceived))]);
    let last = lab.neighbor_log(2, 0).pop().unwrap();
    assert_eq!(last, (addr("10.1.2.1"), down(DownReason::InterfacePassive)));
    assert!(lab.route(3, link_address(1, 2).trunc()).is_some());
    assert_eq!(lab.route(3, loopback(1)), None);
    lab.configure_eigrp(2, |config| config.passive_exceptions.clear());
    lab.run(6_000);
    assert!(is_up(&lab, 1, 2) && lab.route(3, loopback(1)).is_some());
}

#[test]
fn passive_by_default_with_exceptions() {
    let mut lab = Lab::converged(1, 3, &[(1, 2, 10), (2, 3, 10)]);
    lab.configure_eigrp(2, |config| {
        config.passive_default = true;
        config.passive_exceptions.insert(towards(3));
    });
    lab.run(1_000);
    assert!(!is_up(&lab, 2, 1) && is_up(&lab, 2, 3));
}

#[test]
fn rfc7868_5_3_3_goodbye_is_said_when_the_instance_is_shut_down_or_removed() {
    for remove in [false, true] {
        let mut lab = Lab::converged(1, 2, PAIR);
        let since = lab.log_length(1);
        lab.configure(2, |config| {
            if remove {
                config.eigrp.classic.clear();
            } else {
                config.eigrp.classic.get_mut(&AS).unwrap().global.shutdown = true;
            }
        });
        lab.run(100);
        assert_eq!(lab.neighbor_log(1, since), [(addr("10.1.2.2"), down(DownReason::GoodbyeReceived))]);
        assert_eq!(lab.route(2, loopback(1)), None);
        lab.run(10_000);
        assert_eq!(lab.eigrp(1).neighbors().count(), 0);
    }
}

#[test]
fn an_interface_that_goes_down_takes_its_neighbors_at_once() {
    let mut lab = Lab::converged(1, 2, PAIR);
    let since = lab.log_length(1);
    lab.network.set_link_up(lab.link(1, 2), false);
    lab.run(1);
    assert_eq!(lab.neighbor_log(1, since), [(addr("10.1.2.2"), down(DownReason::InterfaceDown))]);
    assert_eq!(lab.route(1, loopback(2)), None);
}

#[test]
fn a_router_that_reloads_is_noticed_before_the_hold_time_is_over() {
    let mut lab = Lab::converged(1, 3, &[(1, 2, 10), (2, 3, 10)]);
    let node = lab.node(2);
    lab.network.router_mut(node).save_config();
    lab.network.reload(node);
    lab.converge();
    assert!(is_up(&lab, 1, 2) && is_up(&lab, 3, 2));
    assert_eq!(lab.via(1, loopback(3)), [2]);
}

#[test]
fn clearing_neighbors_brings_them_back() {
    let mut lab = Lab::converged(1, 2, PAIR);
    let (since, node) = (lab.log_length(2), lab.node(1));
    assert!(lab.network.restart_process(node, netconfarena_emu::rib::RouteOwner::Eigrp(AS)));
    lab.run(6_000);
    assert!(is_up(&lab, 1, 2) && is_up(&lab, 2, 1));
    let expected = [
        (addr("10.1.2.1"), down(DownReason::PeerTerminationReceived)),
        (addr("10.1.2.1"), NeighborChange::Up),
    ];
    assert_eq!(lab.neighbor_log(2, since), expected);
}

fn clear(lab: &mut Lab, router: usize, neighbors: ClearedNeighbors, soft: bool) {
    let command = ProcessCommand::ClearEigrp(ClearEigrp { vrf: VrfId::GLOBAL, neighbors, soft });
    let node = lab.node(router);
    assert!(lab.network.command_process(node, RouteOwner::Eigrp(AS), &command));
}

#[test]
fn one_neighbor_or_those_on_an_interface_can_be_cleared_alone() {
    let mut lab = Lab::converged(1, 3, &[(1, 2, 10), (1, 3, 10)]);
    let third = lab.network.router(lab.node(1)).interfaces().by_name(towards(3)).unwrap().index;
    let by_address = ClearedNeighbors::Address(link_address(2, 1).addr());
    for (which, gone) in [(by_address, 2), (ClearedNeighbors::Interface(third), 3)] {
        let since = lab.log_length(1);
        clear(&mut lab, 1, which, false);
        let gone = link_address(gone, 1).addr();
        assert_eq!(lab.neighbor_log(1, since), [(gone, down(DownReason::ManuallyCleared))]);
        lab.run(6_000);
    }
}

#[test]
fn rfc7868_6_2_a_soft_clear_restarts_gracefully_routes_stay_and_what_is_not_told_again_goes() {
    let mut lab = Lab::converged(1, 3, &[(1, 2, 10), (2, 3, 10)]);
    let since = [1, 2].map(|router| lab.log_length(router));
    let before = lab.eigrp(1).topology.clone();
    clear(&mut lab, 1, ClearedNeighbors::All, true);
    // No neighbor goes, and no route at any instant.
    for _ in 0..200 {
        lab.run(10);
        assert_eq!((lab.via(1, loopback(3)), lab.via(3, loopback(1))), (vec![2], vec![2]));
    }
    assert_eq!(lab.eigrp(1).topology, before);
    let resync =
        |router: usize, reason| [(link_address(3 - router, router).addr(), NeighborChange::Resync(reason))];
    assert_eq!(lab.neighbor_log(1, since[0]), resync(1, ResyncReason::ManuallyCleared));
    assert_eq!(lab.neighbor_log(2, since[1]), resync(2, ResyncReason::PeerGracefulRestart));
    // A summary makes the neighbor forget the components, which are not in the table that it is told then.
    configure_interface(&mut lab, 2, 1, |interface| {
        interface.summaries.insert("192.168.0.0/24".parse().unwrap(), InterfaceSummary::default());
    });
    lab.run(1_000);
    assert_eq!(lab.via(1, loopback(3)), [0; 0], "the summary stands for it");
    assert_eq!(lab.via(1, "192.168.0.0/24".parse().unwrap()), [2]);
    assert_eq!(lab.neighbor_log(1, since[0])[1].1, NeighborChange::Resync(ResyncReason::PeerGracefulRestart));
}

#[test]
fn a_neighbor_on_another_subnet_is_not_taken() {
    let mut lab = Lab::new(1, 2, PAIR);
    lab.configure(2, |config| {
        config.interfaces.get_mut(&towards(1)).unwrap().address = Some(crate::lab::net("10.9.9.2/24"));
    });
    lab.run(10_000);
    assert_eq!(lab.eigrp(1).neighbors().count(), 0);
    let blocked = lab.network.router(lab.node(1)).log().iter().any(|entry| {
        matches!(&entry.event, LogEvent::Eigrp(EigrpLogEvent::NotOnCommonSubnet { neighbor, .. })
            if *neighbor == addr("10.9.9.2"))
    });
    assert!(blocked);
}

#[test]
fn a_lossy_link_slows_down_but_does_not_break() {
    let mut lab = Lab::new(5, 3, &[(1, 2, 10), (2, 3, 10)]);
    for link in [lab.link(1, 2), lab.link(2, 3)] {
        let properties = *lab.network.link_properties(link).unwrap();
        lab.network.set_link_properties(link, LinkProperties { loss_ppm: 200_000, ..properties });
    }
    lab.run(60_000);
    let retransmissions: u32 = lab.eigrp(2).neighbors().map(|(_, n)| n.transport.retransmissions).sum();
    assert!(retransmissions > 0);
    for link in [lab.link(1, 2), lab.link(2, 3)] {
        let properties = *lab.network.link_properties(link).unwrap();
        lab.network.set_link_properties(link, LinkProperties { loss_ppm: 0, ..properties });
    }
    lab.converge();
    assert_eq!((lab.via(1, loopback(3)), lab.via(3, loopback(1))), (vec![2], vec![2]));
}

#[test]
fn static_neighbors_are_spoken_to_by_unicast_only() {
    let mut lab = Lab::new(1, 2, PAIR);
    for (own, far) in [(1, 2), (2, 1)] {
        lab.configure_eigrp(own, |config| {
            config.neighbors.entry(towards(far)).or_default().insert(link_address(far, own).addr());
        });
    }
    lab.network.start_capture(lab.link(1, 2));
    lab.run(20_000);
    assert!(is_up(&lab, 1, 2) && is_up(&lab, 2, 1));
    assert_eq!(lab.via(1, loopback(2)), [2]);
    let to_group = |frame: &[u8]| frame[..6] == [0x01, 0x00, 0x5e, 0x00, 0x00, 0x0a];
    let capture = lab.network.capture(lab.link(1, 2)).unwrap();
    assert!(capture.frames().iter().all(|(_, frame)| !to_group(frame)));
    // The other end by multicast again: not heard, and not spoken to.
    lab.configure_eigrp(2, |config| config.neighbors.clear());
    lab.configure_eigrp(1, |config| {
        config.neighbors.get_mut(&towards(2)).unwrap().clear();
        config.neighbors.get_mut(&towards(2)).unwrap().insert(addr("10.1.2.77"));
    });
    lab.run(20_000);
    assert!(!is_up(&lab, 1, 2));
}

fn chain(secret: &str) -> KeyChain {
    let key = Key { key_string: Some(secret.to_owned()), ..Key::default() };
    KeyChain { keys: [(1, key)].into() }
}

fn authenticate(config: &mut RouterConfig, far: usize, mode: AuthenticationMode, chain: Option<KeyChain>) {
    let settings = config.interfaces.get_mut(&towards(far)).unwrap().eigrp.entry(AS).or_default();
    settings.authentication = Some(mode);
    if let Some(chain) = chain {
        settings.key_chain = Some("KEYS".to_owned());
        config.key_chains.insert("KEYS".to_owned(), chain);
    }
}

#[test]
fn rfc7868_5_2_neighbors_authenticate_by_md5_and_by_hmac_sha_256() {
    for mode in [AuthenticationMode::Md5, AuthenticationMode::HmacSha256("unused".to_owned())] {
        let mut lab = Lab::converged(1, 2, PAIR);
        let since = lab.log_length(1);
        lab.configure(1, |config| authenticate(config, 2, mode.clone(), Some(chain("secret"))));
        lab.run(16_000);
        assert!(!is_up(&lab, 1, 2) && !is_up(&lab, 2, 1), "only one end has the key");
        let changed = (addr("10.1.2.2"), down(DownReason::AuthenticationModeChanged));
        assert_eq!(lab.neighbor_log(1, since), [changed]);
        lab.configure(2, |config| authenticate(config, 1, mode.clone(), Some(chain("wrong"))));
        lab.run(16_000);
        assert!(!is_up(&lab, 1, 2), "the keys differ");
        lab.configure(2, |config| authenticate(config, 1, mode.clone(), Some(chain("secret"))));
        lab.run(6_000);
        assert!(is_up(&lab, 1, 2) && is_up(&lab, 2, 1));
        assert_eq!(lab.via(1, loopback(2)), [2]);
    }
}

#[test]
fn a_password_without_key_chain_serves_hmac_sha_256() {
    let mut lab = Lab::new(1, 2, PAIR);
    for (own, far) in [(1, 2), (2, 1)] {
        let mode = AuthenticationMode::HmacSha256("secret".to_owned());
        lab.configure(own, |config| authenticate(config, far, mode, None));
    }
    lab.run(6_000);
    assert!(is_up(&lab, 1, 2) && is_up(&lab, 2, 1));
}

#[test]
fn keys_roll_over_by_their_lifetimes_without_losing_the_neighbor() {
    let start = Time::ZERO.unix_secs();
    let life = |from, until: Option<u64>| {
        Some(Lifetime { from: start + from, until: until.map(|until| start + until) })
    };
    let key = |text: &str, send, accept| Key {
        key_string: Some(text.to_owned()),
        send_lifetime: send,
        accept_lifetime: accept,
        ..Key::default()
    };
    let keys = [
        (1, key("old", life(0, Some(60)), life(0, Some(90)))),
        (2, key("new", life(60, None), life(30, None))),
    ];
    let mut lab = Lab::new(1, 2, PAIR);
    for (own, far) in [(1, 2), (2, 1)] {
        let keys = KeyChain { keys: keys.clone().into() };
        lab.configure(own, |config| authenticate(config, far, AuthenticationMode::Md5, Some(keys)));
    }
    lab.run(120_000);
    assert_eq!(lab.neighbor_log(1, 0), [(addr("10.1.2.2"), NeighborChange::Up)]);
    assert!(is_up(&lab, 1, 2));
}
