//! The commands of user and privileged exec mode.

use std::sync::LazyLock;

use netconfarena_emu::network::Network;

use super::{Level, Session, pipe};
use crate::config::Complaint;
use crate::grammar::{self, Args, Form, Match, ParseError, Spec, Tree, kw, plain};
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
    /// A show command.
    Show(ShowHandler),
    /// Anything else: it may change the session, the router, or let time go on.
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
    Trees {
        user: Tree::new([vec![shows()], both()].concat()),
        privileged: Tree::new([vec![shows()], both()].concat()),
    }
});

fn act(keyword: &'static str, help: &'static str, command: Command) -> Spec<Handler> {
    plain(keyword, help, Handler::Act(command))
}

/// What both exec modes have.
fn both() -> Vec<Spec<Handler>> {
    let close: Command = |exec, _| {
        exec.session.closed = true;
        exec.session.level = Level::User;
        Ok(())
    };
    vec![
        act("disable", "Turn off privileged commands", |exec, _| {
            exec.session.level = Level::User;
            Ok(())
        }),
        act("enable", "Turn on privileged commands", |exec, _| {
            exec.session.level = Level::Privileged;
            Ok(())
        }),
        act("exit", "Exit from the EXEC", close),
        act("logout", "Exit from the EXEC", close),
        act("quit", "Exit from the EXEC", close),
    ]
}

fn tree(level: Level) -> &'static Tree<Handler> {
    match level {
        Level::User => &TREES.user,
        Level::Privileged => &TREES.privileged,
    }
}

/// Where the pipe of a line stands, if it has one behind a blank.
fn pipe_of(line: &str, from: usize) -> Option<usize> {
    let rest = line.get(from..)?;
    rest.match_indices('|').map(|(at, _)| from + at).find(|&at| line[..at].ends_with([' ', '\t']))
}

/// A line as a command, with the filter behind it. A command that takes the rest of a line takes a pipe with it.
fn parse(level: Level, line: &str, from: usize) -> Result<(Match<Handler>, Option<pipe::Filter>), Complaint> {
    let whole = grammar::parse(tree(level), line, from, Form::Set);
    let Some(at) = pipe_of(line, from).filter(|_| whole.is_err()) else {
        return Ok((whole.map_err(Complaint::Syntax)?, None));
    };
    let matched = grammar::parse(tree(level), &line[..at], from, Form::Set).map_err(Complaint::Syntax)?;
    match matched.handler {
        Handler::Show(_) => Ok((matched, Some(pipe::parse(line, at + 1)?))),
        Handler::Act(_) => Err(Complaint::Syntax(ParseError::Invalid { at, understood: 1 })),
    }
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
    /// Runs a line from octet `from` on.
    pub fn run(&mut self, line: &str, from: usize) -> Result<(), Complaint> {
        if line.len() > Session::MAX_LINE {
            return Err(Complaint::Refused(format!("% Line longer than {} characters", Session::MAX_LINE)));
        }
        let (matched, filter) = match parse(self.session.level, line, from) {
            Err(Complaint::Syntax(ParseError::Empty)) => return Ok(()),
            parsed => parsed?,
        };
        let start = self.out.len();
        match matched.handler {
            Handler::Show(run) => {
                let context = ShowContext { network: self.network, node: self.session.node };
                self.out.push_str(&run(&context, &matched.args)?);
            }
            Handler::Act(run) => run(self, &matched.args)?,
        }
        if let Some(filter) = filter {
            let filtered = filter.apply(self.out.get(start..).unwrap_or_default());
            self.out.truncate(start);
            self.out.push_str(&filtered);
        }
        Ok(())
    }
}
