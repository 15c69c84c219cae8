//! Path attributes on the wire (RFC 4271 section 4.3), read with the error handling of RFC 7606.
//!
//! ```text
//!  0                   1                   2
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 ...
//! +-+-+-+-+-------+---------------+---------------+-----------
//! |O|T|P|E| 0     | Type code     | Length (two octets with E) | Value ...
//! +-+-+-+-+-------+---------------+---------------+-----------
//!  Optional, Transitive, Partial, Extended length
//! ```

use std::net::Ipv4Addr;

use nom::combinator::all_consuming;
use nom::multi::{length_count, many0, many1};
use nom::number::complete::{be_u8, be_u16, be_u32, be_u64};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

use super::notification::Notification;
use super::{PeerKind, UpdateFormat};
use crate::bgp::as_path::{AsPath, Segment, SegmentKind};
use crate::bgp::attributes::{Aggregator, ClusterId, Origin, PathAttributes, UnknownAttribute};
use crate::bgp::community::{Community, ExtendedCommunity, LargeCommunity};
use crate::ids::{Asn, RouterId};

/// Attribute type codes.
pub mod code {
    /// ORIGIN.
    pub const ORIGIN: u8 = 1;
    /// AS_PATH.
    pub const AS_PATH: u8 = 2;
    /// NEXT_HOP.
    pub const NEXT_HOP: u8 = 3;
    /// MULTI_EXIT_DISC.
    pub const MULTI_EXIT_DISC: u8 = 4;
    /// LOCAL_PREF.
    pub const LOCAL_PREF: u8 = 5;
    /// ATOMIC_AGGREGATE.
    pub const ATOMIC_AGGREGATE: u8 = 6;
    /// AGGREGATOR.
    pub const AGGREGATOR: u8 = 7;
    /// COMMUNITIES (RFC 1997).
    pub const COMMUNITIES: u8 = 8;
    /// ORIGINATOR_ID (RFC 4456).
    pub const ORIGINATOR_ID: u8 = 9;
    /// CLUSTER_LIST (RFC 4456).
    pub const CLUSTER_LIST: u8 = 10;
    /// MP_REACH_NLRI (RFC 4760).
    pub const MP_REACH: u8 = 14;
    /// MP_UNREACH_NLRI (RFC 4760).
    pub const MP_UNREACH: u8 = 15;
    /// EXTENDED COMMUNITIES (RFC 4360).
    pub const EXTENDED_COMMUNITIES: u8 = 16;
    /// AS4_PATH (RFC 6793).
    pub const AS4_PATH: u8 = 17;
    /// AS4_AGGREGATOR (RFC 6793).
    pub const AS4_AGGREGATOR: u8 = 18;
    /// AIGP (RFC 7311).
    pub const AIGP: u8 = 26;
    /// LARGE_COMMUNITY (RFC 8092).
    pub const LARGE_COMMUNITIES: u8 = 32;
}

const OPTIONAL: u8 = 0x80;
const TRANSITIVE: u8 = 0x40;
const PARTIAL: u8 = 0x20;
const EXTENDED_LENGTH: u8 = 0x10;

/// The optional and transitive bits of the attributes that are known.
const fn category(code: u8) -> Option<u8> {
    match code {
        code::ORIGIN..=code::NEXT_HOP | code::LOCAL_PREF | code::ATOMIC_AGGREGATE => Some(TRANSITIVE),
        code::MULTI_EXIT_DISC
        | code::ORIGINATOR_ID
        | code::CLUSTER_LIST
        | code::MP_REACH
        | code::MP_UNREACH
        | code::AIGP => Some(OPTIONAL),
        code::AGGREGATOR
        | code::COMMUNITIES
        | code::EXTENDED_COMMUNITIES
        | code::AS4_PATH
        | code::AS4_AGGREGATOR
        | code::LARGE_COMMUNITIES => Some(OPTIONAL | TRANSITIVE),
        _ => None,
    }
}

/// What is done about a malformed attribute short of ending the session (RFC 7606 section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Treatment {
    /// The attribute is left out.
    AttributeDiscard,
    /// The routes of the message are withdrawn.
    TreatAsWithdraw,
}

/// A malformed attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Its type code.
    pub code: u8,
    /// What is wrong.
    pub problem: Problem,
    /// What is done about it.
    pub treatment: Treatment,
}

/// What is wrong with an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Problem {
    /// Optional or transitive bit other than its type's.
    Flags,
    /// A length that its type does not have.
    Length,
    /// A value that its type does not have.
    Value,
    /// It stands twice; the first counts.
    Repeated,
    /// A peer of this kind must not send it.
    Unexpected,
    /// It should be there.
    Missing,
    /// It reaches beyond the attributes' length.
    Overrun,
}

/// A multiprotocol attribute, its routes not yet read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Multiprotocol<'a> {
    pub(super) reach: Option<&'a [u8]>,
    pub(super) unreach: Option<&'a [u8]>,
}

type Input<'a> = &'a [u8];

/// Reads all of `input` by `parser`.
fn whole<'a, T>(
    parser: impl Parser<Input<'a>, Output = T, Error = nom::error::Error<Input<'a>>>,
    input: Input<'a>,
) -> Option<T> {
    all_consuming(parser).parse(input).ok().map(|(_, value)| value)
}

fn address(input: Input<'_>) -> IResult<Input<'_>, Ipv4Addr> {
    be_u32.map(Ipv4Addr::from).parse(input)
}

/// One attribute's flags, code and value.
fn raw_attribute(input: Input<'_>) -> Option<(Input<'_>, (u8, u8, Input<'_>))> {
    let (&flags, rest) = input.split_first()?;
    let (&code, rest) = rest.split_first()?;
    let (length, rest) = if flags & EXTENDED_LENGTH == 0 {
        let (&length, rest) = rest.split_first()?;
        (usize::from(length), rest)
    } else {
        let (length, rest) = rest.split_first_chunk::<2>()?;
        (usize::from(u16::from_be_bytes(*length)), rest)
    };
    let (value, rest) = rest.split_at_checked(length)?;
    Some((rest, (flags, code, value)))
}

/// AS_PATH or AS4_PATH, with numbers of four octets or two.
fn as_path(four_octets: bool, value: Input<'_>) -> Option<AsPath> {
    fn number<const FOUR: bool>(input: Input<'_>) -> IResult<Input<'_>, Asn> {
        if FOUR { be_u32.map(Asn).parse(input) } else { be_u16.map(|asn| Asn(asn.into())).parse(input) }
    }
    let segments = if four_octets {
        whole(many0((be_u8, length_count(be_u8, number::<true>))), value)
    } else {
        whole(many0((be_u8, length_count(be_u8, number::<false>))), value)
    }?;
    let mut path = Vec::with_capacity(segments.len());
    for (kind, asns) in segments {
        let kind = match kind {
            1 => SegmentKind::Set,
            2 => SegmentKind::Sequence,
            3 => SegmentKind::ConfedSequence,
            4 => SegmentKind::ConfedSet,
            _ => return None,
        };
        // RFC 7606 section 7.2: no empty segments; RFC 7607: no AS 0.
        if asns.is_empty() || asns.contains(&Asn(0)) {
            return None;
        }
        path.push(Segment { kind, asns });
    }
    Some(AsPath::new(path))
}

fn sorted<T: Ord>(mut values: Vec<T>) -> Vec<T> {
    values.sort_unstable();
    values.dedup();
    values
}

/// What one pass over the attributes of a message has found.
#[derive(Debug)]
pub(super) struct Reader<'a> {
    format: UpdateFormat,
    /// Type codes that have been seen, a bit each.
    seen: [u64; 4],
    /// Codes of mandatory attributes that were read well.
    attributes: PathAttributes,
    has_origin: bool,
    has_as_path: bool,
    has_next_hop: bool,
    as4_path: Option<AsPath>,
    as4_aggregator: Option<Aggregator>,
    pub(super) multiprotocol: Multiprotocol<'a>,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Reader<'a> {
    /// Reads the attributes of a message.
    ///
    /// # Errors
    /// The NOTIFICATION to send where the session must end.
    pub(super) fn read(format: UpdateFormat, mut input: Input<'a>) -> Result<Self, Notification> {
        let mut reader = Self {
            format,
            seen: [0; 4],
            attributes: PathAttributes::local(Origin::Igp),
            has_origin: false,
            has_as_path: false,
            has_next_hop: false,
            as4_path: None,
            as4_aggregator: None,
            multiprotocol: Multiprotocol::default(),
            findings: Vec::new(),
        };
        while !input.is_empty() {
            let Some((rest, (flags, code, value))) = raw_attribute(input) else {
                // RFC 7606 section 4: the routes are still found by the total length.
                let code = input.get(1).copied().unwrap_or(0);
                reader.found(code, Problem::Overrun, Treatment::TreatAsWithdraw);
                break;
            };
            let whole = input.get(..input.len() - rest.len()).unwrap_or(input);
            reader.attribute(flags, code, value, whole)?;
            input = rest;
        }
        Ok(reader)
    }

    fn found(&mut self, code: u8, problem: Problem, treatment: Treatment) {
        self.findings.push(Finding { code, problem, treatment });
    }

    /// Marks a code as seen; `false` if it was already.
    fn first_sight(&mut self, code: u8) -> bool {
        let Some(word) = self.seen.get_mut(usize::from(code / 64)) else { return true };
        let bit = 1u64 << (code % 64);
        let first = *word & bit == 0;
        *word |= bit;
        first
    }

    fn attribute(
        &mut self,
        flags: u8,
        code: u8,
        value: Input<'a>,
        whole: Input<'a>,
    ) -> Result<(), Notification> {
        if !self.first_sight(code) {
            // RFC 7606 section 3 g.
            if matches!(code, code::MP_REACH | code::MP_UNREACH) {
                return Err(Notification::MALFORMED_ATTRIBUTES);
            }
            self.found(code, Problem::Repeated, Treatment::AttributeDiscard);
            return Ok(());
        }
        match category(code) {
            None => self.unknown(flags, code, value, whole),
            Some(wanted) if flags & (OPTIONAL | TRANSITIVE) != wanted => {
                // RFC 7606 section 3 c.
                let treatment = match code {
                    code::AS4_PATH | code::AS4_AGGREGATOR => Treatment::AttributeDiscard,
                    _ => Treatment::TreatAsWithdraw,
                };
                self.found(code, Problem::Flags, treatment);
                // The routes of a multiprotocol attribute are still to be found, so that they can be withdrawn.
                match code {
                    code::MP_REACH => self.multiprotocol.reach = Some(value),
                    code::MP_UNREACH => self.multiprotocol.unreach = Some(value),
                    _ => {}
                }
                Ok(())
            }
            Some(_) => {
                if let Err((problem, treatment)) = self.known(code, value) {
                    self.found(code, problem, treatment);
                }
                Ok(())
            }
        }
    }

    fn unknown(
        &mut self,
        flags: u8,
        code: u8,
        value: Input<'_>,
        whole: Input<'_>,
    ) -> Result<(), Notification> {
        if flags & OPTIONAL == 0 {
            return Err(Notification::unrecognized_well_known(whole));
        }
        if flags & TRANSITIVE != 0 {
            let flags = OPTIONAL | TRANSITIVE | PARTIAL;
            self.attributes.unknown.push(UnknownAttribute { flags, code, value: value.into() });
        }
        Ok(())
    }

    /// Reads a known attribute (RFC 7606 section 7).
    fn known(&mut self, code: u8, value: Input<'a>) -> Result<(), (Problem, Treatment)> {
        use Treatment::{AttributeDiscard, TreatAsWithdraw};
        let length = (Problem::Length, TreatAsWithdraw);
        let bad_value = (Problem::Value, TreatAsWithdraw);
        let external = self.format.peer == PeerKind::External;
        let attributes = &mut self.attributes;
        match code {
            code::ORIGIN => {
                attributes.origin = match value {
                    [0] => Origin::Igp,
                    [1] => Origin::Egp,
                    [2] => Origin::Incomplete,
                    [_] => return Err(bad_value),
                    _ => return Err(length),
                };
                self.has_origin = true;
            }
            code::AS_PATH => {
                let path = as_path(self.format.four_octet_as, value).ok_or(bad_value)?;
                let starts_in_confederation =
                    path.segments().first().is_some_and(|s| s.kind == SegmentKind::ConfedSequence);
                let well_formed = match self.format.peer {
                    // RFC 5065 section 5.
                    PeerKind::External => path.segments().iter().all(|s| !s.kind.is_confederation()),
                    PeerKind::Confederation => starts_in_confederation,
                    PeerKind::Internal => true,
                };
                if !well_formed {
                    return Err(bad_value);
                }
                attributes.as_path = path;
                self.has_as_path = true;
            }
            code::NEXT_HOP => {
                let next_hop = whole(address, value).ok_or(length)?;
                // RFC 4271 section 6.3: it must be an address of a host.
                if matches!(next_hop.octets(), [0 | 127 | 224..=255, ..]) {
                    return Err(bad_value);
                }
                attributes.next_hop = next_hop;
                self.has_next_hop = true;
            }
            code::MULTI_EXIT_DISC => attributes.med = Some(whole(be_u32, value).ok_or(length)?),
            code::LOCAL_PREF if external => return Err((Problem::Unexpected, AttributeDiscard)),
            code::LOCAL_PREF => attributes.local_preference = Some(whole(be_u32, value).ok_or(length)?),
            code::ATOMIC_AGGREGATE if value.is_empty() => attributes.atomic_aggregate = true,
            code::ATOMIC_AGGREGATE => return Err((Problem::Length, AttributeDiscard)),
            code::AGGREGATOR => {
                let asn = |input| -> IResult<Input<'_>, Asn> {
                    if self.format.four_octet_as {
                        be_u32.map(Asn).parse(input)
                    } else {
                        be_u16.map(|asn| Asn(asn.into())).parse(input)
                    }
                };
                let read = whole((asn, address), value).ok_or((Problem::Length, AttributeDiscard))?;
                attributes.aggregator =
                    aggregator(read).ok_or((Problem::Value, AttributeDiscard)).map(Some)?;
            }
            code::COMMUNITIES => {
                attributes.communities = sorted(whole(many1(be_u32.map(Community)), value).ok_or(length)?);
            }
            code::ORIGINATOR_ID | code::CLUSTER_LIST if external => {
                return Err((Problem::Unexpected, AttributeDiscard));
            }
            code::ORIGINATOR_ID => {
                attributes.originator_id = Some(RouterId(whole(address, value).ok_or(length)?));
            }
            code::CLUSTER_LIST => {
                attributes.cluster_list = whole(many1(address.map(ClusterId)), value).ok_or(length)?;
            }
            code::MP_REACH => self.multiprotocol.reach = Some(value),
            code::MP_UNREACH => self.multiprotocol.unreach = Some(value),
            code::EXTENDED_COMMUNITIES => {
                let one = be_u64.map(|octets: u64| ExtendedCommunity(octets.to_be_bytes()));
                attributes.extended_communities = sorted(whole(many1(one), value).ok_or(length)?);
            }
            // RFC 6793 section 6: from a speaker of four-octet numbers they are discarded.
            code::AS4_PATH | code::AS4_AGGREGATOR if self.format.four_octet_as => {
                return Err((Problem::Unexpected, AttributeDiscard));
            }
            code::AS4_PATH => {
                self.as4_path = Some(as_path(true, value).ok_or((Problem::Value, AttributeDiscard))?);
            }
            code::AS4_AGGREGATOR => {
                let read = whole((be_u32.map(Asn), address), value);
                self.as4_aggregator =
                    Some(read.and_then(aggregator).ok_or((Problem::Length, AttributeDiscard))?);
            }
            code::AIGP => {
                attributes.aigp = Some(aigp_metric(value).ok_or((Problem::Value, AttributeDiscard))?);
            }
            code::LARGE_COMMUNITIES => {
                let one = (be_u32, be_u32, be_u32).map(|(global, local1, local2)| LargeCommunity {
                    global,
                    local1,
                    local2,
                });
                attributes.large_communities = sorted(whole(many1(one), value).ok_or(length)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Whether an attribute says that the routes are to be withdrawn.
    pub(super) fn withdraws(&self) -> bool {
        self.findings.iter().any(|finding| finding.treatment == Treatment::TreatAsWithdraw)
    }

    /// The attributes of announced routes. `next_hop` is that of a multiprotocol attribute.
    pub(super) fn finish(&mut self, next_hop: Option<Ipv4Addr>) -> PathAttributes {
        if let Some(next_hop) = next_hop {
            self.attributes.next_hop = next_hop;
            self.has_next_hop = true;
        }
        let mandatory = [
            (code::ORIGIN, self.has_origin),
            (code::AS_PATH, self.has_as_path),
            (code::NEXT_HOP, self.has_next_hop),
            // RFC 7606 section 3 d with section 7.5: LOCAL_PREF is mandatory from internal peers, but IOS takes routes without it.
        ];
        for (code, present) in mandatory {
            let known_bad = self.findings.iter().any(|finding| finding.code == code);
            if !present && !known_bad {
                self.found(code, Problem::Missing, Treatment::TreatAsWithdraw);
            }
        }
        self.merge_four_octet_numbers();
        self.attributes.unknown.sort_by_key(|unknown| unknown.code);
        self.attributes.clone()
    }

    /// RFC 6793 section 4.2.3.
    fn merge_four_octet_numbers(&mut self) {
        let aggregator_is_old = self.attributes.aggregator.is_some_and(|a| a.asn != Asn::TRANS);
        if aggregator_is_old && self.as4_aggregator.is_some() {
            return;
        }
        if self.attributes.aggregator.is_some() && self.as4_aggregator.is_some() {
            self.attributes.aggregator = self.as4_aggregator;
        }
        if let Some(as4) = self.as4_path.take() {
            self.attributes.as_path = self.attributes.as_path.merged_with(&as4);
        }
    }
}

/// RFC 7607: no AS 0.
fn aggregator((asn, router): (Asn, Ipv4Addr)) -> Option<Aggregator> {
    (asn != Asn(0)).then_some(Aggregator { asn, router })
}

/// The metric of the first TLV of type 1 (RFC 7311 section 3); the others must be well-formed too.
fn aigp_metric(mut value: Input<'_>) -> Option<u64> {
    let mut metric = None;
    while !value.is_empty() {
        let ([kind, high, low], rest) = value.split_first_chunk::<3>()?;
        let length = usize::from(u16::from_be_bytes([*high, *low])).checked_sub(3)?;
        let (body, rest) = rest.split_at_checked(length)?;
        if *kind == 1 {
            let read = whole(be_u64, body)?;
            metric.get_or_insert(read);
        }
        value = rest;
    }
    metric
}

/// Appends one attribute; the value is written by `body`.
fn put(out: &mut Vec<u8>, flags: u8, code: u8, body: impl FnOnce(&mut Vec<u8>)) {
    let start = out.len();
    out.extend([flags, code, 0]);
    body(out);
    let length = out.len() - start - 3;
    match u8::try_from(length) {
        Ok(length) => {
            if let Some(place) = out.get_mut(start + 2) {
                *place = length;
            }
        }
        Err(_) => {
            // An attribute set is limited to what fits a message before it is written.
            let [high, low] = u16::try_from(length).unwrap_or(u16::MAX).to_be_bytes();
            if let Some(place) = out.get_mut(start) {
                *place |= EXTENDED_LENGTH;
            }
            out.splice(start + 2..start + 3, [high, low]);
        }
    }
}

fn put_path(out: &mut Vec<u8>, path: &AsPath, four_octets: bool) {
    for segment in path.segments() {
        let kind = match segment.kind {
            SegmentKind::Set => 1,
            SegmentKind::Sequence => 2,
            SegmentKind::ConfedSequence => 3,
            SegmentKind::ConfedSet => 4,
        };
        for part in segment.asns.chunks(255) {
            // Chunks have at most 255 numbers.
            out.extend([kind, part.len() as u8]);
            for &asn in part {
                put_asn(out, asn, four_octets);
            }
        }
    }
}

fn put_asn(out: &mut Vec<u8>, asn: Asn, four_octets: bool) {
    if four_octets {
        out.extend(asn.0.to_be_bytes());
    } else {
        // AS_TRANS fits two octets.
        let short = u16::try_from(asn.0).unwrap_or(Asn::TRANS.0 as u16);
        out.extend(short.to_be_bytes());
    }
}

impl PathAttributes {
    /// Appends the attributes as `format` wants them, in the order of their codes. Without `next_hop` the NEXT_HOP is left out, as
    /// beside MP_REACH_NLRI.
    pub(super) fn emit(&self, format: UpdateFormat, out: &mut Vec<u8>) {
        let wide = format.four_octet_as;
        put(out, TRANSITIVE, code::ORIGIN, |out| {
            out.push(match self.origin {
                Origin::Igp => 0,
                Origin::Egp => 1,
                Origin::Incomplete => 2,
            });
        });
        put(out, TRANSITIVE, code::AS_PATH, |out| put_path(out, &self.as_path, wide));
        put(out, TRANSITIVE, code::NEXT_HOP, |out| out.extend(self.next_hop.octets()));
        if let Some(med) = self.med {
            put(out, OPTIONAL, code::MULTI_EXIT_DISC, |out| out.extend(med.to_be_bytes()));
        }
        if let Some(preference) = self.local_preference {
            put(out, TRANSITIVE, code::LOCAL_PREF, |out| out.extend(preference.to_be_bytes()));
        }
        if self.atomic_aggregate {
            put(out, TRANSITIVE, code::ATOMIC_AGGREGATE, |_| {});
        }
        if let Some(aggregator) = self.aggregator {
            put(out, OPTIONAL | TRANSITIVE, code::AGGREGATOR, |out| {
                put_asn(out, aggregator.asn, wide);
                out.extend(aggregator.router.octets());
            });
        }
        self.emit_lists(out);
        if !wide && !self.as_path.fits_two_octets() {
            put(out, OPTIONAL | TRANSITIVE, code::AS4_PATH, |out| {
                put_path(out, &self.as_path.without_confederation(), true);
            });
        }
        if let Some(aggregator) = self.aggregator.filter(|a| !wide && a.asn.0 > u32::from(u16::MAX)) {
            put(out, OPTIONAL | TRANSITIVE, code::AS4_AGGREGATOR, |out| {
                put_asn(out, aggregator.asn, true);
                out.extend(aggregator.router.octets());
            });
        }
        self.emit_late(out);
    }

    /// Types 8 to 16.
    fn emit_lists(&self, out: &mut Vec<u8>) {
        if !self.communities.is_empty() {
            put(out, OPTIONAL | TRANSITIVE, code::COMMUNITIES, |out| {
                self.communities.iter().for_each(|community| out.extend(community.0.to_be_bytes()));
            });
        }
        if let Some(originator) = self.originator_id {
            put(out, OPTIONAL, code::ORIGINATOR_ID, |out| out.extend(originator.0.octets()));
        }
        if !self.cluster_list.is_empty() {
            put(out, OPTIONAL, code::CLUSTER_LIST, |out| {
                self.cluster_list.iter().for_each(|cluster| out.extend(cluster.0.octets()));
            });
        }
        if !self.extended_communities.is_empty() {
            put(out, OPTIONAL | TRANSITIVE, code::EXTENDED_COMMUNITIES, |out| {
                self.extended_communities.iter().for_each(|community| out.extend(community.0));
            });
        }
    }

    /// Types from 19 on, the unknown ones in their places.
    fn emit_late(&self, out: &mut Vec<u8>) {
        let unknown = |out: &mut Vec<u8>, from: u8, to: u8| {
            for attribute in self.unknown.iter().filter(|a| (from..=to).contains(&a.code)) {
                put(out, attribute.flags & !EXTENDED_LENGTH, attribute.code, |out| {
                    out.extend(attribute.value.iter());
                });
            }
        };
        unknown(out, 0, code::AIGP - 1);
        if let Some(metric) = self.aigp {
            put(out, OPTIONAL, code::AIGP, |out| {
                out.extend([1, 0, 11]);
                out.extend(metric.to_be_bytes());
            });
        }
        unknown(out, code::AIGP + 1, code::LARGE_COMMUNITIES - 1);
        if !self.large_communities.is_empty() {
            put(out, OPTIONAL | TRANSITIVE, code::LARGE_COMMUNITIES, |out| {
                for community in &self.large_communities {
                    for part in [community.global, community.local1, community.local2] {
                        out.extend(part.to_be_bytes());
                    }
                }
            });
        }
        unknown(out, code::LARGE_COMMUNITIES + 1, u8::MAX);
    }
}
