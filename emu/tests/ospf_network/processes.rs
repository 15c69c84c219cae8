//! Several processes on one router: their router ids, and whose an interface is.

use std::time::Duration;

use netconfarena_emu::config::{InterfaceConfig, RouterConfig, Wildcard};
use netconfarena_emu::ids::{AreaId, NodeIndex, RouterId};
use netconfarena_emu::log::LogEvent;
use netconfarena_emu::network::Network;
use netconfarena_emu::ospf::{InterfaceArea, NetworkStatement, OspfConfig, OspfLogEvent};
use std::net::Ipv4Addr;

use super::lab::{addr, port};
use super::{ethernet, network, router};

/// A router with loopbacks 1.1.1.1 and 3.3.3.3, Gi0/0 10.0.0.1, and as many processes as told.
fn several_processes(count: u16) -> (RouterConfig, Network, NodeIndex) {
    let mut config = router(9, &[("lo1", "1.1.1.1/32"), ("lo3", "3.3.3.3/32"), ("gi0/0", "10.0.0.1/24")]);
    config.ospf = (1..=count).map(|process| (process, OspfConfig::default())).collect();
    let (network, nodes) = network(1, vec![RouterConfig::default(), RouterConfig::default()]);
    (config, network, nodes[0])
}

fn router_ids(network: &Network, node: NodeIndex, count: u16) -> Vec<String> {
    let id = |process| network.router(node).ospf(process).and_then(|process| process.router_id);
    (1..=count).map(|process| id(process).map_or("none".to_owned(), |id| id.to_string())).collect()
}

fn starts_refused(network: &Network, node: NodeIndex) -> Vec<u16> {
    let refused = |event: &LogEvent| match event {
        LogEvent::Ospf(OspfLogEvent::NoRouterId { process }) => Some(*process),
        _ => None,
    };
    network.router(node).log().iter().filter_map(|entry| refused(&entry.event)).collect()
}

#[test]
fn ios_a_router_id_of_another_process_is_not_taken_but_the_next_address_is() {
    let (config, mut network, node) = several_processes(4);
    let other = network.nodes().find(|&other| other != node).unwrap();
    ethernet(&mut network, &[(node, "gi0/0"), (other, "gi0/0")]);
    let mut open = RouterConfig::default();
    open.interfaces.insert(port("gi0/0"), InterfaceConfig::default());
    network.configure(other, open);
    network.configure(node, config.clone());
    network.run_for(Duration::from_secs(5));
    assert_eq!(router_ids(&network, node, 4), ["3.3.3.3", "1.1.1.1", "10.0.0.1", "none"]);
    assert_eq!(starts_refused(&network, node), [4], "said once, of the process that cannot start");

    let mut fewer = config;
    fewer.ospf.remove(&2);
    network.configure(node, fewer);
    assert_eq!(router_ids(&network, node, 4), ["3.3.3.3", "none", "10.0.0.1", "1.1.1.1"]);
    assert_eq!(starts_refused(&network, node), [4]);
}

#[test]
fn ios_a_router_id_that_another_process_is_configured_to_have_is_not_chosen() {
    let (mut config, mut network, node) = several_processes(3);
    let id = |text| Some(RouterId(addr(text)));
    config.ospf.get_mut(&2).unwrap().router_id = id("3.3.3.3");
    network.configure(node, config.clone());
    assert_eq!(router_ids(&network, node, 2), ["1.1.1.1", "3.3.3.3"]);
    // In the way of a process that runs: the one that comes later does not start.
    config.ospf.get_mut(&3).unwrap().router_id = id("1.1.1.1");
    config.interfaces.remove(&port("gi0/0"));
    network.configure(node, config);
    assert_eq!(router_ids(&network, node, 3), ["1.1.1.1", "3.3.3.3", "none"]);
    assert_eq!(starts_refused(&network, node), [3]);
}

#[test]
fn ios_a_process_without_a_router_id_starts_when_one_becomes_free() {
    let (mut config, mut network, node) = several_processes(2);
    config.interfaces.retain(|&name, _| name == port("lo1"));
    let first = config.ospf.remove(&1);
    network.configure(node, config.clone());
    config.ospf.insert(1, first.unwrap());
    network.configure(node, config.clone());
    assert_eq!(router_ids(&network, node, 2), ["none", "1.1.1.1"]);
    config.ospf.get_mut(&2).unwrap().router_id = Some(RouterId(addr("9.9.9.9")));
    network.configure(node, config);
    assert_eq!(router_ids(&network, node, 2), ["1.1.1.1", "9.9.9.9"]);
}

/// The processes that run on Gi0/0.
fn holders(network: &Network, node: NodeIndex) -> Vec<u16> {
    let runs_on = |process: &u16| {
        let process = network.router(node).ospf(*process);
        process.is_some_and(|process| {
            process.interfaces.values().any(|i| i.name.to_string() == "GigabitEthernet0/0")
        })
    };
    (1..=3).filter(runs_on).collect()
}

#[test]
fn ios_an_interface_runs_the_process_that_came_first_or_the_one_that_its_own_command_names() {
    let (mut config, mut network, node) = several_processes(3);
    config.ospf.get_mut(&3).unwrap().router_id = Some(RouterId(addr("9.9.9.9")));
    let everything = Wildcard::new(Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST);
    let statement = NetworkStatement { wildcard: everything, area: AreaId(0) };
    let with = |config: &mut RouterConfig, process: u16, networks: Vec<NetworkStatement>| {
        config.ospf.get_mut(&process).unwrap().networks = networks;
    };
    with(&mut config, 2, vec![statement]);
    network.configure(node, config.clone());
    assert_eq!(holders(&network, node), [2]);
    for later in [1, 3] {
        with(&mut config, later, vec![statement]);
        network.configure(node, config.clone());
        assert_eq!(holders(&network, node), [2], "process {later} comes too late");
    }
    let own = &mut config.interfaces.get_mut(&port("gi0/0")).unwrap().ospf.area;
    *own = Some(InterfaceArea { process: 3, area: AreaId(0), no_secondaries: false });
    network.configure(node, config.clone());
    assert_eq!(holders(&network, node), [3]);
    config.interfaces.get_mut(&port("gi0/0")).unwrap().ospf.area = None;
    config.ospf.remove(&3);
    network.configure(node, config.clone());
    let [holder] = holders(&network, node)[..] else { panic!("one of the two is left with it") };
    with(&mut config, holder, Vec::new());
    network.configure(node, config);
    assert_eq!(holders(&network, node), [3 - holder], "what one leaves the other takes");
}
