//! The metrics inside route TLVs.
//!
//! Classic (RFC 7868 section 6.8.1), scaled for 32 bits:
//!
//! ```text
//!  0                   1                   2                   3
//! |                         Scaled delay                          |
//! |                       Scaled bandwidth                        |
//! |                      MTU                      |   Hop count   |
//! |  Reliability  |     Load      | Internal tag  |     Flags     |
//! ```
//!
//! Wide (section 6.9.1), unscaled:
//!
//! ```text
//! |    Offset     |   Priority    |  Reliability  |     Load      |
//! |                      MTU                      |   Hop count   |
//! |                 Delay in picoseconds (48 bits)                |
//! |                               |                               |
//! |                Bandwidth in kbit/s (48 bits)                  |
//! |           Reserved            |             Flags             |
//! |           Attributes, as many 16-bit words as Offset says     |
//! ```

use nom::bytes::complete::take;
use nom::multi::length_data;
use nom::number::complete::{be_u8, be_u16, be_u24, be_u32};
use nom::{IResult, Parser};
use serde::{Deserialize, Serialize};

/// The metric of a route in classic TLVs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct ClassicMetric {
    /// Sum of delays, in tens of microseconds times 256; [`Self::UNREACHABLE`] is no way.
    pub delay: u32,
    /// 10^7 over the least bandwidth in kbit/s, times 256.
    pub bandwidth: u32,
    /// Least MTU, 24 bits.
    pub mtu: u32,
    /// Routers on the way.
    pub hop_count: u8,
    /// Least reliability, of 255.
    pub reliability: u8,
    /// Greatest load, of 255.
    pub load: u8,
    /// Tag of internal routes.
    pub internal_tag: u8,
    /// Opaque flags.
    pub flags: u8,
}

impl ClassicMetric {
    /// The delay of what cannot be reached.
    pub const UNREACHABLE: u32 = u32::MAX;
    /// Octets on the wire.
    pub(super) const LEN: usize = 16;

    pub(super) fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (delay, bandwidth, mtu, hop_count)) = (be_u32, be_u32, be_u24, be_u8).parse(input)?;
        let (input, (reliability, load, internal_tag, flags)) = (be_u8, be_u8, be_u8, be_u8).parse(input)?;
        Ok((input, Self { delay, bandwidth, mtu, hop_count, reliability, load, internal_tag, flags }))
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.delay.to_be_bytes());
        out.extend_from_slice(&self.bandwidth.to_be_bytes());
        emit_mtu(self.mtu, out);
        out.extend_from_slice(&[self.hop_count, self.reliability, self.load, self.internal_tag, self.flags]);
    }
}

/// The metric of a route in multiprotocol TLVs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct WideMetric {
    /// Priority.
    pub priority: u8,
    /// Least reliability, of 255.
    pub reliability: u8,
    /// Greatest load, of 255.
    pub load: u8,
    /// Least MTU, 24 bits.
    pub mtu: u32,
    /// Routers on the way.
    pub hop_count: u8,
    /// Sum of delays in picoseconds, 48 bits; [`Self::UNREACHABLE`] is no way.
    pub delay: u64,
    /// Least bandwidth in kbit/s, 48 bits.
    pub bandwidth: u64,
    /// Opaque flags.
    pub flags: u16,
    /// Route tag, from the attribute of type 2; 0 is none. Other attributes are passed over.
    pub tag: u32,
}

/// The attribute type of a route tag.
const ATTRIBUTE_TAG: u8 = 2;

impl WideMetric {
    /// The delay of what cannot be reached.
    pub const UNREACHABLE: u64 = (1 << 48) - 1;
    /// Octets on the wire without attributes.
    pub(super) const LEN: usize = 24;
    /// Octets of a tag attribute.
    pub(super) const TAG_LEN: usize = 6;

    pub(super) fn parse(input: &[u8]) -> IResult<&[u8], Self> {
        let (input, (words, priority, reliability, load)) = (be_u8, be_u8, be_u8, be_u8).parse(input)?;
        let (input, (mtu, hop_count, delay, bandwidth)) = (be_u24, be_u8, be_u48, be_u48).parse(input)?;
        let (input, (_reserved, flags)) = (be_u16, be_u16).parse(input)?;
        let (input, attributes) = take(usize::from(words) * 2)(input)?;
        let (_, tag) = parse_tag(attributes)?;
        let metric = Self { priority, reliability, load, mtu, hop_count, delay, bandwidth, flags, tag };
        Ok((input, metric))
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        let words = if self.tag == 0 { 0 } else { 3 };
        out.extend_from_slice(&[words, self.priority, self.reliability, self.load]);
        emit_mtu(self.mtu, out);
        out.push(self.hop_count);
        emit_u48(self.delay, out);
        emit_u48(self.bandwidth, out);
        out.extend_from_slice(&[0, 0]);
        out.extend_from_slice(&self.flags.to_be_bytes());
        if self.tag != 0 {
            // Type, words of the value, value.
            out.extend_from_slice(&[ATTRIBUTE_TAG, 2]);
            out.extend_from_slice(&self.tag.to_be_bytes());
        }
    }
}

/// The tag among attributes: each is a type, the words of its value, and the value.
fn parse_tag(mut attributes: &[u8]) -> IResult<&[u8], u32> {
    let mut tag = 0;
    while !attributes.is_empty() {
        let words_as_octets = be_u8.map(|words: u8| u16::from(words) * 2);
        let (rest, (kind, value)) = (be_u8, length_data(words_as_octets)).parse(attributes)?;
        if kind == ATTRIBUTE_TAG {
            (_, tag) = be_u32(value)?;
        }
        attributes = rest;
    }
    Ok((attributes, tag))
}

fn be_u48(input: &[u8]) -> IResult<&[u8], u64> {
    let (input, (high, low)) = (be_u16, be_u32).parse(input)?;
    Ok((input, u64::from(high) << 32 | u64::from(low)))
}

/// Appends the lower 48 bits.
fn emit_u48(value: u64, out: &mut Vec<u8>) {
    let [_, _, octets @ ..] = value.to_be_bytes();
    out.extend_from_slice(&octets);
}

/// Appends the lower 24 bits.
fn emit_mtu(value: u32, out: &mut Vec<u8>) {
    let [_, octets @ ..] = value.to_be_bytes();
    out.extend_from_slice(&octets);
}
