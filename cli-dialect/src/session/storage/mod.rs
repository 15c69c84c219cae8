//! Configurations and files: `write`, `copy`, `erase`, `reload`, `dir`, `more`, `delete`.
//!
//! | file | what |
//! |---|---|
//! | `file.rs` | names of files, and what they hold |
//! | `copy.rs` | `copy` and `write` |
//! | `reload.rs` | `reload`, at once or later |
//! | `revert.rs` | changes that are taken back unless somebody confirms them |
//! | `archive.rs` | the archive of configurations, `configure replace` |
//! | `directory.rs` | `dir`, `more`, `delete`, `show flash:` |

mod archive;
mod copy;
mod directory;
mod file;
mod reload;
mod revert;

use netconfarena_emu::config::RouterConfig;

pub(super) use self::copy::Copy;
pub(super) use self::file::FileName;
pub(super) use self::reload::Delayed;
use super::exec::{Exec, Handler, act};
use crate::config::{Complaint, ConfigMode, Editor};
use crate::grammar::{Spec, kw};

pub(super) fn table() -> Vec<Spec<Handler>> {
    let own = vec![kw("erase", "Erase a filesystem").then([
        act("nvram:", "Filesystem to be erased", copy::erase),
        act("startup-config", "Erase contents of configuration memory", copy::erase),
    ])];
    [own, archive::table(), revert::table(), copy::table(), directory::table(), reload::table()].concat()
}

impl Exec<'_> {
    /// The running configuration becomes the startup configuration.
    pub fn save(&mut self) {
        let node = self.session.node;
        self.network.router_mut(node).save_config();
        self.say("Building configuration...");
        self.say("[OK]");
        let archive = self.router().config().archive.as_ref();
        if archive.is_some_and(|archive| archive.write_memory && archive.path.is_some())
            && let Err(Complaint::Refused(text)) = self.archive()
        {
            self.say(&text);
        }
    }

    /// Whether a restart would bring the running configuration back.
    pub fn is_saved(&self) -> bool {
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

    /// `configure memory`.
    pub fn load_startup(&mut self) {
        match self.read_file(&FileName::Startup) {
            Ok(text) => self.merge(&text),
            Err(_) => self.say("%% Non-volatile configuration memory is not present"),
        }
    }

    /// Applies the lines of a text to the running configuration. What a line leads to is seen in the configuration; lines
    /// that are not taken are left out.
    pub fn merge(&mut self, text: &str) {
        let mut config = RouterConfig::clone(self.router().config());
        let mut mode = ConfigMode::Global;
        for line in text.lines() {
            let _ = Editor::new(&mut config, &mut mode).apply(line);
        }
        self.network.configure(self.session.node, config);
    }
}
