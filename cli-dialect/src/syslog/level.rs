//! Which messages reach a destination: `logging console`, `logging monitor`, `logging buffered`.

use netconfarena_emu::config::RouterConfig;

/// The names of the severities, from 0 to 7.
pub(crate) const NAMES: [&str; 8] = [
    "emergencies",
    "alerts",
    "critical",
    "errors",
    "warnings",
    "notifications",
    "informational",
    "debugging",
];

/// Where messages go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Destination {
    /// The terminal at the console.
    Console,
    /// The other terminals, after `terminal monitor`.
    Monitor,
    /// The log that `show logging` prints.
    Buffer,
}

/// The least severe messages that go to a destination; `None` if none do. By themselves all go everywhere.
pub(crate) fn level(config: &RouterConfig, destination: Destination) -> Option<u8> {
    let head = match destination {
        Destination::Console => "logging console",
        Destination::Monitor => "logging monitor",
        Destination::Buffer => "logging buffered",
    };
    let own = |line: &&String| line.strip_prefix("no ").unwrap_or(line).starts_with(head);
    let Some(line) = config.inert.global.iter().find(own) else { return Some(7) };
    if line.starts_with("no ") {
        return None;
    }
    let last = line.rsplit(' ').next().unwrap_or_default();
    let named = NAMES.iter().position(|name| *name == last).and_then(|level| u8::try_from(level).ok());
    // A greater number is the size of the buffer.
    Some(named.or_else(|| last.parse().ok().filter(|level| *level < 8)).unwrap_or(7))
}
