//! `ip route`.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::config::{StaticRoute, StaticTarget};
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use netconfarena_emu::policy::classful;

use super::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, interface, ip, kw, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("ip", "Global IP configuration subcommands").then([
            kw("default-network", "Flags networks as candidates for default routes").then([ip(
                "network",
                "IP address of default network",
            )
            .run(default_network as Handler)]),
            kw("route", "Establish static routes").then(
                destination().into_iter().chain([kw(
                    "vrf",
                    "Configure static route for a VPN Routing/Forwarding instance",
                )
                .then([word("vrf-name", "VPN Routing/Forwarding instance name").then(destination())])]),
            ),
        ]),
    ]
}

/// IOS makes a static route of a subnet; only a classful network is a default network.
fn default_network(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = need(args.ip("network"))?;
    let network = classful::network(address);
    if network.network() != address {
        return Err(Complaint::Unsupported("ip default-network ... subnet".to_owned()));
    }
    let networks = &mut editor.config.default_networks;
    if args.negated() {
        networks.remove(&network);
    } else {
        networks.insert(network);
    }
    Ok(())
}

fn destination() -> Vec<Spec<Handler>> {
    let next_hop = || with_options(ip("next-hop", "Forwarding router's address"));
    let out = with_options(interface("Interface")).then([next_hop()]);
    vec![
        ip("prefix", "Destination prefix").then([ip("mask", "Destination prefix mask")
            .negatable(route as Handler)
            .then([next_hop(), out])]),
    ]
}

/// The rest of the line, behind the target.
fn with_options(target: Spec<Handler>) -> Spec<Handler> {
    target.run(route as Handler).options([
        int("distance", 1, 255, "Distance metric for this route").run(route as Handler),
        kw("name", "Specify name of the next hop").then([word("name-text", "Name").run(route as Handler)]),
        plain("permanent", "permanent route", route as Handler),
        kw("tag", "Set tag for this route")
            .then([int("tag-value", 1, 4_294_967_295, "Tag value").run(route as Handler)]),
        kw("track", "Install route depending on tracked item").then([int(
            "track-number",
            1,
            1000,
            "tracked object number",
        )
        .run(route as Handler)]),
    ])
}

fn target(args: &Args) -> Option<StaticTarget> {
    Some(match (args.interface(), args.ip("next-hop")) {
        (Some(interface), Some(next_hop)) => StaticTarget::InterfaceNextHop(interface, next_hop),
        (Some(interface), None) => StaticTarget::Interface(interface),
        (None, Some(next_hop)) => StaticTarget::NextHop(next_hop),
        (None, None) => return None,
    })
}

fn route(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let (address, mask) = (need(args.ip("prefix"))?, need(args.ip("mask"))?);
    let prefix = match Ipv4Net::with_netmask(address, mask) {
        Ok(net) if net.network() == address => net,
        _ => return refuse("%Inconsistent address and mask"),
    };
    let vrf = args.text("vrf-name").map(str::to_owned);
    if let Some(name) = vrf.as_ref().filter(|name| !editor.config.vrfs.contains_key(*name)) {
        return refuse(format!("% IP routing table {name} does not exist"));
    }
    if args.negated() {
        return remove(editor, &vrf, prefix, target(args));
    }
    if args.has("permanent") && args.has("track") {
        return refuse("% A route is permanent, or depends on a tracked object");
    }
    let target = need(target(args))?;
    check_target(editor, target)?;
    if prefix.prefix_len() == 0 && is_multi_access(target) {
        editor.said =
            "%Default route without gateway, if not a point-to-point interface, may impact performance\n"
                .to_owned();
    }
    let new = StaticRoute {
        vrf,
        prefix,
        target,
        distance: args.int("distance").unwrap_or(1),
        tag: args.int("tag-value").unwrap_or(0),
        name: args.text("name-text").map(str::to_owned),
        permanent: args.has("permanent"),
        track: args.int("track-number"),
    };
    // The same destination and target again replaces distance, tag and name.
    let routes = &mut editor.config.static_routes;
    routes.retain(|old| (&old.vrf, old.prefix, old.target) != (&new.vrf, new.prefix, new.target));
    routes.insert(new);
    Ok(())
}

fn remove(
    editor: &mut Editor<'_>,
    vrf: &Option<String>,
    prefix: Ipv4Net,
    target: Option<StaticTarget>,
) -> Result<(), Complaint> {
    let before = editor.config.static_routes.len();
    editor.config.static_routes.retain(|route| {
        let same = route.vrf == *vrf && route.prefix == prefix && target.is_none_or(|t| t == route.target);
        !same
    });
    if editor.config.static_routes.len() == before {
        return refuse("%No matching route to delete");
    }
    Ok(())
}

/// A default route out of an Ethernet or loopback interface asks for every address by ARP, or leads nowhere.
fn is_multi_access(target: StaticTarget) -> bool {
    let StaticTarget::Interface(name) = target else { return false };
    name.kind().is_ethernet() || name.kind() == InterfaceKind::Loopback
}

fn check_target(editor: &Editor<'_>, target: StaticTarget) -> Result<(), Complaint> {
    let (name, next_hop) = match target {
        StaticTarget::Interface(name) => (Some(name), None),
        StaticTarget::InterfaceNextHop(name, next_hop) => (Some(name), Some(next_hop)),
        StaticTarget::NextHop(next_hop) => (None, Some(next_hop)),
    };
    if let Some(next_hop) = next_hop {
        check_next_hop(editor, next_hop)?;
    }
    match name.filter(|&name| name != InterfaceName::null0()) {
        Some(name) if !editor.config.interfaces.contains_key(&name) => {
            refuse(format!("% Interface {name} does not exist"))
        }
        _ => Ok(()),
    }
}

fn check_next_hop(editor: &Editor<'_>, next_hop: Ipv4Addr) -> Result<(), Complaint> {
    let ours = editor
        .config
        .interfaces
        .values()
        .any(|i| i.address.iter().chain(&i.secondary).any(|net| net.addr() == next_hop));
    if ours {
        return refuse("%Invalid next hop address (it's this router)");
    }
    if next_hop.is_unspecified() || next_hop.octets()[0] >= 224 || next_hop.is_loopback() {
        return refuse("%Invalid next hop address");
    }
    Ok(())
}
