//! The terminal of a session: its size, the messages it shows, the commands typed before.

use std::collections::VecDeque;

use netconfarena_emu::network::Network;
use serde::{Deserialize, Serialize};

use super::Session;
use super::exec::{Exec, Handler, act};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, kw, plain};
use crate::show::system::Users;
use crate::show::{Record, ShowContext};
use crate::syslog;
use crate::syslog::level::{Destination, level};

/// Settings of a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terminal {
    /// `terminal length`: lines on the screen; 0 never stops for `--More--`.
    pub length: u16,
    /// `terminal width`: characters of a line.
    pub width: u16,
    /// `terminal monitor`: log messages appear on the terminal.
    pub monitor: bool,
    /// `terminal history size`: how many commands are kept.
    pub history_size: u16,
    history: VecDeque<String>,
    /// How many messages the log had when it was last looked at.
    pub(super) seen: u64,
}

impl Default for Terminal {
    fn default() -> Self {
        Self { length: 24, width: 80, monitor: false, history_size: 20, history: VecDeque::new(), seen: 0 }
    }
}

impl Terminal {
    /// The most lines or characters of a line that can be set.
    pub const MOST: u16 = 512;

    /// Keeps a command; the same one again is not kept twice.
    pub(super) fn remember(&mut self, line: &str) {
        let line = line.trim();
        if !line.is_empty() && self.history.back().is_none_or(|last| last != line) {
            self.history.push_back(line.to_owned());
        }
        self.forget_oldest();
    }

    fn forget_oldest(&mut self) {
        while self.history.len() > usize::from(self.history_size) {
            self.history.pop_front();
        }
    }

    /// The commands kept, the oldest first.
    pub fn history(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.history.iter().map(String::as_str)
    }
}

impl Session {
    /// The terminal.
    #[must_use]
    pub fn terminal(&self) -> &Terminal {
        self.far_session().map_or(&self.terminal, Self::terminal)
    }

    /// The terminal has another size: what a terminal tells of its window. 0 leaves a setting as it is.
    pub fn resize(&mut self, columns: u32, lines: u32) {
        let size = |told: u32| u16::try_from(told).unwrap_or(Terminal::MOST).min(Terminal::MOST);
        if lines > 0 {
            self.terminal.length = size(lines);
        }
        if columns > 0 {
            self.terminal.width = size(columns);
        }
    }

    /// The size that the line's configuration gives the terminal, where it does.
    pub fn set_size(&mut self, width: Option<u16>, length: Option<u16>) {
        self.terminal.width = width.unwrap_or(self.terminal.width);
        self.terminal.length = length.unwrap_or(self.terminal.length);
    }

    /// Log messages appear from now on, as after `terminal monitor`.
    pub fn watch_log(&mut self, network: &Network) {
        self.terminal.monitor = true;
        self.terminal.seen = network.router(self.node).log().written();
    }

    /// The log messages since this was last asked, one a line, if the terminal shows any.
    pub fn messages(&mut self, network: &Network) -> String {
        let log = network.router(self.node).log();
        let since = std::mem::replace(&mut self.terminal.seen, log.written());
        if !self.terminal.monitor {
            return String::new();
        }
        let is_console = self.source.starts_with("console");
        let destination = if is_console { Destination::Console } else { Destination::Monitor };
        let Some(least) = level(network.router(self.node).config(), destination) else {
            return String::new();
        };
        let shown = log.since(since).filter(|entry| syslog::severity(&entry.event) <= least);
        shown.fold(String::new(), |text, entry| text + &syslog::line(entry) + "\n")
    }
}

/// `terminal ...`, of both exec modes.
pub(super) fn table() -> Vec<Spec<Handler>> {
    let length = Handler::Act(|exec, args| {
        exec.session.terminal.length = args.int("lines").unwrap_or(Terminal::default().length);
        Ok(())
    });
    let width = Handler::Act(|exec, args| {
        exec.session.terminal.width = args.int("characters").unwrap_or(Terminal::default().width);
        Ok(())
    });
    let history = Handler::Act(|exec, args| {
        let terminal = &mut exec.session.terminal;
        terminal.history_size = args.int("commands").unwrap_or(Terminal::default().history_size);
        terminal.forget_oldest();
        Ok(())
    });
    vec![
        kw("terminal", "Set terminal line parameters").then([
            kw("history", "Enable and control the command history function").run(history).then([kw(
                "size",
                "Set history buffer size",
            )
            .then([int("commands", 0, 256, "Size of history buffer").run(history)])]),
            kw("length", "Set number of lines on a screen").then([int(
                "lines",
                0,
                512,
                "Number of lines on screen (0 for no pausing)",
            )
            .run(length)]),
            act("monitor", "Copy debug output to the current terminal line", |exec, _| {
                exec.session.watch_log(exec.network);
                Ok(())
            }),
            kw("no", "Negate a command or set its defaults").then([
                act("monitor", "Copy debug output to the current terminal line", |exec, _| {
                    exec.session.terminal.monitor = false;
                    Ok(())
                }),
                plain("length", "Set number of lines on a screen", length),
                plain("width", "Set width of the display terminal", width),
            ]),
            kw("width", "Set width of the display terminal").then([int(
                "characters",
                0,
                512,
                "Number of characters on a screen line",
            )
            .run(width)]),
        ]),
        kw("show", "Show running system information").then([plain(
            "terminal",
            "Display terminal configuration parameters",
            Handler::Print(show_terminal),
        )]),
        kw("show", "Show running system information").then([plain(
            "users",
            "Display information about terminal lines",
            Handler::Print(|exec, _| {
                let context = ShowContext { network: exec.network, node: exec.session.node() };
                let text = Users::collect(&context, exec.session.vty(), &exec.session.hosts()).render();
                exec.out.push_str(&text);
                Ok(())
            }),
        )]),
        kw("show", "Show running system information").then([plain(
            "history",
            "Display the session command history",
            Handler::Print(|exec, _| {
                let lines = exec.session.terminal.history().map(|line| format!("  {line}\n"));
                let text: String = lines.collect();
                exec.out.push_str(&text);
                Ok(())
            }),
        )]),
    ]
}

/// The settings of the terminal that the command was typed at.
fn show_terminal(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let Terminal { length, width, monitor, history_size, .. } = exec.session.terminal;
    let line = exec.session.vty().map_or(0, |number| number.saturating_add(2));
    let more = if length == 0 { "Automore Off" } else { "Automore On" };
    exec.say(&format!("Line {line}, Location: \"\", Type: \"\""));
    exec.say(&format!("Length: {length} lines, Width: {width} columns"));
    // Only the console is a serial line, whose frame matters.
    let frame = if line == 0 { ", no parity, 2 stopbits, 8 databits" } else { "" };
    exec.say(&format!("Baud rate (TX/RX) is 9600/9600{frame}"));
    exec.say(&format!("Status: PSI Enabled, Ready, Active, {more}"));
    exec.say(&format!("Monitor is {}.", if monitor { "on" } else { "off" }));
    exec.say(&format!("History is enabled, history size is {history_size}."));
    let inbound = if line == 0 { "none" } else { "telnet ssh" };
    exec.say(&format!("Allowed input transports are {inbound}."));
    exec.say("Allowed output transports are telnet.");
    Ok(())
}
