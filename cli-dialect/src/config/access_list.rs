//! `access-list N`, `ip access-list`, and the lines of a list.

mod grammar;
mod names;

use std::net::Ipv4Addr;

use netconfarena_emu::config::Wildcard;
use netconfarena_emu::policy::{
    AccessList, AclLog, ExtendedEntry, GREATEST_SEQUENCE, IcmpMatch, Lines, Permission, PortMatch,
    StandardEntry,
};
use netconfarena_emu::process::IpProtocol;

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, Spec, int, kw, line, plain, word};

pub(crate) use names::{DSCPS, PRECEDENCES, PROTOCOLS, TYPES_OF_SERVICE, icmp_name, ports_of};

/// What IOS says where a list is of the other kind.
pub(super) const TYPE_CONFLICT: &str = "Access-list type conflicts with prior definition";

/// The longest remark.
const LONGEST_REMARK: usize = 100;

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    let number = |from, to, help| {
        int("list-number", from, to, help).negatable(remove_list as Handler).then([remark_spec()])
    };
    let standard = |from, to, help| number(from, to, help).then(grammar::standard());
    let extended = |from, to, help| number(from, to, help).then(grammar::extended());
    vec![
        kw("access-list", "Add an access list entry").then([
            standard(1, 99, "IP standard access list"),
            extended(100, 199, "IP extended access list"),
            standard(1300, 1999, "IP standard access list (expanded range)"),
            extended(2000, 2699, "IP extended access list (expanded range)"),
        ]),
        kw("ip", "Global IP configuration subcommands").then([kw("access-list", "Named access-list").then(
            [
                kw("extended", "Extended Access List").then([word(
                    "list-name",
                    "Access-list name or number",
                )
                .run(enter as Handler)]),
                kw("resequence", "Resequence Access List").then([word(
                    "list-name",
                    "Access-list name or number",
                )
                .then([int(
                    "start",
                    1,
                    GREATEST_SEQUENCE.into(),
                    "Starting Sequence Number",
                )
                .then([int(
                    "step",
                    1,
                    GREATEST_SEQUENCE.into(),
                    "Step to increment the sequence number",
                )
                .run(resequence as Handler)])])]),
                kw("standard", "Standard Access List").then([word(
                    "list-name",
                    "Access-list name or number",
                )
                .run(enter as Handler)]),
            ],
        )]),
    ]
}

/// `ip access-group`, on interfaces.
pub(super) fn interface_table() -> Vec<Spec<Handler>> {
    let directions = [
        plain("in", "inbound packets", access_group as Handler),
        plain("out", "outbound packets", access_group as Handler),
    ];
    vec![
        kw("ip", "Interface Internet Protocol config commands").then([kw(
            "access-group",
            "Specify access control for packets",
        )
        .then([word("list-name", "Access-list name or number").then(directions)])]),
    ]
}

/// The lines of `ip access-list standard NAME`.
pub(super) fn standard_table() -> Vec<Spec<Handler>> {
    section(grammar::standard)
}

/// The lines of `ip access-list extended NAME`.
pub(super) fn extended_table() -> Vec<Spec<Handler>> {
    section(grammar::extended)
}

fn section(entries: fn() -> Vec<Spec<Handler>>) -> Vec<Spec<Handler>> {
    let sequence = int("sequence", 1, GREATEST_SEQUENCE.into(), "Sequence Number");
    let mut table = entries();
    table.push(remark_spec());
    table.push(sequence.negatable(remove_sequence as Handler).then(entries()));
    table
}

fn remark_spec() -> Spec<Handler> {
    kw("remark", "Access list entry comment")
        .then([line("remark-text", "Comment up to 100 characters").run(remark as Handler)])
}

/// Whether a text names a standard or an extended list; `None` if it names neither.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Standard,
    Extended,
}

impl Kind {
    fn of_number(number: u32) -> Option<Self> {
        match number {
            1..=99 | 1300..=1999 => Some(Self::Standard),
            100..=199 | 2000..=2699 => Some(Self::Extended),
            _ => None,
        }
    }

    const fn of_list(list: &AccessList) -> Self {
        match list {
            AccessList::Standard(_) => Self::Standard,
            AccessList::Extended(_) => Self::Extended,
        }
    }

    fn empty_list(self) -> AccessList {
        match self {
            Self::Standard => AccessList::Standard(Lines::default()),
            Self::Extended => AccessList::Extended(Lines::default()),
        }
    }
}

/// `ip access-list standard|extended NAME`.
fn enter(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("list-name"))?.to_owned();
    let kind = if args.has("standard") { Kind::Standard } else { Kind::Extended };
    check_name(&name, Some(kind))?;
    let lists = &mut editor.config.policy.access_lists;
    if lists.get(&name).is_some_and(|list| Kind::of_list(list) != kind) {
        return refuse(TYPE_CONFLICT);
    }
    if args.negated() {
        lists.remove(&name);
        return Ok(());
    }
    lists.entry(name.clone()).or_insert_with(|| kind.empty_list());
    *editor.mode = match kind {
        Kind::Standard => ConfigMode::StandardAccessList(name),
        Kind::Extended => ConfigMode::ExtendedAccessList(name),
    };
    Ok(())
}

fn resequence(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("list-name"))?;
    let (start, step) = (need(args.int("start"))?, need(args.int("step"))?);
    let Some(list) = editor.config.policy.access_lists.get_mut(name) else {
        return refuse("%Access-list doesn't exist");
    };
    if list.resequence(start, step) { Ok(()) } else { refuse("% Sequence number exceeds the maximum limit") }
}

/// The list that a line is for: its number, or the one whose section it stands in.
fn list_name(editor: &Editor<'_>, args: &Args) -> Option<String> {
    match &*editor.mode {
        ConfigMode::StandardAccessList(name) | ConfigMode::ExtendedAccessList(name) => Some(name.clone()),
        _ => args.int::<u32>("list-number").map(|number| number.to_string()),
    }
}

/// `no access-list N`, whatever stands behind: IOS removes the whole list.
fn remove_list(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.int::<u32>("list-number"))?.to_string();
    editor.config.policy.access_lists.remove(&name);
    Ok(())
}

fn remove_sequence(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(list_name(editor, args))?;
    let sequence = need(args.int("sequence"))?;
    let removed = match editor.config.policy.access_lists.get_mut(&name) {
        Some(AccessList::Standard(lines)) => lines.remove_sequence(sequence),
        Some(AccessList::Extended(lines)) => lines.remove_sequence(sequence),
        None => false,
    };
    if removed { Ok(()) } else { refuse(NO_SUCH_ENTRY) }
}

/// `ip access-group LIST in|out`. Behind `no` the list's name does not matter.
fn access_group(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let name = need(args.text("list-name"))?;
    check_name(name, None)?;
    let value = (!args.negated()).then(|| name.to_owned());
    for port in editor.interfaces() {
        let Some(interface) = editor.config.interfaces.get_mut(&port) else { continue };
        let slot =
            if args.has("in") { &mut interface.access_group_in } else { &mut interface.access_group_out };
        slot.clone_from(&value);
    }
    Ok(())
}

/// A name that begins with a digit must be the number of a list, of this kind if one is given.
fn check_name(name: &str, kind: Option<Kind>) -> Result<(), Complaint> {
    let number = name.parse().ok().and_then(Kind::of_number);
    let is_word = !name.starts_with(|c: char| c.is_ascii_digit());
    if is_word || number.is_some_and(|number| kind.is_none_or(|kind| kind == number)) {
        return Ok(());
    }
    refuse("% Invalid access list name.")
}

/// What is said where an entry to be removed is not there.
const NO_SUCH_ENTRY: &str = "% Specified access list entry does not exist";

fn remark(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let text: String = need(args.text("remark-text"))?.chars().take(LONGEST_REMARK).collect();
    let in_section = !args.has("list-number");
    if args.negated() && !in_section {
        return remove_list(editor, args);
    }
    let name = need(list_name(editor, args))?;
    let kind = match &*editor.mode {
        ConfigMode::StandardAccessList(_) => Kind::Standard,
        ConfigMode::ExtendedAccessList(_) => Kind::Extended,
        _ => need(args.int("list-number").and_then(Kind::of_number))?,
    };
    let list = editor.config.policy.access_lists.entry(name).or_insert_with(|| kind.empty_list());
    match (list, args.negated()) {
        (AccessList::Standard(lines), false) => lines.remark(&text),
        (AccessList::Extended(lines), false) => lines.remark(&text),
        (AccessList::Standard(lines), true) => _ = lines.remove_remark(&text),
        (AccessList::Extended(lines), true) => _ = lines.remove_remark(&text),
    }
    Ok(())
}

fn action(args: &Args) -> Permission {
    if args.has("permit") { Permission::Permit } else { Permission::Deny }
}

fn standard_entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let entry = StandardEntry {
        action: action(args),
        source: endpoint(args, "any", "source", "source-wildcard"),
        log: args.has("log").then_some(AclLog::Log),
    };
    edit(editor, args, Kind::Standard, |list| match list {
        AccessList::Standard(lines) => {
            change(lines, args, entry, |lines, at| host_conflict(lines, &entry, at))
        }
        AccessList::Extended(_) => refuse(TYPE_CONFLICT),
    })
}

fn extended_entry(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let entry = extended(args)?;
    edit(editor, args, Kind::Extended, |list| match list {
        AccessList::Extended(lines) => change(lines, args, entry, |_, _| None),
        AccessList::Standard(_) => refuse(TYPE_CONFLICT),
    })
}

/// Changes a list, which is made if the change succeeds.
fn edit(
    editor: &mut Editor<'_>,
    args: &Args,
    kind: Kind,
    change: impl FnOnce(&mut AccessList) -> Result<(), Complaint>,
) -> Result<(), Complaint> {
    if args.negated() && args.has("list-number") {
        return remove_list(editor, args);
    }
    let name = need(list_name(editor, args))?;
    let lists = &mut editor.config.policy.access_lists;
    match lists.get_mut(&name) {
        Some(list) => change(list),
        None => {
            let mut list = kind.empty_list();
            change(&mut list)?;
            lists.insert(name, list);
            Ok(())
        }
    }
}

/// Adds or removes an entry. One that is there already is not added again.
fn change<E: PartialEq>(
    lines: &mut Lines<E>,
    args: &Args,
    entry: E,
    conflict: impl FnOnce(&Lines<E>, u32) -> Option<String>,
) -> Result<(), Complaint> {
    let sequence: Option<u32> = args.int("sequence");
    if args.form != Form::Set {
        let removed = match sequence {
            Some(sequence) => lines.remove_sequence(sequence),
            None => lines.remove_entry(&entry),
        };
        return if removed { Ok(()) } else { refuse(NO_SUCH_ENTRY) };
    }
    if lines.contains(&entry) {
        return Ok(());
    }
    if let Some(text) = conflict(lines, sequence.unwrap_or_else(|| lines.next_sequence())) {
        return refuse(text);
    }
    let added = match sequence {
        Some(sequence) => lines.insert(sequence, entry),
        None => lines.append(entry).map(|_| ()),
    };
    added.or_else(|_| refuse("% Duplicate sequence number"))
}

/// IOS looks hosts up by hash in a standard list, before its other entries: a host behind an entry that contains it is refused.
fn host_conflict(lines: &Lines<StandardEntry>, new: &StandardEntry, at: u32) -> Option<String> {
    let is_host = |entry: &StandardEntry| entry.source.mask.is_unspecified();
    let covers = |wide: &StandardEntry, host: &StandardEntry| {
        !is_host(wide) && is_host(host) && wide.source.matches(host.source.address)
    };
    lines.iter().find_map(|(sequence, entry)| {
        if sequence < at && covers(entry, new) {
            return Some(format!(
                "% Access rule can't be configured at higher sequence num as it is part of the existing rule at sequence num {sequence}"
            ));
        }
        (sequence > at && covers(new, entry)).then(|| {
            format!(
                "% Access rule can't be configured at lower sequence num as it contains the existing rule at sequence num {sequence}"
            )
        })
    })
}

/// `any`, `host A`, `A` or `A W`.
fn endpoint(args: &Args, any: &str, address: &str, wildcard: &str) -> Wildcard {
    match args.ip(address) {
        Some(address) => Wildcard::new(address, args.ip(wildcard).unwrap_or(Ipv4Addr::UNSPECIFIED)),
        None => {
            debug_assert!(args.has(any));
            Wildcard::new(Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST)
        }
    }
}

fn extended(args: &Args) -> Result<ExtendedEntry, Complaint> {
    let protocol = args.names().find_map(|name| match name {
        "ip" => Some(None),
        "icmp" => Some(Some(IpProtocol::ICMP)),
        "tcp" => Some(Some(IpProtocol::TCP)),
        "udp" => Some(Some(IpProtocol::UDP)),
        "protocol" => Some(args.int("protocol").map(IpProtocol)),
        _ => None,
    });
    let icmp = match args.int("icmp-message") {
        Some(number) => Some(names::icmp_match(number)),
        None => args.int("icmp-type").map(|kind| IcmpMatch { kind, code: args.int("icmp-code") }),
    };
    let log =
        if args.has("log-input") { Some(AclLog::LogInput) } else { args.has("log").then_some(AclLog::Log) };
    let source = endpoint(args, "source-any", "source", "source-wildcard");
    let destination = endpoint(args, "destination-any", "destination", "destination-wildcard");
    Ok(ExtendedEntry {
        source_ports: port_match(args, "source-")?,
        destination_ports: port_match(args, "destination-")?,
        established: args.has("established"),
        icmp,
        dscp: args.int("dscp-value"),
        precedence: args.int("precedence-value"),
        tos: args.int("tos-value"),
        fragments: args.has("fragments"),
        log,
        time_range: args.text("time-range-name").map(str::to_owned),
        ..ExtendedEntry::new(action(args), need(protocol)?, source, destination)
    })
}

fn port_match(args: &Args, end: &str) -> Result<Option<PortMatch>, Complaint> {
    let Some(operator) = args.names().find_map(|name| {
        let operator = name.strip_prefix(end)?;
        ["eq", "neq", "gt", "lt", "range"].contains(&operator).then_some(operator)
    }) else {
        return Ok(None);
    };
    let ports: Vec<u16> = args.ints(&format!("{end}port")).collect();
    let first = need(ports.first().copied())?;
    Ok(Some(match operator {
        "eq" => PortMatch::Eq(ports),
        "neq" => PortMatch::Neq(ports),
        "gt" => PortMatch::Gt(first),
        "lt" => PortMatch::Lt(first),
        _ => {
            let last = need(args.int(&format!("{end}port-last")))?;
            // IOS puts the ends of a range in order.
            PortMatch::Range(first.min(last), first.max(last))
        }
    }))
}

#[cfg(test)]
mod tests;
