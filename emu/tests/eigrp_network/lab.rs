//! A small language for networks of EIGRP routers.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig, Wildcard};
use netconfarena_emu::eigrp::packet::Packet;
use netconfarena_emu::eigrp::{Destination, EigrpLogEvent, EigrpProcess, InstanceConfig, NeighborChange};
use netconfarena_emu::ids::{LinkIndex, NodeIndex, VrfId};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::rib::{Route, TableId};
use netconfarena_emu::wire::{EthernetHeader, Ipv4Header};

/// The AS of all routers.
pub const AS: u16 = 100;

/// A network of routers R1, R2, ..., in a VRF or the global table as the configuration says.
pub struct Lab {
    pub network: Network,
    pub nodes: Vec<NodeIndex>,
    /// The link between two routers, the lower number first.
    pub links: BTreeMap<(usize, usize), LinkIndex>,
}

pub fn port(name: &str) -> InterfaceName {
    name.parse().unwrap()
}

pub fn net(text: &str) -> Ipv4Net {
    text.parse().unwrap()
}

pub fn addr(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

/// `GigabitEthernet0/<far>` of a router leads to router `far`.
pub fn towards(far: usize) -> InterfaceName {
    port(&format!("GigabitEthernet0/{far}"))
}

/// The address of router `own` on its link to router `far`: 10.<low>.<high>.<own>.
pub fn link_address(own: usize, far: usize) -> Ipv4Net {
    let (low, high) = (own.min(far), own.max(far));
    net(&format!("10.{low}.{high}.{own}/24"))
}

/// The loopback address of a router.
pub fn loopback(router: usize) -> Ipv4Net {
    net(&format!("192.168.0.{router}/32"))
}

/// EIGRP on all interfaces.
pub fn everywhere() -> InstanceConfig {
    let any = Wildcard::new(Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST);
    InstanceConfig { networks: [any].into(), ..InstanceConfig::default() }
}

impl Lab {
    /// Routers 1 to `count`, each with Loopback0, linked as told; the delay of each link in tens of microseconds, on both ends. All
    /// run EIGRP everywhere.
    pub fn new(seed: u64, count: usize, links: &[(usize, usize, u32)]) -> Self {
        let mut network = Network::new(seed);
        let ports: Vec<InterfaceName> = (1..=count).map(towards).collect();
        let nodes: Vec<NodeIndex> =
            (1..=count).map(|number| network.add_router(&format!("R{number}"), &ports)).collect();
        let mut lab = Self { network, nodes, links: BTreeMap::new() };
        let mut configs: Vec<RouterConfig> = (1..=count).map(base_config).collect();
        for &(a, b, delay) in links {
            let ends = [(lab.nodes[a - 1], towards(b)), (lab.nodes[b - 1], towards(a))];
            let link = lab.network.add_link(LinkProperties::ethernet(), &ends).unwrap();
            lab.links.insert((a.min(b), a.max(b)), link);
            for (own, far) in [(a, b), (b, a)] {
                let interface = InterfaceConfig {
                    address: Some(link_address(own, far)),
                    delay_tens_us: Some(delay),
                    ..InterfaceConfig::default()
                };
                configs[own - 1].interfaces.insert(towards(far), interface);
            }
        }
        for (number, config) in (1..).zip(configs) {
            lab.network.configure(lab.node(number), config);
        }
        lab
    }

    /// The same, converged.
    pub fn converged(seed: u64, count: usize, links: &[(usize, usize, u32)]) -> Self {
        let mut lab = Self::new(seed, count, links);
        lab.converge();
        lab
    }

    pub fn node(&self, router: usize) -> NodeIndex {
        self.nodes[router - 1]
    }

    pub fn link(&self, a: usize, b: usize) -> LinkIndex {
        self.links[&(a.min(b), a.max(b))]
    }

    pub fn converge(&mut self) {
        let convergence = self.network.run_until_converged(Network::DEFAULT_CONVERGENCE_CAP);
        assert!(convergence.converged);
    }

    pub fn run(&mut self, millis: u64) {
        self.network.run_for(Duration::from_millis(millis));
    }

    pub fn eigrp(&self, router: usize) -> &EigrpProcess {
        self.network.router(self.node(router)).eigrp(AS, VrfId::GLOBAL).unwrap()
    }

    pub fn destination(&self, router: usize, prefix: Ipv4Net) -> Option<&Destination> {
        self.eigrp(router).topology.get(&prefix)
    }

    pub fn route(&self, router: usize, prefix: Ipv4Net) -> Option<&Route> {
        self.network.router(self.node(router)).rib().best(TableId::default(), prefix)
    }

    /// The routers that the next hops of a route belong to.
    pub fn via(&self, router: usize, prefix: Ipv4Net) -> Vec<usize> {
        let Some(route) = self.route(router, prefix) else { return Vec::new() };
        route
            .next_hops
            .iter()
            .filter_map(|hop| hop.address)
            .map(|address| usize::from(address.octets()[3]))
            .collect()
    }

    /// FD of a destination; `None` if there is no way.
    pub fn feasible_distance(&self, router: usize, prefix: Ipv4Net) -> Option<u64> {
        let rank = self.destination(router, prefix)?.feasible_distance();
        rank.is_finite().then(|| rank.distance().0)
    }

    /// The distance by the successor; `None` if there is no way.
    pub fn distance(&self, router: usize, prefix: Ipv4Net) -> Option<u64> {
        let rank = self.destination(router, prefix)?.shortest();
        rank.is_finite().then(|| rank.distance().0)
    }

    /// Captures every link from now on.
    pub fn capture_all(&mut self) {
        for link in self.links.values() {
            self.network.start_capture(*link);
        }
    }

    /// The EIGRP packets that went over a link while captured, with their senders' addresses.
    pub fn captured(&self, a: usize, b: usize) -> Vec<(Ipv4Addr, Packet)> {
        let parse = |frame: &[u8]| {
            let (_, packet) = EthernetHeader::parse(frame).ok()?;
            let (header, payload) = Ipv4Header::parse(packet).ok()?;
            Some((header.source, Packet::parse(payload).ok()?))
        };
        let frames = self.network.capture(self.link(a, b)).unwrap().frames();
        frames.iter().filter_map(|(_, frame)| parse(frame)).collect()
    }

    /// Changes the configuration of a router.
    pub fn configure(&mut self, router: usize, change: impl FnOnce(&mut RouterConfig)) {
        let node = self.node(router);
        let mut config = RouterConfig::clone(self.network.router(node).config());
        change(&mut config);
        self.network.configure(node, config);
    }

    /// Changes the EIGRP configuration of a router.
    pub fn configure_eigrp(&mut self, router: usize, change: impl FnOnce(&mut InstanceConfig)) {
        self.configure(router, |config| change(&mut config.eigrp.classic.get_mut(&AS).unwrap().global));
    }

    /// What has become of neighbors, as a router has logged it since it had written `since` entries.
    pub fn neighbor_log(&self, router: usize, since: u64) -> Vec<(Ipv4Addr, NeighborChange)> {
        let log = self.network.router(self.node(router)).log();
        log.since(since)
            .filter_map(|entry| match &entry.event {
                LogEvent::Eigrp(EigrpLogEvent::NeighborChanged { neighbor, change, .. }) => {
                    Some((*neighbor, *change))
                }
                _ => None,
            })
            .collect()
    }

    pub fn log_length(&self, router: usize) -> u64 {
        self.network.router(self.node(router)).log().written()
    }
}

fn base_config(router: usize) -> RouterConfig {
    let mut config = RouterConfig { hostname: format!("R{router}"), ..RouterConfig::default() };
    let interface = InterfaceConfig { address: Some(loopback(router)), ..InterfaceConfig::default() };
    config.interfaces.insert(port("Loopback0"), interface);
    config.eigrp.classic.entry(AS).or_default().global = everywhere();
    config
}
