//! What an agent's episode costs: from start to score, a fork of the network, a line of configuration.

use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use netconfarena::agent::Task;
use netconfarena::agent::builtin::Reference;
use netconfarena::backend::Deployment;
use netconfarena::backend::emulator::Emulator;
use netconfarena::episode::{Settings, play};
use netconfarena::instance::Instance;
use netconfarena::template::catalog;

/// Networks allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The first instance of every template.
fn instances() -> Vec<Instance> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("templates");
    let templates = catalog::load(&root, &[]).expect("templates");
    templates.iter().map(|template| template.instantiate(0).expect("instance")).collect()
}

fn episode(c: &mut Criterion) {
    let mut group = c.benchmark_group("episode");
    group.sample_size(20);
    for instance in instances() {
        group.bench_function(&instance.name.template, |b| {
            let settings = Settings::default();
            let task = Task { instance: &instance, repeat: 0, limits: settings.limits };
            b.iter(|| play(task, &Reference, &Emulator::default(), settings).expect("episode").score);
        });
    }
    group.finish();
}

/// A copy of a converged network of four routers, alone and with the first write to one of them.
fn fork(c: &mut Criterion) {
    let four = instances().into_iter().find(|i| i.nodes.len() == 4).expect("a template with four routers");
    let mut network = Emulator::default().build(&four).expect("network");
    network.settle().expect("settles");
    let host = four.nodes[0].name.clone();
    let mut group = c.benchmark_group("fork");
    group.bench_function("4_routers", |b| b.iter(|| black_box(network.clone())));
    group.bench_function("4_routers_and_first_write", |b| {
        b.iter(|| {
            let mut fork = network.clone();
            fork.apply(&host, "ip route 192.0.2.0 255.255.255.0 Null0").expect("applies");
            fork
        });
    });
    group.finish();
}

fn cli_line(c: &mut Criterion) {
    let instance = instances().swap_remove(0);
    let mut network = Emulator::default().build(&instance).expect("network");
    network.settle().expect("settles");
    let host = instance.nodes[0].name.clone();
    let mut group = c.benchmark_group("cli_line");
    for (name, line) in [
        ("description", "interface Loopback77\ndescription one line"),
        ("rejected", "interface Loopback77\nip adress 10.0.0.1"),
    ] {
        // Two lines a turn, and `end`.
        group.bench_function(name, |b| b.iter(|| network.apply(&host, line).expect("applies")));
    }
    group.bench_function("show_ip_interface_brief", |b| {
        b.iter(|| network.execute(&host, "show ip interface brief").expect("runs"));
    });
    group.finish();
}

criterion_group!(benches, episode, fork, cli_line);
criterion_main!(benches);
