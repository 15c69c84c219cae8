//! `show ip as-path-access-list [N]`, `show ip community-list [X]`.
//!
//! Row fields, one row for each entry: `kind` (`as-path`, `standard`, `expanded`), `list`, `action`, `rule`.

use netconfarena_emu::policy::{CommunityList, Permission};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, kw, word};
use crate::running_config::communities;
use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of both commands.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PathLists {
    /// The lists in the order of the device.
    pub lists: Vec<List>,
}

/// A list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct List {
    /// What it looks at.
    pub kind: Kind,
    /// Number or name.
    pub list: String,
    /// Entries in order.
    pub entries: Vec<Entry>,
}

/// What a list looks at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// AS paths, by regular expressions.
    #[serde(rename = "as-path")]
    AsPath,
    /// Communities by value.
    #[serde(rename = "standard")]
    Standard,
    /// Communities by regular expressions.
    #[serde(rename = "expanded")]
    Expanded,
}

/// An entry of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// `permit` or `deny`.
    pub action: String,
    /// Communities, or a regular expression.
    pub rule: String,
}

fn entry(action: Permission, rule: String) -> Entry {
    Entry { action: if action.is_permit() { "permit" } else { "deny" }.to_owned(), rule }
}

fn is_number(name: &str) -> bool {
    name.parse::<u16>().is_ok()
}

impl PathLists {
    /// As-path access lists; one, or all.
    #[must_use]
    pub fn as_path(context: &ShowContext<'_>, number: Option<u16>) -> Self {
        let lists = context.router().config().policy.as_path_lists.iter();
        let wanted = lists.filter(|(own, _)| number.is_none_or(|number| number == **own));
        let of = |(number, list): (&u16, &netconfarena_emu::policy::AsPathList)| List {
            kind: Kind::AsPath,
            list: number.to_string(),
            entries: list.entries.iter().map(|e| entry(e.action, e.regex.to_string())).collect(),
        };
        Self { lists: wanted.map(of).collect() }
    }

    /// Community lists; one, or all, those with numbers first.
    #[must_use]
    pub fn community(context: &ShowContext<'_>, name: Option<&str>) -> Self {
        let policy = &context.router().config().policy;
        let lists = policy.community_lists.iter();
        let mut wanted: Vec<(&String, &CommunityList)> =
            lists.filter(|(own, _)| name.is_none_or(|name| name == *own)).collect();
        wanted.sort_by_key(|(name, _)| (!is_number(name), name.parse::<u16>().ok()));
        let of = |(name, list): (&String, &CommunityList)| {
            let (kind, entries) = match list {
                CommunityList::Standard(entries) => {
                    let text = |e: &netconfarena_emu::policy::StandardCommunityEntry| {
                        entry(e.action, communities(&e.communities, policy.community_new_format))
                    };
                    (Kind::Standard, entries.iter().map(text).collect())
                }
                CommunityList::Expanded(entries) => {
                    let text = |e: &netconfarena_emu::policy::ExpandedCommunityEntry| {
                        entry(e.action, e.regex.pattern().to_owned())
                    };
                    (Kind::Expanded, entries.iter().map(text).collect())
                }
            };
            List { kind, list: name.clone(), entries }
        };
        Self { lists: wanted.into_iter().map(of).collect() }
    }
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn as_path(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(PathLists::as_path(context, args.int("number")).render())
    }
    fn community(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(PathLists::community(context, args.text("list")).render())
    }
    vec![
        kw("ip", "IP information").then([
            kw("as-path-access-list", "List AS path access lists").run(as_path as ShowHandler).then([int(
                "number",
                1,
                500,
                "AS path access list number",
            )
            .run(as_path as ShowHandler)]),
            kw("community-list", "List community-list").run(community as ShowHandler).then([word(
                "list",
                "Community list number or name",
            )
            .run(community as ShowHandler)]),
        ]),
    ]
}

/// What stands before the number or name of a list: of numbers, and of names.
const HEADINGS: [(Kind, &str); 5] = [
    (Kind::AsPath, "AS path access list "),
    (Kind::Standard, "Community standard list "),
    (Kind::Expanded, "Community (expanded) access list "),
    (Kind::Standard, "Named Community standard list "),
    (Kind::Expanded, "Named Community expanded list "),
];

impl Record for PathLists {
    fn render(&self) -> String {
        let mut out = String::new();
        for List { kind, list, entries } in &self.lists {
            let heading = match (kind, is_number(list)) {
                (Kind::AsPath, _) => "AS path access list ",
                (Kind::Standard, true) => "Community standard list ",
                (Kind::Expanded, true) => "Community (expanded) access list ",
                (Kind::Standard, false) => "Named Community standard list ",
                (Kind::Expanded, false) => "Named Community expanded list ",
            };
            out.push_str(&format!("{heading}{list}\n"));
            for Entry { action, rule } in entries {
                out.push_str(format!("    {action} {rule}").trim_end());
                out.push('\n');
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let heading =
                HEADINGS.iter().find_map(|&(kind, start)| Some((kind, line.text.strip_prefix(start)?)));
            if let Some((kind, name)) = heading {
                let list = name.trim().to_owned();
                record.lists.push(List { kind, list, entries: Vec::new() });
                continue;
            }
            let (action, rule) = line.text.trim().split_once(' ').unwrap_or((line.text.trim(), ""));
            let Some(list) = record.lists.last_mut().filter(|_| ["permit", "deny"].contains(&action)) else {
                return Err(line.error("the heading of a list, `permit` or `deny`"));
            };
            list.entries.push(Entry { action: action.to_owned(), rule: rule.trim().to_owned() });
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |list: &List| -> Vec<Row> {
            let start = row(&json!({ "kind": list.kind, "list": list.list }));
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
        fn list()(kind in prop::sample::select(vec![Kind::AsPath, Kind::Standard, Kind::Expanded]), number in 1u16..500, name in arbitrary::name(),
            named in any::<bool>(), entries in prop::collection::vec((arbitrary::word(&["permit", "deny"]), arbitrary::word(&["^$", "_65001_", "65000:1 no-export", ""])), 0..3)) -> List {
            let list = if named && kind != Kind::AsPath { name } else { number.to_string() };
            List { kind, list, entries: entries.into_iter().map(|(action, rule)| Entry { action, rule }).collect() }
        }
    }

    proptest! {
        #[test]
        fn round_trip(lists in prop::collection::vec(list(), 0..4)) {
            let record = PathLists { lists };
            prop_assert_eq!(PathLists::parse(&record.render()), Ok(record));
        }
    }
}
