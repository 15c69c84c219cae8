//! The record from a router's processes.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use netconfarena_emu::ids::{AreaId, VrfId};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::ospf::{AreaKind, OspfConfig, OspfInterfaceKey, OspfInterfaceName, OspfProcess};
use netconfarena_emu::policy::DistributeList;
use netconfarena_emu::rib::{RouteOwner, TableId};
use netconfarena_emu::router::RoutingProcess;
use netconfarena_emu::time::Time;

use super::eigrp::of_eigrp;
use super::rip::of_rip;
use super::{IpProtocols, Protocol, Source};
use crate::show::ShowContext;
use crate::show::age::Age;
use crate::show::ospf::Running;
use crate::show::ospf::process::redistribution;

impl IpProtocols {
    /// The processes of a VRF.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, vrf: VrfId) -> Self {
        let router = context.router();
        let processes = router.processes().filter(|(key, _)| key.vrf == vrf).map(|(_, process)| process);
        Self { protocols: processes.filter_map(|process| protocol(context, process)).collect() }
    }
}

/// What a process says; `None` of those that are no routing protocol.
fn protocol(context: &ShowContext<'_>, process: &RoutingProcess) -> Option<Protocol> {
    let ospf = process.as_ospf().and_then(|ospf| of_ospf(context, ospf));
    let rip = || process.as_rip().and_then(|rip| of_rip(context, rip));
    let eigrp = || process.as_eigrp().and_then(|eigrp| of_eigrp(context, eigrp));
    let bgp = || process.as_bgp().and_then(|bgp| super::bgp::section(context, bgp));
    ospf.or_else(rip).or_else(eigrp).or_else(bgp)
}

/// The filters of all updates, in the words of the first two lines.
pub(super) fn filters(outgoing: Option<&DistributeList>, incoming: Option<&DistributeList>) -> [String; 2] {
    let text = |direction: &str, list: Option<&DistributeList>| {
        format!("{direction} update filter list for all interfaces is {}", filter(list))
    };
    [text("Outgoing", outgoing), text("Incoming", incoming)]
}

/// The filters of single interfaces below such a line.
pub(super) fn filter_lines(
    lists: &BTreeMap<InterfaceName, &DistributeList>,
    default: Option<&DistributeList>,
) -> Vec<String> {
    let line = |(name, list): (&InterfaceName, &&DistributeList)| {
        format!("  {name} filtered by {} (per-user), default is {}", filter(Some(list)), filter(default))
    };
    lists.iter().map(line).collect()
}

fn filter(list: Option<&DistributeList>) -> String {
    match list {
        None => "not set".to_owned(),
        Some(DistributeList::AccessList(name)) => name.clone(),
        Some(DistributeList::Prefix { list, .. }) => {
            format!("(prefix-list) {}", list.as_deref().unwrap_or("not set"))
        }
        Some(DistributeList::RouteMap(name)) => format!("(route-map) {name}"),
    }
}

/// Who told the routes that a process offers, with their distance and when the last came.
pub(super) fn sources(context: &ShowContext<'_>, vrf: VrfId, owner: RouteOwner) -> Vec<Source> {
    let mut found: BTreeMap<Ipv4Addr, (u8, Time)> = BTreeMap::new();
    for route in context.router().rib().offers_of(TableId::ipv4(vrf), owner) {
        for hop in route.next_hops.iter() {
            let Some(gateway) = hop.learned_from.or(hop.address) else { continue };
            let entry = found.entry(gateway).or_insert((route.distance, route.installed));
            entry.1 = entry.1.max(route.installed);
        }
    }
    let source = |(gateway, (distance, at)): (Ipv4Addr, (u8, Time))| Source {
        gateway,
        distance,
        last_update: Age::from(context.now().since(at)),
    };
    found.into_iter().map(source).collect()
}

fn of_ospf(context: &ShowContext<'_>, process: &OspfProcess) -> Option<Protocol> {
    let config = context.router().config().ospf.get(&process.process_id)?;
    let router_id = process.router_id?;
    let running = Running { process, config, router_id };
    let mut settings = filters(config.distribute_out.get(&None), config.distribute_in.as_ref()).to_vec();
    settings.push(format!("Router ID {router_id}"));
    if process.is_area_border_router() {
        settings.push("It is an area border router".to_owned());
    }
    if running.is_as_boundary_router() {
        settings.push("It is an autonomous system boundary router".to_owned());
    }
    if !config.redistribute.is_empty() {
        settings.push("Redistributing External Routes from,".to_owned());
        settings.extend(
            config.redistribute.iter().map(|(source, how)| format!("  {}", redistribution(*source, how))),
        );
    }
    settings.push(areas(config, process));
    Some(Protocol {
        protocol: format!("ospf {}", process.process_id),
        settings,
        maximum_path: Some(config.maximum_paths.unwrap_or(4).into()),
        networks: Some(
            config
                .networks
                .iter()
                .map(|network| {
                    let wildcard = network.wildcard;
                    format!("{} {} area {}", wildcard.address, wildcard.mask, running.area_name(network.area))
                })
                .collect(),
        ),
        interfaces: explicit(context, &running),
        passive: passive(process),
        sources: sources(context, process.vrf, RouteOwner::Ospf(process.process_id)),
        distance: match config.distance_by_type {
            by if by == Default::default() => format!("(default is {})", config.distance.unwrap_or(110)),
            by => {
                let or = |distance: Option<u8>| distance.or(config.distance).unwrap_or(110);
                format!(
                    "intra-area {} inter-area {} external {}",
                    or(by.intra_area),
                    or(by.inter_area),
                    or(by.external)
                )
            }
        },
    })
}

/// `Number of areas in this router is 2. 1 normal 1 stub 0 nssa`.
fn areas(config: &OspfConfig, process: &OspfProcess) -> String {
    let (mut normal, mut stub, mut nssa) = (0, 0, 0);
    for area in process.areas.keys() {
        match config.areas.get(area).map(|settings| settings.kind).unwrap_or_default() {
            AreaKind::Normal => normal += 1,
            AreaKind::Stub { .. } => stub += 1,
            AreaKind::Nssa(_) => nssa += 1,
        }
    }
    let all = process.areas.len();
    format!("Number of areas in this router is {all}. {normal} normal {stub} stub {nssa} nssa")
}

/// The interfaces with `ip ospf N area A`, area by area.
fn explicit(context: &ShowContext<'_>, running: &Running<'_>) -> Vec<(String, Vec<String>)> {
    let mut by_area: BTreeMap<AreaId, Vec<String>> = BTreeMap::new();
    for (key, interface) in &running.process.interfaces {
        let OspfInterfaceKey::Physical(index) = key else { continue };
        let name = context.router().interfaces().get(*index).map(|interface| interface.name);
        let settings = name.and_then(|name| context.router().config().interfaces.get(&name));
        if settings.is_some_and(|settings| settings.ospf.area.is_some()) {
            by_area.entry(interface.area).or_default().push(interface.name.to_string());
        }
    }
    by_area.into_iter().map(|(area, names)| (running.area_name(area), names)).collect()
}

/// Passive interfaces; a loopback that is passive by nature is not told.
fn passive(process: &OspfProcess) -> Vec<String> {
    let is_told = |name: InterfaceName| name.kind() != netconfarena_emu::interface::InterfaceKind::Loopback;
    process
        .interfaces
        .values()
        .filter(|interface| interface.settings.passive)
        .filter(|interface| matches!(interface.name, OspfInterfaceName::Physical(name) if is_told(name)))
        .map(|interface| interface.name.to_string())
        .collect()
}
