//! Agents that do nothing useful: every task must fail them.

use serde_json::Value;

use super::Recital;
use crate::agent::action::{Action, ByHost};
use crate::agent::protocol::message::Message;
use crate::agent::protocol::text::OBSERVATION;
use crate::agent::{Agent, AgentError, AgentFactory, Move, Task};
use crate::instance::Instance;

/// Which of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Useless {
    /// Waits until the turns are over.
    Noop,
    /// Submits at once.
    Hasty,
    /// Reads and shows, then submits.
    Onlooker,
    /// Removes everything that is configured, then submits.
    Eraser,
    /// Enters generic lines everywhere, turn after turn, then submits.
    Spammer,
}

impl Useless {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Noop, Self::Hasty, Self::Onlooker, Self::Eraser, Self::Spammer];

    /// The word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Noop => "noop",
            Self::Hasty => "hasty",
            Self::Onlooker => "onlooker",
            Self::Eraser => "eraser",
            Self::Spammer => "spammer",
        }
    }
}

/// Seconds that `noop` waits in a turn.
const PATIENCE: u64 = 60;
/// Turns of the spammer.
const SPAM_TURNS: usize = 5;
/// What the spammer enters: lines that some task wants in a more precise form.
const SPAM: &str = "ip routing\nip cef\nrouter ospf 1\nlog-adjacency-changes\nexit\nrouter rip\nversion 2\nexit\n\
                    interface Loopback99\nno shutdown\nexit\nno ip http server\nline vty 0 4\nlogin";
/// What the onlooker runs.
const LOOKS: &str = "show ip interface brief\nshow ip route\nshow running-config";

fn on_all(instance: &Instance, text: &str) -> ByHost {
    instance.nodes.iter().map(|node| (node.name.clone(), text.to_owned())).collect()
}

impl AgentFactory for Useless {
    fn name(&self) -> String {
        self.word().to_owned()
    }

    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let read = Action::GetRunningConfig(Vec::new());
        let actions = match self {
            Self::Noop => vec![Action::Wait(PATIENCE); task.limits.turns],
            Self::Hasty => vec![Action::Submit],
            Self::Onlooker => {
                vec![read, Action::ExecuteValidation(on_all(task.instance, LOOKS)), Action::Submit]
            }
            Self::Eraser => return Ok(Box::new(Eraser { turn: 0 })),
            Self::Spammer => {
                let mut actions = vec![Action::ApplyConfig(on_all(task.instance, SPAM)); SPAM_TURNS];
                actions.push(Action::Submit);
                actions
            }
        };
        Ok(Box::new(Recital::of(&actions)))
    }
}

/// Reads the configurations, enters the opposite of every line, and submits.
#[derive(Clone, Copy, Debug)]
struct Eraser {
    turn: usize,
}

impl Agent for Eraser {
    fn next(&mut self, messages: &[Message]) -> Result<Move, AgentError> {
        self.turn += 1;
        let action = match self.turn {
            1 => Action::GetRunningConfig(Vec::new()),
            2 => {
                let seen = messages.last().map_or("", |m| m.content.as_str());
                let seen = seen.strip_prefix(OBSERVATION).unwrap_or(seen);
                let configs: Value = serde_json::from_str(seen).unwrap_or_default();
                let texts = configs.as_object().into_iter().flatten().filter_map(|(host, config)| {
                    let opposite = opposite(config.as_str()?);
                    (!opposite.is_empty()).then(|| (host.clone(), opposite))
                });
                Action::ApplyConfig(texts.collect())
            }
            _ => Action::Submit,
        };
        Ok(Move::Reply((&action).into()))
    }
}

/// Lines that remove what a configuration holds.
fn opposite(config: &str) -> String {
    let keep = ["Building", "Current", "!", "end", "hostname", "version", "boot-", "service"];
    let removed = config.lines().map(str::trim_end).filter(|line| {
        !line.is_empty() && !line.starts_with(' ') && !keep.iter().any(|start| line.starts_with(start))
    });
    let lines: Vec<String> = removed
        .map(|line| match (line.strip_prefix("interface "), line.strip_prefix("no ")) {
            (Some(interface), _) => format!("default interface {interface}"),
            (None, Some(positive)) => positive.to_owned(),
            (None, None) => format!("no {line}"),
        })
        .collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opposite_of_a_configuration_removes_its_sections() {
        let config = "Building configuration...\n!\nhostname R1\n!\ninterface Loopback0\n ip address 10.0.0.1 \
                      255.255.255.255\n!\nrouter ospf 1\n network 10.0.0.0 0.255.255.255 area 0\nno ip http server\nend\n";
        assert_eq!(opposite(config), "default interface Loopback0\nno router ospf 1\nip http server");
    }
}
