//! The rows of the paper's Table II (arXiv 2608.23179), to print beside a run.

use super::table::{Column, Row};

/// A model as the paper ran it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PaperRow {
    /// Model.
    pub model: &'static str,
    /// Whether it reasoned before it answered.
    pub thinking: bool,
    /// Score, Pass, F1, Turns, Err, Rep, Limit, Early, Corr, ErrSub.
    values: [f64; 10],
}

const fn row(model: &'static str, thinking: bool, values: [f64; 10]) -> PaperRow {
    PaperRow { model, thinking, values }
}

/// All rows.
pub const ROWS: [PaperRow; 8] = [
    row("qwen3-8B", false, [0.337, 0.046, 0.508, 18.26, 0.455, 0.496, 0.833, 0.000, 0.046, 0.121]),
    row("qwen3-8B", true, [0.457, 0.094, 0.582, 14.21, 0.317, 0.124, 0.446, 0.000, 0.094, 0.460]),
    row("qwen3-32B", false, [0.656, 0.233, 0.684, 15.61, 0.090, 0.017, 0.473, 0.000, 0.154, 0.373]),
    row("qwen3-32B", true, [0.728, 0.421, 0.682, 10.88, 0.139, 0.020, 0.208, 0.013, 0.379, 0.400]),
    row("deepseek-v4-flash", false, [0.914, 0.656, 0.759, 14.72, 0.027, 0.000, 0.350, 0.000, 0.502, 0.148]),
    row("deepseek-v4-flash", true, [0.933, 0.794, 0.739, 14.42, 0.038, 0.001, 0.246, 0.000, 0.675, 0.079]),
    row("deepseek-v4-pro", false, [0.961, 0.852, 0.796, 13.70, 0.020, 0.001, 0.235, 0.000, 0.731, 0.033]),
    row("deepseek-v4-pro", true, [0.862, 0.738, 0.692, 11.12, 0.019, 0.003, 0.131, 0.079, 0.692, 0.098]),
];

/// How many instances each row is over: 96 templates, 5 seeds.
const EPISODES: usize = 480;

impl PaperRow {
    /// How it is called in a table.
    #[must_use]
    pub fn label(&self) -> String {
        format!("{} (paper, thinking {})", self.model, if self.thinking { "on" } else { "off" })
    }

    /// The same as a row of ours.
    #[must_use]
    pub fn row(&self) -> Row {
        let values = Column::ALL.into_iter().zip(self.values).collect();
        Row { episodes: EPISODES, values, ..Row::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_ends_each_episode_in_exactly_one_way() {
        for paper in ROWS {
            let values = paper.row().values;
            let endings = [Column::Limit, Column::EarlySub, Column::CorrSub, Column::ErrSub];
            let sum: f64 = endings.iter().map(|c| values[c]).sum();
            // The paper rounds to three digits.
            assert!((sum - 1.0).abs() < 2.5e-3, "{}: {sum}", paper.label());
            assert!(values[&Column::CorrSub] <= values[&Column::PassRate] + 1e-9, "{}", paper.label());
        }
    }
}
