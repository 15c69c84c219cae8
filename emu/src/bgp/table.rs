//! The BGP table: all paths to each destination, received or made here, with the choice among them.
//!
//! It is Adj-RIB-In and Loc-RIB in one, as `show ip bgp` shows it. Each change of a best path gives the destination a new version; the
//! order of versions is the order in which peers are told, and a peer knows everything up to the version that it was served.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::attributes::PathAttributes;
use crate::ids::RouterId;
use crate::rib::RouteOwner;
use crate::time::Time;

/// Where a path comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PathSource {
    /// `network`.
    Network,
    /// `redistribute`.
    Redistributed(RouteOwner),
    /// `aggregate-address`.
    Aggregate,
    /// `bgp inject-map`, made of a route of the peer of this address.
    Injected(Ipv4Addr),
    /// The peer of this address.
    Peer(Ipv4Addr),
}

impl PathSource {
    /// The peer that told it, or what it was made of.
    #[must_use]
    pub const fn peer(self) -> Option<Ipv4Addr> {
        match self {
            Self::Peer(address) | Self::Injected(address) => Some(address),
            _ => None,
        }
    }

    /// Whether it is a route of this router, taken from the routing table: a destination has at most one such path.
    #[must_use]
    pub const fn is_sourced(self) -> bool {
        matches!(self, Self::Network | Self::Redistributed(_))
    }
}

/// What a path is to this router, in the order of preference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PathKind {
    /// Made here.
    Local,
    /// From another AS.
    External,
    /// From another member AS of the confederation.
    Confederation,
    /// From the own AS.
    Internal,
}

/// A path to a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Path {
    /// Where it comes from.
    pub source: PathSource,
    /// The number that the peer has given it (RFC 7911), or 0.
    pub path_id: u32,
    /// The number under which it is told to peers that take several paths.
    pub sent_id: u32,
    /// What it is.
    pub kind: PathKind,
    /// Identifier of the peer, or our own.
    pub router_id: RouterId,
    /// Attributes behind the inbound policy.
    pub attributes: Arc<PathAttributes>,
    /// Attributes as received, kept by `soft-reconfiguration inbound`.
    pub received: Option<Arc<PathAttributes>>,
    /// Weight.
    pub weight: u16,
    /// When it was last received.
    pub updated: Time,
    /// What is known of it.
    pub status: PathStatus,
}

/// What is known of a path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathStatus {
    /// The inbound policy denies it; it is kept as `(received-only)`.
    pub denied: bool,
    /// Its peer has gone and may come back (RFC 4724), or a refresh has not confirmed it yet (RFC 7313).
    pub stale: bool,
    /// It is suppressed by dampening.
    pub damped: bool,
    /// It is used beside the best one.
    pub multipath: bool,
    /// The peer sends several paths.
    pub add_path: bool,
    /// As what it may be told beside the best one.
    pub marks: PathMarks,
}

/// As what `bgp additional-paths select` lets a path be told beside the best one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathMarks {
    /// `best N`: the best is 1, the next best 2 and 3; 0 is none of these.
    pub rank: u8,
    /// `group-best`: the best of those from its neighboring AS.
    pub group_best: bool,
    /// `all`: the best of those with its next hop.
    pub all: bool,
}

impl Path {
    /// The peer's address; unspecified for paths of this router.
    #[must_use]
    pub fn peer_address(&self) -> Ipv4Addr {
        self.source.peer().unwrap_or(Ipv4Addr::UNSPECIFIED)
    }

    /// Its name among the paths to its destination.
    #[must_use]
    pub const fn id(&self) -> PathId {
        PathId { source: self.source, path_id: self.path_id }
    }

    /// Local preference, or what stands for it.
    #[must_use]
    pub fn local_preference(&self, default: u32) -> u32 {
        self.attributes.local_preference.unwrap_or(default)
    }
}

/// Names a path to a destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PathId {
    /// Where it comes from.
    pub source: PathSource,
    /// The peer's number for it.
    pub path_id: u32,
}

/// A set of peers by their numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PeerSet {
    /// Those below 64.
    low: u64,
    /// The others.
    high: BTreeSet<u32>,
}

impl PeerSet {
    /// Whether a peer is in it.
    #[must_use]
    pub fn contains(&self, index: u32) -> bool {
        if index < 64 { self.low & (1 << index) != 0 } else { self.high.contains(&index) }
    }

    /// Adds a peer.
    pub fn insert(&mut self, index: u32) {
        if index < 64 {
            self.low |= 1 << index;
        } else {
            self.high.insert(index);
        }
    }

    /// Takes a peer out; tells whether it was in.
    pub fn remove(&mut self, index: u32) -> bool {
        let was = self.contains(index);
        if index < 64 {
            self.low &= !(1 << index);
        } else {
            self.high.remove(&index);
        }
        was
    }

    /// Whether no peer is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low == 0 && self.high.is_empty()
    }
}

/// A destination with its paths.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Destination {
    /// The paths, the one received last first.
    pub paths: Vec<Path>,
    /// The best one.
    pub best: Option<PathId>,
    /// The best path was changed or taken away since the last choice.
    pub(super) touched: bool,
    /// Another path was.
    pub(super) stirred: bool,
    /// An aggregate suppresses the destination.
    pub suppressed: bool,
    /// The version of the last change.
    pub version: u32,
    /// The version of the last change of the best path.
    pub(super) best_version: u32,
    /// The peers that know the destination from us.
    pub advertised: PeerSet,
    /// We offer a route to the routing table.
    pub installed: bool,
    /// The best path comes from a peer, and the routing table uses another route (`RIB-failure`).
    pub inactive: bool,
}

impl Destination {
    /// A path.
    #[must_use]
    pub fn path(&self, id: PathId) -> Option<&Path> {
        self.paths.iter().find(|path| path.id() == id)
    }

    /// The best path.
    #[must_use]
    pub fn best_path(&self) -> Option<&Path> {
        self.best.and_then(|id| self.path(id))
    }

    /// Puts a path first, in place of the one with its name. Tells whether anything is new.
    pub(super) fn put(&mut self, mut path: Path) -> bool {
        let id = path.id();
        let old = self.paths.iter().position(|p| p.id() == id);
        if let Some(known) = old.and_then(|at| self.paths.get_mut(at)) {
            path.sent_id = known.sent_id;
            path.status.multipath = known.status.multipath;
            path.status.marks = known.status.marks;
            let confirmed = PathStatus { stale: path.status.stale, ..known.status };
            if *known == (Path { updated: known.updated, status: known.status, ..path.clone() })
                && path.status == confirmed
            {
                known.status = confirmed;
                return false;
            }
            if *known == (Path { updated: known.updated, status: known.status, ..path.clone() }) {
                // Only its status: it keeps its place.
                *known = path;
                self.note(id);
                return true;
            }
        } else {
            path.sent_id = self.free_sent_id();
        }
        if let Some(at) = old {
            self.paths.remove(at);
        }
        self.note(id);
        self.paths.insert(0, path);
        true
    }

    /// A path is new, or another one now.
    fn note(&mut self, id: PathId) {
        if self.best == Some(id) {
            self.touched = true;
        } else {
            self.stirred = true;
        }
    }

    fn free_sent_id(&self) -> u32 {
        (1..).find(|id| self.paths.iter().all(|path| path.sent_id != *id)).unwrap_or(u32::MAX)
    }

    /// Takes the paths out for which `doomed` holds; tells whether there were any.
    pub(super) fn remove(&mut self, mut doomed: impl FnMut(&Path) -> bool) -> bool {
        let before = self.paths.len();
        let best = self.best;
        let (mut touched, mut stirred) = (false, false);
        self.paths.retain(|path| {
            let goes = doomed(path);
            let is_best = Some(path.id()) == best;
            touched |= goes && is_best;
            stirred |= goes && !is_best;
            !goes
        });
        self.touched |= touched;
        self.stirred |= stirred;
        self.paths.len() != before
    }
}

/// The destinations of an instance, with their versions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    destinations: BTreeMap<Ipv4Net, Destination>,
    /// The destinations by version.
    log: BTreeMap<u32, Ipv4Net>,
    /// The version of the last change (`BGP table version`).
    version: u32,
    /// Destinations whose paths have changed since the last choice.
    pub(super) dirty: BTreeSet<Ipv4Net>,
}

impl Table {
    /// The version of the last change.
    #[must_use]
    pub const fn version(&self) -> u32 {
        self.version
    }

    /// A destination.
    #[must_use]
    pub fn get(&self, prefix: Ipv4Net) -> Option<&Destination> {
        self.destinations.get(&prefix)
    }

    pub(super) fn get_mut(&mut self, prefix: Ipv4Net) -> Option<&mut Destination> {
        self.destinations.get_mut(&prefix)
    }

    /// All destinations in the order of their prefixes; some may have no path left.
    pub fn iter(&self) -> impl Iterator<Item = (Ipv4Net, &Destination)> {
        self.destinations.iter().map(|(&prefix, destination)| (prefix, destination))
    }

    /// The destinations within a prefix, that one included, in order.
    pub fn within(&self, prefix: Ipv4Net) -> impl Iterator<Item = (Ipv4Net, &Destination)> {
        let first = Ipv4Net::new(prefix.network(), 0).unwrap_or(prefix);
        self.destinations
            .range(first..)
            .take_while(move |(p, _)| p.network() <= prefix.broadcast())
            .filter(move |(p, _)| prefix.contains(*p))
            .map(|(&p, destination)| (p, destination))
    }

    /// The destination of the longest prefix that contains an address and has a path.
    #[must_use]
    pub fn lookup(&self, address: Ipv4Addr) -> Option<(Ipv4Net, &Destination)> {
        (0..=32).rev().find_map(|length| {
            let prefix = Ipv4Net::new(address, length).ok()?.trunc();
            let destination = self.destinations.get(&prefix).filter(|d| !d.paths.is_empty())?;
            Some((prefix, destination))
        })
    }

    /// How many destinations have paths.
    #[must_use]
    pub fn len(&self) -> usize {
        self.destinations.values().filter(|destination| !destination.paths.is_empty()).count()
    }

    /// Whether there is no path at all.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds or replaces a path.
    pub(super) fn put(&mut self, prefix: Ipv4Net, path: Path) {
        if self.destinations.entry(prefix).or_default().put(path) {
            self.dirty.insert(prefix);
        }
    }

    /// Takes paths to a destination out; tells whether there were any.
    pub(super) fn remove(&mut self, prefix: Ipv4Net, doomed: impl FnMut(&Path) -> bool) -> bool {
        let removed = self.destinations.get_mut(&prefix).is_some_and(|d| d.remove(doomed));
        if removed {
            self.dirty.insert(prefix);
        }
        removed
    }

    /// Dampening lets a path go.
    pub(super) fn release(&mut self, prefix: Ipv4Net, id: PathId) {
        let Some(destination) = self.destinations.get_mut(&prefix) else { return };
        for path in destination.paths.iter_mut().filter(|path| path.id() == id && path.status.damped) {
            path.status.damped = false;
            self.dirty.insert(prefix);
        }
    }

    /// The destination is to be told again.
    pub(super) fn touch(&mut self, prefix: Ipv4Net) {
        if let Some(destination) = self.destinations.get_mut(&prefix) {
            destination.touched = true;
            self.dirty.insert(prefix);
        }
    }

    /// The destinations with a path for which `holds`.
    pub(super) fn with_path(&self, holds: impl Fn(&Path) -> bool) -> Vec<Ipv4Net> {
        self.iter().filter(|(_, d)| d.paths.iter().any(&holds)).map(|(prefix, _)| prefix).collect()
    }

    /// The next hops of all paths.
    pub(super) fn next_hops(&self) -> BTreeSet<Ipv4Addr> {
        let paths = self.destinations.values().flat_map(|destination| &destination.paths);
        paths.map(|path| path.attributes.next_hop).collect()
    }

    /// Gives a destination a new version. `best` tells whether its best path is what has changed.
    pub(super) fn bump(&mut self, prefix: Ipv4Net, best: bool) {
        let Some(destination) = self.destinations.get_mut(&prefix) else { return };
        self.log.remove(&destination.version);
        self.version = self.version.saturating_add(1);
        destination.version = self.version;
        if best {
            destination.best_version = self.version;
        }
        self.log.insert(self.version, prefix);
    }

    /// Forgets a destination without paths that no peer knows.
    pub(super) fn forget_unused(&mut self, prefix: Ipv4Net) {
        let unused = |d: &Destination| d.paths.is_empty() && d.advertised.is_empty() && !d.installed;
        if let Some(destination) = self.destinations.get(&prefix)
            && unused(destination)
        {
            self.log.remove(&destination.version);
            self.destinations.remove(&prefix);
        }
    }

    /// At most `count` destinations changed after a version, in the order of versions.
    pub(super) fn changed_after(&self, version: u32, count: usize) -> Vec<(u32, Ipv4Net)> {
        let from = version.saturating_add(1);
        self.log.range(from..).take(count).map(|(&version, &prefix)| (version, prefix)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bgp::attributes::Origin;
    use crate::testing::net;

    pub(crate) fn path(peer: &str) -> Path {
        Path {
            source: PathSource::Peer(peer.parse().unwrap()),
            path_id: 0,
            sent_id: 0,
            kind: PathKind::External,
            router_id: RouterId(peer.parse().unwrap()),
            attributes: Arc::new(PathAttributes::local(Origin::Igp)),
            received: None,
            weight: 0,
            updated: Time::ZERO,
            status: PathStatus::default(),
        }
    }

    #[test]
    fn a_changed_path_comes_first_and_an_equal_one_changes_nothing() {
        let mut destination = Destination::default();
        assert!(destination.put(path("1.1.1.1")));
        assert!(destination.put(path("2.2.2.2")));
        assert!(!destination.put(Path { updated: Time::from_secs(9), ..path("1.1.1.1") }));
        assert_eq!(destination.paths[1].updated, Time::ZERO);
        assert!(destination.put(Path { weight: 5, ..path("1.1.1.1") }));
        let order: Vec<Ipv4Addr> = destination.paths.iter().map(Path::peer_address).collect();
        assert_eq!(order, ["1.1.1.1", "2.2.2.2"].map(|a| a.parse::<Ipv4Addr>().unwrap()));
        assert_eq!(destination.paths[0].sent_id, 1);
    }

    #[test]
    fn versions_keep_the_order_of_changes() {
        let mut table = Table::default();
        for prefix in ["10.0.0.0/8", "10.1.0.0/16", "10.0.0.0/8"] {
            table.put(net(prefix), path("1.1.1.1"));
            table.bump(net(prefix), true);
        }
        assert_eq!(table.version(), 3);
        assert_eq!(table.changed_after(0, 9), [(2, net("10.1.0.0/16")), (3, net("10.0.0.0/8"))]);
        assert_eq!(table.changed_after(2, 9).len(), 1);
        table.remove(net("10.0.0.0/8"), |_| true);
        table.forget_unused(net("10.0.0.0/8"));
        assert_eq!(table.changed_after(0, 9).len(), 1);
    }

    #[test]
    fn destinations_within_a_prefix_are_found() {
        let mut table = Table::default();
        for prefix in ["10.0.0.0/8", "10.1.0.0/16", "10.1.2.0/24", "10.2.0.0/16", "0.0.0.0/0"] {
            table.put(net(prefix), path("1.1.1.1"));
        }
        let within: Vec<String> = table.within(net("10.1.0.0/16")).map(|(p, _)| p.to_string()).collect();
        assert_eq!(within, ["10.1.0.0/16", "10.1.2.0/24"]);
        assert_eq!(table.within(net("0.0.0.0/0")).count(), 5);
        assert_eq!(table.lookup("10.1.2.3".parse().unwrap()).unwrap().0, net("10.1.2.0/24"));
        assert_eq!(table.lookup("11.1.2.3".parse().unwrap()).unwrap().0, net("0.0.0.0/0"));
    }

    #[test]
    fn peers_beyond_the_first_64_are_kept_too() {
        let mut set = PeerSet::default();
        for index in [0, 63, 64, 1000] {
            set.insert(index);
            assert!(set.contains(index));
        }
        for index in [0, 63, 64, 1000] {
            assert!(set.remove(index) && !set.remove(index));
        }
        assert!(set.is_empty());
    }
}
