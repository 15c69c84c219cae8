//! The show commands: typed records, their IOS text, and the way back.
//!
//! Each command has a file with its record. [`Record::render`] writes the text of IOS 15.9, [`Record::parse`] reads it and what
//! other IOS and IOS-XE releases print, so that real routers can be judged by the same tests. [`parse_command`] goes from
//! a command line and its output to rows. The file also says how the record is collected from a router, and the grammar
//! of the command; [`table`] joins the grammars for the exec mode.
//!
//! | module | command |
//! |---|---|
//! | [`version`], [`clock`] | `show version`, `show clock` |
//! | [`arp`] | `show arp`, `show ip arp` |
//! | [`interfaces`] | `show interfaces [X]` |
//! | [`interfaces_description`], [`interfaces_summary`] | `show interfaces description`, `show interfaces summary` |
//! | [`ip_route`] | `show ip route` with its filters |
//! | [`ip_interface_brief`] | `show ip interface brief` |
//! | [`ip_route_summary`] | `show ip route summary` |
//! | [`ospf`] | `show ip ospf ...` |
//! | [`bgp`] | `show ip bgp ...` |
//! | [`eigrp`], [`ip_rip_database`] | `show ip eigrp ...`, `show ip rip database` |
//! | [`ip_protocols`] | `show ip protocols` |
//! | [`ip_cef`], [`ip_interface`] | `show ip cef [PREFIX]`, `show ip interface [X]` |
//! | [`policy`] | `show access-lists`, `show ip prefix-list`, `show route-map`, `show key chain` |
//! | [`vrfs`], [`ip_vrf`], [`logging`] | `show vrf`, `show ip vrf`, `show logging` |
//! | [`system`] | `show users`, `show hosts`, `show inventory` |
//! | [`tracking`] | `show track`, `show ip sla`, `show ip policy` |
//! | [`ping`], [`traceroute`] | `ping`, `traceroute` |
//! | [`age`], [`text`] | notations and reading that they share |

pub mod age;
#[cfg(test)]
mod arbitrary;
pub mod arp;
pub mod bgp;
pub mod clock;
#[cfg(test)]
mod collect_tests;
mod context;
pub mod debugging;
#[cfg(test)]
mod distance_vector_tests;
pub mod eigrp;
pub mod interfaces;
pub mod interfaces_description;
pub mod interfaces_summary;
pub mod ip_cef;
pub mod ip_interface;
pub mod ip_interface_brief;
pub mod ip_protocols;
pub mod ip_rip_database;
pub mod ip_route;
pub mod ip_route_summary;
pub mod ip_vrf;
pub mod logging;
pub mod ospf;
pub mod ping;
pub mod policy;
mod registry;
pub mod resources;
pub mod system;
pub mod text;
pub mod traceroute;
pub mod tracking;
pub mod version;
pub mod vrf_detail;
pub mod vrfs;

use std::fmt;

use serde::Serialize;
use serde_json::Value;

pub use context::{ShowContext, ShowHandler};
pub use registry::{CommandError, parse_command, print_again};

use crate::grammar::Spec;

/// The grammar of all show commands, from the word behind `show` on. Tables may share their beginnings: those join.
pub(crate) fn table() -> Vec<Spec<ShowHandler>> {
    [
        version::table(),
        clock::table(),
        debugging::table(),
        eigrp::table(),
        arp::table(),
        bgp::table(),
        interfaces::table(),
        interfaces_description::table(),
        interfaces_summary::table(),
        ip_cef::table(),
        ip_interface::table(),
        ip_interface_brief::table(),
        ip_protocols::table(),
        ip_rip_database::table(),
        ip_route::table(),
        ip_vrf::table(),
        logging::table(),
        ospf::table(),
        policy::table(),
        resources::table(),
        system::table(),
        tracking::table(),
        vrf_detail::table(),
        vrfs::table(),
    ]
    .concat()
}

/// One row of a record: a flat object with snake-case fields.
pub type Row = serde_json::Map<String, Value>;

/// What a show command says.
pub trait Record: Sized + Serialize {
    /// The text of IOS.
    fn render(&self) -> String;

    /// Reads the text.
    ///
    /// # Errors
    /// The first line that cannot belong to this output.
    fn parse(text: &str) -> Result<Self, ParseError>;

    /// The record as flat rows, one for each thing that the command lists.
    fn rows(&self) -> Vec<Row>;
}

/// A line of output that is not what the command prints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseError {
    /// Line number, from 1; 0 if a line is missing.
    pub line: usize,
    /// The line, cut to 200 characters.
    pub text: String,
    /// What was expected there.
    pub expected: &'static str,
}

impl ParseError {
    /// An error about a line.
    #[must_use]
    pub fn new(line: usize, text: &str, expected: &'static str) -> Self {
        Self { line, text: text.chars().take(200).collect(), expected }
    }

    /// The output ends before something that it must hold.
    #[must_use]
    pub fn missing(expected: &'static str) -> Self {
        Self { line: 0, text: String::new(), expected }
    }
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            return write!(f, "the output lacks {}", self.expected);
        }
        write!(f, "line {}: expected {}, found `{}`", self.line, self.expected, self.text)
    }
}

impl std::error::Error for ParseError {}

/// A serialisable flat struct as a row.
fn row(value: &impl Serialize) -> Row {
    match serde_json::to_value(value) {
        Ok(Value::Object(row)) => row,
        _ => Row::new(),
    }
}
