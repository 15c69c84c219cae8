//! The grammar of `database`.

use netconfarena_emu::ids::RouterId;

use super::LsaKind;
use super::collect::{self, Wanted};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, ip, kw, plain};
use crate::show::ospf::selection::{Running, running};
use crate::show::{Record, ShowContext, ShowHandler};

/// The types that can be shown in full, with their words.
const DETAILS: [(&str, &str, LsaKind); 6] = [
    ("asbr-summary", "ASBR summary link states", LsaKind::AsbrSummary),
    ("external", "External link states", LsaKind::External),
    ("network", "Network link states", LsaKind::Network),
    ("nssa-external", "NSSA External link states", LsaKind::NssaExternal),
    ("router", "Router link states", LsaKind::Router),
    ("summary", "Network summary link states", LsaKind::Summary),
];

/// `adv-router A` and `self-originate`.
fn by(run: ShowHandler) -> [Spec<ShowHandler>; 2] {
    [
        kw("adv-router", "Advertising Router link states").then([ip(
            "advertising-router",
            "Advertising Router (as an IP address)",
        )
        .run(run)]),
        plain("self-originate", "Self-originated link states", run),
    ]
}

/// `database ...`.
pub(in crate::show::ospf) fn table() -> Vec<Spec<ShowHandler>> {
    let (list, detail, totals): (ShowHandler, ShowHandler, ShowHandler) =
        (show_list, show_detail, show_totals);
    let details = DETAILS.map(|(word, help, _)| {
        kw(word, help).run(detail).then(by(detail)).then([ip(
            "link-state-id",
            "Link state ID (as an IP address)",
        )
        .run(detail)
        .then(by(detail))])
    });
    vec![
        kw("database", "Database summary")
            .run(list)
            .then(by(list))
            .then([plain("database-summary", "Summary of database", totals)])
            .then(details),
    ]
}

fn wanted(args: &Args) -> Wanted {
    Wanted {
        kind: DETAILS.iter().find(|(word, ..)| args.has(word)).map(|&(.., kind)| kind),
        area: args.area().map(|(area, _)| area),
        link_id: args.ip("link-state-id"),
        advertising_router: args.ip("advertising-router").map(RouterId),
        self_originate: args.has("self-originate"),
    }
}

/// The processes that the command names, and of these, if it names an area, those attached to it.
fn processes<'a>(context: &ShowContext<'a>, args: &Args) -> Result<Vec<Running<'a>>, Complaint> {
    let mut all = running(context, args)?;
    if let Some((area, _)) = args.area() {
        all.retain(|running| running.process.areas.contains_key(&area));
    }
    Ok(all)
}

fn show_list(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(collect::list(&processes(context, args)?, wanted(args), context.now()).render())
}

fn show_detail(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(collect::detail(&processes(context, args)?, wanted(args), context.now()).render())
}

fn show_totals(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(collect::totals(&processes(context, args)?, context.now()).render())
}
