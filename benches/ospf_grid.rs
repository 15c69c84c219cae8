//! Square grids of OSPF routers: from power-on to convergence, and from a cut link to convergence again.
//!
//! `cargo bench --bench ospf_grid`. Prints beside the times the converged virtual time and, on Linux, the memory that the
//! network takes, each router's share of it included.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::hint::black_box;
use std::net::Ipv4Addr;
use std::time::Duration;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use ipnet::Ipv4Net;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig, Wildcard};
use netconfarena_emu::ids::{AreaId, LinkIndex, NodeIndex, RouterId};
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::ospf::{NetworkStatement, NetworkType, OspfConfig};

/// Networks allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn port(number: u32) -> InterfaceName {
    InterfaceName::new(InterfaceKind::GigabitEthernet, &[0, number], None).unwrap()
}

/// A router of the grid: its own loopback, and OSPF on everything.
fn router(number: u32) -> RouterConfig {
    let id = Ipv4Addr::from(0x0a00_0000 | (number + 1));
    let mut config = RouterConfig::default();
    let everything = Wildcard::new(Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST);
    let ospf = OspfConfig {
        router_id: Some(RouterId(id)),
        networks: vec![NetworkStatement { wildcard: everything, area: AreaId(0) }],
        ..OspfConfig::default()
    };
    config.ospf.insert(1, ospf);
    let loopback = InterfaceName::new(InterfaceKind::Loopback, &[0], None).unwrap();
    let address = Some(Ipv4Net::new(id, 32).unwrap());
    config.interfaces.insert(loopback, InterfaceConfig { address, ..InterfaceConfig::default() });
    config
}

/// A grid of `side` times `side` routers with point-to-point Ethernet cables between neighbors.
fn grid(side: u32) -> (Network, Vec<LinkIndex>) {
    let mut network = Network::new(1);
    let ports: Vec<InterfaceName> = (0..4).map(port).collect();
    let nodes: Vec<NodeIndex> =
        (0..side * side).map(|n| network.add_router(&format!("R{n}"), &ports)).collect();
    let mut configs: Vec<RouterConfig> = (0..side * side).map(router).collect();
    let mut links = Vec::new();
    let mut join = |a: u32, b: u32, [from, to]: [u32; 2]| {
        let ends = [(nodes[a as usize], port(from)), (nodes[b as usize], port(to))];
        let subnet = 0xac10_0000 + 4 * u32::try_from(links.len()).unwrap();
        for (node, port, host) in [(a, port(from), 1), (b, port(to), 2)] {
            let mut interface = InterfaceConfig {
                address: Some(Ipv4Net::new(Ipv4Addr::from(subnet + host), 30).unwrap()),
                ..InterfaceConfig::default()
            };
            interface.ospf.network_type = Some(NetworkType::PointToPoint);
            configs[node as usize].interfaces.insert(port, interface);
        }
        links.push(network.add_link(LinkProperties::ethernet(), &ends).unwrap());
    };
    for row in 0..side {
        for column in 0..side {
            let n = row * side + column;
            if column + 1 < side {
                join(n, n + 1, [0, 1]);
            }
            if row + 1 < side {
                join(n, n + side, [2, 3]);
            }
        }
    }
    nodes.iter().zip(configs).for_each(|(&node, config)| network.configure(node, config));
    (network, links)
}

fn converge(network: &mut Network) -> f64 {
    let convergence = network.run_until_converged(Duration::from_secs(1200));
    assert!(convergence.converged);
    Duration::from_nanos(convergence.at.as_nanos()).as_secs_f64()
}

/// Resident memory of this process in KiB, where the system tells.
fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn start(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("ospf_grid");
    group.sample_size(10);
    for side in [5, 10, 20, 32] {
        let routers = side * side;
        let before = resident_kib();
        let (mut network, links) = grid(side);
        let seconds = converge(&mut network);
        if let (Some(before), Some(after)) = (before, resident_kib()) {
            let kib = after.saturating_sub(before);
            println!(
                "ospf_grid/{routers}: converged at {seconds:.1} s of virtual time; {kib} KiB resident, {} KiB a router",
                kib / u64::from(routers)
            );
        }
        group.bench_function(BenchmarkId::from_parameter(routers), |bench| {
            bench.iter_batched(
                || grid(side).0,
                |mut network| black_box(converge(&mut network)),
                BatchSize::PerIteration,
            );
        });
        let cut = links[links.len() / 2];
        group.bench_function(BenchmarkId::new("link_flap", routers), |bench| {
            bench.iter_batched(
                || network.clone(),
                |mut network| {
                    network.set_link_up(cut, false);
                    black_box(converge(&mut network))
                },
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::new("fork", routers), |bench| {
            bench.iter_with_large_drop(|| black_box(network.clone()));
        });
    }
    group.finish();
}

criterion_group!(benches, start);
criterion_main!(benches);
