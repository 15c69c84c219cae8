//! `router ospf N` sections.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::AreaId;
use netconfarena_emu::ospf::{
    AreaConfig, AreaKind, AuthenticationMode, ExternalMetricType, LogAdjacency, MaxMetric, OnStartup,
    OspfConfig, Redistribution, Throttle,
};
use netconfarena_emu::policy::{DistributeList, RedistributionSource};

use super::Lines;
use super::eigrp::filter;
use super::interface::{address_and_mask, authentication};
use super::ospf_match::match_words;

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for (process, ospf) in &config.ospf {
        let vrf = ospf.vrf.as_ref().map_or(String::new(), |vrf| format!(" vrf {vrf}"));
        lines.push(format!("router ospf {process}{vrf}"));
        section(ospf, lines);
        lines.separator();
    }
}

/// An area in the notation in which it was configured.
pub(super) fn area(area: AreaId, dotted: bool) -> String {
    if dotted { area.as_ipv4().to_string() } else { area.to_string() }
}

fn section(ospf: &OspfConfig, lines: &mut Lines) {
    if let Some(id) = ospf.router_id {
        lines.inner(format!("router-id {id}"));
    }
    general(ospf, lines);
    for (&id, config) in &ospf.areas {
        area_lines(&area(id, config.dotted), config, lines);
    }
    for (prefix, summary) in &ospf.summary_addresses {
        let mut line = format!("summary-address {}", address_and_mask(*prefix));
        line.push_str(if summary.not_advertise { " not-advertise" } else { "" });
        line.push_str(if summary.nssa_only { " nssa-only" } else { "" });
        if let Some(tag) = summary.tag {
            let _ = write!(line, " tag {tag}");
        }
        lines.inner(line);
    }
    timers(ospf, lines);
    for (source, redistribution) in &ospf.redistribute {
        lines.inner(redistribute(*source, redistribution));
    }
    passive(ospf, lines);
    for statement in &ospf.networks {
        let dotted = ospf.areas.get(&statement.area).is_some_and(|a| a.dotted);
        let shown = area(statement.area, dotted);
        lines.inner(format!(
            "network {} {} area {shown}",
            statement.wildcard.address, statement.wildcard.mask
        ));
    }
    neighbors(ospf, lines);
    if let Some(default) = &ospf.default_information {
        let mut line = "default-information originate".to_owned();
        line.push_str(if default.always { " always" } else { "" });
        metric_tail(&mut line, default.metric, default.metric_type, default.route_map.as_deref());
        lines.inner(line);
    }
    if let Some(metric) = ospf.default_metric {
        lines.inner(format!("default-metric {metric}"));
    }
    if let Some(count) = ospf.maximum_paths {
        lines.inner(format!("maximum-paths {count}"));
    }
    distances(ospf, lines);
    for line in distribute_lists(ospf.distribute_in.as_ref(), &ospf.distribute_out) {
        lines.inner(line);
    }
}

fn general(ospf: &OspfConfig, lines: &mut Lines) {
    match ospf.ttl_security_hops {
        Some(1) => lines.inner("ttl-security all-interfaces"),
        Some(hops) => lines.inner(format!("ttl-security all-interfaces hops {hops}")),
        None => {}
    }
    if let Some(max_metric) = &ospf.max_metric {
        lines.inner(max_metric_line(max_metric));
    }
    if ospf.prefix_suppression {
        lines.inner("prefix-suppression");
    }
    if let Some(mbps) = ospf.reference_bandwidth {
        lines.inner(format!("auto-cost reference-bandwidth {mbps}"));
    }
    match ospf.log_adjacency_changes {
        LogAdjacency::Normal => {}
        LogAdjacency::Detail => lines.inner("log-adjacency-changes detail"),
        LogAdjacency::Off => lines.inner("no log-adjacency-changes"),
    }
    if ospf.no_rfc1583 {
        lines.inner("no compatible rfc1583");
    }
    let nsf = [
        ("cisco helper disable", ospf.no_cisco_nsf_helper),
        ("ietf helper disable", ospf.no_nsf_helper),
        ("ietf helper strict-lsa-checking", ospf.nsf_strict_lsa_checking),
    ];
    for (words, _) in nsf.into_iter().filter(|(_, on)| *on) {
        lines.inner(format!("nsf {words}"));
    }
    if ospf.shutdown {
        lines.inner("shutdown");
    }
}

fn max_metric_line(max_metric: &MaxMetric) -> String {
    /// What IOS leaves unsaid.
    const DEFAULT: u32 = 16_711_680;
    let mut line = "max-metric router-lsa".to_owned();
    for (name, metric) in [("external-lsa", max_metric.external_lsa), ("summary-lsa", max_metric.summary_lsa)]
    {
        let _ = match metric {
            Some(DEFAULT) => write!(line, " {name}"),
            Some(metric) => write!(line, " {name} {metric}"),
            None => Ok(()),
        };
    }
    line.push_str(if max_metric.include_stub { " include-stub" } else { "" });
    let _ = match max_metric.on_startup {
        Some(OnStartup::Seconds(seconds)) => write!(line, " on-startup {seconds}"),
        Some(OnStartup::WaitForBgp) => write!(line, " on-startup wait-for-bgp"),
        None => Ok(()),
    };
    line
}

fn area_lines(id: &str, config: &AreaConfig, lines: &mut Lines) {
    let mut put = |text: String| lines.inner(format!("area {id} {text}"));
    match config.authentication {
        Some(AuthenticationMode::MessageDigest) => put("authentication message-digest".to_owned()),
        Some(_) => put("authentication".to_owned()),
        None => {}
    }
    match config.kind {
        AreaKind::Normal => {}
        AreaKind::Stub { no_summary } => put(if no_summary { "stub no-summary" } else { "stub" }.to_owned()),
        AreaKind::Nssa(options) => {
            let mut line = "nssa".to_owned();
            line.push_str(if options.no_redistribution { " no-redistribution" } else { "" });
            if let Some(default) = options.default_information {
                line.push_str(" default-information-originate");
                metric_tail(&mut line, default.metric, default.metric_type, None);
            }
            line.push_str(if options.no_summary { " no-summary" } else { "" });
            if options.translate_always || options.suppress_forwarding_address {
                line.push_str(" translate type7");
                line.push_str(if options.translate_always { " always" } else { "" });
                line.push_str(if options.suppress_forwarding_address { " suppress-fa" } else { "" });
            }
            put(line);
        }
    }
    if let Some(cost) = config.default_cost {
        put(format!("default-cost {cost}"));
    }
    for (prefix, range) in &config.ranges {
        let hidden = if range.not_advertise { " not-advertise" } else { "" };
        let cost = range.cost.map_or(String::new(), |cost| format!(" cost {cost}"));
        put(format!("range {}{hidden}{cost}", address_and_mask(*prefix)));
    }
    for (peer, link) in &config.virtual_links {
        put(format!("virtual-link {peer}"));
        let numbers = [
            ("hello-interval", link.hello_interval.map(u32::from)),
            ("dead-interval", link.dead_interval),
            ("retransmit-interval", link.retransmit_interval.map(u32::from)),
            ("transmit-delay", link.transmit_delay.map(u32::from)),
            ("ttl-security hops", link.ttl_security_hops.map(u32::from)),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                put(format!("virtual-link {peer} {name} {value}"));
            }
        }
        authentication(&link.authentication, &mut |text| put(format!("virtual-link {peer} {text}")));
    }
    for (list, direction) in [(&config.filter_in, "in"), (&config.filter_out, "out")] {
        if let Some(list) = list {
            put(format!("filter-list prefix {list} {direction}"));
        }
    }
}

fn metric_tail(line: &mut String, metric: Option<u32>, kind: Option<ExternalMetricType>, map: Option<&str>) {
    if let Some(metric) = metric {
        let _ = write!(line, " metric {metric}");
    }
    if let Some(kind) = kind {
        let _ = write!(line, " metric-type {}", if kind == ExternalMetricType::Type1 { 1 } else { 2 });
    }
    if let Some(map) = map {
        let _ = write!(line, " route-map {map}");
    }
}

fn timers(ospf: &OspfConfig, lines: &mut Lines) {
    let throttle = |t: Throttle| format!("{} {} {}", t.start_ms, t.hold_ms, t.max_ms);
    if let Some(t) = ospf.spf_throttle {
        lines.inner(format!("timers throttle spf {}", throttle(t)));
    }
    if let Some(t) = ospf.lsa_throttle {
        lines.inner(format!("timers throttle lsa {}", throttle(t)));
    }
    let numbers = [
        ("lsa arrival", ospf.lsa_arrival_ms),
        ("pacing flood", ospf.pacing_flood_ms),
        ("pacing lsa-group", ospf.pacing_lsa_group_s),
        ("pacing retransmission", ospf.pacing_retransmission_ms),
    ];
    for (name, value) in numbers {
        if let Some(value) = value {
            lines.inner(format!("timers {name} {value}"));
        }
    }
}

/// The name of a source, as in `redistribute` and `distribute-list out`.
pub(crate) fn source_name(source: RedistributionSource) -> String {
    match source {
        RedistributionSource::Connected => "connected".to_owned(),
        RedistributionSource::Static => "static".to_owned(),
        RedistributionSource::Rip => "rip".to_owned(),
        RedistributionSource::Eigrp(asn) => format!("eigrp {asn}"),
        RedistributionSource::Ospf(process) => format!("ospf {process}"),
        RedistributionSource::Bgp(asn) => format!("bgp {asn}"),
    }
}

fn redistribute(source: RedistributionSource, redistribution: &Redistribution) -> String {
    let mut line = format!("redistribute {}", source_name(source));
    if let Some(metric) = redistribution.metric {
        let _ = write!(line, " metric {metric}");
    }
    if let Some(kind) = redistribution.metric_type {
        let _ = write!(line, " metric-type {}", if kind == ExternalMetricType::Type1 { 1 } else { 2 });
    }
    line.push_str(if redistribution.subnets { " subnets" } else { "" });
    line.push_str(if redistribution.nssa_only { " nssa-only" } else { "" });
    if let Some(tag) = redistribution.tag {
        let _ = write!(line, " tag {tag}");
    }
    if let Some(map) = &redistribution.route_map {
        let _ = write!(line, " route-map {map}");
    }
    line.push_str(&match_words(&redistribution.match_types));
    line
}

fn passive(ospf: &OspfConfig, lines: &mut Lines) {
    if ospf.passive_default {
        lines.inner("passive-interface default");
    }
    let no = if ospf.passive_default { "no " } else { "" };
    for name in &ospf.passive_exceptions {
        lines.inner(format!("{no}passive-interface {name}"));
    }
}

fn neighbors(ospf: &OspfConfig, lines: &mut Lines) {
    for (address, neighbor) in &ospf.neighbors {
        let mut line = format!("neighbor {address}");
        let numbers = [
            ("cost", neighbor.cost.map(u32::from)),
            ("priority", neighbor.priority.map(u32::from)),
            ("poll-interval", neighbor.poll_interval),
        ];
        for (name, value) in numbers {
            if let Some(value) = value {
                let _ = write!(line, " {name} {value}");
            }
        }
        line.push_str(if neighbor.database_filter { " database-filter all out" } else { "" });
        lines.inner(line);
    }
}

fn distances(ospf: &OspfConfig, lines: &mut Lines) {
    if let Some(distance) = ospf.distance {
        lines.inner(format!("distance {distance}"));
    }
    let by_type = ospf.distance_by_type;
    let kinds = [
        ("intra-area", by_type.intra_area),
        ("inter-area", by_type.inter_area),
        ("external", by_type.external),
    ];
    let words = kinds.into_iter().filter_map(|(name, value)| value.map(|v| format!(" {name} {v}")));
    let words: String = words.collect();
    if !words.is_empty() {
        lines.inner(format!("distance ospf{words}"));
    }
    for entry in &ospf.distance_by_source {
        let list = entry.access_list.as_ref().map_or(String::new(), |list| format!(" {list}"));
        lines.inner(format!(
            "distance {} {} {}{list}",
            entry.distance, entry.source.address, entry.source.mask
        ));
    }
}

/// `distribute-list` lines of OSPF and BGP.
pub(super) fn distribute_lists(
    inbound: Option<&DistributeList>,
    outbound: &BTreeMap<Option<RedistributionSource>, DistributeList>,
) -> Vec<String> {
    let inbound = inbound.map(|list| format!("distribute-list {} in", filter(list)));
    let outbound = outbound.iter().map(|(source, list)| {
        let source = source.map_or(String::new(), |source| format!(" {}", source_name(source)));
        format!("distribute-list {} out{source}", filter(list))
    });
    inbound.into_iter().chain(outbound).collect()
}
