//! Runs: many episodes on all cores, into a directory that survives whatever stops them.
//!
//! | module | what it holds |
//! |---|---|
//! | [`plan`] | what was asked, and which episodes that makes |
//! | [`instances`] | its tasks, made one by one |
//! | [`directory`] | the files of a run |
//! | [`merge`] | shards as one run |
//! | [`export`] | episodes as training data |
//! | `parquet` | episodes as a table, with the feature of that name |
//! | [`rescore`] | a run judged anew |
//! | [`runner`] | workers, attempts, progress |

pub mod directory;
pub mod export;
pub mod instances;
pub mod merge;
#[cfg(feature = "parquet")]
pub mod parquet;
pub mod plan;
pub mod rescore;
pub mod runner;

use std::path::Path;

use self::directory::{RunError, each_episode, read_failures};
use crate::scores::table::{Outcome, Summary};

/// What tables take from the episodes of a run directory, in the order of the file.
///
/// # Errors
/// There is no run, or a file cannot be read.
pub fn outcomes(path: &Path) -> Result<Vec<Outcome>, RunError> {
    let mut outcomes = Vec::new();
    each_episode(path, |episode| {
        outcomes.push(episode.outcome());
        Ok(())
    })?;
    Ok(outcomes)
}

/// Summarises the episodes of a run directory.
///
/// # Errors
/// There is no run, or a file cannot be read.
pub fn summarise(path: &Path) -> Result<Summary, RunError> {
    Ok(Summary::of(&outcomes(path)?, read_failures(path)?.len()))
}

#[cfg(test)]
mod tests;
