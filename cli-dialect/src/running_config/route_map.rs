//! `route-map`, `ip policy-list`.

use std::fmt::Display;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::policy::{
    AddressLists, Continue, ExtendedCommunity, ExtendedCommunityValue, MatchClauses, RouteMapEntry,
    RouteTypeMatch, SetAigp, SetClauses, SetCommunity, SetExtendedCommunities, SetMetric, SetMetricType,
    SetNextHop, SetOrigin,
};

use super::bgp::dampening_values;
use super::path_lists::{communities, values_of};
use super::{Lines, permission, source_name};
use crate::config::{DSCPS, PRECEDENCES};
use crate::grammar::Choice;

/// How many values a line may name.
const MOST_VALUES: usize = 16;

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for (name, map) in &config.policy.route_maps {
        for (sequence, entry) in &map.entries {
            lines.push(format!("route-map {name} {} {sequence}", permission(entry.action)));
            section(entry, config.policy.community_new_format, lines);
            lines.separator();
        }
    }
}

/// `ip policy-list`.
pub(super) fn policy_lists(config: &RouterConfig, lines: &mut Lines) {
    for (name, list) in &config.policy.policy_lists {
        lines.push(format!("ip policy-list {name} {}", permission(list.action)));
        matches(&list.matches, lines);
        lines.separator();
    }
}

fn section(entry: &RouteMapEntry, new_format: bool, lines: &mut Lines) {
    if let Some(text) = &entry.description {
        lines.inner(format!("description {text}"));
    }
    matches(&entry.matches, lines);
    sets(&entry.sets, new_format, lines);
    match entry.continues {
        None => {}
        Some(Continue::Next) => lines.inner("continue"),
        Some(Continue::At(sequence)) => lines.inner(format!("continue {sequence}")),
    }
}

/// The `match` lines and the `set` lines of an entry.
pub(crate) fn clauses(entry: &RouteMapEntry, new_format: bool) -> (Vec<String>, Vec<String>) {
    let (mut of_matches, mut of_sets) = (Lines::default(), Lines::default());
    matches(&entry.matches, &mut of_matches);
    sets(&entry.sets, new_format, &mut of_sets);
    let trimmed = |lines: Lines| lines.0.iter().map(|line| line.trim().to_owned()).collect();
    (trimmed(of_matches), trimmed(of_sets))
}

/// Values side by side, on as many lines as they need.
fn values<T: Display>(lines: &mut Lines, head: &str, values: impl IntoIterator<Item = T>) {
    let words: Vec<String> = values.into_iter().map(|value| value.to_string()).collect();
    for some in words.chunks(MOST_VALUES) {
        lines.inner(format!("{head} {}", some.join(" ")));
    }
}

fn address_lists(lines: &mut Lines, head: &str, lists: &AddressLists) {
    values(lines, head, &lists.access_lists);
    values(lines, &format!("{head} prefix-list"), &lists.prefix_lists);
}

fn matches(clauses: &MatchClauses, lines: &mut Lines) {
    values(lines, "match as-path", &clauses.as_paths);
    for some in clauses.communities.chunks(MOST_VALUES) {
        let exact = if clauses.communities_exact { " exact-match" } else { "" };
        lines.inner(format!("match community {}{exact}", some.join(" ")));
    }
    values(lines, "match extcommunity", &clauses.extended_communities);
    values(lines, "match policy-list", &clauses.policy_lists);
    address_lists(lines, "match ip address", &clauses.address);
    address_lists(lines, "match ip next-hop", &clauses.next_hop);
    address_lists(lines, "match ip route-source", &clauses.route_source);
    if let Some((least, greatest)) = clauses.length {
        lines.inner(format!("match length {least} {greatest}"));
    }
    values(lines, "match interface", &clauses.interfaces);
    for metric in &clauses.metrics {
        let deviation = metric.deviation;
        let deviation = if deviation == 0 { String::new() } else { format!(" +- {deviation}") };
        lines.inner(format!("match metric {}{deviation}", metric.value));
    }
    for route_type in &clauses.route_types {
        lines.inner(format!("match route-type {}", route_type_words(*route_type)));
    }
    for source in &clauses.sources {
        lines.inner(format!("match source-protocol {}", source_name(*source)));
    }
    values(lines, "match tag", &clauses.tags);
    values(lines, "match local-preference", &clauses.local_preferences);
}

const fn route_type_words(route_type: RouteTypeMatch) -> &'static str {
    match route_type {
        RouteTypeMatch::Local => "local",
        RouteTypeMatch::Internal => "internal",
        RouteTypeMatch::External => "external",
        RouteTypeMatch::ExternalType1 => "external type-1",
        RouteTypeMatch::ExternalType2 => "external type-2",
        RouteTypeMatch::NssaExternal => "nssa-external",
        RouteTypeMatch::NssaExternalType1 => "nssa-external type-1",
        RouteTypeMatch::NssaExternalType2 => "nssa-external type-2",
    }
}

fn sets(sets: &SetClauses, new_format: bool, lines: &mut Lines) {
    let named = |choice: &Choice, value: u8| {
        choice.name_of(u64::from(value)).map_or_else(|| value.to_string(), str::to_owned)
    };
    if let Some(metric) = sets.metric {
        lines.inner(format!("set metric {}", metric_words(metric)));
    }
    if let Some(metric_type) = sets.metric_type {
        let word = match metric_type {
            SetMetricType::Type1 => "type-1",
            SetMetricType::Type2 => "type-2",
            SetMetricType::Internal => "internal",
        };
        lines.inner(format!("set metric-type {word}"));
    }
    values(lines, "set tag", sets.tag);
    next_hops(&sets.next_hop, lines);
    values(lines, "set ip default next-hop", &sets.default_next_hops);
    values(lines, "set interface", &sets.interfaces);
    values(lines, "set default interface", &sets.default_interfaces);
    values(lines, "set ip precedence", sets.precedence.map(|value| named(&PRECEDENCES, value)));
    values(lines, "set ip dscp", sets.dscp.map(|value| named(&DSCPS, value)));
    values(lines, "set local-preference", sets.local_preference);
    values(lines, "set weight", sets.weight);
    values(lines, "set as-path prepend", &sets.as_path_prepend);
    values(lines, "set as-path prepend last-as", sets.as_path_prepend_last);
    if let Some(origin) = sets.origin {
        lines.inner(match origin {
            SetOrigin::Igp => "set origin igp".to_owned(),
            SetOrigin::Egp(asn) => format!("set origin egp {asn}"),
            SetOrigin::Incomplete => "set origin incomplete".to_owned(),
        });
    }
    if let Some(list) = &sets.delete_communities {
        lines.inner(format!("set comm-list {list} delete"));
    }
    if let Some(list) = &sets.delete_extended_communities {
        lines.inner(format!("set extcomm-list {list} delete"));
    }
    extended_communities(&sets.extended_communities, lines);
    match sets.aigp {
        Some(SetAigp::To(metric)) => lines.inner(format!("set aigp-metric {metric}")),
        Some(SetAigp::IgpMetric) => lines.inner("set aigp-metric igp-metric"),
        None => {}
    }
    if let Some(parameters) = &sets.dampening {
        lines.inner(format!("set dampening {}", dampening_values(parameters)));
    }
    values(lines, "set ip address prefix-list", &sets.injected);
    match &sets.community {
        None => {}
        Some(SetCommunity::None) => lines.inner("set community none"),
        Some(SetCommunity::These { communities: all, additive }) => {
            let additive = if *additive { " additive" } else { "" };
            lines.inner(format!("set community {}{additive}", communities(all, new_format)));
        }
    }
}

fn extended_communities(all: &SetExtendedCommunities, lines: &mut Lines) {
    if !all.route_targets.is_empty() {
        let additive = if all.additive { " additive" } else { "" };
        let targets: Vec<String> = all.route_targets.iter().map(|&one| values_of(one)).collect();
        lines.inner(format!("set extcommunity rt {}{additive}", targets.join(" ")));
    }
    values(lines, "set extcommunity soo", all.site_of_origin.map(values_of));
    for cost in &all.costs {
        if let ExtendedCommunityValue::Cost(point, id, cost) = cost.value() {
            let place = if point == ExtendedCommunity::BEFORE_BEST_PATH { "pre-bestpath " } else { "" };
            lines.inner(format!("set extcommunity cost {place}{id} {cost}"));
        }
    }
}

/// A metric as `set metric` writes it.
fn metric_words(metric: SetMetric) -> String {
    match metric {
        SetMetric::To(value) => value.to_string(),
        SetMetric::Add(value) => format!("+{value}"),
        SetMetric::Subtract(value) => format!("-{value}"),
        SetMetric::Vector(v) => {
            format!("{} {} {} {} {}", v.bandwidth_kbps, v.delay_tens_us, v.reliability, v.load, v.mtu)
        }
    }
}

fn next_hops(hop: &SetNextHop, lines: &mut Lines) {
    values(lines, "set ip next-hop", &hop.addresses);
    if hop.peer_address {
        lines.inner("set ip next-hop peer-address");
    }
    if hop.self_address {
        lines.inner("set ip next-hop self");
    }
    if hop.verify_availability {
        lines.inner("set ip next-hop verify-availability");
    }
    for (sequence, tracked) in &hop.tracked {
        lines.inner(format!(
            "set ip next-hop verify-availability {} {sequence} track {}",
            tracked.address, tracked.track
        ));
    }
    values(lines, "set ip next-hop recursive", hop.recursive);
}
