//! `netconfarena rescore`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::Result;

use super::select::Folder;
use super::table::{notes, table};
use super::terminal::printable;
use crate::backend::emulator::Emulator;
use crate::runs::directory::{keys, read_plan};
use crate::runs::plan::Key;
use crate::runs::rescore::{Rescored, rescore};

/// Options of `rescore`.
#[derive(Debug, Args)]
pub(super) struct RescoreArgs {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// Run directory to write [default: RUN with -rescored behind it]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    folder: Folder,
}

impl RescoreArgs {
    pub fn run(self) -> Result<ExitCode> {
        let label = read_plan(&self.run)?.label();
        let out = self.out.unwrap_or_else(|| {
            let mut name = self.run.file_name().unwrap_or_default().to_owned();
            name.push("-rescored");
            self.run.with_file_name(name)
        });
        let names = keys(&self.run)?.iter().map(Key::instance).collect();
        let found = rescore(&self.run, &out, &Emulator::default(), &self.folder.sampled(names)?)?;
        println!("{}", table(&printable(&label), &found.summary, false));
        print!("{}{}", notes(&found.summary), told(&found));
        println!("Run directory: {}", out.display());
        Ok(ExitCode::SUCCESS)
    }
}

/// What changed, in words.
fn told(found: &Rescored) -> String {
    let mut text =
        format!("{} episodes judged anew, {} with another score\n", found.episodes, found.changed.len());
    for changed in &found.changed {
        text.push_str(&format!("  {:.2} -> {:.2} {}\n", changed.before, changed.after, changed.key));
    }
    if !found.diverged.is_empty() {
        let first: Vec<String> = found.diverged.iter().take(5).map(ToString::to_string).collect();
        text.push_str(&format!(
            "In {} episodes the routers answered otherwise than what the agent saw, e.g. {}\n",
            found.diverged.len(),
            first.join(", ")
        ));
    }
    text
}
