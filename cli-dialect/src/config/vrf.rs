//! `vrf definition NAME` and the older `ip vrf NAME`.

use netconfarena_emu::config::VrfConfig;

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Spec, kw, line, plain, word};

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    vec![
        kw("vrf", "VRF commands").then([kw("definition", "VRF definition")
            .then([word("vrf-name", "VRF name").run(definition as Handler)])]),
        kw("ip", "Global IP configuration subcommands").then([kw(
            "vrf",
            "Configure an IP VPN Routing/Forwarding instance",
        )
        .then([word("vrf-name", "VPN Routing/Forwarding instance name").run(ip_vrf as Handler)])]),
    ]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![
        kw("rd", "Specify Route Distinguisher").negatable(rd as Handler).then([word(
            "rd-value",
            "ASN:nn or IP-address:nn",
        )
        .run(rd as Handler)]),
        kw("description", "VRF specific description").negatable(description as Handler).then([line(
            "text",
            "Up to 244 characters describing this VRF",
        )
        .run(description as Handler)]),
        kw("address-family", "Enter Address Family command mode").then([plain(
            "ipv4",
            "Address family IPv4",
            address_family as Handler,
        )]),
    ]
}

pub(super) fn address_family_table() -> Vec<Spec<Handler>> {
    vec![plain(
        "exit-address-family",
        "Exit from Address Family configuration mode",
        exit_address_family as Handler,
    )]
}

fn definition(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    enter(editor, args, false)
}

/// `ip vrf` has IPv4 from the start.
fn ip_vrf(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    enter(editor, args, true)
}

fn enter(editor: &mut Editor<'_>, args: &Args, ipv4: bool) -> Result<(), Complaint> {
    let name = need(args.text("vrf-name"))?.to_owned();
    if name.len() > 32 {
        return refuse("% VRF name exceeds 32 characters");
    }
    if args.negated() {
        if editor.config.vrfs.remove(&name).is_none() {
            return refuse(format!("% No VRF named {name}"));
        }
        for interface in editor.config.interfaces.values_mut().filter(|i| i.vrf.as_ref() == Some(&name)) {
            interface.vrf = None;
            interface.address = None;
            interface.secondary.clear();
        }
        editor.config.static_routes.retain(|route| route.vrf.as_ref() != Some(&name));
        super::eigrp::forget_vrf(&mut editor.config.eigrp, &name);
        super::rip::forget_vrf(&mut editor.config.rip, &name);
        if let Some(bgp) = &mut editor.config.bgp {
            bgp.vrfs.remove(&name);
        }
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    let vrf = editor.config.vrfs.entry(name.clone()).or_default();
    vrf.ipv4 |= ipv4;
    *editor.mode = ConfigMode::Vrf(name);
    Ok(())
}

fn current<'e>(editor: &'e mut Editor<'_>) -> Result<&'e mut VrfConfig, Complaint> {
    let vrf = match &*editor.mode {
        ConfigMode::Vrf(name) | ConfigMode::VrfAddressFamily(name) => editor.config.vrfs.get_mut(name),
        _ => None,
    };
    need(vrf)
}

fn rd(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let value = super::interface::setting(args, args.text("rd-value")).map(str::to_owned);
    let shape =
        |text: &str| text.split_once(':').is_some_and(|(a, n)| !a.is_empty() && n.parse::<u32>().is_ok());
    if value.as_ref().is_some_and(|text| !shape(text)) {
        return refuse("% Malformed Route Distinguisher");
    }
    current(editor)?.route_distinguisher = value;
    Ok(())
}

fn description(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.description = super::interface::setting(args, args.text("text")).map(str::to_owned);
    Ok(())
}

fn address_family(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    current(editor)?.ipv4 = !args.negated();
    if let (false, ConfigMode::Vrf(name)) = (args.negated(), &*editor.mode) {
        *editor.mode = ConfigMode::VrfAddressFamily(name.clone());
    }
    Ok(())
}

fn exit_address_family(editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    if let Some(parent) = editor.mode.parent().filter(|p| matches!(p, ConfigMode::Vrf(_))) {
        *editor.mode = parent;
    }
    Ok(())
}
