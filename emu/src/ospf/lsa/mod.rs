//! Link state advertisements (RFC 2328 section 12 and appendix A.4, RFC 3101, RFC 5250).
//!
//! An [`Lsa`] is one *instance* of an LSA apart from its age: a pointer to its octets and their parsed form. The age lives
//! beside it (in a packet, or as an arrival time in the database), because it differs from router to router while all
//! else is the same in every database of the network. Equal instances on a thread share one allocation, so a database
//! entry costs a pointer however large the body is, and a copy that floods in a second time is neither parsed nor
//! checksummed again.
//!
//! | file | what it holds |
//! |---|---|
//! | `header.rs` | types, keys, age, sequence numbers, the 20-octet header, "which is newer" (13.1) |
//! | `body.rs` | the bodies by type |
//! | `grace.rs` | what is in the opaque LSAs of a router that restarts |
//! | `checksum.rs` | the Fletcher checksum |
//! | `intern.rs` | sharing of equal instances |

mod body;
mod checksum;
mod grace;
mod header;
mod intern;
#[cfg(test)]
mod tests;

use std::fmt;
use std::net::Ipv4Addr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

pub use body::{
    ExternalLsa, LinkKind, LsaBody, NetworkLsa, OpaqueScope, RouterFlags, RouterLink, RouterLsa, SummaryLsa,
};
pub use grace::{GraceLsa, RestartReason};
pub use header::{LsAge, LsType, LsaHeader, LsaKey, LsaRank, Options, SequenceNumber};

use crate::ids::RouterId;

/// LSInfinity of summary and external LSAs: the destination is unreachable (RFC 2328 appendix B).
pub const LS_INFINITY: u32 = 0x00ff_ffff;

/// The metric that keeps transit traffic off a link (MaxLinkMetric, RFC 6987 section 2).
pub const MAX_LINK_METRIC: u16 = 0xffff;

/// Why octets are not an LSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LsaError {
    /// Shorter than its header, or than the length that the header tells, or that length is below 20.
    Truncated,
    /// The checksum does not fit (RFC 2328 section 13 step 1).
    BadChecksum,
    /// The body does not have the layout of its type.
    Malformed,
}

impl fmt::Display for LsaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Truncated => "LSA is truncated",
            Self::BadChecksum => "LSA has a wrong checksum",
            Self::Malformed => "LSA body is malformed",
        })
    }
}

impl std::error::Error for LsaError {}

/// One instance of an LSA without its age. Cloning copies a pointer.
#[derive(Clone)]
pub struct Lsa(Arc<Instance>);

/// What the copies of an instance share.
#[derive(Debug)]
struct Instance {
    /// Header with age zero.
    header: LsaHeader,
    body: LsaBody,
    /// The whole LSA as sent, with the age zero.
    wire: Box<[u8]>,
}

impl Lsa {
    /// Reads one LSA from the front of `input`, verifying length and checksum. Octets behind it are left alone.
    ///
    /// # Errors
    ///
    /// If the octets are not a valid LSA; whoever reads a sequence of LSAs can go on behind
    /// [`LsaHeader::length`] octets unless the error is [`LsaError::Truncated`].
    pub fn parse(input: &[u8]) -> Result<(LsAge, Self), LsaError> {
        let header = LsaHeader::parse(input).map_err(|_| LsaError::Truncated)?.1;
        let length = usize::from(header.length);
        if length < LsaHeader::LEN {
            return Err(LsaError::Truncated);
        }
        let octets = input.get(..length).ok_or(LsaError::Truncated)?;
        let instance = intern::shared(octets, || {
            if !checksum::is_valid(&octets[2..]) {
                return Err(LsaError::BadChecksum);
            }
            let body = LsaBody::parse(header.ls_type, &octets[LsaHeader::LEN..])?;
            let mut wire: Box<[u8]> = octets.into();
            wire[..2].fill(0);
            Ok(Instance { header: LsaHeader { age: LsAge::ZERO, ..header }, body, wire })
        })?;
        Ok((header.age, Self(instance)))
    }

    /// Makes an instance, computing length and checksum. Bodies that would exceed the length field are cut by whole
    /// links, as RFC 2328 leaves no way to send them.
    #[must_use]
    pub fn new(
        link_state_id: Ipv4Addr,
        advertising_router: RouterId,
        options: Options,
        sequence: SequenceNumber,
        mut body: LsaBody,
    ) -> Self {
        body.limit();
        let mut header = LsaHeader {
            age: LsAge::ZERO,
            options,
            ls_type: body.ls_type(),
            link_state_id,
            advertising_router,
            sequence,
            checksum: 0,
            length: 0,
        };
        let mut wire = Vec::with_capacity(64);
        header.emit(&mut wire);
        body.emit(&mut wire);
        header.length = u16::try_from(wire.len()).unwrap_or(u16::MAX);
        wire[18..20].copy_from_slice(&header.length.to_be_bytes());
        header.checksum = checksum::compute(&wire[2..]);
        wire[16..18].copy_from_slice(&header.checksum.to_be_bytes());
        let wire = wire.into_boxed_slice();
        let key = wire.clone();
        Self(intern::shared_infallible(&key, move || Instance { header, body, wire }))
    }

    /// The header, with the age given.
    #[must_use]
    pub fn header(&self, age: LsAge) -> LsaHeader {
        LsaHeader { age, ..self.0.header }
    }

    /// What identifies the LSA, whatever its instance.
    #[must_use]
    pub fn key(&self) -> LsaKey {
        self.0.header.key()
    }

    /// LS type.
    #[must_use]
    pub fn ls_type(&self) -> LsType {
        self.0.header.ls_type
    }

    /// Link State ID.
    #[must_use]
    pub fn link_state_id(&self) -> Ipv4Addr {
        self.0.header.link_state_id
    }

    /// Who made it.
    #[must_use]
    pub fn advertising_router(&self) -> RouterId {
        self.0.header.advertising_router
    }

    /// Options of the header.
    #[must_use]
    pub fn options(&self) -> Options {
        self.0.header.options
    }

    /// LS sequence number.
    #[must_use]
    pub fn sequence(&self) -> SequenceNumber {
        self.0.header.sequence
    }

    /// LS checksum.
    #[must_use]
    pub fn checksum(&self) -> u16 {
        self.0.header.checksum
    }

    /// Octets on the wire, header included.
    #[must_use]
    pub fn length(&self) -> u16 {
        self.0.header.length
    }

    /// The body.
    #[must_use]
    pub fn body(&self) -> &LsaBody {
        &self.0.body
    }

    /// The body of a router LSA.
    #[must_use]
    pub fn as_router(&self) -> Option<&RouterLsa> {
        match self.body() {
            LsaBody::Router(body) => Some(body),
            _ => None,
        }
    }

    /// The body of a network LSA.
    #[must_use]
    pub fn as_network(&self) -> Option<&NetworkLsa> {
        match self.body() {
            LsaBody::Network(body) => Some(body),
            _ => None,
        }
    }

    /// The body of a summary LSA, of either type.
    #[must_use]
    pub fn as_summary(&self) -> Option<&SummaryLsa> {
        match self.body() {
            LsaBody::SummaryNetwork(body) | LsaBody::SummaryAsbr(body) => Some(body),
            _ => None,
        }
    }

    /// The body of an AS-external or NSSA LSA.
    #[must_use]
    pub fn as_external(&self) -> Option<&ExternalLsa> {
        match self.body() {
            LsaBody::AsExternal(body) | LsaBody::Nssa(body) => Some(body),
            _ => None,
        }
    }

    /// The octets behind the header.
    #[must_use]
    pub fn body_octets(&self) -> &[u8] {
        &self.0.wire[LsaHeader::LEN..]
    }

    /// Appends the LSA as sent with this age.
    pub fn emit(&self, age: LsAge, out: &mut Vec<u8>) {
        out.extend_from_slice(&age.to_wire().to_be_bytes());
        out.extend_from_slice(&self.0.wire[2..]);
    }

    /// Whether the two say the same, whatever their sequence numbers (RFC 2328 section 13.2: only then
    /// is there no need to recompute the routing table).
    #[must_use]
    pub fn same_content(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
            || (self.key() == other.key()
                && self.options() == other.options()
                && self.body_octets() == other.body_octets())
    }
}

impl PartialEq for Lsa {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.wire == other.0.wire
    }
}

impl Eq for Lsa {}

impl fmt::Debug for Lsa {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lsa").field("header", &self.0.header).field("body", &self.0.body).finish()
    }
}

impl Serialize for Lsa {
    /// Writes the octets: they hold everything.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.wire.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Lsa {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = Vec::<u8>::deserialize(deserializer)?;
        Self::parse(&wire).map(|(_, lsa)| lsa).map_err(serde::de::Error::custom)
    }
}
