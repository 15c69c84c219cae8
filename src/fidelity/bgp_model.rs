//! Random networks of several ASes as one model with two renderings: IOS lines for the emulator, frr.conf for FRR.
//!
//! ```text
//!   AS 100: mesh          AS 200: reflector      AS 300: confederation
//!   R1 --- R2 ----------- R3 --- R4              R6 (64512)
//!    \    /                 \                     |
//!      R8                    R5 ----------------- R7 (64513)
//! ```
//!
//! Inside an AS with several routers OSPF carries loopbacks. Policies are such that every network has one stable state: preferences
//! follow from who pays whom (Gao and Rexford, "Stable Internet routing without global coordination"), or there are none.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::model::{Model, octet};

/// How the routers of an AS tell each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inside {
    /// Each has a session with each.
    Mesh,
    /// The first reflects for the others.
    Reflector,
    /// Each is a member AS of a confederation, with sessions along the cables.
    Confederation,
}

/// An AS.
#[derive(Clone, Debug)]
pub struct AsModel {
    /// Its number.
    pub asn: u32,
    /// Its routers, by number in the network.
    pub routers: Vec<usize>,
    /// Its internal sessions.
    pub inside: Inside,
    /// Border routers tell themselves as next hop; else OSPF knows the subnets to other ASes.
    pub next_hop_self: bool,
}

/// A cable between two routers.
#[derive(Clone, Debug)]
pub struct LinkModel {
    /// Router numbers.
    pub routers: [usize; 2],
    /// OSPF cost, of cables within an AS.
    pub cost: u16,
    /// What each end does to routes of an external session over this cable.
    pub policies: [Policy; 2],
}

/// What a router does on an external session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Policy {
    /// `set as-path prepend`, so often, on routes sent.
    pub prepend: u8,
    /// `set metric` on routes sent.
    pub med: Option<u32>,
    /// `set community ... additive` on routes sent.
    pub community: Option<u16>,
    /// `set origin incomplete` on routes received.
    pub worsen_origin: bool,
    /// Routes of this router are denied on their way in, by a prefix list.
    pub deny: Option<usize>,
    /// `set weight` on routes received.
    pub weight: Option<u16>,
}

/// A network.
#[derive(Clone, Debug)]
pub struct BgpModel {
    /// The ASes; an earlier one sells transit to later ones.
    pub ases: Vec<AsModel>,
    /// The cables, of both kinds.
    pub links: Vec<LinkModel>,
    /// Preferences and filters follow from who pays whom.
    pub commercial: bool,
    /// Routers that redistribute a static route beside their `network`.
    pub redistributors: Vec<usize>,
    /// A router that aggregates what it knows of 172.16.0.0/18, and whether it tells the aggregate alone.
    pub aggregate: Option<(usize, bool)>,
}

/// A session as one of its ends sees it.
#[derive(Clone, Debug)]
pub(super) struct SessionModel<'m> {
    pub(super) address: Ipv4Addr,
    pub(super) remote_as: u32,
    /// The session runs between loopbacks.
    pub(super) loopback: bool,
    /// The peer is of the same AS or confederation.
    pub(super) inside: bool,
    pub(super) client: bool,
    /// Of an external session: the other AS's place among the ASes, and the policy.
    pub(super) outside: Option<(usize, &'m Policy)>,
}

impl BgpModel {
    /// What is aggregated.
    pub const AGGREGATE: Ipv4Net = Ipv4Net::new_assert(Ipv4Addr::new(172, 16, 0, 0), 18);

    /// A random network of 3 to 6 ASes with 1 to 4 routers each; the same for the same seed.
    #[must_use]
    pub fn random(seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let count = rng.random_range(3..=6);
        let commercial = rng.random_bool(0.5);
        let mut ases = Vec::new();
        let mut routers = 0;
        for number in 0..count {
            let size = rng.random_range(1..=if routers < 7 { 4 } else { 1 });
            let inside = match rng.random_range(0..3) {
                _ if size == 1 => Inside::Mesh,
                0 => Inside::Mesh,
                1 => Inside::Reflector,
                _ => Inside::Confederation,
            };
            let asn = 100 * (u32::try_from(number).unwrap_or(0) + 1);
            let members = (routers..routers + size).collect();
            ases.push(AsModel { asn, routers: members, inside, next_hop_self: rng.random_bool(0.5) });
            routers += size;
        }
        let mut model =
            Self { ases, links: Vec::new(), commercial, redistributors: Vec::new(), aggregate: None };
        model.cable(&mut rng);
        model.redistributors = (0..routers).filter(|_| rng.random_bool(0.3)).collect();
        if rng.random_bool(0.4) {
            model.aggregate = Some((rng.random_range(0..routers), rng.random_bool(0.5)));
        }
        model
    }

    fn cable(&mut self, rng: &mut ChaCha8Rng) {
        for number in 0..self.ases.len() {
            let members = self.ases[number].routers.clone();
            for (at, &router) in members.iter().enumerate().skip(1) {
                let other = members[rng.random_range(0..at)];
                self.link(other, router, rng);
            }
            // Members in a ring can each prefer the other's path: such a confederation has two stable states.
            let may_ring = self.ases[number].inside != Inside::Confederation;
            if members.len() > 2 && rng.random_bool(0.6) && may_ring {
                self.link(members[0], members[members.len() - 1], rng);
            }
        }
        for number in 1..self.ases.len() {
            let upstream = rng.random_range(0..number);
            self.join(upstream, number, rng);
        }
        for _ in 0..self.ases.len() {
            let (a, b) = (rng.random_range(0..self.ases.len()), rng.random_range(0..self.ases.len()));
            if a != b {
                self.join(a.min(b), a.max(b), rng);
            }
        }
    }

    /// A cable between random routers of two ASes.
    fn join(&mut self, a: usize, b: usize, rng: &mut ChaCha8Rng) {
        let pick = |members: &[usize], rng: &mut ChaCha8Rng| members[rng.random_range(0..members.len())];
        let ends = (pick(&self.ases[a].routers, rng), pick(&self.ases[b].routers, rng));
        self.link(ends.0, ends.1, rng);
    }

    fn link(&mut self, a: usize, b: usize, rng: &mut ChaCha8Rng) {
        if self.links.iter().any(|link| link.routers == [a, b] || link.routers == [b, a]) {
            return;
        }
        let inside = self.as_of(a) == self.as_of(b);
        let policies = if inside { Default::default() } else { [self.policy(b, rng), self.policy(a, rng)] };
        let cost = rng.random_range(1..=4) * 5;
        self.links.push(LinkModel { routers: [a, b], cost, policies });
    }

    /// A policy towards a router. A MED goes to ASes without reflectors and members only, where it cannot make the choice go round in
    /// circles (RFC 3345).
    fn policy(&self, towards: usize, rng: &mut ChaCha8Rng) -> Policy {
        let count = self.router_count();
        let med = rng.random_range(0..3) * 10;
        let plain = self.ases[self.as_of(towards)].inside == Inside::Mesh;
        Policy {
            prepend: if rng.random_bool(0.25) { rng.random_range(1..=2) } else { 0 },
            med: (plain && rng.random_bool(0.3)).then_some(med),
            community: rng.random_bool(0.3).then(|| rng.random_range(1..=9)),
            worsen_origin: rng.random_bool(0.15),
            deny: rng.random_bool(0.15).then(|| rng.random_range(0..count)),
            weight: None,
        }
    }

    /// The place of a router's AS among the ASes.
    #[must_use]
    pub fn as_of(&self, router: usize) -> usize {
        self.ases.iter().position(|model| model.routers.contains(&router)).unwrap_or(0)
    }

    /// Router id and loopback address.
    #[must_use]
    pub fn router_id(router: usize) -> Ipv4Addr {
        Ipv4Addr::new(192, 168, 255, octet(router + 1))
    }

    /// The router's own prefix, a /24 of 172.16.0.0/18.
    #[must_use]
    pub fn prefix(router: usize) -> Ipv4Addr {
        Ipv4Addr::new(172, 16, octet(router), 0)
    }

    /// The prefix that it redistributes.
    #[must_use]
    pub fn redistributed(router: usize) -> Ipv4Addr {
        Ipv4Addr::new(172, 17, octet(router), 0)
    }

    /// The number that a router's process has: of its AS, or of its member AS.
    pub(super) fn process_as(&self, router: usize) -> u32 {
        let model = &self.ases[self.as_of(router)];
        match model.inside {
            Inside::Confederation => 64512 + u32::try_from(router).unwrap_or(0),
            _ => model.asn,
        }
    }

    pub(super) fn is_inside(&self, link: usize) -> bool {
        let [a, b] = self.links[link].routers;
        self.as_of(a) == self.as_of(b)
    }

    pub(super) fn sessions(&self, router: usize) -> Vec<SessionModel<'_>> {
        let own = &self.ases[self.as_of(router)];
        let mut sessions = Vec::new();
        for (link, end) in self.ends(router) {
            let other = self.links[link].routers[1 - end];
            let inside = self.is_inside(link);
            if inside && own.inside != Inside::Confederation {
                continue;
            }
            let outside = (!inside).then(|| (self.as_of(other), &self.links[link].policies[end]));
            let remote_as = if inside { self.process_as(other) } else { self.ases[self.as_of(other)].asn };
            let address = Self::address(link, 1 - end);
            sessions.push(SessionModel {
                address,
                remote_as,
                loopback: false,
                inside,
                client: false,
                outside,
            });
        }
        if own.inside == Inside::Confederation {
            return sessions;
        }
        for &other in own.routers.iter().filter(|&&other| other != router) {
            let (reflector, first) = (own.inside == Inside::Reflector, own.routers[0]);
            if reflector && router != first && other != first {
                continue;
            }
            sessions.push(SessionModel {
                address: Self::router_id(other),
                remote_as: own.asn,
                loopback: true,
                inside: true,
                client: reflector && router == first,
                outside: None,
            });
        }
        sessions
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fidelity::model::is_connected;

    #[test]
    fn models_are_repeatable_and_connected() {
        for seed in 0..200 {
            let model = BgpModel::random(seed);
            assert_eq!(model.ios_config(0), BgpModel::random(seed).ios_config(0));
            assert!(is_connected(&model), "seed {seed}");
        }
    }
}
