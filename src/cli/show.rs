//! `netconfarena show`.

use std::process::ExitCode;

use clap::Args;
use miette::Result;

use super::select::Folder;
use crate::instance::{Configs, Instance, InstanceName};

/// Options of `show`.
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// TEMPLATE@SEED; without a seed, seed 0
    #[arg(value_name = "INSTANCE")]
    name: InstanceName,
    #[command(flatten)]
    folder: Folder,
    /// Print the startup configurations too
    #[arg(long)]
    startup: bool,
    /// Print what the agent does not see: the tests and the reference
    #[arg(long)]
    reveal: bool,
    /// Print the whole instance as JSON
    #[arg(long, requires = "reveal")]
    json: bool,
}

impl ShowArgs {
    pub fn run(self) -> Result<ExitCode> {
        let instance = self.folder.instance(&self.name)?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&instance).unwrap_or_default());
            return Ok(ExitCode::SUCCESS);
        }
        println!("{} - {}\n\n{}", instance.name, instance.title, instance.prompt());
        if self.startup || self.reveal {
            configs("Startup", &instance.startup);
        }
        if self.reveal {
            reveal(&instance);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn configs(what: &str, configs: &Configs) {
    for (host, text) in configs {
        println!("# {what}: {host}\n{}\n", text.trim());
    }
}

fn reveal(instance: &Instance) {
    configs("Reference", &instance.reference);
    for (name, texts) in &instance.alternatives {
        configs(&format!("Alternative {name}"), texts);
    }
    for wrong in &instance.wrong {
        println!("# Wrong: {} (caught by `{}`)", wrong.mistake, wrong.caught_by);
        configs("Wrong", &wrong.configs);
    }
    println!("# Tests");
    let mut last = "";
    for test in &instance.tests {
        if test.intent != last {
            println!("{}{}", test.intent, if test.guard { " (guard)" } else { "" });
            last = &test.intent;
        }
        let cut = test.down.as_ref().map(|link| format!(" [{link} cut]")).unwrap_or_default();
        println!("  {}#{}{cut}: {}", test.device, test.command, test.expect);
    }
}
