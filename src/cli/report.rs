//! `netconfarena report`.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use miette::Result;

use crate::report::{Trajectories, write};
use crate::runs::directory::RunError;

/// Options of `report`.
#[derive(Debug, Args)]
pub(super) struct ReportArgs {
    /// Run directories
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// File to write
    #[arg(long, value_name = "FILE", default_value = "report.html")]
    out: PathBuf,
    /// Episodes that the viewer gets: all, failed or none
    #[arg(long, value_name = "WHICH", default_value = "all")]
    trajectories: Trajectories,
}

impl ReportArgs {
    pub fn run(self) -> Result<ExitCode> {
        let unwritten = |error| RunError::File { path: self.out.clone(), doing: "write the file", error };
        let mut out = BufWriter::new(File::create(&self.out).map_err(unwritten)?);
        let number = write(&self.runs, self.trajectories, &mut out)?;
        out.flush().map_err(unwritten)?;
        println!("{}: {} runs, {number} trajectories", self.out.display(), self.runs.len());
        Ok(ExitCode::SUCCESS)
    }
}
