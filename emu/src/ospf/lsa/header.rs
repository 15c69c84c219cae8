//! The LSA header, and the types in it.
//!
//! ```text
//!  0                   1                   2                   3
//! |            LS age             |    Options    |    LS type    |
//! |                        Link State ID                          |
//! |                     Advertising Router                        |
//! |                     LS sequence number                        |
//! |         LS checksum           |             length            |
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::net::Ipv4Addr;
use std::ops::BitOr;
use std::time::Duration;

use nom::number::complete::{be_i32, be_u8, be_u16, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use crate::ids::RouterId;

/// LS type (RFC 2328 section 12.1.3, RFC 3101, RFC 5250). The order is that of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LsType {
    /// 1.
    Router,
    /// 2.
    Network,
    /// 3: summary of a network in another area.
    SummaryNetwork,
    /// 4: summary of an AS boundary router in another area.
    SummaryAsbr,
    /// 5.
    AsExternal,
    /// 7.
    Nssa,
    /// 9: opaque, link scope.
    OpaqueLink,
    /// 10: opaque, area scope.
    OpaqueArea,
    /// 11: opaque, AS scope.
    OpaqueAs,
    /// Any other: such LSAs are not flooded (RFC 2328 section 13 step 2).
    Unknown(u8),
}

impl LsType {
    /// From the number on the wire.
    #[must_use]
    pub const fn from_wire(number: u8) -> Self {
        match number {
            1 => Self::Router,
            2 => Self::Network,
            3 => Self::SummaryNetwork,
            4 => Self::SummaryAsbr,
            5 => Self::AsExternal,
            7 => Self::Nssa,
            9 => Self::OpaqueLink,
            10 => Self::OpaqueArea,
            11 => Self::OpaqueAs,
            other => Self::Unknown(other),
        }
    }

    /// The number on the wire.
    #[must_use]
    pub const fn to_wire(self) -> u8 {
        match self {
            Self::Router => 1,
            Self::Network => 2,
            Self::SummaryNetwork => 3,
            Self::SummaryAsbr => 4,
            Self::AsExternal => 5,
            Self::Nssa => 7,
            Self::OpaqueLink => 9,
            Self::OpaqueArea => 10,
            Self::OpaqueAs => 11,
            Self::Unknown(number) => number,
        }
    }

    /// Whether it is flooded through the whole AS, stub areas and NSSAs apart.
    #[must_use]
    pub const fn is_as_scope(self) -> bool {
        matches!(self, Self::AsExternal | Self::OpaqueAs)
    }

    /// Whether routes are made of it: types 1 to 5 and 7.
    #[must_use]
    pub const fn is_topology(self) -> bool {
        !self.is_opaque() && !matches!(self, Self::Unknown(_))
    }

    /// Whether it is one of the opaque types.
    #[must_use]
    pub const fn is_opaque(self) -> bool {
        matches!(self, Self::OpaqueLink | Self::OpaqueArea | Self::OpaqueAs)
    }
}

/// The options field (RFC 2328 appendix A.2, RFC 3101, RFC 5250, RFC 4576).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Options(pub u8);

impl Options {
    /// No option.
    pub const NONE: Self = Self(0);
    /// E: AS-external LSAs are flooded.
    pub const E: Self = Self(0x02);
    /// MC: multicast extensions.
    pub const MC: Self = Self(0x04);
    /// N in hellos: NSSA. P in type 7 LSAs: to be translated.
    pub const NP: Self = Self(0x08);
    /// L: link-local signalling block (RFC 5613).
    pub const L: Self = Self(0x10);
    /// DC: demand circuits, DoNotAge understood (RFC 1793).
    pub const DC: Self = Self(0x20);
    /// O: opaque LSAs.
    pub const O: Self = Self(0x40);
    /// DN: made by a provider edge router (RFC 4576).
    pub const DN: Self = Self(0x80);

    /// Whether all of `bits` are set.
    #[must_use]
    pub const fn contains(self, bits: Self) -> bool {
        self.0 & bits.0 == bits.0
    }

    /// Without `bits`.
    #[must_use]
    pub const fn without(self, bits: Self) -> Self {
        Self(self.0 & !bits.0)
    }
}

impl BitOr for Options {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// LS age (RFC 2328 section 12.1.1): seconds, with the DoNotAge bit (RFC 1793 section 2.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LsAge(u16);

impl LsAge {
    const DO_NOT_AGE: u16 = 0x8000;

    /// Fresh from its maker.
    pub const ZERO: Self = Self(0);
    /// MaxAge: to be flushed, of no use for routing.
    pub const MAX: Self = Self(3600);
    /// MaxAgeDiff: ages that differ by more decide which of two instances is newer.
    pub const MAX_DIFF: u16 = 900;

    /// An age in seconds, at most MaxAge.
    #[must_use]
    pub fn from_secs(secs: u64) -> Self {
        u16::try_from(secs).map_or(Self::MAX, |secs| Self(secs.min(Self::MAX.0)))
    }

    /// From the field on the wire; more than MaxAge counts as MaxAge.
    #[must_use]
    pub fn from_wire(field: u16) -> Self {
        Self((field & Self::DO_NOT_AGE) | (field & !Self::DO_NOT_AGE).min(Self::MAX.0))
    }

    /// The field on the wire.
    #[must_use]
    pub const fn to_wire(self) -> u16 {
        self.0
    }

    /// Seconds, without the DoNotAge bit.
    #[must_use]
    pub const fn secs(self) -> u16 {
        self.0 & !Self::DO_NOT_AGE
    }

    /// Whether the age stands still.
    #[must_use]
    pub const fn is_do_not_age(self) -> bool {
        self.0 & Self::DO_NOT_AGE != 0
    }

    /// The same age with the DoNotAge bit.
    #[must_use]
    pub const fn with_do_not_age(self) -> Self {
        Self(self.0 | Self::DO_NOT_AGE)
    }

    /// Whether MaxAge is reached.
    #[must_use]
    pub const fn is_max(self) -> bool {
        self.secs() >= Self::MAX.0
    }

    /// The age after a stay of `held` in a database; whole seconds count, and DoNotAge does not age.
    #[must_use]
    pub fn after(self, held: Duration) -> Self {
        if self.is_do_not_age() {
            self
        } else {
            Self::from_secs(u64::from(self.0).saturating_add(held.as_secs()))
        }
    }

    /// The age with InfTransDelay added, as it is put into an update packet (RFC 2328 section 13.3); DoNotAge stays
    /// (RFC 1793 section 2.2: such ages grow by transmission, too).
    #[must_use]
    pub fn transmitted(self, transmit_delay_secs: u16) -> Self {
        let secs = self.secs().saturating_add(transmit_delay_secs).min(Self::MAX.0);
        Self((self.0 & Self::DO_NOT_AGE) | secs)
    }

    /// How long until MaxAge; `None` with DoNotAge.
    #[must_use]
    pub fn until_max(self) -> Option<Duration> {
        (!self.is_do_not_age()).then(|| Duration::from_secs(u64::from(Self::MAX.0 - self.0.min(Self::MAX.0))))
    }
}

/// LS sequence number (RFC 2328 section 12.1.6): a signed number, greater is newer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct SequenceNumber(pub i32);

impl SequenceNumber {
    /// InitialSequenceNumber, 0x80000001.
    pub const INITIAL: Self = Self(-0x7fff_ffff);
    /// MaxSequenceNumber, 0x7fffffff.
    pub const MAX: Self = Self(0x7fff_ffff);

    /// The next one; `None` behind the greatest, when the LSA must be flushed first.
    #[must_use]
    pub const fn next(self) -> Option<Self> {
        match self.0.checked_add(1) {
            Some(next) => Some(Self(next)),
            None => None,
        }
    }
}

impl fmt::Debug for SequenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for SequenceNumber {
    /// As `show ip ospf database` has it: `0x80000001`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("0x{:08X}", self.0))
    }
}

/// What identifies an LSA (RFC 2328 section 12.1): all its instances have this in common.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct LsaKey {
    /// LS type.
    pub ls_type: LsType,
    /// Link State ID.
    pub link_state_id: Ipv4Addr,
    /// Advertising router.
    pub advertising_router: RouterId,
}

impl LsaKey {
    /// A key from its three parts.
    #[must_use]
    pub const fn new(ls_type: LsType, link_state_id: Ipv4Addr, advertising_router: RouterId) -> Self {
        Self { ls_type, link_state_id, advertising_router }
    }

    /// The place of the key in the order of keys.
    #[inline]
    #[must_use]
    pub const fn rank(&self) -> LsaRank {
        let unknown = matches!(self.ls_type, LsType::Unknown(_)) as u128;
        let (id, router) = (self.link_state_id.to_bits(), self.advertising_router.0.to_bits());
        LsaRank(unknown << 72 | (self.ls_type.to_wire() as u128) << 64 | (id as u128) << 32 | router as u128)
    }
}

/// A key as one number. Databases of large networks spend much of their time on comparing keys, and numbers compare faster than three fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LsaRank(u128);

/// Of the same number as the order.
impl Hash for LsaKey {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u128(self.rank().0);
    }
}

/// By type, Link State ID, advertising router.
impl Ord for LsaKey {
    #[inline]
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for LsaKey {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for LsaKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {} by {}", self.ls_type, self.link_state_id, self.advertising_router)
    }
}

/// The 20 octets in front of every LSA; database descriptions and acknowledgements carry them alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LsaHeader {
    /// LS age.
    pub age: LsAge,
    /// Options.
    pub options: Options,
    /// LS type.
    pub ls_type: LsType,
    /// Link State ID.
    pub link_state_id: Ipv4Addr,
    /// Advertising router.
    pub advertising_router: RouterId,
    /// LS sequence number.
    pub sequence: SequenceNumber,
    /// LS checksum.
    pub checksum: u16,
    /// Octets of the whole LSA.
    pub length: u16,
}

impl LsaHeader {
    /// Octets of a header.
    pub const LEN: usize = 20;

    /// Reads a header.
    ///
    /// # Errors
    ///
    /// If there are fewer than 20 octets.
    pub fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (age, options, ls_type)) = (be_u16, be_u8, be_u8).parse(input)?;
        let (input, (link_state_id, advertising_router)) = (be_u32, be_u32).parse(input)?;
        let (input, (sequence, checksum, length)) = (be_i32, be_u16, be_u16).parse(input)?;
        let header = Self {
            age: LsAge::from_wire(age),
            options: Options(options),
            ls_type: LsType::from_wire(ls_type),
            link_state_id: link_state_id.into(),
            advertising_router: RouterId(advertising_router.into()),
            sequence: SequenceNumber(sequence),
            checksum,
            length,
        };
        Ok((input, header))
    }

    /// Appends the header.
    pub fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.age.to_wire().to_be_bytes());
        out.extend_from_slice(&[self.options.0, self.ls_type.to_wire()]);
        out.extend_from_slice(&self.link_state_id.octets());
        out.extend_from_slice(&self.advertising_router.0.octets());
        out.extend_from_slice(&self.sequence.0.to_be_bytes());
        out.extend_from_slice(&self.checksum.to_be_bytes());
        out.extend_from_slice(&self.length.to_be_bytes());
    }

    /// What identifies the LSA.
    #[must_use]
    pub const fn key(&self) -> LsaKey {
        LsaKey::new(self.ls_type, self.link_state_id, self.advertising_router)
    }

    /// Which of two instances of one LSA is newer (RFC 2328 section 13.1): `Greater` if `self` is, `Equal` if they are
    /// the same instance.
    #[must_use]
    pub fn compare_recency(&self, other: &Self) -> Ordering {
        self.sequence
            .cmp(&other.sequence)
            .then(self.checksum.cmp(&other.checksum))
            .then(self.age.is_max().cmp(&other.age.is_max()))
            .then_with(|| {
                if self.age.secs().abs_diff(other.age.secs()) > LsAge::MAX_DIFF {
                    other.age.secs().cmp(&self.age.secs())
                } else {
                    Ordering::Equal
                }
            })
    }
}
