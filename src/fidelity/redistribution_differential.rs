//! The same random network of domains in the emulator and in FRR: what each protocol knows, and which routes are used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use ipnet::Ipv4Net;
use netconfarena_emu::ids::{NodeIndex, VrfId};
use netconfarena_emu::network::Network;
use netconfarena_emu::rib::{RouteOwner, TableId};

use super::bgp_view::{self, BgpView, frr_is_up, frr_state};
use super::comparison::Comparison;
use super::frr::{Daemon, FrrError, FrrNetwork};
use super::model::Model;
use super::ospf_view::{self, OspfView};
use super::redistribution_model::{Protocol, RedistributionModel};
use super::rip_view::{self, RipView};

/// How long FRR gets to settle, and how long it must have been quiet: two of RIP's regular updates.
const FRR_LIMIT: Duration = Duration::from_secs(120);
const FRR_QUIET: Duration = Duration::from_secs(12);

/// The emulator's cap on convergence.
const CAP: Duration = Duration::from_secs(1800);

/// A route in use: whose it is, and by which routers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsedRoute {
    /// `ospf`, `rip`, `bgp` or `static`.
    pub protocol: String,
    /// Next hops.
    pub next_hops: BTreeSet<Ipv4Addr>,
}

/// What a router knows by each protocol, and what it uses.
#[derive(Clone, Debug, Default)]
pub struct RedistributionView {
    /// OSPF.
    pub ospf: OspfView,
    /// RIP.
    pub rip: RipView,
    /// BGP.
    pub bgp: BgpView,
    /// The routing table without connected subnets.
    pub used: BTreeMap<Ipv4Net, UsedRoute>,
}

/// What the emulator's routers know once converged.
///
/// # Errors
/// As [`Model::emulate`], or the network does not converge.
pub fn emulator_views(model: &RedistributionModel, seed: u64) -> Result<Vec<RedistributionView>, String> {
    let (mut network, nodes) = model.emulate(seed)?;
    // BGP's first attempts to connect take their time.
    network.run_for(Duration::from_secs(180));
    if !network.run_until_converged(CAP).converged {
        return Err("the emulator has not converged".to_owned());
    }
    Ok(nodes.iter().map(|&node| of_emulator(&network, node)).collect())
}

fn of_emulator(network: &Network, node: NodeIndex) -> RedistributionView {
    let router = network.router(node);
    let ospf = router.ospf(1).map(|process| ospf_view::of_emulator(process, network.now()));
    let rip = router.process(RouteOwner::Rip).and_then(|process| process.as_rip());
    let bgp = router.bgp().and_then(|process| process.instance(VrfId::GLOBAL));
    let used = router.rib().routes(TableId::default()).filter_map(|route| {
        let protocol = match route.owner {
            RouteOwner::Ospf(_) => "ospf",
            RouteOwner::Rip => "rip",
            RouteOwner::Bgp(_) => "bgp",
            RouteOwner::Static => "static",
            RouteOwner::Connected | RouteOwner::Eigrp(_) => return None,
        };
        let next_hops = route.next_hops.iter().filter_map(|hop| hop.address).collect();
        Some((route.prefix, UsedRoute { protocol: protocol.to_owned(), next_hops }))
    });
    RedistributionView {
        ospf: ospf.unwrap_or_default(),
        rip: rip.map(rip_view::of_emulator).unwrap_or_default(),
        bgp: bgp.map(bgp_view::of_emulator).unwrap_or_default(),
        used: used.collect(),
    }
}

/// What an FRR router knows, without BGP's paths.
fn of_frr(
    network: &FrrNetwork,
    model: &RedistributionModel,
    router: usize,
) -> Result<RedistributionView, FrrError> {
    let (name, runs) =
        (RedistributionModel::name(router), |protocol| model.domain_of(router, protocol).is_some());
    let mut view = RedistributionView { used: used_by_frr(network, &name)?, ..RedistributionView::default() };
    if runs(Protocol::Ospf) {
        view.ospf = ospf_view::of_frr(network, &name)?;
    }
    if runs(Protocol::Rip) {
        view.rip = rip_view::of_frr(network, &name)?;
    }
    Ok(view)
}

fn used_by_frr(network: &FrrNetwork, router: &str) -> Result<BTreeMap<Ipv4Net, UsedRoute>, FrrError> {
    let answer = network.ask_json(router, Daemon::Zebra, "show ip route json")?;
    let mut used = BTreeMap::new();
    for (prefix, routes) in answer.as_object().into_iter().flatten() {
        let mut routes = routes.as_array().into_iter().flatten();
        let Some(route) = routes.find(|route| route["selected"].as_bool() == Some(true)) else { continue };
        let (Ok(prefix), Some(protocol)) = (prefix.parse::<Ipv4Net>(), route["protocol"].as_str()) else {
            continue;
        };
        if protocol == "connected" {
            continue;
        }
        let hops = route["nexthops"].as_array().into_iter().flatten();
        let next_hops = hops.filter_map(|hop| hop["ip"].as_str()?.parse().ok()).collect();
        used.insert(prefix, UsedRoute { protocol: protocol.to_owned(), next_hops });
    }
    Ok(used)
}

/// What FRR's routers know once quiet.
///
/// # Errors
/// FRR cannot be run or asked.
pub fn frr_views(model: &RedistributionModel) -> Result<Vec<RedistributionView>, FrrError> {
    let (routers, cables) = model.frr();
    let network = FrrNetwork::build(&routers, &cables)?;
    network.start()?;
    // The state is quiet before the first adjacency, too.
    std::thread::sleep(Duration::from_secs(12));
    let count = model.router_count();
    let runs_bgp = |router: usize| model.domain_of(router, Protocol::Bgp).is_some();
    let state = |network: &FrrNetwork| -> Result<Vec<_>, FrrError> {
        let one = |router: usize| -> Result<_, FrrError> {
            let view = of_frr(network, model, router)?;
            let bgp = runs_bgp(router)
                .then(|| frr_state(network, &RedistributionModel::name(router)))
                .transpose()?;
            Ok((view.ospf, view.rip, view.used, bgp))
        };
        (0..count).map(one).collect()
    };
    let begin = Instant::now();
    loop {
        network.settle(FRR_QUIET, FRR_LIMIT, state)?;
        let mut sessions = (0..count).filter(|&router| runs_bgp(router));
        let up = sessions.try_fold(true, |up, router| -> Result<bool, FrrError> {
            Ok(up && frr_is_up(&network, &RedistributionModel::name(router))?)
        })?;
        if up || begin.elapsed() >= FRR_LIMIT {
            break;
        }
    }
    let last = |router: usize| -> Result<RedistributionView, FrrError> {
        let mut view = of_frr(&network, model, router)?;
        if runs_bgp(router) {
            view.bgp = bgp_view::of_frr(&network, &RedistributionModel::name(router))?;
        }
        Ok(view)
    };
    (0..count).map(last).collect()
}

/// Runs a network in both and compares. Where they disagree FRR is run up to twice again, and only what it says each time counts.
///
/// # Errors
/// One of the two cannot run it.
pub fn compare(seed: u64) -> Result<Comparison, String> {
    let model = RedistributionModel::random(seed);
    let ours = emulator_views(&model, seed)?;
    let once = || -> Result<Comparison, String> {
        let theirs = frr_views(&model).map_err(|error| error.to_string())?;
        let mut comparison = Comparison::default();
        for (router, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
            let name = RedistributionModel::name(router);
            add(&mut comparison, &name, "ospf", (&ours.ospf.routes, &theirs.ospf.routes));
            let lsas =
                |view: &RedistributionView| view.ospf.lsas.iter().map(|lsa| (lsa.clone(), ())).collect();
            add(&mut comparison, &name, "lsa", (&lsas(ours), &lsas(theirs)));
            add(&mut comparison, &name, "rip", (&ours.rip, &theirs.rip));
            add(&mut comparison, &name, "bgp", (&ours.bgp, &theirs.bgp));
            add(&mut comparison, &name, "table", (&ours.used, &theirs.used));
        }
        Ok(comparison)
    };
    Comparison::repeated(2, once)
}

fn add<K: Ord + Debug, V: PartialEq + Debug>(
    comparison: &mut Comparison,
    router: &str,
    of: &str,
    sides: (&BTreeMap<K, V>, &BTreeMap<K, V>),
) {
    comparison.add(router, sides, |key, value| format!("{of} {key:?}: {value:?}"), |_, _, _| None);
}
