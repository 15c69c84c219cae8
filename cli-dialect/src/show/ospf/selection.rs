//! Which processes a command is about.

use std::net::Ipv4Addr;

use netconfarena_emu::ids::{AreaId, RouterId};
use netconfarena_emu::ospf::lsa::RouterLsa;
use netconfarena_emu::ospf::{OspfConfig, OspfProcess};
use netconfarena_emu::router::RoutingProcess;

use crate::config::Complaint;
use crate::grammar::Args;
use crate::show::ShowContext;

/// A process that runs, with its configuration.
#[derive(Clone, Copy, Debug)]
pub struct Running<'a> {
    /// The process.
    pub process: &'a OspfProcess,
    /// Its configuration.
    pub config: &'a OspfConfig,
    /// Its router id.
    pub router_id: RouterId,
}

impl<'a> Running<'a> {
    /// The router's own LSAs of type 1.
    pub fn own_router_lsas(&self) -> impl Iterator<Item = &'a RouterLsa> {
        let Self { process, router_id, .. } = *self;
        let databases = process.areas.keys().filter_map(|&id| process.lsdb.area(id));
        databases.filter_map(move |database| database.router_lsa(router_id)?.lsa.as_router())
    }

    /// Whether the router tells the others that it is an AS boundary router.
    #[must_use]
    pub fn is_as_boundary_router(&self) -> bool {
        self.own_router_lsas().any(|lsa| lsa.flags.as_boundary)
    }

    /// An area as it was written in the configuration: a number, or in dotted notation.
    #[must_use]
    pub fn area_name(&self, area: AreaId) -> String {
        if self.config.areas.get(&area).is_some_and(|settings| settings.dotted) {
            Ipv4Addr::from(area.0).to_string()
        } else {
            area.0.to_string()
        }
    }
}

/// The running processes that the command asks for, by number.
///
/// # Errors
/// It names one that is not there.
pub fn running<'a>(context: &ShowContext<'a>, args: &Args) -> Result<Vec<Running<'a>>, Complaint> {
    let router = context.router();
    let only = args.int::<u16>("process-id");
    if let Some(number) = only.filter(|&number| router.ospf(number).is_none()) {
        return Err(Complaint::Refused(format!("%OSPF: No router process {number}")));
    }
    let mut all: Vec<Running<'a>> = router
        .processes()
        .filter_map(|(_, process)| RoutingProcess::as_ospf(process))
        .filter(|process| only.is_none_or(|number| number == process.process_id))
        .filter_map(|process| {
            let config = router.config().ospf.get(&process.process_id)?;
            Some(Running { process, config, router_id: process.router_id? })
        })
        .collect();
    if let (true, Some(number)) = (all.is_empty(), only) {
        let words = format!("%OSPF: Router process {number} is not running, please configure a router-id");
        return Err(Complaint::Refused(words));
    }
    all.sort_by_key(|running| running.process.process_id);
    Ok(all)
}
