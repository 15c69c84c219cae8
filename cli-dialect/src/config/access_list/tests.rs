//! Lines of access lists, and what the device says to them.

use netconfarena_emu::config::RouterConfig;

use crate::config::{Complaint, ConfigMode, Editor};
use crate::running_config::render;

/// Types lines; gives the access lists of the configuration, and what was said to lines that were refused.
fn typed(lines: &str) -> (Vec<String>, Vec<String>) {
    let mut config = RouterConfig::default();
    let mut mode = ConfigMode::Global;
    let mut said = Vec::new();
    for line in lines.lines() {
        match Editor::new(&mut config, &mut mode).apply(line) {
            Ok(()) => {}
            Err(Complaint::Refused(text)) => said.push(text),
            Err(other) => said.push(format!("{other:?}")),
        }
    }
    let text = render(&config);
    let mut inside = false;
    let shown = text.lines().filter(|line| {
        inside = line.contains("access-list") || (inside && line.starts_with(' '));
        inside
    });
    (shown.map(str::to_owned).collect(), said)
}

fn shown(lines: &str) -> Vec<String> {
    let (shown, said) = typed(lines);
    assert_eq!(said, Vec::<String>::new());
    shown
}

#[test]
fn addresses_and_ports_are_shown_as_ios_shows_them() {
    for (line, expected) in [
        ("access-list 1 permit host 1.2.3.4", "access-list 1 permit 1.2.3.4"),
        ("access-list 1 permit 1.2.3.4", "access-list 1 permit 1.2.3.4"),
        ("access-list 1 deny 10.1.1.1 0.0.255.255 log", "access-list 1 deny   10.1.0.0 0.0.255.255 log"),
        ("access-list 1300 permit 0.0.0.0 255.255.255.255", "access-list 1300 permit any"),
        (
            "access-list 100 permit tcp 1.2.3.4 0.0.0.0 any eq 80",
            "access-list 100 permit tcp host 1.2.3.4 any eq www",
        ),
        (
            "access-list 100 permit tcp any range 30 26 any eq 22 443 established",
            "access-list 100 permit tcp any range 26 30 any eq 22 443 established",
        ),
        (
            "access-list 100 deny udp any any eq 514 log-in",
            "access-list 100 deny   udp any any eq syslog log-input",
        ),
        ("access-list 2000 permit 89 any any", "access-list 2000 permit ospf any any"),
        ("access-list 100 permit icmp any any 8", "access-list 100 permit icmp any any echo"),
        ("access-list 100 permit icmp any any 3 4", "access-list 100 permit icmp any any packet-too-big"),
        ("access-list 100 permit icmp any any 3 99", "access-list 100 permit icmp any any 3 99"),
        ("access-list 100 permit ip any any dscp 46 log", "access-list 100 permit ip any any dscp ef log"),
        (
            "access-list 100 permit ip any any prec 6 tos 8",
            "access-list 100 permit ip any any precedence internet tos min-delay",
        ),
    ] {
        assert_eq!(shown(line), [expected], "{line}");
    }
}

#[test]
fn entries_go_to_the_end_or_where_their_number_says() {
    let lines = "ip access-list extended WEB\n remark all\n permit ip any any\n 5 deny icmp any any\n exit\n\
                 ip access-list extended WEB\n permit tcp any any\n permit ip any any";
    assert_eq!(
        shown(lines),
        [
            "ip access-list extended WEB",
            " 5 deny   icmp any any",
            // Numbers that follow by themselves are not shown.
            " remark all",
            " 10 permit ip any any",
            " permit tcp any any"
        ]
    );
    let resequenced = format!("{lines}\nip access-list resequence WEB 10 10");
    assert_eq!(
        shown(&resequenced)[1..],
        [" deny   icmp any any", " remark all", " permit ip any any", " permit tcp any any"]
    );
}

#[test]
fn entries_are_removed_by_number_or_by_text() {
    let lines = "ip access-list standard A\n permit 1.1.1.1\n permit 2.2.2.2\n permit 3.3.3.3\n no 10\n no permit 3.3.3.3";
    assert_eq!(shown(lines), ["ip access-list standard A", " 20 permit 2.2.2.2"]);
    let (_, said) = typed("ip access-list standard A\n no 10\n no permit any");
    assert_eq!(said.len(), 2);
}

#[test]
fn a_numbered_list_goes_as_a_whole() {
    assert!(
        shown("access-list 7 permit 1.1.1.1\naccess-list 7 permit 2.2.2.2\nno access-list 7 permit 1.1.1.1")
            .is_empty()
    );
    assert!(shown("access-list 7 permit 1.1.1.1\nno access-list 7").is_empty());
}

#[test]
fn a_numbered_list_edited_in_a_section_is_shown_as_what_it_is() {
    assert_eq!(
        shown("access-list 7 permit 1.1.1.1\nip access-list standard 7\n permit 2.2.2.2"),
        ["access-list 7 permit 1.1.1.1", "access-list 7 permit 2.2.2.2"]
    );
    assert_eq!(
        shown("access-list 7 permit 1.1.1.1\nip access-list standard 7\n 5 permit 2.2.2.2"),
        ["ip access-list standard 7", " 5 permit 2.2.2.2", " 10 permit 1.1.1.1"]
    );
}

#[test]
fn what_ios_refuses_is_refused_in_its_words() {
    for (lines, expected) in [
        (
            "ip access-list standard A\nip access-list extended A",
            "Access-list type conflicts with prior definition",
        ),
        ("ip access-list standard 100", "% Invalid access list name."),
        ("ip access-list extended 1x", "% Invalid access list name."),
        ("ip access-list standard A\n 10 permit any\n 10 deny any", "% Duplicate sequence number"),
        (
            "access-list 10 permit 10.0.0.0 0.255.255.255\naccess-list 10 deny host 10.1.1.1",
            "% Access rule can't be configured at higher sequence num as it is part of the existing rule at sequence num 10",
        ),
    ] {
        assert_eq!(typed(lines).1, [expected], "{lines}");
    }
}

#[test]
fn what_is_not_implemented_is_named() {
    let (shown, said) = typed("access-list 100 permit tcp any any reflect R");
    assert!(shown.is_empty());
    assert_eq!(said, [r#"Unsupported("access-list ... reflect")"#]);
}

#[test]
fn lines_that_cannot_be_are_not_taken() {
    for line in [
        "access-list 100 permit ip any any eq 80",
        "access-list 100 permit tcp any any eq 1 2 3 4 5 6 7 8 9 10 11",
        "access-list 100 permit icmp any any established",
        "access-list 200 permit any",
        "access-list 1 permit ip any any",
        "access-list 100 permit any",
    ] {
        assert_eq!(typed(line).1.len(), 1, "{line}");
    }
}
