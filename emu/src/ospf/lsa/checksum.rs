//! The Fletcher checksum of LSAs (RFC 2328 section 12.1.7, RFC 905 annex B), over everything but the age.

/// Where the checksum stands in an LSA without its first two octets (the age).
const OFFSET: usize = 14;

/// The two running sums, modulo 255, with the octets at `skip` taken as zero.
fn sums(octets: impl Iterator<Item = u8>) -> (i64, i64) {
    let (mut c0, mut c1) = (0i64, 0i64);
    for octet in octets {
        c0 += i64::from(octet);
        c1 += c0;
    }
    (c0 % 255, c1 % 255)
}

/// The checksum of an LSA given without its age; what stands in the checksum field is ignored.
pub(super) fn compute(octets: &[u8]) -> u16 {
    let blanked =
        octets.iter().enumerate().map(|(i, &octet)| if i == OFFSET || i == OFFSET + 1 { 0 } else { octet });
    let (c0, c1) = sums(blanked);
    // An LSA has at most 65535 octets, so the length fits and the sums above stay below 2^63.
    let behind = octets.len() as i64 - OFFSET as i64 - 1;
    // One is the least value of either octet: zero would mean "no checksum".
    let x = match (behind * c0 - c1).rem_euclid(255) {
        0 => 255,
        x => x,
    };
    let y = match 510 - c0 - x {
        y if y > 255 => y - 255,
        y => y,
    };
    u16::from_be_bytes([x as u8, y as u8])
}

/// Whether an LSA given without its age carries its checksum.
pub(super) fn is_valid(octets: &[u8]) -> bool {
    octets.get(OFFSET..OFFSET + 2).is_some_and(|field| field != [0, 0])
        && sums(octets.iter().copied()) == (0, 0)
}
