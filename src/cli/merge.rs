//! `netconfarena merge`.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::Result;

use super::table::{notes, table};
use crate::runs::merge::merge;

/// Options of `merge`.
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// Run directory to write
    #[arg(value_name = "OUT")]
    out: PathBuf,
    /// Runs that differ only in their shard
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
}

impl MergeArgs {
    pub fn run(self) -> Result<ExitCode> {
        let summary = merge(&self.out, &self.runs)?;
        println!("{}", table(&self.out.display().to_string(), &summary, false));
        print!("{}", notes(&summary));
        Ok(ExitCode::SUCCESS)
    }
}
