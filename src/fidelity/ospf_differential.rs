//! The same random OSPF network in the emulator and in FRR: what each router knows in the end, held side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};

use super::frr::{FrrError, FrrNetwork};
use super::ospf_model::{AreaModel, OspfModel};
use super::ospf_view::{OspfView, of_emulator, of_frr};

/// How long FRR gets to settle, and how long it must have been quiet.
const FRR_LIMIT: Duration = Duration::from_secs(90);
const FRR_QUIET: Duration = Duration::from_secs(7);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1200);

/// One thing that only one of the two says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The router.
    pub router: String,
    /// What the emulator says; nothing if it is silent.
    pub emulator: Option<String>,
    /// What FRR says.
    pub frr: Option<String>,
    /// Why the two may differ here; nothing if they must not.
    pub explanation: Option<&'static str>,
}

/// The outcome for one network.
#[derive(Clone, Debug, Default)]
pub struct Comparison {
    /// What differs.
    pub differences: Vec<Difference>,
    /// How many routes and LSAs were compared.
    pub compared: usize,
    /// FRR was run twice.
    pub repeated: bool,
}

impl Comparison {
    /// The differences without an explanation.
    pub fn unexplained(&self) -> impl Iterator<Item = &Difference> {
        self.differences.iter().filter(|difference| difference.explanation.is_none())
    }
}

/// The network in the emulator, not yet run.
///
/// # Errors
/// A line of the rendering that the dialect refuses.
pub fn emulate(model: &OspfModel, seed: u64) -> Result<(Network, Vec<NodeIndex>), String> {
    let mut network = Network::new(seed);
    let nodes: Vec<NodeIndex> = (0..model.routers)
        .map(|router| {
            let ports: Vec<_> = model.ends(router).map(|(link, _)| OspfModel::ios_interface(link)).collect();
            network.add_router(&OspfModel::name(router), &ports)
        })
        .collect();
    for (link, cable) in model.links.iter().enumerate() {
        let port = OspfModel::ios_interface(link);
        let ends = cable.routers.map(|router| (nodes[router], port));
        network.add_link(LinkProperties::ethernet(), &ends).map_err(|error| error.to_string())?;
    }
    for (router, &node) in nodes.iter().enumerate() {
        let mut config = RouterConfig::clone(network.router(node).config());
        let report = load(&mut config, &model.ios_config(router));
        if let Some(refused) = report.refused.first() {
            return Err(format!("{}: {refused}", OspfModel::name(router)));
        }
        network.configure(node, config);
    }
    Ok((network, nodes))
}

/// What the emulator's routers know once converged.
///
/// # Errors
/// As [`emulate`], or the network does not converge.
pub fn emulator_views(model: &OspfModel, seed: u64) -> Result<Vec<OspfView>, String> {
    let (mut network, nodes) = emulate(model, seed)?;
    if !network.run_until_converged(CAP).converged {
        return Err("the emulator has not converged".to_owned());
    }
    nodes
        .iter()
        .map(|&node| {
            let process = network.router(node).ospf(1).ok_or("no OSPF process")?;
            Ok(of_emulator(process, network.now()))
        })
        .collect()
}

/// What FRR's routers know once quiet.
///
/// # Errors
/// FRR cannot be run or asked.
pub fn frr_views(model: &OspfModel) -> Result<Vec<OspfView>, FrrError> {
    let (routers, cables) = model.frr();
    let network = FrrNetwork::build(&routers, &cables)?;
    network.start()?;
    // The state is quiet before the first adjacency, too.
    std::thread::sleep(Duration::from_secs(8));
    let all = |network: &FrrNetwork| routers.iter().map(|router| of_frr(network, &router.name)).collect();
    let (views, _) = network.settle(FRR_QUIET, FRR_LIMIT, all)?;
    Ok(views)
}

/// Runs a network in both and compares. Where they disagree FRR is run up to twice again, and only what it says each time counts: it is
/// not deterministic, and now and then keeps an LSA that the last change should have replaced.
///
/// # Errors
/// One of the two cannot run it.
pub fn compare(seed: u64) -> Result<Comparison, String> {
    let model = OspfModel::random(seed);
    let ours = emulator_views(&model, seed)?;
    let once = || -> Result<Comparison, String> {
        let theirs = frr_views(&model).map_err(|error| error.to_string())?;
        let mut comparison = Comparison::default();
        let (outdated, at_home) = (outdated_ranges(&model, &theirs), ranges_at_home(&model, &theirs));
        for (router, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let known = Known { model: &model, router, outdated: &outdated, at_home: &at_home };
            compare_router(&known, ours, theirs, &mut comparison);
        }
        Ok(comparison)
    };
    let mut comparison = once()?;
    for _ in 0..2 {
        if comparison.unexplained().next().is_none() {
            break;
        }
        let again = once()?;
        comparison.differences.retain(|difference| again.differences.contains(difference));
        comparison.repeated = true;
    }
    Ok(comparison)
}

/// What an explanation may rest on.
struct Known<'a> {
    model: &'a OspfModel,
    /// The router whose views are compared.
    router: usize,
    outdated: &'a BTreeMap<(Ipv4Addr, String), u64>,
    at_home: &'a BTreeSet<u32>,
}

/// The areas whose own range FRR tells into them. A border router does so while another one has told it the range and its own adjacencies
/// in the area are not up, and FRR 8.4 does not always take it back. RFC 2328 section 12.4.3 tells a range into other areas only.
fn ranges_at_home(model: &OspfModel, theirs: &[OspfView]) -> BTreeSet<u32> {
    let told = |area: u32| {
        let key = format!("{} summary {} ", Ipv4Addr::from(area), OspfModel::range_address(area));
        theirs.iter().any(|view| view.lsas.iter().any(|line| line.starts_with(&key)))
    };
    model.ranges.iter().map(|range| range.area).filter(|&area| told(area)).collect()
}

/// The ranges that FRR's border routers tell at another cost than their own routes give it, each with the cost that is due: the greatest
/// of the networks within (RFC 2328 section 12.4.3). Under load FRR 8.4 can leave a range at the cost of an earlier calculation.
fn outdated_ranges(model: &OspfModel, theirs: &[OspfView]) -> BTreeMap<(Ipv4Addr, String), u64> {
    let mut outdated = BTreeMap::new();
    for (router, view) in theirs.iter().enumerate() {
        let id = OspfModel::router_id(router).to_string();
        for range in &model.ranges {
            let address = OspfModel::range_address(range.area);
            let Ok(within) = Ipv4Net::new(address, OspfModel::RANGE_LENGTH) else { continue };
            let components =
                view.routes.iter().filter(|(prefix, route)| route.kind == "N" && within.contains(*prefix));
            let Some(due) = components.map(|(_, route)| route.cost).max() else { continue };
            let told = view.lsas.iter().filter_map(|line| {
                let (key, cost) = line.split_once(": ")?;
                key.ends_with(&format!(" summary {address} {id}")).then(|| cost.parse::<u64>().ok())?
            });
            if told.into_iter().any(|cost| cost != due) {
                outdated.insert((address, id.clone()), due);
            }
        }
    }
    outdated
}

fn compare_router(known: &Known<'_>, ours: &OspfView, theirs: &OspfView, comparison: &mut Comparison) {
    let lines = |view: &OspfView| -> BTreeMap<String, String> {
        let routes =
            view.routes.iter().map(|(prefix, route)| (format!("route {prefix}"), format!("{route:?}")));
        let lsas = view.lsas.iter().map(|line| {
            let (key, contents) = line.split_once(": ").unwrap_or((line, ""));
            (key.to_owned(), contents.to_owned())
        });
        routes.chain(lsas).collect()
    };
    let (ours, theirs) = (lines(ours), lines(theirs));
    let keys: BTreeSet<&String> = ours.keys().chain(theirs.keys()).collect();
    comparison.compared += keys.len();
    for key in keys {
        let (emulator, frr) = (ours.get(key), theirs.get(key));
        if emulator != frr {
            let say = |contents: &String| format!("{key}: {contents}");
            comparison.differences.push(Difference {
                router: OspfModel::name(known.router),
                emulator: emulator.map(say),
                frr: frr.map(say),
                explanation: explain(known, key, emulator.map(String::as_str), frr.map(String::as_str)),
            });
        }
    }
}

/// Why the two differ where RFC or IOS stand against FRR.
fn explain(known: &Known<'_>, key: &str, emulator: Option<&str>, frr: Option<&str>) -> Option<&'static str> {
    let (model, router) = (known.model, known.router);
    let words: Vec<&str> = key.split(' ').collect();
    if let Some(emulator) = emulator {
        return explain_boundary(model, &words, emulator, frr)
            .or_else(|| explain_range_cost(known, &words, emulator));
    }
    let area = |text: &str| text.parse::<Ipv4Addr>().map(u32::from).ok();
    let is_range = |text: &str| {
        let mut ranges = model.ranges.iter().map(|range| OspfModel::range_address(range.area).to_string());
        ranges.any(|range| text.split('/').next() == Some(range.as_str()))
    };
    let home_of = |text: &str| {
        let address: Ipv4Addr = text.split('/').next()?.parse().ok()?;
        known.at_home.iter().copied().find(|&area| OspfModel::range_address(area) == address)
    };
    match words[..] {
        [in_area, "summary", "0.0.0.0", _] if area(in_area).is_some_and(|area| open_nssa(model, area)) => {
            Some(
                "FRR tells a type 3 default into every NSSA; IOS only with no-summary (RFC 3101 section 2.7 leaves it open)",
            )
        }
        ["route", "0.0.0.0/0"] if model.areas_of(router).into_iter().any(|area| open_nssa(model, area)) => {
            Some("follows from FRR's type 3 default in an NSSA")
        }
        [_, "asbr", about, teller] if about == teller => Some(
            "an FRR border router that is AS boundary router tells of itself by type 4; its own router LSA says it already",
        ),
        ["AS", "external", _, teller]
            if model.in_nssa(router) && teller == OspfModel::router_id(router).to_string() =>
        {
            Some(
                "an FRR boundary router in an NSSA keeps a type 5 LSA beside its type 7, which it cannot flood",
            )
        }
        [in_area, "summary", range, _]
            if is_range(range) && area(in_area).is_some_and(|area| closed(model, area)) =>
        {
            Some(
                "FRR tells ranges into areas with no-summary, too; RFC 2328 section 12.4.3 tells the default alone",
            )
        }
        [in_area, "summary", range, _]
            if is_range(range) && area(in_area).is_some_and(|area| home_of(range) == Some(area)) =>
        {
            Some(
                "FRR tells an area's range into that very area; RFC 2328 section 12.4.3 tells it into the others",
            )
        }
        ["route", range] if home_of(range).is_some_and(|area| model.areas_of(router).contains(&area)) => {
            Some("follows from FRR's range in the very area it sums up")
        }
        ["route", range]
            if is_range(range) && model.areas_of(router).into_iter().all(|area| closed(model, area)) =>
        {
            Some("follows from FRR's ranges in an area with no-summary")
        }
        _ => None,
    }
}

/// FRR's border router contradicts its own routes, and these give the cost that the emulator tells.
fn explain_range_cost(known: &Known<'_>, words: &[&str], emulator: &str) -> Option<&'static str> {
    match *words {
        [_, "summary", range, teller] => {
            let due = known.outdated.get(&(range.parse().ok()?, teller.to_owned()))?;
            (due.to_string() == emulator)
                .then_some("FRR left the range at an outdated cost: its own routes within it cost what the emulator tells")
        }
        ["route", range] => {
            let address: Ipv4Addr = range.split('/').next()?.parse().ok()?;
            let mut tellers = known.outdated.keys();
            tellers
                .any(|(range, _)| *range == address)
                .then_some("follows from the outdated cost of a range of FRR's")
        }
        _ => None,
    }
}

/// A border router of an NSSA is an AS boundary router also when another one translates (RFC 3101 section 3.1: it must set the E bit in the
/// router LSAs of its other areas); FRR's sets it only while it translates.
fn explain_boundary(
    model: &OspfModel,
    words: &[&str],
    emulator: &str,
    frr: Option<&str>,
) -> Option<&'static str> {
    let borders_nssa = |id: &str| {
        (0..model.routers).any(|router| {
            let areas = model.areas_of(router);
            OspfModel::router_id(router).to_string() == id
                && areas.len() > 1
                && areas.into_iter().any(|area| matches!(model.area(area), AreaModel::Nssa { .. }))
        })
    };
    let explanation = "FRR's border routers of an NSSA set the E bit only while they translate; RFC 3101 section 3.1 wants it of all";
    let flag_only = || frr.is_some_and(|frr| frr.replace("(true, false)", "(true, true)") == emulator);
    match *words {
        [_, "router", router] if borders_nssa(router) && flag_only() => Some(explanation),
        [_, "asbr", router, _] if borders_nssa(router) && frr.is_none() => Some(explanation),
        _ => None,
    }
}

/// An NSSA that summaries enter.
fn open_nssa(model: &OspfModel, area: u32) -> bool {
    model.area(area) == AreaModel::Nssa { no_summary: false }
}

/// An area with `no-summary`.
fn closed(model: &OspfModel, area: u32) -> bool {
    matches!(model.area(area), AreaModel::Stub { no_summary: true } | AreaModel::Nssa { no_summary: true })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::fidelity::ospf_view::RouteView;

    /// A border router that knows two loopbacks of area 1, the farther at 46, and tells the range at `told`.
    fn border(told: u64) -> OspfView {
        let route = |cost| RouteView { kind: "N".to_owned(), cost, type2: 0, next_hops: BTreeSet::new() };
        let mut view = OspfView::default();
        view.routes.insert("10.201.2.1/32".parse().unwrap(), route(31));
        view.routes.insert("10.201.3.1/32".parse().unwrap(), route(46));
        view.lsas.insert(format!("0.0.0.0 summary 10.201.0.0 {}: {told}", OspfModel::router_id(0)));
        view
    }

    fn with_range() -> OspfModel {
        (0..).map(OspfModel::random).find(|model| model.ranges.iter().any(|range| range.area == 1)).unwrap()
    }

    #[test]
    fn only_a_cost_that_contradicts_frrs_own_routes_is_explained() {
        let model = with_range();
        assert!(outdated_ranges(&model, &[border(46)]).is_empty());
        let outdated = outdated_ranges(&model, &[border(31)]);
        let at_home = BTreeSet::new();
        let known = Known { model: &model, router: 0, outdated: &outdated, at_home: &at_home };
        let key = format!("0.0.0.0 summary 10.201.0.0 {}", OspfModel::router_id(0));
        assert!(explain(&known, &key, Some("46"), Some("31")).is_some());
        assert!(
            explain(&known, &key, Some("41"), Some("31")).is_none(),
            "the emulator must tell what is due"
        );
        assert!(explain(&known, "route 10.201.0.0/16", Some("N IA"), Some("N IA")).is_some());
        assert!(explain(&known, "route 10.202.0.0/16", Some("N IA"), Some("N IA")).is_none());
    }

    #[test]
    fn a_range_in_the_area_it_sums_up_is_frrs_mistake_elsewhere_it_is_not() {
        let model = with_range();
        let mut view = OspfView::default();
        view.lsas.insert("0.0.0.1 summary 10.201.0.0 192.168.255.2: 26".to_owned());
        assert!(ranges_at_home(&model, &[OspfView::default(), border(46)]).is_empty());
        let (outdated, at_home) = (BTreeMap::new(), ranges_at_home(&model, &[view]));
        let router = (0..model.routers).find(|&router| model.areas_of(router).contains(&1)).unwrap();
        let known = Known { model: &model, router, outdated: &outdated, at_home: &at_home };
        assert!(explain(&known, "0.0.0.1 summary 10.201.0.0 192.168.255.2", None, Some("26")).is_some());
        assert!(explain(&known, "0.0.0.0 summary 10.201.0.0 192.168.255.2", None, Some("26")).is_none());
        assert!(explain(&known, "route 10.201.0.0/16", None, Some("N IA")).is_some());
        assert!(explain(&known, "route 10.202.0.0/16", None, Some("N IA")).is_none());
    }
}
