//! Small commands about the box: `show users`, `show hosts`, `show inventory`, and the discovery protocols, which do not run here.
//!
//! Row fields of `show users`, one row for each line: `line` (`0 con 0`), `current`, `user`, `hosts`, `idle` (s), `location`.
//! Of `show hosts`, one row: `default_domain` (null if not set), `name_servers` (list), `hosts` (list of `name` and `addresses`). Of `show inventory`: `name`, `description`, `pid`, `vid`,
//! `serial_number`.

use std::net::Ipv4Addr;

use netconfarena_emu::config::RouterConfig;
use serde::{Deserialize, Serialize};

use super::age::Age;
use super::text::{Line, lines};
use super::version::Version;
use super::{ParseError, Record, Row, ShowContext, ShowHandler, row};
use crate::grammar::{Spec, kw, plain};

/// The record of `show users`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Users {
    /// Lines in use.
    pub lines: Vec<UserLine>,
}

/// A line in use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserLine {
    /// `0 con 0`, `10 vty 0`.
    pub line: String,
    /// The line that the command was typed at.
    pub current: bool,
    /// Empty without login.
    pub user: String,
    /// `idle`.
    pub hosts: String,
    /// Since the last key.
    pub idle: Age,
    /// Where the user comes from; empty at the console.
    pub location: String,
}

impl Users {
    /// From a router: its console, and the virtual terminals in use. `current` is the line that the command was typed at, if
    /// that is a virtual terminal; `hosts` are what the session on it is connected to.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, current: Option<u16>, hosts: &[String]) -> Self {
        let line = |number: usize, name: String| UserLine {
            line: format!("{number} {name}"),
            hosts: "idle".to_owned(),
            ..UserLine::default()
        };
        let console = UserLine { current: current.is_none(), ..line(0, "con 0".to_owned()) };
        let terminals = context.router().line_users().map(|(number, user)| UserLine {
            current: current == Some(number),
            user: user.user.clone(),
            idle: Age::from_secs(context.now().since(user.last_key).as_secs()),
            location: user.from.clone(),
            ..line(usize::from(FIRST_TERMINAL + number), format!("vty {number}"))
        });
        let mut lines: Vec<UserLine> = std::iter::once(console).chain(terminals).collect();
        if let (Some(line), Some(host)) = (lines.iter_mut().find(|line| line.current), hosts.last()) {
            line.hosts.clone_from(host);
        }
        Self { lines }
    }
}

/// The number of the first virtual terminal among all lines: the console and the auxiliary port come before.
pub(super) const FIRST_TERMINAL: u16 = 2;

impl Record for Users {
    fn render(&self) -> String {
        let mut out = "    Line       User       Host(s)              Idle       Location\n".to_owned();
        for UserLine { line, current, user, hosts, idle, location } in &self.lines {
            let star = if *current { '*' } else { ' ' };
            let (number, name) = line.split_once(' ').unwrap_or(("", line));
            out.push_str(&format!(
                "{star}{number:>3} {name:<9} {user:<10} {hosts:<20} {idle:<10} {location}\n"
            ));
        }
        out.push_str("\n  Interface    User               Mode         Idle     Peer Address\n\n");
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let trimmed = line.text.trim_start();
            if trimmed.starts_with("Interface ") {
                break;
            }
            if !trimmed.starts_with("Line ") {
                record.lines.push(user_line(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.lines.iter().map(row).collect()
    }
}

fn user_line(line: Line<'_>) -> Result<UserLine, ParseError> {
    let current = line.text.starts_with('*');
    let words: Vec<&str> = line.text.trim_start_matches('*').split_whitespace().collect();
    let idle_at =
        words.iter().position(|word| word.contains(':')).ok_or_else(|| line.error("an idle time"))?;
    let (before, behind) = words.split_at(idle_at);
    let [number, kind, unit, names @ ..] = before else {
        return Err(line.error("number and name of the line"));
    };
    let (user, hosts) = match names {
        [] => ("", ""),
        [hosts] => ("", *hosts),
        [user, hosts, ..] => (*user, *hosts),
    };
    Ok(UserLine {
        line: format!("{number} {kind} {unit}"),
        current,
        user: user.to_owned(),
        hosts: hosts.to_owned(),
        idle: line.value(behind.first().copied().unwrap_or_default(), "an idle time")?,
        location: behind.get(1).copied().unwrap_or_default().to_owned(),
    })
}

/// The record of `show hosts`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hosts {
    /// `ip domain name`.
    pub default_domain: Option<String>,
    /// `ip name-server`.
    pub name_servers: Vec<String>,
    /// `ip host`.
    pub hosts: Vec<Host>,
}

/// A name with its addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    /// Its name.
    pub name: String,
    /// Its addresses, the first of which is used.
    pub addresses: Vec<Ipv4Addr>,
}

/// The names that `ip host` gives addresses.
fn static_hosts(config: &RouterConfig) -> impl Iterator<Item = Host> {
    config.inert.global.iter().filter_map(|line| {
        let mut words = line.strip_prefix("ip host ")?.split_ascii_whitespace();
        let name = words.next()?.to_owned();
        let addresses: Vec<Ipv4Addr> = words.filter_map(|word| word.parse().ok()).collect();
        (!addresses.is_empty()).then_some(Host { name, addresses })
    })
}

/// The address that `ip host` gives a name; capitals do not count.
pub(crate) fn host_address(config: &RouterConfig, name: &str) -> Option<Ipv4Addr> {
    let host = static_hosts(config).find(|host| host.name.eq_ignore_ascii_case(name))?;
    host.addresses.first().copied()
}

impl Hosts {
    /// From a router. No name server is asked here.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let all = &context.router().config().inert.global;
        let values = |starts: &'static [&'static str]| {
            all.iter().filter_map(move |line| starts.iter().find_map(|start| line.strip_prefix(start)))
        };
        Self {
            default_domain: values(&["ip domain name ", "ip domain-name "]).next().map(str::to_owned),
            name_servers: values(&["ip name-server "])
                .flat_map(str::split_whitespace)
                .map(str::to_owned)
                .collect(),
            hosts: static_hosts(context.router().config()).collect(),
        }
    }
}

impl Record for Hosts {
    fn render(&self) -> String {
        let domain = self.default_domain.as_deref().unwrap_or("not set");
        let servers = if self.name_servers.is_empty() {
            "255.255.255.255".to_owned()
        } else {
            self.name_servers.join(", ")
        };
        let head = format!(
            "Default domain is {domain}\nName/address lookup uses static mappings\nName servers are {servers}\n\n\
             Codes: UN - unknown, EX - expired, OK - OK, ?? - revalidate\n       temp - temporary, perm - permanent\n       \
             NA - Not Applicable None - Not defined\n\nHost                      Port  Flags      Age Type   Address(es)\n"
        );
        self.hosts.iter().fold(head, |text, Host { name, addresses }| {
            let addresses: Vec<String> = addresses.iter().map(Ipv4Addr::to_string).collect();
            text + &format!("{name:<25} None  (perm, OK)  0   IP      {}\n", addresses.join("  "))
        })
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([domain]) = line.holes("Default domain is {}") {
                record.default_domain = Some(domain.to_owned()).filter(|domain| domain != "not set");
            } else if let Some([servers]) = line.holes("Name servers are {}") {
                let all = servers.split(", ").filter(|server| *server != "255.255.255.255");
                record.name_servers = all.map(str::to_owned).collect();
            } else if let Some([name, _, addresses]) = line.holes("{} None (perm, {} IP {}") {
                let addresses = addresses.split_whitespace().map(|word| line.value(word, "an address"));
                let addresses = addresses.collect::<Result<_, _>>()?;
                record.hosts.push(Host { name: name.to_owned(), addresses });
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        vec![row(self)]
    }
}

/// The record of `show inventory`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// Parts.
    pub parts: Vec<Part>,
}

/// A part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Name.
    pub name: String,
    /// What it is.
    pub description: String,
    /// Product.
    pub pid: String,
    /// Version.
    pub vid: String,
    /// Serial number.
    pub serial_number: String,
}

impl Inventory {
    /// From a router: its chassis.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>) -> Self {
        let Version { hardware, processor_board_id, .. } = Version::collect(context);
        let chassis = Part {
            description: format!("{hardware} chassis, Hw Serial#: {processor_board_id}, Hw Revision: 1.0"),
            name: hardware.clone(),
            pid: hardware,
            vid: "1.0".to_owned(),
            serial_number: processor_board_id,
        };
        Self { parts: vec![chassis] }
    }
}

impl Record for Inventory {
    fn render(&self) -> String {
        let part = |part: &Part| {
            let Part { name, description, pid, vid, serial_number } = part;
            format!(
                "NAME: \"{name}\", DESCR: \"{description}\"\nPID: {pid:<18}, VID: {vid}, SN: {serial_number}\n\n"
            )
        };
        self.parts.iter().map(part).collect()
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let trimmed = line.text.trim();
            if let Some((name, description)) =
                trimmed.strip_prefix("NAME: ").and_then(|rest| rest.split_once(", DESCR: "))
            {
                let unquoted = |text: &str| text.trim().trim_matches('"').to_owned();
                record.parts.push(Part {
                    name: unquoted(name),
                    description: unquoted(description),
                    ..Part::default()
                });
            } else if let Some(rest) = trimmed.strip_prefix("PID:") {
                let part =
                    record.parts.last_mut().ok_or_else(|| line.error("`NAME: \"X\", DESCR: \"Y\"`"))?;
                let (pid, rest) = rest.split_once(',').unwrap_or((rest, ""));
                let (vid, serial) = rest.split_once(',').unwrap_or((rest, ""));
                part.pid = pid.trim().to_owned();
                part.vid = vid.trim().trim_start_matches("VID:").trim().to_owned();
                part.serial_number = serial.trim().trim_start_matches("SN:").trim().to_owned();
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.parts.iter().map(row).collect()
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let hosts: ShowHandler = |context, _| Ok(Hosts::collect(context).render());
    let no_cdp: ShowHandler = |_, _| Ok("% CDP is not enabled\n".to_owned());
    let no_lldp: ShowHandler = |_, _| Ok("% LLDP is not enabled\n".to_owned());
    vec![
        kw("hosts", "IP domain-name, lookup style, nameservers, and host table").run(hosts),
        plain("inventory", "Show the physical inventory", |context, _| {
            Ok(Inventory::collect(context).render())
        }),
        kw("cdp", "CDP information").run(no_cdp).then([kw("neighbors", "CDP neighbor entries")
            .run(no_cdp)
            .then([plain("detail", "Show detailed information", no_cdp)])]),
        kw("lldp", "LLDP information").run(no_lldp).then([kw("neighbors", "LLDP neighbor entries")
            .run(no_lldp)
            .then([plain("detail", "Show detailed information", no_lldp)])]),
    ]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::arbitrary;
    use super::*;

    proptest! {
        #[test]
        fn users_round_trip(list in prop::collection::vec((arbitrary::word(&["0 con 0", "10 vty 0"]), any::<bool>(), "[a-z]{1,8}", 0u64..86_400, "([1-9]\\.[1-9]\\.[1-9]\\.[1-9])?"), 0..3)) {
            let lines = list.into_iter().map(|(line, current, user, idle, location)| UserLine {
                line, current, user, hosts: "idle".to_owned(), idle: Age::from_secs(idle), location,
            }).collect();
            let record = Users { lines };
            prop_assert_eq!(Users::parse(&record.render()), Ok(record));
        }

        #[test]
        fn hosts_round_trip(default_domain in prop::option::of("[a-z]{1,8}\\.[a-z]{2,3}"), servers in prop::collection::vec(arbitrary::address(), 0..3),
            hosts in prop::collection::vec(("[A-Z]{1,30}", prop::collection::vec(arbitrary::address(), 1..3)), 0..3)) {
            let hosts = hosts.into_iter().map(|(name, addresses)| Host { name, addresses }).collect();
            let record = Hosts { default_domain, name_servers: servers.iter().map(ToString::to_string).collect(), hosts };
            prop_assert_eq!(Hosts::parse(&record.render()), Ok(record));
        }

        #[test]
        fn inventories_round_trip(list in prop::collection::vec(("[A-Za-z][A-Za-z0-9 ]{0,10}[a-z]", "[A-Z0-9-]{1,18}", "[0-9A-Z]{11}"), 0..3)) {
            let parts = list.into_iter().map(|(name, pid, serial_number)| Part {
                description: format!("{name} chassis"), name, pid, vid: "V01".to_owned(), serial_number,
            }).collect();
            let record = Inventory { parts };
            prop_assert_eq!(Inventory::parse(&record.render()), Ok(record));
        }
    }
}
