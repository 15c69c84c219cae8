//! OSPF packets (RFC 2328 appendix A.3), their authentication (appendix D, RFC 5709) and link-local signalling (RFC 5613).
//!
//! ```text
//!  0                   1                   2                   3
//! |   Version 2   |     Type      |         Packet length         |
//! |                          Router ID                            |
//! |                           Area ID                             |
//! |           Checksum            |            AuType             |
//! |                       Authentication                          |
//! |                       Authentication                          |
//! |  body ...
//! |  digest, if AuType is 2 (outside the packet length)           |
//! |  LLS block, if the options have L (outside the packet length) |
//! ```
//!
//! Reading goes in two steps, because whom a packet is from decides with which keys it must be signed: [`Envelope::parse`] reads the
//! header, [`Envelope::verify`] holds it against the interface's keys, [`Envelope::body`] reads the rest.
//!
//! | file | what |
//! |---|---|
//! | `body.rs` | the five kinds of packet |
//! | `authentication.rs` | keys, digests |
//! | `lls.rs` | the link-local signalling block |

mod authentication;
mod body;
mod lls;
#[cfg(test)]
mod tests;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use authentication::{Digest, Keys, PacketKey, SIMPLE_KEY_LEN};
pub use body::{DatabaseDescription, DdFlags, Hello, PacketBody};

use self::authentication::Signature;
use super::lsa::Options;
use crate::ids::{AreaId, RouterId};

/// Octets of the packet header.
pub const HEADER_LEN: usize = 24;

const VERSION: u8 = 2;

/// Why octets are not a packet, or not one to be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PacketError {
    /// Not version 2.
    BadVersion,
    /// No such packet type.
    BadType,
    /// Shorter than its header or its packet length.
    BadLength,
    /// The checksum does not fit.
    BadChecksum,
    /// Another authentication type than configured.
    AuthenticationTypeMismatch,
    /// The password or digest is wrong, or the key unknown.
    AuthenticationFailed,
    /// The cryptographic sequence number goes backwards.
    Replayed,
    /// The body does not have the layout of its type.
    Malformed,
}

impl fmt::Display for PacketError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::BadVersion => "bad version",
            Self::BadType => "bad packet type",
            Self::BadLength => "bad length",
            Self::BadChecksum => "bad checksum",
            Self::AuthenticationTypeMismatch => "mismatched authentication type",
            Self::AuthenticationFailed => "mismatched authentication key",
            Self::Replayed => "replayed cryptographic sequence number",
            Self::Malformed => "malformed body",
        })
    }
}

impl std::error::Error for PacketError {}

/// A packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packet {
    /// Who sends it.
    pub router_id: RouterId,
    /// The area of the link it is sent on; the backbone on virtual links.
    pub area: AreaId,
    /// What it says.
    pub body: PacketBody,
    /// Extended options of the LLS block, in hellos and database descriptions with the L option.
    pub lls: Option<u32>,
}

impl Packet {
    /// The octets, signed with a key. `sequence` is the cryptographic sequence number.
    #[must_use]
    pub fn emit(&self, key: &PacketKey, sequence: u32) -> Vec<u8> {
        // The digest and the LLS block behind the body take no more.
        let mut out = Vec::with_capacity(HEADER_LEN + self.body.length() + 96);
        out.extend_from_slice(&[VERSION, self.body.packet_type(), 0, 0]);
        out.extend_from_slice(&self.router_id.0.octets());
        out.extend_from_slice(&self.area.0.to_be_bytes());
        out.extend_from_slice(&[0; 12]);
        self.body.emit(&mut out);
        let length = u16::try_from(out.len()).unwrap_or(u16::MAX);
        out[2..4].copy_from_slice(&length.to_be_bytes());
        authentication::sign(&mut out, key, sequence);
        if let Some(options) = self.lls.filter(|_| self.body.options().contains(Options::L)) {
            lls::emit(&mut out, options, key, sequence);
        }
        out
    }
}

/// A packet whose header is read and whose body is not yet to be trusted.
#[derive(Clone, Copy, Debug)]
pub struct Envelope<'a> {
    /// Who claims to have sent it.
    pub router_id: RouterId,
    /// The area it claims to belong to.
    pub area: AreaId,
    packet_type: u8,
    packet: &'a [u8],
    behind: &'a [u8],
    signature: Signature<'a>,
}

impl<'a> Envelope<'a> {
    /// Reads the header (section 8.2, the checks that need no interface).
    ///
    /// # Errors
    /// The octets are no OSPFv2 packet, or damaged.
    pub fn parse(octets: &'a [u8]) -> Result<Self, PacketError> {
        let header: &[u8; HEADER_LEN] = octets.first_chunk().ok_or(PacketError::BadLength)?;
        let &[version, packet_type, l0, l1, r0, r1, r2, r3, a0, a1, a2, a3, ..] = header;
        if version != VERSION {
            return Err(PacketError::BadVersion);
        }
        if !(1..=5).contains(&packet_type) {
            return Err(PacketError::BadType);
        }
        let length = usize::from(u16::from_be_bytes([l0, l1]));
        let (packet, behind) = octets.split_at_checked(length).ok_or(PacketError::BadLength)?;
        if length < HEADER_LEN {
            return Err(PacketError::BadLength);
        }
        let (signature, behind) = authentication::read(packet, behind)?;
        Ok(Self {
            router_id: RouterId([r0, r1, r2, r3].into()),
            area: AreaId(u32::from_be_bytes([a0, a1, a2, a3])),
            packet_type,
            packet,
            behind,
            signature,
        })
    }

    /// Whether it is a hello.
    #[must_use]
    pub const fn is_hello(&self) -> bool {
        self.packet_type == 1
    }

    /// `AuType`.
    #[must_use]
    pub const fn authentication_type(&self) -> u16 {
        self.signature.kind()
    }

    /// The number of the key that it claims to be signed with.
    #[must_use]
    pub const fn key_id(&self) -> Option<u8> {
        match self.signature {
            Signature::Cryptographic { key_id, .. } => Some(key_id),
            Signature::Null | Signature::Simple(_) => None,
        }
    }

    /// Holds the packet against the keys of the interface; the cryptographic sequence number, if it has one.
    ///
    /// # Errors
    /// It is not signed with one of the keys.
    pub fn verify(&self, keys: &Keys) -> Result<Option<u32>, PacketError> {
        authentication::verify(self.packet, &self.signature, keys)
    }

    /// Reads the body.
    ///
    /// # Errors
    /// The body does not have the layout of its type.
    pub fn body(&self) -> Result<PacketBody, PacketError> {
        PacketBody::parse(self.packet_type, &self.packet[HEADER_LEN..]).ok_or(PacketError::Malformed)
    }

    /// The extended options of the LLS block behind the packet, if there is a valid one.
    #[must_use]
    pub fn lls(&self, options: Options) -> Option<u32> {
        options.contains(Options::L).then(|| lls::parse(self.behind)).flatten()
    }
}
