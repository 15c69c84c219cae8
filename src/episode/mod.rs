//! An episode: one agent, one instance, from deployment to score.
//!
//! | module | what it holds |
//! |---|---|
//! | [`record`] | what is kept of an episode |
//! | [`blame`] | which actions each scoring group depends on |
//! | [`judge`] | hidden tests and configuration changes |

pub mod blame;
pub mod judge;
pub mod record;

use std::time::Instant;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use self::judge::{Baseline, judge};
use self::record::{Episode, GroupHistory, Metrics, Step};
use crate::agent::action::Action;
use crate::agent::protocol::message::{Message, Role};
use crate::agent::protocol::{LONGEST_REPLY, Scaffold, text};
use crate::agent::{Agent, AgentError, AgentFactory, Move, Reply, Task, Tokens};
use crate::backend::{Backend, BackendError, Deployment};
use crate::environment::guard::Guard;
use crate::environment::{Environment, Limits, Observation};
use crate::instance::Instance;
use crate::scores::failure::classify;
use crate::scores::metrics::{Completion, Conduct};

/// How much of a reply that is too long is kept, in bytes.
const KEPT_OF_LONG_REPLY: usize = 4096;

/// What all episodes of a run have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// What agents may do.
    pub limits: Limits,
    /// Judge a fork of the network after every turn.
    pub dense: bool,
    /// Try every configuration on a copy of the network first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guard: Option<Guard>,
}

/// Why an episode has no score. It says nothing about the agent.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EpisodeError {
    /// The network.
    #[error("network: {0}")]
    Backend(#[from] BackendError),
    /// The agent could not be asked.
    #[error("agent: {0}")]
    Agent(#[from] AgentError),
    /// A fault of this program.
    #[error("this program has a fault: the episode panicked")]
    Crash,
}

impl EpisodeError {
    /// Whether another attempt may succeed.
    #[must_use]
    pub const fn may_pass(&self) -> bool {
        match self {
            Self::Backend(error) => error.may_pass(),
            Self::Agent(error) => error.may_pass,
            Self::Crash => false,
        }
    }
}

/// Plays one episode.
///
/// # Errors
/// The network or the agent cannot be reached.
pub fn play(
    task: Task<'_>,
    factory: &dyn AgentFactory,
    backend: &dyn Backend,
    settings: Settings,
) -> Result<Episode, EpisodeError> {
    let started = Instant::now();
    let stage = Stage::set(backend, task.instance)?;
    let mut episode = stage.play(task.repeat, factory, settings)?;
    episode.wall_seconds = started.elapsed().as_secs_f64();
    Ok(episode)
}

/// The network of an instance as it is before an agent comes: episodes can start from it again and again.
pub struct Stage<'a> {
    instance: &'a Instance,
    deployment: Box<dyn Deployment>,
    baseline: Baseline,
}

impl<'a> Stage<'a> {
    /// Deploys an instance.
    ///
    /// # Errors
    /// The network cannot be built or reached.
    pub fn set(backend: &dyn Backend, instance: &'a Instance) -> Result<Self, BackendError> {
        let mut deployment = backend.deploy(instance)?;
        let baseline = Baseline::take(deployment.as_mut(), instance)?;
        Ok(Self { instance, deployment, baseline })
    }

    /// A copy of the network.
    ///
    /// # Errors
    /// The backend cannot make one.
    pub fn network(&self) -> Result<Box<dyn Deployment>, BackendError> {
        self.deployment.fork().ok_or(BackendError::NoFork)
    }

    /// Plays an episode on a copy of the network, so that nothing of it stays.
    ///
    /// # Errors
    /// The network or the agent cannot be reached.
    pub fn play(
        &self,
        repeat: usize,
        factory: &dyn AgentFactory,
        settings: Settings,
    ) -> Result<Episode, EpisodeError> {
        let started = Instant::now();
        let task = Task { instance: self.instance, repeat, limits: settings.limits };
        let mut agent = factory.start(task)?;
        let environment = Environment::new(task.instance, self.network()?, settings.limits, settings.guard);
        let mut game = Game::new(task, factory.scaffold(), environment, settings)?;
        game.play(agent.as_mut())?;
        let mut episode = game.finish(&self.baseline)?;
        episode.failed_requests = agent.failed_requests();
        episode.agent = factory.name();
        episode.hash = episode.trajectory_hash();
        episode.wall_seconds = started.elapsed().as_secs_f64();
        Ok(episode)
    }
}

/// An episode under way.
struct Game<'a> {
    task: Task<'a>,
    scaffold: Scaffold,
    environment: Environment,
    settings: Settings,
    messages: Vec<Message>,
    steps: Vec<Step>,
    tokens: Option<Tokens>,
    gave_up: Option<String>,
    groups_at_start: Option<Vec<bool>>,
}

impl<'a> Game<'a> {
    fn new(
        task: Task<'a>,
        scaffold: Scaffold,
        mut environment: Environment,
        settings: Settings,
    ) -> Result<Self, EpisodeError> {
        let mut prompt = task.instance.prompt();
        if scaffold == Scaffold::Oneshot {
            // There is no turn to ask for them.
            let seen = environment.configs()?;
            prompt.push_str(&format!("\n# Running configurations\n{seen}\n"));
        }
        let messages = vec![
            Message::new(Role::System, settings.limits.system_prompt(scaffold)),
            Message::new(Role::User, prompt),
        ];
        let (steps, tokens, gave_up) = (Vec::new(), None, None);
        let groups_at_start = None;
        let mut game =
            Self { task, scaffold, environment, settings, messages, steps, tokens, gave_up, groups_at_start };
        if settings.dense {
            game.groups_at_start = Some(game.forecast()?);
        }
        Ok(game)
    }

    fn submitted(&self) -> bool {
        self.steps.last().is_some_and(|s| s.action == Some(Action::Submit))
    }

    fn play(&mut self, agent: &mut dyn Agent) -> Result<(), EpisodeError> {
        while self.steps.len() < self.settings.limits.turns && !self.submitted() {
            match agent.next(&self.messages)? {
                Move::Reply(reply) => self.turn(reply)?,
                Move::GiveUp(reason) => {
                    self.gave_up = Some(reason);
                    break;
                }
            }
            if self.scaffold == Scaffold::Oneshot && !self.submitted() {
                self.step(None, Ok(Action::Submit))?;
            }
        }
        Ok(())
    }

    fn turn(&mut self, reply: Reply) -> Result<(), EpisodeError> {
        if let Some(tokens) = reply.tokens {
            self.tokens.get_or_insert_default().add(tokens);
        }
        let action = self.scaffold.parse(&reply.message);
        let message = bounded(reply.message);
        let calls = message.tool_calls.clone();
        let thought = match self.scaffold {
            Scaffold::React => text::thought(&message.content).map(str::to_owned),
            Scaffold::Tools | Scaffold::Oneshot => Some(message.content.clone()).filter(|c| !c.is_empty()),
        };
        self.messages.push(message);
        let seen = self.step(thought, action)?;
        if let Some(step) = self.steps.last_mut() {
            step.reasoning = reply.reasoning.map(cut_long);
        }
        if calls.is_empty() {
            self.messages.push(Message::new(Role::User, format!("{}{seen}", text::OBSERVATION)));
        }
        // Endpoints want an answer to every call, also where several made it a null turn.
        self.messages.extend(calls.iter().map(|call| Message::answer(call, seen.clone())));
        Ok(())
    }

    /// Carries out a turn; gives what the agent sees, as text.
    fn step(
        &mut self,
        thought: Option<String>,
        action: Result<Action, String>,
    ) -> Result<String, EpisodeError> {
        let Observation { content, rejected, lost, diff } =
            self.environment.step(action.as_ref().map_err(String::as_str))?;
        let seen = content.to_string();
        let virtual_seconds = self.environment.deployment().elapsed().as_secs_f64();
        let groups = if self.settings.dense { Some(self.forecast()?) } else { None };
        let action = action.ok();
        self.steps.push(Step {
            reasoning: None,
            thought,
            action,
            rejected,
            observation: content,
            virtual_seconds,
            groups,
            lost,
            diff,
        });
        Ok(seen)
    }

    /// Which groups would hold if the agent stopped here.
    fn forecast(&mut self) -> Result<Vec<bool>, BackendError> {
        let mut fork = self.environment.deployment().fork().ok_or(BackendError::NoFork)?;
        fork.settle()?;
        let grade = judge(fork.as_mut(), &self.task.instance.tests)?;
        Ok(grade.groups.iter().map(|g| g.passed).collect())
    }

    /// Lets the network come to rest, and judges it.
    fn finish(mut self, baseline: &Baseline) -> Result<Episode, EpisodeError> {
        let instance = self.task.instance;
        let deployment: &mut dyn Deployment = self.environment.deployment();
        let converged = deployment.settle()?;
        let virtual_seconds = deployment.elapsed().as_secs_f64();
        let cfg = baseline.compare(deployment, instance)?;
        let grade = judge(deployment, &instance.tests)?;
        let mut episode = Episode {
            instance: instance.name.to_string(),
            template: instance.name.template.clone(),
            seed: instance.name.seed,
            repeat: self.task.repeat,
            agent: String::new(),
            score: grade.score(),
            passed: grade.passed(),
            completion: Completion::Limit,
            turns: self.steps.len(),
            hash: String::new(),
            subcategory: instance.subcategory.clone(),
            difficulty: instance.difficulty,
            failures: classify(&self.steps, &grade.groups, instance.reference.keys()),
            groups: grade.groups,
            tests: grade.tests,
            history: history(self.groups_at_start.as_deref(), &self.steps),
            groups_at_start: self.groups_at_start,
            converged,
            gave_up: self.gave_up,
            metrics: Metrics::default(),
            tokens: self.tokens,
            virtual_seconds,
            wall_seconds: 0.0,
            failed_attempts: Vec::new(),
            failed_requests: Vec::new(),
            messages: self.messages,
            steps: self.steps,
        };
        let turns = episode.trajectory();
        episode.completion = Completion::of(&turns, episode.passed);
        episode.metrics = Metrics { cfg, conduct: Conduct::of(&turns) };
        Ok(episode)
    }
}

/// When each group held, if that was asked for.
fn history(start: Option<&[bool]>, steps: &[Step]) -> Vec<GroupHistory> {
    let turns: Vec<&[bool]> = steps.iter().filter_map(|step| step.groups.as_deref()).collect();
    start.map(|start| GroupHistory::of(start, &turns)).unwrap_or_default()
}

/// A message of bounded length: of what is too long to be read, only the start is kept.
fn bounded(mut message: Message) -> Message {
    cut(&mut message.content, LONGEST_REPLY);
    message.tool_calls.truncate(64);
    for call in &mut message.tool_calls {
        cut(&mut call.id, 256);
        cut(&mut call.function.name, 256);
        cut(&mut call.function.arguments, LONGEST_REPLY);
    }
    message
}

/// Cuts a text that is longer than `most` bytes down to its start.
fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        let end = (0..=most.min(KEPT_OF_LONG_REPLY)).rev().find(|&at| text.is_char_boundary(at));
        text.truncate(end.unwrap_or_default());
    }
}

fn cut_long(mut text: String) -> String {
    cut(&mut text, LONGEST_REPLY);
    text
}

#[cfg(test)]
mod tests;
