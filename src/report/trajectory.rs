//! What the viewer shows of an episode.

use serde::Serialize;

use super::topology::Picture;
use crate::agent::Tokens;
use crate::agent::protocol::message::{Message, Role};
use crate::episode::record::{Episode, GroupHistory, Metrics, Step};
use crate::grading::{GroupOutcome, TestOutcome};
use crate::scores::failure::FailureClass;

/// An episode as the viewer gets it: without what the steps say already.
#[derive(Debug, Serialize)]
pub struct Trajectory<'a> {
    prompt: &'a str,
    topology: Picture,
    groups: &'a [GroupOutcome],
    groups_at_start: Option<&'a [bool]>,
    history: &'a [GroupHistory],
    failures: Vec<String>,
    tests: &'a [TestOutcome],
    converged: bool,
    gave_up: Option<&'a str>,
    metrics: Metrics,
    tokens: Option<Tokens>,
    virtual_seconds: f64,
    wall_seconds: f64,
    hash: &'a str,
    failed_attempts: &'a [String],
    failed_requests: &'a [String],
    said: Vec<&'a Message>,
    steps: &'a [Step],
}

impl<'a> Trajectory<'a> {
    /// What the viewer shows of this episode.
    #[must_use]
    pub fn of(episode: &'a Episode) -> Self {
        let prompt = episode.messages.get(1).map_or("", |message| message.content.as_str());
        Self {
            prompt,
            topology: Picture::of(prompt),
            groups: &episode.groups,
            groups_at_start: episode.groups_at_start.as_deref(),
            history: &episode.history,
            failures: episode.failures.iter().map(FailureClass::to_string).collect(),
            tests: &episode.tests,
            converged: episode.converged,
            gave_up: episode.gave_up.as_deref(),
            metrics: episode.metrics,
            tokens: episode.tokens,
            virtual_seconds: episode.virtual_seconds,
            wall_seconds: episode.wall_seconds,
            hash: &episode.hash,
            failed_attempts: &episode.failed_attempts,
            failed_requests: &episode.failed_requests,
            said: episode.messages.iter().filter(|message| message.role == Role::Assistant).collect(),
            steps: &episode.steps,
        }
    }
}
