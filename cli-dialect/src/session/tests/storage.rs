//! Configurations, files, restarts.

use super::*;

#[test]
fn questions_wait_for_an_answer() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    assert_eq!(
        session.execute(&mut network, "reload"),
        "\nSystem configuration has been modified. Save? [yes/no]: "
    );
    assert_eq!(session.prompt(&network), "");
    assert!(session.execute(&mut network, "").starts_with("% Please answer 'yes' or 'no'.\n\nSystem"));
    assert!(session.execute(&mut network, "what").starts_with("% Please answer 'yes' or 'no'.\n\nSystem"));
    assert!(session.execute(&mut network, "yes").ends_with("[OK]\nProceed with reload? [confirm]"));
    assert_eq!(session.execute(&mut network, "n"), "");
    assert_eq!(session.prompt(&network), "R1#");
    assert_eq!(session.execute(&mut network, "clear ip ospf process"), "Reset ALL OSPF processes? [no]: ");
    assert_eq!(session.execute(&mut network, ""), "");
    assert_eq!(
        session.execute(&mut network, "clear counters"),
        "Clear \"show interface\" counters on all interfaces [confirm]"
    );
    session.execute(&mut network, "");
    assert_eq!(network.router(node).interfaces().iter().map(|i| i.counters.out_packets).sum::<u64>(), 0);
    session.execute(&mut network, "clear logging");
    session.execute(&mut network, "y");
    assert_eq!(network.router(node).log().iter().count(), 0);
}

#[test]
fn a_router_restarts_with_what_was_saved() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    assert_eq!(session.execute(&mut network, "show startup-config"), "startup-config is not present\n");
    assert_eq!(session.execute(&mut network, "wr"), "Building configuration...\n[OK]\n");
    apply_lines(&mut network, node, "hostname CHANGED\nno ip route 2.2.2.2 255.255.255.255 10.0.12.2");
    session.execute(&mut network, "copy startup-config running-config");
    assert!(session.execute(&mut network, "").contains(" bytes copied in "));
    assert_eq!(session.prompt(&network), "R1#");
    apply_lines(&mut network, node, "hostname CHANGED");
    assert!(session.execute(&mut network, "reload").contains("Save?"));
    session.execute(&mut network, "no");
    session.execute(&mut network, "");
    assert!(session.is_closed());
    assert_eq!(session.prompt(&network), "R1>");
    session.execute(&mut network, "enable");
    assert_eq!(session.execute(&mut network, "erase startup-config").lines().count(), 1);
    session.execute(&mut network, "");
    assert_eq!(network.router(node).startup_config(), None);
}

#[test]
fn outputs_are_redirected_to_files() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run = |line: &str| session.execute(&mut network, line);
    assert!(run("dir").ends_with(
        "Directory of flash:/\n\nNo files in directory\n\n1048576 bytes total (1048576 bytes free)\n"
    ));
    assert_eq!(run("show clock | redirect flash:time.txt"), "");
    assert_eq!(run("show clock | append flash:/time.txt"), "");
    assert!(run("show clock | tee other").starts_with("*00:00:05"));
    assert_eq!(run("more time.txt").lines().count(), 2);
    let dir = run("dir flash:time.txt");
    assert!(dir.contains("    2  -rw-          66  Jan  1 2026 00:00:05 +00:00  time.txt\n"), "{dir}");
    assert!(run("show flash:").contains("\n1           33 Jan  1 2026"));
    assert_eq!(run("more flash:none"), "%Error opening flash:/none (No such file or directory)\n");
    assert_eq!(run("delete other"), "Delete filename [other]? ");
    assert_eq!(run(""), "Delete flash:/other? [confirm]");
    assert_eq!(run(""), "");
    assert_eq!(run("delete /force other"), "%Error deleting flash:/other (No such file or directory)\n");
    assert_eq!(run("more tftp:x"), "% Not supported by this emulator: the file system tftp:\n");
    assert!(execute_read_only(&mut network, node, "show clock | redirect flash:x").is_err());
    assert!(execute_read_only(&mut network, node, "more time.txt | count UTC").is_ok());
}

#[test]
fn configurations_are_copied_to_files_and_back() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run =
        |lines: &[&str]| lines.iter().map(|line| session.execute(&mut network, line)).collect::<String>();
    let copied = run(&["copy running-config flash:", ""]);
    assert!(
        copied.starts_with("Destination filename [r1-confg]? ") && copied.contains(" bytes copied in "),
        "{copied}"
    );
    assert!(run(&["copy run flash:r1-confg", "", "n"]).ends_with("Do you want to over write? [confirm]"));
    run(&["conf t", "hostname OTHER", "interface Loopback5", "end"]);
    run(&["copy flash:r1-confg running-config", ""]);
    assert!(run(&["show run | include ^hostname|Loopback5"]).ends_with("hostname R1\ninterface Loopback5\n"));
    run(&["copy flash:r1-confg startup-config", ""]);
    assert!(run(&["show startup-config"]).contains("hostname R1\n"));
    run(&["conf t", "file prompt quiet", "end"]);
    assert!(run(&["copy start new.cfg"]).contains(" bytes copied in "));
    assert_eq!(run(&["copy flash:gone run"]), "%Error opening flash:/gone (No such file or directory)\n");
}

#[test]
fn configurations_are_archived_compared_and_replaced() {
    let (mut network, node) = network();
    let mut session = Session::privileged(node);
    let mut run =
        |lines: &[&str]| lines.iter().map(|line| session.execute(&mut network, line)).collect::<String>();
    assert_eq!(run(&["show archive"]), "Archive feature not enabled\n");
    assert_eq!(run(&["archive config"]), "%Please turn config archive on\n");
    run(&["conf t", "archive", "path flash:old", "maximum 2", "write-memory", "end", "archive config"]);
    assert!(run(&["show archive config differences flash:old-1"]).ends_with("!No changes were found\n"));
    run(&["conf t", "interface lo3", "mtu 1400", "hostname X", "end", "wr", "wr"]);
    let archive = run(&["show archive"]);
    assert!(archive.contains("will be named flash:/old-4\n"), "{archive}");
    assert!(
        archive.ends_with("   1        flash:/old-2\n   2        flash:/old-3 <- Most Recent\n"),
        "{archive}"
    );
    run(&["conf t", "interface lo3", "mtu 1300", "no interface lo9", "end"]);
    assert_eq!(
        run(&["show archive config differences"]),
        "!Contextual Config Diffs:\ninterface Loopback3\n +mtu 1300\ninterface Loopback3\n -mtu 1400\n"
    );
    assert_eq!(
        run(&["show archive config incremental-diffs flash:old-3"]),
        "!List of Commands:\ninterface Loopback3\n mtu 1400\nend\n"
    );
    assert!(run(&["configure replace flash:old-3", "no"]).ends_with("[no]: "));
    assert!(run(&["configure replace flash:old-3 force"]).contains("Rollback Done\n"));
    assert!(run(&["show archive config differences"]).contains("No changes"));
}
