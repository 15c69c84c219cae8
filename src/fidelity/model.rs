//! What the random networks of all protocols have in common: routers `R1`, `R2`, ... joined by cables, told to the emulator and to FRR.

use std::net::Ipv4Addr;

use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use netconfarena_emu::network::{LinkProperties, Network};

use super::frr::{FrrCable, FrrRouter};

/// A network with two renderings.
pub trait Model {
    /// How many routers there are.
    fn router_count(&self) -> usize;

    /// The routers at the two ends of each cable.
    fn cables(&self) -> Vec<[usize; 2]>;

    /// The IOS configuration of a router.
    fn ios_config(&self, router: usize) -> String;

    /// The frr.conf of a router. Its loopback is `loop0`.
    fn frr_config(&self, router: usize) -> String;

    /// What stands in for loopbacks in FRR.
    fn stubs(&self) -> Vec<String> {
        vec!["loop0".to_owned()]
    }

    /// `R1`, `R2`, ...
    #[must_use]
    fn name(router: usize) -> String {
        format!("R{}", router + 1)
    }

    /// The address of one end of a cable, in a /24.
    #[must_use]
    fn address(link: usize, end: usize) -> Ipv4Addr {
        Ipv4Addr::new(10, 0, octet(link + 1), octet(end + 1))
    }

    /// The emulator's name for a router's end of a cable.
    #[must_use]
    fn ios_interface(link: usize) -> InterfaceName {
        let number = [0, u32::try_from(link).unwrap_or(u32::MAX)];
        // Two numbers always make a name.
        InterfaceName::new(InterfaceKind::GigabitEthernet, &number, None).unwrap_or(InterfaceName::null0())
    }

    /// FRR's name for a router's end of a cable.
    #[must_use]
    fn frr_interface(link: usize) -> String {
        format!("eth{link}")
    }

    /// The cables that end at a router: their numbers and ends.
    fn ends(&self, router: usize) -> Vec<(usize, usize)> {
        let place = |ends: [usize; 2]| ends.iter().position(|&at| at == router);
        let cables = self.cables().into_iter().enumerate();
        cables.filter_map(|(link, ends)| Some((link, place(ends)?))).collect()
    }

    /// The network in the emulator, not yet run.
    ///
    /// # Errors
    /// A line of the rendering that the dialect refuses.
    fn emulate(&self, seed: u64) -> Result<(Network, Vec<NodeIndex>), String> {
        let mut network = Network::new(seed);
        let mut nodes = Vec::new();
        for router in 0..self.router_count() {
            let ports: Vec<_> =
                self.ends(router).into_iter().map(|(link, _)| Self::ios_interface(link)).collect();
            nodes.push(network.add_router(&Self::name(router), &ports));
        }
        for (link, routers) in self.cables().into_iter().enumerate() {
            let ends = routers.map(|router| (nodes[router], Self::ios_interface(link)));
            network.add_link(LinkProperties::ethernet(), &ends).map_err(|error| error.to_string())?;
        }
        for (router, &node) in nodes.iter().enumerate() {
            let mut config = RouterConfig::clone(network.router(node).config());
            if let Some(refused) = load(&mut config, &self.ios_config(router)).refused.first() {
                return Err(format!("{}: {refused}", Self::name(router)));
            }
            network.configure(node, config);
        }
        Ok((network, nodes))
    }

    /// The network for FRR.
    #[must_use]
    fn frr(&self) -> (Vec<FrrRouter>, Vec<FrrCable>) {
        let routers = (0..self.router_count()).map(|router| FrrRouter {
            name: Self::name(router),
            config: self.frr_config(router),
            stubs: self.stubs(),
        });
        let cables = self.cables().into_iter().enumerate().map(|(link, ends)| FrrCable {
            ends: ends.map(|router| (Self::name(router), Self::frr_interface(link))),
        });
        (routers.collect(), cables.collect())
    }
}

/// An octet of an address; the models stay far below 256 routers and links.
pub(super) fn octet(number: usize) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// Whether every router is reached from the first.
#[cfg(test)]
pub(super) fn is_connected(model: &impl Model) -> bool {
    let mut reached = std::collections::BTreeSet::from([0]);
    for _ in 0..model.router_count() {
        for routers in model.cables() {
            if routers.iter().any(|router| reached.contains(router)) {
                reached.extend(routers);
            }
        }
    }
    reached.len() == model.router_count()
}
