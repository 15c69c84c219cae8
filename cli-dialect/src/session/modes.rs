//! From mode to mode: `enable`, `disable`, `exit`, `configure`.

use super::exec::{Exec, Handler, act};
use super::question::Question;
use super::remote::leave;
use super::{Level, Session};
use crate::config::Complaint;
use crate::grammar::{Spec, int, kw, plain};

/// What user exec mode has; privileged exec mode has it too.
pub(super) fn user_table() -> Vec<Spec<Handler>> {
    let disable = Handler::Act(|exec, args| {
        let level = Level(args.int("level-number").unwrap_or(Level::USER.0));
        if level > exec.session.level {
            return Err(Complaint::Refused(
                "New privilege level must be less than current privilege level".to_owned(),
            ));
        }
        exec.session.level = level;
        Ok(())
    });
    let enable = Handler::Act(|exec, args| {
        exec.enable(Level(args.int("level-number").unwrap_or(Level::PRIVILEGED.0)))
    });
    let privilege = Handler::Print(|exec, _| {
        let level = exec.session.level.0;
        exec.say(&format!("Current privilege level is {level}"));
        Ok(())
    });
    vec![
        kw("show", "Show running system information").then([plain(
            "privilege",
            "Show current privilege level",
            privilege,
        )]),
        kw("disable", "Turn off privileged commands").run(disable).then([int(
            "level-number",
            0,
            15,
            "Privilege level to go to",
        )
        .run(disable)]),
        kw("enable", "Turn on privileged commands").run(enable).then([int(
            "level-number",
            0,
            15,
            "Enable level",
        )
        .run(enable)]),
        leave("exit"),
        leave("logout"),
        leave("quit"),
    ]
}

pub(super) fn privileged_table() -> Vec<Spec<Handler>> {
    let configure = Handler::Act(|exec, _| exec.configure_terminal());
    vec![
        kw("configure", "Enter configuration mode")
            .run(Handler::Act(|exec, _| {
                exec.ask(Question::ConfigureFrom);
                Ok(())
            }))
            .then([
                act("memory", "Configure from NV memory", |exec, _| {
                    exec.load_startup();
                    Ok(())
                }),
                kw("terminal", "Configure from the terminal").run(configure).then([act(
                    "lock",
                    "Lock configuration mode",
                    |exec, _| exec.lock_configuration(),
                )]),
            ]),
    ]
}

impl Session {
    /// Ends the session: what is typed next begins a new one.
    pub(super) fn close(&mut self) {
        self.level = Level::USER;
        self.mode = None;
        self.question = None;
        self.tcl = None;
        self.closed = true;
    }
}

impl Exec<'_> {
    /// `configure terminal`.
    ///
    /// # Errors
    /// Another session has locked the configuration.
    pub fn configure_terminal(&mut self) -> Result<(), Complaint> {
        let place = self.session.place();
        if let Some(holder) = self.router().configuration_lock().filter(|holder| **holder != place) {
            return Err(Complaint::Refused(format!(
                "Configuration mode locked exclusively by user '{holder}'. Please try later."
            )));
        }
        if self.router().config().inert.global.iter().any(|line| line == EXCLUSIVE_AUTO) {
            let node = self.session.node();
            self.network.router_mut(node).lock_configuration(Some(place));
        }
        self.say("Enter configuration commands, one per line.  End with CNTL/Z.");
        self.session.enter_configuration();
        Ok(())
    }

    /// `configure terminal lock`: nobody else configures until this session leaves configuration mode.
    fn lock_configuration(&mut self) -> Result<(), Complaint> {
        let exclusive = |line: &String| line.starts_with("configuration mode exclusive");
        if !self.router().config().inert.global.iter().any(exclusive) {
            return Err(Complaint::Refused(
                "% Configuration mode is not exclusive: enter `configuration mode exclusive` first"
                    .to_owned(),
            ));
        }
        self.configure_terminal()?;
        let (node, place) = (self.session.node(), self.session.place());
        self.network.router_mut(node).lock_configuration(Some(place));
        Ok(())
    }
}

/// The line that locks the configuration for whoever enters configuration mode.
const EXCLUSIVE_AUTO: &str = "configuration mode exclusive auto";
