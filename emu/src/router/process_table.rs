//! Which processes a router runs. A new protocol is added here: a variant, its key, how it is made, what it receives.

use serde::{Deserialize, Serialize};

use crate::bgp::BgpProcess;
use crate::config::RouterConfig;
use crate::connected::ConnectedProcess;
use crate::eigrp::EigrpProcess;
use crate::ids::VrfId;
use crate::interface::InterfaceTable;
use crate::ospf::OspfProcess;
use crate::process::{Datagram, IpProtocol, Process};
use crate::rib::RouteOwner;
use crate::rip::{RipProcess, packet::PORT as RIP_PORT};
use crate::static_routes::StaticProcess;
use crate::time::Time;

/// Names a process: what it offers routes as, and for which VRF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ProcessKey {
    /// The owner of its routes.
    pub owner: RouteOwner,
    /// The VRF whose table it offers them to.
    pub vrf: VrfId,
}

/// A process of any protocol.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum RoutingProcess {
    /// Connected and local routes.
    Connected(ConnectedProcess),
    /// `ip route`.
    Static(StaticProcess),
    /// EIGRP.
    Eigrp(Box<EigrpProcess>),
    /// OSPFv2.
    Ospf(Box<OspfProcess>),
    /// BGP-4, of all VRFs.
    Bgp(Box<BgpProcess>),
    /// RIP.
    Rip(Box<RipProcess>),
}

impl RoutingProcess {
    pub(crate) fn as_process(&self) -> &dyn Process {
        match self {
            Self::Connected(process) => process,
            Self::Static(process) => process,
            Self::Eigrp(process) => process.as_ref(),
            Self::Ospf(process) => process.as_ref(),
            Self::Bgp(process) => process.as_ref(),
            Self::Rip(process) => process.as_ref(),
        }
    }

    pub(crate) fn as_process_mut(&mut self) -> &mut dyn Process {
        match self {
            Self::Connected(process) => process,
            Self::Static(process) => process,
            Self::Eigrp(process) => process.as_mut(),
            Self::Ospf(process) => process.as_mut(),
            Self::Bgp(process) => process.as_mut(),
            Self::Rip(process) => process.as_mut(),
        }
    }

    /// The process, if it is OSPF.
    #[must_use]
    pub fn as_ospf(&self) -> Option<&OspfProcess> {
        match self {
            Self::Ospf(process) => Some(process),
            _ => None,
        }
    }

    /// The process, if it is EIGRP.
    #[must_use]
    pub fn as_eigrp(&self) -> Option<&EigrpProcess> {
        match self {
            Self::Eigrp(process) => Some(process),
            _ => None,
        }
    }

    /// The process, if it is BGP.
    #[must_use]
    pub fn as_bgp(&self) -> Option<&BgpProcess> {
        match self {
            Self::Bgp(process) => Some(process),
            _ => None,
        }
    }

    /// The process, if it is RIP.
    #[must_use]
    pub fn as_rip(&self) -> Option<&RipProcess> {
        match self {
            Self::Rip(process) => Some(process),
            _ => None,
        }
    }

    /// Whether a packet that came for this router in `vrf` is for this process, which is named `key`.
    pub(crate) fn accepts(&self, key: ProcessKey, vrf: VrfId, datagram: &Datagram) -> bool {
        match self {
            Self::Eigrp(_) => key.vrf == vrf && datagram.protocol == IpProtocol::EIGRP,
            Self::Ospf(_) => key.vrf == vrf && datagram.protocol == IpProtocol::OSPF,
            Self::Bgp(_) => datagram.protocol == IpProtocol::TCP,
            Self::Rip(_) => key.vrf == vrf && datagram.is_udp_to(RIP_PORT),
            Self::Connected(_) | Self::Static(_) => false,
        }
    }
}

/// The processes that a configuration asks for.
pub(super) fn wanted(config: &RouterConfig, interfaces: &InterfaceTable) -> Vec<ProcessKey> {
    let ospf = config.ospf.iter().filter_map(|(&process_id, ospf)| {
        let vrf = interfaces.vrf_id(ospf.vrf.as_deref())?;
        Some(ProcessKey { owner: RouteOwner::Ospf(process_id), vrf })
    });
    let eigrp = config.eigrp.instances().filter_map(|instance| {
        let vrf = interfaces.vrf_id(instance.vrf)?;
        Some(ProcessKey { owner: RouteOwner::Eigrp(instance.autonomous_system), vrf })
    });
    let vrfs = std::iter::once(VrfId::GLOBAL).chain(interfaces.vrfs().map(|(_, id)| id));
    let tables = vrfs
        .flat_map(|vrf| [RouteOwner::Connected, RouteOwner::Static].map(|owner| ProcessKey { owner, vrf }));
    let bgp = config.bgp.iter().map(|bgp| ProcessKey { owner: RouteOwner::Bgp(bgp.asn), vrf: VrfId::GLOBAL });
    let rip = config.rip.iter().flat_map(|rip| {
        let vrfs = rip.vrfs.keys().filter_map(|name| interfaces.vrf_id(Some(name)));
        std::iter::once(VrfId::GLOBAL).chain(vrfs).map(|vrf| ProcessKey { owner: RouteOwner::Rip, vrf })
    });
    tables.chain(eigrp).chain(ospf).chain(bgp).chain(rip).collect()
}

/// Makes a process that has not seen its configuration yet; `None` for owners that are no process.
pub(super) fn create(now: Time, key: ProcessKey, interfaces: &InterfaceTable) -> Option<RoutingProcess> {
    let vrf_name = || interfaces.vrfs().find(|(_, id)| *id == key.vrf).map(|(name, _)| name.to_owned());
    match key.owner {
        RouteOwner::Ospf(process_id) => {
            Some(RoutingProcess::Ospf(Box::new(OspfProcess::new(process_id, now))))
        }
        RouteOwner::Connected => Some(RoutingProcess::Connected(ConnectedProcess::new(key.vrf))),
        RouteOwner::Static => Some(RoutingProcess::Static(StaticProcess::new(key.vrf, vrf_name()))),
        RouteOwner::Eigrp(number) => {
            Some(RoutingProcess::Eigrp(Box::new(EigrpProcess::new(number, key.vrf, vrf_name()))))
        }
        RouteOwner::Bgp(asn) => Some(RoutingProcess::Bgp(Box::new(BgpProcess::new(asn)))),
        RouteOwner::Rip => Some(RoutingProcess::Rip(Box::new(RipProcess::new(key.vrf, vrf_name())))),
    }
}
