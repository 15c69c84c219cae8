//! Demand circuits (RFC 1793).

use std::net::Ipv4Addr;

use netconfarena_emu::ids::RouterId;
use netconfarena_emu::ospf::lsa::{LsAge, Lsa, LsaBody, Options, SequenceNumber, SummaryLsa};
use netconfarena_emu::ospf::packet::{Hello, PacketBody};
use netconfarena_emu::ospf::{DemandCircuit, NeighborState};

use crate::heard_by;
use crate::puppet::{Stage, lsa};

const YOUNG: fn() -> LsAge = || LsAge::from_secs(1);

/// An LSA whose maker, whom nobody reaches, understands DoNotAge.
fn modern(net: u8, sequence: i32) -> Lsa {
    let body = SummaryLsa { mask: Ipv4Addr::new(255, 255, 255, 0), metric: 7 };
    let (id, by) = (Ipv4Addr::new(10, 8, net, 0), RouterId(Ipv4Addr::new(8, 8, 8, 8)));
    Lsa::new(id, by, Options::E | Options::DC, SequenceNumber(sequence), LsaBody::SummaryNetwork(body))
}

/// R1 and full neighbors, to the first of which there is a demand circuit.
fn on_demand(count: u8) -> Stage {
    let mut stage = Stage::full(count);
    stage.puppets[0].demand = true;
    stage.configure_interface(0, |ospf| ospf.demand_circuit = Some(DemandCircuit::Run));
    stage.run(25_000);
    stage.forget();
    stage
}

fn hellos(stage: &Stage, number: usize) -> Vec<Hello> {
    heard_by(stage, number, |heard| match &heard.body {
        PacketBody::Hello(hello) => Some(hello.clone()),
        _ => None,
    })
}

#[test]
fn rfc1793_3_2_1_both_ends_say_that_they_use_the_link_as_a_demand_circuit() {
    let cases = [
        (Some(DemandCircuit::Run), false, true),
        (None, true, true),
        (None, false, false),
        (Some(DemandCircuit::Ignore), true, false),
    ];
    for (configured, asked, says) in cases {
        let mut stage = Stage::full(1);
        stage.puppets[0].demand = asked;
        stage.configure_interface(0, |ospf| ospf.demand_circuit = configured);
        stage.run(11_000);
        stage.forget();
        // A neighbor that has started anew is greeted whatever was agreed on.
        stage.hello(0, |hello| hello.neighbors.clear());
        stage.run(11_000);
        let heard = hellos(&stage, 0);
        assert!(!heard.is_empty());
        let said: Vec<bool> = heard.iter().map(|hello| hello.options.contains(Options::DC)).collect();
        assert!(said.iter().all(|&bit| bit == says), "{configured:?} {asked}: {said:?}");
    }
}

#[test]
fn rfc1793_3_2_2_a_full_neighbor_on_a_demand_circuit_gets_no_hellos_and_need_not_send_any() {
    let mut stage = on_demand(1);
    stage.puppets[0].silent = true;
    stage.run(1_000_000);
    assert_eq!(hellos(&stage, 0), []);
    assert_eq!(stage.state(0), Some(NeighborState::Full));
    // It has lost its state: the conversation begins anew, with hellos.
    stage.hello(0, |hello| hello.neighbors.clear());
    stage.run(30_000);
    assert_eq!(stage.state(0), Some(NeighborState::Init));
    assert!(hellos(&stage, 0).len() >= 3);
    stage.run(20_000);
    assert_eq!(stage.state(0), None, "and with a dead interval");
}

#[test]
fn rfc1793_3_2_2_hellos_go_on_unless_both_ends_agree() {
    let mut stage = Stage::full(1);
    stage.configure_interface(0, |ospf| ospf.demand_circuit = Some(DemandCircuit::Run));
    stage.run(35_000);
    assert!(hellos(&stage, 0).len() >= 3);
    stage.puppets[0].silent = true;
    stage.run(41_000);
    assert_eq!(stage.state(0), None);

    let mut stage = on_demand(1);
    stage.configure_interface(0, |ospf| ospf.demand_circuit = Some(DemandCircuit::Ignore));
    stage.run(35_000);
    assert!(hellos(&stage, 0).len() >= 3, "no longer agreed");
}

#[test]
fn rfc1793_3_3_over_a_demand_circuit_lsas_go_with_do_not_age_and_only_when_they_change() {
    let mut stage = on_demand(3);
    let age = |stage: &Stage, number, lsa: &Lsa| -> Vec<(u16, bool)> {
        let updates = stage.updates(number, lsa);
        updates.iter().map(|(_, _, age, _)| (age.secs(), age.is_do_not_age())).collect()
    };
    stage.flood(1, YOUNG(), &[modern(1, 1)]);
    stage.run(1000);
    assert_eq!(age(&stage, 0, &modern(1, 1)), [(2, true)]);
    assert_eq!(age(&stage, 2, &modern(1, 1)), [(2, false)]);
    stage.forget();
    stage.flood(1, YOUNG(), &[modern(1, 2)]);
    stage.run(1000);
    assert_eq!(age(&stage, 0, &modern(1, 2)), [], "it says the same");
    assert_eq!(age(&stage, 2, &modern(1, 2)).len(), 1);
    stage.flood(1, LsAge::MAX, &[modern(1, 2)]);
    stage.run(1000);
    assert_eq!(age(&stage, 0, &modern(1, 2)), [(3600, false)], "it is flushed");
}

#[test]
fn rfc1793_3_3_a_refreshed_lsa_goes_where_it_still_ages() {
    let mut stage = Stage::full(2);
    stage.flood(1, YOUNG(), &[modern(1, 1)]);
    stage.run(1000);
    stage.puppets[0].demand = true;
    stage.configure_interface(0, |ospf| ospf.demand_circuit = Some(DemandCircuit::Run));
    stage.run(25_000);
    for (sequence, sent) in [(2, 1), (3, 0)] {
        stage.forget();
        stage.flood(1, YOUNG(), &[modern(1, sequence)]);
        stage.run(1000);
        let updates = stage.updates(0, &modern(1, sequence));
        assert_eq!(updates.iter().filter(|(_, _, age, _)| age.is_do_not_age()).count(), sent, "{sequence}");
        assert_eq!(updates.len(), sent);
    }
}

#[test]
fn ios_flood_reduction_lets_lsas_stand_but_hellos_go_on() {
    let mut stage = Stage::full(2);
    stage.configure_interface(0, |ospf| ospf.flood_reduction = true);
    stage.flood(1, YOUNG(), &[modern(1, 1)]);
    stage.run(35_000);
    let updates = stage.updates(0, &modern(1, 1));
    assert!(updates.len() == 1 && updates[0].2.is_do_not_age());
    let hellos = hellos(&stage, 0);
    assert!(hellos.len() >= 3 && !hellos[0].options.contains(Options::DC));
}

#[test]
fn rfc1793_2_5_where_a_router_does_not_understand_do_not_age_all_lsas_age() {
    let mut stage = on_demand(2);
    stage.flood(0, YOUNG().with_do_not_age(), &[modern(1, 1)]);
    stage.run(1000);
    assert!(stage.entry(&modern(1, 1)).unwrap().installed_age.is_do_not_age());
    // An LSA without the DC bit comes.
    stage.forget();
    stage.flood(1, YOUNG(), &[lsa(1, 1), modern(2, 1)]);
    stage.run(1000);
    let flushed: Vec<LsAge> = stage.updates(0, &modern(1, 1)).iter().map(|(_, _, age, _)| *age).collect();
    assert_eq!(flushed, [LsAge::MAX]);
    assert!(stage.entry(&modern(1, 1)).is_none());
    let ages: Vec<bool> =
        stage.updates(0, &modern(2, 1)).iter().map(|(_, _, age, _)| age.is_do_not_age()).collect();
    assert_eq!(ages, [false]);
    stage.forget();
    stage.flood(1, YOUNG(), &[modern(2, 2)]);
    stage.run(1000);
    assert_eq!(stage.updates(0, &modern(2, 2)).len(), 1, "it must be refreshed");
}

#[test]
fn rfc1793_2_3_lsas_that_do_not_age_go_when_their_maker_was_out_of_reach_for_max_age() {
    let mut stage = on_demand(1);
    stage.puppets[0].silent = true;
    stage.flood(0, YOUNG().with_do_not_age(), &[modern(1, 1)]);
    stage.run(3_595_000);
    assert!(stage.entry(&modern(1, 1)).is_some());
    stage.run(10_000);
    assert!(stage.entry(&modern(1, 1)).is_none());
    assert!(
        stage.updates(0, &modern(1, 1)).iter().any(|(_, _, age, _)| age.is_max()),
        "the others lose it, too"
    );
}

#[test]
fn ios_a_silent_neighbor_that_acknowledges_nothing_is_given_up_after_24_retransmissions() {
    let mut stage = on_demand(2);
    stage.puppets[0].silent = true;
    stage.puppets[0].acknowledges = false;
    stage.flood(1, YOUNG(), &[modern(1, 1)]);
    stage.run(121_000);
    assert_eq!(stage.state(0), Some(NeighborState::Full));
    stage.run(5000);
    assert_eq!(stage.state(0), Some(NeighborState::Down), "and is ignored for a while");
    assert_eq!(stage.updates(0, &modern(1, 1)).len(), 26);
}
