//! The far end of a connection: what a router says to who has connected to one of its virtual terminals.

use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;
use netconfarena_emu::router::LineUser;
use netconfarena_emu::tcp::Endpoints;
use serde::{Deserialize, Serialize};

use super::login::{LoginDialog, LoginStep, Opening, banner_text, source_of};
use super::{Level, Line, LineSettings, Session, authenticate};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Stage {
    Login(LoginDialog),
    Shell(Box<Session>),
    Gone,
}

/// A session at a virtual terminal that was reached over the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Guest {
    /// The router.
    pub node: NodeIndex,
    line: u16,
    /// The connection, as the router sees it.
    pub endpoints: Endpoints,
    stage: Stage,
    /// Octets of a line that has not come whole.
    pending: String,
    /// Through how many other sessions it was reached.
    depth: u8,
}

impl Guest {
    /// Somebody has connected: the session, and what it says first.
    pub fn new(network: &mut Network, node: NodeIndex, line: u16, depth: u8) -> Option<(Self, String)> {
        let visit = network.router(node).visits().find(|(number, _)| *number == line)?.1;
        let endpoints = visit.endpoints;
        let mut guest = Self { node, line, endpoints, stage: Stage::Gone, pending: String::new(), depth };
        let opening = Opening::of(&guest.settings(network));
        let mut text = opening.greeting(network.router(node).config());
        match opening {
            Opening::Open => {
                let level = guest.settings(network).level;
                guest.open(network, None, level, &mut text);
            }
            Opening::Ask(dialog) => guest.stage = Stage::Login(dialog),
            Opening::NoPassword => {}
        }
        text += &guest.prompt(network);
        Some((guest, text))
    }

    fn settings(&self, network: &Network) -> LineSettings {
        LineSettings::of(network.router(self.node).config(), Line::Vty(self.line))
    }

    /// Whether the connection is there at the router's end.
    pub fn is_connected(&self, network: &Network) -> bool {
        let mut visits = network.router(self.node).visits();
        visits.any(|(line, visit)| line == self.line && visit.endpoints == self.endpoints)
    }

    /// Whether it has said the last word.
    pub const fn is_gone(&self) -> bool {
        matches!(self.stage, Stage::Gone)
    }

    /// The session, once somebody has logged in.
    pub const fn session(&self) -> Option<&Session> {
        match &self.stage {
            Stage::Shell(session) => Some(session),
            Stage::Login(_) | Stage::Gone => None,
        }
    }

    /// Whether the next line is a password.
    pub fn hides_input(&self) -> bool {
        match &self.stage {
            Stage::Login(dialog) => dialog.hides_input(),
            Stage::Shell(session) => session.hides_input(),
            Stage::Gone => false,
        }
    }

    fn prompt(&self, network: &Network) -> String {
        match &self.stage {
            Stage::Login(dialog) => dialog.prompt().to_owned(),
            Stage::Shell(session) => session.prompt(network),
            Stage::Gone => String::new(),
        }
    }

    /// Takes octets; what is said to the lines in them, each with the next prompt.
    pub fn take(&mut self, network: &mut Network, octets: &[u8]) -> String {
        self.pending.push_str(&String::from_utf8_lossy(octets));
        let mut said = String::new();
        while let Some((line, rest)) = self.pending.split_once('\n') {
            let line = line.trim_end_matches('\r').to_owned();
            self.pending = rest.to_owned();
            said += &self.line(network, &line);
            said += &self.prompt(network);
        }
        said
    }

    fn line(&mut self, network: &mut Network, line: &str) -> String {
        let mut said = String::new();
        match std::mem::replace(&mut self.stage, Stage::Gone) {
            Stage::Gone => {}
            Stage::Login(mut dialog) => {
                let access = network.router(self.node).config().access.clone();
                let admit = |user: &str, password: &str| authenticate(&access, user, password);
                match dialog.answer(&self.settings(network), line, admit) {
                    LoginStep::Ask(remark) => {
                        said.push_str(remark);
                        self.stage = Stage::Login(dialog);
                    }
                    LoginStep::In(user, level) => self.open(network, user.as_deref(), level, &mut said),
                    LoginStep::Out(remark) => said.push_str(remark),
                }
            }
            Stage::Shell(mut session) => {
                said = session.execute(network, line);
                said += &session.messages(network);
                if session.is_closed() {
                    session.hang_up(network);
                } else {
                    self.note_user(network, session.user());
                    self.stage = Stage::Shell(session);
                }
            }
        }
        said
    }

    fn open(&mut self, network: &mut Network, user: Option<&str>, level: Level, said: &mut String) {
        let (line, from) = (Line::Vty(self.line), self.endpoints.remote.ip().to_string());
        let mut session = Session::logged_in(self.node, level, source_of(user, line, Some(&from)));
        session.depth = self.depth;
        let settings = self.settings(network);
        if settings.monitor {
            session.watch_log(network);
        }
        session.set_size(settings.width, settings.length);
        said.push_str(&banner_text(network.router(self.node).config(), "exec"));
        self.note_user(network, user.unwrap_or_default().to_owned());
        self.stage = Stage::Shell(Box::new(session));
    }

    /// Lets the router know who is at the line, for `show users` and the time limit.
    fn note_user(&self, network: &mut Network, user: String) {
        // The session may have restarted the router, or cleared its own line.
        if self.is_connected(network) {
            let from = self.endpoints.remote.ip().to_string();
            let user = LineUser { user, from, last_key: network.now() };
            network.router_mut(self.node).set_line_user(self.line, Some(user));
        }
    }

    /// The connection is gone.
    pub fn hang_up(&mut self, network: &mut Network) {
        if let Stage::Shell(mut session) = std::mem::replace(&mut self.stage, Stage::Gone) {
            session.hang_up(network);
        }
    }
}
