//! Summaries: `summary-address` on interfaces, and those of `auto-summary` (RFC 7868 section 5.4.1).

use std::collections::{BTreeMap, BTreeSet};

use ipnet::Ipv4Net;

use super::config::InterfaceSummary;
use super::diffusing::Cause;
use super::metric::{Distance, Vector};
use super::process::{EigrpProcess, Env};
use super::topology::{Attributes, Path, PathSource, Rank};
use crate::ids::{IfIndex, RouterId};
use crate::policy::classful;
use crate::rib::distance;

impl EigrpProcess {
    /// The summaries of all interfaces.
    fn summaries(&self) -> BTreeSet<Ipv4Net> {
        self.interfaces.values().flat_map(|interface| interface.summaries.keys().copied()).collect()
    }

    /// What is told of a destination has changed: summaries that cover it may have to change too.
    pub(super) fn component_changed(&mut self, prefix: Ipv4Net) {
        for interface in self.interfaces.values() {
            let covering = interface
                .summaries
                .keys()
                .filter(|summary| summary.contains(&prefix) && summary.prefix_len() < prefix.prefix_len());
            self.unsettled_summaries.extend(covering);
        }
    }

    /// Makes a summary what its components ask for: it exists while one of them does, with the metric of the best.
    pub(super) fn settle_summary(&mut self, env: &mut Env<'_, '_>, summary: Ipv4Net) {
        let wanted = self.summaries().contains(&summary).then(|| self.best_component(summary)).flatten();
        let path = wanted.map(|best| {
            let configured = self.applied.config.summary_metrics.get(&summary).and_then(|set| set.metric);
            let vector = configured.map_or(best, |metric| self.metrics.seed(&metric));
            self.own_path(PathSource::Summary, vector, None)
        });
        let present = self.topology.get(&summary).and_then(|d| d.path(PathSource::Summary));
        if path.as_ref() != present {
            self.path_changed(env, summary, PathSource::Summary, path, Cause::Change);
        }
    }

    /// The metric of the best destination that a summary covers.
    fn best_component(&self, summary: Ipv4Net) -> Option<Vector> {
        // A summary sorts before all that it covers.
        self.topology
            .range(summary..)
            .take_while(|(prefix, _)| summary.contains(*prefix))
            .filter(|(prefix, destination)| {
                let unused = destination.rib_failure
                    && destination.told.as_ref().is_some_and(|told| told.source.neighbor().is_some());
                prefix.prefix_len() > summary.prefix_len() && !unused
            })
            .filter_map(|(_, destination)| destination.told.as_ref())
            .map(|told| told.vector)
            .min_by_key(|vector| self.metrics.distance(vector))
    }

    /// The administrative distance of the Null0 route of a summary.
    pub(super) fn summary_distance(&self, summary: Ipv4Net) -> u8 {
        let named = self.applied.config.summary_metrics.get(&summary).and_then(|set| set.distance);
        let of_interface = || {
            let mut options = self.interfaces.values().filter_map(|i| i.summaries.get(&summary));
            options.find_map(|options| options.distance)
        };
        named.or_else(of_interface).unwrap_or(distance::EIGRP_SUMMARY)
    }

    /// A path of this router itself.
    pub(super) fn own_path(
        &self,
        source: PathSource,
        vector: Vector,
        external: Option<std::sync::Arc<super::packet::ExternalData>>,
    ) -> Path {
        let is_external = external.is_some();
        let originator = self.router_id.unwrap_or(RouterId::UNSPECIFIED);
        Path {
            source,
            reported: vector,
            vector,
            reported_distance: Rank::new(is_external, Distance::ZERO),
            distance: Rank::new(is_external, self.metrics.distance(&vector)),
            next_hop: None,
            attributes: Attributes { originator, external, candidate_default: false },
        }
    }

    /// The summaries that each interface tells: those configured, and with `auto-summary` the major networks of other interfaces.
    pub(super) fn wanted_summaries(&self) -> BTreeMap<IfIndex, BTreeMap<Ipv4Net, InterfaceSummary>> {
        let majors: BTreeSet<Ipv4Net> = self
            .interfaces
            .values()
            .flat_map(|interface| &interface.subnets)
            .map(|subnet| classful::network(subnet.network()))
            .collect();
        let of_interface = |interface: &super::interface::EigrpInterface| {
            let mut summaries = interface.settings.summaries.clone();
            if self.applied.config.auto_summary {
                let own = classful::network(interface.address.addr());
                let others = majors.iter().filter(|major| **major != own);
                others.for_each(|&major| {
                    summaries.entry(major).or_default();
                });
            }
            summaries
        };
        self.interfaces.iter().map(|(&index, interface)| (index, of_interface(interface))).collect()
    }
}
