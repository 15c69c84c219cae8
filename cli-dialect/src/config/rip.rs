//! `router rip` and its address families.
//!
//! | file | what |
//! |---|---|
//! | `rip.rs` | the modes, and how they are entered and left |
//! | `settings.rs` | lines about the instance as a whole |
//! | `routes.rs` | lines about routes: redistribution, filters, offsets, distances, the default |

mod routes;
mod settings;
#[cfg(test)]
mod tests;

use netconfarena_emu::rip::RipConfig;

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, kw, plain, word};

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![kw("router", "Enable a routing process").then([plain(
        "rip",
        "Routing Information Protocol (RIP)",
        enter as Handler,
    )])]
}

/// `address-family ipv4 vrf V`, which leads from one family into another, too.
fn family_spec() -> Spec<Handler> {
    let vrf = || {
        kw("vrf", "Specify parameters for a VPN Routing/Forwarding instance").then([word(
            "vrf-name",
            "VPN Routing/Forwarding instance name",
        )
        .run(enter_family as Handler)])
    };
    kw("address-family", "Enter Address Family command mode")
        .then([kw("ipv4", "Address family")
            .then([vrf(), kw("unicast", "Address Family modifier").then([vrf()])])])
}

/// `router rip`.
pub(super) fn table() -> Vec<Spec<Handler>> {
    let mut table = vec![family_spec()];
    table.extend(settings::table());
    table.extend(routes::table());
    table
}

/// `address-family ipv4 vrf V`.
pub(super) fn family_table() -> Vec<Spec<Handler>> {
    let exit = plain("exit-address-family", "Exit from Address Family configuration mode", leave as Handler);
    let mut table = vec![family_spec(), exit];
    table.extend(settings::table());
    table.extend(routes::table());
    table
}

fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    if args.negated() {
        editor.config.rip = None;
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    editor.config.rip.get_or_insert_default();
    *editor.mode = ConfigMode::Rip(None);
    Ok(())
}

fn enter_family(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let vrf = need(args.text("vrf-name"))?.to_owned();
    let rip = need(editor.config.rip.as_mut())?;
    if args.negated() {
        rip.vrfs.remove(&vrf);
        *editor.mode = ConfigMode::Rip(None);
        return Ok(());
    }
    if !editor.config.vrfs.contains_key(&vrf) {
        return refuse(format!("% VRF {vrf} not configured."));
    }
    rip.vrfs.entry(vrf.clone()).or_default();
    *editor.mode = ConfigMode::Rip(Some(vrf));
    Ok(())
}

fn leave(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    *editor.mode = ConfigMode::Rip(None);
    Ok(())
}

/// Removes the address family of a VRF, as when it is deleted.
pub(super) fn forget_vrf(rip: &mut Option<RipConfig>, vrf: &str) {
    if let Some(rip) = rip {
        rip.vrfs.remove(vrf);
    }
}

/// The instance of the mode.
fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut RipConfig, Complaint> {
    let ConfigMode::Rip(vrf) = &*editor.mode else { return need(None) };
    let rip = need(editor.config.rip.as_mut())?;
    match vrf {
        None => Ok(rip),
        Some(vrf) => need(rip.vrfs.get_mut(vrf)),
    }
}
