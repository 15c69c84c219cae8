//! What the device says to a line that it does not take.

use crate::config::Complaint;
use crate::grammar::ParseError;

/// The text of a complaint about `line`, which was typed behind `prompt`.
pub(super) fn text(complaint: &Complaint, prompt: &str, line: &str) -> String {
    match complaint {
        Complaint::Syntax(error) => syntax(*error, prompt, line),
        Complaint::Refused(text) => format!("{}\n", text.trim_end_matches('\n')),
        Complaint::Unsupported(command) => {
            format!("% Not supported by this emulator: {command}\n")
        }
    }
}

fn syntax(error: ParseError, prompt: &str, line: &str) -> String {
    match error {
        ParseError::Empty => String::new(),
        // The one command for which IOS has words of its own.
        ParseError::Incomplete if ["sh", "sho", "show"].contains(&line.trim()) => {
            "% Type \"show ?\" for a list of subcommands\n".to_owned()
        }
        ParseError::Incomplete => "% Incomplete command.\n\n".to_owned(),
        ParseError::Ambiguous => format!("% Ambiguous command:  \"{}\"\n", line.trim()),
        ParseError::Invalid { at, .. } => {
            let before = line.get(..at).unwrap_or(line).chars().count();
            let column = prompt.chars().count() + before;
            format!("{:column$}^\n% Invalid input detected at '^' marker.\n\n", "")
        }
    }
}

/// What is said to a `?` behind words that lead nowhere.
pub(super) fn of_help(error: ParseError, prompt: &str, line: &str) -> String {
    match error {
        // The part of a word in front of the question mark begins none of the commands.
        ParseError::Invalid { at, .. } if !line.get(at..).unwrap_or_default().contains(' ') => {
            "% Unrecognized command\n".to_owned()
        }
        ParseError::Ambiguous => format!("% Ambiguous command:  \"{}?\"\n", line.trim_start()),
        other => syntax(other, prompt, line),
    }
}
