//! Making, renewing and flushing own LSAs (RFC 2328 sections 12.4, 13.4 and 14.1).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Content, Wanted};
use crate::ids::RouterId;
use crate::ospf::config::Throttle;
use crate::ospf::lsa::{LsAge, Lsa, LsaKey, SequenceNumber};
use crate::ospf::lsdb::{LS_REFRESH_TIME, Lsdb, Scope};
use crate::ospf::throttle::Backoff;
use crate::time::{Time, Timers};

/// The timers of an own LSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
enum Due {
    /// Its contents have changed: make a new instance as soon as the throttle allows.
    Change(Scope, LsaKey),
    /// LSRefreshTime has passed.
    Refresh(Scope, LsaKey),
}

/// An LSA that this router wants to have in the database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Own {
    content: Content,
    backoff: Backoff,
    /// When the change came that a new instance waits for.
    cause: Time,
}

/// An instance that was made or flushed: to be installed and flooded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Originated {
    /// Where it belongs.
    pub scope: Scope,
    /// The instance.
    pub lsa: Lsa,
    /// Its age: zero, or MaxAge if it is to be flushed.
    pub age: LsAge,
}

/// Holds what this router wants to tell, and works towards it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Originator {
    own: BTreeMap<(Scope, LsaKey), Own>,
    timers: Timers<Due>,
}

impl Originator {
    /// Makes `wanted` the LSAs of `scope` among those that `managed` selects. What is new or has changed is made when the throttle
    /// allows; what is no longer wanted is flushed at once, by what is returned (premature ageing, section 14.1).
    pub fn want(
        &mut self,
        lsdb: &Lsdb,
        scope: Scope,
        managed: impl Fn(&LsaKey) -> bool,
        wanted: Wanted,
        throttle: Throttle,
        now: Time,
    ) -> Vec<Originated> {
        let range = (scope, FIRST)..=(scope, LAST);
        let unwanted: Vec<LsaKey> = self
            .own
            .range(range)
            .map(|(&(_, key), _)| key)
            .filter(|key| managed(key) && !wanted.contains_key(key))
            .collect();
        let flushed = unwanted.into_iter().filter_map(|key| self.give_up(lsdb, scope, key, now)).collect();
        for (key, content) in wanted {
            self.want_one(lsdb, scope, key, content, throttle, now);
        }
        flushed
    }

    fn want_one(
        &mut self,
        lsdb: &Lsdb,
        scope: Scope,
        key: LsaKey,
        content: Content,
        throttle: Throttle,
        now: Time,
    ) {
        let due = Due::Change(scope, key);
        if is_in_database(lsdb, scope, &key, &content, now) {
            self.timers.cancel(due);
        } else if !self.timers.is_running(due) {
            let backoff = self.own.get(&(scope, key)).map(|own| own.backoff).unwrap_or_default();
            self.timers.set(due, backoff.next_run(now, throttle));
        }
        match self.own.get_mut(&(scope, key)) {
            Some(own) => {
                if own.content != content {
                    own.cause = now;
                    own.content = content;
                }
            }
            None => {
                self.own.insert((scope, key), Own { content, backoff: Backoff::default(), cause: now });
                if !self.timers.is_running(due) {
                    // The database has an instance from before that says the same; it must be kept alive.
                    self.timers.set(Due::Refresh(scope, key), now + LS_REFRESH_TIME);
                }
            }
        }
    }

    /// Stops wanting an LSA, and flushes its instance.
    fn give_up(&mut self, lsdb: &Lsdb, scope: Scope, key: LsaKey, now: Time) -> Option<Originated> {
        self.own.remove(&(scope, key));
        self.timers.cancel(Due::Change(scope, key));
        self.timers.cancel(Due::Refresh(scope, key));
        flush(lsdb, scope, &key, now)
    }

    /// Flushes everything, as when the process ends or its router id changes.
    pub fn give_up_all(&mut self, lsdb: &Lsdb, now: Time) -> Vec<Originated> {
        let all: Vec<(Scope, LsaKey)> = self.own.keys().copied().collect();
        all.into_iter().filter_map(|(scope, key)| self.give_up(lsdb, scope, key, now)).collect()
    }

    /// Forgets the LSAs of a scope that exists no more, without a word to anybody.
    pub fn forget_scope(&mut self, scope: Scope) {
        self.own.retain(|&(other, _), _| other != scope);
        self.timers.cancel_if(|due| match due {
            Due::Change(other, _) | Due::Refresh(other, _) => other == scope,
        });
    }

    /// Section 13.4: an instance that claims to be this router's own, and newer than the database's, was received and installed.
    /// A newer one is made of an LSA that is wanted; any other is flushed.
    pub fn received_own(
        &mut self,
        lsdb: &Lsdb,
        scope: Scope,
        key: LsaKey,
        throttle: Throttle,
        now: Time,
    ) -> Option<Originated> {
        let Some(own) = self.own.get_mut(&(scope, key)) else { return flush(lsdb, scope, &key, now) };
        let due = Due::Change(scope, key);
        if !self.timers.is_running(due) {
            own.cause = now;
            self.timers.set(due, own.backoff.next_run(now, throttle));
        }
        None
    }

    /// Whether this router wants the LSA.
    #[must_use]
    pub fn wants(&self, scope: Scope, key: &LsaKey) -> bool {
        self.own.contains_key(&(scope, *key))
    }

    /// When [`Self::expired`] has something to do.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        self.timers.next_deadline()
    }

    /// Makes the instances that are due.
    pub fn expired(&mut self, lsdb: &Lsdb, throttle: Throttle, now: Time) -> Vec<Originated> {
        let mut made = Vec::new();
        while let Some(due) = self.timers.pop_expired(now) {
            let (Due::Change(scope, key) | Due::Refresh(scope, key)) = due;
            let Some(own) = self.own.get_mut(&(scope, key)) else { continue };
            let sequence = match lsdb.get(scope, &key) {
                None => SequenceNumber::INITIAL,
                Some(entry) => match entry.lsa.sequence().next() {
                    Some(next) => next,
                    None => {
                        // Section 12.1.6: the last instance must be gone from all databases before the numbers start again.
                        if !entry.age(now).is_max() {
                            made.extend(flush(lsdb, scope, &key, now));
                        }
                        self.timers.set(due, now + std::time::Duration::from_secs(1));
                        continue;
                    }
                },
            };
            if matches!(due, Due::Change(..)) {
                own.backoff.ran(own.cause, now, throttle);
            }
            let Content { options, body } = own.content.clone();
            let lsa = Lsa::new(key.link_state_id, key.advertising_router, options, sequence, body);
            self.timers.cancel(Due::Change(scope, key));
            self.timers.set(Due::Refresh(scope, key), now + LS_REFRESH_TIME);
            made.push(Originated { scope, lsa, age: LsAge::ZERO });
        }
        made
    }
}

/// The least key.
const FIRST: LsaKey = LsaKey::new(
    crate::ospf::lsa::LsType::Router,
    std::net::Ipv4Addr::UNSPECIFIED,
    RouterId(std::net::Ipv4Addr::UNSPECIFIED),
);
/// The greatest key.
const LAST: LsaKey = LsaKey::new(
    crate::ospf::lsa::LsType::Unknown(u8::MAX),
    std::net::Ipv4Addr::BROADCAST,
    RouterId(std::net::Ipv4Addr::BROADCAST),
);

/// Whether the database has a live instance with these contents.
fn is_in_database(lsdb: &Lsdb, scope: Scope, key: &LsaKey, content: &Content, now: Time) -> bool {
    lsdb.get(scope, key).is_some_and(|entry| {
        !entry.age(now).is_max()
            && entry.lsa.options() == content.options
            && *entry.lsa.body() == content.body
    })
}

/// The instance in the database with its age set to MaxAge; `None` if there is none, or it is so already.
fn flush(lsdb: &Lsdb, scope: Scope, key: &LsaKey, now: Time) -> Option<Originated> {
    let entry = lsdb.get(scope, key).filter(|entry| !entry.age(now).is_max())?;
    Some(Originated { scope, lsa: entry.lsa.clone(), age: LsAge::MAX })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::AreaId;
    use crate::ospf::handcrafted::rid;
    use crate::ospf::lsa::{LsType, LsaBody, Options, SummaryLsa};
    use crate::ospf::throttle::DEFAULT_THROTTLE;

    const SCOPE: Scope = Scope::Area(AreaId(0));

    fn key() -> LsaKey {
        LsaKey::new(LsType::SummaryNetwork, "10.0.0.0".parse().unwrap(), rid(1))
    }

    fn content(metric: u32) -> Content {
        let body = SummaryLsa { mask: "255.0.0.0".parse().unwrap(), metric };
        Content { options: Options::E, body: LsaBody::SummaryNetwork(body) }
    }

    #[derive(Default)]
    struct Setting {
        originator: Originator,
        lsdb: Lsdb,
        log: Vec<(u64, i32, bool)>,
    }

    impl Setting {
        fn take(&mut self, made: Vec<Originated>, at: Time) {
            for one in made {
                let number = one.lsa.sequence().0.wrapping_sub(SequenceNumber::INITIAL.0);
                self.log.push((at.as_nanos() / 1_000_000, number, one.age.is_max()));
                self.lsdb.install(one.scope, one.lsa, one.age, at);
            }
        }

        fn want(&mut self, metric: Option<u32>, ms: u64) {
            let wanted = metric.map(|metric| (key(), content(metric))).into_iter().collect();
            let at = Time::from_millis(ms);
            let made = self.originator.want(&self.lsdb, SCOPE, |_| true, wanted, DEFAULT_THROTTLE, at);
            self.take(made, at);
        }

        fn run_until(&mut self, ms: u64) {
            while let Some(at) = self.originator.next_deadline().filter(|&at| at <= Time::from_millis(ms)) {
                let made = self.originator.expired(&self.lsdb, DEFAULT_THROTTLE, at);
                self.take(made, at);
            }
        }
    }

    #[test]
    fn rfc12_4_an_lsa_is_made_again_only_if_its_contents_change() {
        let mut setting = Setting::default();
        setting.want(Some(1), 0);
        setting.run_until(1000);
        setting.want(Some(1), 1000);
        setting.run_until(2000);
        assert_eq!(setting.log, [(50, 0, false)]);
        setting.want(Some(2), 2000);
        setting.run_until(3000);
        assert_eq!(setting.log, [(50, 0, false), (2050, 1, false)]);
    }

    #[test]
    fn rfc12_4_a_change_that_is_taken_back_in_time_is_never_told() {
        let mut setting = Setting::default();
        setting.want(Some(1), 0);
        setting.run_until(1000);
        setting.want(Some(2), 1000);
        setting.want(Some(1), 1020);
        setting.run_until(9000);
        assert_eq!(setting.log.len(), 1);
    }

    #[test]
    fn timers_throttle_lsa_slows_down_an_lsa_that_keeps_changing() {
        let mut setting = Setting::default();
        for (metric, ms) in [(1, 0), (2, 60), (3, 251), (4, 700)] {
            setting.run_until(ms);
            setting.want(Some(metric), ms);
        }
        setting.run_until(9000);
        let times: Vec<u64> = setting.log.iter().map(|entry| entry.0).collect();
        assert_eq!(times, [50, 250, 650, 1450]);
    }

    #[test]
    fn rfc12_4_refresh_every_ls_refresh_time() {
        let mut setting = Setting::default();
        setting.want(Some(1), 0);
        setting.run_until(4_000_000);
        assert_eq!(setting.log, [(50, 0, false), (1_800_050, 1, false), (3_600_050, 2, false)]);
    }

    #[test]
    fn rfc14_1_what_is_no_longer_wanted_is_flushed_at_once() {
        let mut setting = Setting::default();
        setting.want(Some(1), 0);
        setting.run_until(1000);
        setting.want(None, 1000);
        setting.run_until(4_000_000);
        assert_eq!(setting.log, [(50, 0, false), (1000, 0, true)]);
    }

    #[test]
    fn rfc13_4_a_received_own_lsa_is_outdone_or_flushed() {
        let mut setting = Setting::default();
        setting.want(Some(1), 0);
        setting.run_until(1000);
        let from_before = |metric, sequence| {
            let Content { options, body } = content(metric);
            Lsa::new(key().link_state_id, rid(1), options, SequenceNumber(sequence), body)
        };
        let at = Time::from_millis(5000);
        setting.lsdb.install(SCOPE, from_before(9, 77), LsAge::ZERO, at);
        let now = setting.originator.received_own(&setting.lsdb, SCOPE, key(), DEFAULT_THROTTLE, at);
        assert_eq!(now, None);
        setting.run_until(6000);
        let entry = setting.lsdb.get(SCOPE, &key()).unwrap();
        assert_eq!(entry.lsa.sequence(), SequenceNumber(78));
        assert_eq!(*entry.lsa.body(), content(1).body);

        let mut stranger = Originator::default();
        let flushed = stranger.received_own(&setting.lsdb, SCOPE, key(), DEFAULT_THROTTLE, at).unwrap();
        assert!(flushed.age.is_max());
    }

    #[test]
    fn rfc12_1_6_behind_the_last_sequence_number_the_lsa_is_flushed_first() {
        let mut setting = Setting::default();
        let Content { options, body } = content(1);
        let last = Lsa::new(key().link_state_id, rid(1), options, SequenceNumber::MAX, body);
        setting.lsdb.install(SCOPE, last, LsAge::ZERO, Time::ZERO);
        setting.want(Some(2), 0);
        setting.run_until(2500);
        assert_eq!(setting.log.len(), 1);
        assert!(setting.log[0].2, "flushed");
        setting.lsdb.remove(SCOPE, &key());
        setting.run_until(4000);
        assert_eq!(setting.log[1].1, 0, "starts again with the initial number");
    }

    #[test]
    fn an_instance_that_says_the_same_already_is_kept_and_refreshed() {
        let mut setting = Setting::default();
        let Content { options, body } = content(1);
        let before = Lsa::new(key().link_state_id, rid(1), options, SequenceNumber(5), body);
        setting.lsdb.install(SCOPE, before, LsAge::ZERO, Time::ZERO);
        setting.want(Some(1), 0);
        setting.run_until(1_000_000);
        assert!(setting.log.is_empty());
        setting.run_until(1_900_000);
        assert_eq!(setting.lsdb.get(SCOPE, &key()).unwrap().lsa.sequence(), SequenceNumber(6));
    }

    #[test]
    fn giving_up_everything_flushes_and_forgetting_a_scope_does_not() {
        let mut setting = Setting::default();
        setting.want(Some(1), 0);
        setting.run_until(1000);
        let mut other = setting.originator.clone();
        assert_eq!(other.give_up_all(&setting.lsdb, Time::from_secs(2)).len(), 1);
        setting.originator.forget_scope(SCOPE);
        assert_eq!(setting.originator.next_deadline(), None);
        assert!(!setting.originator.wants(SCOPE, &key()));
    }
}
