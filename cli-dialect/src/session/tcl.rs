//! `tclsh`: as much of the Tcl shell as clients need that write files line by line: `puts [open "flash:NAME" w+] {TEXT}`. What is no command
//! of Tcl runs as in exec mode, as on IOS.
//!
//! A file is written as soon as its text is complete; IOS waits until the shell is left.

use netconfarena_emu::network::Network;
use netconfarena_emu::router::Flash;
use serde::{Deserialize, Serialize};

use super::Session;
use super::exec::{Exec, Handler};
use super::storage::FileName;
use crate::config::Complaint;
use crate::grammar::{Spec, kw, line};

/// A Tcl shell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Tcl {
    /// A text whose closing brace has not come yet.
    open: Option<Text>,
}

/// `puts [open "FILE" MODE] {TEXT`, still open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Text {
    file: FileName,
    append: bool,
    text: String,
    /// Braces that are open within the text.
    depth: u32,
    /// The text is longer than any file may be: the rest is thrown away.
    too_long: bool,
}

/// Commands of Tcl and of IOS's extensions of it that are refused by name.
const COMMANDS: [&str; 48] = [
    "after",
    "append",
    "array",
    "break",
    "catch",
    "close",
    "concat",
    "continue",
    "error",
    "eval",
    "exec",
    "expr",
    "fconfigure",
    "file",
    "fileevent",
    "flush",
    "for",
    "foreach",
    "format",
    "gets",
    "global",
    "if",
    "incr",
    "info",
    "ios_config",
    "join",
    "lappend",
    "lindex",
    "list",
    "llength",
    "log",
    "lrange",
    "lsort",
    "namespace",
    "open",
    "package",
    "proc",
    "read",
    "regexp",
    "regsub",
    "return",
    "set",
    "socket",
    "source",
    "split",
    "string",
    "unset",
    "while",
];

pub(super) fn table() -> Vec<Spec<Handler>> {
    let enter = Handler::Act(|exec, _| {
        exec.session.tcl = Some(Tcl::default());
        Ok(())
    });
    let script = Handler::Act(|_, _| Err(Complaint::Unsupported("tclsh with a script".to_owned())));
    vec![
        kw("tclsh", "Tool Command Language shell")
            .run(enter)
            .then([line("script", "Tcl script file").run(script)]),
    ]
}

impl Session {
    /// Whether the next line is part of a text: `?` stands for itself there.
    #[must_use]
    pub fn expects_text(&self) -> bool {
        self.in_banner() || self.tcl.as_ref().is_some_and(|tcl| tcl.open.is_some())
    }

    /// What the prompt of the Tcl shell looks like.
    pub(super) fn tcl_prompt(tcl: &Tcl, hostname: &str) -> String {
        if tcl.open.is_some() { "+>(tcl)#".to_owned() } else { format!("{hostname}(tcl)#") }
    }

    /// Runs a line of the Tcl shell.
    pub(super) fn run_tcl(
        &mut self,
        network: &mut Network,
        line: &str,
        text: &mut String,
    ) -> Result<(), Complaint> {
        let open = self.tcl.as_mut().and_then(|tcl| tcl.open.take());
        if let Some(mut open) = open {
            open.text.push('\n');
            return self.take_text(network, open, line);
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            [] => Ok(()),
            ["tclquit" | "exit" | "quit"] => {
                self.tcl = None;
                Ok(())
            }
            ["puts", ..] => {
                let (open, rest) = puts(line.trim_start())?;
                self.take_text(network, open, rest)
            }
            [command, ..] if COMMANDS.contains(command) => {
                Err(Complaint::Unsupported(format!("tclsh {command}")))
            }
            _ => self.exec(network, line, 0, text),
        }
    }

    /// Takes in more of a text, up to its closing brace.
    fn take_text(&mut self, network: &mut Network, mut open: Text, part: &str) -> Result<(), Complaint> {
        let mut letters = part.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '}' if open.depth == 0 => return self.write_text(network, open, letters.as_str()),
                '}' => open.depth -= 1,
                '{' => open.depth += 1,
                _ => {}
            }
            open.text.push(letter);
            if letter == '\\' {
                open.text.extend(letters.next());
            }
        }
        if open.text.len() > Flash::CAPACITY {
            open.text.clear();
            open.too_long = true;
        }
        self.tcl = Some(Tcl { open: Some(open) });
        Ok(())
    }

    fn write_text(&mut self, network: &mut Network, open: Text, behind: &str) -> Result<(), Complaint> {
        let Text { file, append, text, too_long, .. } = open;
        if !behind.trim().is_empty() {
            return Err(Complaint::Refused("extra characters after close-brace".to_owned()));
        }
        if too_long {
            return Err(Complaint::Refused(format!("%Error opening {file} (No space left on device)")));
        }
        let mut exec = Exec { network, session: self, out: String::new() };
        let before = if append { exec.read_file(&file).unwrap_or_default() } else { String::new() };
        exec.write_file(&file, &format!("{before}{text}\n"))
    }
}

/// The beginning of `puts [open "FILE" MODE] {TEXT`, and what stands behind the brace.
fn puts(line: &str) -> Result<(Text, &str), Complaint> {
    let unsupported =
        || Complaint::Unsupported("tclsh puts, but for `puts [open \"FILE\" w+] {TEXT}`".to_owned());
    let rest = line.strip_prefix("puts").ok_or_else(unsupported)?.trim_start();
    let rest = rest.strip_prefix("[open").ok_or_else(unsupported)?;
    let (opened, rest) = rest.split_once(']').ok_or_else(unsupported)?;
    let words: Vec<&str> = opened.split_ascii_whitespace().map(|word| word.trim_matches('"')).collect();
    let [name, mode] = words.as_slice() else { return Err(unsupported()) };
    let append = match *mode {
        "w" | "w+" => false,
        "a" | "a+" => true,
        _ => return Err(unsupported()),
    };
    let text = rest.trim_start().strip_prefix('{').ok_or_else(unsupported)?;
    let file = match FileName::parse(name)? {
        file @ FileName::Flash(_) => file,
        other => {
            return Err(Complaint::Refused(format!(
                "couldn't open \"{}\": permission denied",
                other.short()
            )));
        }
    };
    Ok((Text { file, append, text: String::new(), depth: 0, too_long: false }, text))
}
