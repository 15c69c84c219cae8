//! A router between neighbors that a test plays: they say what the test tells them to, and note what they hear.

use std::net::Ipv4Addr;
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::config::{InterfaceConfig, RouterConfig};
use netconfarena_emu::eigrp::packet::{
    ClassicMetric, Flags, Header, KValues, Opcode, Packet, Parameters, RouteMetric, RouteTlv, Sequence,
    SoftwareVersion, Tlv,
};
use netconfarena_emu::eigrp::{Destination, DualState, EigrpProcess};
use netconfarena_emu::ids::{LinkIndex, MacAddress, NodeIndex, VrfId};
use netconfarena_emu::network::{ExternalPort, LinkProperties, Network};
use netconfarena_emu::process::IpProtocol;
use netconfarena_emu::time::Time;
use netconfarena_emu::wire::{ArpOperation, ArpPacket, EtherType, EthernetHeader, Ipv4Header};

use crate::lab::{AS, everywhere, net, towards};

/// The destination that the scenarios are about.
pub const DESTINATION: &str = "172.20.7.0/24";

const GROUP: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 10);
/// 256 * 10^7 over a gigabit.
const BANDWIDTH: u32 = 2560;

/// A neighbor played by the test.
pub struct Puppet {
    port: ExternalPort,
    pub address: Ipv4Addr,
    mac: MacAddress,
    router: Ipv4Addr,
    router_mac: MacAddress,
    sequence: u32,
    /// Reliable packets are acknowledged.
    pub acknowledges: bool,
    /// Hellos are sent.
    pub is_alive: bool,
    next_hello: Time,
    greeted: bool,
    /// It answers an initial update with another one that acknowledges it, as FRR's eigrpd does.
    pub greets_again: bool,
    /// Every packet heard, with its IP destination.
    pub heard: Vec<(Ipv4Addr, Packet)>,
}

/// A router R1 with its played neighbors.
pub struct Stage {
    pub network: Network,
    pub r1: NodeIndex,
    pub puppets: Vec<Puppet>,
    pub links: Vec<LinkIndex>,
}

fn mac(number: usize) -> MacAddress {
    MacAddress([2, 0, 0, 0, 0, u8::try_from(number).unwrap()])
}

impl Stage {
    /// R1 with a neighbor on each of `count` links, which add 10 to a metric in tens of microseconds.
    pub fn new(count: usize) -> Self {
        Self::with_segments(&vec![1; count])
    }

    /// R1 with as many neighbors on each link as told.
    pub fn with_segments(segments: &[usize]) -> Self {
        let mut network = Network::new(1);
        let ports: Vec<_> = (1..=segments.len()).map(towards).collect();
        let r1 = network.add_router("R1", &ports);
        let mut config = RouterConfig::default();
        config.eigrp.classic.entry(AS).or_default().global = everywhere();
        let mut stage = Self { network, r1, puppets: Vec::new(), links: Vec::new() };
        for (segment, &count) in (1..).zip(segments) {
            let link = stage.network.add_link(LinkProperties::ethernet(), &[(r1, towards(segment))]).unwrap();
            stage.links.push(link);
            let router = net(&format!("10.0.{segment}.1/24"));
            let interface = InterfaceConfig {
                address: Some(router),
                delay_tens_us: Some(10),
                ..InterfaceConfig::default()
            };
            config.interfaces.insert(towards(segment), interface);
            let router_mac = stage.network.router(r1).interfaces().by_name(towards(segment)).unwrap().mac;
            for host in 2..2 + count {
                stage.puppets.push(Puppet {
                    port: stage.network.add_external_port(link).unwrap(),
                    address: format!("10.0.{segment}.{host}").parse().unwrap(),
                    mac: mac(stage.puppets.len() + 1),
                    router: router.addr(),
                    router_mac,
                    sequence: 0,
                    acknowledges: true,
                    is_alive: true,
                    next_hello: Time::from_secs(1),
                    greeted: false,
                    greets_again: false,
                    heard: Vec::new(),
                });
            }
        }
        stage.network.configure(r1, config);
        stage.run(3000);
        assert_eq!(
            stage.eigrp().neighbors().filter(|(_, neighbor)| neighbor.is_up()).count(),
            stage.puppets.len()
        );
        stage.forget();
        stage
    }

    pub fn eigrp(&self) -> &EigrpProcess {
        self.network.router(self.r1).eigrp(AS, VrfId::GLOBAL).unwrap()
    }

    pub fn destination(&self) -> Option<&Destination> {
        self.eigrp().topology.get(&net(DESTINATION))
    }

    /// State, and FD in tens of microseconds (`None` is infinite). Without an entry the destination is passive.
    pub fn state(&self) -> (DualState, Option<u64>) {
        let Some(destination) = self.destination() else { return (DualState::Passive, None) };
        let rank = destination.feasible_distance();
        let tens = (rank.distance().0.wrapping_sub(u64::from(BANDWIDTH))) / 256;
        (destination.state, rank.is_finite().then_some(tens))
    }

    /// The neighbors that R1 forwards to, by number from 0.
    pub fn forwards_to(&self) -> Vec<usize> {
        let rib = self.network.router(self.r1).rib();
        let hops = rib.best(Default::default(), net(DESTINATION)).map_or(&[][..], |route| &route.next_hops);
        let number = |address| self.puppets.iter().position(|puppet| Some(puppet.address) == address);
        hops.iter().filter_map(|hop| number(hop.address)).collect()
    }

    /// Runs, while the puppets send hellos, answer ARP and acknowledge.
    pub fn run(&mut self, millis: u64) {
        let end = self.network.now() + Duration::from_millis(millis);
        loop {
            self.send_due_hellos();
            let hellos = self.puppets.iter().filter(|puppet| puppet.is_alive).map(|puppet| puppet.next_hello);
            let Some(next) =
                self.network.next_event().into_iter().chain(hellos).min().filter(|&at| at <= end)
            else {
                break;
            };
            self.network.run_until(next);
            self.pump();
        }
        self.network.run_until(end);
    }

    fn send_due_hellos(&mut self) {
        let now = self.network.now();
        for number in 0..self.puppets.len() {
            let puppet = &mut self.puppets[number];
            if puppet.is_alive && puppet.next_hello <= now {
                puppet.next_hello = now + Duration::from_secs(5);
                self.send_hello(number, Vec::new());
            }
        }
    }

    fn pump(&mut self) {
        for frame in self.network.take_outbox() {
            if let Some(number) = self.puppets.iter().position(|puppet| puppet.port == frame.port) {
                self.receive(number, &frame.frame);
            }
        }
    }

    fn receive(&mut self, number: usize, frame: &[u8]) {
        let (ethernet, payload) = EthernetHeader::parse(frame).unwrap();
        let own = self.puppets[number].address;
        if ethernet.ether_type == EtherType::ARP {
            let request = ArpPacket::parse(payload).unwrap();
            if request.operation == ArpOperation::Request && request.target == own {
                self.answer_arp(number, &request);
            }
            return;
        }
        let (header, payload) = Ipv4Header::parse(payload).unwrap();
        if header.protocol != IpProtocol::EIGRP || (header.destination != GROUP && header.destination != own)
        {
            return;
        }
        let packet = Packet::parse(payload).unwrap();
        if packet.header.flags.contains(Flags::INIT) && self.puppets[number].greets_again {
            self.send_init(number, packet.header.sequence);
        } else if packet.header.flags.contains(Flags::INIT) {
            self.send(number, Opcode::Hello, packet.header.sequence, Vec::new());
            if !std::mem::replace(&mut self.puppets[number].greeted, true) {
                self.send_init(number, Sequence::NONE);
            }
        } else if !packet.header.sequence.is_none() && self.puppets[number].acknowledges {
            self.send(number, Opcode::Hello, packet.header.sequence, Vec::new());
        }
        self.puppets[number].heard.push((header.destination, packet));
    }

    fn answer_arp(&mut self, number: usize, request: &ArpPacket) {
        let puppet = &self.puppets[number];
        let reply = ArpPacket {
            operation: ArpOperation::Reply,
            sender_mac: puppet.mac,
            sender: puppet.address,
            target_mac: request.sender_mac,
            target: request.sender,
        };
        let header = EthernetHeader {
            destination: request.sender_mac,
            source: puppet.mac,
            vlan: None,
            ether_type: EtherType::ARP,
        };
        self.network.inject(puppet.port, &header.emit(&reply.emit()));
    }

    /// Sends a hello with more TLVs.
    pub fn send_hello(&mut self, number: usize, more: Vec<Tlv>) {
        let mut tlvs = vec![
            Tlv::Parameters(Parameters { k: KValues::default(), hold_time: 15 }),
            Tlv::SoftwareVersion(SoftwareVersion { release: (12, 4), tlv: (1, 2) }),
        ];
        tlvs.extend(more);
        self.send(number, Opcode::Hello, Sequence::NONE, tlvs);
    }

    fn send_init(&mut self, number: usize, acknowledgment: Sequence) {
        let puppet = &mut self.puppets[number];
        puppet.sequence += 1;
        let sequence = Sequence(puppet.sequence);
        let header = Header { flags: Flags::INIT, sequence, acknowledgment, ..header(Opcode::Update) };
        let router = puppet.router;
        self.transmit(number, router, &Packet { header, tlvs: Vec::new() });
    }

    /// Starts anew, as after a reload.
    pub fn restart(&mut self, number: usize) {
        self.puppets[number].sequence = 0;
        self.send_init(number, Sequence::NONE);
    }

    fn send(&mut self, number: usize, opcode: Opcode, acknowledgment: Sequence, tlvs: Vec<Tlv>) {
        let target = if acknowledgment.is_none() { GROUP } else { self.puppets[number].router };
        let header = Header { acknowledgment, ..header(opcode) };
        self.transmit(number, target, &Packet { header, tlvs });
    }

    /// Puts a packet on the link.
    pub fn transmit(&mut self, number: usize, destination: Ipv4Addr, packet: &Packet) {
        let puppet = &self.puppets[number];
        let ip = Ipv4Header {
            source: puppet.address,
            destination,
            protocol: IpProtocol::EIGRP,
            ttl: 2,
            tos: 0xC0,
            ident: 0,
            dont_fragment: false,
            more_fragments: false,
            fragment_offset: 0,
            options: Vec::new(),
        };
        let to = if destination == GROUP { MacAddress::of_multicast(GROUP) } else { puppet.router_mac };
        let ethernet =
            EthernetHeader { destination: to, source: puppet.mac, vlan: None, ether_type: EtherType::IPV4 };
        self.network.inject(puppet.port, &ethernet.emit(&ip.emit(&packet.emit())));
    }

    /// Tells R1 of the destination, with a distance in tens of microseconds (`None` is unreachable), and gives R1 time to react.
    pub fn say(&mut self, number: usize, opcode: Opcode, distance: Option<u32>) {
        let packet = self.route_packet(number, opcode, distance);
        let router = self.puppets[number].router;
        self.transmit(number, router, &packet);
        self.run(100);
    }

    /// A packet with the next sequence number.
    pub fn route_packet(&mut self, number: usize, opcode: Opcode, distance: Option<u32>) -> Packet {
        self.puppets[number].sequence += 1;
        let sequence = Sequence(self.puppets[number].sequence);
        let tlvs = vec![Tlv::Route(route(net(DESTINATION), distance))];
        Packet { header: Header { sequence, ..header(opcode) }, tlvs }
    }

    /// What a neighbor has heard of the destination since last asked: packets and distances in tens of microseconds.
    pub fn heard(&mut self, number: usize) -> Vec<(Opcode, Option<u64>)> {
        let packets = std::mem::take(&mut self.puppets[number].heard);
        let mut all = Vec::new();
        for (_, packet) in packets {
            for route in packet.routes().filter(|route| route.destinations.contains(&net(DESTINATION))) {
                let RouteMetric::Classic(metric) = route.metric else { panic!("{route:?}") };
                let tens =
                    (metric.delay != ClassicMetric::UNREACHABLE).then(|| u64::from(metric.delay / 256));
                all.push((packet.header.opcode, tens));
            }
        }
        all
    }

    pub fn forget(&mut self) {
        self.puppets.iter_mut().for_each(|puppet| puppet.heard.clear());
    }
}

fn header(opcode: Opcode) -> Header {
    Header {
        opcode,
        flags: Flags::NONE,
        sequence: Sequence::NONE,
        acknowledgment: Sequence::NONE,
        virtual_router: 0,
        autonomous_system: AS,
    }
}

/// A route of the bandwidth of a gigabit.
pub fn route(prefix: Ipv4Net, distance: Option<u32>) -> RouteTlv {
    RouteTlv {
        next_hop: Ipv4Addr::UNSPECIFIED,
        metric: RouteMetric::Classic(ClassicMetric {
            delay: distance.map_or(ClassicMetric::UNREACHABLE, |tens| tens * 256),
            bandwidth: BANDWIDTH,
            mtu: 1500,
            hop_count: 1,
            reliability: 255,
            load: 1,
            internal_tag: 0,
            flags: 0,
        }),
        external: None,
        destinations: [prefix].into(),
    }
}
