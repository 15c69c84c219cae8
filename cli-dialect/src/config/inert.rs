//! Lines that have no effect on behaviour here but appear in real configurations: accepted, kept, shown.

use super::{ConfigMode, Editor};

/// Global heads, in the order of `show running-config`; a line's place follows from its head's.
const GLOBAL: [&str; 40] = [
    "service",
    "platform",
    "boot-start-marker",
    "boot-end-marker",
    "logging buffered",
    "logging console",
    "logging monitor",
    "no logging console",
    "enable secret",
    "enable password",
    "aaa new-model",
    "no aaa new-model",
    "clock timezone",
    "clock summer-time",
    "mmi",
    "no mmi",
    "memory-size",
    "ip subnet-zero",
    "no ip icmp rate-limit",
    "ip cef",
    "ip domain name",
    "ip domain-name",
    "no ipv6 cef",
    "multilink bundle-name",
    "spanning-tree mode",
    "username",
    "redundancy",
    "ip tcp synwait-time",
    "ip classless",
    "ip forward-protocol",
    "ip http",
    "no ip http",
    "ip ssh",
    "no ip ssh",
    "logging trap",
    "no cdp log",
    "no cdp run",
    "cdp run",
    "snmp-server",
    "ntp",
];

/// Heads of lines on interfaces.
const INTERFACE: [&str; 20] = [
    "duplex",
    "speed",
    "negotiation",
    "media-type",
    "load-interval",
    "keepalive",
    "no keepalive",
    "cdp enable",
    "no cdp enable",
    "clock rate",
    "no mop enabled",
    "no mop sysid",
    "no switchport",
    "no ip route-cache",
    "ip route-cache",
    "no ip mroute-cache",
    "no ip proxy-arp",
    "no ip unreachables",
    "carrier-delay",
    "hold-queue",
];

fn begins_with(line: &str, head: &str) -> bool {
    line.strip_prefix(head).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The words of a line with single blanks.
fn normal(line: &str) -> String {
    line.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

/// The place of a global line among those without effect.
#[must_use]
pub fn rank(line: &str) -> Option<usize> {
    let head_of = |line: &str| GLOBAL.iter().position(|head| begins_with(line, head));
    head_of(line).or_else(|| line.strip_prefix("no ").and_then(head_of))
}

/// Whether a global line is accepted without effect. `version` and `end` belong to the frame of every configuration.
#[must_use]
pub fn is_inert_global(line: &str) -> bool {
    rank(&normal(line)).is_some()
}

/// Whether a line on an interface is accepted without effect.
#[must_use]
pub fn is_inert_on_interface(line: &str) -> bool {
    let line = normal(line);
    INTERFACE.iter().any(|head| begins_with(&line, head))
}

impl Editor<'_> {
    /// Keeps a line without effect; `false` if it is none in this mode.
    pub(super) fn apply_inert(&mut self, line: &str) -> bool {
        let line = normal(line);
        match &*self.mode {
            ConfigMode::Global if begins_with(&line, "version") => true,
            ConfigMode::Global if is_inert_global(&line) => {
                keep(&mut self.config.inert.global, line);
                self.config.inert.global.sort_by_key(|line| rank(line));
                true
            }
            ConfigMode::Interface(names) if is_inert_on_interface(&line) => {
                for name in names {
                    if let Some(interface) = self.config.interfaces.get_mut(name) {
                        keep(&mut interface.inert, line.clone());
                    }
                }
                true
            }
            // Sections without effect take any line that is not a global command.
            ConfigMode::Inert(section) if !is_global_command(&line) => {
                let lines = self.config.inert.sections.entry(section.clone()).or_default();
                keep(lines, line);
                true
            }
            _ => false,
        }
    }
}

/// Whether a line leaves a section because global mode has it.
fn is_global_command(line: &str) -> bool {
    use crate::grammar::ParseError;
    let (form, from) = super::split_form(line);
    let parsed = crate::grammar::parse(super::tree_of(&ConfigMode::Global), line, from, form);
    !matches!(parsed, Err(ParseError::Invalid { understood: 0, .. })) || is_inert_global(line)
}

/// How many lines of a kind are kept at most; a configuration that has more is hostile.
const MOST: usize = 1000;

/// Adds a line; `no LINE` takes `LINE` out where it stands, else is itself kept.
fn keep(lines: &mut Vec<String>, line: String) {
    if let Some(positive) = line.strip_prefix("no ") {
        let before = lines.len();
        lines.retain(|kept| !begins_with(kept, positive));
        if lines.len() < before {
            return;
        }
    } else {
        lines.retain(|kept| kept.strip_prefix("no ") != Some(&line));
    }
    let first_words: Vec<&str> = line.split(' ').take(1).collect();
    let single_valued = ["duplex", "speed", "keepalive", "bandwidth"].contains(&first_words[0]);
    if single_valued {
        lines.retain(|kept| !begins_with(kept, first_words[0]));
    }
    if !lines.contains(&line) && lines.len() < MOST {
        lines.push(line);
    }
}
