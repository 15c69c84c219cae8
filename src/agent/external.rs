//! A program as an agent: JSON lines on its standard input and output, so that any language will do.
//!
//! One process plays one episode. It reads lines
//!
//! ```json
//! {"type": "task", "messages": [{"role": "system", "content": "..."}, {"role": "user", "content": "..."}], "tools": [...]}
//! {"type": "observation", "content": {"R1": "..."}}
//! ```
//!
//! and answers each with one line, the action or a text in the ReAct protocol:
//!
//! ```json
//! {"action": {"name": "apply_config", "arguments": {"R1": "no shutdown"}}, "thought": "optional"}
//! {"text": "Thought: done.\nAction: submit"}
//! {"give_up": "why"}
//! ```
//!
//! `tokens`, e.g. `{"input": 10, "output": 3}`, may stand beside them. Its input ends with the episode.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::protocol::message::Message;
use super::protocol::text::OBSERVATION;
use super::protocol::{LONGEST_REPLY, tools};
use super::{Agent, AgentError, AgentFactory, Move, Reply, Task, Tokens};

/// Bytes of a line that are read; of a longer one the rest is skipped, and the reply is too long to be taken.
const LONGEST_LINE: usize = 2 * LONGEST_REPLY;
/// What is kept of the end of a program's standard error, in bytes.
const KEPT_OF_STDERR: usize = 2000;
/// How long a program may go on after its input has ended.
const GRACE: Duration = Duration::from_secs(2);

/// Starts a program for each episode.
#[derive(Clone, Debug)]
pub struct External {
    /// A command for the shell.
    pub command: String,
    /// How long an answer may take.
    pub timeout: Duration,
}

impl AgentFactory for External {
    fn name(&self) -> String {
        format!("exec:{}", self.command)
    }

    fn settings(&self) -> Value {
        json!({"timeout_seconds": self.timeout.as_secs()})
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let mut child = Command::new("sh")
            .args(["-c", &self.command])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| AgentError::lasting(format!("`{}` cannot be started: {error}", self.command)))?;
        let (sender, lines) = sync_channel(1);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || forward_lines(stdout, &sender));
        }
        let (sender, stderr) = sync_channel(1);
        if let Some(pipe) = child.stderr.take() {
            thread::spawn(move || sender.send(tail(pipe)));
        }
        let stdin = child.stdin.take();
        Ok(Box::new(Program { child, stdin, lines, stderr, timeout: self.timeout }))
    }
}

/// A running program.
struct Program {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Vec<u8>>,
    stderr: Receiver<String>,
    timeout: Duration,
}

impl Agent for Program {
    fn next(&mut self, messages: &[Message]) -> Result<Move, AgentError> {
        let line = match messages.last() {
            Some(last) if messages.len() > 2 => {
                let text = last.content.strip_prefix(OBSERVATION).unwrap_or(&last.content);
                let content: Value = serde_json::from_str(text).unwrap_or_else(|_| Value::from(text));
                json!({"type": "observation", "content": content})
            }
            _ => json!({"type": "task", "messages": messages, "tools": tools::definitions()}),
        };
        // A program that has ended is noticed when its answer is missing.
        let _ = self.stdin.as_mut().map(|stdin| writeln!(stdin, "{line}").and_then(|()| stdin.flush()));
        match self.lines.recv_timeout(self.timeout) {
            Ok(line) => Ok(read_line(&line)),
            Err(RecvTimeoutError::Timeout) => {
                Err(AgentError::passing(format!("no answer within {} s", self.timeout.as_secs())))
            }
            Err(RecvTimeoutError::Disconnected) => self.ended(),
        }
    }
}

impl Program {
    /// A program that ends by itself has given up, if it ends well.
    fn ended(&mut self) -> Result<Move, AgentError> {
        self.stdin = None;
        let status = self.wait();
        match status {
            Some(status) if status.success() => Ok(Move::GiveUp("the program ended".to_owned())),
            Some(status) => {
                let said = self.stderr.recv_timeout(GRACE).unwrap_or_default();
                Err(AgentError::passing(format!("the program ended with {status}: {}", said.trim())))
            }
            None => Err(AgentError::passing("the program closed its output and goes on")),
        }
    }

    /// Waits a little for the end of the program.
    fn wait(&mut self) -> Option<std::process::ExitStatus> {
        let until = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.stdin = None;
        if self.wait().is_none() {
            // It may have ended in between; either way nothing is left to do.
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

/// Sends each line of a pipe, cut to what is read of it.
fn forward_lines(pipe: impl Read, sender: &SyncSender<Vec<u8>>) {
    let mut reader = BufReader::new(pipe);
    loop {
        let mut line = Vec::new();
        let most = LONGEST_LINE as u64 + 1;
        match reader.by_ref().take(most).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if !line.ends_with(b"\n") && line.len() > LONGEST_LINE && skip_line(&mut reader).is_err() {
            return;
        }
        if sender.send(line).is_err() {
            return;
        }
    }
}

/// Reads to the end of the line without keeping it.
fn skip_line(reader: &mut impl BufRead) -> std::io::Result<()> {
    loop {
        let buffer = reader.fill_buf()?;
        let (used, ended) = match buffer.iter().position(|&b| b == b'\n') {
            Some(at) => (at + 1, true),
            None => (buffer.len(), buffer.is_empty()),
        };
        reader.consume(used);
        if ended {
            return Ok(());
        }
    }
}

/// The end of what a pipe carries.
fn tail(mut pipe: impl Read) -> String {
    let mut kept: Vec<u8> = Vec::new();
    let mut chunk = [0; 4096];
    while let Ok(length @ 1..) = pipe.read(&mut chunk) {
        kept.extend(chunk.iter().take(length));
        let surplus = kept.len().saturating_sub(KEPT_OF_STDERR);
        kept.drain(..surplus);
    }
    String::from_utf8_lossy(&kept).into_owned()
}

/// What a line of the program says. A line that is not JSON is a text.
fn read_line(line: &[u8]) -> Move {
    let text = String::from_utf8_lossy(line);
    let text = text.trim_end();
    let Ok(Value::Object(mut map)) = serde_json::from_str(text) else {
        return Move::Reply(text.to_owned().into());
    };
    let tokens = map.remove("tokens").and_then(|tokens| {
        let count = |name: &str| tokens.get(name).and_then(Value::as_u64);
        Some(Tokens { input: count("input")?, output: count("output")? })
    });
    let said = match (map.remove("text"), map.remove("action"), map.remove("give_up")) {
        (_, _, Some(reason)) => {
            return Move::GiveUp(reason.as_str().unwrap_or("no reason given").to_owned());
        }
        (Some(Value::String(text)), _, None) => text,
        (_, Some(action), None) => match map.get("thought").and_then(Value::as_str) {
            Some(thought) => {
                let thought = thought.split_whitespace().collect::<Vec<_>>().join(" ");
                format!("Thought: {thought}\nAction: {action}")
            }
            None => format!("Action: {action}"),
        },
        _ => text.to_owned(),
    };
    Move::Reply(Reply { tokens, ..said.into() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::scripted::Scripted;
    use crate::episode::record::Episode;
    use crate::episode::{EpisodeError, Settings, play};
    use crate::instance::sample::two_routers;
    use crate::scores::metrics::Completion;

    fn run(command: &str, timeout: u64) -> Result<Episode, EpisodeError> {
        let instance = two_routers();
        let agent = External { command: command.to_owned(), timeout: Duration::from_secs(timeout) };
        let limits = Settings::default().limits;
        let task = Task { instance: &instance, repeat: 0, limits };
        play(task, &agent, &Scripted, Settings::default())
    }

    #[test]
    fn a_program_plays_by_json_lines() {
        let script = r#"
            read task; case "$task" in *'"type":"task"'*) ;; *) exit 3;; esac
            echo '{"action": {"name": "apply_config", "arguments": {"R1": "solved"}}, "thought": "go", "tokens": {"input": 7, "output": 2}}'
            read seen; case "$seen" in *R1*'"observation"'*) ;; *) exit 4;; esac
            echo '{"action": {"name": "reboot"}}'
            read seen; case "$seen" in *'no action `reboot`'*) ;; *) exit 5;; esac
            echo 'Action: submit'"#;
        let episode = run(script, 20).unwrap();
        assert_eq!((episode.completion, episode.turns), (Completion::CorrSub, 3));
        assert_eq!(episode.metrics.conduct.null_turns, 1);
        assert_eq!(episode.steps[0].thought.as_deref(), Some("go"));
        assert_eq!(episode.tokens, Some(Tokens { input: 7, output: 2 }));
    }

    #[test]
    fn a_program_that_ends_well_gives_up_and_one_that_ends_badly_is_not_scored() {
        let episode = run("read task; echo '{\"give_up\": \"too hard\"}'", 20).unwrap();
        assert_eq!(episode.gave_up.as_deref(), Some("too hard"));
        let episode = run("read task; echo 'Action: wait 1'", 20).unwrap();
        assert_eq!((episode.turns, episode.gave_up.as_deref()), (1, Some("the program ended")));
        let error = run("echo oh no >&2; exit 7", 20).unwrap_err();
        assert!(error.may_pass() && error.to_string().contains("exit status: 7: oh no"), "{error}");
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let started = Instant::now();
        let error = run("read task; exec sleep 60", 1).unwrap_err();
        assert!(error.to_string().contains("no answer within 1 s"), "{error}");
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn a_line_of_ten_megabytes_is_a_null_turn() {
        let script =
            "read task; head -c 10000000 /dev/zero | tr '\\0' x; echo; read seen; echo 'Action: submit'";
        let episode = run(script, 30).unwrap();
        assert_eq!((episode.turns, episode.metrics.conduct.null_turns), (2, 1));
        assert_eq!(episode.completion, Completion::EarlySub);
    }
}
