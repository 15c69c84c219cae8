//! Tests of summary LSAs.

use std::sync::Arc;

use super::*;
use crate::ospf::config::NssaOptions;
use crate::ospf::handcrafted::{hop, rid};
use crate::ospf::route_table::{OspfPath, RouterRoute};

/// Interface N belongs to area N.
fn route(path_type: PathType, area: u32, cost: u32, interface: u32) -> OspfRoute {
    let path = OspfPath { next_hop: hop(interface, "10.0.0.9"), from: rid(9) };
    OspfRoute {
        path_type,
        nssa: false,
        area: AreaId(area),
        cost,
        type2_cost: 0,
        tag: 0,
        paths: Arc::new([path]),
    }
}

struct Setting {
    table: RouteTable,
    ranges: BTreeMap<u32, BTreeMap<Ipv4Net, AreaRange>>,
    kinds: BTreeMap<u32, AreaKind>,
    transit: BTreeSet<u32>,
    rfc1583_compatible: bool,
    max_metric: Option<u32>,
    denied_out_of: Option<(u32, Ipv4Net)>,
    denied_into: Option<(u32, Ipv4Net)>,
}

impl Setting {
    /// Areas 0, 1 and 2.
    fn new(routes: &[(&str, OspfRoute)]) -> Self {
        let mut table = RouteTable::default();
        table.networks.extend(routes.iter().map(|(prefix, route)| (prefix.parse().unwrap(), route.clone())));
        Self {
            table,
            ranges: (0..3).map(|area| (area, BTreeMap::new())).collect(),
            kinds: (0..3).map(|area| (area, AreaKind::Normal)).collect(),
            transit: BTreeSet::new(),
            rfc1583_compatible: true,
            max_metric: None,
            denied_out_of: None,
            denied_into: None,
        }
    }

    fn range(mut self, area: u32, prefix: &str, range: AreaRange) -> Self {
        self.ranges.get_mut(&area).unwrap().insert(prefix.parse().unwrap(), range);
        self
    }

    fn kind(mut self, area: u32, kind: AreaKind) -> Self {
        self.kinds.insert(area, kind);
        self
    }

    fn lsas(&self, target: u32) -> Wanted {
        let interface_areas = (0..3).map(|n| (IfIndex(n), AreaId(n))).collect();
        let denies = |rule: Option<(u32, Ipv4Net)>| move |net| rule.is_none_or(|(_, denied)| net != denied);
        let (out, into) = (denies(self.denied_out_of), denies(self.denied_into));
        let applies = |rule: Option<(u32, Ipv4Net)>, area| rule.is_some_and(|(of, _)| of == area);
        let areas: Vec<SummaryArea<'_>> = (0..3)
            .map(|n| SummaryArea {
                id: AreaId(n),
                kind: self.kinds[&n],
                default_cost: 1,
                ranges: &self.ranges[&n],
                transit: self.transit.contains(&n),
                filter_in: applies(self.denied_into, n).then_some(&into as &dyn Fn(Ipv4Net) -> bool),
                filter_out: applies(self.denied_out_of, n).then_some(&out as &dyn Fn(Ipv4Net) -> bool),
            })
            .collect();
        let view = SummaryView {
            router_id: rid(1),
            table: &self.table,
            areas: &areas,
            interface_areas: &interface_areas,
            rfc1583_compatible: self.rfc1583_compatible,
            max_metric: self.max_metric,
        };
        summary_lsas(&view, &areas[target as usize])
    }

    /// Type 3 LSAs in `target` as "prefix metric".
    fn networks(&self, target: u32) -> Vec<String> {
        let network = |(key, content): (LsaKey, Content)| match content.body {
            LsaBody::SummaryNetwork(body) => {
                let prefix = Ipv4Net::with_netmask(key.link_state_id, body.mask).unwrap().trunc();
                Some(format!("{prefix} {}", body.metric))
            }
            _ => None,
        };
        self.lsas(target).into_iter().filter_map(network).collect()
    }

    fn boundary_routers(&self, target: u32) -> Vec<String> {
        let router = |(key, content): (LsaKey, Content)| match content.body {
            LsaBody::SummaryAsbr(body) => Some(format!("{} {}", key.link_state_id, body.metric)),
            _ => None,
        };
        self.lsas(target).into_iter().filter_map(router).collect()
    }
}

const INTRA: PathType = PathType::IntraArea;
const INTER: PathType = PathType::InterArea;

fn two_components() -> Setting {
    Setting::new(&[("10.1.0.0/24", route(INTRA, 1, 10, 1)), ("10.1.1.0/24", route(INTRA, 1, 20, 1))])
}

#[test]
fn rfc12_4_3_intra_area_networks_are_told_to_the_other_areas() {
    let setting = two_components();
    assert_eq!(setting.networks(0), ["10.1.0.0/24 10", "10.1.1.0/24 20"]);
    assert_eq!(setting.networks(2).len(), 2);
    assert_eq!(setting.networks(1).len(), 0);
}

#[test]
fn rfc12_4_3_inter_area_networks_go_from_the_backbone_outwards_only() {
    let setting = Setting::new(&[("10.9.0.0/24", route(INTER, 0, 10, 0))]);
    assert_eq!(setting.networks(1), ["10.9.0.0/24 10"]);
    assert_eq!(setting.networks(0).len(), 0);
    let cut_off = Setting::new(&[("10.9.0.0/24", route(INTER, 1, 10, 1))]);
    assert_eq!(cut_off.networks(0).len() + cut_off.networks(2).len(), 0);
}

#[test]
fn rfc12_4_3_external_and_unreachable_networks_are_not_told() {
    let setting = Setting::new(&[
        ("10.8.0.0/24", route(PathType::External2, 0, 10, 0)),
        ("10.9.0.0/24", route(INTRA, 0, LS_INFINITY, 0)),
    ]);
    assert_eq!(setting.networks(1).len(), 0);
}

#[test]
fn rfc12_4_3_what_is_reached_through_the_area_itself_is_not_told_there() {
    // A backbone network over a virtual link whose transit area is area 1.
    let setting = Setting::new(&[("10.9.0.0/24", route(INTRA, 0, 10, 1))]);
    assert_eq!(setting.networks(1).len(), 0);
    assert_eq!(setting.networks(2), ["10.9.0.0/24 10"]);
}

#[test]
fn rfc12_4_3_a_range_takes_the_place_of_its_components() {
    let setting = two_components().range(1, "10.1.0.0/16", AreaRange::default());
    assert_eq!(setting.networks(0), ["10.1.0.0/16 10"], "with RFC 1583 compatibility the nearest counts");
    let farthest = Setting { rfc1583_compatible: false, ..setting };
    assert_eq!(farthest.networks(0), ["10.1.0.0/16 20"]);
    let cost = AreaRange { cost: Some(77), ..AreaRange::default() };
    assert_eq!(two_components().range(1, "10.1.0.0/16", cost).networks(0), ["10.1.0.0/16 77"]);
}

#[test]
fn rfc12_4_3_ranges_hide_with_not_advertise_and_do_nothing_without_components() {
    let hidden = AreaRange { not_advertise: true, ..AreaRange::default() };
    assert_eq!(two_components().range(1, "10.1.0.0/24", hidden).networks(0), ["10.1.1.0/24 20"]);
    let idle = two_components().range(2, "10.2.0.0/16", AreaRange::default());
    assert_eq!(idle.networks(0).len(), 2);
}

#[test]
fn rfc12_4_3_the_backbones_ranges_do_not_apply_towards_a_transit_area() {
    let mut setting = Setting::new(&[("10.0.1.0/24", route(INTRA, 0, 10, 0))]).range(
        0,
        "10.0.0.0/16",
        AreaRange::default(),
    );
    assert_eq!(setting.networks(1), ["10.0.0.0/16 10"]);
    setting.transit.insert(1);
    assert_eq!(setting.networks(1), ["10.0.1.0/24 10"]);
    assert_eq!(setting.networks(2), ["10.0.0.0/16 10"]);
}

#[test]
fn rfc12_4_3_1_stub_areas_get_a_default() {
    let stub = |no_summary| two_components().kind(2, AreaKind::Stub { no_summary });
    assert_eq!(stub(false).networks(2), ["0.0.0.0/0 1", "10.1.0.0/24 10", "10.1.1.0/24 20"]);
    assert_eq!(stub(true).networks(2), ["0.0.0.0/0 1"]);
}

#[test]
fn rfc3101_2_7_an_nssa_gets_a_summary_default_only_without_summaries() {
    let nssa = |no_summary| {
        two_components().kind(2, AreaKind::Nssa(NssaOptions { no_summary, ..NssaOptions::default() }))
    };
    assert_eq!(nssa(false).networks(2), ["10.1.0.0/24 10", "10.1.1.0/24 20"]);
    assert_eq!(nssa(true).networks(2), ["0.0.0.0/0 1"]);
}

#[test]
fn filter_lists_work_out_of_the_source_and_into_the_target() {
    let denied: Ipv4Net = "10.1.0.0/24".parse().unwrap();
    let out = Setting { denied_out_of: Some((1, denied)), ..two_components() };
    assert_eq!(out.networks(0), ["10.1.1.0/24 20"]);
    assert_eq!(out.networks(2), ["10.1.1.0/24 20"]);
    let into = Setting { denied_into: Some((2, denied)), ..two_components() };
    assert_eq!(into.networks(0).len(), 2);
    assert_eq!(into.networks(2), ["10.1.1.0/24 20"]);
}

#[test]
fn max_metric_summary_lsa_overrides_the_cost() {
    let setting = Setting { max_metric: Some(16_711_680), ..two_components() };
    assert_eq!(setting.networks(0), ["10.1.0.0/24 16711680", "10.1.1.0/24 16711680"]);
}

fn with_boundary_router(area: u32, inter_area: bool, interface: u32) -> Setting {
    let mut setting = Setting::new(&[]);
    let route = RouterRoute {
        inter_area,
        cost: 30,
        next_hops: Arc::new([hop(interface, "10.0.0.9")]),
        area_border: false,
        as_boundary: true,
        nssa_translator: false,
    };
    setting.table.routers.insert((rid(7), AreaId(area)), route);
    setting
}

#[test]
fn rfc12_4_3_boundary_routers_are_told_to_other_areas_but_not_to_stub_areas() {
    let setting = with_boundary_router(1, false, 1);
    assert_eq!(setting.boundary_routers(0), ["7.7.7.7 30"]);
    assert_eq!(setting.boundary_routers(1).len(), 0);
    let stub = with_boundary_router(1, false, 1).kind(2, AreaKind::Stub { no_summary: false });
    assert_eq!(stub.boundary_routers(2).len(), 0);
    let nssa = with_boundary_router(1, false, 1).kind(1, AreaKind::Nssa(NssaOptions::default()));
    assert_eq!(nssa.boundary_routers(0).len(), 0, "RFC 3101: its type 7 LSAs are translated");
    let inter = with_boundary_router(0, true, 0);
    assert_eq!(inter.boundary_routers(1), ["7.7.7.7 30"]);
    assert_eq!(with_boundary_router(1, true, 1).boundary_routers(0).len(), 0);
}
