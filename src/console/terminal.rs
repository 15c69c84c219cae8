//! A terminal at a router: login, lines, help in place, pages. Bytes in, bytes out; no sockets and no clock.

use netconfarena_cli_dialect::running_config::banner;
use netconfarena_cli_dialect::session::{Level, Session, authenticate};
use netconfarena_emu::ids::NodeIndex;
use netconfarena_emu::network::Network;

use super::editor::{LineEditor, Pressed};

/// How often a login may fail.
const LOGINS: u8 = 3;

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
    /// `Username: `
    User {
        tries: u8,
    },
    /// `Password: `
    Password {
        user: String,
        tries: u8,
    },
    /// At the prompt.
    Shell(Session),
    /// Within a long output, with the lines that are still to come.
    More(Session, Vec<String>),
    Closed,
}

/// A terminal.
#[derive(Clone, Debug)]
pub struct Terminal {
    node: NodeIndex,
    credentials: Credentials,
    /// `vty0 (127.0.0.1)`.
    line: String,
    editor: LineEditor,
    stage: Stage,
}

impl Terminal {
    /// A terminal that asks for name and password; the greeting is appended to `out`.
    pub fn with_login(
        network: &Network,
        node: NodeIndex,
        credentials: Credentials,
        line: String,
        out: &mut String,
    ) -> Self {
        let mut terminal = Self {
            node,
            credentials,
            line,
            editor: LineEditor::default(),
            stage: Stage::User { tries: LOGINS },
        };
        terminal.greet(network, "motd", out);
        terminal.greet(network, "login", out);
        out.push_str("\r\nUser Access Verification\r\n\r\n");
        terminal.invite(network, out);
        terminal
    }

    /// A terminal of a user who is known already.
    pub fn of_user(
        network: &Network,
        node: NodeIndex,
        user: &str,
        level: Level,
        line: String,
        out: &mut String,
    ) -> Self {
        let credentials = Credentials { user: String::new(), password: String::new() };
        let mut terminal =
            Self { node, credentials, line, editor: LineEditor::default(), stage: Stage::Closed };
        terminal.greet(network, "motd", out);
        terminal.open(network, user, level, out);
        terminal
    }

    /// Whether the user is gone.
    #[must_use]
    pub const fn is_closed(&self) -> bool {
        matches!(self.stage, Stage::Closed)
    }

    fn open(&mut self, network: &Network, user: &str, level: Level, out: &mut String) {
        let source = format!("console by {user} on {}", self.line);
        self.stage = Stage::Shell(Session::logged_in(self.node, level, source));
        self.greet(network, "exec", out);
        self.invite(network, out);
    }

    fn greet(&self, network: &Network, kind: &str, out: &mut String) {
        if let Some(text) = banner(network.router(self.node).config(), kind) {
            self.print(&format!("{}\n", text.trim_end_matches('\n')), out);
        }
    }

    /// Bytes that were typed; what the terminal then shows is appended to `out`.
    pub fn input(&mut self, network: &mut Network, bytes: &[u8], out: &mut String) {
        for &byte in bytes.iter().filter(|byte| **byte != 0) {
            if self.is_closed() {
                return;
            }
            self.key(network, byte, out);
        }
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
            (Pressed::Help(before), Stage::Shell(session)) => {
                let help = session.help(network, &before);
                out.push_str("\r\n");
                self.print(&help, out);
                self.invite(network, out);
            }
            (Pressed::Complete(before), Stage::Shell(session)) => {
                let rest = session.complete(network, &before);
                self.editor.insert(&rest.unwrap_or_default(), out);
            }
            // Names and passwords have neither help nor completion: the keys stand for themselves.
            (Pressed::Help(_), _) => self.editor.insert("?", &mut String::new()),
            (Pressed::Complete(_), _) => {}
        }
    }

    /// A whole line.
    fn line(&mut self, network: &mut Network, line: &str, out: &mut String) {
        match std::mem::replace(&mut self.stage, Stage::Closed) {
            Stage::User { tries } => {
                let user = line.trim().to_owned();
                self.stage =
                    if user.is_empty() { Stage::User { tries } } else { Stage::Password { user, tries } };
                self.invite(network, out);
            }
            Stage::Password { user, tries } => {
                match self.credentials.admit(network, self.node, &user, line) {
                    Some(level) => self.open(network, &user, level, out),
                    None => {
                        out.push_str("% Login invalid\r\n\r\n");
                        if tries > 1 {
                            self.stage = Stage::User { tries: tries - 1 };
                        }
                        self.invite(network, out);
                    }
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
            Stage::Password { .. } => true,
            Stage::Shell(session) => session.hides_input(),
            _ => false,
        };
        match &self.stage {
            Stage::User { .. } => out.push_str("Username: "),
            Stage::Password { .. } => out.push_str("Password: "),
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LAB: (&str, &str) = ("admin", "cisco");

    fn terminal() -> (Network, Terminal, String) {
        let mut network = Network::new(1);
        let node = network.add_router("R1", &["GigabitEthernet0/0".parse().unwrap()]);
        let credentials = Credentials { user: LAB.0.to_owned(), password: LAB.1.to_owned() };
        let mut out = String::new();
        let terminal =
            Terminal::with_login(&network, node, credentials, "vty0 (127.0.0.1)".to_owned(), &mut out);
        (network, terminal, out)
    }

    /// What a terminal shows while keys are typed, after the login.
    fn session(keys: &str) -> String {
        let (mut network, mut terminal, _) = terminal();
        let mut out = String::new();
        terminal.input(&mut network, b"admin\rcisco\r", &mut out);
        out.clear();
        terminal.input(&mut network, keys.as_bytes(), &mut out);
        out
    }

    #[test]
    fn a_login_is_asked_for_three_times() {
        let (mut network, mut terminal, mut out) = terminal();
        assert!(out.ends_with("User Access Verification\r\n\r\nUsername: "));
        terminal.input(&mut network, b"admin\rwrong\r", &mut out);
        assert!(out.ends_with("Username: admin\r\nPassword: \r\n% Login invalid\r\n\r\nUsername: "), "{out}");
        terminal.input(&mut network, b"admin\ncisco\n", &mut out);
        assert!(out.ends_with("Password: \r\nR1#"), "{out}");
        let (mut network, mut terminal, mut out) = super::tests::terminal();
        terminal.input(&mut network, &b"x\rx\r".repeat(3), &mut out);
        assert!(terminal.is_closed());
    }

    #[test]
    fn lines_are_echoed_answered_and_invited_again() {
        assert_eq!(session("show privilege\r\n"), "show privilege\r\nCurrent privilege level is 15\r\nR1#");
        assert_eq!(session("conf t\rhostname X\r\u{1a}").lines().last(), Some("X#"));
        assert_eq!(session("sho\t"), "show ");
        let help = session("show cl?");
        assert_eq!(help, "show cl?\r\nclass-map  clock\r\nR1#show cl");
        assert_eq!(
            session("reload\r"),
            "reload\r\n\r\nSystem configuration has been modified. Save? [yes/no]: "
        );
    }

    #[test]
    fn long_outputs_come_in_pages() {
        let page = session("show running-config\r");
        assert!(page.ends_with("\r\n --More-- "), "{page}");
        assert_eq!(page.matches("\r\n").count(), 24);
        assert!(session("show running-config\rq").ends_with(&format!(" --More-- {NO_MORE}R1#")));
        let line = session("show running-config\r\r");
        assert_eq!(line.matches("\r\n").count(), 25);
        assert!(session("terminal length 0\rshow running-config\r").ends_with("end\r\n\r\nR1#"));
        assert!(session("show running-config\r          ").ends_with("end\r\n\r\nR1#         "));
    }

    #[test]
    fn a_key_answers_where_one_is_asked_for() {
        let shown = session("clear counters\ryshow priv\r");
        assert!(shown.contains("[confirm]\r\nR1#show priv\r\n"), "{shown}");
    }

    #[test]
    fn messages_appear_above_the_line() {
        let (mut network, mut terminal, mut out) = terminal();
        terminal.input(&mut network, b"admin\rcisco\rterminal monitor\rconf t\rend\rshow", &mut out);
        out.clear();
        terminal.messages(&network, &mut out);
        assert!(out.contains("Configured from console by admin on vty0 (127.0.0.1)\r\nR1#show"), "{out}");
    }

    #[test]
    fn banners_greet() {
        let (mut network, mut terminal, mut out) = terminal();
        let lines = b"admin\rcisco\rconf t\rbanner motd #Hello\rall#\rbanner exec #In#\rend\r";
        terminal.input(&mut network, lines, &mut out);
        out.clear();
        let node = terminal.node;
        Terminal::of_user(&network, node, "admin", Level::USER, "vty1".to_owned(), &mut out);
        assert_eq!(out, "Hello\r\nall\r\nIn\r\nR1>");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_keys_panic(keys in prop::collection::vec(any::<u8>(), 0..400), logged_in in any::<bool>()) {
            let (mut network, mut terminal, mut out) = terminal();
            if logged_in {
                terminal.input(&mut network, b"admin\rcisco\r", &mut out);
            }
            terminal.input(&mut network, &keys, &mut out);
            terminal.messages(&network, &mut out);
        }
    }
}
