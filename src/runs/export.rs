//! Episodes as training data.
//!
//! | form | a line |
//! |---|---|
//! | `sft` | `messages` in chat format (and `tools`), of episodes that were judged right |
//! | `preference` | `prompt`, `chosen`, `rejected`: two episodes of one instance with different scores |
//! | `rewards` | `messages`, and a reward for each turn: the change in the share of groups that held after it |

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;
use std::str::FromStr;

use serde_json::{Value, json};

use super::directory::{RunError, each_episode, read_plan};
use crate::agent::protocol::message::{Message, Role};
use crate::agent::protocol::{Scaffold, tools};
use crate::episode::record::Episode;
use crate::scores::metrics::Completion;

/// What is exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Conversations to imitate.
    Sft,
    /// Pairs of a better and a worse conversation.
    Preference,
    /// Conversations with a reward for each turn.
    Rewards,
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "sft" => Ok(Self::Sft),
            "preference" => Ok(Self::Preference),
            "rewards" => Ok(Self::Rewards),
            _ => Err(format!("there is no form `{text}`; there are sft, preference, rewards")),
        }
    }
}

/// Which episodes are exported.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// The least score.
    pub least_score: f64,
    /// Also episodes that were not submitted.
    pub unsubmitted: bool,
    /// The most turns.
    pub most_turns: Option<usize>,
    /// Only episodes without a null turn and without anything rejected.
    pub clean: bool,
}

impl Form {
    /// What is taken unless something else is asked for: what is to be imitated must be right, what bears rewards may be anything.
    #[must_use]
    pub const fn filter(self) -> Filter {
        let any = matches!(self, Self::Rewards);
        Filter { least_score: if any { 0.0 } else { 1.0 }, unsubmitted: any, most_turns: None, clean: false }
    }
}

impl Filter {
    /// Whether an episode is exported.
    #[must_use]
    pub fn takes(&self, episode: &Episode) -> bool {
        let conduct = &episode.metrics.conduct;
        episode.score >= self.least_score
            && (self.unsubmitted || !matches!(episode.completion, Completion::Limit | Completion::EarlySub))
            && self.most_turns.is_none_or(|most| episode.turns <= most)
            && (!self.clean || conduct.null_turns + conduct.rejected_actions == 0)
    }
}

/// What came of an export.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exported {
    /// Episodes read.
    pub read: usize,
    /// Episodes whose hash is not that of their trajectory: they were changed, and are left out.
    pub damaged: usize,
    /// Lines written.
    pub written: usize,
}

impl fmt::Display for Exported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} lines from {} episodes", self.written, self.read)?;
        if self.damaged > 0 { write!(f, "; {} with a wrong hash left out", self.damaged) } else { Ok(()) }
    }
}

/// Exports runs.
///
/// # Errors
/// A run cannot be read, or the output not written.
pub fn export(
    runs: &[PathBuf],
    form: Form,
    filter: Filter,
    out: &mut dyn Write,
) -> Result<Exported, RunError> {
    let mut done = Exported::default();
    let mut best_and_worst: BTreeMap<String, (Kept, Kept)> = BTreeMap::new();
    let write = |line: &Value, out: &mut dyn Write| {
        writeln!(out, "{line}").map_err(|error: io::Error| RunError::Output(error))
    };
    for run in runs {
        let scaffold = read_plan(run)?.scaffold;
        each_episode(run, |episode| {
            done.read += 1;
            if episode.trajectory_hash() != episode.hash {
                done.damaged += 1;
                return Ok(());
            }
            let line = match form {
                Form::Sft if filter.takes(&episode) => conversation(&episode, scaffold),
                Form::Rewards if filter.takes(&episode) => rewarded(&episode, scaffold),
                Form::Preference => {
                    keep(&mut best_and_worst, episode, &filter);
                    return Ok(());
                }
                _ => return Ok(()),
            };
            done.written += 1;
            write(&line, out)
        })?;
    }
    for (instance, (best, worst)) in &best_and_worst {
        if let Some(line) = preference(instance, best, worst) {
            done.written += 1;
            write(&line, out)?;
        }
    }
    Ok(done)
}

/// Of an episode what a pair needs.
#[derive(Clone, Debug)]
struct Kept {
    score: f64,
    turns: usize,
    chosen: bool,
    agent: String,
    messages: Vec<Message>,
}

/// Keeps the best episode of an instance that may be chosen, and the worst.
fn keep(all: &mut BTreeMap<String, (Kept, Kept)>, episode: Episode, filter: &Filter) {
    let kept = Kept {
        score: episode.score,
        turns: episode.turns,
        chosen: filter.takes(&episode),
        agent: episode.agent,
        messages: episode.messages,
    };
    // Of equally good ones the shorter is better.
    let rank = |kept: &Kept| (kept.chosen, kept.score, std::cmp::Reverse(kept.turns));
    match all.get_mut(&episode.instance) {
        None => {
            all.insert(episode.instance, (kept.clone(), kept));
        }
        Some((best, worst)) => {
            if rank(&kept) > rank(best) {
                *best = kept.clone();
            }
            if kept.score < worst.score {
                *worst = kept;
            }
        }
    }
}

/// A pair, if one may be chosen and the other is worse, and both were asked the same.
fn preference(instance: &str, best: &Kept, worst: &Kept) -> Option<Value> {
    let prompt = best.messages.get(..2)?;
    let same = worst.messages.get(..2)? == prompt;
    (best.chosen && best.score > worst.score && same).then(|| {
        json!({
            "instance": instance,
            "prompt": prompt,
            "chosen": best.messages.get(2..),
            "rejected": worst.messages.get(2..),
            "score_chosen": best.score,
            "score_rejected": worst.score,
            "agent_chosen": best.agent,
            "agent_rejected": worst.agent,
        })
    })
}

fn conversation(episode: &Episode, scaffold: Scaffold) -> Value {
    let mut line = json!({
        "messages": episode.messages,
        "instance": episode.instance,
        "agent": episode.agent,
        "score": episode.score,
        "turns": episode.turns,
    });
    if scaffold == Scaffold::Tools {
        line["tools"] = tools::definitions();
    }
    line
}

/// Adds what each turn of the assistant was worth. Where the network was not judged after every turn, the whole score comes
/// with the last one.
fn rewarded(episode: &Episode, scaffold: Scaffold) -> Value {
    let mut line = conversation(episode, scaffold);
    let turns = episode.messages.iter().filter(|message| message.role == Role::Assistant).count();
    line["rewards"] = json!(rewards(episode, turns));
    line
}

#[expect(clippy::cast_precision_loss, reason = "numbers of groups")]
fn rewards(episode: &Episode, turns: usize) -> Vec<f64> {
    let share =
        |groups: &[bool]| groups.iter().filter(|held| **held).count() as f64 / groups.len().max(1) as f64;
    let mut rewards = vec![0.0; turns];
    let mut last = episode.groups_at_start.as_deref().map_or(0.0, share);
    for (reward, step) in rewards.iter_mut().zip(&episode.steps) {
        if let Some(groups) = &step.groups {
            *reward = share(groups) - last;
            last = share(groups);
        }
    }
    // What is left: all of it without dense judgement, else what happened after the last turn.
    if let Some(reward) = rewards.last_mut() {
        *reward += episode.score - last;
    }
    rewards
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use tempfile::tempdir;

    use super::*;
    use crate::agent::action::{Action, ByHost};
    use crate::agent::builtin::Actions;
    use crate::backend::scripted::Scripted;
    use crate::episode::Settings;
    use crate::instance::sample::two_routers;
    use crate::runs::directory::{EPISODES, RunDirectory};
    use crate::runs::runner::Job;

    /// Runs an agent that enters these texts on `R1`, and submits if asked to.
    fn run(path: &Path, texts: &[&str], submit: bool) -> PathBuf {
        let apply = |text: &&str| Action::ApplyConfig(ByHost::from([("R1".to_owned(), (*text).to_owned())]));
        let mut actions: Vec<Action> = texts.iter().map(apply).collect();
        actions.extend(submit.then_some(Action::Submit));
        let factory = Actions { name: format!("enters {}", texts.join(", ")), actions };
        let instances = vec![two_routers()];
        let job = Job {
            factory: &factory,
            backend: &Scripted,
            settings: Settings { dense: true, ..Settings::default() },
            instances: &instances,
            repeats: 1,
            shard: None,
            workers: 1,
            attempts: 1,
        };
        job.run(&mut RunDirectory::open(path, &job.plan().unwrap()).unwrap(), &()).unwrap();
        path.to_owned()
    }

    fn lines(runs: &[PathBuf], form: Form, filter: Filter) -> (Exported, Vec<Value>) {
        let mut out = Vec::new();
        let exported = export(runs, form, filter, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        (exported, text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    #[test]
    fn only_what_was_judged_right_and_is_unchanged_is_there_to_imitate() {
        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let runs = [
            run(&path("right"), &["bad", "solved"], true),
            run(&path("wrong"), &["x"], true),
            run(&path("open"), &["solved"], false),
            run(&path("forged"), &["solved"], true),
        ];
        let episodes = path("forged").join(EPISODES);
        let forged = fs::read_to_string(&episodes).unwrap().replace("Two routers.", "Three routers.");
        fs::write(&episodes, forged).unwrap();
        let (exported, found) = lines(&runs, Form::Sft, Form::Sft.filter());
        assert_eq!(exported, Exported { read: 4, damaged: 1, written: 1 });
        assert_eq!(exported.to_string(), "1 lines from 4 episodes; 1 with a wrong hash left out");
        assert_eq!(found[0]["agent"], "enters bad, solved");
        let roles: Vec<&str> =
            found[0]["messages"].as_array().unwrap().iter().map(|m| m["role"].as_str().unwrap()).collect();
        assert_eq!(roles, ["system", "user", "assistant", "user", "assistant", "user", "assistant", "user"]);
        let agents = |filter| {
            let (_, found) = lines(&runs, Form::Sft, filter);
            found.iter().map(|line| line["agent"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let usual = Form::Sft.filter();
        assert_eq!(agents(Filter { unsubmitted: true, ..usual }), ["enters bad, solved", "enters solved"]);
        assert_eq!(agents(Filter { least_score: 0.5, ..usual }), ["enters bad, solved", "enters x"]);
        assert_eq!(agents(Filter { clean: true, unsubmitted: true, ..usual }), ["enters solved"]);
        assert_eq!(agents(Filter { most_turns: Some(2), ..usual }), [""; 0]);
    }

    #[test]
    fn a_pair_is_the_shortest_right_and_the_worst_conversation_on_one_task() {
        let folder = tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let runs = [
            run(&path("long"), &["x", "solved"], true),
            run(&path("wrong"), &["x"], true),
            run(&path("short"), &["solved"], true),
        ];
        let (_, found) = lines(&runs, Form::Preference, Form::Preference.filter());
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&found[0]["agent_chosen"], &found[0]["agent_rejected"]),
            (&json!("enters solved"), &json!("enters x"))
        );
        assert_eq!((&found[0]["score_chosen"], &found[0]["score_rejected"]), (&json!(1.0), &json!(0.5)));
        assert_eq!(found[0]["prompt"].as_array().unwrap().len(), 2);
        assert_eq!(found[0]["chosen"].as_array().unwrap().len(), 4);
        // Two that are equally good make no pair.
        let (exported, _) =
            lines(&[path("long"), path("short")], Form::Preference, Form::Preference.filter());
        assert_eq!(exported.written, 0);
    }

    #[test]
    fn each_turn_is_worth_the_groups_that_it_brings_and_all_of_them_the_score() {
        let folder = tempdir().unwrap();
        let path = run(&folder.path().join("run"), &["x", "solved", "no solved", "solved"], true);
        let (_, found) = lines(&[path], Form::Rewards, Form::Rewards.filter());
        assert_eq!(
            found[0]["rewards"],
            json!([0.0, 0.5, -0.5, 0.5, 0.0]),
            "half of the groups held from the start"
        );
        let mut episode: Episode = Episode { groups_at_start: None, ..sample(&folder.path().join("run")) };
        assert_eq!(rewards(&episode, 5).iter().sum::<f64>(), 1.0);
        episode.steps.iter_mut().for_each(|step| step.groups = None);
        assert_eq!(rewards(&episode, 5), [0.0, 0.0, 0.0, 0.0, 1.0], "without dense judgement");
    }

    fn sample(run: &Path) -> Episode {
        crate::runs::directory::find_episode(run, &"test/lines@0".parse().unwrap()).unwrap()
    }
}
