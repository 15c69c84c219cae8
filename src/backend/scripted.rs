//! Routers that only keep lines: enough to test environments, episodes and runs without protocols.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use serde_json::{Value, json};

use super::{Applied, Backend, BackendError, Deployment, Executed};
use crate::instance::Instance;

/// Keeps lines by router. A line that starts with `bad` is rejected, and `no LINE` removes one; `show lines` prints what was entered, `show time` the
/// seconds that have passed; the router `fails` cannot be reached.
#[derive(Clone, Debug, Default)]
pub struct Scripted;

#[derive(Clone, Debug)]
struct Routers {
    lines: BTreeMap<String, Vec<String>>,
    elapsed: Duration,
}

impl Backend for Scripted {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn deploy(&self, instance: &Instance) -> Result<Box<dyn Deployment>, BackendError> {
        let mut lines = BTreeMap::new();
        for node in &instance.nodes {
            let startup = instance.startup.get(&node.name).map_or("", String::as_str);
            lines.insert(node.name.clone(), startup.lines().map(str::to_owned).collect());
        }
        Ok(Box::new(Routers { lines, elapsed: Duration::ZERO }))
    }
}

impl Routers {
    fn of(&mut self, host: &str) -> Result<&mut Vec<String>, BackendError> {
        if host == "fails" {
            return Err(BackendError::Connection("connection lost".to_owned()));
        }
        let known = self.lines.keys().cloned().collect();
        self.lines.get_mut(host).ok_or(BackendError::UnknownHost { host: host.to_owned(), known })
    }
}

impl Deployment for Routers {
    fn running_config(&mut self, host: &str) -> Result<String, BackendError> {
        self.of(host).map(|lines| lines.join("\n"))
    }

    fn apply(&mut self, host: &str, lines: &str) -> Result<Applied, BackendError> {
        let kept = self.of(host)?;
        let mut applied = Applied::default();
        for line in lines.lines() {
            applied.transcript.push_str(&format!("{host}(config)#{line}\n"));
            if line.starts_with("bad") {
                applied.transcript.push_str("% Invalid\n");
                applied.rejected += 1;
            } else if let Some(removed) = line.strip_prefix("no ") {
                kept.retain(|k| k != removed);
            } else if !kept.iter().any(|k| k == line) {
                kept.push(line.to_owned());
            }
        }
        applied.transcript.push_str(&format!("{host}(config)#end"));
        Ok(applied)
    }

    fn execute(&mut self, host: &str, command: &str) -> Result<Executed, BackendError> {
        let elapsed = self.elapsed;
        let lines = self.of(host)?;
        Ok(match command {
            "show lines" => Executed::Output(lines.join("\n")),
            "show time" => Executed::Output(elapsed.as_secs().to_string()),
            _ => Executed::Refused(format!("% refused: {command}")),
        })
    }

    fn query(&mut self, host: &str, command: &str) -> Result<Result<Value, String>, BackendError> {
        Ok(match self.execute(host, command)? {
            Executed::Output(text) => Ok(text.lines().map(|line| json!({"text": line})).collect()),
            Executed::Refused(reason) => Err(reason),
        })
    }

    fn wait(&mut self, span: Duration) -> Result<(), BackendError> {
        self.elapsed += span;
        Ok(())
    }

    fn settle(&mut self) -> Result<bool, BackendError> {
        Ok(true)
    }

    fn cut(&mut self, link: &str) -> Result<(), BackendError> {
        self.lines.values_mut().for_each(|lines| lines.push(format!("{link} is cut")));
        Ok(())
    }

    fn facts(&mut self) -> Result<BTreeSet<String>, BackendError> {
        let all =
            self.lines.iter().flat_map(|(host, lines)| lines.iter().map(move |l| format!("{host}: {l}")));
        Ok(all.collect())
    }

    fn elapsed(&self) -> Duration {
        self.elapsed
    }

    fn fork(&self) -> Option<Box<dyn Deployment>> {
        Some(Box::new(self.clone()))
    }
}
