//! Policy-based routing: `ip policy route-map` at interfaces, `ip local policy route-map` for what this router makes itself.
//!
//! The entries of the route map are gone through in order. One that matches the packet has its `set` lines tried in IOS's order: next hops,
//! interfaces, and where the routing table has no route but the default one, default next hops and default interfaces. A `deny` entry, and
//! a packet that no entry matches, are routed as usual, and so is a packet for which no `set` line leads anywhere.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::config::RouterConfig;
use crate::ids::{IfIndex, VrfId};
use crate::interface::{InterfaceKind, InterfaceName, Medium};
use crate::policy::{MatchClauses, PacketFields, RouteMap, RouteMapEntry, SetNextHop};
use crate::rib::{ForwardingDecision, TableId, flow_hash};
use crate::router::Router;
use crate::time::Time;
use crate::wire::Ipv4Header;

/// Packets and octets that entries of route maps have routed, by map and sequence number.
pub(super) type PolicyCounters = BTreeMap<String, BTreeMap<u16, (u64, u64)>>;

/// What a route map says of a packet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct PolicyVerdict {
    /// Where it goes; `None` is the routing table's business.
    pub way: Option<PolicyWay>,
    /// The type of service octet that it shall have.
    pub tos: Option<u8>,
}

/// Where a packet goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum PolicyWay {
    /// Out of an interface.
    Out(IfIndex, Ipv4Addr),
    /// Nowhere: `set interface Null0`.
    Discard,
}

/// A packet as policies see it.
struct Packet<'a> {
    vrf: VrfId,
    header: &'a Ipv4Header,
    payload: &'a [u8],
}

impl Packet<'_> {
    fn length(&self) -> u32 {
        u32::try_from(self.header.header_len() + self.payload.len()).unwrap_or(u32::MAX)
    }
}

impl Router {
    /// What the policy of the interface that a packet has come in by says.
    pub(super) fn interface_policy(
        &mut self,
        now: Time,
        interface: IfIndex,
        header: &Ipv4Header,
        payload: &[u8],
    ) -> PolicyVerdict {
        let config = Arc::clone(&self.config);
        let Some(ingress) = self.interfaces.get(interface) else { return PolicyVerdict::default() };
        let (vrf, settings) = (ingress.vrf, config.interfaces.get(&ingress.name));
        match settings.and_then(|settings| settings.policy_route_map.as_deref()) {
            Some(name) => self.policy(now, &config, name, &Packet { vrf, header, payload }),
            None => PolicyVerdict::default(),
        }
    }

    /// What the policy for packets of this router says.
    pub(super) fn local_policy(
        &mut self,
        now: Time,
        vrf: VrfId,
        header: &Ipv4Header,
        payload: &[u8],
    ) -> PolicyVerdict {
        let config = Arc::clone(&self.config);
        match config.local_policy.as_deref().filter(|_| vrf == VrfId::GLOBAL) {
            Some(name) => self.policy(now, &config, name, &Packet { vrf, header, payload }),
            None => PolicyVerdict::default(),
        }
    }

    fn policy(&mut self, now: Time, config: &RouterConfig, name: &str, packet: &Packet<'_>) -> PolicyVerdict {
        let Some(RouteMap { entries, .. }) = config.policy.route_maps.get(name) else {
            return PolicyVerdict::default();
        };
        let fields = PacketFields::of(packet.header, packet.payload);
        let found =
            entries.iter().find(|(_, entry)| matches(now, config, &entry.matches, &fields, packet.length()));
        let Some((&sequence, entry)) = found.filter(|(_, entry)| entry.action.is_permit()) else {
            return PolicyVerdict::default();
        };
        let of_map = self.forwarding.policies.entry(name.to_owned()).or_default();
        let (packets, octets) = of_map.entry(sequence).or_insert((0, 0));
        *packets += 1;
        *octets += u64::from(packet.length());
        self.ask_for_next_hops(now, &entry.sets.next_hop, packet.vrf);
        PolicyVerdict { way: self.way(entry, packet), tos: tos(entry, packet.header.tos) }
    }

    /// The first `set` line that leads somewhere.
    fn way(&self, entry: &RouteMapEntry, packet: &Packet<'_>) -> Option<PolicyWay> {
        let set = &entry.sets;
        let explicit = self
            .policy_next_hop(&set.next_hop, packet.vrf)
            .or_else(|| set.interfaces.iter().find_map(|name| self.out_of(*name, packet)));
        if explicit.is_some() || self.has_explicit_route(packet) {
            return explicit;
        }
        let default = set.default_next_hops.iter().find_map(|hop| self.adjacent(packet.vrf, *hop));
        default.or_else(|| set.default_interfaces.iter().find_map(|name| self.out_of(*name, packet)))
    }

    /// `set ip next-hop` in its forms: tracked ones in order of their numbers, plain ones in order, the recursive one.
    fn policy_next_hop(&self, set: &SetNextHop, vrf: VrfId) -> Option<PolicyWay> {
        let tracked =
            set.tracked.values().filter(|hop| self.tracking.is_up(hop.track)).map(|hop| hop.address);
        let is_known = |hop: &Ipv4Addr| !set.verify_availability || self.answers(vrf, *hop);
        let plain = set.addresses.iter().copied().filter(is_known);
        tracked.chain(plain).find_map(|hop| self.adjacent(vrf, hop)).or_else(|| {
            let address = set.recursive?;
            match self.fib.lookup(TableId::ipv4(vrf), address, flow_hash(address, address, self.node.0)) {
                ForwardingDecision::Forward { interface, next_hop } => {
                    Some(PolicyWay::Out(interface, next_hop))
                }
                ForwardingDecision::Receive | ForwardingDecision::Discard | ForwardingDecision::NoRoute => {
                    None
                }
            }
        })
    }

    /// A next hop on a subnet of an interface that is up; others are not used.
    fn adjacent(&self, vrf: VrfId, hop: Ipv4Addr) -> Option<PolicyWay> {
        let mut interfaces = self.interfaces.iter().filter(|on| on.vrf == vrf && on.is_up());
        let on = interfaces.find(|on| on.is_connected_to(hop) && !on.has_address(hop))?;
        Some(PolicyWay::Out(on.index, hop))
    }

    /// `verify-availability`: whether a next hop has answered to ARP, where there is ARP.
    fn answers(&self, vrf: VrfId, hop: Ipv4Addr) -> bool {
        let Some(PolicyWay::Out(interface, _)) = self.adjacent(vrf, hop) else { return false };
        let is_ethernet = self.interfaces.get(interface).is_some_and(|on| on.medium == Medium::Ethernet);
        !is_ethernet || self.arp().lookup(interface, hop).is_some()
    }

    /// Asks for the next hops that are to be verified and have not answered.
    fn ask_for_next_hops(&mut self, now: Time, set: &SetNextHop, vrf: VrfId) {
        if !set.verify_availability {
            return;
        }
        for &hop in &set.addresses {
            if let Some(PolicyWay::Out(interface, _)) =
                self.adjacent(vrf, hop).filter(|_| !self.answers(vrf, hop))
            {
                self.ask_all(now, interface, hop);
            }
        }
    }

    /// `set interface`: as if the destination were on the link. Null0 throws away.
    fn out_of(&self, name: InterfaceName, packet: &Packet<'_>) -> Option<PolicyWay> {
        if name.kind() == InterfaceKind::Null {
            return Some(PolicyWay::Discard);
        }
        let on = self.interfaces.by_name(name).filter(|on| on.is_up())?;
        Some(PolicyWay::Out(on.index, packet.header.destination))
    }

    /// Whether the routing table has a route besides the default one.
    fn has_explicit_route(&self, packet: &Packet<'_>) -> bool {
        let entry = self.fib.entry_for(TableId::ipv4(packet.vrf), packet.header.destination);
        entry.is_some_and(|(prefix, _)| prefix.prefix_len() > 0)
    }

    /// Packets and octets that an entry of a route map has routed.
    #[must_use]
    pub fn policy_matches(&self, map: &str, sequence: u16) -> (u64, u64) {
        let of_map = self.forwarding.policies.get(map);
        of_map.and_then(|entries| entries.get(&sequence)).copied().unwrap_or((0, 0))
    }

    /// Forgets the counters of entries that are no more.
    pub(crate) fn reconcile_policy_counters(&mut self) {
        let maps = &self.config.policy.route_maps;
        self.forwarding.policies.retain(|name, entries| {
            let Some(map) = maps.get(name) else { return false };
            entries.retain(|sequence, _| map.entries.contains_key(sequence));
            true
        });
    }
}

/// Whether an entry is about a packet: one of its access lists permits it, and its length is right. What only routes have matches none.
fn matches(
    now: Time,
    config: &RouterConfig,
    clauses: &MatchClauses,
    fields: &PacketFields,
    length: u32,
) -> bool {
    let of_packets =
        MatchClauses { address: clauses.address.clone(), length: clauses.length, ..MatchClauses::default() };
    let permits = |name: &String| {
        config.policy.access_lists.get(name).is_none_or(|list| {
            let active = |range: &str| config.policy.is_time_range_active(range, now);
            list.evaluate(fields, active).action.is_permit()
        })
    };
    let lists = &clauses.address;
    *clauses == of_packets
        && lists.prefix_lists.is_empty()
        && (lists.access_lists.is_empty() || lists.access_lists.iter().any(permits))
        && clauses.length.is_none_or(|(least, most)| (least..=most).contains(&length))
}

/// The type of service octet that `set ip precedence` and `set ip dscp` ask for.
fn tos(entry: &RouteMapEntry, old: u8) -> Option<u8> {
    const ECN: u8 = 0x03;
    const PRECEDENCE_SHIFT: u32 = 5;
    const DSCP_SHIFT: u32 = 2;
    let dscp = entry.sets.dscp.map(|dscp| (dscp << DSCP_SHIFT) | (old & ECN));
    dscp.or_else(|| Some((entry.sets.precedence? << PRECEDENCE_SHIFT) | (old & 0x1F)))
}
