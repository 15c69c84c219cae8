//! The topology table and its entries from processes.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::eigrp::packet::ExternalProtocol;
use netconfarena_emu::eigrp::{Destination, EigrpProcess, Path as Way, PathSource, Rank, Scale};

use super::Heading;
use super::entry::{self, ExternalData, IpEigrpEntry};
use super::topology::{self, IpEigrpTopology, Links};
use crate::show::ShowContext;

impl IpEigrpTopology {
    /// The topology tables of processes.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, processes: &[&EigrpProcess], links: Links) -> Self {
        let of = |process: &&EigrpProcess| topology::Process {
            heading: Heading::of(process),
            router_id: router_id(process),
            networks: process
                .topology
                .iter()
                .filter(|(_, destination)| match links {
                    Links::Active => destination.state.is_active(),
                    Links::WithoutSuccessor => destination.successors.is_empty(),
                    Links::All | Links::Feasible => true,
                })
                .map(|(&prefix, destination)| network(context, prefix, destination, links))
                .collect(),
        };
        Self { processes: processes.iter().map(of).collect() }
    }
}

fn router_id(process: &EigrpProcess) -> Ipv4Addr {
    process.router_id.map_or(Ipv4Addr::UNSPECIFIED, |id| id.0)
}

fn finite(rank: Rank) -> Option<u64> {
    rank.is_finite().then(|| rank.distance().0)
}

/// The paths of a destination, successors first, then by distance.
fn ways(destination: &Destination) -> Vec<&Way> {
    let mut ways: Vec<&Way> = destination.paths().iter().collect();
    ways.sort_by_key(|way| (!destination.successors.contains(&way.source), way.distance));
    ways
}

fn network(
    context: &ShowContext<'_>,
    prefix: Ipv4Net,
    destination: &Destination,
    links: Links,
) -> topology::Network {
    let shown = |way: &&&Way| {
        links != Links::Feasible
            || destination.successors.contains(&way.source)
            || (way.distance.is_finite() && destination.is_feasible(way))
    };
    let ways = ways(destination);
    topology::Network {
        code: if destination.state.is_active() { "A" } else { "P" }.to_owned(),
        prefix,
        successors: u32::try_from(destination.successors.len()).unwrap_or(u32::MAX),
        feasible_distance: finite(destination.feasible_distance()),
        tag: ways.first().map_or(0, |way| way.attributes.tag()),
        serial: u32::try_from(destination.serial).ok().filter(|serial| links == Links::All && *serial > 0),
        paths: ways.iter().filter(shown).map(|way| path(context, way)).collect(),
    }
}

fn path(context: &ShowContext<'_>, way: &Way) -> topology::Path {
    let distances = finite(way.distance).zip(finite(way.reported_distance));
    topology::Path {
        via: match way.source {
            PathSource::Neighbor(key) => key.address.to_string(),
            _ => source_word(way).to_owned(),
        },
        distances: distances.filter(|_| !matches!(way.source, PathSource::Connected(_))),
        interface: interface(context, way),
    }
}

/// `Connected`, `Summary`, `Rstatic` and the like of paths that begin here.
fn source_word(way: &Way) -> &'static str {
    match (way.source, way.attributes.external.as_ref().map(|external| external.protocol)) {
        (PathSource::Connected(_), _) => "Connected",
        (PathSource::Summary, _) => "Summary",
        (_, Some(ExternalProtocol::Static)) => "Rstatic",
        (_, Some(ExternalProtocol::Connected)) => "Rconnected",
        _ => "Redistributed",
    }
}

fn interface(context: &ShowContext<'_>, way: &Way) -> Option<String> {
    match way.source {
        PathSource::Summary => Some("Null0".to_owned()),
        source => source.interface().map(|index| context.interface_name(index)),
    }
}

impl IpEigrpEntry {
    /// What processes know of a destination.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, processes: &[&EigrpProcess], prefix: Ipv4Net) -> Self {
        let of = |process: &&EigrpProcess| {
            let destination = process.topology.get(&prefix);
            let empty = Destination::default();
            let known = destination.unwrap_or(&empty);
            entry::Process {
                heading: Heading::of(process),
                router_id: router_id(process),
                prefix,
                is_known: destination.is_some(),
                active: known.state.is_active(),
                query_origin: known.state.query_origin_flag(),
                successors: u32::try_from(known.successors.len()).unwrap_or(u32::MAX),
                feasible_distance: finite(known.feasible_distance()),
                paths: ways(known).into_iter().map(|way| entry_path(context, process, way)).collect(),
            }
        };
        Self { processes: processes.iter().map(of).collect() }
    }
}

fn entry_path(context: &ShowContext<'_>, process: &EigrpProcess, way: &Way) -> entry::Path {
    let key = way.source.neighbor();
    let originator = way.attributes.originator.0;
    let own = key.is_none().then(|| router_id(process));
    let distances = (finite(way.distance), finite(way.reported_distance));
    entry::Path {
        next_hop: Some(key.map_or(Ipv4Addr::UNSPECIFIED, |key| way.next_hop.unwrap_or(key.address))),
        interface: interface(context, way).unwrap_or_default(),
        from: key.map_or_else(|| source_word(way).to_owned(), |key| key.address.to_string()),
        distances: (distances.0.unwrap_or(u64::MAX), distances.1.unwrap_or(u64::MAX)),
        external: way.attributes.external.is_some(),
        bandwidth: process.metrics.bandwidth_kbps(&way.vector),
        delay_ps: process.metrics.delay_ps(&way.vector),
        wide: process.metrics.scale == Scale::Wide,
        reliability: way.vector.reliability,
        load: way.vector.load,
        mtu: way.vector.mtu,
        hops: way.vector.hop_count,
        originating_router: Some(originator).filter(|id| !id.is_unspecified()).or(own),
        data: way.attributes.external.as_ref().map(|external| ExternalData {
            as_number: external.autonomous_system,
            protocol: protocol(external.protocol),
            metric: external.metric,
            tag: external.tag,
        }),
        exterior: way.attributes.candidate_default,
    }
}

fn protocol(protocol: ExternalProtocol) -> String {
    match protocol {
        ExternalProtocol::Igrp => "IGRP",
        ExternalProtocol::Eigrp => "EIGRP",
        ExternalProtocol::Static => "Static",
        ExternalProtocol::Rip => "RIP",
        ExternalProtocol::Ospf => "OSPF",
        ExternalProtocol::IsIs => "IS-IS",
        ExternalProtocol::Bgp => "BGP",
        ExternalProtocol::Connected => "Connected",
        ExternalProtocol::Unknown(number) => return format!("protocol {number}"),
    }
    .to_owned()
}
