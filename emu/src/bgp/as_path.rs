//! AS paths (RFC 4271 section 5.1.2, RFC 5065, RFC 6793).

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ids::Asn;

/// The type of a path segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum SegmentKind {
    /// AS_SET: unordered, from aggregation.
    Set,
    /// AS_SEQUENCE: ordered, the latest AS first.
    Sequence,
    /// AS_CONFED_SEQUENCE: member ASes of the local confederation, ordered.
    ConfedSequence,
    /// AS_CONFED_SET: member ASes of the local confederation, unordered.
    ConfedSet,
}

impl SegmentKind {
    /// Whether the segment names member ASes of a confederation.
    #[must_use]
    pub const fn is_confederation(self) -> bool {
        matches!(self, Self::ConfedSequence | Self::ConfedSet)
    }

    /// Whether the order of the numbers has a meaning.
    #[must_use]
    pub const fn is_sequence(self) -> bool {
        matches!(self, Self::Sequence | Self::ConfedSequence)
    }
}

/// A path segment; never empty.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Segment {
    /// Its type.
    pub kind: SegmentKind,
    /// Its AS numbers.
    pub asns: Vec<Asn>,
}

/// An AS path: the ASes that a route has passed through, the nearest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AsPath {
    segments: Vec<Segment>,
}

impl AsPath {
    /// A path of these segments; empty ones are left out, and neighbouring sequences of one kind are joined.
    pub fn new(segments: impl IntoIterator<Item = Segment>) -> Self {
        let mut path = Self::default();
        for segment in segments {
            if segment.asns.is_empty() {
                continue;
            }
            match path.segments.last_mut() {
                Some(last) if last.kind == segment.kind && segment.kind.is_sequence() => {
                    last.asns.extend(segment.asns);
                }
                _ => path.segments.push(segment),
            }
        }
        path
    }

    /// A path of one AS_SEQUENCE.
    pub fn sequence(asns: impl IntoIterator<Item = Asn>) -> Self {
        Self::new([Segment { kind: SegmentKind::Sequence, asns: asns.into_iter().collect() }])
    }

    /// The segments, the nearest first.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// Whether there is no segment: the route comes from this AS.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// All numbers, the nearest first.
    pub fn asns(&self) -> impl Iterator<Item = Asn> + '_ {
        self.segments.iter().flat_map(|segment| segment.asns.iter().copied())
    }

    /// The length that paths are compared by: a set counts as one (RFC 4271 section 9.1.2.2 a), confederation segments as
    /// nothing (RFC 5065 section 5.3).
    #[must_use]
    pub fn length(&self) -> usize {
        self.segments
            .iter()
            .map(|segment| match segment.kind {
                SegmentKind::Sequence => segment.asns.len(),
                SegmentKind::Set => 1,
                SegmentKind::ConfedSequence | SegmentKind::ConfedSet => 0,
            })
            .sum()
    }

    /// How often the number occurs.
    #[must_use]
    pub fn occurrences(&self, asn: Asn) -> usize {
        self.asns().filter(|&other| other == asn).count()
    }

    /// The AS next to this one, whose MEDs are comparable with each other: the first number of the first sequence behind
    /// confederation segments. `None` if the route comes from this AS, or confederation, or begins with a set.
    #[must_use]
    pub fn neighbor(&self) -> Option<Asn> {
        let segment = self.segments.iter().find(|segment| !segment.kind.is_confederation())?;
        (segment.kind == SegmentKind::Sequence).then(|| segment.asns.first().copied()).flatten()
    }

    /// The first number of the path, if it begins with a sequence, a confederation's included.
    #[must_use]
    pub fn first(&self) -> Option<Asn> {
        self.segments.first().filter(|s| s.kind.is_sequence()).and_then(|s| s.asns.first().copied())
    }

    /// The AS that the route comes from: the last number.
    #[must_use]
    pub fn origin(&self) -> Option<Asn> {
        self.segments.last().and_then(|segment| segment.asns.last().copied())
    }

    /// The path with `asn` put in front `count` times, in a sequence of `kind`.
    #[must_use]
    pub fn prepended(&self, kind: SegmentKind, asn: Asn, count: usize) -> Self {
        let front = Segment { kind, asns: vec![asn; count] };
        Self::new(std::iter::once(front).chain(self.segments.iter().cloned()))
    }

    /// The path with these numbers put in front of its first sequence.
    #[must_use]
    pub fn prepended_by(&self, asns: &[Asn]) -> Self {
        let front = Segment { kind: SegmentKind::Sequence, asns: asns.to_vec() };
        Self::new(std::iter::once(front).chain(self.segments.iter().cloned()))
    }

    /// The path without the leading confederation segments, as sent out of a confederation (RFC 5065 section 4.1 c).
    #[must_use]
    pub fn without_confederation(&self) -> Self {
        Self::new(self.segments.iter().filter(|segment| !segment.kind.is_confederation()).cloned())
    }

    /// The path with each number replaced, or removed where `change` gives none.
    #[must_use]
    pub fn mapped(&self, mut change: impl FnMut(Asn) -> Option<Asn>) -> Self {
        Self::new(self.segments.iter().map(|segment| Segment {
            kind: segment.kind,
            asns: segment.asns.iter().filter_map(|&asn| change(asn)).collect(),
        }))
    }

    /// Whether every number fits two octets.
    #[must_use]
    pub fn fits_two_octets(&self) -> bool {
        self.asns().all(|asn| asn.0 <= u32::from(u16::MAX))
    }

    /// The path that an AS_PATH of two-octet numbers and an AS4_PATH make together (RFC 6793 section 4.2.3): as many leading
    /// numbers of the former as it is longer than the latter, and then the latter.
    #[must_use]
    pub fn merged_with(&self, as4: &Self) -> Self {
        let as4 = as4.without_confederation();
        let Some(mut surplus) = self.length().checked_sub(as4.length()) else { return self.clone() };
        let mut front = Vec::new();
        for segment in &self.segments {
            match segment.kind {
                // What confederation segments stand in front stays in front.
                SegmentKind::ConfedSequence | SegmentKind::ConfedSet if surplus > 0 || front.is_empty() => {
                    front.push(segment.clone());
                }
                SegmentKind::Sequence if surplus > 0 => {
                    let taken = surplus.min(segment.asns.len());
                    let asns = segment.asns.iter().take(taken).copied().collect();
                    front.push(Segment { kind: segment.kind, asns });
                    surplus -= taken;
                }
                SegmentKind::Set if surplus > 0 => {
                    front.push(segment.clone());
                    surplus -= 1;
                }
                _ => break,
            }
        }
        Self::new(front.into_iter().chain(as4.segments))
    }

    /// What an aggregate of routes with these paths carries (RFC 4271 appendix F.6): the longest sequence that all begin
    /// with, and with `as_set` the set of all other numbers.
    pub fn aggregate<'a>(paths: impl IntoIterator<Item = &'a Self>, as_set: bool) -> Self {
        let paths: Vec<&Self> = paths.into_iter().collect();
        let leading = |path: &Self| -> Vec<Asn> {
            let first = path.segments.first().filter(|segment| segment.kind == SegmentKind::Sequence);
            first.map(|segment| segment.asns.clone()).unwrap_or_default()
        };
        let mut common = paths.first().map(|path| leading(path)).unwrap_or_default();
        for path in &paths {
            let same = leading(path).iter().zip(&common).take_while(|(a, b)| a == b).count();
            common.truncate(same);
        }
        let mut rest: Vec<Asn> =
            paths.iter().flat_map(|path| path.asns()).filter(|asn| !common.contains(asn)).collect();
        rest.sort_unstable();
        rest.dedup();
        let sequence = Segment { kind: SegmentKind::Sequence, asns: common };
        let set = Segment { kind: SegmentKind::Set, asns: if as_set { rest } else { Vec::new() } };
        Self::new([sequence, set])
    }
}

impl fmt::Display for AsPath {
    /// As BGP implementations write it: `65001 65002 {65003,65004}`, confederation segments in parentheses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, segment) in self.segments.iter().enumerate() {
            let (open, between, close) = match segment.kind {
                SegmentKind::Sequence => ("", " ", ""),
                SegmentKind::Set => ("{", ",", "}"),
                SegmentKind::ConfedSequence => ("(", " ", ")"),
                SegmentKind::ConfedSet => ("[", ",", "]"),
            };
            f.write_str(if at == 0 { "" } else { " " })?;
            f.write_str(open)?;
            for (number, asn) in segment.asns.iter().enumerate() {
                f.write_str(if number == 0 { "" } else { between })?;
                write!(f, "{asn}")?;
            }
            f.write_str(close)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seq(asns: &[u32]) -> Segment {
        Segment { kind: SegmentKind::Sequence, asns: asns.iter().copied().map(Asn).collect() }
    }

    fn of(kind: SegmentKind, asns: &[u32]) -> Segment {
        Segment { kind, ..seq(asns) }
    }

    #[test]
    fn rfc4271_9_1_2_2_a_set_counts_once_and_rfc5065_confederation_segments_not_at_all() {
        let path = AsPath::new([
            of(SegmentKind::ConfedSequence, &[65001, 65002]),
            seq(&[1, 2]),
            of(SegmentKind::Set, &[3, 4, 5]),
        ]);
        assert_eq!(path.length(), 3);
        assert_eq!(path.to_string(), "(65001 65002) 1 2 {3,4,5}");
        assert_eq!(path.neighbor(), Some(Asn(1)));
        assert_eq!(path.first(), Some(Asn(65001)));
        assert_eq!(path.origin(), Some(Asn(5)));
        assert_eq!(path.without_confederation().to_string(), "1 2 {3,4,5}");
    }

    #[test]
    fn a_prepended_number_joins_the_sequence_in_front() {
        let path = AsPath::sequence([Asn(1)]).prepended(SegmentKind::Sequence, Asn(2), 2);
        assert_eq!(path, AsPath::new([seq(&[2, 2, 1])]));
        let confederation = path.prepended(SegmentKind::ConfedSequence, Asn(65001), 1);
        assert_eq!(confederation.to_string(), "(65001) 2 2 1");
    }

    #[test]
    fn rfc6793_4_2_3_as4_path_replaces_the_tail() {
        let old = AsPath::sequence([Asn(7), Asn::TRANS, Asn::TRANS]);
        let as4 = AsPath::sequence([Asn(70000), Asn(80000)]);
        assert_eq!(old.merged_with(&as4).to_string(), "7 70000 80000");
        // A longer AS4_PATH is ignored.
        assert_eq!(AsPath::sequence([Asn(7)]).merged_with(&as4).to_string(), "7");
        let with_set = AsPath::new([seq(&[7]), of(SegmentKind::Set, &[8, 9]), seq(&[23456])]);
        assert_eq!(with_set.merged_with(&AsPath::sequence([Asn(70000)])).to_string(), "7 {8,9} 70000");
    }

    #[test]
    fn rfc4271_f_6_aggregates_keep_the_common_beginning() {
        let paths = [AsPath::sequence([1, 2, 3].map(Asn)), AsPath::sequence([1, 4].map(Asn))];
        assert_eq!(AsPath::aggregate(&paths, true).to_string(), "1 {2,3,4}");
        assert_eq!(AsPath::aggregate(&paths, false).to_string(), "1");
        let same = [AsPath::sequence([1, 2].map(Asn)), AsPath::sequence([1, 2].map(Asn))];
        assert_eq!(AsPath::aggregate(&same, true).to_string(), "1 2");
    }
}
