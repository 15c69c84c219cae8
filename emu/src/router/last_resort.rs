//! The gateway of last resort where there is no default route: a candidate default network (`ip default-network`, and what EIGRP neighbors
//! mark as such).

use std::collections::BTreeSet;

use ipnet::Ipv4Net;

use super::Router;
use crate::ids::VrfId;
use crate::rib::{RouteKind, TableId};

impl Router {
    /// The networks of a table that may serve as default: those configured, and those that EIGRP has learned as such.
    #[must_use]
    pub fn candidate_defaults(&self, vrf: VrfId) -> BTreeSet<Ipv4Net> {
        let mut all =
            if vrf == VrfId::GLOBAL { self.config.default_networks.clone() } else { BTreeSet::new() };
        let eigrp = self.processes.iter().filter(|(key, _)| key.vrf == vrf).filter_map(|(_, p)| p.as_eigrp());
        all.extend(eigrp.flat_map(|process| process.candidate_defaults.iter().copied()));
        all
    }

    /// Chooses anew where packets go that no route matches: to the candidate of the least distance, then metric. A connected network is no
    /// gateway, and a default route goes before all candidates.
    pub(super) fn settle_last_resort(&mut self) {
        // Most routers never have a candidate, and this is asked after each event.
        let mut eigrp = self.processes.values().filter_map(|process| process.as_eigrp());
        if self.config.default_networks.is_empty()
            && eigrp.all(|process| process.candidate_defaults.is_empty())
            && !self.fib.has_last_resort()
        {
            return;
        }
        let vrfs: BTreeSet<VrfId> = self.processes.keys().map(|key| key.vrf).chain([VrfId::GLOBAL]).collect();
        for vrf in vrfs {
            let (table, candidates) = (TableId::ipv4(vrf), self.candidate_defaults(vrf));
            if candidates.is_empty() && self.fib.last_resort(table).is_none() {
                continue;
            }
            let has_default = self.rib.best(table, Ipv4Net::default()).is_some();
            let usable = candidates.into_iter().filter(|_| !has_default).filter_map(|network| {
                let route = self.rib.best(table, network)?;
                let leads_on = route.kind != RouteKind::Connected && !route.next_hops.is_empty();
                leads_on.then_some((route.distance, route.metric, network))
            });
            let chosen = usable.min().map(|(.., network)| network);
            self.fib.set_last_resort(table, chosen);
        }
    }
}
