//! `show ip bgp` and its selections.

use std::net::Ipv4Addr;

use netconfarena_emu::bgp::attributes::{Origin, PathAttributes};
use netconfarena_emu::bgp::{self, Destination, PathKind};

use super::{Running, Selection};
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
            origin: match attributes.origin {
                Origin::Igp => "i",
                Origin::Egp => "e",
                Origin::Incomplete => "?",
            }
            .to_owned(),
        }
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
