//! Agents: who acts in an episode, and how what they say becomes an action.
//!
//! | module | what it holds |
//! |---|---|
//! | [`action`] | the five actions |
//! | [`protocol`] | how an agent is told and asked, and how its reply is read |
//! | [`openai`] | language models behind an OpenAI-compatible endpoint |
//! | [`external`] | programs that speak JSON lines |
//! | [`replay`] | what was said in a run before |
//! | [`builtin`] | agents that need no model: reference, replay, random, and five that do nothing useful |
//!
//! An [`AgentFactory`] makes one [`Agent`] for each episode. Whatever an agent is, it speaks in chat messages, which go through the
//! same parser.

pub mod action;
pub mod builtin;
pub mod external;
pub mod openai;
pub mod protocol;
pub mod replay;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use self::action::Action;
use self::protocol::message::{Message, Role};
use self::protocol::{Scaffold, text};
use crate::environment::Limits;
use crate::instance::Instance;

/// Tokens of an episode, as the endpoint counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tokens {
    /// Tokens that the agent read.
    pub input: u64,
    /// Tokens that the agent wrote, reasoning included.
    pub output: u64,
}

impl Tokens {
    /// Adds those of one more reply.
    pub const fn add(&mut self, more: Self) {
        self.input = self.input.saturating_add(more.input);
        self.output = self.output.saturating_add(more.output);
    }
}

/// What an agent says in a turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The message; its role is assistant.
    pub message: Message,
    /// What it cost, if the agent says.
    pub tokens: Option<Tokens>,
    /// What it thought beside the message, if the endpoint tells that apart. It is kept, and not said again to the agent.
    pub reasoning: Option<String>,
}

impl From<Message> for Reply {
    fn from(message: Message) -> Self {
        Self { message, tokens: None, reasoning: None }
    }
}

impl From<String> for Reply {
    fn from(text: String) -> Self {
        Message::new(Role::Assistant, text).into()
    }
}

impl From<&Action> for Reply {
    /// The action in the text protocol.
    fn from(action: &Action) -> Self {
        text::render(action).into()
    }
}

/// What an agent does when it is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    /// It speaks.
    Reply(Reply),
    /// It gives up, and why: the episode ends without a submission.
    GiveUp(String),
}

/// The agent could not be asked. This says nothing about how good it is.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct AgentError {
    /// What happened.
    pub reason: String,
    /// Whether another attempt at the episode may succeed.
    pub may_pass: bool,
}

impl AgentError {
    /// Something that may be over at the next attempt.
    #[must_use]
    pub fn passing(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), may_pass: true }
    }

    /// Something that stays.
    #[must_use]
    pub fn lasting(reason: impl Into<String>) -> Self {
        Self { reason: reason.into(), may_pass: false }
    }
}

/// The agent of one episode.
pub trait Agent {
    /// What it does after these messages, the first of which tells the rules and the second the task.
    ///
    /// # Errors
    /// It could not be asked.
    fn next(&mut self, messages: &[Message]) -> Result<Move, AgentError>;

    /// What went wrong with requests that were then made again; it says nothing about the agent.
    fn failed_requests(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// What an agent is made for.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The instance. Its tests and reference are for agents that are not measured.
    pub instance: &'a Instance,
    /// Which repeat of the instance this is, from 0.
    pub repeat: usize,
    /// What the agent may do.
    pub limits: Limits,
}

/// Makes agents.
pub trait AgentFactory: Sync {
    /// What it is called in tables and files.
    fn name(&self) -> String;

    /// How its agents are asked and answer.
    fn scaffold(&self) -> Scaffold {
        Scaffold::React
    }

    /// What it is set to, for `run.json`; never a key.
    fn settings(&self) -> Value {
        Value::Null
    }

    /// The agent of an episode.
    ///
    /// # Errors
    /// It cannot be made.
    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError>;
}
