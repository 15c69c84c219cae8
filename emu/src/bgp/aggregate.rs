//! `aggregate-address`: routes made of more specific ones.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;

use super::as_path::AsPath;
use super::attributes::{Aggregator, Origin, PathAttributes};
use super::config::{Aggregate, FamilyConfig};
use super::instance::Instance;
use super::originate::LOCAL_WEIGHT;
use super::policy::{EditContext, apply, view};
use super::process::{BgpProcess, Env};
use super::table::{Path, PathKind, PathSource, PathStatus};
use crate::ids::{Asn, VrfId};
use crate::policy::PolicyConfig;
use crate::process::Context;

impl BgpProcess {
    /// Makes the aggregates of changed destinations anew.
    pub(super) fn aggregate(&mut self, env: &mut Env<'_, '_>, vrf: VrfId, changed: &[Ipv4Net]) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&vrf) else { return };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        for (&prefix, aggregate) in &family.aggregates {
            let concerned = |&other: &Ipv4Net| other != prefix && prefix.contains(&other);
            if changed.iter().any(concerned) {
                instance.aggregate(env.context, config.public_asn(), prefix, aggregate);
            }
        }
    }

    /// Makes all aggregates anew, as after a change of configuration, and takes those away that are no longer configured.
    pub(super) fn aggregate_all(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&vrf) else { return };
        let Some(family) = instance.config(config).map(|config| &config.ipv4) else { return };
        let is_aggregate = |path: &Path| path.source == PathSource::Aggregate;
        for prefix in instance.table.with_path(is_aggregate) {
            if !family.aggregates.contains_key(&prefix) {
                instance.table.remove(prefix, is_aggregate);
            }
        }
        for (&prefix, aggregate) in &family.aggregates {
            instance.aggregate(env.context, config.public_asn(), prefix, aggregate);
        }
    }
}

impl Instance {
    fn aggregate(&mut self, context: &Context<'_>, asn: Asn, prefix: Ipv4Net, aggregate: &Aggregate) {
        match self.aggregated(context, asn, prefix, aggregate) {
            Some(path) => self.table.put(prefix, path),
            None => {
                self.table.remove(prefix, |path| path.source == PathSource::Aggregate);
            }
        }
    }

    /// The aggregate; `None` without a more specific route to make it of.
    fn aggregated(
        &self,
        context: &Context<'_>,
        asn: Asn,
        prefix: Ipv4Net,
        aggregate: &Aggregate,
    ) -> Option<Path> {
        let policy = &context.config.policy;
        let router_id = self.router_id?;
        let parts = self.parts(policy, prefix, aggregate);
        if parts.is_empty() {
            return None;
        }
        let mut attributes = PathAttributes::local(Origin::Igp);
        attributes.aggregator = Some(Aggregator { asn, router: router_id.0 });
        attributes.atomic_aggregate = !aggregate.as_set;
        if aggregate.as_set {
            attributes.as_path = AsPath::aggregate(parts.iter().map(|path| &path.attributes.as_path), true);
            attributes.origin = parts.iter().map(|path| path.attributes.origin).max().unwrap_or_default();
            let communities: BTreeSet<_> =
                parts.iter().flat_map(|path| path.attributes.communities.iter().copied()).collect();
            attributes.communities = communities.into_iter().collect();
            attributes.atomic_aggregate = parts.iter().any(|path| path.attributes.atomic_aggregate);
        }
        let mut weight = LOCAL_WEIGHT;
        if let Some(name) = &aggregate.attribute_map {
            let text = attributes.as_path.to_string();
            let edits =
                policy.route_map(name, &view(prefix, &attributes, &text, None, PathKind::Local, None))?;
            let edit = EditContext { policy, peer_address: None, own_address: None, igp_metric: 0 };
            apply(&edits, &mut attributes, &edit);
            weight = edits.weight.unwrap_or(weight);
        }
        attributes.next_hop = Ipv4Addr::UNSPECIFIED;
        Some(Path {
            source: PathSource::Aggregate,
            path_id: 0,
            sent_id: 0,
            kind: PathKind::Local,
            router_id,
            attributes: Arc::new(attributes),
            received: None,
            weight,
            updated: context.now,
            status: PathStatus::default(),
        })
    }

    /// The best paths of the more specific destinations, those that the advertise map permits.
    fn parts(&self, policy: &PolicyConfig, prefix: Ipv4Net, aggregate: &Aggregate) -> Vec<&Path> {
        let more_specific = self.table.within(prefix).filter(|&(other, _)| other != prefix);
        more_specific
            .filter_map(|(other, destination)| {
                let path = destination.best_path()?;
                let map = aggregate.advertise_map.as_ref();
                map.is_none_or(|map| self.map_permits(policy, map, other, path)).then_some(path)
            })
            .collect()
    }

    /// Whether a route map permits a path to a destination.
    #[must_use]
    pub fn map_permits(&self, policy: &PolicyConfig, map: &str, prefix: Ipv4Net, path: &Path) -> bool {
        let text = path.attributes.as_path.to_string();
        let seen = view(prefix, &path.attributes, &text, path.source.peer(), path.kind, None);
        policy.route_map(map, &seen).is_some()
    }

    /// Whether an aggregate keeps a more specific route from being told.
    pub(super) fn is_suppressed(
        &self,
        context: &Context<'_>,
        family: &FamilyConfig,
        prefix: Ipv4Net,
        path: &Path,
    ) -> bool {
        let policy = &context.config.policy;
        family.aggregates.iter().any(|(&aggregate, how)| {
            let within = aggregate != prefix && aggregate.contains(&prefix);
            let by_map = |map: &String| self.map_permits(policy, map, prefix, path);
            within && (how.summary_only || how.suppress_map.as_ref().is_some_and(by_map))
        })
    }
}
