//! Reports: runs as one HTML file that opens from disk and asks no network.
//!
//! | module | what it holds |
//! |---|---|
//! | [`page`] | what stands on the page: leaderboard, heat map, action mix, curves, failure classes |
//! | [`curve`] | how runs go on turn by turn |
//! | [`trajectory`] | what the viewer shows of an episode |
//! | [`topology`] | where routers and links stand in the picture |
//! | [`diagram`] | that picture as text and as SVG |
//!
//! `page/` has the templates, the style and the script. Text from agents and runs never becomes markup: the templates escape it,
//! and the viewer sets it as text out of JSON in which no tag can begin. Should markup get in all the same, the page's content
//! security policy names the one script that may run, and lets nothing be loaded.

pub mod curve;
pub mod diagram;
pub mod page;
pub mod topology;
pub mod trajectory;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::Serialize;
use serde_json::{Value, json};

use self::curve::Curves;
use self::page::{Page, RunView};
use self::trajectory::Trajectory;
use crate::episode::record::Episode;
use crate::runs::directory::{RunError, each_episode, read_failures, read_plan};
use crate::scores::table::Summary;

/// Which episodes the viewer gets. The tables are always over all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trajectories {
    /// All.
    All,
    /// Those that did not pass.
    Failed,
    /// None.
    None,
}

impl FromStr for Trajectories {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "failed" => Ok(Self::Failed),
            "none" => Ok(Self::None),
            _ => Err(format!("trajectories cannot be `{text}`; they can be all, failed, none")),
        }
    }
}

impl Trajectories {
    const fn takes(self, episode: &Episode) -> bool {
        match self {
            Self::All => true,
            Self::Failed => !episode.passed,
            Self::None => false,
        }
    }
}

/// Writes the report of these runs, and tells how many trajectories are in it.
///
/// Episodes are read one at a time, so that the size of a run does not matter to memory.
///
/// # Errors
/// A run cannot be read, or the report not written.
pub fn write(runs: &[PathBuf], which: Trajectories, out: &mut dyn Write) -> Result<usize, RunError> {
    let mut views = Vec::new();
    let mut index = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        views.push(view(run, number, which, &mut index)?);
    }
    let page =
        Page::of(&views, &tagless(&index)).map_err(|error| RunError::Output(io::Error::other(error)))?;
    out.write_all(page.top.as_bytes()).map_err(RunError::Output)?;
    let mut number = 0;
    for run in runs {
        each_episode(run, |episode| {
            if !which.takes(&episode) {
                return Ok(());
            }
            let text = tagless(&Trajectory::of(&episode));
            let line = format!("<script type=\"application/json\" id=\"e{number}\">{text}</script>\n");
            number += 1;
            out.write_all(line.as_bytes()).map_err(RunError::Output)
        })?;
    }
    out.write_all(page.bottom.as_bytes()).map_err(RunError::Output)?;
    Ok(number)
}

/// Reads a run for the tables, and notes its episodes for the viewer.
fn view(run: &Path, number: usize, which: Trajectories, index: &mut Vec<Value>) -> Result<RunView, RunError> {
    let plan = read_plan(run)?;
    let mut outcomes = Vec::new();
    let mut curves = Curves::default();
    each_episode(run, |episode| {
        curves.add(&episode);
        let outcome = episode.outcome();
        if which.takes(&episode) {
            let (score, turns) = (episode.score, episode.turns);
            index.push(json!([
                number,
                episode.key().to_string(),
                score,
                turns,
                episode.completion.to_string(),
                episode.passed
            ]));
        }
        outcomes.push(outcome);
        Ok(())
    })?;
    let summary = Summary::of(&outcomes, read_failures(run)?.len());
    Ok(RunView::of(&plan, &summary, &curves.points()))
}

/// A value as JSON in which no tag can begin: it can stand in a script element.
fn tagless(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests;
