//! The choice of the router id (RFC 2328 appendix C.1; Cisco's order: configured, highest loopback, highest interface). No two processes
//! of a router have the same one, in whichever VRFs they run.

use super::log::OspfLogEvent;
use super::process::{Env, OspfProcess};
use crate::ids::RouterId;
use crate::interface::{Interface, Medium};
use crate::log::LogEvent;
use crate::process::Action;

impl OspfProcess {
    /// The router id that the process would take if it started now.
    pub(super) fn candidate_router_id(&self, env: &Env<'_, '_>) -> Option<RouterId> {
        if let Some(configured) = self.config(env.context).and_then(|config| config.router_id) {
            return Some(configured).filter(|&id| !self.is_taken(env, id));
        }
        let loopbacks =
            self.free(env).filter(|(_, interface)| interface.medium == Medium::Loopback && interface.is_up());
        let others = || {
            self.free(env).filter(|(_, interface)| interface.medium != Medium::Loopback && interface.admin_up)
        };
        // A line whose signal is there counts although its protocol follows a second later: at boot all lines come up together, and the
        // choice must not hang on which is first.
        let some_up = others().any(|(_, interface)| interface.is_up());
        let highest_other = others().filter(|(_, interface)| interface.carrier).map(|(id, _)| id).max();
        loopbacks.map(|(id, _)| id).max().or(highest_other.filter(|_| some_up))
    }

    /// The router ids that the interfaces offer and no other process has, with their interfaces.
    fn free<'e>(&'e self, env: &'e Env<'_, '_>) -> impl Iterator<Item = (RouterId, &'e Interface)> {
        let own = env.context.interfaces.iter().filter(|interface| interface.vrf == self.vrf);
        own.filter_map(|interface| Some((RouterId(interface.address?.addr()), interface)))
            .filter(|&(id, _)| !self.is_taken(env, id))
    }

    /// Whether another process has a router id, or is configured to.
    fn is_taken(&self, env: &Env<'_, '_>, id: RouterId) -> bool {
        let is_other = |process: &u16| *process != self.process_id;
        let in_use =
            env.context.ospf_router_ids.iter().any(|(process, &used)| is_other(process) && used == id);
        let configured = self.config(env.context).and_then(|config| config.router_id) == Some(id);
        let wanted = || {
            let mut others = env.context.config.ospf.iter().filter(|(process, _)| is_other(process));
            others.any(|(_, config)| config.router_id == Some(id))
        };
        in_use || (!configured && wanted())
    }

    /// Takes a router id if the process has none, or if nobody knows the present one yet: IOS keeps an id for as long as
    /// the process has neighbors, and asks for `clear ip ospf process` to change it.
    pub(super) fn settle_router_id(&mut self, env: &mut Env<'_, '_>) {
        let Some(configured) = self.config(env.context).map(|config| config.router_id) else { return };
        let has_neighbors = self.interfaces.values().any(|interface| !interface.neighbors.is_empty());
        match (self.router_id, configured) {
            (None, _) => {
                self.router_id = self.candidate_router_id(env);
                self.log_no_router_id(env);
            }
            (Some(present), Some(wanted))
                if present != wanted && !has_neighbors && !self.is_taken(env, wanted) =>
            {
                self.withdraw_own_lsas(env);
                self.router_id = Some(wanted);
            }
            _ => {}
        }
    }

    /// Says once that there is no router id to take, unless a line that is still to come up has one.
    fn log_no_router_id(&mut self, env: &mut Env<'_, '_>) {
        let configured = self.config(env.context).is_some_and(|config| config.router_id.is_some());
        let hopeful = || !configured && self.free(env).any(|(_, interface)| interface.admin_up);
        let stuck = self.router_id.is_none() && !hopeful();
        if stuck && !self.told_no_router_id {
            let event = OspfLogEvent::NoRouterId { process: self.process_id };
            env.actions.push(Action::Log(LogEvent::Ospf(event)));
        }
        self.told_no_router_id = stuck;
    }
}
