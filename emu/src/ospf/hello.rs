//! The hello protocol (RFC 2328 sections 9.5 and 10.5).

use std::net::Ipv4Addr;

use super::config::{AreaKind, NetworkType};
use super::debug::{NeighborDebugEvent, OspfDebugEvent};
use super::graceful_restart::LLS_RESTART_SIGNAL;
use super::interface::{InterfaceEvent, InterfaceState, OspfInterface, OspfInterfaceKey, OspfNetwork};
use super::log::OspfLogEvent;
use super::lsa::Options;
use super::neighbor::{Neighbor, NeighborEvent, NeighborKey, NeighborState};
use super::neighbor_events::DownReason;
use super::packet::{Hello, PacketBody};
use super::process::{Env, OspfProcess, TimerKey};
use super::receive::Accepted;
use super::send::{Destination, address_of};
use crate::debugging::DebugTopic;
use crate::ids::AreaId;

/// The mask of an interface without an address of its own.
const NO_MASK: Ipv4Addr = Ipv4Addr::UNSPECIFIED;

impl OspfProcess {
    /// The E and N bits of an area (section 9.5, RFC 3101 section 2.4).
    pub(super) fn area_bits(&self, area: AreaId) -> Options {
        match self.areas.get(&area).map(|area| area.kind) {
            Some(AreaKind::Stub { .. }) => Options::NONE,
            Some(AreaKind::Nssa(_)) => Options::NP,
            Some(AreaKind::Normal) | None => Options::E,
        }
    }

    fn hello(&self, interface: &OspfInterface) -> Hello {
        let settings = &interface.settings;
        let mask = match interface.network {
            OspfNetwork::VirtualLink => NO_MASK,
            _ => interface.address.map_or(NO_MASK, |net| net.netmask()),
        };
        let heard = interface.neighbors.values().filter(|neighbor| neighbor.state >= NeighborState::Init);
        Hello {
            network_mask: mask,
            hello_interval: u16::try_from(settings.hello_interval.as_secs()).unwrap_or(u16::MAX),
            options: self.area_bits(interface.area) | interface.demand_bit() | Options::L,
            priority: settings.priority,
            dead_interval: u32::try_from(interface.dead_interval.as_secs()).unwrap_or(u32::MAX),
            designated_router: interface.designated_router,
            backup_designated_router: interface.backup_designated_router,
            neighbors: heard.map(|neighbor| neighbor.router_id).collect(),
        }
    }

    /// HelloInterval has passed.
    pub(super) fn hello_due(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        self.timers.set(TimerKey::Hello(key), env.now() + interface.settings.hello_interval);
        if interface.is_quiet() {
            return;
        }
        if interface.multicasts() {
            self.send_hello(env, key, Destination::AllSpfRouters);
            return;
        }
        for address in unicast_targets(interface) {
            self.send_hello(env, key, Destination::Address(address));
        }
    }

    fn send_hello(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, destination: Destination) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let hello = self.hello(interface);
        self.debug(env, key, DebugTopic::OspfHello, |interface| {
            let (area, from) = (interface.area, interface.source);
            address_of(interface, destination).map(|to| OspfDebugEvent::HelloSent { to, area, from })
        });
        self.send(env, key, destination, PacketBody::Hello(hello));
    }

    /// A silent configured neighbor is due for a hello: at HelloInterval in Attempt, at PollInterval when it is down.
    pub(super) fn poll_due(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, address: Ipv4Addr) {
        let poll = self.poll_interval(env, address);
        let Some(interface) = self.interfaces.get(&key) else { return };
        let Some(neighbor) = interface.neighbors.get(&NeighborKey(address)) else { return };
        let next = match neighbor.state {
            NeighborState::Down => poll,
            NeighborState::Attempt => interface.settings.hello_interval,
            _ => return,
        };
        self.timers.set(TimerKey::Poll(key, address), env.now() + next);
        self.send_hello(env, key, Destination::Address(address));
    }

    /// Section 10.5.
    pub(super) fn receive_hello(&mut self, env: &mut Env<'_, '_>, from: &Accepted, hello: &Hello) {
        let key = from.key;
        let Some(interface) = self.interfaces.get(&key) else { return };
        let own = self.hello(interface);
        let agrees = agrees(interface, hello, &own);
        self.debug(env, key, DebugTopic::OspfHello, |interface| {
            let (neighbor, area, source) = (from.router_id, interface.area, from.source);
            Some(OspfDebugEvent::HelloReceived { neighbor, area, source })
        });
        if !agrees {
            self.debug_disagreement(env, key, from.source, (hello, &own));
            return;
        }
        if self.router_id == Some(from.router_id) {
            self.log_duplicate_router_id(env, from);
            return;
        }
        let neighbor = interface.neighbor_key(from.router_id, from.source);
        if self.is_ignored(key, neighbor) {
            return;
        }
        self.replace_other_router(env, from);
        let listed = self.router_id.is_some_and(|own| hello.neighbors.contains(&own));
        if !listed && from.lls.is_some_and(|options| options & LLS_RESTART_SIGNAL != 0) {
            self.saw_restart_signal(env, key, neighbor);
        }
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let now = env.context.now;
        let data = interface
            .neighbors
            .entry(neighbor)
            .or_insert_with(|| Neighbor::new(from.router_id, from.source, now));
        let is_new = data.state < NeighborState::Init;
        let before = (data.priority, data.designated_router, data.backup_designated_router);
        data.router_id = from.router_id;
        data.address = from.source;
        // Of a router that restarts nothing is taken that would change the network: it may not know yet who is DR.
        let restarts = data.help.is_some();
        if let Some(help) = &mut data.help {
            help.listed |= listed;
        }
        if !restarts {
            data.priority = hello.priority;
            data.designated_router = hello.designated_router;
            data.backup_designated_router = hello.backup_designated_router;
        }
        data.options = hello.options;
        data.lls = from.lls;
        self.note_signature(from, neighbor);
        self.heard_from(env, key, neighbor);
        self.neighbor_event(env, key, neighbor, NeighborEvent::HelloReceived);
        if is_new {
            // IOS answers a new neighbor at once, so that both need not wait for the next hello.
            self.send_hello(env, key, Destination::Address(from.source));
        }
        if !listed {
            self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::OneWay);
            if !restarts {
                self.neighbor_event(env, key, neighbor, NeighborEvent::OneWayReceived);
            }
            return;
        }
        self.neighbor_event(env, key, neighbor, NeighborEvent::TwoWayReceived);
        if !restarts {
            self.follow_declarations(env, from, hello, before, is_new);
        }
        self.answer_on_non_broadcast(env, from, hello);
    }

    /// Another router may have taken the address: then the one that had it is gone.
    fn replace_other_router(&mut self, env: &mut Env<'_, '_>, from: &Accepted) {
        let Some(interface) = self.interfaces.get(&from.key) else { return };
        let other = interface.neighbors.iter().find(|(_, data)| {
            data.address == from.source
                && data.router_id != from.router_id
                && !data.router_id.is_unspecified()
        });
        if let Some((&other, _)) = other {
            self.neighbor_down(env, from.key, other, NeighborEvent::KillNbr, DownReason::RouterIdChanged);
        }
    }

    /// The last steps of section 10.5: what a hello says of DR and backup.
    fn follow_declarations(
        &mut self,
        env: &mut Env<'_, '_>,
        from: &Accepted,
        hello: &Hello,
        (priority, designated, backup): (u8, Ipv4Addr, Ipv4Addr),
        is_new: bool,
    ) {
        let Some(interface) = self.interfaces.get(&from.key).filter(|interface| interface.elects()) else {
            return;
        };
        let is = |declared: Ipv4Addr| declared == from.source;
        let declares_designated = is(hello.designated_router);
        let declares_backup = is(hello.backup_designated_router);
        let backup_seen =
            declares_backup || (declares_designated && hello.backup_designated_router.is_unspecified());
        if interface.state == InterfaceState::Waiting {
            if backup_seen {
                self.interface_event(env, from.key, InterfaceEvent::BackupSeen);
            }
            return;
        }
        let changed = priority != hello.priority
            || is(designated) != declares_designated
            || is(backup) != declares_backup;
        if changed && !is_new {
            self.interface_event(env, from.key, InterfaceEvent::NeighborChange);
        }
    }

    /// Section 9.5.1: a router that cannot become DR answers each hello of one that can.
    fn answer_on_non_broadcast(&mut self, env: &mut Env<'_, '_>, from: &Accepted, hello: &Hello) {
        let Some(interface) = self.interfaces.get(&from.key) else { return };
        let ineligible = interface.network == OspfNetwork::Network(NetworkType::NonBroadcast)
            && interface.settings.priority == 0;
        if ineligible && hello.priority > 0 {
            self.send_hello(env, from.key, Destination::Address(from.source));
        }
    }

    fn log_duplicate_router_id(&mut self, env: &mut Env<'_, '_>, from: &Accepted) {
        let Some(interface) = self.interfaces.get(&from.key) else { return };
        let event = OspfLogEvent::DuplicateRouterId {
            router_id: from.router_id,
            source: from.source,
            interface: interface.name,
        };
        self.complain(env, from.key, event);
    }
}

/// Whether the values are the same that must be on both sides.
fn agrees(interface: &OspfInterface, hello: &Hello, own: &Hello) -> bool {
    let bits = |options: Options| (options.contains(Options::E), options.contains(Options::NP));
    (interface.ignores_masks() || hello.network_mask == own.network_mask)
        && hello.hello_interval == own.hello_interval
        && hello.dead_interval == own.dead_interval
        && bits(hello.options) == bits(own.options)
}

/// To whom hellos go one by one (section 9.5.1): to all that are heard; a router that cannot become DR sends to DR and backup only,
/// and answers the others.
fn unicast_targets(interface: &OspfInterface) -> Vec<Ipv4Addr> {
    if interface.network == OspfNetwork::VirtualLink {
        return interface.virtual_peer.into_iter().collect();
    }
    let ineligible = interface.network == OspfNetwork::Network(NetworkType::NonBroadcast)
        && interface.settings.priority == 0;
    let designated = [interface.designated_router, interface.backup_designated_router];
    interface
        .neighbors
        .values()
        .filter(|neighbor| neighbor.state >= NeighborState::Init)
        .map(|neighbor| neighbor.address)
        .filter(|address| !ineligible || designated.contains(address))
        .collect()
}
