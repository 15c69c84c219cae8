//! The Internet checksum (RFC 1071).

/// The one's complement of the one's complement sum of 16-bit words; an odd octet at the end counts as if a zero followed.
#[must_use]
pub fn internet_checksum(octets: &[u8]) -> u16 {
    internet_checksum_of(&[octets])
}

/// The checksum of pieces of which all but the last have an even length.
#[must_use]
pub fn internet_checksum_of(pieces: &[&[u8]]) -> u16 {
    let words = pieces.iter().flat_map(|piece| piece.chunks(2));
    let sum: u64 =
        words.map(|word| u64::from(word[0]) << 8 | u64::from(word.get(1).copied().unwrap_or(0))).sum();
    let mut folded = sum;
    while folded > 0xffff {
        folded = (folded & 0xffff) + (folded >> 16);
    }
    u16::try_from(!folded & 0xffff).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc1071_section_3_example() {
        let octets = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(internet_checksum(&octets), !0xddf2);
        assert_eq!(internet_checksum_of(&[&octets[..4], &octets[4..]]), !0xddf2);
        assert_eq!(internet_checksum(&[0xff]), !0xff00);
    }
}
