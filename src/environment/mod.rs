//! The environment of an agent: an action in, an observation in JSON out.
//!
//! | module | what it holds |
//! |---|---|
//! | [`guard`] | configurations tried on a copy of the network first |
//!
//! What an agent asks is bounded before it reaches a router: the number of lines and commands, the length of a wait, the size of
//! an observation.

pub mod guard;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use similar::TextDiff;

use self::guard::Guard;
use crate::agent::action::{Action, ByHost};
use crate::agent::protocol::Scaffold;
use crate::backend::{BackendError, Deployment, Executed};
use crate::instance::Instance;

/// What an agent may do, and what it costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Turns of an episode.
    pub turns: usize,
    /// Network seconds that each turn takes besides what `wait` asks.
    pub turn_seconds: u64,
    /// The longest `wait`, in seconds.
    pub longest_wait: u64,
    /// Configuration lines of one action.
    pub config_lines: usize,
    /// Commands of one action.
    pub commands: usize,
    /// Bytes of the text of one router in an observation.
    pub observation_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            turns: 20,
            turn_seconds: 5,
            longest_wait: 3600,
            config_lines: 2000,
            commands: 50,
            observation_bytes: 64 * 1024,
        }
    }
}

impl Limits {
    /// The system prompt that tells these limits.
    #[must_use]
    pub fn system_prompt(&self, scaffold: Scaffold) -> String {
        scaffold.system_prompt(self.turns, self.turn_seconds)
    }
}

/// What an agent sees of its action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// What it sees.
    pub content: Value,
    /// Whether a router or the environment rejected a part of the action.
    pub rejected: bool,
    /// In guard mode, what worked before the action and not after it.
    pub lost: Option<Vec<String>>,
    /// What the action changed in each running configuration, as a unified diff. The agent does not see it.
    pub diff: ByHost,
}

impl Observation {
    fn error(text: impl Into<String>) -> Self {
        Self::new(json!({"error": text.into()}), true)
    }

    const fn new(content: Value, rejected: bool) -> Self {
        Self { content, rejected, lost: None, diff: ByHost::new() }
    }
}

/// The network of an episode behind the five actions.
pub struct Environment {
    deployment: Box<dyn Deployment>,
    hosts: Vec<String>,
    limits: Limits,
    guard: Option<Guard>,
}

impl Environment {
    /// An environment over the deployed network of an instance.
    #[must_use]
    pub fn new(
        instance: &Instance,
        deployment: Box<dyn Deployment>,
        limits: Limits,
        guard: Option<Guard>,
    ) -> Self {
        let mut hosts: Vec<String> = instance.nodes.iter().map(|n| n.name.clone()).collect();
        hosts.sort_unstable();
        Self { deployment, hosts, limits, guard }
    }

    /// The network.
    pub fn deployment(&mut self) -> &mut dyn Deployment {
        self.deployment.as_mut()
    }

    /// All running configurations, as JSON by host.
    ///
    /// # Errors
    /// The network cannot be reached.
    pub fn configs(&mut self) -> Result<Value, BackendError> {
        self.running_configs(&[]).map(|observation| observation.content)
    }

    /// Carries out a turn. A turn without a valid action gives its feedback, and takes its time all the same.
    ///
    /// # Errors
    /// The network cannot be reached.
    pub fn step(&mut self, action: Result<&Action, &str>) -> Result<Observation, BackendError> {
        let observation = match action {
            Err(feedback) => Observation::error(feedback),
            Ok(Action::GetRunningConfig(hosts)) => self.running_configs(hosts)?,
            Ok(Action::ApplyConfig(texts)) => self.apply_guarded(texts)?,
            Ok(Action::ExecuteValidation(texts)) => self.execute(texts)?,
            Ok(Action::Wait(seconds)) => self.wait(*seconds)?,
            Ok(Action::Submit) => {
                return Ok(Observation::new(json!({"status": "submitted"}), false));
            }
        };
        self.deployment.wait(Duration::from_secs(self.limits.turn_seconds))?;
        Ok(observation)
    }

    fn wait(&mut self, seconds: u64) -> Result<Observation, BackendError> {
        if seconds > self.limits.longest_wait {
            return Ok(Observation::error(format!("wait: at most {} seconds", self.limits.longest_wait)));
        }
        self.deployment.wait(Duration::from_secs(seconds))?;
        Ok(Observation::new(json!({"status": format!("{seconds} seconds elapsed")}), false))
    }

    fn running_configs(&mut self, hosts: &[String]) -> Result<Observation, BackendError> {
        let mut content = Map::new();
        let mut rejected = false;
        let all = self.hosts.clone();
        for host in if hosts.is_empty() { &all } else { hosts } {
            let text = match self.unknown(host) {
                Some(error) => {
                    rejected = true;
                    error
                }
                None => self.deployment.running_config(host)?,
            };
            content.insert(host.clone(), self.cut(text));
        }
        Ok(Observation::new(Value::Object(content), rejected))
    }

    /// Enters lines, unless they break what works and that is to be refused.
    fn apply_guarded(&mut self, texts: &ByHost) -> Result<Observation, BackendError> {
        let Some(guard) = self.guard.filter(|_| self.fits(texts)) else {
            return self.apply(texts);
        };
        let lost = guard::losses(self.deployment.as_ref(), texts, |host| self.unknown(host).is_none())?;
        let mut observation = match guard {
            Guard::Refuse if !lost.is_empty() => Observation::new(json!({}), true),
            Guard::Refuse | Guard::Warn => self.apply(texts)?,
        };
        if let (false, Some(content)) = (lost.is_empty(), observation.content.as_object_mut()) {
            content.insert("guard".to_owned(), self.cut(guard::told(&lost, guard)));
        }
        observation.lost = Some(lost);
        Ok(observation)
    }

    /// Whether these are not too many lines.
    fn fits(&self, texts: &ByHost) -> bool {
        count_lines(texts) <= self.limits.config_lines
    }

    fn apply(&mut self, texts: &ByHost) -> Result<Observation, BackendError> {
        if !self.fits(texts) {
            let lines = count_lines(texts);
            let most = self.limits.config_lines;
            return Ok(Observation::error(format!(
                "{lines} lines; at most {most} in one action; none was entered"
            )));
        }
        let mut content = Map::new();
        let mut rejected = false;
        let mut diff = ByHost::new();
        for (host, text) in texts {
            let transcript = match self.unknown(host) {
                Some(error) => {
                    rejected = true;
                    error
                }
                None => {
                    let before = self.deployment.running_config(host)?;
                    let applied = self.deployment.apply(host, text)?;
                    rejected |= applied.rejected > 0;
                    let after = self.deployment.running_config(host)?;
                    if before != after {
                        diff.insert(host.clone(), unified_diff(&before, &after));
                    }
                    applied.transcript
                }
            };
            content.insert(host.clone(), self.cut(transcript));
        }
        Ok(Observation { diff, ..Observation::new(Value::Object(content), rejected) })
    }

    fn execute(&mut self, texts: &ByHost) -> Result<Observation, BackendError> {
        let commands = |text: &str| text.lines().filter(|l| !l.trim().is_empty()).count();
        let count = texts.values().map(|text| commands(text)).sum::<usize>();
        if count > self.limits.commands {
            let most = self.limits.commands;
            return Ok(Observation::error(format!(
                "{count} commands; at most {most} in one action; none was run"
            )));
        }
        let mut content = Map::new();
        let mut rejected = false;
        for (host, text) in texts {
            let mut said = String::new();
            if let Some(error) = self.unknown(host) {
                rejected = true;
                said = error;
            } else {
                for command in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    said.push_str(&format!("{host}#{command}\n"));
                    let output = match self.deployment.execute(host, command)? {
                        Executed::Output(text) => text,
                        Executed::Refused(text) => {
                            rejected = true;
                            text
                        }
                    };
                    said.push_str(&output);
                    if !said.ends_with('\n') {
                        said.push('\n');
                    }
                }
            }
            content.insert(host.clone(), self.cut(said));
        }
        Ok(Observation::new(Value::Object(content), rejected))
    }

    /// What to say if there is no such router.
    fn unknown(&self, host: &str) -> Option<String> {
        let known = self.hosts.iter().any(|h| h == host);
        (!known)
            .then(|| format!("error: there is no router with this name; there are {}", self.hosts.join(", ")))
    }

    /// A text of bounded length.
    fn cut(&self, mut text: String) -> Value {
        let most = self.limits.observation_bytes;
        if text.len() > most {
            let end = (0..=most).rev().find(|&at| text.is_char_boundary(at)).unwrap_or_default();
            let left_out = text.len() - end;
            text.truncate(end);
            text.push_str(&format!("\n[{left_out} more bytes are not shown]"));
        }
        Value::String(text)
    }
}

/// What changed from one text to another, with a line around it.
fn unified_diff(before: &str, after: &str) -> String {
    // A last line with and without its end is the same line.
    let (before, after) = (format!("{}\n", before.trim_end()), format!("{}\n", after.trim_end()));
    TextDiff::from_lines(&before, &after).unified_diff().context_radius(1).to_string()
}

fn count_lines(texts: &ByHost) -> usize {
    texts.values().map(|text| text.lines().count()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::Backend;
    use crate::backend::scripted::Scripted;
    use crate::instance::sample::two_routers;

    fn environment(limits: Limits) -> Environment {
        let instance = two_routers();
        Environment::new(&instance, Scripted.deploy(&instance).unwrap(), limits, None)
    }

    fn texts(pairs: &[(&str, &str)]) -> ByHost {
        pairs.iter().map(|(h, t)| ((*h).to_owned(), (*t).to_owned())).collect()
    }

    fn step(environment: &mut Environment, action: &Action) -> Observation {
        environment.step(Ok(action)).unwrap()
    }

    #[test]
    fn configurations_come_by_host_and_an_empty_list_means_all() {
        let mut environment = environment(Limits::default());
        let all = step(&mut environment, &Action::GetRunningConfig(vec![]));
        assert_eq!(all.content, json!({"R1": "hostname R1", "R2": "hostname R2\nip cef"}));
        assert!(!all.rejected);
        let one = step(&mut environment, &Action::GetRunningConfig(vec!["R9".to_owned()]));
        assert!(one.rejected && one.content["R9"].as_str().unwrap().contains("there are R1, R2"));
    }

    #[test]
    fn one_apply_reaches_many_hosts_and_what_is_rejected_does_not_stop_the_rest() {
        let mut environment = environment(Limits::default());
        let apply = Action::ApplyConfig(texts(&[("R1", "bad\ngood"), ("R2", "fine"), ("R9", "x")]));
        let seen = step(&mut environment, &apply);
        assert!(seen.rejected);
        assert_eq!(seen.content["R1"], "R1(config)#bad\n% Invalid\nR1(config)#good\nR1(config)#end");
        assert_eq!(seen.diff["R1"], "@@ -1 +1,2 @@\n hostname R1\n+good\n");
        assert_eq!(seen.diff.keys().collect::<Vec<_>>(), ["R1", "R2"]);
        let lines = Action::ExecuteValidation(texts(&[("R1", "show lines"), ("R2", "show lines")]));
        let seen = step(&mut environment, &lines);
        assert_eq!(seen.content["R1"], "R1#show lines\nhostname R1\ngood\n");
        assert_eq!(seen.content["R2"], "R2#show lines\nhostname R2\nip cef\nfine\n");
        assert!(!seen.rejected);
    }

    #[test]
    fn a_turn_takes_its_seconds_besides_what_wait_asks_even_without_an_action() {
        let mut environment = environment(Limits::default());
        step(&mut environment, &Action::Wait(30));
        let lost = environment.step(Err("no action")).unwrap();
        assert_eq!(lost.content, json!({"error": "no action"}));
        assert_eq!(environment.deployment().elapsed(), Duration::from_secs(40));
        let waited = step(&mut environment, &Action::Wait(1));
        assert_eq!(waited.content, json!({"status": "1 seconds elapsed"}));
        let long = step(&mut environment, &Action::Wait(u64::MAX));
        assert!(long.rejected && long.content["error"].as_str().unwrap().contains("at most 3600"));
    }

    #[test]
    fn what_is_too_much_is_refused_as_a_whole() {
        let limits = Limits { config_lines: 3, commands: 1, observation_bytes: 12, ..Limits::default() };
        let mut environment = environment(limits);
        let seen = step(&mut environment, &Action::ApplyConfig(texts(&[("R1", "a\nb"), ("R2", "c\nd")])));
        assert!(seen.content["error"].as_str().unwrap().contains("4 lines; at most 3"));
        let seen = step(&mut environment, &Action::ExecuteValidation(texts(&[("R1", "a\n\nb")])));
        assert!(seen.content["error"].as_str().unwrap().contains("2 commands; at most 1"));
        let seen = step(&mut environment, &Action::GetRunningConfig(vec!["R1".to_owned()]));
        assert_eq!(seen.content["R1"], "hostname R1", "eleven bytes and nothing of what was refused");
        step(&mut environment, &Action::ApplyConfig(texts(&[("R1", "\u{e4}\u{e4}\u{e4}")])));
        let seen = step(&mut environment, &Action::GetRunningConfig(vec!["R1".to_owned()]));
        assert_eq!(seen.content["R1"], "hostname R1\n\n[6 more bytes are not shown]");
    }

    #[test]
    fn a_lost_connection_is_no_observation() {
        let mut instance = two_routers();
        instance.nodes[1].name = "fails".to_owned();
        let deployment = Scripted.deploy(&instance).unwrap();
        let mut environment = Environment::new(&instance, deployment, Limits::default(), None);
        let error = environment.step(Ok(&Action::GetRunningConfig(vec![]))).unwrap_err();
        assert!(error.may_pass());
    }

    #[test]
    fn a_guard_tells_what_would_be_lost_and_refuses_if_asked() {
        let instance = two_routers();
        let erase = Action::ApplyConfig(texts(&[("R2", "no ip cef"), ("R9", "x")]));
        let add = Action::ApplyConfig(texts(&[("R2", "ip http server")]));
        for guard in [Guard::Warn, Guard::Refuse] {
            let deployment = Scripted.deploy(&instance).unwrap();
            let mut environment = Environment::new(&instance, deployment, Limits::default(), Some(guard));
            let seen = step(&mut environment, &add);
            assert_eq!((seen.lost.as_deref(), seen.content.get("guard")), (Some(&[][..]), None));
            let seen = step(&mut environment, &erase);
            assert_eq!(seen.lost.as_deref(), Some(&["R2: ip cef".to_owned()][..]));
            assert!(seen.content["guard"].as_str().unwrap().ends_with("\nR2: ip cef"));
            assert_eq!(seen.content.get("R2").is_some(), guard == Guard::Warn);
            let configs = environment.configs().unwrap();
            assert_eq!(configs["R2"].as_str().unwrap().contains("ip cef"), guard == Guard::Refuse);
        }
    }
}
