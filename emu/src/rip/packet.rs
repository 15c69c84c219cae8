//! RIP messages (RFC 2453 section 4, RFC 1058 section 3.1), and their authentication (RFC 2453 section 4.1, RFC 2082).
//!
//! ```text
//! +---------+---------+----------+
//! | command | version | zero (2) |
//! +---------+---------+----------+     in version 1:
//! | family (2)        | tag (2)  |     zero
//! | address (4)                  |
//! | mask (4)                     |     zero
//! | next hop (4)                 |     zero
//! | metric (4)                   |
//! +------------------------------+
//! | up to 24 more entries        |
//! +------------------------------+
//!
//! First entry of an authenticated message, and what stands behind the last one of a signed message:
//! +-------------------+----------+     +-------------------+----------+     +----------+----------+
//! | 0xFFFF            | 2        |     | 0xFFFF            | 3        |     | 0xFFFF   | 1        |
//! | password (16)                |     | length (2) | key (1) | 20 (1) |     | digest (16)         |
//! +------------------------------+     | sequence (4)                 |     +---------------------+
//!                                      | zero (8)                     |
//!                                      +------------------------------+
//! ```

use std::fmt;
use std::net::Ipv4Addr;

use md5::{Digest, Md5};
use serde::{Deserialize, Serialize};

use super::config::Version;

/// The UDP port of RIP.
pub const PORT: u16 = 520;

/// The group of all RIP routers of version 2.
pub const ALL_ROUTERS: Ipv4Addr = Ipv4Addr::new(224, 0, 0, 9);

/// The metric of the unreachable.
pub const INFINITY: u8 = 16;

/// The most entries of a message, that of authentication among them.
pub const MOST_ENTRIES: usize = 25;

const HEADER: usize = 4;
const ENTRY: usize = 20;
const FAMILY_IP: u16 = 2;
const FAMILY_AUTHENTICATION: u16 = 0xFFFF;
const TYPE_TEXT: u16 = 2;
const TYPE_DIGEST: u16 = 3;
const TYPE_TRAILER: u16 = 1;
const SECRET: usize = 16;
/// The trailer: its head and the digest.
const TRAILER: usize = 4 + SECRET;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command {
    /// Asks for routes.
    Request,
    /// Tells routes.
    Response,
}

/// A route in a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Destination.
    pub address: Ipv4Addr,
    /// Mask; unspecified in version 1.
    pub mask: Ipv4Addr,
    /// Route tag; 0 in version 1.
    pub tag: u16,
    /// Next hop, unspecified for the sender; unspecified in version 1.
    pub next_hop: Ipv4Addr,
    /// Metric, 1 to 16.
    pub metric: u8,
}

/// What a message is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// A request for the whole table.
    WholeTable,
    /// Routes.
    Entries(Vec<Entry>),
}

/// How a message is authenticated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Authentication {
    /// Not at all.
    None,
    /// By a password, padded with zeros.
    Text([u8; SECRET]),
    /// By an MD5 digest.
    Md5 {
        /// The number of the key.
        key_id: u8,
        /// Never less than in the message before.
        sequence: u32,
    },
}

/// A message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// What it is.
    pub command: Command,
    /// In which version it is written.
    pub version: Version,
    /// How it is authenticated.
    pub authentication: Authentication,
    /// What it is about.
    pub body: Body,
}

/// Why octets are no message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageError {
    /// Shorter than a header, or not a whole number of entries.
    Length(usize),
    /// More entries than a message may have.
    TooManyEntries(usize),
    /// A version other than 1 and 2.
    Version(u8),
    /// A command other than request and response.
    Command(u8),
    /// In version 1 something is there that must be zero (RFC 2453 section 4.6).
    NotZero,
    /// An authentication of a kind that is not known, or at a wrong place.
    Authentication,
    /// A metric that is not from 1 to 16.
    Metric(u32),
}

impl fmt::Display for MessageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Length(octets) => write!(f, "{octets} octets are no RIP message"),
            Self::TooManyEntries(entries) => write!(f, "{entries} entries in a RIP message"),
            Self::Version(version) => write!(f, "RIP version {version}"),
            Self::Command(command) => write!(f, "RIP command {command}"),
            Self::NotZero => f.write_str("a field that must be zero in RIP version 1 is not"),
            Self::Authentication => f.write_str("a RIP authentication that is not understood"),
            Self::Metric(metric) => write!(f, "RIP metric {metric}"),
        }
    }
}

impl std::error::Error for MessageError {}

/// Four octets.
type Word = [u8; 4];

/// An entry as five words.
fn words(octets: &[u8]) -> Option<[Word; 5]> {
    let word = |at: usize| octets.get(4 * at..4 * at + 4)?.try_into().ok();
    Some([word(0)?, word(1)?, word(2)?, word(3)?, word(4)?])
}

/// The two numbers of a word.
const fn halves([a, b, c, d]: Word) -> (u16, u16) {
    (u16::from_be_bytes([a, b]), u16::from_be_bytes([c, d]))
}

impl Message {
    /// Reads a message.
    ///
    /// Entries of address families other than IP are left out, as RFC 2453 section 3.9.2 asks.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(octets: &[u8]) -> Result<Self, MessageError> {
        let [command, version, ..] = *octets else { return Err(MessageError::Length(octets.len())) };
        let Some(rest) = octets.get(HEADER..) else { return Err(MessageError::Length(octets.len())) };
        let command = match command {
            1 => Command::Request,
            2 => Command::Response,
            other => return Err(MessageError::Command(other)),
        };
        let version = match version {
            1 => Version::V1,
            2 => Version::V2,
            other => return Err(MessageError::Version(other)),
        };
        if version == Version::V1 && octets.get(2..HEADER) != Some(&[0, 0]) {
            return Err(MessageError::NotZero);
        }
        let (authentication, entries) = match version {
            Version::V1 => (Authentication::None, rest),
            Version::V2 => authentication(octets)?,
        };
        if entries.len() % ENTRY != 0 {
            return Err(MessageError::Length(octets.len()));
        }
        let first = usize::from(authentication != Authentication::None);
        let count = entries.len() / ENTRY;
        if first + count > MOST_ENTRIES {
            return Err(MessageError::TooManyEntries(first + count));
        }
        let body = body(command, version, entries)?;
        Ok(Self { command, version, authentication, body })
    }

    /// The message's octets. `secret` is the key of an MD5 digest; other messages do not need it.
    #[must_use]
    pub fn emit(&self, secret: &[u8]) -> Vec<u8> {
        let version = match self.version {
            Version::V1 => 1,
            Version::V2 => 2,
        };
        let command = match self.command {
            Command::Request => 1,
            Command::Response => 2,
        };
        let mut octets = vec![command, version, 0, 0];
        let mut put = |words: [Word; 5]| octets.extend(words.concat());
        let zero = [0; 4];
        match &self.authentication {
            Authentication::None => {}
            Authentication::Text(password) => {
                let Some([a, b, c, d, _]) = words(&[password.as_slice(), &zero].concat()) else {
                    return octets;
                };
                put([pair(FAMILY_AUTHENTICATION, TYPE_TEXT), a, b, c, d]);
            }
            Authentication::Md5 { key_id, sequence } => {
                let [length_high, length_low] =
                    u16::try_from(self.signed_length()).unwrap_or(0).to_be_bytes();
                let trailer = u8::try_from(TRAILER).unwrap_or(0);
                let described = [length_high, length_low, *key_id, trailer];
                let head = pair(FAMILY_AUTHENTICATION, TYPE_DIGEST);
                put([head, described, sequence.to_be_bytes(), zero, zero]);
            }
        }
        match &self.body {
            Body::WholeTable => put([zero, zero, zero, zero, u32::from(INFINITY).to_be_bytes()]),
            Body::Entries(entries) => {
                for entry in entries {
                    put([
                        pair(FAMILY_IP, entry.tag),
                        entry.address.octets(),
                        entry.mask.octets(),
                        entry.next_hop.octets(),
                        u32::from(entry.metric).to_be_bytes(),
                    ]);
                }
            }
        }
        if let Authentication::Md5 { .. } = self.authentication {
            octets.extend(pair(FAMILY_AUTHENTICATION, TYPE_TRAILER));
            let digest = digest(&octets, secret);
            octets.extend(digest);
        }
        octets
    }

    /// Octets up to the trailer.
    fn signed_length(&self) -> usize {
        let entries = match &self.body {
            Body::WholeTable => 1,
            Body::Entries(entries) => entries.len(),
        };
        HEADER + ENTRY * (1 + entries)
    }
}

const fn pair(high: u16, low: u16) -> Word {
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    [a, b, c, d]
}

/// How a message of version 2 is authenticated, and its entries.
fn authentication(octets: &[u8]) -> Result<(Authentication, &[u8]), MessageError> {
    let rest = octets.get(HEADER..).unwrap_or_default();
    let Some([head, described, sequence, ..]) = words(rest) else { return Ok((Authentication::None, rest)) };
    let (family, kind) = halves(head);
    if family != FAMILY_AUTHENTICATION {
        return Ok((Authentication::None, rest));
    }
    let entries = rest.get(ENTRY..).unwrap_or_default();
    match kind {
        TYPE_TEXT => {
            let password = rest.get(4..ENTRY).and_then(|octets| octets.try_into().ok());
            let password = password.ok_or(MessageError::Authentication)?;
            Ok((Authentication::Text(password), entries))
        }
        TYPE_DIGEST => {
            let [high, low, key_id, _] = described;
            let length = usize::from(u16::from_be_bytes([high, low]));
            let entries = octets.get(HEADER + ENTRY..length).ok_or(MessageError::Authentication)?;
            let trailer = octets.get(length..).unwrap_or_default();
            let is_trailer =
                trailer.len() == TRAILER && trailer.starts_with(&pair(FAMILY_AUTHENTICATION, TYPE_TRAILER));
            if !is_trailer {
                return Err(MessageError::Authentication);
            }
            let sequence = u32::from_be_bytes(sequence);
            Ok((Authentication::Md5 { key_id, sequence }, entries))
        }
        _ => Err(MessageError::Authentication),
    }
}

fn body(command: Command, version: Version, octets: &[u8]) -> Result<Body, MessageError> {
    let mut entries = Vec::new();
    for entry in octets.chunks_exact(ENTRY) {
        let Some([head, address, mask, next_hop, metric]) = words(entry) else { continue };
        let (family, tag) = halves(head);
        let metric = u32::from_be_bytes(metric);
        if family == FAMILY_AUTHENTICATION {
            return Err(MessageError::Authentication);
        }
        // RFC 2453 section 3.9.1: exactly one entry of family 0 with metric 16 asks for everything.
        if command == Command::Request
            && family == 0
            && metric == u32::from(INFINITY)
            && octets.len() == ENTRY
        {
            return Ok(Body::WholeTable);
        }
        if family != FAMILY_IP {
            continue;
        }
        if version == Version::V1 && (tag != 0 || mask != [0; 4] || next_hop != [0; 4]) {
            return Err(MessageError::NotZero);
        }
        let small = u8::try_from(metric).ok().filter(|metric| (1..=INFINITY).contains(metric));
        let metric = match (small, command) {
            (Some(metric), _) => metric,
            // What a request says of metrics does not matter.
            (None, Command::Request) => INFINITY,
            (None, Command::Response) => return Err(MessageError::Metric(metric)),
        };
        entries.push(Entry {
            address: address.into(),
            mask: mask.into(),
            tag,
            next_hop: next_hop.into(),
            metric,
        });
    }
    Ok(Body::Entries(entries))
}

/// A secret cut or padded with zeros to sixteen octets.
#[must_use]
pub fn padded(secret: &[u8]) -> [u8; SECRET] {
    let mut all = [0; SECRET];
    all.iter_mut().zip(secret).for_each(|(to, from)| *to = *from);
    all
}

/// The digest over a message up to and including the trailer's head, and the secret.
fn digest(octets: &[u8], secret: &[u8]) -> [u8; SECRET] {
    let mut hash = Md5::new();
    hash.update(octets);
    hash.update(padded(secret));
    hash.finalize().into()
}

/// Whether the digest at the end of a signed message is that of the secret.
#[must_use]
pub fn digest_is_right(octets: &[u8], secret: &[u8]) -> bool {
    let Some(at) = octets.len().checked_sub(SECRET) else { return false };
    let (signed, found) = octets.split_at(at);
    found == digest(signed, secret)
}

#[cfg(test)]
mod tests;
