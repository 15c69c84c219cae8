//! The same random network of ASes in the emulator and in FRR: the best paths of every router, held side by side.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use ipnet::Ipv4Net;
use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::{NodeIndex, VrfId};
use netconfarena_emu::network::{LinkProperties, Network};

use super::bgp_model::BgpModel;
use super::bgp_view::{BestPath, BgpView, frr_is_up, frr_state, of_emulator, of_frr};
use super::frr::{FrrError, FrrNetwork};
use super::ospf_differential::{Comparison, Difference};

/// How long FRR gets to settle, and how long it must have been quiet.
const FRR_LIMIT: Duration = Duration::from_secs(120);
const FRR_QUIET: Duration = Duration::from_secs(10);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1800);

/// The network in the emulator, not yet run.
///
/// # Errors
/// A line of the rendering that the dialect refuses.
pub fn emulate(model: &BgpModel, seed: u64) -> Result<(Network, Vec<NodeIndex>), String> {
    let mut network = Network::new(seed);
    let nodes: Vec<NodeIndex> = (0..model.routers())
        .map(|router| {
            let ports: Vec<_> = model.ios_ports(router).collect();
            network.add_router(&BgpModel::name(router), &ports)
        })
        .collect();
    for (link, cable) in model.links.iter().enumerate() {
        let port = BgpModel::ios_interface(link);
        let ends = cable.routers.map(|router| (nodes[router], port));
        network.add_link(LinkProperties::ethernet(), &ends).map_err(|error| error.to_string())?;
    }
    for (router, &node) in nodes.iter().enumerate() {
        let mut config = RouterConfig::clone(network.router(node).config());
        let report = load(&mut config, &model.ios_config(router));
        if let Some(refused) = report.refused.first() {
            return Err(format!("{}: {refused}", BgpModel::name(router)));
        }
        network.configure(node, config);
    }
    Ok((network, nodes))
}

/// What the emulator's routers know once converged.
///
/// # Errors
/// As [`emulate`], or the network does not converge.
pub fn emulator_views(model: &BgpModel, seed: u64) -> Result<Vec<BgpView>, String> {
    let (mut network, nodes) = emulate(model, seed)?;
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
        let explained = worse_aggregate(&model, &ours, &theirs);
        for (router, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            compare_router(router, ours, theirs, explained, &mut comparison);
        }
        Ok(comparison)
    };
    let mut comparison = once()?;
    if comparison.unexplained().next().is_some() {
        let again = once()?;
        comparison.differences.retain(|difference| again.differences.contains(difference));
        comparison.repeated = true;
    }
    Ok(comparison)
}

/// The aggregate, if FRR's maker tells it with a worse origin than the emulator's. FRR takes the worst of its parts; IOS does so with `as-set`
/// alone, and tells any other aggregate with origin IGP.
fn worse_aggregate(model: &BgpModel, ours: &[BgpView], theirs: &[BgpView]) -> Option<Ipv4Net> {
    let (aggregator, _) = model.aggregate?;
    let origin = |views: &[BgpView]| Some(views.get(aggregator)?.get(&BgpModel::AGGREGATE)?.origin.clone());
    (origin(ours)? == "IGP" && origin(theirs)? != "IGP").then_some(BgpModel::AGGREGATE)
}

fn compare_router(
    router: usize,
    ours: &BgpView,
    theirs: &BgpView,
    worse_aggregate: Option<Ipv4Net>,
    comparison: &mut Comparison,
) {
    let prefixes: BTreeSet<&Ipv4Net> = ours.keys().chain(theirs.keys()).collect();
    comparison.compared += prefixes.len();
    for prefix in prefixes {
        let (emulator, frr) = (ours.get(prefix), theirs.get(prefix));
        if emulator != frr {
            let say = |path: &BestPath| format!("{prefix}: {path:?}");
            comparison.differences.push(Difference {
                router: BgpModel::name(router),
                emulator: emulator.map(say),
                frr: frr.map(say),
                explanation: (Some(*prefix) == worse_aggregate).then_some(
                    "FRR's aggregate has the worst origin of its parts; that of IOS has origin IGP unless `as-set` is given",
                ),
            });
        }
    }
}
