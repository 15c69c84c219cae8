//! Debugging: what a router logs beside its messages because an operator has asked for it by `debug`.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

/// What can be watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum DebugTopic {
    /// `debug ip ospf hello`.
    OspfHello,
    /// `debug ip ospf adj`.
    OspfAdjacency,
}

/// A `debug` command that is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct DebugOption {
    /// What is watched.
    pub topic: DebugTopic,
    /// The process; `None` is all.
    pub process: Option<u16>,
}

/// The `debug` commands that are in force.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Debugging {
    options: BTreeSet<DebugOption>,
}

impl Debugging {
    /// `debug` or `no debug`.
    pub fn switch(&mut self, option: DebugOption, on: bool) {
        if on {
            self.options.insert(option);
        } else {
            self.options.remove(&option);
        }
    }

    /// `no debug all`.
    pub fn stop(&mut self) {
        self.options.clear();
    }

    /// What is in force, by topic and process.
    pub fn options(&self) -> impl Iterator<Item = DebugOption> {
        self.options.iter().copied()
    }

    /// Whether a topic is watched in a process.
    #[must_use]
    pub fn shows(&self, topic: DebugTopic, process: u16) -> bool {
        let asked = |process| self.options.contains(&DebugOption { topic, process });
        !self.options.is_empty() && (asked(None) || asked(Some(process)))
    }
}
