//! Description of databases and loading of what is missing (RFC 2328 sections 10.6 to 10.9).

use std::collections::VecDeque;

use super::debug::NeighborDebugEvent;
use super::giving_up::MOST_RETRANSMISSIONS;
use super::interface::{OspfInterface, OspfInterfaceKey, OspfNetwork};
use super::lsa::{LsAge, Lsa, LsaHeader, LsaKey, Options};
use super::neighbor::{NeighborEvent, NeighborKey, NeighborState};
use super::packet::{DatabaseDescription, DdFlags, HEADER_LEN, PacketBody};
use super::process::{Env, OspfProcess, TimerKey};
use super::retransmission::Retransmission;
use super::send::Destination;

/// Octets of an IP header, of a digest, and of link-local signalling at most.
const OVERHEAD: usize = 20 + 64 + 84;

/// The largest IP packet on a virtual link.
const VIRTUAL_LINK_MTU: u16 = 1500;

/// How many items of `size` octets fit into a packet behind `fixed` octets.
pub(super) fn room(interface: &OspfInterface, fixed: usize, size: usize) -> usize {
    (octets_of_body(interface).saturating_sub(fixed) / size).max(1)
}

/// How many octets a packet body may have.
pub(super) fn octets_of_body(interface: &OspfInterface) -> usize {
    let mtu = match interface.network {
        OspfNetwork::VirtualLink => VIRTUAL_LINK_MTU,
        _ => interface.settings.mtu,
    };
    usize::from(mtu).saturating_sub(OVERHEAD + HEADER_LEN)
}

impl OspfProcess {
    /// State ExStart is entered: this router claims to be master until the router ids decide.
    pub(super) fn start_exchange(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let now = env.context.now;
        self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::PrepareExchange);
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        data.clear_lists();
        let seed = u32::try_from((now.as_nanos() / 1_000_000) & 0xffff_ffff).unwrap_or(0);
        data.exchange.sequence = Some(data.exchange.sequence.map_or(seed, |last| last.wrapping_add(1)));
        data.exchange.master = true;
        self.send_description(env, key, neighbor, DdFlags { init: true, more: true, master: true }, vec![]);
    }

    /// The exchange ends early: lists and timers go.
    pub(super) fn end_exchange(&mut self, key: OspfInterfaceKey, neighbor: NeighborKey) {
        for timer in [
            TimerKey::DatabaseDescription(key, neighbor),
            TimerKey::LinkStateRequest(key, neighbor),
            TimerKey::LinkStateUpdate(key, neighbor),
        ] {
            self.timers.cancel(timer);
        }
        if let Some(data) = self.neighbor_mut(key, neighbor) {
            data.clear_lists();
        }
    }

    /// The options in database descriptions and own LSAs: what the area allows, and opaque LSAs.
    fn description_options(&self, interface: &OspfInterface) -> Options {
        self.area_bits(interface.area) | interface.demand_bit() | Options::O | Options::L
    }

    fn send_description(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        flags: DdFlags,
        headers: Vec<LsaHeader>,
    ) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let options = self.description_options(interface);
        let (mtu, interval) = (interface.settings.mtu, interface.settings.retransmit_interval);
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let sequence = data.exchange.sequence.unwrap_or_default();
        let description = DatabaseDescription { mtu, options, flags, sequence, headers };
        data.exchange.sent = Some(description.clone());
        data.exchange.retransmissions = 0;
        self.debug_description(env, key, neighbor, &description);
        if flags.master {
            self.timers.set(TimerKey::DatabaseDescription(key, neighbor), env.now() + interval);
        } else {
            self.timers.cancel(TimerKey::DatabaseDescription(key, neighbor));
        }
        self.send(env, key, Destination::Neighbor(neighbor), PacketBody::DatabaseDescription(description));
    }

    fn repeat_description(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, neighbor: NeighborKey) {
        let Some(description) = self.neighbor_mut(key, neighbor).and_then(|data| data.exchange.sent.clone())
        else {
            return;
        };
        self.debug_description(env, key, neighbor, &description);
        self.send(env, key, Destination::Neighbor(neighbor), PacketBody::DatabaseDescription(description));
    }

    /// RxmtInterval has passed without an answer to a description of the master (section 10.8).
    pub(super) fn description_unanswered(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let Some(interface) = self.interfaces.get(&key) else { return };
        let interval = interface.settings.retransmit_interval;
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        if !matches!(data.state, NeighborState::ExStart | NeighborState::Exchange) {
            return;
        }
        data.exchange.retransmissions += 1;
        let times = data.exchange.retransmissions;
        if times > u32::from(MOST_RETRANSMISSIONS) {
            return self.give_up(env, key, neighbor);
        }
        self.timers.set(TimerKey::DatabaseDescription(key, neighbor), env.now() + interval);
        self.repeat_description(env, key, neighbor);
        self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::DescriptionRepeated(times));
    }

    /// State Exchange is entered: what the database holds now is to be described. LSAs at MaxAge are not described but flooded.
    pub(super) fn describe_database(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let now = env.context.now;
        let Some(interface) = self.interfaces.get(&key) else { return };
        let Some(data) = interface.neighbors.get(&neighbor) else { return };
        let mut summary = VecDeque::new();
        let mut leaving = Vec::new();
        let scopes = self.lsdb.scopes().filter(|(scope, _)| self.floods(key, interface, *scope));
        for (scope, entry) in scopes.flat_map(|(scope, lsas)| lsas.iter().map(move |entry| (scope, entry))) {
            let ls_type = entry.lsa.ls_type();
            let silent = interface.settings.database_filter
                || (ls_type.is_opaque() && !data.description_options.contains(Options::O));
            if silent {
                continue;
            }
            if entry.age(now).is_max() {
                leaving.push((scope, entry.lsa.clone()));
            } else {
                summary.push_back((scope, entry.lsa.key()));
            }
        }
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let size = summary.len();
        data.exchange.summary = summary;
        let any_leaving = !leaving.is_empty();
        for (scope, lsa) in leaving {
            let waiting = Retransmission::new(scope, lsa, LsAge::MAX, now);
            data.retransmissions.put(Retransmission { due: Some(now), ..waiting });
        }
        if any_leaving {
            self.timers.set(TimerKey::LinkStateUpdate(key, neighbor), now);
        }
        self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::SummaryList(size));
    }

    /// Takes the next piece of the database off the summary list.
    fn next_headers(
        &mut self,
        env: &Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) -> Vec<LsaHeader> {
        let now = env.context.now;
        let Some(interface) = self.interfaces.get_mut(&key) else { return Vec::new() };
        let room = room(interface, 8, LsaHeader::LEN);
        let Some(data) = interface.neighbors.get_mut(&neighbor) else { return Vec::new() };
        let summary = &mut data.exchange.summary;
        let mut headers = Vec::with_capacity(room.min(summary.len()));
        while headers.len() < room
            && let Some((scope, lsa)) = summary.pop_front()
        {
            headers.extend(self.lsdb.get(scope, &lsa).map(|entry| entry.header(now)));
        }
        headers
    }

    /// Section 10.6.
    pub(super) fn receive_description(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        self.debug_received_description(env, key, neighbor, description);
        let Some(interface) = self.interfaces.get(&key) else { return };
        let settings = &interface.settings;
        // A packet larger than this router takes in would never arrive: the adjacency stays in ExStart, as on IOS.
        let too_large = description.mtu > settings.mtu && interface.network != OspfNetwork::VirtualLink;
        if too_large && !settings.mtu_ignore {
            return;
        }
        let Some(state) = interface.neighbors.get(&neighbor).map(|data| data.state) else { return };
        match state {
            NeighborState::Down | NeighborState::Attempt | NeighborState::TwoWay => {}
            NeighborState::Init => {
                self.neighbor_event(env, key, neighbor, NeighborEvent::TwoWayReceived);
                let reached = self.neighbor_mut(key, neighbor).map(|data| data.state);
                if reached == Some(NeighborState::ExStart) {
                    self.negotiate(env, key, neighbor, description);
                }
            }
            NeighborState::ExStart => self.negotiate(env, key, neighbor, description),
            NeighborState::Exchange => self.go_on(env, key, neighbor, description),
            NeighborState::Loading | NeighborState::Full => {
                self.after_exchange(env, key, neighbor, description);
            }
        }
    }

    /// State ExStart: the router with the higher id is the master.
    fn negotiate(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        let own_id = self.router_id;
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let DdFlags { init, more, master } = description.flags;
        let neighbor_is_higher = Some(data.router_id) > own_id;
        let becomes_slave = init && more && master && description.headers.is_empty() && neighbor_is_higher;
        let stays_master =
            !init && !master && Some(description.sequence) == data.exchange.sequence && !neighbor_is_higher;
        if !becomes_slave && !stays_master {
            if init {
                self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::NotSlave);
            }
            return;
        }
        data.exchange.master = stays_master;
        data.description_options = description.options;
        if becomes_slave {
            data.exchange.sequence = Some(description.sequence);
        }
        data.exchange.received = Some(signature(description));
        let done = NeighborDebugEvent::NegotiationDone { master: stays_master };
        self.debug_neighbor(env, key, neighbor, || done);
        self.neighbor_event(env, key, neighbor, NeighborEvent::NegotiationDone);
        if stays_master {
            self.take_headers(env, key, neighbor, description);
        } else {
            let headers = self.next_headers(env, key, neighbor);
            self.answer_as_slave(env, key, neighbor, headers);
        }
    }

    fn answer_as_slave(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        headers: Vec<LsaHeader>,
    ) {
        let more = self.neighbor_mut(key, neighbor).is_some_and(|data| !data.exchange.summary.is_empty());
        self.send_description(env, key, neighbor, DdFlags { init: false, more, master: false }, headers);
    }

    /// State Exchange.
    fn go_on(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let master = data.exchange.master;
        if data.exchange.received == Some(signature(description)) {
            // A duplicate: the slave repeats its answer, the master waits.
            if !master {
                self.repeat_description(env, key, neighbor);
            }
            return;
        }
        let sequence = data.exchange.sequence.unwrap_or_default();
        let expected = if master { sequence } else { sequence.wrapping_add(1) };
        let fits = description.flags.master != master
            && !description.flags.init
            && description.options == data.description_options
            && description.sequence == expected;
        if !fits {
            self.neighbor_event(env, key, neighbor, NeighborEvent::SeqNumberMismatch);
            return;
        }
        data.exchange.received = Some(signature(description));
        if !master {
            data.exchange.sequence = Some(description.sequence);
        }
        self.take_headers(env, key, neighbor, description);
    }

    /// States Loading and Full: only duplicates may come; the slave repeats its last answer.
    fn after_exchange(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let duplicate = data.exchange.received == Some(signature(description));
        match (duplicate, data.exchange.master) {
            (true, true) => {}
            (true, false) => self.repeat_description(env, key, neighbor),
            (false, _) => self.neighbor_event(env, key, neighbor, NeighborEvent::SeqNumberMismatch),
        }
    }

    /// Puts the LSAs described that are newer than those at hand on the request list, and goes on with the exchange.
    fn take_headers(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        description: &DatabaseDescription,
    ) {
        for header in &description.headers {
            match self.wants_described(env, key, header) {
                None => {
                    self.neighbor_event(env, key, neighbor, NeighborEvent::SeqNumberMismatch);
                    return;
                }
                Some(false) => {}
                Some(true) => {
                    if let Some(data) = self.neighbor_mut(key, neighbor) {
                        data.requests.insert(header.key(), *header);
                    }
                }
            }
        }
        if self.neighbor_mut(key, neighbor).is_some_and(|data| data.exchange.master) {
            self.master_goes_on(env, key, neighbor, description.flags.more);
        } else {
            let headers = self.next_headers(env, key, neighbor);
            self.answer_as_slave(env, key, neighbor, headers);
            let done = self.neighbor_mut(key, neighbor).is_some_and(|data| {
                !description.flags.more && data.exchange.sent.as_ref().is_some_and(|sent| !sent.flags.more)
            });
            if done {
                self.neighbor_event(env, key, neighbor, NeighborEvent::ExchangeDone);
            }
        }
        self.ask_for_first(env, key, neighbor);
    }

    fn master_goes_on(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        neighbor_has_more: bool,
    ) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        data.exchange.sequence = data.exchange.sequence.map(|sequence| sequence.wrapping_add(1));
        let had_more = data.exchange.sent.as_ref().is_none_or(|sent| sent.flags.more);
        if !had_more && !neighbor_has_more {
            self.timers.cancel(TimerKey::DatabaseDescription(key, neighbor));
            self.neighbor_event(env, key, neighbor, NeighborEvent::ExchangeDone);
            return;
        }
        let headers = self.next_headers(env, key, neighbor);
        let more = self.neighbor_mut(key, neighbor).is_some_and(|data| !data.exchange.summary.is_empty());
        self.send_description(env, key, neighbor, DdFlags { init: false, more, master: true }, headers);
    }

    /// Whether an LSA that a neighbor describes is to be asked for; `None` if it does not belong into the area.
    fn wants_described(&self, env: &Env<'_, '_>, key: OspfInterfaceKey, header: &LsaHeader) -> Option<bool> {
        let scope = self.scope_of(key, header.ls_type)?;
        let own = self.lsdb.get(scope, &header.key()).map(|entry| entry.header(env.context.now));
        Some(own.is_none_or(|own| header.compare_recency(&own).is_gt()))
    }

    /// Starts asking if nothing has been asked for yet (section 10.9: in Exchange already).
    fn ask_for_first(&mut self, env: &mut Env<'_, '_>, key: OspfInterfaceKey, neighbor: NeighborKey) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        if data.requested.is_empty() && !data.requests.is_empty() && data.state >= NeighborState::Exchange {
            self.request_more(env, key, neighbor);
        }
    }

    /// Asks for the next part of the request list (section 10.9).
    pub(super) fn request_more(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let Some(interface) = self.interfaces.get_mut(&key) else { return };
        let room = room(interface, 0, 12);
        let interval = interface.settings.retransmit_interval;
        let Some(data) = interface.neighbors.get_mut(&neighbor) else { return };
        data.requested = data.requests.keys().take(room).copied().collect();
        let keys: Vec<LsaKey> = data.requested.iter().copied().collect();
        if keys.is_empty() {
            return;
        }
        self.timers.set(TimerKey::LinkStateRequest(key, neighbor), env.now() + interval);
        let count = keys.len();
        self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::RequestSent(count));
        self.send(env, key, Destination::Neighbor(neighbor), PacketBody::LinkStateRequest(keys));
    }

    /// An LSA that was asked for has come (section 13 step 5).
    pub(super) fn request_fulfilled(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
    ) {
        let Some(data) = self.neighbor_mut(key, neighbor) else { return };
        let requests = &data.requests;
        data.requested.retain(|lsa| requests.contains_key(lsa));
        match (data.requested.is_empty(), data.requests.is_empty()) {
            (true, false) => self.request_more(env, key, neighbor),
            (_, true) => {
                self.end_requests(key, neighbor);
                self.neighbor_event(env, key, neighbor, NeighborEvent::LoadingDone);
            }
            (false, false) => {}
        }
    }

    /// Nothing is asked for any more.
    pub(super) fn end_requests(&mut self, key: OspfInterfaceKey, neighbor: NeighborKey) {
        self.timers.cancel(TimerKey::LinkStateRequest(key, neighbor));
        if let Some(data) = self.neighbor_mut(key, neighbor) {
            data.requested.clear();
        }
    }

    /// A neighbor asks for LSAs (section 10.7).
    pub(super) fn receive_requests(
        &mut self,
        env: &mut Env<'_, '_>,
        key: OspfInterfaceKey,
        neighbor: NeighborKey,
        requests: &[LsaKey],
    ) {
        let state = self.neighbor_mut(key, neighbor).map(|data| data.state);
        if state.is_none_or(|state| state < NeighborState::Exchange) {
            return;
        }
        self.debug_neighbor(env, key, neighbor, || NeighborDebugEvent::RequestReceived(requests.len()));
        let mut lsas: Vec<(LsAge, Lsa)> = Vec::with_capacity(requests.len());
        for request in requests {
            let scope = self.scope_of(key, request.ls_type);
            let Some(entry) = scope.and_then(|scope| self.lsdb.get(scope, request)) else {
                self.neighbor_event(env, key, neighbor, NeighborEvent::BadLsReq);
                return;
            };
            lsas.push((entry.age(env.context.now), entry.lsa.clone()));
        }
        self.send_lsas(env, key, Destination::Neighbor(neighbor), lsas);
    }
}

fn signature(description: &DatabaseDescription) -> (DdFlags, Options, u32) {
    (description.flags, description.options, description.sequence)
}
