//! What neighbors are told of a destination: split horizon, poison reverse, summaries, stub, filters, offsets; and the packets
//! made of it.

use ipnet::Ipv4Net;

use super::config::Direction;
use super::interface::{Announcement, EigrpInterface};
use super::metric::Vector;
use super::neighbor::{TableDownload, UnicastKind};
use super::packet::{ExternalProtocol, Flags, Opcode, RouteTlv, Tlv};
use super::process::{EigrpProcess, Env};
use super::topology::{Attributes, Destination, NeighborKey, PathSource, Told};
use crate::ids::{IfIndex, RouterId};
use std::net::Ipv4Addr;

/// What is told of a destination on an interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Advertisement {
    /// Nothing; if something was told before, that it is unreachable.
    Silent,
    /// That it cannot be reached by this router: poison reverse, or a route that is not used.
    Unreachable,
    /// A path.
    Path(Told),
}

impl Advertisement {
    /// Whether neighbors who have heard `old` must hear this. Silence after "unreachable" is none.
    fn is_news_after(&self, old: &Self) -> bool {
        *self != *old && (old, self) != (&Self::Unreachable, &Self::Silent)
    }
}

/// What advertisements depend on, of a destination.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Telling {
    told: Option<Told>,
    successors: Vec<PathSource>,
    rib_failure: bool,
}

impl Telling {
    pub(super) fn of(destination: Option<&Destination>) -> Self {
        destination.map_or_else(Self::default, |destination| Self {
            told: destination.told.clone(),
            successors: destination.successors.clone(),
            rib_failure: destination.rib_failure,
        })
    }
}

impl EigrpProcess {
    /// What is told of a destination on an interface.
    pub(super) fn advertisement(
        &self,
        env: &Env<'_, '_>,
        interface: &EigrpInterface,
        prefix: Ipv4Net,
        telling: &Telling,
    ) -> Advertisement {
        let Some(told) = &telling.told else { return Advertisement::Silent };
        // A route of another protocol is in use: what is not used is not told.
        if telling.rib_failure && told.source.neighbor().is_some() {
            return Advertisement::Unreachable;
        }
        if !self.may_tell(env, interface, prefix, told) {
            return Advertisement::Silent;
        }
        let back = |source: &PathSource| source.interface() == Some(interface.index);
        if interface.split_horizon() && telling.successors.iter().any(back) {
            return match told.source {
                // All on the link know its subnet.
                PathSource::Connected(_) => Advertisement::Silent,
                _ => Advertisement::Unreachable,
            };
        }
        let vector = self.offset_out(env, interface, prefix, &told.vector);
        Advertisement::Path(Told { vector, next_hop: self.next_hop_for(interface, told), ..told.clone() })
    }

    /// With `no next-hop-self`, the next router of a path that leads out of the same interface.
    fn next_hop_for(&self, interface: &EigrpInterface, told: &Told) -> Option<Ipv4Addr> {
        let keeps = interface.settings.next_hop_self == Some(false);
        let neighbor = told.source.neighbor().filter(|key| key.interface == interface.index)?;
        keeps.then(|| told.next_hop.unwrap_or(neighbor.address))
    }

    /// Whether summaries, stub and filters let a destination be told on an interface.
    fn may_tell(&self, env: &Env<'_, '_>, interface: &EigrpInterface, prefix: Ipv4Net, told: &Told) -> bool {
        let is_summary_here = told.source != PathSource::Summary || interface.summaries.contains_key(&prefix);
        is_summary_here
            && !self.is_summarised(env, interface, prefix, told)
            && self.stub_may_tell(env, prefix, told)
            && self.permits_out(env, interface, prefix, told)
    }

    /// Whether a summary is told on the interface instead, and no leak map lets this component out.
    fn is_summarised(
        &self,
        env: &Env<'_, '_>,
        interface: &EigrpInterface,
        prefix: Ipv4Net,
        told: &Told,
    ) -> bool {
        interface.summaries.iter().any(|(summary, options)| {
            let covers = summary.contains(&prefix) && summary.prefix_len() < prefix.prefix_len();
            let leaks = || {
                options
                    .leak_map
                    .as_deref()
                    .is_some_and(|name| self.route_map_permits(env, name, prefix, told))
            };
            covers && !leaks()
        })
    }

    /// What a stub may tell (RFC 7868 section 5.4.6).
    fn stub_may_tell(&self, env: &Env<'_, '_>, prefix: Ipv4Net, told: &Told) -> bool {
        let Some(stub) = &self.applied.config.stub else { return true };
        let protocol = told.attributes.external.as_ref().map(|external| external.protocol);
        match told.source {
            _ if stub.receive_only => false,
            PathSource::Connected(_) => stub.connected,
            PathSource::Summary => stub.summary,
            PathSource::Redistributed => match protocol {
                Some(ExternalProtocol::Connected) => stub.connected || stub.redistributed,
                Some(ExternalProtocol::Static) => stub.static_routes || stub.redistributed,
                _ => stub.redistributed,
            },
            PathSource::Neighbor(_) => {
                stub.leak_map.as_deref().is_some_and(|name| self.route_map_permits(env, name, prefix, told))
            }
        }
    }

    fn offset_out(
        &self,
        env: &Env<'_, '_>,
        interface: &EigrpInterface,
        prefix: Ipv4Net,
        vector: &Vector,
    ) -> Vector {
        self.with_offsets(env, Direction::Out, interface.name, prefix, *vector)
    }

    /// Lets all neighbors know of a destination whose telling was `before`, where that makes a difference.
    pub(super) fn announce(&mut self, env: &Env<'_, '_>, prefix: Ipv4Net, before: &Telling) {
        let now = Telling::of(self.topology.get(&prefix));
        let indices: Vec<IfIndex> = self.interfaces.keys().copied().collect();
        for index in indices {
            let Some(interface) = self.interfaces.get(&index) else { continue };
            if interface.up_neighbors().next().is_none() {
                continue;
            }
            let old = self.advertisement(env, interface, prefix, before);
            if self.advertisement(env, interface, prefix, &now).is_news_after(&old) {
                self.announce_on(env, index, prefix, Announcement::Update);
            }
        }
    }

    /// Lets all neighbors on an interface know of a destination.
    pub(super) fn announce_on(
        &mut self,
        env: &Env<'_, '_>,
        index: IfIndex,
        prefix: Ipv4Net,
        what: Announcement,
    ) {
        if let Some(interface) = self.interfaces.get_mut(&index) {
            let waiting = interface.announcements.entry(prefix).or_insert(what);
            *waiting = what.max(*waiting);
            self.schedule_transmit(env, index);
        }
    }

    /// Makes packets of what is to be told on an interface.
    pub(super) fn transmit(&mut self, env: &mut Env<'_, '_>, index: IfIndex) {
        if !self.awaits_multicast(index) {
            self.transmit_announcements(env, index);
        }
        let keys: Vec<NeighborKey> = self
            .interfaces
            .get(&index)
            .into_iter()
            .flat_map(EigrpInterface::up_neighbors)
            .filter(|neighbor| neighbor.transport.is_idle())
            .map(|neighbor| NeighborKey { interface: index, address: neighbor.address })
            .collect();
        for key in keys {
            self.transmit_to(env, key);
        }
    }

    /// Makes one packet of the announcements for all neighbors: queries first, as they hold up the computation.
    fn transmit_announcements(&mut self, env: &mut Env<'_, '_>, index: IfIndex) {
        let Some(interface) = self.interfaces.get_mut(&index) else { return };
        if interface.up_neighbors().next().is_none() {
            interface.announcements.clear();
            return;
        }
        // Who has gone passive meanwhile, because those it would ask are gone, asks no more.
        let topology = &self.topology;
        for (prefix, what) in &mut interface.announcements {
            if topology.get(prefix).is_none_or(|destination| !destination.state.is_active()) {
                *what = Announcement::Update;
            }
        }
        let has_queries = interface.announcements.values().any(|&what| what == Announcement::Query);
        let what = if has_queries { Announcement::Query } else { Announcement::Update };
        let due: Vec<Ipv4Net> =
            interface.announcements.iter().filter(|(_, kind)| **kind == what).map(|(net, _)| *net).collect();
        let wide = self.speaks_wide(index);
        let room = self.room(index);
        let (mut tlvs, mut used, mut sent) = (Vec::new(), 0, Vec::new());
        for prefix in due {
            let tlv = self.route_tlv(env, index, prefix, wide);
            if used > 0 && used + tlv.wire_len() > room {
                break;
            }
            used += tlv.wire_len();
            tlvs.push(Tlv::Route(tlv));
            sent.push(prefix);
        }
        if let Some(interface) = self.interfaces.get_mut(&index) {
            sent.iter().for_each(|prefix| {
                interface.announcements.remove(prefix);
            });
            interface.counters.packetized += 1;
        }
        if tlvs.is_empty() {
            return;
        }
        let opcode = if what == Announcement::Query { Opcode::Query } else { Opcode::Update };
        let packet = self.number(opcode, Flags::NONE, tlvs);
        self.send_to_all(env, index, packet);
        self.pace(env, index, used);
    }

    /// Makes one packet of what a neighbor alone is told, or the next one of the whole table.
    fn transmit_to(&mut self, env: &mut Env<'_, '_>, key: NeighborKey) {
        let Some(neighbor) = self.neighbor(key).filter(|neighbor| neighbor.transport.is_idle()) else {
            return;
        };
        let packet = match neighbor.unicast.first() {
            Some(&(_, kind)) => self.unicast_packet(env, key, kind),
            None => {
                let download = neighbor.table_download;
                download.map(|download| self.table_packet(env, key, download))
            }
        };
        let Some((opcode, flags, tlvs, used)) = packet else { return };
        let packet = self.number(opcode, flags, tlvs);
        self.send_reliably(env, key, packet);
        self.pace(env, key.interface, used);
    }

    fn unicast_packet(
        &mut self,
        env: &Env<'_, '_>,
        key: NeighborKey,
        kind: UnicastKind,
    ) -> Option<PacketPlan> {
        let (wide, room) = (self.speaks_wide(key.interface), self.room(key.interface));
        let due: Vec<Ipv4Net> = self
            .neighbor(key)?
            .unicast
            .iter()
            .filter(|(_, other)| *other == kind)
            .map(|(prefix, _)| *prefix)
            .collect();
        let (mut tlvs, mut used, mut sent) = (Vec::new(), 0, 0);
        for prefix in &due {
            let tlv = self.route_tlv(env, key.interface, *prefix, wide);
            if used > 0 && used + tlv.wire_len() > room {
                break;
            }
            used += tlv.wire_len();
            sent += 1;
            tlvs.push(Tlv::Route(tlv));
        }
        let done = due.get(..sent)?;
        self.neighbor_mut(key)?.unicast.retain(|(prefix, other)| *other != kind || !done.contains(prefix));
        (!tlvs.is_empty()).then_some((kind.opcode(), Flags::NONE, tlvs, used))
    }

    /// The next packet of the whole table; the last one says so.
    fn table_packet(&mut self, env: &Env<'_, '_>, key: NeighborKey, download: TableDownload) -> PacketPlan {
        let (wide, room) = (self.speaks_wide(key.interface), self.room(key.interface));
        let (mut tlvs, mut used) = (Vec::new(), 0);
        let mut last = None;
        let start = match download {
            TableDownload::Start => std::ops::Bound::Unbounded,
            TableDownload::After(prefix) => std::ops::Bound::Excluded(prefix),
        };
        let mut complete = true;
        for (&prefix, destination) in self.topology.range((start, std::ops::Bound::Unbounded)) {
            let Some(interface) = self.interfaces.get(&key.interface) else { break };
            let telling = Telling::of(Some(destination));
            if let Advertisement::Path(told) = self.advertisement(env, interface, prefix, &telling) {
                let tlv = self.tlv_of(prefix, Some(&told), told.attributes.clone(), wide);
                if used > 0 && used + tlv.wire_len() > room {
                    complete = false;
                    break;
                }
                used += tlv.wire_len();
                tlvs.push(Tlv::Route(tlv));
            }
            last = Some(prefix);
        }
        let mut flags = if complete { Flags::END_OF_TABLE } else { Flags::NONE };
        if let Some(neighbor) = self.neighbor_mut(key) {
            neighbor.table_download = if complete { None } else { last.map(TableDownload::After) };
            flags |= if neighbor.restarts { Flags::RESTART } else { Flags::NONE };
            neighbor.restarts &= !complete;
        }
        (Opcode::Update, flags, tlvs, used)
    }

    /// Whether routes are told in multiprotocol TLVs: in named mode, if all on the link understand them.
    fn speaks_wide(&self, index: IfIndex) -> bool {
        self.metrics.scale == super::metric::Scale::Wide
            && self.interfaces.get(&index).is_some_and(|i| i.neighbors.values().all(|n| n.understands_wide()))
    }

    /// What is told now of a destination on an interface, as TLV; silence is told as unreachable.
    fn route_tlv(&self, env: &Env<'_, '_>, index: IfIndex, prefix: Ipv4Net, wide: bool) -> RouteTlv {
        let destination = self.topology.get(&prefix);
        let telling = Telling::of(destination);
        let advertisement = self.interfaces.get(&index).map(|i| self.advertisement(env, i, prefix, &telling));
        let attributes = telling.told.as_ref().map_or_else(
            || Attributes { originator: RouterId::UNSPECIFIED, external: None, candidate_default: false },
            |told| told.attributes.clone(),
        );
        match advertisement {
            Some(Advertisement::Path(told)) => self.tlv_of(prefix, Some(&told), attributes, wide),
            Some(Advertisement::Silent | Advertisement::Unreachable) | None => {
                self.tlv_of(prefix, None, attributes, wide)
            }
        }
    }

    fn tlv_of(&self, prefix: Ipv4Net, told: Option<&Told>, attributes: Attributes, wide: bool) -> RouteTlv {
        const NO_WAY: Vector = Vector {
            bandwidth: 0,
            delay: Vector::UNREACHABLE,
            mtu: 0,
            hop_count: 0,
            reliability: 0,
            load: 0,
        };
        let vector = told.map_or(NO_WAY, |told| told.vector);
        let own = self.router_id.unwrap_or(RouterId::UNSPECIFIED);
        let originator = if attributes.originator.is_unspecified() { own } else { attributes.originator };
        let mut metric =
            if wide { self.metrics.to_wide(&vector, originator) } else { self.metrics.to_classic(&vector) };
        let candidate = attributes.candidate_default && !self.applied.config.no_default_information_out;
        let mut external = attributes.external.as_deref().copied();
        match &mut external {
            Some(external) => external.set_candidate_default(candidate),
            None => metric.set_candidate_default(candidate),
        }
        RouteTlv {
            next_hop: told.and_then(|told| told.next_hop).unwrap_or(Ipv4Addr::UNSPECIFIED),
            metric,
            external,
            destinations: [prefix].into(),
        }
    }
}

/// What a packet is made of: opcode, flags, TLVs, their octets.
type PacketPlan = (Opcode, Flags, Vec<Tlv>, usize);
