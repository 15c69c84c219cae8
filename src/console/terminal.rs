//! A terminal at a router: login, lines, help in place, pages. Bytes in, bytes out; no sockets and no clock.

use netconfarena_cli_dialect::session::{
    Level, Line, LineSettings, LoginDialog, LoginStep, Opening, Session, authenticate, banner_text, source_of,
};
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;

use super::editor::{LineEditor, Pressed};

/// How much a terminal prints before it takes another key, in octets.
const PRINTED_AT_ONCE: usize = 1 << 18;

/// With an x behind it, leads from another router back to the one that the terminal is at.
const CONTROL_CARET: u8 = 0x1e;

/// What stands at the end of a page.
const MORE: &str = " --More-- ";

/// Takes `MORE` off the line.
const NO_MORE: &str =
    "\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}        \u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}\u{8}";

/// A user who may always log in, with all privileges, beside those of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Credentials {
    /// Name.
    pub user: String,
    /// Password.
    pub password: String,
}

impl Credentials {
    /// The level that a user has on a router; `None` if the password is wrong.
    #[must_use]
    pub fn admit(&self, network: &Network, node: NodeIndex, user: &str, password: &str) -> Option<Level> {
        if user == self.user && password == self.password {
            return Some(Level::PRIVILEGED);
        }
        authenticate(&network.router(node).config().access, user, password)
    }
}

#[derive(Clone, Debug)]
enum Stage {
    /// Before the session.
    Login(LoginDialog),
    /// At the prompt.
    Shell(Session),
    /// Within a long output, with the lines that are still to come.
    More(Session, Vec<String>),
    Closed,
}

/// Where a terminal is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The router.
    pub node: NodeIndex,
    /// The line there.
    pub line: Line,
    /// From where it was reached: an address, or nothing at the console.
    pub from: Option<String>,
}

/// A terminal.
#[derive(Clone, Debug)]
pub struct Terminal {
    place: Place,
    credentials: Credentials,
    editor: LineEditor,
    stage: Stage,
    /// Who has logged in.
    user: String,
    /// The size that the terminal's window told.
    window: (u32, u32),
    /// A control-^ was typed, and the next key says what of it.
    escaping: bool,
}

impl Terminal {
    fn new(place: Place, credentials: Credentials, stage: Stage) -> Self {
        let editor = LineEditor::default();
        Self { place, credentials, editor, stage, user: String::new(), window: (0, 0), escaping: false }
    }

    /// A terminal that asks for what its line's configuration wants; the greeting is appended to `out`.
    pub fn with_login(network: &Network, place: Place, credentials: Credentials, out: &mut String) -> Self {
        let mut terminal = Self::new(place, credentials, Stage::Closed);
        let settings = terminal.settings(network);
        let opening = match Opening::of(&settings) {
            // The laboratory's own user gets in where nobody else would.
            Opening::NoPassword => Opening::Ask(LoginDialog::of_users()),
            other => other,
        };
        let greeting = opening.greeting(network.router(terminal.place.node).config());
        terminal.print(&greeting, out);
        match opening {
            Opening::Ask(dialog) => {
                terminal.stage = Stage::Login(dialog);
                terminal.invite(network, out);
            }
            Opening::Open | Opening::NoPassword => terminal.open(network, None, settings.level, out),
        }
        terminal
    }

    /// A terminal of a user who is known already.
    pub fn of_user(network: &Network, place: Place, user: &str, level: Level, out: &mut String) -> Self {
        let credentials = Credentials { user: String::new(), password: String::new() };
        let stage = Stage::Closed;
        let mut terminal = Self::new(place, credentials, stage);
        terminal.greet(network, "motd", out);
        terminal.open(network, Some(user), level, out);
        terminal
    }

    /// The settings of its line.
    #[must_use]
    pub fn settings(&self, network: &Network) -> LineSettings {
        LineSettings::of(network.router(self.place.node).config(), self.place.line)
    }

    /// Where it is.
    #[must_use]
    pub const fn place(&self) -> &Place {
        &self.place
    }

    /// Whether nobody has logged in yet.
    #[must_use]
    pub const fn asks_who(&self) -> bool {
        matches!(self.stage, Stage::Login(_))
    }

    /// The user who has logged in; empty if nobody asked for a name.
    #[must_use]
    pub fn user(&self) -> Option<&str> {
        let in_session = matches!(self.stage, Stage::Shell(_) | Stage::More(..));
        in_session.then_some(self.user.as_str())
    }

    /// The login took too long.
    pub fn give_up(&mut self, out: &mut String) {
        if let Stage::Login(dialog) = &self.stage {
            out.push_str(&format!("\r\n% {} timeout expired!\r\n", dialog.prompt()));
        }
        self.stage = Stage::Closed;
    }

    /// The connection is gone: configuration mode is left, as IOS does.
    pub fn hang_up(&mut self, network: &mut Network) {
        if let Stage::Shell(mut session) | Stage::More(mut session, _) =
            std::mem::replace(&mut self.stage, Stage::Closed)
        {
            session.hang_up(network);
        }
    }

    /// The terminal's window has another size; what the line's configuration fixes stays.
    pub fn resize(&mut self, network: &Network, columns: u32, lines: u32) {
        self.window = (columns, lines);
        let settings = self.settings(network);
        if let Stage::Shell(session) | Stage::More(session, _) = &mut self.stage {
            let columns = if settings.width.is_some() { 0 } else { columns };
            let lines = if settings.length.is_some() { 0 } else { lines };
            session.resize(columns, lines);
        }
    }

    /// Whether the user is gone.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    fn open(&mut self, network: &Network, user: Option<&str>, level: Level, out: &mut String) {
        user.unwrap_or_default().clone_into(&mut self.user);
        let source = source_of(user, self.place.line, self.place.from.as_deref());
        let mut session = Session::logged_in(self.place.node, level, source);
        let settings = self.settings(network);
        if settings.monitor {
            session.watch_log(network);
        }
        session.set_size(settings.width, settings.length);
        self.stage = Stage::Shell(session);
        let (columns, lines) = self.window;
        self.resize(network, columns, lines);
        self.greet(network, "exec", out);
        self.invite(network, out);
    }

    fn greet(&self, network: &Network, kind: &str, out: &mut String) {
        self.print(&banner_text(network.router(self.place.node).config(), kind), out);
    }

    /// Bytes that were typed; what the terminal then shows is appended to `out`. Returns how many bytes were taken: the rest
    /// is to be typed again when what was shown has gone out.
    pub fn input(&mut self, network: &mut Network, bytes: &[u8], out: &mut String) -> usize {
        let before = out.len();
        for (taken, &byte) in bytes.iter().enumerate() {
            if self.is_closed() {
                break;
            }
            if out.len() - before > PRINTED_AT_ONCE {
                return taken;
            }
            if byte != 0 {
                self.key(network, byte, out);
            }
        }
        bytes.len()
    }

    fn key(&mut self, network: &mut Network, byte: u8, out: &mut String) {
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::More(session, lines) => {
                out.push_str(NO_MORE);
                let count = match byte {
                    b' ' => page_of(&session),
                    b'\r' | b'\n' => 1,
                    _ => 0,
                };
                self.stage = Stage::Shell(session);
                if count == 0 {
                    return self.invite(network, out);
                }
                self.pages(network, lines, count, out);
            }
            Stage::Shell(session) if session.is_connected() && (self.escaping || byte == CONTROL_CARET) => {
                self.stage = Stage::Shell(session);
                self.escaping = !self.escaping;
                if !self.escaping && byte.eq_ignore_ascii_case(&b'x') {
                    out.push_str("\r\n");
                    self.line(network, Session::ESCAPE, out);
                }
            }
            Stage::Shell(session) if session.expects_key() && byte != b'\n' => {
                self.stage = Stage::Shell(session);
                let answer = match byte {
                    b'\r' => "",
                    b'y' | b'Y' => "y",
                    _ => "n",
                };
                out.push_str("\r\n");
                self.line(network, answer, out);
            }
            stage => {
                self.stage = stage;
                self.edit(network, byte, out);
            }
        }
    }

    fn edit(&mut self, network: &mut Network, byte: u8, out: &mut String) {
        match (self.editor.press(byte, out), &self.stage) {
            (Pressed::Edited, _) => {}
            (Pressed::Line(line), _) => {
                out.push_str("\r\n");
                self.line(network, &line, out);
            }
            (Pressed::Help(before), Stage::Shell(session)) if !session.expects_text() => {
                let help = session.help(network, &before);
                out.push_str("\r\n");
                self.print(&help, out);
                self.invite(network, out);
            }
            (Pressed::Complete(before), Stage::Shell(session)) => {
                let rest = session.complete(&before);
                self.editor.insert(&rest.unwrap_or_default(), out);
            }
            // Names, passwords and texts have neither help nor completion: the keys stand for themselves.
            (Pressed::Help(_), _) => self.editor.insert("?", &mut String::new()),
            (Pressed::Complete(_), _) => {}
        }
    }

    /// A whole line.
    fn line(&mut self, network: &mut Network, line: &str, out: &mut String) {
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Login(mut dialog) => {
                let (credentials, node) = (self.credentials.clone(), self.place.node);
                let admit = |user: &str, password: &str| credentials.admit(network, node, user, password);
                match dialog.answer(&self.settings(network), line, admit) {
                    LoginStep::Ask(remark) => {
                        self.print(remark, out);
                        self.stage = Stage::Login(dialog);
                        self.invite(network, out);
                    }
                    LoginStep::In(user, level) => self.open(network, user.as_deref(), level, out),
                    LoginStep::Out(remark) => self.print(remark, out),
                }
            }
            Stage::Shell(mut session) => {
                let text = session.execute(network, line);
                let count = page_of(&session);
                let closed = session.is_closed();
                self.stage = Stage::Shell(session);
                if text.ends_with('\n') {
                    let lines = text.lines().map(str::to_owned).collect();
                    self.pages(network, lines, count, out);
                } else {
                    self.print(&text, out);
                    self.invite(network, out);
                }
                if closed {
                    self.stage = Stage::Closed;
                }
            }
            other => self.stage = other,
        }
    }

    /// Shows so many lines, and asks about the rest.
    fn pages(&mut self, network: &Network, mut lines: Vec<String>, count: usize, out: &mut String) {
        let rest = lines.split_off(lines.len().min(count));
        lines.iter().for_each(|line| {
            out.push_str(line);
            out.push_str("\r\n");
        });
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::Shell(session) if !rest.is_empty() && !session.is_closed() => {
                out.push_str(MORE);
                self.stage = Stage::More(session, rest);
            }
            stage => {
                self.stage = stage;
                self.invite(network, out);
            }
        }
    }

    /// What stands in front of the cursor, and the line typed so far.
    fn invite(&mut self, network: &Network, out: &mut String) {
        self.editor.hidden = match &self.stage {
            Stage::Login(dialog) => dialog.hides_input(),
            Stage::Shell(session) => session.hides_input(),
            _ => false,
        };
        match &self.stage {
            Stage::Login(dialog) => out.push_str(dialog.prompt()),
            Stage::Shell(session) if !session.is_closed() => out.push_str(&session.prompt(network)),
            _ => return,
        }
        if !self.editor.hidden {
            out.push_str(&self.editor.text());
            out.push_str(&"\u{8}".repeat(self.editor.behind()));
        }
    }

    /// What appears without a key: log messages, where `terminal monitor` is on.
    pub fn messages(&mut self, network: &Network, out: &mut String) {
        let Stage::Shell(session) = &mut self.stage else { return };
        let text = session.messages(network);
        if !text.is_empty() {
            out.push_str("\r\n");
            self.print(&text, out);
            self.invite(network, out);
        }
    }

    fn print(&self, text: &str, out: &mut String) {
        for line in text.split_inclusive('\n') {
            match line.strip_suffix('\n') {
                Some(line) => {
                    out.push_str(line);
                    out.push_str("\r\n");
                }
                None => out.push_str(line),
            }
        }
    }
}

/// How many lines a page has.
fn page_of(session: &Session) -> usize {
    match session.terminal().length {
        0 => usize::MAX,
        lines => usize::from(lines).saturating_sub(1).max(1),
    }
}

#[cfg(test)]
mod tests;
