//! NOTIFICATION (RFC 4271 section 4.5).
//!
//! ```text
//!  0                   1                   2
//!  0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 ...
//! +---------------+---------------+------------
//! | Error code    | Error subcode | Data ...
//! +---------------+---------------+------------
//! ```

use serde::{Deserialize, Serialize};

/// Why a session ends: code and subcode of IANA's registry, and data that depends on them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notification {
    /// Error code.
    pub code: u8,
    /// Error subcode.
    pub subcode: u8,
    /// Data.
    pub data: Vec<u8>,
}

impl Notification {
    /// Message Header Error.
    pub const HEADER: u8 = 1;
    /// OPEN Message Error.
    pub const OPEN: u8 = 2;
    /// UPDATE Message Error.
    pub const UPDATE: u8 = 3;
    /// Hold Timer Expired.
    pub const HOLD_TIMER: u8 = 4;
    /// Finite State Machine Error.
    pub const STATE_MACHINE: u8 = 5;
    /// Cease.
    pub const CEASE: u8 = 6;
    /// ROUTE-REFRESH Message Error (RFC 7313).
    pub const REFRESH: u8 = 7;

    /// One without data.
    #[must_use]
    pub const fn new(code: u8, subcode: u8) -> Self {
        Self { code, subcode, data: Vec::new() }
    }

    /// One with data.
    #[must_use]
    pub fn with(code: u8, subcode: u8, data: impl Into<Vec<u8>>) -> Self {
        Self { code, subcode, data: data.into() }
    }

    /// 1/1: the marker is not all ones.
    pub const NOT_SYNCHRONIZED: Self = Self::new(Self::HEADER, 1);

    /// 1/2, with the length found.
    #[must_use]
    pub fn bad_length(length: u16) -> Self {
        Self::with(Self::HEADER, 2, length.to_be_bytes())
    }

    /// 1/3, with the type found.
    #[must_use]
    pub fn bad_type(kind: u8) -> Self {
        Self::with(Self::HEADER, 3, [kind])
    }

    /// 2/0: the OPEN cannot be read.
    pub const MALFORMED_OPEN: Self = Self::new(Self::OPEN, 0);

    /// 2/1, with the version that is spoken here.
    #[must_use]
    pub fn unsupported_version() -> Self {
        Self::with(Self::OPEN, 1, 4u16.to_be_bytes())
    }

    /// 2/2: the peer's AS is not the one configured; IOS sends the AS found.
    #[must_use]
    pub fn bad_peer_as(asn: u32) -> Self {
        match u16::try_from(asn) {
            Ok(asn) => Self::with(Self::OPEN, 2, asn.to_be_bytes()),
            Err(_) => Self::with(Self::OPEN, 2, asn.to_be_bytes()),
        }
    }

    /// 2/3: the BGP identifier is zero or our own, with the identifier.
    #[must_use]
    pub fn bad_identifier(id: std::net::Ipv4Addr) -> Self {
        Self::with(Self::OPEN, 3, id.octets())
    }

    /// 2/4: an optional parameter that is no capability.
    pub const UNSUPPORTED_PARAMETER: Self = Self::new(Self::OPEN, 4);
    /// 2/6: a hold time of one or two seconds.
    pub const UNACCEPTABLE_HOLD_TIME: Self = Self::new(Self::OPEN, 6);

    /// 2/8: no address family in common, as IOS says it, with the family that we speak.
    #[must_use]
    pub fn no_common_family() -> Self {
        Self::with(Self::OPEN, 8, [0, 1, 1])
    }

    /// 3/1: attribute or route lengths do not fit the message, or a multiprotocol attribute stands twice.
    pub const MALFORMED_ATTRIBUTES: Self = Self::new(Self::UPDATE, 1);

    /// 3/2: a well-known attribute that is not known; with the attribute.
    #[must_use]
    pub fn unrecognized_well_known(attribute: &[u8]) -> Self {
        Self::with(Self::UPDATE, 2, attribute)
    }

    /// 3/9: a multiprotocol attribute that cannot be read.
    pub const OPTIONAL_ATTRIBUTE: Self = Self::new(Self::UPDATE, 9);

    /// 3/10: a prefix that cannot be read.
    pub const INVALID_NETWORK: Self = Self::new(Self::UPDATE, 10);
    /// 4/0.
    pub const HOLD_TIMER_EXPIRED: Self = Self::new(Self::HOLD_TIMER, 0);
    /// 5/1: a message that OpenSent does not expect (RFC 6608).
    pub const UNEXPECTED_IN_OPEN_SENT: Self = Self::new(Self::STATE_MACHINE, 1);
    /// 5/2: a message that OpenConfirm does not expect (RFC 6608).
    pub const UNEXPECTED_IN_OPEN_CONFIRM: Self = Self::new(Self::STATE_MACHINE, 2);
    /// 5/3: a message that Established does not expect (RFC 6608).
    pub const UNEXPECTED_IN_ESTABLISHED: Self = Self::new(Self::STATE_MACHINE, 3);

    /// 6/1: too many prefixes; with the address family and the limit (RFC 4486).
    #[must_use]
    pub fn maximum_prefixes(limit: u32) -> Self {
        let mut data = vec![0, 1, 1];
        data.extend(limit.to_be_bytes());
        Self::with(Self::CEASE, 1, data)
    }

    /// 6/2: `neighbor shutdown`.
    pub const ADMINISTRATIVE_SHUTDOWN: Self = Self::new(Self::CEASE, 2);
    /// 6/3: `no neighbor`.
    pub const PEER_DECONFIGURED: Self = Self::new(Self::CEASE, 3);
    /// 6/4: `clear ip bgp`.
    pub const ADMINISTRATIVE_RESET: Self = Self::new(Self::CEASE, 4);
    /// 6/5: the peer is not configured here.
    pub const CONNECTION_REJECTED: Self = Self::new(Self::CEASE, 5);
    /// 6/6: another configuration change.
    pub const OTHER_CONFIGURATION_CHANGE: Self = Self::new(Self::CEASE, 6);
    /// 6/7: the other of two connections stays.
    pub const COLLISION: Self = Self::new(Self::CEASE, 7);

    /// 7/1: a refresh message of wrong length; with the message (RFC 7313 section 5).
    #[must_use]
    pub fn bad_refresh_length(message: &[u8]) -> Self {
        Self::with(Self::REFRESH, 1, message)
    }

    /// Reads the body of the message; the framing has made sure of its two octets.
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let [code, subcode, data @ ..] = body else { return None };
        Some(Self { code: *code, subcode: *subcode, data: data.to_vec() })
    }

    pub(super) fn emit(&self, out: &mut Vec<u8>) {
        out.extend([self.code, self.subcode]);
        // What does not fit the message is cut.
        out.extend(self.data.iter().take(super::MAX_LENGTH - super::HEADER_LENGTH - 2));
    }
}
