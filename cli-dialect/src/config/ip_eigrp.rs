//! `ip ... eigrp N ...` on interfaces, for classic mode.

use ipnet::Ipv4Net;
use netconfarena_emu::eigrp::{AuthenticationMode, EigrpInterfaceConfig, InterfaceSummary};

use super::interface::setting;
use super::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, Spec, int, ip, kw, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("ip", "Interface Internet Protocol config commands").then([
            kw("hello-interval", "Configures IP hello interval")
                .then([with_as(hello_interval, vec![seconds(hello_interval)])]),
            kw("hold-time", "Configures IP hold time").then([with_as(hold_time, vec![seconds(hold_time)])]),
            kw("split-horizon", "Perform split horizon").then([switch(split_horizon)]),
            kw("next-hop-self", "Configures IP next-hop-self").then([switch(next_hop_self)]),
            kw("bandwidth-percent", "Set EIGRP bandwidth limit").then([with_as(
                bandwidth_percent,
                vec![
                    int("percent", 1, 999_999, "Maximum bandwidth percentage that EIGRP may use")
                        .run(bandwidth_percent as Handler),
                ],
            )]),
            kw("authentication", "authentication subcommands").then([
                kw("mode", "mode")
                    .then([with_as(mode, vec![plain("md5", "Keyed message digest", mode as Handler)])]),
                kw("key-chain", "key-chain").then([with_as(
                    key_chain,
                    vec![word("chain", "name of key-chain").run(key_chain as Handler)],
                )]),
            ]),
            summary_spec(),
        ]),
    ]
}

/// `eigrp N`, and what follows; behind `no` the line may end here.
fn with_as(handler: Handler, behind: Vec<Spec<Handler>>) -> Spec<Handler> {
    let number = int("eigrp-as", 1, 65535, "Autonomous system number").negatable(handler).then(behind);
    kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([number])
}

fn switch(handler: Handler) -> Spec<Handler> {
    let number = int("eigrp-as", 1, 65535, "Autonomous system number").run(handler);
    kw("eigrp", "Enhanced Interior Gateway Routing Protocol (EIGRP)").then([number])
}

fn seconds(handler: Handler) -> Spec<Handler> {
    int("seconds", 1, 65535, "Seconds").run(handler)
}

fn summary_spec() -> Spec<Handler> {
    let leak = || {
        kw("leak-map", "Allow dynamic prefixes based on the leak-map")
            .then([word("map", "Name of leak-map").run(summary_address as Handler)])
    };
    let distance =
        int("distance", 1, 255, "Administrative distance").run(summary_address as Handler).then([leak()]);
    let mask = ip("mask", "IP network mask").run(summary_address as Handler).then([distance, leak()]);
    let prefix = ip("address", "IP address").then([mask]);
    kw("summary-address", "Perform address summarization").then([kw(
        "eigrp",
        "Enhanced Interior Gateway Routing Protocol (EIGRP)",
    )
    .then([int("eigrp-as", 1, 65535, "Autonomous system number").then([prefix])])])
}

fn each(
    editor: &mut Editor<'_>,
    args: &Args,
    change: impl Fn(&mut EigrpInterfaceConfig),
) -> Result<(), Complaint> {
    let number = need(args.int("eigrp-as"))?;
    for name in editor.interfaces() {
        if let Some(interface) = editor.config.interfaces.get_mut(&name) {
            change(interface.eigrp.entry(number).or_default());
            interface.eigrp.retain(|_, settings| *settings != EigrpInterfaceConfig::default());
        }
    }
    Ok(())
}

fn hello_interval(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds")).filter(|&seconds| seconds != 5);
    each(editor, args, |eigrp| eigrp.hello_interval = value)
}

fn hold_time(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds")).filter(|&seconds| seconds != 15);
    each(editor, args, |eigrp| eigrp.hold_time = value)
}

fn split_horizon(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = (args.form == Form::No).then_some(false);
    each(editor, args, |eigrp| eigrp.split_horizon = value)
}

fn next_hop_self(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = (args.form == Form::No).then_some(false);
    each(editor, args, |eigrp| eigrp.next_hop_self = value)
}

fn bandwidth_percent(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("percent")).filter(|&percent| percent != 50);
    each(editor, args, |eigrp| eigrp.bandwidth_percent = value)
}

fn mode(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, Some(AuthenticationMode::Md5));
    each(editor, args, |eigrp| eigrp.authentication.clone_from(&value))
}

fn key_chain(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.text("chain")).map(str::to_owned);
    each(editor, args, |eigrp| eigrp.key_chain.clone_from(&value))
}

fn summary_address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let Ok(prefix) = Ipv4Net::with_netmask(need(args.ip("address"))?, need(args.ip("mask"))?) else {
        return refuse("% Invalid address/mask combination");
    };
    let options = InterfaceSummary {
        distance: args.int("distance").filter(|&distance| distance != 5),
        leak_map: args.text("map").map(str::to_owned),
    };
    each(editor, args, |eigrp| {
        if args.negated() {
            eigrp.summaries.remove(&prefix.trunc());
        } else {
            eigrp.summaries.insert(prefix.trunc(), options.clone());
        }
    })
}
