//! The state of lines: shutdown, carrier, line protocol.
//!
//! The line protocol of a port follows the carrier by a second, as IOS's does; it goes with the carrier at once, only the log
//! line about it comes a second later. Subinterfaces follow their port.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Router, RouterOutput};
use crate::ids::IfIndex;
use crate::interface::Medium;
use crate::log::LogEvent;
use crate::time::Time;

/// How long after the carrier the line protocol comes up, and after which its loss is logged.
const LINE_PROTOCOL_DELAY: Duration = Duration::from_secs(1);

/// The timers of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) enum LineTimer {
    /// The line protocol comes up.
    ProtocolUp(IfIndex),
    /// The loss of the line protocol is logged.
    LogProtocolDown(IfIndex),
}

impl Router {
    /// The carrier of a port came or went.
    pub(crate) fn set_carrier(&mut self, now: Time, port: IfIndex, up: bool) {
        let Some(interface) = self.interfaces.get_mut(port) else { return };
        if interface.carrier == up {
            return;
        }
        interface.carrier = up;
        let (name, admin_up) = (interface.name, interface.admin_up);
        if admin_up {
            self.write_log(now, LogEvent::LinkUpDown { interface: name, up });
            self.line_changed(now, port);
        }
        self.tell_processes(now);
    }

    /// `shutdown` or `no shutdown`.
    pub(super) fn set_admin(&mut self, now: Time, index: IfIndex, up: bool) {
        let Some(interface) = self.interfaces.get_mut(index) else { return };
        interface.admin_up = up;
        let (name, medium, carrier) = (interface.name, interface.medium, interface.carrier);
        let is_port = name.kind().is_physical() && name.subinterface().is_none();
        if is_port {
            self.output.push(RouterOutput::PortChanged(index));
        }
        match (up, medium) {
            (false, _) => self.write_log(now, LogEvent::LinkAdminDown { interface: name }),
            (true, _) if is_port => {
                self.write_log(now, LogEvent::LinkUpDown { interface: name, up: carrier });
            }
            (true, _) => {}
        }
        self.line_changed(now, index);
    }

    /// Starts or stops the line protocol after the carrier or `shutdown` has changed.
    fn line_changed(&mut self, now: Time, index: IfIndex) {
        let parent = self.interfaces.get(index).and_then(|i| i.name.parent());
        let parent = parent.and_then(|name| self.interfaces.by_name(name)).map(|p| p.is_up());
        let Some(interface) = self.interfaces.get_mut(index) else { return };
        match (interface.medium, parent) {
            (Medium::Loopback, _) => interface.carrier = true,
            (_, Some(parent_up)) => interface.carrier = parent_up,
            _ => {}
        }
        let works = interface.admin_up && interface.carrier;
        if !works {
            self.line_timers.cancel(LineTimer::ProtocolUp(index));
            self.set_line_protocol(now, index, false);
        } else if parent.is_some() || interface.medium == Medium::Loopback {
            self.set_line_protocol(now, index, true);
        } else if !interface.line_protocol {
            self.line_timers.set(LineTimer::ProtocolUp(index), now + LINE_PROTOCOL_DELAY);
        }
    }

    fn set_line_protocol(&mut self, now: Time, index: IfIndex, up: bool) {
        let Some(interface) = self.interfaces.get_mut(index) else { return };
        if interface.line_protocol == up {
            return;
        }
        interface.line_protocol = up;
        interface.last_change = now;
        let name = interface.name;
        let logged = name.subinterface().is_none();
        let loss_not_logged = self.line_timers.is_running(LineTimer::LogProtocolDown(index));
        self.line_timers.cancel(LineTimer::LogProtocolDown(index));
        if logged && up {
            if loss_not_logged {
                self.write_log(now, LogEvent::LineProtocolUpDown { interface: name, up: false });
            }
            self.write_log(now, LogEvent::LineProtocolUpDown { interface: name, up: true });
        } else if logged {
            self.line_timers.set(LineTimer::LogProtocolDown(index), now + LINE_PROTOCOL_DELAY);
        }
        self.interface_changed(now, index);
        let followers: Vec<IfIndex> =
            self.interfaces.iter().filter(|i| i.name.parent() == Some(name)).map(|i| i.index).collect();
        followers.into_iter().for_each(|follower| self.line_changed(now, follower));
    }

    pub(super) fn run_line_timers(&mut self, now: Time) {
        while let Some(timer) = self.line_timers.pop_expired(now) {
            match timer {
                LineTimer::ProtocolUp(index) => self.set_line_protocol(now, index, true),
                LineTimer::LogProtocolDown(index) => {
                    if let Some(name) = self.interfaces.get(index).map(|i| i.name) {
                        self.write_log(now, LogEvent::LineProtocolUpDown { interface: name, up: false });
                    }
                }
            }
        }
    }

    pub(super) fn forget_line_timers(&mut self, index: IfIndex) {
        self.line_timers.cancel(LineTimer::ProtocolUp(index));
        self.line_timers.cancel(LineTimer::LogProtocolDown(index));
    }
}
