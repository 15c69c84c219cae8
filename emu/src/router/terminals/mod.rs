//! Terminals over the network: connections to the router's virtual terminals, and those that operators have opened from here.
//!
//! | file | what it does |
//! |---|---|
//! | `mod.rs` | the state, octets in and out, timers |
//! | `admission.rs` | who may connect to a line, and where sessions on a line may connect to |
//!
//! What is said on a connection is the dialect's concern: it reads and writes octets. SSH's port sends no more than the server's
//! identification (RFC 4253 section 4.2), since nobody in the network speaks more of SSH.

mod admission;

use std::collections::{BTreeMap, VecDeque};
use std::net::{Ipv4Addr, SocketAddrV4};
use std::time::Duration;

use ipnet::Ipv4Net;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

pub use admission::CallRefusal;

use super::Router;
use crate::config::{Line, TransportProtocol};
use crate::ids::VrfId;
use crate::process::Datagram;
use crate::tcp::{
    CloseReason, Command, Endpoints, Event, EventKind, Options, Output, Owner, Segment, Stack, State,
};
use crate::time::Time;

/// How long a login may take: IOS's `timeout login response`.
const LOGIN: Duration = Duration::from_secs(30);

/// How many octets wait to be read at one end of a connection; a peer that sends more loses them, and its connection.
const MOST_WAITING: usize = 1 << 20;

/// How many connections operators may have open from one router.
const MOST_CALLS: usize = 64;

/// Payload of segments where the way is not known: IOS's default for what is not on a connected network.
const MSS: u16 = 536;

/// What an SSH server says first.
const SSH_IDENTIFICATION: &[u8] = b"SSH-2.0-Cisco-1.25\r\n";

/// A connection to a virtual terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// The two sockets, ours first.
    pub endpoints: Endpoints,
    /// By which protocol it came.
    pub protocol: TransportProtocol,
    /// The handshake is done.
    pub established: bool,
    received: Vec<u8>,
    last_input: Time,
}

/// How a connection that an operator has opened stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum CallState {
    /// The SYN is on its way.
    Opening,
    /// Established.
    Open,
    /// The other end has closed it, or it is gone.
    Closed(CloseReason),
}

/// A connection that an operator has opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// How it stands.
    pub state: CallState,
    /// How many octets have come in.
    pub octets_in: u64,
    received: Vec<u8>,
}

/// The connections of a router's terminals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Terminals {
    tcp: Stack,
    visits: BTreeMap<u16, Visit>,
    calls: BTreeMap<Endpoints, Call>,
    /// Packets to send. They wait here because one for the router itself comes back while another is being sent.
    outbox: VecDeque<(VrfId, Datagram)>,
    sending: bool,
    /// The modulus of the RSA key without which there is no SSH server. It outlives a restart.
    pub(super) host_key: Option<u16>,
}

impl Terminals {
    /// The virtual terminal that a connection has.
    fn line_of(&self, endpoints: Endpoints) -> Option<u16> {
        self.visits.iter().find(|(_, visit)| visit.endpoints == endpoints).map(|(&line, _)| line)
    }

    /// Takes what TCP tells; gives what is to be done in return.
    fn note(&mut self, now: Time, event: Event) -> Option<Command> {
        let Event { endpoints, kind } = event;
        if let Some(call) = self.calls.get_mut(&endpoints) {
            return call.note(endpoints, kind);
        }
        let line = self.line_of(endpoints)?;
        self.visits.get_mut(&line)?.note(now, kind)
    }

    /// Lines whose connection is gone, or is only waited for.
    fn ended(&self) -> Vec<u16> {
        let lives = |visit: &Visit| {
            let state = self.tcp.connection(visit.endpoints).map(|connection| connection.state());
            state.is_some_and(|state| {
                matches!(state, State::SynReceived | State::Established | State::CloseWait)
            })
        };
        self.visits.iter().filter(|(_, visit)| !lives(visit)).map(|(&line, _)| line).collect()
    }
}

impl Call {
    fn note(&mut self, endpoints: Endpoints, kind: EventKind) -> Option<Command> {
        match kind {
            EventKind::Connected => self.state = CallState::Open,
            EventKind::Received(octets) => {
                self.octets_in += u64::try_from(octets.len()).unwrap_or(u64::MAX);
                if self.received.len() + octets.len() > MOST_WAITING {
                    self.state = CallState::Closed(CloseReason::Reset);
                    return Some(Command::Abort(endpoints));
                }
                self.received.extend(octets);
            }
            EventKind::PeerClosed => {
                self.state = CallState::Closed(CloseReason::Finished);
                return Some(Command::Close(endpoints));
            }
            EventKind::Closed(reason) if !matches!(self.state, CallState::Closed(_)) => {
                self.state = CallState::Closed(reason);
            }
            EventKind::Accepted | EventKind::Writable | EventKind::Closed(_) => {}
        }
        None
    }
}

impl Visit {
    /// Whether a whole line has come in that was not read yet.
    #[must_use]
    pub fn has_line(&self) -> bool {
        self.received.contains(&b'\n')
    }

    fn note(&mut self, now: Time, kind: EventKind) -> Option<Command> {
        match kind {
            EventKind::Accepted => {
                (self.established, self.last_input) = (true, now);
                let greets = self.protocol == TransportProtocol::Ssh;
                greets.then(|| Command::Send(self.endpoints, SSH_IDENTIFICATION.into()))
            }
            // Who answers the identification is no SSH client that we know.
            EventKind::Received(_) if self.protocol == TransportProtocol::Ssh => {
                Some(Command::Close(self.endpoints))
            }
            EventKind::Received(octets) => {
                self.last_input = now;
                if self.received.len() + octets.len() > MOST_WAITING {
                    return Some(Command::Abort(self.endpoints));
                }
                self.received.extend(octets);
                None
            }
            EventKind::PeerClosed => Some(Command::Close(self.endpoints)),
            EventKind::Connected | EventKind::Writable | EventKind::Closed(_) => None,
        }
    }
}

impl Router {
    /// A TCP segment has come for this router; tells whether it belongs to a terminal's connection or opens one.
    pub(crate) fn terminals_receive(&mut self, now: Time, vrf: VrfId, datagram: &Datagram) -> bool {
        let Some((source, destination)) = Segment::peek_ports(&datagram.payload) else { return false };
        let endpoints = Endpoints {
            vrf,
            local: SocketAddrV4::new(datagram.destination, destination),
            remote: SocketAddrV4::new(datagram.source, source),
        };
        let known = self.terminals.tcp.connection(endpoints).is_some();
        if !known && !self.opens_visit(now, endpoints, datagram) {
            return false;
        }
        self.with_tcp(now, |tcp, rng, output| tcp.receive(now, rng, vrf, datagram, output));
        true
    }

    /// Whether a segment without a connection opens one to a virtual terminal, which is then taken.
    fn opens_visit(&mut self, now: Time, endpoints: Endpoints, datagram: &Datagram) -> bool {
        let parsed = Segment::parse(&datagram.payload, datagram.source, datagram.destination, None);
        let opens = parsed.is_ok_and(|s| s.flags.syn && !s.flags.ack && !s.flags.rst);
        let protocol = match endpoints.local.port() {
            TELNET => TransportProtocol::Telnet,
            SSH => TransportProtocol::Ssh,
            _ => return false,
        };
        if !opens {
            return false;
        }
        let Some(line) = self.admit(now, endpoints, protocol, datagram.tos) else { return false };
        let (vrf, port) = (endpoints.vrf, endpoints.local.port());
        let anyone = Ipv4Net::new_assert(Ipv4Addr::UNSPECIFIED, 0);
        let options = Options { mss: MSS, ..Options::default() };
        for command in
            [Command::Listen { vrf, port }, Command::Admit { vrf, port, peers: vec![(anyone, options)] }]
        {
            self.command_tcp(now, command);
        }
        let visit = Visit { endpoints, protocol, established: false, received: Vec::new(), last_input: now };
        self.terminals.visits.insert(line, visit);
        true
    }

    /// Opens a connection for an operator; `None` if there are too many. Nothing is asked here about whether it may be.
    pub(crate) fn call(
        &mut self,
        now: Time,
        vrf: VrfId,
        local: Ipv4Addr,
        remote: SocketAddrV4,
    ) -> Option<Endpoints> {
        let calls = &mut self.terminals.calls;
        if calls.len() >= MOST_CALLS {
            calls.retain(|_, call| !matches!(call.state, CallState::Closed(_)));
        }
        if calls.len() >= MOST_CALLS {
            return None;
        }
        let port = Stack::ephemeral_port(&mut self.rng);
        let endpoints = Endpoints { vrf, local: SocketAddrV4::new(local, port), remote };
        let call = Call { state: CallState::Opening, octets_in: 0, received: Vec::new() };
        self.terminals.calls.insert(endpoints, call);
        self.operations.await_tcp((port, remote.port()));
        self.command_tcp(now, Command::Connect(endpoints, Options { mss: MSS, ..Options::default() }));
        Some(endpoints)
    }

    /// Sends octets on a connection of a terminal.
    pub(crate) fn write_terminal(&mut self, now: Time, endpoints: Endpoints, octets: &[u8]) {
        self.command_tcp(now, Command::Send(endpoints, octets.into()));
    }

    /// Closes a connection of a terminal; what was written is still sent.
    pub(crate) fn close_terminal(&mut self, now: Time, endpoints: Endpoints) {
        let opening =
            self.terminals.calls.remove(&endpoints).is_some_and(|call| call.state == CallState::Opening);
        let command = if opening { Command::Abort(endpoints) } else { Command::Close(endpoints) };
        self.command_tcp(now, command);
    }

    /// Octets that have come in on a connection of a terminal and were not taken yet.
    pub(crate) fn take_terminal_input(&mut self, endpoints: Endpoints) -> Vec<u8> {
        if let Some(call) = self.terminals.calls.get_mut(&endpoints) {
            return std::mem::take(&mut call.received);
        }
        let line = self.terminals.line_of(endpoints);
        let visit = line.and_then(|line| self.terminals.visits.get_mut(&line));
        visit.map(|visit| std::mem::take(&mut visit.received)).unwrap_or_default()
    }

    /// The connections to virtual terminals, by their numbers.
    pub fn visits(&self) -> impl Iterator<Item = (u16, &Visit)> {
        self.terminals.visits.iter().map(|(&line, visit)| (line, visit))
    }

    /// A connection that an operator has opened, until it is closed from here.
    #[must_use]
    pub fn call_at(&self, endpoints: Endpoints) -> Option<&Call> {
        self.terminals.calls.get(&endpoints)
    }

    /// Ends the session on a virtual terminal (`clear line vty N`); tells whether there was a connection.
    pub(crate) fn clear_visit(&mut self, now: Time, line: u16) -> bool {
        let endpoints = self.terminals.visits.get(&line).map(|visit| visit.endpoints);
        if let Some(endpoints) = endpoints {
            self.close_terminal(now, endpoints);
        }
        endpoints.is_some()
    }

    /// When the terminals next want to be woken.
    pub(super) fn terminals_deadline(&self) -> Option<Time> {
        let idle = self.terminals.visits.iter().filter_map(|(&line, visit)| self.idle_end(line, visit));
        idle.chain(self.terminals.tcp.next_deadline()).min()
    }

    /// When a session on a virtual terminal ends because nobody types.
    fn idle_end(&self, line: u16, visit: &Visit) -> Option<Time> {
        let logged_in = self.operators.is_used(line);
        let limit = if logged_in { self.config.lines.of(Line::Vty(line)).idle_limit()? } else { LOGIN };
        let closing = self.terminals.tcp.connection(visit.endpoints)?.state() != State::Established;
        (visit.established && !closing).then(|| visit.last_input + limit)
    }

    /// A deadline may have come.
    pub(super) fn run_terminal_timers(&mut self, now: Time) {
        if self.terminals_deadline().is_none_or(|at| at > now) {
            return;
        }
        let due = |(line, visit): (&u16, &Visit)| {
            self.idle_end(*line, visit).filter(|at| *at <= now).map(|_| visit.endpoints)
        };
        let idle: Vec<Endpoints> = self.terminals.visits.iter().filter_map(due).collect();
        idle.into_iter().for_each(|endpoints| self.close_terminal(now, endpoints));
        self.with_tcp(now, |tcp, _, output| tcp.run_timers(now, output));
    }

    fn command_tcp(&mut self, now: Time, command: Command) {
        self.with_tcp(now, |tcp, rng, output| tcp.command(now, rng, Owner::Terminal, command, output));
    }

    /// Lets TCP do something, and does what follows from it.
    fn with_tcp(&mut self, now: Time, act: impl FnOnce(&mut Stack, &mut ChaCha8Rng, &mut Output)) {
        let mut output = Output::default();
        act(&mut self.terminals.tcp, &mut self.rng, &mut output);
        let mut wanted = VecDeque::new();
        loop {
            self.terminals.outbox.extend(std::mem::take(&mut output.datagrams));
            for (_, event) in std::mem::take(&mut output.events) {
                wanted.extend(self.terminals.note(now, event));
            }
            let Some(command) = wanted.pop_front() else { break };
            self.terminals.tcp.command(now, &mut self.rng, Owner::Terminal, command, &mut output);
        }
        for line in self.terminals.ended() {
            self.terminals.visits.remove(&line);
            self.set_line_user(line, None);
        }
        if std::mem::replace(&mut self.terminals.sending, true) {
            return;
        }
        while let Some((vrf, datagram)) = self.terminals.outbox.pop_front() {
            self.send_datagram(now, vrf, &datagram);
        }
        self.terminals.sending = false;
    }
}

/// The port of telnet.
pub const TELNET: u16 = 23;

/// The port of SSH.
pub const SSH: u16 = 22;
