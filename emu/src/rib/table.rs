//! One routing table: the offers for each prefix, the best first.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use prefix_trie::PrefixMap;
use serde::{Deserialize, Serialize};

use super::{Route, RouteOwner, distance, resolve::RouteView};

/// The offers for one prefix, by distance, those of equal distance in the order in which they came. Never empty.
///
/// Nearly every prefix has one offer, which is kept without an allocation of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Offers {
    One(Route),
    Many(Vec<Route>),
}

impl Offers {
    fn as_slice(&self) -> &[Route] {
        match self {
            Self::One(route) => std::slice::from_ref(route),
            Self::Many(routes) => routes,
        }
    }

    /// The offer in use: the first, unless its distance forbids it.
    fn best(&self) -> Option<&Route> {
        self.as_slice().first().filter(|route| route.distance < distance::UNUSABLE)
    }

    fn of(&self, owner: RouteOwner) -> Option<&Route> {
        self.as_slice().iter().find(|route| route.owner == owner)
    }

    /// The offers with `route` in place of its owner's previous one. A route whose distance stays the same keeps its place
    /// among equals, so that the one installed first stays in use.
    fn with(self, route: Route) -> Self {
        let mut routes = match self {
            Self::One(old) if old.owner == route.owner => return Self::One(route),
            Self::One(old) => vec![old],
            Self::Many(routes) => routes,
        };
        if let Some(at) = routes.iter().position(|old| old.owner == route.owner) {
            if let Some(slot) = routes.get_mut(at).filter(|old| old.distance == route.distance) {
                *slot = route;
                return Self::Many(routes);
            }
            routes.remove(at);
        }
        let at = routes.partition_point(|other| other.distance <= route.distance);
        routes.insert(at, route);
        Self::Many(routes)
    }

    /// The offers without the owner's; `None` if none is left.
    fn without(self, owner: RouteOwner) -> Option<Self> {
        match self {
            Self::One(route) => (route.owner != owner).then_some(Self::One(route)),
            Self::Many(mut routes) => {
                routes.retain(|route| route.owner != owner);
                match routes.len() {
                    0 => None,
                    1 => routes.pop().map(Self::One),
                    _ => Some(Self::Many(routes)),
                }
            }
        }
    }
}

/// The routing table of one VRF and address family.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteTable {
    by_prefix: PrefixMap<Ipv4Net, Offers>,
}

impl RouteTable {
    /// Whether the owner's offer equals `route` in all but its time.
    pub(super) fn holds(&self, route: &Route) -> bool {
        self.offer_of(route.owner, route.prefix).is_some_and(|old| {
            let Route { prefix: _, owner: _, kind, distance, metric, tag, next_hops, installed: _ } = old;
            *kind == route.kind
                && *distance == route.distance
                && *metric == route.metric
                && *tag == route.tag
                && *next_hops == route.next_hops
        })
    }

    /// Takes an offer; gives the best route before and after.
    pub(super) fn install(&mut self, mut route: Route) -> (Option<Route>, Option<Route>) {
        route.prefix = route.prefix.trunc();
        let prefix = route.prefix;
        let Some(offers) = self.by_prefix.get_mut(&prefix) else {
            let new = (route.distance < distance::UNUSABLE).then(|| route.clone());
            self.by_prefix.insert(prefix, Offers::One(route));
            return (None, new);
        };
        let old = offers.best().cloned();
        // The empty list stands in only while the offers are taken out to be rebuilt.
        let taken = std::mem::replace(offers, Offers::Many(Vec::new()));
        *offers = taken.with(route);
        (old, offers.best().cloned())
    }

    /// Takes back an offer; gives the best route before and after.
    pub(super) fn withdraw(&mut self, owner: RouteOwner, prefix: Ipv4Net) -> (Option<Route>, Option<Route>) {
        let Some(offers) = self.by_prefix.remove(&prefix) else { return (None, None) };
        let old = offers.best().cloned();
        let Some(rest) = offers.without(owner) else { return (old, None) };
        let new = rest.best().cloned();
        self.by_prefix.insert(prefix, rest);
        (old, new)
    }

    /// The best route to exactly this prefix.
    #[must_use]
    pub fn best(&self, prefix: Ipv4Net) -> Option<&Route> {
        self.by_prefix.get(&prefix)?.best()
    }

    /// The best route of the longest prefix that contains `address` and has a usable route.
    #[must_use]
    pub fn lookup(&self, address: Ipv4Addr) -> Option<&Route> {
        let (_, offers) = self.by_prefix.get_lpm(&Ipv4Net::from(address))?;
        offers.best().or_else(|| self.covering(address).last())
    }

    /// The best routes of all prefixes that contain `address`, the shortest first.
    pub fn covering(&self, address: Ipv4Addr) -> impl Iterator<Item = &Route> {
        self.by_prefix.cover_values(&Ipv4Net::from(address)).filter_map(Offers::best)
    }

    /// The offers of all prefixes that contain `address`, the shortest prefix first.
    pub fn covering_offers(&self, address: Ipv4Addr) -> impl Iterator<Item = &[Route]> {
        self.by_prefix.cover_values(&Ipv4Net::from(address)).map(Offers::as_slice)
    }

    /// The best routes in the order of their prefixes.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        self.by_prefix.values().filter_map(Offers::best)
    }

    /// The best routes to prefixes that lie in `prefix`, that one included, in order.
    pub fn routes_within(&self, prefix: Ipv4Net) -> impl Iterator<Item = &Route> {
        self.by_prefix.children(&prefix).filter_map(|(_, offers)| offers.best())
    }

    /// All offers for a prefix, the best first.
    #[must_use]
    pub fn offers(&self, prefix: Ipv4Net) -> &[Route] {
        self.by_prefix.get(&prefix).map_or(&[], Offers::as_slice)
    }

    /// What one owner offers, in the order of prefixes.
    pub fn offers_of(&self, owner: RouteOwner) -> impl Iterator<Item = &Route> {
        self.by_prefix.values().filter_map(move |offers| offers.of(owner))
    }

    /// One owner's offer for a prefix.
    #[must_use]
    pub fn offer_of(&self, owner: RouteOwner, prefix: Ipv4Net) -> Option<&Route> {
        self.by_prefix.get(&prefix)?.of(owner)
    }

    /// How many prefixes have an offer.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_prefix.len()
    }

    /// Whether nothing is offered.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.by_prefix.is_empty()
    }
}

impl RouteView for RouteTable {
    fn longest_match(&self, address: Ipv4Addr) -> Option<&Route> {
        self.lookup(address)
    }
}
