//! Hellos (RFC 7868 section 5.3): finding neighbors, holding them, saying goodbye.

use std::net::Ipv4Addr;
use std::time::Duration;

use rand::RngExt;

use super::log::{DownReason, EigrpLogEvent, NeighborChange};
use super::neighbor::{Neighbor, NeighborState};
use super::packet::{KValues, Opcode, Packet, Parameters, Sequence, SoftwareVersion, Tlv};
use super::process::{EigrpProcess, Env, TimerKey};
use super::topology::NeighborKey;
use crate::ids::IfIndex;
use crate::log::LogEvent;
use crate::process::Action;

/// What this software calls itself: a release of EIGRP, and the latest route TLVs it reads.
pub const VERSION: SoftwareVersion = SoftwareVersion { release: (23, 0), tlv: (2, 0) };

/// By how much, in percent, a hello may come early, so that routers do not fall into step.
const HELLO_JITTER_PERCENT: u32 = 10;

impl EigrpProcess {
    /// The TLVs of every hello.
    fn hello_tlvs(&self, index: IfIndex, k: KValues) -> Vec<Tlv> {
        let hold = self.interfaces.get(&index).map_or(Duration::ZERO, |interface| interface.hold_time());
        let hold_time = u16::try_from(hold.as_secs()).unwrap_or(u16::MAX);
        let mut tlvs = vec![Tlv::Parameters(Parameters { k, hold_time }), Tlv::SoftwareVersion(VERSION)];
        if let Some(stub) = &self.applied.config.stub {
            tlvs.push(Tlv::Stub(stub.flags()));
        }
        tlvs
    }

    /// Sends a hello to all on an interface, or to its configured neighbors.
    pub(super) fn send_hello(&mut self, env: &mut Env<'_, '_>, index: IfIndex, more: Vec<Tlv>) {
        let mut tlvs = self.hello_tlvs(index, self.metrics.k);
        tlvs.extend(more);
        self.send_hello_packet(env, index, tlvs);
    }

    fn send_hello_packet(&mut self, env: &mut Env<'_, '_>, index: IfIndex, tlvs: Vec<Tlv>) {
        let Some(interface) = self.interfaces.get_mut(&index) else { return };
        interface.counters.hellos += 1;
        let targets: Vec<Option<Ipv4Addr>> = if interface.static_neighbors.is_empty() {
            vec![None]
        } else {
            interface.static_neighbors.iter().copied().map(Some).collect()
        };
        let packet = Packet { header: self.header(Opcode::Hello), tlvs };
        for target in targets {
            self.traffic.sent.hellos += 1;
            self.send_packet(env, index, target, &packet);
        }
    }

    /// A hello is due.
    pub(super) fn hello_due(&mut self, env: &mut Env<'_, '_>, index: IfIndex) {
        let Some(interface) = self.interfaces.get(&index).filter(|interface| !interface.passive) else {
            return;
        };
        let interval = interface.hello_interval();
        let early = interval * env.context.rng.random_range(0..=HELLO_JITTER_PERCENT) / 100;
        self.timers.set(TimerKey::Hello(index), env.now() + (interval - early));
        self.send_hello(env, index, Vec::new());
    }

    /// Says goodbye to all on an interface (RFC 7868 section 5.3.3).
    pub(super) fn send_goodbye(&mut self, env: &mut Env<'_, '_>, index: IfIndex) {
        let tlvs = self.hello_tlvs(index, KValues::GOODBYE);
        self.send_hello_packet(env, index, tlvs);
    }

    /// Tells one neighbor that it is none any more.
    pub(super) fn send_peer_termination(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        self.send_hello(env, key.interface, vec![Tlv::PeerTermination(vec![key.address])]);
    }

    /// A hello has come.
    pub(super) fn receive_hello(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, packet: &Packet) {
        let parameters = packet.tlvs.iter().find_map(|tlv| match tlv {
            Tlv::Parameters(parameters) => Some(*parameters),
            _ => None,
        });
        let Some(parameters) = parameters else { return };
        if parameters.k.is_goodbye() {
            return self.neighbor_down(env, key, DownReason::GoodbyeReceived);
        }
        if parameters.k != self.metrics.k {
            return self.refuse_neighbor(env, key, DownReason::KValueMismatch);
        }
        if self.is_terminated(key, packet) {
            return self.neighbor_down(env, key, DownReason::PeerTerminationReceived);
        }
        let stub = packet.tlvs.iter().find_map(|tlv| match tlv {
            Tlv::Stub(flags) => Some(*flags),
            _ => None,
        });
        if self.neighbor(key).is_some_and(|neighbor| neighbor.stub != stub) {
            self.neighbor_down(env, key, DownReason::PeerInfoChanged);
        }
        let hold_time = Duration::from_secs(u64::from(parameters.hold_time));
        if self.neighbor(key).is_none() {
            self.new_neighbor(env, key, hold_time);
        }
        if let Some(neighbor) = self.neighbor_mut(key) {
            neighbor.hold_time = hold_time;
            neighbor.stub = stub;
            neighbor.version = packet.tlvs.iter().find_map(|tlv| match tlv {
                Tlv::SoftwareVersion(version) => Some(*version),
                _ => None,
            });
        }
        self.heard(env, key);
        self.enter_conditional_receive(key, packet);
    }

    /// Whether a hello tells this router that the neighbor has dropped it.
    fn is_terminated(&self, key: NeighborKey, packet: &Packet) -> bool {
        let own = self.interfaces.get(&key.interface).map(|interface| interface.address.addr());
        self.neighbor(key).is_some()
            && packet.tlvs.iter().any(|tlv| match tlv {
                Tlv::PeerTermination(addresses) => {
                    addresses.is_empty() || own.is_some_and(|own| addresses.contains(&own))
                }
                _ => false,
            })
    }

    /// A neighbor has shown that it is there.
    pub(super) fn heard(&mut self, env: &Env<'_, '_>, key: NeighborKey) {
        if let Some(neighbor) = self.neighbor(key) {
            let until = env.now() + neighbor.hold_time;
            self.timers.set(TimerKey::Hold(key), until);
        }
    }

    /// A neighbor has started anew: its routes are gone, and both sides begin again.
    pub(super) fn restart_neighbor(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let Some(old) = self.neighbor(key) else { return };
        let (hold_time, version, stub) = (old.hold_time, old.version, old.stub);
        self.neighbor_down(env, key, DownReason::PeerRestarted);
        self.new_neighbor(env, key, hold_time);
        if let Some(neighbor) = self.neighbor_mut(key) {
            (neighbor.version, neighbor.stub) = (version, stub);
        }
        self.heard(env, key);
    }

    fn new_neighbor(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, hold_time: Duration) {
        let handle = self.next_handle;
        self.next_handle += 1;
        let Some(interface) = self.interfaces.get_mut(&key.interface) else { return };
        interface.neighbors.insert(key.address, Neighbor::new(key.address, handle, hold_time, env.now()));
        interface.counters.hellos_expedited += 1;
        self.log_neighbor(env, key, NeighborChange::Up);
        env.actions.push(Action::Unsettled);
        // It shall find us as soon as we have found it.
        self.send_hello(env, key.interface, Vec::new());
        self.send_initial_update(env, key);
    }

    /// A router that does not fit is no neighbor; IOS logs that at each of its hellos.
    fn refuse_neighbor(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, reason: DownReason) {
        if self.neighbor(key).is_some() {
            self.neighbor_down(env, key, reason);
        } else {
            self.log_neighbor(env, key, NeighborChange::Down(reason));
        }
    }

    /// The initial updates went both ways: routes follow.
    pub(super) fn neighbor_up(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let Some(neighbor) = self.neighbor_mut(key) else { return };
        if neighbor.is_up() || neighbor.initial.is_some() || neighbor.initial_received.is_none() {
            return;
        }
        neighbor.state = NeighborState::Up;
        neighbor.table_download = Some(super::neighbor::TableDownload::Start);
        env.actions.push(Action::Unsettled);
        self.schedule_transmit(env, key.interface);
    }

    /// A neighbor is gone: so are its routes, and it has replied to all queries.
    pub(super) fn neighbor_down(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, reason: DownReason) {
        if self.neighbor(key).is_none() {
            return;
        }
        self.log_neighbor(env, key, NeighborChange::Down(reason));
        env.actions.push(Action::Unsettled);
        self.forget_neighbor(key);
        self.neighbor_gone(env, key);
        self.multicast_may_go_on(env, key.interface);
    }

    fn forget_neighbor(&mut self, key: NeighborKey) {
        if let Some(interface) = self.interfaces.get_mut(&key.interface) {
            interface.neighbors.remove(&key.address);
        }
        self.timers.cancel(TimerKey::Hold(key));
        self.timers.cancel(TimerKey::Retransmit(key));
        self.unacknowledged.remove(&key);
    }

    /// A neighbor on another subnet is not taken.
    pub(super) fn log_not_on_common_subnet(&self, env: &mut Env<'_, '_>, index: IfIndex, neighbor: Ipv4Addr) {
        let Some(interface) = self.interfaces.get(&index) else { return };
        env.actions.push(Action::Log(LogEvent::Eigrp(EigrpLogEvent::NotOnCommonSubnet {
            autonomous_system: self.autonomous_system,
            neighbor,
            interface: interface.name,
            address: interface.address,
        })));
    }

    /// RFC 7868 section 5.1: who is not on the list of a sequence TLV receives the multicast that follows.
    fn enter_conditional_receive(&mut self, key: NeighborKey, packet: &Packet) {
        let own = self.interfaces.get(&key.interface).map(|interface| interface.address.addr());
        let excluded = packet.tlvs.iter().find_map(|tlv| match tlv {
            Tlv::Sequence(addresses) => Some(own.is_some_and(|own| addresses.contains(&own))),
            _ => None,
        });
        let next: Option<Sequence> = packet.tlvs.iter().find_map(|tlv| match tlv {
            Tlv::MulticastSequence(sequence) => Some(*sequence),
            _ => None,
        });
        if let (Some(excluded), Some(neighbor)) = (excluded, self.neighbor_mut(key)) {
            neighbor.transport.conditional_receive = next.filter(|_| !excluded);
        }
    }
}
