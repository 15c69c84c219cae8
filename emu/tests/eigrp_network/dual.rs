//! Worked scenarios of DUAL (RFC 7868 section 3.5), step by step: R1 between the neighbors A, B and C, which the test plays. Each
//! link adds 10 to a distance. Distances are in tens of microseconds; `None` is unreachable.
//!
//! | event of figure 1 | what happens | tests |
//! |---|---|---|
//! | 1 | another neighbor asks | answered at once, also about the unknown |
//! | 2 | something feasible is left | a feasible successor takes over; also when the successor asks |
//! | 3, 13 | the successor asks, nothing feasible | active 3; the answer waits for the end; without others to ask, at once |
//! | 4, 8, 15 | an update, a slower link, a lost neighbor | active 1; replies end it |
//! | 5, 12, 13, 16 | the successor asks while active | active 2; then 3 anew, or a feasible successor |
//! | 6 | another one asks while active | hears what the queries say |
//! | 9, 11, 14, 15 | the way by the successor becomes longer while active 1 | active 0; then 1 anew, or a feasible successor |
//! | 10, 16 | the same while active 3 | active 2 |
//! | section 3.6 | no reply for long | SIA queries, answers, three of them at most |
//!
//! Whole networks are in `scenarios.rs`.

use netconfarena_emu::eigrp::packet::Opcode::{Query, Reply, SiaQuery, SiaReply, Update};
use netconfarena_emu::eigrp::{DownReason, DualState, EigrpLogEvent, NeighborChange, QueryOrigin};
use netconfarena_emu::log::LogEvent;

use crate::lab::{net, towards};
use crate::puppet::{DESTINATION, Stage};

const A: usize = 0;
const B: usize = 1;
const C: usize = 2;

const PASSIVE: DualState = DualState::Passive;
const ACTIVE_0: DualState = DualState::Active(QueryOrigin::MetricIncrease);
const ACTIVE_1: DualState = DualState::Active(QueryOrigin::Local);
const ACTIVE_2: DualState = DualState::Active(QueryOrigin::Multiple);
const ACTIVE_3: DualState = DualState::Active(QueryOrigin::Successor);

/// R1 reaches the destination by A at 20; C knows a way that is not feasible.
fn stage(by_c: u32) -> Stage {
    let mut stage = Stage::new(3);
    stage.say(A, Update, Some(10));
    stage.say(C, Update, Some(by_c));
    assert_eq!(stage.state(), (PASSIVE, Some(20)));
    assert_eq!(stage.forwards_to(), [A]);
    assert_eq!(stage.heard(B), [(Update, Some(20))]);
    assert_eq!(stage.heard(A), [(Update, None)], "poison reverse");
    stage.forget();
    stage
}

#[test]
fn rfc7868_3_5_event_1_a_query_of_another_neighbor_is_answered_at_once() {
    let mut stage = stage(15);
    stage.say(C, Query, Some(30));
    assert_eq!(stage.state(), (PASSIVE, Some(20)));
    assert_eq!(stage.heard(C), [(Reply, Some(20))]);
    assert_eq!((stage.heard(A), stage.heard(B)), (vec![], vec![]));
    // Its metric is taken in: C is no feasible successor any more.
    stage.say(A, Update, None);
    assert_eq!(stage.state().0, ACTIVE_1);
}

#[test]
fn rfc7868_3_5_event_1_a_query_for_what_nobody_knows_is_answered_with_unreachable() {
    let mut stage = Stage::new(2);
    stage.say(B, Query, None);
    assert_eq!(stage.state(), (PASSIVE, None));
    assert_eq!((stage.heard(B), stage.heard(A)), (vec![(Reply, None)], vec![]));
}

#[test]
fn rfc7868_3_5_event_2_a_feasible_successor_takes_over_without_a_query() {
    let mut stage = stage(12);
    stage.say(A, Update, Some(13));
    // By A it is 23 now, by C 22, and C's 12 is less than FD.
    assert_eq!(stage.state(), (PASSIVE, Some(20)));
    assert_eq!(stage.forwards_to(), [C]);
    assert_eq!(stage.heard(B), [(Update, Some(22))]);
    assert_eq!(stage.heard(A), [(Update, Some(22))]);
    assert_eq!(stage.heard(C), [(Update, None)], "poison reverse");
    // A change that does not concern the successor is told nobody.
    stage.say(B, Update, Some(40));
    assert_eq!((stage.heard(A), stage.heard(C)), (vec![], vec![]));
}

#[test]
fn rfc7868_3_5_event_2_also_when_it_is_the_successor_that_asks() {
    let mut stage = stage(12);
    stage.say(A, Query, None);
    assert_eq!(stage.state(), (PASSIVE, Some(20)));
    assert_eq!(stage.forwards_to(), [C]);
    assert_eq!(stage.heard(A), [(Update, Some(22)), (Reply, Some(22))]);
    assert_eq!(stage.heard(B), [(Update, Some(22))]);
}

#[test]
fn rfc7868_3_5_events_4_8_and_15_an_update_without_a_feasible_successor() {
    let mut stage = stage(25);
    stage.say(A, Update, None);
    assert_eq!(stage.state().0, ACTIVE_1);
    assert_eq!(stage.forwards_to(), [0; 0]);
    assert_eq!(stage.heard(B), [(Query, None)]);
    assert_eq!(stage.heard(C), [(Query, None)]);
    assert_eq!(stage.heard(A), [], "split horizon: A has never heard of a way by R1");
    stage.say(B, Reply, None);
    assert_eq!(stage.state().0, ACTIVE_1);
    assert_eq!(stage.heard(B), [], "nothing is told while active");
    stage.say(C, Reply, Some(25));
    assert_eq!(stage.state(), (PASSIVE, Some(35)));
    assert_eq!(stage.forwards_to(), [C]);
    assert_eq!((stage.heard(A), stage.heard(B)), (vec![(Update, Some(35))], vec![(Update, Some(35))]));
    assert_eq!(stage.heard(C), [(Update, None)]);
}

#[test]
fn rfc7868_3_5_event_4_a_link_that_becomes_slower() {
    let mut stage = stage(25);
    let mut config = netconfarena_emu::config::RouterConfig::clone(stage.network.router(stage.r1).config());
    config.interfaces.get_mut(&towards(1)).unwrap().delay_tens_us = Some(40);
    stage.network.configure(stage.r1, config);
    stage.run(100);
    // By A it is 50, by C 35, but C's 25 is not less than FD, 20.
    assert_eq!(stage.state(), (ACTIVE_1, Some(50)));
    assert_eq!(stage.forwards_to(), [A], "while active the successor stays");
    assert_eq!((stage.heard(B), stage.heard(C)), (vec![(Query, Some(50))], vec![(Query, Some(50))]));
    assert_eq!(stage.heard(A), [(Query, None)]);
    for puppet in [A, B, C] {
        let known = [Some(10), None, Some(25)];
        stage.say(puppet, Reply, known[puppet]);
    }
    assert_eq!(stage.state(), (PASSIVE, Some(35)));
    assert_eq!(stage.forwards_to(), [C]);
}

#[test]
fn rfc7868_3_5_events_3_and_13_the_successor_asks() {
    let mut stage = stage(25);
    stage.say(A, Query, None);
    assert_eq!(stage.state().0, ACTIVE_3);
    assert_eq!((stage.heard(B), stage.heard(C)), (vec![(Query, None)], vec![(Query, None)]));
    assert_eq!(stage.heard(A), [], "who asks waits for the end");
    stage.say(C, Reply, Some(25));
    assert_eq!(stage.state().0, ACTIVE_3);
    stage.say(B, Reply, None);
    assert_eq!(stage.state(), (PASSIVE, Some(35)));
    assert!(stage.heard(A).contains(&(Reply, Some(35))));
    assert_eq!(stage.heard(B), [(Update, Some(35))]);
}

#[test]
fn rfc7868_3_5_event_3_without_anybody_else_to_ask() {
    let mut stage = Stage::new(1);
    stage.say(A, Update, Some(10));
    stage.forget();
    stage.say(A, Query, None);
    assert_eq!(stage.state(), (PASSIVE, None));
    assert!(stage.destination().is_none(), "nothing is left of it");
    assert_eq!(stage.heard(A), [(Reply, None)]);
}

#[test]
fn rfc7868_3_5_event_6_others_who_ask_while_active_hear_what_the_queries_say() {
    let mut stage = stage(25);
    stage.say(A, Update, Some(30));
    assert_eq!(stage.state(), (ACTIVE_1, Some(40)));
    stage.forget();
    stage.say(B, Query, None);
    assert_eq!(stage.state(), (ACTIVE_1, Some(40)));
    assert_eq!(stage.heard(B), [(Reply, Some(40))]);
}

#[test]
fn rfc7868_3_5_events_5_12_and_13_the_successor_asks_while_active() {
    let mut stage = stage(40);
    stage.say(A, Update, Some(30));
    assert_eq!(stage.state(), (ACTIVE_1, Some(40)));
    stage.say(A, Query, Some(60));
    assert_eq!(stage.state().0, ACTIVE_2);
    stage.forget();
    stage.say(A, Reply, Some(60));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(40));
    // C's 40 is not less than 40, with which the computation began: all are asked again, but for A, which waits itself.
    assert_eq!(stage.state(), (ACTIVE_3, Some(70)));
    assert_eq!((stage.heard(B), stage.heard(C)), (vec![(Query, Some(70))], vec![(Query, Some(70))]));
    assert_eq!(stage.heard(A), []);
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(40));
    assert_eq!(stage.state(), (PASSIVE, Some(50)));
    assert!(stage.heard(A).contains(&(Reply, Some(50))));
}

#[test]
fn rfc7868_3_5_events_5_and_16_and_then_a_feasible_successor_is_found() {
    let mut stage = stage(40);
    stage.say(A, Update, Some(30));
    stage.say(A, Query, Some(60));
    stage.forget();
    stage.say(A, Reply, Some(60));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(35));
    assert_eq!(stage.state(), (PASSIVE, Some(40)), "FD is the one with which the computation began");
    assert_eq!(stage.forwards_to(), [C]);
    assert!(stage.heard(A).contains(&(Reply, Some(45))));
}

#[test]
fn rfc7868_3_5_events_9_11_and_15_the_way_by_the_successor_becomes_longer_while_active() {
    let mut stage = stage(45);
    stage.say(A, Update, Some(30));
    assert_eq!(stage.state(), (ACTIVE_1, Some(40)));
    stage.say(A, Update, Some(50));
    assert_eq!(stage.state(), (ACTIVE_0, Some(40)));
    stage.forget();
    stage.say(A, Reply, Some(50));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(45));
    assert_eq!(stage.state(), (ACTIVE_1, Some(60)));
    assert_eq!((stage.heard(B), stage.heard(C)), (vec![(Query, Some(60))], vec![(Query, Some(60))]));
    stage.say(A, Reply, Some(50));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(45));
    assert_eq!(stage.state(), (PASSIVE, Some(55)));
    assert_eq!(stage.forwards_to(), [C]);
}

#[test]
fn rfc7868_3_5_events_9_and_14_and_then_a_feasible_successor_is_found() {
    let mut stage = stage(45);
    stage.say(A, Update, Some(30));
    stage.say(A, Update, Some(50));
    stage.forget();
    stage.say(A, Reply, Some(50));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(25));
    assert_eq!(stage.state(), (PASSIVE, Some(35)));
    assert_eq!(stage.forwards_to(), [C]);
    assert_eq!(stage.heard(B), [(Update, Some(35))]);
}

#[test]
fn rfc7868_3_5_events_10_and_16_the_way_becomes_longer_after_the_successor_has_asked() {
    let mut stage = stage(45);
    stage.say(A, Query, Some(30));
    assert_eq!(stage.state(), (ACTIVE_3, Some(40)));
    stage.say(A, Update, Some(50));
    assert_eq!(stage.state(), (ACTIVE_2, Some(40)));
    stage.forget();
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(20));
    assert_eq!(stage.state(), (PASSIVE, Some(30)));
    assert!(stage.heard(A).contains(&(Reply, Some(30))));
}

#[test]
fn rfc7868_3_5_event_8_a_neighbor_that_is_gone_has_replied() {
    let mut stage = stage(25);
    stage.say(A, Update, None);
    stage.say(C, Reply, Some(25));
    assert_eq!(stage.state().0, ACTIVE_1);
    stage.puppets[B].is_alive = false;
    stage.run(16_000);
    assert_eq!(stage.state(), (PASSIVE, Some(35)));
}

#[test]
fn rfc7868_3_5_events_9_and_11_a_successor_that_is_gone_while_active() {
    let mut stage = stage(45);
    stage.say(A, Update, Some(30));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(45));
    assert_eq!(stage.state(), (ACTIVE_1, Some(40)));
    stage.forget();
    stage.puppets[A].is_alive = false;
    stage.run(16_000);
    // It counts as a reply, the last one; nothing is feasible, so the others are asked anew.
    assert_eq!(stage.state(), (ACTIVE_1, None));
    assert_eq!(stage.forwards_to(), [0; 0]);
    assert_eq!((stage.heard(B), stage.heard(C)), (vec![(Query, None)], vec![(Query, None)]));
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(45));
    assert_eq!(stage.state(), (PASSIVE, Some(55)));
}

#[test]
fn equal_successors_share_and_one_of_them_may_ask_without_harm() {
    let mut stage = Stage::new(3);
    stage.say(A, Update, Some(10));
    stage.say(C, Update, Some(10));
    assert_eq!(stage.forwards_to(), [A, C]);
    stage.forget();
    stage.say(A, Query, None);
    assert_eq!(stage.state(), (PASSIVE, Some(20)));
    assert_eq!(stage.forwards_to(), [C]);
    assert_eq!(stage.heard(A), [(Update, Some(20)), (Reply, Some(20))]);
}

#[test]
fn rfc7868_3_6_a_neighbor_that_answers_sia_queries_is_waited_for_three_times() {
    let mut stage = stage(25);
    stage.say(A, Update, None);
    stage.say(B, Reply, None);
    for _ in 0..3 {
        stage.forget();
        stage.run(90_000);
        assert_eq!(stage.heard(C), [(SiaQuery, None)]);
        assert_eq!(stage.state().0, ACTIVE_1);
        stage.say(C, SiaReply, None);
    }
    stage.run(90_000);
    assert_eq!(stage.state(), (PASSIVE, None));
    let log = stage.network.router(stage.r1).log();
    let events: Vec<&LogEvent> = log.iter().map(|entry| &entry.event).collect();
    let stuck = |event: &&LogEvent| matches!(event, LogEvent::Eigrp(EigrpLogEvent::StuckInActive { prefix, .. }) if *prefix == net(DESTINATION));
    assert!(events.iter().any(stuck));
    let reset = |event: &&LogEvent| {
        matches!(event, LogEvent::Eigrp(EigrpLogEvent::NeighborChanged { neighbor, change, .. })
            if *neighbor == stage.puppets[C].address
                && *change == NeighborChange::Down(DownReason::StuckInActive))
    };
    assert!(events.iter().any(reset));
}

#[test]
fn rfc7868_3_6_a_neighbor_that_does_not_answer_an_sia_query_is_given_up_after_the_active_time() {
    let mut stage = stage(25);
    stage.say(A, Update, None);
    stage.say(B, Reply, None);
    stage.run(178_000);
    assert_eq!(stage.state().0, ACTIVE_1);
    stage.run(3_000);
    assert_eq!(stage.state(), (PASSIVE, None));
}

#[test]
fn rfc7868_3_6_an_sia_query_is_answered_while_active_and_with_a_reply_when_not() {
    let mut stage = stage(25);
    stage.say(A, Query, None);
    stage.forget();
    stage.say(A, SiaQuery, None);
    assert_eq!(stage.heard(A), [(SiaReply, None)]);
    stage.say(B, Reply, None);
    stage.say(C, Reply, Some(25));
    stage.forget();
    stage.say(B, SiaQuery, None);
    assert_eq!(stage.heard(B), [(SiaReply, Some(35)), (Reply, Some(35))]);
}
