//! The Internet checksum (RFC 1071).

/// The one's complement of the one's complement sum of 16-bit words; an odd octet at the end counts as if a zero followed.
#[must_use]
pub fn internet_checksum(octets: &[u8]) -> u16 {
    internet_checksum_of(&[octets])
}

/// The checksum of pieces of which all but the last have an even length.
#[must_use]
pub fn internet_checksum_of(pieces: &[&[u8]]) -> u16 {
    let mut folded: u64 = pieces.iter().map(|piece| sum(piece)).sum();
    while folded > 0xffff {
        folded = (folded & 0xffff) + (folded >> 16);
    }
    u16::try_from(!folded & 0xffff).unwrap_or(0)
}

/// A sum that folds to that of the 16-bit words. Words of 32 bits do as well (RFC 1071 section 2 B), and are half as many.
fn sum(piece: &[u8]) -> u64 {
    let (words, rest) = piece.as_chunks::<4>();
    let words: u64 = words.iter().map(|word| u64::from(u32::from_be_bytes(*word))).sum();
    let mut last = [0; 4];
    last[..rest.len()].copy_from_slice(rest);
    words + u64::from(u32::from_be_bytes(last))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rfc1071_section_3_example() {
        let octets = [0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7];
        assert_eq!(internet_checksum(&octets), !0xddf2);
        assert_eq!(internet_checksum_of(&[&octets[..4], &octets[4..]]), !0xddf2);
        assert_eq!(internet_checksum(&[0xff]), !0xff00);
    }

    proptest! {
        #[test]
        fn rfc1071_section_1_the_sum_is_that_of_16_bit_words(octets in prop::collection::vec(any::<u8>(), 0..70), at in 0usize..35) {
            let word = |word: &[u8]| u32::from(word[0]) << 8 | u32::from(word.get(1).copied().unwrap_or(0));
            let sum: u32 = octets.chunks(2).map(word).sum();
            let folded = (sum & 0xffff) + (sum >> 16);
            let folded = (folded & 0xffff) + (folded >> 16);
            prop_assert_eq!(u32::from(!internet_checksum(&octets)), folded);
            let (front, behind) = octets.split_at((2 * at).min(octets.len()));
            prop_assert_eq!(internet_checksum_of(&[front, behind]), internet_checksum(&octets));
        }
    }
}
