//! What the whole suite costs: every template with five seeds, played by the reference agent as `run` does it, with its files.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::Path;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use netconfarena::agent::builtin::Reference;
use netconfarena::backend::emulator::Emulator;
use netconfarena::episode::Settings;
use netconfarena::instance::InstanceName;
use netconfarena::runs::directory::RunDirectory;
use netconfarena::runs::instances::Sampled;
use netconfarena::runs::runner::Job;
use netconfarena::template::catalog;

/// Networks allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Seeds of each template.
const SEEDS: u64 = 5;

fn suite(c: &mut Criterion) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let mut group = c.benchmark_group("suite");
    group.sample_size(10);
    group.bench_function("reference", |b| {
        let folder = || tempfile::tempdir().expect("folder");
        b.iter_batched(folder, |folder| play(&root, folder.path()), BatchSize::PerIteration);
    });
    group.finish();
}

/// Loads the templates, makes and plays their instances, and writes the run.
fn play(root: &Path, out: &Path) {
    let templates = catalog::load(root, &[]).expect("templates");
    let named = |template: &str, seed| InstanceName { template: template.to_owned(), seed };
    let names: BTreeSet<InstanceName> =
        templates.iter().flat_map(|t| (0..SEEDS).map(|seed| named(&t.name, seed))).collect();
    let episodes = names.len();
    let job = Job {
        factory: &Reference,
        backend: &Emulator::default(),
        settings: Settings::default(),
        instances: &Sampled::new(templates, names),
        repeats: 1,
        shard: None,
        workers: std::thread::available_parallelism().map_or(1, NonZeroUsize::get),
        attempts: 1,
    };
    let mut directory = RunDirectory::open(&out.join("run"), &job.plan().expect("plan")).expect("directory");
    let summary = job.run(&mut directory, &()).expect("run");
    assert_eq!(summary.overall.episodes, episodes, "every episode is played");
}

criterion_group!(benches, suite);
criterion_main!(benches);
