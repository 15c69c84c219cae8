//! Options of neighbors, peer groups and policy templates about routes.

use netconfarena_emu::bgp::{
    AdditionalPaths, AdvertiseCondition, AdvertiseMap, DefaultOriginate, MaximumPrefix, MaximumPrefixAction,
    NextHopSelf, OrfDirection, PathSelection, PolicyOptions, RemovePrivateAs,
};

use super::super::interface::setting;
use super::super::unsupported::refused;
use super::super::{Complaint, Editor, Handler, need};
use super::neighbor::policy_options;
use super::process::{additional_paths_of, additional_paths_options, selection_of, selection_options};
use crate::grammar::{Args, Spec, int, kw, plain, word};

pub(super) fn options() -> Vec<Spec<Handler>> {
    let run = option as Handler;
    let directed = |value: Spec<Handler>| {
        value.then([
            plain("in", "Apply to incoming routes", run),
            plain("out", "Apply to outgoing routes", run),
        ])
    };
    let condition =
        |keyword, help| kw(keyword, help).then([word("condition-map", "Name of route-map").run(run)]);
    let mut options = vec![
        kw("additional-paths", "Negotiate additional paths capabilities with this neighbor")
            .negatable(run)
            .then(additional_paths_options(run))
            .then([plain("disable", "Disable additional paths for this neighbor", run)]),
        kw("advertise", "Advertise to this neighbor").then([
            kw("additional-paths", "Advertise additional paths")
                .negatable(run)
                .options(selection_options(run)),
            refused("best-external", "Advertise best-external (at RRs best-internal) path"),
            refused("diverse-path", "Advertise additional paths"),
        ]),
        plain("aigp", "Enable a AIGP on neighbor", run)
            .then([refused("send", "Send AIGP attribute as another attribute")]),
        kw("advertise-map", "specify route-map for conditional advertisement").negatable(run).then([word(
            "advertise",
            "Name of route-map",
        )
        .then([
            condition("exist-map", "advertise prefix only if prefix is in the condition exists"),
            condition("non-exist-map", "advertise prefix only if prefix in the condition does not exist"),
        ])]),
        kw("advertisement-interval", "Minimum interval between sending BGP routing updates")
            .negatable(run)
            .then([int("interval", 0, 600, "time in seconds").run(run)]),
        kw("allowas-in", "Accept as-path with my AS present in it").run(run).then([int(
            "occurrences",
            1,
            10,
            "Number of occurrences of AS number",
        )
        .run(run)]),
        plain("as-override", "Override matching AS-number while sending update", run),
        plain("dmzlink-bw", "Propagate the DMZ link bandwidth", run),
        kw("capability", "Advertise capability to the peer").then([kw(
            "orf",
            "Advertise ORF capability to the peer",
        )
        .then([kw("prefix-list", "Advertise prefix-list ORF capability to this neighbor")
            .negatable(run)
            .then([
                plain("both", "Capability to SEND and RECEIVE the ORF to/from this neighbor", run),
                plain("receive", "Capability to RECEIVE the ORF from this neighbor", run),
                plain("send", "Capability to SEND the ORF to this neighbor", run),
            ])])]),
        kw("default-originate", "Originate default route to this neighbor").run(run).then([kw(
            "route-map",
            "Route-map to specify criteria to originate default",
        )
        .then([word("default-map", "route-map name").run(run)])]),
        kw("distribute-list", "Filter updates to/from this neighbor")
            .then([directed(word("distribute", "IP access list number or name"))]),
        kw("filter-list", "Establish BGP filters").then([directed(int(
            "filter",
            1,
            500,
            "AS path access list",
        ))]),
        kw("maximum-prefix", "Maximum number of prefixes accepted from this peer").negatable(run).then([
            int("prefix-limit", 1, 2_147_483_647, "maximum no. of prefix limit")
                .run(run)
                .then([int("threshold", 1, 100, "Threshold value (%) at which to generate a warning msg")
                    .run(run)
                    .then(beyond())])
                .then(beyond()),
        ]),
        plain("next-hop-self", "Disable the next hop calculation for this neighbor", run).then([plain(
            "all",
            "Enable next-hop-self for both eBGP and iBGP received paths",
            run,
        )]),
        plain("next-hop-unchanged", "Propagate next hop unchanged for iBGP paths to this neighbor", run),
        kw("prefix-list", "Filter updates to/from this neighbor")
            .then([directed(word("prefixes", "Name of a prefix list"))]),
        kw("remove-private-as", "Remove private AS number from outbound updates").run(run).then([plain(
            "all",
            "Remove all private AS numbers",
            run,
        )
        .then([plain("replace-as", "Replace all private AS numbers with local AS", run)])]),
        kw("route-map", "Apply route map to neighbor").then([directed(word("map", "Name of route map"))]),
        plain("route-reflector-client", "Configure a neighbor as Route Reflector client", run),
        kw("send-community", "Send Community attribute to this neighbor").run(run).then([
            plain("both", "Send Standard and Extended Community attributes", run),
            plain("extended", "Send Extended Community attribute", run),
            plain("standard", "Send Standard Community attribute", run),
        ]),
        kw("soft-reconfiguration", "Per neighbor soft reconfiguration").then([plain(
            "inbound",
            "Allow inbound soft reconfiguration for this neighbor",
            run,
        )]),
        kw("unsuppress-map", "Route-map to selectively unsuppress suppressed routes")
            .negatable(run)
            .then([word("unsuppress", "Name of route map").run(run)]),
    ];
    options.push(
        kw("weight", "Set default weight for routes from this neighbor").negatable(run).then([int(
            "weight-value",
            0,
            65535,
            "default weight",
        )
        .run(run)]),
    );
    options
}

/// What happens when there are too many prefixes.
fn beyond() -> [Spec<Handler>; 2] {
    let run = option as Handler;
    [
        kw("restart", "Restart bgp connection after limit is exceeded").then([int(
            "restart-minutes",
            1,
            65535,
            "Restart interval in minutes",
        )
        .run(run)]),
        plain("warning-only", "Only give warning message when limit is exceeded", run),
    ]
}

/// The option that a line is about.
fn keyword(args: &Args) -> Option<&'static str> {
    const KEYWORDS: [&str; 24] = [
        "additional-paths",
        "advertise",
        "aigp",
        "advertise-map",
        "advertisement-interval",
        "allowas-in",
        "as-override",
        "dmzlink-bw",
        "capability",
        "default-originate",
        "distribute-list",
        "filter-list",
        "maximum-prefix",
        "next-hop-self",
        "next-hop-unchanged",
        "prefix-list",
        "remove-private-as",
        "route-map",
        "route-reflector-client",
        "send-community",
        "soft-reconfiguration",
        "unsuppress-map",
        "weight",
        "neighbor",
    ];
    args.names().find(|name| *name != "neighbor" && KEYWORDS.contains(name))
}

fn option(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let options = policy_options(editor, args)?;
    let on = !args.negated();
    let text = |name| setting(args, args.text(name)).map(str::to_owned);
    match need(keyword(args))? {
        "additional-paths" if args.has("disable") => {
            options.additional_paths = setting(args, Some(AdditionalPaths::default()));
        }
        "additional-paths" => options.additional_paths = setting(args, Some(additional_paths_of(args))),
        "advertise" => {
            options.advertise_paths = if on { selection_of(args) } else { PathSelection::default() };
        }
        "aigp" => options.aigp = on,
        "advertise-map" => options.advertise_map = setting(args, advertise_map(args)),
        "advertisement-interval" => options.advertisement_interval = setting(args, args.int("interval")),
        "allowas-in" => options.allowas_in = setting(args, Some(args.int("occurrences").unwrap_or(3))),
        "as-override" => options.as_override = on,
        "dmzlink-bw" => options.dmz_link_bandwidth = on,
        "capability" => options.orf_prefix_list = setting(args, Some(orf_direction(args))),
        "default-originate" => {
            let route_map = args.text("default-map").map(str::to_owned);
            options.default_originate = setting(args, Some(DefaultOriginate { route_map }));
        }
        "distribute-list" => {
            let place = directed(args, &mut options.distribute_list_in, &mut options.distribute_list_out);
            *place = text("distribute");
        }
        "filter-list" => {
            let place = directed(args, &mut options.filter_list_in, &mut options.filter_list_out);
            *place = setting(args, args.int("filter"));
        }
        "maximum-prefix" => options.maximum_prefix = setting(args, maximum_prefix(args)),
        "next-hop-self" => {
            let kind = if args.has("all") { NextHopSelf::All } else { NextHopSelf::External };
            options.next_hop_self = setting(args, Some(kind));
        }
        "next-hop-unchanged" => options.next_hop_unchanged = on,
        "prefix-list" => {
            let place = directed(args, &mut options.prefix_list_in, &mut options.prefix_list_out);
            *place = text("prefixes");
        }
        "remove-private-as" => options.remove_private_as = setting(args, Some(remove_private_as(args))),
        "route-map" => {
            let place = directed(args, &mut options.route_map_in, &mut options.route_map_out);
            *place = text("map");
        }
        "route-reflector-client" => options.route_reflector_client = on,
        "send-community" => send_community(options, args),
        "soft-reconfiguration" => options.soft_reconfiguration = on,
        "unsuppress-map" => options.unsuppress_map = text("unsuppress"),
        _ => options.weight = setting(args, args.int("weight-value")),
    }
    Ok(())
}

/// The place of the direction that a line names.
fn directed<'o, T>(args: &Args, inbound: &'o mut T, outbound: &'o mut T) -> &'o mut T {
    if args.has("in") { inbound } else { outbound }
}

fn advertise_map(args: &Args) -> Option<AdvertiseMap> {
    let condition =
        if args.has("exist-map") { AdvertiseCondition::Exist } else { AdvertiseCondition::NonExist };
    let (map, condition_map) = (args.text("advertise")?.to_owned(), args.text("condition-map")?.to_owned());
    Some(AdvertiseMap { map, condition, condition_map })
}

fn orf_direction(args: &Args) -> OrfDirection {
    if args.has("both") {
        OrfDirection::Both
    } else if args.has("send") {
        OrfDirection::Send
    } else {
        OrfDirection::Receive
    }
}

fn maximum_prefix(args: &Args) -> Option<MaximumPrefix> {
    let action = match args.int("restart-minutes") {
        Some(minutes) => MaximumPrefixAction::Restart(minutes),
        None if args.has("warning-only") => MaximumPrefixAction::WarningOnly,
        None => MaximumPrefixAction::Stop,
    };
    let threshold = args.int("threshold").filter(|&t| t != MaximumPrefix::DEFAULT_THRESHOLD);
    Some(MaximumPrefix { limit: args.int("prefix-limit")?, threshold, action })
}

fn remove_private_as(args: &Args) -> RemovePrivateAs {
    if args.has("replace-as") {
        RemovePrivateAs::Replace
    } else if args.has("all") {
        RemovePrivateAs::All
    } else {
        RemovePrivateAs::Plain
    }
}

/// Each kind is set and cleared on its own; without a word it is the standard one.
fn send_community(options: &mut PolicyOptions, args: &Args) {
    let on = !args.negated();
    let (extended, both) = (args.has("extended"), args.has("both"));
    if both || !extended {
        options.send_community.standard = on;
    }
    if both || extended {
        options.send_community.extended = on;
    }
}
