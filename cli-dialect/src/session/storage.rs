//! The running and the startup configuration: `write`, `copy`, `erase`, `reload`.

use netconfarena_emu::config::RouterConfig;

use super::exec::{Exec, Handler, act};
use super::question::Question;
use crate::config::{ConfigMode, Editor};
use crate::grammar::{Spec, kw};
use crate::running_config;

pub(super) fn table() -> Vec<Spec<Handler>> {
    let save = |exec: &mut Exec<'_>, _: &_| {
        exec.save();
        Ok(())
    };
    let erase = |exec: &mut Exec<'_>, _: &_| {
        exec.ask(Question::Erase);
        Ok(())
    };
    let ask_save = |exec: &mut Exec<'_>, _: &_| {
        exec.ask(Question::SaveTo);
        Ok(())
    };
    let ask_load = |exec: &mut Exec<'_>, _: &_| {
        exec.ask(Question::LoadInto);
        Ok(())
    };
    vec![
        kw("write", "Write running configuration to memory, network, or terminal")
            .run(Handler::Act(save))
            .then([
                act("erase", "Erase NV memory", erase),
                act("memory", "Write to NV memory", save),
                super::show_config::write_terminal(),
            ]),
        kw("copy", "Copy from one file to another").then([
            kw("running-config", "Copy from current system configuration").then([act(
                "startup-config",
                "Copy to startup configuration",
                ask_save,
            )]),
            kw("startup-config", "Copy from startup configuration").then([act(
                "running-config",
                "Update (merge with) current system configuration",
                ask_load,
            )]),
        ]),
        kw("erase", "Erase a filesystem").then([
            act("nvram:", "Filesystem to be erased", erase),
            act("startup-config", "Erase contents of configuration memory", erase),
        ]),
        act("reload", "Halt and perform a cold restart", |exec, _| {
            let question = if exec.is_saved() { Question::Reload } else { Question::SaveBeforeReload };
            exec.ask(question);
            Ok(())
        }),
    ]
}

impl Exec<'_> {
    /// The running configuration becomes the startup configuration.
    pub fn save(&mut self) {
        let node = self.session.node;
        self.network.router_mut(node).save_config();
        self.say("Building configuration...");
        self.say("[OK]");
    }

    /// Whether a restart would bring the running configuration back.
    fn is_saved(&self) -> bool {
        let router = self.router();
        router.startup_config().is_some_and(|startup| startup == router.config())
    }

    /// There is no startup configuration any more.
    pub fn erase_startup(&mut self) {
        let node = self.session.node;
        self.network.router_mut(node).erase_startup_config();
        self.say("[OK]");
        self.say("Erase of nvram: complete");
    }

    /// The lines of the startup configuration are applied to the running one.
    pub fn load_startup(&mut self) {
        let Some(startup) = self.router().startup_config().cloned() else {
            self.say("%% Non-volatile configuration memory is not present");
            return;
        };
        let text = running_config::render(&startup);
        let mut config = RouterConfig::clone(self.router().config());
        let mut mode = ConfigMode::Global;
        for line in text.lines() {
            let mut editor = Editor::new(&mut config, &mut mode);
            // What was taken before is taken again, or stands in the configuration already.
            let _ = editor.apply(line);
        }
        self.network.configure(self.session.node, config);
        self.say(&format!("{} bytes copied in 0.100 secs ({} bytes/sec)", text.len(), text.len() * 10));
    }

    /// Restarts the router, which ends the session.
    pub fn reload(&mut self) {
        let node = self.session.node;
        self.network.reload(node);
        self.session.close();
    }
}
