//! What an OSPF router does with what its neighbors say, rule by rule: the exchange (RFC 2328 section 10) and flooding (section 13).
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::net::Ipv4Addr;

use netconfarena_emu::ids::{AreaId, RouterId};
use netconfarena_emu::ospf::lsa::{
    ExternalLsa, LsAge, LsType, Lsa, LsaBody, LsaHeader, LsaKey, Options, SequenceNumber,
};
use netconfarena_emu::ospf::lsdb::Scope;
use netconfarena_emu::ospf::packet::{DdFlags, PacketBody};
use netconfarena_emu::ospf::{ALL_SPF_ROUTERS, AreaKind, ExternalMetricType, NeighborState};
use netconfarena_emu::time::Time;

#[path = "ospf_neighbor/demand.rs"]
mod demand;
mod lab;
#[path = "ospf_neighbor/puppet.rs"]
mod puppet;
#[path = "ospf_neighbor/restart.rs"]
mod restart;

use puppet::{Heard, Stage, lsa};

const MASTER: Ipv4Addr = Ipv4Addr::new(2, 2, 2, 2);
const SLAVE: Ipv4Addr = Ipv4Addr::new(0, 0, 0, 9);
const YOUNG: fn() -> LsAge = || LsAge::from_secs(1);

/// The instants, in whole milliseconds since `start`, at which something was heard.
fn since(start: Time, instants: impl IntoIterator<Item = Time>) -> Vec<u64> {
    instants.into_iter().map(|at| at.since(start).as_millis().try_into().unwrap()).collect()
}

/// How many instants there are; each must be 5 seconds, up to the pacing of packets, behind the one before.
fn every_rxmt_interval(instants: impl IntoIterator<Item = Time>) -> usize {
    let instants: Vec<Time> = instants.into_iter().collect();
    for pair in instants.windows(2) {
        let gap = since(pair[0], [pair[1]])[0];
        assert!((4950..=5050).contains(&gap), "{gap} ms");
    }
    instants.len()
}

fn heard_by<T>(stage: &Stage, number: usize, which: impl Fn(&Heard) -> Option<T>) -> Vec<T> {
    stage.puppets[number].heard.iter().filter_map(which).collect()
}

/// R1 and a neighbor in the exchange, whose descriptions the test writes itself.
fn in_exstart(id: Ipv4Addr) -> Stage {
    let mut stage = Stage::new(&[id], AreaKind::Normal);
    stage.puppets[0].describes = false;
    stage.run(2000);
    assert_eq!(stage.state(0), Some(NeighborState::ExStart));
    stage
}

const FIRST: DdFlags = DdFlags { init: true, more: true, master: true };
const NEXT: DdFlags = DdFlags { init: false, more: true, master: true };

fn descriptions(stage: &Stage) -> Vec<(Time, DdFlags, u32, usize)> {
    heard_by(stage, 0, |heard| match &heard.body {
        PacketBody::DatabaseDescription(dd) => Some((heard.at, dd.flags, dd.sequence, dd.headers.len())),
        _ => None,
    })
}

#[test]
fn rfc9_5_hellos_go_out_every_hello_interval_and_list_who_was_heard() {
    let mut stage = Stage::new(&[MASTER], AreaKind::Normal);
    stage.puppets[0].sees_r1 = false;
    stage.run(35_000);
    let hellos = heard_by(&stage, 0, |heard| match &heard.body {
        PacketBody::Hello(hello) => Some((heard.at, heard.to, hello.clone())),
        _ => None,
    });
    let listing: Vec<_> = hellos
        .iter()
        .filter(|(_, to, hello)| *to == ALL_SPF_ROUTERS && !hello.neighbors.is_empty())
        .collect();
    assert!(listing.iter().all(|(_, _, hello)| hello.neighbors == [RouterId(MASTER)]));
    for (at, _, hello) in &hellos {
        assert_eq!((hello.hello_interval, hello.dead_interval), (10, 40), "{at}");
    }
    // IOS greets who is new at once, and alone.
    let alone: Vec<u64> =
        hellos.iter().filter(|(_, to, _)| *to != ALL_SPF_ROUTERS).map(|(at, ..)| at.as_secs()).collect();
    assert_eq!(alone, [1]);
    let gaps: Vec<u64> =
        listing.windows(2).map(|pair| pair[1].0.since(pair[0].0).as_millis().try_into().unwrap()).collect();
    assert!(gaps.len() >= 2 && gaps.iter().all(|gap| (9_000..=10_000).contains(gap)), "{gaps:?}");
    assert_eq!(stage.state(0), Some(NeighborState::Init), "it does not list R1");
}

#[test]
fn rfc10_6_the_greater_router_id_is_the_master_and_the_slave_takes_its_sequence_number() {
    let mut stage = in_exstart(MASTER);
    stage.describe(0, FIRST, 4711, Vec::new());
    stage.run(100);
    assert_eq!(stage.state(0), Some(NeighborState::Exchange));
    let (_, flags, sequence, _) = *descriptions(&stage).last().unwrap();
    assert_eq!((flags.init, flags.master, sequence), (false, false, 4711));

    let mut stage = in_exstart(SLAVE);
    let (_, first, sequence, _) = descriptions(&stage)[0];
    assert_eq!(first, FIRST);
    stage.describe(0, DdFlags { more: true, ..DdFlags::default() }, sequence, Vec::new());
    stage.run(100);
    let (_, flags, next, _) = *descriptions(&stage).last().unwrap();
    assert_eq!((flags.init, flags.master, next), (false, true, sequence.wrapping_add(1)));
}

#[test]
fn rfc10_6_a_slave_repeats_its_answer_to_a_repeated_description() {
    let mut stage = in_exstart(MASTER);
    stage.describe(0, FIRST, 50, Vec::new());
    stage.run(100);
    stage.describe(0, NEXT, 51, Vec::new());
    stage.run(100);
    let before = *descriptions(&stage).last().unwrap();
    stage.describe(0, NEXT, 51, Vec::new());
    stage.run(100);
    let after = *descriptions(&stage).last().unwrap();
    assert!(after.0 > before.0, "nothing was repeated");
    assert_eq!((after.1, after.2, after.3), (before.1, before.2, before.3));
    assert_eq!(stage.state(0), Some(NeighborState::Exchange));
}

#[test]
fn rfc10_6_a_description_out_of_sequence_starts_the_exchange_anew() {
    let wrong: [(DdFlags, u32); 3] =
        [(NEXT, 60), (DdFlags { master: false, ..NEXT }, 51), (DdFlags { init: true, ..NEXT }, 51)];
    for (flags, sequence) in wrong {
        let mut stage = in_exstart(MASTER);
        stage.describe(0, FIRST, 50, Vec::new());
        stage.run(100);
        stage.describe(0, flags, sequence, Vec::new());
        stage.run(100);
        assert_eq!(stage.state(0), Some(NeighborState::ExStart), "{flags:?} {sequence}");
        assert_eq!(descriptions(&stage).last().unwrap().1, FIRST);
    }
}

#[test]
fn rfc10_7_an_lsa_that_is_asked_for_is_sent_at_once_and_an_unknown_one_starts_the_exchange_anew() {
    let mut stage = Stage::full(1);
    let own = Ipv4Addr::new(1, 1, 1, 1);
    let known = LsaKey::new(LsType::Router, own, RouterId(own));
    stage.say(0, PacketBody::LinkStateRequest(vec![known]));
    stage.run(50);
    let sent = heard_by(&stage, 0, |heard| match &heard.body {
        PacketBody::LinkStateUpdate(lsas) => Some((heard.to, lsas[0].1.key())),
        _ => None,
    });
    assert_eq!(sent, [(ALL_SPF_ROUTERS, known)]);
    stage.puppets[0].describes = false;
    stage.say(0, PacketBody::LinkStateRequest(vec![lsa(77, 1).key()]));
    stage.run(50);
    assert_eq!(stage.state(0), Some(NeighborState::ExStart));
}

#[test]
fn rfc10_8_a_master_repeats_an_unanswered_description_every_rxmt_interval() {
    let mut stage = in_exstart(SLAVE);
    stage.run(14_000);
    let heard = descriptions(&stage);
    assert!(every_rxmt_interval(heard.iter().map(|(at, ..)| *at)) >= 3);
    assert!(heard.iter().all(|(_, flags, sequence, _)| *flags == FIRST && *sequence == heard[0].2));
}

#[test]
fn rfc10_9_requests_are_repeated_every_rxmt_interval_until_the_lsa_is_there() {
    let mut stage = Stage::new(&[MASTER], AreaKind::Normal);
    let wanted = lsa(1, 1);
    stage.puppets[0].database.insert(wanted.key(), wanted.clone());
    stage.puppets[0].answers = false;
    stage.run(14_000);
    assert_eq!(stage.state(0), Some(NeighborState::Loading));
    let asked = heard_by(&stage, 0, |heard| match &heard.body {
        PacketBody::LinkStateRequest(keys) => Some((heard.at, keys.clone())),
        _ => None,
    });
    assert!(asked.iter().all(|(_, keys)| *keys == [wanted.key()]));
    assert!(every_rxmt_interval(asked.iter().map(|(at, _)| *at)) >= 3);
    stage.puppets[0].answers = true;
    stage.run(6000);
    assert_eq!(stage.state(0), Some(NeighborState::Full));
    assert!(stage.entry(&wanted).is_some());
}

#[test]
fn rfc13_below_exchange_updates_are_ignored() {
    let mut stage = in_exstart(MASTER);
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(5000);
    assert!(stage.entry(&lsa(1, 1)).is_none());
    assert_eq!(stage.acks(0), []);
}

#[test]
fn rfc13_step_3_a_stub_area_takes_no_external_lsa_and_does_not_acknowledge_it() {
    let mut stage = Stage::new(&[MASTER], AreaKind::Stub { no_summary: false });
    stage.run(20_000);
    assert_eq!(stage.state(0), Some(NeighborState::Full));
    stage.forget();
    let body = ExternalLsa {
        mask: Ipv4Addr::new(255, 255, 255, 0),
        metric_type: ExternalMetricType::Type2,
        metric: 20,
        forwarding_address: Ipv4Addr::UNSPECIFIED,
        tag: 0,
    };
    let external = Lsa::new(
        Ipv4Addr::new(10, 9, 1, 0),
        RouterId(MASTER),
        Options::E,
        SequenceNumber(1),
        LsaBody::AsExternal(body),
    );
    stage.flood(0, YOUNG(), std::slice::from_ref(&external));
    stage.run(5000);
    assert!(stage.ospf().lsdb.get(Scope::As, &external.key()).is_none());
    assert_eq!(stage.acks(0), []);
    assert!(stage.ospf().areas.contains_key(&AreaId(1)), "the router is in the stub area");
}

#[test]
fn rfc13_step_4_an_unknown_lsa_at_max_age_is_acknowledged_at_once_and_forgotten() {
    let mut stage = Stage::full(2);
    let start = stage.network.now();
    stage.flood(0, LsAge::MAX, &[lsa(1, 5)]);
    stage.run(5000);
    assert!(stage.entry(&lsa(1, 5)).is_none());
    assert_eq!(stage.updates(1, &lsa(1, 5)), []);
    let acks = stage.acks(0);
    assert_eq!(acks.len(), 1);
    assert_eq!(since(start, [acks[0].0]), [0]);
}

#[test]
fn rfc13_step_5a_a_newer_instance_within_min_ls_arrival_is_not_even_acknowledged() {
    let mut stage = Stage::full(1);
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(50);
    stage.flood(0, YOUNG(), &[lsa(1, 2)]);
    stage.run(5000);
    assert_eq!(stage.entry(&lsa(1, 1)).unwrap().lsa.sequence(), SequenceNumber(1));
    assert_eq!(stage.acks(0).iter().map(|(.., count)| count).sum::<usize>(), 1);
    stage.flood(0, YOUNG(), &[lsa(1, 2)]);
    stage.run(50);
    assert_eq!(stage.entry(&lsa(1, 1)).unwrap().lsa.sequence(), SequenceNumber(2));
}

#[test]
fn rfc13_step_5_a_newer_lsa_goes_to_all_others_and_its_age_grows_by_the_transmit_delay() {
    let mut stage = Stage::full(3);
    stage.flood(0, LsAge::from_secs(100), &[lsa(1, 1)]);
    stage.run(1000);
    assert_eq!(stage.updates(0, &lsa(1, 1)), [], "not back to where it came from");
    for number in [1, 2] {
        let heard = stage.updates(number, &lsa(1, 1));
        assert_eq!(heard.len(), 1, "neighbor {number}");
        assert_eq!((heard[0].1, heard[0].2.secs()), (ALL_SPF_ROUTERS, 101));
    }
}

#[test]
fn rfc13_step_5c_an_older_instance_leaves_the_retransmission_list() {
    let mut stage = Stage::full(2);
    stage.puppets[1].acknowledges = false;
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(1000);
    stage.flood(0, YOUNG(), &[lsa(1, 2)]);
    stage.run(1000);
    stage.forget();
    stage.run(10_000);
    let repeated: Vec<_> = stage.updates(1, &lsa(1, 1)).iter().map(|(.., sequence)| *sequence).collect();
    assert!(!repeated.is_empty() && repeated.iter().all(|sequence| *sequence == SequenceNumber(2)));
}

#[test]
fn rfc13_step_6_an_lsa_that_was_asked_for_and_is_not_newer_starts_the_exchange_anew() {
    let ids = [MASTER, Ipv4Addr::new(3, 3, 3, 3)];
    let mut stage = Stage::new(&ids, AreaKind::Normal);
    stage.puppets[1].sees_r1 = false;
    stage.run(20_000);
    stage.flood(0, YOUNG(), &[lsa(1, 3)]);
    stage.run(1000);
    // The second neighbor describes a newer instance, and sends the one that is known.
    stage.puppets[1].database.insert(lsa(1, 5).key(), lsa(1, 5));
    stage.puppets[1].answers = false;
    stage.puppets[1].sees_r1 = true;
    stage.run(11_000);
    assert_eq!(stage.state(1), Some(NeighborState::Loading));
    stage.puppets[1].describes = false;
    stage.flood(1, YOUNG(), &[lsa(1, 3)]);
    stage.run(50);
    assert_eq!(stage.state(1), Some(NeighborState::ExStart));
}

#[test]
fn rfc13_step_7_the_same_instance_back_is_an_acknowledgement_else_it_is_acknowledged_at_once() {
    let mut stage = Stage::full(2);
    stage.puppets[1].acknowledges = false;
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(1000);
    stage.flood(1, YOUNG(), &[lsa(1, 1)]);
    stage.run(20_000);
    assert_eq!(stage.updates(1, &lsa(1, 1)).len(), 1, "nothing is repeated");
    assert_eq!(stage.acks(1), [], "nor acknowledged");

    stage.forget();
    let start = stage.network.now();
    stage.flood(1, YOUNG(), &[lsa(1, 1)]);
    stage.run(5000);
    let acks = stage.acks(1);
    assert_eq!(acks.len(), 1);
    assert_eq!(since(start, [acks[0].0]), [0]);
}

#[test]
fn rfc13_step_8_an_older_instance_is_answered_with_the_newer() {
    let mut stage = Stage::full(2);
    stage.flood(0, YOUNG(), &[lsa(1, 5)]);
    stage.run(5000);
    stage.forget();
    stage.flood(1, YOUNG(), &[lsa(1, 4)]);
    stage.run(50);
    let heard = stage.updates(1, &lsa(1, 5));
    assert_eq!(heard.len(), 1);
    assert_eq!(heard[0].3, SequenceNumber(5));
    assert_eq!(stage.entry(&lsa(1, 5)).unwrap().lsa.sequence(), SequenceNumber(5));
    assert_eq!(stage.acks(1), [], "an older instance is not acknowledged");
}

#[test]
fn rfc13_5_acknowledgements_are_delayed_and_gathered() {
    let mut stage = Stage::full(2);
    let start = stage.network.now();
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(1000);
    stage.flood(0, YOUNG(), &[lsa(2, 1)]);
    stage.run(4000);
    let acks = stage.acks(0);
    assert_eq!(acks.len(), 1, "{acks:?}");
    assert_eq!((acks[0].1, acks[0].2), (ALL_SPF_ROUTERS, 2));
    let delay = since(start, [acks[0].0])[0];
    assert!((2400..=2600).contains(&delay), "before the neighbor's RxmtInterval: {delay}");
}

#[test]
fn rfc13_6_what_is_not_acknowledged_is_repeated_every_rxmt_interval() {
    let mut stage = Stage::full(2);
    stage.puppets[1].acknowledges = false;
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(16_000);
    let heard = stage.updates(1, &lsa(1, 1));
    // Section 8.1: on a point-to-point line whatever is sent goes to AllSPFRouters.
    assert!(heard.iter().all(|(_, to, ..)| *to == ALL_SPF_ROUTERS));
    assert_eq!(every_rxmt_interval(heard.iter().map(|(at, ..)| *at)), 4);
    assert!(heard[3].2 > heard[0].2, "it ages meanwhile");
    stage.puppets[1].acknowledges = true;
    stage.run(6000);
    stage.forget();
    stage.run(20_000);
    assert_eq!(stage.updates(1, &lsa(1, 1)), []);
}

#[test]
fn rfc13_7_an_acknowledgement_of_another_instance_does_not_count() {
    let mut stage = Stage::full(2);
    stage.puppets[1].acknowledges = false;
    stage.flood(0, YOUNG(), &[lsa(1, 2)]);
    stage.run(1000);
    let of = |sequence| -> LsaHeader { lsa(1, sequence).header(YOUNG()) };
    stage.say(1, PacketBody::LinkStateAck(vec![of(1)]));
    stage.run(6000);
    assert_eq!(stage.updates(1, &lsa(1, 2)).len(), 2, "it is repeated");
    stage.say(1, PacketBody::LinkStateAck(vec![of(2)]));
    stage.run(20_000);
    assert_eq!(stage.updates(1, &lsa(1, 2)).len(), 2);
}

#[test]
fn rfc14_a_flushed_lsa_stays_until_all_neighbors_have_acknowledged_it() {
    let mut stage = Stage::full(2);
    stage.flood(0, YOUNG(), &[lsa(1, 1)]);
    stage.run(5000);
    stage.puppets[1].acknowledges = false;
    stage.flood(0, LsAge::MAX, &[lsa(1, 1)]);
    stage.run(4000);
    assert!(stage.entry(&lsa(1, 1)).is_some_and(|entry| entry.age(stage.network.now()).is_max()));
    stage.puppets[1].acknowledges = true;
    stage.run(6000);
    assert!(stage.entry(&lsa(1, 1)).is_none());
}

#[test]
fn rfc13_4_a_former_own_lsa_is_flushed_and_not_acknowledged_after_that() {
    let mut stage = Stage::full(2);
    let former = lsa(1, 5);
    let own = RouterId(Ipv4Addr::new(1, 1, 1, 1));
    let former = Lsa::new(former.link_state_id(), own, Options::E, SequenceNumber(5), former.body().clone());
    stage.flood(0, YOUNG(), std::slice::from_ref(&former));
    stage.run(10_000);
    for number in [0, 1] {
        let heard = stage.updates(number, &former);
        assert!(heard.iter().all(|(_, _, age, _)| age.is_max()), "{heard:?}");
        assert!(!heard.is_empty(), "the flush goes to neighbor {number}");
    }
    // An acknowledgement of the former instance, sent later, would be taken for one of what a neighbor has sent meanwhile.
    assert_eq!(stage.acks(0), []);
}

#[test]
fn rfc13_3_what_all_neighbors_have_sent_themselves_does_not_go_out_to_them() {
    let mut stage = Stage::full(3);
    // Three packets keep the flooding of the interfaces busy (`timers pacing flood`), so that the fourth LSA waits.
    for net in 1..=4 {
        stage.flood(0, YOUNG(), &[lsa(net, 1)]);
    }
    stage.flood(1, YOUNG(), &[lsa(4, 1)]);
    stage.run(10_000);
    assert_eq!(stage.updates(1, &lsa(4, 1)), [], "it has sent it");
    let acknowledged: usize = stage.acks(1).iter().map(|(.., count)| count).sum();
    assert_eq!(acknowledged, 1, "instead it is acknowledged");
    assert_eq!(stage.updates(2, &lsa(4, 1)).len(), 1);
}
