//! Runs on the scripted backend.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::tempdir;

use super::directory::{EPISODES, ERRORS, RunDirectory, SUMMARY};
use super::instances::{InstanceError, Instances};
use super::runner::{Job, StopError};
use super::*;
use crate::agent::builtin::{Random, Reference};
use crate::agent::protocol::message::Message;
use crate::agent::{Agent, AgentError, AgentFactory, Move, Task};
use crate::backend::scripted::Scripted;
use crate::backend::{Backend, BackendError, Deployment};
use crate::episode::Settings;
use crate::instance::sample::two_routers;
use crate::instance::{Instance, InstanceName};

fn instances() -> Vec<Instance> {
    let instance = |seed| {
        let mut instance = two_routers();
        instance.name.seed = seed;
        instance
    };
    [7, 10, 2, 0].map(instance).to_vec()
}

fn job<'a>(factory: &'a dyn AgentFactory, backend: &'a dyn Backend, instances: &'a dyn Instances) -> Job<'a> {
    let settings = Settings::default();
    Job { factory, backend, settings, instances, repeats: 3, shard: None, workers: 4, attempts: 2 }
}

fn run(job: &Job<'_>, path: &Path) -> Result<Summary, StopError> {
    let mut directory = RunDirectory::open(path, &job.plan()?)?;
    job.run(&mut directory, &())
}

fn hashes(path: &Path) -> Vec<(String, usize, String)> {
    let mut all = Vec::new();
    each_episode(path, |e| {
        all.push((e.instance, e.repeat, e.hash));
        Ok(())
    })
    .unwrap();
    all
}

#[test]
fn a_run_has_every_episode_once_in_the_order_of_the_plan_whatever_the_number_of_workers() {
    let (instances, [one, many]) = (instances(), [tempdir().unwrap(), tempdir().unwrap()]);
    let random = job(&Random, &Scripted, &instances);
    let summary = run(&random, many.path()).unwrap();
    run(&Job { workers: 1, ..random }, one.path()).unwrap();
    let all = hashes(many.path());
    assert_eq!((all.len(), summary.overall.episodes), (12, 12));
    let names: Vec<String> = all.iter().map(|(name, repeat, _)| format!("{name}#{repeat}")).collect();
    assert_eq!(names[..4], ["test/lines@0#0", "test/lines@0#1", "test/lines@0#2", "test/lines@2#0"]);
    assert_eq!(names[11], "test/lines@10#2");
    assert_eq!(all, hashes(one.path()));
    let stored: Summary =
        serde_json::from_str(&fs::read_to_string(many.path().join(SUMMARY)).unwrap()).unwrap();
    assert_eq!(stored, summary);
}

#[test]
fn a_run_cut_off_at_any_byte_goes_on_without_losing_or_repeating_an_episode() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let random = job(&Random, &Scripted, &instances);
    run(&random, folder.path()).unwrap();
    let whole = hashes(folder.path());
    let text = fs::read(folder.path().join(EPISODES)).unwrap();
    for cut in (0..50).map(|n| n * text.len() / 49) {
        fs::write(folder.path().join(EPISODES), &text[..cut]).unwrap();
        let mut directory = RunDirectory::open(folder.path(), &random.plan().unwrap()).unwrap();
        let kept = hashes(folder.path());
        assert_eq!(kept, whole[..kept.len()], "whole lines stay");
        random.run(&mut directory, &()).unwrap();
        assert_eq!(hashes(folder.path()), whole, "cut at {cut}");
    }
}

#[test]
fn a_folder_with_another_run_or_another_writer_is_left_alone() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let reference = job(&Reference, &Scripted, &instances);
    run(&reference, folder.path()).unwrap();
    let before = hashes(folder.path());
    let random = job(&Random, &Scripted, &instances);
    let error = run(&random, folder.path()).unwrap_err().to_string();
    assert!(error.contains("its `agent` is \"reference\", now it is \"random\""), "{error}");
    let error = run(&Job { repeats: 4, ..reference }, folder.path()).unwrap_err().to_string();
    assert!(error.contains("its `repeats` is 3, now it is 4"), "{error}");
    assert_eq!(hashes(folder.path()), before);
    let again = job(&Reference, &Scripted, &instances);
    let _held = RunDirectory::open(folder.path(), &again.plan().unwrap()).unwrap();
    let error = run(&again, folder.path()).unwrap_err().to_string();
    assert!(error.contains("in use by another process"), "{error}");
}

#[test]
fn shards_make_the_whole() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let mut all = Vec::new();
    for part in 1..=3 {
        let path = folder.path().join(part.to_string());
        let shard = format!("{part}/3").parse().ok();
        run(&Job { shard, ..job(&Random, &Scripted, &instances) }, &path).unwrap();
        all.extend(hashes(&path));
    }
    run(&job(&Random, &Scripted, &instances), &folder.path().join("whole")).unwrap();
    all.sort();
    let mut whole = hashes(&folder.path().join("whole"));
    whole.sort();
    assert_eq!(all, whole);
    let parts: Vec<_> = (1..=3).map(|part| folder.path().join(part.to_string())).collect();
    let merged = folder.path().join("merged");
    let summary = merge::merge(&merged, &parts).unwrap();
    assert_eq!((summary.overall.episodes, &summary), (12, &summarise(&merged).unwrap()));
    assert_eq!(hashes(&merged), hashes(&folder.path().join("whole")), "in the order of the plan");
    assert_eq!(merge::merge(&merged, &parts).unwrap(), summary, "twice is once");
    for wrong in ["0/3", "4/3", "1", "1/x", "-1/2"] {
        assert!(wrong.parse::<plan::Shard>().unwrap_err().contains("write e.g. 2/4"), "{wrong}");
    }
}

#[test]
fn only_parts_of_one_run_are_merged_and_what_failed_stays_apart() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    let part = |text: &str| text.parse().ok();
    let random = job(&Random, &Scripted, &instances);
    run(&Job { shard: part("1/2"), ..random }, &path("a")).unwrap();
    let flaky = Flaky(AtomicUsize::new(2));
    let lossy = Job { shard: part("2/2"), workers: 1, ..job(&Random, &flaky, &instances) };
    run(&lossy, &path("b")).unwrap();
    let summary = merge::merge(&path("ab"), &[path("a"), path("b")]).unwrap();
    assert_eq!((summary.overall.episodes, summary.infrastructure_errors), (11, 1));
    let other = Job { shard: part("2/2"), ..job(&Reference, &Scripted, &instances) };
    run(&other, &path("c")).unwrap();
    let error = merge::merge(&path("ac"), &[path("a"), path("c")]).unwrap_err().to_string();
    assert!(error.contains("its `agent` is \"random\", now it is \"reference\""), "{error}");
    // The same episode, played otherwise.
    let text = fs::read_to_string(path("a").join(EPISODES)).unwrap();
    let hash = &hashes(&path("a"))[0].2;
    run(&Job { shard: part("1/2"), ..random }, &path("d")).unwrap();
    fs::write(path("d").join(EPISODES), text.replace(hash, &"0".repeat(64))).unwrap();
    let error = merge::merge(&path("ad"), &[path("a"), path("d")]).unwrap_err().to_string();
    assert!(error.contains("holds another episode test/lines@0"), "{error}");
}

/// Cannot deploy for a number of times.
struct Flaky(AtomicUsize);

impl Backend for Flaky {
    fn name(&self) -> &'static str {
        "scripted"
    }

    fn deploy(&self, instance: &Instance) -> Result<Box<dyn Deployment>, BackendError> {
        let left = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        if left.is_ok() {
            return Err(BackendError::Connection("no route to host".to_owned()));
        }
        Scripted.deploy(instance)
    }
}

#[test]
fn infrastructure_errors_are_retried_counted_and_never_scored() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let flaky = Flaky(AtomicUsize::new(3));
    let one_by_one = Job { workers: 1, ..job(&Reference, &flaky, &instances) };
    let summary = run(&one_by_one, folder.path()).unwrap();
    assert_eq!((summary.overall.episodes, summary.infrastructure_errors), (11, 1));
    assert_eq!(summary.overall.values[&crate::scores::table::Column::PassRate], 1.0);
    let failures = read_failures(folder.path()).unwrap();
    assert_eq!(failures[0].attempts, ["network: no route to host", "network: no route to host"]);
    let mut attempts = Vec::new();
    each_episode(folder.path(), |e| {
        attempts.push(e.failed_attempts.len());
        Ok(())
    })
    .unwrap();
    assert_eq!(attempts[..2], [1, 0], "the second episode needed a second attempt");
    // The next run plays what failed.
    let summary = run(&one_by_one, folder.path()).unwrap();
    assert_eq!((summary.overall.episodes, summary.infrastructure_errors), (12, 0));
    assert!(!folder.path().join(ERRORS).exists());
}

/// Counts how often it makes an instance, and does not make those of one seed.
struct Counted {
    instances: Vec<Instance>,
    made: AtomicUsize,
}

impl Instances for Counted {
    fn names(&self) -> BTreeSet<InstanceName> {
        self.instances.names()
    }

    fn make(&self, name: &InstanceName) -> Result<Cow<'_, Instance>, InstanceError> {
        self.made.fetch_add(1, Ordering::Relaxed);
        if name.seed == 7 { Err(InstanceError::Unknown(name.clone())) } else { self.instances.make(name) }
    }

    fn hashes(&self) -> Result<BTreeMap<String, String>, InstanceError> {
        self.instances.hashes()
    }
}

#[test]
fn an_instance_is_made_when_it_is_played_and_one_that_cannot_be_made_is_named() {
    let folder = tempdir().unwrap();
    let counted = Counted { instances: instances(), made: AtomicUsize::new(0) };
    let job = job(&Reference, &Scripted, &counted);
    job.plan().unwrap();
    assert_eq!(counted.made.load(Ordering::Relaxed), 0, "a plan needs names");
    let summary = run(&job, folder.path()).unwrap();
    assert_eq!(counted.made.load(Ordering::Relaxed), 12, "once for each episode");
    assert_eq!((summary.overall.episodes, summary.infrastructure_errors), (9, 3));
    let failures = read_failures(folder.path()).unwrap();
    assert_eq!(failures[2].key.to_string(), "test/lines@7#2");
    assert_eq!(failures[2].attempts, ["there is no instance test/lines@7"]);
    run(&job, folder.path()).unwrap();
    assert_eq!(counted.made.load(Ordering::Relaxed), 15, "what is there is not made again");
}

/// Cannot be asked, or falls over.
struct Broken {
    panics: bool,
}

impl AgentFactory for Broken {
    fn name(&self) -> String {
        "broken".to_owned()
    }

    fn start(&self, _: Task<'_>) -> Result<Box<dyn Agent>, AgentError> {
        Ok(Box::new(Self { panics: self.panics }))
    }
}

impl Agent for Broken {
    fn next(&mut self, _: &[Message]) -> Result<Move, AgentError> {
        assert!(!self.panics, "a bug");
        Err(AgentError::lasting("401 Unauthorized"))
    }
}

#[test]
fn an_agent_that_can_never_be_asked_stops_the_run() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let error = run(&job(&Broken { panics: false }, &Scripted, &instances), folder.path()).unwrap_err();
    assert!(error.to_string().contains("401 Unauthorized"), "{error}");
}

#[test]
fn a_panic_costs_its_episode_only() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let summary = run(&job(&Broken { panics: true }, &Scripted, &instances), folder.path()).unwrap();
    assert_eq!((summary.overall.episodes, summary.infrastructure_errors), (0, 12));
}

#[test]
fn folders_that_hold_no_run_or_a_damaged_one_are_named() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    assert!(outcomes(folder.path()).unwrap_err().to_string().contains("holds no run"));
    run(&job(&Reference, &Scripted, &instances), folder.path()).unwrap();
    let path = folder.path().join(EPISODES);
    let damaged = fs::read_to_string(&path).unwrap().replacen("\"seed\":2", "\"seed\":two", 1);
    fs::write(&path, damaged).unwrap();
    let error = outcomes(folder.path()).unwrap_err().to_string();
    assert!(error.contains("episodes.jsonl:4: "), "{error}");
}

#[test]
fn a_run_is_judged_anew_by_todays_tests_and_costs_what_it_did() {
    let (instances, folder) = (instances(), tempdir().unwrap());
    let path = |name: &str| folder.path().join(name);
    run(&job(&Reference, &Scripted, &instances), &path("run")).unwrap();
    let text = fs::read_to_string(path("run").join(EPISODES)).unwrap();
    let costly = text.replace("\"tokens\":null", "\"tokens\":{\"input\":5,\"output\":7}");
    fs::write(path("run").join(EPISODES), costly).unwrap();
    let same = rescore::rescore(&path("run"), &path("same"), &Scripted, &instances).unwrap();
    assert_eq!((same.episodes, same.changed.len(), same.diverged.len()), (12, 0, 0));
    assert_eq!(hashes(&path("same")), hashes(&path("run")));
    assert_eq!(same.summary.overall.values[&crate::scores::table::Column::OutputTokens], 7.0);
    // Seed 2 has a third test today, and R2 of seed 7 another configuration.
    let change = |instance: &mut Instance| {
        let mut test = instance.tests[0].clone();
        test.intent = "more".to_owned();
        test.expect = serde_json::from_value(serde_json::json!({"contains": {"text": "never"}})).unwrap();
        instance.tests.extend((instance.name.seed == 2).then_some(test));
        if instance.name.seed == 7 {
            instance.startup.insert("R1".to_owned(), "hostname R7".to_owned());
        }
    };
    let mut today = instances.clone();
    today.iter_mut().for_each(change);
    let new = rescore::rescore(&path("run"), &path("new"), &Scripted, &today).unwrap();
    let changed: Vec<(u64, f64)> = new.changed.iter().map(|c| (c.key.seed, c.after)).collect();
    assert_eq!(changed, [(2, 2.0 / 3.0); 3]);
    assert_eq!(new.summary.overall.values[&crate::scores::table::Column::PassRate], 0.75);
    let again = rescore::rescore(&path("run"), &path("new"), &Scripted, &today).unwrap();
    assert_eq!((again.episodes, again.summary), (0, new.summary), "it goes on where it was");
    let looks = &crate::agent::builtin::Useless::Onlooker;
    run(&job(looks, &Scripted, &instances), &path("looks")).unwrap();
    let other = rescore::rescore(&path("looks"), &path("other"), &Scripted, &today).unwrap();
    let diverged: Vec<u64> = other.diverged.iter().map(|key| key.seed).collect();
    assert_eq!(diverged, [7, 7, 7], "it saw another configuration");
    today.retain(|instance| instance.name.seed != 10);
    let error = rescore::rescore(&path("run"), &path("gone"), &Scripted, &today).unwrap_err().to_string();
    assert_eq!(error, "there is no instance test/lines@10");
}
