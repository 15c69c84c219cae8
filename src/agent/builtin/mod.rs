//! Agents that need no model.
//!
//! | agent | what it does |
//! |---|---|
//! | `reference` | enters the reference, and submits: every episode must score 1 |
//! | `noop` | waits until the turns are over |
//! | `hasty` | submits at once |
//! | `onlooker` | reads and shows, then submits |
//! | `eraser` | removes everything that is configured, then submits |
//! | `spammer` | enters the same generic lines everywhere, turn after turn, then submits |
//! | `random` | any of the above at random, and nonsense |

mod random;
mod useless;

pub use random::Random;
pub use useless::Useless;

use super::action::{Action, ByHost};
use super::protocol::message::Message;
use super::{Agent, AgentError, AgentFactory, Move, Task};

/// Says what it was given, one after the other, then gives up.
#[derive(Clone, Debug)]
pub struct Recital {
    moves: std::vec::IntoIter<Move>,
}

impl Recital {
    /// An agent that makes these moves.
    #[must_use]
    pub fn new(moves: Vec<Move>) -> Self {
        Self { moves: moves.into_iter() }
    }

    /// An agent that takes these actions.
    #[must_use]
    pub fn of(actions: &[Action]) -> Self {
        Self::new(actions.iter().map(|a| Move::Reply(a.into())).collect())
    }
}

impl Agent for Recital {
    fn next(&mut self, _: &[Message]) -> Result<Move, AgentError> {
        Ok(self.moves.next().unwrap_or_else(|| Move::GiveUp("nothing left to say".to_owned())))
    }
}

/// Takes given actions, then gives up.
#[derive(Clone, Debug)]
pub struct Actions {
    /// What the agent is called.
    pub name: String,
    /// What it does.
    pub actions: Vec<Action>,
}

impl Actions {
    /// Enters configurations, and submits.
    #[must_use]
    pub fn entering(name: impl Into<String>, configs: &ByHost) -> Self {
        Self { name: name.into(), actions: vec![Action::ApplyConfig(configs.clone()), Action::Submit] }
    }
}

impl AgentFactory for Actions {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Recital::of(&self.actions)))
    }
}

/// Enters the reference, and submits.
#[derive(Clone, Copy, Debug)]
pub struct Reference;

impl AgentFactory for Reference {
    fn name(&self) -> String {
        "reference".to_owned()
    }

    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let apply = Action::ApplyConfig(task.instance.reference.clone());
        Ok(Box::new(Recital::of(&[apply, Action::Submit])))
    }
}
