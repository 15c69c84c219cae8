//! Choosing among the paths of destinations that have changed, and offering the choice to the routing table.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::additional::marks;
use super::community::ExtendedCommunityValue;
use super::config::{BgpConfig, DistanceBySource, FamilyConfig};
use super::decision::{Candidate, Rules};
use super::instance::Instance;
use super::peer::Peer;
use super::policy::view;
use super::process::{BgpProcess, Env};
use super::table::{Destination, Path, PathId, PathKind, PathMarks, PathSource};
use crate::ids::VrfId;
use crate::process::{Action, Context};
use crate::rib::{NextHop, Route, RouteKind, RouteOwner, TableId};

/// How often aggregates may bring about changes that bring about other aggregates.
const AGGREGATE_ROUNDS: usize = 34;

/// What a choice has brought.
struct Choice {
    best: Option<PathId>,
    multipaths: Vec<PathId>,
    marks: BTreeMap<PathId, PathMarks>,
    /// The best path is another one, or other than before.
    changed: bool,
    /// Something is new about the others, and peers may know them.
    others_changed: bool,
    suppressed: bool,
    inactive: bool,
    route: Option<Route>,
}

impl BgpProcess {
    /// Chooses anew where paths have changed, and tells routing table and peers.
    pub(super) fn run_routing(&mut self, env: &mut Env<'_, '_>) {
        let vrfs: Vec<VrfId> = self.instances.keys().copied().collect();
        for vrf in vrfs {
            for _ in 0..AGGREGATE_ROUNDS {
                let changed = self.choose(env, vrf);
                if changed.is_empty() {
                    break;
                }
                self.aggregate(env, vrf, &changed);
            }
            self.advertise_all(env, vrf);
        }
    }

    /// Chooses for all destinations that have changed; gives those whose best path is another one now.
    fn choose(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) -> Vec<Ipv4Net> {
        let asn = self.asn;
        let Some(instance) = self.instances.get_mut(&vrf) else { return Vec::new() };
        let dirty = std::mem::take(&mut instance.table.dirty);
        let mut changed = Vec::new();
        let Some(config) = env.config() else { return changed };
        for prefix in dirty {
            let Some(choice) = instance.choice(env.context, config, prefix) else { continue };
            let Some(destination) = instance.table.get_mut(prefix) else { continue };
            destination.best = choice.best;
            (destination.touched, destination.stirred) = (false, false);
            destination.suppressed = choice.suppressed;
            destination.inactive = choice.inactive;
            for path in &mut destination.paths {
                path.status.multipath = choice.multipaths.contains(&path.id());
                path.status.marks = choice.marks.get(&path.id()).copied().unwrap_or_default();
            }
            let was_installed = std::mem::replace(&mut destination.installed, choice.route.is_some());
            match choice.route {
                Some(route) => {
                    let owner = RouteOwner::Bgp(asn);
                    env.act(vrf, Action::Install(Route { owner, installed: env.now(), ..route }));
                }
                None if was_installed => env.act(vrf, Action::Withdraw(prefix)),
                None => {}
            }
            if choice.changed || choice.others_changed {
                instance.table.bump(prefix, choice.changed);
            }
            if choice.changed {
                changed.push(prefix);
            }
            instance.table.forget_unused(prefix);
        }
        changed
    }

    /// Chooses anew for every destination.
    pub(super) fn reconsider_all(&mut self, vrf: VrfId) {
        if let Some(instance) = self.instances.get_mut(&vrf) {
            let all: Vec<Ipv4Net> = instance.table.iter().map(|(prefix, _)| prefix).collect();
            instance.table.dirty.extend(all);
        }
    }

    /// Routes to next hops have changed.
    pub(super) fn next_hops_changed(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let Some(instance) = self.instances.get_mut(&vrf) else { return };
        let used = instance.table.next_hops();
        instance.next_hops.retain(&used);
        let others = instance.next_hops.refresh(env.context, vrf);
        if others.is_empty() {
            return;
        }
        let affected = instance.table.with_path(|path| others.contains(&path.attributes.next_hop));
        instance.table.dirty.extend(affected);
    }
}

impl Instance {
    /// Whether a path may be chosen at all.
    #[must_use]
    pub fn is_usable(&self, path: &Path) -> bool {
        !path.status.denied && !path.status.damped && self.is_reachable(path)
    }

    /// Whether a route leads to a path's next hop.
    #[must_use]
    pub fn is_reachable(&self, path: &Path) -> bool {
        let Some(address) = path.source.peer() else { return true };
        let must_be_connected =
            path.kind == PathKind::External && self.peers.get(&address).is_some_and(Peer::must_be_connected);
        self.next_hops
            .get(path.attributes.next_hop)
            .is_some_and(|state| state.reachable && (state.connected || !must_be_connected))
    }

    /// The metric to a path's next hop.
    #[must_use]
    pub fn igp_metric(&self, path: &Path) -> u32 {
        self.next_hops.get(path.attributes.next_hop).map_or(0, |state| state.metric)
    }

    /// How paths to a destination are compared.
    #[must_use]
    pub fn rules(config: &BgpConfig, destination: &Destination) -> Rules {
        Rules {
            options: config.best_path,
            default_local_preference: config
                .default_local_preference
                .unwrap_or(super::attributes::PathAttributes::DEFAULT_LOCAL_PREFERENCE),
            current: destination.best,
        }
    }

    fn choice(&self, context: &Context<'_>, config: &BgpConfig, prefix: Ipv4Net) -> Option<Choice> {
        let destination = self.table.get(prefix)?;
        let family = &self.config(config)?.ipv4;
        let candidates: Vec<Candidate<'_>> = destination
            .paths
            .iter()
            .filter(|path| self.is_usable(path) && self.is_synchronized(context, family, prefix, path))
            .map(|path| Candidate { path, igp_metric: self.igp_metric(path) })
            .collect();
        let rules = Self::rules(config, destination);
        let best = rules.best(&candidates);
        let id = best.map(|best| best.path.id());
        let multipaths = best.map_or_else(Vec::new, |best| multipaths(&rules, family, &best, &candidates));
        let used: Vec<&Path> = candidates
            .iter()
            .map(|candidate| candidate.path)
            .filter(|path| Some(path.id()) == id || multipaths.contains(&path.id()))
            .collect();
        let suppressed = best.is_some_and(|best| self.is_suppressed(context, family, prefix, best.path));
        let route = best.and_then(|best| self.route(context, config, family, prefix, best.path, &used));
        let inactive = route.as_ref().is_some_and(|route| self.loses(context, route));
        let withheld = family.suppress_inactive && destination.inactive != inactive;
        let marks = marks(&rules, family.select, &candidates);
        let marked = |path: &Path| marks.get(&path.id()).copied().unwrap_or_default();
        let others_changed = destination.paths.iter().any(|path| path.status.marks != marked(path))
            || (destination.stirred && !family.select.is_empty());
        Some(Choice {
            best: id,
            multipaths,
            marks,
            others_changed,
            changed: destination.touched
                || destination.best != id
                || destination.suppressed != suppressed
                || withheld,
            suppressed,
            inactive,
            route,
        })
    }

    /// With `synchronization` an internal path is used once another protocol has a route to its destination. One of OSPF counts if the router that
    /// tells it by OSPF has, as a BGP router, told the path: the two router ids are the same.
    fn is_synchronized(
        &self,
        context: &Context<'_>,
        family: &FamilyConfig,
        prefix: Ipv4Net,
        path: &Path,
    ) -> bool {
        if !family.synchronization || path.kind != PathKind::Internal {
            return true;
        }
        let offers = context.rib.offers(TableId::ipv4(self.vrf), prefix);
        let tells = |route: &Route| {
            let teller = Some(path.attributes.originator_id.unwrap_or(path.router_id).0);
            route.next_hops.iter().any(|hop| hop.learned_from == teller)
        };
        offers.iter().any(|route| match route.owner {
            RouteOwner::Bgp(_) => false,
            RouteOwner::Ospf(_) => tells(route),
            _ => true,
        })
    }

    /// Whether another protocol's route goes before ours in the routing table.
    fn loses(&self, context: &Context<'_>, route: &Route) -> bool {
        let best = context.rib.best(TableId::ipv4(self.vrf), route.prefix);
        best.is_some_and(|best| !matches!(best.owner, RouteOwner::Bgp(_)) && best.distance <= route.distance)
    }

    /// The route to offer; `None` for routes that come from the routing table, and those that the table map filters.
    fn route(
        &self,
        context: &Context<'_>,
        config: &BgpConfig,
        family: &FamilyConfig,
        prefix: Ipv4Net,
        best: &Path,
        used: &[&Path],
    ) -> Option<Route> {
        let distances = family.distance.unwrap_or_default();
        let backdoor = family.networks.get(&prefix).is_some_and(|network| network.backdoor);
        let (kind, distance) = match best.kind {
            PathKind::Local if best.source == PathSource::Aggregate => (RouteKind::BgpLocal, distances.local),
            PathKind::Local => return None,
            PathKind::External if backdoor => (RouteKind::BgpExternal, distances.local),
            PathKind::External => (RouteKind::BgpExternal, distances.external),
            PathKind::Confederation | PathKind::Internal => (RouteKind::BgpInternal, distances.internal),
        };
        let by_source = self.distance_by_source(context, family, prefix, best);
        let mut route = Route {
            prefix,
            owner: RouteOwner::Bgp(config.asn),
            kind,
            distance: by_source.unwrap_or(distance),
            metric: best.attributes.med.unwrap_or(0),
            tag: best.attributes.as_path.neighbor().map_or(0, |asn| asn.0),
            next_hops: next_hops(best, used, config.best_path.dmz_link_bandwidth).into(),
            installed: context.now,
        };
        if let Some(map) = &family.table_map {
            let text = best.attributes.as_path.to_string();
            let via = Some((context.interfaces, self.vrf));
            let seen = view(prefix, &best.attributes, &text, best.source.peer(), best.kind, via);
            match context.config.policy.route_map(&map.route_map, &seen) {
                Some(edits) => {
                    route.metric = edits.metric(Some(route.metric)).unwrap_or(route.metric);
                    route.tag = edits.tag.unwrap_or(route.tag);
                }
                None if map.filter => return None,
                None => {}
            }
        }
        Some(route)
    }

    /// `distance D A W [ACL]`: the first line about the path's peer.
    fn distance_by_source(
        &self,
        context: &Context<'_>,
        family: &FamilyConfig,
        prefix: Ipv4Net,
        path: &Path,
    ) -> Option<u8> {
        let peer = path.source.peer()?;
        DistanceBySource::first_match(&family.distance_by_source, peer, prefix, &context.config.policy)
    }
}

/// The paths that are used beside the best one, in the order of their preference, and no more than are configured.
fn multipaths(
    rules: &Rules,
    family: &FamilyConfig,
    best: &Candidate<'_>,
    candidates: &[Candidate<'_>],
) -> Vec<PathId> {
    let (limit, across) = match (best.path.kind, family.maximum_paths_eibgp) {
        (PathKind::Local, _) => (1, false),
        (_, Some(limit)) => (limit, true),
        (PathKind::Internal, None) => (family.maximum_paths_ibgp.unwrap_or(1), false),
        (PathKind::External | PathKind::Confederation, None) => (family.maximum_paths.unwrap_or(1), false),
    };
    let mut others: Vec<&Candidate<'_>> = candidates
        .iter()
        .filter(|other| {
            other.path.id() != best.path.id()
                && other.path.kind != PathKind::Local
                && rules.is_multipath(best, other, across)
        })
        .collect();
    others.sort_by(|a, b| rules.compare(a, b).0);
    let mut seen: Vec<Ipv4Addr> = vec![best.path.attributes.next_hop];
    let mut used = Vec::new();
    for other in others {
        if used.len() + 1 >= usize::from(limit) {
            break;
        }
        if !seen.contains(&other.path.attributes.next_hop) {
            seen.push(other.path.attributes.next_hop);
            used.push(other.path.id());
        }
    }
    if !used.is_empty() {
        used.push(best.path.id());
    }
    used
}

/// The next hops of a route. With `bgp dmzlink-bw` they share the traffic by the bandwidth of the links behind them.
fn next_hops(best: &Path, used: &[&Path], by_bandwidth: bool) -> Vec<NextHop> {
    if best.source == PathSource::Aggregate {
        return Vec::new();
    }
    let bandwidth = |path: &Path| {
        let communities = path.attributes.extended_communities.iter();
        communities
            .filter_map(|community| match community.value() {
                ExtendedCommunityValue::LinkBandwidth(_, octets) => Some(f64::from(octets)),
                _ => None,
            })
            .next()
    };
    let least = used.iter().filter_map(|path| bandwidth(path)).fold(f64::INFINITY, f64::min);
    let all_say = by_bandwidth && used.iter().all(|path| bandwidth(path).is_some_and(|octets| octets >= 1.0));
    let mut hops: Vec<NextHop> = used
        .iter()
        .map(|path| NextHop {
            // A ratio of bandwidths, at least 1 and far below 2^32.
            weight: match bandwidth(path) {
                Some(octets) if all_say => (octets / least).round().clamp(1.0, 255.0) as u32,
                _ => 1,
            },
            learned_from: path.source.peer(),
            ..NextHop::recursive(path.attributes.next_hop)
        })
        .collect();
    hops.sort_unstable();
    hops
}
