//! Ports to the outside: frames that come from and go to something that is not a router of the network.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Network;
use super::link::{ExternalPort, Plug};
use crate::ids::LinkIndex;
use crate::time::Time;

/// A frame that has left the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalFrame {
    /// Through which port.
    pub port: ExternalPort,
    /// When its last bit left.
    pub time: Time,
    /// The frame, from its link header on.
    pub frame: Arc<[u8]>,
}

impl Network {
    /// Adds an end to an Ethernet link that leads outside. It always has carrier.
    ///
    /// `None` if there is no such link.
    pub fn add_external_port(&mut self, link: LinkIndex) -> Option<ExternalPort> {
        self.topology.links.get(link.0 as usize)?;
        let port = ExternalPort(u32::try_from(self.topology.external.len()).ok()?);
        self.add_end(link, Plug::External(port));
        self.schedule_carrier(link);
        Some(port)
    }

    /// A frame comes in from outside, now.
    pub fn inject(&mut self, port: ExternalPort, frame: &[u8]) {
        if let Some(&end) = self.topology.external.get(port.0 as usize) {
            self.transmit(end, frame.into());
        }
    }

    /// Takes out the frames that have left since the last call, oldest first.
    pub fn take_outbox(&mut self) -> Vec<ExternalFrame> {
        std::mem::take(&mut self.outbox).into()
    }

    /// When the next event happens: how long a driver that follows the wall clock may sleep.
    #[must_use]
    pub fn next_event(&self) -> Option<Time> {
        self.queue.next_time()
    }
}
