//! Random networks of routing domains, joined by routers that redistribute between them.
//!
//! The domains form a tree, so that the outcome does not depend on who was first: what a route becomes at two points of mutual redistribution
//! is a matter of time, on IOS and on FRR. Neighboring domains run different protocols of OSPF, RIP and BGP; a BGP domain is a tree of routers
//! with an AS each. Every domain has a class B network of its own, so that `network` means the same everywhere.

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::model::octet;

/// What a domain runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// OSPF, area 0 alone.
    Ospf,
    /// RIP version 2.
    Rip,
    /// BGP, every router with an AS of its own.
    Bgp,
}

impl Protocol {
    const ALL: [Self; 3] = [Self::Ospf, Self::Rip, Self::Bgp];

    /// A metric that makes sense in the protocol, `size` from 1 to 4.
    const fn metric(self, size: u32) -> u32 {
        match self {
            Self::Rip => size,
            Self::Ospf | Self::Bgp => 7 * size,
        }
    }
}

/// A cable within a domain.
#[derive(Clone, Copy, Debug)]
pub struct DomainLink {
    /// The domain.
    pub domain: usize,
    /// Router numbers.
    pub routers: [usize; 2],
    /// OSPF's costs of the two ends.
    pub costs: [u16; 2],
}

/// What a router brings into a domain from another protocol.
#[derive(Clone, Debug)]
pub struct Redistributed {
    /// The router.
    pub router: usize,
    /// From which domain.
    pub from: usize,
    /// Into which domain.
    pub into: usize,
    /// `metric`; without it the default of OSPF, where both have the same.
    pub metric: Option<u32>,
    /// `default-metric` instead of `metric`.
    pub by_default_metric: bool,
    /// `metric-type 1`, into OSPF.
    pub type1: bool,
    /// This prefix does not pass.
    pub deny: Option<Ipv4Net>,
    /// What has this tag gets a metric.
    pub by_tag: Option<(u32, u32)>,
    /// What is in this prefix gets a metric.
    pub by_prefix: Option<(Ipv4Net, u32)>,
    /// `set tag`. Of BGP's routes always: IOS gives them the neighbor's AS as tag, FRR none.
    pub tag: Option<u32>,
}

/// What a router has of its own and brings into its first domain.
#[derive(Clone, Copy, Debug, Default)]
pub struct Own {
    /// Static routes to Null0: how many, with which tag, redistributed with which metric.
    pub statics: Option<(u8, u32, u32)>,
    /// The connected subnet of another loopback, redistributed with this metric.
    pub connected: Option<u32>,
}

/// A network.
#[derive(Clone, Debug)]
pub struct RedistributionModel {
    /// What each domain runs.
    pub domains: Vec<Protocol>,
    /// The domains of each router: one, or two for those that redistribute.
    pub routers: Vec<Vec<usize>>,
    /// Cables.
    pub links: Vec<DomainLink>,
    /// Redistribution between domains.
    pub redistributed: Vec<Redistributed>,
    /// What each router has of its own.
    pub own: Vec<Own>,
}

/// Tags of static routes.
const TAGS: [u32; 2] = [77, 88];

impl RedistributionModel {
    /// A random network of two or three domains; the same for the same seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let count: usize = rng.random_range(2..=3);
        let mut model = Self {
            domains: vec![Protocol::ALL[rng.random_range(0..3)]],
            routers: Vec::new(),
            links: Vec::new(),
            redistributed: Vec::new(),
            own: Vec::new(),
        };
        let mut borders = Vec::new();
        for domain in 1..count {
            let parent = rng.random_range(0..domain);
            let others: Vec<Protocol> =
                Protocol::ALL.into_iter().filter(|&protocol| protocol != model.domains[parent]).collect();
            model.domains.push(others[rng.random_range(0..others.len())]);
            borders.push([parent, domain]);
        }
        for domain in 0..count {
            for _ in 0..rng.random_range(1..=2) {
                model.routers.push(vec![domain]);
            }
        }
        model.routers.extend(borders.iter().map(|pair| pair.to_vec()));
        for domain in 0..count {
            model.join(domain, &mut rng);
        }
        model.own = (0..model.routers.len()).map(|router| model.random_own(router, &mut rng)).collect();
        let universe = model.universe();
        for (router, domains) in model.routers.clone().into_iter().enumerate() {
            let &[a, b] = domains.as_slice() else { continue };
            for (from, into) in [(a, b), (b, a)] {
                if rng.random_bool(0.9) {
                    let entry = model.random_entry(router, (from, into), &universe, &mut rng);
                    model.redistributed.push(entry);
                }
            }
        }
        model
    }

    /// Joins the routers of a domain: a random tree, and in OSPF and RIP some cables more.
    fn join(&mut self, domain: usize, rng: &mut ChaCha8Rng) {
        let members: Vec<usize> =
            (0..self.routers.len()).filter(|&router| self.routers[router].contains(&domain)).collect();
        let mut pairs: BTreeSet<[usize; 2]> =
            (1..members.len()).map(|at| [members[rng.random_range(0..at)], members[at]]).collect();
        if self.domains[domain] != Protocol::Bgp {
            for _ in 0..members.len() / 2 {
                let mut pick = || members[rng.random_range(0..members.len())];
                let (a, b) = (pick(), pick());
                if a != b {
                    pairs.insert([a.min(b), a.max(b)]);
                }
            }
        }
        let costs = |rng: &mut ChaCha8Rng| [rng.random_range(1..=3) * 5, rng.random_range(1..=3) * 5];
        self.links.extend(pairs.into_iter().map(|routers| DomainLink { domain, routers, costs: costs(rng) }));
    }

    fn random_own(&self, router: usize, rng: &mut ChaCha8Rng) -> Own {
        let protocol = self.domains[self.routers[router][0]];
        let mut metric = || protocol.metric(rng.random_range(1..=4));
        let (first, second) = (metric(), metric());
        let tag = TAGS[rng.random_range(0..TAGS.len())];
        Own {
            statics: rng.random_bool(0.5).then(|| (rng.random_range(1..=2), tag, first)),
            // A router between domains redistributes connected subnets with those domains' routes.
            connected: (self.routers[router].len() == 1 && rng.random_bool(0.4)).then_some(second),
        }
    }

    fn random_entry(
        &self,
        router: usize,
        (from, into): (usize, usize),
        universe: &[Ipv4Net],
        rng: &mut ChaCha8Rng,
    ) -> Redistributed {
        let (source, target) = (self.domains[from], self.domains[into]);
        let mut metric = || target.metric(rng.random_range(1..=4));
        let (usual, tagged, listed) = (metric(), metric(), metric());
        let mut prefix = || universe[rng.random_range(0..universe.len())];
        let (denied, in_prefix) = (prefix(), prefix());
        // IOS: 20, but 1 for BGP's routes.
        let has_default = target == Protocol::Ospf && source != Protocol::Bgp;
        let from_bgp = source == Protocol::Bgp;
        let into_bgp = target == Protocol::Bgp;
        Redistributed {
            router,
            from,
            into,
            metric: (!has_default || rng.random_bool(0.7)).then_some(usual),
            by_default_metric: target == Protocol::Rip && rng.random_bool(0.3),
            type1: target == Protocol::Ospf && rng.random_bool(0.5),
            deny: rng.random_bool(0.5).then_some(denied),
            by_tag: (!from_bgp && rng.random_bool(0.5))
                .then(|| (TAGS[rng.random_range(0..TAGS.len())], tagged)),
            by_prefix: rng.random_bool(0.4).then_some((in_prefix, listed)),
            tag: (!into_bgp && (from_bgp || rng.random_bool(0.3))).then(|| rng.random_range(100..=900)),
        }
    }

    /// Every prefix that there is.
    fn universe(&self) -> Vec<Ipv4Net> {
        let mut all: Vec<Ipv4Net> = (0..self.links.len()).map(|link| self.subnet(link)).collect();
        for router in 0..self.routers.len() {
            all.push(self.loopback(router));
            all.extend(self.statics(router).map(|(prefix, _)| prefix));
            all.extend(self.own[router].connected.map(|_| Self::other_loopback(router)));
        }
        all
    }

    /// The network of a domain, a class B one.
    #[must_use]
    pub fn network(domain: usize) -> Ipv4Addr {
        Ipv4Addr::new(172, 16 + octet(domain), 0, 0)
    }

    /// The subnet of a cable.
    fn subnet(&self, link: usize) -> Ipv4Net {
        Ipv4Net::new_assert(self.address_of(link, 0), 24).trunc()
    }

    /// The address of one end of a cable, in a /24.
    #[must_use]
    pub fn address_of(&self, link: usize, end: usize) -> Ipv4Addr {
        let [a, b, ..] = Self::network(self.links[link].domain).octets();
        Ipv4Addr::new(a, b, octet(link + 1), octet(end + 1))
    }

    /// A router's loopback, in the network of its first domain.
    #[must_use]
    pub fn loopback(&self, router: usize) -> Ipv4Net {
        let [a, b, ..] = Self::network(self.routers[router][0]).octets();
        Ipv4Net::new_assert(Ipv4Addr::new(a, b, 200 + octet(router), 1), 32)
    }

    /// The loopback that no protocol runs on.
    #[must_use]
    pub fn other_loopback(router: usize) -> Ipv4Net {
        Ipv4Net::new_assert(Ipv4Addr::new(192, 168, 100 + octet(router), 1), 32)
    }

    /// Static routes with their tag.
    pub fn statics(&self, router: usize) -> impl Iterator<Item = (Ipv4Net, u32)> {
        let (count, tag, _) = self.own[router].statics.unwrap_or_default();
        let prefix = move |n| Ipv4Addr::new(192, 168, octet(router) * 2 + n, 0);
        (0..count).map(move |n| (Ipv4Net::new_assert(prefix(n), 24), tag))
    }

    /// The router's AS in BGP.
    #[must_use]
    pub fn asn(router: usize) -> u32 {
        65_001 + u32::from(octet(router))
    }

    /// The domain of a protocol that a router belongs to.
    #[must_use]
    pub fn domain_of(&self, router: usize, protocol: Protocol) -> Option<usize> {
        self.routers[router].iter().copied().find(|&domain| self.domains[domain] == protocol)
    }
}
