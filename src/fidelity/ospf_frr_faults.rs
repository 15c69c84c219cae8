//! Where FRR 8.4 contradicts itself: summaries that it left as an earlier state of the network had them.
//!
//! Its border routers calculate while adjacencies still come up, and do not always tell the last result, or their neighbors keep an instance
//! that the maker has replaced. The makers' own routing tables show what is due, so such a summary is told from one on which the two
//! implementations disagree.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;

use super::model::Model;
use super::ospf_model::OspfModel;
use super::ospf_view::OspfView;

/// The summaries of all FRR routers of a network that their makers' own tables contradict.
#[derive(Clone, Debug, Default)]
pub struct FrrFaults {
    /// By destination and maker, the cost that the maker's own routes give.
    due_costs: BTreeMap<(Ipv4Addr, String), u64>,
    /// Destinations told into the area that they lie in.
    at_home: BTreeSet<(u32, Ipv4Addr)>,
    /// LSAs of which other routers keep something else than their makers hold themselves: the key, and what the maker holds.
    former: BTreeMap<String, String>,
    /// LSAs of an area that others keep though their makers hold none.
    left_over: BTreeSet<String>,
}

impl FrrFaults {
    /// Looks through what all routers of a network know.
    #[must_use]
    pub fn find(model: &OspfModel, views: &[OspfView]) -> Self {
        let mut faults = Self::default();
        for line in views.iter().flat_map(|view| &view.lsas) {
            let Some(summary) = Summary::of(line) else { continue };
            if homes(model, &summary).contains(&summary.area) {
                faults.at_home.insert((summary.area, summary.destination));
            } else if let Some(due) = due_cost(model, views, &summary).filter(|due| *due != summary.cost) {
                faults.due_costs.insert((summary.destination, summary.maker.to_owned()), due);
            }
        }
        for (key, contents) in
            views.iter().flat_map(|view| &view.lsas).filter_map(|line| line.split_once(": "))
        {
            match own_instance(model, views, key) {
                Some(own) if own != contents => {
                    faults.former.insert(key.to_owned(), own.to_owned());
                }
                None if maker_is_in_area(model, key) => {
                    faults.left_over.insert(key.to_owned());
                }
                _ => {}
            }
        }
        faults
    }

    /// Why FRR's view may differ from the emulator's, if one of these faults is the reason. `key` is as in a comparison; `areas` are those of
    /// the router whose views differ.
    #[must_use]
    pub fn explain(&self, key: &str, emulator: Option<&str>, areas: &BTreeSet<u32>) -> Option<&'static str> {
        if self.former.get(key).is_some_and(|own| emulator == Some(own)) {
            return Some(
                "FRR's routers keep a former instance: the LSA's maker holds what the emulator tells",
            );
        }
        if emulator.is_none() && self.left_over.contains(key) {
            return Some("FRR's routers keep what the LSA's maker has taken back: it holds none itself");
        }
        let words: Vec<&str> = key.split(' ').collect();
        match (&words[..], emulator) {
            (&[area, "summary" | "asbr", destination, _], None) => {
                let place = (u32::from(area.parse::<Ipv4Addr>().ok()?), destination.parse().ok()?);
                self.at_home.contains(&place).then_some(
                    "FRR tells an area's own destination into that very area; RFC 2328 section 12.4.3 tells it into the others",
                )
            }
            (&[_, "summary", destination, maker], Some(cost)) => {
                let due = self.due_costs.get(&(destination.parse().ok()?, maker.to_owned()))?;
                (due.to_string() == cost)
                    .then_some("FRR left a summary at an outdated cost: its maker's own routes cost what the emulator tells")
            }
            (&["route", prefix], _) => {
                let destination = prefix.parse::<Ipv4Net>().ok()?.network();
                let outdated = self.due_costs.keys().any(|(other, _)| *other == destination);
                let at_home = areas.iter().any(|&area| self.at_home.contains(&(area, destination)));
                (outdated || at_home).then_some("follows from a summary that FRR's own tables contradict")
            }
            _ => None,
        }
    }
}

/// A type 3 or 4 LSA of a view.
struct Summary<'a> {
    area: u32,
    is_asbr: bool,
    destination: Ipv4Addr,
    maker: &'a str,
    cost: u64,
}

impl<'a> Summary<'a> {
    fn of(line: &'a str) -> Option<Self> {
        let (key, cost) = line.split_once(": ")?;
        let mut words = key.split(' ');
        let area: Ipv4Addr = words.next()?.parse().ok()?;
        let is_asbr = match words.next()? {
            "summary" => false,
            "asbr" => true,
            _ => return None,
        };
        let (destination, maker) = (words.next()?.parse().ok()?, words.next()?);
        Some(Self { area: area.into(), is_asbr, destination, maker, cost: cost.parse().ok()? })
    }
}

/// Whether the maker of an LSA belongs to the area whose LSA it is, and so must hold it itself.
fn maker_is_in_area(model: &OspfModel, key: &str) -> bool {
    let maker = key.split(' ').next_back().and_then(|id| router_of(model, id.parse().ok()?));
    let area = key.split(' ').next().and_then(|area| area.parse::<Ipv4Addr>().ok());
    maker.zip(area).is_some_and(|(maker, area)| model.areas_of(maker).contains(&u32::from(area)))
}

/// What the maker of an LSA, the last word of its key, holds of it.
fn own_instance<'a>(model: &OspfModel, views: &'a [OspfView], key: &str) -> Option<&'a str> {
    let maker = router_of(model, key.split(' ').next_back()?.parse().ok()?)?;
    let mut own = views.get(maker)?.lsas.iter().filter_map(|line| line.split_once(": "));
    own.find(|(other, _)| *other == key).map(|(_, contents)| contents)
}

fn router_of(model: &OspfModel, id: Ipv4Addr) -> Option<usize> {
    (0..model.routers).find(|&router| OspfModel::router_id(router) == id)
}

/// The areas that a destination lies in: a cable, a loopback, a range, or an AS boundary router.
fn homes(model: &OspfModel, summary: &Summary<'_>) -> BTreeSet<u32> {
    if summary.is_asbr {
        return router_of(model, summary.destination)
            .map_or_else(BTreeSet::new, |router| model.areas_of(router));
    }
    let cables = model.links.iter().enumerate().map(|(link, cable)| {
        let [a, b, c, _] = OspfModel::address(link, 0).octets();
        (Ipv4Addr::new(a, b, c, 0), cable.area)
    });
    let loopbacks = (0..model.routers).map(|router| (model.loopback(router), model.loopback_areas[router]));
    let ranges = model.ranges.iter().map(|range| (OspfModel::range_address(range.area), range.area));
    let all = cables.chain(loopbacks).chain(ranges);
    all.filter(|(address, _)| *address == summary.destination).map(|(_, area)| area).collect()
}

/// What the maker's own routes cost to a network; to a range the greatest cost of the networks within (RFC 2328 section 12.4.3).
fn due_cost(model: &OspfModel, views: &[OspfView], summary: &Summary<'_>) -> Option<u64> {
    if summary.is_asbr {
        return None;
    }
    let destination = summary.destination;
    let teller = router_of(model, summary.maker.parse().ok()?)?;
    // Who borders the range's area condenses the networks in it; others pass on the range as they have heard it.
    let condenses = |area: &u32| OspfModel::range_address(*area) == destination;
    let condensed = model.ranges.iter().map(|range| range.area).find(condenses);
    let range = condensed.filter(|area| model.areas_of(teller).contains(area));
    let range = range.and_then(|_| Ipv4Net::new(destination, OspfModel::RANGE_LENGTH).ok());
    let within = views.get(teller)?.routes.iter().filter(|(prefix, route)| match &range {
        Some(range) => route.kind == "N" && range.contains(*prefix),
        None => prefix.network() == destination,
    });
    within.map(|(_, route)| route.cost).max()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::fidelity::ospf_view::RouteView;

    const MAKER: &str = "192.168.255.1";

    /// A border router that knows two loopbacks of area 1, the farther at 46, and says one line more.
    fn border(line: &str) -> OspfView {
        let route = |cost| RouteView { kind: "N".to_owned(), cost, type2: 0, next_hops: BTreeSet::new() };
        let mut view = OspfView::default();
        view.routes.insert("10.201.2.1/32".parse().unwrap(), route(31));
        view.routes.insert("10.201.3.1/32".parse().unwrap(), route(46));
        view.lsas.insert(line.to_owned());
        view
    }

    fn with_range() -> OspfModel {
        let has_range = |model: &OspfModel| model.ranges.iter().any(|range| range.area == 1);
        (0..).map(OspfModel::random).find(has_range).unwrap()
    }

    #[test]
    fn only_a_cost_that_contradicts_frrs_own_routes_is_explained() {
        let model = with_range();
        let areas = BTreeSet::from([0]);
        for (destination, due) in [("10.201.0.0", "46"), ("10.201.2.1", "31")] {
            let key = format!("0.0.0.0 summary {destination} {MAKER}");
            let find = |cost: &str| FrrFaults::find(&model, &[border(&format!("{key}: {cost}"))]);
            assert!(find(due).explain(&key, Some(due), &areas).is_none(), "FRR is right");
            assert!(find("20").explain(&key, Some(due), &areas).is_some());
            assert!(
                find("20").explain(&key, Some("41"), &areas).is_none(),
                "the emulator must tell what is due"
            );
            assert!(find("20").explain(&key, None, &areas).is_none(), "the emulator must tell it");
        }
        let key = format!("0.0.0.0 summary 10.201.0.0 {MAKER}");
        let mut other = OspfView::default();
        other.lsas.insert(format!("{key}: 20"));
        let faults = FrrFaults::find(&model, &[border(&format!("{key}: 46")), other]);
        assert!(faults.explain(&key, Some("46"), &areas).is_some(), "another router keeps a former instance");
        let far = (0..model.routers).find(|&router| !model.areas_of(router).contains(&1)).unwrap();
        let mut views = vec![OspfView::default(); model.routers];
        let heard = RouteView { kind: "N IA".to_owned(), cost: 61, type2: 0, next_hops: BTreeSet::new() };
        views[far].routes.insert("10.201.0.0/16".parse().unwrap(), heard);
        let key_of_far = format!("0.0.0.2 summary 10.201.0.0 {}", OspfModel::router_id(far));
        views[0].lsas.insert(format!("{key_of_far}: 46"));
        let faults = FrrFaults::find(&model, &views);
        assert!(
            faults.explain(&key_of_far, Some("61"), &areas).is_some(),
            "a router far from the range passes it on"
        );
        assert!(faults.explain(&key_of_far, Some("56"), &areas).is_none());
        let faults = FrrFaults::find(&model, &[border(&format!("{key}: 20"))]);
        assert!(faults.explain("route 10.201.0.0/16", Some("N IA"), &areas).is_some());
        assert!(faults.explain("route 10.202.0.0/16", Some("N IA"), &areas).is_none());
    }

    #[test]
    fn a_former_instance_is_told_by_what_the_maker_holds() {
        let model = with_range();
        let key = format!("0.0.0.0 asbr 192.168.255.4 {MAKER}");
        let mut views = vec![OspfView::default(); model.routers];
        views[0].lsas.insert(format!("{key}: 20"));
        views[1].lsas.insert(format!("{key}: 15"));
        let faults = FrrFaults::find(&model, &views);
        assert!(faults.explain(&key, Some("20"), &BTreeSet::from([0])).is_some());
        assert!(
            faults.explain(&key, Some("15"), &BTreeSet::from([0])).is_none(),
            "the maker says something else"
        );
        views[1].lsas.clear();
        assert!(FrrFaults::find(&model, &views).explain(&key, Some("20"), &BTreeSet::from([0])).is_none());
    }

    #[test]
    fn what_its_maker_has_taken_back_is_left_over_only_in_the_makers_own_area() {
        let model = with_range();
        let maker = (0..model.routers).find(|&router| !model.areas_of(router).contains(&1)).unwrap();
        let area = Ipv4Addr::from(model.areas_of(maker).first().copied().unwrap());
        let mut views = vec![OspfView::default(); model.routers];
        let keys = [area, Ipv4Addr::new(0, 0, 0, 1)]
            .map(|area| format!("{area} asbr 192.168.255.99 {}", OspfModel::router_id(maker)));
        let other = (maker + 1) % model.routers;
        views[other].lsas.extend(keys.iter().map(|key| format!("{key}: 20")));
        let explains = |views: &[OspfView], key: &str, emulator| {
            FrrFaults::find(&model, views).explain(key, emulator, &BTreeSet::from([0])).is_some()
        };
        assert!(explains(&views, &keys[0], None));
        assert!(!explains(&views, &keys[0], Some("20")), "the emulator tells it, too");
        assert!(!explains(&views, &keys[1], None), "the maker cannot hold what it is not told");
        views[maker].lsas.insert(format!("{}: 20", keys[0]));
        assert!(!explains(&views, &keys[0], None), "the maker means it");
    }

    #[test]
    fn a_destination_told_into_its_own_area_is_frrs_mistake_elsewhere_it_is_not() {
        let model = with_range();
        let cable = model.links.iter().position(|cable| cable.area == 1).unwrap();
        let [a, b, c, _] = OspfModel::address(cable, 0).octets();
        for (destination, length) in [(Ipv4Addr::new(10, 201, 0, 0), 16), (Ipv4Addr::new(a, b, c, 0), 24)] {
            let (home, abroad) = (
                format!("0.0.0.1 summary {destination} 192.168.255.2"),
                format!("0.0.0.0 summary {destination} 192.168.255.2"),
            );
            let faults = FrrFaults::find(&model, &[border(&format!("{home}: 26"))]);
            assert!(faults.explain(&home, None, &BTreeSet::from([1])).is_some());
            assert!(faults.explain(&abroad, None, &BTreeSet::from([1])).is_none());
            assert!(
                faults
                    .explain(&format!("route {destination}/{length}"), None, &BTreeSet::from([1]))
                    .is_some()
            );
            assert!(
                faults
                    .explain(&format!("route {destination}/{length}"), None, &BTreeSet::from([0]))
                    .is_none()
            );
        }
    }
}
