//! The typed configuration of OSPF: `router ospf N` and `ip ospf ...` on interfaces.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::config::Wildcard;
use crate::ids::{AreaId, RouterId};
use crate::interface::InterfaceName;
pub use crate::policy::{DistanceBySource, OspfRouteType};
use crate::policy::{DistributeList, RedistributionSource};

/// `router ospf N [vrf V]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OspfConfig {
    /// `vrf V`.
    pub vrf: Option<String>,
    /// `router-id`.
    pub router_id: Option<RouterId>,
    /// `network A W area N`, in order of configuration as IOS keeps it: most specific wildcard first.
    pub networks: Vec<NetworkStatement>,
    /// `area N ...`, by area.
    pub areas: BTreeMap<AreaId, AreaConfig>,
    /// `passive-interface default`.
    pub passive_default: bool,
    /// `passive-interface I`, or with `passive-interface default` the interfaces of `no passive-interface I`.
    pub passive_exceptions: BTreeSet<InterfaceName>,
    /// `neighbor A [cost C] [priority P] [poll-interval S] [database-filter all out]`.
    pub neighbors: BTreeMap<Ipv4Addr, StaticNeighbor>,
    /// `auto-cost reference-bandwidth`, in Mbit/s; IOS's default is 100.
    pub reference_bandwidth: Option<u32>,
    /// `maximum-paths`; IOS's default is 4.
    pub maximum_paths: Option<u8>,
    /// `default-information originate`.
    pub default_information: Option<DefaultInformation>,
    /// `default-metric`.
    pub default_metric: Option<u32>,
    /// `redistribute SOURCE`.
    pub redistribute: BTreeMap<RedistributionSource, Redistribution>,
    /// `summary-address A M`.
    pub summary_addresses: BTreeMap<Ipv4Net, SummaryAddress>,
    /// `distribute-list ... in`.
    pub distribute_in: Option<DistributeList>,
    /// `distribute-list ... out [SOURCE]`, by source (`None` is all).
    pub distribute_out: BTreeMap<Option<RedistributionSource>, DistributeList>,
    /// `distance D`; IOS's default is 110.
    pub distance: Option<u8>,
    /// `distance ospf intra-area|inter-area|external D`.
    pub distance_by_type: DistanceByType,
    /// `distance D A W [ACL]`, by source.
    pub distance_by_source: Vec<DistanceBySource>,
    /// `max-metric router-lsa ...`.
    pub max_metric: Option<MaxMetric>,
    /// `timers throttle spf START HOLD MAX`, in ms.
    pub spf_throttle: Option<Throttle>,
    /// `timers throttle lsa START HOLD MAX`, in ms.
    pub lsa_throttle: Option<Throttle>,
    /// `timers lsa arrival`, in ms.
    pub lsa_arrival_ms: Option<u32>,
    /// `timers pacing flood`, in ms.
    pub pacing_flood_ms: Option<u32>,
    /// `timers pacing lsa-group`, in s.
    pub pacing_lsa_group_s: Option<u32>,
    /// `timers pacing retransmission`, in ms.
    pub pacing_retransmission_ms: Option<u32>,
    /// `log-adjacency-changes [detail]`.
    pub log_adjacency_changes: LogAdjacency,
    /// `no compatible rfc1583` clears it.
    pub no_rfc1583: bool,
    /// `ttl-security all-interfaces [hops N]`: the number of hops.
    pub ttl_security_hops: Option<u8>,
    /// `prefix-suppression`.
    pub prefix_suppression: bool,
    /// `nsf ietf helper disable`.
    pub no_nsf_helper: bool,
    /// `nsf ietf helper strict-lsa-checking`.
    pub nsf_strict_lsa_checking: bool,
    /// `nsf cisco helper disable`.
    pub no_cisco_nsf_helper: bool,
    /// `shutdown`.
    pub shutdown: bool,
}

/// How much is logged of adjacencies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LogAdjacency {
    /// Full, and down from Full (the default).
    #[default]
    Normal,
    /// Every change of state.
    Detail,
    /// Nothing (`no log-adjacency-changes`).
    Off,
}

/// `network A W area N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkStatement {
    /// The addresses.
    pub wildcard: Wildcard,
    /// The area.
    pub area: AreaId,
}

/// `area N ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaConfig {
    /// The area was written as an IPv4 address.
    pub dotted: bool,
    /// `stub` and `nssa`.
    pub kind: AreaKind,
    /// `default-cost`; IOS's default is 1.
    pub default_cost: Option<u32>,
    /// `range A M [advertise|not-advertise] [cost C]`.
    pub ranges: BTreeMap<Ipv4Net, AreaRange>,
    /// `filter-list prefix NAME in`.
    pub filter_in: Option<String>,
    /// `filter-list prefix NAME out`.
    pub filter_out: Option<String>,
    /// `authentication [message-digest]`.
    pub authentication: Option<AuthenticationMode>,
    /// `virtual-link RID ...`.
    pub virtual_links: BTreeMap<RouterId, VirtualLinkConfig>,
}

/// What kind of area it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum AreaKind {
    /// External routes pass.
    #[default]
    Normal,
    /// No external routes (RFC 2328 section 3.6).
    Stub {
        /// No summary routes either.
        no_summary: bool,
    },
    /// Not-so-stubby (RFC 3101).
    Nssa(NssaOptions),
}

/// `area N nssa ...`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NssaOptions {
    /// `no-summary`.
    pub no_summary: bool,
    /// `no-redistribution`.
    pub no_redistribution: bool,
    /// `default-information-originate [metric M] [metric-type T]`.
    pub default_information: Option<NssaDefault>,
    /// `translate type7 always`.
    pub translate_always: bool,
    /// `translate type7 suppress-fa`.
    pub suppress_forwarding_address: bool,
}

/// The type 7 default of an NSSA.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NssaDefault {
    /// `metric`.
    pub metric: Option<u32>,
    /// `metric-type`.
    pub metric_type: Option<ExternalMetricType>,
}

/// `area N range`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AreaRange {
    /// `not-advertise`.
    pub not_advertise: bool,
    /// `cost`.
    pub cost: Option<u32>,
}

/// `area N virtual-link RID`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VirtualLinkConfig {
    /// `hello-interval`, in s.
    pub hello_interval: Option<u16>,
    /// `dead-interval`, in s.
    pub dead_interval: Option<u32>,
    /// `retransmit-interval`, in s.
    pub retransmit_interval: Option<u16>,
    /// `transmit-delay`, in s.
    pub transmit_delay: Option<u16>,
    /// `authentication`, and the keys.
    pub authentication: InterfaceAuthentication,
    /// `ttl-security hops N`.
    pub ttl_security_hops: Option<u8>,
}

/// How packets are authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuthenticationMode {
    /// `authentication null`.
    Null,
    /// `authentication`.
    Simple,
    /// `authentication message-digest`.
    MessageDigest,
}

/// The authentication of an interface or virtual link.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceAuthentication {
    /// `ip ospf authentication [message-digest|null]`.
    pub mode: Option<AuthenticationMode>,
    /// `ip ospf authentication key-chain NAME` (RFC 5709).
    pub key_chain: Option<String>,
    /// `ip ospf authentication-key KEY`.
    pub simple_key: Option<String>,
    /// `ip ospf message-digest-key N md5 KEY`.
    pub digest_keys: BTreeMap<u8, String>,
}

/// `neighbor A`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticNeighbor {
    /// `cost`.
    pub cost: Option<u16>,
    /// `priority`.
    pub priority: Option<u8>,
    /// `poll-interval`, in s.
    pub poll_interval: Option<u32>,
    /// `database-filter all out`.
    pub database_filter: bool,
}

/// Type 1 or type 2 external metric (RFC 2328 section 2.3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ExternalMetricType {
    /// Comparable with the link state metric.
    Type1,
    /// Greater than any internal path.
    #[default]
    Type2,
}

/// `default-information originate`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DefaultInformation {
    /// `always`.
    pub always: bool,
    /// `metric`; IOS's default is 10 with `always`, else 1.
    pub metric: Option<u32>,
    /// `metric-type`.
    pub metric_type: Option<ExternalMetricType>,
    /// `route-map`.
    pub route_map: Option<String>,
}

/// `redistribute SOURCE ...`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Redistribution {
    /// `subnets`; without it only classful networks pass.
    pub subnets: bool,
    /// `metric`; IOS's default is 20, for BGP 1.
    pub metric: Option<u32>,
    /// `metric-type`.
    pub metric_type: Option<ExternalMetricType>,
    /// `tag`.
    pub tag: Option<u32>,
    /// `route-map`.
    pub route_map: Option<String>,
    /// `match internal|external 1|external 2|nssa-external 1|2`, when the source is another OSPF process; empty is all.
    pub match_types: BTreeSet<OspfRouteType>,
    /// `nssa-only`.
    pub nssa_only: bool,
}

/// `summary-address A M`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryAddress {
    /// `not-advertise`.
    pub not_advertise: bool,
    /// `tag`.
    pub tag: Option<u32>,
    /// `nssa-only`.
    pub nssa_only: bool,
}

/// `distance ospf`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DistanceByType {
    /// `intra-area`.
    pub intra_area: Option<u8>,
    /// `inter-area`.
    pub inter_area: Option<u8>,
    /// `external`.
    pub external: Option<u8>,
}

/// `max-metric router-lsa` (RFC 6987).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaxMetric {
    /// `include-stub`.
    pub include_stub: bool,
    /// `summary-lsa [metric]`; IOS's default is 16711680.
    pub summary_lsa: Option<u32>,
    /// `external-lsa [metric]`; IOS's default is 16711680.
    pub external_lsa: Option<u32>,
    /// `on-startup`.
    pub on_startup: Option<OnStartup>,
}

/// How long `max-metric ... on-startup` lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OnStartup {
    /// So many seconds.
    Seconds(u32),
    /// Until BGP has converged.
    WaitForBgp,
}

/// An exponential back-off, in ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Throttle {
    /// Delay of the first run.
    pub start_ms: u32,
    /// Least time between two runs; doubles with each.
    pub hold_ms: u32,
    /// Greatest time between two runs.
    pub max_ms: u32,
}

/// How an interface appears to OSPF (RFC 2328 section 1.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum NetworkType {
    /// `broadcast`.
    Broadcast,
    /// `non-broadcast`.
    NonBroadcast,
    /// `point-to-point`.
    PointToPoint,
    /// `point-to-multipoint`.
    PointToMultipoint,
    /// `point-to-multipoint non-broadcast`.
    PointToMultipointNonBroadcast,
}

/// `ip ospf ...` on an interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OspfInterfaceConfig {
    /// `ip ospf N area A`.
    pub area: Option<InterfaceArea>,
    /// `network`.
    pub network_type: Option<NetworkType>,
    /// `cost`.
    pub cost: Option<u16>,
    /// `priority`; IOS's default is 1.
    pub priority: Option<u8>,
    /// `hello-interval`, in s.
    pub hello_interval: Option<u16>,
    /// `dead-interval S` or `dead-interval minimal hello-multiplier N`.
    pub dead_interval: Option<DeadInterval>,
    /// `retransmit-interval`, in s; IOS's default is 5.
    pub retransmit_interval: Option<u16>,
    /// `transmit-delay`, in s; IOS's default is 1.
    pub transmit_delay: Option<u16>,
    /// `mtu-ignore`.
    pub mtu_ignore: bool,
    /// `database-filter all out`.
    pub database_filter: bool,
    /// `demand-circuit [ignore]`.
    pub demand_circuit: Option<DemandCircuit>,
    /// `flood-reduction`.
    pub flood_reduction: bool,
    /// `prefix-suppression [disable]`: `Some(false)` is `disable`.
    pub prefix_suppression: Option<bool>,
    /// `ttl-security [hops N | disable]`: `Some(None)` is `disable`.
    pub ttl_security: Option<Option<u8>>,
    /// `shutdown`.
    pub shutdown: bool,
    /// `authentication`, and the keys.
    pub authentication: InterfaceAuthentication,
}

/// `ip ospf demand-circuit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DemandCircuit {
    /// The link is one.
    Run,
    /// `ignore`: it is none, whatever the neighbor asks for.
    Ignore,
}

/// `ip ospf N area A [secondaries none]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceArea {
    /// The process.
    pub process: u16,
    /// The area.
    pub area: AreaId,
    /// `secondaries none`.
    pub no_secondaries: bool,
}

/// The dead interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DeadInterval {
    /// In s.
    Seconds(u32),
    /// One second, with so many hellos in it.
    Minimal {
        /// Hellos a second.
        hello_multiplier: u8,
    },
}
