//! The record from running processes.

use std::time::Duration;

use netconfarena_emu::ids::AreaId;
use netconfarena_emu::interface::Medium;
use netconfarena_emu::ospf::lsa::{LinkKind, LsType, MAX_LINK_METRIC};
use netconfarena_emu::ospf::lsdb::Database;
use netconfarena_emu::ospf::throttle::DEFAULT_THROTTLE;
use netconfarena_emu::ospf::{
    AreaKind, AuthenticationMode, InterfaceState, MaxMetric, OnStartup, OspfInterfaceKey, OspfNetwork,
    Redistribution, Throttle,
};
use netconfarena_emu::policy::RedistributionSource;

use super::{Area, IpOspf, Kind, Process, Range};
use crate::running_config::source_name;
use crate::show::ShowContext;
use crate::show::age::PreciseAge;
use crate::show::ospf::selection::Running;

/// The metric of summary and external LSAs of a stub router, unless configured (RFC 6987).
const STUB_ROUTER_METRIC: u32 = 16_711_680;

impl IpOspf {
    /// From processes of a router.
    #[must_use]
    pub fn collect(context: &ShowContext<'_>, running: &[Running<'_>]) -> Self {
        Self { processes: running.iter().map(|running| process(context, running)).collect() }
    }
}

fn process(context: &ShowContext<'_>, running: &Running<'_>) -> Process {
    let Running { process, config, router_id } = *running;
    let throttle = |throttle: Option<Throttle>| {
        let Throttle { start_ms, hold_ms, max_ms } = throttle.unwrap_or(DEFAULT_THROTTLE);
        [start_ms, hold_ms, max_ms]
    };
    let of_as = |wanted: LsType| {
        process
            .lsdb
            .autonomous_system()
            .map_or((0, 0), |database| sum(database.checksum_sum(|t| t == wanted)))
    };
    let of_as_scope = |number: fn(&Database) -> usize| {
        process.lsdb.autonomous_system().map_or(0, |lsas| count(number(lsas)))
    };
    Process {
        vrf: config.vrf.clone(),
        start: PreciseAge::from(process.started.since(context.router().booted())),
        elapsed: PreciseAge::from(context.now().since(process.started)),
        shutdown: config.shutdown,
        area_border: process.is_area_border_router(),
        as_boundary: running.is_as_boundary_router(),
        redistributing: config
            .redistribute
            .iter()
            .map(|(&source, how)| redistribution(source, how))
            .collect(),
        max_metric: config.max_metric.map_or_else(Vec::new, |max| max_metric(running, max)),
        spf_throttle: throttle(config.spf_throttle),
        lsa_throttle: throttle(config.lsa_throttle),
        lsa_arrival: config.lsa_arrival_ms.unwrap_or(100),
        pacing: [
            config.pacing_lsa_group_s.unwrap_or(240),
            config.pacing_flood_ms.unwrap_or(33),
            config.pacing_retransmission_ms.unwrap_or(66),
        ],
        external: of_as(LsType::AsExternal),
        without_dc: of_as_scope(Database::without_dc),
        do_not_age: of_as_scope(Database::do_not_age),
        opaque: of_as(LsType::OpaqueAs),
        transit_areas: u32::try_from(process.routing.transit_areas.len()).unwrap_or(u32::MAX),
        ietf_helper: !config.no_nsf_helper,
        cisco_helper: !config.no_cisco_nsf_helper,
        reference_bandwidth: config.reference_bandwidth.unwrap_or(100),
        areas: process.areas.keys().map(|&id| area(context, running, id)).collect(),
        ..Process::new(process.process_id, router_id.0)
    }
}

fn sum((count, sum): (usize, u32)) -> (u32, u32) {
    (u32::try_from(count).unwrap_or(u32::MAX), sum)
}

/// A line below `Redistributing External Routes from`.
#[must_use]
pub fn redistribution(source: RedistributionSource, how: &Redistribution) -> String {
    let mut text = source_name(source);
    if let Some(metric) = how.metric {
        text.push_str(&format!(" with metric mapped to {metric}"));
    }
    if how.subnets {
        text.push_str(", includes subnets in redistribution");
    }
    if how.nssa_only {
        text.push_str(", nssa areas only");
    }
    text
}

/// The lines below `Originating router-LSAs with maximum metric`.
fn max_metric(running: &Running<'_>, max: MaxMetric) -> Vec<String> {
    let in_force = running
        .own_router_lsas()
        .flat_map(|lsa| &lsa.links)
        .any(|link| link.kind != LinkKind::Stub && link.metric == MAX_LINK_METRIC);
    let state = if max.on_startup.is_none() || in_force { "active" } else { "inactive" };
    let condition = match max.on_startup {
        None => "always".to_owned(),
        Some(OnStartup::Seconds(seconds)) => format!("on startup for {seconds} seconds"),
        Some(OnStartup::WaitForBgp) => "on startup while BGP is converging".to_owned(),
    };
    let mut lines = vec![format!("Condition: {condition}, State: {state}")];
    if max.include_stub {
        lines.push("Advertise stub links with maximum metric in router-LSAs".to_owned());
    }
    let told = |metric: u32| if metric == 0 { STUB_ROUTER_METRIC } else { metric };
    if let Some(metric) = max.summary_lsa {
        lines.push(format!("Advertise summary-LSAs with metric {}", told(metric)));
    }
    if let Some(metric) = max.external_lsa {
        lines.push(format!("Advertise external-LSAs with metric {}", told(metric)));
    }
    lines
}

fn area(context: &ShowContext<'_>, running: &Running<'_>, id: AreaId) -> Area {
    let Running { process, config, .. } = *running;
    let settings = config.areas.get(&id).cloned().unwrap_or_default();
    let interfaces: Vec<_> = process.interfaces.iter().filter(|(_, i)| i.area == id).collect();
    let is_loopback = |key: &OspfInterfaceKey| match key {
        OspfInterfaceKey::Physical(index) => {
            let interface = context.router().interfaces().get(*index);
            interface.is_some_and(|interface| interface.medium == Medium::Loopback)
        }
        OspfInterfaceKey::Virtual { .. } => false,
    };
    let (kind, no_summary, translates) = match settings.kind {
        AreaKind::Normal => (Kind::Normal, false, false),
        AreaKind::Stub { no_summary } => (Kind::Stub, no_summary, false),
        AreaKind::Nssa(options) => (Kind::Nssa, options.no_summary, translates(running, id)),
    };
    // Only an area border router tells a default route, into an NSSA only if configured.
    let tells_default = match settings.kind {
        AreaKind::Normal => false,
        AreaKind::Stub { .. } => process.is_area_border_router(),
        AreaKind::Nssa(options) => {
            options.default_information.is_some() || (options.no_summary && process.is_area_border_router())
        }
    };
    let database = process.lsdb.area(id);
    let runs = process.routing.schedule.area_runs(id);
    Area {
        area: running.area_name(id),
        backbone: id == AreaId::BACKBONE,
        active: interfaces.iter().any(|(_, interface)| interface.state != InterfaceState::Down),
        interfaces: count(interfaces.len()),
        loopbacks: count(
            interfaces
                .iter()
                .filter(|(key, i)| is_loopback(key) || i.network == OspfNetwork::Loopback)
                .count(),
        ),
        kind,
        no_summary,
        default_cost: tells_default.then(|| settings.default_cost.unwrap_or(1)),
        translates,
        authentication: match settings.authentication {
            None | Some(AuthenticationMode::Null) => "no",
            Some(AuthenticationMode::Simple) => "simple password",
            Some(AuthenticationMode::MessageDigest) => "message digest",
        }
        .to_owned(),
        spf_runs: runs.count,
        last_spf: runs
            .last
            .map(|at| PreciseAge::from(context.now().since(at)).max(PreciseAge::from(Duration::ZERO))),
        ranges: settings
            .ranges
            .iter()
            .map(|(&prefix, range)| {
                let choose = if config.no_rfc1583 { u32::max } else { u32::min };
                let active = process.routing.table.range_cost(id, prefix, choose);
                Range {
                    prefix,
                    cost: active.map(|cost| range.cost.unwrap_or(cost)),
                    configured: active.is_some() && range.cost.is_some(),
                    advertise: !range.not_advertise,
                }
            })
            .collect(),
        lsas: database.map_or((0, 0), |database| sum(database.checksum_sum(|t| t != LsType::OpaqueLink))),
        without_dc: database.map_or(0, |database| count(database.without_dc())),
        do_not_age: database.map_or(0, |database| count(database.do_not_age())),
        opaque_link: (0, 0),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Whether the router turns type 7 LSAs of an area into type 5: then it tells of some of them itself.
fn translates(running: &Running<'_>, id: AreaId) -> bool {
    let Running { process, router_id, .. } = *running;
    let Some(nssa) = process.lsdb.area(id) else { return false };
    process.is_area_border_router()
        && process.lsdb.autonomous_system().is_some_and(|external| {
            nssa.of_type(LsType::Nssa).any(|entry| {
                let id = entry.lsa.key().link_state_id;
                external.with_id(LsType::AsExternal, id).any(|own| own.lsa.advertising_router() == router_id)
            })
        })
}
