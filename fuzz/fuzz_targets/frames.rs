//! Any octets as frames on a link of a router that runs OSPF.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::network::{LinkProperties, Network};

const CONFIG: &str = "interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n ip ospf network point-to-point\n\
                      router ospf 1\n network 10.0.0.0 0.0.0.255 area 0\n";

fuzz_target!(|input: &[u8]| {
    let mut network = Network::new(1);
    let port = "GigabitEthernet0/0".parse().expect("a port name");
    let node = network.add_router("R1", &[port]);
    let mut config = RouterConfig::default();
    load(&mut config, CONFIG);
    network.configure(node, config);
    let link = network.add_link(LinkProperties::ethernet(), &[(node, port)]).expect("a port of the router");
    let outside = network.add_external_port(link).expect("a link");
    network.run_for(Duration::from_secs(5));
    // A length octet before each frame.
    let mut rest = input;
    while let Some((&length, tail)) = rest.split_first() {
        let (frame, tail) = tail.split_at(usize::from(length).min(tail.len()));
        network.inject(outside, frame);
        network.run_for(Duration::from_millis(100));
        rest = tail;
    }
    network.run_for(Duration::from_secs(60));
});
