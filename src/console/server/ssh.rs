//! SSH (RFC 4251 to 4254): passwords by `password` and `keyboard-interactive`, host keys of Ed25519 and RSA, a shell or one
//! command; `scp`, where the router is configured to (`ip scp server enable`).

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use netconfarena_cli_dialect::session::{Level, Session as CliSession, read_file, write_file};
use netconfarena_emu::ids::NodeIndex;
use russh::keys::PrivateKey;
use russh::server::{Auth, ChannelOpenHandle, Config, Handler, Msg, Response, Session, run_stream};
use russh::{Channel, ChannelId, ChannelMsg, MethodKind, MethodSet, Pty, SshId};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::timeout;

use super::owner::{Entry, Owner, PIECES, SessionId};
use super::pump::{Coding, pump};
use crate::console::scp::{self, Receiver, Request};
use crate::lab::Lab;

/// What a router calls itself.
const IDENTITY: &str = "SSH-2.0-Cisco-1.25";

/// How many channels a connection may have open.
const CHANNELS: usize = 4;

/// How long a client of `scp` may be silent.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a client is told when the network has stopped.
const GONE: &str = "the network has stopped";

/// How often a password may be wrong.
const TRIES: usize = 4;

/// The configuration of all SSH consoles.
pub(super) fn configuration(keys: Vec<PrivateKey>) -> Arc<Config> {
    Arc::new(Config {
        server_id: SshId::Standard(Cow::Borrowed(IDENTITY)),
        methods: methods(),
        auth_rejection_time: Duration::from_secs(1),
        auth_rejection_time_initial: Some(Duration::ZERO),
        keys,
        max_auth_attempts: TRIES,
        // The terminal has its own limits.
        inactivity_timeout: Some(Duration::from_secs(24 * 3600)),
        nodelay: true,
        ..Config::default()
    })
}

/// How a client may tell a password.
fn methods() -> MethodSet {
    MethodSet::from(&[MethodKind::Password, MethodKind::KeyboardInteractive][..])
}

/// Serves one connection to its end.
pub(super) async fn serve(
    configuration: Arc<Config>,
    stream: TcpStream,
    client: Client,
    _permit: OwnedSemaphorePermit,
) {
    if let Ok(running) = run_stream(configuration, stream, client).await {
        // What goes wrong with a connection ends it, and concerns nobody else.
        let _ = running.await;
    }
}

/// A channel of a connection.
#[derive(Default)]
struct Open {
    /// Until a shell or a command takes it.
    channel: Option<Channel<Msg>>,
    /// Columns and lines.
    window: (u32, u32),
    session: Option<SessionId>,
}

/// The other side of a connection.
pub(super) struct Client {
    owner: Owner,
    node: NodeIndex,
    from: IpAddr,
    user: Option<(String, Level)>,
    channels: BTreeMap<ChannelId, Open>,
}

impl Client {
    pub(super) fn new(owner: Owner, node: NodeIndex, from: IpAddr) -> Self {
        Self { owner, node, from, user: None, channels: BTreeMap::new() }
    }

    async fn admit(&mut self, user: &str, password: &str) -> Auth {
        let (node, credentials) = (self.node, self.owner.credentials());
        let (name, given) = (user.to_owned(), password.to_owned());
        let check = move |lab: &mut Lab| credentials.admit(&lab.network, node, &name, &given);
        let level = self.owner.with_later(check).await.flatten();
        self.user = level.map(|level| (user.to_owned(), level));
        if self.user.is_some() {
            Auth::Accept
        } else {
            // A wrong password rules its method out for no next try.
            Auth::Reject { proceed_with_methods: Some(methods()), partial_success: false }
        }
    }

    /// The channel that a request is about, if nothing runs on it yet, and who asks.
    fn idle(&mut self, id: ChannelId) -> Option<(Channel<Msg>, String, Level)> {
        let (user, level) = self.user.clone()?;
        let channel = self.channels.get_mut(&id)?.channel.take()?;
        Some((channel, user, level))
    }
}

impl Handler for Client {
    type Error = russh::Error;

    async fn auth_password(&mut self, user: &str, password: &str) -> Result<Auth, Self::Error> {
        Ok(self.admit(user, password).await)
    }

    async fn auth_keyboard_interactive<'a>(
        &'a mut self,
        user: &str,
        _submethods: &str,
        response: Option<Response<'a>>,
    ) -> Result<Auth, Self::Error> {
        const PROMPT: &[(Cow<'static, str>, bool)] = &[(Cow::Borrowed("Password: "), false)];
        let given = response.and_then(|mut answers| answers.next());
        match given {
            Some(password) => Ok(self.admit(user, &String::from_utf8_lossy(&password)).await),
            None => Ok(Auth::Partial {
                name: Cow::Borrowed(""),
                instructions: Cow::Borrowed(""),
                prompts: Cow::Borrowed(PROMPT),
            }),
        }
    }

    async fn channel_open_session(
        &mut self,
        channel: Channel<Msg>,
        reply: ChannelOpenHandle,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        if self.channels.len() < CHANNELS {
            self.channels.insert(channel.id(), Open { channel: Some(channel), ..Open::default() });
            reply.accept().await;
        }
        Ok(())
    }

    async fn channel_close(&mut self, channel: ChannelId, _session: &mut Session) -> Result<(), Self::Error> {
        self.channels.remove(&channel);
        Ok(())
    }

    async fn pty_request(
        &mut self,
        channel: ChannelId,
        _term: &str,
        columns: u32,
        lines: u32,
        _pixel_width: u32,
        _pixel_height: u32,
        _modes: &[(Pty, u32)],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        match self.channels.get_mut(&channel) {
            Some(open) => {
                open.window = (columns, lines);
                session.channel_success(channel)
            }
            None => session.channel_failure(channel),
        }
    }

    async fn window_change_request(
        &mut self,
        channel: ChannelId,
        columns: u32,
        lines: u32,
        _pixel_width: u32,
        _pixel_height: u32,
        _session: &mut Session,
    ) -> Result<(), Self::Error> {
        if let Some(open) = self.channels.get_mut(&channel) {
            open.window = (columns, lines);
            if let Some(id) = open.session {
                self.owner.resize(id, columns, lines).await;
            }
        }
        Ok(())
    }

    async fn shell_request(&mut self, id: ChannelId, session: &mut Session) -> Result<(), Self::Error> {
        let Some((channel, user, level)) = self.idle(id) else { return session.channel_failure(id) };
        let (sender, output) = mpsc::channel(PIECES);
        let entry = Entry::Known(user, level);
        let Some(begun) = self.owner.open(self.node, self.from, entry, sender).await else {
            return session.channel_failure(id);
        };
        if let Some(open) = self.channels.get_mut(&id) {
            open.session = Some(begun);
            self.owner.resize(begun, open.window.0, open.window.1).await;
        }
        session.channel_success(id)?;
        let owner = self.owner.clone();
        let handle = session.handle();
        tokio::spawn(async move {
            pump(channel.into_stream(), Coding::Plain, &owner, begun, output).await;
            // The client may have closed the channel first.
            let _ = handle.exit_status_request(id, 0).await;
            let _ = handle.close(id).await;
        });
        Ok(())
    }

    async fn exec_request(
        &mut self,
        id: ChannelId,
        line: &[u8],
        session: &mut Session,
    ) -> Result<(), Self::Error> {
        let Some((channel, user, level)) = self.idle(id) else { return session.channel_failure(id) };
        session.channel_success(id)?;
        let source = format!("console by {user} ({})", self.from);
        let line = String::from_utf8_lossy(line).into_owned();
        let (owner, node) = (self.owner.clone(), self.node);
        if let Some(request) = Request::parse(&line) {
            tokio::spawn(copy(channel, request, level, owner, node));
            return Ok(());
        }
        tokio::spawn(async move {
            let run = move |lab: &mut Lab| {
                CliSession::logged_in(node, level, source).execute(&mut lab.network, &line)
            };
            if let Some(text) = owner.with_later(run).await {
                let shown = format!("\r\n{}", text.replace('\n', "\r\n"));
                let _ = channel.data_bytes(shown.into_bytes()).await;
            }
            end(&channel, 0).await;
        });
        Ok(())
    }
}

async fn end(channel: &Channel<Msg>, status: u32) {
    // The client may be gone.
    let _ = channel.exit_status(status).await;
    let _ = channel.eof().await;
    let _ = channel.close().await;
}

/// Copies a file.
async fn copy(mut channel: Channel<Msg>, request: Request, level: Level, owner: Owner, node: NodeIndex) {
    let done = if level < Level::PRIVILEGED {
        Err("Privilege denied.".to_owned())
    } else {
        match request {
            Request::Put(file) => receive(&mut channel, file, &owner, node).await,
            Request::Get(file) => send(&mut channel, file, &owner, node).await,
        }
    };
    let status = match done {
        Ok(()) => 0,
        Err(reason) => {
            let _ = channel.data_bytes(scp::refusal(&reason)).await;
            1
        }
    };
    end(&channel, status).await;
}

/// The next octets that the client sends; `None` if nothing comes any more.
async fn next(channel: &mut Channel<Msg>) -> Option<Vec<u8>> {
    loop {
        match timeout(PATIENCE, channel.wait()).await.ok().flatten()? {
            ChannelMsg::Data { data } => return Some(data.to_vec()),
            ChannelMsg::Eof | ChannelMsg::Close => return None,
            _ => {}
        }
    }
}

async fn receive(
    channel: &mut Channel<Msg>,
    target: String,
    owner: &Owner,
    node: NodeIndex,
) -> Result<(), String> {
    let gone = |error: russh::Error| error.to_string();
    channel.data_bytes(vec![0]).await.map_err(gone)?;
    let mut receiver = Receiver::default();
    while let Some(octets) = next(channel).await {
        let mut rest = &octets[..];
        while !rest.is_empty() {
            let (taken, received) = receiver.input(rest);
            rest = rest.get(taken..).unwrap_or_default();
            channel.data_bytes(received.answer).await.map_err(gone)?;
            if received.failed {
                return Ok(());
            }
            if let Some((name, text)) = received.file {
                let whole =
                    if target.ends_with([':', '/']) { target.clone() + &name } else { target.clone() };
                let write = move |lab: &mut Lab| write_file(&mut lab.network, node, &whole, &text);
                owner.with_later(write).await.unwrap_or_else(|| Err(GONE.to_owned()))?;
                channel.data_bytes(vec![0]).await.map_err(gone)?;
            }
        }
    }
    Ok(())
}

async fn send(
    channel: &mut Channel<Msg>,
    file: String,
    owner: &Owner,
    node: NodeIndex,
) -> Result<(), String> {
    let gone = |error: russh::Error| error.to_string();
    let name = file.clone();
    let read = move |lab: &mut Lab| read_file(&mut lab.network, node, &name);
    let text = owner.with_later(read).await.unwrap_or_else(|| Err(GONE.to_owned()))?;
    let (line, data) = scp::sent(&file, &text);
    for piece in [line, data] {
        if next(channel).await.is_none_or(|answer| answer.first() != Some(&0)) {
            return Ok(());
        }
        channel.data_bytes(piece).await.map_err(gone)?;
    }
    // The client's last answer, or its end.
    next(channel).await;
    Ok(())
}
