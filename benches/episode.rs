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
use netconfarena_cli_dialect::session::Session;
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use netconfarena_emu::network::Network;

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

/// One line at the terminal of a router, again and again.
fn cli_line(c: &mut Criterion) {
    let mut network = Network::new(1);
    let ports =
        (0..4).filter_map(|port| InterfaceName::new(InterfaceKind::GigabitEthernet, &[0, port], None));
    let router = network.add_router("R1", &ports.collect::<Vec<_>>());
    let mut group = c.benchmark_group("cli_line");
    for (name, before, line) in [
        ("description", "interface GigabitEthernet0/1", "description one line"),
        ("changed", "interface GigabitEthernet0/1", "description line"),
        ("refused", "interface GigabitEthernet0/1", "ip adress 10.0.0.1"),
        ("show_ip_interface_brief", "do show clock", "do show ip interface brief"),
    ] {
        let mut session = Session::privileged(router);
        for line in ["configure terminal", before] {
            session.execute(&mut network, line);
        }
        // A line that says what is configured already changes nothing; one that differs each time has the router take it up.
        let lines = [line.to_owned(), if name == "changed" { format!("{line} 2") } else { line.to_owned() }];
        let mut turn = 0;
        group.bench_function(name, |b| {
            b.iter(|| {
                turn += 1;
                session.execute(&mut network, &lines[turn % 2])
            });
        });
    }
    group.finish();
}

criterion_group!(benches, episode, fork, cli_line);
criterion_main!(benches);
