//! Grace LSAs (RFC 3623 appendix A): a router that restarts asks its neighbors on a link to stand by.
//!
//! ```text
//! |            LS age             |    Options    |       9       |
//! |       3       |                      0                        |  Link State ID: opaque type and id
//! |                            ...                                |
//! |             Type              |            Length             |  for each TLV, padded to four octets
//! |                           Value...                            |
//! ```

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::{Lsa, LsaBody, OpaqueScope};

/// The opaque type of grace LSAs: the first octet of their Link State ID.
const OPAQUE_TYPE: u8 = 3;

/// The type of the TLV with the grace period.
const PERIOD: u16 = 1;
/// The type of the TLV with the reason.
const REASON: u16 = 2;
/// The type of the TLV with the sender's address.
const ADDRESS: u16 = 3;

/// Why a router restarts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum RestartReason {
    /// 0, and what is not known here.
    #[default]
    Unknown,
    /// 1.
    SoftwareRestart,
    /// 2.
    SoftwareReload,
    /// 3.
    RedundantProcessor,
}

/// What a grace LSA says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GraceLsa {
    /// For how long, in seconds since the LSA was made, the neighbors shall stand by.
    pub period: u32,
    /// Why.
    pub reason: RestartReason,
    /// The sender's address on the link; it is needed where routers are known by their addresses.
    pub address: Option<Ipv4Addr>,
}

impl GraceLsa {
    /// The Link State ID of grace LSAs.
    pub const LINK_STATE_ID: Ipv4Addr = Ipv4Addr::new(OPAQUE_TYPE, 0, 0, 0);

    /// Reads an LSA; `None` if it is no grace LSA, or one without a period. TLVs of other types are passed over.
    #[must_use]
    pub fn of(lsa: &Lsa) -> Option<Self> {
        let LsaBody::Opaque(OpaqueScope::Link, octets) = lsa.body() else { return None };
        if lsa.link_state_id().octets()[0] != OPAQUE_TYPE {
            return None;
        }
        let mut left: &[u8] = octets;
        let (mut period, mut reason, mut address) = (None, RestartReason::Unknown, None);
        while let Some((&[high, low, long, short], behind)) = left.split_first_chunk() {
            let length = usize::from(u16::from_be_bytes([long, short]));
            let value = behind.get(..length)?;
            let word = value.first_chunk().copied().map(u32::from_be_bytes);
            match u16::from_be_bytes([high, low]) {
                PERIOD => period = word,
                REASON => reason = value.first().copied().map(reason_of).unwrap_or_default(),
                ADDRESS => address = word.map(Ipv4Addr::from),
                _ => {}
            }
            left = behind.get(length.next_multiple_of(4)..).unwrap_or_default();
        }
        Some(Self { period: period?, reason, address })
    }

    /// The body of an LSA that says this.
    #[must_use]
    pub fn body(&self) -> LsaBody {
        let reason: u8 = match self.reason {
            RestartReason::Unknown => 0,
            RestartReason::SoftwareRestart => 1,
            RestartReason::SoftwareReload => 2,
            RestartReason::RedundantProcessor => 3,
        };
        let mut octets = Vec::with_capacity(24);
        let mut word = |kind: u16, length: u16, value: [u8; 4]| {
            octets.extend([kind.to_be_bytes(), length.to_be_bytes()].concat());
            octets.extend(value);
        };
        word(PERIOD, 4, self.period.to_be_bytes());
        word(REASON, 1, [reason, 0, 0, 0]);
        if let Some(address) = self.address {
            word(ADDRESS, 4, address.octets());
        }
        LsaBody::Opaque(OpaqueScope::Link, octets.into())
    }
}

const fn reason_of(number: u8) -> RestartReason {
    match number {
        1 => RestartReason::SoftwareRestart,
        2 => RestartReason::SoftwareReload,
        3 => RestartReason::RedundantProcessor,
        _ => RestartReason::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ids::RouterId;
    use crate::ospf::lsa::{Options, SequenceNumber};

    fn lsa(id: Ipv4Addr, body: LsaBody) -> Lsa {
        Lsa::new(id, RouterId(Ipv4Addr::LOCALHOST), Options::O, SequenceNumber::INITIAL, body)
    }

    fn reason() -> impl Strategy<Value = RestartReason> {
        (0u8..4).prop_map(reason_of)
    }

    proptest! {
        #[test]
        fn rfc3623_a_what_is_written_is_read(period in any::<u32>(), reason in reason(), address in any::<Option<u32>>()) {
            let grace = GraceLsa { period, reason, address: address.map(Ipv4Addr::from) };
            prop_assert_eq!(GraceLsa::of(&lsa(GraceLsa::LINK_STATE_ID, grace.body())), Some(grace));
        }

        #[test]
        fn rfc3623_a_arbitrary_octets_do_no_harm(octets in prop::collection::vec(any::<u8>(), 0..64)) {
            let body = LsaBody::Opaque(OpaqueScope::Link, octets.into());
            let _ = GraceLsa::of(&lsa(GraceLsa::LINK_STATE_ID, body));
        }
    }

    #[test]
    fn rfc3623_a_only_opaque_type_3_of_link_scope_with_a_period_is_one() {
        let grace = GraceLsa { period: 120, reason: RestartReason::SoftwareReload, address: None };
        assert_eq!(GraceLsa::of(&lsa(Ipv4Addr::new(1, 0, 0, 0), grace.body())), None);
        let LsaBody::Opaque(_, octets) = grace.body() else { panic!() };
        let of_area = LsaBody::Opaque(OpaqueScope::Area, octets.clone());
        assert_eq!(GraceLsa::of(&lsa(GraceLsa::LINK_STATE_ID, of_area)), None);
        let without_period = LsaBody::Opaque(OpaqueScope::Link, octets[8..].into());
        assert_eq!(GraceLsa::of(&lsa(GraceLsa::LINK_STATE_ID, without_period)), None);
        // A TLV of another type in front.
        let longer = [&[0x80, 1, 0, 5, 1, 2, 3, 4, 5, 0, 0, 0], &*octets].concat();
        let with_other = LsaBody::Opaque(OpaqueScope::Link, longer.into());
        assert_eq!(GraceLsa::of(&lsa(GraceLsa::LINK_STATE_ID, with_other)), Some(grace));
    }
}
