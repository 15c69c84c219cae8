//! The grammar of `show ip bgp ...` and `show bgp ...`.

use std::net::Ipv4Addr;

use ipnet::ipv4_mask_to_prefix;
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::policy::{Community, IosRegex};

use super::collect::{Running, Selection};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, ip, kw, line, plain, prefix, word};
use crate::show::ip_route::classful_length;
use crate::show::{Record, ShowContext, ShowHandler};

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let all = || {
        let named = neighbors(
            |context, args| of_family(context, args, show_neighbors),
            |context, args| of_family(context, args, show_routes),
            show_policy,
        );
        kw("all", "All address families").run(show_all as ShowHandler).then([
            plain("summary", "Summary of BGP neighbor status", show_all_summary as ShowHandler),
            named,
        ])
    };
    let ipv4 = || {
        kw("ipv4", "Address family")
            .then([kw("unicast", "Address Family modifier").run(show_table as ShowHandler).then(commands())])
    };
    let vrf = || {
        kw("vrf", "Display VRF information")
            .then([word("vrf-name", "VRF name").run(show_table as ShowHandler).then(commands())])
    };
    vec![
        kw("ip", "IP information").then([kw("bgp", "BGP information")
            .run(show_table as ShowHandler)
            .then(commands())
            .then([all(), ipv4(), kw("vpnv4", "Address family").then([vrf()])])]),
        kw("bgp", "BGP information").run(show_table as ShowHandler).then(commands()).then([
            all(),
            ipv4(),
            kw("vpnv4", "Address family").then([kw("unicast", "Address Family modifier").then([vrf()])]),
        ]),
    ]
}

/// What may follow behind the table.
fn commands() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = show_table;
    let longer =
        || plain("longer-prefixes", "Display route and more specific routes", show_longer as ShowHandler);
    let exact = || plain("exact-match", "Exact match of the communities", run);
    vec![
        ip("address", "Network in the BGP routing table to display")
            .run(show_entry as ShowHandler)
            .then([ip("mask", "Network mask").run(show_entry as ShowHandler).then([longer()]), longer()]),
        prefix("prefix", "IP prefix <network>/<length>").run(show_entry as ShowHandler).then([longer()]),
        plain("cidr-only", "Display only routes with non-natural netmasks", run),
        kw("community", "Display routes matching the communities").run(run).then(communities(4)),
        kw("community-list", "Display routes matching the community-list").then([word(
            "community-list-name",
            "community-list number or name",
        )
        .run(run)
        .then([exact()])]),
        plain("dampened-paths", "Display paths suppressed due to dampening", show_dampened as ShowHandler),
        kw("dampening", "Display detailed information about dampening").then([
            plain(
                "dampened-paths",
                "Display paths suppressed due to dampening",
                show_dampened as ShowHandler,
            ),
            plain("flap-statistics", "Display flap statistics of routes", show_dampened as ShowHandler),
        ]),
        kw("filter-list", "Display routes conforming to the filter-list").then([int(
            "filter",
            1,
            500,
            "Regular expression access list number",
        )
        .run(run)]),
        plain("inconsistent-as", "Display only routes with inconsistent origin ASs", run),
        plain("injected-paths", "Display all injected paths", run),
        neighbors(show_neighbors, show_routes, show_policy),
        plain("paths", "Path information", show_paths as ShowHandler),
        kw("peer-group", "Display information on peer-groups").run(show_groups as ShowHandler).then([word(
            "group",
            "Peer-group name",
        )
        .run(show_groups as ShowHandler)]),
        kw("prefix-list", "Display routes matching the prefix-list").then([word(
            "prefix-list-name",
            "IP prefix-list name",
        )
        .run(run)]),
        kw("regexp", "Display routes matching the AS path regular expression").then([line(
            "regex",
            "A regular-expression to match the BGP AS paths",
        )
        .run(run)]),
        plain(
            "rib-failure",
            "Display bgp routes that failed to install in the routing table (RIB)",
            show_rib_failures as ShowHandler,
        ),
        kw("route-map", "Display routes matching the route-map").then([word(
            "route-map-name",
            "A route-map to match on",
        )
        .run(run)]),
        plain("summary", "Summary of BGP neighbor status", show_summary as ShowHandler),
        plain("update-group", "Display information on update-groups", show_update_groups as ShowHandler),
    ]
}

/// `neighbors [A [advertised-routes | received-routes | routes | policy]]`.
fn neighbors(show: ShowHandler, routes: ShowHandler, policy: ShowHandler) -> Spec<ShowHandler> {
    kw("neighbors", "Detailed information on TCP and BGP neighbor connections").run(show).then([ip(
        "neighbor",
        "Neighbor to display information about",
    )
    .run(show)
    .then([
        plain("advertised-routes", "Display the routes advertised to a BGP neighbor", routes),
        plain("received-routes", "Display the received routes from neighbor", routes),
        plain("routes", "Display routes learned from neighbor", routes),
        plain("policy", "Display neighbor polices", policy),
    ])])
}

/// Up to so many communities.
fn communities(most: usize) -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = show_table;
    let mut all = vec![plain("exact-match", "Exact match of the communities", run)];
    if most > 0 {
        all.push(
            word("community-value", "community number, aa:nn, or a well-known one")
                .run(run)
                .then(communities(most - 1)),
        );
    }
    all
}

/// The table that the command is about.
fn running<'a>(context: &ShowContext<'a>, args: &Args) -> Result<Running<'a>, Complaint> {
    Running::new(context, context.vrf(args)?)
}

fn show_table(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.table(&selection(args)?).render())
}

/// `all`: the one family there is.
fn show_all(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    of_family(context, args, |context, args| Ok(format!("\n{}", show_table(context, args)?)))
}

/// What a command prints of the one family there is, with its name.
fn of_family(context: &ShowContext<'_>, args: &Args, show: ShowHandler) -> Result<String, Complaint> {
    Ok(format!("For address family: IPv4 Unicast\n{}", show(context, args)?))
}

fn selection(args: &Args) -> Result<Selection, Complaint> {
    let text = |name| args.text(name).map(str::to_owned);
    let exact = args.has("exact-match");
    if args.has("cidr-only") {
        return Ok(Selection::CidrOnly);
    }
    if args.has("inconsistent-as") {
        return Ok(Selection::InconsistentAs);
    }
    if args.has("injected-paths") {
        return Ok(Selection::Injected);
    }
    if let Some(pattern) = args.text("regex") {
        let regex = IosRegex::new(pattern.trim());
        return regex
            .map(Selection::Regexp)
            .map_err(|_| Complaint::Refused("% Invalid regular expression".to_owned()));
    }
    if let Some(name) = text("community-list-name") {
        return Ok(Selection::CommunityList(name, exact));
    }
    if args.has("community") {
        let named = args.texts("community-value").map(str::parse).collect::<Result<Vec<Community>, _>>();
        return named
            .map(|named| Selection::Communities(named, exact))
            .map_err(|_| Complaint::Refused("% Malformed community value".to_owned()));
    }
    if let Some(number) = args.int("filter") {
        return Ok(Selection::FilterList(number));
    }
    if let Some(name) = text("prefix-list-name") {
        return Ok(Selection::PrefixList(name));
    }
    Ok(text("route-map-name").map_or(Selection::All, Selection::RouteMap))
}

/// Address and length of the network that the command names.
fn network(args: &Args) -> Result<(Ipv4Addr, Option<u8>), Complaint> {
    if let Some(prefix) = args.prefix("prefix") {
        return Ok((prefix.addr(), Some(prefix.prefix_len())));
    }
    let length = args.ip("mask").map(ipv4_mask_to_prefix).transpose();
    let length = length.map_err(|_| Complaint::Refused("% Inconsistent address and mask".to_owned()))?;
    Ok((args.ip("address").unwrap_or(Ipv4Addr::UNSPECIFIED), length))
}

fn show_entry(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let (address, length) = network(args)?;
    Ok(running(context, args)?.entry(address, length).render())
}

fn show_longer(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let (address, length) = network(args)?;
    let length = length.unwrap_or_else(|| classful_length(address));
    let within = ipnet::Ipv4Net::new(address, length).unwrap_or_default().trunc();
    Ok(running(context, args)?.table(&Selection::Within(within)).render())
}

fn show_summary(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.summary(false).render())
}

fn show_all_summary(context: &ShowContext<'_>, _args: &Args) -> Result<String, Complaint> {
    Ok(Running::new(context, VrfId::GLOBAL)?.summary(true).render())
}

fn show_groups(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.peer_groups(args.text("group")).render())
}

fn show_rib_failures(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.rib_failures().render())
}

fn show_dampened(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.dampened(args.has("flap-statistics")).render())
}

fn show_paths(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.as_paths().render())
}

fn show_update_groups(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(running(context, args)?.update_groups().render())
}

fn show_policy(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let running = running(context, args)?;
    let address = args.ip("neighbor").unwrap_or(Ipv4Addr::UNSPECIFIED);
    known(&running, address)?;
    Ok(running.neighbor_policy(address).render())
}

fn show_neighbors(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let running = running(context, args)?;
    let address = args.ip("neighbor");
    if let Some(address) = address {
        known(&running, address)?;
    }
    Ok(running.neighbors(address).render())
}

/// The neighbor's number.
fn known(running: &Running<'_>, address: Ipv4Addr) -> Result<u32, Complaint> {
    let peer = running.peer(address).map(|peer| peer.index);
    peer.ok_or_else(|| Complaint::Refused("% No such neighbor or address family".to_owned()))
}

/// `neighbors A advertised-routes`, `received-routes`, `routes`.
fn show_routes(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let running = running(context, args)?;
    let address = args.ip("neighbor").unwrap_or(Ipv4Addr::UNSPECIFIED);
    let index = known(&running, address)?;
    let mut table = if args.has("advertised-routes") {
        running.table(&Selection::ToldTo(index))
    } else if args.has("routes") {
        running.table(&Selection::From(address))
    } else {
        let keeps = running.peer(address).is_some_and(|peer| peer.settings.policy.soft_reconfiguration);
        if !keeps {
            return Err(Complaint::Refused(format!(
                "% Inbound soft reconfiguration not enabled on {address}"
            )));
        }
        running.received(address)
    };
    let count = table.networks.iter().map(|network| network.paths.len()).sum::<usize>();
    table.total = Some(u32::try_from(count).unwrap_or(u32::MAX));
    Ok(table.render())
}
