//! What a router knows by BGP, in one form for the emulator and for FRR.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::attributes::Origin;
use netconfarena_emu::bgp::{Instance, Path};
use serde_json::Value;

use super::frr::{Daemon, FrrError, FrrNetwork};

/// A best path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestPath {
    /// The neighbor that told it; unspecified for the router's own.
    pub from: Ipv4Addr,
    /// AS_PATH in words.
    pub as_path: String,
    /// NEXT_HOP; unspecified for the router's own.
    pub next_hop: Ipv4Addr,
    /// ORIGIN.
    pub origin: String,
    /// MED; a missing one counts as 0, and FRR's reflectors add it.
    pub med: u64,
    /// LOCAL_PREF, 100 if there is none.
    pub local_preference: u64,
    /// COMMUNITIES.
    pub communities: BTreeSet<String>,
    /// ORIGINATOR_ID.
    pub originator: Option<Ipv4Addr>,
    /// CLUSTER_LIST.
    pub clusters: Vec<Ipv4Addr>,
    /// ATOMIC_AGGREGATE.
    pub atomic: bool,
    /// Who of the routers has aggregated it.
    pub aggregator: Option<Ipv4Addr>,
}

/// The best paths of a router.
pub type BgpView = BTreeMap<Ipv4Net, BestPath>;

/// What an emulated process knows.
#[must_use]
pub fn of_emulator(instance: &Instance) -> BgpView {
    let best = instance.table.iter().filter_map(|(prefix, d)| Some((prefix, d.best_path()?)));
    best.map(|(prefix, path)| (prefix, best_path(path))).collect()
}

fn best_path(path: &Path) -> BestPath {
    let attributes = &path.attributes;
    let own = path.source.peer().is_none();
    BestPath {
        from: path.peer_address(),
        as_path: attributes.as_path.to_string(),
        next_hop: if own { Ipv4Addr::UNSPECIFIED } else { attributes.next_hop },
        origin: match attributes.origin {
            Origin::Igp => "IGP",
            Origin::Egp => "EGP",
            Origin::Incomplete => "incomplete",
        }
        .to_owned(),
        med: attributes.med.unwrap_or(0).into(),
        local_preference: attributes.local_preference.unwrap_or(100).into(),
        communities: attributes.communities.iter().map(|community| community.text(true)).collect(),
        originator: attributes.originator_id.map(|id| id.0),
        clusters: attributes.cluster_list.iter().map(|cluster| cluster.0).collect(),
        atomic: attributes.atomic_aggregate,
        aggregator: attributes.aggregator.map(|by| by.router),
    }
}

/// The destinations that an FRR router knows, with the version of its table: what changes while it has not settled.
///
/// # Errors
/// FRR does not answer, or not as version 8.4 does.
pub fn frr_state(network: &FrrNetwork, router: &str) -> Result<(u64, BTreeSet<String>), FrrError> {
    let answer = network.ask_json(router, Daemon::Bgpd, "show bgp ipv4 unicast json")?;
    let prefixes = answer["routes"].as_object().into_iter().flat_map(|routes| routes.keys().cloned());
    Ok((answer["tableVersion"].as_u64().unwrap_or_default(), prefixes.collect()))
}

/// Whether all sessions of an FRR router are up.
///
/// # Errors
/// FRR does not answer, or not as version 8.4 does.
pub fn frr_is_up(network: &FrrNetwork, router: &str) -> Result<bool, FrrError> {
    let answer = network.ask_json(router, Daemon::Bgpd, "show bgp ipv4 unicast summary json")?;
    let peers = answer["peers"].as_object().or_else(|| answer["ipv4Unicast"]["peers"].as_object());
    Ok(peers.into_iter().flatten().all(|(_, peer)| peer["state"] == "Established"))
}

/// What an FRR router knows.
///
/// # Errors
/// FRR does not answer, or not as version 8.4 does.
pub fn of_frr(network: &FrrNetwork, router: &str) -> Result<BgpView, FrrError> {
    let mut view = BgpView::new();
    for text in frr_state(network, router)?.1 {
        let Ok(prefix) = text.parse::<Ipv4Net>() else { continue };
        let answer =
            network.ask_json(router, Daemon::Bgpd, &format!("show bgp ipv4 unicast {prefix} json"))?;
        let mut paths = answer["paths"].as_array().into_iter().flatten();
        let best = paths.rfind(|path| path["bestpath"]["overall"].as_bool() == Some(true));
        view.extend(best.map(|path| (prefix, frr_path(path))));
    }
    Ok(view)
}

fn frr_path(path: &Value) -> BestPath {
    let address = |value: &Value| value.as_str().and_then(|text| text.parse::<Ipv4Addr>().ok());
    let own = path["sourced"].as_bool() == Some(true) || path["aggregated"].as_bool() == Some(true);
    let peer = address(&path["peer"]["peerId"]).unwrap_or(Ipv4Addr::UNSPECIFIED);
    let local = path["aspath"]["string"].as_str() == Some("Local");
    let next_hop = path["nexthops"].as_array().into_iter().flatten().find_map(|hop| address(&hop["ip"]));
    let list = |value: &Value| -> Vec<Ipv4Addr> {
        value.as_array().into_iter().flatten().filter_map(address).collect()
    };
    BestPath {
        from: if own { Ipv4Addr::UNSPECIFIED } else { peer },
        as_path: if local {
            String::new()
        } else {
            path["aspath"]["string"].as_str().unwrap_or("?").to_owned()
        },
        next_hop: if own { Ipv4Addr::UNSPECIFIED } else { next_hop.unwrap_or(Ipv4Addr::UNSPECIFIED) },
        origin: path["origin"].as_str().unwrap_or("?").to_owned(),
        med: path["metric"].as_u64().unwrap_or(0),
        local_preference: path["locPrf"].as_u64().unwrap_or(100),
        communities: path["community"]["string"]
            .as_str()
            .into_iter()
            .flat_map(|text| text.split(' ').map(str::to_owned))
            .collect(),
        originator: address(&path["originatorId"]),
        clusters: list(&path["clusterList"]["list"]),
        atomic: path["atomicAggregate"].as_bool() == Some(true),
        aggregator: address(&path["aggregatorId"]),
    }
}
