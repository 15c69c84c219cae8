//! Graceful restart (RFC 4724): the routes of a peer that has gone without a word are kept while it restarts.
//!
//! This router helps others. Nothing of its own outlives a restart, so it never asks others to keep what it has told.

use std::time::Duration;

use super::packet::{Capability, Family};
use super::peer::{PeerKey, Session};
use super::process::{BgpProcess, Env, TimerKey};

impl Session {
    /// How long the peer may take to come back, if both sides have agreed on graceful restart of IPv4 unicast.
    #[must_use]
    pub fn restart_time(&self) -> Option<Duration> {
        let offered = self.sent.iter().any(|c| matches!(c, Capability::GracefulRestart { .. }));
        let theirs = self.received.iter().find_map(|capability| match capability {
            Capability::GracefulRestart { time, families, .. } => {
                let named = families.iter().any(|(family, _)| *family == Family::IPV4_UNICAST);
                named.then(|| Duration::from_secs(u64::from(*time)))
            }
            _ => None,
        });
        theirs.filter(|_| offered)
    }

    /// Whether the peer says that it still forwards by the routes it had told before it restarted (the F bit).
    #[must_use]
    pub fn has_kept_forwarding(&self) -> bool {
        self.received.iter().any(|capability| match capability {
            Capability::GracefulRestart { families, .. } => families.contains(&(Family::IPV4_UNICAST, true)),
            _ => false,
        })
    }
}

impl BgpProcess {
    /// TCP has failed under a session: keeps the peer's routes as stale ones, for so long as it may take to restart (section 4.2).
    pub(super) fn keep_for_restart(&mut self, env: &mut Env<'_, '_>, key: PeerKey, time: Duration) {
        // What is stale from an earlier restart is not kept for a second one.
        self.forget_stale(key);
        self.mark_stale(key);
        let Some(peer) = self.peer_mut(key) else { return };
        peer.restarting = true;
        let seconds = env.config().map_or(0, |config| config.graceful_restart.stale_path_seconds());
        let now = env.now();
        self.timers.set(TimerKey::Restart(key), now + time);
        self.timers.set(TimerKey::StalePaths(key), now + Duration::from_secs(u64::from(seconds)));
    }

    /// A peer that has restarted is back: its routes stay until it has told all anew, unless it has lost them.
    pub(super) fn back_from_restart(&mut self, key: PeerKey) {
        self.timers.cancel(TimerKey::Restart(key));
        let kept = self
            .peer(key)
            .and_then(|peer| peer.session.as_ref())
            .is_some_and(|session| session.restart_time().is_some() && session.has_kept_forwarding());
        if !kept {
            self.end_restart(key);
        }
    }

    /// The peer has told all, or has taken too long: what is still stale goes.
    pub(super) fn end_restart(&mut self, key: PeerKey) {
        self.timers.cancel(TimerKey::Restart(key));
        self.timers.cancel(TimerKey::StalePaths(key));
        if self.peer_mut(key).is_some_and(|peer| std::mem::take(&mut peer.restarting)) {
            self.forget_stale(key);
        }
    }
}
