//! The reliable transport (RFC 7868 section 5.1), with neighbors that the test plays.

use std::net::Ipv4Addr;

use netconfarena_emu::eigrp::packet::{Flags, Header, Opcode, Packet, Sequence, Tlv};
use netconfarena_emu::eigrp::{DownReason, NeighborChange, NeighborState};
use netconfarena_emu::eigrp::{EigrpLogEvent, NeighborKey};
use netconfarena_emu::log::LogEvent;

use crate::lab::{net, towards};
use crate::puppet::{Stage, route};

const GROUP: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 10);

/// How R1 sent its updates to a neighbor since last asked: by multicast or not, flags, number.
fn updates(stage: &mut Stage, number: usize) -> Vec<(bool, Flags, u32)> {
    let packets = std::mem::take(&mut stage.puppets[number].heard);
    packets
        .into_iter()
        .filter(|(_, packet)| packet.header.opcode == Opcode::Update)
        .map(|(to, packet)| (to == GROUP, packet.header.flags, packet.header.sequence.0))
        .collect()
}

fn neighbor_changes(stage: &Stage, address: Ipv4Addr) -> Vec<NeighborChange> {
    let log = stage.network.router(stage.r1).log().iter();
    log.filter_map(|entry| match &entry.event {
        LogEvent::Eigrp(EigrpLogEvent::NeighborChanged { neighbor, change, .. }) if *neighbor == address => {
            Some(*change)
        }
        _ => None,
    })
    .collect()
}

fn key(stage: &Stage, number: usize) -> NeighborKey {
    let address = stage.puppets[number].address;
    let interface = stage.network.router(stage.r1).interfaces().by_name(towards(1)).unwrap().index;
    NeighborKey { interface, address }
}

#[test]
fn an_update_goes_once_to_all_by_multicast_when_all_are_ready() {
    // Two neighbors on the first link, one on the second.
    let mut stage = Stage::with_segments(&[2, 1]);
    stage.say(2, Opcode::Update, Some(10));
    let first = updates(&mut stage, 0);
    assert_eq!(first.len(), 1);
    assert!(first[0].0 && first[0].1 == Flags::NONE);
    assert_eq!(updates(&mut stage, 1), first);
    stage.run(20_000);
    assert_eq!(updates(&mut stage, 0), [], "acknowledged: not sent again");
}

#[test]
fn what_is_not_acknowledged_is_sent_again_by_unicast_with_growing_gaps() {
    let mut stage = Stage::with_segments(&[1, 1]);
    stage.puppets[0].acknowledges = false;
    stage.say(1, Opcode::Update, Some(10));
    stage.run(1_000);
    let sent = updates(&mut stage, 0);
    assert!(sent[0].0, "first by multicast");
    assert!(
        sent.len() >= 4
            && sent[1..].iter().all(|&(multicast, flags, number)| {
                !multicast && flags == Flags::NONE && number == sent[0].2
            })
    );
    let neighbor = stage.eigrp().neighbor(key(&stage, 0)).unwrap();
    assert_eq!(neighbor.transport.queue_count(), 1);
    assert_eq!(usize::try_from(neighbor.transport.retransmissions).unwrap(), sent.len() - 1);
    // RTO is 100 ms at first, half as much more each time: 100, 150, 225, 337.
    assert_eq!(sent.len(), 5);
}

#[test]
fn after_sixteen_retransmissions_a_neighbor_is_given_up() {
    let mut stage = Stage::with_segments(&[1, 1]);
    let address = stage.puppets[0].address;
    stage.puppets[0].acknowledges = false;
    stage.say(1, Opcode::Update, Some(10));
    stage.run(45_000);
    assert_eq!(neighbor_changes(&stage, address), [NeighborChange::Up]);
    stage.run(15_000);
    let changes = neighbor_changes(&stage, address);
    assert_eq!(changes[1], NeighborChange::Down(DownReason::RetryLimitExceeded));
    let told = |packet: &Packet| packet.tlvs.contains(&Tlv::PeerTermination(vec![address]));
    assert!(stage.puppets[0].heard.iter().any(|(_, packet)| told(packet)), "it is told so");
    assert_eq!(changes[2], NeighborChange::Up, "and found again by its next hello");
}

#[test]
fn rfc7868_5_1_who_lags_is_left_out_of_a_multicast_by_conditional_receive() {
    let mut stage = Stage::with_segments(&[2, 1]);
    stage.puppets[0].acknowledges = false;
    stage.say(2, Opcode::Update, Some(20));
    let first = updates(&mut stage, 0)[0];
    stage.forget();
    // The multicast flow timer has run out: the next change does not wait for the first neighbor.
    stage.say(2, Opcode::Update, Some(10));
    let heard = std::mem::take(&mut stage.puppets[1].heard);
    let hello = heard
        .iter()
        .position(|(_, packet)| packet.tlvs.contains(&Tlv::Sequence(vec![stage.puppets[0].address])));
    let update = heard.iter().position(|(_, packet)| packet.header.opcode == Opcode::Update);
    let (hello, update) = (hello.unwrap(), update.unwrap());
    assert!(hello < update, "a hello says first who shall not receive");
    let packet = &heard[update].1;
    assert!(heard[update].0 == GROUP && packet.header.flags == Flags::CONDITIONAL_RECEIVE);
    assert!(heard[hello].1.tlvs.contains(&Tlv::MulticastSequence(packet.header.sequence)));
    // The first neighbor acknowledges after all, and gets the second update alone, without the flag.
    stage.puppets[0].acknowledges = true;
    stage.puppets[0].heard.clear();
    stage.run(5_000);
    let after = updates(&mut stage, 0);
    assert!(after.contains(&(false, Flags::NONE, first.2)));
    assert_eq!(after.last(), Some(&(false, Flags::NONE, packet.header.sequence.0)));
}

/// An update to the group with the flag of conditional receive.
fn conditional_update(stage: &mut Stage, number: usize, distance: u32) -> Packet {
    let packet = stage.route_packet(number, Opcode::Update, Some(distance));
    Packet { header: Header { flags: Flags::CONDITIONAL_RECEIVE, ..packet.header }, ..packet }
}

#[test]
fn rfc7868_5_1_a_conditional_packet_is_taken_only_by_who_was_not_excluded() {
    let mut stage = Stage::with_segments(&[2]);
    let (r1, other) = (net("10.0.1.1/24").addr(), stage.puppets[1].address);
    let packet = conditional_update(&mut stage, 0, 10);
    let number = packet.header.sequence;
    // Not announced at all.
    stage.transmit(0, GROUP, &packet);
    stage.run(100);
    assert!(stage.destination().is_none());
    // Announced, but not for R1.
    stage.send_hello(0, vec![Tlv::Sequence(vec![r1]), Tlv::MulticastSequence(number)]);
    stage.transmit(0, GROUP, &packet);
    stage.run(100);
    assert!(stage.destination().is_none());
    // Announced with another number.
    stage.send_hello(0, vec![Tlv::Sequence(vec![other]), Tlv::MulticastSequence(Sequence(number.0 + 7))]);
    stage.transmit(0, GROUP, &packet);
    stage.run(100);
    assert!(stage.destination().is_none());
    // Announced for all but the other one.
    stage.send_hello(0, vec![Tlv::Sequence(vec![other]), Tlv::MulticastSequence(number)]);
    stage.transmit(0, GROUP, &packet);
    stage.run(100);
    assert!(stage.destination().is_some());
}

#[test]
fn a_packet_that_comes_twice_is_acknowledged_twice_and_taken_once() {
    let mut stage = Stage::with_segments(&[1]);
    let router = net("10.0.1.1/24").addr();
    let first = stage.route_packet(0, Opcode::Update, Some(20));
    let second = stage.route_packet(0, Opcode::Update, Some(10));
    for packet in [&first, &second, &first] {
        stage.transmit(0, router, packet);
        stage.run(50);
    }
    let distance = stage.destination().unwrap().shortest();
    assert_eq!(distance, stage.destination().unwrap().feasible_distance(), "the old one does not count");
    let acknowledged: Vec<u32> = stage.puppets[0]
        .heard
        .iter()
        .filter(|(_, packet)| packet.header.opcode == Opcode::Hello)
        .map(|(_, packet)| packet.header.acknowledgment.0)
        .filter(|&number| number != 0)
        .collect();
    let (one, two) = (first.header.sequence.0, second.header.sequence.0);
    assert_eq!(acknowledged, [one, two, two]);
}

#[test]
fn an_initial_update_of_a_neighbor_that_is_up_says_that_it_has_started_anew() {
    let mut stage = Stage::with_segments(&[1]);
    stage.say(0, Opcode::Update, Some(10));
    let address = stage.puppets[0].address;
    stage.restart(0);
    stage.run(100);
    let expected = [NeighborChange::Up, NeighborChange::Down(DownReason::PeerRestarted), NeighborChange::Up];
    assert_eq!(neighbor_changes(&stage, address), expected);
    assert!(stage.destination().is_none(), "its routes are gone");
    assert_eq!(stage.eigrp().neighbor(key(&stage, 0)).unwrap().state, NeighborState::Up);
    let whole_table = |packet: &Packet| packet.header.flags.contains(Flags::END_OF_TABLE);
    assert!(stage.puppets[0].heard.iter().any(|(_, packet)| whole_table(packet)));
}

#[test]
fn an_initial_update_that_acknowledges_ours_is_no_new_start() {
    let mut stage = Stage::with_segments(&[1]);
    stage.say(0, Opcode::Update, Some(10));
    let address = stage.puppets[0].address;
    stage.puppets[0].greets_again = true;
    stage.restart(0);
    stage.run(3_000);
    let expected = [NeighborChange::Up, NeighborChange::Down(DownReason::PeerRestarted), NeighborChange::Up];
    assert_eq!(neighbor_changes(&stage, address), expected);
    assert_eq!(stage.eigrp().neighbor(key(&stage, 0)).unwrap().state, NeighborState::Up);
}

#[test]
fn a_neighbor_that_says_peer_termination_is_dropped() {
    let mut stage = Stage::with_segments(&[1]);
    let (address, r1) = (stage.puppets[0].address, net("10.0.1.1/24").addr());
    stage.send_hello(0, vec![Tlv::PeerTermination(vec![Ipv4Addr::new(10, 0, 1, 77)])]);
    stage.run(10);
    assert_eq!(neighbor_changes(&stage, address), [NeighborChange::Up], "it means somebody else");
    stage.send_hello(0, vec![Tlv::PeerTermination(vec![r1])]);
    stage.run(10);
    let down = NeighborChange::Down(DownReason::PeerTerminationReceived);
    assert_eq!(neighbor_changes(&stage, address), [NeighborChange::Up, down]);
}

#[test]
fn a_large_table_goes_in_packets_that_fit_the_mtu_the_last_one_says_so() {
    let mut stage = Stage::with_segments(&[1, 1]);
    let router = net("10.0.1.1/24").addr();
    // 200 routes from the first neighbor, in packets of 40.
    for block in 0..5u32 {
        let mut packet = stage.route_packet(0, Opcode::Update, Some(10));
        packet.tlvs = (0..40)
            .map(|host| Tlv::Route(route(net(&format!("172.30.{}.0/24", block * 40 + host)), Some(10))))
            .collect();
        stage.transmit(0, router, &packet);
        stage.run(50);
    }
    stage.say(1, Opcode::Update, None);
    stage.run(1000);
    stage.forget();
    stage.restart(1);
    stage.run(2000);
    let heard = std::mem::take(&mut stage.puppets[1].heard);
    let table: Vec<&Packet> = heard
        .iter()
        .map(|(_, packet)| packet)
        .filter(|packet| packet.header.opcode == Opcode::Update && !packet.header.flags.contains(Flags::INIT))
        .collect();
    let routes: usize = table.iter().map(|packet| packet.routes().count()).sum();
    // The link to the first neighbor is told too.
    assert_eq!(routes, 201);
    assert!(table.iter().all(|packet| packet.emit().len() <= 1480));
    let last = |packet: &&Packet| packet.header.flags.contains(Flags::END_OF_TABLE);
    assert_eq!(table.iter().position(last), Some(table.len() - 1));
    assert!(table.len() >= 4);
}
