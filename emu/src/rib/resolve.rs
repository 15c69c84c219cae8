//! Recursive resolution: from next hops that name only an address, through the table, to interfaces.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::{NextHop, Route, RouteKind};
use crate::ids::IfIndex;

/// How many routes may lie between a next hop and its interface.
const MAX_DEPTH: usize = 16;

/// How many paths a destination has at most, like IOS's largest `maximum-paths`.
const MAX_PATHS: usize = 32;

/// Something in which the longest match of an address can be looked up.
pub trait RouteView {
    /// The route used for `address`.
    fn longest_match(&self, address: Ipv4Addr) -> Option<&Route>;
}

/// A way out of the router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Path {
    /// The interface.
    pub interface: IfIndex,
    /// The router to send to; `None` means that the destination itself is on the link.
    pub gateway: Option<Ipv4Addr>,
    /// Share of the flows, relative to the other paths.
    pub weight: u32,
}

/// What next hops come down to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resolution {
    /// The ways out, sorted, without duplicates. Empty if packets are discarded, or if nothing leads there.
    pub paths: Vec<Path>,
    /// A route to Null0 was met.
    pub discard: bool,
    /// Metric of the route that the first address resolved by (BGP's IGP metric).
    pub metric: u32,
    /// Every address that was looked up on the way: the result stands until a route to one of these changes.
    pub consulted: Vec<Ipv4Addr>,
}

impl Resolution {
    /// Whether packets can be sent, be it to be discarded on purpose.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.discard || !self.paths.is_empty()
    }
}

/// Follows one address; `None` if it leads to no interface and to no Null0.
pub fn resolve_address(view: &impl RouteView, address: Ipv4Addr) -> Option<Resolution> {
    let resolution = resolve_next_hops(view, &[NextHop::recursive(address)]);
    resolution.is_usable().then_some(resolution)
}

/// Follows the next hops of a route down to interfaces. What cannot be resolved is left out.
///
/// A next hop that leads back to a prefix already on its own way is a loop and is left out, as is one that needs more
/// than 16 steps, and one that is an address of this router.
pub fn resolve_next_hops(view: &impl RouteView, next_hops: &[NextHop]) -> Resolution {
    let mut walk = Walk { view, trail: Vec::new(), result: Resolution::default() };
    let mut groups = Vec::with_capacity(next_hops.len());
    for hop in next_hops {
        let mut paths = Vec::new();
        walk.follow(hop, &mut paths);
        if !paths.is_empty() {
            groups.push((hop.weight, paths));
        }
    }
    let Walk { mut result, .. } = walk;
    result.paths = share(groups);
    result
}

/// Gives each path its part of the share of the next hop that it came from.
fn share(groups: Vec<(u32, Vec<Path>)>) -> Vec<Path> {
    let total = |paths: &[Path]| paths.iter().map(|p| u64::from(p.weight)).sum::<u64>().max(1);
    let common = groups.iter().map(|(_, paths)| total(paths)).fold(1, lcm);
    let mut all: Vec<(IfIndex, Option<Ipv4Addr>, u64)> = Vec::new();
    for (weight, paths) in &groups {
        let factor = u64::from(*weight).saturating_mul(common / total(paths));
        for path in paths {
            let weight = u64::from(path.weight).saturating_mul(factor);
            match all.iter_mut().find(|(i, g, _)| (*i, *g) == (path.interface, path.gateway)) {
                Some((_, _, sum)) => *sum = sum.saturating_add(weight),
                None => all.push((path.interface, path.gateway, weight)),
            }
        }
    }
    all.sort_unstable();
    all.truncate(MAX_PATHS);
    let divisor = all.iter().map(|&(_, _, weight)| weight).fold(0, gcd).max(1);
    let small = |weight: u64| u32::try_from(weight / divisor).unwrap_or(u32::MAX).max(1);
    all.into_iter()
        .map(|(interface, gateway, weight)| Path { interface, gateway, weight: small(weight) })
        .collect()
}

const fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The least common multiple, or `a` where that would be absurdly large (shares are then approximate).
fn lcm(a: u64, b: u64) -> u64 {
    (a / gcd(a, b)).checked_mul(b).filter(|&m| m < 1 << 40).unwrap_or(a)
}

/// One resolution under way.
struct Walk<'a, V> {
    view: &'a V,
    /// The prefixes of the routes between the next hop and where we are.
    trail: Vec<Ipv4Net>,
    result: Resolution,
}

impl<V: RouteView> Walk<'_, V> {
    /// Appends the ways out of one next hop.
    fn follow(&mut self, hop: &NextHop, paths: &mut Vec<Path>) {
        match (hop.interface, hop.address) {
            (Some(interface), gateway) => {
                paths.push(Path { interface, gateway, weight: hop.weight.max(1) });
            }
            (None, Some(address)) => self.follow_address(address, paths),
            (None, None) => {}
        }
    }

    fn follow_address(&mut self, address: Ipv4Addr, paths: &mut Vec<Path>) {
        if !self.result.consulted.contains(&address) {
            self.result.consulted.push(address);
        }
        let Some(route) = self.view.longest_match(address) else { return };
        if route.kind == RouteKind::Local
            || self.trail.contains(&route.prefix)
            || self.trail.len() == MAX_DEPTH
        {
            return;
        }
        if self.trail.is_empty() {
            self.result.metric = route.metric;
        }
        if route.next_hops.is_empty() {
            self.result.discard = true;
            return;
        }
        self.trail.push(route.prefix);
        for hop in route.next_hops.iter().take(MAX_PATHS) {
            if paths.len() >= MAX_PATHS {
                break;
            }
            match (hop.interface, hop.address) {
                // On the link: the address itself is whom to send to.
                (Some(interface), None) => {
                    paths.push(Path { interface, gateway: Some(address), weight: hop.weight.max(1) });
                }
                _ => self.follow(hop, paths),
            }
        }
        self.trail.pop();
    }
}
