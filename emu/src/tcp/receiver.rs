//! The receiving half of a connection: reassembly within the window, delayed acknowledgments.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::SequenceNumber;
use crate::time::Time;

/// The receive window: IOS's default (`ip tcp window-size`), without scaling.
pub(super) const WINDOW: u16 = 16384;
/// The longest an acknowledgment is held back: IOS's 200 ms, below the least retransmission timeout.
const ACK_DELAY: Duration = Duration::from_millis(200);

/// Whether and when what was received is acknowledged (RFC 9293 section 3.8.6.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Acknowledgment {
    /// Everything is acknowledged.
    Done,
    /// By this time at the latest.
    Delayed(Time),
    /// With the next segment, which shall go out at once.
    Now,
}

/// RCV.NXT, RCV.WND and the segments that wait for earlier ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Receiver {
    /// RCV.NXT.
    next: SequenceNumber,
    /// Octets that came too early, by their distance from the start of the stream; they do not overlap.
    early: BTreeMap<u64, Vec<u8>>,
    /// RCV.NXT as a distance from the start of the stream.
    position: u64,
    /// Where the peer's FIN stands, as a distance.
    fin: Option<u64>,
    acknowledgment: Acknowledgment,
    /// Octets received since the last acknowledgment.
    unacknowledged: u32,
}

impl Receiver {
    /// The receiver after the peer's SYN with number `irs`.
    pub(super) fn new(irs: SequenceNumber) -> Self {
        Self {
            next: irs + 1,
            early: BTreeMap::new(),
            position: 0,
            fin: None,
            acknowledgment: Acknowledgment::Done,
            unacknowledged: 0,
        }
    }

    /// RCV.NXT.
    pub(super) fn next(&self) -> SequenceNumber {
        self.next
    }

    /// The first test of RFC 9293 section 3.10.7.4: does any part of a segment lie in the window?
    pub(super) fn acceptable(&self, sequence: SequenceNumber, length: u32) -> bool {
        let first = sequence.distance(self.next);
        // The sum of a 32-bit distance and a segment's length fits 64 bits.
        let last = i64::from(first) + i64::from(length.saturating_sub(1));
        let window = i64::from(WINDOW);
        (0..window).contains(&i64::from(first)) || (length > 0 && (0..window).contains(&last))
    }

    /// Takes an acceptable segment's data in; returns what is now in order, and whether the peer's FIN was reached.
    pub(super) fn accept(
        &mut self,
        now: Time,
        sequence: SequenceNumber,
        mut data: Vec<u8>,
        fin: bool,
        mss: u16,
    ) -> (Vec<u8>, bool) {
        let mut start = i64::from(sequence.distance(self.next));
        let had_gap = !self.early.is_empty();
        if fin {
            let end = self.position.saturating_add_signed(start) + data.len() as u64;
            self.fin.get_or_insert(end);
        }
        if start < 0 {
            // Already received: acknowledge again at once, our acknowledgment may have been lost.
            self.acknowledgment = Acknowledgment::Now;
            let known = usize::try_from(start.unsigned_abs()).unwrap_or(usize::MAX).min(data.len());
            data.drain(..known);
            start = 0;
        }
        // The segment is acceptable, so it starts within the window.
        let start = u64::try_from(start).unwrap_or(0);
        data.truncate(usize::from(WINDOW).saturating_sub(usize::try_from(start).unwrap_or(usize::MAX)));
        let mut ready = Vec::new();
        if start == 0 && !had_gap {
            ready = data;
        } else {
            self.store(self.position + start, data);
            self.acknowledgment = Acknowledgment::Now;
            ready = self.take_in_order(ready);
        }
        // At most a window's worth.
        let advanced = ready.len() as u32;
        self.next = self.next + advanced;
        if !had_gap {
            self.position += u64::from(advanced);
        }
        self.unacknowledged += advanced;
        let finished = self.fin == Some(self.position) && self.reach_fin();
        self.schedule(now, advanced, mss);
        (ready, finished)
    }

    fn reach_fin(&mut self) -> bool {
        self.fin = None;
        self.next = self.next + 1;
        self.position += 1;
        self.acknowledgment = Acknowledgment::Now;
        true
    }

    fn schedule(&mut self, now: Time, advanced: u32, mss: u16) {
        if advanced == 0 {
            return;
        }
        self.acknowledgment = match self.acknowledgment {
            // RFC 1122 section 4.2.3.2: at least every second full segment.
            _ if self.unacknowledged >= 2 * u32::from(mss) => Acknowledgment::Now,
            Acknowledgment::Done => Acknowledgment::Delayed(now + ACK_DELAY),
            other => other,
        };
    }

    /// Keeps the parts of `data` that are not yet here.
    fn store(&mut self, start: u64, data: Vec<u8>) {
        let end = start + data.len() as u64;
        let mut at = start;
        while at < end {
            if let Some((&held, octets)) = self.early.range(..=at).next_back()
                && held + octets.len() as u64 > at
            {
                at = held + octets.len() as u64;
                continue;
            }
            let until = self.early.range(at..).next().map_or(end, |(&next, _)| next.min(end));
            let part = |position: u64| usize::try_from(position - start).unwrap_or(usize::MAX);
            if let Some(piece) = data.get(part(at)..part(until)) {
                self.early.insert(at, piece.to_vec());
            }
            at = until;
        }
    }

    fn take_in_order(&mut self, mut ready: Vec<u8>) -> Vec<u8> {
        while let Some(entry) = self.early.first_entry() {
            if *entry.key() != self.position {
                break;
            }
            let octets = entry.remove();
            self.position += octets.len() as u64;
            ready.extend(octets);
        }
        ready
    }

    /// An acknowledgment shall go out at once.
    pub(super) fn demand_acknowledgment(&mut self) {
        self.acknowledgment = Acknowledgment::Now;
    }

    /// A segment with our acknowledgment goes out.
    pub(super) fn acknowledged(&mut self) {
        self.acknowledgment = Acknowledgment::Done;
        self.unacknowledged = 0;
    }

    /// Whether an acknowledgment is due.
    pub(super) fn acknowledgment_due(&self, now: Time) -> bool {
        match self.acknowledgment {
            Acknowledgment::Done => false,
            Acknowledgment::Delayed(at) => at <= now,
            Acknowledgment::Now => true,
        }
    }

    /// When a held acknowledgment must go out.
    pub(super) fn deadline(&self) -> Option<Time> {
        match self.acknowledgment {
            Acknowledgment::Delayed(at) => Some(at),
            Acknowledgment::Done | Acknowledgment::Now => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Whatever order, overlap and repetition, the stream comes out once and in order, and memory stays in the window.
        #[test]
        fn segments_in_any_order_give_the_stream(
            pieces in prop::collection::vec((0usize..900, 1usize..300), 1..40),
            irs in any::<u32>(),
        ) {
            let stream: Vec<u8> = (0..1200u32).map(|i| (i % 251) as u8).collect();
            let irs = SequenceNumber(irs);
            let mut receiver = Receiver::new(irs);
            let mut out = Vec::new();
            let all = pieces.into_iter().chain((0..12).map(|i| (i * 100, 100)));
            let mut finished = false;
            for (start, len) in all {
                let data = stream[start..start + len].to_vec();
                let sequence = irs + 1 + start as u32;
                if receiver.acceptable(sequence, len as u32) {
                    let fin = start + len == stream.len();
                    let (ready, end) = receiver.accept(Time::ZERO, sequence, data, fin, 536);
                    out.extend(ready);
                    finished |= end;
                }
                let held: usize = receiver.early.values().map(Vec::len).sum();
                prop_assert!(held <= usize::from(WINDOW));
            }
            prop_assert_eq!(out, stream);
            prop_assert!(finished);
            prop_assert_eq!(receiver.next, irs + 1202);
        }
    }

    #[test]
    fn rfc9293_3_8_6_3_every_second_full_segment_is_acknowledged_at_once() {
        let mut receiver = Receiver::new(SequenceNumber(0));
        receiver.accept(Time::ZERO, SequenceNumber(1), vec![0; 536], false, 536);
        assert!(!receiver.acknowledgment_due(Time::ZERO));
        assert_eq!(receiver.deadline(), Some(Time::from_millis(200)));
        receiver.accept(Time::ZERO, SequenceNumber(537), vec![0; 536], false, 536);
        assert!(receiver.acknowledgment_due(Time::ZERO));
    }
}
