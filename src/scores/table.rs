//! The columns of Table II, and the rows that a run gives: one overall, one a category.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::change::ChangeF1;
use super::estimate::{Estimate, Repeats, Sample, estimate, pass_hat};
use super::failure::FailureClass;
use super::metrics::{Completion, Conduct};
use crate::instance::Difficulty;

/// What the table takes from one scored episode.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Name of the instance.
    pub instance: String,
    /// Which repeat of the instance, from 0.
    pub repeat: usize,
    /// Name of the template: `<category>/<slug>`.
    pub template: String,
    /// The paper's subcategory.
    pub subcategory: String,
    /// How much the task asks.
    pub difficulty: Difficulty,
    /// Share of scoring groups that passed.
    pub score: f64,
    /// Whether all did.
    pub passed: bool,
    /// How the episode ended.
    pub completion: Completion,
    /// Agreement with the reference's changes.
    pub cfg: ChangeF1,
    /// How the agent conducted itself.
    pub conduct: Conduct,
    /// Tokens that the agent produced, if it says.
    pub output_tokens: Option<u64>,
    /// Real time that the episode took.
    pub wall_seconds: f64,
    /// How often each action was taken; null turns under `none`.
    pub actions: BTreeMap<String, usize>,
    /// Why it failed; empty if it passed.
    pub failures: BTreeSet<FailureClass>,
    /// Whether the agent gave up.
    pub gave_up: bool,
}

/// A column of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Column {
    /// Share of scoring groups passed.
    Score,
    /// Share of episodes with every group passed.
    PassRate,
    /// F1 of the configuration changes against the reference's.
    CfgF1,
    /// Turns.
    Turns,
    /// Share of configuration and validation actions in which something was rejected.
    ErrAct,
    /// Share of turns that repeat the turn before.
    RepAct,
    /// Share of episodes that were not submitted.
    Limit,
    /// Share of episodes submitted without an attempt.
    EarlySub,
    /// Share of episodes submitted and right.
    CorrSub,
    /// Share of episodes submitted and wrong.
    ErrSub,
    /// Tokens that the agent produced.
    OutputTokens,
    /// Real seconds.
    WallSeconds,
}

impl Column {
    /// All columns, in the table's order.
    pub const ALL: [Self; 12] = [
        Self::Score,
        Self::PassRate,
        Self::CfgF1,
        Self::Turns,
        Self::ErrAct,
        Self::RepAct,
        Self::Limit,
        Self::EarlySub,
        Self::CorrSub,
        Self::ErrSub,
        Self::OutputTokens,
        Self::WallSeconds,
    ];

    /// The heading.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Score => "Score",
            Self::PassRate => "Pass",
            Self::CfgF1 => "Cfg. F1",
            Self::Turns => "Turns",
            Self::ErrAct => "Err. act.",
            Self::RepAct => "Rep. act.",
            Self::Limit => "Limit",
            Self::EarlySub => "Early sub.",
            Self::CorrSub => "Corr. sub.",
            Self::ErrSub => "Err. sub.",
            Self::OutputTokens => "Tokens",
            Self::WallSeconds => "Wall s",
        }
    }

    /// A value as tables show it.
    #[must_use]
    pub fn write(self, value: f64) -> String {
        match self {
            Self::OutputTokens => format!("{value:.0}"),
            Self::Turns => format!("{value:.2}"),
            Self::WallSeconds if value < 0.1 => format!("{value:.4}"),
            Self::WallSeconds => format!("{value:.2}"),
            _ => format!("{value:.3}"),
        }
    }

    /// Whether its values lie between 0 and 1.
    #[must_use]
    pub const fn is_share(self) -> bool {
        !matches!(self, Self::Turns | Self::OutputTokens | Self::WallSeconds)
    }

    /// An episode's value and weight; nothing if the episode does not say.
    #[expect(clippy::cast_precision_loss, reason = "counts of turns and tokens")]
    fn sample(self, outcome: &Outcome) -> Option<(f64, f64)> {
        let ended = |completion| Some((f64::from(u8::from(outcome.completion == completion)), 1.0));
        let conduct = &outcome.conduct;
        match self {
            Self::Score => Some((outcome.score, 1.0)),
            Self::PassRate => Some((f64::from(u8::from(outcome.passed)), 1.0)),
            Self::CfgF1 => Some((outcome.cfg.f1, 1.0)),
            Self::Turns => Some((conduct.turns as f64, 1.0)),
            Self::ErrAct => Some((conduct.rejected_actions as f64, conduct.judged_actions as f64)),
            Self::RepAct => Some((conduct.repeated_turns as f64, conduct.turns as f64)),
            Self::Limit => ended(Completion::Limit),
            Self::EarlySub => ended(Completion::EarlySub),
            Self::CorrSub => ended(Completion::CorrSub),
            Self::ErrSub => ended(Completion::ErrSub),
            Self::OutputTokens => outcome.output_tokens.map(|t| (t as f64, 1.0)),
            Self::WallSeconds => Some((outcome.wall_seconds, 1.0)),
        }
    }
}

/// A row: the columns over a set of episodes. A column that has nothing to divide by is absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// How many episodes.
    pub episodes: usize,
    /// The values.
    #[serde(flatten)]
    pub values: BTreeMap<Column, f64>,
    /// Ends of the 95 % intervals, where there are at least two templates.
    pub intervals: BTreeMap<Column, (f64, f64)>,
    /// pass^1, pass^2 and so on, up to the least number of repeats.
    pub pass_hat: Vec<f64>,
    /// Ends of their 95 % intervals, where there are at least two templates.
    #[serde(default)]
    pub pass_hat_intervals: Vec<(f64, f64)>,
}

impl Row {
    /// The row over these episodes.
    #[must_use]
    pub fn of<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Self {
        let outcomes: Vec<&Outcome> = outcomes.into_iter().collect();
        let hats = pass_hats(&outcomes);
        let mut row = Self {
            episodes: outcomes.len(),
            pass_hat: hats.iter().map(|hat| hat.mean).collect(),
            pass_hat_intervals: hats.iter().filter_map(|hat| ends(hat, 1.0)).collect(),
            ..Self::default()
        };
        for column in Column::ALL {
            let sample = |o: &&'a Outcome| {
                let (value, weight) = column.sample(o)?;
                Some(Sample { cluster: o.template.as_str(), value, weight })
            };
            let samples: Vec<Sample<'_>> = outcomes.iter().filter_map(sample).collect();
            let Some(found) = estimate(&samples) else { continue };
            row.values.insert(column, found.mean);
            let top = if column.is_share() { 1.0 } else { f64::INFINITY };
            row.intervals.extend(ends(&found, top).map(|ends| (column, ends)));
        }
        row
    }

    /// pass^1, pass^2 and so on in words, if anything was repeated.
    #[must_use]
    pub fn repeats(&self) -> Vec<String> {
        let word = |(at, value): (usize, &f64)| {
            let interval = self.pass_hat_intervals.get(at);
            let interval = interval.map(|(low, high)| format!(" ({low:.3} to {high:.3})"));
            format!("pass^{} {value:.3}{}", at + 1, interval.unwrap_or_default())
        };
        if self.pass_hat.len() > 1 {
            self.pass_hat.iter().enumerate().map(word).collect()
        } else {
            Vec::new()
        }
    }
}

/// The ends of an interval of what lies between 0 and `top`.
fn ends(found: &Estimate, top: f64) -> Option<(f64, f64)> {
    found.margin.map(|margin| ((found.mean - margin).max(0.0), (found.mean + margin).min(top)))
}

fn pass_hats(outcomes: &[&Outcome]) -> Vec<Estimate> {
    let mut by_instance: BTreeMap<&str, Repeats<'_>> = BTreeMap::new();
    for outcome in outcomes {
        let repeats = by_instance.entry(&outcome.instance).or_default();
        repeats.cluster = &outcome.template;
        repeats.passed += usize::from(outcome.passed);
        repeats.all += 1;
    }
    let runs: Vec<Repeats<'_>> = by_instance.into_values().collect();
    (1..).map_while(|k| pass_hat(&runs, k)).collect()
}

/// `summary.json`: the row over all episodes, and a row for each category.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Over all episodes.
    #[serde(flatten)]
    pub overall: Row,
    /// By category.
    pub categories: BTreeMap<String, Row>,
    /// By category and subcategory, as `<category>: <subcategory>`.
    #[serde(default)]
    pub subcategories: BTreeMap<String, Row>,
    /// By how much the tasks ask.
    #[serde(default)]
    pub difficulties: BTreeMap<String, Row>,
    /// The share of each action in all turns; null turns under `none`.
    #[serde(default)]
    pub actions: BTreeMap<String, f64>,
    /// The share of failed episodes that failed in each way; an episode may fail in several.
    #[serde(default)]
    pub failures: BTreeMap<FailureClass, f64>,
    /// Episodes that the agent gave up, e.g. since its context was full; they are scored.
    #[serde(default)]
    pub given_up: usize,
    /// Episodes that ended by an infrastructure error, which say nothing about the agent and are not scored.
    pub infrastructure_errors: usize,
}

impl Summary {
    /// Summarises scored episodes.
    #[must_use]
    pub fn of(outcomes: &[Outcome], infrastructure_errors: usize) -> Self {
        let category = |o: &Outcome| o.template.split('/').next().unwrap_or_default().to_owned();
        Self {
            overall: Row::of(outcomes),
            categories: rows_by(outcomes, category),
            difficulties: rows_by(outcomes, |o| o.difficulty.to_string()),
            subcategories: rows_by(outcomes, |o| format!("{}: {}", category(o), o.subcategory)),
            actions: action_shares(outcomes),
            failures: failure_shares(outcomes),
            given_up: outcomes.iter().filter(|outcome| outcome.gave_up).count(),
            infrastructure_errors,
        }
    }
}

fn rows_by(outcomes: &[Outcome], name: impl Fn(&Outcome) -> String) -> BTreeMap<String, Row> {
    let mut parts: BTreeMap<String, Vec<&Outcome>> = BTreeMap::new();
    for outcome in outcomes {
        parts.entry(name(outcome)).or_default().push(outcome);
    }
    parts.into_iter().map(|(name, of)| (name, Row::of(of))).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of turns")]
fn action_shares(outcomes: &[Outcome]) -> BTreeMap<String, f64> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for (name, count) in outcomes.iter().flat_map(|o| &o.actions) {
        *counts.entry(name).or_default() += count;
    }
    let all = counts.values().sum::<usize>().max(1) as f64;
    counts.into_iter().map(|(name, count)| (name.to_owned(), count as f64 / all)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "counts of episodes")]
fn failure_shares(outcomes: &[Outcome]) -> BTreeMap<FailureClass, f64> {
    let failed: Vec<&Outcome> = outcomes.iter().filter(|o| !o.passed).collect();
    let share = |class: FailureClass| {
        let count = failed.iter().filter(|o| o.failures.contains(&class)).count();
        (count > 0).then(|| (class, count as f64 / failed.len() as f64))
    };
    FailureClass::ALL.into_iter().filter_map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(instance: &str, passed: bool, completion: Completion) -> Outcome {
        Outcome {
            instance: instance.to_owned(),
            repeat: 0,
            template: instance.split('@').next().unwrap().to_owned(),
            score: if passed { 1.0 } else { 0.5 },
            passed,
            completion,
            cfg: ChangeF1 { precision: 1.0, recall: 0.5, f1: 0.6 },
            conduct: Conduct {
                turns: 10,
                null_turns: 0,
                judged_actions: if passed { 2 } else { 6 },
                rejected_actions: u8::from(!passed).into(),
                repeated_turns: 1,
            },
            output_tokens: passed.then_some(100),
            wall_seconds: 2.0,
            subcategory: "basics".to_owned(),
            difficulty: if passed { Difficulty::Easy } else { Difficulty::Hard },
            actions: BTreeMap::from([("wait".to_owned(), 9), ("submit".to_owned(), 1)]),
            failures: if passed { BTreeSet::new() } else { BTreeSet::from([FailureClass::Drift]) },
            gave_up: completion == Completion::Limit,
        }
    }

    fn outcomes() -> Vec<Outcome> {
        vec![
            outcome("ospf/a@0", true, Completion::CorrSub),
            outcome("ospf/a@1", false, Completion::ErrSub),
            outcome("static/b@0", true, Completion::Limit),
            outcome("static/b@1", false, Completion::EarlySub),
        ]
    }

    #[test]
    fn the_columns_by_hand() {
        let row = Row::of(&outcomes());
        let value = |column| row.values[&column];
        assert_eq!((row.episodes, value(Column::Score), value(Column::PassRate)), (4, 0.75, 0.5));
        assert_eq!(value(Column::ErrAct), 2.0 / 16.0, "a share of actions, not a mean of shares");
        assert_eq!((value(Column::RepAct), value(Column::Turns)), (0.1, 10.0));
        let endings = [Column::Limit, Column::EarlySub, Column::CorrSub, Column::ErrSub];
        assert_eq!(endings.map(value).iter().sum::<f64>(), 1.0, "the four sum to 1");
        assert_eq!(value(Column::OutputTokens), 100.0, "only over episodes that say");
        assert_eq!(row.intervals[&Column::PassRate], (0.5, 0.5), "the templates agree");
        assert_eq!(row.pass_hat, [0.5]);
    }

    #[test]
    fn repeats_give_pass_hat() {
        let again: Vec<Outcome> = outcomes().into_iter().chain(outcomes()).collect();
        let row = Row::of(&again);
        assert_eq!(row.pass_hat, [0.5, 0.5]);
        assert_eq!(row.pass_hat_intervals, [(0.5, 0.5); 2], "the templates agree");
        assert_eq!(row.repeats(), ["pass^1 0.500 (0.500 to 0.500)", "pass^2 0.500 (0.500 to 0.500)"]);
        assert_eq!(Row::of(&outcomes()).repeats(), [""; 0]);
    }

    #[test]
    fn the_summary_has_a_flat_row_and_one_for_each_category() {
        let summary = Summary::of(&outcomes(), 3);
        let stored = serde_json::to_value(&summary).unwrap();
        assert_eq!(stored["episodes"], 4);
        assert_eq!(stored["pass_rate"], 0.5);
        assert_eq!((&stored["infrastructure_errors"], &stored["given_up"]), (&3.into(), &1.into()));
        assert_eq!(stored["categories"]["ospf"]["err_sub"], 0.5);
        assert_eq!(stored["subcategories"]["static: basics"]["episodes"], 2);
        assert_eq!(stored["difficulties"]["hard"]["pass_rate"], 0.0);
        assert_eq!(stored["actions"]["wait"], 0.9);
        assert_eq!(stored["failures"]["drift"], 1.0);
        assert_eq!(serde_json::from_value::<Summary>(stored).unwrap(), summary);
    }

    #[test]
    fn nothing_gives_an_empty_row() {
        assert_eq!(Row::of(&[]), Row::default());
    }
}
