//! The TLVs that are not routes (RFC 7868 section 6.6).
//!
//! Each TLV is a type (2 octets), its length with these four (2), and a value:
//!
//! | type | value |
//! |---|---|
//! | 0x0001 parameters | K1 to K6, hold time in s (2) |
//! | 0x0002 authentication | kind (2), length of the digest (2), key id (4), key sequence (4), 0 (8), digest |
//! | 0x0003 sequence | length of an address (1), addresses of those who shall not receive the next multicast |
//! | 0x0004 software version | release: major, minor; TLV version: major, minor |
//! | 0x0005 multicast sequence | sequence number of the next multicast (4) |
//! | 0x0006 stub | flags (2) |
//! | 0x0007 peer termination | length of an address (1), addresses of those who are no neighbors any more |

use std::net::Ipv4Addr;

use nom::bytes::complete::take;
use nom::combinator::{all_consuming, map, rest, verify};
use nom::multi::many0;
use nom::number::complete::{be_u8, be_u16, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use super::header::Sequence;
use super::route::{RouteTlv, address, kinds};

/// The coefficients of the composite metric (RFC 7868 section 5.6.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct KValues {
    /// K1: bandwidth.
    pub k1: u8,
    /// K2: load.
    pub k2: u8,
    /// K3: delay.
    pub k3: u8,
    /// K4: reliability.
    pub k4: u8,
    /// K5: reliability.
    pub k5: u8,
    /// K6: extended attributes.
    pub k6: u8,
}

impl Default for KValues {
    /// Bandwidth and delay.
    fn default() -> Self {
        Self { k1: 1, k2: 0, k3: 1, k4: 0, k5: 0, k6: 0 }
    }
}

impl KValues {
    /// The values that say goodbye (RFC 7868 section 5.3.3).
    pub const GOODBYE: Self = Self { k1: 255, k2: 255, k3: 255, k4: 255, k5: 255, k6: 255 };

    /// Whether a hello with them says goodbye; K6 does not count, older releases send 0.
    #[must_use]
    pub fn is_goodbye(self) -> bool {
        Self { k6: 255, ..self } == Self::GOODBYE
    }
}

/// The parameters of a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    /// Coefficients.
    pub k: KValues,
    /// Hold time, in s.
    pub hold_time: u16,
}

/// A digest over the packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authentication {
    /// 2 is MD5, 3 HMAC-SHA-256.
    pub kind: u16,
    /// Number of the key.
    pub key_id: u32,
    /// Sequence number against replay.
    pub key_sequence: u32,
    /// The digest.
    pub digest: Vec<u8>,
}

/// The software of a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SoftwareVersion {
    /// Release, major and minor number.
    pub release: (u8, u8),
    /// Version of the route TLVs: 1.2 classic, 2.0 multiprotocol.
    pub tlv: (u8, u8),
}

/// What a stub router tells others of (RFC 7868 section 5.4.6).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StubFlags(pub u16);

impl StubFlags {
    /// Connected routes.
    pub const CONNECTED: Self = Self(0x01);
    /// Static routes.
    pub const STATIC: Self = Self(0x02);
    /// Summaries.
    pub const SUMMARY: Self = Self(0x04);
    /// Redistributed routes.
    pub const REDISTRIBUTED: Self = Self(0x08);
    /// Learned routes that a leak map permits.
    pub const LEAK_MAP: Self = Self(0x10);
    /// Nothing: it only receives.
    pub const RECEIVE_ONLY: Self = Self(0x20);

    /// Whether all of `flags` are set.
    #[must_use]
    pub const fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }
}

/// A TLV.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tlv {
    /// Parameters.
    Parameters(Parameters),
    /// Authentication.
    Authentication(Authentication),
    /// Those who shall not receive the next multicast.
    Sequence(Vec<Ipv4Addr>),
    /// Software version.
    SoftwareVersion(SoftwareVersion),
    /// The number of the next multicast.
    MulticastSequence(Sequence),
    /// The sender is a stub.
    Stub(StubFlags),
    /// Those who are no neighbors any more.
    PeerTermination(Vec<Ipv4Addr>),
    /// Routes.
    Route(RouteTlv),
    /// Any other, passed over.
    Unknown {
        /// Type.
        kind: u16,
        /// Value.
        value: Vec<u8>,
    },
}

mod general {
    pub const PARAMETERS: u16 = 0x0001;
    pub const AUTHENTICATION: u16 = 0x0002;
    pub const SEQUENCE: u16 = 0x0003;
    pub const SOFTWARE_VERSION: u16 = 0x0004;
    pub const MULTICAST_SEQUENCE: u16 = 0x0005;
    pub const STUB: u16 = 0x0006;
    pub const PEER_TERMINATION: u16 = 0x0007;
}

impl Tlv {
    /// The type on the wire.
    #[must_use]
    pub const fn kind(&self) -> u16 {
        match self {
            Self::Parameters(_) => general::PARAMETERS,
            Self::Authentication(_) => general::AUTHENTICATION,
            Self::Sequence(_) => general::SEQUENCE,
            Self::SoftwareVersion(_) => general::SOFTWARE_VERSION,
            Self::MulticastSequence(_) => general::MULTICAST_SEQUENCE,
            Self::Stub(_) => general::STUB,
            Self::PeerTermination(_) => general::PEER_TERMINATION,
            Self::Route(route) => route.kind(),
            Self::Unknown { kind, .. } => *kind,
        }
    }

    /// Reads the value of a TLV.
    pub(super) fn parse(kind: u16, value: &[u8]) -> Option<Self> {
        let parsed = match kind {
            general::PARAMETERS => all_consuming(map(parameters, Self::Parameters)).parse(value),
            general::AUTHENTICATION => all_consuming(map(authentication, Self::Authentication)).parse(value),
            general::SEQUENCE => all_consuming(map(addresses, Self::Sequence)).parse(value),
            general::SOFTWARE_VERSION => {
                all_consuming(map(software_version, Self::SoftwareVersion)).parse(value)
            }
            general::MULTICAST_SEQUENCE => {
                all_consuming(map(be_u32, |number| Self::MulticastSequence(Sequence(number)))).parse(value)
            }
            general::STUB => all_consuming(map(be_u16, |flags| Self::Stub(StubFlags(flags)))).parse(value),
            general::PEER_TERMINATION => all_consuming(map(addresses, Self::PeerTermination)).parse(value),
            kinds::CLASSIC_INTERNAL | kinds::CLASSIC_EXTERNAL => {
                let route = |input| RouteTlv::parse_classic(input, kind == kinds::CLASSIC_EXTERNAL);
                all_consuming(map(route, Self::Route)).parse(value)
            }
            kinds::WIDE_INTERNAL | kinds::WIDE_EXTERNAL => {
                let route = |input| RouteTlv::parse_wide(input, kind == kinds::WIDE_EXTERNAL);
                all_consuming(map(route, Self::Route)).parse(value)
            }
            _ => map(rest, |value: &[u8]| Self::Unknown { kind, value: value.to_vec() }).parse(value),
        };
        parsed.ok().map(|(_, tlv)| tlv)
    }

    /// Appends the TLV.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        let start = out.len();
        out.extend_from_slice(&self.kind().to_be_bytes());
        out.extend_from_slice(&[0, 0]);
        match self {
            Self::Parameters(Parameters { k, hold_time }) => {
                out.extend_from_slice(&[k.k1, k.k2, k.k3, k.k4, k.k5, k.k6]);
                out.extend_from_slice(&hold_time.to_be_bytes());
            }
            Self::Authentication(authentication) => emit_authentication(authentication, out),
            Self::Sequence(list) | Self::PeerTermination(list) => {
                out.push(4);
                list.iter().for_each(|address| out.extend_from_slice(&address.octets()));
            }
            Self::SoftwareVersion(SoftwareVersion { release, tlv }) => {
                out.extend_from_slice(&[release.0, release.1, tlv.0, tlv.1]);
            }
            Self::MulticastSequence(sequence) => out.extend_from_slice(&sequence.0.to_be_bytes()),
            Self::Stub(flags) => out.extend_from_slice(&flags.0.to_be_bytes()),
            Self::Route(route) => route.emit(out),
            Self::Unknown { value, .. } => out.extend_from_slice(value),
        }
        let length = u16::try_from(out.len() - start).unwrap_or(u16::MAX);
        if let Some(field) = out.get_mut(start + 2..start + 4) {
            field.copy_from_slice(&length.to_be_bytes());
        }
    }
}

fn parameters(input: &[u8]) -> IResult<&[u8], Parameters> {
    let (input, (k1, k2, k3, k4, k5, k6)) = (be_u8, be_u8, be_u8, be_u8, be_u8, be_u8).parse(input)?;
    let (input, hold_time) = be_u16(input)?;
    Ok((input, Parameters { k: KValues { k1, k2, k3, k4, k5, k6 }, hold_time }))
}

fn authentication(input: &[u8]) -> IResult<&[u8], Authentication> {
    let (input, (kind, length, key_id, key_sequence)) = (be_u16, be_u16, be_u32, be_u32).parse(input)?;
    let (input, (_zero, digest)) = (take(8usize), take(length)).parse(input)?;
    Ok((input, Authentication { kind, key_id, key_sequence, digest: digest.to_vec() }))
}

fn emit_authentication(authentication: &Authentication, out: &mut Vec<u8>) {
    let length = u16::try_from(authentication.digest.len()).unwrap_or(u16::MAX);
    out.extend_from_slice(&authentication.kind.to_be_bytes());
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&authentication.key_id.to_be_bytes());
    out.extend_from_slice(&authentication.key_sequence.to_be_bytes());
    out.extend_from_slice(&[0; 8]);
    out.extend_from_slice(&authentication.digest);
}

fn addresses(input: &[u8]) -> IResult<&[u8], Vec<Ipv4Addr>> {
    let (input, _) = verify(be_u8, |&length| length == 4).parse(input)?;
    many0(address).parse(input)
}

fn software_version(input: &[u8]) -> IResult<&[u8], SoftwareVersion> {
    let (input, (a, b, c, d)) = (be_u8, be_u8, be_u8, be_u8).parse(input)?;
    Ok((input, SoftwareVersion { release: (a, b), tlv: (c, d) }))
}
