//! What a router has learned by RIP, in one form for the emulator and for FRR.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::rip::RipProcess;
use netconfarena_emu::rip::table::RouteState;

use super::frr::{Daemon, FrrError, FrrNetwork};

/// A learned route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RipRouteView {
    /// Hops as FRR counts them: with the one to the neighbour.
    pub metric: u32,
    /// Its tag.
    pub tag: u32,
    /// Next hops.
    pub next_hops: BTreeSet<Ipv4Addr>,
}

/// The learned routes of a router.
pub type RipView = BTreeMap<Ipv4Net, RipRouteView>;

/// The metric of what cannot be reached.
const INFINITY: u32 = 16;

/// What an emulated process has learned. IOS counts hops without the one to the neighbour.
#[must_use]
pub fn of_emulator(process: &RipProcess) -> RipView {
    let learned = process.routes().filter_map(|(prefix, route)| match &route.state {
        RouteState::Learned { paths } => Some((prefix, paths, route.metric())),
        _ => None,
    });
    let view = learned.map(|(prefix, paths, metric)| {
        let tag = paths.first().map_or(0, |path| path.tag.into());
        let next_hops = paths.iter().map(|path| path.next_hop).collect();
        (prefix, RipRouteView { metric: u32::from(metric) + 1, tag, next_hops })
    });
    view.collect()
}

/// What an FRR router has learned.
///
/// # Errors
/// FRR does not answer.
pub fn of_frr(network: &FrrNetwork, router: &str) -> Result<RipView, FrrError> {
    Ok(read(&network.ask(router, Daemon::Ripd, "show ip rip")?))
}

/// The learned routes of `show ip rip`: code, prefix, next hop, metric, from whom, tag, time, a line for each way.
fn read(text: &str) -> RipView {
    let mut view = RipView::new();
    for line in text.lines().filter(|line| line.starts_with("R(n)")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let &[_, prefix, next_hop, metric, _, tag, ..] = words.as_slice() else { continue };
        let (Ok(prefix), Ok(next_hop), Ok(metric), Ok(tag)) =
            (prefix.parse::<Ipv4Net>(), next_hop.parse(), metric.parse(), tag.parse())
        else {
            continue;
        };
        if metric >= INFINITY {
            continue;
        }
        let route = view.entry(prefix).or_insert(RipRouteView { metric, tag, next_hops: BTreeSet::new() });
        route.next_hops.insert(next_hop);
    }
    view
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_frr_is_read_way_by_way() {
        let view = read(
            "Codes: R - RIP, C - connected, S - Static, O - OSPF, B - BGP\n\n     \
             Network            Next Hop         Metric From            Tag Time\n\
             C(i) 10.0.0.0/24        0.0.0.0               1 self              0\n\
             R(n) 10.0.1.0/24        10.0.0.2              2 10.0.0.2          7 02:59\n\
             R(n) 10.0.1.0/24        10.0.3.2              2 10.0.3.2          7 02:50\n\
             R(n) 10.0.9.0/24        10.0.0.2             16 10.0.0.2          0 01:10\n",
        );
        assert_eq!(view.len(), 1);
        let route = &view[&"10.0.1.0/24".parse().unwrap()];
        assert_eq!((route.metric, route.tag, route.next_hops.len()), (2, 7, 2));
    }
}
