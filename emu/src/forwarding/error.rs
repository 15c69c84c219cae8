//! ICMP errors (RFC 1812 section 4.3.2): about which packets they may be sent, and how often.

use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::receive::Received;
use crate::process::{Datagram, IpProtocol};
use crate::router::Router;
use crate::time::Time;
use crate::wire::{IcmpMessage, UnreachableCode};

/// IOS sends one unreachable in 500 ms (`ip icmp rate-limit unreachable`), and as often one that tells an MTU.
const INTERVAL: Duration = Duration::from_millis(500);

/// Octets of the packet's payload that an error quotes.
const QUOTED_PAYLOAD: usize = 8;

/// TTL of what this router says of itself.
const TTL: u8 = 255;

/// When unreachables were last sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ErrorLimit {
    unreachable: Option<Time>,
    fragmentation_needed: Option<Time>,
}

/// What is wrong with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PacketError {
    Unreachable(UnreachableCode),
    /// Fragmentation needed and DF set; the MTU of the next hop.
    FragmentationNeeded(u16),
    TimeExceeded,
}

impl ErrorLimit {
    fn permits(&mut self, error: PacketError, now: Time) -> bool {
        let last = match error {
            PacketError::Unreachable(_) => &mut self.unreachable,
            PacketError::FragmentationNeeded(_) => &mut self.fragmentation_needed,
            PacketError::TimeExceeded => return true,
        };
        let permitted = last.is_none_or(|at| now.since(at) >= INTERVAL);
        if permitted {
            *last = Some(now);
        }
        permitted
    }
}

impl Router {
    /// Tells the sender of a packet what is wrong with it, if that is allowed.
    pub(super) fn send_error(&mut self, now: Time, packet: &Received<'_>, error: PacketError) {
        if !self.deserves_error(packet) {
            return;
        }
        let unreachables_off = self
            .interfaces
            .get(packet.interface)
            .and_then(|interface| self.config.interfaces.get(&interface.name))
            .is_some_and(|config| config.no_unreachables);
        let silent = unreachables_off && error != PacketError::TimeExceeded;
        if silent || !self.forwarding.errors.permits(error, now) {
            return;
        }
        let quoted = (packet.header.header_len() + QUOTED_PAYLOAD).min(packet.octets.len());
        let original = packet.octets.get(..quoted).unwrap_or_default().to_vec();
        let message = match error {
            PacketError::Unreachable(code) => IcmpMessage::Unreachable { code, mtu: 0, original },
            PacketError::FragmentationNeeded(mtu) => {
                IcmpMessage::Unreachable { code: UnreachableCode::FRAGMENTATION_NEEDED, mtu, original }
            }
            PacketError::TimeExceeded => IcmpMessage::TimeExceeded { code: 0, original },
        };
        let source = self.interfaces.source_address(packet.interface).unwrap_or(Ipv4Addr::UNSPECIFIED);
        let answer = Datagram {
            interface: None,
            source,
            destination: packet.header.source,
            protocol: IpProtocol::ICMP,
            ttl: TTL,
            tos: Datagram::TOS_INTERNETWORK_CONTROL,
            dont_fragment: false,
            payload: message.emit().into(),
        };
        self.send_datagram(now, packet.vrf, &answer);
    }

    /// RFC 1812 section 4.3.2.7: no error about an ICMP error, a packet to or from many, a later fragment.
    fn deserves_error(&self, packet: &Received<'_>) -> bool {
        let header = &packet.header;
        let is_one_host = |address: Ipv4Addr| {
            !address.is_unspecified()
                && !address.is_multicast()
                && !address.is_broadcast()
                && !address.is_loopback()
        };
        let is_error = header.protocol == IpProtocol::ICMP
            && IcmpMessage::parse(packet.payload).map_or(true, |message| message.is_error());
        is_one_host(header.source)
            && is_one_host(header.destination)
            && !packet.link_broadcast
            && !self.is_subnet_broadcast(packet.interface, header.destination)
            && header.fragment_offset == 0
            && !is_error
    }
}
