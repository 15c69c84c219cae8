//! No line of anybody does harm.

use proptest::prelude::*;

use super::*;

/// Lines that get somewhere: words of commands in any order, with anything between.
fn line() -> impl Strategy<Value = String> {
    let words = [
        "show",
        "ip",
        "route",
        "configure",
        "terminal",
        "router",
        "ospf",
        "1",
        "interface",
        "Lo0",
        "end",
        "exit",
        "do",
        "ping",
        "2.2.2.2",
        "repeat",
        "2",
        "|",
        "include",
        "reload",
        "yes",
        "no",
        "copy",
        "running-config",
        "startup-config",
        "banner",
        "motd",
        "#",
        "?",
        "\u{1a}",
        "clear",
        "logging",
        "write",
        "network",
        "10.0.0.0",
        "0.0.0.255",
        "area",
        "0",
        "default",
    ];
    let known = prop::sample::select(words.to_vec()).prop_map(str::to_owned);
    prop::collection::vec(prop_oneof![8 => known, 1 => ".*"], 0..8).prop_map(|words| words.join(" "))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_line_panics_in_any_mode(lines in prop::collection::vec(line(), 0..12), raw in ".{0,5000}") {
        let (mut network, node) = network();
        let mut session = Session::new(node);
        session.execute(&mut network, "enable");
        for line in lines.iter().chain([&raw]) {
            let _ = (session.help(&network, line), session.complete(line));
            session.execute(&mut network, line);
            let _ = session.prompt(&network);
        }
        apply_lines(&mut network, node, &lines.join("\n"));
        for line in &lines {
            let _ = execute_read_only(&mut network, node, line);
        }
    }

    #[test]
    fn a_session_survives_being_stored(lines in prop::collection::vec(line(), 0..6)) {
        let (mut network, node) = network();
        let mut session = Session::privileged(node);
        for line in &lines {
            session.execute(&mut network, line);
        }
        let stored = serde_json::to_string(&session).unwrap();
        prop_assert_eq!(serde_json::from_str::<Session>(&stored).unwrap(), session);
    }
}
