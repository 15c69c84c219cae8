//! What `show ip protocols` says of EIGRP.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::config::Wildcard;
use netconfarena_emu::eigrp::{
    ActiveTime, Distances, DistributeOut, EigrpProcess, InstanceConfig, Mode, PathSource,
};

use super::Protocol;
use super::collect::{filter_lines, filters, sources};
use crate::config::classful_wildcard;
use crate::running_config::source_name;
use crate::show::ShowContext;

pub(super) fn of_eigrp(context: &ShowContext<'_>, process: &EigrpProcess) -> Option<Protocol> {
    let eigrp = &context.router().config().eigrp;
    let instance = eigrp.instance(process.autonomous_system, process.vrf_name.as_deref())?;
    let config = instance.config;
    let Distances { internal, external } = distances(config);
    let mut settings = filter_settings(config);
    let not = |off: bool| if off { "not " } else { "" };
    settings.push(format!(
        "Default networks {}flagged in outgoing updates",
        not(config.no_default_information_out)
    ));
    settings.push(format!(
        "Default networks {}accepted from incoming updates",
        not(config.no_default_information_in)
    ));
    if !config.redistribute.is_empty() {
        let names: Vec<String> = config.redistribute.keys().map(|source| source_name(*source)).collect();
        settings.push(format!("Redistributing: {}", names.join(", ")));
    }
    settings.extend(instance_lines(process, config));
    let summarization = if config.auto_summary { "enabled" } else { "disabled" };
    settings.push(format!("Automatic Summarization: {summarization}"));
    settings.extend(summaries(process));
    Some(Protocol {
        protocol: format!("eigrp {}", process.autonomous_system),
        settings,
        maximum_path: Some(config.maximum_paths.unwrap_or(4).into()),
        networks: Some(config.networks.iter().map(network).collect()),
        interfaces: Vec::new(),
        passive: process
            .interfaces
            .values()
            .filter(|on| instance.is_passive(context.router().config(), on.name))
            .map(|on| on.name.to_string())
            .collect(),
        sources: sources(context, process.vrf, process.owner()),
        distance: format!("internal {internal} external {external}"),
    })
}

fn distances(config: &InstanceConfig) -> Distances {
    config.distance.unwrap_or(Distances { internal: 90, external: 170 })
}

/// The two lines about filters, each with those of interfaces behind it.
fn filter_settings(config: &InstanceConfig) -> Vec<String> {
    let (out, into) = (config.distribute_out.get(&DistributeOut::All), config.distribute_in.get(&None));
    let [first, second] = filters(out, into);
    let outgoing: BTreeMap<_, _> = config
        .distribute_out
        .iter()
        .filter_map(|(scope, list)| match scope {
            DistributeOut::Interface(name) => Some((*name, list)),
            _ => None,
        })
        .collect();
    let incoming: BTreeMap<_, _> =
        config.distribute_in.iter().filter_map(|(name, list)| Some(((*name)?, list))).collect();
    let mut lines = vec![first];
    lines.extend(filter_lines(&outgoing, out));
    lines.push(second);
    lines.extend(filter_lines(&incoming, into));
    lines
}

/// The instance itself, indented below its name.
fn instance_lines(process: &EigrpProcess, config: &InstanceConfig) -> Vec<String> {
    let number = process.autonomous_system;
    let k = process.metrics.k;
    let weights = format!("Metric weight K1={}, K2={}, K3={}, K4={}, K5={}", k.k1, k.k2, k.k3, k.k4, k.k5);
    let (title, metric) = match (process.mode, &process.name) {
        (Mode::Named, Some(name)) => (
            format!("EIGRP-IPv4 VR({name}) Address-Family Protocol for AS({number})"),
            vec![
                format!("  {weights} K6={}", k.k6),
                format!("  Metric rib-scale {}", process.metrics.rib_scale),
                "  Metric version 64bit".to_owned(),
                "  Soft SIA disabled".to_owned(),
            ],
        ),
        _ => (format!("EIGRP-IPv4 Protocol for AS({number})"), vec![format!("  {weights}")]),
    };
    let Distances { internal, external } = distances(config);
    let active = match config.active_time {
        Some(ActiveTime::Disabled) => "disabled".to_owned(),
        Some(ActiveTime::Minutes(minutes)) => format!("{minutes} min"),
        None => "3 min".to_owned(),
    };
    let mut lines = vec![title];
    lines.extend(metric);
    lines.extend([
        "  NSF-aware route hold timer is 240".to_owned(),
        format!("  Router-ID: {}", process.router_id.map_or(Ipv4Addr::UNSPECIFIED, |id| id.0)),
    ]);
    if config.stub.is_some() {
        lines.push(format!("  Stub{}", stub_words(config)));
    }
    lines.extend([
        "  Topology : 0 (base)".to_owned(),
        format!("    Active Timer: {active}"),
        format!("    Distance: internal {internal} external {external}"),
        format!("    Maximum path: {}", config.maximum_paths.unwrap_or(4)),
        format!("    Maximum hopcount {}", process.metrics.maximum_hops),
        format!("    Maximum metric variance {}", config.variance.unwrap_or(1)),
    ]);
    if process.mode == Mode::Named {
        let redistributed = process.topology.values().filter(|destination| {
            destination.paths().iter().any(|path| path.source == PathSource::Redistributed)
        });
        lines.push(format!("    Total Prefix Count: {}", process.topology.len()));
        lines.push(format!("    Total Redist Count: {}", redistributed.count()));
    }
    lines
}

/// `, connected, summary`.
fn stub_words(config: &InstanceConfig) -> String {
    let Some(stub) = &config.stub else { return String::new() };
    let words = [
        (stub.connected, ", connected"),
        (stub.static_routes, ", static"),
        (stub.summary, ", summary"),
        (stub.redistributed, ", redistributed"),
        (stub.receive_only, ", receive-only"),
    ];
    words.into_iter().filter(|(set, _)| *set).map(|(_, word)| word).collect()
}

/// The summaries of interfaces, with what is in them.
fn summaries(process: &EigrpProcess) -> Vec<String> {
    let mut lines = Vec::new();
    for on in process.interfaces.values() {
        for prefix in on.summaries.keys() {
            lines.push(format!("  {prefix} for {}", on.name.short()));
            let summary = process.topology.get(prefix).and_then(|known| known.path(PathSource::Summary));
            if let Some(path) = summary {
                let metric = path.distance.distance().0;
                lines.push(format!(
                    "    Summarizing {} components with metric {metric}",
                    components(process, *prefix)
                ));
            }
        }
    }
    if !lines.is_empty() {
        lines.insert(0, "Address Summarization:".to_owned());
    }
    lines
}

fn components(process: &EigrpProcess, summary: Ipv4Net) -> usize {
    let known =
        process.topology.iter().filter(|(prefix, _)| **prefix != summary && summary.contains(*prefix));
    known.filter(|(_, destination)| destination.feasible_distance().is_finite()).count()
}

fn network(wildcard: &Wildcard) -> String {
    match wildcard {
        all if *all == classful_wildcard(all.address) => all.address.to_string(),
        Wildcard { address, mask } => match u32::from(*mask).leading_zeros() {
            length if u32::from(*mask) == u32::MAX.checked_shr(length).unwrap_or(0) => {
                format!("{address}/{length}")
            }
            _ => format!("{address} {mask}"),
        },
    }
}
