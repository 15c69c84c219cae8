//! The event queue: what happens next, ordered by virtual time and, at one instant, by the order of scheduling.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::link::EndIndex;
use crate::ids::NodeIndex;
use crate::time::Time;

/// Something that will happen in the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Event {
    /// A deadline of the router may have come. There may be more of these than deadlines: the router's own say decides.
    Wake(NodeIndex),
    /// The last bit of a frame arrives at an end of a link.
    Frame { end: EndIndex, frame: Arc<[u8]> },
    /// The carrier at an end may have changed.
    Carrier(EndIndex),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Scheduled {
    at: Time,
    sequence: u64,
    event: Event,
}

impl Ord for Scheduled {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.at, self.sequence).cmp(&(other.at, other.sequence))
    }
}

impl PartialOrd for Scheduled {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// The queue. Sequence numbers make the order total, so the heap's inner layout never shows.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct EventQueue {
    heap: BinaryHeap<Reverse<Scheduled>>,
    next_sequence: u64,
}

impl EventQueue {
    /// Adds an event.
    pub fn schedule(&mut self, at: Time, event: Event) {
        let sequence = self.next_sequence;
        self.next_sequence += 1;
        self.heap.push(Reverse(Scheduled { at, sequence, event }));
    }

    /// When the next event happens.
    pub fn next_time(&self) -> Option<Time> {
        self.heap.peek().map(|Reverse(scheduled)| scheduled.at)
    }

    /// Takes out the next event if it happens no later than `until`.
    pub fn pop_until(&mut self, until: Time) -> Option<(Time, Event)> {
        self.next_time().filter(|&at| at <= until)?;
        self.heap.pop().map(|Reverse(scheduled)| (scheduled.at, scheduled.event))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_of_one_instant_keep_the_order_of_scheduling() {
        let mut queue = EventQueue::default();
        for node in [3, 1, 2] {
            queue.schedule(Time::from_secs(1), Event::Wake(NodeIndex(node)));
        }
        queue.schedule(Time::ZERO, Event::Wake(NodeIndex(9)));
        let order: Vec<u32> = std::iter::from_fn(|| queue.pop_until(Time::from_secs(1)))
            .map(|(_, event)| match event {
                Event::Wake(node) => node.0,
                _ => unreachable!(),
            })
            .collect();
        assert_eq!(order, [9, 3, 1, 2]);
    }
}
