//! What an operator has put off: a restart (`reload in`, `reload at`), and the way back from changes that nobody confirms
//! (`configure terminal revert timer`).

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Router, RouterOutput};
use crate::config::RouterConfig;
use crate::log::LogEvent;
use crate::time::Time;

/// A restart that will come.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduledReload {
    /// When.
    pub at: Time,
    /// Who asked for it, as the log calls the session.
    pub by: String,
    /// Why.
    pub reason: String,
}

/// A configuration that will come back unless the changes since are confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PendingRevert {
    /// When the changes began.
    pub since: Time,
    /// When it comes back.
    pub at: Time,
    /// How long there was to confirm.
    pub timer: Duration,
    /// Who makes the changes.
    pub user: String,
    /// The file that holds the configuration, as `show archive` names it.
    pub file: String,
    /// The configuration.
    pub config: Arc<RouterConfig>,
}

/// Everything that was put off.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Scheduled {
    reload: Option<ScheduledReload>,
    revert: Option<PendingRevert>,
}

impl Scheduled {
    /// When the next of it happens.
    pub fn next_deadline(&self) -> Option<Time> {
        let reload = self.reload.as_ref().map(|reload| reload.at);
        reload.into_iter().chain(self.revert.as_ref().map(|revert| revert.at)).min()
    }
}

impl Router {
    /// The restart that will come, if one will.
    #[must_use]
    pub const fn scheduled_reload(&self) -> Option<&ScheduledReload> {
        self.scheduled.reload.as_ref()
    }

    /// Puts a restart off, or gives it up.
    pub fn schedule_reload(&mut self, reload: Option<ScheduledReload>) {
        self.scheduled.reload = reload;
    }

    /// The configuration that comes back unless somebody confirms, if there is one.
    #[must_use]
    pub const fn pending_revert(&self) -> Option<&PendingRevert> {
        self.scheduled.revert.as_ref()
    }

    /// Lets a configuration come back later, or confirms what has changed.
    pub fn set_pending_revert(&mut self, revert: Option<PendingRevert>) {
        self.scheduled.revert = revert;
    }

    /// What was put off to now happens.
    pub(super) fn run_scheduled(&mut self, now: Time) {
        if let Some(revert) = self.scheduled.revert.take_if(|revert| revert.at <= now) {
            self.write_log(now, LogEvent::RevertBegun { file: revert.file });
            self.configure(now, RouterConfig::clone(&revert.config));
        }
        if self.scheduled.reload.take_if(|reload| reload.at <= now).is_some() {
            self.reload(now);
            // The other ends see the carrier go with the ports, as after a reload that was not put off.
            let ports: Vec<_> = self.interfaces.iter().map(|interface| interface.index).collect();
            self.output.extend(ports.into_iter().map(RouterOutput::PortChanged));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::network::Network;

    fn named(network: &Network, node: crate::ids::NodeIndex, hostname: &str) -> RouterConfig {
        RouterConfig { hostname: hostname.to_owned(), ..RouterConfig::clone(network.router(node).config()) }
    }

    #[test]
    fn a_scheduled_reload_comes_in_its_time_unless_it_is_given_up() {
        let mut network = Network::new(1);
        let node = network.add_router("R1", &["GigabitEthernet0/0".parse().unwrap()]);
        let config = named(&network, node, "Changed");
        network.configure(node, config);
        let at = network.now() + Duration::from_secs(60);
        let reload = ScheduledReload { at, by: "console".to_owned(), reason: "Reload Command".to_owned() };
        network.router_mut(node).schedule_reload(Some(reload.clone()));
        network.run_for(Duration::from_secs(59));
        assert_eq!(network.router(node).config().hostname, "Changed");
        network.router_mut(node).schedule_reload(None);
        network.run_for(Duration::from_secs(10));
        assert_eq!(network.router(node).config().hostname, "Changed");
        let at = network.now() + Duration::from_secs(60);
        network.router_mut(node).schedule_reload(Some(ScheduledReload { at, ..reload }));
        network.run_for(Duration::from_secs(60));
        assert_eq!(network.router(node).config().hostname, "R1");
        assert_eq!(network.router(node).booted(), at);
        assert_eq!(network.router(node).scheduled_reload(), None);
    }

    #[test]
    fn changes_that_nobody_confirms_are_taken_back() {
        let mut network = Network::new(1);
        let node = network.add_router("R1", &[]);
        let before = named(&network, node, "R1");
        let config = named(&network, node, "Changed");
        network.configure(node, config);
        let timer = Duration::from_secs(120);
        let revert = PendingRevert {
            since: network.now(),
            at: network.now() + timer,
            timer,
            user: "console".to_owned(),
            file: "flash:/kept-1".to_owned(),
            config: Arc::new(before),
        };
        network.router_mut(node).set_pending_revert(Some(revert));
        network.run_for(Duration::from_secs(119));
        assert_eq!(network.router(node).config().hostname, "Changed");
        network.run_for(Duration::from_secs(1));
        assert_eq!(network.router(node).config().hostname, "R1");
        let wanted = LogEvent::RevertBegun { file: "flash:/kept-1".to_owned() };
        assert!(network.router(node).log().iter().any(|entry| entry.event == wanted));
    }
}
