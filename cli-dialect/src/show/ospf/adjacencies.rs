//! The records about interfaces and neighbors, from running processes.

use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::ids::RouterId;
use netconfarena_emu::interface::{Interface, InterfaceName};
use netconfarena_emu::ospf::lsa::LsaHeader;
use netconfarena_emu::ospf::lsdb::{Database, Scope};
use netconfarena_emu::ospf::{
    DemandCircuit, InterfaceKeys, InterfaceState, Neighbor, NeighborKey, NeighborState, NetworkType,
    OspfInterface, OspfInterfaceKey, OspfInterfaceName, OspfNetwork, TimerKey,
};
use netconfarena_emu::time::Time;

use super::lsa_queue::{OspfLsaQueues, QueuedLsa, Waiting};
use super::selection::Running;
use super::{interface, interface_brief, neighbor, neighbor_detail, virtual_links};
use crate::show::age::Age;
use crate::show::{ShowContext, context};

/// Of which interface and neighbor is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// The interface.
    pub interface: Option<InterfaceName>,
    /// The neighbor's router id.
    pub neighbor: Option<Ipv4Addr>,
}

type Attached<'a> = (OspfInterfaceKey, &'a OspfInterface);

/// The interfaces of a process in the order of IOS: those attached last come first, virtual links before all.
fn interfaces<'a>(context: &ShowContext<'a>, running: &Running<'a>, wanted: Wanted) -> Vec<Attached<'a>> {
    let order: Vec<_> = context.interfaces().iter().map(|interface| interface.index).collect();
    let place = |key: &OspfInterfaceKey| match key {
        OspfInterfaceKey::Physical(index) => order.iter().position(|of| of == index),
        OspfInterfaceKey::Virtual { .. } => Some(usize::MAX),
    };
    let is_wanted = |interface: &OspfInterface| {
        wanted.interface.is_none_or(|name| interface.name == OspfInterfaceName::Physical(name))
    };
    let mut all: Vec<Attached<'a>> = running
        .process
        .interfaces
        .iter()
        .map(|(&key, interface)| (key, interface))
        .filter(|(_, interface)| is_wanted(interface))
        .collect();
    all.sort_by_key(|(key, _)| std::cmp::Reverse((place(key), *key)));
    all
}

/// The neighbors of a process with their interfaces.
fn neighbors<'a>(
    context: &ShowContext<'a>,
    running: &Running<'a>,
    wanted: Wanted,
) -> Vec<(Attached<'a>, NeighborKey, &'a Neighbor)> {
    let of = |attached: Attached<'a>| {
        attached.1.neighbors.iter().map(move |(&key, neighbor)| (attached, key, neighbor))
    };
    let mut all: Vec<_> = interfaces(context, running, wanted).into_iter().flat_map(of).collect();
    all.retain(|(.., neighbor)| wanted.neighbor.is_none_or(|id| id == neighbor.router_id.0));
    all
}

fn hardware<'a>(context: &ShowContext<'a>, key: OspfInterfaceKey) -> Option<&'a Interface> {
    match key {
        OspfInterfaceKey::Physical(index) => context.router().interfaces().get(index),
        OspfInterfaceKey::Virtual { .. } => None,
    }
}

const fn network_type(network: OspfNetwork) -> &'static str {
    match network {
        OspfNetwork::Network(NetworkType::Broadcast) => "BROADCAST",
        OspfNetwork::Network(NetworkType::NonBroadcast) => "NON_BROADCAST",
        OspfNetwork::Network(NetworkType::PointToPoint) => "POINT_TO_POINT",
        OspfNetwork::Network(NetworkType::PointToMultipoint | NetworkType::PointToMultipointNonBroadcast) => {
            "POINT_TO_MULTIPOINT"
        }
        OspfNetwork::Loopback => "LOOPBACK",
        OspfNetwork::VirtualLink => "VIRTUAL_LINK",
    }
}

/// The state, in full and as `show ip ospf interface brief` has it.
const fn state(interface: &OspfInterface) -> (&'static str, &'static str) {
    match (interface.state, interface.network) {
        (InterfaceState::Down, _) => ("DOWN", "DOWN"),
        (InterfaceState::Loopback, _) => ("LOOPBACK", "LOOP"),
        (InterfaceState::Waiting, _) => ("WAITING", "WAIT"),
        (
            InterfaceState::PointToPoint,
            OspfNetwork::Network(NetworkType::PointToMultipoint | NetworkType::PointToMultipointNonBroadcast),
        ) => ("POINT_TO_MULTIPOINT", "P2MP"),
        (InterfaceState::PointToPoint, _) => ("POINT_TO_POINT", "P2P"),
        (InterfaceState::DrOther, _) => ("DROTHER", "DROTH"),
        (InterfaceState::Backup, _) => ("BDR", "BDR"),
        (InterfaceState::Dr, _) => ("DR", "DR"),
    }
}

/// Seconds until a timer expires, begun ones cut.
fn due(running: &Running<'_>, timer: TimerKey, now: Time) -> Option<u64> {
    running.process.timers.deadline(timer).map(|at| at.since(now).as_secs())
}

fn seconds(span: Duration) -> u32 {
    u32::try_from(span.as_secs()).unwrap_or(u32::MAX)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn full(interface: &OspfInterface) -> impl Iterator<Item = &Neighbor> {
    interface.neighbors.values().filter(|neighbor| neighbor.state == NeighborState::Full)
}

/// Own address of an interface with its length; `None` if it borrows one, or is a virtual link without a way. A virtual link has
/// the address of the interface by which its way goes.
fn address_of(
    context: &ShowContext<'_>,
    running: &Running<'_>,
    interface: &OspfInterface,
) -> Option<Ipv4Net> {
    match interface.network {
        OspfNetwork::VirtualLink => {
            let by = context.router().interfaces().by_address(running.process.vrf, interface.source)?;
            by.addresses().find(|net| net.addr() == interface.source)
        }
        _ => interface.address,
    }
}

impl interface_brief::IpOspfInterfaceBrief {
    /// From running processes.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        let mut list = Vec::new();
        for running in running {
            list.extend(interfaces(context, running, wanted).into_iter().map(|(_, interface)| {
                interface_brief::Entry {
                    interface: match interface.name {
                        OspfInterfaceName::Physical(name) => name.short(),
                        OspfInterfaceName::VirtualLink(number) => format!("VL{number}"),
                    },
                    process_id: running.process.process_id,
                    area: running.area_name(interface.area),
                    address: address_of(context, running, interface).unwrap_or_default(),
                    cost: interface.cost,
                    state: state(interface).1.to_owned(),
                    neighbors_full: count(full(interface).count()),
                    neighbors: count(interface.neighbors.len()),
                }
            }));
        }
        Self { interfaces: list }
    }
}

impl interface::IpOspfInterfaces {
    /// From running processes.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        let mut list = Vec::new();
        for running in running {
            let all = interfaces(context, running, wanted).into_iter();
            list.extend(all.map(|(key, interface)| interface_entry(context, running, key, interface)));
        }
        Self { interfaces: list }
    }
}

fn interface_entry(
    context: &ShowContext<'_>,
    running: &Running<'_>,
    key: OspfInterfaceKey,
    interface: &OspfInterface,
) -> interface::Entry {
    let hardware = hardware(context, key);
    let is_virtual_up = interface.state != InterfaceState::Down;
    let up = if is_virtual_up { "up" } else { "down" };
    let settings = hardware.and_then(|hardware| context.router().config().interfaces.get(&hardware.name));
    let lender = hardware.and_then(|hardware| context.router().interfaces().get(hardware.unnumbered?));
    let attached_via = match (key, settings) {
        (OspfInterfaceKey::Virtual { .. }, _) => "Not Attached",
        (_, Some(settings)) if settings.ospf.area.is_some() => "Interface Enable",
        _ => "Network Statement",
    };
    interface::Entry {
        interface: interface.name.to_string(),
        status: hardware.map_or(up, context::status).to_owned(),
        protocol: hardware.map_or(up, context::protocol).to_owned(),
        address: address_of(context, running, interface),
        unnumbered: lender.map(|lender| format!("{} ({})", lender.name, interface.source)),
        interface_id: hardware.map_or(0, |hardware| hardware.index.0),
        area: running.area_name(interface.area),
        attached_via: attached_via.to_owned(),
        process_id: running.process.process_id,
        router_id: running.router_id.0,
        network_type: network_type(interface.network).to_owned(),
        cost: interface.cost,
        running: (interface.network != OspfNetwork::Loopback)
            .then(|| running_part(running, key, interface, context.now())),
    }
}

/// The router id behind a DR's or backup's address: the router's own, or a neighbor's.
fn id_of(running: &Running<'_>, interface: &OspfInterface, address: Ipv4Addr) -> Option<Ipv4Addr> {
    let own = interface.source == address || interface.address.is_some_and(|net| net.addr() == address);
    let neighbor = || interface.neighbors.values().find(|neighbor| neighbor.address == address);
    let id = if own { Some(running.router_id) } else { neighbor().map(|neighbor| neighbor.router_id) };
    id.filter(|_| !address.is_unspecified()).map(|RouterId(id)| id)
}

fn running_part(
    running: &Running<'_>,
    key: OspfInterfaceKey,
    interface: &OspfInterface,
    now: Time,
) -> interface::Running {
    let settings = &interface.settings;
    let is_down = interface.state == InterfaceState::Down;
    let (dr, bdr) = (interface.designated_router, interface.backup_designated_router);
    let (dr_id, bdr_id) = (id_of(running, interface, dr), id_of(running, interface, bdr));
    let (authentication, youngest_key) = match &settings.keys {
        _ if is_down => ("none", None),
        InterfaceKeys::Null => ("none", None),
        InterfaceKeys::Simple(_) => ("simple", None),
        InterfaceKeys::MessageDigest(keys) => ("cryptographic", keys.keys().next_back().copied()),
        InterfaceKeys::KeyChain(_) => ("cryptographic", None),
    };
    let without_dc = |scope| running.process.lsdb.scope(scope).map_or(0, Database::without_dc);
    let runs = interface.is_demand_circuit() && !is_down;
    interface::Running {
        demand_configured: settings.demand_circuit == Some(DemandCircuit::Run),
        demand_circuit: runs.then(|| count(without_dc(Scope::Area(interface.area)))),
        transmit_delay: settings.transmit_delay.into(),
        state: state(interface).0.to_owned(),
        priority: interface.elects().then_some(settings.priority),
        dr: dr_id,
        dr_address: dr_id.map(|_| dr),
        bdr: bdr_id,
        bdr_address: bdr_id.map(|_| bdr),
        hello: u64::try_from(settings.hello_interval.as_millis()).unwrap_or(u64::MAX),
        dead: seconds(interface.dead_interval),
        wait: seconds(interface.dead_interval),
        retransmit: seconds(settings.retransmit_interval),
        hello_due: due(running, TimerKey::Hello(key), now).filter(|_| !settings.passive && !is_down),
        election_due: due(running, TimerKey::Wait(key), now),
        passive: settings.passive,
        cisco_helper: !is_down && !running.config.no_cisco_nsf_helper,
        ietf_helper: !is_down && !running.config.no_nsf_helper,
        authentication: authentication.to_owned(),
        youngest_key,
        neighbor_count: if is_down { 0 } else { count(interface.neighbors.len()) },
        adjacent_count: if is_down { 0 } else { count(full(interface).count()) },
        suppressed: full(interface)
            .filter(|neighbor| !is_down && interface.suppresses_hellos(neighbor))
            .map(|neighbor| neighbor.router_id.0)
            .collect(),
        adjacent: full(interface).filter(|_| !is_down).map(|neighbor| neighbor.router_id.0).collect(),
    }
}

impl neighbor::IpOspfNeighbors {
    /// From running processes.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        let mut list = Vec::new();
        for running in running {
            let entry =
                |((key, interface), neighbor_key, neighbor): (Attached<'_>, NeighborKey, &Neighbor)| {
                    let role = match neighbor.address {
                        _ if !interface.elects() => "-",
                        address if address == interface.designated_router => "DR",
                        address if address == interface.backup_designated_router => "BDR",
                        _ => "DROTHER",
                    };
                    let heard = neighbor.router_id.0 != std::net::Ipv4Addr::UNSPECIFIED;
                    neighbor::Entry {
                        neighbor_id: heard.then_some(neighbor.router_id.0),
                        priority: if interface.elects() { neighbor.priority } else { 0 },
                        state: neighbor.state.name().to_owned(),
                        role: role.to_owned(),
                        dead_time: due(running, TimerKey::Inactivity(key, neighbor_key), context.now()),
                        address: neighbor.address,
                        interface: interface.name.to_string(),
                    }
                };
            list.extend(neighbors(context, running, wanted).into_iter().map(entry));
        }
        Self { neighbors: list }
    }
}

impl neighbor_detail::IpOspfNeighborDetail {
    /// From running processes.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        let mut list = Vec::new();
        for running in running {
            let entry =
                |((key, interface), neighbor_key, neighbor): (Attached<'_>, NeighborKey, &Neighbor)| {
                    let dead = due(running, TimerKey::Inactivity(key, neighbor_key), context.now());
                    neighbor_detail::Neighbor {
                        neighbor_id: neighbor.router_id.0,
                        address: neighbor.address,
                        area: running.area_name(interface.area),
                        interface: interface.name.to_string(),
                        priority: if interface.elects() { neighbor.priority } else { 0 },
                        state: neighbor.state.name().to_owned(),
                        state_changes: neighbor.changes,
                        dr: neighbor.designated_router,
                        bdr: neighbor.backup_designated_router,
                        options: neighbor.options.0,
                        // As the releases print it whose text both public parsers read: one line, of the hellos.
                        description_options: None,
                        lls_options: None,
                        dead_time: dead.unwrap_or(0),
                        uptime: Age::from(context.now().since(neighbor.since)),
                        help_ends: neighbor.help.map(|help| help.until.since(context.now()).as_secs()),
                        retransmission_queue: count(neighbor.retransmissions.len()),
                        retransmissions: neighbor.retransmitted,
                    }
                };
            list.extend(neighbors(context, running, wanted).into_iter().map(entry));
        }
        Self { neighbors: list }
    }
}

impl virtual_links::OspfVirtualLinks {
    /// From running processes.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, running: &[Running<'_>]) -> Self {
        let mut links = Vec::new();
        for running in running {
            for (&key, interface) in &running.process.interfaces {
                if let OspfInterfaceKey::Virtual { transit, peer } = key {
                    links.push(virtual_link(
                        context,
                        running,
                        (key, interface),
                        (running.area_name(transit), peer),
                    ));
                }
            }
        }
        links.sort_by(|a, b| a.interface.cmp(&b.interface));
        Self { links }
    }
}

fn virtual_link(
    context: &ShowContext<'_>,
    running: &Running<'_>,
    (key, interface): Attached<'_>,
    (transit_area, peer): (String, RouterId),
) -> virtual_links::VirtualLink {
    let up = interface.state != InterfaceState::Down;
    let neighbor = interface.neighbors.values().next().filter(|_| up);
    let by_address = context
        .router()
        .interfaces()
        .by_address(running.process.vrf, interface.source)
        .map(|by| by.name.to_string());
    let seconds_of = |span: Duration| seconds(span);
    virtual_links::VirtualLink {
        interface: interface.name.to_string(),
        peer: peer.0,
        up,
        transit_area,
        via: by_address.filter(|_| up),
        cost: interface.cost.into(),
        transmit_delay: interface.settings.transmit_delay.into(),
        state: state(interface).0.to_owned(),
        hello: seconds_of(interface.settings.hello_interval),
        dead: seconds_of(interface.dead_interval),
        wait: seconds_of(interface.dead_interval),
        retransmit: seconds_of(interface.settings.retransmit_interval),
        hello_due: due(running, TimerKey::Hello(key), context.now()).filter(|_| up),
        adjacency: neighbor.map(|neighbor| neighbor.state.name().to_owned()),
        retransmission_queue: neighbor.map_or(0, |neighbor| count(neighbor.retransmissions.len())),
        retransmissions: neighbor.map_or(0, |neighbor| neighbor.retransmitted),
    }
}

fn queued(header: &LsaHeader) -> Waiting {
    Waiting::Lsa(QueuedLsa {
        ls_type: header.ls_type.to_wire(),
        link_id: header.link_state_id,
        advertising_router: header.advertising_router.0,
        sequence: header.sequence.0.cast_unsigned(),
        age: header.age.secs(),
        checksum: header.checksum,
    })
}

fn of_neighbor(interface: &OspfInterface, neighbor: &Neighbor) -> Waiting {
    Waiting::Neighbor {
        neighbor: neighbor.router_id.0,
        interface: interface.name.to_string(),
        address: neighbor.address,
    }
}

impl OspfLsaQueues {
    /// What neighbors are to be asked for (RFC 2328 section 10.9).
    #[must_use]
    pub fn requests(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        Self::collect(running, |running| {
            let mut list = Vec::new();
            for ((_, interface), _, neighbor) in neighbors(context, running, wanted) {
                list.extend([of_neighbor(interface, neighbor), Waiting::Columns {}]);
                list.extend(neighbor.requests.values().map(queued));
            }
            list
        })
    }

    /// What neighbors have not acknowledged (section 13.6).
    #[must_use]
    pub fn retransmissions(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        let now = context.now();
        Self::collect(running, |running| {
            let mut list = Vec::new();
            for ((key, interface), neighbor_key, neighbor) in neighbors(context, running, wanted) {
                list.push(of_neighbor(interface, neighbor));
                let timer = TimerKey::LinkStateUpdate(key, neighbor_key);
                let at = running.process.timers.deadline(timer).unwrap_or(now);
                let due = u64::try_from(at.since(now).as_millis()).unwrap_or(u64::MAX);
                let queue_length = Some(count(neighbor.retransmissions.len()));
                list.extend([Waiting::Due { due, queue_length }, Waiting::Columns {}]);
                let sorted = neighbor.retransmissions.sorted();
                list.extend(
                    sorted.iter().map(|(_, waiting)| queued(&waiting.lsa.header(waiting.age_at(now)))),
                );
            }
            list
        })
    }

    /// What waits to be flooded (`timers pacing flood`).
    #[must_use]
    pub fn floods(context: &ShowContext<'_>, running: &[Running<'_>], wanted: Wanted) -> Self {
        let now = context.now();
        Self::collect(running, |running| {
            let mut list = Vec::new();
            for (key, interface) in interfaces(context, running, wanted) {
                let queue = interface.flood_queue();
                let queue_length = count(queue.len());
                list.push(Waiting::Interface { interface: interface.name.to_string(), queue_length });
                if let Some(at) =
                    running.process.timers.deadline(TimerKey::FloodPacing(key)).filter(|_| queue_length > 0)
                {
                    let due = u64::try_from(at.since(now).as_millis()).unwrap_or(u64::MAX);
                    list.extend([Waiting::Due { due, queue_length: None }, Waiting::Columns {}]);
                }
                list.extend(queue.iter().map(|waiting| queued(&waiting.lsa.header(waiting.age_at(now)))));
            }
            list
        })
    }
}
