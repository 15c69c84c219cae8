//! Small identifiers that must not be mixed up: nodes, links, interfaces, VRFs, areas, AS numbers.

use std::fmt;
use std::net::Ipv4Addr;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

macro_rules! index_type {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u32);
    };
}

index_type! {
    /// A router (or host) of a network, in the order in which it was added.
    NodeIndex
}
index_type! {
    /// A link of a network, in the order in which it was added.
    LinkIndex
}
index_type! {
    /// An interface of one router, like SNMP's ifIndex: assigned at creation, never reused.
    IfIndex
}
index_type! {
    /// A VRF of one router; [`VrfId::GLOBAL`] is the global routing table.
    VrfId
}

impl VrfId {
    /// The global routing table.
    pub const GLOBAL: Self = Self(0);
}

/// An address family of routing and forwarding tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum AddressFamily {
    /// IPv4 unicast.
    #[default]
    Ipv4,
    /// IPv6 unicast.
    Ipv6,
}

/// A 32-bit router identifier, written as an IPv4 address (RFC 2328 section 1.2, RFC 4271 section 4.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RouterId(pub Ipv4Addr);

impl RouterId {
    /// 0.0.0.0, which stands for "none" on the wire.
    pub const UNSPECIFIED: Self = Self(Ipv4Addr::UNSPECIFIED);

    /// Whether this is 0.0.0.0.
    #[must_use]
    pub fn is_unspecified(self) -> bool {
        self.0.is_unspecified()
    }
}

impl fmt::Debug for RouterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Display for RouterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// An OSPF area identifier (RFC 2328 section 3), written as a number or as an IPv4 address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AreaId(pub u32);

impl AreaId {
    /// Area 0.0.0.0.
    pub const BACKBONE: Self = Self(0);

    /// The identifier as the 32-bit value in dotted notation.
    #[must_use]
    pub fn as_ipv4(self) -> Ipv4Addr {
        Ipv4Addr::from(self.0)
    }
}

impl fmt::Display for AreaId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

/// A BGP autonomous system number (RFC 6793).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Asn(pub u32);

impl Asn {
    /// AS_TRANS, which stands for a four-octet number where only two octets fit (RFC 6793 section 9).
    pub const TRANS: Self = Self(23456);

    /// Whether the number is reserved for private use (RFC 6996).
    #[must_use]
    pub const fn is_private(self) -> bool {
        matches!(self.0, 64512..=65534 | 4_200_000_000..=4_294_967_294)
    }
}

impl fmt::Display for Asn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for Asn {
    type Err = std::num::ParseIntError;

    /// Reads asplain (`65536`) and asdot (`1.0`) notation (RFC 5396).
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('.') {
            None => text.parse().map(Self),
            Some((high, low)) => {
                Ok(Self((u32::from(high.parse::<u16>()?) << 16) | u32::from(low.parse::<u16>()?)))
            }
        }
    }
}

/// An Ethernet hardware address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct MacAddress(pub [u8; 6]);

impl MacAddress {
    /// ff:ff:ff:ff:ff:ff.
    pub const BROADCAST: Self = Self([0xff; 6]);
}

impl fmt::Debug for MacAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for MacAddress {
    /// Cisco's notation: `aabb.cc00.0100`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e, g] = self.0;
        write!(f, "{a:02x}{b:02x}.{c:02x}{d:02x}.{e:02x}{g:02x}")
    }
}
