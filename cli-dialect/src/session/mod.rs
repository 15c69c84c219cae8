//! A terminal session at a router: user and privileged exec mode, and configuration mode below.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | [`Session`]: the state, the prompt, one line at a time |
//! | `exec.rs` | the command trees of the exec modes, and how a line is run |
//! | `modes.rs` | from mode to mode |
//! | `level.rs` | privilege levels and their passwords |
//! | `line.rs` | what `line con 0` and `line vty 0 4` say about sessions |
//! | `alias.rs` | other words for commands |
//! | `tcl.rs` | the Tcl shell, as far as it writes files |
//! | `storage/` | configurations and files: `write`, `copy`, `reload`, `dir`, the archive |
//! | `clear.rs` | `clear` |
//! | `debug.rs` | `debug`, `undebug` |
//! | `probe.rs`, `dialog.rs` | `ping`, `traceroute`, and the questions that they ask alone |
//! | `connect.rs` | `telnet` |
//! | `remote.rs`, `guest.rs` | connections to other routers, and the sessions there |
//! | `login.rs` | what is asked before a session |
//! | `show_config.rs` | `show running-config`, `show startup-config` |
//! | `tech_support.rs` | `show tech-support` |
//! | `terminal.rs` | the terminal's settings, history and messages |
//! | `unsupported.rs` | commands that real IOS has and this emulator refuses by name |
//! | `configure.rs` | lines of configuration mode, which take effect at once |
//! | `apply.rs` | batches of configuration lines, commands that only look |
//! | `question.rs` | questions such as `[confirm]`, which the next line answers |
//! | `complaint.rs` | what the device says to a line that it does not take |
//! | `pipe.rs`, `pattern.rs` | `| include` and its like, regular expressions of IOS |

mod alias;
mod apply;
mod clear;
mod complaint;
mod configure;
mod connect;
mod debug;
mod dialog;
mod exec;
mod guest;
mod level;
mod line;
mod login;
mod modes;
mod pattern;
mod pipe;
mod probe;
mod question;
mod remote;
mod show_config;
mod storage;
mod tcl;
mod tech_support;
mod terminal;
mod unsupported;

use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;
use serde::{Deserialize, Serialize};

pub use self::apply::{Applied, Rejected, apply_lines, execute_read_only, read_file, write_file};
use self::exec::Exec;
pub use self::level::{Level, authenticate};
pub use self::line::{Line, LineSettings, Login};
pub use self::login::{LoginDialog, LoginStep, Opening, banner_text, source_of};
use self::question::Question;
use self::remote::Connection;
pub use self::terminal::Terminal;
use crate::config::{self, Complaint, ConfigMode};

/// A session: it holds no router and no network, so that it can be kept, cloned and stored beside them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    node: NodeIndex,
    level: Level,
    /// In configuration mode, which one.
    mode: Option<ConfigMode>,
    /// What the next line answers.
    question: Option<Question>,
    closed: bool,
    /// In the Tcl shell.
    tcl: Option<tcl::Tcl>,
    /// Behind `Configured from` in the log.
    source: String,
    terminal: Terminal,
    /// Open connections to other routers, in the order in which they were opened.
    connections: Vec<Connection>,
    /// The number of the connection that the terminal is at.
    current: Option<u8>,
    /// Through how many other sessions it was reached.
    depth: u8,
}

/// What became of a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// What the device printed, the complaint included.
    pub text: String,
    /// Why the line was not taken.
    pub complaint: Option<Complaint>,
}

impl Session {
    /// The longest line that is taken, in characters.
    pub const MAX_LINE: usize = 254;

    /// A session at the console in user exec mode.
    #[must_use]
    pub fn new(node: NodeIndex) -> Self {
        Self {
            node,
            level: Level::USER,
            mode: None,
            question: None,
            closed: false,
            tcl: None,
            source: "console by console".to_owned(),
            terminal: Terminal::default(),
            connections: Vec::new(),
            current: None,
            depth: 0,
        }
    }

    /// A session at the console in privileged exec mode.
    #[must_use]
    pub fn privileged(node: NodeIndex) -> Self {
        Self { level: Level::PRIVILEGED, ..Self::new(node) }
    }

    /// A session of somebody who has logged in. `source` is how the log calls it: `console by admin on vty0 (10.0.0.9)`.
    #[must_use]
    pub fn logged_in(node: NodeIndex, level: Level, source: String) -> Self {
        Self { level, source, ..Self::new(node) }
    }

    /// The router.
    #[must_use]
    pub const fn node(&self) -> NodeIndex {
        self.node
    }

    /// Who the session is, as messages call it: `console`, `admin on vty0 (10.0.0.9)`.
    pub(crate) fn place(&self) -> String {
        self.source.strip_prefix("console by ").unwrap_or(&self.source).to_owned()
    }

    /// The number of the virtual terminal that the session is at, if it is at one.
    pub(crate) fn vty(&self) -> Option<u16> {
        let place = self.place();
        let line = place.split_once(" on ").map_or(place.as_str(), |(_, line)| line);
        line.strip_prefix("vty")?.split(' ').next()?.parse().ok()
    }

    /// The user of the session: `admin`, or `console`; nothing at a virtual terminal that asks for no name.
    pub(crate) fn user(&self) -> String {
        let place = self.place();
        let unnamed = if self.vty().is_some() { "" } else { place.as_str() };
        place.split_once(" on ").map_or(unnamed, |(user, _)| user).to_owned()
    }

    /// Whether the session was left by `exit` or `logout`. The next line begins a new one.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether the next line is text of a banner.
    const fn in_banner(&self) -> bool {
        matches!(self.mode, Some(ConfigMode::Banner { .. }))
    }

    /// The privilege level.
    #[must_use]
    pub const fn level(&self) -> Level {
        self.level
    }

    /// Whether the next line is a password, which a terminal does not show.
    #[must_use]
    pub fn hides_input(&self) -> bool {
        let here = || matches!(self.question, Some(Question::EnablePassword { .. }));
        self.far_hides_input().unwrap_or_else(here)
    }

    /// Whether the next key is the whole answer, as to `[confirm]`.
    #[must_use]
    pub fn expects_key(&self) -> bool {
        let question = self.innermost().and_then(|session| session.question.as_ref());
        question.is_some_and(|question| question.text().ends_with("[confirm]"))
    }

    /// The configuration mode; `None` in exec mode.
    #[must_use]
    pub const fn mode(&self) -> Option<&ConfigMode> {
        self.mode.as_ref()
    }

    /// What stands in front of the cursor: nothing where a question was printed, or within the text of a banner.
    #[must_use]
    pub fn prompt(&self, network: &Network) -> String {
        if let Some(prompt) = self.far_prompt() {
            return prompt;
        }
        let hostname = &network.router(self.node).config().hostname;
        if let (Some(tcl), None, None) = (&self.tcl, &self.question, &self.mode) {
            return Self::tcl_prompt(tcl, hostname);
        }
        match (&self.question, &self.mode, self.level) {
            (Some(_), ..) | (None, Some(ConfigMode::Banner { .. }), _) => String::new(),
            (None, Some(mode), _) => {
                let shown: String = hostname.chars().take(Self::HOSTNAME_IN_CONFIG).collect();
                format!("{shown}({})#", mode.prompt())
            }
            (None, None, level) => format!("{hostname}{}", level.mark()),
        }
    }

    /// How much of the host name the prompt of configuration mode shows.
    const HOSTNAME_IN_CONFIG: usize = 20;

    /// Runs a line: what the device prints, without the echo of the line and without the next prompt.
    ///
    /// A line that ends in `?` asks for help, one that ends in a control-Z leaves configuration mode afterwards, and one
    /// with a control-C in it is thrown away.
    pub fn execute(&mut self, network: &mut Network, line: &str) -> String {
        self.run(network, line).text
    }

    /// Runs a line.
    pub(crate) fn run(&mut self, network: &mut Network, line: &str) -> Outcome {
        self.closed = false;
        if self.is_connected() {
            return self.run_there(network, line);
        }
        if line.contains(CONTROL_C) {
            self.question = None;
            self.leave_configuration(network);
            self.tcl = self.tcl.take().map(|_| tcl::Tcl::default());
            return Outcome::default();
        }
        let (line, leaves) = match line.trim_end().strip_suffix(CONTROL_Z) {
            Some(before) => (before, true),
            None => (line, false),
        };
        let mut outcome = self.run_plain(network, line);
        if leaves && self.question.is_none() {
            self.leave_configuration(network);
        }
        // A text without an end would swallow the next prompt.
        if !outcome.text.is_empty() && !outcome.text.ends_with('\n') && self.question.is_none() {
            outcome.text.push('\n');
        }
        outcome
    }

    fn run_plain(&mut self, network: &mut Network, line: &str) -> Outcome {
        let in_text = self.expects_text();
        let prompt = self.prompt(network);
        let mut text = String::new();
        let result = if line.chars().count() > Self::MAX_LINE {
            Err(Complaint::Refused(format!("% Line longer than {} characters", Self::MAX_LINE)))
        } else if let Some(question) = self.question.take() {
            let mut exec = Exec { network, session: self, out: String::new() };
            let result = question.answer(&mut exec, line.trim());
            text = exec.out;
            result
        } else if let (Some(asked), false) = (line.trim_end().strip_suffix('?'), in_text) {
            text = self.help(network, asked);
            Ok(())
        } else if self.mode.is_some() {
            self.configure(network, line, &mut text)
        } else if self.tcl.is_some() {
            self.run_tcl(network, line, &mut text)
        } else {
            self.exec(network, line, 0, &mut text)
        };
        let complaint = result.err();
        if let Some(complaint) = &complaint {
            text.push_str(&complaint::text(complaint, &prompt, line));
        }
        Outcome { text, complaint }
    }

    /// Runs a line of exec mode from octet `from` on.
    fn exec(
        &mut self,
        network: &mut Network,
        line: &str,
        from: usize,
        text: &mut String,
    ) -> Result<(), Complaint> {
        let mut exec = Exec { network, session: self, out: String::new() };
        let result = exec.run(line, from);
        text.push_str(&exec.out);
        result
    }

    /// The answer to `?` behind `line`.
    #[must_use]
    pub fn help(&self, network: &Network, line: &str) -> String {
        let Some(session) = self.innermost() else { return String::new() };
        let answer = match (&session.mode, configure::exec_part(line)) {
            (None, _) => exec::help(session.level, line, 0),
            (Some(_), Some(from)) => exec::help(Level::PRIVILEGED, line, from),
            (Some(mode), None) => config::help(mode, line),
        };
        answer.unwrap_or_else(|error| complaint::of_help(error, &session.prompt(network), line))
    }

    /// What the tabulator appends to `line`.
    #[must_use]
    pub fn complete(&self, line: &str) -> Option<String> {
        let session = self.innermost()?;
        match (&session.mode, configure::exec_part(line)) {
            (None, _) => exec::complete(session.level, line, 0),
            (Some(_), Some(from)) => exec::complete(Level::PRIVILEGED, line, from),
            (Some(mode), None) => config::complete(mode, line),
        }
    }
}

/// Ends the line and configuration mode.
const CONTROL_Z: char = '\u{1a}';

/// Throws the line away and leaves configuration mode.
const CONTROL_C: char = '\u{3}';

#[cfg(test)]
mod tests;
