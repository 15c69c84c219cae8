//! `show ip ospf [N] rib`: the routes of a process before they meet those of others.
//!
//! Row fields: `router_id`, `process_id`, `installed` (in the routing table), `prefix`, `type` (`Intra`, `Inter`, `Ext1`, `Ext2`, `NSSA1`,
//! `NSSA2`), `cost`, `area` (null of external routes), `forward_cost`, `tag`, `connected`, `paths` (list of `next_hop`, `interface`).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::ospf::route_table::{OspfRoute, PathType};
use netconfarena_emu::rib::{RouteOwner, TableId};
use serde::{Deserialize, Serialize};

use super::by_process::{ByProcess, Entry};
use super::selection::Running;
use crate::show::text::Line;
use crate::show::{ParseError, ShowContext};

/// The record of `show ip ospf rib`.
pub type OspfRib = ByProcess<OspfRibRoute>;

/// A route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OspfRibRoute {
    /// It is the router's route to this destination.
    pub installed: bool,
    /// Destination.
    pub prefix: Ipv4Net,
    /// `Intra`, `Inter`, `Ext1`, `Ext2`, `NSSA1`, `NSSA2`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Cost; of type 2 routes the external part.
    pub cost: u32,
    /// The area; `None` of external routes.
    pub area: Option<String>,
    /// Distance of the AS boundary router or forwarding address; external routes have it.
    pub forward_cost: Option<u32>,
    /// Tag; external routes have it.
    pub tag: Option<u32>,
    /// The router has the network itself.
    pub connected: bool,
    /// Ways.
    pub paths: Vec<RibPath>,
}

/// A way to a destination.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RibPath {
    /// Next hop; the own address on a connected network.
    pub next_hop: Ipv4Addr,
    /// Full name of the interface.
    pub interface: String,
}

const fn kind(route: &OspfRoute) -> &'static str {
    match (route.path_type, route.nssa) {
        (PathType::IntraArea, _) => "Intra",
        (PathType::InterArea, _) => "Inter",
        (PathType::External1, false) => "Ext1",
        (PathType::External2, false) => "Ext2",
        (PathType::External1, true) => "NSSA1",
        (PathType::External2, true) => "NSSA2",
    }
}

impl OspfRib {
    /// From running processes.
    #[must_use]
    pub fn of(context: &ShowContext<'_>, running: &[Running<'_>]) -> Self {
        Self::collect(running, |running| {
            let networks = &running.process.routing.table.networks;
            networks.iter().map(|(&prefix, route)| rib_route(context, running, prefix, route)).collect()
        })
    }
}

fn rib_route(
    context: &ShowContext<'_>,
    running: &Running<'_>,
    prefix: Ipv4Net,
    route: &OspfRoute,
) -> OspfRibRoute {
    let router = context.router();
    let external = route.path_type >= PathType::External1;
    let best = router.rib().best(TableId::ipv4(running.process.vrf), prefix);
    let path = |path: &netconfarena_emu::ospf::route_table::OspfPath| {
        let own = || router.interfaces().source_address(path.next_hop.interface);
        RibPath {
            next_hop: path.next_hop.address.or_else(own).unwrap_or(Ipv4Addr::UNSPECIFIED),
            interface: context.interface_name(path.next_hop.interface),
        }
    };
    OspfRibRoute {
        installed: best.is_some_and(|best| best.owner == RouteOwner::Ospf(running.process.process_id)),
        prefix,
        kind: kind(route).to_owned(),
        cost: route.metric(),
        area: (!external).then(|| running.area_name(route.area)),
        forward_cost: external.then_some(route.cost),
        tag: external.then_some(route.tag),
        connected: route.is_attached(),
        paths: route.paths.iter().map(path).collect(),
    }
}

impl Entry for OspfRibRoute {
    const INTRO: &'static str = "\n\t\tBase Topology (MTID 0)\n\nOSPF local RIB\n\
        Codes: * - Best, > - Installed in global RIB\n\n";

    fn render(&self, out: &mut String) {
        let star = if self.installed { "*> " } else { "*  " };
        out.push_str(&format!("{star} {}, {}, cost {}", self.prefix, self.kind, self.cost));
        if let Some(area) = &self.area {
            out.push_str(&format!(", area {area}"));
        }
        if let (Some(cost), Some(tag)) = (self.forward_cost, self.tag) {
            out.push_str(&format!(", fwd cost {cost}, tag {tag}"));
        }
        out.push_str(if self.connected { ", Connected\n" } else { "\n" });
        for RibPath { next_hop, interface } in &self.paths {
            out.push_str(&format!("      via {next_hop}, {interface}\n"));
        }
    }

    fn read(entries: &mut Vec<Self>, line: Line<'_>) -> Result<(), ParseError> {
        let text = line.text.trim();
        let Some(route) = text.strip_prefix('*') else {
            let path = line.holes("via {}, {}").zip(entries.last_mut());
            let ([hop, interface], entry) = path.ok_or_else(|| line.error("`via A, INTERFACE`"))?;
            let interface = interface.split(',').next().unwrap_or(interface).to_owned();
            entry.paths.push(RibPath { next_hop: line.value(hop, "a next hop")?, interface });
            return Ok(());
        };
        let (installed, fields) = route.strip_prefix('>').map_or((false, route), |rest| (true, rest));
        let mut fields = fields.split(',').map(str::trim);
        let prefix = line.value(fields.next().unwrap_or_default(), "a prefix")?;
        let mut entry = Self {
            installed,
            prefix,
            kind: fields.next().unwrap_or_default().to_owned(),
            cost: 0,
            area: None,
            forward_cost: None,
            tag: None,
            connected: false,
            paths: Vec::new(),
        };
        for field in fields {
            match field.rsplit_once(' ') {
                Some(("cost", cost)) => entry.cost = line.value(cost, "a cost")?,
                Some(("area", area)) => entry.area = Some(area.to_owned()),
                Some(("fwd cost", cost)) => entry.forward_cost = Some(line.value(cost, "a cost")?),
                Some(("tag", tag)) => entry.tag = Some(line.value(tag, "a tag")?),
                _ => entry.connected |= field == "Connected",
            }
        }
        entries.push(entry);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::by_process::assert_round_trip;
    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(installed in any::<bool>(), prefix in arbitrary::prefix(), external in prop::option::of(any::<[u32; 2]>()), cost in any::<u32>(),
            connected in any::<bool>(), paths in prop::collection::vec((arbitrary::address(), arbitrary::interface()), 0..3)) -> OspfRibRoute {
            OspfRibRoute {
                installed, prefix, kind: if external.is_some() { "Ext2" } else { "Intra" }.to_owned(), cost,
                area: external.is_none().then(|| "0".to_owned()), forward_cost: external.map(|e| e[0]), tag: external.map(|e| e[1]),
                connected, paths: paths.into_iter().map(|(next_hop, interface)| RibPath { next_hop, interface }).collect(),
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(entries in prop::collection::vec(entry(), 0..4)) {
            assert_round_trip(entries)?;
        }
    }
}
