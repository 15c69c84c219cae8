//! What the configuration of a terminal line (`line con 0`, `line vty 0 4`) says about the sessions on it.

use std::time::Duration;

use netconfarena_emu::config::{RouterConfig, Secret};

use super::{Level, Terminal};
use crate::secret;

/// A terminal line of a router.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Line {
    /// The console.
    Console,
    /// A virtual terminal by its number.
    Vty(u16),
}

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
    /// How long a session may be without a key, unless configured otherwise.
    pub const EXEC_TIMEOUT: Duration = Duration::from_secs(600);

    /// The settings of a line. A virtual terminal beyond the configured ones is like the first.
    #[must_use]
    pub fn of(config: &RouterConfig, line: Line) -> Self {
        let mut settings = Self {
            login: if line == Line::Console { Login::Open } else { Login::LinePassword(None) },
            exec_timeout: Some(Self::EXEC_TIMEOUT),
            level: Level::USER,
            length: None,
            width: None,
            monitor: line == Line::Console,
        };
        let mut password = None;
        for text in lines_of(config, line) {
            settings.apply(text, &mut password);
        }
        if let Login::LinePassword(wanted) = &mut settings.login {
            *wanted = password;
        }
        if line != Line::Console && config.inert.global.iter().any(|line| line == "aaa new-model") {
            settings.login = Login::Local;
        }
        settings
    }

    fn apply(&mut self, text: &str, password: &mut Option<Secret>) {
        let words: Vec<&str> = text.split(' ').collect();
        match words.as_slice() {
            ["login"] => self.login = Login::LinePassword(None),
            ["login", "local"] => self.login = Login::Local,
            ["no", "login"] => self.login = Login::Open,
            ["password", "7", text] => *password = Some(Secret::Obfuscated((*text).to_owned())),
            ["password", "0", text @ ..] | ["password", text @ ..] => {
                *password = Some(Secret::Clear(text.join(" ")));
            }
            ["exec-timeout", minutes, seconds @ ..] => {
                let minutes: u64 = minutes.parse().unwrap_or(0);
                let seconds: u64 = seconds.first().and_then(|text| text.parse().ok()).unwrap_or(0);
                let limit = Duration::from_secs(minutes.saturating_mul(60).saturating_add(seconds));
                self.exec_timeout = Some(limit).filter(|limit| !limit.is_zero());
            }
            ["no", "exec-timeout"] => self.exec_timeout = None,
            ["privilege", "level", level] => {
                if let Some(level) = level.parse().ok().filter(|level| *level <= Level::PRIVILEGED.0) {
                    self.level = Level(level);
                }
            }
            ["length", lines] => self.length = lines.parse().ok().filter(|lines| *lines <= Terminal::MOST),
            ["width", columns] => {
                self.width = columns.parse().ok().filter(|columns| *columns <= Terminal::MOST);
            }
            ["monitor"] => self.monitor = true,
            _ => {}
        }
    }
}

/// The configuration lines of a terminal line.
fn lines_of(config: &RouterConfig, line: Line) -> impl Iterator<Item = &str> {
    let wanted = move |section: &str| -> Option<bool> {
        let mut words = section.strip_prefix("line ")?.split(' ');
        let kind = words.next()?;
        let first: u16 = words.next()?.parse().ok()?;
        let last: u16 = words.next().map_or(Some(first), |word| word.parse().ok())?;
        Some(match line {
            Line::Console => kind == "con",
            Line::Vty(number) => kind == "vty" && (first..=last).contains(&number),
        })
    };
    let sections = &config.inert.sections;
    let find = |test: &dyn Fn(&str) -> bool| sections.iter().find(|(name, _)| test(name));
    let own = find(&|name| wanted(name) == Some(true));
    let first = || find(&|name| name.starts_with("line vty 0")).filter(|_| line != Line::Console);
    own.or_else(first).map(|(_, lines)| lines.iter().map(String::as_str)).into_iter().flatten()
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
