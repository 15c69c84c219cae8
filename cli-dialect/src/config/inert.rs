//! Lines that have no effect on behaviour here but appear in real configurations: accepted, kept, shown.
//!
//! They are a table ([`GLOBAL`], [`INTERFACE`]) from which grammar, storage and place in `show running-config` follow. A line
//! equal to IOS's default is not stored: the renderer shows the default where nothing else is stored under its head.

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};

use super::{Complaint, ConfigMode, Editor, Handler, need, refuse};
use crate::grammar::{Args, Form, Spec, kw, line, word};

/// Where `show running-config` has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Place {
    /// Before the host name.
    Service,
    /// Behind the host name.
    Boot,
    /// Behind the VRFs.
    System,
    /// Behind the key chains.
    Users,
    /// Behind the routing processes.
    Transport,
    /// Behind the static routes and lists.
    Management,
    /// Behind `control-plane`.
    Banner,
    /// Behind the terminal lines.
    Ntp,
}

/// What may stand behind the head.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Nothing,
    Optional,
    Required,
}

/// Which lines a new one takes the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Keep {
    /// The one with the same head.
    One,
    /// The one with the same head and the same word behind it.
    Named,
    /// Only the same line.
    Many,
}

/// A kind of line without effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inert {
    head: &'static str,
    rest: Rest,
    keep: Keep,
    /// Where it stands.
    pub place: Place,
    /// The line that stands there by itself, perhaps with `no`.
    pub default: Option<&'static str>,
}

const fn one(place: Place, head: &'static str, rest: Rest) -> Inert {
    Inert { head, rest, keep: Keep::One, place, default: None }
}

const fn many(place: Place, head: &'static str) -> Inert {
    Inert { head, rest: Rest::Required, keep: Keep::Many, place, default: None }
}

const fn named(place: Place, head: &'static str) -> Inert {
    Inert { head, rest: Rest::Required, keep: Keep::Named, place, default: None }
}

const fn with_default(place: Place, head: &'static str, rest: Rest, default: &'static str) -> Inert {
    Inert { head, rest, keep: Keep::One, place, default: Some(default) }
}

use Place::{Banner, Boot, Management, Ntp, Service, System, Transport, Users};
use Rest::{Nothing, Optional, Required};

/// Global lines, in the order of `show running-config`.
pub(crate) const GLOBAL: [Inert; 84] = [
    one(Service, "service nagle", Nothing),
    one(Service, "service pad", Nothing),
    one(Service, "service tcp-keepalives-in", Nothing),
    one(Service, "service tcp-keepalives-out", Nothing),
    with_default(Service, "service timestamps debug", Optional, "service timestamps debug datetime msec"),
    with_default(Service, "service timestamps log", Optional, "service timestamps log datetime msec"),
    with_default(Service, "service password-encryption", Nothing, "no service password-encryption"),
    one(Service, "service sequence-numbers", Nothing),
    one(Service, "service dhcp", Nothing),
    one(Service, "service config", Nothing),
    one(Service, "service call-home", Nothing),
    one(Service, "service unsupported-transceiver", Nothing),
    one(Service, "service compress-config", Nothing),
    one(Service, "platform", Required),
    with_default(Boot, "boot-start-marker", Nothing, "boot-start-marker"),
    many(Boot, "boot system"),
    with_default(Boot, "boot-end-marker", Nothing, "boot-end-marker"),
    one(System, "logging buffered", Optional),
    one(System, "logging console", Optional),
    one(System, "logging monitor", Optional),
    one(System, "logging rate-limit", Required),
    one(System, "logging userinfo", Nothing),
    with_default(System, "aaa new-model", Nothing, "no aaa new-model"),
    one(System, "clock timezone", Required),
    one(System, "clock summer-time", Required),
    one(System, "mmi", Required),
    one(System, "memory-size", Required),
    one(System, "ip source-route", Nothing),
    one(System, "ip gratuitous-arps", Nothing),
    one(System, "ip icmp rate-limit", Required),
    one(System, "ip subnet-zero", Nothing),
    one(System, "ip bootp server", Nothing),
    one(System, "ip finger", Optional),
    one(System, "ip identd", Nothing),
    one(System, "ip domain name", Required),
    one(System, "ip domain-name", Required),
    named(System, "ip host"),
    many(System, "ip name-server"),
    with_default(System, "ip cef", Optional, "ip cef"),
    with_default(System, "ipv6 cef", Nothing, "no ipv6 cef"),
    with_default(System, "multilink bundle-name", Required, "multilink bundle-name authenticated"),
    one(System, "license", Required),
    one(System, "spanning-tree", Required),
    one(System, "vtp", Required),
    one(Users, "redundancy", Nothing),
    one(Users, "file prompt", Optional),
    one(Users, "configuration mode exclusive", Required),
    one(Users, "ip tcp synwait-time", Required),
    one(Users, "ip tcp path-mtu-discovery", Optional),
    with_default(Transport, "ip forward-protocol nd", Nothing, "ip forward-protocol nd"),
    one(Transport, "ip classless", Nothing),
    with_default(Transport, "ip http server", Nothing, "no ip http server"),
    with_default(Transport, "ip http secure-server", Nothing, "no ip http secure-server"),
    one(Transport, "ip http authentication", Required),
    one(Management, "ip ssh time-out", Required),
    one(Management, "ip ssh version", Required),
    one(Management, "ip ssh authentication-retries", Required),
    one(Management, "ip scp server enable", Nothing),
    one(Management, "ip tftp source-interface", Required),
    one(Management, "logging trap", Optional),
    one(Management, "logging facility", Required),
    one(Management, "logging source-interface", Required),
    many(Management, "logging host"),
    one(Management, "cdp run", Nothing),
    one(Management, "cdp log mismatch duplex", Nothing),
    many(Management, "snmp-server"),
    named(Banner, "alias address-family"),
    named(Banner, "alias archive"),
    named(Banner, "alias configure"),
    named(Banner, "alias exec"),
    named(Banner, "alias interface"),
    named(Banner, "alias ipenacl"),
    named(Banner, "alias ipsnacl"),
    named(Banner, "alias keychain"),
    named(Banner, "alias keychain-key"),
    named(Banner, "alias line"),
    named(Banner, "alias route-map"),
    named(Banner, "alias router"),
    named(Banner, "alias subinterface"),
    named(Banner, "alias vrf"),
    many(Banner, "privilege"),
    one(Ntp, "scheduler allocate", Optional),
    one(Ntp, "exception", Required),
    many(Ntp, "ntp"),
];

/// Lines on interfaces.
const INTERFACE: [Inert; 28] = [
    one(Service, "duplex", Required),
    one(Service, "speed", Required),
    one(Service, "media-type", Required),
    one(Service, "negotiation", Required),
    one(Service, "load-interval", Required),
    one(Service, "carrier-delay", Required),
    one(Service, "keepalive", Optional),
    one(Service, "cdp enable", Nothing),
    one(Service, "clock rate", Required),
    one(Service, "clockrate", Required),
    one(Service, "mop enabled", Nothing),
    one(Service, "mop sysid", Nothing),
    one(Service, "switchport", Nothing),
    one(Service, "hold-queue", Required),
    one(Service, "tx-ring-limit", Required),
    one(Service, "serial restart-delay", Required),
    one(Service, "fair-queue", Optional),
    one(Service, "snmp trap", Required),
    one(Service, "logging event", Required),
    one(Service, "ip route-cache cef", Nothing),
    one(Service, "ip route-cache flow", Nothing),
    one(Service, "ip route-cache same-interface", Nothing),
    one(Service, "ip route-cache", Nothing),
    one(Service, "ip mroute-cache", Nothing),
    one(Service, "ip directed-broadcast", Nothing),
    one(Service, "ip virtual-reassembly", Optional),
    one(Service, "ip tcp adjust-mss", Required),
    one(Service, "lldp", Required),
];

/// Lines of terminal lines: those before `login` have the place `Users`, those behind it `Transport`.
const LINE: [Inert; 39] = [
    one(Users, "session-timeout", Required),
    one(Users, "absolute-timeout", Required),
    one(Users, "session-limit", Required),
    one(Users, "ipv6 access-class", Required),
    one(Users, "authorization", Required),
    one(Users, "accounting", Required),
    one(Users, "location", Required),
    with_default(Users, "logging synchronous", Optional, "no logging synchronous"),
    one(Users, "history", Optional),
    with_default(Users, "exec", Nothing, "exec"),
    with_default(Users, "exec-banner", Nothing, "exec-banner"),
    with_default(Users, "motd-banner", Nothing, "motd-banner"),
    with_default(Users, "vacant-message", Optional, "vacant-message"),
    with_default(Users, "editing", Nothing, "editing"),
    one(Users, "refuse-message", Required),
    one(Users, "timeout login response", Required),
    with_default(Transport, "lockable", Nothing, "no lockable"),
    with_default(Transport, "notify", Nothing, "no notify"),
    with_default(Transport, "international", Nothing, "no international"),
    with_default(Transport, "full-help", Nothing, "no full-help"),
    with_default(Transport, "autohangup", Nothing, "no autohangup"),
    with_default(Transport, "autoselect", Required, "no autoselect"),
    with_default(Transport, "domain-lookup", Nothing, "domain-lookup"),
    one(Transport, "terminal-type", Required),
    one(Transport, "escape-character", Required),
    one(Transport, "activation-character", Required),
    one(Transport, "disconnect-character", Required),
    one(Transport, "hold-character", Required),
    one(Transport, "exec-character-bits", Required),
    one(Transport, "data-character-bits", Required),
    one(Transport, "modem", Required),
    one(Transport, "transport preferred", Required),
    one(Transport, "databits", Required),
    one(Transport, "parity", Required),
    one(Transport, "stopbits", Required),
    one(Transport, "speed", Required),
    one(Transport, "txspeed", Required),
    one(Transport, "rxspeed", Required),
    one(Transport, "flowcontrol", Required),
];

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
    };
    words.fold(leaf, |inner, word| kw(word, help_of(word)).then([inner]))
}

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    let mut table: Vec<_> = GLOBAL.iter().map(|inert| spec(inert, global)).collect();
    table.push(kw("logging", "Modify message logging facilities").then([
        crate::grammar::ip("host-address", "IP address of the syslog server").run(logging_host as Handler),
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
            Keep::One => 0,
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
        Form::No if lines.len() < before && inert.default.is_none() => None,
        Form::No if inert.keep != Keep::One || inert.rest == Rest::Required => None,
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
    let is_before = LINE.get(rank_on_line(line)).is_none_or(|inert| inert.place == Users);
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
