//! `show access-lists [X]` and `show ip access-lists [X]`.
//!
//! Row fields, one row for each entry: `kind` (`Standard`, `Extended`), `list`, `sequence`, `action` (`permit`, `deny`), `rule` (what stands
//! behind the action, without the counter), `matches` (packets).

use netconfarena_emu::policy::{AccessList, Permission};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::grammar::{Spec, kw, word};
use crate::running_config::{extended_entry, standard_source};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, context, row};

/// The record of `show access-lists`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessLists {
    /// Standard lists, then extended ones, by name.
    pub lists: Vec<List>,
}

/// An access list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// `Standard` or `Extended`.
    pub kind: String,
    /// Name or number.
    pub name: String,
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
    /// The rest of the entry.
    pub rule: String,
    /// Packets that it decided about; 0 is not printed.
    pub matches: u64,
}

impl AccessLists {
    /// From a router; one list only, if one is named.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>) -> Self {
        let router = context.router();
        let all = router.config().policy.access_lists.iter();
        let mut lists: Vec<List> = all
            .filter(|(name, _)| only.is_none_or(|only| only == name.as_str()))
            .map(|(name, list)| {
                let matches = |sequence| router.access_list_matches(name, sequence);
                let (kind, entries) = match list {
                    AccessList::Standard(lines) => {
                        let entry = |(sequence, line): (u32, &netconfarena_emu::policy::Line<_>)| {
                            let entry: &netconfarena_emu::policy::StandardEntry = &line.entry;
                            of(
                                sequence,
                                entry.action,
                                standard_source(entry, ", wildcard bits"),
                                matches(sequence),
                            )
                        };
                        ("Standard", lines.lines().map(entry).collect())
                    }
                    AccessList::Extended(lines) => {
                        let entry = |(sequence, line): (u32, &netconfarena_emu::policy::Line<_>)| {
                            let entry: &netconfarena_emu::policy::ExtendedEntry = &line.entry;
                            let text = extended_entry(entry);
                            let rule = text.split_once(' ').map_or("", |(_, rule)| rule).to_owned();
                            let active = entry.time_range.as_ref().map_or("", |range| {
                                if router.config().policy.is_time_range_active(range, context.now()) {
                                    " (active)"
                                } else {
                                    " (inactive)"
                                }
                            });
                            of(sequence, entry.action, format!("{rule}{active}"), matches(sequence))
                        };
                        ("Extended", lines.lines().map(entry).collect())
                    }
                };
                List { kind: kind.to_owned(), name: name.clone(), entries }
            })
            .collect();
        lists.sort_by(|a, b| b.kind.cmp(&a.kind));
        Self { lists }
    }
}

fn of(sequence: u32, action: Permission, rule: String, matches: u64) -> Entry {
    let action = if action.is_permit() { "permit" } else { "deny" };
    Entry { sequence, action: action.to_owned(), rule, matches }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    let run: ShowHandler = |context, args| context::text(&AccessLists::collect(context, args.text("list")));
    let lists = |help: &'static str| {
        kw("access-lists", help).run(run).then([word("list", "Access list name or number").run(run)])
    };
    vec![lists("List access lists"), kw("ip", "IP information").then([lists("List IP access lists")])]
}

impl Record for AccessLists {
    fn render(&self) -> String {
        let mut out = String::new();
        for List { kind, name, entries } in &self.lists {
            out.push_str(&format!("{kind} IP access list {name}\n"));
            for Entry { sequence, action, rule, matches } in entries {
                // Standard lists have `deny` as wide as `permit`.
                let action = if kind == "Standard" { format!("{action:<6}") } else { action.clone() };
                let counter = match matches {
                    0 => String::new(),
                    1 => " (1 match)".to_owned(),
                    count => format!(" ({count} matches)"),
                };
                out.push_str(&format!("    {sequence} {action} {rule}{counter}\n"));
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let heading = line.holes("{} IP access list {}").or_else(|| line.holes("{} access list {}"));
            if let Some([kind, name]) = heading {
                let kind = kind.split(' ').next().unwrap_or(kind).to_owned();
                record.lists.push(List { kind, name: name.to_owned(), entries: Vec::new() });
            } else if let Some(list) = record.lists.last_mut() {
                list.entries.extend(entry(line)?);
            } else {
                return Err(line.error("`Standard IP access list X`"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |list: &List| -> Vec<Row> {
            let start = row(&json!({ "kind": list.kind, "list": list.name }));
            let with = |entry: &Entry| start.clone().into_iter().chain(row(entry)).collect();
            list.entries.iter().map(with).collect()
        };
        self.lists.iter().flat_map(of).collect()
    }
}

/// `10 permit ...`; a remark is passed over.
fn entry(line: Line<'_>) -> Result<Option<Entry>, ParseError> {
    let text = line.text.trim();
    let expected = "a sequence number, `permit` or `deny`, a rule";
    let (sequence, rest) = text.split_once(' ').ok_or_else(|| line.error(expected))?;
    let (sequence, rest) = match sequence.parse() {
        Ok(number) => (number, rest.trim_start()),
        // Old releases do not number their entries.
        Err(_) => (0, text),
    };
    let (action, rule) = rest.split_once(' ').ok_or_else(|| line.error(expected))?;
    if !["permit", "deny"].contains(&action) {
        return Ok(None);
    }
    let (rule, matches) = match rule.trim().rsplit_once(" (") {
        Some((rule, counter)) if counter.contains("match") => {
            let count = counter.split(' ').next().unwrap_or_default();
            (rule, line.value(count, "a count of matches")?)
        }
        _ => (rule.trim(), 0),
    };
    Ok(Some(Entry { sequence, action: action.to_owned(), rule: rule.trim().to_owned(), matches }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(sequence in 1u32..100_000, action in arbitrary::word(&["permit", "deny"]), matches in any::<u64>(),
            rule in arbitrary::word(&["any log", "10.0.0.0, wildcard bits 0.0.0.255", "tcp any host 10.0.0.1 eq www", "ip any any time-range T (active)"])) -> Entry {
            Entry { sequence, action, rule, matches }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::word(&["Standard", "Extended"]), arbitrary::name(), prop::collection::vec(entry(), 0..4)), 0..4)) {
            let lists = list.into_iter().map(|(kind, name, entries)| List { kind, name, entries }).collect();
            let record = AccessLists { lists };
            prop_assert_eq!(AccessLists::parse(&record.render()), Ok(record));
        }
    }
}
