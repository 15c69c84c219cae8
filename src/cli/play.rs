//! `netconfarena play`: a person at the terminal is the agent.

use std::cell::RefCell;
use std::process::ExitCode;

use clap::Args;
use miette::{IntoDiagnostic, Result};
use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Context, Editor, Helper, Highlighter, Hinter, Validator};
use serde_json::Value;

use super::select::Folder;
use super::terminal::printable;
use crate::agent::action::{Action, ByHost};
use crate::agent::protocol::message::Message;
use crate::agent::protocol::text::OBSERVATION;
use crate::agent::{Agent, AgentError, AgentFactory, Move, Reply, Task};
use crate::backend::emulator::Emulator;
use crate::episode::{Settings, play};
use crate::grading::TestOutcome;
use crate::instance::InstanceName;

/// Options of `play`.
#[derive(Debug, Args)]
pub(super) struct PlayArgs {
    /// TEMPLATE@SEED; without a seed, seed 0
    #[arg(value_name = "INSTANCE")]
    name: InstanceName,
    #[command(flatten)]
    folder: Folder,
}

const HELP: &str = "\
  HOST COMMAND     run show, ping or traceroute on a router
  HOST conf        enter configuration lines, up to a line with only `end`
  config [HOST..]  running configurations
  wait SECONDS     let time pass, an hour at most
  submit           end the task, and be judged
  task             print the task again
  Each of the first four, and submit, takes a turn. An `Action:` line works too.";

impl PlayArgs {
    pub fn run(self) -> Result<ExitCode> {
        let instance = self.folder.instance(&self.name)?;
        let settings = Settings::default();
        println!("{}\n{HELP}\n  There are {} turns in all.\n", instance.prompt(), settings.limits.turns);
        let task = Task { instance: &instance, repeat: 0, limits: settings.limits };
        let episode = play(task, &Person, &Emulator::default(), settings).into_diagnostic()?;
        // What the last turn showed is no message to the agent any more.
        if let Some(last) = episode.steps.last().filter(|_| episode.turns == settings.limits.turns) {
            print(&last.observation.to_string());
        }
        println!("\n{}, score {:.2}", episode.completion, episode.score);
        for group in &episode.groups {
            println!("  {} {}", if group.passed { "met    " } else { "NOT met" }, group.intent);
            for test in episode.tests.iter().filter(|test| test.intent == group.intent && !test.passed) {
                print!("{}", reason(test));
            }
        }
        Ok(if episode.passed { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// Why a test of a goal failed, in lines below the goal.
fn reason(test: &TestOutcome) -> String {
    let cut = test.down.as_ref().map(|link| format!(" while {link} is cut")).unwrap_or_default();
    let text = format!(
        "          {}#{}{cut}\n            expected {}\n            {}\n",
        test.device, test.command, test.expected, test.reason
    );
    printable(&text)
}

/// A person at the terminal.
struct Person;

impl AgentFactory for Person {
    fn name(&self) -> String {
        "person".to_owned()
    }

    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let mut words: Vec<String> = task.instance.nodes.iter().map(|n| n.name.clone()).collect();
        words.sort_unstable();
        let hosts = words.clone();
        words.extend(["config", "wait", "submit", "task", "help"].map(str::to_owned));
        let mut editor: Editor<Words, DefaultHistory> =
            Editor::new().map_err(|error| AgentError::lasting(error.to_string()))?;
        editor.set_helper(Some(Words { words }));
        Ok(Box::new(Terminal { hosts, editor: RefCell::new(editor), turns: task.limits.turns }))
    }
}

/// Completes the first word of a line.
#[derive(Helper, Highlighter, Hinter, Validator)]
struct Words {
    words: Vec<String>,
}

impl Completer for Words {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = line.get(..position).unwrap_or_default();
        let start = typed.rfind(' ').map_or(0, |at| at + 1);
        let word = typed.get(start..).unwrap_or_default();
        let fitting = self.words.iter().filter(|w| !word.is_empty() && w.starts_with(word));
        let pair = |word: &String| Pair { display: word.clone(), replacement: format!("{word} ") };
        Ok((start, fitting.map(pair).collect()))
    }
}

struct Terminal {
    hosts: Vec<String>,
    editor: RefCell<Editor<Words, DefaultHistory>>,
    turns: usize,
}

impl Terminal {
    /// A line; nothing at the end of the input.
    fn read(&self, prompt: &str) -> Result<Option<String>, AgentError> {
        let mut editor = self.editor.borrow_mut();
        match editor.readline(prompt) {
            Ok(line) => {
                // A history that cannot be kept is no reason to stop.
                let _ = editor.add_history_entry(&line);
                Ok(Some(line))
            }
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                println!("% The line is not UTF-8");
                Ok(Some(String::new()))
            }
            Err(error) => Err(AgentError::lasting(error.to_string())),
        }
    }

    /// The router of this name, in whatever case it was typed.
    fn host(&self, word: &str) -> Option<&str> {
        self.hosts.iter().map(String::as_str).find(|host| host.eq_ignore_ascii_case(word))
    }

    /// Configuration lines up to `end`.
    fn lines(&self, host: &str) -> Result<Option<String>, AgentError> {
        let mut lines = Vec::new();
        while let Some(line) = self.read(&format!("{host}(config)# "))? {
            if line.trim() == "end" {
                break;
            }
            lines.push(line);
        }
        let text = lines.join("\n");
        Ok((!text.trim().is_empty()).then_some(text))
    }

    /// What a line means; nothing if it takes no turn.
    fn interpret(&self, line: &str, task: &str) -> Result<Option<Reply>, AgentError> {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        let action = match word {
            "" => return Ok(None),
            "Action:" => return Ok(Some(line.to_owned().into())),
            "help" | "?" => {
                println!("{HELP}");
                return Ok(None);
            }
            "task" => {
                println!("{task}");
                return Ok(None);
            }
            "submit" => Action::Submit,
            "config" => Action::GetRunningConfig(rest.split_whitespace().map(str::to_owned).collect()),
            "wait" => match rest.parse() {
                Ok(seconds) => Action::Wait(seconds),
                Err(_) => {
                    println!("wait takes a number of seconds, e.g. wait 30");
                    return Ok(None);
                }
            },
            word if self.host(word).is_some() && !rest.is_empty() => {
                let host = self.host(word).unwrap_or(word).to_owned();
                if matches!(rest, "conf" | "conf t" | "configure" | "configure terminal") {
                    let Some(text) = self.lines(&host)? else { return Ok(None) };
                    Action::ApplyConfig(ByHost::from([(host, text)]))
                } else {
                    Action::ExecuteValidation(ByHost::from([(host, rest.to_owned())]))
                }
            }
            _ => {
                println!("Routers are {}. `help` lists what you can do.", self.hosts.join(", "));
                return Ok(None);
            }
        };
        Ok(Some((&action).into()))
    }
}

impl Agent for Terminal {
    fn next(&mut self, messages: &[Message]) -> Result<Move, AgentError> {
        let task = messages.get(1).map_or("", |m| m.content.as_str());
        let turn = messages.len() / 2;
        if let Some(seen) = messages.last().and_then(|m| m.content.strip_prefix(OBSERVATION)) {
            print(seen);
        }
        loop {
            let Some(line) = self.read(&format!("turn {turn} of {}> ", self.turns))? else {
                println!("The input has ended without `submit`: the task is judged as it is.");
                return Ok(Move::GiveUp("the person left".to_owned()));
            };
            if let Some(reply) = self.interpret(&line, task)? {
                return Ok(Move::Reply(reply));
            }
        }
    }
}

/// Prints an observation as text rather than JSON.
fn print(observation: &str) {
    match serde_json::from_str(observation) {
        Ok(Value::Object(map)) => {
            for (name, text) in &map {
                let text = text.as_str().map_or_else(|| text.to_string(), str::to_owned);
                println!("--- {}\n{}", printable(name), printable(text.trim_end()));
            }
        }
        _ => println!("{}", printable(observation)),
    }
}
