//! Changes on trial: `configure terminal revert timer`, `configure confirm`, `configure revert`. The configuration before goes to
//! the archive, and comes back by itself unless somebody confirms.

use std::sync::Arc;
use std::time::Duration;

use netconfarena_emu::log::LogEvent;
use netconfarena_emu::router::PendingRevert;

use super::super::exec::{Exec, Handler, act};
use crate::config::Complaint;
use crate::grammar::{Args, Spec, int, kw, plain};
use crate::show::clock::Clock;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let begin = Handler::Act(|exec, args| {
        exec.begin_trial(args)?;
        exec.configure_terminal()
    });
    let minutes =
        |name, run| int(name, 1, 120, "Time (in minutes) before the configuration comes back").run(run);
    vec![
        kw("configure", "Enter configuration mode").then([
            act("confirm", "Confirm replacement of running-config with a new config file", |exec, _| {
                exec.confirm_trial()
            }),
            kw("revert", "Parameters for reverting the configuration").then([
                act("now", "Revert the configuration immediately", |exec, _| exec.end_trial()),
                kw("timer", "Time till reversion")
                    .then([minutes("new-timer", Handler::Act(|exec, args| exec.prolong_trial(args)))]),
            ]),
            kw("terminal", "Configure from the terminal").then([kw(
                "revert",
                "Parameters for reverting the configuration",
            )
            .then([kw("timer", "Time till reversion").then([minutes("timer", begin)])])]),
        ]),
        kw("show", "Show running system information").then([kw("archive", "Archive functions").then([kw(
            "config",
            "Archive config",
        )
        .then([kw("rollback", "Show rollback information").then([plain(
            "timer",
            "Show rollback timer",
            Handler::Print(show_timer),
        )])])])]),
    ]
}

fn show_timer(exec: &mut Exec<'_>, _args: &Args) -> Result<(), Complaint> {
    let text = match exec.router().pending_revert() {
        None => "No Rollback Confirmed Change pending".to_owned(),
        Some(pending) => format!(
            "Time configured(or reconfigured): {}\nTimer type: absolute timer\nTimer value: {} min\nUser: {}",
            Clock::at(pending.since).long(),
            pending.timer.as_secs() / 60,
            pending.user,
        ),
    };
    exec.say(&text);
    Ok(())
}

fn minutes(args: &Args, name: &str) -> Duration {
    Duration::from_secs(60 * args.int::<u64>(name).unwrap_or(1))
}

impl Exec<'_> {
    /// Archives the configuration, which comes back when the time that the command names has passed.
    ///
    /// # Errors
    /// There is no archive, or a trial already.
    pub fn begin_trial(&mut self, args: &Args) -> Result<(), Complaint> {
        if self.router().pending_revert().is_some() {
            let text = "%Rollback Confirmed Change is already in progress".to_owned();
            return Err(Complaint::Refused(text));
        }
        let file = self.archive()?;
        self.say(&format!("Rollback Confirmed Change: Backing up current running config to {file}\n"));
        let (node, now, timer) = (self.session.node(), self.network.now(), minutes(args, "timer"));
        let user = self.session.user();
        let router = self.network.router_mut(node);
        let config = Arc::clone(router.config());
        let event = LogEvent::RevertScheduled {
            user: user.clone(),
            file: file.clone(),
            minutes: timer.as_secs() / 60,
        };
        router.write_log(now, event);
        let pending = PendingRevert { since: now, at: now + timer, timer, user, file, config };
        router.set_pending_revert(Some(pending));
        Ok(())
    }

    /// The trial that is under way.
    fn trial(&mut self) -> Result<PendingRevert, Complaint> {
        let pending = self.router().pending_revert().cloned();
        pending.ok_or_else(|| Complaint::Refused("%No Rollback Confirmed Change pending".to_owned()))
    }

    fn confirm_trial(&mut self) -> Result<(), Complaint> {
        self.trial()?;
        let (node, now, user) = (self.session.node(), self.network.now(), self.session.user());
        let router = self.network.router_mut(node);
        router.set_pending_revert(None);
        router.write_log(now, LogEvent::ChangeConfirmed { user });
        Ok(())
    }

    fn end_trial(&mut self) -> Result<(), Complaint> {
        let pending = self.trial()?;
        let (node, now) = (self.session.node(), self.network.now());
        self.say(&format!("Rollback Confirmed Change: Rollback to {}\n", pending.file));
        self.network.router_mut(node).set_pending_revert(None);
        self.network.router_mut(node).write_log(now, LogEvent::RevertBegun { file: pending.file });
        self.network.configure(node, Arc::unwrap_or_clone(pending.config));
        self.say("Total number of passes: 1\nRollback Done\n");
        Ok(())
    }

    fn prolong_trial(&mut self, args: &Args) -> Result<(), Complaint> {
        let mut pending = self.trial()?;
        let (node, now, timer) = (self.session.node(), self.network.now(), minutes(args, "new-timer"));
        (pending.since, pending.timer, pending.at) = (now, timer, now + timer);
        self.network.router_mut(node).set_pending_revert(Some(pending));
        Ok(())
    }
}
