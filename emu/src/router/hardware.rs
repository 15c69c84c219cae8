//! What an interface is before any configuration: IOS's defaults by kind, hardware addresses.

use std::sync::Arc;

use super::Router;
use crate::ids::{IfIndex, MacAddress, NodeIndex, VrfId};
use crate::interface::{Counters, Interface, InterfaceKind, InterfaceName, Medium};
use crate::time::Time;

/// IOS's defaults of an interface kind.
pub(super) struct KindDefaults {
    /// `bandwidth`, in kbit/s.
    pub bandwidth_kbps: u32,
    /// `delay`, in tens of microseconds.
    pub delay_tens_us: u32,
    /// `mtu`, in octets.
    pub mtu: u16,
    /// How frames travel.
    pub medium: Medium,
}

/// The defaults that `show interfaces` of an interface without configuration shows.
pub(super) const fn defaults(kind: InterfaceKind) -> KindDefaults {
    let (bandwidth_kbps, delay_tens_us, mtu, medium) = match kind {
        InterfaceKind::Loopback => (8_000_000, 500, 1514, Medium::Loopback),
        InterfaceKind::Tunnel => (100, 5000, 1476, Medium::Tunnel),
        InterfaceKind::Ethernet => (10_000, 100, 1500, Medium::Ethernet),
        InterfaceKind::FastEthernet => (100_000, 10, 1500, Medium::Ethernet),
        InterfaceKind::GigabitEthernet => (1_000_000, 1, 1500, Medium::Ethernet),
        InterfaceKind::TenGigabitEthernet => (10_000_000, 1, 1500, Medium::Ethernet),
        InterfaceKind::Serial => (1544, 2000, 1500, Medium::Serial),
        InterfaceKind::Null => (10_000_000, 0, 1500, Medium::Null),
    };
    KindDefaults { bandwidth_kbps, delay_tens_us, mtu, medium }
}

/// The hardware address of a port: `aabb.ccNN.NNPP`, from the numbers of router and port.
pub(super) fn mac_address(node: NodeIndex, port: usize) -> MacAddress {
    let [_, _, high, low] = node.0.wrapping_add(1).to_be_bytes();
    MacAddress([0xaa, 0xbb, 0xcc, high, low, u8::try_from(port).unwrap_or(u8::MAX)])
}

impl Router {
    /// The hardware address that an Ethernet port has from the factory, whatever `mac-address` says.
    #[must_use]
    pub fn burned_in_address(&self, name: InterfaceName) -> Option<MacAddress> {
        let is_it = |port: &InterfaceName| *port == name && port.kind().is_ethernet();
        self.ports.iter().position(is_it).map(|number| mac_address(self.node, number))
    }
}

/// An interface with its kind's defaults, shut down.
pub(super) fn interface(index: IfIndex, name: InterfaceName, mac: MacAddress, now: Time) -> Interface {
    let kind = defaults(name.kind());
    Interface {
        index,
        name,
        vrf: VrfId::GLOBAL,
        medium: kind.medium,
        mac,
        admin_up: false,
        carrier: false,
        line_protocol: false,
        address: None,
        secondary: Vec::new(),
        unnumbered: None,
        mtu: kind.mtu,
        ip_mtu: kind.mtu,
        bandwidth_kbps: kind.bandwidth_kbps,
        delay_tens_us: kind.delay_tens_us,
        counters: Counters::default(),
        last_change: now,
    }
}

impl Router {
    /// Creates the ports, numbered from 1 in their order, and Null0.
    pub(super) fn create_hardware(&mut self) {
        let ports = Arc::clone(&self.ports);
        for (number, &name) in ports.iter().enumerate() {
            let index = self.new_index();
            let mac =
                if name.kind().is_ethernet() { mac_address(self.node, number) } else { MacAddress([0; 6]) };
            self.interfaces.insert(interface(index, name, mac, self.booted));
        }
        let index = self.new_index();
        let mut null = interface(index, InterfaceName::null0(), MacAddress([0; 6]), self.booted);
        (null.admin_up, null.carrier, null.line_protocol) = (true, true, true);
        self.interfaces.insert(null);
    }

    pub(super) const fn new_index(&mut self) -> IfIndex {
        let index = IfIndex(self.next_index);
        self.next_index += 1;
        index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hardware_addresses_are_numbered_by_router_and_port() {
        assert_eq!(mac_address(NodeIndex(0), 0).to_string(), "aabb.cc00.0100");
        assert_eq!(mac_address(NodeIndex(1023), 3).to_string(), "aabb.cc04.0003");
    }
}
