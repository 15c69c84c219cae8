//! The same random RIP network in the emulator and in FRR: what each router has learned in the end, held side by side.

use std::collections::BTreeSet;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::rib::RouteOwner;

use super::frr::{FrrError, FrrNetwork};
use super::ospf_differential::{Comparison, Difference};
use super::rip_model::RipModel;
use super::rip_view::{RipView, of_emulator, of_frr};

/// How long FRR gets to settle, and how long it must have been quiet: two of its regular updates.
const FRR_LIMIT: Duration = Duration::from_secs(90);
const FRR_QUIET: Duration = Duration::from_secs(12);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1800);

/// The network in the emulator, not yet run.
///
/// # Errors
/// A line of the rendering that the dialect refuses.
pub fn emulate(model: &RipModel, seed: u64) -> Result<(Network, Vec<NodeIndex>), String> {
    let mut network = Network::new(seed);
    let nodes: Vec<NodeIndex> = (0..model.routers)
        .map(|router| {
            let ports: Vec<_> = model.ends(router).map(|(link, _)| RipModel::ios_interface(link)).collect();
            network.add_router(&RipModel::name(router), &ports)
        })
        .collect();
    for (link, routers) in model.links.iter().enumerate() {
        let ends = routers.map(|router| (nodes[router], RipModel::ios_interface(link)));
        network.add_link(LinkProperties::ethernet(), &ends).map_err(|error| error.to_string())?;
    }
    for (router, &node) in nodes.iter().enumerate() {
        let mut config = RouterConfig::clone(network.router(node).config());
        if let Some(refused) = load(&mut config, &model.ios_config(router)).refused.first() {
            return Err(format!("{}: {refused}", RipModel::name(router)));
        }
        network.configure(node, config);
    }
    Ok((network, nodes))
}

/// What the emulator's routers have learned once converged.
///
/// # Errors
/// As [`emulate`], or the network does not converge.
pub fn emulator_views(model: &RipModel, seed: u64) -> Result<Vec<RipView>, String> {
    let (mut network, nodes) = emulate(model, seed)?;
    if !network.run_until_converged(CAP).converged {
        return Err("the emulator has not converged".to_owned());
    }
    let view = |&node: &NodeIndex| {
        let process = network.router(node).process(RouteOwner::Rip).and_then(|process| process.as_rip());
        process.map(of_emulator).ok_or_else(|| "no RIP process".to_owned())
    };
    nodes.iter().map(view).collect()
}

/// What FRR's routers have learned once quiet.
///
/// # Errors
/// FRR cannot be run or asked.
pub fn frr_views(model: &RipModel) -> Result<Vec<RipView>, FrrError> {
    let (routers, cables) = model.frr();
    let network = FrrNetwork::build(&routers, &cables)?;
    network.start()?;
    let all = |network: &FrrNetwork| routers.iter().map(|router| of_frr(network, &router.name)).collect();
    let (views, _) = network.settle(FRR_QUIET, FRR_LIMIT, all)?;
    Ok(views)
}

/// Runs a network in both and compares. Where they disagree FRR is run once again, and only what it says each time counts.
///
/// # Errors
/// One of the two cannot run it.
pub fn compare(seed: u64) -> Result<Comparison, String> {
    let model = RipModel::random(seed);
    let ours = emulator_views(&model, seed)?;
    let once = || -> Result<Comparison, String> {
        let theirs = frr_views(&model).map_err(|error| error.to_string())?;
        let mut comparison = Comparison::default();
        for (router, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            compare_router(router, ours, theirs, &mut comparison);
        }
        Ok(comparison)
    };
    let mut comparison = once()?;
    if !comparison.differences.is_empty() {
        let again = once()?;
        comparison.differences.retain(|difference| again.differences.contains(difference));
        comparison.repeated = true;
    }
    Ok(comparison)
}

fn compare_router(router: usize, ours: &RipView, theirs: &RipView, comparison: &mut Comparison) {
    let prefixes: BTreeSet<&Ipv4Net> = ours.keys().chain(theirs.keys()).collect();
    comparison.compared += prefixes.len();
    for prefix in prefixes {
        let (emulator, frr) = (ours.get(prefix), theirs.get(prefix));
        if emulator != frr {
            let say = |route| format!("{prefix}: {route:?}");
            comparison.differences.push(Difference {
                router: RipModel::name(router),
                emulator: emulator.map(say),
                frr: frr.map(say),
                explanation: None,
            });
        }
    }
}
