//! Configuration lines as edits of the typed tree.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | [`Editor`]: one line at a time, in the mode that the lines before have entered |
//! | `global.rs`, `interface.rs`, `ip_ospf.rs`, `ospf.rs`, `static_route.rs`, `vrf.rs`, `key_chain.rs`, `key_lifetime.rs` | the tables and handlers of each topic |
//! | `trees.rs` | the command tree of each mode |
//! | `access_list.rs`, `prefix_list.rs`, `path_lists.rs`, `extended_lists.rs` | access, prefix, as-path and community lists |
//! | `bgp/` | `router bgp` |
//! | `eigrp.rs`, `ip_eigrp.rs` | `router eigrp` in both modes; EIGRP on interfaces |
//! | `rip.rs`, `ip_rip.rs` | `router rip`; RIP on interfaces |
//! | `route_map.rs`, `time_range.rs` | route maps and policy lists, time ranges |
//! | `tracking.rs` | `track`, `ip sla`, policy routing |
//! | `running_ospf.rs` | what commands must know of OSPF processes that run |
//! | `line.rs` | `line con 0`, `line vty 0 4` |
//! | `host_key.rs` | `crypto key generate rsa` |
//! | `load.rs` | a whole configuration text |
//! | `navigation.rs` | `exit`, `end`, `do`, in every mode |
//! | `banner.rs` | banners |
//! | `inert.rs` | lines without effect here that are accepted, kept and shown |
//! | `unsupported.rs` | commands that real IOS has and this emulator refuses by name |

mod access;
mod access_list;
mod archive;
mod banner;
mod bgp;
mod eigrp;
mod extended_lists;
mod global;
mod host_key;
mod inert;
mod interface;
mod ip_eigrp;
mod ip_ospf;
mod ip_rip;
mod key_chain;
mod key_lifetime;
mod line;
mod load;
mod navigation;
mod ospf;
mod ospf_match;
mod path_lists;
mod prefix_list;
mod rip;
mod route_map;
mod running_ospf;
mod static_route;
mod time_range;
mod tracking;
mod trees;
mod unsupported;
mod vrf;

use std::fmt;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::interface::InterfaceName;
use serde::{Deserialize, Serialize};

use crate::grammar::{self, Args, Form, ParseError};
use trees::tree_of;

pub use eigrp::{EigrpFamily, EigrpMode};
pub use line::LineRange;
pub use load::{LoadReport, Reason, RefusedLine, load};
pub use running_ospf::RunningOspf;

pub(crate) use access_list::{DSCPS, PRECEDENCES, PROTOCOLS, TYPES_OF_SERVICE, icmp_name, ports_of};
pub(crate) use eigrp::classful_wildcard;
pub(crate) use inert::{
    CONTROL_PLANE, LinePlace, Place, global_lines, interface_lines, line_place as inert_line_place,
};
pub(crate) use line::PROTOCOLS as LINE_PROTOCOLS;

/// The configuration mode that a line is typed in.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ConfigMode {
    /// `(config)#`
    #[default]
    Global,
    /// `(config-if)#`, of one interface or of a range.
    Interface(Vec<InterfaceName>),
    /// `(config-router)#`
    RouterOspf(u16),
    /// `(config-router)#` and what lies below it.
    Eigrp(EigrpMode),
    /// `(config-router)#` of RIP; in the address family of a VRF `(config-router-af)#`.
    Rip(Option<String>),
    /// `(config-router)#`, of BGP.
    RouterBgp,
    /// `(config-router-af)#`, of BGP, global or of a VRF.
    BgpFamily(Option<String>),
    /// `(config-router-stmp)#`
    BgpSessionTemplate(String),
    /// `(config-router-ptmp)#`
    BgpPolicyTemplate(String),
    /// `(config-vrf)#`
    Vrf(String),
    /// `(config-vrf-af)#`
    VrfAddressFamily(String),
    /// `(config-keychain)#`
    KeyChain(String),
    /// `(config-keychain-key)#`
    Key(String, u32),
    /// `(config-std-nacl)#`
    StandardAccessList(String),
    /// `(config-ext-nacl)#`
    ExtendedAccessList(String),
    /// `(config-route-map)#`, of one entry.
    RouteMap(String, u16),
    /// `(config-policy-list)#`
    PolicyList(String),
    /// `(config-time-range)#`
    TimeRange(String),
    /// `(config-track)#`
    Track(u16),
    /// `(config-ip-sla)#`, of an echo operation `(config-ip-sla-echo)#`
    Sla {
        /// Its number.
        number: u32,
        /// Its kind is chosen.
        is_echo: bool,
    },
    /// `(config-archive)#`
    Archive,
    /// `(config-line)#`
    Line(LineRange),
    /// `(config-cp)#`, whose lines have no effect here.
    Inert(String),
    /// Within the text of a banner: every line belongs to it, up to the delimiter.
    Banner {
        /// `motd`.
        kind: String,
        /// What ends the text.
        delimiter: String,
        /// The text so far.
        text: String,
    },
}

impl ConfigMode {
    /// What stands in the prompt's parentheses.
    #[must_use]
    pub fn prompt(&self) -> &'static str {
        match self {
            Self::Global => "config",
            Self::Interface(names) if names.len() > 1 => "config-if-range",
            Self::Interface(names) if names.iter().any(|n| n.subinterface().is_some()) => "config-subif",
            Self::Interface(_) => "config-if",
            Self::Eigrp(mode) => mode.prompt(),
            Self::RouterOspf(_) | Self::Rip(None) | Self::RouterBgp => "config-router",
            Self::Rip(Some(_)) | Self::BgpFamily(_) => "config-router-af",
            Self::BgpSessionTemplate(_) => "config-router-stmp",
            Self::BgpPolicyTemplate(_) => "config-router-ptmp",
            Self::Vrf(_) => "config-vrf",
            Self::VrfAddressFamily(_) => "config-vrf-af",
            Self::Track(_) => "config-track",
            Self::Sla { is_echo: true, .. } => "config-ip-sla-echo",
            Self::Sla { .. } => "config-ip-sla",
            Self::Archive => "config-archive",
            Self::KeyChain(_) => "config-keychain",
            Self::Key(..) => "config-keychain-key",
            Self::StandardAccessList(_) => "config-std-nacl",
            Self::ExtendedAccessList(_) => "config-ext-nacl",
            Self::RouteMap(..) => "config-route-map",
            Self::PolicyList(_) => "config-policy-list",
            Self::TimeRange(_) => "config-time-range",
            Self::Line(_) => "config-line",
            Self::Inert(_) => "config-cp",
            Self::Banner { .. } => "config",
        }
    }

    /// The mode that `exit` leads to; `None` leaves configuration mode.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        match self {
            Self::Global => None,
            Self::VrfAddressFamily(vrf) => Some(Self::Vrf(vrf.clone())),
            Self::Key(chain, _) => Some(Self::KeyChain(chain.clone())),
            Self::Rip(Some(_)) => Some(Self::Rip(None)),
            Self::Eigrp(mode) => Some(mode.parent().map_or(Self::Global, Self::Eigrp)),
            Self::BgpFamily(_) | Self::BgpSessionTemplate(_) | Self::BgpPolicyTemplate(_) => {
                Some(Self::RouterBgp)
            }
            _ => Some(Self::Global),
        }
    }
}

/// What the device says to a line that it does not take, or to one that it takes with a remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Complaint {
    /// The line did not match the grammar; where and how.
    Syntax(ParseError),
    /// The line is well formed and refused: the text of the refusal.
    Refused(String),
    /// Real IOS has the command, this emulator does not; its keywords.
    Unsupported(String),
}

impl fmt::Display for Complaint {
    /// In words, for reports; what a terminal shows has a caret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsupported(command) => write!(f, "`{command}` is not supported by this emulator"),
            Self::Refused(text) => f.write_str(text),
            Self::Syntax(ParseError::Ambiguous) => f.write_str("ambiguous command"),
            Self::Syntax(ParseError::Incomplete | ParseError::Empty) => f.write_str("incomplete command"),
            Self::Syntax(ParseError::Invalid { at, .. }) => write!(f, "invalid input at column {}", at + 1),
        }
    }
}

/// A handler of a configuration command: edits the tree, and may say something.
pub(crate) type Handler = fn(&mut Editor<'_>, &Args) -> Result<(), Complaint>;

/// What a line asks of the session beyond the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// `end`, and `exit` in global mode.
    Leave,
    /// `do COMMAND`.
    Execute(String),
    /// `crypto key generate rsa`: a key of so many bits; `crypto key zeroize rsa`: none.
    HostKey(Option<u16>),
}

/// Applies configuration lines to a tree.
#[derive(Debug)]
pub struct Editor<'a> {
    /// The tree.
    pub config: &'a mut RouterConfig,
    /// The mode, which lines change.
    pub mode: &'a mut ConfigMode,
    /// What the device says to lines that it takes.
    pub said: String,
    /// The OSPF processes that run.
    pub running_ospf: &'a [RunningOspf],
    /// What the line asks of the session.
    pub request: Option<Request>,
}

impl<'a> Editor<'a> {
    /// An editor of a router none of whose processes runs.
    pub fn new(config: &'a mut RouterConfig, mode: &'a mut ConfigMode) -> Self {
        Self { config, mode, said: String::new(), running_ospf: &[], request: None }
    }
}

/// Refuses a line with a text.
fn refuse<T>(text: impl Into<String>) -> Result<T, Complaint> {
    Err(Complaint::Refused(text.into()))
}

/// A value that the grammar guarantees: should it be missing, the line is refused as incomplete.
fn need<T>(value: Option<T>) -> Result<T, Complaint> {
    value.ok_or(Complaint::Syntax(ParseError::Incomplete))
}

/// The error that got further; the mode's own where both got as far.
fn further(own: ParseError, global: ParseError) -> ParseError {
    let reach = |error: ParseError| match error {
        ParseError::Empty => 0,
        ParseError::Invalid { at, understood } => 2 * at + usize::from(understood > 0),
        ParseError::Ambiguous | ParseError::Incomplete => usize::MAX,
    };
    if reach(global) > reach(own) { global } else { own }
}

/// Whether the first word of a line is not the whole first word of a command.
fn abbreviates(line: &str, command: &str) -> bool {
    let first = |text: &str| text.split_ascii_whitespace().next().unwrap_or_default().to_ascii_lowercase();
    first(line) != first(command)
}

/// Splits `no` and `default` off a line: the form, and where the command begins.
#[must_use]
pub fn split_form(line: &str) -> (Form, usize) {
    let start = line.len() - line.trim_start().len();
    let rest = &line[start..];
    let word = rest.split_ascii_whitespace().next().unwrap_or_default();
    let behind = start + word.len() + (rest[word.len()..].len() - rest[word.len()..].trim_start().len());
    match word.to_ascii_lowercase().as_str() {
        "no" => (Form::No, behind),
        "default" => (Form::Default, behind),
        _ => (Form::Set, start),
    }
}

impl Editor<'_> {
    /// Applies one line. Blank lines and comments do nothing.
    ///
    /// # Errors
    /// What the device says instead of taking the line.
    pub fn apply(&mut self, line: &str) -> Result<(), Complaint> {
        if matches!(self.mode, ConfigMode::Banner { .. }) {
            return self.banner_line(line, false);
        }
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('!') {
            return Ok(());
        }
        let (form, from) = split_form(line);
        if from >= line.trim_end().len() {
            return Err(Complaint::Syntax(ParseError::Incomplete));
        }
        if let ConfigMode::Inert(section) = &*self.mode {
            let section = section.clone();
            if self.apply_in_section(&section, trimmed) {
                return Ok(());
            }
        }
        match grammar::parse(tree_of(self.mode), line, from, form) {
            Ok(matched) => match self.run(matched) {
                Err(Complaint::Unsupported(head)) if abbreviates(&line[from..], &head) => {
                    self.apply_globally_instead(line, from, form, head)
                }
                outcome => outcome,
            },
            Err(own) if *self.mode == ConfigMode::Global => Err(Complaint::Syntax(own)),
            Err(own) => self.apply_globally(line, from, form, own),
        }
    }

    /// `service password-encryption` is no `service-policy`: what only an abbreviation takes for a command that is lacking here may be one
    /// of global mode.
    fn apply_globally_instead(
        &mut self,
        line: &str,
        from: usize,
        form: Form,
        head: String,
    ) -> Result<(), Complaint> {
        match self.apply_globally(line, from, form, ParseError::Empty) {
            Err(Complaint::Syntax(_) | Complaint::Unsupported(_)) => Err(Complaint::Unsupported(head)),
            outcome => outcome,
        }
    }

    /// A command of global mode works in every mode, and leaves the mode. Of two errors the one further on is told.
    fn apply_globally(
        &mut self,
        line: &str,
        from: usize,
        form: Form,
        own: ParseError,
    ) -> Result<(), Complaint> {
        match grammar::parse(tree_of(&ConfigMode::Global), line, from, form) {
            Ok(matched) => {
                let left = std::mem::take(self.mode);
                let done = self.run(matched);
                if done.is_err() {
                    *self.mode = left;
                }
                done
            }
            Err(global) => Err(Complaint::Syntax(further(own, global))),
        }
    }

    /// Runs a matched command. A handler that finds its value impossible leaves the place of the caret to this.
    fn run(&mut self, matched: grammar::Match<Handler>) -> Result<(), Complaint> {
        let outcome = (matched.handler)(self, &matched.args).map_err(|complaint| match complaint {
            Complaint::Syntax(ParseError::Invalid { at: usize::MAX, understood }) => {
                let at = matched.args.at("interface-name");
                Complaint::Syntax(ParseError::Invalid { at, understood })
            }
            other => other,
        });
        if matches!(self.mode, ConfigMode::RouterOspf(_) | ConfigMode::Interface(_)) {
            ospf::forget_unused_areas(self.config);
        }
        outcome
    }

    /// The interfaces that a line in interface mode is for.
    fn interfaces(&self) -> Vec<InterfaceName> {
        match &*self.mode {
            ConfigMode::Interface(names) => names.clone(),
            _ => Vec::new(),
        }
    }
}

/// The answer to `?` in a configuration mode.
///
/// # Errors
/// If the words before the question mark cannot be followed.
pub fn help(mode: &ConfigMode, line: &str) -> Result<String, ParseError> {
    let (form, from) = split_form(line);
    let own = grammar::help(tree_of(mode), line, from, form);
    // Only the first word of a command is looked up in the mode alone.
    if own.is_err() && line[from..].trim_start().contains(' ') && *mode != ConfigMode::Global {
        return grammar::help(tree_of(&ConfigMode::Global), line, from, form).or(own);
    }
    own
}

/// What the tabulator appends to `line` in a configuration mode.
#[must_use]
pub fn complete(mode: &ConfigMode, line: &str) -> Option<String> {
    let (form, from) = split_form(line);
    grammar::complete(tree_of(mode), line, from, form)
        .or_else(|| grammar::complete(tree_of(&ConfigMode::Global), line, from, form))
}
