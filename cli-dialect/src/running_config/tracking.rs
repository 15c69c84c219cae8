//! `track`, `ip sla`, `ip local policy`.

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::tracking::{SlaOperation, SlaSource, TrackConfig, TrackObject};

use super::Lines;
use super::interface::address_and_mask;

pub(super) fn objects(config: &RouterConfig, lines: &mut Lines) {
    for (number, TrackConfig { object: tracked, delay_up, delay_down }) in &config.tracks {
        lines.push(format!("track {number} {}", object(tracked)));
        if let TrackObject::List { objects, .. } = tracked {
            for (member, not) in objects {
                lines.inner(format!("object {member}{}", if *not { " not" } else { "" }));
            }
        }
        let delays = [("down", delay_down), ("up", delay_up)];
        let delays = delays.iter().filter_map(|(word, delay)| delay.map(|delay| format!(" {word} {delay}")));
        let delays: String = delays.collect();
        if !delays.is_empty() {
            lines.inner(format!("delay{delays}"));
        }
        lines.separator();
    }
}

/// What is tracked, as the line says it.
pub(crate) fn object(object: &TrackObject) -> String {
    match object {
        TrackObject::LineProtocol(name) => format!("interface {name} line-protocol"),
        TrackObject::IpRouting(name) => format!("interface {name} ip routing"),
        TrackObject::Route(prefix) => format!("ip route {} reachability", address_and_mask(*prefix)),
        TrackObject::SlaState(number) => format!("ip sla {number} state"),
        TrackObject::SlaReachability(number) => format!("ip sla {number} reachability"),
        TrackObject::List { all, .. } => format!("list boolean {}", if *all { "and" } else { "or" }),
    }
}

pub(super) fn operations(config: &RouterConfig, lines: &mut Lines) {
    for (number, operation) in &config.sla {
        lines.push(format!("ip sla {number}"));
        echo(operation, lines);
        if operation.scheduled {
            lines.push(format!("ip sla schedule {number} life forever start-time now"));
        }
    }
}

fn echo(operation: &SlaOperation, lines: &mut Lines) {
    let Some(target) = operation.target else { return };
    let source = match operation.source {
        Some(SlaSource::Address(address)) => format!(" source-ip {address}"),
        Some(SlaSource::Interface(name)) => format!(" source-interface {name}"),
        None => String::new(),
    };
    lines.inner(format!("icmp-echo {target}{source}"));
    let numbers = [
        ("request-data-size", operation.data_size.map(u32::from)),
        ("tos", operation.tos.map(u32::from)),
        ("threshold", operation.threshold_ms),
        ("frequency", operation.frequency_s),
        ("timeout", operation.timeout_ms),
    ];
    for (word, value) in numbers {
        if let Some(value) = value {
            lines.inner(format!(" {word} {value}"));
        }
    }
    for (word, value) in [("tag", &operation.tag), ("vrf", &operation.vrf)] {
        if let Some(value) = value {
            lines.inner(format!(" {word} {value}"));
        }
    }
}

pub(super) fn local_policy(config: &RouterConfig, lines: &mut Lines) {
    if let Some(map) = &config.local_policy {
        lines.push(format!("ip local policy route-map {map}"));
    }
}
