//! `router ospf N` and what stands under it, but for `area`.

mod area;

use std::collections::BTreeMap;

use ipnet::Ipv4Net;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig, Wildcard};
use netconfarena_emu::ids::{AreaId, RouterId};
use netconfarena_emu::ospf::{
    AreaConfig, DefaultInformation, DistanceBySource, ExternalMetricType, LogAdjacency, MaxMetric,
    NetworkStatement, OnStartup, OspfConfig, Redistribution, StaticNeighbor, SummaryAddress, Throttle,
};
use netconfarena_emu::policy::{DistributeList, RedistributionSource};

use super::interface::setting;
use super::ospf_match::{match_option, match_types};
use super::{Complaint, ConfigMode, Editor, Handler, need, refuse, unsupported};
use crate::grammar::{self, Args, Form, Spec, int, interface, ip, kw, ospf_process, plain, word};

/// LSInfinity less one, IOS's metric for summary and external LSAs of a stub router.
const MAX_METRIC_DEFAULT: u32 = 16_711_680;

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![kw("router", "Enable a routing process").then([kw("ospf", "Open Shortest Path First (OSPF)").then(
        [ospf_process().run(enter as Handler).then(
            [kw("vrf", "VPN Routing/Forwarding Instance").then([
                word("vrf-name", "VPN Routing/Forwarding Instance (VRF) name").run(enter as Handler),
            ])],
        )],
    )])]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    let mut table = vec![
        kw("router-id", "router-id for this OSPF process").negatable(router_id as Handler).then([ip(
            "id",
            "OSPF router-id in IP address format",
        )
        .run(router_id as Handler)]),
        kw("network", "Enable routing on an IP network").then([ip("address", "Network number").then([ip(
            "wildcard",
            "OSPF wild card bits",
        )
        .then([
            kw("area", "Set the OSPF area ID").then([grammar::area("OSPF area ID").run(network as Handler)])
        ])])]),
        kw("passive-interface", "Suppress routing updates on an interface").then([
            plain("default", "Suppress routing updates on all interfaces", passive_default as Handler),
            interface("Interface").run(passive as Handler),
        ]),
        kw("auto-cost", "Calculate OSPF interface cost according to bandwidth")
            .negatable(auto_cost as Handler)
            .then([kw("reference-bandwidth", "Use reference bandwidth method to assign OSPF cost")
                .negatable(auto_cost as Handler)
                .then([int("mbps", 1, 4_294_967, "The reference bandwidth in terms of Mbits per second")
                    .run(auto_cost as Handler)])]),
        kw("maximum-paths", "Forward packets over multiple paths")
            .negatable(maximum_paths as Handler)
            .then([int("count", 1, 32, "Number of paths").run(maximum_paths as Handler)]),
        kw("default-metric", "Set metric of redistributed routes")
            .negatable(default_metric as Handler)
            .then([int("metric-value", 1, 16_777_214, "OSPF default metric").run(default_metric as Handler)]),
        default_information_spec(),
        kw("summary-address", "Configure IP address summaries").then([ip("address", "IP summary address")
            .then([ip("mask", "Summary mask").run(summary_address as Handler).options([
                plain("not-advertise", "Do not advertise or translate", summary_address as Handler),
                plain("nssa-only", "Limit summary to NSSA areas", summary_address as Handler),
                kw("tag", "Set tag")
                    .then([int("tag-value", 0, 4_294_967_295, "32-bit tag value")
                        .run(summary_address as Handler)]),
            ])])]),
        plain("shutdown", "Shutdown the OSPF protocol under the current instance", shutdown as Handler),
        plain("prefix-suppression", "Enable prefix suppression", prefix_suppression as Handler),
        kw("log-adjacency-changes", "Log changes in adjacency state")
            .run(log_adjacency as Handler)
            .then([plain("detail", "Log all state changes", log_adjacency as Handler)]),
        kw("compatible", "OSPF compatibility list").then([plain(
            "rfc1583",
            "compatible with RFC 1583",
            rfc1583 as Handler,
        )]),
        nsf_spec(),
        kw("ttl-security", "TTL security check").then([kw(
            "all-interfaces",
            "Enable TTL security check on all interfaces",
        )
        .run(ttl_security as Handler)
        .then([kw("hops", "Maximum number of hops allowed")
            .then([int("count", 1, 254, "hops").run(ttl_security as Handler)])])]),
        max_metric_spec(),
        neighbor_spec(),
        distance_spec(),
        distribute_list_spec(distribute_list),
        redistribute_spec(),
        timers_spec(),
    ];
    table.extend(area::table());
    table
}

fn metric_options(handler: Handler) -> [Spec<Handler>; 3] {
    [
        kw("metric", "OSPF metric").then([int("metric-value", 0, 16_777_214, "OSPF metric").run(handler)]),
        kw("metric-type", "OSPF metric type for default routes").then([int(
            "type",
            1,
            2,
            "OSPF Link State type",
        )
        .run(handler)]),
        kw("route-map", "Route-map reference")
            .then([word("map", "Pointer to route-map entries").run(handler)]),
    ]
}

fn default_information_spec() -> Spec<Handler> {
    kw("default-information", "Control distribution of default information").then([kw(
        "originate",
        "Distribute a default route",
    )
    .run(default_information as Handler)
    .options(
        [plain("always", "Always advertise default route", default_information as Handler)]
            .into_iter()
            .chain(metric_options(default_information)),
    )])
}

/// The router helps those that restart; itself it never does, so `nsf` alone is refused.
fn nsf_spec() -> Spec<Handler> {
    let helper = |options: Vec<Spec<Handler>>| kw("helper", "helper support").then(options);
    let disable = |handler: Handler| plain("disable", "disable helper support", handler);
    let strict = plain("strict-lsa-checking", "enable helper strict LSA checking", nsf_strict as Handler);
    kw("nsf", "Non-stop forwarding").run(unsupported::option as Handler).then([
        kw("cisco", "Cisco Non-stop forwarding").run(unsupported::option as Handler).then([
            helper(vec![disable(nsf_cisco_helper)]),
            unsupported::refused("enforce", "Cancel NSF restart when non-NSF-aware neighbors detected"),
        ]),
        kw("ietf", "IETF graceful restart").run(unsupported::option as Handler).then([
            helper(vec![disable(nsf_helper), strict]),
            unsupported::refused("restart-interval", "Graceful restart interval"),
        ]),
    ])
}

fn max_metric_spec() -> Spec<Handler> {
    let metric = || int("override", 1, 16_777_215, "Override metric in LSAs").run(max_metric as Handler);
    let external = int("external-override", 1, 16_777_215, "Override metric in external-LSAs")
        .run(max_metric as Handler);
    kw("max-metric", "Set maximum metric").then([kw(
        "router-lsa",
        "Maximum metric in self-originated router-LSAs",
    )
    .run(max_metric as Handler)
    .options([
        plain("include-stub", "Set maximum metric for stub links in router-LSAs", max_metric as Handler),
        kw("summary-lsa", "Override summary-lsa metric with max-metric value")
            .run(max_metric as Handler)
            .then([metric()]),
        kw("external-lsa", "Override external-lsa metric with max-metric value")
            .run(max_metric as Handler)
            .then([external]),
        kw("on-startup", "Set maximum metric temporarily after reboot").then([
            int("startup-seconds", 5, 86400, "Time, in seconds").run(max_metric as Handler),
            plain(
                "wait-for-bgp",
                "Let BGP decide when to originate router-LSA with normal metric",
                max_metric as Handler,
            ),
        ]),
    ])])
}

fn neighbor_spec() -> Spec<Handler> {
    kw("neighbor", "Specify a neighbor router").then([ip("address", "Neighbor address")
        .run(neighbor as Handler)
        .options([
            kw("cost", "OSPF cost for point-to-multipoint neighbor").then([int(
                "cost-value",
                1,
                65535,
                "metric",
            )
            .run(neighbor as Handler)]),
            kw("priority", "OSPF priority of non-broadcast neighbor").then([int(
                "priority-value",
                0,
                255,
                "Priority",
            )
            .run(neighbor as Handler)]),
            kw("poll-interval", "OSPF dead-router polling interval").then([int(
                "poll-seconds",
                1,
                65535,
                "Seconds",
            )
            .run(neighbor as Handler)]),
            kw("database-filter", "Filter OSPF LSA during synchronization and flooding").then([kw(
                "all",
                "Filter all LSA",
            )
            .then([plain("out", "Outgoing LSA", neighbor as Handler)])]),
        ])])
}

fn distance_spec() -> Spec<Handler> {
    let kind = |word: &'static str, name: &'static str, help| {
        kw(word, help).then([int(name, 1, 255, "Distance for these routes").run(distance_ospf as Handler)])
    };
    kw("distance", "Define an administrative distance").negatable(distance as Handler).then([
        int("value", 1, 255, "Administrative distance").run(distance as Handler).then([ip(
            "address",
            "IP Source address",
        )
        .then([ip("wildcard", "Wildcard bits").run(distance_source as Handler).then([word(
            "list",
            "IP Standard access list",
        )
        .run(distance_source as Handler)])])]),
        kw("ospf", "OSPF distance").negatable(distance_ospf as Handler).options([
            kind("external", "external-value", "External type 5 and type 7 routes"),
            kind("inter-area", "inter-value", "Inter-area routes"),
            kind("intra-area", "intra-value", "Intra-area routes"),
        ]),
    ])
}

/// What `redistribute` and `distribute-list out` name.
pub(super) fn sources(handler: Handler) -> Vec<Spec<Handler>> {
    vec![
        plain("connected", "Connected", handler),
        plain("static", "Static routes", handler),
        plain("rip", "Routing Information Protocol (RIP)", handler),
        kw("ospf", "Open Shortest Path First (OSPF)")
            .then([int("source-ospf", 1, 65535, "Process ID").run(handler)]),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([int(
            "source-as",
            1,
            65535,
            "AS number",
        )
        .run(handler)]),
        kw("bgp", "Border Gateway Protocol (BGP)")
            .then([int("source-bgp", 1, 4_294_967_295, "AS number").run(handler)]),
    ]
}

/// The source that a line names.
pub(super) fn source(args: &Args) -> Option<RedistributionSource> {
    if let Some(process) = args.int("source-ospf") {
        return Some(RedistributionSource::Ospf(process));
    }
    if let Some(asn) = args.int("source-as") {
        return Some(RedistributionSource::Eigrp(asn));
    }
    if let Some(asn) = args.int("source-bgp") {
        return Some(RedistributionSource::Bgp(netconfarena_emu::ids::Asn(asn)));
    }
    args.names().find_map(|name| match name {
        "connected" => Some(RedistributionSource::Connected),
        "static" => Some(RedistributionSource::Static),
        "rip" => Some(RedistributionSource::Rip),
        _ => None,
    })
}

/// `distribute-list`, as OSPF and BGP have it.
pub(super) fn distribute_list_spec(run: Handler) -> Spec<Handler> {
    let direction = || {
        [
            plain("in", "Filter incoming routing updates", run),
            kw("out", "Filter outgoing routing updates").run(run).then(sources(run)),
        ]
    };
    kw("distribute-list", "Filter networks in routing updates").then([
        kw("prefix", "Filtering incoming routing updates based on prefix").then([word(
            "prefix-list",
            "Name of an IP prefix-list",
        )
        .then(direction())
        .then([kw("gateway", "Filtering incoming updates based on gateway").then([word(
            "gateway-list",
            "Name of IP prefix-list",
        )
        .then(direction())])])]),
        kw("gateway", "Filtering incoming updates based on gateway").then([word(
            "gateway-list",
            "Name of IP prefix-list",
        )
        .then(direction())]),
        kw("route-map", "Filter prefixes based on the route-map")
            .then([word("map", "route-map name").then(direction())]),
        word("list", "IP access list number or name").then(direction()),
    ])
}

fn redistribute_spec() -> Spec<Handler> {
    let options = || {
        let mut options = vec![
            plain("subnets", "Consider subnets for redistribution into OSPF", redistribute as Handler),
            plain("nssa-only", "Limit redistributed routes to NSSA areas", redistribute as Handler),
            kw("tag", "Set tag for routes redistributed into OSPF").then([int(
                "tag-value",
                0,
                4_294_967_295,
                "32-bit tag value",
            )
            .run(redistribute as Handler)]),
            match_option(redistribute),
        ];
        options.extend(metric_options(redistribute));
        options
    };
    let with = |spec: Spec<Handler>| spec.run(redistribute as Handler).options(options());
    kw("redistribute", "Redistribute information from another routing protocol").then([
        with(kw("connected", "Connected")),
        with(kw("static", "Static routes")),
        with(kw("rip", "Routing Information Protocol (RIP)")),
        kw("ospf", "Open Shortest Path First (OSPF)").then([with(int(
            "source-ospf",
            1,
            65535,
            "Process ID",
        ))]),
        kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([with(int(
            "source-as",
            1,
            65535,
            "AS number",
        ))]),
        kw("bgp", "Border Gateway Protocol (BGP)").then([with(int(
            "source-bgp",
            1,
            4_294_967_295,
            "AS number",
        ))]),
    ])
}

fn timers_spec() -> Spec<Handler> {
    let ms = |name: &'static str, help: &'static str| int(name, 0, 600_000, help);
    let throttle = |word: &'static str, help: &'static str, handler: Handler| {
        kw(word, help).negatable(handler).then([ms("start", "Initial delay in milliseconds").then([ms(
            "hold",
            "Minimum hold time in milliseconds",
        )
        .then([ms("max", "Maximum wait time in milliseconds").run(handler)])])])
    };
    let pacing = |word: &'static str, max: u64, help: &'static str| {
        kw(word, help).negatable(pacing as Handler).then([int("pace", 5, max, help).run(pacing as Handler)])
    };
    kw("timers", "Adjust routing timers").then([
        kw("throttle", "OSPF throttle timers").then([
            throttle("spf", "OSPF SPF throttle timers", throttle_spf),
            throttle("lsa", "OSPF LSA throttle timers", throttle_lsa),
        ]),
        kw("lsa", "OSPF LSA timers").then([kw("arrival", "OSPF MinLSArrival timer")
            .negatable(lsa_arrival as Handler)
            .then([
                int("ms", 0, 600_000, "The minimum interval in milliseconds").run(lsa_arrival as Handler)
            ])]),
        kw("pacing", "OSPF pacing timers").then([
            pacing("flood", 100, "OSPF flood pacing timer"),
            pacing("lsa-group", 1800, "OSPF LSA group pacing timer"),
            pacing("retransmission", 200, "OSPF retransmission pacing timer"),
        ]),
    ])
}

fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let process = need(args.int("process-id"))?;
    if args.negated() {
        editor.config.ospf.remove(&process);
        for interface in editor.config.interfaces.values_mut() {
            interface.ospf.area = interface.ospf.area.filter(|a| a.process != process);
        }
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    let vrf = args.text("vrf-name").map(str::to_owned);
    if let Some(name) = vrf.as_ref().filter(|name| !editor.config.vrfs.contains_key(*name)) {
        return refuse(format!("% VRF {name} not configured."));
    }
    match editor.config.ospf.get(&process) {
        Some(config) if vrf.is_some() && config.vrf != vrf => {
            return refuse(format!("% OSPF: Process {process} is in another VRF"));
        }
        Some(_) => {}
        None => {
            editor.config.ospf.insert(process, OspfConfig { vrf, ..OspfConfig::default() });
        }
    }
    *editor.mode = ConfigMode::RouterOspf(process);
    Ok(())
}

/// The process of the mode.
fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut OspfConfig, Complaint> {
    let config = match &*editor.mode {
        ConfigMode::RouterOspf(process) => editor.config.ospf.get_mut(process),
        _ => None,
    };
    need(config)
}

/// Remembers how an area is written, which `show running-config` repeats.
pub(super) fn note_notation(config: &mut OspfConfig, area: AreaId, dotted: bool) {
    if dotted || config.areas.contains_key(&area) {
        config.areas.entry(area).or_default().dotted = dotted;
    }
}

/// An area is only there while a line mentions it; its notation only while a `network` line or an interface has it.
pub(super) fn forget_unused_areas(config: &mut RouterConfig) {
    let interfaces = &config.interfaces;
    for (process, ospf) in &mut config.ospf {
        let networks = &ospf.networks;
        ospf.areas.retain(|id, area| {
            let bare = AreaConfig { dotted: area.dotted, ..AreaConfig::default() };
            let on_interface =
                |i: &InterfaceConfig| i.ospf.area.is_some_and(|on| on.process == *process && on.area == *id);
            let mentioned =
                || networks.iter().any(|n| n.area == *id) || interfaces.values().any(on_interface);
            *area != bare || area.dotted && mentioned()
        });
    }
}

fn router_id(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let id = setting(args, args.ip("id")).map(RouterId);
    if id.is_some_and(RouterId::is_unspecified) {
        return refuse("% OSPF: router-id 0.0.0.0 is invalid");
    }
    let is_other = |process: u16| *editor.mode != ConfigMode::RouterOspf(process);
    let configured = editor.config.ospf.iter().map(|(&process, config)| (process, config.router_id));
    let in_use = editor.running_ospf.iter().map(|running| (running.process, running.router_id));
    let holder = configured.chain(in_use).find(|&(process, held)| is_other(process) && held == id);
    if let (Some(id), Some((process, _))) = (id, holder) {
        return refuse(format!("% OSPF: router-id {id} in use by ospf process {process}"));
    }
    let running = editor.running_ospf.iter().any(|r| !is_other(r.process) && r.has_neighbors);
    let config = current(editor)?;
    let changed = config.router_id != id;
    config.router_id = id;
    if running && changed {
        editor.said =
            "% OSPF: Reload or use \"clear ip ospf process\" command, for this to take effect\n".to_owned();
    }
    Ok(())
}

/// The same addresses again in another area replace the statement, as in IOS.
fn network(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let wildcard = wildcard(args)?;
    let (area, dotted) = need(args.area())?;
    let config = current(editor)?;
    if args.negated() {
        let before = config.networks.len();
        config.networks.retain(|n| n.wildcard != wildcard || n.area != area);
        return if config.networks.len() == before {
            refuse("% OSPF: Network statement not found")
        } else {
            Ok(())
        };
    }
    note_notation(config, area, dotted);
    match config.networks.iter_mut().find(|n| n.wildcard == wildcard) {
        Some(statement) => statement.area = area,
        None => config.networks.push(NetworkStatement { wildcard, area }),
    }
    Ok(())
}

/// An address with wildcard bits. IOS takes a subnet mask in their place for what it means.
fn wildcard(args: &Args) -> Result<Wildcard, Complaint> {
    let (address, mask) = (need(args.ip("address"))?, need(args.ip("wildcard"))?);
    Ok(match Ipv4Net::with_netmask(address, mask) {
        Ok(net) if net.prefix_len() > 0 && net.prefix_len() < 32 => Wildcard::new(address, net.hostmask()),
        _ => Wildcard::new(address, mask),
    })
}

/// Either form starts the list of exceptions anew.
fn passive_default(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let config = current(editor)?;
    config.passive_default = !args.negated();
    config.passive_exceptions.clear();
    Ok(())
}

fn passive(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.interface())?;
    let config = current(editor)?;
    if args.negated() == config.passive_default {
        config.passive_exceptions.insert(name);
    } else {
        config.passive_exceptions.remove(&name);
    }
    Ok(())
}

fn auto_cost(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let mbps = setting(args, args.int("mbps")).filter(|&m| m != 100);
    let config = current(editor)?;
    if config.reference_bandwidth != mbps {
        config.reference_bandwidth = mbps;
        editor.said = "% OSPF: Reference bandwidth is changed.\n        Please ensure reference bandwidth is consistent across all routers.\n".to_owned();
    }
    Ok(())
}

fn maximum_paths(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.maximum_paths = setting(args, args.int("count")).filter(|&c| c != 4);
    Ok(())
}

fn default_metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.default_metric = setting(args, args.int("metric-value"));
    Ok(())
}

fn metric_type(args: &Args) -> Option<ExternalMetricType> {
    args.int::<u8>("type").map(|t| if t == 1 { ExternalMetricType::Type1 } else { ExternalMetricType::Type2 })
}

fn default_information(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = DefaultInformation {
        always: args.has("always"),
        metric: args.int("metric-value"),
        metric_type: metric_type(args),
        route_map: args.text("map").map(str::to_owned),
    };
    current(editor)?.default_information = setting(args, Some(value));
    Ok(())
}

fn summary_address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let prefix = prefix(args)?;
    let summaries = &mut current(editor)?.summary_addresses;
    if args.negated() {
        summaries.remove(&prefix);
    } else {
        let value = SummaryAddress {
            not_advertise: args.has("not-advertise"),
            tag: args.int("tag-value"),
            nssa_only: args.has("nssa-only"),
        };
        summaries.insert(prefix, value);
    }
    Ok(())
}

/// An address with a mask, host bits cleared.
fn prefix(args: &Args) -> Result<Ipv4Net, Complaint> {
    match Ipv4Net::with_netmask(need(args.ip("address"))?, need(args.ip("mask"))?) {
        Ok(net) => Ok(net.trunc()),
        Err(_) => refuse("% Invalid address/mask combination"),
    }
}

fn shutdown(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.shutdown = !args.negated();
    Ok(())
}

fn prefix_suppression(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.prefix_suppression = !args.negated();
    Ok(())
}

fn log_adjacency(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.log_adjacency_changes = match args.form {
        Form::No => LogAdjacency::Off,
        Form::Set if args.has("detail") => LogAdjacency::Detail,
        _ => LogAdjacency::Normal,
    };
    Ok(())
}

fn rfc1583(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.no_rfc1583 = args.form == Form::No;
    Ok(())
}

fn nsf_helper(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.no_nsf_helper = !args.negated();
    Ok(())
}

fn nsf_strict(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.nsf_strict_lsa_checking = !args.negated();
    Ok(())
}

fn nsf_cisco_helper(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.no_cisco_nsf_helper = !args.negated();
    Ok(())
}

fn ttl_security(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.ttl_security_hops = setting(args, Some(args.int("count").unwrap_or(1)));
    Ok(())
}

fn max_metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let with =
        |keyword: &str, value: &str| args.has(keyword).then(|| args.int(value).unwrap_or(MAX_METRIC_DEFAULT));
    let on_startup = match args.int("startup-seconds") {
        Some(seconds) => Some(OnStartup::Seconds(seconds)),
        None => args.has("wait-for-bgp").then_some(OnStartup::WaitForBgp),
    };
    let value = MaxMetric {
        include_stub: args.has("include-stub"),
        summary_lsa: with("summary-lsa", "override"),
        external_lsa: with("external-lsa", "external-override"),
        on_startup,
    };
    current(editor)?.max_metric = setting(args, Some(value));
    Ok(())
}

fn neighbor(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = need(args.ip("address"))?;
    let neighbors = &mut current(editor)?.neighbors;
    if args.negated() {
        neighbors.remove(&address);
    } else {
        let value = StaticNeighbor {
            cost: args.int("cost-value"),
            priority: args.int("priority-value"),
            poll_interval: args.int("poll-seconds"),
            database_filter: args.has("database-filter"),
        };
        neighbors.insert(address, value);
    }
    Ok(())
}

fn distance(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.distance = setting(args, args.int("value")).filter(|&d| d != 110);
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

fn distance_ospf(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let by_type = &mut current(editor)?.distance_by_type;
    if args.negated() && args.names().last() == Some("ospf") {
        *by_type = netconfarena_emu::ospf::DistanceByType::default();
        return Ok(());
    }
    let all = [
        ("external-value", &mut by_type.external),
        ("inter-value", &mut by_type.inter_area),
        ("intra-value", &mut by_type.intra_area),
    ];
    for (name, slot) in all {
        if let Some(value) = args.int(name) {
            *slot = setting(args, Some(value));
        }
    }
    Ok(())
}

fn distribute_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let config = current(editor)?;
    edit_distribute_lists(args, &mut config.distribute_in, &mut config.distribute_out);
    Ok(())
}

/// Enters what a `distribute-list` line says, or takes it out.
pub(super) fn edit_distribute_lists(
    args: &Args,
    inbound: &mut Option<DistributeList>,
    outbound: &mut BTreeMap<Option<RedistributionSource>, DistributeList>,
) {
    let owned = |name: &str| args.text(name).map(str::to_owned);
    let filter = match (owned("list"), owned("map")) {
        (Some(list), _) => DistributeList::AccessList(list),
        (None, Some(map)) => DistributeList::RouteMap(map),
        (None, None) => DistributeList::Prefix { list: owned("prefix-list"), gateway: owned("gateway-list") },
    };
    match (args.has("in"), args.negated()) {
        (true, _) => *inbound = setting(args, Some(filter)),
        (false, true) => _ = outbound.remove(&source(args)),
        (false, false) => _ = outbound.insert(source(args), filter),
    }
}

fn redistribute(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let source = need(source(args))?;
    let own = matches!((&*editor.mode, source), (ConfigMode::RouterOspf(p), RedistributionSource::Ospf(s)) if *p == s);
    if own {
        return refuse("% OSPF: Cannot redistribute a process into itself");
    }
    let sources = &mut current(editor)?.redistribute;
    if args.negated() {
        sources.remove(&source);
        return Ok(());
    }
    let entry: &mut Redistribution = sources.entry(source).or_default();
    // A further line for the same source adds to what is there.
    entry.subnets |= args.has("subnets");
    entry.nssa_only |= args.has("nssa-only");
    entry.metric = args.int("metric-value").or(entry.metric);
    entry.metric_type = metric_type(args).or(entry.metric_type);
    entry.tag = args.int("tag-value").or(entry.tag);
    entry.route_map = args.text("map").map(str::to_owned).or(entry.route_map.take());
    entry.match_types.extend(match_types(args));
    Ok(())
}

fn throttle(args: &Args) -> Option<Throttle> {
    Some(Throttle { start_ms: args.int("start")?, hold_ms: args.int("hold")?, max_ms: args.int("max")? })
}

fn throttle_spf(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.spf_throttle = setting(args, throttle(args));
    Ok(())
}

fn throttle_lsa(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.lsa_throttle = setting(args, throttle(args));
    Ok(())
}

fn lsa_arrival(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.lsa_arrival_ms = setting(args, args.int("ms"));
    Ok(())
}

fn pacing(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("pace"));
    let config = current(editor)?;
    let slot = if args.has("flood") {
        &mut config.pacing_flood_ms
    } else if args.has("lsa-group") {
        &mut config.pacing_lsa_group_s
    } else {
        &mut config.pacing_retransmission_ms
    };
    *slot = value;
    Ok(())
}
