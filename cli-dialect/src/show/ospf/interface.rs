//! `show ip ospf [N] interface [X]`.
//!
//! Row fields: `interface`, `status`, `protocol`, `address`, `unnumbered`, `interface_id`, `area`, `attached_via`, `process_id`,
//! `router_id`, `network_type` (`BROADCAST`), `cost`, `state` (`DR`), `priority`, `dr`, `dr_address`, `bdr`, `bdr_address`,
//! `hello` (ms), `dead`, `wait`, `retransmit` (s), `hello_due` (s), `passive`, `cisco_helper`, `ietf_helper`, `authentication` (`none`, `simple`, `cryptographic`),
//! `youngest_key`, `neighbor_count`, `adjacent_count`, `adjacent` (router ids), `suppressed` (those
//! with whom no hellos are exchanged), `demand_configured`, `demand_circuit` (null, or how many LSAs forbid DoNotAge).

use std::net::Ipv4Addr;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use super::process::able;
use crate::show::age::{Age, hms};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The least time that out-of-band resynchronization (RFC 4811) is given; it is the dead interval where that is longer.
const OOB_RESYNC_MIN: u32 = 40;

/// The record of `show ip ospf interface`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfInterfaces {
    /// The interfaces, in the order of the device.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Full name, or `OSPF_VL0`.
    pub interface: String,
    /// `up`, `down`, `administratively down`.
    pub status: String,
    /// `up` or `down`.
    pub protocol: String,
    /// Own address; `None` if unnumbered.
    pub address: Option<Ipv4Net>,
    /// The interface whose address is borrowed, with the address: `Loopback0 (1.1.1.1)`.
    pub unnumbered: Option<String>,
    /// Number of the interface.
    pub interface_id: u32,
    /// Area, as it was configured.
    pub area: String,
    /// `Network Statement`, `Interface Enable`, `Not Attached` (a virtual link).
    pub attached_via: String,
    /// Process.
    pub process_id: u16,
    /// Router id.
    pub router_id: Ipv4Addr,
    /// `BROADCAST`, `NON_BROADCAST`, `POINT_TO_POINT`, `POINT_TO_MULTIPOINT`, `LOOPBACK`, `VIRTUAL_LINK`.
    pub network_type: String,
    /// Output cost.
    pub cost: u16,
    /// What is said of an interface that is no loopback.
    #[serde(flatten)]
    pub running: Option<Running>,
}

/// What a network interface, as opposed to a host, says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Running {
    /// It is configured as a demand circuit.
    pub demand_configured: bool,
    /// If it runs as a demand circuit (RFC 1793): how many LSAs forbid DoNotAge.
    pub demand_circuit: Option<u32>,
    /// In s.
    pub transmit_delay: u32,
    /// `DR`, `BDR`, `DROTHER`, `WAITING`, `POINT_TO_POINT`, `POINT_TO_MULTIPOINT`, `DOWN`.
    pub state: String,
    /// Own priority where there is an election.
    pub priority: Option<u8>,
    /// Router id of the designated router.
    pub dr: Option<Ipv4Addr>,
    /// Its address.
    pub dr_address: Option<Ipv4Addr>,
    /// Router id of the backup.
    pub bdr: Option<Ipv4Addr>,
    /// Its address.
    pub bdr_address: Option<Ipv4Addr>,
    /// HelloInterval in ms.
    pub hello: u64,
    /// RouterDeadInterval in s.
    pub dead: u32,
    /// Wait timer in s.
    pub wait: u32,
    /// RxmtInterval in s.
    pub retransmit: u32,
    /// Seconds until the next hello; `None` on a passive interface.
    pub hello_due: Option<u64>,
    /// Seconds until the election.
    pub election_due: Option<u64>,
    /// No hellos are sent.
    pub passive: bool,
    /// Neighbors that restart are helped as RFC 4812 has it.
    pub cisco_helper: bool,
    /// Neighbors that restart are helped as RFC 3623 has it.
    pub ietf_helper: bool,
    /// `none`, `simple`, `cryptographic`.
    pub authentication: String,
    /// The key that packets are signed with.
    pub youngest_key: Option<u8>,
    /// Neighbors.
    pub neighbor_count: u32,
    /// Neighbors that are fully adjacent.
    pub adjacent_count: u32,
    /// Their router ids.
    pub adjacent: Vec<Ipv4Addr>,
    /// Those of them with whom no hellos are exchanged.
    pub suppressed: Vec<Ipv4Addr>,
}

const DESIGNATED: &str = "Designated Router";
const BACKUP: &str = "Backup Designated Router";

impl Entry {
    fn render(&self, out: &mut String) {
        let Self { interface_id, area, process_id, router_id, network_type, cost, .. } = self;
        out.push_str(&format!(
            "{} is {}, line protocol is {} \n",
            self.interface, self.status, self.protocol
        ));
        match self.address {
            Some(address) => {
                out.push_str(&format!(
                    "  Internet Address {address}, Interface ID {interface_id}, Area {area}\n"
                ));
            }
            None => {
                out.push_str(&format!(
                    "  Interface is unnumbered, Interface ID {interface_id}, Area {area}\n"
                ));
            }
        }
        if let Some(lender) = &self.unnumbered {
            out.push_str(&format!("  Using address of {lender}\n"));
        }
        out.push_str(&format!(
            "  Attached via {}\n  \
             Process ID {process_id}, Router ID {router_id}, Network Type {network_type}, Cost: {cost}\n  \
             Topology-MTID    Cost    Disabled    Shutdown      Topology Name\n        \
             0           {cost:<5}     no          no            Base\n",
            self.attached_via
        ));
        if self.attached_via == "Interface Enable" {
            out.push_str("  Enabled by interface config, including secondary ip addresses\n");
        }
        match &self.running {
            Some(running) => running.render(out),
            None => out.push_str("  Loopback interface is treated as a stub Host\n"),
        }
    }

    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([address, id, area]) =
            line.holes("Internet Address {}, Interface ID {}, Area {}").or_else(|| {
                line.holes("Internet Address {}, Area {}").map(|[address, area]| [address, "0", area])
            })
        {
            self.address = Some(line.value(address, "an address with its length")?);
            self.interface_id = line.value(id, "a number")?;
            self.read_area(area);
        } else if let Some([id, area]) = line
            .holes("Interface is unnumbered, Interface ID {}, Area {}")
            .or_else(|| line.holes("Interface is unnumbered{}Area {}").map(|[_, area]| ["0", area]))
        {
            self.interface_id = line.value(id, "a number")?;
            self.read_area(area);
        } else if let Some([lender]) = line.holes("Using address of {}") {
            self.unnumbered = Some(lender.to_owned());
        } else if let Some([by]) = line.holes("Attached via {}") {
            self.attached_via = by.to_owned();
        } else if let Some([process, router, kind, cost]) =
            line.holes("Process ID {}, Router ID {}, Network Type {}, Cost: {}")
        {
            self.process_id = line.value(process, "a process id")?;
            self.router_id = line.value(router, "a router id")?;
            self.network_type = kind.to_owned();
            self.cost = line.value(cost, "a cost")?;
        } else {
            self.running.get_or_insert_default().read(line)?;
        }
        Ok(())
    }

    /// `0`, or with older releases `0, Attached via Network Statement`.
    fn read_area(&mut self, text: &str) {
        let (area, by) = text.split_once(", Attached via ").unwrap_or((text, ""));
        self.area = area.to_owned();
        if !by.is_empty() {
            self.attached_via = by.to_owned();
        }
    }
}

impl Running {
    fn render(&self, out: &mut String) {
        if self.demand_configured {
            out.push_str("  Configured as demand circuit\n");
        }
        match self.demand_circuit {
            None => {}
            Some(0) => out.push_str("  Run as demand circuit\n  DoNotAge LSA allowed\n"),
            Some(count) => out.push_str(&format!(
                "  Run as demand circuit\n  DoNotAge LSA not allowed (Number of DCbitless LSA is {count})\n"
            )),
        }
        out.push_str(&format!("  Transmit Delay is {} sec, State {}", self.transmit_delay, self.state));
        if let Some(priority) = self.priority {
            out.push_str(&format!(", Priority {priority}"));
        }
        out.push('\n');
        if self.priority.is_some() {
            match (self.dr, self.dr_address) {
                (Some(id), Some(address)) => {
                    out.push_str(&format!("  Designated Router (ID) {id}, Interface address {address}\n"));
                }
                _ => out.push_str("  No designated router on this network\n"),
            }
            match (self.bdr, self.bdr_address) {
                (Some(id), Some(address)) => {
                    out.push_str(&format!(
                        "  Backup Designated router (ID) {id}, Interface address {address}\n"
                    ));
                }
                _ => out.push_str("  No backup designated router on this network\n"),
            }
        }
        let hello = if self.hello.is_multiple_of(1000) {
            (self.hello / 1000).to_string()
        } else {
            format!("{} msec", self.hello)
        };
        let Self { dead, wait, retransmit, .. } = self;
        let resync = (*dead).max(OOB_RESYNC_MIN);
        out.push_str(&format!(
            "  Timer intervals configured, Hello {hello}, Dead {dead}, Wait {wait}, Retransmit {retransmit}\n    \
             oob-resync timeout {resync}\n"
        ));
        if self.passive {
            out.push_str("    No Hellos (Passive interface) \n");
        }
        if let Some(due) = self.hello_due {
            out.push_str(&format!("    Hello due in {}\n", hms(due)));
        }
        if let Some(due) = self.election_due {
            out.push_str(&format!("    Wait time before Designated router selection {}\n", hms(due)));
        }
        if self.state != "DOWN" {
            self.render_neighbors(out);
        }
    }

    fn render_neighbors(&self, out: &mut String) {
        out.push_str(&format!(
            "  Supports Link-local Signaling (LLS)\n  Cisco NSF helper support {}\n  \
             IETF NSF helper support {}\n  Index 1/1/1, flood queue length 0\n  \
             Next 0x0(0)/0x0(0)/0x0(0)\n  Last flood scan length is 0, maximum is 0\n  \
             Last flood scan time is 0 msec, maximum is 0 msec\n  \
             Neighbor Count is {}, Adjacent neighbor count is {} \n",
            able(self.cisco_helper),
            able(self.ietf_helper),
            self.neighbor_count,
            self.adjacent_count
        ));
        for &neighbor in &self.adjacent {
            let role = match Some(neighbor) {
                id if id == self.dr => format!("  ({DESIGNATED})"),
                id if id == self.bdr => format!("  ({BACKUP})"),
                _ => String::new(),
            };
            let silent = if self.suppressed.contains(&neighbor) { "  (Hello suppressed)" } else { "" };
            out.push_str(&format!("    Adjacent with neighbor {neighbor}{role}{silent}\n"));
        }
        out.push_str(&format!("  Suppress hello for {} neighbor(s)\n", self.suppressed.len()));
        match self.authentication.as_str() {
            "simple" => out.push_str("  Simple password authentication enabled\n"),
            "cryptographic" => {
                out.push_str("  Cryptographic authentication enabled\n");
                match self.youngest_key {
                    Some(key) => out.push_str(&format!("    Youngest key id is {key}\n")),
                    None => out.push_str("      No key configured, using default key id 0\n"),
                }
            }
            _ => {}
        }
    }

    /// Takes in a line about this interface; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if line.text.trim_start().starts_with("Configured as demand circuit") {
            self.demand_configured = true;
        } else if line.text.trim_start().starts_with("Run as demand circuit") {
            self.demand_circuit = Some(0);
        } else if let Some([count]) = line
            .holes("DoNotAge LSA not allowed (Number of DCbitless LSA is {})")
            .or_else(|| line.holes("DoNotAge LSA not allowed (Number of DCbitless LSA is {})."))
        {
            self.demand_circuit = Some(line.value(count, "a count")?);
        } else if let Some([delay, state]) = line.holes("Transmit Delay is {} sec, State {}") {
            self.transmit_delay = line.value(delay, "seconds")?;
            let (state, priority) =
                state.split_once(", Priority ").map_or((state, None), |(s, p)| (s, Some(p)));
            self.state = state.trim_end_matches(',').to_owned();
            self.priority = priority.map(|p| line.value(p, "a priority")).transpose()?;
        } else if let Some([id, address]) = line.holes("Designated Router (ID) {}, Interface address {}") {
            self.dr = Some(line.value(id, "a router id")?);
            self.dr_address = Some(line.value(address, "an address")?);
        } else if let Some([id, address]) =
            line.holes("Backup Designated router (ID) {}, Interface address {}")
        {
            self.bdr = Some(line.value(id, "a router id")?);
            self.bdr_address = Some(line.value(address, "an address")?);
        } else if let Some([hello, dead, wait, retransmit]) =
            line.holes("Timer intervals configured, Hello {}, Dead {}, Wait {}, Retransmit {}")
        {
            let number = |text: &str| line.value::<u64>(text, "an interval");
            self.hello = match hello.strip_suffix(" msec") {
                Some(ms) => number(ms)?,
                None => number(hello)?.saturating_mul(1000),
            };
            self.dead = line.value(dead, "an interval")?;
            self.wait = line.value(wait, "an interval")?;
            self.retransmit = line.value(retransmit, "an interval")?;
        } else if let Some([due]) = line.holes("Hello due in {}") {
            self.hello_due = due.parse::<Age>().ok().map(Age::as_secs);
        } else if let Some([due]) = line.holes("Wait time before Designated router selection {}") {
            self.election_due = Some(line.value::<Age>(due, "a time")?.as_secs());
        } else if line.text.trim_start().starts_with("No Hellos (Passive interface)") {
            self.passive = true;
        } else {
            self.read_neighbors(line)?;
        }
        Ok(())
    }

    fn read_neighbors(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([all, adjacent]) = line.holes("Neighbor Count is {}, Adjacent neighbor count is {}") {
            self.neighbor_count = line.value(all, "a count")?;
            self.adjacent_count = line.value(adjacent, "a count")?;
        } else if let Some([neighbor]) = line.holes("Adjacent with neighbor {}") {
            let id = neighbor.split_whitespace().next().unwrap_or_default();
            let id = line.value(id, "a router id")?;
            self.adjacent.push(id);
            if neighbor.contains("(Hello suppressed)") {
                self.suppressed.push(id);
            }
        } else if let Some([kind, state]) = line.holes("{} NSF helper support {}") {
            let helper = if kind == "IETF" { &mut self.ietf_helper } else { &mut self.cisco_helper };
            *helper = state == "enabled";
        } else if line.is("Simple password authentication enabled") {
            self.authentication = "simple".to_owned();
        } else if line.is("Cryptographic authentication enabled") {
            self.authentication = "cryptographic".to_owned();
        } else if let Some([key]) = line.holes("Youngest key id is {}") {
            self.youngest_key = Some(line.value(key, "a key id")?);
        }
        Ok(())
    }
}

impl Record for IpOspfInterfaces {
    fn render(&self) -> String {
        let mut out = String::new();
        self.interfaces.iter().for_each(|entry| entry.render(&mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([interface, status, protocol]) = line.interface_head() {
                record.interfaces.push(Entry {
                    interface: interface.to_owned(),
                    status: status.to_owned(),
                    protocol: protocol.to_owned(),
                    address: None,
                    unnumbered: None,
                    interface_id: 0,
                    area: String::new(),
                    attached_via: String::new(),
                    process_id: 0,
                    router_id: Ipv4Addr::UNSPECIFIED,
                    network_type: String::new(),
                    cost: 0,
                    running: None,
                });
            } else if line.text.trim_start().starts_with('%') {
                // OSPF does not run on the interface that was asked for.
            } else if let Some(entry) = record.interfaces.last_mut() {
                entry.read(line)?;
            } else {
                return Err(line.error("`X is up, line protocol is up`"));
            }
        }
        for entry in &mut record.interfaces {
            match &mut entry.running {
                Some(running) if running.state.is_empty() => entry.running = None,
                Some(running) if running.authentication.is_empty() => {
                    running.authentication = "none".to_owned()
                }
                _ => {}
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn running()(
            ids in any::<[u32; 5]>(), times in any::<[u16; 5]>(), elected in any::<bool>(), has_dr in any::<bool>(), is_down in any::<bool>(),
            hello in prop_oneof![Just(250u64), Just(10_000)], passive in any::<bool>(), priority in any::<u8>(), key in prop::option::of(any::<u8>()),
            authentication in arbitrary::word(&["none", "simple", "cryptographic"]), due in 0u64..86_400,
        ) -> Running {
            let [dr, dr_address, bdr, bdr_address, other] = ids.map(Ipv4Addr::from);
            let dr_seen = elected && has_dr;
            let [transmit_delay, dead, wait, retransmit, neighbors] = times.map(u32::from);
            let mut record = Running {
                transmit_delay, state: if is_down { "DOWN" } else { "DROTHER" }.to_owned(), priority: elected.then_some(priority),
                dr: dr_seen.then_some(dr), dr_address: dr_seen.then_some(dr_address), bdr: dr_seen.then_some(bdr),
                bdr_address: dr_seen.then_some(bdr_address), hello, dead, wait, retransmit, hello_due: (!passive).then_some(due),
                election_due: None, passive, authentication: "none".to_owned(), ..Running::default()
            };
            if !is_down {
                record.youngest_key = key.filter(|_| authentication == "cryptographic");
                record.authentication = authentication;
                (record.neighbor_count, record.adjacent_count) = (neighbors, 3);
                record.adjacent = vec![dr, bdr, other];
                (record.cisco_helper, record.ietf_helper) = (elected, has_dr);
                record.suppressed = if passive { vec![bdr] } else { Vec::new() };
                record.demand_circuit = key.map(u32::from);
                record.demand_configured = has_dr;
            }
            record
        }
    }

    prop_compose! {
        fn entry()(
            interface in arbitrary::interface(), status in arbitrary::word(&["up", "administratively down"]),
            address in prop::option::of(arbitrary::network()), ids in any::<[u32; 2]>(), area in arbitrary::word(&["0", "0.0.0.51"]),
            attached_via in arbitrary::word(&["Network Statement", "Interface Enable"]), numbers in any::<[u16; 2]>(), running in prop::option::of(running()),
        ) -> Entry {
            Entry {
                interface, status, protocol: "up".to_owned(), unnumbered: address.is_none().then(|| "Loopback0 (1.1.1.1)".to_owned()), address,
                interface_id: ids[0], area, attached_via, process_id: numbers[0], router_id: ids[1].into(), cost: numbers[1],
                network_type: "BROADCAST".to_owned(), running,
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(interfaces in prop::collection::vec(entry(), 0..4)) {
            let record = IpOspfInterfaces { interfaces };
            prop_assert_eq!(IpOspfInterfaces::parse(&record.render()), Ok(record));
        }
    }
}
