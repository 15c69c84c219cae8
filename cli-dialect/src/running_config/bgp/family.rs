//! Lines of an address family that are not about a neighbor.

use std::fmt::Write as _;

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::{
    AdditionalPaths, Aggregate, BgpConfig, Dampening, DampeningParameters, FamilyConfig, InstanceConfig,
    PathSelection, Redistribution,
};
use netconfarena_emu::policy::{RedistributionSource, classful};

use super::super::interface::address_and_mask;
use super::super::ospf::distribute_lists;
use super::super::ospf_match::match_words;
use super::Section;

/// Those that IOS writes before the neighbors.
pub(super) fn before_neighbors(bgp: &BgpConfig, settings: &InstanceConfig, section: &mut Section<'_>) {
    let family = &settings.ipv4;
    // What is said once for the process stands with the global table.
    if std::ptr::eq(settings, &bgp.global) {
        section.put_if(bgp.best_path.dmz_link_bandwidth, "bgp dmzlink-bw");
        section.put_if(!bgp.next_hop_trigger.enabled, "no bgp nexthop trigger enable");
        section.put_some("bgp nexthop trigger delay", bgp.next_hop_trigger.delay);
    }
    section.put_some("bgp router-id", settings.router_id);
    if let Some(words) = additional_paths(family.additional_paths) {
        section.put(format!("bgp additional-paths {words}"));
    }
    if !family.select.is_empty() {
        section.put(format!("bgp additional-paths select{}", selection(family.select)));
    }
    for (map, how) in &family.inject_maps {
        let copy = if how.copy_attributes { " copy-attributes" } else { "" };
        section.put(format!("bgp inject-map {map} exist-map {}{copy}", how.exist_map));
    }
    match &family.dampening {
        Some(Dampening::All(parameters)) if *parameters == DampeningParameters::default() => {
            section.put("bgp dampening");
        }
        Some(Dampening::All(parameters)) => {
            section.put(format!("bgp dampening {}", dampening_values(parameters)));
        }
        Some(Dampening::ByMap(map)) => section.put(format!("bgp dampening route-map {map}")),
        None => {}
    }
    section.put_if(family.redistribute_internal, "bgp redistribute-internal");
    section.put_if(family.suppress_inactive, "bgp suppress-inactive");
    section.put_if(family.synchronization, "synchronization");
    for (prefix, statement) in &family.networks {
        let mut line = network(*prefix);
        if let Some(map) = &statement.route_map {
            let _ = write!(line, " route-map {map}");
        }
        line.push_str(if statement.backdoor { " backdoor" } else { "" });
        section.put(line);
    }
    for (prefix, how) in &family.aggregates {
        section.put(aggregate(*prefix, how));
    }
    for (source, how) in &family.redistribute {
        section.put(redistribute(*source, how));
    }
}

/// Those that IOS writes behind them.
pub(super) fn behind_neighbors(family: &FamilyConfig, section: &mut Section<'_>) {
    section.put_some("maximum-paths", family.maximum_paths);
    section.put_some("maximum-paths ibgp", family.maximum_paths_ibgp);
    section.put_some("maximum-paths eibgp", family.maximum_paths_eibgp);
    section.put_if(family.default_information, "default-information originate");
    section.put_some("default-metric", family.default_metric);
    if let Some(d) = family.distance {
        section.put(format!("distance bgp {} {} {}", d.external, d.internal, d.local));
    }
    for line in &family.distance_by_source {
        let list = line.access_list.as_ref().map_or(String::new(), |list| format!(" {list}"));
        section.put(format!("distance {} {} {}{list}", line.distance, line.source.address, line.source.mask));
    }
    for line in distribute_lists(family.distribute_in.as_ref(), &family.distribute_out) {
        section.put(line);
    }
    if let Some(map) = &family.table_map {
        section.put(format!("table-map {}{}", map.route_map, if map.filter { " filter" } else { "" }));
    }
    section.put_if(family.auto_summary, "auto-summary");
}

/// The mask is left out where it is that of the address's class.
fn network(prefix: Ipv4Net) -> String {
    if prefix.prefix_len() == 0 || prefix == classful::network(prefix.network()) {
        format!("network {}", prefix.network())
    } else {
        format!("network {} mask {}", prefix.network(), prefix.netmask())
    }
}

fn aggregate(prefix: Ipv4Net, how: &Aggregate) -> String {
    let mut line = format!("aggregate-address {}", address_and_mask(prefix));
    line.push_str(if how.as_set { " as-set" } else { "" });
    line.push_str(if how.summary_only { " summary-only" } else { "" });
    for (keyword, map) in [
        ("suppress-map", &how.suppress_map),
        ("advertise-map", &how.advertise_map),
        ("attribute-map", &how.attribute_map),
    ] {
        if let Some(map) = map {
            let _ = write!(line, " {keyword} {map}");
        }
    }
    line
}

fn redistribute(source: RedistributionSource, how: &Redistribution) -> String {
    let mut line = match source {
        RedistributionSource::Connected => "redistribute connected".to_owned(),
        RedistributionSource::Static => "redistribute static".to_owned(),
        RedistributionSource::Rip => "redistribute rip".to_owned(),
        RedistributionSource::Eigrp(asn) => format!("redistribute eigrp {asn}"),
        RedistributionSource::Ospf(process) => format!("redistribute ospf {process}"),
        RedistributionSource::Bgp(asn) => format!("redistribute bgp {asn}"),
    };
    if let Some(metric) = how.metric {
        let _ = write!(line, " metric {metric}");
    }
    line += &match_words(&how.match_types);
    if let Some(map) = &how.route_map {
        let _ = write!(line, " route-map {map}");
    }
    line
}

/// `send receive`; `None` if nothing is offered.
pub(super) fn additional_paths(paths: AdditionalPaths) -> Option<&'static str> {
    match (paths.send, paths.receive) {
        (true, true) => Some("send receive"),
        (true, false) => Some("send"),
        (false, true) => Some("receive"),
        (false, false) => None,
    }
}

/// The words behind `select` and `advertise additional-paths`, each with a blank before it.
pub(super) fn selection(select: PathSelection) -> String {
    let all = if select.all { " all" } else { "" };
    let best = select.best.map_or(String::new(), |best| format!(" best {best}"));
    format!("{all}{best}{}", if select.group_best { " group-best" } else { "" })
}

/// The four numbers.
pub(crate) fn dampening_values(parameters: &DampeningParameters) -> String {
    let DampeningParameters { half_life, reuse, suppress, max_suppress } = parameters;
    format!("{half_life} {reuse} {suppress} {max_suppress}")
}
