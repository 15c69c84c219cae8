//! Connected routes: the subnets of interfaces that are up (`C`), and their own addresses as host routes (`L`).

use std::collections::BTreeMap;
use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::ids::{IfIndex, VrfId};
use crate::interface::{Interface, InterfaceTable, Medium};
use crate::process::{Action, Context, Input, Process};
use crate::rib::{NextHop, Route, RouteChange, RouteKind, RouteOwner, distance};
use crate::time::Time;

/// Offers the connected and local routes of one VRF.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConnectedProcess {
    vrf: VrfId,
    offered: BTreeMap<Ipv4Net, (RouteKind, IfIndex)>,
}

impl ConnectedProcess {
    /// A process that offers nothing yet.
    #[must_use]
    pub const fn new(vrf: VrfId) -> Self {
        Self { vrf, offered: BTreeMap::new() }
    }

    /// What the interfaces as they are now call for. Where two have the same subnet, the first one counts.
    fn wanted(&self, interfaces: &InterfaceTable) -> BTreeMap<Ipv4Net, (RouteKind, IfIndex)> {
        let mut wanted = BTreeMap::new();
        let counts = |i: &&Interface| i.vrf == self.vrf && i.is_up() && i.medium != Medium::Null;
        for interface in interfaces.iter().filter(counts) {
            for address in interface.addresses() {
                wanted.entry(address.trunc()).or_insert((RouteKind::Connected, interface.index));
                // The host route of a /32 is the connected route itself.
                wanted.entry(Ipv4Net::from(address.addr())).or_insert((RouteKind::Local, interface.index));
            }
        }
        wanted
    }
}

impl Process for ConnectedProcess {
    fn handle(&mut self, context: &mut Context<'_>, input: Input<'_>, actions: &mut Vec<Action>) {
        if !matches!(input, Input::Configured | Input::InterfaceChanged(_) | Input::Restart) {
            return;
        }
        let wanted = self.wanted(context.interfaces);
        let gone = self.offered.keys().filter(|prefix| !wanted.contains_key(prefix));
        actions.extend(gone.map(|prefix| Action::Withdraw(*prefix)));
        for (&prefix, &(kind, interface)) in &wanted {
            if self.offered.get(&prefix) == Some(&(kind, interface)) {
                continue;
            }
            actions.push(Action::Install(Route {
                prefix,
                owner: RouteOwner::Connected,
                kind,
                distance: distance::CONNECTED,
                metric: 0,
                tag: 0,
                next_hops: [NextHop::interface(interface)].into(),
                installed: context.now,
            }));
        }
        self.offered = wanted;
    }

    fn concerns(&self, _: &RouteChange) -> bool {
        false
    }

    fn next_deadline(&self) -> Option<Time> {
        None
    }

    fn quiet_interval(&self) -> Duration {
        Duration::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Bench, interface, net};

    fn offers(bench: &Bench) -> Vec<String> {
        bench.rib.routes(bench.table()).map(|r| format!("{:?} {}", r.kind, r.prefix)).collect()
    }

    #[test]
    fn an_interface_that_is_up_gives_subnet_and_host_route_also_for_secondaries() {
        let mut bench = Bench::default();
        let mut port = interface(1, "10.0.0.1/24");
        port.secondary.push(net("10.0.1.1/24"));
        bench.interfaces.insert(port);
        let mut process = ConnectedProcess::new(VrfId::GLOBAL);
        bench.feed(&mut process, Input::Configured);
        assert_eq!(
            offers(&bench),
            ["Connected 10.0.0.0/24", "Local 10.0.0.1/32", "Connected 10.0.1.0/24", "Local 10.0.1.1/32"]
        );
        bench.set_up(1, false);
        bench.feed(&mut process, Input::InterfaceChanged(IfIndex(1)));
        assert!(offers(&bench).is_empty());
    }

    #[test]
    fn a_host_address_gives_one_connected_route() {
        let mut bench = Bench::default();
        bench.interfaces.insert(interface(1, "1.1.1.1/32"));
        bench.feed(&mut ConnectedProcess::new(VrfId::GLOBAL), Input::Configured);
        assert_eq!(offers(&bench), ["Connected 1.1.1.1/32"]);
    }

    #[test]
    fn interfaces_of_other_vrfs_do_not_count_and_a_new_address_replaces_the_old() {
        let mut bench = Bench::default();
        let mut process = ConnectedProcess::new(VrfId(3));
        bench.interfaces.insert(interface(1, "1.1.1.1/32"));
        bench.vrf = VrfId(3);
        bench.feed(&mut process, Input::Configured);
        assert!(offers(&bench).is_empty());
        bench.interfaces.insert(Interface { vrf: VrfId(3), ..interface(1, "2.2.2.2/32") });
        bench.feed(&mut process, Input::InterfaceChanged(IfIndex(1)));
        assert_eq!(offers(&bench), ["Connected 2.2.2.2/32"]);
        bench.interfaces.insert(Interface { vrf: VrfId(3), ..interface(1, "3.3.3.3/32") });
        bench.feed(&mut process, Input::InterfaceChanged(IfIndex(1)));
        assert_eq!(offers(&bench), ["Connected 3.3.3.3/32"]);
    }
}
