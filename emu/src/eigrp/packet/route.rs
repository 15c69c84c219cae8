//! Route TLVs: classic (RFC 7868 section 6.8) and multiprotocol (section 6.9).
//!
//! ```text
//! classic:        next hop 4 | [external data 20] | metric 16      | destinations
//! multiprotocol:  topology 2 | family 2 | router id 4 | metric 24 | [attributes] | next hop 4 | [external data 20] | destinations
//!
//! external data:  originating router id 4 | originating AS 4 | tag 4 | external metric 4 | 0 0 | protocol 1 | flags 1
//! destination:    prefix length 1 | as many octets of the address as the length needs
//! ```

use std::collections::BTreeSet;
use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use nom::bytes::complete::take;
use nom::combinator::{map, verify};
use nom::multi::many1;
use nom::number::complete::{be_u8, be_u16, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use super::metric::{ClassicMetric, WideMetric};
use crate::ids::RouterId;

/// Where an external route comes from (RFC 7868 section 6.7.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ExternalProtocol {
    /// 1.
    Igrp,
    /// 2: another EIGRP process.
    Eigrp,
    /// 3.
    Static,
    /// 4.
    Rip,
    /// 6.
    Ospf,
    /// 7.
    IsIs,
    /// 9.
    Bgp,
    /// 11.
    Connected,
    /// Any other.
    Unknown(u8),
}

impl ExternalProtocol {
    /// From the number on the wire.
    #[must_use]
    pub const fn from_wire(number: u8) -> Self {
        match number {
            1 => Self::Igrp,
            2 => Self::Eigrp,
            3 => Self::Static,
            4 => Self::Rip,
            6 => Self::Ospf,
            7 => Self::IsIs,
            9 => Self::Bgp,
            11 => Self::Connected,
            other => Self::Unknown(other),
        }
    }

    /// The number on the wire.
    #[must_use]
    pub const fn to_wire(self) -> u8 {
        match self {
            Self::Igrp => 1,
            Self::Eigrp => 2,
            Self::Static => 3,
            Self::Rip => 4,
            Self::Ospf => 6,
            Self::IsIs => 7,
            Self::Bgp => 9,
            Self::Connected => 11,
            Self::Unknown(number) => number,
        }
    }
}

/// The origin of an external route.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ExternalData {
    /// The router that redistributes it.
    pub router_id: RouterId,
    /// The AS, or process number, that it comes from.
    pub autonomous_system: u32,
    /// Tag.
    pub tag: u32,
    /// Metric in the terms of the protocol that it comes from.
    pub metric: u32,
    /// That protocol.
    pub protocol: ExternalProtocol,
    /// Flags: [`Self::CANDIDATE_DEFAULT`].
    pub flags: u8,
}

impl ExternalData {
    /// The route may serve as default.
    pub const CANDIDATE_DEFAULT: u8 = 0x02;
    /// Octets on the wire.
    const LEN: usize = 20;

    /// Whether the route may serve as default.
    #[must_use]
    pub const fn is_candidate_default(&self) -> bool {
        self.flags & Self::CANDIDATE_DEFAULT != 0
    }

    /// Says whether the route may serve as default.
    pub const fn set_candidate_default(&mut self, candidate: bool) {
        self.flags &= !Self::CANDIDATE_DEFAULT;
        self.flags |= if candidate { Self::CANDIDATE_DEFAULT } else { 0 };
    }

    fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (router_id, autonomous_system, tag)) = (be_u32, be_u32, be_u32).parse(input)?;
        let (input, (metric, _reserved, protocol, flags)) = (be_u32, be_u16, be_u8, be_u8).parse(input)?;
        let data = Self {
            router_id: RouterId(router_id.into()),
            autonomous_system,
            tag,
            metric,
            protocol: ExternalProtocol::from_wire(protocol),
            flags,
        };
        Ok((input, data))
    }

    fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.router_id.0.octets());
        out.extend_from_slice(&self.autonomous_system.to_be_bytes());
        out.extend_from_slice(&self.tag.to_be_bytes());
        out.extend_from_slice(&self.metric.to_be_bytes());
        out.extend_from_slice(&[0, 0, self.protocol.to_wire(), self.flags]);
    }
}

/// The metric of a route TLV, in either form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum RouteMetric {
    /// Classic TLVs.
    Classic(ClassicMetric),
    /// Multiprotocol TLVs.
    Wide {
        /// The router that originated the route.
        router_id: RouterId,
        /// The metric.
        metric: WideMetric,
    },
}

/// The opaque flag of a route that may serve as default (RFC 7868 section 6.7.2.4).
const CANDIDATE_DEFAULT: u8 = 0x02;

impl RouteMetric {
    /// Whether the route may serve as default.
    #[must_use]
    pub fn is_candidate_default(&self) -> bool {
        let flags = match self {
            Self::Classic(metric) => u16::from(metric.flags),
            Self::Wide { metric, .. } => metric.flags,
        };
        flags & u16::from(CANDIDATE_DEFAULT) != 0
    }

    /// Says whether the route may serve as default.
    pub fn set_candidate_default(&mut self, candidate: bool) {
        let flag = if candidate { CANDIDATE_DEFAULT } else { 0 };
        match self {
            Self::Classic(metric) => metric.flags = metric.flags & !CANDIDATE_DEFAULT | flag,
            Self::Wide { metric, .. } => {
                metric.flags = metric.flags & !u16::from(CANDIDATE_DEFAULT) | u16::from(flag);
            }
        }
    }
}

/// A route TLV: destinations that share a metric.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteTlv {
    /// Next hop; unspecified is the sender.
    pub next_hop: Ipv4Addr,
    /// Metric.
    pub metric: RouteMetric,
    /// Origin, of external routes.
    pub external: Option<ExternalData>,
    /// Destinations, at least one; host bits cleared.
    pub destinations: BTreeSet<Ipv4Net>,
}

/// The base topology.
const TOPOLOGY_BASE: u16 = 0;
/// IPv4 in IANA's registry of address families.
const FAMILY_IPV4: u16 = 1;

/// The TLV types of routes.
pub(super) mod kinds {
    /// Classic, internal.
    pub const CLASSIC_INTERNAL: u16 = 0x0102;
    /// Classic, external.
    pub const CLASSIC_EXTERNAL: u16 = 0x0103;
    /// Multiprotocol, internal.
    pub const WIDE_INTERNAL: u16 = 0x0602;
    /// Multiprotocol, external.
    pub const WIDE_EXTERNAL: u16 = 0x0603;
}

impl RouteTlv {
    /// The TLV type.
    #[must_use]
    pub const fn kind(&self) -> u16 {
        match (&self.metric, &self.external) {
            (RouteMetric::Classic(_), None) => kinds::CLASSIC_INTERNAL,
            (RouteMetric::Classic(_), Some(_)) => kinds::CLASSIC_EXTERNAL,
            (RouteMetric::Wide { .. }, None) => kinds::WIDE_INTERNAL,
            (RouteMetric::Wide { .. }, Some(_)) => kinds::WIDE_EXTERNAL,
        }
    }

    /// Octets on the wire, type and length included.
    #[must_use]
    pub fn wire_len(&self) -> usize {
        let metric = match &self.metric {
            RouteMetric::Classic(_) => ClassicMetric::LEN,
            RouteMetric::Wide { metric, .. } => {
                8 + WideMetric::LEN + if metric.tag == 0 { 0 } else { WideMetric::TAG_LEN }
            }
        };
        let external = if self.external.is_some() { ExternalData::LEN } else { 0 };
        let destinations: usize = self.destinations.iter().map(|net| 1 + address_len(net.prefix_len())).sum();
        4 + 4 + metric + external + destinations
    }

    pub(super) fn parse_classic(input: &[u8], is_external: bool) -> IResult<&[u8], Self> {
        let (input, next_hop) = address(input)?;
        let (input, external) = optional_external(input, is_external)?;
        let (input, metric) = ClassicMetric::parse(input)?;
        let (input, destinations) = many1(destination).parse(input)?;
        let destinations = destinations.into_iter().collect();
        let route = Self { next_hop, metric: RouteMetric::Classic(metric), external, destinations };
        Ok((input, route))
    }

    /// Other topologies than the base one, and other families than IPv4, are errors.
    pub(super) fn parse_wide(input: &[u8], is_external: bool) -> IResult<&[u8], Self> {
        let topology = verify(be_u16, |&topology| topology == TOPOLOGY_BASE);
        let family = verify(be_u16, |&family| family == FAMILY_IPV4);
        let (input, (_, _, router_id)) = (topology, family, address).parse(input)?;
        let (input, metric) = WideMetric::parse(input)?;
        let (input, next_hop) = address(input)?;
        let (input, external) = optional_external(input, is_external)?;
        let (input, destinations) = many1(destination).parse(input)?;
        let metric = RouteMetric::Wide { router_id: RouterId(router_id), metric };
        let destinations = destinations.into_iter().collect();
        Ok((input, Self { next_hop, metric, external, destinations }))
    }

    /// Appends the value of the TLV.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        match &self.metric {
            RouteMetric::Classic(metric) => {
                out.extend_from_slice(&self.next_hop.octets());
                self.emit_external(out);
                metric.emit(out);
            }
            RouteMetric::Wide { router_id, metric } => {
                out.extend_from_slice(&TOPOLOGY_BASE.to_be_bytes());
                out.extend_from_slice(&FAMILY_IPV4.to_be_bytes());
                out.extend_from_slice(&router_id.0.octets());
                metric.emit(out);
                out.extend_from_slice(&self.next_hop.octets());
                self.emit_external(out);
            }
        }
        for net in &self.destinations {
            out.push(net.prefix_len());
            out.extend(net.network().octets().into_iter().take(address_len(net.prefix_len())));
        }
    }

    fn emit_external(&self, out: &mut Vec<u8>) {
        if let Some(external) = &self.external {
            external.emit(out);
        }
    }
}

fn optional_external(input: &[u8], is_external: bool) -> IResult<&[u8], Option<ExternalData>> {
    if is_external { map(ExternalData::parse, Some).parse(input) } else { Ok((input, None)) }
}

pub(super) fn address(input: &[u8]) -> IResult<&[u8], Ipv4Addr> {
    map(be_u32, Ipv4Addr::from).parse(input)
}

/// How many octets of an address follow a prefix length.
const fn address_len(prefix_len: u8) -> usize {
    (prefix_len as usize).div_ceil(8)
}

fn destination(input: &[u8]) -> IResult<&[u8], Ipv4Net> {
    let (rest, length) = verify(be_u8, |&length| length <= 32).parse(input)?;
    let (mut rest, octets) = take(address_len(length))(rest)?;
    if length == 0 && rest == [0] {
        // FRR sends one octet of address with the default route. It is not a second default route: each destination stands once.
        rest = &[];
    }
    let mut address = [0; 4];
    address.iter_mut().zip(octets).for_each(|(to, &from)| *to = from);
    let net = Ipv4Net::new_assert(address.into(), length);
    Ok((rest, net.trunc()))
}
