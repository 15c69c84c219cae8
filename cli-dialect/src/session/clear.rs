//! `clear`.

mod bgp;

use netconfarena_emu::eigrp::{ClearEigrp, ClearedNeighbors};
use netconfarena_emu::ids::VrfId;
use netconfarena_emu::process::ProcessCommand;
use netconfarena_emu::rib::RouteOwner;

use super::exec::{Exec, Handler, act};
use super::question::Question;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, interface, ip, kw, ospf_process, plain, word};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let arp = |keyword, help| {
        act(keyword, help, |exec, _| {
            let node = exec.session.node();
            exec.network.router_mut(node).clear_arp();
            Ok(())
        })
    };
    let counters = Handler::Act(|exec, args| {
        exec.ask(Question::ClearCounters(args.interface()));
        Ok(())
    });
    let process = || {
        act("process", "Reset OSPF process", |exec, args| {
            exec.ask(Question::ResetOspf(args.int("process-id")));
            Ok(())
        })
    };
    vec![
        kw("clear", "Reset functions").then([
            arp("arp-cache", "Clear the entire ARP cache"),
            kw("counters", "Clear counters on one or all interfaces")
                .run(counters)
                .then([interface("Interface").run(counters)]),
            bgp::table(),
            super::remote::clear_table(),
            kw("ip", "IP").then([
                bgp::ip_table(),
                arp("arp", "Clear the entire ARP cache"),
                kw("ospf", "OSPF clear commands").then([process(), ospf_process().then([process()])]),
                kw("eigrp", "Clear IP-EIGRP").then(eigrp()),
                kw("route", "Delete route table entries").then([in_vrf(vec![routes()]), routes()]),
            ]),
            kw("eigrp", "EIGRP").then([kw("address-family", "Clear EIGRP address-family").then([kw(
                "ipv4",
                "EIGRP IPv4 Address-Family",
            )
            .then(eigrp())])]),
            act("logging", "Clear logging buffer", |exec, _| {
                exec.ask(Question::ClearLogging);
                Ok(())
            }),
        ]),
    ]
}

/// `vrf V`, and what may follow.
fn in_vrf(behind: Vec<Spec<Handler>>) -> Spec<Handler> {
    kw("vrf", "Specify a VPN Routing/Forwarding instance").then([word("vrf-name", "VRF name").then(behind)])
}

/// `[vrf V] [AS] neighbors [A | interface] [soft]`.
fn eigrp() -> Vec<Spec<Handler>> {
    let neighbors = || {
        let run = Handler::Act(clear_eigrp_neighbors);
        let soft = || plain("soft", "Resync with peer(s) without adjacency reset", run);
        kw("neighbors", "Clear IP-EIGRP neighbors").run(run).then([
            soft(),
            ip("address", "IP-EIGRP neighbor address").run(run).then([soft()]),
            interface("Interface").run(run).then([soft()]),
        ])
    };
    let number = || int("as-number", 1, 65535, "Autonomous System").then([neighbors()]);
    vec![neighbors(), number(), in_vrf(vec![neighbors(), number()])]
}

fn clear_eigrp_neighbors(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let (node, vrf) = (exec.session.node(), vrf(exec, args)?);
    let number: Option<u16> = args.int("as-number");
    let router = exec.network.router(node);
    let neighbors = match (args.ip("address"), args.interface()) {
        (Some(address), _) => ClearedNeighbors::Address(address),
        // A name in the right form need not be that of an interface: then there are no neighbors on it.
        (None, Some(name)) => match router.interfaces().by_name(name) {
            Some(interface) => ClearedNeighbors::Interface(interface.index),
            None => return Ok(()),
        },
        (None, None) => ClearedNeighbors::All,
    };
    let keys = router.processes().filter(|(key, _)| key.vrf == vrf).map(|(key, _)| key);
    let named = |owner| match owner {
        RouteOwner::Eigrp(own) => number.is_none_or(|number| number == own),
        _ => false,
    };
    let owners: Vec<RouteOwner> = keys.map(|key| key.owner).filter(|owner| named(*owner)).collect();
    let command = ProcessCommand::ClearEigrp(ClearEigrp { vrf, neighbors, soft: args.has("soft") });
    for owner in owners {
        exec.network.command_process(node, owner, &command);
    }
    Ok(())
}

fn routes() -> Spec<Handler> {
    plain("*", "Delete all routes", Handler::Act(clear_routes))
}

/// Protocols put back at once what they know themselves, so that nothing is seen of it; RIP knows only what is in the table, and has
/// to ask its neighbors again.
fn clear_routes(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let (node, vrf) = (exec.session.node(), vrf(exec, args)?);
    exec.network.restart_process_in(node, RouteOwner::Rip, vrf);
    Ok(())
}

fn vrf(exec: &Exec<'_>, args: &Args) -> Result<VrfId, Complaint> {
    let name = args.text("vrf-name");
    let id = exec.network.router(exec.session.node()).interfaces().vrf_id(name);
    id.ok_or_else(|| {
        Complaint::Refused(format!("% IP routing table {} does not exist", name.unwrap_or_default()))
    })
}
