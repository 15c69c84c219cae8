//! `netconfarena export`.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;

use clap::Args;
use miette::Result;

use crate::runs::directory::RunError;
use crate::runs::export::{Exported, Filter, Form, export};

/// Options of `export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// Run directories
    #[arg(value_name = "RUN", required = true)]
    runs: Vec<PathBuf>,
    /// What is written: sft (conversations to imitate), preference (pairs of a better and a worse one), rewards (each turn's worth);
    /// as JSON lines, or parquet (a table of all episodes) in a build with that feature
    #[arg(long, value_name = "FORMAT", default_value = "sft")]
    format: Format,
    /// File to write, instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The least score of an episode [default: 1, or 0 with rewards]
    #[arg(long, value_name = "SCORE")]
    least_score: Option<f64>,
    /// The most turns of an episode
    #[arg(long, value_name = "N")]
    most_turns: Option<usize>,
    /// Also episodes that did not end with a submission after a configuration
    #[arg(long)]
    unsubmitted: bool,
    /// Only episodes without a null turn and without anything rejected
    #[arg(long)]
    clean: bool,
}

/// What is written.
#[derive(Clone, Copy, Debug)]
enum Format {
    Lines(Form),
    Parquet,
}

impl FromStr for Format {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "parquet" if cfg!(feature = "parquet") => Ok(Self::Parquet),
            "parquet" => {
                Err("this program was built without Parquet; build it with `--features parquet`".to_owned())
            }
            _ => text.parse().map(Self::Lines).map_err(|error| format!("{error}, parquet")),
        }
    }
}

impl ExportArgs {
    pub fn run(self) -> Result<ExitCode> {
        let exported = self.export()?;
        eprintln!("{exported}");
        Ok(if exported.damaged == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn export(&self) -> Result<Exported, RunError> {
        let Format::Lines(form) = self.format else { return self.table() };
        let usual = form.filter();
        let filter = Filter {
            least_score: self.least_score.unwrap_or(usual.least_score),
            unsubmitted: self.unsubmitted || usual.unsubmitted,
            most_turns: self.most_turns,
            clean: self.clean,
        };
        let Some(path) = &self.out else {
            return export(&self.runs, form, filter, &mut io::stdout().lock());
        };
        let unwritten = |error| RunError::File { path: path.clone(), doing: "write the file", error };
        let mut out = BufWriter::new(File::create(path).map_err(unwritten)?);
        let exported = export(&self.runs, form, filter, &mut out)?;
        out.flush().map_err(unwritten)?;
        Ok(exported)
    }

    /// All episodes as a table. The options that choose among episodes are for training data.
    #[cfg(feature = "parquet")]
    fn table(&self) -> Result<Exported, RunError> {
        let path = self.out.clone().unwrap_or_else(|| PathBuf::from("episodes.parquet"));
        let unwritten = |error| RunError::File { path: path.clone(), doing: "write the file", error };
        let written = crate::runs::parquet::write(&self.runs, File::create(&path).map_err(unwritten)?)?;
        Ok(Exported { read: written, damaged: 0, written })
    }

    #[cfg(not(feature = "parquet"))]
    fn table(&self) -> Result<Exported, RunError> {
        Ok(Exported::default())
    }
}
