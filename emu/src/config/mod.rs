//! The typed configuration tree of a router: what `show running-config` says, as data.
//!
//! The tree holds only what was configured; defaults are `None` or the type's default. The CLI dialect edits it and renders
//! it; the router reconciles its interfaces, tables and processes with it.

mod access;
mod archive;
mod interface;
mod line;
mod redistribution;
mod static_route;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

pub use access::{AccessConfig, Secret, UserConfig};
pub use archive::ArchiveConfig;
pub use interface::{Dot1q, InterfaceConfig};
pub use line::{AccessClassIn, Line, LineConfig, LineLogin, TerminalLines, Transport, TransportProtocol};
pub use static_route::{StaticRoute, StaticTarget};

use crate::interface::InterfaceName;
use crate::time::Time;
use crate::{bgp, eigrp, ospf, policy, rip, tracking};

/// The configuration of a router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterConfig {
    /// `hostname`.
    pub hostname: String,
    /// `vrf definition NAME` and `ip vrf NAME`.
    pub vrfs: BTreeMap<String, VrfConfig>,
    /// `key chain NAME`.
    pub key_chains: BTreeMap<String, KeyChain>,
    /// `interface NAME`: all that exist, hardware included.
    pub interfaces: BTreeMap<InterfaceName, InterfaceConfig>,
    /// `ip route`, in canonical order without duplicates.
    pub static_routes: std::collections::BTreeSet<StaticRoute>,
    /// `ip default-network`: classful networks whose routes may serve as default.
    pub default_networks: std::collections::BTreeSet<ipnet::Ipv4Net>,
    /// `router eigrp N` and `router eigrp NAME`.
    pub eigrp: eigrp::EigrpConfig,
    /// `router bgp N`.
    pub bgp: Option<bgp::BgpConfig>,
    /// `router ospf N`.
    pub ospf: BTreeMap<u16, ospf::OspfConfig>,
    /// `router rip`.
    pub rip: Option<rip::RipConfig>,
    /// `track N`.
    pub tracks: BTreeMap<u16, tracking::TrackConfig>,
    /// `ip sla N`.
    pub sla: BTreeMap<u32, tracking::SlaOperation>,
    /// `ip local policy route-map NAME`.
    pub local_policy: Option<String>,
    /// Access lists, prefix lists, route maps.
    pub policy: policy::PolicyConfig,
    /// `username`, `enable secret`.
    pub access: AccessConfig,
    /// `line con 0`, `line aux 0`, `line vty 0 4`.
    pub lines: TerminalLines,
    /// `archive`.
    pub archive: Option<ArchiveConfig>,
    /// `no ip domain lookup` clears it.
    pub domain_lookup: bool,
    /// `ip routing`.
    pub ip_routing: bool,
    /// Lines that have no effect on behaviour here but appear in real configurations, kept and shown.
    pub inert: InertLines,
}

impl Default for RouterConfig {
    fn default() -> Self {
        Self {
            hostname: "Router".to_owned(),
            vrfs: BTreeMap::new(),
            key_chains: BTreeMap::new(),
            interfaces: BTreeMap::new(),
            static_routes: std::collections::BTreeSet::new(),
            default_networks: std::collections::BTreeSet::new(),
            eigrp: eigrp::EigrpConfig::default(),
            bgp: None,
            ospf: BTreeMap::new(),
            rip: None,
            tracks: BTreeMap::new(),
            sla: BTreeMap::new(),
            local_policy: None,
            policy: policy::PolicyConfig::default(),
            access: AccessConfig::default(),
            lines: TerminalLines::default(),
            archive: None,
            domain_lookup: true,
            ip_routing: true,
            inert: InertLines::default(),
        }
    }
}

/// A VRF.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrfConfig {
    /// `rd`, as written.
    pub route_distinguisher: Option<String>,
    /// `description`.
    pub description: Option<String>,
    /// `address-family ipv4` is present (always so for `ip vrf`).
    pub ipv4: bool,
}

/// A key chain: the keys of authentication with their lifetimes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyChain {
    /// The keys by number.
    pub keys: BTreeMap<u32, Key>,
}

/// A key of a key chain.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// `key-string`.
    pub key_string: Option<String>,
    /// `cryptographic-algorithm`.
    pub algorithm: Option<CryptographicAlgorithm>,
    /// `send-lifetime`, in seconds of Unix time; `None` is always.
    pub send_lifetime: Option<Lifetime>,
    /// `accept-lifetime`, in seconds of Unix time; `None` is always.
    pub accept_lifetime: Option<Lifetime>,
}

impl RouterConfig {
    /// The keys of a key chain that are valid now by the one or the other of their lifetimes, by number.
    pub fn valid_keys(
        &self,
        chain: &str,
        now: Time,
        lifetime: fn(&Key) -> Option<Lifetime>,
    ) -> impl Iterator<Item = (u32, &Key)> {
        let keys = self.key_chains.get(chain).into_iter().flat_map(|chain| &chain.keys);
        keys.filter(move |(_, key)| lifetime(key).is_none_or(|life| life.contains(now.unix_secs())))
            .map(|(&number, key)| (number, key))
    }
}

/// When a key is valid, in seconds of Unix time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lifetime {
    /// First valid second.
    pub from: u64,
    /// First second no longer valid; `None` is never.
    pub until: Option<u64>,
}

impl Lifetime {
    /// Whether a second of Unix time lies in it.
    #[must_use]
    pub fn contains(self, second: u64) -> bool {
        self.from <= second && self.until.is_none_or(|until| second < until)
    }
}

/// The authentication algorithm of a key (RFC 5709, RFC 7868).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CryptographicAlgorithm {
    /// Keyed MD5.
    Md5,
    /// HMAC-SHA-1.
    HmacSha1,
    /// HMAC-SHA-256.
    HmacSha256,
    /// HMAC-SHA-384.
    HmacSha384,
    /// HMAC-SHA-512.
    HmacSha512,
}

/// Configuration lines that are accepted, kept and shown, and change nothing here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InertLines {
    /// Single global lines, by the place that `show running-config` gives them.
    pub global: Vec<String>,
    /// Sections such as `control-plane`, with the lines inside.
    pub sections: BTreeMap<String, Vec<String>>,
}

/// An address with a wildcard mask, as in `network` statements and access lists: mask bits set to 1 are not compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Wildcard {
    /// The address, with the bits that are not compared cleared.
    pub address: Ipv4Addr,
    /// The bits that are not compared.
    pub mask: Ipv4Addr,
}

impl Wildcard {
    /// A wildcard with the uncompared bits of `address` cleared, as IOS stores it.
    #[must_use]
    pub fn new(address: Ipv4Addr, mask: Ipv4Addr) -> Self {
        Self { address: Ipv4Addr::from(u32::from(address) & !u32::from(mask)), mask }
    }

    /// Whether `address` matches.
    #[must_use]
    pub fn matches(self, address: Ipv4Addr) -> bool {
        u32::from(address) & !u32::from(self.mask) == u32::from(self.address)
    }
}
