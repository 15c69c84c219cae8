//! The grammar of `show ip ospf`.

use super::{database, process};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, area, kw, ospf_process};
use crate::show::{Record, ShowContext, ShowHandler};

/// `show ip ospf [N [AREA]] ...`.
pub(in crate::show) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = show_process;
    let all = || [database::table()].concat();
    vec![kw("ip", "IP information").then(
        [kw("ospf", "OSPF information").run(run).then(all()).then([
            ospf_process().run(run).then(all()).then([area("OSPF area ID").then(database::table())]),
        ])],
    )]
}

fn show_process(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
    Ok(process::IpOspf::collect(context, &super::selection::running(context, args)?).render())
}
