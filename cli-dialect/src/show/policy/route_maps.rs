//! `show route-map [X]`.
//!
//! Row fields, one row for each entry: `name`, `action` (`permit`, `deny`), `sequence`, `matches` and `sets` (lists of lines), `continues`
//! (null without), `packets`, `bytes` (of policy-based routing).

use netconfarena_emu::policy::{Continue, RouteMapEntry};
use serde::{Deserialize, Serialize};

use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, plain, word};
use crate::running_config::route_map_clauses;
use crate::show::text::lines;
use crate::show::{ParseError, Record, Row, ShowContext, ShowHandler, row};

/// The record of `show route-map`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouteMaps {
    /// Entries by route map and sequence number.
    pub entries: Vec<Entry>,
}

/// An entry of a route map.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Name of the route map.
    pub name: String,
    /// `permit` or `deny`.
    pub action: String,
    /// Sequence number.
    pub sequence: u16,
    /// What a route or packet must be.
    pub matches: Vec<String>,
    /// `sequence 40`, `to next entry 20`.
    pub continues: Option<String>,
    /// What is set.
    pub sets: Vec<String>,
    /// Packets routed by it.
    pub packets: u64,
    /// Their octets.
    pub bytes: u64,
}

impl RouteMaps {
    /// From a router; one route map only, if one is named.
    ///
    /// # Errors
    /// There is no such route map.
    pub fn collect(context: &ShowContext<'_>, only: Option<&str>) -> Result<Self, Complaint> {
        let policy = &context.router().config().policy;
        if let Some(name) = only.filter(|name| !policy.route_maps.contains_key(*name)) {
            return Err(Complaint::Refused(format!("route-map {name} not found")));
        }
        let mut entries = Vec::new();
        for (name, map) in
            policy.route_maps.iter().filter(|(name, _)| only.is_none_or(|only| only == name.as_str()))
        {
            let following = |sequence: u16| map.entries.keys().copied().find(|&next| next > sequence);
            entries.extend(map.entries.iter().map(|(&sequence, entry)| {
                let mut shown = of(name, sequence, entry, following(sequence), policy.community_new_format);
                (shown.packets, shown.bytes) = context.router().policy_matches(name, sequence);
                shown
            }));
        }
        Ok(Self { entries })
    }
}

fn of(name: &str, sequence: u16, entry: &RouteMapEntry, next: Option<u16>, new_format: bool) -> Entry {
    let (matches, sets) = route_map_clauses(entry, new_format);
    Entry {
        name: name.to_owned(),
        action: if entry.action.is_permit() { "permit" } else { "deny" }.to_owned(),
        sequence,
        matches: matches.iter().map(|line| match_text(line)).collect(),
        continues: entry.continues.map(|to| match (to, next) {
            (Continue::At(sequence), _) => format!("sequence {sequence}"),
            (Continue::Next, Some(next)) => format!("to next entry {next}"),
            (Continue::Next, None) => "to next entry".to_owned(),
        }),
        sets: sets.iter().map(|line| line.trim_start_matches("set ").to_owned()).collect(),
        packets: 0,
        bytes: 0,
    }
}

/// A `match` line as `show route-map` words it.
fn match_text(line: &str) -> String {
    let text = line.trim_start_matches("match ");
    for subject in ["ip address", "ip next-hop", "ip route-source"] {
        if let Some(lists) = text.strip_prefix(&format!("{subject} prefix-list ")) {
            return format!("{subject} prefix-lists: {lists} ");
        }
        if let Some(lists) = text.strip_prefix(&format!("{subject} ")) {
            return format!("{subject} (access-lists): {lists} ");
        }
    }
    if let Some(lists) = text.strip_prefix("as-path ") {
        return format!("as-path (as-path filter): {lists} ");
    }
    if let Some(lists) = text.strip_prefix("community ") {
        return format!("community (community-list filter): {lists} ");
    }
    text.to_owned()
}

pub(super) fn table() -> Vec<Spec<ShowHandler>> {
    fn show(context: &ShowContext<'_>, args: &Args) -> Result<String, Complaint> {
        Ok(RouteMaps::collect(context, args.text("map"))?.render())
    }
    let run: ShowHandler = show;
    // There are no dynamic ones.
    let all: ShowHandler = |context, args| {
        let maps = show(context, args)?;
        Ok(format!("STATIC routemaps\n{maps}DYNAMIC routemaps\nCurrent active dynamic routemaps = 0\n"))
    };
    vec![
        kw("route-map", "route-map information").run(run).then([
            word("map", "route-map name").run(run),
            plain("all", "Static and dynamic routemaps", all),
        ]),
    ]
}

impl Record for RouteMaps {
    fn render(&self) -> String {
        let mut out = String::new();
        for Entry { name, action, sequence, matches, continues, sets, packets, bytes } in &self.entries {
            out.push_str(&format!("route-map {name}, {action}, sequence {sequence}\n  Match clauses:\n"));
            matches.iter().for_each(|clause| out.push_str(&format!("    {clause}\n")));
            if let Some(to) = continues {
                out.push_str(&format!("  Continue: {to}\n"));
            }
            out.push_str("  Set clauses:\n");
            sets.iter().for_each(|clause| out.push_str(&format!("    {clause}\n")));
            out.push_str(&format!("  Policy routing matches: {packets} packets, {bytes} bytes\n"));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut in_sets = false;
        for line in lines(text) {
            if let Some([name, action, sequence]) = line.holes("route-map {}, {}, sequence {}") {
                in_sets = false;
                record.entries.push(Entry {
                    name: name.to_owned(),
                    action: action.to_owned(),
                    sequence: line.value(sequence, "a sequence number")?,
                    matches: Vec::new(),
                    continues: None,
                    sets: Vec::new(),
                    packets: 0,
                    bytes: 0,
                });
                continue;
            }
            if line.is("STATIC routemaps")
                || line.is("DYNAMIC routemaps")
                || line.text.starts_with("Current active")
            {
                continue;
            }
            let entry = record.entries.last_mut();
            let entry = entry.ok_or_else(|| line.error("`route-map X, permit, sequence N`"))?;
            if line.is("Match clauses:") || line.is("Set clauses:") {
                in_sets = line.is("Set clauses:");
            } else if let Some([packets, bytes]) = line.holes("Policy routing matches: {} packets, {} bytes")
            {
                entry.packets = line.value(packets, "a count")?;
                entry.bytes = line.value(bytes, "a count")?;
            } else if let Some([to]) = line.holes("Continue: {}") {
                entry.continues = Some(to.to_owned());
            } else if in_sets {
                entry.sets.push(line.text.trim().to_owned());
            } else {
                // A list of names ends with a blank on a device.
                let blank =
                    if line.text.contains("lists") || line.text.contains("filter):") { " " } else { "" };
                entry.matches.push(format!("{}{blank}", line.text.trim()));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.entries.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(name in arbitrary::name(), action in arbitrary::word(&["permit", "deny"]), sequence in any::<u16>(), counts in any::<[u64; 2]>(),
            matches in prop::collection::vec(arbitrary::word(&["ip address prefix-lists: PL ", "tag 5", "ip address (access-lists): 1 2 "]), 0..3),
            continues in prop::option::of(Just("sequence 40".to_owned())), sets in prop::collection::vec(arbitrary::word(&["metric 50", "community 65000:1 additive"]), 0..3)) -> Entry {
            Entry { name, action, sequence, matches, continues, sets, packets: counts[0], bytes: counts[1] }
        }
    }

    proptest! {
        #[test]
        fn round_trip(entries in prop::collection::vec(entry(), 0..4)) {
            let record = RouteMaps { entries };
            prop_assert_eq!(RouteMaps::parse(&record.render()), Ok(record));
        }
    }
}
