//! The section of BGP.

use std::fmt::Write as _;

use netconfarena_emu::bgp::{BgpProcess, Peer};
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::policy::RedistributionSource;
use netconfarena_emu::rib::RouteOwner;

use super::Protocol;
use super::collect::{filters, sources};
use crate::show::ShowContext;

/// What BGP says of the global table.
pub(super) fn section(context: &ShowContext<'_>, process: &BgpProcess) -> Option<Protocol> {
    let config = context.router().config().bgp.as_ref()?;
    let family = &config.global.ipv4;
    let instance = process.instance(VrfId::GLOBAL)?;
    let state = |on: bool| if on { "enabled" } else { "disabled" };
    let mut settings = filters(family.distribute_out.get(&None), family.distribute_in.as_ref()).to_vec();
    settings.push(format!("IGP synchronization is {}", state(family.synchronization)));
    settings.push(format!("Automatic route summarization is {}", state(family.auto_summary)));
    if !family.redistribute.is_empty() {
        let named: Vec<String> = family.redistribute.keys().map(|source| name(*source)).collect();
        settings.push(format!("Redistributing: {}", named.join(", ")));
    }
    settings.push("Neighbor(s):".to_owned());
    settings.push("  Address          FiltIn FiltOut DistIn DistOut Weight RouteMap".to_owned());
    settings.extend(instance.peers.values().filter(|peer| peer.settings.active).map(neighbor));
    let distance = family.distance.unwrap_or_default();
    Some(Protocol {
        protocol: format!("bgp {}", config.asn),
        settings,
        maximum_path: Some(family.maximum_paths.unwrap_or(1).into()),
        sources: sources(context, VrfId::GLOBAL, RouteOwner::Bgp(process.asn)),
        distance: format!(
            "external {} internal {} local {}",
            distance.external, distance.internal, distance.local
        ),
        ..Protocol::default()
    })
}

fn name(source: RedistributionSource) -> String {
    match source {
        RedistributionSource::Connected => "connected".to_owned(),
        RedistributionSource::Static => "static".to_owned(),
        RedistributionSource::Rip => "rip".to_owned(),
        RedistributionSource::Eigrp(asn) => format!("eigrp {asn}"),
        RedistributionSource::Ospf(process) => format!("ospf {process}"),
        RedistributionSource::Bgp(asn) => format!("bgp {asn}"),
    }
}

/// A neighbor with its filters in columns.
fn neighbor(peer: &Peer) -> String {
    let policy = &peer.settings.policy;
    let number = |list: Option<u16>| list.map_or_else(String::new, |number| number.to_string());
    let text = |list: &Option<String>| list.clone().unwrap_or_default();
    let mut line = format!("  {:<16}", peer.key.address.to_string());
    let _ = write!(
        line,
        " {:>6} {:>7} {:>6} {:>7} {:>6} {}",
        number(policy.filter_list_in),
        number(policy.filter_list_out),
        text(&policy.distribute_list_in),
        text(&policy.distribute_list_out),
        number(policy.weight),
        text(&policy.route_map_in),
    );
    line.trim_end().to_owned()
}
