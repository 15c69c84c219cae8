//! Privilege levels, and the passwords in front of them.

use netconfarena_emu::config::{AccessConfig, RouterConfig};
use serde::{Deserialize, Serialize};

use super::exec::Exec;
use super::question::Question;
use crate::config::Complaint;
use crate::secret;

/// A privilege level, 0 to 15. Below 15 there are the commands of user exec mode, and those that `privilege exec level` gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Level(pub u8);

impl Level {
    /// User exec mode.
    pub const USER: Self = Self(1);
    /// Privileged exec mode.
    pub const PRIVILEGED: Self = Self(15);

    /// What ends the prompt.
    pub(super) const fn mark(self) -> char {
        if self.0 > Self::USER.0 { '#' } else { '>' }
    }
}

/// The level that `privilege exec level` gives a command, by the longest beginning of it that is configured.
pub(super) fn needed(config: &RouterConfig, names: &[&str]) -> Option<Level> {
    let given = config.inert.global.iter().filter_map(|line| {
        let (level, command) = line.strip_prefix("privilege exec level ")?.split_once(' ')?;
        let words: Vec<&str> = command.split(' ').collect();
        let begins = words.len() <= names.len()
            && words.iter().zip(names).all(|(word, name)| crate::grammar::abbreviates(word, name));
        Some((words.len(), Level(level.parse().ok()?))).filter(|_| begins)
    });
    given.max().map(|(_, level)| level)
}

/// How often a password may be wrong.
const TRIES: u8 = 3;

impl Exec<'_> {
    /// `enable`: to a higher level a password is asked for, if there is one. Without one only the console gets there.
    ///
    /// # Errors
    /// There is no password, and the session is at a virtual terminal.
    pub fn enable(&mut self, level: Level) -> Result<(), Complaint> {
        let has_password = has_password(&self.router().config().access, level);
        if level <= self.session.level {
            self.session.level = level;
        } else if has_password {
            self.ask(Question::EnablePassword { level, tries: TRIES });
        } else if self.session.vty().is_some() {
            return Err(Complaint::Refused("% No password set".to_owned()));
        } else {
            self.session.level = level;
        }
        Ok(())
    }

    /// A password was given.
    ///
    /// # Errors
    /// It was wrong too often.
    pub fn enable_with(&mut self, level: Level, tries: u8, password: &str) -> Result<(), Complaint> {
        if is_password(&self.router().config().access, level, password) {
            self.session.level = level;
        } else if tries > 1 {
            self.ask(Question::EnablePassword { level, tries: tries - 1 });
        } else {
            return Err(Complaint::Refused("% Bad secrets\n".to_owned()));
        }
        Ok(())
    }
}

fn has_password(access: &AccessConfig, level: Level) -> bool {
    access.enable_secrets.contains_key(&level.0) || access.enable_passwords.contains_key(&level.0)
}

/// A password counts only where there is no secret.
fn is_password(access: &AccessConfig, level: Level, password: &str) -> bool {
    let wanted = access.enable_secrets.get(&level.0).or_else(|| access.enable_passwords.get(&level.0));
    wanted.is_some_and(|wanted| secret::matches(wanted, password))
}

/// Whether a user may log in with a password, and to which level.
#[must_use]
pub fn authenticate(access: &AccessConfig, user: &str, password: &str) -> Option<Level> {
    let user = access.users.get(user)?;
    let level = Level(user.privilege.unwrap_or(Level::USER.0));
    let wanted = user.secret.as_ref().or(user.password.as_ref());
    let admitted = user.no_password || wanted.is_some_and(|wanted| secret::matches(wanted, password));
    admitted.then_some(level)
}
