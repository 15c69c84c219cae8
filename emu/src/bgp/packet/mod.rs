//! BGP messages (RFC 4271 section 4).
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +---------------------------------------------------------------+
//! | Marker: sixteen octets of all ones                            |
//! |                                                               |
//! +-------------------------------+---------------+---------------+
//! | Length, of the whole message  | Type          | Body ...
//! +-------------------------------+---------------+---------
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `open.rs` | OPEN and capabilities |
//! | `update.rs` | UPDATE and prefixes |
//! | `attribute.rs` | path attributes, with the error handling of RFC 7606 |
//! | `notification.rs` | NOTIFICATION |
//! | `refresh.rs` | ROUTE-REFRESH and outbound filters |
//! | `family.rs` | address families |

pub mod attribute;
mod family;
mod notification;
mod open;
mod refresh;
#[cfg(test)]
mod tests;
mod update;

use serde::{Deserialize, Serialize};

pub use attribute::{Finding, Problem, Treatment};
pub use family::Family;
pub use notification::Notification;
pub use open::{AddPathMode, Capability, Open, OrfOffer};
pub use refresh::{FilterGroup, FilterUpdate, PrefixFilter, PrefixFilterChange, RefreshKind, RouteRefresh};
pub use update::{Nlri, Update};

/// Octets before the body.
pub const HEADER_LENGTH: usize = 19;
/// The longest message.
pub const MAX_LENGTH: usize = 4096;
/// The longest message where both sides can do extended ones (RFC 8654).
pub const MAX_EXTENDED_LENGTH: usize = 65535;

/// What a peer is to this router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PeerKind {
    /// Of the same AS, or the same member AS of a confederation.
    Internal,
    /// Of another member AS of the same confederation.
    Confederation,
    /// Of another AS.
    External,
}

/// What was agreed on for UPDATEs in one direction of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateFormat {
    /// AS numbers have four octets in AS_PATH.
    pub four_octet_as: bool,
    /// Prefixes have path identifiers.
    pub add_path: bool,
    /// Which attributes are expected.
    pub peer: PeerKind,
}

/// The type of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MessageType {
    /// OPEN.
    Open,
    /// UPDATE.
    Update,
    /// NOTIFICATION.
    Notification,
    /// KEEPALIVE.
    Keepalive,
    /// ROUTE-REFRESH.
    RouteRefresh,
}

impl MessageType {
    const fn number(self) -> u8 {
        match self {
            Self::Open => 1,
            Self::Update => 2,
            Self::Notification => 3,
            Self::Keepalive => 4,
            Self::RouteRefresh => 5,
        }
    }

    const fn of(number: u8) -> Option<Self> {
        Some(match number {
            1 => Self::Open,
            2 => Self::Update,
            3 => Self::Notification,
            4 => Self::Keepalive,
            5 => Self::RouteRefresh,
            _ => return None,
        })
    }

    /// Whether a message of this type can have this length, no longer than `limit`.
    fn allows(self, length: usize, limit: usize) -> bool {
        match self {
            Self::Open => (HEADER_LENGTH + 10..=MAX_LENGTH).contains(&length),
            Self::Update => (HEADER_LENGTH + 4..=limit).contains(&length),
            Self::Notification => (HEADER_LENGTH + 2..=limit).contains(&length),
            Self::Keepalive => length == HEADER_LENGTH,
            // Its own code has a notification for wrong lengths.
            Self::RouteRefresh => (HEADER_LENGTH..=limit).contains(&length),
        }
    }
}

/// A message as received.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// OPEN.
    Open(Open),
    /// UPDATE.
    Update(Update),
    /// NOTIFICATION.
    Notification(Notification),
    /// KEEPALIVE.
    Keepalive,
    /// ROUTE-REFRESH; `None` is one of a subtype to be ignored.
    RouteRefresh(Option<RouteRefresh>),
}

/// A message cut out of the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// Its type.
    pub kind: MessageType,
    /// What follows the header.
    pub body: &'a [u8],
}

impl Frame<'_> {
    /// Octets of the whole message.
    #[must_use]
    pub const fn length(&self) -> usize {
        HEADER_LENGTH + self.body.len()
    }
}

/// Cuts the first message off a stream; `None` if it is not complete yet.
///
/// # Errors
/// The NOTIFICATION to send for a bad header (RFC 4271 section 6.1).
pub fn frame(stream: &[u8], limit: usize) -> Result<Option<Frame<'_>>, Notification> {
    // A wrong marker is seen before the header is complete.
    if stream.iter().take(16).any(|&octet| octet != 0xff) {
        return Err(Notification::NOT_SYNCHRONIZED);
    }
    let Some([high, low, kind]) = stream.get(16..HEADER_LENGTH) else { return Ok(None) };
    let announced = u16::from_be_bytes([*high, *low]);
    let length = usize::from(announced);
    if length < HEADER_LENGTH || length > limit {
        return Err(Notification::bad_length(announced));
    }
    let kind = MessageType::of(*kind).ok_or_else(|| Notification::bad_type(*kind))?;
    if !kind.allows(length, limit) {
        return Err(Notification::bad_length(announced));
    }
    Ok(stream.get(HEADER_LENGTH..length).map(|body| Frame { kind, body }))
}

impl Message {
    /// Reads a message. The format matters to UPDATEs only.
    ///
    /// # Errors
    /// The NOTIFICATION to send.
    pub fn parse(frame: Frame<'_>, format: UpdateFormat) -> Result<Self, Notification> {
        match frame.kind {
            MessageType::Open => Open::parse(frame.body).map(Self::Open),
            MessageType::Update => Update::parse(format, frame.body).map(Self::Update),
            MessageType::Notification => Notification::parse(frame.body)
                .map(Self::Notification)
                .ok_or_else(|| Notification::bad_length(u16::try_from(frame.length()).unwrap_or(0))),
            MessageType::Keepalive => Ok(Self::Keepalive),
            MessageType::RouteRefresh => RouteRefresh::parse(frame.body).map(Self::RouteRefresh),
        }
    }
}

/// The header of a message whose length is not known yet.
fn start_message(kind: MessageType) -> Vec<u8> {
    let mut message = vec![0xff; 16];
    message.extend([0, 0, kind.number()]);
    message
}

/// Writes the length.
fn finish_message(message: &mut [u8]) {
    let length = u16::try_from(message.len()).unwrap_or(u16::MAX);
    if let Some(place) = message.get_mut(16..18) {
        place.copy_from_slice(&length.to_be_bytes());
    }
}

fn message(kind: MessageType, body: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut message = start_message(kind);
    body(&mut message);
    finish_message(&mut message);
    message
}

impl Open {
    /// The whole message.
    #[must_use]
    pub fn message(&self) -> Vec<u8> {
        message(MessageType::Open, |out| self.emit(out))
    }
}

impl Notification {
    /// The whole message.
    #[must_use]
    pub fn message(&self) -> Vec<u8> {
        message(MessageType::Notification, |out| self.emit(out))
    }
}

impl RouteRefresh {
    /// The whole message.
    #[must_use]
    pub fn message(&self) -> Vec<u8> {
        message(MessageType::RouteRefresh, |out| self.emit(out))
    }
}

/// A KEEPALIVE message.
#[must_use]
pub fn keepalive() -> Vec<u8> {
    message(MessageType::Keepalive, |_| {})
}
