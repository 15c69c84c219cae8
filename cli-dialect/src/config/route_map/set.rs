//! `set ...` in route maps.

use netconfarena_emu::ids::Asn;
use netconfarena_emu::policy::{
    ExtendedCommunity, ExtendedCommunityValue, SetAigp, SetClauses, SetCommunity, SetMetric, SetMetricType,
    SetNextHop, SetOrigin, TrackedNextHop, VectorMetric,
};

use super::{current, repeated};
use crate::config::bgp::{dampening_numbers, dampening_parameters};
use crate::config::extended_lists::{Kind, invalid, words};
use crate::config::path_lists::communities;
use crate::config::unsupported::refused;
use crate::config::{Complaint, DSCPS, Editor, Handler, PRECEDENCES, need};
use crate::grammar::{
    Args, ParseError, Spec, abbreviates, choice, int, interface, ip, kw, line, plain, word,
};

/// The greatest value of 32 bits.
const MOST: u64 = u32::MAX as u64;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let asn = || int("asn", 1, MOST, "AS number").run(as_path as Handler);
    let value = |keyword, help, name, most, run: Handler| {
        kw(keyword, help).negatable(run).then([int(name, 0, most, "Value").run(run)])
    };
    let last_as = kw("last-as", "Prepend last AS to the as-path").then([int(
        "last-as-count",
        1,
        10,
        "Number of last-AS prepends",
    )
    .run(as_path as Handler)]);
    vec![
        kw("as-path", "Prepend string for a BGP AS-path attribute").then([
            kw("prepend", "Prepend to the as-path")
                .negatable(as_path as Handler)
                .then([last_as, repeated(asn)]),
            refused("tag", "Set the tag as an AS-path attribute"),
        ]),
        kw("comm-list", "set BGP community list (for deletion)").negatable(comm_list as Handler).then([
            word("community-list", "Community-list number or name").then([plain(
                "delete",
                "Delete matching communities",
                comm_list as Handler,
            )]),
        ]),
        kw("community", "BGP community attribute").negatable(community as Handler).then([
            plain("none", "No community attribute", community as Handler),
            line("communities", "Community numbers and names, additive").run(community as Handler),
        ]),
        kw("aigp-metric", "accumulated metric value").negatable(aigp as Handler).then([
            int("aigp", 0, MOST, "manual value").run(aigp as Handler),
            plain("igp-metric", "metric value from rib", aigp as Handler),
        ]),
        kw("dampening", "Set BGP route flap dampening parameters")
            .negatable(dampening as Handler)
            .then([dampening_numbers(dampening)]),
        kw("extcomm-list", "Set BGP/VPN extended community list (for deletion)")
            .negatable(extcomm_list as Handler)
            .then([word("extcommunity-list", "Extended community-list number or name").then([plain(
                "delete",
                "Delete matching extended communities",
                extcomm_list as Handler,
            )])]),
        extended_community_spec(),
        kw("default", "Set default information").then([kw("interface", "Default output interface")
            .named("default-interface")
            .negatable(interfaces as Handler)
            .then([repeated(|| interface("Interface").run(interfaces as Handler))])]),
        kw("interface", "Output interface")
            .negatable(interfaces as Handler)
            .then([repeated(|| interface("Interface").run(interfaces as Handler))]),
        ip_spec(),
        value(
            "local-preference",
            "BGP local preference path attribute",
            "preference",
            MOST,
            local_preference,
        ),
        metric_spec(),
        kw("metric-type", "Type of metric for destination routing protocol")
            .negatable(metric_type as Handler)
            .then([
                plain("internal", "Use IGP metric as the MED for BGP", metric_type as Handler),
                plain("type-1", "OSPF external type 1 metric", metric_type as Handler),
                plain("type-2", "OSPF external type 2 metric", metric_type as Handler),
                refused("external", "IS-IS external metric"),
            ]),
        kw("origin", "BGP origin code").negatable(origin as Handler).then([
            kw("egp", "remote EGP")
                .then([int("asn", 1, MOST, "remote autonomous system number").run(origin as Handler)]),
            plain("igp", "local IGP", origin as Handler),
            plain("incomplete", "unknown heritage", origin as Handler),
        ]),
        value("tag", "Tag value for destination routing protocol", "tag-value", MOST, tag),
        value("weight", "BGP weight for routing table", "weight-value", 65535, weight),
        refused("automatic-tag", "Automatically compute TAG value"),
        refused("clns", "OSI summary address"),
        refused("global", "Set to global routing table"),
        refused("ipv6", "IPv6 specific information"),
        refused("level", "Where to import route"),
        refused("mpls-label", "Set MPLS label for prefix"),
        refused("traffic-index", "BGP traffic classification number for accounting"),
        refused("vrf", "Define VRF name"),
    ]
}

fn extended_community_spec() -> Spec<Handler> {
    let run = extended_community as Handler;
    let cost = || int("cost-id", 0, 255, "Community ID").then([int("cost", 0, MOST, "Cost Value").run(run)]);
    kw("extcommunity", "BGP extended community attribute").then([
        kw("cost", "Cost extended community").negatable(run).then([
            cost(),
            kw("igp", "Compare following IGP cost comparison").then([cost()]),
            kw("pre-bestpath", "Compare before all other steps in bestpath calculation").then([cost()]),
        ]),
        kw("rt", "Route Target extended community").negatable(run).then([line(
            "values",
            "ASN:nn or IP-address:nn, additive",
        )
        .run(run)]),
        kw("soo", "Site-of-Origin extended community").negatable(run).then([word(
            "soo-value",
            "ASN:nn or IP-address:nn",
        )
        .run(run)]),
        refused("vpn-distinguisher", "VPN Distinguisher"),
    ])
}

fn ip_spec() -> Spec<Handler> {
    let hop = |run: Handler| repeated(move || ip("next-hop", "IP address of next hop").run(run));
    let run = next_hop as Handler;
    let tracked = ip("verified", "IP address of next hop").then([int(
        "hop-sequence",
        1,
        65535,
        "Sequence to insert into next-hop list",
    )
    .then([kw("track", "Set the next hop depending on the state of a tracked object").then([int(
        "track-number",
        1,
        1000,
        "Tracked object number",
    )
    .run(run)])])]);
    kw("ip", "IP specific information").then([
        kw("default", "Set default information").then([kw("next-hop", "Default next hop address")
            .named("default-next-hop")
            .negatable(default_next_hop as Handler)
            .then([hop(default_next_hop)])]),
        kw("dscp", "Set IP DSCP").negatable(dscp as Handler).then([choice(
            "dscp-value",
            &DSCPS,
            "DSCP value",
        )
        .run(dscp as Handler)]),
        kw("next-hop", "Next hop address").negatable(run).then([
            hop(run),
            plain("peer-address", "Use peer address (for BGP only)", run),
            plain("self", "Use self address (for BGP only)", run),
            kw("verify-availability", "Verify if nexthop is reachable").run(run).then([tracked]),
            kw("recursive", "Recursive next-hop").then([ip("recursive-hop", "IP address").run(run)]),
        ]),
        kw("precedence", "Set precedence field").negatable(precedence as Handler).then([choice(
            "precedence-value",
            &PRECEDENCES,
            "Precedence value",
        )
        .run(precedence as Handler)]),
        kw("address", "Specify IP address").then([kw("prefix-list", "Specify IP prefix-list")
            .negatable(injected as Handler)
            .then([word("injected-list", "Name of an IP prefix list").run(injected as Handler)])]),
        refused("df", "Set DF bit"),
        refused("global", "Global routing table"),
        refused("qos-group", "Set QOS Group ID"),
        refused("tos", "Set type of service field"),
        refused("vrf", "VRF info"),
    ])
}

fn metric_spec() -> Spec<Handler> {
    let run = metric as Handler;
    let mtu = int("mtu", 1, MOST, "EIGRP MTU of the path").run(run);
    let load = int("load", 1, 255, "EIGRP Effective bandwidth metric (Loading) where 255 is 100% loaded")
        .then([mtu]);
    let reliability =
        int("reliability", 0, 255, "EIGRP reliability metric where 255 is 100% reliable").then([load]);
    let delay = int("delay", 0, MOST, "EIGRP delay metric, in 10 microsecond units").then([reliability]);
    kw("metric", "Metric value for destination routing protocol").negatable(run).then([
        int("metric-value", 0, MOST, "Metric value or Bandwidth in Kbits per second").run(run).then([delay]),
        word("metric-change", "Add or subtract metric: +/-<metric>").run(run),
    ])
}

fn sets<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut SetClauses, Complaint> {
    current(editor).map(|entry| &mut entry.sets)
}

/// The new value of a clause: none behind `no`.
fn setting<T>(args: &Args, value: Option<T>) -> Option<T> {
    if args.negated() { None } else { value }
}

fn as_path(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let sets = sets(editor)?;
    let last: Option<u8> = args.int("last-as-count");
    if args.negated() || last.is_none() {
        let asns = args.ints("asn").map(Asn).collect();
        sets.as_path_prepend = if args.negated() { Vec::new() } else { asns };
    }
    if args.negated() || last.is_some() {
        sets.as_path_prepend_last = setting(args, last);
    }
    Ok(())
}

fn comm_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.delete_communities = setting(args, args.text("community-list").map(str::to_owned));
    Ok(())
}

fn community(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = if args.negated() {
        None
    } else if args.has("none") {
        Some(SetCommunity::None)
    } else {
        let (communities, additive) = communities(args, "communities", "additive")?;
        if communities.is_empty() {
            return Err(Complaint::Syntax(ParseError::Incomplete));
        }
        Some(SetCommunity::These { communities, additive })
    };
    sets(editor)?.community = value;
    Ok(())
}

fn extcomm_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let list = args.text("extcommunity-list").map(str::to_owned);
    sets(editor)?.delete_extended_communities = setting(args, list);
    Ok(())
}

/// `set extcommunity`: `rt` and `soo` replace what was set, `cost` what was set for its place and id.
fn extended_community(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let all = &mut sets(editor)?.extended_communities;
    if args.has("rt") {
        all.route_targets.clear();
        all.additive = false;
        for (at, word) in words(args, "values").into_iter().filter(|_| !args.negated()) {
            if abbreviates(word, "additive") && !all.route_targets.is_empty() {
                all.additive = true;
            } else {
                match Kind::RouteTarget.read(word) {
                    Some(target) => _ = all.route_targets.insert(target),
                    None => return invalid(args, at),
                }
            }
        }
    } else if args.has("soo") {
        let value = args.text("soo-value").map(|text| Kind::SiteOfOrigin.read(text));
        all.site_of_origin = match setting(args, value) {
            Some(None) => return invalid(args, args.at("soo-value")),
            value => value.flatten(),
        };
    } else {
        let point = if args.has("pre-bestpath") {
            ExtendedCommunity::BEFORE_BEST_PATH
        } else {
            ExtendedCommunity::BEHIND_IGP_METRIC
        };
        let Some((id, cost)) = args.int("cost-id").zip(args.int("cost")) else {
            all.costs.clear();
            return Ok(());
        };
        let is_other = |known: &ExtendedCommunity| match known.value() {
            ExtendedCommunityValue::Cost(at, of, _) => (at, of) != (point, id),
            _ => true,
        };
        all.costs.retain(is_other);
        all.costs.extend(setting(args, Some(ExtendedCommunity::cost(point, id, cost))));
    }
    Ok(())
}

fn aigp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value =
        if args.has("igp-metric") { Some(SetAigp::IgpMetric) } else { args.int("aigp").map(SetAigp::To) };
    sets(editor)?.aigp = setting(args, value);
    Ok(())
}

fn dampening(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let parameters = dampening_parameters(args)?;
    sets(editor)?.dampening = setting(args, Some(parameters));
    Ok(())
}

fn injected(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.injected = setting(args, args.text("injected-list").map(str::to_owned));
    Ok(())
}

/// Lists of next hops and interfaces: a line replaces what was there.
fn list<T>(args: &Args, values: impl Iterator<Item = T>) -> Vec<T> {
    if args.negated() { Vec::new() } else { values.collect() }
}

fn interfaces(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let values = list(args, args.interfaces());
    let sets = sets(editor)?;
    let slot =
        if args.has("default-interface") { &mut sets.default_interfaces } else { &mut sets.interfaces };
    *slot = values;
    Ok(())
}

fn default_next_hop(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.default_next_hops = list(args, args.ips("next-hop"));
    Ok(())
}

fn next_hop(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let hop = &mut sets(editor)?.next_hop;
    let tracked = args.int("hop-sequence").zip(args.ip("verified")).zip(args.int("track-number"));
    if let Some(((sequence, address), track)) = tracked {
        if args.negated() {
            hop.tracked.remove(&sequence);
        } else {
            hop.tracked.insert(sequence, TrackedNextHop { address, track });
        }
    } else if args.has("verify-availability") {
        hop.verify_availability = !args.negated();
    } else if args.has("peer-address") {
        hop.peer_address = !args.negated();
    } else if args.has("self") {
        hop.self_address = !args.negated();
    } else if let Some(address) = args.ip("recursive-hop") {
        hop.recursive = setting(args, Some(address));
    } else if args.negated() && args.ip("next-hop").is_none() {
        *hop = SetNextHop::default();
    } else {
        hop.addresses = list(args, args.ips("next-hop"));
    }
    Ok(())
}

fn dscp(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.dscp = setting(args, args.int("dscp-value"));
    Ok(())
}

fn precedence(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.precedence = setting(args, args.int("precedence-value"));
    Ok(())
}

fn local_preference(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.local_preference = setting(args, args.int("preference"));
    Ok(())
}

fn tag(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.tag = setting(args, args.int("tag-value"));
    Ok(())
}

fn weight(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    sets(editor)?.weight = setting(args, args.int("weight-value"));
    Ok(())
}

fn metric(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = match (args.int("metric-value"), args.int("delay"), args.text("metric-change")) {
        (Some(bandwidth_kbps), Some(delay_tens_us), _) => Some(SetMetric::Vector(VectorMetric {
            bandwidth_kbps,
            delay_tens_us,
            reliability: need(args.int("reliability"))?,
            load: need(args.int("load"))?,
            mtu: need(args.int("mtu"))?,
        })),
        (Some(value), None, _) => Some(SetMetric::To(value)),
        (None, _, Some(change)) => Some(relative(change, args.at("metric-change"))?),
        (None, _, None) => None,
    };
    sets(editor)?.metric = setting(args, value);
    Ok(())
}

/// `+10` and `-10`.
fn relative(text: &str, at: usize) -> Result<SetMetric, Complaint> {
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok()).flatten();
    let added = text.strip_prefix('+').and_then(digits).map(SetMetric::Add);
    added
        .or_else(|| text.strip_prefix('-').and_then(digits).map(SetMetric::Subtract))
        .ok_or(Complaint::Syntax(ParseError::Invalid { at, understood: 2 }))
}

fn metric_type(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = args.names().find_map(|name| match name {
        "internal" => Some(SetMetricType::Internal),
        "type-1" => Some(SetMetricType::Type1),
        "type-2" => Some(SetMetricType::Type2),
        _ => None,
    });
    sets(editor)?.metric_type = setting(args, value);
    Ok(())
}

fn origin(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = args.names().find_map(|name| match name {
        "igp" => Some(SetOrigin::Igp),
        "egp" => args.int("asn").map(|asn| SetOrigin::Egp(Asn(asn))),
        "incomplete" => Some(SetOrigin::Incomplete),
        _ => None,
    });
    sets(editor)?.origin = setting(args, value);
    Ok(())
}
