//! One connection: the state machine of RFC 9293 section 3.10.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::receiver::{Receiver, WINDOW};
use super::sender::{Acknowledged, Sender};
use super::{CloseReason, EventKind, Flags, Options, Segment, SequenceNumber};
use crate::time::Time;

/// Twice the maximum segment lifetime: IOS waits 60 s.
const TIME_WAIT: Duration = Duration::from_secs(60);
/// How long an open may take: `ip tcp synwait-time`, 30 s in IOS.
const SYN_WAIT: Duration = Duration::from_secs(30);
/// Unanswered keepalives until the peer is given up.
const KEEPALIVE_PROBES: u32 = 4;

/// The states of RFC 9293 section 3.3.2. LISTEN is not a connection's state here but an entry of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum State {
    /// SYN-SENT.
    SynSent,
    /// SYN-RECEIVED.
    SynReceived,
    /// ESTABLISHED.
    Established,
    /// FIN-WAIT-1.
    FinWait1,
    /// FIN-WAIT-2.
    FinWait2,
    /// CLOSE-WAIT.
    CloseWait,
    /// CLOSING.
    Closing,
    /// LAST-ACK.
    LastAck,
    /// TIME-WAIT.
    TimeWait,
    /// CLOSED: to be forgotten.
    Closed,
}

/// A connection.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Connection {
    ports: (u16, u16),
    state: State,
    active: bool,
    options: Options,
    sender: Sender,
    receiver: Option<Receiver>,
    /// End of the open, of TIME-WAIT, or of the wait in FIN-WAIT-2.
    expiry: Option<Time>,
    last_heard: Time,
    keepalives: u32,
}

impl Connection {
    /// An active open from our port to the peer's; the SYN goes out with the next [`Connection::poll`].
    #[must_use]
    pub fn connect(now: Time, ports: (u16, u16), iss: u32, options: Options) -> Self {
        Self {
            ports,
            state: State::SynSent,
            active: true,
            sender: Sender::new(SequenceNumber(iss), options.mss, options.segment_options()),
            options,
            receiver: None,
            expiry: Some(now + SYN_WAIT),
            last_heard: now,
            keepalives: 0,
        }
    }

    /// A passive open: the answer to `syn`.
    #[must_use]
    pub fn accept(now: Time, syn: &Segment, iss: u32, options: Options) -> Self {
        let mut connection = Self::connect(now, (syn.destination_port, syn.source_port), iss, options);
        connection.active = false;
        connection.state = State::SynReceived;
        connection.receiver = Some(Receiver::new(syn.sequence));
        connection.sender.limit_mss(syn.mss);
        connection.sender.update_window(syn.sequence, SequenceNumber(iss), syn.window, true);
        connection
    }

    /// The state.
    #[must_use]
    pub const fn state(&self) -> State {
        self.state
    }

    /// Whether we opened it.
    #[must_use]
    pub const fn is_active(&self) -> bool {
        self.active
    }

    /// The options it was opened with.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Largest payload of a segment that is sent.
    #[must_use]
    pub fn mss(&self) -> u16 {
        self.sender.mss()
    }

    /// Smoothed round-trip time and its variation, once measured (RFC 6298).
    #[must_use]
    pub fn round_trip(&self) -> Option<(Duration, Duration)> {
        self.sender.round_trip()
    }

    /// How many octets the owner may write before it should wait for [`EventKind::Writable`].
    #[must_use]
    pub fn room(&self) -> usize {
        match self.state {
            State::Established | State::CloseWait => self.sender.room(),
            _ => 0,
        }
    }

    /// SEND call.
    pub fn send(&mut self, data: &[u8]) {
        if matches!(self.state, State::SynSent | State::SynReceived | State::Established | State::CloseWait) {
            self.sender.write(data);
        }
    }

    /// CLOSE call.
    pub fn close(&mut self) {
        self.state = match self.state {
            State::SynSent => State::Closed,
            State::SynReceived | State::Established => {
                self.sender.finish();
                State::FinWait1
            }
            State::CloseWait => {
                self.sender.finish();
                State::LastAck
            }
            other => other,
        };
    }

    /// ABORT call: the reset to send, if the peer knows of the connection.
    pub fn abort(&mut self) -> Option<Segment> {
        let known = !matches!(self.state, State::SynSent | State::TimeWait | State::Closed);
        self.state = State::Closed;
        known.then(|| self.bare(Flags::RST_ACK, self.sender.highest()))
    }

    /// SEGMENT ARRIVES (section 3.10.7). Events are appended; what is to be sent comes from [`Connection::poll`], but for a
    /// reset, which is returned.
    pub fn receive(&mut self, now: Time, segment: Segment, events: &mut Vec<EventKind>) -> Option<Segment> {
        match self.state {
            State::Closed => None,
            State::SynSent => self.receive_in_syn_sent(now, &segment, events),
            _ => self.receive_synchronized(now, segment, events),
        }
    }

    /// Section 3.10.7.3.
    fn receive_in_syn_sent(
        &mut self,
        now: Time,
        segment: &Segment,
        events: &mut Vec<EventKind>,
    ) -> Option<Segment> {
        let acceptable = segment.flags.ack
            && self.sender.unacknowledged() < segment.acknowledgment
            && segment.acknowledgment <= self.sender.highest();
        if segment.flags.ack && !acceptable {
            return (!segment.flags.rst).then(|| reset_for(segment));
        }
        if segment.flags.rst {
            if acceptable {
                self.fail(CloseReason::Refused, events);
            }
            return None;
        }
        if !segment.flags.syn {
            return None;
        }
        self.last_heard = now;
        self.receiver = Some(Receiver::new(segment.sequence));
        self.sender.limit_mss(segment.mss);
        if acceptable {
            self.sender.acknowledge(now, segment.acknowledgment, false);
            self.sender.update_window(segment.sequence, segment.acknowledgment, segment.window, true);
            self.demand_acknowledgment();
            self.establish(events);
        } else {
            // Simultaneous open: our SYN goes out again, now with an acknowledgment.
            self.state = State::SynReceived;
            self.sender.update_window(segment.sequence, self.sender.unacknowledged(), segment.window, true);
            self.sender.restart_handshake();
        }
        None
    }

    fn establish(&mut self, events: &mut Vec<EventKind>) {
        self.state = State::Established;
        self.expiry = None;
        events.push(if self.active { EventKind::Connected } else { EventKind::Accepted });
    }

    /// Section 3.10.7.4.
    fn receive_synchronized(
        &mut self,
        now: Time,
        segment: Segment,
        events: &mut Vec<EventKind>,
    ) -> Option<Segment> {
        let receiver = self.receiver.as_mut()?;
        if self.state == State::SynReceived && segment.flags.syn && segment.sequence + 1 == receiver.next() {
            self.receive_peer_syn_again(now, &segment, events);
            return None;
        }
        // First, check sequence number.
        if !receiver.acceptable(segment.sequence, segment.sequence_length()) {
            if !segment.flags.rst {
                receiver.demand_acknowledgment();
                // RFC 5961 section 4 aside, a keepalive (one number below the window) shows that the peer lives.
                self.last_heard = now;
                self.keepalives = 0;
                if segment.flags.ack && self.state != State::SynReceived {
                    self.take_acknowledgment(now, &segment, events);
                }
            }
            return None;
        }
        // Second, the RST bit (RFC 5961 section 3: only exactly at RCV.NXT, else challenge).
        if segment.flags.rst {
            if segment.sequence == receiver.next() {
                let reason = if self.state == State::SynReceived && self.active {
                    CloseReason::Refused
                } else {
                    CloseReason::Reset
                };
                self.fail(reason, events);
            } else {
                receiver.demand_acknowledgment();
            }
            return None;
        }
        // Fourth, the SYN bit (RFC 5961 section 4).
        if segment.flags.syn {
            receiver.demand_acknowledgment();
            return None;
        }
        if !segment.flags.ack {
            return None;
        }
        self.last_heard = now;
        self.keepalives = 0;
        if self.state == State::SynReceived && !self.complete_handshake(&segment, events) {
            return Some(reset_for(&segment));
        }
        if !self.take_acknowledgment(now, &segment, events) {
            return None;
        }
        self.take_data(now, segment, events);
        None
    }

    /// The peer's SYN once more: with an acknowledgment of ours it ends a simultaneous open (section 3.5, figure 7), without
    /// one our answer was lost.
    fn receive_peer_syn_again(&mut self, now: Time, segment: &Segment, events: &mut Vec<EventKind>) {
        self.last_heard = now;
        if !segment.flags.ack {
            self.sender.restart_handshake();
        } else if self.complete_handshake(segment, events) {
            self.take_acknowledgment(now, segment, events);
        }
    }

    /// In SYN-RECEIVED an acknowledgment of our SYN establishes; anything else is answered by a reset.
    fn complete_handshake(&mut self, segment: &Segment, events: &mut Vec<EventKind>) -> bool {
        let acceptable = self.sender.unacknowledged() < segment.acknowledgment
            && segment.acknowledgment <= self.sender.highest();
        if acceptable {
            self.establish(events);
        }
        acceptable
    }

    /// Fifth, the ACK field. `false` if the segment is to be dropped.
    fn take_acknowledgment(&mut self, now: Time, segment: &Segment, events: &mut Vec<EventKind>) -> bool {
        let ack = segment.acknowledgment;
        if self.sender.highest() < ack {
            self.demand_acknowledgment();
            return false;
        }
        if ack < self.sender.unacknowledged() {
            return true;
        }
        let pure = segment.payload.is_empty() && !segment.flags.fin && !segment.flags.syn;
        let Acknowledged { advanced, room, fin } = self.sender.acknowledge(now, ack, pure);
        self.sender.update_window(
            segment.sequence,
            ack,
            segment.window,
            advanced && segment.payload.is_empty(),
        );
        if room {
            events.push(EventKind::Writable);
        }
        if fin {
            self.our_fin_acknowledged(now, events);
        }
        self.state != State::Closed
    }

    fn our_fin_acknowledged(&mut self, now: Time, events: &mut Vec<EventKind>) {
        match self.state {
            State::FinWait1 => {
                self.state = State::FinWait2;
                self.expiry = Some(now + TIME_WAIT);
            }
            State::Closing => self.wait(now, events),
            State::LastAck => self.fail(CloseReason::Finished, events),
            _ => {}
        }
    }

    fn wait(&mut self, now: Time, events: &mut Vec<EventKind>) {
        self.state = State::TimeWait;
        self.expiry = Some(now + TIME_WAIT);
        events.push(EventKind::Closed(CloseReason::Finished));
    }

    /// Seventh and eighth, the segment text and the FIN bit.
    fn take_data(&mut self, now: Time, segment: Segment, events: &mut Vec<EventKind>) {
        let Some(receiver) = self.receiver.as_mut() else { return };
        if segment.payload.is_empty() && !segment.flags.fin {
            return;
        }
        if self.state == State::TimeWait {
            receiver.demand_acknowledgment();
            self.expiry = Some(now + TIME_WAIT);
            return;
        }
        let (data, finished) =
            receiver.accept(now, segment.sequence, segment.payload, segment.flags.fin, self.options.mss);
        if !data.is_empty() {
            events.push(EventKind::Received(data));
        }
        if finished {
            events.push(EventKind::PeerClosed);
            match self.state {
                State::SynReceived | State::Established => self.state = State::CloseWait,
                State::FinWait1 => self.state = State::Closing,
                State::FinWait2 => self.wait(now, events),
                _ => {}
            }
        }
    }

    fn demand_acknowledgment(&mut self) {
        if let Some(receiver) = self.receiver.as_mut() {
            receiver.demand_acknowledgment();
        }
    }

    fn fail(&mut self, reason: CloseReason, events: &mut Vec<EventKind>) {
        // In TIME-WAIT the owner was told already.
        if self.state != State::TimeWait {
            events.push(EventKind::Closed(reason));
        }
        self.state = State::Closed;
    }

    /// When [`Connection::run_timers`] is wanted.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        [
            self.sender.deadline(),
            self.receiver.as_ref().and_then(Receiver::deadline),
            self.expiry,
            self.keepalive_deadline(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    fn keepalive_deadline(&self) -> Option<Time> {
        let interval = self.options.keepalive?;
        (matches!(self.state, State::Established | State::CloseWait) && self.sender.is_idle())
            .then(|| self.last_heard + interval.saturating_mul(self.keepalives + 1))
    }

    /// Runs the timers that are due; a keepalive to send is returned.
    pub fn run_timers(&mut self, now: Time, events: &mut Vec<EventKind>) -> Option<Segment> {
        if self.expiry.is_some_and(|at| at <= now) {
            let reason = match self.state {
                State::SynSent | State::SynReceived => CloseReason::TimedOut,
                _ => CloseReason::Finished,
            };
            self.fail(reason, events);
            return None;
        }
        if !self.sender.run_timer(now) {
            self.fail(CloseReason::TimedOut, events);
            return None;
        }
        if self.keepalive_deadline().is_some_and(|at| at <= now) {
            if self.keepalives == KEEPALIVE_PROBES {
                self.fail(CloseReason::TimedOut, events);
                return None;
            }
            self.keepalives += 1;
            let below = SequenceNumber(self.sender.highest().0.wrapping_sub(1));
            return Some(self.bare(Flags::ACK, below));
        }
        None
    }

    /// The next segment to send now; call until there is none.
    pub fn poll(&mut self, now: Time) -> Option<Segment> {
        if matches!(self.state, State::Closed) {
            return None;
        }
        if let Some(piece) = self.sender.poll(now) {
            let mut segment = self.bare(Flags::ACK, piece.sequence);
            segment.flags.ack = self.receiver.is_some();
            segment.flags.syn = piece.syn;
            segment.flags.fin = piece.fin;
            segment.flags.psh = !piece.data.is_empty();
            segment.mss = piece.syn.then_some(self.options.mss);
            segment.payload = piece.data;
            if let Some(receiver) = self.receiver.as_mut() {
                receiver.acknowledged();
            }
            return Some(segment);
        }
        let receiver = self.receiver.as_mut()?;
        if self.state == State::SynReceived || !receiver.acknowledgment_due(now) {
            return None;
        }
        receiver.acknowledged();
        Some(self.bare(Flags::ACK, self.sender.highest()))
    }

    fn bare(&self, flags: Flags, sequence: SequenceNumber) -> Segment {
        Segment {
            source_port: self.ports.0,
            destination_port: self.ports.1,
            sequence,
            acknowledgment: self.receiver.as_ref().map_or(SequenceNumber(0), Receiver::next),
            flags,
            window: WINDOW,
            mss: None,
            payload: Vec::new(),
        }
    }
}

/// The reset that answers a segment for which there is no connection (section 3.5.2, group 1).
pub(super) fn reset_for(segment: &Segment) -> Segment {
    let (flags, sequence) = if segment.flags.ack {
        (Flags::RST, segment.acknowledgment)
    } else {
        (Flags::RST_ACK, SequenceNumber(0))
    };
    Segment {
        source_port: segment.destination_port,
        destination_port: segment.source_port,
        sequence,
        acknowledgment: segment.sequence + segment.sequence_length(),
        flags,
        window: 0,
        mss: None,
        payload: Vec::new(),
    }
}
