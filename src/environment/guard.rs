//! Guard mode: every `apply_config` is tried on a copy of the network first.
//!
//! What works is a set of facts: which addresses each router reaches, and which adjacencies and sessions it has. A fact that holds
//! before and not after is lost, and the agent is told; or the action is refused, by option.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::agent::action::ByHost;
use crate::backend::{BackendError, Deployment};

/// Facts that an observation lists; of more, only the number is told.
const TOLD: usize = 20;

/// What happens when an action breaks what worked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Guard {
    /// It is carried out, and the agent is told.
    Warn,
    /// It is not carried out, and the agent is told.
    Refuse,
}

impl FromStr for Guard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "warn" => Ok(Self::Warn),
            "refuse" => Ok(Self::Refuse),
            _ => Err(format!("there is no guard `{text}`; there are warn, refuse")),
        }
    }
}

impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Warn => "warn",
            Self::Refuse => "refuse",
        })
    }
}

/// What would be lost if these lines were entered, on copies of the network that have come to rest.
///
/// # Errors
/// The network cannot be copied or reached.
pub fn losses(
    deployment: &dyn Deployment,
    texts: &ByHost,
    is_host: impl Fn(&str) -> bool,
) -> Result<Vec<String>, BackendError> {
    let fork = || deployment.fork().ok_or(BackendError::NoFork);
    let mut before = fork()?;
    before.settle()?;
    let before: BTreeSet<String> = before.facts()?;
    let mut after = fork()?;
    for (host, lines) in texts.iter().filter(|(host, _)| is_host(host)) {
        after.apply(host, lines)?;
    }
    after.settle()?;
    let after = after.facts()?;
    Ok(before.difference(&after).cloned().collect())
}

/// What an agent is told of losses.
#[must_use]
pub fn told(lost: &[String], guard: Guard) -> String {
    let mut text = match guard {
        Guard::Warn => "The change was entered, and what follows worked before and will not work any more:",
        Guard::Refuse => {
            "The change was not entered, since what follows works now and would not work any more:"
        }
    }
    .to_owned();
    for fact in lost.iter().take(TOLD) {
        text.push_str(&format!("\n{fact}"));
    }
    if lost.len() > TOLD {
        text.push_str(&format!("\nand {} more", lost.len() - TOLD));
    }
    text
}
