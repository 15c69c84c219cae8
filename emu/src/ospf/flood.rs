//! Flooding (RFC 2328 section 13): sending, acknowledging and repeating LSAs. `update.rs` takes in what others flood.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use super::area::Area;
use super::config::AreaKind;
use super::exchange::{octets_of_body, room};
use super::interface::{OspfInterface, OspfInterfaceKey, OspfNetwork};
use super::lsa::{LsAge, LsType, Lsa, LsaHeader, Options};
use super::lsdb::Scope;
use super::neighbor::{Neighbor, NeighborKey, NeighborState};
use super::packet::PacketBody;
use super::process::{Env, OspfProcess, TimerKey};
use super::retransmission::Retransmission;
use super::send::Destination;
use crate::ids::{AreaId, IfIndex};
use crate::time::Timers;

/// How long acknowledgements are gathered (IOS).
const ACK_DELAY: Duration = Duration::from_millis(2500);

/// IOS's default of `timers pacing flood`.
const PACING_FLOOD_MS: u32 = 33;

/// What an instance is to those who have the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum News {
    /// It says something else, or takes the LSA away.
    Changed,
    /// It says the same.
    Refreshed,
}

/// A neighbor, and the interface by which it is one.
pub(super) type Adjacency = (OspfInterfaceKey, NeighborKey);

/// Where an LSA has come from.
pub(super) type Sender = Option<Adjacency>;

impl OspfProcess {
    /// Sends an LSA that was made or flushed here, and stands in the database, to the neighbors of its scope.
    pub(super) fn flood(&mut self, env: &mut Env<'_, '_>, scope: Scope, lsa: &Lsa, news: News) {
        let age = self.lsdb.get(scope, &lsa.key()).map(|entry| entry.age(env.context.now));
        // A former instance has come in, and its acknowledgement is still delayed. A neighbor to which that instance has meanwhile come back by
        // another way would take it for the answer to what it sends, and would never learn of this one.
        let Self { interfaces, areas, .. } = self;
        for (_, interface) in interfaces.iter_mut().filter(|(key, i)| floods(areas, **key, i, scope)) {
            interface.delayed_acks.retain(|header| header.key() != lsa.key());
        }
        self.flood_from(env, scope, lsa, (age.unwrap_or_default(), news), None);
        self.remove_flushed(env);
    }

    /// The part of the database that an LSA of this type received on an interface belongs to; `None` if the area does not take such LSAs
    /// (section 13 steps 2 and 3, RFC 3101 section 2.2).
    pub(super) fn scope_of(&self, key: OspfInterfaceKey, ls_type: LsType) -> Option<Scope> {
        let interface = self.interfaces.get(&key)?;
        let kind = self.areas.get(&interface.area)?.kind;
        let index = match key {
            OspfInterfaceKey::Physical(index) => index,
            OspfInterfaceKey::Virtual { .. } if ls_type == LsType::OpaqueLink => return None,
            OspfInterfaceKey::Virtual { .. } => IfIndex(0),
        };
        let scope = Scope::of(ls_type, interface.area, index);
        let belongs = match ls_type {
            LsType::Unknown(_) => false,
            LsType::Nssa => matches!(kind, AreaKind::Nssa(_)),
            _ => self.floods(key, interface, scope),
        };
        belongs.then_some(scope)
    }

    /// Whether LSAs of a scope are flooded on an interface at all.
    pub(super) fn floods(&self, key: OspfInterfaceKey, interface: &OspfInterface, scope: Scope) -> bool {
        floods(&self.areas, key, interface, scope)
    }

    /// Section 13.3. Older instances leave the retransmission lists (section 13 step 5 c). Tells whether the LSA goes out by the interface that
    /// it came in by.
    pub(super) fn flood_from(
        &mut self,
        env: &mut Env<'_, '_>,
        scope: Scope,
        lsa: &Lsa,
        (age, news): (LsAge, News),
        from: Sender,
    ) -> bool {
        if age.is_max() {
            self.flushed.insert((scope, lsa.key()));
        }
        let now = env.now();
        let pacing = self.flood_pacing(env);
        let spares: BTreeSet<OspfInterfaceKey> = match news {
            News::Changed => BTreeSet::new(),
            News::Refreshed => {
                self.interfaces.keys().copied().filter(|&key| self.spares_refreshes(key, scope)).collect()
            }
        };
        let waiting = Retransmission::new(scope, lsa.clone(), age, now);
        let waiting = Retransmission { changed: news == News::Changed, ..waiting };
        let mut flooded_back = false;
        let (mut told, mut fulfilled) = (Vec::new(), Vec::new());
        let Self { interfaces, areas, timers, .. } = self;
        for (&key, interface) in interfaces {
            if !floods(areas, key, interface, scope) || interface.settings.database_filter {
                let neighbors = interface.neighbors.values_mut();
                neighbors.for_each(|data| data.retransmissions.remove_of(scope, &lsa.key()));
                continue;
            }
            let offer = Offer { waiting: &waiting, from, spares: spares.contains(&key) };
            if !put_on_lists(interface, key, &offer, timers, (&mut told, &mut fulfilled)) {
                continue;
            }
            flooded_back |= from.is_some_and(|(receiving, _)| receiving == key);
            if interface.flood_queue.is_empty() {
                let at = interface.last_flood.map_or(now, |last| (last + pacing).max(now));
                timers.set(TimerKey::FloodPacing(key), at);
            }
            interface.flood_queue.push_back(lsa.key());
        }
        for (key, neighbor) in fulfilled {
            self.request_fulfilled(env, key, neighbor);
        }
        if news == News::Changed && lsa.ls_type().is_topology() {
            self.topology_changed(env, &told);
        }
        flooded_back
    }

    fn flood_pacing(&self, env: &Env<'_, '_>) -> Duration {
        let ms = self.config(env.context).and_then(|config| config.pacing_flood_ms);
        Duration::from_millis(u64::from(ms.unwrap_or(PACING_FLOOD_MS)))
    }

    /// Sends one packet of what is queued on an interface. What all neighbors have acknowledged meanwhile, by sending it themselves, needs not
    /// go out any more.
    pub(super) fn flood_queue_due(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey) {
        let now = env.context.now;
        let pacing = self.flood_pacing(env);
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        interface.last_flood = Some(now);
        let due = now + interface.settings.retransmit_interval;
        let mut left = octets_of_body(interface).saturating_sub(4);
        let mut lsas: Vec<(LsAge, Lsa)> = Vec::new();
        'packet: while let Some(lsa) = interface.flood_queue.front() {
            let mut sent = None;
            for (&neighbor, data) in &mut interface.neighbors {
                let Some(waiting) = data.retransmissions.unsent(lsa) else { continue };
                let length = usize::from(waiting.lsa.length());
                if sent.is_none() && length > left && !lsas.is_empty() {
                    break 'packet;
                }
                waiting.due = Some(due);
                sent.get_or_insert_with(|| (waiting.age_at(now), waiting.lsa.clone()));
                let timer = TimerKey::LinkStateUpdate(key, neighbor);
                if !self.timers.is_running(timer) {
                    self.timers.set(timer, due);
                }
            }
            if let Some((_, lsa)) = &sent {
                left = left.saturating_sub(usize::from(lsa.length()));
            }
            lsas.extend(sent);
            interface.flood_queue.pop_front();
        }
        let multicasts = interface.multicasts();
        let targets: Vec<NeighborKey> = interface.flooding_neighbors().map(|(&key, _)| key).collect();
        if !interface.flood_queue.is_empty() {
            self.timers.set(TimerKey::FloodPacing(key), now + pacing);
        }
        if multicasts {
            self.send_lsas(env, key, Destination::Flooding, lsas);
        } else {
            for neighbor in targets {
                self.send_lsas(env, key, Destination::Neighbor(neighbor), lsas.clone());
            }
        }
    }

    /// Sends LSAs in as many updates as needed.
    pub(super) fn send_lsas(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        destination: Destination,
        lsas: Vec<(LsAge, Lsa)>,
    ) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let space = octets_of_body(interface).saturating_sub(4);
        let mut packet: Vec<(LsAge, Lsa)> = Vec::new();
        let mut used = 0;
        for (age, lsa) in lsas {
            let length = usize::from(lsa.length());
            if used + length > space && !packet.is_empty() {
                let full = PacketBody::LinkStateUpdate(std::mem::take(&mut packet));
                self.send(env, key, destination, full);
                used = 0;
            }
            used += length;
            packet.push((self.sent_age(key, destination, age, &lsa), lsa));
        }
        if !packet.is_empty() {
            self.send(env, key, destination, PacketBody::LinkStateUpdate(packet));
        }
    }

    /// RxmtInterval has passed: what a neighbor has not acknowledged goes to it again (section 13.6).
    pub(super) fn retransmit(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, neighbor: NeighborKey) {
        let now = env.context.now;
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let interval = interface.settings.retransmit_interval;
        let Some(data) = interface.neighbors.get_mut(&neighbor) else { return };
        let (again, next) = data.retransmissions.take_due(now, interval);
        data.retransmitted =
            data.retransmitted.saturating_add(u32::try_from(again.len()).unwrap_or(u32::MAX));
        if let Some(next) = next {
            self.timers.set(TimerKey::LinkStateUpdate(key, neighbor), next);
        }
        self.send_lsas(env, key, Destination::Neighbor(neighbor), again);
        self.give_up_deaf(env, key, neighbor);
    }

    /// Acknowledges at once, to one neighbor (section 13.5).
    pub(super) fn acknowledge(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        header: LsaHeader,
    ) {
        self.send(env, key, Destination::Neighbor(neighbor), PacketBody::LinkStateAck(vec![header]));
    }

    /// Acknowledges later, together with others, to all.
    pub(super) fn acknowledge_later(&mut self, env: &Env<'_, '_>, key: OspfInterfaceKey, header: LsaHeader) {
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        interface.delayed_acks.push(header);
        let full = interface.delayed_acks.len() >= room(interface, 0, LsaHeader::LEN);
        let timer = TimerKey::DelayedAck(key);
        if full {
            self.timers.set(timer, env.now());
        } else if !self.timers.is_running(timer) {
            // The neighbor repeats after its RxmtInterval, which is taken to be ours.
            let delay = ACK_DELAY.min(interface.settings.retransmit_interval / 2);
            self.timers.set(timer, env.now() + delay);
        }
    }

    /// Sends the delayed acknowledgements of an interface.
    pub(super) fn acks_due(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey) {
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let headers = std::mem::take(&mut interface.delayed_acks);
        let (room, multicasts) = (room(interface, 0, LsaHeader::LEN), interface.multicasts());
        let targets: Vec<NeighborKey> = interface.flooding_neighbors().map(|(&key, _)| key).collect();
        for piece in headers.chunks(room) {
            let body = PacketBody::LinkStateAck(piece.to_vec());
            if multicasts {
                self.send(env, key, Destination::Flooding, body);
            } else {
                for &neighbor in &targets {
                    self.send(env, key, Destination::Neighbor(neighbor), body.clone());
                }
            }
        }
    }

    /// A neighbor acknowledges LSAs (section 13.7).
    pub(super) fn receive_acks(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        headers: &[LsaHeader],
    ) {
        let now = env.context.now;
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        if data.state < NeighborState::Exchange {
            return;
        }
        let mut max_age = false;
        for header in headers {
            let acknowledged = data.retransmissions.acknowledge(header, now);
            max_age |= acknowledged.is_some_and(|waiting| waiting.age_at(now).is_max());
        }
        self.nothing_to_repeat(key, neighbor);
        if max_age {
            self.remove_flushed(env);
        }
    }

    /// Stops the retransmission timer of a neighbor that has acknowledged everything.
    pub(super) fn nothing_to_repeat(&mut self, key: OspfInterfaceKey, neighbor: NeighborKey) {
        if self.neighbor_mut(key, neighbor).is_none_or(|data| data.retransmissions.is_empty()) {
            self.timers.cancel(TimerKey::LinkStateUpdate(key, neighbor));
        }
    }

    /// Section 14: an LSA at MaxAge leaves the database when all neighbors have acknowledged it and none is in the exchange.
    pub(super) fn remove_flushed(&mut self, env: &Env<'_, '_>) {
        if self.flushed.is_empty() || self.is_exchanging() {
            return;
        }
        let now = env.context.now;
        let neighbors = || self.interfaces.values().flat_map(|interface| interface.neighbors.values());
        let (done, left): (Vec<_>, Vec<_>) = self.flushed.iter().partition(|(scope, lsa)| {
            let alive = self.lsdb.get(*scope, lsa).is_none_or(|entry| !entry.age(now).is_max());
            alive || !neighbors().any(|neighbor| neighbor.retransmissions.contains(*scope, lsa))
        });
        self.flushed = left.into_iter().collect();
        for (scope, lsa) in done {
            if self.lsdb.get(scope, &lsa).is_some_and(|entry| entry.age(now).is_max()) {
                self.lsdb.remove(scope, &lsa);
            }
        }
    }

    /// Whether some neighbor is in Exchange or Loading.
    pub(super) fn is_exchanging(&self) -> bool {
        self.interfaces
            .values()
            .flat_map(|interface| interface.neighbors.values())
            .any(|neighbor| matches!(neighbor.state, NeighborState::Exchange | NeighborState::Loading))
    }
}

/// Step 1 for one neighbor: whether it must get the LSA, and whether it had been asked for the LSA, or an older one.
fn takes(neighbor: &mut Neighbor, header: &LsaHeader) -> (bool, bool) {
    if neighbor.state < NeighborState::Exchange {
        return (false, false);
    }
    if header.ls_type.is_opaque() && !neighbor.description_options.contains(Options::O) {
        return (false, false);
    }
    if neighbor.state == NeighborState::Full {
        return (true, false);
    }
    let Some(asked) = neighbor.requests.get(&header.key()) else { return (true, false) };
    match header.compare_recency(asked) {
        std::cmp::Ordering::Less => (false, false),
        std::cmp::Ordering::Equal => {
            neighbor.requests.remove(&header.key());
            (false, true)
        }
        std::cmp::Ordering::Greater => {
            neighbor.requests.remove(&header.key());
            (true, true)
        }
    }
}

/// As [`OspfProcess::floods`], with the areas of the process.
fn floods(
    areas: &BTreeMap<AreaId, Area>,
    key: OspfInterfaceKey,
    interface: &OspfInterface,
    scope: Scope,
) -> bool {
    match scope {
        Scope::Area(area) => interface.area == area,
        Scope::As => {
            let kind = areas.get(&interface.area).map(|area| area.kind);
            interface.network != OspfNetwork::VirtualLink && kind == Some(AreaKind::Normal)
        }
        Scope::Link(index) => key == OspfInterfaceKey::Physical(index),
    }
}

/// An LSA for the neighbors of an interface.
struct Offer<'a> {
    waiting: &'a Retransmission,
    from: Sender,
    /// Those who hold it with DoNotAge need no refreshed instance (RFC 1793).
    spares: bool,
}

/// Section 13.3 for one interface: puts the LSA on the lists of the neighbors that must get it, and tells whether it is to be queued. Those
/// neighbors are appended to `told`, and those that it had been asked of to `fulfilled`.
fn put_on_lists(
    interface: &mut OspfInterface,
    key: OspfInterfaceKey,
    offer: &Offer<'_>,
    timers: &mut Timers<TimerKey>,
    (told, fulfilled): (&mut Vec<Adjacency>, &mut Vec<Adjacency>),
) -> bool {
    let waiting = offer.waiting;
    let header = waiting.lsa.header(waiting.age);
    let skips = skips(interface, key, offer.from);
    // Steps 3 and 4: what another router floods counts as sent.
    let due = skips.then(|| waiting.since + interface.settings.retransmit_interval);
    let (mut to_send, mut queued) = (false, false);
    for (&neighbor, data) in &mut interface.neighbors {
        let (takes, asked) = takes(data, &header);
        if asked {
            fulfilled.push((key, neighbor));
        }
        let spared = offer.spares && data.holds_unaging(waiting.scope, &header.key());
        if takes && !spared && offer.from != Some((key, neighbor)) {
            let old = data.retransmissions.put(Retransmission { due, ..waiting.clone() });
            queued |= old.is_some_and(|old| old.due.is_none());
            to_send = true;
            told.push((key, neighbor));
            let timer = TimerKey::LinkStateUpdate(key, neighbor);
            if let Some(due) = due.filter(|_| !timers.is_running(timer)) {
                timers.set(timer, due);
            }
        } else {
            data.retransmissions.remove(&header.key());
        }
    }
    to_send && !skips && !queued
}

/// Steps 3 and 4: the LSA came in by this interface and the DR has sent it, or will.
fn skips(interface: &OspfInterface, key: OspfInterfaceKey, from: Sender) -> bool {
    let Some((_, sender)) = from.filter(|(receiving, _)| *receiving == key && interface.elects()) else {
        return false;
    };
    let address = interface.neighbors.get(&sender).map_or(Ipv4Addr::UNSPECIFIED, |data| data.address);
    address == interface.designated_router
        || address == interface.backup_designated_router
        || interface.state == super::interface::InterfaceState::Backup
}
