//! The table and its entries from a router.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::rib::{NextHop, Route, RouteKind, RouteOwner, TableId};

use super::super::ShowContext;
use super::super::age::Age;
use super::{
    EntryPath, Gateway, IpRoute, IpRouteOutput, IpRoutes, Path, RouteEntry, Subnets, classful_length,
};

/// Which routes of a table are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Selection {
    /// All.
    #[default]
    All,
    /// Those of connected networks, with the router's own addresses.
    Connected,
    /// `ip route`.
    Static,
    /// Of every OSPF process, or of one.
    Ospf(Option<u16>),
    /// Of every EIGRP process, or of one.
    Eigrp(Option<u16>),
    /// Of RIP.
    Rip,
    /// Of BGP.
    Bgp,
    /// Prefixes shorter than those of their class.
    Supernets,
    /// Those within a prefix.
    LongerPrefixes(Ipv4Net),
}

impl Selection {
    fn contains(self, route: &Route) -> bool {
        match (self, route.owner) {
            (Self::All, _)
            | (Self::Connected, RouteOwner::Connected)
            | (Self::Static, RouteOwner::Static)
            | (Self::Ospf(None), RouteOwner::Ospf(_))
            | (Self::Eigrp(None), RouteOwner::Eigrp(_))
            | (Self::Rip, RouteOwner::Rip)
            | (Self::Bgp, RouteOwner::Bgp(_)) => true,
            (Self::Ospf(Some(wanted)), RouteOwner::Ospf(process)) => wanted == process,
            (Self::Eigrp(Some(wanted)), RouteOwner::Eigrp(number)) => wanted == number,
            (Self::Supernets, _) => route.prefix.prefix_len() < classful_length(route.prefix.addr()),
            (Self::LongerPrefixes(prefix), _) => prefix.contains(&route.prefix),
            _ => false,
        }
    }
}

/// The letters of a route.
#[must_use]
pub const fn code(kind: RouteKind) -> &'static str {
    match kind {
        RouteKind::Connected => "C",
        RouteKind::Local => "L",
        RouteKind::Static => "S",
        RouteKind::Rip => "R",
        RouteKind::EigrpInternal | RouteKind::EigrpSummary => "D",
        RouteKind::EigrpExternal => "D EX",
        RouteKind::OspfIntraArea | RouteKind::OspfDiscard => "O",
        RouteKind::OspfInterArea => "O IA",
        RouteKind::OspfExternal1 => "O E1",
        RouteKind::OspfExternal2 => "O E2",
        RouteKind::OspfNssa1 => "O N1",
        RouteKind::OspfNssa2 => "O N2",
        RouteKind::BgpExternal | RouteKind::BgpInternal | RouteKind::BgpLocal => "B",
    }
}

/// `type ...` of an entry.
const fn kind_text(kind: RouteKind) -> Option<&'static str> {
    match kind {
        RouteKind::EigrpInternal | RouteKind::EigrpSummary | RouteKind::BgpInternal => Some("internal"),
        RouteKind::EigrpExternal | RouteKind::BgpExternal => Some("external"),
        RouteKind::OspfIntraArea | RouteKind::OspfDiscard => Some("intra area"),
        RouteKind::OspfInterArea => Some("inter area"),
        RouteKind::OspfExternal1 => Some("extern 1"),
        RouteKind::OspfExternal2 => Some("extern 2"),
        RouteKind::OspfNssa1 => Some("NSSA extern 1"),
        RouteKind::OspfNssa2 => Some("NSSA extern 2"),
        RouteKind::BgpLocal => Some("locally generated"),
        RouteKind::Connected | RouteKind::Local | RouteKind::Static | RouteKind::Rip => None,
    }
}

/// `Known via "..."`.
fn known_via(owner: RouteOwner) -> String {
    match owner {
        RouteOwner::Connected => "connected".to_owned(),
        RouteOwner::Static => "static".to_owned(),
        RouteOwner::Eigrp(number) => format!("eigrp {number}"),
        RouteOwner::Ospf(process) => format!("ospf {process}"),
        RouteOwner::Rip => "rip".to_owned(),
        RouteOwner::Bgp(asn) => format!("bgp {asn}"),
    }
}

impl IpRoutes {
    /// The routes of a table that are selected.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, vrf: VrfId, selection: Selection) -> Self {
        let router = context.router();
        let table = TableId::ipv4(vrf);
        let last_resort = router.fib().last_resort(table).unwrap_or_default();
        let gateway = router.rib().best(table, last_resort).map(gateway);
        let selected = router.rib().routes(table).filter(|route| selection.contains(route));
        let routes = selected.map(|route| line(context, vrf, route)).collect();
        let vrf = router.interfaces().vrfs().find(|&(_, id)| id == vrf).map(|(name, _)| name.to_owned());
        Self { vrf, gateway, routes }
    }
}

/// The gateway of last resort: the first next hop of the default route or network.
fn gateway(default: &Route) -> Gateway {
    let address = default.next_hops.iter().find_map(|hop| hop.address).unwrap_or(Ipv4Addr::UNSPECIFIED);
    Gateway { address, network: default.prefix.network() }
}

fn is_default(route: &Route) -> bool {
    route.prefix.prefix_len() == 0
}

fn is_candidate(context: &ShowContext<'_>, vrf: VrfId, route: &Route) -> bool {
    is_default(route) || context.router().candidate_defaults(vrf).contains(&route.prefix)
}

fn line(context: &ShowContext<'_>, vrf: VrfId, route: &Route) -> IpRoute {
    let age = age(context, vrf, route);
    let paths: Vec<Path> = if route.next_hops.is_empty() {
        vec![discard(route, age)]
    } else {
        route.next_hops.iter().map(|hop| path(context, vrf, route, hop, age)).collect()
    };
    let directly = paths.iter().all(|path| matches!(path, Path::Connected { .. } | Path::Summary { .. }));
    IpRoute {
        code: code(route.kind).to_owned(),
        candidate_default: is_candidate(context, vrf, route),
        prefix: route.prefix,
        preference: (!directly).then_some((route.distance, route.metric)),
        paths,
    }
}

/// How long a route is in the table; of RIP, how long ago it was last told.
fn age(context: &ShowContext<'_>, vrf: VrfId, route: &Route) -> Age {
    let told = || {
        let process = context.router().process_in(RouteOwner::Rip, vrf)?.as_rip()?;
        process.route(route.prefix)?.paths().iter().map(|path| path.updated).max()
    };
    let since = (route.owner == RouteOwner::Rip).then(told).flatten();
    Age::from(context.now().since(since.unwrap_or(route.installed)))
}

fn discard(route: &Route, age: Age) -> Path {
    let interface = "Null0".to_owned();
    match route.owner {
        RouteOwner::Static | RouteOwner::Connected => Path::Connected { age: None, interface },
        RouteOwner::Bgp(_) => Path::Discard { age, interface },
        RouteOwner::Ospf(_) | RouteOwner::Eigrp(_) | RouteOwner::Rip => Path::Summary { age, interface },
    }
}

/// The metric of one path of a route, where it is another than the route's: EIGRP may use paths of several.
fn own_metric(context: &ShowContext<'_>, vrf: VrfId, route: &Route, hop: &NextHop) -> Option<u32> {
    let RouteOwner::Eigrp(autonomous_system) = route.owner else { return None };
    let process = context.router().eigrp(autonomous_system, vrf)?;
    let mut ways = process.topology.get(&route.prefix)?.paths().iter();
    let way = ways.find(|way| {
        way.source
            .neighbor()
            .is_some_and(|key| Some(key.address) == hop.learned_from && Some(key.interface) == hop.interface)
    })?;
    Some(process.metrics.rib_metric(way.distance.distance())).filter(|&metric| metric != route.metric)
}

fn path(context: &ShowContext<'_>, vrf: VrfId, route: &Route, hop: &NextHop, age: Age) -> Path {
    let interface = hop.interface.map(|index| context.interface_name(index));
    match hop.address {
        None => Path::Connected { age: None, interface: interface.unwrap_or_default() },
        Some(address) => {
            let age = (route.owner != RouteOwner::Static).then_some(age);
            let metric = own_metric(context, vrf, route, hop);
            Path::Via { address, vrf: None, metric, age, interface }
        }
    }
}

impl IpRouteOutput {
    /// `show ip route A.B.C.D [MASK]`: the route used for an address (the default route is not looked at), or with a mask
    /// the route to exactly that prefix.
    #[must_use]
    pub fn lookup(context: &ShowContext<'_>, vrf: VrfId, address: Ipv4Addr, exact: Option<u8>) -> Self {
        let rib = context.router().rib();
        let table = TableId::ipv4(vrf);
        let found = match exact {
            Some(length) => Ipv4Net::new(address, length).ok().and_then(|net| rib.best(table, net.trunc())),
            None => rib.lookup(table, address).filter(|route| !is_default(route) || address.is_unspecified()),
        };
        if let Some(subnets) = exact.is_none().then(|| known_subnets(context, vrf, address)).flatten() {
            return Self::Subnets(subnets);
        }
        if let Some(route) = found {
            return Self::Entry(entry(context, vrf, route));
        }
        let network = Ipv4Net::new(address, classful_length(address)).map(|net| net.trunc());
        match network.map(|network| rib.routes_within(table, network).next().is_some()) {
            Ok(true) => Self::SubnetNotInTable,
            _ => Self::NetworkNotInTable,
        }
    }
}

/// What is known of a classful network, if the address is one and there are routes to subnets of it.
fn known_subnets(context: &ShowContext<'_>, vrf: VrfId, address: Ipv4Addr) -> Option<Subnets> {
    let class =
        Ipv4Net::new(address, classful_length(address)).ok().filter(|net| net.network() == address)?;
    let within = context.router().rib().routes_within(TableId::ipv4(vrf), class);
    Subnets::of(class, within.map(|route| line(context, vrf, route)).collect())
}

fn entry(context: &ShowContext<'_>, vrf: VrfId, route: &Route) -> RouteEntry {
    let age = age(context, vrf, route);
    let directly = route.next_hops.iter().all(|hop| hop.address.is_none());
    let paths: Vec<EntryPath> = if route.next_hops.is_empty() {
        vec![entry_path(route, None, Some("Null0".to_owned()), None, true)]
    } else {
        let described = |(number, hop): (usize, &NextHop)| {
            let interface = hop.interface.map(|index| context.interface_name(index));
            let learned = hop.address.filter(|_| route.owner != RouteOwner::Static);
            let from = learned.map(|address| hop.learned_from.unwrap_or(address));
            let path = entry_path(route, hop.address, interface, from, number == 0);
            let metric = own_metric(context, vrf, route, hop).unwrap_or(route.metric);
            EntryPath { age: from.map(|_| age), metric, share: hop.weight, ..path }
        };
        route.next_hops.iter().enumerate().map(described).collect()
    };
    RouteEntry {
        prefix: route.prefix,
        known_via: known_via(route.owner),
        distance: route.distance,
        metric: route.metric,
        tag: route.tag,
        kind: kind_text(route.kind).map(str::to_owned),
        candidate_default: is_candidate(context, vrf, route),
        connected: directly && matches!(route.kind, RouteKind::Connected | RouteKind::Static),
        redistributing: Vec::new(),
        paths,
    }
}

fn entry_path(
    route: &Route,
    next_hop: Option<Ipv4Addr>,
    interface: Option<String>,
    from: Option<Ipv4Addr>,
    best: bool,
) -> EntryPath {
    EntryPath { next_hop, from, age: None, interface, metric: route.metric, share: 1, best }
}
