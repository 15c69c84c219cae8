use netconfarena_emu::config::{InterfaceConfig, RouterConfig};

use super::*;

/// Types lines; gives what is shown of them, and what was said to refused lines.
fn entered(lines: &str) -> (Vec<String>, Vec<String>) {
    let mut config = RouterConfig::default();
    config.interfaces.insert("GigabitEthernet0/0".parse().unwrap(), InterfaceConfig::default());
    let (mut mode, mut refused) = (ConfigMode::Global, Vec::new());
    for line in lines.lines() {
        if let Err(complaint) = Editor::new(&mut config, &mut mode).apply(line) {
            refused.push(complaint.to_string());
        }
    }
    let text = crate::running_config::render(&config);
    let about = |line: &&str| {
        let mut words = line.split_whitespace();
        let first = words.next().unwrap_or_default();
        ["track", "delay", "object", "icmp-echo", "frequency", "timeout", "threshold", "tag"].contains(&first)
            || line.contains("ip sla")
            || line.contains(" policy ")
            || line.contains(" track ")
    };
    (text.lines().filter(about).map(str::to_owned).collect(), refused)
}

#[test]
fn objects_are_shown_with_their_delays_and_members() {
    let (shown, refused) = entered(
        "track 10 interface gi0/0 line-protocol\ndelay down 5 up 10\ntrack 11 interface gi0/0 ip routing\n\
         track 12 ip route 10.0.0.0 255.0.0.0 reachability\ntrack 13 ip route 10.1.0.0/16 reachability\n\
         track 14 ip sla 5\ntrack 15 ip sla 5 reachability\ntrack 20 list boolean or\nobject 10\nobject 11 not\n\
         track 14\ndelay up 3\nno delay up\ndelay down 4\nip route 0.0.0.0 0.0.0.0 10.0.0.1 track 15",
    );
    assert_eq!(refused, Vec::<String>::new());
    assert_eq!(
        shown,
        [
            "track 10 interface GigabitEthernet0/0 line-protocol",
            " delay down 5 up 10",
            "track 11 interface GigabitEthernet0/0 ip routing",
            "track 12 ip route 10.0.0.0 255.0.0.0 reachability",
            "track 13 ip route 10.1.0.0 255.255.0.0 reachability",
            "track 14 ip sla 5 state",
            " delay down 4",
            "track 15 ip sla 5 reachability",
            "track 20 list boolean or",
            " object 10",
            " object 11 not",
            "ip route 0.0.0.0 0.0.0.0 10.0.0.1 track 15",
        ]
    );
}

#[test]
fn operations_are_shown_and_not_changed_while_they_run() {
    let (shown, refused) = entered(
        "ip sla 1\nicmp-echo 10.0.0.1 source-interface gi0/0\nfrequency 5\ntimeout 1000\nthreshold 5000\ntag HERE\n\
         ip sla schedule 1 life forever start-time now\nip sla 1\nip sla 2\nicmp-echo 10.0.0.2 source-ip 10.9.9.9\n\
         ip sla schedule 2 start-time now\nip sla schedule 3 life forever start-time now\nip sla 4\nudp-jitter 1.1.1.1 5",
    );
    assert_eq!(
        shown,
        [
            "ip sla 1",
            " icmp-echo 10.0.0.1 source-interface GigabitEthernet0/0",
            "  frequency 5",
            "  timeout 1000",
            "  tag HERE",
            "ip sla schedule 1 life forever start-time now",
            "ip sla 2",
            " icmp-echo 10.0.0.2 source-ip 10.9.9.9",
            "ip sla 4",
        ]
    );
    assert_eq!(refused.len(), 4, "{refused:?}");
    assert!(refused[0].starts_with("Entry already running and cannot be modified"));
    assert_eq!(refused[2], "%Entry 3 not configured");
}

#[test]
fn policies_and_objects_are_taken_back() {
    let policies = "interface gi0/0\nip policy route-map P\nip local policy route-map L";
    let (shown, _) = entered(policies);
    assert_eq!(shown, [" ip policy route-map P", "ip local policy route-map L"]);
    let (shown, refused) = entered(&format!(
        "{policies}\ninterface gi0/0\nno ip policy route-map\nno ip local policy route-map L\n\
         track 1 ip sla 1\nno track 1\nip sla 1\nicmp-echo 1.1.1.1\nno ip sla 1"
    ));
    assert_eq!((shown, refused), (Vec::new(), Vec::new()));
}

#[test]
fn an_object_does_not_become_another() {
    let (_, refused) = entered(
        "track 1 ip sla 1\ntrack 1 ip sla 2\ntrack 2\ntrack 1 ip sla 1\ndelay up 5\nobject 3\n\
         track 4 list boolean and\nobject 4",
    );
    assert_eq!(
        refused,
        [
            "Cannot change tracked object 1 - delete old config first",
            "% Object 2 is not configured",
            "% Objects can be added to lists only",
            "% A list cannot contain itself",
        ]
    );
}
