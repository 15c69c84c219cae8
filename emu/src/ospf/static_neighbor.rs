//! `neighbor` statements: neighbors of networks without broadcast (RFC 2328 section 9.5.1, appendix C.5 and C.6).

use std::net::Ipv4Addr;
use std::time::Duration;

use super::config::{NetworkType, OspfConfig};
use super::interface::{InterfaceState, OspfInterface, OspfInterfaceKey, OspfNetwork};
use super::neighbor::{Neighbor, NeighborEvent, NeighborKey, NeighborState};
use super::neighbor_events::DownReason;
use super::process::{Env, OspfProcess};
use crate::ids::RouterId;

/// IOS's default of `poll-interval`, in seconds.
const POLL_INTERVAL: u32 = 120;

/// Whether neighbors of such a network are configured.
fn takes_static_neighbors(interface: &OspfInterface) -> bool {
    matches!(
        interface.network,
        OspfNetwork::Network(NetworkType::NonBroadcast | NetworkType::PointToMultipointNonBroadcast)
    )
}

/// Whether `address` is configured as a neighbor on an interface.
fn is_configured(config: &OspfConfig, interface: &OspfInterface, address: Ipv4Addr) -> bool {
    takes_static_neighbors(interface)
        && config.neighbors.contains_key(&address)
        && interface.address.is_some_and(|net| net.contains(&address))
}

impl OspfProcess {
    /// Whether a neighbor stands in the configuration.
    pub(super) fn is_static_neighbor(
        &self,
        env: &Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) -> bool {
        let (Some(config), Some(interface)) = (self.config(env.context), self.interfaces.get(&key)) else {
            return false;
        };
        is_configured(config, interface, neighbor.0)
    }

    /// PollInterval of a configured neighbor.
    pub(super) fn poll_interval(&self, env: &Env<'_, '_>, address: Ipv4Addr) -> Duration {
        let neighbor = self.config(env.context).and_then(|config| config.neighbors.get(&address));
        let secs = neighbor.and_then(|neighbor| neighbor.poll_interval).unwrap_or(POLL_INTERVAL);
        Duration::from_secs(u64::from(secs))
    }

    /// Makes the configured neighbors known to their interfaces, and ends those that are configured no more.
    pub(super) fn reconcile_static_neighbors(&mut self, env: &mut Env<'_, '_>) {
        let Some(config) = self.config(env.context) else { return };
        let keys: Vec<OspfInterfaceKey> = self
            .interfaces
            .iter()
            .filter(|(_, interface)| takes_static_neighbors(interface))
            .map(|(&key, _)| key)
            .collect();
        for key in keys {
            let Some(interface) = self.interfaces.get_mut(&key) else { continue };
            let silent = |neighbor: &Neighbor| neighbor.state <= NeighborState::Attempt;
            let gone: Vec<NeighborKey> = interface
                .neighbors
                .iter()
                .filter(|(neighbor, data)| silent(data) && !config.neighbors.contains_key(&neighbor.0))
                .map(|(&neighbor, _)| neighbor)
                .collect();
            for (&address, settings) in &config.neighbors {
                if !interface.address.is_some_and(|net| net.contains(&address)) {
                    continue;
                }
                let fresh = || Neighbor {
                    priority: settings.priority.unwrap_or(0),
                    ..Neighbor::new(RouterId(Ipv4Addr::UNSPECIFIED), address, env.context.now)
                };
                interface.neighbors.entry(NeighborKey(address)).or_insert_with(fresh);
            }
            let up = interface.state != InterfaceState::Down;
            for neighbor in gone {
                self.neighbor_down(env, key, neighbor, NeighborEvent::KillNbr, DownReason::Removed);
            }
            if up {
                self.start_polling(env, key);
            }
        }
    }
}
