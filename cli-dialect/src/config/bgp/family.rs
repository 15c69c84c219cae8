//! What routes an address family has of its own, and how it treats all routes.

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::{
    Aggregate, DistanceBySource, Distances, NetworkStatement, Redistribution, TableMap,
};
use netconfarena_emu::config::Wildcard;
use netconfarena_emu::policy::classful;

use super::super::interface::setting;
use super::super::ospf::{distribute_list_spec, edit_distribute_lists, source};
use super::super::ospf_match::{match_option, match_types};
use super::super::{Complaint, Editor, Handler, need, refuse};
use super::{MAX_ASN, family};
use crate::grammar::{Args, Spec, int, ip, kw, plain, word};

/// IOS's `distance bgp`.
const DEFAULT_DISTANCES: Distances = Distances { external: 20, internal: 200, local: 200 };

pub(super) fn table() -> Vec<Spec<Handler>> {
    let map = |keyword, name, help, handler: Handler| {
        kw(keyword, help).then([word(name, "Pointer to route-map entries").run(handler)])
    };
    let network_options = || {
        [
            map("route-map", "map", "Route-map to modify the attributes", network),
            plain("backdoor", "Specify a BGP backdoor route", network as Handler),
        ]
    };
    let distance_value = |name| int(name, 1, 255, "Administrative distance");
    vec![
        kw("network", "Specify a network to announce via BGP").then([ip("address", "Network number")
            .run(network as Handler)
            .options(network_options())
            .then([kw("mask", "Network mask")
                .then([ip("mask", "Network mask").run(network as Handler).options(network_options())])])]),
        kw("aggregate-address", "Configure BGP aggregate entries").then([ip("address", "Aggregate address")
            .then([ip("mask", "Aggregate mask").run(aggregate as Handler).options([
                plain("as-set", "Generate AS set path information", aggregate as Handler),
                plain("summary-only", "Filter more specific routes from updates", aggregate as Handler),
                map(
                    "suppress-map",
                    "suppress",
                    "Conditionally filter more specific routes from updates",
                    aggregate,
                ),
                map("advertise-map", "advertise", "Set condition to advertise attribute", aggregate),
                map("attribute-map", "attribute", "Set attributes of aggregate", aggregate),
            ])])]),
        redistribute_spec(),
        distribute_list_spec(distribute_list),
        kw("default-information", "Control distribution of default information").then([plain(
            "originate",
            "Distribute a default route",
            default_information as Handler,
        )]),
        kw("default-metric", "Set metric of redistributed routes")
            .negatable(default_metric as Handler)
            .then([int("metric-value", 1, MAX_ASN, "Default metric").run(default_metric as Handler)]),
        plain("auto-summary", "Enable automatic network number summarization", auto_summary as Handler),
        plain("synchronization", "Perform IGP synchronization", synchronization as Handler),
        kw("distance", "Define an administrative distance").then([
            kw("bgp", "BGP distance")
                .negatable(distance_bgp as Handler)
                .then([distance_value("external")
                    .then([distance_value("internal")
                        .then([distance_value("local").run(distance_bgp as Handler)])])]),
            distance_value("value").then([ip("address", "IP Source address").then([ip(
                "wildcard",
                "Wildcard bits",
            )
            .run(distance_source as Handler)
            .then([word("list", "IP Standard access list").run(distance_source as Handler)])])]),
        ]),
        kw("maximum-paths", "Forward packets over multiple paths").negatable(maximum_paths as Handler).then(
            [
                int("count", 1, 32, "Number of paths").run(maximum_paths as Handler),
                kw("ibgp", "iBGP-multipath").negatable(maximum_paths_ibgp as Handler).then([int(
                    "ibgp-count",
                    1,
                    32,
                    "Number of paths",
                )
                .run(maximum_paths_ibgp as Handler)]),
                kw("eibgp", "Both eBGP and iBGP paths as multipath")
                    .negatable(maximum_paths_eibgp as Handler)
                    .then([int("eibgp-count", 1, 32, "Number of paths").run(maximum_paths_eibgp as Handler)]),
            ],
        ),
        kw("table-map", "Map external entry attributes into routing table")
            .negatable(table_map as Handler)
            .then([word("map", "route-map name").run(table_map as Handler).then([plain(
                "filter",
                "Selective route download",
                table_map as Handler,
            )])]),
    ]
}

fn redistribute_spec() -> Spec<Handler> {
    let run = redistribute as Handler;
    let options = || {
        vec![
            kw("metric", "Metric for redistributed routes").then([int(
                "metric-value",
                0,
                MAX_ASN,
                "Default metric",
            )
            .run(run)]),
            kw("route-map", "Route map reference")
                .then([word("map", "Pointer to route-map entries").run(run)]),
        ]
    };
    let ospf_options = || {
        let mut all = options();
        all.push(match_option(run));
        all
    };
    let with = |spec: Spec<Handler>| spec.run(run).options(options());
    kw("redistribute", "Redistribute information from another routing protocol").then([
        with(kw("connected", "Connected")),
        with(kw("static", "Static routes")),
        with(kw("rip", "Routing Information Protocol (RIP)")),
        kw("ospf", "Open Shortest Path First (OSPF)")
            .then([int("source-ospf", 1, 65535, "Process ID").run(run).options(ospf_options())]),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([with(int(
            "source-as",
            1,
            65535,
            "AS number",
        ))]),
    ])
}

/// A network's address and mask. Without a mask it is that of its class.
fn network(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = need(args.ip("address"))?;
    let prefix = match args.ip("mask") {
        Some(mask) => match Ipv4Net::with_netmask(address, mask) {
            Ok(net) if net.trunc() == net => net,
            _ => return refuse("% BGP: Incorrect network or mask configured"),
        },
        None if address.is_unspecified() => Ipv4Net::default(),
        None => classful::network(address),
    };
    let networks = &mut family(editor)?.networks;
    if args.negated() {
        networks.remove(&prefix);
    } else {
        let statement = NetworkStatement {
            route_map: args.text("map").map(str::to_owned),
            backdoor: args.has("backdoor"),
        };
        networks.insert(prefix, statement);
    }
    Ok(())
}

fn aggregate(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let (address, mask) = (need(args.ip("address"))?, need(args.ip("mask"))?);
    let Ok(prefix) = Ipv4Net::with_netmask(address, mask) else {
        return refuse("% Invalid aggregate mask");
    };
    let aggregates = &mut family(editor)?.aggregates;
    if args.negated() {
        aggregates.remove(&prefix.trunc());
        return Ok(());
    }
    let text = |name| args.text(name).map(str::to_owned);
    let aggregate = Aggregate {
        as_set: args.has("as-set"),
        summary_only: args.has("summary-only"),
        suppress_map: text("suppress"),
        advertise_map: text("advertise"),
        attribute_map: text("attribute"),
    };
    aggregates.insert(prefix.trunc(), aggregate);
    Ok(())
}

fn redistribute(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = need(source(args))?;
    let redistribute = &mut family(editor)?.redistribute;
    if args.negated() {
        redistribute.remove(&source);
        return Ok(());
    }
    let redistribution = Redistribution {
        metric: args.int("metric-value"),
        route_map: args.text("map").map(str::to_owned),
        match_types: match_types(args).into_iter().collect(),
    };
    redistribute.insert(source, redistribution);
    Ok(())
}

fn distribute_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let family = family(editor)?;
    edit_distribute_lists(args, &mut family.distribute_in, &mut family.distribute_out);
    Ok(())
}

fn default_information(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.default_information = !args.negated();
    Ok(())
}

fn default_metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.default_metric = setting(args, args.int("metric-value"));
    Ok(())
}

fn auto_summary(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.auto_summary = !args.negated();
    Ok(())
}

fn synchronization(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.synchronization = !args.negated();
    Ok(())
}

fn distance_bgp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let values = (args.int("external"), args.int("internal"), args.int("local"));
    let distances = match values {
        (Some(external), Some(internal), Some(local)) => Some(Distances { external, internal, local }),
        _ => None,
    };
    family(editor)?.distance = setting(args, distances).filter(|&d| d != DEFAULT_DISTANCES);
    Ok(())
}

fn distance_source(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = Wildcard::new(need(args.ip("address"))?, need(args.ip("wildcard"))?);
    let access_list = args.text("list").map(str::to_owned);
    let distance = need(args.int("value"))?;
    let lines = &mut family(editor)?.distance_by_source;
    lines.retain(|line| line.source != source);
    if !args.negated() {
        lines.push(DistanceBySource { distance, source, access_list });
    }
    Ok(())
}

fn maximum_paths(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.maximum_paths = setting(args, args.int("count")).filter(|&count| count != 1);
    Ok(())
}

fn maximum_paths_ibgp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.maximum_paths_ibgp = setting(args, args.int("ibgp-count")).filter(|&count| count != 1);
    Ok(())
}

fn maximum_paths_eibgp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.maximum_paths_eibgp = setting(args, args.int("eibgp-count")).filter(|&count| count != 1);
    Ok(())
}

fn table_map(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let map = args.text("map").map(|map| TableMap { route_map: map.to_owned(), filter: args.has("filter") });
    family(editor)?.table_map = setting(args, map);
    Ok(())
}
