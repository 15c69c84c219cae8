//! Configuration changes: which lines of which sections differ from the startup configuration.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::instance::Configs;

/// Whether a line came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sign {
    /// The line is new.
    Added,
    /// The line is gone.
    Removed,
}

/// One line that differs between two configurations of a router.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Change {
    /// The router.
    pub host: String,
    /// The headings the line stands under, outermost first.
    pub section: Vec<String>,
    /// The line, without indentation.
    pub line: String,
    /// Whether it came or went.
    pub sign: Sign,
}

/// The lines of a running configuration, each with its section. Sections show by indentation; comments and what a
/// device prints around the configuration are no lines of it.
fn lines(config: &str) -> BTreeSet<(Vec<String>, String)> {
    let mut headings: Vec<(usize, String)> = Vec::new();
    let mut lines = BTreeSet::new();
    for raw in config.lines() {
        let line = raw.trim();
        let around = ["Building configuration", "Current configuration", "exit-address-family"];
        if line.is_empty()
            || line == "end"
            || line.starts_with('!')
            || around.iter().any(|a| line.starts_with(a))
        {
            continue;
        }
        let indent = raw.len() - raw.trim_start().len();
        while headings.last().is_some_and(|(depth, _)| *depth >= indent) {
            headings.pop();
        }
        lines.insert((headings.iter().map(|(_, h)| h.clone()).collect(), line.to_owned()));
        headings.push((indent, line.to_owned()));
    }
    lines
}

/// What changed between two sets of canonical running configurations. A router that only one of them has counts with
/// all its lines.
#[must_use]
pub fn changes(before: &Configs, after: &Configs) -> BTreeSet<Change> {
    let hosts: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    let mut changes = BTreeSet::new();
    for host in hosts {
        let of = |configs: &Configs| configs.get(host).map(|c| lines(c)).unwrap_or_default();
        let (old, new) = (of(before), of(after));
        let mut note = |sign, (section, line): &(Vec<String>, String)| {
            let (section, line) = (section.clone(), line.clone());
            changes.insert(Change { host: host.clone(), section, line, sign });
        };
        new.difference(&old).for_each(|l| note(Sign::Added, l));
        old.difference(&new).for_each(|l| note(Sign::Removed, l));
    }
    changes
}

/// How an agent's changes compare with the reference's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ChangeF1 {
    /// Share of the agent's changes that the reference makes too.
    pub precision: f64,
    /// Share of the reference's changes that the agent made.
    pub recall: f64,
    /// Harmonic mean of the two.
    pub f1: f64,
}

impl ChangeF1 {
    /// Compares two sets of changes. Without any change on either side there is nothing to be wrong about: 1.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts of configuration lines")]
    pub fn of(agent: &BTreeSet<Change>, reference: &BTreeSet<Change>) -> Self {
        if agent.is_empty() && reference.is_empty() {
            return Self { precision: 1.0, recall: 1.0, f1: 1.0 };
        }
        let both = agent.intersection(reference).count() as f64;
        let share = |all: usize| if all == 0 { 0.0 } else { both / all as f64 };
        let f1 = 2.0 * both / (agent.len() + reference.len()) as f64;
        Self { precision: share(agent.len()), recall: share(reference.len()), f1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STARTUP: &str = "Building configuration...\n\nCurrent configuration : 90 bytes\n!\nhostname R1\n!\n\
        interface GigabitEthernet0/0\n ip address 10.0.0.1 255.255.255.0\n shutdown\n!\nend\n";

    fn configs(text: &str) -> Configs {
        Configs::from([("R1".to_owned(), text.to_owned())])
    }

    #[test]
    fn lines_know_their_section_and_what_surrounds_them_is_left_out() {
        let after = STARTUP.replace(" shutdown\n", " ip ospf 1 area 0\n").replace("90 bytes", "120 bytes");
        let found = changes(&configs(STARTUP), &configs(&after));
        let found: Vec<_> = found.iter().map(|c| (c.section.join("/"), c.line.as_str(), c.sign)).collect();
        let section = "interface GigabitEthernet0/0".to_owned();
        assert_eq!(
            found,
            [(section.clone(), "ip ospf 1 area 0", Sign::Added), (section, "shutdown", Sign::Removed)]
        );
    }

    #[test]
    fn nested_sections_and_equal_lines_in_different_sections_stay_apart() {
        let vrf = |name: &str| {
            format!(
                "router bgp 1\n address-family ipv4 vrf {name}\n  redistribute static\n exit-address-family\n"
            )
        };
        let both = changes(&configs(&vrf("A")), &configs(&vrf("B")));
        assert_eq!(both.len(), 4, "{both:?}");
        assert!(both.iter().any(|c| c.section == ["router bgp 1", "address-family ipv4 vrf B"]));
    }

    #[test]
    fn f1_by_hand() {
        let reference = changes(&configs(""), &configs("a\nb\nc\nd\n"));
        let agent = changes(&configs(""), &configs("a\nb\nx\n"));
        let f1 = ChangeF1::of(&agent, &reference);
        assert!((f1.precision - 2.0 / 3.0).abs() < 1e-12 && (f1.recall - 0.5).abs() < 1e-12);
        assert!((f1.f1 - 4.0 / 7.0).abs() < 1e-12, "2*P*R/(P+R)");
        assert_eq!(ChangeF1::of(&BTreeSet::new(), &reference).f1, 0.0);
        assert_eq!(ChangeF1::of(&reference, &reference).f1, 1.0);
        assert_eq!(ChangeF1::of(&BTreeSet::new(), &BTreeSet::new()).f1, 1.0);
    }
}
