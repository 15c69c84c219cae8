//! `show ip eigrp neighbors [detail]`.
//!
//! Row fields: `as_number`, `name` (of named mode), `vrf`, `handle`, `address`, `interface` (short name), `hold` (s), `uptime` (s), `srtt`, `rto` (ms), `queue`, `sequence`;
//! with `detail` also `version`, `retransmissions`, `retries`, `prefixes`, `stub` (`CONNECTED SUMMARY`; null of a full router).

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use super::{Heading, heading};
use crate::show::age::Age;
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip eigrp neighbors`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpEigrpNeighbors {
    /// Processes by AS number.
    pub processes: Vec<Process>,
}

/// The neighbors of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Which.
    #[serde(flatten)]
    pub heading: Heading,
    /// Neighbors, the youngest first.
    pub neighbors: Vec<Neighbor>,
}

/// A neighbor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Neighbor {
    /// Its number here.
    pub handle: u32,
    /// Address.
    pub address: Ipv4Addr,
    /// Short name of the interface.
    pub interface: String,
    /// Seconds until it is given up.
    pub hold: u32,
    /// Since it was found.
    pub uptime: Age,
    /// Smooth round trip time in ms.
    pub srtt: u32,
    /// Retransmission timeout in ms.
    pub rto: u32,
    /// Packets that wait to be sent.
    pub queue: u32,
    /// Sequence number of its last packet.
    pub sequence: u32,
    /// What `detail` adds.
    #[serde(flatten)]
    pub detail: Option<Detail>,
}

/// What `detail` adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// `8.0/2.0`: of the software and of the TLVs.
    pub version: String,
    /// Packets sent again.
    pub retransmissions: u32,
    /// How often the packet under way was sent again.
    pub retries: u32,
    /// Prefixes that the neighbor has told.
    pub prefixes: u32,
    /// What a stub neighbor tells: `CONNECTED SUMMARY`.
    pub stub: Option<String>,
}

impl Neighbor {
    fn render(&self, out: &mut String) {
        let Self { handle, address, interface, hold, uptime, srtt, rto, queue, sequence, .. } = self;
        out.push_str(&format!(
            "{handle:<3} {address:<23} {interface:<22} {hold:>4} {uptime:<8} {srtt:>4} {rto:>5} {queue:>2}  {sequence}\n"
        ));
        if let Some(Detail { version, retransmissions, retries, prefixes, stub }) = &self.detail {
            out.push_str(&format!(
                "   Version {version}, Retrans: {retransmissions}, Retries: {retries}, Prefixes: {prefixes}\n"
            ));
            out.push_str("   Topology-ids from peer - 0 \n");
            if let Some(stub) = stub {
                out.push_str(&format!("   Stub Peer Advertising ({stub} ) Routes\n   Suppressing queries\n"));
            }
        }
    }
}

impl Record for IpEigrpNeighbors {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { heading, neighbors } in &self.processes {
            out.push_str(&format!("{}\n", heading.text("Neighbors for")));
            if !neighbors.is_empty() {
                out.push_str(
                    "H   Address                 Interface              Hold Uptime   SRTT   RTO  Q  Seq\n                                                   \
                     (sec)         (ms)       Cnt Num\n",
                );
            }
            neighbors.iter().for_each(|neighbor| neighbor.render(&mut out));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some(heading) = heading(line, "neighbors for") {
                record.processes.push(Process { heading, neighbors: Vec::new() });
                continue;
            }
            let process = record.processes.last_mut();
            let process = process.ok_or_else(|| line.error("`EIGRP-IPv4 Neighbors for AS(N)`"))?;
            if let Some([version, retransmissions, retries, prefixes]) =
                line.holes("Version {}, Retrans: {}, Retries: {}, Prefixes: {}")
            {
                let neighbor = process.neighbors.last_mut().ok_or_else(|| line.error("a neighbor"))?;
                neighbor.detail = Some(Detail {
                    version: version.to_owned(),
                    retransmissions: line.value(retransmissions, "a count")?,
                    retries: line.value(retries, "a count")?,
                    prefixes: line.value(prefixes, "a count")?,
                    stub: None,
                });
            } else if let Some([stub]) = line.holes("Stub Peer Advertising ({}) Routes") {
                if let Some(detail) = process.neighbors.last_mut().and_then(|n| n.detail.as_mut()) {
                    detail.stub = Some(stub.to_owned());
                }
            } else if line.text.starts_with(|c: char| c.is_ascii_digit()) {
                process.neighbors.push(neighbor(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |process: &Process| -> Vec<Row> {
            let start = row(&process.heading);
            let with = |neighbor: &Neighbor| start.clone().into_iter().chain(row(neighbor)).collect();
            process.neighbors.iter().map(with).collect()
        };
        self.processes.iter().flat_map(of).collect()
    }
}

fn neighbor(line: Line<'_>) -> Result<Neighbor, ParseError> {
    let words = line.words();
    let &[handle, address, interface, hold, uptime, srtt, rto, queue, sequence] = words.as_slice() else {
        return Err(line.error("handle, address, interface, hold, uptime, SRTT, RTO, queue, sequence"));
    };
    Ok(Neighbor {
        handle: line.value(handle, "a number")?,
        address: line.value(address, "an address")?,
        interface: interface.to_owned(),
        hold: line.value(hold, "seconds")?,
        uptime: line.value(uptime, "an age")?,
        srtt: line.value(srtt, "a time")?,
        rto: line.value(rto, "a time")?,
        queue: line.value(queue, "a count")?,
        sequence: line.value(sequence, "a number")?,
        detail: None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::heading;
    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn neighbor()(
            address in arbitrary::address(), interface in arbitrary::short_interface(), numbers in any::<[u16; 6]>(), uptime in arbitrary::age(),
            counts in prop::option::of(any::<[u32; 3]>()), stub in prop::option::of(arbitrary::word(&["CONNECTED SUMMARY", "RECEIVE-ONLY"])),
        ) -> Neighbor {
            let [handle, hold, srtt, rto, queue, sequence] = numbers.map(u32::from);
            let detail = counts.map(|[retransmissions, retries, prefixes]| Detail {
                version: "8.0/2.0".to_owned(), retransmissions, retries, prefixes, stub: stub.clone(),
            });
            Neighbor { handle, address, interface, hold, uptime, srtt, rto, queue, sequence, detail }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((heading(), prop::collection::vec(neighbor(), 0..4)), 0..3)) {
            let of = |(heading, neighbors)| Process { heading, neighbors };
            let record = IpEigrpNeighbors { processes: list.into_iter().map(of).collect() };
            prop_assert_eq!(IpEigrpNeighbors::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "EIGRP-IPv4 Neighbors for AS(545)\n\
            H   Address                 Interface              Hold Uptime   SRTT   RTO  Q  Seq\n                                                   \
            (sec)         (ms)       Cnt Num\n\
            2   10.205.205.11           Vl624                    10 3w2d        4   100  0  13336\n\
            11  10.1.1.122              Tu15                     44 1d01h     114   684  0  21930\n";
        assert_eq!(IpEigrpNeighbors::parse(text).unwrap().render(), text);
    }
}
