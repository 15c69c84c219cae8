//! Any octets typed at a router's console, line by line: commands, help and completion.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::network::Network;

fuzz_target!(|input: &[u8]| {
    let mut network = Network::new(1);
    let ports = ["GigabitEthernet0/0", "Serial0/0/0"].map(|name| name.parse().expect("a port name"));
    let node = network.add_router("R1", &ports);
    let mut session = Session::privileged(node);
    for line in String::from_utf8_lossy(input).split('\n').take(64) {
        let _ = session.help(&network, line);
        let _ = session.complete(line);
        let _ = session.execute(&mut network, line);
        let _ = session.prompt(&network);
    }
});
