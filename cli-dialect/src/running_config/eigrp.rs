//! `router eigrp` sections, and EIGRP's lines on interfaces.

use netconfarena_emu::config::{RouterConfig, Wildcard};
use netconfarena_emu::eigrp::{
    ActiveTime, AuthenticationMode, Direction, DistributeOut, EigrpInterfaceConfig, InstanceConfig,
    NamedRouter, Redistribution, Stub,
};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::policy::{DistributeList, VectorMetric};

use super::interface::address_and_mask;
use super::ospf_match::match_words;
use super::{Lines, source_name};
use crate::config::classful_wildcard;

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    for (number, router) in &config.eigrp.classic {
        lines.push(format!("router eigrp {number}"));
        classic(&router.global, 1, lines);
        for (vrf, family) in &router.vrfs {
            put(lines, 1, "!");
            put(lines, 1, format!("address-family ipv4 vrf {vrf}"));
            if let Some(autonomous_system) = family.autonomous_system {
                put(lines, 2, format!("autonomous-system {autonomous_system}"));
            }
            classic(&family.instance, 2, lines);
            put(lines, 1, "exit-address-family");
        }
        lines.separator();
    }
    for (name, router) in &config.eigrp.named {
        lines.push(format!("router eigrp {name}"));
        named(router, lines);
        lines.separator();
    }
}

/// A line within sections, so many deep.
fn put(lines: &mut Lines, depth: usize, line: impl AsRef<str>) {
    lines.push(format!("{}{}", " ".repeat(depth), line.as_ref()));
}

fn classic(instance: &InstanceConfig, depth: usize, lines: &mut Lines) {
    topology(instance, depth, lines);
    networks(instance, depth, lines);
    passive(instance, depth, lines);
    general(instance, depth, lines);
}

fn named(router: &NamedRouter, lines: &mut Lines) {
    if router.shutdown {
        put(lines, 1, "shutdown");
    }
    for ((vrf, autonomous_system), instance) in &router.families {
        let vrf = vrf.as_ref().map_or(String::new(), |vrf| format!(" vrf {vrf}"));
        put(lines, 1, "!");
        put(lines, 1, format!("address-family ipv4 unicast{vrf} autonomous-system {autonomous_system}"));
        if instance.interface_default != EigrpInterfaceConfig::default() {
            af_interface("default", &instance.interface_default, lines);
        }
        for (name, settings) in &instance.interfaces {
            af_interface(&name.to_string(), settings, lines);
        }
        put(lines, 2, "!");
        put(lines, 2, "topology base");
        topology(instance, 3, lines);
        for (prefix, summary) in &instance.summary_metrics {
            let head = format!("summary-metric {}", address_and_mask(*prefix));
            if let Some(metric) = &summary.metric {
                put(lines, 3, format!("{head} {}", metric_values(metric)));
            }
            if let Some(distance) = summary.distance {
                put(lines, 3, format!("{head} distance {distance}"));
            }
        }
        put(lines, 2, "exit-af-topology");
        networks(instance, 2, lines);
        general(instance, 2, lines);
        if let Some(scale) = instance.rib_scale {
            put(lines, 2, format!("metric rib-scale {scale}"));
        }
        put(lines, 1, "exit-address-family");
    }
}

/// What stands in `topology base` in named mode.
fn topology(instance: &InstanceConfig, depth: usize, lines: &mut Lines) {
    let mut put = |line: String| put(lines, depth, line);
    if let Some(variance) = instance.variance {
        put(format!("variance {variance}"));
    }
    if instance.traffic_share_min {
        put("traffic-share min across-interfaces".to_owned());
    }
    if let Some(count) = instance.maximum_paths {
        put(format!("maximum-paths {count}"));
    }
    match instance.active_time {
        Some(ActiveTime::Minutes(minutes)) => put(format!("timers active-time {minutes}")),
        Some(ActiveTime::Disabled) => put("timers active-time disabled".to_owned()),
        None => {}
    }
    if let Some(hops) = instance.maximum_hops {
        put(format!("metric maximum-hops {hops}"));
    }
    for ((direction, interface), list) in &instance.offset_lists {
        let direction = match direction {
            Direction::In => "in",
            Direction::Out => "out",
        };
        let name = list.access_list.as_deref().unwrap_or("0");
        put(format!("offset-list {name} {direction} {}{}", list.offset, tail(*interface)));
    }
    for (interface, list) in &instance.distribute_in {
        put(format!("distribute-list {} in{}", filter(list), tail(*interface)));
    }
    for (scope, list) in &instance.distribute_out {
        let scope = match scope {
            DistributeOut::All => String::new(),
            DistributeOut::Interface(name) => format!(" {name}"),
            DistributeOut::Source(source) => format!(" {}", source_name(*source)),
        };
        put(format!("distribute-list {} out{scope}", filter(list)));
    }
    if let Some(metric) = &instance.default_metric {
        put(format!("default-metric {}", metric_values(metric)));
    }
    for (source, rule) in &instance.redistribute {
        put(format!("redistribute {}{}", source_name(*source), redistribution(rule)));
    }
    if let Some(distances) = instance.distance {
        put(format!("distance eigrp {} {}", distances.internal, distances.external));
    }
    for rule in &instance.distance_by_source {
        let list = rule.access_list.as_ref().map_or(String::new(), |list| format!(" {list}"));
        let Wildcard { address, mask } = rule.source;
        put(format!("distance {} {address} {mask}{list}", rule.distance));
    }
    if instance.no_default_information_in {
        put("no default-information in".to_owned());
    }
    if instance.no_default_information_out {
        put("no default-information out".to_owned());
    }
    if instance.auto_summary {
        put("auto-summary".to_owned());
    }
}

pub(super) fn tail(interface: Option<InterfaceName>) -> String {
    interface.map_or(String::new(), |name| format!(" {name}"))
}

/// The filter that a `distribute-list` line names.
pub(super) fn filter(list: &DistributeList) -> String {
    match list {
        DistributeList::AccessList(name) => name.clone(),
        DistributeList::RouteMap(name) => format!("route-map {name}"),
        DistributeList::Prefix { list: Some(list), gateway: Some(gateway) } => {
            format!("prefix {list} gateway {gateway}")
        }
        DistributeList::Prefix { list: Some(list), gateway: None } => format!("prefix {list}"),
        DistributeList::Prefix { list: None, gateway } => {
            format!("gateway {}", gateway.as_deref().unwrap_or_default())
        }
    }
}

fn metric_values(metric: &VectorMetric) -> String {
    let VectorMetric { bandwidth_kbps, delay_tens_us, reliability, load, mtu } = metric;
    format!("{bandwidth_kbps} {delay_tens_us} {reliability} {load} {mtu}")
}

fn redistribution(rule: &Redistribution) -> String {
    let mut text = String::new();
    if let Some(metric) = &rule.metric {
        text += &format!(" metric {}", metric_values(metric));
    }
    text += &match_words(&rule.match_types);
    if let Some(map) = &rule.route_map {
        text += &format!(" route-map {map}");
    }
    text
}

fn networks(instance: &InstanceConfig, depth: usize, lines: &mut Lines) {
    for wildcard in &instance.networks {
        let Wildcard { address, mask } = wildcard;
        if *wildcard == classful_wildcard(*address) {
            put(lines, depth, format!("network {address}"));
        } else {
            put(lines, depth, format!("network {address} {mask}"));
        }
    }
    for (name, addresses) in &instance.neighbors {
        for address in addresses {
            put(lines, depth, format!("neighbor {address} {name}"));
        }
    }
}

fn passive(instance: &InstanceConfig, depth: usize, lines: &mut Lines) {
    if instance.passive_default {
        put(lines, depth, "passive-interface default");
    }
    let no = if instance.passive_default { "no " } else { "" };
    for name in &instance.passive_exceptions {
        put(lines, depth, format!("{no}passive-interface {name}"));
    }
}

fn general(instance: &InstanceConfig, depth: usize, lines: &mut Lines) {
    if let Some(k) = instance.metric_weights {
        let k6 = if k.k6 == 0 { String::new() } else { format!(" {}", k.k6) };
        put(lines, depth, format!("metric weights 0 {} {} {} {} {}{k6}", k.k1, k.k2, k.k3, k.k4, k.k5));
    }
    if let Some(id) = instance.router_id {
        put(lines, depth, format!("eigrp router-id {id}"));
    }
    if let Some(stub) = &instance.stub {
        put(lines, depth, stub_line(stub));
    }
    if instance.no_log_neighbor_changes {
        put(lines, depth, "no eigrp log-neighbor-changes");
    }
    if instance.shutdown {
        put(lines, depth, "shutdown");
    }
}

fn stub_line(stub: &Stub) -> String {
    let mut line = "eigrp stub".to_owned();
    let options = [
        (stub.connected, " connected"),
        (stub.static_routes, " static"),
        (stub.summary, " summary"),
        (stub.redistributed, " redistributed"),
        (stub.receive_only, " receive-only"),
    ];
    options.iter().filter(|(set, _)| *set).for_each(|(_, word)| line += word);
    if let Some(map) = &stub.leak_map {
        line += &format!(" leak-map {map}");
    }
    line
}

fn af_interface(name: &str, settings: &EigrpInterfaceConfig, lines: &mut Lines) {
    put(lines, 2, "!");
    put(lines, 2, format!("af-interface {name}"));
    let mut put = |line: String| put(lines, 3, line);
    for (prefix, summary) in &settings.summaries {
        let leak = summary.leak_map.as_ref().map_or(String::new(), |map| format!(" leak-map {map}"));
        put(format!("summary-address {}{leak}", address_and_mask(*prefix)));
    }
    match &settings.authentication {
        Some(AuthenticationMode::Md5) => put("authentication mode md5".to_owned()),
        Some(AuthenticationMode::HmacSha256(password)) => {
            put(format!("authentication mode hmac-sha-256 {password}"));
        }
        None => {}
    }
    if let Some(chain) = &settings.key_chain {
        put(format!("authentication key-chain {chain}"));
    }
    if let Some(seconds) = settings.hello_interval {
        put(format!("hello-interval {seconds}"));
    }
    if let Some(seconds) = settings.hold_time {
        put(format!("hold-time {seconds}"));
    }
    if let Some(percent) = settings.bandwidth_percent {
        put(format!("bandwidth-percent {percent}"));
    }
    let switches = [
        ("passive-interface", settings.passive),
        ("next-hop-self", settings.next_hop_self),
        ("split-horizon", settings.split_horizon),
    ];
    for (name, value) in switches {
        match value {
            Some(true) => put(name.to_owned()),
            Some(false) => put(format!("no {name}")),
            None => {}
        }
    }
    if settings.shutdown {
        put("shutdown".to_owned());
    }
    put_exit(lines);
}

fn put_exit(lines: &mut Lines) {
    put(lines, 2, "exit-af-interface");
}

/// The lines of classic mode on an interface, by AS.
pub(super) fn interface(number: u16, settings: &EigrpInterfaceConfig, lines: &mut Lines) {
    let mut put = |line: String| lines.inner(format!("ip {line}"));
    if let Some(seconds) = settings.hello_interval {
        put(format!("hello-interval eigrp {number} {seconds}"));
    }
    if let Some(seconds) = settings.hold_time {
        put(format!("hold-time eigrp {number} {seconds}"));
    }
    if settings.authentication.is_some() {
        put(format!("authentication mode eigrp {number} md5"));
    }
    if let Some(chain) = &settings.key_chain {
        put(format!("authentication key-chain eigrp {number} {chain}"));
    }
    if let Some(percent) = settings.bandwidth_percent {
        put(format!("bandwidth-percent eigrp {number} {percent}"));
    }
    for (prefix, summary) in &settings.summaries {
        let distance = summary.distance.map_or(String::new(), |distance| format!(" {distance}"));
        let leak = summary.leak_map.as_ref().map_or(String::new(), |map| format!(" leak-map {map}"));
        put(format!("summary-address eigrp {number} {}{distance}{leak}", address_and_mask(*prefix)));
    }
    if settings.next_hop_self == Some(false) {
        lines.inner(format!("no ip next-hop-self eigrp {number}"));
    }
    if settings.split_horizon == Some(false) {
        lines.inner(format!("no ip split-horizon eigrp {number}"));
    }
}
