//! Access lists at interfaces (`ip access-group`): verdicts on packets, counters, log entries.
//!
//! As on IOS, the list `in` sees every packet that comes in, for this router or not; the list `out` sees what is forwarded but not what
//! this router makes itself.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::receive::Received;
use crate::config::RouterConfig;
use crate::ids::{IfIndex, MacAddress};
use crate::interface::InterfaceName;
use crate::log::LogEvent;
use crate::policy::{AccessList, AclLog, PacketFields, Permission};
use crate::process::IpProtocol;
use crate::router::Router;
use crate::time::Time;
use crate::wire::Ipv4Header;

/// How often packets of a flow are reported after the first one.
const REPORT_INTERVAL: Duration = Duration::from_secs(300);

/// How many flows are followed; packets of further ones are only counted as missed.
const MOST_FLOWS: usize = 256;

/// Which packets pass: `in` or `out`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    In,
    Out,
}

/// Packets that an access list logs together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AclFlow {
    /// The name of the list.
    pub list: String,
    /// What became of the packets.
    pub action: Permission,
    /// Their source.
    pub source: Ipv4Addr,
    /// What an extended list sees besides; a standard one looks at sources only.
    pub extended: Option<ExtendedFlow>,
}

/// What an extended list sees of packets that it logs together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ExtendedFlow {
    /// Their protocol.
    pub protocol: IpProtocol,
    /// Their destination.
    pub destination: Ipv4Addr,
    /// Their ports, or type and code of ICMP.
    pub numbers: Option<(u16, u16)>,
    /// `log-input`: the interface they came in by, and the sender's hardware address.
    pub input: Option<(InterfaceName, Option<MacAddress>)>,
}

impl AclFlow {
    fn of(
        name: &str,
        list: &AccessList,
        action: Permission,
        packet: &PacketFields,
        input: Option<(InterfaceName, Option<MacAddress>)>,
    ) -> Self {
        let icmp = packet.icmp.map(|(kind, code)| (u16::from(kind), u16::from(code)));
        let extended = ExtendedFlow {
            protocol: packet.protocol,
            destination: packet.destination,
            numbers: packet.ports.or(icmp),
            input,
        };
        let is_extended = matches!(list, AccessList::Extended(_));
        Self {
            list: name.to_owned(),
            action,
            source: packet.source,
            extended: is_extended.then_some(extended),
        }
    }
}

/// What access lists have counted and not yet reported.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FilterState {
    /// Matches by list and sequence number.
    matches: BTreeMap<String, BTreeMap<u32, u64>>,
    /// When a flow is reported next, and how many packets since it last was.
    flows: BTreeMap<AclFlow, (Time, u64)>,
    /// Packets that should have been logged but were not.
    missed: u64,
}

impl FilterState {
    /// A packet has matched a line.
    fn count(&mut self, list: &str, line: u32) {
        // The name is copied only once: this is done for each packet.
        if !self.matches.contains_key(list) {
            self.matches.insert(list.to_owned(), BTreeMap::new());
        }
        if let Some(of_list) = self.matches.get_mut(list) {
            *of_list.entry(line).or_insert(0) += 1;
        }
    }

    pub(super) fn next_deadline(&self) -> Option<Time> {
        self.flows.values().map(|&(at, _)| at).min()
    }
}

impl PacketFields {
    /// What access lists look at in a packet.
    #[must_use]
    pub fn of(header: &Ipv4Header, payload: &[u8]) -> Self {
        let is_later_fragment = header.fragment_offset > 0;
        let octet = |at: usize| payload.get(at).copied();
        let port = |at: usize| Some(u16::from_be_bytes([octet(at)?, octet(at + 1)?]));
        let has_ports = matches!(header.protocol, IpProtocol::TCP | IpProtocol::UDP) && !is_later_fragment;
        let is_icmp = header.protocol == IpProtocol::ICMP && !is_later_fragment;
        Self {
            source: header.source,
            destination: header.destination,
            protocol: header.protocol,
            ports: if has_ports { port(0).zip(port(2)) } else { None },
            tcp_flags: if has_ports && header.protocol == IpProtocol::TCP {
                octet(13).unwrap_or(0)
            } else {
                0
            },
            icmp: if is_icmp { octet(0).zip(octet(1)) } else { None },
            tos: header.tos,
            is_later_fragment,
        }
    }
}

impl Router {
    /// Whether the access list of an interface lets a packet pass. It counts and logs.
    pub(super) fn filter_permits(
        &mut self,
        now: Time,
        interface: IfIndex,
        direction: Direction,
        packet: &Received<'_>,
    ) -> bool {
        // The usual case, asked for each packet: without lists no interface can have one that exists.
        if self.config.policy.access_lists.is_empty() {
            return true;
        }
        let config = Arc::clone(&self.config);
        let Some(name) = self.access_group(&config, interface, direction) else { return true };
        let fields = PacketFields::of(packet.header, packet.payload);
        self.list_permits(now, name, &fields, Some((packet.interface, packet.sender)))
    }

    /// Whether an access list permits something; one that does not exist permits all. It counts and logs.
    pub(crate) fn list_permits(
        &mut self,
        now: Time,
        name: &str,
        fields: &PacketFields,
        input: Option<(IfIndex, Option<MacAddress>)>,
    ) -> bool {
        let config = Arc::clone(&self.config);
        let Some(list) = config.policy.access_lists.get(name) else { return true };
        let verdict = list.evaluate(fields, |range| config.policy.is_time_range_active(range, now));
        if let Some(line) = verdict.line {
            self.forwarding.filter.count(name, line);
        }
        if let Some(log) = verdict.log {
            let input = input
                .filter(|_| log == AclLog::LogInput)
                .and_then(|(interface, sender)| Some((self.interfaces.get(interface)?.name, sender)));
            self.log_match(now, AclFlow::of(name, list, verdict.action, fields, input));
        }
        verdict.action.is_permit()
    }

    fn access_group<'c>(
        &self,
        config: &'c RouterConfig,
        interface: IfIndex,
        direction: Direction,
    ) -> Option<&'c str> {
        let settings = config.interfaces.get(&self.interfaces.get(interface)?.name)?;
        match direction {
            Direction::In => settings.access_group_in.as_deref(),
            Direction::Out => settings.access_group_out.as_deref(),
        }
    }

    /// The first packet of a flow is logged at once, those behind it together after five minutes.
    fn log_match(&mut self, now: Time, flow: AclFlow) {
        let filter = &mut self.forwarding.filter;
        if let Some((_, packets)) = filter.flows.get_mut(&flow) {
            *packets += 1;
        } else if filter.flows.len() < MOST_FLOWS {
            filter.flows.insert(flow.clone(), (now + REPORT_INTERVAL, 0));
            self.write_log(now, LogEvent::AccessList { flow, packets: 1 });
        } else {
            filter.missed += 1;
        }
    }

    /// Reports the flows whose time has come; those without a packet in the meantime are forgotten.
    pub(crate) fn run_filter_timers(&mut self, now: Time) {
        let filter = &mut self.forwarding.filter;
        if filter.next_deadline().is_none_or(|at| at > now) {
            return;
        }
        let mut events = Vec::new();
        for (flow, (at, packets)) in filter.flows.iter_mut().filter(|(_, (at, _))| *at <= now) {
            if *packets > 0 {
                events.push(LogEvent::AccessList { flow: flow.clone(), packets: *packets });
                (*at, *packets) = (now + REPORT_INTERVAL, 0);
            }
        }
        filter.flows.retain(|_, (at, _)| *at > now);
        if filter.missed > 0 {
            events.push(LogEvent::AccessListMissed { packets: std::mem::take(&mut filter.missed) });
        }
        events.into_iter().for_each(|event| self.write_log(now, event));
    }

    /// How many packets an entry of an access list has matched at interfaces.
    #[must_use]
    pub fn access_list_matches(&self, list: &str, sequence: u32) -> u64 {
        let of_list = self.forwarding.filter.matches.get(list);
        of_list.and_then(|entries| entries.get(&sequence)).copied().unwrap_or(0)
    }

    /// `clear access-list counters [NAME]`.
    pub fn clear_access_list_counters(&mut self, only: Option<&str>) {
        self.forwarding.filter.matches.retain(|list, _| only.is_some_and(|name| name != list));
    }

    /// Counters go with their entries: to another number where a list was numbered anew, and away with those that are no more.
    pub(crate) fn reconcile_filter_counters(&mut self, before: &RouterConfig) {
        let (old, new) = (&before.policy.access_lists, &self.config.policy.access_lists);
        self.forwarding.filter.matches.retain(|name, counts| {
            let Some(list) = new.get(name) else { return false };
            if let Some(was) = old.get(name).filter(|was| *was != list) {
                let moved = |(&sequence, &count): (&u32, &u64)| Some((list.successor(was, sequence)?, count));
                *counts = counts.iter().filter_map(moved).collect();
            }
            true
        });
    }
}
