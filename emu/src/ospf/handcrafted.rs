//! For tests: databases written by hand.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::ExternalMetricType;
use super::lsa::{
    ExternalLsa, LinkKind, LsAge, Lsa, LsaBody, NetworkLsa, Options, RouterFlags, RouterLink, RouterLsa,
    SequenceNumber, SummaryLsa,
};
use super::lsdb::Database;
use super::spf::{Attachment, OspfNextHop};
use crate::ids::{IfIndex, RouterId};
use crate::time::Time;

/// Reads an address.
pub(crate) fn ip(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

/// Router n.n.n.n.
pub(crate) fn rid(n: u8) -> RouterId {
    RouterId(Ipv4Addr::new(n, n, n, n))
}

/// A next hop on `interface`; an empty address is "attached".
pub(crate) fn hop(interface: u32, address: &str) -> OspfNextHop {
    OspfNextHop { interface: IfIndex(interface), address: (!address.is_empty()).then(|| ip(address)) }
}

/// A point-to-point link.
pub(crate) fn p2p(to: u8, data: &str, metric: u16) -> RouterLink {
    RouterLink { kind: LinkKind::PointToPoint, id: rid(to).0, data: ip(data), metric }
}

/// A link to the network of the DR with address `dr`.
pub(crate) fn transit(dr: &str, data: &str, metric: u16) -> RouterLink {
    RouterLink { kind: LinkKind::Transit, id: ip(dr), data: ip(data), metric }
}

/// A stub link.
pub(crate) fn stub(prefix: &str, metric: u16) -> RouterLink {
    let prefix: Ipv4Net = prefix.parse().unwrap();
    RouterLink { kind: LinkKind::Stub, id: prefix.network(), data: prefix.netmask(), metric }
}

/// A virtual link.
pub(crate) fn virtual_link(to: u8, data: &str, metric: u16) -> RouterLink {
    RouterLink { kind: LinkKind::Virtual, id: rid(to).0, data: ip(data), metric }
}

/// An attachment by a point-to-point interface.
pub(crate) fn to_router(neighbor: u8, data: &str, interface: u32, next: &str) -> Attachment {
    Attachment::Router { neighbor: rid(neighbor), data: ip(data), next_hop: hop(interface, next) }
}

/// An attachment to a network.
pub(crate) fn to_network(address: &str, interface: u32) -> Attachment {
    Attachment::Network { address: ip(address), interface: IfIndex(interface) }
}

/// No bits.
pub(crate) const PLAIN: RouterFlags =
    RouterFlags { virtual_endpoint: false, as_boundary: false, area_border: false, nssa_translator: false };
/// B.
pub(crate) const ABR: RouterFlags = RouterFlags { area_border: true, ..PLAIN };
/// E.
pub(crate) const ASBR: RouterFlags = RouterFlags { as_boundary: true, ..PLAIN };

/// A database under construction.
#[derive(Default)]
pub(crate) struct Db(pub Database);

impl Db {
    fn with(mut self, id: Ipv4Addr, router: RouterId, options: Options, body: LsaBody) -> Self {
        let lsa = Lsa::new(id, router, options, SequenceNumber::INITIAL, body);
        self.0.install(lsa, LsAge::ZERO, Time::ZERO);
        self
    }

    /// A router LSA of router n.
    pub(crate) fn router(self, n: u8, flags: RouterFlags, links: &[RouterLink]) -> Self {
        let body = LsaBody::Router(RouterLsa { flags, links: links.to_vec() });
        self.with(rid(n).0, rid(n), Options::E, body)
    }

    /// A network LSA by router n with the DR's address and prefix length.
    pub(crate) fn network(self, n: u8, dr: &str, attached: &[u8]) -> Self {
        let dr: Ipv4Net = dr.parse().unwrap();
        let attached = attached.iter().map(|&n| rid(n)).collect();
        let body = LsaBody::Network(NetworkLsa { mask: dr.netmask(), attached });
        self.with(dr.addr(), rid(n), Options::E, body)
    }

    /// A type 3 summary LSA by router n.
    pub(crate) fn summary(self, n: u8, prefix: &str, metric: u32) -> Self {
        let prefix: Ipv4Net = prefix.parse().unwrap();
        let body = LsaBody::SummaryNetwork(SummaryLsa { mask: prefix.netmask(), metric });
        self.with(prefix.network(), rid(n), Options::E, body)
    }

    /// A type 4 summary LSA by router n.
    pub(crate) fn summary_asbr(self, n: u8, asbr: u8, metric: u32) -> Self {
        let body = LsaBody::SummaryAsbr(SummaryLsa { mask: Ipv4Addr::UNSPECIFIED, metric });
        self.with(rid(asbr).0, rid(n), Options::E, body)
    }

    /// A type 5 LSA by router n.
    pub(crate) fn external(
        self,
        n: u8,
        prefix: &str,
        metric_type: ExternalMetricType,
        metric: u32,
        forwarding: &str,
    ) -> Self {
        let prefix: Ipv4Net = prefix.parse().unwrap();
        let body = external(prefix, metric_type, metric, forwarding);
        self.with(prefix.network(), rid(n), Options::E, LsaBody::AsExternal(body))
    }

    /// A type 7 LSA by router n.
    pub(crate) fn nssa(
        self,
        n: u8,
        prefix: &str,
        metric_type: ExternalMetricType,
        metric: u32,
        forwarding: &str,
        propagate: bool,
    ) -> Self {
        let prefix: Ipv4Net = prefix.parse().unwrap();
        let body = external(prefix, metric_type, metric, forwarding);
        let options = if propagate { Options::NP } else { Options::NONE };
        self.with(prefix.network(), rid(n), options, LsaBody::Nssa(body))
    }
}

fn external(prefix: Ipv4Net, metric_type: ExternalMetricType, metric: u32, forwarding: &str) -> ExternalLsa {
    let forwarding_address = if forwarding.is_empty() { Ipv4Addr::UNSPECIFIED } else { ip(forwarding) };
    ExternalLsa { mask: prefix.netmask(), metric_type, metric, forwarding_address, tag: 0 }
}
