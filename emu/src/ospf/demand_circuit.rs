//! Demand circuits (RFC 1793): links that cost while they are used. Once the neighbor is fully adjacent there are no hellos, and LSAs
//! do not age on the other side, so that they need not be refreshed there. `ip ospf flood-reduction` does the latter alone.

use std::collections::BTreeMap;

use super::config::{AreaKind, DemandCircuit};
use super::flood::News;
use super::interface::{OspfInterface, OspfInterfaceKey};
use super::lsa::{LsAge, Lsa, LsaKey, Options};
use super::lsdb::{Database, LsaEntry, MAX_AGE, Scope};
use super::neighbor::{Neighbor, NeighborKey, NeighborState};
use super::process::{Env, OspfProcess, TimerKey};
use super::send::Destination;
use crate::ids::RouterId;
use crate::time::Time;

impl OspfInterface {
    /// Whether the link is used as a demand circuit: it is configured so or, on a point-to-point link, the neighbor asks for it and is not
    /// to be ignored (section 3.2.1).
    #[must_use]
    pub fn is_demand_circuit(&self) -> bool {
        match self.settings.demand_circuit {
            Some(DemandCircuit::Run) => true,
            Some(DemandCircuit::Ignore) => false,
            None => self.is_point_to_point() && self.neighbors.values().any(asks),
        }
    }

    /// Whether neither side sends hellos to the other any more (section 3.2.2).
    #[must_use]
    pub fn suppresses_hellos(&self, neighbor: &Neighbor) -> bool {
        self.is_point_to_point()
            && neighbor.state == NeighborState::Full
            && asks(neighbor)
            && self.is_demand_circuit()
    }

    /// Whether hellos would be heard by nobody who needs them.
    pub(super) fn is_quiet(&self) -> bool {
        !self.neighbors.is_empty() && self.neighbors.values().all(|neighbor| self.suppresses_hellos(neighbor))
    }

    /// DC in hellos and database descriptions.
    pub(super) fn demand_bit(&self) -> Options {
        if self.is_demand_circuit() { Options::DC } else { Options::NONE }
    }

    /// Whether LSAs go out with DoNotAge, and only if they say something new (section 3.3).
    fn reduces_flooding(&self) -> bool {
        self.settings.flood_reduction || self.is_demand_circuit()
    }
}

/// Whether a neighbor uses the link as a demand circuit.
const fn asks(neighbor: &Neighbor) -> bool {
    neighbor.options.contains(Options::DC)
}

impl Neighbor {
    /// Whether it holds an LSA, which does not age there.
    pub(super) fn holds_unaging(&self, scope: Scope, lsa: &LsaKey) -> bool {
        self.unaging.contains(&(scope, *lsa)) && !self.retransmissions.contains(scope, lsa)
    }
}

/// Whether an LSA is not to age, and has not been flushed.
const fn stands(entry: &LsaEntry) -> bool {
    entry.installed_age.is_do_not_age() && !entry.installed_age.is_max()
}

impl OspfProcess {
    /// The dead timer of a neighbor that was heard starts anew; it stands still while hellos are suppressed.
    pub(super) fn heard_from(&mut self, env: &Env<'_, '_>, key: OspfInterfaceKey, neighbor: NeighborKey) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let timer = TimerKey::Inactivity(key, neighbor);
        if self.is_suppressed(key, neighbor) {
            self.timers.cancel(timer);
        } else {
            self.timers.set(timer, env.now() + interface.dead_interval);
        }
    }

    /// Whether no hellos are expected of a neighbor.
    pub(super) fn is_suppressed(&self, key: OspfInterfaceKey, neighbor: NeighborKey) -> bool {
        self.interfaces.get(&key).is_some_and(|interface| {
            interface.neighbors.get(&neighbor).is_some_and(|data| interface.suppresses_hellos(data))
        })
    }

    /// A neighbor has become fully adjacent, or is no longer: its dead timer stops, or must run again.
    pub(super) fn suppression_changed(
        &mut self,
        env: &Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let heard = self.neighbor_mut(key, neighbor).is_some_and(|data| data.state >= NeighborState::Init);
        let ticks = self.timers.is_running(TimerKey::Inactivity(key, neighbor));
        if heard && ticks == self.is_suppressed(key, neighbor) {
            self.heard_from(env, key, neighbor);
        }
    }

    /// Whether LSAs of a scope may have DoNotAge: all routers that get them understand it, which they say by DC in their LSAs
    /// (section 2.5).
    #[must_use]
    pub fn is_do_not_age_allowed(&self, scope: Scope) -> bool {
        let without = |scope| self.lsdb.scope(scope).map_or(0, Database::without_dc);
        match scope {
            Scope::Link(_) => false,
            Scope::Area(area) => without(Scope::Area(area)) == 0,
            Scope::As => {
                let normal = self.areas.values().filter(|area| area.kind == AreaKind::Normal);
                without(Scope::As) == 0
                    && normal.map(|area| without(Scope::Area(area.id))).sum::<usize>() == 0
            }
        }
    }

    /// Whether refreshed LSAs of a scope need not go out by an interface to those who hold them with DoNotAge.
    pub(super) fn spares_refreshes(&self, key: OspfInterfaceKey, scope: Scope) -> bool {
        self.interfaces.get(&key).is_some_and(OspfInterface::reduces_flooding)
            && self.is_do_not_age_allowed(scope)
    }

    /// The age with which an LSA is sent, and, where flooding is reduced, who then holds it without ageing.
    pub(super) fn sent_age(
        &mut self,
        key: OspfInterfaceKey,
        destination: Destination,
        age: LsAge,
        lsa: &Lsa,
    ) -> LsAge {
        let Some(interface) = self.interfaces.get(&key) else { return age };
        let grown = age.transmitted(interface.settings.transmit_delay);
        if !interface.reduces_flooding() {
            return grown;
        }
        let Some(scope) = self.scope_of(key, lsa.ls_type()) else { return grown };
        let stands = !age.is_max() && self.is_do_not_age_allowed(scope);
        let neighbors = self.interfaces.get_mut(&key).into_iter().flat_map(|i| i.neighbors.iter_mut());
        for (&neighbor, data) in neighbors {
            let is_told = match destination {
                Destination::Neighbor(only) => only == neighbor,
                _ => data.state >= NeighborState::Exchange,
            };
            match (is_told, stands) {
                (true, true) => data.unaging.insert((scope, lsa.key())),
                (true, false) => data.unaging.remove(&(scope, lsa.key())),
                (false, _) => continue,
            };
        }
        if stands { grown.with_do_not_age() } else { grown }
    }

    /// An LSA has come whose maker does not understand DoNotAge: LSAs that do not age must go where it is known (section 2.5).
    pub(super) fn saw_lsa_without_dc(&mut self, env: &mut Env<'_, '_>, scope: Scope, lsa: &Lsa) {
        if lsa.options().contains(Options::DC) || matches!(scope, Scope::Link(_)) {
            return;
        }
        for scope in [scope, Scope::As] {
            for lsa in self.do_not_age_lsas(scope, |_| true) {
                self.age_out(env, scope, &lsa);
            }
        }
    }

    /// LSAs of others with DoNotAge.
    fn do_not_age_lsas(&self, scope: Scope, which: impl Fn(&LsaEntry) -> bool) -> Vec<Lsa> {
        if self.lsdb.scope(scope).is_none_or(|database| database.do_not_age() == 0) {
            return Vec::new();
        }
        self.lsas_of_others(scope, |entry| stands(entry) && which(entry))
    }

    /// An LSA of another router's is flushed in its stead.
    pub(super) fn age_out(&mut self, env: &mut Env<'_, '_>, scope: Scope, lsa: &Lsa) {
        self.lsdb.install(scope, lsa.clone(), LsAge::MAX, env.context.now);
        self.lsa_changed(env, scope, lsa);
        self.flood(env, scope, lsa, News::Changed);
    }

    /// The routing table is new: since when the makers of LSAs with DoNotAge are out of reach. `reaches` tells whether a router is
    /// within reach.
    pub(super) fn note_unreachable(&mut self, now: Time, reaches: impl Fn(RouterId) -> bool) {
        let before = std::mem::take(&mut self.routing.unreachable);
        if self.lsdb.do_not_age() == 0 {
            self.timers.cancel(TimerKey::DoNotAge);
            return;
        }
        let scopes = self.lsdb.scopes().map(|(scope, _)| scope);
        let makers = scopes.flat_map(|scope| self.do_not_age_lsas(scope, |_| true));
        let lost = makers.map(|lsa| lsa.advertising_router()).filter(|&maker| !reaches(maker));
        let unreachable: BTreeMap<RouterId, Time> =
            lost.map(|maker| (maker, before.get(&maker).copied().unwrap_or(now))).collect();
        self.routing.unreachable = unreachable;
        self.await_unreachable();
    }

    /// When an LSA with DoNotAge is to go because its maker is out of reach: both for MaxAge (section 2.3).
    fn leaves_at(&self, entry: &LsaEntry) -> Option<Time> {
        let since = *self.routing.unreachable.get(&entry.lsa.advertising_router())?;
        stands(entry).then(|| since.max(entry.installed) + MAX_AGE)
    }

    fn await_unreachable(&mut self) {
        let entries = self.lsdb.scopes().flat_map(|(_, database)| database.iter());
        match entries.filter_map(|entry| self.leaves_at(entry)).min() {
            Some(at) => self.timers.set(TimerKey::DoNotAge, at),
            None => self.timers.cancel(TimerKey::DoNotAge),
        }
    }

    /// LSAs whose makers were out of reach for long enough are flushed.
    pub(super) fn unreachable_due(&mut self, env: &mut Env<'_, '_>) {
        let now = env.now();
        let scopes: Vec<Scope> = self.lsdb.scopes().map(|(scope, _)| scope).collect();
        for scope in scopes {
            for lsa in self.do_not_age_lsas(scope, |entry| self.leaves_at(entry).is_some_and(|at| at <= now))
            {
                self.age_out(env, scope, &lsa);
            }
        }
        self.await_unreachable();
    }
}
