//! A run judged anew: what the agents did is done again, and today's tests judge it.
//!
//! Nobody is asked again. What the agent cost, its tokens and its time, stays as it was.

use std::collections::BTreeSet;
use std::path::Path;

use miette::Diagnostic;
use serde_json::Value;
use thiserror::Error;

use super::directory::{
    RunDirectory, RunError, SUMMARY, each_episode, keys, read_failures, read_plan, write_json,
};
use super::instances::{InstanceError, Instances};
use super::plan::{Key, RunPlan};
use super::summarise;
use crate::agent::protocol::Scaffold;
use crate::agent::replay::again;
use crate::agent::{Agent, AgentError, AgentFactory, Task};
use crate::backend::Backend;
use crate::episode::record::Episode;
use crate::episode::{EpisodeError, Settings, play};
use crate::scores::table::Summary;

/// Why a run cannot be judged anew.
#[derive(Debug, Error, Diagnostic)]
pub enum RescoreError {
    /// A run directory.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Directory(#[from] RunError),
    /// An instance is not there any more.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Instance(#[from] InstanceError),
    /// An episode cannot be played again.
    #[error("{0}: {1}")]
    Episode(Key, EpisodeError),
}

/// An episode that is judged otherwise than before.
#[derive(Clone, Debug, PartialEq)]
pub struct Changed {
    /// Which.
    pub key: Key,
    /// Its score before.
    pub before: f64,
    /// Its score now.
    pub after: f64,
}

/// What came of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rescored {
    /// Summary of the new run.
    pub summary: Summary,
    /// Episodes judged in this call; those that were there already are not counted.
    pub episodes: usize,
    /// Episodes in which the routers answered otherwise than what the agent saw: task or emulator have changed, not only tests.
    pub diverged: Vec<Key>,
    /// Episodes with another score.
    pub changed: Vec<Changed>,
}

/// Says again what was said in an episode.
struct Again<'a> {
    episode: &'a Episode,
    scaffold: Scaffold,
}

impl AgentFactory for Again<'_> {
    fn name(&self) -> String {
        self.episode.agent.clone()
    }

    fn scaffold(&self) -> Scaffold {
        self.scaffold
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(again(self.episode)))
    }
}

/// Judges a run anew, into another run directory; `instances` are those of the run as they are today.
///
/// # Errors
/// The run cannot be read or the new one written, an instance is gone, or an episode cannot be played again.
pub fn rescore(
    run: &Path,
    out: &Path,
    backend: &dyn Backend,
    instances: &dyn Instances,
) -> Result<Rescored, RescoreError> {
    let old = read_plan(run)?;
    let plan = RunPlan {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        backend: backend.name().to_owned(),
        templates: instances.hashes()?,
        ..old.clone()
    };
    let mut directory = RunDirectory::open(out, &plan)?;
    let done: BTreeSet<Key> = keys(out)?.into_iter().collect();
    let mut found = Rescored::default();
    let mut failed = None;
    each_episode(run, |before| {
        let key = before.key();
        if done.contains(&key) || failed.is_some() {
            return Ok(());
        }
        match judge_anew(&before, instances, backend, old.scaffold, old.settings) {
            Ok(after) => {
                found.note(&before, &after);
                directory.append(&[after])
            }
            Err(error) => {
                failed = Some(error);
                Ok(())
            }
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    directory.write_failures(&read_failures(run)?)?;
    directory.sort()?;
    found.summary = summarise(out)?;
    write_json(&out.join(SUMMARY), &found.summary)?;
    Ok(found)
}

fn judge_anew(
    before: &Episode,
    instances: &dyn Instances,
    backend: &dyn Backend,
    scaffold: Scaffold,
    settings: Settings,
) -> Result<Episode, RescoreError> {
    let instance = instances.make(&before.key().instance())?;
    let task = Task { instance: &instance, repeat: before.repeat, limits: settings.limits };
    let after = play(task, &Again { episode: before, scaffold }, backend, settings)
        .map_err(|error| RescoreError::Episode(before.key(), error))?;
    Ok(Episode {
        tokens: before.tokens,
        wall_seconds: before.wall_seconds,
        failed_attempts: before.failed_attempts.clone(),
        failed_requests: before.failed_requests.clone(),
        ..after
    })
}

impl Rescored {
    fn note(&mut self, before: &Episode, after: &Episode) {
        self.episodes += 1;
        let seen =
            |episode: &Episode| episode.steps.iter().map(|s| s.observation.clone()).collect::<Vec<Value>>();
        if seen(before) != seen(after) {
            self.diverged.push(before.key());
        }
        if (before.score - after.score).abs() > 1e-9 {
            self.changed.push(Changed { key: before.key(), before: before.score, after: after.score });
        }
    }
}
