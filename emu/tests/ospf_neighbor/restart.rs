//! Standing by while a neighbor restarts (RFC 3623 section 3, RFC 4812).

use std::net::Ipv4Addr;

use netconfarena_emu::ids::RouterId;
use netconfarena_emu::ospf::lsa::{GraceLsa, LsAge, Lsa, Options, RestartReason, SequenceNumber};
use netconfarena_emu::ospf::packet::DdFlags;
use netconfarena_emu::ospf::{NeighborState, NetworkType};

use crate::puppet::{Stage, lsa};

const YOUNG: fn() -> LsAge = || LsAge::from_secs(1);

/// The grace LSA of the first neighbor.
fn grace(period: u32) -> Lsa {
    let grace = GraceLsa { period, reason: RestartReason::SoftwareRestart, address: None };
    let by = RouterId(Ipv4Addr::new(2, 2, 2, 2));
    Lsa::new(GraceLsa::LINK_STATE_ID, by, Options::O, SequenceNumber::INITIAL, grace.body())
}

/// R1 and full neighbors, of which the first has sent a grace LSA and says no more.
fn restarting(count: u8, period: u32) -> Stage {
    let mut stage = Stage::full(count);
    stage.flood(0, YOUNG(), &[grace(period)]);
    stage.puppets[0].silent = true;
    stage.run(1000);
    stage
}

/// Whether R1 holds the first neighbor for adjacent, and says so.
fn holds(stage: &Stage) -> bool {
    let full = stage.state(0) == Some(NeighborState::Full);
    assert_eq!(full, stage.tells_of(0), "{:?}", stage.state(0));
    full
}

#[test]
fn rfc3623_3_1_a_silent_neighbor_that_sent_a_grace_lsa_stays_adjacent_until_the_period_ends() {
    let mut stage = restarting(1, 120);
    stage.run(115_000);
    assert!(holds(&stage), "the dead interval is long over");
    stage.run(5000);
    assert!(!holds(&stage));
}

#[test]
fn rfc3623_3_1_4_a_router_that_is_not_to_help_does_not() {
    let mut stage = Stage::full(1);
    stage.configure(|ospf| ospf.no_nsf_helper = true);
    stage.flood(0, YOUNG(), &[grace(120)]);
    stage.puppets[0].silent = true;
    stage.run(45_000);
    assert!(!holds(&stage));

    let mut stage = restarting(1, 120);
    stage.run(50_000);
    stage.configure(|ospf| ospf.no_nsf_helper = true);
    stage.run(100);
    assert!(!holds(&stage), "nor any longer");
}

#[test]
fn rfc3623_3_1_3_the_age_of_the_grace_lsa_counts_and_longer_periods_than_ls_refresh_time_do_not() {
    for (age, period) in [(120, 120), (1, 1801)] {
        let mut stage = Stage::full(1);
        stage.flood(0, LsAge::from_secs(age), &[grace(period)]);
        stage.puppets[0].silent = true;
        stage.run(45_000);
        assert!(!holds(&stage), "{age} of {period}");
    }
    let mut stage = Stage::full(1);
    stage.flood(0, LsAge::from_secs(60), &[grace(120)]);
    stage.puppets[0].silent = true;
    stage.run(55_000);
    assert!(holds(&stage));
    stage.run(10_000);
    assert!(!holds(&stage));
}

#[test]
fn rfc3623_3_2_1_a_flushed_grace_lsa_ends_the_help() {
    let mut stage = restarting(1, 600);
    stage.run(50_000);
    assert!(holds(&stage));
    stage.flood(0, LsAge::MAX, &[grace(600)]);
    stage.run(200);
    assert!(!holds(&stage), "it was not heard for longer than the dead interval");

    let mut stage = restarting(1, 600);
    stage.run(50_000);
    stage.puppets[0].silent = false;
    stage.run(10_000);
    stage.flood(0, LsAge::MAX, &[grace(600)]);
    stage.run(200);
    assert!(holds(&stage), "it has come back");
}

#[test]
fn rfc3623_3_2_3_strict_checking_ends_the_help_with_a_changed_lsa_but_not_with_a_refreshed_one() {
    for (strict, other, helps) in
        [(true, lsa(1, 2), true), (true, lsa(2, 1), false), (false, lsa(2, 1), true)]
    {
        let mut stage = Stage::full(2);
        stage.configure(|ospf| ospf.nsf_strict_lsa_checking = strict);
        stage.flood(1, YOUNG(), &[lsa(1, 1)]);
        stage.run(1000);
        stage.flood(0, YOUNG(), &[grace(600)]);
        stage.puppets[0].silent = true;
        stage.run(50_000);
        assert!(holds(&stage));
        stage.flood(1, YOUNG(), std::slice::from_ref(&other));
        stage.run(200);
        assert_eq!(holds(&stage), helps, "strict {strict}, {other:?}");
    }
}

#[test]
fn rfc3623_3_1_2_with_strict_checking_a_neighbor_that_has_missed_a_change_is_not_helped() {
    for strict in [true, false] {
        let mut stage = Stage::full(2);
        stage.configure(|ospf| ospf.nsf_strict_lsa_checking = strict);
        stage.puppets[0].acknowledges = false;
        stage.flood(1, YOUNG(), &[lsa(1, 1)]);
        stage.run(1000);
        stage.flood(0, YOUNG(), &[grace(600)]);
        stage.puppets[0].silent = true;
        stage.run(50_000);
        assert_eq!(holds(&stage), !strict);
    }
}

#[test]
fn rfc3623_3_the_adjacency_is_told_while_the_neighbor_that_has_restarted_exchanges_databases() {
    let mut stage = restarting(1, 600);
    stage.puppets[0].silent = false;
    stage.puppets[0].sees_r1 = false;
    stage.run(20_000);
    assert!(holds(&stage), "its hellos do not list R1");
    stage.puppets[0].sees_r1 = true;
    stage.puppets[0].describes = false;
    stage.run(10_000);
    stage.describe(0, DdFlags { init: true, more: true, master: true }, 4711, Vec::new());
    stage.run(1000);
    assert_eq!(stage.state(0), Some(NeighborState::ExStart));
    assert!(stage.tells_of(0));
    stage.puppets[0].describes = true;
    stage.run(10_000);
    assert!(holds(&stage));
}

#[test]
fn rfc4812_3_1_a_full_neighbor_that_signals_its_restart_need_not_list_the_router() {
    for (helper, helps) in [(true, true), (false, false)] {
        let mut stage = Stage::full(1);
        stage.configure(|ospf| ospf.no_cisco_nsf_helper = !helper);
        stage.puppets[0].restart_signal = true;
        stage.puppets[0].sees_r1 = false;
        stage.run(25_000);
        assert_eq!(holds(&stage), helps);
        stage.run(30_000);
        assert_eq!(stage.state(0), Some(NeighborState::Init), "the dead interval is over");
    }
}

/// R1 with a full neighbor that is the DR of an Ethernet.
fn on_ethernet() -> Stage {
    let mut stage = Stage::full(1);
    stage.configure_interface(0, |ospf| ospf.network_type = Some(NetworkType::Broadcast));
    stage.puppets[0].designated = true;
    stage.run(60_000);
    assert_eq!(stage.state(0), Some(NeighborState::Full));
    stage
}

#[test]
fn rfc3623_3_1_on_a_network_the_address_in_the_grace_lsa_says_who_restarts() {
    let address = |text: &str| Some(text.parse::<Ipv4Addr>().unwrap());
    for (address, helps) in [(address("10.0.0.2"), true), (address("10.0.0.3"), false), (None, false)] {
        let mut stage = on_ethernet();
        let grace = GraceLsa { period: 600, reason: RestartReason::Unknown, address };
        let by = RouterId(Ipv4Addr::new(2, 2, 2, 2));
        let lsa = Lsa::new(GraceLsa::LINK_STATE_ID, by, Options::O, SequenceNumber::INITIAL, grace.body());
        stage.flood(0, YOUNG(), &[lsa]);
        stage.puppets[0].silent = true;
        stage.run(60_000);
        assert_eq!(stage.state(0) == Some(NeighborState::Full), helps, "{address:?}");
    }
}

#[test]
fn rfc3623_3_a_designated_router_that_restarts_stays_designated() {
    let mut stage = on_ethernet();
    let dr = |stage: &Stage| stage.ospf().interfaces.values().next().unwrap().designated_router;
    let before = dr(&stage);
    assert_eq!(before, stage.puppets[0].address);
    let grace = GraceLsa { period: 100, reason: RestartReason::Unknown, address: Some(before) };
    let by = RouterId(Ipv4Addr::new(2, 2, 2, 2));
    let lsa = Lsa::new(GraceLsa::LINK_STATE_ID, by, Options::O, SequenceNumber::INITIAL, grace.body());
    stage.flood(0, YOUNG(), &[lsa]);
    // It does not know any more who is DR.
    stage.puppets[0].designated = false;
    stage.run(80_000);
    assert_eq!(dr(&stage), before);
    stage.run(40_000);
    assert_ne!(dr(&stage), before, "the period is over");
}
