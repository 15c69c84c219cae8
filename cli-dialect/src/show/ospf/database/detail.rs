//! `show ip ospf database router|network|summary|asbr-summary|external|nssa-external`: LSAs in full.
//!
//! Row fields: `router_id`, `process_id`, `type`, `area`, `age` (s), `do_not_age`, `routing_bit`, `options`, `link_id`,
//! `advertising_router`, `sequence`, `checksum`, `length`; then by type
//! one row for each link: `area_border`, `as_boundary`, `virtual_endpoint`, `links`, `link_kind` (`stub`, `transit`, `point-to-point`,
//! `virtual`), `neighbor` (the Link ID), `data`, `metric`;
//! one row for each attached router: `mask`, `attached`;
//! one row: `mask`, `metric`, and for external LSAs `metric_type`, `forward_address`, `tag`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{LsaKind, detail_text, heading, heading_of};
use crate::show::ospf::by_process::{self, parse_heading};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf database TYPE`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfDatabaseDetail {
    /// Processes by number.
    pub processes: Vec<Process>,
}

/// LSAs in the database of a process.
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
    pub lsas: Vec<Lsa>,
}

/// An LSA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lsa {
    /// LS age in s.
    pub age: u16,
    /// DoNotAge (RFC 1793).
    pub do_not_age: bool,
    /// `Routing Bit Set`: routes were calculated from it. Only some releases print it; the one that we imitate does not.
    pub routing_bit: bool,
    /// `(No TOS-capability, DC)`.
    pub options: String,
    /// Link state id.
    pub link_id: Ipv4Addr,
    /// Who made it.
    pub advertising_router: Ipv4Addr,
    /// Sequence number.
    pub sequence: u32,
    /// Checksum.
    pub checksum: u16,
    /// Octets, header included.
    pub length: u16,
    /// The rest.
    pub body: Body,
}

/// The body of an LSA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Body {
    /// Type 1.
    Router(Router),
    /// Type 2.
    Network {
        /// Length of the mask.
        mask: u8,
        /// Router ids.
        attached: Vec<Ipv4Addr>,
    },
    /// Types 3 and 4.
    Summary {
        /// Length of the mask; 0 in type 4.
        mask: u8,
        /// Cost.
        metric: u32,
    },
    /// Types 5 and 7.
    External {
        /// Length of the mask.
        mask: u8,
        /// 1 or 2.
        metric_type: u8,
        /// Cost.
        metric: u32,
        /// 0.0.0.0 is the advertising router.
        forward_address: Ipv4Addr,
        /// Tag.
        tag: u32,
    },
}

/// A router LSA.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Router {
    /// B.
    pub area_border: bool,
    /// E.
    pub as_boundary: bool,
    /// V.
    pub virtual_endpoint: bool,
    /// The links.
    pub links: Vec<Link>,
}

/// A link of a router LSA.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What it leads to.
    pub kind: LinkKind,
    /// Link ID.
    pub id: Ipv4Addr,
    /// Link Data.
    pub data: Ipv4Addr,
    /// Cost.
    pub metric: u16,
}

/// What a link leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LinkKind {
    /// Another router.
    PointToPoint,
    /// A network with a designated router.
    Transit,
    /// A network without other routers.
    Stub,
    /// A virtual link.
    Virtual,
}

impl Record for IpOspfDatabaseDetail {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { router_id, process_id, sections } in &self.processes {
            out.push_str(&by_process::heading(*router_id, *process_id));
            for section in sections {
                out.push_str(&heading(section.kind, section.area.as_deref()));
                for lsa in &section.lsas {
                    detail_text::render(section.kind, lsa, &mut out);
                    out.push('\n');
                }
            }
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        let mut block: Vec<Line<'_>> = Vec::new();
        for line in lines(text) {
            let process = parse_heading(line)?;
            let heading = heading_of(line);
            if process.is_some() || heading.is_some() || starts_lsa(line, &block) {
                record.take(&mut block)?;
            }
            if let Some((router_id, process_id)) = process {
                record.processes.push(Process { router_id, process_id, sections: Vec::new() });
            } else if let Some((kind, area)) = heading {
                let process = record.processes.last_mut();
                let process =
                    process.ok_or_else(|| line.error("`OSPF Router with ID (A) (Process ID N)`"))?;
                process.sections.push(Section { kind, area, lsas: Vec::new() });
            } else {
                block.push(line);
            }
        }
        record.take(&mut block)?;
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        for process in &self.processes {
            for section in &process.sections {
                let start = row(&json!({
                    "router_id": process.router_id,
                    "process_id": process.process_id,
                    "type": section.kind,
                    "area": section.area,
                }));
                rows.extend(section.lsas.iter().flat_map(|lsa| lsa_rows(&start, lsa)));
            }
        }
        rows
    }
}

/// Whether the first line of an LSA is read; `block` is what has been read of the one before.
fn starts_lsa(line: Line<'_>, block: &[Line<'_>]) -> bool {
    let is_bit = |line: &Line<'_>| line.text.trim_start().starts_with("Routing Bit Set");
    is_bit(&line) || (line.text.trim_start().starts_with("LS age") && !block.last().is_some_and(is_bit))
}

impl IpOspfDatabaseDetail {
    /// Reads the lines of an LSA, and forgets them.
    fn take(&mut self, block: &mut Vec<Line<'_>>) -> Result<(), ParseError> {
        let Some(first) = block.first() else { return Ok(()) };
        let section = self.processes.last_mut().and_then(|process| process.sections.last_mut());
        let section = section.ok_or_else(|| first.error("`... Link States`"))?;
        section.lsas.push(detail_text::parse(section.kind, block)?);
        block.clear();
        Ok(())
    }
}

fn lsa_rows(start: &Row, lsa: &Lsa) -> Vec<Row> {
    let mut whole = start.clone();
    whole.extend(row(lsa));
    whole.remove("body");
    let with = |fields: Value| {
        let mut full = whole.clone();
        full.extend(row(&fields));
        full
    };
    match &lsa.body {
        Body::Router(Router { area_border, as_boundary, virtual_endpoint, links }) => {
            let fields = json!({
                "area_border": area_border,
                "as_boundary": as_boundary,
                "virtual_endpoint": virtual_endpoint,
                "links": links.len(),
            });
            let of_link = |link: &Link| {
                let mut full = with(fields.clone());
                full.extend(row(&json!({
                    "link_kind": link.kind,
                    "neighbor": link.id,
                    "data": link.data,
                    "metric": link.metric,
                })));
                full
            };
            if links.is_empty() { vec![with(fields)] } else { links.iter().map(of_link).collect() }
        }
        Body::Network { mask, attached } => {
            attached.iter().map(|router| with(json!({ "mask": mask, "attached": router }))).collect()
        }
        Body::Summary { mask, metric } => vec![with(json!({ "mask": mask, "metric": metric }))],
        Body::External { mask, metric_type, metric, forward_address, tag } => vec![with(json!({
            "mask": mask,
            "metric_type": metric_type,
            "metric": metric,
            "forward_address": forward_address,
            "tag": tag,
        }))],
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn link()(kind in prop::sample::select(vec![LinkKind::PointToPoint, LinkKind::Transit, LinkKind::Stub, LinkKind::Virtual]),
            ids in any::<[u32; 2]>(), metric in any::<u16>()) -> Link {
            Link { kind, id: ids[0].into(), data: ids[1].into(), metric }
        }
    }

    fn body(kind: LsaKind) -> BoxedStrategy<Body> {
        let mask = 0u8..=32;
        match kind {
            LsaKind::Router => (any::<[bool; 3]>(), prop::collection::vec(link(), 0..4))
                .prop_map(|(flags, links)| {
                    let [area_border, as_boundary, virtual_endpoint] = flags;
                    Body::Router(Router { area_border, as_boundary, virtual_endpoint, links })
                })
                .boxed(),
            LsaKind::Network => (mask, prop::collection::vec(arbitrary::address(), 0..4))
                .prop_map(|(mask, attached)| Body::Network { mask, attached })
                .boxed(),
            LsaKind::Summary | LsaKind::AsbrSummary => {
                (mask, any::<u32>()).prop_map(|(mask, metric)| Body::Summary { mask, metric }).boxed()
            }
            _ => (mask, 1u8..=2, any::<u32>(), arbitrary::address(), any::<u32>())
                .prop_map(|(mask, metric_type, metric, forward_address, tag)| Body::External {
                    mask,
                    metric_type,
                    metric,
                    forward_address,
                    tag,
                })
                .boxed(),
        }
    }

    fn lsa(kind: LsaKind) -> impl Strategy<Value = Lsa> {
        (body(kind), any::<[u32; 3]>(), any::<[u16; 2]>(), any::<[bool; 2]>(), 0u16..=3600).prop_map(
            |(body, ids, [checksum, length], flags, age)| Lsa {
                age,
                do_not_age: flags[0],
                routing_bit: flags[1],
                options: "(No TOS-capability, DC)".to_owned(),
                link_id: ids[0].into(),
                advertising_router: ids[1].into(),
                sequence: ids[2],
                checksum,
                length,
                body,
            },
        )
    }

    fn section() -> impl Strategy<Value = Section> {
        use LsaKind as K;
        prop::sample::select(vec![
            K::Router,
            K::Network,
            K::Summary,
            K::AsbrSummary,
            K::NssaExternal,
            K::External,
        ])
        .prop_flat_map(|kind| {
            let area = if kind == K::External { None } else { Some("0".to_owned()) };
            prop::collection::vec(lsa(kind), 1..4).prop_map(move |lsas| Section {
                kind,
                area: area.clone(),
                lsas,
            })
        })
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((arbitrary::address(), any::<u16>(), prop::collection::vec(section(), 0..4)), 0..3)) {
            let of = |(router_id, process_id, sections)| Process { router_id, process_id, sections };
            let record = IpOspfDatabaseDetail { processes: list.into_iter().map(of).collect() };
            prop_assert_eq!(IpOspfDatabaseDetail::parse(&record.render()), Ok(record));
        }
    }
}
