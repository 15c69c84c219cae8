//! From mode to mode: `enable`, `disable`, `exit`, `configure`.

use super::exec::{Exec, Handler, act};
use super::question::Question;
use super::{Level, Session};
use crate::grammar::{Spec, kw};

/// What user exec mode has; privileged exec mode has it too.
pub(super) fn user_table() -> Vec<Spec<Handler>> {
    let close = |exec: &mut Exec<'_>, _: &_| {
        exec.session.close();
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

pub(super) fn privileged_table() -> Vec<Spec<Handler>> {
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
                act("terminal", "Configure from the terminal", |exec, _| {
                    exec.configure_terminal();
                    Ok(())
                }),
            ]),
    ]
}

impl Session {
    /// Ends the session: what is typed next begins a new one.
    pub(super) fn close(&mut self) {
        self.level = Level::User;
        self.mode = None;
        self.question = None;
        self.closed = true;
    }
}

impl Exec<'_> {
    /// `configure terminal`.
    pub fn configure_terminal(&mut self) {
        self.say("Enter configuration commands, one per line.  End with CNTL/Z.");
        self.session.enter_configuration();
    }
}
