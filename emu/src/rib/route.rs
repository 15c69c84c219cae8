//! Routes as protocols offer them to the RIB.

use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::ids::{AddressFamily, Asn, IfIndex, VrfId};
use crate::time::Time;

/// Names a routing table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct TableId {
    /// The VRF.
    pub vrf: VrfId,
    /// The address family.
    pub family: AddressFamily,
}

impl TableId {
    /// The IPv4 table of `vrf`.
    #[must_use]
    pub const fn ipv4(vrf: VrfId) -> Self {
        Self { vrf, family: AddressFamily::Ipv4 }
    }
}

/// The process that offers a route. Each owner holds at most one route to a prefix in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RouteOwner {
    /// Subnets of interfaces, and the host routes of their addresses.
    Connected,
    /// `ip route`.
    Static,
    /// An EIGRP process, by AS number.
    Eigrp(u16),
    /// An OSPF process, by process id.
    Ospf(u16),
    /// RIP.
    Rip,
    /// The BGP process.
    Bgp(Asn),
}

/// What a route is, in the letters of `show ip route`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum RouteKind {
    /// `C`: a subnet of an interface.
    Connected,
    /// `L`: an interface's own address.
    Local,
    /// `S`.
    Static,
    /// `R`.
    Rip,
    /// `D`.
    EigrpInternal,
    /// `D EX`.
    EigrpExternal,
    /// `D`, to Null0: a summary made here.
    EigrpSummary,
    /// `O`.
    OspfIntraArea,
    /// `O IA`.
    OspfInterArea,
    /// `O E1`.
    OspfExternal1,
    /// `O E2`.
    OspfExternal2,
    /// `O N1`.
    OspfNssa1,
    /// `O N2`.
    OspfNssa2,
    /// `O`, to Null0: an area range or summary made here.
    OspfDiscard,
    /// `B`, from another AS.
    BgpExternal,
    /// `B`, from our own AS.
    BgpInternal,
    /// `B`, made here: an aggregate to Null0.
    BgpLocal,
}

/// Where packets for a prefix go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NextHop {
    /// The next router; `None` on a connected subnet, or where only the interface is named.
    pub address: Option<Ipv4Addr>,
    /// The interface; `None` if the address is to be resolved through the table (recursive).
    pub interface: Option<IfIndex>,
    /// Relative share of traffic among several next hops; 1 where equal.
    pub weight: u32,
    /// The router that told us (`from` in `show ip route PREFIX`), where it may differ from the next hop.
    pub learned_from: Option<Ipv4Addr>,
}

impl NextHop {
    /// A next hop reached through a known interface.
    #[must_use]
    pub const fn via(address: Ipv4Addr, interface: IfIndex) -> Self {
        Self { address: Some(address), interface: Some(interface), weight: 1, learned_from: None }
    }

    /// An interface without a next router.
    #[must_use]
    pub const fn interface(interface: IfIndex) -> Self {
        Self { address: None, interface: Some(interface), weight: 1, learned_from: None }
    }

    /// A next hop to be resolved through the table.
    #[must_use]
    pub const fn recursive(address: Ipv4Addr) -> Self {
        Self { address: Some(address), interface: None, weight: 1, learned_from: None }
    }
}

/// A route that one owner offers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Route {
    /// Destination.
    pub prefix: Ipv4Net,
    /// Who offers it.
    pub owner: RouteOwner,
    /// What it is.
    pub kind: RouteKind,
    /// Administrative distance; 255 is never used.
    pub distance: u8,
    /// Metric in the owner's terms.
    pub metric: u32,
    /// Tag, 0 for none.
    pub tag: u32,
    /// Where to send; empty means discard (Null0). Sorted.
    pub next_hops: Arc<[NextHop]>,
    /// When the owner last changed it.
    pub installed: Time,
}

impl Route {
    /// Whether the two are equal in all but the time: then there is no need to offer the one in place of the other.
    #[must_use]
    pub fn is_same_offer(&self, other: &Self) -> bool {
        let Self { prefix, owner, kind, distance, metric, tag, next_hops, installed: _ } = self;
        (*prefix, *owner, *kind) == (other.prefix, other.owner, other.kind)
            && (*distance, *metric, *tag) == (other.distance, other.metric, other.tag)
            && *next_hops == other.next_hops
    }
}

/// The best route to a prefix has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteChange {
    /// In which table.
    pub table: TableId,
    /// To which destination.
    pub prefix: Ipv4Net,
    /// What was used before.
    pub old: Option<Route>,
    /// What is used now.
    pub new: Option<Route>,
}
