//! An agent that says what was said in a run before.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::builtin::Recital;
use super::protocol::Scaffold;
use super::protocol::message::Role;
use super::{Agent, AgentError, AgentFactory, Move, Reply, Task};
use crate::episode::record::Episode;
use crate::runs::directory::{EPISODES, Place, RunError, each_line, read_line, read_plan};
use crate::runs::plan::Key;

/// Replays the episodes of a run directory.
#[derive(Clone, Debug)]
pub struct Replay {
    path: PathBuf,
    agent: String,
    scaffold: Scaffold,
    places: BTreeMap<Key, Place>,
}

impl Replay {
    /// Finds the episodes of a run directory.
    ///
    /// # Errors
    /// There is no run, or a file cannot be read.
    pub fn of(run: &Path) -> Result<Self, RunError> {
        let plan = read_plan(run)?;
        let path = run.join(EPISODES);
        let mut places = BTreeMap::new();
        each_line(&path, |place, key: Key| {
            places.insert(key, place);
            Ok(())
        })?;
        Ok(Self { path, agent: plan.agent, scaffold: plan.scaffold, places })
    }
}

impl AgentFactory for Replay {
    fn name(&self) -> String {
        format!("replay:{}", self.agent)
    }

    fn scaffold(&self) -> Scaffold {
        self.scaffold
    }

    fn settings(&self) -> Value {
        json!({"episodes": self.places.len()})
    }

    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let key = Key::new(&task.instance.name, task.repeat);
        let place = self.places.get(&key);
        let place =
            place.ok_or_else(|| AgentError::passing(format!("the run to replay has no episode {key}")))?;
        let episode =
            read_line(&self.path, *place).map_err(|error| AgentError::passing(error.to_string()))?;
        Ok(Box::new(again(&episode)))
    }
}

/// An agent that says what was said in an episode.
#[must_use]
pub fn again(episode: &Episode) -> Recital {
    let said = episode.messages.iter().filter(|m| m.role == Role::Assistant).cloned();
    let mut moves: Vec<Move> = said
        .zip(&episode.steps)
        .map(|(message, step)| {
            Move::Reply(Reply { reasoning: step.reasoning.clone(), ..Reply::from(message) })
        })
        .collect();
    moves.extend(episode.gave_up.clone().map(Move::GiveUp));
    Recital::new(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::builtin::Random;
    use crate::backend::scripted::Scripted;
    use crate::episode::Settings;
    use crate::instance::sample::two_routers;
    use crate::runs::directory::{RunDirectory, each_episode};
    use crate::runs::runner::Job;

    #[test]
    fn a_replay_has_the_hashes_of_what_it_replays() {
        let folder = tempfile::tempdir().unwrap();
        let instances = vec![two_routers()];
        let run = |factory: &dyn AgentFactory, path: &Path| {
            let settings = Settings::default();
            let backend = &Scripted;
            let job = Job {
                factory,
                backend,
                settings,
                instances: &instances,
                repeats: 5,
                shard: None,
                workers: 2,
                attempts: 1,
            };
            let summary = job.run(&mut RunDirectory::open(path, &job.plan().unwrap()).unwrap(), &()).unwrap();
            assert_eq!(summary.infrastructure_errors, 0);
            let mut hashes = Vec::new();
            each_episode(path, |e| {
                hashes.push(e.hash);
                Ok(())
            })
            .unwrap();
            hashes
        };
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        let once = run(&Random, &first);
        let replay = Replay::of(&first).unwrap();
        assert_eq!(replay.name(), "replay:random");
        assert_eq!(run(&replay, &second), once);
        let mut other = two_routers();
        other.name.seed = 9;
        let task = Task { instance: &other, repeat: 0, limits: Settings::default().limits };
        let error = replay.start(task).err().unwrap();
        assert!(error.reason.contains("has no episode test/lines@9"), "{error}");
    }
}
