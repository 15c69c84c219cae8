//! Receiving packets (RFC 2328 section 8.2): whether a packet is to be taken, and whose it is.

use std::net::Ipv4Addr;
use std::time::Duration;

use super::debug::OspfDebugEvent;
use super::interface::{InterfaceState, OspfInterface, OspfInterfaceKey};
use super::log::OspfLogEvent;
use super::neighbor::{NeighborKey, NeighborState};
use super::packet::{Envelope, PacketBody};
use super::process::{Env, OspfProcess};
use super::send::{ALL_D_ROUTERS, accepted_keys};
use crate::debugging::DebugTopic;
use crate::ids::{AreaId, RouterId};
use crate::log::LogEvent;
use crate::process::{Action, Datagram};

/// How often errors of the other side are logged on an interface.
const COMPLAINT_INTERVAL: Duration = Duration::from_secs(60);

/// A packet that has been accepted on an interface.
#[derive(Clone, Copy, Debug)]
pub(super) struct Accepted {
    /// The interface.
    pub key: OspfInterfaceKey,
    /// Who sent it.
    pub router_id: RouterId,
    /// From which address.
    pub source: Ipv4Addr,
    /// Cryptographic sequence number and key.
    pub signed: Option<(u32, Option<u8>)>,
    /// Extended options of link-local signalling.
    pub lls: Option<u32>,
}

impl OspfProcess {
    /// A packet has come in. What is not to be taken is dropped, as section 8.2 wants it.
    pub(super) fn receive(&mut self, env: &mut Env<'_, '_>, datagram: &Datagram) {
        let Ok(envelope) = Envelope::parse(&datagram.payload) else { return };
        let Some(key) = self.interface_for(env, datagram, &envelope) else { return };
        let Some(interface) = self.interfaces.get(&key) else { return };
        let keys = accepted_keys(interface, env.context.config, env.context.now);
        let sequence = match envelope.verify(&keys) {
            Ok(sequence) => sequence,
            Err(error) => {
                self.debug_authentication(env, key, datagram.source, (&envelope, &keys), error);
                return;
            }
        };
        let Ok(body) = envelope.body() else { return };
        let lls = match &body {
            PacketBody::Hello(hello) => envelope.lls(hello.options),
            PacketBody::DatabaseDescription(description) => envelope.lls(description.options),
            _ => None,
        };
        let accepted = Accepted {
            key,
            router_id: envelope.router_id,
            source: datagram.source,
            signed: sequence.map(|sequence| (sequence, envelope.key_id())),
            lls,
        };
        if self.is_replayed(&accepted) {
            return;
        }
        match body {
            PacketBody::Hello(hello) => self.receive_hello(env, &accepted, &hello),
            body => self.receive_from_neighbor(env, &accepted, body),
        }
    }

    fn receive_from_neighbor(&mut self, env: &mut Env<'_, '_>, accepted: &Accepted, body: PacketBody) {
        let Some(neighbor) = self.known_neighbor(accepted) else { return };
        self.note_signature(accepted, neighbor);
        let key = accepted.key;
        match body {
            PacketBody::Hello(_) => {}
            PacketBody::DatabaseDescription(description) => {
                self.receive_description(env, key, neighbor, &description);
            }
            PacketBody::LinkStateRequest(requests) => self.receive_requests(env, key, neighbor, &requests),
            PacketBody::LinkStateUpdate(lsas) => self.receive_update(env, key, neighbor, lsas),
            PacketBody::LinkStateAck(headers) => self.receive_acks(env, key, neighbor, &headers),
        }
    }

    /// The neighbor that a packet other than a hello comes from, if it is one.
    fn known_neighbor(&self, accepted: &Accepted) -> Option<NeighborKey> {
        let interface = self.interfaces.get(&accepted.key)?;
        let neighbor = interface.neighbor_key(accepted.router_id, accepted.source);
        let data = interface.neighbors.get(&neighbor)?;
        (data.router_id == accepted.router_id && data.state >= NeighborState::Init).then_some(neighbor)
    }

    /// Appendix D.5.3: the cryptographic sequence number of a neighbor never goes back.
    fn is_replayed(&self, accepted: &Accepted) -> bool {
        let last = || {
            let interface = self.interfaces.get(&accepted.key)?;
            let neighbor = interface.neighbor_key(accepted.router_id, accepted.source);
            interface.neighbors.get(&neighbor)?.cryptographic_sequence
        };
        matches!((accepted.signed, last()), (Some((sequence, _)), Some(last)) if sequence < last)
    }

    /// Remembers the key and sequence number of a neighbor.
    pub(super) fn note_signature(&mut self, accepted: &Accepted, neighbor: NeighborKey) {
        if let (Some((sequence, key_id)), Some(data)) =
            (accepted.signed, self.neighbor_mut(accepted.key, neighbor))
        {
            data.cryptographic_sequence = Some(sequence);
            data.key_id = key_id;
        }
    }

    /// The interface whose packet it is: the receiving one, or a virtual link through its area.
    fn interface_for(
        &mut self,
        env: &mut Env<'_, '_>,
        datagram: &Datagram,
        envelope: &Envelope<'_>,
    ) -> Option<OspfInterfaceKey> {
        let index = datagram.interface?;
        let key = OspfInterfaceKey::Physical(index);
        let interface = self.interfaces.get(&key)?;
        let open = !interface.settings.passive
            && !matches!(interface.state, InterfaceState::Down | InterfaceState::Loopback);
        if !open || env.context.interfaces.get(index)?.has_address(datagram.source) {
            return None;
        }
        let listens_as_designated = matches!(interface.state, InterfaceState::Dr | InterfaceState::Backup);
        if datagram.destination == ALL_D_ROUTERS && !listens_as_designated {
            return None;
        }
        if envelope.area == interface.area {
            if !is_on_network(interface, datagram.source) {
                self.debug(env, key, DebugTopic::OspfAdjacency, |interface| {
                    Some(OspfDebugEvent::NotOnNetwork { source: datagram.source, area: interface.area })
                });
                return None;
            }
            return is_near(interface, datagram.ttl).then_some(key);
        }
        let transit = interface.area;
        let link = OspfInterfaceKey::Virtual { transit, peer: envelope.router_id };
        if envelope.area == AreaId::BACKBONE && !datagram.destination.is_multicast() {
            let up = self.interfaces.get(&link).is_some_and(|link| link.state != InterfaceState::Down);
            if up {
                return Some(link);
            }
        }
        let event = OspfLogEvent::AreaMismatch {
            backbone: envelope.area == AreaId::BACKBONE,
            source: datagram.source,
            interface: interface.name,
        };
        self.debug(env, key, DebugTopic::OspfAdjacency, |interface| {
            let (source, area, received) = (datagram.source, interface.area, envelope.area);
            Some(OspfDebugEvent::AreaMismatch { source, area, received })
        });
        self.complain(env, key, event);
        None
    }

    /// Logs an error of the other side, not more often than once a minute on an interface.
    pub(super) fn complain(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, event: OspfLogEvent) {
        let now = env.now();
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        if interface.complained.is_none_or(|last| now >= last + COMPLAINT_INTERVAL) {
            interface.complained = Some(now);
            env.actions.push(Action::Log(LogEvent::Ospf(event)));
        }
    }
}

/// Section 8.2: on all but point-to-point networks the sender is on the same IP network.
fn is_on_network(interface: &OspfInterface, source: Ipv4Addr) -> bool {
    interface.is_point_to_point() || interface.address.is_some_and(|net| net.contains(&source))
}

/// `ttl-security`: the packet has not passed more routers than allowed.
fn is_near(interface: &OspfInterface, ttl: u8) -> bool {
    interface.settings.ttl_security.is_none_or(|hops| ttl >= u8::MAX - hops)
}
