//! `clear ip bgp ...`, `clear bgp ...`.

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::{ClearBgp, ClearMode, ClearedPeers};
use netconfarena_emu::ids::{Asn, VrfId};
use netconfarena_emu::process::ProcessCommand;
use netconfarena_emu::rib::RouteOwner;

use super::super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, ip, kw, plain, word};

/// Behind `clear ip`.
pub(super) fn ip_table() -> Spec<Handler> {
    kw("bgp", "Clear BGP connections").then(peers()).then([dampening(), family(), vpn(false)])
}

/// Behind `clear`.
pub(super) fn table() -> Spec<Handler> {
    kw("bgp", "Clear BGP connections").then([family(), vpn(true)])
}

fn family() -> Spec<Handler> {
    kw("ipv4", "Address family").then([kw("unicast", "Address Family modifier").then(peers())])
}

fn vpn(unicast: bool) -> Spec<Handler> {
    let vrf =
        || kw("vrf", "VPN Routing/Forwarding instance").then([word("vrf-name", "VRF name").then(peers())]);
    let family = kw("vpnv4", "Address family");
    if unicast {
        family.then([kw("unicast", "Address Family modifier").then([vrf()])])
    } else {
        family.then([kw("unicast", "Address Family modifier").then([vrf()]), vrf()])
    }
}

fn dampening() -> Spec<Handler> {
    let run = Handler::Act(clear_dampening);
    kw("dampening", "Clear route flap dampening information").run(run).then([ip(
        "address",
        "Network to clear dampening information",
    )
    .then([ip("mask", "Network mask").run(run)])])
}

fn clear_dampening(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let prefix = match (args.ip("address"), args.ip("mask")) {
        (Some(address), Some(mask)) => match Ipv4Net::with_netmask(address, mask) {
            Ok(prefix) => Some(prefix.trunc()),
            Err(_) => return Err(Complaint::Refused("% Inconsistent address and mask".to_owned())),
        },
        _ => None,
    };
    let Some(asn) = exec.router().bgp().map(|process| process.asn) else {
        return Err(Complaint::Refused("% BGP not active".to_owned()));
    };
    let node = exec.session.node();
    let command = ProcessCommand::ClearBgpDampening(VrfId::GLOBAL, prefix);
    exec.network.command_process(node, RouteOwner::Bgp(asn), &command);
    Ok(())
}

const RUN: Handler = Handler::Act(clear);

/// Whom the command is about, and how they are cleared.
fn peers() -> Vec<Spec<Handler>> {
    let how = || {
        let direction = || {
            [
                plain("in", "Soft reconfig inbound update", RUN),
                plain("out", "Soft reconfig outbound update", RUN),
            ]
        };
        let mut how = vec![kw("soft", "Soft reconfig").run(RUN).then(direction())];
        how.extend(direction());
        how
    };
    vec![
        kw("*", "Clear all peers").run(RUN).then(how()),
        int("asn", 1, 4_294_967_295, "Clear peers with the AS number").run(RUN).then(how()),
        ip("neighbor", "BGP neighbor address to clear").run(RUN).then(how()),
        kw("external", "Clear all external peers").run(RUN).then(how()),
        kw("peer-group", "Clear all members of peer-group")
            .then([word("group", "BGP peer-group name").run(RUN).then(how())]),
    ]
}

fn clear(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let router = exec.router();
    let vrf = router.interfaces().vrf_id(args.text("vrf-name")).unwrap_or(VrfId::GLOBAL);
    let Some(process) = router.bgp() else {
        return Err(Complaint::Refused("% BGP not active".to_owned()));
    };
    let (peers, name) = if let Some(address) = args.ip("neighbor") {
        (ClearedPeers::Address(address), address.to_string())
    } else if let Some(asn) = args.int("asn") {
        (ClearedPeers::As(Asn(asn)), asn.to_string())
    } else if let Some(group) = args.text("group") {
        (ClearedPeers::Group(group.to_owned()), group.to_owned())
    } else if args.has("external") {
        (ClearedPeers::External, String::new())
    } else {
        (ClearedPeers::All, String::new())
    };
    let how = match (args.has("in"), args.has("out"), args.has("soft")) {
        (true, ..) => ClearMode::SoftIn,
        (_, true, _) => ClearMode::SoftOut,
        (.., true) => ClearMode::Soft,
        _ => ClearMode::Hard,
    };
    let command = ClearBgp { vrf, peers, how };
    if !name.is_empty() && process.cleared_peers(&command).is_empty() {
        return Err(Complaint::Refused(format!("%BGP: Unknown neighbor - \"{name}\"")));
    }
    let owner = RouteOwner::Bgp(process.asn);
    let node = exec.session.node();
    exec.network.command_process(node, owner, &ProcessCommand::ClearBgp(command));
    Ok(())
}
