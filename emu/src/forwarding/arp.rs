//! ARP (RFC 826) as IOS does it: entries live four hours and are asked again a minute before, proxy ARP (RFC 1027) is on,
//! an interface that comes up announces its addresses.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::send::LinkDestination;
use crate::ids::{IfIndex, MacAddress};
use crate::interface::{Interface, Medium};
use crate::log::LogEvent;
use crate::rib::{ForwardingDecision, TableId, flow_hash};
use crate::router::Router;
use crate::time::{Time, Timers};
use crate::wire::{ArpOperation, ArpPacket, EtherType};

/// `arp timeout`, unless configured.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(4 * 3600);
/// How long before its end an entry is asked again.
const REFRESH_BEFORE: Duration = Duration::from_secs(60);
/// How long an answer is waited for.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);
/// How many requests are sent for an address without an answer.
const TRIES: u8 = 4;
/// How often the same conflict is logged (IOS).
const CONFLICT_INTERVAL: Duration = Duration::from_secs(60);
/// How many packets wait for one address.
const QUEUE_LENGTH: usize = 8;

type Key = (IfIndex, Ipv4Addr);

/// What is known of an address.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ArpState {
    /// Asked; packets wait.
    Incomplete {
        /// Requests sent.
        tries: u8,
        /// IPv4 packets that wait.
        queue: Vec<Vec<u8>>,
    },
    /// Answered.
    Resolved {
        /// The hardware address.
        mac: MacAddress,
        /// When it was last heard.
        heard: Time,
        /// Being asked again before it ends.
        refreshing: bool,
    },
}

/// An entry of the ARP table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArpEntry<'a> {
    /// On which interface.
    pub interface: IfIndex,
    /// The protocol address.
    pub address: Ipv4Addr,
    /// What is known of it.
    pub state: &'a ArpState,
}

/// The ARP table: what was learned. A router's own addresses, which IOS shows among these, are in its interface table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ArpTable {
    entries: BTreeMap<Key, ArpState>,
    timers: Timers<Key>,
    /// When it was last logged that another station has an address of this router.
    conflicts: BTreeMap<Key, Time>,
}

impl ArpTable {
    /// How many entries there can be.
    pub const CAPACITY: usize = 1 << 16;

    /// The entries, by interface and address.
    pub fn iter(&self) -> impl Iterator<Item = ArpEntry<'_>> {
        self.entries.iter().map(|(&(interface, address), state)| ArpEntry { interface, address, state })
    }

    /// The hardware address of a station.
    #[must_use]
    pub fn lookup(&self, interface: IfIndex, address: Ipv4Addr) -> Option<MacAddress> {
        match self.entries.get(&(interface, address))? {
            ArpState::Resolved { mac, .. } => Some(*mac),
            ArpState::Incomplete { .. } => None,
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Time> {
        self.timers.next_deadline()
    }

    fn remove(&mut self, key: Key) {
        self.entries.remove(&key);
        self.timers.cancel(key);
    }

    fn remove_interface(&mut self, interface: IfIndex) {
        self.entries.retain(|&(on, _), _| on != interface);
        self.timers.cancel_if(|(on, _)| on == interface);
    }

    /// Takes in an answer; returns the packets that waited for it.
    fn resolve(&mut self, key: Key, mac: MacAddress, now: Time, timeout: Duration) -> Vec<Vec<u8>> {
        if self.entries.len() >= Self::CAPACITY && !self.entries.contains_key(&key) {
            return Vec::new();
        }
        self.timers.set(key, now + timeout.saturating_sub(REFRESH_BEFORE));
        match self.entries.insert(key, ArpState::Resolved { mac, heard: now, refreshing: false }) {
            Some(ArpState::Incomplete { queue, .. }) => queue,
            _ => Vec::new(),
        }
    }
}

impl Router {
    /// Sends a packet to a station: at once if its hardware address is known, else after asking for it.
    pub(super) fn send_to_station(
        &mut self,
        now: Time,
        interface: IfIndex,
        station: Ipv4Addr,
        packet: Vec<u8>,
    ) {
        let key = (interface, station);
        let room = self.forwarding.arp.entries.len() < ArpTable::CAPACITY;
        match self.forwarding.arp.entries.get_mut(&key) {
            Some(&mut ArpState::Resolved { mac, .. }) => {
                self.send_on_link(now, interface, LinkDestination::Station(mac), EtherType::IPV4, &packet);
            }
            Some(ArpState::Incomplete { queue, .. }) => {
                if queue.len() == QUEUE_LENGTH {
                    queue.remove(0);
                }
                queue.push(packet);
            }
            None if room => {
                let state = ArpState::Incomplete { tries: 1, queue: vec![packet] };
                self.forwarding.arp.entries.insert(key, state);
                self.forwarding.arp.timers.set(key, now + RETRY_INTERVAL);
                self.request(now, interface, station, MacAddress::BROADCAST);
            }
            None => {}
        }
    }

    fn request(&mut self, now: Time, interface: IfIndex, target: Ipv4Addr, to: MacAddress) {
        let Some(sender) = self.address_towards(interface, target) else { return };
        self.send_arp(now, interface, to, ArpOperation::Request, sender, (target, MacAddress([0; 6])));
    }

    /// Asks everybody on the link for an address, with nothing that waits for the answer.
    pub(super) fn ask_all(&mut self, now: Time, interface: IfIndex, target: Ipv4Addr) {
        self.request(now, interface, target, MacAddress::BROADCAST);
    }

    /// The own address to use on an interface towards `target`: that of the same subnet, else the primary or borrowed one.
    fn address_towards(&self, interface: IfIndex, target: Ipv4Addr) -> Option<Ipv4Addr> {
        let of_subnet = self.interfaces.get(interface)?.addresses().find(|net| net.contains(&target));
        of_subnet.map(|net| net.addr()).or_else(|| self.interfaces.source_address(interface))
    }

    fn send_arp(
        &mut self,
        now: Time,
        interface: IfIndex,
        to: MacAddress,
        operation: ArpOperation,
        sender: Ipv4Addr,
        (target, target_mac): (Ipv4Addr, MacAddress),
    ) {
        let Some(sender_mac) = self.interfaces.get(interface).map(|i| i.mac) else { return };
        let packet = ArpPacket { operation, sender_mac, sender, target_mac, target };
        self.send_on_link(now, interface, LinkDestination::Station(to), EtherType::ARP, &packet.emit());
    }

    /// An ARP packet has come in.
    pub(super) fn receive_arp(&mut self, now: Time, interface: IfIndex, packet: &ArpPacket) {
        let Some(ingress) = self.interfaces.get(interface) else { return };
        let sender_is_station = !packet.sender.is_unspecified() && !self.is_own(ingress, packet.sender);
        let for_us = self.is_own(ingress, packet.target);
        let on_subnet = ingress.is_connected_to(packet.sender) || ingress.unnumbered.is_some();
        let mac = ingress.mac;
        if self.is_own(ingress, packet.sender) && packet.sender_mac != mac {
            self.log_conflict(now, interface, packet);
        }
        // RFC 826: an entry that exists is updated by any packet, a new one is made if the packet is for us.
        let key = (interface, packet.sender);
        let known = self.forwarding.arp.entries.contains_key(&key);
        if sender_is_station && !packet.sender_mac.is_group() && (known || (for_us && on_subnet)) {
            let timeout = self.arp_timeout(interface);
            for waiting in self.forwarding.arp.resolve(key, packet.sender_mac, now, timeout) {
                let station = LinkDestination::Station(packet.sender_mac);
                self.send_on_link(now, interface, station, EtherType::IPV4, &waiting);
            }
        }
        let asks = packet.operation == ArpOperation::Request && packet.sender_mac != mac;
        if asks && (for_us || self.answers_for(interface, packet)) {
            let asker = (packet.sender, packet.sender_mac);
            self.send_arp(now, interface, packet.sender_mac, ArpOperation::Reply, packet.target, asker);
        }
    }

    /// Another station says that it has an address of this router: the router insists on it, not more often than it logs this (RFC 5227
    /// section 2.4 b).
    fn log_conflict(&mut self, now: Time, interface: IfIndex, packet: &ArpPacket) {
        let Some(name) = self.interfaces.get(interface).map(|ingress| ingress.name) else { return };
        let key = (interface, packet.sender);
        let last = self.forwarding.arp.conflicts.get(&key);
        if last.is_some_and(|&last| now < last + CONFLICT_INTERVAL) {
            return;
        }
        // Only own addresses of interfaces stand here, and those of before are of no use.
        self.forwarding.arp.conflicts.retain(|_, last| now < *last + CONFLICT_INTERVAL);
        self.forwarding.arp.conflicts.insert(key, now);
        let (address, station) = (packet.sender, packet.sender_mac);
        self.write_log(now, LogEvent::DuplicateAddress { address, interface: name, station });
        self.announce(now, interface, address);
    }

    fn is_own(&self, interface: &Interface, address: Ipv4Addr) -> bool {
        interface.has_address(address) || self.interfaces.source_address(interface.index) == Some(address)
    }

    /// Proxy ARP: whether the target is reached through another interface than the one where it is asked for.
    fn answers_for(&self, interface: IfIndex, packet: &ArpPacket) -> bool {
        let Some(ingress) = self.interfaces.get(interface) else { return false };
        let disabled = self.config.interfaces.get(&ingress.name).is_some_and(|c| c.no_proxy_arp);
        if disabled || packet.sender == packet.target || ingress.is_connected_to(packet.target) {
            return false;
        }
        let flow = flow_hash(packet.sender, packet.target, self.node.0);
        match self.fib.lookup(TableId::ipv4(ingress.vrf), packet.target, flow) {
            ForwardingDecision::Forward { interface: egress, .. } => egress != interface,
            ForwardingDecision::Receive => true,
            ForwardingDecision::Discard | ForwardingDecision::NoRoute => false,
        }
    }

    fn arp_timeout(&self, interface: IfIndex) -> Duration {
        let configured = self.interfaces.get(interface).and_then(|i| self.config.interfaces.get(&i.name));
        configured
            .and_then(|config| config.arp_timeout_s)
            .map_or(DEFAULT_TIMEOUT, |seconds| Duration::from_secs(seconds.into()))
    }

    /// An interface went down, and its entries with it, or came up, and announces its addresses.
    pub(crate) fn arp_interface_changed(&mut self, now: Time, interface: IfIndex, up: bool) {
        if !up {
            self.forwarding.arp.remove_interface(interface);
            return;
        }
        let Some(changed) = self.interfaces.get(interface).filter(|i| i.medium == Medium::Ethernet) else {
            return;
        };
        let own: Vec<Ipv4Addr> = changed.addresses().map(|net| net.addr()).collect();
        own.into_iter().for_each(|address| self.announce(now, interface, address));
    }

    /// Tells all stations who has an own address (gratuitous ARP).
    fn announce(&mut self, now: Time, interface: IfIndex, address: Ipv4Addr) {
        let all = (address, MacAddress::BROADCAST);
        self.send_arp(now, interface, MacAddress::BROADCAST, ArpOperation::Reply, address, all);
    }

    /// Asks again, refreshes and forgets entries.
    pub(crate) fn run_arp_timers(&mut self, now: Time) {
        while let Some(key) = self.forwarding.arp.timers.pop_expired(now) {
            let (interface, address) = key;
            let ask = match self.forwarding.arp.entries.get_mut(&key) {
                Some(ArpState::Incomplete { tries, .. }) if *tries < TRIES => {
                    *tries += 1;
                    Some((MacAddress::BROADCAST, RETRY_INTERVAL))
                }
                Some(ArpState::Resolved { mac, refreshing: refreshing @ false, .. }) => {
                    *refreshing = true;
                    Some((*mac, REFRESH_BEFORE))
                }
                _ => None,
            };
            match ask {
                Some((to, wait)) => {
                    self.forwarding.arp.timers.set(key, now + wait);
                    self.request(now, interface, address, to);
                }
                None => self.forwarding.arp.remove(key),
            }
        }
    }

    /// `clear arp-cache`: what was learned is forgotten; the next packet asks again.
    pub fn clear_arp(&mut self) {
        self.forwarding.arp = ArpTable::default();
    }
}
