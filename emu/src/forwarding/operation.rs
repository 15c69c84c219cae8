//! Probes of an operator: one at a time, sent by a router and answered by an ICMP message or a TCP segment.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::tcp_probe;
use crate::ids::VrfId;
use crate::process::{Datagram, IpProtocol};
use crate::router::Router;
use crate::time::Time;
use crate::wire::{IcmpMessage, UdpHeader, UnreachableCode};

/// What was heard of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ProbeAnswer {
    /// When.
    pub at: Time,
    /// From whom.
    pub from: Ipv4Addr,
    /// What.
    pub kind: ProbeAnswerKind,
}

/// What was heard of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum ProbeAnswerKind {
    /// An echo reply.
    Echo,
    /// Time exceeded.
    TimeExceeded,
    /// Destination unreachable.
    Unreachable(UnreachableCode),
    /// A SYN with an acknowledgment.
    Open,
    /// A reset.
    Refused,
}

/// What a probe looks like in the packet that an ICMP error quotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Mark {
    Echo { ident: u16, sequence: u16 },
    Udp { source: u16, destination: u16 },
    Tcp { source: u16, destination: u16 },
}

/// The probe that a router waits for, and what it heard.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Operations {
    awaited: Option<Mark>,
    answer: Option<ProbeAnswer>,
    next: u16,
}

/// A probe to send.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Probe {
    pub vrf: VrfId,
    pub source: Option<Ipv4Addr>,
    pub destination: Ipv4Addr,
    pub ttl: u8,
    pub tos: u8,
    pub dont_fragment: bool,
    /// The size of an echo request's IP packet; `None` sends UDP to this port.
    pub kind: ProbeKind,
}

/// What a probe is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ProbeKind {
    /// An echo request in an IP packet of so many octets.
    Echo(u16),
    /// A UDP datagram to this port.
    Udp(u16),
    /// A TCP SYN to this port.
    Tcp(u16),
}

/// The source ports of TCP probes begin here.
const FIRST_TCP_PORT: u16 = 0xf000;

/// Octets of an IPv4 header and of an ICMP echo header.
const ECHO_HEADERS: u16 = 28;

impl Router {
    /// Sends a probe; an earlier one is no longer awaited. `false` if no address of this router can be its source.
    pub(crate) fn send_probe(&mut self, now: Time, probe: &Probe) -> bool {
        self.operations.next = self.operations.next.wrapping_add(1);
        let number = self.operations.next;
        self.operations.answer = None;
        let Some(source) = probe.source.or_else(|| self.source_towards(probe.vrf, probe.destination)) else {
            self.operations.awaited = None;
            return false;
        };
        let ident = u16::try_from(self.node().0 & 0xffff).unwrap_or_default();
        let (protocol, payload, mark) = match probe.kind {
            ProbeKind::Echo(size) => {
                let data = (0..size.saturating_sub(ECHO_HEADERS)).flat_map(|_| [0xab]).collect();
                let message = IcmpMessage::EchoRequest { ident, sequence: number, data };
                (IpProtocol::ICMP, message.emit(), Mark::Echo { ident, sequence: number })
            }
            ProbeKind::Udp(port) => {
                let header = UdpHeader { source_port: 49152 | number, destination_port: port };
                let octets = header.emit(source, probe.destination, &[0; 4]);
                (IpProtocol::UDP, octets, Mark::Udp { source: header.source_port, destination: port })
            }
            ProbeKind::Tcp(port) => {
                let ports = (FIRST_TCP_PORT | (number & 0x0fff), port);
                let octets = tcp_probe::syn(source, probe.destination, ports);
                (IpProtocol::TCP, octets, Mark::Tcp { source: ports.0, destination: port })
            }
        };
        self.operations.awaited = Some(mark);
        let datagram = Datagram {
            interface: None,
            source,
            destination: probe.destination,
            protocol,
            ttl: probe.ttl,
            tos: probe.tos,
            dont_fragment: probe.dont_fragment,
            payload: payload.into(),
        };
        self.send_datagram(now, probe.vrf, &datagram);
        true
    }

    /// An ICMP message that may answer the probe.
    pub(super) fn operation_answered(&mut self, now: Time, from: Ipv4Addr, message: &IcmpMessage) {
        let (mark, kind) = match message {
            IcmpMessage::EchoReply { ident, sequence, .. } => {
                (Some(Mark::Echo { ident: *ident, sequence: *sequence }), ProbeAnswerKind::Echo)
            }
            IcmpMessage::Unreachable { code, original, .. } => {
                (mark_of(original), ProbeAnswerKind::Unreachable(*code))
            }
            IcmpMessage::TimeExceeded { original, .. } => (mark_of(original), ProbeAnswerKind::TimeExceeded),
            _ => return,
        };
        if let Some(mark) = mark {
            self.answered(now, from, mark, kind);
        }
    }

    /// Something with a mark was heard, perhaps that of the probe.
    pub(super) fn answered(&mut self, now: Time, from: Ipv4Addr, mark: Mark, kind: ProbeAnswerKind) {
        if self.operations.awaited == Some(mark) && self.operations.answer.is_none() {
            self.operations.answer = Some(ProbeAnswer { at: now, from, kind });
        }
    }

    pub(crate) fn probe_answer(&self) -> Option<ProbeAnswer> {
        self.operations.answer
    }
}

impl Operations {
    /// A TCP connection from one port to another is being opened: ICMP errors about it are awaited.
    pub(crate) const fn await_tcp(&mut self, (source, destination): (u16, u16)) {
        self.awaited = Some(Mark::Tcp { source, destination });
        self.answer = None;
    }
}

/// The mark of a quoted packet.
fn mark_of(original: &[u8]) -> Option<Mark> {
    let header = usize::from(original.first()? & 0x0f) * 4;
    let protocol = IpProtocol(*original.get(9)?);
    let word =
        |at: usize| Some(u16::from_be_bytes([*original.get(header + at)?, *original.get(header + at + 1)?]));
    match protocol {
        IpProtocol::ICMP => Some(Mark::Echo { ident: word(4)?, sequence: word(6)? }),
        IpProtocol::UDP => Some(Mark::Udp { source: word(0)?, destination: word(2)? }),
        IpProtocol::TCP => Some(Mark::Tcp { source: word(0)?, destination: word(2)? }),
        _ => None,
    }
}
