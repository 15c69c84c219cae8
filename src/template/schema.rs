//! The shape of `template.toml`.

use std::collections::BTreeMap;

use serde::Deserialize;
use toml::{Spanned, Value};

use crate::grading::Expectation;
use crate::instance::Difficulty;

/// A whole `template.toml`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TemplateFile {
    /// One line that names the task.
    pub title: String,
    /// The paper's subcategory, e.g. `areas and route control`.
    pub subcategory: String,
    /// How much it asks.
    #[serde(default)]
    pub difficulty: Difficulty,
    /// Words to select by.
    #[serde(default)]
    pub tags: Vec<String>,
    /// The situation, in English.
    pub scenario: Spanned<String>,
    /// What is wanted, one entry a goal.
    pub goals: Vec<Spanned<String>>,
    /// What is sampled.
    pub parameters: BTreeMap<String, Spanned<ParameterSpec>>,
    /// Routers, by their role.
    pub nodes: BTreeMap<String, Spanned<NodeSpec>>,
    /// Links and local networks.
    pub links: Vec<Spanned<LinkSpec>>,
    /// Hidden tests.
    pub tests: Vec<Spanned<TestSpec>>,
    /// Lines of the reference that may be left out without failing a test.
    #[serde(default)]
    pub optional: Vec<Spanned<OptionalSpec>>,
    /// Mistakes that an engineer or a model makes, and the test that notices each.
    #[serde(default)]
    pub wrong: Vec<Spanned<WrongSpec>>,
}

/// How a parameter is sampled: exactly one generator, and constraints.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParameterSpec {
    /// One of these values, or one element of a list parameter.
    pub choice: Option<Value>,
    /// A whole number: `[low, high]` or `[low, high, step]`, ends included.
    pub int_range: Option<Vec<Value>>,
    /// A network inside a larger one.
    pub random_subnet: Option<SubnetSpec>,
    /// A property of a network parameter.
    pub subnet_attr: Option<SubnetAttrSpec>,
    /// A text with other parameters in it.
    pub format: Option<String>,
    /// These values in random order.
    pub shuffle: Option<Vec<Value>>,
    /// With `choice`, `int_range` or `random_subnet`: a list of this many different values.
    pub count: Option<usize>,
    /// Parameters whose values this one must not have.
    #[serde(default)]
    pub different_from: Vec<String>,
    /// Networks that this one must not overlap; `"*"` stands for all.
    #[serde(default)]
    pub no_overlap: Vec<String>,
}

/// Where a network is taken from.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubnetSpec {
    /// The larger network, or several of which one is taken.
    pub within: OneOrMany,
    /// The prefix length, or the least and the greatest.
    pub length: Value,
}

/// One text or several.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    /// One.
    One(String),
    /// Several.
    Many(Vec<String>),
}

impl OneOrMany {
    /// All of them.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        match self {
            Self::One(one) => std::slice::from_ref(one),
            Self::Many(many) => many,
        }
    }
}

/// A property of a network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SubnetAttrSpec {
    /// The network parameter.
    pub of: String,
    /// `network`, `mask`, `wildcard`, `length`, `broadcast`, `first`, `last`, `cidr` or `host`.
    pub attribute: String,
    /// With `host`: which address, from 1; negative counts from the end.
    pub index: Option<i64>,
}

/// A router.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NodeSpec {
    /// Its name, usually a parameter.
    pub name: String,
}

/// A link; its name is that of the parameter which holds its network.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkSpec {
    /// The network parameter.
    pub subnet: String,
    /// The roles of the routers on it.
    pub nodes: Vec<String>,
    /// The kinds of interface to choose from: `GigabitEthernet`, `FastEthernet`, `Ethernet`, `Serial`.
    pub media: Vec<String>,
    /// How the topology section calls it, e.g. `customer LAN`.
    pub label: Option<String>,
}

/// A hidden test.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestSpec {
    /// What the test is about; tests with the same intent form one scoring group.
    pub intent: String,
    /// The role of the router on which the command runs.
    pub device: String,
    /// A show, ping or traceroute command.
    pub command: String,
    /// The link that is cut first, on a copy of the network: the test is about what happens then.
    pub down: Option<String>,
    /// What its records must say.
    pub expect: Expectation,
    /// True from the start, and must stay so.
    #[serde(default)]
    pub guard: bool,
}

/// A line of the reference that no test depends on, and why it is there all the same.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OptionalSpec {
    /// The role of the router.
    pub node: String,
    /// The line, as rendered from this text.
    pub line: String,
    /// Why.
    pub reason: String,
}

/// A plausible wrong solution: the reference with edits, or with other texts on some routers.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrongSpec {
    /// What was done wrong.
    pub mistake: String,
    /// The intent of the scoring group that must fail.
    pub caught_by: String,
    /// By role: texts of the reference, and what stands there instead, at every place.
    #[serde(default)]
    pub edit: BTreeMap<String, Vec<[String; 2]>>,
    /// By role: everything that is entered there.
    #[serde(default)]
    pub instead: BTreeMap<String, String>,
}

impl WrongSpec {
    /// What is entered, by role.
    ///
    /// # Errors
    /// An edit that finds nothing in the reference.
    pub fn configs(&self, reference: &BTreeMap<String, String>) -> Result<BTreeMap<String, String>, String> {
        let mut configs = reference.clone();
        for (role, edits) in &self.edit {
            let text =
                configs.get_mut(role).ok_or_else(|| format!("the reference enters nothing on `{role}`"))?;
            for [from, to] in edits {
                if from.is_empty() || !text.contains(from.as_str()) {
                    return Err(format!("the reference of `{role}` has no `{from}`"));
                }
                *text = text.replace(from.as_str(), to);
            }
        }
        configs.extend(self.instead.clone());
        Ok(configs)
    }
}
