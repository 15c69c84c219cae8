//! `alias MODE NAME LINE`: other words for commands of exec mode and of the configuration modes. Names stand for what is typed in their mode
//! alone; what is loaded from a file is taken as it stands.

use netconfarena_emu::config::RouterConfig;

use super::exec::{Exec, Handler};
use crate::config::{Complaint, ConfigMode};
use crate::grammar::{Args, Spec, kw, plain};

/// The aliases that exec mode has without configuration.
const DEFAULT: [(&str, &str); 3] = [("lo", "logout"), ("p", "ping"), ("s", "show")];

/// The modes: name, heading of `show aliases`, what stands in the prompt's parentheses.
const MODES: [(&str, &str, &str); 14] = [
    ("exec", "Exec", ""),
    ("address-family", "Address Family configuration", "config-router-af"),
    ("archive", "Archive configuration", "config-archive"),
    ("configure", "Global configuration", "config"),
    ("interface", "Interface configuration", "config-if"),
    ("ipenacl", "IP named extended access-list configuration", "config-ext-nacl"),
    ("ipsnacl", "IP named simple access-list configuration", "config-std-nacl"),
    ("keychain", "Key-chain configuration", "config-keychain"),
    ("keychain-key", "Key-chain key configuration", "config-keychain-key"),
    ("line", "Line configuration", "config-line"),
    ("route-map", "Route map configuration", "config-route-map"),
    ("router", "Router configuration", "config-router"),
    ("subinterface", "Subinterface configuration", "config-subif"),
    ("vrf", "VRF configuration", "config-vrf"),
];

pub(super) fn table() -> Vec<Spec<Handler>> {
    let run = Handler::Print(show);
    let of_mode = MODES.iter().map(|&(mode, heading, _)| plain(mode, heading, run));
    vec![
        kw("show", "Show running system information")
            .then([kw("aliases", "Display alias commands").run(run).then(of_mode)]),
    ]
}

/// The aliases of a mode: name and command.
fn aliases<'c>(config: &'c RouterConfig, mode: &'c str) -> impl Iterator<Item = (&'c str, &'c str)> {
    let configured = config.inert.global.iter().filter_map(move |line| {
        let behind = line.strip_prefix("alias ")?.strip_prefix(mode)?;
        behind.strip_prefix(' ')?.split_once(' ')
    });
    configured.chain(DEFAULT.into_iter().filter(move |_| mode == "exec"))
}

/// A line of exec mode with its first word, if that is an alias, replaced by what it stands for.
pub(super) fn expand(config: &RouterConfig, line: &str) -> Option<String> {
    expand_in(config, "exec", line)
}

/// The same of a line of a configuration mode.
pub(super) fn expand_configuration(config: &RouterConfig, mode: &ConfigMode, line: &str) -> Option<String> {
    if matches!(mode, ConfigMode::Banner { .. }) {
        return None;
    }
    let (name, ..) = MODES.iter().find(|(_, _, prompt)| *prompt == mode.prompt())?;
    expand_in(config, name, line)
}

fn expand_in(config: &RouterConfig, mode: &str, line: &str) -> Option<String> {
    let start = line.len() - line.trim_start().len();
    let rest = line.get(start..)?;
    let word = rest.split_ascii_whitespace().next()?;
    let (_, command) = aliases(config, mode).find(|(name, _)| *name == word)?;
    Some(format!("{}{command}{}", line.get(..start)?, rest.get(word.len()..)?))
}

/// `show aliases [MODE]`: of all modes, those that have any.
fn show(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let config = exec.router().config().clone();
    let one = MODES.iter().find(|(mode, ..)| args.has(mode)).map(|(mode, ..)| *mode);
    for (mode, heading, _) in MODES.iter().filter(|(mode, ..)| one.is_none_or(|one| one == *mode)) {
        let mut found = aliases(&config, mode).peekable();
        if found.peek().is_some() {
            exec.say(&format!("{heading} mode aliases:"));
        }
        for (name, command) in found {
            exec.say(&format!("  {name:<21} {command}"));
        }
    }
    Ok(())
}
