//! `bgp ...` and `timers bgp`: what is said once for the process.

use super::super::unsupported::refused;
use netconfarena_emu::bgp::attributes::ClusterId;
use netconfarena_emu::bgp::{
    AdditionalPaths, BgpConfig, Dampening, DampeningParameters, GracefulRestart, InjectMap, ListenRange,
    NeighborTimers, NextHopTrigger, PathSelection, RouterIdSource,
};
use netconfarena_emu::ids::{Asn, RouterId};

use super::super::interface::setting;
use super::super::route_map::repeated;
use super::super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use super::{MAX_ASN, asn, config, family};
use crate::grammar::{Args, Form, Spec, int, interface, ip, kw, plain, prefix, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let switch = |keyword, help| plain(keyword, help, switch as Handler);
    let best_path = kw("bestpath", "Change the default bestpath selection").then([
        kw("aigp", "Accumulated IGP metric").then([switch("ignore", "Ignore AIGP in bestpath selection")]),
        kw("as-path", "as-path attribute").then([
            switch("ignore", "Ignore as-path length in selecting a route"),
            switch("multipath-relax", "Relax as-path requirement when choosing multipaths"),
        ]),
        switch("compare-routerid", "Compare router-id for identical EBGP paths"),
        kw("cost-community", "cost community").then([switch("ignore", "Ignore cost communities")]),
        kw("igp-metric", "igp metric").then([switch("ignore", "Ignore igp metric in bestpath selection")]),
        kw("med", "MED attribute").then([
            switch("confed", "Compare MED among confederation paths"),
            switch("missing-as-worst", "Treat missing MED as the least preferred one"),
        ]),
    ]);
    let confederation = kw("confederation", "AS confederation parameters").then([
        kw("identifier", "Set routing domain confederation AS")
            .negatable(confederation_identifier as Handler)
            .then([asn("confederation-as", "Routing domain AS").run(confederation_identifier as Handler)]),
        kw("peers", "Peer ASs in BGP confederation")
            .then([repeated(|| asn("member-as", "AS number").run(confederation_peers as Handler))]),
    ]);
    let listen = kw("listen", "Neighbor subnet range listener").then([
        kw("limit", "Set the max limit for the dynamic subnet range neighbors")
            .negatable(listen_limit as Handler)
            .then([int("listen-limit", 1, 5000, "Limit").run(listen_limit as Handler)]),
        kw("range", "Add a subnet range for the dynamic neighbors").then([prefix(
            "range-prefix",
            "IPv4 address range",
        )
        .negatable(listen_range as Handler)
        .then([kw("peer-group", "Member of the peer-group").then([word(
            "range-group",
            "Peer-group name",
        )
        .run(listen_range as Handler)])])]),
    ]);
    let mut commands = vec![
        switch("always-compare-med", "Allow comparing MED from different neighbors"),
        best_path,
        kw("client-to-client", "Configure client to client route reflection")
            .then([switch("reflection", "reflection of routes allowed")]),
        kw("cluster-id", "Configure Route-Reflector Cluster-id (peers may reset)")
            .negatable(cluster_id as Handler)
            .then([
                ip("cluster-address", "Route-Reflector Cluster-id in IP address format")
                    .run(cluster_id as Handler),
                int("cluster-number", 1, MAX_ASN, "Route-Reflector Cluster-id as 32 bit quantity")
                    .run(cluster_id as Handler),
            ]),
        confederation,
        kw("default", "Configure BGP defaults").then([
            switch("ipv4-unicast", "Activate ipv4-unicast for a peer by default"),
            kw("local-preference", "local preference (higher=more preferred)")
                .negatable(local_preference as Handler)
                .then([int("preference", 0, MAX_ASN, "Configure default local preference value")
                    .run(local_preference as Handler)]),
        ]),
        switch("deterministic-med", "Pick the best-MED path among paths advertised from the neighboring AS"),
        switch("enforce-first-as", "Enforce the first AS for EBGP routes(default)"),
        switch(
            "fast-external-fallover",
            "Immediately reset session if a link to a directly connected external peer goes down",
        ),
        graceful_restart_spec(),
        listen,
        switch("log-neighbor-changes", "Log neighbor up/down and reset reason"),
        kw("maxas-limit", "Allow AS-PATH attribute from any neighbor imposing a limit on number of ASes")
            .negatable(maxas_limit as Handler)
            .then([
                int("maxas", 1, 254, "Number of ASes in the AS-PATH attribute").run(maxas_limit as Handler)
            ]),
    ];
    commands.extend(family_commands());
    vec![
        kw("bgp", "BGP specific commands").then(commands),
        kw("timers", "Adjust routing timers").then([kw("bgp", "BGP timers")
            .negatable(timers as Handler)
            .then([int("keepalive", 0, 65535, "Keepalive interval").then([int(
                "hold", 0, 65535, "Holdtime",
            )
            .run(timers as Handler)
            .then([
                int("minimum-hold", 0, 65535, "Minimum hold time from neighbor").run(timers as Handler)
            ])])])]),
    ]
}

/// `bgp ...` of an address family.
pub(super) fn family_table() -> Vec<Spec<Handler>> {
    vec![kw("bgp", "BGP specific commands").then(family_commands())]
}

fn family_commands() -> Vec<Spec<Handler>> {
    let switch = |keyword, help| plain(keyword, help, family_switch as Handler);
    vec![
        kw("nexthop", "Nexthop tracking commands").then([kw("trigger", "Nexthop triggering").then([
            kw("delay", "Set the delay to trigger nexthop tracking")
                .negatable(trigger_delay as Handler)
                .then([int("delay-seconds", 0, 100, "Seconds").run(trigger_delay as Handler)]),
            plain("enable", "Enable nexthop tracking", trigger_enable as Handler),
        ])]),
        additional_paths_spec(),
        dampening_spec(),
        kw("inject-map", "Routemap which specifies prefixes to inject").then([word(
            "inject-map-name",
            "route-map name",
        )
        .negatable(inject_map as Handler)
        .then([kw("exist-map", "Condition to inject prefix").then([word(
            "exist-map-name",
            "route-map name",
        )
        .run(inject_map as Handler)
        .then([plain("copy-attributes", "Copy attributes from aggregate", inject_map as Handler)])])])]),
        kw("router-id", "Override configured router identifier (peers will reset)")
            .negatable(router_id as Handler)
            .then([
                ip("id", "Manually configured router identifier").run(router_id as Handler),
                kw("interface", "Use IPv4 address on interface")
                    .then([interface("Interface").run(router_id as Handler)]),
            ]),
        switch("dmzlink-bw", "Use DMZ Link Bandwidth as weight for BGP multipaths"),
        switch("redistribute-internal", "Allow redistribution of iBGP into IGPs (dangerous)"),
        switch("suppress-inactive", "Suppress routes that are not in the routing table"),
    ]
}

fn dampening_spec() -> Spec<Handler> {
    let run = dampening as Handler;
    kw("dampening", "Enable route-flap dampening").run(run).then([
        dampening_numbers(run).run(run),
        kw("route-map", "Route-map to specify criteria for dampening").then([word(
            "dampening-map",
            "route-map name",
        )
        .run(run)]),
    ])
}

fn graceful_restart_spec() -> Spec<Handler> {
    let run = graceful_restart as Handler;
    let time = |keyword, help, name| {
        kw(keyword, help).negatable(run).then([int(name, 1, 3600, "Delay value (seconds)").run(run)])
    };
    kw("graceful-restart", "Graceful restart capability parameters").run(run).then([
        time("restart-time", "Set the max time needed to restart and come back up", "restart-seconds"),
        time(
            "stalepath-time",
            "Set the max time to hold onto restarting peer's stale paths",
            "stale-seconds",
        ),
        refused("all", "Enable for all address families"),
        refused("extended", "Enable Graceful-Restart Extension"),
    ])
}

/// What of several paths is chosen, in any order.
pub(super) fn selection_options(run: Handler) -> Vec<Spec<Handler>> {
    vec![
        plain("all", "Select all available paths", run),
        kw("best", "Select best N paths").then([int("best-count", 2, 3, "Number of paths").run(run)]),
        plain("group-best", "Select group-best path", run),
    ]
}

/// The choice that a line names.
pub(super) fn selection_of(args: &Args) -> PathSelection {
    let (all, group_best) = (args.has("all"), args.has("group-best"));
    PathSelection { all, best: args.int("best-count"), group_best }
}

/// `send`, `receive`.
pub(super) fn additional_paths_of(args: &Args) -> AdditionalPaths {
    AdditionalPaths { send: args.has("send"), receive: args.has("receive") }
}

/// `send [receive]` and `receive`.
pub(super) fn additional_paths_options(run: Handler) -> Vec<Spec<Handler>> {
    let receive = || plain("receive", "Receive additional paths from neighbors", run);
    vec![receive(), plain("send", "Send additional paths to neighbors", run).then([receive()])]
}

fn additional_paths_spec() -> Spec<Handler> {
    kw("additional-paths", "Additional paths in the BGP table")
        .then(additional_paths_options(additional_paths))
        .then([
            refused("install", "Additional paths to install into RIB"),
            kw("select", "Selection criteria to pick the paths")
                .negatable(select_paths as Handler)
                .options(selection_options(select_paths))
                .then([
                    refused("backup", "Select backup path"),
                    refused("best-external", "Select best-external path"),
                ]),
        ])
}

fn additional_paths(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let paths = additional_paths_of(args);
    family(editor)?.additional_paths = if args.negated() { AdditionalPaths::default() } else { paths };
    Ok(())
}

fn select_paths(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    family(editor)?.select = if args.negated() { PathSelection::default() } else { selection_of(args) };
    Ok(())
}

fn inject_map(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let map = need(args.text("inject-map-name"))?.to_owned();
    let maps = &mut family(editor)?.inject_maps;
    if args.negated() {
        maps.remove(&map);
        return Ok(());
    }
    let exist_map = need(args.text("exist-map-name"))?.to_owned();
    maps.insert(map, InjectMap { exist_map, copy_attributes: args.has("copy-attributes") });
    Ok(())
}

fn graceful_restart(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let restart = &mut config(editor)?.graceful_restart;
    if args.has("restart-time") {
        let seconds = setting(args, args.int("restart-seconds"));
        restart.restart_time = seconds.filter(|&time| time != GracefulRestart::DEFAULT_RESTART_TIME);
    } else if args.has("stalepath-time") {
        let seconds = setting(args, args.int("stale-seconds"));
        restart.stale_path_time = seconds.filter(|&time| time != GracefulRestart::DEFAULT_STALE_PATH_TIME);
    } else {
        restart.enabled = !args.negated();
    }
    Ok(())
}

fn dampening(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let dampening = match args.text("dampening-map") {
        Some(map) => Dampening::ByMap(map.to_owned()),
        None => Dampening::All(dampening_parameters(args)?),
    };
    family(editor)?.dampening = setting(args, Some(dampening));
    Ok(())
}

/// `HALF-LIFE REUSE SUPPRESS MAXIMUM`, with IOS's values for those that are not said.
pub(in crate::config) fn dampening_parameters(args: &Args) -> Result<DampeningParameters, Complaint> {
    let default = DampeningParameters::default();
    let half_life = args.int("half-life").unwrap_or(default.half_life);
    let parameters = DampeningParameters {
        half_life,
        reuse: args.int("reuse").unwrap_or(default.reuse),
        suppress: args.int("suppress").unwrap_or(default.suppress),
        max_suppress: args.int("max-suppress").unwrap_or_else(|| half_life.saturating_mul(4)),
    };
    if parameters.reuse >= parameters.suppress {
        return refuse("% Reuse limit must be less than suppress limit");
    }
    Ok(parameters)
}

/// The four numbers, each behind the one before.
pub(in crate::config) fn dampening_numbers(run: Handler) -> Spec<Handler> {
    let maximum =
        int("max-suppress", 1, 255, "Maximum duration to suppress a stable route (minutes)").run(run);
    let suppress = int("suppress", 1, 20000, "Value to start suppressing a route").then([maximum]);
    let reuse = int("reuse", 1, 20000, "Value to start reusing a route").then([suppress]);
    int("half-life", 1, 45, "Half-life time for the penalty (minutes)").then([reuse])
}

/// What is set or cleared by a keyword alone.
fn switch(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let bgp = config(editor)?;
    let before = BgpConfig::new(bgp.asn);
    let line = args.canonical();
    let words: Vec<&str> = line.split(' ').collect();
    let options = &mut bgp.best_path;
    let (place, default) = match words.get(1..).unwrap_or_default() {
        ["always-compare-med"] => (&mut options.always_compare_med, false),
        ["bestpath", "aigp", _] => (&mut options.aigp_ignore, false),
        ["bestpath", "as-path", "ignore"] => (&mut options.as_path_ignore, false),
        ["bestpath", "as-path", _] => (&mut options.multipath_relax, false),
        ["bestpath", "compare-routerid"] => (&mut options.compare_router_id, false),
        ["bestpath", "cost-community", _] => (&mut options.cost_community_ignore, false),
        ["bestpath", "igp-metric", _] => (&mut options.igp_metric_ignore, false),
        ["bestpath", "med", "confed"] => (&mut options.med_confed, false),
        ["bestpath", "med", _] => (&mut options.med_missing_as_worst, false),
        ["client-to-client", _] => (&mut bgp.client_to_client_reflection, true),
        ["default", "ipv4-unicast"] => (&mut bgp.default_ipv4_unicast, before.default_ipv4_unicast),
        ["deterministic-med"] => (&mut options.deterministic_med, false),
        ["enforce-first-as"] => (&mut bgp.enforce_first_as, before.enforce_first_as),
        ["fast-external-fallover"] => (&mut bgp.fast_external_fallover, before.fast_external_fallover),
        ["log-neighbor-changes"] => (&mut bgp.log_neighbor_changes, before.log_neighbor_changes),
        _ => return need(None),
    };
    *place = match args.form {
        Form::Set => true,
        Form::No => false,
        Form::Default => default,
    };
    // IOS then keeps what is about IPv4 in its own section.
    bgp.family_sections |= !bgp.default_ipv4_unicast;
    Ok(())
}

fn family_switch(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let on = !args.negated();
    if args.has("dmzlink-bw") {
        config(editor)?.best_path.dmz_link_bandwidth = on;
    } else if args.has("redistribute-internal") {
        family(editor)?.redistribute_internal = on;
    } else {
        family(editor)?.suppress_inactive = on;
    }
    Ok(())
}

fn trigger_delay(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let delay = setting(args, args.int("delay-seconds")).filter(|&d| d != NextHopTrigger::DEFAULT_DELAY);
    config(editor)?.next_hop_trigger.delay = delay;
    Ok(())
}

fn trigger_enable(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    config(editor)?.next_hop_trigger.enabled = args.form != Form::No;
    Ok(())
}

fn cluster_id(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let number = args.int::<u32>("cluster-number").map(std::net::Ipv4Addr::from);
    config(editor)?.cluster_id = setting(args, args.ip("cluster-address").or(number)).map(ClusterId);
    Ok(())
}

fn confederation_identifier(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    config(editor)?.confederation = setting(args, args.int("confederation-as")).map(Asn);
    Ok(())
}

fn confederation_peers(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let bgp = config(editor)?;
    for asn in args.ints("member-as").map(Asn) {
        if args.negated() {
            bgp.confederation_peers.remove(&asn);
        } else if asn != bgp.asn {
            bgp.confederation_peers.insert(asn);
        }
    }
    Ok(())
}

fn local_preference(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("preference"));
    let default = netconfarena_emu::bgp::attributes::PathAttributes::DEFAULT_LOCAL_PREFERENCE;
    config(editor)?.default_local_preference = value.filter(|&value| value != default);
    Ok(())
}

fn listen_limit(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    config(editor)?.listen_limit = setting(args, args.int("listen-limit")).filter(|&limit| limit != 100);
    Ok(())
}

fn listen_range(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let range = need(args.prefix("range-prefix"))?.trunc();
    let bgp = config(editor)?;
    if args.negated() {
        bgp.listen_ranges.remove(&range);
        return Ok(());
    }
    let group = need(args.text("range-group"))?.to_owned();
    bgp.listen_ranges.insert(range, ListenRange { group });
    Ok(())
}

fn maxas_limit(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    config(editor)?.maxas_limit = setting(args, args.int("maxas"));
    Ok(())
}

fn router_id(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = args.ip("id").map(RouterId);
    if address.is_some_and(RouterId::is_unspecified) {
        return refuse("% BGP: router-id 0.0.0.0 is invalid");
    }
    if matches!(editor.mode, ConfigMode::BgpFamily(None)) {
        return refuse("% General session commands not allowed under the address family");
    }
    let source =
        address.map(RouterIdSource::Address).or_else(|| args.interface().map(RouterIdSource::Interface));
    config(editor)?.router_id = setting(args, source);
    Ok(())
}

fn timers(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let timers = timers_of(args)?;
    config(editor)?.timers = setting(args, timers).filter(|&timers| timers != NeighborTimers::default());
    Ok(())
}

/// `KEEPALIVE HOLD [MINIMUM]`; `None` if the line ends before.
pub(super) fn timers_of(args: &Args) -> Result<Option<NeighborTimers>, Complaint> {
    let (Some(keepalive), Some(hold)) = (args.int("keepalive"), args.int("hold")) else { return Ok(None) };
    if matches!(hold, 1 | 2) {
        return refuse("% Hold time must be at least 3 seconds");
    }
    let minimum_hold = args.int::<u16>("minimum-hold").filter(|&least| least > 0);
    if minimum_hold.is_some_and(|least| least > hold) {
        return refuse("% Minimum hold time should be less than configured hold time");
    }
    Ok(Some(NeighborTimers { keepalive, hold, minimum_hold }))
}
