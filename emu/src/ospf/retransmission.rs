//! The link state retransmission list of a neighbor (RFC 2328 section 13.6): what it has not acknowledged.
//!
//! Large networks spend most of their flooding here: each LSA is put on the list, found again when it is sent, and taken off. So the list is
//! a hash table; where its order could show, it is sorted.

use std::collections::hash_map::Entry;
use std::time::Duration;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::lsa::{LsAge, Lsa, LsaHeader, LsaKey};
use super::lsdb::Scope;
use crate::time::Time;

/// An LSA that a neighbor has not acknowledged.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Retransmission {
    /// The part of the database that it belongs to.
    pub scope: Scope,
    /// The instance.
    pub lsa: Lsa,
    /// Its age when it was put on the list.
    pub age: LsAge,
    /// When that was.
    pub since: Time,
    /// When to send it again; `None` while it waits to be flooded (`timers pacing flood`).
    pub due: Option<Time>,
    /// How often it was sent again.
    pub times: u8,
    /// It says something that the neighbor may not know yet, as a refreshed instance does not.
    pub changed: bool,
}

impl Retransmission {
    /// An LSA that is put on the list at `since` with this age.
    #[must_use]
    pub const fn new(scope: Scope, lsa: Lsa, age: LsAge, since: Time) -> Self {
        Self { scope, lsa, age, since, due: None, times: 0, changed: true }
    }

    /// LS age at `now`.
    #[must_use]
    pub fn age_at(&self, now: Time) -> LsAge {
        self.age.after(now.since(self.since))
    }
}

/// The list.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RetransmissionList {
    entries: FxHashMap<LsaKey, Retransmission>,
}

impl RetransmissionList {
    /// How many LSAs are on the list.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether everything is acknowledged.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether some instance of an LSA of this part of the database is on the list.
    #[must_use]
    pub fn contains(&self, scope: Scope, lsa: &LsaKey) -> bool {
        self.entries.get(lsa).is_some_and(|waiting| waiting.scope == scope)
    }

    /// Whether some LSA on the list is such a one.
    pub(super) fn any(&self, is_such: impl FnMut(&Retransmission) -> bool) -> bool {
        self.entries.values().any(is_such)
    }

    /// All of it, by LSA.
    #[must_use]
    pub fn sorted(&self) -> Vec<(LsaKey, &Retransmission)> {
        let mut all: Vec<_> = self.entries.iter().map(|(&key, waiting)| (key, waiting)).collect();
        all.sort_unstable_by_key(|(key, _)| *key);
        all
    }

    /// Puts an LSA on the list, in place of an older instance, which is returned.
    pub(super) fn put(&mut self, waiting: Retransmission) -> Option<Retransmission> {
        let (key, changed) = (waiting.lsa.key(), waiting.changed);
        let old = self.entries.insert(key, waiting);
        // What the instance before said is still to be told.
        if !changed
            && old.as_ref().is_some_and(|old| old.changed)
            && let Some(waiting) = self.entries.get_mut(&key)
        {
            waiting.changed = true;
        }
        old
    }

    /// Takes an LSA off the list, whatever its instance.
    pub(super) fn remove(&mut self, lsa: &LsaKey) -> Option<Retransmission> {
        self.entries.remove(lsa)
    }

    /// Takes an LSA off the list if it belongs to this part of the database: other areas have LSAs of the same key.
    pub(super) fn remove_of(&mut self, scope: Scope, lsa: &LsaKey) {
        if self.contains(scope, lsa) {
            self.entries.remove(lsa);
        }
    }

    /// Takes off the instance that `header` acknowledges.
    pub(super) fn acknowledge(&mut self, header: &LsaHeader, now: Time) -> Option<Retransmission> {
        let Entry::Occupied(waiting) = self.entries.entry(header.key()) else { return None };
        let own = waiting.get().lsa.header(waiting.get().age_at(now));
        own.compare_recency(header).is_eq().then(|| waiting.remove())
    }

    /// Empties the list.
    pub(super) fn clear(&mut self) {
        self.entries.clear();
    }

    /// An LSA that still waits to be flooded to the neighbor; none if it was sent, or acknowledged meanwhile.
    pub(super) fn unsent(&mut self, lsa: &LsaKey) -> Option<&mut Retransmission> {
        self.entries.get_mut(lsa).filter(|waiting| waiting.due.is_none())
    }

    /// What is to be sent again by `now`, by LSA, and is due again an `interval` later; and when something is due next.
    pub(super) fn take_due(&mut self, now: Time, interval: Duration) -> (Vec<(LsAge, Lsa)>, Option<Time>) {
        let mut again = Vec::new();
        let mut next: Option<Time> = None;
        for waiting in self.entries.values_mut() {
            let Some(mut due) = waiting.due else { continue };
            if due <= now {
                due = now + interval;
                waiting.due = Some(due);
                waiting.times = waiting.times.saturating_add(1);
                again.push((waiting.age_at(now), waiting.lsa.clone()));
            }
            next = Some(next.map_or(due, |next| next.min(due)));
        }
        again.sort_unstable_by_key(|(_, lsa)| lsa.key());
        (again, next)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;
    use crate::ids::{AreaId, RouterId};
    use crate::ospf::lsa::{LsaBody, Options, SequenceNumber, SummaryLsa};

    fn waiting(id: u8, sequence: i32, age: LsAge) -> Retransmission {
        let body = LsaBody::SummaryNetwork(SummaryLsa { mask: Ipv4Addr::new(255, 255, 255, 0), metric: 1 });
        let router = RouterId(Ipv4Addr::new(1, 1, 1, 1));
        let lsa = Lsa::new([10, 0, id, 0].into(), router, Options::E, SequenceNumber(sequence), body);
        Retransmission::new(Scope::Area(AreaId(0)), lsa, age, Time::ZERO)
    }

    #[test]
    fn rfc13_6_what_was_sent_is_sent_again_after_the_interval_and_what_still_waits_is_not() {
        let mut list = RetransmissionList::default();
        let (first, second) = (waiting(1, 1, LsAge::ZERO), waiting(2, 1, LsAge::ZERO));
        list.put(first.clone());
        list.put(second);
        let (five, ten) = (Time::from_secs(5), Time::from_secs(10));
        list.unsent(&first.lsa.key()).unwrap().due = Some(five);
        assert!(list.unsent(&first.lsa.key()).is_none(), "it goes out once");
        assert_eq!(list.take_due(Time::from_secs(4), Duration::from_secs(5)), (Vec::new(), Some(five)));
        let again = vec![(LsAge::from_secs(5), first.lsa)];
        assert_eq!(list.take_due(five, Duration::from_secs(5)), (again, Some(ten)));
    }

    #[test]
    fn rfc13_7_only_the_same_instance_is_an_acknowledgement() {
        let mut list = RetransmissionList::default();
        let flushed = waiting(1, 2, LsAge::MAX);
        list.put(flushed.clone());
        let now = Time::from_secs(1);
        for other in [waiting(1, 1, LsAge::MAX), waiting(1, 2, LsAge::ZERO), waiting(2, 2, LsAge::MAX)] {
            assert!(list.acknowledge(&other.lsa.header(other.age), now).is_none(), "{other:?}");
        }
        assert_eq!(list.acknowledge(&flushed.lsa.header(LsAge::MAX), now), Some(flushed));
        assert!(list.is_empty());
    }
}
