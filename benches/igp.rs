//! Grids of EIGRP routers and a ring of RIP routers, from power-on to convergence and after a cut link; packets forwarded in a second.
//!
//! `cargo bench --bench igp [eigrp_grid|rip_ring|forwarding]`. Prints the converged virtual times beside the processor times.
#![allow(missing_docs, clippy::unwrap_used, reason = "a bench fails by panicking")]

use std::cell::LazyCell;
use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use criterion::{
    BatchSize, BenchmarkGroup, BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group,
    criterion_main,
};
use netconfarena_cli_dialect::config::load;
use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::ids::{LinkIndex, NodeIndex};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::{ExternalPort, LinkProperties, Network};

/// Networks allocate in small pieces; this allocator is the faster one for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn port(number: usize) -> InterfaceName {
    format!("gi0/{number}").parse().unwrap()
}

/// Routers joined by cables: cable N has subnet 10.A.B.0/24, A and B being N's digits to the base of 256, and each end of a router its next port.
struct Wiring {
    network: Network,
    nodes: Vec<NodeIndex>,
    texts: Vec<String>,
    ports: Vec<usize>,
    links: Vec<LinkIndex>,
}

impl Wiring {
    fn new(routers: usize) -> Self {
        let mut network = Network::new(1);
        let ports: Vec<InterfaceName> = (0..4).map(port).collect();
        let nodes = (0..routers).map(|n| network.add_router(&format!("R{n}"), &ports)).collect();
        let loopback = |n: usize| {
            format!("interface lo0\n ip address 10.{}.{}.1 255.255.255.255\n", 200 + n / 256, n % 256)
        };
        let texts = (0..routers).map(loopback).collect();
        Self { network, nodes, texts, ports: vec![0; routers], links: Vec::new() }
    }

    /// Gives a router a port in a new subnet, which the far ends share.
    fn cable(&mut self, routers: &[usize]) -> LinkIndex {
        let number = self.links.len();
        let mut ends = Vec::new();
        for (host, &router) in routers.iter().enumerate() {
            let name = port(self.ports[router]);
            self.ports[router] += 1;
            let _ = write!(
                self.texts[router],
                "interface {name}\n ip address 10.{}.{}.{} 255.255.255.0\n no shutdown\n",
                number / 256,
                number % 256,
                host + 1
            );
            ends.push((self.nodes[router], name));
        }
        let link = self.network.add_link(LinkProperties::ethernet(), &ends).unwrap();
        self.links.push(link);
        link
    }

    /// Configures every router, with `more` besides its interfaces.
    fn finish(mut self, more: &str) -> (Network, Vec<LinkIndex>) {
        for (&node, text) in self.nodes.iter().zip(&self.texts) {
            let mut config = RouterConfig::clone(self.network.router(node).config());
            let report = load(&mut config, &format!("{text}{more}"));
            assert!(report.refused.is_empty(), "{:?}", report.refused);
            self.network.configure(node, config);
        }
        (self.network, self.links)
    }
}

fn eigrp_grid(side: usize) -> (Network, Vec<LinkIndex>) {
    let mut wiring = Wiring::new(side * side);
    for n in 0..side * side {
        if n % side + 1 < side {
            wiring.cable(&[n, n + 1]);
        }
        if n + side < side * side {
            wiring.cable(&[n, n + side]);
        }
    }
    wiring.finish("router eigrp 1\n network 10.0.0.0\n")
}

fn rip_ring(routers: usize) -> (Network, Vec<LinkIndex>) {
    let mut wiring = Wiring::new(routers);
    for n in 0..routers {
        wiring.cable(&[n, (n + 1) % routers]);
    }
    wiring.finish("router rip\n version 2\n no auto-summary\n network 10.0.0.0\n")
}

/// Virtual seconds to the last change.
fn converge(network: &mut Network) -> f64 {
    let begin = network.now();
    let convergence = network.run_until_converged(Duration::from_secs(1200));
    assert!(convergence.converged);
    convergence.at.since(begin).as_secs_f64()
}

/// Convergence of a network from power-on, and after its middle link has been cut.
fn convergence(
    group: &mut BenchmarkGroup<'_, criterion::measurement::WallTime>,
    routers: usize,
    make: impl Fn() -> (Network, Vec<LinkIndex>),
) {
    // Made only for a bench that is asked for.
    let converged = LazyCell::new(|| {
        let (mut network, links) = make();
        let cut = links[links.len() / 2];
        let start = converge(&mut network);
        let mut broken = network.clone();
        broken.set_link_up(cut, false);
        let again = converge(&mut broken);
        println!(
            "{routers} routers: converged after {start:.1} s of virtual time, {again:.1} s after a cut link"
        );
        (network, cut)
    });
    group.bench_function(BenchmarkId::from_parameter(routers), |bench| {
        let run = |mut network: Network| black_box(converge(&mut network));
        bench.iter_batched(|| make().0, run, BatchSize::PerIteration);
    });
    group.bench_function(BenchmarkId::new("link_flap", routers), |bench| {
        let (network, cut) = &*converged;
        let run = |mut network: Network| {
            network.set_link_up(*cut, false);
            black_box(converge(&mut network))
        };
        bench.iter_batched(|| network.clone(), run, BatchSize::PerIteration);
    });
}

fn routing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("eigrp_grid");
    // One iteration takes seconds: as many of them in each sample.
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for side in [5, 10, 20] {
        convergence(&mut group, side * side, || eigrp_grid(side));
    }
    group.finish();
    let mut group = criterion.benchmark_group("rip_ring");
    group.sample_size(10);
    convergence(&mut group, 30, || rip_ring(30));
    group.finish();
}

/// How many packets pass in one iteration.
const PACKETS: u16 = 1000;

/// Routers in a row between two hosts outside.
struct Row {
    network: Network,
    left: ExternalPort,
    frame: Vec<u8>,
}

/// The destination host's MAC address.
const HOST: [u8; 6] = [2, 0, 0, 0, 0, 9];

impl Row {
    /// `hops` routers, each with a list of so many lines on its way in, the last of which permits.
    fn new(hops: usize, acl_lines: usize) -> Self {
        let mut wiring = Wiring::new(hops);
        let mut cables = vec![wiring.cable(&[0])];
        cables.extend((1..hops).map(|n| wiring.cable(&[n - 1, n])));
        cables.push(wiring.cable(&[hops - 1]));
        let mut more = "router eigrp 1\n network 10.0.0.0\n".to_owned();
        if acl_lines > 0 {
            for n in 1..acl_lines {
                let _ = writeln!(more, "access-list 100 deny udp 172.16.{}.0 0.0.0.255 any eq {n}", n % 256);
            }
            more.push_str("access-list 100 permit ip any any\n");
            for number in 0..2 {
                let _ = write!(more, "interface {}\n ip access-group 100 in\n", port(number));
            }
        }
        // The far host is the second one of the last subnet.
        let last = cables.len() - 1;
        let destination = [10, 0, u8::try_from(last).unwrap(), 2];
        let node = wiring.nodes[0];
        let gateway = [10, 0, u8::try_from(last).unwrap(), 1];
        let (mut network, _) = wiring.finish(&more);
        let left = network.add_external_port(cables[0]).unwrap();
        let right = network.add_external_port(cables[last]).unwrap();
        network.run_for(Duration::from_secs(30));
        network.inject(right, &arp_request(destination, gateway));
        network.run_for(Duration::from_secs(1));
        let mac = network.router(node).interfaces().by_name(port(0)).unwrap().mac;
        let frame = udp_frame(mac.0, [10, 0, 0, 2], destination);
        Self { network, left, frame }
    }

    /// Sends all packets, one each 10 us, and counts those that come out at the other end.
    fn pass(&mut self) -> usize {
        let _ = self.network.take_outbox();
        for _ in 0..PACKETS {
            self.network.inject(self.left, &self.frame);
            self.network.run_for(Duration::from_micros(10));
        }
        self.network.run_for(Duration::from_millis(1));
        self.network.take_outbox().iter().filter(|sent| sent.frame.starts_with(&HOST)).count()
    }
}

/// Ethernet and ARP: the far host asks for its gateway, which learns its address from that.
fn arp_request(sender: [u8; 4], target: [u8; 4]) -> Vec<u8> {
    let head = [&[0xff; 6][..], &HOST, &[8, 6, 0, 1, 8, 0, 6, 4, 0, 1]].concat();
    [&head[..], &HOST, &sender, &[0; 6], &target].concat()
}

/// Ethernet, IPv4 and UDP, 64 octets behind the IPv4 header.
fn udp_frame(to: [u8; 6], source: [u8; 4], destination: [u8; 4]) -> Vec<u8> {
    let mut header = [&[0x45, 0, 0, 84, 0, 1, 0x40, 0, 64, 17, 0, 0][..], &source, &destination].concat();
    let sum: u32 = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1])).sum();
    let folded = (sum & 0xffff) + (sum >> 16);
    let checksum = !u16::try_from((folded & 0xffff) + (folded >> 16)).unwrap();
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    let udp = [&[0x30, 0x39, 0x40, 0, 0, 64, 0, 0][..], &[0; 56]].concat();
    [&to[..], &[2, 0, 0, 0, 0, 8, 8, 0], &header, &udp].concat()
}

fn forwarding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("forwarding");
    group.throughput(Throughput::Elements(PACKETS.into()));
    for (acl, lines) in [("plain", 0), ("acl_1000", 1000)] {
        for hops in [1, 4, 16] {
            let mut row = None;
            group.bench_function(BenchmarkId::new(acl, hops), |bench| {
                let row = row.get_or_insert_with(|| Row::new(hops, lines));
                assert_eq!(row.pass(), usize::from(PACKETS), "{hops} hops, {acl}");
                bench.iter(|| black_box(row.pass()));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, routing, forwarding);
criterion_main!(benches);
