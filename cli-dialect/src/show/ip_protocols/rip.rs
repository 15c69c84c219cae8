//! What `show ip protocols` says of RIP.

use std::collections::BTreeMap;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use netconfarena_emu::policy::DistributeList;
use netconfarena_emu::rip::RipProcess;
use netconfarena_emu::rip::config::{Direction, FilterScope, RipConfig, RipInterfaceConfig, Versions};

use super::collect::{filter_lines, filters};
use super::{Protocol, Source};
use crate::running_config::source_name;
use crate::show::ShowContext;
use crate::show::age::Age;

pub(super) fn of_rip(context: &ShowContext<'_>, process: &RipProcess) -> Option<Protocol> {
    let router = context.router();
    let config = router.config().rip.as_ref()?.instance(process.vrf_name())?;
    Some(Protocol {
        protocol: "rip".to_owned(),
        settings: settings(context, process, config),
        maximum_path: Some(config.maximum_paths.unwrap_or(4).into()),
        networks: Some(config.networks.iter().map(|network| network.network().to_string()).collect()),
        interfaces: Vec::new(),
        passive: passive(router.config(), config),
        sources: sources(context, process, config),
        distance: format!("(default is {})", config.distance.unwrap_or(120)),
    })
}

fn settings(context: &ShowContext<'_>, process: &RipProcess, config: &RipConfig) -> Vec<String> {
    let mut settings = filter_settings(config);
    settings.extend(config.offset_lists.iter().map(|(scope, list)| {
        let direction = match scope.direction {
            Direction::In => "Incoming",
            Direction::Out => "Outgoing",
        };
        let interface = scope.interface.map_or(String::new(), |name| format!(" in {name}"));
        let number = list.access_list.as_deref().map_or(String::new(), |name| format!(" if on list {name}"));
        format!("{direction} routes{interface} will have {} added to metric{number}", list.offset)
    }));
    let timers = config.timers.unwrap_or_default();
    let due = process.next_update().map_or(0, |at| at.since(context.now()).as_secs());
    settings.push(format!("Sending updates every {} seconds, next due in {due} seconds", timers.update_s));
    settings.push(format!(
        "Invalid after {} seconds, hold down {}, flushed after {}",
        timers.invalid_s, timers.holddown_s, timers.flush_s
    ));
    if let Some(metric) = config.default_metric {
        settings.push(format!("Default redistribution metric is {metric}"));
    }
    let sources = config.redistribute.keys().map(|source| source_name(*source));
    let sources: Vec<String> = sources.chain(["rip".to_owned()]).collect();
    settings.push(format!("Redistributing: {}", sources.join(", ")));
    settings.extend(version_table(context, process, config));
    let not = if config.no_auto_summary { " not" } else { "" };
    settings.push(format!("Automatic network summarization is{not} in effect"));
    settings.extend(summaries(context, process));
    settings
}

/// The two lines about filters, each with those of interfaces behind it.
fn filter_settings(config: &RipConfig) -> Vec<String> {
    let list = |scope: FilterScope| config.distribute_lists.get(&scope);
    let of_interfaces = |outgoing: bool| -> BTreeMap<InterfaceName, &DistributeList> {
        let named = config.distribute_lists.iter().filter_map(|(scope, list)| match scope {
            FilterScope::Out(Some(name)) if outgoing => Some((*name, list)),
            FilterScope::In(Some(name)) if !outgoing => Some((*name, list)),
            _ => None,
        });
        named.collect()
    };
    let [out, into] = [list(FilterScope::Out(None)), list(FilterScope::In(None))];
    let [first, second] = filters(out, into);
    let mut lines = vec![first];
    lines.extend(filter_lines(&of_interfaces(true), out));
    lines.push(second);
    lines.extend(filter_lines(&of_interfaces(false), into));
    lines
}

/// `Default version control: ...` and a row for each interface.
fn version_table(context: &ShowContext<'_>, process: &RipProcess, config: &RipConfig) -> Vec<String> {
    let defaults = RipInterfaceConfig::default();
    let send = digits(config.send_versions(&defaults));
    let receive = match config.receive_versions(&defaults) {
        Versions { v1: true, v2: true } => "any version".to_owned(),
        one => format!("version {}", digits(one)),
    };
    let mut lines = vec![
        format!("Default version control: send version {send}, receive {receive}"),
        "  Interface                           Send  Recv  Triggered RIP  Key-chain".to_owned(),
    ];
    for (name, settings) in speakers(context, process).filter(|(name, _)| !config.is_passive(*name)) {
        let (send, receive) = (config.send_versions(settings), config.receive_versions(settings));
        let chain = settings.key_chain.as_deref().unwrap_or("none");
        let (name, send, receive) = (name.to_string(), digits(send), digits(receive));
        lines.push(format!("  {name:<36}{send:<6}{receive:<11}No        {chain}"));
    }
    lines
}

/// The interfaces that RIP runs on and may speak on, with their settings.
fn speakers<'a>(
    context: &ShowContext<'a>,
    process: &RipProcess,
) -> impl Iterator<Item = (InterfaceName, &'a RipInterfaceConfig)> {
    let router = context.router();
    process
        .interfaces()
        .filter_map(|index| router.interfaces().get(index))
        .filter_map(|interface| Some((interface.name, &router.config().interfaces.get(&interface.name)?.rip)))
}

fn digits(versions: Versions) -> &'static str {
    match versions {
        Versions { v1: true, v2: true } => "1 2",
        Versions { v1: true, v2: false } => "1",
        Versions { v1: false, .. } => "2",
    }
}

fn summaries(context: &ShowContext<'_>, process: &RipProcess) -> Vec<String> {
    let all = speakers(context, process).flat_map(|(name, settings)| {
        settings.summary_addresses.iter().map(move |prefix| format!("  {prefix} for {name}"))
    });
    let lines: Vec<String> = all.collect();
    let heading = (!lines.is_empty()).then(|| "Address Summarization:".to_owned());
    heading.into_iter().chain(lines).collect()
}

/// Passive interfaces; with `passive-interface default` all but the exceptions.
fn passive(router: &RouterConfig, config: &RipConfig) -> Vec<String> {
    let names = router.interfaces.keys().filter(|name| name.kind() != InterfaceKind::Null);
    names.filter(|name| config.is_passive(**name)).map(InterfaceName::to_string).collect()
}

/// The routers that have sent updates.
fn sources(context: &ShowContext<'_>, process: &RipProcess, config: &RipConfig) -> Vec<Source> {
    let default = ipnet::Ipv4Net::default();
    let of = |(gateway, source): (std::net::Ipv4Addr, netconfarena_emu::rip::RipSource)| Source {
        gateway,
        distance: RipProcess::distance(config, context.router().config(), gateway, default),
        last_update: Age::from(context.now().since(source.last_update)),
    };
    process.sources().map(of).collect()
}
