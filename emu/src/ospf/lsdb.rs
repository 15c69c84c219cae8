//! The link state database (RFC 2328 section 12.2): one part for each area, one for the AS, one for each link.
//!
//! Nothing ticks: an entry keeps the age it came with and when it came, and the age follows from the time. The instants
//! at which entries reach MaxAge stand in an ordered index, so the process asks for one deadline and never polls.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::ops::Bound;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::lsa::{LsAge, LsType, Lsa, LsaHeader, LsaKey};
use crate::ids::{AreaId, IfIndex, RouterId};
use crate::time::Time;

/// LSRefreshTime: a router makes a new instance of its own LSAs this often (RFC 2328 appendix B).
pub const LS_REFRESH_TIME: Duration = Duration::from_secs(1800);

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
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Database {
    entries: BTreeMap<LsaKey, LsaEntry>,
    /// When entries reach MaxAge.
    expiries: BTreeSet<(Time, LsaKey)>,
}

impl Database {
    /// The entry of `key`.
    #[must_use]
    pub fn get(&self, key: &LsaKey) -> Option<&LsaEntry> {
        self.entries.get(key)
    }

    /// Installs an instance in place of an older one (RFC 2328 section 13.2), which is returned.
    pub fn install(&mut self, lsa: Lsa, age: LsAge, now: Time) -> Option<LsaEntry> {
        let key = lsa.key();
        let entry = LsaEntry { lsa, installed: now, installed_age: age };
        let expiry = entry.max_age_at();
        let old = self.entries.insert(key, entry);
        if let Some(at) = old.as_ref().and_then(LsaEntry::max_age_at) {
            self.expiries.remove(&(at, key));
        }
        if let Some(at) = expiry {
            self.expiries.insert((at, key));
        }
        old
    }

    /// Takes an entry out.
    pub fn remove(&mut self, key: &LsaKey) -> Option<LsaEntry> {
        let old = self.entries.remove(key)?;
        if let Some(at) = old.max_age_at() {
            self.expiries.remove(&(at, *key));
        }
        Some(old)
    }

    /// When the next entry reaches MaxAge.
    #[must_use]
    pub fn next_expiry(&self) -> Option<Time> {
        self.expiries.first().map(|&(at, _)| at)
    }

    /// Takes the next LSA that has reached MaxAge by `now` off the index. It stays in the database, with that age, until
    /// it has been flooded and acknowledged (RFC 2328 section 14).
    pub fn pop_expired(&mut self, now: Time) -> Option<LsaKey> {
        let &(at, key) = self.expiries.first()?;
        if at > now {
            return None;
        }
        self.expiries.pop_first();
        if let Some(entry) = self.entries.get_mut(&key) {
            entry.installed = now;
            entry.installed_age = LsAge::MAX;
        }
        Some(key)
    }

    /// All entries, by type, Link State ID, advertising router.
    pub fn iter(&self) -> impl Iterator<Item = &LsaEntry> {
        self.entries.values()
    }

    /// The entries of one type, by Link State ID, advertising router.
    pub fn of_type(&self, ls_type: LsType) -> impl DoubleEndedIterator<Item = &LsaEntry> {
        let first = LsaKey::new(ls_type, Ipv4Addr::UNSPECIFIED, RouterId(Ipv4Addr::UNSPECIFIED));
        let last = LsaKey::new(ls_type, Ipv4Addr::BROADCAST, RouterId(Ipv4Addr::BROADCAST));
        self.entries.range(first..=last).map(|(_, entry)| entry)
    }

    /// The entries of one type and Link State ID, by advertising router.
    pub fn with_id(&self, ls_type: LsType, id: Ipv4Addr) -> impl Iterator<Item = &LsaEntry> {
        let first = LsaKey::new(ls_type, id, RouterId(Ipv4Addr::UNSPECIFIED));
        let last = LsaKey::new(ls_type, id, RouterId(Ipv4Addr::BROADCAST));
        self.entries.range(first..=last).map(|(_, entry)| entry)
    }

    /// The router LSA of `router`.
    #[must_use]
    pub fn router_lsa(&self, router: RouterId) -> Option<&LsaEntry> {
        self.get(&LsaKey::new(LsType::Router, router.0, router))
    }

    /// The entry behind `key` in the order of [`Self::iter`]; the first with `None`. To walk a database in pieces.
    #[must_use]
    pub fn next_after(&self, key: Option<&LsaKey>) -> Option<&LsaEntry> {
        let from = key.map_or(Bound::Unbounded, |&key| Bound::Excluded(key));
        self.entries.range((from, Bound::Unbounded)).next().map(|(_, entry)| entry)
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

    /// When the next LSA reaches MaxAge.
    #[must_use]
    pub fn next_expiry(&self) -> Option<Time> {
        self.scopes.values().filter_map(Database::next_expiry).min()
    }

    /// Takes the next LSA that has reached MaxAge by `now` off the index, as [`Database::pop_expired`].
    pub fn pop_expired(&mut self, now: Time) -> Option<(Scope, LsaKey)> {
        self.scopes.iter_mut().find_map(|(&scope, database)| Some((scope, database.pop_expired(now)?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ospf::lsa::{LsaBody, Options, SequenceNumber, SummaryLsa};

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
        assert_eq!(database.next_expiry(), Some(Time::from_secs(3550)));
        assert_eq!(database.get(&lsa.key()).unwrap().age(Time::from_secs(60)).secs(), 110);
        assert_eq!(database.pop_expired(Time::from_secs(3549)), None);
        assert_eq!(database.pop_expired(Time::from_secs(3550)), Some(lsa.key()));
        assert_eq!(database.next_expiry(), None);
        assert!(database.get(&lsa.key()).unwrap().age(Time::from_secs(3550)).is_max());
    }

    #[test]
    fn rfc13_2_a_newer_instance_replaces_the_older_and_its_deadline() {
        let mut database = Database::default();
        database.install(summary([10, 0, 0, 0], 1), LsAge::ZERO, Time::ZERO);
        let old = database.install(summary([10, 0, 0, 0], 2), LsAge::ZERO, Time::from_secs(9)).unwrap();
        assert_eq!(old.lsa.sequence(), SequenceNumber(1));
        assert_eq!(database.len(), 1);
        assert_eq!(database.next_expiry(), Some(Time::from_secs(3609)));
        database.install(
            summary([10, 0, 0, 0], 3),
            LsAge::from_secs(5).with_do_not_age(),
            Time::from_secs(10),
        );
        assert_eq!(database.next_expiry(), None);
        database.remove(&old.lsa.key());
        assert!(database.is_empty());
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
