//! Access lists: named ones as sections, numbered ones as lines.

use netconfarena_emu::config::{RouterConfig, Wildcard};
use netconfarena_emu::policy::{AccessList, AclLog, ExtendedEntry, Line, PortMatch, StandardEntry};
use netconfarena_emu::process::IpProtocol;

use super::{Lines, permission};
use crate::config::{DSCPS, PRECEDENCES, PROTOCOLS, TYPES_OF_SERVICE, icmp_name, ports_of};
use crate::grammar::Choice;

/// The sections of `ip access-list`.
pub(super) fn named(config: &RouterConfig, lines: &mut Lines) {
    let lists = &config.policy.access_lists;
    let is_standard = |list: &AccessList| matches!(list, AccessList::Standard(_));
    for standard in [true, false] {
        for (name, list) in lists.iter().filter(|(_, list)| is_standard(list) == standard) {
            let texts = texts(list);
            if as_number(name, &texts).is_none() {
                lines.push(format!(
                    "ip access-list {} {name}",
                    if standard { "standard" } else { "extended" }
                ));
                section(&texts, lines);
                lines.separator();
            }
        }
    }
}

/// The lines of `access-list N`.
pub(super) fn numbered(config: &RouterConfig, lines: &mut Lines) {
    let lists = &config.policy.access_lists;
    let mut all: Vec<(u32, Vec<Text>)> = lists
        .iter()
        .filter_map(|(name, list)| {
            let texts = texts(list);
            Some((as_number(name, &texts)?, texts))
        })
        .collect();
    all.sort_by_key(|(number, _)| *number);
    for (number, texts) in all {
        for text in texts {
            lines.push(match text {
                Text::Remark(remark) => format!("access-list {number} remark {remark}"),
                Text::Entry(_, entry) => format!("access-list {number} {entry}"),
            });
        }
    }
}

/// A line of a list.
enum Text {
    Remark(String),
    Entry(u32, String),
}

fn texts(list: &AccessList) -> Vec<Text> {
    fn of<'l, E: 'l>(
        lines: impl Iterator<Item = (u32, &'l Line<E>)>,
        trailing: &[String],
        text: fn(&E) -> String,
    ) -> Vec<Text> {
        let remarks = |remarks: &[String]| remarks.iter().cloned().map(Text::Remark).collect::<Vec<_>>();
        lines
            .flat_map(|(sequence, line)| {
                let mut all = remarks(&line.remarks);
                all.push(Text::Entry(sequence, text(&line.entry)));
                all
            })
            .chain(remarks(trailing))
            .collect()
    }
    match list {
        AccessList::Standard(lines) => of(lines.lines(), lines.trailing_remarks(), standard_entry),
        AccessList::Extended(lines) => of(lines.lines(), lines.trailing_remarks(), padded_entry),
    }
}

/// The number of a list that `access-list` lines can make: not empty, with the sequence numbers that IOS gives.
fn as_number(name: &str, texts: &[Text]) -> Option<u32> {
    let number = name.parse().ok()?;
    let sequences = texts.iter().filter_map(|text| match text {
        Text::Entry(sequence, _) => Some(*sequence),
        Text::Remark(_) => None,
    });
    let regular = sequences.zip(1..).all(|(sequence, n)| sequence == n * 10);
    (!texts.is_empty() && regular).then_some(number)
}

/// The lines of a list. Sequence numbers are shown only where IOS would not give the same by itself, as releases do that do not keep
/// them.
fn section(texts: &[Text], lines: &mut Lines) {
    let mut expected = 10;
    for text in texts {
        match text {
            Text::Remark(remark) => lines.inner(format!("remark {remark}")),
            Text::Entry(sequence, entry) => {
                let number = if *sequence == expected { String::new() } else { format!("{sequence} ") };
                lines.inner(format!("{number}{entry}"));
                expected = sequence.saturating_add(10);
            }
        }
    }
}

/// An entry of an extended list with `deny` as wide as `permit`, as `show running-config` has it.
fn padded_entry(entry: &ExtendedEntry) -> String {
    let text = extended_entry(entry);
    text.strip_prefix("deny ").map_or(text.clone(), |rest| format!("deny   {rest}"))
}

const fn log(log: Option<AclLog>) -> &'static str {
    match log {
        None => "",
        Some(AclLog::Log) => " log",
        Some(AclLog::LogInput) => " log-input",
    }
}

/// An entry of a standard list.
pub(crate) fn standard_entry(entry: &StandardEntry) -> String {
    format!("{:<6} {}", permission(entry.action), standard_source(entry, ""))
}

/// What stands behind the action of an entry of a standard list; `words` are those that `show access-lists` puts before a wildcard.
pub(crate) fn standard_source(entry: &StandardEntry, words: &str) -> String {
    let source = match entry.source {
        Wildcard { mask, .. } if mask.is_broadcast() => "any".to_owned(),
        Wildcard { address, mask } if mask.is_unspecified() => address.to_string(),
        Wildcard { address, mask } => format!("{address}{words} {mask}"),
    };
    format!("{source}{}", log(entry.log))
}

fn endpoint(wildcard: Wildcard) -> String {
    match wildcard {
        Wildcard { mask, .. } if mask.is_broadcast() => "any".to_owned(),
        Wildcard { address, mask } if mask.is_unspecified() => format!("host {address}"),
        Wildcard { address, mask } => format!("{address} {mask}"),
    }
}

/// The name of a protocol, or its number.
pub(crate) fn protocol(protocol: Option<IpProtocol>) -> String {
    match protocol {
        None => "ip".to_owned(),
        Some(IpProtocol::ICMP) => "icmp".to_owned(),
        Some(IpProtocol::TCP) => "tcp".to_owned(),
        Some(IpProtocol::UDP) => "udp".to_owned(),
        Some(IpProtocol(number)) => name_or_number(&PROTOCOLS, u64::from(number)),
    }
}

fn name_or_number(choice: &Choice, number: u64) -> String {
    choice.name_of(number).map_or_else(|| number.to_string(), str::to_owned)
}

fn ports(condition: Option<&PortMatch>, choice: Option<&'static Choice>) -> String {
    let name = |port: u16| match choice {
        Some(choice) => name_or_number(choice, u64::from(port)),
        None => port.to_string(),
    };
    let all = |ports: &[u16]| ports.iter().map(|&port| name(port)).collect::<Vec<_>>().join(" ");
    match condition {
        None => String::new(),
        Some(PortMatch::Eq(ports)) => format!(" eq {}", all(ports)),
        Some(PortMatch::Neq(ports)) => format!(" neq {}", all(ports)),
        Some(PortMatch::Lt(port)) => format!(" lt {}", name(*port)),
        Some(PortMatch::Gt(port)) => format!(" gt {}", name(*port)),
        Some(PortMatch::Range(low, high)) => format!(" range {} {}", name(*low), name(*high)),
    }
}

/// An entry of an extended list as `show access-lists` has it.
pub(crate) fn extended_entry(entry: &ExtendedEntry) -> String {
    let choice = entry.protocol.and_then(ports_of);
    let mut text = format!(
        "{} {} {}{} {}{}",
        permission(entry.action),
        protocol(entry.protocol),
        endpoint(entry.source),
        ports(entry.source_ports.as_ref(), choice),
        endpoint(entry.destination),
        ports(entry.destination_ports.as_ref(), choice),
    );
    if let Some(icmp) = entry.icmp {
        let numbers = || match icmp.code {
            Some(code) => format!("{} {code}", icmp.kind),
            None => icmp.kind.to_string(),
        };
        text += &format!(" {}", icmp_name(icmp).map_or_else(numbers, str::to_owned));
    }
    let named = [
        ("dscp", &DSCPS, entry.dscp),
        ("precedence", &PRECEDENCES, entry.precedence),
        ("tos", &TYPES_OF_SERVICE, entry.tos),
    ];
    if entry.established {
        text += " established";
    }
    for (keyword, choice, value) in named {
        if let Some(value) = value {
            text += &format!(" {keyword} {}", name_or_number(choice, u64::from(value)));
        }
    }
    if entry.fragments {
        text += " fragments";
    }
    text += log(entry.log);
    if let Some(name) = &entry.time_range {
        text += &format!(" time-range {name}");
    }
    text
}
