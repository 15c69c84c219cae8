//! The router and network LSAs of an area as a numbered graph.

use std::net::Ipv4Addr;
use std::ops::Range;

use crate::ids::RouterId;
use crate::ospf::lsa::{LinkKind, LsType, NetworkLsa, RouterLsa};
use crate::ospf::lsdb::Database;
use crate::time::Time;

/// A vertex of the graph.
pub(super) enum Vertex<'a> {
    /// A router and its router LSA.
    Router(RouterId, &'a RouterLsa),
    /// A transit network, by its DR's address, and its network LSA.
    Network(Ipv4Addr, &'a NetworkLsa),
}

/// The vertices: networks first, then routers, each in the order of their ids. Edges are followed in the LSAs themselves.
pub(super) struct Graph<'a> {
    networks: Vec<(Ipv4Addr, RouterId, &'a NetworkLsa)>,
    routers: Vec<(RouterId, &'a RouterLsa)>,
}

impl<'a> Graph<'a> {
    pub(super) fn new(database: &'a Database, now: Time) -> Self {
        let live = |ls_type| database.of_type(ls_type).filter(move |entry| !entry.age(now).is_max());
        let networks = live(LsType::Network)
            .filter_map(|entry| {
                Some((entry.lsa.link_state_id(), entry.lsa.advertising_router(), entry.lsa.as_network()?))
            })
            .collect();
        let mut routers = Vec::with_capacity(database.len());
        routers.extend(
            live(LsType::Router)
                .filter(|entry| entry.lsa.link_state_id() == entry.lsa.advertising_router().0)
                .filter_map(|entry| Some((entry.lsa.advertising_router(), entry.lsa.as_router()?))),
        );
        Self { networks, routers }
    }

    pub(super) fn len(&self) -> usize {
        self.networks.len() + self.routers.len()
    }

    /// The vertex numbered `index`, which must be one that this graph gave out.
    pub(super) fn vertex(&self, index: usize) -> Vertex<'a> {
        match index.checked_sub(self.networks.len()) {
            None => {
                let (id, _, lsa) = self.networks[index];
                Vertex::Network(id, lsa)
            }
            Some(router) => {
                let (id, lsa) = self.routers[router];
                Vertex::Router(id, lsa)
            }
        }
    }

    /// How many networks a vertex leads to at most: itself, or the stub links of a router.
    pub(super) fn destinations(&self, index: usize) -> usize {
        match self.vertex(index) {
            Vertex::Network(..) => 1,
            Vertex::Router(_, lsa) => lsa.links.iter().filter(|link| link.kind == LinkKind::Stub).count(),
        }
    }

    /// Who made the LSA of a vertex.
    pub(super) fn advertiser(&self, index: usize) -> RouterId {
        match index.checked_sub(self.networks.len()) {
            None => self.networks[index].1,
            Some(router) => self.routers[router].0,
        }
    }

    /// The number of a router.
    pub(super) fn router(&self, id: RouterId) -> Option<usize> {
        let at = self.routers.binary_search_by_key(&id, |&(id, _)| id).ok()?;
        Some(self.networks.len() + at)
    }

    /// The numbers of the networks whose DR has the address `id`; several while an old DR's LSA is still about.
    pub(super) fn networks(&self, id: Ipv4Addr) -> Range<usize> {
        let from = self.networks.partition_point(|&(other, ..)| other < id);
        let behind = self.networks[from..].partition_point(|&(other, ..)| other == id);
        from..from + behind
    }

    /// Whether a network lists a router.
    pub(super) fn attaches(&self, network: usize, router: RouterId) -> bool {
        match self.vertex(network) {
            Vertex::Network(_, lsa) => lsa.attached.contains(&router),
            Vertex::Router(..) => false,
        }
    }

    /// Whether a router has a link to the network of the DR with address `id`.
    pub(super) fn links_to_network(&self, router: usize, id: Ipv4Addr) -> bool {
        self.has_link(router, |kind| kind == LinkKind::Transit, id)
    }

    /// Whether a router has a link to another.
    pub(super) fn links_to_router(&self, router: usize, to: RouterId) -> bool {
        self.has_link(router, |kind| matches!(kind, LinkKind::PointToPoint | LinkKind::Virtual), to.0)
    }

    fn has_link(&self, router: usize, kind: impl Fn(LinkKind) -> bool, id: Ipv4Addr) -> bool {
        match self.vertex(router) {
            Vertex::Router(_, lsa) => lsa.links.iter().any(|link| link.id == id && kind(link.kind)),
            Vertex::Network(..) => false,
        }
    }
}
