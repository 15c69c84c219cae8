//! A session that hears anything at all: octets at random, and good messages damaged.

use std::time::Duration;

use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::packet::{Family, MessageType, Notification, RouteRefresh, keepalive};
use proptest::prelude::*;

use crate::{PEER_AS, Stage, message, update};

/// One of the messages that a good speaker sends.
fn good_message() -> impl Strategy<Value = Vec<u8>> {
    let path =
        [&[0x40, 1, 1, 0, 0x40, 2, 6, 2, 1][..], &PEER_AS.to_be_bytes(), &[0x40, 3, 4, 10, 0, 0, 2]].concat();
    let more = prop::sample::subsequence(
        vec![
            vec![0x80, 4, 4, 0, 0, 0, 9],
            vec![0x40, 6, 0],
            vec![0xc0, 7, 8, 0, 0, 0, 7, 9, 9, 9, 9],
            vec![0xc0, 8, 4, 0, 1, 0, 2],
            vec![0xc0, 16, 8, 0, 2, 0, 1, 0, 0, 0, 1],
            vec![0x80, 26, 11, 1, 0, 11, 0, 0, 0, 0, 0, 0, 0, 9],
            vec![0xc0, 32, 12, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3],
            vec![0xc0, 99, 2, 7, 7],
            vec![0x80, 14, 12, 0, 1, 1, 4, 10, 0, 0, 2, 0, 16, 10, 9],
            vec![0x80, 15, 6, 0, 1, 1, 16, 10, 8],
        ],
        0..=10,
    );
    let routes = prop::collection::vec((8_u8..=24, any::<u8>()), 0..6);
    let octets = |routes: Vec<(u8, u8)>| -> Vec<u8> {
        routes
            .into_iter()
            .flat_map(|(length, octet)| {
                let address = [20, octet, 0, 0];
                std::iter::once(length).chain(address.into_iter().take(usize::from(length).div_ceil(8)))
            })
            .collect()
    };
    let announcement = (more, routes.clone(), routes).prop_map(move |(more, withdrawn, routes)| {
        update(&octets(withdrawn), &[path.clone(), more.concat()].concat(), &octets(routes))
    });
    prop_oneof![
        6 => announcement,
        1 => Just(keepalive()),
        1 => Just(RouteRefresh::request(Family::IPV4_UNICAST).message()),
        1 => Just(Stage::new(PEER_AS).open().message()),
        1 => Just(Notification::ADMINISTRATIVE_RESET.message()),
        1 => (0_u8..8, any::<Vec<u8>>()).prop_map(|(kind, body)| message(kind, &body[..body.len().min(4000)])),
    ]
}

/// What happens to good octets on the way.
#[derive(Clone, Debug)]
enum Damage {
    Set(prop::sample::Index, u8),
    Cut(prop::sample::Index),
    Insert(prop::sample::Index, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        4 => (at(), any::<u8>()).prop_map(|(at, value)| Damage::Set(at, value)),
        1 => at().prop_map(Damage::Cut),
        1 => (at(), prop::collection::vec(any::<u8>(), 1..5)).prop_map(|(at, more)| Damage::Insert(at, more)),
    ]
}

fn damaged(mut octets: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        match damage {
            Damage::Set(at, value) if octets.len() > 19 => {
                // The header has its own tests; most of the damage is to be met behind it.
                let at = 16 + at.index(octets.len() - 16);
                octets[at] = *value;
            }
            Damage::Set(..) => {}
            Damage::Cut(at) => {
                let at = at.index(octets.len());
                octets.remove(at);
            }
            Damage::Insert(at, more) => {
                let at = at.index(octets.len());
                octets.splice(at..at, more.iter().copied());
            }
        }
        if octets.is_empty() {
            break;
        }
    }
    octets
}

/// Says the octets; then the session is up, or has ended with nothing left of it, and a new one can be made.
fn survives(mut stage: Stage, octets: &[u8]) -> Result<(), TestCaseError> {
    let heard = stage.say(octets);
    let ended = heard.iter().any(|message| message.kind == MessageType::Notification);
    if ended {
        prop_assert!(stage.state() < State::OpenSent);
    }
    if stage.state() != State::Established {
        let instance = stage.network.router(stage.node).bgp().unwrap().instance(Default::default()).unwrap();
        prop_assert!(instance.table.is_empty());
        prop_assert_eq!(stage.peer().routes_in.current, 0);
    }
    let counted = stage.peer().routes_in.current as usize;
    let instance = stage.network.router(stage.node).bgp().unwrap().instance(Default::default()).unwrap();
    prop_assert_eq!(
        counted,
        instance.table.iter().map(|(_, destination)| destination.paths.len()).sum::<usize>()
    );
    stage.puppet.abort(&mut stage.network);
    stage.puppet.run(&mut stage.network, Duration::from_secs(1));
    let open = stage.open();
    stage.puppet.establish(&mut stage.network, &open);
    prop_assert_eq!(stage.state(), State::Established);
    Ok(())
}

thread_local! {
    static ESTABLISHED: Stage = Stage::established(PEER_AS);
    static CONNECTED: Stage = {
        let mut stage = Stage::new(PEER_AS);
        stage.puppet.connect(&mut stage.network);
        stage
    };
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arbitrary_octets_leave_a_session_or_end_it(octets in prop::collection::vec(any::<u8>(), 0..600)) {
        survives(ESTABLISHED.with(Stage::clone), &octets)?;
    }

    #[test]
    fn arbitrary_octets_leave_a_connection_or_end_it(octets in prop::collection::vec(any::<u8>(), 0..600)) {
        survives(CONNECTED.with(Stage::clone), &octets)?;
    }

    #[test]
    fn damaged_messages_leave_a_session_or_end_it(
        messages in prop::collection::vec((good_message(), prop::collection::vec(damage(), 0..4)), 1..5),
        from_the_start in prop::bool::weighted(0.2),
    ) {
        let octets: Vec<u8> = messages.into_iter().flat_map(|(octets, damages)| damaged(octets, &damages)).collect();
        let stage = if from_the_start { CONNECTED.with(Stage::clone) } else { ESTABLISHED.with(Stage::clone) };
        survives(stage, &octets)?;
    }
}
