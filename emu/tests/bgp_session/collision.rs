//! RFC 4271 section 6.8: both have opened a connection.

use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::packet::{MessageType, Open, keepalive};
use netconfarena_emu::ids::RouterId;

use super::{PEER_AS, Stage};

/// Cease, Connection Collision Resolution (RFC 4486).
const COLLISION: (u8, u8) = (6, 7);

/// Whose connection: the speaker's or the router's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Opener {
    Speaker,
    Router,
}

impl Opener {
    const fn other(self) -> Self {
        match self {
            Self::Speaker => Self::Router,
            Self::Router => Self::Speaker,
        }
    }
}

/// A speaker with two connections to the router, on neither of which it has said anything.
struct Collision {
    stage: Stage,
    speaks_on: Opener,
}

impl Collision {
    fn new() -> Self {
        let mut stage = Stage::with_mode(PEER_AS, None);
        stage.puppet.listen(&mut stage.network);
        // The router waits, then opens its connection.
        stage.puppet.run(&mut stage.network, Duration::from_secs(15));
        stage.puppet.connect(&mut stage.network);
        let mut collision = Self { stage, speaks_on: Opener::Speaker };
        for opener in [Opener::Router, Opener::Speaker] {
            collision.turn_to(opener);
            assert!(collision.stage.puppet.connected(), "{opener:?}");
        }
        collision
    }

    fn turn_to(&mut self, opener: Opener) {
        if self.speaks_on != opener {
            self.stage.puppet.turn();
            self.speaks_on = opener;
        }
    }

    fn say(&mut self, on: Opener, octets: &[u8]) {
        self.turn_to(on);
        self.stage.puppet.send(&mut self.stage.network, octets);
        self.stage.puppet.run(&mut self.stage.network, Duration::from_millis(300));
    }

    fn open(&self, router_id: Ipv4Addr) -> Vec<u8> {
        Open { router_id: RouterId(router_id), ..self.stage.open() }.message()
    }

    /// The router has ended this connection, and says why.
    fn assert_lost(&mut self, opener: Opener, case: &str) {
        self.turn_to(opener);
        let heard = self.stage.puppet.heard();
        let last = heard.last().unwrap_or_else(|| panic!("{case}: silence"));
        let (code, subcode, _) = last.notification().unwrap_or_else(|| panic!("{case}: {:?}", last.kind));
        assert_eq!((code, subcode), COLLISION, "{case}");
        assert!(!self.stage.puppet.connected(), "{case}");
    }

    /// The router has agreed to this connection and complains of nothing.
    fn assert_won(&mut self, opener: Opener, case: &str) {
        self.turn_to(opener);
        let kinds: Vec<MessageType> = self.stage.puppet.heard().iter().map(|message| message.kind).collect();
        assert!(kinds.starts_with(&[MessageType::Open, MessageType::Keepalive]), "{case}: {kinds:?}");
        assert!(!kinds.contains(&MessageType::Notification), "{case}");
        assert!(self.stage.puppet.connected(), "{case}");
        self.say(opener, &keepalive());
        assert_eq!(self.stage.state(), State::Established, "{case}");
    }
}

/// The router is 1.1.1.1. The connection stays that the greater of the two has opened, whichever OPEN comes first.
#[test]
fn rfc4271_6_8_the_connection_of_the_greater_identifier_stays() {
    let greater = (Ipv4Addr::new(2, 2, 2, 2), Opener::Speaker);
    let less = (Ipv4Addr::new(1, 1, 1, 0), Opener::Router);
    for (router_id, winner) in [greater, less] {
        for first in [Opener::Speaker, Opener::Router] {
            let case = format!("{router_id}, first the connection of the {first:?}");
            let mut collision = Collision::new();
            let open = collision.open(router_id);
            collision.say(first, &open);
            assert_eq!(collision.stage.state(), State::OpenConfirm, "{case}");
            collision.say(first.other(), &open);
            collision.assert_lost(winner.other(), &case);
            collision.assert_won(winner, &case);
        }
    }
}

/// A session that is up stays, whoever opens another connection: the new one goes.
#[test]
fn rfc4271_6_8_an_established_session_stays() {
    for router_id in [Ipv4Addr::new(2, 2, 2, 2), Ipv4Addr::new(1, 1, 1, 0)] {
        let case = router_id.to_string();
        let mut collision = Collision::new();
        let open = collision.open(router_id);
        collision.say(Opener::Router, &open);
        collision.assert_won(Opener::Router, &case);
        collision.turn_to(Opener::Speaker);
        // The router's connection is up: the one that it has accepted besides has gone already, or goes now.
        if collision.stage.puppet.connected() {
            collision.say(Opener::Speaker, &open);
        }
        collision.assert_lost(Opener::Speaker, &case);
        assert_eq!(collision.stage.state(), State::Established, "{case}");
    }
}
