//! Taking in link state updates (RFC 2328 section 13).

use std::cmp::Ordering;
use std::time::Duration;

use super::flood::News;
use super::interface::{InterfaceState, OspfInterfaceKey};
use super::lsa::{LsAge, LsType, Lsa, LsaKey};
use super::lsdb::{Database, LsaEntry, Scope};
use super::neighbor::{NeighborEvent, NeighborKey, NeighborState};
use super::process::{Env, OspfProcess};
use super::send::Destination;
use crate::time::Time;

/// IOS's default of `timers lsa arrival`.
const LSA_ARRIVAL_MS: u32 = 100;

/// What the database has of an LSA when a newer instance comes.
#[derive(Clone, Copy, Debug)]
struct Former {
    /// When it was installed.
    installed: Time,
    /// It has the same contents, and is not flushed.
    says_the_same: bool,
}

impl OspfProcess {
    /// A neighbor has sent LSAs.
    pub(super) fn receive_update(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        lsas: Vec<(LsAge, Lsa)>,
    ) {
        self.debug_update(env, key, neighbor, &lsas);
        for (age, lsa) in lsas {
            let state = self.neighbor_mut(key, neighbor).map(|data| data.state);
            if state.is_none_or(|state| state < NeighborState::Exchange) {
                return;
            }
            // Steps 2 and 3: a type that the area does not take.
            let Some(scope) = self.scope_of(key, lsa.ls_type()) else { continue };
            self.receive_lsa(env, key, neighbor, scope, age, lsa);
        }
    }

    fn receive_lsa(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        scope: Scope,
        age: LsAge,
        lsa: Lsa,
    ) {
        let now = env.context.now;
        let header = lsa.header(age);
        let own = self.lsdb.get(scope, &lsa.key());
        // Step 4: nothing to flush here.
        if age.is_max() && own.is_none() && !self.is_exchanging() {
            self.acknowledge(env, key, neighbor, header);
            return;
        }
        let recency = own.map_or(Ordering::Greater, |own| header.compare_recency(&own.header(now)));
        match recency {
            Ordering::Greater => {
                let former = own.map(|own| Former {
                    installed: own.installed,
                    says_the_same: !own.age(now).is_max() && own.lsa.same_content(&lsa),
                });
                self.receive_newer(env, (key, neighbor), scope, age, lsa, former);
            }
            _ if self.was_asked_for(key, neighbor, &lsa.key()) => {
                // Step 6.
                self.neighbor_event(env, key, neighbor, NeighborEvent::BadLsReq);
            }
            Ordering::Equal => self.receive_duplicate(env, key, neighbor, age, &lsa),
            Ordering::Less => self.answer_older(env, key, neighbor, scope, &lsa.key()),
        }
    }

    fn was_asked_for(&mut self, key: OspfInterfaceKey, neighbor: NeighborKey, lsa: &LsaKey) -> bool {
        self.neighbor_mut(key, neighbor).is_some_and(|data| data.requests.contains_key(lsa))
    }

    /// Step 5.
    fn receive_newer(
        &mut self,
        env: &mut Env<'_, '_>,
        (key, neighbor): (OspfInterfaceKey, NeighborKey),
        scope: Scope,
        age: LsAge,
        lsa: Lsa,
        former: Option<Former>,
    ) {
        let now = env.context.now;
        let ms = self.config(env.context).and_then(|config| config.lsa_arrival_ms).unwrap_or(LSA_ARRIVAL_MS);
        let arrival = Duration::from_millis(u64::from(ms));
        // 5 (a): what changes too often is not even acknowledged; it comes again. Instances made here are no arrivals.
        let from_others = Some(lsa.advertising_router()) != self.router_id;
        if from_others && former.is_some_and(|former| now < former.installed + arrival) {
            return;
        }
        let changed = age.is_max() || former.is_none_or(|former| !former.says_the_same) || !from_others;
        self.lsdb.install(scope, lsa.clone(), age, now);
        let news = if changed { News::Changed } else { News::Refreshed };
        let flooded_back = self.flood_from(env, scope, &lsa, (age, news), Some((key, neighbor)));
        if !flooded_back && self.acknowledges_to(key, neighbor) {
            self.acknowledge_later(env, key, lsa.header(age));
        }
        if changed {
            self.lsa_changed(env, scope, &lsa);
        }
        self.saw_grace_lsa(env, key, &lsa, age);
        self.saw_lsa_without_dc(env, scope, &lsa);
        self.flush_stale_network_lsa(env, scope, &lsa);
        self.remove_flushed(env);
    }

    /// Table 19: a backup acknowledges only what the DR sends.
    fn acknowledges_to(&self, key: OspfInterfaceKey, neighbor: NeighborKey) -> bool {
        self.interfaces.get(&key).is_some_and(|interface| {
            let sender = interface.neighbors.get(&neighbor).map(|data| data.address);
            interface.state != InterfaceState::Backup || sender == Some(interface.designated_router)
        })
    }

    /// Step 7: the same instance again is an acknowledgement if one is due, else it is acknowledged.
    fn receive_duplicate(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        age: LsAge,
        lsa: &Lsa,
    ) {
        let header = lsa.header(age);
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let Some(waiting) = data.retransmissions.remove(&lsa.key()) else {
            self.acknowledge(env, key, neighbor, header);
            return;
        };
        self.nothing_to_repeat(key, neighbor);
        // What still waits to be flooded will not go out any more, and thus be no acknowledgement to the neighbor.
        let unsent = waiting.due.is_none();
        let backup = self.interfaces.get(&key).is_some_and(|i| i.state == InterfaceState::Backup);
        if unsent || (backup && self.acknowledges_to(key, neighbor)) {
            self.acknowledge_later(env, key, header);
        }
        if age.is_max() {
            self.remove_flushed(env);
        }
    }

    /// Step 8: the neighbor has an older instance than the database.
    fn answer_older(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        scope: Scope,
        lsa: &LsaKey,
    ) {
        let now = env.context.now;
        let Some(own) = self.lsdb.get(scope, lsa) else { return };
        let age = own.age(now);
        // The sequence number wraps: the neighbor must get rid of its instance first.
        if age.is_max() && own.lsa.sequence() == super::lsa::SequenceNumber::MAX {
            return;
        }
        let answer = vec![(age, own.lsa.clone())];
        self.send_lsas(env, key, Destination::Neighbor(neighbor), answer);
    }

    /// Section 13.4: a network LSA for one of this router's addresses by another router id was made by this router before its id changed.
    fn flush_stale_network_lsa(&mut self, env: &mut Env<'_, '_>, scope: Scope, lsa: &Lsa) {
        let is_own_address = |id| self.interfaces.values().any(|interface| interface.source == id);
        let stale = lsa.ls_type() == LsType::Network
            && is_own_address(lsa.link_state_id())
            && Some(lsa.advertising_router()) != self.router_id;
        let now = env.context.now;
        let alive = || self.lsdb.get(scope, &lsa.key()).is_some_and(|entry| !entry.age(now).is_max());
        if stale && alive() {
            self.age_out(env, scope, lsa);
        }
    }

    /// Type 5 LSAs of others, once the router has no area left that takes them (RFC 2328 section 3.6).
    pub(super) fn forget_externals(&mut self, env: &mut Env<'_, '_>) {
        let takes = |area: &super::area::Area| area.kind == super::config::AreaKind::Normal;
        if self.areas.is_empty() || self.areas.values().any(takes) {
            return;
        }
        self.forget(env, Scope::As, |_| true);
    }

    /// LSAs of a type that the area, being of another kind now, does not take.
    pub(super) fn forget_foreign_types(
        &mut self,
        env: &mut Env<'_, '_>,
        area: crate::ids::AreaId,
        kind: super::config::AreaKind,
    ) {
        let scope = Scope::Area(area);
        if matches!(kind, super::config::AreaKind::Nssa(_)) {
            return;
        }
        self.forget(env, scope, |entry| entry.lsa.ls_type() == LsType::Nssa);
    }

    /// Takes LSAs of other routers out of the database; who else has them need not know.
    fn forget(&mut self, env: &mut Env<'_, '_>, scope: Scope, which: impl Fn(&LsaEntry) -> bool) {
        for lsa in self.lsas_of_others(scope, which) {
            self.lsdb.remove(scope, &lsa.key());
            self.lsa_changed(env, scope, &lsa);
        }
    }

    /// LSAs of other routers.
    pub(super) fn lsas_of_others(&self, scope: Scope, which: impl Fn(&LsaEntry) -> bool) -> Vec<Lsa> {
        let entries = self.lsdb.scope(scope).into_iter().flat_map(Database::iter);
        let of_others = entries.filter(|entry| Some(entry.lsa.advertising_router()) != self.router_id);
        of_others.filter(|entry| which(entry)).map(|entry| entry.lsa.clone()).collect()
    }
}
