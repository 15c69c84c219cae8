//! Sending packets (RFC 2328 section 8.1) and the keys they are signed with (appendix D, RFC 5709).

use std::net::Ipv4Addr;

use super::interface::{InterfaceKeys, InterfaceState, OspfInterface, OspfInterfaceKey};
use super::neighbor::{Neighbor, NeighborKey, NeighborState};
use super::packet::{Digest, Keys, Packet, PacketBody, PacketKey};
use super::process::{Env, OspfProcess};
use crate::config::{CryptographicAlgorithm, Key, Lifetime, RouterConfig};
use crate::ids::IfIndex;
use crate::process::{Action, Datagram, IpProtocol};
use crate::time::Time;

/// AllSPFRouters.
pub const ALL_SPF_ROUTERS: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 5);

/// AllDRouters.
pub const ALL_D_ROUTERS: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 6);

/// The extended options of IOS: LR, the router can resynchronise its database in place (RFC 4811).
pub(super) const LLS_OPTIONS: u32 = 1;

/// TTL with `ttl-security`, and of packets on virtual links.
const MAX_TTL: u8 = 255;

/// To whom a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// AllSPFRouters.
    AllSpfRouters,
    /// What is flooded: AllDRouters from routers that are neither DR nor backup, else AllSPFRouters.
    Flooding,
    /// One neighbor; on a point-to-point network AllSPFRouters all the same.
    Neighbor(NeighborKey),
    /// An address.
    Address(Ipv4Addr),
}

impl OspfProcess {
    /// Sends a packet on an interface, once for each key in use.
    pub(super) fn send(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        destination: Destination,
        body: PacketBody,
    ) {
        let Some(router_id) = self.router_id else { return };
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        if interface.settings.passive || interface.state == InterfaceState::Down {
            return;
        }
        let Some(address) = address_of(interface, destination) else { return };
        let packet = Packet { router_id, area: interface.area, body, lls: Some(LLS_OPTIONS) };
        for signing in signing_keys(interface, env.context.config, env.context.now) {
            interface.cryptographic_sequence =
                next_sequence(interface.cryptographic_sequence, env.context.now);
            let payload = packet.emit(&signing, interface.cryptographic_sequence);
            let datagram = match key {
                OspfInterfaceKey::Physical(index) => on_link(index, address, payload, interface),
                OspfInterfaceKey::Virtual { .. } => over_transit_area(address, payload, interface),
            };
            env.actions.push(Action::Send(datagram));
        }
    }
}

/// The sequence number is the time, so that it grows over restarts, and never goes back (appendix D.3).
fn next_sequence(last: u32, now: Time) -> u32 {
    u32::try_from(now.unix_secs()).unwrap_or(u32::MAX).max(last)
}

fn on_link(index: IfIndex, address: Ipv4Addr, payload: Vec<u8>, interface: &OspfInterface) -> Datagram {
    let datagram = Datagram::on_link(index, address, IpProtocol::OSPF, payload);
    let ttl = if interface.settings.ttl_security.is_some() { MAX_TTL } else { datagram.ttl };
    Datagram { ttl, ..datagram }
}

fn over_transit_area(address: Ipv4Addr, payload: Vec<u8>, interface: &OspfInterface) -> Datagram {
    Datagram {
        interface: None,
        source: interface.source,
        destination: address,
        protocol: IpProtocol::OSPF,
        ttl: MAX_TTL,
        tos: Datagram::TOS_INTERNETWORK_CONTROL,
        dont_fragment: false,
        payload: payload.into(),
    }
}

pub(super) fn address_of(interface: &OspfInterface, destination: Destination) -> Option<Ipv4Addr> {
    match destination {
        Destination::AllSpfRouters => Some(ALL_SPF_ROUTERS),
        Destination::Address(address) => Some(address),
        Destination::Flooding => {
            let designated = matches!(interface.state, InterfaceState::Dr | InterfaceState::Backup);
            let to_designated = interface.elects() && !designated;
            Some(if to_designated { ALL_D_ROUTERS } else { ALL_SPF_ROUTERS })
        }
        Destination::Neighbor(_) if interface.is_point_to_point() => Some(ALL_SPF_ROUTERS),
        Destination::Neighbor(neighbor) => interface.neighbors.get(&neighbor).map(|data| data.address),
    }
}

/// The keys to sign with. IOS signs with the youngest key, and as long as a neighbor uses an older one also with the older ones (key
/// rollover).
fn signing_keys(interface: &OspfInterface, config: &RouterConfig, now: Time) -> Vec<PacketKey> {
    match &interface.settings.keys {
        InterfaceKeys::Null => vec![PacketKey::Null],
        InterfaceKeys::Simple(password) => vec![PacketKey::Simple(*password)],
        InterfaceKeys::MessageDigest(keys) => {
            let all = || keys.iter().rev().map(|(&id, secret)| PacketKey::Cryptographic(md5_key(id, secret)));
            if rolls_over(interface) { all().collect() } else { all().take(1).collect() }
        }
        InterfaceKeys::KeyChain(chain) => {
            let valid = chain_keys(config, chain, now, |key| key.send_lifetime);
            valid.into_iter().next_back().map(PacketKey::Cryptographic).into_iter().collect()
        }
    }
}

/// Whether a neighbor uses another key than the youngest (`Rollover in progress` of `show ip ospf interface`).
#[must_use]
pub fn rolls_over(interface: &OspfInterface) -> bool {
    let InterfaceKeys::MessageDigest(keys) = &interface.settings.keys else { return false };
    let youngest = keys.keys().next_back();
    let uses_older =
        |neighbor: &Neighbor| neighbor.state >= NeighborState::Init && neighbor.key_id.as_ref() != youngest;
    keys.len() > 1 && interface.neighbors.values().any(uses_older)
}

/// The keys that packets received on an interface may be signed with.
pub(super) fn accepted_keys(interface: &OspfInterface, config: &RouterConfig, now: Time) -> Keys {
    match &interface.settings.keys {
        InterfaceKeys::Null => Keys::Null,
        InterfaceKeys::Simple(password) => Keys::Simple(*password),
        InterfaceKeys::MessageDigest(keys) => {
            Keys::Cryptographic(keys.iter().map(|(&id, secret)| md5_key(id, secret)).collect())
        }
        InterfaceKeys::KeyChain(chain) => {
            Keys::Cryptographic(chain_keys(config, chain, now, |key| key.accept_lifetime))
        }
    }
}

fn md5_key(key_id: u8, secret: &str) -> Digest {
    Digest { key_id, algorithm: CryptographicAlgorithm::Md5, secret: secret.as_bytes().to_vec() }
}

/// The keys of a key chain that are valid now and complete, by number.
fn chain_keys(
    config: &RouterConfig,
    chain: &str,
    now: Time,
    lifetime: fn(&Key) -> Option<Lifetime>,
) -> Vec<Digest> {
    config
        .valid_keys(chain, now, lifetime)
        .filter_map(|(id, key)| {
            Some(Digest {
                key_id: u8::try_from(id).ok()?,
                algorithm: key.algorithm?,
                secret: key.key_string.clone()?.into_bytes(),
            })
        })
        .collect()
}
