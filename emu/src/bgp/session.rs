//! Sessions: the state machine's transitions carried out.

use std::time::Duration;

use rand::RngExt;

use super::fsm::{Event, State, Step, transition};
use super::log::{BgpLogEvent, DownReason, LoggedPeer};
use super::packet::{Notification, keepalive};
use super::peer::{Direction, Halt, LastReset, Peer, PeerKey};
use super::process::{BgpProcess, Env, TimerKey};
use crate::ids::VrfId;
use crate::process::Action;

/// The hold timer before OPENs are exchanged (RFC 4271 section 8.2.2 suggests four minutes).
const OPEN_HOLD: Duration = Duration::from_secs(240);
/// ConnectRetryTime while TCP is connecting.
const CONNECT_RETRY: Duration = Duration::from_secs(120);
/// The longest wait of IOS before a connection is tried again, and by how many percent chance may shorten it.
const OPEN_ACTIVE_DELAY: Duration = Duration::from_millis(10_240);
const OPEN_ACTIVE_JITTER: u32 = 60;
/// By how many percent chance may shorten the time between keepalives (RFC 4271 section 10).
const KEEPALIVE_JITTER: u32 = 25;

/// A time shortened by up to `percent` percent.
pub(super) fn jittered(env: &mut Env<'_, '_>, time: Duration, percent: u32) -> Duration {
    let off = env.context.rng.random_range(0..=percent);
    time * (100 - off) / 100
}

impl BgpProcess {
    /// A peer as log lines name it.
    pub(super) fn logged(&self, key: PeerKey) -> LoggedPeer {
        let vrf = self.instances.get(&key.vrf).and_then(|instance| instance.name.clone());
        LoggedPeer { address: key.address, vrf }
    }

    /// Lets a peer's state machine start, if nothing is in the way.
    pub(super) fn start(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(peer) = self.peer_mut(key) else { return };
        let stopped = matches!(peer.halt, Some(Halt::AdminShutdown | Halt::PrefixLimit | Halt::NoFamily));
        if stopped || peer.state() >= State::OpenSent || peer.outgoing.state != State::Idle || peer.dynamic {
            return;
        }
        let halt = peer.local_address(env.context).err();
        peer.halt = halt;
        if halt.is_some() {
            return self.start_later(env, key);
        }
        self.event(env, key, Direction::Outgoing, Event::Start);
    }

    /// The state machine starts after IOS's delay.
    pub(super) fn start_later(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let at = env.now() + jittered(env, OPEN_ACTIVE_DELAY, OPEN_ACTIVE_JITTER);
        self.timers.set(TimerKey::IdleHold(key), at);
    }

    pub(super) fn retry(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let unreachable = self.peer(key).is_some_and(|peer| peer.local_address(env.context).is_err());
        if unreachable {
            // No way to it any more: back to Idle until there is.
            self.event(env, key, Direction::Outgoing, Event::Stop);
            return self.start(env, key);
        }
        self.event(env, key, Direction::Outgoing, Event::ConnectRetryExpires);
    }

    pub(super) fn hold_expired(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction) {
        let notification = Some(Notification::HOLD_TIMER_EXPIRED);
        self.event_because(
            env,
            key,
            direction,
            Event::HoldExpires,
            notification,
            DownReason::NotificationSent,
        );
    }

    /// An event that needs no explanation.
    pub(super) fn event(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction, event: Event) {
        self.event_because(env, key, direction, event, None, DownReason::NotificationSent);
    }

    /// An event, with the NOTIFICATION that goes with it and what is logged should the session end.
    pub(super) fn event_because(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
        event: Event,
        notification: Option<Notification>,
        reason: DownReason,
    ) {
        let Some(link) = self.peer_mut(key).and_then(|peer| peer.link_mut(direction)) else { return };
        let before = link.state;
        let taken = transition(before, event);
        link.state = taken.next;
        for &step in taken.steps {
            self.step(env, key, direction, step, before, notification.as_ref(), reason);
        }
        let Some(peer) = self.peer_mut(key) else { return };
        let ended = taken.next <= State::Active && before >= State::OpenSent;
        if peer.dynamic && ended && peer.incoming.as_ref().is_some_and(|link| link.state <= State::Active) {
            return self.remove_peer(env, key, reason);
        }
        if direction == Direction::Incoming && ended {
            peer.incoming = None;
        }
        if direction == Direction::Outgoing && taken.next <= State::Active {
            (peer.outgoing.open, peer.outgoing.sent) = (None, None);
            peer.outgoing.inbox.clear();
        }
        if ended && peer.outgoing.state == State::Idle && peer.state() < State::OpenSent {
            self.start_later(env, key);
        }
    }

    #[allow(clippy::too_many_arguments, reason = "what a transition knows")]
    fn step(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
        step: Step,
        before: State,
        notification: Option<&Notification>,
        reason: DownReason,
    ) {
        let now = env.now();
        match step {
            Step::Connect => self.connect(env, key),
            Step::Disconnect => self.disconnect(env, key, direction),
            Step::StartConnectRetry => {
                let connecting = self.peer(key).is_some_and(|peer| peer.outgoing.state == State::Connect);
                let wait = if connecting {
                    CONNECT_RETRY
                } else {
                    jittered(env, OPEN_ACTIVE_DELAY, OPEN_ACTIVE_JITTER)
                };
                if direction == Direction::Outgoing {
                    self.timers.set(TimerKey::ConnectRetry(key), now + wait);
                }
            }
            Step::StopConnectRetry if direction == Direction::Outgoing => {
                self.timers.cancel(TimerKey::ConnectRetry(key));
            }
            Step::StopConnectRetry => {}
            Step::StartOpenHold => self.timers.set(TimerKey::Hold(key, direction), now + OPEN_HOLD),
            Step::StartSessionTimers => {
                self.restart_hold(env, key, direction);
                self.restart_keepalive(env, key, direction);
            }
            Step::RestartHold => self.restart_hold(env, key, direction),
            Step::RestartKeepalive => self.restart_keepalive(env, key, direction),
            Step::StopTimers => {
                self.timers.cancel(TimerKey::Hold(key, direction));
                self.timers.cancel(TimerKey::Keepalive(key, direction));
            }
            Step::SendOpen => self.send_open(env, key, direction),
            Step::SendKeepalive => {
                self.send_message(env, key, direction, keepalive(), |peer| peer.sent.keepalives += 1);
            }
            Step::SendNotification => {
                let fallback = match before {
                    State::OpenSent => Notification::UNEXPECTED_IN_OPEN_SENT,
                    State::OpenConfirm => Notification::UNEXPECTED_IN_OPEN_CONFIRM,
                    _ => Notification::UNEXPECTED_IN_ESTABLISHED,
                };
                let notification = notification.cloned().unwrap_or(fallback);
                self.send_notification(env, key, direction, before, notification);
            }
            Step::Up => self.up(env, key, direction),
            Step::Down => self.down(env, key, reason),
            // The message is looked at by whoever has received it.
            Step::Process => {}
        }
    }

    fn restart_hold(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction) {
        let Some((hold, _)) = self.agreed_timers(env, key, direction) else { return };
        if hold.is_zero() {
            self.timers.cancel(TimerKey::Hold(key, direction));
        } else {
            self.timers.set(TimerKey::Hold(key, direction), env.now() + hold);
        }
    }

    fn restart_keepalive(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction) {
        let Some((_, keepalive)) = self.agreed_timers(env, key, direction) else { return };
        if !keepalive.is_zero() {
            let wait = jittered(env, keepalive, KEEPALIVE_JITTER);
            self.timers.set(TimerKey::Keepalive(key, direction), env.now() + wait);
        }
    }

    fn agreed_timers(
        &self,
        env: &Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
    ) -> Option<(Duration, Duration)> {
        let peer = self.peer(key)?;
        if let Some(session) = peer.session.as_ref().filter(|session| session.direction == direction) {
            return Some((session.hold_time, session.keepalive));
        }
        let open = peer.link(direction)?.open.as_ref()?;
        Some(peer.agreed_timers(env.config()?, open))
    }

    fn send_open(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction) {
        let router_id = self.instances.get(&key.vrf).and_then(|instance| instance.router_id);
        let (Some(config), Some(router_id)) = (env.config(), router_id) else { return };
        let Some(peer) = self.peer_mut(key) else { return };
        let open = peer.open(config, router_id);
        let message = open.message();
        if let Some(link) = peer.link_mut(direction) {
            link.sent = Some(open);
        }
        self.send_message(env, key, direction, message, |peer| peer.sent.opens += 1);
    }

    /// Sends a message that is no UPDATE.
    pub(super) fn send_message(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
        message: Vec<u8>,
        count: impl FnOnce(&mut Peer),
    ) {
        let now = env.now();
        let Some(peer) = self.peer_mut(key) else { return };
        let Some(endpoints) = peer.link(direction).and_then(|link| link.endpoints) else { return };
        count(peer);
        peer.last_write = Some(now);
        self.send_octets(env, endpoints, message);
    }

    fn send_notification(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        direction: Direction,
        before: State,
        notification: Notification,
    ) {
        let passive = (before != State::Established).then_some(direction == Direction::Incoming);
        // IOS says nothing of connections that had to give way to another.
        if notification != Notification::COLLISION {
            let neighbor = self.logged(key);
            let sent = true;
            env.log(BgpLogEvent::Notification {
                neighbor,
                sent,
                passive,
                notification: notification.clone(),
            });
        }
        let message = notification.message();
        if let Some(peer) = self.peer_mut(key).filter(|_| before == State::Established) {
            peer.last_reset = Some(LastReset {
                at: env.now(),
                reason: DownReason::NotificationSent,
                notification: Some((true, notification)),
            });
        }
        self.send_message(env, key, direction, message, |peer| peer.sent.notifications += 1);
    }

    fn up(&mut self, env: &mut Env<'_, '_>, key: PeerKey, direction: Direction) {
        let now = env.now();
        let Some(config) = env.config() else { return };
        let Some(peer) = self.peer_mut(key) else { return };
        let Some(link) = peer.link(direction) else { return };
        let Some(endpoints) = link.endpoints else { return };
        let Some(session) = peer.session_of(config, direction, link, endpoints, now) else { return };
        let restarts =
            session.received.iter().any(|c| matches!(c, super::packet::Capability::GracefulRestart { .. }));
        peer.session = Some(session);
        peer.established += 1;
        peer.changed = now;
        peer.halt = None;
        peer.routes_in.restart();
        peer.routes_out.restart();
        peer.routes_out.end_of_rib = restarts;
        self.timers.cancel(TimerKey::IdleHold(key));
        self.timers.cancel(TimerKey::Advertise(key));
        self.back_from_restart(key);
        if config.log_neighbor_changes {
            env.log(BgpLogEvent::Up { neighbor: self.logged(key) });
        }
        env.actions.push(Action::Unsettled);
        // The other connection has lost.
        let (collision, reason) = (Some(Notification::COLLISION), DownReason::Collision);
        self.event_because(env, key, direction.other(), Event::Stop, collision, reason);
        self.send_filter(env, key);
        self.advertise_default(env, key);
    }

    fn down(&mut self, env: &mut Env<'_, '_>, key: PeerKey, reason: DownReason) {
        let now = env.now();
        let log = env.config().is_none_or(|config| config.log_neighbor_changes);
        let Some(peer) = self.peer_mut(key) else { return };
        let session = peer.session.take();
        peer.dropped += 1;
        peer.changed = now;
        let explained =
            peer.last_reset.as_ref().is_some_and(|reset| reset.at == now && reset.notification.is_some());
        match &mut peer.last_reset {
            Some(reset) if explained => reset.reason = reason,
            last => *last = Some(LastReset { at: now, reason, notification: None }),
        }
        self.timers.cancel(TimerKey::Advertise(key));
        self.timers.cancel(TimerKey::SoftReset(key));
        // A NOTIFICATION of either side, or an interface that is down, is no restart.
        let restart_time =
            session.filter(|_| reason == DownReason::PeerClosed).and_then(|s| s.restart_time());
        match restart_time {
            Some(time) => self.keep_for_restart(env, key, time),
            None => {
                self.end_restart(key);
                self.forget_routes(key);
            }
        }
        self.forget_advertised(key);
        if log {
            env.log(BgpLogEvent::Down { neighbor: self.logged(key), reason });
            env.log(BgpLogEvent::RemovedFromSession { neighbor: self.logged(key), reason });
        }
        env.actions.push(Action::Unsettled);
    }

    /// Ends whatever connections a peer has; it starts again by itself.
    pub(super) fn reset(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        notification: Notification,
        reason: DownReason,
    ) {
        for direction in [Direction::Incoming, Direction::Outgoing] {
            let notification = Some(notification.clone());
            self.event_because(env, key, direction, Event::Stop, notification, reason);
        }
        let idle = self.peer(key).is_some_and(|peer| peer.outgoing.state == State::Idle);
        if idle && !self.timers.is_running(TimerKey::IdleHold(key)) {
            self.start_later(env, key);
        }
    }

    /// Ends a peer's connections and leaves it in Idle.
    pub(super) fn halt(
        &mut self,
        env: &mut Env<'_, '_>,
        key: PeerKey,
        halt: Halt,
        notification: Notification,
        reason: DownReason,
    ) {
        if let Some(peer) = self.peer_mut(key) {
            peer.halt = Some(halt);
        }
        self.reset(env, key, notification, reason);
        self.timers.cancel(TimerKey::IdleHold(key));
        self.admit(env, key.vrf);
    }

    /// Lets a halted peer start again.
    pub(super) fn resume(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        self.timers.cancel(TimerKey::PrefixLimit(key));
        if let Some(peer) = self.peer_mut(key) {
            peer.halt = None;
        }
        self.admit(env, key.vrf);
        self.start(env, key);
    }

    /// All peers of a VRF.
    pub(super) fn keys_of(&self, vrf: VrfId) -> Vec<PeerKey> {
        self.instances.get(&vrf).into_iter().flat_map(|i| i.peers.values()).map(|peer| peer.key).collect()
    }
}
