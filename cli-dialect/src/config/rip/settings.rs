//! Lines about a RIP instance as a whole.

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use netconfarena_emu::policy::classful;
use netconfarena_emu::rip::config::{BasicTimers, Version};

use super::current;
use crate::config::interface::setting;
use crate::config::{Complaint, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, Spec, int, interface, ip, kw, plain};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let seconds = |name: &'static str, least, help| int(name, least, 4_294_967_295, help);
    vec![
        kw("version", "Set routing protocol version").negatable(version as Handler).then([int(
            "version-number",
            1,
            2,
            "version",
        )
        .run(version as Handler)]),
        kw("network", "Enable routing on an IP network")
            .then([ip("address", "Network number").run(network as Handler)]),
        kw("neighbor", "Specify a neighbor router")
            .then([ip("address", "Neighbor address").run(neighbor as Handler)]),
        kw("passive-interface", "Suppress routing updates on an interface").then([
            plain("default", "Suppress routing updates on all interfaces", passive_default as Handler),
            interface("Interface").run(passive as Handler),
        ]),
        plain("auto-summary", "Enable automatic network number summarization", auto_summary as Handler),
        plain(
            "validate-update-source",
            "Perform sanity checks against source address of routing updates",
            validate_update_source as Handler,
        ),
        kw("timers", "Adjust routing timers").then([kw("basic", "Basic routing protocol update timers")
            .negatable(timers as Handler)
            .then([seconds("update", 0, "Interval between updates for RIP").then([seconds(
                "invalid", 1, "Invalid",
            )
            .then([seconds("holddown", 0, "Holddown")
                .then([seconds("flush", 1, "Flush").run(timers as Handler)])])])])]),
        kw("maximum-paths", "Forward packets over multiple paths")
            .negatable(maximum_paths as Handler)
            .then([int("count", 1, 32, "Number of paths").run(maximum_paths as Handler)]),
        kw("flash-update-threshold", "Specify flash update threshold in second")
            .negatable(flash_update_threshold as Handler)
            .then([
                int("seconds", 0, 30, "threshold interval in seconds").run(flash_update_threshold as Handler)
            ]),
    ]
}

/// The network that `network A` means: the classful one, with 0.0.0.0 every address.
fn classful_network(address: Ipv4Addr) -> Ipv4Net {
    if address.is_unspecified() { Ipv4Net::default() } else { classful::network(address) }
}

fn version(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let version = args.int::<u8>("version-number").map(|number| match number {
        1 => Version::V1,
        _ => Version::V2,
    });
    current(editor)?.version = setting(args, version);
    Ok(())
}

fn network(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = need(args.ip("address"))?;
    let network = classful_network(address);
    if network.prefix_len() == 32 {
        return refuse(format!("% Invalid network number ({address})"));
    }
    let networks = &mut current(editor)?.networks;
    if args.negated() {
        networks.remove(&network);
    } else {
        networks.insert(network);
    }
    Ok(())
}

fn neighbor(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let address = need(args.ip("address"))?;
    let neighbors = &mut current(editor)?.neighbors;
    if args.negated() {
        neighbors.remove(&address);
    } else {
        neighbors.insert(address);
    }
    Ok(())
}

/// Either form starts the list of exceptions anew.
fn passive_default(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let instance = current(editor)?;
    instance.passive_default = !args.negated();
    instance.passive_exceptions.clear();
    Ok(())
}

fn passive(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.interface())?;
    let instance = current(editor)?;
    if args.negated() == instance.passive_default {
        instance.passive_exceptions.insert(name);
    } else {
        instance.passive_exceptions.remove(&name);
    }
    Ok(())
}

fn auto_summary(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.no_auto_summary = args.form == Form::No;
    Ok(())
}

fn validate_update_source(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.no_validate_update_source = args.form == Form::No;
    Ok(())
}

/// An update interval of 0 would never let the network rest; IOS needs it to be shorter than the others.
fn timers(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let seconds = |name: &str| args.int(name);
    let timers = (|| {
        Some(BasicTimers {
            update_s: seconds("update")?,
            invalid_s: seconds("invalid")?,
            holddown_s: seconds("holddown")?,
            flush_s: seconds("flush")?,
        })
    })();
    if timers.is_some_and(|timers| timers.update_s == 0) {
        return refuse("% An update interval of 0 is not supported by this emulator");
    }
    let changed = timers.filter(|&timers| timers != BasicTimers::default());
    current(editor)?.timers = setting(args, changed);
    Ok(())
}

fn maximum_paths(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.maximum_paths = setting(args, args.int("count")).filter(|&count| count != 4);
    Ok(())
}

fn flash_update_threshold(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = setting(args, args.int("seconds")).filter(|&seconds| seconds != 0);
    current(editor)?.flash_update_threshold_s = value;
    Ok(())
}
