//! `show ip ospf database`: a line for each LSA.
//!
//! Row fields: `router_id`, `process_id`, `type` (`router`, `network`, `summary`, `asbr-summary`, `external`, `nssa-external`),
//! `area` (null where the whole AS is meant), `link_id`, `advertising_router`, `age` (s), `do_not_age`, `sequence`, `checksum`,
//! `links` (router LSAs), `tag` (external LSAs), `opaque_id`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{LsaKind, heading, heading_of};
use crate::show::ospf::by_process::{self, parse_heading};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf database`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfDatabase {
    /// Processes by number.
    pub processes: Vec<Process>,
}

/// The database of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Router id.
    pub router_id: Ipv4Addr,
    /// Number.
    pub process_id: u16,
    /// Sections that are not empty.
    pub sections: Vec<Section>,
}

/// The LSAs of one type in one area, or in the AS.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Type.
    pub kind: LsaKind,
    /// Area as it was configured; `None` is the AS.
    pub area: Option<String>,
    /// The LSAs by link state id.
    pub entries: Vec<Entry>,
}

/// An LSA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Link state id.
    pub link_id: Ipv4Addr,
    /// Who made it.
    pub advertising_router: Ipv4Addr,
    /// LS age in s.
    pub age: u16,
    /// DoNotAge (RFC 1793).
    pub do_not_age: bool,
    /// Sequence number.
    pub sequence: u32,
    /// Checksum.
    pub checksum: u16,
    /// The last column: links of a router LSA, tag of an external one, opaque id.
    pub last: Option<u32>,
}

/// The title of the last column.
const fn last_column(kind: LsaKind) -> Option<&'static str> {
    match kind {
        LsaKind::Router => Some("Link count"),
        LsaKind::External | LsaKind::NssaExternal => Some("Tag"),
        LsaKind::OpaqueLink | LsaKind::OpaqueArea | LsaKind::OpaqueAs => Some("Opaque ID"),
        LsaKind::Network | LsaKind::Summary | LsaKind::AsbrSummary => None,
    }
}

impl Section {
    fn render(&self, out: &mut String) {
        out.push_str(&heading(self.kind, self.area.as_deref()));
        let last = last_column(self.kind).map_or_else(String::new, |title| format!(" {title}"));
        out.push_str(&format!("Link ID         ADV Router      Age         Seq#       Checksum{last}\n"));
        for e in &self.entries {
            let age = if e.do_not_age { format!("{:<6}(DNA)", e.age) } else { e.age.to_string() };
            let last = e.last.map_or_else(String::new, |last| format!(" {last}"));
            out.push_str(&format!(
                "{:<15} {:<15} {age:<11} 0x{:08X} 0x{:06X}{last}\n",
                e.link_id, e.advertising_router, e.sequence, e.checksum
            ));
        }
        out.push('\n');
    }
}

impl Record for IpOspfDatabase {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { router_id, process_id, sections } in &self.processes {
            out.push_str(&by_process::heading(*router_id, *process_id));
            sections.iter().for_each(|section| section.render(&mut out));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some((router_id, process_id)) = parse_heading(line)? {
                record.processes.push(Process { router_id, process_id, sections: Vec::new() });
                continue;
            }
            let Some(process) = record.processes.last_mut() else {
                return Err(line.error("`OSPF Router with ID (A) (Process ID N)`"));
            };
            if let Some((kind, area)) = heading_of(line) {
                process.sections.push(Section { kind, area, entries: Vec::new() });
            } else if !line.text.trim_start().starts_with("Link ID") {
                let section = process.sections.last_mut().ok_or_else(|| line.error("`... Link States`"))?;
                section.entries.push(entry(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for process in &self.processes {
            for section in &process.sections {
                let of = |entry: &Entry| {
                    let mut fields = row(&json!({
                        "router_id": process.router_id,
                        "process_id": process.process_id,
                        "type": section.kind,
                        "area": section.area,
                    }));
                    fields.extend(row(entry));
                    let last = fields.remove("last").unwrap_or_default();
                    let name = match last_column(section.kind) {
                        Some("Link count") => "links",
                        Some("Tag") => "tag",
                        _ => "opaque_id",
                    };
                    fields.insert(name.to_owned(), last);
                    fields
                };
                rows.extend(section.entries.iter().map(of));
            }
        }
        rows
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let spaced = line.text.replace("(DNA)", " (DNA)");
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    let do_not_age = words.get(3) == Some(&"(DNA)");
    if do_not_age {
        words.remove(3);
    }
    let &[id, router, age, sequence, checksum, ref last @ ..] = words.as_slice() else {
        return Err(line.error("link id, advertising router, age, sequence, checksum"));
    };
    let hex = |text: &str| {
        text.strip_prefix("0x")
            .and_then(|digits| u32::from_str_radix(digits, 16).ok())
            .ok_or_else(|| line.error("a number in hexadecimal"))
    };
    Ok(Entry {
        link_id: line.value(id, "a link state id")?,
        advertising_router: line.value(router, "a router id")?,
        age: line.value(age, "an age")?,
        do_not_age,
        sequence: hex(sequence)?,
        checksum: u16::try_from(hex(checksum)?).map_err(|_| line.error("a checksum"))?,
        last: last.first().map(|last| line.value(last, "a number")).transpose()?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(
            link_id in arbitrary::address(), advertising_router in arbitrary::address(), age in 0u16..=3600, do_not_age in any::<bool>(),
            sequence in any::<u32>(), checksum in any::<u16>(), last in any::<u32>(),
        ) -> Entry {
            Entry { link_id, advertising_router, age, do_not_age, sequence, checksum, last: Some(last) }
        }
    }

    prop_compose! {
        fn section()(
            kind in prop::sample::select(LsaKind::ALL.to_vec()), area in arbitrary::word(&["0", "0.0.0.51"]),
            mut entries in prop::collection::vec(entry(), 1..4),
        ) -> Section {
            if last_column(kind).is_none() {
                entries.iter_mut().for_each(|entry| entry.last = None);
            }
            Section { kind, area: (!matches!(kind, LsaKind::External | LsaKind::OpaqueAs)).then_some(area), entries }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::address(), any::<u16>(), prop::collection::vec(section(), 0..4)), 0..3)) {
            let of = |(router_id, process_id, sections)| Process { router_id, process_id, sections };
            let record = IpOspfDatabase { processes: list.into_iter().map(of).collect() };
            prop_assert_eq!(IpOspfDatabase::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "            OSPF Router with ID (172.31.197.254) (Process ID 65109)\n\t\tRouter Link States (Area 0)\n\
                    Link ID         ADV Router      Age         Seq#       Checksum Link count\n\
                    10.22.102.64    10.22.102.64    2794        0x80000043 0x002254 3\n";
        let shown = IpOspfDatabase::parse(text).unwrap().render();
        assert_eq!(
            shown.lines().filter(|line| !line.is_empty()).collect::<Vec<_>>(),
            text.lines().collect::<Vec<_>>()
        );
    }
}
