//! Messages that have come.

use super::fsm::{Event, State};
use super::log::{BgpLogEvent, DownReason};
use super::packet::{
    Family, FilterGroup, FilterUpdate, MAX_LENGTH, Message, Notification, Open, PrefixFilterChange,
    RefreshKind, RouteRefresh, Update, UpdateFormat, frame,
};
use super::peer::{Direction, LastReset, PeerKey};
use super::process::{BgpProcess, Env};

impl BgpProcess {
    /// Octets have come on a connection.
    pub(super) fn octets_received(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
        octets: &[u8],
    ) {
        let Some(link) = self.peer_mut(key).and_then(|peer| peer.link_mut(direction)) else { return };
        let mut stream = std::mem::take(&mut link.inbox);
        stream.extend_from_slice(octets);
        let mut read = 0;
        while let Some(format) = self.formats(key, direction) {
            let (format, limit) = format;
            let taken = match frame(stream.get(read..).unwrap_or_default(), limit) {
                Ok(None) => break,
                Ok(Some(frame)) => {
                    read += frame.length();
                    Message::parse(frame, format)
                }
                Err(notification) => Err(notification),
            };
            self.touch(env, key);
            match taken {
                Ok(message) => self.message(env, key, direction, message),
                Err(notification) => {
                    let reason = DownReason::NotificationSent;
                    let event = Event::MessageError;
                    self.event_because(env, key, direction, event, Some(notification), reason);
                }
            }
        }
        // Whatever is left belongs to this connection, if it is still there.
        if self.formats(key, direction).is_some()
            && let Some(link) = self.peer_mut(key).and_then(|peer| peer.link_mut(direction))
        {
            stream.drain(..read);
            link.inbox = stream;
        }
    }

    /// How messages of a connection are read; `None` if it is no longer there.
    fn formats(&self, key: PeerKey, direction: Direction) -> Option<(UpdateFormat, usize)> {
        let peer = self.peer(key)?;
        let link = peer.link(direction).filter(|link| link.state >= State::OpenSent)?;
        link.endpoints?;
        let session = peer.session.as_ref().filter(|session| session.direction == direction);
        Some(session.map_or(
            (UpdateFormat { four_octet_as: true, add_path: false, peer: peer.kind }, MAX_LENGTH),
            |session| (session.agreed.receive_format(), session.agreed.limit()),
        ))
    }

    fn touch(&mut self, env: &Env<'_, '_>, key: PeerKey) {
        let now = env.now();
        if let Some(peer) = self.peer_mut(key) {
            peer.last_read = Some(now);
        }
    }

    fn message(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction, message: Message) {
        let Some(peer) = self.peer_mut(key) else { return };
        let state = peer.link(direction).map_or(State::Idle, |link| link.state);
        match &message {
            Message::Open(_) => peer.received.opens += 1,
            Message::Update(_) => peer.received.updates += 1,
            Message::Notification(_) => peer.received.notifications += 1,
            Message::Keepalive => peer.received.keepalives += 1,
            Message::RouteRefresh(_) => peer.received.refreshes += 1,
        }
        match message {
            Message::Open(open) if state == State::OpenSent => self.open_received(env, key, direction, open),
            Message::Open(_) => self.event(env, key, direction, Event::Open),
            Message::Keepalive => self.event(env, key, direction, Event::Keepalive),
            Message::Notification(notification) => {
                self.notification_received(env, key, direction, state, notification);
            }
            Message::Update(update) => {
                self.event(env, key, direction, Event::Update);
                if state == State::Established {
                    self.update_received(env, key, &update);
                }
            }
            Message::RouteRefresh(refresh) => {
                self.event(env, key, direction, Event::Update);
                if let Some(refresh) = refresh.filter(|_| state == State::Established) {
                    self.refresh_received(env, key, refresh);
                }
            }
        }
    }

    fn open_received(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction, open: Open) {
        let Some(instance) = self.instances.get(&key.vrf) else { return };
        let (Some(config), Some(router_id)) = (env.config(), instance.router_id) else { return };
        let Some(peer) = instance.peers.get(&key.address) else { return };
        if let Err(notification) = peer.accept(config, router_id, &open) {
            let reason = DownReason::NotificationSent;
            return self.event_because(env, key, direction, Event::MessageError, Some(notification), reason);
        }
        // RFC 4271 section 6.8.
        let other = peer.link(direction.other()).map_or(State::Idle, |link| link.state);
        let loser = match other {
            State::Established => Some(direction),
            // The connection stays that the router with the greater identifier has opened.
            State::OpenConfirm if router_id < open.router_id => Some(Direction::Outgoing),
            State::OpenConfirm => Some(Direction::Incoming),
            _ => None,
        };
        if let Some(loser) = loser {
            let (notification, reason) = (Some(Notification::COLLISION), DownReason::Collision);
            self.event_because(env, key, loser, Event::Stop, notification, reason);
            if loser == direction {
                return;
            }
        }
        let asn = open.asn();
        if let Some(peer) = self.peer_mut(key) {
            if peer.dynamic {
                peer.set_remote_as(config, asn);
            }
            if let Some(link) = peer.link_mut(direction) {
                link.open = Some(open);
            }
        }
        self.event(env, key, direction, Event::Open);
    }

    fn notification_received(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
        state: State,
        notification: Notification,
    ) {
        let now = env.now();
        let passive = (state != State::Established).then_some(direction == Direction::Incoming);
        if notification != Notification::COLLISION {
            let neighbor = self.logged(key);
            let sent = false;
            env.log(BgpLogEvent::Notification {
                neighbor,
                sent,
                passive,
                notification: notification.clone(),
            });
        }
        let refused = (notification.code, notification.subcode) == (Notification::OPEN, 2);
        if let Some(peer) = self.peer_mut(key) {
            if refused && peer.settings.session.local_as.is_some_and(|local| local.dual_as) {
                peer.real_as = !peer.real_as;
            }
            if state == State::Established {
                let reason = DownReason::NotificationReceived;
                let notification = Some((false, notification));
                peer.last_reset = Some(LastReset { at: now, reason, notification });
            }
        }
        let reason = DownReason::NotificationReceived;
        self.event_because(env, key, direction, Event::Notification, None, reason);
    }

    fn update_received(&mut self, env: &mut Env<'_, '_>, key: PeerKey, update: &Update) {
        if !update.findings.is_empty() {
            let neighbor = self.logged(key);
            env.log(BgpLogEvent::MalformedAttribute { neighbor });
        }
        self.receive_update(env, key, update);
        if update.end_of_rib == Some(Family::IPV4_UNICAST)
            && let Some(peer) = self.peer_mut(key)
        {
            peer.routes_in.end_of_rib = true;
            self.end_restart(key);
        }
    }

    fn refresh_received(&mut self, env: &mut Env<'_, '_>, key: PeerKey, refresh: RouteRefresh) {
        if refresh.family != Family::IPV4_UNICAST {
            return;
        }
        match refresh.kind {
            RefreshKind::Request => {
                let deferred = refresh.filters.as_ref().is_some_and(|filters| filters.defer);
                if let Some(filters) = &refresh.filters {
                    self.filter_received(key, filters);
                }
                if !deferred {
                    self.answer_refresh(env, key);
                }
            }
            RefreshKind::Begin => self.refresh_begins(key),
            RefreshKind::End => self.refresh_ends(key),
        }
    }

    /// Sends all routes again (RFC 2918), between marks where both can (RFC 7313).
    fn answer_refresh(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(peer) = self.peer_mut(key) else { return };
        let Some(session) = &peer.session else { return };
        if session.agreed.enhanced_refresh {
            let begin =
                RouteRefresh { family: Family::IPV4_UNICAST, kind: RefreshKind::Begin, filters: None };
            peer.routes_out.outbox.push_back(begin.message());
            peer.routes_out.refresh_end = true;
        }
        self.soft_reset_out(env, key);
    }

    /// Every route of the peer is stale until it comes again.
    fn refresh_begins(&mut self, key: PeerKey) {
        self.mark_stale(key);
    }

    fn refresh_ends(&mut self, key: PeerKey) {
        self.forget_stale(key);
    }

    /// Changes of the filter that the peer wants applied to what it is sent (RFC 5292).
    fn filter_received(&mut self, key: PeerKey, update: &FilterUpdate) {
        let Some(peer) = self.peer_mut(key) else { return };
        if !peer.session.as_ref().is_some_and(|session| session.agreed.orf_receive) {
            return;
        }
        let filter = &mut peer.routes_out.filter;
        for group in &update.groups {
            let FilterGroup::PrefixList { entries, .. } = group else { continue };
            for change in entries {
                match change {
                    PrefixFilterChange::Add(entry) => {
                        filter.insert(entry.sequence, *entry);
                    }
                    PrefixFilterChange::Remove(entry) => {
                        filter.remove(&entry.sequence);
                    }
                    PrefixFilterChange::RemoveAll => filter.clear(),
                }
            }
        }
    }

    /// Asks a peer for all its routes again.
    pub(super) fn request_refresh(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let direction =
            self.peer(key).and_then(|peer| peer.session.as_ref()).map(|session| session.direction);
        let Some(direction) = direction else { return };
        let message = RouteRefresh::request(Family::IPV4_UNICAST).message();
        self.send_message(env, key, direction, message, |peer| peer.sent.refreshes += 1);
    }
}
