//! What the configuration of a terminal line (`line con 0`, `line vty 0 4`) says about the sessions on it.

use std::time::Duration;

pub use netconfarena_emu::config::Line;
use netconfarena_emu::config::{LineLogin, RouterConfig, Secret};

use super::Level;
use crate::secret;

/// Who may begin a session on a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Login {
    /// `no login`: anybody.
    Open,
    /// `login`: who knows the password of the line, if it has one.
    LinePassword(Option<Secret>),
    /// `login local`, or `aaa new-model`: the users of the configuration.
    Local,
}

impl Login {
    /// Whether a password is that of the line.
    #[must_use]
    pub fn is_line_password(&self, given: &str) -> bool {
        matches!(self, Self::LinePassword(Some(wanted)) if secret::matches(wanted, given))
    }
}

/// The settings of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineSettings {
    /// `login`.
    pub login: Login,
    /// `exec-timeout`: after how long without a key a session ends; `None` for never.
    pub exec_timeout: Option<Duration>,
    /// `privilege level`: what a session begins with.
    pub level: Level,
    /// `length`, if the line fixes it.
    pub length: Option<u16>,
    /// `width`, if the line fixes it.
    pub width: Option<u16>,
    /// Whether log messages appear without `terminal monitor`.
    pub monitor: bool,
}

impl LineSettings {
    /// The settings of a line. A virtual terminal beyond the configured ones is like the first.
    #[must_use]
    pub fn of(config: &RouterConfig, line: Line) -> Self {
        let settings = config.lines.of(line);
        let is_vty = matches!(line, Line::Vty(_));
        // `aaa new-model` without lists of its own asks for users, but at the console for nothing.
        let by_users = is_vty && config.inert.global.iter().any(|line| line == "aaa new-model");
        let login = match &settings.login {
            _ if by_users => Login::Local,
            Some(LineLogin::Local) => Login::Local,
            Some(LineLogin::Open) => Login::Open,
            None if !is_vty => Login::Open,
            Some(LineLogin::Password | LineLogin::Authentication(_)) | None => {
                Login::LinePassword(settings.password.clone())
            }
        };
        Self {
            login,
            exec_timeout: settings.idle_limit(),
            level: Level(settings.privilege.unwrap_or(Level::USER.0)),
            length: settings.length,
            width: settings.width,
            monitor: settings.monitor || line == Line::Console,
        }
    }
}

#[cfg(test)]
mod tests {
    use netconfarena_emu::network::Network;

    use super::*;
    use crate::config;

    fn settings(text: &str, line: Line) -> LineSettings {
        let mut network = Network::new(1);
        let node = network.add_router("R1", &[]);
        let mut config = RouterConfig::clone(network.router(node).config());
        let loaded = config::load(&mut config, text);
        assert!(loaded.refused.is_empty(), "{:?}", loaded.refused);
        LineSettings::of(&config, line)
    }

    #[test]
    fn a_line_without_configuration_has_the_defaults_of_ios() {
        let console = settings("", Line::Console);
        assert_eq!((console.login, console.monitor), (Login::Open, true));
        let vty = settings("", Line::Vty(0));
        assert_eq!((vty.login, vty.monitor), (Login::LinePassword(None), false));
        assert_eq!((vty.exec_timeout, vty.level), (Some(Duration::from_secs(600)), Level::USER));
    }

    #[test]
    fn the_lines_of_a_range_hold_for_its_terminals_and_for_those_beyond() {
        let text = "line vty 0 4\n password cisco\n login\n exec-timeout 0 0\n privilege level 15\nline vty 5 15\n login local\n length 0\n exec-timeout 5 30\n";
        let first = settings(text, Line::Vty(4));
        assert!(first.login.is_line_password("cisco") && !first.login.is_line_password("other"));
        assert_eq!((first.exec_timeout, first.level), (None, Level::PRIVILEGED));
        let second = settings(text, Line::Vty(5));
        assert_eq!((second.login, second.length), (Login::Local, Some(0)));
        assert_eq!(second.exec_timeout, Some(Duration::from_secs(330)));
        assert_eq!(settings(text, Line::Vty(99)), first);
    }

    #[test]
    fn authentication_by_users_holds_for_all_terminals() {
        assert_eq!(settings("aaa new-model\n", Line::Vty(3)).login, Login::Local);
        assert_eq!(settings("line vty 0 4\n no login\n", Line::Vty(3)).login, Login::Open);
    }
}
