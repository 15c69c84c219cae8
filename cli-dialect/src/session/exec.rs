//! The commands of user and privileged exec mode.

use std::sync::LazyLock;

use netconfarena_emu::config::RouterConfig;
use netconfarena_emu::network::Network;
use netconfarena_emu::router::Router;

use super::pipe::{Destination, Pipe};
use super::question::Question;
use super::{
    Level, Session, alias, clear, connect, debug, level, modes, pipe, probe, remote, show_config, storage,
    tcl, tech_support, terminal, unsupported,
};
use crate::config::Complaint;
use crate::grammar::{self, Args, Form, Match, ParseError, Spec, Tree, kw, plain};
use crate::show::system::host_address;
use crate::show::{self, ShowContext, ShowHandler};

/// A line being run.
pub(super) struct Exec<'a> {
    pub network: &'a mut Network,
    pub session: &'a mut Session,
    /// What was printed so far.
    pub out: String,
}

/// A command that is no show command.
pub(super) type Command = fn(&mut Exec<'_>, &Args) -> Result<(), Complaint>;

/// What a line of exec mode runs.
#[derive(Clone, Copy, Debug)]
pub(super) enum Handler {
    /// A show command: it reads the router, and its output may be filtered.
    Show(ShowHandler),
    /// Another command that only prints, whose output may be filtered.
    Print(Command),
    /// A command that only looks, with real packets; its output may not be filtered.
    Look(Command),
    /// It changes the session or the router.
    Act(Command),
}

struct Trees {
    user: Tree<Handler>,
    privileged: Tree<Handler>,
}

static TREES: LazyLock<Trees> = LazyLock::new(|| {
    let shows = || {
        let table = show::table().into_iter().map(|spec| spec.map(Handler::Show));
        kw("show", "Show running system information").then(table)
    };
    let user = [
        vec![shows()],
        modes::user_table(),
        probe::table(),
        connect::table(),
        remote::table(),
        terminal::table(),
        alias::table(),
        unsupported::table(),
    ]
    .concat();
    let privileged = [
        modes::privileged_table(),
        storage::table(),
        tcl::table(),
        clear::table(),
        debug::table(),
        show_config::table(),
        tech_support::table(),
    ]
    .concat();
    Trees { user: Tree::new(user.clone()), privileged: Tree::new([user, privileged].concat()) }
});

/// A command that acts, as a keyword that ends the line.
pub(super) fn act(keyword: &'static str, help: &'static str, command: Command) -> Spec<Handler> {
    plain(keyword, help, Handler::Act(command))
}

fn tree(level: Level) -> &'static Tree<Handler> {
    if level < Level::PRIVILEGED { &TREES.user } else { &TREES.privileged }
}

/// Where the pipe of a line stands, if it has one behind a blank.
fn pipe_of(line: &str, from: usize) -> Option<usize> {
    let rest = line.get(from..)?;
    rest.match_indices('|').map(|(at, _)| from + at).find(|&at| line[..at].ends_with([' ', '\t']))
}

/// A line as a command of a level. `privilege exec level` gives commands to levels, and takes them away.
fn command(
    config: &RouterConfig,
    level: Level,
    line: &str,
    from: usize,
) -> Result<Match<Handler>, ParseError> {
    let own = grammar::parse(tree(level), line, from, Form::Set);
    if level >= Level::PRIVILEGED {
        return own;
    }
    let Ok(matched) = grammar::parse(&TREES.privileged, line, from, Form::Set) else { return own };
    let names: Vec<&str> = matched.args.names().collect();
    match level::needed(config, &names) {
        Some(needed) if needed <= level => Ok(matched),
        Some(_) => Err(ParseError::Invalid { at: from, understood: 0 }),
        None => own,
    }
}

/// A line as a command, with the filter behind it. A command that takes the rest of a line takes a pipe with it.
fn parse(
    config: &RouterConfig,
    level: Level,
    line: &str,
    from: usize,
) -> Result<(Match<Handler>, Option<Pipe>), Complaint> {
    let whole = command(config, level, line, from);
    let Some(at) = pipe_of(line, from).filter(|_| whole.is_err()) else {
        return Ok((whole.map_err(Complaint::Syntax)?, None));
    };
    let matched = command(config, level, &line[..at], from).map_err(Complaint::Syntax)?;
    match matched.handler {
        Handler::Show(_) | Handler::Print(_) => Ok((matched, Some(pipe::parse(line, at + 1)?))),
        Handler::Look(_) | Handler::Act(_) => {
            Err(Complaint::Syntax(ParseError::Invalid { at, understood: 1 }))
        }
    }
}

/// Whether a line is well formed, and would change the session, the router or its files.
pub(super) fn changes_something(config: &RouterConfig, line: &str) -> bool {
    let expanded = alias::expand(config, line);
    let parsed = parse(config, Level::PRIVILEGED, expanded.as_deref().unwrap_or(line), 0);
    parsed.is_ok_and(|(matched, pipe)| {
        matches!(matched.handler, Handler::Act(_)) || matches!(pipe, Some(Pipe::Write(_)))
    })
}

/// The answer to `?` behind `line`, from octet `from` on.
pub(super) fn help(level: Level, line: &str, from: usize) -> Result<String, ParseError> {
    match pipe_of(line, from) {
        Some(at) => pipe::help(line, at + 1),
        None => grammar::help(tree(level), line, from, Form::Set),
    }
}

/// What the tabulator appends to `line`.
pub(super) fn complete(level: Level, line: &str, from: usize) -> Option<String> {
    match pipe_of(line, from) {
        Some(at) => pipe::complete(line, at + 1),
        None => grammar::complete(tree(level), line, from, Form::Set),
    }
}

impl Exec<'_> {
    /// The router.
    pub fn router(&self) -> &Router {
        self.network.router(self.session.node)
    }

    /// Prints a line.
    pub fn say(&mut self, line: &str) {
        self.out.push_str(line);
        self.out.push('\n');
    }

    /// Asks a question, which the next line answers.
    pub fn ask(&mut self, question: Question) {
        self.out.push_str(&question.text());
        self.session.question = Some(question);
    }

    /// Runs a line from octet `from` on.
    pub fn run(&mut self, line: &str, from: usize) -> Result<(), Complaint> {
        self.session.terminal.remember(line.get(from..).unwrap_or_default());
        self.perform(line, from)
    }

    /// Runs a line that nobody typed.
    pub fn perform(&mut self, line: &str, from: usize) -> Result<(), Complaint> {
        let part = line.get(from..).unwrap_or_default();
        let expanded = alias::expand(self.router().config(), part);
        let (line, from) = expanded.as_deref().map_or((line, from), |expanded| (expanded, 0));
        let (matched, pipe) = match parse(self.router().config(), self.session.level, line, from) {
            Err(Complaint::Syntax(ParseError::Empty)) => {
                self.resume_last();
                return Ok(());
            }
            Err(Complaint::Syntax(error @ ParseError::Invalid { understood: 0, .. })) => {
                return self.connect(line.get(from..).unwrap_or_default(), error);
            }
            parsed => parsed?,
        };
        let start = self.out.len();
        match matched.handler {
            Handler::Show(run) => {
                let context = ShowContext { network: self.network, node: self.session.node };
                self.out.push_str(&run(&context, &matched.args)?);
            }
            Handler::Print(run) | Handler::Look(run) | Handler::Act(run) => run(self, &matched.args)?,
        }
        match pipe {
            None => Ok(()),
            Some(Pipe::Filter(filter)) => {
                let output = self.out.split_off(start);
                self.out.push_str(&filter.apply(&output));
                Ok(())
            }
            Some(Pipe::Write(destination)) => {
                let output = self.out.split_off(start);
                self.redirect(&destination, &output)
            }
        }
    }

    /// Writes an output to a file.
    fn redirect(&mut self, destination: &Destination, output: &str) -> Result<(), Complaint> {
        if destination.tee {
            self.out.push_str(output);
        }
        let before = if destination.append { self.read_file(&destination.file).ok() } else { None };
        self.write_file(&destination.file, &(before.unwrap_or_default() + output))
    }

    /// A word alone that begins no command is an address to connect to, or the name of a host, and there is none.
    fn connect(&mut self, line: &str, error: ParseError) -> Result<(), Complaint> {
        let mut words = line.split_ascii_whitespace();
        let (first, second) = (words.next(), words.next());
        let known = |word: &str| word.parse().ok().or_else(|| host_address(self.router().config(), word));
        if let (Some(address), None) = (first.and_then(known), second) {
            return self.connect_to_address(address);
        }
        match (first, second) {
            (Some(name), None) if name.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                self.look_up(name);
                Err(Complaint::Refused(
                    "% Bad IP address or host name\n\
                     % Unknown command or computer name, or unable to find computer address"
                        .to_owned(),
                ))
            }
            _ => Err(Complaint::Syntax(error)),
        }
    }
}
