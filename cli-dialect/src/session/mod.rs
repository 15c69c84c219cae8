//! A terminal session at a router: user and privileged exec mode, and configuration mode below.
//!
//! | file | what |
//! |---|---|
//! | `mod.rs` | [`Session`]: the state, the prompt, one line at a time |
//! | `exec.rs` | the commands of the exec modes, and how one is run |
//! | `complaint.rs` | what the device says to a line that it does not take |
//! | `pipe.rs`, `pattern.rs` | `| include` and its like, regular expressions of IOS |

mod complaint;
mod exec;
mod pattern;
mod pipe;

use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;
use serde::{Deserialize, Serialize};

/// The exec mode of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Level {
    /// `Router>`
    #[default]
    User,
    /// `Router#`
    Privileged,
}

/// A session: it holds no router and no network, so that it can be kept, cloned and stored beside them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    node: NodeIndex,
    level: Level,
    closed: bool,
}

impl Session {
    /// The longest line that is taken, in octets.
    pub const MAX_LINE: usize = 254;

    /// A session in user exec mode, as after the connection.
    #[must_use]
    pub const fn new(node: NodeIndex) -> Self {
        Self { node, level: Level::User, closed: false }
    }

    /// A session in privileged exec mode.
    #[must_use]
    pub const fn privileged(node: NodeIndex) -> Self {
        Self { level: Level::Privileged, ..Self::new(node) }
    }

    /// The router.
    #[must_use]
    pub const fn node(&self) -> NodeIndex {
        self.node
    }

    /// Whether the session was left by `exit` or `logout`. The next line begins a new one.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        self.closed
    }

    /// What stands in front of the cursor.
    #[must_use]
    pub fn prompt(&self, network: &Network) -> String {
        let hostname = &network.router(self.node).config().hostname;
        let mark = match self.level {
            Level::User => '>',
            Level::Privileged => '#',
        };
        format!("{hostname}{mark}")
    }

    /// Runs a line: what the device prints, without the echo of the line and without the next prompt.
    pub fn execute(&mut self, network: &mut Network, line: &str) -> String {
        self.closed = false;
        let prompt = self.prompt(network);
        let mut exec = exec::Exec { network, session: self, out: String::new() };
        let outcome = exec.run(line, 0);
        let mut out = exec.out;
        if let Err(complaint) = outcome {
            out.push_str(&complaint::text(&complaint, &prompt, line));
        }
        out
    }

    /// The answer to `?` behind `line`.
    #[must_use]
    pub fn help(&self, network: &Network, line: &str) -> String {
        exec::help(self.level, line, 0)
            .unwrap_or_else(|error| complaint::of_help(error, &self.prompt(network), line))
    }

    /// What the tabulator appends to `line`.
    #[must_use]
    pub fn complete(&self, _network: &Network, line: &str) -> Option<String> {
        exec::complete(self.level, line, 0)
    }
}

#[cfg(test)]
mod tests;
