//! Receiving: frames to packets, packets to this router or onward.

use std::net::Ipv4Addr;

use super::error::PacketError;
use super::filter::Direction;
use super::policy::PolicyWay;
use crate::ids::{IfIndex, MacAddress, VrfId};
use crate::interface::Medium;
use crate::process::{Datagram, IpProtocol};
use crate::rib::{ForwardingDecision, TableId, flow_hash};
use crate::router::Router;
use crate::tcp;
use crate::time::Time;
use crate::wire::{
    ArpPacket, EtherType, EthernetHeader, HdlcHeader, IcmpMessage, Ipv4Header, UnreachableCode,
};

/// TTL of what this router says of itself.
const TTL: u8 = 255;

/// A packet as it came in.
pub(super) struct Received<'a> {
    /// By which interface.
    pub interface: IfIndex,
    /// Whose table it is looked up in.
    pub vrf: VrfId,
    /// Whether the frame was for a group or all.
    pub link_broadcast: bool,
    /// The hardware address of who sent it on this link, if the medium has any.
    pub sender: Option<MacAddress>,
    /// Its header.
    pub header: &'a Ipv4Header,
    /// The whole packet.
    pub octets: &'a [u8],
    /// What follows the header.
    pub payload: &'a [u8],
}

/// What the link header says besides the kind of its payload.
#[derive(Clone, Copy)]
struct LinkInfo {
    /// For a group or all.
    broadcast: bool,
    /// Whose frame it is.
    sender: Option<MacAddress>,
}

impl Router {
    /// A frame has come in by a port.
    pub(crate) fn receive_frame(&mut self, now: Time, port: IfIndex, frame: &[u8]) {
        let Some(interface) = self.interfaces.get(port).filter(|port| port.is_up()) else { return };
        match interface.medium {
            Medium::Ethernet => self.receive_ethernet(now, port, frame),
            Medium::Serial => match HdlcHeader::parse(frame) {
                Ok((header, packet)) => {
                    self.count_received(now, port, frame.len(), header.broadcast);
                    let link = LinkInfo { broadcast: header.broadcast, sender: None };
                    self.receive_payload(now, port, header.protocol, link, packet);
                }
                Err(_) => self.count_error(port),
            },
            Medium::Loopback | Medium::Null | Medium::Tunnel => {}
        }
        self.tell_processes(now);
    }

    fn receive_ethernet(&mut self, now: Time, port: IfIndex, frame: &[u8]) {
        let Ok((header, packet)) = EthernetHeader::parse(frame) else {
            self.count_error(port);
            return;
        };
        let group = header.destination.is_group();
        if !group && self.interfaces.get(port).is_none_or(|port| port.mac != header.destination) {
            return;
        }
        self.count_received(now, port, frame.len(), group);
        let Some(interface) = self.interface_of_vlan(port, header.vlan) else { return };
        if interface != port {
            self.count_received(now, interface, frame.len(), group);
        }
        let link = LinkInfo { broadcast: group, sender: Some(header.source) };
        self.receive_payload(now, interface, header.ether_type, link, packet);
    }

    /// The interface that a frame with this tag belongs to: a subinterface, or without a tag the native one or the port itself.
    fn interface_of_vlan(&self, port: IfIndex, vlan: Option<u16>) -> Option<IfIndex> {
        let name = self.interfaces.get(port)?.name;
        let tagged =
            self.interfaces.iter().filter(|i| i.name.parent() == Some(name) && i.is_up()).find(|i| {
                let tag = self.config.interfaces.get(&i.name).and_then(|config| config.dot1q);
                tag.is_some_and(|tag| vlan.map_or(tag.native, |vlan| vlan == tag.vlan))
            });
        match (tagged, vlan) {
            (Some(subinterface), _) => Some(subinterface.index),
            (None, None) => Some(port),
            (None, Some(_)) => None,
        }
    }

    fn receive_payload(
        &mut self,
        now: Time,
        interface: IfIndex,
        kind: EtherType,
        link: LinkInfo,
        packet: &[u8],
    ) {
        match kind {
            EtherType::IPV4 => self.receive_ipv4(now, interface, link, packet),
            EtherType::ARP => match ArpPacket::parse(packet) {
                Ok(packet) => self.receive_arp(now, interface, &packet),
                Err(_) => self.count_error(interface),
            },
            _ => {}
        }
    }

    fn receive_ipv4(&mut self, now: Time, interface: IfIndex, link: LinkInfo, octets: &[u8]) {
        let (header, payload) = match Ipv4Header::parse(octets) {
            Ok(parsed) => parsed,
            Err(_) => return self.count_error(interface),
        };
        let Some(ingress) = self.interfaces.get(interface) else { return };
        let (vrf, source) = (ingress.vrf, header.source);
        // RFC 1812 section 5.3.7: addresses that cannot be a source. An interface without IP takes no packets.
        let no_source = source.is_multicast() || source.is_broadcast() || source.is_loopback();
        if no_source || self.interfaces.source_address(interface).is_none() {
            return self.count_error(interface);
        }
        let octets = octets.get(..header.header_len() + payload.len()).unwrap_or(octets);
        let LinkInfo { broadcast: link_broadcast, sender } = link;
        let packet = Received { interface, vrf, link_broadcast, sender, header: &header, octets, payload };
        if !self.filter_permits(now, interface, Direction::In, &packet) {
            return self.send_error(now, &packet, PacketError::Unreachable(UnreachableCode::PROHIBITED));
        }
        let to = header.destination;
        let for_all = to.is_multicast() || to.is_broadcast() || self.is_subnet_broadcast(interface, to);
        if for_all || self.is_own_address(vrf, to) {
            self.receive_local(now, &packet);
        } else if !link_broadcast && self.config.ip_routing {
            self.forward(now, &packet);
        }
    }

    /// RFC 1812 section 5.2: sends a packet onward.
    fn forward(&mut self, now: Time, packet: &Received<'_>) {
        let to = packet.header.destination;
        if packet.header.ttl <= 1 {
            return self.send_error(now, packet, PacketError::TimeExceeded);
        }
        let policy = self.interface_policy(now, packet.interface, packet.header, packet.payload);
        let header = Ipv4Header { tos: policy.tos.unwrap_or(packet.header.tos), ..packet.header.clone() };
        let packet = &Received { header: &header, ..*packet };
        match policy.way {
            Some(PolicyWay::Out(interface, next_hop)) => {
                return self.forward_out(now, packet, interface, next_hop);
            }
            Some(PolicyWay::Discard) => return,
            None => {}
        }
        let flow = flow_hash(packet.header.source, to, self.node.0);
        match self.fib.lookup(TableId::ipv4(packet.vrf), to, flow) {
            ForwardingDecision::Receive => self.receive_local(now, packet),
            ForwardingDecision::Forward { interface, next_hop } => {
                self.forward_out(now, packet, interface, next_hop);
            }
            ForwardingDecision::Discard if matches!(to.octets(), [0 | 127 | 240..=255, ..]) => {}
            ForwardingDecision::Discard | ForwardingDecision::NoRoute => {
                self.send_error(now, packet, PacketError::Unreachable(UnreachableCode::HOST));
            }
        }
    }

    fn forward_out(&mut self, now: Time, packet: &Received<'_>, interface: IfIndex, next_hop: Ipv4Addr) {
        let Some(egress) = self.interfaces.get(interface) else { return };
        let mtu = egress.ip_mtu;
        // IOS drops directed broadcasts (`no ip directed-broadcast`).
        if self.is_subnet_broadcast(interface, packet.header.destination) {
            return;
        }
        if !self.filter_permits(now, interface, Direction::Out, packet) {
            return self.send_error(now, packet, PacketError::Unreachable(UnreachableCode::PROHIBITED));
        }
        if packet.header.dont_fragment && packet.octets.len() > usize::from(mtu) {
            return self.send_error(now, packet, PacketError::FragmentationNeeded(mtu));
        }
        let header = Ipv4Header { ttl: packet.header.ttl - 1, ..packet.header.clone() };
        self.send_packet(now, interface, next_hop, &header, packet.payload);
    }

    /// A packet that this router sends to itself.
    pub(super) fn receive_own(
        &mut self,
        now: Time,
        interface: IfIndex,
        vrf: VrfId,
        header: &Ipv4Header,
        octets: &[u8],
        payload: &[u8],
    ) {
        let packet =
            Received { interface, vrf, link_broadcast: false, sender: None, header, octets, payload };
        self.receive_local(now, &packet);
    }

    /// A packet for this router.
    fn receive_local(&mut self, now: Time, packet: &Received<'_>) {
        if !packet.header.is_fragment() {
            return self.receive_whole(now, packet);
        }
        if let Some(payload) = self.forwarding.reassembly.add(packet.header, packet.payload, now) {
            let header = Ipv4Header { more_fragments: false, fragment_offset: 0, ..packet.header.clone() };
            let octets = header.emit(&payload);
            self.receive_whole(
                now,
                &Received { header: &header, octets: &octets, payload: &payload, ..*packet },
            );
        }
    }

    fn receive_whole(&mut self, now: Time, packet: &Received<'_>) {
        let header = packet.header;
        if header.protocol == IpProtocol::ICMP {
            return self.receive_icmp(now, packet);
        }
        let datagram = Datagram {
            interface: Some(packet.interface),
            source: header.source,
            destination: header.destination,
            protocol: header.protocol,
            ttl: header.ttl,
            tos: header.tos,
            dont_fragment: header.dont_fragment,
            payload: packet.payload.into(),
        };
        if header.protocol == IpProtocol::TCP {
            self.tcp_probe_answered(now, &datagram);
            if self.terminals_receive(now, packet.vrf, &datagram) {
                return;
            }
        }
        if self.deliver_to_processes(now, packet.vrf, &datagram) {
            return;
        }
        match header.protocol {
            IpProtocol::UDP => self.send_error(now, packet, PacketError::Unreachable(UnreachableCode::PORT)),
            IpProtocol::TCP => {
                if let Some(reset) = tcp::refuse(&datagram) {
                    self.send_datagram(now, packet.vrf, &reset);
                }
            }
            _ => self.send_error(now, packet, PacketError::Unreachable(UnreachableCode::PROTOCOL)),
        }
    }

    fn receive_icmp(&mut self, now: Time, packet: &Received<'_>) {
        let Ok(message) = IcmpMessage::parse(packet.payload) else {
            return self.count_error(packet.interface);
        };
        match message {
            IcmpMessage::EchoRequest { ident, sequence, data } => {
                self.answer_echo(now, packet, &IcmpMessage::EchoReply { ident, sequence, data });
            }
            message => {
                self.sla_answered(now, packet.header.source, &message);
                self.operation_answered(now, packet.header.source, &message);
            }
        }
    }

    /// RFC 1812 section 4.3.3.6: the reply comes from the address that was asked; a group is answered from the interface.
    fn answer_echo(&mut self, now: Time, packet: &Received<'_>, reply: &IcmpMessage) {
        let asked = packet.header.destination;
        let own = self.is_own_address(packet.vrf, asked);
        let source = if own { Some(asked) } else { self.interfaces.source_address(packet.interface) };
        let Some(source) = source else { return };
        let datagram = Datagram {
            interface: None,
            source,
            destination: packet.header.source,
            protocol: IpProtocol::ICMP,
            ttl: TTL,
            tos: packet.header.tos,
            dont_fragment: packet.header.dont_fragment,
            payload: reply.emit().into(),
        };
        self.send_datagram(now, packet.vrf, &datagram);
    }

    /// Whether an address is this router's own in a VRF, on an interface that is up.
    pub(super) fn is_own_address(&self, vrf: VrfId, address: Ipv4Addr) -> bool {
        self.interfaces.iter().any(|i| i.vrf == vrf && i.is_up() && i.has_address(address))
    }

    /// Whether an address is the broadcast address of a subnet of the interface.
    pub(super) fn is_subnet_broadcast(&self, interface: IfIndex, address: Ipv4Addr) -> bool {
        self.interfaces
            .get(interface)
            .is_some_and(|i| i.addresses().any(|net| net.prefix_len() < 31 && net.broadcast() == address))
    }

    fn count_received(&mut self, now: Time, interface: IfIndex, octets: usize, group: bool) {
        if let Some(interface) = self.interfaces.get_mut(interface) {
            interface.counters.in_packets += 1;
            interface.counters.in_octets += u64::try_from(octets).unwrap_or(u64::MAX);
            interface.counters.in_multicasts += u64::from(group);
            interface.counters.last_input = Some(now);
            interface.counters.in_load.carried(now, u64::try_from(octets).unwrap_or(u64::MAX));
        }
    }

    fn count_error(&mut self, interface: IfIndex) {
        if let Some(interface) = self.interfaces.get_mut(interface) {
            interface.counters.in_errors += 1;
        }
    }
}
