//! Any octets on a telnet connection to a router: the protocol, the login, the line discipline, the commands.
#![no_main]

use libfuzzer_sys::fuzz_target;
use netconfarena::console::telnet::Telnet;
use netconfarena::console::terminal::{Credentials, Place, Terminal};
use netconfarena_cli_dialect::session::Line;
use netconfarena_emu::network::Network;

fuzz_target!(|input: &[u8]| {
    let mut network = Network::new(1);
    let ports = ["GigabitEthernet0/0", "Serial0/0/0"].map(|name| name.parse().expect("a port name"));
    let node = network.add_router("R1", &ports);
    let credentials = Credentials { user: "a".to_owned(), password: "b".to_owned() };
    let place = Place { node, line: Line::Vty(0), from: None };
    let mut out = String::new();
    let mut terminal = Terminal::with_login(&network, place, credentials, &mut out);
    let (login, rest) = input.split_first().map_or((&0, input), |(first, rest)| (first, rest));
    if login & 1 == 1 {
        terminal.input(&mut network, b"a\rb\r", &mut out);
    }
    let decoded = Telnet::default().decode(rest);
    if let Some((columns, lines)) = decoded.window {
        terminal.resize(&network, columns.into(), lines.into());
    }
    out.clear();
    terminal.input(&mut network, &decoded.typed, &mut out);
    terminal.messages(&network, &mut out);
});
