//! The topology table (RFC 7868 section 3.1): for each destination the paths that are known, the successors, the state of DUAL.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::dual::{Choice, DualState};
use super::metric::{Distance, Vector};
use super::packet::ExternalData;
use crate::ids::{IfIndex, RouterId};
use crate::time::Time;

/// Names a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct NeighborKey {
    /// The interface it was heard on.
    pub interface: IfIndex,
    /// Its address.
    pub address: Ipv4Addr,
}

/// Where a path comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PathSource {
    /// The subnet of an interface that EIGRP runs on.
    Connected(IfIndex),
    /// Another protocol, by redistribution.
    Redistributed,
    /// A summary made here.
    Summary,
    /// A neighbor.
    Neighbor(NeighborKey),
}

impl PathSource {
    /// The neighbor, if it is one.
    #[must_use]
    pub const fn neighbor(self) -> Option<NeighborKey> {
        match self {
            Self::Neighbor(key) => Some(key),
            Self::Connected(_) | Self::Redistributed | Self::Summary => None,
        }
    }

    /// The interface that split horizon looks at.
    #[must_use]
    pub const fn interface(self) -> Option<IfIndex> {
        match self {
            Self::Connected(interface) => Some(interface),
            Self::Neighbor(key) => Some(key.interface),
            Self::Redistributed | Self::Summary => None,
        }
    }
}

/// A distance as paths are compared by: every internal path is better than any external one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Rank {
    external: bool,
    distance: Distance,
}

impl Rank {
    /// Greater than any other.
    pub const INFINITE: Self = Self { external: true, distance: Distance::INFINITE };

    /// The rank of a path.
    #[must_use]
    pub fn new(external: bool, distance: Distance) -> Self {
        if distance.is_finite() { Self { external, distance } } else { Self::INFINITE }
    }

    /// The composite metric.
    #[must_use]
    pub const fn distance(self) -> Distance {
        self.distance
    }

    /// Whether there is a way.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.distance.is_finite()
    }
}

/// What a path carries besides its metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Attributes {
    /// The router that originated the route; unspecified where classic TLVs do not say it.
    pub originator: RouterId,
    /// Origin, of external routes.
    pub external: Option<Arc<ExternalData>>,
    /// The destination may serve as default (`ip default-network`; "exterior" in IOS).
    pub candidate_default: bool,
}

impl Attributes {
    /// The tag; 0 is none.
    #[must_use]
    pub fn tag(&self) -> u32 {
        self.external.as_ref().map_or(0, |external| external.tag)
    }
}

/// A path to a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// Where it comes from.
    pub source: PathSource,
    /// The metric as the neighbor tells it; of paths of this router, its own.
    pub reported: Vector,
    /// The metric by this path: as reported, with filters, offsets and the link before it.
    pub vector: Vector,
    /// RD: the distance of the neighbor; 0 of this router's own paths.
    pub reported_distance: Rank,
    /// The distance by this path.
    pub distance: Rank,
    /// Whom to send to; `None` is the neighbor itself.
    pub next_hop: Option<Ipv4Addr>,
    /// Attributes.
    pub attributes: Attributes,
}

/// What this router tells of a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Told {
    /// The path it is taken from.
    pub source: PathSource,
    /// The metric.
    pub vector: Vector,
    /// Whom others may send to, with `no next-hop-self`; `None` is the neighbor itself.
    pub next_hop: Option<Ipv4Addr>,
    /// Attributes.
    pub attributes: Attributes,
}

/// How far a neighbor is with its reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaited {
    /// SIA queries sent since the query.
    pub sia_queries: u8,
    /// The last one is not answered.
    pub sia_unanswered: bool,
}

/// A diffusing computation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Computation {
    /// When the destination went active.
    pub since: Time,
    /// The neighbors that have still to reply: r(i,j,k) of the RFC.
    pub awaited: BTreeMap<NeighborKey, Awaited>,
    /// The successors that have asked, and wait.
    pub waiting: BTreeSet<NeighborKey>,
    /// What was told before.
    pub told_before: Option<Told>,
}

/// A destination.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// State of DUAL.
    pub state: DualState,
    /// FD.
    pub feasible_distance: Option<Rank>,
    /// The paths in use, in order; frozen while active.
    pub successors: Vec<PathSource>,
    /// What this router tells others; frozen while active. `None` is unreachable.
    pub told: Option<Told>,
    /// The paths that lead there, in order of their sources.
    paths: Vec<Path>,
    /// The computation, while active.
    pub computation: Option<Box<Computation>>,
    /// The routing table has a better route of another protocol.
    pub rib_failure: bool,
    /// The number of the last change of what others are told (`serno`); 0 before the first.
    pub serial: u64,
}

impl Destination {
    /// The paths, in order of their sources.
    #[must_use]
    pub fn paths(&self) -> &[Path] {
        &self.paths
    }

    /// The path of a source.
    #[must_use]
    pub fn path(&self, source: PathSource) -> Option<&Path> {
        let at = self.paths.binary_search_by_key(&source, |path| path.source).ok()?;
        self.paths.get(at)
    }

    /// Whether a path in use is marked as one that may serve as default. The default route itself needs no mark.
    #[must_use]
    pub fn is_candidate_default(&self) -> bool {
        let mut used = self.successors.iter().filter_map(|source| self.path(*source));
        used.any(|path| path.attributes.candidate_default)
    }

    /// FD; infinite if there is no way.
    #[must_use]
    pub fn feasible_distance(&self) -> Rank {
        self.feasible_distance.unwrap_or(Rank::INFINITE)
    }

    /// Puts in a path, or takes out the one of the source; gives the distance by it before and now.
    pub fn set_path(&mut self, source: PathSource, path: Option<Path>) -> (Rank, Rank) {
        let now = path.as_ref().map_or(Rank::INFINITE, |path| path.distance);
        let found = self.paths.binary_search_by_key(&source, |path| path.source);
        let before = match (found, path) {
            (Ok(at), Some(path)) => self.paths.get_mut(at).map(|old| std::mem::replace(old, path).distance),
            (Ok(at), None) => Some(self.paths.remove(at).distance),
            (Err(at), Some(path)) => {
                self.paths.insert(at, path);
                None
            }
            (Err(_), None) => None,
        };
        (before.unwrap_or(Rank::INFINITE), now)
    }

    /// The paths that may be used: after a failure in the routing table only those of this router, if it has any.
    fn candidates(&self) -> impl Iterator<Item = &Path> {
        let is_own = |path: &&Path| path.source.neighbor().is_none();
        let own_only = self.rib_failure && self.paths.iter().any(|path| is_own(&path));
        self.paths
            .iter()
            .filter(move |path| path.distance.is_finite() && (!own_only || path.source.neighbor().is_none()))
    }

    /// The distance of the shortest path.
    #[must_use]
    pub fn shortest(&self) -> Rank {
        self.candidates().map(|path| path.distance).min().unwrap_or(Rank::INFINITE)
    }

    /// Whether a path meets the feasibility condition (RFC 7868 section 3.4): its neighbor is nearer to the destination than this
    /// router ever was since the last computation.
    #[must_use]
    pub fn is_feasible(&self, path: &Path) -> bool {
        path.reported_distance < self.feasible_distance()
    }

    /// Whether the shortest path meets the feasibility condition, or there is none and was none.
    #[must_use]
    pub fn shortest_is_feasible(&self) -> bool {
        let shortest = self.shortest();
        if !shortest.is_finite() {
            return !self.feasible_distance().is_finite();
        }
        self.candidates().any(|path| path.distance == shortest && self.is_feasible(path))
    }

    /// Chooses the successors; tells whether what is told of the destination is something else now.
    pub fn choose(&mut self, choice: Choice) -> bool {
        match choice {
            Choice::Frozen => return false,
            Choice::Feasible => {}
            Choice::Free => self.feasible_distance = None,
        }
        let shortest = self.shortest();
        let chosen: Vec<PathSource> = self
            .candidates()
            .filter(|path| path.distance == shortest && self.is_feasible(path))
            .map(|path| path.source)
            .collect();
        self.feasible_distance =
            if shortest.is_finite() { Some(self.feasible_distance().min(shortest)) } else { None };
        // The first of equal successors is told as long as it is one.
        let keep = self.told.as_ref().map(|told| told.source).filter(|source| chosen.contains(source));
        let told = keep.or(chosen.first().copied()).and_then(|source| self.telling(source));
        self.successors = chosen;
        let changed = told != self.told;
        self.told = told;
        changed
    }

    /// What is told of the destination by way of a path.
    fn telling(&self, source: PathSource) -> Option<Told> {
        let Path { vector, next_hop, attributes, .. } = self.path(source)?;
        let path = Told { source, vector: *vector, next_hop: *next_hop, attributes: attributes.clone() };
        path.vector.is_reachable().then_some(path)
    }

    /// Goes active, or asks again: what is told, and the feasible distance, become those of the way by the successors as it is now.
    pub fn freeze(&mut self) {
        let best = self
            .successors
            .iter()
            .filter_map(|source| self.path(*source))
            .min_by_key(|path| path.distance)
            .filter(|path| path.distance.is_finite());
        let (distance, source) = (best.map(|path| path.distance), best.map(|path| path.source));
        self.feasible_distance = distance;
        self.told = source.and_then(|source| self.telling(source));
    }

    /// Whether nothing is known and nobody waits for an answer.
    #[must_use]
    pub fn is_forgotten(&self) -> bool {
        self.paths.is_empty() && !self.state.is_active() && self.told.is_none()
    }

    /// The paths beside the successors that may carry traffic too, with `variance`: they meet the feasibility condition, and are at
    /// most `variance` times as long as the shortest.
    pub fn alternatives(&self, variance: u8) -> impl Iterator<Item = &Path> {
        let shortest = self.shortest();
        let limit = shortest.distance().0.saturating_mul(u64::from(variance));
        self.candidates().filter(move |path| {
            !self.successors.contains(&path.source)
                && !self.state.is_active()
                && self.is_feasible(path)
                && Rank { distance: shortest.distance, ..path.distance } == shortest
                && path.distance.distance.0 < limit
        })
    }
}

#[cfg(test)]
mod tests;
