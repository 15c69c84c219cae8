//! An agent that acts at random: words of the command line on hosts that exist or not, and texts that are no actions.

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::agent::action::{Action, ByHost};
use crate::agent::protocol::message::Message;
use crate::agent::protocol::text;
use crate::agent::{Agent, AgentError, AgentFactory, Move, Task};

/// Makes random agents; the same episode always gets the same one.
#[derive(Clone, Copy, Debug)]
pub struct Random;

/// What configuration lines are made of.
const WORDS: &[&str] = &[
    "no",
    "default",
    "interface",
    "Loopback0",
    "GigabitEthernet0/0",
    "Serial0/0",
    "ip",
    "address",
    "route",
    "10.0.0.1",
    "255.255.255.0",
    "0.0.0.0",
    "0.0.0.255",
    "router",
    "ospf",
    "rip",
    "bgp",
    "eigrp",
    "1",
    "100",
    "network",
    "area",
    "0",
    "passive-interface",
    "shutdown",
    "cost",
    "priority",
    "neighbor",
    "remote-as",
    "redistribute",
    "connected",
    "static",
    "default-information",
    "originate",
    "exit",
    "end",
    "?",
    "|",
    "Null0",
    "description",
    "hostname",
    "\u{7}",
    "\u{fc}",
];
/// Commands.
const COMMANDS: &[&str] = &[
    "show ip route",
    "show ip interface brief",
    "show running-config",
    "show ip ospf neighbor",
    "ping 10.0.0.1 repeat 2",
    "show version",
    "show interfaces",
    "traceroute 10.0.0.1",
    "configure terminal",
    "reload",
    "show arp | include 10",
];
/// Turns without an action.
const NONSENSE: &[&str] =
    &["", "Thought: hm.", "Action: reboot", "Action: apply_config {", "Action: submit\nAction: submit"];

struct Dice {
    rng: ChaCha8Rng,
    hosts: Vec<String>,
}

impl AgentFactory for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn start(&self, task: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        let key = blake3::hash(format!("random {} {}", task.instance.name, task.repeat).as_bytes());
        let mut hosts: Vec<String> = task.instance.nodes.iter().map(|n| n.name.clone()).collect();
        hosts.push("nowhere".to_owned());
        Ok(Box::new(Dice { rng: ChaCha8Rng::from_seed(*key.as_bytes()), hosts }))
    }
}

impl Dice {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from.choose(&mut self.rng).copied().unwrap_or_default()
    }

    fn host(&mut self) -> String {
        self.hosts.choose(&mut self.rng).cloned().unwrap_or_default()
    }

    fn config(&mut self) -> String {
        let lines = self.rng.random_range(1..8);
        let line = |dice: &mut Self| {
            let words = dice.rng.random_range(1..7);
            (0..words).map(|_| dice.pick(WORDS)).collect::<Vec<_>>().join(" ")
        };
        (0..lines).map(|_| line(self)).collect::<Vec<_>>().join("\n")
    }
}

impl Agent for Dice {
    fn next(&mut self, _: &[Message]) -> Result<Move, AgentError> {
        let said = match self.rng.random_range(0..20) {
            0 => self.pick(NONSENSE).to_owned(),
            1 => text::render(&Action::Submit),
            2 => text::render(&Action::Wait(self.rng.random_range(0..100))),
            3 | 4 => text::render(&Action::GetRunningConfig(vec![self.host()])),
            5..=11 => {
                let texts = ByHost::from([(self.host(), self.config()), (self.host(), self.config())]);
                text::render(&Action::ApplyConfig(texts))
            }
            _ => {
                let command = self.pick(COMMANDS).to_owned();
                text::render(&Action::ExecuteValidation(ByHost::from([(self.host(), command)])))
            }
        };
        Ok(Move::Reply(said.into()))
    }
}
