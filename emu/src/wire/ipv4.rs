//! The IPv4 header (RFC 791).
//!
//! ```text
//! +-------+-----+-----+--------------+
//! |version| IHL | TOS | total length |
//! +-------+-----+-----+-----+--------+
//! | identification  | DF MF | offset |
//! +-----+----------+--+-------+------+
//! | TTL | protocol |    checksum     |
//! +-----+----------+-----------------+
//! | source address                   |
//! | destination address              |
//! | options ..                       |
//! +----------------------------------+
//! ```

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use smoltcp::wire::{IpProtocol as SmolProtocol, Ipv4Packet};

use super::WireError;
use crate::process::IpProtocol;

/// An IPv4 header without its length and checksum, which follow from what is sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ipv4Header {
    /// Source.
    pub source: Ipv4Addr,
    /// Destination.
    pub destination: Ipv4Addr,
    /// What follows.
    pub protocol: IpProtocol,
    /// Time to live.
    pub ttl: u8,
    /// Type of service: DSCP and ECN.
    pub tos: u8,
    /// Identification.
    pub ident: u16,
    /// DF.
    pub dont_fragment: bool,
    /// MF.
    pub more_fragments: bool,
    /// Where the fragment belongs, in octets; a multiple of 8.
    pub fragment_offset: u16,
    /// Options, padded to a multiple of 4 octets, 40 at most.
    pub options: Vec<u8>,
}

impl Ipv4Header {
    /// Octets of a header without options.
    pub const LEN: usize = 20;

    /// Splits a packet into header and payload; what follows the packet's length is padding.
    ///
    /// # Errors
    /// If it is too short, not version 4, or its checksum wrong.
    pub fn parse(octets: &[u8]) -> Result<(Self, &[u8]), WireError> {
        let packet = Ipv4Packet::new_checked(octets)?;
        if packet.version() != 4 {
            return Err(WireError::Field("version"));
        }
        if usize::from(packet.header_len()) < Self::LEN {
            return Err(WireError::Field("IHL"));
        }
        if !packet.verify_checksum() {
            return Err(WireError::Checksum);
        }
        let options = octets.get(Self::LEN..usize::from(packet.header_len())).ok_or(WireError::Truncated)?;
        let header = Self {
            source: packet.src_addr(),
            destination: packet.dst_addr(),
            protocol: IpProtocol(packet.next_header().into()),
            ttl: packet.hop_limit(),
            tos: packet.dscp() << 2 | packet.ecn(),
            ident: packet.ident(),
            dont_fragment: packet.dont_frag(),
            more_fragments: packet.more_frags(),
            fragment_offset: packet.frag_offset(),
            options: options.to_vec(),
        };
        Ok((header, packet.payload()))
    }

    /// Octets of this header.
    #[must_use]
    pub const fn header_len(&self) -> usize {
        Self::LEN + self.options.len()
    }

    /// Whether this is a fragment of a packet.
    #[must_use]
    pub const fn is_fragment(&self) -> bool {
        self.more_fragments || self.fragment_offset > 0
    }

    /// The packet. A payload beyond what the length field can tell is cut off.
    #[must_use]
    pub fn emit(&self, payload: &[u8]) -> Vec<u8> {
        let header_len = self.header_len();
        let total = u16::try_from(header_len + payload.len()).unwrap_or(u16::MAX);
        let mut octets = Vec::with_capacity(header_len + payload.len());
        octets.resize(header_len, 0);
        octets.extend_from_slice(payload);
        octets.truncate(usize::from(total));
        if let Some(options) = octets.get_mut(Self::LEN..header_len) {
            options.copy_from_slice(&self.options);
        }
        let mut packet = Ipv4Packet::new_unchecked(&mut octets);
        packet.set_version(4);
        packet.set_header_len(u8::try_from(header_len).unwrap_or(60));
        packet.set_dscp(self.tos >> 2);
        packet.set_ecn(self.tos & 3);
        packet.set_total_len(total);
        packet.set_ident(self.ident);
        packet.clear_flags();
        packet.set_dont_frag(self.dont_fragment);
        packet.set_more_frags(self.more_fragments);
        packet.set_frag_offset(self.fragment_offset);
        packet.set_hop_limit(self.ttl);
        packet.set_next_header(SmolProtocol::from(self.protocol.0));
        packet.set_src_addr(self.source);
        packet.set_dst_addr(self.destination);
        packet.fill_checksum();
        octets
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn headers() -> impl Strategy<Value = Ipv4Header> {
        (any::<[u32; 2]>(), any::<[u8; 3]>(), any::<u16>(), any::<[bool; 2]>(), 0u16..8192, 0usize..=10)
            .prop_map(|(addresses, octets, ident, flags, offset, words)| Ipv4Header {
                source: addresses[0].into(),
                destination: addresses[1].into(),
                protocol: IpProtocol(octets[0]),
                ttl: octets[1],
                tos: octets[2],
                ident,
                dont_fragment: flags[0],
                more_fragments: flags[1],
                fragment_offset: offset * 8,
                options: vec![1; words * 4],
            })
    }

    proptest! {
        #[test]
        fn round_trip(header in headers(), payload in proptest::collection::vec(any::<u8>(), 0..100)) {
            let mut octets = header.emit(&payload);
            octets.extend_from_slice(&[0; 7]); // padding of the frame
            prop_assert_eq!(Ipv4Header::parse(&octets), Ok((header, &payload[..])));
        }

        #[test]
        fn any_octets(octets in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = Ipv4Header::parse(&octets);
        }

        #[test]
        fn a_flipped_bit_is_noticed(header in headers(), bit in 0usize..160) {
            let mut octets = header.emit(&[1, 2, 3]);
            octets[bit / 8] ^= 1 << (bit % 8);
            prop_assert!(Ipv4Header::parse(&octets).is_err());
        }
    }
}
