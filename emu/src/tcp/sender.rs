//! The sending half of a connection: buffer, retransmission timer (RFC 6298), congestion window (RFC 5681), window probes.

use std::collections::VecDeque;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::SequenceNumber;
use crate::time::Time;

/// How many octets an owner may have unsent or unacknowledged before it should wait for `Writable`.
pub(super) const BUFFER: usize = 64 * 1024;
/// RFC 6298 section 2.1 and 2.4.
const INITIAL_TIMEOUT: Duration = Duration::from_secs(1);
const LEAST_TIMEOUT: Duration = Duration::from_secs(1);
const GREATEST_TIMEOUT: Duration = Duration::from_secs(60);
/// R2 of RFC 9293 section 3.8.3, counted in retransmissions.
const MOST_RETRANSMISSIONS: u32 = 12;

/// The smallest payload of full segments, whatever the peer asks for.
const LEAST_PAYLOAD: u16 = 64;

/// Round-trip time and the timeout made from it (RFC 6298).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct RoundTrip {
    /// Smoothed round-trip time and its variation.
    smoothed: Option<(Duration, Duration)>,
    timeout: Duration,
    /// The segment being timed: its end, and when it was sent (Karn: never a retransmitted one).
    sample: Option<(SequenceNumber, Time)>,
}

impl RoundTrip {
    fn measured(&mut self, rtt: Duration) {
        let (srtt, variation) = match self.smoothed {
            None => (rtt, rtt / 2),
            Some((srtt, variation)) => (srtt * 7 / 8 + rtt / 8, variation * 3 / 4 + srtt.abs_diff(rtt) / 4),
        };
        self.smoothed = Some((srtt, variation));
        self.timeout = (srtt + variation * 4).clamp(LEAST_TIMEOUT, GREATEST_TIMEOUT);
    }
}

/// What an acknowledgment did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Acknowledged {
    /// New sequence numbers were acknowledged.
    pub(super) advanced: bool,
    /// The buffer was full and has room again.
    pub(super) room: bool,
    /// Our FIN is acknowledged.
    pub(super) fin: bool,
}

/// A piece of sequence space to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) sequence: SequenceNumber,
    pub(super) syn: bool,
    pub(super) data: Vec<u8>,
    pub(super) fin: bool,
}

/// What goes on when the retransmission timer runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Timer {
    Stopped,
    /// Something is in flight.
    Retransmit(Time),
    /// The peer's window is closed and data waits (RFC 9293 section 3.8.6.1).
    Probe(Time),
}

/// SND.UNA, SND.NXT, SND.WND and the data from SND.UNA on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sender {
    /// SND.UNA.
    unacknowledged: SequenceNumber,
    /// SND.NXT; goes back to SND.UNA on a timeout.
    next: SequenceNumber,
    /// The highest SND.NXT ever was.
    highest: SequenceNumber,
    /// Our SYN is not yet acknowledged: it takes the sequence number before `buffer`.
    syn: bool,
    /// From SND.UNA (behind the SYN) on.
    buffer: VecDeque<u8>,
    /// A FIN follows the buffer.
    fin: bool,
    window: u32,
    largest_window: u32,
    window_update: (SequenceNumber, SequenceNumber),
    mss: u16,
    /// Octets of options in each segment, which are taken from its data (RFC 6691 section 3).
    options: u16,
    congestion_window: u32,
    slow_start_threshold: u32,
    duplicates: u32,
    /// SND.NXT when fast recovery began.
    recovery: Option<SequenceNumber>,
    /// Send one segment from SND.UNA again.
    resend: bool,
    probe: bool,
    retransmissions: u32,
    round_trip: RoundTrip,
    timer: Timer,
    full: bool,
}

impl Sender {
    /// A sender whose SYN will have the number `iss`, and whose segments carry so many octets of options.
    pub(super) fn new(iss: SequenceNumber, mss: u16, options: u16) -> Self {
        let mss = mss.saturating_sub(options).max(LEAST_PAYLOAD);
        Self {
            unacknowledged: iss,
            next: iss,
            highest: iss,
            syn: true,
            buffer: VecDeque::new(),
            fin: false,
            window: 0,
            largest_window: 0,
            window_update: (SequenceNumber(0), iss),
            mss,
            options,
            congestion_window: 4 * u32::from(mss),
            slow_start_threshold: u32::MAX,
            duplicates: 0,
            recovery: None,
            resend: false,
            probe: false,
            retransmissions: 0,
            round_trip: RoundTrip { smoothed: None, timeout: INITIAL_TIMEOUT, sample: None },
            timer: Timer::Stopped,
            full: false,
        }
    }

    /// The number for segments that carry no data: the highest SND.NXT ever reached.
    pub(super) fn highest(&self) -> SequenceNumber {
        self.highest
    }

    /// SND.UNA.
    pub(super) fn unacknowledged(&self) -> SequenceNumber {
        self.unacknowledged
    }

    /// Largest payload to send.
    pub(super) fn mss(&self) -> u16 {
        self.mss
    }

    /// The peer's maximum segment size (RFC 9293 section 3.7.1: 536 if it named none).
    pub(super) fn limit_mss(&mut self, peer: Option<u16>) {
        let limit = peer.unwrap_or(536).saturating_sub(self.options);
        self.mss = self.mss.min(limit).max(LEAST_PAYLOAD);
        self.congestion_window = 4 * u32::from(self.mss);
    }

    /// Smoothed round-trip time and its variation, once measured.
    pub(super) fn round_trip(&self) -> Option<(Duration, Duration)> {
        self.round_trip.smoothed
    }

    /// Octets for which the owner's buffer has room.
    pub(super) fn room(&self) -> usize {
        BUFFER.saturating_sub(self.buffer.len())
    }

    /// Nothing waits to be sent or acknowledged.
    pub(super) fn is_idle(&self) -> bool {
        self.buffer.is_empty() && !self.syn && !self.fin
    }

    /// Appends data; all of it is taken, the owner is to heed the room.
    pub(super) fn write(&mut self, data: &[u8]) {
        if !self.fin {
            self.buffer.extend(data);
            self.full = self.room() == 0;
        }
    }

    /// A FIN shall follow what was written.
    pub(super) fn finish(&mut self) {
        self.fin = true;
    }

    /// Our SYN is to be sent again with the acknowledgment of the peer's (simultaneous open).
    pub(super) fn restart_handshake(&mut self) {
        self.next = self.unacknowledged;
        self.round_trip.sample = None;
    }

    /// The window field of an acceptable segment (RFC 9293 section 3.10.7.4, SND.WL1 and SND.WL2).
    pub(super) fn update_window(
        &mut self,
        sequence: SequenceNumber,
        ack: SequenceNumber,
        window: u16,
        force: bool,
    ) {
        let (wl1, wl2) = self.window_update;
        if force || wl1 < sequence || (wl1 == sequence && wl2 <= ack) {
            let window = u32::from(window);
            if window > 0 && matches!(self.timer, Timer::Probe(_)) {
                self.timer = Timer::Stopped;
                self.retransmissions = 0;
                // What a probe carried beyond the closed window was not taken.
                self.next = self.unacknowledged;
            }
            self.window = window;
            self.largest_window = self.largest_window.max(window);
            self.window_update = (sequence, ack);
        }
    }

    /// An acknowledgment between SND.UNA and SND.NXT. `pure` is a segment without data, window change or FIN.
    pub(super) fn acknowledge(&mut self, now: Time, ack: SequenceNumber, pure: bool) -> Acknowledged {
        let mut octets = ack - self.unacknowledged;
        if octets == 0 {
            if pure && self.in_flight() > 0 && self.window > 0 {
                self.duplicate();
            }
            return Acknowledged::default();
        }
        let mut result = Acknowledged { advanced: true, ..Acknowledged::default() };
        if let Some((end, sent)) = self.round_trip.sample
            && end <= ack
        {
            self.round_trip.sample = None;
            self.round_trip.measured(now.since(sent));
        }
        self.open_congestion_window(octets, ack);
        if self.syn {
            self.syn = false;
            octets -= 1;
        }
        let data = usize::try_from(octets).unwrap_or(usize::MAX).min(self.buffer.len());
        self.buffer.drain(..data);
        if self.fin && octets > 0 && usize::try_from(octets).is_ok_and(|n| n > data) {
            self.fin = false;
            result.fin = true;
        }
        self.unacknowledged = ack;
        self.next = self.next.latest(ack);
        self.retransmissions = 0;
        self.timer = if self.in_flight() > 0 {
            Timer::Retransmit(now + self.round_trip.timeout)
        } else {
            Timer::Stopped
        };
        if self.full && self.buffer.len() <= BUFFER / 2 {
            self.full = false;
            result.room = true;
        }
        result
    }

    /// The third duplicate acknowledgment starts a fast retransmission (RFC 5681 section 3.2).
    fn duplicate(&mut self) {
        self.duplicates += 1;
        let mss = u32::from(self.mss);
        if self.duplicates == 3 && self.recovery.is_none() {
            self.slow_start_threshold = (self.in_flight() / 2).max(2 * mss);
            self.congestion_window = self.slow_start_threshold + 3 * mss;
            self.recovery = Some(self.highest);
            self.resend = true;
            self.round_trip.sample = None;
        } else if self.recovery.is_some() {
            self.congestion_window = self.congestion_window.saturating_add(mss);
        }
    }

    fn open_congestion_window(&mut self, octets: u32, ack: SequenceNumber) {
        let mss = u32::from(self.mss);
        self.duplicates = 0;
        match self.recovery {
            Some(until) if ack < until => {
                // A partial acknowledgment: the next segment is missing as well (RFC 6582).
                self.resend = true;
                self.congestion_window =
                    self.congestion_window.saturating_sub(octets).saturating_add(mss).max(mss);
            }
            Some(_) => {
                self.recovery = None;
                self.congestion_window = self.slow_start_threshold;
            }
            None if self.congestion_window < self.slow_start_threshold => {
                self.congestion_window = self.congestion_window.saturating_add(octets.min(mss));
            }
            None => {
                let growth = (mss.saturating_mul(mss) / self.congestion_window.max(1)).max(1);
                self.congestion_window = self.congestion_window.saturating_add(growth);
            }
        }
    }

    fn in_flight(&self) -> u32 {
        self.next - self.unacknowledged
    }

    /// The next piece that may be sent now, if any; call again until there is none.
    pub(super) fn poll(&mut self, now: Time) -> Option<Piece> {
        if self.syn {
            return (self.next == self.unacknowledged).then(|| self.send(now, 0, 0));
        }
        if std::mem::take(&mut self.resend) && self.in_flight() > 0 {
            let piece = self.piece(0, usize::from(self.mss));
            self.timer = Timer::Retransmit(now + self.round_trip.timeout);
            return Some(piece);
        }
        let offset = usize::try_from(self.in_flight()).unwrap_or(usize::MAX);
        let waiting = self.buffer.len().saturating_sub(offset);
        let fin_waits = self.fin && offset <= self.buffer.len();
        if waiting == 0 && !fin_waits {
            return None;
        }
        if std::mem::take(&mut self.probe) && self.in_flight() == 0 && waiting > 0 {
            // What fits, though it be silly (the override timer of section 3.8.6.2.1), or one octet beyond a closed window.
            let window = usize::try_from(self.window).unwrap_or(usize::MAX);
            return Some(self.send(now, 0, window.clamp(1, usize::from(self.mss)).min(waiting)));
        }
        let usable = self.window.min(self.congestion_window).saturating_sub(self.in_flight());
        let usable = usize::try_from(usable).unwrap_or(usize::MAX);
        if waiting > 0 {
            let length = waiting.min(usize::from(self.mss)).min(usable);
            // RFC 9293 section 3.8.6.2.1: no silly segments while an acknowledgment will open the window.
            let worthwhile = length == waiting
                || length == usize::from(self.mss)
                || (self.in_flight() == 0
                    && length * 2 >= usize::try_from(self.largest_window).unwrap_or(usize::MAX));
            if length == 0 || !worthwhile {
                self.watch_window(now);
                return None;
            }
            return Some(self.send(now, offset, length));
        }
        // A FIN alone goes out even to a closed window: its retransmission serves as the probe.
        Some(self.send(now, offset, 0))
    }

    /// Data waits, nothing is in flight, and the window is too small: probe it, lest an update was lost.
    fn watch_window(&mut self, now: Time) {
        if self.in_flight() == 0 && self.timer == Timer::Stopped {
            self.timer = Timer::Probe(now + self.round_trip.timeout);
        }
    }

    fn send(&mut self, now: Time, offset: usize, length: usize) -> Piece {
        let piece = self.piece(offset, length);
        // Bounded by the maximum segment size.
        let taken = piece.data.len() as u32 + u32::from(piece.fin) + u32::from(piece.syn);
        let fresh = self.highest <= self.next;
        self.next = self.next + taken;
        self.highest = self.highest.latest(self.next);
        if self.round_trip.sample.is_none() && fresh && self.retransmissions == 0 {
            self.round_trip.sample = Some((self.next, now));
        }
        if self.timer == Timer::Stopped {
            self.timer = Timer::Retransmit(now + self.backed_off());
        }
        piece
    }

    fn piece(&self, offset: usize, length: usize) -> Piece {
        let data: Vec<u8> = self.buffer.iter().skip(offset).take(length).copied().collect();
        let reaches_end = offset + data.len() == self.buffer.len();
        // An offset lies within the send buffer, which is far smaller than 4 GiB.
        let sequence = self.unacknowledged + offset as u32;
        Piece { sequence, syn: self.syn, fin: self.fin && !self.syn && reaches_end, data }
    }

    fn backed_off(&self) -> Duration {
        self.round_trip.timeout.saturating_mul(1 << self.retransmissions.min(6)).min(GREATEST_TIMEOUT)
    }

    /// When the timer wants to run.
    pub(super) fn deadline(&self) -> Option<Time> {
        match self.timer {
            Timer::Stopped => None,
            Timer::Retransmit(at) | Timer::Probe(at) => Some(at),
        }
    }

    /// Runs the timer if it is due; `false` when the peer must be given up.
    pub(super) fn run_timer(&mut self, now: Time) -> bool {
        match self.timer {
            Timer::Retransmit(at) if at <= now => {
                // RFC 6298 section 5.4 to 5.6, RFC 5681 section 3.1.
                self.retransmissions += 1;
                let mss = u32::from(self.mss);
                if self.retransmissions == 1 {
                    self.slow_start_threshold = (self.in_flight() / 2).max(2 * mss);
                }
                self.congestion_window = mss;
                self.recovery = None;
                self.duplicates = 0;
                self.round_trip.sample = None;
                self.next = self.unacknowledged;
                self.probe = self.window == 0 && !self.syn;
                self.timer = Timer::Stopped;
                self.retransmissions <= MOST_RETRANSMISSIONS
            }
            Timer::Probe(at) if at <= now => {
                // A peer that answers probes is never given up.
                self.retransmissions += 1;
                self.probe = true;
                self.next = self.unacknowledged;
                self.timer = Timer::Probe(now + self.backed_off());
                true
            }
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc6691_3_options_take_their_room_from_the_data() {
        let mut sender = Sender::new(SequenceNumber(0), 1460, 20);
        assert_eq!(sender.mss(), 1440);
        sender.limit_mss(Some(1400));
        assert_eq!(sender.mss(), 1380);
    }
}
