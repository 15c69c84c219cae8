//! Global commands of no topic of their own.

use super::{Complaint, ConfigMode, DEFAULT_SECTIONS, Editor, Handler, need, refuse, section_defaults};
use crate::grammar::{Args, Spec, kw, line, plain, word};

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
        kw("line", "Configure a terminal line")
            .then([line("section", "Lines").run(inert_section as Handler)]),
        plain("control-plane", "Configure control plane services", inert_section as Handler),
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

/// `line con 0`, `control-plane`: sections whose lines have no effect here.
fn inert_section(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let section = match args.text("section") {
        Some(lines) => {
            let words: Vec<&str> = lines.split_ascii_whitespace().collect();
            let (kind, numbers) = match words.as_slice() {
                [kind, numbers @ ..] if !numbers.is_empty() && numbers.len() <= 2 => (*kind, numbers),
                _ => return Err(Complaint::Syntax(crate::grammar::ParseError::Incomplete)),
            };
            let kinds = ["aux", "console", "vty"];
            let Some(kind) = kinds.into_iter().find(|k| k.starts_with(&kind.to_ascii_lowercase())) else {
                return Err(Complaint::Syntax(crate::grammar::ParseError::Invalid { at: 5, understood: 1 }));
            };
            if !numbers.iter().all(|n| n.parse::<u16>().is_ok()) {
                return Err(Complaint::Syntax(crate::grammar::ParseError::Invalid { at: 5, understood: 2 }));
            }
            format!("line {} {}", if kind == "console" { "con" } else { kind }, numbers.join(" "))
        }
        None => "control-plane".to_owned(),
    };
    if args.negated() {
        editor.config.inert.sections.remove(&section);
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    if !DEFAULT_SECTIONS.contains(&section.as_str()) {
        let lines = section_defaults(&section).iter().map(|line| (*line).to_owned());
        editor.config.inert.sections.entry(section.clone()).or_insert_with(|| lines.collect());
    }
    *editor.mode = ConfigMode::Inert(section);
    Ok(())
}
