//! The interface state machine at work (RFC 2328 sections 9.3 and 9.4).

use std::net::Ipv4Addr;

use super::config::NetworkType;
use super::election::{Candidate, elect};
use super::interface::{
    InterfaceEvent, InterfaceState, InterfaceTransition, OspfInterfaceKey, OspfNetwork, interface_transition,
};
use super::neighbor::{NeighborEvent, NeighborKey, NeighborState};
use super::process::{Env, OspfProcess, TimerKey};

impl OspfProcess {
    /// Feeds an event to the state machine of an interface.
    pub(super) fn interface_event(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        event: InterfaceEvent,
    ) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let transition =
            interface_transition(interface.state, event, interface.network, interface.settings.priority);
        self.debug_interface(env, key, event, transition);
        match transition {
            InterfaceTransition::To(state) => self.enter_interface_state(env, key, state),
            InterfaceTransition::Elect => self.elect(env, key),
            InterfaceTransition::Stay => {}
        }
    }

    fn enter_interface_state(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, state: InterfaceState) {
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let before = interface.state;
        interface.state = state;
        if before == state {
            return;
        }
        let (passive, dead_interval) = (interface.settings.passive, interface.dead_interval);
        match state {
            InterfaceState::Down | InterfaceState::Loopback => self.reset_interface(key),
            _ if before == InterfaceState::Down => {
                if !passive {
                    self.timers.set(TimerKey::Hello(key), env.now());
                    self.start_polling(env, key);
                }
                if state == InterfaceState::Waiting {
                    self.timers.set(TimerKey::Wait(key), env.now() + dead_interval);
                }
            }
            _ => {}
        }
        if before == InterfaceState::Waiting {
            self.timers.cancel(TimerKey::Wait(key));
        }
        self.adjacency_changed(env, key);
    }

    /// What an interface that is down has: nothing.
    fn reset_interface(&mut self, key: OspfInterfaceKey) {
        self.timers.cancel_if(|timer| timer.interface() == Some(key));
        if let Some(interface) = self.interfaces.get_mut(&key) {
            interface.designated_router = Ipv4Addr::UNSPECIFIED;
            interface.backup_designated_router = Ipv4Addr::UNSPECIFIED;
            interface.delayed_acks.clear();
            interface.flood_queue.clear();
            interface.last_flood = None;
        }
    }

    /// Elects DR and backup DR, and draws the consequences (section 9.4 steps 5 to 7).
    fn elect(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey) {
        let (Some(router_id), Some(interface)) = (self.router_id, self.interfaces.get(&key)) else { return };
        let own = Candidate {
            router_id,
            address: interface.source,
            priority: interface.settings.priority,
            designated_router: interface.designated_router,
            backup_designated_router: interface.backup_designated_router,
        };
        let two_way = interface.neighbors.values().filter(|n| n.state >= NeighborState::TwoWay);
        let neighbors: Vec<Candidate> = two_way
            .map(|neighbor| Candidate {
                router_id: neighbor.router_id,
                address: neighbor.address,
                priority: neighbor.priority,
                designated_router: neighbor.designated_router,
                backup_designated_router: neighbor.backup_designated_router,
            })
            .collect();
        let before = (interface.designated_router, interface.backup_designated_router);
        let elected = elect(own, &neighbors);
        self.debug_election(env, key, own, &neighbors, elected);
        let state = if elected.designated_router == own.address {
            InterfaceState::Dr
        } else if elected.backup_designated_router == own.address {
            InterfaceState::Backup
        } else {
            InterfaceState::DrOther
        };
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        interface.designated_router = elected.designated_router;
        interface.backup_designated_router = elected.backup_designated_router;
        let changed = before != (elected.designated_router, elected.backup_designated_router);
        let entered = interface.state != state;
        self.enter_interface_state(env, key, state);
        if !changed {
            return;
        }
        if !entered {
            self.adjacency_changed(env, key);
        }
        // Step 6: on a non-broadcast network the ineligible neighbors are to be told now, too.
        if state >= InterfaceState::Backup {
            self.start_polling(env, key);
        }
        let all: Vec<NeighborKey> =
            self.interfaces.get(&key).into_iter().flat_map(|i| i.neighbors.keys().copied()).collect();
        for neighbor in all {
            self.neighbor_event(env, key, neighbor, NeighborEvent::AdjOk);
        }
    }

    /// The configured neighbors of a non-broadcast network: hellos go to them although they are silent (section 9.5.1).
    pub(super) fn start_polling(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let non_broadcast = matches!(
            interface.network,
            OspfNetwork::Network(NetworkType::NonBroadcast | NetworkType::PointToMultipointNonBroadcast)
        );
        if !non_broadcast || interface.settings.passive || interface.state == InterfaceState::Down {
            return;
        }
        let silent: Vec<NeighborKey> = interface
            .neighbors
            .iter()
            .filter(|(_, neighbor)| neighbor.state == NeighborState::Down)
            .map(|(&neighbor, _)| neighbor)
            .collect();
        let dead_interval = interface.dead_interval;
        for neighbor in silent {
            self.neighbor_event(env, key, neighbor, NeighborEvent::Start);
            self.timers.set(TimerKey::Inactivity(key, neighbor), env.now() + dead_interval);
            self.timers.set(TimerKey::Poll(key, neighbor.0), env.now());
        }
    }
}
