//! `show ip eigrp interfaces [detail]`.
//!
//! Row fields: `as_number`, `name` (of named mode), `vrf`, `interface` (short name), `peers`, `peer_queue`, `mean_srtt`, `pacing`, `flow_timer` (ms), `pending_routes`; with
//! `detail` also `hello_interval`,
//! `hold_time` (s), `split_horizon`, `packetized`, `hellos_sent`, `hellos_expedited`, `unreliable_multicasts`, `reliable_multicasts`,
//! `unreliable_unicasts`, `reliable_unicasts`, `multicast_exceptions`, `conditional_receive`, `acknowledgments_suppressed`, `retransmissions`,
//! `out_of_sequence`, `authentication` (`not set`, `md5`, `hmac-sha-256`), `key_chain`.

use serde::{Deserialize, Serialize};

use super::{Heading, heading};
use crate::show::text::{Line, lines};
use crate::show::{ParseError, Record, Row, row};

/// The record of `show ip eigrp interfaces`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpEigrpInterfaces {
    /// Processes by AS number.
    pub processes: Vec<Process>,
}

/// The interfaces of a process.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Process {
    /// Which.
    #[serde(flatten)]
    pub heading: Heading,
    /// Interfaces that are not passive.
    pub interfaces: Vec<Entry>,
}

/// An interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Short name.
    pub interface: String,
    /// Neighbors.
    pub peers: u32,
    /// Reliable packets that wait in the queues of neighbors.
    pub peer_queue: u32,
    /// Mean of their round trip times in ms.
    pub mean_srtt: u32,
    /// The gap after a reliable packet of full size in ms.
    pub pacing: u32,
    /// How long a multicast waits for all acknowledgments, in ms.
    pub flow_timer: u32,
    /// Routes that wait to be told.
    pub pending_routes: u32,
    /// What `detail` adds.
    #[serde(flatten)]
    pub detail: Option<Detail>,
}

/// What `detail` adds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// In s.
    pub hello_interval: u32,
    /// In s.
    pub hold_time: u32,
    /// `ip split-horizon eigrp`.
    pub split_horizon: bool,
    /// Packets made of changed routes.
    pub packetized: u64,
    /// Hellos sent.
    pub hellos_sent: u64,
    /// Hellos sent at once because of a new neighbor.
    pub hellos_expedited: u64,
    /// Unreliable multicasts other than hellos.
    pub unreliable_multicasts: u64,
    /// Reliable multicasts.
    pub reliable_multicasts: u64,
    /// Acknowledgments.
    pub unreliable_unicasts: u64,
    /// Reliable unicasts.
    pub reliable_unicasts: u64,
    /// Multicasts that had to be sent to one neighbor alone.
    pub multicast_exceptions: u64,
    /// Multicasts for those in conditional receive mode.
    pub conditional_receive: u64,
    /// Acknowledgments that another packet carried.
    pub acknowledgments_suppressed: u64,
    /// Packets sent again.
    pub retransmissions: u64,
    /// Packets received twice or out of order.
    pub out_of_sequence: u64,
    /// `not set`, `md5`, `hmac-sha-256`.
    pub authentication: String,
    /// The key chain.
    pub key_chain: Option<String>,
}

const COLUMNS: &str = "                              Xmit Queue   PeerQ        Mean   Pacing Time   Multicast    Pending\n\
    Interface              Peers  Un/Reliable  Un/Reliable  SRTT   Un/Reliable   Flow Timer   Routes\n";

impl Entry {
    fn render(&self, out: &mut String) {
        let Self { interface, peers, peer_queue, mean_srtt, pacing, flow_timer, pending_routes, detail } =
            self;
        let (queue, pacing) = (format!("0/{peer_queue}"), format!("0/{pacing}"));
        out.push_str(&format!(
            "{interface:<22} {peers:>3}        0/0       {queue:<4} {mean_srtt:>10}       {pacing:<8} {flow_timer:>7} {pending_routes:>11}\n"
        ));
        if let Some(detail) = detail {
            detail.render(out);
        }
    }
}

impl Detail {
    fn render(&self, out: &mut String) {
        let split = if self.split_horizon { "enabled" } else { "disabled" };
        out.push_str(&format!(
            "  Hello-interval is {}, Hold-time is {}\n  Split-horizon is {split}\n  Next xmit serial <none>\n  \
             Packetized sent/expedited: {}/0\n  Hello's sent/expedited: {}/{}\n",
            self.hello_interval, self.hold_time, self.packetized, self.hellos_sent, self.hellos_expedited
        ));
        out.push_str(&format!(
            "  Un/reliable mcasts: {}/{}  Un/reliable ucasts: {}/{}\n  \
             Mcast exceptions: {}  CR packets: {}  ACKs suppressed: {}\n  \
             Retransmissions sent: {}  Out-of-sequence rcvd: {}\n  Topology-ids on interface - 0 \n",
            self.unreliable_multicasts,
            self.reliable_multicasts,
            self.unreliable_unicasts,
            self.reliable_unicasts,
            self.multicast_exceptions,
            self.conditional_receive,
            self.acknowledgments_suppressed,
            self.retransmissions,
            self.out_of_sequence
        ));
        let chain =
            self.key_chain.as_ref().map_or(String::new(), |chain| format!(",  key-chain is \"{chain}\""));
        out.push_str(&format!(
            "  Authentication mode is {}{chain}\n  Topologies advertised on this interface:  base\n  \
             Topologies not advertised on this interface:\n\n",
            self.authentication
        ));
    }
}

impl Record for IpEigrpInterfaces {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { heading, interfaces } in &self.processes {
            out.push_str(&format!("{}\n{COLUMNS}", heading.text("Interfaces for")));
            interfaces.iter().for_each(|entry| entry.render(&mut out));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some(heading) = heading(line, "interfaces for") {
                record.processes.push(Process { heading, interfaces: Vec::new() });
                continue;
            }
            let process = record.processes.last_mut();
            let process = process.ok_or_else(|| line.error("`EIGRP-IPv4 Interfaces for AS(N)`"))?;
            let first = line.text.trim_start();
            if first.starts_with("Xmit Queue") || first.starts_with("Interface ") || first.starts_with("VRF(")
            {
                // Headings.
            } else if line.is_indented() {
                let entry = process.interfaces.last_mut().ok_or_else(|| line.error("an interface"))?;
                read_detail(line, &mut entry.detail)?;
            } else {
                process.interfaces.push(entry(line)?);
            }
        }
        Ok(record)
    }

    fn rows(&self) -> Vec<Row> {
        let of = |process: &Process| -> Vec<Row> {
            let start = row(&process.heading);
            let with = |entry: &Entry| start.clone().into_iter().chain(row(entry)).collect();
            process.interfaces.iter().map(with).collect()
        };
        self.processes.iter().flat_map(of).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let words = line.words();
    let &[interface, peers, _, queue, srtt, pacing, flow, pending] = words.as_slice() else {
        return Err(line.error("interface, peers, queues, SRTT, pacing, flow timer, pending routes"));
    };
    let reliable = |pair: &str| {
        let (_, reliable) = pair.split_once('/').ok_or_else(|| line.error("UNRELIABLE/RELIABLE"))?;
        line.value(reliable, "a number")
    };
    Ok(Entry {
        interface: interface.to_owned(),
        peers: line.value(peers, "a count")?,
        peer_queue: reliable(queue)?,
        mean_srtt: line.value(srtt, "a time")?,
        pacing: reliable(pacing)?,
        flow_timer: line.value(flow, "a time")?,
        pending_routes: line.value(pending, "a count")?,
        detail: None,
    })
}

/// Takes in a line of details; what has no field here is passed over.
fn read_detail(line: Line<'_>, detail: &mut Option<Detail>) -> Result<(), ParseError> {
    if let Some([hello, hold]) = line.holes("Hello-interval is {}, Hold-time is {}") {
        *detail = Some(Detail {
            hello_interval: line.value(hello, "seconds")?,
            hold_time: line.value(hold, "seconds")?,
            split_horizon: true,
            authentication: "not set".to_owned(),
            ..Detail::default()
        });
        return Ok(());
    }
    let Some(detail) = detail else { return Ok(()) };
    if let Some([state]) = line.holes("Split-horizon is {}") {
        detail.split_horizon = state == "enabled";
    } else if let Some([sent, _]) = line.holes("Packetized sent/expedited: {}/{}") {
        detail.packetized = line.value(sent, "a count")?;
    } else if let Some([sent, expedited]) = line.holes("Hello's sent/expedited: {}/{}") {
        detail.hellos_sent = line.value(sent, "a count")?;
        detail.hellos_expedited = line.value(expedited, "a count")?;
    } else if let Some([unreliable, reliable, acknowledgments, unicasts]) =
        line.holes("Un/reliable mcasts: {}/{} Un/reliable ucasts: {}/{}")
    {
        detail.unreliable_multicasts = line.value(unreliable, "a count")?;
        detail.reliable_multicasts = line.value(reliable, "a count")?;
        detail.unreliable_unicasts = line.value(acknowledgments, "a count")?;
        detail.reliable_unicasts = line.value(unicasts, "a count")?;
    } else if let Some([exceptions, conditional, suppressed]) =
        line.holes("Mcast exceptions: {} CR packets: {} ACKs suppressed: {}")
    {
        detail.multicast_exceptions = line.value(exceptions, "a count")?;
        detail.conditional_receive = line.value(conditional, "a count")?;
        detail.acknowledgments_suppressed = line.value(suppressed, "a count")?;
    } else if let Some([sent, disordered]) = line.holes("Retransmissions sent: {} Out-of-sequence rcvd: {}") {
        detail.retransmissions = line.value(sent, "a count")?;
        detail.out_of_sequence = line.value(disordered, "a count")?;
    } else if let Some([mode]) = line.holes("Authentication mode is {}") {
        let (mode, chain) = mode.split_once(',').map_or((mode, None), |(mode, rest)| (mode, Some(rest)));
        detail.authentication = mode.to_owned();
        let chain = chain.and_then(|rest| rest.trim().strip_prefix("key-chain is "));
        detail.key_chain = chain.map(|chain| chain.trim_matches('"').to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::heading;
    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(
            interface in arbitrary::short_interface(), numbers in any::<[u32; 6]>(), details in prop::option::of((any::<[u32; 2]>(), any::<bool>(), any::<[u64; 12]>())),
            key_chain in prop::option::of(arbitrary::name()),
        ) -> Entry {
            let detail = details.map(|([hello_interval, hold_time], split_horizon, counts)| Detail {
                hello_interval, hold_time, split_horizon, packetized: counts[0], hellos_sent: counts[1], hellos_expedited: counts[2],
                unreliable_multicasts: counts[3], reliable_multicasts: counts[4], unreliable_unicasts: counts[5], reliable_unicasts: counts[6],
                multicast_exceptions: counts[7], conditional_receive: counts[8], acknowledgments_suppressed: counts[9],
                retransmissions: counts[10], out_of_sequence: counts[11],
                authentication: if key_chain.is_some() { "md5" } else { "not set" }.to_owned(), key_chain: key_chain.clone(),
            });
            let [peers, peer_queue, mean_srtt, pacing, flow_timer, pending_routes] = numbers;
            Entry { interface, peers, peer_queue, mean_srtt, pacing, flow_timer, pending_routes, detail }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((heading(), prop::collection::vec(entry(), 0..4)), 0..3)) {
            let of = |(heading, interfaces)| Process { heading, interfaces };
            let record = IpEigrpInterfaces { processes: list.into_iter().map(of).collect() };
            prop_assert_eq!(IpEigrpInterfaces::parse(&record.render()), Ok(record));
        }
    }

    #[test]
    fn columns_stand_where_ios_puts_them() {
        let text = "EIGRP-IPv4 Interfaces for AS(1)\n\
            \x20                             Xmit Queue   PeerQ        Mean   Pacing Time   Multicast    Pending\n\
            Interface              Peers  Un/Reliable  Un/Reliable  SRTT   Un/Reliable   Flow Timer   Routes\n\
            Gi1                      1        0/0       0/0          20       0/0            0           0\n";
        assert_eq!(IpEigrpInterfaces::parse(text).unwrap().render(), text);
    }
}
