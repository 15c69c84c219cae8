//! The routing information base and the forwarding information base.
//!
//! | file | what it holds |
//! |---|---|
//! | `route.rs` | [`Route`] as a process offers it, [`RouteChange`] as it is announced |
//! | `distance.rs` | IOS's default administrative distances |
//! | `table.rs` | [`RouteTable`]: the offers for each prefix of one table, the best first |
//! | `resolve.rs` | recursive next hops down to interfaces, without loops |
//! | `fib.rs` | [`Fib`]: longest match to resolved paths, kept up to date by route changes |
//!
//! Flow of a change: a process asks for `Install` or `Withdraw`; [`Rib::install`] or [`Rib::withdraw`] returns a [`RouteChange`]
//! if the best route is another one now; the router gives that to [`Fib::apply`] and to every process.

pub mod distance;
mod fib;
mod resolve;
mod route;
mod table;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use fib::{Fib, FibEntry, ForwardingDecision, flow_hash};
pub use resolve::{Path, Resolution, RouteView, resolve_address, resolve_next_hops};
pub use route::{NextHop, Route, RouteChange, RouteKind, RouteOwner, TableId};
pub use table::RouteTable;

/// The routing tables of a router, one for each VRF and address family.
///
/// A table sits behind an [`Arc`], so that a clone of a router shares its tables until one of the two changes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rib {
    tables: BTreeMap<TableId, Arc<RouteTable>>,
}

impl Rib {
    /// Takes an owner's offer for a prefix, in place of its previous one. Tells whether the best route is another one now.
    ///
    /// An offer equal to the previous one but for [`Route::installed`] changes nothing, and the age goes on.
    pub fn install(&mut self, table: TableId, route: Route) -> Option<RouteChange> {
        let current = self.tables.entry(table).or_default();
        if current.holds(&route) {
            return None;
        }
        let prefix = route.prefix.trunc();
        let (old, new) = Arc::make_mut(current).install(route);
        change(table, prefix, old, new)
    }

    /// Takes back an owner's offer for a prefix.
    pub fn withdraw(&mut self, table: TableId, owner: RouteOwner, prefix: Ipv4Net) -> Option<RouteChange> {
        let current = self.tables.get_mut(&table)?;
        current.offer_of(owner, prefix)?;
        let (old, new) = Arc::make_mut(current).withdraw(owner, prefix);
        change(table, prefix.trunc(), old, new)
    }

    /// Takes back everything that an owner offers in a table, as when its process is removed.
    pub fn withdraw_all(&mut self, table: TableId, owner: RouteOwner) -> Vec<RouteChange> {
        let doomed: Vec<Ipv4Net> = self.offers_of(table, owner).map(|route| route.prefix).collect();
        doomed.into_iter().filter_map(|prefix| self.withdraw(table, owner, prefix)).collect()
    }

    /// The best route to exactly this prefix.
    #[must_use]
    pub fn best(&self, table: TableId, prefix: Ipv4Net) -> Option<&Route> {
        self.tables.get(&table)?.best(prefix)
    }

    /// The best route of the longest prefix that contains `address`.
    #[must_use]
    pub fn lookup(&self, table: TableId, address: Ipv4Addr) -> Option<&Route> {
        self.tables.get(&table)?.lookup(address)
    }

    /// The best routes in the order of their prefixes: by address, the shorter first.
    pub fn routes(&self, table: TableId) -> impl Iterator<Item = &Route> {
        self.tables.get(&table).into_iter().flat_map(|t| t.routes())
    }

    /// The best routes to prefixes that lie in `prefix`, that one included (`longer-prefixes`), in order.
    pub fn routes_within(&self, table: TableId, prefix: Ipv4Net) -> impl Iterator<Item = &Route> {
        self.tables.get(&table).into_iter().flat_map(move |t| t.routes_within(prefix))
    }

    /// All offers for a prefix: the best first, those of distance 255 (never used) last.
    #[must_use]
    pub fn offers(&self, table: TableId, prefix: Ipv4Net) -> &[Route] {
        self.tables.get(&table).map_or(&[], |t| t.offers(prefix))
    }

    /// What one owner offers in a table, best or not, in the order of prefixes.
    pub fn offers_of(&self, table: TableId, owner: RouteOwner) -> impl Iterator<Item = &Route> {
        self.tables.get(&table).into_iter().flat_map(move |t| t.offers_of(owner))
    }

    /// One owner's offer for a prefix.
    #[must_use]
    pub fn offer_of(&self, table: TableId, owner: RouteOwner, prefix: Ipv4Net) -> Option<&Route> {
        self.tables.get(&table)?.offer_of(owner, prefix)
    }

    /// Follows `address` through the table to interfaces; `None` if no route leads to it.
    #[must_use]
    pub fn resolve(&self, table: TableId, address: Ipv4Addr) -> Option<Resolution> {
        resolve_address(self.tables.get(&table)?.as_ref(), address)
    }

    /// A table, if anything was ever offered in it.
    #[must_use]
    pub fn table(&self, table: TableId) -> Option<&RouteTable> {
        self.tables.get(&table).map(Arc::as_ref)
    }

    /// The tables that exist.
    pub fn tables(&self) -> impl Iterator<Item = TableId> {
        self.tables.keys().copied()
    }

    /// Removes a table with all its routes, as when a VRF is deleted.
    pub fn remove_table(&mut self, table: TableId) {
        self.tables.remove(&table);
    }
}

/// The change to announce, if the best route is another one.
fn change(table: TableId, prefix: Ipv4Net, old: Option<Route>, new: Option<Route>) -> Option<RouteChange> {
    (old != new).then_some(RouteChange { table, prefix, old, new })
}
