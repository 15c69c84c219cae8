//! `show ip ospf [N] border-routers`.
//!
//! Row fields: `router_id`, `process_id` (of the own process), `border_router`, `inter_area`, `cost`, `paths` (list of `next_hop`,
//! `interface`), `area_border`, `as_boundary`, `area`, `spf`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::by_process::{ByProcess, Entry};
use super::selection::Running;
use crate::show::text::Line;
use crate::show::{ParseError, ShowContext};

/// The record of `show ip ospf border-routers`.
pub type OspfBorderRouters = ByProcess<BorderRouter>;

/// A border router, by one path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BorderRouter {
    /// Its router id.
    pub border_router: Ipv4Addr,
    /// A summary LSA tells of it.
    pub inter_area: bool,
    /// Distance.
    pub cost: u32,
    /// Next hop.
    pub next_hop: Ipv4Addr,
    /// Full name of the interface.
    pub interface: String,
    /// Area border router.
    pub area_border: bool,
    /// AS boundary router.
    pub as_boundary: bool,
    /// The area that the path goes through.
    pub area: String,
    /// Number of the calculation that found it.
    pub spf: u32,
}

impl OspfBorderRouters {
    /// From running processes.
    #[must_use]
    pub fn of(context: &ShowContext<'_>, running: &[Running<'_>]) -> Self {
        Self::collect(running, |running| {
            let routing = &running.process.routing;
            let mut list = Vec::new();
            for (&(router, area), route) in &routing.table.routers {
                list.extend(route.next_hops.iter().map(|hop| BorderRouter {
                    border_router: router.0,
                    inter_area: route.inter_area,
                    cost: route.cost,
                    next_hop: hop.address.unwrap_or(router.0),
                    interface: context.interface_name(hop.interface),
                    area_border: route.area_border,
                    as_boundary: route.as_boundary,
                    area: running.area_name(area),
                    spf: routing.schedule.area_runs(area).count,
                }));
            }
            list
        })
    }
}

impl Entry for BorderRouter {
    const INTRO: &'static str = "\n\t\tBase Topology (MTID 0)\n\nInternal Router Routing Table\n\
        Codes: i - Intra-area route, I - Inter-area route\n\n";

    fn render(&self, out: &mut String) {
        let code = if self.inter_area { 'I' } else { 'i' };
        let role = match (self.area_border, self.as_boundary) {
            (true, true) => "ABR/ASBR",
            (true, false) => "ABR",
            _ => "ASBR",
        };
        let Self { border_router, cost, next_hop, interface, area, spf, .. } = self;
        out.push_str(&format!(
            "{code} {border_router} [{cost}] via {next_hop}, {interface}, {role}, Area {area}, SPF {spf}\n"
        ));
    }

    fn read(entries: &mut Vec<Self>, line: Line<'_>) -> Result<(), ParseError> {
        let [code, border_router, cost, next_hop, interface, role, area, spf] = line
            .holes("{} {} [{}] via {}, {}, {}, Area {}, SPF {}")
            .ok_or_else(|| line.error("`i A [COST] via B, INTERFACE, ABR, Area N, SPF N`"))?;
        entries.push(Self {
            border_router: line.value(border_router, "a router id")?,
            inter_area: code == "I",
            cost: line.value(cost, "a cost")?,
            next_hop: line.value(next_hop, "a next hop")?,
            interface: interface.to_owned(),
            area_border: role.starts_with("ABR"),
            as_boundary: role.ends_with("ASBR"),
            area: area.to_owned(),
            spf: line.value(spf, "a number")?,
        });
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
        fn entry()(ids in any::<[u32; 4]>(), flags in any::<[bool; 2]>(), interface in arbitrary::interface(), area in arbitrary::word(&["0", "0.0.0.5"]),
            role in prop::sample::select(vec![(true, true), (true, false), (false, true)])) -> BorderRouter {
            BorderRouter {
                border_router: ids[0].into(), inter_area: flags[0], cost: ids[1], next_hop: ids[2].into(), interface,
                area_border: role.0, as_boundary: role.1, area, spf: ids[3],
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
