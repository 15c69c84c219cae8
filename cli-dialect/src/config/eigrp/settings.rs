//! Lines about an EIGRP instance as a whole.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::config::Wildcard;
use netconfarena_emu::eigrp::packet::KValues;
use netconfarena_emu::eigrp::{ActiveTime, Stub};
use netconfarena_emu::ids::RouterId;
use netconfarena_emu::policy::classful;

use super::current;
use crate::config::interface::setting;
use crate::config::unsupported::option;
use crate::config::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, interface, ip, kw, plain, word};

/// Lines that stand in `router eigrp N` and in the address families of both modes.
pub(super) fn instance_table() -> Vec<Spec<Handler>> {
    vec![
        kw("network", "Enable routing on an IP network").then([ip("address", "Network number")
            .run(network as Handler)
            .then([ip("wildcard", "EIGRP wild card bits").run(network as Handler)])]),
        kw("neighbor", "Specify an IPv4 neighbor router").then([
            ip("address", "Neighbor address").then([interface("Interface").run(neighbor as Handler)])
        ]),
        kw("metric", "Modify metrics and parameters for address advertisement").then([weights_spec()]),
        kw("eigrp", "EIGRP Address Family specific commands").then([
            kw("router-id", "router id for this EIGRP process").negatable(router_id as Handler).then([ip(
                "id",
                "EIGRP Router-ID in IP address format",
            )
            .run(router_id as Handler)]),
            plain(
                "log-neighbor-changes",
                "Enable/Disable EIGRP neighbor logging",
                log_neighbor_changes as Handler,
            ),
            stub_spec(),
        ]),
        plain("shutdown", "Shutdown this instance of EIGRP", shutdown as Handler),
    ]
}

/// Lines of classic mode alone, among them those that stand in `topology base` in named mode.
pub(super) fn classic_table() -> Vec<Spec<Handler>> {
    let mut table = vec![kw("passive-interface", "Suppress routing updates on an interface").then([
        plain("default", "Suppress routing updates on all interfaces", passive_default as Handler),
        interface("Interface").run(passive as Handler),
    ])];
    table.extend(topology_table());
    table
}

/// Lines of address families in named mode alone.
pub(super) fn family_table() -> Vec<Spec<Handler>> {
    vec![
        kw("metric", "Modify metrics and parameters for address advertisement").then([kw(
            "rib-scale",
            "Set scaling value for RIB installation",
        )
        .negatable(rib_scale as Handler)
        .then([int("scale", 1, 255, "RIB scaling value").run(rib_scale as Handler)])]),
    ]
}

/// Lines of `topology base`, which stand in the instance itself in classic mode.
pub(super) fn topology_table() -> Vec<Spec<Handler>> {
    vec![
        plain("auto-summary", "Enable automatic network number summarization", auto_summary as Handler),
        kw("default-information", "Control distribution of default information").then(
            [("in", "Accept default routing information"), ("out", "Output default routing information")]
                .map(|(way, help)| {
                    let list = word("list", "IP access list number or name").run(option as Handler);
                    kw(way, help).run(default_information as Handler).then([list])
                }),
        ),
        kw("metric", "Modify metrics and parameters for advertisement").then([kw(
            "maximum-hops",
            "Advertise routes greater than <hops> as unreachable",
        )
        .negatable(maximum_hops as Handler)
        .then([int("hops", 1, 255, "Hop count").run(maximum_hops as Handler)])]),
        kw("variance", "Control load balancing variance").negatable(variance as Handler).then([int(
            "multiplier",
            1,
            128,
            "Metric variance multiplier",
        )
        .run(variance as Handler)]),
        kw("maximum-paths", "Forward packets over multiple paths")
            .negatable(maximum_paths as Handler)
            .then([int("count", 1, 32, "Number of paths").run(maximum_paths as Handler)]),
        kw("traffic-share", "How to compute traffic share over alternate paths").then([
            plain("balanced", "Share inversely proportional to metric", traffic_share as Handler),
            kw("min", "All traffic shared among min metric paths").then([plain(
                "across-interfaces",
                "Use different interfaces for equal-cost paths",
                traffic_share as Handler,
            )]),
        ]),
        kw("timers", "Adjust peering based timers").then([kw(
            "active-time",
            "EIGRP time limit for active state",
        )
        .negatable(active_time as Handler)
        .then([
            int("minutes", 1, 65535, "EIGRP active-state time limit in minutes").run(active_time as Handler),
            plain("disabled", "disable EIGRP time limit for active state", active_time as Handler),
        ])]),
    ]
}

fn weights_spec() -> Spec<Handler> {
    let k = |name: &'static str| int(name, 0, 255, "K value").run(weights as Handler);
    let last = || k("k5").then([k("k6")]);
    kw("weights", "Modify metric coefficients").negatable(weights as Handler).then([int(
        "tos",
        0,
        8,
        "Type Of Service (Only TOS 0 supported)",
    )
    .then([k("k1").then([k("k2").then([k("k3").then([k("k4").then([last()])])])])])])
}

fn stub_spec() -> Spec<Handler> {
    kw("stub", "Set address-family in stubbed mode").run(stub as Handler).options([
        plain("connected", "Do advertise connected routes", stub as Handler),
        plain("static", "Do advertise static routes", stub as Handler),
        plain("summary", "Do advertise summary routes", stub as Handler),
        plain("redistributed", "Do advertise redistributed routes", stub as Handler),
        plain("receive-only", "Set receive only neighbor", stub as Handler),
        kw("leak-map", "Allow dynamic prefixes based on the leak-map").then([word(
            "map",
            "Name of leak-map",
        )
        .run(stub as Handler)]),
    ])
}

/// The addresses that `network A` without a wildcard means: the classful network, or with 0.0.0.0 all.
pub(crate) fn classful_wildcard(address: Ipv4Addr) -> Wildcard {
    if address.is_unspecified() {
        return Wildcard::new(address, Ipv4Addr::BROADCAST);
    }
    let major = classful::network(address);
    Wildcard::new(major.network(), major.hostmask())
}

/// IOS takes a subnet mask in the place of wildcard bits for what it means.
fn network(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = need(args.ip("address"))?;
    let wildcard = match args.ip("wildcard") {
        None => classful_wildcard(address),
        Some(mask) => match Ipv4Net::with_netmask(address, mask) {
            Ok(net) if net.prefix_len() > 0 && net.prefix_len() < 32 => {
                Wildcard::new(address, net.hostmask())
            }
            _ => Wildcard::new(address, mask),
        },
    };
    let networks = &mut current(editor)?.networks;
    if args.negated() {
        networks.remove(&wildcard);
    } else {
        networks.insert(wildcard);
    }
    Ok(())
}

fn neighbor(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let (address, name) = (need(args.ip("address"))?, need(args.interface())?);
    let neighbors = &mut current(editor)?.neighbors;
    let on_interface = neighbors.entry(name).or_default();
    if args.negated() {
        on_interface.remove(&address);
    } else {
        on_interface.insert(address);
    }
    neighbors.retain(|_, addresses| !addresses.is_empty());
    Ok(())
}

fn weights(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let k = |name: &str, default| args.int(name).unwrap_or(default);
    let default = KValues::default();
    let values = KValues {
        k1: k("k1", default.k1),
        k2: k("k2", default.k2),
        k3: k("k3", default.k3),
        k4: k("k4", default.k4),
        k5: k("k5", default.k5),
        k6: k("k6", default.k6),
    };
    if args.int::<u8>("tos").is_some_and(|tos| tos != 0) {
        return refuse("% Only TOS 0 is supported");
    }
    current(editor)?.metric_weights = setting(args, Some(values)).filter(|&values| values != default);
    Ok(())
}

fn router_id(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let id = setting(args, args.ip("id")).map(RouterId);
    if id.is_some_and(|id| id.is_unspecified() || id.0.is_broadcast()) {
        return refuse("% Invalid EIGRP router-id");
    }
    current(editor)?.router_id = id;
    Ok(())
}

fn log_neighbor_changes(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.no_log_neighbor_changes = args.form == crate::grammar::Form::No;
    Ok(())
}

/// `receive-only` excludes all others; without options it means `connected summary`.
fn stub(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = Stub {
        connected: args.has("connected"),
        static_routes: args.has("static"),
        summary: args.has("summary"),
        redistributed: args.has("redistributed"),
        receive_only: args.has("receive-only"),
        leak_map: args.text("map").map(str::to_owned),
    };
    let alone = Stub { receive_only: true, ..Stub::default() };
    if value.receive_only && value != alone {
        return refuse("% receive-only cannot be used with other stub options");
    }
    let kinds = Stub { leak_map: None, ..value.clone() };
    let value = if kinds == Stub::default() {
        Stub { leak_map: value.leak_map, ..Stub::connected_summary() }
    } else {
        value
    };
    current(editor)?.stub = setting(args, Some(value));
    Ok(())
}

fn shutdown(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.shutdown = !args.negated();
    Ok(())
}

/// Either form starts the list of exceptions anew.
fn passive_default(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let instance = current(editor)?;
    instance.passive_default = !args.negated();
    instance.passive_exceptions.clear();
    Ok(())
}

fn passive(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.interface())?;
    let instance = current(editor)?;
    if args.negated() == instance.passive_default {
        instance.passive_exceptions.insert(name);
    } else {
        instance.passive_exceptions.remove(&name);
    }
    Ok(())
}

fn rib_scale(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.rib_scale = setting(args, args.int("scale")).filter(|&scale| scale != 128);
    Ok(())
}

fn default_information(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let off = args.negated();
    let instance = current(editor)?;
    if args.has("in") {
        instance.no_default_information_in = off;
    } else {
        instance.no_default_information_out = off;
    }
    Ok(())
}

fn auto_summary(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.auto_summary = !args.negated();
    Ok(())
}

fn maximum_hops(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.maximum_hops = setting(args, args.int("hops")).filter(|&hops| hops != 100);
    Ok(())
}

fn variance(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.variance = setting(args, args.int("multiplier")).filter(|&variance| variance != 1);
    Ok(())
}

fn maximum_paths(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.maximum_paths = setting(args, args.int("count")).filter(|&count| count != 4);
    Ok(())
}

fn traffic_share(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let min = args.has("min");
    let instance = current(editor)?;
    instance.traffic_share_min = if args.negated() { instance.traffic_share_min && !min } else { min };
    Ok(())
}

fn active_time(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = args.int("minutes").map_or(ActiveTime::Disabled, ActiveTime::Minutes);
    current(editor)?.active_time = setting(args, Some(value)).filter(|&time| time != ActiveTime::Minutes(3));
    Ok(())
}
