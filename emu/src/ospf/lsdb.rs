//! The link state database (RFC 2328 section 12.2): one part for each area, one for the AS, one for each link.
//!
//! Nothing ticks: an entry keeps the age it came with and when it came, and the age follows from the time. Each part knows an instant before
//! which no entry of it reaches MaxAge, and looks for the exact one only then: entries are refreshed long before, so it seldom looks.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::ops::{Bound, RangeBounds};
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::lsa::{LsAge, LsType, Lsa, LsaHeader, LsaKey, LsaRank, Options};
use crate::ids::{AreaId, IfIndex, RouterId};
use crate::time::Time;

/// LSRefreshTime: a router makes a new instance of its own LSAs this often (RFC 2328 appendix B).
pub const LS_REFRESH_TIME: Duration = Duration::from_secs(1800);

/// MaxAge (RFC 2328 appendix B).
pub const MAX_AGE: Duration = Duration::from_secs(3600);

/// How far an LSA reaches, and thus the part of the database it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Scope {
    /// One link (opaque type 9).
    Link(IfIndex),
    /// One area (types 1 to 4, 7, 10).
    Area(AreaId),
    /// The AS (types 5 and 11).
    As,
}

impl Scope {
    /// The scope of an LSA of type `ls_type` received on `interface`, which belongs to `area`.
    #[must_use]
    pub const fn of(ls_type: LsType, area: AreaId, interface: IfIndex) -> Self {
        match ls_type {
            LsType::AsExternal | LsType::OpaqueAs => Self::As,
            LsType::OpaqueLink => Self::Link(interface),
            _ => Self::Area(area),
        }
    }
}

/// An LSA in the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LsaEntry {
    /// The instance.
    pub lsa: Lsa,
    /// When it was installed.
    pub installed: Time,
    /// Its age then.
    pub installed_age: LsAge,
}

impl LsaEntry {
    /// LS age at `now`.
    #[must_use]
    pub fn age(&self, now: Time) -> LsAge {
        self.installed_age.after(now.since(self.installed))
    }

    /// The header with its age at `now`.
    #[must_use]
    pub fn header(&self, now: Time) -> LsaHeader {
        self.lsa.header(self.age(now))
    }

    /// When it reaches MaxAge by itself; `None` if it has, or never will (DoNotAge).
    fn max_age_at(&self) -> Option<Time> {
        if self.installed_age.is_max() {
            return None;
        }
        self.installed_age.until_max().map(|left| self.installed + left)
    }
}

/// The LSAs of one scope.
///
/// Each LSA that floods in is looked up here, mostly to find that it is known. In large networks no database stays in the processor's cache, so
/// that a look at one place is worth much more than a walk down a tree: the entries are a hash table, and the order stands beside it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Database {
    entries: FxHashMap<LsaRank, LsaEntry>,
    /// The keys of all entries.
    order: BTreeSet<LsaRank>,
    /// No entry reaches MaxAge before.
    check_at: Option<Time>,
    /// How many entries do not age.
    do_not_age: usize,
    /// How many entries lack the DC bit.
    without_dc: usize,
}

impl Database {
    /// The entry of `key`.
    #[must_use]
    pub fn get(&self, key: &LsaKey) -> Option<&LsaEntry> {
        self.entries.get(&key.rank())
    }

    /// Installs an instance in place of an older one (RFC 2328 section 13.2), which is returned.
    pub fn install(&mut self, lsa: Lsa, age: LsAge, now: Time) -> Option<LsaEntry> {
        let rank = lsa.key().rank();
        let entry = LsaEntry { lsa, installed: now, installed_age: age };
        if let Some(at) = entry.max_age_at() {
            self.check_at = Some(self.check_at.map_or(at, |check| check.min(at)));
        }
        self.do_not_age += usize::from(entry.installed_age.is_do_not_age());
        self.without_dc += usize::from(!entry.lsa.options().contains(Options::DC));
        let old = self.entries.insert(rank, entry);
        if old.is_none() {
            self.order.insert(rank);
        }
        self.uncount(old.as_ref());
        old
    }

    /// Takes an entry out.
    pub fn remove(&mut self, key: &LsaKey) -> Option<LsaEntry> {
        let rank = key.rank();
        let old = self.entries.remove(&rank);
        self.order.remove(&rank);
        self.uncount(old.as_ref());
        old
    }

    fn uncount(&mut self, old: Option<&LsaEntry>) {
        if let Some(old) = old {
            self.do_not_age -= usize::from(old.installed_age.is_do_not_age());
            self.without_dc -= usize::from(!old.lsa.options().contains(Options::DC));
        }
    }

    /// How many LSAs do not age (DoNotAge, RFC 1793).
    #[must_use]
    pub const fn do_not_age(&self) -> usize {
        self.do_not_age
    }

    /// How many LSAs are of routers that do not understand DoNotAge: they lack the DC bit.
    #[must_use]
    pub const fn without_dc(&self) -> usize {
        self.without_dc
    }

    /// When to ask [`Self::take_expired`]: no entry reaches MaxAge before.
    #[must_use]
    pub const fn next_check(&self) -> Option<Time> {
        self.check_at
    }

    /// The LSAs that have reached MaxAge by `now` and were not told yet, the first to reach it first. They stay in the database, with that age,
    /// until they have been flooded and acknowledged (RFC 2328 section 14).
    pub fn take_expired(&mut self, now: Time) -> Vec<LsaKey> {
        if self.check_at.is_none_or(|at| at > now) {
            return Vec::new();
        }
        let mut expired = Vec::new();
        self.check_at = None;
        for entry in self.entries.values_mut() {
            match entry.max_age_at() {
                Some(at) if at <= now => {
                    expired.push((at, entry.lsa.key()));
                    entry.installed = now;
                    entry.installed_age = LsAge::MAX;
                }
                Some(at) => self.check_at = Some(self.check_at.map_or(at, |check| check.min(at))),
                None => {}
            }
        }
        expired.sort_unstable();
        expired.into_iter().map(|(_, key)| key).collect()
    }

    /// All entries, by type, Link State ID, advertising router.
    pub fn iter(&self) -> impl Iterator<Item = &LsaEntry> {
        self.within(..)
    }

    /// The entries whose keys are in a range, in order.
    fn within(&self, keys: impl RangeBounds<LsaRank>) -> impl DoubleEndedIterator<Item = &LsaEntry> {
        self.order.range(keys).filter_map(|rank| self.entries.get(rank))
    }

    /// The entries of one type, by Link State ID, advertising router.
    pub fn of_type(&self, ls_type: LsType) -> impl DoubleEndedIterator<Item = &LsaEntry> {
        let first = LsaKey::new(ls_type, Ipv4Addr::UNSPECIFIED, RouterId(Ipv4Addr::UNSPECIFIED));
        let last = LsaKey::new(ls_type, Ipv4Addr::BROADCAST, RouterId(Ipv4Addr::BROADCAST));
        self.within(first.rank()..=last.rank())
    }

    /// The entries of one type and Link State ID, by advertising router.
    pub fn with_id(&self, ls_type: LsType, id: Ipv4Addr) -> impl Iterator<Item = &LsaEntry> {
        let first = LsaKey::new(ls_type, id, RouterId(Ipv4Addr::UNSPECIFIED));
        let last = LsaKey::new(ls_type, id, RouterId(Ipv4Addr::BROADCAST));
        self.within(first.rank()..=last.rank())
    }

    /// The router LSA of `router`.
    #[must_use]
    pub fn router_lsa(&self, router: RouterId) -> Option<&LsaEntry> {
        self.get(&LsaKey::new(LsType::Router, router.0, router))
    }

    /// The entry behind `key` in the order of [`Self::iter`]; the first with `None`. To walk a database in pieces.
    #[must_use]
    pub fn next_after(&self, key: Option<&LsaKey>) -> Option<&LsaEntry> {
        let from = key.map_or(Bound::Unbounded, |key| Bound::Excluded(key.rank()));
        self.within((from, Bound::Unbounded)).next()
    }

    /// How many LSAs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of LSAs that `which` selects and the sum of their checksums, as `show ip ospf` prints them.
    #[must_use]
    pub fn checksum_sum(&self, which: impl Fn(LsType) -> bool) -> (usize, u32) {
        self.iter()
            .filter(|entry| which(entry.lsa.ls_type()))
            .fold((0, 0), |(count, sum), entry| (count + 1, sum + u32::from(entry.lsa.checksum())))
    }
}

/// The whole link state database of a process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lsdb {
    scopes: BTreeMap<Scope, Database>,
}

impl Lsdb {
    /// The LSAs of `scope`, if there ever was one.
    #[must_use]
    pub fn scope(&self, scope: Scope) -> Option<&Database> {
        self.scopes.get(&scope)
    }

    /// The LSAs of `scope`, to change them.
    pub fn scope_mut(&mut self, scope: Scope) -> &mut Database {
        self.scopes.entry(scope).or_default()
    }

    /// The LSAs of an area.
    #[must_use]
    pub fn area(&self, area: AreaId) -> Option<&Database> {
        self.scope(Scope::Area(area))
    }

    /// The LSAs of AS scope.
    #[must_use]
    pub fn autonomous_system(&self) -> Option<&Database> {
        self.scope(Scope::As)
    }

    /// All scopes: links, areas, the AS.
    pub fn scopes(&self) -> impl Iterator<Item = (Scope, &Database)> {
        self.scopes.iter().map(|(&scope, database)| (scope, database))
    }

    /// The entry of `key` in `scope`.
    #[must_use]
    pub fn get(&self, scope: Scope, key: &LsaKey) -> Option<&LsaEntry> {
        self.scope(scope)?.get(key)
    }

    /// Installs an instance in place of an older one, which is returned.
    pub fn install(&mut self, scope: Scope, lsa: Lsa, age: LsAge, now: Time) -> Option<LsaEntry> {
        self.scope_mut(scope).install(lsa, age, now)
    }

    /// Takes an entry out.
    pub fn remove(&mut self, scope: Scope, key: &LsaKey) -> Option<LsaEntry> {
        self.scopes.get_mut(&scope)?.remove(key)
    }

    /// Forgets a scope: its area or link exists no more.
    pub fn remove_scope(&mut self, scope: Scope) {
        self.scopes.remove(&scope);
    }

    /// As [`Database::do_not_age`], of all scopes.
    #[must_use]
    pub fn do_not_age(&self) -> usize {
        self.scopes.values().map(Database::do_not_age).sum()
    }

    /// As [`Database::next_check`], of all scopes.
    #[must_use]
    pub fn next_check(&self) -> Option<Time> {
        self.scopes.values().filter_map(Database::next_check).min()
    }

    /// As [`Database::take_expired`], scope by scope.
    pub fn take_expired(&mut self, now: Time) -> Vec<(Scope, LsaKey)> {
        let of = |(&scope, database): (&Scope, &mut Database)| {
            database.take_expired(now).into_iter().map(move |key| (scope, key)).collect::<Vec<_>>()
        };
        self.scopes.iter_mut().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ospf::lsa::{LsaBody, SequenceNumber, SummaryLsa};

    fn summary(id: [u8; 4], sequence: i32) -> Lsa {
        let body = SummaryLsa { mask: Ipv4Addr::new(255, 255, 255, 0), metric: 1 };
        let router = RouterId(Ipv4Addr::new(1, 1, 1, 1));
        Lsa::new(id.into(), router, Options::E, SequenceNumber(sequence), LsaBody::SummaryNetwork(body))
    }

    #[test]
    fn rfc14_an_entry_reaches_max_age_at_its_deadline_and_stays_until_removed() {
        let mut database = Database::default();
        let lsa = summary([10, 0, 0, 0], 1);
        database.install(lsa.clone(), LsAge::from_secs(100), Time::from_secs(50));
        assert_eq!(database.next_check(), Some(Time::from_secs(3550)));
        assert_eq!(database.get(&lsa.key()).unwrap().age(Time::from_secs(60)).secs(), 110);
        assert_eq!(database.take_expired(Time::from_secs(3549)), []);
        assert_eq!(database.take_expired(Time::from_secs(3550)), [lsa.key()]);
        assert_eq!(database.next_check(), None);
        assert_eq!(database.take_expired(Time::from_secs(3551)), [], "once is enough");
        assert!(database.get(&lsa.key()).unwrap().age(Time::from_secs(3550)).is_max());
    }

    #[test]
    fn rfc13_2_a_newer_instance_replaces_the_older_and_its_deadline() {
        let mut database = Database::default();
        database.install(summary([10, 0, 0, 0], 1), LsAge::ZERO, Time::ZERO);
        let old = database.install(summary([10, 0, 0, 0], 2), LsAge::ZERO, Time::from_secs(9)).unwrap();
        assert_eq!(old.lsa.sequence(), SequenceNumber(1));
        assert_eq!(database.len(), 1);
        assert_eq!(database.take_expired(Time::from_secs(3608)), []);
        assert_eq!(database.next_check(), Some(Time::from_secs(3609)));
        let never = LsAge::from_secs(5).with_do_not_age();
        database.install(summary([10, 0, 0, 0], 3), never, Time::from_secs(10));
        assert_eq!(database.take_expired(Time::from_secs(3609)), []);
        assert_eq!(database.next_check(), None);
        assert_eq!((database.do_not_age(), database.without_dc()), (1, 1));
        database.remove(&old.lsa.key());
        assert!(database.is_empty());
        assert_eq!((database.do_not_age(), database.without_dc()), (0, 0));
    }

    #[test]
    fn queries_by_type_and_id_see_only_those() {
        let mut database = Database::default();
        for id in [[10, 0, 0, 0], [10, 0, 1, 0], [255, 255, 255, 255]] {
            database.install(summary(id, 1), LsAge::ZERO, Time::ZERO);
        }
        assert_eq!(database.of_type(LsType::SummaryNetwork).count(), 3);
        assert_eq!(database.of_type(LsType::SummaryAsbr).count(), 0);
        assert_eq!(database.with_id(LsType::SummaryNetwork, Ipv4Addr::new(10, 0, 1, 0)).count(), 1);
        let (count, sum) = database.checksum_sum(|ls_type| ls_type == LsType::SummaryNetwork);
        assert_eq!(count, 3);
        assert_eq!(sum, database.iter().map(|entry| u32::from(entry.lsa.checksum())).sum::<u32>());
    }

    #[test]
    fn scopes_follow_the_type() {
        let scope = |ls_type| Scope::of(ls_type, AreaId(1), IfIndex(7));
        assert_eq!(scope(LsType::Nssa), Scope::Area(AreaId(1)));
        assert_eq!(scope(LsType::AsExternal), Scope::As);
        assert_eq!(scope(LsType::OpaqueLink), Scope::Link(IfIndex(7)));
    }
}
