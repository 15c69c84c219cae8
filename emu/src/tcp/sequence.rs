//! Sequence numbers: 32 bits that wrap around (RFC 9293 section 3.4).

use std::cmp::Ordering;
use std::ops::{Add, Sub};

use serde::{Deserialize, Serialize};

/// A sequence number. Comparison is meaningful only between numbers less than 2^31 apart, so it is not `Ord`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct SequenceNumber(pub u32);

impl SequenceNumber {
    /// How far this number is ahead of `other`; negative if it is behind.
    #[must_use]
    pub const fn distance(self, other: Self) -> i32 {
        self.0.wrapping_sub(other.0).cast_signed()
    }

    /// The later of the two.
    #[must_use]
    pub fn latest(self, other: Self) -> Self {
        if self < other { other } else { self }
    }
}

impl PartialOrd for SequenceNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.distance(*other).cmp(&0))
    }
}

impl Add<u32> for SequenceNumber {
    type Output = Self;

    fn add(self, octets: u32) -> Self {
        Self(self.0.wrapping_add(octets))
    }
}

impl Sub for SequenceNumber {
    type Output = u32;

    /// How far `self` is ahead of `other`; 0 if it is behind.
    fn sub(self, other: Self) -> u32 {
        u32::try_from(self.distance(other)).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rfc9293_3_4_numbers_wrap_around() {
        let before = SequenceNumber(u32::MAX - 1);
        let after = before + 4;
        assert_eq!(after, SequenceNumber(2));
        assert!(before < after);
        assert_eq!(after - before, 4);
        assert_eq!(before - after, 0);
        assert_eq!(before.latest(after), after);
    }
}
