//! Neighbors (RFC 7868 section 5.3) and what the reliable transport keeps for each (section 5.1).

use std::collections::{BTreeSet, VecDeque};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::packet::{Flags, Opcode, Sequence, SoftwareVersion, StubFlags, Tlv};
use crate::time::Time;

/// The state of a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum NeighborState {
    /// Heard, but the initial updates are not exchanged and acknowledged: no routes are.
    Pending,
    /// Routes are exchanged.
    Up,
}

/// A packet for the reliable transport: it is sent again until it is acknowledged.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReliablePacket {
    /// Its number.
    pub sequence: Sequence,
    /// What it is.
    pub opcode: Opcode,
    /// Its flags, without that of conditional receive.
    pub flags: Flags,
    /// Its contents.
    pub tlvs: Vec<Tlv>,
}

/// The packet that a neighbor has still to acknowledge.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InFlight {
    /// The packet.
    pub packet: Arc<ReliablePacket>,
    /// When it was first sent.
    pub sent: Time,
    /// How often it was sent again.
    pub retries: u8,
}

/// The reliable transport to a neighbor: a window of one packet.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transport {
    /// The packet to be acknowledged.
    pub in_flight: Option<InFlight>,
    /// Those that wait behind it.
    pub queue: VecDeque<Arc<ReliablePacket>>,
    /// The last packet received from it (`Seq Num`).
    pub last_received: Sequence,
    /// A packet has come that no acknowledgment was sent for yet.
    pub acknowledgment_due: bool,
    /// The neighbor has announced that the next multicast of this number is for us (conditional receive mode).
    pub conditional_receive: Option<Sequence>,
    /// Smoothed round-trip time; `None` before the first measurement.
    pub srtt: Option<Duration>,
    /// Retransmissions since the neighbor came up.
    pub retransmissions: u32,
}

impl Transport {
    /// The least and greatest retransmission timeout.
    const RTO_RANGE: (Duration, Duration) = (Duration::from_millis(100), Duration::from_millis(5000));
    /// The retransmission timeout before anything was measured.
    const INITIAL_RTO: Duration = Duration::from_millis(200);
    /// IOS's timeouts are so many round trips.
    const RTO_FACTOR: u32 = 6;

    /// The retransmission timeout of a packet sent for the first time. `pacing` is the least gap between packets.
    #[must_use]
    pub fn rto(&self, pacing: Duration) -> Duration {
        let (least, most) = Self::RTO_RANGE;
        let measured = self.srtt.map(|srtt| srtt.max(pacing) * Self::RTO_FACTOR);
        measured.unwrap_or(Self::INITIAL_RTO).clamp(least, most)
    }

    /// The retransmission timeout of the packet in flight: each retry makes it half as long again.
    #[must_use]
    pub fn current_rto(&self, pacing: Duration) -> Duration {
        let retries = self.in_flight.as_ref().map_or(0, |flight| flight.retries);
        (0..retries.min(16)).fold(self.rto(pacing), |rto, _| (rto * 3 / 2).min(Self::RTO_RANGE.1))
    }

    /// Takes in the round-trip time of a packet that was sent once.
    pub fn measure(&mut self, sample: Duration) {
        // The clock of the measurement ticks in milliseconds.
        let sample = sample.max(Duration::from_millis(1));
        self.srtt = Some(self.srtt.map_or(sample, |srtt| (srtt * 4 + sample) / 5));
    }

    /// How many packets are not acknowledged (`Q Cnt`).
    #[must_use]
    pub fn queue_count(&self) -> usize {
        self.queue.len() + usize::from(self.in_flight.is_some())
    }

    /// Whether everything is acknowledged.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.queue_count() == 0
    }
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbor {
    /// Its address.
    pub address: Ipv4Addr,
    /// In which order neighbors were found (`H`).
    pub handle: u32,
    /// State.
    pub state: NeighborState,
    /// How long it may be silent, as it says.
    pub hold_time: Duration,
    /// When it was found.
    pub since: Time,
    /// Its software, as far as it has said.
    pub version: Option<SoftwareVersion>,
    /// It is a stub, and tells only of this.
    pub stub: Option<StubFlags>,
    /// Our initial update, until it is acknowledged.
    pub initial: Option<Sequence>,
    /// The number of its initial update.
    pub initial_received: Option<Sequence>,
    /// It is sent the whole table: what comes next.
    pub table_download: Option<TableDownload>,
    /// The table is sent in a graceful restart.
    pub restarts: bool,
    /// What it told before a graceful restart, and has not told again.
    pub stale: BTreeSet<ipnet::Ipv4Net>,
    /// What it alone is to be told.
    pub unicast: Vec<(ipnet::Ipv4Net, UnicastKind)>,
    /// Reliable transport.
    pub transport: Transport,
}

/// How far the table has been sent to a new neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableDownload {
    /// Nothing yet.
    Start,
    /// All up to this destination.
    After(ipnet::Ipv4Net),
}

/// Why one neighbor alone is told of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum UnicastKind {
    /// It has asked.
    Reply,
    /// It is asked, and others on the interface are not.
    Query,
    /// It has not replied for long.
    SiaQuery,
    /// It has asked why there is no reply.
    SiaReply,
}

impl UnicastKind {
    /// The packet that carries it.
    #[must_use]
    pub const fn opcode(self) -> Opcode {
        match self {
            Self::Reply => Opcode::Reply,
            Self::Query => Opcode::Query,
            Self::SiaQuery => Opcode::SiaQuery,
            Self::SiaReply => Opcode::SiaReply,
        }
    }
}

impl Neighbor {
    /// A neighbor heard for the first time.
    #[must_use]
    pub fn new(address: Ipv4Addr, handle: u32, hold_time: Duration, now: Time) -> Self {
        Self {
            address,
            handle,
            state: NeighborState::Pending,
            hold_time,
            since: now,
            version: None,
            stub: None,
            initial: None,
            initial_received: None,
            table_download: None,
            restarts: false,
            stale: BTreeSet::new(),
            unicast: Vec::new(),
            transport: Transport::default(),
        }
    }

    /// Whether routes are exchanged with it.
    #[must_use]
    pub fn is_up(&self) -> bool {
        self.state == NeighborState::Up
    }

    /// Whether it understands multiprotocol routes.
    #[must_use]
    pub fn understands_wide(&self) -> bool {
        self.version.is_some_and(|version| version.tlv.0 >= 2)
    }

    /// Puts something on the list of what it alone is told.
    pub fn tell(&mut self, prefix: ipnet::Ipv4Net, kind: UnicastKind) {
        if !self.unicast.contains(&(prefix, kind)) {
            self.unicast.push((prefix, kind));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO_PACING: Duration = Duration::ZERO;

    fn measured(millis: u64) -> Transport {
        let mut transport = Transport::default();
        transport.measure(Duration::from_millis(millis));
        transport
    }

    #[test]
    fn rfc7868_5_1_the_timeout_is_six_smoothed_round_trips_within_bounds() {
        assert_eq!(Transport::default().rto(NO_PACING), Duration::from_millis(200));
        for (srtt, rto) in [(1, 100), (16, 100), (20, 120), (157, 942), (1600, 5000)] {
            assert_eq!(measured(srtt).rto(NO_PACING), Duration::from_millis(rto), "{srtt}");
        }
        assert_eq!(measured(1).rto(Duration::from_millis(45)), Duration::from_millis(270));
    }

    #[test]
    fn a_new_round_trip_counts_for_a_fifth() {
        let mut transport = measured(100);
        transport.measure(Duration::from_millis(200));
        assert_eq!(transport.srtt, Some(Duration::from_millis(120)));
        assert_eq!(measured(0).srtt, Some(Duration::from_millis(1)));
    }

    #[test]
    fn each_retry_waits_half_as_long_again_up_to_five_seconds() {
        let packet = Arc::new(ReliablePacket {
            sequence: Sequence(1),
            opcode: Opcode::Update,
            flags: Flags::NONE,
            tlvs: Vec::new(),
        });
        let mut transport = measured(100);
        for (retries, rto) in [(0, 600), (1, 900), (2, 1350), (15, 5000)] {
            let packet = Arc::clone(&packet);
            transport.in_flight = Some(InFlight { packet, sent: Time::ZERO, retries });
            assert_eq!(transport.current_rto(NO_PACING), Duration::from_millis(rto));
        }
    }
}
