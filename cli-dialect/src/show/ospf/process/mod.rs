//! `show ip ospf [N]`.
//!
//! Row fields, one row for each area (one with a null `area` where there is none): `process_id`, `router_id`, `vrf`, `shutdown`,
//! `area_border`, `as_boundary`, `max_metric`, `ietf_helper`, `cisco_helper`, `reference_bandwidth`, `external_lsas`, `area`, `backbone`, `active`, `interfaces`,
//! `loopbacks`, `kind` (`normal`, `stub`, `nssa`), `no_summary`, `default_cost`, `authentication`, `spf_runs`, `last_spf` (ms ago),
//! `ranges`, `lsas`.

mod area;
mod collect;
#[cfg(test)]
mod tests;

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};
use serde_json::json;

pub use area::{Area, Kind, Range};
pub use collect::redistribution;

use crate::show::age::PreciseAge;
use crate::show::text::{Line, blocks, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspf {
    /// The processes by number.
    pub processes: Vec<Process>,
}

/// A process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Number.
    pub process_id: u16,
    /// Router id.
    pub router_id: Ipv4Addr,
    /// The VRF; `None` is the global table.
    pub vrf: Option<String>,
    /// Since the router started, when the process did.
    pub start: PreciseAge,
    /// Since then.
    pub elapsed: PreciseAge,
    /// `shutdown`.
    pub shutdown: bool,
    /// Area border router.
    pub area_border: bool,
    /// AS boundary router.
    pub as_boundary: bool,
    /// `Redistributing External Routes from`, line by line.
    pub redistributing: Vec<String>,
    /// `Originating router-LSAs with maximum metric`: the lines below, of which the first is the condition.
    pub max_metric: Vec<String>,
    /// `timers throttle spf`, in ms.
    pub spf_throttle: [u32; 3],
    /// `timers throttle lsa`, in ms.
    pub lsa_throttle: [u32; 3],
    /// `timers lsa arrival`, in ms.
    pub lsa_arrival: u32,
    /// `timers pacing lsa-group` in s, `flood` and `retransmission` in ms.
    pub pacing: [u32; 3],
    /// AS-external LSAs: how many, and the sum of their checksums.
    pub external: (u32, u32),
    /// Opaque LSAs of AS scope: how many, and the sum of their checksums.
    pub opaque: (u32, u32),
    /// LSAs of AS scope of routers that do not understand DoNotAge.
    pub without_dc: u32,
    /// LSAs of AS scope that do not age.
    pub do_not_age: u32,
    /// Areas in which some virtual link is up.
    pub transit_areas: u32,
    /// Neighbors that restart are helped as RFC 3623 has it.
    pub ietf_helper: bool,
    /// Neighbors that restart are helped as RFC 4812 has it.
    pub cisco_helper: bool,
    /// In Mbit/s.
    pub reference_bandwidth: u32,
    /// Areas.
    pub areas: Vec<Area>,
}

impl Process {
    fn new(process_id: u16, router_id: Ipv4Addr) -> Self {
        Self {
            process_id,
            router_id,
            vrf: None,
            start: PreciseAge::default(),
            elapsed: PreciseAge::default(),
            shutdown: false,
            area_border: false,
            as_boundary: false,
            redistributing: Vec::new(),
            max_metric: Vec::new(),
            spf_throttle: [0; 3],
            lsa_throttle: [0; 3],
            lsa_arrival: 0,
            pacing: [0; 3],
            external: (0, 0),
            opaque: (0, 0),
            without_dc: 0,
            do_not_age: 0,
            transit_areas: 0,
            ietf_helper: false,
            cisco_helper: false,
            reference_bandwidth: 0,
            areas: Vec::new(),
        }
    }

    fn render(&self, out: &mut String) {
        let Self { process_id, router_id, start, elapsed, .. } = self;
        out.push_str(&format!(" Routing Process \"ospf {process_id}\" with ID {router_id}\n"));
        if self.vrf.is_some() {
            let [high, low] = process_id.to_be_bytes();
            out.push_str(&format!("   Domain ID type 0x0005, value 0.0.{high}.{low}\n"));
        }
        out.push_str(&format!(" Start time: {start}, Time elapsed: {elapsed}\n"));
        if self.shutdown {
            out.push_str(" Routing Process is shutdown\n");
        }
        out.push_str(
            " Supports only single TOS(TOS0) routes\n Supports opaque LSA\n Supports Link-local Signaling (LLS)\n \
             Supports area transit capability\n Supports NSSA (compatible with RFC 3101)\n \
             Supports Database Exchange Summary List Optimization (RFC 5243)\n",
        );
        if let Some(vrf) = &self.vrf {
            out.push_str(&format!(" Connected to MPLS VPN Superbackbone, VRF {vrf}\n"));
        }
        out.push_str(" Event-log enabled, Maximum number of events: 1000, Mode: cyclic\n");
        match (self.area_border, self.as_boundary) {
            (true, true) => out.push_str(" It is an area border and autonomous system boundary router\n"),
            (true, false) => out.push_str(" It is an area border router\n"),
            (false, true) => out.push_str(" It is an autonomous system boundary router\n"),
            (false, false) => {}
        }
        if !self.redistributing.is_empty() {
            out.push_str(" Redistributing External Routes from,\n");
            self.redistributing.iter().for_each(|line| out.push_str(&format!("    {line}\n")));
        }
        if self.max_metric.is_empty() {
            out.push_str(" Router is not originating router-LSAs with maximum metric\n");
        } else {
            out.push_str(" Originating router-LSAs with maximum metric\n");
            self.max_metric.iter().for_each(|line| out.push_str(&format!("    {line}\n")));
        }
        self.render_numbers(out);
        self.areas.iter().for_each(|area| area.render(out));
    }

    fn render_numbers(&self, out: &mut String) {
        let [start, hold, max] = self.spf_throttle;
        out.push_str(&format!(
            " Initial SPF schedule delay {start} msecs\n \
             Minimum hold time between two consecutive SPFs {hold} msecs\n \
             Maximum wait time between two consecutive SPFs {max} msecs\n Incremental-SPF disabled\n"
        ));
        let [start, hold, max] = self.lsa_throttle;
        let [group, flood, retransmission] = self.pacing;
        out.push_str(&format!(
            " Initial LSA throttle delay {start} msecs\n Minimum hold time for LSA throttle {hold} msecs\n \
             Maximum wait time for LSA throttle {max} msecs\n Minimum LSA arrival {} msecs\n \
             LSA group pacing timer {group} secs\n Interface flood pacing timer {flood} msecs\n \
             Retransmission pacing timer {retransmission} msecs\n \
             EXCHANGE/LOADING adjacency limit: initial 300, process maximum 300\n",
            self.lsa_arrival
        ));
        let ((external, external_sum), (opaque, opaque_sum)) = (self.external, self.opaque);
        let of = |kind| self.areas.iter().filter(|area| area.kind == kind).count();
        out.push_str(&format!(
            " Number of external LSA {external}. Checksum Sum 0x{external_sum:06X}\n \
             Number of opaque AS LSA {opaque}. Checksum Sum 0x{opaque_sum:06X}\n \
             Number of DCbitless external and opaque AS LSA {}\n Number of DoNotAge external and opaque AS LSA {}\n \
             Number of areas in this router is {}. {} normal {} stub {} nssa\n \
             Number of areas transit capable is {}\n External flood list length 0\n \
             IETF NSF helper support {}\n Cisco NSF helper support {}\n \
             Reference bandwidth unit is {} mbps\n",
            self.without_dc,
            self.do_not_age,
            self.areas.len(),
            of(Kind::Normal),
            of(Kind::Stub),
            of(Kind::Nssa),
            self.transit_areas,
            able(self.ietf_helper),
            able(self.cisco_helper),
            self.reference_bandwidth
        ));
    }

    /// Takes in a line about the process; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        let number = |text: &str| line.value::<u32>(text, "a number");
        if let Some([start, elapsed]) = line.holes("Start time: {}, Time elapsed: {}") {
            self.start = line.value(start, "a time")?;
            self.elapsed = line.value(elapsed, "a time")?;
        } else if line.is("Routing Process is shutdown") {
            self.shutdown = true;
        } else if let Some([_, vrf]) = line.holes("Connected to MPLS VPN{}, VRF {}") {
            self.vrf = Some(vrf.to_owned());
        } else if let Some([roles]) =
            line.holes("It is an {} router").or_else(|| line.holes("It is an {} router{}").map(|[r, _]| [r]))
        {
            self.area_border = roles.contains("area border");
            self.as_boundary = roles.contains("autonomous system boundary");
        } else if let Some([start]) = line.holes("Initial SPF schedule delay {} msecs") {
            self.spf_throttle[0] = number(start)?;
        } else if let Some([hold]) = line.holes("Minimum hold time between two consecutive SPFs {} msecs") {
            self.spf_throttle[1] = number(hold)?;
        } else if let Some([max]) = line.holes("Maximum wait time between two consecutive SPFs {} msecs") {
            self.spf_throttle[2] = number(max)?;
        } else if let Some([start]) = line.holes("Initial LSA throttle delay {} msecs") {
            self.lsa_throttle[0] = number(start)?;
        } else if let Some([hold]) = line.holes("Minimum hold time for LSA throttle {} msecs") {
            self.lsa_throttle[1] = number(hold)?;
        } else if let Some([max]) = line.holes("Maximum wait time for LSA throttle {} msecs") {
            self.lsa_throttle[2] = number(max)?;
        } else if let Some([arrival]) = line.holes("Minimum LSA arrival {} msecs") {
            self.lsa_arrival = number(arrival)?;
        } else if let Some([group]) = line.holes("LSA group pacing timer {} secs") {
            self.pacing[0] = number(group)?;
        } else if let Some([flood]) = line.holes("Interface flood pacing timer {} msecs") {
            self.pacing[1] = number(flood)?;
        } else if let Some([retransmission]) = line.holes("Retransmission pacing timer {} msecs") {
            self.pacing[2] = number(retransmission)?;
        } else if let Some([count, sum]) = line.holes("Number of external LSA {}. Checksum Sum 0x{}") {
            self.external = (number(count)?, checksum(line, sum)?);
        } else if let Some([count, sum]) = line.holes("Number of opaque AS LSA {}. Checksum Sum 0x{}") {
            self.opaque = (number(count)?, checksum(line, sum)?);
        } else if let Some([count]) = line.holes("Number of DCbitless external and opaque AS LSA {}") {
            self.without_dc = number(count)?;
        } else if let Some([count]) = line.holes("Number of DoNotAge external and opaque AS LSA {}") {
            self.do_not_age = number(count)?;
        } else if let Some([count]) = line.holes("Number of areas transit capable is {}") {
            self.transit_areas = number(count)?;
        } else if let Some([kind, state]) = line.holes("{} NSF helper support {}") {
            let helper = if kind == "IETF" { &mut self.ietf_helper } else { &mut self.cisco_helper };
            *helper = state == "enabled";
        } else if let Some([bandwidth]) = line.holes("Reference bandwidth unit is {} mbps") {
            self.reference_bandwidth = number(bandwidth)?;
        }
        Ok(())
    }
}

/// `enabled` or `disabled`.
pub(in crate::show::ospf) const fn able(on: bool) -> &'static str {
    if on { "enabled" } else { "disabled" }
}

pub(super) fn checksum(line: Line<'_>, digits: &str) -> Result<u32, ParseError> {
    u32::from_str_radix(digits, 16).map_err(|_| line.error("a sum in hexadecimal"))
}

impl Record for IpOspf {
    fn render(&self) -> String {
        blocks(&self.processes, |process, out| process.render(out))
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        // Under which heading of the process a further indented line stands.
        let mut list = List::None;
        for line in lines(text) {
            if let Some([process, id]) = line.holes("Routing Process \"ospf {}\" with ID {}") {
                let id = line.value(id, "a router id")?;
                record.processes.push(Process::new(line.value(process, "a process id")?, id));
                list = List::None;
                continue;
            }
            let Some(process) = record.processes.last_mut() else {
                return Err(line.error("`Routing Process \"ospf N\" with ID A`"));
            };
            let is_deep = line.text.starts_with("    ");
            if let Some([area]) = line.holes("Area {}").filter(|[area]| is_area(area)) {
                process.areas.push(Area::named(area));
                list = List::None;
            } else if line.is("Redistributing External Routes from,") {
                list = List::Redistributing;
            } else if line.is("Originating router-LSAs with maximum metric") {
                list = List::MaxMetric;
            } else if let Some(area) = process.areas.last_mut() {
                area.read(line)?;
            } else if is_deep && list == List::Redistributing {
                process.redistributing.push(line.text.trim().to_owned());
            } else if is_deep && list == List::MaxMetric {
                process.max_metric.push(line.text.trim().to_owned());
            } else {
                list = List::None;
                process.read(line)?;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.processes.iter().flat_map(process_rows).collect()
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    None,
    Redistributing,
    MaxMetric,
}

/// Whether a text is an area's name, as opposed to `has no authentication` and `ranges are`.
fn is_area(text: &str) -> bool {
    text.starts_with("BACKBONE(") || text.starts_with(|c: char| c.is_ascii_digit())
}

fn process_rows(process: &Process) -> Vec<Row> {
    let whole = row(&json!({
        "process_id": process.process_id,
        "router_id": process.router_id,
        "vrf": process.vrf,
        "shutdown": process.shutdown,
        "area_border": process.area_border,
        "as_boundary": process.as_boundary,
        "max_metric": !process.max_metric.is_empty(),
        "ietf_helper": process.ietf_helper,
        "cisco_helper": process.cisco_helper,
        "reference_bandwidth": process.reference_bandwidth,
        "external_lsas": process.external.0,
        "area": null,
    }));
    let of_area = |area: &Area| {
        let mut fields = whole.clone();
        fields.extend(row(area));
        fields.insert("lsas".to_owned(), json!(area.lsas.0));
        fields.insert("opaque_link".to_owned(), json!(area.opaque_link.0));
        fields
    };
    if process.areas.is_empty() { vec![whole] } else { process.areas.iter().map(of_area).collect() }
}
