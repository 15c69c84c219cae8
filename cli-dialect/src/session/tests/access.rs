//! Users, privilege levels, aliases.

use super::*;

#[test]
fn users_and_secrets_are_kept_as_hashes_and_add_up() {
    let (mut network, node) = network();
    let lines = "enable secret cisco\nusername a privilege 15\nusername a secret 0 cisco\nusername b password 7 0822455D0A16\n\
                 username c nopassword\nno username c\nenable secret level 5 9 $9$x";
    assert_eq!(apply_lines(&mut network, node, lines).rejected, []);
    let text = crate::running_config::render(network.router(node).config());
    let shown: Vec<&str> =
        text.lines().filter(|l| l.starts_with("enable") || l.starts_with("username")).collect();
    let hash = shown[1].strip_prefix("enable secret 5 ").unwrap();
    assert!(hash.starts_with("$1$") && hash.len() == 30, "{hash}");
    let user = format!("username a privilege 15 secret 5 {hash}");
    assert_eq!(
        shown,
        [
            "enable secret level 5 9 $9$x",
            &format!("enable secret 5 {hash}"),
            &user,
            "username b password 7 0822455D0A16"
        ]
    );
    let refused =
        apply_lines(&mut network, node, "username a password x\nusername a autocommand show version")
            .rejected;
    assert_eq!(refused.len(), 2);
}

#[test]
fn privilege_levels_have_passwords() {
    let (mut network, node) = network();
    apply_lines(
        &mut network,
        node,
        "enable secret top\nenable password level 5 five\nusername u privilege 7 secret pw\nusername n nopassword",
    );
    let mut session = Session::new(node);
    assert_eq!(session.execute(&mut network, "enable"), "Password: ");
    assert!(session.hides_input());
    assert_eq!(session.execute(&mut network, "wrong"), "Password: ");
    assert_eq!(session.execute(&mut network, ""), "Password: ");
    assert_eq!(session.execute(&mut network, "five"), "% Bad secrets\n");
    assert!(!session.hides_input());
    session.execute(&mut network, "enable 5");
    session.execute(&mut network, "five");
    assert_eq!(session.execute(&mut network, "show privilege"), "Current privilege level is 5\n");
    assert_eq!(session.prompt(&network), "R1#");
    assert!(session.execute(&mut network, "configure terminal").contains("% Invalid input"));
    session.execute(&mut network, "enable");
    session.execute(&mut network, "top");
    assert_eq!(session.level(), Level::PRIVILEGED);
    session.execute(&mut network, "disable 3");
    assert_eq!(session.level(), Level(3));
    let access = &network.router(node).config().access;
    assert_eq!(authenticate(access, "u", "pw"), Some(Level(7)));
    assert_eq!(authenticate(access, "u", ""), None);
    assert_eq!(authenticate(access, "n", "any"), Some(Level::USER));
    assert_eq!(authenticate(access, "nobody", ""), None);
}

#[test]
fn aliases_stand_for_commands() {
    let (mut network, node) = network();
    assert_eq!(
        apply_lines(&mut network, node, "alias exec now show clock\nalias exec boom reload").rejected,
        []
    );
    let mut session = Session::privileged(node);
    assert!(session.execute(&mut network, "now").starts_with("*00:00:05"));
    assert_eq!(session.execute(&mut network, "now | count UTC"), "Number of lines which match regexp = 1\n");
    assert!(session.execute(&mut network, "show aliases").contains("  now                   show clock\n"));
    assert!(execute_read_only(&mut network, node, "now").is_ok());
    assert!(execute_read_only(&mut network, node, "boom").is_err_and(|text| text.starts_with("% Refused")));
}

#[test]
fn aliases_stand_for_lines_of_their_configuration_mode_alone() {
    let (mut network, node) = network();
    let lines = "alias configure go interface\nalias interface ipa ip address\nalias subinterface ipa description sub\n\
                 alias router rid router-id\nalias route-map m match";
    assert_eq!(apply_lines(&mut network, node, lines).rejected, []);
    let typed = "go Loopback7\nipa 7.7.7.7 255.255.255.255\ngo Loopback8\nrouter ospf 7\nrid 7.7.7.7\nroute-map X permit 10\nm ip address L";
    let applied = apply_lines(&mut network, node, typed);
    // `go` is an alias of global mode: in interface mode it is no command.
    let refused: Vec<&str> = applied.rejected.iter().map(|line| line.line.as_str()).collect();
    assert_eq!(refused, ["go Loopback8"], "{}", applied.transcript);
    let text = crate::running_config::render(network.router(node).config());
    for line in [
        "interface Loopback7",
        " ip address 7.7.7.7 255.255.255.255",
        " router-id 7.7.7.7",
        " match ip address L",
    ] {
        assert!(text.lines().any(|shown| shown == line), "{line}: {text}");
    }
    let mut again = network.router(node).config().as_ref().clone();
    assert_eq!(crate::config::load(&mut again, &text).refused, []);
    assert_eq!(again, **network.router(node).config());
    let mut session = Session::privileged(node);
    let of_interface = session.execute(&mut network, "show aliases interface");
    assert_eq!(of_interface, "Interface configuration mode aliases:\n  ipa                   ip address\n");
    let all = session.execute(&mut network, "show aliases");
    assert!(
        all.starts_with("Exec mode aliases:\n") && all.contains("Router configuration mode aliases:\n  rid ")
    );
    apply_lines(&mut network, node, "no alias interface ipa");
    assert_eq!(session.execute(&mut network, "show aliases interface"), "");
}

#[test]
fn without_a_password_only_the_console_gets_to_a_higher_level() {
    let (mut network, node) = network();
    let mut console = Session::new(node);
    assert_eq!(console.execute(&mut network, "enable"), "");
    assert_eq!(console.prompt(&network), "R1#");
    let source = "console by x on vty0 (127.0.0.1)".to_owned();
    let mut remote = Session::logged_in(node, Level::USER, source);
    assert_eq!(remote.execute(&mut network, "enable"), "% No password set\n");
    assert_eq!(remote.prompt(&network), "R1>");
}

#[test]
fn a_terminal_tells_its_settings_and_who_else_is_there() {
    let (mut network, node) = network();
    let source = "console by ann on vty1 (127.0.0.1)".to_owned();
    let mut session = Session::logged_in(node, Level::PRIVILEGED, source);
    session.execute(&mut network, "terminal length 0");
    let shown = session.execute(&mut network, "show terminal");
    assert!(
        shown.starts_with("Line 3, ") && shown.contains("Length: 0 lines, Width: 80 columns\n"),
        "{shown}"
    );
    let user = |name: &str| netconfarena_emu::router::LineUser {
        user: name.to_owned(),
        from: "127.0.0.1".to_owned(),
        last_key: network.now(),
    };
    let (ann, bob) = (user("ann"), user("bob"));
    network.router_mut(node).set_line_user(1, Some(ann));
    network.router_mut(node).set_line_user(0, Some(bob));
    let shown = session.execute(&mut network, "show users");
    assert!(
        shown.contains("\n   2 vty 0     bob        idle                 00:00:00   127.0.0.1\n"),
        "{shown}"
    );
    assert!(shown.contains("\n*  3 vty 1     ann "), "{shown}");
    network.router_mut(node).set_line_user(0, None);
    assert!(!session.execute(&mut network, "show users").contains("bob"));
}
