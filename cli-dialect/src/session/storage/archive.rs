//! The archive of configurations: `archive config`, `configure replace`, `show archive`.

use netconfarena_emu::router::Router;

use super::super::exec::{Exec, Handler};
use super::super::question::Question;
use super::FileName;
use crate::config::{self, Complaint};
use crate::grammar::{Args, Spec, int, kw, plain, word};
use crate::running_config::{self, differences, missing};

/// How many configurations are kept without being told.
const DEFAULT_MAXIMUM: u8 = 10;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let replace = Handler::Act(replace);
    let differ = Handler::Print(show_differences);
    let file = |name, help: &'static str| word(name, help);
    let timer = || {
        kw("timer", "Time till reversion").then([int(
            "timer",
            1,
            120,
            "Time (in minutes) before the configuration comes back",
        )
        .run(replace)])
    };
    vec![
        kw("archive", "manage archive files").then([plain(
            "config",
            "Archive config",
            Handler::Act(|exec, _| exec.archive().map(drop)),
        )]),
        kw("configure", "Enter configuration mode").then([kw(
            "replace",
            "Replace the running-config with a file",
        )
        .then([file("file", "URL of the configuration").run(replace).options([
            plain("force", "Force replacement without prompting", replace),
            plain("list", "List the lines that are not taken", replace),
            kw("revert", "Parameters for reverting the configuration").then([
                kw("trigger", "Triggers").then([plain("error", "Revert upon error", replace)]),
                timer(),
            ]),
            timer(),
        ])])]),
        kw("show", "Show running system information").then([kw("archive", "Archive functions")
            .run(Handler::Print(show_archive))
            .then([kw("config", "Archive config").then([
                kw("differences", "Differences in config files").run(differ).then([file(
                    "old-file",
                    "First file to compare",
                )
                .run(differ)
                .then([file("new-file", "Second file to compare").run(differ)])]),
                kw("incremental-diffs", "Incremental differences with the running configuration").then([
                    file("file", "File to compare").run(Handler::Print(show_missing)).then([plain(
                        "ignorecase",
                        "Ignore case",
                        Handler::Print(show_missing),
                    )]),
                ]),
            ])])]),
    ]
}

fn named(args: &Args, name: &str) -> Result<FileName, Complaint> {
    FileName::parse(args.text(name).unwrap_or_default())
}

/// Without names the startup configuration is compared with the running one, with one name that file with the running one.
fn show_differences(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let given = |name| if args.has(name) { named(args, name).map(Some) } else { Ok(None) };
    let old = given("old-file")?.unwrap_or(FileName::Startup);
    let new = given("new-file")?.unwrap_or(FileName::Running);
    let text = differences(&exec.read_file(&old)?, &exec.read_file(&new)?);
    exec.say("!Contextual Config Diffs:");
    if text.is_empty() {
        exec.say("!No changes were found");
    }
    exec.out.push_str(&text);
    Ok(())
}

fn show_missing(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let text = missing(&exec.read_file(&FileName::Running)?, &exec.read_file(&named(args, "file")?)?);
    exec.say("!List of Commands:");
    exec.out.push_str(&text);
    exec.say("end");
    Ok(())
}

fn replace(exec: &mut Exec<'_>, args: &Args) -> Result<(), Complaint> {
    let file = named(args, "file")?;
    exec.read_file(&file)?;
    let revert = args.has("error");
    if args.has("timer") {
        exec.begin_trial(args)?;
    }
    if args.has("force") {
        return exec.replace(&file, revert);
    }
    exec.ask(Question::Replace { file, revert });
    Ok(())
}

/// The archived configurations in the order of their numbers: number and name.
fn archived(router: &Router) -> Vec<(u64, String)> {
    let Some(path) = path(router) else { return Vec::new() };
    let number = |name: &str| name.strip_prefix(path)?.strip_prefix('-')?.parse::<u64>().ok();
    let files = router.flash().iter();
    let mut found: Vec<_> = files.filter_map(|(name, _)| Some((number(name)?, name.to_owned()))).collect();
    found.sort();
    found
}

/// The beginning of the names of archived configurations, without the file system.
fn path(router: &Router) -> Option<&str> {
    let path = router.config().archive.as_ref()?.path.as_deref()?;
    Some(path.split_once(':').map_or(path, |(_, name)| name).trim_start_matches('/'))
}

fn next_name(router: &Router, archived: &[(u64, String)]) -> Option<String> {
    let number = archived.last().map_or(1, |(number, _)| number.saturating_add(1));
    Some(format!("{}-{number}", path(router)?))
}

fn show_archive(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let router = exec.router();
    let saved = archived(router);
    let Some(next) = next_name(router, &saved) else {
        exec.say("Archive feature not enabled");
        return Ok(());
    };
    let maximum = router.config().archive.as_ref().and_then(|archive| archive.maximum);
    let maximum = maximum.unwrap_or(DEFAULT_MAXIMUM);
    let count = saved.len();
    exec.say(&format!("The maximum archive configurations allowed is {maximum}."));
    exec.say(&format!("There are currently {count} archive configurations saved."));
    exec.say(&format!("The next archive file will be named flash:/{next}"));
    exec.say(" Archive #  Name");
    for place in 1..=usize::from(maximum).max(count) {
        let name = saved.get(place - 1).map_or(String::new(), |(_, name)| format!("flash:/{name}"));
        let mark = if place == count { " <- Most Recent" } else { "" };
        exec.say(format!("   {place:<8} {name}{mark}").trim_end());
    }
    Ok(())
}

impl Exec<'_> {
    /// `archive config`: a copy of the running configuration; the oldest goes when there are too many. Returns the file's name.
    ///
    /// # Errors
    /// No path is configured, or there is no room.
    pub fn archive(&mut self) -> Result<String, Complaint> {
        let router = self.router();
        let saved = archived(router);
        let Some(name) = next_name(router, &saved) else {
            return Err(Complaint::Refused("%Please turn config archive on".to_owned()));
        };
        let maximum = router.config().archive.as_ref().and_then(|archive| archive.maximum);
        let surplus = (saved.len() + 1).saturating_sub(usize::from(maximum.unwrap_or(DEFAULT_MAXIMUM)));
        let text = running_config::render(router.config());
        let node = self.session.node();
        for (_, oldest) in saved.iter().take(surplus) {
            self.network.router_mut(node).flash_mut().remove(oldest);
        }
        let file = FileName::Flash(name);
        self.write_file(&file, &text)?;
        Ok(file.to_string())
    }

    /// `configure replace`: the running configuration becomes that of a file.
    ///
    /// # Errors
    /// A line is not taken, and the command said to revert then.
    pub fn replace(&mut self, file: &FileName, revert: bool) -> Result<(), Complaint> {
        let text = self.read_file(file)?;
        let mut config = self.router().factory_config();
        let report = config::load(&mut config, &text);
        for refused in &report.refused {
            self.say(&format!("% {refused}"));
        }
        if revert && !report.refused.is_empty() {
            return Err(Complaint::Refused(
                "%Rollback failed. Reverting back to the original configuration".to_owned(),
            ));
        }
        self.network.configure(self.session.node(), config);
        self.say("Total number of passes: 1");
        self.say("Rollback Done");
        self.out.push('\n');
        Ok(())
    }
}
