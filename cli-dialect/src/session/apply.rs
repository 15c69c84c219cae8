//! Without a person at the terminal: lines of configuration as a batch, and commands that only look.

use std::fmt;

use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;

use super::exec::{self, Exec};
use super::storage::FileName;
use super::{Session, complaint};
use crate::config::Complaint;

/// What became of a batch of configuration lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Applied {
    /// What the terminal showed: each line behind its prompt, and what the device said to it.
    pub transcript: String,
    /// The lines that were not taken.
    pub rejected: Vec<Rejected>,
}

/// A line that was not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Line number, from 1.
    pub number: usize,
    /// The line, cut to what a terminal takes.
    pub line: String,
    /// What the device said.
    pub complaint: Complaint,
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: `{}`: {}", self.number, self.line, self.complaint)
    }
}

/// Types lines in configuration mode, which is entered before and left behind them. Each line takes effect at once; one that
/// is not taken leaves the rest alone.
pub fn apply_lines(network: &mut Network, node: NodeIndex, text: &str) -> Applied {
    let mut session = Session::privileged(node);
    session.enter_configuration();
    let mut applied = Applied::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_end();
        // A blank line is typed only where it counts: as an answer, or within a banner.
        if line.trim().is_empty() && !session.prompt(network).is_empty() {
            continue;
        }
        let outcome = type_line(&mut session, network, line, &mut applied.transcript);
        if let Some(complaint) = outcome {
            let line = line.trim().chars().take(Session::MAX_LINE).collect();
            applied.rejected.push(Rejected { number: index + 1, line, complaint });
        }
    }
    session.close_connections(network);
    // A question or a banner without its end swallows nothing more.
    if session.prompt(network).is_empty() {
        session.abandon();
        applied.transcript.push('\n');
    }
    if session.mode().is_some() {
        type_line(&mut session, network, "end", &mut applied.transcript);
    }
    applied
}

fn type_line(
    session: &mut Session,
    network: &mut Network,
    line: &str,
    transcript: &mut String,
) -> Option<Complaint> {
    let shown: String = line.chars().take(Session::MAX_LINE).collect();
    transcript.push_str(&format!("{}{shown}\n", session.prompt(network)));
    let outcome = session.run(network, line);
    transcript.push_str(&outcome.text);
    outcome.complaint
}

/// Runs a command that only looks: `show`, `ping`, `traceroute`. Virtual time goes on while packets are under way.
///
/// # Errors
/// What the device says to a line that it does not take, or why a command that would change something is refused.
pub fn execute_read_only(network: &mut Network, node: NodeIndex, line: &str) -> Result<String, String> {
    let line = line.trim();
    if exec::changes_something(network.router(node).config(), line) {
        let way = if line.starts_with("clear ") {
            format!("; as a configuration line, `do {line}` is")
        } else {
            String::new()
        };
        return Err(format!(
            "% Refused: `{line}` may change the router; only show, ping and traceroute are allowed here{way}\n"
        ));
    }
    let mut session = Session::privileged(node);
    let outcome = session.run(network, line);
    match outcome.complaint {
        None => Ok(outcome.text),
        Some(_) => Err(outcome.text),
    }
}

/// Writes a file of a router's flash, as its SCP server does.
///
/// # Errors
/// The server is not enabled, the name is none of the flash, or there is no room.
pub fn write_file(network: &mut Network, node: NodeIndex, file: &str, text: &str) -> Result<(), String> {
    over_scp(network, node, file, |exec, name| match name {
        FileName::Flash(_) => exec.write_file(name, text),
        other => Err(Complaint::Refused(format!("%Error opening {other} (Permission denied)"))),
    })
}

/// Reads a file of a router, as its SCP server does.
///
/// # Errors
/// The server is not enabled, or there is no such file.
pub fn read_file(network: &mut Network, node: NodeIndex, file: &str) -> Result<String, String> {
    over_scp(network, node, file, |exec, name| exec.read_file(name))
}

fn over_scp<T>(
    network: &mut Network,
    node: NodeIndex,
    file: &str,
    act: impl FnOnce(&mut Exec<'_>, &FileName) -> Result<T, Complaint>,
) -> Result<T, String> {
    let enabled = |line: &String| line == "ip scp server enable";
    if !network.router(node).config().inert.global.iter().any(enabled) {
        return Err("Administratively disabled.".to_owned());
    }
    let mut session = Session::privileged(node);
    let mut exec = Exec { network, session: &mut session, out: String::new() };
    let done = FileName::parse(file).and_then(|name| act(&mut exec, &name));
    done.map_err(|complaint| complaint::text(&complaint, "", file).trim().to_owned())
}
