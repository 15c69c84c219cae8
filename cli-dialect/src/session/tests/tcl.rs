//! `tclsh`.

use super::*;

/// Types lines, and gives what they print.
fn typed(network: &mut Network, session: &mut Session, lines: &[&str]) -> String {
    lines.iter().map(|line| session.execute(network, line)).collect()
}

#[test]
fn puts_writes_a_file_over_several_lines() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    assert_eq!(session.execute(&mut network, "tclsh"), "");
    assert_eq!(session.prompt(&network), "R1(tcl)#");
    let said = typed(&mut network, &mut session, &[r#"puts [open "flash:new.cfg" w+] {hostname R9"#]);
    assert_eq!((said.as_str(), session.prompt(&network).as_str()), ("", "+>(tcl)#"));
    assert!(session.expects_text());
    let lines =
        ["interface Loopback9", " description is it?", "", " ip address 9.9.9.9 255.255.255.255", "}"];
    assert_eq!(typed(&mut network, &mut session, &lines), "");
    assert_eq!(session.prompt(&network), "R1(tcl)#");
    assert_eq!(typed(&mut network, &mut session, &[r#"puts [open "flash:new.cfg" a+] {end {of} file}"#]), "");
    assert_eq!(
        session.execute(&mut network, "more flash:new.cfg").trim_end(),
        "hostname R9\ninterface Loopback9\n description is it?\n\n ip address 9.9.9.9 255.255.255.255\n\nend {of} file"
    );
    session.execute(&mut network, "tclquit");
    assert_eq!(session.prompt(&network), "R1#");
}

#[test]
fn what_tcl_has_and_this_shell_does_not_is_refused_by_name() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.execute(&mut network, "tclsh");
    for (line, named) in [
        ("foreach a {1 2} {", "tclsh foreach"),
        ("set x 5", "tclsh set"),
        ("puts hello", "tclsh puts"),
        (r#"puts [open "flash:x" r] {text}"#, "tclsh puts"),
        ("ios_config \"hostname X\"", "tclsh ios_config"),
    ] {
        let said = session.execute(&mut network, line);
        assert!(said.contains("Not supported by this emulator") && said.contains(named), "{line}: {said}");
    }
    assert!(session.execute(&mut network, "show clock").contains("UTC"));
    let said = session.execute(&mut network, r#"puts [open "nvram:startup-config" w] {x}"#);
    assert!(said.contains("permission denied"), "{said}");
    session.execute(&mut network, "exit");
    assert_eq!(session.prompt(&network), "R1#");
    assert!(session.execute(&mut network, "tclsh flash:script.tcl").contains("tclsh with a script"));
}

#[test]
fn a_text_without_an_end_is_bounded_and_control_c_leaves_it() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    session.execute(&mut network, "tclsh");
    session.execute(&mut network, r#"puts [open "flash:big" w] {"#);
    let line = "x".repeat(250);
    for _ in 0..5000 {
        session.execute(&mut network, &line);
    }
    assert!(session.execute(&mut network, "}").contains("No space left"));
    session.execute(&mut network, r#"puts [open "flash:big" w] {"#);
    session.execute(&mut network, "\u{3}");
    assert_eq!(session.prompt(&network), "R1(tcl)#");
    assert!(session.execute(&mut network, "more flash:big").contains("No such file"));
}
