//! The typed configuration of EIGRP: `router eigrp N`, `router eigrp NAME`, and what stands on interfaces.
//!
//! Both modes hold the same [`InstanceConfig`], one for each AS and VRF; [`EigrpConfig::instance`] finds the one that a
//! process runs by.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::packet::{KValues, StubFlags};
use crate::config::{RouterConfig, Wildcard};
use crate::ids::RouterId;
use crate::interface::InterfaceName;
pub use crate::policy::{DistanceBySource, OspfRouteType};
use crate::policy::{DistributeList, RedistributionSource, VectorMetric};

/// All EIGRP of a router.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EigrpConfig {
    /// `router eigrp N`.
    pub classic: BTreeMap<u16, ClassicRouter>,
    /// `router eigrp NAME`.
    pub named: BTreeMap<String, NamedRouter>,
}

/// `router eigrp N`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassicRouter {
    /// The instance of the global table, whose AS is N.
    pub global: InstanceConfig,
    /// `address-family ipv4 vrf V`, by VRF.
    pub vrfs: BTreeMap<String, ClassicVrf>,
}

/// `address-family ipv4 vrf V` in `router eigrp N`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassicVrf {
    /// `autonomous-system`; without it the instance does not run.
    pub autonomous_system: Option<u16>,
    /// The instance.
    pub instance: InstanceConfig,
}

/// `router eigrp NAME`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NamedRouter {
    /// `shutdown`.
    pub shutdown: bool,
    /// `address-family ipv4 [vrf V] autonomous-system N`, by VRF (`None` is the global table) and AS.
    pub families: BTreeMap<(Option<String>, u16), InstanceConfig>,
}

/// How an instance is configured, which decides on its metrics too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Mode {
    /// `router eigrp N`: metrics of 32 bits.
    Classic,
    /// `router eigrp NAME`: wide metrics.
    Named,
}

/// An instance as a process finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InstanceRef<'a> {
    /// Classic or named.
    pub mode: Mode,
    /// NAME, in named mode (`VR(NAME)`).
    pub name: Option<&'a str>,
    /// AS.
    pub autonomous_system: u16,
    /// VRF; `None` is the global table.
    pub vrf: Option<&'a str>,
    /// `shutdown`, here or above.
    pub shutdown: bool,
    /// Its settings.
    pub config: &'a InstanceConfig,
}

impl EigrpConfig {
    /// All instances that can run, in order.
    pub fn instances(&self) -> impl Iterator<Item = InstanceRef<'_>> {
        let classic = self.classic.iter().flat_map(|(&autonomous_system, router)| {
            let global = InstanceRef {
                mode: Mode::Classic,
                name: None,
                autonomous_system,
                vrf: None,
                shutdown: router.global.shutdown,
                config: &router.global,
            };
            let vrfs = router.vrfs.iter().filter_map(move |(vrf, family)| {
                Some(InstanceRef {
                    autonomous_system: family.autonomous_system?,
                    vrf: Some(vrf),
                    shutdown: router.global.shutdown || family.instance.shutdown,
                    config: &family.instance,
                    ..global
                })
            });
            std::iter::once(global).chain(vrfs)
        });
        let named = self.named.iter().flat_map(|(name, router)| {
            router.families.iter().map(move |((vrf, autonomous_system), config)| InstanceRef {
                mode: Mode::Named,
                name: Some(name),
                autonomous_system: *autonomous_system,
                vrf: vrf.as_deref(),
                shutdown: router.shutdown || config.shutdown,
                config,
            })
        });
        classic.chain(named)
    }

    /// The instance of an AS in a VRF. IOS has at most one; if there are several, the first one runs.
    #[must_use]
    pub fn instance(&self, autonomous_system: u16, vrf: Option<&str>) -> Option<InstanceRef<'_>> {
        self.instances()
            .find(|instance| instance.autonomous_system == autonomous_system && instance.vrf == vrf)
    }
}

/// One EIGRP instance: what stands under `router eigrp N`, or in an address family with its `topology base`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceConfig {
    /// `shutdown`.
    pub shutdown: bool,
    /// `network A [W]`; a network without wildcard is classful.
    pub networks: BTreeSet<Wildcard>,
    /// `eigrp router-id`.
    pub router_id: Option<RouterId>,
    /// `passive-interface default`.
    pub passive_default: bool,
    /// `passive-interface I`, or with `passive-interface default` the interfaces of `no passive-interface I`.
    pub passive_exceptions: BTreeSet<InterfaceName>,
    /// `neighbor A I`: spoken to by unicast only, as everybody on that interface then.
    pub neighbors: BTreeMap<InterfaceName, BTreeSet<Ipv4Addr>>,
    /// `auto-summary`; since IOS 15 off by default.
    pub auto_summary: bool,
    /// `metric weights 0 K1 .. K6`.
    pub metric_weights: Option<KValues>,
    /// `metric maximum-hops`; IOS's default is 100.
    pub maximum_hops: Option<u8>,
    /// `metric rib-scale`, in named mode; IOS's default is 128.
    pub rib_scale: Option<u8>,
    /// `variance`; IOS's default is 1.
    pub variance: Option<u8>,
    /// `maximum-paths`; IOS's default is 4.
    pub maximum_paths: Option<u8>,
    /// `traffic-share min across-interfaces`: only the best paths carry traffic.
    pub traffic_share_min: bool,
    /// `default-metric`.
    pub default_metric: Option<VectorMetric>,
    /// `redistribute SOURCE`.
    pub redistribute: BTreeMap<RedistributionSource, Redistribution>,
    /// `distance eigrp INTERNAL EXTERNAL`; IOS's defaults are 90 and 170.
    pub distance: Option<Distances>,
    /// `distance D A W [ACL]`, in order of configuration.
    pub distance_by_source: Vec<DistanceBySource>,
    /// `distribute-list ... in [I]`, by interface (`None` is all).
    pub distribute_in: BTreeMap<Option<InterfaceName>, DistributeList>,
    /// `distribute-list ... out [I|SOURCE]`.
    pub distribute_out: BTreeMap<DistributeOut, DistributeList>,
    /// `offset-list ... in|out N [I]`.
    pub offset_lists: BTreeMap<(Direction, Option<InterfaceName>), OffsetList>,
    /// `eigrp stub`.
    pub stub: Option<Stub>,
    /// `timers active-time`; IOS's default is 3 minutes.
    pub active_time: Option<ActiveTime>,
    /// `no default-information in`: marks of candidate default networks are not taken.
    pub no_default_information_in: bool,
    /// `no default-information out`: none are told.
    pub no_default_information_out: bool,
    /// `no eigrp log-neighbor-changes` sets it.
    pub no_log_neighbor_changes: bool,
    /// `summary-metric A M ...`.
    pub summary_metrics: BTreeMap<Ipv4Net, SummaryMetric>,
    /// `af-interface default`, in named mode.
    pub interface_default: EigrpInterfaceConfig,
    /// `af-interface I`, in named mode.
    pub interfaces: BTreeMap<InterfaceName, EigrpInterfaceConfig>,
}

/// `redistribute SOURCE ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redistribution {
    /// `metric`; without one, and without `default-metric`, only connected, static and EIGRP routes are told.
    pub metric: Option<VectorMetric>,
    /// `route-map`.
    pub route_map: Option<String>,
    /// `match internal|external 1|external 2|nssa-external 1|2`, when the source is OSPF; empty is all.
    pub match_types: BTreeSet<OspfRouteType>,
}

/// `distance eigrp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distances {
    /// Of internal routes.
    pub internal: u8,
    /// Of external routes.
    pub external: u8,
}

/// What a `distribute-list ... out` is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DistributeOut {
    /// All updates.
    All,
    /// Updates out of an interface.
    Interface(InterfaceName),
    /// Routes redistributed from a source.
    Source(RedistributionSource),
}

/// Which way routes pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Direction {
    /// From neighbors.
    In,
    /// To neighbors.
    Out,
}

/// `offset-list`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OffsetList {
    /// Only destinations that this access list permits; `None` (written 0) is all.
    pub access_list: Option<String>,
    /// What is added to the metric.
    pub offset: u32,
}

/// `eigrp stub ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stub {
    /// `connected`.
    pub connected: bool,
    /// `static`.
    pub static_routes: bool,
    /// `summary`.
    pub summary: bool,
    /// `redistributed`.
    pub redistributed: bool,
    /// `receive-only`: excludes the others.
    pub receive_only: bool,
    /// `leak-map`.
    pub leak_map: Option<String>,
}

impl Stub {
    /// What `eigrp stub` without options means: `connected summary`.
    #[must_use]
    pub fn connected_summary() -> Self {
        Self { connected: true, summary: true, ..Self::default() }
    }

    /// What the hello says.
    #[must_use]
    pub fn flags(&self) -> StubFlags {
        [
            (self.connected, StubFlags::CONNECTED),
            (self.static_routes, StubFlags::STATIC),
            (self.summary, StubFlags::SUMMARY),
            (self.redistributed, StubFlags::REDISTRIBUTED),
            (self.leak_map.is_some(), StubFlags::LEAK_MAP),
            (self.receive_only, StubFlags::RECEIVE_ONLY),
        ]
        .into_iter()
        .filter(|(set, _)| *set)
        .fold(StubFlags::default(), |all, (_, flag)| StubFlags(all.0 | flag.0))
    }
}

/// `timers active-time`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ActiveTime {
    /// So many minutes.
    Minutes(u16),
    /// `disabled`: a route may stay active for ever.
    Disabled,
}

/// `summary-metric A M ...`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryMetric {
    /// The metric, instead of the least of the components.
    pub metric: Option<VectorMetric>,
    /// `distance`, instead of 5.
    pub distance: Option<u8>,
}

/// What is set of EIGRP on an interface: `ip ... eigrp N` in classic mode, `af-interface` in named mode.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EigrpInterfaceConfig {
    /// `hello-interval`, in s.
    pub hello_interval: Option<u16>,
    /// `hold-time`, in s.
    pub hold_time: Option<u16>,
    /// `[no] split-horizon`.
    pub split_horizon: Option<bool>,
    /// `[no] next-hop-self`.
    pub next_hop_self: Option<bool>,
    /// `bandwidth-percent`; IOS's default is 50.
    pub bandwidth_percent: Option<u32>,
    /// `authentication mode`.
    pub authentication: Option<AuthenticationMode>,
    /// `authentication key-chain`.
    pub key_chain: Option<String>,
    /// `summary-address A M`.
    pub summaries: BTreeMap<Ipv4Net, InterfaceSummary>,
    /// `[no] passive-interface`, in named mode.
    pub passive: Option<bool>,
    /// `shutdown`, in named mode.
    pub shutdown: bool,
}

/// How packets are authenticated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuthenticationMode {
    /// `md5`, with a key chain.
    Md5,
    /// `hmac-sha-256 PASSWORD`; a key chain, where there is one, has the key instead.
    HmacSha256(String),
}

/// `summary-address A M [distance] [leak-map NAME]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceSummary {
    /// Distance of the Null0 route, in classic mode; IOS's default is 5.
    pub distance: Option<u8>,
    /// Components that this route map permits are told beside the summary.
    pub leak_map: Option<String>,
}

impl InstanceRef<'_> {
    /// What is set of EIGRP on an interface, `af-interface default` included.
    #[must_use]
    pub fn interface(&self, router: &RouterConfig, name: InterfaceName) -> EigrpInterfaceConfig {
        match self.mode {
            Mode::Classic => {
                let settings =
                    router.interfaces.get(&name).and_then(|i| i.eigrp.get(&self.autonomous_system));
                settings.cloned().unwrap_or_default()
            }
            Mode::Named => {
                let default = &self.config.interface_default;
                match self.config.interfaces.get(&name) {
                    Some(own) => own.over(default),
                    None => default.clone(),
                }
            }
        }
    }

    /// Whether the interface is told of, but speaks to nobody.
    #[must_use]
    pub fn is_passive(&self, router: &RouterConfig, name: InterfaceName) -> bool {
        let listed = self.config.passive_exceptions.contains(&name) != self.config.passive_default;
        self.interface(router, name).passive.unwrap_or(listed)
    }
}

impl EigrpInterfaceConfig {
    /// These settings, and where they say nothing `default`'s.
    fn over(&self, default: &Self) -> Self {
        let mut summaries = default.summaries.clone();
        summaries.extend(self.summaries.clone());
        Self {
            hello_interval: self.hello_interval.or(default.hello_interval),
            hold_time: self.hold_time.or(default.hold_time),
            split_horizon: self.split_horizon.or(default.split_horizon),
            next_hop_self: self.next_hop_self.or(default.next_hop_self),
            bandwidth_percent: self.bandwidth_percent.or(default.bandwidth_percent),
            authentication: self.authentication.clone().or_else(|| default.authentication.clone()),
            key_chain: self.key_chain.clone().or_else(|| default.key_chain.clone()),
            summaries,
            passive: self.passive.or(default.passive),
            shutdown: self.shutdown || default.shutdown,
        }
    }
}
