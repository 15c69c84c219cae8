//! Random OSPF networks as one model with two renderings: IOS lines for the emulator, frr.conf for FRR.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::model::{Model, octet};

/// What kind of area it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AreaModel {
    /// Externals pass.
    Normal,
    /// `stub [no-summary]`.
    Stub {
        /// Totally stubby.
        no_summary: bool,
    },
    /// `nssa [no-summary]`.
    Nssa {
        /// Totally not-so-stubby.
        no_summary: bool,
    },
}

/// A cable between two routers.
#[derive(Clone, Debug)]
pub struct LinkModel {
    /// Router numbers.
    pub routers: [usize; 2],
    /// OSPF costs of the two ends.
    pub costs: [u16; 2],
    /// Area number.
    pub area: u32,
    /// `ip ospf network point-to-point`; else broadcast.
    pub point_to_point: bool,
}

/// A prefix that a router brings in from outside OSPF: a static route to Null0, redistributed.
#[derive(Clone, Copy, Debug)]
pub struct ExternalModel {
    /// The router.
    pub router: usize,
    /// Type 1 instead of type 2.
    pub type1: bool,
    /// Metric.
    pub metric: u32,
    /// How many prefixes.
    pub prefixes: u8,
}

/// `area N range`, on every border router of the area.
#[derive(Clone, Copy, Debug)]
pub struct RangeModel {
    /// The area whose loopbacks are summarised.
    pub area: u32,
    /// `not-advertise`.
    pub not_advertise: bool,
}

/// A network: a backbone, and areas that touch it by one or two border routers.
#[derive(Clone, Debug)]
pub struct OspfModel {
    /// How many routers.
    pub routers: usize,
    /// Cables.
    pub links: Vec<LinkModel>,
    /// Kinds of the areas 1, 2, ...
    pub areas: Vec<AreaModel>,
    /// The area of each router's loopback.
    pub loopback_areas: Vec<u32>,
    /// Redistribution.
    pub externals: Vec<ExternalModel>,
    /// Ranges.
    pub ranges: Vec<RangeModel>,
    /// FRR's hello and dead intervals in seconds, where they are not to be waited for; the result does not depend on them.
    pub frr_intervals: Option<(u16, u16)>,
}

impl OspfModel {
    /// A random network of 5 to 12 routers; the same for the same seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let routers = rng.random_range(5..=12);
        let backbone = rng.random_range(2..=routers.min(5));
        let area_count = rng.random_range(0..=3.min(routers - backbone));
        let mut model = Self {
            routers,
            links: Vec::new(),
            areas: (0..area_count).map(|_| Self::random_area(&mut rng)).collect(),
            loopback_areas: vec![0; routers],
            externals: Vec::new(),
            ranges: Vec::new(),
            frr_intervals: Some((1, 6)),
        };
        model.join((0..backbone).collect(), 0, &mut rng);
        let mut rest: Vec<usize> = (backbone..routers).collect();
        if area_count == 0 {
            model.join((0..routers).collect(), 0, &mut rng);
        }
        for area in 1..=area_count {
            let share =
                if area == area_count { rest.len() } else { rest.len().div_ceil(area_count - area + 1) };
            let members: Vec<usize> = rest.drain(..share).collect();
            let number = u32::try_from(area).unwrap_or(1);
            for &member in &members {
                model.loopback_areas[member] = number;
            }
            let mut domain = vec![rng.random_range(0..backbone)];
            if rng.random_bool(0.5) {
                domain.push((domain[0] + 1) % backbone);
            }
            domain.extend(members);
            model.join(domain, number, &mut rng);
            if rng.random_bool(0.4) {
                model.ranges.push(RangeModel { area: number, not_advertise: rng.random_bool(0.25) });
            }
        }
        model.add_externals(&mut rng);
        model
    }

    /// Routers of one area with these cables, all of cost 10, with the default intervals.
    #[must_use]
    pub fn plain(routers: usize, cables: &[[usize; 2]], point_to_point: bool) -> Self {
        let link = |&routers: &[usize; 2]| LinkModel { routers, costs: [10, 10], area: 0, point_to_point };
        Self {
            routers,
            links: cables.iter().map(link).collect(),
            areas: Vec::new(),
            loopback_areas: vec![0; routers],
            externals: Vec::new(),
            ranges: Vec::new(),
            frr_intervals: None,
        }
    }

    fn random_area(rng: &mut ChaCha8Rng) -> AreaModel {
        match rng.random_range(0..5) {
            0 | 1 => AreaModel::Normal,
            2 => AreaModel::Stub { no_summary: false },
            3 => AreaModel::Stub { no_summary: true },
            _ => AreaModel::Nssa { no_summary: rng.random_bool(0.5) },
        }
    }

    /// Joins routers in an area: a random tree, and some cables more.
    fn join(&mut self, members: Vec<usize>, area: u32, rng: &mut ChaCha8Rng) {
        let mut joined: BTreeSet<(usize, usize)> =
            self.links.iter().map(|l| (l.routers[0], l.routers[1])).collect();
        let mut pairs = Vec::new();
        for (position, &router) in members.iter().enumerate().skip(1) {
            pairs.push((members[rng.random_range(0..position)], router));
        }
        for _ in 0..members.len() / 2 {
            let (a, b) =
                (members[rng.random_range(0..members.len())], members[rng.random_range(0..members.len())]);
            pairs.push((a.min(b), a.max(b)));
        }
        for (a, b) in pairs {
            if a != b && joined.insert((a, b)) {
                // Few distinct costs, so that equal-cost paths happen.
                let costs = [rng.random_range(1..=4) * 5, rng.random_range(1..=4) * 5];
                self.links.push(LinkModel {
                    routers: [a, b],
                    costs,
                    area,
                    point_to_point: rng.random_bool(0.6),
                });
            }
        }
    }

    fn add_externals(&mut self, rng: &mut ChaCha8Rng) {
        for router in 0..self.routers {
            let stub =
                self.areas_of(router).into_iter().any(|a| matches!(self.area(a), AreaModel::Stub { .. }));
            // The forwarding address of a type 7 LSA is one of several interfaces' by the implementation's choice.
            let one_way = !self.in_nssa(router) || self.ends(router).len() == 1;
            if !stub && one_way && rng.random_bool(0.3) {
                let mut external = ExternalModel {
                    router,
                    type1: rng.random_bool(0.5),
                    metric: rng.random_range(1..=3) * 10,
                    prefixes: rng.random_range(1..=3),
                };
                if self.in_nssa(router) {
                    // FRR gives what it translates its default metric and type, where RFC 3101 section 3.2 (and IOS) copies them.
                    external.type1 = false;
                    external.metric = 20;
                }
                self.externals.push(external);
            }
        }
    }

    /// The kind of an area.
    #[must_use]
    pub fn area(&self, number: u32) -> AreaModel {
        let index = (number as usize).checked_sub(1);
        index.and_then(|i| self.areas.get(i)).copied().unwrap_or(AreaModel::Normal)
    }

    /// The areas that a router is attached to.
    #[must_use]
    pub fn areas_of(&self, router: usize) -> BTreeSet<u32> {
        let links = self.links.iter().filter(|l| l.routers.contains(&router)).map(|l| l.area);
        links.chain([self.loopback_areas[router]]).collect()
    }

    /// Whether a router belongs to an NSSA alone.
    #[must_use]
    pub fn in_nssa(&self, router: usize) -> bool {
        self.areas_of(router).into_iter().all(|area| matches!(self.area(area), AreaModel::Nssa { .. }))
    }

    /// Whether the loopback of a router runs OSPF. Not that of a boundary router in an NSSA: IOS would tell its address as forwarding address,
    /// FRR another, and RFC 3101 leaves the choice.
    #[must_use]
    pub fn has_ospf_loopback(&self, router: usize) -> bool {
        !(self.in_nssa(router) && self.externals.iter().any(|external| external.router == router))
    }

    /// The router id.
    #[must_use]
    pub fn router_id(router: usize) -> Ipv4Addr {
        Ipv4Addr::new(192, 168, 255, octet(router + 1))
    }

    /// The loopback's address: of the area's own range.
    #[must_use]
    pub fn loopback(&self, router: usize) -> Ipv4Addr {
        Ipv4Addr::new(10, 200 + octet(self.loopback_areas[router] as usize), octet(router + 1), 1)
    }

    /// The length of an area's range of loopbacks.
    pub const RANGE_LENGTH: u8 = 16;

    /// The address of an area's range of loopbacks.
    #[must_use]
    pub fn range_address(area: u32) -> Ipv4Addr {
        Ipv4Addr::new(10, 200 + octet(area as usize), 0, 0)
    }

    /// The external prefixes of an entry, each a /24.
    pub fn external_prefixes(external: &ExternalModel) -> impl Iterator<Item = Ipv4Addr> + use<> {
        let second = 100 + octet(external.router);
        (0..external.prefixes).map(move |n| Ipv4Addr::new(172, second, n, 0))
    }

    /// The area lines, which differ only in how a prefix is written.
    fn area_lines(
        &self,
        router: usize,
        text: &mut String,
        head: &str,
        range: impl Fn(Ipv4Addr, &mut String),
    ) {
        let areas = self.areas_of(router);
        for &area in &areas {
            let border = areas.len() > 1;
            match self.area(area) {
                AreaModel::Normal => {}
                AreaModel::Stub { no_summary } => {
                    let tail = if no_summary && border { " no-summary" } else { "" };
                    let _ = writeln!(text, "{head}{area} stub{tail}");
                }
                AreaModel::Nssa { no_summary } => {
                    let tail = if no_summary && border { " no-summary" } else { "" };
                    let _ = writeln!(text, "{head}{area} nssa{tail}");
                }
            }
            for model in self.ranges.iter().filter(|r| r.area == area && border) {
                let _ = write!(text, "{head}{area}");
                range(Self::range_address(area), text);
                text.push_str(if model.not_advertise { " not-advertise\n" } else { "\n" });
            }
        }
    }
}

impl Model for OspfModel {
    fn router_count(&self) -> usize {
        self.routers
    }

    fn cables(&self) -> Vec<[usize; 2]> {
        self.links.iter().map(|link| link.routers).collect()
    }

    fn ios_config(&self, router: usize) -> String {
        let mut text = format!("hostname {}\n!\n", Self::name(router));
        let loopback = self.loopback(router);
        let _ = write!(text, "interface Loopback0\n ip address {loopback} 255.255.255.255\n");
        if self.has_ospf_loopback(router) {
            let _ = writeln!(text, " ip ospf 1 area {}", self.loopback_areas[router]);
        }
        text.push_str("!\n");
        for (link, end) in self.ends(router) {
            let model = &self.links[link];
            let _ = write!(text, "interface {}\n ip address ", Self::ios_interface(link));
            let _ =
                write!(text, "{} 255.255.255.0\n ip ospf 1 area {}\n", Self::address(link, end), model.area);
            let _ = writeln!(text, " ip ospf cost {}", model.costs[end]);
            if model.point_to_point {
                text.push_str(" ip ospf network point-to-point\n");
            }
            text.push_str("!\n");
        }
        let _ = write!(
            text,
            // FRR follows RFC 2328 throughout, IOS by default RFC 1583 where they differ (costs of ranges, choice of ASBRs).
            "router ospf 1\n router-id {}\n no compatible rfc1583\n",
            Self::router_id(router)
        );
        self.area_lines(router, &mut text, " area ", |address, text| {
            let _ = write!(text, " range {address} 255.255.0.0");
        });
        for external in self.externals.iter().filter(|e| e.router == router) {
            let kind = if external.type1 { 1 } else { 2 };
            let _ =
                writeln!(text, " redistribute static subnets metric {} metric-type {kind}", external.metric);
        }
        text.push_str("!\n");
        for external in self.externals.iter().filter(|e| e.router == router) {
            for prefix in Self::external_prefixes(external) {
                let _ = writeln!(text, "ip route {prefix} 255.255.255.0 Null0");
            }
        }
        text.push_str("end\n");
        text
    }

    fn frr_config(&self, router: usize) -> String {
        let mut text = format!("hostname {}\n!\n", Self::name(router));
        // The router id first: FRR does not change it once it has neighbors.
        let _ =
            write!(text, "router ospf\n ospf router-id {}\n maximum-paths 4\n!\n", Self::router_id(router));
        let _ = write!(text, "interface loop0\n ip address {}/32\n", self.loopback(router));
        if self.has_ospf_loopback(router) {
            let _ = writeln!(text, " ip ospf area {}", self.loopback_areas[router]);
        }
        text.push_str(" ip ospf cost 1\n ip ospf passive\n!\n");
        for (link, end) in self.ends(router) {
            let model = &self.links[link];
            let (name, address) = (Self::frr_interface(link), Self::address(link, end));
            let _ = writeln!(text, "interface {name}\n ip address {address}/24");
            let _ = writeln!(text, " ip ospf cost {}", model.costs[end]);
            if let Some((hello, dead)) = self.frr_intervals {
                let _ = write!(text, " ip ospf hello-interval {hello}\n ip ospf dead-interval {dead}\n");
            }
            let kind = if model.point_to_point { "point-to-point" } else { "broadcast" };
            // The area last: it starts the interface, with the intervals of that instant.
            let _ = write!(text, " ip ospf network {kind}\n ip ospf area {}\n!\n", model.area);
        }
        text.push_str("router ospf\n");
        self.area_lines(router, &mut text, " area ", |address, text| {
            let _ = write!(text, " range {address}/{}", Self::RANGE_LENGTH);
        });
        for external in self.externals.iter().filter(|e| e.router == router) {
            let kind = if external.type1 { 1 } else { 2 };
            let _ = writeln!(text, " redistribute static metric {} metric-type {kind}", external.metric);
        }
        text.push_str("!\n");
        for external in self.externals.iter().filter(|e| e.router == router) {
            for prefix in Self::external_prefixes(external) {
                let _ = writeln!(text, "ip route {prefix}/24 Null0");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fidelity::model::is_connected;

    #[test]
    fn models_are_repeatable_and_connected() {
        for seed in 0..200 {
            let model = OspfModel::random(seed);
            assert_eq!(model.ios_config(0), OspfModel::random(seed).ios_config(0));
            assert!(is_connected(&model), "seed {seed}");
        }
    }

    #[test]
    fn every_area_touches_the_backbone() {
        for seed in 0..200 {
            let model = OspfModel::random(seed);
            for area in 1..=u32::try_from(model.areas.len()).unwrap() {
                let borders = (0..model.routers).filter(|&r| {
                    let areas = model.areas_of(r);
                    areas.contains(&0) && areas.contains(&area)
                });
                assert!(borders.count() >= 1, "seed {seed} area {area}");
            }
        }
    }
}
