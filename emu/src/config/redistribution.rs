//! What `redistribute` takes a route for. IOS takes the connected subnets that a protocol runs on along with the protocol's routes.

use std::net::Ipv4Addr;

use super::RouterConfig;
use crate::interface::{Interface, InterfaceTable};
use crate::policy::RedistributionSource;
use crate::rib::{Route, RouteKind};

impl RouterConfig {
    /// The sources that a route may be redistributed as, the first of which that is configured counts: its own, and of a connected
    /// subnet the protocols that its interface takes part in.
    #[must_use]
    pub fn redistribution_sources(
        &self,
        route: &Route,
        interfaces: &InterfaceTable,
    ) -> Vec<RedistributionSource> {
        // What internal peers of BGP have told reaches other protocols only if that is asked for: it might come back as external.
        let asked_for = || self.bgp.as_ref().is_some_and(crate::bgp::BgpConfig::redistributes_internal);
        if route.kind == RouteKind::BgpInternal && !asked_for() {
            return Vec::new();
        }
        let mut sources = vec![RedistributionSource::from(route.owner)];
        if route.kind != RouteKind::Connected {
            return sources;
        }
        let index = route.next_hops.first().and_then(|hop| hop.interface);
        let Some(interface) = index.and_then(|index| interfaces.get(index)) else { return sources };
        let address = interface.addresses().find(|net| net.trunc() == route.prefix);
        if let Some(address) = address.map(|net| net.addr()) {
            sources.extend(self.protocols_on(interface, address, interfaces));
        }
        sources
    }

    /// The protocols that an address of an interface takes part in.
    fn protocols_on(
        &self,
        interface: &Interface,
        address: Ipv4Addr,
        interfaces: &InterfaceTable,
    ) -> Vec<RedistributionSource> {
        let here = |vrf: Option<&str>| interfaces.vrf_id(vrf) == Some(interface.vrf);
        let settings = self.interfaces.get(&interface.name);
        let eigrp = self.eigrp.instances().filter(|instance| {
            let networks = &instance.config.networks;
            !instance.shutdown
                && here(instance.vrf)
                && networks.iter().any(|network| network.matches(address))
        });
        let ospf = self.ospf.iter().filter(|(process, config)| {
            let explicit = settings.and_then(|settings| settings.ospf.area);
            // Secondary addresses follow the primary one.
            let primary = interface.address.map_or(address, |net| net.addr());
            let named = config.networks.iter().any(|network| network.wildcard.matches(primary));
            here(config.vrf.as_deref()) && explicit.map_or(named, |area| area.process == **process)
        });
        let rip = self.rip.iter().flat_map(|rip| {
            let vrfs = rip.vrfs.iter().map(|(vrf, config)| (Some(vrf.as_str()), config));
            std::iter::once((None, rip)).chain(vrfs)
        });
        let rip = rip.filter(|(vrf, config)| here(*vrf) && config.covers(address));
        let eigrp = eigrp.map(|instance| RedistributionSource::Eigrp(instance.autonomous_system));
        let ospf = ospf.map(|(&process, _)| RedistributionSource::Ospf(process));
        eigrp.chain(ospf).chain(rip.map(|_| RedistributionSource::Rip)).collect()
    }
}
