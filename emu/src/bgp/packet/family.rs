//! Address families (IANA's AFI and SAFI registries).

use std::fmt;

use serde::{Deserialize, Serialize};

/// An address family and what of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Family {
    /// Address family identifier.
    pub afi: u16,
    /// Subsequent address family identifier.
    pub safi: u8,
}

impl Family {
    /// IPv4 unicast.
    pub const IPV4_UNICAST: Self = Self { afi: 1, safi: 1 };
    /// IPv4 multicast.
    pub const IPV4_MULTICAST: Self = Self { afi: 1, safi: 2 };
    /// IPv6 unicast.
    pub const IPV6_UNICAST: Self = Self { afi: 2, safi: 1 };
    /// VPNv4 unicast.
    pub const VPNV4_UNICAST: Self = Self { afi: 1, safi: 128 };
}

impl fmt::Display for Family {
    /// As IOS names it in `show ip bgp neighbors`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::IPV4_UNICAST => f.write_str("IPv4 Unicast"),
            Self::IPV4_MULTICAST => f.write_str("IPv4 Multicast"),
            Self::IPV6_UNICAST => f.write_str("IPv6 Unicast"),
            Self::VPNV4_UNICAST => f.write_str("VPNv4 Unicast"),
            Self { afi, safi } => write!(f, "afi {afi} safi {safi}"),
        }
    }
}
