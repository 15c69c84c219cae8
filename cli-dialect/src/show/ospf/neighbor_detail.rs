//! `show ip ospf [N] neighbor [detail | A.B.C.D]`, the long form.
//!
//! Row fields: `neighbor_id`, `address`, `area`, `interface`, `priority`, `state`, `state_changes`, `dr`, `bdr`, `options`, `description_options`, `lls_options`,
//! `dead_time` (s), `uptime` (s), `help_ends` (s until the grace period of a neighbor that restarts ends), `retransmission_queue`, `retransmissions`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::show::age::{Age, hms};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf neighbor detail`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfNeighborDetail {
    /// The neighbors, in the order of the device.
    pub neighbors: Vec<Neighbor>,
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbor {
    /// Router id.
    pub neighbor_id: Ipv4Addr,
    /// Address of the neighbor's interface.
    pub address: Ipv4Addr,
    /// Area, as a number or in dotted notation.
    pub area: String,
    /// Full name of the local interface.
    pub interface: String,
    /// Router priority.
    pub priority: u8,
    /// State in IOS's capitals.
    pub state: String,
    /// How often the state has changed.
    pub state_changes: u32,
    /// The designated router that the neighbor sees.
    pub dr: Ipv4Addr,
    /// The backup that the neighbor sees.
    pub bdr: Ipv4Addr,
    /// Options of its hellos (RFC 2328 section A.2).
    pub options: u8,
    /// Options of its database descriptions; `None` where the device does not tell them.
    pub description_options: Option<u8>,
    /// Extended options of its link-local signalling (RFC 5613), if it uses that.
    pub lls_options: Option<u32>,
    /// Seconds until the neighbor is declared dead.
    pub dead_time: u64,
    /// Since the neighbor became adjacent.
    pub uptime: Age,
    /// It restarts, and is helped for so many seconds more.
    pub help_ends: Option<u64>,
    /// LSAs that the neighbor has not acknowledged.
    pub retransmission_queue: u32,
    /// Retransmissions so far.
    pub retransmissions: u32,
}

impl Neighbor {
    fn named(neighbor_id: Ipv4Addr, address: Ipv4Addr) -> Self {
        Self {
            neighbor_id,
            address,
            area: String::new(),
            interface: String::new(),
            priority: 0,
            state: String::new(),
            state_changes: 0,
            dr: Ipv4Addr::UNSPECIFIED,
            bdr: Ipv4Addr::UNSPECIFIED,
            options: 0,
            description_options: None,
            lls_options: None,
            dead_time: 0,
            uptime: Age::default(),
            help_ends: None,
            retransmission_queue: 0,
            retransmissions: 0,
        }
    }

    /// Takes in a line about this neighbor; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([area, interface]) = line.holes("In the area {} via interface {}") {
            self.area = area.to_owned();
            self.interface = interface.to_owned();
        } else if let Some([priority, state, changes]) =
            line.holes("Neighbor priority is {}, State is {}, {} state changes")
        {
            self.priority = line.value(priority, "a priority")?;
            self.state = state.to_owned();
            self.state_changes = line.value(changes, "a count")?;
        } else if let Some([dr, bdr]) = line.holes("DR is {} BDR is {}") {
            self.dr = line.value(dr, "an address")?;
            self.bdr = line.value(bdr, "an address")?;
        } else if let Some(options) = line.text.trim_start().strip_prefix("LLS Options is 0x") {
            let digits = options.split([' ', ',']).next().unwrap_or_default();
            self.lls_options =
                Some(u32::from_str_radix(digits, 16).map_err(|_| line.error("options in hexadecimal"))?);
        } else if let Some([options]) = line.holes("Options is 0x{}") {
            self.read_options(line, options)?;
        } else if let Some([dead]) = line.holes("Dead timer due in {}") {
            self.dead_time = line.value::<Age>(dead, "a time")?.as_secs();
        } else if let Some([ends]) = line.holes("Graceful restart helper, grace period ends in {}") {
            self.help_ends = Some(line.value::<Age>(ends, "a time")?.as_secs());
        } else if let Some([up]) = line.holes("Neighbor is up for {}") {
            self.uptime = line.value(up, "an age")?;
        } else if let Some([_, queue, count]) =
            line.holes("Index {}, retransmission queue length {}, number of retransmission {}")
        {
            self.retransmission_queue = line.value(queue, "a count")?;
            self.retransmissions = line.value(count, "a count")?;
        }
        Ok(())
    }

    /// `52` of old releases, or `52 in Hello (E-bit, L-bit, O-bit)` and the same `in DBD`.
    fn read_options(&mut self, line: Line<'_>, text: &str) -> Result<(), ParseError> {
        let digits = text.split_whitespace().next().unwrap_or_default();
        let options = u8::from_str_radix(digits, 16).map_err(|_| line.error("options in hexadecimal"))?;
        if text.contains("in DBD") {
            self.description_options = Some(options);
        } else {
            self.options = options;
        }
        Ok(())
    }

    /// The lines about options.
    fn options_text(&self) -> String {
        let Some(of_descriptions) = self.description_options else {
            return format!("    Options is 0x{:x}\n", self.options);
        };
        let lls = self.lls_options.map_or_else(String::new, |options| {
            let name = if options & 1 == 0 { "" } else { " (LR)" };
            format!("    LLS Options is 0x{options:x}{name}\n")
        });
        let [hello, descriptions] = [self.options, of_descriptions].map(bits);
        format!(
            "    Options is 0x{:x} in Hello{hello}\n    Options is 0x{of_descriptions:x} in DBD{descriptions}\n{lls}",
            self.options
        )
    }
}

/// The names of options, in parentheses (RFC 2328 section A.2, RFC 5250, RFC 5613).
fn bits(options: u8) -> String {
    let names = ["MT", "E", "MC", "N/P", "L", "DC", "O", "DN"];
    let set = (0..).zip(names).filter(|(bit, _)| options >> bit & 1 == 1);
    let set: Vec<String> = set.map(|(_, name)| format!("{name}-bit")).collect();
    if set.is_empty() { String::new() } else { format!(" ({})", set.join(", ")) }
}

impl Record for IpOspfNeighborDetail {
    fn render(&self) -> String {
        let mut out = String::new();
        for n in &self.neighbors {
            let help = n.help_ends.map_or_else(String::new, |ends| {
                format!("    Graceful restart helper, grace period ends in {}\n", hms(ends))
            });
            out.push_str(&format!(
                " Neighbor {}, interface address {}\n    In the area {} via interface {}\n    \
                 Neighbor priority is {}, State is {}, {} state changes\n    DR is {} BDR is {}\n{}    Dead timer due in {}\n{}    Neighbor is up for {}\n    \
                 Index 1/1, retransmission queue length {}, number of retransmission {}\n    \
                 First 0x0(0)/0x0(0) Next 0x0(0)/0x0(0)\n    \
                 Last retransmission scan length is 0, maximum is 0\n    \
                 Last retransmission scan time is 0 msec, maximum is 0 msec\n",
                n.neighbor_id,
                n.address,
                n.area,
                n.interface,
                n.priority,
                n.state,
                n.state_changes,
                n.dr,
                n.bdr,
                n.options_text(),
                hms(n.dead_time),
                help,
                n.uptime,
                n.retransmission_queue,
                n.retransmissions
            ));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let names = line
                .holes("Neighbor {}, interface address {}, interface-id {}")
                .map(|[id, address, _]| [id, address])
                .or_else(|| line.holes("Neighbor {}, interface address {}"));
            if let Some([id, address]) = names {
                let id = line.value(id, "a router id")?;
                record.neighbors.push(Neighbor::named(id, line.value(address, "an address")?));
            } else if let Some(neighbor) = record.neighbors.last_mut() {
                neighbor.read(line)?;
            } else if !line.text.contains('#') && !line.text.trim_start().starts_with('%') {
                return Err(line.error("Neighbor ID, interface address A"));
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.neighbors.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(told in prop::option::of((any::<u8>(), prop::option::of(any::<u32>()))), list in prop::collection::vec((any::<[u32; 4]>(), any::<[u8; 2]>(), (0u64..86_400, prop::option::of(0u64..86_400)), 0u64..100_000_000, any::<[u32; 3]>(),
            prop::sample::select(vec!["FULL", "2WAY", "EXSTART"]), "(GigabitEthernet|Serial)[0-9]/[0-9]"), 0..4))
        {
            let neighbors = list.into_iter().map(|(ips, [priority, options], (dead_time, help_ends), up, counts, state, interface)| {
                let [id, address, dr, bdr] = ips.map(Ipv4Addr::from);
                Neighbor {
                    area: "0".to_owned(), interface, priority, state: state.to_owned(), state_changes: counts[0], dr, bdr, options,
                    description_options: told.map(|(options, _)| options), lls_options: told.and_then(|(_, options)| options),
                    dead_time, help_ends, uptime: Age::from_secs(up), retransmission_queue: counts[1], retransmissions: counts[2],
                    ..Neighbor::named(id, address)
                }
            }).collect();
            let record = IpOspfNeighborDetail { neighbors };
            prop_assert_eq!(IpOspfNeighborDetail::parse(&record.render()), Ok(record));
        }
    }
}
