//! `template peer-session` and `template peer-policy`.

use netconfarena_emu::bgp::{PolicyTemplate, SessionTemplate};
use netconfarena_emu::ids::Asn;

use super::super::interface::setting;
use super::super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use super::{asn, config, neighbor, policy, session};
use crate::grammar::{Args, Spec, int, kw, plain, word};

pub(super) fn enter_table() -> Spec<Handler> {
    kw("template", "Enter template command mode").then([
        kw("peer-policy", "Template configuration for policy parameters").then([word(
            "policy-template",
            "Template name",
        )
        .run(enter as Handler)]),
        kw("peer-session", "Template configuration for session parameters").then([word(
            "session-template",
            "Template name",
        )
        .run(enter as Handler)]),
    ])
}

pub(super) fn session_table() -> Vec<Spec<Handler>> {
    let mut table = session::options();
    table.extend([
        kw("remote-as", "Specify a BGP neighbor").negatable(remote_as as Handler).then([asn(
            "remote-asn",
            "AS of remote neighbor",
        )
        .run(remote_as as Handler)]),
        kw("inherit", "Inherit a template").then([kw("peer-session", "Inherit a peer-session template")
            .negatable(inherit as Handler)
            .then([word("session-template", "Template name").run(inherit as Handler)])]),
        plain("exit-peer-session", "Exit from template-mode of peer-session", exit as Handler),
    ]);
    table
}

pub(super) fn policy_table() -> Vec<Spec<Handler>> {
    let mut table = policy::options();
    table.extend([
        kw("inherit", "Inherit a template").then([kw("peer-policy", "Inherit a peer-policy template").then(
            [word("policy-template", "Template name")
                .then([int("sequence", 1, 65535, "Sequence number").run(inherit as Handler)])],
        )]),
        plain("exit-peer-policy", "Exit from template-mode of peer-policy", exit as Handler),
    ]);
    table
}

fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let bgp = config(editor)?;
    if let Some(name) = args.text("session-template").map(str::to_owned) {
        if args.negated() {
            bgp.session_templates.remove(&name);
            for instance in std::iter::once(&mut bgp.global).chain(bgp.vrfs.values_mut()) {
                let named = |inherit: &Option<String>| inherit.as_ref() == Some(&name);
                instance
                    .neighbors
                    .values_mut()
                    .filter(|n| named(&n.inherit_session))
                    .for_each(|n| n.inherit_session = None);
                instance
                    .groups
                    .values_mut()
                    .filter(|g| named(&g.inherit_session))
                    .for_each(|g| g.inherit_session = None);
                neighbor::forget_strays(instance);
            }
            return Ok(());
        }
        bgp.session_templates.entry(name.clone()).or_insert_with(SessionTemplate::default);
        *editor.mode = ConfigMode::BgpSessionTemplate(name);
        return Ok(());
    }
    let name = need(args.text("policy-template"))?.to_owned();
    if args.negated() {
        bgp.policy_templates.remove(&name);
        for instance in std::iter::once(&mut bgp.global).chain(bgp.vrfs.values_mut()) {
            let named = |inherit: &Option<String>| inherit.as_ref() == Some(&name);
            instance
                .neighbors
                .values_mut()
                .filter(|n| named(&n.inherit_policy))
                .for_each(|n| n.inherit_policy = None);
            instance
                .groups
                .values_mut()
                .filter(|g| named(&g.inherit_policy))
                .for_each(|g| g.inherit_policy = None);
        }
        return Ok(());
    }
    bgp.policy_templates.entry(name.clone()).or_insert_with(PolicyTemplate::default);
    *editor.mode = ConfigMode::BgpPolicyTemplate(name);
    Ok(())
}

fn remote_as(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    neighbor::session_options(editor, args)?.remote_as = setting(args, args.int("remote-asn")).map(Asn);
    Ok(())
}

/// The templates that are named need not be there yet.
fn inherit(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let mode = editor.mode.clone();
    let bgp = config(editor)?;
    match mode {
        ConfigMode::BgpSessionTemplate(own) => {
            let parent = setting(args, args.text("session-template")).map(str::to_owned);
            if parent.as_ref() == Some(&own) {
                return refuse("% A template cannot inherit itself");
            }
            need(bgp.session_templates.get_mut(&own))?.inherit = parent;
        }
        ConfigMode::BgpPolicyTemplate(own) => {
            let parent = need(args.text("policy-template"))?.to_owned();
            let sequence = need(args.int("sequence"))?;
            if parent == own {
                return refuse("% A template cannot inherit itself");
            }
            let template = need(bgp.policy_templates.get_mut(&own))?;
            if args.negated() {
                template.inherit.remove(&sequence);
            } else {
                template.inherit.insert(sequence, parent);
            }
        }
        _ => return need(None),
    }
    Ok(())
}

fn exit(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    *editor.mode = ConfigMode::RouterBgp;
    Ok(())
}
