//! Static routes (`ip route`).
//!
//! A route that names an interface is used while that is up. One that names only a next hop is recursive: it is used while its
//! next hop leads to an interface, through whatever routes, but not through itself. Which of the recursive ones are used is
//! worked out anew from the routes of all other owners each time one of the addresses looked up is affected, so
//! the result depends on nothing but the present, and static routes alone can never oscillate.

mod acceptance;

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::config::{StaticRoute, StaticTarget};
use crate::ids::VrfId;
use crate::interface::{InterfaceKind, InterfaceName, InterfaceTable};
use crate::process::{Action, Context, Input, Process};
use crate::rib::{NextHop, Route, RouteChange, RouteOwner, TableId};
use crate::time::Time;
use crate::tracking::Tracking;

use acceptance::Acceptance;

/// Offers the static routes of one VRF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticProcess {
    vrf: VrfId,
    /// The name of the VRF; `None` for the global table.
    vrf_name: Option<String>,
    offered: BTreeMap<Ipv4Net, Route>,
    /// Addresses that the recursive routes were looked up by.
    watched: BTreeSet<Ipv4Addr>,
    /// When to work out the routes again.
    due: Option<Time>,
}

/// What a configured route is worth at the moment.
enum Standing {
    /// It is used whatever other routes there are, with this next hop (`None` is Null0).
    Usable(Option<NextHop>),
    /// It is used if this address can be reached.
    Recursive(Ipv4Addr),
    /// Its interface is missing or down, or its tracked object is.
    Unusable,
}

impl StaticProcess {
    /// A process that offers nothing yet, for a VRF with its name (`None` for the global table).
    #[must_use]
    pub const fn new(vrf: VrfId, vrf_name: Option<String>) -> Self {
        Self { vrf, vrf_name, offered: BTreeMap::new(), watched: BTreeSet::new(), due: None }
    }

    fn standing(&self, route: &StaticRoute, interfaces: &InterfaceTable, tracking: &Tracking) -> Standing {
        if route.track.is_some_and(|object| !tracking.is_up(object)) {
            return Standing::Unusable;
        }
        match route.target {
            StaticTarget::Interface(name) if name.kind() == InterfaceKind::Null => Standing::Usable(None),
            StaticTarget::Interface(name) => self.through(route, name, None, interfaces),
            StaticTarget::InterfaceNextHop(name, address) => {
                self.through(route, name, Some(address), interfaces)
            }
            StaticTarget::NextHop(address) if self.is_kept(route, NextHop::recursive(address)) => {
                Standing::Usable(Some(NextHop::recursive(address)))
            }
            StaticTarget::NextHop(address) => Standing::Recursive(address),
        }
    }

    fn through(
        &self,
        route: &StaticRoute,
        name: InterfaceName,
        address: Option<Ipv4Addr>,
        interfaces: &InterfaceTable,
    ) -> Standing {
        let Some(interface) = interfaces.by_name(name) else { return Standing::Unusable };
        let hop = NextHop { address, ..NextHop::interface(interface.index) };
        if interface.is_up() || self.is_kept(route, hop) {
            Standing::Usable(Some(hop))
        } else {
            Standing::Unusable
        }
    }

    /// Whether the route is `permanent` and in use: then nothing but configuration takes it out.
    fn is_kept(&self, route: &StaticRoute, hop: NextHop) -> bool {
        route.permanent && self.offered.get(&route.prefix).is_some_and(|offer| offer.next_hops.contains(&hop))
    }

    /// Works out which routes are used, and offers the difference.
    fn evaluate(&mut self, context: &Context<'_>, actions: &mut Vec<Action>) {
        self.due = None;
        let mut acceptance = Acceptance::new(context.rib.table(TableId::ipv4(self.vrf)), context.now);
        let mut recursive = Vec::new();
        for route in context.config.static_routes.iter().filter(|r| r.vrf == self.vrf_name) {
            match self.standing(route, context.interfaces, context.tracking) {
                Standing::Usable(hop) => acceptance.accept(route, hop),
                Standing::Recursive(address) => recursive.push((route, address)),
                Standing::Unusable => {}
            }
        }
        acceptance.accept_recursive(recursive);
        let (wanted, watched) = acceptance.finish();
        let gone = self.offered.keys().filter(|prefix| !wanted.contains_key(prefix));
        actions.extend(gone.map(|prefix| Action::Withdraw(*prefix)));
        actions.extend(wanted.values().cloned().map(Action::Install));
        self.offered = wanted;
        self.watched = watched;
    }

    /// Whether a change of another owner's route may make a difference to a recursive route.
    fn is_affected_by(&self, change: &RouteChange) -> bool {
        let foreign = |route: &Option<Route>| route.as_ref().is_some_and(|r| r.owner != RouteOwner::Static);
        let span = change.prefix.network()..=change.prefix.broadcast();
        change.table == TableId::ipv4(self.vrf)
            && (foreign(&change.old) || foreign(&change.new))
            && self.watched.range(span).next().is_some()
    }
}

impl Process for StaticProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        match input {
            Input::Configured | Input::InterfaceChanged(_) | Input::TrackChanged(_) | Input::Restart => {
                self.evaluate(context, actions);
            }
            Input::Deadline if self.due.is_some_and(|at| at <= context.now) => {
                self.evaluate(context, actions);
            }
            // Put off to the end of the instant, so that many changes at once cost one evaluation.
            Input::RouteChanged(_) => self.due = Some(context.now),
            Input::Deadline | Input::Received(_) | Input::Command(_) => {}
        }
    }

    fn concerns(&self, change: &RouteChange) -> bool {
        self.is_affected_by(change)
    }

    fn next_deadline(&self) -> Option<Time> {
        self.due
    }

    fn quiet_interval(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests;
