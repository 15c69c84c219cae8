//! The state machine of a connection (RFC 4271 section 8) as a table.
//!
//! The connection that this router opens has all six states. One that the peer has opened is met first when TCP has accepted it, as in
//! Active; when it ends it is gone.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The states of RFC 4271 section 8.2.2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum State {
    /// Nothing is tried.
    #[default]
    Idle,
    /// TCP is connecting.
    Connect,
    /// The peer may connect; the next try waits.
    Active,
    /// Our OPEN is sent.
    OpenSent,
    /// The peer's OPEN is accepted.
    OpenConfirm,
    /// Routes are exchanged.
    Established,
}

impl fmt::Display for State {
    /// As IOS writes it in `BGP state = ...`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Idle => "Idle",
            Self::Connect => "Connect",
            Self::Active => "Active",
            Self::OpenSent => "OpenSent",
            Self::OpenConfirm => "OpenConfirm",
            Self::Established => "Established",
        })
    }
}

/// The events of RFC 4271 section 8.1, as far as they are told apart here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Event {
    /// AutomaticStart (3), or with a passive peer AutomaticStart_with_PassiveTcpEstablishment (5).
    Start,
    /// ManualStop (2), AutomaticStop (8) and OpenCollisionDump (23).
    Stop,
    /// ConnectRetryTimer_Expires (9).
    ConnectRetryExpires,
    /// HoldTimer_Expires (10).
    HoldExpires,
    /// KeepaliveTimer_Expires (11).
    KeepaliveExpires,
    /// Tcp_CR_Acked (16) and TcpConnectionConfirmed (17).
    TcpEstablished,
    /// TcpConnectionFails (18).
    TcpFails,
    /// BGPOpen (19).
    Open,
    /// BGPHeaderErr (21), BGPOpenMsgErr (22) and UpdateMsgErr (28).
    MessageError,
    /// NotifMsg (25) and NotifMsgVerErr (24).
    Notification,
    /// KeepAliveMsg (26).
    Keepalive,
    /// UpdateMsg (27), and ROUTE-REFRESH.
    Update,
}

/// What is done in a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Step {
    /// Open the TCP connection.
    Connect,
    /// Close the TCP connection.
    Disconnect,
    /// Start the ConnectRetryTimer.
    StartConnectRetry,
    /// Stop it.
    StopConnectRetry,
    /// Start the hold timer with its large value.
    StartOpenHold,
    /// Start hold and keepalive timer with the values agreed on.
    StartSessionTimers,
    /// Restart the hold timer.
    RestartHold,
    /// Restart the keepalive timer.
    RestartKeepalive,
    /// Stop all timers of the connection.
    StopTimers,
    /// Send OPEN.
    SendOpen,
    /// Send KEEPALIVE.
    SendKeepalive,
    /// Send the NOTIFICATION that goes with the event.
    SendNotification,
    /// The session is up.
    Up,
    /// The session is down.
    Down,
    /// Look at the message's contents.
    Process,
}

/// Where an event leads, and what is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition {
    /// The next state.
    pub next: State,
    /// In this order.
    pub steps: &'static [Step],
}

const fn to(next: State, steps: &'static [Step]) -> Transition {
    Transition { next, steps }
}

/// The transition of `event` in `state` (RFC 4271 section 8.2.2).
#[must_use]
pub const fn transition(state: State, event: Event) -> Transition {
    use State::{Active, Connect, Established, Idle, OpenConfirm, OpenSent};
    use Step::{
        Disconnect, Down, Process, RestartHold, RestartKeepalive, SendKeepalive, SendNotification, SendOpen,
        StartConnectRetry, StartOpenHold, StartSessionTimers, StopConnectRetry, StopTimers, Up,
    };
    match (state, event) {
        (Idle, Event::Start) => to(Connect, &[StartConnectRetry, Step::Connect]),
        (Idle, _) => to(Idle, &[]),

        (Connect | Active, Event::Start) => to(state, &[]),
        (Connect | Active, Event::Stop) => to(Idle, &[StopConnectRetry, Disconnect]),
        (Connect | Active, Event::ConnectRetryExpires) => {
            to(Connect, &[Disconnect, StartConnectRetry, Step::Connect])
        }
        (Connect | Active, Event::TcpEstablished) => {
            to(OpenSent, &[StopConnectRetry, SendOpen, StartOpenHold])
        }
        (Connect | Active, Event::TcpFails) => to(Active, &[StartConnectRetry]),
        (Connect | Active, _) => to(Idle, &[StopConnectRetry, Disconnect]),

        (OpenSent | OpenConfirm | Established, Event::Start | Event::ConnectRetryExpires) => to(state, &[]),

        (OpenSent, Event::Open) => to(OpenConfirm, &[SendKeepalive, StartSessionTimers]),
        (OpenSent, Event::TcpFails) => to(Active, &[StopTimers, StartConnectRetry]),
        (OpenSent, Event::Notification) => to(Idle, &[StopTimers, Disconnect]),
        (OpenSent, Event::KeepaliveExpires) => to(OpenSent, &[]),

        (OpenConfirm, Event::Keepalive) => to(Established, &[RestartHold, Up]),
        (OpenConfirm, Event::KeepaliveExpires) => to(OpenConfirm, &[SendKeepalive, RestartKeepalive]),
        (OpenConfirm, Event::TcpFails | Event::Notification) => to(Idle, &[StopTimers, Disconnect]),

        (Established, Event::Keepalive) => to(Established, &[RestartHold]),
        (Established, Event::Update) => to(Established, &[RestartHold, Process]),
        (Established, Event::KeepaliveExpires) => to(Established, &[SendKeepalive, RestartKeepalive]),
        (Established, Event::TcpFails | Event::Notification) => to(Idle, &[StopTimers, Disconnect, Down]),
        (Established, _) => to(Idle, &[SendNotification, StopTimers, Disconnect, Down]),

        (OpenSent | OpenConfirm, _) => to(Idle, &[SendNotification, StopTimers, Disconnect]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [State; 6] =
        [State::Idle, State::Connect, State::Active, State::OpenSent, State::OpenConfirm, State::Established];

    #[test]
    fn rfc4271_8_2_2_the_way_up() {
        let mut state = State::Idle;
        let way = [
            (Event::Start, State::Connect),
            (Event::TcpFails, State::Active),
            (Event::ConnectRetryExpires, State::Connect),
            (Event::TcpEstablished, State::OpenSent),
            (Event::Open, State::OpenConfirm),
            (Event::Keepalive, State::Established),
            (Event::Update, State::Established),
        ];
        for (event, next) in way {
            state = transition(state, event).next;
            assert_eq!(state, next, "{event:?}");
        }
    }

    #[test]
    fn rfc4271_8_2_2_a_connection_that_was_open_ends_with_a_notification_unless_the_peer_ended_it() {
        for state in [State::OpenSent, State::OpenConfirm, State::Established] {
            for event in [Event::Stop, Event::HoldExpires, Event::MessageError] {
                let Transition { next, steps } = transition(state, event);
                assert_eq!(next, State::Idle);
                assert_eq!(steps.first(), Some(&Step::SendNotification), "{state:?} {event:?}");
            }
            for event in [Event::TcpFails, Event::Notification] {
                assert!(!transition(state, event).steps.contains(&Step::SendNotification));
            }
        }
    }

    #[test]
    fn rfc6608_messages_out_of_turn_end_the_connection() {
        for (state, event) in [
            (State::OpenSent, Event::Keepalive),
            (State::OpenSent, Event::Update),
            (State::OpenConfirm, Event::Open),
            (State::OpenConfirm, Event::Update),
            (State::Established, Event::Open),
        ] {
            assert_eq!(transition(state, event).next, State::Idle, "{state:?} {event:?}");
            assert!(transition(state, event).steps.contains(&Step::SendNotification));
        }
    }

    #[test]
    fn a_session_is_down_exactly_when_established_is_left() {
        let events = [
            Event::Start,
            Event::Stop,
            Event::ConnectRetryExpires,
            Event::HoldExpires,
            Event::KeepaliveExpires,
            Event::TcpEstablished,
            Event::TcpFails,
            Event::Open,
            Event::MessageError,
            Event::Notification,
            Event::Keepalive,
            Event::Update,
        ];
        for state in STATES {
            for event in events {
                let Transition { next, steps } = transition(state, event);
                let (was, is) = (state == State::Established, next == State::Established);
                assert_eq!(steps.contains(&Step::Down), was && !is, "{state:?} {event:?}");
                assert_eq!(steps.contains(&Step::Up), !was && is, "{state:?} {event:?}");
                let tcp_was = state >= State::OpenSent;
                if tcp_was && next <= State::Active && event != Event::TcpFails {
                    assert!(steps.contains(&Step::Disconnect), "{state:?} {event:?}");
                }
            }
        }
    }
}
