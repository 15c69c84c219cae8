//! The records from the databases of running processes.

use std::net::Ipv4Addr;

use ipnet::ipv4_mask_to_prefix;
use netconfarena_emu::ids::{AreaId, RouterId};
use netconfarena_emu::ospf::ExternalMetricType;
use netconfarena_emu::ospf::lsa::{LinkKind as WireLink, LsType, LsaBody, Options};
use netconfarena_emu::ospf::lsdb::{Database, LsaEntry, Scope};
use netconfarena_emu::time::Time;

use super::{LsaKind, detail, list, totals};
use crate::show::ospf::selection::Running;

/// Which LSAs are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Of this type.
    pub kind: Option<LsaKind>,
    /// In this area.
    pub area: Option<AreaId>,
    /// With this link state id.
    pub link_id: Option<Ipv4Addr>,
    /// Made by this router.
    pub advertising_router: Option<RouterId>,
    /// Made by the router itself.
    pub self_originate: bool,
}

impl Wanted {
    fn takes(&self, own: RouterId, entry: &LsaEntry) -> bool {
        let by = entry.lsa.advertising_router();
        self.link_id.is_none_or(|id| id == entry.lsa.key().link_state_id)
            && self.advertising_router.is_none_or(|router| router == by)
            && (!self.self_originate || by == own)
    }
}

const fn ls_type(kind: LsaKind) -> LsType {
    match kind {
        LsaKind::Router => LsType::Router,
        LsaKind::Network => LsType::Network,
        LsaKind::Summary => LsType::SummaryNetwork,
        LsaKind::AsbrSummary => LsType::SummaryAsbr,
        LsaKind::NssaExternal => LsType::Nssa,
        LsaKind::External => LsType::AsExternal,
        LsaKind::OpaqueLink => LsType::OpaqueLink,
        LsaKind::OpaqueArea => LsType::OpaqueArea,
        LsaKind::OpaqueAs => LsType::OpaqueAs,
    }
}

/// The sections of a process in the order of IOS, those that are empty left out: area by area, then the AS.
fn sections<'a>(running: &Running<'a>, wanted: Wanted) -> Vec<(LsaKind, Option<AreaId>, Vec<&'a LsaEntry>)> {
    let process = running.process;
    let mut found = Vec::new();
    let mut add = |area: Option<AreaId>, database: &'a Database| {
        for kind in LsaKind::ALL.into_iter().filter(|&kind| wanted.kind.is_none_or(|only| only == kind)) {
            let entries = database.of_type(ls_type(kind));
            let entries: Vec<_> = entries.filter(|entry| wanted.takes(running.router_id, entry)).collect();
            if !entries.is_empty() {
                found.push((kind, area, entries));
            }
        }
    };
    for &area in process.areas.keys().filter(|&&area| wanted.area.is_none_or(|only| only == area)) {
        for (scope, database) in process.lsdb.scopes() {
            let of_area = match scope {
                Scope::Area(id) => id == area,
                Scope::Link(index) => process
                    .interfaces
                    .get(&netconfarena_emu::ospf::OspfInterfaceKey::Physical(index))
                    .is_some_and(|interface| interface.area == area),
                Scope::As => false,
            };
            if of_area {
                add(Some(area), database);
            }
        }
    }
    if let Some(database) = process.lsdb.autonomous_system().filter(|_| wanted.area.is_none()) {
        add(None, database);
    }
    found
}

pub(super) fn list(running: &[Running<'_>], wanted: Wanted, now: Time) -> list::IpOspfDatabase {
    let of_process = |running: &Running<'_>| list::Process {
        router_id: running.router_id.0,
        process_id: running.process.process_id,
        sections: sections(running, wanted)
            .into_iter()
            .map(|(kind, area, entries)| list::Section {
                kind,
                area: area.map(|area| running.area_name(area)),
                entries: entries.into_iter().map(|entry| list_entry(entry, now)).collect(),
            })
            .collect(),
    };
    list::IpOspfDatabase { processes: running.iter().map(of_process).collect() }
}

fn list_entry(entry: &LsaEntry, now: Time) -> list::Entry {
    let header = entry.header(now);
    let last = match entry.lsa.body() {
        LsaBody::Router(router) => u32::try_from(router.links.len()).ok(),
        LsaBody::AsExternal(external) | LsaBody::Nssa(external) => Some(external.tag),
        LsaBody::Opaque(..) => Some(u32::from(header.link_state_id) & 0x00ff_ffff),
        _ => None,
    };
    list::Entry {
        link_id: header.link_state_id,
        advertising_router: header.advertising_router.0,
        age: header.age.secs(),
        do_not_age: header.age.is_do_not_age(),
        sequence: header.sequence.0.cast_unsigned(),
        checksum: header.checksum,
        last,
    }
}

pub(super) fn detail(running: &[Running<'_>], wanted: Wanted, now: Time) -> detail::IpOspfDatabaseDetail {
    let of_process = |running: &Running<'_>| detail::Process {
        router_id: running.router_id.0,
        process_id: running.process.process_id,
        sections: sections(running, wanted)
            .into_iter()
            .map(|(kind, area, entries)| detail::Section {
                kind,
                area: area.map(|area| running.area_name(area)),
                lsas: entries.into_iter().filter_map(|entry| lsa(kind, entry, now)).collect(),
            })
            .collect(),
    };
    detail::IpOspfDatabaseDetail { processes: running.iter().map(of_process).collect() }
}

/// An LSA in full; `None` if it is of a type whose body is not understood.
fn lsa(kind: LsaKind, entry: &LsaEntry, now: Time) -> Option<detail::Lsa> {
    let header = entry.header(now);
    Some(detail::Lsa {
        age: header.age.secs(),
        do_not_age: header.age.is_do_not_age(),
        routing_bit: false,
        options: options(kind, header.options),
        link_id: header.link_state_id,
        advertising_router: header.advertising_router.0,
        sequence: header.sequence.0.cast_unsigned(),
        checksum: header.checksum,
        length: header.length,
        body: body(entry.lsa.body())?,
    })
}

/// The options in words.
fn options(kind: LsaKind, options: Options) -> String {
    let mut words = vec!["No TOS-capability"];
    if kind == LsaKind::NssaExternal {
        let translated = options.contains(Options::NP);
        words.push(if translated { "Type 7/5 translation" } else { "No Type 7/5 translation" });
    }
    words.push(if options.contains(Options::DC) { "DC" } else { "No DC" });
    if !matches!(kind, LsaKind::Router | LsaKind::Network) {
        words.push(if options.contains(Options::DN) { "Downward" } else { "Upward" });
    }
    format!("({})", words.join(", "))
}

fn mask_length(mask: Ipv4Addr) -> u8 {
    ipv4_mask_to_prefix(mask).unwrap_or(0)
}

fn body(body: &LsaBody) -> Option<detail::Body> {
    Some(match body {
        LsaBody::Router(router) => detail::Body::Router(detail::Router {
            area_border: router.flags.area_border,
            as_boundary: router.flags.as_boundary,
            virtual_endpoint: router.flags.virtual_endpoint,
            links: router
                .links
                .iter()
                .map(|link| detail::Link {
                    kind: match link.kind {
                        WireLink::PointToPoint => detail::LinkKind::PointToPoint,
                        WireLink::Transit => detail::LinkKind::Transit,
                        WireLink::Stub => detail::LinkKind::Stub,
                        WireLink::Virtual => detail::LinkKind::Virtual,
                    },
                    id: link.id,
                    data: link.data,
                    metric: link.metric,
                })
                .collect(),
        }),
        LsaBody::Network(network) => detail::Body::Network {
            mask: mask_length(network.mask),
            attached: network.attached.iter().map(|router| router.0).collect(),
        },
        LsaBody::SummaryNetwork(summary) | LsaBody::SummaryAsbr(summary) => {
            detail::Body::Summary { mask: mask_length(summary.mask), metric: summary.metric }
        }
        LsaBody::AsExternal(external) | LsaBody::Nssa(external) => detail::Body::External {
            mask: mask_length(external.mask),
            metric_type: match external.metric_type {
                ExternalMetricType::Type1 => 1,
                ExternalMetricType::Type2 => 2,
            },
            metric: external.metric,
            forward_address: external.forwarding_address,
            tag: external.tag,
        },
        LsaBody::Opaque(..) | LsaBody::Unknown(..) => return None,
    })
}

/// The types in the order of a table of totals; those of AS scope stand in the table of the process alone.
const OF_AREA: [(&str, LsType); 7] = [
    ("Router", LsType::Router),
    ("Network", LsType::Network),
    ("Summary Net", LsType::SummaryNetwork),
    ("Summary ASBR", LsType::SummaryAsbr),
    ("Type-7 Ext", LsType::Nssa),
    ("Opaque Link", LsType::OpaqueLink),
    ("Opaque Area", LsType::OpaqueArea),
];
const OF_AS: [(&str, LsType); 2] = [("Type-5 Ext", LsType::AsExternal), ("Opaque AS", LsType::OpaqueAs)];

pub(super) fn totals(running: &[Running<'_>], now: Time) -> totals::IpOspfDatabaseTotals {
    let of_process = |running: &Running<'_>| {
        let lsdb = &running.process.lsdb;
        let count = |kind: &(&str, LsType), databases: &[&Database], tells: &[LsType]| {
            count(running, kind, databases, tells, now)
        };
        let mut tables = Vec::new();
        for &area in running.process.areas.keys() {
            let database: Vec<&Database> = lsdb.area(area).into_iter().collect();
            let mut counts: Vec<_> =
                OF_AREA.iter().map(|kind| count(kind, &database, &[LsType::Nssa])).collect();
            counts.push(sum("Subtotal", &counts));
            tables.push((Some(running.area_name(area)), counts));
        }
        let all: Vec<&Database> = lsdb.scopes().map(|(_, database)| database).collect();
        let mut counts: Vec<_> =
            OF_AREA.iter().chain(&OF_AS).map(|kind| count(kind, &all, &[LsType::AsExternal])).collect();
        counts.push(sum("Total", &counts));
        let others = |entry: &&LsaEntry| entry.lsa.advertising_router() != running.router_id;
        let others = all.iter().flat_map(|database| database.iter()).filter(others).count();
        counts.push(line(totals::NON_SELF, u32::try_from(others).unwrap_or(u32::MAX)));
        tables.push((None, counts));
        totals::Process { router_id: running.router_id.0, process_id: running.process.process_id, tables }
    };
    totals::IpOspfDatabaseTotals { processes: running.iter().map(of_process).collect() }
}

fn line(name: &str, count: u32) -> totals::Count {
    totals::Count { kind: name.to_owned(), count, deleted: 0, max_age: 0, redistributed: None }
}

/// The LSAs of a type; for the types in `tells` also how many of them this router has made.
fn count(
    running: &Running<'_>,
    &(name, ls_type): &(&str, LsType),
    databases: &[&Database],
    tells: &[LsType],
    now: Time,
) -> totals::Count {
    let mut found = line(name, 0);
    found.redistributed = tells.contains(&ls_type).then_some(0);
    for entry in databases.iter().flat_map(|database| database.of_type(ls_type)) {
        found.count += 1;
        found.max_age += u32::from(entry.age(now).is_max());
        if let Some(own) = &mut found.redistributed {
            *own += u32::from(entry.lsa.advertising_router() == running.router_id);
        }
    }
    found
}

fn sum(name: &str, counts: &[totals::Count]) -> totals::Count {
    let sum = |field: fn(&totals::Count) -> u32| counts.iter().map(field).sum();
    totals::Count { deleted: sum(|c| c.deleted), max_age: sum(|c| c.max_age), ..line(name, sum(|c| c.count)) }
}
