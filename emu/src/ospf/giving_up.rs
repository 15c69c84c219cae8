//! Neighbors that are heard but do not answer. IOS sends a packet again 24 times (`limit retransmissions`), then lets the neighbor go and
//! ignores its hellos for a minute: so two routers whose MTUs differ show again and again that something is wrong.

use std::time::Duration;

use super::interface::OspfInterfaceKey;
use super::neighbor::{Neighbor, NeighborEvent, NeighborKey, NeighborState};
use super::neighbor_events::DownReason;
use super::process::{Env, OspfProcess, TimerKey};

/// How often a packet is sent again before the neighbor is given up (IOS).
pub(super) const MOST_RETRANSMISSIONS: u8 = 24;

/// How long the hellos of a neighbor that was given up count for nothing (IOS).
const IGNORE_TIME: Duration = Duration::from_secs(60);

impl OspfProcess {
    /// Gives a neighbor up to which an LSA was sent again too often.
    pub(super) fn give_up_deaf(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let deaf =
            |data: &mut Neighbor| data.retransmissions.any(|waiting| waiting.times > MOST_RETRANSMISSIONS);
        if self.neighbor_mut(key, neighbor).is_some_and(deaf) {
            self.give_up(env, key, neighbor);
        }
    }

    /// Lets a neighbor go, and ignores it for a while.
    pub(super) fn give_up(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, neighbor: NeighborKey) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let (router_id, address, changes) = (data.router_id, data.address, data.changes);
        let reason = DownReason::TooManyRetransmissions;
        self.neighbor_down(env, key, neighbor, NeighborEvent::InactivityTimer, reason);
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let ignored = || Neighbor {
            changes: changes.saturating_add(1),
            ..Neighbor::new(router_id, address, env.context.now)
        };
        interface.neighbors.entry(neighbor).or_insert_with(ignored);
        self.timers.set(TimerKey::Ignore(key, neighbor), env.now() + IGNORE_TIME);
    }

    /// Whether the hellos of a neighbor count for nothing.
    pub(super) fn is_ignored(&self, key: OspfInterfaceKey, neighbor: NeighborKey) -> bool {
        self.timers.is_running(TimerKey::Ignore(key, neighbor))
    }

    /// The neighbor that was given up may try again.
    pub(super) fn ignore_expired(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let down = NeighborState::Down;
        self.write_adjacency(env, key, neighbor, (down, down), DownReason::IgnoreTimer.text());
        self.forget_neighbor(env, key, neighbor);
    }
}
