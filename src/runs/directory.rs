//! A run directory: `run.json`, `episodes.jsonl`, `errors.jsonl`, `summary.json`.
//!
//! `episodes.jsonl` only ever grows by whole lines that are on the disk before the run goes on. A line that was cut off, by a
//! killed process or a full disk, is removed when the run is resumed; nothing else is touched. Small files are replaced as a whole.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use miette::Diagnostic;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::plan::{Key, RunPlan};
use crate::episode::record::Episode;

/// What was asked.
pub const RUN: &str = "run.json";
/// One line an episode.
pub const EPISODES: &str = "episodes.jsonl";
/// One line an episode that could not be played.
pub const ERRORS: &str = "errors.jsonl";
/// Table II's columns.
pub const SUMMARY: &str = "summary.json";

/// Why a run directory cannot be used.
#[derive(Debug, Error, Diagnostic)]
pub enum RunError {
    /// A file cannot be read or written.
    #[error("{}: cannot {doing}: {error}", path.display())]
    #[diagnostic(help("episodes that were complete are kept; run the same command again to go on"))]
    File {
        /// Which.
        path: PathBuf,
        /// What was tried.
        doing: &'static str,
        /// The system's answer.
        error: io::Error,
    },
    /// A file holds what it cannot hold.
    #[error("{}:{line}: {reason}", path.display())]
    #[diagnostic(help("the file was changed by something else; move the folder away, or repair the line"))]
    Damaged {
        /// Which.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        reason: String,
    },
    /// The folder holds no run.
    #[error("{} holds no run", .0.display())]
    #[diagnostic(help("a run directory has a `run.json`; start one with `netconfarena run --out DIR`"))]
    NoRun(PathBuf),
    /// The folder holds a run that was asked for differently.
    #[error("{} holds another run: {difference}", path.display())]
    #[diagnostic(help("give another --out, or the same options as before to resume"))]
    OtherRun {
        /// The folder.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// The folder holds episodes, and nothing says of which run.
    #[error("{} holds episodes, but no `{RUN}` that says whose they are", .0.display())]
    #[diagnostic(help(
        "give another --out, or put the lost file back: these episodes may be of another agent"
    ))]
    NoPlan(PathBuf),
    /// Two runs hold different episodes of one name.
    #[error("{} holds another episode {episode} than a run before it", path.display())]
    Conflict {
        /// The second of the two.
        path: PathBuf,
        /// Name of the episode.
        episode: String,
    },
    /// The run has no episode of this name.
    #[error("{} has no episode {episode}", path.display())]
    #[diagnostic(help("episodes are TEMPLATE@SEED, and TEMPLATE@SEED#1 for the second repeat"))]
    NoEpisode {
        /// The run.
        path: PathBuf,
        /// What was asked for.
        episode: String,
    },
    /// What is printed cannot be written.
    #[error("the output cannot be written: {0}")]
    Output(io::Error),
    /// Another process writes there.
    #[error("{} is in use by another process", .0.display())]
    InUse(PathBuf),
}

fn file_error(path: &Path, doing: &'static str) -> impl FnOnce(io::Error) -> RunError {
    let path = path.to_owned();
    move |error| RunError::File { path, doing, error }
}

/// An episode that could not be played: it says nothing about the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failure {
    /// Which.
    #[serde(flatten)]
    pub key: Key,
    /// Every attempt's error.
    pub attempts: Vec<String>,
}

/// A run directory that this process writes.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    /// Held open for its lock.
    _lock: File,
    episodes: File,
    /// Where the last whole line ends.
    end: u64,
}

impl RunDirectory {
    /// Opens a folder for a run: a new one, or one that holds the same run.
    ///
    /// # Errors
    /// It cannot be written, is in use, or holds another run.
    pub fn open(path: &Path, plan: &RunPlan) -> Result<Self, RunError> {
        fs::create_dir_all(path).map_err(file_error(path, "create the folder"))?;
        let run = path.join(RUN);
        let lock_path = path.join(".lock");
        let lock = File::create(&lock_path).map_err(file_error(&lock_path, "create the file"))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(RunError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(file_error(&lock_path, "lock the file")(error)),
        }
        if run.exists() {
            let stored: RunPlan = read_json(&run)?;
            if let Some(difference) = stored.difference(plan) {
                return Err(RunError::OtherRun { path: path.to_owned(), difference });
            }
        } else if fs::metadata(path.join(EPISODES)).is_ok_and(|file| file.len() > 0) {
            return Err(RunError::NoPlan(path.to_owned()));
        } else {
            write_json(&run, plan)?;
        }
        let episodes_path = path.join(EPISODES);
        let mut episodes = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&episodes_path)
            .map_err(file_error(&episodes_path, "open the file"))?;
        let end = whole_lines(&mut episodes).map_err(file_error(&episodes_path, "read the file"))?;
        episodes.set_len(end).map_err(file_error(&episodes_path, "cut off a broken line of the file"))?;
        episodes.seek(SeekFrom::Start(end)).map_err(file_error(&episodes_path, "seek in the file"))?;
        Ok(Self { path: path.to_owned(), _lock: lock, episodes, end })
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Appends episodes, and returns when they are on the disk. If that fails, none of them is in the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn append(&mut self, episodes: &[Episode]) -> Result<(), RunError> {
        let path = self.path.join(EPISODES);
        let mut text = Vec::new();
        for episode in episodes {
            serde_json::to_writer(&mut text, episode)
                .map_err(|error| file_error(&path, "write the file")(error.into()))?;
            text.push(b'\n');
        }
        let written = self.episodes.write_all(&text).and_then(|()| self.episodes.sync_data());
        if let Err(error) = written {
            // What was written of the lines goes; should that fail too, the next `open` does it.
            let _ =
                self.episodes.set_len(self.end).and_then(|()| self.episodes.seek(SeekFrom::Start(self.end)));
            return Err(file_error(&path, "write the file")(error));
        }
        self.end += text.len() as u64;
        Ok(())
    }

    /// Brings the lines into the order of the plan. The old file stays until the new one is on the disk.
    ///
    /// # Errors
    /// A file cannot be read or written.
    pub fn sort(&mut self) -> Result<(), RunError> {
        let path = self.path.join(EPISODES);
        let mut index = Vec::new();
        each_line(&path, |place, key: Key| {
            index.push((key, place));
            Ok(())
        })?;
        if index.is_sorted_by(|a, b| a.0 <= b.0) {
            return Ok(());
        }
        index.sort_by(|a, b| a.0.cmp(&b.0));
        let sorted_path = self.path.join(".episodes.sorted");
        let copy = || -> io::Result<File> {
            let mut source = File::open(&path)?;
            let mut sorted =
                OpenOptions::new().read(true).write(true).create(true).truncate(true).open(&sorted_path)?;
            let mut line = Vec::new();
            for (_, place) in &index {
                source.seek(SeekFrom::Start(place.start))?;
                line.resize(place.length, 0);
                source.read_exact(&mut line)?;
                sorted.write_all(&line)?;
            }
            sorted.sync_all()?;
            fs::rename(&sorted_path, &path)?;
            Ok(sorted)
        };
        self.episodes = copy().map_err(file_error(&path, "sort the file"))?;
        Ok(())
    }

    /// Replaces the list of episodes that could not be played.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write_failures(&self, failures: &[Failure]) -> Result<(), RunError> {
        let path = self.path.join(ERRORS);
        if failures.is_empty() {
            return match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    Err(file_error(&path, "remove the file")(error))
                }
                _ => Ok(()),
            };
        }
        let mut text = String::new();
        for failure in failures {
            text.push_str(&serde_json::to_string(failure).unwrap_or_default());
            text.push('\n');
        }
        replace(&path, text.as_bytes())
    }
}

/// Where the last whole line of a file ends.
fn whole_lines(file: &mut File) -> io::Result<u64> {
    const CHUNK: u64 = 1 << 16;
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut chunk = Vec::new();
    while end > 0 {
        let start = end.saturating_sub(CHUNK);
        file.seek(SeekFrom::Start(start))?;
        chunk.clear();
        file.take(end - start).read_to_end(&mut chunk)?;
        if let Some(at) = chunk.iter().rposition(|&b| b == b'\n') {
            return Ok(start + at as u64 + 1);
        }
        end = start;
    }
    Ok(0)
}

/// Where a line stands in its file.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Offset of its first byte.
    pub start: u64,
    /// Bytes, the line feed included.
    pub length: usize,
}

/// Reads every line of a JSONL file.
///
/// # Errors
/// The file cannot be read, a line is not what it should be, or `take` refuses it.
pub fn each_line<T: DeserializeOwned>(
    path: &Path,
    mut take: impl FnMut(Place, T) -> Result<(), RunError>,
) -> Result<(), RunError> {
    let file = File::open(path).map_err(file_error(path, "open the file"))?;
    let mut reader = BufReader::new(file);
    let (mut start, mut number) = (0, 0);
    let mut line = Vec::new();
    loop {
        line.clear();
        let length = reader.read_until(b'\n', &mut line).map_err(file_error(path, "read the file"))?;
        // A last line without its end is being written, or was cut off.
        if length == 0 || !line.ends_with(b"\n") {
            return Ok(());
        }
        number += 1;
        let value = serde_json::from_slice(&line).map_err(|error| RunError::Damaged {
            path: path.to_owned(),
            line: number,
            reason: error.to_string(),
        })?;
        take(Place { start, length }, value)?;
        start += length as u64;
    }
}

/// Reads one episode.
///
/// # Errors
/// The file cannot be read, or there is no episode at this place.
pub fn read_line(path: &Path, place: Place) -> Result<Episode, RunError> {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(place.start))?;
        let mut line = vec![0; place.length];
        file.read_exact(&mut line)?;
        Ok(line)
    };
    let line = read().map_err(file_error(path, "read the file"))?;
    serde_json::from_slice(&line)
        .map_err(|error| file_error(path, "read an episode of the file")(error.into()))
}

/// The episode of this name in a run directory.
///
/// # Errors
/// There is no run or no such episode, or the file cannot be read.
pub fn find_episode(path: &Path, wanted: &Key) -> Result<Episode, RunError> {
    read_plan(path)?;
    let episodes = path.join(EPISODES);
    let mut found = None;
    each_line(&episodes, |place, key: Key| {
        found = found.or((key == *wanted).then_some(place));
        Ok(())
    })?;
    let missing = || RunError::NoEpisode { path: path.to_owned(), episode: wanted.to_string() };
    read_line(&episodes, found.ok_or_else(missing)?)
}

/// The names of the episodes in a run directory.
///
/// # Errors
/// The file cannot be read.
pub fn keys(path: &Path) -> Result<Vec<Key>, RunError> {
    let mut keys = Vec::new();
    each_line(&path.join(EPISODES), |_, key| {
        keys.push(key);
        Ok(())
    })?;
    Ok(keys)
}

/// Reads every episode of a run directory.
///
/// # Errors
/// There is no run, the file cannot be read, a line is no episode, or `take` refuses it.
pub fn each_episode(
    path: &Path,
    mut take: impl FnMut(Episode) -> Result<(), RunError>,
) -> Result<(), RunError> {
    if !path.join(RUN).is_file() {
        return Err(RunError::NoRun(path.to_owned()));
    }
    each_line(&path.join(EPISODES), |_, episode| take(episode))
}

/// What a run directory was asked for.
///
/// # Errors
/// There is no run, or the file cannot be read.
pub fn read_plan(path: &Path) -> Result<RunPlan, RunError> {
    let run = path.join(RUN);
    if !run.is_file() {
        return Err(RunError::NoRun(path.to_owned()));
    }
    read_json(&run)
}

/// The episodes of a run directory that could not be played.
///
/// # Errors
/// The file cannot be read.
pub fn read_failures(path: &Path) -> Result<Vec<Failure>, RunError> {
    let path = path.join(ERRORS);
    let mut failures = Vec::new();
    if path.is_file() {
        each_line(&path, |_, failure| {
            failures.push(failure);
            Ok(())
        })?;
    }
    Ok(failures)
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, RunError> {
    let text = fs::read_to_string(path).map_err(file_error(path, "read the file"))?;
    serde_json::from_str(&text).map_err(|error| RunError::Damaged {
        path: path.to_owned(),
        line: error.line(),
        reason: error.to_string(),
    })
}

/// Writes a JSON file as a whole.
///
/// # Errors
/// The file cannot be written; what was there before is then untouched.
pub fn write_json(path: &Path, value: &impl Serialize) -> Result<(), RunError> {
    let mut text =
        serde_json::to_vec_pretty(value).map_err(|e| file_error(path, "write the file")(e.into()))?;
    text.push(b'\n');
    replace(path, &text)
}

/// Replaces a file: the old one stays until the new one is on the disk.
fn replace(path: &Path, text: &[u8]) -> Result<(), RunError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let fresh = path.with_file_name(name);
    let write = || -> io::Result<()> {
        let mut file = File::create(&fresh)?;
        file.write_all(text)?;
        file.sync_all()?;
        fs::rename(&fresh, path)
    };
    write().map_err(file_error(path, "write the file"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::builtin::Reference;
    use crate::backend::scripted::Scripted;
    use crate::episode::{Settings, play};
    use crate::instance::sample::two_routers;

    #[test]
    fn a_full_disk_loses_nothing_that_was_written() {
        let folder = tempfile::tempdir().unwrap();
        let instances = vec![two_routers()];
        let plan = RunPlan::new(&Reference, "scripted", Settings::default(), &instances, 1, None).unwrap();
        let task =
            crate::agent::Task { instance: &instances[0], repeat: 0, limits: Settings::default().limits };
        let episode = play(task, &Reference, &Scripted, Settings::default()).unwrap();
        let mut directory = RunDirectory::open(folder.path(), &plan).unwrap();
        directory.append(std::slice::from_ref(&episode)).unwrap();
        let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
            println!("SKIPPED: this system has no /dev/full");
            return;
        };
        directory.episodes = full;
        let error = directory.append(std::slice::from_ref(&episode)).unwrap_err();
        assert!(error.to_string().contains("episodes.jsonl: cannot write the file"), "{error}");
        drop(directory);
        RunDirectory::open(folder.path(), &plan).unwrap();
        assert_eq!(keys(folder.path()).unwrap().len(), 1);
    }

    #[test]
    fn episodes_whose_plan_is_lost_are_taken_over_by_no_run() {
        let folder = tempfile::tempdir().unwrap();
        let instances = vec![two_routers()];
        let plan = RunPlan::new(&Reference, "scripted", Settings::default(), &instances, 1, None).unwrap();
        fs::write(folder.path().join(EPISODES), "{}\n").unwrap();
        let error = RunDirectory::open(folder.path(), &plan).unwrap_err();
        assert!(matches!(error, RunError::NoPlan(_)), "{error}");
        assert_eq!(fs::read_to_string(folder.path().join(EPISODES)).unwrap(), "{}\n", "nothing is lost");
        fs::write(folder.path().join(EPISODES), "").unwrap();
        RunDirectory::open(folder.path(), &plan).unwrap();
    }
}
