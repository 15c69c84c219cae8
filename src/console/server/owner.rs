//! The one that owns the network: a thread that lets it keep pace with the wall clock, and does what sessions ask, one at a time.
//!
//! A command that takes network time, such as `ping`, is answered at once; the network has then run ahead by that time.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::thread;
use std::time::Duration;

use netconfarena_cli_dialect::session::Line;
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;
use netconfarena_emu::router::LineUser;
use netconfarena_emu::time::Time;
use tokio::runtime::Builder;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval};

use crate::console::terminal::{Credentials, Place, Terminal};
use crate::lab::Lab;

/// How often the network catches up with the clock.
const TICK: Duration = Duration::from_millis(20);

/// How much time the network catches up with at once; on a machine too slow for it, it falls behind.
const MOST_AT_ONCE: Duration = Duration::from_secs(1);

/// How long a login may take.
const LOGIN: Duration = Duration::from_secs(30);

/// How many requests wait for the owner before who asks has to wait.
const REQUESTS: usize = 256;

/// How many pieces of output wait for a session.
pub(super) const PIECES: usize = 8;

/// How many of them log messages may fill; more messages are lost to a terminal that does not take them.
const PIECES_OF_MESSAGES: usize = 6;

/// Names a session while it lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SessionId(u64);

/// Who begins a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// Somebody whom the terminal asks.
    Unknown,
    /// A user who is known already, with a level.
    #[cfg(feature = "ssh")]
    Known(String, netconfarena_cli_dialect::session::Level),
}

/// What a session is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// What the terminal shows.
    pub text: String,
    /// How many octets of the last input were taken; `None` if this answers none.
    pub taken: Option<usize>,
    /// Whether the session has ended.
    pub closed: bool,
}

enum Request {
    Open {
        node: NodeIndex,
        from: IpAddr,
        entry: Entry,
        output: mpsc::Sender<Output>,
        id: oneshot::Sender<SessionId>,
    },
    Input {
        id: SessionId,
        octets: Vec<u8>,
    },
    Resize {
        id: SessionId,
        columns: u32,
        lines: u32,
    },
    Close {
        id: SessionId,
    },
    With(Box<dyn FnOnce(&mut Lab) + Send>),
}

/// Reaches the owner of a network. It lives as long as one of these.
#[derive(Clone)]
pub struct Owner {
    requests: mpsc::Sender<Request>,
    #[cfg(feature = "ssh")]
    credentials: Credentials,
}

impl Owner {
    /// Starts the network's clock.
    ///
    /// # Errors
    /// The system has no thread.
    pub fn start(lab: Lab, credentials: Credentials) -> io::Result<Self> {
        let (requests, inbox) = mpsc::channel(REQUESTS);
        let runtime = Builder::new_current_thread().enable_time().build()?;
        let owner = Self {
            requests,
            #[cfg(feature = "ssh")]
            credentials: credentials.clone(),
        };
        let state = State { lab, credentials, sessions: BTreeMap::new(), next: 0 };
        thread::Builder::new()
            .name("network".to_owned())
            .spawn(move || runtime.block_on(state.run(inbox)))?;
        Ok(owner)
    }

    /// Begins a session at a router; its output goes to `output`.
    pub(super) async fn open(
        &self,
        node: NodeIndex,
        from: IpAddr,
        entry: Entry,
        output: mpsc::Sender<Output>,
    ) -> Option<SessionId> {
        let (id, answer) = oneshot::channel();
        self.requests.send(Request::Open { node, from, entry, output, id }).await.ok()?;
        answer.await.ok()
    }

    /// Types at a terminal.
    pub(super) async fn input(&self, id: SessionId, octets: Vec<u8>) {
        self.ask(Request::Input { id, octets }).await;
    }

    /// Tells a terminal the size of its window.
    pub(super) async fn resize(&self, id: SessionId, columns: u32, lines: u32) {
        self.ask(Request::Resize { id, columns, lines }).await;
    }

    /// Ends a session.
    pub(super) async fn close(&self, id: SessionId) {
        self.ask(Request::Close { id }).await;
    }

    /// Does something with the laboratory, from a thread that may wait. `None` if the owner is gone.
    pub fn with<T: Send + 'static>(&self, job: impl FnOnce(&mut Lab) -> T + Send + 'static) -> Option<T> {
        let (done, answer) = oneshot::channel();
        let job = move |lab: &mut Lab| {
            // Who no longer waits does not need the answer.
            let _ = done.send(job(lab));
        };
        self.requests.blocking_send(Request::With(Box::new(job))).ok()?;
        answer.blocking_recv().ok()
    }

    /// [`Self::with`], from a task.
    #[cfg(feature = "ssh")]
    pub(super) async fn with_later<T: Send + 'static>(
        &self,
        job: impl FnOnce(&mut Lab) -> T + Send + 'static,
    ) -> Option<T> {
        let (done, answer) = oneshot::channel();
        let job = move |lab: &mut Lab| {
            let _ = done.send(job(lab));
        };
        self.ask(Request::With(Box::new(job))).await;
        answer.await.ok()
    }

    /// Who may always log in.
    #[cfg(feature = "ssh")]
    pub(super) fn credentials(&self) -> Credentials {
        self.credentials.clone()
    }

    async fn ask(&self, request: Request) {
        // An owner that is gone has closed all sessions.
        let _ = self.requests.send(request).await;
    }
}

struct Attached {
    terminal: Terminal,
    /// When the router had started; another time means that it has restarted since.
    booted: Time,
    output: mpsc::Sender<Output>,
    last_key: Instant,
}

struct State {
    lab: Lab,
    credentials: Credentials,
    sessions: BTreeMap<SessionId, Attached>,
    next: u64,
}

impl State {
    async fn run(mut self, mut inbox: mpsc::Receiver<Request>) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut last = Instant::now();
        loop {
            tokio::select! {
                request = inbox.recv() => match request {
                    Some(request) => self.serve(request),
                    None => return,
                },
                now = ticks.tick() => {
                    self.lab.network.run_for(now.duration_since(last).min(MOST_AT_ONCE));
                    last = Instant::now().max(now);
                    self.show_messages();
                    self.end_idle();
                }
            }
        }
    }

    fn serve(&mut self, request: Request) {
        match request {
            Request::Open { node, from, entry, output, id } => {
                let _ = id.send(self.open(node, from, entry, output));
            }
            Request::Input { id, octets } => self.input(id, &octets),
            Request::Resize { id, columns, lines } => {
                if let Some(attached) = self.sessions.get_mut(&id) {
                    attached.terminal.resize(&self.lab.network, columns, lines);
                }
            }
            Request::Close { id } => self.hang_up(id),
            Request::With(job) => job(&mut self.lab),
        }
    }

    fn open(
        &mut self,
        node: NodeIndex,
        from: IpAddr,
        entry: Entry,
        output: mpsc::Sender<Output>,
    ) -> SessionId {
        let place = Place { node, line: self.free_line(node), from: Some(from.to_string()) };
        let network = &self.lab.network;
        let mut text = String::new();
        let terminal = match entry {
            Entry::Unknown => Terminal::with_login(network, place, self.credentials.clone(), &mut text),
            #[cfg(feature = "ssh")]
            Entry::Known(user, level) => Terminal::of_user(network, place, &user, level, &mut text),
        };
        let id = SessionId(self.next);
        self.next += 1;
        let greeted = output.try_send(Output { text, taken: None, closed: terminal.is_closed() });
        if greeted.is_ok() {
            note_user(&mut self.lab.network, &terminal);
            let network = &self.lab.network;
            let booted = network.router(node).booted();
            self.sessions.insert(id, Attached { terminal, booted, output, last_key: Instant::now() });
        }
        id
    }

    /// The lowest virtual terminal of a router that nobody uses, neither here nor over the network.
    fn free_line(&self, node: NodeIndex) -> Line {
        let used = |line: Line| {
            let visited = self.lab.network.router(node).visits().any(|(number, _)| line == Line::Vty(number));
            let places = self.sessions.values().map(|attached| attached.terminal.place());
            visited || places.into_iter().any(|place| place.node == node && place.line == line)
        };
        (0..u16::MAX).map(Line::Vty).find(|line| !used(*line)).unwrap_or(Line::Vty(u16::MAX))
    }

    fn input(&mut self, id: SessionId, octets: &[u8]) {
        let Some(attached) = self.sessions.get_mut(&id) else { return };
        attached.last_key = Instant::now();
        let mut text = String::new();
        let taken = attached.terminal.input(&mut self.lab.network, octets, &mut text);
        note_user(&mut self.lab.network, &attached.terminal);
        let closed = attached.terminal.is_closed();
        let sent = attached.output.try_send(Output { text, taken: Some(taken), closed });
        if closed || sent.is_err() {
            self.hang_up(id);
        }
    }

    fn hang_up(&mut self, id: SessionId) {
        if let Some(mut attached) = self.sessions.remove(&id) {
            attached.terminal.hang_up(&mut self.lab.network);
            note_user(&mut self.lab.network, &attached.terminal);
        }
    }

    /// Log messages appear on the terminals that show them.
    fn show_messages(&mut self) {
        for attached in self.sessions.values_mut() {
            let mut text = String::new();
            attached.terminal.messages(&self.lab.network, &mut text);
            let room = attached.output.capacity() > PIECES - PIECES_OF_MESSAGES;
            if !text.is_empty() && room {
                let _ = attached.output.try_send(Output { text, taken: None, closed: false });
            }
        }
    }

    /// Ends the sessions that nobody has typed in for too long, and those of routers that have restarted.
    fn end_idle(&mut self) {
        let network = &self.lab.network;
        let mut ended = Vec::new();
        for (&id, attached) in &mut self.sessions {
            let idle = attached.last_key.elapsed();
            let mut text = String::new();
            if network.router(attached.terminal.place().node).booted() == attached.booted {
                if attached.terminal.asks_who() {
                    if idle < LOGIN {
                        continue;
                    }
                    attached.terminal.give_up(&mut text);
                } else if attached.terminal.settings(network).exec_timeout.is_none_or(|limit| idle < limit) {
                    continue;
                }
            }
            // Who takes no output is gone by itself.
            let _ = attached.output.try_send(Output { text, taken: None, closed: true });
            ended.push(id);
        }
        ended.into_iter().for_each(|id| self.hang_up(id));
    }
}

/// Lets the router know who is at a line, for `show users`.
fn note_user(network: &mut Network, terminal: &Terminal) {
    let Place { node, line: Line::Vty(number), from } = terminal.place() else { return };
    let last_key = network.now();
    let from = from.clone().unwrap_or_default();
    let user = terminal.user().map(|user| LineUser { user: user.to_owned(), from, last_key });
    network.router_mut(*node).set_line_user(*number, user);
}
