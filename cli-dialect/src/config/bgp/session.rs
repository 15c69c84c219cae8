//! Options of neighbors, peer groups and session templates about sessions.

use netconfarena_emu::bgp::{
    ConnectionMode, FallOver, LocalAs, NeighborTimers, SessionOptions, VersionedPassword,
};
use netconfarena_emu::ids::Asn;

use super::super::interface::setting;
use super::super::unsupported::refused;
use super::super::{Complaint, Editor, Handler, need, refuse};
use super::asn;
use super::neighbor::session_options;
use super::process::timers_of;
use crate::grammar::{Args, Form, Spec, int, interface, kw, line, plain, word};

pub(super) fn options() -> Vec<Spec<Handler>> {
    let run = option as Handler;
    let local_as_options = plain("no-prepend", "Do not prepend local-as to updates from ebgp peers", run)
        .then([plain("replace-as", "Replace real AS with local AS in the EBGP updates", run).then([plain(
            "dual-as",
            "Accept either real AS or local AS from the ebgp peer",
            run,
        )])]);
    vec![
        kw("description", "Neighbor specific description").negatable(run).then([line(
            "text",
            "Up to 80 characters describing this neighbor",
        )
        .run(run)]),
        plain("disable-connected-check", "one-hop away EBGP peer using loopback address", run),
        plain("dont-capability-negotiate", "Do not perform capability negotiation", run),
        kw("ebgp-multihop", "Allow EBGP neighbors not on directly connected networks").run(run).then([int(
            "hop-count",
            1,
            255,
            "maximum hop count",
        )
        .run(run)]),
        kw("fall-over", "session fall on peer route lost").run(run).then([
            kw("route-map", "Route map for peer route").then([word("fall-over-map", "Route map").run(run)]),
            refused("bfd", "Use BFD to detect failure"),
        ]),
        kw("local-as", "Specify a local-as number").negatable(run).then([asn(
            "local-asn",
            "AS number used as local AS",
        )
        .run(run)
        .then([local_as_options])]),
        kw("password", "Set a password").negatable(run).then([
            int("encryption", 0, 7, "Encryption type (0 to disable encryption, 7 for proprietary)")
                .then([line("password-text", "The password").run(run)]),
            line("password-text", "The password").run(run),
        ]),
        plain("shutdown", "Administratively shut down this neighbor", run),
        kw("timers", "BGP per neighbor timers").negatable(run).then([int(
            "keepalive",
            0,
            65535,
            "Keepalive interval",
        )
        .then([int("hold", 0, 65535, "Holdtime").run(run).then([int(
            "minimum-hold",
            0,
            65535,
            "Minimum hold time from neighbor",
        )
        .run(run)])])]),
        kw("transport", "Transport options").then([
            kw("connection-mode", "Specify passive or active connection").negatable(run).then([
                plain("active", "Actively establish the TCP session", run),
                plain("passive", "Passively establish the TCP session", run),
            ]),
            refused("multi-session", "Use multi-session for transport"),
            refused("path-mtu-discovery", "Use transport path MTU discovery"),
        ]),
        kw("ttl-security", "BGP ttl security check")
            .negatable(run)
            .then([kw("hops", "IP hops")
                .then([int("hop-limit", 1, 254, "maximum number of hops allowed").run(run)])]),
        kw("update-source", "Source of routing updates")
            .negatable(run)
            .then([interface("Interface").run(run)]),
    ]
}

/// The option that a line is about.
fn keyword(args: &Args) -> Option<&'static str> {
    const KEYWORDS: [&str; 12] = [
        "description",
        "disable-connected-check",
        "dont-capability-negotiate",
        "ebgp-multihop",
        "fall-over",
        "local-as",
        "password",
        "shutdown",
        "timers",
        "connection-mode",
        "ttl-security",
        "update-source",
    ];
    args.names().find(|name| KEYWORDS.contains(name))
}

fn option(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let own_as = editor.config.bgp.as_ref().map(|bgp| bgp.asn);
    let options = session_options(editor, args)?;
    let on = !args.negated();
    match need(keyword(args))? {
        "description" => {
            let text = args.text("text").map(|text| text.chars().take(80).collect());
            options.description = setting(args, text);
        }
        "disable-connected-check" => options.disable_connected_check = on,
        "dont-capability-negotiate" => options.no_capabilities = on,
        "ebgp-multihop" => {
            if on && options.ttl_security_hops.is_some() {
                return refuse("% BGP: ebgp-multihop and ttl-security cannot be used together");
            }
            options.ebgp_multihop = setting(args, Some(args.int("hop-count").unwrap_or(255)));
        }
        "fall-over" => {
            let route_map = args.text("fall-over-map").map(str::to_owned);
            options.fall_over = setting(args, Some(FallOver { route_map }));
        }
        "local-as" => local_as(options, args, own_as)?,
        "password" => {
            let encrypted = args.int::<u8>("encryption") == Some(7);
            let text = args.text("password-text").map(str::to_owned);
            options.password = setting(args, text).map(|text| VersionedPassword { encrypted, text });
        }
        "shutdown" => options.shutdown = on,
        "timers" => {
            let timers = timers_of(args)?;
            // Back to the process's timers, which `timers 60 180` may differ from.
            options.timers = if args.form == Form::Set { timers } else { None::<NeighborTimers> };
        }
        "connection-mode" => {
            let mode = if args.has("active") { ConnectionMode::Active } else { ConnectionMode::Passive };
            options.connection_mode = setting(args, Some(mode));
        }
        "ttl-security" => {
            if on && options.ebgp_multihop.is_some() {
                return refuse("% BGP: ebgp-multihop and ttl-security cannot be used together");
            }
            options.ttl_security_hops = setting(args, args.int("hop-limit"));
        }
        _ => options.update_source = setting(args, args.interface()),
    }
    Ok(())
}

fn local_as(options: &mut SessionOptions, args: &Args, own: Option<Asn>) -> Result<(), Complaint> {
    let local = args.int("local-asn").map(|asn| LocalAs {
        asn: Asn(asn),
        no_prepend: args.has("no-prepend"),
        replace_as: args.has("replace-as"),
        dual_as: args.has("dual-as"),
    });
    let asn = local.map(|local| local.asn);
    if !args.negated() && asn.is_some() && (asn == own || asn == options.remote_as) {
        return refuse("% Local-AS cannot be the same as the BGP AS or the AS of the peer");
    }
    options.local_as = setting(args, local);
    Ok(())
}
