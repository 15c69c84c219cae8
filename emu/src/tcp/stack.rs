//! The listeners and connections of one router.

use std::collections::{BTreeMap, BTreeSet};
use std::net::{Ipv4Addr, SocketAddrV4};

use ipnet::Ipv4Net;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::connection::reset_for;
use super::{
    Command, Connection, Endpoints, Event, MalformedSegment, Options, Owner, Segment, State, TcpLogEvent,
};
use crate::ids::VrfId;
use crate::process::{Datagram, IpProtocol};
use crate::time::{Time, Timers};

/// What the stack wants done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// Packets to send, each in a VRF.
    pub datagrams: Vec<(VrfId, Datagram)>,
    /// What to tell the owners.
    pub events: Vec<(Owner, Event)>,
    /// What to log.
    pub log: Vec<TcpLogEvent>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    owner: Owner,
    connection: Connection,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Listener {
    owner: Option<Owner>,
    peers: Vec<(Ipv4Net, Options)>,
}

impl Listener {
    fn options_for(&self, peer: Ipv4Addr) -> Option<&Options> {
        let candidates = self.peers.iter().filter(|(net, _)| net.contains(&peer));
        candidates.max_by_key(|(net, _)| net.prefix_len()).map(|(_, options)| options)
    }
}

/// The TCP of one router.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stack {
    connections: BTreeMap<Endpoints, Entry>,
    listeners: BTreeMap<(VrfId, u16), Listener>,
    timers: Timers<Endpoints>,
}

impl Stack {
    /// The first port of those that [`Stack::ephemeral_port`] gives.
    const EPHEMERAL: u16 = 11000;

    /// The connection of these endpoints.
    #[must_use]
    pub fn connection(&self, endpoints: Endpoints) -> Option<&Connection> {
        self.connections.get(&endpoints).map(|entry| &entry.connection)
    }

    /// All connections (`show tcp brief`).
    pub fn connections(&self) -> impl Iterator<Item = (Endpoints, &Connection)> {
        self.connections.iter().map(|(&endpoints, entry)| (endpoints, &entry.connection))
    }

    /// A local port for an active open, as IOS draws them: at random from 11000 on.
    #[must_use]
    pub fn ephemeral_port(rng: &mut ChaCha8Rng) -> u16 {
        // The remainder is below 54000.
        Self::EPHEMERAL + (rng.next_u32() % 54_000) as u16
    }

    /// When [`Stack::run_timers`] is wanted.
    #[must_use]
    pub fn next_deadline(&self) -> Option<Time> {
        self.timers.next_deadline()
    }

    /// Carries out an owner's command.
    pub fn command(
        &mut self,
        now: Time,
        rng: &mut ChaCha8Rng,
        owner: Owner,
        command: Command,
        output: &mut Output,
    ) {
        match command {
            Command::Listen { vrf, port } => {
                self.listeners.entry((vrf, port)).or_default().owner = Some(owner)
            }
            Command::Unlisten { vrf, port } => {
                self.listeners.remove(&(vrf, port));
            }
            Command::Admit { vrf, port, peers } => {
                self.listeners.entry((vrf, port)).or_default().peers = peers
            }
            Command::Connect(endpoints, options) => {
                let ports = (endpoints.local.port(), endpoints.remote.port());
                let connection = Connection::connect(now, ports, rng.next_u32(), options);
                self.connections.insert(endpoints, Entry { owner, connection });
                self.flush(now, endpoints, output);
            }
            Command::Send(endpoints, data) => {
                if let Some(entry) = self.connections.get_mut(&endpoints) {
                    entry.connection.send(&data);
                    self.flush(now, endpoints, output);
                }
            }
            Command::Close(endpoints) => {
                if let Some(entry) = self.connections.get_mut(&endpoints) {
                    entry.connection.close();
                    self.flush(now, endpoints, output);
                }
            }
            Command::Abort(endpoints) => {
                if let Some(entry) = self.connections.get_mut(&endpoints) {
                    if let Some(reset) = entry.connection.abort() {
                        transmit(endpoints, entry.connection.options(), &reset, output);
                    }
                    self.flush(now, endpoints, output);
                }
            }
        }
    }

    /// Takes a datagram in that has arrived in `vrf` for one of the router's addresses.
    pub fn receive(
        &mut self,
        now: Time,
        rng: &mut ChaCha8Rng,
        vrf: VrfId,
        datagram: &Datagram,
        output: &mut Output,
    ) {
        let Some((source_port, destination_port)) = Segment::peek_ports(&datagram.payload) else { return };
        let endpoints = Endpoints {
            vrf,
            local: SocketAddrV4::new(datagram.destination, destination_port),
            remote: SocketAddrV4::new(datagram.source, source_port),
        };
        let known = self.connections.get(&endpoints).map(|entry| entry.connection.options());
        let admitted = || self.listeners.get(&(vrf, destination_port))?.options_for(datagram.source);
        let options = known.or_else(admitted).cloned();
        let key = options.as_ref().and_then(|o| o.md5.as_deref());
        if options.as_ref().is_some_and(|o| datagram.ttl < o.minimum_ttl) {
            return;
        }
        let parsed = Segment::parse(&datagram.payload, datagram.source, datagram.destination, key);
        match parsed {
            Ok(segment) => self.dispatch(now, rng, endpoints, segment, options, output),
            Err(error @ (MalformedSegment::NoSignature | MalformedSegment::BadSignature)) => {
                output.log.push(TcpLogEvent::BadAuthentication {
                    invalid: error == MalformedSegment::BadSignature,
                    from: (datagram.source, source_port),
                    to: (datagram.destination, destination_port),
                });
            }
            Err(_) => {}
        }
    }

    fn dispatch(
        &mut self,
        now: Time,
        rng: &mut ChaCha8Rng,
        endpoints: Endpoints,
        segment: Segment,
        options: Option<Options>,
        output: &mut Output,
    ) {
        let fresh_syn = segment.flags.syn && !segment.flags.ack && !segment.flags.rst;
        // RFC 9293 section 3.10.7.4: a new SYN may end TIME-WAIT.
        if fresh_syn
            && self.connections.get(&endpoints).is_some_and(|e| e.connection.state() == State::TimeWait)
        {
            self.forget(endpoints);
        }
        if let Some(entry) = self.connections.get_mut(&endpoints) {
            let mut events = Vec::new();
            let reset = entry.connection.receive(now, segment, &mut events);
            if let Some(reset) = reset {
                transmit(endpoints, entry.connection.options(), &reset, output);
            }
            let owner = entry.owner;
            output.events.extend(events.into_iter().map(|kind| (owner, Event { endpoints, kind })));
            self.flush(now, endpoints, output);
            return;
        }
        let listener = self.listeners.get(&(endpoints.vrf, endpoints.local.port()));
        match (listener.and_then(|l| l.owner), options) {
            (Some(owner), Some(options)) if fresh_syn => {
                let connection = Connection::accept(now, &segment, rng.next_u32(), options);
                self.connections.insert(endpoints, Entry { owner, connection });
                self.flush(now, endpoints, output);
            }
            (_, options) if !segment.flags.rst => {
                transmit(endpoints, &options.unwrap_or_default(), &reset_for(&segment), output);
            }
            _ => {}
        }
    }

    /// Runs every timer that is due.
    pub fn run_timers(&mut self, now: Time, output: &mut Output) {
        let mut due = BTreeSet::new();
        while let Some(endpoints) = self.timers.pop_expired(now) {
            due.insert(endpoints);
        }
        for endpoints in due {
            let Some(entry) = self.connections.get_mut(&endpoints) else { continue };
            let mut events = Vec::new();
            if let Some(keepalive) = entry.connection.run_timers(now, &mut events) {
                transmit(endpoints, entry.connection.options(), &keepalive, output);
            }
            let owner = entry.owner;
            output.events.extend(events.into_iter().map(|kind| (owner, Event { endpoints, kind })));
            self.flush(now, endpoints, output);
        }
    }

    /// Sends what the connection has to send, and follows its timers; forgets it if it is closed.
    fn flush(&mut self, now: Time, endpoints: Endpoints, output: &mut Output) {
        let Some(entry) = self.connections.get_mut(&endpoints) else { return };
        while let Some(segment) = entry.connection.poll(now) {
            transmit(endpoints, entry.connection.options(), &segment, output);
        }
        if entry.connection.state() == State::Closed {
            self.forget(endpoints);
            return;
        }
        match entry.connection.next_deadline() {
            Some(at) => self.timers.set(endpoints, at),
            None => self.timers.cancel(endpoints),
        }
    }

    fn forget(&mut self, endpoints: Endpoints) {
        self.connections.remove(&endpoints);
        self.timers.cancel(endpoints);
    }
}

/// The answer to a segment for a port that nothing listens to, where there is no stack (RFC 9293 section 3.10.7.1).
#[must_use]
pub fn refuse(datagram: &Datagram) -> Option<Datagram> {
    let segment = Segment::parse(&datagram.payload, datagram.source, datagram.destination, None).ok()?;
    if segment.flags.rst {
        return None;
    }
    let (source, destination) = (datagram.destination, datagram.source);
    Some(Datagram {
        interface: None,
        source,
        destination,
        protocol: IpProtocol::TCP,
        ttl: Options::default().ttl,
        tos: 0,
        dont_fragment: false,
        payload: reset_for(&segment).emit(source, destination, None).into(),
    })
}

fn transmit(endpoints: Endpoints, options: &Options, segment: &Segment, output: &mut Output) {
    let (source, destination) = (*endpoints.local.ip(), *endpoints.remote.ip());
    let datagram = Datagram {
        interface: None,
        source,
        destination,
        protocol: IpProtocol::TCP,
        ttl: options.ttl,
        tos: options.tos,
        dont_fragment: true,
        payload: segment.emit(source, destination, options.md5.as_deref()).into(),
    };
    output.datagrams.push((endpoints.vrf, datagram));
}
