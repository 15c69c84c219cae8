//! The shortest-path tree of an area (RFC 2328 section 16.1).
//!
//! A pure function of the area's database and of the router's own attachments. Vertices are numbered, networks first, so
//! that at equal distance a network leaves the candidate list before a router, as section 16.1 step 3 wants it: only then
//! are all shortest paths through the network found.

mod graph;
#[cfg(test)]
mod tests;

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::lsa::{LinkKind, RouterFlags, RouterLink, RouterLsa};
use super::lsdb::Database;
use crate::ids::{IfIndex, RouterId};
use crate::time::Time;
use graph::{Graph, Vertex};

/// More equal-cost next hops than this are not kept: the most that `maximum-paths` allows.
const MAX_NEXT_HOPS: usize = 32;

/// Where packets go: an interface, and the router behind it unless the destination is on that network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OspfNextHop {
    /// Outgoing interface.
    pub interface: IfIndex,
    /// The next router; `None` if the destination is attached.
    pub address: Option<Ipv4Addr>,
}

/// A set of equal next hops, sorted. Destinations behind the same vertices share one.
pub type NextHops = Arc<[OspfNextHop]>;

/// How the calculating router is attached to the area: what its own router LSA does not tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Attachment {
    /// To a transit network, with this own address (the Link Data).
    Network {
        /// Own address.
        address: Ipv4Addr,
        /// Interface.
        interface: IfIndex,
    },
    /// To a router, by a point-to-point or point-to-multipoint interface.
    Router {
        /// The neighbor.
        neighbor: RouterId,
        /// Link Data: own address, or the interface's number if unnumbered.
        data: Ipv4Addr,
        /// The way to the neighbor.
        next_hop: OspfNextHop,
    },
    /// To a stub network, by this interface: its own subnet or host route.
    Stub {
        /// The network of the stub link.
        prefix: Ipv4Net,
        /// Interface.
        interface: IfIndex,
    },
    /// To a router at the other end of a virtual link, by the next hops of the way through the transit area.
    Virtual {
        /// The neighbor.
        neighbor: RouterId,
        /// The way there.
        next_hops: NextHops,
    },
}

/// A router in the tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedRouter {
    /// Router id.
    pub router: RouterId,
    /// Distance from the root.
    pub cost: u32,
    /// Next hops; empty for the root.
    pub next_hops: NextHops,
    /// V, E, B, Nt of its router LSA.
    pub flags: RouterFlags,
    /// The address of the interface by which the shortest path reaches it, from its link back; `None` for the root and on
    /// unnumbered links. It is the address of a virtual neighbor (section 16.1 at the end of step 3).
    pub address: Option<Ipv4Addr>,
}

/// A network that the tree reaches: a transit network, or a stub link of a router.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedNetwork {
    /// Destination.
    pub prefix: Ipv4Net,
    /// Distance from the root.
    pub cost: u32,
    /// Who advertises it.
    pub from: RouterId,
    /// Next hops; without an address, or empty, for a stub link of the root.
    pub next_hops: NextHops,
}

/// The outcome of the calculation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShortestPaths {
    /// The routers of the tree by router id, the root included.
    pub routers: Vec<ReachedRouter>,
    /// The networks reached. A prefix stands here once for each router that advertises it.
    pub networks: Vec<ReachedNetwork>,
    /// TransitCapability: some router is the endpoint of a virtual link through this area (section 16.1 step 2).
    pub transit_capability: bool,
}

impl ShortestPaths {
    /// The path to `router`.
    #[must_use]
    pub fn router(&self, router: RouterId) -> Option<&ReachedRouter> {
        let at = self.routers.binary_search_by_key(&router, |reached| reached.router).ok()?;
        self.routers.get(at)
    }
}

/// Both sets of next hops, as one.
pub(super) fn merged(a: &NextHops, b: &NextHops) -> NextHops {
    if Arc::ptr_eq(a, b) || a == b {
        return Arc::clone(a);
    }
    let mut all: Vec<OspfNextHop> = a.iter().chain(b.iter()).copied().collect();
    all.sort_unstable();
    all.dedup();
    all.truncate(MAX_NEXT_HOPS);
    all.into()
}

/// Calculates the tree with `root` at its root. LSAs at MaxAge have no part in it.
#[must_use]
pub fn shortest_paths(
    database: &Database,
    root: RouterId,
    attachments: &[Attachment],
    now: Time,
) -> ShortestPaths {
    let graph = Graph::new(database, now);
    let Some(start) = graph.router(root) else { return ShortestPaths::default() };
    let mut tree = Tree::new(&graph, start, attachments);
    tree.grow();
    tree.outcome()
}

/// The state of Dijkstra's algorithm.
struct Tree<'g> {
    graph: &'g Graph<'g>,
    root: usize,
    attachments: &'g [Attachment],
    distance: Vec<u32>,
    next_hops: Vec<NextHops>,
    /// The vertex before each on a shortest path; of the root, itself.
    parent: Vec<usize>,
    /// The vertices of the tree, in the order in which they joined it.
    joined: Vec<usize>,
    is_joined: Vec<bool>,
    /// The candidate list; a vertex stands in it once for each improvement, and the nearest counts.
    candidates: BinaryHeap<Reverse<(u32, usize)>>,
}

impl<'g> Tree<'g> {
    fn new(graph: &'g Graph<'g>, root: usize, attachments: &'g [Attachment]) -> Self {
        let count = graph.len();
        let none: NextHops = Arc::new([]);
        let mut tree = Self {
            graph,
            root,
            attachments,
            distance: vec![u32::MAX; count],
            next_hops: vec![none; count],
            parent: vec![root; count],
            joined: Vec::with_capacity(count),
            is_joined: vec![false; count],
            candidates: BinaryHeap::with_capacity(count),
        };
        tree.distance[root] = 0;
        tree.candidates.push(Reverse((0, root)));
        tree
    }

    /// Steps 2 and 3 of the first stage, until the candidate list is empty.
    fn grow(&mut self) {
        while let Some(Reverse((distance, index))) = self.candidates.pop() {
            if self.is_joined[index] {
                continue;
            }
            self.is_joined[index] = true;
            self.joined.push(index);
            match self.graph.vertex(index) {
                Vertex::Router(id, lsa) => {
                    for link in &lsa.links {
                        self.follow(index, distance, id, link);
                    }
                }
                Vertex::Network(id, lsa) => {
                    for &router in &lsa.attached {
                        let Some(to) = self.graph.router(router) else { continue };
                        if self.is_joined[to] || !self.graph.links_to_network(to, id) {
                            continue;
                        }
                        let hops = |tree: &Self| tree.across(index, to, id);
                        self.relax(index, to, distance, hops);
                    }
                }
            }
        }
    }

    /// Step 2 for one link of a router vertex.
    fn follow(&mut self, from: usize, distance: u32, id: RouterId, link: &RouterLink) {
        let distance = distance.saturating_add(u32::from(link.metric));
        match link.kind {
            LinkKind::Stub => {}
            LinkKind::PointToPoint | LinkKind::Virtual => {
                let Some(to) = self.graph.router(RouterId(link.id)) else { return };
                if !self.is_joined[to] && self.graph.links_to_router(to, id) {
                    self.relax(from, to, distance, |tree| tree.along(from, link));
                }
            }
            LinkKind::Transit => {
                let networks = self.graph.networks(link.id);
                for to in networks {
                    if !self.is_joined[to] && self.graph.attaches(to, id) {
                        self.relax(from, to, distance, |tree| tree.along(from, link));
                    }
                }
            }
        }
    }

    /// Step 2(d): takes a path to `to` into account, if it is not longer than the best so far.
    fn relax(&mut self, from: usize, to: usize, distance: u32, hops: impl Fn(&Self) -> Option<NextHops>) {
        if distance > self.distance[to] || distance == u32::MAX {
            return;
        }
        let Some(hops) = hops(self) else { return };
        if distance < self.distance[to] {
            self.distance[to] = distance;
            self.next_hops[to] = hops;
            self.parent[to] = from;
            self.candidates.push(Reverse((distance, to)));
        } else {
            self.next_hops[to] = merged(&self.next_hops[to], &hops);
        }
    }

    /// Section 16.1.1: the next hops behind a link of a router vertex. `None` if the root has no attachment that fits its LSA.
    fn along(&self, from: usize, link: &RouterLink) -> Option<NextHops> {
        if from != self.root {
            return Some(Arc::clone(&self.next_hops[from]));
        }
        self.attachments.iter().find_map(|attachment| match (attachment, link.kind) {
            (Attachment::Network { address, interface }, LinkKind::Transit) if *address == link.data => {
                Some(Arc::new([OspfNextHop { interface: *interface, address: None }]) as NextHops)
            }
            (Attachment::Router { neighbor, data, next_hop }, LinkKind::PointToPoint)
                if neighbor.0 == link.id && *data == link.data =>
            {
                Some(Arc::new([*next_hop]) as NextHops)
            }
            (Attachment::Virtual { neighbor, next_hops }, LinkKind::Virtual) if neighbor.0 == link.id => {
                Some(Arc::clone(next_hops))
            }
            _ => None,
        })
    }

    /// Section 16.1.1: the next hops from a network to a router on it. Where the root is attached to the network, the
    /// router itself is the next hop, by the address in its own link to the network.
    fn across(&self, network: usize, to: usize, id: Ipv4Addr) -> Option<NextHops> {
        let inherited = &self.next_hops[network];
        if inherited.iter().all(|hop| hop.address.is_some()) {
            return Some(Arc::clone(inherited));
        }
        let Vertex::Router(_, lsa) = self.graph.vertex(to) else { return None };
        let mut hops: Vec<OspfNextHop> = Vec::new();
        for hop in inherited.iter() {
            match hop.address {
                Some(_) => hops.push(*hop),
                None => hops.extend(
                    addresses_on(lsa, id)
                        .map(|address| OspfNextHop { interface: hop.interface, address: Some(address) }),
                ),
            }
        }
        hops.sort_unstable();
        hops.dedup();
        hops.truncate(MAX_NEXT_HOPS);
        Some(hops.into())
    }

    /// The interface behind a stub link of the root.
    fn own_stub(&self, prefix: Ipv4Net) -> NextHops {
        let own = self.attachments.iter().filter_map(|attachment| match attachment {
            Attachment::Stub { prefix: own, interface } if *own == prefix => {
                Some(OspfNextHop { interface: *interface, address: None })
            }
            _ => None,
        });
        own.take(1).collect()
    }

    /// The address in a router's link back to the vertex before it.
    fn address(&self, index: usize, lsa: &RouterLsa) -> Option<Ipv4Addr> {
        let link = match self.graph.vertex(self.parent[index]) {
            _ if index == self.root => None,
            Vertex::Router(id, _) => {
                lsa.links.iter().find(|link| link.kind == LinkKind::PointToPoint && link.id == id.0)
            }
            Vertex::Network(id, _) => {
                lsa.links.iter().find(|link| link.kind == LinkKind::Transit && link.id == id)
            }
        };
        // Unnumbered links have the number of an interface there, which looks like an address in network 0.
        link.map(|link| link.data).filter(|address| address.octets()[0] != 0)
    }

    /// The second stage, stub links, and the tree as destinations.
    fn outcome(&self) -> ShortestPaths {
        let mut outcome = ShortestPaths {
            routers: Vec::with_capacity(self.joined.len()),
            networks: Vec::with_capacity(
                self.joined.iter().map(|&index| self.graph.destinations(index)).sum(),
            ),
            transit_capability: false,
        };
        for &index in &self.joined {
            let (distance, hops) = (self.distance[index], &self.next_hops[index]);
            match self.graph.vertex(index) {
                Vertex::Router(router, lsa) => {
                    outcome.transit_capability |= lsa.flags.virtual_endpoint;
                    outcome.routers.push(ReachedRouter {
                        router,
                        cost: distance,
                        next_hops: Arc::clone(hops),
                        flags: lsa.flags,
                        address: self.address(index, lsa),
                    });
                    outcome.networks.extend(lsa.links.iter().filter_map(|link| {
                        let prefix = link.stub_prefix()?;
                        let next_hops =
                            if index == self.root { self.own_stub(prefix) } else { Arc::clone(hops) };
                        let cost = distance.saturating_add(u32::from(link.metric));
                        Some(ReachedNetwork { prefix, cost, from: router, next_hops })
                    }));
                }
                Vertex::Network(id, lsa) => {
                    let Ok(prefix) = Ipv4Net::with_netmask(id, lsa.mask) else { continue };
                    outcome.networks.push(ReachedNetwork {
                        prefix: prefix.trunc(),
                        cost: distance,
                        from: self.graph.advertiser(index),
                        next_hops: Arc::clone(hops),
                    });
                }
            }
        }
        outcome.routers.sort_unstable_by_key(|reached| reached.router);
        outcome
    }
}

/// The addresses that a router has on the network of the DR with address `id`, from its transit links.
fn addresses_on(lsa: &RouterLsa, id: Ipv4Addr) -> impl Iterator<Item = Ipv4Addr> + '_ {
    lsa.links.iter().filter(move |link| link.kind == LinkKind::Transit && link.id == id).map(|link| link.data)
}
