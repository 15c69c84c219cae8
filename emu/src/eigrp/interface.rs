//! The interfaces that an instance runs on.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::config::{EigrpInterfaceConfig, InterfaceSummary};
use super::metric::Vector;
use super::neighbor::Neighbor;
use super::packet::Sequence;
use crate::ids::IfIndex;
use crate::interface::InterfaceName;
use crate::time::Time;

/// IOS's default hello interval.
const HELLO_INTERVAL: Duration = Duration::from_secs(5);
/// A hold time is so many hello intervals.
const HOLD_FACTOR: u32 = 3;
/// The share of an interface's bandwidth that EIGRP may use, in percent.
const BANDWIDTH_PERCENT: u32 = 50;

/// What all neighbors on an interface are to be told of a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Announcement {
    /// It has changed.
    Update,
    /// It has gone active.
    Query,
}

/// What `show ip eigrp interfaces detail` counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceCounters {
    /// Packets made of changed routes.
    pub packetized: u64,
    /// Hellos sent.
    pub hellos: u64,
    /// Hellos sent at once because of a new neighbor.
    pub hellos_expedited: u64,
    /// Unreliable multicasts other than hellos.
    pub unreliable_multicasts: u64,
    /// Reliable multicasts.
    pub reliable_multicasts: u64,
    /// Unreliable unicasts: acknowledgments.
    pub unreliable_unicasts: u64,
    /// Reliable unicasts.
    pub reliable_unicasts: u64,
    /// Multicasts that had to be sent to one neighbor alone.
    pub multicast_exceptions: u64,
    /// Multicasts for those in conditional receive mode.
    pub conditional_receive: u64,
    /// Acknowledgments that another packet carried.
    pub acknowledgments_suppressed: u64,
    /// Retransmissions.
    pub retransmissions: u64,
    /// Packets received twice or out of order.
    pub out_of_sequence: u64,
}

/// An interface that an instance runs on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EigrpInterface {
    /// Which.
    pub index: IfIndex,
    /// Its name.
    pub name: InterfaceName,
    /// Its address with its subnet; neighbors are on this one.
    pub address: Ipv4Net,
    /// The subnets that are told: those of its addresses that `network` matches.
    pub subnets: BTreeSet<Ipv4Net>,
    /// What the link adds to a path.
    pub link: Vector,
    /// `bandwidth`, in kbit/s.
    pub bandwidth_kbps: u32,
    /// Largest packet, in octets.
    pub ip_mtu: u16,
    /// Nobody is spoken to.
    pub passive: bool,
    /// The configuration.
    pub settings: EigrpInterfaceConfig,
    /// The summaries told here, those of `auto-summary` included.
    pub summaries: BTreeMap<Ipv4Net, InterfaceSummary>,
    /// `neighbor`: if there are any, packets are sent to these alone, and taken from these alone.
    pub static_neighbors: BTreeSet<Ipv4Addr>,
    /// Neighbors by address.
    pub neighbors: BTreeMap<Ipv4Addr, Neighbor>,
    /// What all neighbors are to be told.
    pub announcements: BTreeMap<Ipv4Net, Announcement>,
    /// The multicast that is not acknowledged by all.
    pub multicast_in_flight: Option<Sequence>,
    /// Before that no reliable packet is sent.
    pub next_transmission: Time,
    /// Counters.
    pub counters: InterfaceCounters,
}

impl EigrpInterface {
    /// How often hellos are sent.
    #[must_use]
    pub fn hello_interval(&self) -> Duration {
        self.settings.hello_interval.map_or(HELLO_INTERVAL, |secs| Duration::from_secs(u64::from(secs)))
    }

    /// How long neighbors shall wait for the next hello. IOS does not let it follow a configured hello interval.
    #[must_use]
    pub fn hold_time(&self) -> Duration {
        let configured = self.settings.hold_time.map(|secs| Duration::from_secs(u64::from(secs)));
        configured.unwrap_or(HELLO_INTERVAL * HOLD_FACTOR)
    }

    /// Whether split horizon is on (the default).
    #[must_use]
    pub fn split_horizon(&self) -> bool {
        self.settings.split_horizon.unwrap_or(true)
    }

    /// The gap after a reliable packet of `octets`, so that EIGRP leaves the interface its share of the bandwidth.
    #[must_use]
    pub fn pacing(&self, octets: usize) -> Duration {
        let percent = u64::from(self.settings.bandwidth_percent.unwrap_or(BANDWIDTH_PERCENT).max(1));
        let kbps = u64::from(self.bandwidth_kbps.max(1));
        let bits = u64::try_from(octets).unwrap_or(u64::MAX).saturating_mul(8);
        // kbit/s are bits a millisecond.
        Duration::from_micros(bits.saturating_mul(1000 * 100) / (kbps * percent))
    }

    /// The gap after a packet of full size, in whole milliseconds (`Pacing Time Un/Reliable`).
    #[must_use]
    pub fn pacing_interval(&self) -> Duration {
        let millis = self.pacing(usize::from(self.ip_mtu)).as_millis();
        Duration::from_millis(u64::try_from(millis).unwrap_or(u64::MAX))
    }

    /// The mean of the neighbors' round-trip times (`Mean SRTT`).
    #[must_use]
    pub fn mean_srtt(&self) -> Duration {
        let known: Vec<Duration> = self.neighbors.values().filter_map(|n| n.transport.srtt).collect();
        let sum: Duration = known.iter().sum();
        sum.checked_div(u32::try_from(known.len()).unwrap_or(u32::MAX)).unwrap_or_default()
    }

    /// How long a multicast waits for the acknowledgments of all before those that have not sent theirs are passed over
    /// (`Multicast Flow Timer`).
    #[must_use]
    pub fn multicast_flow_time(&self) -> Duration {
        if self.neighbors.is_empty() {
            return Duration::ZERO;
        }
        (self.mean_srtt() * 4 + self.pacing_interval()).max(Duration::from_millis(50))
    }

    /// Whether packets are to be made for all neighbors, or for one.
    #[must_use]
    pub fn has_something_to_tell(&self) -> bool {
        let one = |neighbor: &Neighbor| neighbor.table_download.is_some() || !neighbor.unicast.is_empty();
        !self.announcements.is_empty() || self.up_neighbors().any(one)
    }

    /// The neighbors that routes are exchanged with.
    pub fn up_neighbors(&self) -> impl Iterator<Item = &Neighbor> {
        self.neighbors.values().filter(|neighbor| neighbor.is_up())
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::interface::InterfaceKind;

    fn eigrp_interface(kbps: u32) -> EigrpInterface {
        EigrpInterface {
            index: IfIndex(1),
            name: InterfaceName::new(InterfaceKind::Serial, &[0, 1], None).unwrap(),
            address: "10.0.0.1/24".parse().unwrap(),
            subnets: BTreeSet::new(),
            link: Vector { bandwidth: 0, delay: 0, mtu: 1500, hop_count: 0, reliability: 255, load: 1 },
            bandwidth_kbps: kbps,
            ip_mtu: 1500,
            passive: false,
            settings: EigrpInterfaceConfig::default(),
            summaries: BTreeMap::new(),
            static_neighbors: BTreeSet::new(),
            neighbors: BTreeMap::new(),
            announcements: BTreeMap::new(),
            multicast_in_flight: None,
            next_transmission: Time::ZERO,
            counters: InterfaceCounters::default(),
        }
    }

    #[test]
    fn rfc7868_5_1_pacing_leaves_half_of_the_bandwidth_unless_told_otherwise() {
        let mut interface = eigrp_interface(1544);
        assert_eq!(interface.pacing_interval(), Duration::from_millis(15));
        interface.settings.bandwidth_percent = Some(10);
        assert_eq!(interface.pacing_interval(), Duration::from_millis(77));
        assert_eq!(eigrp_interface(1_000_000).pacing_interval(), Duration::ZERO);
        assert_eq!(eigrp_interface(10_000).pacing(1500), Duration::from_micros(2400));
    }

    #[test]
    fn the_multicast_flow_timer_is_four_round_trips_and_the_pacing() {
        let mut interface = eigrp_interface(1544);
        assert_eq!(interface.multicast_flow_time(), Duration::ZERO);
        let address = Ipv4Addr::new(10, 0, 0, 2);
        let mut neighbor = Neighbor::new(address, 0, Duration::from_secs(15), Time::ZERO);
        neighbor.transport.measure(Duration::from_millis(100));
        interface.neighbors.insert(address, neighbor);
        assert_eq!(interface.multicast_flow_time(), Duration::from_millis(415));
    }
}
