//! The typed configuration of RIP: `router rip` and `ip rip ...` on interfaces.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::interface::InterfaceName;
pub use crate::policy::DistanceBySource;
use crate::policy::{DistributeList, OspfRouteType, RedistributionSource};

/// `router rip`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RipConfig {
    /// `version`; without it version 1 is sent and both are understood.
    pub version: Option<Version>,
    /// `network A`: classful networks.
    pub networks: BTreeSet<Ipv4Net>,
    /// `neighbor A`: routers told by unicast, also where the interface is passive.
    pub neighbors: BTreeSet<Ipv4Addr>,
    /// `passive-interface default`.
    pub passive_default: bool,
    /// `passive-interface I`, or with `passive-interface default` the interfaces of `no passive-interface I`.
    pub passive_exceptions: BTreeSet<InterfaceName>,
    /// `timers basic`.
    pub timers: Option<BasicTimers>,
    /// `no auto-summary` sets it.
    pub no_auto_summary: bool,
    /// `no validate-update-source` sets it.
    pub no_validate_update_source: bool,
    /// `maximum-paths`; IOS's default is 4.
    pub maximum_paths: Option<u8>,
    /// `default-metric`.
    pub default_metric: Option<u8>,
    /// `default-information originate`.
    pub default_information: Option<DefaultInformation>,
    /// `redistribute SOURCE`.
    pub redistribute: BTreeMap<RedistributionSource, Redistribution>,
    /// `offset-list`.
    pub offset_lists: BTreeMap<OffsetScope, OffsetList>,
    /// `distribute-list`.
    pub distribute_lists: BTreeMap<FilterScope, DistributeList>,
    /// `distance D`; IOS's default is 120.
    pub distance: Option<u8>,
    /// `distance D A W [ACL]`, in order of configuration.
    pub distance_by_source: Vec<DistanceBySource>,
    /// `flash-update-threshold`, in s: no triggered update is sent so shortly before a regular one.
    pub flash_update_threshold_s: Option<u8>,
    /// `address-family ipv4 vrf V`: each is an instance of its own, which inherits nothing and has no families in turn.
    pub vrfs: BTreeMap<String, RipConfig>,
}

/// A version of RIP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Version {
    /// RFC 1058.
    V1,
    /// RFC 2453.
    V2,
}

/// Which versions are sent or understood; at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// Version 1.
    pub v1: bool,
    /// Version 2.
    pub v2: bool,
}

impl Versions {
    /// Version 1 only.
    pub const V1: Self = Self { v1: true, v2: false };
    /// Version 2 only.
    pub const V2: Self = Self { v1: false, v2: true };
    /// Both.
    pub const BOTH: Self = Self { v1: true, v2: true };

    /// One version.
    #[must_use]
    pub const fn only(version: Version) -> Self {
        match version {
            Version::V1 => Self::V1,
            Version::V2 => Self::V2,
        }
    }

    /// Whether a version is among them.
    #[must_use]
    pub const fn contains(self, version: Version) -> bool {
        match version {
            Version::V1 => self.v1,
            Version::V2 => self.v2,
        }
    }
}

/// `timers basic UPDATE INVALID HOLDDOWN FLUSH`, in s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BasicTimers {
    /// Between two updates.
    pub update_s: u32,
    /// After which a route that is not told any more is unusable.
    pub invalid_s: u32,
    /// For which nothing better is believed of an unusable route.
    pub holddown_s: u32,
    /// After which a route that is not told any more is forgotten.
    pub flush_s: u32,
}

impl Default for BasicTimers {
    /// RFC 2453 section 3.8's 30 and 180 s, and IOS's 180 and 240 s.
    fn default() -> Self {
        Self { update_s: 30, invalid_s: 180, holddown_s: 180, flush_s: 240 }
    }
}

impl BasicTimers {
    /// The longest of the intervals.
    #[must_use]
    pub fn longest(&self) -> Duration {
        let all = [self.update_s, self.invalid_s, self.holddown_s, self.flush_s];
        Duration::from_secs(all.into_iter().max().unwrap_or(0).into())
    }
}

/// `default-information originate [on-passive] [route-map R]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultInformation {
    /// `route-map`.
    pub route_map: Option<String>,
}

/// `redistribute SOURCE ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redistribution {
    /// `metric`.
    pub metric: Option<SeedMetric>,
    /// `route-map`.
    pub route_map: Option<String>,
    /// `match ...`, of OSPF; empty is all.
    pub match_types: BTreeSet<OspfRouteType>,
}

/// `redistribute ... metric`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SeedMetric {
    /// A number of hops, 0 to 16.
    Hops(u8),
    /// `transparent`: the metric of the route.
    Transparent,
}

/// Where updates come from or go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// `in`.
    In,
    /// `out`.
    Out,
}

/// `offset-list ... in|out [I]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct OffsetScope {
    /// `in` or `out`.
    pub direction: Direction,
    /// One interface, before which the list for all has no say.
    pub interface: Option<InterfaceName>,
}

/// `offset-list LIST in|out OFFSET`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetList {
    /// The access list; `None` is 0, all routes.
    pub access_list: Option<String>,
    /// What is added to the metric, 0 to 16.
    pub offset: u8,
}

/// `distribute-list ... in [I]`, `distribute-list ... out [I|SOURCE]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FilterScope {
    /// `in`: everywhere, or on one interface.
    In(Option<InterfaceName>),
    /// `out`: everywhere, or on one interface.
    Out(Option<InterfaceName>),
    /// `out SOURCE`: what is redistributed.
    Redistributed(RedistributionSource),
}

/// `ip rip ...` and what else concerns RIP on an interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RipInterfaceConfig {
    /// `ip rip send version`.
    pub send_version: Option<Versions>,
    /// `ip rip receive version`.
    pub receive_version: Option<Versions>,
    /// `ip rip v2-broadcast`.
    pub v2_broadcast: bool,
    /// `ip rip authentication key-chain`.
    pub key_chain: Option<String>,
    /// `ip rip authentication mode`; without it plain text.
    pub authentication_mode: Option<AuthenticationMode>,
    /// `ip summary-address rip A M`.
    pub summary_addresses: BTreeSet<Ipv4Net>,
    /// `no ip split-horizon` sets it.
    pub no_split_horizon: bool,
}

/// `ip rip authentication mode`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuthenticationMode {
    /// `text` (RFC 2453 section 4.1).
    Text,
    /// `md5` (RFC 2082).
    Md5,
}

impl RipConfig {
    /// The instance of a VRF; `None` names the global table.
    #[must_use]
    pub fn instance(&self, vrf: Option<&str>) -> Option<&Self> {
        vrf.map_or(Some(self), |name| self.vrfs.get(name))
    }

    /// Whether RIP only listens on an interface.
    #[must_use]
    pub fn is_passive(&self, interface: InterfaceName) -> bool {
        self.passive_default != self.passive_exceptions.contains(&interface)
    }

    /// Whether RIP runs on interfaces with this address.
    #[must_use]
    pub fn covers(&self, address: Ipv4Addr) -> bool {
        self.networks.iter().any(|network| network.contains(&address))
    }

    /// The versions sent on an interface.
    #[must_use]
    pub fn send_versions(&self, interface: &RipInterfaceConfig) -> Versions {
        interface.send_version.unwrap_or(self.version.map_or(Versions::V1, Versions::only))
    }

    /// The versions understood on an interface.
    #[must_use]
    pub fn receive_versions(&self, interface: &RipInterfaceConfig) -> Versions {
        interface.receive_version.unwrap_or(self.version.map_or(Versions::BOTH, Versions::only))
    }
}
