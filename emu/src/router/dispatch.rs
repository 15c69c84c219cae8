//! Inputs to the processes, and their actions carried out.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ProcessKey, Router, RoutingProcess};
use crate::ids::{IfIndex, RouterId, VrfId};
use crate::process::{Action, Context, Datagram, Input, ProcessCommand};
use crate::rib::{RouteChange, RouteOwner, TableId};
use crate::time::Time;

/// What every process has still to be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Notice {
    /// The configuration is new.
    Configured,
    /// An interface has changed.
    Interface(IfIndex),
    /// The best route to a prefix has changed.
    Route(RouteChange),
    /// A tracked object has changed.
    Track(u16),
}

/// How many notices one event may cause. Two processes that redistribute into each other can go on for ever; a real router
/// would be as busy, but would still forward.
const NOTICES_PER_EVENT: usize = 1_000_000;

/// How often a process may ask for a deadline that has passed already before it must wait for the next event.
const DEADLINES_PER_EVENT: usize = 64;

impl Router {
    /// An interface has changed for the processes and the data plane; [`Self::tell_processes`] passes it on.
    pub(super) fn interface_changed(&mut self, now: Time, index: IfIndex) {
        self.changed = true;
        let up = self.interfaces.get(index).is_some_and(|interface| interface.is_up());
        self.fib.set_interface_up(&self.rib, index, up);
        self.arp_interface_changed(now, index, up);
        self.notices.push_back(Notice::Interface(index));
    }

    /// The best route to a prefix has changed in the RIB.
    pub(super) fn route_changed(&mut self, change: RouteChange) {
        self.changed = true;
        self.fib.apply(&self.rib, &change);
        self.notices.push_back(Notice::Route(change));
    }

    /// Tells all processes what has happened, and what happens because they are told.
    pub(crate) fn tell_processes(&mut self, now: Time) {
        for _ in 0..NOTICES_PER_EVENT {
            let Some(notice) = self.next_notice(now) else { return self.settle_last_resort() };
            let concerned = |process: &RoutingProcess| match &notice {
                Notice::Route(change) => process.as_process().concerns(change),
                Notice::Configured | Notice::Interface(_) | Notice::Track(_) => true,
            };
            let keys: Vec<ProcessKey> = self
                .processes
                .iter()
                .filter(|(_, process)| concerned(process))
                .map(|(&key, _)| key)
                .collect();
            for key in keys {
                let input = match &notice {
                    Notice::Configured => Input::Configured,
                    Notice::Interface(index) => Input::InterfaceChanged(*index),
                    Notice::Route(change) => Input::RouteChanged(change),
                    Notice::Track(object) => Input::TrackChanged(*object),
                };
                self.feed(now, key, input);
            }
        }
        self.notices.clear();
    }

    /// The next notice. When there is no other, tracked objects are looked at.
    fn next_notice(&mut self, now: Time) -> Option<Notice> {
        if self.notices.is_empty() && !self.config.tracks.is_empty() {
            let changed = self.look_at_objects(now);
            self.changed |= !changed.is_empty();
            self.notices.extend(changed.into_iter().map(Notice::Track));
        }
        self.notices.pop_front()
    }

    /// Tells the processes whose deadline has come.
    pub(super) fn run_process_deadlines(&mut self, now: Time) {
        let keys: Vec<ProcessKey> = self.processes.keys().copied().collect();
        for key in keys {
            for _ in 0..DEADLINES_PER_EVENT {
                let deadline = self.processes.get(&key).and_then(|p| p.as_process().next_deadline());
                if deadline.is_none_or(|at| at > now) {
                    break;
                }
                self.feed(now, key, Input::Deadline);
            }
        }
    }

    /// Gives a packet to the processes that want it; tells whether one did.
    pub(crate) fn deliver_to_processes(&mut self, now: Time, vrf: VrfId, datagram: &Datagram) -> bool {
        let keys: Vec<ProcessKey> = self
            .processes
            .iter()
            .filter(|(key, process)| process.accepts(**key, vrf, datagram))
            .map(|(&key, _)| key)
            .collect();
        let wanted = !keys.is_empty();
        for key in keys {
            self.feed(now, key, Input::Received(datagram));
        }
        wanted
    }

    /// `clear ip ospf process` and the like; tells whether there is such a process.
    pub(crate) fn restart_process(&mut self, now: Time, owner: RouteOwner) -> bool {
        let keys: Vec<ProcessKey> = self.processes.keys().copied().filter(|key| key.owner == owner).collect();
        let found = !keys.is_empty();
        for key in keys {
            self.feed(now, key, Input::Restart);
        }
        self.tell_processes(now);
        found
    }

    /// The same of the process in one VRF.
    pub(crate) fn restart_process_in(&mut self, now: Time, owner: RouteOwner, vrf: VrfId) -> bool {
        let key = ProcessKey { owner, vrf };
        let found = self.processes.contains_key(&key);
        if found {
            self.feed(now, key, Input::Restart);
            self.tell_processes(now);
        }
        found
    }

    /// Gives an operator's command to a process; tells whether there is such a process.
    pub(crate) fn command_process(&mut self, now: Time, owner: RouteOwner, command: &ProcessCommand) -> bool {
        let keys: Vec<ProcessKey> = self.processes.keys().copied().filter(|key| key.owner == owner).collect();
        let found = !keys.is_empty();
        for key in keys {
            self.feed(now, key, Input::Command(command));
        }
        self.tell_processes(now);
        found
    }

    pub(super) fn feed(&mut self, now: Time, key: ProcessKey, input: Input<'_>) {
        let Some(process) = self.processes.get_mut(&key) else { return };
        let mut actions = Vec::new();
        let may_attach = matches!(input, Input::Configured | Input::InterfaceChanged(_) | Input::Restart);
        let mut context = Context {
            now,
            rng: &mut self.rng,
            config: &self.config,
            interfaces: &self.interfaces,
            rib: &self.rib,
            tracking: &self.tracking,
            debugging: &self.debugging,
            ospf_router_ids: &self.ospf_router_ids,
            ospf_interfaces: &self.ospf_interfaces,
        };
        let process = Arc::make_mut(process);
        process.as_process_mut().handle(&mut context, input, &mut actions);
        let attached =
            process.as_ospf().filter(|_| may_attach).map(|ospf| (ospf.process_id, ospf.attached()));
        let holds = process.as_ospf().map(|ospf| (ospf.process_id, ospf.router_id));
        let freed = holds.is_some_and(|(process, router_id)| self.note_router_id(process, router_id));
        if let Some((process, interfaces)) = attached {
            self.note_ospf_interfaces(process, interfaces);
        }
        for action in actions {
            self.carry_out(now, key, key.vrf, action);
        }
        if freed {
            self.start_waiting_ospf(now);
        }
    }

    /// Remembers the router id of an OSPF process; tells whether another one is free now.
    fn note_router_id(&mut self, process: u16, router_id: Option<RouterId>) -> bool {
        let before = self.ospf_router_ids.get(&process).copied();
        if before == router_id {
            return false;
        }
        match router_id {
            Some(router_id) => self.ospf_router_ids.insert(process, router_id),
            None => self.ospf_router_ids.remove(&process),
        };
        before.is_some()
    }

    /// Remembers the interfaces of an OSPF process. Another one may take those that it has left.
    fn note_ospf_interfaces(&mut self, process: u16, interfaces: BTreeSet<IfIndex>) {
        let left = |index: &IfIndex, holder: u16| holder == process && !interfaces.contains(index);
        let before = self.ospf_interfaces.len();
        self.ospf_interfaces.retain(|index, holder| !left(index, *holder));
        let freed = self.ospf_interfaces.len() < before;
        self.ospf_interfaces.extend(interfaces.into_iter().map(|index| (index, process)));
        if freed && self.config.ospf.len() > 1 {
            self.notices.push_back(Notice::Configured);
        }
    }

    /// A router id is free: an OSPF process that has none may take it.
    fn start_waiting_ospf(&mut self, now: Time) {
        let waits = |process: &RoutingProcess| process.as_ospf().is_some_and(|ospf| ospf.router_id.is_none());
        let waiting: Vec<ProcessKey> =
            self.processes.iter().filter(|(_, process)| waits(process)).map(|(&key, _)| key).collect();
        for key in waiting {
            self.feed(now, key, Input::Configured);
        }
    }

    fn carry_out(&mut self, now: Time, key: ProcessKey, vrf: VrfId, action: Action) {
        let table = TableId::ipv4(vrf);
        match action {
            Action::InVrf(vrf, action) => self.carry_out(now, key, vrf, *action),
            Action::Send(datagram) => self.send_datagram(now, vrf, &datagram),
            Action::Install(route) => {
                if let Some(change) = self.rib.install(table, route) {
                    self.route_changed(change);
                }
            }
            Action::Withdraw(prefix) => {
                if let Some(change) = self.rib.withdraw(table, key.owner, prefix) {
                    self.route_changed(change);
                }
            }
            Action::Log(event) => self.write_log(now, event),
            Action::Unsettled => self.changed = true,
        }
    }
}
