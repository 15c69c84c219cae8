//! UPDATE (RFC 4271 section 4.3, RFC 4760, RFC 7911).
//!
//! ```text
//! +-----------------------------------------------------+
//! | Withdrawn routes length (2 octets)                  |
//! +-----------------------------------------------------+
//! | Withdrawn routes: (path id,) length, prefix, ...    |
//! +-----------------------------------------------------+
//! | Total path attribute length (2 octets)              |
//! +-----------------------------------------------------+
//! | Path attributes                                     |
//! +-----------------------------------------------------+
//! | Announced routes: (path id,) length, prefix, ...    |
//! +-----------------------------------------------------+
//! ```

use std::net::Ipv4Addr;
use std::sync::Arc;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::attribute::{Finding, Multiprotocol, Reader};
use super::family::Family;
use super::notification::Notification;
use super::{HEADER_LENGTH, MessageType, UpdateFormat, start_message};
use crate::bgp::attributes::PathAttributes;

/// A route's destination in an UPDATE.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Nlri {
    /// The destination.
    pub prefix: Ipv4Net,
    /// Which of several paths (RFC 7911); 0 where paths have no identifiers.
    pub path_id: u32,
}

impl Nlri {
    /// A destination without a path identifier.
    #[must_use]
    pub const fn new(prefix: Ipv4Net) -> Self {
        Self { prefix, path_id: 0 }
    }
}

/// An UPDATE of IPv4 unicast routes, however they were packed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Update {
    /// Routes that are gone.
    pub withdrawn: Vec<Nlri>,
    /// The attributes of the announced routes; `None` if there are none.
    pub attributes: Option<Arc<PathAttributes>>,
    /// New routes.
    pub announced: Vec<Nlri>,
    /// The family whose initial routes are complete with this message (RFC 4724 section 2).
    pub end_of_rib: Option<Family>,
    /// Malformed attributes, and what was done about them. Where routes are to be treated as withdrawn, they stand in
    /// `withdrawn` already.
    pub findings: Vec<Finding>,
}

/// Reads prefixes; `None` if a length is impossible or the octets end early.
fn prefixes(add_path: bool, mut input: &[u8], out: &mut Vec<Nlri>) -> Option<()> {
    while !input.is_empty() {
        let path_id = if add_path {
            let (id, rest) = input.split_first_chunk::<4>()?;
            input = rest;
            u32::from_be_bytes(*id)
        } else {
            0
        };
        let (&length, rest) = input.split_first()?;
        let octets = usize::from(length).div_ceil(8);
        let mut address = [0; 4];
        // A length above 32 needs more octets than an address has.
        address.get_mut(..octets)?.copy_from_slice(rest.get(..octets)?);
        input = rest.get(octets..)?;
        let prefix = Ipv4Net::new(Ipv4Addr::from(address), length).ok()?.trunc();
        out.push(Nlri { prefix, path_id });
    }
    Some(())
}

fn put_prefix(add_path: bool, nlri: &Nlri, out: &mut Vec<u8>) {
    if add_path {
        out.extend(nlri.path_id.to_be_bytes());
    }
    let length = nlri.prefix.prefix_len();
    out.push(length);
    out.extend(nlri.prefix.network().octets().iter().take(usize::from(length).div_ceil(8)));
}

const fn encoded_length(add_path: bool, nlri: &Nlri) -> usize {
    1 + (nlri.prefix.prefix_len() as usize).div_ceil(8) + if add_path { 4 } else { 0 }
}

/// The routes of MP_REACH_NLRI and MP_UNREACH_NLRI, as far as they are of IPv4 unicast: RFC 4760 lets others, which were not
/// agreed on, be ignored.
fn multiprotocol(
    format: UpdateFormat,
    attributes: &Multiprotocol<'_>,
    update: &mut Update,
) -> Option<Option<Ipv4Addr>> {
    if let Some(value) = attributes.unreach {
        let ([high, low, safi], routes) = value.split_first_chunk::<3>()?;
        let family = Family { afi: u16::from_be_bytes([*high, *low]), safi: *safi };
        if family == Family::IPV4_UNICAST {
            prefixes(format.add_path, routes, &mut update.withdrawn)?;
        }
        if routes.is_empty() {
            update.end_of_rib = Some(family);
        }
    }
    let Some(value) = attributes.reach else { return Some(None) };
    let ([high, low, safi, length], rest) = value.split_first_chunk::<4>()?;
    let (next_hop, rest) = rest.split_at_checked(usize::from(*length))?;
    // One octet is reserved.
    let (_, routes) = rest.split_first()?;
    if (Family { afi: u16::from_be_bytes([*high, *low]), safi: *safi }) != Family::IPV4_UNICAST {
        return Some(None);
    }
    let next_hop: [u8; 4] = next_hop.try_into().ok()?;
    prefixes(format.add_path, routes, &mut update.announced)?;
    Some(Some(next_hop.into()))
}

impl Update {
    /// Reads the body of the message.
    ///
    /// # Errors
    /// The NOTIFICATION to send where RFC 7606 lets the session end.
    pub(super) fn parse(format: UpdateFormat, body: &[u8]) -> Result<Self, Notification> {
        let malformed = || Notification::MALFORMED_ATTRIBUTES;
        let (length, rest) = body.split_first_chunk::<2>().ok_or_else(malformed)?;
        let (withdrawn, rest) =
            rest.split_at_checked(u16::from_be_bytes(*length).into()).ok_or_else(malformed)?;
        let (length, rest) = rest.split_first_chunk::<2>().ok_or_else(malformed)?;
        let (attributes, announced) =
            rest.split_at_checked(u16::from_be_bytes(*length).into()).ok_or_else(malformed)?;

        let mut update = Self::default();
        let bad_prefix = || Notification::INVALID_NETWORK;
        prefixes(format.add_path, withdrawn, &mut update.withdrawn).ok_or_else(bad_prefix)?;
        prefixes(format.add_path, announced, &mut update.announced).ok_or_else(bad_prefix)?;
        if body.len() == 4 {
            update.end_of_rib = Some(Family::IPV4_UNICAST);
        }
        if attributes.is_empty() && update.announced.is_empty() {
            return Ok(update);
        }
        let mut reader = Reader::read(format, attributes)?;
        let classic = update.announced.len();
        let next_hop = multiprotocol(format, &reader.multiprotocol, &mut update)
            .ok_or(Notification::OPTIONAL_ATTRIBUTE)?;
        if !update.announced.is_empty() {
            let attributes = reader.finish(next_hop.filter(|_| classic == 0));
            update.attributes = Some(Arc::new(attributes));
        }
        if reader.withdraws() {
            update.attributes = None;
            let announced = std::mem::take(&mut update.announced);
            update.withdrawn.extend(announced);
        }
        update.findings = reader.findings;
        Ok(update)
    }

    /// The messages that announce routes with these attributes, each no longer than `limit` octets. None if the attributes
    /// alone fill a message.
    #[must_use]
    pub fn announcements(
        format: UpdateFormat,
        limit: usize,
        attributes: &PathAttributes,
        routes: &[Nlri],
    ) -> Vec<Vec<u8>> {
        let mut head = start_message(MessageType::Update);
        head.extend([0; 4]);
        attributes.emit(format, &mut head);
        let length = head.len() - HEADER_LENGTH - 4;
        if let (Ok(length), Some(place)) =
            (u16::try_from(length), head.get_mut(HEADER_LENGTH + 2..HEADER_LENGTH + 4))
        {
            place.copy_from_slice(&length.to_be_bytes());
        }
        Self::packed(format, limit, &head, routes, |message| super::finish_message(message))
    }

    /// The messages that withdraw routes, each no longer than `limit` octets.
    #[must_use]
    pub fn withdrawals(format: UpdateFormat, limit: usize, routes: &[Nlri]) -> Vec<Vec<u8>> {
        let mut head = start_message(MessageType::Update);
        head.extend([0; 2]);
        // The attributes' length stands behind the routes.
        Self::packed(format, limit.saturating_sub(2), &head, routes, |message| {
            let length = u16::try_from(message.len() - HEADER_LENGTH - 2).unwrap_or(u16::MAX);
            if let Some(place) = message.get_mut(HEADER_LENGTH..HEADER_LENGTH + 2) {
                place.copy_from_slice(&length.to_be_bytes());
            }
            message.extend([0; 2]);
            super::finish_message(message);
        })
    }

    fn packed(
        format: UpdateFormat,
        limit: usize,
        head: &[u8],
        routes: &[Nlri],
        finish: impl Fn(&mut Vec<u8>),
    ) -> Vec<Vec<u8>> {
        let mut messages = Vec::new();
        let mut message = head.to_vec();
        for nlri in routes {
            if message.len() + encoded_length(format.add_path, nlri) > limit {
                if message.len() == head.len() {
                    return messages;
                }
                finish(&mut message);
                messages.push(std::mem::replace(&mut message, head.to_vec()));
            }
            put_prefix(format.add_path, nlri, &mut message);
        }
        if message.len() > head.len() {
            finish(&mut message);
            messages.push(message);
        }
        messages
    }

    /// The message that tells the end of the initial routes (RFC 4724 section 2).
    #[must_use]
    pub fn end_of_rib() -> Vec<u8> {
        let mut message = start_message(MessageType::Update);
        message.extend([0; 4]);
        super::finish_message(&mut message);
        message
    }
}
