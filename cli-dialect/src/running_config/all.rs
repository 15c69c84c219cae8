//! `show running-config all`: the configuration with the defaults that it hides.

use netconfarena_emu::config::RouterConfig;

use super::{render, with_header};

/// Defaults of a kind of section: how many words of a line say what it sets, and the line.
struct Defaults {
    /// What the head of the section begins with; nothing for global lines.
    head: &'static str,
    lines: &'static [(usize, &'static str)],
}

const DEFAULTS: [Defaults; 6] = [
    Defaults { head: "", lines: &[(2, "ip routing"), (3, "ip domain lookup")] },
    Defaults {
        head: "interface ",
        lines: &[
            (2, "ip redirects"),
            (2, "ip unreachables"),
            (2, "ip proxy-arp"),
            (2, "arp timeout 14400"),
            (1, "no shutdown"),
        ],
    },
    Defaults {
        head: "router ospf ",
        lines: &[
            (1, "log-adjacency-changes"),
            (2, "auto-cost reference-bandwidth 100"),
            (1, "maximum-paths 4"),
            (1, "distance 110"),
        ],
    },
    Defaults {
        head: "router bgp ",
        lines: &[
            (2, "timers bgp 60 180"),
            (3, "bgp default local-preference 100"),
            (3, "bgp default ipv4-unicast"),
            (2, "distance bgp 20 200 200"),
            (1, "maximum-paths 1"),
        ],
    },
    Defaults {
        head: "router rip",
        lines: &[
            (2, "timers basic 30 180 180 240"),
            (1, "maximum-paths 4"),
            (1, "distance 120"),
            (1, "auto-summary"),
        ],
    },
    Defaults {
        head: "router eigrp ",
        lines: &[(1, "variance 1"), (1, "maximum-paths 4"), (2, "distance eigrp 90 170")],
    },
];

/// The text of `show running-config all`.
#[must_use]
pub fn show_all(config: &RouterConfig) -> String {
    with_header(&with_defaults(&render(config)))
}

/// The first words of a line, whether it sets or negates.
fn key(line: &str, words: usize) -> Vec<&str> {
    let line = line.trim();
    line.strip_prefix("no ").unwrap_or(line).split(' ').take(words).collect()
}

/// The lines that stand by themselves where a section says nothing else.
fn missing(defaults: &Defaults, section: &[&str]) -> Vec<String> {
    let indent = if defaults.head.is_empty() { "" } else { " " };
    let said = |words: usize, default: &str| {
        let own = section.iter().filter(|line| line.starts_with(indent) && !line.starts_with("  "));
        own.into_iter().any(|line| key(line, words) == key(default, words))
    };
    let unsaid = defaults.lines.iter().filter(|(words, default)| !said(*words, default));
    unsaid.map(|(_, default)| format!("{indent}{default}")).collect()
}

fn with_defaults(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(&head) = lines.get(at) {
        let rest = lines.get(at + 1..).unwrap_or_default();
        let inner = rest.iter().take_while(|line| line.starts_with(' ')).count();
        let section = rest.get(..inner).unwrap_or_default();
        out.push(head.to_owned());
        out.extend(section.iter().map(|line| (*line).to_owned()));
        let by_head = |defaults: &&Defaults| !defaults.head.is_empty() && head.starts_with(defaults.head);
        // A named EIGRP has its settings in address families.
        let named = head.strip_prefix("router eigrp ").is_some_and(|name| name.parse::<u16>().is_err());
        if let Some(defaults) = DEFAULTS.iter().find(by_head).filter(|_| !named) {
            // Families and topologies come last.
            let families = section.iter().position(|line| *line == " !").unwrap_or(inner);
            let place = out.len() - (inner - families);
            let unsaid = missing(defaults, section.get(..families).unwrap_or_default());
            out.splice(place..place, unsaid);
        }
        if head.starts_with("hostname ")
            && let Some(defaults) = DEFAULTS.iter().find(|defaults| defaults.head.is_empty())
        {
            out.extend(missing(defaults, &lines));
        }
        at += 1 + inner;
    }
    out.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::load;

    fn router(text: &str) -> RouterConfig {
        let mut network = netconfarena_emu::network::Network::new(1);
        let ports = ["GigabitEthernet0/0", "GigabitEthernet0/1"].map(|name| name.parse().unwrap());
        let node = network.add_router("R1", &ports);
        let mut config = RouterConfig::clone(network.router(node).config());
        assert_eq!(load(&mut config, text).refused, []);
        config
    }

    const TEXT: &str = "interface GigabitEthernet0/0\n no ip redirects\n no shutdown\n\
        interface Loopback0\n ip address 1.1.1.1 255.255.255.255\n\
        router ospf 1\n network 0.0.0.0 255.255.255.255 area 0\n maximum-paths 2\n\
        router rip\n version 2\n no auto-summary\nrouter eigrp 7\n variance 3\nrouter eigrp NAME\n address-family ipv4 autonomous-system 9\n\
        router bgp 1\n neighbor 10.0.0.2 remote-as 2\n address-family ipv4\n  maximum-paths 3\n";

    #[test]
    fn defaults_stand_where_nothing_else_is_said() {
        let text = with_defaults(&render(&router(TEXT)));
        let section = |head: &str| {
            let behind = text.split_once(&format!("\n{head}\n")).unwrap().1;
            behind.lines().take_while(|line| line.starts_with(' ')).collect::<Vec<_>>().join("\n")
        };
        let port = section("interface GigabitEthernet0/0");
        assert!(port.contains(" no ip redirects\n") && !port.contains("\n ip redirects"), "{port}");
        assert!(port.contains(" ip unreachables\n ip proxy-arp\n arp timeout 14400\n no shutdown"), "{port}");
        assert!(
            section("interface GigabitEthernet0/1").contains("shutdown")
                && !text.contains("no shutdown\n no shutdown")
        );
        assert!(section("router ospf 1").contains(" auto-cost reference-bandwidth 100\n"));
        assert!(
            section("router ospf 1").contains(" maximum-paths 2")
                && !section("router ospf 1").contains("maximum-paths 4")
        );
        assert!(!section("router rip").contains("\n auto-summary"));
        assert!(!section("router eigrp NAME").contains("variance"));
        assert!(text.contains("\nip routing\nip domain lookup\n"), "{text}");
    }

    #[test]
    fn with_its_defaults_a_configuration_is_the_same() {
        let config = router(TEXT);
        let mut again = router("");
        let loaded = load(&mut again, &with_defaults(&render(&config)));
        assert_eq!(loaded.refused, []);
        assert_eq!(render(&again), render(&config));
    }
}
