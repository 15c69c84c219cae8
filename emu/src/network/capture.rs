//! Captures of links, as pcap files.

use std::sync::Arc;
use std::time::Duration;

use pcap_file::pcap::{PcapHeader, PcapPacket, PcapWriter};
use serde::{Deserialize, Serialize};

use super::{LinkMedium, Network};
use crate::ids::LinkIndex;
use crate::time::Time;

/// The frames that were sent on a link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Capture {
    frames: Vec<(Time, Arc<[u8]>)>,
    lost: u64,
}

impl Capture {
    /// How many frames are kept; later ones are only counted.
    pub const CAPACITY: usize = 1 << 20;

    pub(super) fn push(&mut self, time: Time, frame: Arc<[u8]>) {
        if self.frames.len() < Self::CAPACITY {
            self.frames.push((time, frame));
        } else {
            self.lost += 1;
        }
    }

    /// The frames with the instant at which their last bit was sent, in the order in which they were given to the link.
    #[must_use]
    pub fn frames(&self) -> &[(Time, Arc<[u8]>)] {
        &self.frames
    }

    /// How many frames did not fit.
    #[must_use]
    pub const fn lost(&self) -> u64 {
        self.lost
    }
}

impl Network {
    /// Starts to record the frames sent on a link; frames recorded before are dropped.
    pub fn start_capture(&mut self, link: LinkIndex) {
        self.captures.insert(link, Arc::default());
    }

    /// Stops recording, and gives back what was recorded.
    pub fn stop_capture(&mut self, link: LinkIndex) -> Option<Arc<Capture>> {
        self.captures.remove(&link)
    }

    /// What was recorded so far.
    #[must_use]
    pub fn capture(&self, link: LinkIndex) -> Option<&Capture> {
        self.captures.get(&link).map(Arc::as_ref)
    }

    /// What was recorded so far as a pcap file, link type Ethernet (1) or Cisco HDLC (104), times in microseconds of virtual time.
    #[must_use]
    pub fn pcap(&self, link: LinkIndex) -> Option<Vec<u8>> {
        let capture = self.capture(link)?;
        let datalink = match self.link_properties(link)?.medium {
            LinkMedium::Ethernet => pcap_file::DataLink::ETHERNET,
            LinkMedium::Serial => pcap_file::DataLink::C_HDLC,
        };
        let header = PcapHeader { datalink, ..PcapHeader::default() };
        let mut writer = PcapWriter::with_header(Vec::new(), header).ok()?;
        let mut frames: Vec<&(Time, Arc<[u8]>)> = capture.frames.iter().collect();
        frames.sort_by_key(|(time, _)| *time);
        for (time, frame) in frames {
            let length = u32::try_from(frame.len()).ok()?;
            let packet = PcapPacket::new(Duration::from_nanos(time.as_nanos()), length, &frame[..]);
            writer.write_packet(&packet).ok()?;
        }
        Some(writer.into_writer())
    }
}
