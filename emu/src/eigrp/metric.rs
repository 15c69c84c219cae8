//! Metrics (RFC 7868 section 5.6): vectors along a path, composite distances, classic and wide arithmetic.
//!
//! Classic, of 32 bits, with bandwidth and delay as they stand in classic TLVs:
//!
//! ```text
//! BW = 256 * (10^7 / least bandwidth in kbit/s)          D = 256 * sum of delays in tens of microseconds
//! distance = (K1*BW + K2*BW / (256 - load) + K3*D) * K5 / (reliability + K4)        the last factor only if K5 is not 0
//! ```
//!
//! Wide, of 64 bits, with kbit/s and picoseconds, and T = 65536 * 10^7 / least bandwidth, L = 65536 * sum of delays / 10^6 in the
//! place of BW and D. The routing table gets a wide distance divided by the RIB scale (128).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::packet::{ClassicMetric, KValues, RouteMetric, WideMetric};
use crate::ids::RouterId;
use crate::interface::Interface;
use crate::policy::VectorMetric;

/// 10^7 kbit/s, over which bandwidths are counted.
const REFERENCE_BANDWIDTH: u64 = 10_000_000;
/// The factor of classic metrics.
const CLASSIC_SCALE: u64 = 256;
/// The factor of wide metrics.
const WIDE_SCALE: u64 = 65_536;
/// Picoseconds in ten microseconds.
const PS_PER_TEN_US: u64 = 10_000_000;
/// Picoseconds in a microsecond.
const PS_PER_US: u64 = 1_000_000;

/// A composite metric.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Distance(pub u64);

impl Distance {
    /// The distance of this router to itself.
    pub const ZERO: Self = Self(0);
    /// The distance of what cannot be reached.
    pub const INFINITE: Self = Self(u64::MAX);

    /// Whether there is a way.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self != Self::INFINITE
    }
}

impl fmt::Debug for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_finite() { fmt::Display::fmt(&self.0, f) } else { f.write_str("infinite") }
    }
}

/// Which arithmetic an instance works with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scale {
    /// Classic mode: 32 bits.
    Classic,
    /// Named mode: 64 bits.
    Wide,
}

/// The parts of a path's metric, in the units of the instance's [`Scale`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Vector {
    /// Classic: 256 * 10^7 over the least bandwidth in kbit/s. Wide: the least bandwidth in kbit/s.
    pub bandwidth: u64,
    /// Classic: 256 * tens of microseconds. Wide: picoseconds. [`Self::UNREACHABLE`] is no way.
    pub delay: u64,
    /// Least MTU.
    pub mtu: u32,
    /// Routers on the way.
    pub hop_count: u8,
    /// Least reliability, of 255.
    pub reliability: u8,
    /// Greatest load, of 255.
    pub load: u8,
}

impl Vector {
    /// The delay of what cannot be reached.
    pub const UNREACHABLE: u64 = u64::MAX;

    /// Whether there is a way.
    #[must_use]
    pub const fn is_reachable(&self) -> bool {
        self.delay != Self::UNREACHABLE
    }

    /// The same, but without a way.
    #[must_use]
    pub const fn unreachable(self) -> Self {
        Self { delay: Self::UNREACHABLE, ..self }
    }
}

/// The arithmetic of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricSystem {
    /// Classic or wide.
    pub scale: Scale,
    /// Coefficients.
    pub k: KValues,
    /// Beyond so many routers nothing is reached (`metric maximum-hops`).
    pub maximum_hops: u8,
    /// What wide distances are divided by for the routing table.
    pub rib_scale: u8,
}

impl MetricSystem {
    /// What the link of an interface adds to a path, which is also the metric of its subnet. `delay_is_set` tells whether `delay`
    /// is configured.
    #[must_use]
    pub fn link(&self, interface: &Interface, delay_is_set: bool) -> Vector {
        let kbps = u64::from(interface.bandwidth_kbps.max(1));
        let tens_us = u64::from(interface.delay_tens_us);
        let (bandwidth, delay) = match self.scale {
            Scale::Classic => (scaled_bandwidth(kbps), tens_us * CLASSIC_SCALE),
            // Above 1 Gbit/s the default delay follows the bandwidth.
            Scale::Wide if kbps > 1_000_000 && !delay_is_set => {
                (kbps, REFERENCE_BANDWIDTH * PS_PER_US / kbps)
            }
            Scale::Wide => (kbps, tens_us * PS_PER_TEN_US),
        };
        Vector { bandwidth, delay, mtu: u32::from(interface.mtu), hop_count: 0, reliability: 255, load: 1 }
    }

    /// The metric that `redistribute`, `default-metric` or a route map gives.
    #[must_use]
    pub fn seed(&self, metric: &VectorMetric) -> Vector {
        let kbps = u64::from(metric.bandwidth_kbps.max(1));
        let tens_us = u64::from(metric.delay_tens_us);
        let (bandwidth, delay) = match self.scale {
            Scale::Classic => (scaled_bandwidth(kbps), tens_us * CLASSIC_SCALE),
            Scale::Wide => (kbps, tens_us * PS_PER_TEN_US),
        };
        let VectorMetric { reliability, load, mtu, .. } = *metric;
        Vector { bandwidth, delay, mtu, hop_count: 0, reliability, load }
    }

    /// A path with a link before it.
    #[must_use]
    pub fn extend(&self, path: &Vector, link: &Vector) -> Vector {
        let hop_count = path.hop_count.saturating_add(1);
        let reachable = path.is_reachable() && link.is_reachable() && hop_count <= self.maximum_hops;
        let bandwidth = match self.scale {
            Scale::Classic => path.bandwidth.max(link.bandwidth),
            Scale::Wide => path.bandwidth.min(link.bandwidth),
        };
        Vector {
            bandwidth,
            delay: if reachable { path.delay.saturating_add(link.delay) } else { Vector::UNREACHABLE },
            mtu: path.mtu.min(link.mtu),
            hop_count,
            reliability: path.reliability.min(link.reliability),
            load: path.load.max(link.load),
        }
    }

    /// The composite metric.
    #[must_use]
    pub fn distance(&self, vector: &Vector) -> Distance {
        if !vector.is_reachable() {
            return Distance::INFINITE;
        }
        let (bandwidth, delay) = match self.scale {
            Scale::Classic => (u128::from(vector.bandwidth), u128::from(vector.delay)),
            Scale::Wide => (
                u128::from(WIDE_SCALE * REFERENCE_BANDWIDTH / vector.bandwidth.max(1)),
                u128::from(vector.delay) * u128::from(WIDE_SCALE) / u128::from(PS_PER_US),
            ),
        };
        let k = |value: u8| u128::from(value);
        let mut total = k(self.k.k1) * bandwidth
            + k(self.k.k2) * bandwidth / u128::from(256 - u16::from(vector.load))
            + k(self.k.k3) * delay;
        if self.k.k5 != 0 {
            total = total * k(self.k.k5) / (k(vector.reliability) + k(self.k.k4)).max(1);
        }
        let limit = match self.scale {
            Scale::Classic => u64::from(u32::MAX),
            Scale::Wide => u64::MAX,
        };
        u64::try_from(total).ok().filter(|&total| total < limit).map_or(Distance::INFINITE, Distance)
    }

    /// The metric in the routing table.
    #[must_use]
    pub fn rib_metric(&self, distance: Distance) -> u32 {
        let metric = match self.scale {
            Scale::Classic => distance.0,
            Scale::Wide => distance.0 / u64::from(self.rib_scale.max(1)),
        };
        u32::try_from(metric).unwrap_or(u32::MAX)
    }

    /// A path whose distance an `offset-list` makes longer: by way of the delay.
    #[must_use]
    pub fn offset(&self, vector: &Vector, offset: u32) -> Vector {
        let offset = u64::from(offset);
        let more = match self.scale {
            Scale::Classic => offset,
            Scale::Wide => (offset * PS_PER_US).div_ceil(WIDE_SCALE),
        };
        Vector { delay: vector.delay.saturating_add(more), ..*vector }
    }

    /// A path of the same bandwidth as `link` whose metric in the routing table is `metric`, by way of its delay.
    #[must_use]
    pub fn with_rib_metric(&self, link: &Vector, metric: u32) -> Vector {
        let distance = match self.scale {
            Scale::Classic => u64::from(metric),
            Scale::Wide => u64::from(metric) * u64::from(self.rib_scale.max(1)),
        };
        let start = Vector { delay: 0, ..*link };
        let missing = distance.saturating_sub(self.distance(&start).0);
        let delay = match self.scale {
            Scale::Classic => missing,
            Scale::Wide => missing.saturating_mul(PS_PER_US) / WIDE_SCALE,
        };
        Vector { delay, ..start }
    }

    /// The path that a neighbor tells of, in this system's units.
    #[must_use]
    pub fn of_wire(&self, metric: &RouteMetric) -> Vector {
        match metric {
            RouteMetric::Classic(wire) => {
                let (bandwidth, delay) = (u64::from(wire.bandwidth), u64::from(wire.delay));
                let reachable = wire.delay != ClassicMetric::UNREACHABLE;
                let (bandwidth, delay) = match self.scale {
                    Scale::Classic => (bandwidth, delay),
                    Scale::Wide => (
                        CLASSIC_SCALE * REFERENCE_BANDWIDTH / bandwidth.max(1),
                        delay * PS_PER_TEN_US / CLASSIC_SCALE,
                    ),
                };
                let delay = if reachable { delay } else { Vector::UNREACHABLE };
                let ClassicMetric { mtu, hop_count, reliability, load, .. } = *wire;
                Vector { bandwidth, delay, mtu, hop_count, reliability, load }
            }
            RouteMetric::Wide { metric: wire, .. } => {
                let (bandwidth, delay) = match self.scale {
                    Scale::Classic => (scaled_bandwidth(wire.bandwidth.max(1)), scaled_delay(wire.delay)),
                    Scale::Wide => (wire.bandwidth, wire.delay),
                };
                let reachable = wire.delay != WideMetric::UNREACHABLE;
                let delay = if reachable { delay } else { Vector::UNREACHABLE };
                let WideMetric { mtu, hop_count, reliability, load, .. } = *wire;
                Vector { bandwidth, delay, mtu, hop_count, reliability, load }
            }
        }
    }

    /// The path as classic TLVs tell it.
    #[must_use]
    pub fn to_classic(&self, vector: &Vector) -> RouteMetric {
        let (bandwidth, delay) = match self.scale {
            Scale::Classic => (vector.bandwidth, vector.delay),
            Scale::Wide => (scaled_bandwidth(vector.bandwidth.max(1)), scaled_delay(vector.delay)),
        };
        // A delay that does not fit is no way.
        let delay = if vector.is_reachable() { u32::try_from(delay).ok() } else { None };
        RouteMetric::Classic(ClassicMetric {
            delay: delay.unwrap_or(ClassicMetric::UNREACHABLE),
            bandwidth: u32::try_from(bandwidth).unwrap_or(u32::MAX),
            mtu: vector.mtu.min(0x00ff_ffff),
            hop_count: vector.hop_count,
            reliability: vector.reliability,
            load: vector.load,
            internal_tag: 0,
            flags: 0,
        })
    }

    /// The path as multiprotocol TLVs tell it.
    #[must_use]
    pub fn to_wide(&self, vector: &Vector, router_id: RouterId) -> RouteMetric {
        let (bandwidth, delay) = match self.scale {
            Scale::Classic => (
                CLASSIC_SCALE * REFERENCE_BANDWIDTH / vector.bandwidth.max(1),
                vector.delay.saturating_mul(PS_PER_TEN_US) / CLASSIC_SCALE,
            ),
            Scale::Wide => (vector.bandwidth, vector.delay),
        };
        let metric = WideMetric {
            priority: 0,
            reliability: vector.reliability,
            load: vector.load,
            mtu: vector.mtu.min(0x00ff_ffff),
            hop_count: vector.hop_count,
            delay: if vector.is_reachable() {
                delay.min(WideMetric::UNREACHABLE)
            } else {
                WideMetric::UNREACHABLE
            },
            bandwidth: bandwidth.min(WideMetric::UNREACHABLE),
            flags: 0,
            tag: 0,
        };
        RouteMetric::Wide { router_id, metric }
    }

    /// The least bandwidth in kbit/s, as `show ip eigrp topology P` says it.
    #[must_use]
    pub const fn bandwidth_kbps(&self, vector: &Vector) -> u64 {
        match self.scale {
            Scale::Classic if vector.bandwidth == 0 => 0,
            Scale::Classic => CLASSIC_SCALE * REFERENCE_BANDWIDTH / vector.bandwidth,
            Scale::Wide => vector.bandwidth,
        }
    }

    /// The total delay in picoseconds; classic mode shows it as microseconds.
    #[must_use]
    pub const fn delay_ps(&self, vector: &Vector) -> u64 {
        match self.scale {
            Scale::Classic => vector.delay.saturating_mul(PS_PER_TEN_US) / CLASSIC_SCALE,
            Scale::Wide => vector.delay,
        }
    }
}

/// IOS divides before it multiplies.
const fn scaled_bandwidth(kbps: u64) -> u64 {
    CLASSIC_SCALE * (REFERENCE_BANDWIDTH / kbps)
}

/// Rounded up, so that a neighbor never seems nearer than it is.
const fn scaled_delay(ps: u64) -> u64 {
    ps.saturating_mul(CLASSIC_SCALE).div_ceil(PS_PER_TEN_US)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::interface;

    fn system(scale: Scale) -> MetricSystem {
        MetricSystem { scale, k: KValues::default(), maximum_hops: 100, rib_scale: 128 }
    }

    fn link(scale: Scale, kbps: u32, tens_us: u32) -> Vector {
        let mut port = interface(1, "10.0.0.1/24");
        (port.bandwidth_kbps, port.delay_tens_us) = (kbps, tens_us);
        system(scale).link(&port, false)
    }

    fn distance(scale: Scale, links: &[(u32, u32)]) -> u64 {
        let (&(kbps, delay), before) = links.split_last().unwrap();
        let end = link(scale, kbps, delay);
        let path = before
            .iter()
            .rev()
            .fold(end, |path, &(kbps, delay)| system(scale).extend(&path, &link(scale, kbps, delay)));
        system(scale).distance(&path).0
    }

    const LOOPBACK: (u32, u32) = (8_000_000, 500);
    const T1: (u32, u32) = (1544, 2000);
    const ETHERNET: (u32, u32) = (10_000, 100);
    const FAST_ETHERNET: (u32, u32) = (100_000, 10);
    const GIGABIT: (u32, u32) = (1_000_000, 1);

    #[test]
    fn rfc7868_5_6_2_classic_distances_are_those_of_published_examples() {
        for (links, expected) in [
            (&[LOOPBACK][..], 128_256),
            (&[GIGABIT], 2816),
            (&[FAST_ETHERNET], 28_160),
            (&[ETHERNET], 281_600),
            (&[T1], 2_169_856),
            (&[GIGABIT, LOOPBACK], 130_816),
            (&[FAST_ETHERNET, LOOPBACK], 156_160),
            (&[ETHERNET, LOOPBACK], 409_600),
            (&[T1, LOOPBACK], 2_297_856),
            (&[T1, T1], 2_681_856),
            (&[T1, FAST_ETHERNET], 2_172_416),
            (&[GIGABIT, GIGABIT], 3072),
        ] {
            assert_eq!(distance(Scale::Classic, links), expected, "{links:?}");
        }
    }

    #[test]
    fn rfc7868_5_6_2_wide_distances_are_those_of_published_examples() {
        for (links, expected) in [
            (&[LOOPBACK][..], 163_840),
            (&[GIGABIT], 1_310_720),
            (&[FAST_ETHERNET], 13_107_200),
            (&[ETHERNET], 131_072_000),
            (&[T1], 1_735_175_958),
            (&[GIGABIT, LOOPBACK], 1_392_640),
            (&[GIGABIT, GIGABIT], 1_966_080),
        ] {
            assert_eq!(distance(Scale::Wide, links), expected, "{links:?}");
        }
        assert_eq!(system(Scale::Wide).rib_metric(Distance(1_392_640)), 10_880);
        assert_eq!(system(Scale::Wide).rib_metric(Distance(163_840)), 1280);
    }

    #[test]
    fn all_k_values_count() {
        let vector = Vector { reliability: 200, load: 56, ..link(Scale::Classic, 1544, 2000) };
        let with = |k1, k2, k3, k4, k5| {
            let k = KValues { k1, k2, k3, k4, k5, k6: 0 };
            MetricSystem { k, ..system(Scale::Classic) }.distance(&vector).0
        };
        let (bw, delay) = (1_657_856, 512_000);
        assert_eq!(with(1, 0, 0, 0, 0), bw);
        assert_eq!(with(0, 0, 2, 0, 0), 2 * delay);
        assert_eq!(with(0, 3, 0, 0, 0), 3 * bw / 200);
        assert_eq!(with(1, 0, 1, 9, 0), bw + delay, "K4 alone does nothing");
        assert_eq!(with(1, 1, 1, 50, 100), (bw + bw / 200 + delay) * 100 / 250);
    }

    #[test]
    fn an_offset_is_added_to_the_distance() {
        for scale in [Scale::Classic, Scale::Wide] {
            let (system, vector) = (system(scale), link(scale, 1544, 2000));
            let offset = system.offset(&vector, 12_345);
            assert_eq!(system.distance(&offset).0, system.distance(&vector).0 + 12_345);
        }
    }

    #[test]
    fn a_path_of_another_instance_keeps_its_metric() {
        let metric = 2_297_856;
        for scale in [Scale::Classic, Scale::Wide] {
            let system = system(scale);
            let path = system.with_rib_metric(&link(scale, 10_000, 100), metric);
            assert_eq!(system.rib_metric(system.distance(&path)), metric, "{scale:?}");
        }
    }

    #[test]
    fn hops_beyond_the_maximum_are_no_way() {
        let system = MetricSystem { maximum_hops: 2, ..system(Scale::Classic) };
        let hop = link(Scale::Classic, 1544, 2000);
        let two = system.extend(&system.extend(&hop, &hop), &hop);
        assert!(two.is_reachable() && two.hop_count == 2);
        let three = system.extend(&two, &hop);
        assert!(!three.is_reachable());
        assert_eq!(system.distance(&three), Distance::INFINITE);
    }

    #[test]
    fn a_path_survives_the_wire_of_its_own_scale() {
        for kbps in [1u32, 9, 56, 64, 128, 1544, 10_000, 99_999, 1_000_000, 10_000_000] {
            let classic = link(Scale::Classic, kbps, 7);
            let system = system(Scale::Classic);
            assert_eq!(system.of_wire(&system.to_classic(&classic)), classic, "{kbps}");
            // IOS's rounding of the bandwidth is kept by the way there and back.
            let there = system.to_wide(&classic, RouterId::UNSPECIFIED);
            assert_eq!(system.of_wire(&there), classic, "{kbps}");
        }
        let (wide, system) = (link(Scale::Wide, 1544, 2000), system(Scale::Wide));
        assert_eq!(system.of_wire(&system.to_wide(&wide, RouterId::UNSPECIFIED)), wide);
        let back = system.of_wire(&system.to_classic(&wide));
        assert_eq!((back.bandwidth, back.delay), (1544, 20_000_000_000));
        for system in [system, self::system(Scale::Classic)] {
            for wire in [
                system.to_classic(&wide.unreachable()),
                system.to_wide(&wide.unreachable(), RouterId::UNSPECIFIED),
            ] {
                assert!(!system.of_wire(&wire).is_reachable());
            }
        }
    }
}
