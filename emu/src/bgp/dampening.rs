//! Route flap dampening (RFC 2439) of routes from other ASes, with IOS's figures.
//!
//! A route that is withdrawn or changed gets a penalty, which decays by half in each half-life. Above `suppress` its path is not used,
//! until the penalty has fallen below `reuse`. What has fallen below half of that is forgotten. The end of a session is no flap.

use std::collections::BTreeMap;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::config::{BgpConfig, Dampening, DampeningParameters};
use super::instance::Instance;
use super::policy::view;
use super::process::{BgpProcess, Env, TimerKey};
use super::table::{Path, PathId};
use crate::ids::VrfId;
use crate::policy::PolicyConfig;
use crate::time::Time;

/// The penalty of a withdrawal.
pub(super) const WITHDRAWAL: f64 = 1000.0;

/// The penalty of a change of attributes.
pub(super) const CHANGE: f64 = 500.0;

/// What is remembered of a route that has flapped.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flap {
    /// How its penalty decays.
    parameters: DampeningParameters,
    /// The penalty at the last flap.
    penalty: f64,
    /// When that was.
    at: Time,
    /// When the first was.
    pub since: Time,
    /// How often it has flapped.
    pub count: u32,
    /// Its path is not used.
    pub suppressed: bool,
}

impl DampeningParameters {
    /// The half-life as a span of time.
    fn half_life_span(self) -> Duration {
        Duration::from_secs(u64::from(self.half_life) * 60)
    }

    /// The greatest penalty: one that takes `max_suppress` to decay to `reuse` (RFC 2439 section 4.2).
    fn ceiling(self) -> f64 {
        f64::from(self.reuse) * (f64::from(self.max_suppress) / f64::from(self.half_life)).exp2()
    }

    /// How long a penalty takes to decay to a limit, in whole seconds and at least one.
    fn time_to(self, penalty: f64, limit: f64) -> Duration {
        let half_lives = (penalty / limit).log2().max(0.0);
        let seconds = (half_lives * self.half_life_span().as_secs_f64()).ceil().max(1.0);
        // Limits and half-lives are small numbers: hours at most.
        Duration::from_secs(seconds as u64)
    }
}

impl Flap {
    /// The penalty now.
    #[must_use]
    pub fn penalty(&self, now: Time) -> f64 {
        let half_lives = now.since(self.at).as_secs_f64() / self.parameters.half_life_span().as_secs_f64();
        self.penalty * (-half_lives).exp2()
    }

    /// How long it takes until the path is used again; `None` if it is used.
    #[must_use]
    pub fn reuse_in(&self, now: Time) -> Option<Duration> {
        let penalty = self.penalty(now);
        self.suppressed.then(|| self.parameters.time_to(penalty, self.parameters.reuse.into()))
    }

    /// When something becomes of it by itself.
    fn due(&self, now: Time) -> Time {
        let reuse = f64::from(self.parameters.reuse);
        let limit = if self.suppressed { reuse } else { reuse / 2.0 };
        now + self.parameters.time_to(self.penalty(now), limit)
    }
}

/// The routes of an instance that have flapped.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Flaps(BTreeMap<(Ipv4Net, PathId), Flap>);

impl Flaps {
    /// What is remembered of a route.
    #[must_use]
    pub fn get(&self, prefix: Ipv4Net, path: PathId) -> Option<&Flap> {
        self.0.get(&(prefix, path))
    }

    /// All, by destination.
    pub fn iter(&self) -> impl Iterator<Item = (Ipv4Net, PathId, &Flap)> {
        self.0.iter().map(|(&(prefix, path), flap)| (prefix, path, flap))
    }

    /// Whether a route is suppressed.
    pub(super) fn suppresses(&self, prefix: Ipv4Net, path: PathId) -> bool {
        self.get(prefix, path).is_some_and(|flap| flap.suppressed)
    }

    /// A route has flapped.
    pub(super) fn flapped(
        &mut self,
        prefix: Ipv4Net,
        path: PathId,
        penalty: f64,
        parameters: DampeningParameters,
        now: Time,
    ) {
        let fresh = Flap { parameters, penalty: 0.0, at: now, since: now, count: 0, suppressed: false };
        let flap = self.0.entry((prefix, path)).or_insert(fresh);
        flap.penalty = (flap.penalty(now) + penalty).min(parameters.ceiling());
        flap.parameters = parameters;
        flap.at = now;
        flap.count = flap.count.saturating_add(1);
        flap.suppressed |= flap.penalty > f64::from(parameters.suppress);
    }

    /// Lets go of what has decayed: the routes that may be used again.
    fn decay(&mut self, now: Time) -> Vec<(Ipv4Net, PathId)> {
        let mut freed = Vec::new();
        self.0.retain(|&name, flap| {
            let reuse = f64::from(flap.parameters.reuse);
            let penalty = flap.penalty(now);
            if flap.suppressed && penalty <= reuse {
                flap.suppressed = false;
                freed.push(name);
            }
            flap.suppressed || penalty > reuse / 2.0
        });
        freed
    }

    /// Forgets those that are asked for: the routes that were suppressed.
    fn forget(&mut self, doomed: impl Fn(Ipv4Net) -> bool) -> Vec<(Ipv4Net, PathId)> {
        let mut freed = Vec::new();
        self.0.retain(|&name, flap| {
            let goes = doomed(name.0);
            if goes && flap.suppressed {
                freed.push(name);
            }
            !goes
        });
        freed
    }
}

impl Instance {
    /// What is configured.
    #[must_use]
    pub fn dampening<'c>(&self, config: &'c BgpConfig) -> Option<&'c Dampening> {
        self.config(config)?.ipv4.dampening.as_ref()
    }

    /// Paths may be used again.
    fn release(&mut self, freed: Vec<(Ipv4Net, PathId)>) {
        for (prefix, id) in freed {
            self.table.release(prefix, id);
        }
    }
}

impl Dampening {
    /// How a path to a destination is dampened; `None` if it is not.
    pub(super) fn parameters(
        &self,
        policy: &PolicyConfig,
        prefix: Ipv4Net,
        path: &Path,
    ) -> Option<DampeningParameters> {
        let map = match self {
            Self::All(parameters) => return Some(*parameters),
            Self::ByMap(map) => map,
        };
        let text = path.attributes.as_path.to_string();
        let seen = view(prefix, &path.attributes, &text, path.source.peer(), path.kind, None);
        policy.route_map(map, &seen)?.dampening
    }
}

impl BgpProcess {
    /// Looks at what has decayed, and when to look next.
    pub(super) fn decay_flaps(&mut self, env: &mut Env<'_, '_>, vrf: VrfId) {
        let now = env.now();
        let Some(config) = env.config() else { return };
        let Some(instance) = self.instances.get_mut(&vrf) else { return };
        let key = TimerKey::Dampening(vrf);
        if instance.dampening(config).is_none() {
            let freed = instance.flaps.forget(|_| true);
            instance.release(freed);
            return self.timers.cancel(key);
        }
        let freed = instance.flaps.decay(now);
        instance.release(freed);
        match instance.flaps.iter().map(|(.., flap)| flap.due(now)).min() {
            Some(at) => self.timers.set(key, at),
            None => self.timers.cancel(key),
        }
    }

    /// `clear ip bgp dampening [A M]`.
    pub(super) fn clear_dampening(&mut self, vrf: VrfId, prefix: Option<Ipv4Net>) {
        if let Some(instance) = self.instances.get_mut(&vrf) {
            let freed = instance.flaps.forget(|other| prefix.is_none_or(|prefix| prefix == other));
            instance.release(freed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bgp::table::PathSource;
    use crate::testing::net;

    const PARAMETERS: DampeningParameters =
        DampeningParameters { half_life: 15, reuse: 750, suppress: 2000, max_suppress: 60 };

    fn path() -> PathId {
        PathId { source: PathSource::Peer([10, 0, 0, 1].into()), path_id: 0 }
    }

    fn flaps(times: &[u64]) -> Flaps {
        let mut flaps = Flaps::default();
        for &at in times {
            flaps.flapped(net("10.0.0.0/8"), path(), WITHDRAWAL, PARAMETERS, Time::from_secs(at));
        }
        flaps
    }

    #[test]
    fn rfc2439_2_2_a_penalty_decays_by_half_in_a_half_life() {
        let flaps = flaps(&[0]);
        let flap = flaps.get(net("10.0.0.0/8"), path()).unwrap();
        assert!((flap.penalty(Time::from_secs(900)) - 500.0).abs() < 0.01);
    }

    #[test]
    fn rfc2439_4_2_above_the_cutoff_a_route_is_suppressed_and_below_reuse_it_is_not() {
        assert!(!flaps(&[0, 60]).suppresses(net("10.0.0.0/8"), path()));
        let mut flaps = flaps(&[0, 60, 120]);
        assert!(flaps.suppresses(net("10.0.0.0/8"), path()));
        let wait = flaps.get(net("10.0.0.0/8"), path()).unwrap().reuse_in(Time::from_secs(120)).unwrap();
        assert_eq!(flaps.decay(Time::from_secs(119) + wait), []);
        assert_eq!(flaps.decay(Time::from_secs(121) + wait), [(net("10.0.0.0/8"), path())]);
    }

    #[test]
    fn rfc2439_4_2_no_route_is_suppressed_longer_than_the_maximum() {
        let flaps = flaps(&(0..100).collect::<Vec<u64>>());
        let flap = flaps.get(net("10.0.0.0/8"), path()).unwrap();
        assert_eq!(flap.reuse_in(Time::from_secs(99)), Some(Duration::from_secs(3600)));
    }

    #[test]
    fn what_has_decayed_is_forgotten() {
        let mut flaps = flaps(&[0]);
        flaps.decay(Time::from_secs(3600));
        assert_eq!(flaps.iter().count(), 0);
    }
}
