//! Ethernet II frames with an optional IEEE 802.1Q tag.
//!
//! ```text
//! +-------------+--------+- - - - - - - - - - -+-----------+---------+
//! | destination | source | 0x8100 | PCP..VLAN  | EtherType | payload |
//! |      6      |   6    |    2        2       |     2     |  46 ..  |
//! +-------------+--------+- - - - - - - - - - -+-----------+---------+
//! ```

use super::WireError;
use crate::ids::MacAddress;

/// What a frame carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EtherType(pub u16);

impl EtherType {
    /// IPv4.
    pub const IPV4: Self = Self(0x0800);
    /// ARP.
    pub const ARP: Self = Self(0x0806);
    /// An IEEE 802.1Q tag.
    pub const VLAN: Self = Self(0x8100);
}

/// The header of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EthernetHeader {
    /// Destination.
    pub destination: MacAddress,
    /// Source.
    pub source: MacAddress,
    /// The VLAN of the tag, if there is one; its priority bits are 0 when sent.
    pub vlan: Option<u16>,
    /// What follows.
    pub ether_type: EtherType,
}

/// Octets of a frame without its check sequence, at least.
const LEAST_FRAME: usize = 60;

impl EthernetHeader {
    /// Splits a frame into header and payload; the payload may end with padding.
    ///
    /// # Errors
    /// If the frame is too short.
    pub fn parse(frame: &[u8]) -> Result<(Self, &[u8]), WireError> {
        let (destination, rest) = frame.split_first_chunk().ok_or(WireError::Truncated)?;
        let (source, rest) = rest.split_first_chunk().ok_or(WireError::Truncated)?;
        let (kind, rest) = rest.split_first_chunk().ok_or(WireError::Truncated)?;
        let (destination, source) = (MacAddress(*destination), MacAddress(*source));
        let ether_type = EtherType(u16::from_be_bytes(*kind));
        if ether_type != EtherType::VLAN {
            return Ok((Self { destination, source, vlan: None, ether_type }, rest));
        }
        let (tag, rest) = rest.split_first_chunk().ok_or(WireError::Truncated)?;
        let (kind, rest) = rest.split_first_chunk().ok_or(WireError::Truncated)?;
        let vlan = Some(u16::from_be_bytes(*tag) & 0x0fff);
        Ok((Self { destination, source, vlan, ether_type: EtherType(u16::from_be_bytes(*kind)) }, rest))
    }

    /// The frame, padded to the least length that Ethernet allows.
    #[must_use]
    pub fn emit(&self, payload: &[u8]) -> Vec<u8> {
        let mut frame = Vec::with_capacity((payload.len() + 18).max(LEAST_FRAME));
        frame.extend_from_slice(&self.destination.0);
        frame.extend_from_slice(&self.source.0);
        if let Some(vlan) = self.vlan {
            frame.extend_from_slice(&EtherType::VLAN.0.to_be_bytes());
            frame.extend_from_slice(&vlan.to_be_bytes());
        }
        frame.extend_from_slice(&self.ether_type.0.to_be_bytes());
        frame.extend_from_slice(payload);
        frame.resize(frame.len().max(LEAST_FRAME), 0);
        frame
    }
}

impl MacAddress {
    /// Whether the address is of a group, or of all.
    #[must_use]
    pub const fn is_group(self) -> bool {
        self.0[0] & 1 == 1
    }

    /// The group address of an IPv4 multicast group (RFC 1112 section 6.4).
    #[must_use]
    pub const fn of_multicast(group: std::net::Ipv4Addr) -> Self {
        let [_, b, c, d] = group.octets();
        Self([0x01, 0x00, 0x5e, b & 0x7f, c, d])
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rfc1112_6_4_group_addresses() {
        let group = MacAddress::of_multicast(std::net::Ipv4Addr::new(224, 128, 0, 5));
        assert_eq!(group.to_string(), "0100.5e00.0005");
        assert!(group.is_group());
    }

    proptest! {
        #[test]
        fn round_trip(vlan in proptest::option::of(1u16..4095), payload in proptest::collection::vec(any::<u8>(), 46..100)) {
            let header = EthernetHeader {
                destination: MacAddress([1, 2, 3, 4, 5, 6]),
                source: MacAddress([7; 6]),
                vlan,
                ether_type: EtherType::IPV4,
            };
            let frame = header.emit(&payload);
            prop_assert_eq!(EthernetHeader::parse(&frame), Ok((header, &payload[..])));
        }

        #[test]
        fn any_octets(frame in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = EthernetHeader::parse(&frame);
        }
    }
}
