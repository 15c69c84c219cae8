//! Authentication of packets (RFC 2328 appendix D, RFC 5709).
//!
//! ```text
//! AuType 0   |                          ignored                              |
//! AuType 1   |                        64-bit password                        |
//! AuType 2   |               0               |    Key ID     | Digest length |
//!            |                 Cryptographic sequence number                 |
//! ```

use hmac::{Hmac, KeyInit, Mac};
use md5::{Digest as _, Md5};
use serde::{Deserialize, Serialize};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

use super::{HEADER_LEN, PacketError};
use crate::config::CryptographicAlgorithm;
use crate::wire::internet_checksum_of;

/// Octets of a password.
pub const SIMPLE_KEY_LEN: usize = 8;

const NULL: u16 = 0;
const SIMPLE: u16 = 1;
const CRYPTOGRAPHIC: u16 = 2;

/// A cryptographic key.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Digest {
    /// Key ID.
    pub key_id: u8,
    /// How the digest is made.
    pub algorithm: CryptographicAlgorithm,
    /// The shared secret.
    pub secret: Vec<u8>,
}

/// With what a packet is signed.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum PacketKey {
    /// AuType 0.
    #[default]
    Null,
    /// AuType 1: a password, padded with zeros.
    Simple([u8; SIMPLE_KEY_LEN]),
    /// AuType 2.
    Cryptographic(Digest),
}

/// What is accepted on an interface.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Keys {
    /// AuType 0.
    #[default]
    Null,
    /// AuType 1.
    Simple([u8; SIMPLE_KEY_LEN]),
    /// AuType 2 with one of these keys.
    Cryptographic(Vec<Digest>),
}

/// The authentication fields of a packet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Signature<'a> {
    Null,
    Simple([u8; SIMPLE_KEY_LEN]),
    Cryptographic { key_id: u8, sequence: u32, digest: &'a [u8] },
}

impl Signature<'_> {
    /// `AuType`.
    pub(super) const fn kind(&self) -> u16 {
        match self {
            Self::Null => NULL,
            Self::Simple(_) => SIMPLE,
            Self::Cryptographic { .. } => CRYPTOGRAPHIC,
        }
    }
}

impl Keys {
    /// `AuType`.
    #[must_use]
    pub const fn authentication_type(&self) -> u16 {
        match self {
            Self::Null => NULL,
            Self::Simple(_) => SIMPLE,
            Self::Cryptographic(_) => CRYPTOGRAPHIC,
        }
    }

    /// Whether there is a cryptographic key of this number.
    #[must_use]
    pub fn has(&self, key_id: u8) -> bool {
        matches!(self, Self::Cryptographic(keys) if keys.iter().any(|key| key.key_id == key_id))
    }
}

/// Octets of the digest that a key makes; 0 if it is not cryptographic.
pub(super) fn digest_len(key: &PacketKey) -> usize {
    match key {
        PacketKey::Null | PacketKey::Simple(_) => 0,
        PacketKey::Cryptographic(digest) => algorithm_len(digest.algorithm),
    }
}

const fn algorithm_len(algorithm: CryptographicAlgorithm) -> usize {
    match algorithm {
        CryptographicAlgorithm::Md5 => 16,
        CryptographicAlgorithm::HmacSha1 => 20,
        CryptographicAlgorithm::HmacSha256 => 32,
        CryptographicAlgorithm::HmacSha384 => 48,
        CryptographicAlgorithm::HmacSha512 => 64,
    }
}

/// The digest of a block with a key; empty if the key is not cryptographic.
pub(super) fn digest(block: &[u8], key: &PacketKey) -> Vec<u8> {
    match key {
        PacketKey::Null | PacketKey::Simple(_) => Vec::new(),
        PacketKey::Cryptographic(key) => digest_with(block, key),
    }
}

fn digest_with(block: &[u8], key: &Digest) -> Vec<u8> {
    match key.algorithm {
        CryptographicAlgorithm::Md5 => {
            // RFC 2328 D.4.3: the packet followed by the secret padded with zeros to 16 octets.
            let mut secret = [0; 16];
            secret.iter_mut().zip(&key.secret).for_each(|(to, from)| *to = *from);
            Md5::new().chain_update(block).chain_update(secret).finalize().to_vec()
        }
        CryptographicAlgorithm::HmacSha1 => hmac::<Hmac<Sha1>>(block, key),
        CryptographicAlgorithm::HmacSha256 => hmac::<Hmac<Sha256>>(block, key),
        CryptographicAlgorithm::HmacSha384 => hmac::<Hmac<Sha384>>(block, key),
        CryptographicAlgorithm::HmacSha512 => hmac::<Hmac<Sha512>>(block, key),
    }
}

/// RFC 5709 section 3.3: HMAC of the packet followed by Apad, 0x878FE1F3 repeated to the length of the digest. A secret shorter than the
/// digest is padded with zeros, which HMAC itself does; a longer one is hashed first.
fn hmac<M: Mac + KeyInit>(block: &[u8], key: &Digest) -> Vec<u8> {
    const APAD: [u8; 4] = [0x87, 0x8f, 0xe1, 0xf3];
    let len = algorithm_len(key.algorithm);
    let secret: Vec<u8> =
        if key.secret.len() > len { hash(&key.secret, key.algorithm) } else { key.secret.clone() };
    let Ok(mut mac) = <M as KeyInit>::new_from_slice(&secret) else { return vec![0; len] };
    mac.update(block);
    mac.update(&APAD.repeat(len / APAD.len()));
    mac.finalize().into_bytes().to_vec()
}

fn hash(secret: &[u8], algorithm: CryptographicAlgorithm) -> Vec<u8> {
    match algorithm {
        CryptographicAlgorithm::Md5 => Md5::digest(secret).to_vec(),
        CryptographicAlgorithm::HmacSha1 => Sha1::digest(secret).to_vec(),
        CryptographicAlgorithm::HmacSha256 => Sha256::digest(secret).to_vec(),
        CryptographicAlgorithm::HmacSha384 => Sha384::digest(secret).to_vec(),
        CryptographicAlgorithm::HmacSha512 => Sha512::digest(secret).to_vec(),
    }
}

/// The checksum of a packet: everything but the 64-bit authentication field (section A.3.1).
fn checksum(packet: &[u8]) -> u16 {
    let (front, behind) = packet.split_at_checked(16).unwrap_or((packet, &[]));
    internet_checksum_of(&[front, behind.get(8..).unwrap_or_default()])
}

/// Fills in checksum and authentication of a finished packet, and appends the digest.
pub(super) fn sign(packet: &mut Vec<u8>, key: &PacketKey, sequence: u32) {
    match key {
        PacketKey::Null => {
            let sum = checksum(packet);
            packet[12..14].copy_from_slice(&sum.to_be_bytes());
        }
        PacketKey::Simple(password) => {
            packet[14..16].copy_from_slice(&SIMPLE.to_be_bytes());
            let sum = checksum(packet);
            packet[12..14].copy_from_slice(&sum.to_be_bytes());
            packet[16..HEADER_LEN].copy_from_slice(password);
        }
        PacketKey::Cryptographic(key) => {
            packet[14..16].copy_from_slice(&CRYPTOGRAPHIC.to_be_bytes());
            packet[18] = key.key_id;
            packet[19] = u8::try_from(algorithm_len(key.algorithm)).unwrap_or(u8::MAX);
            packet[20..HEADER_LEN].copy_from_slice(&sequence.to_be_bytes());
            let digest = digest_with(packet, key);
            packet.extend_from_slice(&digest);
        }
    }
}

/// Reads the authentication fields, verifies the checksum where there is one, and splits the digest from what follows it.
pub(super) fn read<'a>(packet: &'a [u8], behind: &'a [u8]) -> Result<(Signature<'a>, &'a [u8]), PacketError> {
    let header: &[u8; HEADER_LEN] = packet.first_chunk().ok_or(PacketError::BadLength)?;
    let &[.., t0, t1, a0, a1, a2, a3, s0, s1, s2, s3] = header;
    let kind = u16::from_be_bytes([t0, t1]);
    if kind == CRYPTOGRAPHIC {
        let (digest, behind) = behind.split_at_checked(usize::from(a3)).ok_or(PacketError::BadLength)?;
        let sequence = u32::from_be_bytes([s0, s1, s2, s3]);
        return Ok((Signature::Cryptographic { key_id: a2, sequence, digest }, behind));
    }
    if checksum(packet) != 0 {
        return Err(PacketError::BadChecksum);
    }
    match kind {
        NULL => Ok((Signature::Null, behind)),
        SIMPLE => Ok((Signature::Simple([a0, a1, a2, a3, s0, s1, s2, s3]), behind)),
        _ => Err(PacketError::AuthenticationTypeMismatch),
    }
}

/// Holds a signature against the keys.
pub(super) fn verify(
    packet: &[u8],
    signature: &Signature<'_>,
    keys: &Keys,
) -> Result<Option<u32>, PacketError> {
    match (signature, keys) {
        (Signature::Null, Keys::Null) => Ok(None),
        (Signature::Simple(given), Keys::Simple(wanted)) if given == wanted => Ok(None),
        (&Signature::Cryptographic { key_id, sequence, digest }, Keys::Cryptographic(keys)) => {
            let mut candidates = keys.iter().filter(|key| key.key_id == key_id);
            if candidates.any(|key| digest_with(packet, key) == digest) {
                Ok(Some(sequence))
            } else {
                Err(PacketError::AuthenticationFailed)
            }
        }
        (Signature::Simple(_), Keys::Simple(_)) => Err(PacketError::AuthenticationFailed),
        _ => Err(PacketError::AuthenticationTypeMismatch),
    }
}
