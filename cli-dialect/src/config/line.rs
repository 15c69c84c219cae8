//! `line con 0`, `line aux 0`, `line vty 0 4`, and what may be said of these lines.

use std::collections::BTreeSet;
use std::time::Duration;

use netconfarena_emu::config::{
    AccessClassIn, LineConfig, LineLogin, TerminalLines, Transport, TransportProtocol,
};
use serde::{Deserialize, Serialize};

use super::unsupported::refused;
use super::{Complaint, ConfigMode, Editor, Handler, access, inert, need, refuse};
use crate::grammar::{Args, Form, ParseError, Spec, int, kw, plain, word};

/// The lines that a line section is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LineRange {
    /// `line con 0`.
    Console,
    /// `line aux 0`.
    Auxiliary,
    /// `line vty FIRST LAST`.
    Vty(u16, u16),
}

impl LineRange {
    /// Whether these are virtual terminals.
    pub(crate) const fn is_vty(self) -> bool {
        matches!(self, Self::Vty(..))
    }
}

/// Protocols with their help, as `transport input` knows them.
pub(crate) const PROTOCOLS: [(&str, &str, TransportProtocol); 7] = [
    ("lapb-ta", "LAPB Terminal Adapter", TransportProtocol::LapbTa),
    ("mop", "DEC MOP Remote Console Protocol", TransportProtocol::Mop),
    ("pad", "X.3 PAD", TransportProtocol::Pad),
    ("rlogin", "Unix rlogin protocol", TransportProtocol::Rlogin),
    ("ssh", "TCP/IP SSH protocol", TransportProtocol::Ssh),
    ("telnet", "TCP/IP Telnet protocol", TransportProtocol::Telnet),
    ("udptn", "UDPTN async via UDP protocol", TransportProtocol::Udptn),
];

/// What the terminal has by itself; saying so is not kept.
const LENGTH: u16 = 24;
const WIDTH: u16 = 80;
const LEVEL: u8 = 1;

pub(super) fn global_table() -> Vec<Spec<Handler>> {
    let run = section as Handler;
    let first = |greatest| int("first-line", 0, greatest, "First Line number").run(run);
    let greatest = u64::from(TerminalLines::GREATEST_VTY);
    vec![
        kw("line", "Configure a terminal line").then([
            kw("aux", "Auxiliary line").then([first(0)]),
            kw("console", "Primary terminal line").then([first(0)]),
            kw("vty", "Virtual terminal").then([first(greatest).then([int(
                "last-line",
                0,
                greatest,
                "Last Line number",
            )
            .run(run)])]),
        ]),
    ]
}

pub(super) fn table() -> Vec<Spec<Handler>> {
    let class = access_class as Handler;
    let transport = transport as Handler;
    let protocols = |direction: &'static str, help: &'static str| {
        let each = move || PROTOCOLS.map(|(name, help, _)| kw(name, help));
        let named = each().map(|spec| spec.run(transport).options(each()));
        kw(direction, help)
            .negatable(transport)
            .then([plain("all", "All protocols", transport), plain("none", "No protocols", transport)])
            .then(named)
    };
    let number = |name, most, help, run: Handler| int(name, 0, most, help).run(run);
    let mut table = vec![
        kw("access-class", "Filter connections based on an IP access list").then([word(
            "access-list",
            "IP access list",
        )
        .then([
            kw("in", "Filter incoming connections").run(class).then([
                plain("vrf-also", "Same access list is applied for all VRFs", class),
                refused("vrfname", "Same access list is applied for a VRF"),
            ]),
            plain("out", "Filter outgoing connections", class),
        ])]),
        kw("exec-timeout", "Set the EXEC timeout").negatable(exec_timeout as Handler).then([int(
            "minutes",
            0,
            35791,
            "Timeout in minutes",
        )
        .run(exec_timeout as Handler)
        .then([number("seconds", 2_147_483, "Timeout in seconds", exec_timeout)])]),
        kw("length", "Set number of lines on a screen").negatable(length as Handler).then([number(
            "screen-lines",
            512,
            "Number of lines on screen (0 for no pausing)",
            length,
        )]),
        kw("login", "Enable password checking").run(login as Handler).then([
            plain("local", "Local password checking", login as Handler),
            kw("authentication", "Authentication parameters").then([word(
                "list-name",
                "Use an authentication list with this name",
            )
            .run(login as Handler)]),
        ]),
        plain("monitor", "Copy debug output to the current terminal line", monitor as Handler),
        kw("password", "Set a password")
            .negatable(password as Handler)
            .then(access::password_types(password)),
        kw("privilege", "Change privilege level for line").then([kw(
            "level",
            "Assign default privilege level for line",
        )
        .negatable(privilege as Handler)
        .then([number("level-number", 15, "Default privilege level for line", privilege)])]),
        kw("transport", "Define transport protocols for line").then([
            protocols("input", "Define which protocols to use when connecting to the terminal server"),
            protocols("output", "Define which protocols to use for outgoing connections"),
        ]),
        kw("width", "Set width of the display terminal").negatable(width as Handler).then([number(
            "columns",
            512,
            "Number of characters on a screen line",
            width,
        )]),
        refused("autocommand", "Automatically execute an EXEC command"),
        refused("rotary", "Add line to a rotary group"),
        refused("callback", "Callback settings"),
        refused("script", "Specify event related chat scripts to run on the line"),
    ];
    table.extend(inert::line_table());
    table
}

fn section(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let first: u16 = need(args.int("first-line"))?;
    let last = args.int("last-line").unwrap_or(first);
    let range = match (args.has("console"), args.has("aux")) {
        (true, _) => LineRange::Console,
        (_, true) => LineRange::Auxiliary,
        _ if last < first => {
            let (at, understood) = (args.at("last-line"), 3);
            return Err(Complaint::Syntax(ParseError::Invalid { at, understood }));
        }
        _ => LineRange::Vty(first, last),
    };
    match (args.form, range) {
        (Form::Set, _) => {}
        (Form::No, LineRange::Vty(first, _)) => {
            let first = usize::from(first);
            if first < TerminalLines::LEAST_VTY {
                return refuse("% Can't delete last 5 VTY lines");
            }
            editor.config.lines.vty.truncate(first.max(TerminalLines::LEAST_VTY));
        }
        _ => {
            *editor.mode = ConfigMode::Line(range);
            editor.edit_lines(|line| *line = LineConfig::default());
        }
    }
    if args.form != Form::Set {
        *editor.mode = ConfigMode::Global;
        return Ok(());
    }
    let vty = &mut editor.config.lines.vty;
    if vty.len() <= usize::from(last) && range.is_vty() {
        vty.resize(usize::from(last) + 1, LineConfig::default());
    }
    *editor.mode = ConfigMode::Line(range);
    Ok(())
}

impl Editor<'_> {
    /// The lines of the section that the mode is in.
    fn line_range(&self) -> LineRange {
        match &*self.mode {
            ConfigMode::Line(range) => *range,
            _ => LineRange::Console,
        }
    }

    /// Changes each line of the section that the mode is in.
    pub(super) fn edit_lines(&mut self, mut edit: impl FnMut(&mut LineConfig)) {
        let range = self.line_range();
        let lines = &mut self.config.lines;
        match range {
            LineRange::Console => edit(&mut lines.console),
            LineRange::Auxiliary => edit(&mut lines.auxiliary),
            LineRange::Vty(first, last) => {
                let all = lines.vty.iter_mut().skip(first.into()).take(usize::from(last - first) + 1);
                all.for_each(edit);
            }
        }
    }
}

fn access_class(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let list = need(args.text("access-list"))?.to_owned();
    let vrf_also = args.has("vrf-also");
    let set = !args.negated();
    if args.has("out") {
        editor.edit_lines(|line| line.access_out = Some(list.clone()).filter(|_| set));
    } else {
        let class = AccessClassIn { list, vrf_also };
        editor.edit_lines(|line| line.access_in = Some(class.clone()).filter(|_| set));
    }
    Ok(())
}

/// `no exec-timeout` is one of zero, `default exec-timeout` that of ten minutes.
fn exec_timeout(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let minutes: u64 = args.int("minutes").unwrap_or(0);
    let seconds = minutes * 60 + args.int("seconds").unwrap_or(0);
    let given = match args.form {
        Form::Set => Some(Duration::from_secs(seconds)),
        Form::No => Some(Duration::ZERO),
        Form::Default => None,
    };
    let kept = given.filter(|limit| *limit != LineConfig::EXEC_TIMEOUT);
    editor.edit_lines(|line| line.exec_timeout = kept);
    Ok(())
}

fn length(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let given = args.int("screen-lines").filter(|lines| !args.negated() && *lines != LENGTH);
    editor.edit_lines(|line| line.length = given);
    Ok(())
}

fn width(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let given = args.int("columns").filter(|columns| !args.negated() && *columns != WIDTH);
    editor.edit_lines(|line| line.width = given);
    Ok(())
}

fn monitor(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let set = !args.negated();
    editor.edit_lines(|line| line.monitor = set);
    Ok(())
}

fn privilege(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let given = args.int("level-number").filter(|level| !args.negated() && *level != LEVEL);
    editor.edit_lines(|line| line.privilege = given);
    Ok(())
}

fn password(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let given = access::given(args).filter(|_| !args.negated());
    editor.edit_lines(|line| line.password = given.clone());
    Ok(())
}

/// Virtual terminals ask for their password by themselves, the console and the auxiliary port for nothing.
fn login(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let list = args.text("list-name").map(|list| LineLogin::Authentication(list.to_owned()));
    let named = list.or_else(|| args.has("local").then_some(LineLogin::Local));
    let own = if editor.line_range().is_vty() { LineLogin::Password } else { LineLogin::Open };
    let given = match args.form {
        Form::Set => named.unwrap_or(LineLogin::Password),
        // What takes the place of `login local` is the password of the line.
        Form::No if named.is_some() => LineLogin::Password,
        Form::No => LineLogin::Open,
        Form::Default => own.clone(),
    };
    editor.edit_lines(|line| line.login = Some(given.clone()).filter(|login| *login != own));
    Ok(())
}

fn transport(editor: &mut Editor<'_>, args: &Args) -> Result<(), Complaint> {
    let named = PROTOCOLS.iter().filter(|(name, ..)| args.has(name)).map(|&(.., protocol)| protocol);
    let protocols: BTreeSet<TransportProtocol> = named.collect();
    let given = match args.form {
        Form::Set if args.has("all") => Some(Transport::All),
        Form::Set => Some(Transport::Only(protocols)),
        Form::No | Form::Default => None,
    };
    if args.has("output") {
        let kept = given.filter(|transport| *transport != Transport::All);
        editor.edit_lines(|line| line.transport_output = kept.clone());
    } else {
        let is_default = |transport: &Transport| *transport == Transport::Only(BTreeSet::new());
        let kept = given.filter(|transport| !is_default(transport));
        editor.edit_lines(|line| line.transport_input = kept.clone());
    }
    Ok(())
}
