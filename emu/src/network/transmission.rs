//! Frames on links: serialisation, loss, propagation, and the switch between more than two ends.

use std::sync::Arc;
use std::time::Duration;

use rand::RngExt;

use super::link::{EndIndex, Plug};
use super::queue::Event;
use super::{ExternalFrame, Network};
use crate::ids::{LinkIndex, MacAddress};

/// How long frames may have to wait for the line before further ones are dropped at the tail of the queue.
const LONGEST_BACKLOG: Duration = Duration::from_secs(4);

/// One million: losses are given in parts of it.
const MILLION: u32 = 1_000_000;

impl Network {
    /// Sends a frame into the link from one of its ends.
    pub(super) fn transmit(&mut self, from: EndIndex, frame: Arc<[u8]>) {
        let Some(&end) = self.topology.ends.get(from.0 as usize) else { return };
        let Some(&state) = self.links.get(end.link.0 as usize) else { return };
        let Some(queue) = self.ends.get_mut(from.0 as usize) else { return };
        let start = queue.busy_until.max(self.now);
        let tagged = usize::from(matches!(frame.get(12..14), Some([0x81, 0x00]))) * 4;
        let largest = usize::from(state.properties.mtu) + state.properties.header_len() + tagged;
        if !state.up || start.since(self.now) > LONGEST_BACKLOG || frame.len() > largest {
            return;
        }
        let departure = start + state.properties.serialisation_delay(frame.len());
        queue.busy_until = departure;
        if let Some(capture) = self.captures.get_mut(&end.link) {
            Arc::make_mut(capture).push(departure, Arc::clone(&frame));
        }
        let loss = state.properties.loss_ppm;
        if loss > 0 && self.rng.random_range(0..MILLION) < loss {
            return;
        }
        let arrival = departure + state.properties.delay;
        for to in self.receivers(end.link, from, &frame) {
            self.queue.schedule(arrival, Event::Frame { end: to, frame: Arc::clone(&frame) });
        }
    }

    /// The ends that a frame comes out of: the other one of a cable; of a switch the one where the station is, or all others.
    fn receivers(&mut self, link: LinkIndex, from: EndIndex, frame: &[u8]) -> Vec<EndIndex> {
        let ends = self.topology.links.get(link.0 as usize).map_or(&[][..], |link| &link.ends);
        if ends.len() > 2 {
            let address = |octets: Option<&[u8]>| octets.and_then(|o| o.try_into().ok()).map(MacAddress);
            let (destination, source) = (address(frame.get(0..6)), address(frame.get(6..12)));
            if let Some(source) = source {
                self.stations.insert((link, source), from);
            }
            if let Some(&to) = destination.and_then(|station| self.stations.get(&(link, station))) {
                return if to == from { Vec::new() } else { vec![to] };
            }
        }
        ends.iter().copied().filter(|&end| end != from).collect()
    }

    /// A frame arrives at an end.
    pub(super) fn deliver(&mut self, end: EndIndex, frame: Arc<[u8]>) {
        let Some(&end) = self.topology.ends.get(end.0 as usize) else { return };
        if !self.is_link_up(end.link) {
            return;
        }
        match end.plug {
            Plug::Port { node, interface } => {
                self.with_router(node, |router, now| router.receive_frame(now, interface, &frame));
            }
            Plug::External(port) => {
                self.outbox.push_back(ExternalFrame { port, time: self.now, frame });
            }
        }
    }
}
