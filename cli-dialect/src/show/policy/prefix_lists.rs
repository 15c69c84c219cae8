//! `show ip prefix-list [detail] [X]`.
//!
//! Row fields, one row for each entry: `list`, `description`, `sequence`, `action`, `prefix`, `ge`, `le`.
//!
//! The emulator does not count how often an entry has matched: `hit count` is 0.

use ipnet::Ipv4Net;
use netconfarena_emu::policy::{PrefixList, PrefixListEntry};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, word};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of `show ip prefix-list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPrefixLists {
    /// `detail`.
    pub detail: bool,
    /// Lists by name.
    pub lists: Vec<List>,
}

/// A prefix list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// Name.
    pub name: String,
    /// `description`, printed with `detail`.
    pub description: Option<String>,
    /// Entries by sequence number.
    pub entries: Vec<Entry>,
}

/// An entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Sequence number.
    pub sequence: u32,
    /// `permit` or `deny`.
    pub action: String,
    /// Prefix.
    pub prefix: Ipv4Net,
    /// Least length.
    pub ge: Option<u8>,
    /// Greatest length.
    pub le: Option<u8>,
}

impl IpPrefixLists {
    /// From a router; one list only, if one is named.
    ///
    /// # Errors
    /// There is no such list.
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>, detail: bool) -> Result<Self, Complaint> {
        let all = &context.router().config().policy.prefix_lists;
        if let Some(name) = only.filter(|name| !all.contains_key(*name)) {
            return Err(Complaint::Refused(format!("%Can't find prefix-list {name}")));
        }
        let wanted = all.iter().filter(|(name, _)| only.is_none_or(|only| only == name.as_str()));
        Ok(Self { detail, lists: wanted.map(|(name, list)| of(name, list, detail)).collect() })
    }
}

fn of(name: &str, list: &PrefixList, detail: bool) -> List {
    let entry = |(&sequence, entry): (&u32, &PrefixListEntry)| Entry {
        sequence,
        action: if entry.action.is_permit() { "permit" } else { "deny" }.to_owned(),
        prefix: entry.prefix(),
        ge: entry.ge(),
        le: entry.le(),
    };
    List {
        name: name.to_owned(),
        description: list.description.clone().filter(|_| detail),
        entries: list.entries.iter().map(entry).collect(),
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(IpPrefixLists::collect(context, args.text("list"), args.has("detail"))?.render())
    }
    let run: ShowHandler = show;
    let name = || word("list", "Name of a prefix list").run(run);
    vec![
        kw("ip", "IP information").then([kw("prefix-list", "List IP prefix lists")
            .run(run)
            .then([kw("detail", "Detail of prefix lists").run(run).then([name()]), name()])]),
    ]
}

impl Entry {
    fn text(&self) -> String {
        let bound =
            |word: &str, value: Option<u8>| value.map_or_else(String::new, |n| format!(" {word} {n}"));
        let Self { sequence, action, prefix, ge, le } = self;
        format!("seq {sequence} {action} {prefix}{}{}", bound("ge", *ge), bound("le", *le))
    }

    fn parse(line: Line<'_>) -> Result<Self, ParseError> {
        let expected = "`seq N permit PREFIX [ge N] [le N]`";
        let text = line.text.split(" (").next().unwrap_or(line.text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let ["seq", sequence, action, prefix, bounds @ ..] = words.as_slice() else {
            return Err(line.error(expected));
        };
        let bound = |word: &str| {
            let pair = bounds.windows(2).find(|pair| pair.first() == Some(&word));
            pair.and_then(|pair| pair.last()).map(|n| line.value(n, "a length")).transpose()
        };
        Ok(Self {
            sequence: line.value(sequence, "a number")?,
            action: (*action).to_owned(),
            prefix: line.value(prefix, "a prefix")?,
            ge: bound("ge")?,
            le: bound("le")?,
        })
    }
}

impl List {
    fn render_detail(&self, out: &mut String) {
        out.push_str(&format!("ip prefix-list {}:\n", self.name));
        if let Some(description) = &self.description {
            out.push_str(&format!("   Description: {description}\n"));
        }
        let range_entries =
            self.entries.iter().filter(|entry| entry.ge.is_some() || entry.le.is_some()).count();
        let ends = self.entries.first().zip(self.entries.last());
        let sequences =
            ends.map_or_else(|| "0 - 0".to_owned(), |(a, b)| format!("{} - {}", a.sequence, b.sequence));
        out.push_str(&format!(
            "   count: {}, range entries: {range_entries}, sequences: {sequences}, refcount: 1\n",
            self.entries.len()
        ));
        for entry in &self.entries {
            out.push_str(&format!("   {} (hit count: 0, refcount: 1)\n", entry.text()));
        }
    }
}

impl Record for IpPrefixLists {
    fn render(&self) -> String {
        let mut out = String::new();
        if self.detail {
            if let Some(last) = self.lists.last() {
                out.push_str(&format!("Prefix-list with the last deletion/insertion: {}\n", last.name));
            }
            self.lists.iter().for_each(|list| list.render_detail(&mut out));
            return out;
        }
        for List { name, entries, .. } in &self.lists {
            out.push_str(&format!("ip prefix-list {name}: {} entries\n", entries.len()));
            entries.iter().for_each(|entry| out.push_str(&format!("   {}\n", entry.text())));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let trimmed = line.text.trim();
            if let Some([name]) = line.holes("ip prefix-list {}:") {
                record.detail = true;
                record.lists.push(List { name: name.to_owned(), description: None, entries: Vec::new() });
            } else if let Some([name, _]) = line.holes("ip prefix-list {}: {} entries") {
                record.lists.push(List { name: name.to_owned(), description: None, entries: Vec::new() });
            } else if trimmed.starts_with("Prefix-list with the last") || trimmed.starts_with("count:") {
                // What the lists tell themselves.
            } else {
                let list =
                    record.lists.last_mut().ok_or_else(|| line.error("`ip prefix-list X: N entries`"))?;
                match trimmed.strip_prefix("Description: ") {
                    Some(description) => list.description = Some(description.to_owned()),
                    None => list.entries.push(Entry::parse(line)?),
                }
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |list: &List| -> Vec<Row> {
            let start = row(&json!({ "list": list.name, "description": list.description }));
            let with = |entry: &Entry| start.clone().into_iter().chain(row(entry)).collect();
            list.entries.iter().map(with).collect()
        };
        self.lists.iter().flat_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(sequence in 1u32..100_000, action in arbitrary::word(&["permit", "deny"]), prefix in arbitrary::prefix(),
            ge in prop::option::of(0u8..=32), le in prop::option::of(0u8..=32)) -> Entry {
            Entry { sequence, action, prefix, ge, le }
        }
    }

    proptest! {
        #[test]
        fn round_trip(detail in any::<bool>(), list in prop::collection::vec((arbitrary::name(), prop::option::of("[a-z]{1,9}( [a-z]{1,5})?"),
            prop::collection::vec(entry(), 0..4)), 1..4))
        {
            let lists = list.into_iter().map(|(name, description, entries)| List { name, description: description.filter(|_| detail), entries }).collect();
            let record = IpPrefixLists { detail, lists };
            prop_assert_eq!(IpPrefixLists::parse(&record.render()), Ok(record));
        }
    }
}
