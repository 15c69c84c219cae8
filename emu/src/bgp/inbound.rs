//! Routes from peers into the table: loop checks, inbound policy, counters, limits.

use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::as_path::SegmentKind;
use super::attributes::{ClusterId, PathAttributes};
use super::community::ExtendedCommunity;
use super::config::{BgpConfig, FamilyConfig};
use super::dampening::{CHANGE, WITHDRAWAL};
use super::instance::Instance;
use super::log::BgpLogEvent;
use super::packet::{PeerKind, Update};
use super::peer::{Peer, PeerKey};
use super::policy::{EditContext, apply, lists_permit, path_kind, view};
use super::process::{BgpProcess, Env, TimerKey};
use super::table::{Path, PathId, PathSource, PathStatus};
use crate::ids::{RouterId, VrfId};
use crate::interface::InterfaceTable;
use crate::policy::{PolicyConfig, RouteEdits};

/// Why a route from a peer is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Denial {
    /// Our AS is in its path (RFC 4271 section 9.1.2).
    AsPathLoop,
    /// We are its originator (RFC 4456 section 8).
    OriginatorLoop,
    /// Our cluster is in its list (RFC 4456 section 8).
    ClusterLoop,
    /// The path does not begin with the peer's AS.
    FirstAs,
    /// The path is longer than `bgp maxas-limit`.
    LongAsPath,
    /// The next hop is an address of this router.
    NextHop,
    /// `route-map in`.
    RouteMap,
    /// `filter-list in`.
    FilterList,
    /// `prefix-list in`.
    PrefixList,
    /// `distribute-list in`.
    DistributeList,
}

impl Denial {
    /// How many there are.
    pub const COUNT: usize = 10;
}

/// What a peer has told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Received {
    /// Paths in use (`Prefixes Current`, `State/PfxRcd`).
    pub current: u32,
    /// Paths ever taken (`Prefixes Total`).
    pub total: u64,
    /// Paths replaced by others.
    pub implicit_withdrawals: u64,
    /// Paths withdrawn.
    pub explicit_withdrawals: u64,
    /// Routes denied, by reason.
    denied: [u64; Denial::COUNT],
    /// The threshold of `maximum-prefix` is passed.
    pub warned: bool,
    /// The limit of `maximum-prefix` is passed.
    pub exceeded: bool,
    /// All initial routes have come (RFC 4724).
    pub end_of_rib: bool,
}

impl Received {
    /// Routes denied for a reason.
    #[must_use]
    pub fn denied(&self, reason: Denial) -> u64 {
        self.denied.get(reason as usize).copied().unwrap_or(0)
    }

    fn count_denied(&mut self, reason: Denial) {
        if let Some(count) = self.denied.get_mut(reason as usize) {
            *count += 1;
        }
    }

    /// A session begins.
    pub(super) fn restart(&mut self) {
        (self.warned, self.exceeded, self.end_of_rib) = (false, false, false);
    }
}

/// How routes from one peer are judged.
pub(super) struct Importer<'a> {
    pub(super) config: &'a BgpConfig,
    pub(super) family: &'a FamilyConfig,
    pub(super) policy: &'a PolicyConfig,
    pub(super) interfaces: &'a InterfaceTable,
    pub(super) vrf: VrfId,
    pub(super) router_id: Option<RouterId>,
    pub(super) cluster_id: Option<ClusterId>,
    pub(super) peer: &'a Peer,
}

/// Attributes that several routes share, on their way in.
pub(super) struct Arrival {
    /// As received.
    received: Arc<PathAttributes>,
    /// With our `local-as` in front.
    attributes: Arc<PathAttributes>,
    /// Why none of the routes is used.
    denial: Option<Denial>,
    as_path: String,
    /// What the route map changed last, and what came of it.
    edited: Option<(RouteEdits, Arc<PathAttributes>)>,
}

impl Importer<'_> {
    /// Looks at attributes as they came.
    pub(super) fn arrive(&self, received: &Arc<PathAttributes>) -> Arrival {
        let denial = self.loops(received).or_else(|| self.malformed(received));
        let local_as = self.peer.settings.session.local_as;
        let attributes = match local_as.filter(|local| !local.no_prepend && !self.peer.real_as) {
            Some(local) if self.peer.kind == PeerKind::External => {
                let as_path = received.as_path.prepended(SegmentKind::Sequence, local.asn, 1);
                Arc::new(PathAttributes { as_path, ..PathAttributes::clone(received) })
            }
            _ => Arc::clone(received),
        };
        let attributes = match received.aigp {
            // RFC 7311 section 3.2: where it is not agreed on it is ignored.
            Some(_) if !self.peer.settings.policy.aigp => {
                Arc::new(PathAttributes { aigp: None, ..PathAttributes::clone(&attributes) })
            }
            _ => attributes,
        };
        let attributes = match self.link_bandwidth() {
            Some(bandwidth) => {
                let mut attributes = PathAttributes::clone(&attributes);
                attributes.extended_communities.retain(|community| !community.is_link_bandwidth());
                attributes.extended_communities.push(bandwidth);
                attributes.extended_communities.sort_unstable();
                Arc::new(attributes)
            }
            None => attributes,
        };
        let as_path = attributes.as_path.to_string();
        Arrival { received: Arc::clone(received), attributes, denial, as_path, edited: None }
    }

    /// `neighbor X dmzlink-bw` with `bgp dmzlink-bw`: the bandwidth of the link to a neighbor that is directly connected.
    fn link_bandwidth(&self) -> Option<ExtendedCommunity> {
        let wanted = self.config.best_path.dmz_link_bandwidth
            && self.peer.settings.policy.dmz_link_bandwidth
            && self.peer.kind == PeerKind::External;
        let address = self.peer.key.address;
        let mut interfaces = self.interfaces.iter().filter(|_| wanted);
        let link = interfaces.find(|i| i.vrf == self.vrf && i.is_connected_to(address))?;
        // The community holds a float, which is exact for whole octets up to 16 MB/s and near enough above.
        let octets_per_second = link.bandwidth_kbps as f32 * 125.0;
        Some(ExtendedCommunity::link_bandwidth(self.config.asn, octets_per_second))
    }

    fn loops(&self, attributes: &PathAttributes) -> Option<Denial> {
        let allowed = usize::from(self.peer.settings.policy.allowas_in.unwrap_or(0));
        let own = [Some(self.config.asn), self.config.confederation];
        let path = &attributes.as_path;
        if own.into_iter().flatten().any(|asn| path.occurrences(asn) > allowed) {
            return Some(Denial::AsPathLoop);
        }
        if attributes.originator_id.is_some() && attributes.originator_id == self.router_id {
            return Some(Denial::OriginatorLoop);
        }
        if self.cluster_id.is_some_and(|id| attributes.cluster_list.contains(&id)) {
            return Some(Denial::ClusterLoop);
        }
        None
    }

    fn malformed(&self, attributes: &PathAttributes) -> Option<Denial> {
        let path = &attributes.as_path;
        let foreign_first = path.first() != Some(self.peer.remote_as);
        if self.peer.kind == PeerKind::External && self.config.enforce_first_as && foreign_first {
            return Some(Denial::FirstAs);
        }
        if self.config.maxas_limit.is_some_and(|limit| path.length() > usize::from(limit)) {
            return Some(Denial::LongAsPath);
        }
        if self.interfaces.by_address(self.vrf, attributes.next_hop).is_some() {
            return Some(Denial::NextHop);
        }
        None
    }

    /// Judges a route: its attributes and weight, if it is used.
    pub(super) fn judge(
        &self,
        prefix: Ipv4Net,
        arrival: &mut Arrival,
    ) -> Result<(Arc<PathAttributes>, u16), Denial> {
        if let Some(denial) = arrival.denial {
            return Err(denial);
        }
        let options = &self.peer.settings.policy;
        let weight = options.weight.unwrap_or(0);
        let (mut attributes, mut own_weight) = (Arc::clone(&arrival.attributes), weight);
        if let Some(name) = &options.route_map_in {
            let kind = path_kind(self.peer.kind);
            let source = Some(self.peer.key.address);
            let via = Some((self.interfaces, self.vrf));
            let seen = view(prefix, &arrival.attributes, &arrival.as_path, source, kind, via);
            let edits = self.policy.route_map(name, &seen).ok_or(Denial::RouteMap)?;
            own_weight = edits.weight.unwrap_or(weight);
            attributes = self.edited(edits, arrival);
        }
        let lists = |distribute: Option<&String>, prefixes: Option<&String>, filter| {
            let (distribute, prefixes) = (distribute.map(String::as_str), prefixes.map(String::as_str));
            lists_permit(self.policy, distribute, prefixes, filter, prefix, &arrival.as_path)
        };
        if !lists(None, None, options.filter_list_in) {
            return Err(Denial::FilterList);
        }
        if !lists(None, options.prefix_list_in.as_ref(), None) {
            return Err(Denial::PrefixList);
        }
        if !lists(options.distribute_list_in.as_ref(), None, None) || !self.family_permits(prefix, arrival) {
            return Err(Denial::DistributeList);
        }
        Ok((attributes, own_weight))
    }

    /// `distribute-list ... in` of the address family.
    fn family_permits(&self, prefix: Ipv4Net, arrival: &Arrival) -> bool {
        let Some(list) = &self.family.distribute_in else { return true };
        let (kind, source) = (path_kind(self.peer.kind), Some(self.peer.key.address));
        let via = Some((self.interfaces, self.vrf));
        let seen = view(prefix, &arrival.attributes, &arrival.as_path, source, kind, via);
        list.permits(&seen, self.policy)
    }

    /// The attributes with what the route map changes; routes with equal changes share them.
    fn edited(&self, edits: RouteEdits, arrival: &mut Arrival) -> Arc<PathAttributes> {
        if let Some((known, attributes)) = &arrival.edited
            && *known == edits
        {
            return Arc::clone(attributes);
        }
        let mut attributes = PathAttributes::clone(&arrival.attributes);
        let own_address = self.peer.session.as_ref().map(|session| *session.endpoints.local.ip());
        let context = EditContext {
            policy: self.policy,
            peer_address: Some(self.peer.key.address),
            own_address,
            igp_metric: 0,
        };
        apply(&edits, &mut attributes, &context);
        let attributes = if attributes == *arrival.attributes {
            Arc::clone(&arrival.attributes)
        } else {
            Arc::new(attributes)
        };
        arrival.edited = Some((edits, Arc::clone(&attributes)));
        attributes
    }
}

impl BgpProcess {
    /// The routes of an UPDATE.
    pub(super) fn receive_update(&mut self, env: &mut Env<'_, '_>, key: PeerKey, update: &Update) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        let external = instance.peers.get(&key.address).is_some_and(|peer| peer.kind == PeerKind::External);
        let dampening = instance.dampening(config).filter(|_| external);
        let policy = &env.context.config.policy;
        for nlri in &update.withdrawn {
            let gone = instance.withdraw(key, nlri.prefix, nlri.path_id).filter(|path| !path.status.denied);
            let flapped = dampening.zip(gone);
            if let Some((dampening, path)) = flapped
                && let Some(parameters) = dampening.parameters(policy, nlri.prefix, &path)
            {
                instance.flaps.flapped(nlri.prefix, path.id(), WITHDRAWAL, parameters, env.now());
            }
        }
        if dampening.is_some() {
            // When to look at penalties next is found out once the input is handled.
            self.timers.set(TimerKey::Dampening(key.vrf), env.now());
        }
        let Some(attributes) = &update.attributes else { return };
        let Instance { peers, table, next_hops, router_id, cluster_id, flaps, .. } = instance;
        let Some(peer) = peers.get(&key.address) else { return };
        let importer = Importer {
            config,
            family,
            policy,
            interfaces: env.context.interfaces,
            vrf: key.vrf,
            router_id: *router_id,
            cluster_id: *cluster_id,
            peer,
        };
        let mut arrival = importer.arrive(attributes);
        let mut counters = peer.routes_in.clone();
        for nlri in &update.announced {
            let verdict = importer.judge(nlri.prefix, &mut arrival);
            if let Ok((attributes, _)) = &verdict {
                next_hops.learn(env.context, key.vrf, attributes.next_hop);
            }
            let id = PathId { source: PathSource::Peer(key.address), path_id: nlri.path_id };
            let known = table.get(nlri.prefix).and_then(|d| d.path(id)).map(|path| path.status.denied);
            counters.arrived(known, verdict.as_ref().err().copied());
            let path = importer.path(id, &arrival, verdict.clone(), env.now());
            if let (Some(dampening), Some(path)) = (dampening, &path) {
                let known = table.get(nlri.prefix).and_then(|d| d.path(id));
                if known.is_some_and(|known| known.attributes != path.attributes)
                    && let Some(parameters) = dampening.parameters(policy, nlri.prefix, path)
                {
                    flaps.flapped(nlri.prefix, id, CHANGE, parameters, env.now());
                }
            }
            match path {
                Some(mut path) => {
                    path.status.damped = dampening.is_some() && flaps.suppresses(nlri.prefix, id);
                    table.put(nlri.prefix, path);
                }
                None => {
                    table.remove(nlri.prefix, |path| path.id() == id);
                }
            }
        }
        let long = arrival.denial == Some(Denial::LongAsPath);
        if let Some(peer) = peers.get_mut(&key.address) {
            peer.routes_in = counters;
        }
        if long {
            let limit = u32::from(config.maxas_limit.unwrap_or(0));
            let length = u32::try_from(attributes.as_path.length()).unwrap_or(u32::MAX);
            let neighbor = self.logged(key);
            env.log(BgpLogEvent::LongAsPath { neighbor, length, limit });
        }
        self.check_maximum(env, key);
    }

    /// Judges the stored routes of a peer again (`soft-reconfiguration inbound`), or asks the peer for them. Tells whether it could.
    pub(super) fn soft_reset_in(&mut self, env: &mut Env<'_, '_>, key: PeerKey) -> bool {
        let Some(peer) = self.peer(key) else { return false };
        if peer.session.is_none() {
            return false;
        }
        if !peer.settings.policy.soft_reconfiguration {
            let can = peer.refreshes();
            if can {
                self.request_refresh(env, key);
            }
            return can;
        }
        self.judge_again(env, key);
        true
    }

    fn judge_again(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        let from_peer = |path: &Path| path.source == PathSource::Peer(key.address);
        let prefixes = instance.table.with_path(from_peer);
        let Instance { peers, table, next_hops, router_id, cluster_id, .. } = instance;
        let Some(peer) = peers.get(&key.address) else { return };
        let importer = Importer {
            config,
            family,
            policy: &env.context.config.policy,
            interfaces: env.context.interfaces,
            vrf: key.vrf,
            router_id: *router_id,
            cluster_id: *cluster_id,
            peer,
        };
        let mut counters = peer.routes_in.clone();
        for prefix in prefixes {
            let stored: Vec<Path> = table
                .get(prefix)
                .into_iter()
                .flat_map(|d| &d.paths)
                .filter(|p| from_peer(p))
                .cloned()
                .collect();
            for old in stored {
                let Some(received) = &old.received else { continue };
                let mut arrival = importer.arrive(received);
                let verdict = importer.judge(prefix, &mut arrival);
                if let Ok((attributes, _)) = &verdict {
                    next_hops.learn(env.context, key.vrf, attributes.next_hop);
                }
                match (old.status.denied, verdict.is_err()) {
                    (false, true) => counters.current = counters.current.saturating_sub(1),
                    (true, false) => counters.current += 1,
                    _ => {}
                }
                let path = importer.path(old.id(), &arrival, verdict, old.updated);
                if let Some(mut path) = path {
                    path.status.damped = old.status.damped;
                    table.put(prefix, path);
                }
            }
        }
        if let Some(peer) = peers.get_mut(&key.address) {
            peer.routes_in = counters;
        }
        self.check_maximum(env, key);
    }

    /// Takes all paths of a peer out.
    pub(super) fn forget_routes(&mut self, key: PeerKey) {
        let Some(instance) = self.instances.get_mut(&key.vrf) else { return };
        let from_peer = |path: &Path| path.source == PathSource::Peer(key.address);
        for prefix in instance.table.with_path(from_peer) {
            instance.table.remove(prefix, from_peer);
        }
        if let Some(peer) = instance.peers.get_mut(&key.address) {
            peer.routes_in.current = 0;
        }
    }
}

impl Importer<'_> {
    /// The path to put into the table; `None` if the route is not kept.
    fn path(
        &self,
        id: PathId,
        arrival: &Arrival,
        verdict: Result<(Arc<PathAttributes>, u16), Denial>,
        now: crate::time::Time,
    ) -> Option<Path> {
        let keeps = self.peer.settings.policy.soft_reconfiguration;
        let (attributes, weight, denied) = match verdict {
            Ok((attributes, weight)) => (attributes, weight, false),
            Err(_) if keeps && arrival.denial.is_none() => (Arc::clone(&arrival.attributes), 0, true),
            Err(_) => return None,
        };
        let session = self.peer.session.as_ref();
        Some(Path {
            source: id.source,
            path_id: id.path_id,
            sent_id: 0,
            kind: path_kind(self.peer.kind),
            router_id: session.map_or(RouterId::UNSPECIFIED, |session| session.router_id),
            attributes,
            received: keeps.then(|| Arc::clone(&arrival.received)),
            weight,
            updated: now,
            status: PathStatus {
                denied,
                add_path: session.is_some_and(|session| session.agreed.add_path_receive),
                ..PathStatus::default()
            },
        })
    }
}

impl Received {
    /// A route has come. `known` tells whether there was a path with its name, and whether that was denied.
    fn arrived(&mut self, known: Option<bool>, denial: Option<Denial>) {
        let was_used = known == Some(false);
        match denial {
            None => {
                self.total += 1;
                if was_used {
                    self.implicit_withdrawals += 1;
                } else {
                    self.current += 1;
                }
            }
            Some(reason) => {
                self.count_denied(reason);
                if was_used {
                    self.current = self.current.saturating_sub(1);
                }
            }
        }
    }
}

impl Instance {
    /// A peer has withdrawn a route: the path that there was.
    fn withdraw(&mut self, key: PeerKey, prefix: Ipv4Net, path_id: u32) -> Option<Path> {
        let id = PathId { source: PathSource::Peer(key.address), path_id };
        let path = self.table.get(prefix).and_then(|d| d.path(id)).cloned()?;
        self.table.remove(prefix, |path| path.id() == id);
        if let Some(peer) = self.peers.get_mut(&key.address) {
            peer.routes_in.explicit_withdrawals += 1;
            if !path.status.denied {
                peer.routes_in.current = peer.routes_in.current.saturating_sub(1);
            }
        }
        Some(path)
    }
}
