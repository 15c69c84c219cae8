//! The packets of EIGRP (RFC 7868 section 6): a header and TLVs.
//!
//! | file | what |
//! |---|---|
//! | `header.rs` | the header, its opcodes and flags, the checksum |
//! | `tlv.rs` | parameters, software version, sequence, stub and the like |
//! | `route.rs` | route TLVs, classic and multiprotocol |
//! | `metric.rs` | the metrics in them |
//! | `authentication.rs` | MD5 and HMAC-SHA-256 over a packet |

mod authentication;
mod header;
mod metric;
mod route;
#[cfg(test)]
mod tests;
mod tlv;

use std::fmt;

use nom::bytes::complete::take;
use nom::number::complete::be_u16;
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use crate::wire::internet_checksum;
pub use authentication::{AuthenticationKey, Digest, MD5, SHA256};
pub use header::{Flags, HEADER_LEN, Header, Opcode, Sequence};
pub use metric::{ClassicMetric, WideMetric};
pub use route::{ExternalData, ExternalProtocol, RouteMetric, RouteTlv};
pub use tlv::{Authentication, KValues, Parameters, SoftwareVersion, StubFlags, Tlv};

/// A packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packet {
    /// Header.
    pub header: Header,
    /// TLVs in order.
    pub tlvs: Vec<Tlv>,
}

/// Octets that are no EIGRP packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PacketError {
    /// Shorter than a header.
    Truncated,
    /// Not version 2.
    Version(u8),
    /// Wrong checksum.
    Checksum,
    /// A TLV is longer than the packet, or too short for its own type and length.
    TlvLength {
        /// Where it starts, from the start of the packet.
        offset: usize,
    },
    /// The value of a TLV is not what its type demands.
    TlvValue {
        /// Its type.
        kind: u16,
        /// Where it starts, from the start of the packet.
        offset: usize,
    },
}

impl fmt::Display for PacketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => f.write_str("shorter than an EIGRP header"),
            Self::Version(version) => write!(f, "version {version} instead of 2"),
            Self::Checksum => f.write_str("wrong checksum"),
            Self::TlvLength { offset } => write!(f, "bad length of the TLV at octet {offset}"),
            Self::TlvValue { kind, offset } => {
                write!(f, "bad value of the TLV of type {kind:#06x} at octet {offset}")
            }
        }
    }
}

impl std::error::Error for PacketError {}

impl Packet {
    /// Reads a packet: the payload of IP protocol 88.
    ///
    /// # Errors
    /// If it is too short, of another version, damaged, or holds a TLV with a bad length or value.
    pub fn parse(octets: &[u8]) -> Result<Self, PacketError> {
        let (mut rest, (version, _, header)) = Header::parse(octets).map_err(|_| PacketError::Truncated)?;
        if version != header::VERSION {
            return Err(PacketError::Version(version));
        }
        // A packet with the right checksum in it sums up to all ones.
        if internet_checksum(octets) != 0 {
            return Err(PacketError::Checksum);
        }
        let mut tlvs = Vec::new();
        while !rest.is_empty() {
            let offset = octets.len() - rest.len();
            let (after, (kind, value)) = tlv(rest).map_err(|_| PacketError::TlvLength { offset })?;
            tlvs.push(Tlv::parse(kind, value).ok_or(PacketError::TlvValue { kind, offset })?);
            rest = after;
        }
        Ok(Self { header, tlvs })
    }

    /// The octets of the packet, with its checksum. A digest is sent as it stands here; see [`Self::emit_signed`].
    #[must_use]
    pub fn emit(&self) -> Vec<u8> {
        let mut octets = self.emit_without_checksum();
        fill_checksum(&mut octets);
        octets
    }

    fn emit_without_checksum(&self) -> Vec<u8> {
        let mut octets = Vec::with_capacity(HEADER_LEN + 64);
        self.header.emit(&mut octets);
        self.tlvs.iter().for_each(|tlv| tlv.emit(&mut octets));
        octets
    }

    /// The route TLVs.
    pub fn routes(&self) -> impl Iterator<Item = &RouteTlv> {
        self.tlvs.iter().filter_map(|tlv| match tlv {
            Tlv::Route(route) => Some(route),
            _ => None,
        })
    }
}

fn fill_checksum(octets: &mut [u8]) {
    let checksum = internet_checksum(octets);
    if let Some(field) = octets.get_mut(2..4) {
        field.copy_from_slice(&checksum.to_be_bytes());
    }
}

/// Type and value of a TLV.
fn tlv(input: &[u8]) -> IResult<&[u8], (u16, &[u8])> {
    let (input, (kind, length)) = (be_u16, be_u16).parse(input)?;
    let Some(length) = length.checked_sub(4) else {
        return Err(nom::Err::Error(nom::error::Error::new(input, nom::error::ErrorKind::Verify)));
    };
    let (input, value) = take(length)(input)?;
    Ok((input, (kind, value)))
}
