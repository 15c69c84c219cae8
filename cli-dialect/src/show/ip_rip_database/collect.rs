//! The record from a RIP process, and the command.

use std::collections::BTreeMap;

use ipnet::{Ipv4Net, ipv4_mask_to_prefix};
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::policy::classful;
use netconfarena_emu::rib::RouteOwner;
use netconfarena_emu::rip::RipProcess;
use netconfarena_emu::rip::table::{self, RipRoute, RouteState};

use super::{IpRipDatabase, Kind, Network, Path};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, ip, kw, word};
use crate::show::age::Age;
use crate::show::{Record, ShowContext, ShowHandler};

pub(in crate::show) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = show;
    let network = || {
        ip("address", "IP address (Network) to display database entry for").then([ip(
            "mask",
            "IP network mask",
        )
        .run(run)])
    };
    let vrf = kw("vrf", "Select a VPN Routing/Forwarding instance")
        .then([word("vrf-name", "VRF name").run(run).then([network()])]);
    vec![
        kw("ip", "IP information").then([kw("rip", "IP RIP show commands").then([kw(
            "database",
            "IPv4 RIP database",
        )
        .run(run)
        .then([network(), vrf])])]),
    ]
}

fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let mut record = IpRipDatabase::collect(context, context.vrf(args)?);
    if let Some((address, mask)) = args.ip("address").zip(args.ip("mask")) {
        let length = ipv4_mask_to_prefix(mask).ok();
        let wanted = length.and_then(|length| Ipv4Net::new(address, length).ok()).map(|net| net.trunc());
        record.networks.retain(|network| Some(network.prefix) == wanted);
        if record.networks.is_empty() {
            return Err(Complaint::Refused("%Route not in database".to_owned()));
        }
    }
    Ok(record.render())
}

impl IpRipDatabase {
    /// What RIP knows in a VRF.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, vrf: VrfId) -> Self {
        let router = context.router();
        let process = router.process_in(RouteOwner::Rip, vrf).and_then(|process| process.as_rip());
        let Some(process) = process else { return Self::default() };
        // Summaries stand before the networks that they are made of.
        let mut networks: BTreeMap<(Ipv4Net, bool), Network> = BTreeMap::new();
        let mut put = |prefix, is_own, kind, paths| {
            networks.entry((prefix, is_own)).or_insert(Network { prefix, kind, paths });
        };
        for (prefix, route) in process.routes() {
            if !classful::is_supernet(prefix) || prefix.prefix_len() == 0 {
                let major =
                    if prefix.prefix_len() == 0 { prefix } else { classful::network(prefix.network()) };
                put(major, false, Kind::AutoSummary, Vec::new());
            }
            let (kind, paths) = network(context, route);
            put(prefix, true, kind, paths);
        }
        for prefix in summaries(context, process) {
            put(prefix, false, Kind::InterfaceSummary, Vec::new());
        }
        Self { networks: networks.into_values().collect() }
    }
}

/// The summaries of interfaces that have a component.
fn summaries(context: &ShowContext<'_>, process: &RipProcess) -> Vec<Ipv4Net> {
    let router = context.router();
    let settings = process
        .interfaces()
        .filter_map(|index| router.interfaces().get(index))
        .filter_map(|interface| router.config().interfaces.get(&interface.name));
    settings
        .flat_map(|interface| &interface.rip.summary_addresses)
        .copied()
        .filter(|summary| process.routes().any(|(prefix, _)| summary.contains(&prefix) && prefix != *summary))
        .collect()
}

fn network(context: &ShowContext<'_>, route: &RipRoute) -> (Kind, Vec<Path>) {
    match &route.state {
        RouteState::Connected { interface } => {
            (Kind::Connected(context.interface_name(*interface)), Vec::new())
        }
        RouteState::Redistributed(redistributed) => {
            let path = Path {
                metric: redistributed.metric,
                next_hop: std::net::Ipv4Addr::UNSPECIFIED,
                from: None,
                age: None,
                interface: None,
            };
            (Kind::Redistributed, vec![path])
        }
        RouteState::Learned { paths } => {
            (Kind::Learned, paths.iter().map(|way| path(context, way)).collect())
        }
        RouteState::Down { .. } => (Kind::Down, Vec::new()),
    }
}

fn path(context: &ShowContext<'_>, way: &table::Path) -> Path {
    Path {
        metric: way.metric,
        next_hop: way.next_hop,
        from: Some(way.gateway).filter(|gateway| *gateway != way.next_hop),
        age: Some(Age::from(context.now().since(way.updated))),
        interface: Some(context.interface_name(way.interface)),
    }
}
