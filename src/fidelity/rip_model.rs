//! Random RIP networks as one model with two renderings: IOS lines for the emulator, frr.conf for FRR.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::model::{Model, octet};

/// Which way updates pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From neighbours.
    In,
    /// To neighbours.
    Out,
}

impl Way {
    const fn word(self) -> &'static str {
        match self {
            Self::In => "in",
            Self::Out => "out",
        }
    }
}

/// What happens to updates at one end of a cable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Treatment {
    /// `offset-list`: all metrics are greater by this.
    Offset(u8),
    /// `distribute-list prefix`: the loopback of this router does not pass.
    Filter(usize),
}

/// A treatment at the end of a cable.
#[derive(Clone, Copy, Debug)]
pub struct TreatmentModel {
    /// The cable.
    pub link: usize,
    /// Which end, 0 or 1.
    pub end: usize,
    /// Which way.
    pub way: Way,
    /// What is done.
    pub treatment: Treatment,
}

/// Static routes to Null0 that a router redistributes.
#[derive(Clone, Copy, Debug)]
pub struct StaticModel {
    /// The router.
    pub router: usize,
    /// `metric`.
    pub metric: u8,
    /// Their tag; 0 is none.
    pub tag: u16,
    /// How many.
    pub prefixes: u8,
}

/// A network.
#[derive(Clone, Debug)]
pub struct RipModel {
    /// How many routers.
    pub routers: usize,
    /// Cables between two routers.
    pub links: Vec<[usize; 2]>,
    /// Offsets and filters.
    pub treatments: Vec<TreatmentModel>,
    /// Redistribution.
    pub statics: Vec<StaticModel>,
    /// Who has `default-information originate`.
    pub default: Option<usize>,
    /// Ends of cables, by cable and end, where the router only listens.
    pub passive: Vec<(usize, usize)>,
}

impl RipModel {
    /// A random network of 3 to 9 routers; the same for the same seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let routers: usize = rng.random_range(3..=9);
        let mut pairs: BTreeSet<[usize; 2]> =
            (1..routers).map(|router| [rng.random_range(0..router), router]).collect();
        for _ in 0..routers / 2 + 1 {
            let (a, b) = (rng.random_range(0..routers), rng.random_range(0..routers));
            if a != b {
                pairs.insert([a.min(b), a.max(b)]);
            }
        }
        let links: Vec<[usize; 2]> = pairs.into_iter().collect();
        let mut model = Self {
            routers,
            treatments: Vec::new(),
            statics: Vec::new(),
            default: rng.random_bool(0.5).then(|| rng.random_range(0..routers)),
            passive: Vec::new(),
            links,
        };
        for link in 0..model.links.len() {
            for end in 0..2 {
                model.add_treatment(link, end, &mut rng);
            }
        }
        for router in 0..routers {
            if rng.random_bool(0.3) {
                model.statics.push(StaticModel {
                    router,
                    metric: rng.random_range(1..=4),
                    tag: if rng.random_bool(0.5) { rng.random_range(1..=900) } else { 0 },
                    prefixes: rng.random_range(1..=3),
                });
            }
        }
        model
    }

    fn add_treatment(&mut self, link: usize, end: usize, rng: &mut ChaCha8Rng) {
        let way = if rng.random_bool(0.5) { Way::In } else { Way::Out };
        let treatment = match rng.random_range(0..10) {
            0..=2 => Treatment::Offset(rng.random_range(1..=3)),
            3 => Treatment::Filter(rng.random_range(0..self.routers)),
            4 => {
                self.passive.push((link, end));
                return;
            }
            _ => return,
        };
        self.treatments.push(TreatmentModel { link, end, way, treatment });
    }

    /// The address of a router's loopback.
    #[must_use]
    pub fn loopback(router: usize) -> Ipv4Addr {
        Ipv4Addr::new(10, 200, octet(router + 1), 1)
    }

    /// The static routes of a router, each a /24, with their tag.
    fn statics_of(&self, router: usize) -> impl Iterator<Item = (Ipv4Addr, u16)> + '_ {
        let of = self.statics.iter().filter(move |model| model.router == router);
        let second = 16 + octet(router);
        of.flat_map(move |model| {
            (0..model.prefixes).map(move |n| (Ipv4Addr::new(172, second, n, 0), model.tag))
        })
    }

    /// The lines of `router rip` that both have; they differ in interface names, in the access list that stands for all routes, and in what
    /// an incoming offset must be greater by.
    fn rip_lines(
        &self,
        router: usize,
        text: &mut String,
        (all, hop): (&str, u8),
        interface: impl Fn(usize) -> String,
    ) {
        for (link, end) in self.ends(router) {
            let name = interface(link);
            for model in self.treatments.iter().filter(|model| (model.link, model.end) == (link, end)) {
                let (way, hop) = (model.way.word(), if model.way == Way::In { hop } else { 0 });
                let _ = match model.treatment {
                    Treatment::Offset(offset) => {
                        writeln!(text, " offset-list {all} {way} {} {name}", offset + hop)
                    }
                    Treatment::Filter(about) => {
                        writeln!(text, " distribute-list prefix NO{} {way} {name}", about + 1)
                    }
                };
            }
            if self.passive.contains(&(link, end)) {
                let _ = writeln!(text, " passive-interface {name}");
            }
        }
        if let Some(model) = self.statics.iter().find(|model| model.router == router) {
            let _ = writeln!(text, " redistribute static metric {}", model.metric);
        }
        if self.default == Some(router) {
            text.push_str(" default-information originate\n");
        }
    }

    fn prefix_lists(&self, text: &mut String) {
        for router in 0..self.routers {
            let (name, loopback) = (format!("NO{}", router + 1), Self::loopback(router));
            let _ = write!(
                text,
                "ip prefix-list {name} seq 5 deny {loopback}/32\nip prefix-list {name} seq 10 permit 0.0.0.0/0 le 32\n"
            );
        }
    }
}

impl Model for RipModel {
    fn router_count(&self) -> usize {
        self.routers
    }

    fn cables(&self) -> Vec<[usize; 2]> {
        self.links.clone()
    }

    fn ios_config(&self, router: usize) -> String {
        let mut text = format!(
            "hostname {}\ninterface Loopback0\n ip address {} 255.255.255.255\n",
            Self::name(router),
            Self::loopback(router)
        );
        for (link, end) in self.ends(router) {
            let (name, address) = (Self::ios_interface(link), Self::address(link, end));
            let _ = write!(text, "interface {name}\n ip address {address} 255.255.255.0\n no shutdown\n");
        }
        // FRR uses all equal ways.
        text.push_str("router rip\n version 2\n no auto-summary\n maximum-paths 16\n network 10.0.0.0\n");
        self.rip_lines(router, &mut text, ("0", 0), |link| Self::ios_interface(link).to_string());
        for (prefix, tag) in self.statics_of(router) {
            let tag = if tag == 0 { String::new() } else { format!(" tag {tag}") };
            let _ = writeln!(text, "ip route {prefix} 255.255.255.0 Null0{tag}");
        }
        self.prefix_lists(&mut text);
        text.push_str("end\n");
        text
    }

    fn frr_config(&self, router: usize) -> String {
        let mut text = format!("hostname {}\naccess-list ALL seq 5 permit any\n", Self::name(router));
        self.prefix_lists(&mut text);
        let _ = write!(text, "interface loop0\n ip address {}/32\n!\n", Self::loopback(router));
        for (link, end) in self.ends(router) {
            let (name, address) = (Self::frr_interface(link), Self::address(link, end));
            let _ = write!(text, "interface {name}\n ip address {address}/24\n!\n");
        }
        // The intervals are not to be waited for; the result does not depend on them.
        text.push_str("router rip\n version 2\n allow-ecmp\n timers basic 5 15 10\n network 10.0.0.0/8\n");
        // An incoming offset takes the place of the hop to the neighbour in FRR; in IOS, and RFC 2453, the hop counts besides.
        self.rip_lines(router, &mut text, ("ALL", 1), Self::frr_interface);
        text.push_str("!\n");
        for (prefix, tag) in self.statics_of(router) {
            let tag = if tag == 0 { String::new() } else { format!(" tag {tag}") };
            let _ = writeln!(text, "ip route {prefix}/24 Null0{tag}");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_repeatable_and_their_lines_are_taken() {
        for seed in 0..100 {
            let model = RipModel::random(seed);
            for router in 0..model.routers {
                assert_eq!(model.ios_config(router), RipModel::random(seed).ios_config(router));
            }
            if let Err(refused) = model.emulate(seed) {
                panic!("seed {seed}: {refused}");
            }
        }
    }
}
