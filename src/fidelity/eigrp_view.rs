//! What a router has in its EIGRP topology table, in one form for the emulator and for FRR.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::eigrp::{Destination, EigrpProcess};

use super::frr::{Daemon, FrrError, FrrNetwork};

/// A path by a neighbor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EigrpPathView {
    /// The composite metric by it.
    pub distance: u64,
    /// The neighbor's own, RD.
    pub reported: u64,
}

/// A destination that is passive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EigrpRouteView {
    /// FD.
    pub feasible_distance: u64,
    /// The router's own subnet.
    pub connected: bool,
    /// The neighbors whose paths are used.
    pub successors: BTreeSet<Ipv4Addr>,
    /// The paths of neighbors that meet the feasibility condition: successors and feasible successors. What else is known depends on
    /// what neighbors with equal successors tell by which of their interfaces, in which the two differ.
    pub feasible: BTreeMap<Ipv4Addr, EigrpPathView>,
}

impl EigrpRouteView {
    fn new(feasible_distance: u64, connected: bool, paths: BTreeMap<Ipv4Addr, EigrpPathView>) -> Self {
        let feasible: BTreeMap<_, _> =
            paths.into_iter().filter(|(_, path)| path.reported < feasible_distance).collect();
        let best = |path: &EigrpPathView| !connected && path.distance == feasible_distance;
        let successors = feasible.iter().filter(|(_, path)| best(path)).map(|(&by, _)| by).collect();
        Self { feasible_distance, connected, successors, feasible }
    }
}

/// The topology table of a router.
pub type EigrpView = BTreeMap<Ipv4Net, EigrpRouteView>;

/// What an emulated instance knows. Destinations that are active are left out.
#[must_use]
pub fn of_emulator(process: &EigrpProcess) -> EigrpView {
    let passive = process.topology.iter().filter(|(_, destination)| !destination.state.is_active());
    passive.map(|(&prefix, destination)| (prefix, route(destination))).collect()
}

fn route(destination: &Destination) -> EigrpRouteView {
    let of_neighbors = destination.paths().iter().filter_map(|path| {
        let view = EigrpPathView {
            distance: path.distance.distance().0,
            reported: path.reported_distance.distance().0,
        };
        Some((path.source.neighbor()?.address, view)).filter(|_| path.distance.is_finite())
    });
    let paths = of_neighbors.collect();
    let connected = destination.successors.iter().any(|source| source.neighbor().is_none());
    EigrpRouteView::new(destination.feasible_distance().distance().0, connected, paths)
}

/// What an FRR router knows.
///
/// # Errors
/// FRR does not answer.
pub fn of_frr(network: &FrrNetwork, router: &str) -> Result<EigrpView, FrrError> {
    Ok(read(&network.ask(router, Daemon::Eigrpd, "show ip eigrp topology all-links")?))
}

/// The neighbors of an FRR router.
///
/// # Errors
/// FRR does not answer.
pub fn neighbors_of_frr(network: &FrrNetwork, router: &str) -> Result<BTreeSet<Ipv4Addr>, FrrError> {
    let text = network.ask(router, Daemon::Eigrpd, "show ip eigrp neighbors")?;
    // Handle, address, interface and more.
    let address = |line: &str| line.split_whitespace().nth(1)?.parse().ok();
    Ok(text.lines().filter_map(address).collect())
}

/// The passive destinations of `show ip eigrp topology all-links`: a line each, then a line for every path.
fn read(text: &str) -> EigrpView {
    let mut view = EigrpView::new();
    let mut current: Option<(Ipv4Net, u64, bool, BTreeMap<Ipv4Addr, EigrpPathView>)> = None;
    let mut finish = |done: Option<(Ipv4Net, u64, bool, BTreeMap<_, _>)>| {
        view.extend(
            done.map(|(prefix, fd, connected, paths)| (prefix, EigrpRouteView::new(fd, connected, paths))),
        );
    };
    for line in text.lines() {
        if let Some((prefix, fd)) = passive_head(line) {
            finish(current.replace((prefix, fd, false, BTreeMap::new())));
        } else if line.trim_start().starts_with("via Connected") {
            current.iter_mut().for_each(|(_, _, connected, _)| *connected = true);
        } else if let (Some((_, _, _, paths)), Some((by, path))) = (&mut current, path_line(line)) {
            paths.insert(by, path);
        }
    }
    finish(current);
    view
}

/// `P  10.0.1.0/30, 1 successors, FD is 30720, serno: 0`
fn passive_head(line: &str) -> Option<(Ipv4Net, u64)> {
    let mut parts = line.strip_prefix("P ")?.split(',').map(str::trim);
    let prefix = parts.next()?.parse().ok()?;
    let fd = parts.find_map(|part| part.strip_prefix("FD is "))?.parse().ok()?;
    Some((prefix, fd))
}

/// `via 10.0.0.2 (30720/28160), eth0`
fn path_line(line: &str) -> Option<(Ipv4Addr, EigrpPathView)> {
    let (by, rest) = line.trim_start().strip_prefix("via ")?.split_once(" (")?;
    let (distance, reported) = rest.split_once(')')?.0.split_once('/')?;
    let path = EigrpPathView { distance: distance.parse().ok()?, reported: reported.parse().ok()? };
    Some((by.parse().ok()?, path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_frr_is_read_path_by_path() {
        let view = read(
            "EIGRP Topology Table for AS(100)/ID(1.1.1.1)\n\nCodes: P - Passive, A - Active\n\n\
             P  10.0.0.0/30, 1 successors, FD is 28160, serno: 0 \n       via Connected, eth0\n\
             P  10.0.1.0/30, 1 successors, FD is 30720, serno: 0 \n       \
             via 10.0.0.2 (30720/28160), eth0\n       via 10.0.3.1 (33280/30719), eth1\n       \
             via 10.0.4.1 (33281/30720), eth2\n",
        );
        assert!(view[&"10.0.0.0/30".parse().unwrap()].connected);
        let route = &view[&"10.0.1.0/30".parse().unwrap()];
        assert_eq!((route.feasible_distance, route.connected), (30720, false));
        assert_eq!(route.successors, BTreeSet::from(["10.0.0.2".parse().unwrap()]));
        let feasible: Vec<_> =
            route.feasible.iter().map(|(by, path)| (by.to_string(), path.reported)).collect();
        assert_eq!(feasible, [("10.0.0.2".to_owned(), 28160), ("10.0.3.1".to_owned(), 30719)]);
    }
}
