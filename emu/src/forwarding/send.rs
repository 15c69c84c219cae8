//! Sending packets: those of this router, and the last steps of those it forwards.

use std::net::Ipv4Addr;

use super::fragment::fragment;
use super::policy::{PolicyVerdict, PolicyWay};
use crate::ids::{IfIndex, MacAddress, VrfId};
use crate::interface::{InterfaceName, Medium};
use crate::process::Datagram;
use crate::rib::{ForwardingDecision, TableId, flow_hash};
use crate::router::Router;
use crate::time::Time;
use crate::wire::{EtherType, EthernetHeader, HdlcHeader, Ipv4Header};

/// Whom a frame is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkDestination {
    /// A station; on a serial line, the other end.
    Station(MacAddress),
    /// A group or all.
    Group(MacAddress),
}

impl Router {
    /// Sends a packet made by this router.
    pub(crate) fn send_datagram(&mut self, now: Time, vrf: VrfId, datagram: &Datagram) {
        let destination = datagram.destination;
        if self.is_own_address(vrf, destination) {
            self.send_to_self(now, vrf, datagram);
            return;
        }
        let policy = self.policy_of_own(now, vrf, datagram);
        let egress = match policy.way {
            Some(PolicyWay::Out(interface, next_hop)) => Some((interface, next_hop)),
            Some(PolicyWay::Discard) => None,
            None => self.egress_for(vrf, datagram),
        };
        let Some((interface, next_hop)) = egress else { return };
        let source = match datagram.source {
            Ipv4Addr::UNSPECIFIED => self.interfaces.source_address(interface),
            source => Some(source),
        };
        let Some(source) = source else {
            self.count_drop(interface);
            return;
        };
        let mut header = self.header_of(datagram, source);
        header.tos = policy.tos.unwrap_or(header.tos);
        self.send_packet(now, interface, next_hop, &header, &datagram.payload);
    }

    /// What `ip local policy` says of a packet that is to be routed.
    fn policy_of_own(&mut self, now: Time, vrf: VrfId, datagram: &Datagram) -> PolicyVerdict {
        if datagram.interface.is_some() || self.config.local_policy.is_none() {
            return PolicyVerdict::default();
        }
        let source = match datagram.source {
            Ipv4Addr::UNSPECIFIED => self.source_towards(vrf, datagram.destination),
            source => Some(source),
        };
        let header = self.header_of(datagram, source.unwrap_or(Ipv4Addr::UNSPECIFIED));
        self.local_policy(now, vrf, &header, &datagram.payload)
    }

    fn header_of(&mut self, datagram: &Datagram, source: Ipv4Addr) -> Ipv4Header {
        Ipv4Header {
            source,
            destination: datagram.destination,
            protocol: datagram.protocol,
            ttl: datagram.ttl,
            tos: datagram.tos,
            ident: self.forwarding.next_ident(),
            dont_fragment: datagram.dont_fragment,
            more_fragments: false,
            fragment_offset: 0,
            options: Vec::new(),
        }
    }

    /// Out of which interface a packet of this router goes, and to whom.
    fn egress_for(&self, vrf: VrfId, datagram: &Datagram) -> Option<(IfIndex, Ipv4Addr)> {
        let destination = datagram.destination;
        if let Some(interface) = datagram.interface {
            return Some((interface, destination));
        }
        let flow = flow_hash(datagram.source, destination, self.node.0);
        match self.fib.lookup(TableId::ipv4(vrf), destination, flow) {
            ForwardingDecision::Forward { interface, next_hop } => Some((interface, next_hop)),
            ForwardingDecision::Receive | ForwardingDecision::Discard | ForwardingDecision::NoRoute => None,
        }
    }

    /// The address that a packet to `destination` would carry as its source.
    #[must_use]
    pub fn source_towards(&self, vrf: VrfId, destination: Ipv4Addr) -> Option<Ipv4Addr> {
        if self.is_own_address(vrf, destination) {
            return Some(destination);
        }
        let flow = flow_hash(Ipv4Addr::UNSPECIFIED, destination, self.node.0);
        match self.fib.lookup(TableId::ipv4(vrf), destination, flow) {
            ForwardingDecision::Forward { interface, .. } => self.interfaces.source_address(interface),
            ForwardingDecision::Receive | ForwardingDecision::Discard | ForwardingDecision::NoRoute => None,
        }
    }

    fn send_to_self(&mut self, now: Time, vrf: VrfId, datagram: &Datagram) {
        let Some(interface) = self.interfaces.by_address(vrf, datagram.destination).map(|i| i.index) else {
            return;
        };
        let source = match datagram.source {
            Ipv4Addr::UNSPECIFIED => datagram.destination,
            source => source,
        };
        let header = self.header_of(datagram, source);
        let octets = header.emit(&datagram.payload);
        self.receive_own(now, interface, vrf, &header, &octets, &datagram.payload);
    }

    /// Sends a packet out of an interface, in fragments if it is too large. DF is the caller's concern in transit; a packet of this
    /// router with DF that is too large is dropped.
    pub(super) fn send_packet(
        &mut self,
        now: Time,
        interface: IfIndex,
        next_hop: Ipv4Addr,
        header: &Ipv4Header,
        payload: &[u8],
    ) {
        let Some(egress) = self.interfaces.get(interface).filter(|egress| egress.is_up()) else {
            self.count_drop(interface);
            return;
        };
        let (mtu, medium) = (egress.ip_mtu, egress.medium);
        if header.dont_fragment && header.header_len() + payload.len() > usize::from(mtu) {
            self.count_drop(interface);
            return;
        }
        let group = if next_hop.is_multicast() {
            Some(MacAddress::of_multicast(next_hop))
        } else if next_hop.is_broadcast() || self.is_subnet_broadcast(interface, next_hop) {
            Some(MacAddress::BROADCAST)
        } else {
            None
        };
        for (header, piece) in fragment(header, payload, mtu) {
            let octets = header.emit(piece);
            match (group, medium) {
                (Some(mac), _) => {
                    self.send_on_link(now, interface, LinkDestination::Group(mac), EtherType::IPV4, &octets);
                }
                (None, Medium::Ethernet) => self.send_to_station(now, interface, next_hop, octets),
                (None, _) => {
                    let peer = LinkDestination::Station(MacAddress([0; 6]));
                    self.send_on_link(now, interface, peer, EtherType::IPV4, &octets);
                }
            }
        }
    }

    /// Puts the link header before a packet, and sends the frame.
    pub(super) fn send_on_link(
        &mut self,
        now: Time,
        interface: IfIndex,
        destination: LinkDestination,
        kind: EtherType,
        packet: &[u8],
    ) {
        let Some(egress) = self.interfaces.get(interface).filter(|egress| egress.is_up()) else { return };
        let Some(port) = self.port_of(egress.name) else { return };
        let frame = match (egress.medium, destination) {
            (Medium::Ethernet, LinkDestination::Station(mac) | LinkDestination::Group(mac)) => {
                let tag = self.config.interfaces.get(&egress.name).and_then(|config| config.dot1q);
                let vlan = tag.filter(|tag| !tag.native).map(|tag| tag.vlan);
                EthernetHeader { destination: mac, source: egress.mac, vlan, ether_type: kind }.emit(packet)
            }
            (Medium::Serial, destination) => {
                let broadcast = matches!(destination, LinkDestination::Group(_));
                HdlcHeader { broadcast, protocol: kind }.emit(packet)
            }
            (Medium::Loopback | Medium::Null | Medium::Tunnel, _) => return,
        };
        let octets = u64::try_from(frame.len()).unwrap_or(u64::MAX);
        for index in [Some(interface), Some(port).filter(|&port| port != interface)].into_iter().flatten() {
            if let Some(interface) = self.interfaces.get_mut(index) {
                interface.counters.out_packets += 1;
                interface.counters.out_octets += octets;
                interface.counters.last_output = Some(now);
                interface.counters.out_load.carried(now, octets);
            }
        }
        self.send_frame(port, frame);
    }

    /// The port that an interface's frames go through: itself, or its parent.
    fn port_of(&self, name: InterfaceName) -> Option<IfIndex> {
        self.interfaces.by_name(name.parent().unwrap_or(name)).map(|port| port.index)
    }

    fn count_drop(&mut self, interface: IfIndex) {
        if let Some(interface) = self.interfaces.get_mut(interface) {
            interface.counters.out_drops += 1;
        }
    }
}
