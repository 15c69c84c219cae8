//! The link-local signalling block (RFC 5613) behind hellos and database descriptions.
//!
//! ```text
//! |            Checksum           |  LLS Data Length in 32-bit words |
//! |  TLV: type 1, length 4        |  extended options                |
//! |  TLV: type 2, length 4 + n    |  sequence number, digest         |   with cryptographic authentication
//! ```

use super::authentication::{self, PacketKey};
use crate::wire::internet_checksum;

const EXTENDED_OPTIONS: u16 = 1;
const CRYPTOGRAPHIC_AUTHENTICATION: u16 = 2;

/// Appends a block. With cryptographic authentication its checksum is zero and a digest over it stands at its end (section 2.5).
pub(super) fn emit(out: &mut Vec<u8>, options: u32, key: &PacketKey, sequence: u32) {
    let digest_len = authentication::digest_len(key);
    let signature_len = if digest_len == 0 { 0 } else { 8 + digest_len };
    let words = u16::try_from((12 + signature_len) / 4).unwrap_or(u16::MAX);
    let mut block = Vec::with_capacity(12 + signature_len);
    block.extend_from_slice(&[0, 0]);
    block.extend_from_slice(&words.to_be_bytes());
    block.extend_from_slice(&EXTENDED_OPTIONS.to_be_bytes());
    block.extend_from_slice(&4_u16.to_be_bytes());
    block.extend_from_slice(&options.to_be_bytes());
    if digest_len == 0 {
        let checksum = internet_checksum(&block);
        block[..2].copy_from_slice(&checksum.to_be_bytes());
    } else {
        block.extend_from_slice(&CRYPTOGRAPHIC_AUTHENTICATION.to_be_bytes());
        block.extend_from_slice(&u16::try_from(4 + digest_len).unwrap_or(u16::MAX).to_be_bytes());
        block.extend_from_slice(&sequence.to_be_bytes());
        let digest = authentication::digest(&block, key);
        block.extend_from_slice(&digest);
    }
    out.extend_from_slice(&block);
}

/// The extended options of a block. Its digest is not looked at: what the block says has no effect on routing here.
pub(super) fn parse(behind: &[u8]) -> Option<u32> {
    let (header, _) = behind.split_first_chunk::<4>()?;
    let length = 4 * usize::from(u16::from_be_bytes([header[2], header[3]]));
    let mut tlvs = behind.get(4..length)?;
    while let Some((&[t0, t1, l0, l1], rest)) = tlvs.split_first_chunk::<4>() {
        let length = usize::from(u16::from_be_bytes([l0, l1]));
        let value = rest.get(..length)?;
        if u16::from_be_bytes([t0, t1]) == EXTENDED_OPTIONS {
            return value.first_chunk().map(|options| u32::from_be_bytes(*options));
        }
        tlvs = rest.get(length.next_multiple_of(4)..)?;
    }
    None
}
