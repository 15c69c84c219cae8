//! The typed configuration of BGP: `router bgp N`.
//!
//! | file | what it holds |
//! |---|---|
//! | `mod.rs` | what is said once for the process, and the instances: the global table and one for each VRF |
//! | `family.rs` | what routes an address family has: networks, aggregates, redistribution |
//! | `neighbor.rs` | neighbors, peer groups, templates, and what a neighbor inherits |

mod family;
mod neighbor;

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use family::{
    Aggregate, Dampening, DampeningParameters, DistanceBySource, Distances, FamilyConfig, InjectMap,
    NetworkStatement, Redistribution, TableMap,
};
pub use neighbor::{
    AdditionalPaths, AdvertiseCondition, AdvertiseMap, ConnectionMode, DefaultOriginate, EffectivePeer,
    FallOver, ListenRange, LocalAs, MaximumPrefix, MaximumPrefixAction, Neighbor, NeighborTimers,
    NextHopSelf, OrfDirection, PathSelection, PeerGroup, PolicyOptions, PolicyTemplate, RemovePrivateAs,
    SendCommunity, SessionOptions, SessionTemplate, VersionedPassword,
};

use super::attributes::ClusterId;
use crate::ids::{Asn, RouterId};
use crate::interface::InterfaceName;

/// `router bgp N`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpConfig {
    /// The AS.
    pub asn: Asn,
    /// `bgp router-id`.
    pub router_id: Option<RouterIdSource>,
    /// `bgp cluster-id`.
    pub cluster_id: Option<ClusterId>,
    /// `no bgp log-neighbor-changes` clears it.
    pub log_neighbor_changes: bool,
    /// `no bgp default ipv4-unicast` clears it: neighbors exchange IPv4 routes only if they are activated.
    pub default_ipv4_unicast: bool,
    /// `bgp default local-preference`; IOS's default is 100.
    pub default_local_preference: Option<u32>,
    /// `bgp confederation identifier`.
    pub confederation: Option<Asn>,
    /// `bgp confederation peers`.
    pub confederation_peers: BTreeSet<Asn>,
    /// `no bgp client-to-client reflection` clears it.
    pub client_to_client_reflection: bool,
    /// `no bgp enforce-first-as` clears it.
    pub enforce_first_as: bool,
    /// `no bgp fast-external-fallover` clears it.
    pub fast_external_fallover: bool,
    /// `bgp maxas-limit`: longer AS paths are refused.
    pub maxas_limit: Option<u16>,
    /// `bgp graceful-restart` and its times.
    pub graceful_restart: GracefulRestart,
    /// `bgp bestpath ...` and what else changes the choice of paths.
    pub best_path: BestPathOptions,
    /// `timers bgp`; IOS's defaults are 60 and 180.
    pub timers: Option<NeighborTimers>,
    /// `bgp listen limit`; IOS's default is 100.
    pub listen_limit: Option<u16>,
    /// `bgp listen range P peer-group G`.
    pub listen_ranges: BTreeMap<Ipv4Net, ListenRange>,
    /// `bgp nexthop trigger ...`.
    pub next_hop_trigger: NextHopTrigger,
    /// `template peer-session`.
    pub session_templates: BTreeMap<String, SessionTemplate>,
    /// `template peer-policy`.
    pub policy_templates: BTreeMap<String, PolicyTemplate>,
    /// Lines of address families stand in `address-family` sections, the global IPv4 ones included.
    pub family_sections: bool,
    /// The global table.
    pub global: InstanceConfig,
    /// `address-family ipv4 vrf NAME`.
    pub vrfs: BTreeMap<String, InstanceConfig>,
}

impl BgpConfig {
    /// What `router bgp N` alone says.
    #[must_use]
    pub fn new(asn: Asn) -> Self {
        Self {
            asn,
            router_id: None,
            cluster_id: None,
            log_neighbor_changes: true,
            default_ipv4_unicast: true,
            default_local_preference: None,
            confederation: None,
            confederation_peers: BTreeSet::new(),
            client_to_client_reflection: true,
            enforce_first_as: true,
            fast_external_fallover: true,
            maxas_limit: None,
            graceful_restart: GracefulRestart::default(),
            best_path: BestPathOptions::default(),
            timers: None,
            listen_limit: None,
            listen_ranges: BTreeMap::new(),
            next_hop_trigger: NextHopTrigger::default(),
            session_templates: BTreeMap::new(),
            policy_templates: BTreeMap::new(),
            family_sections: false,
            global: InstanceConfig::default(),
            vrfs: BTreeMap::new(),
        }
    }

    /// The instance of a VRF, by name; no name is the global table.
    #[must_use]
    pub fn instance(&self, vrf: Option<&str>) -> Option<&InstanceConfig> {
        vrf.map_or(Some(&self.global), |name| self.vrfs.get(name))
    }

    /// Whether routes from internal peers may be redistributed, in any table (`bgp redistribute-internal`).
    #[must_use]
    pub fn redistributes_internal(&self) -> bool {
        self.global.ipv4.redistribute_internal || self.vrfs.values().any(|vrf| vrf.ipv4.redistribute_internal)
    }

    /// The AS that other ASes see: the confederation's, if there is one.
    #[must_use]
    pub fn public_asn(&self) -> Asn {
        self.confederation.unwrap_or(self.asn)
    }
}

/// One table: the global one, or that of a VRF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InstanceConfig {
    /// `bgp router-id` in a VRF's section.
    pub router_id: Option<RouterId>,
    /// IPv4 unicast.
    pub ipv4: FamilyConfig,
    /// `neighbor A ...`.
    pub neighbors: BTreeMap<Ipv4Addr, Neighbor>,
    /// `neighbor NAME peer-group`.
    pub groups: BTreeMap<String, PeerGroup>,
}

/// `bgp router-id`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RouterIdSource {
    /// `bgp router-id A`.
    Address(RouterId),
    /// `bgp router-id interface I`: its address.
    Interface(InterfaceName),
}

/// `bgp graceful-restart` (RFC 4724).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GracefulRestart {
    /// The capability is offered, and the routes of a peer that restarts are kept for a while.
    pub enabled: bool,
    /// `restart-time`: how long a peer may wait for us, in seconds; IOS's default is 120.
    pub restart_time: Option<u16>,
    /// `stalepath-time`: how long the routes of a peer that has restarted are kept at most, in seconds; IOS's default is 360.
    pub stale_path_time: Option<u16>,
}

impl GracefulRestart {
    /// IOS's default restart time, in seconds.
    pub const DEFAULT_RESTART_TIME: u16 = 120;
    /// IOS's default stale path time, in seconds.
    pub const DEFAULT_STALE_PATH_TIME: u16 = 360;

    /// The restart time in force, in seconds.
    #[must_use]
    pub fn restart_seconds(self) -> u16 {
        self.restart_time.unwrap_or(Self::DEFAULT_RESTART_TIME)
    }

    /// The stale path time in force, in seconds.
    #[must_use]
    pub fn stale_path_seconds(self) -> u16 {
        self.stale_path_time.unwrap_or(Self::DEFAULT_STALE_PATH_TIME)
    }
}

/// What changes the choice of the best path. All is off by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BestPathOptions {
    /// `bgp always-compare-med`.
    pub always_compare_med: bool,
    /// `bgp deterministic-med`.
    pub deterministic_med: bool,
    /// `bgp bestpath as-path ignore`.
    pub as_path_ignore: bool,
    /// `bgp bestpath as-path multipath-relax`.
    pub multipath_relax: bool,
    /// `bgp bestpath compare-routerid`.
    pub compare_router_id: bool,
    /// `bgp bestpath cost-community ignore`.
    pub cost_community_ignore: bool,
    /// `bgp bestpath igp-metric ignore`.
    pub igp_metric_ignore: bool,
    /// `bgp bestpath med confed`.
    pub med_confed: bool,
    /// `bgp bestpath med missing-as-worst`.
    pub med_missing_as_worst: bool,
    /// `bgp bestpath aigp ignore`.
    pub aigp_ignore: bool,
    /// `bgp dmzlink-bw`.
    pub dmz_link_bandwidth: bool,
}

/// `bgp nexthop trigger`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextHopTrigger {
    /// `no bgp nexthop trigger enable` clears it: next hops are then looked at by the scanner only.
    pub enabled: bool,
    /// `delay`, in seconds; IOS's default is 5.
    pub delay: Option<u8>,
}

impl NextHopTrigger {
    /// IOS's default delay, in seconds.
    pub const DEFAULT_DELAY: u8 = 5;
}

impl Default for NextHopTrigger {
    fn default() -> Self {
        Self { enabled: true, delay: None }
    }
}
