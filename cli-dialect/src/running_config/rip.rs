//! The `router rip` section, and RIP's lines on interfaces.

use netconfarena_emu::config::{RouterConfig, Wildcard};
use netconfarena_emu::rip::config::{
    AuthenticationMode, BasicTimers, Direction, FilterScope, Redistribution, SeedMetric, Version, Versions,
};
use netconfarena_emu::rip::{RipConfig, RipInterfaceConfig};

use super::eigrp::{filter, tail};
use super::interface::address_and_mask;
use super::ospf_match::match_words;
use super::{Lines, source_name};

pub(super) fn render(config: &RouterConfig, lines: &mut Lines) {
    let Some(rip) = &config.rip else { return };
    lines.push("router rip");
    instance(rip, " ", lines);
    for (vrf, family) in &rip.vrfs {
        lines.inner("!");
        lines.inner(format!("address-family ipv4 vrf {vrf}"));
        instance(family, "  ", lines);
        lines.inner("exit-address-family");
    }
    lines.separator();
}

fn instance(rip: &RipConfig, indent: &str, lines: &mut Lines) {
    let mut put = |line: String| lines.push(format!("{indent}{line}"));
    general(rip, &mut put);
    for (source, rule) in &rip.redistribute {
        put(format!("redistribute {}{}", source_name(*source), redistribution(rule)));
    }
    if rip.passive_default {
        put("passive-interface default".to_owned());
    }
    for name in &rip.passive_exceptions {
        put(format!("{}passive-interface {name}", if rip.passive_default { "no " } else { "" }));
    }
    for (scope, list) in &rip.offset_lists {
        let name = list.access_list.as_deref().unwrap_or("0");
        let direction = match scope.direction {
            Direction::In => "in",
            Direction::Out => "out",
        };
        put(format!("offset-list {name} {direction} {}{}", list.offset, tail(scope.interface)));
    }
    for network in &rip.networks {
        put(format!("network {}", network.network()));
    }
    for neighbor in &rip.neighbors {
        put(format!("neighbor {neighbor}"));
    }
    routes(rip, &mut put);
}

/// What stands before the networks.
fn general(rip: &RipConfig, put: &mut impl FnMut(String)) {
    match rip.version {
        Some(Version::V1) => put("version 1".to_owned()),
        Some(Version::V2) => put("version 2".to_owned()),
        None => {}
    }
    if rip.no_validate_update_source {
        put("no validate-update-source".to_owned());
    }
    if let Some(BasicTimers { update_s, invalid_s, holddown_s, flush_s }) = rip.timers {
        put(format!("timers basic {update_s} {invalid_s} {holddown_s} {flush_s}"));
    }
    if let Some(seconds) = rip.flash_update_threshold_s {
        put(format!("flash-update-threshold {seconds}"));
    }
}

/// What stands behind the networks.
fn routes(rip: &RipConfig, put: &mut impl FnMut(String)) {
    if let Some(hops) = rip.default_metric {
        put(format!("default-metric {hops}"));
    }
    if let Some(count) = rip.maximum_paths {
        put(format!("maximum-paths {count}"));
    }
    if let Some(default) = &rip.default_information {
        let map = default.route_map.as_ref().map_or(String::new(), |map| format!(" route-map {map}"));
        put(format!("default-information originate{map}"));
    }
    for (scope, list) in &rip.distribute_lists {
        let scope = match scope {
            FilterScope::In(interface) => format!("in{}", tail(*interface)),
            FilterScope::Out(interface) => format!("out{}", tail(*interface)),
            FilterScope::Redistributed(source) => format!("out {}", source_name(*source)),
        };
        put(format!("distribute-list {} {scope}", filter(list)));
    }
    if let Some(distance) = rip.distance {
        put(format!("distance {distance}"));
    }
    for rule in &rip.distance_by_source {
        let list = rule.access_list.as_ref().map_or(String::new(), |list| format!(" {list}"));
        let Wildcard { address, mask } = rule.source;
        put(format!("distance {} {address} {mask}{list}", rule.distance));
    }
    if rip.no_auto_summary {
        put("no auto-summary".to_owned());
    }
}

fn redistribution(rule: &Redistribution) -> String {
    let mut text = match rule.metric {
        Some(SeedMetric::Hops(hops)) => format!(" metric {hops}"),
        Some(SeedMetric::Transparent) => " metric transparent".to_owned(),
        None => String::new(),
    };
    text += &match_words(&rule.match_types);
    if let Some(map) = &rule.route_map {
        text += &format!(" route-map {map}");
    }
    text
}

/// The lines on an interface.
pub(super) fn interface(rip: &RipInterfaceConfig, lines: &mut Lines) {
    if rip.no_split_horizon {
        lines.inner("no ip split-horizon");
    }
    for (direction, versions) in [("send", rip.send_version), ("receive", rip.receive_version)] {
        if let Some(Versions { v1, v2 }) = versions {
            let (v1, v2) = (if v1 { " 1" } else { "" }, if v2 { " 2" } else { "" });
            lines.inner(format!("ip rip {direction} version{v1}{v2}"));
        }
    }
    if rip.v2_broadcast {
        lines.inner("ip rip v2-broadcast");
    }
    match rip.authentication_mode {
        Some(AuthenticationMode::Md5) => lines.inner("ip rip authentication mode md5"),
        Some(AuthenticationMode::Text) => lines.inner("ip rip authentication mode text"),
        None => {}
    }
    if let Some(chain) = &rip.key_chain {
        lines.inner(format!("ip rip authentication key-chain {chain}"));
    }
    for prefix in &rip.summary_addresses {
        lines.inner(format!("ip summary-address rip {}", address_and_mask(*prefix)));
    }
}
