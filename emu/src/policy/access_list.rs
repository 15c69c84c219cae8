//! IP access lists, standard and extended.

mod index;
mod lines;

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::Permission;
use crate::config::Wildcard;
use crate::process::IpProtocol;

use index::Selector;
pub use lines::{GREATEST_SEQUENCE, Line, Lines, SequenceTaken};

/// An access list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AccessList {
    /// Looks at source addresses. Numbers 1 to 99 and 1300 to 1999.
    Standard(Lines<StandardEntry>),
    /// Looks at whole packets. Numbers 100 to 199 and 2000 to 2699.
    Extended(Lines<ExtendedEntry>),
}

/// `permit|deny SOURCE [log]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandardEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// Source; `any` has the mask 255.255.255.255, a host 0.0.0.0.
    pub source: Wildcard,
    /// `log`.
    pub log: Option<AclLog>,
}

/// Which packets of an entry are logged how.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum AclLog {
    /// `log`.
    Log,
    /// `log-input`: with the interface and the sender's hardware address.
    LogInput,
}

/// `permit|deny PROTOCOL SOURCE [ports] DESTINATION [ports] [options]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtendedEntry {
    /// `permit` or `deny`.
    pub action: Permission,
    /// The protocol; `None` is `ip`.
    pub protocol: Option<IpProtocol>,
    /// Source.
    pub source: Wildcard,
    /// Ports of the source (TCP and UDP).
    pub source_ports: Option<PortMatch>,
    /// Destination.
    pub destination: Wildcard,
    /// Ports of the destination (TCP and UDP).
    pub destination_ports: Option<PortMatch>,
    /// `established`: TCP with ACK or RST.
    pub established: bool,
    /// ICMP type and code.
    pub icmp: Option<IcmpMatch>,
    /// `dscp`.
    pub dscp: Option<u8>,
    /// `precedence`.
    pub precedence: Option<u8>,
    /// `tos`: the four bits behind the precedence.
    pub tos: Option<u8>,
    /// `fragments`: fragments other than the first.
    pub fragments: bool,
    /// `log` and `log-input`.
    pub log: Option<AclLog>,
    /// `time-range`: the entry counts only while that is active.
    pub time_range: Option<String>,
}

/// A condition on a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PortMatch {
    /// `eq`, up to ten.
    Eq(Vec<u16>),
    /// `neq`, up to ten.
    Neq(Vec<u16>),
    /// `lt`.
    Lt(u16),
    /// `gt`.
    Gt(u16),
    /// `range`, both ends included.
    Range(u16, u16),
}

impl PortMatch {
    /// Whether `port` fulfils the condition.
    #[must_use]
    pub fn matches(&self, port: u16) -> bool {
        match self {
            Self::Eq(ports) => ports.contains(&port),
            Self::Neq(ports) => !ports.contains(&port),
            Self::Lt(limit) => port < *limit,
            Self::Gt(limit) => port > *limit,
            Self::Range(low, high) => (*low..=*high).contains(&port),
        }
    }
}

/// An ICMP type with or without code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IcmpMatch {
    /// Type.
    pub kind: u8,
    /// Code.
    pub code: Option<u8>,
}

/// What access lists look at in a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PacketFields {
    /// Source address.
    pub source: Ipv4Addr,
    /// Destination address.
    pub destination: Ipv4Addr,
    /// Protocol.
    pub protocol: IpProtocol,
    /// Source and destination port of TCP and UDP; not in fragments other than the first.
    pub ports: Option<(u16, u16)>,
    /// The flags octet of TCP.
    pub tcp_flags: u8,
    /// Type and code of ICMP.
    pub icmp: Option<(u8, u8)>,
    /// Type of service octet (RFC 791: three bits of precedence, four of type of service).
    pub tos: u8,
    /// A fragment other than the first.
    pub is_later_fragment: bool,
}

/// ACK or RST, in TCP's flags octet.
const TCP_ACK_OR_RST: u8 = 0x14;

impl StandardEntry {
    /// What the entry compares.
    const fn selector(&self) -> Selector<'_> {
        let any = Wildcard { address: Ipv4Addr::UNSPECIFIED, mask: Ipv4Addr::BROADCAST };
        Selector {
            source: self.source,
            destination: any,
            protocol: None,
            source_ports: None,
            destination_ports: None,
        }
    }
}

impl PortMatch {
    /// The ports, if only single ones match.
    fn single(&self) -> Option<&[u16]> {
        match self {
            Self::Eq(ports) => Some(ports),
            Self::Neq(_) | Self::Lt(_) | Self::Gt(_) | Self::Range(..) => None,
        }
    }
}

impl ExtendedEntry {
    /// What the entry compares for equality.
    fn selector(&self) -> Selector<'_> {
        Selector {
            source: self.source,
            destination: self.destination,
            protocol: self.protocol,
            source_ports: self.source_ports.as_ref().and_then(PortMatch::single),
            destination_ports: self.destination_ports.as_ref().and_then(PortMatch::single),
        }
    }

    /// An entry about all packets of a protocol between two sets of addresses.
    #[must_use]
    pub const fn new(
        action: Permission,
        protocol: Option<IpProtocol>,
        source: Wildcard,
        destination: Wildcard,
    ) -> Self {
        Self {
            action,
            protocol,
            source,
            source_ports: None,
            destination,
            destination_ports: None,
            established: false,
            icmp: None,
            dscp: None,
            precedence: None,
            tos: None,
            fragments: false,
            log: None,
            time_range: None,
        }
    }

    /// Whether the entry is about this packet, whatever the time.
    #[must_use]
    pub fn matches(&self, packet: &PacketFields) -> bool {
        self.protocol.is_none_or(|protocol| protocol == packet.protocol)
            && self.source.matches(packet.source)
            && self.destination.matches(packet.destination)
            && self.dscp.is_none_or(|dscp| dscp == packet.tos >> 2)
            && self.precedence.is_none_or(|precedence| precedence == packet.tos >> 5)
            && self.tos.is_none_or(|tos| tos == packet.tos >> 1 & 0xF)
            && (!self.fragments || packet.is_later_fragment)
            && self.matches_layer_4(packet)
    }

    /// A later fragment shows no ports: IOS lets a `permit` take it for a match, a `deny` not.
    fn matches_layer_4(&self, packet: &PacketFields) -> bool {
        let asks = self.source_ports.is_some()
            || self.destination_ports.is_some()
            || self.established
            || self.icmp.is_some();
        if !asks {
            return true;
        }
        if packet.is_later_fragment {
            return self.action.is_permit();
        }
        let port = |condition: &Option<PortMatch>, port: Option<u16>| {
            condition.as_ref().is_none_or(|c| port.is_some_and(|p| c.matches(p)))
        };
        port(&self.source_ports, packet.ports.map(|p| p.0))
            && port(&self.destination_ports, packet.ports.map(|p| p.1))
            && (!self.established
                || (packet.protocol == IpProtocol::TCP && packet.tcp_flags & TCP_ACK_OR_RST != 0))
            && self.icmp.is_none_or(|wanted| {
                packet
                    .icmp
                    .is_some_and(|(kind, code)| wanted.kind == kind && wanted.code.is_none_or(|c| c == code))
            })
    }
}

/// What an access list says of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// `permit` or `deny`.
    pub action: Permission,
    /// The line that matched; `None` is the deny at the end of each list, or the permit of a list without entries.
    pub line: Option<u32>,
    /// How the line asks to be logged.
    pub log: Option<AclLog>,
}

impl AccessList {
    /// The verdict on a packet. `is_active` tells of a time range whether it is on.
    pub fn evaluate(&self, packet: &PacketFields, is_active: impl Fn(&str) -> bool) -> Verdict {
        let found = match self {
            Self::Standard(lines) => lines
                .first_match(packet, StandardEntry::selector, |entry| entry.source.matches(packet.source))
                .map(|(seq, entry)| (seq, entry.action, entry.log)),
            Self::Extended(lines) => lines
                .first_match(packet, ExtendedEntry::selector, |entry| {
                    entry.time_range.as_deref().is_none_or(&is_active) && entry.matches(packet)
                })
                .map(|(seq, entry)| (seq, entry.action, entry.log)),
        };
        match found {
            Some((seq, action, log)) => Verdict { action, line: Some(seq), log },
            None => Verdict { action: self.at_the_end(), line: None, log: None },
        }
    }

    /// Whether a prefix passes: a standard list compares the network's address with the source; an extended one besides the
    /// mask with the destination, as IOS does where a list filters routes.
    #[must_use]
    pub fn permits_prefix(&self, prefix: Ipv4Net) -> bool {
        let action = match self {
            Self::Standard(lines) => lines
                .iter()
                .find(|(_, entry)| entry.source.matches(prefix.network()))
                .map(|(_, entry)| entry.action),
            Self::Extended(lines) => lines
                .iter()
                .find(|(_, e)| e.source.matches(prefix.network()) && e.destination.matches(prefix.netmask()))
                .map(|(_, entry)| entry.action),
        };
        action.unwrap_or_else(|| self.at_the_end()).is_permit()
    }

    /// What becomes of that which no line is about: denied, but a list without entries lets all pass.
    fn at_the_end(&self) -> Permission {
        let is_empty = match self {
            Self::Standard(lines) => lines.is_empty(),
            Self::Extended(lines) => lines.is_empty(),
        };
        if is_empty { Permission::Permit } else { Permission::Deny }
    }

    /// The sequence number that an entry of an earlier version of the list has now; `None` if it is no more.
    #[must_use]
    pub fn successor(&self, before: &Self, sequence: u32) -> Option<u32> {
        match (before, self) {
            (Self::Standard(before), Self::Standard(now)) => now.successor(before, sequence),
            (Self::Extended(before), Self::Extended(now)) => now.successor(before, sequence),
            (Self::Standard(_), Self::Extended(_)) | (Self::Extended(_), Self::Standard(_)) => None,
        }
    }

    /// `ip access-list resequence NAME START STEP`; tells whether the numbers fit. Otherwise the list stays as it is.
    pub fn resequence(&mut self, start: u32, step: u32) -> bool {
        match self {
            Self::Standard(lines) => lines.resequence(start, step),
            Self::Extended(lines) => lines.resequence(start, step),
        }
    }
}

#[cfg(test)]
mod tests;
