//! The forwarding table: longest match to resolved paths.
//!
//! It works like CEF. An entry holds only the number of a load: the set of next hops that it shares with all routes that have
//! the same. A load is resolved once, and again only when a route to an address that its resolution has looked up
//! changes; so a million BGP prefixes behind one next hop move together when the IGP reroutes that next hop.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use prefix_trie::PrefixMap;
use serde::{Deserialize, Serialize};

use super::resolve::{Path, Resolution, RouteView, resolve_next_hops};
use super::{NextHop, Rib, Route, RouteChange, RouteKind, TableId};
use crate::ids::IfIndex;

/// What to do with a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ForwardingDecision {
    /// Send it.
    Forward {
        /// Out of this interface.
        interface: IfIndex,
        /// To this router, or to the destination itself if that is on the link.
        next_hop: Ipv4Addr,
    },
    /// It is for this router.
    Receive,
    /// Discard it on purpose (Null0, and destinations that are never forwarded).
    Discard,
    /// Nothing leads there.
    NoRoute,
}

/// What a forwarding entry holds, as `show ip cef` says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FibEntry<'a> {
    /// `receive`: an address of this router.
    Receive(IfIndex),
    /// `attached` to a subnet of the interface; the network's and broadcast addresses are received.
    Connected(IfIndex),
    /// `drop` to Null0.
    Discard,
    /// Paths to send by; empty if the next hops lead nowhere (`unresolved`).
    Paths(&'a [Path]),
}

/// The number of a load in its table.
type LoadId = u32;

/// What makes two routes share a load.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum LoadKey {
    Receive(IfIndex),
    Connected(IfIndex),
    Discard,
    NextHops(Arc<[NextHop]>),
}

impl LoadKey {
    fn of(route: &Route) -> Self {
        let interface = route.next_hops.first().and_then(|hop| hop.interface);
        match (route.kind, interface) {
            (RouteKind::Local, Some(interface)) => Self::Receive(interface),
            (RouteKind::Connected, Some(interface)) => Self::Connected(interface),
            _ if route.next_hops.is_empty() => Self::Discard,
            _ if route.next_hops.iter().all(|hop| hop.learned_from.is_none()) => {
                Self::NextHops(Arc::clone(&route.next_hops))
            }
            // Who told us makes no difference to where packets go.
            _ => Self::NextHops(
                route.next_hops.iter().map(|hop| NextHop { learned_from: None, ..*hop }).collect(),
            ),
        }
    }
}

/// A set of next hops, resolved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Load {
    key: LoadKey,
    /// How many entries use it.
    users: u32,
    resolution: Resolution,
}

/// The forwarding table of one VRF and address family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct ForwardingTable {
    entries: PrefixMap<Ipv4Net, LoadId>,
    loads: BTreeMap<LoadId, Load>,
    by_key: BTreeMap<LoadKey, LoadId>,
    /// By address: the loads whose resolution has looked it up.
    dependents: BTreeMap<Ipv4Addr, BTreeSet<LoadId>>,
    /// The least number never given to a load.
    next_id: LoadId,
}

/// Looks up in no table at all.
struct NoRoutes;

impl RouteView for NoRoutes {
    fn longest_match(&self, _: Ipv4Addr) -> Option<&Route> {
        None
    }
}

impl ForwardingTable {
    /// Resolves next hops in the table as it is now, without the paths through interfaces that are down.
    fn resolve(key: &LoadKey, rib: &Rib, table: TableId, down: &BTreeSet<IfIndex>) -> Resolution {
        let LoadKey::NextHops(next_hops) = key else { return Resolution::default() };
        let mut resolution = match rib.table(table) {
            Some(routes) => resolve_next_hops(routes, next_hops),
            None => resolve_next_hops(&NoRoutes, next_hops),
        };
        resolution.paths.retain(|path| !down.contains(&path.interface));
        resolution
    }

    /// The load of `key`, made if there is none, with one user more.
    fn acquire(&mut self, key: LoadKey, rib: &Rib, table: TableId, down: &BTreeSet<IfIndex>) -> LoadId {
        if let Some((id, load)) = self.by_key.get(&key).and_then(|id| Some((*id, self.loads.get_mut(id)?))) {
            load.users += 1;
            return id;
        }
        let id = self.next_id;
        self.next_id += 1;
        let resolution = Self::resolve(&key, rib, table, down);
        self.depend(id, &resolution.consulted);
        self.by_key.insert(key.clone(), id);
        self.loads.insert(id, Load { key, users: 1, resolution });
        id
    }

    /// One user less; the last one takes the load with it.
    fn release(&mut self, id: LoadId) {
        let Some(load) = self.loads.get_mut(&id) else { return };
        load.users -= 1;
        if load.users == 0
            && let Some(load) = self.loads.remove(&id)
        {
            self.by_key.remove(&load.key);
            self.no_longer_depend(id, &load.resolution.consulted);
        }
    }

    fn depend(&mut self, id: LoadId, addresses: &[Ipv4Addr]) {
        for address in addresses {
            self.dependents.entry(*address).or_default().insert(id);
        }
    }

    fn no_longer_depend(&mut self, id: LoadId, addresses: &[Ipv4Addr]) {
        for address in addresses {
            if let Some(ids) = self.dependents.get_mut(address) {
                ids.remove(&id);
                if ids.is_empty() {
                    self.dependents.remove(address);
                }
            }
        }
    }

    /// Resolves loads again.
    fn refresh(&mut self, ids: BTreeSet<LoadId>, rib: &Rib, table: TableId, down: &BTreeSet<IfIndex>) {
        for id in ids {
            let Some(load) = self.loads.get_mut(&id) else { continue };
            let fresh = Self::resolve(&load.key, rib, table, down);
            let stale = std::mem::replace(&mut load.resolution, fresh.clone());
            if stale.consulted != fresh.consulted {
                self.no_longer_depend(id, &stale.consulted);
                self.depend(id, &fresh.consulted);
            }
        }
    }

    fn apply(&mut self, change: &RouteChange, rib: &Rib, down: &BTreeSet<IfIndex>) {
        let stale = match &change.new {
            Some(route) => {
                let id = self.acquire(LoadKey::of(route), rib, change.table, down);
                self.entries.insert(change.prefix, id)
            }
            None => self.entries.remove(&change.prefix),
        };
        if let Some(id) = stale {
            self.release(id);
        }
        let span = change.prefix.network()..=change.prefix.broadcast();
        let affected: BTreeSet<LoadId> =
            self.dependents.range(span).flat_map(|(_, ids)| ids.iter().copied()).collect();
        self.refresh(affected, rib, change.table, down);
    }

    /// The entry used for an address.
    fn find(&self, address: Ipv4Addr, last_resort: Option<Ipv4Net>) -> Option<(Ipv4Net, &LoadId)> {
        self.entries
            .get_lpm(&Ipv4Net::from(address))
            .or_else(|| last_resort.and_then(|network| Some((network, self.entries.get(&network)?))))
    }

    fn decide(&self, destination: Ipv4Addr, flow: u32, last_resort: Option<Ipv4Net>) -> ForwardingDecision {
        let found = self.find(destination, last_resort);
        let Some((prefix, load)) = found.and_then(|(prefix, id)| Some((prefix, self.loads.get(id)?))) else {
            return ForwardingDecision::NoRoute;
        };
        match &load.key {
            LoadKey::Receive(_) => ForwardingDecision::Receive,
            LoadKey::Connected(_) if is_subnet_edge(prefix, destination) => ForwardingDecision::Receive,
            LoadKey::Connected(interface) => {
                ForwardingDecision::Forward { interface: *interface, next_hop: destination }
            }
            LoadKey::Discard => ForwardingDecision::Discard,
            LoadKey::NextHops(_) => match choose(&load.resolution.paths, flow) {
                Some(path) => ForwardingDecision::Forward {
                    interface: path.interface,
                    next_hop: path.gateway.unwrap_or(destination),
                },
                None if load.resolution.discard => ForwardingDecision::Discard,
                None => ForwardingDecision::NoRoute,
            },
        }
    }
}

/// Whether `address` is the network's own or the broadcast address of a subnet that has such (not /31 and /32, RFC 3021).
fn is_subnet_edge(subnet: Ipv4Net, address: Ipv4Addr) -> bool {
    subnet.prefix_len() < 31 && (address == subnet.network() || address == subnet.broadcast())
}

/// The path of a flow: each gets as many of the hash values as its weight says.
fn choose(paths: &[Path], flow: u32) -> Option<&Path> {
    let total: u64 = paths.iter().map(|path| u64::from(path.weight)).sum();
    let mut point = (u64::from(flow).saturating_mul(total)) >> 32;
    paths.iter().find(|path| {
        let weight = u64::from(path.weight);
        let here = point < weight;
        point = point.saturating_sub(weight);
        here
    })
}

/// The hash by which CEF shares load per destination: of source and destination, and of a number of the router's own (the
/// "universal" algorithm), without which routers in a row would all take the same turn.
#[must_use]
pub fn flow_hash(source: Ipv4Addr, destination: Ipv4Addr, router: u32) -> u32 {
    let words = [u32::from(source), u32::from(destination), router];
    let mixed = words.into_iter().fold(0x9e37_79b9_7f4a_7c15_u64, |hash, word| {
        let hash = (hash ^ u64::from(word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^ (hash >> 29)
    });
    (mixed >> 32) as u32
}

/// The forwarding tables of a router.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fib {
    tables: BTreeMap<TableId, Arc<ForwardingTable>>,
    /// Interfaces that carry nothing now: no path leads through them.
    down: BTreeSet<IfIndex>,
    /// The networks whose entries serve destinations that no entry matches.
    last_resorts: BTreeMap<TableId, Ipv4Net>,
}

impl Fib {
    /// Takes in a change of the RIB, which must already hold it.
    pub fn apply(&mut self, rib: &Rib, change: &RouteChange) {
        let table = Arc::make_mut(self.tables.entry(change.table).or_default());
        table.apply(change, rib, &self.down);
    }

    /// Takes in that an interface went down or came up: paths through it go at once, before any protocol has noticed.
    pub fn set_interface_up(&mut self, rib: &Rib, interface: IfIndex, up: bool) {
        let changed = if up { self.down.remove(&interface) } else { self.down.insert(interface) };
        if !changed {
            return;
        }
        for (&id, table) in &mut self.tables {
            let affected: BTreeSet<LoadId> = table
                .loads
                .iter()
                .filter(|(_, load)| matches!(load.key, LoadKey::NextHops(_)))
                .map(|(&load, _)| load)
                .collect();
            Arc::make_mut(table).refresh(affected, rib, id, &self.down);
        }
    }

    /// Lets the entry of a network serve destinations that no entry matches (`ip default-network`).
    pub fn set_last_resort(&mut self, table: TableId, network: Option<Ipv4Net>) {
        match network {
            Some(network) => self.last_resorts.insert(table, network),
            None => self.last_resorts.remove(&table),
        };
    }

    /// Whether some table has a network of last resort.
    #[must_use]
    pub fn has_last_resort(&self) -> bool {
        !self.last_resorts.is_empty()
    }

    /// The network whose entry serves destinations that no entry matches.
    #[must_use]
    pub fn last_resort(&self, table: TableId) -> Option<Ipv4Net> {
        self.last_resorts.get(&table).copied()
    }

    /// What to do with a packet to `destination`; `flow` (see [`flow_hash`]) chooses among several paths.
    #[must_use]
    pub fn lookup(&self, table: TableId, destination: Ipv4Addr, flow: u32) -> ForwardingDecision {
        match destination.octets() {
            [255, 255, 255, 255] => return ForwardingDecision::Receive,
            [0 | 127 | 224..=255, ..] => return ForwardingDecision::Discard,
            _ => {}
        }
        self.tables
            .get(&table)
            .map_or(ForwardingDecision::NoRoute, |t| t.decide(destination, flow, self.last_resort(table)))
    }

    /// The entry of exactly this prefix.
    #[must_use]
    pub fn entry(&self, table: TableId, prefix: Ipv4Net) -> Option<FibEntry<'_>> {
        let table = self.tables.get(&table)?;
        table.loads.get(table.entries.get(&prefix)?).map(Load::entry)
    }

    /// The entry used for an address, with its prefix.
    #[must_use]
    pub fn entry_for(&self, table: TableId, address: Ipv4Addr) -> Option<(Ipv4Net, FibEntry<'_>)> {
        let last_resort = self.last_resort(table);
        let table = self.tables.get(&table)?;
        let (prefix, id) = table.find(address, last_resort)?;
        Some((prefix, table.loads.get(id)?.entry()))
    }

    /// All entries in the order of their prefixes.
    pub fn entries(&self, table: TableId) -> impl Iterator<Item = (Ipv4Net, FibEntry<'_>)> {
        self.tables.get(&table).into_iter().flat_map(|t| {
            t.entries.iter().filter_map(|(prefix, id)| Some((prefix, t.loads.get(id)?.entry())))
        })
    }

    /// How many entries a table has.
    #[must_use]
    pub fn len(&self, table: TableId) -> usize {
        self.tables.get(&table).map_or(0, |t| t.entries.len())
    }

    /// Whether a table has no entry.
    #[must_use]
    pub fn is_empty(&self, table: TableId) -> bool {
        self.len(table) == 0
    }

    /// Removes a table, as when a VRF is deleted.
    pub fn remove_table(&mut self, table: TableId) {
        self.tables.remove(&table);
        self.last_resorts.remove(&table);
    }
}

impl Load {
    fn entry(&self) -> FibEntry<'_> {
        match self.key {
            LoadKey::Receive(interface) => FibEntry::Receive(interface),
            LoadKey::Connected(interface) => FibEntry::Connected(interface),
            LoadKey::Discard => FibEntry::Discard,
            LoadKey::NextHops(_) if self.resolution.discard && self.resolution.paths.is_empty() => {
                FibEntry::Discard
            }
            LoadKey::NextHops(_) => FibEntry::Paths(&self.resolution.paths),
        }
    }
}
