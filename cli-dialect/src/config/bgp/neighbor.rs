//! `neighbor A ...` and `neighbor GROUP ...`.

use std::net::Ipv4Addr;

use netconfarena_emu::bgp::{InstanceConfig, Neighbor, PeerGroup, PolicyOptions, SessionOptions};
use netconfarena_emu::ids::Asn;

use super::super::interface::setting;
use super::super::unsupported::refused;
use super::super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use super::{asn, config, instance, policy, session};
use crate::grammar::{Args, Spec, int, ip, kw, plain, word};

/// What IOS says to a line about a neighbor that it does not know.
const UNKNOWN: &str = "% Specify remote-as or peer-group commands first";

/// What IOS says to a session's line in an address family.
const SESSION_IN_FAMILY: &str = "% General session commands not allowed under the address family";

/// Options of neighbors that real IOS has, with their help.
const UNSUPPORTED: &[(&str, &str)] = &[
    ("bmp-activate", "Activate the BMP monitoring for a BGP peer"),
    ("cluster-id", "Configure Route-Reflector Cluster-id (peers may reset)"),
    ("ha-mode", "high availability mode"),
    ("internal-vpn-client", "Stack iBGP-CE Neighbor Path in ATTR_SET for vpn update"),
    ("next-hop", "Neighbor next-hop options"),
    ("path-attribute", "BGP optional attribute filtering"),
    ("send-label", "Send NLRI + MPLS Label to this peer"),
    ("slow-peer", "Configure slow-peer"),
    ("soo", "Site-of-Origin extended community"),
    ("translate-update", "Translate Update to MBGP format"),
];

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("neighbor", "Specify a neighbor router").then([
            ip("neighbor-address", "Neighbor address")
                .negatable(remove as Handler)
                .then_shared("bgp-neighbor", neighbor_options),
            word("neighbor-group", "Neighbor tag")
                .negatable(remove as Handler)
                .then_shared("bgp-neighbor", neighbor_options),
        ]),
    ]
}

fn neighbor_options() -> Vec<Spec<Handler>> {
    let alternate = asn("alternate", "Alternate AS").run(remote_as as Handler);
    let mut options = vec![
        plain("activate", "Enable the Address Family for this Neighbor", activate as Handler),
        kw("peer-group", "Member of the peer-group").run(peer_group as Handler).then([word(
            "group",
            "peer-group name",
        )
        .run(peer_group as Handler)]),
        kw("remote-as", "Specify a BGP neighbor").negatable(remote_as as Handler).then([asn(
            "remote-asn",
            "AS of remote neighbor",
        )
        .run(remote_as as Handler)
        .then([kw("alternate-as", "Alternate AS").then([alternate])])]),
        kw("inherit", "Inherit a template").then([
            kw("peer-session", "Inherit a peer-session template")
                .negatable(inherit_session as Handler)
                .then([word("session-template", "Template name").run(inherit_session as Handler)]),
            kw("peer-policy", "Inherit a peer-policy template")
                .negatable(inherit_policy as Handler)
                .then([word("policy-template", "Template name").run(inherit_policy as Handler)]),
        ]),
        kw("version", "Set the BGP version to match a neighbor").then([int(
            "bgp-version",
            4,
            4,
            "Neighbor's BGP version",
        )
        .run(version as Handler)]),
    ];
    options.extend(session::options());
    options.extend(policy::options());
    options.extend(UNSUPPORTED.iter().map(|(keyword, help)| refused(keyword, help)));
    options
}

/// Whom a line is about.
#[derive(Clone, Debug)]
pub(super) enum Who {
    /// A neighbor.
    Neighbor(Ipv4Addr),
    /// A peer group.
    Group(String),
    /// The template of the mode.
    SessionTemplate(String),
    /// The template of the mode.
    PolicyTemplate(String),
}

/// Whom a line is about, if it may be.
pub(super) fn who(editor: &Editor<'_>, args: &Args) -> Result<Who, Complaint> {
    if let Some(address) = args.ip("neighbor-address") {
        return Ok(Who::Neighbor(address));
    }
    if let Some(group) = args.text("neighbor-group") {
        return Ok(Who::Group(group.to_owned()));
    }
    match &*editor.mode {
        ConfigMode::BgpSessionTemplate(name) => Ok(Who::SessionTemplate(name.clone())),
        ConfigMode::BgpPolicyTemplate(name) => Ok(Who::PolicyTemplate(name.clone())),
        _ => need(None),
    }
}

/// Session lines of the global table do not belong into its address family.
fn refuse_in_family(editor: &Editor<'_>) -> Result<(), Complaint> {
    match &*editor.mode {
        ConfigMode::BgpFamily(None) => refuse(SESSION_IN_FAMILY),
        _ => Ok(()),
    }
}

/// The session options that a line is about.
pub(super) fn session_options<'e>(
    editor: &'e mut Editor<'_>,
    args: &Args,
) -> Result<&'e mut SessionOptions, Complaint> {
    refuse_in_family(editor)?;
    let unknown = || Complaint::Refused(UNKNOWN.to_owned());
    match who(editor, args)? {
        Who::Neighbor(address) => {
            instance(editor)?.neighbors.get_mut(&address).map(|n| &mut n.session).ok_or_else(unknown)
        }
        Who::Group(name) => {
            instance(editor)?.groups.get_mut(&name).map(|g| &mut g.session).ok_or_else(unknown)
        }
        Who::SessionTemplate(name) => {
            need(config(editor)?.session_templates.get_mut(&name).map(|template| &mut template.session))
        }
        Who::PolicyTemplate(_) => need(None),
    }
}

/// The policy options that a line is about.
pub(super) fn policy_options<'e>(
    editor: &'e mut Editor<'_>,
    args: &Args,
) -> Result<&'e mut PolicyOptions, Complaint> {
    let unknown = || Complaint::Refused(UNKNOWN.to_owned());
    match who(editor, args)? {
        Who::Neighbor(address) => {
            instance(editor)?.neighbors.get_mut(&address).map(|n| &mut n.policy).ok_or_else(unknown)
        }
        Who::Group(name) => {
            instance(editor)?.groups.get_mut(&name).map(|g| &mut g.policy).ok_or_else(unknown)
        }
        Who::PolicyTemplate(name) => {
            need(config(editor)?.policy_templates.get_mut(&name).map(|template| &mut template.policy))
        }
        Who::SessionTemplate(_) => need(None),
    }
}

/// Whether new neighbors of the mode exchange routes from the start. In VRFs they do.
fn active_by_default(editor: &mut Editor<'_>) -> Result<bool, Complaint> {
    let in_vrf = matches!(editor.mode, ConfigMode::BgpFamily(Some(_)));
    Ok(in_vrf || config(editor)?.default_ipv4_unicast)
}

/// The neighbor, made if need be.
fn neighbor<'e>(editor: &'e mut Editor<'_>, address: Ipv4Addr) -> Result<&'e mut Neighbor, Complaint> {
    let active = active_by_default(editor)?;
    let fresh = || Neighbor { active, ..Neighbor::default() };
    Ok(instance(editor)?.neighbors.entry(address).or_insert_with(fresh))
}

/// Forgets neighbors of which neither AS nor group nor template is known.
pub(super) fn forget_strays(instance: &mut InstanceConfig) {
    let groups = &instance.groups;
    instance.neighbors.retain(|_, neighbor| {
        let group = neighbor.group.as_ref().and_then(|name| groups.get(name));
        neighbor.session.remote_as.is_some()
            || neighbor.inherit_session.is_some()
            || group.is_some_and(|group| group.session.remote_as.is_some() || group.inherit_session.is_some())
    });
}

fn remove(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let who = who(editor, args)?;
    let instance = instance(editor)?;
    match who {
        Who::Neighbor(address) => {
            instance.neighbors.remove(&address);
        }
        Who::Group(name) => remove_group(instance, &name),
        Who::SessionTemplate(_) | Who::PolicyTemplate(_) => {}
    }
    Ok(())
}

/// The members go with their group, unless their AS is known.
fn remove_group(instance: &mut InstanceConfig, name: &str) {
    instance.groups.remove(name);
    for neighbor in instance.neighbors.values_mut().filter(|n| n.group.as_deref() == Some(name)) {
        neighbor.group = None;
    }
    forget_strays(instance);
}

fn remote_as(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    refuse_in_family(editor)?;
    let asn = args.int("remote-asn").map(Asn);
    match who(editor, args)? {
        Who::Neighbor(address) if args.negated() => {
            let instance = instance(editor)?;
            let grouped = instance.neighbors.get(&address).is_some_and(|n| n.group.is_some());
            if let Some(neighbor) = instance.neighbors.get_mut(&address).filter(|_| grouped) {
                neighbor.session.remote_as = None;
            } else {
                instance.neighbors.remove(&address);
            }
            return Ok(());
        }
        Who::Neighbor(address) => {
            if address.is_unspecified() || address.is_multicast() || address.is_broadcast() {
                return refuse("% Invalid BGP neighbor address");
            }
            let own = editor.config.interfaces.values().any(|interface| {
                interface.address.iter().chain(&interface.secondary).any(|net| net.addr() == address)
            });
            if own && !matches!(editor.mode, ConfigMode::BgpFamily(_)) {
                return refuse("% Cannot configure the local system as neighbor");
            }
            let neighbor = neighbor(editor, address)?;
            neighbor.session.remote_as = asn;
        }
        Who::Group(_) => {
            let alternates: Vec<Asn> = args.ints("alternate").map(Asn).collect();
            let options = session_options(editor, args)?;
            options.remote_as = setting(args, asn);
            options.alternate_as =
                if args.negated() { Default::default() } else { alternates.into_iter().collect() };
        }
        Who::SessionTemplate(_) => session_options(editor, args)?.remote_as = setting(args, asn),
        Who::PolicyTemplate(_) => return need(None),
    }
    forget_strays(instance(editor)?);
    Ok(())
}

/// `neighbor NAME peer-group` makes a group, `neighbor A peer-group NAME` puts a neighbor into it.
fn peer_group(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let active = active_by_default(editor)?;
    let in_global_family = matches!(editor.mode, ConfigMode::BgpFamily(None));
    match (who(editor, args)?, args.text("group")) {
        (Who::Group(name), None) => {
            let instance = instance(editor)?;
            if args.negated() {
                remove_group(instance, &name);
            } else {
                let fresh = || PeerGroup { active, ..PeerGroup::default() };
                instance.groups.entry(name).or_insert_with(fresh);
            }
            Ok(())
        }
        (Who::Neighbor(address), Some(group)) => {
            let known = instance(editor)?.groups.contains_key(group);
            if args.negated() {
                if let Some(neighbor) = instance(editor)?.neighbors.get_mut(&address) {
                    neighbor.group = None;
                }
                forget_strays(instance(editor)?);
                return Ok(());
            }
            if !known {
                return refuse(UNKNOWN);
            }
            let has_as = |editor: &mut Editor<'_>| -> Result<bool, Complaint> {
                let instance = instance(editor)?;
                Ok(instance.neighbors.get(&address).is_some_and(|n| n.session.remote_as.is_some())
                    || instance
                        .groups
                        .get(group)
                        .is_some_and(|g| g.session.remote_as.is_some() || g.inherit_session.is_some()))
            };
            if in_global_family && !instance(editor)?.neighbors.contains_key(&address) || !has_as(editor)? {
                return refuse("% Specify remote-as before configuring peer-group members");
            }
            let group = group.to_owned();
            neighbor(editor, address)?.group = Some(group);
            Ok(())
        }
        _ => need(None),
    }
}

fn inherit_session(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    refuse_in_family(editor)?;
    let template = setting(args, args.text("session-template")).map(str::to_owned);
    if let Some(name) = template.as_ref().filter(|_| !args.negated())
        && !config(editor)?.session_templates.contains_key(name)
    {
        return refuse("% Specified template does not exist");
    }
    match who(editor, args)? {
        Who::Neighbor(address) if args.negated() => {
            if let Some(neighbor) = instance(editor)?.neighbors.get_mut(&address) {
                neighbor.inherit_session = None;
            }
            forget_strays(instance(editor)?);
        }
        Who::Neighbor(address) => neighbor(editor, address)?.inherit_session = template,
        Who::Group(name) => {
            match instance(editor)?.groups.get_mut(&name) {
                Some(group) => group.inherit_session = template,
                None => return refuse(UNKNOWN),
            }
            forget_strays(instance(editor)?);
        }
        Who::SessionTemplate(_) | Who::PolicyTemplate(_) => return need(None),
    }
    Ok(())
}

fn inherit_policy(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let template = setting(args, args.text("policy-template")).map(str::to_owned);
    if let Some(name) = &template
        && !config(editor)?.policy_templates.contains_key(name)
    {
        return refuse("% Specified template does not exist");
    }
    let who = who(editor, args)?;
    let instance = instance(editor)?;
    let place = match &who {
        Who::Neighbor(address) => instance.neighbors.get_mut(address).map(|n| &mut n.inherit_policy),
        Who::Group(name) => instance.groups.get_mut(name).map(|g| &mut g.inherit_policy),
        Who::SessionTemplate(_) | Who::PolicyTemplate(_) => None,
    };
    match place {
        Some(place) => *place = template,
        None => return refuse(UNKNOWN),
    }
    Ok(())
}

fn activate(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let who = who(editor, args)?;
    let instance = instance(editor)?;
    let place = match &who {
        Who::Neighbor(address) => instance.neighbors.get_mut(address).map(|n| &mut n.active),
        Who::Group(name) => instance.groups.get_mut(name).map(|g| &mut g.active),
        Who::SessionTemplate(_) | Who::PolicyTemplate(_) => None,
    };
    match place {
        Some(place) => *place = !args.negated(),
        None => return refuse(UNKNOWN),
    }
    Ok(())
}

/// Version 4 is the only one that is spoken.
fn version(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    session_options(editor, args).map(|_| ())
}
