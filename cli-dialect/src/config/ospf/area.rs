//! `area N ...` under `router ospf`.

use netconfarena_emu::ids::RouterId;
use netconfarena_emu::ospf::{
    AreaConfig, AreaKind, AreaRange, AuthenticationMode, NssaDefault, NssaOptions, VirtualLinkConfig,
};

use super::super::ip_ospf::{
    DIGEST_KEY, SIMPLE_KEY, note_truncation, password, set_authentication, set_digest_key, set_simple_key,
};
use super::{current, metric_type, note_notation, prefix};
use crate::config::interface::setting;
use crate::config::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, area, int, ip, kw, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("area", "OSPF area parameters").then([area("OSPF area ID").negatable(remove as Handler).then([
            kw("authentication", "Enable authentication").run(authentication as Handler).then([plain(
                "message-digest",
                "Use message-digest authentication",
                authentication as Handler,
            )]),
            kw("default-cost", "Set the summary default-cost of a NSSA/stub area")
                .negatable(default_cost as Handler)
                .then([int("cost-value", 0, 16_777_215, "Stub's advertised external route metric")
                    .run(default_cost as Handler)]),
            kw("filter-list", "Filter networks between OSPF areas").then([kw(
                "prefix",
                "Filter prefixes between OSPF areas",
            )
            .then([word("list", "Name of an IP prefix-list").then([
                plain("in", "Filter networks sent to this area", filter_list as Handler),
                plain("out", "Filter networks sent from this area", filter_list as Handler),
            ])])]),
            nssa_spec(),
            kw("range", "Summarize routes matching address/mask (border routers only)").then([ip(
                "address",
                "IP address to match",
            )
            .then([ip("mask", "IP mask for address").run(range as Handler).options([
                plain("advertise", "Advertise this range (default)", range as Handler),
                plain("not-advertise", "DoNotAdvertise this range", range as Handler),
                kw("cost", "User specified metric for this range").then([int(
                    "cost-value",
                    0,
                    16_777_214,
                    "Advertised metric for this range",
                )
                .run(range as Handler)]),
            ])])]),
            kw("stub", "Specify a stub area").run(stub as Handler).then([plain(
                "no-summary",
                "Do not send summary LSA into stub area",
                stub as Handler,
            )]),
            virtual_link_spec(),
        ])]),
    ]
}

fn nssa_spec() -> Spec<Handler> {
    let default_options = [
        kw("metric", "OSPF default metric")
            .then([int("metric-value", 0, 16_777_214, "OSPF metric").run(nssa as Handler)]),
        kw("metric-type", "OSPF metric type for default routes").then([int(
            "type",
            1,
            2,
            "OSPF metric type",
        )
        .run(nssa as Handler)]),
    ];
    let translate = kw("translate", "Translate LSA").then([kw("type7", "Translate from Type 7 to Type 5")
        .run(nssa as Handler)
        .options([
            plain("always", "Always translate LSAs on this ABR", nssa as Handler),
            plain("suppress-fa", "Suppress forwarding address in translated LSAs", nssa as Handler),
        ])]);
    let mut options = vec![
        plain("no-redistribution", "No redistribution into this NSSA area", nssa as Handler),
        plain("no-summary", "Do not send summary LSA into NSSA", nssa as Handler),
        plain("default-information-originate", "Originate Type 7 default into NSSA area", nssa as Handler),
        translate,
    ];
    options.extend(default_options);
    kw("nssa", "Specify a NSSA area").run(nssa as Handler).options(options)
}

fn virtual_link_spec() -> Spec<Handler> {
    let seconds = |word: &'static str, name: &'static str, help: &'static str| {
        kw(word, help).then([int(name, 1, 8192, "Seconds").run(virtual_link as Handler)])
    };
    kw("virtual-link", "Define a virtual link and its parameters").then([ip(
        "peer",
        "ID (IP addr) associated with virtual link neighbor",
    )
    .run(virtual_link as Handler)
    .options([
        seconds("hello-interval", "hello-seconds", "Time between HELLO packets"),
        seconds("dead-interval", "dead-seconds", "Interval after which a neighbor is declared dead"),
        seconds(
            "retransmit-interval",
            "retransmit-seconds",
            "Time between retransmitting lost link state advertisements",
        ),
        seconds("transmit-delay", "transmit-seconds", "Link state transmit delay"),
        kw("authentication", "Enable authentication").run(virtual_link as Handler).then([
            plain("message-digest", "Use message-digest authentication", virtual_link as Handler),
            plain("null", "Use null authentication", virtual_link as Handler),
            kw("key-chain", "Use a key-chain for cryptographic authentication keys").then([word(
                "chain",
                "Name of key-chain",
            )
            .run(virtual_link as Handler)]),
        ]),
        kw("authentication-key", "Set authentication key").then(password(virtual_link)),
        kw("message-digest-key", "Set message digest key").then([int("key-id", 1, 255, "Key ID")
            .then([kw("md5", "Use MD5 algorithm").then(password(virtual_link))])]),
        kw("ttl-security", "TTL security check").then([kw("hops", "Maximum number of hops allowed")
            .then([int("count", 1, 254, "hops").run(virtual_link as Handler)])]),
    ])])
}

/// The area of the line, made if it is not there; its notation is remembered.
fn area_config<'e>(editor: &'e mut Editor<'_>, args: &Args) -> Result<&'e mut AreaConfig, Complaint> {
    let (area, dotted) = need(args.area())?;
    let config = current(editor)?;
    let known = config.areas.contains_key(&area);
    note_notation(config, area, dotted);
    let entry = config.areas.entry(area).or_default();
    if !known {
        entry.dotted = dotted;
    }
    Ok(entry)
}

/// `no area N` takes back everything said of an area.
fn remove(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let (area, _) = need(args.area())?;
    current(editor)?.areas.remove(&area);
    Ok(())
}

fn authentication(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let digest = args.has("message-digest");
    let mode = if digest { AuthenticationMode::MessageDigest } else { AuthenticationMode::Simple };
    area_config(editor, args)?.authentication = setting(args, Some(mode));
    Ok(())
}

fn default_cost(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    area_config(editor, args)?.default_cost = setting(args, args.int("cost-value")).filter(|&c| c != 1);
    Ok(())
}

fn filter_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let list = setting(args, args.text("list")).map(str::to_owned);
    let incoming = args.has("in");
    let area = area_config(editor, args)?;
    *(if incoming { &mut area.filter_in } else { &mut area.filter_out }) = list;
    Ok(())
}

fn is_backbone(args: &Args) -> bool {
    args.area().is_some_and(|(area, _)| area == netconfarena_emu::ids::AreaId::BACKBONE)
}

fn stub(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if is_backbone(args) {
        return refuse("% OSPF: Backbone can not be configured as stub area");
    }
    let no_summary = args.has("no-summary");
    let area = area_config(editor, args)?;
    match (args.negated(), area.kind) {
        // `no area N stub no-summary` leaves a stub area.
        (true, AreaKind::Stub { .. }) if no_summary => area.kind = AreaKind::Stub { no_summary: false },
        (true, AreaKind::Stub { .. }) => area.kind = AreaKind::Normal,
        (true, _) => {}
        (false, AreaKind::Nssa(_)) => return refuse("% OSPF: Area is configured as NSSA area already"),
        (false, _) => area.kind = AreaKind::Stub { no_summary },
    }
    Ok(())
}

fn nssa(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if is_backbone(args) {
        return refuse("% OSPF: Backbone can not be configured as NSSA area");
    }
    let area = area_config(editor, args)?;
    let mut options = match area.kind {
        AreaKind::Nssa(options) => options,
        AreaKind::Stub { .. } if !args.negated() => {
            return refuse("% OSPF: Area is configured as stub area already");
        }
        _ => NssaOptions::default(),
    };
    if args.negated() {
        let only_area = args.names().last() == Some("nssa");
        options.no_summary &= !args.has("no-summary");
        options.no_redistribution &= !args.has("no-redistribution");
        options.translate_always &= !args.has("always");
        options.suppress_forwarding_address &= !args.has("suppress-fa");
        if args.has("default-information-originate") {
            options.default_information = None;
        }
        area.kind = if only_area { AreaKind::Normal } else { AreaKind::Nssa(options) };
        return Ok(());
    }
    options.no_summary |= args.has("no-summary");
    options.no_redistribution |= args.has("no-redistribution");
    options.translate_always |= args.has("always");
    options.suppress_forwarding_address |= args.has("suppress-fa");
    if args.has("default-information-originate") {
        options.default_information =
            Some(NssaDefault { metric: args.int("metric-value"), metric_type: metric_type(args) });
    }
    area.kind = AreaKind::Nssa(options);
    Ok(())
}

fn range(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let prefix = prefix(args)?;
    let ranges = &mut area_config(editor, args)?.ranges;
    let cost_alone = args.negated() && args.has("cost");
    match ranges.get_mut(&prefix) {
        Some(range) if cost_alone => range.cost = None,
        _ if args.negated() => {
            ranges.remove(&prefix);
        }
        known => {
            let cost = args.int("cost-value").or(known.and_then(|range| range.cost));
            ranges.insert(prefix, AreaRange { not_advertise: args.has("not-advertise"), cost });
        }
    }
    Ok(())
}

/// Each line adds to what is known of the link; `no` with an option takes that option back.
fn virtual_link(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if is_backbone(args) {
        return refuse("% OSPF: Backbone cannot be a transit area for a virtual link");
    }
    let peer = RouterId(need(args.ip("peer"))?);
    note_truncation(editor, args, if args.has("authentication-key") { SIMPLE_KEY } else { DIGEST_KEY });
    let links = &mut area_config(editor, args)?.virtual_links;
    if args.negated() && args.names().last() == Some("peer") {
        links.remove(&peer);
        return Ok(());
    }
    let link: &mut VirtualLinkConfig = links.entry(peer).or_default();
    if args.has("hello-interval") {
        link.hello_interval = setting(args, args.int("hello-seconds"));
    }
    if args.has("dead-interval") {
        link.dead_interval = setting(args, args.int("dead-seconds"));
    }
    if args.has("retransmit-interval") {
        link.retransmit_interval = setting(args, args.int("retransmit-seconds"));
    }
    if args.has("transmit-delay") {
        link.transmit_delay = setting(args, args.int("transmit-seconds"));
    }
    if args.has("ttl-security") {
        link.ttl_security_hops = setting(args, args.int("count"));
    }
    if args.has("authentication") {
        set_authentication(&mut link.authentication, args);
    }
    if args.has("authentication-key") {
        set_simple_key(&mut link.authentication, args);
    }
    if args.has("message-digest-key") {
        set_digest_key(&mut link.authentication, args);
    }
    Ok(())
}
