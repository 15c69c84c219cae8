//! An instance of BGP: the global table, or that of a VRF.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::attributes::ClusterId;
use super::config::{BgpConfig, InstanceConfig};
use super::dampening::Flaps;
use super::next_hop::NextHops;
use super::peer::Peer;
use super::table::Table;
use crate::ids::{RouterId, VrfId};

/// An instance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// Its VRF.
    pub vrf: VrfId,
    /// The VRF's name, unless global.
    pub name: Option<String>,
    /// The router id; `None` while there is no address to take one from.
    pub router_id: Option<RouterId>,
    /// It was configured, not chosen.
    pub(super) router_id_configured: bool,
    /// `bgp cluster-id`, or the router id.
    pub cluster_id: Option<ClusterId>,
    /// Peers by address.
    pub peers: BTreeMap<Ipv4Addr, Peer>,
    /// The number that the next peer gets.
    pub(super) next_index: u32,
    /// Paths.
    pub table: Table,
    /// Next hops.
    pub next_hops: NextHops,
    /// Routes that have flapped.
    pub flaps: Flaps,
}

impl Instance {
    pub(super) fn new(vrf: VrfId, name: Option<String>) -> Self {
        Self {
            vrf,
            name,
            router_id: None,
            router_id_configured: false,
            cluster_id: None,
            peers: BTreeMap::new(),
            next_index: 0,
            table: Table::default(),
            next_hops: NextHops::default(),
            flaps: Flaps::default(),
        }
    }

    /// Its part of the configuration.
    pub(super) fn config<'c>(&self, config: &'c BgpConfig) -> Option<&'c InstanceConfig> {
        config.instance(self.name.as_deref())
    }

    /// The peer of a number.
    #[must_use]
    pub fn peer_by_index(&self, index: u32) -> Option<&Peer> {
        self.peers.values().find(|peer| peer.index == index)
    }
}
