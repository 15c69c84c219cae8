//! LSA bodies (RFC 2328 appendix A.4.2 to A.4.5, RFC 3101 appendix A).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use nom::combinator::{all_consuming, map};
use nom::multi::{count, many0};
use nom::number::complete::{be_u8, be_u16, be_u24, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use super::{LsType, LsaError};
use crate::ids::RouterId;
use crate::ospf::ExternalMetricType;

/// The bits of a router LSA (RFC 2328 appendix A.4.2, RFC 3101 appendix A).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterFlags {
    /// V: endpoint of a virtual link that is up and has this area as its transit area.
    pub virtual_endpoint: bool,
    /// E: AS boundary router.
    pub as_boundary: bool,
    /// B: area border router.
    pub area_border: bool,
    /// Nt: translates type 7 LSAs whatever the election says.
    pub nssa_translator: bool,
}

impl RouterFlags {
    const fn from_wire(octet: u8) -> Self {
        Self {
            area_border: octet & 0x01 != 0,
            as_boundary: octet & 0x02 != 0,
            virtual_endpoint: octet & 0x04 != 0,
            nssa_translator: octet & 0x10 != 0,
        }
    }

    fn to_wire(self) -> u8 {
        u8::from(self.area_border)
            | u8::from(self.as_boundary) << 1
            | u8::from(self.virtual_endpoint) << 2
            | u8::from(self.nssa_translator) << 4
    }
}

/// What a link of a router LSA leads to (RFC 2328 table 18).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LinkKind {
    /// 1: another router. Link ID is its router id; Link Data our address, or our ifIndex if unnumbered.
    PointToPoint,
    /// 2: a transit network. Link ID is the designated router's address, Link Data ours.
    Transit,
    /// 3: a stub network. Link ID is its address, Link Data its mask.
    Stub,
    /// 4: a virtual link. Link ID is the neighbor's router id, Link Data our address.
    Virtual,
}

/// A link of a router LSA.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterLink {
    /// What it leads to.
    pub kind: LinkKind,
    /// Link ID.
    pub id: Ipv4Addr,
    /// Link Data.
    pub data: Ipv4Addr,
    /// Cost of TOS 0.
    pub metric: u16,
}

impl RouterLink {
    /// The network of a stub link; `None` for other links and masks with holes.
    #[must_use]
    pub fn stub_prefix(&self) -> Option<Ipv4Net> {
        match self.kind {
            LinkKind::Stub => Ipv4Net::with_netmask(self.id, self.data).ok().map(|net| net.trunc()),
            _ => None,
        }
    }
}

/// A router LSA.
///
/// ```text
/// |  0 Nt W V E B |       0       |            # links            |
/// |                          Link ID                              |  for each link
/// |                         Link Data                             |
/// |     Type      |     # TOS     |            metric             |
/// |      TOS      |       0       |          TOS metric           |  # TOS times
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterLsa {
    /// V, E, B, Nt.
    pub flags: RouterFlags,
    /// The links; those of unknown type are left out.
    pub links: Vec<RouterLink>,
}

impl RouterLsa {
    /// More links than this do not fit into the length field of the header.
    const MAX_LINKS: usize = (65_535 - 24) / 12;

    fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (flags, _, links)) = (be_u8, be_u8, be_u16).parse(input)?;
        let (input, links) = count(router_link, usize::from(links)).parse(input)?;
        let links = links.into_iter().flatten().collect();
        Ok((input, Self { flags: RouterFlags::from_wire(flags), links }))
    }

    fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&[self.flags.to_wire(), 0]);
        out.extend_from_slice(&u16::try_from(self.links.len()).unwrap_or(u16::MAX).to_be_bytes());
        for link in &self.links {
            let kind = match link.kind {
                LinkKind::PointToPoint => 1,
                LinkKind::Transit => 2,
                LinkKind::Stub => 3,
                LinkKind::Virtual => 4,
            };
            out.extend_from_slice(&link.id.octets());
            out.extend_from_slice(&link.data.octets());
            out.extend_from_slice(&[kind, 0]);
            out.extend_from_slice(&link.metric.to_be_bytes());
        }
    }
}

/// One link with its TOS metrics (which RFC 2328 has given up); `None` if its type is unknown.
fn router_link(input: &[u8]) -> IResult<&[u8], Option<RouterLink>> {
    let (input, (id, data, kind, tos, metric)) = (be_u32, be_u32, be_u8, be_u8, be_u16).parse(input)?;
    let (input, _) = count(be_u32, usize::from(tos)).parse(input)?;
    let kind = match kind {
        1 => Some(LinkKind::PointToPoint),
        2 => Some(LinkKind::Transit),
        3 => Some(LinkKind::Stub),
        4 => Some(LinkKind::Virtual),
        _ => None,
    };
    Ok((input, kind.map(|kind| RouterLink { kind, id: id.into(), data: data.into(), metric })))
}

/// A network LSA.
///
/// ```text
/// |                         Network Mask                          |
/// |                        Attached Router                        |  for each router
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NetworkLsa {
    /// Mask of the network.
    pub mask: Ipv4Addr,
    /// Routers that are fully adjacent to the designated router, itself included.
    pub attached: Vec<RouterId>,
}

impl NetworkLsa {
    const MAX_ATTACHED: usize = (65_535 - 24) / 4;

    fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, mask) = be_u32(input)?;
        let (input, attached) = many0(map(be_u32, |id| RouterId(id.into()))).parse(input)?;
        Ok((input, Self { mask: mask.into(), attached }))
    }

    fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.mask.octets());
        for router in &self.attached {
            out.extend_from_slice(&router.0.octets());
        }
    }
}

/// A summary LSA, of type 3 or 4. The mask has no meaning in type 4.
///
/// ```text
/// |                         Network Mask                          |
/// |       0       |                   metric                      |
/// |      TOS      |                 TOS metric                    |  ignored
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SummaryLsa {
    /// Mask of the network.
    pub mask: Ipv4Addr,
    /// Cost from the area border router, 24 bits.
    pub metric: u32,
}

impl SummaryLsa {
    fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (mask, _, metric)) = (be_u32, be_u8, be_u24).parse(input)?;
        let (input, _) = many0(be_u32).parse(input)?;
        Ok((input, Self { mask: mask.into(), metric }))
    }

    fn emit(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.mask.octets());
        out.extend_from_slice(&(self.metric & 0x00ff_ffff).to_be_bytes());
    }
}

/// An AS-external LSA (type 5) or NSSA LSA (type 7).
///
/// ```text
/// |                         Network Mask                          |
/// |E|     0       |                   metric                      |
/// |                      Forwarding address                       |
/// |                      External Route Tag                       |
/// |E|    TOS      |                 TOS metric                    |  ignored, three words a TOS
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExternalLsa {
    /// Mask of the network.
    pub mask: Ipv4Addr,
    /// The E bit.
    pub metric_type: ExternalMetricType,
    /// Cost, 24 bits.
    pub metric: u32,
    /// Where packets shall be sent; 0.0.0.0 is the advertising router.
    pub forwarding_address: Ipv4Addr,
    /// Tag.
    pub tag: u32,
}

impl ExternalLsa {
    fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (mask, kind, metric)) = (be_u32, be_u8, be_u24).parse(input)?;
        let (input, (forwarding_address, tag)) = (be_u32, be_u32).parse(input)?;
        let (input, _) = many0(be_u32).parse(input)?;
        let metric_type =
            if kind & 0x80 != 0 { ExternalMetricType::Type2 } else { ExternalMetricType::Type1 };
        let body = Self {
            mask: mask.into(),
            metric_type,
            metric,
            forwarding_address: forwarding_address.into(),
            tag,
        };
        Ok((input, body))
    }

    fn emit(self, out: &mut Vec<u8>) {
        let kind = match self.metric_type {
            ExternalMetricType::Type1 => 0,
            ExternalMetricType::Type2 => 0x8000_0000u32,
        };
        out.extend_from_slice(&self.mask.octets());
        out.extend_from_slice(&(kind | (self.metric & 0x00ff_ffff)).to_be_bytes());
        out.extend_from_slice(&self.forwarding_address.octets());
        out.extend_from_slice(&self.tag.to_be_bytes());
    }
}

/// How far an opaque LSA is flooded (RFC 5250 section 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OpaqueScope {
    /// Type 9.
    Link,
    /// Type 10.
    Area,
    /// Type 11.
    As,
}

/// The body of an LSA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LsaBody {
    /// Type 1.
    Router(RouterLsa),
    /// Type 2.
    Network(NetworkLsa),
    /// Type 3.
    SummaryNetwork(SummaryLsa),
    /// Type 4.
    SummaryAsbr(SummaryLsa),
    /// Type 5.
    AsExternal(ExternalLsa),
    /// Type 7.
    Nssa(ExternalLsa),
    /// Types 9, 10 and 11: carried, not understood.
    Opaque(OpaqueScope, Box<[u8]>),
    /// Any other type.
    Unknown(u8, Box<[u8]>),
}

impl LsaBody {
    /// Greatest body of raw octets that the length field of the header can tell.
    const MAX_RAW: usize = 65_535 - 20;

    /// The LS type that this body makes.
    #[must_use]
    pub const fn ls_type(&self) -> LsType {
        match self {
            Self::Router(_) => LsType::Router,
            Self::Network(_) => LsType::Network,
            Self::SummaryNetwork(_) => LsType::SummaryNetwork,
            Self::SummaryAsbr(_) => LsType::SummaryAsbr,
            Self::AsExternal(_) => LsType::AsExternal,
            Self::Nssa(_) => LsType::Nssa,
            Self::Opaque(OpaqueScope::Link, _) => LsType::OpaqueLink,
            Self::Opaque(OpaqueScope::Area, _) => LsType::OpaqueArea,
            Self::Opaque(OpaqueScope::As, _) => LsType::OpaqueAs,
            Self::Unknown(number, _) => LsType::Unknown(*number),
        }
    }

    /// Reads a whole body of the given type.
    pub(super) fn parse(ls_type: LsType, input: &[u8]) -> Result<Self, LsaError> {
        let parsed = match ls_type {
            LsType::Router => all_consuming(map(RouterLsa::parse, Self::Router)).parse(input),
            LsType::Network => all_consuming(map(NetworkLsa::parse, Self::Network)).parse(input),
            LsType::SummaryNetwork => {
                all_consuming(map(SummaryLsa::parse, Self::SummaryNetwork)).parse(input)
            }
            LsType::SummaryAsbr => all_consuming(map(SummaryLsa::parse, Self::SummaryAsbr)).parse(input),
            LsType::AsExternal => all_consuming(map(ExternalLsa::parse, Self::AsExternal)).parse(input),
            LsType::Nssa => all_consuming(map(ExternalLsa::parse, Self::Nssa)).parse(input),
            LsType::OpaqueLink => return Ok(Self::Opaque(OpaqueScope::Link, input.into())),
            LsType::OpaqueArea => return Ok(Self::Opaque(OpaqueScope::Area, input.into())),
            LsType::OpaqueAs => return Ok(Self::Opaque(OpaqueScope::As, input.into())),
            LsType::Unknown(number) => return Ok(Self::Unknown(number, input.into())),
        };
        parsed.map(|(_, body)| body).map_err(|_: nom::Err<nom::error::Error<&[u8]>>| LsaError::Malformed)
    }

    /// Appends the body.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        match self {
            Self::Router(body) => body.emit(out),
            Self::Network(body) => body.emit(out),
            Self::SummaryNetwork(body) | Self::SummaryAsbr(body) => body.emit(out),
            Self::AsExternal(body) | Self::Nssa(body) => body.emit(out),
            Self::Opaque(_, octets) | Self::Unknown(_, octets) => out.extend_from_slice(octets),
        }
    }

    /// Drops what does not fit into an LSA.
    pub(super) fn limit(&mut self) {
        match self {
            Self::Router(body) => body.links.truncate(RouterLsa::MAX_LINKS),
            Self::Network(body) => body.attached.truncate(NetworkLsa::MAX_ATTACHED),
            Self::Opaque(_, octets) | Self::Unknown(_, octets) if octets.len() > Self::MAX_RAW => {
                *octets = octets[..Self::MAX_RAW].into();
            }
            _ => {}
        }
    }
}
