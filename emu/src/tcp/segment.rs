//! Segments on the wire (RFC 9293 section 3.1).
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +-------------------------------+-------------------------------+
//! |          Source Port          |       Destination Port        |
//! |                        Sequence Number                        |
//! |                    Acknowledgment Number                      |
//! | Offset| Rsrvd | Control Bits  |            Window             |
//! |           Checksum            |         Urgent Pointer        |
//! |                           [Options]                           |
//! +---------------------------------------------------------------+
//! |                             Data                              |
//! +---------------------------------------------------------------+
//! ```
//!
//! The fixed header is read and written through `smoltcp::wire::TcpPacket`; the options are our own, for its `TcpRepr` cannot
//! carry the MD5 signature: kind 19, length 18, 16 octets of MD5 over the pseudo header, the header without options and with
//! checksum zero, the data, and the key (RFC 2385 section 2.0).

use std::net::Ipv4Addr;

use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};
use smoltcp::wire::{IpAddress, TcpOption, TcpPacket, TcpSeqNumber};

use super::SequenceNumber;

const HEADER_LEN: usize = 20;
const OPTION_MD5: u8 = 19;
const MD5_LEN: usize = 16;
/// The option with the signature, behind two octets of padding.
pub(super) const SIGNATURE_OPTION: u16 = 20;

/// The control bits that we use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flags {
    /// Synchronize sequence numbers.
    pub syn: bool,
    /// No more data from the sender.
    pub fin: bool,
    /// Reset the connection.
    pub rst: bool,
    /// Push.
    pub psh: bool,
    /// The acknowledgment number counts.
    pub ack: bool,
}

impl Flags {
    /// An acknowledgment.
    pub const ACK: Self = Self { ack: true, syn: false, fin: false, rst: false, psh: false };
    /// The first segment of an active open.
    pub const SYN: Self = Self { syn: true, ack: false, fin: false, rst: false, psh: false };
    /// The answer to a SYN.
    pub const SYN_ACK: Self = Self { syn: true, ack: true, fin: false, rst: false, psh: false };
    /// A reset without acknowledgment.
    pub const RST: Self = Self { rst: true, syn: false, ack: false, fin: false, psh: false };
    /// A reset that acknowledges.
    pub const RST_ACK: Self = Self { rst: true, ack: true, syn: false, fin: false, psh: false };
}

/// A segment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Sender's port.
    pub source_port: u16,
    /// Receiver's port.
    pub destination_port: u16,
    /// Sequence number of the first octet, or of the SYN.
    pub sequence: SequenceNumber,
    /// The next octet expected, if [`Flags::ack`].
    pub acknowledgment: SequenceNumber,
    /// Control bits.
    pub flags: Flags,
    /// Receive window in octets.
    pub window: u16,
    /// Maximum segment size option.
    pub mss: Option<u16>,
    /// Data.
    pub payload: Vec<u8>,
}

/// What is wrong with received octets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MalformedSegment {
    /// Too short, or lengths that contradict each other.
    Length,
    /// The checksum does not match.
    Checksum,
    /// Contradictory control bits, port 0, or bad options.
    Header,
    /// A signature was demanded and is not there.
    NoSignature,
    /// The signature is wrong, or there is one where none was agreed.
    BadSignature,
}

impl Segment {
    /// How much sequence space the segment takes: its data, and one each for SYN and FIN.
    #[must_use]
    pub fn sequence_length(&self) -> u32 {
        // A segment's payload is bounded by the IPv4 total length, so it fits.
        self.payload.len() as u32 + u32::from(self.flags.syn) + u32::from(self.flags.fin)
    }

    /// The ports (source, destination) of received octets, before anything is checked.
    #[must_use]
    pub fn peek_ports(octets: &[u8]) -> Option<(u16, u16)> {
        let packet = TcpPacket::new_checked(octets).ok()?;
        Some((packet.src_port(), packet.dst_port()))
    }

    /// Reads a segment that came from `source` to `destination`, demanding a signature if there is a `key`.
    pub fn parse(
        octets: &[u8],
        source: Ipv4Addr,
        destination: Ipv4Addr,
        key: Option<&str>,
    ) -> Result<Self, MalformedSegment> {
        let packet = TcpPacket::new_checked(octets).map_err(|_| MalformedSegment::Length)?;
        if !packet.verify_checksum(&IpAddress::Ipv4(source), &IpAddress::Ipv4(destination)) {
            return Err(MalformedSegment::Checksum);
        }
        let flags = Flags {
            syn: packet.syn(),
            fin: packet.fin(),
            rst: packet.rst(),
            psh: packet.psh(),
            ack: packet.ack(),
        };
        if packet.src_port() == 0 || packet.dst_port() == 0 || (flags.syn && (flags.fin || flags.rst)) {
            return Err(MalformedSegment::Header);
        }
        let (mss, signature) = parse_options(packet.options())?;
        match (key, signature) {
            (None, None) => {}
            (None, Some(_)) => return Err(MalformedSegment::BadSignature),
            (Some(_), None) => return Err(MalformedSegment::NoSignature),
            (Some(key), Some(found)) => {
                if signature_of(octets, usize::from(packet.header_len()), source, destination, key) != found {
                    return Err(MalformedSegment::BadSignature);
                }
            }
        }
        Ok(Self {
            source_port: packet.src_port(),
            destination_port: packet.dst_port(),
            sequence: from_wire(packet.seq_number()),
            acknowledgment: from_wire(packet.ack_number()),
            flags,
            window: packet.window_len(),
            mss,
            payload: packet.payload().to_vec(),
        })
    }

    /// Writes the segment as sent from `source` to `destination`, signed if there is a `key`.
    #[must_use]
    pub fn emit(&self, source: Ipv4Addr, destination: Ipv4Addr, key: Option<&str>) -> Vec<u8> {
        let options = self.mss.map_or(0, |_| 4) + key.map_or(0, |_| usize::from(SIGNATURE_OPTION));
        let header_len = HEADER_LEN + options;
        let mut octets = vec![0; header_len + self.payload.len()];
        octets[header_len..].copy_from_slice(&self.payload);
        let mut packet = TcpPacket::new_unchecked(&mut octets);
        packet.set_src_port(self.source_port);
        packet.set_dst_port(self.destination_port);
        packet.set_seq_number(to_wire(self.sequence));
        packet.set_ack_number(to_wire(if self.flags.ack { self.acknowledgment } else { SequenceNumber(0) }));
        packet.clear_flags();
        packet.set_syn(self.flags.syn);
        packet.set_fin(self.flags.fin);
        packet.set_rst(self.flags.rst);
        packet.set_psh(self.flags.psh);
        packet.set_ack(self.flags.ack);
        packet.set_window_len(self.window);
        packet.set_urgent_at(0);
        // At most 44 octets.
        packet.set_header_len(header_len as u8);
        let mut at = HEADER_LEN;
        if let Some(mss) = self.mss {
            TcpOption::MaxSegmentSize(mss).emit(&mut octets[at..]);
            at += 4;
        }
        if let Some(key) = key {
            let signature = signature_of(&octets, header_len, source, destination, key);
            octets[at] = 1;
            octets[at + 1] = 1;
            octets[at + 2] = OPTION_MD5;
            octets[at + 3] = 18;
            octets[at + 4..at + 4 + MD5_LEN].copy_from_slice(&signature);
        }
        TcpPacket::new_unchecked(&mut octets)
            .fill_checksum(&IpAddress::Ipv4(source), &IpAddress::Ipv4(destination));
        octets
    }
}

fn from_wire(number: TcpSeqNumber) -> SequenceNumber {
    SequenceNumber(number.0.cast_unsigned())
}

fn to_wire(number: SequenceNumber) -> TcpSeqNumber {
    TcpSeqNumber(number.0.cast_signed())
}

/// The maximum segment size and the signature among the options.
fn parse_options(mut options: &[u8]) -> Result<(Option<u16>, Option<[u8; MD5_LEN]>), MalformedSegment> {
    let mut mss = None;
    let mut signature = None;
    while !options.is_empty() {
        let (rest, option) = TcpOption::parse(options).map_err(|_| MalformedSegment::Header)?;
        match option {
            TcpOption::EndOfList => break,
            TcpOption::MaxSegmentSize(value) => mss = Some(value),
            TcpOption::Unknown { kind: OPTION_MD5, data } => {
                signature = Some(data.try_into().map_err(|_| MalformedSegment::Header)?);
            }
            _ => {}
        }
        if rest.len() >= options.len() {
            return Err(MalformedSegment::Header);
        }
        options = rest;
    }
    Ok((mss, signature))
}

/// The MD5 signature of a segment whose header takes `header_len` octets of `octets`.
fn signature_of(
    octets: &[u8],
    header_len: usize,
    source: Ipv4Addr,
    destination: Ipv4Addr,
    key: &str,
) -> [u8; MD5_LEN] {
    let mut header = [0; HEADER_LEN];
    for (to, from) in header.iter_mut().zip(octets) {
        *to = *from;
    }
    header[16..18].fill(0);
    let mut hash = Md5::new();
    hash.update(source.octets());
    hash.update(destination.octets());
    // A TCP segment is shorter than 64 KiB.
    let [high, low] = (octets.len() as u16).to_be_bytes();
    hash.update([0, 6, high, low]);
    hash.update(header);
    hash.update(octets.get(header_len..).unwrap_or_default());
    hash.update(key.as_bytes());
    hash.finalize().into()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
    const B: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);

    fn segment() -> impl Strategy<Value = Segment> {
        (
            1u16..,
            1u16..,
            any::<u32>(),
            any::<u32>(),
            0u8..8,
            any::<u16>(),
            any::<Option<u16>>(),
            any::<Vec<u8>>(),
        )
            .prop_map(
                |(source_port, destination_port, sequence, ack, bits, window, mss, payload)| {
                    let flags = Flags {
                        syn: bits == 1,
                        fin: bits == 2,
                        rst: bits == 3,
                        psh: bits & 4 != 0,
                        ack: bits > 1,
                    };
                    Segment {
                        source_port,
                        destination_port,
                        sequence: SequenceNumber(sequence),
                        acknowledgment: SequenceNumber(if flags.ack { ack } else { 0 }),
                        flags,
                        window,
                        mss,
                        payload,
                    }
                },
            )
    }

    proptest! {
        #[test]
        fn emit_then_parse_gives_the_segment(segment in segment(), key in any::<Option<String>>()) {
            let octets = segment.emit(A, B, key.as_deref());
            prop_assert_eq!(Segment::parse(&octets, A, B, key.as_deref()), Ok(segment));
        }

        #[test]
        fn arbitrary_octets_never_panic(octets in any::<Vec<u8>>(), key in any::<Option<String>>()) {
            let _ = Segment::parse(&octets, A, B, key.as_deref());
        }

        #[test]
        fn rfc2385_any_change_of_a_signed_segment_is_found(segment in segment(), at in any::<prop::sample::Index>()) {
            let mut octets = segment.emit(A, B, Some("secret"));
            let at = at.index(octets.len());
            octets[at] ^= 0x10;
            if let Ok(mut packet) = TcpPacket::new_checked(&mut octets) {
                packet.fill_checksum(&IpAddress::Ipv4(A), &IpAddress::Ipv4(B));
            }
            // Options are not signed, and the checksum is repaired above.
            if !(16..18).contains(&at) && at < 20 {
                prop_assert!(Segment::parse(&octets, A, B, Some("secret")).is_err());
            }
        }
    }

    #[test]
    fn rfc2385_demands_the_agreed_signature() {
        let segment = Segment {
            source_port: 179,
            destination_port: 40000,
            sequence: SequenceNumber(7),
            acknowledgment: SequenceNumber(9),
            flags: Flags::ACK,
            window: 100,
            mss: None,
            payload: b"bgp".to_vec(),
        };
        let signed = segment.emit(A, B, Some("cisco"));
        let plain = segment.emit(A, B, None);
        assert_eq!(Segment::parse(&signed, A, B, Some("other")), Err(MalformedSegment::BadSignature));
        assert_eq!(Segment::parse(&plain, A, B, Some("cisco")), Err(MalformedSegment::NoSignature));
        assert_eq!(Segment::parse(&signed, A, B, None), Err(MalformedSegment::BadSignature));
        assert_eq!(Segment::parse(&signed, A, B, Some("cisco")), Ok(segment));
    }
}
