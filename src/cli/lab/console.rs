//! A person at the consoles of a laboratory, in the terminal that the program runs in.

use std::time::Duration;

use miette::{IntoDiagnostic, Result, miette};
use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::ids::NodeIndex;
use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

use crate::cli::terminal::printable;
use crate::console::server::Owner;
use crate::lab::Lab;

const HELP: &str = "\
  /routers           list the routers
  /connect ROUTER    go to another router's console
  /links             list the links
  /cut N, /join N    unplug and plug link number N
  /wait SECONDS      let network time pass at once (else it passes as the clock does)
  /quit
  Anything else goes to the router.";

/// A session at the console of a router, where log messages appear.
fn at_console(lab: &Lab, node: NodeIndex) -> Session {
    let mut session = Session::privileged(node);
    session.watch_log(&lab.network);
    session
}

/// Reads lines until `/quit` or the end of the input.
pub(super) fn run(owner: &Owner) -> Result<()> {
    let gone = || miette!("the network has stopped");
    let mut editor = DefaultEditor::new().into_diagnostic()?;
    let begin = |lab: &mut Lab| lab.nodes.values().next().map(|node| at_console(lab, *node));
    let first = owner.with(begin).ok_or_else(gone)?;
    let mut session = first.ok_or_else(|| miette!("the network has no router"))?;
    println!("{HELP}");
    loop {
        let asked = move |lab: &mut Lab| {
            let messages = session.messages(&lab.network);
            let prompt = session.prompt(&lab.network);
            (session, messages, prompt)
        };
        let (mut here, messages, prompt) = owner.with(asked).ok_or_else(gone)?;
        print!("{}", printable(&messages));
        let line = match editor.readline(&prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => String::new(),
            Err(ReadlineError::Eof) => return Ok(()),
            // Input that is no terminal may hold anything; a router would not end because of it.
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                println!("% The line is not UTF-8");
                String::new()
            }
            Err(error) => return Err(error).into_diagnostic(),
        };
        // A history that cannot be kept is no reason to stop.
        let _ = editor.add_history_entry(&line);
        if line.trim() == "/quit" {
            return Ok(());
        }
        let entered = move |lab: &mut Lab| {
            let said = match line.trim().strip_prefix('/') {
                None => here.execute(&mut lab.network, &line),
                Some(command) => {
                    let (word, argument) = command.split_once(' ').unwrap_or((command, ""));
                    lab_command(lab, &mut here, word, argument.trim())
                }
            };
            (here, said)
        };
        let (here, said) = owner.with(entered).ok_or_else(gone)?;
        print!("{}", printable(&said));
        session = here;
    }
}

/// A command to the laboratory; what it says.
fn lab_command(lab: &mut Lab, session: &mut Session, word: &str, argument: &str) -> String {
    match (word, argument.parse::<usize>()) {
        ("connect", _) => match lab.node(argument) {
            Ok(node) => *session = at_console(lab, node),
            Err(error) => return format!("{:?}\n", miette::Report::new(error)),
        },
        ("routers", _) => {
            let line = |(name, node): (&String, &NodeIndex)| {
                format!("{} {name}\n", if *node == session.node() { "*" } else { " " })
            };
            return lab.nodes.iter().map(line).collect();
        }
        ("links", _) => {
            let line = |(number, (name, link)): (usize, &(String, _))| {
                let state = if lab.network.is_link_up(*link) { "" } else { " (cut)" };
                format!("{number}: {name}{state}\n")
            };
            return lab.links.iter().enumerate().map(line).collect();
        }
        ("cut" | "join", Ok(number)) => match lab.links.get(number) {
            Some((_, link)) => lab.network.set_link_up(*link, word == "join"),
            None => return format!("There are links 0 to {}.\n", lab.links.len().saturating_sub(1)),
        },
        ("wait", Ok(seconds)) => {
            let seconds = u64::try_from(seconds).unwrap_or(u64::MAX).min(1_000_000);
            lab.network.run_for(Duration::from_secs(seconds));
        }
        _ => return format!("{HELP}\n"),
    }
    String::new()
}
