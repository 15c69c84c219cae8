//! `show ip eigrp interfaces [detail]`.
//!
//! Row fields: `as_number`, `vrf`, `interface` (short name), `peers`, `mean_srtt` (ms), `pending_routes`; with `detail` also `hello_interval`,
//! `hold_time` (s), `split_horizon`, `hellos_sent`, `retransmissions`, `authentication` (`not set`, `md5`, `hmac-sha-256`), `key_chain`.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{heading, vrf_text};
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
    /// AS number.
    pub as_number: u16,
    /// VRF; `None` is the global table.
    pub vrf: Option<String>,
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
    /// Mean of their round trip times in ms.
    pub mean_srtt: u32,
    /// Routes that wait to be told.
    pub pending_routes: u32,
    /// What `detail` adds.
    #[serde(flatten)]
    pub detail: Option<Detail>,
}

/// What `detail` adds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Detail {
    /// In s.
    pub hello_interval: u32,
    /// In s.
    pub hold_time: u32,
    /// `ip split-horizon eigrp`.
    pub split_horizon: bool,
    /// Hellos sent.
    pub hellos_sent: u64,
    /// Packets sent again.
    pub retransmissions: u32,
    /// `not set`, `md5`, `hmac-sha-256`.
    pub authentication: String,
    /// The key chain.
    pub key_chain: Option<String>,
}

const COLUMNS: &str = "                              Xmit Queue   PeerQ        Mean   Pacing Time   Multicast    Pending\n\
    Interface              Peers  Un/Reliable  Un/Reliable  SRTT   Un/Reliable   Flow Timer   Routes\n";

impl Entry {
    fn render(&self, out: &mut String) {
        let Self { interface, peers, mean_srtt, pending_routes, detail } = self;
        out.push_str(&format!(
            "{interface:<22} {peers:>3}        0/0       0/0  {mean_srtt:>10}       0/0            0 {pending_routes:>11}\n"
        ));
        let Some(Detail { hello_interval, hold_time, split_horizon, hellos_sent, retransmissions, .. }) =
            detail
        else {
            return;
        };
        let split = if *split_horizon { "enabled" } else { "disabled" };
        out.push_str(&format!(
            "  Hello-interval is {hello_interval}, Hold-time is {hold_time}\n  Split-horizon is {split}\n  \
             Next xmit serial <none>\n  Packetized sent/expedited: 0/0\n  Hello's sent/expedited: {hellos_sent}/0\n  \
             Un/reliable mcasts: 0/0  Un/reliable ucasts: 0/0\n  Mcast exceptions: 0  CR packets: 0  ACKs suppressed: 0\n  \
             Retransmissions sent: {retransmissions}  Out-of-sequence rcvd: 0\n  Topology-ids on interface - 0 \n"
        ));
        if let Some(detail) = detail {
            match &detail.key_chain {
                Some(chain) => out.push_str(&format!(
                    "  Authentication mode is {},  key-chain is \"{chain}\"\n",
                    detail.authentication
                )),
                None => out.push_str(&format!("  Authentication mode is {}\n", detail.authentication)),
            }
        }
        out.push_str(
            "  Topologies advertised on this interface:  base\n  Topologies not advertised on this interface:\n\n",
        );
    }
}

impl Record for IpEigrpInterfaces {
    fn render(&self) -> String {
        let mut out = String::new();
        for Process { as_number, vrf, interfaces } in &self.processes {
            out.push_str(&format!(
                "EIGRP-IPv4 Interfaces for AS({as_number}){}\n{COLUMNS}",
                vrf_text(vrf.as_deref())
            ));
            interfaces.iter().for_each(|entry| entry.render(&mut out));
        }
        out
    }

    fn parse(text: &str) -> Result<Self, ParseError> {
        let mut record = Self::default();
        for line in lines(text) {
            if let Some((as_number, vrf)) = heading(line, "interfaces for") {
                record.processes.push(Process { as_number, vrf, interfaces: Vec::new() });
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
            let start = row(&json!({ "as_number": process.as_number, "vrf": process.vrf }));
            let with = |entry: &Entry| start.clone().into_iter().chain(row(entry)).collect();
            process.interfaces.iter().map(with).collect()
        };
        self.processes.iter().flat_map(of).collect()
    }
}

fn entry(line: Line<'_>) -> Result<Entry, ParseError> {
    let words = line.words();
    let &[interface, peers, _, _, srtt, _, _, pending] = words.as_slice() else {
        return Err(line.error("interface, peers, queues, SRTT, pacing, flow timer, pending routes"));
    };
    Ok(Entry {
        interface: interface.to_owned(),
        peers: line.value(peers, "a count")?,
        mean_srtt: line.value(srtt, "a time")?,
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
            hellos_sent: 0,
            retransmissions: 0,
            authentication: "not set".to_owned(),
            key_chain: None,
        });
        return Ok(());
    }
    let Some(detail) = detail else { return Ok(()) };
    if let Some([state]) = line.holes("Split-horizon is {}") {
        detail.split_horizon = state == "enabled";
    } else if let Some([sent, _]) = line.holes("Hello's sent/expedited: {}/{}") {
        detail.hellos_sent = line.value(sent, "a count")?;
    } else if let Some([sent, _]) = line.holes("Retransmissions sent: {} Out-of-sequence rcvd: {}") {
        detail.retransmissions = line.value(sent, "a count")?;
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

    use super::*;
    use crate::show::arbitrary;

    prop_compose! {
        fn entry()(
            interface in arbitrary::short_interface(), numbers in any::<[u32; 3]>(), details in prop::option::of((any::<[u32; 3]>(), any::<bool>(), any::<u64>())),
            key_chain in prop::option::of(arbitrary::name()),
        ) -> Entry {
            let detail = details.map(|([hello_interval, hold_time, retransmissions], split_horizon, hellos_sent)| Detail {
                hello_interval, hold_time, split_horizon, hellos_sent, retransmissions,
                authentication: if key_chain.is_some() { "md5" } else { "not set" }.to_owned(), key_chain: key_chain.clone(),
            });
            Entry { interface, peers: numbers[0], mean_srtt: numbers[1], pending_routes: numbers[2], detail }
        }
    }

    proptest! {
        #[test]
        fn round_trip(list in prop::collection::vec((any::<u16>(), prop::option::of(arbitrary::name()), prop::collection::vec(entry(), 0..4)), 0..3)) {
            let of = |(as_number, vrf, interfaces)| Process { as_number, vrf, interfaces };
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
