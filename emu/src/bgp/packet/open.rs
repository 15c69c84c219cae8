//! OPEN (RFC 4271 section 4.2) with capabilities (RFC 5492).
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +---------------+
//! | Version       |
//! +---------------+---------------+
//! | My autonomous system          |
//! +-------------------------------+
//! | Hold time                     |
//! +-------------------------------+-------------------------------+
//! | BGP identifier                                                |
//! +---------------+-----------------------------------------------+
//! | Opt parm len  | Optional parameters: type, length, value ...
//! +---------------+----------------
//! ```

use nom::bytes::complete::take;
use nom::combinator::all_consuming;
use nom::multi::{length_data, many0};
use nom::number::complete::{be_u8, be_u16, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use super::family::Family;
use super::notification::Notification;
use crate::ids::{Asn, RouterId};

/// An OPEN message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Open {
    /// My autonomous system: AS_TRANS if the number needs four octets.
    pub my_as: u16,
    /// Hold time offered, in seconds; 0 is none.
    pub hold_time: u16,
    /// BGP identifier.
    pub router_id: RouterId,
    /// Capabilities, in the order of the message.
    pub capabilities: Vec<Capability>,
}

/// A capability.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Capability {
    /// Multiprotocol extensions (RFC 4760): a family that the speaker exchanges.
    Multiprotocol(Family),
    /// Route refresh (RFC 2918).
    RouteRefresh,
    /// Route refresh by the number Cisco used before the RFC.
    CiscoRouteRefresh,
    /// Outbound route filtering (RFC 5291), or its draft number that Cisco uses.
    OutboundRouteFiltering {
        /// Code 130, Cisco's, instead of 3.
        cisco: bool,
        /// What is offered.
        entries: Vec<OrfOffer>,
    },
    /// Extended messages (RFC 8654).
    ExtendedMessage,
    /// Graceful restart (RFC 4724).
    GracefulRestart {
        /// The R bit: the speaker has restarted.
        restarting: bool,
        /// The N bit (RFC 8538).
        notification: bool,
        /// Restart time, in seconds, 12 bits.
        time: u16,
        /// Families, each with the F bit: the forwarding state was kept.
        families: Vec<(Family, bool)>,
    },
    /// Four-octet AS numbers (RFC 6793): the speaker's number.
    FourOctetAs(Asn),
    /// Additional paths (RFC 7911).
    AddPath(Vec<(Family, AddPathMode)>),
    /// Enhanced route refresh (RFC 7313).
    EnhancedRouteRefresh,
    /// Any other.
    Unknown {
        /// Its code.
        code: u8,
        /// Its value.
        value: Vec<u8>,
    },
}

/// What an outbound route filter capability offers for a family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrfOffer {
    /// The family.
    pub family: Family,
    /// Kinds of filter (64 and Cisco's 128: prefix list), each with the direction: 1 receive, 2 send, 3 both.
    pub kinds: Vec<(u8, u8)>,
}

/// In which directions several paths to a prefix may be exchanged; unknown values are left out when read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum AddPathMode {
    /// The speaker takes several paths.
    Receive,
    /// The speaker sends several paths.
    Send,
    /// Both.
    Both,
}

impl AddPathMode {
    /// Whether the speaker sends.
    #[must_use]
    pub const fn sends(self) -> bool {
        matches!(self, Self::Send | Self::Both)
    }

    /// Whether the speaker takes.
    #[must_use]
    pub const fn receives(self) -> bool {
        matches!(self, Self::Receive | Self::Both)
    }
}

type Input<'a> = &'a [u8];

fn family(input: Input<'_>) -> IResult<Input<'_>, Family> {
    // The octet between is reserved (RFC 4760 section 8).
    (be_u16, be_u8, be_u8).map(|(afi, _, safi)| Family { afi, safi }).parse(input)
}

fn short_family(input: Input<'_>) -> IResult<Input<'_>, Family> {
    (be_u16, be_u8).map(|(afi, safi)| Family { afi, safi }).parse(input)
}

impl Capability {
    const MULTIPROTOCOL: u8 = 1;
    const ROUTE_REFRESH: u8 = 2;
    const ORF: u8 = 3;
    const EXTENDED_MESSAGE: u8 = 6;
    const GRACEFUL_RESTART: u8 = 64;
    const FOUR_OCTET_AS: u8 = 65;
    const ADD_PATH: u8 = 69;
    const ENHANCED_REFRESH: u8 = 70;
    const CISCO_REFRESH: u8 = 128;
    const CISCO_ORF: u8 = 130;

    /// The code of IANA's registry.
    #[must_use]
    pub const fn code(&self) -> u8 {
        match self {
            Self::Multiprotocol(_) => Self::MULTIPROTOCOL,
            Self::RouteRefresh => Self::ROUTE_REFRESH,
            Self::CiscoRouteRefresh => Self::CISCO_REFRESH,
            Self::OutboundRouteFiltering { cisco: false, .. } => Self::ORF,
            Self::OutboundRouteFiltering { cisco: true, .. } => Self::CISCO_ORF,
            Self::ExtendedMessage => Self::EXTENDED_MESSAGE,
            Self::GracefulRestart { .. } => Self::GRACEFUL_RESTART,
            Self::FourOctetAs(_) => Self::FOUR_OCTET_AS,
            Self::AddPath(_) => Self::ADD_PATH,
            Self::EnhancedRouteRefresh => Self::ENHANCED_REFRESH,
            Self::Unknown { code, .. } => *code,
        }
    }

    /// Reads one; a value that its code does not allow makes it an unknown one (RFC 5492 section 3 lets it be ignored).
    fn read(code: u8, value: Input<'_>) -> Self {
        let known = match code {
            Self::MULTIPROTOCOL => {
                all_consuming(family).parse(value).ok().map(|(_, f)| Self::Multiprotocol(f))
            }
            Self::ROUTE_REFRESH => value.is_empty().then_some(Self::RouteRefresh),
            Self::CISCO_REFRESH => value.is_empty().then_some(Self::CiscoRouteRefresh),
            Self::EXTENDED_MESSAGE => value.is_empty().then_some(Self::ExtendedMessage),
            Self::ENHANCED_REFRESH => value.is_empty().then_some(Self::EnhancedRouteRefresh),
            Self::FOUR_OCTET_AS => {
                let number: IResult<Input<'_>, u32> = all_consuming(be_u32).parse(value);
                number.ok().map(|(_, asn)| Self::FourOctetAs(Asn(asn)))
            }
            Self::GRACEFUL_RESTART => Self::read_graceful_restart(value),
            Self::ADD_PATH => Self::read_add_path(value),
            Self::ORF | Self::CISCO_ORF => Self::read_orf(code == Self::CISCO_ORF, value),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Unknown { code, value: value.to_vec() })
    }

    fn read_graceful_restart(value: Input<'_>) -> Option<Self> {
        let entry = (short_family, be_u8).map(|(family, flags)| (family, flags & 0x80 != 0));
        let parsed: IResult<Input<'_>, _> = all_consuming((be_u16, many0(entry))).parse(value);
        let (_, (head, families)) = parsed.ok()?;
        Some(Self::GracefulRestart {
            restarting: head & 0x8000 != 0,
            notification: head & 0x4000 != 0,
            time: head & 0x0fff,
            families,
        })
    }

    fn read_add_path(value: Input<'_>) -> Option<Self> {
        let parsed: IResult<Input<'_>, _> = all_consuming(many0((short_family, be_u8))).parse(value);
        let modes = parsed.ok()?.1.into_iter().filter_map(|(family, mode)| {
            let mode = match mode {
                1 => AddPathMode::Receive,
                2 => AddPathMode::Send,
                3 => AddPathMode::Both,
                _ => return None,
            };
            Some((family, mode))
        });
        Some(Self::AddPath(modes.collect()))
    }

    fn read_orf(cisco: bool, value: Input<'_>) -> Option<Self> {
        fn entry(input: Input<'_>) -> IResult<Input<'_>, OrfOffer> {
            let (mut rest, (family, number)) = (family, be_u8).parse(input)?;
            let mut kinds = Vec::new();
            for _ in 0..number {
                let (behind, kind) = (be_u8, be_u8).parse(rest)?;
                kinds.push(kind);
                rest = behind;
            }
            Ok((rest, OrfOffer { family, kinds }))
        }
        let parsed = all_consuming(many0(entry)).parse(value).ok()?;
        Some(Self::OutboundRouteFiltering { cisco, entries: parsed.1 })
    }

    fn emit_value(&self, out: &mut Vec<u8>) {
        let family = |out: &mut Vec<u8>, family: &Family| {
            out.extend(family.afi.to_be_bytes());
            out.extend([0, family.safi]);
        };
        match self {
            Self::Multiprotocol(of) => family(out, of),
            Self::RouteRefresh
            | Self::CiscoRouteRefresh
            | Self::ExtendedMessage
            | Self::EnhancedRouteRefresh => {}
            Self::FourOctetAs(asn) => out.extend(asn.0.to_be_bytes()),
            Self::GracefulRestart { restarting, notification, time, families } => {
                let flags = (u16::from(*restarting) << 15) | (u16::from(*notification) << 14);
                out.extend((flags | (time & 0x0fff)).to_be_bytes());
                for (family, forwarding) in families {
                    out.extend(family.afi.to_be_bytes());
                    out.extend([family.safi, u8::from(*forwarding) << 7]);
                }
            }
            Self::AddPath(modes) => {
                for (family, mode) in modes {
                    out.extend(family.afi.to_be_bytes());
                    let mode = match mode {
                        AddPathMode::Receive => 1,
                        AddPathMode::Send => 2,
                        AddPathMode::Both => 3,
                    };
                    out.extend([family.safi, mode]);
                }
            }
            Self::OutboundRouteFiltering { entries, .. } => {
                for offer in entries {
                    family(out, &offer.family);
                    let kinds = offer.kinds.get(..255).unwrap_or(&offer.kinds);
                    // At most 255.
                    out.push(kinds.len() as u8);
                    kinds.iter().for_each(|&(kind, mode)| out.extend([kind, mode]));
                }
            }
            Self::Unknown { value, .. } => out.extend(value),
        }
    }
}

impl Open {
    const VERSION: u8 = 4;
    const CAPABILITIES: u8 = 2;
    /// In place of the length: lengths are of two octets (RFC 9072).
    const EXTENDED: u8 = 255;

    /// The AS of the speaker: that of the capability, if it has it.
    #[must_use]
    pub fn asn(&self) -> Asn {
        let wide = self.capabilities.iter().find_map(|capability| match capability {
            Capability::FourOctetAs(asn) => Some(*asn),
            _ => None,
        });
        wide.unwrap_or(Asn(u32::from(self.my_as)))
    }

    /// Whether the speaker exchanges a family. One that names no family exchanges IPv4 unicast.
    #[must_use]
    pub fn speaks(&self, family: Family) -> bool {
        let mut families = self.capabilities.iter().filter_map(|capability| match capability {
            Capability::Multiprotocol(family) => Some(*family),
            _ => None,
        });
        let named = families.clone().next().is_some();
        if named { families.any(|f| f == family) } else { family == Family::IPV4_UNICAST }
    }

    /// Reads the body of the message.
    ///
    /// # Errors
    /// The NOTIFICATION to send (RFC 4271 section 6.2).
    pub(super) fn parse(body: &[u8]) -> Result<Self, Notification> {
        let head: IResult<Input<'_>, _> = (be_u8, be_u16, be_u16, be_u32).parse(body);
        let (rest, (version, my_as, hold_time, id)) = head.map_err(|_| Notification::MALFORMED_OPEN)?;
        if version != Self::VERSION {
            return Err(Notification::unsupported_version());
        }
        let router_id = RouterId(id.into());
        if router_id.is_unspecified() {
            return Err(Notification::bad_identifier(router_id.0));
        }
        if matches!(hold_time, 1 | 2) {
            return Err(Notification::UNACCEPTABLE_HOLD_TIME);
        }
        let mut capabilities = Vec::new();
        for (kind, value) in Self::parameters(rest).ok_or(Notification::MALFORMED_OPEN)? {
            if kind != Self::CAPABILITIES {
                return Err(Notification::UNSUPPORTED_PARAMETER);
            }
            let parsed: IResult<Input<'_>, Vec<(u8, Input<'_>)>> =
                all_consuming(many0((be_u8, length_data(be_u8)))).parse(value);
            let (_, read) = parsed.map_err(|_| Notification::MALFORMED_OPEN)?;
            capabilities.extend(read.into_iter().map(|(code, value)| Capability::read(code, value)));
        }
        Ok(Self { my_as, hold_time, router_id, capabilities })
    }

    /// The optional parameters; `None` if their lengths do not fit.
    fn parameters(input: Input<'_>) -> Option<Vec<(u8, Input<'_>)>> {
        let short: IResult<Input<'_>, u8> = be_u8(input);
        let (rest, length) = short.ok()?;
        if length == Self::EXTENDED && rest.first() == Some(&Self::EXTENDED) {
            let whole: IResult<Input<'_>, _> =
                (be_u8, all_consuming(length_data(be_u16).and_then(many0((be_u8, length_data(be_u16))))))
                    .parse(rest);
            return whole.ok().map(|(_, (_, parameters))| parameters);
        }
        let whole: IResult<Input<'_>, Vec<(u8, Input<'_>)>> =
            all_consuming(take(length).and_then(all_consuming(many0((be_u8, length_data(be_u8))))))
                .parse(rest);
        whole.ok().map(|(_, parameters)| parameters)
    }

    /// Each capability goes into a parameter of its own, as IOS sends them. One that does not fit is left out.
    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        out.push(Self::VERSION);
        out.extend(self.my_as.to_be_bytes());
        out.extend(self.hold_time.to_be_bytes());
        out.extend(self.router_id.0.octets());
        let mut encoded: Vec<Vec<u8>> = Vec::with_capacity(self.capabilities.len());
        for capability in &self.capabilities {
            let mut octets = vec![capability.code(), 0];
            capability.emit_value(&mut octets);
            if let (Ok(length), Some(place)) = (u8::try_from(octets.len() - 2), octets.get_mut(1)) {
                *place = length;
                encoded.push(octets);
            }
        }
        let short = encoded.iter().all(|octets| octets.len() <= 255)
            && encoded.iter().map(|octets| octets.len() + 2).sum::<usize>() < 255;
        if short {
            // Below 255, as just tested.
            out.push(encoded.iter().map(|octets| octets.len() + 2).sum::<usize>() as u8);
            for octets in encoded {
                out.extend([Self::CAPABILITIES, octets.len() as u8]);
                out.extend(octets);
            }
            return;
        }
        // RFC 9072; the body is limited by the largest message.
        let room = super::MAX_LENGTH - super::HEADER_LENGTH - 14;
        let mut body = Vec::new();
        for octets in encoded.into_iter().filter(|octets| octets.len() <= 257) {
            if body.len() + octets.len() + 3 > room {
                break;
            }
            body.push(Self::CAPABILITIES);
            body.extend((octets.len() as u16).to_be_bytes());
            body.extend(octets);
        }
        out.extend([Self::EXTENDED, Self::EXTENDED]);
        out.extend((body.len() as u16).to_be_bytes());
        out.extend(body);
    }
}
