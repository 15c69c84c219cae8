//! What comes of a task depends on its seed and on what the agent does, and on nothing else: not on the number of threads, and not on
//! whether a network is new or a copy of one that others have played on.

#![allow(clippy::unwrap_used, reason = "in a test a panic is the message")]

use std::path::Path;

use netconfarena::agent::builtin::{Random, Reference, Useless};
use netconfarena::agent::{AgentFactory, Task};
use netconfarena::backend::emulator::Emulator;
use netconfarena::episode::{Settings, Stage, play};
use netconfarena::instance::Instance;
use netconfarena::runs::directory::{RunDirectory, each_episode};
use netconfarena::runs::instances::Instances;
use netconfarena::runs::runner::Job;
use netconfarena::template::catalog;
use netconfarena::validation::{Finding, validate_all};

fn instances(patterns: &[&str]) -> Vec<Instance> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let patterns: Vec<String> = patterns.iter().map(|pattern| (*pattern).to_owned()).collect();
    let templates = catalog::load(&root, &patterns).unwrap();
    templates.iter().map(|template| template.instantiate(1).unwrap()).collect()
}

/// One template of each protocol.
const FEW: [&str; 5] =
    ["static/floating-routes", "rip/offset-lists", "ospf/nssa", "eigrp/stub", "bgp/route-reflector"];

/// The hashes of all episodes of a run with so many threads.
fn hashes(factory: &dyn AgentFactory, instances: &dyn Instances, workers: usize) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let backend = Emulator::default();
    let settings = Settings::default();
    let job = Job {
        factory,
        backend: &backend,
        settings,
        instances,
        repeats: 2,
        shard: None,
        workers,
        attempts: 1,
    };
    let path = folder.path().join("run");
    job.run(&mut RunDirectory::open(&path, &job.plan().unwrap()).unwrap(), &()).unwrap();
    let mut hashes = Vec::new();
    each_episode(&path, |episode| {
        hashes.push(format!("{} {}", episode.key(), episode.hash));
        Ok(())
    })
    .unwrap();
    hashes
}

#[test]
fn every_number_of_threads_gives_the_same_episodes() {
    let instances = instances(&FEW);
    for factory in [&Reference as &dyn AgentFactory, &Random] {
        let alone = hashes(factory, &instances, 1);
        assert_eq!(alone.len(), 2 * instances.len());
        for workers in [2, 5] {
            assert_eq!(hashes(factory, &instances, workers), alone, "{workers} threads, {}", factory.name());
        }
    }
}

#[test]
fn a_network_that_others_have_played_on_gives_the_same_episodes_as_a_new_one() {
    let backend = Emulator::default();
    for instance in instances(&[]) {
        let stage = Stage::set(&backend, &instance).unwrap();
        for factory in [&Useless::Eraser as &dyn AgentFactory, &Random, &Reference] {
            let reused = stage.play(0, factory, Settings::default()).unwrap();
            let task = Task { instance: &instance, repeat: 0, limits: Settings::default().limits };
            let new = play(task, factory, &backend, Settings::default()).unwrap();
            assert_eq!(reused.hash, new.hash, "{}, {}", instance.name, factory.name());
            assert_eq!(reused.tests, new.tests, "{}, {}", instance.name, factory.name());
        }
    }
}

#[test]
fn every_number_of_threads_gives_the_same_findings() {
    let mut instances = instances(&["static/floating-routes", "rip/offset-lists", "eigrp/stub"]);
    // So that there is something to find.
    for instance in &mut instances {
        instance.optional.clear();
        instance.tests.retain(|test| !test.command.starts_with("ping"));
    }
    let findings =
        |workers| -> Vec<Vec<Finding>> { validate_all(&instances, &Emulator::default(), workers, &|| ()) };
    let alone = findings(1);
    assert!(alone.iter().any(|found| !found.is_empty()) && alone.len() == instances.len());
    assert!(!alone.iter().flatten().any(|finding| *finding == Finding::NotRepeatable));
    assert_eq!(findings(4), alone);
}
