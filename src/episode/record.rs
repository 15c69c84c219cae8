//! What is kept of an episode: one line of `episodes.jsonl`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::agent::Tokens;
use crate::agent::action::{Action, ByHost};
use crate::agent::protocol::message::Message;
use crate::grading::{GroupOutcome, TestOutcome};
use crate::instance::Difficulty;
use crate::runs::plan::Key;
use crate::scores::change::ChangeF1;
use crate::scores::failure::FailureClass;
use crate::scores::metrics::{Completion, Conduct, Turn};
use crate::scores::table::Outcome;

/// A turn: what the agent did and saw.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What it thought beside its message, if the endpoint tells that apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// What it thought before, if it said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub thought: Option<String>,
    /// What it did; nothing in a null turn.
    pub action: Option<Action>,
    /// Whether a router or the environment rejected a part of it.
    pub rejected: bool,
    /// What it saw.
    pub observation: Value,
    /// What changed in each running configuration, as a unified diff. The agent does not see it.
    #[serde(default, skip_serializing_if = "ByHost::is_empty")]
    pub diff: ByHost,
    /// Network time at the end of the turn, in seconds since the network was started.
    pub virtual_seconds: f64,
    /// Which scoring groups held on a fork of the network after the turn, if that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups: Option<Vec<bool>>,
    /// In guard mode, what worked before the action and not after it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Vec<String>>,
}

/// When a scoring group held, judged on a copy of the network after every turn.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupHistory {
    /// The turn after which it held first, from 1; 0 if it held before the agent came.
    pub first_held: Option<usize>,
    /// The turns after which it held no more.
    pub lost: Vec<usize>,
}

impl GroupHistory {
    /// The histories of all groups: `start` says which held before the agent came, and each entry of `turns` which held after
    /// that turn.
    #[must_use]
    pub fn of(start: &[bool], turns: &[&[bool]]) -> Vec<Self> {
        let history = |group: usize| {
            let held = |turn: &[bool]| turn.get(group).copied().unwrap_or_default();
            let all: Vec<bool> = std::iter::once(start).chain(turns.iter().copied()).map(held).collect();
            let pairs = all.iter().zip(all.iter().skip(1)).enumerate();
            Self {
                first_held: all.iter().position(|held| *held),
                lost: pairs
                    .filter(|(_, (before, after))| **before && !**after)
                    .map(|(at, _)| at + 1)
                    .collect(),
            }
        };
        (0..start.len()).map(history).collect()
    }
}

/// Metrics of one episode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Metrics {
    /// Agreement of the configuration changes with the reference's.
    pub cfg: ChangeF1,
    /// Turns, rejected and repeated actions.
    #[serde(flatten)]
    pub conduct: Conduct,
}

/// One line of `episodes.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Episode {
    /// `<category>/<slug>@<seed>`.
    pub instance: String,
    /// `<category>/<slug>`.
    pub template: String,
    /// The paper's subcategory.
    pub subcategory: String,
    /// How much the task asks.
    pub difficulty: Difficulty,
    /// Seed.
    pub seed: u64,
    /// Which repeat of the instance, from 0.
    pub repeat: usize,
    /// Who acted.
    pub agent: String,
    /// Share of scoring groups that passed.
    pub score: f64,
    /// Whether all passed.
    pub passed: bool,
    /// How it ended.
    pub completion: Completion,
    /// Turns, null turns included.
    pub turns: usize,
    /// BLAKE3 of the trajectory, in hexadecimal; see [`Episode::trajectory_hash`].
    pub hash: String,
    /// Scoring groups.
    pub groups: Vec<GroupOutcome>,
    /// Which groups held before the agent came, if the network was judged after every turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub groups_at_start: Option<Vec<bool>>,
    /// When each group held first, and when it was lost, in the order of `groups`; if the network was judged after every turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub history: Vec<GroupHistory>,
    /// Why it failed, as far as the trace tells; empty if it passed.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub failures: BTreeSet<FailureClass>,
    /// Tests.
    pub tests: Vec<TestOutcome>,
    /// Whether the network had come to rest when the tests ran.
    pub converged: bool,
    /// Why the agent gave up, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gave_up: Option<String>,
    /// Metrics.
    pub metrics: Metrics,
    /// Tokens, if the agent says.
    pub tokens: Option<Tokens>,
    /// Network time when the tests ran, in seconds since the network was started.
    pub virtual_seconds: f64,
    /// Real time of the episode, in seconds.
    pub wall_seconds: f64,
    /// Errors of attempts before this one that say nothing about the agent.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_attempts: Vec<String>,
    /// Errors of requests to the agent that were then made again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed_requests: Vec<String>,
    /// The conversation in chat format.
    pub messages: Vec<Message>,
    /// Turn by turn.
    pub steps: Vec<Step>,
}

impl Episode {
    /// BLAKE3 over what was said, done, seen and judged: neither real time nor tokens are in it.
    #[must_use]
    pub fn trajectory_hash(&self) -> String {
        let trajectory = (&self.instance, &self.messages, &self.steps, &self.tests, self.converged);
        // Serialising these types into memory cannot fail; an empty text would show at once as unequal to every stored hash.
        let text = serde_json::to_vec(&trajectory).unwrap_or_default();
        blake3::hash(&text).to_hex().to_string()
    }

    /// Its name within a run.
    #[must_use]
    pub fn key(&self) -> Key {
        Key { template: self.template.clone(), seed: self.seed, repeat: self.repeat }
    }

    /// The turns as metrics see them.
    #[must_use]
    pub fn trajectory(&self) -> Vec<Turn> {
        self.steps.iter().map(|s| Turn { action: s.action.clone(), rejected: s.rejected }).collect()
    }

    /// How often each action was taken; null turns under `none`.
    fn action_counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for step in &self.steps {
            let name = step.action.as_ref().map_or("none", Action::name);
            *counts.entry(name.to_owned()).or_default() += 1;
        }
        counts
    }

    /// What tables take from it.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        Outcome {
            instance: self.instance.clone(),
            repeat: self.repeat,
            template: self.template.clone(),
            subcategory: self.subcategory.clone(),
            difficulty: self.difficulty,
            score: self.score,
            passed: self.passed,
            completion: self.completion,
            cfg: self.metrics.cfg,
            conduct: self.metrics.conduct,
            output_tokens: self.tokens.map(|t| t.output),
            wall_seconds: self.wall_seconds,
            actions: self.action_counts(),
            failures: self.failures.clone(),
            gave_up: self.gave_up.is_some(),
        }
    }
}
