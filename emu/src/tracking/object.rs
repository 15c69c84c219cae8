//! The state of tracked objects.

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{SlaResult, Timer, TrackConfig, TrackObject};
use crate::config::RouterConfig;
use crate::interface::InterfaceName;
use crate::log::LogEvent;
use crate::rib::TableId;
use crate::router::Router;
use crate::time::Time;

/// The state of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackState {
    /// Up, as far as its delays let it be known.
    pub up: bool,
    /// How often it has changed.
    pub changes: u32,
    /// When it changed last, or was configured.
    pub since: Time,
    /// When a change that is delayed comes to be known.
    pending: Option<Time>,
}

/// What uses an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TrackedBy {
    /// Static routes.
    StaticRoutes,
    /// A route map of policy-based routing.
    RouteMap(String),
    /// Another object.
    List(u16),
}

impl Router {
    /// The state of tracked objects and IP SLA operations.
    #[must_use]
    pub const fn tracking(&self) -> &super::Tracking {
        &self.tracking
    }

    /// What uses an object.
    #[must_use]
    pub fn tracked_by(&self, number: u16) -> Vec<TrackedBy> {
        let config = self.config();
        let routes = config.static_routes.iter().any(|route| route.track == Some(number));
        let maps = config.policy.route_maps.iter().filter(|(_, map)| {
            map.entries
                .values()
                .any(|entry| entry.sets.next_hop.tracked.values().any(|hop| hop.track == number))
        });
        let lists = config.tracks.iter().filter(|(_, track)| match &track.object {
            TrackObject::List { objects, .. } => objects.contains_key(&number),
            _ => false,
        });
        let routes = routes.then_some(TrackedBy::StaticRoutes);
        let maps = maps.map(|(name, _)| TrackedBy::RouteMap(name.clone()));
        routes.into_iter().chain(maps).chain(lists.map(|(&list, _)| TrackedBy::List(list))).collect()
    }

    /// Makes objects and operations those that the configuration asks for.
    pub(crate) fn reconcile_tracking(&mut self, now: Time) {
        let config = Arc::clone(&self.config);
        self.tracking.objects.retain(|number, _| config.tracks.contains_key(number));
        self.tracking.timers.cancel_if(|timer| match timer {
            Timer::Object(number) => !config.tracks.contains_key(&number),
            Timer::Start(_) | Timer::Timeout(_) => false,
        });
        self.reconcile_operations(now, &config);
    }

    /// Looks at all objects; tells which have changed. A change that is to be delayed waits until its time has come, if it is still one then.
    pub(crate) fn look_at_objects(&mut self, now: Time) -> Vec<u16> {
        let config = Arc::clone(&self.config);
        let mut changed = Vec::new();
        // Lists look at other objects, which may stand behind them: so often that it reaches the last of a chain.
        for _ in 0..=config.tracks.len() {
            let before = changed.len();
            for (&number, track) in &config.tracks {
                let up = self.is_object_up(&config, track);
                if self.object_seen(now, number, track, up) {
                    changed.push(number);
                }
            }
            if changed.len() == before {
                break;
            }
        }
        changed
    }

    /// Takes in what an object is at the moment; tells whether its state has changed.
    fn object_seen(&mut self, now: Time, number: u16, track: &TrackConfig, up: bool) -> bool {
        let Some(state) = self.tracking.objects.get(&number).copied() else {
            // An object begins with what it is.
            self.tracking
                .objects
                .insert(number, TrackState { up, changes: u32::from(up), since: now, pending: None });
            return true;
        };
        let timer = Timer::Object(number);
        if state.up == up {
            self.tracking.timers.cancel(timer);
            self.tracking.objects.insert(number, TrackState { pending: None, ..state });
            return false;
        }
        let delay = if up { track.delay_up } else { track.delay_down };
        let due = state.pending.unwrap_or(now + Duration::from_secs(delay.unwrap_or(0).into()));
        if due > now {
            self.tracking.timers.set(timer, due);
            self.tracking.objects.insert(number, TrackState { pending: Some(due), ..state });
            return false;
        }
        let changed = TrackState { up, changes: state.changes + 1, since: now, pending: None };
        self.tracking.objects.insert(number, changed);
        self.write_log(now, LogEvent::Tracked { number, object: track.object.clone(), up });
        true
    }

    fn is_object_up(&self, config: &RouterConfig, track: &TrackConfig) -> bool {
        let line =
            |name: &InterfaceName| self.interfaces.by_name(*name).filter(|interface| interface.is_up());
        let last = |number: &u32| self.tracking.operation(*number).and_then(|operation| operation.last);
        match &track.object {
            TrackObject::LineProtocol(name) => line(name).is_some(),
            TrackObject::IpRouting(name) => line(name).is_some_and(|interface| {
                config.ip_routing && self.interfaces.source_address(interface.index).is_some()
            }),
            TrackObject::Route(prefix) => self.rib.best(TableId::default(), *prefix).is_some(),
            TrackObject::SlaState(number) => last(number) == Some(SlaResult::Ok),
            TrackObject::SlaReachability(number) => {
                matches!(last(number), Some(SlaResult::Ok | SlaResult::OverThreshold))
            }
            TrackObject::List { all, objects } => {
                let mut states = objects.iter().map(|(&number, &not)| self.tracking.is_up(number) != not);
                if objects.is_empty() {
                    false
                } else if *all {
                    states.all(|up| up)
                } else {
                    states.any(|up| up)
                }
            }
        }
    }
}
