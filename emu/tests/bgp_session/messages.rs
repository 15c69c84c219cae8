//! Headers, OPENs, messages at the wrong time, NOTIFICATIONs and refreshes.

use std::time::Duration;

use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::packet::{MessageType, Notification, keepalive};

use crate::{OWN_AS, PEER_AS, ROUTER_ID, Stage, assert_falls, assert_stays, message, update};

/// A message whose length field says something else.
fn with_length(mut message: Vec<u8>, length: u16) -> Vec<u8> {
    message[16..18].copy_from_slice(&length.to_be_bytes());
    message
}

#[test]
fn rfc4271_6_1_a_bad_header_ends_the_session_in_every_state() {
    let lengths = |kind: u8, bad: &[u16]| -> Vec<(String, Vec<u8>, u8, Vec<u8>)> {
        bad.iter()
            .map(|&length| {
                let octets = with_length(message(kind, &[0; 4]), length);
                (format!("type {kind} with length {length}"), octets, 2, length.to_be_bytes().to_vec())
            })
            .collect()
    };
    let mut cases = Vec::new();
    for at in [0, 7, 15] {
        let mut octets = keepalive();
        octets[at] = 0xfe;
        cases.push((format!("octet {at} of the marker"), octets, 1, Vec::new()));
    }
    // Too short for a header, too long for any message, too short for the type, and a KEEPALIVE that is no bare header.
    cases.extend(lengths(1, &[0, 18, 28, 4097, u16::MAX]));
    cases.extend(lengths(2, &[18, 22, 4097]));
    cases.extend(lengths(3, &[18, 20, 4097]));
    cases.extend(lengths(4, &[18, 20, 23, 4097]));
    cases.extend(lengths(5, &[18, 4097]));
    for kind in [0, 6, 7, 128, 255] {
        cases.push((format!("type {kind}"), message(kind, &[]), 3, vec![kind]));
    }
    let mut connected = Stage::new(PEER_AS);
    connected.puppet.connect(&mut connected.network);
    let mut confirming = connected.clone();
    let open = confirming.open().message();
    assert_eq!(confirming.say(&open).last().unwrap().kind, MessageType::Keepalive);
    let established = Stage::established(PEER_AS);
    for (stage, state) in
        [(connected, State::OpenSent), (confirming, State::OpenConfirm), (established, State::Established)]
    {
        assert_eq!(stage.state(), state);
        for (case, octets, subcode, data) in &cases {
            let mut stage = stage.clone();
            let heard = stage.say(octets);
            assert_falls(&stage, &heard, 1, *subcode, Some(data), &format!("{case} in {state}"));
        }
    }
}

#[test]
fn rfc4271_6_1_a_message_may_come_in_pieces_and_with_others() {
    let mut stage = Stage::established(PEER_AS);
    let octets = [keepalive(), keepalive(), keepalive()].concat();
    let before = stage.peer().received.keepalives;
    for piece in octets.chunks(7) {
        let heard = stage.say(piece);
        assert_stays(&stage, &heard, "a piece");
    }
    assert_eq!(stage.peer().received.keepalives, before + 3);
}

/// An OPEN from its fields.
fn open(version: u8, asn: u16, hold: u16, id: [u8; 4], parameters: &[u8]) -> Vec<u8> {
    let mut body = vec![version];
    body.extend(asn.to_be_bytes());
    body.extend(hold.to_be_bytes());
    body.extend(id);
    body.push(u8::try_from(parameters.len()).unwrap());
    body.extend(parameters);
    message(1, &body)
}

/// What is wrong, the message, the subcode of the answer, and its data where they are laid down.
type Case = (&'static str, Vec<u8>, u8, Option<Vec<u8>>);

#[test]
fn rfc4271_6_2_a_bad_open_is_answered_with_its_reason() {
    let asn = PEER_AS as u16;
    let id = [2, 2, 2, 2];
    // Capability: IPv4 unicast.
    let ipv4: &[u8] = &[2, 6, 1, 4, 0, 1, 0, 1];
    let four = |asn: u32| [ipv4, &[2, 6, 65, 4], &asn.to_be_bytes()].concat();
    let mut wrong_total = open(4, asn, 180, id, ipv4);
    wrong_total[28] += 1;
    let cases: Vec<Case> = vec![
        ("version 3", open(3, asn, 180, id, ipv4), 1, Some(vec![0, 4])),
        ("version 5", open(5, asn, 180, id, ipv4), 1, Some(vec![0, 4])),
        ("another AS", open(4, 65_009, 180, id, ipv4), 2, None),
        ("AS 0 (RFC 7607)", open(4, 0, 180, id, ipv4), 2, None),
        ("another AS in the capability", open(4, 23_456, 180, id, &four(70_000)), 2, None),
        ("AS 0 in the capability", open(4, asn, 180, id, &four(0)), 2, None),
        ("identifier 0", open(4, asn, 180, [0; 4], ipv4), 3, Some(vec![0; 4])),
        ("our identifier", open(4, asn, 180, ROUTER_ID.octets(), ipv4), 3, Some(ROUTER_ID.octets().to_vec())),
        ("an authentication parameter", open(4, asn, 180, id, &[1, 2, 0, 0]), 4, None),
        ("an unknown parameter", open(4, asn, 180, id, &[77, 0]), 4, None),
        ("hold time 1", open(4, asn, 1, id, ipv4), 6, None),
        ("hold time 2", open(4, asn, 2, id, ipv4), 6, None),
        ("parameters longer than the message", wrong_total, 0, None),
        ("a parameter longer than all", open(4, asn, 180, id, &[2, 9, 1, 4, 0, 1, 0, 1]), 0, None),
        ("a capability longer than its parameter", open(4, asn, 180, id, &[2, 6, 1, 5, 0, 1, 0, 1]), 0, None),
        ("half a parameter", open(4, asn, 180, id, &[2]), 0, None),
        ("no family in common", open(4, asn, 180, id, &[2, 6, 1, 4, 0, 2, 0, 1]), 8, None),
    ];
    let mut connected = Stage::new(PEER_AS);
    connected.puppet.connect(&mut connected.network);
    for (case, octets, subcode, data) in cases {
        let mut stage = connected.clone();
        let heard = stage.say(&octets);
        assert_falls(&stage, &heard, 2, subcode, data.as_deref(), case);
    }
    let internal = open(4, OWN_AS as u16, 180, ROUTER_ID.octets(), ipv4);
    let mut stage = Stage::new(OWN_AS);
    stage.puppet.connect(&mut stage.network);
    let heard = stage.say(&internal);
    assert_falls(&stage, &heard, 2, 3, None, "an internal peer with our identifier");
}

#[test]
fn rfc5492_unknown_and_malformed_capabilities_do_no_harm() {
    let asn = PEER_AS as u16;
    let odd: [&[u8]; 6] = [
        // Not known; of the wrong length: route refresh, four-octet AS, graceful restart, add-path, multiprotocol.
        &[2, 4, 200, 2, 9, 9],
        &[2, 3, 2, 1, 7],
        &[2, 5, 65, 3, 0, 0, 1],
        &[2, 3, 64, 1, 0],
        &[2, 5, 69, 3, 0, 1, 1],
        &[2, 5, 1, 3, 0, 1, 1],
    ];
    for parameters in odd {
        let mut stage = Stage::new(PEER_AS);
        stage.puppet.connect(&mut stage.network);
        stage.say(&open(4, asn, 180, [2, 2, 2, 2], parameters));
        let heard = stage.say(&keepalive());
        assert_stays(&stage, &heard, &format!("{parameters:?}"));
    }
}

#[test]
fn rfc6608_messages_at_the_wrong_time_are_named_by_the_state() {
    let route = update(&[], &[], &[]);
    let mut connected = Stage::new(PEER_AS);
    connected.puppet.connect(&mut connected.network);
    for (case, octets) in
        [("KEEPALIVE", keepalive()), ("UPDATE", route.clone()), ("ROUTE-REFRESH", message(5, &[0, 1, 0, 1]))]
    {
        let mut stage = connected.clone();
        let heard = stage.say(&octets);
        assert_falls(&stage, &heard, 5, 1, None, &format!("{case} in OpenSent"));
    }
    let mut confirming = connected.clone();
    let open = confirming.open().message();
    confirming.say(&open);
    assert_eq!(confirming.state(), State::OpenConfirm);
    for (case, octets) in [("OPEN", open.clone()), ("UPDATE", route)] {
        let mut stage = confirming.clone();
        let heard = stage.say(&octets);
        assert_falls(&stage, &heard, 5, 2, None, &format!("{case} in OpenConfirm"));
    }
    let mut stage = Stage::established(PEER_AS);
    let heard = stage.say(&open);
    assert_falls(&stage, &heard, 5, 3, None, "OPEN in Established");
}

#[test]
fn rfc4271_6_4_a_notification_is_never_answered() {
    let established = Stage::established(PEER_AS);
    let all = (0..=9).flat_map(|code| (0..=12).map(move |subcode| (code, subcode)));
    for (code, subcode) in all {
        let mut stage = established.clone();
        let heard = stage.say(&Notification::with(code, subcode, [1, 2, 3]).message());
        assert_eq!(heard, [], "{code}/{subcode}");
        assert!(stage.state() < State::OpenSent, "{code}/{subcode}");
        assert!(!stage.puppet.connected(), "{code}/{subcode}");
        let reset = stage.peer().last_reset.as_ref().unwrap();
        assert_eq!(reset.notification.as_ref().map(|(sent, n)| (*sent, n.code)), Some((false, code)));
    }
}

#[test]
fn rfc4271_6_5_silence_ends_the_session_when_the_hold_timer_expires() {
    let mut stage = Stage::established(PEER_AS);
    stage.puppet.run(&mut stage.network, Duration::from_secs(179));
    assert_eq!(stage.state(), State::Established);
    stage.puppet.run(&mut stage.network, Duration::from_secs(3));
    let heard = stage.puppet.heard();
    assert_falls(&stage, &heard, 4, 0, Some(&[]), "hold timer");
}

#[test]
fn rfc7313_5_refreshes_of_wrong_length_are_answered_and_unknown_ones_ignored() {
    let established = Stage::established(PEER_AS);
    let falls: [&[u8]; 6] = [
        // Too short; begin and end marks with more behind them; filters whose lengths do not fit; no such time to refresh.
        &[],
        &[0, 1, 0],
        &[0, 1, 1, 1, 0],
        &[0, 1, 2, 1, 0, 0],
        &[0, 1, 0, 1, 1, 64, 0, 9, 0],
        &[0, 1, 0, 1, 9],
    ];
    for body in falls {
        let mut stage = established.clone();
        let octets = message(5, body);
        let heard = stage.say(&octets);
        assert_falls(&stage, &heard, 7, 1, Some(&octets), &format!("{body:?}"));
    }
    let stays: [&[u8]; 4] = [
        // A request, an unknown subtype, other families.
        &[0, 1, 0, 1],
        &[0, 1, 77, 1],
        &[0, 2, 0, 1],
        &[9, 9, 0, 9],
    ];
    for body in stays {
        let mut stage = established.clone();
        let heard = stage.say(&message(5, body));
        assert_stays(&stage, &heard, &format!("{body:?}"));
    }
}
