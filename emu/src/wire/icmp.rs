//! ICMP (RFC 792), with the next-hop MTU of RFC 1191.
//!
//! ```text
//! +------+------+----------+
//! | type | code | checksum |
//! +------+------+----------+
//! | by type                |
//! +------------------------+
//! | data ..                |
//! +------------------------+
//! ```

use smoltcp::wire::{Icmpv4Message, Icmpv4Packet};

use super::WireError;

/// Why a destination is unreachable (RFC 792, RFC 1812 section 5.2.7.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UnreachableCode(pub u8);

impl UnreachableCode {
    /// Net unreachable.
    pub const NET: Self = Self(0);
    /// Host unreachable: what IOS says without a route.
    pub const HOST: Self = Self(1);
    /// Protocol unreachable.
    pub const PROTOCOL: Self = Self(2);
    /// Port unreachable.
    pub const PORT: Self = Self(3);
    /// Fragmentation needed and DF set.
    pub const FRAGMENTATION_NEEDED: Self = Self(4);
    /// Communication administratively prohibited: what IOS says for an access list.
    pub const PROHIBITED: Self = Self(13);
}

/// An ICMP message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IcmpMessage {
    /// Type 8.
    EchoRequest {
        /// Identifier.
        ident: u16,
        /// Sequence number.
        sequence: u16,
        /// Data, to be sent back.
        data: Vec<u8>,
    },
    /// Type 0.
    EchoReply {
        /// Identifier.
        ident: u16,
        /// Sequence number.
        sequence: u16,
        /// The request's data.
        data: Vec<u8>,
    },
    /// Type 3.
    Unreachable {
        /// Why.
        code: UnreachableCode,
        /// MTU of the next hop, if fragmentation is needed; else 0.
        mtu: u16,
        /// Header of the packet, and the first octets of its payload.
        original: Vec<u8>,
    },
    /// Type 11.
    TimeExceeded {
        /// 0 in transit, 1 during reassembly.
        code: u8,
        /// Header of the packet, and the first octets of its payload.
        original: Vec<u8>,
    },
    /// Any other.
    Other {
        /// Type.
        kind: u8,
        /// Code.
        code: u8,
        /// The four octets that depend on the type.
        rest: [u8; 4],
        /// Data.
        data: Vec<u8>,
    },
}

impl IcmpMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// If it is too short or its checksum wrong.
    pub fn parse(octets: &[u8]) -> Result<Self, WireError> {
        let (&[kind, code, _, _, a, b, c, d], data) =
            octets.split_first_chunk().ok_or(WireError::Truncated)?;
        if !Icmpv4Packet::new_checked(octets)?.verify_checksum() {
            return Err(WireError::Checksum);
        }
        let data = data.to_vec();
        let (first, second) = (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]));
        Ok(match (kind, code) {
            (8, 0) => Self::EchoRequest { ident: first, sequence: second, data },
            (0, 0) => Self::EchoReply { ident: first, sequence: second, data },
            (3, _) if first == 0 => {
                Self::Unreachable { code: UnreachableCode(code), mtu: second, original: data }
            }
            (11, _) if (first, second) == (0, 0) => Self::TimeExceeded { code, original: data },
            _ => Self::Other { kind, code, rest: [a, b, c, d], data },
        })
    }

    /// The message.
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let halves = |first: u16, second: u16| {
            let ([a, b], [c, d]) = (first.to_be_bytes(), second.to_be_bytes());
            [a, b, c, d]
        };
        let (kind, code, rest, data) = match self {
            Self::EchoRequest { ident, sequence, data } => (8, 0, halves(*ident, *sequence), data),
            Self::EchoReply { ident, sequence, data } => (0, 0, halves(*ident, *sequence), data),
            Self::Unreachable { code, mtu, original } => (3, code.0, halves(0, *mtu), original),
            Self::TimeExceeded { code, original } => (11, *code, [0; 4], original),
            Self::Other { kind, code, rest, data } => (*kind, *code, *rest, data),
        };
        let mut octets = Vec::with_capacity(data.len() + 8);
        octets.extend_from_slice(&[kind, code, 0, 0]);
        octets.extend_from_slice(&rest);
        octets.extend_from_slice(data);
        let mut packet = Icmpv4Packet::new_unchecked(&mut octets);
        packet.set_msg_type(Icmpv4Message::from(kind));
        packet.fill_checksum();
        octets
    }

    /// Whether the message reports an error: none may be sent about one (RFC 1122 section 3.2.2).
    #[must_use]
    pub const fn is_error(&self) -> bool {
        match self {
            Self::Unreachable { .. } | Self::TimeExceeded { .. } => true,
            Self::Other { kind, .. } => matches!(kind, 3 | 4 | 5 | 11 | 12),
            Self::EchoRequest { .. } | Self::EchoReply { .. } => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rfc1191_next_hop_mtu_is_in_the_second_half_word() {
        let message = IcmpMessage::Unreachable {
            code: UnreachableCode::FRAGMENTATION_NEEDED,
            mtu: 1400,
            original: vec![0x45],
        };
        let octets = message.emit();
        assert_eq!(octets[..2], [3, 4]);
        assert_eq!(octets[4..8], [0, 0, 5, 120]);
        assert_eq!(IcmpMessage::parse(&octets), Ok(message));
    }

    proptest! {
        #[test]
        fn round_trip(kind: u8, code: u8, rest: [u8; 4], data in proptest::collection::vec(any::<u8>(), 0..60)) {
            let octets = IcmpMessage::Other { kind, code, rest, data }.emit();
            let message = IcmpMessage::parse(&octets).unwrap();
            prop_assert_eq!(message.emit(), octets);
        }

        #[test]
        fn any_octets(octets in proptest::collection::vec(any::<u8>(), 0..40)) {
            let _ = IcmpMessage::parse(&octets);
        }
    }
}
