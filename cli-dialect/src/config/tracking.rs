//! `track`, `ip sla`, and `ip policy route-map`, which looks at them.

use std::collections::BTreeMap;

use ipnet::Ipv4Net;
use netconfarena_emu::tracking::{SlaOperation, SlaSource, TrackConfig, TrackObject};

use super::interface::setting;
use super::unsupported::refused;
use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, interface, ip, kw, plain, prefix, word};

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    let number = int("track-number", 1, 1000, "Tracked object").run(track as Handler).then([
        interface_spec(),
        ip_spec(),
        list_spec(),
        refused("stub-object", "Stub tracking object"),
    ]);
    vec![
        kw("track", "Object tracking configuration commands").then([
            number,
            refused("resolution", "Tracking resolution parameters"),
            refused("timer", "Polling interval timers"),
        ]),
        kw("ip", "Global IP configuration subcommands").then([
            kw("sla", "IP Service Level Agreement").then([
                int("sla-number", 1, 2_147_483_647, "Entry Number").run(sla as Handler),
                schedule_spec(),
                refused("group", "Group Configuration or Group Scheduling"),
                refused("key-chain", "Use MD5 Authentication for IP SLAs Control Messages"),
                refused("logging", "Enable Syslog"),
                refused("reaction-configuration", "IP SLAs Reaction-Configuration"),
                refused("responder", "Enable IP SLAs Responder"),
                refused("restart", "Restart An Active Entry"),
            ]),
            kw("local", "Specify local options").then([
                kw("policy", "Enable policy routing").then([route_map_spec(local_policy)]),
                refused("pool", "IP Local address pool lists"),
            ]),
        ]),
    ]
}

pub(super) fn interface_table() -> Vec<Spec<Handler>> {
    vec![
        kw("ip", "Interface Internet Protocol config commands")
            .then([kw("policy", "Enable policy routing").then([route_map_spec(policy)])]),
    ]
}

/// `(config-track)#`
pub(super) fn track_table() -> Vec<Spec<Handler>> {
    let run = delay as Handler;
    let seconds = |name: &'static str| int(name, 0, 180, "Seconds to delay").run(run);
    let direction = |keyword: &'static str, name: &'static str, behind: Vec<Spec<Handler>>| {
        kw(keyword, "Delay of this change").negatable(run).then([seconds(name).then(behind)])
    };
    vec![
        kw("delay", "Tracking delay").negatable(run).then([
            direction("up", "up-seconds", vec![direction("down", "down-seconds", Vec::new())]),
            direction("down", "down-seconds", vec![direction("up", "up-seconds", Vec::new())]),
        ]),
        kw("object", "Specify an object to be tracked").then([int("member", 1, 1000, "Object number")
            .run(member as Handler)
            .then([plain("not", "Boolean NOT", member as Handler)])]),
    ]
}

/// `(config-ip-sla)#`
pub(super) fn sla_table() -> Vec<Spec<Handler>> {
    let run = icmp_echo as Handler;
    vec![
        kw("icmp-echo", "ICMP Echo Operation").then([ip("target", "Destination IP address").run(run).then(
            [
                kw("source-ip", "Source Address").then([ip("source", "IP address").run(run)]),
                kw("source-interface", "Source Interface").then([interface("Interface").run(run)]),
            ],
        )]),
        refused("dns", "DNS Query Operation"),
        refused("ftp", "FTP Operation"),
        refused("http", "HTTP Operation"),
        refused("icmp-jitter", "ICMP Jitter Operation"),
        refused("path-echo", "Path Discovered ICMP Echo Operation"),
        refused("path-jitter", "Path Discovered ICMP Jitter Operation"),
        refused("tcp-connect", "TCP Connect Operation"),
        refused("udp-echo", "UDP Echo Operation"),
        refused("udp-jitter", "UDP Jitter Operation"),
    ]
}

/// `(config-ip-sla-echo)#`
pub(super) fn echo_table() -> Vec<Spec<Handler>> {
    let number = |keyword: &'static str, least, most, help: &'static str, run: Handler| {
        kw(keyword, help).negatable(run).then([int("value", least, most, help).run(run)])
    };
    let named = |keyword: &'static str, help: &'static str, run: Handler| {
        kw(keyword, help).negatable(run).then([word("name", help).run(run)])
    };
    vec![
        number("frequency", 1, 604_800, "Frequency in seconds", |editor, args| {
            echo(editor, |own| {
                own.frequency_s = setting(args, args.int("value")).filter(|&value| value != 60)
            })
        }),
        number("timeout", 0, 604_800_000, "Timeout in milliseconds", |editor, args| {
            echo(editor, |own| {
                own.timeout_ms = setting(args, args.int("value")).filter(|&value| value != 5000)
            })
        }),
        number("threshold", 0, 60_000, "Threshold in milliseconds", |editor, args| {
            echo(editor, |own| {
                own.threshold_ms = setting(args, args.int("value")).filter(|&value| value != 5000)
            })
        }),
        number("request-data-size", 0, 1500, "Number of bytes in payload", |editor, args| {
            echo(editor, |own| own.data_size = setting(args, args.int("value")).filter(|&value| value != 28))
        }),
        number("tos", 0, 255, "Type Of Service", |editor, args| {
            echo(editor, |own| own.tos = setting(args, args.int("value")).filter(|&value| value != 0))
        }),
        named("tag", "User Defined Tag", |editor, args| {
            echo(editor, |own| own.tag = setting(args, args.text("name")).map(str::to_owned))
        }),
        named("vrf", "Configure IP SLAs for a VPN Routing/Forwarding instance", |editor, args| {
            echo(editor, |own| own.vrf = setting(args, args.text("name")).map(str::to_owned))
        }),
        refused("owner", "Owner of Entry"),
        refused("history", "History and Distribution Data"),
        refused("verify-data", "Verify data"),
    ]
}

fn interface_spec() -> Spec<Handler> {
    let run = track as Handler;
    kw("interface", "Select an interface to track").then([interface("Interface").then([
        plain("line-protocol", "Track interface line-protocol", run),
        kw("ip", "IP parameters").then([plain("routing", "Track interface IP routing capability", run)]),
    ])])
}

fn ip_spec() -> Spec<Handler> {
    let run = track as Handler;
    let reachability = || [plain("reachability", "Reachability", run), refused("metric", "Metric threshold")];
    kw("ip", "IP protocol").then([
        kw("route", "IP route").then([
            ip("address", "IP prefix").then([ip("mask", "IP subnet mask").then(reachability())]),
            prefix("prefix", "IP prefix <network>/<length>").then(reachability()),
        ]),
        kw("sla", "IP Service Level Agreement").then([int("operation", 1, 2_147_483_647, "Entry number")
            .run(run)
            .then([plain("reachability", "Reachability", run), plain("state", "Return code state", run)])]),
    ])
}

fn list_spec() -> Spec<Handler> {
    let run = track as Handler;
    kw("list", "Group objects in a list").then([
        kw("boolean", "Boolean list operation")
            .then([plain("and", "Boolean AND operation", run), plain("or", "Boolean OR operation", run)]),
        refused("threshold", "Threshold list operation"),
    ])
}

fn schedule_spec() -> Spec<Handler> {
    let run = schedule as Handler;
    kw("schedule", "IP SLAs Entry Scheduling").then([int("sla-number", 1, 2_147_483_647, "Entry number")
        .run(run)
        .options([
            kw("life", "Length of time to execute in seconds").then([
                plain("forever", "continue running forever", run),
                int("life-seconds", 0, 2_147_483_647, "Life seconds").run(run),
            ]),
            kw("start-time", "When to start this entry")
                .then([plain("now", "Start now", run), plain("pending", "Start pending", run)]),
        ])])
}

fn route_map_spec(handler: Handler) -> Spec<Handler> {
    kw("route-map", "Policy route map").negatable(handler).then([word("map", "Route map name").run(handler)])
}

/// The object that a line names; `None` where it names none.
fn object(args: &Args) -> Result<Option<TrackObject>, Complaint> {
    if let Some(name) = args.interface() {
        let object =
            if args.has("line-protocol") { TrackObject::LineProtocol } else { TrackObject::IpRouting };
        return Ok(Some(object(name)));
    }
    if let Some(operation) = args.int("operation") {
        let reachability = args.has("reachability");
        let object = if reachability { TrackObject::SlaReachability } else { TrackObject::SlaState };
        return Ok(Some(object(operation)));
    }
    if args.has("list") {
        return Ok(Some(TrackObject::List { all: args.has("and"), objects: BTreeMap::new() }));
    }
    let of_mask =
        args.ip("address").zip(args.ip("mask")).map(|(address, mask)| Ipv4Net::with_netmask(address, mask));
    match (of_mask, args.prefix("prefix")) {
        (Some(Ok(net)), _) | (None, Some(net)) => Ok(Some(TrackObject::Route(net.trunc()))),
        (Some(Err(_)), _) => refuse("%Inconsistent address and mask"),
        (None, None) => Ok(None),
    }
}

fn track(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let number = need(args.int("track-number"))?;
    if args.negated() {
        editor.config.tracks.remove(&number);
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    let known = editor.config.tracks.get(&number);
    match (known, object(args)?) {
        (None, None) => return refuse(format!("% Object {number} is not configured")),
        (Some(_), None) => {}
        (Some(known), Some(object)) if is_same(&known.object, &object) => {}
        (Some(_), Some(_)) => {
            return refuse(format!("Cannot change tracked object {number} - delete old config first"));
        }
        (None, Some(object)) => {
            editor.config.tracks.insert(number, TrackConfig { object, delay_up: None, delay_down: None });
        }
    }
    *editor.mode = ConfigMode::Track(number);
    Ok(())
}

/// Whether a line names the object that is there; the members of a list stand below it.
fn is_same(known: &TrackObject, named: &TrackObject) -> bool {
    match (known, named) {
        (TrackObject::List { all: known, .. }, TrackObject::List { all: named, .. }) => known == named,
        (known, named) => known == named,
    }
}

fn current_track<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut TrackConfig, Complaint> {
    let ConfigMode::Track(number) = &*editor.mode else { return need(None) };
    need(editor.config.tracks.get_mut(number))
}

fn delay(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let track = current_track(editor)?;
    let (up, down) = (args.int("up-seconds"), args.int("down-seconds"));
    let of = |own: Option<u8>| setting(args, own).filter(|&seconds| seconds != 0);
    let both = !args.has("up") && !args.has("down");
    if both || args.has("up") {
        track.delay_up = of(up);
    }
    if both || args.has("down") {
        track.delay_down = of(down);
    }
    Ok(())
}

fn member(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let (number, not) = (need(args.int("member"))?, args.has("not"));
    let ConfigMode::Track(own) = &*editor.mode else { return need(None) };
    if *own == number {
        return refuse("% A list cannot contain itself");
    }
    let TrackObject::List { objects, .. } = &mut current_track(editor)?.object else {
        return refuse("% Objects can be added to lists only");
    };
    if args.negated() {
        objects.remove(&number);
    } else {
        objects.insert(number, not);
    }
    Ok(())
}

fn sla(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let number = need(args.int("sla-number"))?;
    if args.negated() {
        editor.config.sla.remove(&number);
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    let operation: &SlaOperation = editor.config.sla.entry(number).or_default();
    if operation.scheduled {
        return refuse(
            "Entry already running and cannot be modified\n        (only can delete (no) and start over)\n        \
             (check to see if the probe has finished exiting)",
        );
    }
    *editor.mode = ConfigMode::Sla { number, is_echo: operation.target.is_some() };
    Ok(())
}

fn current_sla<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut SlaOperation, Complaint> {
    let ConfigMode::Sla { number, .. } = &*editor.mode else { return need(None) };
    need(editor.config.sla.get_mut(number))
}

fn icmp_echo(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let target = need(args.ip("target"))?;
    let address = args.ip("source").map(SlaSource::Address);
    let operation = current_sla(editor)?;
    if args.negated() {
        return refuse("% The type of an operation cannot be removed; use `no ip sla`");
    }
    operation.target = Some(target);
    operation.source = address.or(args.interface().map(SlaSource::Interface));
    if let ConfigMode::Sla { is_echo, .. } = &mut *editor.mode {
        *is_echo = true;
    }
    Ok(())
}

fn echo(editor: &mut Editor<'_>, change: impl FnOnce(&mut SlaOperation)) -> Result<(), Complaint> {
    change(current_sla(editor)?);
    Ok(())
}

/// Only operations without an end that start at once are there.
fn schedule(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let number: u32 = need(args.int("sla-number"))?;
    let Some(operation) = editor.config.sla.get_mut(&number).filter(|operation| operation.target.is_some())
    else {
        return refuse(format!("%Entry {number} not configured"));
    };
    if args.negated() {
        operation.scheduled = false;
        return Ok(());
    }
    if !(args.has("forever") && args.has("now")) {
        return Err(Complaint::Unsupported(
            "ip sla schedule without `life forever start-time now`".to_owned(),
        ));
    }
    operation.scheduled = true;
    *editor.mode = ConfigMode::Global;
    Ok(())
}

fn policy(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let map = setting(args, args.text("map"));
    for name in editor.interfaces() {
        if let Some(interface) = editor.config.interfaces.get_mut(&name) {
            interface.policy_route_map = map.map(str::to_owned);
        }
    }
    Ok(())
}

fn local_policy(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    editor.config.local_policy = setting(args, args.text("map")).map(str::to_owned);
    Ok(())
}

#[cfg(test)]
mod tests;
