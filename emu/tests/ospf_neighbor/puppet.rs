//! A router between neighbors that a test plays: they say what the test tells them to, and note what they hear.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_emu::config::{InterfaceConfig, RouterConfig, Wildcard};
use netconfarena_emu::ids::{AreaId, IfIndex, MacAddress, NodeIndex, RouterId};
use netconfarena_emu::interface::InterfaceName;
use netconfarena_emu::network::{ExternalPort, LinkProperties, Network};
use netconfarena_emu::ospf::lsa::{
    LinkKind, LsAge, Lsa, LsaBody, LsaHeader, LsaKey, Options, SequenceNumber, SummaryLsa,
};
use netconfarena_emu::ospf::lsdb::{LsaEntry, Scope};
use netconfarena_emu::ospf::packet::{
    DatabaseDescription, DdFlags, Envelope, Hello, Packet, PacketBody, PacketKey,
};
use netconfarena_emu::ospf::{
    ALL_SPF_ROUTERS, AreaKind, NeighborState, NetworkStatement, NetworkType, OspfConfig, OspfInterfaceConfig,
    OspfInterfaceKey, OspfProcess,
};
use netconfarena_emu::process::IpProtocol;
use netconfarena_emu::time::Time;
use netconfarena_emu::wire::{ArpOperation, ArpPacket, EtherType, EthernetHeader, Ipv4Header};

use crate::lab::port;

/// The area of all links.
pub const AREA: AreaId = AreaId(0);

/// A packet that a neighbor has heard.
#[derive(Clone, Debug)]
pub struct Heard {
    pub at: Time,
    pub to: Ipv4Addr,
    pub body: PacketBody,
}

/// A neighbor played by the test.
pub struct Puppet {
    port: ExternalPort,
    pub id: RouterId,
    pub address: Ipv4Addr,
    mac: MacAddress,
    router_mac: MacAddress,
    next_hello: Time,
    /// It sends no hellos.
    pub silent: bool,
    /// Its hellos say that it is the DR.
    pub designated: bool,
    /// Its hellos ask for a demand circuit (RFC 1793).
    pub demand: bool,
    /// Its hellos say that it has restarted (RFC 4812).
    pub restart_signal: bool,
    /// Its hellos list R1.
    pub sees_r1: bool,
    /// What R1 floods is acknowledged.
    pub acknowledges: bool,
    /// What R1 asks for is sent.
    pub answers: bool,
    /// Descriptions are answered.
    pub describes: bool,
    /// What it tells in the exchange, and answers requests from.
    pub database: BTreeMap<LsaKey, Lsa>,
    /// Sequence number of its descriptions, as the master.
    pub sequence: u32,
    pub heard: Vec<Heard>,
}

/// R1, 1.1.1.1, with its played neighbors, each on a point-to-point cable.
pub struct Stage {
    pub network: Network,
    pub r1: NodeIndex,
    pub puppets: Vec<Puppet>,
}

fn towards(number: usize) -> InterfaceName {
    port(&format!("gi0/{number}"))
}

/// A summary LSA of 10.9.`net`.0/24 by 9.9.9.9, whom nobody reaches.
pub fn lsa(net: u8, sequence: i32) -> Lsa {
    let body = SummaryLsa { mask: Ipv4Addr::new(255, 255, 255, 0), metric: 7 };
    let by = RouterId(Ipv4Addr::new(9, 9, 9, 9));
    let id = Ipv4Addr::new(10, 9, net, 0);
    Lsa::new(id, by, Options::E, SequenceNumber(sequence), LsaBody::SummaryNetwork(body))
}

impl Stage {
    /// R1 and silent neighbors with these router ids; a greater id than 1.1.1.1 makes a master of the exchange.
    pub fn new(ids: &[Ipv4Addr], kind: AreaKind) -> Self {
        let mut network = Network::new(1);
        let ports: Vec<_> = (0..ids.len()).map(towards).collect();
        let r1 = network.add_router("R1", &ports);
        let everything = Wildcard::new(Ipv4Addr::UNSPECIFIED, Ipv4Addr::BROADCAST);
        let area = if kind == AreaKind::Normal { AREA } else { AreaId(1) };
        let mut ospf = OspfConfig {
            router_id: Some(RouterId(Ipv4Addr::new(1, 1, 1, 1))),
            networks: vec![NetworkStatement { wildcard: everything, area }],
            ..OspfConfig::default()
        };
        ospf.areas.entry(area).or_default().kind = kind;
        let mut config = RouterConfig::default();
        config.ospf.insert(1, ospf);
        let mut stage = Self { network, r1, puppets: Vec::new() };
        for (number, &id) in ids.iter().enumerate() {
            let link = stage.network.add_link(LinkProperties::ethernet(), &[(r1, towards(number))]).unwrap();
            let mut interface = InterfaceConfig {
                address: Some(format!("10.0.{number}.1/24").parse().unwrap()),
                ..InterfaceConfig::default()
            };
            interface.ospf.network_type = Some(NetworkType::PointToPoint);
            config.interfaces.insert(towards(number), interface);
            stage.puppets.push(Puppet {
                port: stage.network.add_external_port(link).unwrap(),
                id: RouterId(id),
                address: format!("10.0.{number}.2").parse().unwrap(),
                mac: MacAddress([2, 0, 0, 0, 0, u8::try_from(number).unwrap()]),
                router_mac: stage.network.router(r1).interfaces().by_name(towards(number)).unwrap().mac,
                next_hello: Time::from_secs(1),
                silent: false,
                designated: false,
                demand: false,
                restart_signal: false,
                sees_r1: true,
                acknowledges: true,
                answers: true,
                describes: true,
                database: BTreeMap::new(),
                sequence: 100,
                heard: Vec::new(),
            });
        }
        stage.network.configure(r1, config);
        stage
    }

    /// R1 with as many neighbors as told, all Full.
    pub fn full(count: u8) -> Self {
        let ids: Vec<Ipv4Addr> = (2..2 + count).map(|n| Ipv4Addr::new(n, n, n, n)).collect();
        let mut stage = Self::new(&ids, AreaKind::Normal);
        stage.run(20_000);
        for number in 0..usize::from(count) {
            assert_eq!(stage.state(number), Some(NeighborState::Full), "neighbor {number}");
        }
        stage.forget();
        stage
    }

    pub fn ospf(&self) -> &OspfProcess {
        self.network.router(self.r1).ospf(1).unwrap()
    }

    /// The state of a neighbor at R1.
    pub fn state(&self, number: usize) -> Option<NeighborState> {
        let index: IfIndex = self.network.router(self.r1).interfaces().by_name(towards(number))?.index;
        let interface = self.ospf().interfaces.get(&OspfInterfaceKey::Physical(index))?;
        interface.neighbors.values().next().map(|neighbor| neighbor.state)
    }

    /// Whether R1's router LSA tells of the adjacency with a neighbor.
    pub fn tells_of(&self, number: usize) -> bool {
        let database = self.ospf().lsdb.area(AREA).unwrap();
        let own = database.router_lsa(RouterId(Ipv4Addr::new(1, 1, 1, 1))).unwrap();
        let mut links = own.lsa.as_router().unwrap().links.iter();
        links.any(|link| link.kind == LinkKind::PointToPoint && link.id == self.puppets[number].id.0)
    }

    /// Changes R1's configuration.
    pub fn configure(&mut self, change: impl FnOnce(&mut OspfConfig)) {
        let mut config = RouterConfig::clone(self.network.router(self.r1).config());
        change(config.ospf.get_mut(&1).unwrap());
        self.network.configure(self.r1, config);
    }

    /// Changes the configuration of R1's interface to a neighbor.
    pub fn configure_interface(&mut self, number: usize, change: impl FnOnce(&mut OspfInterfaceConfig)) {
        let mut config = RouterConfig::clone(self.network.router(self.r1).config());
        change(&mut config.interfaces.get_mut(&towards(number)).unwrap().ospf);
        self.network.configure(self.r1, config);
    }

    /// What R1's database has of an LSA.
    pub fn entry(&self, lsa: &Lsa) -> Option<&LsaEntry> {
        self.ospf().lsdb.get(Scope::Area(AREA), &lsa.key())
    }

    /// Runs, while the puppets send hellos, answer ARP and do what they are set to.
    pub fn run(&mut self, millis: u64) {
        let end = self.network.now() + Duration::from_millis(millis);
        loop {
            self.send_due_hellos();
            let hellos = self.puppets.iter().map(|puppet| puppet.next_hello);
            let next = self.network.next_event().into_iter().chain(hellos).min();
            let Some(next) = next.filter(|&at| at <= end) else { break };
            self.network.run_until(next);
            self.pump();
        }
        self.network.run_until(end);
    }

    fn send_due_hellos(&mut self) {
        let now = self.network.now();
        for number in 0..self.puppets.len() {
            if self.puppets[number].next_hello <= now {
                self.puppets[number].next_hello = now + Duration::from_secs(10);
                if !self.puppets[number].silent {
                    self.hello(number, |_| {});
                }
            }
        }
    }

    /// Sends a hello, changed as told.
    pub fn hello(&mut self, number: usize, change: impl FnOnce(&mut Hello)) {
        let r1 = RouterId(Ipv4Addr::new(1, 1, 1, 1));
        let mut hello = Hello {
            network_mask: Ipv4Addr::new(255, 255, 255, 0),
            hello_interval: 10,
            options: Options::E,
            priority: 1,
            dead_interval: 40,
            designated_router: Ipv4Addr::UNSPECIFIED,
            backup_designated_router: Ipv4Addr::UNSPECIFIED,
            neighbors: if self.puppets[number].sees_r1 { vec![r1] } else { Vec::new() },
        };
        if self.ospf().areas.keys().any(|&area| area != AREA) {
            hello.options = Options::NONE;
        }
        if self.puppets[number].restart_signal {
            hello.options = hello.options | Options::L;
        }
        if self.puppets[number].designated {
            hello.designated_router = self.puppets[number].address;
        }
        if self.puppets[number].demand {
            hello.options = hello.options | Options::DC;
        }
        change(&mut hello);
        self.say(number, PacketBody::Hello(hello));
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
        if ethernet.ether_type == EtherType::ARP {
            self.answer_arp(number, &ArpPacket::parse(payload).unwrap());
            return;
        }
        let (header, payload) = Ipv4Header::parse(payload).unwrap();
        if header.protocol != IpProtocol::OSPF {
            return;
        }
        let body = Envelope::parse(payload).unwrap().body().unwrap();
        let heard = Heard { at: self.network.now(), to: header.destination, body: body.clone() };
        self.puppets[number].heard.push(heard);
        match body {
            PacketBody::DatabaseDescription(description) if self.puppets[number].describes => {
                self.answer_description(number, &description);
            }
            PacketBody::LinkStateRequest(keys) if self.puppets[number].answers => {
                let database = &self.puppets[number].database;
                let asked = keys.iter().filter_map(|key| database.get(key));
                let lsas = asked.map(|lsa| (LsAge::from_secs(1), lsa.clone())).collect();
                self.say(number, PacketBody::LinkStateUpdate(lsas));
            }
            PacketBody::LinkStateUpdate(lsas) if self.puppets[number].acknowledges => {
                let headers = lsas.iter().map(|(age, lsa)| lsa.header(*age)).collect();
                self.say(number, PacketBody::LinkStateAck(headers));
            }
            _ => {}
        }
    }

    /// The master's part of the exchange (section 10.8): the first description, then one with the whole database, then empty ones until R1
    /// has told everything.
    fn answer_description(&mut self, number: usize, heard: &DatabaseDescription) {
        let puppet = &mut self.puppets[number];
        let first = heard.flags.init;
        if !first && heard.sequence == puppet.sequence && !heard.flags.more && puppet.sequence > 100 {
            return;
        }
        puppet.sequence = if first { 100 } else { heard.sequence + 1 };
        let headers: Vec<LsaHeader> = match puppet.sequence {
            101 => puppet.database.values().map(|lsa| lsa.header(LsAge::from_secs(1))).collect(),
            _ => Vec::new(),
        };
        let flags = DdFlags { init: first, more: first, master: true };
        let sequence = puppet.sequence;
        self.describe(number, flags, sequence, headers);
    }

    /// Sends a database description.
    pub fn describe(&mut self, number: usize, flags: DdFlags, sequence: u32, headers: Vec<LsaHeader>) {
        let options = if self.ospf().areas.contains_key(&AREA) { Options::E } else { Options::NONE };
        let description = DatabaseDescription { mtu: 1500, options, flags, sequence, headers };
        self.say(number, PacketBody::DatabaseDescription(description));
    }

    fn answer_arp(&mut self, number: usize, request: &ArpPacket) {
        let puppet = &self.puppets[number];
        if request.operation != ArpOperation::Request || request.target != puppet.address {
            return;
        }
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

    /// Puts a packet on the link; hellos and acknowledgements to all, others to R1.
    pub fn say(&mut self, number: usize, body: PacketBody) {
        let to_all = matches!(body, PacketBody::Hello(_) | PacketBody::LinkStateAck(_));
        let area = *self.ospf().areas.keys().next().unwrap_or(&AREA);
        let puppet = &self.puppets[number];
        let signals = puppet.restart_signal && matches!(body, PacketBody::Hello(_));
        let packet = Packet { router_id: puppet.id, area, body, lls: signals.then_some(3) };
        let [a, b, c, _] = puppet.address.octets();
        let ip = Ipv4Header {
            source: puppet.address,
            destination: if to_all { ALL_SPF_ROUTERS } else { Ipv4Addr::new(a, b, c, 1) },
            protocol: IpProtocol::OSPF,
            ttl: 1,
            tos: 0xC0,
            ident: 0,
            dont_fragment: false,
            more_fragments: false,
            fragment_offset: 0,
            options: Vec::new(),
        };
        let ethernet = EthernetHeader {
            destination: if to_all { MacAddress::of_multicast(ALL_SPF_ROUTERS) } else { puppet.router_mac },
            source: puppet.mac,
            vlan: None,
            ether_type: EtherType::IPV4,
        };
        let octets = packet.emit(&PacketKey::Null, 0);
        self.network.inject(puppet.port, &ethernet.emit(&ip.emit(&octets)));
    }

    /// Floods LSAs to R1.
    pub fn flood(&mut self, number: usize, age: LsAge, lsas: &[Lsa]) {
        let lsas = lsas.iter().map(|lsa| (age, lsa.clone())).collect();
        self.say(number, PacketBody::LinkStateUpdate(lsas));
    }

    /// What a neighbor has heard of an LSA by updates.
    pub fn updates(&self, number: usize, lsa: &Lsa) -> Vec<(Time, Ipv4Addr, LsAge, SequenceNumber)> {
        let mut found = Vec::new();
        for heard in &self.puppets[number].heard {
            let PacketBody::LinkStateUpdate(lsas) = &heard.body else { continue };
            for (age, other) in lsas.iter().filter(|(_, other)| other.key() == lsa.key()) {
                found.push((heard.at, heard.to, *age, other.sequence()));
            }
        }
        found
    }

    /// The acknowledgements that a neighbor has heard: when, to whom, how many LSAs each.
    pub fn acks(&self, number: usize) -> Vec<(Time, Ipv4Addr, usize)> {
        let of = |heard: &Heard| match &heard.body {
            PacketBody::LinkStateAck(headers) => Some((heard.at, heard.to, headers.len())),
            _ => None,
        };
        self.puppets[number].heard.iter().filter_map(of).collect()
    }

    pub fn forget(&mut self) {
        self.puppets.iter_mut().for_each(|puppet| puppet.heard.clear());
    }
}
