//! Telling peers: the changes that a peer has not been told yet become UPDATEs as fast as TCP takes them.

use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::time::Duration;

use ipnet::Ipv4Net;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::attributes::PathAttributes;
use super::instance::Instance;
use super::outbound::{ClientState, Exporter};
use super::packet::{Family, MAX_LENGTH, Nlri, PrefixFilter, RefreshKind, RouteRefresh, Update};
use super::peer::{Peer, PeerKey};
use super::process::{BgpProcess, Env, TimerKey};
use super::session::jittered;
use super::table::{Destination, Path, PathKind, PathSource};
use crate::ids::VrfId;

/// How many destinations are looked at before the messages about them are handed to TCP.
const BATCH: usize = 4096;

/// How long a router is busy with something else, at least and at most, before it tells an internal peer of the next changes. Two routers that
/// each prefer the other's path would otherwise change their minds in step for ever.
const PAUSE_MS: RangeInclusive<u64> = 10..=50;

/// By how many percent chance may shorten the advertisement interval (RFC 4271 section 10).
const INTERVAL_JITTER: u32 = 25;

/// What a peer is told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// The peer has been told of everything up to this version of the table.
    pub version: u32,
    /// Paths that it knows from us.
    pub current: u32,
    /// Routes ever told (`Prefixes Total`).
    pub total: u64,
    /// Routes told anew.
    pub implicit_withdrawals: u64,
    /// Routes withdrawn.
    pub explicit_withdrawals: u64,
    /// It knows the default route of `default-originate`.
    pub default_sent: bool,
    /// The condition of `advertise-map` holds.
    pub condition_holds: bool,
    /// The filter that the peer has sent (RFC 5291), by sequence.
    pub filter: BTreeMap<u32, PrefixFilter>,
    /// Messages that TCP has not taken yet.
    pub(super) outbox: VecDeque<Vec<u8>>,
    /// Routes were told since the advertisement timer last ran.
    told: bool,
    /// The end of the initial routes is still to be marked (RFC 4724).
    pub(super) end_of_rib: bool,
    /// The end of a refresh is still to be marked (RFC 7313).
    pub(super) refresh_end: bool,
    /// The numbers of the paths that a peer knows which takes several (RFC 7911).
    pub(super) sent_ids: BTreeMap<Ipv4Net, BTreeSet<u32>>,
}

impl Output {
    /// Whether the filter that the peer has sent lets a route pass.
    #[must_use]
    pub fn filter_permits(&self, prefix: Ipv4Net) -> bool {
        let matches = |filter: &&PrefixFilter| {
            let length = prefix.prefix_len();
            let (own, min, max) = (filter.prefix.prefix_len(), filter.min_length, filter.max_length);
            let range = match (min, max) {
                (0, 0) => own..=own,
                (0, max) => own..=max,
                (min, 0) => min..=32,
                (min, max) => min..=max,
            };
            filter.prefix.contains(&prefix) && range.contains(&length)
        };
        self.filter.is_empty() || self.filter.values().find(matches).is_some_and(|filter| filter.permit)
    }

    /// A session begins, or ends: nothing is told.
    pub(super) fn restart(&mut self) {
        *self = Self {
            total: self.total,
            implicit_withdrawals: self.implicit_withdrawals,
            explicit_withdrawals: self.explicit_withdrawals,
            ..Self::default()
        };
    }
}

/// What a pass over changed destinations gives.
#[derive(Default)]
struct Changes {
    withdrawn: Vec<Nlri>,
    /// Routes by attributes, in the order in which those were first met.
    announced: Vec<(Arc<PathAttributes>, Vec<Nlri>)>,
    by_value: BTreeMap<Arc<PathAttributes>, usize>,
    by_address: HashMap<usize, usize>,
    /// Routes told anew.
    again: u64,
    /// Paths that become known less those that become unknown.
    known: i64,
}

impl Changes {
    /// Routes with equal attributes go together. Those that came together from a peer and are `told_alike` share their attributes still;
    /// others, out of route maps and of this router, are compared.
    fn announce(&mut self, attributes: Arc<PathAttributes>, nlri: Nlri, told_alike: bool) {
        let next = self.announced.len();
        let at = if told_alike {
            *self.by_address.entry(Arc::as_ptr(&attributes) as usize).or_insert(next)
        } else {
            *self.by_value.entry(Arc::clone(&attributes)).or_insert(next)
        };
        match self.announced.get_mut(at) {
            Some((_, routes)) => routes.push(nlri),
            None => self.announced.push((attributes, vec![nlri])),
        }
    }
}

/// Attributes already transformed for a peer, by the attributes and the peer that they come from.
type Transformed = HashMap<(usize, PathSource), Arc<PathAttributes>>;

impl Instance {
    /// What is needed to judge routes for a peer; `None` if no session is up.
    pub(super) fn exporter<'a>(
        &'a self,
        context: &'a crate::process::Context<'_>,
        peer: &'a Peer,
    ) -> Option<Exporter<'a>> {
        let session = peer.session.as_ref()?;
        let own_address = *session.endpoints.local.ip();
        let address = peer.key.address;
        let subnets = context.interfaces.iter().filter(|i| i.vrf == self.vrf).flat_map(|i| i.addresses());
        let config = context.config.bgp.as_ref()?;
        Some(Exporter {
            config,
            family: &self.config(config)?.ipv4,
            policy: &context.config.policy,
            interfaces: context.interfaces,
            next_hops: &self.next_hops,
            vrf: self.vrf,
            cluster_id: self.cluster_id?,
            peer,
            own_address,
            shared_subnet: subnets.map(|net| net.trunc()).find(|net| net.contains(&address)),
        })
    }

    /// Whether a path's peer is our client; `None` if it is no internal peer.
    pub(super) fn client_state(&self, path: &Path) -> ClientState {
        let peer = path.source.peer().filter(|_| path.kind == PathKind::Internal)?;
        Some(self.peers.get(&peer).is_some_and(|peer| peer.settings.policy.route_reflector_client))
    }

    /// The attributes under which the peer is told of a path, if it is.
    fn export(
        &self,
        exporter: &Exporter<'_>,
        prefix: Ipv4Net,
        destination: &Destination,
        path: &Path,
        transformed: &mut Transformed,
    ) -> Option<Arc<PathAttributes>> {
        if !exporter.permits(prefix, destination, path, self.client_state(path)) {
            return None;
        }
        if !exporter.is_uniform() {
            return exporter.attributes(prefix, path).map(Arc::new);
        }
        let key = (Arc::as_ptr(&path.attributes) as usize, path.source);
        if let Some(known) = transformed.get(&key) {
            return Some(Arc::clone(known));
        }
        let fresh = Arc::new(exporter.attributes(prefix, path)?);
        transformed.insert(key, Arc::clone(&fresh));
        Some(fresh)
    }

    /// What a peer is to be told about destinations. It is noted as told.
    fn changes_for(
        &mut self,
        context: &crate::process::Context<'_>,
        address: std::net::Ipv4Addr,
        prefixes: impl Iterator<Item = Ipv4Net>,
    ) -> Option<Changes> {
        let mut changes = Changes::default();
        let mut transformed = Transformed::new();
        let mut told = Vec::new();
        let peer = self.peers.get(&address)?;
        let several = peer.session.as_ref().is_some_and(|session| session.agreed.add_path_send);
        let exporter = self.exporter(context, peer)?;
        for prefix in prefixes {
            let Some(destination) = self.table.get(prefix) else { continue };
            let ids = if several {
                self.all_paths_for(&exporter, prefix, destination, &mut transformed, &mut changes)
            } else {
                self.best_path_for(&exporter, prefix, destination, &mut transformed, &mut changes)
            };
            told.extend(ids.map(|ids| (prefix, ids)));
        }
        let index = peer.index;
        for (prefix, ids) in told {
            if let Some(destination) = self.table.get_mut(prefix) {
                if ids.is_empty() {
                    destination.advertised.remove(index);
                } else {
                    destination.advertised.insert(index);
                }
            }
            self.table.forget_unused(prefix);
            if let Some(peer) = self.peers.get_mut(&address).filter(|_| several) {
                let known = &mut peer.routes_out.sent_ids;
                if ids.is_empty() {
                    known.remove(&prefix)
                } else {
                    known.insert(prefix, ids)
                };
            }
        }
        Some(changes)
    }

    /// What a peer is told that takes one path to a destination. The numbers of what it knows then, if that is new.
    fn best_path_for(
        &self,
        exporter: &Exporter<'_>,
        prefix: Ipv4Net,
        destination: &Destination,
        transformed: &mut Transformed,
        changes: &mut Changes,
    ) -> Option<BTreeSet<u32>> {
        let out = &exporter.peer.routes_out;
        if destination.best_version <= out.version {
            // Only paths have changed that this peer does not hear of.
            return None;
        }
        let own_default = prefix.prefix_len() == 0 && out.default_sent;
        let best = destination.best_path().filter(|_| !own_default);
        let exported = best.and_then(|path| self.export(exporter, prefix, destination, path, transformed));
        let known = destination.advertised.contains(exporter.peer.index);
        match exported {
            Some(attributes) => {
                changes.again += u64::from(known);
                let told_alike =
                    exporter.is_uniform() && best.is_some_and(|path| path.source.peer().is_some());
                changes.announce(attributes, Nlri::new(prefix), told_alike);
                changes.known += i64::from(!known);
                (!known).then(|| BTreeSet::from([0]))
            }
            None if known => {
                changes.withdrawn.push(Nlri::new(prefix));
                changes.known -= 1;
                Some(BTreeSet::new())
            }
            None => None,
        }
    }

    /// What a peer is told that takes several paths (RFC 7911): the best one, and what else is marked and wanted. The numbers of what it
    /// knows then.
    fn all_paths_for(
        &self,
        exporter: &Exporter<'_>,
        prefix: Ipv4Net,
        destination: &Destination,
        transformed: &mut Transformed,
        changes: &mut Changes,
    ) -> Option<BTreeSet<u32>> {
        let out = &exporter.peer.routes_out;
        let own_default = prefix.prefix_len() == 0 && out.default_sent;
        let wanted = exporter.peer.settings.policy.advertise_paths;
        let known = out.sent_ids.get(&prefix);
        let mut ids = BTreeSet::new();
        for path in destination.paths.iter().filter(|_| !own_default) {
            let is_best = destination.best == Some(path.id());
            if !is_best && !path.status.marks.is_wanted(wanted) {
                continue;
            }
            if let Some(attributes) = self.export(exporter, prefix, destination, path, transformed) {
                ids.insert(path.sent_id);
                changes.again += u64::from(known.is_some_and(|known| known.contains(&path.sent_id)));
                let nlri = Nlri { prefix, path_id: path.sent_id };
                let told_alike = exporter.is_uniform() && path.source.peer().is_some();
                changes.announce(attributes, nlri, told_alike);
            }
        }
        let gone = known.into_iter().flatten().filter(|id| !ids.contains(id));
        changes.withdrawn.extend(gone.map(|&path_id| Nlri { prefix, path_id }));
        let count = |ids: usize| i64::try_from(ids).unwrap_or(i64::MAX);
        changes.known += count(ids.len()) - count(known.map_or(0, BTreeSet::len));
        Some(ids)
    }
}

impl BgpProcess {
    /// Tells every peer what it has not been told yet.
    pub(super) fn advertise_all(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let Some(instance) = self.instances.get(&vrf) else { return };
        let version = instance.table.version();
        let behind = |peer: &&Peer| {
            let out = &peer.routes_out;
            peer.session.is_some()
                && (out.version < version || out.end_of_rib || out.refresh_end || !out.outbox.is_empty())
        };
        let keys: Vec<PeerKey> = instance.peers.values().filter(behind).map(|peer| peer.key).collect();
        for key in keys {
            self.advertise_to(env, key);
        }
    }

    /// Tells a peer what it has not been told yet, as far as TCP takes it and the advertisement timer allows.
    pub(super) fn advertise_to(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        loop {
            if !self.flush(env, key) || self.timers.is_running(TimerKey::Advertise(key)) {
                return;
            }
            let Some(instance) = self.instances.get(&key.vrf) else { return };
            let Some(peer) = instance.peers.get(&key.address) else { return };
            let Some(session) = peer.session.as_ref().filter(|s| s.agreed.ipv4_unicast) else { return };
            let agreed = session.agreed;
            let batch = instance.table.changed_after(peer.routes_out.version, BATCH);
            let Some(&(last, _)) = batch.last() else { return self.caught_up(env, key) };
            let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
            let prefixes = batch.into_iter().map(|(_, prefix)| prefix);
            let Some(changes) = instance.changes_for(env.context, key.address, prefixes) else { return };
            let Some(peer) = instance.peers.get_mut(&key.address) else { return };
            peer.routes_out.version = last;
            peer.queue(changes, agreed.send_format(), agreed.limit());
        }
    }

    /// The peer knows everything: ends of initial routes and refreshes are marked, and the advertisement timer starts.
    fn caught_up(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let version = instance.table.version();
        let Some(peer) = instance.peers.get_mut(&key.address) else { return };
        peer.routes_out.version = version;
        if std::mem::take(&mut peer.routes_out.end_of_rib) {
            peer.routes_out.outbox.push_back(Update::end_of_rib());
        }
        if std::mem::take(&mut peer.routes_out.refresh_end) {
            let mark = RouteRefresh { family: Family::IPV4_UNICAST, kind: RefreshKind::End, filters: None };
            peer.routes_out.outbox.push_back(mark.message());
        }
        let interval = peer.advertisement_interval();
        if std::mem::take(&mut peer.routes_out.told) {
            let pause = if interval.is_zero() {
                Duration::from_millis(env.context.rng.random_range(PAUSE_MS))
            } else {
                jittered(env, interval, INTERVAL_JITTER)
            };
            self.timers.set(TimerKey::Advertise(key), env.now() + pause);
        }
        self.flush(env, key);
    }

    /// Gives waiting messages to TCP; tells whether it has taken all.
    pub(super) fn flush(&mut self, env: &mut Env<'_, '_>, key: PeerKey) -> bool {
        loop {
            let Some(peer) = self.peer(key) else { return false };
            let Some(session) = &peer.session else { return false };
            let endpoints = session.endpoints;
            let room = self.tcp.connection(endpoints).map_or(0, crate::tcp::Connection::room);
            let Some(peer) = self.peer_mut(key) else { return false };
            let Some(message) = peer.routes_out.outbox.front() else { return true };
            if room == 0 {
                return false;
            }
            // A message is taken whole, though it may overfill the buffer by its own length.
            let count = messages_within(&peer.routes_out.outbox, room.max(message.len()));
            let messages: Vec<Vec<u8>> = peer.routes_out.outbox.drain(..count).collect();
            for message in &messages {
                peer.sent.count_queued(message);
            }
            let octets = messages.concat();
            peer.last_write = Some(env.now());
            self.send_octets(env, endpoints, octets);
        }
    }

    /// Tells a peer everything again (`clear ip bgp ... soft out`, ROUTE-REFRESH).
    pub(super) fn soft_reset_out(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(peer) = self.peer_mut(key).filter(|peer| peer.session.is_some()) else { return };
        peer.routes_out.version = 0;
        self.timers.cancel(TimerKey::Advertise(key));
        self.advertise_default(env, key);
    }

    /// What the peer knows no longer counts.
    pub(super) fn forget_advertised(&mut self, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let Some(peer) = instance.peers.get_mut(&key.address) else { return };
        let index = peer.index;
        let current = peer.routes_out.current;
        peer.routes_out.restart();
        if current == 0 {
            return;
        }
        let known: Vec<Ipv4Net> = instance
            .table
            .iter()
            .filter(|(_, destination)| destination.advertised.contains(index))
            .map(|(prefix, _)| prefix)
            .collect();
        for prefix in known {
            if let Some(destination) = instance.table.get_mut(prefix) {
                destination.advertised.remove(index);
            }
            instance.table.forget_unused(prefix);
        }
    }
}

/// How many of the first messages fit so many octets.
fn messages_within(outbox: &VecDeque<Vec<u8>>, octets: usize) -> usize {
    let mut left = octets;
    outbox
        .iter()
        .take_while(|message| {
            let fits = message.len() <= left;
            left = left.saturating_sub(message.len());
            fits
        })
        .count()
}

impl Peer {
    /// Makes the messages about changes.
    fn queue(&mut self, changes: Changes, format: super::packet::UpdateFormat, limit: usize) {
        let out = &mut self.routes_out;
        let count = |routes: &[Nlri]| u64::try_from(routes.len()).unwrap_or(u64::MAX);
        out.explicit_withdrawals += count(&changes.withdrawn);
        out.implicit_withdrawals += changes.again;
        out.current = out.current.saturating_add_signed(i32::try_from(changes.known).unwrap_or(i32::MAX));
        out.outbox.extend(Update::withdrawals(format, MAX_LENGTH, &changes.withdrawn));
        for (attributes, routes) in &changes.announced {
            out.total += count(routes);
            let mut messages = Update::announcements(format, MAX_LENGTH, attributes, routes);
            if messages.is_empty() {
                // RFC 8654 serves attributes that a message of the usual length does not hold.
                messages = Update::announcements(format, limit, attributes, routes);
            }
            out.outbox.extend(messages);
        }
        out.told |= !changes.withdrawn.is_empty() || !changes.announced.is_empty();
    }
}
