//! The lines without effect: what may stand in them, which of them exclude each other, and where they are shown.

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
pub(super) enum Rest {
    Nothing,
    Optional,
    Required,
    /// One of these shapes (see [`shape`]).
    OneOf(&'static [&'static str]),
    /// The same, or nothing.
    MaybeOneOf(&'static [&'static str]),
}

impl Rest {
    pub(super) const fn is_required(self) -> bool {
        matches!(self, Self::Required | Self::OneOf(_))
    }
}

/// Which lines a new one takes the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keep {
    /// The one with the same head.
    One,
    /// The same; what it is about is on by itself, so that its `no` form is kept.
    Switch,
    /// The one with the same head and the same word behind it.
    Named,
    /// Only the same line.
    Many,
}

/// A kind of line without effect.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Inert {
    pub(super) head: &'static str,
    pub(super) rest: Rest,
    pub(super) keep: Keep,
    /// Where it stands.
    pub place: Place,
    /// The line that stands there by itself, perhaps with `no`.
    pub default: Option<&'static str>,
}

const fn one(place: Place, head: &'static str, rest: Rest) -> Inert {
    Inert { head, rest, keep: Keep::One, place, default: None }
}

const fn switch(place: Place, head: &'static str, rest: Rest) -> Inert {
    Inert { head, rest, keep: Keep::Switch, place, default: None }
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

/// Which log messages go somewhere.
const SEVERITIES: &[&str] = &["SEVERITY", "discriminator LINE", "guaranteed"];

/// The same, behind the size of a buffer or without.
const BUFFER: &[&str] = &[
    "4096-2147483647",
    "4096-2147483647 SEVERITY",
    "SEVERITY",
    "discriminator LINE",
    "filtered",
    "xml",
    "xml 4096-2147483647",
];

/// Facilities of syslog.
const FACILITIES: &[&str] = &[
    "auth", "cron", "daemon", "kern", "local0", "local1", "local2", "local3", "local4", "local5", "local6",
    "local7", "lpr", "mail", "news", "sys10", "sys11", "sys12", "sys13", "sys14", "sys9", "syslog", "user",
    "uucp",
];

/// How times stand before log messages.
const TIMESTAMPS: &[&str] = &["datetime", "datetime LINE", "uptime"];

/// Where the time comes from.
const NTP: &[&str] = &[
    "access-group LINE",
    "allow LINE",
    "authenticate",
    "authentication-key LINE",
    "broadcastdelay 1-999999",
    "clock-period 0-4294967295",
    "disable",
    "logging",
    "master",
    "master 1-15",
    "max-associations 0-4294967295",
    "maxdistance 1-16",
    "panic LINE",
    "passive",
    "peer WORD",
    "peer WORD LINE",
    "server WORD",
    "server WORD LINE",
    "source LINE",
    "trusted-key LINE",
    "update-calendar",
];

use Place::{Banner, Boot, Management, Ntp, Service, System, Transport, Users};
use Rest::{MaybeOneOf, Nothing, OneOf, Optional, Required};

/// Global lines, in the order of `show running-config`.
pub(super) const GLOBAL: [Inert; 84] = [
    one(Service, "service nagle", Nothing),
    one(Service, "service pad", Nothing),
    one(Service, "service tcp-keepalives-in", Nothing),
    one(Service, "service tcp-keepalives-out", Nothing),
    with_default(
        Service,
        "service timestamps debug",
        MaybeOneOf(TIMESTAMPS),
        "service timestamps debug datetime msec",
    ),
    with_default(
        Service,
        "service timestamps log",
        MaybeOneOf(TIMESTAMPS),
        "service timestamps log datetime msec",
    ),
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
    switch(System, "logging buffered", MaybeOneOf(BUFFER)),
    switch(System, "logging console", MaybeOneOf(SEVERITIES)),
    switch(System, "logging monitor", MaybeOneOf(SEVERITIES)),
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
    Inert {
        head: "ip name-server",
        rest: OneOf(&[
            "A.B.C.D",
            "A.B.C.D A.B.C.D",
            "A.B.C.D A.B.C.D A.B.C.D",
            "A.B.C.D A.B.C.D A.B.C.D LINE",
            "vrf WORD LINE",
        ]),
        keep: Keep::Many,
        place: System,
        default: None,
    },
    with_default(
        System,
        "ip cef",
        MaybeOneOf(&[
            "accounting LINE",
            "distributed",
            "load-sharing LINE",
            "optimize LINE",
            "table LINE",
            "traffic-statistics LINE",
        ]),
        "ip cef",
    ),
    with_default(System, "ipv6 cef", Nothing, "no ipv6 cef"),
    with_default(System, "multilink bundle-name", Required, "multilink bundle-name authenticated"),
    one(System, "license", Required),
    one(System, "spanning-tree", Required),
    one(System, "vtp", Required),
    one(Users, "redundancy", Nothing),
    one(Users, "file prompt", Optional),
    one(Users, "configuration mode exclusive", Required),
    one(Users, "ip tcp synwait-time", OneOf(&["5-300"])),
    one(Users, "ip tcp path-mtu-discovery", Optional),
    with_default(Transport, "ip forward-protocol nd", Nothing, "ip forward-protocol nd"),
    one(Transport, "ip classless", Nothing),
    with_default(Transport, "ip http server", Nothing, "no ip http server"),
    with_default(Transport, "ip http secure-server", Nothing, "no ip http secure-server"),
    one(Transport, "ip http authentication", Required),
    one(Management, "ip ssh time-out", OneOf(&["1-120"])),
    one(Management, "ip ssh version", OneOf(&["1-2"])),
    one(Management, "ip ssh authentication-retries", OneOf(&["0-5"])),
    one(Management, "ip scp server enable", Nothing),
    one(Management, "ip tftp source-interface", Required),
    one(Management, "logging trap", MaybeOneOf(SEVERITIES)),
    one(Management, "logging facility", OneOf(FACILITIES)),
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
    Inert { head: "ntp", rest: OneOf(NTP), keep: Keep::Many, place: Ntp, default: None },
];

/// Lines on interfaces.
pub(super) const INTERFACE: [Inert; 28] = [
    one(Service, "duplex", OneOf(&["auto", "full", "half"])),
    one(Service, "speed", OneOf(&["10", "100", "1000", "10000", "2500", "5000", "auto", "nonegotiate"])),
    one(Service, "media-type", OneOf(&["auto-select", "rj45", "sfp"])),
    one(Service, "negotiation", OneOf(&["auto"])),
    one(Service, "load-interval", OneOf(&["30-600"])),
    one(Service, "carrier-delay", OneOf(&["0-60", "down LINE", "msec 0-1000", "up LINE"])),
    one(Service, "keepalive", MaybeOneOf(&["0-32767", "0-32767 1-255"])),
    one(Service, "cdp enable", Nothing),
    one(Service, "clock rate", OneOf(&["300-8000000"])),
    one(Service, "clockrate", OneOf(&["300-8000000"])),
    one(Service, "mop enabled", Nothing),
    one(Service, "mop sysid", Nothing),
    one(Service, "switchport", Nothing),
    one(Service, "hold-queue", OneOf(&["0-240000 in", "0-240000 out"])),
    one(Service, "tx-ring-limit", OneOf(&["1-32767"])),
    one(Service, "serial restart-delay", OneOf(&["0-900"])),
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
    one(Service, "ip tcp adjust-mss", OneOf(&["500-1460"])),
    one(Service, "lldp", OneOf(&["receive", "transmit"])),
];

/// Lines of terminal lines: those before `login` have the place `Users`, those behind it `Transport`.
pub(super) const LINE: [Inert; 39] = [
    one(Users, "session-timeout", OneOf(&["0-35791", "0-35791 output"])),
    one(Users, "absolute-timeout", OneOf(&["0-10000"])),
    one(Users, "session-limit", OneOf(&["0-4294967295"])),
    one(Users, "ipv6 access-class", Required),
    one(Users, "authorization", Required),
    one(Users, "accounting", Required),
    one(Users, "location", Required),
    with_default(Users, "logging synchronous", Optional, "no logging synchronous"),
    one(Users, "history", MaybeOneOf(&["size 0-256"])),
    with_default(Users, "exec", Nothing, "exec"),
    with_default(Users, "exec-banner", Nothing, "exec-banner"),
    with_default(Users, "motd-banner", Nothing, "motd-banner"),
    with_default(Users, "vacant-message", Optional, "vacant-message"),
    with_default(Users, "editing", Nothing, "editing"),
    one(Users, "refuse-message", Required),
    one(Users, "timeout login response", OneOf(&["0-300"])),
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
    one(Transport, "databits", OneOf(&["5-8"])),
    one(Transport, "parity", OneOf(&["even", "mark", "none", "odd", "space"])),
    one(Transport, "stopbits", OneOf(&["1", "1.5", "2"])),
    one(Transport, "speed", OneOf(&["0-4294967295"])),
    one(Transport, "txspeed", OneOf(&["0-4294967295"])),
    one(Transport, "rxspeed", OneOf(&["0-4294967295"])),
    one(Transport, "flowcontrol", OneOf(&["hardware", "hardware LINE", "none", "software", "software LINE"])),
];
