//! A BGP speaker that a test plays: its TCP is real, and its messages are whatever octets the test writes.
#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking; each test file uses a part of this"
)]

use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

use ipnet::Ipv4Net;
use netconfarena_emu::bgp::PORT;
use netconfarena_emu::bgp::packet::{MessageType, Open, frame, keepalive};
use netconfarena_emu::ids::{LinkIndex, MacAddress, VrfId};
use netconfarena_emu::network::{ExternalPort, Network};
use netconfarena_emu::process::{Datagram, IpProtocol};
use netconfarena_emu::tcp::{Command, Endpoints, EventKind, Options, Output, Owner, Stack};
use netconfarena_emu::wire::{ArpOperation, ArpPacket, EtherType, EthernetHeader, Ipv4Header};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;

/// The longest message that is read.
const LIMIT: usize = 65_535;

/// A message as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    pub kind: MessageType,
    /// Header and body.
    pub octets: Vec<u8>,
}

impl Heard {
    /// Code, subcode and data, if it is a NOTIFICATION.
    pub fn notification(&self) -> Option<(u8, u8, &[u8])> {
        let [code, subcode, data @ ..] = self.octets.get(19..)? else { return None };
        (self.kind == MessageType::Notification).then_some((*code, *subcode, data))
    }
}

/// A speaker on a link of the network.
#[derive(Clone)]
pub struct Puppet {
    port: ExternalPort,
    address: Ipv4Addr,
    mac: MacAddress,
    router: (Ipv4Addr, MacAddress),
    stack: Stack,
    rng: ChaCha8Rng,
    /// The connection that it speaks on.
    line: Line,
    /// A connection besides, that the router has opened.
    accepted: Line,
}

/// A connection.
#[derive(Clone, Default)]
struct Line {
    endpoints: Option<Endpoints>,
    /// What TCP has no room for yet.
    waiting: Vec<u8>,
    stream: Vec<u8>,
    connected: bool,
}

impl Puppet {
    /// A speaker with an address on a link, whose peer is a router's interface there.
    pub fn new(
        network: &mut Network,
        link: LinkIndex,
        address: Ipv4Addr,
        router: (Ipv4Addr, MacAddress),
    ) -> Self {
        let [.., c, d] = address.octets();
        Self {
            port: network.add_external_port(link).unwrap(),
            address,
            mac: MacAddress([2, 0, 0, 0, c, d]),
            router,
            stack: Stack::default(),
            rng: ChaCha8Rng::seed_from_u64(u64::from(u32::from(address))),
            line: Line::default(),
            accepted: Line::default(),
        }
    }

    /// TCP is connected, and neither side has closed.
    pub fn connected(&self) -> bool {
        self.line.connected
    }

    /// Takes connections of the router, and speaks on them after [`Self::turn`].
    pub fn listen(&mut self, network: &mut Network) {
        let (vrf, port) = (VrfId::GLOBAL, PORT);
        let peers = vec![(Ipv4Net::from(self.router.0), Options { ttl: 255, ..Options::default() })];
        self.command(network, Command::Listen { vrf, port });
        self.command(network, Command::Admit { vrf, port, peers });
    }

    /// Speaks on the connection that the router has opened, or again on the one that it opened itself.
    pub fn turn(&mut self) {
        std::mem::swap(&mut self.line, &mut self.accepted);
    }

    /// Opens a connection and waits for it.
    pub fn connect(&mut self, network: &mut Network) {
        let port = Stack::ephemeral_port(&mut self.rng);
        let endpoints = Endpoints {
            vrf: VrfId::GLOBAL,
            local: SocketAddrV4::new(self.address, port),
            remote: SocketAddrV4::new(self.router.0, PORT),
        };
        self.line = Line { endpoints: Some(endpoints), ..Line::default() };
        let options = Options { ttl: 255, ..Options::default() };
        self.command(network, Command::Connect(endpoints, options));
        self.run(network, Duration::from_millis(50));
    }

    /// Writes octets; those that TCP has no room for follow when it has.
    pub fn send(&mut self, network: &mut Network, octets: &[u8]) {
        self.line.waiting.extend_from_slice(octets);
        self.push(network);
    }

    /// How many octets still wait for room.
    pub fn backlog(&self) -> usize {
        self.line.waiting.len()
    }

    fn push(&mut self, network: &mut Network) {
        let Some(endpoints) = self.line.endpoints.filter(|_| self.line.connected) else { return };
        let room = self.stack.connection(endpoints).map_or(0, |connection| connection.room());
        let count = room.min(self.line.waiting.len());
        if count > 0 {
            let octets: Vec<u8> = self.line.waiting.drain(..count).collect();
            self.command(network, Command::Send(endpoints, octets.into()));
        }
    }

    /// Closes the connection.
    pub fn close(&mut self, network: &mut Network) {
        if let Some(endpoints) = self.line.endpoints {
            self.command(network, Command::Close(endpoints));
        }
        self.line.connected = false;
    }

    /// Resets the connection.
    pub fn abort(&mut self, network: &mut Network) {
        if let Some(endpoints) = self.line.endpoints.take() {
            self.command(network, Command::Abort(endpoints));
        }
        self.line.connected = false;
    }

    /// Connects and goes through the handshake up to Established. What the router has said till then is forgotten.
    pub fn establish(&mut self, network: &mut Network, open: &Open) {
        self.connect(network);
        self.send(network, &open.message());
        self.run(network, Duration::from_millis(50));
        self.send(network, &keepalive());
        self.run(network, Duration::from_millis(50));
        self.heard();
    }

    /// The whole messages that have come since the last call.
    pub fn heard(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        let mut read = 0;
        while let Ok(Some(message)) = frame(&self.line.stream[read..], LIMIT) {
            let octets = self.line.stream[read..read + message.length()].to_vec();
            read += message.length();
            heard.push(Heard { kind: message.kind, octets });
        }
        self.line.stream.drain(..read);
        heard
    }

    /// Runs the network for a while, taking part in it.
    pub fn run(&mut self, network: &mut Network, span: Duration) {
        let end = network.now() + span;
        while let Some(next) = [network.next_event(), self.stack.next_deadline()]
            .into_iter()
            .flatten()
            .min()
            .filter(|&at| at <= end)
        {
            network.run_until(next);
            self.serve(network);
        }
        network.run_until(end);
    }

    /// Handles what has come and what is due.
    fn serve(&mut self, network: &mut Network) {
        for frame in network.take_outbox() {
            if frame.port == self.port {
                self.receive(network, &frame.frame);
            }
        }
        if self.stack.next_deadline().is_some_and(|at| at <= network.now()) {
            let mut output = Output::default();
            self.stack.run_timers(network.now(), &mut output);
            self.take(network, output);
        }
        self.push(network);
    }

    fn receive(&mut self, network: &mut Network, frame: &[u8]) {
        let Ok((ethernet, payload)) = EthernetHeader::parse(frame) else { return };
        if ethernet.ether_type == EtherType::ARP {
            let request = ArpPacket::parse(payload).unwrap();
            if request.operation == ArpOperation::Request && request.target == self.address {
                let reply = ArpPacket {
                    operation: ArpOperation::Reply,
                    sender_mac: self.mac,
                    sender: self.address,
                    target_mac: request.sender_mac,
                    target: request.sender,
                };
                self.inject(network, EtherType::ARP, &reply.emit());
            }
            return;
        }
        let Ok((header, payload)) = Ipv4Header::parse(payload) else { return };
        if header.protocol != IpProtocol::TCP || header.destination != self.address {
            return;
        }
        let datagram = Datagram {
            interface: None,
            source: header.source,
            destination: header.destination,
            protocol: header.protocol,
            ttl: header.ttl,
            tos: header.tos,
            dont_fragment: true,
            payload: payload.into(),
        };
        let mut output = Output::default();
        self.stack.receive(network.now(), &mut self.rng, VrfId::GLOBAL, &datagram, &mut output);
        self.take(network, output);
    }

    fn command(&mut self, network: &mut Network, command: Command) {
        let mut output = Output::default();
        self.stack.command(network.now(), &mut self.rng, Owner::Bgp, command, &mut output);
        self.take(network, output);
    }

    fn take(&mut self, network: &mut Network, output: Output) {
        for (_, datagram) in &output.datagrams {
            let ip = Ipv4Header {
                source: datagram.source,
                destination: datagram.destination,
                protocol: datagram.protocol,
                ttl: datagram.ttl,
                tos: datagram.tos,
                ident: 0,
                dont_fragment: true,
                more_fragments: false,
                fragment_offset: 0,
                options: Vec::new(),
            };
            self.inject(network, EtherType::IPV4, &ip.emit(&datagram.payload));
        }
        for (_, event) in output.events {
            if event.kind == EventKind::Accepted {
                self.accepted = Line { endpoints: Some(event.endpoints), connected: true, ..Line::default() };
                continue;
            }
            let lines = [&mut self.line, &mut self.accepted];
            let Some(line) = lines.into_iter().find(|line| line.endpoints == Some(event.endpoints)) else {
                continue;
            };
            match event.kind {
                EventKind::Connected => line.connected = true,
                EventKind::Received(octets) => line.stream.extend(octets),
                EventKind::PeerClosed => {
                    line.connected = false;
                    self.command(network, Command::Close(event.endpoints));
                }
                EventKind::Closed(_) => line.connected = false,
                EventKind::Accepted | EventKind::Writable => {}
            }
        }
    }

    fn inject(&self, network: &mut Network, ether_type: EtherType, payload: &[u8]) {
        let header = EthernetHeader { destination: self.router.1, source: self.mac, vlan: None, ether_type };
        network.inject(self.port, &header.emit(payload));
    }
}
