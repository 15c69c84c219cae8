//! Emulated routers from their configurations.
#![allow(dead_code, reason = "each test program uses its own part")]

use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::Network;

pub fn port(name: &str) -> InterfaceName {
    name.parse().unwrap()
}

/// A router with GigabitEthernet0/0 to 0/3 and a configuration that must be taken.
pub fn add_router(network: &mut Network, name: &str, config: &str) -> NodeIndex {
    let ports = ["gi0/0", "gi0/1", "gi0/2", "gi0/3"].map(port);
    let node = network.add_router(name, &ports);
    configure(network, node, config);
    node
}

/// Adds lines to a router's configuration; all must be taken.
pub fn configure(network: &mut Network, node: NodeIndex, lines: &str) {
    let mut tree = RouterConfig::clone(network.router(node).config());
    let report = load(&mut tree, lines);
    assert!(report.refused.is_empty(), "{:?}", report.refused);
    network.configure(node, tree);
}
