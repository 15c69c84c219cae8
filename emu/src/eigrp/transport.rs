//! The reliable transport (RFC 7868 section 5.1).
//!
//! ```text
//!  announcements of an interface --(Transmit timer: batching, pacing)--> packet, multicast to all who are idle
//!        |                                                                 and queued for the others (conditional receive)
//!  what one neighbor is told ------(when it is idle)-------------------> packet, unicast
//!        |
//!        +--> in flight until acknowledged; sent again by unicast after the retransmission timeout; 16 times, then the neighbor is down
//! ```

use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use super::keys::Keys;
use super::log::DownReason;
use super::neighbor::{InFlight, ReliablePacket};
use super::packet::{Flags, HEADER_LEN, Header, Opcode, Packet, Sequence, Tlv};
use super::process::{EigrpProcess, Env, TimerKey};
use super::topology::NeighborKey;
use crate::ids::IfIndex;
use crate::process::{Action, Datagram, IpProtocol};
use crate::wire::Ipv4Header;

/// All EIGRP routers on a link.
const ALL_EIGRP_ROUTERS: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 10);

/// IOS's time to live of EIGRP packets.
const TTL: u8 = 2;

/// After so many retransmissions a neighbor is given up.
const RETRY_LIMIT: u8 = 16;

/// How long changes are gathered before they are made a packet.
const BATCHING: Duration = Duration::from_millis(10);

/// Octets that an authentication TLV may take.
const AUTHENTICATION_LEN: usize = 56;

impl EigrpProcess {
    /// A header without sequence number and acknowledgment.
    pub(super) const fn header(&self, opcode: Opcode) -> Header {
        Header {
            opcode,
            flags: Flags::NONE,
            sequence: Sequence::NONE,
            acknowledgment: Sequence::NONE,
            virtual_router: 0,
            autonomous_system: self.autonomous_system,
        }
    }

    /// Signs a packet and sends it, to all on an interface or to one.
    pub(super) fn send_packet(
        &self,
        env: &mut Env<'_, '_>,
        index: IfIndex,
        target: Option<Ipv4Addr>,
        packet: &Packet,
    ) {
        let Some(interface) = self.interfaces.get(&index) else { return };
        let source = interface.address.addr();
        let octets = match Keys::to_send(&interface.settings, env.context.config, env.now()) {
            Keys::None => packet.emit(),
            Keys::Any(keys) => match keys.first() {
                Some(key) => packet.emit_signed(key, source),
                None => return,
            },
        };
        let destination = target.unwrap_or(ALL_EIGRP_ROUTERS);
        let datagram = Datagram::on_link(index, destination, IpProtocol::EIGRP, octets);
        env.actions.push(Action::Send(Datagram { source, ttl: TTL, ..datagram }));
    }

    /// How many octets of TLVs fit into a packet on an interface.
    pub(super) fn room(&self, index: IfIndex) -> usize {
        let mtu = self.interfaces.get(&index).map_or(0, |interface| usize::from(interface.ip_mtu));
        mtu.saturating_sub(Ipv4Header::LEN + HEADER_LEN + AUTHENTICATION_LEN)
    }

    /// Gives a packet its number.
    pub(super) fn number(&mut self, opcode: Opcode, flags: Flags, tlvs: Vec<Tlv>) -> Arc<ReliablePacket> {
        self.sequence = self.sequence.next();
        Arc::new(ReliablePacket { sequence: self.sequence, opcode, flags, tlvs })
    }

    /// Sends a reliable packet to one neighbor: now if nothing is in flight to it, else in its turn.
    pub(super) fn send_reliably(
        &mut self,
        env: &mut Env<'_, '_>,
        key: NeighborKey,
        packet: Arc<ReliablePacket>,
    ) {
        let Some(neighbor) = self.neighbor_mut(key) else { return };
        neighbor.transport.queue.push_back(packet);
        self.send_next(env, key);
    }

    /// Sends what is next in the queue of a neighbor, if nothing is in flight to it.
    fn send_next(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let now = env.now();
        let Some(transport) = self.neighbor_mut(key).map(|neighbor| &mut neighbor.transport) else { return };
        if transport.in_flight.is_some() {
            return;
        }
        let Some(packet) = transport.queue.pop_front() else { return };
        transport.in_flight = Some(InFlight { packet: Arc::clone(&packet), sent: now, retries: 0 });
        self.transmit_unicast(env, key, &packet);
        self.start_retransmission(env, key);
    }

    /// Sends a reliable packet to a neighbor once; it carries the acknowledgment that is due.
    fn transmit_unicast(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, packet: &ReliablePacket) {
        let mut header =
            Header { flags: packet.flags, sequence: packet.sequence, ..self.header(packet.opcode) };
        if self.unacknowledged.remove(&key)
            && let Some(interface) = self.interfaces.get_mut(&key.interface)
        {
            interface.counters.acknowledgments_suppressed += 1;
        }
        if let Some(neighbor) = self.neighbor(key) {
            header.acknowledgment = neighbor.transport.last_received;
        }
        self.traffic.sent.count(&header);
        if let Some(interface) = self.interfaces.get_mut(&key.interface) {
            interface.counters.reliable_unicasts += 1;
        }
        self.send_packet(
            env,
            key.interface,
            Some(key.address),
            &Packet { header, tlvs: packet.tlvs.clone() },
        );
    }

    fn start_retransmission(&mut self, env: &Env<'_, '_>, key: NeighborKey) {
        let pacing = self
            .interfaces
            .get(&key.interface)
            .map_or(Duration::ZERO, |interface| interface.pacing_interval());
        if let Some(neighbor) = self.neighbor(key) {
            let at = env.now() + neighbor.transport.current_rto(pacing);
            self.timers.set(TimerKey::Retransmit(key), at);
        }
    }

    /// A packet was not acknowledged in time.
    pub(super) fn retransmit(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let Some(neighbor) = self.neighbor_mut(key) else { return };
        let Some(flight) = neighbor.transport.in_flight.as_mut() else { return };
        if flight.retries >= RETRY_LIMIT {
            self.drop_neighbor(env, key, DownReason::RetryLimitExceeded);
            return;
        }
        flight.retries += 1;
        let packet = Arc::clone(&flight.packet);
        neighbor.transport.retransmissions += 1;
        if let Some(interface) = self.interfaces.get_mut(&key.interface) {
            interface.counters.retransmissions += 1;
        }
        self.transmit_unicast(env, key, &packet);
        self.start_retransmission(env, key);
    }

    /// Tells a neighbor that it is none any more, and forgets it.
    pub(super) fn drop_neighbor(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, reason: DownReason) {
        if self.neighbor(key).is_some() {
            self.send_peer_termination(env, key);
            self.neighbor_down(env, key, reason);
        }
    }

    /// A neighbor acknowledges a packet.
    pub(super) fn acknowledged(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, number: Sequence) {
        let now = env.now();
        let Some(neighbor) = self.neighbor_mut(key) else { return };
        let Some(flight) = neighbor.transport.in_flight.take_if(|flight| flight.packet.sequence == number)
        else {
            return;
        };
        if flight.retries == 0 {
            neighbor.transport.measure(now.since(flight.sent));
        }
        if neighbor.initial == Some(number) {
            neighbor.initial = None;
        }
        self.timers.cancel(TimerKey::Retransmit(key));
        self.neighbor_up(env, key);
        self.send_next(env, key);
        self.multicast_may_go_on(env, key.interface);
    }

    /// Sends the initial update, which asks a new neighbor for its whole table.
    pub(super) fn send_initial_update(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let packet = self.number(Opcode::Update, Flags::INIT, Vec::new());
        if let Some(neighbor) = self.neighbor_mut(key) {
            neighbor.initial = Some(packet.sequence);
        }
        self.send_reliably(env, key, packet);
    }

    /// Acknowledges what has come and was not acknowledged by a packet of our own.
    pub(super) fn acknowledge_all(&mut self, env: &mut Env<'_, '_>) {
        for key in std::mem::take(&mut self.unacknowledged) {
            let Some(neighbor) = self.neighbor(key) else { continue };
            let acknowledgment = neighbor.transport.last_received;
            let header = Header { acknowledgment, ..self.header(Opcode::Hello) };
            self.traffic.sent.count(&header);
            if let Some(interface) = self.interfaces.get_mut(&key.interface) {
                interface.counters.unreliable_unicasts += 1;
            }
            self.send_packet(env, key.interface, Some(key.address), &Packet { header, tlvs: Vec::new() });
        }
    }

    /// Something is to be told on an interface: it is gathered for a moment, and waits for its turn.
    pub(super) fn schedule_transmit(&mut self, env: &Env<'_, '_>, index: IfIndex) {
        let Some(interface) = self.interfaces.get(&index) else { return };
        if interface.has_something_to_tell() && !self.timers.is_running(TimerKey::Transmit(index)) {
            let at = (env.now() + BATCHING).max(interface.next_transmission);
            self.timers.set(TimerKey::Transmit(index), at);
        }
    }

    /// After a reliable packet the interface is left to others for a while.
    pub(super) fn pace(&mut self, env: &Env<'_, '_>, index: IfIndex, octets: usize) {
        if let Some(interface) = self.interfaces.get_mut(&index) {
            interface.next_transmission = env.now() + interface.pacing(octets);
        }
    }

    /// Sends a packet to all neighbors on an interface that routes are exchanged with: by multicast to those who have acknowledged
    /// everything, in turn to the others.
    pub(super) fn send_to_all(&mut self, env: &mut Env<'_, '_>, index: IfIndex, packet: Arc<ReliablePacket>) {
        let Some(interface) = self.interfaces.get(&index) else { return };
        let key = |address: &Ipv4Addr| NeighborKey { interface: index, address: *address };
        let (ready, others): (Vec<_>, Vec<_>) = interface
            .neighbors
            .iter()
            .partition(|(_, neighbor)| neighbor.is_up() && neighbor.transport.is_idle());
        let ready: Vec<NeighborKey> = ready.into_iter().map(|(address, _)| key(address)).collect();
        let excluded: Vec<Ipv4Addr> = others.iter().map(|(address, _)| **address).collect();
        let lagging: Vec<NeighborKey> =
            others.iter().filter(|(_, neighbor)| neighbor.is_up()).map(|(address, _)| key(address)).collect();
        let multicast = interface.static_neighbors.is_empty() && !ready.is_empty();
        if multicast {
            self.send_multicast(env, index, &packet, excluded);
        }
        for key in ready {
            if multicast {
                let in_flight = InFlight { packet: Arc::clone(&packet), sent: env.now(), retries: 0 };
                if let Some(neighbor) = self.neighbor_mut(key) {
                    neighbor.transport.in_flight = Some(in_flight);
                }
                self.start_retransmission(env, key);
            } else {
                self.send_reliably(env, key, Arc::clone(&packet));
            }
        }
        for key in lagging {
            if let Some(interface) = self.interfaces.get_mut(&index) {
                interface.counters.multicast_exceptions += 1;
            }
            self.send_reliably(env, key, Arc::clone(&packet));
        }
        if let Some(interface) = self.interfaces.get_mut(&index) {
            interface.multicast_in_flight = Some(packet.sequence);
            let until = env.now() + interface.multicast_flow_time();
            self.timers.set(TimerKey::MulticastFlow(index), until);
        }
    }

    /// RFC 7868 section 5.1: if not all may receive the packet, a hello says who shall not, and the packet is for those who have
    /// heard that.
    fn send_multicast(
        &mut self,
        env: &mut Env<'_, '_>,
        index: IfIndex,
        packet: &ReliablePacket,
        excluded: Vec<Ipv4Addr>,
    ) {
        let conditional = !excluded.is_empty();
        if conditional {
            let number = Tlv::MulticastSequence(packet.sequence);
            self.send_hello(env, index, vec![Tlv::Sequence(excluded), number]);
        }
        let mut header =
            Header { flags: packet.flags, sequence: packet.sequence, ..self.header(packet.opcode) };
        if let Some(interface) = self.interfaces.get_mut(&index) {
            interface.counters.reliable_multicasts += 1;
            interface.counters.conditional_receive += u64::from(conditional);
        }
        if conditional {
            header.flags |= Flags::CONDITIONAL_RECEIVE;
        }
        self.traffic.sent.count(&header);
        self.send_packet(env, index, None, &Packet { header, tlvs: packet.tlvs.clone() });
    }

    /// Whether the next multicast must wait for acknowledgments of the last one.
    pub(super) fn awaits_multicast(&self, index: IfIndex) -> bool {
        self.interfaces.get(&index).is_some_and(|interface| interface.multicast_in_flight.is_some())
    }

    /// A neighbor has acknowledged something or is gone: the next packets may go.
    pub(super) fn multicast_may_go_on(&mut self, env: &Env<'_, '_>, index: IfIndex) {
        let Some(interface) = self.interfaces.get_mut(&index) else { return };
        if interface.neighbors.values().all(|neighbor| !neighbor.is_up() || neighbor.transport.is_idle()) {
            interface.multicast_in_flight = None;
            self.timers.cancel(TimerKey::MulticastFlow(index));
        }
        self.schedule_transmit(env, index);
    }

    /// The multicast in flight has waited for long enough: who has not acknowledged it is left out of the next one.
    pub(super) fn multicast_flow_expired(&mut self, env: &Env<'_, '_>, index: IfIndex) {
        if let Some(interface) = self.interfaces.get_mut(&index) {
            interface.multicast_in_flight = None;
            self.schedule_transmit(env, index);
        }
    }
}

impl super::process::TrafficCounters {
    /// Counts a packet by its header.
    pub(super) const fn count(&mut self, header: &Header) {
        let counter = match header.opcode {
            Opcode::Hello if !header.acknowledgment.is_none() => &mut self.acknowledgments,
            Opcode::Hello => &mut self.hellos,
            Opcode::Update => &mut self.updates,
            Opcode::Query => &mut self.queries,
            Opcode::Reply => &mut self.replies,
            Opcode::SiaQuery => &mut self.sia_queries,
            Opcode::SiaReply => &mut self.sia_replies,
            Opcode::Request | Opcode::Unknown(_) => return,
        };
        *counter += 1;
    }
}
