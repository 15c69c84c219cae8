//! Any octets on a connection of a BGP peer: from its first octet on, or behind the handshake.
#![no_main]

use std::net::Ipv4Addr;
use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use netconfarena_cli_dialect::config::load;
use netconfarena_emu::bgp::packet::{Capability, Family, Open};
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::{Asn, RouterId};
use netconfarena_emu::network::{LinkProperties, Network};

#[path = "../../emu/tests/bgp_lab/puppet.rs"]
mod puppet;

use puppet::Puppet;

const CONFIG: &str = "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\nrouter bgp 65001\n bgp graceful-restart\n \
                      bgp dampening\n bgp additional-paths receive\n neighbor 10.0.0.2 remote-as 65002\n \
                      neighbor 10.0.0.2 transport connection-mode passive\n neighbor 10.0.0.2 soft-reconfiguration inbound\n";

fuzz_target!(|input: &[u8]| {
    let Some((&how, octets)) = input.split_first() else { return };
    let mut network = Network::new(1);
    let port = "GigabitEthernet0/0".parse().expect("a port name");
    let node = network.add_router("R1", &[port]);
    let mut config = RouterConfig::default();
    load(&mut config, CONFIG);
    network.configure(node, config);
    let link = network.add_link(LinkProperties::ethernet(), &[(node, port)]).expect("a port of the router");
    let mac = network.router(node).interfaces().by_name(port).expect("a port of the router").mac;
    let router = (Ipv4Addr::new(10, 0, 0, 1), mac);
    let mut peer = Puppet::new(&mut network, link, Ipv4Addr::new(10, 0, 0, 2), router);
    network.run_for(Duration::from_secs(2));
    let mut capabilities =
        vec![Capability::Multiprotocol(Family::IPV4_UNICAST), Capability::FourOctetAs(Asn(65_002))];
    // The low bits choose what the session agrees on, and whether there is one.
    if how & 2 != 0 {
        capabilities.extend([Capability::RouteRefresh, Capability::EnhancedRouteRefresh, Capability::ExtendedMessage]);
    }
    if how & 4 != 0 {
        capabilities.push(Capability::GracefulRestart {
            restarting: false,
            notification: false,
            time: 10,
            families: vec![(Family::IPV4_UNICAST, true)],
        });
    }
    let router_id = RouterId(Ipv4Addr::new(2, 2, 2, 2));
    let open = Open { my_as: 65_002, hold_time: 90, router_id, capabilities };
    if how & 1 == 0 {
        peer.connect(&mut network);
    } else {
        peer.establish(&mut network, &open);
    }
    peer.send(&mut network, octets);
    peer.run(&mut network, Duration::from_secs(5));
    peer.abort(&mut network);
    peer.run(&mut network, Duration::from_secs(5));
    peer.establish(&mut network, &open);
    peer.run(&mut network, Duration::from_secs(200));
});
