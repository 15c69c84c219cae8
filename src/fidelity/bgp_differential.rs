//! The same random network of ASes in the emulator and in FRR: the best paths of every router, held side by side.

use std::time::{Duration, Instant};

use ipnet::Ipv4Net;
use netconfarena_emu::ids::{NodeIndex, VrfId};

use super::bgp_model::BgpModel;
use super::bgp_view::{BestPath, BgpView, frr_is_up, frr_state, of_emulator, of_frr};
use super::comparison::Comparison;
use super::frr::{FrrError, FrrNetwork};
use super::model::Model;

/// How long FRR gets to settle, and how long it must have been quiet.
const FRR_LIMIT: Duration = Duration::from_secs(120);
const FRR_QUIET: Duration = Duration::from_secs(10);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1800);

/// What the emulator's routers know once converged.
///
/// # Errors
/// As [`Model::emulate`], or the network does not converge.
pub fn emulator_views(model: &BgpModel, seed: u64) -> Result<Vec<BgpView>, String> {
    let (mut network, nodes) = model.emulate(seed)?;
    // Sessions between loopbacks wait for OSPF.
    network.run_for(Duration::from_secs(180));
    if !network.run_until_converged(CAP).converged {
        return Err("the emulator has not converged".to_owned());
    }
    let view = |&node: &NodeIndex| {
        let instance = network.router(node).bgp().and_then(|process| process.instance(VrfId::GLOBAL));
        instance.map(of_emulator).ok_or_else(|| "no BGP process".to_owned())
    };
    nodes.iter().map(view).collect()
}

/// What FRR's routers know once quiet.
///
/// # Errors
/// FRR cannot be run or asked.
pub fn frr_views(model: &BgpModel) -> Result<Vec<BgpView>, FrrError> {
    let (routers, cables) = model.frr();
    let network = FrrNetwork::build(&routers, &cables)?;
    network.start()?;
    // The state is quiet before the first session, too.
    std::thread::sleep(Duration::from_secs(12));
    let all = |network: &FrrNetwork| -> Result<Vec<_>, FrrError> {
        routers.iter().map(|router| frr_state(network, &router.name)).collect()
    };
    let begin = Instant::now();
    loop {
        network.settle(FRR_QUIET, FRR_LIMIT, all)?;
        // On a busy machine FRR can be quiet because it has not come that far.
        let up = routers.iter().map(|router| frr_is_up(&network, &router.name));
        if up.collect::<Result<Vec<_>, _>>()?.into_iter().all(|up| up) || begin.elapsed() >= FRR_LIMIT {
            break;
        }
    }
    routers.iter().map(|router| of_frr(&network, &router.name)).collect()
}

/// Runs a network in both and compares. Where they disagree FRR is run once more, and only what it says each time counts.
///
/// # Errors
/// One of the two cannot run it.
pub fn compare(seed: u64) -> Result<Comparison, String> {
    let model = BgpModel::random(seed);
    let ours = emulator_views(&model, seed)?;
    let once = || -> Result<Comparison, String> {
        let theirs = frr_views(&model).map_err(|error| error.to_string())?;
        let mut comparison = Comparison::default();
        let worse = worse_aggregate(&model, &ours, &theirs);
        let explain = |prefix: &Ipv4Net, _: Option<&BestPath>, _: Option<&BestPath>| {
            (Some(*prefix) == worse).then_some(
                "FRR's aggregate has the worst origin of its parts; that of IOS has origin IGP unless `as-set` is given",
            )
        };
        for (router, views) in ours.iter().zip(&theirs).enumerate() {
            let say = |prefix: &Ipv4Net, path: &BestPath| format!("{prefix}: {path:?}");
            comparison.add(&BgpModel::name(router), views, say, explain);
        }
        Ok(comparison)
    };
    Comparison::repeated(1, once)
}

/// The aggregate, if FRR's maker tells it with a worse origin than the emulator's. FRR takes the worst of its parts; IOS does so with `as-set`
/// alone, and tells any other aggregate with origin IGP.
fn worse_aggregate(model: &BgpModel, ours: &[BgpView], theirs: &[BgpView]) -> Option<Ipv4Net> {
    let (aggregator, _) = model.aggregate?;
    let origin = |views: &[BgpView]| Some(views.get(aggregator)?.get(&BgpModel::AGGREGATE)?.origin.clone());
    (origin(ours)? == "IGP" && origin(theirs)? != "IGP").then_some(BgpModel::AGGREGATE)
}
