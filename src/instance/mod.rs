//! Instances: a template with everything sampled and rendered.

#[cfg(test)]
pub mod sample;

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use ipnet::Ipv4Net;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use serde::{Deserialize, Serialize};

use crate::grading::Test;

/// `<category>/<slug>@<seed>`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct InstanceName {
    /// `<category>/<slug>`.
    pub template: String,
    /// What the instance is sampled from.
    pub seed: u64,
}

impl fmt::Display for InstanceName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.template, self.seed)
    }
}

impl FromStr for InstanceName {
    type Err = String;

    /// Without `@seed`, seed 0.
    fn from_str(text: &str) -> Result<Self, String> {
        let (template, seed) = text.split_once('@').unwrap_or((text, "0"));
        let seed = seed.parse().map_err(|_| format!("`{seed}` is not a seed: write `{template}@0`"))?;
        Ok(Self { template: template.to_owned(), seed })
    }
}

/// How much a task asks, in the eyes of whoever wrote it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Difficulty {
    /// One idea on a few routers.
    Easy,
    /// Several ideas, or one on many routers.
    #[default]
    Medium,
    /// Ideas that get in each other's way, or faults that have to be found first.
    Hard,
}

impl Difficulty {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
        }
    }
}

impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Difficulty {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|difficulty| difficulty.word() == text);
        found.ok_or_else(|| format!("there is no difficulty `{text}`; there are easy, medium, hard"))
    }
}

/// Configuration texts by the router's name.
pub type Configs = BTreeMap<String, String>;

/// A router of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Node {
    /// What the template calls it.
    pub role: String,
    /// Its host name.
    pub name: String,
    /// Its ports.
    pub ports: Vec<InterfaceName>,
}

/// One end of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkEnd {
    /// Name of the router.
    pub node: String,
    /// Its interface.
    pub interface: InterfaceName,
    /// Its address with the prefix length.
    pub address: Ipv4Net,
}

/// A link of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What the template calls it.
    pub name: String,
    /// How the topology section calls it.
    pub label: Option<String>,
    /// What its interfaces are.
    pub medium: InterfaceKind,
    /// Its network.
    pub subnet: Ipv4Net,
    /// Its ends.
    pub ends: Vec<LinkEnd>,
}

/// A reference line that may be left out, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OptionalLine {
    /// Name of the router.
    pub node: String,
    /// The line, without indentation.
    pub line: String,
    /// Why.
    pub reason: String,
}

/// A plausible wrong solution, which the tests must notice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrongSolution {
    /// What was done wrong.
    pub mistake: String,
    /// The intent of the scoring group that must fail.
    pub caught_by: String,
    /// Configuration lines.
    pub configs: Configs,
}

/// A task as one agent gets it, with what the agent must not see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Instance {
    /// Name.
    pub name: InstanceName,
    /// One line that names the task.
    pub title: String,
    /// First part of the name.
    pub category: String,
    /// The paper's subcategory.
    pub subcategory: String,
    /// How much it asks.
    pub difficulty: Difficulty,
    /// The situation.
    pub scenario: String,
    /// What is wanted.
    pub goals: Vec<String>,
    /// Routers, in the order of their roles.
    pub nodes: Vec<Node>,
    /// Links.
    pub links: Vec<Link>,
    /// Startup configurations.
    pub startup: Configs,
    /// Hidden tests.
    pub tests: Vec<Test>,
    /// Configuration lines that solve the task.
    pub reference: Configs,
    /// Other solutions, by name.
    pub alternatives: BTreeMap<String, Configs>,
    /// Lines of the reference without which the tests pass all the same.
    pub optional: Vec<OptionalLine>,
    /// Solutions that are none.
    pub wrong: Vec<WrongSolution>,
}

impl Instance {
    /// The first message to the agent: scenario, topology, goals.
    #[must_use]
    pub fn prompt(&self) -> String {
        let mut goals = String::new();
        for (number, goal) in self.goals.iter().enumerate() {
            goals.push_str(&format!("{}. {goal}\n", number + 1));
        }
        format!("# Scenario\n{}\n\n# Topology\n{}\n# Goals\n{goals}", self.scenario.trim(), self.topology())
    }

    /// Routers and links as text.
    #[must_use]
    pub fn topology(&self) -> String {
        let mut names: Vec<&str> = self.nodes.iter().map(|n| n.name.as_str()).collect();
        names.sort_unstable();
        let mut text = format!("Routers: {}\n", names.join(", "));
        let mut lines: Vec<String> = self.links.iter().map(Link::describe).collect();
        lines.sort_unstable();
        lines.iter().for_each(|line| text.push_str(&format!("- {line}\n")));
        text
    }
}

impl Link {
    fn describe(&self) -> String {
        let end = |e: &LinkEnd| format!("{} {} ({})", e.node, e.interface, e.address.addr());
        let mut ends: Vec<String> = self.ends.iter().map(end).collect();
        ends.sort_unstable();
        let label = self.label.as_ref().map(|l| format!(", {l}")).unwrap_or_default();
        match ends.as_slice() {
            [only] => format!("{only}: local network {}{label}", self.subnet),
            _ => format!("{}: {}{label}", ends.join(" <-> "), self.subnet),
        }
    }
}
