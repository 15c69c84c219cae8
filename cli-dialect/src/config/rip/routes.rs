//! Lines about the routes of a RIP instance: redistribution, filters, offsets, distances, the default.

use netconfarena_emu::config::Wildcard;
use netconfarena_emu::policy::{DistanceBySource, DistributeList};
use netconfarena_emu::rip::config::{
    DefaultInformation, Direction, FilterScope, OffsetList, OffsetScope, SeedMetric,
};

use super::current;
use crate::config::interface::setting;
use crate::config::ospf::{source, sources};
use crate::config::ospf_match::{match_option, match_types};
use crate::config::unsupported::refused;
use crate::config::{Complaint, Editor, Handler, need};
use crate::grammar::{Args, Spec, int, interface, ip, kw, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let route_map = || {
        kw("route-map", "Route-map reference")
            .then([word("map", "Pointer to route-map entries").run(default_information as Handler)])
    };
    vec![
        kw("default-metric", "Set metric of redistributed routes")
            .negatable(default_metric as Handler)
            .then([int("hops", 1, 16, "Default metric").run(default_metric as Handler)]),
        kw("default-information", "Control distribution of default information").then([kw(
            "originate",
            "Distribute a default route",
        )
        .run(default_information as Handler)
        .then([route_map(), refused("on-passive", "Distribute default route on passive interfaces")])]),
        distance_spec(),
        distribute_list_spec(),
        offset_list_spec(),
        redistribute_spec(),
    ]
}

fn distance_spec() -> Spec<Handler> {
    let wildcard = ip("wildcard", "Wildcard bits").run(distance as Handler).then([word(
        "list",
        "IP Standard access list number or name",
    )
    .run(distance as Handler)]);
    kw("distance", "Define an administrative distance").negatable(distance as Handler).then([int(
        "value",
        1,
        255,
        "Administrative distance",
    )
    .run(distance as Handler)
    .then([ip("address", "IP Source address").then([wildcard])])])
}

fn distribute_list_spec() -> Spec<Handler> {
    let handler = distribute_list as Handler;
    let incoming = move || {
        kw("in", "Filter incoming routing updates").run(handler).then([interface("Interface").run(handler)])
    };
    let both = move || {
        let mut out = vec![interface("Interface").run(handler)];
        out.extend(sources(handler));
        [incoming(), kw("out", "Filter outgoing routing updates").run(handler).then(out)]
    };
    let gateway = move || {
        kw("gateway", "Filtering incoming updates based on gateway").then([word(
            "gateway-list",
            "Name of an IP prefix-list",
        )
        .then([incoming()])])
    };
    kw("distribute-list", "Filter networks in routing updates").then([
        kw("prefix", "Filter prefixes in routing updates").then([word(
            "prefix-list",
            "Name of an IP prefix-list",
        )
        .then(both())
        .then([gateway()])]),
        gateway(),
        word("list", "IP access list number or name").then(both()),
    ])
}

fn offset_list_spec() -> Spec<Handler> {
    let handler = offset_list as Handler;
    let offset =
        move || int("offset", 0, 16, "Offset").run(handler).then([interface("Interface").run(handler)]);
    kw("offset-list", "Add or subtract offset from RIP metrics").then([word(
        "list",
        "Access list of networks to apply offset (0 selects all networks)",
    )
    .then([
        kw("in", "Perform offset on incoming updates").negatable(handler).then([offset()]),
        kw("out", "Perform offset on outgoing updates").negatable(handler).then([offset()]),
    ])])
}

fn redistribute_spec() -> Spec<Handler> {
    let handler = redistribute as Handler;
    let options = move || {
        vec![
            kw("metric", "Metric for redistributed routes").then([
                int("hops", 0, 16, "Default metric").run(handler),
                plain("transparent", "Transparently redistribute metric", handler),
            ]),
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
    kw("redistribute", "Redistribute information from another routing protocol").then([
        with(kw("connected", "Connected")),
        with(kw("static", "Static routes")),
        kw("ospf", "Open Shortest Path First (OSPF)")
            .then([int("source-ospf", 1, 65535, "Process ID").run(handler).options(with_match())]),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([with(int(
            "source-as",
            1,
            65535,
            "Autonomous system number",
        ))]),
        kw("bgp", "Border Gateway Protocol (BGP)").then([with(int(
            "source-bgp",
            1,
            4_294_967_295,
            "Autonomous system number",
        ))]),
    ])
}

fn default_metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.default_metric = setting(args, args.int("hops"));
    Ok(())
}

fn default_information(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = DefaultInformation { route_map: args.text("map").map(str::to_owned) };
    current(editor)?.default_information = setting(args, Some(value));
    Ok(())
}

/// `distance D`, or `distance D A W [ACL]` for the routers that the wildcard matches.
fn distance(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = args.ip("address").zip(args.ip("wildcard"));
    let instance = current(editor)?;
    let Some((address, wildcard)) = source else {
        instance.distance = setting(args, args.int("value")).filter(|&distance| distance != 120);
        return Ok(());
    };
    let source = Wildcard::new(address, wildcard);
    let access_list = args.text("list").map(str::to_owned);
    let distance = need(args.int("value"))?;
    let rules = &mut instance.distance_by_source;
    rules.retain(|rule| rule.source != source);
    if !args.negated() {
        rules.push(DistanceBySource { distance, source, access_list });
    }
    Ok(())
}

fn distribute_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let owned = |name: &str| args.text(name).map(str::to_owned);
    let filter = match owned("list") {
        Some(list) => DistributeList::AccessList(list),
        None => DistributeList::Prefix { list: owned("prefix-list"), gateway: owned("gateway-list") },
    };
    let scope = match (args.has("in"), source(args)) {
        (true, _) => FilterScope::In(args.interface()),
        (false, Some(source)) => FilterScope::Redistributed(source),
        (false, None) => FilterScope::Out(args.interface()),
    };
    let lists = &mut current(editor)?.distribute_lists;
    match setting(args, Some(filter)) {
        Some(filter) => lists.insert(scope, filter),
        None => lists.remove(&scope),
    };
    Ok(())
}

fn offset_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let direction = if args.has("in") { Direction::In } else { Direction::Out };
    let scope = OffsetScope { direction, interface: args.interface() };
    let access_list = args.text("list").filter(|&name| name != "0").map(str::to_owned);
    let lists = &mut current(editor)?.offset_lists;
    if args.negated() {
        lists.remove(&scope);
    } else {
        lists.insert(scope, OffsetList { access_list, offset: need(args.int("offset"))? });
    }
    Ok(())
}

/// A further line for the same source adds to what is there.
fn redistribute(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = need(source(args))?;
    let sources = &mut current(editor)?.redistribute;
    if args.negated() {
        sources.remove(&source);
        return Ok(());
    }
    let hops = args.int("hops").map(SeedMetric::Hops);
    let transparent = args.has("transparent").then_some(SeedMetric::Transparent);
    let entry = sources.entry(source).or_default();
    entry.metric = hops.or(transparent).or(entry.metric);
    entry.route_map = args.text("map").map(str::to_owned).or(entry.route_map.take());
    entry.match_types.extend(match_types(args));
    Ok(())
}
