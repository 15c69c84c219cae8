//! BGP: a table of 10,000 to a million prefixes from one router to another, the choice of the best path, and a route reflector
//! with 50 clients from power-on to rest.
//!
//! `cargo bench --bench bgp`. A speaker that is no router fills the first router; what is timed is the session between the two, from
//! its start until the second one has all routes in its routing table. The time is the processor's, where the system tells it (Linux),
//! so that other work on the machine does not count. Prints the first time and the memory that both routers take;
//! `cargo bench --bench bgp -- --test bgp_transfer/1M` does that alone.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::collections::BTreeSet;
use std::hint::black_box;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use ipnet::Ipv4Net;
use netconfarena_emu::bgp::as_path::{AsPath, Segment, SegmentKind};
use netconfarena_emu::bgp::attributes::{Origin, PathAttributes};
use netconfarena_emu::bgp::community::Community;
use netconfarena_emu::bgp::decision::{Candidate, Rules};
use netconfarena_emu::bgp::packet::{Capability, Family, Nlri, Open, PeerKind, Update, UpdateFormat};
use netconfarena_emu::bgp::{
    BestPathOptions, BgpConfig, ConnectionMode, Neighbor, NetworkStatement, Path, PathKind, PathSource,
    PathStatus, PeerKey,
};
use netconfarena_emu::config::{InterfaceConfig, RouterConfig, StaticRoute, StaticTarget};
use netconfarena_emu::ids::{Asn, NodeIndex, RouterId, VrfId};
use netconfarena_emu::interface::{InterfaceKind, InterfaceName};
use netconfarena_emu::network::{LinkProperties, Network};
use netconfarena_emu::time::Time;

#[path = "../emu/tests/bgp_lab/puppet.rs"]
mod puppet;

use puppet::Puppet;

/// Tables are made of small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The AS of the speaker that fills the first router.
const FEEDER: u32 = 64_999;
/// The ASes of R1 and R2; no path has them.
const FIRST: u32 = 65_001;
const SECOND: u32 = 65_002;

/// How many prefixes share their attributes: few share most, and 6 do in the mean, much as in a full table of the Internet.
const SHARING: [usize; 10] = [1, 1, 2, 1, 4, 1, 12, 2, 1, 35];

/// Lengths of prefixes, about as frequent as in the Internet.
const LENGTHS: [u8; 10] = [24, 24, 24, 24, 24, 24, 23, 22, 24, 21];

fn port(number: u32) -> InterfaceName {
    InterfaceName::new(InterfaceKind::GigabitEthernet, &[0, number], None).unwrap()
}

fn interface(address: Ipv4Addr, length: u8) -> InterfaceConfig {
    InterfaceConfig { address: Some(Ipv4Net::new(address, length).unwrap()), ..InterfaceConfig::default() }
}

/// Numbers that look like chance, the same in each run.
fn mixed(number: u32) -> u32 {
    number.wrapping_mul(2_654_435_761).rotate_left(13).wrapping_mul(0x85eb_ca6b)
}

/// The prefix of a number; different for each.
fn prefix(number: usize) -> Ipv4Net {
    let address = 0x1400_0000 + (u32::try_from(number).unwrap() << 8);
    Ipv4Net::new(Ipv4Addr::from(address), LENGTHS[number % LENGTHS.len()]).unwrap().trunc()
}

fn attributes(number: u32) -> PathAttributes {
    let mut asns = vec![Asn(FEEDER)];
    asns.extend((0..2 + mixed(number) % 4).map(|hop| Asn(1000 + mixed(number ^ (hop << 24)) % 60_000)));
    let segment = Segment { kind: SegmentKind::Sequence, asns };
    let mut attributes =
        PathAttributes::local(if number.is_multiple_of(9) { Origin::Incomplete } else { Origin::Igp });
    attributes.as_path = AsPath::new([segment]);
    attributes.next_hop = Ipv4Addr::new(10, 0, 1, 2);
    let communities = (0..mixed(number) % 4).map(|n| Community(mixed(number + n)));
    attributes.communities = communities.collect::<BTreeSet<_>>().into_iter().collect();
    attributes
}

fn neighbor(asn: u32, mode: Option<ConnectionMode>) -> Neighbor {
    let mut neighbor = Neighbor { active: true, ..Neighbor::default() };
    neighbor.session.remote_as = Some(Asn(asn));
    neighbor.session.connection_mode = mode;
    neighbor.policy.send_community.standard = true;
    neighbor
}

/// R1 full of routes, and R2, whose session with R1 is shut down.
struct Pair {
    network: Network,
    r1: NodeIndex,
    r2: NodeIndex,
    count: usize,
}

impl Pair {
    fn new(count: usize) -> Self {
        let mut network = Network::new(1);
        let ports = [port(0), port(1)];
        let (r1, r2) = (network.add_router("R1", &ports), network.add_router("R2", &ports));
        let edge = network.add_link(LinkProperties::ethernet(), &[(r1, port(0))]).unwrap();
        network.add_link(LinkProperties::ethernet(), &[(r1, port(1)), (r2, port(0))]).unwrap();
        let feeder = Ipv4Addr::new(10, 0, 1, 2);
        let (edge_address, here, there) =
            (Ipv4Addr::new(10, 0, 1, 1), Ipv4Addr::new(10, 0, 2, 1), Ipv4Addr::new(10, 0, 2, 2));
        let mut config = RouterConfig::default();
        config.interfaces.insert(port(0), interface(edge_address, 24));
        config.interfaces.insert(port(1), interface(here, 24));
        let mut bgp = BgpConfig::new(Asn(FIRST));
        bgp.global.neighbors.insert(feeder, neighbor(FEEDER, Some(ConnectionMode::Passive)));
        bgp.global.neighbors.insert(there, neighbor(SECOND, None));
        config.bgp = Some(bgp);
        network.configure(r1, config);
        let mut config = RouterConfig::default();
        config.interfaces.insert(port(0), interface(there, 24));
        let mut bgp = BgpConfig::new(Asn(SECOND));
        let mut shut = neighbor(FIRST, None);
        shut.session.shutdown = true;
        bgp.global.neighbors.insert(here, shut);
        config.bgp = Some(bgp);
        network.configure(r2, config);
        let router_mac = network.router(r1).interfaces().by_name(port(0)).unwrap().mac;
        let mut puppet = Puppet::new(&mut network, edge, feeder, (edge_address, router_mac));
        network.run_for(Duration::from_secs(5));
        let mut pair = Self { network, r1, r2, count };
        pair.feed(&mut puppet);
        pair
    }

    fn feed(&mut self, puppet: &mut Puppet) {
        let open = Open {
            my_as: u16::try_from(FEEDER).unwrap(),
            hold_time: 0,
            router_id: RouterId(Ipv4Addr::new(9, 9, 9, 9)),
            capabilities: vec![
                Capability::Multiprotocol(Family::IPV4_UNICAST),
                Capability::FourOctetAs(Asn(FEEDER)),
            ],
        };
        puppet.establish(&mut self.network, &open);
        let format = UpdateFormat { four_octet_as: true, add_path: false, peer: PeerKind::External };
        let (mut at, mut set) = (0, 0_u32);
        while at < self.count {
            let group = SHARING[set as usize % SHARING.len()].min(self.count - at);
            // Those that share attributes are scattered.
            let routes: Vec<Nlri> =
                (at..at + group).map(|n| Nlri::new(prefix(n * 7919 % self.count))).collect();
            for message in Update::announcements(format, 4096, &attributes(set), &routes) {
                puppet.send(&mut self.network, &message);
            }
            (at, set) = (at + group, set + 1);
            while puppet.backlog() > 1 << 20 {
                puppet.run(&mut self.network, Duration::from_millis(10));
            }
        }
        let end = self.network.now() + Duration::from_secs(600);
        while self.routes(self.r1) < self.count {
            puppet.run(&mut self.network, Duration::from_millis(100));
            assert!(self.network.now() < end, "only {} of {} routes", self.routes(self.r1), self.count);
        }
    }

    /// How many routes of BGP a router uses.
    fn routes(&self, node: NodeIndex) -> usize {
        let process = self.network.router(node).bgp().unwrap();
        process.peers().map(|peer| peer.routes_in.current as usize).sum()
    }

    /// Starts or ends the session between the two.
    fn set_session(&mut self, up: bool) {
        let mut config = RouterConfig::clone(self.network.router(self.r2).config());
        let neighbors = &mut config.bgp.as_mut().unwrap().global.neighbors;
        neighbors.values_mut().for_each(|neighbor| neighbor.session.shutdown = !up);
        self.network.configure(self.r2, config);
    }

    /// From the start of the session until R2 has all.
    fn transfer(&mut self) {
        self.set_session(true);
        while self.routes(self.r2) < self.count {
            self.network.run_for(Duration::from_millis(200));
        }
        let rib = self.network.router(self.r2).rib();
        let last = prefix(self.count - 1);
        assert!(rib.best(Default::default(), last).is_some(), "{last} is not in the routing table");
    }

    fn reset(&mut self) {
        self.set_session(false);
        self.network.run_for(Duration::from_secs(60));
        assert_eq!(self.routes(self.r2), 0);
        let key = PeerKey { vrf: VrfId::GLOBAL, address: Ipv4Addr::new(10, 0, 2, 2) };
        let r1 = self.network.router(self.r1).bgp().unwrap();
        assert!(r1.peer(key).unwrap().session.is_none());
    }
}

/// How long the processor has worked for this thread, or the clock where the system does not tell.
fn processor_time(start: Instant) -> Duration {
    let told = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanoseconds = told.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| start.elapsed(), Duration::from_nanos)
}

/// A line of `/proc/self/status` in KiB, where the system tells.
fn memory_kib(line: &str) -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|found| found.starts_with(line))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

fn transfer(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bgp_transfer");
    group.sample_size(10);
    for (name, count) in [("10k", 10_000), ("100k", 100_000), ("1M", 1_000_000)] {
        // Made when first asked for, since a filter may leave the size out.
        let mut made: Option<Pair> = None;
        group.bench_function(BenchmarkId::from_parameter(name), |bench| {
            let start = Instant::now();
            let timed = |pair: &mut Pair| {
                let before = processor_time(start);
                pair.transfer();
                let took = processor_time(start).saturating_sub(before);
                pair.reset();
                took
            };
            let pair = made.get_or_insert_with(|| {
                let mut pair = Pair::new(count);
                let took = timed(&mut pair).as_secs_f64();
                let most = memory_kib("VmHWM:")
                    .map_or(String::new(), |kib| format!(", at most {} MiB resident", kib / 1024));
                println!("bgp_transfer/{name}: {took:.2} s of processor time at first{most}");
                pair
            });
            bench.iter_custom(|iterations| (0..iterations).map(|_| timed(pair)).sum());
        });
    }
    group.finish();
}

/// Paths to one destination that differ late in the comparison.
fn paths(count: u32) -> Vec<Path> {
    let path = |n: u32| Path {
        source: PathSource::Peer(Ipv4Addr::from(0x0a00_0000 + n)),
        path_id: 0,
        sent_id: n,
        kind: if n.is_multiple_of(2) { PathKind::External } else { PathKind::Internal },
        router_id: RouterId(Ipv4Addr::from(mixed(n))),
        attributes: Arc::new(PathAttributes {
            as_path: AsPath::new([Segment {
                kind: SegmentKind::Sequence,
                asns: vec![Asn(1 + n % 3), Asn(7), Asn(9)],
            }]),
            med: Some(n % 4),
            ..PathAttributes::local(Origin::Igp)
        }),
        received: None,
        weight: 0,
        updated: Time::ZERO,
        status: PathStatus::default(),
    };
    (0..count).map(path).collect()
}

fn decision(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bgp_decision");
    for count in [2, 8, 64] {
        let paths = paths(count);
        let candidates: Vec<Candidate<'_>> =
            paths.iter().map(|path| Candidate { path, igp_metric: 10 }).collect();
        for (name, deterministic_med) in [("in order", false), ("deterministic-med", true)] {
            let options = BestPathOptions { deterministic_med, ..BestPathOptions::default() };
            let rules = Rules { options, default_local_preference: 100, current: None };
            group.bench_function(BenchmarkId::new(name, count), |bench| {
                bench.iter(|| black_box(rules.best(black_box(&candidates))));
            });
        }
    }
    group.finish();
}

/// A reflector with clients around it, each with 100 networks.
fn star(clients: u32) -> Network {
    const NETWORKS: u32 = 100;
    let mut network = Network::new(1);
    let ports: Vec<InterfaceName> = (0..clients).map(port).collect();
    let hub = network.add_router("RR", &ports);
    let mut hub_config = RouterConfig::default();
    let mut hub_bgp = BgpConfig::new(Asn(65_000));
    for n in 0..clients {
        let node = network.add_router(&format!("C{n}"), &[port(0)]);
        network.add_link(LinkProperties::ethernet(), &[(hub, port(n)), (node, port(0))]).unwrap();
        let subnet = 0x0a00_0000 + (n << 8);
        let (near, far) = (Ipv4Addr::from(subnet + 1), Ipv4Addr::from(subnet + 2));
        hub_config.interfaces.insert(port(n), interface(near, 24));
        let mut client = neighbor(65_000, None);
        client.policy.route_reflector_client = true;
        hub_bgp.global.neighbors.insert(far, client);
        let mut config = RouterConfig::default();
        config.interfaces.insert(port(0), interface(far, 24));
        let mut bgp = BgpConfig::new(Asn(65_000));
        bgp.global.neighbors.insert(near, neighbor(65_000, None));
        let mut route = |prefix, target| {
            config.static_routes.insert(StaticRoute {
                vrf: None,
                prefix,
                target,
                distance: 1,
                tag: 0,
                name: None,
                permanent: false,
                track: None,
            })
        };
        // The other clients, which are the next hops of what is reflected.
        route("10.0.0.0/8".parse().unwrap(), StaticTarget::NextHop(near));
        for k in 0..NETWORKS {
            let prefix = prefix((n * NETWORKS + k) as usize);
            let null = InterfaceName::new(InterfaceKind::Null, &[0], None).unwrap();
            if route(prefix, StaticTarget::Interface(null)) {
                bgp.global.ipv4.networks.insert(prefix, NetworkStatement::default());
            }
        }
        config.bgp = Some(bgp);
        network.configure(node, config);
    }
    hub_config.bgp = Some(hub_bgp);
    network.configure(hub, hub_config);
    network
}

fn reflector(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("bgp_rr");
    group.sample_size(10);
    group.bench_function(BenchmarkId::from_parameter(50), |bench| {
        bench.iter_batched(
            || star(50),
            |mut network| {
                let convergence = network.run_until_converged(Duration::from_secs(1200));
                assert!(convergence.converged);
                let client = network.node("C0").unwrap();
                let table = &network.router(client).bgp().unwrap().instance(VrfId::GLOBAL).unwrap().table;
                assert_eq!(table.iter().filter(|(_, d)| d.best_path().is_some()).count(), 5000);
                network
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

criterion_group!(benches, transfer, decision, reflector);
criterion_main!(benches);
