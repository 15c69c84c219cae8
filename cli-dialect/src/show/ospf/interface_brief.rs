//! `show ip ospf [N] interface brief`.
//!
//! Row fields: `interface` (short name), `process_id`, `area`, `address` (`10.0.0.1/24`; 0.0.0.0/0 is unnumbered), `cost`, `state`
//! (`DR`, `BDR`, `DROTH`, `P2P`, `P2MP`, `LOOP`, `WAIT`, `DOWN`), `neighbors_full`, `neighbors`.

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};

use crate::show::text::{Line, lines, push_line};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf interface brief`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfInterfaceBrief {
    /// The interfaces, in the order of the device.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Short name, or `VL0`.
    pub interface: String,
    /// Process.
    pub process_id: u16,
    /// Area, as it was configured.
    pub area: String,
    /// Own address; 0.0.0.0/0 if unnumbered.
    pub address: Ipv4Net,
    /// Output cost.
    pub cost: u16,
    /// State in IOS's short capitals.
    pub state: String,
    /// Fully adjacent neighbors.
    pub neighbors_full: u32,
    /// All neighbors.
    pub neighbors: u32,
}

impl Record for IpOspfInterfaceBrief {
    fn render(&self) -> String {
        let mut out = String::new();
        push_line(&mut out, "Interface    PID   Area            IP Address/Mask    Cost  State Nbrs F/C");
        for e in &self.interfaces {
            push_line(
                &mut out,
                &format!(
                    "{:<12} {:<5} {:<15} {:<18} {:<5} {:<5} {}/{}",
                    e.interface,
                    e.process_id,
                    e.area,
                    e.address.to_string(),
                    e.cost,
                    e.state,
                    e.neighbors_full,
                    e.neighbors
                ),
            );
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let is_heading = |line: &Line<'_>| line.text.trim_start().starts_with("Interface ");
        let interfaces = lines(text).into_iter().filter(|line| !is_heading(line)).map(entry);
        Ok(Self { interfaces: interfaces.collect::<Result<_, _>>()? })
    }

    fn rows(&self) -> Vec<Row> {
        self.interfaces.iter().map(row).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let words = line.words();
    let &[interface, process, area, address, cost, state, neighbors] = words.as_slice() else {
        return Err(line.error("interface, process, area, address, cost, state, neighbors"));
    };
    let (full, all) = neighbors.split_once('/').ok_or_else(|| line.error("neighbors F/C"))?;
    Ok(Entry {
        interface: interface.to_owned(),
        process_id: line.value(process, "a process id")?,
        area: area.to_owned(),
        address: line.value(address, "an address with its length")?,
        cost: line.value(cost, "a cost")?,
        state: state.to_owned(),
        neighbors_full: line.value(full, "a count")?,
        neighbors: line.value(all, "a count")?,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(
            interface in arbitrary::short_interface(), process_id in any::<u16>(), area in arbitrary::word(&["0", "51", "0.0.0.10"]),
            address in arbitrary::network(), cost in any::<u16>(), state in arbitrary::word(&["DR", "BDR", "DROTH", "P2P", "LOOP"]),
            neighbors_full in 0u32..9, neighbors in 0u32..99,
        ) -> Entry {
            Entry { interface, process_id, area, address, cost, state, neighbors_full, neighbors }
        }
    }

    proptest! {
        #[test]
        fn round_trip(interfaces in prop::collection::vec(entry(), 0..6)) {
            let record = IpOspfInterfaceBrief { interfaces };
            prop_assert_eq!(IpOspfInterfaceBrief::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let line = "Gi1.10       2     0               10.0.12.1/24       1     BDR   1/1";
        let record = IpOspfInterfaceBrief::parse(line).unwrap();
        assert_eq!(record.render().lines().nth(1), Some(line));
    }
}
