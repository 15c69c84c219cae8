//! Playing the episodes of a plan that are not in the directory yet.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use miette::Diagnostic;
use thiserror::Error;

use super::directory::{Failure, RunDirectory, RunError, SUMMARY, keys, write_json};
use super::instances::{InstanceError, Instances};
use super::plan::{Key, RunPlan, Shard};
use super::summarise;
use crate::agent::{AgentFactory, Task};
use crate::backend::Backend;
use crate::episode::record::Episode;
use crate::episode::{EpisodeError, Settings, play};
use crate::scores::table::Summary;

/// Finished episodes that wait for the disk before workers have to wait.
const QUEUE: usize = 64;
/// Pause before the second attempt; it doubles with each further one.
const PAUSE: Duration = Duration::from_millis(200);

/// What to play.
#[derive(Clone, Copy)]
pub struct Job<'a> {
    /// Who acts.
    pub factory: &'a dyn AgentFactory,
    /// Where networks run.
    pub backend: &'a dyn Backend,
    /// What agents may do.
    pub settings: Settings,
    /// The tasks.
    pub instances: &'a dyn Instances,
    /// How often each is played.
    pub repeats: usize,
    /// Which part of it is played.
    pub shard: Option<Shard>,
    /// Episodes at a time.
    pub workers: usize,
    /// Attempts at an episode whose network or agent cannot be reached.
    pub attempts: usize,
}

/// Hears how a run goes on.
pub trait Progress {
    /// It begins: so many episodes, of which so many were there already.
    fn begin(&self, all: usize, done: usize);
    /// An episode is on the disk.
    fn finished(&self, episode: &Episode);
    /// An episode could not be played.
    fn failed(&self, failure: &Failure);
}

/// Hears nothing.
impl Progress for () {
    fn begin(&self, _: usize, _: usize) {}
    fn finished(&self, _: &Episode) {}
    fn failed(&self, _: &Failure) {}
}

/// Why a run stops.
#[derive(Debug, Error, Diagnostic)]
pub enum StopError {
    /// The directory.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Directory(#[from] RunError),
    /// The agent cannot be asked, and that will stay so.
    #[error("the agent cannot be asked: {0}")]
    #[diagnostic(help("finished episodes are kept; run the same command again to go on"))]
    Agent(String),
    /// A template is wrong.
    #[error(transparent)]
    #[diagnostic(transparent)]
    Instance(#[from] InstanceError),
}

/// What a worker brings.
enum Played {
    Episode(Box<Episode>),
    Failure(Failure),
    Stop(String),
}

impl Job<'_> {
    /// The plan for `run.json`.
    ///
    /// # Errors
    /// A template is wrong.
    pub fn plan(&self) -> Result<RunPlan, InstanceError> {
        let backend = self.backend.name();
        RunPlan::new(self.factory, backend, self.settings, self.instances, self.repeats, self.shard)
    }

    /// Plays what is missing, sorts the episodes, and summarises them.
    ///
    /// # Errors
    /// The directory cannot be written, or the agent cannot be asked at all. Episodes that were finished are kept.
    pub fn run(&self, directory: &mut RunDirectory, progress: &dyn Progress) -> Result<Summary, StopError> {
        let plan = self.plan()?;
        let done: BTreeSet<Key> = keys(directory.path())?.into_iter().collect();
        let mut todo = plan.episodes(&self.instances.names());
        let all = todo.len();
        todo.retain(|key| !done.contains(key));
        progress.begin(all, all - todo.len());
        let failures = self.play_all(&todo, directory, progress)?;
        directory.write_failures(&failures)?;
        directory.sort()?;
        let summary = summarise(directory.path())?;
        write_json(&directory.path().join(SUMMARY), &summary)?;
        Ok(summary)
    }

    fn play_all(
        &self,
        todo: &[Key],
        directory: &mut RunDirectory,
        progress: &dyn Progress,
    ) -> Result<Vec<Failure>, StopError> {
        let (next, stop) = (AtomicUsize::new(0), AtomicBool::new(false));
        let (sender, receiver) = sync_channel(QUEUE);
        let workers = self.workers.clamp(1, todo.len().max(1));
        thread::scope(|scope| {
            for _ in 0..workers {
                let sender = sender.clone();
                scope.spawn(|| self.work(todo, &next, &stop, sender));
            }
            drop(sender);
            let result = collect(receiver, directory, progress);
            stop.store(true, Ordering::Relaxed);
            result
        })
    }

    fn work(&self, todo: &[Key], next: &AtomicUsize, stop: &AtomicBool, sender: SyncSender<Played>) {
        while !stop.load(Ordering::Relaxed) {
            let Some(key) = todo.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
            // The receiver is gone when the directory cannot be written.
            if sender.send(self.attempt(key)).is_err() {
                return;
            }
        }
    }

    /// Plays an episode, again if its network or agent could not be reached.
    fn attempt(&self, key: &Key) -> Played {
        let instance = match self.instances.make(&key.instance()) {
            Ok(instance) => instance,
            Err(error) => {
                return Played::Failure(Failure { key: key.clone(), attempts: vec![error.to_string()] });
            }
        };
        let task = Task { instance: &instance, repeat: key.repeat, limits: self.settings.limits };
        let mut errors = Vec::new();
        let mut pause = PAUSE;
        loop {
            let played =
                catch_unwind(AssertUnwindSafe(|| play(task, self.factory, self.backend, self.settings)));
            let error = match played {
                Ok(Ok(mut episode)) => {
                    episode.failed_attempts = errors;
                    return Played::Episode(Box::new(episode));
                }
                Ok(Err(EpisodeError::Agent(error))) if !error.may_pass => return Played::Stop(error.reason),
                Ok(Err(error)) => error,
                Err(_) => EpisodeError::Crash,
            };
            errors.push(error.to_string());
            if !error.may_pass() || errors.len() >= self.attempts {
                return Played::Failure(Failure { key: key.clone(), attempts: errors });
            }
            thread::sleep(pause);
            pause *= 2;
        }
    }
}

/// Writes what workers bring; several episodes that wait go to the disk together.
fn collect(
    receiver: Receiver<Played>,
    directory: &mut RunDirectory,
    progress: &dyn Progress,
) -> Result<Vec<Failure>, StopError> {
    let mut failures = Vec::new();
    let mut reason = None;
    while let Ok(first) = receiver.recv() {
        let mut episodes = Vec::new();
        for played in std::iter::once(first).chain(receiver.try_iter().take(QUEUE)) {
            match played {
                Played::Episode(episode) => episodes.push(*episode),
                Played::Failure(failure) => {
                    progress.failed(&failure);
                    failures.push(failure);
                }
                Played::Stop(why) => reason = reason.or(Some(why)),
            }
        }
        directory.append(&episodes)?;
        episodes.iter().for_each(|episode| progress.finished(episode));
        if let Some(reason) = reason {
            return Err(StopError::Agent(reason));
        }
    }
    failures.sort_by(|a, b| a.key.cmp(&b.key));
    Ok(failures)
}
