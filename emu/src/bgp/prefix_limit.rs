//! `maximum-prefix`: what happens when a peer sends more prefixes than it may.

use std::time::Duration;

use super::config::{MaximumPrefix, MaximumPrefixAction};
use super::log::{BgpLogEvent, DownReason};
use super::packet::Notification;
use super::peer::{Halt, PeerKey};
use super::process::{BgpProcess, Env, TimerKey};

impl BgpProcess {
    /// Looks at how many prefixes a peer has sent.
    pub(super) fn check_maximum(&mut self, env: &mut Env<'_, '_>, key: PeerKey) {
        let Some(peer) = self.peer_mut(key) else { return };
        let Some(MaximumPrefix { limit, threshold, action }) = peer.settings.policy.maximum_prefix else {
            return;
        };
        let count = peer.routes_in.current;
        let threshold = u64::from(threshold.unwrap_or(MaximumPrefix::DEFAULT_THRESHOLD));
        let near = u64::from(count) * 100 > u64::from(limit) * threshold;
        let warn = near && !std::mem::replace(&mut peer.routes_in.warned, near);
        let beyond = count > limit;
        let exceeded = beyond && !std::mem::replace(&mut peer.routes_in.exceeded, beyond);
        let neighbor = self.logged(key);
        if warn && !beyond {
            env.log(BgpLogEvent::PrefixesNearMaximum { neighbor: neighbor.clone(), count, limit });
        }
        if !exceeded {
            return;
        }
        env.log(BgpLogEvent::PrefixesBeyondMaximum { neighbor, count, limit });
        if action == MaximumPrefixAction::WarningOnly {
            return;
        }
        self.halt(
            env,
            key,
            Halt::PrefixLimit,
            Notification::maximum_prefixes(limit),
            DownReason::NotificationSent,
        );
        if let MaximumPrefixAction::Restart(minutes) = action {
            let at = env.now() + Duration::from_secs(u64::from(minutes) * 60);
            self.timers.set(TimerKey::PrefixLimit(key), at);
        }
    }
}
