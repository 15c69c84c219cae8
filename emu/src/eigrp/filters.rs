//! Distribute-lists, offset-lists, route maps and distances, as the instance names them.

use ipnet::Ipv4Net;

use super::config::{Direction, DistanceBySource, DistributeOut};
use super::interface::EigrpInterface;
use super::metric::Vector;
use super::packet::ExternalProtocol;
use super::process::{EigrpProcess, Env};
use super::topology::{Attributes, Path, PathSource, Told};
use crate::ids::Asn;
use crate::interface::InterfaceName;
use crate::policy::{RedistributionSource, RouteType, RouteView};
use crate::rib::distance;

impl EigrpProcess {
    /// A path as lists and route maps see it.
    fn view(
        &self,
        env: &Env<'_, '_>,
        prefix: Ipv4Net,
        source: PathSource,
        vector: &Vector,
        attributes: &Attributes,
    ) -> RouteView<'static> {
        let neighbor = source.neighbor();
        let name = |index| env.context.interfaces.get(index).map(|interface| interface.name);
        let is_external = attributes.external.is_some();
        RouteView {
            next_hops: neighbor.iter().map(|key| key.address).collect(),
            route_sources: neighbor.iter().map(|key| key.address).collect(),
            interfaces: source.interface().and_then(name).into_iter().collect(),
            metric: Some(self.metrics.rib_metric(self.metrics.distance(vector))),
            tag: attributes.tag(),
            route_type: Some(if is_external { RouteType::External } else { RouteType::Internal }),
            source: Some(RedistributionSource::Eigrp(self.autonomous_system)),
            ..RouteView::new(prefix)
        }
    }

    /// `distribute-list in`: whether a path from a neighbor is taken.
    pub(super) fn permits_in(
        &self,
        env: &Env<'_, '_>,
        interface: &EigrpInterface,
        prefix: Ipv4Net,
        path: &Path,
    ) -> bool {
        let lists = &self.applied.config.distribute_in;
        if lists.is_empty() {
            return true;
        }
        let view = self.view(env, prefix, path.source, &path.reported, &path.attributes);
        [None, Some(interface.name)]
            .iter()
            .filter_map(|which| lists.get(which))
            .all(|list| list.permits(&view, env.policy()))
    }

    /// `distribute-list out`: whether a destination is told on an interface.
    pub(super) fn permits_out(
        &self,
        env: &Env<'_, '_>,
        interface: &EigrpInterface,
        prefix: Ipv4Net,
        told: &Told,
    ) -> bool {
        let lists = &self.applied.config.distribute_out;
        if lists.is_empty() {
            return true;
        }
        let view = self.view(env, prefix, told.source, &told.vector, &told.attributes);
        let source = redistributed_from(told).map(DistributeOut::Source);
        [Some(DistributeOut::All), Some(DistributeOut::Interface(interface.name)), source]
            .iter()
            .flatten()
            .filter_map(|which| lists.get(which))
            .all(|list| list.permits(&view, env.policy()))
    }

    /// Whether a leak map lets a destination out.
    pub(super) fn route_map_permits(
        &self,
        env: &Env<'_, '_>,
        name: &str,
        prefix: Ipv4Net,
        told: &Told,
    ) -> bool {
        let view = self.view(env, prefix, told.source, &told.vector, &told.attributes);
        env.policy().route_map(name, &view).is_some()
    }

    /// `offset-list`: a metric with what the lists of the interface, and of all, add to it. Where the interface has one that is
    /// about the destination, that of all does not count.
    pub(super) fn with_offsets(
        &self,
        env: &Env<'_, '_>,
        direction: Direction,
        interface: InterfaceName,
        prefix: Ipv4Net,
        vector: Vector,
    ) -> Vector {
        let lists = &self.applied.config.offset_lists;
        let offset = [Some(interface), None]
            .into_iter()
            .filter_map(|which| lists.get(&(direction, which)))
            .find(|list| {
                let permits = |name: &String| env.policy().access_list_permits(name, prefix);
                list.access_list.as_ref().is_none_or(permits)
            })
            .map_or(0, |list| list.offset);
        if offset == 0 || !vector.is_reachable() { vector } else { self.metrics.offset(&vector, offset) }
    }

    /// The administrative distance of a route by these paths: `distance D A W [ACL]` for the neighbor of an internal route, else
    /// `distance eigrp`.
    pub(super) fn administrative_distance(&self, env: &Env<'_, '_>, prefix: Ipv4Net, path: &Path) -> u8 {
        let config = &self.applied.config;
        if path.attributes.external.is_some() {
            return config.distance.map_or(distance::EIGRP_EXTERNAL, |distances| distances.external);
        }
        let by_source = path.source.neighbor().and_then(|key| {
            let lines = &config.distance_by_source;
            DistanceBySource::first_match(lines, key.address, prefix, env.policy())
        });
        by_source.or(config.distance.map(|distances| distances.internal)).unwrap_or(distance::EIGRP_INTERNAL)
    }
}

/// What a destination is redistributed from here.
fn redistributed_from(told: &Told) -> Option<RedistributionSource> {
    if told.source != PathSource::Redistributed {
        return None;
    }
    let external = told.attributes.external.as_ref()?;
    let number = || u16::try_from(external.autonomous_system).ok();
    match external.protocol {
        ExternalProtocol::Connected => Some(RedistributionSource::Connected),
        ExternalProtocol::Static => Some(RedistributionSource::Static),
        ExternalProtocol::Rip => Some(RedistributionSource::Rip),
        ExternalProtocol::Ospf => number().map(RedistributionSource::Ospf),
        ExternalProtocol::Eigrp => number().map(RedistributionSource::Eigrp),
        ExternalProtocol::Bgp => Some(RedistributionSource::Bgp(Asn(external.autonomous_system))),
        ExternalProtocol::Igrp | ExternalProtocol::IsIs | ExternalProtocol::Unknown(_) => None,
    }
}
