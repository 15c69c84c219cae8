//! Names of files, and what they hold.

use std::fmt;

use netconfarena_emu::config::RouterConfig;
use serde::{Deserialize, Serialize};

use super::super::exec::Exec;
use crate::config::{self, Complaint};
use crate::running_config;

/// A file that a command names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in super::super) enum FileName {
    /// `running-config`, `system:running-config`.
    Running,
    /// `startup-config`, `nvram:startup-config`.
    Startup,
    /// `flash:NAME`, or a name alone.
    Flash(String),
    /// `null:`: empty, and what is written to it is gone.
    Null,
}

impl fmt::Display for FileName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Running => f.write_str("system:running-config"),
            Self::Startup => f.write_str("nvram:startup-config"),
            Self::Flash(name) => write!(f, "flash:/{name}"),
            Self::Null => f.write_str("null:"),
        }
    }
}

impl FileName {
    /// Reads a name, with or without a file system in front.
    ///
    /// # Errors
    /// A file system that does not exist here.
    pub fn parse(text: &str) -> Result<Self, Complaint> {
        let (system, name) = text.split_once(':').unwrap_or(("flash", text));
        let name = name.trim_start_matches('/');
        match (system.to_ascii_lowercase().as_str(), name) {
            ("system", "running-config") => Ok(Self::Running),
            ("nvram", "startup-config") => Ok(Self::Startup),
            _ if !text.contains(':') && name == "running-config" => Ok(Self::Running),
            _ if !text.contains(':') && name == "startup-config" => Ok(Self::Startup),
            ("flash" | "flash0" | "bootflash" | "disk0", _) => Ok(Self::Flash(name.to_owned())),
            ("null", "") if text.contains(':') => Ok(Self::Null),
            (other, _) => Err(Complaint::Unsupported(format!("the file system {other}:"))),
        }
    }

    /// The name without the file system, as questions offer it.
    pub fn short(&self) -> &str {
        match self {
            Self::Running => "running-config",
            Self::Startup => "startup-config",
            Self::Flash(name) => name,
            Self::Null => "null:",
        }
    }
}

impl Exec<'_> {
    /// The text of a file.
    ///
    /// # Errors
    /// There is no such file.
    pub fn read_file(&self, name: &FileName) -> Result<String, Complaint> {
        let router = self.router();
        let text = match name {
            FileName::Running => Some(running_config::render(router.config())),
            FileName::Startup => router.startup_config().map(|config| running_config::render(config)),
            FileName::Flash(file) => router.flash().get(file).map(|file| file.text.to_string()),
            FileName::Null => Some(String::new()),
        };
        text.ok_or_else(|| not_found(name))
    }

    /// Writes a file of the flash, or what a text configures: onto the running configuration, or as the startup
    /// configuration.
    ///
    /// # Errors
    /// There is no room, or the name is malformed.
    pub fn write_file(&mut self, name: &FileName, text: &str) -> Result<(), Complaint> {
        let (node, now) = (self.session.node(), self.network.now());
        match name {
            FileName::Null => {}
            FileName::Running => self.merge(text),
            FileName::Startup => {
                let config = self.configured_by(text);
                self.network.router_mut(node).set_startup_config(config);
            }
            FileName::Flash(file) => {
                let written = self.network.router_mut(node).flash_mut().write(file, text, now);
                written.map_err(|error| Complaint::Refused(format!("%Error opening {name} ({error})")))?;
            }
        }
        Ok(())
    }

    /// What a router with this hardware is configured to by a text alone; lines that it does not take are left out.
    pub fn configured_by(&self, text: &str) -> RouterConfig {
        let mut config = self.router().factory_config();
        // A startup configuration may hold lines of features that do not exist here.
        let _ = config::load(&mut config, text);
        config
    }
}

/// The complaint about a file that does not exist.
pub(super) fn not_found(name: &FileName) -> Complaint {
    Complaint::Refused(format!("%Error opening {name} (No such file or directory)"))
}
