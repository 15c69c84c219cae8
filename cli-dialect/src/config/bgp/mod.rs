//! `router bgp N`.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | the modes, and how they are entered |
//! | `process.rs` | `bgp ...`, `timers bgp` |
//! | `family.rs` | networks, aggregates, redistribution and the like, of the router's mode and of address families |
//! | `neighbor.rs` | `neighbor A ...`: the table, and who the neighbor is |
//! | `session.rs`, `policy.rs` | options of neighbors, groups and templates about sessions, and about routes |
//! | `template.rs` | `template peer-session` and `template peer-policy` |

mod family;
mod neighbor;
mod policy;
mod process;
mod session;
mod template;

pub(super) use process::{dampening_numbers, dampening_parameters};

use netconfarena_emu::bgp::{BgpConfig, FamilyConfig, InstanceConfig};
use netconfarena_emu::ids::Asn;

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, int, kw, plain, word};

/// The greatest AS number.
const MAX_ASN: u64 = 4_294_967_295;

/// An AS number.
fn asn(name: &'static str, help: &'static str) -> Spec<Handler> {
    int(name, 1, MAX_ASN, help)
}

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![
        kw("router", "Enable a routing process").then([kw("bgp", "Border Gateway Protocol (BGP)")
            .negatable(leave as Handler)
            .then([asn("asn", "Autonomous system number").run(enter as Handler)])]),
    ]
}

/// The commands of the router's mode.
pub(super) fn table() -> Vec<Spec<Handler>> {
    let mut table = process::table();
    table.extend(family::table());
    table.extend(neighbor::table());
    table.push(template::enter_table());
    table.push(kw("address-family", "Enter Address Family command mode").then([
        kw("ipv4", "Address family").run(enter_family as Handler).then([
            plain("unicast", "Address Family modifier", enter_family as Handler),
            kw("vrf", "Specify parameters for a VPN Routing/Forwarding instance").then([
                word("vrf-name", "VPN Routing/Forwarding instance name").run(enter_family as Handler),
            ]),
        ]),
    ]));
    table
}

/// The commands of `address-family ipv4`.
pub(super) fn family_table() -> Vec<Spec<Handler>> {
    let mut table = family::table();
    table.extend(process::family_table());
    table.extend(neighbor::table());
    table.push(plain(
        "exit-address-family",
        "Exit from Address Family configuration mode",
        exit_family as Handler,
    ));
    table
}

/// The commands of `template peer-session`.
pub(super) fn session_template_table() -> Vec<Spec<Handler>> {
    template::session_table()
}

/// The commands of `template peer-policy`.
pub(super) fn policy_template_table() -> Vec<Spec<Handler>> {
    template::policy_table()
}

fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let asn = Asn(need(args.int("asn"))?);
    match &editor.config.bgp {
        Some(bgp) if bgp.asn != asn => {
            return refuse(format!("BGP is already running; AS is {}", bgp.asn));
        }
        Some(_) if args.negated() => return leave(editor, args),
        None if args.negated() => return Ok(()),
        Some(_) => {}
        None => editor.config.bgp = Some(BgpConfig::new(asn)),
    }
    *editor.mode = ConfigMode::RouterBgp;
    Ok(())
}

fn leave(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    editor.config.bgp = None;
    *editor.mode = ConfigMode::Global;
    Ok(())
}

fn enter_family(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let vrf = args.text("vrf-name").map(str::to_owned);
    if let Some(name) = vrf.as_ref().filter(|name| !editor.config.vrfs.contains_key(*name)) {
        return refuse(format!("% VRF {name} not configured."));
    }
    let bgp = config(editor)?;
    match (&vrf, args.negated()) {
        (Some(name), true) => {
            bgp.vrfs.remove(name);
            return Ok(());
        }
        (None, true) => {
            bgp.global.ipv4 = FamilyConfig::default();
            bgp.family_sections = false;
            return Ok(());
        }
        (Some(name), false) => {
            bgp.vrfs.entry(name.clone()).or_default();
        }
        (None, false) => bgp.family_sections = true,
    }
    *editor.mode = ConfigMode::BgpFamily(vrf);
    Ok(())
}

fn exit_family(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    *editor.mode = ConfigMode::RouterBgp;
    Ok(())
}

/// The process.
fn config<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut BgpConfig, Complaint> {
    need(editor.config.bgp.as_mut())
}

/// The instance of the mode.
fn instance<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut InstanceConfig, Complaint> {
    let bgp = need(editor.config.bgp.as_mut())?;
    match &*editor.mode {
        ConfigMode::BgpFamily(Some(vrf)) => need(bgp.vrfs.get_mut(vrf)),
        _ => Ok(&mut bgp.global),
    }
}

/// The address family of the mode.
fn family<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut FamilyConfig, Complaint> {
    Ok(&mut instance(editor)?.ipv4)
}
