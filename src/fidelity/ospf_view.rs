//! What a router knows by OSPF, in one form for the emulator and for FRR.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::ospf::OspfProcess;
use netconfarena_emu::ospf::lsa::{LinkKind, Lsa, LsaBody};
use netconfarena_emu::ospf::lsdb::Scope;
use netconfarena_emu::ospf::route_table::PathType;
use netconfarena_emu::time::Time;
use serde_json::Value;

use super::frr::{Daemon, FrrError, FrrNetwork};

/// A route: `N`, `N IA`, `N E1` or `N E2`, its cost, its type 2 metric, and its next hops (`None` is attached).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RouteView {
    /// Letters of the path type.
    pub kind: String,
    /// Cost; of type 2 routes the cost of the way to the AS boundary router.
    pub cost: u64,
    /// Type 2 metric, 0 for others.
    pub type2: u64,
    /// Next hops.
    pub next_hops: BTreeSet<Option<Ipv4Addr>>,
}

/// Routes and database of a router.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OspfView {
    /// Routes by prefix.
    pub routes: BTreeMap<Ipv4Net, RouteView>,
    /// LSAs, each as `area type id router: contents`. Who of the routers of a network is its DR depends on which came up first, so networks
    /// stand by their subnets.
    pub lsas: BTreeSet<String>,
}

/// The subnet that stands for a network whose id is its DR's address; all networks of the models are of this length.
fn subnet(address: Ipv4Addr) -> Ipv4Addr {
    let [a, b, c, _] = address.octets();
    Ipv4Addr::new(a, b, c, 0)
}

/// What an emulated process knows.
#[must_use]
pub fn of_emulator(process: &OspfProcess, now: Time) -> OspfView {
    let mut view = OspfView::default();
    for (prefix, route) in &process.routing.table.networks {
        let kind = match route.path_type {
            PathType::IntraArea => "N",
            PathType::InterArea => "N IA",
            PathType::External1 => "N E1",
            PathType::External2 => "N E2",
        };
        let route = RouteView {
            kind: kind.to_owned(),
            cost: route.cost.into(),
            type2: route.type2_cost.into(),
            next_hops: route.paths.iter().map(|path| path.next_hop.address).collect(),
        };
        view.routes.insert(*prefix, route);
    }
    for (scope, database) in process.lsdb.scopes() {
        let area = match scope {
            Scope::Area(area) => area.as_ipv4().to_string(),
            Scope::As => "AS".to_owned(),
            Scope::Link(_) => continue,
        };
        let alive = database.iter().filter(|entry| !entry.age(now).is_max());
        view.lsas.extend(alive.filter_map(|entry| lsa_line(&area, &entry.lsa)));
    }
    view
}

fn lsa_line(area: &str, lsa: &Lsa) -> Option<String> {
    let (id, router) = (lsa.link_state_id(), lsa.advertising_router());
    Some(match lsa.body() {
        LsaBody::Router(body) => {
            let links: BTreeSet<String> = body
                .links
                .iter()
                .map(|link| match link.kind {
                    LinkKind::PointToPoint => format!("p2p {} {}", link.id, link.metric),
                    LinkKind::Transit => format!("transit {} {}", subnet(link.id), link.metric),
                    LinkKind::Stub => format!("stub {} {} {}", link.id, link.data, link.metric),
                    LinkKind::Virtual => format!("virtual {} {}", link.id, link.metric),
                })
                .collect();
            let flags = (body.flags.area_border, body.flags.as_boundary);
            format!("{area} router {router}: {flags:?} {links:?}")
        }
        LsaBody::Network(body) => {
            let attached: BTreeSet<String> = body.attached.iter().map(ToString::to_string).collect();
            format!("{area} network {}: {attached:?}", subnet(id))
        }
        LsaBody::SummaryNetwork(body) => format!("{area} summary {id} {router}: {}", body.metric),
        LsaBody::SummaryAsbr(body) => format!("{area} asbr {id} {router}: {}", body.metric),
        LsaBody::AsExternal(body) | LsaBody::Nssa(body) => {
            let kind = match body.metric_type {
                netconfarena_emu::ospf::ExternalMetricType::Type1 => "E1",
                netconfarena_emu::ospf::ExternalMetricType::Type2 => "E2",
            };
            let of = if area == "AS" { "external" } else { "nssa" };
            let (metric, forward, tag) = (body.metric, body.forwarding_address, body.tag);
            format!("{area} {of} {id} {router}: {kind} {metric} {forward} {tag}")
        }
        LsaBody::Opaque { .. } | LsaBody::Unknown(..) => return None,
    })
}

/// What an FRR router knows.
///
/// # Errors
/// FRR does not answer, or not as version 8.4 does.
pub fn of_frr(network: &FrrNetwork, router: &str) -> Result<OspfView, FrrError> {
    let ask = |command: &str| network.ask_json(router, Daemon::Ospfd, command);
    let mut view = OspfView { routes: frr_routes(&ask("show ip ospf route json")?), ..OspfView::default() };
    for (kind, key) in [
        ("router", "routerLinkStates"),
        ("network", "networkLinkStates"),
        ("summary", "summaryLinkStates"),
        ("asbr-summary", "asbrSummaryLinkStates"),
        ("nssa-external", "nssaExternalLinkStates"),
    ] {
        let answer = ask(&format!("show ip ospf database {kind} json"))?;
        let areas = answer[key]["areas"].as_object();
        for (area, lsas) in areas.into_iter().flatten() {
            let lsas = lsas.as_array().into_iter().flatten().filter(|lsa| is_alive(lsa));
            view.lsas.extend(lsas.map(|lsa| frr_lsa_line(area, kind, lsa)));
        }
    }
    let answer = ask("show ip ospf database external json")?;
    let lsas = answer["asExternalLinkStates"].as_array().into_iter().flatten().filter(|lsa| is_alive(lsa));
    view.lsas.extend(lsas.map(|lsa| frr_lsa_line("AS", "external", lsa)));
    Ok(view)
}

fn is_alive(lsa: &Value) -> bool {
    lsa["lsaAge"].as_u64().is_none_or(|age| age < 3600)
}

fn frr_routes(answer: &Value) -> BTreeMap<Ipv4Net, RouteView> {
    let mut routes = BTreeMap::new();
    for (prefix, route) in answer.as_object().into_iter().flatten() {
        let kind = route["routeType"].as_str().unwrap_or_default().trim();
        let (Ok(prefix), true) = (prefix.parse::<Ipv4Net>(), kind.starts_with('N')) else { continue };
        let hops = route["nexthops"].as_array().into_iter().flatten();
        let view = RouteView {
            kind: kind.to_owned(),
            cost: route["cost"].as_u64().unwrap_or_default(),
            type2: route["type2cost"].as_u64().unwrap_or_default(),
            next_hops: hops.map(|hop| hop["ip"].as_str().and_then(|ip| ip.trim().parse().ok())).collect(),
        };
        routes.insert(prefix, view);
    }
    routes
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or("?")
}

fn frr_lsa_line(area: &str, kind: &str, lsa: &Value) -> String {
    let (id, router) = (text(lsa, "linkStateId"), text(lsa, "advertisingRouter"));
    let number = |key: &str| lsa[key].as_u64().unwrap_or(u64::MAX);
    let subnet_of = |address: &str| address.parse().map_or(address.to_owned(), |a| subnet(a).to_string());
    match kind {
        "router" => {
            let links: BTreeSet<String> = lsa["routerLinks"]
                .as_object()
                .into_iter()
                .flatten()
                .map(|(_, link)| frr_link(link))
                .collect();
            let flag = |key: &str| lsa[key].as_bool().unwrap_or(false);
            format!("{area} router {router}: {:?} {links:?}", (flag("abr"), flag("asbr")))
        }
        "network" => {
            let attached: BTreeSet<&String> =
                lsa["attchedRouters"].as_object().into_iter().flat_map(|a| a.keys()).collect();
            format!("{area} network {}: {attached:?}", subnet_of(id))
        }
        "summary" => format!("{area} summary {id} {router}: {}", number("tos0Metric")),
        "asbr-summary" => format!("{area} asbr {id} {router}: {}", number("tos0Metric")),
        _ => {
            let of = if kind == "external" { "external" } else { "nssa" };
            let forward = match &lsa["forwardAddress"] {
                Value::String(address) => address,
                _ => text(lsa, "nssaForwardAddress"),
            };
            // "E2 (Larger than any link state path)".
            let kind = text(lsa, "metricType").split(' ').next().unwrap_or_default();
            let (metric, tag) = (number("metric"), number("externalRouteTag"));
            format!("{area} {of} {id} {router}: {kind} {metric} {forward} {tag}")
        }
    }
}

fn frr_link(link: &Value) -> String {
    let metric = link["tos0Metric"].as_u64().unwrap_or_default();
    match text(link, "linkType") {
        "another Router (point-to-point)" => format!("p2p {} {metric}", text(link, "neighborRouterId")),
        "a Transit Network" => {
            let address = text(link, "designatedRouterAddress");
            let network = address.parse().map_or(address.to_owned(), |a| subnet(a).to_string());
            format!("transit {network} {metric}")
        }
        "Stub Network" => {
            format!("stub {} {} {metric}", text(link, "networkAddress"), text(link, "networkMask"))
        }
        _ => format!("virtual {} {metric}", text(link, "neighborRouterId")),
    }
}
