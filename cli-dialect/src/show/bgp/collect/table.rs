//! `show ip bgp` and its selections.

use std::net::Ipv4Addr;

use std::collections::BTreeMap;

use netconfarena_emu::bgp::attributes::{Origin, PathAttributes};
use netconfarena_emu::bgp::{self, Destination, PathKind};

use super::{Running, Selection};
use crate::show::age::Age;
use crate::show::bgp::as_paths::{AsPathEntry, IpBgpPaths};
use crate::show::bgp::dampened::{self, IpBgpDampened};
use crate::show::bgp::rib_failure::{IpBgpRibFailure, RibFailure};
use crate::show::bgp::table::{IpBgp, Network, Path};

impl Running<'_> {
    /// The paths that are selected.
    #[must_use]
    pub fn table(&self, selection: &Selection) -> IpBgp {
        let mut networks = Vec::new();
        for (prefix, destination) in self.instance.table.iter() {
            let paths: Vec<Path> = destination
                .paths
                .iter()
                .filter(|path| !path.status.denied && selection.takes(self, prefix, destination, path))
                .map(|path| self.path(destination, path, &path.attributes))
                .collect();
            if !paths.is_empty() {
                networks.push(Network { prefix, paths });
            }
        }
        self.listed(networks)
    }

    /// `neighbors A received-routes`: what it has told, before any policy.
    #[must_use]
    pub fn received(&self, peer: Ipv4Addr) -> IpBgp {
        let of = |(prefix, destination): (ipnet::Ipv4Net, &Destination)| {
            let from_peer = destination.paths.iter().filter(|path| path.source.peer() == Some(peer));
            let paths: Vec<Path> = from_peer
                .filter_map(|path| Some(self.path(destination, path, path.received.as_ref()?)))
                .collect();
            (!paths.is_empty()).then_some(Network { prefix, paths })
        };
        self.listed(self.instance.table.iter().filter_map(of).collect())
    }

    /// A table without networks prints nothing.
    fn listed(&self, networks: Vec<Network>) -> IpBgp {
        let some = !networks.is_empty();
        IpBgp {
            version: some.then(|| self.version()),
            router_id: some.then(|| self.router_id()),
            distinguisher: self
                .route_distinguisher()
                .filter(|_| some)
                .map(|distinguisher| format!("{distinguisher} (default for vrf {})", self.table_name())),
            networks,
            ..IpBgp::default()
        }
    }

    fn path(&self, destination: &Destination, path: &bgp::Path, attributes: &PathAttributes) -> Path {
        let best = destination.best == Some(path.id());
        Path {
            valid: !path.status.damped && self.instance.is_reachable(path),
            best,
            internal: path.kind == PathKind::Internal,
            suppressed: destination.suppressed && best,
            damped: path.status.damped,
            history: false,
            rib_failure: destination.inactive && best,
            stale: path.status.stale,
            multipath: path.status.multipath && !best,
            next_hop: Some(attributes.next_hop),
            metric: attributes.med,
            local_preference: attributes.local_preference,
            weight: path.weight.into(),
            as_path: attributes.as_path.to_string(),
            origin: origin_code(attributes.origin).to_owned(),
        }
    }

    /// `dampened-paths`: those that are suppressed, or with `statistics` all that have flapped.
    #[must_use]
    pub fn dampened(&self, statistics: bool) -> IpBgpDampened {
        let now = self.context.now();
        let of = |(prefix, id, flap): (ipnet::Ipv4Net, bgp::PathId, &bgp::Flap)| {
            let destination = self.instance.table.get(prefix);
            let path = destination.and_then(|destination| destination.path(id));
            if !statistics && !path.is_some_and(|path| path.status.damped) {
                return None;
            }
            let origin = path.filter(|_| !statistics).map(|path| origin_code(path.attributes.origin));
            Some(dampened::Path {
                prefix,
                valid: path.is_some(),
                damped: flap.suppressed,
                history: path.is_none(),
                best: !flap.suppressed && destination.is_some_and(|destination| destination.best == Some(id)),
                from: id.source.peer(),
                flaps: statistics.then_some(flap.count),
                duration: statistics.then(|| Age::from(now.since(flap.since))),
                reuse: flap.reuse_in(now).map(Age::from),
                as_path: path.map(|path| path.attributes.as_path.to_string()).unwrap_or_default(),
                origin: origin.unwrap_or_default().to_owned(),
            })
        };
        let paths: Vec<dampened::Path> = self.instance.flaps.iter().filter_map(of).collect();
        let some = !paths.is_empty();
        IpBgpDampened {
            version: some.then(|| self.version()),
            router_id: some.then(|| self.router_id()),
            statistics,
            paths,
        }
    }

    /// `paths`.
    #[must_use]
    pub fn as_paths(&self) -> IpBgpPaths {
        let mut counts: BTreeMap<(String, u32, Origin), u32> = BTreeMap::new();
        for path in self.instance.table.iter().flat_map(|(_, destination)| &destination.paths) {
            let attributes = &path.attributes;
            let key = (attributes.as_path.to_string(), attributes.med.unwrap_or(0), attributes.origin);
            *counts.entry(key).or_default() += 1;
        }
        let mut paths: Vec<AsPathEntry> = counts
            .into_iter()
            .map(|((as_path, metric, origin), refcount)| {
                let origin = origin_code(origin).to_owned();
                let place = place_of(&as_path, metric, &origin);
                // Places are of four octets, apart from each other; there are 4096 buckets.
                let (address, hash) = (0x6000_0000 | (place & 0x0fff_fffc), place >> 20);
                AsPathEntry { address, hash, refcount, metric, as_path, origin }
            })
            .collect();
        paths.sort_by_key(|path| (path.hash, path.address));
        IpBgpPaths { paths }
    }

    /// `rib-failure`.
    #[must_use]
    pub fn rib_failures(&self) -> IpBgpRibFailure {
        let failed = self.instance.table.iter().filter(|(_, destination)| destination.inactive);
        let of = |(prefix, destination): (ipnet::Ipv4Net, &Destination)| {
            Some(RibFailure { prefix, next_hop: destination.best_path()?.attributes.next_hop })
        };
        IpBgpRibFailure { routes: failed.filter_map(of).collect() }
    }
}

/// A number made of a path (FNV-1a).
fn place_of(as_path: &str, metric: u32, origin: &str) -> u32 {
    let octets = as_path.bytes().chain(metric.to_be_bytes()).chain(origin.bytes());
    octets.fold(0x811c_9dc5, |hash, octet| (hash ^ u32::from(octet)).wrapping_mul(0x0100_0193))
}

/// `i`, `e`, `?`.
const fn origin_code(origin: Origin) -> &'static str {
    match origin {
        Origin::Igp => "i",
        Origin::Egp => "e",
        Origin::Incomplete => "?",
    }
}
