//! The grammar of `show ip ospf`.

use super::adjacencies::Wanted;
use super::border_routers::OspfBorderRouters;
use super::database;
use super::interface::IpOspfInterfaces;
use super::interface_brief::IpOspfInterfaceBrief;
use super::lsa_queue::OspfLsaQueues;
use super::neighbor::IpOspfNeighbors;
use super::neighbor_detail::IpOspfNeighborDetail;
use super::process::IpOspf;
use super::rib::OspfRib;
use super::selection::running;
use super::statistics::OspfStatistics;
use super::summary_address::OspfSummaryAddresses;
use super::virtual_links::OspfVirtualLinks;
use crate::config::Complaint;
use crate::grammar::{Args, Spec, area, interface, ip, kw, ospf_process, plain};
use crate::show::{Record, ShowContext, ShowHandler};

/// `show ip ospf [N [AREA]] ...`.
pub(in crate::show) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, args| Ok(IpOspf::collect(context, &running(context, args)?).render());
    let all = || [database::table(), simple(), interfaces(), neighbors(), queues()].concat();
    vec![kw("ip", "IP information").then(
        [kw("ospf", "OSPF information").run(run).then(all()).then([
            ospf_process().run(run).then(all()).then([area("OSPF area ID").then(database::table())]),
        ])],
    )]
}

/// Commands without arguments.
fn simple() -> Vec<Spec<ShowHandler>> {
    vec![
        plain("border-routers", "Border and Boundary Router Information", |context, args| {
            Ok(OspfBorderRouters::of(context, &running(context, args)?).render())
        }),
        plain("rib", "Routing information base (RIB)", |context, args| {
            Ok(OspfRib::of(context, &running(context, args)?).render())
        }),
        plain("statistics", "Various OSPF Statistics", |context, args| {
            Ok(OspfStatistics::of(&running(context, args)?, context.now()).render())
        }),
        plain("summary-address", "Summary-address redistribution Information", |context, args| {
            Ok(OspfSummaryAddresses::of(&running(context, args)?).render())
        }),
        plain("virtual-links", "Virtual link information", |context, args| {
            Ok(OspfVirtualLinks::collect(context, &running(context, args)?).render())
        }),
    ]
}

fn wanted(args: &Args) -> Wanted {
    Wanted { interface: args.interface(), neighbor: args.ip("neighbor-id") }
}

/// `interface [brief] [X]`, `interface X brief`.
fn interfaces() -> Vec<Spec<ShowHandler>> {
    let brief: ShowHandler = |context, args| {
        Ok(IpOspfInterfaceBrief::collect(context, &running(context, args)?, wanted(args)).render())
    };
    let brief = || plain("brief", "Summary of interfaces", brief);
    let run: ShowHandler = show_interface;
    let name = || interface("Interface name").run(run);
    vec![kw("interface", "Interface information").run(run).then([brief(), name().then([brief()])])]
}

fn show_interface(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    let record = IpOspfInterfaces::collect(context, &running(context, args)?, wanted(args));
    match args.interface() {
        Some(name) if record.interfaces.is_empty() => {
            let name = context.interface(name)?.name;
            Err(Complaint::Refused(format!("%OSPF: OSPF not enabled on {name}")))
        }
        _ => Ok(record.render()),
    }
}

/// `neighbor [X] [A] [detail]`. A named neighbor is shown in detail.
fn neighbors() -> Vec<Spec<ShowHandler>> {
    let list: ShowHandler = |context, args| {
        Ok(IpOspfNeighbors::collect(context, &running(context, args)?, wanted(args)).render())
    };
    let detail: ShowHandler = |context, args| {
        Ok(IpOspfNeighborDetail::collect(context, &running(context, args)?, wanted(args)).render())
    };
    let detailed = || plain("detail", "detail of all neighbors", detail);
    let id = || ip("neighbor-id", "Neighbor ID").run(detail).then([detailed()]);
    vec![kw("neighbor", "Neighbor list").run(list).then([
        detailed(),
        id(),
        interface("Interface name").run(list).then([detailed(), id()]),
    ])]
}

/// The lists of LSAs that wait, of all neighbors, of those on an interface, or of one.
fn queues() -> Vec<Spec<ShowHandler>> {
    let requests: ShowHandler =
        |context, args| Ok(OspfLsaQueues::requests(context, &running(context, args)?, wanted(args)).render());
    let retransmissions: ShowHandler = |context, args| {
        Ok(OspfLsaQueues::retransmissions(context, &running(context, args)?, wanted(args)).render())
    };
    let floods: ShowHandler =
        |context, args| Ok(OspfLsaQueues::floods(context, &running(context, args)?, wanted(args)).render());
    let of_neighbor = |run: ShowHandler| {
        let id = || ip("neighbor-id", "Neighbor ID").run(run);
        [id(), interface("Interface name").run(run).then([id()])]
    };
    vec![
        kw("request-list", "Link state request list").run(requests).then(of_neighbor(requests)),
        kw("retransmission-list", "Link state retransmission list")
            .run(retransmissions)
            .then(of_neighbor(retransmissions)),
        kw("flood-list", "Link state flood list").run(floods).then([interface("Interface name").run(floods)]),
    ]
}
