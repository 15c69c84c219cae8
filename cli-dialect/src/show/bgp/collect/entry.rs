//! `show ip bgp PREFIX`.

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::attributes::PathAttributes;
use netconfarena_emu::bgp::{self, Destination, PathKind, PathSource};
use netconfarena_emu::policy::{Community, ExtendedCommunityValue};

use super::Running;
use crate::show::age::Age;
use crate::show::bgp::entry::{Dampinfo, IpBgpEntry, Network, Path, UnknownAttribute};

impl Running<'_> {
    /// A destination; that of the longest match if only an address is given.
    #[must_use]
    pub fn entry(&self, address: std::net::Ipv4Addr, length: Option<u8>) -> IpBgpEntry {
        let table = &self.instance.table;
        let found = match length.map(|length| Ipv4Net::new(address, length)) {
            None => table.lookup(address),
            Some(Ok(prefix)) => table.get(prefix.trunc()).map(|destination| (prefix.trunc(), destination)),
            Some(Err(_)) => None,
        };
        let found = found.filter(|(_, destination)| !destination.paths.is_empty());
        found.map_or(IpBgpEntry::NotInTable, |(prefix, destination)| {
            IpBgpEntry::Network(self.network(prefix, destination))
        })
    }

    fn network(&self, prefix: Ipv4Net, destination: &Destination) -> Network {
        let mut remarks = Vec::new();
        let best = destination.best_path();
        let has = |community| best.is_some_and(|path| path.attributes.has_community(community));
        if destination.suppressed {
            remarks.push("Advertisements suppressed by an aggregate.".to_owned());
        }
        for (community, remark) in [
            (Community::NO_ADVERTISE, "not advertised to any peer"),
            (Community::NO_EXPORT, "not advertised to EBGP peer"),
            (Community::LOCAL_AS, "not advertised outside local AS"),
        ] {
            if has(community) {
                remarks.push(remark.to_owned());
            }
        }
        if destination.inactive {
            remarks.push("RIB-failure(17)".to_owned());
        }
        let mut paths = Vec::new();
        for path in &destination.paths {
            paths.extend(self.entry_paths(prefix, destination, path));
        }
        Network {
            distinguisher: self.route_distinguisher().map(str::to_owned),
            prefix,
            version: destination.version.saturating_add(1),
            table: self.table_name(),
            remarks,
            update_groups: {
                let told = |group: &Vec<&bgp::Peer>| {
                    group.iter().any(|peer| destination.advertised.contains(peer.index))
                };
                (1..).zip(self.groups()).filter(|(_, group)| told(group)).map(|(number, _)| number).collect()
            },
            paths,
        }
    }

    /// A path, and beside it what was received, if the inbound policy has changed it.
    fn entry_paths(&self, prefix: Ipv4Net, destination: &Destination, path: &bgp::Path) -> Vec<Path> {
        let used = self.entry_path(prefix, destination, path, &path.attributes);
        match &path.received {
            _ if path.status.denied => {
                let received = path.received.as_ref().unwrap_or(&path.attributes);
                vec![Path { received_only: true, ..self.entry_path(prefix, destination, path, received) }]
            }
            Some(received) if *received == path.attributes => vec![Path { received_and_used: true, ..used }],
            Some(received) => {
                let as_received = self.entry_path(prefix, destination, path, received);
                let as_received =
                    Path { received_only: true, best: false, multipath: false, weight: 0, ..as_received };
                vec![used, as_received]
            }
            None => vec![used],
        }
    }

    /// What dampening remembers of a path.
    fn dampinfo(&self, prefix: Ipv4Net, path: &bgp::Path) -> Option<Dampinfo> {
        let (flap, now) = (self.instance.flaps.get(prefix, path.id())?, self.context.now());
        Some(Dampinfo {
            // A penalty is far below 2^32.
            penalty: flap.penalty(now).round() as u32,
            flaps: flap.count,
            duration: Age::from(now.since(flap.since)),
            reuse: flap.reuse_in(now).map(Age::from),
        })
    }

    /// The network whose path an injected one was made of.
    fn injected_from(&self, prefix: Ipv4Net, path: &bgp::Path) -> Option<Ipv4Net> {
        let PathSource::Injected(peer) = path.source else { return None };
        let parents = self.instance.table.iter().filter(|(network, destination)| {
            let is_parent = |best: &bgp::Path| best.source == PathSource::Peer(peer);
            network.contains(&prefix) && destination.best_path().is_some_and(is_parent)
        });
        parents
            .map(|(network, _)| network)
            .filter(|network| *network != prefix)
            .max_by_key(Ipv4Net::prefix_len)
    }

    fn entry_path(
        &self,
        prefix: Ipv4Net,
        destination: &Destination,
        path: &bgp::Path,
        attributes: &PathAttributes,
    ) -> Path {
        let peer = path.source.peer().and_then(|address| self.instance.peers.get(&address));
        let reachable = self.instance.is_reachable(path);
        let best = destination.best == Some(path.id());
        let state = self.instance.next_hops.get(attributes.next_hop);
        let far = state.filter(|state| !state.connected && path.kind != PathKind::Local);
        Path {
            as_path: attributes.as_path.to_string(),
            aggregated_by: attributes.aggregator.map(|by| format!("{} {}", by.asn, by.router)),
            reflector_client: peer.is_some_and(|peer| peer.settings.policy.route_reflector_client),
            injected_from: self.injected_from(prefix, path),
            stale: path.status.stale,
            received_only: false,
            received_and_used: false,
            next_hop: Some(attributes.next_hop),
            igp_metric: far.filter(|_| reachable).map(|state| state.metric),
            inaccessible: !reachable,
            from: Some(path.peer_address()),
            from_router_id: Some(if peer.is_some() { path.router_id.0 } else { self.router_id() }),
            origin: attributes.origin.to_string(),
            metric: attributes.med,
            local_preference: Some(attributes.local_preference.unwrap_or(self.default_local_preference())),
            weight: path.weight.into(),
            valid: reachable && !path.status.damped,
            kind: match (path.kind, path.source) {
                (PathKind::Local, PathSource::Aggregate) => "aggregated",
                (PathKind::Local, _) => "sourced",
                (PathKind::External, _) => "external",
                (PathKind::Confederation, _) => "confed-external",
                (PathKind::Internal, _) => "internal",
            }
            .to_owned(),
            atomic_aggregate: attributes.atomic_aggregate,
            multipath: path.status.multipath,
            best,
            communities: {
                let new_format = self.policy().community_new_format;
                attributes.communities.iter().map(|community| community.text(new_format)).collect()
            },
            rank: Some(path.status.marks.rank).filter(|&rank| rank > 1),
            group_best: path.status.marks.group_best,
            all: path.status.marks.all,
            aigp_metric: attributes.aigp,
            extended_communities: {
                let all = attributes.extended_communities.iter();
                all.filter(|one| !one.is_link_bandwidth()).map(ToString::to_string).collect()
            },
            link_bandwidth: attributes.extended_communities.iter().find_map(|one| match one.value() {
                // Far below 2^64 octets a second.
                ExtendedCommunityValue::LinkBandwidth(_, octets) => Some((octets / 1000.0).round() as u64),
                _ => None,
            }),
            unknown_attributes: unknown_attributes(attributes),
            received_path_id: path.path_id,
            sent_path_id: {
                let marks = path.status.marks;
                let told = marks.rank > 0 || marks.group_best || marks.all;
                if best { Some(0) } else { told.then_some(path.sent_id) }
            },
            originator: attributes.originator_id.map(|id| id.0),
            cluster_list: attributes.cluster_list.iter().map(|cluster| cluster.0).collect(),
            dampening: self.dampinfo(prefix, path),
        }
    }
}

/// What the router passes on without knowing it; large communities are such to this release.
fn unknown_attributes(attributes: &PathAttributes) -> Vec<UnknownAttribute> {
    let hex = |octets: &[u8]| octets.iter().map(|octet| format!("{octet:02x}")).collect::<String>();
    let unknown = attributes.unknown.iter().map(|one| UnknownAttribute {
        flags: one.flags,
        code: one.code,
        value: hex(&one.value),
    });
    let large: Vec<u8> = attributes
        .large_communities
        .iter()
        .flat_map(|one| [one.global, one.local1, one.local2])
        .flat_map(u32::to_be_bytes)
        .collect();
    let large = (!large.is_empty()).then(|| UnknownAttribute { flags: 0xe0, code: 32, value: hex(&large) });
    unknown.chain(large).collect()
}
