//! Lines about the routes of an EIGRP instance: redistribution, filters, offsets, distances, metrics of summaries.

use ipnet::Ipv4Net;
use netconfarena_emu::config::Wildcard;
use netconfarena_emu::eigrp::{
    Direction, DistanceBySource, Distances, DistributeOut, OffsetList, Redistribution, SummaryMetric,
};
use netconfarena_emu::policy::{DistributeList, RedistributionSource, VectorMetric};

use super::{autonomous_system_of, current};
use crate::config::interface::setting;
use crate::config::ospf::{source, sources};
use crate::config::ospf_match::{match_option, match_types};
use crate::config::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, interface, ip, kw, word};

/// Lines of classic mode, and of `topology base`.
pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("default-metric", "Set metric of redistributed routes")
            .negatable(default_metric as Handler)
            .then([metric_values(default_metric)]),
        distance_spec(),
        distribute_list_spec(),
        offset_list_spec(),
        redistribute_spec(),
    ]
}

/// Lines of `topology base` alone.
pub(super) fn topology_table() -> Vec<Spec<Handler>> {
    vec![kw("summary-metric", "Specify summary to apply metric/filtering").then([
        ip("address", "IP address/prefix").then([
            ip("mask", "IP summary mask").negatable(summary_metric as Handler).then([
                kw("distance", "Administrative distance").then([
                    int("summary-distance", 1, 255, "Administrative distance").run(summary_metric as Handler),
                ]),
                metric_values(summary_metric),
            ]),
        ]),
    ])]
}

/// Bandwidth, delay, reliability, load, MTU.
fn metric_values(handler: Handler) -> Spec<Handler> {
    let mtu = int("mtu", 1, 65535, "Maximum Transmission Unit metric of the path").run(handler);
    let load = int("load", 1, 255, "Effective bandwidth metric (Loading) where 255 is 100% loaded");
    let reliability = int("reliability", 0, 255, "Reliability metric where 255 is 100% reliable");
    let delay = int("delay", 0, 4_294_967_295, "Delay metric, in 10 microsecond units");
    let bandwidth = int("bandwidth", 1, 4_294_967_295, "Bandwidth metric in Kbits per second");
    bandwidth.then([delay.then([reliability.then([load.then([mtu])])])])
}

fn metric(args: &Args) -> Option<VectorMetric> {
    Some(VectorMetric {
        bandwidth_kbps: args.int("bandwidth")?,
        delay_tens_us: args.int("delay")?,
        reliability: args.int("reliability")?,
        load: args.int("load")?,
        mtu: args.int("mtu")?,
    })
}

fn distance_spec() -> Spec<Handler> {
    kw("distance", "Define an administrative distance").then([
        kw("eigrp", "Set distance for internal and external routes")
            .negatable(distance_eigrp as Handler)
            .then([int("internal", 1, 255, "Distance for internal routes").then([int(
                "external",
                1,
                255,
                "Distance for external routes",
            )
            .run(distance_eigrp as Handler)])]),
        int("value", 1, 255, "Set route administrative distance").then([ip("address", "IP Source address")
            .then([ip("wildcard", "Wildcard bits").run(distance_source as Handler).then([word(
                "list",
                "IP Standard access list",
            )
            .run(distance_source as Handler)])])]),
    ])
}

fn distribute_list_spec() -> Spec<Handler> {
    let handler = distribute_list as Handler;
    let direction = move || {
        let mut out = vec![interface("Interface").run(handler)];
        out.extend(sources(handler));
        [
            kw("in", "Filter incoming address updates")
                .run(handler)
                .then([interface("Interface").run(handler)]),
            kw("out", "Filter outgoing address updates").run(handler).then(out),
        ]
    };
    kw("distribute-list", "Filter entries in eigrp updates").then([
        kw("prefix", "Filtering connections based on prefix-list").then([word(
            "prefix-list",
            "Name of an IP prefix-list",
        )
        .then(direction())
        .then([kw("gateway", "Filtering incoming address updates based on gateway").then([word(
            "gateway-list",
            "Name of IP prefix-list",
        )
        .then(direction())])])]),
        kw("gateway", "Filtering incoming address updates based on gateway").then([word(
            "gateway-list",
            "Name of IP prefix-list",
        )
        .then(direction())]),
        kw("route-map", "Filter prefixes based on the route-map").then([word(
            "map",
            "Pointer to route-map entries",
        )
        .then(direction())]),
        word("list", "IP access list number or name").then(direction()),
    ])
}

fn offset_list_spec() -> Spec<Handler> {
    let offset = || {
        let value = int("offset", 0, 2_147_483_647, "Offset").run(offset_list as Handler);
        value.then([interface("Interface").run(offset_list as Handler)])
    };
    let direction = || {
        [
            kw("in", "Perform offset on incoming updates").negatable(offset_list as Handler).then([offset()]),
            kw("out", "Perform offset on outgoing updates")
                .negatable(offset_list as Handler)
                .then([offset()]),
        ]
    };
    kw("offset-list", "Add or subtract offset from EIGRP metrics").then([word(
        "list",
        "Access list of networks to apply offset (0 selects all networks)",
    )
    .then(direction())])
}

fn redistribute_spec() -> Spec<Handler> {
    let handler = redistribute as Handler;
    let options = move || {
        vec![
            kw("metric", "Metric for redistributed routes").then([metric_values(handler)]),
            kw("route-map", "Route map reference")
                .then([word("map", "Pointer to route-map entries").run(handler)]),
        ]
    };
    let with_match = move || {
        let mut all = options();
        all.push(match_option(handler));
        all
    };
    let with = move |spec: Spec<Handler>| spec.run(handler).options(options());
    kw("redistribute", "Redistribute routes from another routing protocol into EIGRP").then([
        with(kw("connected", "Connected Routes")),
        with(kw("static", "Static Routes")),
        with(kw("rip", "Routing Information Protocol (RIP)")),
        kw("ospf", "Open Shortest Path First (OSPF)")
            .then([int("source-ospf", 1, 65535, "Process ID").run(handler).options(with_match())]),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([with(int(
            "source-as",
            1,
            65535,
            "Autonomous System",
        ))]),
        kw("bgp", "Border Gateway Protocol (BGP)").then([with(int(
            "source-bgp",
            1,
            4_294_967_295,
            "Autonomous System",
        ))]),
    ])
}

fn default_metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.default_metric = setting(args, metric(args));
    Ok(())
}

fn distance_eigrp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = args.int("internal").zip(args.int("external"));
    let value = value.map(|(internal, external)| Distances { internal, external });
    let default = Distances { internal: 90, external: 170 };
    current(editor)?.distance = setting(args, value).filter(|&distances| distances != default);
    Ok(())
}

fn distance_source(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = Wildcard::new(need(args.ip("address"))?, need(args.ip("wildcard"))?);
    let access_list = args.text("list").map(str::to_owned);
    let distance = need(args.int("value"))?;
    let list = &mut current(editor)?.distance_by_source;
    list.retain(|entry| entry.source != source);
    if !args.negated() {
        list.push(DistanceBySource { distance, source, access_list });
    }
    Ok(())
}

fn distribute_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let owned = |name: &str| args.text(name).map(str::to_owned);
    let filter = match (owned("list"), owned("map")) {
        (Some(list), _) => DistributeList::AccessList(list),
        (None, Some(map)) => DistributeList::RouteMap(map),
        (None, None) => DistributeList::Prefix { list: owned("prefix-list"), gateway: owned("gateway-list") },
    };
    let (on_interface, source) = (args.interface(), source(args));
    let instance = current(editor)?;
    if args.has("in") {
        match setting(args, Some(filter)) {
            Some(filter) => instance.distribute_in.insert(on_interface, filter),
            None => instance.distribute_in.remove(&on_interface),
        };
        return Ok(());
    }
    let scope = match (on_interface, source) {
        (Some(name), _) => DistributeOut::Interface(name),
        (None, Some(source)) => DistributeOut::Source(source),
        (None, None) => DistributeOut::All,
    };
    match setting(args, Some(filter)) {
        Some(filter) => instance.distribute_out.insert(scope, filter),
        None => instance.distribute_out.remove(&scope),
    };
    Ok(())
}

fn offset_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let direction = if args.has("in") { Direction::In } else { Direction::Out };
    let key = (direction, args.interface());
    let access_list = args.text("list").filter(|&name| name != "0").map(str::to_owned);
    let lists = &mut current(editor)?.offset_lists;
    if args.negated() {
        lists.remove(&key);
    } else {
        lists.insert(key, OffsetList { access_list, offset: need(args.int("offset"))? });
    }
    Ok(())
}

fn redistribute(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = need(source(args))?;
    let own = autonomous_system_of(editor).map(RedistributionSource::Eigrp);
    if own == Some(source) {
        return refuse("% Redistribution of EIGRP into itself is not allowed");
    }
    let sources = &mut current(editor)?.redistribute;
    if args.negated() {
        sources.remove(&source);
        return Ok(());
    }
    // A further line for the same source adds to what is there.
    let entry: &mut Redistribution = sources.entry(source).or_default();
    entry.metric = metric(args).or(entry.metric);
    entry.route_map = args.text("map").map(str::to_owned).or(entry.route_map.take());
    entry.match_types.extend(match_types(args));
    Ok(())
}

/// An address with a mask, host bits cleared.
pub(super) fn prefix(args: &Args) -> Result<Ipv4Net, Complaint> {
    match Ipv4Net::with_netmask(need(args.ip("address"))?, need(args.ip("mask"))?) {
        Ok(net) => Ok(net.trunc()),
        Err(_) => refuse("% Invalid address/mask combination"),
    }
}

fn summary_metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let prefix = prefix(args)?;
    let summaries = &mut current(editor)?.summary_metrics;
    if args.negated() {
        summaries.remove(&prefix);
        return Ok(());
    }
    let entry: &mut SummaryMetric = summaries.entry(prefix).or_default();
    entry.metric = metric(args).or(entry.metric);
    entry.distance = args.int("summary-distance").or(entry.distance);
    Ok(())
}
