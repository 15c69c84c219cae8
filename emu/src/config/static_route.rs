//! Static routes.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::interface::InterfaceName;

/// Where a static route points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum StaticTarget {
    /// `ip route P M INTERFACE`.
    Interface(InterfaceName),
    /// `ip route P M INTERFACE A.B.C.D`.
    InterfaceNextHop(InterfaceName, Ipv4Addr),
    /// `ip route P M A.B.C.D`.
    NextHop(Ipv4Addr),
}

/// `ip route [vrf V] P M TARGET [distance] [tag T] [name N] [permanent | track T]`.
///
/// The derived order is the order of `show running-config`: by VRF, prefix, target.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct StaticRoute {
    /// `vrf V`; `None` is the global table.
    pub vrf: Option<String>,
    /// Destination.
    pub prefix: Ipv4Net,
    /// Where it points.
    pub target: StaticTarget,
    /// Administrative distance, 1 to 255; IOS's default is 1.
    pub distance: u8,
    /// `tag`; 0 is none.
    pub tag: u32,
    /// `name`.
    pub name: Option<String>,
    /// `permanent`: stays when the interface goes down.
    pub permanent: bool,
    /// `track`: used only while the object is up.
    pub track: Option<u16>,
}
