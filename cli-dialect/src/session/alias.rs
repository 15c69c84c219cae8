//! `alias exec`: other words for commands.

use netconfarena_emu::config::RouterConfig;

use super::exec::{Exec, Handler};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, kw, plain};

/// The aliases that every router has.
const DEFAULT: [(&str, &str); 3] = [("lo", "logout"), ("p", "ping"), ("s", "show")];

pub(super) fn table() -> Vec<Spec<Handler>> {
    vec![kw("show", "Show running system information").then([plain(
        "aliases",
        "Display alias commands",
        Handler::Print(show),
    )])]
}

/// The aliases of a router: name and command.
fn aliases(config: &RouterConfig) -> impl Iterator<Item = (&str, &str)> {
    let configured =
        config.inert.global.iter().filter_map(|line| line.strip_prefix("alias exec ")?.split_once(' '));
    configured.chain(DEFAULT)
}

/// A line with its first word, if that is an alias, replaced by what it stands for.
pub(super) fn expand(config: &RouterConfig, line: &str) -> Option<String> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..)?;
    let word = rest.split_ascii_whitespace().next()?;
    let (_, command) = aliases(config).find(|(name, _)| *name == word)?;
    Some(format!("{}{command}{}", line.get(..start)?, rest.get(word.len()..)?))
}

fn show(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let config = exec.router().config().clone();
    exec.say("Exec mode aliases:");
    for (name, command) in aliases(&config) {
        exec.say(&format!("  {name:<21} {command}"));
    }
    Ok(())
}
