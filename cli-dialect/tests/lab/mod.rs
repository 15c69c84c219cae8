//! Networks of routers configured by their text, for tests of what configurations do.
#![allow(dead_code, reason = "each test program uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_cli_dialect::config::load;
use netconfarena_cli_dialect::syslog;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::forwarding::{PingReport, PingRequest, ProbeResult, TraceProbe, TracerouteRequest};
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::rib::{Route, TableId};

/// A network whose routers are known by name.
pub struct Lab {
    pub network: Network,
    nodes: BTreeMap<String, NodeIndex>,
    links: Vec<LinkIndex>,
}

impl Lab {
    /// Routers by name with their configurations, and Ethernet links between ports (`R1 gi0/0`), two or more a link. Every router has
    /// GigabitEthernet0/0 to 0/5.
    pub fn new(seed: u64, routers: &[(&str, &str)], links: &[&[&str]]) -> Self {
        let mut network = Network::new(seed);
        let ports: Vec<InterfaceName> =
            (0..6).map(|n| format!("GigabitEthernet0/{n}").parse().unwrap()).collect();
        let nodes: BTreeMap<String, NodeIndex> =
            routers.iter().map(|(name, _)| ((*name).to_owned(), network.add_router(name, &ports))).collect();
        let links = links
            .iter()
            .map(|ends| {
                let plugs: Vec<(NodeIndex, InterfaceName)> = ends
                    .iter()
                    .map(|end| {
                        let (name, port) = end.split_once(' ').unwrap();
                        (nodes[name], port.parse().unwrap())
                    })
                    .collect();
                network.add_link(LinkProperties::ethernet(), &plugs).unwrap()
            })
            .collect();
        let mut lab = Self { network, nodes, links };
        for (name, text) in routers {
            lab.configure(name, text);
        }
        lab
    }

    pub fn node(&self, name: &str) -> NodeIndex {
        self.nodes[name]
    }

    pub fn link(&self, number: usize) -> LinkIndex {
        self.links[number]
    }

    /// Adds lines to a router's configuration; all must be taken.
    pub fn configure(&mut self, name: &str, text: &str) {
        let node = self.node(name);
        let mut config = RouterConfig::clone(self.network.router(node).config());
        let report = load(&mut config, text);
        assert!(report.refused.is_empty(), "{name}: {:?}", report.refused);
        self.network.configure(node, config);
    }

    pub fn run(&mut self, seconds: u64) {
        self.network.run_for(Duration::from_secs(seconds));
    }

    pub fn ping_from(&mut self, name: &str, source: Option<&str>, to: &str) -> PingReport {
        let request = PingRequest {
            source: source.map(|address| address.parse().unwrap()),
            ..PingRequest::new(to.parse().unwrap())
        };
        let node = self.node(name);
        self.network.ping(node, &request)
    }

    /// Whether a ping of five gets at least four replies (the first may wait for ARP).
    pub fn reaches(&mut self, name: &str, to: &str) -> bool {
        self.reaches_from(name, None, to)
    }

    pub fn reaches_from(&mut self, name: &str, source: Option<&str>, to: &str) -> bool {
        let report = self.ping_from(name, source, to);
        report.results.iter().filter(|result| matches!(result, ProbeResult::Reply { .. })).count() >= 4
    }

    /// The addresses that answer a traceroute, hop by hop.
    pub fn path(&mut self, name: &str, source: Option<&str>, to: &str) -> Vec<String> {
        let node = self.node(name);
        let request = TracerouteRequest {
            source: source.map(|address| address.parse().unwrap()),
            ..TracerouteRequest::new(to.parse().unwrap())
        };
        let report = self.network.traceroute(node, &request);
        let answer = |probes: &[TraceProbe]| {
            probes.iter().find_map(|probe| match probe {
                TraceProbe::Answer { address, .. } => Some(address.to_string()),
                TraceProbe::Timeout => None,
            })
        };
        report.hops.iter().map(|hop| answer(&hop.probes).unwrap_or_else(|| "*".to_owned())).collect()
    }

    /// The log of a router from an entry on.
    pub fn log(&self, name: &str) -> Vec<String> {
        let router = self.network.router(self.node(name));
        router.log().iter().map(|entry| syslog::message(&entry.event)).collect()
    }

    /// The best route to a prefix.
    pub fn route(&self, name: &str, prefix: &str) -> Option<&Route> {
        self.network.router(self.node(name)).rib().best(TableId::default(), prefix.parse().unwrap())
    }

    /// The next hops of the best route to a prefix.
    pub fn next_hops(&self, name: &str, prefix: &str) -> Vec<Ipv4Addr> {
        let hops = self.route(name, prefix).map(|route| route.next_hops.iter().filter_map(|hop| hop.address));
        hops.into_iter().flatten().collect()
    }
}
