//! UDP (RFC 768).
//!
//! ```text
//! +-------------+------------------+--------+----------+---------+
//! | source port | destination port | length | checksum | payload |
//! |      2      |        2         |   2    |    2     |   ..    |
//! +-------------+------------------+--------+----------+---------+
//! ```

use std::net::Ipv4Addr;

use smoltcp::wire::{IpAddress, UdpPacket};

use super::WireError;

/// The ports of a UDP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdpHeader {
    /// Source port.
    pub source_port: u16,
    /// Destination port.
    pub destination_port: u16,
}

impl UdpHeader {
    /// Octets of the header.
    pub const LEN: usize = 8;

    /// Splits a packet into ports and payload.
    ///
    /// # Errors
    /// If it is too short, or its checksum (0 is none) wrong.
    pub fn parse(octets: &[u8], source: Ipv4Addr, destination: Ipv4Addr) -> Result<(Self, &[u8]), WireError> {
        let packet = UdpPacket::new_checked(octets)?;
        if packet.checksum() != 0
            && !packet.verify_checksum(&IpAddress::Ipv4(source), &IpAddress::Ipv4(destination))
        {
            return Err(WireError::Checksum);
        }
        let header = Self { source_port: packet.src_port(), destination_port: packet.dst_port() };
        Ok((header, packet.payload()))
    }

    /// The packet, with its checksum.
    #[must_use]
    pub fn emit(&self, source: Ipv4Addr, destination: Ipv4Addr, payload: &[u8]) -> Vec<u8> {
        let mut octets = vec![0; Self::LEN];
        octets.extend_from_slice(payload);
        octets.truncate(usize::from(u16::MAX));
        let length = u16::try_from(octets.len()).unwrap_or(u16::MAX);
        let mut packet = UdpPacket::new_unchecked(&mut octets);
        packet.set_src_port(self.source_port);
        packet.set_dst_port(self.destination_port);
        packet.set_len(length);
        packet.fill_checksum(&IpAddress::Ipv4(source), &IpAddress::Ipv4(destination));
        octets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(ports: [u16; 2], addresses: [u32; 2], payload in proptest::collection::vec(any::<u8>(), 0..50)) {
            let header = UdpHeader { source_port: ports[0], destination_port: ports[1].max(1) };
            let (source, destination) = (addresses[0].into(), addresses[1].into());
            let octets = header.emit(source, destination, &payload);
            prop_assert_eq!(UdpHeader::parse(&octets, source, destination), Ok((header, &payload[..])));
        }

        #[test]
        fn any_octets(octets in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = UdpHeader::parse(&octets, Ipv4Addr::LOCALHOST, Ipv4Addr::LOCALHOST);
        }
    }
}
