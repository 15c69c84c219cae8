//! The grammar of `show ip route`.

use ipnet::{Ipv4Net, ipv4_mask_to_prefix};

use super::super::ip_route_summary::IpRouteSummary;
use super::super::{Record, ShowContext, ShowHandler};
use super::collect::Selection;
use super::{IpRouteOutput, IpRoutes, classful_length};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, ip, kw, plain, word};

pub(in super::super) fn table() -> Vec<Spec<ShowHandler>> {
    let vrf = kw("vrf", "Display routes from a VRF")
        .then([word("vrf-name", "VRF name").run(show as ShowHandler).then(selections())]);
    vec![
        kw("ip", "IP information")
            .then([kw("route", "IP routing table").run(show as ShowHandler).then(selections()).then([vrf])]),
    ]
}

fn selections() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = show;
    let longer = || plain("longer-prefixes", "Show route matching the specified Network/Mask pair only", run);
    vec![
        ip("address", "Network to display information about")
            .run(run)
            .then([ip("mask", "Network mask").run(run).then([longer()]), longer()]),
        plain("bgp", "Border Gateway Protocol (BGP)", run),
        plain("connected", "Connected", run),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").run(run).then([int(
            "number",
            1,
            65535,
            "Autonomous System",
        )
        .run(run)]),
        kw("ospf", "Open Shortest Path First (OSPF)")
            .run(run)
            .then([int("number", 1, 65535, "Process ID").run(run)]),
        plain("rip", "Routing Information Protocol (RIP)", run),
        plain("static", "Static routes", run),
        plain("summary", "Summary of all routes", |context, args| {
            Ok(IpRouteSummary::collect(context, context.vrf(args)?).render())
        }),
        plain("supernets-only", "Show supernet entries only", run),
    ]
}

fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let vrf = context.vrf(args)?;
    let mask = args.ip("mask");
    let length = mask.map(ipv4_mask_to_prefix).transpose();
    let length = length.map_err(|_| Complaint::Refused("% Inconsistent address and mask".to_owned()))?;
    let number = args.int("number");
    let selection = match (args.ip("address"), args.has("longer-prefixes")) {
        (Some(address), false) => {
            return Ok(IpRouteOutput::lookup(context, vrf, address, length).render());
        }
        (Some(address), true) => {
            let length = length.unwrap_or_else(|| classful_length(address));
            Ipv4Net::new(address, length).map_or(Selection::All, |net| Selection::LongerPrefixes(net.trunc()))
        }
        (None, _) => match args.names().find(|name| KEYWORDS.contains(name)) {
            Some("bgp") => Selection::Bgp,
            Some("connected") => Selection::Connected,
            Some("eigrp") => Selection::Eigrp(number),
            Some("ospf") => Selection::Ospf(number),
            Some("rip") => Selection::Rip,
            Some("static") => Selection::Static,
            Some("supernets-only") => Selection::Supernets,
            _ => Selection::All,
        },
    };
    Ok(IpRouteOutput::Table(IpRoutes::collect(context, vrf, selection)).render())
}

const KEYWORDS: [&str; 7] = ["bgp", "connected", "eigrp", "ospf", "rip", "static", "supernets-only"];
