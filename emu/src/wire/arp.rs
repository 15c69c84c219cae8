//! ARP for IPv4 on Ethernet (RFC 826).
//!
//! ```text
//! +----------+----------+------+------+-----------+--------+--------+--------+--------+
//! | hardware | protocol | hlen | plen | operation | sender | sender | target | target |
//! |    1     |  0x0800  |  6   |  4   |           |  MAC   |   IP   |  MAC   |   IP   |
//! +----------+----------+------+------+-----------+--------+--------+--------+--------+
//! ```

use std::net::Ipv4Addr;

use smoltcp::wire::{ArpOperation as Operation, ArpPacket as Packet, ArpRepr, EthernetAddress};

use super::WireError;
use crate::ids::MacAddress;

/// What an ARP packet is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArpOperation {
    /// Who has the target's protocol address?
    Request,
    /// The sender has it.
    Reply,
}

/// An ARP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArpPacket {
    /// Question or answer.
    pub operation: ArpOperation,
    /// `ar$sha`.
    pub sender_mac: MacAddress,
    /// `ar$spa`.
    pub sender: Ipv4Addr,
    /// `ar$tha`.
    pub target_mac: MacAddress,
    /// `ar$tpa`.
    pub target: Ipv4Addr,
}

impl ArpPacket {
    /// Reads a packet; what follows it is padding.
    ///
    /// # Errors
    /// If it is too short, or not about IPv4 on Ethernet.
    pub fn parse(octets: &[u8]) -> Result<Self, WireError> {
        let ArpRepr::EthernetIpv4 {
            operation,
            source_hardware_addr,
            source_protocol_addr,
            target_hardware_addr,
            target_protocol_addr,
        } = ArpRepr::parse(&Packet::new_checked(octets)?)?
        else {
            return Err(WireError::Field("protocol"));
        };
        let operation = match operation {
            Operation::Request => ArpOperation::Request,
            Operation::Reply => ArpOperation::Reply,
            Operation::Unknown(_) => return Err(WireError::Field("operation")),
        };
        Ok(Self {
            operation,
            sender_mac: MacAddress(source_hardware_addr.0),
            sender: source_protocol_addr,
            target_mac: MacAddress(target_hardware_addr.0),
            target: target_protocol_addr,
        })
    }

    /// The packet.
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let repr = ArpRepr::EthernetIpv4 {
            operation: match self.operation {
                ArpOperation::Request => Operation::Request,
                ArpOperation::Reply => Operation::Reply,
            },
            source_hardware_addr: EthernetAddress(self.sender_mac.0),
            source_protocol_addr: self.sender,
            target_hardware_addr: EthernetAddress(self.target_mac.0),
            target_protocol_addr: self.target,
        };
        let mut octets = vec![0; repr.buffer_len()];
        repr.emit(&mut Packet::new_unchecked(&mut octets));
        octets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(request: bool, sender: u32, target: u32, mac: [u8; 6]) {
            let packet = ArpPacket {
                operation: if request { ArpOperation::Request } else { ArpOperation::Reply },
                sender_mac: MacAddress(mac),
                sender: sender.into(),
                target_mac: MacAddress([0; 6]),
                target: target.into(),
            };
            prop_assert_eq!(ArpPacket::parse(&packet.emit()), Ok(packet));
        }

        #[test]
        fn any_octets(octets in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = ArpPacket::parse(&octets);
        }
    }
}
