//! `ip rip ...` on interfaces, and what else concerns RIP there.

use ipnet::Ipv4Net;
use netconfarena_emu::policy::classful;
use netconfarena_emu::rip::RipInterfaceConfig;
use netconfarena_emu::rip::config::{AuthenticationMode, Versions};

use super::interface::setting;
use super::unsupported::refused;
use super::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, Spec, ip, kw, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("ip", "Interface Internet Protocol config commands").then([
            kw("rip", "Router Information Protocol").then(rip()),
            // With `eigrp N` behind it the line is EIGRP's.
            plain("split-horizon", "Perform split horizon", split_horizon as Handler),
            kw("summary-address", "Perform address summarization").then([kw(
                "rip",
                "Routing Information Protocol (RIP)",
            )
            .then([ip("address", "IP address")
                .then([ip("mask", "IP network mask").run(summary_address as Handler)])])]),
        ]),
    ]
}

fn rip() -> Vec<Spec<Handler>> {
    let version = |handler: Handler| {
        kw("version", "version control")
            .negatable(handler)
            .options([kw("1", "RIP version 1").run(handler), kw("2", "RIP version 2").run(handler)])
    };
    vec![
        kw("send", "advertisement transmission").then([version(send_version)]),
        kw("receive", "advertisement reception").then([version(receive_version)]),
        kw("authentication", "Authentication control").then([
            kw("mode", "Authentication mode").negatable(mode as Handler).then([
                plain("md5", "Keyed message digest", mode as Handler),
                plain("text", "Clear text authentication", mode as Handler),
            ]),
            kw("key-chain", "Authentication key-chain").negatable(key_chain as Handler).then([word(
                "chain",
                "name of key-chain",
            )
            .run(key_chain as Handler)]),
        ]),
        plain("v2-broadcast", "send ip broadcast v2 update", v2_broadcast as Handler),
        refused("advertise", "Specify update interval"),
        refused("bfd", "Enable/Disable BFD on this interface"),
        refused("initial-delay", "Send initial RIP update after a delay"),
        refused("triggered", "enable RFC2091 triggered RIP"),
    ]
}

fn each(editor: &mut Editor<'_>, change: impl Fn(&mut RipInterfaceConfig)) {
    for name in editor.interfaces() {
        if let Some(interface) = editor.config.interfaces.get_mut(&name) {
            change(&mut interface.rip);
        }
    }
}

/// The versions that a line names.
fn versions(args: &Args) -> Option<Versions> {
    setting(args, Some(Versions { v1: args.has("1"), v2: args.has("2") }))
}

fn send_version(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |rip| rip.send_version = versions(args));
    Ok(())
}

fn receive_version(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |rip| rip.receive_version = versions(args));
    Ok(())
}

fn mode(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let mode = if args.has("md5") { AuthenticationMode::Md5 } else { AuthenticationMode::Text };
    // Plain text is what holds without the line, and IOS does not show it.
    let value = setting(args, Some(mode)).filter(|&mode| mode != AuthenticationMode::Text);
    each(editor, |rip| rip.authentication_mode = value);
    Ok(())
}

fn key_chain(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.text("chain"));
    each(editor, |rip| rip.key_chain = value.map(str::to_owned));
    Ok(())
}

fn v2_broadcast(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |rip| rip.v2_broadcast = !args.negated());
    Ok(())
}

fn split_horizon(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    each(editor, |rip| rip.no_split_horizon = args.form == Form::No);
    Ok(())
}

/// IOS takes no summary that is shorter than its class, and none of a class twice on an interface.
fn summary_address(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let Ok(prefix) = Ipv4Net::with_netmask(need(args.ip("address"))?, need(args.ip("mask"))?) else {
        return refuse("% Invalid address/mask combination");
    };
    let prefix = prefix.trunc();
    if classful::is_supernet(prefix) {
        return refuse(" Summary mask must be greater or equal to major net");
    }
    each(editor, |rip| {
        if args.negated() {
            rip.summary_addresses.remove(&prefix);
        } else {
            rip.summary_addresses.insert(prefix);
        }
    });
    Ok(())
}
