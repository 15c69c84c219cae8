//! `show ip ospf [N] neighbor`.
//!
//! Row fields: `neighbor_id`, `priority`, `state` (`FULL`, `2WAY`, ...), `role` (`DR`, `BDR`, `DROTHER`, `-`), `dead_time` (s),
//! `address`, `interface`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::show::age::{Age, hms};
use crate::show::text::{Line, lines, push_line};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf neighbor`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpOspfNeighbors {
    /// The neighbors, in the order of the device.
    pub neighbors: Vec<Entry>,
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Router id; `None` of a configured neighbor that was not heard yet.
    pub neighbor_id: Option<Ipv4Addr>,
    /// Router priority.
    pub priority: u8,
    /// State in IOS's capitals.
    pub state: String,
    /// `DR`, `BDR`, `DROTHER`, or `-` where there is no election.
    pub role: String,
    /// Seconds until the neighbor is declared dead; `None` where hellos are suppressed.
    pub dead_time: Option<u64>,
    /// Address of the neighbor's interface.
    pub address: Ipv4Addr,
    /// Full name of the local interface, or `OSPF_VL0`.
    pub interface: String,
}

impl Record for IpOspfNeighbors {
    fn render(&self) -> String {
        let mut out = String::new();
        if self.neighbors.is_empty() {
            return out;
        }
        push_line(&mut out, "");
        push_line(&mut out, "Neighbor ID     Pri   State           Dead Time   Address         Interface");
        for n in &self.neighbors {
            let state = format!("{}/{}", n.state, if n.role == "-" { "  -" } else { &n.role });
            let dead = n.dead_time.map_or_else(|| "   -".to_owned(), hms);
            let id = n.neighbor_id.map_or_else(|| "N/A".to_owned(), |id| id.to_string());
            push_line(
                &mut out,
                &format!(
                    "{id:<15} {:>3}   {state:<15} {dead:<11} {:<15} {}",
                    n.priority, n.address, n.interface
                ),
            );
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            let start = line.text.trim_start();
            if !start.starts_with("Neighbor ID") && !start.starts_with('%') {
                record.neighbors.push(entry(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.neighbors.iter().map(row).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let spaced = line.text.replacen("N/A", "-", 1).replace('/', "/ ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let [id, priority, state, role, dead, address, interface @ ..] = words.as_slice() else {
        return Err(line.error("id, priority, state, dead time, address, interface"));
    };
    let state = state.strip_suffix('/').ok_or_else(|| line.error("STATE/ROLE"))?;
    let dead_time = match *dead {
        "-" => None,
        dead => {
            Some(line.value::<Age>(dead, "a dead time").map_err(|_| line.error("a dead time"))?.as_secs())
        }
    };
    if interface.is_empty() {
        return Err(line.error("an interface"));
    }
    Ok(Entry {
        neighbor_id: if *id == "-" { None } else { Some(line.value(id, "a router id")?) },
        priority: line.value(priority, "a priority")?,
        state: state.to_owned(),
        role: (*role).to_owned(),
        dead_time,
        address: line.value(address, "an address")?,
        interface: interface.concat(),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((
            prop::option::of(any::<u32>()), any::<u8>(),
            prop::sample::select(vec!["FULL", "2WAY", "EXSTART", "INIT", "DOWN"]),
            prop::sample::select(vec!["DR", "BDR", "DROTHER", "-"]),
            prop::option::of(0u64..86_400), any::<u32>(),
            "(GigabitEthernet|Serial)[0-9]/[0-9](\\.[0-9]{1,3})?|OSPF_VL[0-9]",
        ), 0..6)) {
            let neighbors = list.into_iter().map(|(id, priority, state, role, dead_time, address, interface)| Entry {
                neighbor_id: id.map(Ipv4Addr::from), priority, state: state.to_owned(), role: role.to_owned(),
                dead_time, address: address.into(), interface,
            }).collect();
            let record = IpOspfNeighbors { neighbors };
            prop_assert_eq!(IpOspfNeighbors::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let record = IpOspfNeighbors {
            neighbors: vec![Entry {
                neighbor_id: Some(Ipv4Addr::new(10, 0, 0, 1)),
                priority: 0,
                state: "FULL".to_owned(),
                role: "-".to_owned(),
                dead_time: Some(32),
                address: Ipv4Addr::new(10, 0, 1, 1),
                interface: "Serial0/0".to_owned(),
            }],
        };
        assert_eq!(
            record.render().lines().nth(2),
            Some("10.0.0.1          0   FULL/  -        00:00:32    10.0.1.1        Serial0/0")
        );
    }
}
