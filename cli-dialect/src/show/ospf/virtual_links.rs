//! `show ip ospf [N] virtual-links`.
//!
//! Row fields: `interface` (`OSPF_VL0`), `peer`, `up`, `transit_area`, `via` (interface; null while down), `cost`, `transmit_delay`, `state`,
//! `hello`, `dead`, `wait`, `retransmit` (s), `hello_due` (s), `adjacency` (`FULL`; null without), `retransmission_queue`, `retransmissions`.

use std::net::Ipv4Addr;

use serde::{Deserialize, Serialize};

use crate::show::age::{Age, hms};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip ospf virtual-links`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OspfVirtualLinks {
    /// The links by number.
    pub links: Vec<VirtualLink>,
}

/// A virtual link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VirtualLink {
    /// `OSPF_VL0`.
    pub interface: String,
    /// The router at the other end.
    pub peer: Ipv4Addr,
    /// There is a way to it.
    pub up: bool,
    /// The transit area, as it was configured.
    pub transit_area: String,
    /// Full name of the interface by which the way goes.
    pub via: Option<String>,
    /// Cost of the way.
    pub cost: u32,
    /// In s.
    pub transmit_delay: u32,
    /// `POINT_TO_POINT` or `DOWN`.
    pub state: String,
    /// HelloInterval in s.
    pub hello: u32,
    /// RouterDeadInterval in s.
    pub dead: u32,
    /// In s.
    pub wait: u32,
    /// RxmtInterval in s.
    pub retransmit: u32,
    /// Seconds until the next hello.
    pub hello_due: Option<u64>,
    /// State of the neighbor.
    pub adjacency: Option<String>,
    /// LSAs that it has not acknowledged.
    pub retransmission_queue: u32,
    /// Retransmissions so far.
    pub retransmissions: u32,
}

impl VirtualLink {
    fn named(interface: &str, peer: Ipv4Addr, up: bool) -> Self {
        Self {
            interface: interface.to_owned(),
            peer,
            up,
            transit_area: String::new(),
            via: None,
            cost: 0,
            transmit_delay: 0,
            state: String::new(),
            hello: 0,
            dead: 0,
            wait: 0,
            retransmit: 0,
            hello_due: None,
            adjacency: None,
            retransmission_queue: 0,
            retransmissions: 0,
        }
    }

    fn render(&self, out: &mut String) {
        let Self { interface, peer, transit_area, cost, .. } = self;
        let state = if self.up { "up" } else { "down" };
        let via = self.via.as_ref().map_or_else(String::new, |via| format!(", via interface {via}"));
        out.push_str(&format!(
            "Virtual Link {interface} to router {peer} is {state}\n  Transit area {transit_area}{via}\n \
             Topology-MTID    Cost    Disabled     Shutdown      Topology Name\n        \
             0           {cost:<5}     no          no            Base\n  \
             Transmit Delay is {} sec, State {},\n  \
             Timer intervals configured, Hello {}, Dead {}, Wait {}, Retransmit {}\n",
            self.transmit_delay, self.state, self.hello, self.dead, self.wait, self.retransmit
        ));
        if let Some(due) = self.hello_due {
            out.push_str(&format!("    Hello due in {}\n", hms(due)));
        }
        if let Some(adjacency) = &self.adjacency {
            out.push_str(&format!(
                "    Adjacency State {adjacency}\n    \
                 Index 1/1, retransmission queue length {}, number of retransmission {}\n    \
                 First 0x0(0)/0x0(0) Next 0x0(0)/0x0(0)\n    \
                 Last retransmission scan length is 0, maximum is 0\n    \
                 Last retransmission scan time is 0 msec, maximum is 0 msec\n",
                self.retransmission_queue, self.retransmissions
            ));
        }
    }

    /// Takes in a line about this link; what has no field here is passed over.
    fn read(&mut self, line: Line<'_>) -> Result<(), ParseError> {
        if let Some([area]) = line.holes("Transit area {}") {
            let (area, via) = area.split_once(", via interface ").map_or((area, None), |(a, v)| (a, Some(v)));
            self.transit_area = area.to_owned();
            self.via = via.map(|via| via.split(',').next().unwrap_or(via).to_owned());
        } else if let Some([delay, state]) = line.holes("Transmit Delay is {} sec, State {}") {
            self.transmit_delay = line.value(delay, "seconds")?;
            self.state = state.trim_end_matches(',').to_owned();
        } else if let Some([hello, dead, wait, retransmit]) =
            line.holes("Timer intervals configured, Hello {}, Dead {}, Wait {}, Retransmit {}")
        {
            self.hello = line.value(hello, "an interval")?;
            self.dead = line.value(dead, "an interval")?;
            self.wait = line.value(wait, "an interval")?;
            self.retransmit = line.value(retransmit, "an interval")?;
        } else if let Some([due]) = line.holes("Hello due in {}") {
            self.hello_due = due.parse::<Age>().ok().map(Age::as_secs);
        } else if let Some([adjacency]) = line.holes("Adjacency State {}") {
            self.adjacency = adjacency.split(' ').next().map(str::to_owned);
        } else if let Some([_, queue, count]) =
            line.holes("Index {}, retransmission queue length {}, number of retransmission {}")
        {
            self.retransmission_queue = line.value(queue, "a count")?;
            self.retransmissions = line.value(count, "a count")?;
        } else if let Some([_, cost, ..]) = line.holes::<4>("{} {} {} {} Base") {
            self.cost = line.value(cost, "a cost")?;
        }
        Ok(())
    }
}

impl Record for OspfVirtualLinks {
    fn render(&self) -> String {
        let mut out = String::new();
        self.links.iter().for_each(|link| link.render(&mut out));
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some([interface, peer, state]) = line.holes("Virtual Link {} to router {} is {}") {
                let peer = line.value(peer, "a router id")?;
                record.links.push(VirtualLink::named(interface, peer, state == "up"));
            } else {
                let link = record.links.last_mut();
                link.ok_or_else(|| line.error("`Virtual Link OSPF_VL0 to router A is up`"))?.read(line)?;
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        self.links.iter().map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn link()(peer in arbitrary::address(), via in prop::option::of(arbitrary::interface()), cost in any::<u32>(), times in any::<[u32; 5]>(),
            hello_due in prop::option::of(0u64..86_400), adjacency in prop::option::of(arbitrary::word(&["FULL", "INIT"])), counts in any::<[u32; 2]>()) -> VirtualLink {
            let [transmit_delay, hello, dead, wait, retransmit] = times;
            let counts = if adjacency.is_some() { counts } else { [0, 0] };
            VirtualLink {
                transit_area: "1".to_owned(), via, cost, transmit_delay, hello, dead, wait, retransmit, hello_due, adjacency,
                state: "POINT_TO_POINT".to_owned(), retransmission_queue: counts[0], retransmissions: counts[1],
                ..VirtualLink::named("OSPF_VL0", peer, true)
            }
        }
    }

    proptest! {
        #[test]
        fn round_trip(links in prop::collection::vec(link(), 0..4)) {
            let record = OspfVirtualLinks { links };
            prop_assert_eq!(OspfVirtualLinks::parse(&record.render()), Ok(record));
        }
    }
}
