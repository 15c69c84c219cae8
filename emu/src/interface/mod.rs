//! Interfaces as the router runs them: names, state, addresses, counters.
//!
//! [`Interface`] is what protocols read. Its configuration is [`crate::config::InterfaceConfig`]; the router derives
//! the one from the other, from the hardware and from the links.

mod load;
mod name;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use load::{Load, Rate};
pub use name::{BadInterfaceName, InterfaceKind, InterfaceName};

use crate::ids::{IfIndex, MacAddress, VrfId};
use crate::time::Time;

/// How frames travel on an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Medium {
    /// Ethernet II, multi-access, ARP.
    Ethernet,
    /// Cisco HDLC on a point-to-point line.
    Serial,
    /// No frames: a host inside the router.
    Loopback,
    /// No frames: everything is discarded.
    Null,
    /// IP in IP; point-to-point or multipoint.
    Tunnel,
}

/// Packet and octet counters (RFC 2863).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Frames received.
    pub in_packets: u64,
    /// Octets received, link header included.
    pub in_octets: u64,
    /// Frames received for all or a group.
    pub in_multicasts: u64,
    /// Frames discarded as malformed or not ours.
    pub in_errors: u64,
    /// Frames sent.
    pub out_packets: u64,
    /// Octets sent, link header included.
    pub out_octets: u64,
    /// Packets discarded for want of a link or an address.
    pub out_drops: u64,
    /// When the last frame came in.
    pub last_input: Option<Time>,
    /// When the last frame was sent.
    pub last_output: Option<Time>,
    /// What comes in on average.
    pub in_load: Load,
    /// What is sent on average.
    pub out_load: Load,
    /// When an operator last cleared the counters.
    pub cleared: Option<Time>,
}

/// One interface of a router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    /// Number, unique in the router.
    pub index: IfIndex,
    /// Name.
    pub name: InterfaceName,
    /// The VRF whose tables packets from here are looked up in.
    pub vrf: VrfId,
    /// How frames travel.
    pub medium: Medium,
    /// Hardware address; all zero where there is none.
    pub mac: MacAddress,
    /// `no shutdown`.
    pub admin_up: bool,
    /// The line has a signal (`GigabitEthernet0/1 is up`).
    pub carrier: bool,
    /// The link layer works end to end (`line protocol is up`): only then do packets pass.
    pub line_protocol: bool,
    /// Primary address with its prefix length (host bits kept).
    pub address: Option<Ipv4Net>,
    /// Secondary addresses.
    pub secondary: Vec<Ipv4Net>,
    /// `ip unnumbered`: the interface whose address is borrowed.
    pub unnumbered: Option<IfIndex>,
    /// Largest payload of a frame, in octets.
    pub mtu: u16,
    /// Largest IPv4 packet, in octets.
    pub ip_mtu: u16,
    /// `bandwidth`, in kbit/s: for metrics, not for the link's speed.
    pub bandwidth_kbps: u32,
    /// `delay`, in tens of microseconds: for metrics.
    pub delay_tens_us: u32,
    /// Traffic.
    pub counters: Counters,
    /// When the line protocol last changed.
    pub last_change: Time,
}

impl Interface {
    /// Whether packets pass: administratively up, with carrier and line protocol.
    #[must_use]
    pub const fn is_up(&self) -> bool {
        self.admin_up && self.carrier && self.line_protocol
    }

    /// Whether at most one other router can be on the link.
    #[must_use]
    pub const fn is_point_to_point(&self) -> bool {
        matches!(self.medium, Medium::Serial | Medium::Tunnel)
    }

    /// The primary address followed by the secondary ones.
    pub fn addresses(&self) -> impl Iterator<Item = Ipv4Net> + '_ {
        self.address.into_iter().chain(self.secondary.iter().copied())
    }

    /// Whether `address` is one of this interface's own.
    #[must_use]
    pub fn has_address(&self, address: Ipv4Addr) -> bool {
        self.addresses().any(|net| net.addr() == address)
    }

    /// Whether `address` lies in a subnet of this interface.
    #[must_use]
    pub fn is_connected_to(&self, address: Ipv4Addr) -> bool {
        self.addresses().any(|net| net.contains(&address))
    }
}

/// All interfaces of a router, in the order of their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct InterfaceTable {
    by_index: BTreeMap<IfIndex, Interface>,
    vrfs: BTreeMap<String, VrfId>,
}

impl InterfaceTable {
    /// The number of a VRF by its configured name; no name is the global table. `None` if there is no such VRF.
    #[must_use]
    pub fn vrf_id(&self, name: Option<&str>) -> Option<VrfId> {
        name.map_or(Some(VrfId::GLOBAL), |name| self.vrfs.get(name).copied())
    }

    /// The VRFs besides the global table, by name.
    pub fn vrfs(&self) -> impl Iterator<Item = (&str, VrfId)> {
        self.vrfs.iter().map(|(name, &id)| (name.as_str(), id))
    }

    /// Gives a VRF its number.
    pub fn insert_vrf(&mut self, name: &str, id: VrfId) {
        self.vrfs.insert(name.to_owned(), id);
    }

    /// Forgets a VRF.
    pub fn remove_vrf(&mut self, name: &str) {
        self.vrfs.remove(name);
    }

    /// The interface with this number.
    #[must_use]
    pub fn get(&self, index: IfIndex) -> Option<&Interface> {
        self.by_index.get(&index)
    }

    /// The interface with this number, to change it.
    pub fn get_mut(&mut self, index: IfIndex) -> Option<&mut Interface> {
        self.by_index.get_mut(&index)
    }

    /// The interface with this name.
    #[must_use]
    pub fn by_name(&self, name: InterfaceName) -> Option<&Interface> {
        self.by_index.values().find(|i| i.name == name)
    }

    /// The interface that has `address` in `vrf` as its own.
    #[must_use]
    pub fn by_address(&self, vrf: VrfId, address: Ipv4Addr) -> Option<&Interface> {
        self.by_index.values().find(|i| i.vrf == vrf && i.has_address(address))
    }

    /// All interfaces, in the order of their numbers.
    pub fn iter(&self) -> impl Iterator<Item = &Interface> {
        self.by_index.values()
    }

    /// The address that packets sent from `index` carry as their source: its own, or the one it borrows.
    #[must_use]
    pub fn source_address(&self, index: IfIndex) -> Option<Ipv4Addr> {
        let interface = self.get(index)?;
        let owner = match interface.unnumbered {
            Some(lender) => self.get(lender)?,
            None => interface,
        };
        owner.address.map(|net| net.addr())
    }

    /// Adds an interface, or replaces the one with its number.
    pub fn insert(&mut self, interface: Interface) {
        self.by_index.insert(interface.index, interface);
    }

    /// Takes an interface out.
    pub fn remove(&mut self, index: IfIndex) -> Option<Interface> {
        self.by_index.remove(&index)
    }
}
