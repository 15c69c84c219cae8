//! Connections of a session to other routers: lines go there and answers come back in real packets, while virtual time goes on.
//!
//! Lines are sent whole and echoed here (the half-duplex terminal of RFC 854, without options). Help and completion are those of the
//! far session, without packets.

use std::net::Ipv4Addr;
use std::time::Duration;

use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;
use netconfarena_emu::router::{Call, CallState, TELNET};
use netconfarena_emu::tcp::{CloseReason, Endpoints};
use serde::{Deserialize, Serialize};

use super::exec::{Exec, Handler, act};
use super::guest::Guest;
use super::question::Question;
use super::{Outcome, Session};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, kw, plain};

/// How long an answer is waited for before the terminal takes another line; what comes later is shown then.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a far end that is no virtual terminal of this network is listened to.
const LISTEN: Duration = Duration::from_secs(1);

/// Through how many sessions one may go on to another router; each of them waits for the next.
const MOST_DEPTH: u8 = 8;

/// The greatest number of a connection.
const MOST_CONNECTIONS: u8 = 64;

/// A connection that a session has opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Connection {
    number: u8,
    /// What was asked for.
    name: String,
    address: Ipv4Addr,
    endpoints: Endpoints,
    /// The far end, if it is a virtual terminal of this network.
    guest: Option<Guest>,
    /// How many octets the far end has sent.
    sent: u64,
    /// What came behind the last newline: the far prompt.
    prompt: String,
}

impl Connection {
    fn state<'n>(&self, network: &'n Network, node: NodeIndex) -> Option<&'n Call> {
        network.router(node).call_at(self.endpoints)
    }

    fn is_open(&self, network: &Network, node: NodeIndex) -> bool {
        self.state(network, node).is_some_and(|call| call.state == CallState::Open)
    }

    /// Lets the far end say something.
    fn say(&mut self, network: &mut Network, text: &str) {
        let Some(guest) = &self.guest else { return };
        let octets = text.replace('\n', "\r\n").into_bytes();
        self.sent += u64::try_from(octets.len()).unwrap_or(u64::MAX);
        network.write_terminal(guest.node, guest.endpoints, &octets);
        if guest.is_gone() {
            network.close_terminal(guest.node, guest.endpoints);
        }
    }

    /// Sends a line, and lets the far end answer when it has come there.
    fn type_line(&mut self, network: &mut Network, node: NodeIndex, line: &str) {
        network.write_terminal(node, self.endpoints, format!("{line}\r\n").as_bytes());
        let Some(mut guest) = self.guest.take() else { return };
        network.run_until_true(PATIENCE, |network| {
            let mut visits = network.router(guest.node).visits();
            let ended = !guest.is_connected(network) || !self.is_open(network, node);
            ended || visits.any(|(_, visit)| visit.endpoints == guest.endpoints && visit.has_line())
        });
        // The router has ended it, perhaps without a word that could still come here.
        if !guest.is_connected(network) {
            guest.hang_up(network);
        }
        let octets = network.read_terminal(guest.node, guest.endpoints);
        let said = guest.take(network, &octets);
        self.guest = Some(guest);
        self.say(network, &said);
    }

    /// Waits for what the far end has said, and takes it.
    fn hear(&mut self, network: &mut Network, node: NodeIndex) -> String {
        let closes = self.guest.as_ref().is_some_and(Guest::is_gone);
        let limit = if self.guest.is_some() { PATIENCE } else { LISTEN };
        network.run_until_true(limit, |network| {
            let Some(call) = self.state(network, node) else { return true };
            call.state != CallState::Open || self.guest.is_some() && !closes && call.octets_in >= self.sent
        });
        let octets = network.read_terminal(node, self.endpoints);
        let text = std::mem::take(&mut self.prompt) + &String::from_utf8_lossy(&octets).replace('\r', "");
        let (shown, prompt) =
            text.rsplit_once('\n').map_or(("", text.as_str()), |(shown, rest)| (shown, rest));
        self.prompt = prompt.to_owned();
        if shown.is_empty() && !text.contains('\n') { String::new() } else { format!("{shown}\n") }
    }

    /// The connection ends, from here or because it has ended.
    fn end(&mut self, network: &mut Network, node: NodeIndex) {
        network.close_terminal(node, self.endpoints);
        if let Some(guest) = &mut self.guest {
            guest.hang_up(network);
        }
    }

    /// What is said when it has ended.
    fn farewell(&self, reason: CloseReason) -> String {
        let why = match reason {
            CloseReason::TimedOut => "timed out; remote host not responding",
            CloseReason::Finished | CloseReason::Reset | CloseReason::Refused => "closed by foreign host",
        };
        format!("\n[Connection to {} {why}]\n", self.name)
    }
}

impl Session {
    /// A control-^ and an x lead back from another router to the session that has connected.
    pub const ESCAPE: &str = "\u{1e}x";

    /// The connection that the terminal is at, if it is not at this router.
    pub(super) fn connection(&self) -> Option<&Connection> {
        let current = self.current?;
        self.connections.iter().find(|connection| connection.number == current)
    }

    /// The session at the other end of the connection that the terminal is at.
    pub(super) fn far_session(&self) -> Option<&Session> {
        self.connection()?.guest.as_ref()?.session()
    }

    /// The session that the terminal is at, through all connections; `None` if nobody has logged in there.
    pub(super) fn innermost(&self) -> Option<&Session> {
        let mut session = self;
        while session.is_connected() {
            session = session.far_session()?;
        }
        Some(session)
    }

    /// Whether the next line goes to another router.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.connection().is_some()
    }

    /// The prompt of the other end.
    pub(super) fn far_prompt(&self) -> Option<String> {
        self.connection().map(|connection| connection.prompt.clone())
    }

    /// Whether the next line is a password at the other end.
    pub(super) fn far_hides_input(&self) -> Option<bool> {
        self.connection().map(|connection| connection.guest.as_ref().is_some_and(Guest::hides_input))
    }

    /// Runs a line at the other end of the connection that the terminal is at.
    pub(super) fn run_there(&mut self, network: &mut Network, line: &str) -> Outcome {
        if let Some((_, behind)) = line.split_once(Self::ESCAPE) {
            self.current = None;
            // What is typed behind the escape is for this router.
            let behind = behind.to_owned();
            return if behind.is_empty() { Outcome::default() } else { self.run(network, &behind) };
        }
        let node = self.node;
        let current = self.connections.iter_mut().find(|connection| Some(connection.number) == self.current);
        if let Some(connection) = current {
            connection.prompt.clear();
            connection.type_line(network, node, line);
        }
        Outcome { text: self.hear_there(network), complaint: None }
    }

    /// What the other end of the connection that the terminal is at has said; if it has ended, the terminal is here again.
    fn hear_there(&mut self, network: &mut Network) -> String {
        let node = self.node;
        let at = self.connections.iter().position(|connection| Some(connection.number) == self.current);
        let Some(connection) = at.and_then(|at| self.connections.get_mut(at)) else { return String::new() };
        let mut text = connection.hear(network, node);
        let reason = match connection.state(network, node).map(|call| call.state) {
            Some(CallState::Closed(reason)) => Some(reason),
            Some(CallState::Open | CallState::Opening) => None,
            None => Some(CloseReason::Reset),
        };
        if let (Some(reason), Some(at)) = (reason, at) {
            text += &std::mem::take(&mut connection.prompt);
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            text += &connection.farewell(reason);
            connection.end(network, node);
            self.connections.remove(at);
            self.current = None;
        }
        text
    }

    /// Ends all connections.
    pub(super) fn close_connections(&mut self, network: &mut Network) {
        for mut connection in std::mem::take(&mut self.connections) {
            connection.end(network, self.node);
        }
        self.current = None;
    }

    /// The addresses that the session is connected to, as `show users` names them.
    pub(super) fn hosts(&self) -> Vec<String> {
        self.connections.iter().map(|connection| connection.address.to_string()).collect()
    }
}

impl Exec<'_> {
    /// Whether a further connection may be opened from here.
    ///
    /// # Errors
    /// There are too many already, behind each other or beside each other.
    pub fn may_attach(&self) -> Result<(), Complaint> {
        let open = self.session.connections.len();
        if self.session.depth >= MOST_DEPTH || open >= usize::from(MOST_CONNECTIONS) {
            return Err(Complaint::Refused(
                "% No more connections possible: too many are open already".to_owned(),
            ));
        }
        Ok(())
    }

    /// A connection has been opened: the terminal is there from now on.
    pub fn attach(&mut self, name: String, endpoints: Endpoints) {
        let used = |number: &u8| self.session.connections.iter().any(|c| c.number == *number);
        let number = (1..MOST_CONNECTIONS).find(|number| !used(number)).unwrap_or(MOST_CONNECTIONS);
        let node = self.session.node;
        let found = |network: &Network| network.visit_of(endpoints);
        self.network.run_until_true(PATIENCE, |network| {
            let open = network.router(node).call_at(endpoints).is_some_and(|c| c.state == CallState::Open);
            let visit = found(network).and_then(|(node, line)| {
                network.router(node).visits().find(|(number, _)| *number == line).map(|(_, visit)| visit)
            });
            !open || visit.is_none_or(|visit| visit.established)
        });
        let far = found(self.network).filter(|_| endpoints.remote.port() == TELNET);
        let depth = self.session.depth + 1;
        let guest = far.and_then(|(node, line)| Guest::new(self.network, node, line, depth));
        let (guest, greeting) = guest.map_or((None, String::new()), |(guest, text)| (Some(guest), text));
        let address = *endpoints.remote.ip();
        let mut connection =
            Connection { number, name, address, endpoints, guest, sent: 0, prompt: String::new() };
        connection.say(self.network, &greeting);
        self.session.connections.push(connection);
        self.session.current = Some(number);
        let text = self.session.hear_there(self.network);
        self.out.push_str(&text);
    }

    /// The connection of a number, or the last one.
    fn connection_of(&self, args: &Args) -> Result<u8, Complaint> {
        let wanted: Option<u8> = args.int("connection-number");
        let mut all = self.session.connections.iter().map(|connection| connection.number);
        match wanted {
            Some(wanted) => all
                .find(|number| *number == wanted)
                .ok_or_else(|| Complaint::Refused(format!("% {wanted} is not an open connection"))),
            None => all.next_back().ok_or_else(|| Complaint::Refused("% No current connection".to_owned())),
        }
    }

    /// `resume`: the terminal is at a connection again.
    ///
    /// # Errors
    /// There is no such connection.
    pub fn resume(&mut self, args: &Args) -> Result<(), Complaint> {
        let number = self.connection_of(args)?;
        self.resume_connection(number);
        Ok(())
    }

    /// An empty line leads to the last connection, if there is one.
    pub fn resume_last(&mut self) {
        if let Some(number) = self.session.connections.last().map(|connection| connection.number) {
            self.resume_connection(number);
        }
    }

    fn resume_connection(&mut self, number: u8) {
        let name = self.session.connections.iter().find(|c| c.number == number).map(|c| c.name.clone());
        self.say(&format!("[Resuming connection {number} to {} ... ]", name.unwrap_or_default()));
        self.session.current = Some(number);
        let text = self.session.hear_there(self.network);
        self.out.push_str(&text);
    }

    /// `disconnect` was confirmed.
    pub fn disconnect(&mut self, number: u8) {
        let node = self.session.node;
        for connection in self.session.connections.iter_mut().filter(|c| c.number == number) {
            connection.end(self.network, node);
        }
        self.session.connections.retain(|connection| connection.number != number);
    }

    fn show_sessions(&mut self) -> Result<(), Complaint> {
        if self.session.connections.is_empty() {
            self.say("% No connections open");
            return Ok(());
        }
        self.say("Conn Host                Address             Byte  Idle Conn Name");
        let last = self.session.connections.last().map(|connection| connection.number);
        let rows: Vec<String> = self
            .session
            .connections
            .iter()
            .map(|Connection { number, name, address, .. }| {
                let mark = if Some(*number) == last { '*' } else { ' ' };
                format!("{mark} {number:>2} {name:<20}{:<20}{:>4} {:>5} {name}", address.to_string(), 0, 0)
            })
            .collect();
        rows.iter().for_each(|row| self.say(row));
        Ok(())
    }
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    let sessions = Handler::Print(|exec, _| exec.show_sessions());
    let resume = Handler::Act(|exec, args| exec.resume(args));
    let disconnect = Handler::Act(|exec, args| {
        let number = exec.connection_of(args)?;
        let connection = exec.session.connections.iter().find(|c| c.number == number);
        let name = connection.map(|connection| connection.name.clone()).unwrap_or_default();
        exec.ask(Question::Disconnect { number, name });
        Ok(())
    });
    let number = |run| {
        int("connection-number", 1, MOST_CONNECTIONS.into(), "The number of an active network connection")
            .run(run)
    };
    vec![
        kw("show", "Show running system information").then([plain(
            "sessions",
            "Information about Telnet connections",
            sessions,
        )]),
        kw("disconnect", "Disconnect an existing network connection")
            .run(disconnect)
            .then([number(disconnect)]),
        kw("resume", "Resume an active network connection").run(resume).then([number(resume)]),
        kw("where", "List active connections").run(sessions),
    ]
}

/// `clear line vty N`, of privileged mode.
pub(super) fn clear_table() -> Spec<Handler> {
    kw("line", "Reset a terminal line").then([kw("vty", "Virtual terminal").then([int(
        "line-number",
        0,
        924,
        "Line number",
    )
    .run(Handler::Act(|exec, args| {
        exec.ask(Question::ClearLine(args.int("line-number").unwrap_or_default()));
        Ok(())
    }))])])
}

/// Leaves the session: what it is connected to is closed.
pub(super) fn leave(keyword: &'static str) -> Spec<Handler> {
    act(keyword, "Exit from the EXEC", |exec, _| {
        exec.session.close_connections(exec.network);
        exec.session.close();
        Ok(())
    })
}
