//! `netconfarena blame`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::{IntoDiagnostic, Result};

use super::select::Folder;
use super::terminal::printable;
use crate::backend::emulator::Emulator;
use crate::episode::Stage;
use crate::episode::blame::{Blame, blame};
use crate::runs::directory::{find_episode, read_plan};
use crate::runs::plan::Key;

/// Options of `blame`.
#[derive(Debug, Args)]
pub(super) struct BlameArgs {
    /// Run directory
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// TEMPLATE@SEED, and #1 behind it for the second repeat
    #[arg(value_name = "EPISODE")]
    episode: Key,
    #[command(flatten)]
    folder: Folder,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl BlameArgs {
    pub fn run(self) -> Result<ExitCode> {
        let settings = read_plan(&self.run)?.settings;
        let episode = find_episode(&self.run, &self.episode)?;
        let instance = self.folder.instance(&self.episode.instance())?;
        let backend = Emulator::default();
        let stage = Stage::set(&backend, &instance).into_diagnostic()?;
        let found = blame(&episode, &stage, settings).into_diagnostic()?;
        if self.json {
            println!("{}", serde_json::to_string_pretty(&found).unwrap_or_default());
        } else {
            println!("{}: {}, score {:.2}", self.episode, episode.completion, episode.score);
            print!("{}", told(&found));
        }
        Ok(if found.faithful { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// What leaving out each action changes, in words.
fn told(found: &Blame) -> String {
    let mut text = String::new();
    for effect in &found.effects {
        text.push_str(&format!("turn {}, {}:", effect.turn, effect.action));
        if effect.made.is_empty() && effect.broke.is_empty() {
            text.push_str(" without it everything ends the same\n");
            continue;
        }
        text.push('\n');
        for (groups, what) in [(&effect.made, "made"), (&effect.broke, "broke")] {
            groups.iter().for_each(|intent| text.push_str(&format!("  {what:<5} {}\n", printable(intent))));
        }
    }
    if found.effects.is_empty() {
        text.push_str("nothing was configured\n");
    }
    if !found.faithful {
        text.push_str(
            "Played again, the episode does not end as it did: templates or program have changed since.\n",
        );
    }
    text
}
