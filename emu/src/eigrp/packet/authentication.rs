//! Authentication of packets (RFC 7868 section 5.2, section 6.6.2).
//!
//! The authentication TLV stands first. The digest is taken with the checksum 0 and is
//!
//! * MD5: over the packet with the key, padded with zeros to 16 octets, in the place of the digest;
//! * HMAC-SHA-256: over the packet with zeros in the place of the digest, keyed with a line feed, the password and the source
//!   address in dotted notation.

use std::net::Ipv4Addr;

use hmac::{Hmac, KeyInit, Mac};
use md5::Md5;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Authentication, HEADER_LEN, Packet, Tlv, fill_checksum};

/// The kind of MD5 in the authentication TLV.
pub const MD5: u16 = 2;
/// The kind of HMAC-SHA-256 in the authentication TLV.
pub const SHA256: u16 = 3;

/// Where the digest starts if its TLV comes first: type, length, kind, digest length, key id, key sequence, 8 zeros.
const DIGEST_AT: usize = HEADER_LEN + 24;

/// How packets are digested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Digest {
    /// MD5.
    Md5,
    /// HMAC-SHA-256.
    Sha256,
}

impl Digest {
    const fn kind(self) -> u16 {
        match self {
            Self::Md5 => MD5,
            Self::Sha256 => SHA256,
        }
    }

    const fn len(self) -> usize {
        match self {
            Self::Md5 => 16,
            Self::Sha256 => 32,
        }
    }

    /// Octets that authentication adds to a packet.
    #[must_use]
    pub const fn tlv_len(self) -> usize {
        24 + self.len()
    }
}

/// A key to sign and to check with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthenticationKey {
    /// How.
    pub digest: Digest,
    /// The number of the key in its chain; 0 for a password without chain.
    pub id: u32,
    /// The secret.
    pub secret: String,
}

impl AuthenticationKey {
    /// The digest of a packet whose checksum is 0, and whose digest is in its place.
    fn digest(&self, octets: &[u8], source: Ipv4Addr) -> Option<Vec<u8>> {
        let head = octets.get(..DIGEST_AT)?;
        let tail = octets.get(DIGEST_AT + self.digest.len()..)?;
        match self.digest {
            Digest::Md5 => {
                let mut key = self.secret.as_bytes().to_vec();
                key.resize(key.len().max(16), 0);
                let md5 = Md5::new().chain_update(head).chain_update(&key).chain_update(tail);
                Some(md5.finalize().to_vec())
            }
            Digest::Sha256 => {
                let key = format!("\n{}{source}", self.secret);
                let mut hmac = Hmac::<Sha256>::new_from_slice(key.as_bytes()).ok()?;
                hmac.update(head);
                hmac.update(&[0; 32]);
                hmac.update(tail);
                Some(hmac.finalize().into_bytes().to_vec())
            }
        }
    }
}

impl Packet {
    /// The octets of the packet, signed: the authentication TLV comes before the others.
    #[must_use]
    pub fn emit_signed(&self, key: &AuthenticationKey, source: Ipv4Addr) -> Vec<u8> {
        let mut signed = self.clone();
        signed.tlvs.retain(|tlv| !matches!(tlv, Tlv::Authentication(_)));
        let authentication = Authentication {
            kind: key.digest.kind(),
            key_id: key.id,
            key_sequence: 0,
            digest: vec![0; key.digest.len()],
        };
        signed.tlvs.insert(0, Tlv::Authentication(authentication));
        let mut octets = signed.emit_without_checksum();
        if let Some(digest) = key.digest(&octets, source)
            && let Some(field) = octets.get_mut(DIGEST_AT..DIGEST_AT + digest.len())
        {
            field.copy_from_slice(&digest);
        }
        fill_checksum(&mut octets);
        octets
    }

    /// The authentication TLV, if it comes first.
    #[must_use]
    pub fn authentication(&self) -> Option<&Authentication> {
        match self.tlvs.first() {
            Some(Tlv::Authentication(authentication)) => Some(authentication),
            _ => None,
        }
    }

    /// Whether a packet, as it came in these octets, was signed with `key` by `source`.
    #[must_use]
    pub fn is_signed_with(&self, octets: &[u8], key: &AuthenticationKey, source: Ipv4Addr) -> bool {
        let mut octets = octets.to_vec();
        if let Some(checksum) = octets.get_mut(2..4) {
            checksum.fill(0);
        }
        self.authentication().is_some_and(|authentication| {
            authentication.kind == key.digest.kind()
                && authentication.key_id == key.id
                && key.digest(&octets, source).is_some_and(|digest| digest == authentication.digest)
        })
    }
}
