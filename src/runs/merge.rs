//! Shards of a run as one run.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::directory::{
    Failure, RunDirectory, RunError, SUMMARY, each_episode, read_failures, read_plan, write_json,
};
use super::plan::{Key, RunPlan};
use super::summarise;
use crate::scores::table::Summary;

/// Merges runs that differ only in their shard into a new run directory.
///
/// # Errors
/// The runs were asked for differently, hold different episodes of one name, or a file cannot be read or written.
pub fn merge(out: &Path, runs: &[PathBuf]) -> Result<Summary, RunError> {
    let mut whole: Option<RunPlan> = None;
    for run in runs {
        let plan = RunPlan { shard: None, ..read_plan(run)? };
        if let Some(difference) = whole.as_ref().and_then(|whole| whole.difference(&plan)) {
            return Err(RunError::OtherRun { path: run.clone(), difference });
        }
        whole = Some(plan);
    }
    let Some(plan) = whole else { return Err(RunError::NoRun(out.to_owned())) };
    let mut directory = RunDirectory::open(out, &plan)?;
    let mut known: BTreeMap<Key, String> = BTreeMap::new();
    for path in [out.to_owned()].iter().chain(runs) {
        let is_out = path == out;
        each_episode(path, |episode| {
            let key = episode.key();
            match known.get(&key) {
                Some(hash) if *hash == episode.hash => return Ok(()),
                Some(_) => return Err(RunError::Conflict { path: path.clone(), episode: key.to_string() }),
                None => {}
            }
            known.insert(key, episode.hash.clone());
            if is_out { Ok(()) } else { directory.append(&[episode]) }
        })?;
    }
    let mut failures: Vec<Failure> = Vec::new();
    for run in runs {
        failures.extend(read_failures(run)?.into_iter().filter(|failure| !known.contains_key(&failure.key)));
    }
    directory.write_failures(&failures)?;
    directory.sort()?;
    let summary = summarise(out)?;
    write_json(&out.join(SUMMARY), &summary)?;
    Ok(summary)
}
