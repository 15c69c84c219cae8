//! The bodies of the five kinds of packet (RFC 2328 appendix A.3.2 to A.3.6).

use std::net::Ipv4Addr;

use nom::multi::many0;
use nom::number::complete::{be_u8, be_u16, be_u32};
use nom::{IResult, Parser};

use crate::ids::RouterId;
use crate::ospf::lsa::{LsAge, LsType, Lsa, LsaError, LsaHeader, LsaKey, Options};

/// What a packet says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PacketBody {
    /// Type 1.
    Hello(Hello),
    /// Type 2.
    DatabaseDescription(DatabaseDescription),
    /// Type 3: the LSAs asked for.
    LinkStateRequest(Vec<LsaKey>),
    /// Type 4: LSAs with their ages.
    LinkStateUpdate(Vec<(LsAge, Lsa)>),
    /// Type 5: headers of the LSAs received.
    LinkStateAck(Vec<LsaHeader>),
}

/// A hello (appendix A.3.2).
///
/// ```text
/// |                        Network Mask                           |
/// |         HelloInterval         |    Options    |    Rtr Pri    |
/// |                     RouterDeadInterval                        |
/// |                      Designated Router                        |
/// |                   Backup Designated Router                    |
/// |                          Neighbor ...                         |
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hello {
    /// Mask of the sender's interface.
    pub network_mask: Ipv4Addr,
    /// HelloInterval in seconds; 0 with hellos more often than once a second.
    pub hello_interval: u16,
    /// Options.
    pub options: Options,
    /// Router priority.
    pub priority: u8,
    /// RouterDeadInterval in seconds.
    pub dead_interval: u32,
    /// The DR's address.
    pub designated_router: Ipv4Addr,
    /// The backup DR's address.
    pub backup_designated_router: Ipv4Addr,
    /// Whom the sender has heard of lately.
    pub neighbors: Vec<RouterId>,
}

/// The I, M and MS bits of a database description.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DdFlags {
    /// I: the first of the sequence.
    pub init: bool,
    /// M: more follow.
    pub more: bool,
    /// MS: the sender is the master.
    pub master: bool,
}

/// A database description (appendix A.3.3).
///
/// ```text
/// |         Interface MTU         |    Options    |0|0|0|0|0|I|M|MS
/// |                     DD sequence number                        |
/// |  LSA headers ...
/// ```
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DatabaseDescription {
    /// The largest packet that the sender's interface takes in; 0 on virtual links.
    pub mtu: u16,
    /// Options.
    pub options: Options,
    /// I, M, MS.
    pub flags: DdFlags,
    /// DD sequence number.
    pub sequence: u32,
    /// A piece of the database.
    pub headers: Vec<LsaHeader>,
}

impl PacketBody {
    /// The number in the header.
    #[must_use]
    pub const fn packet_type(&self) -> u8 {
        match self {
            Self::Hello(_) => 1,
            Self::DatabaseDescription(_) => 2,
            Self::LinkStateRequest(_) => 3,
            Self::LinkStateUpdate(_) => 4,
            Self::LinkStateAck(_) => 5,
        }
    }

    /// Options, where the packet has them.
    pub(super) const fn options(&self) -> Options {
        match self {
            Self::Hello(hello) => hello.options,
            Self::DatabaseDescription(description) => description.options,
            _ => Options::NONE,
        }
    }

    /// Octets of the body.
    pub(super) fn length(&self) -> usize {
        match self {
            Self::Hello(hello) => 20 + 4 * hello.neighbors.len(),
            Self::DatabaseDescription(description) => 8 + LsaHeader::LEN * description.headers.len(),
            Self::LinkStateRequest(keys) => 12 * keys.len(),
            Self::LinkStateUpdate(lsas) => {
                4 + lsas.iter().map(|(_, lsa)| usize::from(lsa.length())).sum::<usize>()
            }
            Self::LinkStateAck(headers) => LsaHeader::LEN * headers.len(),
        }
    }

    /// Appends the body.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        match self {
            Self::Hello(hello) => emit_hello(hello, out),
            Self::DatabaseDescription(description) => emit_description(description, out),
            Self::LinkStateRequest(keys) => {
                for key in keys {
                    out.extend_from_slice(&u32::from(key.ls_type.to_wire()).to_be_bytes());
                    out.extend_from_slice(&key.link_state_id.octets());
                    out.extend_from_slice(&key.advertising_router.0.octets());
                }
            }
            Self::LinkStateUpdate(lsas) => {
                out.extend_from_slice(&u32::try_from(lsas.len()).unwrap_or(u32::MAX).to_be_bytes());
                lsas.iter().for_each(|(age, lsa)| lsa.emit(*age, out));
            }
            Self::LinkStateAck(headers) => headers.iter().for_each(|header| header.emit(out)),
        }
    }

    /// Reads the body of a packet of this type; `None` if it does not have its layout.
    pub(super) fn parse(packet_type: u8, input: &[u8]) -> Option<Self> {
        let (rest, body) = match packet_type {
            1 => parse_hello.map(Self::Hello).parse(input),
            2 => parse_description.map(Self::DatabaseDescription).parse(input),
            3 => many0(parse_request).map(Self::LinkStateRequest).parse(input),
            4 => return parse_update(input).map(Self::LinkStateUpdate),
            _ => headers.map(Self::LinkStateAck).parse(input),
        }
        .ok()?;
        rest.is_empty().then_some(body)
    }
}

fn emit_hello(hello: &Hello, out: &mut Vec<u8>) {
    out.extend_from_slice(&hello.network_mask.octets());
    out.extend_from_slice(&hello.hello_interval.to_be_bytes());
    out.extend_from_slice(&[hello.options.0, hello.priority]);
    out.extend_from_slice(&hello.dead_interval.to_be_bytes());
    out.extend_from_slice(&hello.designated_router.octets());
    out.extend_from_slice(&hello.backup_designated_router.octets());
    hello.neighbors.iter().for_each(|neighbor| out.extend_from_slice(&neighbor.0.octets()));
}

fn emit_description(description: &DatabaseDescription, out: &mut Vec<u8>) {
    let DdFlags { init, more, master } = description.flags;
    out.extend_from_slice(&description.mtu.to_be_bytes());
    let flags = u8::from(init) << 2 | u8::from(more) << 1 | u8::from(master);
    out.extend_from_slice(&[description.options.0, flags]);
    out.extend_from_slice(&description.sequence.to_be_bytes());
    description.headers.iter().for_each(|header| header.emit(out));
}

fn address(input: &[u8]) -> IResult<&[u8], Ipv4Addr> {
    be_u32.map(Ipv4Addr::from).parse(input)
}

fn parse_hello(input: &[u8]) -> IResult<&[u8], Hello> {
    let (input, (network_mask, hello_interval, options, priority)) =
        (address, be_u16, be_u8, be_u8).parse(input)?;
    let (input, (dead_interval, designated_router, backup_designated_router)) =
        (be_u32, address, address).parse(input)?;
    let (input, neighbors) = many0(address.map(RouterId)).parse(input)?;
    let hello = Hello {
        network_mask,
        hello_interval,
        options: Options(options),
        priority,
        dead_interval,
        designated_router,
        backup_designated_router,
        neighbors,
    };
    Ok((input, hello))
}

fn parse_description(input: &[u8]) -> IResult<&[u8], DatabaseDescription> {
    let (input, (mtu, options, flags, sequence)) = (be_u16, be_u8, be_u8, be_u32).parse(input)?;
    let (input, headers) = headers.parse(input)?;
    let flags = DdFlags { init: flags & 4 != 0, more: flags & 2 != 0, master: flags & 1 != 0 };
    Ok((input, DatabaseDescription { mtu, options: Options(options), flags, sequence, headers }))
}

/// LSA headers up to the end.
fn headers(mut input: &[u8]) -> IResult<&[u8], Vec<LsaHeader>> {
    let mut headers = Vec::with_capacity(input.len() / LsaHeader::LEN);
    while let Ok((rest, header)) = LsaHeader::parse(input) {
        headers.push(header);
        input = rest;
    }
    Ok((input, headers))
}

fn parse_request(input: &[u8]) -> IResult<&[u8], LsaKey> {
    let (input, (ls_type, id, router)) = (be_u32, address, address).parse(input)?;
    // A type beyond one octet cannot exist; 0 is no type either, so such a request is answered as one for an LSA that is not there.
    let ls_type = LsType::from_wire(u8::try_from(ls_type).unwrap_or(0));
    Ok((input, LsaKey::new(ls_type, id, RouterId(router))))
}

/// An LSA that is damaged or of a strange layout is left out (RFC 2328 section 13 steps 1 and 2); the others count.
fn parse_update(input: &[u8]) -> Option<Vec<(LsAge, Lsa)>> {
    let (count, mut input) =
        input.split_first_chunk().map(|(count, rest)| (u32::from_be_bytes(*count), rest))?;
    // No more of them can be in the packet, whatever it claims.
    let most = input.len() / LsaHeader::LEN;
    let mut lsas = Vec::with_capacity(usize::try_from(count).map_or(most, |count| count.min(most)));
    for _ in 0..count {
        let length = LsaHeader::parse(input).ok().map(|(_, header)| usize::from(header.length))?;
        match Lsa::parse(input) {
            Ok(lsa) => lsas.push(lsa),
            Err(LsaError::Truncated) => return None,
            Err(LsaError::BadChecksum | LsaError::Malformed) => {}
        }
        input = input.get(length..)?;
    }
    Some(lsas)
}
