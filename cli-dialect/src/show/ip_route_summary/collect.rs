//! The summary of a routing table from a router.

use std::collections::BTreeSet;

use ipnet::Ipv4Net;
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::policy::classful;
use netconfarena_emu::rib::{Route, RouteKind, RouteOwner, TableId};

use super::super::ShowContext;
use super::{IpRouteSummary, Source};

/// The most paths that IOS lets any protocol install.
const MAXIMUM_PATHS: u32 = 32;

/// Octets that IOS 15 needs for a path.
const OVERHEAD_OF_PATH: u32 = 68;

/// Octets that IOS 15 needs for a route.
const MEMORY_OF_ROUTE: u32 = 180;

/// Octets that IOS 15 needs for a classful network that stands in the table for its subnets only.
const MEMORY_OF_INTERNAL: u32 = 460;

impl IpRouteSummary {
    /// From the table of a VRF.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, vrf: VrfId) -> Self {
        let router = context.router();
        let routes: Vec<&Route> = router.rib().routes(TableId::ipv4(vrf)).collect();
        let mut sources = vec![
            source("connected", &routes, RouteOwner::Connected),
            source("static", &routes, RouteOwner::Static),
            Source { source: "application".to_owned(), ..none() },
        ];
        let processes =
            router.processes().filter(|(key, process)| key.vrf == vrf || process.as_bgp().is_some());
        sources.extend(processes.filter_map(|(key, _)| {
            let name = process_name(key.owner)?;
            let details = details(key.owner, &routes);
            Some(Source { details, ..source(&name, &routes, key.owner) })
        }));
        let internal = internal(&routes);
        sources.push(internal);
        sources.push(total(&sources));
        let name = router.interfaces().vrfs().find(|(_, id)| *id == vrf).map_or("default", |(name, _)| name);
        Self { table: Some(format!("{name} (0x{:X})", vrf.0)), maximum_paths: Some(MAXIMUM_PATHS), sources }
    }
}

/// A source without routes.
fn none() -> Source {
    Source { subnets: Some(0), replicates: Some(0), overhead: Some(0), ..Source::default() }
}

fn process_name(owner: RouteOwner) -> Option<String> {
    match owner {
        RouteOwner::Connected | RouteOwner::Static => None,
        RouteOwner::Eigrp(number) => Some(format!("eigrp {number}")),
        RouteOwner::Ospf(process) => Some(format!("ospf {process}")),
        RouteOwner::Rip => Some("rip".to_owned()),
        RouteOwner::Bgp(asn) => Some(format!("bgp {asn}")),
    }
}

/// Classful networks and supernets count as networks, all else as subnets.
fn is_network(prefix: Ipv4Net) -> bool {
    classful::is_major(prefix) || classful::is_supernet(prefix)
}

fn source(name: &str, routes: &[&Route], owner: RouteOwner) -> Source {
    let own = || routes.iter().filter(|route| route.owner == owner);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let networks = count(own().filter(|route| is_network(route.prefix)).count());
    let all = count(own().count());
    let paths = own().map(|route| count(route.next_hops.len().max(1))).fold(0, u32::saturating_add);
    Source {
        source: name.to_owned(),
        networks,
        subnets: Some(all - networks),
        overhead: Some(paths.saturating_mul(OVERHEAD_OF_PATH)),
        memory: all.saturating_mul(MEMORY_OF_ROUTE),
        ..none()
    }
}

/// The classful networks that are in the table as heads of their subnets.
fn internal(routes: &[&Route]) -> Source {
    let heads: BTreeSet<Ipv4Net> = routes
        .iter()
        .filter(|route| !is_network(route.prefix))
        .map(|route| classful::network(route.prefix.network()))
        .collect();
    let networks = u32::try_from(heads.len()).unwrap_or(u32::MAX);
    let memory = networks.saturating_mul(MEMORY_OF_INTERNAL);
    Source { source: "internal".to_owned(), networks, memory, ..Source::default() }
}

fn total(sources: &[Source]) -> Source {
    let sum = |of: fn(&Source) -> u32| sources.iter().map(of).fold(0, u32::saturating_add);
    Source {
        source: "Total".to_owned(),
        networks: sum(|source| source.networks),
        subnets: Some(sum(|source| source.subnets.unwrap_or(0))),
        overhead: Some(sum(|source| source.overhead.unwrap_or(0))),
        memory: sum(|source| source.memory),
        ..none()
    }
}

/// The lines on route types that OSPF and BGP have.
fn details(owner: RouteOwner, routes: &[&Route]) -> Vec<String> {
    let count =
        |kind: RouteKind| routes.iter().filter(|route| route.owner == owner && route.kind == kind).count();
    match owner {
        RouteOwner::Ospf(_) => vec![
            format!(
                "Intra-area: {} Inter-area: {} External-1: {} External-2: {}",
                count(RouteKind::OspfIntraArea) + count(RouteKind::OspfDiscard),
                count(RouteKind::OspfInterArea),
                count(RouteKind::OspfExternal1),
                count(RouteKind::OspfExternal2)
            ),
            format!(
                "NSSA External-1: {} NSSA External-2: {}",
                count(RouteKind::OspfNssa1),
                count(RouteKind::OspfNssa2)
            ),
        ],
        RouteOwner::Bgp(_) => vec![format!(
            "External: {} Internal: {} Local: {}",
            count(RouteKind::BgpExternal),
            count(RouteKind::BgpInternal),
            count(RouteKind::BgpLocal)
        )],
        _ => Vec::new(),
    }
}
