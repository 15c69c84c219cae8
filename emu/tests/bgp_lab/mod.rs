//! Networks of BGP routers for tests: configurations in few words, and what the routers make of them.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking; each test file uses a part of this"
)]

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::fsm::State;
use netconfarena_emu::bgp::{
    BgpConfig, BgpProcess, Instance, Neighbor, NetworkStatement, Path, Peer, PeerKey,
};
use netconfarena_emu::config::{InterfaceConfig, RouterConfig, StaticRoute, StaticTarget};
use netconfarena_emu::ids::{Asn, LinkIndex, NodeIndex, RouterId, VrfId};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::rib::TableId;

pub fn net(text: &str) -> Ipv4Net {
    text.parse().unwrap()
}

pub fn addr(text: &str) -> Ipv4Addr {
    text.parse().unwrap()
}

pub fn port(name: &str) -> InterfaceName {
    name.parse().unwrap()
}

/// Routers by name, joined by Ethernet cables.
pub struct Lab {
    pub network: Network,
    pub configs: BTreeMap<String, RouterConfig>,
    pub links: BTreeMap<(String, String), LinkIndex>,
    ports: BTreeMap<String, u32>,
}

impl Lab {
    /// Routers named in one word each, with their AS.
    pub fn new(routers: &[(&str, u32)]) -> Self {
        let mut network = Network::new(7);
        let ports: Vec<InterfaceName> = (0..8).map(|n| port(&format!("GigabitEthernet0/{n}"))).collect();
        let mut configs = BTreeMap::new();
        for (name, asn) in routers {
            network.add_router(name, &ports);
            let mut config = RouterConfig { hostname: (*name).to_owned(), ..RouterConfig::default() };
            if *asn != 0 {
                config.bgp = Some(BgpConfig::new(Asn(*asn)));
            }
            configs.insert((*name).to_owned(), config);
        }
        Self { network, configs, links: BTreeMap::new(), ports: BTreeMap::new() }
    }

    pub fn node(&self, name: &str) -> NodeIndex {
        self.network.node(name).unwrap()
    }

    fn next_port(&mut self, name: &str) -> InterfaceName {
        let count = self.ports.entry(name.to_owned()).or_default();
        *count += 1;
        port(&format!("GigabitEthernet0/{}", *count - 1))
    }

    /// A cable, with an address at each end.
    pub fn cable(&mut self, a: (&str, &str), b: (&str, &str)) -> &mut Self {
        self.segment(&[a, b])
    }

    /// A cable or a switch, with an address at each end.
    pub fn segment(&mut self, ends: &[(&str, &str)]) -> &mut Self {
        let mut plugs = Vec::new();
        for (name, address) in ends {
            let port = self.next_port(name);
            plugs.push((self.node(name), port));
            self.address(name, &port.to_string(), address);
        }
        let link = self.network.add_link(LinkProperties::ethernet(), &plugs).unwrap();
        self.links.insert((ends[0].0.to_owned(), ends[1].0.to_owned()), link);
        self
    }

    pub fn address(&mut self, router: &str, interface: &str, address: &str) -> &mut Self {
        let config = self.configs.get_mut(router).unwrap();
        let address = Some(net(address));
        config.interfaces.insert(port(interface), InterfaceConfig { address, ..InterfaceConfig::default() });
        self
    }

    /// Loopback0, and the router id.
    pub fn loopback(&mut self, router: &str, address: &str) -> &mut Self {
        self.address(router, "Loopback0", &format!("{address}/32"))
    }

    pub fn route(&mut self, router: &str, prefix: &str, target: &str) -> &mut Self {
        let target = match target.parse() {
            Ok(address) => StaticTarget::NextHop(address),
            Err(_) => StaticTarget::Interface(port(target)),
        };
        let route = StaticRoute {
            vrf: None,
            prefix: net(prefix),
            target,
            distance: 1,
            tag: 0,
            name: None,
            permanent: false,
            track: None,
        };
        self.configs.get_mut(router).unwrap().static_routes.insert(route);
        self
    }

    pub fn bgp(&mut self, router: &str) -> &mut BgpConfig {
        self.configs.get_mut(router).unwrap().bgp.as_mut().unwrap()
    }

    pub fn neighbor(&mut self, router: &str, address: &str) -> &mut Neighbor {
        let fresh = || Neighbor { active: true, ..Neighbor::default() };
        self.bgp(router).global.neighbors.entry(addr(address)).or_insert_with(fresh)
    }

    /// `neighbor ADDRESS remote-as ASN`.
    pub fn peer(&mut self, router: &str, address: &str, asn: u32) -> &mut Self {
        self.neighbor(router, address).session.remote_as = Some(Asn(asn));
        self
    }

    /// A session over loopbacks: `remote-as`, `update-source Loopback0`.
    pub fn loopback_peer(&mut self, router: &str, address: &str, asn: u32) -> &mut Self {
        self.peer(router, address, asn);
        self.neighbor(router, address).session.update_source = Some(port("Loopback0"));
        self
    }

    /// `network PREFIX`, with a static route to Null0.
    pub fn originate(&mut self, router: &str, prefix: &str) -> &mut Self {
        self.route(router, prefix, "Null0");
        self.bgp(router).global.ipv4.networks.insert(net(prefix), NetworkStatement::default());
        self
    }

    pub fn router_id(&mut self, router: &str, id: &str) -> &mut Self {
        let id = netconfarena_emu::bgp::RouterIdSource::Address(RouterId(addr(id)));
        self.bgp(router).router_id = Some(id);
        self
    }

    /// Applies the configurations, and runs for a while.
    pub fn run(&mut self, seconds: u64) -> &mut Self {
        self.apply();
        self.network.run_for(Duration::from_secs(seconds));
        self
    }

    pub fn apply(&mut self) {
        for (name, config) in &self.configs {
            let node = self.network.node(name).unwrap();
            let mut config = config.clone();
            // What has no line here is shut down.
            let known = self.network.router(node).config();
            for (name, interface) in &known.interfaces {
                config.interfaces.entry(*name).or_insert_with(|| interface.clone());
            }
            if config != **known {
                self.network.configure(node, config);
            }
        }
    }

    pub fn process(&self, router: &str) -> &BgpProcess {
        self.network.router(self.node(router)).bgp().unwrap()
    }

    pub fn instance(&self, router: &str) -> &Instance {
        self.process(router).instance(VrfId::GLOBAL).unwrap()
    }

    pub fn peer_of(&self, router: &str, address: &str) -> &Peer {
        self.process(router).peer(PeerKey { vrf: VrfId::GLOBAL, address: addr(address) }).unwrap()
    }

    pub fn state(&self, router: &str, address: &str) -> State {
        self.peer_of(router, address).state()
    }

    /// The best path to a destination.
    pub fn best(&self, router: &str, prefix: &str) -> Option<&Path> {
        self.instance(router).table.get(net(prefix))?.best_path()
    }

    /// The AS path of the best path; `None` if there is none.
    pub fn as_path(&self, router: &str, prefix: &str) -> Option<String> {
        self.best(router, prefix).map(|path| path.attributes.as_path.to_string())
    }

    /// The peer that the best path comes from.
    pub fn best_from(&self, router: &str, prefix: &str) -> Option<String> {
        self.best(router, prefix).map(|path| path.peer_address().to_string())
    }

    /// The next hops of the route in use, with its distance.
    pub fn route_of(&self, router: &str, prefix: &str) -> Option<(u8, Vec<String>)> {
        let rib = self.network.router(self.node(router)).rib();
        let route = rib.best(TableId::default(), net(prefix))?;
        let hops = route.next_hops.iter().filter_map(|hop| hop.address).map(|a| a.to_string()).collect();
        Some((route.distance, hops))
    }

    /// What a router has logged of BGP.
    pub fn log(&self, router: &str) -> Vec<netconfarena_emu::bgp::BgpLogEvent> {
        let log = self.network.router(self.node(router)).log();
        log.iter()
            .filter_map(|entry| match &entry.event {
                LogEvent::Bgp(event) => Some(event.clone()),
                _ => None,
            })
            .collect()
    }
}
