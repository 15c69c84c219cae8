//! The lines of an access list: entries by sequence number, each with the remarks in front of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::PacketFields;
use super::index::{Cached, Index, Selector};

/// The greatest sequence number.
pub const GREATEST_SEQUENCE: u32 = 2_147_483_647;

/// How far sequence numbers that IOS gives are apart.
const STEP: u32 = 10;

/// The lines of an access list. As on IOS, remarks have no sequence number: they belong to the entry behind them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines<E> {
    entries: BTreeMap<u32, Line<E>>,
    trailing_remarks: Vec<String>,
    #[serde(skip)]
    index: Cached,
}

/// An entry and the remarks in front of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line<E> {
    /// `remark`, in order.
    pub remarks: Vec<String>,
    /// `permit` or `deny`.
    pub entry: E,
}

/// There is an entry with this sequence number, or no number is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceTaken(pub u32);

impl<E> Default for Lines<E> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), trailing_remarks: Vec::new(), index: Cached::default() }
    }
}

impl<E: PartialEq> Lines<E> {
    /// The entries in order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &E)> {
        self.entries.iter().map(|(&sequence, line)| (sequence, &line.entry))
    }

    /// The first entry for which `matches` holds, of those that compare with the packet's values. `selector` tells what an entry
    /// compares; the entry must not match a packet of other values.
    pub(super) fn first_match(
        &self,
        packet: &PacketFields,
        selector: fn(&E) -> Selector<'_>,
        matches: impl Fn(&E) -> bool,
    ) -> Option<(u32, &E)> {
        let index =
            self.index.get(|| Index::of(self.iter().map(|(sequence, entry)| (sequence, selector(entry)))));
        // A later fragment shows no ports, and may match entries that ask for some.
        let Some(index) = index.filter(|_| !packet.is_later_fragment) else {
            return self.iter().find(|(_, entry)| matches(entry));
        };
        let entry = |sequence: u32| self.entries.get(&sequence).map(|line| &line.entry);
        let sequence = index.first_match(packet, |sequence| entry(sequence).is_some_and(&matches))?;
        Some((sequence, entry(sequence)?))
    }

    /// The entries in order with their remarks.
    pub fn lines(&self) -> impl Iterator<Item = (u32, &Line<E>)> {
        self.entries.iter().map(|(&sequence, line)| (sequence, line))
    }

    /// The remarks behind the last entry.
    #[must_use]
    pub fn trailing_remarks(&self) -> &[String] {
        &self.trailing_remarks
    }

    /// Whether there is no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether there is an equal entry.
    #[must_use]
    pub fn contains(&self, entry: &E) -> bool {
        self.entries.values().any(|line| line.entry == *entry)
    }

    /// The sequence number that IOS gives an entry written without one: 10 after the last.
    #[must_use]
    pub fn next_sequence(&self) -> u32 {
        self.entries.last_key_value().map_or(STEP, |(last, _)| last.saturating_add(STEP))
    }

    /// Adds an entry at the end; the remarks that wait there become its own. Tells its sequence number.
    ///
    /// # Errors
    /// If no sequence number is left.
    pub fn append(&mut self, entry: E) -> Result<u32, SequenceTaken> {
        let sequence = self.next_sequence();
        if sequence > GREATEST_SEQUENCE {
            return Err(SequenceTaken(sequence));
        }
        let remarks = std::mem::take(&mut self.trailing_remarks);
        self.entries.insert(sequence, Line { remarks, entry });
        self.index = Cached::default();
        Ok(sequence)
    }

    /// Adds an entry with a sequence number.
    ///
    /// # Errors
    /// If there is one with that number.
    pub fn insert(&mut self, sequence: u32, entry: E) -> Result<(), SequenceTaken> {
        if self.entries.contains_key(&sequence) {
            return Err(SequenceTaken(sequence));
        }
        let is_last = self.entries.last_key_value().is_none_or(|(&last, _)| last < sequence);
        let remarks = if is_last { std::mem::take(&mut self.trailing_remarks) } else { Vec::new() };
        self.entries.insert(sequence, Line { remarks, entry });
        self.index = Cached::default();
        Ok(())
    }

    /// Removes the entry with a sequence number; its remarks go to the one behind it. Tells whether there was one.
    pub fn remove_sequence(&mut self, sequence: u32) -> bool {
        let Some(gone) = self.entries.remove(&sequence) else { return false };
        self.index = Cached::default();
        let behind = match self.entries.range_mut(sequence..).next() {
            Some((_, line)) => &mut line.remarks,
            None => &mut self.trailing_remarks,
        };
        behind.splice(0..0, gone.remarks);
        true
    }

    /// Removes an entry equal to this one; tells whether there was one.
    pub fn remove_entry(&mut self, entry: &E) -> bool {
        let found = self.iter().find(|(_, known)| *known == entry).map(|(sequence, _)| sequence);
        found.is_some_and(|sequence| self.remove_sequence(sequence))
    }

    /// Adds a remark at the end.
    pub fn remark(&mut self, text: &str) {
        self.trailing_remarks.push(text.to_owned());
    }

    /// Removes the first remark with this text; tells whether there was one.
    pub fn remove_remark(&mut self, text: &str) -> bool {
        let all = self.entries.values_mut().map(|line| &mut line.remarks);
        for remarks in all.chain([&mut self.trailing_remarks]) {
            if let Some(at) = remarks.iter().position(|remark| remark == text) {
                remarks.remove(at);
                return true;
            }
        }
        false
    }

    /// The number that an entry of an earlier version has now: its own if that has not become another's.
    pub(super) fn successor(&self, before: &Self, sequence: u32) -> Option<u32> {
        let entry = &before.entries.get(&sequence)?.entry;
        if self.entries.get(&sequence).is_some_and(|line| line.entry == *entry) {
            return Some(sequence);
        }
        self.iter().find(|(_, now)| *now == entry).map(|(sequence, _)| sequence)
    }

    /// Gives the entries new numbers in the same order; tells whether they fit.
    pub fn resequence(&mut self, start: u32, step: u32) -> bool {
        let count = u32::try_from(self.entries.len()).unwrap_or(u32::MAX);
        let last = step.checked_mul(count.saturating_sub(1)).and_then(|all| all.checked_add(start));
        let fits = step > 0 && last.is_some_and(|last| last <= GREATEST_SEQUENCE);
        if fits {
            self.index = Cached::default();
            let old = std::mem::take(&mut self.entries);
            self.entries = (0..).map(|n| start + n * step).zip(old.into_values()).collect();
        }
        fits
    }
}

impl<E: PartialEq> FromIterator<E> for Lines<E> {
    /// Entries with the numbers that IOS gives.
    fn from_iter<I: IntoIterator<Item = E>>(entries: I) -> Self {
        let mut lines = Self::default();
        for entry in entries {
            if lines.append(entry).is_err() {
                break;
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(lines: &Lines<char>) -> Vec<(u32, char)> {
        lines.iter().map(|(sequence, entry)| (sequence, *entry)).collect()
    }

    #[test]
    fn entries_go_to_the_end_or_to_their_number() {
        let mut lines: Lines<char> = ['a', 'b'].into_iter().collect();
        lines.insert(15, 'c').unwrap();
        assert_eq!(lines.insert(10, 'd'), Err(SequenceTaken(10)));
        assert_eq!(lines.append('e'), Ok(30));
        assert_eq!(numbers(&lines), [(10, 'a'), (15, 'c'), (20, 'b'), (30, 'e')]);
        lines.insert(GREATEST_SEQUENCE, 'f').unwrap();
        assert!(lines.append('g').is_err());
    }

    #[test]
    fn remarks_have_no_number_and_belong_to_the_entry_behind_them() {
        let mut lines = Lines::default();
        lines.remark("one");
        lines.append('a').unwrap();
        lines.remark("two");
        lines.insert(5, 'b').unwrap();
        lines.append('c').unwrap();
        let remarks = |lines: &Lines<char>| -> Vec<Vec<String>> {
            lines.lines().map(|(_, line)| line.remarks.clone()).collect()
        };
        assert_eq!(numbers(&lines), [(5, 'b'), (10, 'a'), (20, 'c')]);
        assert_eq!(remarks(&lines), [vec![], vec!["one".to_owned()], vec!["two".to_owned()]]);
        assert!(lines.remove_entry(&'a'));
        assert_eq!(remarks(&lines), [vec![], vec!["one".to_owned(), "two".to_owned()]]);
        assert!(lines.remove_sequence(20) && !lines.remove_sequence(20));
        assert_eq!(lines.trailing_remarks(), ["one", "two"]);
        assert!(lines.remove_remark("one") && !lines.remove_remark("one"));
    }

    #[test]
    fn resequencing_keeps_the_order() {
        let mut lines: Lines<char> = ['a', 'b'].into_iter().collect();
        assert!(lines.resequence(100, 5));
        assert_eq!(numbers(&lines), [(100, 'a'), (105, 'b')]);
        assert!(!lines.resequence(GREATEST_SEQUENCE, 1) && !lines.resequence(1, 0));
        assert_eq!(numbers(&lines), [(100, 'a'), (105, 'b')]);
    }
}
