//! ROUTE-REFRESH (RFC 2918), its begin and end marks (RFC 7313), and the filters it may carry (RFC 5291, RFC 5292).
//!
//! ```text
//!  0                   1                   2                   3
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//! +-------------------------------+---------------+---------------+
//! | AFI                           | Subtype       | SAFI          |
//! +---------------+---------------+---------------+---------------+
//! | When to       | Filter type   | Length of entries             |
//! +---------------+---------------+-------------------------------+
//! | Entries ...
//! +----------------
//! ```

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::family::Family;
use super::notification::Notification;

/// What a ROUTE-REFRESH is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RefreshKind {
    /// Send all routes again.
    Request,
    /// All routes follow (BoRR).
    Begin,
    /// All routes have been sent (EoRR).
    End,
}

/// A ROUTE-REFRESH message.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteRefresh {
    /// For which routes.
    pub family: Family,
    /// What.
    pub kind: RefreshKind,
    /// Changes of outbound filters.
    pub filters: Option<FilterUpdate>,
}

/// Outbound filters in a ROUTE-REFRESH.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FilterUpdate {
    /// Send routes only after another ROUTE-REFRESH (DEFER), not at once (IMMEDIATE).
    pub defer: bool,
    /// Changes by filter type.
    pub groups: Vec<FilterGroup>,
}

/// The entries of one filter type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum FilterGroup {
    /// A prefix list.
    PrefixList {
        /// By Cisco's type 130 instead of 64.
        cisco: bool,
        /// Changes in their order.
        entries: Vec<PrefixFilterChange>,
    },
    /// A type that is not known.
    Unknown(u8, Vec<u8>),
}

/// One change of a prefix list filter (RFC 5292 section 4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PrefixFilterChange {
    /// Add an entry.
    Add(PrefixFilter),
    /// Remove an entry.
    Remove(PrefixFilter),
    /// Remove all entries.
    RemoveAll,
}

/// An entry of a prefix list filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct PrefixFilter {
    /// Its place.
    pub sequence: u32,
    /// Matching routes pass.
    pub permit: bool,
    /// The prefix.
    pub prefix: Ipv4Net,
    /// Least length, 0 if none is said.
    pub min_length: u8,
    /// Greatest length, 0 if none is said.
    pub max_length: u8,
}

impl RouteRefresh {
    /// Filter type of prefix lists (RFC 5292).
    pub const PREFIX_LIST: u8 = 64;
    /// Cisco's number for it in messages.
    pub const CISCO_PREFIX_LIST: u8 = 130;
    /// Cisco's number for it in capabilities.
    pub const CISCO_ORF_OFFER: u8 = 128;

    /// A plain request.
    #[must_use]
    pub const fn request(family: Family) -> Self {
        Self { family, kind: RefreshKind::Request, filters: None }
    }

    /// Reads the body of the message.
    ///
    /// # Errors
    /// The NOTIFICATION to send (RFC 7313 section 5). A message of unknown subtype reads as `None`: it is ignored.
    pub(super) fn parse(body: &[u8]) -> Result<Option<Self>, Notification> {
        let whole = || super::message(super::MessageType::RouteRefresh, |out| out.extend(body));
        let malformed = || Notification::bad_refresh_length(&whole());
        let ([high, low, subtype, safi], rest) = body.split_first_chunk::<4>().ok_or_else(malformed)?;
        let family = Family { afi: u16::from_be_bytes([*high, *low]), safi: *safi };
        let kind = match subtype {
            0 => RefreshKind::Request,
            1 => RefreshKind::Begin,
            2 => RefreshKind::End,
            _ => return Ok(None),
        };
        if kind != RefreshKind::Request && !rest.is_empty() {
            return Err(malformed());
        }
        let filters =
            if rest.is_empty() { None } else { Some(FilterUpdate::parse(rest).ok_or_else(malformed)?) };
        Ok(Some(Self { family, kind, filters }))
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        out.extend(self.family.afi.to_be_bytes());
        let subtype = match self.kind {
            RefreshKind::Request => 0,
            RefreshKind::Begin => 1,
            RefreshKind::End => 2,
        };
        out.extend([subtype, self.family.safi]);
        if let Some(filters) = &self.filters {
            out.push(if filters.defer { 2 } else { 1 });
            filters.groups.iter().for_each(|group| group.emit(out));
        }
    }
}

impl FilterUpdate {
    fn parse(input: &[u8]) -> Option<Self> {
        let (&when, mut rest) = input.split_first()?;
        let defer = match when {
            1 => false,
            2 => true,
            _ => return None,
        };
        let mut groups = Vec::new();
        while !rest.is_empty() {
            let ([kind, high, low], behind) = rest.split_first_chunk::<3>()?;
            let (body, behind) = behind.split_at_checked(u16::from_be_bytes([*high, *low]).into())?;
            rest = behind;
            groups.push(match *kind {
                RouteRefresh::PREFIX_LIST | RouteRefresh::CISCO_PREFIX_LIST => FilterGroup::PrefixList {
                    cisco: *kind == RouteRefresh::CISCO_PREFIX_LIST,
                    entries: PrefixFilterChange::parse_all(body)?,
                },
                kind => FilterGroup::Unknown(kind, body.to_vec()),
            });
        }
        Some(Self { defer, groups })
    }
}

impl FilterGroup {
    fn emit(&self, out: &mut Vec<u8>) {
        let (kind, body) = match self {
            Self::PrefixList { cisco, entries } => {
                let kind = if *cisco { RouteRefresh::CISCO_PREFIX_LIST } else { RouteRefresh::PREFIX_LIST };
                let mut body = Vec::new();
                entries.iter().for_each(|entry| entry.emit(&mut body));
                (kind, body)
            }
            Self::Unknown(kind, body) => (*kind, body.clone()),
        };
        out.push(kind);
        out.extend(u16::try_from(body.len()).unwrap_or(u16::MAX).to_be_bytes());
        out.extend(body);
    }
}

impl PrefixFilterChange {
    const ACTION: u8 = 0xc0;
    const DENY: u8 = 0x20;

    fn parse_all(mut input: &[u8]) -> Option<Vec<Self>> {
        let mut changes = Vec::new();
        while let Some((&head, rest)) = input.split_first() {
            if head & Self::ACTION == 0x80 {
                changes.push(Self::RemoveAll);
                input = rest;
                continue;
            }
            let ([a, b, c, d, min_length, max_length, length], rest) = rest.split_first_chunk::<7>()?;
            let octets = usize::from(*length).div_ceil(8);
            let mut address = [0; 4];
            address.get_mut(..octets)?.copy_from_slice(rest.get(..octets)?);
            input = rest.get(octets..)?;
            let filter = PrefixFilter {
                sequence: u32::from_be_bytes([*a, *b, *c, *d]),
                permit: head & Self::DENY == 0,
                prefix: Ipv4Net::new(Ipv4Addr::from(address), *length).ok()?.trunc(),
                min_length: *min_length,
                max_length: *max_length,
            };
            changes.push(match head & Self::ACTION {
                0x00 => Self::Add(filter),
                0x40 => Self::Remove(filter),
                _ => return None,
            });
        }
        Some(changes)
    }

    fn emit(&self, out: &mut Vec<u8>) {
        let (action, filter) = match self {
            Self::RemoveAll => return out.push(0x80),
            Self::Add(filter) => (0x00, filter),
            Self::Remove(filter) => (0x40, filter),
        };
        out.push(action | if filter.permit { 0 } else { Self::DENY });
        out.extend(filter.sequence.to_be_bytes());
        let length = filter.prefix.prefix_len();
        out.extend([filter.min_length, filter.max_length, length]);
        out.extend(filter.prefix.network().octets().iter().take(usize::from(length).div_ceil(8)));
    }
}
