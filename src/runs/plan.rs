//! What a run was asked for, as `run.json` keeps it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::instances::{InstanceError, Instances};
use crate::agent::AgentFactory;
use crate::agent::protocol::Scaffold;
use crate::episode::Settings;
use crate::instance::InstanceName;

/// Names an episode of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key {
    /// `<category>/<slug>`.
    pub template: String,
    /// Seed of the instance.
    pub seed: u64,
    /// Which repeat, from 0.
    pub repeat: usize,
}

impl Key {
    /// The name of a repeat of an instance.
    #[must_use]
    pub fn new(instance: &InstanceName, repeat: usize) -> Self {
        Self { template: instance.template.clone(), seed: instance.seed, repeat }
    }

    /// The instance that is played.
    #[must_use]
    pub fn instance(&self) -> InstanceName {
        InstanceName { template: self.template.clone(), seed: self.seed }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.repeat {
            0 => write!(f, "{}@{}", self.template, self.seed),
            repeat => write!(f, "{}@{}#{repeat}", self.template, self.seed),
        }
    }
}

impl std::str::FromStr for Key {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (instance, repeat) = text.split_once('#').unwrap_or((text, "0"));
        let repeat = repeat.parse().map_err(|_| format!("`{text}`: what follows `#` is no number"))?;
        Ok(Self::new(&instance.parse()?, repeat))
    }
}

/// Part of a plan: every n-th episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which part, from 1.
    pub part: usize,
    /// How many parts there are.
    pub of: usize,
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no shard: write e.g. 2/4 for the second of four parts");
        let (part, of) = text.split_once('/').ok_or_else(wrong)?;
        let (part, of) = (part.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if part == 0 || part > of { Err(wrong()) } else { Ok(Self { part, of }) }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.part, self.of)
    }
}

/// `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunPlan {
    /// Version of this program.
    pub version: String,
    /// Who acts.
    pub agent: String,
    /// What the agent was set to; never a key.
    pub agent_settings: Value,
    /// How it is asked and answers.
    pub scaffold: Scaffold,
    /// The system prompt as the agent gets it.
    pub system_prompt: String,
    /// Where networks run.
    pub backend: String,
    /// What agents may do.
    pub settings: Settings,
    /// Seeds of each template.
    pub seeds: Vec<u64>,
    /// How often each instance is played.
    pub repeats: usize,
    /// Which part of all this the run is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// Templates, each with the BLAKE3 hash of what its instances are made from: a changed template is another run.
    pub templates: BTreeMap<String, String>,
}

impl RunPlan {
    /// The plan of an agent over instances.
    ///
    /// # Errors
    /// A template is wrong.
    pub fn new(
        factory: &dyn AgentFactory,
        backend: &str,
        settings: Settings,
        instances: &dyn Instances,
        repeats: usize,
        shard: Option<Shard>,
    ) -> Result<Self, InstanceError> {
        let scaffold = factory.scaffold();
        let seeds: BTreeSet<u64> = instances.names().iter().map(|name| name.seed).collect();
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            agent: factory.name(),
            agent_settings: factory.settings(),
            scaffold,
            system_prompt: settings.limits.system_prompt(scaffold),
            backend: backend.to_owned(),
            settings,
            seeds: seeds.into_iter().collect(),
            repeats,
            shard,
            templates: instances.hashes()?,
        })
    }

    /// What the run is called in tables: its agent, and whether a guard watched over it.
    #[must_use]
    pub fn label(&self) -> String {
        let guard = self.settings.guard.map(|guard| format!(" (guard: {guard})")).unwrap_or_default();
        format!("{}{guard}", self.agent)
    }

    /// The first thing in which another plan differs, if it does.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let fields = |plan: &Self| match serde_json::to_value(plan) {
            Ok(Value::Object(map)) => map,
            _ => serde_json::Map::new(),
        };
        let (mine, theirs) = (fields(self), fields(other));
        let names = mine.keys().chain(theirs.keys());
        names
            .filter(|name| mine.get(*name) != theirs.get(*name))
            .map(|name| {
                let show = |value: Option<&Value>| {
                    let text = value.map_or_else(|| "nothing".to_owned(), ToString::to_string);
                    if text.chars().count() > 80 { "something else".to_owned() } else { text }
                };
                format!("its `{name}` is {}, now it is {}", show(mine.get(name)), show(theirs.get(name)))
            })
            .next()
    }

    /// The episodes of this plan, in order, where these are the instances.
    #[must_use]
    pub fn episodes(&self, instances: &BTreeSet<InstanceName>) -> Vec<Key> {
        let all = instances.iter().flat_map(|name| (0..self.repeats).map(|repeat| Key::new(name, repeat)));
        let Some(shard) = self.shard else { return all.collect() };
        all.enumerate().filter(|(n, _)| n % shard.of == shard.part - 1).map(|(_, episode)| episode).collect()
    }
}
