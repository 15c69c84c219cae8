//! Received packets.

use std::sync::Arc;

use super::config::Direction;
use super::diffusing::Cause;
use super::keys::Keys;
use super::log::DownReason;
use super::metric::Vector;
use super::neighbor::Neighbor;
use super::packet::{Flags, Opcode, Packet, RouteMetric, RouteTlv};
use super::process::{EigrpProcess, Env};
use super::topology::{Attributes, NeighborKey, Path, PathSource, Rank};
use crate::ids::RouterId;
use crate::process::Datagram;
use ipnet::Ipv4Net;

impl EigrpProcess {
    /// A packet of IP protocol 88 has come.
    pub(super) fn receive(&mut self, env: &mut Env<'_, '_>, datagram: &Datagram) {
        let Some(interface) = datagram.interface.and_then(|index| self.interfaces.get(&index)) else {
            return;
        };
        let (index, source) = (interface.index, datagram.source);
        let is_foreign =
            !interface.static_neighbors.is_empty() && !interface.static_neighbors.contains(&source);
        if interface.passive || is_foreign || source == interface.address.addr() {
            return;
        }
        let Ok(packet) = Packet::parse(&datagram.payload) else { return };
        if packet.header.autonomous_system != self.autonomous_system || packet.header.virtual_router != 0 {
            return;
        }
        let key = NeighborKey { interface: index, address: source };
        if !interface.address.contains(&source) {
            if packet.header.opcode == Opcode::Hello {
                self.log_not_on_common_subnet(env, index, source);
            }
            return;
        }
        if !self.is_authentic(env, key, datagram, &packet) {
            // IOS drops a neighbor that it knew with a key, and is silent about others.
            return self.neighbor_down(env, key, DownReason::AuthenticationFailure);
        }
        self.traffic.received.count(&packet.header);
        if packet.header.opcode == Opcode::Hello && packet.header.acknowledgment.is_none() {
            return self.receive_hello(env, key, &packet);
        }
        // An initial update that acknowledges ours belongs to the same handshake: what counts is whether the neighbor was up before.
        let Some(was_up) = self.neighbor(key).map(Neighbor::is_up) else { return };
        self.heard(env, key);
        if !packet.header.acknowledgment.is_none() {
            self.acknowledged(env, key, packet.header.acknowledgment);
        }
        if !packet.header.sequence.is_none() {
            self.receive_reliable(env, key, &packet, was_up);
        }
    }

    fn is_authentic(
        &self,
        env: &Env<'_, '_>,
        key: NeighborKey,
        datagram: &Datagram,
        packet: &Packet,
    ) -> bool {
        let Some(interface) = self.interfaces.get(&key.interface) else { return false };
        match Keys::to_accept(&interface.settings, env.context.config, env.now()) {
            Keys::None => packet.authentication().is_none(),
            Keys::Any(keys) => {
                keys.iter().any(|signed| packet.is_signed_with(&datagram.payload, signed, key.address))
            }
        }
    }

    /// A packet that wants an acknowledgment: taken once, and in conditional receive mode only by those it is for.
    fn receive_reliable(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, packet: &Packet, was_up: bool) {
        let header = &packet.header;
        let is_initial = header.opcode == Opcode::Update && header.flags.contains(Flags::INIT);
        let is_graceful = was_up && header.flags.contains(Flags::RESTART);
        if is_initial && !is_graceful {
            return self.receive_initial_update(env, key, packet, was_up);
        }
        let Some(neighbor) = self.neighbor_mut(key).filter(|neighbor| neighbor.is_up()) else { return };
        if header.flags.contains(Flags::CONDITIONAL_RECEIVE) {
            let announced = neighbor.transport.conditional_receive.take();
            if announced != Some(header.sequence) {
                return;
            }
        }
        let is_new = is_later(header.sequence.0, neighbor.transport.last_received.0);
        if is_new {
            neighbor.transport.last_received = header.sequence;
        }
        self.unacknowledged.insert(key);
        if is_new {
            if is_initial {
                self.peer_resyncs(env, key);
            }
            self.receive_routes(env, key, packet);
            self.settle_stale(env, key, packet);
        } else if let Some(interface) = self.interfaces.get_mut(&key.interface) {
            interface.counters.out_of_sequence += 1;
        }
    }

    /// The first update of a neighbor, which asks for the whole table. From one that is up it says that it has started anew.
    fn receive_initial_update(
        &mut self,
        env: &mut Env<'_, '_>,
        key: NeighborKey,
        packet: &Packet,
        was_up: bool,
    ) {
        let sequence = packet.header.sequence;
        let Some(neighbor) = self.neighbor(key) else { return };
        // The same number again is a retransmission only as long as nothing has followed it.
        let is_repeated =
            neighbor.initial_received == Some(sequence) && neighbor.transport.last_received == sequence;
        if was_up && !is_repeated {
            self.restart_neighbor(env, key);
        }
        let Some(neighbor) = self.neighbor_mut(key) else { return };
        if neighbor.initial_received != Some(sequence) {
            neighbor.initial_received = Some(sequence);
            neighbor.transport.last_received = sequence;
        }
        self.unacknowledged.insert(key);
        self.neighbor_up(env, key);
    }

    fn receive_routes(&mut self, env: &mut Env<'_, '_>, key: NeighborKey, packet: &Packet) {
        for route in packet.routes() {
            for &prefix in &route.destinations {
                match packet.header.opcode {
                    Opcode::Update => self.receive_route(env, key, prefix, route, Cause::Change),
                    Opcode::Query => self.receive_route(env, key, prefix, route, Cause::Query),
                    Opcode::Reply => self.receive_route(env, key, prefix, route, Cause::Reply),
                    Opcode::SiaQuery => self.receive_sia_query(env, key, prefix),
                    Opcode::SiaReply => self.receive_sia_reply(key, prefix),
                    Opcode::Request | Opcode::Hello | Opcode::Unknown(_) => {}
                }
            }
        }
    }

    fn receive_route(
        &mut self,
        env: &mut Env<'_, '_>,
        key: NeighborKey,
        prefix: Ipv4Net,
        route: &RouteTlv,
        cause: Cause,
    ) {
        let path = self.path_by(env, key, prefix, route);
        self.path_changed(env, prefix, PathSource::Neighbor(key), path, cause);
    }

    /// The path that a neighbor tells of; `None` if it is none.
    fn path_by(
        &self,
        env: &Env<'_, '_>,
        key: NeighborKey,
        prefix: Ipv4Net,
        route: &RouteTlv,
    ) -> Option<Path> {
        let originator = match (&route.metric, &route.external) {
            (_, Some(external)) => external.router_id,
            (RouteMetric::Wide { router_id, .. }, None) => *router_id,
            (RouteMetric::Classic(_), None) => RouterId::UNSPECIFIED,
        };
        // What this router has told itself, or another one with its id.
        if self.router_id == Some(originator) {
            return None;
        }
        let interface = self.interfaces.get(&key.interface)?;
        let next_hop = Some(route.next_hop).filter(|address| {
            !address.is_unspecified() && *address != key.address && interface.address.contains(address)
        });
        let marked = match &route.external {
            Some(external) => external.is_candidate_default(),
            None => route.metric.is_candidate_default(),
        };
        let candidate_default = marked && !self.applied.config.no_default_information_in;
        let external = route.external.map(Arc::new);
        let attributes = Attributes { originator, external, candidate_default };
        self.path_from(env, key, prefix, self.metrics.of_wire(&route.metric), next_hop, attributes)
    }

    /// A path by a neighbor, after filters and offsets and over the link; `None` if there is no way.
    pub(super) fn path_from(
        &self,
        env: &Env<'_, '_>,
        key: NeighborKey,
        prefix: Ipv4Net,
        reported: Vector,
        next_hop: Option<std::net::Ipv4Addr>,
        attributes: Attributes,
    ) -> Option<Path> {
        let interface = self.interfaces.get(&key.interface)?;
        if !reported.is_reachable() {
            return None;
        }
        let is_external = attributes.external.is_some();
        let mut path = Path {
            source: PathSource::Neighbor(key),
            reported,
            vector: reported,
            reported_distance: Rank::INFINITE,
            distance: Rank::INFINITE,
            next_hop,
            attributes,
        };
        if self.permits_in(env, interface, prefix, &path) {
            let offset = self.with_offsets(env, Direction::In, interface.name, prefix, reported);
            path.vector = self.metrics.extend(&offset, &interface.link);
            path.reported_distance = Rank::new(is_external, self.metrics.distance(&offset));
            path.distance = Rank::new(is_external, self.metrics.distance(&path.vector));
        }
        Some(path)
    }
}

/// Whether a sequence number comes after another, around the end of numbers.
const fn is_later(number: u32, than: u32) -> bool {
    let ahead = number.wrapping_sub(than);
    ahead != 0 && ahead < 1 << 31
}
