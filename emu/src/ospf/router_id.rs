//! The choice of the router id (RFC 2328 appendix C.1; Cisco's order: configured, highest loopback, highest interface).

use super::process::{Env, OspfProcess};
use crate::ids::RouterId;
use crate::interface::{Interface, Medium};

impl OspfProcess {
    /// The router id that the process would take if it started now.
    pub(super) fn candidate_router_id(&self, env: &Env<'_, '_>) -> Option<RouterId> {
        if let Some(configured) = self.config(env.context).and_then(|config| config.router_id) {
            return Some(configured);
        }
        let own = || env.context.interfaces.iter().filter(|interface| interface.vrf == self.vrf);
        // A line whose signal is there counts although its protocol follows a second later: at boot all lines come up together, and the
        // choice must not hang on which is first.
        let usable = |interface: &&Interface| interface.admin_up && interface.carrier;
        let loopbacks = own().filter(|interface| interface.medium == Medium::Loopback && interface.is_up());
        let highest_loopback =
            loopbacks.filter_map(|interface| interface.address).map(|net| net.addr()).max();
        let some_up = own().any(|interface| interface.is_up() && interface.address.is_some());
        let others = own().filter(|interface| interface.medium != Medium::Loopback).filter(usable);
        let highest_other = others.filter_map(|interface| interface.address).map(|net| net.addr()).max();
        highest_loopback.or(highest_other.filter(|_| some_up)).map(RouterId)
    }

    /// Takes a router id if the process has none, or if nobody knows the present one yet: IOS keeps an id for as long as
    /// the process has neighbors, and asks for `clear ip ospf process` to change it.
    pub(super) fn settle_router_id(&mut self, env: &mut Env<'_, '_>) {
        let configured = self.config(env.context).and_then(|config| config.router_id);
        let has_neighbors = self.interfaces.values().any(|interface| !interface.neighbors.is_empty());
        match (self.router_id, configured) {
            (None, _) => self.router_id = self.candidate_router_id(env),
            (Some(present), Some(wanted)) if present != wanted && !has_neighbors => {
                self.withdraw_own_lsas(env);
                self.router_id = Some(wanted);
            }
            _ => {}
        }
    }
}
