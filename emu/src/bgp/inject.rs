//! `bgp inject-map`: more specific routes taken out of a route that a peer has told, while that is there.
//!
//! The exist map permits the route (`match ip address`) and who has told it (`match ip route-source`); the prefix list of `set ip
//! address` in the inject map names the routes that come out of it. IOS's scanner looks once a minute.

use std::collections::BTreeMap;
use std::sync::Arc;

use ipnet::Ipv4Net;

use super::attributes::{Origin, PathAttributes};
use super::config::InjectMap;
use super::instance::Instance;
use super::policy::{EditContext, apply, view};
use super::process::{BgpProcess, Env};
use super::table::{Path, PathId, PathSource, PathStatus};
use crate::ids::VrfId;
use crate::policy::PolicyConfig;
use crate::process::Context;

impl BgpProcess {
    /// Whether any routes are to be injected.
    pub(super) fn injects(&self, env: &Env<'_, '_>) -> bool {
        let Some(config) = env.config() else { return false };
        self.instances
            .values()
            .any(|instance| instance.config(config).is_some_and(|config| !config.ipv4.inject_maps.is_empty()))
    }

    /// Makes the injected routes of all instances anew, and takes those away whose condition no longer holds.
    pub(super) fn inject(&mut self, env: &mut Env<'_, '_>) {
        let Some(config) = env.config() else { return };
        let vrfs: Vec<VrfId> = self.instances.keys().copied().collect();
        for vrf in vrfs {
            let Some(instance) = self.instances.get_mut(&vrf) else { continue };
            let Some(family) = instance.config(config).map(|config| &config.ipv4) else { continue };
            instance.inject(env.context, &family.inject_maps);
        }
    }
}

impl Instance {
    fn inject(&mut self, context: &Context<'_>, maps: &BTreeMap<String, InjectMap>) {
        let policy = &context.config.policy;
        let mut wanted: BTreeMap<(Ipv4Net, PathId), Path> = BTreeMap::new();
        for (map, how) in maps {
            for (prefix, path) in self.injected(context, policy, map, how) {
                wanted.entry((prefix, path.id())).or_insert(path);
            }
        }
        let is_injected = |path: &Path| matches!(path.source, PathSource::Injected(_));
        for prefix in self.table.with_path(is_injected) {
            self.table.remove(prefix, |path| is_injected(path) && !wanted.contains_key(&(prefix, path.id())));
        }
        for ((prefix, _), path) in wanted {
            self.table.put(prefix, path);
        }
    }

    /// The routes that one map makes.
    fn injected(
        &self,
        context: &Context<'_>,
        policy: &PolicyConfig,
        map: &str,
        how: &InjectMap,
    ) -> Vec<(Ipv4Net, Path)> {
        let mut made = Vec::new();
        for (prefix, destination) in self.table.iter() {
            let Some(parent) = destination.best_path() else { continue };
            let PathSource::Peer(peer) = parent.source else { continue };
            if !self.map_permits(policy, &how.exist_map, prefix, parent) {
                continue;
            }
            for within in self.named_prefixes(policy, map, prefix, parent) {
                if !prefix.contains(&within) || prefix == within {
                    continue;
                }
                let mut attributes = if how.copy_attributes {
                    PathAttributes::clone(&parent.attributes)
                } else {
                    PathAttributes {
                        next_hop: parent.attributes.next_hop,
                        ..PathAttributes::local(Origin::Incomplete)
                    }
                };
                let text = attributes.as_path.to_string();
                let seen = view(within, &attributes, &text, Some(peer), parent.kind, None);
                let Some(edits) = policy.route_map(map, &seen) else { continue };
                let edit = EditContext {
                    policy,
                    peer_address: Some(peer),
                    own_address: None,
                    igp_metric: self.igp_metric(parent),
                };
                let weight = edits.weight.unwrap_or(0);
                apply(&edits, &mut attributes, &edit);
                let path = Path {
                    source: PathSource::Injected(peer),
                    path_id: 0,
                    sent_id: 0,
                    attributes: Arc::new(attributes),
                    received: None,
                    weight,
                    updated: context.now,
                    status: PathStatus::default(),
                    ..parent.clone()
                };
                made.push((within, path));
            }
        }
        made
    }

    /// The prefixes that the inject map names for a route.
    fn named_prefixes(
        &self,
        policy: &PolicyConfig,
        map: &str,
        prefix: Ipv4Net,
        parent: &Path,
    ) -> Vec<Ipv4Net> {
        let text = parent.attributes.as_path.to_string();
        let seen = view(prefix, &parent.attributes, &text, parent.source.peer(), parent.kind, None);
        let edits = policy.route_map(map, &seen);
        let list = edits.and_then(|edits| edits.injected).and_then(|name| policy.prefix_lists.get(&name));
        let permitted = list.into_iter().flat_map(|list| list.entries.values());
        permitted.filter(|entry| entry.action.is_permit()).map(|entry| entry.prefix().trunc()).collect()
    }
}
