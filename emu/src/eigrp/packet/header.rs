//! The header of every packet (RFC 7868 section 6.2).
//!
//! ```text
//!  0                   1                   2                   3
//! |    Version    |    Opcode     |           Checksum            |
//! |                             Flags                             |
//! |                        Sequence number                        |
//! |                     Acknowledgment number                     |
//! |       Virtual router ID       |   Autonomous system number    |
//! ```

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

use nom::number::complete::{be_u8, be_u16, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

/// Octets of a header.
pub const HEADER_LEN: usize = 20;

/// The version of the packet format.
pub const VERSION: u8 = 2;

/// What a packet is (RFC 7868 section 6.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Opcode {
    /// 1: routes that have changed, or the whole table for a new neighbor.
    Update,
    /// 2: asks for routes (not used by any implementation known).
    Request,
    /// 3: a route has gone active here.
    Query,
    /// 4: the answer to a query.
    Reply,
    /// 5: a hello; with an acknowledgment number an acknowledgment.
    Hello,
    /// 10: a query is unanswered after half the active time.
    SiaQuery,
    /// 11: the answer to that.
    SiaReply,
    /// Any other.
    Unknown(u8),
}

impl Opcode {
    /// From the number on the wire.
    #[must_use]
    pub const fn from_wire(number: u8) -> Self {
        match number {
            1 => Self::Update,
            2 => Self::Request,
            3 => Self::Query,
            4 => Self::Reply,
            5 => Self::Hello,
            10 => Self::SiaQuery,
            11 => Self::SiaReply,
            other => Self::Unknown(other),
        }
    }

    /// The number on the wire.
    #[must_use]
    pub const fn to_wire(self) -> u8 {
        match self {
            Self::Update => 1,
            Self::Request => 2,
            Self::Query => 3,
            Self::Reply => 4,
            Self::Hello => 5,
            Self::SiaQuery => 10,
            Self::SiaReply => 11,
            Self::Unknown(number) => number,
        }
    }
}

/// The flags of a packet (RFC 7868 section 6.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Flags(pub u32);

impl Flags {
    /// No flag.
    pub const NONE: Self = Self(0);
    /// INIT: the first update to a new neighbor, which asks for its whole table.
    pub const INIT: Self = Self(0x01);
    /// CR: to be received only by those in conditional receive mode.
    pub const CONDITIONAL_RECEIVE: Self = Self(0x02);
    /// RS: the sender restarts gracefully.
    pub const RESTART: Self = Self(0x04);
    /// EOT: the last update of the whole table.
    pub const END_OF_TABLE: Self = Self(0x08);

    /// Whether all of `flags` are set.
    #[must_use]
    pub const fn contains(self, flags: Self) -> bool {
        self.0 & flags.0 == flags.0
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Flags {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

/// The number of a reliable packet; 0 stands for none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Sequence(pub u32);

impl Sequence {
    /// None: an unreliable packet, or nothing to acknowledge.
    pub const NONE: Self = Self(0);

    /// Whether it stands for none.
    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// The number after this one; 0 is left out.
    #[must_use]
    pub const fn next(self) -> Self {
        match self.0.wrapping_add(1) {
            0 => Self(1),
            number => Self(number),
        }
    }
}

impl fmt::Display for Sequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// The header without version and checksum, which follow from what is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// What the packet is.
    pub opcode: Opcode,
    /// Flags.
    pub flags: Flags,
    /// Its number, if it is to be acknowledged.
    pub sequence: Sequence,
    /// The number of the packet that it acknowledges.
    pub acknowledgment: Sequence,
    /// Virtual router; 0 is unicast routing.
    pub virtual_router: u16,
    /// Autonomous system.
    pub autonomous_system: u16,
}

impl Header {
    /// Version, checksum and header.
    pub(super) fn parse(input: &[u8]) -> IResult<&[u8], (u8, u16, Self)> {
        let (input, (version, opcode, checksum)) = (be_u8, be_u8, be_u16).parse(input)?;
        let (input, (flags, sequence, acknowledgment)) = (be_u32, be_u32, be_u32).parse(input)?;
        let (input, (virtual_router, autonomous_system)) = (be_u16, be_u16).parse(input)?;
        let header = Self {
            opcode: Opcode::from_wire(opcode),
            flags: Flags(flags),
            sequence: Sequence(sequence),
            acknowledgment: Sequence(acknowledgment),
            virtual_router,
            autonomous_system,
        };
        Ok((input, (version, checksum, header)))
    }

    /// Appends the header, with 0 for the checksum.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[VERSION, self.opcode.to_wire(), 0, 0]);
        out.extend_from_slice(&self.flags.0.to_be_bytes());
        out.extend_from_slice(&self.sequence.0.to_be_bytes());
        out.extend_from_slice(&self.acknowledgment.0.to_be_bytes());
        out.extend_from_slice(&self.virtual_router.to_be_bytes());
        out.extend_from_slice(&self.autonomous_system.to_be_bytes());
    }
}
