//! Global commands of no topic of their own.

use super::{CONTROL_PLANE, Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, kw, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let lookup = |spec: Spec<Handler>| spec.run(domain_lookup as Handler);
    vec![
        kw("hostname", "Set system's network name").negatable(hostname as Handler).then([word(
            "name",
            "This system's network name",
        )
        .run(hostname as Handler)]),
        kw("ip", "Global IP configuration subcommands").then([
            plain("routing", "Enable IP routing", routing as Handler),
            lookup(kw("domain-lookup", "Enable IP Domain Name System hostname translation")),
            kw("domain", "IP DNS Resolver")
                .then([lookup(kw("lookup", "Enable IP Domain Name System hostname translation"))]),
        ]),
        plain("control-plane", "Configure control plane services", control_plane as Handler),
    ]
}

fn hostname(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if args.negated() {
        editor.config.hostname = "Router".to_owned();
        return Ok(());
    }
    let name = need(args.text("name"))?;
    if name.len() > 63 {
        return refuse("% Hostname is too long (63 characters maximum)");
    }
    if !name.bytes().all(|b| b.is_ascii_graphic()) {
        return refuse("% Hostname contains one or more illegal characters.");
    }
    // RFC 1123 section 2.1, and a letter first as RFC 952 has it. The device says so, and takes the name.
    let regular = name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic());
    if !regular {
        editor.said.push_str("% Hostname contains one or more illegal characters.\n");
    }
    editor.config.hostname = name.to_owned();
    Ok(())
}

fn routing(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    editor.config.ip_routing = args.form != crate::grammar::Form::No;
    Ok(())
}

fn domain_lookup(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    editor.config.domain_lookup = args.form != crate::grammar::Form::No;
    Ok(())
}

/// `control-plane`, whose lines have no effect here.
fn control_plane(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if args.negated() {
        editor.config.inert.sections.remove(CONTROL_PLANE);
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    *editor.mode = ConfigMode::Inert(CONTROL_PLANE.to_owned());
    Ok(())
}
