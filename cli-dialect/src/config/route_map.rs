//! `route-map`, and what stands in it but for `set`; `ip policy-list`.

mod set;

use std::collections::BTreeSet;

use netconfarena_emu::ids::Asn;
use netconfarena_emu::policy::{
    AddressLists, Continue, MatchClauses, MetricMatch, Permission, PolicyList, RedistributionSource,
    RouteMapEntry, RouteTypeMatch,
};

use super::unsupported::refused;
use super::{Complaint, ConfigMode, Editor, Handler, need};
use crate::grammar::{Args, Spec, int, interface, kw, line, plain, word};

/// How many values a line may name.
const MOST_VALUES: usize = 16;

/// The longest description.
const LONGEST_DESCRIPTION: usize = 100;

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    let sequence = || int("sequence", 0, 65535, "Sequence to insert to/delete from existing route-map entry");
    let action =
        |keyword, help| kw(keyword, help).run(enter as Handler).then([sequence().run(enter as Handler)]);
    let list_action = |keyword, help| plain(keyword, help, enter_policy_list as Handler);
    vec![
        kw("route-map", "Create route-map or enter route-map command mode").then([word(
            "map",
            "Route map tag",
        )
        .run(enter as Handler)
        .then([
            action("deny", "Route map denies set operations"),
            action("permit", "Route map permits set operations"),
            sequence().run(enter as Handler),
        ])]),
        kw("ip", "Global IP configuration subcommands").then([kw("policy-list", "Define IP Policy list")
            .then([word("policy-list-name", "Policy list name")
                .negatable(enter_policy_list as Handler)
                .then([
                    list_action("deny", "Deny access for matching conditions"),
                    list_action("permit", "Permit access for matching conditions"),
                ])])]),
    ]
}

/// The lines of a policy list.
pub(super) fn policy_list_table() -> Vec<Spec<Handler>> {
    vec![kw("match", "Match values").then(match_table())]
}

/// The lines of an entry.
pub(super) fn table() -> Vec<Spec<Handler>> {
    let jump = int("continue-at", 1, 65535, "Route-map entry sequence number");
    vec![
        kw("continue", "Continue on a different entry within the route-map")
            .run(continues as Handler)
            .then([jump.run(continues as Handler)]),
        kw("description", "Route-map comment").negatable(description as Handler).then([line(
            "text",
            "Comment up to 100 characters",
        )
        .run(description as Handler)]),
        kw("match", "Match values from routing table").then(match_table()).then([kw(
            "policy-list",
            "Match IP policy list",
        )
        .negatable(policy_list as Handler)
        .then([repeated(|| word("policy-list", "Policy list name").run(policy_list as Handler))])]),
        kw("set", "Set values in destination routing protocol").then(set::table()),
    ]
}

/// The same value up to [`MOST_VALUES`] times.
pub(super) fn repeated(value: impl Fn() -> Spec<Handler>) -> Spec<Handler> {
    (1..MOST_VALUES).fold(value(), |behind, _| value().then([behind]))
}

fn match_table() -> Vec<Spec<Handler>> {
    let addresses = |keyword, help, run: Handler| {
        let names = |help| repeated(move || word("list", help).run(run));
        kw(keyword, help).negatable(run).then([
            kw("prefix-list", "Match entries of prefix-lists")
                .negatable(run)
                .then([names("IP prefix-list name")]),
            names("IP access-list name or number"),
        ])
    };
    vec![
        kw("as-path", "Match BGP AS path list")
            .negatable(as_path as Handler)
            .then([repeated(|| int("as-path-list", 1, 500, "AS path access-list").run(as_path as Handler))]),
        kw("community", "Match BGP community list").negatable(community as Handler).then([repeated(|| {
            word("community-list", "Community-list number or name").run(community as Handler).then([plain(
                "exact-match",
                "Do exact matching of communities",
                community as Handler,
            )])
        })]),
        kw("extcommunity", "Match BGP/VPN extended community list")
            .negatable(extended_community as Handler)
            .then([repeated(|| {
                word("extcommunity-list", "Extended community-list number or name")
                    .run(extended_community as Handler)
            })]),
        kw("interface", "Match first hop interface of route")
            .negatable(interfaces as Handler)
            .then([repeated(|| interface("Interface").run(interfaces as Handler))]),
        kw("ip", "IP specific information").then([
            addresses("address", "Match address of route or match packet", address),
            addresses("next-hop", "Match next-hop address of route", next_hop),
            addresses("route-source", "Match advertising source address of route", route_source),
        ]),
        kw("length", "Packet length").negatable(length as Handler).then([int(
            "least",
            0,
            2_147_483_647,
            "Minimum packet length",
        )
        .then([int("greatest", 0, 2_147_483_647, "Maximum packet length").run(length as Handler)])]),
        kw("local-preference", "Local preference for route").negatable(local_preference as Handler).then([
            repeated(|| {
                int("preference", 0, 4_294_967_295, "Local preference").run(local_preference as Handler)
            }),
        ]),
        kw("metric", "Match metric of route").negatable(metric as Handler).then([
            repeated(|| int("metric-value", 0, 4_294_967_295, "Metric value").run(metric as Handler)),
            int("metric-value", 0, 4_294_967_295, "Metric value").then([kw("+-", "Specify a deviation")
                .then([int("deviation", 1, 4_294_967_295, "Deviation").run(metric as Handler)])]),
        ]),
        kw("route-type", "Match route-type of route").negatable(route_type as Handler).options(route_types()),
        kw("source-protocol", "Match source-protocol of route")
            .negatable(source_protocol as Handler)
            .options(source_protocols()),
        kw("tag", "Match tag of route")
            .negatable(tag as Handler)
            .then([repeated(|| int("tag-value", 0, 4_294_967_295, "Tag value").run(tag as Handler))]),
        refused("additional-paths", "BGP Add-Path match policies"),
        refused("clns", "CLNS information"),
        refused("ipv6", "IPv6 specific information"),
        refused("mpls-label", "Match routes which have MPLS labels"),
        refused("track", "tracking object"),
    ]
}

fn route_types() -> Vec<Spec<Handler>> {
    let run = route_type as Handler;
    let typed = |keyword, one, two, help| {
        kw(keyword, help).run(run).then([
            kw("type-1", "Type 1 external routes").named(one).run(run),
            kw("type-2", "Type 2 external routes").named(two).run(run),
        ])
    };
    vec![
        typed("external", "external-1", "external-2", "external route (BGP, EIGRP and OSPF type 1/2)"),
        plain("internal", "internal route (including OSPF intra/inter area)", run),
        plain("local", "locally generated route", run),
        typed("nssa-external", "nssa-1", "nssa-2", "nssa-external route (OSPF type 1/2)"),
        refused("level-1", "IS-IS level-1 route"),
        refused("level-2", "IS-IS level-2 route"),
    ]
}

fn source_protocols() -> Vec<Spec<Handler>> {
    let run = source_protocol as Handler;
    vec![
        kw("bgp", "Border Gateway Protocol (BGP)").then([int(
            "source-bgp",
            1,
            4_294_967_295,
            "Autonomous system number",
        )
        .run(run)]),
        plain("connected", "Connected", run),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([int(
            "source-as",
            1,
            65535,
            "Autonomous system number",
        )
        .run(run)]),
        kw("ospf", "Open Shortest Path First (OSPF)")
            .then([int("source-ospf", 1, 65535, "Process ID").run(run)]),
        plain("rip", "Routing Information Protocol (RIP)", run),
        plain("static", "Static routes", run),
    ]
}

/// `route-map NAME [permit|deny] [SEQUENCE]`.
fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("map"))?.to_owned();
    let maps = &mut editor.config.policy.route_maps;
    let sequence: Option<u16> = args.int("sequence");
    if args.negated() {
        match (sequence, maps.get_mut(&name)) {
            (Some(sequence), Some(map)) => {
                map.entries.remove(&sequence);
                maps.retain(|_, map| !map.entries.is_empty());
            }
            _ => _ = maps.remove(&name),
        }
        return Ok(());
    }
    let sequence = sequence.unwrap_or(10);
    let action = if args.has("deny") { Permission::Deny } else { Permission::Permit };
    let entries = &mut maps.entry(name.clone()).or_default().entries;
    let entry = entries.entry(sequence).or_insert_with(|| RouteMapEntry::new(action));
    if args.has("permit") || args.has("deny") {
        entry.action = action;
    }
    *editor.mode = ConfigMode::RouteMap(name, sequence);
    Ok(())
}

/// The entry whose section the line stands in.
fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut RouteMapEntry, Complaint> {
    let ConfigMode::RouteMap(name, sequence) = &*editor.mode else { return need(None) };
    let maps = &mut editor.config.policy.route_maps;
    need(maps.get_mut(name).and_then(|map| map.entries.get_mut(sequence)))
}

/// `ip policy-list NAME permit|deny`.
fn enter_policy_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("policy-list-name"))?.to_owned();
    let lists = &mut editor.config.policy.policy_lists;
    if args.negated() {
        lists.remove(&name);
        return Ok(());
    }
    let action = if args.has("deny") { Permission::Deny } else { Permission::Permit };
    let fresh = || PolicyList { action, matches: MatchClauses::default() };
    lists.entry(name.clone()).or_insert_with(fresh).action = action;
    *editor.mode = ConfigMode::PolicyList(name);
    Ok(())
}

/// The clauses of the entry or policy list whose section the line stands in.
fn matches<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut MatchClauses, Complaint> {
    if let ConfigMode::PolicyList(name) = &*editor.mode {
        return need(editor.config.policy.policy_lists.get_mut(name).map(|list| &mut list.matches));
    }
    current(editor).map(|entry| &mut entry.matches)
}

fn continues(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let to = args.int("continue-at").map_or(Continue::Next, Continue::At);
    current(editor)?.continues = (!args.negated()).then_some(to);
    Ok(())
}

fn description(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let text = args.text("text").map(|text| text.chars().take(LONGEST_DESCRIPTION).collect());
    current(editor)?.description = if args.negated() { None } else { text };
    Ok(())
}

/// Adds values to a clause; behind `no` removes them, or all where none is named.
fn edit_set<T: Ord>(clause: &mut BTreeSet<T>, args: &Args, values: impl Iterator<Item = T>) {
    let mut values = values.peekable();
    match (args.negated(), values.peek().is_some()) {
        (false, _) => clause.extend(values),
        (true, true) => values.for_each(|value| _ = clause.remove(&value)),
        (true, false) => clause.clear(),
    }
}

/// [`edit_set`] for values that keep their order.
fn edit_list<T: PartialEq>(clause: &mut Vec<T>, args: &Args, values: impl Iterator<Item = T>) {
    let mut values = values.peekable();
    match (args.negated(), values.peek().is_some()) {
        (false, _) => {
            for value in values {
                if !clause.contains(&value) {
                    clause.push(value);
                }
            }
        }
        (true, true) => values.for_each(|value| clause.retain(|known| *known != value)),
        (true, false) => clause.clear(),
    }
}

fn edit_lists(lists: &mut AddressLists, args: &Args) {
    let names = args.texts("list").map(str::to_owned);
    match (args.has("prefix-list"), args.has("list")) {
        (true, _) => edit_list(&mut lists.prefix_lists, args, names),
        (false, true) => edit_list(&mut lists.access_lists, args, names),
        (false, false) => *lists = AddressLists::default(),
    }
}

fn address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_lists(&mut matches(editor)?.address, args);
    Ok(())
}

fn next_hop(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_lists(&mut matches(editor)?.next_hop, args);
    Ok(())
}

fn route_source(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_lists(&mut matches(editor)?.route_source, args);
    Ok(())
}

fn as_path(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_set(&mut matches(editor)?.as_paths, args, args.ints("as-path-list"));
    Ok(())
}

fn community(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let clauses = matches(editor)?;
    edit_list(&mut clauses.communities, args, args.texts("community-list").map(str::to_owned));
    // The last line says whether all of them are to match exactly.
    clauses.communities_exact = match args.negated() {
        false => args.has("exact-match"),
        true => clauses.communities_exact && !clauses.communities.is_empty(),
    };
    Ok(())
}

fn extended_community(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let names = args.texts("extcommunity-list").map(str::to_owned);
    edit_list(&mut matches(editor)?.extended_communities, args, names);
    Ok(())
}

fn policy_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let names = args.texts("policy-list").map(str::to_owned);
    edit_list(&mut matches(editor)?.policy_lists, args, names);
    Ok(())
}

fn interfaces(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_set(&mut matches(editor)?.interfaces, args, args.interfaces());
    Ok(())
}

fn length(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let bounds = args.int("least").zip(args.int("greatest"));
    matches(editor)?.length = if args.negated() { None } else { bounds };
    Ok(())
}

fn local_preference(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_set(&mut matches(editor)?.local_preferences, args, args.ints("preference"));
    Ok(())
}

fn metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let deviation = args.int("deviation").unwrap_or(0);
    let values = args.ints("metric-value").map(|value| MetricMatch { value, deviation });
    edit_list(&mut matches(editor)?.metrics, args, values);
    Ok(())
}

fn tag(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    edit_set(&mut matches(editor)?.tags, args, args.ints("tag-value"));
    Ok(())
}

fn route_type(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let typed = |keyword: &str, one: &str, two: &str, types: [RouteTypeMatch; 3]| {
        let [any, first, second] = types;
        match (args.has(one), args.has(two)) {
            (true, _) => Some(first),
            (_, true) => Some(second),
            _ => args.has(keyword).then_some(any),
        }
    };
    let external = [RouteTypeMatch::External, RouteTypeMatch::ExternalType1, RouteTypeMatch::ExternalType2];
    let nssa =
        [RouteTypeMatch::NssaExternal, RouteTypeMatch::NssaExternalType1, RouteTypeMatch::NssaExternalType2];
    let types = [
        typed("external", "external-1", "external-2", external),
        typed("nssa-external", "nssa-1", "nssa-2", nssa),
        args.has("internal").then_some(RouteTypeMatch::Internal),
        args.has("local").then_some(RouteTypeMatch::Local),
    ];
    edit_set(&mut matches(editor)?.route_types, args, types.into_iter().flatten());
    Ok(())
}

fn source_protocol(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let sources = [
        args.has("connected").then_some(RedistributionSource::Connected),
        args.has("static").then_some(RedistributionSource::Static),
        args.has("rip").then_some(RedistributionSource::Rip),
        args.int("source-as").map(RedistributionSource::Eigrp),
        args.int("source-ospf").map(RedistributionSource::Ospf),
        args.int("source-bgp").map(|asn| RedistributionSource::Bgp(Asn(asn))),
    ];
    edit_set(&mut matches(editor)?.sources, args, sources.into_iter().flatten());
    Ok(())
}

#[cfg(test)]
mod tests;
