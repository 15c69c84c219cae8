//! The same random RIP network in the emulator and in FRR: what each router has learned in the end, held side by side.

use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::rib::RouteOwner;

use super::comparison::Comparison;
use super::frr::{FrrError, FrrNetwork};
use super::model::Model;
use super::rip_model::RipModel;
use super::rip_view::{RipRouteView, RipView, of_emulator, of_frr};

/// How long FRR gets to settle, and how long it must have been quiet: two of its regular updates.
const FRR_LIMIT: Duration = Duration::from_secs(90);
const FRR_QUIET: Duration = Duration::from_secs(12);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1800);

/// What the emulator's routers have learned once converged.
///
/// # Errors
/// As [`Model::emulate`], or the network does not converge.
pub fn emulator_views(model: &RipModel, seed: u64) -> Result<Vec<RipView>, String> {
    let (mut network, nodes) = model.emulate(seed)?;
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
        for (router, views) in ours.iter().zip(&theirs).enumerate() {
            let say = |prefix: &Ipv4Net, route: &RipRouteView| format!("{prefix}: {route:?}");
            comparison.add(&RipModel::name(router), views, say, |_, _, _| None);
        }
        Ok(comparison)
    };
    Comparison::repeated(1, once)
}
