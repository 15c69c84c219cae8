//! Who is logged in at the router's lines, and who alone may configure.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Router;
use crate::time::Time;

/// Somebody at a virtual terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LineUser {
    /// The user's name; empty if nobody asked for it.
    pub user: String,
    /// From where.
    pub from: String,
    /// When the last key was pressed.
    pub last_key: Time,
}

/// The people at a router.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Operators {
    lines: BTreeMap<u16, LineUser>,
    /// The session that holds the configuration for itself.
    lock: Option<String>,
}

impl Operators {
    /// Whether somebody is at a virtual terminal.
    pub fn is_used(&self, line: u16) -> bool {
        self.lines.contains_key(&line)
    }
}

impl Router {
    /// Who is at the virtual terminals, by their numbers.
    pub fn line_users(&self) -> impl Iterator<Item = (u16, &LineUser)> {
        self.operators.lines.iter().map(|(&line, user)| (line, user))
    }

    /// Somebody has come to a virtual terminal or typed there, or has left it.
    pub fn set_line_user(&mut self, line: u16, user: Option<LineUser>) {
        match user {
            Some(user) => self.operators.lines.insert(line, user),
            None => self.operators.lines.remove(&line),
        };
    }

    /// The session that alone may configure, as the log calls it.
    #[must_use]
    pub fn configuration_lock(&self) -> Option<&str> {
        self.operators.lock.as_deref()
    }

    /// Gives the configuration to one session, or to all again.
    pub fn lock_configuration(&mut self, session: Option<String>) {
        self.operators.lock = session;
    }
}
