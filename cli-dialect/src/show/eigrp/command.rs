//! The grammar of `show ip eigrp` and `show eigrp address-family ipv4`.

use ipnet::{Ipv4Net, ipv4_mask_to_prefix};
use netconfarena_emu::eigrp::EigrpProcess;
use netconfarena_emu::policy::classful;

use super::entry::IpEigrpEntry;
use super::interfaces::IpEigrpInterfaces;
use super::neighbors::IpEigrpNeighbors;
use super::topology::{IpEigrpTopology, Links};
use super::traffic::IpEigrpTraffic;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, interface, ip, kw, plain, prefix, word};
use crate::show::{Record, ShowContext, ShowHandler};

pub(in crate::show) fn table() -> Vec<Spec<ShowHandler>> {
    vec![
        kw("ip", "IP information").then([kw("eigrp", "Show IPv4 EIGRP").then(instances())]),
        kw("eigrp", "Show EIGRP information").then([kw(
            "address-family",
            "Show EIGRP address-family information",
        )
        .then([kw("ipv4", "EIGRP IPv4 Address-Family").then(instances())])]),
    ]
}

/// `[vrf V] [AS]`, and what is asked about the instances.
fn instances() -> Vec<Spec<ShowHandler>> {
    let number = || int("as-number", 1, 65535, "Autonomous System").then(questions());
    let vrf = kw("vrf", "Select a VPN Routing/Forwarding instance")
        .then([word("vrf-name", "VRF name").then(questions()).then([number()])]);
    let mut table = questions();
    table.extend([number(), vrf]);
    table
}

fn questions() -> Vec<Spec<ShowHandler>> {
    let neighbors: ShowHandler = |context, args| {
        Ok(IpEigrpNeighbors::collect(
            context,
            &selected(context, args)?,
            args.interface(),
            args.has("detail"),
        )
        .render())
    };
    let interfaces: ShowHandler = |context, args| {
        Ok(IpEigrpInterfaces::collect(
            context,
            &selected(context, args)?,
            args.interface(),
            args.has("detail"),
        )
        .render())
    };
    let traffic: ShowHandler =
        |context, args| Ok(IpEigrpTraffic::collect(&selected(context, args)?).render());
    let listed = |run: ShowHandler, keyword: &'static str, help: &'static str| {
        let detail = || plain("detail", "Show detailed information", run);
        kw(keyword, help).run(run).then([
            detail().then([interface("Interface").run(run)]),
            interface("Interface").run(run).then([detail()]),
        ])
    };
    vec![
        listed(neighbors, "neighbors", "IPv4 EIGRP neighbors"),
        listed(interfaces, "interfaces", "IPv4 EIGRP interfaces"),
        topology_spec(),
        plain("traffic", "IPv4 EIGRP Traffic Statistics", traffic),
    ]
}

fn topology_spec() -> Spec<ShowHandler> {
    let run: ShowHandler = topology;
    kw("topology", "IPv4 EIGRP Topology Table").run(run).then([
        plain("active", "Show only active entries", run),
        plain("all-links", "Show all links in topology table", run),
        plain("zero-successors", "Show only zero successor entries", run),
        ip("address", "IP address to display information about")
            .run(run)
            .then([ip("mask", "Network mask").run(run)]),
        prefix("prefix", "IP prefix <network>/<length>, e.g., 192.168.0.0/16").run(run),
    ])
}

fn topology(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let selected = selected(context, args)?;
    if let Some(wanted) = wanted(&selected, args)? {
        return Ok(IpEigrpEntry::collect(context, &selected, wanted).render());
    }
    let links = match args.names().find(|name| ["active", "all-links", "zero-successors"].contains(name)) {
        Some("active") => Links::Active,
        Some("all-links") => Links::All,
        Some("zero-successors") => Links::WithoutSuccessor,
        _ => Links::Feasible,
    };
    Ok(IpEigrpTopology::collect(context, &selected, links).render())
}

/// The destination that a command names; an address without a mask means the one that has it as its network, or the classful one.
fn wanted(selected: &[&EigrpProcess], args: &Args) -> Result<Option<Ipv4Net>, Complaint> {
    if let Some(prefix) = args.prefix("prefix") {
        return Ok(Some(prefix.trunc()));
    }
    let Some(address) = args.ip("address") else { return Ok(None) };
    let Some(mask) = args.ip("mask") else {
        let known = selected.iter().flat_map(|process| process.topology.keys());
        let named = known.copied().find(|prefix| prefix.network() == address);
        return Ok(Some(named.unwrap_or_else(|| classful::network(address))));
    };
    let net = ipv4_mask_to_prefix(mask).ok().and_then(|length| Ipv4Net::new(address, length).ok());
    let net = net.ok_or_else(|| Complaint::Refused("% Inconsistent address and mask".to_owned()))?;
    Ok(Some(net.trunc()))
}

/// The instances that a command is about.
fn selected<'a>(context: &ShowContext<'a>, args: &Args) -> Result<Vec<&'a EigrpProcess>, Complaint> {
    let vrf = context.vrf(args)?;
    let number: Option<u16> = args.int("as-number");
    let processes = context.router().processes().filter(|(key, _)| key.vrf == vrf);
    Ok(processes
        .filter_map(|(_, process)| process.as_eigrp())
        .filter(|process| number.is_none_or(|number| number == process.autonomous_system))
        .collect())
}
