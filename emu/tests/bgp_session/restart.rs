//! A peer that restarts (RFC 4724).

use std::time::Duration;

use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::packet::{Capability, Family, Notification, Open, Update};
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::rib::TableId;

use crate::{PEER_AS, Stage, update};

const FIRST: &str = "10.1.0.0/16";
const SECOND: &str = "10.2.0.0/16";

/// Attributes of a good route.
fn attributes() -> Vec<u8> {
    let path = [&[0x40, 2, 6, 2, 1][..], &PEER_AS.to_be_bytes()].concat();
    [&[0x40, 1, 1, 0][..], &path, &[0x40, 3, 4, 10, 0, 0, 2]].concat()
}

/// An OPEN that offers graceful restart. `kept` is the F bit: the peer still forwards by the routes that it had told.
fn open(stage: &Stage, kept: bool) -> Open {
    let mut open = stage.open();
    open.capabilities.push(Capability::GracefulRestart {
        restarting: kept,
        notification: false,
        time: 100,
        families: vec![(Family::IPV4_UNICAST, kept)],
    });
    open
}

/// A router with `bgp graceful-restart` and 200 s for stale paths, that has two routes from the peer.
fn with_routes() -> Stage {
    let mut stage = Stage::new(PEER_AS);
    let mut config = RouterConfig::clone(stage.network.router(stage.node).config());
    let restart = &mut config.bgp.as_mut().unwrap().graceful_restart;
    (restart.enabled, restart.stale_path_time) = (true, Some(200));
    stage.network.configure(stage.node, config);
    let open = open(&stage, false);
    stage.puppet.establish(&mut stage.network, &open);
    stage.say(&update(&[], &attributes(), &[16, 10, 1, 16, 10, 2]));
    assert_eq!(stage.state(), State::Established);
    assert_eq!(stale(&stage), [Some(false), Some(false)]);
    stage
}

/// Of each route: whether it is stale, if it is there.
fn stale(stage: &Stage) -> [Option<bool>; 2] {
    [FIRST, SECOND].map(|prefix| stage.path(prefix).map(|path| path.status.stale))
}

fn is_forwarded(stage: &Stage, prefix: &str) -> bool {
    stage.network.router(stage.node).rib().best(TableId::default(), prefix.parse().unwrap()).is_some()
}

fn wait(stage: &mut Stage, seconds: u64) {
    stage.puppet.run(&mut stage.network, Duration::from_secs(seconds));
}

fn come_back(stage: &mut Stage, kept: bool) {
    let open = open(stage, kept);
    stage.puppet.establish(&mut stage.network, &open);
    assert_eq!(stage.state(), State::Established);
}

#[test]
fn section_4_2_routes_of_a_peer_that_is_gone_without_a_word_stay_in_use_until_it_has_told_them_anew() {
    let mut stage = with_routes();
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 30);
    assert!(stage.state() < State::OpenSent);
    assert_eq!(stale(&stage), [Some(true), Some(true)]);
    assert!(is_forwarded(&stage, FIRST) && is_forwarded(&stage, SECOND));
    come_back(&mut stage, true);
    assert_eq!(stale(&stage), [Some(true), Some(true)]);
    stage.say(&update(&[], &attributes(), &[16, 10, 1]));
    assert_eq!(stale(&stage), [Some(false), Some(true)]);
    stage.say(&Update::end_of_rib());
    assert_eq!(stale(&stage), [Some(false), None], "what it has not told again is gone");
    assert!(!is_forwarded(&stage, SECOND));
    assert_eq!(stage.peer().routes_in.current, 1);
}

#[test]
fn section_4_2_a_peer_that_has_forgotten_how_to_forward_loses_its_routes_as_it_comes_back() {
    let mut stage = with_routes();
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 30);
    come_back(&mut stage, false);
    assert_eq!(stale(&stage), [None, None]);
    assert_eq!(stage.peer().routes_in.current, 0);
}

#[test]
fn section_4_2_a_peer_that_no_longer_speaks_of_restarts_loses_its_routes_as_it_comes_back() {
    let mut stage = with_routes();
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 30);
    let open = stage.open();
    stage.puppet.establish(&mut stage.network, &open);
    assert_eq!(stale(&stage), [None, None]);
}

#[test]
fn section_4_2_a_peer_that_does_not_come_back_within_its_restart_time_loses_its_routes() {
    let mut stage = with_routes();
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 99);
    assert_eq!(stale(&stage), [Some(true), Some(true)]);
    wait(&mut stage, 3);
    assert_eq!(stale(&stage), [None, None]);
    assert!(!is_forwarded(&stage, FIRST));
}

#[test]
fn stalepath_time_ends_the_wait_for_a_peer_that_is_back_and_never_done() {
    let mut stage = with_routes();
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 50);
    come_back(&mut stage, true);
    wait(&mut stage, 140);
    assert_eq!(stale(&stage), [Some(true), Some(true)]);
    wait(&mut stage, 15);
    assert_eq!(stale(&stage), [None, None]);
}

#[test]
fn section_4_2_a_second_restart_takes_what_is_still_stale_from_the_first() {
    let mut stage = with_routes();
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 10);
    come_back(&mut stage, true);
    stage.say(&update(&[], &attributes(), &[16, 10, 1]));
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 1);
    assert_eq!(stale(&stage), [Some(true), None]);
}

#[test]
fn section_4_a_notification_is_no_restart() {
    let mut stage = with_routes();
    stage.say(&Notification::ADMINISTRATIVE_RESET.message());
    assert_eq!(stale(&stage), [None, None]);
    let mut stage = with_routes();
    stage.say(&[0; 19]);
    assert_eq!(stale(&stage), [None, None], "nor is one of ours");
}

#[test]
fn section_5_a_peer_that_connects_again_has_restarted() {
    let mut stage = with_routes();
    // The old connection is forgotten, not closed.
    come_back(&mut stage, true);
    assert_eq!(stale(&stage), [Some(true), Some(true)]);
    stage.say(&update(&[], &attributes(), &[16, 10, 1, 16, 10, 2]));
    stage.say(&Update::end_of_rib());
    assert_eq!(stale(&stage), [Some(false), Some(false)]);
    assert_eq!((stage.peer().established, stage.peer().dropped), (2, 1));
}

#[test]
fn without_graceful_restart_routes_go_with_the_session() {
    let mut stage = Stage::new(PEER_AS);
    let open = open(&stage, true);
    stage.puppet.establish(&mut stage.network, &open);
    stage.say(&update(&[], &attributes(), &[16, 10, 1, 16, 10, 2]));
    stage.puppet.abort(&mut stage.network);
    wait(&mut stage, 1);
    assert_eq!(stale(&stage), [None, None], "this router has not offered it");
}
