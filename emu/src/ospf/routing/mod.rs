//! The database half at work: what a process does about changes of adjacencies, LSAs, configuration and other routes.
//!
//! | file | what |
//! |---|---|
//! | here | [`Routing`], the state; deadlines |
//! | `schedule.rs` | when the routing table is calculated, and how much of it; statistics |
//! | `views.rs` | the process as the pure functions of `spf/`, `route_table/` and `originate/` see it |
//! | `calculate.rs` | running them; virtual links |
//! | `install.rs` | routes as offers to the RIB: distance, filters, discard routes |
//! | `tell.rs` | own LSAs out of all this |
//! | `filters.rs` | access lists, prefix lists and route maps by name |

mod calculate;
mod filters;
mod install;
mod schedule;
mod tell;
mod views;

use std::collections::{BTreeMap, BTreeSet};

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

pub use calculate::VirtualPath;
pub use schedule::{CalculationKind, SpfReason, SpfRun, SpfSchedule};

use super::OspfProcess;
use super::lsa::{LsType, Lsa};
use super::lsdb::Scope;
use super::originate::Originator;
use super::process::Env;
use super::route_table::RouteTable;
use crate::ids::{AreaId, RouterId};
use crate::time::Time;

/// What the database half keeps beside the database.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Routing {
    /// The routing table.
    pub table: RouteTable,
    /// Own LSAs.
    pub originator: Originator,
    /// Calculations: to come, and done.
    pub schedule: SpfSchedule,
    /// Areas through which a virtual link of some router goes (TransitCapability).
    pub transit_areas: BTreeSet<AreaId>,
    /// The `summary-address` prefixes that have a component.
    pub active_summaries: BTreeSet<Ipv4Net>,
    /// The makers of LSAs with DoNotAge that are out of reach, and since when (RFC 1793 section 2.3).
    pub unreachable: BTreeMap<RouterId, Time>,
    /// Routes of other sources have changed: external LSAs must be looked at again.
    externals_due: Option<Time>,
    /// End of `max-metric router-lsa on-startup`.
    stub_router_until: Option<Time>,
}

impl OspfProcess {
    /// When the database half wants to be called.
    pub(super) fn routing_deadline(&self) -> Option<Time> {
        [
            self.routing.originator.next_deadline(),
            self.routing.schedule.due(),
            self.routing.externals_due,
            self.routing.stub_router_until,
            self.lsdb.next_check(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// Does what is due.
    pub(super) fn routing_expired(&mut self, env: &mut Env<'_, '_>) {
        let now = env.now();
        for (scope, key) in self.lsdb.take_expired(now) {
            self.reached_max_age(env, scope, &key);
        }
        if self.routing.stub_router_until.is_some_and(|at| at <= now) {
            self.routing.stub_router_until = None;
            self.tell_everything(env);
        }
        if self.routing.externals_due.is_some_and(|at| at <= now) {
            self.routing.externals_due = None;
            self.tell_externals(env);
        }
        self.tell_due(env);
        if self.routing.schedule.due().is_some_and(|at| at <= now) {
            self.calculate(env);
        }
    }

    /// The configuration, the set of areas, or the router id has changed, and interfaces are reconciled with it.
    pub(super) fn routing_reconfigured(&mut self, env: &mut Env<'_, '_>) {
        self.routing.stub_router_until = self.end_of_startup(env);
        self.forget_unattached_areas();
        self.tell_everything(env);
        for area in self.areas.keys().copied().collect::<Vec<_>>() {
            self.routing.schedule.request(SpfReason::Router, Some(area), env.now(), self.spf_throttle(env));
        }
        self.routing.schedule.request(SpfReason::External, None, env.now(), self.spf_throttle(env));
    }

    /// The best route to a prefix has changed, and it is or was another process's.
    pub(super) fn routing_saw_route(&mut self, env: &mut Env<'_, '_>) {
        if self.takes_routes(env) {
            self.routing.externals_due.get_or_insert(env.now());
        }
    }

    /// A state of an interface, its DR, or a neighbor from or to Full has changed what router and network LSAs say.
    pub(super) fn adjacency_changed(&mut self, env: &mut Env<'_, '_>, key: super::OspfInterfaceKey) {
        let mut areas: BTreeSet<AreaId> = self.interfaces.get(&key).map(|i| i.area).into_iter().collect();
        if let super::OspfInterfaceKey::Virtual { transit, .. } = key {
            areas.insert(transit);
        }
        // Whether this is an area border router may have changed, and that stands in the LSAs of all areas.
        areas.extend(self.areas.keys());
        for area in areas {
            self.tell_topology(env, area);
        }
    }

    /// An LSA with other contents has been received and installed, or one at MaxAge (section 13.2). If it claims to be this router's own,
    /// it is answered (section 13.4).
    pub(super) fn lsa_changed(&mut self, env: &mut Env<'_, '_>, scope: Scope, lsa: &Lsa) {
        self.request_calculation(env, scope, lsa);
        if self.router_id == Some(lsa.advertising_router()) {
            self.received_own_lsa(env, scope, lsa.key());
        }
    }

    /// Asks for the calculation that an LSA makes necessary.
    fn request_calculation(&mut self, env: &Env<'_, '_>, scope: Scope, lsa: &Lsa) {
        let area = match scope {
            Scope::Area(area) => Some(area),
            Scope::As | Scope::Link(_) => None,
        };
        let reason = match lsa.ls_type() {
            LsType::Router => SpfReason::Router,
            LsType::Network => SpfReason::Network,
            LsType::SummaryNetwork => SpfReason::SummaryNetwork,
            LsType::SummaryAsbr => SpfReason::SummaryAsbr,
            LsType::AsExternal | LsType::Nssa => SpfReason::External,
            LsType::OpaqueLink | LsType::OpaqueArea | LsType::OpaqueAs | LsType::Unknown(_) => return,
        };
        self.routing.schedule.request(reason, area, env.now(), self.spf_throttle(env));
    }
}

#[cfg(test)]
mod tests;
