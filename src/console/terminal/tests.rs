use netconfarena_cli_dialect::session::apply_lines;
use netconfarena_emu::network::LinkProperties;
use proptest::prelude::*;

use super::*;

const LAB: (&str, &str) = ("admin", "cisco");

/// A new terminal at a router.
fn at(network: &Network, node: NodeIndex) -> (Terminal, String) {
    let credentials = Credentials { user: LAB.0.to_owned(), password: LAB.1.to_owned() };
    let mut out = String::new();
    (Terminal::with_login(network, place(node), credentials, &mut out), out)
}

fn place(node: NodeIndex) -> Place {
    Place { node, line: Line::Vty(0), from: Some("127.0.0.1".to_owned()) }
}

fn terminal() -> (Network, Terminal, String) {
    let mut network = Network::new(1);
    let node = network.add_router("R1", &["GigabitEthernet0/0".parse().unwrap()]);
    let (terminal, out) = at(&network, node);
    (network, terminal, out)
}

/// What a terminal shows while keys are typed, after the login.
fn session(keys: &str) -> String {
    let (mut network, mut terminal, _) = terminal();
    let mut out = String::new();
    terminal.input(&mut network, b"admin\rcisco\r", &mut out);
    out.clear();
    terminal.input(&mut network, keys.as_bytes(), &mut out);
    out
}

#[test]
fn a_login_is_asked_for_three_times() {
    let (mut network, mut terminal, mut out) = terminal();
    assert!(out.ends_with("User Access Verification\r\n\r\nUsername: "));
    terminal.input(&mut network, b"admin\rwrong\r", &mut out);
    assert!(out.ends_with("Username: admin\r\nPassword: \r\n% Login invalid\r\n\r\nUsername: "), "{out}");
    terminal.input(&mut network, b"admin\ncisco\n", &mut out);
    assert!(out.ends_with("Password: \r\nR1#"), "{out}");
    let (mut network, mut terminal, mut out) = super::tests::terminal();
    terminal.input(&mut network, &b"x\rx\r".repeat(3), &mut out);
    assert!(terminal.is_closed());
}

#[test]
fn lines_are_echoed_answered_and_invited_again() {
    assert_eq!(session("show privilege\r\n"), "show privilege\r\nCurrent privilege level is 15\r\nR1#");
    assert_eq!(session("conf t\rhostname X\r\u{1a}").lines().last(), Some("X#"));
    assert_eq!(session("sho\t"), "show ");
    let help = session("show cl?");
    assert_eq!(help, "show cl?\r\nclass-map  clock\r\nR1#show cl");
    assert_eq!(session("reload\r"), "reload\r\n\r\nSystem configuration has been modified. Save? [yes/no]: ");
}

#[test]
fn long_outputs_come_in_pages() {
    let page = session("show running-config\r");
    assert!(page.ends_with("\r\n --More-- "), "{page}");
    assert_eq!(page.matches("\r\n").count(), 24);
    assert!(session("show running-config\rq").ends_with(&format!(" --More-- {NO_MORE}R1#")));
    let line = session("show running-config\r\r");
    assert_eq!(line.matches("\r\n").count(), 25);
    assert!(session("terminal length 0\rshow running-config\r").ends_with("end\r\n\r\nR1#"));
    assert!(session("show running-config\r          ").ends_with("end\r\n\r\nR1#         "));
}

#[test]
fn a_key_answers_where_one_is_asked_for() {
    let shown = session("clear counters\ryshow priv\r");
    assert!(shown.contains("[confirm]\r\nR1#show priv\r\n"), "{shown}");
}

#[test]
fn messages_appear_above_the_line() {
    let (mut network, mut terminal, mut out) = terminal();
    terminal.input(&mut network, b"admin\rcisco\rterminal monitor\rconf t\rend\rshow", &mut out);
    out.clear();
    terminal.messages(&network, &mut out);
    assert!(out.contains("Configured from console by admin on vty0 (127.0.0.1)\r\nR1#show"), "{out}");
}

/// What a terminal shows while keys are typed, from its login on, at a router that was configured by `lines`.
fn at_configured(lines: &str, keys: &str) -> (String, bool) {
    let (mut network, first, _) = terminal();
    let node = first.place().node;
    let applied = apply_lines(&mut network, node, lines);
    assert!(applied.rejected.is_empty(), "{:?}", applied.rejected);
    let (mut terminal, mut out) = at(&network, node);
    terminal.input(&mut network, keys.as_bytes(), &mut out);
    (out, terminal.is_closed())
}

#[test]
fn a_line_asks_for_what_its_configuration_wants() {
    let (shown, _) = at_configured("line vty 0 4\n no login\n", "show priv\r");
    assert_eq!(shown, "R1>show priv\r\nCurrent privilege level is 1\r\nR1>");
    let line = "line vty 0 4\n password cisco\n login\n privilege level 15\n";
    let (shown, _) = at_configured(line, "wrong\rcisco\r");
    assert_eq!(shown, "\r\nUser Access Verification\r\n\r\nPassword: \r\nPassword: \r\nR1#");
    let (shown, closed) = at_configured(line, "a\rb\rc\r");
    assert!(shown.ends_with("Password: \r\n% Bad passwords\r\n") && closed, "{shown}");
    let users = "username ann privilege 15 secret one\nusername bob secret two\nline vty 0 4\n login local\n";
    assert!(at_configured(users, "ann\rone\r").0.ends_with("\r\nR1#"));
    assert!(at_configured(users, "bob\rtwo\r").0.ends_with("\r\nR1>"));
    assert!(at_configured(users, "bob\rone\r").0.contains("% Login invalid"));
}

#[test]
fn the_window_gives_the_length_unless_the_line_does() {
    let (mut network, mut terminal, mut out) = terminal();
    terminal.resize(&network, 132, 6);
    terminal.input(&mut network, b"admin\rcisco\r", &mut out);
    out.clear();
    terminal.input(&mut network, b"show running-config\r", &mut out);
    assert_eq!(out.matches("\r\n").count(), 6, "{out}");
    let node = terminal.place().node;
    apply_lines(&mut network, node, "line vty 0 4\n length 10\n");
    let (mut terminal, mut out) = at(&network, node);
    terminal.resize(&network, 132, 6);
    terminal.input(&mut network, b"admin\rcisco\r", &mut out);
    out.clear();
    terminal.input(&mut network, b"show running-config\r", &mut out);
    assert_eq!(out.matches("\r\n").count(), 10, "{out}");
}

#[test]
fn a_login_that_takes_too_long_is_given_up() {
    let (_, mut terminal, mut out) = terminal();
    assert!(terminal.asks_who());
    out.clear();
    terminal.give_up(&mut out);
    assert_eq!((out.as_str(), terminal.is_closed()), ("\r\n% Username:  timeout expired!\r\n", true));
}

#[test]
fn much_output_waits_until_what_was_printed_has_gone_out() {
    let (mut network, mut terminal, mut out) = terminal();
    terminal.input(&mut network, b"admin\rcisco\rterminal length 0\r", &mut out);
    let keys = b"show running-config\r".repeat(5000);
    let mut rest = &keys[..];
    let mut rounds = 0;
    while !rest.is_empty() {
        out.clear();
        let taken = terminal.input(&mut network, rest, &mut out);
        assert!(taken > 0 && out.len() < 2 * PRINTED_AT_ONCE);
        rest = &rest[taken..];
        rounds += 1;
        if rounds > 3 {
            return;
        }
    }
    panic!("all at once");
}

#[test]
fn banners_greet() {
    let (mut network, mut terminal, mut out) = terminal();
    let lines = b"admin\rcisco\rconf t\rbanner motd #Hello\rall#\rbanner exec #In#\rend\r";
    terminal.input(&mut network, lines, &mut out);
    out.clear();
    let place = terminal.place().clone();
    Terminal::of_user(&network, place, "admin", Level::USER, &mut out);
    assert_eq!(out, "Hello\r\nall\r\nIn\r\nR1>");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_keys_panic(keys in prop::collection::vec(any::<u8>(), 0..400), logged_in in any::<bool>()) {
        let (mut network, mut terminal, mut out) = terminal();
        if logged_in {
            terminal.input(&mut network, b"admin\rcisco\r", &mut out);
        }
        terminal.input(&mut network, &keys, &mut out);
        terminal.messages(&network, &mut out);
    }
}

#[test]
fn a_control_caret_and_an_x_lead_back_from_another_router() {
    let mut network = Network::new(1);
    let port = "GigabitEthernet0/0".parse().unwrap();
    let [first, second] = ["R1", "R2"].map(|name| network.add_router(name, &[port]));
    network.add_link(LinkProperties::ethernet(), &[(first, port), (second, port)]).unwrap();
    let address =
        |host: u8| format!("interface gi0/0\nip address 10.0.0.{host} 255.255.255.0\nno shutdown\n");
    apply_lines(&mut network, first, &address(1));
    apply_lines(&mut network, second, &(address(2) + "line vty 0 4\nno login\ntransport input telnet\n"));
    network.run_for(std::time::Duration::from_secs(5));
    let (mut terminal, mut out) = at(&network, first);
    let mut typed = |keys: &str| {
        out.clear();
        terminal.input(&mut network, keys.as_bytes(), &mut out);
        out.clone()
    };
    typed("admin\rcisco\r");
    assert_eq!(typed("telnet 10.0.0.2\r"), "telnet 10.0.0.2\r\nTrying 10.0.0.2 ... Open\r\nR2>");
    assert_eq!(typed("show pri\t\r"), "show privilege \r\nCurrent privilege level is 1\r\nR2>");
    assert_eq!(typed("\u{1e}x"), "\r\nR1#");
    assert!(typed("show sessions\r").contains("*  1 10.0.0.2"));
    assert_eq!(typed("disconnect\r\r"), "disconnect\r\nClosing connection to 10.0.0.2 [confirm]\r\nR1#");
}
