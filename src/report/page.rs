//! What stands on the page of a report.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, context};
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::curve::Points;
use crate::agent::action::Action;
use crate::runs::plan::RunPlan;
use crate::scores::paper;
use crate::scores::table::{Column, Row, Summary};

const STYLE: &str = include_str!("page/report.css");
const SCRIPT: &str = include_str!("page/report.js");
/// Width and height of a curve's picture.
const PICTURE: (f64, f64) = (320.0, 140.0);

/// A page in two parts; the trajectories stand between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// Up to the trajectories.
    pub top: String,
    /// From there on.
    pub bottom: String,
}

/// A run as the page shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunView {
    label: String,
    version: String,
    settings: Vec<(String, String)>,
    #[serde(skip)]
    summary: Summary,
    episodes: usize,
    infrastructure_errors: usize,
    given_up: usize,
    pass_hat: Vec<String>,
    actions: Vec<Share>,
    failures: Vec<Share>,
    curves: Vec<Curve>,
}

/// A named part of a whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Share {
    name: String,
    /// The word for its colour.
    class: String,
    percent: f64,
    text: String,
}

/// A line in the picture of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Curve {
    name: &'static str,
    class: &'static str,
    points: String,
    last_turn: usize,
    last: String,
}

/// A row of the leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Leader {
    label: String,
    paper: bool,
    episodes: usize,
    #[serde(skip)]
    score: f64,
    cells: Vec<Cell>,
}

/// A cell: its text, and what is told of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
struct Cell {
    text: String,
    title: String,
    /// Between 0 and 100, for the colour.
    percent: f64,
}

impl RunView {
    /// What is shown of a run.
    #[must_use]
    pub fn of(plan: &RunPlan, summary: &Summary, points: &Points) -> Self {
        let seeds: Vec<String> = plan.seeds.iter().take(20).map(u64::to_string).collect();
        let settings = [
            ("scaffold", plan.scaffold.to_string()),
            ("backend", plan.backend.clone()),
            ("templates", plan.templates.len().to_string()),
            ("seeds", seeds.join(", ")),
            ("repeats", plan.repeats.to_string()),
            ("turns", plan.settings.limits.turns.to_string()),
            ("agent settings", plan.agent_settings.to_string()),
        ];
        Self {
            label: readable(&plan.label()),
            version: plan.version.clone(),
            settings: settings.into_iter().map(|(name, value)| (name.to_owned(), readable(&value))).collect(),
            summary: summary.clone(),
            episodes: summary.overall.episodes,
            infrastructure_errors: summary.infrastructure_errors,
            pass_hat: summary.overall.repeats(),
            given_up: summary.given_up,
            actions: actions(summary),
            failures: failures(summary),
            curves: curves(points),
        }
    }
}

/// A text without control characters, and not endless.
fn readable(text: &str) -> String {
    text.chars().take(300).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn share(name: String, class: &str, part: f64) -> Share {
    let percent = (part * 1000.0).round() / 10.0;
    Share { name, class: class.to_owned(), percent, text: format!("{percent:.1} %") }
}

/// The shares of the five actions and of null turns, in the actions' order.
fn actions(summary: &Summary) -> Vec<Share> {
    let names = Action::NAMES.into_iter().chain(["none"]);
    let known = names.filter_map(|name| {
        let word = if name == "none" { "null turn" } else { name };
        summary.actions.get(name).map(|part| share(word.to_owned(), name, *part))
    });
    known.collect()
}

fn failures(summary: &Summary) -> Vec<Share> {
    summary.failures.iter().map(|(class, part)| share(class.to_string(), "failure", *part)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "numbers of turns")]
fn curves(points: &Points) -> Vec<Curve> {
    let both = [("submitted", "submitted", &points.submitted), ("goals that hold", "held", &points.held)];
    let turns = both.iter().map(|(_, _, values)| values.len()).max().unwrap_or_default();
    let width = turns.saturating_sub(1).max(1) as f64;
    let drawn = both.into_iter().filter(|(_, _, values)| !values.is_empty()).map(|(name, class, values)| {
        let point = |(turn, value): (usize, &f64)| {
            format!("{:.1},{:.1}", PICTURE.0 * turn as f64 / width, PICTURE.1 * (1.0 - value))
        };
        let points: Vec<String> = values.iter().enumerate().map(point).collect();
        let last = values.last().map(|value| format!("{:.0} %", 100.0 * value)).unwrap_or_default();
        Curve { name, class, points: points.join(" "), last_turn: turns.saturating_sub(1), last }
    });
    drawn.collect()
}

impl Leader {
    fn of(label: String, paper: bool, row: &Row) -> Self {
        let cells = Column::ALL.map(|column| cell(column, row));
        let score = row.values.get(&Column::Score).copied().unwrap_or_default();
        Self { label, paper, episodes: row.episodes, score, cells: cells.to_vec() }
    }
}

fn cell(column: Column, row: &Row) -> Cell {
    let text = row.values.get(&column).map(|value| column.write(*value)).unwrap_or_default();
    let title = row.intervals.get(&column).map(|(low, high)| {
        format!("95 % interval {} to {}, clustered by template", column.write(*low), column.write(*high))
    });
    Cell { text, title: title.unwrap_or_default(), percent: 0.0 }
}

/// Runs and the paper's rows, the best score first.
fn leaderboard(runs: &[RunView]) -> Vec<Leader> {
    let ours = runs.iter().map(|run| Leader::of(run.label.clone(), false, &run.summary.overall));
    let theirs = paper::ROWS.iter().map(|row| Leader::of(row.label(), true, &row.row()));
    let mut rows: Vec<Leader> = ours.chain(theirs).collect();
    rows.sort_by(|a, b| b.score.total_cmp(&a.score));
    rows
}

/// A row for each subcategory, a cell for each run.
fn heat(runs: &[RunView]) -> Vec<(String, Vec<Cell>)> {
    let mut names: Vec<&String> = runs.iter().flat_map(|run| run.summary.subcategories.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let cell = |row: Option<&Row>| {
        let Some(row) = row else { return Cell::default() };
        let value = |column| row.values.get(&column).copied().unwrap_or_default();
        let (score, passed) = (value(Column::Score), value(Column::PassRate));
        let title = format!("score {score:.3}, pass rate {passed:.3}, {} episodes", row.episodes);
        Cell { text: format!("{score:.2}"), title, percent: (100.0 * score).round() }
    };
    let row = |name: &String| runs.iter().map(|run| cell(run.summary.subcategories.get(name))).collect();
    names.into_iter().map(|name| (name.clone(), row(name))).collect()
}

impl Page {
    /// The page of these runs. `index` is JSON in which no tag can begin.
    ///
    /// # Errors
    /// A template of the page is wrong.
    pub fn of(runs: &[RunView], index: &str) -> Result<Self, minijinja::Error> {
        // By their extension, what goes into the templates is escaped.
        let mut engine = Environment::new();
        engine.add_template("top.html", include_str!("page/top.html"))?;
        engine.add_template("bottom.html", include_str!("page/bottom.html"))?;
        let hash = BASE64_STANDARD.encode(Sha256::digest(SCRIPT.as_bytes()));
        let top = engine.get_template("top.html")?.render(context! {
            runs => Value::from(Serde(&runs)),
            leaderboard => Value::from(Serde(&leaderboard(runs))),
            columns => Column::ALL.map(Column::title),
            heat => Value::from(Serde(&heat(runs))),
            style => STYLE,
            policy => format!("default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'"),
        })?;
        let labels: Vec<&str> = runs.iter().map(|run| run.label.as_str()).collect();
        let bottom = engine.get_template("bottom.html")?.render(context! {
            index,
            labels => super::tagless(&labels),
            script => SCRIPT,
        })?;
        Ok(Self { top, bottom })
    }
}
