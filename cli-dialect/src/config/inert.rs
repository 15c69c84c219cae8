//! Lines that have no effect on behaviour here but appear in real configurations: accepted, kept, shown.
//!
//! They are a table ([`GLOBAL`], [`INTERFACE`]) from which grammar, storage and place in `show running-config` follow. A line
//! equal to IOS's default is not stored: the renderer shows the default where nothing else is stored under its head.

mod table;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, ParseError, Spec, int, ip, kw, line, word};
use crate::syslog::level::NAMES as SEVERITIES;

pub(crate) use table::Place;
use table::{GLOBAL, INTERFACE, Inert, Keep, LINE, Rest};

/// Where a line of a terminal line stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LinePlace {
    /// Before `login`.
    Before,
    /// Behind it.
    Behind,
}

/// The help of words that begin several commands.
fn help_of(word: &str) -> &'static str {
    match word {
        "aaa" => "Authentication, Authorization and Accounting",
        "alias" => "Create command alias",
        "boot" => "Modify system boot parameters",
        "cdp" => "Global CDP configuration subcommands",
        "clock" => "Configure time-of-day clock",
        "ip" => "Global IP configuration subcommands",
        "ipv6" => "Global IPv6 configuration subcommands",
        "http" => "HTTP server configuration",
        "logging" => "Modify message logging facilities",
        "ntp" => "Configure NTP",
        "service" => "Modify use of network based services",
        "snmp-server" => "Modify SNMP engine parameters",
        "ssh" => "Configure ssh options",
        "tcp" => "Global TCP parameters",
        "timestamps" => "Timestamp debug/log messages",
        "duplex" => "Configure duplex operation",
        "speed" => "Configure speed operation",
        "keepalive" => "Enable keepalive",
        _ => "Kept and shown; no effect on this router",
    }
}

fn spec(inert: &Inert, handler: Handler) -> Spec<Handler> {
    let mut words = inert.head.rsplit(' ');
    let last = words.next().unwrap_or_default();
    let rest = || line("rest", "Kept and shown; no effect on this router").run(handler);
    let leaf = kw(last, help_of(last)).negatable(handler);
    let leaf = match inert.rest {
        Rest::Nothing => leaf.run(handler),
        Rest::Optional => leaf.run(handler).then([rest()]),
        Rest::Required => leaf.then([rest()]),
        Rest::OneOf(shapes) => leaf.then(shapes.iter().flat_map(|words| shape(words, handler))),
        Rest::MaybeOneOf(shapes) => {
            leaf.run(handler).then(shapes.iter().flat_map(|words| shape(words, handler)))
        }
    };
    words.fold(leaf, |inner, word| kw(word, help_of(word)).then([inner]))
}

/// The grammar of a shape: keywords, `1-15` for a number, `A.B.C.D` for an address, `WORD`, `LINE` for all that follows,
/// `SEVERITY` for one of log messages by number or name.
fn shape(words: &'static str, handler: Handler) -> Vec<Spec<Handler>> {
    let (first, rest) = words.split_once(' ').map_or((words, None), |(first, rest)| (first, Some(rest)));
    let range =
        first.split_once('-').and_then(|(least, most)| Some((least.parse().ok()?, most.parse().ok()?)));
    let help = "Kept and shown; no effect on this router";
    let nodes = match (first, range) {
        (_, Some((least, most))) => vec![int("number", least, most, help)],
        ("A.B.C.D", _) => vec![ip("address", help)],
        ("WORD", _) => vec![word("name", help)],
        ("LINE", _) => vec![line("rest", help)],
        ("SEVERITY", _) => {
            let names = SEVERITIES.iter().map(|name| kw(name, help));
            names.chain([int("severity", 0, 7, help)]).collect()
        }
        _ => vec![kw(first, help)],
    };
    let behind = |node: Spec<Handler>| match rest {
        Some(rest) => node.then(shape(rest, handler)),
        None => node.run(handler),
    };
    nodes.into_iter().map(behind).collect()
}

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    let mut table: Vec<_> = GLOBAL.iter().map(|inert| spec(inert, global)).collect();
    table.push(kw("logging", "Modify message logging facilities").then([
        ip("host-address", "IP address of the syslog server").run(logging_host as Handler),
        kw("on", "Enable logging to all enabled destinations").run(accepted as Handler),
    ]));
    table.push(
        kw("version", "Release of the configuration")
            .then([word("release", "Release").run(accepted as Handler)]),
    );
    table
}

pub(super) fn line_table() -> Vec<Spec<Handler>> {
    LINE.iter().map(|inert| spec(inert, on_line)).collect()
}

pub(super) fn interface_table() -> Vec<Spec<Handler>> {
    INTERFACE.iter().map(|inert| spec(inert, on_interface)).collect()
}

pub(super) fn begins_with(line: &str, head: &str) -> bool {
    line.strip_prefix(head).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
}

/// The entry that a stored line belongs to, and its rank.
pub(crate) fn entry(line: &str) -> Option<(usize, &'static Inert)> {
    let line = line.strip_prefix("no ").unwrap_or(line);
    GLOBAL.iter().enumerate().find(|(_, inert)| begins_with(line, inert.head))
}

/// How many lines of a router are kept at most; a configuration that has more is hostile.
const MOST: usize = 4000;

/// Stores a line of `inert` among `lines`, or what its `no` form leaves.
fn store(lines: &mut Vec<String>, inert: &Inert, command: &str, form: Form) -> Result<(), Complaint> {
    let words: usize = inert.head.split(' ').count()
        + match inert.keep {
            Keep::One | Keep::Switch => 0,
            Keep::Named => 1,
            Keep::Many => usize::MAX / 2,
        };
    let key: Vec<&str> = command.splitn(words.saturating_add(1), ' ').take(words).collect();
    let key = key.join(" ");
    let before = lines.len();
    lines.retain(|kept| !begins_with(kept.strip_prefix("no ").unwrap_or(kept), &key));
    let kept = match form {
        Form::Set => Some(command.to_owned()),
        Form::Default => None,
        // What is off by itself is off again; what is on by itself stays off.
        Form::No if inert.keep == Keep::Switch => Some(format!("no {}", inert.head)),
        Form::No if lines.len() < before && inert.default.is_none() => None,
        Form::No if inert.keep != Keep::One || inert.rest.is_required() => None,
        Form::No => Some(format!("no {}", inert.head)),
    };
    if let Some(line) = kept.filter(|line| inert.default != Some(line.as_str())) {
        if lines.len() >= MOST {
            return refuse("% Insufficient memory for this configuration");
        }
        lines.push(line);
    }
    Ok(())
}

fn global(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let command = args.canonical();
    let (_, inert) = need(entry(&command))?;
    let lines = &mut editor.config.inert.global;
    store(lines, inert, &command, args.form)?;
    put_in_order(lines);
    *editor.mode = ConfigMode::Global;
    Ok(())
}

/// `logging A.B.C.D` is an older form of `logging host A.B.C.D`.
fn logging_host(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let command = format!("logging host {}", need(args.ip("host-address"))?);
    let (_, inert) = need(entry(&command))?;
    store(&mut editor.config.inert.global, inert, &command, args.form)?;
    put_in_order(&mut editor.config.inert.global);
    *editor.mode = ConfigMode::Global;
    Ok(())
}

/// The order of the table; banners before, by kind. Lines of one entry keep the order in which they were given.
pub(super) fn put_in_order(lines: &mut [String]) {
    lines.sort_by_cached_key(|line| match entry(line) {
        Some((rank, _)) => (rank + 1, String::new()),
        None => (0, line.clone()),
    });
}

/// What every configuration says and nobody stores.
fn accepted(_editor: &mut Editor<'_>, _args: &Args) -> Result<(), Complaint> {
    Ok(())
}

fn on_interface(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let command = args.canonical();
    let known = INTERFACE.iter().find(|inert| begins_with(&command, inert.head));
    let inert = need(known)?;
    if editor.interfaces().iter().any(|name| !fits(inert.head, *name)) {
        let at = args.names().next().map_or(0, |first| args.at(first));
        return Err(Complaint::Syntax(ParseError::Invalid { at, understood: 0 }));
    }
    for name in editor.interfaces() {
        let defaults = interface_defaults(name);
        if let Some(interface) = editor.config.interfaces.get_mut(&name) {
            store(&mut interface.inert, inert, &command, args.form)?;
            interface.inert.retain(|line| !defaults.contains(&line.as_str()));
            interface.inert.sort_by_key(|line| rank_on_interface(line));
        }
    }
    Ok(())
}

/// Whether interfaces of this kind have such a line at all.
fn fits(head: &str, name: InterfaceName) -> bool {
    match head {
        "duplex" | "speed" | "media-type" | "negotiation" => name.kind().is_ethernet(),
        "clock rate" | "clockrate" | "serial restart-delay" => name.kind() == InterfaceKind::Serial,
        _ => true,
    }
}

fn on_line(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let command = args.canonical();
    let inert = need(LINE.iter().find(|inert| begins_with(&command, inert.head)))?;
    let mut stored = Ok(());
    editor.edit_lines(|line| {
        let result = store(&mut line.inert, inert, &command, args.form);
        stored = std::mem::replace(&mut stored, Ok(())).and(result);
        line.inert.sort_by_key(|line| rank_on_line(line));
    });
    stored
}

fn rank_on_line(line: &str) -> usize {
    let line = line.strip_prefix("no ").unwrap_or(line);
    LINE.iter().position(|inert| begins_with(line, inert.head)).unwrap_or(usize::MAX)
}

/// Where a kept line of a terminal line stands.
pub(crate) fn line_place(line: &str) -> LinePlace {
    let is_before = LINE.get(rank_on_line(line)).is_none_or(|inert| inert.place == Place::Users);
    if is_before { LinePlace::Before } else { LinePlace::Behind }
}

fn rank_on_interface(line: &str) -> usize {
    let line = line.strip_prefix("no ").unwrap_or(line);
    INTERFACE.iter().position(|inert| begins_with(line, inert.head)).unwrap_or(usize::MAX)
}

/// The lines that an interface shows by itself.
fn interface_defaults(name: InterfaceName) -> &'static [&'static str] {
    match name.kind() {
        InterfaceKind::FastEthernet | InterfaceKind::GigabitEthernet if name.subinterface().is_none() => {
            &["duplex auto", "speed auto"]
        }
        _ => &[],
    }
}

/// The lines without effect of an interface, defaults included, in order.
pub(crate) fn interface_lines(name: InterfaceName, stored: &[String]) -> Vec<&str> {
    let head = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    let shown = interface_defaults(name).iter().copied();
    let mut lines: Vec<&str> = shown
        .filter(|line| !stored.iter().any(|s| head(s.strip_prefix("no ").unwrap_or(s)) == head(line)))
        .collect();
    lines.extend(stored.iter().map(String::as_str));
    lines.sort_by_key(|line| rank_on_interface(line));
    lines
}

/// The global lines without effect of a place, defaults included, in order.
pub(crate) fn global_lines(config: &RouterConfig, place: Place) -> Vec<&str> {
    let mut lines = Vec::new();
    for (rank, inert) in GLOBAL.iter().enumerate().filter(|(_, inert)| inert.place == place) {
        let stored = config.inert.global.iter().filter(|line| entry(line).is_some_and(|(r, _)| r == rank));
        let before = lines.len();
        lines.extend(stored.map(String::as_str));
        if lines.len() == before {
            lines.extend(inert.default);
        }
    }
    lines
}

impl Editor<'_> {
    /// Keeps a line of a section without effect; `false` if it is a global command, which leaves the section.
    pub(super) fn apply_in_section(&mut self, section: &str, line: &str) -> bool {
        let line = line.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        if is_global_command(&line) {
            return false;
        }
        let lines = self.config.inert.sections.entry(section.to_owned()).or_default();
        keep_in_section(lines, line);
        if lines.is_empty() {
            self.config.inert.sections.remove(section);
        }
        true
    }
}

/// The section that is always there.
pub(crate) const CONTROL_PLANE: &str = "control-plane";

/// Whether a line leaves a section because global mode has it.
fn is_global_command(line: &str) -> bool {
    use crate::grammar::ParseError;
    let (form, from) = super::split_form(line);
    let parsed = crate::grammar::parse(super::tree_of(&ConfigMode::Global), line, from, form);
    !matches!(parsed, Err(ParseError::Invalid { understood: 0, .. }))
}

/// A line is kept once; `no` takes it away.
fn keep_in_section(lines: &mut Vec<String>, line: String) {
    let positive = line.strip_prefix("no ");
    lines.retain(|kept| kept != positive.unwrap_or(&line));
    if positive.is_none() && lines.len() < MOST {
        lines.push(line);
    }
}
