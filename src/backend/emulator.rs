//! The emulator as a backend.

use std::collections::{BTreeMap, BTreeSet};
use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_cli_dialect::config::{self, Complaint};
use netconfarena_cli_dialect::running_config;
use netconfarena_cli_dialect::session::{apply_lines, execute_read_only};
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::forwarding::{PingRequest, ProbeResult};
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::interface::InterfaceKind;
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::time::Time;
use serde_json::Value;

use super::{Applied, Backend, BackendError, Deployment, Executed};
use crate::instance::{Instance, Link};

/// Runs networks in this process and in virtual time.
#[derive(Clone, Copy, Debug)]
pub struct Emulator {
    /// How long a network may take to come to rest.
    pub convergence_cap: Duration,
}

impl Default for Emulator {
    fn default() -> Self {
        Self { convergence_cap: Network::DEFAULT_CONVERGENCE_CAP }
    }
}

/// An emulated network.
#[derive(Clone, Debug)]
pub struct EmulatedNetwork {
    /// The network.
    pub network: Network,
    /// Routers by name.
    pub nodes: BTreeMap<String, NodeIndex>,
    /// Links by the name that the template gives them.
    pub links: BTreeMap<String, LinkIndex>,
    convergence_cap: Duration,
}

impl Backend for Emulator {
    fn name(&self) -> &'static str {
        "emulator"
    }

    fn deploy(&self, instance: &Instance) -> Result<Box<dyn Deployment>, BackendError> {
        let mut deployed = self.build(instance)?;
        deployed.network.run_until_converged(self.convergence_cap);
        Ok(Box::new(deployed))
    }
}

impl Emulator {
    /// The network of an instance with its startup configurations, before any time has passed.
    ///
    /// # Errors
    /// The network cannot be built.
    pub fn build(&self, instance: &Instance) -> Result<EmulatedNetwork, BackendError> {
        let mut deployed = EmulatedNetwork {
            network: Network::new(instance.name.seed),
            nodes: BTreeMap::new(),
            links: BTreeMap::new(),
            convergence_cap: self.convergence_cap,
        };
        for node in &instance.nodes {
            let index = deployed.network.add_router(&node.name, &node.ports);
            deployed.nodes.insert(node.name.clone(), index);
        }
        instance.links.iter().try_for_each(|link| deployed.join(link))?;
        for (host, text) in &instance.startup {
            deployed.start(host, text)?;
        }
        Ok(deployed)
    }
}

impl EmulatedNetwork {
    fn node(&self, host: &str) -> Result<NodeIndex, BackendError> {
        let unknown = || BackendError::UnknownHost {
            host: host.to_owned(),
            known: self.nodes.keys().cloned().collect(),
        };
        self.nodes.get(host).copied().ok_or_else(unknown)
    }

    fn join(&mut self, link: &Link) -> Result<(), BackendError> {
        let properties = match link.medium {
            InterfaceKind::Serial => LinkProperties::serial(),
            _ => LinkProperties::ethernet(),
        };
        let ends = link.ends.iter().map(|end| Ok((self.node(&end.node)?, end.interface)));
        let ends = ends.collect::<Result<Vec<_>, BackendError>>()?;
        let index = self
            .network
            .add_link(properties, &ends)
            .map_err(|error| BackendError::Topology(format!("link {}: {error}", link.name)))?;
        self.links.insert(link.name.clone(), index);
        Ok(())
    }

    /// Loads and saves a startup configuration.
    fn start(&mut self, host: &str, text: &str) -> Result<(), BackendError> {
        let node = self.node(host)?;
        let mut config = RouterConfig::clone(self.network.router(node).config());
        let report = config::load(&mut config, text);
        if !report.refused.is_empty() {
            let refused = report.refused.iter().map(ToString::to_string).collect();
            return Err(BackendError::Startup { host: host.to_owned(), refused });
        }
        self.network.configure(node, config);
        self.network.router_mut(node).save_config();
        Ok(())
    }
}

/// Commands that list adjacencies and sessions, each with what it calls the neighbor and its state.
const NEIGHBORS: [(&str, &str, &str); 3] = [
    ("show ip ospf neighbor", "neighbor_id", "state"),
    ("show ip eigrp neighbors", "address", ""),
    ("show ip bgp summary", "neighbor", "state"),
];

/// What a row of neighbors says, from least to most: a neighbor that is adjacent is heard too. A neighbor that is known and not
/// heard is nothing that works. Which of two routers is designated is left out, since either is as good.
fn levels(state: &str) -> &'static [&'static str] {
    match state {
        "2WAY" => &["hears"],
        "" | "FULL" | "Established" => &["hears", "is adjacent to"],
        _ => &[],
    }
}

impl EmulatedNetwork {
    /// Which router reaches which address of the others, by ping.
    fn reachability(&mut self) -> BTreeSet<String> {
        let mut addresses: BTreeSet<(Ipv4Addr, NodeIndex)> = BTreeSet::new();
        for &node in self.nodes.values() {
            let interfaces = self.network.router(node).interfaces().iter();
            let up = interfaces.filter(|interface| interface.line_protocol);
            addresses.extend(up.filter_map(|i| i.address).map(|address| (address.addr(), node)));
        }
        let mut facts = BTreeSet::new();
        for (name, &node) in &self.nodes {
            for &(address, owner) in addresses.iter().filter(|(_, owner)| *owner != node) {
                // The first request may be lost to ARP.
                let request =
                    PingRequest { count: 2, timeout: Duration::from_secs(1), ..PingRequest::new(address) };
                let report = self.network.ping(node, &request);
                if report.results.iter().any(|result| matches!(result, ProbeResult::Reply { .. })) {
                    let owner = self.network.router(owner).name();
                    facts.insert(format!("{name} reaches {address} of {owner}"));
                }
            }
        }
        facts
    }
}

impl Deployment for EmulatedNetwork {
    fn running_config(&mut self, host: &str) -> Result<String, BackendError> {
        let node = self.node(host)?;
        Ok(running_config::render(self.network.router(node).config()))
    }

    fn apply(&mut self, host: &str, lines: &str) -> Result<Applied, BackendError> {
        let node = self.node(host)?;
        let applied = apply_lines(&mut self.network, node, lines);
        let unsupported = applied.rejected.iter().filter_map(|line| match &line.complaint {
            Complaint::Unsupported(command) => Some(command.clone()),
            Complaint::Syntax(_) | Complaint::Refused(_) => None,
        });
        Ok(Applied {
            unsupported: unsupported.collect(),
            rejected: applied.rejected.len(),
            transcript: applied.transcript,
        })
    }

    fn execute(&mut self, host: &str, command: &str) -> Result<Executed, BackendError> {
        let node = self.node(host)?;
        Ok(match execute_read_only(&mut self.network, node, command) {
            Ok(text) => Executed::Output(text),
            Err(text) => Executed::Refused(text),
        })
    }

    fn wait(&mut self, span: Duration) -> Result<(), BackendError> {
        self.network.run_for(span);
        Ok(())
    }

    fn settle(&mut self) -> Result<bool, BackendError> {
        Ok(self.network.run_until_converged(self.convergence_cap).converged)
    }

    fn cut(&mut self, link: &str) -> Result<(), BackendError> {
        let unknown = || BackendError::Topology(format!("there is no link `{link}`"));
        let index = *self.links.get(link).ok_or_else(unknown)?;
        self.network.set_link_up(index, false);
        Ok(())
    }

    fn facts(&mut self) -> Result<BTreeSet<String>, BackendError> {
        let mut facts = self.reachability();
        for host in self.nodes.keys().cloned().collect::<Vec<_>>() {
            for (command, neighbor, state) in NEIGHBORS {
                let Ok(Value::Array(rows)) = self.query(&host, command)? else { continue };
                for row in rows {
                    let field = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
                    for level in levels(field(state)) {
                        facts.insert(format!("{host} {level} {} in `{command}`", field(neighbor)));
                    }
                }
            }
        }
        Ok(facts)
    }

    fn elapsed(&self) -> Duration {
        self.network.now().since(Time::ZERO)
    }

    fn fork(&self) -> Option<Box<dyn Deployment>> {
        Some(Box::new(self.clone()))
    }
}
