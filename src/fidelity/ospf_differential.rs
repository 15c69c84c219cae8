//! The same random OSPF network in the emulator and in FRR: what each router knows in the end, held side by side.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use super::comparison::Comparison;
use super::frr::{FrrError, FrrNetwork};
use super::model::Model;
use super::ospf_frr_faults::FrrFaults;
use super::ospf_model::{AreaModel, OspfModel};
use super::ospf_view::{OspfView, of_emulator, of_frr};

/// How long FRR gets to settle, and how long it must have been quiet.
const FRR_LIMIT: Duration = Duration::from_secs(90);
const FRR_QUIET: Duration = Duration::from_secs(7);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1200);

/// What the emulator's routers know once converged.
///
/// # Errors
/// As [`Model::emulate`], or the network does not converge.
pub fn emulator_views(model: &OspfModel, seed: u64) -> Result<Vec<OspfView>, String> {
    let (mut network, nodes) = model.emulate(seed)?;
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
    let all = |network: &FrrNetwork| -> Result<Vec<_>, FrrError> {
        routers.iter().map(|router| of_frr(network, &router.name)).collect()
    };
    let begin = Instant::now();
    loop {
        let (views, _) = network.settle(FRR_QUIET, FRR_LIMIT, all)?;
        if has_all_adjacencies(model, &views) || begin.elapsed() >= FRR_LIMIT {
            return Ok(views);
        }
    }
}

/// Whether the routers' own LSAs tell an adjacency on every cable. On a busy machine FRR can be quiet because it has not come that far.
fn has_all_adjacencies(model: &OspfModel, views: &[OspfView]) -> bool {
    model.links.iter().enumerate().all(|(link, cable)| {
        (0..2).all(|end| {
            let area = Ipv4Addr::from(cable.area);
            let own = format!("{area} router {}: ", OspfModel::router_id(cable.routers[end]));
            let link = if cable.point_to_point {
                format!("\"p2p {} ", OspfModel::router_id(cable.routers[1 - end]))
            } else {
                let [a, b, c, _] = OspfModel::address(link, end).octets();
                format!("\"transit {a}.{b}.{c}.0 ")
            };
            let view = views.get(cable.routers[end]);
            view.is_some_and(|view| {
                view.lsas.iter().any(|line| line.starts_with(&own) && line.contains(&link))
            })
        })
    })
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
        let faults = FrrFaults::find(&model, &theirs);
        for (router, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let known = Known { model: &model, router, faults: &faults };
            compare_router(&known, ours, theirs, &mut comparison);
        }
        Ok(comparison)
    };
    Comparison::repeated(2, once)
}

/// What an explanation may rest on.
struct Known<'a> {
    model: &'a OspfModel,
    /// The router whose views are compared.
    router: usize,
    faults: &'a FrrFaults,
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
    let say = |key: &String, contents: &String| format!("{key}: {contents}");
    comparison.add(
        &OspfModel::name(known.router),
        (&lines(ours), &lines(theirs)),
        say,
        |key, emulator, frr| explain(known, key, emulator.map(String::as_str), frr.map(String::as_str)),
    );
}

/// Why the two differ where RFC or IOS stand against FRR.
fn explain(known: &Known<'_>, key: &str, emulator: Option<&str>, frr: Option<&str>) -> Option<&'static str> {
    let (model, router) = (known.model, known.router);
    if let Some(explanation) = known.faults.explain(key, emulator, &model.areas_of(router)) {
        return Some(explanation);
    }
    let words: Vec<&str> = key.split(' ').collect();
    if let Some(emulator) = emulator {
        return explain_boundary(model, &words, emulator, frr);
    }
    let area = |text: &str| text.parse::<Ipv4Addr>().map(u32::from).ok();
    let is_range = |text: &str| {
        let mut ranges = model.ranges.iter().map(|range| OspfModel::range_address(range.area).to_string());
        ranges.any(|range| text.split('/').next() == Some(range.as_str()))
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
        ["route", range]
            if is_range(range) && model.areas_of(router).into_iter().all(|area| closed(model, area)) =>
        {
            Some("follows from FRR's ranges in an area with no-summary")
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

    #[test]
    fn a_converged_network_has_all_adjacencies_and_one_that_lacks_a_link_has_not() {
        for seed in 0..10 {
            let model = OspfModel::random(seed);
            let mut views = emulator_views(&model, seed).unwrap();
            assert!(has_all_adjacencies(&model, &views), "network {seed}");
            let [router, _] = model.links[0].routers;
            let own = format!(" router {}: ", OspfModel::router_id(router));
            views[router].lsas.retain(|line| !line.contains(&own));
            assert!(!has_all_adjacencies(&model, &views), "network {seed}");
        }
    }
}
